"""Moves between register files, selections and special registers."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.ptx.special_registers import special_register
from nvvm_xdsl.simulator.sass.emitter import (
    Emitter,
    UnknownInstructionError,
    Value,
    register_operand,
)
from nvvm_xdsl.simulator.sass.integer_instructions import allow, is_predicate

_SPECIAL: Final = {
    **{f"SR_TID.{d.upper()}": f"tid.{d}" for d in "xyz"},
    **{f"SR_CTAID.{d.upper()}": f"ctaid.{d}" for d in "xyz"},
    "SR_LANEID": "laneid",
    "SR_EQMASK": "lanemask_eq",
    "SR_LTMASK": "lanemask_lt",
    "SR_LEMASK": "lanemask_le",
    "SR_GTMASK": "lanemask_gt",
    "SR_GEMASK": "lanemask_ge",
    "SR_CLOCKLO": "clock",
    "SR_CLOCKHI": "clock_hi",
    "SR_VIRTID": "smid",
    "SR_VIRTUALSMID": "smid",
    "SR_GLOBALTIMERLO": "globaltimer_lo",
    "SR_GLOBALTIMERHI": "globaltimer_hi",
    "SR_NSMID": "nsmid",
    "SR_WARPID": "warpid",
}
"""Special registers and the equal PTX registers."""

_OTHERS: Final = {
    "SR_CgaCtaId": "code.block_rank(blk)",
    "SR_SWINHI": "code.word(0x100)",
    "SR_SWINLO": "code.word(0)",
    "SRZ": "code.word(0)",
    # The register selects one of two copies of the cluster data in constant bank 0; only the first
    # copy is filled.
    "SR_CgaSize": "code.word(0)",
    "SR_SMEMSZ": "code.word(blk.grid.dynamic_shared + blk.grid.static_shared)",
    # The lowest address of the stack: the simulator itself reports an overflow.
    "SR_LMEMHIOFF": "code.word(0)",
}


def _special(name: str) -> str:
    expression = _OTHERS.get(name)
    if expression is not None:
        return expression
    known = _SPECIAL.get(name)
    expression = special_register(known) if known is not None else None
    if expression is None:
        raise UnknownInstructionError(f"the special register {name}")
    return expression


def _s2r(op: InstructionOp, emitter: Emitter) -> None:
    allow(op)
    result, source = op.parsed
    emitter.set_u4(result, _special(source.name))


def _cs2r(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "32")
    result, source = op.parsed
    if source.name == "SRZ":
        emitter.set(result, emitter.zero())
        if "32" not in modifiers:
            emitter.set(result, emitter.zero(), 1)
        return
    if "32" in modifiers:
        emitter.set_u4(result, _special(source.name))
        return
    wide = {"SR_CLOCKLO": "clock64", "SR_GLOBALTIMERLO": "globaltimer"}.get(source.name)
    expression = None if wide is None else special_register(wide)
    if expression is None:
        raise UnknownInstructionError(op.opcode)
    emitter.set_wide(result, expression)


def _mov(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "64", "64.UR")
    result, source, *mask = op.parsed
    if mask and mask[0].number != 0xF:
        raise UnknownInstructionError(op.opcode)
    emitter.set(result, emitter.value(source))
    if "64" in modifiers:
        emitter.set(result, emitter.value(source, 1), 1)


def _sel(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "64")
    result, a, b, condition = op.parsed
    chosen = emitter.predicate(condition)
    if "64" in modifiers:
        emitter.set_wide(result, f"np.where({chosen}, {emitter.u8(a)}, {emitter.u8(b)})")
        return
    emitter.set_u4(result, f"np.where({chosen}, {emitter.u4(a)}, {emitter.u4(b)})")


def _fsel(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, "FTZ")
    if "FTZ" in op.modifiers:
        raise UnknownInstructionError(op.opcode)
    result, a, b, condition = op.parsed
    chosen = emitter.predicate(condition)
    emitter.set_f4(result, f"np.where({chosen}, {emitter.f4(a)}, {emitter.f4(b)})")


def _p2r(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "B0", "B1", "B2", "B3")
    result, _, kept, mask = op.parsed
    shift = 8 * next((int(m[1]) for m in modifiers), 0)
    wanted = mask.number or 0
    file = "UP" if result.file == "UR" else "P"
    terms = [
        f"({emitter.form(emitter.register(f'{file}{i}'), 'b')}.astype(u4) << {emitter.number(i + shift)})"
        for i in range(7)
        if wanted >> i & 1
    ]
    keep = emitter.number(~(wanted << shift))
    emitter.set_u4(result, " | ".join([f"({emitter.u4(kept)} & {keep})", *terms]))


def _r2p(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "B0", "B1", "B2", "B3")
    _, source, mask = op.parsed
    suffix = next((s for s in source.suffixes if s in ("B0", "B1", "B2", "B3")), None)
    shift = 8 * next((int(m[1]) for m in [*modifiers, *([suffix] if suffix else [])]), 0)
    name = emitter.u4(source)
    file = "UP" if source.file == "UR" else "P"
    for i in range(7):
        if (mask.number or 0) >> i & 1:
            bit = emitter.number(1 << (i + shift))
            held = Value(b=emitter.assign(f"({name} & {bit}) != {emitter.number(0)}"))
            emitter.set(register_operand(file, i), held)


def _r2ur(op: InstructionOp, emitter: Emitter) -> None:
    """The value of the first active lane; a predicate is true for lanes with other values.

    With `OR` it stays true where it was. ptxas repeats an instruction with uniform operands for the lanes
    for which the predicate is true.
    """
    modifiers = allow(op, "OR")
    operands = list(op.parsed)
    others = operands.pop(0) if is_predicate(operands[0]) else None
    result, source = operands
    value = emitter.u4(source)
    active = emitter.executing_mask()
    first = f"w.first({active}, {value})"
    if active != "m":
        first = f"{value} if {active} is None else {first}"
    first = emitter.assign(first)
    emitter.set_u4(result, first)
    if others is not None:
        before = f"{emitter.predicate(others)} | " if "OR" in modifiers else ""
        emitter.set_predicate(others, f"{before}({value} != {first})")


def _lepc(op: InstructionOp, emitter: Emitter) -> None:
    allow(op)
    result, *labels = op.parsed
    if not labels:
        emitter.set_wide(result, emitter.number(emitter.address, "u8"))
        return
    name = labels[0].name.strip("()")
    emitter.set_wide(result, f"code.label({name!r})")


ROWS: Final = {
    "S2R": _s2r,
    "S2UR": _s2r,
    "CS2R": _cs2r,
    "CS2UR": _cs2r,
    "MOV": _mov,
    "UMOV": _mov,
    "SEL": _sel,
    "USEL": _sel,
    "FSEL": _fsel,
    "UFSEL": _fsel,
    "P2R": _p2r,
    "UP2UR": _p2r,
    "R2P": _r2p,
    "UR2UP": _r2p,
    "R2UR": _r2ur,
    "LEPC": _lepc,
}
