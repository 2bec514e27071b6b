"""Calls of the library compute the same as the operations."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.simulator import launch

NUMBERS = [
    1, 2, 3, 10, -1, -3, 2**31, 2**63, 2**64 - 1, 2**64, 2**64 + 1, 2**100 + 12345,
    2**127 - 1, -(2**127), -(2**100), 10**30,
]  # fmt: skip
FLOATS = [0.0, -0.0, 1.5, -2.5, 3.0, 1e10, 7e-3, 65504.0, float("inf"), float("nan"), 1e-310]

HEAD = """target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def kernel(type_: str, body: str) -> str:
    return f"""{HEAD}
    define ptx_kernel void @k(ptr %in, ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %p = getelementptr [2 x {type_}], ptr %in, i32 %t
      %p1 = getelementptr {type_}, ptr %p, i32 1
      %a = load {type_}, ptr %p
      %b = load {type_}, ptr %p1
      %o = getelementptr [4 x i128], ptr %out, i32 %t
      {body}
      ret void
    }}"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "pipeline", ["lower-ops", "lower-ops<enable-optimization>,inline,early-cse,dce"]
)
def test_integers(pipeline: str):
    lines: list[str] = []
    for number, op in enumerate(("udiv", "sdiv", "urem", "srem")):
        lines.append(f"%x{number} = {op} i128 %a, %b")
        lines.append(f"%o{number} = getelementptr i128, ptr %o, i32 {number}")
        lines.append(f"store i128 %x{number}, ptr %o{number}")
    pairs = [(x, y) for x in NUMBERS for y in NUMBERS if not (x == -(2**127) and y == -1)]
    data = np.frombuffer(
        b"".join((n % 2**128).to_bytes(16, "little") for pair in pairs for n in pair), np.uint8
    ).copy()
    out = np.zeros(64 * len(pairs), np.uint8)
    launch = Launch("k", 1, len(pairs), (data, out))
    text = kernel("i128", "\n".join(lines))
    assert_same_behaviour(read_ll(text), pipeline, [launch], machine=pipeline == "lower-ops")


def test_floats():
    body = """
      %x = frem double %a, %b
      store double %x, ptr %o
      %c = call double @llvm.fabs.f64(double %a)
      %d = call double @llvm.minnum.f64(double %c, double 1.0e30)
      %n = fptoui double %d to i128
      %o1 = getelementptr i128, ptr %o, i32 1
      store i128 %n, ptr %o1
      %m = sub i128 7, %n
      %f = sitofp i128 %m to float
      %o2 = getelementptr i128, ptr %o, i32 2
      store float %f, ptr %o2
      %r = fptrunc double %a to float
      %s = fptrunc double %b to float
      %y = frem float %r, %s
      %o3 = getelementptr i128, ptr %o, i32 3
      store float %y, ptr %o3"""
    text = kernel("double", body) + "\ndeclare double @llvm.fabs.f64(double)"
    text += "\ndeclare double @llvm.minnum.f64(double, double)"
    data = np.array([(x, y) for x in FLOATS for y in FLOATS]).reshape(-1)
    out = np.zeros(64 * len(data) // 2, np.uint8)
    launch = Launch("k", 1, len(data) // 2, (data, out))
    assert_same_behaviour(read_ll(text), "lower-ops", [launch])


@needs_ptxas
def test_selection_lowers_automatically():
    text = kernel("i128", "%x = urem i128 %a, %b\n store i128 %x, ptr %o")
    ptx = nvvm_xdsl.compile(text, arch="sm_80", opt_level=0)
    assert "__nv_urem128" in ptx
    assemble(ptx, "sm_80")


def test_a_function_of_the_same_name_and_another_type():
    text = kernel("i128", "%x = urem i128 %a, %b\n store i128 %x, ptr %o")
    with pytest.raises(DiagnosticError, match="@__nv_urem128 must be a function of"):
        PassManager("lower-ops").run(read_ll(text + "\ndeclare i64 @__nv_urem128(i64, i64)"))


def test_conversions_of_wider_integers_are_errors():
    text = kernel("i256", "%x = uitofp i256 %a to float\n store float %x, ptr %o")
    with pytest.raises(DiagnosticError, match="conversion of i256 to f32 is not supported"):
        nvvm_xdsl.compile(text, arch="sm_80", opt_level=0)


def _quotients(a: int, b: int) -> list[int]:
    """The four results of LLVM, whose signed division rounds toward zero."""
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return [quotient, a - quotient * b]


@pytest.mark.parametrize("level", [0, 3])
@pytest.mark.parametrize("bits", [129, 192, 256])
def test_divisions_of_more_than_128_bits(bits: int, level: int):
    held = 256
    top = 1 << (bits - 1)
    values = [
        1,
        2,
        7,
        10**30,
        2**64,
        2**128 - 1,
        2**128,
        top - 1,
        top,
        top + 1,
        2 * top - 1,
        2 * top - 3,
    ]
    pairs = [(x, y) for x in values for y in values]

    def signed(value: int) -> int:
        return value - 2 * top if value >= top else value

    lines = (
        [f"%n = trunc i{held} %a to i{bits}", f"%d = trunc i{held} %b to i{bits}"]
        if bits < held
        else []
    )
    names = ("%n", "%d") if lines else ("%a", "%b")
    # The minimum by -1 is undefined.
    lines.append(f"%one = icmp eq i{bits} {names[1]}, -1")
    lines.append(f"%safe = select i1 %one, i{bits} 1, i{bits} {names[1]}")
    for number, op in enumerate(("udiv", "urem", "sdiv", "srem")):
        by = names[1] if op[0] == "u" else "%safe"
        lines.append(f"%x{number} = {op} i{bits} {names[0]}, {by}")
        lines.append(
            f"%w{number} = {'zext' if bits < held else 'or'} i{bits} %x{number}{f' to i{held}' if bits < held else ', 0'}"
        )
        lines.append(f"%o{number} = getelementptr i{held}, ptr %q, i32 {number}")
        lines.append(f"store i{held} %w{number}, ptr %o{number}")
    text = kernel(
        f"i{held}", "\n".join([f"%q = getelementptr [4 x i{held}], ptr %out, i32 %t", *lines])
    )
    size = held // 8
    data = np.frombuffer(
        b"".join(v.to_bytes(size, "little") for pair in pairs for v in pair), np.uint8
    ).copy()
    out = np.zeros(4 * size * len(pairs), np.uint8)
    machine = machine_code(read_ptx(nvvm_xdsl.compile(text, arch="sm_90", opt_level=level)))
    launch(machine, "k", 1, len(pairs), [data, out])
    found = [
        int.from_bytes(out[i : i + size].tobytes(), "little") for i in range(0, len(out), size)
    ]
    wanted: list[int] = []
    for a, b in pairs:
        safe = 1 if signed(b) == -1 else signed(b)
        wanted += [a // b, a % b, *(v % (2 * top) for v in _quotients(signed(a), safe))]
    assert found == wanted


def test_divisions_of_one_width_share_a_routine():
    body = """%x = udiv i192 %a, %b
      %n = trunc i192 %x to i130
      %m = trunc i192 %b to i130
      %y = urem i130 %n, %m
      %z = udiv i130 %y, %n
      %w = zext i130 %z to i192
      store i192 %w, ptr %out"""
    module = read_ll(kernel("i192", body))
    PassManager("lower-ops").run(module)
    text = str(module)
    assert text.count("llvm.func @__nv_udiv192(") == text.count("llvm.func @__nv_urem192(") == 1
    assert "llvm.udiv" not in text
    assert "llvm.urem" not in text
