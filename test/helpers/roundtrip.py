"""Parsing and printing of MLIR text in tests of the llvm and nvvm dialects."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from pathlib import Path

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.universe import Universe

UNIVERSE = Universe.get_multiverse()

MLIR_OPT = shutil.which("mlir-opt-22")
MLIR_TRANSLATE = shutil.which("mlir-translate-22")
NO_MLIR = "MLIR 22's mlir-opt and mlir-translate are not on this machine"

SEPARATOR = "// -----"


def new_context() -> Context:
    """Returns the context of an unpatched `xdsl-opt`."""
    context = Context()
    for name, factory in UNIVERSE.all_dialects.items():
        context.register_dialect(name, factory)
    return context


def parse(text: str, name: str = "test.mlir") -> ModuleOp:
    """The verified module of a text."""
    module = Parser(new_context(), text, name).parse_module()
    module.verify()
    return module


def show(module: ModuleOp, *, generic: bool = False, locations: bool = False) -> str:
    """The module as text."""
    out = io.StringIO()
    Printer(out, print_generic_format=generic, print_debuginfo=locations).print_op(module)
    return out.getvalue()


def without_spacing(text: str) -> str:
    """Returns a text without white space and comments."""
    text = re.sub(r"\s*//.*", "", text).replace("builtin.module", "module")
    text = re.sub(r"\s+", " ", text)
    return re.sub(r" ?([<>(){}\[\],:=|]) ?", r"\1", text).strip()


def snippets(path: Path) -> list[str]:
    """The modules of a file, one feature each."""
    return [part.strip() for part in path.read_text().split(SEPARATOR)]


def mlir_opt(text: str, *arguments: str) -> str:
    """Returns mlir-opt's output for a text; fails the test with its message if it rejects it."""
    assert MLIR_OPT is not None
    command = [MLIR_OPT, *arguments, "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr + text[:2000]
    return done.stdout


HERE = Path(__file__).parents[1] / "dialects"


FILES = sorted(HERE.glob("*/roundtrip/*.mlir"))
