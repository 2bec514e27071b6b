"""Multimem addresses and the launch control of clusters (PTX ISA 9.7.9.14, 9.7.13.17, 9.7.13.18)."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.copy_kernels import INIT, asm, error_of, run, single, wait

from nvvm_xdsl.simulator import Multicast, SimulationError

OUT = "ptr addrspace(1) %m, ptr addrspace(1) %out"


def launch(text: str, arrays, out, before: str = "", **options) -> None:
    """Runs inline assembly with `$0` the multimem address and `$1` that of `out`, as IR."""
    body = "  " + asm(
        text, "l ptr addrspace(1) %m", "l ptr addrspace(1) %out", "r ptr addrspace(3) @s"
    )
    run(single(OUT, before + body), [Multicast(arrays), out], machine=False, **options)
    run(single(OUT, before + body), [Multicast([a.copy() for a in arrays]), out.copy()], **options)


def f16(*values: float) -> np.ndarray:
    return np.array(values, np.float16)


@pytest.mark.parametrize(
    ("operation", "register", "kind", "values", "wanted"),
    [
        ("add.u32", "b32", "u4", [[0xFFFFFFFF], [2], [3]], [4]),
        ("min.s32", "b32", "i4", [[5], [-2], [3]], [-2]),
        ("max.u64", "b64", "u8", [[5], [1 << 63], [3]], [1 << 63]),
        ("and.b32", "b32", "u4", [[7], [6], [14]], [6]),
        ("xor.b64", "b64", "u8", [[7], [6], [8]], [9]),
        ("add.f32", "b32", "f4", [[1.5], [2.0], [-0.25]], [3.25]),
        ("add.f64", "b64", "f8", [[1.5], [2.0], [-0.25]], [3.25]),
        ("add.f16x2", "b32", "f2", [[1, 2], [3, 4], [5, 6]], [9, 12]),
        ("max.f16x2", "b32", "f2", [[1, 2], [3, -4], [-5, 6]], [3, 6]),
        # in halves 2048 + 1 is 2048 each time; in singles the sum is 2050
        ("add.f16x2", "b32", "f2", [[2048, 0], [1, 0], [1, 0]], [2048, 0]),
        ("add.acc::f32.f16x2", "b32", "f2", [[2048, 0], [1, 0], [1, 0]], [2050, 0]),
    ],
)  # fmt: skip
def test_a_load_reduces_the_memory_of_all_devices(operation, register, kind, values, wanted):
    arrays = [np.array(v, kind) for v in values]
    out = np.zeros(len(wanted), kind)
    text = f"{{ .reg .{register} v; multimem.ld_reduce.relaxed.sys.global.{operation} v, [$0]; st.global.{register} [$1], v; }}"
    launch(text, arrays, out)
    assert out.tolist() == np.array(wanted, kind).tolist()


def test_vectors_and_stores_to_all_devices():
    arrays = [np.array([1, 2, 3, 4, 9], np.float32) * (i + 1) for i in range(3)]
    text = "{ .reg .b32 v<4>; multimem.ld_reduce.weak.global.add.v4.f32 {v0, v1, v2, v3}, [$0]; multimem.st.relaxed.sys.global.v2.f32 [$0], {v3, v2}; multimem.red.relaxed.sys.global.add.v2.f32 [$0+8], {v0, v1}; }"
    text = text.replace(
        ".reg .b32 v<4>;", ".reg .b32 v0; .reg .b32 v1; .reg .b32 v2; .reg .b32 v3;"
    )
    launch(text, arrays, np.zeros(1, np.float32))
    for i, array in enumerate(arrays):
        assert array.tolist() == [24, 18, 3 * (i + 1) + 6, 4 * (i + 1) + 12, 9 * (i + 1)]


@pytest.mark.parametrize(
    ("operation", "kind", "old", "operand", "new"),
    [
        ("add.u32", "u4", [[5], [7]], "3", [[8], [10]]),
        ("min.s32", "i4", [[5], [-7]], "-3", [[-3], [-7]]),
        ("or.b32", "u4", [[5], [8]], "2", [[7], [10]]),
        ("add.f16x2", "f2", [[1, 2], [3, 4]], "0x3C004000", [[3, 3], [5, 5]]),
    ],
)
def test_a_reduction_changes_the_memory_of_all_devices(operation, kind, old, operand, new):
    arrays = [np.array(v, kind) for v in old]
    text = f"{{ .reg .b32 v; mov.b32 v, {operand}; multimem.red.relaxed.sys.global.{operation} [$0], v; }}"
    launch(text, arrays, np.zeros(1, np.int32))
    assert [a.tolist() for a in arrays] == np.array(new, kind).tolist()


def test_asynchronous_stores_and_reductions_reach_all_devices():
    arrays = [np.array([5, 6], np.uint32), np.array([7, 8], np.uint32)]
    instructions = (
        "multimem.red.async.release.sys.global.add.u32 [$0], v;",
        "multimem.st.async.release.gpu.global.b32 [$0+4], v;",
    )
    text = f"{{ .reg .b32 v; mov.b32 v, 3; {' '.join(instructions)} }}"
    launch(text, arrays, np.zeros(1, np.int32))
    assert [a.tolist() for a in arrays] == [[8, 3], [10, 3]]


def test_bulk_copies_go_to_all_devices():
    before = "  store <4 x i32> <i32 1, i32 2, i32 3, i32 4>, ptr addrspace(3) @s\n"
    arrays = [np.full(8, 10 * i, np.int32) for i in (1, 2)]
    text = "multimem.cp.async.bulk.global.shared::cta.bulk_group [$0], [$2], 16; multimem.cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [$0+16], [$2], 16; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;"
    launch(text, arrays, np.zeros(1, np.int32), before)
    for i, array in zip((1, 2), arrays):
        assert array.tolist() == [1, 2, 3, 4, *(10 * i + n for n in (1, 2, 3, 4))]


def test_multimem_addresses_are_for_multimem_instructions():
    body = "  %v = load i32, ptr addrspace(1) %m\n  store i32 %v, ptr addrspace(1) %out"
    given = Multicast([np.zeros(4, np.int32), np.zeros(4, np.int32)])
    out = np.zeros(1, np.int32)
    assert "out of bounds" in error_of(single(OUT, body), [given, out]).message
    store = "  " + asm(
        "multimem.st.weak.global.u32 [$0], $1;", "l ptr addrspace(1) %out", "r i32 1"
    )
    assert "is not a multimem address" in error_of(single(OUT, store), [given, out]).message
    with pytest.raises(SimulationError, match="a multicast object needs arrays of one size"):
        Multicast([np.zeros(4, np.int32), np.zeros(5, np.int32)])


# Launch control

CANCEL = """\
declare void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared(ptr addrspace(3), ptr addrspace(3))
declare i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128)
declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128)
declare i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128)
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
"""


def test_a_block_takes_the_work_of_blocks_that_have_not_started():
    """Block (0, 0) requests work until none is left: it does all of it, and no other block starts."""
    body = f"""{INIT}
  %x0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %y0 = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  br label %loop
