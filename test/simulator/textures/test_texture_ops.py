"""Texture instructions: PTX ISA 9.7.10; CUDA C++ Programming Guide, "Texture Fetching"."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from helpers.handle_kernels import WAYS, floats, run
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.simulator import Sampler, SimulationError, Texture

F32 = ["f32"] * 4
LINE = np.array([10, 20, 30, 40], np.float32)
INF = float("inf")

each_way = pytest.mark.parametrize("way", WAYS)


def red(rows: list[list[int]]) -> list[float]:
    """The first component of each result."""
    return [row[0] for row in floats(rows)]


def tex1d(texture: Texture, xs: list[float], way: str = "machine", *sampler: Sampler):
    return red(run("tex.1d.v4.f32.f32", [texture, *sampler], [xs], results=F32, way=way))


# Addressing


@each_way
def test_nearest_texel(way: str):
    """Nearest-point sampling: tex(x) = T[floor(x)], clamped to the texture."""
    below = float(np.nextafter(np.float32(4), np.float32(0)))
    xs = [0.0, -0.0, 0.99, 1.0, 2.5, below, 4.0, 1e30, INF, -1e-30, -1.0, -INF]
    want = [10, 10, 10, 20, 30, 40, 40, 40, 40, 10, 10, 10]
    assert tex1d(Texture(LINE), xs, way) == want


@each_way
def test_border_reads_zero(way: str):
    texture = Texture(LINE, address_mode="border")
    xs = [0.0, 3.99, 4.0, -1e-30, -1.0, INF]
    assert tex1d(texture, xs, way) == [10, 40, 0, 0, 0, 0]


@each_way
def test_wrap_repeats(way: str):
    """x becomes frac(x) = x - floor(x)."""
    texture = Texture(LINE, normalized=True, address_mode="wrap")
    xs = [0.0, 0.25, 0.99, 1.0, 1.25, -0.25, -1.0, -0.01, 1e9]
    assert tex1d(texture, xs, way) == [10, 20, 40, 10, 20, 40, 10, 40, 10]


@each_way
def test_mirror_reverses_every_other_copy(way: str):
    """x becomes frac(x) where floor(x) is even, else 1 - frac(x)."""
    texture = Texture(LINE, normalized=True, address_mode="mirror")
    xs = [0.0, 0.3, 0.9, 1.0, 1.25, 1.3, 1.9, 2.0, 2.3, -0.1, -0.3, -0.9]
    assert tex1d(texture, xs, way) == [10, 20, 40, 40, 40, 30, 10, 10, 20, 10, 20, 40]


@pytest.mark.parametrize("mode", ["wrap", "mirror"])
def test_coordinates_in_texels_do_not_repeat(mode: str):
    """cudaTextureDesc: wrap and mirror act as clamp unless coordinates are normalized."""
    assert tex1d(Texture(LINE, address_mode=mode), [-1.0, 5.0]) == [10, 40]


def test_normalized_coordinates_scale():
    assert tex1d(Texture(LINE, normalized=True), [0.0, 0.26, 0.5, 0.999, 1.0]) == [
        10, 20, 30, 40, 40,
    ]  # fmt: skip


@each_way
def test_integer_coordinates_name_texels(way: str):
    """Neither filtered nor scaled."""
    texture = Texture(LINE, filter="linear", normalized=True, address_mode="wrap")
    got = run("tex.1d.v4.f32.s32", [texture], [[0, 3, 4, -1, 2**31 - 1]], results=F32, way=way)
    assert red(got) == [10, 40, 40, 10, 40]
    border = Texture(LINE, address_mode="border")
    got = run("tex.1d.v4.f32.s32", [border], [[0, 3, 4, -1]], results=F32, way=way)
    assert red(got) == [10, 40, 0, 0]


def test_linear_memory_reads_zero_beyond_its_end():
    texture = Texture(LINE, linear_memory=True)
    got = run("tex.1d.v4.f32.s32", [texture], [[0, 3, 4, -1]], results=F32)
    assert red(got) == [10, 40, 0, 0]
    with pytest.raises(SimulationError, match="is read by integers"):
        tex1d(texture, [0.0])


def test_each_dimension_has_its_own_address_mode():
    image = np.arange(1, 7, dtype=np.float32).reshape(2, 3)
    texture = Texture(image, address_mode=("border", "clamp"))
    got = run("tex.2d.v4.f32.f32", [texture], [[3.0, 2.0, -1.0], [0.0, 9.0, 0.0]], results=F32)
    assert red(got) == [0, 6, 0]


# Linear filtering


def reference(texels, place, modes, normalized: bool) -> np.float32:
    """The guide's formulas, texel by texel, in exact arithmetic: `texels[i, j, k]` with x first."""
    axes = []
    for x, size, mode in zip(place, texels.shape, modes):
        x = Fraction(float(x))
        if normalized and mode == "wrap":
            x -= math.floor(x)
        if normalized and mode == "mirror":
            x = x - math.floor(x) if math.floor(x) % 2 == 0 else 1 - (x - math.floor(x))
        x = x * size if normalized else x
        xb = x - Fraction(1, 2)
        i = math.floor(xb)
        # 9-bit fixed point with 8 bits of fraction; a tie is rounded to even.
        alpha = Fraction(round((xb - i) * 256), 256)
        axes.append([(i, 1 - alpha), (i + 1, alpha)])
    total = Fraction(0)
    for corner in np.ndindex(*(2,) * len(axes)):
        weight, index, border = Fraction(1), [], False
        for axis, high, size, mode in zip(axes, corner, texels.shape, modes):
            number, part = axis[high]
            weight *= part
            if normalized and mode == "wrap":
                number %= size
            border = border or (mode == "border" and not 0 <= number < size)
            index.append(min(max(number, 0), size - 1))
        total += 0 if border else weight * Fraction(float(texels[tuple(index)]))
    return np.float32(float(total))


