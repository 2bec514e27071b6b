"""Matrix products of the tensor cores, and moves of their operands."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.execution.memory import SHARED
from nvvm_xdsl.simulator.matrix import ldmatrix, mma
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError, Value
from nvvm_xdsl.simulator.sass.integer_instructions import allow
from nvvm_xdsl.simulator.sass.memory_instructions import address_in

_SHAPES: Final = {
    "1684": (16, 8, 4),
    "1688": (16, 8, 8),
    "16816": (16, 8, 16),
    "16832": (16, 8, 32),
    "16864": (16, 8, 64),
    "168128": (16, 8, 128),
    "168256": (16, 8, 256),
    "884": (8, 8, 4),
    "8816": (8, 8, 16),
    "8832": (8, 8, 32),
    "88128": (8, 8, 128),
    "8x8x4": (8, 8, 4),
    "16x8x4": (16, 8, 4),
    "16x8x8": (16, 8, 8),
    "16x8x16": (16, 8, 16),
}
"""Rows, columns and depth of a product, by modifier."""

_INTEGERS: Final = {"S8": "s8", "U8": "u8", "S4": "s4", "U4": "u4"}


def _registers(operand: Operand, count: int, emitter: Emitter) -> list[str]:
    return [emitter.form(emitter.value(operand, i), "u4") for i in range(count)]


def _shape(op: InstructionOp) -> tuple[int, int, int]:
    shape = next((_SHAPES[m] for m in op.modifiers if m in _SHAPES), None)
    if shape is None:
        raise UnknownInstructionError(op.opcode)
    return shape


def _product(op: InstructionOp, form: mma.Form, emitter: Emitter) -> None:
    """Generates `D = A * B + C`; a sparse A also has metadata and a selector."""
    result, *operands = op.parsed
    names: list[str] = []
    for operand, count in zip(operands, form.registers[:3]):
        if operand.negated or operand.absolute or set(operand.suffixes) - {"ROW", "COL"}:
            raise UnknownInstructionError(op.opcode)
        names += _registers(operand, count, emitter)
    if form.sparse:
        metadata, selector = operands[3:]
        names += [emitter.u4(metadata), emitter.u4(selector)]
    function = emitter.constant(mma.product(form, emitter.site))
    out = emitter.assign(f"{function}(blk, {emitter.active_lanes()}, None, {', '.join(names)})")
    for i in range(form.registers[3]):
        emitter.set(result, Value(u4=emitter.assign(f"{out}[{i}].view(u4)")), i)


_LAYOUTS: Final = ("row", "col")


def _hmma(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_SHAPES, "F32", "F16", "BF16", "TF32", "SP")
    factor = "bf16" if "BF16" in modifiers else "tf32" if "TF32" in modifiers else "f16"
    total = "f32" if "F32" in modifiers else "f16"
    form = mma.Form(
        *_shape(op), total, factor, factor, total, layouts=_LAYOUTS, sparse="SP" in modifiers
    )
    _product(op, form, emitter)


def _imma(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_SHAPES, *_INTEGERS, "SAT", "SP")
    types = [_INTEGERS[m] for m in op.modifiers if m in _INTEGERS]
    if len(types) != 2:
        raise UnknownInstructionError(op.opcode)
    a, b = types
    form = mma.Form(
        *_shape(op), "s32", a, b, "s32",
        layouts=_LAYOUTS, saturate="SAT" in modifiers, sparse="SP" in modifiers,
    )  # fmt: skip
    _product(op, form, emitter)


def _bmma(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_SHAPES, "XOR", "AND", "POPC")
    operation = "xor" if "XOR" in modifiers else "and"
    form = mma.Form(
        *_shape(op), "s32", "b1", "b1", "s32", layouts=_LAYOUTS, bit_operation=operation
    )
    _product(op, form, emitter)


def _dmma(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, *_SHAPES)
    form = mma.Form(*_shape(op), "f64", "f64", "f64", "f64", layouts=_LAYOUTS)
    result, *operands = op.parsed
    names: list[str] = []
    for operand, count in zip(operands, form.registers[:3]):
        for i in range(count):
            low, high = (emitter.value(operand, 2 * i + half) for half in (0, 1))
            names.append(emitter.form(emitter.pair(low, high), "u8"))
    function = emitter.constant(mma.product(form, emitter.site))
    out = emitter.assign(f"{function}(blk, {emitter.active_lanes()}, None, {', '.join(names)})")
    for i in range(form.registers[3]):
        whole = Value(u8=emitter.assign(f"{out}[{i}].view(u8)"))
        for half, value in enumerate(emitter.halves(whole)):
            emitter.set(result, value, 2 * i + half)


_TILES: Final = ("16", "M88", "MT88", "2", "4")


def _tiles(op: InstructionOp) -> tuple[int, bool]:
    """The number of matrices that an instruction moves, and whether it transposes them."""
    modifiers = allow(op, *_TILES)
    return (4 if "4" in modifiers else 2 if "2" in modifiers else 1), "MT88" in modifiers


def _ldsm(op: InstructionOp, emitter: Emitter) -> None:
    count, transposed = _tiles(op)
    if emitter.guard is not None:
        raise UnknownInstructionError(op.opcode)
    result, place = op.parsed
    address = address_in(place, SHARED, emitter)
    load = ldmatrix.load_matrices(emitter.site, count, transposed, SHARED)
    function = emitter.constant(load)
    out = emitter.assign(f"{function}(blk, m.bits, None, {address})")
    for i in range(count):
        emitter.set(result, Value(u4=emitter.assign(f"{out}[{i}]")), i)


def _stsm(op: InstructionOp, emitter: Emitter) -> None:
    count, transposed = _tiles(op)
    if emitter.guard is not None:
        raise UnknownInstructionError(op.opcode)
    place, source = op.parsed
    address = address_in(place, SHARED, emitter)
    values = ", ".join(_registers(source, count, emitter))
    store = ldmatrix.store_matrices(emitter.site, count, transposed, SHARED)
    emitter.line(f"{emitter.constant(store)}(blk, m.bits, None, {address}, {values})")


def _movm(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "16", "MT88")
    if "MT88" not in modifiers:
        raise UnknownInstructionError(op.opcode)
    result, source = op.parsed
    function = emitter.constant(ldmatrix.move_matrix)
    emitter.set_u4(
        result, f"{function}(blk, {emitter.active_lanes()}, None, {emitter.u4(source)})[0]"
    )


ROWS: Final = {
    "HMMA": _hmma,
    "IMMA": _imma,
    "BMMA": _bmma,
    "DMMA": _dmma,
    "LDSM": _ldsm,
    "STSM": _stsm,
    "MOVM": _movm,
}
