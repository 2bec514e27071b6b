"""Surface instructions: PTX ISA 9.7.11; CUDA C++ Programming Guide, "Surface Functions"."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.handle_kernels import WAYS, run

import nvvm_xdsl
from nvvm_xdsl.simulator import SimulationError, Surface, Texture, launch

each_way = pytest.mark.parametrize("way", WAYS)


def load(surface: object, opcode: str, place, results=("b32",), way: str = "machine"):
    return run(opcode, [surface], place, results=results, way=way)


def store(surface: object, opcode: str, place, values, type_: str = "b32", way: str = "machine"):
    """`values`: a column for each part."""
    run(opcode, [surface], place, [values], results=(), way=way, extra_type=type_)


def board() -> np.ndarray:
    return np.arange(12, dtype=np.uint32).reshape(3, 4)


# Loads


@each_way
def test_x_counts_bytes_and_y_rows(way: str):
    got = load(Surface(board()), "suld.b.2d.b32.trap", [[0, 4, 12], [0, 1, 2]], way=way)
    assert got == [[0], [5], [11]]


@each_way
@pytest.mark.parametrize(
    ("mods", "results", "wanted"),
    [
        ("b8", ["b8"], [0x88]), ("b16", ["b16"], [0x7788]), ("b32", ["b32"], [0x55667788]),
        ("b64", ["b64"], [0x1122334455667788]), ("v2.b8", ["b8"] * 2, [0x88, 0x77]),
        ("v4.b8", ["b8"] * 4, [0x88, 0x77, 0x66, 0x55]), ("v2.b16", ["b16"] * 2, [0x7788, 0x5566]),
        ("v4.b16", ["b16"] * 4, [0x7788, 0x5566, 0x3344, 0x1122]),
        ("v2.b32", ["b32"] * 2, [0x55667788, 0x11223344]),
        ("v4.b32", ["b32"] * 4, [0x55667788, 0x11223344, 1, 0]),
        ("v2.b64", ["b64"] * 2, [0x1122334455667788, 1]),
    ],
)  # fmt: skip
def test_sizes(mods: str, results: list[str], wanted: list[int], way: str):
    """The size of a load is that of the destination, for any size of elements."""
    surface = Surface(np.array([0x1122334455667788, 1], np.uint64))
    assert load(surface, f"suld.b.1d.{mods}.trap", [[0]], results, way) == [wanted]


def test_dimensions():
    volume = np.arange(24, dtype=np.uint16).reshape(2, 3, 4)
    place = [[2, 6], [1, 2], [0, 1], [9, 9]]
    assert load(Surface(volume), "suld.b.3d.b16.trap", place, ["b16"]) == [[5], [23]]
    lines = np.arange(12, dtype=np.uint32).reshape(3, 4)
    got = load(Surface(lines, layered=True), "suld.b.a1d.b32.trap", [[2, 0], [4, 8]])
    assert got == [[9], [2]]
    layers = np.arange(24, dtype=np.uint32).reshape(2, 3, 4)
    place = [[1, 0], [4, 0], [2, 1], [9, 9]]
    assert load(Surface(layers, layered=True), "suld.b.a2d.b32.trap", place) == [[21], [4]]


def test_the_faces_of_a_cubemap_are_layers():
    """surfCubemapread: face 4 of the second cube is layer 6 + 4."""
    cubes = np.arange(48, dtype=np.uint32).reshape(2, 6, 2, 2)
    surface = Surface(cubes, cubemap=True, layered=True)
    assert load(surface, "suld.b.a2d.b32.trap", [[10], [4], [1], [0]]) == [[43]]


def test_cache_operators_have_no_effect():
    assert load(Surface(board()), "suld.b.2d.cg.b32.trap", [[4], [0]]) == [[1]]


# Stores


@each_way
def test_stores(way: str):
    cells = board()
    place = [[0, 12], [0, 2]]
    store(Surface(cells), "sust.b.2d.b32.trap", place, [[70, 71]], way=way)
    want = board()
    want[0, 0], want[2, 3] = 70, 71
    assert cells.tolist() == want.tolist()


@each_way
@pytest.mark.parametrize(
    ("mods", "type_", "values"),
    [
        ("b8", "b8", [0x1FF]), ("v2.b8", "b8", [1, 2]), ("v4.b16", "b16", [1, 2, 3, 4]),
        ("b64", "b64", [2**63 + 5]), ("v2.b64", "b64", [7, 8]), ("v4.b32", "b32", [1, 2, 3, 4]),
    ],
)  # fmt: skip
def test_sizes_of_stores(mods: str, type_: str, values: list[int], way: str):
    cells = np.full(32, 0xEE, np.uint8)
    store(Surface(cells), f"sust.b.1d.{mods}.trap", [[16]], [[v] for v in values], type_, way)
    size = int(type_[1:]) // 8
    want = b"".join((v & (1 << 8 * size) - 1).to_bytes(size, "little") for v in values)
    assert cells[16:].tobytes() == want.ljust(16, b"\xee")
    assert set(cells[:16]) == {0xEE}


def test_formatted_stores_of_floats():
    """x counts elements; the values are .f32 for FLOAT formats."""
    halves = np.zeros((2, 3, 2), np.float16)
    surface = Surface(halves, channels=2)
    store(surface, "sust.p.2d.v2.b32.trap", [[2], [1]], [[1.5], [1e9]], "f32")
    assert halves[1, 2].tolist() == [1.5, float("inf")]
    assert np.count_nonzero(halves) == 2


@pytest.mark.parametrize(
    ("dtype", "values", "wanted"),
    [
        ("u1", [0.0, 1.0, 0.5, 7.0], [0, 255, 128, 255]),
        ("u2", [-1.0, 1.0, 0.25, float("nan")], [0, 65535, 16384, 0]),
        ("i1", [-1.0, 1.0, -0.5, -9.0], [-127, 127, -64, -127]),
        ("i2", [-1.0, 1.0, 0.25, 0.0], [-32767, 32767, 8192, 0]),
    ],
)  # fmt: skip
def test_formatted_stores_of_normalized_floats(dtype: str, values, wanted):
    cells = np.zeros((1, 4), dtype)
    store(
        Surface(cells, channels=4, normalized=True), "sust.p.1d.v4.b32.trap", [[0]],
        [[v] for v in values], "f32",
    )  # fmt: skip
    assert cells[0].tolist() == wanted


@each_way
def test_formatted_stores_of_integers(way: str):
    cells = np.zeros((3, 4), np.int16)
    store(
        Surface(cells, channels=4), "sust.p.1d.v4.b32.trap", [[1]], [[-2], [3], [4], [5]], way=way
    )
    assert cells.tolist() == [[0] * 4, [-2, 3, 4, 5], [0] * 4]


def test_channels_without_a_value():
    """They are "written with an unpredictable value": undefined; excess values are ignored."""
    cells = np.zeros((2, 2), np.float32)
    surface = Surface(cells, channels=2)
    store(surface, "sust.p.1d.v4.b32.trap", [[0]], [[1.0], [2.0], [3.0], [4.0]], "f32")
    assert cells.tolist() == [[1, 2], [0, 0]]
    with pytest.raises(
        SimulationError, match="reads byte 4 of 'p0', which the kernel leaves undefined"
    ):
        run("sust.p.1d.b32.trap", [surface], [[0]], [[[1.0]]], results=(), checks=["init"])


# Reductions


@each_way
@pytest.mark.parametrize(
    ("operation", "type_", "start", "values", "wanted"),
    [
        ("add", "u32", 5, [1, 2, 3], 11), ("add", "s32", 5, [-1, -2, -3], 0xFFFFFFFF),
        ("add", "u64", 2**40, [1, 2, 3], 2**40 + 6), ("min", "u32", 5, [9, 0xFFFFFFFF, 3], 3),
        ("min", "s32", 5, [9, -1, 3], 0xFFFFFFFF), ("max", "u32", 5, [9, 0xFFFFFFFF, 3], 0xFFFFFFFF),
        ("max", "s32", 5, [9, -1, 3], 9), ("and", "b32", 0xF, [7, 0xE, 0xFF], 6),
        ("or", "b32", 0, [1, 4, 4], 5), ("max", "s64", 1, [-1, 2**40, 0], 2**40),
        ("min", "u64", 2**60, [2**63, 2**61, 2**60], 2**60),
    ],
)  # fmt: skip
def test_reductions(operation: str, type_: str, start: int, values, wanted: int, way: str):
    size = "u8" if type_.endswith("64") else "u4"
    cells = np.array([[0, 0], [0, start]], size)
    count = len(values)
    run(
        f"sured.b.{operation}.2d.{type_}.trap", [Surface(cells)],
        [[cells.itemsize] * count, [1] * count], [[values]], results=(), way=way,
        extra_type="b" + type_[1:],
    )  # fmt: skip
    assert cells.tolist() == [[0, 0], [0, wanted]]


@pytest.mark.parametrize(
    ("dtype", "operation", "values", "wanted"),
    [
        ("i4", "min", [-1, 4], -1), ("u4", "min", [-1, 4], 3), ("u4", "max", [-1, 4], 0xFFFFFFFF),
        ("i4", "max", [-1, 4], 4), ("i4", "add", [-1, 4], 6), ("u4", "or", [4, 8], 15),
    ],
)  # fmt: skip
def test_reductions_of_elements(dtype: str, operation: str, values, wanted: int):
    """x counts elements, whose format says whether b32 is signed."""
    cells = np.array([0, 0, 3], dtype)
    place = [[2] * len(values)]
    run(f"sured.p.{operation}.1d.b32.trap", [Surface(cells)], place, [[values]], results=())
    assert cells.tolist() == [0, 0, wanted]


@each_way
def test_reductions_of_wide_elements(way: str):
    cells = np.array([0, 3], np.int64)
    run(
        "sured.p.min.1d.b64.trap", [Surface(cells)], [[1]], [[[-5]]], results=(), way=way,
        extra_type="b64",
    )  # fmt: skip
    assert cells.tolist() == [0, -5]


def test_reductions_of_non_integers_are_errors():
    with pytest.raises(SimulationError, match="reduces in a surface of 1 x float32"):
        run("sured.p.add.1d.b32.trap", [Surface(np.zeros(2, "f4"))], [[0]], [[[1]]], results=())


# Out of range

PLACES = [[-4, 16, 8, 0, 4], [0, 1, -1, 3, 2]]


@each_way
@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        (-4, 0, "x = -4 bytes, y = 0 of a surface of 3 x 4 elements of 4 bytes, by thread"),
        (16, 1, "x = 16 bytes, y = 1"), (0, 3, "y = 3"), (0, -1, "y = -1"), (2**31 - 4, 0, "x = "),
    ],
)  # fmt: skip
def test_trap(x: int, y: int, message: str, way: str):
    with pytest.raises(SimulationError, match=f"out of bounds: suld.b.2d.b32.trap at .*{message}"):
        load(Surface(board()), "suld.b.2d.b32.trap", [[x], [y]], way=way)
    with pytest.raises(SimulationError, match=r"out of bounds: sust\.b\.2d\.b32\.trap at"):
        store(Surface(board()), "sust.b.2d.b32.trap", [[x], [y]], [[1]], way=way)


@each_way
def test_clamp(way: str):
    """The nearest element within the surface."""
    got = load(Surface(board()), "suld.b.2d.b32.clamp", PLACES, way=way)
    assert got == [[0], [7], [2], [8], [9]]
    cells = board()
    store(Surface(cells), "sust.b.2d.b32.clamp", PLACES, [[50, 51, 52, 53, 54]], way=way)
    assert cells.tolist() == [[50, 1, 52, 3], [4, 5, 6, 51], [53, 54, 10, 11]]


@each_way
def test_zero(way: str):
    """Loads give zero, stores have no effect."""
    got = load(Surface(board()), "suld.b.2d.b32.zero", PLACES, way=way)
    assert got == [[0], [0], [0], [0], [9]]
    cells = board()
    store(Surface(cells), "sust.b.2d.b32.zero", PLACES, [[50, 51, 52, 53, 54]], way=way)
    want = board()
    want[2, 1] = 54
    assert cells.tolist() == want.tolist()


def test_vectors_out_of_range():
    """The whole access must be within the row."""
    cells = np.arange(6, dtype=np.uint32)
    assert load(Surface(cells), "suld.b.1d.v2.b32.clamp", [[24, -8]], ["b32"] * 2) == [
        [4, 5],
        [0, 1],
    ]
    with pytest.raises(SimulationError, match="out of bounds"):
        load(Surface(cells), "suld.b.1d.v4.b32.trap", [[16]], ["b32"] * 4)
    with pytest.raises(SimulationError, match="of 8 bytes in a row of 4"):
        load(Surface(cells[:1]), "suld.b.1d.b64.clamp", [[0]], ["b64"])


def test_reductions_out_of_range():
    cells = np.zeros(2, np.uint32)
    run("sured.b.add.1d.u32.zero", [Surface(cells)], [[0, 8]], [[[1, 1]]], results=())
    assert cells.tolist() == [1, 0]
    run("sured.p.add.1d.b32.clamp", [Surface(cells)], [[1, 8]], [[[1, 1]]], results=())
    assert cells.tolist() == [1, 2]


def test_layers_out_of_range():
    surface = Surface(np.arange(8, dtype=np.uint32).reshape(2, 4), layered=True)
    with pytest.raises(SimulationError, match="x = 0 bytes, layer 2 of a surface of 2 x 4 elem"):
        load(surface, "suld.b.a1d.b32.trap", [[2], [0]])
    assert load(surface, "suld.b.a1d.b32.clamp", [[2], [0]]) == [[4]]


@each_way
def test_misaligned(way: str):
    with pytest.raises(SimulationError, match="at byte 2 of a row, not a multiple of 4"):
        load(Surface(board()), "suld.b.2d.b32.clamp", [[2], [0]], way=way)


@each_way
@pytest.mark.parametrize(
    ("handle", "message"),
    [
        (9, "0x9 is not a handle of a surface"),
        (
            Texture(np.zeros((3, 4), "f4")),
            "expected a handle of a surface, got a handle of a texture",
        ),
        (Surface(np.zeros(4, "u4")), "accesses a surface of geometry 1d"),
        (Surface(board(), layered=True), "accesses a surface of geometry a1d"),
    ],
)
def test_handles_that_do_not_fit(handle: object, message: str, way: str):
    with pytest.raises(SimulationError, match=message):
        load(handle, "suld.b.2d.b32.trap", [[0], [0]], way=way)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Surface(np.zeros((2, 4), "u8"), channels=4), "at most 16 bytes, not 32"),
        (lambda: Surface(np.zeros(4, bool)), "cannot have elements of type bool"),
        (lambda: Surface(np.zeros(4, "f4"), normalized=True), "be read as normalized floats"),
        (lambda: Surface(np.zeros((5, 2, 2), "f4"), cubemap=True), "six square faces"),
    ],
)
def test_invalid_surfaces(make, message: str):
    with pytest.raises(SimulationError, match=message):
        make()


# Queries


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("width", 8), ("height", 4), ("depth", 0), ("channel_data_type", 0x10DA),
        ("channel_order", 0x10B2), ("array_size", 3), ("memory_layout", 0),
    ],
)  # fmt: skip
def test_queries(query: str, wanted: int):
    surface = Surface(np.zeros((3, 4, 8, 2), np.uint8), channels=2, layered=True)
    source = f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(i64 %s, ptr %out) {{
  %r = call i32 asm "suq.{query}.b32 $0, [$1];", "=r,l"(i64 %s)
  store i32 %r, ptr %out
  ret void
}}
"""
    out = np.zeros(1, np.uint32)
    launch(nvvm_xdsl.parse(source, format="ll"), "k", 1, 1, [surface, out])
    assert out.tolist() == [wanted]


