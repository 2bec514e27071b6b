"""Pointers taken apart: an object, a constant offset, and scaled variables.

`p[i + 1].x` is the object that `p` comes from, plus the bytes of one element and the field's
offset, plus `i` times the element's size. Two addresses with the same object and variables
differ by a known number of bytes.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, cast

from xdsl.dialects.builtin import SymbolRefAttr, VectorType
from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    AllocaOp,
    BitcastOp,
    GEPOp,
    LLVMArrayType,
    LLVMPointerType,
    LLVMStructType,
    MulOp,
    OrOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SubOp,
    ZExtOp,
)
from xdsl.ir import Attribute, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.ops import (
    DYNAMIC_INDEX,
    NSW,
    NUW,
    constant_integer,
    dense_numbers,
    integer_width,
    value_name,
    wrap_flags,
)
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.branches import edges_of
from nvvm_xdsl.ir.layout import DataLayout
from nvvm_xdsl.ir.types import address_space_of

MAX_OBJECTS = 6
"""How many objects a pointer may come from before that is given up."""

Term: TypeAlias = tuple[str, SSAValue]
"""A variable of an address: how it is extended to 64 bits (`s`, `z`, or not at all) and itself."""

Base: TypeAlias = SSAValue | str
"""What an address starts from: a value, or the name of a global."""


class Address(NamedTuple):
    """`base + offset + sum of scale * term`, in bytes modulo the width of a pointer."""

    base: Base
    value: SSAValue
    offset: int
    terms: dict[Term, int]


def _linear(value: SSAValue, scale: int, terms: dict[Term, int], bits: int) -> int:
    """Adds `scale * value` to the terms; returns the constant part of it.

    Looks through what is exact at the pointer's width: any sum of that width, sums without
    overflow under an extension.
    """
    constant = 0
    extension = "" if integer_width(value.type) == bits else "s"
    while True:
        known = constant_integer(value)
        if known is not None:
            if extension == "z":
                known &= (1 << integer_width(value.type)) - 1
            return constant + scale * known
        if not isinstance(value, OpResult):
            break
        op = value.op
        cls = op.__class__
        if cls is SExtOp and extension in ("", "s"):
            extension = "s"
            value = fast.operands_of(op)[0]
            continue
        if cls is ZExtOp and extension in ("", "s", "z"):
            # The sign of what was extended with zeros is clear.
            extension = "z"
            value = fast.operands_of(op)[0]
            continue
        needed = {"": 0, "s": NSW, "z": NUW}[extension]
        if cls not in (AddOp, SubOp, MulOp, ShlOp, OrOp):
            break
        a, b = fast.operands_of(op)
        right = constant_integer(b)
        if right is None:
            if cls in (AddOp, MulOp) and constant_integer(a) is not None:
                a, right = b, cast(int, constant_integer(a))
            else:
                break
        if cls is OrOp:
            if "isDisjoint" not in op.properties or extension == "s":
                break
        elif needed and not wrap_flags(op) & needed:
            break
        if extension == "z":
            right &= (1 << integer_width(value.type)) - 1
        if cls in (AddOp, OrOp):
            constant += scale * right
        elif cls is SubOp:
            if extension == "z":
                break
            constant -= scale * right
        elif cls is MulOp:
            scale *= right
        else:
            if not 0 <= right < integer_width(value.type):
                break
            scale <<= right
        value = a
    key = (extension, value)
    terms[key] = terms.get(key, 0) + scale
    return constant


def index_scales(
    gep: Operation, layout: DataLayout
) -> tuple[list[tuple[SSAValue, int]], int] | None:
    """The bytes that a GEP adds: its variable indices with their scales, and the constant rest.

    None when they cannot be told: a vector of pointers, or a type without a size.
    """
    if not isinstance(fast.operands_of(gep)[0].type, LLVMPointerType):
        return None
    type_ = gep.properties["elem_type"]
    dynamic = iter(tuple(fast.operands_of(gep))[1:])
    scaled: list[tuple[SSAValue, int]] = []
    offset = 0
    for place, index in enumerate(dense_numbers(gep.properties["rawConstantIndices"])):
        value = next(dynamic) if index == DYNAMIC_INDEX else None
        if place:
            if isinstance(type_, LLVMStructType):
                if value is not None:
                    return None
                offset += layout.field_offsets(type_)[index]
                type_ = type_.types.data[index]
                continue
            if isinstance(type_, LLVMArrayType):
                type_ = type_.type
            elif isinstance(type_, VectorType):
                type_ = cast("VectorType[Attribute]", type_).element_type
            else:
                return None
        size = layout.size(type_)
        if value is None:
            offset += index * size
        elif integer_width(value.type):
            scaled.append((value, size))
        else:
            return None
    return scaled, offset


def gep_offset(gep: Operation, layout: DataLayout, terms: dict[Term, int]) -> int | None:
    """The constant bytes that a GEP adds; its variable ones go into `terms`. None as above."""
    found = index_scales(gep, layout)
    if found is None:
        return None
    scaled, offset = found
    space = address_space_of(cast(LLVMPointerType, fast.operands_of(gep)[0].type))
    bits = layout.pointer_bits(space)
    for value, scale in scaled:
        offset += _linear(value, scale, terms, bits)
    return offset


_CASTS = frozenset({"llvm.bitcast", "llvm.addrspacecast"})


class Addresses:
    """The pointers of a function taken apart, remembered."""

    def __init__(self, layout: DataLayout) -> None:
        self.layout = layout
        self._known: dict[SSAValue, Address] = {}

    def address(self, pointer: SSAValue) -> Address:
        """The pointer taken apart, looking through GEPs and casts, also of address spaces."""
        found = self._known.get(pointer)
        if found is None:
            found = self._known[pointer] = self._take_apart(pointer)
        return found

    def _take_apart(self, pointer: SSAValue) -> Address:
        at = pointer
        offset = 0
        terms: dict[Term, int] = {}
        while isinstance(at, OpResult):
            op = at.op
            if op.__class__ is GEPOp:
                inner = dict(terms)
                step = gep_offset(op, self.layout, inner)
                if step is None:
                    break
                offset += step
                terms = inner
            elif op.name not in _CASTS or (op.__class__ is BitcastOp and integer_width(at.type)):
                break
            at = fast.operands_of(op)[0]
        return Address(
            base_of(at), at, offset, {term: scale for term, scale in terms.items() if scale}
        )

    def objects(self, pointer: SSAValue) -> list[Base] | None:
        """What the pointer may come from, through selects and block arguments too.

        None when there are too many.
        """
        found: dict[Base, None] = {}
        work = [self.address(pointer).value]
        seen = set(work)
        while work:
            value = work.pop()
            sources: list[SSAValue] = []
            if isinstance(value, OpResult) and isinstance(value.op, SelectOp):
                sources = list(fast.operands_of(value.op))[1:]
            elif isinstance(value, BlockArgument) and value.block.first_use is not None:
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
        """Takes what is remembered apart anew; raises AssertionError where it differs."""
        fresh = Addresses(self.layout)
        for pointer, address in self._known.items():
            assert fresh.address(pointer) == address, f"the address {value_name(pointer)} is stale"


def base_of(value: SSAValue) -> Base:
    """The value, or the name of the global whose address it is."""
    if isinstance(value, OpResult) and isinstance(value.op, AddressOfOp):
        name = value.op.properties["global_name"]
        if isinstance(name, SymbolRefAttr):
            return name.root_reference.data
    return value


def is_alloca(base: Base) -> bool:
    """Whether the object is memory that an alloca makes."""
    return isinstance(base, OpResult) and isinstance(base.op, AllocaOp)
