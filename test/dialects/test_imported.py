"""mlir-translate's import of the examples is parsed, verified and printed without loss.

The test compares mlir-opt's print of its own import with its print of our text.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from helpers.roundtrip import MLIR_OPT, MLIR_TRANSLATE, NO_MLIR, mlir_opt, parse, show
from helpers.scale import share, slow_but

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.ll"))
QUICK = ("atomics", "histogram", "saxpy", "struct_argument")
LOCAL = ("--mlir-print-local-scope", "--mlir-print-debuginfo")


def test_there_are_examples():
    assert len(EXAMPLES) >= 20


@pytest.mark.skipif(MLIR_OPT is None or MLIR_TRANSLATE is None, reason=NO_MLIR)
@pytest.mark.parametrize(
    "path", slow_but(share(EXAMPLES, 6, lambda p: p.stem), QUICK, lambda path: path.stem)
)
def test_the_import_is_preserved(path: Path):
    command = [str(MLIR_TRANSLATE), "--import-llvm", "-mlir-print-debuginfo", str(path)]
    imported = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    expected = mlir_opt(imported, *LOCAL)
    module = parse(imported, str(path))
    for generic in (False, True):
        assert mlir_opt(show(module, generic=generic, locations=True), *LOCAL) == expected
    # Not by is_structurally_equivalent, which does not support uses before their definition.
    assert show(parse(show(module))) == show(module)
