"""Elements of vectors, halves of registers, and pairs of elements in one register."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import OpResult, SSAValue

from nvvm_xdsl.codegen.selector import Part, Parts, Selector, immediate_value
from nvvm_xdsl.codegen.shapes import VECTOR, Shape
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.nvptx.gpus import PACKED_F32
from nvvm_xdsl.dialects.nvptx.instructions import stated_slots
from nvvm_xdsl.dialects.nvptx.operands import (
    REG,
    VECTOR_KIND,
    elements_of,
    imm,
    slot_number,
)
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, F32
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import operands_of


def vector_elements(sel: Selector, value: SSAValue) -> list[Parts]:
    """The parts of each element of a vector; for a scalar, its own parts."""
    return elements_of_parts(sel, sel.parts(value), sel.shape(value))


def elements_of_parts(sel: Selector, parts: Parts, shape: Shape) -> list[Parts]:
    """The parts of each element of a vector of this shape; for a scalar, its own parts."""
    if shape.kind != VECTOR:
        return [parts]
    if not shape.packed:
        step = len(shape.element.parts)
        return [parts[i : i + step] for i in range(0, len(parts), step)]
    found: list[Parts] = []
    for part in parts:
        low, high = split_halves(sel, part)
        found.append((low,))
        found.append((high,))
    return found


def vector_element(sel: Selector, value: SSAValue, index: int) -> Parts:
    """The parts of one element of a vector."""
    shape = sel.shape(value)
    parts = sel.parts(value)
    if shape.packed:
        return (split_halves(sel, parts[index // 2])[index % 2],)
    step = len(shape.element.parts)
    return parts[step * index : step * (index + 1)]


def define_elements(sel: Selector, result: SSAValue, lanes: Sequence[Parts]) -> None:
    """Defines a vector by the parts of its elements; a scalar by its only element's."""
    sel.define(result, *parts_of_elements(sel, lanes, sel.shape(result)))


def parts_of_elements(sel: Selector, lanes: Sequence[Parts], shape: Shape) -> Parts:
    """The parts of a vector of this shape with these elements; of a scalar, its only element's."""
    if not shape.packed:
        return tuple([part for lane in lanes for part in lane])
    return tuple([join_halves(sel, lanes[i][0], lanes[i + 1][0]) for i in range(0, len(lanes), 2)])


def split_halves(sel: Selector, part: Part) -> tuple[Part, Part]:
    """The low and high half of a 32-bit part as 16-bit parts."""
    if isinstance(part, tuple):
        value = slot_number(part)
        return imm(value & 0xFFFF), imm(value >> 16 & 0xFFFF)
    packed = _packed_elements(part)
    if packed is not None:
        return packed
    key = (part, "halves")
    low, high = sel.in_block_of_use(key), sel.in_block_of_use((part, "high"))
    if low is None or high is None:
        low, high = sel.emit("mov", "b32", (part,), (B16, B16))
        sel.remember(key, low)
        sel.remember((part, "high"), high)
    return low, high


def join_halves(sel: Selector, low: Part, high: Part) -> Part:
    """Two 16-bit parts in one of 32 bits."""
    if isinstance(low, tuple) and isinstance(high, tuple):
        bits = slot_number(low) & 0xFFFF
        return imm(slot_number(high) << 16 & 0xFFFF0000 | bits)
    register = _register_of_halves(low, high)
    if register is not None and register.type is B32:
        return register
    return sel.emit1("mov", "b32", ([low, high],), B32)


def packs_f32(sel: Selector, shape: Shape) -> bool:
    """Returns True if the target computes vectors of this shape two f32 at a time."""
    return (
        shape.kind == VECTOR
        and shape.ptx == "f32"
        and shape.count % 2 == 0
        and sel.target.sm in PACKED_F32
    )


def f32_pairs(sel: Selector, parts: Parts) -> Parts:
    """The elements of a vector of f32 in registers of two each."""
    return tuple([_f32_pair(sel, *parts[i : i + 2]) for i in range(0, len(parts), 2)])


def _f32_pair(sel: Selector, low: Part, high: Part) -> SSAValue:
    register = _register_of_halves(low, high)
    if register is not None:
        return register
    key = (low, high, "pair")
    found = sel.in_block_of_use(key)
    if found is None:
        bits = immediate_value(low), immediate_value(high)
        if bits[0] is not None and bits[1] is not None:
            whole = signed(bits[1] << 32 | bits[0] & 0xFFFFFFFF, 64)
            found = sel.materialise(imm(whole), B64)
        else:
            low, high = sel.materialise(low, F32), sel.materialise(high, F32)
            found = join64(sel, low, high)
        sel.remember(key, found)
    return found


def define_f32_pairs(sel: Selector, result: SSAValue, pairs: Parts) -> None:
    """Defines a vector of f32 by registers of two elements each."""
    lanes: list[Part] = []
    for pair in pairs:
        lanes += sel.emit("mov", "b64", (pair,), (F32, F32))
    sel.define(result, *lanes)


def join64(sel: Selector, low: Part, high: Part) -> SSAValue:
    """Two 32-bit parts in one of 64 bits."""
    return sel.emit1("mov", "b64", ([low, high],), B64)


def split64(sel: Selector, part: Part) -> tuple[Part, Part]:
    """The low and high half of a 64-bit part."""
    value = immediate_value(part)
    if value is not None:
        return imm(signed(value, 32)), imm(signed(value >> 32, 32))
    part = sel.materialise(part, B64)
    low, high = sel.emit("mov", "b64", (part,), (B32, B32))
    return low, high


def _packed_elements(register: SSAValue) -> tuple[Part, Part] | None:
    """The two halves from which a register was packed; None if it was not packed."""
    if type(register) is not OpResult:
        return None
    op = fast.producer_of(register)
    if op.name != "nvptx.mov" or len(op.results) != 1:
        return None
    slots = stated_slots(op)
    if not slots or slots[0][0] != VECTOR_KIND:
        return None
    (slot,) = slots
    registers = iter(operands_of(op))
    elements: list[Part] = [next(registers) if s is REG else s for s in elements_of(slot)]
    return (elements[0], elements[1]) if len(elements) == 2 else None


def _register_of_halves(low: Part, high: Part) -> SSAValue | None:
    """The register that a `mov` unpacked into two parts, low and high."""
    if type(low) is not OpResult or type(high) is not OpResult:
        return None
    source = fast.producer_of(low)
    if (
        source is fast.producer_of(high)
        and source.name == "nvptx.mov"
        and low.index == 0
        and high.index == 1
    ):
        return operands_of(source)[0]
    return None
