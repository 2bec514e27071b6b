"""Conditions and costs of steps between addresses in `slsr`.

Each case is the body of a function, and the origin of each `getelementptr` afterwards: the number of another
one, or -1 for an argument.
"""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import GEPOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare void @use(ptr)
declare i32 @number(i32)
define void @f(ptr %a, i32 %i, i32 %j, i32 %k, i32 %n, i32 %m, i32 %u, i64 %x, i64 %y, i64 %z, i64 %w, i1 %c, i1 %d, ptr %o) {{
{body}
ret void
}}
"""


def origins(body: str, pipeline: str = "slsr") -> list[int]:
    """Runs a pass; returns the number of the `getelementptr` from which each one starts."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, pipeline)
    module.verify()
    geps = [op for op in module.walk() if isinstance(op, GEPOp)]
    numbers = {op.results[0]: n for n, op in enumerate(geps)}
    return [numbers.get(op.operands[0], -1) for op in geps]


def at(name: str, index: str, *, width: int = 32, accessed: bool = True) -> str:
    """Returns an address of a number of words from `%a`, and an access of it or a call with it."""
    text = f"%e{name} = sext i32 {index} to i64\n" if width == 32 else ""
    index = f"%e{name}" if width == 32 else index
    use = "store i32 7, ptr" if accessed else "call void @use(ptr"
    end = "" if accessed else ")"
    return f"{text}%p{name} = getelementptr i32, ptr %a, i64 {index}\n{use} %p{name}{end}\n"


def op(text: str) -> str:
    """Returns an op without signed wrapping, `%s = add %i, %n`."""
    name, _, rest = text.partition(" = ")
    kind, _, operands = rest.partition(" ")
    return f"{name} = {kind} nsw i32 {operands}\n"


def wide(text: str) -> str:
    """Returns an op of 64 bits."""
    name, _, rest = text.partition(" = ")
    kind, _, operands = rest.partition(" ")
    return f"{name} = {kind} i64 {operands}\n"


STORED = "store i32 {0}, ptr %o\n"
PROVED = op("%s = add %i, %n") + op("%t = add %s, %m") + at("0", "%t")
BACK = op("%r = add %i, %m") + at("1", "%r")
TWO_SUMS = wide("%s = add %x, %y") + at("0", "%s", width=64)
FIVE = wide("%s = shl %x, 2") + wide("%t = add %s, %x") + at("0", "%t", width=64)
EIGHT = wide("%s = mul %x, 8") + at("0", "%s", width=64)
VOLUME = wide("%s = mul %x, %y") + wide("%t = mul %s, %z") + at("0", "%t", width=64)
NEXT = (
    wide("%g = add %x, 1")
    + wide("%h = mul %g, %y")
    + wide("%l = mul %h, %z")
    + at("1", "%l", width=64)
)
SUM_OF_FIVE = "".join(
    op(t) for t in ("%s = add %i, %j", "%t = add %n, %m", "%g = add %s, %t", "%v = add %g, %u")
)

