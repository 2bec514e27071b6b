"""Loads, stores, atomics and constant loads."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.execution.memory import GENERIC, GLOBAL, LOCAL, SHARED
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError, register_operand
from nvvm_xdsl.simulator.sass.integers import allow, is_predicate

_IGNORED: Final = (
    "E CONSTANT STRONG WEAK SYS GPU CTA SM CLUSTER MMIO EF EL LU NA EU PRIVATE LTC64B LTC128B LTC256B BYPASS "
    "U CV".split()
)
"""Modifiers about caches and ordering: the simulator's memory is sequentially consistent."""

_SIZES: Final = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "32": 4, "64": 8, "128": 16}


_SCALES: Final[dict[tuple[str, ...], int]] = {("X4",): 2, ("X8",): 3, ("X16",): 4}
"""Shifts of the base register of an address in shared memory."""


def _size(op: InstructionOp, more: tuple[str, ...] = ()) -> tuple[int, bool]:
    modifiers = allow(op, *_IGNORED, *_SIZES, *more)
    found = [m for m in op.modifiers if m in _SIZES]
    if len(found) > 1:
        raise UnknownInstructionError(op.opcode)
    return (_SIZES[found[0]] if found else 4), bool(modifiers & {"S8", "S16"})


def address_in(operand: Operand, window: int, emitter: Emitter) -> str:
    """The address in the simulator's window."""
    if operand.kind != "memory":
        raise UnknownInstructionError(operand.text)
    offset = operand.number or 0
    uniform = operand.uniform
    base = operand.base
    if window in (SHARED, LOCAL):
        terms = [emitter.u4(o) for o in (base, uniform) if o is not None and o.number is not None]
        if base is not None and base.suffixes:
            scale = _SCALES.get(base.suffixes)
            if scale is None or base.number is None:
                raise UnknownInstructionError(operand.text)
            terms[0] = f"({terms[0]} << {emitter.number(scale)})"
        if offset or not terms:
            terms.append(emitter.number(offset))
        total = emitter.assign(" + ".join(terms))
        if window == SHARED:
            return emitter.assign(f"code.shared({total}, shift)")
        return emitter.assign(f"{total}.astype(u8)")
    terms: list[str] = []
    if base is not None and base.number is not None:
        suffixes = base.suffixes
        if suffixes == ("U32",):
            terms.append(f"{emitter.u4(base)}.astype(u8)")
        elif suffixes in ((), ("64",)):
            terms.append(emitter.u8(base))
        else:
            raise UnknownInstructionError(operand.text)
    if (
        uniform is not None
        and uniform.number is not None
        and "desc" not in operand.text.split("[")[0]
    ):
        terms.append(emitter.u8(uniform))
    elif uniform is not None and uniform.number is not None:
        terms.append(emitter.u8(uniform))
    if offset or not terms:
        terms.append(emitter.number(offset, "u8"))
    total = emitter.assign(" + ".join(terms))
    if window == GENERIC:
        return emitter.assign(f"code.generic({total}, shift)")
    return total


def _mask(emitter: Emitter) -> str:
    """The variable of the lanes that execute the instruction, possibly None at run time."""
    if emitter.guard is None:
        return "m"
    return emitter.assign(f"w.guard(m, {emitter.guard})")


