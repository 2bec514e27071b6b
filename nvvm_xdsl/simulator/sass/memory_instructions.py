"""Loads, stores, atomics and constant loads."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.execution.memory import GENERIC, GLOBAL, LOCAL, SHARED
from nvvm_xdsl.simulator.sass.barrier_objects import emit_arrive_sm_80
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError, register_operand
from nvvm_xdsl.simulator.sass.integer_instructions import allow, is_predicate

_IGNORED: Final = (
    "E CONSTANT STRONG WEAK SYS GPU CTA SM CLUSTER MMIO EF EL LU NA EU PRIVATE LTC64B LTC128B LTC256B BYPASS "
    "U CV".split()
)
"""Ignored modifiers of caching and ordering; the simulator's memory is sequentially consistent."""

_SIZES: Final = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "32": 4, "64": 8, "128": 16, "256": 32}
_PAIR: Final = 16
"""Maximum number of bytes of one register operand; accesses of 32 bytes have a second operand
(`ENL2`)."""


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


def _load(window: int):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        size, signed = _size(op, ("ENL2",))
        operands = list(op.parsed)
        while len(operands) > 1 and is_predicate(operands[0]):
            if operands.pop(0).number is not None:
                raise UnknownInstructionError(op.opcode)
        # The upper half is the first of two results.
        upper = operands.pop(0) if size > _PAIR else None
        result, place, *rest = operands
        if any(not (is_predicate(o) and o.number is None) for o in rest):
            raise UnknownInstructionError(op.opcode)
        address = address_in(place, window, emitter)
        mask = emitter.executing_mask()
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
                into = _later(result, at // 4)
                if upper is not None and at >= _PAIR:
                    into = _later(upper, (at - _PAIR) // 4)
                emitter.set_wide(into, loaded)
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
    """The register `offset` after another one."""
    if operand.number is None:
        return operand
    return register_operand(operand.file, operand.number + offset)


def _store(window: int):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        size, _ = _size(op, ("ENL2",))
        place, value, *rest = op.parsed
        upper = rest.pop(0) if size > _PAIR else value
        if rest:
            raise UnknownInstructionError(op.opcode)
        address = address_in(place, window, emitter)
        parts: list[str] = []
        for at in range(0, size, 8):
            if size >= 8:
                source = value if at < _PAIR else upper
                parts.append(emitter.u8(_later(source, at % _PAIR // 4)))
            elif size == 4:
                parts.append(emitter.u4(value))
            else:
                parts.append(emitter.assign(f"{emitter.u4(value)}.astype(u{size})"))
        mask = emitter.executing_mask()
        access = emitter.temporary()
        call = f"blk.access({emitter.site}, {mask}, {address}, {window}, {size}, {size}, 'store')"
        test = "" if mask == "m" else f"if {mask} is not None: "
        emitter.line(f"{test}{access} = {call}")
        for i, part in enumerate(parts):
            emitter.line(f"{test}{access}.store({part}, {min(size, 8)}, {8 * i})")

    return row


def _ldgsts(op: InstructionOp, emitter: Emitter) -> None:
    """`cp.async`: with `ZFILL` the low bits of the source address are the number of zero bytes."""
    size, _ = _size(op, ("ZFILL",))
    target, source, *rest = op.parsed
    fills = "ZFILL" in op.modifiers
    if len(rest) > fills or (fills and size < 4):
        raise UnknownInstructionError(op.opcode)
    to = address_in(target, SHARED, emitter)
    at = address_in(source, GLOBAL, emitter)
    mask = emitter.executing_mask()
    test = "" if mask == "m" else f"if {mask} is not None: "
    access = emitter.temporary()
    emitter.line(
        f"{test}{access} = blk.access({emitter.site}, {mask}, {to}, {SHARED}, {size}, {size}, 'store')"
    )
    if fills:
        low = emitter.number(size - 1, "u8")
        count = emitter.assign(f"{emitter.number(size, 'u8')} - ({at} & {low})")
        if rest:
            count = emitter.assign(
                f"np.where({emitter.predicate(rest[0])}, {count}, {emitter.number(0, 'u8')})"
            )
        emitter.line(
            f"{test}blk.copy_some({emitter.site}, {mask}, {at} & ~{low}, {GLOBAL}, {access}, {size}, {count})"
        )
        return
    read = f"blk.access({emitter.site}, {mask}, {at}, {GLOBAL}, {size}, {size}, 'load')"
    emitter.line(f"{test}S.transfer({read}, {access}, {size})")


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
}


_VECTORS: Final = {
    "F32x2": (2, "f32"),
    "F32x4": (4, "f32"),
    "F16x2": (2, "f16"),
    "F16x4": (4, "f16"),
    "F16x8": (8, "f16"),
    "BF16x2": (2, "bf16"),
    "BF16x4": (4, "bf16"),
    "BF16x8": (8, "bf16"),
}
"""Elements of atomic operations on vectors, each of which is atomic by itself."""

_FLOAT_NAMES: Final = {"add": "fadd", "umin": "fmin", "umax": "fmax"}
_SIGNED_NAMES: Final = {"umin": "min", "umax": "max"}


class _Atomic:
    """An atomic instruction during compilation.

    Attributes:
        mask: the lanes that execute it; None at run time if there are none.
        test: a condition for a statement.
        access: the variable with the checked access.

    Arguments:
        tested: whether a predicate as the first operand states that the address is in global memory.

    An instruction with a generic address and a predicate as its first operand operates on global memory only.
    The predicate is true for lanes whose address is in global memory; other code performs the operation for
    the other lanes.
    """

    def __init__(
        self,
        op: InstructionOp,
        window: int,
        wants_result: bool,
        size: int,
        emitter: Emitter,
        tested: bool = True,
    ) -> None:
        operands = list(op.parsed)
        success = operands.pop(0) if is_predicate(operands[0]) else None
        if not tested:
            success = None
        self.result = operands.pop(0) if wants_result else None
        place, *self.values = operands
        self.emitter = emitter
        address = address_in(place, window, emitter)
        if success is not None and success.number is not None:
            if window != GENERIC:
                raise UnknownInstructionError(op.opcode)
            found = emitter.assign(f"code.is_in({address}, {GLOBAL})")
            emitter.set_predicate(success, found)
            guard = emitter.guard
            emitter.guard = found if guard is None else emitter.assign(f"{guard} & {found}")
        self.mask = emitter.executing_mask()
        self.test = "" if self.mask == "m" else f"if {self.mask} is not None: "
        self.access = emitter.temporary()
        emitter.line(
            f"{self.test}{self.access} = blk.access({emitter.site}, {self.mask}, {address}, {window},"
            f" {size}, {size}, 'atomic')"
        )

    @property
    def wanted(self) -> bool:
        """Whether the old value is written to a register."""
        return self.result is not None and self.result.number is not None

    def call(self, text: str, zero: str) -> str:
        """The variable that holds a call's result, `zero` where no lane executes it."""
        if self.mask == "m":
            return self.emitter.assign(text)
        return self.emitter.assign(f"{zero} if {self.mask} is None else {text}")


def _atomic(window: int, wants_result: bool):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        if op.modifiers == ("ARRIVE", "64") and window == SHARED:
            emit_arrive_sm_80(op, emitter)
            return
        modifiers = allow(
            op, *_IGNORED, *_ATOMICS, *_ATOMIC_TYPES, *_VECTORS, "CAS", "CAST", "SPIN", "FTZ", "RN", "POPC", "128"
        )  # fmt: skip
        vector = next((_VECTORS[m] for m in op.modifiers if m in _VECTORS), None)
        names = [_ATOMICS[m] for m in op.modifiers if m in _ATOMICS]
        if vector is not None:
            if names != ["add"]:
                raise UnknownInstructionError(op.opcode)
            _atomic_vector(op, window, wants_result, *vector, emitter)
            return
        if "128" in modifiers:
            _atomic_wide(op, window, wants_result, emitter)
            return
        bits, fmt = next((_ATOMIC_TYPES[m] for m in op.modifiers if m in _ATOMIC_TYPES), (32, ""))
        if "CAST" in modifiers:
            _compare_and_store(op, window, bits, emitter)
            return
        at = _Atomic(op, window, wants_result, bits // 8, emitter)
        zero = emitter.number(0, "u8" if bits == 64 else "u4")
        if "CAS" in modifiers:
            wanted, new = (_value(o, bits, emitter) for o in at.values[:2])
            text = f"A.cas({at.access}, {at.mask}, {bits}, {wanted}, {new})"
        else:
            # ATOMS.POPC.INC adds the number of active lanes.
            name = "add" if "POPC" in modifiers else names[0] if len(names) == 1 else ""
            if not name:
                raise UnknownInstructionError(op.opcode)
            value = (
                emitter.number(1) if "POPC" in modifiers else _value(at.values[0], bits, emitter)
            )
            renamed = _SIGNED_NAMES if fmt == "s" else _FLOAT_NAMES if fmt else {}
            name, kind = renamed.get(name, name), "" if fmt == "s" else fmt
            text = f"A.rmw({at.access}, {at.mask}, '{name}', {bits}, '{kind}', {value})"
        if not at.wanted or at.result is None:
            emitter.line(f"{at.test}{text}")
        elif bits == 64:
            emitter.set_wide(at.result, at.call(text, zero))
        else:
            emitter.set_u4(at.result, at.call(text, zero))

    return row


def _compare_and_store(op: InstructionOp, window: int, bits: int, emitter: Emitter) -> None:
    """`CAST`: a compare-and-swap whose result is whether the value was stored.

    The result is a register that holds 0 or 1, or, in code for sm_100, a predicate.
    """
    first = op.parsed[0]
    only_predicate = is_predicate(first) and not _is_register(op.parsed[1])
    at = _Atomic(op, window, not only_predicate, bits // 8, emitter, tested=not only_predicate)
    wanted, new = (_value(o, bits, emitter) for o in at.values[:2])
    old = f"A.cas({at.access}, {at.mask}, {bits}, {wanted}, {new})"
    stored = at.call(f"{old} == {wanted}", emitter.number(0, "b"))
    if only_predicate:
        emitter.set_predicate(first, stored)
    elif at.result is not None and bits == 64:
        emitter.set_wide(at.result, f"{stored}.astype(u8)")
    elif at.result is not None:
        emitter.set_u4(at.result, f"{stored}.astype(u4)")


def _is_register(operand: Operand) -> bool:
    return operand.kind == "register" and not is_predicate(operand)


def _atomic_vector(
    op: InstructionOp, window: int, wants_result: bool, count: int, fmt: str, emitter: Emitter
) -> None:
    bits = 32 if fmt == "f32" else 16
    at = _Atomic(op, window, wants_result, bits // 8 * count, emitter)
    held: list[str] = []
    for i in range(count):
        word = emitter.u4(_later(at.values[0], bits * i // 32))
        if bits == 16:
            word = emitter.assign(f"({word} >> {emitter.number(bits * i % 32)}).astype(u2)")
        text = f"A.rmw({at.access}, {at.mask}, 'fadd', {bits}, '{fmt}', {word}, {bits // 8 * i})"
        if at.wanted:
            held.append(at.call(text, emitter.number(0)))
        else:
            emitter.line(f"{at.test}{text}")
    if at.result is None or not at.wanted:
        return
    if bits == 16:
        half = emitter.number(16)
        held = [
            f"{low}.astype(u4) | {high}.astype(u4) << {half}"
            for low, high in zip(held[::2], held[1::2])
        ]
    for i, text in enumerate(held):
        emitter.set_u4(_later(at.result, i), text)


def _atomic_wide(op: InstructionOp, window: int, wants_result: bool, emitter: Emitter) -> None:
    """`ATOM.EXCH.128` and `ATOM.CAS.128`."""
    cas = "CAS" in op.modifiers
    if not cas and "EXCH" not in op.modifiers:
        raise UnknownInstructionError(op.opcode)
    at = _Atomic(op, window, wants_result, 16, emitter)
    values = [
        emitter.assign(f"S.joined({emitter.u8(o)}, {emitter.u8(_later(o, 2))})")
        for o in at.values[: 2 if cas else 1]
    ]
    # The operand with the expected value precedes the new value.
    text = f"A.wide({at.access}, {at.mask}, {', '.join(reversed(values))})"
    old = at.call(text, emitter.number(0, "u8"))
    if at.result is not None and at.wanted:
        for i in (0, 1):
            emitter.set_wide(_later(at.result, 2 * i), f"S.word({old}, {i})")


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
    "LDGSTS": _ldgsts,
}
