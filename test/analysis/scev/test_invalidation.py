"""Invalidation of ScalarEvolution drops all dependent facts and no others."""

from __future__ import annotations

import random

import pytest
from helpers.programs import all_values, block_named, parse_function, value_named
from helpers.random_loops import loop_function
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.expressions import NSW, Kind
from nvvm_xdsl.analysis.scev.invalidation import DEEP, SHALLOW
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, using_knobs
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution, _structure
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.types import int_attr
from nvvm_xdsl.ir import fast

SEEDS = 25


def fill(se: ScalarEvolution, func: Operation) -> None:
    """Queries all facts, so that every table is full."""
    for value in all_values(func):
        expression = se.get(value)
        if expression is not se.could_not_compute:
            se.range(expression)
            se.range(expression, signed=True)
    for loop in se.loops.loops():
        se.backedge_taken_count(loop)
        se.predicated_backedge_taken_count(loop)


def closure(func: Operation, values: list[SSAValue]) -> set[SSAValue]:
    """Returns the values and all values computed from them, by the definition."""
    found = set(values)
    while True:
        before = len(found)
        for block in func.regions[0].blocks:
            for op in block.ops:
                if any(v in found for v in op.operands):
                    found.update(op.results)
                for target, brought in edges_of(op) if op.successors else ():
                    found.update(a for a, v in zip(target.args, brought) if v in found)
        if len(found) == before:
            return found


def consequences(se: ScalarEvolution, func: Operation, values: list[SSAValue]) -> set[SSAValue]:
    """Returns `closure`, with the facts about loops that it exits or enters."""
    found = closure(func, values)
    while True:
        branches = [
            b
            for b in func.regions[0].blocks
            if b.last_op.operands and b.last_op.operands[0] in found
        ]
        touched = {
            loop
            for loop in se.loops.loops()
            for b in branches
            if b in loop.exiting_blocks() or se.tree.dominates(b, loop.header)
        }
        counted = [
            v
            for v, e in se.value_exprs.items()
            if any(p.loop in touched for p in e.walk() if p.loop)
        ]
        inside = [v for v in all_values(func) if any(loop.defines(v) for loop in touched)]
        more = closure(func, [*found, *counted, *inside])
        if more == found:
            return found
        found = more


def outermost(loop: Loop) -> Loop:
    while loop.parent is not None:
        loop = loop.parent
    return loop


def assert_fresh(se: ScalarEvolution, func: Operation) -> None:
    """Checks that every cached fact equals that of a new analysis."""
    fresh = AnalysisManager().get(ScalarEvolution, func)
    fill(fresh, func)
    others = {loop.header: loop for loop in fresh.loops.loops()}
    for value, expression in se.value_exprs.items():
        again = fresh.get(value)
        assert _structure(expression) == _structure(again), value.name_hint
        for signed, table in ((False, se.unsigned_ranges), (True, se.signed_ranges)):
            if expression in table:
                assert table[expression] == fresh.range(again, signed=signed), str(expression)
    for loop, (exact, bounds) in se.backedge_taken_counts.items():
        other = others[loop.header]
        assert exact is None or str(exact) == str(fresh.backedge_taken_count(other))
        assert bounds == fresh.bounds_of_count(other)
    for (loop, block), count in se.exit_counts.items():
        assert str(count) == str(fresh.exit_limit(others[loop.header], block))
    for loop, (count, assumed) in se.predicated_backedge_taken_counts.items():
        again, others_assumed = fresh.predicated_backedge_taken_count(others[loop.header])
        assert str(count) == str(again)
        assert [str(e) for _, e in assumed] == [str(e) for _, e in others_assumed]


def change_a_constant(func: Operation, loop: Loop, numbers: random.Random) -> list[SSAValue]:
    """Replaces a constant of the loop; returns the changed ops."""
    constants = [op for block in loop.blocks for op in block.ops if op.name == "llvm.mlir.constant"]
    if not constants:
        return []
    op = numbers.choice(constants)
    op.properties["value"] = int_attr(numbers.choice([1, 2, 3, 4]), op.results[0].type)
    return list(op.results)


