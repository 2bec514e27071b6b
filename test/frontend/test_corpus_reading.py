"""Numba's and Triton's kernels are parsed, and typed pointers give the same as opaque ones.

Numba passes its `.m0.ll` to libNVVM, with typed pointers; the `.ll` beside it is the same after LLVM has
parsed, linked and printed it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.normal_form import normal_form

from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.verify.verifier import verify_module

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
FILES = sorted(CORPUS.glob("*/*.ll"))
TYPED = sorted(CORPUS.glob("numba/*.cc90.m0.ll"))

WRAPPING_ORDERING = re.compile(r"(?<=bin_op = 1[56] : i64, )ordering = \d+ : i64")
"""The ordering of `uinc_wrap` and `udec_wrap`."""


def test_the_corpus_exists():
    assert len(FILES) > 70
    assert len(TYPED) >= 15


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_parsed_and_verified(path: Path):
    module = read_ll(path.read_text(), path.name)
    verify_module(module)
    functions = [op for op in module.body.block.ops if op.name == "llvm.func"]
    assert any(is_kernel(op) for op in functions) or ".m1." in path.name


@pytest.mark.parametrize("path", TYPED, ids=lambda path: path.name)
def test_typed_pointers_equal_opaque_ones(path: Path):
    typed = normal_form(read_ll(path.read_text(), path.name))
    linked = path.with_name(path.name.replace(".m0", ""))
    opaque = normal_form(read_ll(linked.read_text(), linked.name))
    functions = [
        name for name in typed.keys() & opaque.keys() if len(typed[name]) > 2 and name[0] == "@"
    ]
    assert functions
    for name in functions:
        assert _upgraded(typed[name][1:]) == _upgraded(opaque[name][1:]), name


def _upgraded(lines: list[str]) -> list[str]:
    """Returns the lines without an ordering that LLVM strengthens.

    `llvm.nvvm.atomic.load.inc` is PTX's relaxed `atom.inc`; LLVM's AutoUpgrade makes it seq_cst.
    """
    return [WRAPPING_ORDERING.sub("", line) for line in lines]
