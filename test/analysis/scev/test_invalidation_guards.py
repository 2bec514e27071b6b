"""Conditions in the phases of `forgetLoop` and in `forgetValue` (document 003), one test each."""

from __future__ import annotations

import pytest
from helpers.programs import block_named, parse_function, value_named
from xdsl.ir import Operation

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.invalidation import DEEP, SHALLOW
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.ir import fast

TEXT = """
llvm.func @f(%n: i32, %m: i32, %x: f32) {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^first(%k0, %x : i32, f32)
^first(%i: i32, %a: f32):
  %b = llvm.fadd %a, %x : f32
  %in = llvm.add %i, %k1 : i32
  %ic = llvm.icmp "ult" %in, %n : i32
  llvm.cond_br %ic, ^first(%in, %b : i32, f32), ^between
^between:
  %after = llvm.fptosi %b : f32 to i32
  %other = llvm.add %after, %m : i32
  llvm.br ^middle(%m, %n, %m : i32, i32, i32)
^middle(%u: i32, %v: i32, %w: i32):
  llvm.br ^second(%k0 : i32)
^second(%j: i32):
  %jn = llvm.add %j, %k1 : i32
  %jw = llvm.sext %j : i32 to i64
  llvm.cond_br %ic, ^second(%jn : i32), ^exit
^exit:
  llvm.return
}
"""


def analysed(text: str, *names: str) -> tuple[ScalarEvolution, Operation]:
    """A scalar evolution with the expressions and ranges of the named values."""
    func = parse_function(text)
    se = AnalysisManager().get(ScalarEvolution, func)
    for name in names:
        found = se.get(value_named(func, name))
        se.range(found)
        se.range(found, signed=True)
    return se, func


def loop_at(se: ScalarEvolution, func: Operation, name: str) -> Loop:
    found = se.loops.loop_for(block_named(func, name))
    assert found is not None
    return found


def kept(se: ScalarEvolution, func: Operation, *names: str) -> list[str]:
    return [name for name in names if value_named(func, name) in se.value_exprs]


def test_phase_1_collects_only_values_with_expressions():
    """Values without one have no dependent facts: the integer made of a float stays valid."""
    se, func = analysed(TEXT, "i", "in", "after", "other")
    first = loop_at(se, func, "first")
    found = {v.name_hint for v in se._collect_block_values(first)}
    assert found == {"i", "in"}
    se.forget_loop(first)
    assert kept(se, func, "i", "in", "after", "other") == ["after", "other"]


def test_phase_1b_collects_erased_values():
    """An op and a block argument that no longer exist, outside of the forgotten loop."""
    se, func = analysed(TEXT, "i", "u", "v", "w", "jw")
    gone = [value_named(func, name) for name in ("jw", "u", "w")]
    left = value_named(func, "v")
    fast.erase(value_named(func, "jw").op)
    fast.set_operands(block_named(func, "between").last_op, [value_named(func, "n")])
    # The first and the last of three arguments.
    fast.erase_argument(block_named(func, "middle"), 2)
    fast.erase_argument(block_named(func, "middle"), 0)
    assert set(gone) <= se.value_exprs.keys()
    se.forget_loop(loop_at(se, func, "first"), SHALLOW)
    assert se.value_exprs.keys().isdisjoint(gone)
    assert left in se.value_exprs


def test_a_shallow_invalidation_keeps_recurrences_of_loops_that_test_its_values():
    """The count of the second loop is dropped, but not its recurrences."""
    for depth, expected in ((SHALLOW, ["j", "jn"]), (DEEP, [])):
        se, func = analysed(TEXT, "i", "ic", "j", "jn")
        second = loop_at(se, func, "second")
        se.backedge_taken_count(second)
        se.forget_loop(loop_at(se, func, "first"), depth)
        assert second not in se.backedge_taken_counts
        assert kept(se, func, "j", "jn") == expected


STRAIGHT = """
llvm.func @f(%n: i32, %m: i32) {
  %k7 = llvm.mlir.constant(7 : i32) : i32
  %sum = llvm.add %n, %m : i32
  %wide = llvm.zext %sum : i32 to i64
  %half = llvm.udiv %sum, %k7 : i32
  %twice = llvm.add %n, %n : i32
  llvm.return
}
"""


def has_range(se: ScalarEvolution, expression: Scev) -> bool:
    return expression in se.unsigned_ranges


def test_phase_4_drops_ranges_of_expressions_that_contain_a_dropped_one():
    se, func = analysed(STRAIGHT, "sum", "wide", "half", "twice", "n")
    exprs = {n: se.get(value_named(func, n)) for n in ("sum", "wide", "half", "twice", "n")}
    assert all(has_range(se, e) for e in exprs.values())
    se.forget_value(value_named(func, "sum"))
    assert {n for n, e in exprs.items() if has_range(se, e)} == {"twice", "n"}


