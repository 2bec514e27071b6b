"""Conditions of `adce`: each case is the body of a function, and whether the pass changes it."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.scalar.adce import ADCE


def changed(body: str) -> bool:
    """Runs the pass on a function; returns its result."""
    module = parse_module(
        f"llvm.func @f(%c: i1, %d: i1, %x: i32, %p: !llvm.ptr) -> i32 {{\n{body}\n}}"
    )
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    before = str(module)
    result = ADCE().run_on_function(function, AnalysisManager())
    module.verify()
    assert result == (str(module) != before)
    return result


CASES = {
    "a branch that controls nothing": (
        "llvm.cond_br %c, ^a, ^b\n^a:\nllvm.br ^b\n^b:\nllvm.return %x : i32", True,
    ),
    "not the values of a jump": (
        "llvm.cond_br %c, ^a, ^b(%x : i32)\n^a:\nllvm.br ^b(%x : i32)\n^b(%y: i32):\nllvm.return %y : i32", False,
    ),
    "not a jump in a block that a live branch controls": (
        "llvm.cond_br %c, ^a, ^b\n^a:\nllvm.store %x, %p : i32, !llvm.ptr\nllvm.br ^b\n"
        "^b:\nllvm.return %x : i32", False,
    ),
    "not a branch to two exits": (
        "llvm.cond_br %c, ^a, ^b\n^a:\nllvm.return %x : i32\n^b:\n%y = llvm.add %x, %x : i32\nllvm.return %y : i32", False,
    ),
    "not the branch of a loop, with an argument that stays the same": (
        "llvm.br ^a(%x : i32)\n^a(%y: i32):\nllvm.cond_br %c, ^a(%y : i32), ^b\n^b:\nllvm.return %y : i32", False,
    ),
    "not a branch to a loop without an exit": (
        "llvm.cond_br %c, ^a, ^b\n^a:\nllvm.br ^a\n^b:\nllvm.return %x : i32", False,
    ),
    "a dead sum in one of two loops without exits": (
        "llvm.cond_br %c, ^a, ^b\n^a:\nllvm.br ^a\n^b:\n%y = llvm.add %x, %x : i32\nllvm.br ^b", True,
    ),
    "not branches that control the branch of a live op": (
        "llvm.cond_br %c, ^a, ^d\n^a:\nllvm.cond_br %d, ^b, ^d\n^b:\nllvm.store %x, %p : i32, !llvm.ptr\nllvm.br ^d\n"
        "^d:\nllvm.return %x : i32", False,
    ),
    "not the op that computes the condition of a live branch": (
        "%k = llvm.icmp \"eq\" %x, %x : i32\nllvm.cond_br %k, ^a, ^b\n^a:\nllvm.store %x, %p : i32, !llvm.ptr\nllvm.br ^b\n"
        "^b:\nllvm.return %x : i32", False,
    ),
    "a branch whose conditional values are dead": (
        "llvm.cond_br %c, ^a, ^b(%x : i32)\n^a:\n%z = llvm.mul %x, %x : i32\nllvm.br ^b(%z : i32)\n"
        "^b(%y: i32):\nllvm.return %x : i32", True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_result(why: str):
    body, expected = CASES[why]
    assert changed(body) == expected


def test_values_of_a_live_branch_are_dead_if_the_argument_is():
    """The condition of the first branch decides only an argument that nothing uses."""
    module = parse_module(
        "llvm.func @f(%c: i1, %d: i1, %x: i32, %p: !llvm.ptr) {\n"
        "llvm.cond_br %d, ^a, ^b\n^a:\nllvm.br ^m(%x : i32)\n^b:\n%z = llvm.mul %x, %x : i32\nllvm.br ^m(%z : i32)\n"
        "^m(%y: i32):\nllvm.cond_br %c, ^s, ^e(%y : i32)\n^s:\nllvm.store %x, %p : i32, !llvm.ptr\n"
        "llvm.br ^e(%x : i32)\n^e(%w: i32):\nllvm.return\n}"
    )
    (function,) = (op for op in module.ops if isinstance(op, FuncOp))
    assert ADCE().run_on_function(function, AnalysisManager())
    module.verify()
    assert str(module).count("llvm.cond_br") == 1
    assert "llvm.mul" not in str(module)
