"""Operands that LLVM reads as unsigned, as constants whose signed value is negative.

Indices of vector elements, funnel shift amounts, and sizes in memory.
"""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

SLOT = 16
"""Bytes of each result."""


def kernel(body: str, before: str = "") -> ModuleOp:
    return read_ll(
        f'target triple = "nvptx64-nvidia-cuda"\n{before}'
        f"define ptx_kernel void @k(ptr %in, ptr %out) {{\n{body}  ret void\n}}\n"
    )


def after(module: ModuleOp, passes: str) -> ModuleOp:
    """Returns the module after passes; with `select`, its machine code."""
    names = passes.split("+")
    if names[0] != "select":
        run_pipeline(module, names[0])
    if names[-1] == "select":
        return select(module, CodegenOptions.for_arch("sm_80", fmad=False))
    return module


def run(module: ModuleOp, data: bytes, size: int) -> bytes:
    out = np.zeros(size, np.uint8)
    launch(module, "k", 1, 1, [np.frombuffer(data, np.uint8).copy(), out])
    return out.tobytes()


FUNNEL_WIDTHS = (3, 12, 24, 31, 33, 40, 48, 63)


def funnel_amounts(width: int) -> list[int]:
    return [-1, -2, -8, -16, -(1 << (width - 1)), 1 - (1 << (width - 1))]


def funnels() -> tuple[ModuleOp, bytes, bytes]:
    """Both shifts of two loaded numbers, also of one number twice; the input and the results."""
    lines: list[str] = []
    declared: list[str] = []
    data, expected = b"", b""
    for width in FUNNEL_WIDTHS:
        mask = (1 << width) - 1
        a, b = 0x9E3779B97F4A7C15 & mask, 0xC2B2AE3D27D4EB4F & mask
        for number in (a, b):
            data += number.to_bytes(SLOT, "little")
        place = 2 * FUNNEL_WIDTHS.index(width) * SLOT
        for name, at in (("a", place), ("b", place + SLOT)):
            lines.append(f"  %p{name}{width} = getelementptr i8, ptr %in, i64 {at}\n")
            lines.append(f"  %{name}{width} = load i{width}, ptr %p{name}{width}, align {SLOT}\n")
        declared += [
            f"declare i{width} @llvm.fsh{d}.i{width}(i{width}, i{width}, i{width})\n" for d in "lr"
        ]
        for amount in (n for n in funnel_amounts(width) if -(1 << (width - 1)) <= n):
            by = (amount & mask) % width
            for left, low in ((True, b), (False, b), (True, a), (False, a)):
                n = len(expected) // SLOT
                both = a << width | low
                result = both << by >> width if left else both >> by
                second = f"%b{width}" if low is b else f"%a{width}"
                name = f"@llvm.fsh{'l' if left else 'r'}.i{width}"
                lines.append(
                    f"  %r{n} = call i{width} {name}(i{width} %a{width}, i{width} {second}, "
                    f"i{width} {amount})\n"
                    f"  %q{n} = getelementptr i8, ptr %out, i64 {n * SLOT}\n"
                    f"  store i{width} %r{n}, ptr %q{n}, align {SLOT}\n"
                )
                expected += (result & mask).to_bytes(SLOT, "little")
    return kernel("".join(lines), "".join(declared)), data, expected


@pytest.mark.parametrize(
    "passes", ["instcombine", "bdce", "packed-bytes", "nvopt<O3>", "select", "nvopt<O3>+select"]
)
def test_funnel_shifts(passes: str):
    module, data, expected = funnels()
    assert run(after(module, passes), data, len(expected)) == expected


def test_known_funnel_shifts():
    """The amount and the shifted numbers are constants."""
    width, amount, a, b = 12, -5, 0x123, -0x321
    module = kernel(
        f"  %r = call i{width} @llvm.fshl.i{width}(i{width} {a}, i{width} {b}, i{width} {amount})\n"
        f"  store i{width} %r, ptr %out\n",
        f"declare i{width} @llvm.fshl.i{width}(i{width}, i{width}, i{width})\n",
    )
    run_pipeline(module, "instcombine")
    by = (amount % (1 << width)) % width
    expected = ((a << width | b % (1 << width)) << by >> width) % (1 << width)
    assert run(module, b"", 2) == expected.to_bytes(2, "little")
    assert not any("fshl" in str(op.name) for op in module.walk())


