"""Memory operands of inline assembly (LLVM Language Reference, "Indirect inputs and outputs").

    call i32 asm "ld.u32 $0, $1;", "=r,*m"(ptr elementtype(i32) %p)

is the same as

    call i32 asm "ld.u32 $0, [$1];", "=r,l"(ptr %p)

and an output `=*m`, whose address is an operand, is an input of the same kind. LLVM's NVPTX writes
the brackets as well.
"""

from __future__ import annotations

import re
from functools import cache

_REFERENCE = re.compile(r"\$(?:\$|\{(\d+)([^}]*)\}|(\d+))")
ADDRESS = "l"
"""The constraint of a register that holds an address."""


def _is_memory(constraint: str) -> bool:
    return constraint.lstrip("=&%+").startswith("*")


@cache
def with_addresses(text: str, constraints: str) -> tuple[str, str]:
    """Inline assembly with addresses in registers for its memory operands.

    Arguments:
        text: with operands as `$0`, `${1}`; `$$` is a dollar.
        constraints: LLVM's constraint string.
    Returns text and constraints; the operands of the call stay as they are.
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

    # What is read or written through the addresses is memory that others see.
    memory = [] if "~{memory}" in clobbers else ["~{memory}"]
    return _REFERENCE.sub(renumbered, text), ",".join([*made, *clobbers, *memory])
