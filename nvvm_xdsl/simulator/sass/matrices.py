"""Matrix products of the tensor cores, and loads of their operands."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.execution.memory import SHARED
from nvvm_xdsl.simulator.matrix import ldmatrix, mma
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError, Value
from nvvm_xdsl.simulator.sass.integers import allow
from nvvm_xdsl.simulator.sass.memory import address_in

_SHAPES: Final = {"16816": (16, 8, 16), "1688": (16, 8, 8)}


def _registers(operand: Operand, count: int, emitter: Emitter) -> list[str]:
    return [emitter.form(emitter.value(operand, i), "u4") for i in range(count)]


def _hmma(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_SHAPES, "F32", "F16", "BF16")
    result, a, b, c = op.parsed
    shape = next((_SHAPES[m] for m in op.modifiers if m in _SHAPES), None)
    if shape is None or emitter.guard is not None:
        raise UnknownInstructionError(op.opcode)
    factor = "bf16" if "BF16" in modifiers else "f16"
    total = "f32" if "F32" in modifiers else "f16"
    form = mma.Form(*shape, total, factor, factor, total, layouts=("row", "col"))
    counts = form.registers
    names = [
        name
        for operand, count in zip((a, b, c), counts)
        for name in _registers(operand, count, emitter)
    ]
    function = emitter.constant(mma.product(form, emitter.site))
    out = emitter.assign(f"{function}(blk, m.bits, None, {', '.join(names)})")
    for i in range(counts[3]):
        emitter.set(result, Value(u4=emitter.assign(f"{out}[{i}].view(u4)")), i)


def _ldsm(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "16", "M88", "MT88", "2", "4")
    if emitter.guard is not None:
        raise UnknownInstructionError(op.opcode)
    result, place = op.parsed
    count = 4 if "4" in modifiers else 2 if "2" in modifiers else 1
    address = address_in(place, SHARED, emitter)
    load = ldmatrix.load_matrices(emitter.site, count, "MT88" in modifiers, SHARED)
    function = emitter.constant(load)
    out = emitter.assign(f"{function}(blk, m.bits, None, {address})")
    for i in range(count):
        emitter.set(result, Value(u4=emitter.assign(f"{out}[{i}]")), i)


ROWS: Final = {"HMMA": _hmma, "LDSM": _ldsm}
