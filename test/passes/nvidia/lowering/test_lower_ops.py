"""Calls of the library compute the same as the operations."""

from __future__ import annotations

import math
import struct

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


def test_conversions_of_very_wide_integers_are_errors():
    text = kernel("i1088", "%x = uitofp i1088 %a to float\n store float %x, ptr %o")
    with pytest.raises(DiagnosticError, match="conversion of i1088 to f32 is not supported"):
        nvvm_xdsl.compile(text, arch="sm_80", opt_level=0)


FORMATS = {"half": ("f16", "e", 11, 65504), "float": ("f32", "f", 24, 2**128 - 2**104), "double": ("f64", "d", 53, 2**1024 - 2**971)}  # fmt: skip
"""Suffix in names, letter of struct, digits and largest number."""


def rounded(number: int, t: str) -> float:
    """The nearest float, of two the even one."""
    _, _, digits, largest = FORMATS[t]
    size = abs(number)
    dropped = max(size.bit_length() - digits, 0)
    kept, rest = divmod(size, 1 << dropped)
    half = 1 << dropped >> 1
    kept += rest > half or (rest == half != 0 and kept & 1)
    size = kept << dropped
    found = math.inf if size > largest else float(size)
    return -found if number < 0 else found


def results(lines: list[str], data: bytes, threads: int, level: int) -> list[bytes]:
    """The 512 bytes that each thread of a kernel writes; `%in` points to its 128 bytes."""
    head, *body = lines
    text = f"""{HEAD}{head}
    define ptx_kernel void @k(ptr %p, ptr %q) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %in = getelementptr [128 x i8], ptr %p, i32 %t
      %o = getelementptr [512 x i8], ptr %q, i32 %t
      {chr(10).join(body)}
      ret void
    }}"""
    out = np.zeros(512 * threads, np.uint8)
    ptx = nvvm_xdsl.compile(text, arch="sm_90", opt_level=level)
    launch(
        machine_code(read_ptx(ptx, "k.ptx")), "k", 1, threads, (np.frombuffer(data, np.uint8), out)
    )
    return [out[512 * i : 512 * (i + 1)].tobytes() for i in range(threads)]


@pytest.mark.parametrize(("width", "level"), [(129, 3), (256, 0), (1024, 0)])
def test_wide_integers_as_floats(width: int, level: int):
    numbers = [0, 1, 2**width - 1, 2 ** (width - 1), 2 ** (width - 1) - 1]
    for _, _, digits, largest in FORMATS.values():
        numbers += [n % 2**width for n in (largest, largest + 1, -largest - 1)]
        for top in ((1 << digits) + 1, (1 << digits) + 3, (1 << digits + 1) - 1):
            numbers += [(top << above) + step for above in (3, width - 70) for step in (-1, 0, 1)]
    numbers += [-n % 2**width for n in numbers]
    data = b"".join(n.to_bytes(128, "little") for n in numbers)
    lines = ["", f"%n = load i{width}, ptr %in"]
    for index, t in enumerate(FORMATS):
        for sign, op in enumerate(("uitofp", "sitofp")):
            name = f"{index}_{sign}"
            lines.append(f"%x{name} = {op} i{width} %n to {t}")
            lines.append(f"%o{name} = getelementptr i64, ptr %o, i32 {2 * index + sign}")
            lines.append(f"store {t} %x{name}, ptr %o{name}")
    for number, found in zip(numbers, results(lines, data, len(numbers), level)):
        negative = number - 2**width if number >> (width - 1) else number
        for index, (t, (_, letter, _, _)) in enumerate(FORMATS.items()):
            for sign, value in enumerate((number, negative)):
                (got,) = struct.unpack_from(f"<{letter}", found, 16 * index + 8 * sign)
                assert got == rounded(value, t), (t, value)


@pytest.mark.parametrize(("width", "level"), [(129, 3), (256, 0), (1024, 0)])
@pytest.mark.parametrize("t", FORMATS)
def test_floats_as_wide_integers(t: str, width: int, level: int):
    suffix, letter, digits, largest = FORMATS[t]
    values = [
        0.0,
        -0.0,
        0.5,
        -0.75,
        1.0,
        -1.5,
        2.0**digits - 1,
        -(2.0**digits),
        math.inf,
        -math.inf,
        math.nan,
    ]
    powers = [
        e
        for e in (digits - 1, digits, 52, 53, 63, 64, 128, width - 2, width - 1, width)
        if 2 ** (e + 1) <= largest
    ]
    values += [float((1 + step) * 2**e) for e in powers for step in (0, 1)]
    values = [
        sign * v
        for v in (*values, float(largest))
        for sign in (1, -1)
        if abs(v) <= largest or math.isinf(v) or math.isnan(v)
    ]
    data = b"".join(struct.pack(f"<{letter}", v).ljust(128, b"\0") for v in values)
    lines = [
        "\n".join(f"declare i{width} @llvm.fpto{s}i.sat.i{width}.{suffix}({t})" for s in "us"),
        f"%v = load {t}, ptr %in",
    ]
    calls = [f"call i{width} @llvm.fpto{s}i.sat.i{width}.{suffix}({t} %v)" for s in "us"]
    for index, made in enumerate(
        (*calls, f"fptoui {t} %v to i{width}", f"fptosi {t} %v to i{width}")
    ):
        lines += [
            f"%x{index} = {made}",
            f"%o{index} = getelementptr [128 x i8], ptr %o, i32 {index}",
        ]
        lines.append(f"store i{width} %x{index}, ptr %o{index}")
    for value, found in zip(values, results(lines, data, len(values), level)):
        for index in range(4):
            low, high = ((0, 2**width), (-(2 ** (width - 1)), 2 ** (width - 1)))[index % 2]
            got = (
                int.from_bytes(found[128 * index : 128 * index + (width + 7) // 8], "little")
                % 2**width
            )
            exact = (
                0
                if math.isnan(value)
                else (low if value < 0 else high - 1)
                if math.isinf(value)
                else int(value)
            )
            if index < 2 or (math.isfinite(value) and low <= exact < high):
                assert got == min(max(exact, low), high - 1) % 2**width, (value, index)


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
