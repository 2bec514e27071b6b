"""Loops unrolled for their loads compute the same, with wrapping counters and divergent trip counts."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from helpers.loop_kernels import loops_in
from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.llvm import CallOp, LoadOp

from nvvm_xdsl.dialects.effects import NOT_CONVERGENT
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import ALL_CHECKS
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noalias %p, ptr noalias %to, ptr %starts, ptr %bounds, i8 %wide) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ps = getelementptr i8, ptr %starts, i32 %t
  %start = load i8, ptr %ps, align 1
  %pb = getelementptr i8, ptr %bounds, i32 %t
  %bound = load i8, ptr %pb, align 1
  %few = and i8 %wide, 15
  %value = add nuw nsw i8 %few, 1
  %less = sub nsw i8 0, %value
  %out = getelementptr [2 x i32], ptr %to, i32 %t
  %last = getelementptr i32, ptr %out, i32 1
  {guard}
loop:
  %i = phi i8 [ %start, %entry ], [ %n, %loop ]
  %s = phi i32 [ 1, %entry ], [ %u, %loop ]
  %e = zext i8 %i to i64
  %a = getelementptr i32, ptr %p, i64 %e
  %v = load i32, ptr %a, align 4
  %x = mul i32 %s, 3
  %u = add i32 %x, %v
  %n = add {flags} i8 %i, {step}
  %c = icmp {predicate} i8 {compared}
  br i1 %c, label %loop, label %exit
exit:
  %n.exit = zext i8 %n to i32
  store i32 %u, ptr %out, align 4
  store i32 %n.exit, ptr %last, align 4
  ret void
none:
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""

ORDERS = {
    "slt": lambda a, b: a < b,
    "sle": lambda a, b: a <= b,
    "sgt": lambda a, b: a > b,
    "sge": lambda a, b: a >= b,
    "ne": lambda a, b: a != b,
}
SIGNED = [-128, -127, -126, -120, -30, -3, -1, 0, 1, 2, 5, 37, 61, 120, 124, 125, 126, 127]


def ends(start: int, step: int, predicate: str, bound: int, *, wraps: bool = True) -> bool:
    """Returns whether a counter of eight bits, which may wrap if `wraps`, reaches its end."""
    is_signed = predicate[0] != "u"
    order = ORDERS[predicate if predicate in ORDERS else f"s{predicate[1:]}"]
    low = 128 if is_signed else 0
    counter, limit = (start + low) % 256 - low, (bound + low) % 256 - low
    for _ in range(257):
        counter += step
        if not -low <= counter < 256 - low and not wraps:
            return False
        counter = (counter + low) % 256 - low
        if not order(counter, limit):
            return True
    return False


def results(text: str, pairs: list[tuple[int, int]], wide: int, pipeline: str) -> list[int]:
    module = read_ll(text, "k.ll")
    if pipeline:
        run_pipeline(module, pipeline)
        verify_module(module)
    starts, bounds = (np.array(values).astype(np.int8) for values in zip(*pairs))
    values = (np.arange(256, dtype=np.int32) * 7919) % 1009
    to = np.zeros((len(pairs), 2), np.int32)
    launch = Launch("k", 1, len(pairs), (values, to, starts, bounds, wide - 1))
    return run(module, launch).arrays[1].ravel().tolist()


def check(
    predicate: str,
    step: str,
    number: int,
    *,
    guard: str = "",
    swapped: bool = False,
    flags: str = "",
) -> int:
    """Compares results before and after for many starts and bounds; returns the number of loads."""
    text = KERNEL.format(
        predicate=predicate,
        step=step,
        guard=guard or "br label %loop",
        compared="%bound, %n" if swapped else "%n, %bound",
        flags=flags,
    )
    usual = predicate
    if swapped:
        usual = predicate.translate(str.maketrans("lg", "gl"))
    pairs = [
        (start, bound)
        for start, bound in product(SIGNED, SIGNED)
        if ends(start, number, usual, bound, wraps=not flags)
    ]
    assert len(pairs) > 20
    pipeline = "loop-unroll<for-loads>"
    assert results(text, pairs, abs(number), pipeline) == results(text, pairs, abs(number), "")
    return loads_after(text)


def loads_after(text: str) -> int:
    """The number of loads of the loop after the pass."""
    module = read_ll(text, "k.ll")
    run_pipeline(module, "loop-unroll<for-loads>")
    return sum(isinstance(op, LoadOp) for op in module.walk()) - 2


UNROLLED = 7
"""Loads of four iterations together, and of the remaining three."""
WRAPPING = 5
"""Loads of four iterations together, and of a remainder loop, which may run any number of iterations
because the counter may wrap."""


@pytest.mark.parametrize(
    ("predicate", "steps"),
    [
        ("slt", (1, 3, 32, 42)),
        ("sle", (1, 3, 42)),
        ("ult", (1, 3, 42)),
        ("ule", (1, 3)),
        ("sgt", (-1, -3, -42)),
        ("sge", (-1, -3)),
        ("ugt", (-1, -3)),
        ("uge", (-1, -42)),
    ],
)
def test_every_order_and_step(predicate: str, steps: tuple[int, ...]):
    for step in steps:
        assert check(predicate, str(step), step) == WRAPPING
        swapped = predicate.translate(str.maketrans("lg", "gl"))
        assert check(swapped, str(step), step, swapped=True) == WRAPPING


@pytest.mark.parametrize(
    ("predicate", "flags", "step", "loads"),
    [
        ("slt", "nsw", 3, UNROLLED),
        ("sge", "nsw", -3, UNROLLED),
        ("ule", "nuw", 3, UNROLLED),
        ("slt", "nuw", 3, WRAPPING),
        ("ult", "nsw", 3, WRAPPING),
    ],
)
def test_flags_of_the_increment(predicate: str, flags: str, step: int, loads: int):
    """The flag that excludes wrapping is that of the signedness of the comparison."""
    is_own = (predicate[0] == "s") == (flags == "nsw")
    if is_own:
        assert check(predicate, str(step), step, flags=flags) == loads
    else:
        assert loads_after(KERNEL.format(
            predicate=predicate, step=step, guard="br label %loop", compared="%n, %bound", flags=flags
        )) == loads  # fmt: skip


@pytest.mark.parametrize(
    ("predicate", "step", "conditions", "loads"),
    [
        # The bound is above the first value, and at least a step away from the end of the type.
        ("slt", 1, ("slt i8 %start, %bound",), UNROLLED),
        ("slt", 3, ("slt i8 %start, %bound",), WRAPPING),
        ("slt", 3, ("slt i8 %start, %bound", "sle i8 %bound, 125"), UNROLLED),
        ("slt", 3, ("slt i8 %start, %bound", "sle i8 %bound, 126"), WRAPPING),
        ("sle", 1, ("sle i8 %start, %bound", "sle i8 %bound, 126"), UNROLLED),
        ("sle", 1, ("sle i8 %start, %bound",), WRAPPING),
        ("ult", 3, ("ult i8 %start, %bound", "ule i8 %bound, 253"), UNROLLED),
        ("ult", 3, ("ult i8 %start, %bound", "ule i8 %bound, 254"), WRAPPING),
        ("sgt", -1, ("sgt i8 %start, %bound",), UNROLLED),
        ("ugt", -3, ("ugt i8 %start, %bound", "uge i8 %bound, 2"), UNROLLED),
        ("ugt", -3, ("ugt i8 %start, %bound", "uge i8 %bound, 1"), WRAPPING),
        ("uge", -1, ("uge i8 %start, %bound", "uge i8 %bound, 1"), UNROLLED),
        ("uge", -1, ("uge i8 %start, %bound",), WRAPPING),
        # The first value is at least a step away from the end of the type.
        ("slt", 3, ("sle i8 %start, 124", "sle i8 %bound, 125"), UNROLLED),
        ("slt", 3, ("sle i8 %start, 125", "sle i8 %bound, 125"), WRAPPING),
        ("ugt", -3, ("uge i8 %start, 3", "uge i8 %bound, 2"), UNROLLED),
        ("ugt", -3, ("uge i8 %start, 2", "uge i8 %bound, 2"), WRAPPING),
    ],
)
def test_guards_exclude_wrapping(
    predicate: str, step: int, conditions: tuple[str, ...], loads: int
):
    lines = [f"%g{n} = icmp {condition}" for n, condition in enumerate(conditions)]
    lines.append(f"%g = and i1 %g0, %g{len(conditions) - 1}")
    guard = "\n  ".join([*lines, "br i1 %g, label %loop, label %none"])
    assert check(predicate, str(step), step, guard=guard) == loads


@pytest.mark.parametrize(
    ("predicate", "step"),
    [("slt", 43), ("slt", 50), ("slt", -1), ("sgt", 1), ("ult", 50)],
)
def test_loops_without_an_order_towards_the_bound_are_unchanged(predicate: str, step: int):
    """A step too large for the type, one away from the bound, and no order at all."""
    assert check(predicate, str(step), step) == 1


@pytest.mark.parametrize("step", [1, -1])
def test_equality_is_not_an_order(step: int):
    """The pass computes the trip count in these cases."""
    assert check("ne", str(step), step) == UNROLLED


@pytest.mark.parametrize("predicate", ["slt", "sle", "ult", "ule"])
@pytest.mark.parametrize("step", [1, 3, 15])
def test_steps_that_are_values(predicate: str, step: int):
    assert check(predicate, "%value", step) == WRAPPING


def test_a_negative_step_that_is_a_value():
    assert check("sgt", "%less", -3) == 1


@pytest.mark.parametrize("least", [-126, -125, -124, 0])
@pytest.mark.parametrize("predicate", ["slt", "sle"])
def test_bounds_known_at_the_entry(predicate: str, least: int):
    """Only a bound at least three steps from the end of the type needs no clamping."""
    guard = f"%g = icmp sge i8 %bound, {least}\n  br i1 %g, label %loop, label %none"
    assert check(predicate, "1", 1, guard=guard) == WRAPPING
    module = read_ll(KERNEL.format(
        predicate=predicate, step="1", guard=guard, compared="%n, %bound", flags=""
    ))  # fmt: skip
    run_pipeline(module, "loop-unroll<for-loads>")
    clamps = any(op.name == "llvm.intr.smax" for op in module.walk())
    assert clamps is (least < -125)


@pytest.mark.parametrize("trips", [*range(1, 10), 15, 16, 37, 61])
def test_trip_counts(trips: int):
    text = KERNEL.format(
        predicate="slt", step="2", guard="br label %loop", compared="%n, %bound", flags=""
    )
    pairs = [(start, start + 2 * trips - odd) for start in (-100, -60, 3) for odd in (0, 1)]
    pairs = [pair for pair in pairs if max(pair) < 127]
    for pipeline in ("loop-unroll<for-loads>", "nvopt<O3>"):
        assert results(text, pairs, 1, pipeline) == results(text, pairs, 1, "")


@pytest.mark.parametrize(
    ("count", "loads"), [(0, 3), (1, 3), (2, 3), (3, 3), (4, UNROLLED), (7, UNROLLED), (8, 15)]
)
@pytest.mark.parametrize("predicate", ["slt", "ne"])
def test_the_factor_is_rounded_down_to_a_power_of_two(predicate: str, count: int, loads: int):
    """The number of loads is the factor plus that of the remaining iterations."""
    text = KERNEL.format(
        predicate=predicate, step="1", guard="br label %loop", compared="%n, %bound", flags="nsw"
    )
    pipeline = f"loop-unroll<for-loads;unroll-loads-count={count}>"
    pairs = [(start, start + trips) for start in (-100, 3) for trips in range(1, 20)]
    assert results(text, pairs, 1, pipeline) == results(text, pairs, 1, "")
    module = read_ll(text, "k.ll")
    run_pipeline(module, pipeline)
    assert sum(isinstance(op, LoadOp) for op in module.walk()) - 2 == loads


VARYING = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noalias %p, ptr noalias %to, i32 %m) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ 0, %entry ], [ %u, %loop ]
  %a = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %a, align 4
  %u = add i32 %s, %v
  %few = and i32 %v, 3
  %step = add i32 %few, 1
  %n = add nsw i32 {increment}
  %c = icmp slt i32 {compared}
  br i1 %c, label %loop, label %exit
exit:
  store i32 %u, ptr %to, align 4
  ret void
}}
"""


