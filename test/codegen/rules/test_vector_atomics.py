"""Atomic operations on vectors: one access for all elements, or one for each with `elementwise`."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.assembling import assemble, needs_ptxas

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import launch

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %out, ptr addrspace(1) %in) {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load {type}, ptr addrspace(1) %in
  %old = atomicrmw {operation} ptr addrspace(1) %p, {type} %v monotonic{alignment}
  %place = getelementptr {type}, ptr addrspace(1) %out, i32 %tid
  store {type} %old, ptr addrspace(1) %place
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}


def compiled(operation: str, type_: str, arch: str = "sm_90", alignment: int = 0) -> str:
    """PTX of -O0 for one operation; an alignment of 0 is not stated."""
    stated = f", align {alignment}" if alignment else ""
    source = KERNEL.format(operation=operation, type=type_, alignment=stated)
    return nvvm_xdsl.compile(source, arch=arch, opt_level=0)


def instructions(ptx: str) -> list[str]:
    """The `atom` instructions without orderings, scopes and spaces."""
    return re.findall(r"atom\.relaxed\.sys\.(?:global\.)?(\S+)", ptx)


@pytest.mark.parametrize(
    ("type_", "swap"),
    [
        ("<1 x half>", "cas.b16"),
        ("<2 x half>", "cas.b32"),
        ("<2 x bfloat>", "cas.b32"),
        ("<1 x float>", "cas.b32"),
        ("<4 x half>", "cas.b64"),
        ("<2 x float>", "cas.b64"),
        ("<4 x float>", "cas.b128"),
        ("<2 x double>", "cas.b128"),
        ("<8 x half>", "cas.b128"),
    ],
)
@pytest.mark.parametrize("operation", ["fadd", "fsub", "fmax", "fminimum"])
@needs_ptxas
def test_a_vector_is_one_access(operation: str, type_: str, swap: str):
    """`atom` of `.f16x2` is atomic for each half only (PTX ISA, "atom")."""
    ptx = compiled(operation, type_)
    assert instructions(ptx) == [swap]
    assemble(ptx, "sm_90")


@pytest.mark.parametrize("type_", ["<2 x half>", "<4 x half>", "<2 x float>", "<4 x float>", "<2 x double>"])  # fmt: skip
@pytest.mark.parametrize("word", ["", "elementwise "])
@pytest.mark.parametrize("level", [0, 3])
def test_values_of_three_threads(type_: str, word: str, level: int):
    """Sums of small integers are exact, so that the order of the threads does not matter."""
    count, element = type_.strip("<>").split(" x ")
    dtype = FLOATS[element]
    source = KERNEL.format(operation=f"{word}fadd", type=type_, alignment="")
    ptx = nvvm_xdsl.compile(source, arch="sm_90", opt_level=level)
    added = np.arange(1, int(count) + 1).astype(dtype)
    for module in (convert(read_ptx(ptx)), nvvm_xdsl.parse(source)):
        memory = np.arange(10, 10 + int(count)).astype(dtype)
        first = memory.copy()
        old = np.zeros((3, int(count)), dtype)
        launch(module, "k", 1, 3, [memory, old, added])
        np.testing.assert_array_equal(memory, first + 3 * added)
        np.testing.assert_array_equal(np.sort(old, axis=0), [first + i * added for i in range(3)])


@pytest.mark.parametrize(
    ("operation", "type_", "alignment", "expected"),
    [
        ("fadd", "<2 x half>", 0, ["add.noftz.f16x2"]),
        ("fadd", "<2 x half>", 2, ["add.noftz.f16"] * 2),
        ("fsub", "<2 x bfloat>", 0, ["add.noftz.bf16x2"]),
        ("fadd", "<4 x half>", 0, ["add.noftz.f16x2"] * 2),
        ("fadd", "<1 x half>", 0, ["add.noftz.f16"]),
        ("fmax", "<2 x half>", 0, ["cas.b16"] * 2),
        ("fadd", "<2 x float>", 4, ["add.f32"] * 2),
        ("fadd", "<16 x float>", 0, ["add.f32"] * 16),
        ("fadd", "<4 x double>", 8, ["add.f64"] * 4),
        ("add", "<4 x i32>", 0, ["add.u32"] * 4),
        ("xchg", "<2 x i64>", 0, ["exch.b64"] * 2),
        ("umax", "<2 x i16>", 0, ["cas.b16"] * 2),
    ],
)
@needs_ptxas
def test_elementwise_operations(operation: str, type_: str, alignment: int, expected: list[str]):
    ptx = compiled(f"elementwise {operation}", type_, alignment=alignment)
    assert instructions(ptx) == expected
    assemble(ptx, "sm_90")


def test_elementwise_pairs_without_an_instruction():
    """sm_80 has no sum of bf16 in memory: the pair is one access."""
    assert instructions(compiled("elementwise fadd", "<2 x bfloat>", "sm_80")) == ["cas.b32"]


def test_offsets_of_elements():
    ptx = compiled("elementwise add", "<2 x i32>", alignment=4)
    assert re.findall(r"atom\S+ +\t?%r\d+, \[(\S+)\]", ptx) == ["%rd1", "%rd1+4"]


ELEMENTWISE_MLIR = """
llvm.func @f(%p: !llvm.ptr, %v: vector<{type}>) -> vector<{type}> {{
  %0 = llvm.atomicrmw fadd %p, %v monotonic {{nvvm.elementwise}} : !llvm.ptr, vector<{type}>
  llvm.return %0 : vector<{type}>
}}
"""


@pytest.mark.parametrize(
    ("type_", "expected"), [("2xf16", "add.noftz.f16x2"), ("4xf16", "cas.b64"), ("1xf16", "cas.b16")]
)  # fmt: skip
def test_the_attribute_in_mlir(type_: str, expected: str):
    """Only a pair has an instruction; other vectors are one access, which is stronger."""
    module = nvvm_xdsl.parse(ELEMENTWISE_MLIR.format(type=type_), format="mlir")
    assert instructions(nvvm_xdsl.emit(module, arch="sm_90")) == [expected]


LOCAL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %out, ptr addrspace(1) %in) {
  %v = load <4 x float>, ptr addrspace(1) %in
  %p = alloca <4 x float>, align 16
  store volatile <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0>, ptr %p, align 16
  %old = atomicrmw fmax ptr %p, <4 x float> %v seq_cst
  %new = load <4 x float>, ptr %p, align 16
  store <4 x float> %old, ptr addrspace(1) %out
  %next = getelementptr <4 x float>, ptr addrspace(1) %out, i32 1
  store <4 x float> %new, ptr addrspace(1) %next
  ret void
}
"""


