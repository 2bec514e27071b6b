"""Vectors of pointers: `getelementptr` and `addrspacecast`, one element after the other."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import AddressOfOp, GEPOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.codegen.rules.addresses import (
    find_now,
    pointer_register,
    select_addrspacecast,
    select_gep,
)
from nvvm_xdsl.codegen.selector import Address, Part, Selector, immediate_value, selects
from nvvm_xdsl.codegen.vector_elements import define_elements, vector_elements
from nvvm_xdsl.codegen.widths import resized_part
from nvvm_xdsl.dialects.llvm.accessors import scalar_type
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B32, B64
from nvvm_xdsl.ir.fast import operands_of


def _is_vector(op: Operation) -> bool:
    return isinstance(op.results[0].type, VectorType)


def _lane(sel: Selector, value: SSAValue, number: int) -> Part:
    """An element of a vector; a scalar represents all of them."""
    lanes = vector_elements(sel, value)
    return lanes[number if len(lanes) > 1 else 0][0]


@selects(GEPOp, AddressOfOp, replaces=True, deferred=find_now)
def select_vector_gep(sel: Selector, op: Operation) -> None:
    """Addresses of elements, from one pointer or several."""
    if not _is_vector(op):
        select_gep(sel, op)
        return
    found = gep_offset(op, sel.module.layout)
    if found is None:
        raise sel.error(op, "the indices do not lead through the type, or are not constant")
    result = op.results[0]
    register = sel.shape(result).element.parts[0]
    width = register.width
    lanes: list[tuple[Part, ...]] = []
    for number in range(len(sel.shape(result).parts)):
        at: Part = _lane(sel, operands_of(op)[0], number)
        for value, scale in found.terms:
            bits = sel.shape_of(scalar_type(value.type)).bits
            index = resized_part(sel, _lane(sel, value, number), bits, width, signed=True)
            at = _moved(sel, at, index, scale, width)
        if found.constant:
            at = sel.emit1("add", f"s{width}", (at, imm(found.constant)), register)
        lanes.append((at,))
    define_elements(sel, result, lanes)


def _moved(sel: Selector, base: Part, index: Part, scale: int, width: int) -> Part:
    register = B64 if width == 64 else B32
    known = immediate_value(index)
    if known is not None:
        total = known * scale
        return sel.emit1("add", f"s{width}", (base, imm(total)), register) if total else base
    return sel.emit1("mad", f"lo.s{width}", (index, imm(scale), base), register)


@selects(AddrSpaceCastOp, replaces=True, deferred=find_now)
def select_vector_addrspacecast(sel: Selector, op: Operation) -> None:
    """Pointers into another space."""
    if not _is_vector(op):
        select_addrspacecast(sel, op)
        return
    (source,) = operands_of(op)
    result = op.results[0]
    spaces = [sel.module.pointer_space(scalar_type(v.type)) for v in (source, result)]
    lanes: list[tuple[Part, ...]] = []
    for (part,) in vector_elements(sel, source):
        register = sel.materialise(part, sel.shape(source).element.parts[0])
        lanes.append((pointer_register(sel, Address(register, "", 0, spaces[0]), spaces[1]),))
    define_elements(sel, result, lanes)