loop:
  %x = phi i32 [ %x0, %0 ], [ %x1, %more ]
  %y = phi i32 [ %y0, %0 ], [ %y1, %more ]
  %phase = phi i32 [ 0, %0 ], [ %next, %more ]
  %row = mul i32 %y, 3
  %at = add i32 %row, %x
  %w = zext i32 %at to i64
  %o = getelementptr i32, ptr addrspace(1) %out, i64 %w
  store i32 %at, ptr addrspace(1) %o
  call void @llvm.nvvm.clusterlaunchcontrol.try_cancel.async.shared(ptr addrspace(3) @s, ptr addrspace(3) @bar)
  %e = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 16)
  {wait(0, "poll").replace("i32 0)", "i32 %phase)")}
  %r = load i128, ptr addrspace(3) @s
  %c = call i1 @llvm.nvvm.clusterlaunchcontrol.query_cancel.is_canceled(i128 %r)
  br i1 %c, label %more, label %over
more:
  %x1 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.x(i128 %r)
  %y1 = call i32 @llvm.nvvm.clusterlaunchcontrol.query_cancel.get_first_ctaid.y(i128 %r)
  %next = xor i32 %phase, 1
  br label %loop
over:
  %count = getelementptr i32, ptr addrspace(1) %m, i64 0
  %old = load i32, ptr addrspace(1) %count
  %new = add i32 %old, 1
  store i32 %new, ptr addrspace(1) %count"""
    started, out = np.zeros(1, np.int32), np.full(6, -1, np.int32)
    run(single(OUT, body, CANCEL), [started, out], grid=(3, 2))
    assert out.tolist() == list(range(6))
    assert started.tolist() == [1]


def test_the_response_in_inline_assembly():
    body = INIT + "  " + asm(
        "{ .reg .b128 r; .reg .pred p; .reg .b32 x; .reg .b32 y; .reg .b32 z; "
        "clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [$0], [$1]; "
        "ld.shared.b128 r, [$0]; clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, r; "
        "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {x, y, z, _}, r; "
        "@p st.global.v2.b32 [$2], {x, y}; }",
        "r ptr addrspace(3) @s", "r ptr addrspace(3) @bar", "l ptr addrspace(1) %out",
    )  # fmt: skip
    out = np.full(2, -1, np.int32)
    run(single(OUT, body), [None, out], grid=(2, 1))
    assert out.tolist() == [1, 0]
