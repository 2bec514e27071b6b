"""Cooperating threads: divergence, barriers, warps, clusters, blocks."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module, run

from nvvm_xdsl.simulator import Limits, SimulationError, launch, prepare

SHARED = "@s = internal addrspace(3) global [256 x i32] undef\n"


def test_reversal_through_shared_memory():
    body = "\n".join(
        [
            "  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
            "  %p = getelementptr i32, ptr %a, i64 %i",
            "  %v = load i32, ptr %p",
            "  %sp = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %i",
            "  store i32 %v, ptr addrspace(3) %sp",
            "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
            "  %m = sub i32 %n, 1",
            "  %r = sub i32 %m, %tid",
            "  %rw = zext i32 %r to i64",
            "  %sq = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %rw",
            "  %w = load i32, ptr addrspace(3) %sq",
            "  store i32 %w, ptr %p",
            "  ret void",
        ]
    )
    for block in (1, 33, 256):
        a = np.arange(block, dtype=np.int32)
        run(kernel("ptr %a", body, SHARED), [a], block=block, checks=["race", "init", "sync"])
        assert a.tolist() == list(range(block))[::-1]


def test_barriers_in_a_loop_with_a_divergent_body():
    """A prefix sum: in each iteration only some threads add, and all synchronize at the barriers."""
    body = "\n".join(
        [
            "  %sp = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %i",
            "  store i32 1, ptr addrspace(3) %sp",
            "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
            "  br label %loop",
            "loop:",
            "  %d = phi i32 [ 1, %0 ], [ %d2, %next ]",
            "  %c = icmp uge i32 %tid, %d",
            "  br i1 %c, label %read, label %meet",
            "read:",
            "  %k = sub i32 %tid, %d",
            "  %kw = zext i32 %k to i64",
            "  %lp = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %kw",
            "  %lv = load i32, ptr addrspace(3) %lp",
            "  br label %meet",
            "meet:",
            "  %add = phi i32 [ 0, %loop ], [ %lv, %read ]",
            "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
            "  %old = load i32, ptr addrspace(3) %sp",
            "  %new = add i32 %old, %add",
            "  store i32 %new, ptr addrspace(3) %sp",
            "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
            "  br label %next",
            "next:",
            "  %d2 = shl i32 %d, 1",
            "  %more = icmp ult i32 %d2, 128",
            "  br i1 %more, label %loop, label %done",
            "done:",
            "  %r = load i32, ptr addrspace(3) %sp",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %r, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(100, np.int32)
    run(kernel("ptr %out", body, SHARED), [out], block=100, checks=["race", "init", "sync"])
    assert out.tolist() == list(range(1, 101))


def test_a_barrier_in_a_device_function_called_under_divergence():
    """Both sides of a branch call a function with a barrier, which synchronizes them."""
    before = SHARED + "\n".join(
        [
            "define internal i32 @meet(i32 %v) noinline {",
            "  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)",
            "  %r = add i32 %v, 1",
            "  ret i32 %r",
            "}",
            "declare void @llvm.nvvm.barrier.cta.sync.all(i32)",
        ]
    )
    body = "\n".join(
        [
            "  %sp = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %i",
            "  %c = icmp ult i32 %tid, 20",
            "  br i1 %c, label %low, label %high",
            "low:",
            "  store i32 %tid, ptr addrspace(3) %sp",
            "  %x = call i32 @meet(i32 100)",
            "  br label %join",
            "high:",
            "  store i32 %tid, ptr addrspace(3) %sp",
            "  %y = call i32 @meet(i32 200)",
            "  br label %join",
            "join:",
            "  %v = phi i32 [ %x, %low ], [ %y, %high ]",
            "  %o = sub i32 49, %tid",
            "  %ow = zext i32 %o to i64",
            "  %op = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %ow",
            "  %other = load i32, ptr addrspace(3) %op",
            "  %r = add i32 %v, %other",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %r, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(50, np.int32)
    run(kernel("ptr %out", body, before), [out], block=50, checks=["race", "init"])
    assert out.tolist() == [(101 if t < 20 else 201) + 49 - t for t in range(50)]


def test_named_barriers_with_counts():
    """Warp 0 produces, warp 1 consumes; warp 2 does not participate."""
    before = (
        SHARED
        + "declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)\ndeclare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)"
    )
    body = "\n".join(
        [
            "  %w = lshr i32 %tid, 5",
            "  %lane = and i32 %tid, 31",
            "  %lw = zext i32 %lane to i64",
            "  %sp = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %lw",
            "  switch i32 %w, label %rest [ i32 0, label %produce\n i32 1, label %consume ]",
            "produce:",
            "  %v = mul i32 %lane, 3",
            "  store i32 %v, ptr addrspace(3) %sp",
            "  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)",
            "  ret void",
            "consume:",
            "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)",
            "  %r = load i32, ptr addrspace(3) %sp",
            "  %q = getelementptr i32, ptr %out, i64 %lw",
            "  store i32 %r, ptr %q",
            "  ret void",
            "rest:",
            "  ret void",
        ]
    )
    out = np.zeros(32, np.int32)
    run(kernel("ptr %out", body, before), [out], block=96, checks=["race", "init"])
    assert out.tolist() == [3 * t for t in range(32)]


@pytest.mark.parametrize(("kind", "wanted"), [("popc", 13), ("and", 0), ("or", 1)])
def test_barrier_reductions(kind: str, wanted: int):
    result = "i32" if kind == "popc" else "i1"
    before = f"declare {result} @llvm.nvvm.barrier.cta.red.{kind}.aligned.all(i32, i1)"
    widen = "" if kind == "popc" else "  %z = zext i1 %r to i32\n"
    body = "\n".join(
        [
            "  %c = icmp ult i32 %tid, 13",
            f"  %r = call {result} @llvm.nvvm.barrier.cta.red.{kind}.aligned.all(i32 0, i1 %c)",
            f"{widen}  %q = getelementptr i32, ptr %out, i64 %i",
            f"  store i32 {'%r' if kind == 'popc' else '%z'}, ptr %q",
            "  ret void",
        ]
    )
    out = np.full(70, -1, np.int32)
    run(kernel("ptr %out", body, before), [out], block=70)
    assert out.tolist() == [wanted] * 70


@pytest.mark.parametrize(
    ("mode", "argument", "clamp", "source"),
    [
        ("up", 1, 0, lambda t: t if t % 32 < 1 else t - 1),
        ("down", 2, 31, lambda t: t if t % 32 > 29 else t + 2),
        ("bfly", 5, 31, lambda t: t // 32 * 32 + (t % 32 ^ 5)),
        ("idx", 7, 31, lambda t: t // 32 * 32 + 7),
        ("idx", 1, 0x1C03, lambda t: t // 4 * 4 + 1),
        # The clamp is below the lanes of the upper half: only they read across.
        ("bfly", 16, 0x100F, lambda t: t if t % 32 < 16 else t - 16),
    ],
)
def test_shuffles(mode: str, argument: int, clamp: int, source):
    before = f"declare i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32, i32, i32, i32)"
    body = "\n".join(
        [
            "  %v = mul i32 %tid, 10",
            f"  %r = call i32 @llvm.nvvm.shfl.sync.{mode}.i32(i32 -1, i32 %v, i32 {argument}, i32 {clamp})",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %r, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(64, np.int32)
    run(kernel("ptr %out", body, before), [out], block=64, checks=["sync"])
    assert out.tolist() == [10 * source(t) for t in range(64)]


def test_votes_and_matches_under_a_member_mask():
    before = "\n".join(
        [
            "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)",
            "declare i1 @llvm.nvvm.vote.all.sync(i32, i1)",
            "declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)",
            "declare {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32, i32)",
            "declare i32 @llvm.nvvm.redux.sync.add(i32, i32)",
        ]
    )
    body = "\n".join(
        [
            "  %c = icmp ult i32 %tid, 8",
            "  br i1 %c, label %some, label %done",
            "some:",
            "  %o = trunc i32 %tid to i1",
            "  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 255, i1 %o)",
            "  %all = call i1 @llvm.nvvm.vote.all.sync(i32 255, i1 %o)",
            "  %k = lshr i32 %tid, 1",
            "  %ma = call i32 @llvm.nvvm.match.any.sync.i32(i32 255, i32 %k)",
            "  %mp = call {i32, i1} @llvm.nvvm.match.all.sync.i32p(i32 255, i32 5)",
            "  %m0 = extractvalue {i32, i1} %mp, 0",
            "  %sum = call i32 @llvm.nvvm.redux.sync.add(i32 %tid, i32 255)",
            "  %x = zext i1 %all to i32",
            "  %o5 = mul i64 %i, 5",
            *(
                f"  %q{n} = getelementptr i32, ptr %out, i64 %o5\n  %r{n} = getelementptr i32, ptr %q{n}, i64 {n}\n  store i32 {v}, ptr %r{n}"
                for n, v in enumerate(("%b", "%x", "%ma", "%m0", "%sum"))
            ),
            "  br label %done",
            "done:",
            "  ret void",
        ]
    )
    out = np.zeros((8, 5), np.uint32)
    run(kernel("ptr %out", body, before), [out], block=32, checks=["sync"])
    assert out.tolist() == [[0xAA, 0, 3 << (t // 2 * 2), 0xFF, 28] for t in range(8)]


def test_lanes_reconverge_after_a_divergent_loop_before_a_shuffle():
    before = "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)"
    body = "\n".join(
        [
            "  br label %loop",
            "loop:",
            "  %n = phi i32 [ 0, %0 ], [ %m, %loop ]",
            "  %m = add i32 %n, 1",
            "  %c = icmp ult i32 %n, %tid",
            "  br i1 %c, label %loop, label %exit",
            "exit:",
            "  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %m, i32 31, i32 31)",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %r, ptr %q",
            "  ret void",
        ]
    )
    out = np.zeros(32, np.int32)
    run(kernel("ptr %out", body, before), [out], checks=["sync"])
    assert out.tolist() == [32] * 32


def test_a_spin_lock_makes_progress():
    """A thread waits in a loop for another that is after the loop."""
    body = "\n".join(
        [
            "  br label %try",
            "try:",
            "  %r = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic",
            "  %got = extractvalue {i32, i1} %r, 1",
            "  br i1 %got, label %critical, label %try",
            "critical:",
            "  %v = load volatile i32, ptr %count",
            "  %w = add i32 %v, 1",
            "  store volatile i32 %w, ptr %count",
            "  %u = atomicrmw xchg ptr %lock, i32 0 release",
            "  ret void",
        ]
    )
    lock, count = np.zeros(1, np.int32), np.zeros(1, np.int32)
    run(kernel("ptr %lock, ptr %count", body), [lock, count], block=8)
    assert count.tolist() == [8]


def test_blocks_and_dimensions():
    before = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()\ndeclare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()"
    body = "\n".join(
        [
            "  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()",
            "  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
            "  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()",
            "  %nx = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()",
            "  %b0 = mul i32 %by, %nx",
            "  %b = add i32 %b0, %bx",
            "  %r0 = mul i32 %b, 12",
            "  %r1 = mul i32 %ty, 4",
            "  %r2 = add i32 %r0, %r1",
            "  %r = add i32 %r2, %tid",
            "  %rw = zext i32 %r to i64",
            "  %q = getelementptr i32, ptr %out, i64 %rw",
            "  store i32 %r, ptr %q",
            "  ret void",
        ]
    )
    out = np.full(72, -1, np.int32)
    run(kernel("ptr %out", body, before), [out], block=(4, 3), grid=(3, 2))
    assert out.tolist() == list(range(72))


def test_blocks_of_a_cluster_see_each_others_shared_memory():
    before = SHARED + "\n".join(
        [
            "declare void @llvm.nvvm.barrier.cluster.arrive.aligned()",
            "declare void @llvm.nvvm.barrier.cluster.wait.aligned()",
            "declare i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()",
            "declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3), i32)",
        ]
    )
    body = "\n".join(
        [
            "  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()",
            "  %sp = getelementptr [256 x i32], ptr addrspace(3) @s, i64 0, i64 %i",
            "  %h = mul i32 %rank, 100",
            "  %v = add i32 %h, %tid",
            "  store i32 %v, ptr addrspace(3) %sp",
            "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()",
            "  call void @llvm.nvvm.barrier.cluster.wait.aligned()",
            "  %other = xor i32 %rank, 1",
            "  %rp = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(3) %sp, i32 %other)",
            "  %r = load i32, ptr addrspace(7) %rp",
            "  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
            "  %b8 = mul i32 %b, 8",
            "  %at = add i32 %b8, %tid",
            "  %aw = zext i32 %at to i64",
            "  %q = getelementptr i32, ptr %out, i64 %aw",
            "  store i32 %r, ptr %q",
            "  call void @llvm.nvvm.barrier.cluster.arrive.aligned()",
            "  call void @llvm.nvvm.barrier.cluster.wait.aligned()",
            "  ret void",
        ]
    )
    out = np.zeros(32, np.int32)
    run(kernel("ptr %out", body, before), [out], block=8, grid=4, cluster=2)
    assert out.reshape(4, 8).tolist() == [
        [(1 - b % 2) * 100 + t for t in range(8)] for b in range(4)
    ]


def test_a_kernel_states_the_size_of_its_clusters():
    names = ("clusterid.x", "nclusterid.x", "cluster.ctaid.x", "cluster.nctaid.x", "cluster.ctarank",
             "cluster.nctarank", "ctaid.x")  # fmt: skip
    reads = "llvm.nvvm.read.ptx.sreg"
    before = "\n".join(f"declare i32 @{reads}.{name}()" for name in names)
    body = [f"  %v{n} = call i32 @{reads}.{name}()" for n, name in enumerate(names)]
    body.append(f"  %at = mul i32 %v{len(names) - 1}, {len(names)}")
    for n in range(len(names)):
        body.append(f"  %a{n} = add i32 %at, {n}")
        body.append(f"  %q{n} = getelementptr i32, ptr %out, i32 %a{n}")
        body.append(f"  store i32 %v{n}, ptr %q{n}")
    text = kernel("ptr %out", "\n".join([*body, "  ret void"]), before)
    text = text.replace(") {", ') "nvvm.cluster_dim"="2,1,1" {', 1)
    out = np.full((6, len(names)), -1, np.int32)
    run(text, [out], block=1, grid=6)
    assert out.tolist() == [[b // 2, 3, b % 2, 2, b % 2, 2, b] for b in range(6)]
    with pytest.raises(SimulationError, match="not a multiple of the cluster"):
        run(text, [out], block=1, grid=5)


def test_dynamic_shared_memory():
    before = "@dyn = external addrspace(3) global [0 x i32], align 16\n"
    body = "\n".join(
        [
            "  %sp = getelementptr i32, ptr addrspace(3) @dyn, i64 %i",
            "  store i32 %tid, ptr addrspace(3) %sp",
            "  %v = load i32, ptr addrspace(3) %sp",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %v, ptr %q",
            "  ret void",
        ]
    )
    text = kernel("ptr %out", body, before)
    out = np.zeros(32, np.int32)
    run(text, [out], shared_bytes=128)
    assert out.tolist() == list(range(32))
    with pytest.raises(SimulationError, match="out of bounds"):
        run(text, [out], shared_bytes=124)


def test_a_second_launch_has_no_state_of_the_first():
    text = kernel(
        "ptr %a, i32 %by",
        "  %v = load i32, ptr %a\n  %w = add i32 %v, %by\n  store i32 %w, ptr %a\n  ret void",
    )
    program = prepare(module(text))
    a = np.zeros(1, np.int32)
    for by in (1, 10, 100):
        launch(program, "k", 1, 1, [a, by])
    assert a.tolist() == [111]


def test_an_endless_loop_ends_with_an_error():
    text = kernel("ptr %a", "  br label %loop\nloop:\n  br label %loop")
    with pytest.raises(SimulationError, match="more than 1000 steps") as caught:
        run(text, [np.zeros(1, np.int32)], limits=Limits(steps=1000))
    assert caught.value.kind == "limit"
