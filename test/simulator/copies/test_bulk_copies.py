"""Bulk copies, bulk reductions, asynchronous stores and the barrier objects that they signal.

PTX ISA 9.7.9.25.4, 9.7.9.12, 9.7.9.13, 9.7.13.7 and 9.7.13.15.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.copy_kernels import INIT, asm, error_of, run, single, wait

COPY_IN = """\
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3), ptr addrspace(3), ptr addrspace(1), i32, i64, i1 immarg)
declare void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(1), i32, i16, i64, i1 immarg, i1 immarg)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7), ptr addrspace(3), ptr addrspace(3), i32)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1), ptr addrspace(3), i32, i64, i1 immarg)
declare void @llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask(ptr addrspace(1), ptr addrspace(3), i32, i64, i1 immarg, i16)
declare void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1), i32, i64, i1 immarg)
declare ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(7), i32)
"""

OUT = """\
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %out, ptr addrspace(3) @s, i32 %n, i64 0, i1 0)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
"""

IN_INTRINSIC = "  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @s, ptr addrspace(3) @bar, ptr addrspace(1) %in, i32 %n, i64 0, i1 0)\n"
IN_HINT = IN_INTRINSIC.replace("i64 0, i1 0", "i64 0, i1 1")
IN_CLUSTER = """\
  %to = addrspacecast ptr addrspace(3) @s to ptr
  %there = addrspacecast ptr %to to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %there, ptr addrspace(3) @bar, ptr addrspace(1) %in, i32 %n, i16 0, i64 0, i1 0, i1 0)
"""
# As in CUTLASS: shared addresses are 32-bit registers.
IN_ASM = "  " + asm(
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1], $2, [$3];",
    "r ptr addrspace(3) @s", "l ptr addrspace(1) %in", "r i32 %n", "r ptr addrspace(3) @bar",
)  # fmt: skip

POINTERS = "ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n"


def expected_bytes(n: str = "%n") -> str:
    return f"  %e = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 {n})\n"


@pytest.mark.parametrize("copy", [IN_INTRINSIC, IN_HINT, IN_CLUSTER, IN_ASM])
@pytest.mark.parametrize("size", [16, 48, 4096])
def test_bytes_go_to_shared_memory_and_back(copy: str, size: int):
    data = np.random.default_rng(size).integers(0, 256, size, np.uint8)
    out = np.zeros(size + 16, np.uint8)
    text = single(POINTERS, INIT + expected_bytes() + copy + wait() + OUT, COPY_IN)
    run(text, [data, out, size])
    assert out.tolist() == [*data.tolist(), *[0] * 16]


def test_the_barrier_may_expect_bytes_after_the_copy():
    """expect-tx and complete-tx are summed, in any order, while an arrival is missing (9.7.13.15.5)."""
    data, out = np.arange(64, dtype=np.uint8), np.zeros(64, np.uint8)
    text = single(POINTERS, INIT + IN_INTRINSIC + expected_bytes() + wait() + OUT, COPY_IN)
    run(text, [data, out, 64])
    assert out.tolist() == data.tolist()


def test_a_byte_mask_chooses_bytes_of_each_sixteen():
    mask = 0b1000_0000_0000_1010
    data = np.arange(64, dtype=np.uint8) + 1
    out = np.full(64, 255, np.uint8)
    masked = f"  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask(ptr addrspace(1) %out, ptr addrspace(3) @s, i32 %n, i64 0, i1 0, i16 {mask - 65536})\n"
    body = INIT + expected_bytes() + IN_INTRINSIC + wait() + masked
    run(single(POINTERS, body + OUT.partition("\n")[2], COPY_IN), [data, out, 64])
    wanted = [int(d) if mask >> i % 16 & 1 else 255 for i, d in enumerate(data)]
    assert out.tolist() == wanted


def test_prefetching_changes_nothing_but_needs_the_range():
    text = single(
        POINTERS,
        "  call void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1) %in, i32 %n, i64 0, i1 0)",
        COPY_IN,
    )
    data = np.arange(32, dtype=np.uint8)
    run(text, [data, data.copy(), 32])
    assert data.tolist() == list(range(32))
    error = error_of(text, [data, data.copy(), 48])
    assert "out of bounds: cp.async.bulk.prefetch reads 48 bytes" in error.message


# Clusters: multicast, and copies between shared memories

CLUSTER_START = (
    INIT
    + """\
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
  %wide = zext i32 %rank to i64
