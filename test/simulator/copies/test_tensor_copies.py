"""Tensor copies: boxes, strides, fills, swizzles, patches and gathered rows (PTX ISA 5.5, 9.7.9.25.5).

Expected values come from plain loops over indices, and of swizzles from the tables of 5.5.7.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from helpers.box_kernels import (
    BULK,
    BY_VALUE,
    GROUP,
    IN,
    OUT,
    box,
    expect_bytes,
    kernel,
    load,
    load_call,
    tensor,
)
from helpers.copy_kernels import INIT, run, single, wait

from nvvm_xdsl.simulator import SimulationError, TensorMap


@pytest.mark.parametrize(
    ("shape", "size", "start"),
    [
        ((64,), (16,), (8,)),
        ((8, 16), (4, 3), (4, 2)),
        ((3, 5, 8), (4, 2, 2), (0, 1, 1)),
        ((2, 3, 4, 8), (8, 2, 2, 2), (0, 1, 1, 0)),
        ((2, 2, 3, 4, 8), (4, 2, 2, 1, 2), (4, 2, 1, 1, 0)),
        # beyond the end, before the start, and wholly outside
        ((8, 16), (8, 4), (12, 6)),
        ((8, 16), (8, 4), (-4, -1)),
        ((8, 16), (8, 4), (100, -50)),
    ],
)
def test_a_box_of_each_rank_is_dense_in_shared_memory(shape, size, start):
    array = tensor(shape)
    wanted = box(array, start, size)
    copy = load_call("tile", len(shape), start)
    got = load(array, TensorMap(array, size), copy, wanted.nbytes)
    assert got.tolist() == wanted.reshape(-1).tolist()


def test_padded_rows_and_part_of_an_array():
    """Strides are of the memory, dimensions of the tensor, which starts somewhere within."""
    array = tensor((8, 16))
    map_ = TensorMap(array, (8, 2), dims=(10, 6), strides=(64,), offset=16)
    inner = array.reshape(-1)[4:]
    wanted = [[int(inner[r * 16 + c]) if c < 10 else 0 for c in range(4, 12)] for r in (4, 5)]
    got = load(array, map_, load_call("tile", 2, (4, 4)), 64)
    assert got.reshape(2, 8).tolist() == wanted


@pytest.mark.parametrize("steps", [(1, 2), (1, 3), (7, 4)])
def test_element_strides_skip_elements(steps):
    """ceil(box / step) elements; that of the innermost dimension is ignored without interleave."""
    array = tensor((16, 8))
    wanted = box(array, (0, 3), (4, 8), (1, steps[1]))
    map_ = TensorMap(array, (4, 8), element_strides=steps)
    got = load(array, map_, load_call("tile", 2, (0, 3)), wanted.nbytes)
    assert got.tolist() == wanted.reshape(-1).tolist()


@pytest.mark.parametrize(
    ("dtype", "name", "nan"),
    [
        (np.float16, None, 0x7FFF),
        (np.uint16, "bf16", 0x7FFF),
        (np.float32, None, 0x7FFFFFFF),
        (np.float64, None, 0x7FFFFFFFFFFFFFFF),
        (np.int32, None, None),
    ],
)
def test_elements_outside_are_filled(dtype, name, nan):
    array = tensor((4, 16), dtype)
    if nan is None:
        with pytest.raises(SimulationError, match="elements of type s32 cannot be filled with NaN"):
            TensorMap(array, (8, 2), fill="nan")
        return
    raw = array.view(f"u{array.itemsize}")
    wanted = box(raw, (12, 3), (8, 2), fill=nan)
    map_ = TensorMap(array, (8, 2), data_type=name, fill="nan")
    got = load(raw, map_, load_call("tile", 2, (12, 3)), wanted.nbytes)
    assert got.tolist() == wanted.reshape(-1).tolist()


SWIZZLES = {
    "32B": ["01234567", "10325476"],
    "64B": ["01234567", "10325476", "23016745", "32107654"],
    "128B": ["01234567", "10325476", "23016745", "32107654", "45670123", "54761032", "67452301", "76543210"],
    "128B atom 32B": ["01234567", "23016745", "45670123", "67452301"],
    "128B atom 64B": ["01234567", "45670123"],
}  # fmt: skip
"""5.5.7: for each row of 128 bytes where its chunks of 16 bytes go."""


@pytest.mark.parametrize(("mode", "inner"), [("32B", 32), ("64B", 64), ("128B", 128), ("128B", 64), ("128B atom 32B", 128), ("128B atom 64B", 128)])  # fmt: skip
def test_a_swizzle_moves_chunks_within_rows_of_128_bytes(mode: str, inner: int):
    array = tensor((40, inner), np.uint8)
    array[...] = np.random.default_rng(5).integers(0, 256, array.shape)
    count = 32 * inner
    chunks = array[3:35].reshape(-1, 8, 16)
    wanted = np.zeros_like(chunks)
    rows = SWIZZLES[mode]
    for i, row in enumerate(chunks):
        for place, chunk in enumerate(rows[i % len(rows)]):
            wanted[i, place] = row[int(chunk)]
    map_ = TensorMap(array, (inner, 32), swizzle=mode)
    got = load(array, map_, load_call("tile", 2, (0, 3)), count)
    assert got.tolist() == wanted.reshape(-1).tolist()


def test_a_swizzle_that_flips_halves_of_chunks():
    """In every second row of 128 bytes the 8-byte halves of each chunk are exchanged."""
    array = np.random.default_rng(6).integers(0, 256, (8, 128)).astype(np.uint8)
    map_ = TensorMap(array, (128, 8), swizzle="128B atom 32B+8B flip")
    got = load(array, map_, load_call("tile", 2, (0, 0)), 1024).reshape(8, 8, 2, 8)
    halves = array.reshape(8, 8, 2, 8)
    for i in range(8):
        for place, chunk in enumerate(SWIZZLES["128B atom 32B"][i % 4]):
            wanted = halves[i, int(chunk)][:: -1 if i % 2 else 1]
            assert got[i, place].tolist() == wanted.tolist()


def test_a_swizzle_acts_on_addresses():
    """A box that starts 128 bytes after the pattern's start is swizzled from the second row on."""
    array = np.arange(256, dtype=np.uint8).reshape(2, 128)
    copy = load_call("tile", 2, (0, 0)).replace(
        "(ptr addrspace(3) @s,",
        "(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @s, i64 128),",
    )
    out = OUT.replace("@s", "getelementptr (i8, ptr addrspace(3) @s, i64 128)")
    got = load(array, TensorMap(array, (128, 2), swizzle="128B"), copy, 256, out=out)
    for i in range(2):
        row = array[i].reshape(8, 16)
        wanted = [row[int(c)].tolist() for c in SWIZZLES["128B"][i + 1]]
        assert got.reshape(2, 8, 16)[i].tolist() == wanted


