"""Checks the differences between levels that docs/pipelines.md states, on kernels."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.stages import pipeline_of
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in
from nvvm_xdsl.pipeline.machine import machine_pipeline

KERNELS = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)

define i32 @sum(ptr %p) noinline {
  %a = load i32, ptr %p
  %q = getelementptr i32, ptr %p, i64 1
  %b = load i32, ptr %q
  %s = add i32 %a, %b
  ret i32 %s
}

define ptx_kernel void @calls(ptr addrspace(1) %out) {
  %pair = alloca [2 x i32], align 4
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %t, ptr %pair
  %second = getelementptr i32, ptr %pair, i64 1
  store i32 7, ptr %second
  %s = call i32 @sum(ptr %pair)
  store i32 %s, ptr addrspace(1) %out
  ret void
}

define ptx_kernel void @barriers(ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %t
  store i32 %t, ptr addrspace(3) %a
  call void @llvm.nvvm.barrier0()
  %n = xor i32 %t, 1
  %b = getelementptr [64 x i32], ptr addrspace(3) @tile, i32 0, i32 %n
  %v = load i32, ptr addrspace(3) %b
  call void @llvm.nvvm.barrier0()
  %p = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %v, ptr addrspace(1) %p
  ret void
}

define ptx_kernel void @rounds(ptr addrspace(1) %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %s = phi i32 [ %t, %entry ], [ %u, %loop ]
  %v = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %s, i32 1, i32 31)
  %u = add i32 %v, %i
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, 90
  br i1 %c, label %loop, label %exit
exit:
  store i32 %u, ptr addrspace(1) %out
  ret void
}
"""


Figures = tuple[bool, int, int]


def figures(options: CompileOptions) -> Figures:
    """Returns for a level's PTX whether it has local variables, and the numbers of barriers and shuffles."""
    ptx = compile_here(KERNELS, options=options)
    return ".local" in ptx, len(re.findall(r"\bbar\.sync", ptx)), ptx.count("shfl.sync")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (CompileOptions(opt_level=0), (True, 2, 1)),
        (CompileOptions(opt_level=0, fast_compile="max"), (True, 2, 1)),
        (CompileOptions(opt_level=0, fast_compile="mid"), (True, 1, 1)),
        (CompileOptions(opt_level=0, fast_compile="min"), (True, 1, 1)),
        (CompileOptions(opt_level=1), (True, 1, 1)),
        (CompileOptions(passes="nvopt<Ofcmid>"), (False, 1, 1)),
        (CompileOptions(passes="nvopt<Ofcmin>"), (False, 1, 90)),
        (CompileOptions(passes="nvopt<O1>"), (True, 1, 1)),
        (CompileOptions(opt_level=2), (False, 1, 1)),
        (CompileOptions(opt_level=3), (False, 1, 90)),
    ],
)
def test_results_of_the_levels_on_three_kernels(options: CompileOptions, expected: Figures):
    """Argument promotion passes the value that a function loads through a pointer; a barrier whose two sides
    access different memory is removed; a loop of 180 ops is unrolled.
    """
    assert figures(options) == expected


def names(options: CompileOptions) -> set[str]:
    """The passes that options select, by name."""
    resolved = options.for_module(ModuleOp([]))
    texts = pipeline_of(resolved), machine_pipeline(resolved.codegen_level)
    return {p.name for text in texts for p in passes_in(build_pipeline(text))}


def test_each_level_runs_the_passes_of_the_level_below_and_more():
    found = [names(CompileOptions(passes=f"nvopt<O{level}>")) for level in range(4)]
    assert found[0] < found[1] < found[2] < found[3]
    assert found[2] - found[1] == {
        "argpromotion",
        "attributor",
        "deadargelim",
        "globalopt",
        "loop-vectorize",
    }
    barriers = {"nvvm-barrier-analysis", "nvvm-lower-barriers", "dead-sync-elim"}
    assert found[3] - found[2] == {*barriers, "nvvm-late-opt"}


