"""Vectors and aggregates: extraction, insertion, shuffles and bitcasts."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.llvm import ExtractValueOp, InsertElementOp, InsertValueOp, ShuffleVectorOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.codegen.module_context import scalars_of, undefined_parts, zero_parts
from nvvm_xdsl.codegen.rules.compare import choose
from nvvm_xdsl.codegen.selector import MOV_TYPES, Part, Parts, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import (
    AGGREGATE,
    LIMB,
    VECTOR,
    Shape,
    integer_register,
    register_width,
)
from nvvm_xdsl.codegen.vector_elements import (
    define_elements,
    join_halves,
    split_halves,
    vector_element,
    vector_elements,
)
from nvvm_xdsl.codegen.widths import boolean, narrowed, resized, resized_part
from nvvm_xdsl.dialects.llvm.accessors import position_of, shuffle_mask_of
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned, signed
from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp
from nvvm_xdsl.dialects.nvptx.operands import fimm, imm
from nvvm_xdsl.dialects.nvptx.registers import B16, B32, F32, F64, PRED, RegisterClass
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.fast import operands_of

# Aggregates


def _field_range(sel: Selector, op: Operation) -> tuple[int, Shape]:
    """The first part and the shape of the field at `position`."""
    shape = sel.shape(operands_of(op)[0])
    first = 0
    for index in position_of(op):
        if shape.kind != AGGREGATE or index >= len(shape.fields):
            raise sel.error(op, f"position {index} is not in {shape.type}")
        inner, at = shape.fields[index]
        first += at
        shape = inner
    return first, shape


@selects(ExtractValueOp, pure=True)
def select_extractvalue(sel: Selector, op: Operation) -> None:
    """A field of an aggregate."""
    first, shape = _field_range(sel, op)
    parts = sel.parts(operands_of(op)[0])
    sel.define(op.results[0], *parts[first : first + len(shape.parts)])


@selects(InsertValueOp, pure=True)
def select_insertvalue(sel: Selector, op: Operation) -> None:
    """An aggregate with one field replaced."""
    first, shape = _field_range(sel, op)
    aggregate, value = operands_of(op)
    parts = sel.parts(aggregate)
    end = first + len(shape.parts)
    sel.define(op.results[0], *parts[:first], *sel.parts(value), *parts[end:])


# Elements of vectors


@selects(ExtractElementOp, pure=True)
def select_extractelement(sel: Selector, op: Operation) -> None:
    """An element of a vector; for a variable index by a chain of selects."""
    vector, index = operands_of(op)
    shape = sel.shape(vector)
    number = constant_unsigned(index)
    if number is not None:
        if number >= shape.count:
            sel.define(op.results[0], *zero_parts(shape.element))
            return
        sel.define(op.results[0], *vector_element(sel, vector, number))
        return
    lanes = vector_elements(sel, vector)
    made = list(lanes[0])
    position = resized(sel, index, 32, signed=False)
    for i, lane in enumerate(lanes[1:], 1):
        here = sel.emit1("setp", "eq.b32", (position, imm(i)), PRED)
        made = [
            choose(sel, here, False, new, old, register)
            for new, old, register in zip(lane, made, shape.element.parts)
        ]
    sel.define(op.results[0], *made)


def _defers_insertion(sel: Selector, op: Operation) -> bool:
    """Returns True if the only use of the result is another insertion into a vector of halves."""
    result = op.results[0]
    if not sel.shape(result).packed or sel.constant(operands_of(op)[2]) is None:
        return False
    use = fast.single_use(result)
    if use is None or use.index != 0 or type(use.operation) is not InsertElementOp:
        return False
    return sel.constant(operands_of(use.operation)[2]) is not None


def _insert_halves(sel: Selector, op: Operation) -> None:
    """A vector of halves from a chain of insertions: each register is packed once."""
    inserted: dict[int, Part] = {}
    count = sel.shape(op.results[0]).count
    at = op
    while True:
        vector, value, index = operands_of(at)
        number = constant_unsigned(index)
        if number is not None and number < count and number not in inserted:
            inserted[number] = sel.parts(value)[0]
        if type(vector) is not OpResult or sel.is_defined(vector):
            break
        before = fast.producer_of(vector)
        if type(before) is not InsertElementOp:
            break
        at = before
    parts = list(sel.parts(vector))
    for pair in sorted({number // 2 for number in inserted}):
        low, high = inserted.get(2 * pair), inserted.get(2 * pair + 1)
        if low is None or high is None:
            old_low, old_high = split_halves(sel, parts[pair])
            low, high = low or old_low, high or old_high
        parts[pair] = join_halves(sel, low, high)
    sel.define(op.results[0], *parts)


@selects(InsertElementOp, deferred=_defers_insertion)
def select_insertelement(sel: Selector, op: Operation) -> None:
    """A vector with one element replaced."""
    vector, value, index = operands_of(op)
    result = op.results[0]
    if sel.shape(result).packed and sel.constant(index) is not None:
        _insert_halves(sel, op)
        return
    shape = sel.shape(vector)
    number = constant_unsigned(index)
    new = sel.parts(value)
    if number is not None:
        if number >= shape.count:
            sel.define(result, *sel.parts(vector))
            return
        parts = list(sel.parts(vector))
        step = len(shape.element.parts)
        parts[step * number : step * (number + 1)] = new
        sel.define(result, *parts)
        return
    position = resized(sel, index, 32, signed=False)
    lanes: list[Parts] = []
    for i, lane in enumerate(vector_elements(sel, vector)):
        here = sel.emit1("setp", "eq.b32", (position, imm(i)), PRED)
        classes = shape.element.parts
        chosen = [choose(sel, here, False, x, y, r) for x, y, r in zip(new, lane, classes)]
        lanes.append(tuple(chosen))
    define_elements(sel, result, lanes)


@selects(ShuffleVectorOp, pure=True)
def select_shufflevector(sel: Selector, op: Operation) -> None:
    """Elements of two vectors in another order."""
    a, b = operands_of(op)
    mask = shuffle_mask_of(op)
    shape = sel.shape(op.results[0])
    count = sel.shape(a).count
    if shape.packed and sel.shape(a).packed:
        whole = _shuffle_whole_pairs(sel, a, b, mask)
        if whole is not None:
            sel.define(op.results[0], *whole)
            return
    undefined = undefined_parts(shape.element)
    lanes: list[Parts] = []
    for index in mask:
        if index < 0:
            lanes.append(undefined)
        elif index < count:
            lanes.append(vector_element(sel, a, index))
        else:
            lanes.append(vector_element(sel, b, index - count))
    define_elements(sel, op.results[0], lanes)


def _shuffle_whole_pairs(
    sel: Selector, a: SSAValue, b: SSAValue, mask: Sequence[int]
) -> list[Part] | None:
    """The registers of a shuffle that keeps pairs of halves together."""
    pairs = [(mask[i], mask[i + 1]) for i in range(0, len(mask), 2)]
    for low, high in pairs:
        if (low >= 0 and low % 2) or (high >= 0 and high % 2 == 0):
            return None
        if low >= 0 and high >= 0 and high != low + 1:
            return None
    registers = [*sel.parts(a), *sel.parts(b)]
    return [
        imm(0) if low < 0 and high < 0 else registers[(low if low >= 0 else high) // 2]
        for low, high in pairs
    ]


# Bitcasts


class Bits:
    """Some bits of a value: the part that contains them, unspecified above `size` bits."""

    __slots__ = ("part", "register", "size")

    def __init__(self, part: Part, size: int, register: RegisterClass) -> None:
        self.part = part
        self.size = size
        self.register = register


def bits_of(sel: Selector, parts: Parts, shape: Shape) -> list[Bits]:
    """A value's bits in order of significance, by register."""
    if (shape.kind == VECTOR and not shape.packed) or shape.kind == AGGREGATE:
        found: list[Bits] = []
        at = 0
        for scalar in scalars_of(shape):
            count = len(scalar.parts)
            found.extend(bits_of(sel, parts[at : at + count], scalar))
            at += count
        return found
    if shape.packed:
        return [Bits(part, 32, B32) for part in parts]
    found = []
    rest = shape.bits
    for part, register in zip(parts, shape.parts):
        found.append(Bits(part, min(rest, LIMB), register))
        rest -= LIMB
    return found