@pytest.mark.parametrize("part", range(3))
def test_invalidation_keeps_exactly_the_valid_facts(part: int):
    changed_loops = 0
    for seed in range(part * SEEDS, (part + 1) * SEEDS):
        func = parse_function(loop_function(seed))
        se = AnalysisManager().get(ScalarEvolution, func)
        fill(se, func)
        numbers = random.Random(seed)
        loop = outermost(numbers.choice(list(se.loops.loops())))
        changed = change_a_constant(func, loop, numbers)
        if not changed:
            continue
        changed_loops += 1
        inside = [v for v in all_values(func) if loop.defines(v)]
        dependent = consequences(se, func, inside)
        counts = dict(se.backedge_taken_counts)
        expressions = dict(se.value_exprs)
        se.forget_loop(loop, DEEP)
        for other, count in counts.items():
            tested = {v for b in other.exiting_blocks() for v in b.last_op.operands[:1]}
            if outermost(other) is not loop and tested.isdisjoint(dependent):
                assert se.backedge_taken_counts[other] is count, f"seed {seed}"
        for value, expression in expressions.items():
            if value not in dependent:
                assert se.value_exprs[value] is expression, f"seed {seed}: {value.name_hint}"
            elif loop.defines(value):
                assert value not in se.value_exprs
        assert closure(func, inside).isdisjoint(se.value_exprs)
        assert_fresh(se, func)
        fill(se, func)
        se.verify(strict=True, maps=True)
        assert_fresh(se, func)
    assert changed_loops > SEEDS // 2


@pytest.mark.parametrize("part", range(2))
def test_forgetting_a_value(part: int):
    for seed in range(part * SEEDS, (part + 1) * SEEDS):
        func = parse_function(loop_function(seed))
        se = AnalysisManager().get(ScalarEvolution, func)
        fill(se, func)
        numbers = random.Random(seed)
        value = numbers.choice(
            [v for v in all_values(func) if isinstance(v, OpResult) and v.op.name == "llvm.add"]
            or [None]
        )
        if value is None:
            continue
        before = dict(se.value_exprs)
        dependent, others = closure(func, [value]), consequences(se, func, [value])
        one, two = fast.operands_of(value.op)
        fast.set_operand(value.op, 1, one if one.type == value.type else two)
        se.forget_value(value)
        assert dependent.isdisjoint(se.value_exprs)
        for kept, expression in before.items():
            if kept not in others:
                assert se.value_exprs[kept] is expression
        assert_fresh(se, func)
        fill(se, func)
        se.verify(strict=True, maps=True)


TWO_EXITS = """
llvm.func @f(%n: i32, %c: i1) {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  %k2 = llvm.mlir.constant(2 : i32) : i32
  %k100 = llvm.mlir.constant(100 : i32) : i32
  llvm.br ^first(%k0 : i32)
^first(%i: i32):
  %in = llvm.add %i, %k1 : i32
  %ic = llvm.icmp "ne" %in, %n : i32
  llvm.cond_br %ic, ^first(%in : i32), ^second(%i, %k0 : i32, i32)
^second(%j: i32, %t: i32):
  %jn = llvm.add %j, %k2 : i32
  %jc = llvm.icmp "slt" %jn, %n : i32
  llvm.cond_br %jc, ^rest, ^exit
^rest:
  %tn = llvm.add %t, %k1 : i32
  %tc = llvm.icmp "ne" %tn, %k100 : i32
  llvm.cond_br %tc, ^second(%jn, %tn : i32, i32), ^exit
^exit:
  llvm.return
}
"""


def test_the_bounds_of_other_exits_remain_without_the_assumption():
    """Phase 7 drops the count that assumed a fact about the first loop; the bound of 99 iterations remains."""
    func = parse_function(TWO_EXITS)
    se = AnalysisManager().get(ScalarEvolution, func)
    first = se.loops.loop_for(block_named(func, "first"))
    second = se.loops.loop_for(block_named(func, "second"))
    count, assumed = se.predicated_backedge_taken_count(second)
    assert "%i" in str(count) or "<%first>" in str(count)
    assert assumed
    assert se.backedge_taken_count(second) is se.could_not_compute
    se.backedge_taken_count(first)
    # Shallow: users in the second loop of the first loop's values are not followed.
    se.forget_loop(first, SHALLOW)
    assert second not in se.predicated_backedge_taken_counts
    assert first not in se.backedge_taken_counts
    assert se.backedge_taken_counts[second].bounds.umax() == 99
    assert se.constant_max_backedge_taken_count(second) == 99
    assert_fresh(se, func)


