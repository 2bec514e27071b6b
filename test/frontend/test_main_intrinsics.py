"""Expanded intrinsics of LLVM's main branch, run on edge cases and random numbers."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from helpers.ll_kernels import elementwise, kernel, run

import nvvm_xdsl
from nvvm_xdsl.frontend.main_intrinsics import REFUSED
from nvvm_xdsl.ir.diagnostics import DiagnosticError


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


def pext(value: int, mask: int, width: int) -> int:
    places = [bit for bit in range(width) if mask >> bit & 1]
    return sum((value >> place & 1) << number for number, place in enumerate(places))


def pdep(value: int, mask: int, width: int) -> int:
    places = [bit for bit in range(width) if mask >> bit & 1]
    return sum((value >> number & 1) << place for number, place in enumerate(places))


def smulh(a: int, b: int, width: int) -> int:
    return signed(a, width) * signed(b, width) >> width & (1 << width) - 1


FUNCTIONS: dict[str, Callable[[int, int, int], int]] = {
    "umulh": lambda a, b, width: a * b >> width,
    "smulh": smulh,
    "pext": pext,
    "pdep": pdep,
}


def numbers(width: int) -> tuple[list[int], list[int]]:
    source = random.Random(width)
    top = (1 << width) - 1
    edges = [0, 1, top, top >> 1, 1 << width - 1, 0x5A & top]
    pairs = [(a, b) for a in edges for b in edges]
    pairs += [(source.randint(0, top), source.randint(0, top)) for _ in range(28)]
    return [a for a, _ in pairs], [b for _, b in pairs]


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("width", [8, 16, 32, 64])
def test_integers(name: str, width: int):
    a, b = numbers(width)
    dtype = np.dtype(f"u{width // 8}")
    declared = f"declare i{width} @llvm.{name}.i{width}(i{width}, i{width})"
    found = elementwise(
        f"call i{width} @llvm.{name}.i{width}(i{width} %0, i{width} %1)",
        f"i{width}",
        [(f"i{width}", np.array(a, dtype)), (f"i{width}", np.array(b, dtype))],
        dtype,
        declared,
    )
    assert found.tolist() == [FUNCTIONS[name](x, y, width) for x, y in zip(a, b)]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_vectors(name: str):
    a, b = numbers(16)
    declared = f"declare <4 x i16> @llvm.{name}.v4i16(<4 x i16>, <4 x i16>)"
    found = elementwise(
        f"call <4 x i16> @llvm.{name}.v4i16(<4 x i16> %0, <4 x i16> %1)",
        "<4 x i16>",
        [("<4 x i16>", np.array(v, np.uint16).reshape(-1, 4)) for v in (a, b)],
        (np.uint16, 4),
        declared,
    )
    assert found.ravel().tolist() == [FUNCTIONS[name](x, y, 16) for x, y in zip(a, b)]


def test_odd_widths():
    """Six bits are not a power of two."""
    a, b = np.meshgrid(np.arange(64, dtype=np.uint8), np.arange(0, 64, 3, dtype=np.uint8))
    a, b = a.ravel(), b.ravel()
    deposited, extracted = np.zeros_like(a), np.zeros_like(a)
    body = """  %pa = getelementptr i8, ptr %a, i64 %i
  %pb = getelementptr i8, ptr %b, i64 %i
  %va = load i8, ptr %pa
  %vb = load i8, ptr %pb
  %x = trunc i8 %va to i6
  %y = trunc i8 %vb to i6
  %d = call i6 @llvm.pdep.i6(i6 %x, i6 %y)
  %e = call i6 @llvm.pext.i6(i6 %x, i6 %y)
  %wd = zext i6 %d to i8
  %we = zext i6 %e to i8
  %pd = getelementptr i8, ptr %d.out, i64 %i
  %pe = getelementptr i8, ptr %e.out, i64 %i
  store i8 %wd, ptr %pd
  store i8 %we, ptr %pe
  ret void"""
    declared = "declare i6 @llvm.pdep.i6(i6, i6)\ndeclare i6 @llvm.pext.i6(i6, i6)"
    for start in range(0, len(a), 672):
        part = slice(start, start + 672)
        arrays = [a[part], b[part], deposited[part], extracted[part]]
        text = kernel("ptr %a, ptr %b, ptr %d.out, ptr %e.out", body, declared)
        run(text, arrays, block=len(a[part]))
    pairs = list(zip(a.tolist(), b.tolist()))
    assert deposited.tolist() == [pdep(x, y, 6) for x, y in pairs]
    assert extracted.tolist() == [pext(x, y, 6) for x, y in pairs]


@pytest.mark.parametrize("name", ["udiv", "sdiv", "urem", "srem"])
def test_masked_division(name: str):
    dividend, divisor = [7, -8, 9, 100], [2, -2, 0, -2]
    enabled = [True, True, False, True]
    out = np.zeros(4, np.int32)
    vector = "<" + ", ".join(f"i1 {str(on).lower()}" for on in enabled) + ">"
    body = f"""  %x = load <4 x i32>, ptr %a
  %y = load <4 x i32>, ptr %b
  %r = call <4 x i32> @llvm.masked.{name}.v4i32(<4 x i32> %x, <4 x i32> %y, <4 x i1> {vector})
  store <4 x i32> %r, ptr %out
  ret void"""
    declared = f"declare <4 x i32> @llvm.masked.{name}.v4i32(<4 x i32>, <4 x i32>, <4 x i1>)"
    arrays = [np.array(dividend, np.int32), np.array(divisor, np.int32), out]
    run(kernel("ptr %a, ptr %b, ptr %out", body, declared), arrays, block=1)
    bits = 2**32 if name[0] == "u" else 0

    def expected(a: int, b: int) -> int:
        a, b = (v % bits if bits else v for v in (a, b))
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return quotient if name.endswith("div") else a - quotient * b

    for lane, on in enumerate(enabled):
        if on:
            wanted = expected(dividend[lane], divisor[lane])
            assert int(out[lane]) % 2**32 == wanted % 2**32


def test_reductions_prefer_numbers():
    values = np.array([1.5, np.nan, -0.0, 4.0], np.float32)
    out = np.zeros(2, np.float32)
    declared = (
        "declare float @llvm.vector.reduce.fmaximumnum.v4f32(<4 x float>)\n"
        "declare float @llvm.vector.reduce.fminimumnum.v4f32(<4 x float>)"
    )
    body = """  %v = load <4 x float>, ptr %a
  %max = call float @llvm.vector.reduce.fmaximumnum.v4f32(<4 x float> %v)
  %min = call float @llvm.vector.reduce.fminimumnum.v4f32(<4 x float> %v)
  store float %max, ptr %out
  %q = getelementptr float, ptr %out, i64 1
  store float %min, ptr %q
  ret void"""
    run(kernel("ptr %a, ptr %out", body, declared), [values, out], block=1)
    assert out.tolist() == [4.0, 0.0]
    assert np.signbit(out[1])


def test_lanes_before_the_first():
    body = """  %n = trunc i64 %i to i4
  %m = bitcast i4 %n to <4 x i1>
  %r = call <4 x i1> @llvm.mask.beforefirst.v4i1(<4 x i1> %m)
  %b = bitcast <4 x i1> %r to i4
  %w = zext i4 %b to i8
  %q = getelementptr i8, ptr %out, i64 %i
  store i8 %w, ptr %q
  ret void"""
    out = np.zeros(16, np.uint8)
    declared = "declare <4 x i1> @llvm.mask.beforefirst.v4i1(<4 x i1>)"
    run(kernel("ptr %out", body, declared), [out], block=16)
    assert out.tolist() == [(n & -n) - 1 if n else 15 for n in range(16)]


def module_of(call: str, declaration: str) -> str:
    return f"""target triple = "nvptx64-nvidia-cuda"
