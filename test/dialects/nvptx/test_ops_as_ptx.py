"""The PTX of each form of op, by the conversion alone: ops.mlir's PTX lines."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from xdsl.parser import Parser

from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.compile import mlir_context

OPS = Path(__file__).parent / "ops.mlir"


def test_every_form_as_ptx():
    module = Parser(mlir_context(), OPS.read_text(), str(OPS)).parse_module()
    done = subprocess.run(
        [Path(sys.executable).parent / "filecheck", OPS, "--check-prefix", "PTX"],
        input=print_ptx(convert(module)),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