@each_way
def test_weights_have_eight_fractional_bits(way: str):
    """tex(x) = (1 - a) T[i] + a T[i+1], i = floor(x - 0.5), a in 1.8 fixed point."""
    texture = Texture(np.array([0, 256], np.float32), filter="linear")
    step = 1 / 256
    xs = [0.5, 0.5 + step, 0.5 + 1.4 * step, 0.5 + 1.6 * step, 1.0, 1.5 - 0.4 * step, 1.5, 9.0, 0.0]
    assert tex1d(texture, xs, way) == [0, 1, 1, 2, 128, 256, 256, 256, 0]


def test_texel_centres_are_exact():
    """Neighbours with weight zero are ignored, even if infinite."""
    texture = Texture(np.array([INF, 1 / 3, INF, 5], np.float32), filter="linear")
    assert tex1d(texture, [1.5, 3.5]) == [float(np.float32(1 / 3)), 5]


def test_the_border_is_interpolated():
    texture = Texture(LINE, filter="linear", address_mode="border")
    assert tex1d(texture, [0.0, 0.25, -0.5, 4.0, 4.5]) == [5, 7.5, 0, 20, 0]


def test_linear_filtering_wraps_neighbours():
    texture = Texture(LINE, filter="linear", normalized=True, address_mode="wrap")
    assert tex1d(texture, [0.0, 1.0, 0.0625, -0.0625]) == [25, 25, 17.5, 32.5]


GEOMETRIES = [("1d", (5,)), ("2d", (4, 5)), ("3d", (3, 4, 5))]


