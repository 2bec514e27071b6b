"""Floating-point atomic operations of NVVM IR and PTX."""

from __future__ import annotations

import struct

import pytest

from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model.events import Position
from nvvm_xdsl.lab.memory_model.float_arithmetic import float_result
from nvvm_xdsl.lab.memory_model.lowering import allowed_outcomes, check, our_compiler
from nvvm_xdsl.lab.memory_model.module_program import ptx_program
from nvvm_xdsl.lab.memory_model.search import outcomes
from nvvm_xdsl.lab.memory_model.shapes import Operation, Shape, shapes

FORMATS = {2: "<e", 4: "<f", 8: "<d"}
INFINITY, NAN = float("inf"), float("nan")


def bits(value: float, size: int) -> int:
    """The bits of a number."""
    return int.from_bytes(struct.pack(FORMATS[size], value), "little")


@pytest.mark.parametrize(
    ("name", "a", "b", "size", "expected"),
    [
        ("add", 1.0, 2.0, 4, 3.0),
        ("add", 1.0, 2.0**-24, 4, 1.0),
        ("add", 1.0, 3 * 2.0**-24, 4, 1.0 + 2.0**-22),
        ("add", 1.0, 2.0**-24, 8, 1.0 + 2.0**-24),
        ("add", 2.0**127, 2.0**127, 4, INFINITY),
        ("add", 2048.0, 1.0, 2, 2048.0),
        ("sub", 1.0, 3.0, 8, -2.0),
        ("min", NAN, 2.0, 4, 2.0),
        ("max", -1.0, 2.0, 2, 2.0),
    ],
)
def test_results_are_rounded_to_the_format(
    name: str, a: float, b: float, size: int, expected: float
):
    assert float_result(name, bits(a, size), bits(b, size), size) == bits(expected, size)


def counters(type_: str, *values: int) -> Shape:
    """Threads that add values to one variable."""
    operation = Operation("atomicrmw", "monotonic", "device", type=type_)
    threads = tuple((operation.text("r", "x", value),) for value in values)
    return Shape("counters", threads, operation, ("x",))


@pytest.mark.parametrize(("type_", "size"), [("half", 2), ("float", 4), ("double", 8)])
def test_atomic_additions_of_two_threads(type_: str, size: int):
    shape = counters(type_, 1, 2)
    assert allowed_outcomes(shape) == {(("x", bits(3.0, size)),)}
    assert check(shape, our_compiler(shape.text(), "sm_90"), allowed_outcomes(shape)) is None
    other = our_compiler(counters(type_, 2, 2).text(), "sm_90")
    assert check(shape, other, allowed_outcomes(shape)) is not None


@pytest.mark.parametrize("type_", ["half", "float", "double"])
def test_a_dropped_ordering_of_an_addition_is_found(type_: str):
    operation = Operation("atomicrmw", "acq_rel", "device", type=type_)
    shape = next(s for s in shapes(operation) if s.name == "MP with seq_cst")
    ptx, allowed = our_compiler(shape.text(), "sm_90"), allowed_outcomes(shape)
    assert check(shape, ptx, allowed) is None
    assert check(shape, ptx.replace("acq_rel", "relaxed"), allowed) is not None


@pytest.mark.parametrize(
    "instruction",
    [
        "add.f32 %a, %b, 0f3F800000",
        "neg.f64 %a, %b",
        "mad.rn.f32 %a, %b, %b, %b",
        "setp.lt.f32 %p, %a, %b",
        "cvt.rn.f32.s32 %a, %b",
        "atom.global.add.noftz.bf16 %a, [x], %b",
        "atom.global.add.noftz.f16x2 %a, [x], %b",
    ],
)
def test_other_arithmetic_is_an_error(instruction: str):
    text = f""".version 8.8
.target sm_90
.address_size 64
.visible .global .b32 x;
.visible .entry P0()
{{
	.reg .b32 %a;
	.reg .b32 %b;
	.reg .pred %p;
	{instruction};
	ret;
}}
"""
    program = ptx_program(read_ptx(text), {"P0": Position(0)})
    with pytest.raises(DiagnosticError, match=r"is not supported"):
        outcomes(program)
