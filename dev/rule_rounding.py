"""Claims about operations in a wider floating-point format.

`narrowed` moves operations on extended numbers to the narrower format. An extension from one format to
a wider one is exact: it is injective and keeps the sign, the class and the order, and commutes with
negation, magnitude and rounding to an integer.

A sum, product, quotient or root of numbers with p bits that is rounded to p' bits and then to p
bits is the correctly rounded result if p' >= 2 p + 2 (Figueroa, "When is double rounding
innocuous?", 1995). For results in float of half and bfloat operands `double_rounding.c` checks this for
all operands.
"""

from __future__ import annotations

import operator
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from dev.rule_claims import z3_module

Term = Any
"""A Z3 expression."""

SOURCE = Path(__file__).with_name("double_rounding.c")

FORMATS = {(5, 11): "f16", (8, 8): "bf16"}
"""Checked formats, by the bits of exponent and significand."""

FLOAT = (8, 24)


@cache
def _checker() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="double_rounding"))
    subprocess.run(["cc", "-O3", "-o", folder / "check", SOURCE], check=True)
    return folder / "check"


def wrong_results(format_: str, op: str, wide: int = FLOAT[1], step: int = 1) -> int:
    """The number of operands for which the result that is rounded to `wide` bits first is wrong.

    Arguments:
        format_: `f16` or `bf16`.
        op: `fadd`, `fmul`, `fdiv` or `fsqrt`.
        step: distance of the tried first operands; 1 for all operands.
    """
    command = [str(_checker()), format_, op, str(wide), str(step)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


@cache
def is_rounded_once(format_: str, op: str) -> bool:
    """Whether the result in float of all operands of a format is rounded correctly to the format.

    Takes up to a minute.
    """
    return wrong_results(format_, op) == 0


def narrowed(term: Term) -> Term:
    """An equivalent term with operations in narrower formats."""
    z3 = z3_module()
    found: dict[int, Term] = {}
    pending = [(term, False)]
    while pending:
        node, expanded = pending.pop()
        if node.get_id() in found:
            continue
        children = node.children()
        if expanded:
            found[node.get_id()] = _rewritten(node, [found[c.get_id()] for c in children])
        elif z3.is_app(node) and children:
            pending.append((node, True))
            pending += [(child, False) for child in children]
        else:
            found[node.get_id()] = node
    return z3.simplify(found[term.get_id()])


def _rewritten(node: Term, children: list[Term]) -> Term:
    z3 = z3_module()
    kind = node.decl().kind()
    if kind in _exact_kinds():
        floats = [child for child in children if z3.is_fp(child)]
        sort = _source_sort(floats)
        if sort is not None:
            smaller = [_source(c, sort) if z3.is_fp(c) else c for c in children]
            result = _applied(node, smaller)
            return z3.fpFPToFP(z3.RNE(), result, node.sort()) if z3.is_fp(node) else result
    if kind == z3.Z3_OP_FPA_TO_FP and len(children) == 2 and z3.is_fp(children[1]):
        return _converted(children[0], children[1], node.sort())
    return _applied(node, children)


def _exact_kinds() -> frozenset[int]:
    """Operators that have the same result for extended operands."""
    z3 = z3_module()
    return frozenset(
        {
            z3.Z3_OP_FPA_IS_NAN, z3.Z3_OP_FPA_IS_INF, z3.Z3_OP_FPA_IS_ZERO,
            z3.Z3_OP_FPA_IS_NEGATIVE, z3.Z3_OP_FPA_IS_POSITIVE, z3.Z3_OP_FPA_EQ, z3.Z3_OP_FPA_LT,
            z3.Z3_OP_FPA_LE, z3.Z3_OP_FPA_GT, z3.Z3_OP_FPA_GE, z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT,
            z3.Z3_OP_FPA_NEG, z3.Z3_OP_FPA_ABS, z3.Z3_OP_FPA_ROUND_TO_INTEGRAL,
            z3.Z3_OP_FPA_TO_SBV, z3.Z3_OP_FPA_TO_UBV, z3.Z3_OP_ITE,
        }
    )  # fmt: skip


def _applied(node: Term, children: list[Term]) -> Term:
    """The operator of a node with other operands, possibly of another format."""
    z3 = z3_module()
    if all(a.eq(b) for a, b in zip(node.children(), children)):
        return node
    kind = node.decl().kind()
    if kind in (z3.Z3_OP_FPA_TO_SBV, z3.Z3_OP_FPA_TO_UBV):
        convert = z3.fpToSBV if kind == z3.Z3_OP_FPA_TO_SBV else z3.fpToUBV
        return convert(*children, node.sort())
    rebuilt: dict[int, Callable[..., Any]] = {
        z3.Z3_OP_ITE: z3.If,
        z3.Z3_OP_EQ: operator.eq,
        z3.Z3_OP_DISTINCT: z3.Distinct,
        z3.Z3_OP_FPA_EQ: z3.fpEQ,
        z3.Z3_OP_FPA_LT: z3.fpLT,
        z3.Z3_OP_FPA_LE: z3.fpLEQ,
        z3.Z3_OP_FPA_GT: z3.fpGT,
        z3.Z3_OP_FPA_GE: z3.fpGEQ,
        z3.Z3_OP_FPA_IS_NAN: z3.fpIsNaN,
        z3.Z3_OP_FPA_IS_INF: z3.fpIsInf,
        z3.Z3_OP_FPA_IS_ZERO: z3.fpIsZero,
        z3.Z3_OP_FPA_IS_NEGATIVE: z3.fpIsNegative,
        z3.Z3_OP_FPA_IS_POSITIVE: z3.fpIsPositive,
        z3.Z3_OP_FPA_NEG: z3.fpNeg,
        z3.Z3_OP_FPA_ABS: z3.fpAbs,
        z3.Z3_OP_FPA_ROUND_TO_INTEGRAL: z3.fpRoundToIntegral,
    }
    if kind in rebuilt:
        return rebuilt[kind](*children)
    return node.decl()(*children)


def _format(sort: Term) -> tuple[int, int]:
    return sort.ebits(), sort.sbits()


def _source_sort(terms: list[Term]) -> Term | None:
    """The format from which all terms are extended; None if there is none."""
    for term in terms:
        if _is_extension(term):
            sort = term.arg(1).sort()
            return sort if all(_source(t, sort) is not None for t in terms) else None
    return None


def _is_extension(term: Term) -> bool:
    z3 = z3_module()
    if not z3.is_app_of(term, z3.Z3_OP_FPA_TO_FP) or term.num_args() != 2:
        return False
    source = term.arg(1)
    if not z3.is_fp(source):
        return False
    (e, s), (wide_e, wide_s) = _format(source.sort()), _format(term.sort())
    return e <= wide_e and s <= wide_s and (e, s) != (wide_e, wide_s)


def _source(term: Term, sort: Term) -> Term | None:
    """The number of a narrower format whose extension the term is."""
    z3 = z3_module()
    if _is_extension(term) and term.arg(1).sort() == sort:
        return term.arg(1)
    if z3.is_fp_value(term):
        small = z3.simplify(z3.fpFPToFP(z3.RNE(), term, sort))
        back = z3.simplify(z3.fpFPToFP(z3.RNE(), small, term.sort()))
        return small if back.eq(z3.simplify(term)) else None
    return None


def _converted(mode: Term, term: Term, sort: Term) -> Term:
    """A conversion to another format."""
    z3 = z3_module()
    plain = z3.fpFPToFP(mode, term, sort)
    if _is_extension(plain):
        return plain
    small = _source(term, sort)
    if small is not None:
        return small
    if z3.is_app_of(term, z3.Z3_OP_ITE):
        c, a, b = term.children()
        return z3.If(c, _converted(mode, a, sort), _converted(mode, b, sort))
    if z3.is_app_of(term, z3.Z3_OP_FPA_NEG) and mode.eq(z3.RNE()):
        return z3.fpNeg(_converted(mode, term.arg(0), sort))
    ops = {
        z3.Z3_OP_FPA_ADD: ("fadd", z3.fpAdd),
        z3.Z3_OP_FPA_SUB: ("fadd", z3.fpSub),
        z3.Z3_OP_FPA_MUL: ("fmul", z3.fpMul),
        z3.Z3_OP_FPA_DIV: ("fdiv", z3.fpDiv),
        z3.Z3_OP_FPA_SQRT: ("fsqrt", z3.fpSqrt),
    }
    kind = term.decl().kind()
    if kind in ops and mode.eq(z3.RNE()) and term.arg(0).eq(z3.RNE()):
        name, build = ops[kind]
        operands = [_source(operand, sort) for operand in term.children()[1:]]
        format_ = FORMATS.get(_format(sort))
        known = None not in operands and format_ is not None and _format(term.sort()) == FLOAT
        if known and is_rounded_once(str(format_), name):
            return build(z3.RNE(), *operands)
    return plain
