"""Blocks that run side by side produce the same memory as blocks in sequence."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.lab.launches import copied_arguments
from nvvm_xdsl.lab.random_kernels import random_kernel_text, random_launches
from nvvm_xdsl.simulator import Limits, SimulationError, launch, prepare
from nvvm_xdsl.simulator.execution import side_by_side
from nvvm_xdsl.simulator.execution.side_by_side import Together

DECLARED = """
@s = internal addrspace(3) global [64 x i32] undef
@t = internal addrspace(3) global [64 x i32] undef
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i64 @llvm.nvvm.read.ptx.sreg.clock64()
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare ptr @malloc(i64)
"""

PLACE = """
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %first = mul i32 %b, %n
  %all = add i32 %first, %tid
  %w = zext i32 %all to i64
  %p = getelementptr i32, ptr %a, i64 %w
"""

SHARED = """
  %v = load i32, ptr %p
  %sp = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %i
  %tp = getelementptr [64 x i32], ptr addrspace(3) @t, i64 0, i64 %i
  store i32 %v, ptr addrspace(3) %sp
  store i32 %all, ptr addrspace(3) %tp
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = xor i64 %i, 63
  %q = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %r
  %other = load i32, ptr addrspace(3) %q
  %down = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %other, i32 3, i32 31)
  %own = load i32, ptr addrspace(3) %tp
  %x = add i32 %down, %own
  store i32 %x, ptr %p
  ret void
"""

LOOP = """
  br label %loop
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
  %h = phi i32 [ 1, %0 ], [ %h1, %loop ]
  %h0 = mul i32 %h, 31
  %h1 = add i32 %h0, %k
  %k1 = add i32 %k, 1
  %mix = xor i32 %tid, %b
  %c = icmp ult i32 %k1, %mix
  br i1 %c, label %loop, label %done
done:
  store i32 %h1, ptr %p
  ret void
"""

SUM = """
  %v = load i32, ptr %p
  %f = sitofp i32 %v to float
  %g = fdiv float %f, 3.0
  %old = atomicrmw fadd ptr %a, float %g monotonic
  ret void
"""


def both(
    program: Any, grid: int, block: int, args: list[Any], **options: Any
) -> list[tuple[list[bytes], int, str]]:
    """Arrays, steps and errors of blocks in sequence, and side by side."""
    found: list[tuple[list[bytes], int, str]] = []
    for together in (False, True):
        given = [a.copy() for a in args]
        steps, error = 0, ""
        try:
            steps = launch(
                program, None, grid, block, given, side_by_side=together, **options
            ).steps
        except SimulationError as raised:
            error = raised.message
        found.append(([a.tobytes() for a in given], steps, error))
    return found


@pytest.mark.parametrize("body", [SHARED, LOOP, SUM])
def test_kernels(body: str, monkeypatch: pytest.MonkeyPatch):
    source = module(kernel("ptr %a", PLACE + body, DECLARED))
    data = np.random.default_rng(1).integers(0, 1 << 24, 7 * 64, dtype=np.int32)
    for most in (128, 192, 8192):
        monkeypatch.setattr(side_by_side, "MOST_LANES", most)
        for program in (prepare(source), prepare(source, ["init"]), prepare(select(source))):
            apart, together = both(program, 7, 64, [data])
            assert apart == together
            assert apart[0][0] != data.tobytes()
            assert program.together("k") is not Together.NOT


WORDS = {
    "store i32 %tid, ptr %p": Together.FREE,
    "%s = atomicrmw umax ptr %a, i32 %tid monotonic": Together.FREE,
    "%s = atomicrmw add ptr %a, i32 1 monotonic\n  store i32 %s, ptr %p": Together.ONCE,
    "%s = atomicrmw xchg ptr %a, i32 %tid monotonic": Together.ONCE,
    "%s = atomicrmw xchg ptr %a, i32 1 monotonic\n  %u = atomicrmw add ptr %a, i32 1 monotonic": Together.NOT,
    "%s = cmpxchg ptr %a, i32 0, i32 1 monotonic monotonic": Together.NOT,
    "%s = load volatile i32, ptr %a": Together.NOT,
    "store volatile i32 1, ptr %a": Together.NOT,
    "%s = load atomic i32, ptr %a monotonic, align 4": Together.NOT,
    "%s = call i64 @llvm.nvvm.read.ptx.sreg.clock64()\n  store i64 %s, ptr %a": Together.NOT,
    "%s = call ptr @malloc(i64 8)": Together.NOT,
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)": Together.FREE,
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)": Together.NOT,
    "call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 0, i32 64)": Together.NOT,
}


@pytest.mark.parametrize("op", WORDS)
def test_order_dependent_blocks_run_in_sequence(op: str):
    program = prepare(module(kernel("ptr %a", f"{PLACE}  {op}\n  ret void", DECLARED)))
    program.function("k")
    assert program.together("k") is WORDS[op]


def test_a_sum_in_a_loop_runs_one_block_after_the_other():
    body = SUM.replace("  %old", "  br label %loop\nloop:\n  %old", 1).replace(
        "  ret void",
        "  %c = fcmp olt float %old, 2.0e8\n  br i1 %c, label %loop, label %done\ndone:\n  ret void",
    )
    program = prepare(module(kernel("ptr %a", PLACE + body, DECLARED)))
    data = np.arange(4 * 32, dtype=np.int32) << 20
    data[0] = 0
    program.function("k")
    assert program.together("k") is Together.ONCE
    apart, together = both(program, 4, 32, [data])
    assert apart == together
    assert program.together("k") is Together.NOT


def test_errors_are_those_of_the_first_wrong_block():
    """The last block's error is the first in time, the second block's the first in order."""
    body = """
  %late = icmp eq i32 %b, 1
  br i1 %late, label %loop, label %early
early:
  %far = icmp eq i32 %b, 3
  br i1 %far, label %wrong, label %done
loop:
  %k = phi i32 [ 0, %0 ], [ %k1, %loop ]
  %k1 = add i32 %k, 1
  %c = icmp ult i32 %k1, 9
  br i1 %c, label %loop, label %wrong
wrong:
  %o = getelementptr i32, ptr %a, i64 1000
  store i32 1, ptr %o
  br label %done
done:
  ret void
"""
    program = prepare(module(kernel("ptr %a", PLACE + body, DECLARED)))
    apart, together = both(program, 4, 32, [np.zeros(128, np.int32)])
    assert apart == together
    assert "of block (1, 0, 0)" in together[2]


def test_steps_have_one_limit():
    program = prepare(module(kernel("ptr %a", PLACE + LOOP, DECLARED)))
    data = [np.zeros(128, np.int32)]
    steps = both(program, 4, 32, data)[0][1]
    for limit in (steps - 1, steps):
        apart, together = both(program, 4, 32, data, limits=Limits(steps=limit))
        assert apart == together
        assert bool(together[2]) == (limit < steps)


def test_random_kernels():
    seen: set[Together] = set()
    for seed in range(6):
        source = read_ll(random_kernel_text(seed, 40))
        program = prepare(source, ["init"])
        for item in random_launches(seed, 3):
            found: list[list[bytes]] = []
            for together in (False, True):
                args = copied_arguments(item)
                launch(
                    program, item.kernel, item.grid, item.block, args, checks=["init"],
                    shared_bytes=item.shared_bytes, side_by_side=together,
                )  # fmt: skip
                found.append([a.tobytes() for a in args if isinstance(a, np.ndarray)])
            assert found[0] == found[1]
            seen.add(program.together(item.kernel))
    assert Together.FREE in seen
