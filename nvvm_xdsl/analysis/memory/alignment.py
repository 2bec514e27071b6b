"""Alignment of pointers, derived from the objects that they point to.

The alignment of an object is the one its definition states (`alignment` of a stack slot or global,
`llvm.align` of an argument), else that of its type. An offset reduces the alignment to the largest
power of two that divides it. An `llvm.assume` with an `align` bundle (`__builtin_assume_aligned`)
applies in its block if no op before it may fail to return: every user of the pointer has then
passed the assumption.
"""

from __future__ import annotations

from functools import cached_property

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.dialects.llvm import GlobalOp, LLVMPointerType, SelectOp, ZeroOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.memory.addresses import Addresses, Base, is_alloca
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, effects
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    bundle_sizes,
    bundle_tags,
    element_type_of,
    integer_of,
    stated_alignment,
    stated_global_type,
)
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import AssumeOp
from nvvm_xdsl.ir import fast

MAX_ALIGNMENT = 1 << 32
"""The largest alignment in LLVM IR (LangRef, "load"), and that of a null pointer."""

WIDEST_ACCESS = 32
"""Size in bytes of the widest access of any target: higher alignments have no use."""


def power_of_two_in(number: int) -> int:
    """The largest power of two that divides the number, at most `MAX_ALIGNMENT`."""
    return min(number & -number, MAX_ALIGNMENT) if number else MAX_ALIGNMENT


class Alignments:
    """The alignment of the pointers of one function.

    Arguments:
        func: the function; the globals of its module are looked up on demand.
        layout: the data layout of the module.
    """

    def __init__(self, func: Operation, layout: DataLayout) -> None:
        self.func = func
        self.layout = layout
        self.addresses = Addresses(layout)
        self._globals: dict[str, Operation] | None = None

    def of(self, pointer: SSAValue) -> int:
        """The largest power of two that is known to divide the pointer, at least 1."""
        address = self.addresses.address(pointer)
        known = power_of_two_in(address.offset)
        for scale in address.terms.values():
            known = min(known, power_of_two_in(scale))
        known = min(known, max(self.of_object(address.base), self._assumed.get(address.base, 1)))
        return max(known, self._assumed.get(pointer, 1))

    @cached_property
    def _assumed(self) -> dict[Base, int]:
        """Alignments that assumptions state for pointers."""
        found: dict[Base, int] = {}
        for block in self.func.regions[0].blocks:
            here: set[SSAValue] = set(block.args)
            for op in fast.ops_of(block):
                if type(op) is AssumeOp:
                    for pointer, alignment in _stated_by(op):
                        if pointer in here:
                            found[pointer] = max(found.get(pointer, 1), alignment)
                elif effects(op) & MAY_NOT_RETURN:
                    here.clear()
                here.update(op.results)
        return found

    def of_object(self, base: Base) -> int:
        """The alignment of the underlying object of an address."""
        if isinstance(base, str):
            op = self._global(base)
            return 1 if op is None else self._of_memory(op, stated_global_type(op))
        if is_alloca(base):
            op = fast.producer_of(base)
            return self._of_memory(op, element_type_of(op))
        if isinstance(base, BlockArgument):
            return self._of_argument(base)
        return MAX_ALIGNMENT if type(base.owner) is ZeroOp else 1

    def _of_memory(self, op: Operation, type_: Attribute | None) -> int:
        stated = stated_alignment(op)
        if stated or type_ is None:
            return stated or 1
        try:
            return self.layout.alignment(type_)
        except UnsizedTypeError:
            return 1

    def _of_argument(self, argument: BlockArgument) -> int:
        entry = self.func.regions[0].first_block
        if argument.block is not entry:
            return 1
        attributes = argument_attributes(self.func, argument.index)
        stated = integer_of(attributes.get("llvm.align"))
        if stated is not None:
            return stated
        copied = attributes.get("llvm.byval")
        if copied is None or isinstance(copied, UnitAttr):
            return 1
        return self.layout.alignment(copied)

    def _global(self, name: str) -> Operation | None:
        if self._globals is None:
            parent = self.func.parent
            self._globals = {
                op.sym_name.data: op
                for op in (() if parent is None else fast.ops_of(parent))
                if isinstance(op, GlobalOp)
            }
        return self._globals.get(name)


class MergedAlignments(Alignments):
    """`Alignments` with pointers that are selects or block arguments.

    Each select and block argument starts with the maximum alignment and is lowered to the minimum
    of its sources until a fixed point is reached.

    Arguments:
        graph: the function's blocks.
    """

    def __init__(self, func: Operation, layout: DataLayout, graph: CFG) -> None:
        super().__init__(func, layout)
        sources = _merges(graph)
        self._merged: dict[Base, int] = dict.fromkeys(sources, MAX_ALIGNMENT)
        changed = True
        while changed:
            changed = False
            for value, incoming in sources.items():
                least = min(self.of(source) for source in incoming)
                if least < self._merged[value]:
                    self._merged[value] = least
                    changed = True

    def of_object(self, base: Base) -> int:
        found = self._merged.get(base)
        return super().of_object(base) if found is None else found


def _stated_by(assume: Operation) -> list[tuple[SSAValue, int]]:
    """The pointers in an assumption about alignment, each with its power of two.

    LLVM Language Reference, "Assume Operand Bundles": `align(p, n)`, or `align(p, n, offset)`, of which only an
    offset of 0 is read.
    """
    tags = bundle_tags(assume)
    if not tags:
        return []
    found: list[tuple[SSAValue, int]] = []
    start = 1
    for tag, size in zip(tags, bundle_sizes(assume)):
        words = fast.operands_of(assume)[start : start + size]
        start += size
        if not isinstance(tag, StringAttr) or tag.data != "align" or size not in (2, 3):
            continue
        alignment, offset = constant_integer(words[1]), constant_integer(words[-1])
        if alignment is not None and alignment > 0 and (size == 2 or offset == 0):
            found.append((words[0], power_of_two_in(alignment)))
    return found


def _merges(graph: CFG) -> dict[SSAValue, list[SSAValue]]:
    """The selects and block arguments of pointer type, in reverse post-order, and their sources."""
    found: dict[SSAValue, list[SSAValue]] = {}
    blocks = list(graph.rpo_blocks())
    for number, block in enumerate(blocks):
        for argument in block.args if number else ():
            if isinstance(argument.type, LLVMPointerType):
                found[argument] = []
        for op in fast.ops_of(block):
            if type(op) is SelectOp and isinstance(op.results[0].type, LLVMPointerType):
                found[op.results[0]] = list(fast.operands_of(op)[1:])
    for block in blocks:
        last = block.last_op
        for target, values in edges_of(last) if last is not None else ():
            if len(values) != len(target.args):
                # The passed value on this edge is unknown.
                for argument in target.args:
                    found.pop(argument, None)
                continue
            for argument, value in zip(target.args, values):
                if argument in found:
                    found[argument].append(value)
    return found
