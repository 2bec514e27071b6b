"""Floating-point instructions of 32 and 64 bits, and conversions."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.numerics import floats
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError, Value
from nvvm_xdsl.simulator.sass.integer_instructions import allow, is_predicate, set_combined

_ROUNDING: Final = {"RM": "rm", "RP": "rp", "RZ": "rz", "RN": "rn"}

COMPARISONS: Final = {
    "LT": "({a} < {b})",
    "LE": "({a} <= {b})",
    "GT": "({a} > {b})",
    "GE": "({a} >= {b})",
    "EQ": "({a} == {b})",
    "NE": "(({a} < {b}) | ({a} > {b}))",
    "LTU": "~({a} >= {b})",
    "LEU": "~({a} > {b})",
    "GTU": "~({a} <= {b})",
    "GEU": "~({a} < {b})",
    "EQU": "~(({a} < {b}) | ({a} > {b}))",
    "NEU": "({a} != {b})",
    "NUM": "(({a} == {a}) & ({b} == {b}))",
    "NAN": "(({a} != {a}) | ({b} != {b}))",
}
"""Comparisons of floats; those with a U are also true if an operand is a NaN."""


def _mode(op: InstructionOp) -> str:
    return next((_ROUNDING[m] for m in op.modifiers if m in _ROUNDING), "rn")


_SCALES: Final = {"D8": 0.125, "D4": 0.25, "D2": 0.5, "M2": 2.0, "M4": 4.0, "M8": 8.0}


def _fmul(op: InstructionOp, emitter: Emitter) -> None:
    """A product; a modifier such as `M2` multiplies it by a power of two before rounding."""
    factor = next((_SCALES[m] for m in op.modifiers if m in _SCALES), None)
    if factor is None:
        _product32(op, emitter)
        return
    modifiers = allow(op, *_SCALES, "FTZ")
    result, a, b = op.parsed
    emitter.set_f4(
        result,
        f"S.scaled_product({emitter.f4(a)}, {emitter.f4(b)}, {factor}, {'FTZ' in modifiers})",
    )


def _arithmetic(function: str, fmt: str):
    """A row for an operation of 32 or 64 bits: `F.add` of `f32` is FADD."""

    def row(op: InstructionOp, emitter: Emitter) -> None:
        modifiers = allow(op, *_ROUNDING, "FTZ", "SAT")
        result, *operands = op.parsed
        read = emitter.f4 if fmt == "f32" else emitter.f8
        names = ", ".join(read(o) for o in operands)
        text = f"F.{function}({names}, '{fmt}', '{_mode(op)}', {'FTZ' in modifiers}, {'SAT' in modifiers})"
        if fmt == "f32":
            emitter.set_f4(result, text)
        else:
            emitter.set_wide(result, text, "f8")

    return row


_product32: Final = _arithmetic("mul", "f32")


def _compare(fmt: str):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        modifiers = allow(op, *COMPARISONS, "AND", "OR", "XOR", "FTZ", "MAX", "MIN")
        names = [m for m in op.modifiers if m in COMPARISONS]
        first, second, a, b, combined = op.parsed
        read = emitter.f4 if fmt == "f32" else emitter.f8
        x, y = read(a), read(b)
        if "FTZ" in modifiers:
            x, y = (emitter.assign(f"F.flush({n}, 'f32')") for n in (x, y))
        if modifiers & {"MAX", "MIN"}:
            _select_minimum(first, second, x, y, modifiers, emitter)
            return
        if len(names) != 1:
            raise UnknownInstructionError(op.opcode)
        text = COMPARISONS[names[0]].format(a=x, b=y)
        set_combined(first, second, text, combined, modifiers, emitter)

    return row


def _fset(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *COMPARISONS, "AND", "OR", "XOR", "FTZ", "BF")
    names = [m for m in op.modifiers if m in COMPARISONS]
    result, a, b, combined = op.parsed
    if len(names) != 1 or combined.number is not None or combined.negated or "AND" not in modifiers:
        raise UnknownInstructionError(op.opcode)
    x, y = emitter.f4(a), emitter.f4(b)
    if "FTZ" in modifiers:
        x, y = (emitter.assign(f"F.flush({n}, 'f32')") for n in (x, y))
    one = emitter.form(emitter.literal(0x3F800000 if "BF" in modifiers else 0xFFFFFFFF), "u4")
    zero = emitter.number(0)
    emitter.set_u4(result, f"np.where({COMPARISONS[names[0]].format(a=x, b=y)}, {one}, {zero})")


def _select_minimum(
    first: Operand, second: Operand, x: str, y: str, modifiers: set[str], emitter: Emitter
) -> None:
    """`DSETP.MIN`, `DSETP.MAX`: whether the first operand is the result, and whether both are NaNs.

    The result of min.f64 is the first operand if the first predicate is true. The second predicate
    is true if both operands are NaNs; the result is then a quiet NaN.
    """
    function = "maximum" if "MAX" in modifiers else "minimum"
    emitter.set_predicate(first, f"S.chooses({x}, {y}, '{function}')")
    emitter.set_predicate(second, f"({x} != {x}) & ({y} != {y})")


def _fmnmx(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "FTZ", "NAN", "XORSIGN")
    result, a, b, least = op.parsed
    options = f"'f32', {'FTZ' in modifiers}, {'NAN' in modifiers}, {'XORSIGN' in modifiers}"
    if "XORSIGN" in modifiers:
        a, b = with_own_sign(a), with_own_sign(b)
    x, y = emitter.f4(a), emitter.f4(b)
    _minimum_or_maximum(result, x, y, least, options, emitter)


def with_own_sign(operand: Operand) -> Operand:
    """An operand `|R2|` of `.XORSIGN` without its bars.

    The bars apply to the comparison only. The sign of the result is computed from the signs of the registers.
    """
    return replace(operand, absolute=False)


def _minimum_or_maximum(
    result: Operand, x: str, y: str, least: Operand, options: str, emitter: Emitter
) -> None:
    if least.number is None:
        name = "maximum" if least.negated else "minimum"
        emitter.set_f4(result, f"F.{name}({x}, {y}, {options})")
        return
    low, high = (f"F.{name}({x}, {y}, {options})" for name in ("minimum", "maximum"))
    emitter.set_f4(result, f"np.where({emitter.predicate(least)}, {low}, {high})")


def _fmnmx3(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "FTZ", "NAN")
    result, a, b, c, least = op.parsed
    if least.number is not None:
        raise UnknownInstructionError(op.opcode)
    name = "maximum" if least.negated else "minimum"
    options = f"'f32', {'FTZ' in modifiers}, {'NAN' in modifiers}"
    x, y, z = emitter.f4(a), emitter.f4(b), emitter.f4(c)
    emitter.set_f4(result, f"F.{name}(F.{name}({x}, {y}, {options}), {z}, {options})")


_FUNCTIONS: Final = frozenset("RCP RSQ SQRT EX2 LG2 SIN COS TANH".split())
"""Functions of the multi-function unit, computed in 64 bits and rounded once, which is within their
documented errors."""


def _mufu(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = op.modifiers
    result, a = op.parsed
    if modifiers in (("RCP64H",), ("RSQ64H",)):
        # A literal is an f64; the operand is its upper half.
        literal = emitter.literal(emitter.float_bits(a, "f64") >> 32) if a.kind == "float" else None
        upper = emitter.u4(a) if literal is None else emitter.form(literal, "u4")
        emitter.set_u4(result, f"S.upper_{modifiers[0][:3].lower()}({upper})")
        return
    half = {"F16": "f16", "BF16": "bf16"}.get(modifiers[-1])
    if half is not None and len(modifiers) == 2 and modifiers[0] in _FUNCTIONS:
        x = _source_float(a, half, emitter)
        text = f"S.special_half('{modifiers[0]}', {x}, '{half}')"
        _set_float(result, text, half, emitter)
        return
    if len(modifiers) != 1 or modifiers[0] not in _FUNCTIONS:
        raise UnknownInstructionError(op.opcode)
    emitter.set_f4(result, f"S.special('{modifiers[0]}', {emitter.f4(a)})")


def _fchk(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, "DIVIDE")
    result, a, b = op.parsed
    emitter.set_predicate(result, f"S.division_needs_care({emitter.f4(a)}, {emitter.f4(b)})")


_INTEGERS: Final = ("U8", "S8", "U16", "S16", "U32", "S32", "U64", "S64")
_FLOATS: Final = {"F16": "f16", "BF16": "bf16", "F32": "f32", "F64": "f64"}
_WHOLE: Final = {"TRUNC": "rzi", "FLOOR": "rmi", "CEIL": "rpi"}


def _source_float(operand: Operand, fmt: str, emitter: Emitter) -> str:
    if fmt == "f64":
        return emitter.f8(operand)
    if fmt == "f32":
        return emitter.f4(operand)
    if operand.kind == "float":
        bits = emitter.float_bits(operand, fmt)
        return emitter.constant(floats.from_bits(np.array([bits], np.uint16), fmt))
    name = f"S.half({emitter.u4(_bare(operand))}, {bool({'H1', 'H1_H1'} & {*operand.suffixes})}, '{fmt}')"
    if operand.absolute:
        name = f"F.absolute({name}, '{fmt}')"
    if operand.negated:
        name = f"F.negate({name}, '{fmt}')"
    return emitter.assign(name)


def _bare(operand: Operand) -> Operand:
    if operand.kind != "register":
        return operand
    return Operand("register", operand.name, operand.name, operand.file, operand.number)


def _set_float(result: Operand, text: str, fmt: str, emitter: Emitter) -> None:
    if fmt == "f64":
        emitter.set_wide(result, text, "f8")
    elif fmt == "f32":
        emitter.set_f4(result, text)
    else:
        emitter.set_u4(result, f"F.bits({text}, '{fmt}').astype(u4)")


def _f2f(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_FLOATS, *_ROUNDING, "FTZ", "SAT")
    formats = [_FLOATS[m] for m in op.modifiers if m in _FLOATS]
    target, source = formats if len(formats) == 2 else ("f32", "f32")
    result, a = op.parsed
    x = _source_float(a, source, emitter)
    text = f"F.convert({x}, '{source}', '{target}', '{_mode(op)}', {'FTZ' in modifiers}, {'SAT' in modifiers})"
    _set_float(result, text, target, emitter)


def _frnd(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_FLOATS, *_WHOLE, "FTZ")
    formats = [_FLOATS[m] for m in op.modifiers if m in _FLOATS]
    fmt = formats[-1] if formats else "f32"
    mode = next((_WHOLE[m] for m in op.modifiers if m in _WHOLE), "rni")
    result, a = op.parsed
    x = _source_float(a, fmt, emitter)
    _set_float(
        result, f"F.round_integral({x}, '{fmt}', '{mode}', {'FTZ' in modifiers})", fmt, emitter
    )


def _f2i(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_FLOATS, *_INTEGERS, *_WHOLE, "FTZ", "NTZ")
    result, a = op.parsed
    fmt = next((_FLOATS[m] for m in op.modifiers if m in _FLOATS), "f32")
    kind = next((m for m in op.modifiers if m in _INTEGERS), "S32")
    mode = next((_WHOLE[m] for m in op.modifiers if m in _WHOLE), "rni")
    bits, signed = int(kind[1:]), kind[0] == "S"
    x = _source_float(a, fmt, emitter)
    text = f"F.to_integer({x}, '{fmt}', {bits}, {signed}, '{mode}', {'FTZ' in modifiers})"
    if bits == 64:
        emitter.set_wide(result, text)
    elif bits == 32:
        emitter.set_u4(result, text)
    elif signed:
        emitter.set_u4(result, f"{text}.view(i{bits // 8}).astype(i4).view(u4)")
    else:
        emitter.set_u4(result, f"{text}.astype(u4)")


def _f2ip(op: InstructionOp, emitter: Emitter) -> None:
    """`F2IP`: two floats as integers of 8 bits in the lower half, over the upper half of a register."""
    modifiers = allow(op, "U8", "S8", "F32", *_WHOLE, "NTZ", "FTZ")
    mode = next((_WHOLE[m] for m in op.modifiers if m in _WHOLE), "rni")
    result, high, low, rest = op.parsed
    parts = [
        f"F.to_integer({emitter.f4(o)}, 'f32', 8, {'S8' in modifiers}, '{mode}', {'FTZ' in modifiers})"
        f".astype(u1).astype(u4)"
        for o in (low, high)
    ]
    upper = f"({emitter.u4(rest)} << {emitter.number(16)})"
    emitter.set_u4(result, f"{parts[0]} | {parts[1]} << {emitter.number(8)} | {upper}")


def _i2f(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, *_FLOATS, *_INTEGERS, *_ROUNDING)
    result, a = op.parsed
    fmt = next((_FLOATS[m] for m in op.modifiers if m in _FLOATS), "f32")
    kind = next((m for m in op.modifiers if m in _INTEGERS), "S32")
    bits, signed = int(kind[1:]), kind[0] == "S"
    if bits == 64 and a.kind == "integer":
        # The encoding has the upper half of an immediate, as for floats.
        x = emitter.number((a.number or 0) << 32, "u8")
    elif bits == 64:
        x = emitter.u8(a)
    elif bits == 32:
        x = emitter.u4(a)
    else:
        part = next((s for s in a.suffixes if s[0] in "BH"), "B0")
        shift = int(part[1]) * (8 if part[0] == "B" else 16)
        x = emitter.assign(
            f"({emitter.u4(_bare(a))} >> {emitter.number(shift)}).astype(u{bits // 8})"
        )
    _set_float(result, f"F.from_integer({x}, {signed}, '{fmt}', '{_mode(op)}')", fmt, emitter)


def _packed(function: str):
    """`FADD2` and similar instructions of sm_100: two operations on the halves of pairs of
    registers."""

    def row(op: InstructionOp, emitter: Emitter) -> None:
        modifiers = allow(op, *_ROUNDING, "FTZ", "SAT")
        result, *operands = op.parsed
        if any(is_predicate(o) for o in operands):
            raise UnknownInstructionError(op.opcode)
        options = f"'f32', '{_mode(op)}', {'FTZ' in modifiers}, {'SAT' in modifiers}"
        texts: list[str] = []
        for half in (0, 1):
            names = ", ".join(_half_of_pair(o, half, emitter) for o in operands)
            texts.append(emitter.assign(f"F.{function}({names}, {options})"))
        for half, text in enumerate(texts):
            emitter.set(result, Value(f4=text), half)

    return row


def _half_of_pair(operand: Operand, half: int, emitter: Emitter) -> str:
    """A float of a pair of registers.

    With the suffix `F32` one register is both halves, with `LO_HI` the halves are exchanged, and
    `NP` negates the upper half.
    """
    if operand.kind == "float":
        # One register is both halves, with its sign.
        return emitter.f4(operand)
    order = tuple(s for s in operand.suffixes if s != "NP")
    negated = operand.negated ^ ("NP" in operand.suffixes and half == 1)
    if order not in ((), ("F32x2",), ("F32x2", "HI_LO"), ("F32x2", "LO_HI"), ("F32",)):
        raise UnknownInstructionError(operand.text)
    offset = 0 if order == ("F32",) else 1 - half if "LO_HI" in order else half
    name = emitter.form(emitter.value(_bare(operand), offset), "f4")
    if operand.absolute:
        name = emitter.assign(f"F.absolute({name}, 'f32')")
    return emitter.assign(f"F.negate({name}, 'f32')") if negated else name


ROWS: Final = {
    "FADD": _arithmetic("add", "f32"),
    "FMUL": _fmul,
    "FFMA": _arithmetic("fma", "f32"),
    "FADD2": _packed("add"),
    "FMUL2": _packed("mul"),
    "FFMA2": _packed("fma"),
    "DADD": _arithmetic("add", "f64"),
    "DMUL": _arithmetic("mul", "f64"),
    "DFMA": _arithmetic("fma", "f64"),
    "FSETP": _compare("f32"),
    "DSETP": _compare("f64"),
    "FSET": _fset,
    "UFSETP": _compare("f32"),
    "FMNMX": _fmnmx,
    "UFMNMX": _fmnmx,
    "FMNMX3": _fmnmx3,
    "MUFU": _mufu,
    "FCHK": _fchk,
    "F2F": _f2f,
    "FRND": _frnd,
    "F2I": _f2i,
    "F2IP": _f2ip,
    "I2F": _i2f,
    "I2FP": _i2f,
    "UFADD": _arithmetic("add", "f32"),
    "UFMUL": _fmul,
    "UFFMA": _arithmetic("fma", "f32"),
    "UF2F": _f2f,
    "UF2I": _f2i,
    "UI2F": _i2f,
    "UI2FP": _i2f,
    "UFRND": _frnd,
}
