"""Whole programs with textures: CUDA compiled by clang, and every intrinsic."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.dialects.nvvm.intrinsics import all_intrinsics, find_intrinsic
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.lab.launches import difference, run
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import Surface, Texture, prepare

# textures.ll is clang 22's output for textures.cu for sm_80 at -O1, with the headers of CUDA 13.
PROGRAM = Path(__file__).with_name("textures.ll")
LEVELS = ("nvopt<O1;short>", "nvopt<O3>")

rng = np.random.default_rng(7)


@pytest.fixture(scope="module")
def program():
    return nvvm_xdsl.parse(PROGRAM)


def bilinear(image: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """tex2D with linear filtering and clamped coordinates, weights in 1.8 fixed point."""
    height, width = image.shape
    left, up = np.floor(x - 0.5), np.floor(y - 0.5)
    a = np.round((x - 0.5 - left) * 256) / 256
    b = np.round((y - 0.5 - up) * 256) / 256
    columns = [np.clip(left + i, 0, width - 1).astype(int) for i in (0, 1)]
    rows = [np.clip(up + i, 0, height - 1).astype(int) for i in (0, 1)]
    wide = image.astype(np.float64)
    above = (1 - a) * wide[rows[0], columns[0]] + a * wide[rows[0], columns[1]]
    below = (1 - a) * wide[rows[1], columns[0]] + a * wide[rows[1], columns[1]]
    return (1 - b) * above + b * below


@pytest.mark.parametrize(("width", "height"), [(9, 5), (1, 1), (16, 8)])
def test_slopes_of_an_image(program, width: int, height: int):
    image = rng.random((height, width), dtype=np.float32)
    held = rng.random((height, width), dtype=np.float32)
    args = (Texture(image, filter="linear"), Surface(held), width, height)
    case = Launch("slope", (2, 2), (8, 4), args)
    y, x = np.mgrid[:height, :width]
    want = held + bilinear(image, x + 1.25, y + 0.5) - bilinear(image, x - 0.25, y + 0.5)
    (got,) = run(program, case, checks=["init", "race", "sync"]).arrays
    assert got == pytest.approx(want, abs=1e-6)
    for level in LEVELS if width == 9 else ():
        assert_same_behaviour(program, level, [case])


def test_a_palette(program):
    """Numbers in linear memory; layers of a filtered palette, normalized coordinates."""
    count = 37
    colours = rng.integers(0, 256, (2, 16, 4)).astype(np.uint8)
    numbers = rng.integers(0, 16, count).astype(np.uint8)
    palette = Texture(
        colours, channels=4, layered=True, normalized_float=True, normalized=True, filter="linear"
    )
    # The surface is too narrow for the last numbers, which are dropped.
    out = Surface(np.zeros((2, 33, 4), np.uint8), channels=4, layered=True)
    args = (palette, Texture(numbers, linear_memory=True), out, count)
    case = Launch("palette", 2, 32, args)
    # At the middle of a texel, colour / 255 * 255 may be below the colour by rounding.
    single = (colours / 255).astype(np.float32) * np.float32(255)
    (got,) = run(program, case).arrays
    assert got.tolist() == single.astype(np.uint8)[:, numbers[:33]].tolist()
    for level in LEVELS:
        assert_same_behaviour(program, level, [case])


def test_a_volume_and_a_cubemap(program):
    levels = [np.full((8 >> n,) * 3, 100.0 * n, np.float32) for n in range(4)]
    volume = Texture(levels[0], mipmaps=levels[1:], normalized=True, mipmap_filter="linear")
    faces = rng.random((6, 4, 4), dtype=np.float32)
    threads = 20
    case = Launch(
        "shade", 1, threads,
        (volume, Texture(faces, cubemap=True), np.zeros((threads, 2), np.float32), 1.25),
    )  # fmt: skip
    (got,) = run(program, case).arrays
    assert got[:, 0].tolist() == [125.0] * threads
    direction = ((np.arange(threads) + 0.5) / threads - 0.5).astype(np.float64)
    for x, seen in zip(direction, got[:, 1]):
        # +x, -x or +y; the coordinates on the face by the guide's table.
        if abs(x) > 0.25:
            face, s, t = (0, -0.125, -0.25) if x > 0 else (1, 0.125, -0.25)
            major = abs(x)
        else:
            face, s, t, major = 2, x, 0.125, 0.25
        column = min(int((s / major + 1) / 2 * 4), 3)
        assert seen == faces[face, int((t / major + 1) / 2 * 4), column]
    for level in LEVELS:
        assert_same_behaviour(program, level, [case])


@needs_ptxas
@pytest.mark.parametrize("arch", ["sm_80", "sm_100"])
def test_ptxas_accepts_the_program(arch: str):
    ptx = nvvm_xdsl.compile(PROGRAM.read_text(), arch=arch)
    assert ptx.count("tex.") == 6
    assemble(ptx, arch)


# Every intrinsic, as IR and as machine code. The instruction of each is written out here a second
# time, independently.

SHAPES = {"1d": (5,), "2d": (4, 5), "3d": (3, 4, 5), "cube": (6, 4, 4)}
LAYERS = (3,)
LLVM_TYPES = {"i64": "i64", "i32": "i32", "i16": "i16", "f32": "float"}
ARGUMENT_TYPES = {"i32": np.int32, "i16": np.int16, "i64": np.int64}


def named(family: str) -> list[str]:
    """The intrinsics of a family, without those for which PTX has no instruction: formatted stores of less
    than 32 bits.
    """
    found = [n for n in all_intrinsics() if n.startswith(f"llvm.nvvm.{family}.")]
    return [n for n in found if not re.search(r"sust\.p.*i(8|16)\.", n)]


def shape_of(name: str) -> tuple[str, bool]:
    """Returns the geometry, and whether there are layers."""
    words = name.split(".")
    return next(w for w in words if w in SHAPES), "array" in words


def texture_for(name: str) -> Texture:
    geometry, layered = shape_of(name)
    random = np.random.default_rng(len(name))
    kept = 1 if geometry == "cube" else 0
    halved = SHAPES[geometry][:kept] + tuple(n // 2 for n in SHAPES[geometry][kept:])
    levels = []
    for shape in (SHAPES[geometry], halved):
        whole = ((LAYERS if layered else ()) + shape) + (4,)
        integers = random.integers(0, 2**31, whole).astype(np.int32)
        levels.append(random.random(whole, dtype=np.float32) if "v4f32" in name else integers)
    return Texture(
        levels[0],
        channels=4,
        layered=layered,
        cubemap=geometry == "cube",
        mipmaps=levels[1:],
        filter="linear" if "v4f32" in name else "point",
    )


def surface_for(name: str) -> Surface:
    geometry, layered = shape_of(name)
    shape = ((LAYERS if layered else ()) + SHAPES[geometry]) + (4,)
    cells = np.random.default_rng(len(name)).integers(0, 2**31, shape).astype(np.int32)
    return Surface(cells, channels=4, layered=layered)


def symbol_of(name: str) -> str:
    return name.removeprefix("llvm.nvvm.").replace(".", "_")


def kernel_of(name: str) -> str:
    """A kernel that passes its arguments to an intrinsic and stores its results."""
    known = find_intrinsic(name)
    results = [LLVM_TYPES[r] for r in known.results]
    arguments = [LLVM_TYPES[a] for a in known.arguments]
    whole = "void" if not results else ", ".join(results)
    whole = f"{{ {whole} }}" if len(results) > 1 else whole
    params = ", ".join(f"{t} %a{i}" for i, t in enumerate(arguments))
    call = f"call {whole} @{name}({params})"
    kept = f"%r = {call}\n  store {whole} %r, ptr %out, align 4" if results else call
    return (
        f"declare {whole} @{name}({', '.join(arguments)})\n"
        f"define ptx_kernel void @{symbol_of(name)}({params}, ptr %out) {{\n"
        f"  {kept}\n  ret void\n}}\n"
    )


def launch_of(name: str) -> Launch:
    """A launch with different numbers in all coordinates, which are within the texture."""
    texture = ".tex." in name or ".tld4." in name
    handles = 2 if texture and ".unified" not in name else 1
    args: list[object] = [texture_for(name) if texture else surface_for(name)] * handles
    geometry, layered = shape_of(name)
    places = iter(([2] if layered else []) + [3, 1, 2][: len(SHAPES[geometry])])
    for position, kind in enumerate(find_intrinsic(name).arguments[handles:]):
        if kind == "f32":
            args.append(np.float32(0.7 + 0.375 * position))
            continue
        number = next(places, 77 + position)
        if not texture and position == layered and ".sust.p." not in name:
            number *= 16
        args.append(ARGUMENT_TYPES[kind](number))
    return Launch(symbol_of(name), 1, 1, (*args, np.zeros(16, np.uint32)))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("family", "count"), [("tex", 150), ("tld4", 24), ("suld", 165), ("sust", 180)]
)
def test_every_intrinsic(family: str, count: int):
    names = named(family)
    assert len(names) == count
    text = 'target triple = "nvptx64-nvidia-cuda"\n' + "".join(kernel_of(n) for n in names)
    module = nvvm_xdsl.parse(text, format="ll")
    source = prepare(module)
    selected = select(module.clone(), CodegenOptions.for_arch("sm_90"))
    selected.verify()
    machine = prepare(selected, source=source)
    for name in names:
        case = launch_of(name)
        before, after = run(source, case), run(machine, case)
        assert difference(case, before, after) is None, name
        given = [a.array for a in case.args if isinstance(a, Surface)] + [case.args[-1]]
        changed = any((a != b).any() for a, b in zip(given, before.arrays))
        assert changed, f"{name} did nothing"
