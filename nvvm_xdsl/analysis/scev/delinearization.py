"""Delinearization of addresses: `p + 4 * (i * m + j)` is `p[i][j]` with rows of `m`.

Candidate dimensions are products of unknowns that recurrences step by. Dividing them by one another
yields the dimensions, and dividing the address by those the subscripts. Constant sizes are not
visible in the formula; they come from the type of the array. (003, "Delinearization"; Grosser et
al.: "Optimistic Delinearization of Parametrically Sized Arrays", 2015.)
"""

from __future__ import annotations

from typing import NamedTuple

from xdsl.dialects.llvm import LLVMArrayType
from xdsl.ir import Attribute, OpResult

from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout


class Subscripts(NamedTuple):
    """An access `base[s0][s1]...`: the subscripts, outermost first, and the sizes in elements.

    There is one size fewer than there are subscripts: the outermost dimension is unbounded.
    """

    subscripts: list[Scev]
    sizes: list[Scev]
    element_size: int


def divide(expressions: Expressions, dividend: Scev, divisor: Scev) -> tuple[Scev, Scev]:
    """Quotient and remainder with `dividend = quotient * divisor + remainder`, part by part.

    A term that is not a multiple of the divisor becomes part of the remainder, so the remainder may
    be larger than the divisor. Nothing is a multiple of 0.
    """
    width = dividend.width
    zero = expressions.zero(width)
    kind = dividend.kind
    if dividend is divisor:
        return expressions.one(width), zero
    if divisor.constant == 1:
        return dividend, zero
    if kind is Kind.CONSTANT:
        if divisor.constant:
            quotient = _toward_zero(dividend.signed, divisor.signed)
            rest = dividend.signed - quotient * divisor.signed
            return expressions.constant(width, quotient), expressions.constant(width, rest)
        return zero, dividend
    if kind is Kind.ADD:
        parts = [divide(expressions, o, divisor) for o in dividend.operands]
        return expressions.add(*(q for q, _ in parts)), expressions.add(*(r for _, r in parts))
    if dividend.loop is not None:
        parts = [divide(expressions, o, divisor) for o in dividend.operands]
        return (
            expressions.add_rec([q for q, _ in parts], dividend.loop),
            expressions.add_rec([r for _, r in parts], dividend.loop),
        )
    if kind is Kind.MUL:
        left = list(dividend.operands)
        for factor in divisor.operands if divisor.kind is Kind.MUL else (divisor,):
            if factor in left:
                left.remove(factor)
                continue
            if factor.constant and left[0].kind is Kind.CONSTANT:
                quotient, rest = divmod(left[0].signed, factor.signed)
                if rest == 0:
                    left[0] = expressions.constant(width, quotient)
                    continue
            return zero, dividend
        return (expressions.mul(*left) if left else expressions.one(width)), zero
    return zero, dividend


def _toward_zero(a: int, b: int) -> int:
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def collect_parametric_terms(
    expressions: Expressions, address: Scev, *, launch_sizes: bool = False
) -> list[Scev]:
    """The products of unknowns that recurrences step by, which may be dimensions.

    Arguments:
        launch_sizes: whether the block's and the grid's dimensions may be sizes of an array.
    """
    found: dict[Scev, None] = {}
    for part in address.walk():
        candidates: list[Scev] = []
        if part.width != address.width:
            continue
        if part.kind is Kind.ADD_REC:
            candidates = list(part.operands[1:])
        elif part.kind is Kind.MUL and any(_is_index(o, launch_sizes) for o in part.operands):
            candidates = [part]
        for candidate in candidates:
            for summand in candidate.operands if candidate.kind is Kind.ADD else (candidate,):
                term = _parametric(expressions, summand, launch_sizes)
                if term is not None:
                    found[term] = None
    return list(found)


_LAUNCH_SIZES = frozenset(f"n{of}.{axis}" for of in ("tid", "ctaid") for axis in "xyz")
_CASTS = frozenset({Kind.TRUNCATE, Kind.ZERO_EXTEND, Kind.SIGN_EXTEND})


def _is_index(factor: Scev, launch_sizes: bool) -> bool:
    """True if the factor is an index: a recurrence, a sum, or a thread or block index."""
    while factor.kind in _CASTS:
        (factor,) = factor.operands
    if factor.kind is Kind.UNKNOWN:
        value = factor.value
        register = special_register(value.op) if isinstance(value, OpResult) else None
        return register is not None and not (launch_sizes and register in _LAUNCH_SIZES)
    return factor.kind in (Kind.ADD_REC, Kind.ADD)


def _parametric(expressions: Expressions, term: Scev, launch_sizes: bool) -> Scev | None:
    """The term without constants, sums and recurrences; None if nothing remains."""
    factors = term.operands if term.kind is Kind.MUL else (term,)
    kept = [f for f in factors if f.kind is not Kind.CONSTANT and not _is_index(f, launch_sizes)]
    return expressions.mul(*kept) if kept else None


def find_array_dimensions(
    expressions: Expressions, terms: list[Scev], *, partial: bool = False
) -> list[Scev] | None:
    """The sizes of the inner dimensions in elements, outermost first, by product decomposition.

    Returns None if the terms do not divide one another, like the terms of a single array. With `partial`,
    terms that the smallest term does not divide are omitted.
    """
    rest = sorted(dict.fromkeys(terms), key=lambda t: (_degree(t), t.number))
    sizes: list[Scev] = []
    while rest:
        smallest = rest[0]
        sizes.append(smallest)
        following: list[Scev] = []
        for term in rest[1:]:
            quotient, remainder = divide(expressions, term, smallest)
            if not remainder.is_zero:
                if partial:
                    continue
                return None
            if quotient.kind is not Kind.CONSTANT:
                following.append(quotient)
        rest = following
    sizes.reverse()
    return sizes


def _degree(term: Scev) -> int:
    return len(term.operands) if term.kind is Kind.MUL else 1


def subscripts_of(
    expressions: Expressions, offset: Scev, sizes: list[Scev], element_size: int
) -> Subscripts | None:
    """The subscripts of an offset in bytes into an array with these inner sizes.

    None if the offset is not a whole number of elements.
    """
    element = expressions.constant(offset.width, element_size)
    rest, remainder = divide(expressions, offset, element)
    if not remainder.is_zero:
        return None
    found: list[Scev] = []
    for size in reversed(sizes):
        rest, subscript = divide(expressions, rest, size)
        found.append(subscript)
    found.append(rest)
    found.reverse()
    return Subscripts(found, sizes, element_size)


def fixed_sizes(array_type: Attribute, element_size: int) -> list[int]:
    """The inner sizes of an array type, outermost first, down to elements of this size in bytes."""
    sizes: list[int] = []
    layout = DataLayout()
    at = array_type
    while isinstance(at, LLVMArrayType):
        sizes.append(at.size.data)
        at = at.type
    return sizes[1:] if layout.size(at) == element_size else []
