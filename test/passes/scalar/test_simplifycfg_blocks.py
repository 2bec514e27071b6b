"""Blocks that `simplifycfg` speculates, skips and merges, and the conditions for that."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from helpers.evaluation import results
from helpers.programs import block_named, parse_function
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.passes.scalar import simplifycfg_empty_blocks
from nvvm_xdsl.passes.scalar.simplifycfg_common_target import merge_branches
from nvvm_xdsl.passes.scalar.simplifycfg_empty_blocks import EmptyBlocks
from nvvm_xdsl.passes.scalar.simplifycfg_known_edges import redirect_known_edges
from nvvm_xdsl.passes.scalar.simplifycfg_selects import speculate
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import Worklist
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.verify.verifier import verify_function


def function(body: str) -> FuncOp:
    """A function of `%x` with `%a`, true for 1, `%b`, true below 3, and constants `%k0` to `%k9`."""
    constants = "".join(f"%k{k} = llvm.mlir.constant({k} : i32) : i32\n" for k in range(10))
    truths = "".join(f"%{word} = llvm.mlir.constant({word}) : i1\n" for word in ("true", "false"))
    func = parse_function(f"""
      llvm.func @g()
      llvm.func @f(%x: i4, %p: !llvm.ptr, %y: i32) -> i32 {{
        {constants}{truths}
        %c1 = llvm.mlir.constant(1 : i4) : i4
        %c3 = llvm.mlir.constant(3 : i4) : i4
        %a = llvm.icmp "eq" %x, %c1 : i4
        %b = llvm.icmp "ult" %x, %c3 : i4
        {body}
      }}""")
    assert isinstance(func, FuncOp)
    return func


def changes(func: FuncOp, change: Callable[[FuncOp, Worklist], bool]) -> bool:
    """Applies a change; the function must then be valid and return the same for each `%x`."""
    before = results(func)
    old = str(func)
    changed = change(func, Worklist(func))
    assert changed == (str(func) != old)
    cfg.remove_unreachable_blocks(func.regions[0])
    verify_function(func)
    assert results(func) == before
    return changed


# Selects.


def triangle(
    *,
    first: str = "llvm.br ^start",
    entry: str = "llvm.cond_br %a, ^arm, ^end(%k1 : i32)",
    work: str = "%w = llvm.add %y, %k1 : i32",
    leave: str = "llvm.br ^end(%k2 : i32)",
    arguments: str = "",
    more: str = "",
) -> FuncOp:
    """A branch around a block; `entry` and `leave` end the two blocks."""
    return function(f"""
        {first}
      ^start:
        {entry}
      ^arm{arguments}:
        {work}
        {leave}
        {more}
      ^end(%r: i32):
        llvm.return %r : i32""")


DIAMOND = {
    "entry": "llvm.cond_br %a, ^arm, ^other",
    "more": "^other:\n%v = llvm.sub %y, %k1 : i32\nllvm.br ^end(%k3 : i32)",
}


@pytest.mark.parametrize(
    ("parts", "changed"),
    [
        ({}, True),
        ({"entry": "llvm.cond_br %a, ^end(%k1 : i32), ^arm"}, True),
        (DIAMOND, True),
        ({"work": "llvm.store %y, %p : i32, !llvm.ptr"}, False),
        ({"work": "%w = llvm.udiv %k1, %y : i32"}, False),
        # Too many ops in both arms together, and too many selects.
        ({"work": "\n".join(f"%w{k} = llvm.add %y, %k{k} : i32" for k in range(3))}, False),
        (DIAMOND | {"work": "%w = llvm.add %y, %k1 : i32\n%u = llvm.mul %y, %k3 : i32"}, False),
        # The arm has arguments, another edge, a branch, or is a loop.
        (
            {
                "entry": "llvm.cond_br %a, ^arm(%k4 : i32), ^end(%k1 : i32)",
                "arguments": "(%z: i32)",
            },
            False,
        ),
        ({"first": "llvm.cond_br %b, ^start, ^arm"}, False),
        ({"leave": "llvm.cond_br %b, ^end(%k2 : i32), ^end(%k3 : i32)"}, False),
        (
            DIAMOND
            | {
                "more": "^other:\nllvm.br ^last\n^last:\nllvm.return %k5 : i32",
            },
            False,
        ),
        (DIAMOND | {"leave": "llvm.cond_br %b, ^other, ^end(%k2 : i32)"}, False),
    ],
)
def test_arms_become_selects(parts: dict[str, str], changed: bool):
    """Two ops and two selects are allowed."""
    func = triangle(**parts)
    block = block_named(func, "start")
    assert changes(func, lambda _, work: speculate(block, work, 2)) is changed


@pytest.mark.parametrize(
    ("entry", "leave"),
    [
        ("llvm.cond_br %a, ^arm, ^end(%k1 : i32)", "llvm.br ^start"),
        ("llvm.cond_br %a, ^arm, ^end(%k1 : i32)", "llvm.br ^arm"),
        ("llvm.cond_br %a, ^arm, ^start", "llvm.br ^start"),
    ],
)
def test_the_body_of_a_loop_is_no_arm(entry: str, leave: str):
    func = triangle(entry=entry, leave=leave)
    assert not speculate(block_named(func, "start"), Worklist(func), 2)


@pytest.mark.parametrize(("selects", "changed"), [(2, True), (3, False)])
def test_the_number_of_selects_is_limited(selects: int, changed: bool):
    types = ", ".join(["i32"] * selects)
    func = function(f"""
        llvm.cond_br %a, ^arm, ^end({", ".join(["%k1"] * selects)} : {types})
      ^arm:
        llvm.br ^end({", ".join(["%k2"] * selects)} : {types})
      ^end({", ".join(f"%r{k}: i32" for k in range(selects))}):
        llvm.return %r0 : i32""")
    block = block_named(func, "entry")
    assert changes(func, lambda _, work: speculate(block, work, 2)) is changed


# Edges with a known condition.

LOOP = "{loop_annotation = #llvm.loop_annotation<disableNonforced = true>}"


def decided(
    *,
    sources: str = "llvm.cond_br %a, ^one, ^two",
    one: str = "llvm.br ^decide(%true, %k1 : i1, i32)",
    two: str = "llvm.br ^decide(%b, %k2 : i1, i32)",
    work: str = "",
    branch: str = "llvm.cond_br %z, ^end(%v : i32), ^other",
    other: str = "llvm.br ^end(%k3 : i32)",
) -> FuncOp:
    """^decide branches on an argument, which is true if entered from ^one."""
    return function(f"""
        {sources}
      ^one:
        {one}
      ^two:
        {two}
      ^decide(%z: i1, %v: i32):
        {work}
        {branch}
      ^other:
        {other}
      ^end(%r: i32):
        llvm.return %r : i32""")


@pytest.mark.parametrize(
    ("parts", "changed"),
    [
        ({}, True),
        ({"one": "llvm.br ^decide(%false, %k1 : i1, i32)"}, True),
        ({"one": "llvm.cond_br %b, ^decide(%true, %k1 : i1, i32), ^other"}, True),
        ({"two": "llvm.br ^decide(%false, %k2 : i1, i32)"}, True),
        ({"one": "llvm.cond_br %b, ^other, ^decide(%true, %k1 : i1, i32)"}, True),
        # Threads could run the barrier separately.
        ({"other": "nvvm.barrier0\nllvm.br ^end(%k3 : i32)"}, False),
        ({"one": "llvm.br ^decide(%b, %k1 : i1, i32)"}, False),
        ({"branch": "llvm.cond_br %b, ^end(%v : i32), ^other"}, False),
        ({"branch": "llvm.br ^end(%v : i32)"}, False),
        ({"work": "llvm.store %y, %p : i32, !llvm.ptr"}, False),
        # Another block uses the argument.
        ({"other": "llvm.br ^end(%v : i32)"}, False),
        # An edge of a switch, or of a branch that would need more than two selects.
        (
            {
                "sources": "llvm.switch %x : i4, ^two [1: ^decide(%true, %k1 : i1, i32)]",
                "one": "llvm.br ^two",
            },
            False,
        ),
        # Annotations of loops.
        ({"branch": f"llvm.cond_br %z, ^end(%v : i32), ^other {LOOP}"}, False),
        ({"one": f"llvm.br ^decide(%true, %k1 : i1, i32) {LOOP}"}, False),
    ],
)
def test_edges_with_a_constant_are_redirected(parts: dict[str, str], changed: bool):
    func = decided(**parts)
    assert changes(func, lambda f, work: redirect_known_edges(f, work, 2)) is changed  # pyright: ignore[reportArgumentType]


def test_edges_into_a_loop_are_kept():
    """^decide is the header of a loop, or its own successor."""
    func = decided(other="llvm.cond_br %b, ^decide(%true, %k4 : i1, i32), ^end(%k3 : i32)")
    assert not redirect_known_edges(func, Worklist(func), 2)
    func = decided(branch="llvm.cond_br %z, ^end(%v : i32), ^decide(%b, %v : i1, i32)")
    assert not redirect_known_edges(func, Worklist(func), 2)


def test_an_unreachable_block_is_no_decision():
    func = decided(sources="llvm.br ^other")
    assert not redirect_known_edges(func, Worklist(func), 2)


def test_the_number_of_selects_on_redirected_edges_is_limited():
    func = decided(one="llvm.cond_br %b, ^decide(%true, %k1 : i1, i32), ^end(%k7 : i32)")
    assert not redirect_known_edges(func, Worklist(func), 0)
    assert redirect_known_edges(func, Worklist(func), 1)


def test_edges_of_a_switch_are_kept():
    func = decided(sources="llvm.switch %x : i4, ^two [1: ^decide(%true, %k1 : i1, i32), 2: ^one]")
    assert changes(func, lambda f, work: redirect_known_edges(f, work, 2))  # pyright: ignore[reportArgumentType]
    assert block_named(func, "decide") in block_named(func, "entry").last_op.successors


# Empty blocks.


def skipped(
    *,
    sources: str = "llvm.cond_br %a, ^empty(%k1 : i32), ^two",
    two: str = "llvm.br ^empty(%k2 : i32)",
    work: str = "",
    leave: str = "llvm.br ^end(%v : i32)",
    last: str = "llvm.return %r : i32",
) -> FuncOp:
    """^empty passes its argument on."""
    return function(f"""
        {sources}
      ^two:
        {two}
      ^empty(%v: i32):
        {work}
        {leave}
      ^end(%r: i32):
        {last}""")


@pytest.mark.parametrize(
    ("parts", "changed"),
    [
        ({}, True),
        ({"leave": "llvm.br ^end(%k5 : i32)"}, True),
        ({"work": "llvm.store %y, %p : i32, !llvm.ptr"}, False),
        # The argument is used elsewhere, or the source cannot select between the edges.
        ({"last": "%q = llvm.add %r, %v : i32\nllvm.return %q : i32",
          "sources": "llvm.br ^empty(%k1 : i32)", "two": "llvm.br ^two"}, False),
        ({"sources": "llvm.switch %x : i4, ^two [1: ^empty(%k1 : i32), 2: ^empty(%k2 : i32)]"}, False),
        ({"sources": "llvm.switch %x : i4, ^two [1: ^empty(%k1 : i32), 2: ^empty(%k1 : i32)]"}, True),
        ({"sources": "llvm.cond_br %a, ^empty(%k1 : i32), ^end(%k4 : i32)"}, True),
        ({"two": f"llvm.br ^empty(%k2 : i32) {LOOP}"}, True),
        # Only one annotation of a loop can be kept.
        ({"leave": f"llvm.br ^end(%v : i32) {LOOP}"}, True),
        ({"leave": f"llvm.br ^end(%v : i32) {LOOP}", "two": f"llvm.br ^empty(%k2 : i32) {LOOP}"}, False),
    ],
)  # fmt: skip
def test_edges_are_redirected_past_empty_blocks(parts: dict[str, str], changed: bool):
    func = skipped(**parts)
    block = block_named(func, "empty")
    annotations = str(func).count("disableNonforced")
    made = changes(func, lambda f, work: EmptyBlocks(f, work, True, 2).skip(block))  # pyright: ignore[reportArgumentType]
    assert made is changed
    assert (str(func).count("disableNonforced") >= annotations) or "leave" in parts


def test_an_entry_and_an_endless_loop_are_kept():
    func = parse_function("""
      llvm.func @f(%x: i32) -> i32 {
        llvm.br ^end(%x : i32)
      ^loop:
        llvm.br ^loop
      ^end(%r: i32):
        llvm.return %r : i32
      }""")
    assert isinstance(func, FuncOp)
    empty = EmptyBlocks(func, Worklist(func), True, 2)
    assert not empty.skip(block_named(func, "entry"))
    assert not empty.skip(block_named(func, "loop"))


@pytest.mark.parametrize(
    ("ways", "keep_loops", "changed"), [(2, True, False), (2, False, True), (1, True, True)]
)
def test_a_single_latch_of_several_edges_is_kept(ways: int, keep_loops: bool, changed: bool):
    other = "^latch" if ways == 2 else "^end"
    func = function(f"""
        llvm.br ^header
      ^header:
        llvm.cond_br %a, ^one, ^end
      ^one:
        llvm.store volatile %y, %p : i32, !llvm.ptr
        llvm.cond_br %b, ^latch, ^two
      ^two:
        llvm.store volatile %y, %p : i32, !llvm.ptr
        llvm.cond_br %a, {other}, ^end
      ^latch:
        llvm.br ^header
      ^end:
        llvm.return %y : i32""")
    empty = EmptyBlocks(func, Worklist(func), keep_loops, 2)
    assert empty.skip(block_named(func, "latch")) is changed


def test_edges_of_large_switches_are_redirected_in_one_pass(monkeypatch: pytest.MonkeyPatch):
    """Edges of a large switch are kept; of two empty blocks with many sources the second is first."""
    func = skipped()
    block = block_named(func, "empty")
    monkeypatch.setattr(simplifycfg_empty_blocks, "MANY_EDGES", 1)
    assert not EmptyBlocks(func, Worklist(func), True, 2).skip(block)
    monkeypatch.undo()
    monkeypatch.setattr(simplifycfg_empty_blocks, "MANY_SOURCES", 1)
    assert EmptyBlocks(func, Worklist(func), True, 2).skip(block)
    func = skipped(leave="llvm.br ^next(%v : i32)\n^next(%w: i32):\nllvm.br ^end(%w : i32)")
    empty = EmptyBlocks(func, Worklist(func), True, 2)
    assert not empty.skip(block_named(func, "empty"))
    assert empty.skip(block_named(func, "empty"))


# Branches to a common target.


INNER = "llvm.cond_br %b, ^end(%k2 : i32), ^end(%k1 : i32)"
TESTED = '%w = llvm.add %y, %k1 : i32\n%t = llvm.icmp "eq" %w, %k2 : i32'


def nested(
    *,
    outer: str = "llvm.cond_br %a, ^inner, ^end(%k1 : i32)",
    work: str = "%w = llvm.add %y, %k1 : i32",
    inner: str = INNER,
    more: str = "",
    arguments: str = "",
) -> FuncOp:
    """Two branches that may both lead to ^end with 1."""
    return function(f"""
        {outer}
      ^inner{arguments}:
        {work}
        {inner}
      {more}
      ^end(%r: i32):
        llvm.return %r : i32""")


@pytest.mark.parametrize(
    ("parts", "changed"),
    [
        ({}, True),
        ({"outer": "llvm.cond_br %a, ^end(%k1 : i32), ^inner"}, True),
        ({"inner": "llvm.cond_br %b, ^end(%k1 : i32), ^end(%k2 : i32)"}, True),
        ({"inner": "llvm.cond_br %b, ^end(%k2 : i32), ^end(%k3 : i32)"}, False),
        ({"work": "llvm.store %y, %p : i32, !llvm.ptr"}, False),
        ({"work": "%w = llvm.udiv %k1, %y : i32"}, False),
        ({"work": "%w = llvm.add %y, %k1 : i32\n%u = llvm.add %y, %k2 : i32"}, False),
        # The comparisons of the condition are no additional ops.
        ({"work": TESTED, "inner": INNER.replace("%b", "%t")}, True),
        ({"work": f"{TESTED}\n%s = llvm.or %t, %a : i1", "inner": INNER.replace("%b", "%s")}, True),
        ({"work": TESTED}, False),
        (
            {"work": f"{TESTED}\n%s = llvm.add %t, %a : i1", "inner": INNER.replace("%b", "%s")},
            False,
        ),
        # Another edge to the inner block.
        (
            {
                "outer": "llvm.cond_br %a, ^inner, ^o",
                "more": "^o:\nllvm.cond_br %b, ^inner, ^end(%k1 : i32)",
            },
            False,
        ),
        ({"outer": "llvm.switch %x : i4, ^end(%k1 : i32) [1: ^inner]"}, False),
        ({"outer": "llvm.br ^inner"}, False),
        (
            {
                "outer": "llvm.cond_br %a, ^inner(%k4 : i32), ^end(%k1 : i32)",
                "arguments": "(%v: i32)",
            },
            False,
        ),
    ],
)
def test_branches_to_a_common_target_are_merged(parts: dict[str, str], changed: bool):
    func = nested(**parts)
    block = block_named(func, "inner")
    assert changes(func, lambda _, work: merge_branches(block, work, 1, None)) is changed


def test_an_unreachable_loop_is_not_merged():
    func = nested(more="^o:\nllvm.cond_br %a, ^o, ^end(%k1 : i32)")
    assert not merge_branches(block_named(func, "o"), Worklist(func), 1, None)


def test_each_op_of_a_merged_block_is_cheap():
    func = nested(work="%w = llvm.udiv %y, %k3 : i32")
    assert speculation_cost(block_named(func, "inner").first_op) > 1
    assert not merge_branches(block_named(func, "inner"), Worklist(func), 9, None)


@pytest.mark.parametrize("merged", [True, False])
def test_both_branches_must_permit_the_merge(merged: bool):
    func = nested()
    block = block_named(func, "inner")
    outer = block_named(func, "entry").last_op
    permitted = (lambda _: True) if merged else (lambda op: op is not outer)
    assert merge_branches(block, Worklist(func), 1, permitted) is merged