@pytest.mark.parametrize(
    ("increment", "compared"),
    [("%i, %step", "%n, %m"), ("%i, 1", "%n, %v"), ("%s, 1", "%n, %m"), ("%i, 1", "%u, %m")],
)
def test_values_that_change_in_the_loop(increment: str, compared: str):
    """The step and the bound must be invariant, and the compared value must be the next value of a counter."""
    module = read_ll(VARYING.format(increment=increment, compared=compared), "k.ll")
    run_pipeline(module, "loop-unroll<for-loads>")
    verify_module(module)
    assert sum(isinstance(op, LoadOp) for op in module.walk()) == 1
    assert loops_in(module)


CALLS = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noalias %p, ptr noalias %to, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ 0, %entry ], [ %u, %loop ]
  %a = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %a, align 4
  %u = call i32 @f(i32 %v) nounwind willreturn memory(none)
  %n = add nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store i32 %u, ptr %to, align 4
  ret void
}
declare i32 @f(i32) nounwind willreturn memory(none)
"""


def test_calls_are_not_copied():
    module = read_ll(CALLS, "k.ll")
    for op in module.walk():
        if isinstance(op, CallOp):
            op.attributes[NOT_CONVERGENT] = UnitAttr()
    run_pipeline(module, "loop-unroll<for-loads>")
    assert sum(isinstance(op, CallOp) for op in module.walk()) == 1


def test_loops_with_many_live_registers_are_unchanged():
    """Values that are used after the loop are live in it."""
    counts: dict[int, int] = {}
    for live in (20, 80):
        before = "".join(
            f"  %p{k} = getelementptr i32, ptr %q, i32 {k}\n  %q{k} = load i32, ptr %p{k}\n"
            for k in range(live)
        )
        after = "".join(
            f"  %r{k} = getelementptr i32, ptr %to, i32 {k}\n  store i32 %q{k}, ptr %r{k}\n"
            for k in range(live)
        )
        text = CALLS.replace("entry:\n", f"entry:\n{before}").replace(
            "%to, i32 %m", "%to, ptr %q, i32 %m"
        )
        text = text.replace("  store", f"{after}  store").replace(
            "call i32 @f(i32 %v) nounwind willreturn memory(none)", "add i32 %s, %v"
        )
        module = read_ll(text, "k.ll")
        run_pipeline(module, "loop-unroll<for-loads>")
        counts[live] = sum(isinstance(op, LoadOp) for op in module.walk()) - live
    assert counts == {20: UNROLLED, 80: 1}


COUNTS = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ %t, %entry ], [ %n, %loop ]
  %e = and i32 %i, 7
  %a = getelementptr i32, ptr %p, i32 %e
  %o = atomicrmw add ptr %a, i32 %i monotonic
  %n = add nsw i32 %i, 4
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


@pytest.mark.parametrize("bound", [-3, 0, 3, 15, 16, 37, 61])
def test_atomic_operations_run_as_often(bound: int):
    found: list[list[int]] = []
    for pipeline in ("", "loop-unroll<for-loads>"):
        module = read_ll(COUNTS, "k.ll")
        if pipeline:
            run_pipeline(module, pipeline)
            verify_module(module)
        counts = np.zeros(8, np.int32)
        run_outcome = run(module, Launch("k", 1, 32, [counts, bound]))
        found.append(run_outcome.arrays[0].tolist())
    assert found[0] == found[1]
    assert any(found[0])


SEARCH = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr noalias %p, ptr noalias %to, ptr %starts, ptr %bounds, i8 %wide) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ps = getelementptr i8, ptr %starts, i32 %t
  %any = load i8, ptr %ps, align 1
  %start = and i8 %any, {mask}
  %pb = getelementptr i8, ptr %bounds, i32 %t
  %near = load i8, ptr %pb, align 1
  %bound = add nsw i8 %near, {far}
  %few = and i8 %wide, 1
  %value = add nuw nsw i8 %few, 1
  %out = getelementptr [2 x i32], ptr %to, i32 %t
  %last = getelementptr i32, ptr %out, i32 1
  br label %loop
loop:
  %i = phi i8 [ %start, %entry ], [ %n, %latch ]
  %s = phi i32 [ 1, %entry ], [ %u, %latch ]
  %e = zext i8 %i to i64
  %a = getelementptr i32, ptr %p, i64 %e
  %v = load i32, ptr %a, align 4
  %found = icmp slt i32 %v, 100
  br i1 %found, label %exit, label %latch
latch:
  {more}
  %x = mul i32 %s, 3
  %u = add i32 %x, %v
  %n = add nsw i8 %i, {step}
  %c = icmp {test}
  br i1 %c, label %loop, label %exit
exit:
  %result = phi i32 [ %s, %loop ], [ %u, %latch ]
  %place = phi i8 [ %i, %loop ], [ %n, %latch ]
  store i32 %result, ptr %out, align 4
  %wide.place = sext i8 %place to i32
  store i32 %wide.place, ptr %last, align 4
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
MANY = "".join(f"\n  %z{k} = xor i32 %s, {k}\n  store i32 %z{k}, ptr %last" for k in range(12))


def searched(
    test: str, step: str, bounds: list[int], *, mask: int = 63, far: int = 0, more: str = ""
) -> int:
    """Compares results before and after for starts from 0 to 63; returns the number of loads."""
    text = SEARCH.format(test=test, step=step, mask=mask, far=far, more=more)
    pairs = [(start, bound) for start, bound in product(range(64), bounds)]
    pipeline = "loop-unroll<for-loads>"
    assert results(text, pairs, 1, pipeline) == results(text, pairs, 1, "")
    module = read_ll(text, "k.ll")
    run_pipeline(module, pipeline)
    return sum(isinstance(op, LoadOp) for op in module.walk()) - 2


@pytest.mark.parametrize(
    ("test", "step"),
    [
        ("slt i8 %n, %bound", "1"),
        ("slt i8 %n, %bound", "3"),
        ("sle i8 %bound, %n", "-1"),
        ("sgt i8 %n, %bound", "-3"),
        ("sgt i8 %i, 0", "-1"),
        ("sge i8 %i, 3", "-2"),
        ("slt i8 4, %i", "-1"),
    ],
)
def test_searches(test: str, step: str):
    """Loops that a value ends, or a counter compared before or after its step."""
    assert searched(test, step, [0, 1, 5, 40, 62, 63]) == UNROLLED


@pytest.mark.parametrize(
    ("test", "step"),
    [
        ("ult i8 %i, 60", "1"),
        ("slt i8 %i, 127", "1"),
        ("sle i8 %i, 126", "1"),
        ("slt i8 %i, %bound", "1"),
        ("slt i8 %n, %bound", "%value"),
        ("slt i8 %i, 60", "%value"),
    ],
)
def test_searches_that_are_unchanged(test: str, step: str):
    """A counter that may wrap, an unsigned one, a bound or a step that is not a constant."""
    assert searched(test, step, [40, 62]) == 1


def test_long_searches_are_unchanged():
    assert searched("slt i8 %n, %bound", "1", [40, 62], more=MANY) == 1


def test_a_search_that_ends_before_its_bound_is_tested():
    """The bound is poison. The first element that is read ends the loop."""
    text = SEARCH.format(test="slt i8 %n, %bound", step="1", mask=0, far=100, more="")
    module = read_ll(text, "k.ll")
    run_pipeline(module, "loop-unroll<for-loads>")
    values, to, bytes_ = (
        np.zeros(256, np.int32),
        np.ones((1, 2), np.int32),
        np.array([100], np.int8),
    )
    launch = Launch("k", 1, 1, [values, to, bytes_, bytes_, 0])
    assert run(prepare(module, ALL_CHECKS), launch).arrays[1].tolist() == [[1, 0]]
