"""Memory accesses of machine instructions, and whether two of them may overlap."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast

from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import int_value
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp, GlobalOp, LocalOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import LOADS, ST
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, operand_groups
from nvvm_xdsl.dialects.nvptx.operands import (
    ADDRESS_KIND,
    IMMEDIATE_KIND,
    REGISTER_KIND,
    SYMBOL_ADDRESS_KIND,
    SYMBOL_KIND,
    Slot,
    slot_name,
    slot_number,
)
from nvvm_xdsl.ir import fast

ALIGN: Final = "align"
"""Discardable attribute of loads and stores: the alignment of their address in bytes."""

MAX_ALIGNMENT: Final = 128

SPACES: Final = ("global", "shared", "local", "const", "param")

Base = SSAValue | str
"""The base of an address: a register or a symbol."""


@dataclass(frozen=True, eq=False)
class Access:
    """A load or store: `size` bytes at `offset` from `base`, in a space (empty: unknown)."""

    op: InstructionOp
    space: str
    base: Base
    offset: int
    size: int
    is_store: bool


@cache
def _shape(mnemonic: str, mods: str) -> tuple[str, int]:
    """The space and the size in bytes of a load or store with these modifiers."""
    words = mods.split(".")
    space = "global" if mnemonic.startswith(("ld.global", "ldu")) else ""
    for word in words:
        plain = word.partition("::")[0]
        if plain in SPACES:
            space = plain
    lanes = next((int(w[1:]) for w in words if w[0] == "v" and w[1:].isdigit()), 1)
    return space, lanes * bits_of(words[-1]) // 8


def access_of(op: Operation) -> Access | None:
    """The access of a plain load or store; None for every other op."""
    cls = type(op)
    is_store = cls is ST
    if not is_store and cls not in LOADS:
        return None
    instruction = cast(InstructionOp, op)
    slot, values = next(operand_groups(instruction))
    space, size = _shape(instruction.mnemonic, instruction.mods)
    if slot[0] == ADDRESS_KIND:
        return Access(instruction, space, values[0], slot_number(slot), size, is_store)
    if slot[0] == SYMBOL_ADDRESS_KIND:
        name, offset = cast("tuple[str, int]", slot[1:])
        return Access(instruction, space, name, offset, size, is_store)
    return None


def may_alias(a: Access, b: Access) -> bool:
    """Returns True if two accesses may overlap."""
    if a.space and b.space and a.space != b.space:
        return False
    if a.base is b.base or (isinstance(a.base, str) and a.base == b.base):
        return a.offset < b.offset + b.size and b.offset < a.offset + a.size
    if isinstance(a.base, str) and isinstance(b.base, str):
        # All arrays of dynamic shared memory start at the same address.
        return a.space == "shared"
    # A register may point to a symbol or to the memory of another register.
    return not (
        (isinstance(a.base, str) and a.space == "param")
        or (isinstance(b.base, str) and b.space == "param")
    )


class Alignments:
    """Known alignments of registers and symbols of a function."""

    def __init__(self, func: FuncOp) -> None:
        self.symbols: dict[str, int] = {}
        self.pointers: dict[str, int] = {}
        for number, param in enumerate(func.params):
            name = param.param_name or f"{func.symbol}_param_{number}"
            self.symbols[name] = param.align or bits_of(param.type_) // 8
            self.pointers[name] = param.data[5]
        for block in fast.blocks_of(func.body):
            for op in fast.ops_of(block):
                if isinstance(op, LocalOp):
                    self.symbols[op.symbol] = op.align
        self._module = func.parent
        self._known: dict[SSAValue, int] = {}

    def of_symbol(self, name: str) -> int:
        """The alignment of a symbol's address."""
        found = self.symbols.get(name)
        if found is None and self._module is not None:
            # Computed on demand: few functions need it, and a module may have thousands.
            for op in fast.ops_of(self._module):
                if type(op) is GlobalOp:
                    natural = bits_of(op.element_type) // 8 if op.element_type else 1
                    align = op.checked_integer("align") or natural
                    self.symbols.setdefault(op.symbol, align)
            self._module = None
            found = self.symbols.get(name)
        return 1 if found is None else found

    def of(self, value: SSAValue, depth: int = 0) -> int:
        """A power of two that divides the value."""
        known = self._known.get(value)
        if known is not None:
            return known
        found = 1
        if isinstance(value, OpResult) and isinstance(value.op, InstructionOp) and depth < 8:
            found = self._of_result(value.op, depth)
        self._known[value] = found
        return found

    def _of_slot(self, slot: Slot, values: Any, depth: int) -> int:
        if slot[0] == IMMEDIATE_KIND:
            return _power_of_two(slot_number(slot))
        if slot[0] == SYMBOL_KIND:
            offset = _power_of_two(slot_number(slot, 2))
            return min(self.of_symbol(slot_name(slot)), offset)
        return self.of(values[0], depth + 1) if slot[0] == REGISTER_KIND else 1

    def _of_result(self, op: InstructionOp, depth: int) -> int:
        groups = list(operand_groups(op))
        mnemonic = op.mnemonic
        if mnemonic in ("add", "sub", "or", "mad"):
            terms = [self._of_slot(*g, depth) for g in groups]
            if mnemonic == "mad":
                if op.mods.startswith("hi"):
                    return 1
                return min(min(terms[0] * terms[1], MAX_ALIGNMENT), terms[2])
            return min(terms)
        if mnemonic == "mul" and not op.mods.startswith("hi"):
            first, second = (self._of_slot(*g, depth) for g in groups)
            return min(first * second, MAX_ALIGNMENT)
        if mnemonic == "and":
            return max(self._of_slot(*g, depth) for g in groups)
        if mnemonic == "shl" and groups[1][0][0] == IMMEDIATE_KIND:
            # The amount is unsigned, and zeros are shifted in.
            shift = slot_number(groups[1][0]) & 0xFFFFFFFF
            return min(self._of_slot(*groups[0], depth) << min(shift, 8), MAX_ALIGNMENT)
        if mnemonic in ("cvta", "mov") and len(groups) == 1 and len(op.results) == 1:
            return self._of_slot(*groups[0], depth)
        if mnemonic == "cvt" and op.mods in ("u64.u32", "s64.s32", "u32.u64", "u64.s32"):
            return self._of_slot(*groups[0], depth)
        if mnemonic == "selp":
            return min(self._of_slot(*groups[0], depth), self._of_slot(*groups[1], depth))
        access = access_of(op)
        if access is not None and access.space == "param" and isinstance(access.base, str):
            if access.offset == 0 and access.size == 8:
                return max(self.pointers.get(access.base, 1), 1)
        return 1


def _power_of_two(value: int) -> int:
    return min(value & -value, MAX_ALIGNMENT) if value else MAX_ALIGNMENT


def stated_alignment(op: Operation) -> int:
    """The alignment that a load or store states, 1 if it states none."""
    return int_value(op.attributes.get(ALIGN), 1)
