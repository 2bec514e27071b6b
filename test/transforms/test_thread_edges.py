"""Copies of blocks on edges into them."""

from __future__ import annotations

import pytest
from helpers.programs import block_named, parse_function, parse_module
from xdsl.ir import Block, Operation

from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline.debug_records import without_debug_ops
from nvvm_xdsl.transforms.thread_edges import (
    Budget,
    EdgeThreader,
    duplicated_ops,
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
        (
            '"llvm.intr.memset"(%p, %b, %x) <{isVolatile = false}> : (!llvm.ptr, i8, i32) -> ()',
            False,
        ),
        ('"llvm.intr.memset"(%p, %b, %x) <{isVolatile = true}> : (!llvm.ptr, i8, i32) -> ()', True),
        (
            '"llvm.intr.memcpy"(%p, %p, %x) <{isVolatile = true}> : (!llvm.ptr, !llvm.ptr, i32) -> ()',
            True,
        ),
        ("%v = llvm.add %x, %x : i32", False),
        ('%v = llvm.inline_asm "mov $0, $1;", "=r,r" %x : (i32) -> i32', False),
        ('%v = llvm.inline_asm has_side_effects "mov $0, $1;", "=r,r" %x : (i32) -> i32', True),
    ],
)
def test_volatile_and_atomic_accesses_and_assembly_with_effects_are_unique(op: str, unique: bool):
    func = parse_function(f"llvm.func @f(%x: i32, %p: !llvm.ptr, %b: i8) {{\n{op}\nllvm.return\n}}")
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
        ("llvm.call @g() {nvvm.noconvergent} : () -> ()", True),
        ("llvm.call @g() {nvvm.noconvergent, noduplicate} : () -> ()", False),
    ],
)
def test_convergent_ops_allocations_and_unique_labels_are_not_duplicated(op: str, duplicable: bool):
    func = parse_function(f"llvm.func @f(%x: i32) {{\n{op}\nllvm.return\n}}")
    first = func.regions[0].blocks[0].first_op
    assert first is not None
    assert may_be_duplicated(first) is duplicable


def test_constants_debug_records_and_the_terminator_cost_nothing():
    func = parse_function("""
      llvm.func @f(%x: i32) {
        %c = llvm.mlir.constant(1 : i32) : i32
        %v = llvm.add %x, %c : i32
        "llvm.intr.dbg.value"(%v) : (i32) -> ()
        llvm.return
      }""")
    assert [op.name for op in duplicated_ops(func.regions[0].blocks[0])] == ["llvm.add"]


def threaded(text: str, source: str, successor: int | None) -> tuple[Operation, Block]:
    """Threads the edges from a block into ^block; returns the function and the new target."""
    func = parse_function(text)
    threader = EdgeThreader(Constants(func), Budget(100))  # pyright: ignore[reportArgumentType]
    block = block_named(func, "block")
    plan = threader.plan(block)
    assert plan is not None
    edges = [e for e in edges_into(block) if e.source is block_named(func, source)]
    reached = threader.thread(plan, edges, successor)
    verify_function(func)
    return func, reached


DIAMOND = """
llvm.func @f(%a: i1, %b: i1, %x: i32, %y: i32, %p: !llvm.ptr) -> i32 {{
  llvm.cond_br %a, ^one, ^block(%x : i32)
^one:
  llvm.br ^block(%y : i32)
^block(%v: i32):
  {work}
  llvm.cond_br %b, ^then, ^else
^then:
  llvm.return {then} : i32
^else:
  llvm.return {other} : i32
}}
"""

ADD = "%w = llvm.add %v, %v : i32"


@pytest.mark.parametrize(
    ("work", "then", "other", "successor", "copied"),
    [
        # Nothing is needed: the edge leads to the successor.
        ("", "%x", "%x", 0, None),
        (ADD, "%x", "%w", 0, None),
        (ADD, "%w", "%x", 1, None),
        # An effect, a value that is live in the successor, the whole branch.
        ("llvm.store %v, %p : i32, !llvm.ptr", "%x", "%x", 0, ["llvm.store", "llvm.br"]),
        ("", "%v", "%x", 0, ["llvm.br"]),
        (ADD, "%w", "%x", 0, ["llvm.add", "llvm.br"]),
        (f"{ADD}\n%u = llvm.mul %w, %x : i32", "%w", "%x", 0, ["llvm.add", "llvm.br"]),
        (f"{ADD}\n%u = llvm.mul %w, %x : i32", "%u", "%x", 0, ["llvm.add", "llvm.mul", "llvm.br"]),
        ("", "%x", "%x", None, ["llvm.cond_br"]),
        (ADD, "%x", "%w", None, ["llvm.add", "llvm.cond_br"]),
    ],
)
def test_ops_copied_for_a_threaded_edge(
    work: str, then: str, other: str, successor: int | None, copied: list[str] | None
):
    text = DIAMOND.format(work=work, then=then, other=other)
    func, reached = threaded(text, "one", successor)
    if copied is None:
        assert reached is block_named(func, ("then", "else")[successor or 0])
    else:
        assert [op.name for op in reached.ops] == copied
        assert reached.name_hint == "block.thread"
    # A block in which the value is dead gets no argument.
    live = {
        "then": then in ("%v", "%w", "%u") and successor != 1,
        "else": other == "%w" and successor is None,
    }
    for name, is_live in live.items():
        assert len(block_named(func, name).args) == is_live


