"""Fixed-point intrinsics, wide funnel shifts and saturating conversions: IR, PTX and Python agree."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import launch

THREADS = 32


def bytes_of(width: int) -> int:
    """The stride of elements in memory: a power of two."""
    return 1 << max((width - 1).bit_length() - 3, 0)


def packed(values: list[int], width: int) -> np.ndarray:
    size = bytes_of(width)
    data = b"".join((v & ((1 << width) - 1)).to_bytes(size, "little") for v in values)
    return np.frombuffer(data, np.uint8).copy()


def unpacked(data: np.ndarray, width: int) -> list[int]:
    size = bytes_of(width)
    numbers = [
        int.from_bytes(data[i : i + size].tobytes(), "little") for i in range(0, len(data), size)
    ]
    return [v & ((1 << width) - 1) for v in numbers]


def boundary_values(width: int, chance: random.Random) -> list[int]:
    top = 1 << (width - 1)
    found = [
        0,
        1,
        2,
        3,
        top - 1,
        top,
        top + 1,
        2 * top - 1,
        2 * top - 2,
        width - 1,
        width,
        width + 1,
    ]
    while len(found) < THREADS:
        found.append(chance.getrandbits(chance.randrange(1, width + 1)))
    return [v % (1 << width) for v in found]


def kernel(result: str, call: str, operands: list[tuple[str, int]], size: int) -> str:
    """Returns a kernel that applies a call to the elements of arrays, one per thread."""
    loads = "".join(
        f"  %i{n} = mul i32 %t, {stride}\n"
        f"  %p{n} = getelementptr i8, ptr addrspace(1) %in{n}, i32 %i{n}\n"
        f"  %a{n} = load {type_}, ptr addrspace(1) %p{n}, align 1\n"
        for n, (type_, stride) in enumerate(operands)
    )
    parameters = ", ".join(f"ptr addrspace(1) %in{n}" for n in range(len(operands)))
    return (
        f"define ptx_kernel void @k(ptr addrspace(1) %out, {parameters}) {{\n"
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        f"{loads}  %r = call {call}\n  %o = mul i32 %t, {size}\n"
        "  %q = getelementptr i8, ptr addrspace(1) %out, i32 %o\n"
        f"  store {result} %r, ptr addrspace(1) %q, align 1\n  ret void\n}}\n"
    )


def run(source: str, inputs: list[np.ndarray], size: int, *, levels: tuple[int, ...] = (3,)):
    """Returns the values that the kernel stores, as IR and as compiled PTX."""
    found: list[np.ndarray] = []
    modules = [nvvm_xdsl.parse(source)]
    for level in levels:
        ptx = nvvm_xdsl.compile(source, arch="sm_90", opt_level=level)
        modules.append(machine_code(read_ptx(ptx)))
    for module in modules:
        out = np.zeros(THREADS * size, np.uint8)
        launch(module, "k", 1, THREADS, [out, *inputs])
        found.append(out)
    return found


FIXED = [
    (name, width, scale)
    for name in (
        "smul.fix", "umul.fix", "smul.fix.sat", "umul.fix.sat",
        "sdiv.fix", "udiv.fix", "sdiv.fix.sat", "udiv.fix.sat",
    )
    for width, scale in ((7, 3), (8, 0), (32, 31), (64, 31), (128, 100))
    if "mul" in name or width <= 64
]  # fmt: skip


def fixed(name: str, a: int, b: int, width: int, scale: int) -> int | None:
    """Returns the exact result, rounded down; None if it is undefined."""
    sign = name[0] == "s"
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if sign else (0, (1 << width) - 1)
    if sign:
        a, b = (v - (v > high) * (1 << width) for v in (a, b))
    if "div" in name:
        if b == 0:
            return None
        exact = math.floor(Fraction(a << scale, b))
    else:
        exact = a * b >> scale
    if name.endswith("sat"):
        exact = min(max(exact, low), high)
    elif not low <= exact <= high and "div" in name:
        return None
    return exact & ((1 << width) - 1)


@pytest.mark.parametrize(("name", "width", "scale"), FIXED)
def test_fixed_point(name: str, width: int, scale: int):
    chance = random.Random(f"{name}{width}")
    a, b = boundary_values(width, chance), boundary_values(width, chance)
    chance.shuffle(b)
    if "div" in name:
        b = [v or 1 for v in b]
    type_, size = f"i{width}", bytes_of(width)
    call = f"{type_} @llvm.{name}.{type_}({type_} %a0, {type_} %a1, i32 {scale})"
    source = kernel(type_, call, [(type_, size)] * 2, size)
    source += f"declare {type_} @llvm.{name}.{type_}({type_}, {type_}, i32)\n"
    wanted = [fixed(name, x, y, width, scale) for x, y in zip(a, b)]
    levels = (0, 3) if width == 32 else (3,)
    for out in run(source, [packed(a, width), packed(b, width)], size, levels=levels):
        got = unpacked(out, width)
        assert [g for g, w in zip(got, wanted) if w is not None] == [
            w for w in wanted if w is not None
        ]


def test_fixed_point_of_vectors():
    source = kernel(
        "<2 x i16>",
        "<2 x i16> @llvm.smul.fix.sat.v2i16(<2 x i16> %a0, <2 x i16> %a1, i32 8)",
        [("<2 x i16>", 4)] * 2,
        4,
    )
    source += "declare <2 x i16> @llvm.smul.fix.sat.v2i16(<2 x i16>, <2 x i16>, i32)\n"
    a, b = (boundary_values(16, random.Random(n)) * 2 for n in (1, 2))
    wanted = [fixed("smul.fix.sat", x, y, 16, 8) for x, y in zip(a, b)]
    for out in run(source, [packed(a, 16), packed(b, 16)], 4):
        assert unpacked(out, 16) == wanted


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("i32 @llvm.smul.fix.i32(i32 %a0, i32 %a0, i32 32)", "must be a constant below the width"),
        ("i32 @llvm.smul.fix.i32(i32 %a0, i32 %a0, i32 -1)", "must be a constant below the width"),
        ("i32 @llvm.smul.fix.i32(i32 %a0, i32 %a0, i32 %t)", "constant"),
    ],
)
def test_the_scale_is_a_constant_below_the_width(call: str, message: str):
    source = kernel("i32", call, [("i32", 4)], 4)
    source += "declare i32 @llvm.smul.fix.i32(i32, i32, i32)\n"
    with pytest.raises(DiagnosticError, match=message) as caught:
        nvvm_xdsl.compile(source)
    assert caught.value.line is not None


def test_fixed_point_quotients_of_more_than_64_bits_are_errors():
    source = kernel(
        "i128", "i128 @llvm.sdiv.fix.i128(i128 %a0, i128 %a0, i32 5)", [("i128", 16)], 16
    )
    source += "declare i128 @llvm.sdiv.fix.i128(i128, i128, i32)\n"
    with pytest.raises(DiagnosticError, match="of more than 64 bits is not supported") as caught:
        nvvm_xdsl.compile(source)
    assert caught.value.line is not None


@pytest.mark.parametrize("width", [65, 96, 200])
@pytest.mark.parametrize("name", ["fshl", "fshr"])
def test_funnel_shifts_of_odd_widths(name: str, width: int):
    chance = random.Random(f"{name}{width}")
    a, b, c = (boundary_values(width, chance) for _ in range(3))
    type_, size = f"i{width}", bytes_of(width)
    call = f"{type_} @llvm.{name}.{type_}({type_} %a0, {type_} %a1, {type_} %a2)"
    source = kernel(type_, call, [(type_, size)] * 3, size)
    source += f"declare {type_} @llvm.{name}.{type_}({type_}, {type_}, {type_})\n"
    mask = (1 << width) - 1

    def funnel(x: int, y: int, z: int) -> int:
        both, by = x << width | y, z % width
        return (both << by >> width if name == "fshl" else both >> by) & mask

    wanted = [funnel(*each) for each in zip(a, b, c)]
    for out in run(source, [packed(v, width) for v in (a, b, c)], size):
        assert unpacked(out, width) == wanted
    constant = source.replace(f"{type_} %a2)", f"{type_} {3 * width + 70})")
    wanted = [funnel(x, y, 70) for x, y in zip(a, b)]
    for out in run(constant, [packed(v, width) for v in (a, b, c)], size, levels=(0,)):
        assert unpacked(out, width) == wanted


@pytest.mark.parametrize("width", [65, 100, 128, 129])
@pytest.mark.parametrize("sign", ["s", "u"])
def test_checked_products_of_more_than_64_bits(sign: str, width: int):
    chance = random.Random(f"{sign}{width}")
    a, b = boundary_values(width, chance), boundary_values(width, chance)
    chance.shuffle(b)
    type_, size = f"i{width}", bytes_of(width)
    name = f"{sign}mul.with.overflow.{type_}"
    call = f"{{{type_}, i1}} @llvm.{name}({type_} %a0, {type_} %a1)"
    value = kernel("RESULT", call, [(type_, size)] * 2, size).replace("%r = call", "%c = call")
    value += f"declare {{{type_}, i1}} @llvm.{name}({type_}, {type_})\n"
    low, high = (0, (1 << width) - 1) if sign == "u" else (-(1 << width - 1), (1 << width - 1) - 1)

    def exact(x: int, y: int) -> int:
        return (x - (x > high) * (1 << width)) * (y - (y > high) * (1 << width))

    products = [exact(x, y) for x, y in zip(a, b)]
    over = [not low <= p <= high for p in products]
    assert set(over) == {True, False}
    for part, wanted in (
        (f"{type_} %r", [p % (1 << width) for p in products]),
        ("i1 %r", [int(o) for o in over]),
    ):
        result = part.split()[0]
        took = f"%r = extractvalue {{{type_}, i1}} %c, {int(result == 'i1')}\n  %o = mul"
        source = value.replace("%o = mul", took).replace("RESULT", result)
        for out in run(source, [packed(a, width), packed(b, width)], size):
            assert unpacked(out, width) == wanted


FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}


def floats(dtype: type[np.floating], width: int) -> np.ndarray:
    chance = np.random.default_rng(width)
    edges = [0.0, -0.0, 0.5, -0.5, 0.99, -0.99, 1.0, -1.0, -1.5, 2.0, math.inf, -math.inf, math.nan]
    edges += [s * 2.0**e for e in (width - 1, width, width + 1, 15, 64) for s in (1, -1)]
    made = [*edges, *(chance.normal(size=THREADS - len(edges)) * 2.0 ** (width - 2))]
    with np.errstate(over="ignore"):
        return np.array(made, dtype)


@pytest.mark.parametrize("type_", FLOATS)
@pytest.mark.parametrize("width", [1, 54, 64, 65, 128])
@pytest.mark.parametrize("name", ["fptosi.sat", "fptoui.sat"])
def test_saturating_conversions(name: str, width: int, type_: str):
    values = floats(FLOATS[type_], width)
    letter = {"half": "f16", "float": "f32", "double": "f64"}[type_]
    size = bytes_of(width)
    call = f"i{width} @llvm.{name}.i{width}.{letter}({type_} %a0)"
    source = kernel(f"i{width}", call, [(type_, values.itemsize)], size)
    source += f"declare i{width} @llvm.{name}.i{width}.{letter}({type_})\n"
    sign = name == "fptosi.sat"
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if sign else (0, (1 << width) - 1)

    def converted(value: float) -> int:
        if value != value:
            return 0
        if math.isinf(value):
            return high if value > 0 else low
        return min(max(int(value), low), high)

    wanted = [converted(float(v)) & ((1 << width) - 1) for v in values]
    for out in run(source, [values], size):
        assert unpacked(out, width) == wanted


@pytest.mark.parametrize(("name", "rounded"), [("lrint", round), ("lround", None)])
def test_rounding_to_wide_integers(name: str, rounded):
    values = np.array([0.5, 1.5, -2.5, 2.5, -0.5, 2.0**70, -(2.0**70), 3e20] * 4, np.float64)
    source = kernel("i128", f"i128 @llvm.{name}.i128.f64(double %a0)", [("double", 8)], 16)
    source += f"declare i128 @llvm.{name}.i128.f64(double)\n"

    def away(value: float) -> int:
        return int(math.copysign(math.floor(abs(value) + 0.5), value))

    wanted = [(rounded or away)(float(v)) & ((1 << 128) - 1) for v in values]
    for out in run(source, [values], 16):
        assert unpacked(out, 128) == wanted


@pytest.mark.parametrize("width", [1, 65, 100, 128])
@pytest.mark.parametrize("sign", ["s", "u"])
def test_saturating_shifts(sign: str, width: int):
    chance = random.Random(width)
    values = boundary_values(width, chance)
    amounts = [chance.randrange(width) for _ in values]
    type_ = f"i{width}"
    operands = [(type_, bytes_of(width))] * 2
    name = f"llvm.{sign}shl.sat.{type_}"
    source = kernel(type_, f"{type_} @{name}({type_} %a0, {type_} %a1)", operands, bytes_of(width))
    source += f"declare {type_} @{name}({type_}, {type_})\n"
    top = 1 << (width - 1)
    low, high = (-top, top - 1) if sign == "s" else (0, 2 * top - 1)
    wanted = [
        min(max((v - 2 * top if sign == "s" and v >= top else v) << n, low), high) % (2 * top)
        for v, n in zip(values, amounts)
    ]
    for out in run(source, [packed(values, width), packed(amounts, width)], bytes_of(width)):
        assert unpacked(out, width) == wanted


@needs_ptxas
@pytest.mark.parametrize("level", [0, 3])
def test_expansions_are_assembled(level: int):
    functions = []
    declared = []
    for number, (name, width, scale) in enumerate(FIXED):
        type_ = f"i{width}"
        functions.append(
            f"define {type_} @f{number}({type_} %a, {type_} %b) {{\n"
            f"  %r = call {type_} @llvm.{name}.{type_}({type_} %a, {type_} %b, i32 {scale})\n"
            f"  ret {type_} %r\n}}\n"
        )
        declared.append(f"declare {type_} @llvm.{name}.{type_}({type_}, {type_}, i32)\n")
    functions.append(
        "define i100 @funnel(i100 %a, i100 %b, i100 %c) {\n"
        "  %r = call i100 @llvm.fshl.i100(i100 %a, i100 %b, i100 %c)\n  ret i100 %r\n}\n"
        "define i128 @wide(float %a) {\n"
        "  %r = call i128 @llvm.fptosi.sat.i128.f32(float %a)\n  ret i128 %r\n}\n"
        "declare i100 @llvm.fshl.i100(i100, i100, i100)\ndeclare i128 @llvm.fptosi.sat.i128.f32(float)\n"
    )
    source = "".join(functions) + "".join(dict.fromkeys(declared))
    assemble(nvvm_xdsl.compile(source, arch="sm_90", opt_level=level), "sm_90")


DIGITS = {"bfloat": (8, 127), "half": (11, 15)}
"""The number of digits, and the bias of the exponent."""


def rounded(value: int, type_: str) -> int:
    """The bits of a float nearest to an integer, ties to even."""
    digits, bias = DIGITS[type_]
    size = abs(value)
    sign = (value < 0) << 15
    if not size:
        return sign
    spare = size.bit_length() - digits
    kept = round(Fraction(size, 1 << spare)) if spare > 0 else size << -spare
    if kept >> digits:
        kept, spare = kept >> 1, spare + 1
    exponent = spare + digits - 1 + bias
    if exponent > 2 * bias:
        return sign | (2 * bias + 1) << digits - 1
    return sign | exponent << digits - 1 | kept - (1 << digits - 1)


@pytest.mark.parametrize("type_", DIGITS)
@pytest.mark.parametrize("width", [65, 100, 128])
@pytest.mark.parametrize("sign", ["s", "u"])
def test_halves_are_rounded_once(sign: str, width: int, type_: str):
    digits, _ = DIGITS[type_]
    chance = random.Random(width)
    values = boundary_values(width, chance)[:8]
    while len(values) < THREADS:
        # Next to the middle between two halves.
        middle = 2 * chance.randrange(1 << digits - 1, 1 << digits) + 1
        middle <<= chance.randrange(min(width, 127) - digits)
        values += [middle + 1, middle - 1, middle]
    values = values[:THREADS]
    source = kernel(type_, "x", [(f"i{width}", 16)], 2)
    source = source.replace("call x", f"{sign}itofp i{width} %a0 to {type_}")
    numbers = [v - ((sign == "s" and v >> (width - 1)) << width) for v in values]
    wanted = [rounded(v, type_) for v in numbers]
    for out in run(source, [packed(values, width)], 2):
        assert unpacked(out, 16) == wanted