@pytest.mark.parametrize(
    ("name", "source", "wanted"),
    [
        # tf32 keeps ten bits of mantissa, rounded to nearest even
        ("tf32", [0x3F801000, 0x3F803000, 0x3F800FFF, 0x7F800001], [0x3F800000, 0x3F804000, 0x3F800000, 0x7F800001]),
        ("f32.ftz", [0x00000001, 0x807FFFFF, 0x00800000, 0x3F800000], [0, 0x80000000, 0x00800000, 0x3F800000]),
        ("f32", [0x00000001, 0x807FFFFF, 0x7F800001, 0], [0x00000001, 0x807FFFFF, 0x7F800001, 0]),
    ],
)  # fmt: skip
def test_types_that_convert(name: str, source: list[int], wanted: list[int]):
    array = np.array(source, np.uint32)
    got = load(array, TensorMap(array, (4,), data_type=name), load_call("tile", 1, (0,)), 16)
    assert got.tolist() == wanted


# Image patches


def patch(array, start, offsets, lower, upper, channels, pixels, steps=None, fill=0):
    """The pixels of an im2col column (5.5.4), by a walk over filter positions.

    `array` is (N, [D, H,] W, C); positions lie between the corners, the next image comes after the last.
    """
    space = array.shape[1:-1][::-1]
    steps = steps or [1] * len(space)
    ranges = [
        range(low, n - 1 + high + 1, step) for n, low, high, step in zip(space, lower, upper, steps)
    ]
    positions = [
        (*spot[::-1], image)
        for image in range(array.shape[0] + 3)
        for spot in product(*ranges[::-1])
    ]
    first = positions.index((*start[1:],))
    out = np.full((pixels, channels), fill, array.dtype)
    for i, (*spot, image) in enumerate(positions[first : first + pixels]):
        at = [p + o for p, o in zip(spot, offsets)]
        for c in range(channels):
            inside = all(0 <= a < n for a, n in zip(at, space)) and image < array.shape[0]
            if inside and start[0] + c < array.shape[-1]:
                out[i, c] = array[(image, *at[::-1], start[0] + c)]
    return out


