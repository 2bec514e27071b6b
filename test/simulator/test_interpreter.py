"""The same semantics in xDSL's own interpreter."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.simulator.interpreter import evaluate


def op_of(
    expression: str, operands: str, result: str, before: str = ""
) -> tuple[ModuleOp, Operation]:
    """Returns the op of an expression over parameters."""
    parameters = ", ".join(f"{t} %p{i}" for i, t in enumerate(operands.split("; ")) if t)
    text = f"{before}\ndefine {result} @f({parameters}) {{\n  %r = {expression}\n  ret {result} %r\n}}\n"
    module = read_ll(text)
    for op in module.walk():
        if op.results and op.results[0].name_hint == "r":
            return module, op
    raise AssertionError("no such op")


@pytest.mark.parametrize(
    ("expression", "operands", "result", "args", "wanted"),
    [
        ("add i32 %p0, %p1", "i32; i32", "i32", (2147483647, 1), -2147483648),
        ("udiv i8 %p0, %p1", "i8; i8", "i8", (-1, 2), 127),
        ("icmp ult i32 %p0, %p1", "i32; i32", "i1", (-1, 1), 0),
        ("fadd float %p0, %p1", "float; float", "float", (1.0, 2.0**-24), 1.0),
        ("fptosi double %p0 to i32", "double", "i32", (-2.7,), -2),
        ("select i1 %p0, i32 %p1, i32 %p2", "i1; i32; i32", "i32", (1, 5, 6), 5),
        ("shl i64 %p0, %p1", "i64; i64", "i64", (1, 63), -(1 << 63)),
        ("add <2 x i16> %p0, %p1", "<2 x i16>; <2 x i16>", "<2 x i16>", ((1, 2), (3, -4)), (4, -2)),
        ("extractvalue { i8, float } %p0, 1", "{ i8, float }", "float", ((1, 2.5),), 2.5),
        ("fadd bfloat %p0, %p1", "bfloat; bfloat", "bfloat", (1.0, 2.0**-9), 1.0),
    ],
)
def test_ops(expression: str, operands: str, result: str, args, wanted):
    module, op = op_of(expression, operands, result)
    assert evaluate(module, op, args) == (wanted,)


def test_intrinsics():
    module, op = op_of(
        "call i32 @llvm.ctpop.i32(i32 %p0)", "i32", "i32", "declare i32 @llvm.ctpop.i32(i32)"
    )
    assert evaluate(module, op, (-1,)) == (32,)


def test_an_op_that_is_run_twice_is_compiled_once():
    module, op = op_of("mul i32 %p0, %p1", "i32; i32", "i32")
    assert evaluate(module, op, (3, 4)) == (12,)
    assert evaluate(module, op, (5, -6)) == (-30,)
