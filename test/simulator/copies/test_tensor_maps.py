"""Tensor maps: creation, passing, changes by kernels, and errors."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.box_kernels import BY_VALUE, box, kernel, load, load_call, tensor
from helpers.copy_kernels import asm, error_of, run, single

from nvvm_xdsl.simulator import SimulationError, TensorMap

LOAD_ASM = "|  " + asm(
    "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [$0], [$1, {$3, $4}], [$2];",
    "r ptr addrspace(3) @s", "l ptr %map", "r ptr addrspace(3) @bar", "r i32 8", "r i32 1",
) + "\n"  # fmt: skip


@pytest.mark.parametrize("map_", [BY_VALUE, "ptr %map"])
def test_inline_assembly_and_maps_behind_pointers(map_: str):
    array = tensor((4, 16))
    got = load(array, TensorMap(array, (8, 2)), LOAD_ASM, 64, map_=map_)
    assert got.tolist() == array[1:3, 8:].reshape(-1).tolist()


REPLACED = [
    (
        "tensormap.replace.tile.global_address.global.b1024.b64 [$0], $1",
        "l ptr addrspace(1) %other",
    ),
    ("tensormap.replace.tile.rank.global.b1024.b32 [$0], $1", "r i32 1"),
    ("tensormap.replace.tile.box_dim.global.b1024.b32 [$0], 0, $1", "r i32 4"),
    ("tensormap.replace.tile.box_dim.global.b1024.b32 [$0], 1, $1", "r i32 4"),
    ("tensormap.replace.tile.global_dim.global.b1024.b32 [$0], 0, $1", "r i32 8"),
    ("tensormap.replace.tile.global_dim.global.b1024.b32 [$0], 1, $1", "r i32 3"),
    ("tensormap.replace.tile.global_stride.global.b1024.b64 [$0], 0, $1", "l i64 32"),
    ("tensormap.replace.tile.element_stride.global.b1024.b32 [$0], 0, $1", "r i32 1"),
    ("tensormap.replace.tile.element_stride.global.b1024.b32 [$0], 1, $1", "r i32 1"),
    ("tensormap.replace.tile.elemtype.global.b1024.b32 [$0], 7", None),
    ("tensormap.replace.tile.interleave_layout.global.b1024.b32 [$0], 0", None),
    ("tensormap.replace.tile.swizzle_mode.global.b1024.b32 [$0], 0", None),
    ("tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [$0], 0", None),
    ("tensormap.replace.tile.fill_mode.global.b1024.b32 [$0], 1", None),
]


def replacing(space: str, pointer: str) -> str:
    lines: list[str] = []
    for text, value in REPLACED:
        operands = [f"l ptr addrspace({space}) {pointer}", *([value] if value else [])]
        name = text.replace(".global.b1024", ".shared::cta.b1024") if space == "3" else text
        lines.append("  " + asm(name + ";", *operands))
    return "\n".join(lines) + "\n"


def test_a_kernel_changes_every_field_of_a_map():
    """9.7.9.28, on a map of another tensor; and on 128 zeros in shared memory, as Triton makes maps."""
    first, other = tensor((4, 16)), np.arange(24, dtype=np.float32).reshape(3, 8) + 0.5
    nan = np.array([0x7FFFFFFF], np.uint32).view(np.float32)[0]
    wanted = box(other, (4, 1), (4, 4), fill=nan)
    use = LOAD_ASM.replace("i32 8", "i32 4")
    body = "  %m = addrspacecast ptr %map to ptr addrspace(1)\n" + replacing("1", "%m")
    text = kernel(use.replace("|", "|" + body), 64, "ptr %map, ptr addrspace(1) %other")
    out = np.zeros(16, np.float32)
    run(text, [TensorMap(first, (8, 2)), other, out])
    assert out.view(np.uint32).tolist() == wanted.view(np.uint32).reshape(-1).tolist()
    made = "  call void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3) @m, i64 128, i64 0)\n"
    made += replacing("3", "@m") + "  " + asm(
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [$0], [$1], 0x80;",
        "l ptr %map", "r ptr addrspace(3) @m",
    ) + "\n"  # fmt: skip
    before = (
        "@m = internal addrspace(3) global [128 x i8] undef, align 128\n"
        "declare void @llvm.nvvm.st.bulk.shared.cta(ptr addrspace(3), i64, i64 immarg)\n"
    )
    text = kernel(
        use.replace("|", "|" + made), 64, "ptr %map, ptr addrspace(1) %other", before=before
    )
    out = np.zeros(16, np.float32)
    run(text, [np.zeros(128, np.uint8), other, out])
    assert out.view(np.uint32).tolist() == wanted.view(np.uint32).reshape(-1).tolist()


def test_prefetching_a_box_checks_the_map():
    name = "llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.2d"
    declared = f"declare void @{name}(ptr, i32, i32, i64, i1 immarg)\n"
    text = single(BY_VALUE, f"  call void @{name}(ptr %map, i32 0, i32 0, i64 0, i1 0)", declared)
    array = tensor((4, 16))
    run(text, [TensorMap(array, (8, 2))])
    message = error_of(text, [TensorMap(tensor((64,)), (8,))]).message
    assert "cp.async.bulk.prefetch.tensor with a wrong tensor map: its rank is 1" in message


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"box": (8, 2, 1)}, "a box of 3 dimensions of a tensor of rank 2"),
        ({"box": (257, 1)}, "a box dimension of 257 is not 1 to 256"),
        ({"box": (8, 0)}, "a box dimension of 0"),
        ({"box": (3, 2)}, "the inner dimension of the box has 12 bytes, not a multiple of 16"),
        ({"box": (8, 2), "strides": (72,)}, "a stride of 72 bytes is not a multiple of 16 below 2^40"),
        ({"box": (8, 2), "dims": (16, 5)}, "the tensor ends at byte 320 of an array of 256 bytes"),
        ({"box": (8, 2), "dims": (16, 0)}, "a dimension of 0 elements"),
        ({"box": (8, 2), "element_strides": (1, 9)}, "an element stride of 9 is not 1 to 8"),
        ({"box": (16, 2), "swizzle": "32B"}, "64 bytes, more than a swizzle of 32 bytes spans"),
        ({"box": (8, 2), "swizzle": "32B atom 64B"}, "require a swizzle of 128 bytes"),
        ({"box": (8, 2), "swizzle": "16B"}, "a tensor map has no swizzle '16B'"),
        ({"box": (8, 2), "interleave": "16B"}, "the rank is 2, not 3 to 5"),
        ({"box": (8, 2), "data_type": "f8"}, "a tensor map has no data type 'f8'"),
        ({"box": (8, 2), "dims": (8, 2), "offset": 8}, "the offset 8 is not aligned to 16 bytes"),
    ],
)  # fmt: skip
def test_maps_that_the_driver_rejects(options, message):
    with pytest.raises(SimulationError) as caught:
        TensorMap(tensor((4, 16)), **options)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("corners", "column", "message"),
    [
        (((-129, 0), (0, 0)), (8, 4), "an offset of -129 of the lower corner is not -128 to 127"),
        (((0,), (0, 0)), (8, 4), "the lower corner has 1 offsets, not 2"),
        (((3, 0), (-3, 0)), (8, 4), "the box between the corners is empty"),
        (((0, 0), (0, 0)), (512, 4), "512 channels of a pixel are not 1 to 256"),
        (((0, 0), (0, 0)), (8, 2000), "2000 pixels of a column are not 1 to 1024"),
    ],
)
def test_patches_that_the_driver_rejects(corners, column, message):
    with pytest.raises(SimulationError) as caught:
        TensorMap.im2col(np.zeros((2, 4, 4, 16), np.float16), *corners, *column)
    assert message in caught.value.message


@pytest.mark.parametrize(
    ("copy", "message"),
    [
        (load_call("tile", 3, (0, 0, 0)), "its rank is 2, but the instruction needs 3"),
        (load_call("im2col", 3, (0, 0, 0), (0,)), "its rank is 2, but the instruction needs 3"),
        (load_call("tile.gather4", 2, (0, 1, 2, 3, 4)), "needs a box of one row, not 2"),
        (load_call("tile", 2, (0, 0)).replace("@s,", "getelementptr (i8, ptr addrspace(3) @s, i64 64),"), "not aligned to 128 bytes: cp.async.bulk.tensor moves a box of 64 bytes"),
        (load_call("tile", 2, (0, 0)).replace("ptr %map,", "ptr %wrong,").replace("|", "|  %wrong = getelementptr i8, ptr %map, i64 64\n"), "out of bounds: cp.async.bulk.tensor reads a tensor map of 128 bytes"),
        (load_call("tile", 2, (0, 0)).replace("ptr %map,", "ptr %wrong,").replace("|", "|  %wrong = addrspacecast ptr addrspace(1) %out to ptr\n"), "with an invalid tensor map"),
    ],
)  # fmt: skip
def test_wrong_tensor_copies_are_reported(copy: str, message: str):
    error = error_of(
        kernel(copy, 64), [TensorMap(tensor((4, 16)), (8, 2)), np.zeros(256, np.uint8)]
    )
    assert message in error.message


def test_a_store_must_start_within_the_tensor():
    name = "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d"
    declared = f"declare void @{name}(ptr addrspace(3), ptr, i32, i32, i64, i1 immarg)\n"
    call = f"  call void @{name}(ptr addrspace(3) @s, ptr %map, i32 -1, i32 0, i64 0, i1 0)\n"
    text = single(BY_VALUE, call, declared)
    assert (
        "to the coordinates (-1, 0)" in error_of(text, [TensorMap(tensor((4, 16)), (8, 2))]).message
    )


def test_reading_a_box_too_early_is_a_race():
    early = "  %v = load i32, ptr addrspace(3) @s\n  store i32 %v, ptr addrspace(1) %out\n"
    copy = load_call("tile", 2, (0, 0))
    args = [TensorMap(tensor((4, 16)), (8, 2)), np.zeros(256, np.uint8)]
    error = error_of(kernel(copy + early, 64), args, checks=["race"])
    assert "a data race with an asynchronous copy" in error.message
    run(kernel(copy, 64), args, checks=["race", "init"])