def test_phase_4_keeps_ranges_of_constants():
    se, func = analysed(STRAIGHT, "k7")
    constant = se.get(value_named(func, "k7"))
    assert constant.kind is Kind.CONSTANT
    assert has_range(se, constant)
    se.forget_value(value_named(func, "k7"))
    assert not kept(se, func, "k7")
    assert has_range(se, constant)


BRANCHES = """
llvm.func @f(%n: i32, %b: i1, %d: i1, %e: i1) {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^outer(%k0 : i32)
^outer(%o: i32):
  llvm.cond_br %d, ^inner(%k0, %e : i32, i1), ^latch
^inner(%i: i32, %p: i1):
  %in = llvm.add %i, %k1 : i32
  llvm.cond_br %b, ^inner(%in, %e : i32, i1), ^latch
^latch:
  %on = llvm.add %o, %k1 : i32
  %oc = llvm.icmp "ult" %on, %n : i32
  llvm.cond_br %oc, ^outer(%on : i32), ^exit
^exit:
  llvm.return
}
"""


@pytest.mark.parametrize(
    ("name", "loops"),
    [
        # The test of the inner loop.
        ("b", ["inner"]),
        # The outer loop's test.
        ("oc", ["outer"]),
        # A branch within the outer loop, not in the inner one.
        ("d", []),
        # Passed by a branch, but not tested.
        ("e", []),
    ],
)
def test_phase_5_drops_counts_of_loops_that_a_branch_leaves(name: str, loops: list[str]):
    func = parse_function(BRANCHES)
    se = AnalysisManager().get(ScalarEvolution, func)
    at = {n: loop_at(se, func, n) for n in ("outer", "inner")}
    found = se._tested_or_guarded({value_named(func, name)})
    assert found == [at[n] for n in loops]


def test_phase_5_drops_counts_that_contain_a_value():
    """An upper bound counts, too: the other condition of the exit is unknown."""
    text = TEXT.replace("cond_br %ic, ^second", "cond_br %jb, ^second").replace(
        "  %jw =",
        '  %jc = llvm.icmp "ult" %jn, %n : i32\n  %u1 = llvm.trunc %u : i32 to i1\n'
        "  %jb = llvm.and %jc, %u1 : i1\n  %jw =",
    )
    for name, stays in (("n", False), ("m", True)):
        func = parse_function(text)
        se = AnalysisManager().get(ScalarEvolution, func)
        second = loop_at(se, func, "second")
        assert se.backedge_taken_count(second) is se.could_not_compute
        (limit,) = [limit for (at, _), limit in se.exit_counts.items() if at is second]
        assert value_named(func, "n") in limit.most.values
        se._evict_counts(None, {value_named(func, name)}, [])
        assert (second in se.backedge_taken_counts) is stays


TWO_LOOPS = """
llvm.func @f(%n: i32, %m: i32, %b: i1) {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  llvm.br ^first(%k0, %n : i32, i32)
^first(%i: i32, %d: i32):
  %iw = llvm.sext %i : i32 to i64
  %x = llvm.xor %d, %m : i32
  %in = llvm.add %i, %k1 : i32
  llvm.cond_br %b, ^first(%in, %x : i32, i32), ^between
^between:
  %one = llvm.mlir.constant(1 : i32) : i32
  %y = llvm.xor %x, %n : i32
  %sum = llvm.add %n, %m : i32
  llvm.br ^second(%y, %m, %sum : i32, i32, i32)
^second(%j: i32, %l: i32, %q: i32):
  %jw = llvm.sext %j : i32 to i64
  %lw = llvm.sext %l : i32 to i64
  %qw = llvm.sext %q : i32 to i64
  %jn = llvm.add %j, %one : i32
  %ln = llvm.add %l, %one : i32
  %qn = llvm.add %q, %one : i32
  llvm.cond_br %b, ^second(%jn, %ln, %qn : i32, i32, i32), ^exit
^exit:
  llvm.return
}
"""
COUNTERS = ("i", "j", "l", "q")


def folds(se: ScalarEvolution, recurrences: dict[str, Scev]) -> set[str]:
    """The names of the recurrences with cached extensions."""
    keys = {key[1] for key in se.addrec_folds}
    return {name for name, recurrence in recurrences.items() if recurrence in keys}