def sizes_of(shape: Shape) -> list[tuple[int, RegisterClass]]:
    """For each register of a value: the number of bits in it, and its class."""
    if (shape.kind == VECTOR and not shape.packed) or shape.kind == AGGREGATE:
        return [size for scalar in scalars_of(shape) for size in sizes_of(scalar)]
    if shape.packed:
        return [(32, B32)] * len(shape.parts)
    found: list[tuple[int, RegisterClass]] = []
    rest = shape.bits
    for register in shape.parts:
        found.append((min(rest, LIMB), register))
        rest -= LIMB
    return found


def repacked(sel: Selector, parts: Parts, source: Shape, target: Shape) -> Parts:
    """A value's bits as parts of a type of the same size."""
    if source.parts == target.parts and sizes_of(source) == sizes_of(target):
        return _retyped(parts, source, target)
    pool = bits_of(sel, parts, source)
    made: list[Part] = []
    for size, register in sizes_of(target):
        made.append(take(sel, pool, size, register))
    return tuple(made)


def restored(sel: Selector, parts: Parts, source: Shape, target: Shape) -> Parts:
    """A value in its memory form from its register form, or the inverse (`Shapes.stored`)."""
    if source is target:
        return parts
    if source.kind != AGGREGATE:
        return repacked(sel, parts, source, target)
    made: list[Part] = []
    for (field, at), (other, _) in zip(source.fields, target.fields):
        made.extend(restored(sel, parts[at : at + len(field.parts)], field, other))
    return tuple(made)