def test_a_thousand_nested_loops_are_forgotten_without_recursion():
    depth = 1010
    lines = ["llvm.func @f(%c: i1) {", "llvm.br ^h0"]
    for n in range(depth):
        lines += [f"^h{n}:", f"llvm.br ^{f'h{n + 1}' if n < depth - 1 else f'l{n}'}"]
    for n in reversed(range(depth)):
        lines += [f"^l{n}:", f"llvm.cond_br %c, ^h{n}, ^{f'l{n - 1}' if n else 'x'}"]
    func = parse_function("\n".join([*lines, "^x:", "llvm.return", "}"]))
    se = AnalysisManager().get(ScalarEvolution, func)
    se.forget_loop(se.loops.top_level[0])
    assert len(se.forgotten_loops) == depth


def test_a_shallow_invalidation_keeps_inner_loops():
    func = parse_function("""
llvm.func @f(%c: i1) {
  llvm.br ^outer
^outer:
  llvm.br ^inner
^inner:
  llvm.cond_br %c, ^inner, ^latch
^latch:
  llvm.cond_br %c, ^outer, ^exit
^exit:
  llvm.return
}
""")
    se = AnalysisManager().get(ScalarEvolution, func)
    (outer,) = se.loops.top_level
    se.forget_loop(outer, SHALLOW)
    assert len(se.forgotten_loops) == 1
    se.forget_loop(outer, DEEP)
    assert len(se.forgotten_loops) == 2


def test_a_bounded_depth_limits_the_followed_users():
    body = "".join(f"%d{n + 1} = llvm.add %d{n}, %k1 : i32\n" for n in range(4))
    text = TWO_EXITS.replace("^exit:\n", f"^exit:\n%d0 = llvm.add %i, %k1 : i32\n{body}")
    for depth, left in ((2, 3), (3, 2), (DEEP, 0)):
        func = parse_function(text)
        se = AnalysisManager().get(ScalarEvolution, func)
        chain = [value_named(func, f"d{n}") for n in range(5)]
        # Values whose expressions refer to the loop are dropped at any depth: these are opaque.
        for value in chain:
            se.value_exprs[value] = se.expressions.unknown(value, 32)
        loop = se.loops.loop_for(block_named(func, "first"))
        se.get(value_named(func, "i"))
        se.forget_loop(loop, depth)
        assert sum(v in se.value_exprs for v in chain) == left


def filled(text: str, **knobs: int) -> tuple[ScalarEvolution, Operation]:
    func = parse_function(text)
    with using_knobs(ScevKnobs(**knobs)):
        se = AnalysisManager().get(ScalarEvolution, func)
    fill(se, func)
    return se, func


def loop_at(se: ScalarEvolution, func: Operation, name: str) -> Loop:
    found = se.loops.loop_for(block_named(func, name))
    assert found is not None
    return found


CHAIN = """
llvm.func @f(%n: i32, %m: i32, %b: i1) {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^first(%k0 : i32)
^first(%i: i32):
  %in = llvm.add %i, %k1 : i32
  %half = llvm.udiv %in, %m : i32
  %ic = llvm.icmp "ult" %half, %n : i32
  llvm.cond_br %ic, ^first(%in : i32), ^between
^between:
  %after = llvm.add %i, %m : i32
  %other = llvm.add %n, %m : i32
  llvm.br ^second(%i : i32)
^second(%j: i32):
  %jn = llvm.add %j, %k1 : i32
  %jc = llvm.icmp "ne" %j, %n : i32
  llvm.cond_br %jc, ^second(%jn : i32), ^third(%k0 : i32)
^third(%t: i32):
  %tn = llvm.add %t, %k1 : i32
  llvm.cond_br %b, ^third(%tn : i32), ^fourth
^fourth:
  %opaque = llvm.xor %half, %m : i32
  %o1 = llvm.trunc %opaque : i32 to i1
  llvm.cond_br %o1, ^fourth, ^fifth
^fifth:
  %k0i1 = llvm.mlir.constant(0 : i1) : i1
  llvm.cond_br %k0i1, ^fifth, ^sixth
^sixth:
  llvm.cond_br %ic, ^sixth, ^exit
^exit:
  llvm.return
}
"""