@pytest.mark.parametrize(
    ("shape", "start", "offsets", "lower", "upper", "channels", "pixels", "steps"),
    [
        # Example 1 and 2 of 5.5.4.1, with fewer images
        ((3, 14, 9, 64), (7, 7, 4, 0), (0, 0), (-1, -1), (-1, -1), 8, 64, None),
        ((3, 14, 9, 64), (7, 6, 4, 0), (2, 2), (0, 0), (-2, -2), 8, 64, None),
        # The example of 5.5.4.2: strides of 2
        ((3, 14, 8, 64), (7, -1, 5, 0), (1, 1), (-1, -1), (-1, -1), 16, 32, (2, 2)),
        ((4, 10, 8), (0, 3, 1), (2,), (-2,), (0,), 8, 20, None),
        ((2, 3, 4, 5, 8), (0, -1, 0, 1, 0), (1, 2, 0), (-1, 0, -1), (0, -1, 0), 8, 40, None),
        # more pixels than there are, and channels beyond the last
        ((1, 4, 4, 24), (20, 2, 3, 0), (0, 0), (0, 0), (0, 0), 8, 16, None),
    ],
)  # fmt: skip
def test_im2col(shape, start, offsets, lower, upper, channels, pixels, steps):
    array = tensor(shape, np.float16 if channels % 8 == 0 else np.float32)
    array[...] = np.random.default_rng(3).integers(1, 1000, shape)
    options = {} if steps is None else {"element_strides": (1, *steps, 1)}
    map_ = TensorMap.im2col(array, lower, upper, channels, pixels, **options)
    wanted = patch(array, start, offsets, lower, upper, channels, pixels, steps)
    copy = load_call("im2col", len(shape), start, offsets)
    got = load(array, map_, copy, wanted.nbytes)
    assert got.tolist() == wanted.reshape(-1).tolist()


def test_im2col_to_global_memory_has_no_offsets():
    array = np.zeros((2, 4, 4, 16), np.float16)
    name = "llvm.nvvm.cp.async.bulk.tensor.s2g.im2col.4d"
    declared = f"declare void @{name}(ptr addrspace(3), ptr, i32, i32, i32, i32, i64, i1 immarg)\n"
    call = f"  call void @{name}(ptr addrspace(3) @s, ptr %map, i32 8, i32 1, i32 2, i32 0, i64 0, i1 0)\n"
    map_ = TensorMap.im2col(array, (0, 0), (-1, 0), 8, 20)
    data = np.arange(160, dtype=np.float16) + 1
    run(kernel(declared + "|" + IN.replace("BYTES", "320"), 320, out=call), [map_, data])
    wanted = np.zeros_like(array)
    spots = [(n, h, w) for n in range(3) for h in range(4) for w in range(3)]
    first = spots.index((0, 2, 1))
    for i, (n, h, w) in enumerate(spots[first : first + 20]):
        if n < 2:
            wanted[n, h, w, 8:] = data.reshape(20, 8)[i]
    assert array.tolist() == wanted.tolist()


# Gathered and scattered rows


def test_gathered_rows():
    array = tensor((10, 16))
    copy = load_call("tile.gather4", 2, (4, 2, 5, 0, 11))
    got = load(array, TensorMap(array, (8, 1)), copy, 128)
    wanted = [array[r, 4:12].tolist() if r < 10 else [0] * 8 for r in (2, 5, 0, 11)]
    assert got.reshape(4, 8).tolist() == wanted


def test_scattered_rows():
    array = tensor((10, 16))
    before = array.copy()
    name = "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.scatter4.2d"
    declared = (
        f"declare void @{name}(ptr addrspace(3), ptr, i32, i32, i32, i32, i32, i64, i1 immarg)\n"
    )
    call = f"  call void @{name}(ptr addrspace(3) @s, ptr %map, i32 12, i32 3, i32 9, i32 -1, i32 0, i64 0, i1 0)\n"
    data = np.arange(100, 132, dtype=np.int32)
    run(
        kernel(declared + "|" + IN.replace("BYTES", "128"), 128, out=call),
        [TensorMap(array, (8, 1)), data],
    )
    for i, row in enumerate((3, 9, -1, 0)):
        if row >= 0:
            before[row, 12:16] = data.reshape(4, 8)[i, :4]
    assert array.tolist() == before.tolist()


# To global memory


