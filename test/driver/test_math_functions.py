"""Mathematical intrinsics without an instruction call libdevice."""

import math

import numpy as np
import pytest

from nvvm_xdsl import DiagnosticError, compile, parse
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.codegen.rules.math import LIBDEVICE
from nvvm_xdsl.dialects.llvm.accessors import callee_of
from nvvm_xdsl.dialects.llvm.symbols import calls_in, functions_of
from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.driver.math_functions import call_math_functions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.ll_components import MATH_FUNCTIONS
from nvvm_xdsl.simulator import launch

pytestmark = pytest.mark.skipif(find_libdevice() is None, reason="libdevice was not found")

REFERENCES = {
    "powi": lambda x, n: x ** int(n),
    "ldexp": lambda x, n: math.ldexp(x, int(n)),
    "exp2": lambda x: 2.0**x,
    "exp10": lambda x: 10.0**x,
}
WITH_INTEGER = ("powi", "ldexp")
WITH_TWO = ("pow", "atan2")


def program(name: str, type_: str, flags: str = "") -> str:
    """A kernel that replaces the element 0 of its argument by a function of the elements."""
    scalar = type_.rpartition(" ")[2].rstrip(">")
    suffix = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64", "fp128": "f128"}[
        scalar
    ]
    lanes = int(type_[1]) if type_.startswith("<") else 0
    vector = f"v{lanes}{suffix}" if lanes else suffix
    integer = f"<{lanes} x i32>" if lanes and name == "ldexp" else "i32"
    two = {"integer": f", {integer} %n", "two": f", {type_} %y"}
    kind = "integer" if name in WITH_INTEGER else "two" if name in WITH_TWO else ""
    mangled = f"llvm.{name}.{vector}" + (".i32" if kind == "integer" else "")
    second = {"integer": f", {integer}", "two": f", {type_}"}.get(kind, "")
    return f"""
target triple = "nvptx64-nvidia-cuda"
declare {type_} @{mangled}({type_}{second})
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {{
  %q = getelementptr {type_}, ptr addrspace(1) %p, i32 1
  %x = load {type_}, ptr addrspace(1) %p
  %y = load {type_}, ptr addrspace(1) %q
  %z = call {flags} {type_} @{mangled}({type_} %x{two.get(kind, "")})
  store {type_} %z, ptr addrspace(1) %p
  ret void
}}
"""


def reference(name: str, x: float, y: float) -> float:
    function = REFERENCES.get(name) or getattr(math, name)
    if name in WITH_INTEGER:
        return function(x, 3)
    return function(x, y) if name in WITH_TWO else function(x)


def result(text: str, data: np.ndarray, level: int) -> np.ndarray:
    module = convert(parse(compile(text, arch="sm_90", opt_level=level), filename="k.ptx"))
    launch(module, "k", 1, 1, [data, 3])
    return data


def called(text: str, arch: str = "sm_90") -> list[str]:
    """The functions that replace intrinsics."""
    module = parse(text, filename="k.ll")
    call_math_functions(module, Target.parse(arch))
    return [callee_of(op) or "" for func in functions_of(module) for op in calls_in(func)]


FUNCTIONS = sorted(set(LIBDEVICE.values()))
UNREAD_VECTORS = {"ldexp"}
"""Intrinsics whose vectors are not read."""


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_scalars(name: str, level: int):
    for type_, dtype, tolerance in (
        ("double", np.float64, 1e-14),
        ("float", np.float32, 1e-5),
        ("half", np.float16, 5e-3),
    ):
        data = np.array([0.75, 0.5], dtype)
        found = result(program(name, type_), data, level)
        assert found[0] == pytest.approx(reference(name, 0.75, 0.5), rel=tolerance), type_


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name not in UNREAD_VECTORS])
def test_vectors(name: str):
    data = np.array([0.75, 0.25, 0.5, 0.625])
    found = result(program(name, "<2 x double>"), data, 3)
    expected = [reference(name, 0.75, 0.5), reference(name, 0.25, 0.625)]
    assert found[:2] == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("name", "type_", "flags", "calls"),
    [
        ("sin", "float", "", True),
        ("sin", "float", "afn", False),
        ("sin", "double", "afn", True),
        ("exp2", "float", "", False),
        ("sin", "half", "", False),
        ("tan", "half", "", True),
        ("tan", "float", "afn", True),
    ],
)
def test_functions_that_instructions_approximate_are_not_called(
    name: str, type_: str, flags: str, calls: bool
):
    assert bool(called(program(name, type_, flags))) is calls


@pytest.mark.parametrize(("arch", "calls"), [("sm_70", True), ("sm_75", False)])
def test_the_hyperbolic_tangent_is_an_instruction_since_sm_75(arch: str, calls: bool):
    assert bool(called(program("tanh", "float", "afn"), arch)) is calls


def test_unsafe_math_of_the_function_permits_approximation():
    text = program("sin", "float")
    assert called(text) == ["__nv_sinf"]
    assert not called(text.replace("i32 %n) {", 'i32 %n) "unsafe-fp-math"="true" {'))


def test_kernels_with_these_intrinsics_are_not_compiled_apart():
    """The parts of a module would each contain the functions of the library."""
    assert set(MATH_FUNCTIONS) == set(LIBDEVICE.values())


def test_wide_floats_have_no_function():
    assert not called(program("sin", "fp128"))


def test_a_symbol_of_the_same_name_with_another_type():
    text = program("sin", "double") + "declare i32 @__nv_sin(i32)\n"
    with pytest.raises(DiagnosticError, match="@__nv_sin must be a function of type"):
        compile(text)