def test_phase_1b_drops_values_elsewhere_that_refer_to_the_loop():
    se, func = filled(CHAIN)
    after, other = value_named(func, "after"), value_named(func, "other")
    assert "<%first>" in str(se.value_exprs[after])
    loop = loop_at(se, func, "first")
    assert after in se._collect_scope(se._mentioning(loop))
    # Shallow: no user is followed.
    se.forget_loop(loop_at(se, func, "first"), SHALLOW)
    assert after not in se.value_exprs
    assert other in se.value_exprs


def test_phase_2_follows_the_operands_of_exit_conditions():
    se, func = filled(CHAIN)
    first = loop_at(se, func, "first")

    def names(extra: int) -> set[str]:
        return {v.name_hint for v in se._process_exits(first, extra)}

    # The bound and the divisor do not depend on the loop; `in` has a start and a step.
    assert names(0) == {"ic", "half", "in", "i"}
    assert names(1) == {"ic", "half", "in"}
    # The threshold is for loops with two exits.
    assert names(2) == names(1)
    se, func = filled(TWO_EXITS)
    second = loop_at(se, func, "second")
    assert {v.name_hint for v in se._process_exits(second, 1)} == {"jc", "jn", "tc", "tn"}
    assert {v.name_hint for v in se._process_exits(second, 0)} >= {"j", "t"}
    # From the threshold on, loops with two exits are skipped.
    assert se._process_exits(second, 2) == []
    se, func = filled(TWO_EXITS, max_exit_analysis_depth=3)
    assert se._process_exits(loop_at(se, func, "second"), 2) != []
    assert se._process_exits(loop_at(se, func, "second"), 3) == []


def test_phase_4_drops_the_ranges_of_stale_expressions():
    """Ranges of expressions that refer to the loop are dropped, signed and unsigned; others remain."""
    se, func = filled(CHAIN)
    first = loop_at(se, func, "first")
    stale = se._mentioning(first)
    other = se.get(value_named(func, "other"))
    tables = se.unsigned_ranges, se.signed_ranges
    assert all(not stale.isdisjoint(table) and other in table for table in tables)
    se.forget_loop(first, SHALLOW)
    assert all(stale.isdisjoint(table) and other in table for table in tables)


def test_phase_5_drops_counts_that_refer_to_the_loop_or_test_dropped_values():
    se, func = filled(CHAIN)
    first, second, third, fourth, fifth, sixth = (
        loop_at(se, func, name) for name in ("first", "second", "third", "fourth", "fifth", "sixth")
    )
    assert "<%first>" in str(se.backedge_taken_count(second))
    assert se.backedge_taken_count(fourth) is se.could_not_compute
    tables = se.exit_counts, se.backedge_taken_counts, se.predicated_backedge_taken_counts

    def counted(loop: Loop) -> list[bool]:
        return [any(k is loop or k[0] is loop for k in map(_pair, t)) for t in tables]

    # Shallow: the second loop's count refers to the first loop, and the sixth's tests the first's
    # condition, so both are dropped; the fourth's remains.
    se.forget_loop(first, SHALLOW)
    assert [counted(at) for at in (first, second, sixth)] == [[False] * 3] * 3
    assert [counted(at) for at in (third, fourth, fifth)] == [[True] * 3] * 3
    # Deep: the fourth tests a value computed in the first.
    fill(se, func)
    before = se.evictions["exit_counts"]
    se.forget_loop(first)
    assert [counted(at) for at in (first, second, fourth)] == [[False] * 3] * 3
    assert [counted(at) for at in (third, fifth)] == [[True] * 3] * 2
    assert se.evictions["exit_counts"] == before + 4
    # A loop's own count is dropped although it does not refer to the loop and tests a constant.
    assert str(se.backedge_taken_count(fifth)) == "0"
    se.forget_loop(fifth)
    assert counted(fifth) == [False] * 3
    assert counted(third) == [True] * 3


