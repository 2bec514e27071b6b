"""Conditions of `correlated-propagation`: each case has the ranges of `%x` and `%y`, ops, and the ops afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import function
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import number_of, predicate_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.correlated_propagation import CorrelatedPropagation
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.rules.operators import ICMP_PREDICATES

TEXT = """
declare void @use(i32)
{intrinsics}
define {result} @f({type} range({type} {x}) %x, {type} range({type} {y}) %y, i32 %z, <2 x i32> %v, i1 %c, ptr %p) {{
{body}
}}
!0 = !{{i32 0, i32 4}}
"""
PAIRS = "sadd uadd ssub usub smul umul".split()
INTRINSICS = {
    **{n: f"declare i32 @llvm.{n}.i32(i32, i32)" for n in "smin smax umin umax sadd.sat uadd.sat ssub.sat usub.sat sshl.sat ushl.sat".split()},
    **{n: f"declare {{i32, i1}} @llvm.{n}.with.overflow.i32(i32, i32)" for n in PAIRS},
    "assume": "declare void @llvm.assume(i1)",
    "abs": "declare i32 @llvm.abs.i32(i32, i1)",
}  # fmt: skip
FLAGS = {"nonNeg": "nneg", "isExact": "exact"}


def shown(op: Operation) -> str:
    """Returns the name of an op with its flags."""
    words = [op.name.removeprefix("llvm.").removeprefix("intr.")]
    if "overflowFlags" in op.properties:
        flags = overflow_flags(op)
        words += [name for name, bit in (("nsw", NSW), ("nuw", NUW)) if flags & bit]
    words += [word for name, word in FLAGS.items() if name in op.properties]
    if words[0] == "icmp":
        words.append(ICMP_PREDICATES[predicate_of(op)])
    if words[0] == "abs" and number_of(op.properties["is_int_min_poison"]):
        words.append("poison")
    return " ".join(words)


def function_after(x: str, y: str, body: str, type_: str = "i32", result: str = "i32") -> Operation:
    used = "\n".join(line for name, line in INTRINSICS.items() if f"@llvm.{name}" in body)
    module = read_ll(TEXT.format(x=x, y=y, body=body, type=type_, result=result, intrinsics=used))
    run_pipeline(module, "correlated-propagation")
    module.verify()
    return function(module)


def after(x: str, y: str, body: str, type_: str = "i32", result: str = "i32") -> str:
    """Returns the ops of the function except constants and the last one."""
    func = function_after(x, y, body, type_, result)
    ops = [shown(op) for op in func.walk() if op is not func and "mlir" not in op.name]
    return ", ".join(ops[:-1])


ANY = "0, 0"
BITS = "-2147483648, 2147483647"
"""All numbers but one."""


def full(x: str) -> str:
    return BITS if x == ANY else x


def binary(op: str) -> str:
    return f"%r = {op} i32 %x, %y\nret i32 %r"


def call(name: str, more: str = "i32 %y") -> str:
    return f"%r = call i32 @llvm.{name}.i32(i32 %x, {more})\nret i32 %r"


def overflow(name: str, use: str = "") -> str:
    return (
        f"%o = call {{i32, i1}} @llvm.{name}.with.overflow.i32(i32 %x, i32 %y)\n"
        f"%a = extractvalue {{i32, i1}} %o, 0\n%b = extractvalue {{i32, i1}} %o, 1\n"
        f"{use}%s = select i1 %b, i32 %z, i32 %a\nret i32 %s"
    )


INTEGERS = {
    # Minimum and maximum.
    "a minimum of separate ranges": ("0, 5", "5, 9", call("smin"), ""),
    "a minimum of ranges with a common start": ("0, 6", "5, 9", call("umin"), ""),
    "a minimum of ranges with a common end": ("5, 9", "0, 6", call("umin"), ""),
    "an unsigned form of non-negative operands": ("0, 9", "0, 9", call("smax"), "umax"),
    "not of an operand that may be negative": ("-1, 9", "0, 9", call("smax"), "smax"),
    "not of the other operand": ("0, 9", "-1, 9", call("smax"), "smax"),
    "an unsigned maximum stays": ("0, 9", "0, 9", call("umax"), "umax"),
    "an extreme of vectors stays": (
        "0, 9", "0, 9", "%m = add <2 x i32> %v, %v\n%r = extractelement <2 x i32> %m, i32 0\nret i32 %r",
        "add, extractelement",
    ),
    # Absolute values.
    "of a non-negative value": ("0, 9", ANY, call("abs", "i1 false"), ""),
    "of a negative value": ("-9, 0", ANY, call("abs", "i1 false"), "sub nsw"),
    "of a negative value that may be the least": ("-2147483648, 0", ANY, call("abs", "i1 false"), "sub"),
    "of the least value, which is poison": ("-2147483648, 0", ANY, call("abs", "i1 true"), "sub nsw"),
    "the least value is excluded": ("-9, 9", ANY, call("abs", "i1 false"), "abs poison"),
    "the least value is not excluded": ("-2147483648, 9", ANY, call("abs", "i1 false"), "abs"),
    "the least value is poison": ("-9, 9", ANY, call("abs", "i1 true"), "abs poison"),
    # Saturation.
    "never saturates": ("0, 9", "0, 9", call("sadd.sat"), "add nsw"),
    "may saturate": ("0, 2147483647", "0, 9", call("sadd.sat"), "sadd.sat"),
    "may saturate below": ("-2147483648, 0", "-9, 0", call("sadd.sat"), "sadd.sat"),
    "never saturates unsigned": ("0, 9", "0, 9", call("uadd.sat"), "add nuw"),
    "may saturate unsigned": ("-9, 0", "0, 20", call("uadd.sat"), "uadd.sat"),
    "a difference that never saturates": ("5, 9", "0, 6", call("usub.sat"), "sub nuw"),
    "a difference that may saturate": ("5, 9", "0, 7", call("usub.sat"), "usub.sat"),
    "a signed difference that never saturates": ("0, 9", "0, 9", call("ssub.sat"), "sub nsw"),
    "a signed difference that may saturate": ("-2147483648, 0", "0, 9", call("ssub.sat"), "ssub.sat"),
    "a signed difference that may saturate above": ("0, 2147483647", "-9, 0", call("ssub.sat"), "ssub.sat"),
    "a shift that never saturates": ("0, 4", "0, 30", call("sshl.sat"), "shl nsw"),
    "a shift that may saturate": ("0, 5", "0, 30", call("sshl.sat"), "sshl.sat"),
    "an unsigned shift that never saturates": ("0, 4", "0, 31", call("ushl.sat"), "shl nuw"),
    "an unsigned shift that may saturate": ("0, 5", "0, 31", call("ushl.sat"), "ushl.sat"),
    "a shift of 0 by the width": ("0, 1", "0, 33", call("ushl.sat"), "ushl.sat"),
    # Overflow bits.
    "a sum that never overflows": ("0, 9", "0, 9", overflow("sadd"), "add nsw"),
    "a sum that may overflow": (
        "0, 2147483647", "0, 9", overflow("sadd"), "sadd.with.overflow, extractvalue, extractvalue, select",
    ),
    "a product that never overflows": ("-5, 9", "-9, 9", overflow("smul"), "mul nsw"),
    "an unsigned product that may overflow": (
        "0, 65537", "0, 65538", overflow("umul"), "umul.with.overflow, extractvalue, extractvalue, select",
    ),
    "a sum with another use": (
        "0, 9", "0, 9", overflow("sadd", "store {i32, i1} %o, ptr %p\n"),
        "sadd.with.overflow, extractvalue, extractvalue, store, select",
    ),
    "a sum without uses": (
        "0, 9", "0, 9", "%o = call {i32, i1} @llvm.sadd.with.overflow.i32(i32 %x, i32 %y)\nret i32 %z",
        "sadd.with.overflow",
    ),
    # Shifts and extensions.
    "a shift of sign bits": ("-1, 1", "0, 9", binary("ashr"), ""),
    "a shift of a larger value": ("-2, 1", "0, 9", binary("ashr"), "ashr"),
    "a shift of 0 or 1": ("0, 2", "0, 9", binary("ashr"), "lshr"),
    "a shift that is exact": ("0, 9", "0, 9", binary("ashr exact"), "lshr exact"),
    "a sign extension": ("0, 9", ANY, "%r = sext i32 %x to i64\nret i64 %r", "zext nneg"),
    "a sign extension of a negative value": ("-1, 9", ANY, "%r = sext i32 %x to i64\nret i64 %r", "sext"),
    "a zero extension": ("0, 9", ANY, "%r = zext i32 %x to i64\nret i64 %r", "zext nneg"),
    "a zero extension with the flag": ("0, 9", ANY, "%r = zext nneg i32 %x to i64\nret i64 %r", "zext nneg"),
    "an extension of a vector": (
        "0, 9", ANY, "%e = zext <2 x i32> %v to <2 x i64>\n%r = extractelement <2 x i64> %e, i32 0\nret i64 %r",
        "zext, extractelement",
    ),
    # Masks.
    "a mask of all bits": ("0, 8", ANY, "%r = and i32 %x, 7\nret i32 %r", ""),
    "a mask of fewer bits": ("0, 9", ANY, "%r = and i32 %x, 7\nret i32 %r", "and"),
    "a mask with a gap": ("0, 8", ANY, "%r = and i32 %x, 13\nret i32 %r", "and"),
    "a mask with higher bits": ("0, 4", ANY, "%r = and i32 %x, 19\nret i32 %r", ""),
    "a variable mask": ("0, 8", "7, 20", binary("and"), "and"),
    # Flags.
    "a sum gets both flags": ("0, 9", "0, 9", binary("add"), "add nsw nuw"),
    "a sum gets one flag": ("-9, 9", "0, 9", binary("add"), "add nsw"),
    "a sum gets the other flag": ("0, 2147483647", "0, 9", binary("add"), "add nuw"),
    "a sum keeps a flag": ("-9, 0", "0, 20", binary("add nuw"), "add nsw nuw"),
    "a sum keeps both flags": ("-2147483648, 0", "-9, 0", binary("add nsw nuw"), "add nsw nuw"),
    "a difference gets both flags": ("8, 9", "0, 9", binary("sub"), "sub nsw nuw"),
    "a product gets no flag": ("-2147483648, 0", "0, 9", binary("mul"), "mul"),
    "a product gets one flag": ("0, 65536", "0, 65536", binary("mul"), "mul nuw"),
    "a sum of vectors": (
        "0, 9", "0, 9", "%r = add <2 x i32> %v, %v\n%s = extractelement <2 x i32> %r, i32 0\nret i32 %s",
        "add, extractelement",
    ),
    "a truncation gets both flags": ("0, 128", ANY, "%r = trunc i32 %x to i8\nret i8 %r", "trunc nsw nuw"),
    "a truncation gets one flag": ("0, 256", ANY, "%r = trunc i32 %x to i8\nret i8 %r", "trunc nuw"),
    "a truncation gets the other flag": ("-9, 9", ANY, "%r = trunc i32 %x to i8\nret i8 %r", "trunc nsw"),
    "a truncation gets no flag": ("0, 257", ANY, "%r = trunc i32 %x to i8\nret i8 %r", "trunc"),
    "a truncation keeps both flags": ("0, 257", ANY, "%r = trunc nsw nuw i32 %x to i8\nret i8 %r", "trunc nsw nuw"),
    "a truncation of a vector": (
        "0, 9", ANY, "%t = trunc <2 x i32> %v to <2 x i8>\n%r = extractelement <2 x i8> %t, i32 0\nret i8 %r",
        "trunc, extractelement",
    ),
    # Comparisons and selects.
    "an order": ("0, 5", "5, 9", "%r = icmp ult i32 %x, %y\nret i1 %r", ""),
    "not an order of common values": ("0, 6", "5, 9", "%r = icmp ult i32 %x, %y\nret i1 %r", "icmp ult"),
    "not an order of vectors": (
        "0, 6", "5, 9", "%e = icmp ult <2 x i32> %v, %v\n%r = extractelement <2 x i1> %e, i32 0\nret i1 %r",
        "icmp ult, extractelement",
    ),
    "a select with an unknown condition": ("0, 5", "5, 9", "%r = select i1 %c, i32 %x, i32 %y\nret i32 %r", "select"),
}  # fmt: skip


@pytest.mark.parametrize("why", INTEGERS)
def test_integers(why: str):
    x, y, body, ops = INTEGERS[why]
    result = body.rpartition("ret ")[2].split()[0]
    assert after(full(x), full(y), body, "i32", result) == ops


WIDE = "i64 %x, %y\nret i64 %r"
DIVISIONS = {
    "a quotient of 0": ("0, 5", "5, 9", "udiv", ""),
    "a quotient of 0 or 1": ("0, 10", "5, 9", "udiv", "icmp uge, zext"),
    "not a quotient of 2": ("0, 11", "5, 900", "udiv", "trunc, trunc, udiv, zext"),
    "a remainder of a smaller number": ("0, 5", "5, 9", "urem", ""),
    "a remainder of a larger number": ("9, 10", "5, 9", "urem", "sub"),
    "a remainder of one difference": ("0, 10", "5, 9", "urem", "freeze, freeze, icmp ult, sub, select"),
    "a quotient by 0 or more": ("0, 1", "0, 9", "udiv", "trunc, trunc, udiv, zext"),
    "an unsigned quotient of 32 bits": ("0, 4294967296", "1, 4294967296", "udiv", "trunc, trunc, udiv, zext"),
    "not an unsigned quotient of 33 bits": ("0, 4294967297", "1, 9", "udiv", "udiv"),
    "not a signed quotient of the least number by -1": ("-2147483648, 9", "-9, 9", "sdiv", "sdiv"),
    "not a signed quotient of 33 bits": ("-2147483649, 9", "-9, 9", "sdiv", "sdiv"),
    "a quotient of the least number by another than -1": (
        "-2147483648, 9", "-9, -1", "sdiv", "trunc, trunc, sdiv, sext",
    ),
    "a quotient of another number by -1": ("-2147483647, 9", "-9, 9", "sdiv", "trunc, trunc, sdiv, sext"),
    "an exact quotient": ("-9, 9", "-9, 9", "sdiv exact", "trunc, trunc, sdiv exact, sext"),
}  # fmt: skip


@pytest.mark.parametrize("why", DIVISIONS)
def test_divisions(why: str):
    x, y, op, ops = DIVISIONS[why]
    assert after(x, y, f"%r = {op} {WIDE}", "i64", "i64") == ops


@pytest.mark.parametrize(("divisor", "ops"), [
    ("8", "udiv"), ("6", "trunc, udiv, zext"), ("-8", "udiv"),
])  # fmt: skip
def test_a_shift_is_not_narrowed(divisor: str, ops: str):
    body = f"%r = udiv i64 %x, {divisor}\nret i64 %r"
    assert after("0, 4294967296", "0, 9", body, "i64", "i64") == ("" if divisor == "-8" else ops)


def test_a_vector_is_not_divided():
    body = (
        "%q = udiv <2 x i32> %v, splat (i32 3)\n%r = extractelement <2 x i32> %q, i32 0\nret i32 %r"
    )
    assert after("0, 9", "0, 9", body) == "udiv, extractelement"


# Branches, switches and edges.


def switch(*cases: int, default: str = "ret i32 0") -> str:
    """Returns a switch on `%x` with a block for each case."""
    table = " ".join(f"i32 {case}, label %b{case}" for case in cases)
    blocks = "\n".join(f"b{case}:\nret i32 {case + 100}" for case in cases)
    return f"switch i32 %x, label %other [{table}]\n{blocks}\nother:\n{default}"


SWITCHES = {
    "to the only value": ("5, 6", switch(5, 7), [105], 0),
    "to the default only": ("0, 5", switch(6, 7), [0], 0),
    "without an unreachable case": ("0, 5", switch(1, 2, 9), [0, 101, 102], 2),
    "with all values and no default": ("0, 2", switch(0, 1), [100, 101], 2),
    "unchanged, with a reachable default": ("0, 9", switch(1, 2), [0, 101, 102], 2),
    "unchanged, with an unreachable default": ("0, 2", switch(0, 1, default="unreachable"), [100, 101], 2),
}  # fmt: skip


@pytest.mark.parametrize("why", SWITCHES)
def test_a_switch(why: str):
    x, body, returned, cases = SWITCHES[why]
    func = function_after(x, "0, 9", body)
    found: list[int] = []
    for op in func.walk():
        if op.name == "llvm.return":
            number = constant_integer(op.operands[0])
            assert number is not None
            found.append(number)
    assert sorted(found) == returned
    numbers = [len(op.successors) - 1 for op in func.walk() if op.name == "llvm.switch"]
    assert numbers == ([cases] if cases else [])


JOIN = "br i1 %c, label %one, label %join\none:\nbr label %join\njoin:\n{}\n"
UNCHANGED = {
    "a sum without flags": "%r = add i32 %z, %x\nret i32 %r",
    "a truncation without flags": "%r = trunc i32 %z to i8\nstore i8 %r, ptr %p\nret i32 %x",
    "an extension that is marked": "%r = zext nneg i32 %x to i64\nstore i64 %r, ptr %p\nret i32 %x",
    "a branch on a constant": "br i1 true, label %one, label %two\none:\nret i32 %x\ntwo:\nret i32 %y",
    "a switch on a constant": switch(3, 4).replace("%x", "3"),
    "a switch with an unreachable default": switch(0, 1, default="unreachable").replace("%x", "%y"),
    "a switch of which all targets are reachable": switch(0, 5),
    "a constant on an edge": JOIN.format("%m = phi i32 [1, %0], [2, %one]\nret i32 %m"),
    "an absolute value that is marked": "%r = call i32 @llvm.abs.i32(i32 %z, i1 true)\nret i32 %r",
    "a sum on an edge": "%s = add nsw nuw i32 %z, %z\n" + JOIN.format("%m = phi i32 [%s, %0], [%z, %one]\nret i32 %m"),
    "a pointer on an edge": "%s = getelementptr i8, ptr %p, i64 4\n"
    + JOIN.format("%m = phi ptr [%s, %0], [%p, %one]\nstore i32 %x, ptr %m\nret i32 %x"),
    "a select of vectors on an edge": "%s = add <2 x i32> %v, %v\n%t = icmp ult <2 x i32> %s, %v\n"
    "%u = select <2 x i1> %t, <2 x i32> %s, <2 x i32> %v\n"
    + JOIN.format("%w = phi <2 x i32> [%u, %0], [%v, %one]\nstore <2 x i32> %w, ptr %p\nret i32 %x"),
    "a select with an unknown condition on an edge": "%d = icmp ult i32 %z, 7\n%s = select i1 %d, i32 %x, i32 %y\n"
    + JOIN.format("%m = phi i32 [%s, %0], [%y, %one]\nret i32 %m"),
}  # fmt: skip


@pytest.mark.parametrize("why", UNCHANGED)
def test_nothing_is_known(why: str):
    text = TEXT.format(
        x="0, 9",
        y="0, 2",
        body=UNCHANGED[why],
        type="i32",
        result="i32",
        intrinsics=INTRINSICS["abs"],
    )
    func = function(read_ll(text))
    assert not CorrelatedPropagation().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]


@pytest.mark.parametrize(("condition", "value", "kept"), [
    ("%c", "%s", "%y"), ("%d", "%z", "7"),
])  # fmt: skip
def test_a_value_is_known_on_an_edge(condition: str, value: str, kept: str):
    """The edge from the entry to `join` is taken if the condition is false."""
    func = function_after(
        "0, 9", "0, 9",
        f"%d = icmp ne i32 %z, 7\n%s = select i1 %c, i32 %x, i32 %y\n"
        f"br i1 {condition}, label %one, label %join\none:\nbr label %join\n"
        f"join:\n%m = phi i32 [{value}, %0], [%x, %one]\nret i32 %m",
    )  # fmt: skip
    passed = func.regions[0].blocks[0].last_op.operands[-1]  # type: ignore[union-attr]
    if kept == "7":
        assert constant_integer(passed) == 7
    else:
        assert passed is func.regions[0].blocks[0].args[1]


DEAD = (
    "%d = icmp ult i32 %z, 5\n%e = icmp ugt i32 %z, 9\ncall void @llvm.assume(i1 %d)\n"
    "call void @llvm.assume(i1 %e)\n{}\nend:\nret i32 %x"
)


@pytest.mark.parametrize("ops", [
    "%r = add i32 %x, %z\nret i32 %r", "%r = add i32 %z, %x\nret i32 %r", "%r = sdiv i32 %z, %x\nret i32 %r",
    "switch i32 %z, label %end [i32 1, label %end]", "%r = ashr i32 %z, %x\nret i32 %r",
    "%r = and i32 %z, 3\nret i32 %r", "%r = call i32 @llvm.abs.i32(i32 %z, i1 false)\nret i32 %r",
    "%r = call i32 @llvm.smax.i32(i32 %z, i32 %x)\nret i32 %r", "%r = trunc i32 %z to i8\n%s = zext i8 %r to i32\nret i32 %s",
    "%r = call i32 @llvm.sadd.sat.i32(i32 %z, i32 %x)\nret i32 %r",
    overflow("uadd").replace("%x", "%z"),
])  # fmt: skip
def test_code_that_no_value_reaches_is_unchanged(ops: str):
    func = function_after("0, 9", "0, 9", DEAD.format(ops))
    block = func.regions[0].blocks[0]
    assert len([op for op in block.ops if "mlir" not in op.name]) == 4 + len(ops.split("\n"))