def _retyped(parts: Parts, source: Shape, target: Shape) -> Parts:
    """The same registers; constants as immediates of the new type."""
    if source.ptx == target.ptx:
        return parts
    return tuple(
        [
            _as_immediate(immediate_value(p) or 0, r) if isinstance(p, tuple) else p
            for p, r in zip(parts, target.parts)
        ]
    )


def _as_immediate(value: int, register: RegisterClass) -> Part:
    if register is F32:
        return fimm(value, 32)
    if register is F64:
        return fimm(value, 64)
    return imm(signed(value, register.width))


_SPLITS: dict[int, tuple[RegisterClass, ...]] = {64: (B32, B32), 32: (B16, B16)}


def take(sel: Selector, pool: list[Bits], size: int, register: RegisterClass) -> Part:
    """The next `size` bits in a register of a class."""
    first = pool[0]
    while first.size > size:
        pool[:1] = _halves(sel, first)
        first = pool[0]
    if first.size == size:
        del pool[0]
        return as_register(sel, first, register)
    pieces: list[Bits] = []
    total = 0
    while total < size:
        piece = pool[0]
        if total + piece.size > size:
            pool[:1] = _halves(sel, piece)
            continue
        del pool[0]
        pieces.append(piece)
        total += piece.size
    return as_register(sel, joined(sel, pieces, size), register)


