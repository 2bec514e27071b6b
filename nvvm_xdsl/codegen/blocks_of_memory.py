"""memcpy, memmove and memset: straight-line code for small known sizes, loops for others."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.codegen.abi import chunk_shape, copy_bytes
from nvvm_xdsl.codegen.addresses import address_register, to_generic
from nvvm_xdsl.codegen.memory import load_value, store_value
from nvvm_xdsl.codegen.selector import (
    GENERIC,
    PARAM,
    Address,
    Part,
    Parts,
    Selector,
    immediate_value,
    selects,
)
from nvvm_xdsl.codegen.widths import resized, resized_part
from nvvm_xdsl.dialects.llvm.ops import (
    MemcpyInlineOp,
    MemcpyOp,
    MemmoveOp,
    MemsetInlineOp,
    MemsetOp,
)
from nvvm_xdsl.dialects.nvptx import control_flow as machine
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, B64, PRED
from nvvm_xdsl.ir.fast import operands_of

STRAIGHT_ACCESSES = 16
"""Up to so many accesses are written out; more become a loop."""

WIDEST = 16
"""Bytes of the widest access in a loop."""


def _alignment(op: Operation, index: int) -> int:
    """The alignment that a call states for a pointer argument."""
    listed = op.properties.get("arg_attrs", op.attributes.get("arg_attrs"))
    if isinstance(listed, ArrayAttr):
        entries = cast("ArrayAttr[Any]", listed).data
        if index < len(entries) and isinstance(entries[index], DictionaryAttr):
            attr = cast("dict[str, Any]", entries[index].data).get("llvm.align")
            if isinstance(attr, IntegerAttr):
                return cast("IntegerAttr[Any]", attr).value.data
    return 1


def known_alignment(sel: Selector, op: Operation, index: int, value: SSAValue) -> int:
    """The alignment of a pointer argument: stated, or known of where it points."""
    stated = _alignment(op, index)
    address = sel.memory_address(value)
    root = address.root
    if address.base is None and root.__class__ is OpResult:
        owner = cast(OpResult, root).op
        attr = owner.properties.get("alignment")
        if attr is not None and owner.name == "llvm.alloca":
            base = cast("IntegerAttr[Any]", attr).value.data
            while base > stated and address.offset % base:
                base //= 2
            stated = max(stated, base)
    return stated


def _length(sel: Selector, op: Operation) -> tuple[int | None, Part]:
    """The number of bytes: if it is known, and as a 64-bit part."""
    attr = op.properties.get("len")
    if attr is not None:
        number = cast("IntegerAttr[Any]", attr).value.data
        return number, imm(number)
    value = operands_of(op)[2]
    number = sel.constant(value)
    if number is not None:
        bits = sel.shape(value).bits
        number &= (1 << bits) - 1
        return number, imm(number)
    return None, resized(sel, value, 64, signed=False)


def _loop(sel: Selector, count: Part, step: int, body: Any, *, down: bool = False) -> None:
    """Runs `body(offset)` for offsets 0, step, ... below `count`, a multiple of step, > 0.

    With `down` the offsets run from count - step down to 0.
    """
    head = sel.new_block((B64,))
    after = sel.new_block()
    start = sel.materialise(count if down else imm(0), B64)
    sel.append(machine.branch(head, (start,)))
    sel.start_block(head)
    index: SSAValue = head.args[0]
    if down:
        index = sel.emit1("add", "s64", (index, imm(-step)), B64)
        body(index)
        again = sel.emit1("setp", "ne.b64", (index, imm(0)), PRED)
        following = index
    else:
        body(index)
        following = sel.emit1("add", "s64", (index, imm(step)), B64)
        again = sel.emit1("setp", "lt.u64", (following, count), PRED)
    sel.append(machine.conditional_branch(again, head, after, (following,), ()))
    sel.start_block(after)


def _unless_zero(sel: Selector, count: Part) -> Block | None:
    """Skips what follows when a number is zero; returns the block to start after it."""
    value = immediate_value(count)
    if value is not None:
        return None
    after = sel.new_block()
    work = sel.new_block()
    empty = sel.emit1("setp", "eq.b64", (count, imm(0)), PRED)
    sel.append(machine.conditional_branch(empty, after, work))
    sel.start_block(work)
    return after


def _finish(sel: Selector, after: Block | None) -> None:
    if after is not None:
        sel.append(machine.branch(after))
        sel.start_block(after)


def _moved(sel: Selector, address: Address, register: SSAValue, index: SSAValue) -> Address:
    at = sel.emit1("add", "s64", (register, index), B64)
    return Address(at, "", 0, address.space, address.root)


def _wide_base(sel: Selector, address: Address) -> SSAValue:
    register = address_register(sel, address)
    if register.type is not B64:
        register = sel.emit1("cvt", "u64.u32", (register,), B64)
    return register


def _copy_step(sel: Selector, target: Address, source: Address, size: int, alignment: int) -> None:
    shape = chunk_shape(sel, size, alignment)
    parts = load_value(sel, source, shape, alignment, source.suffix[1:])
    store_value(sel, target, parts, shape, alignment, target.suffix[1:])


def _copy(
    sel: Selector, target: Address, source: Address, known: int | None, length: Part, alignment: int
) -> None:
    step = min(alignment, WIDEST)
    if known is not None and known <= STRAIGHT_ACCESSES * step:
        copy_bytes(sel, target, source, known, alignment)
        return
    to, origin = _wide_base(sel, target), _wide_base(sel, source)

    def copy_steps(size: int) -> Any:
        def body(index: SSAValue) -> None:
            _copy_step(
                sel,
                _moved(sel, target, to, index),
                _moved(sel, source, origin, index),
                size,
                size,
            )

        return body

    if known is not None:
        whole = known - known % step
        _loop(sel, imm(whole), step, copy_steps(step))
        to_rest = Address(to, "", whole, target.space, target.root)
        from_rest = Address(origin, "", whole, source.space, source.root)
        copy_bytes(sel, to_rest, from_rest, known - whole, alignment)
        return
    if step == 1:
        after = _unless_zero(sel, length)
        _loop(sel, length, 1, copy_steps(1))
        _finish(sel, after)
        return
    whole_part = sel.emit1("and", "b64", (length, imm(-step)), B64)
    after = _unless_zero(sel, whole_part)
    _loop(sel, whole_part, step, copy_steps(step))
    _finish(sel, after)
    rest = sel.emit1("and", "b64", (length, imm(step - 1)), B64)
    after = _unless_zero(sel, rest)

    def copy_rest(index: SSAValue) -> None:
        at = sel.emit1("add", "s64", (whole_part, index), B64)
        _copy_step(sel, _moved(sel, target, to, at), _moved(sel, source, origin, at), 1, 1)

    _loop(sel, rest, 1, copy_rest)
    _finish(sel, after)


@selects(MemcpyOp, MemcpyInlineOp)
def select_memcpy(sel: Selector, op: Operation) -> None:
    """Copies bytes between places that do not overlap."""
    target, source = operands_of(op)[:2]
    known, length = _length(sel, op)
    if known == 0:
        return
    alignment = min(known_alignment(sel, op, 0, target), known_alignment(sel, op, 1, source))
    _copy(sel, sel.memory_address(target), sel.memory_address(source), known, length, alignment)


@selects(MemmoveOp)
def select_memmove(sel: Selector, op: Operation) -> None:
    """Copies bytes between places that may overlap: all at once, or in the safe direction."""
    to, origin = operands_of(op)[:2]
    known, length = _length(sel, op)
    if known == 0:
        return
    target, source = sel.memory_address(to), sel.memory_address(origin)
    alignment = min(known_alignment(sel, op, 0, to), known_alignment(sel, op, 1, origin))
    step = min(alignment, WIDEST)
    apart = target.space != source.space and GENERIC not in (target.space, source.space)
    if apart or source.space == PARAM:
        _copy(sel, target, source, known, length, alignment)
        return
    if known is not None and known <= STRAIGHT_ACCESSES * step:
        shape = chunk_shape(sel, known, alignment)
        parts = load_value(sel, source, shape, alignment, source.suffix[1:])
        store_value(sel, target, parts, shape, alignment, target.suffix[1:])
        return
    to_register, from_register = _wide_base(sel, target), _wide_base(sel, source)
    first, second = to_register, from_register
    if target.space != source.space:
        first = to_generic(sel, first, target.space)
        second = to_generic(sel, second, source.space)
    after = _unless_zero(sel, length)
    up, down = sel.new_block(), sel.new_block()
    below = sel.emit1("setp", "lt.u64", (first, second), PRED)
    done = sel.new_block()
    sel.append(machine.conditional_branch(below, up, down))

    # Steps wider than a byte would need the length and the distance to be multiples of them.
    def body(index: SSAValue) -> None:
        _copy_step(
            sel,
            _moved(sel, target, to_register, index),
            _moved(sel, source, from_register, index),
            1,
            1,
        )

    sel.start_block(up)
    _loop(sel, length, 1, body)
    sel.append(machine.branch(done))
    sel.start_block(down)
    _loop(sel, length, 1, body, down=True)
    sel.append(machine.branch(done))
    sel.start_block(done)
    _finish(sel, after)


def _splat(sel: Selector, byte: Part, size: int) -> Part:
    """A byte repeated to fill `size` bytes."""
    value = immediate_value(byte)
    if value is not None:
        whole = int.from_bytes(bytes([value & 0xFF]) * size, "little")
        bits = 8 * size
        return imm(whole - (1 << bits) if whole >> (bits - 1) else whole)
    if size == 1:
        return byte
    wide = resized_part(sel, byte, 8, 32, signed=False)
    word = sel.emit1("prmt", "b32", (wide, imm(0), imm(0)), B32)
    if size == 4:
        return word
    if size == 2:
        return sel.emit("mov", "b32", (word,), (B16, B16))[0]
    return sel.join64(word, word)


@selects(MemsetOp, MemsetInlineOp)
def select_memset(sel: Selector, op: Operation) -> None:
    """Fills memory with one byte."""
    pointer, value = operands_of(op)[:2]
    known, length = _length(sel, op)
    if known == 0:
        return
    target = sel.memory_address(pointer)
    alignment = known_alignment(sel, op, 0, pointer)
    byte = sel.operand(value)
    step = min(alignment, WIDEST)
    splats: dict[int, Part] = {}

    def fill(address: Address, size: int, aligned: int) -> None:
        shape = chunk_shape(sel, size, aligned)
        parts: list[Part] = []
        for register, (field, _) in zip(shape.parts, shape.fields):
            width = field.bits // 8
            if width not in splats:
                splats[width] = _splat(sel, byte, width)
            parts.append(splats[width])
            assert register.width >= field.bits
        whole: Parts = tuple(parts)
        store_value(sel, address, whole, shape, aligned, address.suffix[1:])

    if known is not None and known <= STRAIGHT_ACCESSES * step:
        fill(target, known, alignment)
        return
    # The loop's values are made in front of it, where they hold for all that follows.
    for width in (1, 2, 4, 8):
        if width <= step:
            splats[width] = _splat(sel, byte, width)
    to = _wide_base(sel, target)

    def body(size: int) -> Any:
        def fill_step(index: SSAValue) -> None:
            fill(_moved(sel, target, to, index), size, size)

        return fill_step

    if known is not None:
        whole = known - known % step
        _loop(sel, imm(whole), step, body(step))
        if known > whole:
            fill(Address(to, "", whole, target.space, target.root), known - whole, alignment)
        return
    whole_part = length
    if step > 1:
        whole_part = sel.emit1("and", "b64", (length, imm(-step)), B64)
    after = _unless_zero(sel, whole_part)
    _loop(sel, whole_part, step, body(step))
    _finish(sel, after)
    if step == 1:
        return
    rest = sel.emit1("and", "b64", (length, imm(step - 1)), B64)
    after = _unless_zero(sel, rest)
    base = sel.emit1("add", "s64", (to, whole_part), B64)

    def fill_rest(index: SSAValue) -> None:
        fill(_moved(sel, target, base, index), 1, 1)

    _loop(sel, rest, 1, fill_rest)
    _finish(sel, after)