"""
)
CLUSTER_OUT = """\
  %size = zext i32 %n to i64
  %at = mul i64 %wide, %size
  %mine = getelementptr i8, ptr addrspace(1) %out, i64 %at
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %mine, ptr addrspace(3) @s, i32 %n, i64 0, i1 0)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
"""


def test_a_multicast_goes_to_the_blocks_of_its_mask():
    """Blocks 0, 1 and 3 get the data and the signal at the same offset of their shared memory."""
    body = f"""{CLUSTER_START}
  store i64 0, ptr addrspace(3) @s
  store i64 0, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i64 8)
  %two = icmp eq i32 %rank, 2
  br i1 %two, label %sends, label %receives
sends:
  {IN_CLUSTER.replace("i16 0, i64 0, i1 0, i1 0", "i16 11, i64 0, i1 1, i1 0")}
  br label %all
receives:
  {expected_bytes()}{wait(0, "w")}
  br label %all
all:
{CLUSTER_OUT}"""
    data, out = np.arange(16, dtype=np.uint8) + 1, np.zeros(64, np.uint8)
    run(single(POINTERS, body, COPY_IN), [data, out, 16], grid=4, cluster=4)
    got = out.reshape(4, 16).tolist()
    assert got == [data.tolist(), data.tolist(), [0] * 16, data.tolist()]


def test_a_copy_to_another_block_signals_its_barrier_object():
    """Each block fills its `@s` and sends it to the other's `@r`."""
    body = f"""{CLUSTER_START}
  %start = mul i32 %rank, 100
  store i32 %start, ptr addrspace(3) @s
  %next = add i32 %start, 1
  store i32 %next, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i64 4)
  {expected_bytes("16")}
  %other = xor i32 %rank, 1
  %r = addrspacecast ptr addrspace(3) @r to ptr
  %rc = addrspacecast ptr %r to ptr addrspace(7)
  %b = addrspacecast ptr addrspace(3) @bar to ptr
  %bc = addrspacecast ptr %b to ptr addrspace(7)
  %to = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(7) %rc, i32 %other)
  %signal = call ptr addrspace(7) @llvm.nvvm.mapa.shared.cluster(ptr addrspace(7) %bc, i32 %other)
  %sg = addrspacecast ptr addrspace(7) %signal to ptr
  %s3 = addrspacecast ptr %sg to ptr addrspace(3)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.cluster(ptr addrspace(7) %to, ptr addrspace(3) %s3, ptr addrspace(3) @s, i32 16)
  {wait()}
{CLUSTER_OUT.replace("@s", "@r")}"""
    before = COPY_IN + "@r = internal addrspace(3) global [4096 x i8] undef, align 1024\n"
    out = np.zeros(8, np.int32)
    run(single(POINTERS, body, before), [None, out, 16], grid=2, cluster=2)
    assert out[[0, 1, 4, 5]].tolist() == [100, 101, 0, 1]


# Reductions

REDUCTIONS = [
    ("and.b32", "u4", 0xF0F0F0F0, 0xFF00FF00, 0xF000F000),
    ("or.b64", "u8", 1 << 60, 5, 1 << 60 | 5),
    ("xor.b32", "u4", 5, 1, 4),
    ("add.u32", "u4", 0xFFFFFFFF, 2, 1),
    ("add.s32", "i4", -5, 3, -2),
    ("add.u64", "u8", 2**64 - 1, 2, 1),
    ("min.s32", "i4", -1, 1, -1),
    ("max.u32", "u4", 0xFFFFFFFF, 1, 0xFFFFFFFF),
    ("min.u64", "u8", 2**63, 2, 2),
    ("max.s64", "i8", -(2**63), -1, -1),
    ("inc.u32", "u4", 7, 7, 0),
    ("inc.u32", "u4", 3, 7, 4),
    ("dec.u32", "u4", 0, 7, 7),
    ("dec.u32", "u4", 9, 7, 7),
    ("dec.u32", "u4", 5, 7, 4),
    ("add.f32", "f4", 1.5, 2.0, 3.5),
    ("add.f64", "f8", 1e300, 1e284, 1e300 + 1e284),
    ("add.noftz.f16", "f2", 1.5, 0.25, 1.75),
    ("min.f16", "f2", -0.5, 2.0, -0.5),
    ("max.f16", "f2", -0.5, 2.0, 2.0),
]


