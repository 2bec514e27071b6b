"""Instructions on pairs of 16-bit floats."""

from __future__ import annotations

from typing import Final

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError
from nvvm_xdsl.simulator.sass.float_instructions import COMPARISONS, with_own_sign
from nvvm_xdsl.simulator.sass.integer_instructions import allow, is_predicate

_KINDS: Final = ("BF16_V2", "BF16", "MMA", "FTZ", "FMZ", "SAT", "RELU", "F32", "F16")


def _format(op: InstructionOp) -> str:
    return "bf16" if any(m.startswith("BF16") for m in op.modifiers) else "f16"


def _literal(value: float, fmt: str) -> int:
    import numpy as np

    from nvvm_xdsl.simulator.numerics import floats

    return int(floats.bits(floats.round_to(np.array([value]), fmt), fmt)[0])


def _operands(op: InstructionOp, emitter: Emitter, fmt: str) -> list[tuple[str, str]]:
    """Each operand as two names, of its lower and upper half; two literals are one operand, upper first."""
    out: list[tuple[str, str]] = []
    rest = list(op.parsed)
    while rest:
        operand = rest.pop(0)
        if "XORSIGN" in op.modifiers:
            operand = with_own_sign(operand)
        if is_predicate(operand):
            continue
        if operand.kind == "float":
            other = rest.pop(0)
            if op.number("immediate") is not None:
                raise UnknownInstructionError(op.opcode)
            low, high = (
                emitter.form(emitter.literal(_literal(o.value, fmt)), "u4")
                for o in (other, operand)
            )
            out.append(
                tuple(emitter.assign(f"S.half({n}, False, '{fmt}')") for n in (low, high))  # type: ignore[arg-type]
            )
            continue
        out.append(_halves(operand, emitter, fmt))
    return out


def _halves(operand: Operand, emitter: Emitter, fmt: str) -> tuple[str, str]:
    suffix = next((s for s in operand.suffixes if s not in ("reuse",)), "H1_H0")
    if suffix == "F32":
        # One float of 32 bits is both halves.
        name = f"F.convert({emitter.f4(operand)}, 'f32', '{fmt}')"
        held = emitter.assign(name)
        return held, held
    if suffix not in ("H0_H0", "H1_H1", "H1_H0", "H0", "H1"):
        raise UnknownInstructionError(operand.text)
    bare = _bare(operand) if operand.kind == "register" else operand
    word = emitter.form(emitter.value(bare), "u4")
    names: list[str] = []
    for half in (0, 1):
        upper = half == 1
        if suffix in ("H0", "H0_H0"):
            upper = False
        elif suffix in ("H1", "H1_H1"):
            upper = True
        text = f"S.half({word}, {upper}, '{fmt}')"
        if operand.absolute:
            text = f"F.absolute({text}, '{fmt}')"
        if operand.negated:
            text = f"F.negate({text}, '{fmt}')"
        names.append(emitter.assign(text))
    return names[0], names[1]


def _two(op: InstructionOp, emitter: Emitter, function: str) -> None:
    modifiers = allow(op, *_KINDS)
    fmt = _format(op)
    result, *_ = op.parsed
    operands = _operands_of(op, emitter, fmt)
    if modifiers & {"FMZ"}:
        raise UnknownInstructionError(op.opcode)
    ftz = "FTZ" in modifiers
    if "F32" in modifiers:
        # HADD2.F32: an addition of f16 with an f32 result, used for conversions.
        wide = [f"F.convert({o[0]}, '{fmt}', 'f32')" for o in operands]
        emitter.set_f4(result, f"F.{function}({', '.join(wide)}, 'f32', 'rn', {ftz})")
        return
    parts: list[str] = []
    for half in (0, 1):
        names = ", ".join(o[half] for o in operands)
        text = f"F.{function}({names}, '{fmt}', 'rn', {ftz}, {'SAT' in modifiers})"
        if "RELU" in modifiers:
            text = f"F.relu({text}, '{fmt}')"
        parts.append(emitter.assign(text))
    emitter.set_u4(result, f"S.packed({parts[0]}, {parts[1]}, '{fmt}')")


