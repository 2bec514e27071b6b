"""Values that hang on long chains of others."""

import nvvm_xdsl
from nvvm_xdsl.pipeline import run_pipeline

LENGTH = 1500
"""More than Python's calls nest."""


def test_selects_that_compare_what_selects_chose():
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
