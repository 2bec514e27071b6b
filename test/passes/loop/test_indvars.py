"""Loops compute the same with fewer and narrower counters."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.loop_kernels import differences
from xdsl.dialects.builtin import i32

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.loop.indvars_exit_values import MAX_VALUES_VISITED
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

BEFORE = "function(sroa,early-cse,simplifycfg,loop(loop-rotate))"


def test_random_kernels_compute_the_same():
    assert differences("indvars", range(5), BEFORE) > 0


@pytest.mark.slow
def test_more_random_kernels_compute_the_same():
    assert (
        differences(
            "function(loop(indvars),loop-unroll<unroll-max-count=2>)", range(50, 58), BEFORE
        )
        > 3
    )


DEAD_LOAD = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %k = phi i32 [ 0, %entry ], [ %more, %loop ]
  %low = and i32 %i, 7
  %q = getelementptr i32, ptr %p, i32 %low
  %dead = load i32, ptr %q
  call void @llvm.nvvm.barrier0()
  %next = add i32 %i, 3
  %more = add i32 %k, 1
  %go = icmp slt i32 %more, %n
  br i1 %go, label %loop, label %end
end:
  ret void
}
"""


def test_an_unused_load_is_removed_with_its_counter():
    """A kept load would have a poison address."""
    module = read_ll(DEAD_LOAD, "k.ll")
    run_pipeline(module, "indvars<disable-lftr>")
    verify_module(module)
    assert "llvm.load" not in str(module)
    run(prepare(module), Launch("k", 1, 1, (np.zeros(8, np.int32), 5)))


COUNTS = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out, i{w} %n, i{w} %s) {{
entry:
  br label %loop
loop:
  %i = phi i{w} [ %s, %entry ], [ %m, %loop ]
  %left = phi i{w} [ %n, %entry ], [ %k, %loop ]
  %sum = phi i{w} [ 0, %entry ], [ %t, %loop ]
  %x = mul i{w} %i, %left
  %t = add i{w} %sum, %x
  %m = add i{w} %i, {step}
  %k = add i{w} %left, -1
  %c = icmp {predicate} i{w} %left, {bound}
  br i1 %c, label %loop, label %exit
exit:
  store i{w} %t, ptr %out, align 4
  %last = getelementptr i{w}, ptr %out, i64 1
  store i{w} %m, ptr %last, align 4
  ret void
}}
"""


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("step", [1, -1, 3, 4])
@pytest.mark.parametrize(("predicate", "bound"), [("sgt", 1), ("ne", 1), ("ugt", 0), ("sge", 1)])
def test_live_out_values(width: int, step: int, predicate: str, bound: int):
    text = COUNTS.format(w=width, step=step, predicate=predicate, bound=bound)
    kind = np.int32 if width == 32 else np.int64

    def result(module, n: int, start: int) -> list[int]:
        out = np.zeros(2, kind)
        (out,) = run(prepare(module), Launch("k", 1, 1, (out, n, start))).arrays
        return out.tolist()

    module = read_ll(text, "k.ll")
    cases = [(n, start) for n in (1, 2, 9) for start in (0, 5, -3, 2 ** (width - 1) - 2)]
    before = [result(module, n, start) for n, start in cases]
    run_pipeline(module, "indvars")
    verify_module(module)
    assert [result(module, n, start) for n, start in cases] == before


@pytest.mark.parametrize(("bound", "is_narrowed"), [(2**31 - 2, True), (2**31 - 1, False)])
def test_a_counter_is_narrowed_if_its_last_increment_fits(bound: int, is_narrowed: bool):
    module = read_ll(
        f"""
        target triple = "nvptx64-nvidia-cuda"
        define void @k(ptr %p) {{
        entry:
          br label %loop
        loop:
          %i = phi i64 [ 0, %entry ], [ %n, %loop ]
          store volatile i64 %i, ptr %p, align 8
          %n = add i64 %i, 1
          %c = icmp ule i64 %i, {bound - 1}
          br i1 %c, label %loop, label %exit
        exit:
          ret void
        }}
        """,
        "k.ll",
    )
    run_pipeline(module, "indvars<disable-lftr>")
    assert ("llvm.zext" in str(module)) is is_narrowed


STRIDE = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i32 %s) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %start = zext i32 %t to i64
  {step}
  br label %loop
loop:
  %i = phi i64 [ %start, %entry ], [ %n, %loop ]
  %a = getelementptr i64, ptr %p, i64 %start
  store volatile i64 %i, ptr %a, align 8
  %n = add nsw i64 %i, %by
  %c = icmp slt i64 %n, 256
  br i1 %c, label %loop, label %exit
exit:
  store volatile i64 %n, ptr %a, align 8
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
"""


@pytest.mark.parametrize(
    ("step", "is_narrowed"),
    [
        ("%b = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()\n  %by = zext i32 %b to i64", True),
        ("%b = lshr i32 %s, 1\n  %r = or i32 %b, 1\n  %by = zext i32 %r to i64", False),
        ("%b = or i32 %s, 1\n  %by = zext i32 %b to i64", False),
        ("%b = zext i32 %s to i64\n  %w = lshr i64 %b, 8\n  %by = or i64 %w, 1", False),
    ],
    ids=["size of a block", "sum beyond", "beyond", "not extended"],
)
def test_a_counter_with_an_extended_step(step: str, is_narrowed: bool):
    """The counter is narrowed if it stays within 32 bits, as with steps of 256 and of the block size."""
    module = read_ll(STRIDE.format(step=step), "k.ll")

    def result() -> list[list[int]]:
        launches = (
            Launch("k", 1, 32, (np.zeros(32, np.int64), s)) for s in (7, 300, 2**31 - 1, -1, -5)
        )
        return [run(prepare(module), launch).arrays[0].tolist() for launch in launches]

    before = result()
    run_pipeline(module, "indvars<disable-lftr>")
    verify_module(module)
    header = next(op for op in module.walk() if op.name == "llvm.store").parent
    assert (header.args[0].type == i32) is is_narrowed
    assert result() == before


@pytest.mark.parametrize("length", [20, MAX_VALUES_VISITED + 1])
def test_followed_uses_are_limited(length: int):
    """Tests whether a recurrence is used in the loop; a chain of unused values hides this."""
    chain = "".join(f"  %v{n} = xor i32 {f'%v{n - 1}' if n else '%x'}, %a\n" for n in range(length))
    module = read_ll(
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define void @f(ptr %p, i32 %a) {\nentry:\n  br label %l\nl:\n"
        "  %i = phi i32 [0, %entry], [%m, %l]\n  %x = phi i32 [1, %entry], [%y, %l]\n"
        f"{chain}  %y = add i32 %x, %a\n  %m = add i32 %i, 1\n  %c = icmp slt i32 %m, 100000\n"
        "  br i1 %c, label %l, label %e\ne:\n  store i32 %x, ptr %p, align 4\n  ret void\n}\n"
    )
    run_pipeline(module, "indvars")
    replaced = any(op.name == "llvm.mul" for op in module.walk())
    assert replaced is (length < MAX_VALUES_VISITED)


def test_nothing_changes_for_a_counter_that_does_not_fit():
    module = read_ll("""
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, i64 %s, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %s, %entry ], [ %next, %loop ]
  store i64 %i, ptr %p
  %next = add i64 %i, -3
  %go = icmp ule i64 %i, %n
  br i1 %go, label %loop, label %end
end:
  ret void
}""")
    before = str(module)
    assert not run_pipeline(module, "indvars")
    assert str(module) == before