def test_queries_of_a_volume():
    from helpers.handle_kernels import ask

    assert ask("suq.depth.b32", Surface(np.zeros((2, 3, 4), "f4"))) == [2]
    assert ask("suq.channel_data_type.b32", Surface(np.zeros(4, "u1"), normalized=True)) == [0x10D2]


# Surfaces are memory


RACE = """target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)
declare i32 @llvm.nvvm.suld.1d.i32.trap(i64, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(i64 %s, ptr %plain) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = shl i32 %t, 2
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %s, i32 %x, i32 %t)
  %up = add i32 %x, 4
  %far = and i32 %up, 12
  %v = call i32 @llvm.nvvm.suld.1d.i32.trap(i64 %s, i32 %far)
  %p = getelementptr i32, ptr %plain, i32 %t
  store i32 %v, ptr %p
  ret void
}
"""


def test_races():
    cells, seen = np.zeros(4, np.uint32), np.zeros(4, np.uint32)
    module = nvvm_xdsl.parse(RACE, format="ll")
    launch(module, "k", 1, 4, [Surface(cells), seen])
    assert cells.tolist() == [0, 1, 2, 3]
    with pytest.raises(SimulationError) as error:
        launch(module, "k", 1, 4, [Surface(cells), seen], checks=["race"])
    assert error.value.kind == "race"


def test_an_array_can_be_a_surface_and_a_buffer():
    """The kernel writes 0 to element 0 of the surface, then element 1 to element 0 of the buffer."""
    cells = np.array([9, 7, 0, 0], np.uint32)
    module = nvvm_xdsl.parse(RACE, format="ll")
    launch(module, "k", 1, 1, [Surface(cells), cells])
    assert cells.tolist() == [7, 7, 0, 0]


def test_undefined_values_are_tracked():
    source = """target triple = "nvptx64-nvidia-cuda"
declare void @llvm.nvvm.sust.b.1d.i32.trap(i64, i32, i32)
define ptx_kernel void @k(i64 %s) {
  call void @llvm.nvvm.sust.b.1d.i32.trap(i64 %s, i32 4, i32 undef)
  ret void
}
"""
    module = nvvm_xdsl.parse(source, format="ll")
    with pytest.raises(
        SimulationError, match="reads byte 4 of 's', which the kernel leaves undefined"
    ):
        launch(module, "k", 1, 1, [Surface(np.zeros(4, "u4"))], checks=["init"])