@settings(max_examples=40, deadline=None)
@given(
    which=st.sampled_from(GEOMETRIES),
    modes=st.tuples(*[st.sampled_from(["wrap", "mirror", "clamp", "border"])] * 3),
    normalized=st.booleans(),
    place=st.tuples(*[st.floats(-3, 8, width=32)] * 3),
    seed=st.integers(0, 1000),
)
def test_linear_filtering_follows_the_formula(which, modes, normalized, place, seed):
    geometry, shape = which
    rank = len(shape)
    image = np.random.default_rng(seed).random(shape, dtype=np.float32)
    texture = Texture(image, filter="linear", normalized=normalized, address_mode=modes[:rank])
    padding = [[0.0]] if rank == 3 else []
    got = run(
        f"tex.{geometry}.v4.f32.f32", [texture], [[x] for x in place[:rank]] + padding, results=F32
    )
    in_effect = [m if normalized or m == "border" else "clamp" for m in modes]
    want = reference(image.T, np.float32(place[:rank]), in_effect, normalized)
    assert red(got) == [pytest.approx(float(want), rel=1e-6, abs=1e-7)]


# Layers, faces, samples


@each_way
def test_layers(way: str):
    lines = np.arange(6, dtype=np.float32).reshape(3, 2)
    got = run(
        "tex.a1d.v4.f32.f32", [Texture(lines, layered=True)], [[0, 2, 1], [1.5, 0.5, 9.0]],
        results=F32, way=way,
    )  # fmt: skip
    assert red(got) == [1, 4, 3]
    images = np.arange(12, dtype=np.int32).reshape(3, 2, 2)
    got = run(
        "tex.a2d.v4.s32.s32",
        [Texture(images, layered=True)],
        [[2, 0], [1, 0], [0, 1], [77, 77]],
        way=way,
    )
    assert [row[0] for row in got] == [9, 2]


@each_way
def test_a_missing_layer(way: str):
    with pytest.raises(SimulationError, match="reads layer 3 of 3, in thread"):
        run(
            "tex.a1d.v4.f32.f32", [Texture(np.zeros((3, 2), np.float32), layered=True)],
            [[3], [0.5]], results=F32, way=way,
        )  # fmt: skip


FACES = np.repeat(np.arange(6, dtype=np.float32), 4).reshape(6, 2, 2)


@each_way
def test_cube_faces(way: str):
    """The axis of the largest magnitude chooses +x, -x, +y, -y, +z, -z."""
    directions = [[1, -2, 0, 0, 0, 0], [0.5, 1, 3, -1, 0.25, 0], [0, 1.5, 1, 0.5, 1, -7]]
    place = [[float(v) for v in axis] for axis in directions] + [[0.0] * 6]
    got = run("tex.cube.v4.f32.f32", [Texture(FACES, cubemap=True)], place, results=F32, way=way)
    assert red(got) == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize(
    ("direction", "face", "s", "t"),
    # Guide, "Cubemap Textures": s and t along each face, from the other two axes.
    [
        ((4, 1, 2), 0, -2, -1), ((-4, 1, 2), 1, 2, -1), ((1, 4, 2), 2, 1, 2),
        ((1, -4, 2), 3, 1, -2), ((1, 2, 4), 4, 1, -2), ((1, 2, -4), 5, -1, -2),
    ],
)  # fmt: skip
def test_coordinates_on_cube_faces(direction, face: int, s: int, t: int):
    """The coordinates on a face are (s / m + 1) / 2 and (t / m + 1) / 2."""
    size = 8
    faces = np.zeros((6, size, size), np.float32)
    faces[face, int((t / 4 + 1) / 2 * size), int((s / 4 + 1) / 2 * size)] = 1
    place = [[float(v)] for v in (*direction, 0)]
    assert red(run("tex.cube.v4.f32.f32", [Texture(faces, cubemap=True)], place, results=F32)) == [
        1
    ]


def test_cube_arrays():
    cubes = np.stack([FACES, FACES + 100])
    texture = Texture(cubes, cubemap=True, layered=True)
    got = run(
        "tex.acube.v4.f32.f32", [texture], [[1, 0], [0.0, 0.0], [-1.0, -1.0], [0.5, 0.5]],
        results=F32,
    )  # fmt: skip
    assert red(got) == [103, 3]


