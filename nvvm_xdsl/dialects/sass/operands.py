"""Operands of machine instructions, from the text that nvdisasm prints.

-R4.reuse   |UR5|   !P0   ~R7   R2.H1_H1   0x10   1.5   +INF   B0   SR_TID.X
c[0x0][R4+0x210]   desc[UR4][R2.64+0x8]   [R4+UR6+0x10]   `(.L_x_1)   32@lo(table)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Literal

Kind = Literal["register", "special", "integer", "float", "constant", "memory", "label", "word"]

ZERO: Final = frozenset({"RZ", "URZ", "SRZ"})
TRUE: Final = frozenset({"PT", "UPT"})


class OperandError(Exception):
    """The text is not an operand."""


@dataclass(frozen=True)
class Operand:
    """One operand.

    Attributes:
        kind: its form.
        name: the name of a register, special register, label or symbol; for a memory operand its
            base register, or empty.
        file: the register file: `R`, `UR`, `P`, `UP`, `B` or `SB`.
        number: the number of a register, None for RZ, URZ, PT and UPT; or the value of an integer,
            an offset, or the bits of a NaN literal.
        negated: `-`, and `!` before a predicate.
        inverted: `~`.
        absolute: `|...|`.
        suffixes: the suffixes of the register, such as `H0_H0` or `64`, without `reuse`.
        value: the value of a float.
        bank: the bank of a constant.
        uniform: the uniform register that is added to an address, or that contains a bank.
        text: the text as printed by nvdisasm.
    """

    kind: Kind
    text: str
    name: str = ""
    file: str = ""
    number: int | None = None
    negated: bool = False
    inverted: bool = False
    absolute: bool = False
    suffixes: tuple[str, ...] = ()
    value: float = 0.0
    bank: int = 0
    base: Operand | None = None
    uniform: Operand | None = field(default=None)


_REGISTER: Final = re.compile(r"(UR|UP|SB|R|P|B)(\d+|Z|T|R)((?:\.\w+)*)$")
_FLOAT: Final = re.compile(r"[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)$")
_NOT_FINITE: Final = re.compile(r"([+-])(INF|QNAN|SNAN)$")
_INTEGER: Final = re.compile(r"(-?)0x([0-9a-f]+)$")
_CONSTANT: Final = re.compile(r"c\[(0x[0-9a-f]+|UR\d+)\]\s*\[([^\]]*)\]((?:\.\w+)*)$")
_CONSTANT_DESCRIPTOR: Final = re.compile(r"cx\[(UR\d+)\]\s*\[([^\]]*)\]((?:\.\w+)*)$")
_MEMORY: Final = re.compile(r"(?:g?desc\[(U?R\d+|URZ)\])?\[([^\]]*)\]((?:\.\w+)*)$")
_LABEL: Final = re.compile(r"`\((.*)\)$")
_SYMBOL: Final = re.compile(r"(32@(?:lo|hi)|fun@fdesc|index@desc|srel)?\(?(.+?)\)?$")
_WORD: Final = re.compile(r"\d?[A-Za-z_.][\w.$@()+ -]*$")
_OTHER: Final = re.compile(r"(?:\w+\[[^\]]*\](?:\.\w+)*)+$|\{[\d,]*\}$")
"""Operands that are not parsed further: `tmem[UR4]`, `gdesc[UR6].A_KEEP`, `{5,4,3}`."""


@lru_cache(maxsize=1 << 14)
def parse_operand(text: str) -> Operand:
    """Parses an operand. Raises OperandError."""
    body = text.strip()
    negated = inverted = absolute = False
    label = _LABEL.match(body)
    if label is not None:
        return Operand("label", text, name=label[1])
    number = _INTEGER.match(body)
    if number is not None:
        value = int(number[2], 16)
        return Operand("integer", text, number=-value if number[1] else value)
    special = _NOT_FINITE.match(body)
    if special is not None:
        sign = -1.0 if special[1] == "-" else 1.0
        value = float("inf") if special[2] == "INF" else float("nan")
        return Operand("float", text, name=special[2], value=sign * value, negated=sign < 0)
    if _FLOAT.match(body):
        return Operand("float", text, value=float(body), negated=body.startswith("-"))
    if body[:1] in ("-", "!"):
        negated, body = True, body[1:]
    if body[:1] == "~":
        inverted, body = True, body[1:]
    if body[:1] == "|":
        absolute = True
        body, _, rest = body[1:].partition("|")
        body += rest
    register = _REGISTER.match(body)
    if register is not None:
        suffixes = tuple(s for s in register[3].split(".")[1:] if s != "reuse")
        return Operand(
            "register",
            text,
            register[1] + register[2],
            register[1],
            int(register[2]) if register[2].isdigit() else None,
            negated,
            inverted,
            absolute,
            suffixes,
        )
    constant = _CONSTANT.match(body) or _CONSTANT_DESCRIPTOR.match(body)
    if constant is not None:
        bank = constant[1]
        base, uniform, offset = _address(constant[2])
        held = None if bank.startswith("0x") else parse_operand(bank)
        return Operand(
            "constant",
            text,
            number=offset,
            negated=negated,
            inverted=inverted,
            absolute=absolute,
            suffixes=tuple(constant[3].split(".")[1:]),
            bank=int(bank, 16) if held is None else -1,
            base=base or uniform,
            uniform=held,
        )
    memory = _MEMORY.match(body)
    if memory is not None:
        base, uniform, offset = _address(memory[2])
        return Operand(
            "memory",
            text,
            number=offset,
            suffixes=tuple(memory[3].split(".")[1:]),
            base=base,
            uniform=uniform,
        )
    if body.startswith("SR_"):
        return Operand("special", text, name=body)
    if body == "SRZ":
        return Operand("special", text, name=body)
    if body.startswith(("32@", "fun@", "index@", "srel")):
        return Operand("label", text, name=body)
    if _WORD.match(body) or _OTHER.match(body) or body.startswith('(*"'):
        return Operand("word", text, name=body, negated=negated)
    raise OperandError(f"'{text}' is not an operand")


def _address(text: str) -> tuple[Operand | None, Operand | None, int]:
    """The base register, the uniform register and the offset of an address."""
    base = uniform = None
    offset = 0
    for part in filter(None, text.replace("+-", "+@").split("+")):
        part = part.strip().replace("@", "-", 1)
        found = parse_operand(part)
        if found.kind == "integer":
            offset += found.number or 0
        elif found.kind != "register":
            raise OperandError(f"'{text}' is not an address")
        elif found.file == "R":
            base = found
        else:
            uniform = found
    return base, uniform, offset


def split_operands(text: str) -> list[str]:
    """The operands of an instruction, divided at commas outside of brackets."""
    out: list[str] = []
    depth = 0
    current = ""
    for c in text:
        depth += (c in "[({") - (c in "])}")
        if c == "," and depth == 0:
            out.append(current.strip())
            current = ""
        else:
            current += c
    if current.strip():
        out.append(current.strip())
    return out
