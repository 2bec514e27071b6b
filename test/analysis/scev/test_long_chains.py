"""Values that depend on long chains of other values."""

import pytest
from xdsl.dialects.llvm import FuncOp

import nvvm_xdsl
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev import wrapping
from nvvm_xdsl.analysis.scev.expressions import Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.pipeline import run_pipeline

LENGTH = 1500
"""More than Python's recursion limit."""


def test_selects_that_compare_results_of_selects():
    chain = "\n".join(
        f"  %c{i} = icmp slt i32 %s{i - 1}, {i}\n  %s{i} = select i1 %c{i}, i32 %n, i32 {i}"
        for i in range(1, LENGTH)
    )
    module = nvvm_xdsl.parse(f"""
define void @f(i32 %n, ptr %p) {{
entry:
  %s0 = add i32 %n, 1
{chain}
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %p
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %s{LENGTH - 1}
  br i1 %more, label %loop, label %exit
exit:
  ret void
}}
""")
    run_pipeline(module, "function(loop(indvars))")
    assert str(module).count("llvm.select") == LENGTH - 1


def loops_in_a_row(count: int) -> str:
    """Loops in sequence, each after the exit of the previous one."""
    parts: list[str] = []
    before = "entry"
    for i in range(count):
        parts.append(f"""
  br label %loop{i}
loop{i}:
  %i{i} = phi i32 [ 0, %{before} ], [ %next{i}, %loop{i} ]
  store volatile i32 %i{i}, ptr %p
  %next{i} = add nsw i32 %i{i}, 1
  %more{i} = icmp slt i32 %next{i}, %n
  br i1 %more{i}, label %loop{i}, label %exit{i}
exit{i}:""")
        before = f"exit{i}"
    return f"define void @f(i32 %n, ptr %p) {{\nentry:{''.join(parts)}\n  ret void\n}}\n"


def test_the_last_loop_of_many_is_counted_first():
    # Its count queries the guard before it, which compares the counter of the previous loop, and so
    # on.
    count = 200
    (func,) = nvvm_xdsl.parse(loops_in_a_row(count)).body.ops
    assert isinstance(func, FuncOp)
    am = AnalysisManager()
    se = am.get(ScalarEvolution, func)
    headers = {loop.header: loop for loop in am.get(LoopInfo, func).loops()}
    *_, last = (headers[block] for block in func.body.blocks if block in headers)
    assert len(headers) == count
    assert str(se.backedge_taken_count(last)) == "(-1 + (1 smax %n))"


def widened_loops(count: int) -> str:
    """Loops in sequence, each bounded by the extended counter of the previous one."""
    parts = ["define void @f(i32 %n, ptr %p) {\nentry:\n  br label %loop0"]
    for i in range(count):
        before = f"exit{i - 1}" if i else "entry"
        bound = f"%bound{i}" if i else "%n"
        parts.append(f"""
loop{i}:
  %i{i} = phi i32 [ 0, %{before} ], [ %next{i}, %loop{i} ]
  %next{i} = add i32 %i{i}, 1
  store volatile i32 %i{i}, ptr %p
  %more{i} = icmp slt i32 %next{i}, {bound}
  br i1 %more{i}, label %loop{i}, label %exit{i}
exit{i}:
  %wide{i} = zext i32 %i{i} to i64
  %bound{i + 1} = trunc i64 %wide{i} to i32
  br label %{f"loop{i + 1}" if i + 1 < count else "end"}""")
    return "".join([*parts, "\nend:\n  ret void\n}\n"])


def test_proofs_inside_each_other_are_limited(monkeypatch: pytest.MonkeyPatch):
    """The proof that a counter does not wrap uses its bound, the extension of another counter."""
    monkeypatch.setattr(wrapping, "MAX_NESTED_PROOFS", 3)
    (func,) = nvvm_xdsl.parse(widened_loops(12)).body.ops
    se = AnalysisManager().get(ScalarEvolution, func)
    depths: list[int] = []
    prove = ScalarEvolution._prove_by_tests

    def record(self: ScalarEvolution, recurrence: Scev, loop: Loop) -> None:
        depths.append(len(self._proving))
        prove(self, recurrence, loop)

    monkeypatch.setattr(ScalarEvolution, "_prove_by_tests", record)
    *_, last = (op for op in func.walk() if op.name == "llvm.zext")
    assert str(se.get(last.results[0]))
    assert max(depths) == 3


def loops_with_bounds_one_higher(count: int) -> str:
    """Loops in sequence, each bounded by the counter of the previous one plus one."""
    text = widened_loops(count)
    for i in range(count):
        text = text.replace(
            f"  %bound{i + 1} = trunc i64 %wide{i} to i32",
            f"  %more_wide{i} = add i64 %wide{i}, 1\n"
            f"  %bound{i + 1} = trunc i64 %more_wide{i} to i32",
        )
    return text


def last_count(count: int) -> ScalarEvolution:
    (func,) = nvvm_xdsl.parse(loops_with_bounds_one_higher(count)).body.ops
    am = AnalysisManager()
    se = am.get(ScalarEvolution, func)
    headers = {loop.header: loop for loop in am.get(LoopInfo, func).loops()}
    *_, last = (headers[block] for block in func.body.blocks if block in headers)
    assert se.backedge_taken_count(last) is not se.could_not_compute
    return se


def test_ranges_are_computed_once_while_loops_are_counted(monkeypatch: pytest.MonkeyPatch):
    """The range of a counter is asked for several times while the next loop is counted."""
    ranges = 0
    compute = ScalarEvolution._range_of_recurrence

    def record(self: ScalarEvolution, at: Scev, signed: bool):
        nonlocal ranges
        ranges += 1
        return compute(self, at, signed)

    monkeypatch.setattr(ScalarEvolution, "_range_of_recurrence", record)
    last_count(5)
    few, ranges = ranges, 0
    last_count(10)
    assert ranges < 6 * few


def test_ranges_of_many_loops_need_no_recursion():
    assert last_count(150)