@each_way
def test_samples(way: str):
    texels = np.arange(12, dtype=np.float32).reshape(2, 2, 3)
    place = [[1, 0], [2, -1], [1, 0], [0, 0]]
    got = run(
        "tex.2dms.v4.f32.s32", [Texture(texels, multisampled=True)], place, results=F32, way=way
    )
    assert red(got) == [11, 0]
    layers = np.stack([texels, texels + 100])
    got = run(
        "tex.a2dms.v4.f32.s32", [Texture(layers, multisampled=True, layered=True)],
        [[1], [0], [2], [1]], results=F32, way=way,
    )  # fmt: skip
    assert red(got) == [105]
    with pytest.raises(SimulationError, match="reads sample 2 of 2"):
        run("tex.2dms.v4.f32.s32", [Texture(texels, multisampled=True)], [[2], [0], [0], [0]])


# Formats


@each_way
@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "u4"])
def test_integers_are_extended(dtype: str, way: str):
    info = np.iinfo(dtype)
    texture = Texture(np.array([info.min, info.max, 1], dtype))
    kind = "s32" if dtype[0] == "i" else "u32"
    got = run(f"tex.1d.v4.{kind}.f32", [texture], [[0.0, 1.0, 2.0]], way=way)
    assert [row[0] for row in got] == [info.min & 0xFFFFFFFF, info.max & 0xFFFFFFFF, 1]
    # Channels that a texture lacks are 0, and 1 for the last.
    assert [row[1:] for row in got] == [[0, 0, 1]] * 3


@pytest.mark.parametrize(
    ("dtype", "values", "wanted"),
    [
        ("u1", [0, 255, 51], [0, 1, 0.2]), ("u2", [0, 65535, 13107], [0, 1, 0.2]),
        ("i1", [-128, -127, 0, 127], [-1, -1, 0, 1]),
        ("i2", [-32768, -32767, 0, 32767], [-1, -1, 0, 1]),
    ],
)  # fmt: skip
def test_normalized_floats(dtype: str, values, wanted):
    texture = Texture(np.array(values, dtype), normalized_float=True)
    xs = [float(i) for i in range(len(values))]
    assert tex1d(texture, xs) == [float(np.float32(v)) for v in wanted]


def test_filtered_normalized_floats():
    texture = Texture(np.array([0, 255], np.uint8), normalized_float=True, filter="linear")
    assert tex1d(texture, [0.75]) == [0.25]


@pytest.mark.parametrize("channels", [1, 2, 4])
def test_channels(channels: int):
    texels = np.arange(1, 1 + 2 * channels, dtype=np.float32).reshape(2, channels)
    texture = Texture(texels if channels > 1 else texels[:, 0], channels=channels)
    got = floats(run("tex.1d.v4.f32.f32", [texture], [[1.0]], results=F32))
    want = [channels + 1.0, channels + 2.0, channels + 3.0, channels + 4.0][:channels]
    assert got == [[*want, 0, 0, 1][:channels] + [0, 0, 1][channels - 1 :]]


def test_srgb_is_decoded_before_filtering():
    """IEC 61966-2-1; the fourth channel is linear."""
    texels = np.array([[0, 10, 188, 188], [255, 10, 188, 188]], np.uint8)
    texture = Texture(texels, channels=4, normalized_float=True, srgb=True, filter="linear")
    (got,) = floats(run("tex.1d.v4.f32.f32", [texture], [[1.0]], results=F32))
    c = 188 / 255
    want = [0.5, 10 / 255 / 12.92, ((c + 0.055) / 1.055) ** 2.4, c]
    assert got == pytest.approx(want, rel=1e-6)


