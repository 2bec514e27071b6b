"""Adjacent loads and stores of a block that one vector access can replace.

Accesses of one kind at constant distances from one base are collected until an op that may access
their memory. Loads move up to the first load of the group, stores down to the last store. Passes
over IR and over machine code define the accesses, the alias query, and the replacement of several
accesses by one (LLVM's LoadStoreVectorizer).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, Protocol, TypeVar

VECTOR_BYTES: Final = 16
"""Maximum size in bytes of an access on every target."""

MAX_GROUP: Final = 64
"""Maximum number of accesses in a group, which keeps the passes linear."""


class Neighbour(Protocol):
    """An access: `size` bytes at `offset` from the base of its group."""

    @property
    def offset(self) -> int:
        """In bytes."""
        ...

    @property
    def size(self) -> int:
        """In bytes."""
        ...

    @property
    def is_store(self) -> bool:
        """True if it writes."""
        ...


AccessT = TypeVar("AccessT", bound=Neighbour)


@dataclass(frozen=True, eq=False)
class Member(Generic[AccessT]):
    """An access and its position in the block."""

    access: AccessT
    place: int


@dataclass
class _Group(Generic[AccessT]):
    """Accesses of one kind and base. `passed` are the stores that a joining load would cross."""

    is_invariant: bool
    members: dict[int, Member[AccessT]] = field(default_factory=dict[int, Member[AccessT]])
    passed: list[AccessT] = field(default_factory=list[AccessT])


class NeighbourGroups(Generic[AccessT]):
    """The accesses of a block, grouped by the accesses that may be merged.

    Arguments:
        may_alias: whether two accesses may touch a common byte.
        is_aligned: whether an access's address is a multiple of a number of bytes.
        replace: replaces several consecutive accesses, given in the order of their addresses, by
            one.

    Ops must be passed in the order of the block.
    """

    def __init__(
        self,
        may_alias: Callable[[AccessT, AccessT], bool],
        is_aligned: Callable[[AccessT, int], bool],
        replace: Callable[[Sequence[Member[AccessT]]], None],
    ) -> None:
        self._may_alias = may_alias
        self._is_aligned = is_aligned
        self._replace = replace
        self._loads: dict[Hashable, _Group[AccessT]] = {}
        self._stores: dict[Hashable, _Group[AccessT]] = {}

    def add(
        self, access: AccessT, place: int, key: Hashable | None, *, is_invariant: bool = False
    ) -> None:
        """Records an access.

        Arguments:
            access: the accessed memory.
            place: its position in the block.
            key: equal for accesses that may be merged; None for an access that is not merged.
            is_invariant: whether it reads memory that is never written.
        """
        if access.is_store:
            self._separate(access, self._loads)
        if not is_invariant:
            self._separate(access, self._stores)
        if key is not None:
            self._gather(access, place, key, is_invariant)

    def flush_loads(self) -> None:
        """Ends the groups of loads: no later load moves up across the next op."""
        self._flush(self._loads)

    def flush_stores(self) -> None:
        """Ends the groups of stores: no earlier store moves down across the next op."""
        self._flush(self._stores)

    def _separate(self, access: AccessT, groups: dict[Hashable, _Group[AccessT]]) -> None:
        """Ends the groups that the access must not be moved across."""
        for key, group in list(groups.items()):
            if group.is_invariant:
                continue
            if (
                any(self._may_alias(access, m.access) for m in group.members.values())
                or len(group.passed) >= MAX_GROUP
            ):
                self._vectorize(group)
                del groups[key]
            elif access.is_store:
                group.passed.append(access)

    def _gather(self, access: AccessT, place: int, key: Hashable, is_invariant: bool) -> None:
        groups = self._stores if access.is_store else self._loads
        group = groups.get(key)
        if group is not None and not access.is_store:
            if any(self._may_alias(access, store) for store in group.passed):
                self._vectorize(group)
                group = None
        if group is None:
            group = groups[key] = _Group(is_invariant)
        if access.offset in group.members:
            # A second load of the same word stays; a second store is known to alias.
            return
        group.members[access.offset] = Member(access, place)
        if len(group.members) >= MAX_GROUP:
            self._vectorize(group)
            del groups[key]

    def _flush(self, groups: dict[Hashable, _Group[AccessT]]) -> None:
        for group in groups.values():
            self._vectorize(group)
        groups.clear()

    def _vectorize(self, group: _Group[AccessT]) -> None:
        offsets = sorted(group.members)
        at = 0
        while at + 1 < len(offsets):
            first = group.members[offsets[at]].access
            size = first.size
            for lanes in (4, 2):
                run = offsets[at : at + lanes]
                if (
                    len(run) == lanes
                    and run[-1] == run[0] + (lanes - 1) * size
                    and lanes * size <= VECTOR_BYTES
                    and self._is_aligned(first, lanes * size)
                ):
                    self._replace([group.members[offset] for offset in run])
                    at += lanes
                    break
            else:
                at += 1


class BaseAlignments:
    """Known alignments of bases, derived from accesses that are certainly executed."""

    def __init__(self) -> None:
        self._known: dict[Hashable, tuple[int, int]] = {}

    def learn(self, base: Hashable, offset: int, modulus: int) -> None:
        """Records that the address at `offset` bytes from a base is a multiple of a power of
        two."""
        if modulus > self._known.get(base, (1, 0))[0]:
            self._known[base] = (modulus, -offset % modulus)

    def is_multiple(self, base: Hashable, offset: int, size: int) -> bool:
        """True if the address at `offset` bytes from a base is known to be a multiple of a size."""
        modulus, residue = self._known.get(base, (1, 0))
        return modulus % size == 0 and (residue + offset) % size == 0


__all__ = ["VECTOR_BYTES", "BaseAlignments", "Member", "Neighbour", "NeighbourGroups"]
