"""The search for shorter machine code: windows of PTX, their forms, and the proofs of the rows."""

from __future__ import annotations

from itertools import product

import pytest
from helpers.machine_functions import module_of, values_of

from dev.machine_proofs import counterexample
from dev.superopt.forms import (
    Node,
    built,
    fitting,
    forms,
    is_bounded,
    operand_classes,
    parse,
    rows,
    shorter,
    text_of,
    windows,
)
from nvvm_xdsl.driver.toolkit import find_ptxas

z3 = pytest.importorskip("z3")
needs_ptxas = pytest.mark.skipif(find_ptxas() is None, reason="needs ptxas")

NUMBERS = (0, 1, 3, 8, 24, 30, 255, 1 << 20, (1 << 31) - 1, -1, -8)


def lines_of(node: Node, kinds: dict[str, str]) -> list[str]:
    """The expression as lines of `module_of`; registers are inputs."""
    lines: list[str] = []
    inputs = {"b32": iter("xyz"), "b64": iter("wv"), "pred": iter(())}
    names: dict[str, str] = {}

    def visit(inner: Node, kind: str) -> str:
        if isinstance(inner, int):
            return str(inner)
        if isinstance(inner, str):
            if inner not in names and kind == "pred":
                lines.append("%p0 = setp lt.s32 %z, 77 -> pred")
                names[inner] = "%p0"
            elif inner not in names:
                names[inner] = f"%{kinds.setdefault(inner, next(inputs[kind]))}"
            return names[inner]
        result, given = operand_classes(inner[0])
        operands = ", ".join(visit(n, k) for n, k in zip(inner[1:], given))
        name = f"%t{len(lines)}"
        mnemonic, _, mods = inner[0].partition(".")
        lines.append(f"{name} = {mnemonic} {mods} {operands} -> {result}")
        return name

    visit(node, "")
    return lines


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: text_of(row[0]))
def test_rows_are_proved(row: tuple[Node, Node]):
    left, right = row
    constants = sorted(set("CD") & set(text_of(left).replace("(", " ").replace(")", " ").split()))
    proved = 0
    for numbers in product(NUMBERS, repeat=len(constants)):
        given: dict[str, Node] = dict(zip(constants, numbers))
        registers = {n: n for n in "xyzp"}
        first = built(left, {**registers, **given})
        if not fitting(first) or not is_bounded(left, given):
            continue
        second = built(right, {**registers, **given})
        if not fitting(second):
            continue
        kinds: dict[str, str] = {}
        before = values_of(module_of(lines_of(first, kinds)))
        after = values_of(module_of(lines_of(second, kinds)))
        assert not counterexample(before, after, z3, 20), (first, second)
        proved += 1
    assert proved


def test_windows_are_within_blocks_and_weighted():
    ptx = """
\tld.global.b32 \t%r1, [%rd1];
\tshl.b32 \t%r2, %r1, 3;
\tadd.s32 \t%r3, %r2, %r9;
$L:
\tadd.s32 \t%r4, %r3, 1;
\t@%p1 add.s32 \t%r5, %r4, 1;
\tadd.s32 \t%r5, %r4, 2;
\txor.b32 \t%r6, %r5, 1;
\tmin.f16x2 \t%r7, %r6, %r6;
\tcvt.rn.f32.bf16 \t%f1, %rs1;
\tadd.f32 \t%f2, %f1, %f1;
"""
    found = windows(ptx, {3: 1.0, 4: 2.0, 6: 4.0, 8: 8.0, 9: 16.0, 10: 1.0, 12: 1.0})
    assert {text_of(root): share for root, share in found.items()} == {
        "(add.s32 (shl.b32 %x 3) %y)": 2.0,
        "(add.s32 (add.s32 %x 1) 2)": 8.0,
    }


def test_forms_are_rewritten_twice():
    found = {text_of(f) for f in forms(parse("(sub.s64 %x (cvt.s64.s32 %y))"))}
    assert "(add.s64 %x (mul.wide.s32 %y -1))" in found
    assert "(sub.s64 %x (mul.wide.s32 %y 1))" in found


def test_constants_limit_forms():
    assert not forms(parse("(min.s32 (max.s32 %x 0) -5)"))
    assert forms(parse("(min.s32 (max.s32 %x 0) 5)"))
    assert all("shl" in text_of(form) for form in forms(parse("(shl.b64 (cvt.s64.s32 %x) 40)")))


@needs_ptxas
def test_shorter_form_is_found():
    best = shorter(parse("(sub.s64 %x (cvt.s64.s32 %y))"))
    assert best is not None
    assert text_of(best[0]) == "(add.s64 %x (mul.wide.s32 %y -1))"
    assert best[1] == 2
    assert shorter(parse("(add.s32 %x (shl.b32 %y 2))")) is None
