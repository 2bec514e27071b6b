"""Binary relations over the events 0 to n-1, one integer of successor bits per event."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from nvvm_xdsl.ir.graphs import set_bits


class Relation:
    """An immutable relation. `rows[a]` has bit b if a is related to b."""

    __slots__ = ("rows",)

    def __init__(self, rows: Sequence[int]) -> None:
        self.rows = rows

    @staticmethod
    def empty(size: int) -> Relation:
        """The relation without pairs on `size` events."""
        return Relation([0] * size)

    @staticmethod
    def of(size: int, pairs: Iterable[tuple[int, int]]) -> Relation:
        """The relation with the given pairs."""
        rows = [0] * size
        for a, b in pairs:
            rows[a] |= 1 << b
        return Relation(rows)

    @staticmethod
    def where(size: int, holds: Callable[[int, int], object]) -> Relation:
        """The relation of all pairs of different events for which a predicate holds."""
        return Relation.of(
            size, ((a, b) for a in range(size) for b in range(size) if a != b and holds(a, b))
        )

    @staticmethod
    def identity(size: int, members: int) -> Relation:
        """Each event of a set, given as bits, related to itself."""
        return Relation([(1 << a) & members for a in range(size)])

    def __or__(self, other: Relation) -> Relation:
        return Relation([a | b for a, b in zip(self.rows, other.rows)])

    def __and__(self, other: Relation) -> Relation:
        return Relation([a & b for a, b in zip(self.rows, other.rows)])

    def __sub__(self, other: Relation) -> Relation:
        return Relation([a & ~b for a, b in zip(self.rows, other.rows)])

    def __matmul__(self, other: Relation) -> Relation:
        """Composition: a to c if a is related to some b here, and b to c in `other`."""
        rows, found = other.rows, list[int]()
        for row in self.rows:
            image = 0
            while row:
                low = row & -row
                image |= rows[low.bit_length() - 1]
                row ^= low
            found.append(image)
        return Relation(found)

    def __bool__(self) -> bool:
        return any(self.rows)

    def __contains__(self, pair: tuple[int, int]) -> bool:
        return bool(self.rows[pair[0]] >> pair[1] & 1)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """All related pairs."""
        return ((a, b) for a, row in enumerate(self.rows) for b in set_bits(row))

    def inverse(self) -> Relation:
        """The relation with every pair reversed."""
        return Relation.of(len(self.rows), ((b, a) for a, b in self.pairs()))

    def closure(self) -> Relation:
        """The transitive closure."""
        rows = list(self.rows)
        for middle in range(len(rows)):
            bit, image = 1 << middle, rows[middle]
            if image:
                for a, row in enumerate(rows):
                    if row & bit:
                        rows[a] = row | image
        return Relation(rows)

    def optional(self) -> Relation:
        """The union with the identity."""
        return Relation([row | 1 << a for a, row in enumerate(self.rows)])

    def between(self, domain: int, image: int) -> Relation:
        """The pairs from one set of events to another, both given as bits."""
        return Relation([row & image if domain >> a & 1 else 0 for a, row in enumerate(self.rows)])

    def is_irreflexive(self) -> bool:
        """True if no event is related to itself."""
        return not any(row >> a & 1 for a, row in enumerate(self.rows))

    def is_acyclic(self) -> bool:
        """True if no event reaches itself."""
        return self.closure().is_irreflexive()


def orders_of_pairs(order: Relation, pairs: Sequence[tuple[int, int]]) -> Iterator[Relation]:
    """The strict orders that extend a transitive relation and order both events of each pair.

    There is none if the relation relates an event to itself.
    """
    if not order.is_irreflexive():
        return
    for at, (a, b) in enumerate(pairs):
        if (a, b) not in order and (b, a) not in order:
            for pair in ((a, b), (b, a)):
                extended = order | Relation.of(len(order.rows), [pair])
                yield from orders_of_pairs(extended.closure(), pairs[at + 1 :])
            return
    yield order
