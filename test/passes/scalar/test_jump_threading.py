"""Edges that `jump-threading` threads, its limits, and the preservation of convergence."""

from __future__ import annotations

import pytest
from helpers.edge_threading import BARRIER, block_named, edges_to, keep_behaviour, keeps, read, run
from helpers.modules import function, parse_module
from helpers.scale import SCALE
from helpers.warp_model import Warp, random_function
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import integers_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.remarks import Remark
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar import jump_threading
from nvvm_xdsl.passes.scalar.dfa_jump_threading import DFAJumpThreading
from nvvm_xdsl.passes.scalar.jump_threading import JumpThreading
from nvvm_xdsl.pipeline.construct import PipelineConfig, construct
from nvvm_xdsl.pipeline.knobs import parse_opt
from nvvm_xdsl.transforms import edge_frequencies
from nvvm_xdsl.transforms.cfg import split_edge
from nvvm_xdsl.transforms.thread_edges import Budget, EdgeThreader


def diamond(
    work: str = "",
    *,
    split: str = '%q = llvm.icmp "slt" %t, %n : i32',
    match: str = "",
    behind: str = "",
    sent: str = "%true",
) -> ModuleOp:
    """A branch that on one edge decides the next branch, after `work`."""
    return read(f"""
      {split}
      llvm.cond_br %q, ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge({sent} : i1)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.br ^merge(%r : i1)
    ^merge(%z: i1):
      {work}
      llvm.cond_br %z, ^match, ^nomatch
    ^match:
      {match}
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^end
    ^nomatch:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      {behind}
      llvm.return""")


def stores(count: int) -> str:
    """Returns this many ops for a copy."""
    return "\n".join(f"llvm.store %c{k % 5}, %p : i32, !llvm.ptr" for k in range(count))


def branch_count(module: ModuleOp) -> int:
    """Returns the number of conditional branches."""
    return sum(op.name == "llvm.cond_br" for op in module.walk())


# Numbers of the cost model.


@pytest.mark.parametrize(("size", "threaded"), [(6, True), (7, False)])
def test_a_block_may_have_6_instructions(size: int, threaded: bool):
    assert run(diamond(stores(size))) is threaded
    assert run(diamond(stores(size)), JumpThreading(jump_threading_threshold=size))
    assert not run(diamond(stores(size)), JumpThreading(jump_threading_threshold=size - 1))


@pytest.mark.parametrize(("count", "threaded"), [(76, True), (77, False)])
def test_a_block_may_have_76_arguments(count: int, threaded: bool):
    names = [f"%x{k}" for k in range(count - 1)]
    types = ", ".join(["i1", *["i32"] * (count - 1)])
    module = read(f"""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^known, ^merge(%q, {", ".join(["%n"] * (count - 1))} : {types})
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%true, {", ".join(["%t"] * (count - 1))} : {types})
    ^merge(%z: i1, {", ".join(f"{n}: i32" for n in names)}):
      llvm.cond_br %z, ^match, ^end
    ^match:
      {"".join(f"llvm.store {n}, %p : i32, !llvm.ptr{chr(10)}" for n in names)}
      llvm.br ^end
    ^end:
      llvm.return""")
    # The other edge is decided by its own branch; otherwise this block would be removed.
    options = JumpThreading(jump_threading_implication_search_threshold=0)
    plain = module.clone()
    assert run(module, options) is threaded
    wider = JumpThreading(
        jump_threading_implication_search_threshold=0, jump_threading_phi_threshold=77
    )
    assert run(plain, wider)


def many_diamonds(count: int, size: int) -> ModuleOp:
    """Returns diamonds in sequence, each of which can be threaded once."""
    parts = ["llvm.br ^start0"]
    for k in range(count):
        parts.append(f"""
        ^start{k}:
          %l{k} = llvm.load volatile %p : !llvm.ptr -> i32
          %q{k} = llvm.icmp "eq" %l{k}, %c1 : i32
          llvm.cond_br %q{k}, ^known{k}, ^open{k}
        ^known{k}:
          llvm.store %n, %p : i32, !llvm.ptr
          llvm.br ^merge{k}(%true : i1)
        ^open{k}:
          %v{k} = llvm.load volatile %p : !llvm.ptr -> i32
          %r{k} = llvm.icmp "eq" %v{k}, %c5 : i32
          llvm.br ^merge{k}(%r{k} : i1)
        ^merge{k}(%z{k}: i1):
          {stores(size)}
          llvm.cond_br %z{k}, ^match{k}, ^start{k + 1}
        ^match{k}:
          llvm.store %c1, %p : i32, !llvm.ptr
          llvm.br ^start{k + 1}""")
    return read("\n".join([*parts, f"^start{count}:", "llvm.return"]))


