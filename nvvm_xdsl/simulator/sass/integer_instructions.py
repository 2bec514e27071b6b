"""Integer instructions of the vector and the uniform datapath.

A uniform instruction (`UIADD3` ...) has the same operands as its vector counterpart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from nvvm_xdsl.dialects.sass.operands import Operand
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError, Value

_PREDICATES: Final = frozenset({"P", "UP"})


def allow(op: InstructionOp, *allowed: str) -> set[str]:
    """The modifiers of an instruction. Raises UnknownInstructionError for others than those allowed."""
    found = set(op.modifiers)
    if found - set(allowed):
        raise UnknownInstructionError(op.opcode)
    return found


def is_predicate(operand: Operand) -> bool:
    """Whether an operand is a predicate register."""
    return operand.kind == "register" and operand.file in _PREDICATES


def leading_results(operands: Sequence[Operand]) -> tuple[Operand, list[Operand], list[Operand]]:
    """The result register, the predicates after it that are written, and the other operands."""
    result, *rest = operands
    outputs: list[Operand] = []
    while rest and is_predicate(rest[0]):
        outputs.append(rest.pop(0))
    return result, outputs, rest


def _wide(operand: Operand, emitter: Emitter) -> str:
    """A 32-bit operand in 64 bits; a negated one as its complement, to which 1 is to be added."""
    if operand.negated or operand.inverted:
        plain = emitter.form(emitter.value(_without_sign(operand)), "u4")
        return f"(~{plain}).astype(u8)"
    return f"{emitter.u4(operand)}.astype(u8)"


def _without_sign(operand: Operand) -> Operand:
    if operand.kind == "constant":
        return Operand(
            "constant",
            operand.text.lstrip("-~"),
            number=operand.number,
            bank=operand.bank,
            base=operand.base,
            uniform=operand.uniform,
        )
    return Operand("register", operand.name, operand.name, operand.file, operand.number)


def _is_zero(operand: Operand) -> bool:
    return (
        operand.kind == "register"
        and operand.file in ("R", "UR")
        and operand.number is None
        and not operand.inverted
    ) or (operand.kind == "integer" and operand.number == 0)


def _carry(operand: Operand, emitter: Emitter, dtype: str = "u8") -> str:
    return f"{emitter.predicate(operand)}.astype({dtype})"


def _is_false(operand: Operand) -> bool:
    return operand.number is None and operand.negated


def _iadd3(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, "X", "64", "U32")
    if "64" in op.modifiers:
        _add64(op, emitter)
        return
    result, carries, rest = leading_results(op.parsed)
    addends = [o for o in rest[:3] if not _is_zero(o)]
    inputs = [o for o in rest[3:] if not _is_false(o)]
    if not [o for o in carries if o.number is not None] and not inputs:
        _sum(result, addends, emitter)
        return
    terms = [_wide(o, emitter) for o in addends]
    negated = sum(o.negated for o in addends)
    if negated:
        terms.append(emitter.number(negated, "u8"))
    terms += [_carry(o, emitter) for o in inputs]
    _with_carries(result, carries, terms, emitter)


def _sum(result: Operand, addends: Sequence[Operand], emitter: Emitter) -> None:
    if len(addends) == 1 and not (addends[0].negated or addends[0].inverted):
        emitter.set(result, emitter.value(addends[0]))
        return
    text = ""
    for operand in sorted(addends, key=lambda o: o.negated):
        if operand.negated and text:
            plain = emitter.form(emitter.value(_without_sign(operand)), "u4")
            text += f" - {plain}"
        else:
            text += (" + " if text else "") + emitter.u4(operand)
    emitter.set_u4(result, text or emitter.number(0))


def _with_carries(
    result: Operand, carries: Sequence[Operand], terms: Sequence[str], emitter: Emitter
) -> None:
    total = emitter.assign(" + ".join(terms) if terms else emitter.number(0, "u8"))
    over = ""
    if any(o.number is not None for o in carries):
        over = emitter.assign(f"{total} >> {emitter.number(32, 'u8')}")
    low = emitter.assign(f"{total}.astype(u4)")
    # All operands have been read, so results can be written in any order.
    emitter.set(result, Value(u4=low))
    for i, carry in enumerate(carries):
        emitter.set_predicate(carry, f"{over} > {emitter.number(i, 'u8')}")


def _add64(op: InstructionOp, emitter: Emitter) -> None:
    result, carries, rest = leading_results(op.parsed)
    if any(o.number is not None for o in carries) or any(is_predicate(o) for o in rest):
        raise UnknownInstructionError(op.opcode)
    terms = [emitter.u8(o) for o in rest if not _is_zero(o)]
    emitter.set_wide(result, " + ".join(terms) or emitter.number(0, "u8"))


def _viadd(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "U32", "16x2")
    result, *rest = op.parsed
    if "16x2" in modifiers:
        names = " + ".join(_pairs(o, False, emitter) for o in rest)
        emitter.set_u4(result, f"S.from_pairs({names})")
        return
    _sum(result, rest, emitter)


def _imad(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "MOV", "IADD", "SHL", "U32", "S32", "X", "WIDE", "HI")
    result, carries, rest = leading_results(op.parsed)
    a, b, c, *inputs = rest
    inputs = [o for o in inputs if not _is_false(o)]
    wants_carry = any(o.number is not None for o in carries)
    if "WIDE" in modifiers or "HI" in modifiers:
        _imad_wide(op, result, carries, (a, b, c), inputs, emitter)
        return
    product_is_zero = _is_zero(a) or _is_zero(b)
    one = b.kind == "integer" and b.number == 1
    if wants_carry:
        raise UnknownInstructionError(op.opcode)
    if not inputs and product_is_zero:
        _sum(result, [] if _is_zero(c) else [c], emitter)
        return
    if not inputs and one:
        _sum(result, [o for o in (a, c) if not _is_zero(o)], emitter)
        return
    terms: list[str] = []
    if not product_is_zero:
        terms.append(emitter.u4(a) if one else f"{emitter.u4(a)} * {emitter.u4(b)}")
    if not _is_zero(c):
        terms.append(emitter.u4(c))
    terms += [_carry(o, emitter, "u4") for o in inputs]
    emitter.set_u4(result, " + ".join(terms) or emitter.number(0))


def _imad_wide(
    op: InstructionOp,
    result: Operand,
    carries: Sequence[Operand],
    factors: tuple[Operand, Operand, Operand],
    inputs: Sequence[Operand],
    emitter: Emitter,
) -> None:
    a, b, c = factors
    if _is_zero(a) or _is_zero(b):
        product = emitter.number(0, "u8")
    elif "U32" in op.modifiers:
        product = emitter.assign(f"{emitter.u4(a)}.astype(u8) * {emitter.u4(b)}.astype(u8)")
    else:
        product = emitter.assign(
            f"({emitter.i4(a)}.astype(i8) * {emitter.i4(b)}.astype(i8)).view(u8)"
        )
    total = product
    wants_carry = [o for o in carries if o.number is not None]
    if not _is_zero(c):
        total = emitter.assign(f"{product} + {_addend64(c, emitter)}")
    over = f"({total} < {product})"
    for operand in inputs:
        before = total
        total = emitter.assign(f"{total} + {_carry(operand, emitter)}")
        over += f" | ({total} < {before})"
    over = emitter.assign(over) if wants_carry else ""
    if "HI" in op.modifiers:
        emitter.set_u4(result, f"({total} >> {emitter.number(32, 'u8')}).astype(u4)")
    else:
        emitter.set_wide(result, total)
    for operand in wants_carry:
        emitter.set_predicate(operand, over)


def _addend64(operand: Operand, emitter: Emitter) -> str:
    if operand.negated:
        return f"({emitter.number(0, 'u8')} - {emitter.u8(_without_sign(operand))})"
    return emitter.u8(operand)


COMPARISONS: Final = {"LT": "<", "LE": "<=", "GT": ">", "GE": ">=", "EQ": "==", "NE": "!="}


def _isetp(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *COMPARISONS, "U32", "S32", "AND", "OR", "XOR", "EX", "64", "U64", "S64")
    names = [m for m in op.modifiers if m in COMPARISONS]
    if len(names) != 1:
        raise UnknownInstructionError(op.opcode)
    first, second, a, b, combined, *lower = op.parsed
    if modifiers & {"64", "U64", "S64"}:
        read = emitter.u8 if "U64" in modifiers or "U32" in modifiers else _i8(emitter)
    else:
        read = emitter.u4 if "U32" in modifiers else emitter.i4
    x, y = read(a), read(b)
    symbol = COMPARISONS[names[0]]
    if "EX" in modifiers:
        below = emitter.predicate(lower[0])
        strict = symbol.rstrip("=") if symbol not in ("==", "!=") else ""
        equal = f"({x} == {y}) & {below}"
        if symbol == "==":
            text = equal
        elif symbol == "!=":
            text = f"({x} != {y}) | {below}"
        else:
            text = f"({x} {strict} {y}) | {equal}"
    else:
        text = f"{x} {symbol} {y}"
    set_combined(first, second, text, combined, modifiers, emitter)


def _i8(emitter: Emitter):
    def read(operand: Operand) -> str:
        return emitter.assign(f"{emitter.u8(operand)}.view(i8)")

    return read


def set_combined(
    first: Operand,
    second: Operand,
    text: str,
    combined: Operand,
    modifiers: set[str],
    emitter: Emitter,
) -> None:
    """Writes a comparison, and its opposite, each combined with a predicate."""
    other = emitter.predicate(combined)
    plain = combined.number is None and not combined.negated and "AND" in modifiers
    symbol = "|" if "OR" in modifiers else "^" if "XOR" in modifiers else "&"
    held = emitter.assign(text)
    direct = held if plain else emitter.assign(f"{held} {symbol} {other}")
    opposite = ""
    if second.number is not None:
        opposite = emitter.assign(f"~{held}" if plain else f"~{held} {symbol} {other}")
    emitter.set_predicate(first, direct)
    emitter.set_predicate(second, opposite)


_LOP3: Final = {
    0xC0: "{a} & {b}",
    0xFC: "{a} | {b}",
    0x3C: "{a} ^ {b}",
    0x33: "~{b}",
    0x0F: "~{a}",
    0x30: "{a} & ~{b}",
    0x0C: "~{a} & {b}",
    0xF3: "{a} | ~{b}",
    0x3F: "~({a} & {b})",
    0x03: "~({a} | {b})",
    0x80: "{a} & {b} & {c}",
    0xFE: "{a} | {b} | {c}",
    0x96: "{a} ^ {b} ^ {c}",
    0xF8: "{a} | ({b} & {c})",
    0xEA: "({a} & {b}) | {c}",
    0xE0: "{a} & ({b} | {c})",
    0xA8: "({a} | {b}) & {c}",
    0xCA: "({a} & {b}) | (~{a} & {c})",
    0xE8: "({a} & {b}) | ({a} & {c}) | ({b} & {c})",
    0x6A: "({a} & {b}) ^ {c}",
    0x78: "{a} ^ ({b} & {c})",
}
"""Python expressions of the most frequent truth tables of LOP3."""


def lop3_text(table: int, a: str, b: str, c: str) -> str:
    """A bitwise function of three variables, given by its truth table.

    Bit `4 * a + 2 * b + c` of the table is the function's value (PTX ISA, `lop3`).
    """
    known = _LOP3.get(table)
    if known:
        return known.format(a=a, b=b, c=c)
    terms: list[str] = []
    for i in range(8):
        if table >> i & 1:
            parts = [name if i & bit else f"~{name}" for name, bit in ((a, 4), (b, 2), (c, 1))]
            terms.append(f"({' & '.join(parts)})")
    if len(terms) > 4:
        return f"~({lop3_text(table ^ 0xFF, a, b, c)})"
    return " | ".join(terms) if terms else f"{a} ^ {a}"


def _lop3(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "LUT", "PAND")
    operands = list(op.parsed)
    predicate = operands.pop(0) if is_predicate(operands[0]) else None
    result, a, b, c, table, *rest = operands
    lut = table.number or 0
    names = [emitter.u4(o) for o in (a, b, c)]
    text = lop3_text(lut & 0xFF, *names)
    held = emitter.assign(text)
    if predicate is not None:
        flag = f"{held} != {emitter.number(0)}"
        if rest and not _is_false(rest[0]):
            symbol = "&" if "PAND" in modifiers else "|"
            flag = f"({flag}) {symbol} {emitter.predicate(rest[0])}"
        flag = emitter.assign(flag)
        emitter.set(result, Value(u4=held))
        emitter.set_predicate(predicate, flag)
        return
    emitter.set(result, Value(u4=held))


def _plop3(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, "LUT")
    first, second, a, b, c, table, table2 = op.parsed
    names = [emitter.predicate(o) for o in (a, b, c)]
    texts = [
        emitter.assign(lop3_text((t.number or 0) & 0xFF, *names)) if o.number is not None else ""
        for o, t in ((first, table), (second, table2))
    ]
    emitter.set_predicate(first, texts[0])
    emitter.set_predicate(second, texts[1])


def _shf(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "L", "R", "W", "HI", "U32", "S32", "U64", "S64")
    result, low, count, high = op.parsed
    wide = bool(modifiers & {"U64", "S64"})
    kind = "W" if "W" in modifiers else "C"
    if not wide and "L" in modifiers and "HI" not in modifiers and "W" not in modifiers:
        emitter.set_u4(result, f"L.shl({emitter.u4(low)}, {emitter.u4(count)}, 32)")
        return
    if (
        not wide
        and "R" in modifiers
        and "HI" in modifiers
        and "W" not in modifiers
        and _is_zero(low)
    ):
        function = "ashr" if "S32" in modifiers else "lshr"
        emitter.set_u4(result, f"L.{function}({emitter.u4(high)}, {emitter.u4(count)}, 32)")
        return
    limit = 64 if wide else 32
    amount = f"S.amount({emitter.u4(count)}, {limit}, {kind == 'W'})"
    pair = emitter.form(emitter.pair(emitter.value(low), emitter.value(high)), "u8")
    signed = "S32" in modifiers or "S64" in modifiers
    function = "shl" if "L" in modifiers else "ashr" if signed else "lshr"
    shifted = f"L.{function}({pair}, {amount}, 64)"
    if "HI" in modifiers:
        shifted = f"({shifted} >> {emitter.number(32, 'u8')})"
    emitter.set_u4(result, f"{shifted}.astype(u4)")


def _lea(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "HI", "X", "SX32")
    result, carries, rest = leading_results(op.parsed)
    inputs = [o for o in rest if is_predicate(o)]
    rest = [o for o in rest if not is_predicate(o)]
    if "HI" in modifiers and "SX32" not in modifiers:
        a, b, c, scale = rest
        n = scale.number or 0
        source = emitter.pair(emitter.value(a), emitter.value(c))
    else:
        a, b, scale = rest
        n = scale.number or 0
        source = None
    negated = a.negated and not _is_zero(a)
    if negated and "HI" in modifiers:
        raise UnknownInstructionError(op.opcode)
    if "HI" not in modifiers:
        plain = emitter.form(emitter.value(_without_sign(a)), "u4") if negated else emitter.u4(a)
        shifted = f"({plain} << {emitter.number(n)})" if n else plain
    elif source is not None:
        wide = emitter.form(source, "u8")
        shifted = (
            f"(({wide} << {emitter.number(n, 'u8')}) >> {emitter.number(32, 'u8')}).astype(u4)"
        )
    else:
        wide = f"{emitter.i4(a)}.astype(i8)"
        shifted = (
            f"(({wide} << {emitter.number(n, 'i8')}) >> {emitter.number(32, 'i8')}).astype(u4)"
        )
    if negated:
        # As in IADD3, the carry is that of the sum with the complement and 1.
        shifted = f"(~{shifted})"
    inputs = [o for o in inputs if not _is_false(o)]
    if not negated and not any(o.number is not None for o in carries) and not inputs:
        total = shifted if _is_zero(b) else f"{shifted} + {emitter.u4(b)}"
        emitter.set_u4(result, total)
        return
    terms = [f"{shifted}.astype(u8)"]
    if not _is_zero(b):
        terms.append(_wide(b, emitter))
    terms += (b.negated + negated) * [emitter.number(1, "u8")]
    terms += [_carry(o, emitter) for o in inputs]
    _with_carries(result, carries, terms, emitter)


def _pairs(operand: Operand, signed: bool, emitter: Emitter) -> str:
    """The two halves of a 32-bit operand as integers of 16 bits."""
    if operand.negated or operand.inverted:
        raise UnknownInstructionError(operand.text)
    return emitter.assign(f"S.pairs({emitter.u4(operand)}, {signed})")


_MINIMA: Final = ("U32", "S32", "S16x2", "U16x2", "RELU")
"""Modifiers of minima and maxima."""


def _minmax(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, *_MINIMA)
    result, *rest = op.parsed
    while rest and is_predicate(rest[0]):
        if rest.pop(0).number is not None:
            raise UnknownInstructionError(op.opcode)
    *values, least = rest
    if _is_packed(op):
        names = [_pairs(o, "S16x2" in op.modifiers, emitter) for o in values]
    else:
        read = emitter.u4 if "U32" in op.modifiers else emitter.i4
        names = [read(o) for o in values]
    _choose(op, result, names, least, emitter)


def _is_packed(op: InstructionOp) -> bool:
    return bool({"S16x2", "U16x2"} & set(op.modifiers))


def _choose(
    op: InstructionOp, result: Operand, names: Sequence[str], least: Operand, emitter: Emitter
) -> None:
    """The minimum where a predicate is true, else the maximum; with `RELU` at least zero."""

    def folded(function: str) -> str:
        text = names[0]
        for name in names[1:]:
            text = f"np.{function}({text}, {name})"
        return text

    packed = _is_packed(op)
    if least.number is None:
        text = folded("maximum" if least.negated else "minimum")
    else:
        condition = emitter.predicate(least)
        condition = f"{condition}[:, None]" if packed else condition
        text = f"np.where({condition}, {folded('minimum')}, {folded('maximum')})"
    if "RELU" in op.modifiers:
        text = f"np.maximum({text}, 0)"
    if packed:
        emitter.set_u4(result, f"S.from_pairs({text})")
        return
    dtype = "u4" if "U32" in op.modifiers else "i4"
    emitter.set(result, Value(**{dtype: emitter.assign(text)}))


def _viaddmnmx(op: InstructionOp, emitter: Emitter) -> None:
    allow(op, *_MINIMA)
    result, a, b, c, least = op.parsed
    if _is_packed(op):
        x, y, z = (_pairs(o, "S16x2" in op.modifiers, emitter) for o in (a, b, c))
        _choose(op, result, [emitter.assign(f"{x} + {y}"), z], least, emitter)
        return
    total = emitter.assign(f"{emitter.u4(a)} + {emitter.u4(b)}")
    if "U32" in op.modifiers:
        _choose(op, result, [total, emitter.u4(c)], least, emitter)
        return
    total = emitter.assign(f"{total}.view(i4)")
    _choose(op, result, [total, emitter.i4(c)], least, emitter)


def _vabsdiff(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "U32")
    result, a, b, c = op.parsed
    read, dtype = (emitter.u4, "u4") if "U32" in modifiers else (emitter.i4, "i4")
    x, y = read(a), read(b)
    distance = f"(np.maximum({x}, {y}) - np.minimum({x}, {y}))"
    if dtype == "i4":
        distance += ".view(u4)"
    emitter.set_u4(result, distance if _is_zero(c) else f"{distance} + {emitter.u4(c)}")


def _iabs(op: InstructionOp, emitter: Emitter) -> None:
    allow(op)
    result, a = op.parsed
    emitter.set_u4(result, f"np.abs({emitter.i4(a)}).view(u4)")


_SELECTORS: Final = {
    "F4E": (0x3210, 0x4321, 0x5432, 0x6543),
    "B4E": (0x5670, 0x6701, 0x7012, 0x0123),
    "RC8": (0x0000, 0x1111, 0x2222, 0x3333),
    "ECL": (0x3210, 0x3211, 0x3222, 0x3333),
    "ECR": (0x0000, 0x1110, 0x2210, 0x3210),
    "RC16": (0x1010, 0x3232, 0x1010, 0x3232),
}
"""The selectors of the modes of `prmt`, by the lowest two bits of its third operand (PTX ISA, `prmt`)."""


def _prmt(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, *_SELECTORS)
    result, a, selector, c = op.parsed
    if modifiers:
        table = emitter.constant(np.array(_SELECTORS[op.modifiers[0]], np.uint32))
        chosen = emitter.assign(f"{table}[{emitter.u4(selector)} & {emitter.number(3)}]")
        emitter.set_u4(result, f"S.permute({emitter.u4(a)}, {emitter.u4(c)}, {chosen})")
        return
    if selector.kind == "integer":
        text = _permuted(selector.number or 0, emitter.u4(a), emitter.u4(c), emitter)
        if text is not None:
            emitter.set_u4(result, text)
            return
    emitter.set_u4(result, f"S.permute({emitter.u4(a)}, {emitter.u4(c)}, {emitter.u4(selector)})")


def _permuted(selector: int, low: str, high: str, emitter: Emitter) -> str | None:
    """PRMT as shifts if the selected bytes are adjacent; None for other selectors."""
    common = {
        0x5410: f"({low} & {emitter.number(0xFFFF)}) | ({high} << {emitter.number(16)})",
        0x7632: f"({low} >> {emitter.number(16)}) | ({high} & {emitter.number(0xFFFF0000)})",
    }
    return common.get(selector)


def _unary(function: str):
    def row(op: InstructionOp, emitter: Emitter) -> None:
        allow(op)
        result, a = op.parsed
        emitter.set_u4(result, f"{function}({emitter.u4(a)}, 32)")

    return row


def _flo(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "U32", "SH")
    result, *outputs, a = op.parsed
    if any(o.number is not None for o in outputs):
        raise UnknownInstructionError(op.opcode)
    emitter.set_u4(
        result, f"S.leading_one({emitter.u4(a)}, {'U32' not in modifiers}, {'SH' in modifiers})"
    )


def _bmsk(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "W", "C")
    result, start, width = op.parsed
    emitter.set_u4(
        result, f"S.bit_mask({emitter.u4(start)}, {emitter.u4(width)}, {'W' in modifiers})"
    )


def _sgxt(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "U32", "W")
    result, a, width = op.parsed
    emitter.set_u4(
        result,
        f"S.extend({emitter.u4(a)}, {emitter.u4(width)}, {'U32' not in modifiers}, {'W' in modifiers})",
    )


def _idp(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "4A", "2A", "LO", "HI", "S8", "U8", "S16", "U16")
    result, a, b, c = op.parsed
    kinds = [m for m in op.modifiers if m in ("S8", "U8", "S16", "U16")]
    if len(kinds) != 2:
        raise UnknownInstructionError(op.opcode)
    signs = [k.startswith("S") for k in kinds]
    if "2A" in modifiers:
        names = ", ".join(emitter.u4(o) for o in (a, b, c))
        emitter.set_u4(result, f"S.dot2({names}, {signs[0]}, {signs[1]}, {'HI' in modifiers})")
        return
    emitter.set_u4(
        result, f"S.dot4({emitter.u4(a)}, {emitter.u4(b)}, {emitter.u4(c)}, {signs[0]}, {signs[1]})"
    )


def _vabsdiff4(op: InstructionOp, emitter: Emitter) -> None:
    modifiers = allow(op, "U8", "S8", "ACC")
    if "ACC" not in modifiers:
        raise UnknownInstructionError(op.opcode)
    result, *operands = op.parsed
    names = ", ".join(emitter.u4(o) for o in operands)
    emitter.set_u4(result, f"S.byte_distances({names}, {'S8' in modifiers})")


_WIDTHS: Final = {"U8": (8, False), "S8": (8, True), "U16": (16, False), "S16": (16, True)}


def _clamped(op: InstructionOp, operand: Operand, emitter: Emitter) -> str:
    modifiers = allow(op, *_WIDTHS, "U32", "S32", "SAT")
    target = next((_WIDTHS[m] for m in op.modifiers if m in _WIDTHS), None)
    if target is None or "SAT" not in modifiers or not modifiers & {"U32", "S32"}:
        raise UnknownInstructionError(op.opcode)
    bits, signed = target
    return f"S.clamp({emitter.u4(operand)}, {bits}, {signed}, {'S32' in modifiers})"


def _i2i(op: InstructionOp, emitter: Emitter) -> None:
    result, a = op.parsed
    emitter.set_u4(result, _clamped(op, a, emitter))


def _i2ip(op: InstructionOp, emitter: Emitter) -> None:
    """`I2IP`: two clamped integers in the low bits; the third register is shifted left above
    them."""
    result, high, low, rest = op.parsed
    bits = 16 if {"U16", "S16"} & set(op.modifiers) else 8
    mask, shift = emitter.number((1 << bits) - 1), emitter.number(bits)
    parts = [f"({_clamped(op, o, emitter)} & {mask})" for o in (low, high)]
    text = f"{parts[0]} | {parts[1]} << {shift}"
    if bits == 8:
        text += f" | {emitter.u4(rest)} << {emitter.number(16)}"
    emitter.set_u4(result, text)


_BOTH: Final = {
    "IADD3": _iadd3,
    "IADD": _iadd3,
    "VIADD": _viadd,
    "IMAD": _imad,
    "ISETP": _isetp,
    "LOP3": _lop3,
    "PLOP3": _plop3,
    "SHF": _shf,
    "LEA": _lea,
    "IMNMX": _minmax,
    "VIMNMX": _minmax,
    "VIMNMX3": _minmax,
    "VIADDMNMX": _viaddmnmx,
    "IABS": _iabs,
    "VABSDIFF": _vabsdiff,
    "PRMT": _prmt,
    "POPC": _unary("S.popcount"),
    "BREV": _unary("L.reverse_bits"),
    "FLO": _flo,
    "BMSK": _bmsk,
    "SGXT": _sgxt,
    "IDP": _idp,
    "VABSDIFF4": _vabsdiff4,
    "I2I": _i2i,
    "I2IP": _i2ip,
}

ROWS: Final = _BOTH | {f"U{name}": row for name, row in _BOTH.items()} | {"UVIADD": _viadd}
