"""Copies of blocks on edges into them."""

from __future__ import annotations

import pytest
from helpers.programs import block_named, parse_function

from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.transforms.thread_edges import (
    Budget,
    EdgeThreader,
    edges_into,
    is_unique_access,
    may_be_duplicated,
)
from nvvm_xdsl.verify.verifier import verify_function

TWO_SUCCESSORS = """
llvm.func @f(%a: i1, %b: i1, %x: i32, %y: i32) -> i32 {
  llvm.cond_br %a, ^one, ^block(%x : i32)
^one:
  llvm.br ^block(%y : i32)
^block(%v: i32):
  llvm.cond_br %b, ^then, ^join
^then:
  llvm.cond_br %a, ^join, ^end(%v : i32)
^join:
  llvm.return %v : i32
^end(%r: i32):
  llvm.return %r : i32
}
"""


def test_a_branch_passes_a_value_to_one_successor_and_uses_another_in_the_next():
    func = parse_function(TWO_SUCCESSORS)
    threader = EdgeThreader(Constants(func), Budget(100))  # pyright: ignore[reportArgumentType]
    block = block_named(func, "block")
    plan = threader.plan(block)
    assert plan is not None
    edges = [e for e in edges_into(block) if e.source is block_named(func, "one")]
    threader.thread(plan, edges, None)
    verify_function(func)
    then = block_named(func, "then")
    assert list(then.last_op.operands[1:]) == [then.args[0], then.args[0]]


SAME_VALUE_ON_BOTH_EDGES = """
llvm.func @f(%a: i1, %b: i1, %n: i32, %m: i32) -> i32 {
  llvm.cond_br %a, ^one, ^block(%n, %m : i32, i32)
^one:
  llvm.br ^block(%m, %n : i32, i32)
^block(%y: i32, %x: i32):
  llvm.cond_br %b, ^then, ^join(%x : i32)
^then:
  llvm.br ^join(%x : i32)
^join(%u: i32):
  %r = llvm.sub %u, %y : i32
  llvm.return %r : i32
}
"""


def test_an_argument_is_replaced_after_its_uses_are_repaired():
    """`%u` equals `%x`, which is used in ^join only after the replacement."""
    func = parse_function(SAME_VALUE_ON_BOTH_EDGES)
    threader = EdgeThreader(Constants(func), Budget(100))  # pyright: ignore[reportArgumentType]
    block = block_named(func, "block")
    plan = threader.plan(block)
    assert plan is not None
    edges = [e for e in edges_into(block) if e.source is block_named(func, "one")]
    threader.thread(plan, edges, 0)
    verify_function(func)


@pytest.mark.parametrize(
    ("op", "unique"),
    [
        ("llvm.store %x, %p : i32, !llvm.ptr", False),
        ("llvm.store volatile %x, %p : i32, !llvm.ptr", True),
        ("%v = llvm.load volatile %p : !llvm.ptr -> i32", True),
        ("%v = llvm.load %p atomic monotonic {alignment = 4 : i64} : !llvm.ptr -> i32", True),
        ("%v = llvm.atomicrmw add %p, %x monotonic : !llvm.ptr, i32", True),
        ("%v = llvm.cmpxchg %p, %x, %x monotonic monotonic : !llvm.ptr, i32", True),
        ('%v = llvm.inline_asm "mov $0, $1;", "=r,r" %x : (i32) -> i32', False),
        ('%v = llvm.inline_asm has_side_effects "mov $0, $1;", "=r,r" %x : (i32) -> i32', True),
    ],
)
def test_volatile_and_atomic_accesses_and_assembly_with_effects_are_unique(op: str, unique: bool):
    func = parse_function(f"llvm.func @f(%x: i32, %p: !llvm.ptr) {{\n{op}\nllvm.return\n}}")
    first = func.regions[0].blocks[0].first_op
    assert first is not None
    assert is_unique_access(first) is unique


@pytest.mark.parametrize(
    ("op", "duplicable"),
    [
        ("%v = llvm.add %x, %x : i32", True),
        ("nvvm.barrier0", False),
        ("%v = llvm.alloca %x x i32 : (i32) -> !llvm.ptr", False),
        ("llvm.blocktag <id = 1>", False),
    ],
)
def test_convergent_ops_allocations_and_unique_labels_are_not_duplicated(op: str, duplicable: bool):
    func = parse_function(f"llvm.func @f(%x: i32) {{\n{op}\nllvm.return\n}}")
    first = func.regions[0].blocks[0].first_op
    assert first is not None
    assert may_be_duplicated(first) is duplicable
