"""Salvaged debug expressions compute the value of the erased op."""

from __future__ import annotations

from typing import Any

import pytest
from helpers.modules import op_named

from nvvm_xdsl.codegen.emission.dwarf.locations import evaluated, location_of, value_steps
from nvvm_xdsl.dialects.llvm.attributes import opcodes
from nvvm_xdsl.dialects.llvm.debug_salvage import MAX_STEPS, prefixed, step
from nvvm_xdsl.dialects.nvptx.debug import DebugValueOp, debug_value
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline.debug_records import without_debug_ops

VARIABLE = '#llvm.di_local_variable<scope = #llvm.di_file<"a.cu" in "/src">, name = "v">'


def module(op: str, type_: str, result: str) -> str:
    """Returns a function with a debug record for the result of an op on its argument `%p` and `%c`, a
    constant.
    """
    kind = type_ if type_[0] == "i" else "i64"
    return f"""
llvm.func @f(%p: {type_}) {{
  %c = llvm.mlir.constant(CONSTANT : {kind}) : {kind}
  %r = {op}
  llvm.intr.dbg.value {VARIABLE} = %r : {result}
  llvm.return
}}
"""


def salvaged(text: str) -> Any:
    """Returns the debug record after the op is erased."""
    one = parse(text, format="mlir", debug="full")
    with without_debug_ops(one):
        fast.erase(_last(one))
    return op_named(one, "llvm.intr.dbg.value")


def _last(one: Any) -> Any:
    return op_named(one, "llvm.return").prev_op


BINARY = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b,
}
SAMPLES = [0, 1, 7, -1, -300, 0x7FFFFFFF, -0x80000000, 0x12345678]


@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("number", [1, 29, -5])
def test_binary_ops(name: str, number: int):
    number = abs(number) if name == "shl" else number
    text = module(f"llvm.{name} %p, %c : i32", "i32", "i32").replace("CONSTANT", str(number))
    found = salvaged(text)
    assert found.operands[0].owner is found.parent
    for value in SAMPLES:
        got = evaluated(found.properties["locationExpr"], value)
        assert got is not None
        assert got & 0xFFFFFFFF == BINARY[name](value, number) & 0xFFFFFFFF


@pytest.mark.parametrize("width", [1, 8, 32])
@pytest.mark.parametrize("name", ["zext", "sext"])
def test_extensions(width: int, name: str):
    text = module(f"llvm.{name} %p : i{width} to i64", f"i{width}", "i64")
    found = salvaged(text.replace("CONSTANT", "0"))
    for value in SAMPLES:
        # For any upper bits of the register.
        low = value & (1 << width) - 1
        expected = low if name == "zext" else low - ((low >> width - 1) << width)
        assert evaluated(found.properties["locationExpr"], value) == expected


@pytest.mark.parametrize(
    ("op", "type_", "result", "steps"),
    [
        ("llvm.trunc %p : i32 to i8", "i32", "i8", []),
        ("llvm.freeze %p : i32", "i32", "i32", []),
        ("llvm.addrspacecast %p : !llvm.ptr<1> to !llvm.ptr", "!llvm.ptr<1>", "!llvm.ptr", []),
        (
            "llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i32",
            *("!llvm.ptr", "!llvm.ptr", ["DW_OP_plus_uconst", "DW_OP_stack_value"]),
        ),
        (
            "llvm.getelementptr %p[-3] : (!llvm.ptr) -> !llvm.ptr, i32",
            *("!llvm.ptr", "!llvm.ptr", ["DW_OP_constu", "DW_OP_minus", "DW_OP_stack_value"]),
        ),
    ],
)
def test_ops_that_compute_an_address(op: str, type_: str, result: str, steps: list[str]):
    found = salvaged(module(op, type_, result).replace("CONSTANT", "0"))
    assert found.operands[0].owner is found.parent
    expression = found.properties.get("locationExpr")
    assert [element.opcode.data for element in opcodes(expression)] == steps
    if len(steps) > 1:
        assert evaluated(expression, 100) == (112 if "[3]" in op else 88)


