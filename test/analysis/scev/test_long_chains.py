"""Values that depend on long chains of other values."""

from xdsl.dialects.llvm import FuncOp

import nvvm_xdsl
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
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