def test_halves():
    texture = Texture(np.array([[1.5, -2, 65504, 2**-24]], np.float16), channels=4)
    assert floats(run("tex.1d.v4.f32.f32", [texture], [[0.0]], results=F32)) == [
        [1.5, -2, 65504, 2**-24]
    ]


@each_way
def test_packed_halves(way: str):
    texture = Texture(np.array([[1, 2, -1, 1 + 2**-12]], np.float32), channels=4)
    got = run("tex.1d.v2.f16x2.f32", [texture], [[0.0]], results=["b32"] * 2, way=way)
    assert got == [[0x3C00 | 0x4000 << 16, 0xBC00 | 0x3C00 << 16]]


@each_way
def test_separate_halves(way: str):
    texture = Texture(np.array([[1, 2, -1, 1e9]], np.float32), channels=4)
    got = run("tex.1d.v4.f16.f32", [texture], [[0.0]], results=["b16"] * 4, way=way)
    assert got == [[0x3C00, 0x4000, 0xBC00, 0x7C00]]


# Mipmaps

LEVELS = [np.full((8 >> n, 8 >> n), 10 * n, np.float32) for n in range(4)]


def mipmapped(**options) -> Texture:
    return Texture(LEVELS[0], mipmaps=LEVELS[1:], normalized=True, **options)


@each_way
def test_levels(way: str):
    def at(texture: Texture, lods: list[float]):
        middle = [0.5] * len(lods)
        return red(run("tex.level.2d.v4.f32.f32", [texture], [middle] * 2, [[lods]], F32, way))

    lods = [-1.0, 0.0, 0.4, 0.5, 1.6, 3.0, 9.0, INF]
    assert at(mipmapped(), lods) == [0, 0, 0, 10, 20, 30, 30, 30]
    assert at(mipmapped(mipmap_filter="linear"), [0.25, 1.5, 2.999, 7.0]) == [2.5, 15, 30, 30]
    assert at(mipmapped(mipmap_bias=1.0), [0.0, 1.0]) == [10, 20]
    assert at(mipmapped(mipmap_range=(1.0, 2.0)), [0.0, 9.0]) == [10, 20]
    assert at(Texture(LEVELS[1]), [2.0]) == [10]


def test_the_base_level():
    texture = mipmapped(mipmap_bias=2.0)
    place = [[0.5], [0.5]]
    assert red(run("tex.base.2d.v4.f32.f32", [texture], place, results=F32)) == [0]
    assert red(run("tex.2d.v4.f32.f32", [texture], place, results=F32)) == [0]


@each_way
def test_gradients(way: str):
    """The level whose distance of texels is that of the longer gradient."""
    dx = [[0.125, 0.25, 0.0, 1.0], [0.0, 0.0, 0.5, 1.0]]
    dy = [[0.0, 0.0, 0.125, 0.0], [0.125, 0.125, 0.0, 0.0]]
    got = run(
        "tex.grad.2d.v4.f32.f32", [mipmapped()], [[0.5] * 4] * 2, [dx, dy], results=F32, way=way
    )
    assert red(got) == [0, 10, 20, 30]


def test_gradients_of_a_line():
    levels = [np.full(8 >> n, 10 * n, np.float32) for n in range(4)]
    texture = Texture(levels[0], mipmaps=levels[1:], normalized=True)
    got = run(
        "tex.grad.1d.v4.f32.f32", [texture], [[0.5, 0.5]], [[[0.0, 0.5]], [[-0.25, 0.0]]],
        results=F32,
    )  # fmt: skip
    assert red(got) == [10, 20]


def test_gradients_on_a_cube():
    """A change along the face by its whole width spans all texels; one along its normal spans none."""
    levels = [np.full((6, 8 >> n, 8 >> n), 10 * n, np.float32) for n in range(4)]
    texture = Texture(levels[0], mipmaps=levels[1:], cubemap=True)
    place = [[1.0, 1.0], [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]]
    along = [[0.0, 5.0], [0.0, 0.0], [2.0, 0.0], [0.0, 0.0]]
    nothing = [[0.0, 0.0]] * 4
    got = run("tex.grad.cube.v4.f32.f32", [texture], place, [along, nothing], results=F32)
    assert red(got) == [30, 0]


