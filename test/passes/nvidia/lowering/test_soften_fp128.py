"""`soften-fp128`: results of 128-bit float operations against exact fractions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt

import numpy as np
import pytest
from xdsl.dialects.builtin import IntegerType

import nvvm_xdsl
from nvvm_xdsl import simulator
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import VerifyError

BIAS, FRACTION = 16383, 112
SIGN, INFINITY = 1 << 127, 0x7FFF << FRACTION
ONE = BIAS << FRACTION
LEAST = Fraction(1, 1 << (BIAS - 1 + FRACTION))
"""The smallest subnormal number."""


def is_nan(bits: int) -> bool:
    return bits & (SIGN - 1) > INFINITY


def is_finite(bits: int) -> bool:
    return bits & (SIGN - 1) < INFINITY


def value(bits: int) -> Fraction:
    """Returns the number represented by finite bits."""
    exponent, fraction = bits >> FRACTION & 0x7FFF, bits & ((1 << FRACTION) - 1)
    whole = fraction | (1 << FRACTION) if exponent else fraction
    number = LEAST * whole * (1 << max(exponent - 1, 0))
    return -number if bits & SIGN else number


def rounded(number: Fraction, sign: int = 0) -> int:
    """Returns the bits of a number rounded to nearest even; `sign` is that of zero."""
    if number == 0:
        return sign
    sign, units = (SIGN if number < 0 else 0), abs(number) / LEAST
    exponent = max(int(units).bit_length() - FRACTION - 1, 0)
    whole = round(units / (1 << exponent))
    return sign | min((exponent << FRACTION) + whole, INFINITY)


def samples(count: int, rng: random.Random) -> list[int]:
    found = [0, SIGN, 1, SIGN | 1, ONE, SIGN | ONE, INFINITY, SIGN | INFINITY, INFINITY + 1]
    found += [INFINITY - 1, (1 << FRACTION) - 1, 1 << FRACTION, ONE | 1, ONE - 1]
    while len(found) < count:
        exponent = rng.choice(
            [rng.randrange(0x7FFF), BIAS + rng.randint(-120, 120), rng.randint(0, 130)]
        )
        fraction = rng.getrandbits(FRACTION) & -(1 << rng.choice([0, 0, 50, 110]))
        found.append(rng.getrandbits(1) << 127 | exponent << FRACTION | fraction)
    return found  # fmt: skip


def computed(body: str, inputs: Sequence[Sequence[int]], result: str = "fp128") -> list[int]:
    """Returns the bits of %r, which the body computes from `%a` and `%b`."""
    size = 16
    loads = "\n".join(
        f"  %p{name} = getelementptr [2 x fp128], ptr addrspace(1) %p, i32 %i, i32 {number}\n"
        f"  %{name} = load fp128, ptr addrspace(1) %p{name}"
        for number, name in enumerate("ab"[: len(inputs)])
    )
    source = f"""
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare fp128 @llvm.fabs.f128(fp128)
declare fp128 @llvm.sqrt.f128(fp128)
declare fp128 @llvm.copysign.f128(fp128, fp128)
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {{
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
{loads}
  {body}
  %pr = getelementptr i128, ptr addrspace(1) %q, i32 %i
  store {result} %r, ptr addrspace(1) %pr, align 16
  ret void
}}
"""
    count = len(inputs[0])
    data = bytearray(2 * size * count)
    for number, values in enumerate(inputs):
        for i, bits in enumerate(values):
            at = (2 * i + number) * size
            data[at : at + size] = bits.to_bytes(size, "little")
    out = np.zeros(size * count, np.uint8)
    module = nvvm_xdsl.parse(source)
    run_pipeline(module, "soften-fp128")
    simulator.launch(module, "k", 1, count, [np.frombuffer(bytes(data), np.uint8).copy(), out])
    return [
        int.from_bytes(out[i * size : (i + 1) * size].tobytes(), "little") for i in range(count)
    ]


def exact(name: str, a: int, b: int) -> int | None:
    """Returns the result of an operation on two finite numbers; None if another test covers it."""
    x, y = value(a), value(b)
    if name == "fadd":
        return rounded(x + y, a & b & SIGN)
    if name == "fsub":
        return rounded(x - y, a & (b ^ SIGN) & SIGN)
    if name == "fmul":
        return rounded(x * y, (a ^ b) & SIGN)
    if y == 0:
        return None
    if name == "fdiv":
        return rounded(x / y, (a ^ b) & SIGN)
    left = abs(x) % abs(y)
    return rounded(-left if a & SIGN else left, a & SIGN)


@pytest.mark.parametrize("name", ["fadd", "fsub", "fmul", "fdiv", "frem"])
def test_arithmetic_is_rounded_to_nearest_even(name: str):
    rng = random.Random(7)
    left, right = samples(192, rng), samples(192, rng)
    rng.shuffle(right)
    right[100:140] = [b ^ rng.getrandbits(9) for b in left[100:140]]
    if name == "frem":
        # Each step of the exponent is one iteration of a loop.
        right = [b & ~INFINITY | a & INFINITY for a, b in zip(left, right)]
        right = [
            b - (rng.randrange(90) << FRACTION) if b >> FRACTION & 0x7FFF > 90 else b for b in right
        ]
    tried = 0
    for a, b, made in zip(left, right, computed(f"%r = {name} fp128 %a, %b", [left, right])):
        if is_finite(a) and is_finite(b):
            wanted = exact(name, a, b)
            tried += wanted is not None
            assert wanted is None or made == wanted, f"{name} {a:032x} {b:032x} {made:032x}"
        elif is_nan(a) or is_nan(b):
            assert is_nan(made)
    assert tried > 100


def test_infinities():
    inf, minus = INFINITY, SIGN | INFINITY
    cases = [
        ("fadd", inf, minus, None), ("fadd", inf, ONE, inf), ("fsub", inf, inf, None),
        ("fmul", inf, 0, None), ("fmul", minus, ONE, minus), ("fdiv", ONE, 0, inf),
        ("fdiv", ONE, SIGN, minus), ("fdiv", 0, 0, None), ("fdiv", ONE, minus, SIGN),
        ("fdiv", inf, inf, None), ("frem", inf, ONE, None), ("frem", ONE, 0, None),
        ("frem", ONE, inf, ONE),
    ]  # fmt: skip
    for name in ("fadd", "fsub", "fmul", "fdiv", "frem"):
        mine = [case for case in cases if case[0] == name]
        made = computed(f"%r = {name} fp128 %a, %b", [[c[1] for c in mine], [c[2] for c in mine]])
        for (_, a, b, wanted), found in zip(mine, made):
            assert is_nan(found) if wanted is None else found == wanted, f"{name} {a:x} {b:x}"


PREDICATES: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "eq": lambda x, y: x == y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "ne": lambda x, y: x != y,
}


@pytest.mark.parametrize("kind", ["o", "u"])
def test_comparisons(kind: str):
    rng = random.Random(3)
    left, right = samples(64, rng), samples(64, rng)
    rng.shuffle(right)
    right[:14] = left[:14]
    names = [kind + name for name in PREDICATES] + ["ord" if kind == "o" else "uno"]
    bits = [
        f"%x{i} = fcmp {name} fp128 %a, %b\n %y{i} = zext i1 %x{i} to i32\n %z{i} = shl i32 %y{i}, {i}"
        for i, name in enumerate(names)
    ]
    sums = ["%s0 = or i32 %z0, 0", *(f"%s{i} = or i32 %s{i - 1}, %z{i}" for i in range(1, 7))]
    made = computed("\n".join([*bits, *sums, "%r = or i32 %s6, 0"]), [left, right], "i32")
    big = Fraction(1 << 20000)
    for a, b, found in zip(left, right, made):
        unordered = is_nan(a) or is_nan(b)
        x, y = (value(v) if is_finite(v) else -big if v & SIGN else big for v in (a, b))
        wanted = [kind == "u" if unordered else compare(x, y) for compare in PREDICATES.values()]
        wanted.append(unordered == (kind == "u"))
        assert found == sum(bit << i for i, bit in enumerate(wanted)), f"{a:032x} {b:032x}"  # fmt: skip


def test_signs_and_roots():
    inputs = [samples(96, random.Random(5)), samples(96, random.Random(6))[::-1]]
    a, b = inputs
    assert computed("%r = fneg fp128 %a", inputs) == [x ^ SIGN for x in a]
    assert computed("%r = call fp128 @llvm.fabs.f128(fp128 %a)", inputs) == [x & ~SIGN for x in a]
    copied = computed("%r = call fp128 @llvm.copysign.f128(fp128 %a, fp128 %b)", inputs)
    assert copied == [x & ~SIGN | y & SIGN for x, y in zip(a, b)]
    for x, made in zip(a, computed("%r = call fp128 @llvm.sqrt.f128(fp128 %a)", inputs)):
        if x & ~SIGN == 0 or x == INFINITY:
            assert made == x
        elif x & SIGN or is_nan(x):
            assert is_nan(made)
        else:
            # More digits than a root needs for rounding: none is halfway between two floats.
            square = value(x) * 4 ** (BIAS + FRACTION + 160)
            assert made == rounded(Fraction(isqrt(int(square)), 2 ** (BIAS + FRACTION + 160)))


@pytest.mark.parametrize(("type_", "format_"), [("double", "d"), ("float", "f"), ("half", "e")])
def test_conversions_of_floats(type_: str, format_: str):
    a = samples(96, random.Random(9))
    a += [ONE + (1 << 101), ONE + (1 << 101) + 1, ONE + (1 << 88) + 1, ONE + (1 << 59) + 1]
    made = computed(f"%x = fptrunc fp128 %a to {type_}\n  %r = fpext {type_} %x to fp128", [a])
    exponent, digits = {"d": (11, 53), "f": (8, 24), "e": (5, 11)}[format_]
    least = Fraction(1, 2 ** (2 ** (exponent - 1) - 3 + digits))
    most = (2 - Fraction(1, 2 ** (digits - 1))) * 2 ** (2 ** (exponent - 1) - 1)
    for x, found in zip(a, made):
        if is_nan(x):
            assert is_nan(found)
            continue
        if not is_finite(x):
            assert found == x
            continue
        units = abs(value(x)) / least
        scale = 1 << max(int(units).bit_length() - digits, 0)
        wanted = round(units / scale) * scale * least
        bits = INFINITY if wanted > most else rounded(wanted)
        assert found == x & SIGN | bits, f"{x:032x} {found:032x}"


def test_conversions_of_integers():
    rng = random.Random(11)
    numbers = [rng.getrandbits(rng.randint(1, 128)) for _ in range(64)] + [
        0,
        1,
        (1 << 128) - 1,
        SIGN,
    ]
    # The numbers are passed as bits of fp128.
    for bits, sign in ((128, "s"), (128, "u"), (32, "s"), (32, "u"), (64, "s")):
        low = [n & ((1 << bits) - 1) for n in numbers]
        meant = [n - (1 << bits) if sign == "s" and n >> (bits - 1) else n for n in low]
        cast = (
            f"%w = bitcast fp128 %a to i128\n  %n = trunc i128 %w to i{bits}"
            if bits < 128
            else "%n = bitcast fp128 %a to i128"
        )
        made = computed(f"{cast}\n  %r = {sign}itofp i{bits} %n to fp128", [numbers])
        assert made == [rounded(Fraction(n)) for n in meant]
        back = computed(f"%r = fpto{sign}i fp128 %a to i{bits}", [made], f"i{bits}")
        for n, x, found in zip(meant, made, back):
            limit = 1 << (bits - (sign == "s"))
            if value(x) < limit:
                assert found == int(value(x)) & ((1 << bits) - 1), n


def test_memory_parameters_constants_vectors_and_globals():
    source = """
