"""Moves constants in indices into offsets, so that addresses that differ by a constant share one
register. An index may also be shared with another pointer."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from xdsl.dialects.llvm import AddOp, GEPOp, OrOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.memory.pointer_ops import ACCESSES
from nvvm_xdsl.analysis.values.linear_address import (
    DEEPEST,
    LinearAddress,
    grouped,
    linear_address,
    linear_index,
    scaled,
    stepped,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.types import I64
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.address_sharing import PROPAGATES, AddressSharing, Base, Key

_INDEX: Final[Hashable] = "index"
"""The key that replaces the root for sums that are indices, not pointers."""


class OffsetSharing(AddressSharing[LinearAddress]):
    """The state of `separate-const-offset-from-gep` for one function."""

    def __init__(self, dominators: DominatorTree, layout: DataLayout) -> None:
        super().__init__(dominators, layout)
        self.members: dict[Key, list[Operation]] = {}
        """The addresses by variable part."""
        self.hiding: set[Key] = set()
        """The variable parts of addresses with a constant in a variable index."""

    def run(self) -> bool:
        """Shares addresses where possible; returns whether an address changed."""
        for gep in self.geps():
            found = linear_address(gep, self.layout)
            if found is not None and found.terms:
                self.sums[gep.results[0]] = found
        sums = self.sums.values()
        signed_leaves = {v for s in sums for (v, extension), _ in s.terms if extension == "s"}
        for pointer, found in self.sums.items():
            self._add_member(pointer, found.with_signed(signed_leaves), signed_leaves)
        if self.sums:
            self.walk()
        return bool(self.moved)

    def _add_member(
        self, pointer: SSAValue, found: LinearAddress, signed_leaves: set[SSAValue]
    ) -> None:
        """Registers an address with others of the same variable part.

        Arguments:
            signed_leaves: values that are sign-extended in some address. Non-negative ones are
                sign-extended in all addresses, so that these share the extension.
        """
        gep = fast.producer_of(pointer)
        self.sums[pointer] = found
        key = self.key_of(found)
        self.members.setdefault(key, []).append(gep)
        if found.hidden:
            self.hiding.add(key)
        if found.index is not None:
            index = found.index[0]
            if index.type is I64 and index not in self.indices:
                self.indices[index] = linear_index(index, signed_leaves)

    def key_of(self, found: LinearAddress) -> Key:
        return found.key, frozenset(found.terms)

    def index_proved(self, value: SSAValue) -> None:
        index = self.indices[value]
        self.offer((_INDEX, frozenset(index.terms)), Base(value, index.constant))

    def derived(self, gep: Operation, found: LinearAddress, key: Key) -> Base | None:
        base = self._with_known_index(gep, found)
        # One step costs no more than the address itself, and folds shifts into its factor.
        is_kept = len(found.terms) > 1 and not found.hidden and _is_accessed_next(gep)
        if base is None and not is_kept:
            base = self._split(gep, found)
        if base is not None:
            self.offer(key, base)
        return base

    def _with_known_index(self, gep: Operation, found: LinearAddress) -> Base | None:
        """The address computed from an available index that differs by a constant."""
        if found.index is None or not found.hidden:
            return None
        value, scale = found.index
        index = self.indices.get(value)
        base = None if index is None else self.bases.get((_INDEX, frozenset(index.terms)))
        if index is None or base is None or base.constant == index.constant:
            return None
        pointer = scaled(self.current_root(found), base.value, scale, gep)
        return Base(pointer, signed(scale * base.constant, 64))

    def _split(self, gep: Operation, found: LinearAddress) -> Base | None:
        """The address without its constant, computed from its leaves.

        Each leaf costs one multiplication with an addition. This replaces the multiplication with
        an addition of each address with the same variable part, and their other additions, in the
        blocks that this block dominates. Leaves whose sum is an operand of all these addresses
        count as one leaf: if the sum wraps in spite of its flags, all addresses are poison.
        """
        original = self.key_of(found)
        if original not in self.hiding:
            return None
        block = gep.parent
        assert block is not None
        members = [
            member
            for member in self.members[original]
            if member.parent is not None and self.dominators.dominates(block, member.parent)
        ]
        terms = found.terms
        if len(members) > 1:
            terms = grouped(terms, _common_sums(members))
        if len(terms) > len(members) or any(not 0 < factor < 2**31 for _, factor in terms):
            return None
        pointer = self.current_root(found)
        for leaf, factor in terms:
            pointer = stepped(pointer, leaf, factor, gep)
        return Base(pointer, 0)


def _common_sums(geps: Sequence[Operation]) -> list[SSAValue]:
    """The sums in all of the addresses, those nearest to the first address first."""
    first, *others = (_sums_in(gep) for gep in geps)
    return [value for value in first if all(value in other for other in others)]


def _sums_in(gep: Operation) -> dict[SSAValue, None]:
    """The sums in an address. The address is poison if a sum is."""
    found: dict[SSAValue, None] = {}
    pending = [(value, DEEPEST) for value in fast.operands_of(gep)[1:]]
    while pending:
        value, depth = pending.pop(0)
        if not depth or not isinstance(value, OpResult) or type(value.op) not in PROPAGATES:
            continue
        if type(value.op) in (AddOp, OrOp):
            found[value] = None
        pending += [(operand, depth - 1) for operand in fast.operands_of(value.op)]
    return found


def _is_accessed_next(gep: Operation) -> bool:
    """Returns True if memory is accessed through an address before another one is computed.

    Other addresses may then be derived from it without recomputing it from its leaves.
    """
    op = gep.next_op
    while op is not None and type(op) is not GEPOp:
        place = ACCESSES.get(type(op))
        if place is not None and fast.operands_of(op)[place] is gep.results[0]:
            return True
        op = op.next_op
    return False


__all__ = ["OffsetSharing"]
