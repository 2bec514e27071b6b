"""Instructions that exchange values between the lanes of a fragment."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.ptx import warp_ops
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError
from nvvm_xdsl.simulator.sass.integer_instructions import allow, is_predicate

_SHUFFLES: Final = {"IDX": "idx", "UP": "up", "DOWN": "down", "BFLY": "bfly"}


def _shfl(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, *_SHUFFLES)
    valid, result, value, offset, bounds = op.parsed
    lanes = emitter.active_lanes()
    names = [emitter.u4(o) for o in (offset, bounds, value)]
    function = emitter.constant(warp_ops.shuffle(_SHUFFLES[op.modifiers[0]], emitter.site))
    out = emitter.assign(f"{function}(blk, {lanes}, None, {', '.join(names)})")
    # If the source lane is out of range, the result is the lane's own value.
    first, second = emitter.assign(f"{out}[0]"), emitter.assign(f"{out}[1]")
    emitter.set_u4(result, first)
    emitter.set_predicate(valid, second)


def _members(lanes: str) -> str:
    return f"blk.warp_words({lanes})[blk.warp_of_lane]"


def _vote(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "ANY", "ALL", "EQ")
    operands = list(op.parsed)
    source = operands.pop()
    lanes = emitter.active_lanes()
    predicate = emitter.predicate(source)
    members = emitter.assign(_members(lanes))
    kind = "uni" if "EQ" in modifiers else "all" if "ALL" in modifiers else "any"

    def vote(name: str) -> str:
        function = emitter.constant(warp_ops.vote(name))
        return emitter.assign(f"{function}(blk, {lanes}, {members}, {predicate})")

    texts: list[tuple[int, str]] = []
    for i, operand in enumerate(operands):
        if operand.number is None:
            continue
        texts.append((i, vote(kind if is_predicate(operand) else "ballot")))
    for i, text in texts:
        if is_predicate(operands[i]):
            emitter.set_predicate(operands[i], text)
        else:
            emitter.set_u4(operands[i], text)


def _match(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "ANY", "ALL", "U64")
    operands = list(op.parsed)
    predicate = operands.pop(0) if is_predicate(operands[0]) else None
    result, value = operands
    lanes = emitter.active_lanes()
    name = emitter.u8(value) if "U64" in modifiers else emitter.u4(value)
    members = emitter.assign(_members(lanes))
    if "ANY" in modifiers:
        function = emitter.constant(warp_ops.match_any)
        emitter.set_u4(result, f"{function}(blk, {lanes}, {members}, {name})")
        return
    function = emitter.constant(warp_ops.match_all)
    out = emitter.assign(f"{function}(blk, {lanes}, {members}, {name})")
    emitter.set_u4(result, f"{out}[0]")
    if predicate is not None:
        emitter.set_predicate(predicate, f"{out}[1]")


_REDUCTIONS: Final = {
    "SUM": "add",
    "AND": "and",
    "OR": "or",
    "XOR": "xor",
    "MIN": "min",
    "MAX": "max",
}


def _redux(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_REDUCTIONS, "S32", "U32", "F32", "NAN", "ABS", "FTZ")
    if modifiers & {"F32", "NAN", "ABS", "FTZ"}:
        raise UnknownInstructionError(op.opcode)
    result, value = op.parsed
    name = next((_REDUCTIONS[m] for m in op.modifiers if m in _REDUCTIONS), "and")
    type_ = "s32" if "S32" in modifiers else "u32"
    lanes = emitter.active_lanes()
    function = emitter.constant(warp_ops.reduce(name, type_))
    members = emitter.assign(_members(lanes))
    out = emitter.assign(f"{function}(blk, {lanes}, {members}, {emitter.u4(value)})")
    # A uniform register has one value for the warp.
    emitter.set_u4(result, f"w.first(m, {out})" if result.file == "UR" else out)


def _elect(op: InstructionOp, emitter: Emitter) -> None:
    operands = list(op.parsed)
    predicate, result, *_ = operands
    lanes = emitter.active_lanes()
    function = emitter.constant(warp_ops.elect)
    members = emitter.assign(_members(lanes))
    out = emitter.assign(f"{function}(blk, {lanes}, {members})")
    emitter.set_predicate(predicate, f"{out}[1]")
    if result.number is not None:
        emitter.set_u4(result, f"{out}[0]")


ROWS: Final = {
    "SHFL": _shfl,
    "VOTE": _vote,
    "VOTEU": _vote,
    "MATCH": _match,
    "REDUX": _redux,
    "CREDUX": _redux,
    "ELECT": _elect,
}