def _load(window: int):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        size, signed = _size(op)
        operands = list(op.parsed)
        while len(operands) > 1 and is_predicate(operands[0]):
            if operands.pop(0).number is not None:
                raise UnknownInstructionError(op.opcode)
        result, place, *rest = operands
        if any(not (is_predicate(o) and o.number is None) for o in rest):
            raise UnknownInstructionError(op.opcode)
        address = address_in(place, window, emitter)
        mask = _mask(emitter)
        access = emitter.temporary()
        call = f"blk.access({emitter.site}, {mask}, {address}, {window}, {size}, {size}, 'load')"
        if mask == "m":
            emitter.line(f"{access} = {call}")
        else:
            emitter.line(f"{access} = None if {mask} is None else {call}")
        for at in range(0, size, 8):
            part = min(8, size - at)
            loaded = f"{access}.load({part}, {at})" if at else f"{access}.load({part})"
            if mask != "m":
                zero = emitter.number(0, "u8" if part == 8 else "u4")
                loaded = f"({zero} if {mask} is None else {loaded})"
            if part == 8:
                emitter.set_wide(_later(result, at // 4), loaded)
            elif part == 4:
                emitter.set_u4(result, loaded)
            elif signed:
                held = emitter.assign(loaded)
                if mask != "m":
                    held = emitter.assign(f"{held}.astype(u{part})")
                emitter.set_u4(result, f"{held}.view(i{part}).astype(i4).view(u4)")
            else:
                emitter.set_u4(result, f"{loaded}.astype(u4)")

    return row


def _later(operand: Operand, offset: int) -> Operand:
    """The register some places behind another."""
    if operand.number is None:
        return operand
    return register_operand(operand.file, operand.number + offset)


def _store(window: int):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        size, _ = _size(op)
        place, value, *rest = op.parsed
        if rest:
            raise UnknownInstructionError(op.opcode)
        address = address_in(place, window, emitter)
        parts: list[str] = []
        for at in range(0, size, 8):
            if size >= 8:
                parts.append(emitter.u8(_later(value, at // 4)))
            elif size == 4:
                parts.append(emitter.u4(value))
            else:
                parts.append(emitter.assign(f"{emitter.u4(value)}.astype(u{size})"))
        mask = _mask(emitter)
        access = emitter.temporary()
        call = f"blk.access({emitter.site}, {mask}, {address}, {window}, {size}, {size}, 'store')"
        test = "" if mask == "m" else f"if {mask} is not None: "
        emitter.line(f"{test}{access} = {call}")
        for i, part in enumerate(parts):
            emitter.line(f"{test}{access}.store({part}, {min(size, 8)}, {8 * i})")

    return row


_ATOMICS: Final = {
    "ADD": "add",
    "MIN": "umin",
    "MAX": "umax",
    "AND": "and",
    "OR": "or",
    "XOR": "xor",
    "INC": "uinc_wrap",
    "DEC": "udec_wrap",
    "EXCH": "xchg",
}

_ATOMIC_TYPES: Final = {
    "U32": (32, ""),
    "S32": (32, "s"),
    "U64": (64, ""),
    "S64": (64, "s"),
    "64": (64, ""),
    "32": (32, ""),
    "F32": (32, "f32"),
    "F64": (64, "f64"),
    "F16x2": (32, "f16"),
    "BF16_V2": (32, "bf16"),
}


def _atomic(window: int, wants_result: bool):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        modifiers = allow(
            op, *_IGNORED, *_ATOMICS, *_ATOMIC_TYPES, "CAS", "CAST", "FTZ", "RN", "POPC", "INC"
        )
        operands = list(op.parsed)
        while is_predicate(operands[0]):
            if operands.pop(0).number is not None:
                raise UnknownInstructionError(op.opcode)
        result = operands.pop(0) if wants_result else None
        place, *values = operands
        bits, fmt = next((_ATOMIC_TYPES[m] for m in op.modifiers if m in _ATOMIC_TYPES), (32, ""))
        address = address_in(place, window, emitter)
        if "POPC" in modifiers:
            # ATOMS.POPC.INC adds the number of active lanes.
            name, values_text = "add", [emitter.number(1)]
        elif "CAS" in modifiers:
            name = "cas"
            values_text = [_value(o, bits, emitter) for o in values[:2]]
        else:
            names = [m for m in op.modifiers if m in _ATOMICS]
            if len(names) != 1 or fmt in ("f16", "bf16"):
                raise UnknownInstructionError(op.opcode)
            name = _ATOMICS[names[0]]
            if fmt == "s":
                name = {"umin": "min", "umax": "max"}.get(name, name)
            elif fmt:
                name = {"add": "fadd", "umin": "fmin", "umax": "fmax"}.get(name, name)
            values_text = [_value(values[0], bits, emitter)]
        fmt = "" if fmt == "s" else fmt
        mask = _mask(emitter)
        size = bits // 8
        access = emitter.temporary()
        test = "" if mask == "m" else f"if {mask} is not None: "
        emitter.line(
            f"{test}{access} = blk.access({emitter.site}, {mask}, {address}, {window}, {size}, {size}, 'atomic')"
        )
        if name == "cas":
            call = f"A.cas({access}, {mask}, {bits}, {', '.join(values_text)})"
        else:
            call = f"A.rmw({access}, {mask}, '{name}', {bits}, '{fmt}', {values_text[0]})"
        if result is None or result.number is None:
            emitter.line(f"{test}{call}")
            return
        if mask != "m":
            zero = emitter.number(0, "u8" if bits == 64 else "u4")
            call = f"({zero} if {mask} is None else {call})"
        if bits == 64:
            emitter.set_wide(result, call)
        else:
            emitter.set_u4(result, call)

    return row


def _value(operand: Operand, bits: int, emitter: Emitter) -> str:
    return emitter.u8(operand) if bits == 64 else emitter.u4(operand)


def _ldc(op: InstructionOp, emitter: Emitter) -> None:
    size, signed = _size(op, ("IL", "IS", "ISL"))
    if set(op.modifiers) & {"IL", "IS", "ISL"}:
        raise UnknownInstructionError(op.opcode)
    result, place = op.parsed
    if place.kind != "constant" or place.bank < 0:
        raise UnknownInstructionError(op.opcode)
    offset = place.number or 0
    if (place.base is not None and place.base.number is not None) or size < 4 or offset % 4:
        base = emitter.number(0)
        if place.base is not None and place.base.number is not None:
            base = emitter.u4(place.base)
        _indexed(result, place.bank, base, offset, size, signed, emitter)
        return
    for at in range(0, size, 4):
        emitter.set(result, emitter.constant_bank(place, at), at // 4)


def _indexed(
    result: Operand, bank: int, base: str, offset: int, size: int, signed: bool, emitter: Emitter
) -> None:
    for at in range(0, size, 8):
        part = min(8, size - at)
        text = f"code.constants({bank}, {base}, {offset + at}, {part})"
        if part == 8:
            emitter.set_wide(_later(result, at // 4), text)
        elif signed:
            emitter.set_u4(result, f"{text}.astype(u{part}).view(i{part}).astype(i4).view(u4)")
        else:
            emitter.set_u4(result, f"{text}.astype(u4)")


def _qspc(op: InstructionOp, emitter: Emitter) -> None:
    spaces = {"S": SHARED, "L": LOCAL, "G": GLOBAL}
    modifiers = allow(op, "E", *spaces)
    predicate, result, place = op.parsed
    space = next(iter(modifiers & spaces.keys()), None)
    if space is None or result.number is not None or place.base is None:
        raise UnknownInstructionError(op.opcode)
    high = emitter.u8(place.base)
    emitter.set_predicate(predicate, f"code.is_in({high}, {spaces[space]})")


ROWS: Final = {
    "LDG": _load(GLOBAL),
    "LD": _load(GENERIC),
    "LDS": _load(SHARED),
    "LDL": _load(LOCAL),
    "STG": _store(GLOBAL),
    "ST": _store(GENERIC),
    "STS": _store(SHARED),
    "STL": _store(LOCAL),
    "ATOM": _atomic(GENERIC, True),
    "ATOMG": _atomic(GLOBAL, True),
    "ATOMS": _atomic(SHARED, True),
    "RED": _atomic(GENERIC, False),
    "REDG": _atomic(GLOBAL, False),
    "LDC": _ldc,
    "ULDC": _ldc,
    "LDCU": _ldc,
    "QSPC": _qspc,
}
