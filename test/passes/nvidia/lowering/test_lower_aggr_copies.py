"""Blocks of memory are copied and filled as by NumPy, for every length, offset and overlap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from helpers.verified import verify

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

SIZE = 512
MIDDLE = 160
KNOWN = (0, 1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 100, 127, 128, 129, 200)
UNKNOWN = 201
"""Represents a length that the kernel loads."""

HEAD = """
target triple = "nvptx64-nvidia-cuda"
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""


def kernel(calls: str) -> str:
    return f"""{HEAD}
define ptx_kernel void @k(ptr %d, ptr %s, i64 %n, i8 %b) {{
{calls}
  ret void
}}"""


def run(text: str, length: int, *, machine: bool) -> tuple[np.ndarray, np.ndarray]:
    module = read_ll(text)
    if machine:
        module = select(module, CodegenOptions.for_arch("sm_80"))
    else:
        PassManager("lower-aggr-copies").run(module)
        verify(module)
    rng = np.random.default_rng(7)
    d, s = (rng.integers(0, 256, SIZE, np.uint8) for _ in range(2))
    launch(module, "k", 1, 1, [d, s, np.int64(length), np.uint8(0xA5)])
    return d, s


def arrays() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(7)
    d, s = (rng.integers(0, 256, SIZE, np.uint8) for _ in range(2))
    return d, s


def cases() -> Iterator[tuple[int, str, int]]:
    """Length in bytes, its form in the kernel, and the stated alignment."""
    for alignment in (1, 4, 16):
        for size in KNOWN:
            yield size, str(size), alignment
    for alignment in (1, 8, 16):
        for size in (0, 1, 7, 16, 45, UNKNOWN):
            yield size, "%n", alignment


@pytest.mark.parametrize("machine", [False, True])
@pytest.mark.parametrize("what", ["memcpy", "memset", "constant memset"])
def test_disjoint_copies(what: str, machine: bool):
    for size in (0, 45, UNKNOWN):
        calls: list[str] = []
        spelled = [(w, a) for n, w, a in cases() if w != "%n" or n == size]
        # Each call has its own area, aligned to 16 bytes; the bytes after it must not change.
        for number, (word, alignment) in enumerate(spelled[:: 5 if size else 1]):
            place = f"%p{number}"
            calls.append(f"  {place} = getelementptr i8, ptr %d, i64 {number % 16 * 16}")
            at = f"ptr align {alignment} {place}"
            if what == "memcpy":
                calls.append(
                    f"  call void @llvm.memcpy.p0.p0.i64({at}, ptr align {alignment} %s, "
                    f"i64 {word}, i1 false)"
                )
            else:
                byte = "%b" if what == "memset" else "7"
                calls.append(
                    f"  call void @llvm.memset.p0.i64({at}, i8 {byte}, i64 {word}, i1 false)"
                )
        found, source = run(kernel("\n".join(calls)), size, machine=machine)
        wanted, _ = arrays()
        for number, (word, _) in enumerate(spelled[:: 5 if size else 1]):
            length = size if word == "%n" else int(word)
            start = number % 16 * 16
            byte = 0xA5 if what == "memset" else 7
            wanted[start : start + length] = source[:length] if what == "memcpy" else byte
        assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("machine", [False, True])
@pytest.mark.parametrize("byte", ["%b", "7", "0"])
def test_local_array_of_words(byte: str, machine: bool):
    calls = f"""  %a = alloca [10 x i32], align 8
      call void @llvm.memset.p0.i64(ptr align 8 %a, i8 {byte}, i64 40, i1 false)
      %in = getelementptr i8, ptr %a, i64 16
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %in, ptr align 8 %s, i64 13, i1 false)
      call void @llvm.memcpy.p0.p0.i64(ptr align 8 %d, ptr align 8 %a, i64 39, i1 false)"""
    found, source = run(kernel(calls), 0, machine=machine)
    wanted, _ = arrays()
    wanted[:39] = 0xA5 if byte == "%b" else int(byte)
    wanted[16:29] = source[:13]
    assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("machine", [False, True])