def _operands_of(op: InstructionOp, emitter: Emitter, fmt: str) -> list[tuple[str, str]]:
    found = _operands(op, emitter, fmt)
    return found[1:]


def _hadd2(op: InstructionOp, emitter: Emitter) -> None:
    _two(op, emitter, "add")


def _hmul2(op: InstructionOp, emitter: Emitter) -> None:
    _two(op, emitter, "mul")


def _hfma2(op: InstructionOp, emitter: Emitter) -> None:
    literal = _moved_literal(op)
    if literal is not None:
        emitter.set(op.parsed[0], emitter.literal(literal))
        return
    _two(op, emitter, "fma")


def _moved_literal(op: InstructionOp) -> int | None:
    """The bits moved by `HFMA2 R0, -RZ, RZ, 0, 1.5`, which ptxas uses to load constants."""
    if len(op.parsed) != 5 or op.number("immediate") is not None:
        return None
    _, a, b, high, low = op.parsed
    if any(o.kind != "register" or o.number is not None for o in (a, b)):
        return None
    if high.kind != "float" or low.kind != "float":
        return None
    fmt = _format(op)
    return _literal(high.value, fmt) << 16 | _literal(low.value, fmt)


def _hmnmx2(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_KINDS, "NAN", "XORSIGN")
    fmt = _format(op)
    result, *_ = op.parsed
    least = op.parsed[-1]
    if least.number is not None:
        raise UnknownInstructionError(op.opcode)
    function = "maximum" if least.negated else "minimum"
    operands = _operands_of(op, emitter, fmt)
    options = f"'{fmt}', {'FTZ' in modifiers}, {'NAN' in modifiers}, {'XORSIGN' in modifiers}"
    parts = [
        emitter.assign(f"F.{function}({', '.join(o[half] for o in operands)}, {options})")
        for half in (0, 1)
    ]
    emitter.set_u4(result, f"S.packed({parts[0]}, {parts[1]}, '{fmt}')")


def _compared(op: InstructionOp, emitter: Emitter, *modifiers: str) -> tuple[str, str]:
    """The results of a comparison of the halves, each combined with the predicate of the last operand."""
    found = allow(op, *_KINDS, *COMPARISONS, "AND", "OR", "XOR", *modifiers)
    fmt = _format(op)
    names = [m for m in op.modifiers if m in COMPARISONS]
    if len(names) != 1:
        raise UnknownInstructionError(op.opcode)
    a, b = _operands(op, emitter, fmt)[-2:]
    other = emitter.predicate(op.parsed[-1])
    symbol = "|" if "OR" in found else "^" if "XOR" in found else "&"
    halves: list[str] = []
    for pair in zip(a, b):
        if "FTZ" in found:
            pair = [f"F.flush({n}, '{fmt}')" for n in pair]
        x, y = (emitter.assign(f"F.widen({n}, '{fmt}')") for n in pair)
        halves.append(emitter.assign(f"{COMPARISONS[names[0]].format(a=x, b=y)} {symbol} {other}"))
    return halves[0], halves[1]


def _hsetp2(op: InstructionOp, emitter: Emitter) -> None:
    first, second, *_ = op.parsed
    lower, upper = _compared(op, emitter)
    emitter.set_predicate(first, lower)
    emitter.set_predicate(second, upper)


def _hset2(op: InstructionOp, emitter: Emitter) -> None:
    """`HSET2`: halves of ones for true comparisons, or 1.0 with `BF`."""
    lower, upper = _compared(op, emitter, "BF")
    one = _literal(1.0, _format(op)) if "BF" in op.modifiers else 0xFFFF
    emitter.set_u4(
        op.parsed[0],
        f"{lower} * {emitter.number(one)} | {upper} * {emitter.number(one << 16)}",
    )


