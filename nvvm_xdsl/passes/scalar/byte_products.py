"""Sums of products of bytes: four terms of a sum become one `dp4a`, and two products of a half and
a byte one `dp2a`.

A term is a product of two bytes of words, or of a byte and a constant (1 for a single byte), in any
form of extraction and extension of the bytes (`byte_parts`). Terms with the same pair of words are
assigned to lanes: the bytes of the first word keep their position, and the second word is permuted
if its bytes are at other positions. (PTX ISA 9.7.1.23, "dp4a", and 9.7.1.24, "dp2a": arithmetic
modulo 2^32.)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from xdsl.dialects.llvm import AddOp, MulOp, SExtOp, ShlOp, ZExtOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.flags import NSW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.byte_parts import BytePartsFinder
from nvvm_xdsl.passes.scalar.byte_words import BYTES, Word, word_of

WIDTHS = frozenset({32, 64})
"""Widths of sums; a 64-bit sum may have extensions of 32-bit products of bytes as terms."""


class Factor(NamedTuple):
    """An extended byte, or two bytes, of a word; or a constant, whose word is None and whose
    position is its value."""

    word: Word | None
    place: int
    size: int
    is_signed: bool
    extraction: SSAValue | None
    """The value that extracts the byte from the word; it is dead if it has no other use."""


@dataclass(frozen=True, eq=False)
class Term:
    """A term of a sum: the product of two factors."""

    value: SSAValue
    a: Factor
    b: Factor


class Dot(NamedTuple):
    """Terms that one instruction adds up.

    `lanes` has the term of each lane of the first word; None for lanes without a term.
    """

    a: Word
    b: Word | None
    signed: tuple[bool, bool]
    lanes: tuple[Term | None, ...]

    @property
    def terms(self) -> list[Term]:
        """The terms that exist."""
        return [term for term in self.lanes if term is not None]

    @property
    def coefficients(self) -> int:
        """The second word if its bytes are constants."""
        return sum(
            (term.b.place & 0xFF) << 8 * lane
            for lane, term in enumerate(self.lanes)
            if term is not None
        )

    def places(self) -> tuple[int | None, ...]:
        """For each lane of the second word, the position of the source byte; None for zero."""
        return tuple(None if term is None else term.b.place for term in self.lanes)


def leaves(root: Operation) -> list[SSAValue]:
    """The terms of a sum, including those of nested additions in its block without other uses."""
    found: list[SSAValue] = []
    pending = list(fast.operands_of(root))
    while pending:
        value = pending.pop()
        owner = value.owner
        if type(owner) is AddOp and is_inner(owner, root):
            pending.extend(fast.operands_of(owner))
        else:
            found.append(value)
    return found[::-1]


def is_inner(op: Operation, root: Operation) -> bool:
    """Returns whether an operand of a sum has no other use and is in the root's block, as the sum is."""
    return op.parent is root.parent and fast.single_use(op.results[0]) is not None


class TermReader:
    """Collects the terms of sums.

    Arguments:
        finder: finds the byte parts of the function's values.
    """

    def __init__(self, finder: BytePartsFinder) -> None:
        self._finder = finder

    def term(self, value: SSAValue) -> Term | None:
        """The product in a term of a sum; None for any other value."""
        op = value.owner
        cls = type(op)
        if cls is ShlOp:
            x, amount = fast.operands_of(fast.producer_of(value))
            power = constant_integer(amount)
            return None if power is None or not 0 <= power < 8 else self._by(value, x, 1 << power)
        if cls is MulOp:
            return self._product(value, fast.producer_of(value))
        if cls is SExtOp or cls is ZExtOp:
            (inner,) = fast.operands_of(fast.producer_of(value))
            if type(inner.owner) is MulOp and fast.single_use(inner) is not None:
                return self._extended(value, fast.producer_of(inner), cls is SExtOp)
        return self._by(value, value, 1)

    def _product(self, value: SSAValue, op: Operation) -> Term | None:
        x, y = fast.operands_of(op)
        number = constant_integer(y)
        if number is not None:
            return self._by(value, x, number)
        a, b = self._factor(x), self._factor(y)
        if a is None or b is None:
            return None
        return Term(value, a, b) if a.size >= b.size else Term(value, b, a)

    def _extended(self, value: SSAValue, op: Operation, is_signed: bool) -> Term | None:
        """An extended product: the product of the unextended factors, if it fits the narrower type."""
        found = self._product(value, op)
        if found is None:
            return None
        width = integer_width(op.results[0].type)
        if is_signed and overflow_flags(op) & NSW:
            return found
        is_negative = found.a.is_signed or found.b.is_signed
        needed = 8 * (found.a.size + found.b.size)
        fits = needed <= width if is_signed == is_negative else needed < width and is_signed
        return found if fits else None

    def _by(self, value: SSAValue, x: SSAValue, number: int) -> Term | None:
        """The term of a byte times a constant; None for other values."""
        a = self._factor(x)
        if a is None or not -128 <= number < 256:
            return None
        return Term(value, a, Factor(None, number, 1, number < 0, None))

    def _factor(self, value: SSAValue) -> Factor | None:
        parts = self._finder.find(value)
        if not parts or parts[0] is None or parts[0].is_sign or parts[0].source is value:
            return None
        first = parts[0]
        size = 1
        if len(parts) > 2 and parts[1] == first._replace(place=first.place + 1):
            size = 2
        above = set(parts[size:])
        sign = first._replace(place=first.place + size - 1, is_sign=True)
        word = word_of(first)
        if word is None or word.size < 2 or first.place % size:
            return None
        if above != {None} and above != {sign}:
            return None
        return Factor(word, first.place % BYTES, size, above == {sign}, value)