def _halves(sel: Selector, bits: Bits) -> list[Bits]:
    """A piece split in two, low one first."""
    size = bits.size
    value = immediate_value(bits.part)
    half = size // 2 if size % 2 == 0 else 1
    rest = size - half
    low_register = integer_register(register_width(half))
    high_register = integer_register(register_width(rest))
    if value is not None:
        return [
            Bits(imm(signed(value, half)), half, low_register),
            Bits(imm(signed(value >> half, rest)), rest, high_register),
        ]
    if size in _SPLITS and bits.register.width == size:
        register = sel.materialise(bits.part, bits.register)
        low, high = sel.emit("mov", f"b{size}", (register,), _SPLITS[size])
        return [Bits(low, half, _SPLITS[size][0]), Bits(high, half, _SPLITS[size][0])]
    part = as_register(sel, bits, integer_register(register_width(size)))
    width = register_width(size)
    shifted = sel.emit1("shr", f"u{width}", (part, imm(half)), integer_register(width))
    low_part = _narrowed(sel, part, width, half)
    high_part = _narrowed(sel, shifted, width, rest)
    return [Bits(low_part, half, low_register), Bits(high_part, rest, high_register)]


def _narrowed(sel: Selector, part: Part, width: int, bits: int) -> Part:
    target = register_width(bits)
    if target == 1:
        return boolean(sel, part, width)
    if target == width:
        return part
    return sel.emit1("cvt", f"u{target}.u{width}", (part,), integer_register(target))


def joined(sel: Selector, pieces: list[Bits], size: int) -> Bits:
    """Several pieces, low one first, in one integer register."""
    width = register_width(size)
    register = integer_register(width)
    sizes = {piece.size for piece in pieces}
    if width == size and sizes in ({16}, {32}) and width > 16:
        elements = [
            piece.part
            if type(piece.part) is tuple and immediate_value(piece.part) is not None
            else as_register(sel, piece, integer_register(piece.size))
            for piece in pieces
        ]
        elements = [imm(immediate_value(e) or 0) if isinstance(e, tuple) else e for e in elements]
        return Bits(sel.emit1("mov", f"b{width}", (list(elements),), register), size, register)
    if width == size and width > 16 and all(s < 16 for s in sizes) and 16 in _sums(pieces):
        # Bytes are combined to halves first, then halves to the whole.
        halves: list[Bits] = []
        group: list[Bits] = []
        total = 0
        for piece in pieces:
            group.append(piece)
            total += piece.size
            if total == 16:
                halves.append(joined(sel, group, 16))
                group, total = [], 0
        if not group:
            return joined(sel, halves, size)
    made: Part = imm(0)
    at = 0
    for piece in pieces:
        part = as_register(sel, piece, integer_register(register_width(piece.size)))
        part = resized_part(sel, part, piece.size, width, signed=False)
        if at:
            part = sel.emit1("shl", f"b{width}", (part, imm(at)), register)
            made = sel.emit1("or", f"b{width}", (made, part), register)
        else:
            made = part
        at += piece.size
    return Bits(made, size, register)


def _sums(pieces: list[Bits]) -> set[int]:
    found: set[int] = set()
    total = 0
    for piece in pieces:
        total += piece.size
        found.add(total)
    return found


def as_register(sel: Selector, bits: Bits, register: RegisterClass) -> Part:
    """A piece in a register class of its width; constants stay immediates."""
    part = bits.part
    if isinstance(part, tuple):
        value = immediate_value(part)
        if value is not None:
            return _as_immediate(value, register)
        part = sel.materialise(part, bits.register)
    if part.type is register:
        return part
    if bits.register.width > register.width:
        return narrowed(sel, part, bits.register.width, register.width)
    if bits.register.width < register.width:
        if bits.register.is_float:
            same = integer_register(bits.register.width)
            part = sel.emit1("mov", MOV_TYPES[same], (part,), same)
        return resized_part(sel, part, bits.size, register.width, signed=False)
    if type(part) is OpResult:
        # A move from one class to the other and back is no move.
        source = fast.producer_of(part)
        if source.name == "nvptx.mov":
            origin = operands_of(source)
            if len(origin) == 1 and len(source.results) == 1 and origin[0].type is register:
                return origin[0]
    return sel.emit1("mov", MOV_TYPES[register], (part,), register)
