"""Barrier objects: phases, counts of arrivals and bytes (PTX ISA 9.7.13.15)."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.copy_kernels import INIT, error_of, expect, run, single, wait

from nvvm_xdsl.simulator import SimulationError

POINTERS = "ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n"

MBARRIER = """\
declare void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.drop.scope.cta.space.cta(ptr addrspace(3), i32)
declare i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3), i32)
declare void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3))
"""


def phases(steps: list[str]) -> list[int]:
    """Returns whether phase 0, queried by parity, is complete after each step."""
    body = INIT.replace("i32 1", "i32 2")
    for i, step in enumerate(steps):
        result = f"%r{i} = " if "arrive" in step else ""
        body += f"""
  {result}call {"i64" if result else "void"} @llvm.nvvm.mbarrier.{step.replace("(", ".scope.cta.space.cta(ptr addrspace(3) @bar, i32 ")}
  %d{i} = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  %z{i} = zext i1 %d{i} to i32
  %p{i} = getelementptr i32, ptr addrspace(1) %out, i64 {i}
  store i32 %z{i}, ptr addrspace(1) %p{i}"""
    out = np.zeros(len(steps), np.int32)
    run(single(POINTERS, body, MBARRIER), [None, out, 0])
    return out.tolist()


@pytest.mark.parametrize(
    ("steps", "done"),
    [
        (["arrive(1)", "arrive(1)"], [0, 1]),
        (["arrive(2)"], [1]),
        (["expect.tx(16)", "arrive(2)", "complete.tx(8)", "complete.tx(8)"], [0, 0, 0, 1]),
        (["complete.tx(16)", "arrive(2)", "expect.tx(16)"], [0, 0, 1]),
        (["arrive.drop(1)", "arrive(1)"], [0, 1]),
        # phase 1 is complete: its parity is that before phase 0
        (["arrive(2)", "arrive(2)"], [1, 0]),
        # one of two has left: phase 1 needs one arrival
        (["arrive.drop(1)", "arrive(1)", "arrive(1)"], [0, 1, 0]),
    ],
)
def test_a_phase_completes_with_all_arrivals_and_bytes(steps: list[str], done: list[int]):
    assert phases(steps) == done


@pytest.mark.parametrize(
    ("step", "message"),
    [
        ("arrive(3)", "3 arrivals at a barrier object that waits for 2"),
        ("expect.tx(1048576)", "tx-count of a barrier object becomes 1048576, beyond 1048575"),
    ],
)
def test_counts_have_limits(step: str, message: str):
    with pytest.raises(SimulationError, match=message):
        phases([step])


def test_a_phase_that_never_completes_is_reported():
    text = single(POINTERS, INIT + expect(32) + wait())
    error = error_of(text, [None, None, 0])
    assert error.kind == "sync"
    assert (
        "the phase of a barrier object never completes (0 arrivals and 32 bytes are missing)"
        in (error.message)
    )
    assert "thread (0, 0, 0)" in error.message


def test_a_barrier_object_must_be_initialized_and_no_longer_invalid():
    assert "is not initialized" in error_of(single("", wait()), []).message
    body = INIT + "  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) @bar)\n" + wait()
    assert "is not initialized" in error_of(single("", body, MBARRIER), []).message


def test_warps_pass_a_buffer_on():
    """A producer and a consumer warp, two barrier objects, four iterations: only phases order them."""
    before = (
        "declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))\n"
        "@empty = internal addrspace(3) global i64 undef, align 8\n"
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
    )
    body = f"""
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %init, label %ready
init:
{INIT.replace("i32 1", "i32 32")}{INIT.replace("i32 1", "i32 32").replace("@bar", "@empty")}
  br label %ready
ready:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %lane = and i32 %tid, 31
  %l = zext i32 %lane to i64
  %slot = getelementptr i32, ptr addrspace(3) @s, i64 %l
  %producer = icmp ult i32 %tid, 32
  br label %loop
loop:
  %i = phi i32 [ 0, %ready ], [ %next, %latch ]
  %phase = and i32 %i, 1
  %before = xor i32 %phase, 1
  br i1 %producer, label %w1, label %w2
w1:
  %e = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @empty, i32 %before)
  br i1 %e, label %produce, label %w1
produce:
  %v = mul i32 %i, 100
  %x = add i32 %v, %lane
  store i32 %x, ptr addrspace(3) %slot
  %a = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  br label %latch
w2:
  %f = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 %phase)
  br i1 %f, label %consume, label %w2
consume:
  %r = xor i32 %lane, 1
  %rl = zext i32 %r to i64
  %rs = getelementptr i32, ptr addrspace(3) @s, i64 %rl
  %got = load i32, ptr addrspace(3) %rs
  %row = mul i32 %i, 32
  %at = add i32 %row, %lane
  %wide = zext i32 %at to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %wide
  store i32 %got, ptr addrspace(1) %o
  %b = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @empty)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 4
  br i1 %more, label %loop, label %over
over:"""
    out = np.zeros((4, 32), np.int32)
    run(single(POINTERS, body, before), [None, out, 0], block=64, checks=["race", "sync", "init"])
    lane = np.arange(32) ^ 1
    assert out.tolist() == [(100 * i + lane).tolist() for i in range(4)]