def _pair(key) -> tuple:
    return key if isinstance(key, tuple) else (key,)


def test_phase_7_drops_counts_that_assume_dropped_facts():
    text = """
      llvm.func @f(%n: i32, %m: i32) {
        %k0 = llvm.mlir.constant(0 : i32) : i32
        %k2 = llvm.mlir.constant(2 : i32) : i32
        %s = llvm.add %m, %k2 : i32
        llvm.br ^loop(%k0 : i32)
      ^loop(%i: i32):
        %in = llvm.add %i, %k2 : i32
        %ic = llvm.icmp "slt" %i, %n : i32
        llvm.cond_br %ic, ^loop(%in : i32), ^exit
      ^exit:
        llvm.return
      }
    """
    for name, stays in (("n", False), ("k2", False), ("m", True)):
        se, func = filled(text)
        only = se.loops.top_level[0]
        _, assumed = se.predicated_backedge_taken_counts[only]
        assert assumed
        se.forget_value(value_named(func, name))
        assert (only in se.predicated_backedge_taken_counts) is stays


def test_forget_all_loops_forgets_each():
    se, func = filled(CHAIN)
    loops = set(se.loops.loops())
    assert len(loops) == 6
    se.forget_all_loops()
    assert set(se.forgotten_loops) == loops
    for name in ("i", "in", "j", "jn", "t", "tn", "after"):
        assert value_named(func, name) not in se.value_exprs
    assert value_named(func, "other") in se.value_exprs
    for table in (
        se.exit_counts, se.backedge_taken_counts, se.predicated_backedge_taken_counts,
        se.addrec_folds,
    ):  # fmt: skip
        assert not table


def test_a_loop_is_forgotten_once(monkeypatch: pytest.MonkeyPatch):
    """forget_all_loops visits an inner loop once, together with its parent loop."""
    depth = 6
    lines = ["llvm.func @f(%c: i1) {", "llvm.br ^h0"]
    for n in range(depth):
        lines += [f"^h{n}:", f"llvm.br ^{f'h{n + 1}' if n < depth - 1 else f'l{n}'}"]
    for n in reversed(range(depth)):
        lines += [f"^l{n}:", f"llvm.cond_br %c, ^h{n}, ^{f'l{n - 1}' if n else 'x'}"]
    func = parse_function("\n".join([*lines, "^x:", "llvm.return", "}"]))
    se = AnalysisManager().get(ScalarEvolution, func)
    seen: list[Loop] = []
    collect = ScalarEvolution._collect_block_values

    def counting(self: ScalarEvolution, loop: Loop) -> list[SSAValue]:
        seen.append(loop)
        return collect(self, loop)

    monkeypatch.setattr(ScalarEvolution, "_collect_block_values", counting)
    se.forget_all_loops()
    assert len(seen) == depth


BOUNDED = """
llvm.func @f(%n: i32) {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  %mask = llvm.mlir.constant(7 : i32) : i32
  %bound = llvm.and %n, %mask : i32
  llvm.br ^loop(%k0 : i32)
^loop(%i: i32):
  %wide = llvm.sext %i : i32 to i64
  %in = llvm.add %i, %k1 : i32
  %c = llvm.icmp "ne" %in, %bound : i32
  llvm.cond_br %c, ^loop(%in : i32), ^exit
^exit:
  llvm.return
}
"""


def test_flags_that_a_bound_proved_are_dropped_with_it():
    """Below 8 iterations the counter does not wrap; without the mask it may."""
    text = BOUNDED.replace('"ne"', '"ult"')
    se, func = filled(text)
    i, wide = value_named(func, "i"), value_named(func, "wide")
    assert str(se.value_exprs[wide]) == "{0,+,1}<nsw><%loop>"
    assert se.range(se.get(i)).umax() < 8
    mask = value_named(func, "bound").op
    fast.set_operand(mask, 1, value_named(func, "n"))
    se.forget_value(value_named(func, "bound"))
    assert wide not in se.value_exprs
    fill(se, func)
    assert_fresh(se, func)
    assert se.range(se.get(i)).umax() >= 8
    assert not se.get(i).flags & NSW