@each_way
def test_levels_by_integers(way: str):
    """With integer coordinates the level is an integer too."""
    got = run("tex.level.2d.v4.f32.s32", [mipmapped()], [[0, 0], [0, 0]], [[[2, 0]]], F32, way)
    assert red(got) == [20, 0]


def test_depths_are_not_compared():
    with pytest.raises(SimulationError, match="a comparison with a depth texture"):
        run("tex.2d.v4.f32.f32", [Texture(LEVELS[0])], [[0.0], [0.0]], [[[0.5]]], F32)


def test_levels_of_integers_are_not_interpolated():
    levels = [np.full(4 >> n, n, np.int32) for n in range(3)]
    texture = Texture(levels[0], mipmaps=levels[1:])
    got = run("tex.level.1d.v4.s32.f32", [texture], [[0.5, 0.5]], [[[1.0, 2.0]]])
    assert [row[0] for row in got] == [1, 2]


# Samplers, offsets, gathers


@each_way
def test_a_separate_sampler(way: str):
    """In independent mode the sampler determines the mode of access (PTX ISA 5.3)."""
    sampler = Sampler(filter="linear", address_mode="wrap", normalized=True)
    assert tex1d(Texture(LINE), [0.0, 0.25], way, sampler) == [25, 15]
    assert tex1d(Texture(LINE, filter="linear"), [1.0], way, Texture(LINE)) == [20]


@each_way
def test_offsets(way: str):
    """Offsets are in texels and are added before the coordinate is wrapped."""
    texture = Texture(LINE, normalized=True, address_mode="wrap")
    got = run("tex.1d.v4.f32.f32", [texture], [[0.0] * 4], [[[1, -1, 7, -8]]], F32, way)
    assert red(got) == [20, 40, 40, 10]
    image = np.arange(12, dtype=np.int32).reshape(3, 4)
    got = run(
        "tex.2d.v4.s32.s32", [Texture(image)], [[1, 1], [1, 1]], [[[1, -5], [1, 0]]],
        way=way,
    )  # fmt: skip
    assert [row[0] for row in got] == [10, 4]
    with pytest.raises(SimulationError, match="is not from -8 to 7"):
        run("tex.1d.v4.f32.f32", [texture], [[0.0]], [[[8]]], F32, way)


@each_way
def test_gathers_go_counter_clockwise_from_the_lower_left(way: str):
    image = np.arange(24, dtype=np.float32).reshape(3, 4, 2)
    texture = Texture(image, channels=2)
    for component, wanted in (
        ("r", [10, 12, 4, 2]),
        ("g", [11, 13, 5, 3]),
        ("b", [0] * 4),
        ("a", [1] * 4),
    ):
        got = run(
            f"tld4.{component}.2d.v4.f32.f32", [texture], [[2.0], [1.0]], results=F32, way=way
        )
        assert floats(got) == [wanted]


def test_gathers_at_the_edge_and_of_integers():
    image = np.arange(6, dtype=np.int16).reshape(2, 3)
    got = run("tld4.r.2d.v4.s32.f32", [Texture(image)], [[0.0, 3.0], [0.0, 2.0]])
    assert got == [[0, 0, 0, 0], [5, 5, 5, 5]]
    layered = Texture(np.stack([image, image + 10]), layered=True)
    got = run("tld4.r.a2d.v4.s32.f32", [layered], [[1], [1.0], [1.0], [0.0]])
    assert got == [[13, 14, 11, 10]]
    got = run(
        "tld4.r.cube.v4.f32.f32", [Texture(FACES, cubemap=True)], [[0.0], [1.0], [0.0], [0.0]]
    )
    assert floats(got) == [[2] * 4]
