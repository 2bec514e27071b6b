"""Masked loads and stores, one element after the other."""

from __future__ import annotations

from xdsl.dialects.llvm import MaskedStoreOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.codegen.rules.loads_stores import load_value, store_value
from nvvm_xdsl.codegen.selector import Address, Part, Parts, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import Shape
from nvvm_xdsl.codegen.vector_elements import define_elements, vector_elements
from nvvm_xdsl.dialects.llvm.accessors import int_property
from nvvm_xdsl.dialects.llvm.ops import MaskedLoadOp
from nvvm_xdsl.dialects.nvptx import control_flow as machine
from nvvm_xdsl.dialects.nvptx.registers import PRED
from nvvm_xdsl.ir.fast import operands_of


def _element_alignment(sel: Selector, op: Operation, element: Shape) -> int:
    size = sel.module.layout.store_size(element.type)
    stated = int_property(op, "alignment") or sel.module.layout.alignment(element.type)
    return min(stated, size & -size)


def _load_if(
    sel: Selector,
    predicate: Part,
    address: Address,
    element: Shape,
    alignment: int,
    otherwise: Parts,
) -> Parts:
    known = immediate_value(predicate)
    mods = address.suffix[1:]
    if known is not None:
        if not known & 1:
            return otherwise
        return load_value(sel, address, element, alignment, mods)
    loading, done = sel.new_block(), sel.new_block(element.parts)
    default = [sel.materialise(p, r) for p, r in zip(otherwise, element.parts)]
    register = sel.materialise(predicate, PRED)
    sel.append(machine.conditional_branch(register, loading, done, (), default))
    sel.start_block(loading)
    loaded = load_value(sel, address, element, alignment, mods)
    values = [sel.materialise(p, r) for p, r in zip(loaded, element.parts)]
    sel.append(machine.branch(done, values))
    sel.start_block(done)
    return tuple(done.args)


@selects(MaskedLoadOp)
def select_masked_load(sel: Selector, op: Operation) -> None:
    """Loads the enabled elements; the others are those of the last operand."""
    pointer, mask, *rest = operands_of(op)
    result = op.results[0]
    element = sel.shape(result).element
    address = sel.memory_address(pointer)
    alignment = _element_alignment(sel, op, element)
    step = sel.module.layout.size(element.type)
    predicates = [lane[0] for lane in vector_elements(sel, mask)]
    otherwise: list[Parts] = vector_elements(sel, rest[0]) if rest else [()] * len(predicates)
    lanes: list[Parts] = []
    for index, predicate in enumerate(predicates):
        place = address.plus(index * step)
        lanes.append(_load_if(sel, predicate, place, element, alignment, otherwise[index]))
    define_elements(sel, result, lanes)


@selects(MaskedStoreOp)
def select_masked_store(sel: Selector, op: Operation) -> None:
    """Stores the enabled elements."""
    value, pointer, mask = operands_of(op)
    element = sel.shape(value).element
    address = sel.memory_address(pointer)
    alignment = _element_alignment(sel, op, element)
    step = sel.module.layout.size(element.type)
    mods = address.suffix[1:]
    predicates: list[SSAValue | None] = []
    lanes = vector_elements(sel, value)
    for (part,) in vector_elements(sel, mask):
        known = immediate_value(part)
        predicates.append(None if known is not None else sel.materialise(part, PRED))
    for index, (parts, (part,)) in enumerate(zip(lanes, vector_elements(sel, mask))):
        place = address.plus(index * step)
        predicate = predicates[index]
        if predicate is None:
            if (immediate_value(part) or 0) & 1:
                store_value(sel, place, parts, element, alignment, mods)
            continue
        storing, done = sel.new_block(), sel.new_block()
        sel.append(machine.conditional_branch(predicate, storing, done))
        sel.start_block(storing)
        store_value(sel, place, parts, element, alignment, mods)
        sel.append(machine.branch(done))
        sel.start_block(done)
