"""Loops that count bits are replaced by an op with the same result."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.loop_kernels import transformed

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %in, ptr %out, i32 %step) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t64 = zext i32 %t to i64
  %from = getelementptr i64, ptr %in, i64 %t64
  %full = load i64, ptr %from, align 8
  %x = {narrow}
  br label %loop
loop:
  %v = phi {type} [ %x, %entry ], [ %w, %loop ]
  %i = phi i32 [ 7, %entry ], [ %j, %loop ]
  %n = phi i16 [ 0, %entry ], [ %m, %loop ]
  {step}
  %j = add i32 %i, %step
  %m = add i16 %n, 1
  %c = icmp {going}
  br i1 %c, label %loop, label %exit
exit:
  %wide = zext i16 %n to i32
  %sum = add i32 %j, %wide
  %left = trunc {type} %w to i8
  %rest = zext i8 %left to i32
  %all = add i32 %sum, %rest
  %to = getelementptr i32, ptr %out, i64 %t64
  store i32 %all, ptr %to, align 4
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
STEPS = {
    "ones": "%d = sub {type} %v, 1\n  %w = and {type} %v, %d",
    "highest": "%w = lshr {type} %v, 1",
    "lowest": "%w = shl {type} %v, 1",
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("width", [16, 32, 64])
@pytest.mark.parametrize("going", ["ne {} %w, 0", "ugt {} %w, 1", "ugt {} %v, 1", "ugt {} %v, 3"])
def test_bits_are_counted(step: str, width: int, going: str):
    if not going.startswith("ne") and step != "highest":
        return
    type_ = f"i{width}"
    narrow = "add i64 %full, 0" if width == 64 else f"trunc i64 %full to {type_}"
    text = KERNEL.format(
        type=type_, narrow=narrow, step=STEPS[step].format(type=type_),
        going=going.format(type_),
    )  # fmt: skip
    rng = np.random.default_rng(width)
    numbers = rng.integers(-(2**63), 2**63 - 1, 64) & rng.integers(-(2**63), 2**63 - 1, 64)
    numbers[:10] = [0, 1, -1, 2**31, -(2**31), 2**62, -(2**63), 0x00FF0000, 2, 5]
    out = np.zeros(64, np.int32)
    module = read_ll(text, "k.ll")

    def result() -> list[int]:
        launch = Launch("k", 1, 64, (numbers, out, 3))
        return run(prepare(module, ("init", "race")), launch).arrays[1].tolist()

    wanted = result()
    run_pipeline(module, "loop-idiom")
    verify_module(module)
    assert not any(op.name == "llvm.cond_br" for op in module.walk())
    assert result() == wanted


EFFECTS = {
    "a store": "store i16 %m, ptr %out, align 2",
    "an atomic operation": "%old = atomicrmw add ptr %out, i32 1 monotonic",
    "a volatile load": "%old = load volatile i32, ptr %out, align 4",
    "a barrier": "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
    "a call": "call void @f()",
    "assembly": 'call void asm sideeffect "nanosleep.u32 10;", ""()',
}


@pytest.mark.parametrize("effect", EFFECTS.values(), ids=EFFECTS)
def test_a_loop_with_an_effect_is_kept(effect: str):
    step = f"{effect}\n  " + STEPS["highest"].format(type="i32")
    text = KERNEL.format(
        type="i32", narrow="trunc i64 %full to i32", step=step, going="ne i32 %w, 0"
    )
    text += "declare void @f()\ndeclare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
    module = read_ll(text, "k.ll")
    run_pipeline(module, "loop-idiom")
    assert any(op.name == "llvm.cond_br" for op in module.walk())


def test_a_sum_of_vectors_is_kept():
    step = STEPS["highest"].format(type="i32") + "\n  %b = add <2 x i32> %a, splat (i32 3)"
    text = KERNEL.format(
        type="i32", narrow="trunc i64 %full to i32", step=step, going="ne i32 %w, 0"
    )
    text = text.replace(
        "loop:\n", "loop:\n  %a = phi <2 x i32> [ zeroinitializer, %entry ], [ %b, %loop ]\n"
    ).replace("  ret void", "  store <2 x i32> %b, ptr %in, align 8\n  ret void")
    module = read_ll(text, "k.ll")
    run_pipeline(module, "loop-idiom")
    verify_module(module)
    assert any(op.name == "llvm.cond_br" for op in module.walk())


FILL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr align 16 %out) {
entry:
  br label %loop
loop:
  %i = phi i64 [ 3, %entry ], [ %j, %loop ]
  %to = getelementptr i8, ptr %out, i64 %i
  store i8 5, ptr %to, align 1
  %b = add i64 %i, 29
  %j = add i64 %i, 1
  %c = icmp ne i64 %b, 117
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
"""


@pytest.mark.parametrize("start", [0, 2, 3, 8])
def test_memory_is_filled(start: int):
    module = read_ll(FILL.replace("[ 3,", f"[ {start},"), "k.ll")
    out = np.zeros(128, np.int8)

    def result() -> list[int]:
        return run(prepare(module, ("race",)), Launch("k", 1, 1, (out,))).arrays[0].tolist()

    wanted = result()
    assert sum(wanted) == 5 * (89 - start)
    run_pipeline(module, "loop-idiom,loop-deletion")
    assert any("memset" in op.name for op in module.walk()) is (start != 3)
    assert any(op.name == "llvm.cond_br" for op in module.walk()) is (start == 3)
    assert result() == wanted


def test_random_kernels_compute_the_same():
    for seed in range(8):
        transformed(seed, "loop-idiom")