def extended() -> tuple[ScalarEvolution, Operation, dict[str, Scev]]:
    se, func = analysed(TWO_LOOPS, *COUNTERS)
    recurrences = {name: se.get(value_named(func, name)) for name in COUNTERS}
    # A recurrence that no value has: {5,+,1} of the first loop.
    ex = se.expressions
    recurrences["none"] = ex.add(recurrences["i"], ex.constant(32, 5))
    for recurrence in recurrences.values():
        assert recurrence.is_affine
        se.sext(recurrence, 64)
    assert folds(se, recurrences) == recurrences.keys()
    return se, func, recurrences


def test_phase_6_drops_extensions_of_stale_recurrences():
    """Extensions of the loop's recurrences and of values that depend on the loop are dropped."""
    se, func, recurrences = extended()
    se.forget_loop(loop_at(se, func, "first"))
    assert folds(se, recurrences) == {"l", "q"}


@pytest.mark.parametrize(
    ("name", "left"),
    [
        # The start of a recurrence.
        ("m", {"i", "none"}),
        ("y", {"i", "none", "l", "q"}),
        # The step of the first loop: recurrences with equal constants of other ops remain.
        ("k1", {"j", "l", "none", "q"}),
        # A sum in a start.
        ("sum", {"i", "none", "j", "l"}),
    ],
)
def test_forget_value_drops_extensions_that_depend_on_it(name: str, left: set[str]):
    se, func, recurrences = extended()
    se.forget_value(value_named(func, name))
    assert folds(se, recurrences) == left


def test_forget_value_drops_extensions_of_recurrences_without_values():
    """Recurrences that contain the value, or an expression that it had."""
    se, func, _ = extended()
    ex = se.expressions
    second = loop_at(se, func, "second")
    one = ex.constant(32, 1)
    n, total = se.get(value_named(func, "n")), se.get(value_named(func, "sum"))
    made = {
        "n": ex.add_rec([n, one], second),
        "sum": ex.add_rec([ex.mul(total, total), one], second),
        "other": ex.add_rec([ex.mul(n, n), one], second),
    }
    for recurrence in made.values():
        se.sext(recurrence, 64)
    se.forget_value(value_named(func, "sum"))
    assert folds(se, made) == {"n", "other"}
    se.forget_value(value_named(func, "n"))
    assert folds(se, made) == set()
    # The value has no cached expression now.
    se.sext(made["n"], 64)
    se.forget_value(value_named(func, "n"))
    assert folds(se, made) == set()


ASSUMING = """
llvm.func @f(%n: i32, %b: i1) {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k2 = llvm.mlir.constant(2 : i32) : i32
  llvm.br ^loop(%k0 : i32)
^loop(%i: i32):
  %in = llvm.add %i, %k2 : i32
  %ic = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %ic, ^loop(%in : i32), ^last
^last:
  llvm.cond_br %b, ^last, ^exit
^exit:
  llvm.return
}
"""


def assuming() -> tuple[ScalarEvolution, Loop, Loop, Scev]:
    """A loop with a predicated count, another loop, and the expression of the assumption."""
    se, func = analysed(ASSUMING, "i")
    loop = loop_at(se, func, "loop")
    _, assumed = se.predicated_backedge_taken_count(loop)
    ((_, expression),) = assumed
    return se, loop, loop_at(se, func, "last"), expression


def test_phase_7_drops_counts_with_stale_assumptions():
    se, loop, last, _ = assuming()
    se._clean_predicates(last, set())
    assert loop in se.predicated_backedge_taken_counts
    se._clean_predicates(loop, set())
    assert loop not in se.predicated_backedge_taken_counts
    se, loop, last, expression = assuming()
    se._clean_predicates(last, {expression})
    assert loop not in se.predicated_backedge_taken_counts


def test_phase_7_computes_no_exit_counts():
    se, loop, _, _ = assuming()
    se.exit_counts.clear()
    se.backedge_taken_counts.clear()
    se._clean_predicates(loop, set())
    assert not se.exit_counts
    assert not se.backedge_taken_counts


@pytest.mark.parametrize(
    ("bounds", "kept_bounds"),
    [
        (ConstantRange.interval(32, 0, 9), ConstantRange.interval(32, 0, 9)),
        (ConstantRange.empty(32), None),
        (None, None),
    ],
)
def test_phase_7_keeps_bounds_that_some_count_satisfies(
    bounds: ConstantRange | None,
    kept_bounds: ConstantRange | None,
    monkeypatch: pytest.MonkeyPatch,
):
    se, loop, _, _ = assuming()
    del se.backedge_taken_counts[loop]
    monkeypatch.setattr(se, "bounds_of_count", lambda _: bounds)
    se._clean_predicates(loop, set())
    info = se.backedge_taken_counts.get(loop)
    assert (info and info.bounds) == kept_bounds
    assert (info is None) is (kept_bounds is None)
