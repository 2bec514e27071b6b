"""Conditions of `nvvm-predicate-opt`: each case is a body, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module
from helpers.optimized import check_optimized

from nvvm_xdsl.pipeline import run_pipeline

HEAD = "define ptx_kernel void @k(ptr %p, i1 %c, i1 %d, i1 %e, i32 %n, i32 %m, i32 %l)"


def branch(condition: str, then: str = "", other: str = "") -> str:
    """Returns a branch on `%z`, whose successors store `%v`."""
    ends = [
        f"{body}\nstore i1 %v, ptr %p\nret void" if body else "ret void" for body in (then, other)
    ]
    return f"{condition}\nbr i1 %z, label %a, label %b\na:\n{ends[0]}\nb:\n{ends[1]}"


def stored(expression: str, type_: str = "i1") -> str:
    return f"{expression}\nstore {type_} %v, ptr %p\nret void"


COPY = "%v = and i1 {0}, {0}"
LESS = "%z = icmp slt i32 %n, %m"
LIMIT = "%z = icmp slt i32 5, %n"
KEPT = ("store i1 %v, ptr %p",)
TRUE = ("store i1 true, ptr %p",)

CASES = {
    # Inversions.
    "exclusive or of integers": (
        stored("%a = xor i32 %n, 5\n%v = xor i32 %a, 3", "i32"), "xor i32 %a, 3",
    ),
    "one operand is inverted": (
        stored("%a = xor i1 %c, true\n%v = and i1 %a, %d"), "%v = and i1 %a, %d",
    ),
    "the other operand is inverted": (
        stored("%a = xor i1 %c, true\n%v = and i1 %d, %a"), "%v = and i1 %d, %a",
    ),
    "an inverted operand has another use": (
        stored("%a = xor i1 %c, true\n%b = xor i1 %d, true\nstore volatile i1 %b, ptr %p\n"
               "%v = and i1 %a, %b"),
        "%v = and i1 %a, %b",
    ),
    # Selects.
    "a select of integers": (
        stored("%v = select i1 %c, i32 1, i32 0", "i32"), "select i1 %c, i32 1, i32 0",
    ),
    "a select of an unknown value and true": (
        stored("%v = select i1 %c, i1 %d, i1 true"), "select i1 %c, i1 %d, i1 true",
    ),
    "a select of true and an unknown value": (
        stored("%v = select i1 %c, i1 true, i1 %d"), "select i1 %c, i1 true, i1 %d",
    ),
    "a select of equal values": (
        stored("%v = select i1 %c, i1 true, i1 true"), "select i1 %c, i1 true, i1 true",
    ),
    "a comparison of a select of an unknown value and a number": (
        stored("%s = select i1 %c, i32 %n, i32 0\n%v = icmp eq i32 %s, 0"), "icmp eq i32 %s, 0",
    ),
    "a comparison of a select of a number and an unknown value": (
        stored("%s = select i1 %c, i32 0, i32 %n\n%v = icmp eq i32 %s, 0"), "icmp eq i32 %s, 0",
    ),
    # Decided conditions.
    "a conjunction that holds": (branch("%z = and i1 %c, %d", "%v = xor i1 %c, %e"), "xor i1 true, %e"),
    "a conjunction that does not hold": (
        branch("%z = and i1 %c, %d", "", "%v = xor i1 %c, %e"), "xor i1 %c, %e",
    ),
    "a conjunction with true": (
        branch("%z = and i1 %c, true", "%v = xor i1 %c, true"), "ret void",
    ),
    "a select that holds": (
        branch("%z = select i1 %c, i1 %d, i1 %e", "%v = xor i1 %c, %d"), "xor i1 %c, %d",
    ),
    "a disjunction by a select that holds": (
        branch("%z = select i1 %c, i1 true, i1 %d", "%v = xor i1 %c, %e"), "xor i1 %c, %e",
    ),
    "a constant condition": (
        branch("%z = and i1 %c, %c", "%v = xor i1 %e, true").replace("br i1 %z", "br i1 true"),
        "br i1 true",
    ),
    "both edges lead to one block": (
        "br i1 %c, label %a, label %a\na:\nstore i1 %c, ptr %p\nret void", "store i1 %c, ptr %p",
    ),
    "a switch": (
        "switch i32 %n, label %a [ i32 1, label %b ]\na:\nstore i32 %n, ptr %p\nret void\nb:\nret void",
        "store i32 %n, ptr %p",
    ),
    # Implied comparisons.
    "the same comparison": (branch(LESS, "%v = icmp sle i32 %n, %m"), *TRUE),
    "the operands are exchanged": (branch(LESS, "%v = icmp sgt i32 %m, %n"), *TRUE),
    "another second operand": (branch(LESS, "%v = icmp slt i32 %n, %l"), *KEPT),
    "another first operand": (branch(LESS, "%v = icmp slt i32 %l, %n"), *KEPT),
    "a number that is not compared": (branch(LESS, "%v = icmp slt i32 %n, 5"), *KEPT),
    "another operand than the number": (branch(LIMIT, "%v = icmp slt i32 %l, %n"), *KEPT),
    "another operand than the number, exchanged": (branch(LIMIT, "%v = icmp sgt i32 %n, %l"), *KEPT),
    "another number": (branch(LIMIT, "%v = icmp sgt i32 %n, 3"), *TRUE),
    "numbers are compared": (branch("%z = icmp slt i32 4, 5", "%v = icmp sge i32 %n, 5"), *KEPT),
    "equality with a number": (branch("%z = icmp eq i32 %n, 5", "%v = icmp slt i32 %n, 9"), *TRUE),
    "another use of the operand": (
        branch(LIMIT, "%x = add i32 %n, 3\n%v = icmp slt i32 %x, 9"), *KEPT,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    body, *parts = CASES[why]
    check_optimized("nvvm-predicate-opt", f"{HEAD} {{\n{body}\n}}", *parts)


def test_a_use_in_an_unreachable_block():
    module = parse_module("""
    llvm.func @k(%p: !llvm.ptr, %c: i1) {
      llvm.cond_br %c, ^a, ^b
    ^a:
      llvm.store %c, %p : i1, !llvm.ptr
      llvm.return
    ^b:
      llvm.return
    ^u:
      llvm.store %c, %p : i1, !llvm.ptr
      llvm.return
    }""")
    run_pipeline(module, "nvvm-predicate-opt")
    assert str(module).count("llvm.store %c, %p") == 1