@pytest.mark.parametrize(
    ("op", "type_", "result"),
    [
        # Low bits depend on high ones.
        ("llvm.lshr %p, %c : i32", "i32", "i32"),
        ("llvm.sdiv %p, %c : i32", "i32", "i32"),
        # Two values.
        ("llvm.add %p, %p : i32", "i32", "i32"),
        # More than the stack holds.
        ("llvm.trunc %p : i128 to i8", "i128", "i8"),
        ("llvm.add %p, %c : i128", "i128", "i128"),
        # Other bits.
        ("llvm.addrspacecast %p : !llvm.ptr<3> to !llvm.ptr", "!llvm.ptr<3>", "!llvm.ptr"),
        (
            "llvm.getelementptr %p[%c] : (!llvm.ptr, i64) -> !llvm.ptr, i32",
            "!llvm.ptr",
            "!llvm.ptr",
        ),
    ],
)
def test_inexpressible_ops_make_the_variable_undefined(op: str, type_: str, result: str):
    text = module(op, type_, result).replace("CONSTANT", "3")
    if "%c]" in op:
        # An index that is not constant.
        text = text.replace(
            "llvm.mlir.constant(3 : i64) : i64", "llvm.ptrtoint %p : !llvm.ptr to i64"
        )
    assert salvaged(text).operands[0].owner.name == "llvm.mlir.poison"


def test_expressions_are_prepended():
    first = prefixed(None, [step("DW_OP_plus_uconst", 1)])
    second = prefixed(first, [step("DW_OP_constu", 2), step("DW_OP_mul")])
    # (x * 2) + 1
    assert evaluated(second, 5) == 11
    assert [e.opcode.data for e in opcodes(second)].count("DW_OP_stack_value") == 1


def test_a_fragment_is_not_computed():
    part = prefixed(None, [step("DW_OP_LLVM_fragment", 0, 32)])
    assert prefixed(part, [step("DW_OP_plus_uconst", 1)]) is None


def test_expressions_have_a_maximum_length():
    expression = None
    for _ in range(MAX_STEPS - 1):
        expression = prefixed(expression, [step("DW_OP_plus_uconst", 1)])
    assert expression is not None
    assert prefixed(expression, [step("DW_OP_plus_uconst", 1)]) is None


def test_declared_memory_is_not_computed():
    text = module(
        "llvm.getelementptr %p[3] : (!llvm.ptr) -> !llvm.ptr, i32", "!llvm.ptr", "!llvm.ptr"
    )
    text = text.replace("dbg.value", "dbg.declare").replace("CONSTANT", "0")
    one = parse(text, format="mlir", debug="full")
    with without_debug_ops(one):
        fast.erase(_last(one))
    assert op_named(one, "llvm.intr.dbg.value").operands[0].owner.name == "llvm.mlir.poison"


def test_a_register_and_an_expression_are_a_value():
    text = module("llvm.add %p, %c : i32", "i32", "i32").replace("CONSTANT", "300")
    found = salvaged(text)
    op = debug_value(found.properties["varInfo"], found.properties["locationExpr"])
    assert isinstance(op, DebugValueOp)
    place = location_of(op, "%r1")
    assert place is not None
    # DW_OP_bregx %r1 0, DW_OP_plus_uconst 300, DW_OP_stack_value
    assert place.expression == (bytes([0x92, 0xB1, 0xE4, 0x95, 0x01, 0, 0x23, 0xAC, 0x02, 0x9F]),)
    assert place.address_class is None
    assert place.register == "%r1"


@pytest.mark.parametrize("names", [["DW_OP_plus_uconst"], ["DW_OP_deref", "DW_OP_stack_value"]])
def test_unknown_operations_have_no_location(names: list[str]):
    arguments = {"DW_OP_plus_uconst": (1,)}
    one = prefixed(None, [step(name, *arguments.get(name, ())) for name in names])
    assert one is not None
    steps = opcodes(one)
    if names[-1] != "DW_OP_stack_value":
        steps = steps[:-1]
    expression = type(one)(type(one.operations)(steps))
    assert value_steps(expression) is None
    assert evaluated(expression, 3) is None


def test_an_op_of_a_dead_cycle():
    """Passes drop the operands of dead cycles before they erase the ops."""
    text = module("llvm.add %p, %c : i32", "i32", "i32").replace("CONSTANT", "1")
    one = parse(text, format="mlir", debug="full")
    with without_debug_ops(one):
        fast.drop_uses(_last(one))
        fast.erase(_last(one))
    assert op_named(one, "llvm.intr.dbg.value").operands[0].owner.name == "llvm.mlir.poison"