def dots(terms: Sequence[Term]) -> Iterator[Dot]:
    """The instructions that compute some of the terms at a lower cost."""
    groups: dict[tuple[object, ...], list[Term]] = {}
    negative = {t.a.word for t in terms if t.b.word is None and t.b.place < 0}
    order: dict[tuple[Word, bool], int] = {}
    for term in terms:
        a, b = term.a, term.b
        if b.word is None:
            # The constants of one word have one sign; constants above 127 are separate from
            # negative ones.
            is_signed = a.word in negative and b.place < 128
            groups.setdefault((a.word, a.size, a.is_signed, None, is_signed), []).append(term)
            continue
        first, second = (
            order.setdefault((cast(Word, f.word), f.is_signed), len(order)) for f in (a, b)
        )
        if a.size == b.size == 1 and second < first:
            a, b = b, a
        if b.size == 1:
            key = (a.word, a.size, a.is_signed, b.word, b.is_signed)
            groups.setdefault(key, []).append(Term(term.value, a, b))
    for (a, size, a_signed, b, b_signed), members in groups.items():
        while members:
            lanes = _lanes(members, cast(int, size))
            taken = [term for term in lanes if term is not None]
            members = [term for term in members if term not in taken]
            signs = cast(bool, a_signed), cast(bool, b_signed)
            dot = Dot(cast(Word, a), cast("Word | None", b), signs, tuple(lanes))
            if len(taken) > 1 and _cost_now(dot) > cost(dot):
                yield dot


def _lanes(members: Sequence[Term], size: int) -> list[Term | None]:
    """One term per lane of the first word, preferably one whose other byte is in the same lane."""
    lanes: list[Term | None] = [None] * (BYTES // size)
    for term in members:
        lane = term.a.place // size
        other = lanes[lane]
        if other is None or (term.b.place == lane and other.b.place != lane):
            lanes[lane] = term
    return lanes


def permutation(dot: Dot) -> tuple[int | None, ...] | None:
    """The permutation of the second word; None if its bytes are already in place.

    In lanes without a term one of the words must be zero; the bytes above a short word are zero.
    The bytes of `dp2a` may lie in either half.
    """
    assert dot.b is not None
    places = dot.places()
    offset = 2 if uses_upper_half(dot) else 0
    for lane, place in enumerate(places):
        wanted = lane + offset
        empty = lane * (BYTES // len(places)) >= dot.a.size or wanted >= dot.b.size
        if place != wanted and not (place is None and empty):
            return places
    return None


def uses_upper_half(dot: Dot) -> bool:
    """Returns True if the bytes of a `dp2a` all lie in the upper half of the second word."""
    places = [place for place in dot.places() if place is not None]
    return len(dot.lanes) == 2 and min(places) >= 2


def cost(dot: Dot) -> int:
    """The number of instructions that compute a dot product."""
    if dot.b is None:
        return 1
    return 1 + (permutation(dot) is not None)


def _cost_now(dot: Dot) -> float:
    """The current number of instructions of its terms: for each a multiply-add, or half of a
    three-operand sum, and extractions."""
    found = 0.0
    for term in dot.terms:
        is_plain = term.b.word is None and term.b.place == 1
        found += 0.5 if is_plain or fast.single_use(term.value) is None else 1
        for factor in (term.a, term.b):
            if factor.extraction is not None and fast.single_use(factor.extraction) is not None:
                found += 1
    return found