@pytest.mark.parametrize("start", [(4, 2), (12, 6)])
def test_a_box_goes_to_global_memory(start):
    """Elements outside the tensor are not written."""
    array = tensor((8, 16))
    wanted = array.copy()
    name = "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d"
    declared = f"declare void @{name}(ptr addrspace(3), ptr, i32, i32, i64, i1 immarg)\n"
    call = f"  call void @{name}(ptr addrspace(3) @s, ptr %map, i32 {start[0]}, i32 {start[1]}, i64 0, i1 0)\n"
    data = np.arange(1000, 1000 + 32, dtype=np.int32)
    held = data.reshape(4, 8)
    run(
        kernel(declared + "|" + IN.replace("BYTES", "128"), 128, out=call),
        [TensorMap(array, (8, 4)), data],
    )
    for r in range(4):
        for c in range(8):
            if start[0] + c < 16 and start[1] + r < 8:
                wanted[start[1] + r, start[0] + c] = held[r, c]
    assert array.tolist() == wanted.tolist()


def test_a_swizzle_is_undone_on_a_store():
    array = np.zeros((16, 128), np.uint8)
    name = "llvm.nvvm.cp.async.bulk.tensor.s2g.tile.2d"
    declared = f"declare void @{name}(ptr addrspace(3), ptr, i32, i32, i64, i1 immarg)\n"
    call = f"  call void @{name}(ptr addrspace(3) @s, ptr %map, i32 0, i32 0, i64 0, i1 0)\n"
    data = np.random.default_rng(1).integers(0, 256, (16, 8, 16)).astype(np.uint8)
    text = kernel(declared + "|" + IN.replace("BYTES", "2048"), 2048, out=call)
    run(text, [TensorMap(array, (128, 16), swizzle="128B"), data])
    for i, row in enumerate(data):
        for place, chunk in enumerate(SWIZZLES["128B"][i % 8]):
            assert array[i].reshape(8, 16)[int(chunk)].tolist() == row[place].tolist()


@pytest.mark.parametrize(
    ("operation", "dtype", "old", "new", "left"),
    [
        ("add", np.float32, 1.5, 2.0, 3.5),
        ("add", np.int32, 5, -7, -2),
        ("min", np.int32, 5, -7, -7),
        ("max", np.uint32, 5, 7, 7),
        ("inc", np.uint32, 5, 5, 0),
        ("dec", np.uint32, 0, 5, 5),
        ("and", np.uint64, 12, 10, 8),
        ("or", np.uint32, 12, 10, 14),
        ("xor", np.int64, 12, 10, 6),
        ("max", np.float16, 1.5, -2.0, 1.5),
    ],
)
def test_tensor_reductions(operation, dtype, old, new, left):
    array = np.full((4, 16), old, dtype)
    per = 16 // array.itemsize
    name = f"llvm.nvvm.cp.async.bulk.tensor.reduce.{operation}.tile.2d"
    declared = f"declare void @{name}(ptr addrspace(3), ptr, i32, i32, i64, i1 immarg)\n"
    call = f"  call void @{name}(ptr addrspace(3) @s, ptr %map, i32 4, i32 3, i64 0, i1 0)\n"
    data = np.full(2 * per, new, dtype)
    run(
        kernel(declared + "|" + IN.replace("BYTES", "32"), 32, out=call),
        [TensorMap(array, (per, 2)), data],
    )
    wanted = np.full((4, 16), old, dtype)
    wanted[3, 4 : 4 + per] = left
    assert array.tolist() == wanted.tolist()


# Clusters


def test_a_box_for_several_blocks():
    array = tensor((4, 16))
    name = "llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d"
    declared = f"declare void @{name}(ptr addrspace(7), ptr addrspace(3), ptr, i32, i32, i16, i64, i1 immarg, i1 immarg, i32 immarg)\n"
    body = f"""{INIT}
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  %rank = call i32 @llvm.nvvm.read.ptx.sreg.cluster.ctarank()
{expect_bytes(32)}
  %one = icmp eq i32 %rank, 1
  br i1 %one, label %sends, label %all
sends:
  %g = addrspacecast ptr addrspace(3) @s to ptr
  %c = addrspacecast ptr %g to ptr addrspace(7)
  call void @{name}(ptr addrspace(7) %c, ptr addrspace(3) @bar, ptr %map, i32 8, i32 1, i16 3, i64 0, i1 1, i1 0, i32 0)
  br label %all
all:{wait()}
  %wide = zext i32 %rank to i64
  %at = mul i64 %wide, 32
  %mine = getelementptr i8, ptr addrspace(1) %out, i64 %at
{OUT.replace("BYTES", "32").replace("%out", "%mine")}{GROUP}
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()"""
    out = np.zeros(16, np.int32)
    text = single(f"{BY_VALUE}, ptr addrspace(1) %out", body, BULK + declared)
    run(text, [TensorMap(array, (8, 1)), out], grid=2, cluster=2)
    assert out.tolist() == array[1, 8:].tolist() * 2