def test_a_variable_keeps_values_that_other_blocks_use():
    """`%w` is used in other blocks, so that its definitions are known there. `%u` is not."""
    records = "".join(f'"llvm.intr.dbg.value"(%{n}) : (i32) -> ()\n' for n in "wu")
    text = DIAMOND.format(work=f"{ADD}\n%u = llvm.mul %v, %v : i32", then="%w", other="%w")
    text = text.replace("^else:", f"^else:\n{records}").replace("^then:", f"^then:\n{records}")
    module = parse_module(text)
    (func,) = module.ops
    with without_debug_ops(module):
        threader = EdgeThreader(Constants(func), Budget(100))  # pyright: ignore[reportArgumentType]
        block = block_named(func, "block")
        plan = threader.plan(block)
        assert plan is not None
        threader.thread(plan, [e for e in edges_into(block) if e.source.name_hint == "one"], 0)
    then, other = block_named(func, "then"), block_named(func, "else")
    described = {
        b.name_hint: [op.operands[0] for op in b.ops if op.name == "llvm.intr.dbg.value"]
        for b in (then, other)
    }
    w = block_named(func, "block").ops.first.results[0]
    assert described["else"][0] is w
    assert described["then"][0] is then.args[0]
    assert [v.owner.name for values in described.values() for v in values[1:]] == [
        "llvm.mlir.poison"
    ] * 2


def test_a_copy_of_a_block_without_a_name_has_none():
    func = parse_function(DIAMOND.format(work="", then="%v", other="%x"))
    block = block_named(func, "block")
    fast.set_name(block, None)
    threader = EdgeThreader(Constants(func), Budget(100))  # pyright: ignore[reportArgumentType]
    plan = threader.plan(block)
    assert plan is not None
    edges = [e for e in edges_into(block) if e.source is block_named(func, "one")]
    assert threader.thread(plan, edges, 0).name_hint is None


LATER_LOOP = """
llvm.func @f(%a: i1, %b: i1, %x: i32, %y: i32, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %a, ^one, ^block(%x : i32)
^one:
  llvm.br ^block(%y : i32)
^block(%v: i32):
  llvm.store %v, %p : i32, !llvm.ptr
  llvm.cond_br %b, ^loop, ^end
^loop:
  llvm.br ^body
^body:
  llvm.store %v, %p : i32, !llvm.ptr
  %c = llvm.load volatile %p : !llvm.ptr -> i1
  llvm.cond_br %c, ^loop, ^end
^end:
  llvm.return %v : i32
}
"""


def test_block_arguments_are_added_only_at_joins_of_definitions():
    """^loop and ^end join the definitions; ^body, and the edge around the loop, use that of ^loop."""
    func, copy = threaded(LATER_LOOP, "one", 0)
    loop, body, end = (block_named(func, name) for name in ("loop", "body", "end"))
    assert [len(b.args) for b in (loop, body, end)] == [1, 0, 1]
    assert body.ops.first.operands[0] is loop.args[0]
    assert list(body.last_op.operands)[1:] == [loop.args[0], loop.args[0]]
    assert copy.ops.first.operands[0].name_hint == "y"
    assert block_named(func, "block").ops.first.operands[0].name_hint in ("v", "x")


def test_a_definition_reaches_a_loop_without_arguments():
    """Only ^join joins the definitions; both entries of the loop get the value from there."""
    func, _ = threaded(
        """
      llvm.func @f(%a: i1, %b: i1, %x: i32, %y: i32, %p: !llvm.ptr) -> i32 {
        llvm.cond_br %a, ^one, ^block(%x : i32)
      ^one:
        llvm.br ^block(%y : i32)
      ^block(%v: i32):
        llvm.cond_br %b, ^join, ^side
      ^side:
        llvm.br ^join
      ^join:
        llvm.br ^l1
      ^l1:
        llvm.br ^l2
      ^l2:
        llvm.br ^l3
      ^l3:
        llvm.store volatile %v, %p : i32, !llvm.ptr
        %c = llvm.load volatile %p : !llvm.ptr -> i32
        llvm.switch %c : i32, ^end [0: ^l1, 1: ^l2]
      ^end:
        llvm.return %x : i32
      }""",
        "one",
        0,
    )
    counts = {name: len(block_named(func, name).args) for name in ("join", "l1", "l2", "l3")}
    assert counts == {"join": 1, "l1": 0, "l2": 0, "l3": 0}


def test_a_copied_blocks_own_uses_keep_their_definition():
    """^next gets the value of either definition, and ^block a new one after it."""
    func, _ = threaded(
        """
      llvm.func @f(%a: i1, %b: i1, %x: i32, %y: i32, %p: !llvm.ptr) -> i32 {
        llvm.cond_br %a, ^one, ^block(%x : i32)
      ^one:
        llvm.br ^block(%y : i32)
      ^block(%v: i32):
        llvm.store volatile %v, %p : i32, !llvm.ptr
        llvm.cond_br %b, ^next, ^end
      ^next:
        %w = llvm.add %v, %y : i32
        llvm.br ^block(%w : i32)
      ^end:
        llvm.return %x : i32
      }""",
        "one",
        0,
    )
    block, following = block_named(func, "block"), block_named(func, "next")
    assert block.ops.first.operands[0] is block.args[0]
    assert following.ops.first.operands[0] is following.args[0]


@pytest.mark.parametrize(("budget", "fits"), [(0, False), (7, False), (8, True)])
def test_repairs_are_limited(budget: int, fits: bool):
    """A value of ^block is live in three other blocks with five incoming edges."""
    func = parse_function(LATER_LOOP)
    threader = EdgeThreader(Constants(func), Budget(budget))  # pyright: ignore[reportArgumentType]
    assert (threader.plan(block_named(func, "block")) is not None) is fits
