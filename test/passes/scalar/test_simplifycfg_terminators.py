"""Branches and switches on known conditions, and with edges that no thread takes."""

from __future__ import annotations

import pytest
from helpers.evaluation import results
from helpers.programs import parse_function
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import branch_weights_of, integers_of
from nvvm_xdsl.passes.scalar.simplifycfg_terminators import fold_terminator
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import Worklist
from nvvm_xdsl.verify.verifier import verify_function


def function(terminator: str) -> FuncOp:
    """A function of `%x`; `^a` and `^b` return 1 and 2, `^end` its argument, `^never` does not run.

    `%c` is true for `%x` = 1, and `%u` is undefined.
    """
    func = parse_function(f"""
      llvm.func @f(%x: i4, %b: i1) -> i32 {{
        %k1 = llvm.mlir.constant(1 : i32) : i32
        %k2 = llvm.mlir.constant(2 : i32) : i32
        %one = llvm.mlir.constant(1 : i4) : i4
        %seven = llvm.mlir.constant(7 : i4) : i4
        %true = llvm.mlir.constant(true) : i1
        %u = llvm.mlir.undef : i1
        %v = llvm.mlir.undef : i4
        %c = llvm.icmp "eq" %x, %one : i4
        %not = llvm.xor %c, %true : i1
        %xor = llvm.xor %c, %b : i1
        {terminator}
      ^a:
        llvm.return %k1 : i32
      ^b:
        llvm.return %k2 : i32
      ^end(%r: i32):
        llvm.return %r : i32
      ^never:
        llvm.unreachable
      }}""")
    assert isinstance(func, FuncOp)
    return func


def folded(terminator: str) -> str:
    """The terminator afterwards without its values; empty if it is unchanged."""
    func = function(terminator)
    entry = func.regions[0].blocks[0]
    blocks = dict(zip(func.regions[0].blocks, ("entry", "a", "b", "end", "never")))
    old = branches.terminator_of(entry)
    changed = fold_terminator(old, Worklist(func))
    new = branches.terminator_of(entry)
    verify_function(func)
    assert changed or old is new
    targets = [blocks[target] for target, _ in branches.edges_of(new)]
    return f"{new.name.removeprefix('llvm.')} {' '.join(targets)}" if changed else ""


@pytest.mark.parametrize(
    ("terminator", "after"),
    [
        ("llvm.cond_br %true, ^a, ^b", "br a"),
        ("llvm.cond_br %c, ^a, ^b", ""),
        ("llvm.cond_br %u, ^a, ^b", "br b"),
        ("llvm.cond_br %not, ^a, ^b", "cond_br b a"),
        # No negation.
        ("llvm.cond_br %xor, ^a, ^b", ""),
        ("llvm.cond_br %c, ^a, ^a", "br a"),
        ("llvm.cond_br %c, ^end(%k1 : i32), ^end(%k2 : i32)", "br end"),
        ("llvm.cond_br %c, ^never, ^b", "br b"),
        ("llvm.cond_br %c, ^a, ^never", "br a"),
        ("llvm.switch %x : i4, ^a [1: ^b, 2: ^end(%k1 : i32)]", ""),
        ("llvm.switch %seven : i4, ^a [1: ^b, 7: ^end(%k1 : i32)]", "br end"),
        ("llvm.switch %one : i4, ^a [2: ^b, 7: ^end(%k1 : i32)]", "br a"),
        ("llvm.switch %v : i4, ^a [1: ^b, 2: ^end(%k1 : i32)]", "br a"),
        ("llvm.switch %x : i4, ^a [1: ^a, 2: ^a]", "br a"),
        # Only one case is different.
        ("llvm.switch %x : i4, ^a [1: ^a, 2: ^b]", "cond_br b a"),
        # Two cases are different, and another one is not.
        ("llvm.switch %x : i4, ^a [1: ^b, 2: ^a, 3: ^end(%k1 : i32)]", "switch a b end"),
        ("llvm.switch %x : i4, ^a [1: ^b, 2: ^never, 3: ^end(%k1 : i32)]", "switch a b end"),
        # All cases that run are the same, but the default may run too, or two cases are not.
        ("llvm.switch %x : i4, ^never [1: ^b, 2: ^b]", "br b"),
        ("llvm.switch %x : i4, ^a [1: ^b, 2: ^b]", ""),
        ("llvm.switch %x : i4, ^never [1: ^b, 2: ^a]", ""),
        ("llvm.switch %x : i4, ^never [1: ^end(%k1 : i32), 2: ^end(%k2 : i32)]", ""),
    ],
)
def test_edges_that_no_thread_takes_are_removed(terminator: str, after: str):
    assert folded(terminator) == after


@pytest.mark.parametrize(
    "terminator",
    [
        "llvm.cond_br %not, ^a, ^b",
        "llvm.cond_br %c, ^end(%k1 : i32), ^end(%k2 : i32)",
        "llvm.switch %x : i4, ^a [-1: ^a, 2: ^b]",
        "llvm.switch %x : i4, ^a [-1: ^b, 2: ^a, 3: ^end(%k2 : i32)]",
        "llvm.switch %seven : i4, ^a [-1: ^a, 7: ^b]",
    ],
)
def test_a_folded_function_returns_the_same(terminator: str):
    func = function(terminator)
    before = results(func)
    assert fold_terminator(branches.terminator_of(func.regions[0].blocks[0]), Worklist(func))
    assert results(func) == before


@pytest.mark.parametrize("weights", [None, [5, 10, 20, 30]])
def test_the_remaining_cases_keep_their_weights(weights: list[int] | None):
    stated = "" if weights is None else f" {{branch_weights = array<i32: {str(weights)[1:-1]}>}}"
    func = function(f"llvm.switch %x : i4, ^a [1: ^b, 2: ^a, 3: ^end(%k1 : i32)]{stated}")
    entry = func.regions[0].blocks[0]
    assert fold_terminator(branches.terminator_of(entry), Worklist(func))
    found = branch_weights_of(branches.terminator_of(entry))
    assert (None if found is None else list(integers_of(found))) == (weights and [5, 10, 30])