@pytest.mark.parametrize(("operation", "kind", "old", "source", "new"), REDUCTIONS)
def test_elements_are_reduced_at_the_destination(operation, kind, old, source, new):
    per = 32 // np.dtype(kind).itemsize
    data, out = np.full(per, source, kind), np.full(per + 2, old, kind)
    reduce = "  " + asm(
        f"cp.reduce.async.bulk.global.shared::cta.bulk_group.{operation} [$0], [$1], $2;",
        "l ptr addrspace(1) %out", "r ptr addrspace(3) @s", "r i32 %n",
    )  # fmt: skip
    body = INIT + expected_bytes() + IN_INTRINSIC + wait() + reduce + "\n" + OUT.partition("\n")[2]
    run(single(POINTERS, body, COPY_IN), [data, out, 32])
    assert out.tolist() == [np.array(new, kind).item()] * per + [np.array(old, kind).item()] * 2


def test_a_reduction_flushes_subnormal_singles_but_not_halves():
    """9.7.9.25.4.2: `add.f32` flushes subnormal inputs and results to zeros of their sign."""
    tiny = np.float32(1e-40)
    cases = np.array([[tiny, tiny], [-tiny, -tiny], [1.2e-38, -1.19e-38], [1.0, tiny]], np.float32)
    out = np.ascontiguousarray(cases[:, 0])
    reduce = "  " + asm(
        "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [$0], [$1], $2;",
        "l ptr addrspace(1) %out", "r ptr addrspace(3) @s", "r i32 %n",
    )  # fmt: skip
    body = INIT + expected_bytes() + IN_INTRINSIC + wait() + reduce
    run(single(POINTERS, body, COPY_IN), [np.ascontiguousarray(cases[:, 1]), out, 16])
    assert out.view(np.uint32).tolist() == [0, 0x80000000, 0, 0x3F800000]
    half = np.array([0x0001] * 8, np.uint16)
    out16 = np.array([0x0002] * 8, np.uint16)
    run(single(POINTERS, body.replace("add.f32", "add.noftz.f16"), COPY_IN), [half, out16, 16])
    assert out16.tolist() == [3] * 8


def test_a_reduction_in_another_block():
    body = f"""{CLUSTER_START}
  store i32 40, ptr addrspace(3) @s
  store i32 2, ptr addrspace(3) @r
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %zero = icmp eq i32 %rank, 0
  br i1 %zero, label %sends, label %receives
sends:
  {asm("{ .reg .b32 a; .reg .b32 b; mapa.shared::cluster.u32 a, $0, 1; mapa.shared::cluster.u32 b, $2, 1; cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [a], [$1], 16, [b]; }", "r ptr addrspace(3) @r", "r ptr addrspace(3) @s", "r ptr addrspace(3) @bar")}
  br label %all
receives:
  {expected_bytes("16")}{wait(0, "w")}
  br label %all
all:
{CLUSTER_OUT.replace("@s", "@r")}"""
    before = COPY_IN + "@r = internal addrspace(3) global [4096 x i8] undef, align 1024\n"
    out = np.zeros(8, np.int32)
    run(single(POINTERS, body, before), [None, out, 16], grid=2, cluster=2)
    assert out[[0, 4]].tolist() == [2, 42]


# st.async, red.async, st.bulk, cp.async.mbarrier.arrive


