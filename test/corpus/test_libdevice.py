"""Every function of libdevice, called from a kernel, must assemble."""

from __future__ import annotations

import re
from functools import cache

import pytest
from helpers.assembling import assemble, needs_libdevice, needs_ptxas
from helpers.scale import share

import nvvm_xdsl
from nvvm_xdsl.driver.toolkit import find_libdevice

BATCHES = 16
FUNCTIONS = 352
INTERNAL = {
    "__internal_accurate_pow",
    "__internal_lgamma_pos",
    "__internal_trig_reduction_slowpathd",
}
"""Functions that only other functions of the library can call."""

_SIGNATURE = re.compile(r"(\S+) \((.*)\)")


@cache
def signatures() -> list[tuple[str, str, tuple[str, ...]]]:
    """Returns name, result and parameter types of each function that a kernel can call."""
    import llvmlite.binding as llvm

    path = find_libdevice()
    assert path is not None
    module = llvm.parse_bitcode(path.read_bytes())
    found: list[tuple[str, str, tuple[str, ...]]] = []
    for function in module.functions:
        if function.is_declaration or function.name in INTERNAL:
            continue
        match = _SIGNATURE.fullmatch(str(function.global_value_type))
        assert match is not None
        parameters = tuple(p for p in match.group(2).split(", ") if p)
        found.append((function.name, match.group(1), parameters))
    return found


def wrap(name: str, result: str, parameters: tuple[str, ...]) -> str:
    """Returns a kernel that loads the arguments, calls the function and stores its result."""
    lines = [f"declare {result} @{name}({', '.join(parameters)})"]
    formals = [f"ptr %p{i}" for i in range(len(parameters))]
    lines.append(f"define ptx_kernel void @call_{name}({', '.join([*formals, 'ptr %out'])}) {{")
    actuals: list[str] = []
    for index, kind in enumerate(parameters):
        if kind == "ptr":
            actuals.append(f"ptr %p{index}")
            continue
        lines.append(f"  %a{index} = load {kind}, ptr %p{index}")
        actuals.append(f"{kind} %a{index}")
    call = f"call {result} @{name}({', '.join(actuals)})"
    if result == "void":
        lines.append(f"  {call}")
    else:
        lines += [f"  %r = {call}", f"  store {result} %r, ptr %out"]
    return "\n".join([*lines, "  ret void", "}\n"])


def batch(number: int) -> str:
    """Returns every `BATCHES`th function from `number` on, wrapped, in one module."""
    head = 'target triple = "nvptx64-nvidia-cuda"\n'
    return head + "\n".join(wrap(*s) for s in signatures()[number::BATCHES])


@needs_libdevice
def test_the_number_of_functions_is_the_documented_one():
    assert len(signatures()) + len(INTERNAL) == FUNCTIONS


@pytest.mark.slow
@needs_ptxas
@needs_libdevice
@pytest.mark.parametrize("number", share(range(BATCHES), 2))
def test_every_function_assembles(number: int):
    text = batch(number)
    ptx = nvvm_xdsl.compile(text, arch="sm_90" if number % 2 else "sm_75", opt_level=1)
    kernels = set(re.findall(r"@(call_\w+)\(", text))
    assert set(re.findall(r"\.entry (call_\w+)", ptx)) == kernels
    assemble(ptx, "sm_90" if number % 2 else "sm_75")


@needs_ptxas
@needs_libdevice
@pytest.mark.parametrize("ftz", [False, True])
def test_modes_reach_the_library(ftz: bool):
    """`__nvvm_reflect("__CUDA_FTZ")` picks the variant of the instruction."""
    options = nvvm_xdsl.CompileOptions(arch="sm_80", ftz=ftz)
    ptx = nvvm_xdsl.compile(wrap("__nv_rsqrtf", "float", ("float",)), options=options)
    assert ("rsqrt.approx.ftz.f32" in ptx) == ftz
    assert ("rsqrt.approx.f32" in ptx) != ftz
    assert "__nvvm_reflect" not in ptx
    assemble(ptx, "sm_80")
