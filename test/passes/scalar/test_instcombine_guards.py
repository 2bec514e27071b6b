"""Conditions of the patterns of `instcombine` that are not rules: each case is a function, and the names of the
other ops than constants afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module

from nvvm_xdsl.dialects.llvm.accessors import number_of, predicate_of
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.rules.operators import FCMP_PREDICATES, ICMP_PREDICATES

TEXT = """
@g = external addrspace(1) global i32
@h = external addrspace(1) global i32
declare void @llvm.assume(i1)
define i1 @f(i32 %x, i32 %y, i32 %z, <2 x i32> %v, ptr %p, ptr %q, i64 %w, i1 %c) {{
{body}
}}
"""


def ops_after(body: str):
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, "instcombine")
    module.verify()
    func = function(module)
    return [op for op in func.walk() if op is not func and "mlir" not in op.name]


def names_after(body: str) -> str:
    return " ".join(op.name.removeprefix("llvm.") for op in ops_after(body))


# Two comparisons of one value.


def logic(first: str, second: str, op: str = "and", more: str = "") -> str:
    return f"%a = icmp {first}\n%b = icmp {second}\n{more}%r = {op} i1 %a, %b\nret i1 %r"


USE = "store i1 %a, ptr %p\n"
USES = USE + "store i1 %b, ptr %q\n"
LOGIC = {
    "a range": (logic("ugt i32 %x, 3", "ult i32 %x, 9"), "add icmp return"),
    "never": (logic("ult i32 %x, 3", "ugt i32 %x, 9"), "return"),
    "always": (logic("ult i32 %x, 9", "ugt i32 %x, 3", "or"), "return"),
    "not excluded values with a gap": (logic("ne i32 %x, 3", "ne i32 %x, 9"), "icmp icmp and return"),
    "the stricter one, which has other uses": (
        "%s = add i32 %x, -5\n%t = add i32 %x, -7\n" + logic("ult i32 %s, 10", "ult i32 %t, 3", "and", USES),
        "add add icmp icmp store store return",
    ),
    "one value": (logic("ugt i32 %x, 4", "ult i32 %x, 6"), "icmp return"),
    "all but one value": (logic("ult i32 %x, 5", "ugt i32 %x, 5", "or"), "icmp return"),
    "one value, if one comparison has another use": (
        logic("ugt i32 %x, 4", "ult i32 %x, 6", "and", USE), "icmp store icmp return",
    ),
    "all but one value, if one comparison has another use": (
        "%s = add i32 %x, -6\n" + logic("ult i32 %x, 5", "ult i32 %s, -6", "or", USE), "icmp store icmp return",
    ),
    "above a bound, if one comparison has another use": (
        "%s = add i32 %x, -5\n" + logic("ugt i32 %x, 3", "ult i32 %s, -1", "and", USE), "icmp store icmp return",
    ),
    "not between bounds, if one comparison has another use": (
        logic("ugt i32 %x, 3", "ult i32 %x, 9", "and", USE), "icmp icmp store and return",
    ),
    "above a bound": (logic("ugt i32 %x, 3", "ne i32 %x, 4"), "icmp return"),
    "below a bound": (logic("ult i32 %x, 5", "ne i32 %x, 4"), "icmp return"),
    "not with a variable bound": (logic("ugt i32 %x, %y", "ult i32 %x, 9"), "icmp icmp and return"),
    "not of two values": (logic("ugt i32 %x, 3", "ult i32 %y, 9"), "icmp icmp and return"),
    "not of a sum of two variables": (
        "%s = add i32 %x, %y\n" + logic("ugt i32 %x, 3", "ult i32 %s, 9"), "add icmp icmp and return",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", LOGIC)
def test_two_comparisons(why: str):
    body, names = LOGIC[why]
    assert names_after(body) == names


@pytest.mark.parametrize(("first", "second", "op", "value"), [
    ("ult i32 %s, 3", "ugt i32 %x, 9", "and", 0), ("ult i32 %x, 9", "ult i32 %s, -5", "or", 1),
])  # fmt: skip
def test_an_empty_or_full_range_is_a_constant(first: str, second: str, op: str, value: int):
    *_, end = ops_after(f"%s = add i32 %x, -5\n{logic(first, second, op, USES)}")
    number = constant_integer(end.operands[0])
    assert number is not None
    assert abs(number) == value


# Comparisons that facts decide.

DECIDED = {
    "by one bit": (
        "%a = or i32 %x, 1\n%b = and i32 %y, -2\n%r = icmp eq i32 %a, %b\nret i1 %r", "return",
    ),
    "not an order by one bit": (
        "%a = or i32 %x, 1\n%b = and i32 %y, -2\n%r = icmp ult i32 %a, %b\nret i1 %r", "or and icmp return",
    ),
    "not of vectors": (
        "%a = icmp ult <2 x i32> %v, splat (i32 3)\n%r = extractelement <2 x i1> %a, i32 0\nret i1 %r",
        "icmp extractelement return",
    ),
    "not by contradictory assumptions": (
        "%a = icmp ult i32 %x, 3\ncall void @llvm.assume(i1 %a)\n%b = icmp ugt i32 %x, 9\n"
        "call void @llvm.assume(i1 %b)\n%d = icmp ult i32 %x, 50\n%e = icmp ult i32 %y, %x\n%r = and i1 %d, %e\nret i1 %r",
        "icmp intr.assume icmp intr.assume icmp icmp and return",
    ),
    "not of pointers": ("%r = icmp ult ptr %p, %q\nret i1 %r", "icmp return"),
}  # fmt: skip


@pytest.mark.parametrize("why", DECIDED)
def test_known_operands(why: str):
    body, names = DECIDED[why]
    assert names_after(body) == names


@pytest.mark.parametrize(("before", "after"), [
    ("icmp slt i32 5, %x", ICMP_PREDICATES.index("sgt")), ("fcmp olt float 5.0, %d", FCMP_PREDICATES.index("ogt")),
])  # fmt: skip
def test_an_exchange_of_operands_exchanges_the_predicate(before: str, after: int):
    *_, comparison, _ = ops_after(f"%d = bitcast i32 %x to float\n%r = {before}\nret i1 %r")
    assert predicate_of(comparison) == after


def test_two_constants_are_not_exchanged():
    assert names_after("%r = icmp ult ptr addrspace(1) @g, @h\nret i1 %r").split()[-2:] == [
        "icmp",
        "return",
    ]


# Addresses.


def addresses(first: str, second: str) -> str:
    return f"%a = getelementptr {first}\n%b = getelementptr {second}\n%r = icmp ult ptr %b, %q\nret i1 %r"


OFFSETS = {
    "the sum": (addresses("i8, ptr %p, i64 4", "i32, ptr %a, i64 2"), "getelementptr icmp return"),
    "the pointer itself": (addresses("i8, ptr %p, i64 4", "i8, ptr %a, i64 -4"), "icmp return"),
    "not a variable offset before": (
        addresses("i8, ptr %p, i64 %w", "i8, ptr %a, i64 4"), "getelementptr getelementptr icmp return",
    ),
    "not a variable offset after": (
        addresses("i8, ptr %p, i64 4", "i8, ptr %a, i64 %w"), "getelementptr getelementptr icmp return",
    ),
    "not beyond the constants of a getelementptr": (
        addresses("i8, ptr %p, i64 2147483647", "i8, ptr %a, i64 1"), "getelementptr getelementptr icmp return",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", OFFSETS)
def test_an_offset_of_an_offset(why: str):
    body, names = OFFSETS[why]
    assert names_after(body) == names


@pytest.mark.parametrize(
    ("first", "second", "common"), [("inbounds", "inbounds", 3), ("inbounds", "", 0), ("", "inbounds", 0)]
)  # fmt: skip
def test_only_common_flags_of_offsets_remain(first: str, second: str, common: int):
    gep, *_ = ops_after(addresses(f"{first} i8, ptr %p, i64 4", f"{second} i8, ptr %a, i64 4"))
    flags = gep.properties.get("noWrapFlags")
    assert (0 if flags is None else number_of(flags)) == common


@pytest.mark.parametrize(("first", "second"), [("inbounds", ""), ("", "inbounds")])
def test_an_offset_without_flags_has_none_in_common(first: str, second: str):
    module = parse_module(
        "llvm.func @f(%p: !llvm.ptr) -> !llvm.ptr {\n"
        f"%a = llvm.getelementptr {first} %p[4] : (!llvm.ptr) -> !llvm.ptr, i8\n"
        f"%b = llvm.getelementptr {second} %a[4] : (!llvm.ptr) -> !llvm.ptr, i8\n"
        "llvm.return %b : !llvm.ptr\n}"
    )
    for op in module.walk():
        if op.name == "llvm.getelementptr" and number_of(op.properties["noWrapFlags"]) == 0:
            del op.properties["noWrapFlags"]
    run_pipeline(module, "instcombine")
    (gep,) = (op for op in module.walk() if op.name == "llvm.getelementptr")
    flags = gep.properties.get("noWrapFlags")
    assert flags is None or number_of(flags) == 0


# Extended block arguments.


def join(one: str, other: str, first: str, second: str) -> str:
    return (
        f"br i1 %c, label %one, label %other\none:\n{one}\nbr label %join\n"
        f"other:\n{other}\nbr label %join\n"
        f"join:\n%v64 = phi i64 [{first}, %one], [{second}, %other]\n%r = icmp ult i64 %v64, %w\nret i1 %r"
    )


NARROWED = {
    "two extensions": (join("%a = zext i32 %x to i64", "%b = zext i32 %y to i64", "%a", "%b"), "i32"),
    "an extension and a constant": (join("%a = zext i32 %x to i64", "", "%a", "5"), "i32"),
    "an extension that is also an index": (
        join("%a = zext i32 %x to i64\n%g = getelementptr i8, ptr %p, i64 %a\nstore i8 1, ptr %g", "", "%a", "5"),
        "i32",
    ),
    "not an extension with another use": (
        join("%a = zext i32 %x to i64\nstore i64 %a, ptr %p", "", "%a", "5"), "i64",
    ),
    "not two constants": (join("", "", "5", "7"), "i64"),
    "not extensions of two kinds": (
        join("%a = zext i32 %x to i64", "%b = sext i32 %y to i64", "%a", "%b"), "i64",
    ),
    "not extensions of two types": (
        join(
            "%t = trunc i32 %x to i16\n%a = zext i16 %t to i64", "%b = zext i32 %y to i64", "%a", "%b"
        ),
        "i64",
    ),
    "not of an i1": (join("%t = trunc i32 %x to i1\n%a = zext i1 %t to i64", "", "%a", "1"), "i64"),
    "not of an i8": (join("%t = load i8, ptr %p\n%a = zext i8 %t to i64", "", "%a", "1"), "i64"),
}  # fmt: skip


@pytest.mark.parametrize("why", NARROWED)
def test_a_block_argument_of_extensions(why: str):
    body, type_ = NARROWED[why]
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, "instcombine")
    (argument,) = list(function(module).regions[0].blocks)[-1].args
    assert str(argument.type) == type_
