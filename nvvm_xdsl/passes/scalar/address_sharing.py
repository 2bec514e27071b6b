"""Computes addresses from available addresses at a known distance.

The walk down the dominator tree keeps a table of available addresses. An address may be derived
from another one only if the other equals its sum: it was computed here from the leaves of the sum,
or memory was accessed through it before, so that poison would have been undefined behaviour. (A sum
that wraps in spite of its flags differs from its leaves.) The same applies to an index that is used
with another pointer.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final, NamedTuple, TypeAlias

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    GEPOp,
    LShrOp,
    MulOp,
    OrOp,
    SExtOp,
    ShlOp,
    SubOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.memory.pointer_ops import ACCESSES
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.values.linear_address import (
    DEEPEST,
    AddrSpaceCastOp,
    Leaf,
    LinearAddress,
    LinearIndex,
    grouped,
    linear_address,
    linear_index,
    scaled,
    stepped,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import byte_offset, is_raw_index
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.types import I64
from nvvm_xdsl.ir import fast

MOST_BASES: Final = 16
"""Maximum number of addresses with the same base that are tried as the start of a single step."""

MOST_PROVED: Final = 32
"""Maximum number of operands, direct and indirect, of an access's address that are proved not to be
poison.
"""

_PROPAGATES: Final = frozenset(
    {
        *(AddOp, AndOp, AShrOp, GEPOp, LShrOp, MulOp, OrOp, SExtOp, ShlOp, SubOp, XOrOp, ZExtOp),
        AddrSpaceCastOp,
    }
)
"""Ops that are poison if an operand is."""

_Terms: TypeAlias = "frozenset[tuple[Leaf, int]]"
_Key: TypeAlias = "tuple[Hashable, _Terms]"

_INDEX: Final = "index"
"""The key that replaces the root for sums that are indices, not pointers."""


class _Base(NamedTuple):
    """An available pointer or index, and the constant of its sum."""

    value: SSAValue
    constant: int


class AddressSharing:
    """The shared state of one walk over a function.

    Arguments:
        offsets: whether constants in variable indices are extracted, so that addresses that differ
            by a constant share a register.
        strides: whether addresses that differ by one variable step are computed from each
            other.
    """

    def __init__(
        self,
        dominators: DominatorTree,
        layout: DataLayout,
        *,
        offsets: bool = False,
        strides: bool = False,
    ) -> None:
        self.dominators = dominators
        self.layout = layout
        self.offsets = offsets
        self.strides = strides
        self.sums: dict[SSAValue, LinearAddress] = {}
        self.indices: dict[SSAValue, LinearIndex] = {}
        """The sums in the indices of addresses."""
        self.members: dict[_Key, list[Operation]] = {}
        """The addresses by variable part."""
        self.hiding: set[_Key] = set()
        """The variable parts of addresses with a constant in a variable index."""
        self.bases: dict[_Key, _Base] = {}
        """By root and terms: the addresses available at the current point."""
        self.of_root: dict[Hashable, list[_Key]] = {}
        """The keys of `bases` by root, latest last."""
        self.proved: set[SSAValue] = set()
        self.undo: list[_Key | SSAValue] = []
        """The entries of `bases` and `proved` in insertion order."""
        self.moved: dict[SSAValue, SSAValue] = {}
        """The replacements of addresses."""
        self.kept: set[SSAValue] = set()
        """Addresses that were in `bases`, and so must not be erased."""

    def run(self) -> bool:
        """Shares addresses where possible; returns whether an address changed."""
        for number in self.dominators.preorder_numbers():
            for op in fast.ops_of(self.dominators.block(number)):
                if type(op) is GEPOp:
                    found = linear_address(op, self.layout)
                    if found is not None and found.terms:
                        self.sums[op.results[0]] = found
        sums = self.sums.values()
        signed_leaves = {v for s in sums for (v, extension), _ in s.terms if extension == "s"}
        for pointer, found in self.sums.items():
            self._add_member(pointer, found.with_signed(signed_leaves), signed_leaves)
        if self.sums:
            self._walk()
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
        key = _key_of(found)
        self.members.setdefault(key, []).append(gep)
        if found.hidden:
            self.hiding.add(key)
        if found.index is not None and self.offsets:
            index = found.index[0]
            if index.type is I64 and index not in self.indices:
                self.indices[index] = linear_index(index, signed_leaves)

    def _walk(self) -> None:
        dominators = self.dominators
        pending: list[tuple[int, int]] = [(dominators.root, -1)]
        while pending:
            number, mark = pending.pop()
            if mark >= 0:
                self._leave(mark)
                continue
            pending.append((number, len(self.undo)))
            self._visit(dominators.block(number))
            pending.extend((child, -1) for child in dominators.children_numbers(number))

    def _leave(self, mark: int) -> None:
        """Removes the entries of a block and of the blocks that it dominates."""
        while len(self.undo) > mark:
            entry = self.undo.pop()
            if isinstance(entry, SSAValue):
                self.proved.discard(entry)
            else:
                del self.bases[entry]
                self.of_root[entry[0]].pop()

    def _visit(self, block: Block) -> None:
        op = block.first_op
        while op is not None:
            following = op.next_op
            if type(op) is GEPOp:
                found = self.sums.get(op.results[0])
                if found is not None:
                    self._share(op, found)
            elif type(op) in ACCESSES:
                self._accessed(fast.operands_of(op)[ACCESSES[type(op)]])
            op = following

    # Available addresses

    def _accessed(self, pointer: SSAValue) -> None:
        """An access through a pointer: neither the pointer nor its operands are poison."""
        pending = [pointer]
        left = MOST_PROVED
        while pending and left:
            value = pending.pop()
            if value in self.proved or not isinstance(value, OpResult):
                continue
            if type(value.op) not in _PROPAGATES:
                continue
            left -= 1
            self.proved.add(value)
            self.undo.append(value)
            address = self.sums.get(value)
            if address is not None:
                self._offer(self._key(address), _Base(value, address.constant))
            index = self.indices.get(value)
            if index is not None:
                self._offer((_INDEX, frozenset(index.terms)), _Base(value, index.constant))
            pending += fast.operands_of(value.op)

    def _offer(self, key: _Key, base: _Base) -> None:
        if key not in self.bases:
            self.bases[key] = base
            self.of_root.setdefault(key[0], []).append(key)
            self.undo.append(key)
            self.kept.add(base.value)

    def _key(self, found: LinearAddress) -> _Key:
        """The key with the pointer that replaced the root."""
        root = self.moved.get(found.root)
        return _key_of(found) if root is None else (root, frozenset(found.terms))

    # Sharing

    def _share(self, gep: Operation, found: LinearAddress) -> None:
        key = self._key(found)
        base = self.bases.get(key)
        if base is None and self.strides:
            base = self._one_step_away(gep, found, key)
        if base is None and self.offsets:
            base = self._with_known_index(gep, found)
            # One step costs no more than the address itself, and folds shifts into its factor.
            is_kept = len(found.terms) > 1 and not found.hidden and _is_accessed_next(gep)
            if base is None and not is_kept:
                base = self._split(gep, found)
            if base is not None:
                self._offer(key, base)
        if base is None:
            return
        distance = signed(found.constant - base.constant, 64)
        if is_raw_index(distance):
            pointer = byte_offset(base.value, distance, gep)
            fast.replace_all_uses(gep.results[0], pointer)
            self.moved[gep.results[0]] = pointer
            self._erase_unused(gep)

    def _with_known_index(self, gep: Operation, found: LinearAddress) -> _Base | None:
        """The address computed from an available index that differs by a constant."""
        if found.index is None or not found.hidden:
            return None
        value, scale = found.index
        index = self.indices.get(value)
        base = None if index is None else self.bases.get((_INDEX, frozenset(index.terms)))
        if index is None or base is None or base.constant == index.constant:
            return None
        pointer = scaled(self._root(found), base.value, scale, gep)
        return _Base(pointer, signed(scale * base.constant, 64))

    def _split(self, gep: Operation, found: LinearAddress) -> _Base | None:
        """The address without its constant, computed from its leaves.

        Each leaf costs one multiplication with an addition. This replaces the multiplication with
        an addition of each address with the same variable part, and their other additions, in the
        blocks that this block dominates. Leaves whose sum is an operand of all these addresses
        count as one leaf: if the sum wraps in spite of its flags, all addresses are poison.
        """
        original = _key_of(found)
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
        pointer = self._root(found)
        for leaf, factor in terms:
            pointer = stepped(pointer, leaf, factor, gep)
        return _Base(pointer, 0)

    def _one_step_away(self, gep: Operation, found: LinearAddress, key: _Key) -> _Base | None:
        """An address with the same terms, computed by one step from an available one."""
        if len(found.terms) < 2 or not _computes_an_index(gep):
            return None
        for other in reversed(self.of_root.get(key[0], [])[-MOST_BASES:]):
            step = _single_step(found.terms, other[1])
            if step is not None:
                base = self.bases[other]
                made = _Base(stepped(base.value, *step, gep), base.constant)
                self._offer(key, made)
                return made
        return None

    def _root(self, found: LinearAddress) -> SSAValue:
        return self.moved.get(found.root, found.root)

    def _erase_unused(self, op: Operation) -> None:
        """Erases an op without uses, and then ops that only it used."""
        pending = [op]
        while pending:
            dead = pending.pop()
            if dead.parent is None or not is_removable(dead):
                continue
            if any(r.first_use is not None or r in self.kept for r in dead.results):
                continue
            inputs = [v.op for v in fast.operands_of(dead) if isinstance(v, OpResult)]
            fast.erase(dead)
            pending += inputs


def _common_sums(geps: Sequence[Operation]) -> list[SSAValue]:
    """The sums in all of the addresses, those nearest to the first address first."""
    first, *others = (_sums_in(gep) for gep in geps)
    return [value for value in first if all(value in other for other in others)]


def _sums_in(gep: Operation) -> dict[SSAValue, None]:
    """The sums in an address; it is poison if one of them is."""
    found: dict[SSAValue, None] = {}
    pending = [(value, DEEPEST) for value in fast.operands_of(gep)[1:]]
    while pending:
        value, depth = pending.pop(0)
        if not depth or not isinstance(value, OpResult) or type(value.op) not in _PROPAGATES:
            continue
        if type(value.op) in (AddOp, OrOp):
            found[value] = None
        pending += [(operand, depth - 1) for operand in fast.operands_of(value.op)]
    return found


def _key_of(found: LinearAddress) -> _Key:
    return found.key, frozenset(found.terms)


def _single_step(wanted: tuple[tuple[Leaf, int], ...], have: _Terms) -> tuple[Leaf, int] | None:
    """The single leaf, with a positive factor, by which one sum exceeds another."""
    known = dict(have)
    steps = [(leaf, signed(factor - known.pop(leaf, 0), 64)) for leaf, factor in wanted]
    steps = [(leaf, factor) for leaf, factor in steps if factor]
    if known or len(steps) != 1 or not 0 < steps[0][1] < 2**31:
        return None
    return steps[0]


def _computes_an_index(gep: Operation) -> bool:
    """Returns True if arithmetic is only needed for the variable index of this address."""
    return any(_is_own(index, gep) for index in fast.operands_of(gep)[1:])


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


def _is_own(index: SSAValue, user: Operation) -> bool:
    while isinstance(index, OpResult) and all(u is user for u in fast.users_of(index)):
        if type(index.op) in (AddOp, SubOp, OrOp):
            return True
        if type(index.op) not in (SExtOp, ZExtOp):
            return False
        user = index.op
        (index,) = fast.operands_of(user)
    return False


__all__ = ["AddressSharing"]