_SMALL: Final = ("E4M3", "E5M2")


def _small(op: InstructionOp, kind: str, emitter: Emitter) -> None:
    """Conversions from and to two floats of 8 bits, which are in the lower half of a register."""
    modifiers = set(op.modifiers)
    result, *operands = op.parsed
    relu = "RELU" in modifiers
    if "UNPACK_B" in modifiers and "F16" in modifiers and not relu:
        (source,) = operands
        name = emitter.u4(_bare(source))
        if "H1" in source.suffixes:
            name = emitter.assign(f"{name} >> {emitter.number(16)}")
        emitter.set_u4(result, f"S.from_small({name}, '{kind}')")
        return
    if "SATFINITE" not in modifiers:
        raise UnknownInstructionError(op.opcode)
    if "PACK_AB_MERGE_C" in modifiers:
        high, low = (f"F.widen({emitter.f4(o)}, 'f32')" for o in operands[:2])
    elif "UNPACK_B_MERGE_C" in modifiers:
        halves = _halves(operands[0], emitter, "bf16" if "BF16" in modifiers else "f16")
        fmt = "bf16" if "BF16" in modifiers else "f16"
        low, high = (f"F.widen({name}, '{fmt}')" for name in halves)
    else:
        raise UnknownInstructionError(op.opcode)
    upper = f"({emitter.u4(operands[-1])} << {emitter.number(16)})"
    emitter.set_u4(result, f"S.to_small({high}, {low}, '{kind}', {relu}) | {upper}")


def _bare(operand: Operand) -> Operand:
    return Operand("register", operand.name, operand.name, operand.file, operand.number)


def _f2fp(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(
        op, "F16", "BF16", "F32", "PACK_AB", "RZ", "RN", "RELU", "FTZ", "SAT", "SATFINITE",
        "TF32", "PACK_B", "UNPACK_B", "MERGE_C", "PACK_AB_MERGE_C", "UNPACK_B_MERGE_C", *_SMALL,
    )  # fmt: skip
    small = next((m for m in op.modifiers if m in _SMALL), None)
    if small is not None:
        _small(op, small, emitter)
        return
    mode = "rz" if "RZ" in modifiers else "rn"
    relu = "RELU" in modifiers
    if modifiers - {"RZ", "RELU"} == {"TF32", "F32", "PACK_B"}:
        emitter.set_u4(op.parsed[0], f"S.to_tf32({emitter.u4(op.parsed[1])}, '{mode}', {relu})")
        return
    fmt = "bf16" if "BF16" in modifiers else "f16"
    options = f"'{fmt}', '{mode}', {'FTZ' in modifiers}, {relu}, {'SATFINITE' in modifiers}"
    if modifiers & {"TF32", "SAT", "UNPACK_B", "PACK_AB_MERGE_C", "UNPACK_B_MERGE_C"}:
        raise UnknownInstructionError(op.opcode)
    if "MERGE_C" in modifiers:
        # The register that is merged is RZ in all code of ptxas that is known.
        result, operand, merged = op.parsed
        if merged.number is not None:
            raise UnknownInstructionError(op.opcode)
        narrow = f"F.bits(S.to_half({emitter.f4(operand)}, {options}), '{fmt}')"
        emitter.set_u4(result, f"{narrow}.astype(u4)")
        return
    if "PACK_AB" not in modifiers:
        raise UnknownInstructionError(op.opcode)
    result, a, b = op.parsed
    low, high = (emitter.assign(f"S.to_half({emitter.f4(o)}, {options})") for o in (b, a))
    emitter.set_u4(result, f"S.packed({low}, {high}, '{fmt}')")


ROWS: Final = {
    "HADD2": _hadd2,
    "HMUL2": _hmul2,
    "HFMA2": _hfma2,
    "HMNMX2": _hmnmx2,
    "HSET2": _hset2,
    "HSETP2": _hsetp2,
    "F2FP": _f2fp,
}