CASES = {
    # An address without a step, and one from which it would be.
    "not from an address whose own step does not pay": (
        at("0", "%i") + op("%s = add %i, %n") + STORED.format("%s") + at("1", "%s", accessed=False)
        + op("%t = add %s, %m") + at("2", "%t"),
        [-1, -1, -1],
    ),
    "not from an address with a sum that may wrap": (
        at("0", "%k") + op("%v = add %i, %j") + op("%s = add %v, %k") + at("1", "%s", accessed=False)
        + op("%g = add %k, %i") + op("%h = add %g, %m") + "%q = sext i32 %h to i64\n%r = sext i32 %j to i64\n"
        + wide("%t = add %q, %r") + at("2", "%t", width=64)
        + op("%l = sub %g, %m") + "%qq = sext i32 %l to i64\n" + wide("%tt = add %qq, %r") + at("3", "%tt", width=64),
        [-1, 0, -1, 2],
    ),
    "from an address that is not accessed, by a leaf": (
        at("0", "%i") + op("%s = add %i, %n") + at("1", "%s", accessed=False)
        + op("%t = add %s, %m") + at("2", "%t"),
        [-1, 0, 1],
    ),
    "back from an accessed address": (PROVED + BACK, [-1, 0]),
    "by a leaf rather than a sum": (
        at("0", "%i") + op("%v = add %j, %k") + op("%g = shl %n, 2") + op("%s = add %i, %g")
        + op("%t = sub %s, %v") + at("1", "%t") + op("%l = add %t, %v") + at("2", "%l"),
        [-1, -1, 0],
    ),
    "not from an address that differs in 5 products": (
        at("0", "%k") + SUM_OF_FIVE + op("%l = add %k, %v") + at("1", "%l"), [-1, -1],
    ),
    # Costs.
    "not if a call needs the index": (
        at("0", "%i") + op("%s = add %i, %n") + "%r = call i32 @number(i32 %s)\n" + at("1", "%s"), [-1, -1],
    ),
    "a dead address of the base": (
        at("0", "%n") + "%e = sext i32 %i to i64\n%g = getelementptr i32, ptr %a, i64 %e\n%h = sext i32 %n to i64\n"
        "%q = getelementptr i32, ptr %g, i64 %h\nstore i32 7, ptr %q\n",
        [-1, 0],
    ),
    "two sums of 64 bits": (
        TWO_SUMS + wide("%g = add %x, %z") + wide("%h = add %g, %y") + at("1", "%h", width=64), [-1, 0],
    ),
    "not a product in a sum": (
        FIVE + wide("%g = mul %x, 5") + wide("%h = add %g, %z") + at("1", "%h", width=64), [-1, -1],
    ),
    "not a shift in a sum": (
        EIGHT + wide("%g = shl %x, 3") + wide("%h = add %g, %z") + at("1", "%h", width=64), [-1, -1],
    ),
    "a product in two sums": (
        FIVE + wide("%g = mul %x, 5") + wide("%h = add %g, %z") + at("1", "%h", width=64)
        + wide("%l = add %g, %w") + at("2", "%l", width=64),
        [-1, 0, 0],
    ),
    "a product that is an index": (
        FIVE + wide("%g = add %x, %z") + wide("%h = mul %g, 5") + at("1", "%h", width=64), [-1, 0],
    ),
    "an argument as the index": (
        at("0", "%n") + "%g = getelementptr i32, ptr %p0, i64 %x\ncall void @use(ptr %g)\n"
        "%q = getelementptr i32, ptr %a, i64 %x\n%h = getelementptr i32, ptr %q, i64 %e0\nstore i32 7, ptr %h\n",
        [-1, 0, 0],
    ),
    "four addresses that differ by constants": (
        at("0", "%i") + "".join(
            op(f"%s{n} = add %i, {n}") + STORED.format(f"%s{n}") + at(str(n), f"%s{n}") for n in range(1, 5)
        ),
        [-1, 0, 0, 0, 0],
    ),
    "a product of two wide leaves": (VOLUME + NEXT, [-1, 0]),
    "not for two products": (VOLUME + NEXT.replace("%h =", "store i64 %g, ptr %o\n%h ="), [-1, -1]),
    "not a product of three leaves": (
        op("%s = mul %i, %j") + op("%t = mul %s, %k") + op("%g = mul %t, %n") + at("0", "%g")
        + op("%h = add %i, 1") + op("%l = mul %h, %j") + op("%q = mul %l, %k") + op("%r = mul %q, %n") + at("1", "%r"),
        [-1, -1],
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_origins(why: str):
    body, expected = CASES[why]
    assert origins(body) == expected


@pytest.mark.parametrize("first", ["one", "other"])
def test_a_second_access_in_a_branch_keeps_the_first(first: str):
    second = {"one": "other", "other": "one"}[first]
    body = (
        f"{PROVED}br i1 %c, label %one, label %other\n{first}:\nstore i32 8, ptr %p0\nret void\n"
        f"{second}:\n{BACK}"
    )
    assert origins(body) == [-1, 0]