target triple = "nvptx64-nvidia-cuda"
%pair = type { i8, fp128 }
@third = addrspace(1) global fp128 0xL55555555555555553FFD555555555555, align 16
@table = addrspace(1) global [2 x fp128] [fp128 0xL00000000000000003FFF000000000000, fp128 0xL00000000000000014000000000000000]
define internal fp128 @twice(fp128 %x, %pair %y) noinline {
  %z = extractvalue %pair %y, 1
  %r = fadd fp128 %x, %z
  ret fp128 %r
}
define fp128 @same(fp128 %x) {
  ret fp128 %x
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = load fp128, ptr addrspace(1) %p
  %third = load fp128, ptr addrspace(1) @third
  %at = getelementptr [2 x fp128], ptr addrspace(1) @table, i32 0, i32 1
  %two = load fp128, ptr addrspace(1) %at
  %y = insertvalue %pair zeroinitializer, fp128 %two, 1
  %r = call fp128 @twice(fp128 %third, %pair %y)
  store fp128 %r, ptr addrspace(1) %p
  %v = insertelement <2 x fp128> poison, fp128 %a, i32 0
  %w = insertelement <2 x fp128> %v, fp128 %two, i32 1
  %m = fmul <2 x fp128> %w, <fp128 0xL00000000000000004000000000000000, fp128 0xL00000000000000003FFF000000000000>
  %q = getelementptr i8, ptr addrspace(1) %p, i32 32
  store <2 x fp128> %m, ptr addrspace(1) %q
  ret void
}
"""
    two = (BIAS + 1) << FRACTION | 1
    third = 0x3FFD5555555555555555555555555555
    half = (BIAS - 1) << FRACTION
    wanted = [rounded(value(third) + value(two)), 0, ONE, two]
    for level in (0, 3):
        options = CompileOptions("sm_90", opt_level=level, rdc=True)
        ptx = nvvm_xdsl.compile(source, options=options)
        assert ".param .align 16 .b8 same_param_0[16]" in ptx
        out = np.zeros(64, np.uint8)
        out[:16] = np.frombuffer(half.to_bytes(16, "little"), np.uint8)
        simulator.launch(convert(nvvm_xdsl.parse(ptx)), "k", 1, 1, [out])
        found = [int.from_bytes(out[i : i + 16].tobytes(), "little") for i in range(0, 64, 16)]
        assert found == wanted


def test_operations_without_a_routine():
    module = nvvm_xdsl.parse("""
declare fp128 @llvm.floor.f128(fp128)
define fp128 @f(fp128 %x) {
  %r = call fp128 @llvm.floor.f128(fp128 %x)
  ret fp128 %r
}
""")
    with pytest.raises(VerifyError, match="floor of fp128 is not supported"):
        run_pipeline(module, "soften-fp128")


def test_equal_types_that_are_different_objects():
    """Without 128-bit floats nothing changes, and no op is an error."""
    module = nvvm_xdsl.parse("""
declare i32 @llvm.nvvm.fshl.clamp.i32(i32, i32, i32)
define i32 @f(i32 %x) {
  %r = call i32 @llvm.nvvm.fshl.clamp.i32(i32 %x, i32 %x, i32 5)
  ret i32 %r
}
""")
    (five,) = (op for op in module.walk() if op.name == "llvm.mlir.constant")
    fast.set_type(five.results[0], IntegerType(32))
    assert not run_pipeline(module, "soften-fp128")