def test_local_memory_needs_no_atomic_instruction():
    ptx = nvvm_xdsl.compile(LOCAL, arch="sm_90", opt_level=0)
    assert "atom." not in ptx
    out = np.zeros(8, np.float32)
    launch(convert(read_ptx(ptx)), "k", 1, 1, [out, np.array([0, 9, 3.5, 0], np.float32)])
    assert list(out) == [1, 2, 3, 4, 1, 9, 3.5, 4]


@pytest.mark.parametrize(
    ("operation", "type_", "message"),
    [
        ("fadd", "<8 x float>", "atomicrmw of vector<8xf32> is not supported"),
        ("add", "<2 x i32>", "atomicrmw add of <2 x i32>"),
        ("elementwise fadd", "float", "elementwise operations need a vector, not float"),
        (
            "elementwise fadd",
            "<3 x half>",
            "no atomic access of 6 bytes",
        ),
        ("elementwise add", "<2 x float>", "atomicrmw add of <2 x float>"),
        ("elementwise add", "<4 x i1>", "atomicrmw add of <4 x i1>"),
    ],
)
def test_operations_that_are_refused(operation: str, type_: str, message: str):
    with pytest.raises(DiagnosticError, match=re.escape(message)):
        compiled(operation, type_)


def test_elementwise_operations_are_not_sequentially_consistent():
    """As in LLVM."""
    source = KERNEL.format(operation="elementwise fadd", type="<2 x float>", alignment="")
    with pytest.raises(DiagnosticError, match="elementwise operations cannot be seq_cst"):
        nvvm_xdsl.parse(source.replace("monotonic", "seq_cst"))