def test_flags_that_a_guard_proved_are_dropped_with_it():
    text = """
      llvm.func @f(%n: i32, %m: i32) {
        %k1 = llvm.mlir.constant(1 : i32) : i32
        %g = llvm.icmp "slt" %m, %n : i32
        llvm.cond_br %g, ^pre, ^exit
      ^pre:
        llvm.br ^loop(%m : i32)
      ^loop(%i: i32):
        %wide = llvm.sext %i : i32 to i64
        %in = llvm.add %i, %k1 : i32
        %c = llvm.icmp "slt" %in, %n : i32
        llvm.cond_br %c, ^loop(%in : i32), ^exit
      ^exit:
        llvm.return
      }
    """
    se, func = filled(text)
    wide = value_named(func, "wide")
    assert se.value_exprs[wide].kind is Kind.ADD_REC
    fast.set_operand(value_named(func, "g").op, 0, value_named(func, "k1"))
    se.forget_value(value_named(func, "g"))
    fill(se, func)
    assert_fresh(se, func)
    assert se.value_exprs[wide].kind is Kind.SIGN_EXTEND


def test_flags_that_a_start_value_proved_are_dropped_with_it():
    """The loop's count remains: it does not depend on the start of the second counter."""
    text = """
      llvm.func @f() {
        %k0 = llvm.mlir.constant(0 : i32) : i32
        %k1 = llvm.mlir.constant(1 : i32) : i32
        %k99 = llvm.mlir.constant(99 : i32) : i32
        %t = nvvm.read.ptx.sreg.nctaid.x range <i32, 0, 8> : i32
        llvm.br ^loop(%k0, %t : i32, i32)
      ^loop(%i: i32, %j: i32):
        %wide = llvm.sext %j : i32 to i64
        %in = llvm.add %i, %k1 : i32
        %jn = llvm.add %j, %k1 : i32
        %c = llvm.icmp "ne" %in, %k99 : i32
        llvm.cond_br %c, ^loop(%in, %jn : i32, i32), ^exit
      ^exit:
        llvm.return
      }
    """
    se, func = filled(text)
    wide, t = value_named(func, "wide"), value_named(func, "t")
    only = se.loops.top_level[0]
    count = se.backedge_taken_counts[only]
    assert se.value_exprs[wide].kind is Kind.ADD_REC
    del t.op.properties["range"]
    se.forget_value(t)
    assert se.backedge_taken_counts[only] is count
    fill(se, func)
    assert_fresh(se, func)
    # 2,147,483,647 blocks and 98 more exceed a signed 32-bit integer.
    assert se.value_exprs[wide].kind is not Kind.ADD_REC


def test_flags_of_another_loop_are_dropped_with_the_values_that_proved_them():
    text = """
      llvm.func @f(%n: i32, %b: i1) {
        %k0 = llvm.mlir.constant(0 : i32) : i32
        %k1 = llvm.mlir.constant(1 : i32) : i32
        llvm.br ^first
      ^first:
        %mask = llvm.mlir.constant(7 : i32) : i32
        %bound = llvm.and %n, %mask : i32
        llvm.cond_br %b, ^first, ^between
      ^between:
        llvm.br ^loop(%k0 : i32)
      ^loop(%i: i32):
        %wide = llvm.sext %i : i32 to i64
        %in = llvm.add %i, %k1 : i32
        %c = llvm.icmp "ult" %in, %bound : i32
        llvm.cond_br %c, ^loop(%in : i32), ^exit
      ^exit:
        llvm.return
      }
    """
    se, func = filled(text)
    wide = value_named(func, "wide")
    assert se.value_exprs[wide].kind is Kind.ADD_REC
    fast.set_operand(value_named(func, "bound").op, 1, value_named(func, "n"))
    se.forget_loop(loop_at(se, func, "first"))
    fill(se, func)
    assert_fresh(se, func)
    assert se.value_exprs[wide].kind is Kind.SIGN_EXTEND