def demanded_funnel(width: int, amount: int, name: str) -> tuple[ModuleOp, int]:
    """Only the lowest bit of the shift is used, which demands one bit of its operands."""
    mask = (1 << width) - 1
    a, b = 0x9E3779B97F4A7C15 & mask, 0xC2B2AE3D27D4EB4F & mask
    by = (amount & mask) % width
    both = a << width | b
    result = (both << by >> width if name == "fshl" else both >> by) & 1
    module = kernel(
        f"  %q = getelementptr i8, ptr %in, i64 {SLOT}\n"
        f"  %a = load i{width}, ptr %in\n  %b = load i{width}, ptr %q\n"
        f"  %x = xor i{width} %a, {-1 & mask}\n  %y = xor i{width} %b, {-1 & mask}\n"
        f"  %r = call i{width} @llvm.{name}.i{width}(i{width} %x, i{width} %y, i{width} {amount})\n"
        f"  %one = and i{width} %r, 1\n  %s = trunc i{width} %one to i1\n"
        "  %t = zext i1 %s to i8\n  store i8 %t, ptr %out\n",
        f"declare i{width} @llvm.{name}.i{width}(i{width}, i{width}, i{width})\n",
    )
    return module, result ^ 1


@pytest.mark.parametrize("name", ["fshl", "fshr"])
@pytest.mark.parametrize("width", [12, 24, 31, 63])
def test_demanded_bits_of_funnel_shifts(name: str, width: int):
    for amount in (-1, -2, -3, -7):
        module, expected = demanded_funnel(width, amount, name)
        run_pipeline(module, "bdce,instcombine")
        mask = (1 << width) - 1
        data = b"".join(
            (n & mask).to_bytes(SLOT, "little") for n in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
        )
        assert run(module, data, 1)[0] == expected


POSITIONS = [(1, 1, 2), (2, 2, 4), (2, 3, 4), (3, 5, 8), (3, 7, 8), (8, 200, 256), (8, 255, 256)]
"""Widths of an index, indices that are negative as signed numbers, and sizes of vectors."""


def spelled(width: int, position: int) -> str:
    return "true" if width == 1 else str(position - (1 << width))


@pytest.mark.parametrize(
    "passes", ["instcombine", "scalarizer", "nvopt<O3>", "select", "nvopt<O3>+select"]
)
@pytest.mark.parametrize(("width", "position", "count"), POSITIONS)
def test_elements(passes: str, width: int, position: int, count: int):
    """An element is replaced and loaded again; the same element of the original vector is loaded, too."""
    if count > 8 and passes != "instcombine":
        pytest.skip("wide vectors are slow to compile and behave the same")
    at = f"i{width} {spelled(width, position)}"
    vector = f"<{count} x i16>"
    module = kernel(
        f"  %v = load {vector}, ptr %in, align 2\n"
        f"  %a = extractelement {vector} %v, {at}\n"
        f"  %w = insertelement {vector} %v, i16 -7, {at}\n"
        f"  %b = extractelement {vector} %w, i32 {position}\n"
        f"  %u = insertelement {vector} %v, i16 -9, i32 {position}\n"
        f"  %c = extractelement {vector} %u, {at}\n"
        f"  %d = extractelement {vector} %w, i32 {position - 1}\n"
        + "".join(
            f"  %p{n} = getelementptr i16, ptr %out, i64 {n}\n  store i16 %{v}, ptr %p{n}\n"
            for n, v in enumerate("abcd")
        )
    )
    data = np.arange(100, 100 + count, dtype=np.int16)
    found = np.frombuffer(run(after(module, passes), data.tobytes(), 8), np.int16)
    assert found.tolist() == [100 + position, -7, -9, 99 + position]


