"""`llvm.frexp`, `llvm.modf`, `llvm.ldexp` of vectors and old names of reductions, in the simulator and as PTX."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.ll_kernels import HEADER, elementwise, kernel, module, run

import nvvm_xdsl
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import launch

FORMATS = {"half": ("f16", np.float16), "float": ("f32", np.float32), "double": ("f64", np.float64)}


def numbers(dtype: Any) -> np.ndarray:
    info = np.finfo(dtype)
    tiny, least = info.tiny, info.smallest_subnormal
    found = [0, 1, 0.5, 0.75, 1.5, 3.75, 100.25, 2047, np.inf, np.nan, info.max]
    found += [tiny, tiny / 2, tiny - least, least, 3 * least, tiny + least, info.eps, 1 - info.eps]
    values = np.array(found, dtype)
    return np.concatenate([values, -values])


def compiled(text: str, level: int):
    """The machine code of a kernel."""
    return machine_code(read_ptx(nvvm_xdsl.compile(HEADER + text, opt_level=level)))


def exact(found: np.ndarray, wanted: np.ndarray) -> bool:
    """Whether all numbers and signs are equal; the bits of NaN are unspecified."""
    same = (found == wanted) & (np.signbit(found) == np.signbit(wanted))
    return bool((same | (np.isnan(found) & np.isnan(wanted))).all())


@pytest.mark.parametrize("type_", FORMATS)
@pytest.mark.parametrize("exponent", ["i8", "i16", "i32", "i64"])
def test_fractions_and_exponents(type_: str, exponent: str):
    suffix, dtype = FORMATS[type_]
    if (type_, exponent) == ("double", "i8"):
        pytest.skip("the exponents do not fit")
    x = numbers(dtype)
    pair, name = f"{{ {type_}, {exponent} }}", f"@llvm.frexp.{suffix}.{exponent}"
    out = np.dtype([("f", dtype), ("e", f"i{int(exponent[1:]) // 8}")], align=True)
    found = elementwise(
        f"call {pair} {name}({type_} %0)",
        pair,
        [(type_, x)],
        out,
        f"declare {pair} {name}({type_})",
    )
    fraction, power = np.frexp(x)
    wanted = np.where(np.isfinite(x), power, 0)
    if exponent == "i8":
        wanted = wanted.astype(np.int8)
    assert exact(found["f"], fraction)
    assert found["e"].tolist() == wanted.tolist()


@pytest.mark.parametrize(("type_", "bound"), [("float", 1e-6), ("double", 1e-15)])
def test_sines_and_cosines(type_: str, bound: float):
    suffix, dtype = FORMATS[type_]
    x = np.array([0, 0.5, -1, 3.25, 100, -7e4], dtype)
    pair, name = f"{{ {type_}, {type_} }}", f"@llvm.sincos.{suffix}"
    found = elementwise(
        f"call {pair} {name}({type_} %0)",
        pair,
        [(type_, x)],
        np.dtype([("s", dtype), ("c", dtype)]),
        f"declare {pair} {name}({type_})",
    )
    assert np.abs(found["s"] - np.sin(x.astype(np.float64))).max() < bound
    assert np.abs(found["c"] - np.cos(x.astype(np.float64))).max() < bound


@pytest.mark.parametrize(("op", "second", "wanted"), [
    ("frexp", "i32", [0.75, 4]), ("sincos", "f32", [-0.5365729, 0.8438540]),
])  # fmt: skip
def test_pairs_of_mlir(op: str, second: str, wanted: list[float]):
    pair = f"!llvm.struct<(f32, {second})>"
    text = (
        f"llvm.func @k(%x: f32, %out: !llvm.ptr<1>) attributes {{nvvm.kernel}} {{\n  %p = llvm.intr.{op}(%x) : (f32) -> {pair}\n"
        f"  llvm.store %p, %out : {pair}, !llvm.ptr<1>\n  llvm.return\n}}\n"
    )
    out = np.zeros(1, [("a", np.float32), ("b", np.int32 if second == "i32" else np.float32)])
    launch(nvvm_xdsl.parse(text), "k", 1, 1, [np.float32(12), out])
    assert out[0].tolist() == pytest.approx(wanted, abs=1e-6)


@pytest.mark.parametrize("type_", FORMATS)
def test_fractional_and_integral_parts(type_: str):
    suffix, dtype = FORMATS[type_]
    x = numbers(dtype)
    pair, name = f"{{ {type_}, {type_} }}", f"@llvm.modf.{suffix}"
    found = elementwise(
        f"call {pair} {name}({type_} %0)",
        pair,
        [(type_, x)],
        np.dtype([("f", dtype), ("i", dtype)]),
        f"declare {pair} {name}({type_})",
    )
    fraction, whole = np.modf(x)
    assert exact(found["f"], fraction)
    assert exact(found["i"], whole)


@pytest.mark.parametrize("flush", [False, True])
@pytest.mark.parametrize("level", [0, 3])
def test_parts_of_vectors_as_ptx(level: int, flush: bool):
    """Functions that flush subnormal numbers normalize them, too."""
    pair = "{ <2 x float>, <2 x i32> }"
    body = f"""  %p = getelementptr <2 x float>, ptr %in, i64 %i
  %x = load <2 x float>, ptr %p
  %r = call {pair} @llvm.frexp.v2f32.v2i32(<2 x float> %x)
  %f = extractvalue {pair} %r, 0
  %e = extractvalue {pair} %r, 1
  %q = getelementptr <2 x float>, ptr %f.out, i64 %i
  store <2 x float> %f, ptr %q
  %o = getelementptr <2 x i32>, ptr %e.out, i64 %i
  store <2 x i32> %e, ptr %o
  ret void"""
    text = kernel(
        "ptr %in, ptr %f.out, ptr %e.out",
        body,
        f"declare {pair} @llvm.frexp.v2f32.v2i32(<2 x float>)",
    )
    if flush:
        text = text.replace(
            "%e.out) {", '%e.out) "denormal-fp-math-f32"="preserve-sign,preserve-sign" {'
        )
    code = compiled(text, level)
    x = numbers(np.float32)
    fraction, power = np.zeros_like(x), np.zeros(len(x), np.int32)
    launch(code, "k", 1, len(x) // 2, [x, fraction, power])
    wanted = np.frexp(x)
    assert exact(fraction, wanted[0])
    assert power.tolist() == np.where(np.isfinite(x), wanted[1], 0).tolist()


def test_elements_are_scaled_with_their_own_exponents():
    text = kernel(
        "ptr %p, i32 %n",
        """  %x = load <2 x float>, ptr %p
  %v = insertelement <2 x i32> <i32 0, i32 -3>, i32 %n, i32 0
  %y = call <2 x float> @llvm.ldexp.v2f32.v2i32(<2 x float> %x, <2 x i32> %v)
  store <2 x float> %y, ptr %p
  ret void""",
        "declare <2 x float> @llvm.ldexp.v2f32.v2i32(<2 x float>, <2 x i32>)",
    )
    for level in (None, 0, 3):
        x = np.array([1.5, -6.0], np.float32)
        code = module(text) if level is None else compiled(text, level)
        launch(code, "k", 1, 1, [x, 5])
        assert x.tolist() == [48.0, -0.75]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("add.i32.v4i32", 7), ("mul.v4i32", -60), ("and.v4i32", 0), ("or.v4i32", -3), ("xor.v4i32", -3),
        ("smax.v4i32", 5), ("smin.i32.v4i32", -3), ("umax.v4i32", -3), ("umin.v4i32", 1),
    ],
)  # fmt: skip
def test_old_names_of_reductions_of_integers(name: str, wanted: int):
    values = np.array([[1, 4, -3, 5]], np.int32)
    function = f"i32 @llvm.experimental.vector.reduce.{name}"
    found = elementwise(
        f"call {function}(<4 x i32> %0)",
        "i32",
        [("<4 x i32>", values)],
        np.int32,
        f"declare {function}(<4 x i32>)",
    )
    assert int(found[0]) % 2**32 == wanted % 2**32


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("fmax.f32.v2f32", 4.0),
        ("fmin.v2f32", 1.5),
        ("v2.fadd.f32.v2f32", 15.5),
        ("v2.fmul.f32.v2f32", 60.0),
    ],
)
def test_old_names_of_reductions_of_floats(name: str, wanted: float):
    """The second version of `fadd` and `fmul` uses its initial value."""
    function = f"float @llvm.experimental.vector.reduce.{name}"
    start = ("float", "float 10.0, ") if name.startswith("v2.") else ("", "")
    found = elementwise(
        f"call {function}({start[1]}<2 x float> %0)",
        "float",
        [("<2 x float>", np.array([[1.5, 4.0]], np.float32))],
        np.float32,
        f"declare {function}({start[0] and 'float, '}<2 x float>)",
    )
    assert found.tolist() == [wanted]


@pytest.mark.parametrize(
    ("declared", "call", "message"),
    [
        (
            "float @llvm.experimental.vector.reduce.fadd.f32.v2f32(float, <2 x float>)",
            "(float 0.0, <2 x float> zeroinitializer)",
            "llvm.experimental.vector.reduce.fadd.f32.v2f32 is not supported",
        ),
        (
            "{ float, float } @llvm.frexp.f32.f32(float)",
            "(float 1.0)",
            "the types of the call do not fit llvm.frexp",
        ),
        (
            "{ float, i32 } @llvm.modf.f32(float)",
            "(float 1.0)",
            "the types of the call do not fit llvm.modf",
        ),
        (
            "{ float, double } @llvm.sincos.f32(float)",
            "(float 1.0)",
            "the types of the call do not fit llvm.sincos",
        ),
        (
            "<2 x float> @llvm.ldexp.v2f32.v4i32(<2 x float>, <4 x i32>)",
            "(<2 x float> zeroinitializer, <4 x i32> zeroinitializer)",
            "the types of the call do not fit llvm.ldexp",
        ),
    ],
)
def test_invalid_calls_are_errors(declared: str, call: str, message: str):
    name = declared.partition("(")[0]
    with pytest.raises(DiagnosticError) as caught:
        run(kernel("ptr %p", f"  %r = call {name}{call}\n  ret void", f"declare {declared}"), [0])
    assert message in caught.value.message