LOOPS = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @scale(ptr addrspace(1) %p, ptr addrspace(1) %q) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %k = mul nsw i32 %i, 64
  %j = add nsw i32 %k, %t
  %e = sext i32 %j to i64
  %a = getelementptr float, ptr addrspace(1) %p, i64 %e
  %v = load float, ptr addrspace(1) %a
  %b = getelementptr float, ptr addrspace(1) %q, i64 %e
  store float %v, ptr addrspace(1) %b
  %n = add nsw i32 %i, 1
  %c = icmp slt i32 %n, 4
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
"""


ARRAYS = """
define ptx_kernel void @reverse(ptr addrspace(1) %p) {
entry:
  %array = alloca [4 x i32]
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %n, %fill ]
  %a = getelementptr i32, ptr addrspace(1) %p, i32 %i
  %v = load i32, ptr addrspace(1) %a
  %d = getelementptr [4 x i32], ptr %array, i32 0, i32 %i
  store i32 %v, ptr %d
  %n = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %n, 4
  br i1 %c, label %fill, label %copy
copy:
  %j = phi i32 [ 0, %fill ], [ %m, %copy ]
  %k = sub nuw nsw i32 3, %j
  %s = getelementptr [4 x i32], ptr %array, i32 0, i32 %k
  %w = load i32, ptr %s
  %b = getelementptr i32, ptr addrspace(1) %p, i32 %j
  store i32 %w, ptr addrspace(1) %b
  %m = add nuw nsw i32 %j, 1
  %e = icmp ult i32 %m, 4
  br i1 %e, label %copy, label %exit
exit:
  ret void
}
"""


def test_min_unrolls_loops_and_mid_does_not():
    def counts(fast: str, level: int = 0) -> tuple[int, bool]:
        options = CompileOptions(opt_level=level, fast_compile=fast)
        array = compile_here(ARRAYS, options=options)
        return compile_here(LOOPS, options=options).count("st.global"), ".local" in array

    assert counts("mid") == (1, True)
    assert counts("min") == counts("", 1) == counts("", 2) == (4, False)


def test_o1_unrolls_smaller_loops_than_o2_and_loops_with_loads_by_two():
    """A loop of 14 ops per iteration, and one without a constant trip count."""
    added = "".join(f"  %w{k} = fadd float %{(k and f'w{k - 1}') or 'v'}, %s\n" for k in range(8))
    long = LOOPS.replace("float %v, ptr", "float %w7, ptr").replace("  %b =", f"{added}  %b =")
    long = long.replace("%q)", "%q, float %s)").replace("%n, 4", "%n, 12")
    runtime = LOOPS.replace("%q)", "%q, i32 %m)").replace("%n, 4", "%n, %m")

    def stores(text: str, level: int) -> int:
        return compile_here(text, options=CompileOptions(opt_level=level)).count("st.global")

    assert [stores(long, level) for level in (1, 2)] == [1, 12]
    assert [stores(runtime, level) for level in (1, 2)] == [3, 7]


def test_the_tools_run_short_pipelines_that_end_like_the_documented_ones():
    documented = [CompileOptions(passes=f"nvopt<{name}>") for name in ("O1", "Ofcmid", "Ofcmin")]
    short = [
        CompileOptions(opt_level=1),
        CompileOptions(opt_level=0, fast_compile="mid"),
        CompileOptions(opt_level=0, fast_compile="min"),
    ]
    required = {"nvvm-reflect", "always-inline", "soften-fp128", "globaldce"}
    required |= {"nvvm-intrinsic-lowering", "lower-struct-args", "cnp-launch-check"}
    found = [names(options) for options in short]
    for options, passes in zip(documented, found):
        assert required <= names(options) & passes
    o1, mid, fast_min = found
    assert mid < fast_min < o1
    assert o1 - fast_min == {"jump-threading"}
    assert fast_min - mid == {"loop-unroll"}
