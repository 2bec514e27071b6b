"""Decomposed pointers: an underlying object, a constant offset, and scaled variables.

`p[i + 1].x` is the object that `p` comes from, plus the bytes of one element and the field's
offset, plus `i` times the element's size. Two addresses with the same object and variables
differ by a known number of bytes.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from xdsl.dialects.llvm import AddressOfOp, AllocaOp, BitcastOp, GEPOp, LLVMPointerType, SelectOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.values.linear_expressions import Terms, add_product, extension_of
from nvvm_xdsl.dialects.llvm.accessors import global_name, integer_width
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import GepOffset, gep_offset
from nvvm_xdsl.dialects.llvm.ops import FreezeOp
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.ir import fast

MAX_OBJECTS = 6
"""Maximum number of objects that a pointer may be based on."""

Base: TypeAlias = SSAValue | str
"""The base of an address: a value, or the name of a global."""


class Address(NamedTuple):
    """`base + offset + sum of scale * term`, in bytes modulo the width of a pointer."""

    base: Base
    value: SSAValue
    offset: int
    terms: Terms


def index_scales(gep: Operation, layout: DataLayout) -> GepOffset | None:
    """The offset of a GEP in bytes: the constant part, and variable indices with their scales.

    None if it is unknown: a vector of pointers, or invalid indices.
    """
    if type(gep.results[0].type) is not LLVMPointerType:
        return None
    return gep_offset(gep, layout)


def add_offset(gep: Operation, layout: DataLayout, terms: Terms) -> int | None:
    """The constant offset of a GEP in bytes; variable parts are added to `terms`. None as above."""
    found = index_scales(gep, layout)
    if found is None:
        return None
    offset = found.constant
    width = layout.pointer_bits(pointer_space(gep.results[0].type))
    for value, scale in found.terms:
        offset += add_product(terms, value, extension_of(value, width), scale, split=False)
    return offset


POINTER_CASTS = frozenset({"llvm.bitcast", "llvm.addrspacecast"})
"""Casts that do not change the address."""


class Addresses:
    """The decomposed pointers of a function, cached."""

    def __init__(self, layout: DataLayout) -> None:
        self.layout = layout
        self._known: dict[SSAValue, Address] = {}
        self._objects: dict[SSAValue, list[Base] | None] = {}

    def address(self, pointer: SSAValue) -> Address:
        """The decomposed pointer, through GEPs and casts, including address space casts."""
        found = self._known.get(pointer)
        if found is None:
            found = self._known[pointer] = self._decompose(pointer)
        return found

    def _decompose(self, pointer: SSAValue) -> Address:
        at = pointer
        offset = 0
        terms: Terms = {}
        while type(at) is OpResult:
            op = at.op
            if type(op) is GEPOp:
                inner = dict(terms)
                step = add_offset(op, self.layout, inner)
                if step is None:
                    break
                offset += step
                terms = inner
            elif op.name not in POINTER_CASTS or (type(op) is BitcastOp and integer_width(at.type)):
                break
            at = fast.operands_of(op)[0]
        return Address(
            base_of(at), at, offset, {term: scale for term, scale in terms.items() if scale}
        )

    def objects(self, pointer: SSAValue) -> list[Base] | None:
        """The objects that the pointer may be based on, through selects, `freeze` and block arguments.

        None when there are too many.
        """
        start = self.address(pointer).value
        if start not in self._objects:
            self._objects[start] = self._find_objects(start)
        return self._objects[start]

    def _find_objects(self, start: SSAValue) -> list[Base] | None:
        found: dict[Base, None] = {}
        work = [start]
        seen = set(work)
        while work:
            value = work.pop()
            sources: list[SSAValue] = []
            if type(value) is OpResult and type(value.op) is SelectOp:
                sources = list(fast.operands_of(value.op))[1:]
            elif type(value) is OpResult and type(value.op) is FreezeOp:
                sources = list(fast.operands_of(value.op))
            elif type(value) is BlockArgument and value.block.first_use is not None:
                for pred in dict.fromkeys(fast.predecessors_of(value.block)):
                    last = pred.last_op
                    for target, values in edges_of(last) if last is not None else ():
                        if target is value.block and value.index < len(values):
                            sources.append(values[value.index])
            if not sources:
                found[base_of(value)] = None
            if len(found) > MAX_OBJECTS or len(seen) > 4 * MAX_OBJECTS:
                return None
            for source in sources:
                origin = self.address(source).value
                if origin not in seen:
                    seen.add(origin)
                    work.append(origin)
        return list(found)

    def verify(self) -> None:
        """Recomputes the cached parts; raises AssertionError if they differ."""
        fresh = Addresses(self.layout)
        for pointer, address in self._known.items():
            assert fresh.address(pointer) == address, f"the address {value_name(pointer)} is stale"
        for start, objects in self._objects.items():
            assert fresh._find_objects(start) == objects, (
                f"what {value_name(start)} is from is stale"
            )


def base_of(value: SSAValue) -> Base:
    """The value, or the name of the global whose address it is."""
    if type(value) is OpResult and type(value.op) is AddressOfOp:
        return global_name(value.op)
    return value


def is_alloca(base: Base) -> bool:
    """Returns True if the object is allocated by an alloca."""
    return type(base) is OpResult and type(base.op) is AllocaOp