@pytest.mark.parametrize(
    ("instruction", "operands", "size", "wanted"),
    [
        ("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [a], $2, [b]", ["r i32 7"], 4, [7, 9, 9, 9]),
        ("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [a], {$2, $3}, [b]", ["r i32 7", "r i32 8"], 8, [7, 8, 9, 9]),
        ("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.s32 [a], {$2, $3, $4, $5}, [b]", ["r i32 1", "r i32 2", "r i32 3", "r i32 4"], 16, [1, 2, 3, 4]),
        ("st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [a], $2, [b]", ["l i64 8589934593"], 8, [1, 2, 9, 9]),
        ("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u32 [a], $2, [b]", ["r i32 33"], 4, [42, 9, 9, 9]),
        ("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.min.s32 [a], $2, [b]", ["r i32 -3"], 4, [-3, 9, 9, 9]),
        ("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.inc.u32 [a], $2, [b]", ["r i32 9"], 4, [0, 9, 9, 9]),
        ("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.xor.b32 [a], $2, [b]", ["r i32 1"], 4, [8, 9, 9, 9]),
        ("red.async.relaxed.cluster.mbarrier::complete_tx::bytes.shared::cluster.add.u64 [a], $2, [b]", ["l i64 1"], 8, [10, 9, 9, 9]),
    ],
)  # fmt: skip
def test_asynchronous_stores_to_another_block(instruction, operands, size, wanted):
    """9.7.9.12, 9.7.13.7: block 0 changes memory of block 1, and signals its barrier object."""
    mapped = "{ .reg .b32 a; .reg .b32 b; mapa.shared::cluster.u32 a, $0, 1; mapa.shared::cluster.u32 b, $1, 1; "
    body = f"""{CLUSTER_START}
  store <4 x i32> <i32 9, i32 9, i32 9, i32 9>, ptr addrspace(3) @s
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %zero = icmp eq i32 %rank, 0
  br i1 %zero, label %sends, label %receives
sends:
  {asm(mapped + instruction + "; }", "r ptr addrspace(3) @s", "r ptr addrspace(3) @bar", *operands)}
  br label %all
receives:
  {expected_bytes(str(size))}{wait(0, "w")}
  br label %all
all:
{CLUSTER_OUT}"""
    out = np.zeros(8, np.int32)
    run(single(POINTERS, body, COPY_IN), [None, out, 16], grid=2, cluster=2)
    assert out.tolist() == [9] * 4 + wanted


def test_stores_at_system_scope_are_visible_at_once():
    body = "  " + asm(
        "st.async.mmio.release.sys.global.u16 [$0], $1; red.async.mmio.release.gpu.global.add.s64 [$2], $3;",
        "l ptr addrspace(1) %out", "h i16 513", "l ptr addrspace(1) %in", "l i64 -2",
    )  # fmt: skip
    data, out = np.array([1, 5], np.int64), np.zeros(16, np.uint8)
    run(single(POINTERS, body), [data, out, 0])
    assert out[:3].tolist() == [1, 2, 0]
    assert data.tolist() == [-1, 5]


def test_bulk_stores_are_zeros():
    """9.7.9.13: a size of 64 bits, a multiple of 8; other bytes are unchanged."""
    before = "declare void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3), i64, i64 immarg)\n"
    clear = "  call void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i64 8), i64 24, i64 0)\n"
    data, out = np.arange(48, dtype=np.uint8) + 1, np.zeros(48, np.uint8)
    body = INIT + expected_bytes() + IN_INTRINSIC + wait() + clear + OUT
    run(single(POINTERS, body, COPY_IN + before), [data, out, 48])
    assert out.tolist() == [*range(1, 9), *[0] * 24, *range(33, 49)]
    wrong = clear.replace("i64 24", "i64 20")
    error = error_of(single(POINTERS, wrong, before), [data, out, 48])
    assert "st.bulk of 20 bytes, not a multiple of 8" in error.message