def threaded_edges(module: ModuleOp) -> int:
    before = jump_threading.THREADED.value
    run(module)
    return jump_threading.THREADED.value - before


def test_each_run_copies_at_most_512_instructions():
    module = many_diamonds(200, 6)
    assert threaded_edges(module) == 512 // 6
    assert threaded_edges(module) == 512 // 6
    assert threaded_edges(module) == 200 - 2 * (512 // 6)


def several_edges(size: int) -> ModuleOp:
    """Three edges with a known successor, and one without."""
    return read(f"""
      llvm.switch %n : i32, ^open [0: ^a, 1: ^b, 2: ^c]
    ^a:
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^merge(%true : i1)
    ^b:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^merge(%true : i1)
    ^c:
      llvm.store %c3, %p : i32, !llvm.ptr
      llvm.br ^merge(%true : i1)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.br ^merge(%r : i1)
    ^merge(%z: i1):
      {stores(size)}
      llvm.cond_br %z, ^match, ^end""")


@pytest.mark.parametrize(
    ("size", "budget", "threaded"), [(5, 2, True), (5, 1, False), (6, 2, True)]
)
def test_the_cost_is_divided_by_the_edges_and_rounded_up(
    size: int, budget: int, threaded: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jump_threading, "BUDGET", budget)
    module = several_edges(size)
    assert run(module) is threaded
    if threaded:
        # One copy for all of them.
        assert edges_to(module, "merge.thread") == 3


def test_a_block_of_a_terminator_alone_is_free(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(jump_threading, "BUDGET", 0)
    assert not run(diamond(stores(1)))
    module = diamond()
    assert run(module, JumpThreading(jump_threading_threshold=0))
    assert edges_to(module, "match") == 2


def test_a_block_without_ops_is_skipped():
    module = diamond()
    region = function(module).regions[0]
    fast.append_block(region, fast.new_block())
    runner = jump_threading._JumpThreader(JumpThreading(), function(module), AnalysisManager())  # pyright: ignore[reportPrivateUsage, reportArgumentType]
    assert region.last_block is not None
    assert not runner._process(region.last_block)  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize(("distance", "threaded"), [(3, True), (4, False)])
def test_implications_are_searched_3_predecessors_up(distance: int, threaded: bool):
    # The chain: the branch that implies, then blocks with branches that do not.
    chain = "".join(
        f"""
      %w{k} = llvm.icmp "ne" %m, %c{k} : i32
      llvm.cond_br %w{k}, ^s{k + 1}, ^end
    ^s{k + 1}:
      llvm.store %c{k}, %p : i32, !llvm.ptr"""
        for k in range(distance - 2)
    )
    module = read(
        f"""
      %q = llvm.icmp "slt" %n, %m : i32
      llvm.cond_br %q, ^s0, ^other
    ^s0:
      {chain}
      llvm.br ^merge
    ^other:
      llvm.store %c5, %p : i32, !llvm.ptr
      %e = llvm.icmp "eq" %m, %c5 : i32
      llvm.cond_br %e, ^merge, ^end
    ^merge:
      %z = llvm.icmp "sle" %n, %m : i32
      llvm.cond_br %z, ^match, ^end""",
        "%n: i32, %p: !llvm.ptr, %m: i32",
    )
    # The block's own edge is from the first predecessor.
    again = module.clone()
    assert run(module) is threaded
    longer = JumpThreading(jump_threading_implication_search_threshold=distance)
    assert run(again, longer)


@pytest.mark.parametrize(("edges", "threaded"), [(3, True), (4, False)])
def test_a_block_of_more_than_3_predecessors_is_not_searched_for_implications(
    edges: int, threaded: bool
):
    ways = "".join(
        f"""
    ^w{k}:
      llvm.store %c{k}, %p : i32, !llvm.ptr
      llvm.br ^merge"""
        for k in range(edges - 1)
    )
    cases = ", ".join(f"{k}: ^w{k}" for k in range(edges - 1))
    module = read(
        f"""
      %q = llvm.icmp "slt" %n, %m : i32
      llvm.cond_br %q, ^yes, ^no
    ^yes:
      llvm.br ^merge
    ^no:
      llvm.switch %t : i32, ^end [{cases}]
      {ways}
    ^merge:
      %z = llvm.icmp "sge" %n, %m : i32
      llvm.cond_br %z, ^match, ^end""",
        "%n: i32, %p: !llvm.ptr, %m: i32",
    )
    assert run(module) is threaded


# Facts about an edge.


@pytest.mark.parametrize("number", ["-1", "1"])
def test_all_ones_is_true(number: str):
    module = diamond(
        split=f'%q = llvm.icmp "slt" %t, %n : i32\n%o = llvm.mlir.constant({number} : i1) : i1',
        sent="%o",
    )
    assert run(module)
    assert edges_to(module, "match") == 2
    assert edges_to(module, "nomatch") == 1


def test_integers_wider_than_64_bits_are_left_alone():
    def wide(bits: int) -> ModuleOp:
        return read(f"""
      %k = llvm.mlir.constant(3 : i{bits}) : i{bits}
      %q = llvm.icmp "slt" %t, %n : i32
      %w = llvm.zext %n : i32 to i{bits}
      llvm.cond_br %q, ^known, ^merge(%w : i{bits})
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%k : i{bits})
    ^merge(%z: i{bits}):
      llvm.switch %z : i{bits}, ^end [3: ^match]""")

    assert run(wide(64))
    assert not run(wide(65))


def test_ranges_on_edges_decide():
    module = read("""
      %q = llvm.icmp "slt" %t, %n : i32
      %small = llvm.and %n, %c3 : i32
      llvm.cond_br %q, ^known, ^merge(%n : i32)
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%small : i32)
    ^merge(%x: i32):
      %y = llvm.add %x, %c1 : i32
      %z = llvm.icmp "ult" %y, %c5 : i32
      llvm.cond_br %z, ^match, ^end
    ^match:
      llvm.store %y, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return""")
    assert run(module)
    assert edges_to(module, "match") == 2


def test_a_condition_of_the_previous_iteration_is_no_fact():
    """The block's own comparison is known on the backedge, but it is computed again there."""
    module = read("""
      llvm.br ^loop
    ^loop:
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      llvm.br ^test
    ^test:
      %w = llvm.load volatile %p : !llvm.ptr -> i32
      %z = llvm.icmp "eq" %w, %c1 : i32
      llvm.cond_br %z, ^round, ^end
    ^round:
      llvm.store %v, %p : i32, !llvm.ptr
      llvm.br ^loop
    ^end:
      llvm.return""")
    assert not run(module, JumpThreading(jump_threading_across_loop_headers=True))
    module = read("""
      llvm.br ^loop
    ^loop:
      %w = llvm.load volatile %p : !llvm.ptr -> i32
      %z = llvm.icmp "eq" %w, %c1 : i32
      llvm.cond_br %z, ^loop, ^end
    ^end:
      llvm.return""")
    assert not run(module, JumpThreading(jump_threading_across_loop_headers=True))


SELECT = """
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^known, ^open
    ^known:
      %e = llvm.icmp "eq" %n, %c5 : i32
      %s = llvm.select %e, %c1, %n : i1, i32
      llvm.br ^merge(%s : i32)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.br ^merge(%v : i32)
    ^merge(%x: i32):
      llvm.switch %x : i32, ^end [1: ^one, 2: ^two]
    ^one:
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^end
    ^two:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return"""


def test_selects_are_unfolded_where_an_arm_decides():
    module = read(SELECT)
    assert run(module)
    assert edges_to(module, "one") == 2
    assert not any(op.name == "llvm.select" for op in module.walk())
    kept = read(SELECT)
    assert not run(kept, JumpThreading(jump_threading_disable_select_unfolding=True))


def test_threading_starts_again_on_change(monkeypatch: pytest.MonkeyPatch):
    """The second block precedes the first, so only another walk finds it."""
    text = """
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^a, ^b
    ^second(%y: i1):
      llvm.cond_br %y, ^match, ^end
    ^a:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^first(%true, %true : i1, i1)
    ^b:
      %r = llvm.icmp "eq" %n, %c5 : i32
      %v = llvm.load %p : !llvm.ptr -> i32
      %u = llvm.load %p : !llvm.ptr -> i32
      %s = llvm.icmp "eq" %u, %c4 : i32
      llvm.br ^first(%r, %s : i1, i1)
    ^first(%z: i1, %w: i1):
      llvm.cond_br %z, ^second(%w : i1), ^end"""
    module = read(text)
    run(module)
    assert edges_to(module, "match") == 2
    monkeypatch.setattr(jump_threading, "MAX_ITERATIONS", 1)
    once = read(text)
    run(once)
    assert edges_to(once, "match") == 1


# Loops.

LOOP = """
      llvm.br ^loop(%true, %c0 : i1, i32)
    ^loop(%z: i1, %i: i32):
      llvm.cond_br %z, ^body, ^other
    ^body:
      llvm.store %i, %p : i32, !llvm.ptr
      llvm.br ^next
    ^other:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^next
    ^next:
      %j = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %j, %n : i32
      %even = llvm.icmp "eq" %j, %c4 : i32
      llvm.cond_br %more, ^loop(%even, %j : i1, i32), ^end
    ^end:
      llvm.return"""


def test_headers_of_loops_are_not_threaded():
    assert not run(read(LOOP))


ACROSS = JumpThreading(jump_threading_across_loop_headers=True)

ENTRIES = """
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^first, ^second
    ^first:
      {first}
    ^second:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^loop(%false, %c1 : i1, i32)
    ^loop(%z: i1, %i: i32):
      llvm.cond_br %z, ^body, ^other
    ^body:
      llvm.store %i, %p : i32, !llvm.ptr
      llvm.br ^next
    ^other:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^next
    ^next:
      %j = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %j, %n : i32
      %even = llvm.icmp "eq" %j, %c4 : i32
      llvm.cond_br %more, ^loop(%even, %j : i1, i32), ^end
    ^end:
      llvm.return"""
"""Returns a loop that is entered from two blocks; the second determines the arm that runs first."""


def test_across_loop_headers_rejects_a_second_entry():
    """One edge past the header of a loop enters its body beside the header."""
    known = "llvm.br ^loop(%true, %c0 : i1, i32)"
    unknown = """%l = llvm.load %p : !llvm.ptr -> i32
      %k = llvm.icmp "eq" %l, %c4 : i32
      llvm.br ^loop(%k, %c0 : i1, i32)"""
    assert run(read(LOOP), ACROSS)
    assert not run(read(ENTRIES.format(first=unknown)), ACROSS)
    assert not run(read(ENTRIES.format(first=known)), ACROSS)


def test_across_loop_headers_rejects_a_second_entry_by_a_select():
    """One arm of a select decides; the edge of its other arm still enters the header."""
    select = """%s = llvm.select %q, %true, %q2 : i1, i1
      llvm.br ^loop(%s, %c0 : i1, i32)"""
    text = LOOP.replace("llvm.br ^loop(%true, %c0 : i1, i32)", select)
    q2 = '%q = llvm.icmp "slt" %t, %n : i32\n%q2 = llvm.icmp "slt" %t, %c5 : i32\n'
    assert not run(read(q2 + text), ACROSS)


def test_across_loop_headers_threads_edges_that_keep_one_entry():
    text = """
      llvm.br ^loop(%c0, %true : i32, i1)
    ^loop(%i: i32, %z: i1):
      llvm.cond_br %z, ^body, ^end
    ^body:
      llvm.store %i, %p : i32, !llvm.ptr
      %j = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^again, ^last
    ^again:
      llvm.br ^loop(%j, %more : i32, i1)
    ^last:
      %k = llvm.load volatile %p : !llvm.ptr -> i32
      %odd = llvm.icmp "eq" %k, %c1 : i32
      llvm.br ^loop(%j, %odd : i32, i1)
    ^end:
      llvm.return"""
    assert not run(read(text))
    assert run(read(text), JumpThreading(jump_threading_across_loop_headers=True))


def test_across_loop_headers_rejects_one_edge_and_threads_another():
    """The edge from ^first would be a second entry. With the one from ^again the header stays the only entry."""
    module = read("""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^first, ^second
    ^first:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^loop(%c0, %true : i32, i1)
    ^second:
      %v = llvm.load volatile %p : !llvm.ptr -> i32
      %s = llvm.icmp "eq" %v, %c1 : i32
      llvm.br ^loop(%c1, %s : i32, i1)
    ^loop(%i: i32, %z: i1):
      llvm.cond_br %z, ^body, ^end
    ^body:
      llvm.store %i, %p : i32, !llvm.ptr
      %j = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^again, ^last
    ^again:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^loop(%j, %true : i32, i1)
    ^last:
      %k = llvm.load volatile %p : !llvm.ptr -> i32
      %odd = llvm.icmp "eq" %k, %c1 : i32
      llvm.br ^loop(%j, %odd : i32, i1)
    ^end:
      llvm.return""")
    assert run(module, ACROSS)
    assert edges_to(module, "loop") == 3


def test_edges_are_not_sent_into_headers():
    text = """
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q, ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%true : i1)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.br ^merge(%r : i1)
    ^merge(%z: i1):
      llvm.cond_br %z, ^loop(%c0 : i32), ^end
    ^loop(%i: i32):
      llvm.store %i, %p : i32, !llvm.ptr
      %j = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^loop(%j : i32), ^end
    ^end:
      llvm.return"""
    module = read(text)
    assert not run(module)
    assert edges_to(module, "loop") == 2


def placed_diamond(place: str) -> ModuleOp:
    """A block of 2 ops that may be threaded, in a loop or after it."""
    inner = f"""
      %q = llvm.icmp "eq" %n, %c3 : i32
      llvm.cond_br %q, ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%true : i1)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.br ^merge(%r : i1)
    ^merge(%z: i1):
      {stores(2)}
      llvm.cond_br %z, ^match, ^{"next" if place == "in" else "end"}
    ^match:
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^{"next" if place == "in" else "end"}"""
    return read(f"""
      llvm.br ^loop(%c0 : i32)
    ^loop(%i: i32):
      {inner if place == "in" else "llvm.br ^next"}
    ^next:
      %j = llvm.add %i, %c1 : i32
      %more = llvm.icmp "slt" %j, %n : i32
      llvm.cond_br %more, ^loop(%j : i32), ^{"behind" if place == "behind" else "end"}
      {"^behind:" + inner if place == "behind" else ""}
    ^end:
      llvm.return""")


@pytest.mark.parametrize("place", ["in", "behind"])
def test_loops_have_thresholds_of_their_own(place: str):
    override = {"in": "loop_threshold", "behind": "dominated_threshold"}
    other = {"in": "dominated_threshold", "behind": "loop_threshold"}
    assert run(placed_diamond(place))
    assert run(placed_diamond(place), JumpThreading(**{other[place]: 0}))
    assert not run(placed_diamond(place), JumpThreading(**{override[place]: 1}))
    assert run(
        placed_diamond(place), JumpThreading(jump_threading_threshold=0, **{override[place]: 2})
    )


# Branch weights.


def shares_of(module: ModuleOp, hint: str) -> list[float]:
    """Returns the branch weights of the block of that name as fractions of their sum."""
    weights = integers_of(block_named(module, hint).last_op.properties["branch_weights"])
    return [weight / sum(weights) for weight in weights]


def weighted(entry: str, merge: str, work: str = "") -> ModuleOp:
    """A diamond of which one arm passes true, with weights of its first and second branch."""
    return read(f"""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q {entry}, ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge(%true : i1)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.br ^merge(%r : i1)
    ^merge(%z: i1):
      {work}
      llvm.cond_br %z {merge}, ^match, ^end""")


@pytest.mark.parametrize("work", ["", "llvm.store %c2, %p : i32, !llvm.ptr"])
@pytest.mark.parametrize(
    ("entry", "merge", "shares"),
    [
        ("[80, 20]", "[91, 9]", [0.55, 0.45]),
        # A weight never becomes negative.
        ("[95, 5]", "[91, 9]", [0, 1]),
        # Both edges have weight zero.
        ("[100, 0]", "[100, 0]", [0.5, 0.5]),
    ],
)
def test_weights_follow_the_threaded_edges(entry: str, merge: str, shares: list[float], work: str):
    module = weighted(f"weights({entry})", f"weights({merge})", work)
    assert run(module)
    assert shares_of(module, "merge") == pytest.approx(shares)


def test_weights_follow_each_group_of_edges():
    module = read("""
      llvm.switch %n : i32, ^open [0: ^merge(%c1 : i32), 1: ^b] {branch_weights = array<i32: 30, 50, 20>}
    ^b:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^merge(%c2 : i32)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      llvm.br ^merge(%v : i32)
    ^merge(%z: i32):
      llvm.switch %z : i32, ^end [1: ^match, 2: ^two] {branch_weights = array<i32: 20, 55, 25>}
    ^two:
      llvm.store %c3, %p : i32, !llvm.ptr
      llvm.br ^end""")
    assert run(module)
    assert edges_to(module, "merge") == 1
    assert shares_of(module, "merge") == pytest.approx([2 / 3, 1 / 6, 1 / 6])


def two_merges(weights: str) -> ModuleOp:
    """The copy of ^first takes its executions from ^second in the same walk."""
    return read(f"""
      %q = llvm.icmp "slt" %t, %n : i32
      llvm.cond_br %q weights([80, 20]), ^known, ^open
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^first(%true, %true : i1, i1)
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      %u = llvm.load %p : !llvm.ptr -> i32
      %s = llvm.icmp "eq" %u, %c4 : i32
      llvm.br ^first(%r, %s : i1, i1)
    ^first(%z: i1, %w: i1):
      llvm.store %c3, %p : i32, !llvm.ptr
      llvm.cond_br %z weights([91, 9]), ^second(%w : i1), ^end
    ^second(%y: i1):
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.cond_br %y {weights}, ^match, ^end""")


def test_weights_of_a_copy_are_those_of_its_edges():
    module = two_merges("weights([90, 10])")
    assert run(module)
    assert shares_of(module, "first") == pytest.approx([0.55, 0.45])
    # 0.91 executions, of which 0.8 are moved, against 0.091 of the other edge.
    assert shares_of(module, "second") == pytest.approx([0.019 / 0.11, 0.091 / 0.11])


def test_a_branch_without_weights_gets_none():
    module = two_merges("")
    assert run(module)
    assert "branch_weights" not in block_named(module, "second").last_op.properties


def test_frequencies_are_not_computed_without_weights(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(edge_frequencies, "BlockFrequency", None)
    assert run(weighted("weights([80, 20])", ""))


# Convergence.

UNIFORM = '%q = llvm.icmp "slt" %n, %c3 : i32'


def test_a_convergent_op_is_not_copied():
    assert run(diamond(stores(1), split=UNIFORM))
    assert not run(diamond(BARRIER, split=UNIFORM))


def test_no_barrier_is_copied_before_the_reconvergence_point():
    assert run(diamond())
    assert not run(diamond(match=BARRIER))
    # After the reconvergence point, and with uniform edges, it does not matter.
    assert run(diamond(behind=BARRIER))
    assert run(diamond(match=BARRIER, split=UNIFORM))


def test_a_uniform_branch_is_no_reconvergence_point():
    """The threads come by different edges, take the same successor, and would run its barrier separately."""
    text = """
      %w = llvm.icmp "slt" %t, %c3 : i32
      llvm.cond_br %w, ^a, ^b
    ^a:
      %q = llvm.icmp "sgt" %n, %c5 : i32
      llvm.cond_br %q, ^known, ^b
    ^known:
      llvm.store %n, %p : i32, !llvm.ptr
      llvm.br ^merge
    ^b:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^merge
    ^merge:
      %z = llvm.icmp "sgt" %n, %c2 : i32
      llvm.cond_br %z, ^match, ^end
    ^match:
      {}
      llvm.store %c3, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return"""
    assert run(read(text.format("")))
    assert not run(read(text.format(BARRIER)))


def test_a_select_on_a_divergent_condition_is_not_unfolded_before_a_barrier():
    def of(condition: str) -> ModuleOp:
        text = SELECT.replace('"eq" %n, %c5', condition).replace('"slt" %t, %n', '"slt" %n, %c3')
        return read(text.replace("^one:", f"^one:\n{BARRIER}"))

    assert run(of('"eq" %n, %c5'))
    assert not run(of('"eq" %t, %c5'))


def test_a_threaded_edge_may_make_another_illegal():
    """Threads that diverge at a branch reconverge at ^m1, or at ^m2 once ^m1 is threaded.

    At ^m2, which a uniform branch in place of ^m1 leads to, its own edges may then not be separated.
    """
    text = f"""
      %d = llvm.icmp "slt" %t, %c3 : i32
      llvm.cond_br %d, ^a, ^b
    ^a:
      llvm.store %c1, %p : i32, !llvm.ptr
      llvm.br ^m1
    ^b:
      %u = llvm.icmp "eq" %n, %c4 : i32
      llvm.cond_br %u, ^b1, ^b2
    ^b1:
      llvm.store %c2, %p : i32, !llvm.ptr
      llvm.br ^m1
    ^b2:
      llvm.store %c3, %p : i32, !llvm.ptr
      llvm.br ^m1
    ^m1:
      %x = llvm.icmp "eq" %n, %c4 : i32
      llvm.cond_br %x, ^s1, ^s2
    ^s1:
      llvm.store %c4, %p : i32, !llvm.ptr
      llvm.br ^m2(%true : i1)
    ^s2:
      %v = llvm.icmp "eq" %n, %c5 : i32
      llvm.br ^m2(%v : i1)
    ^m2(%z: i1):
      llvm.cond_br %z, ^match, ^end
    ^match:
      {BARRIER}
      llvm.br ^end
    ^end:
      llvm.return"""
    module = read(text)
    before = [Warp(function(module), n) for n in range(6)]
    assert run(module)
    assert edges_to(module, "s1") == 2
    for n, old in enumerate(before):
        keeps(old, Warp(function(module), n))


def same_block(selector: str, first: str = "%true", second: str = "%false") -> ModuleOp:
    """A switch with two edges into ^merge, which has one more predecessor.

    A barrier is between ^merge's successors and the end, where threads of the switch reconverge.
    """
    return read(f"""
      %u = llvm.icmp "eq" %n, %c5 : i32
      llvm.cond_br %u, ^pick, ^open
    ^pick:
      llvm.switch {selector} : i32, ^end [0: ^merge({first} : i1), 1: ^merge({second} : i1)]
    ^open:
      %v = llvm.load %p : !llvm.ptr -> i32
      %r = llvm.icmp "eq" %v, %c5 : i32
      llvm.br ^merge(%r : i1)
    ^merge(%z: i1):
      llvm.cond_br %z, ^join(%c1 : i32), ^join(%c2 : i32)
    ^join(%x: i32):
      {BARRIER}
      llvm.store %x, %p : i32, !llvm.ptr
      llvm.br ^end
    ^end:
      llvm.return""")


def test_edges_of_one_divergent_branch_are_not_separated_before_a_barrier():
    """Threads that take different edges of a branch into one block run together from there on."""
    assert not run(same_block("%t"))
    # A uniform branch separates no threads.
    assert run(same_block("%n"))
    # Edges that are threaded together stay together.
    assert run(same_block("%t", second="%true"))


@pytest.mark.parametrize("split", [(0,), (1,), (0, 1)])
def test_a_block_on_an_edge_separates_no_threads(split: tuple[int, ...]):
    """`break-crit-edges` puts blocks on the edges of a branch; the threads must still stay together."""

    def module(selector: str, second: str) -> ModuleOp:
        made = same_block(selector, second=second)
        for terminator in made.walk():
            if terminator.name == "llvm.switch":
                for case in split:
                    split_edge(terminator, 1 + case)
        return made

    assert not run(module("%t", "%false"))
    assert run(module("%n", "%false"))
    assert run(module("%t", "%true"))


@pytest.mark.parametrize("one", [JumpThreading(), ACROSS, DFAJumpThreading()], ids=str)
@pytest.mark.parametrize(
    ("seed", "size", "shared"),
    [
        # Graphs for which threading without a part of the convergence rule separates threads.
        (136942213, 8, False),
        (478, 11, True),
        (500, 9, True),
        (548, 9, True),
        (589, 10, True),
        # A copy of a block that joins edges from inside and outside of a loop.
        (479, 12, False),
        *((seed, 5 + seed % 8, seed % 2 == 1) for seed in range(30 * SCALE)),
    ],
)
def test_random_graphs_preserve_convergence(one: FunctionPass, seed: int, size: int, shared: bool):
    module = parse_module(random_function(seed, size, shared=shared))
    intern_types(module)
    keep_behaviour(module, one)


def test_the_model_detects_violations_of_the_rule(monkeypatch: pytest.MonkeyPatch):
    """Without the rule, threads of some random graphs run a barrier separately."""
    monkeypatch.setattr(ConvergenceRule, "may_part", lambda *_: True)
    module = parse_module(random_function(76, 12))
    intern_types(module)
    before = [Warp(function(module), n) for n in (1, 2)]
    run(module)
    wrong: list[AssertionError] = []
    for n, old in zip((1, 2), before):
        try:
            keeps(old, Warp(function(module), n))
        except AssertionError as error:
            wrong.append(error)
    assert wrong


# Knobs and the pipeline.


def test_ranges_are_printed_on_demand():
    found: list[Remark] = []
    with remarks.listening(found.append):
        run(diamond())
        assert not [r for r in found if r.name == "LVI"]
        run(diamond(), JumpThreading(print_lvi_after_jump_threading=True))
    assert {r.function for r in found} == {"f"}
    lines = [r.message for r in found if r.name == "LVI"]
    assert any(line.startswith("%r in ^open") or line.startswith("%r in open") for line in lines), (
        lines
    )


def test_the_knobs_have_the_documented_defaults():
    one = JumpThreading()
    assert one.jump_threading_threshold == 6
    assert one.jump_threading_implication_search_threshold == 3
    assert one.jump_threading_phi_threshold == 76
    assert one.jump_threading_across_loop_headers is False
    assert one.jump_threading_disable_select_unfolding is False
    assert one.print_lvi_after_jump_threading is False
    assert jump_threading.BUDGET == 512


def test_copies_are_named_after_their_blocks():
    module = diamond(stores(1))
    assert run(module)
    names = {b.name_hint for b in CFG(function(module).regions[0]).blocks}
    assert "merge.thread" in names
    assert not names & {"endblock", "res_block", "loadbb"}


def pipeline(opt: str = "", level: int = 3, language: str = "default") -> str:
    return construct(PipelineConfig(level=level, language=language, options=parse_opt(opt)))


def test_the_pipeline_runs_it_three_times():
    text = pipeline()
    assert text.replace("dfa-jump-threading", "").count("jump-threading") == 3


def test_flags_that_remove_jump_threading():
    assert "jump-threading" not in pipeline("-no-tailcallelim")
    assert "jump-threading" not in pipeline("-disable-JumpThreadingPass")
    assert pipeline("-disable-jump-threading") == pipeline()


def test_dfa_jump_threading_runs_only_if_enabled():
    assert "dfa-jump-threading" not in pipeline()
    assert pipeline("-enable-dfa-jump-thread").count("dfa-jump-threading") == 3


@pytest.mark.parametrize("updates", [0, 1000])
def test_the_dominator_tree_is_kept(updates: int, monkeypatch: pytest.MonkeyPatch):
    """The updated dominator tree equals a newly computed one."""
    monkeypatch.setattr(jump_threading, "MAX_TREE_UPDATES", updates)
    for seed in range(6):
        module = parse_module(random_function(seed, 8))
        intern_types(module)
        runner = jump_threading._JumpThreader(JumpThreading(), function(module), AnalysisManager())  # pyright: ignore[reportPrivateUsage, reportArgumentType]
        runner.run()
        runner.tree.verify()


def test_uses_are_repaired_only_within_the_limit():
    """A block is not copied if too many uses of its values need repair."""
    module = diamond("%w = llvm.add %n, %c1 : i32", match="llvm.store %w, %p : i32, !llvm.ptr")
    func = function(module)
    (merge,) = [b for b in CFG(func.regions[0]).blocks if b.name_hint == "merge"]
    constants = Constants(func)  # pyright: ignore[reportArgumentType]
    assert EdgeThreader(constants, Budget(100)).plan(merge) is not None
    assert EdgeThreader(constants, Budget(1)).plan(merge) is None


def test_edge_queries_are_linear_in_the_function(monkeypatch: pytest.MonkeyPatch):
    """The edge past the first of many tests of one condition is redirected from each to the next."""
    counts: list[int] = []
    way = jump_threading._JumpThreader._taken_successor

    def counted(*arguments, **words):
        counts[-1] += 1
        return way(*arguments, **words)

    monkeypatch.setattr(jump_threading._JumpThreader, "_taken_successor", counted)
    for loops in (100, 200):
        blocks = "".join(
            f"""
            ^test{k}:
              llvm.cond_br %q, ^loop{k}(%c0 : i32), ^test{k + 1}
            ^loop{k}(%i{k}: i32):
              %n{k} = llvm.add %i{k}, %c1 : i32
              llvm.store volatile %n{k}, %p : i32, !llvm.ptr
              %d{k} = llvm.icmp "eq" %n{k}, %n : i32
              llvm.cond_br %d{k}, ^test{k + 1}, ^loop{k}(%n{k} : i32)
            """
            for k in range(loops)
        )
        start = '%q = llvm.icmp "sgt" %n, %c0 : i32\nllvm.br ^test0'
        module = read(f"{start}{blocks}\n^test{loops}:\nllvm.return")
        counts.append(0)
        assert run(module)
    assert counts[1] < 2.5 * counts[0]
