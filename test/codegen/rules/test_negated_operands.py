"""A sum of an intrinsic with a negated operand is a difference."""

from __future__ import annotations

import re

import pytest
from helpers.differential import check

from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.options import CompileOptions

SUMS = {
    "float": ("add.rm.ftz.sat.f", ""),
    "double": ("add.rp.d", ""),
    "half": ("fadd.ftz.sat.f16", ", i32 1"),
    "<2 x bfloat>": ("fadd.v2bf16", ", i32 1"),
    "<2 x float>": ("fadd.v2f32", ", i32 2"),
}
"""Intrinsics by type, and the rounding mode that they take."""


def declaration(t: str) -> str:
    name, mode = SUMS[t]
    return f"declare {t} @llvm.nvvm.{name}({t}, {t}{mode.rpartition(' ')[0]})"


def sum_of(t: str, left: str, right: str) -> str:
    name, mode = SUMS[t]
    return f"call {t} @llvm.nvvm.{name}({t} {left}, {t} {right}{mode})"


def arithmetic(t: str, body: str, level: int) -> list[str]:
    """The sums, differences and negations of a kernel that stores `%r`."""
    text = f"""{declaration(t)}
define ptx_kernel void @k(ptr addrspace(1) %out, {t} %a, {t} %b) {{
  %n = fneg {t} %b
  {body}
  store {t} %r, ptr addrspace(1) %out, align 16
  ret void
}}"""
    ptx = compile_here(text, format="ll", options=CompileOptions("sm_100", opt_level=level))
    return re.findall(r"^\s*((?:add|sub|neg)\.\S+)", ptx, re.M)


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("operands", [("%a", "%n"), ("%n", "%a")], ids=["right", "left"])
@pytest.mark.parametrize("t", SUMS)
def test_a_difference_replaces_the_negation(t: str, operands: tuple[str, str], level: int):
    (made,) = arithmetic(t, f"%r = {sum_of(t, *operands)}", level)
    assert made.startswith("sub.r")


def test_a_negation_with_other_uses_is_kept():
    body = f"store float %n, ptr addrspace(1) %out; %r = {sum_of('float', '%a', '%n')}"
    assert arithmetic("float", body.replace("; ", "\n  "), 0) == ["neg.f32", "sub.rm.ftz.sat.f32"]


@pytest.mark.parametrize("t", ["float", "double"])
def test_results(t: str):
    bodies = [
        (t, f"%x = fneg {t} %b; %r = {sum_of(t, '%a', '%x')}"),
        (t, f"%x = fneg {t} %a; %r = {sum_of(t, '%x', '%b')}"),
    ]
    check([t, t], bodies, head=declaration(t), sm=90)