@pytest.mark.parametrize(("noinc", "count", "passes"), [(".noinc", 2, 1), ("", 1, 0), ("", 2, 0)])
def test_an_arrival_after_asynchronous_copies(noinc: str, count: int, passes: int):
    """9.7.13.15.16: with `.noinc` the arrival counts; without it, it is expected by itself."""
    before = (
        f"declare void @llvm.nvvm.cp.async.mbarrier.arrive{noinc}.shared(ptr addrspace(3))\n"
        "declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))\n"
        "declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)\n"
    )
    body = f"""{INIT.replace("i32 1", f"i32 {count}")}
  call void @llvm.nvvm.cp.async.mbarrier.arrive{noinc}.shared(ptr addrspace(3) @bar)
  %t = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @bar)
  %d = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %t)
  %w = zext i1 %d to i32
  store i32 %w, ptr addrspace(1) %out"""
    out = np.zeros(1, np.int32)
    run(single(POINTERS, body, before), [None, out, 0])
    assert out.tolist() == [passes if noinc or count > 1 else 1]


# Errors


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (IN_INTRINSIC.replace("i32 %n", "i32 24"), "cp.async.bulk of 24 bytes, not a multiple of 16"),
        (IN_INTRINSIC.replace("@s", "getelementptr (i8, ptr addrspace(3) @s, i64 8)"), "not aligned to 16 bytes: cp.async.bulk writes 32 bytes at shared address"),
        (IN_INTRINSIC.replace("i32 %n", "i32 80"), "out of bounds: cp.async.bulk reads 80 bytes at global address"),
        (IN_INTRINSIC.replace("i32 %n", "i32 4112"), "bytes"),
        ("", "never completes"),
        ("  " + asm("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [$0], [$1], $2, [$3], $4;", "r ptr addrspace(3) @s", "l ptr addrspace(1) %in", "r i32 %n", "r ptr addrspace(3) @bar", "h i16 2") + "\n", "a multicast mask of 0x2 in a cluster of 1"),
        ("  " + asm("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [$0], [$0], 16, [$1];", "r ptr addrspace(3) @s", "r ptr addrspace(3) @bar") + "\n", "from shared memory to the executing block itself"),
    ],
)  # fmt: skip
def test_wrong_copies_are_reported(body: str, message: str):
    data = np.zeros(64, np.uint8)
    text = single(POINTERS, INIT + expected_bytes() + body + wait() + OUT, COPY_IN)
    assert message in error_of(text, [data, data.copy(), 32]).message


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (IN_INTRINSIC + OUT + wait(), "a data race with an asynchronous copy"),
        ("  store i32 1, ptr addrspace(3) @s\n" + IN_INTRINSIC + wait() + OUT, None),
        (IN_INTRINSIC + "  %v = load i32, ptr addrspace(3) @s\n  store i32 %v, ptr addrspace(1) %out\n" + wait(), "a data race with an asynchronous copy"),
        (IN_INTRINSIC + "  store i32 1, ptr addrspace(3) @s\n" + wait(), "a data race with an asynchronous copy"),
        (IN_INTRINSIC + wait() + OUT.partition("\n")[0] + "\n  store i32 1, ptr addrspace(3) @s\n", "a data race with an asynchronous copy"),
        (IN_INTRINSIC + wait() + OUT + "  store i32 1, ptr addrspace(3) @s\n", None),
        (IN_INTRINSIC + wait() + OUT + "  %v = load i32, ptr addrspace(1) %out\n", None),
    ],
)  # fmt: skip
def test_missing_waits_are_races(body: str, message: str | None):
    data, out = np.zeros(32, np.uint8), np.zeros(32, np.uint8)
    text = single(POINTERS, INIT + expected_bytes() + body, COPY_IN)
    if message is None:
        run(text, [data, out, 32], checks=["race"])
    else:
        error = error_of(text, [data, out, 32], checks=["race"])
        assert error.kind == "race"
        assert message in error.message


def test_copies_of_undefined_bytes_stay_undefined():
    text = single(POINTERS, OUT, COPY_IN)
    error = error_of(text, [None, np.zeros(16, np.uint8), 16], checks=["init"])
    assert error.kind == "init"