@pytest.mark.parametrize("passes", ["instcombine", "nvopt<O3>"])
def test_elements_of_constants(passes: str):
    vector = "<8 x i16>"
    inserted = "".join(
        f"  %v{n + 1} = insertelement {vector} {f'%v{n}' if n else 'poison'}, i16 {5 * n}, "
        f"i3 {n if n < 4 else n - 8}\n"
        for n in range(8)
    )
    module = kernel(
        f"{inserted}  %m = shufflevector {vector} %v8, {vector} poison, <8 x i32> "
        "<i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>\n"
        f"  %a = extractelement {vector} %m, i3 -3\n  store i16 %a, ptr %out\n"
        "  %p = getelementptr i16, ptr %out, i64 1\n"
        f"  store {vector} %v8, ptr %p, align 2\n"
    )
    run_pipeline(module, passes)
    found = np.frombuffer(run(module, b"", 18), np.int16)
    assert found.tolist() == [10, *range(0, 40, 5)]


@pytest.mark.parametrize("passes", ["instcombine", "nvopt<O3>"])
def test_an_element_put_into_a_constant(passes: str):
    """One index is an i2, the other an i32."""
    constant = "<4 x i16> <i16 1, i16 2, i16 3, i16 4>"
    module = kernel(
        "  %x = load i16, ptr %in, align 2\n"
        f"  %v = insertelement {constant}, i16 %x, i2 -1\n"
        "  %a = extractelement <4 x i16> %v, i32 3\n  store i16 %a, ptr %out\n"
        f"  %w = insertelement {constant}, i16 %x, i32 2\n"
        "  %b = extractelement <4 x i16> %w, i2 -2\n"
        "  %p = getelementptr i16, ptr %out, i64 1\n  store i16 %b, ptr %p\n"
    )
    run_pipeline(module, passes)
    assert run(module, bytes([77, 0]), 4) == bytes([77, 0, 77, 0])


MEMORY = "declare void @llvm.memset.p0.i8(ptr, i8, i8, i1)\ndeclare void @llvm.memcpy.p0.p0.i8(ptr, ptr, i8, i1)\n"


@pytest.mark.parametrize("passes", ["gvn", "dse", "memcpyopt", "sroa", "nvopt<O3>", "select"])
def test_sizes(passes: str):
    """A fill and a copy of 200 bytes, with the size as an i8."""
    module = kernel(
        "  %slot = alloca [200 x i8], align 4\n"
        "  %last = getelementptr i8, ptr %out, i64 196\n"
        "  store i32 1, ptr %last, align 4\n"
        "  call void @llvm.memset.p0.i8(ptr %out, i8 3, i8 -56, i1 false)\n"
        "  %x = load i32, ptr %last, align 4\n"
        "  call void @llvm.memcpy.p0.p0.i8(ptr %slot, ptr %in, i8 -56, i1 false)\n"
        "  %mine = getelementptr i8, ptr %slot, i64 196\n"
        "  %y = load i32, ptr %mine, align 4\n"
        "  %p = getelementptr i8, ptr %out, i64 200\n  store i32 %x, ptr %p, align 4\n"
        "  %q = getelementptr i8, ptr %out, i64 204\n  store i32 %y, ptr %q, align 4\n",
        MEMORY,
    )
    data = np.arange(50, dtype=np.int32).tobytes()
    found = run(after(module, passes), data, 208)
    assert found[:200] == b"\3" * 200
    assert np.frombuffer(found[200:], np.int32).tolist() == [0x03030303, 49]


@pytest.mark.parametrize("passes", ["sroa", "mem2reg", "memcpyopt", "nvopt<O3>", "select"])
@pytest.mark.parametrize("count", [1, 200])
def test_numbers_of_elements(passes: str, count: int):
    """Slots whose number of elements is a negative constant, and a table copied into one."""
    stated = "i1 true" if count == 1 else "i8 -56"
    module = kernel(
        f"  %slot = alloca i8, {stated}, align 4\n"
        f"  call void @llvm.memcpy.p0.p0.i8(ptr %slot, ptr %in, i8 {count - 256 if count > 127 else count}, i1 false)\n"
        f"  %last = getelementptr i8, ptr %slot, i64 {count - 1}\n"
        "  %x = load i8, ptr %last\n  store i8 %x, ptr %out\n"
        "  store i8 77, ptr %last\n  %y = load i8, ptr %last\n"
        "  %p = getelementptr i8, ptr %out, i64 1\n  store i8 %y, ptr %p\n",
        MEMORY,
    )
    data = bytes(range(1, count + 1))
    assert run(after(module, passes), data, 2) == bytes([count, 77])
