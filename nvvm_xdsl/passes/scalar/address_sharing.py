"""Computes addresses from available addresses at a known distance.

The walk down the dominator tree keeps a table of available addresses. An address may be derived
from another one only if the other equals its sum: it was computed here from the leaves of the sum,
or memory was accessed through it before, so that poison would have been undefined behaviour. (A sum
that wraps in spite of its flags differs from its leaves.)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from typing import Final, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

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
from nvvm_xdsl.analysis.values.linear_address import LinearIndex
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import byte_offset, is_raw_index
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.ir import fast

MOST_PROVED: Final = 32
"""Maximum number of operands, direct and indirect, of an access's address that are proved not to be
poison.
"""

PROPAGATES: Final = frozenset(
    {
        *(AddOp, AndOp, AShrOp, GEPOp, LShrOp, MulOp, OrOp, SExtOp, ShlOp, SubOp, XOrOp, ZExtOp),
        AddrSpaceCastOp,
    }
)
"""Ops that are poison if an operand is."""

Key: TypeAlias = tuple[Hashable, Hashable]
"""The root and the variable part of a sum."""


class Base(NamedTuple):
    """An available pointer or index, and the constant of its sum."""

    value: SSAValue
    constant: int


class Address(Protocol):
    """A sum: the root pointer, a variable part, and a constant."""

    @property
    def root(self) -> SSAValue:
        """The pointer to which the others are added."""
        ...

    @property
    def constant(self) -> int:
        """The constant in bytes."""
        ...


A = TypeVar("A", bound=Address)


class AddressSharing(ABC, Generic[A]):
    """The shared state of one walk over a function. Subclasses compute the sums of addresses and
    derive addresses from others."""

    def __init__(self, dominators: DominatorTree, layout: DataLayout) -> None:
        self.dominators = dominators
        self.layout = layout
        self.sums: dict[SSAValue, A] = {}
        """The addresses with a variable part."""
        self.indices: dict[SSAValue, LinearIndex] = {}
        """The sums in the indices of addresses."""
        self.bases: dict[Key, Base] = {}
        """By root and variable part: the addresses available at the current point."""
        self.of_root: dict[Hashable, list[Key]] = {}
        """The keys of `bases` by root, latest last."""
        self.proved: set[SSAValue] = set()
        self.undo: list[Key | SSAValue] = []
        """The entries of `bases` and `proved` in insertion order."""
        self.moved: dict[SSAValue, SSAValue] = {}
        """The replacements of addresses."""
        self.kept: set[SSAValue] = set()
        """Addresses that were in `bases`, and so must not be erased."""

    @abstractmethod
    def key_of(self, found: A) -> Key:
        """The key of a sum whose root has not been replaced."""

    @abstractmethod
    def derived(self, gep: Operation, found: A, key: Key) -> Base | None:
        """A new address with the variable part of an address that is not available; None if the
        address is kept."""

    def index_proved(self, value: SSAValue) -> None:
        """Called for each of `indices` that is an operand of an accessed address."""

    def geps(self) -> list[Operation]:
        """The `getelementptr` ops in reachable blocks, each after those that dominate it."""
        return [
            op
            for number in self.dominators.preorder_numbers()
            for op in fast.ops_of(self.dominators.block(number))
            if type(op) is GEPOp
        ]

    def walk(self) -> None:
        """Visits all reachable ops and shares addresses where possible."""
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
                    self.visit_address(op, found)
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
            if type(value.op) not in PROPAGATES:
                continue
            left -= 1
            self.proved.add(value)
            self.undo.append(value)
            address = self.sums.get(value)
            if address is not None:
                self.offer(self.current_key(address), Base(value, address.constant))
            if value in self.indices:
                self.index_proved(value)
            pending += fast.operands_of(value.op)

    def offer(self, key: Key, base: Base) -> None:
        """Makes an address or index available, unless an earlier one with the same key is."""
        if key not in self.bases:
            self.bases[key] = base
            self.of_root.setdefault(key[0], []).append(key)
            self.undo.append(key)
            self.kept.add(base.value)

    def current_key(self, found: A) -> Key:
        """The key with the pointer that replaced the root."""
        key = self.key_of(found)
        root = self.moved.get(found.root)
        return key if root is None else (root, key[1])

    def current_root(self, found: A) -> SSAValue:
        """The root, or the pointer that replaced it."""
        return self.moved.get(found.root, found.root)

    # Sharing

    def visit_address(self, gep: Operation, found: A) -> None:
        """Replaces an address by an available one plus a constant, if possible."""
        key = self.current_key(found)
        base = self.bases.get(key)
        if base is None:
            base = self.derived(gep, found, key)
        if base is None:
            return
        distance = signed(found.constant - base.constant, 64)
        if is_raw_index(distance):
            pointer = byte_offset(base.value, distance, gep)
            fast.replace_all_uses(gep.results[0], pointer)
            self.moved[gep.results[0]] = pointer
            self._erase_unused(gep)

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


__all__ = ["PROPAGATES", "AddressSharing", "Base", "Key"]
