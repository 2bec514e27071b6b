"""What the writer makes of a module the reader reads as that module, and LLVM takes it."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from helpers.normal_form import normal_form
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.verifier import verify_module
from nvvm_xdsl.testing.random_kernels import random_kernel
from nvvm_xdsl.testing.random_kernels.programs import random_program_text

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = sorted((ROOT / "test" / "frontend" / "language").glob("*.ll"))
EXAMPLES = sorted((ROOT / "examples").glob("*.ll"))
CORPUS = sorted((ROOT / "test" / "corpus").glob("*/*.ll"))
FEW = [path for path in CORPUS if path.name in ("matmul_shared.cc90.ll", "layernorm.sm90.ll")]
OPT = shutil.which("opt-22")
needs_opt = pytest.mark.skipif(OPT is None, reason="opt of LLVM 22 was not found")


def same(module: ModuleOp) -> dict[str, list[str]]:
    """The module as lines; what tells scopes apart is left out, since reading numbers them anew."""
    return {
        name: [re.sub(r"distinct\[\d+\]", "distinct", line) for line in lines]
        for name, lines in normal_form(module).items()
    }


def check(module: ModuleOp) -> str:
    """Writes and reads it twice."""
    text = write_ll(module)
    again = read_ll(text, "<written>")
    verify_module(again)
    assert same(again) == same(module)
    assert write_ll(again) == text
    return text


def verified_by_llvm(text: str) -> None:
    assert OPT is not None
    command = [OPT, "-passes=verify", "-S", "-o", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", [*LANGUAGE, *EXAMPLES, *FEW], ids=lambda path: path.name)
def test_files(path: Path):
    check(read_ll(path.read_text(), path.name))


@pytest.mark.slow
@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.name)
def test_corpus(path: Path):
    check(read_ll(path.read_text(), path.name))


@pytest.mark.parametrize("seed", range(6))
def test_random_kernels(seed: int):
    check(random_kernel(seed))


def test_random_program():
    check(read_ll(random_program_text(3), "<seed 3>"))


@needs_opt
@pytest.mark.parametrize("path", LANGUAGE, ids=lambda path: path.name)
def test_llvm_takes_it(path: Path):
    verified_by_llvm(write_ll(read_ll(path.read_text(), path.name)))


@needs_opt
@pytest.mark.parametrize("name", ["matmul", "reduction", "saxpy.debug"])
def test_llvm_takes_what_is_optimized(name: str):
    text = (ROOT / "examples" / f"{name}.ll").read_text()
    verified_by_llvm(nvvm_xdsl.compile(text, arch="sm_90", format="llvm"))


def test_optimized_text_is_a_fixpoint():
    text = (ROOT / "examples" / "reduction.ll").read_text()
    first = nvvm_xdsl.compile(text, arch="sm_90", format="llvm")
    assert write_ll(read_ll(first)) == first


def test_the_module_is_not_changed():
    path = ROOT / "examples" / "scan.ll"
    module = read_ll(path.read_text())
    before = same(module)
    write_ll(module)
    assert same(module) == before
