"""Operands of inline assembly: register constraints, and memory operands.

The LLVM Language Reference ("Indirect inputs and outputs") defines memory operands:

    call i32 asm "ld.u32 $0, $1;", "=r,*m"(ptr elementtype(i32) %p)

is the same as

    call i32 asm "ld.u32 $0, [$1];", "=r,l"(ptr %p)

and an output `=*m`, whose address is an operand, is an input of the same kind. LLVM's NVPTX back
end also adds the brackets.
"""

from __future__ import annotations

import re
from functools import cache

from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout

_REFERENCE = re.compile(r"\$(?:\$|\{(\d+)([^}]*)\}|(\d+))")
_LAYOUT = DataLayout()
_LETTERS = {1: "b", 8: "h", 16: "h", 32: "r", 64: "l", 128: "q"}
ADDRESS = "l"
"""The constraint of a register that contains an address."""


def register_bits(type_: Attribute) -> int:
    """The width of a value in bits. Raises ValueError for types that do not fit in a register."""
    bits = _LAYOUT.bits(type_)
    if bits is None:
        raise ValueError(f"a value of type {type_} is not in a register")
    return bits


def register_letter(type_: Attribute) -> str:
    """The constraint of a value in one register of NVPTX.

    `b` is a predicate, `h` `r` `l` `q` are registers of 16 to 128 bits, `f` `d` are floats.

    Raises ValueError for types that need no register or several.
    """
    if type_ == types.F32:
        return "f"
    if type_ == types.F64:
        return "d"
    bits = register_bits(type_)
    if bits not in _LETTERS:
        raise ValueError(f"a value of type {type_} is not in a register")
    return _LETTERS[bits]


def _is_memory(constraint: str) -> bool:
    return constraint.lstrip("=&%+").startswith("*")


@cache
def with_addresses(text: str, constraints: str) -> tuple[str, str]:
    """Inline assembly with addresses in registers for its memory operands.

    Arguments:
        text: with operands as `$0`, `${1}`; `$$` is a dollar.
        constraints: LLVM's constraint string.
    Returns text and constraints; the operands of the call are unchanged.
    """
    if "*" not in constraints:
        return text, constraints
    items = [item.strip() for item in constraints.split(",")]
    clobbers = [item for item in items if item.startswith("~")]
    operands = [item for item in items if item and not item.startswith("~")]
    results = [n for n, item in enumerate(operands) if item[0] == "=" and not _is_memory(item)]
    inputs = [n for n in range(len(operands)) if n not in results]
    numbers = {old: new for new, old in enumerate([*results, *inputs])}
    made = [operands[n] for n in results]
    for n in inputs:
        item = operands[n]
        tied = item.isdecimal() and int(item) in numbers
        made.append(ADDRESS if _is_memory(item) else str(numbers[int(item)]) if tied else item)

    def renumbered(match: re.Match[str]) -> str:
        braced, modifier, plain = match.groups()
        old = int(braced or plain or -1)
        if old not in numbers:
            return match[0]
        new = f"${{{numbers[old]}{modifier}}}" if braced else f"${numbers[old]}"
        return f"[{new}]" if _is_memory(operands[old]) else new

    # Memory accessed through the addresses is visible to other code.
    memory = [] if "~{memory}" in clobbers else ["~{memory}"]
    return _REFERENCE.sub(renumbered, text), ",".join([*made, *clobbers, *memory])