@pytest.mark.parametrize("alignment", [1, 8])
def test_overlapping(alignment: int, machine: bool):
    """memmove by every kind of distance, with a known or an unknown direction."""
    distances = (-48, -8, -3, -1, 0, 1, 3, 8, 24)
    usable = [x for x in distances if x % alignment == 0]
    for size in (5, 45, UNKNOWN):
        words = [str(n) for n in KNOWN if n in (64, 129, 200)] if size == 5 else ["%n"]
        calls: list[str] = []
        wanted, _ = arrays()
        number = 0
        for distance in usable:
            for word in words:
                length = size if word == "%n" else int(word)
                # %e equals %d, but this is known only at run time.
                for base in ("%d", "%e"):
                    number += 1
                    calls.append(
                        f"  %to{number} = getelementptr i8, ptr {base}, i64 {MIDDLE + distance}\n"
                        f"  %from{number} = getelementptr i8, ptr %d, i64 {MIDDLE}\n"
                        f"  call void @llvm.memmove.p0.p0.i64(ptr align {alignment} %to{number}, "
                        f"ptr align {alignment} %from{number}, i64 {word}, i1 false)"
                    )
                    moved = wanted[MIDDLE : MIDDLE + length].copy()
                    wanted[MIDDLE + distance : MIDDLE + distance + length] = moved
        head = "  %x = ptrtoint ptr %d to i64\n  %z = and i64 %n, 0\n  %y = add i64 %x, %z\n"
        head += "  %e = inttoptr i64 %y to ptr\n"
        found, _ = run(kernel(head + "\n".join(calls)), size, machine=machine)
        assert found.tolist() == wanted.tolist()


@pytest.mark.parametrize("machine", [False, True])
def test_a_distance_that_wraps(machine: bool):
    """The target is 8 bytes below the source: (2^61 - 1) * 8 is -8."""
    calls = f"""  %from = getelementptr i8, ptr %d, i64 {MIDDLE}
      %to = getelementptr i64, ptr %from, i64 {2**61 - 1}
      call void @llvm.memmove.p0.p0.i64(ptr align 8 %to, ptr align 8 %from, i64 200, i1 false)"""
    found, _ = run(kernel(calls), 0, machine=machine)
    wanted, _ = arrays()
    wanted[MIDDLE - 8 : MIDDLE + 192] = wanted[MIDDLE : MIDDLE + 200].copy()
    assert found.tolist() == wanted.tolist()


def test_volatile_accesses_stay_volatile():
    text = kernel("  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 8, i1 true)")
    module = read_ll(text)
    PassManager("lower-aggr-copies").run(module)
    printed = ir_text(module)
    assert printed.count("llvm.load volatile") == printed.count("llvm.store volatile") == 8


def test_struct_accesses():
    """Aggregates of every kind through memory, with padding, undefined fields and stores between."""
    text = f"""{HEAD}
    %t = type {{ i8, [3 x i16], {{ float, double }}, <2 x float>, i1 }}
    @source = addrspace(1) global [4 x %t] zeroinitializer
    define ptx_kernel void @k(ptr align 16 %d, ptr align 16 %s) {{
      %x = load [8 x i32], ptr %s, align 16
      %x2 = extractvalue [8 x i32] %x, 5
      store i32 77, ptr %s
      store [8 x i32] %x, ptr %d, align 16
      %p = getelementptr i8, ptr %d, i64 32
      %y = load {{ i32, i64 }}, ptr %s, align 8
      %y2 = insertvalue {{ i32, i64 }} %y, i32 %x2, 0
      store i64 0, ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(1) @source to ptr), i64 0)
      %q = getelementptr i8, ptr %d, i64 40
      store i64 0, ptr %p
      store {{ i32, i64 }} %y2, ptr %p, align 8
      %r = getelementptr i8, ptr %d, i64 64
      %z = load {{ float, float, float, float }}, ptr %s, align 16
      store {{ float, float, float, float }} %z, ptr %r, align 16
      %w = getelementptr i8, ptr %d, i64 100
      store [70 x i32] zeroinitializer, ptr %w, align 4
      ret void
    }}"""
    rng = np.random.default_rng(3)
    d, s = (rng.integers(0, 256, SIZE, np.uint8) for _ in range(2))
    launches = [Launch("k", 1, 1, (d, s))]
    assert_same_behaviour(read_ll(text), "lower-aggr-copies", launches, checks=())
    assert_same_behaviour(
        read_ll(text), "lower-aggr-copies<lower-aggr-func-args>", launches, checks=()
    )


def test_a_second_run_changes_nothing():
    module = read_ll(kernel("  call void @llvm.memcpy.p0.p0.i64(ptr %d, ptr %s, i64 %n, i1 false)"))
    PassManager("lower-aggr-copies").run(module)
    once = ir_text(module)
    PassManager("lower-aggr-copies").run(module)
    assert ir_text(module) == once


@pytest.mark.parametrize("width", [32, 64, 128])
def test_a_length_of_any_width(width: int):
    text = f"""
    target triple = "nvptx64-nvidia-cuda"
    declare void @llvm.memset.p0.i{width}(ptr, i8, i{width}, i1)
    define ptx_kernel void @k(ptr %d, i{width} %n) {{
      call void @llvm.memset.p0.i{width}(ptr %d, i8 7, i{width} %n, i1 false)
      ret void
    }}"""
    data = np.zeros(40, np.uint8)
    assert_same_behaviour(read_ll(text), "lower-aggr-copies", [Launch("k", 1, 1, (data, 33))])