declare {declaration}
define ptx_kernel void @k(i32 %a, ptr addrspace(1) %out) {{
  {call}
  store i32 %r, ptr addrspace(1) %out
  ret void
}}
"""


@pytest.mark.parametrize(
    ("name", "a", "b", "wanted"),
    [
        ("umulh", 0x80000001, 6, 3),
        ("smulh", -2, 3, -1),
        ("pext", 0b101101, 0b011110, 0b0110),
        ("pdep", 0b0110, 0b011110, 0b001100),
    ],
)
def test_constants_are_folded(name: str, a: int, b: int, wanted: int):
    text = module_of(
        f"%r = call i32 @llvm.{name}.i32(i32 {a}, i32 {b})", f"i32 @llvm.{name}.i32(i32, i32)"
    )
    assert f"st.global.b32 \t[%rd1], {wanted};" in nvvm_xdsl.compile(text)


def test_a_product_is_one_instruction():
    text = module_of(
        "%r = call i32 @llvm.umulh.i32(i32 %a, i32 7)", "i32 @llvm.umulh.i32(i32, i32)"
    )
    assert "mul.hi.u32" in nvvm_xdsl.compile(text)


def test_no_load_may_be_speculated():
    text = """target triple = "nvptx64-nvidia-cuda"
declare i1 @llvm.can.load.speculatively.p1(ptr addrspace(1), i64)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %r = call i1 @llvm.can.load.speculatively.p1(ptr addrspace(1) %p, i64 4)
  store i1 %r, ptr addrspace(1) %p
  ret void
}
"""
    assert "st.global.b8 \t[%rd1], 0;" in nvvm_xdsl.compile(text)


@pytest.mark.parametrize(
    ("call", "declaration", "message"),
    [
        ("%r = call i32 @llvm.pext.i32(i32 %a)", "i32 @llvm.pext.i32(i32)", "do not fit llvm.pext"),
        ("%r = call i32 @llvm.umulh.i32(i32 %a, i64 1)", "i32 @llvm.umulh.i32(i32, i64)", "do not fit llvm.umulh"),
        ("%r = call i32 @llvm.masked.udiv.i32(i32 %a, i32 %a, i1 1)", "i32 @llvm.masked.udiv.i32(i32, i32, i1)",
         "do not fit llvm.masked.udiv"),
        ("%r = call i32 @llvm.vector.reduce.fmaximumnum.i32(i32 %a)", "i32 @llvm.vector.reduce.fmaximumnum.i32(i32)",
         "requires a vector"),
        ("%r = call i32 @llvm.mask.beforefirst.i32(i32 %a)", "i32 @llvm.mask.beforefirst.i32(i32)", "do not fit"),
        ("call void @llvm.looptrap()", "void @llvm.looptrap()", "an endless loop in place of a trap"),
        ("call void @llvm.cond.loop(i1 1)", "void @llvm.cond.loop(i1)", "an endless loop in place of a trap"),
    ],
)  # fmt: skip
def test_invalid_calls_are_errors(call: str, declaration: str, message: str):
    with pytest.raises(DiagnosticError, match=message) as caught:
        nvvm_xdsl.parse(module_of(call, declaration))
    assert caught.value.line == 4


def mlir(intrinsic: str) -> str:
    return (
        "llvm.func @f(%a: i32) -> i32 {\n"
        f'  %r = llvm.call_intrinsic "llvm.{intrinsic}"(%a, %a) : (i32, i32) -> i32\n'
        "  llvm.return %r : i32\n}\n"
    )


def test_mlir_is_expanded():
    module = nvvm_xdsl.parse(mlir("umulh.i32"), format="mlir")
    assert "llvm.nvvm.mulhi.ui" in str(module)


@pytest.mark.parametrize(
    ("intrinsic", "message"),
    [
        ("ptrauth.blend", f"is not supported: {REFUSED['llvm.ptrauth']}"),
        ("vector.reduce.fmaximumnum.i32", "do not fit llvm.vector.reduce.fmaximumnum"),
    ],
)
def test_mlir_errors(intrinsic: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        nvvm_xdsl.parse(mlir(intrinsic), format="mlir")
