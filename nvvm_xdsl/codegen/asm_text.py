"""What PTX text that somebody else wrote asks for."""

from __future__ import annotations

import re
from functools import cache

from nvvm_xdsl.dialects.nvptx.instructions import split_opcode
from nvvm_xdsl.dialects.nvptx.rows import ROWS
from nvvm_xdsl.dialects.nvptx.special_registers import SPECIAL_REGISTERS

_STATEMENT = re.compile(
    r"""(?:^|[;{}\n|:])\s*          # a statement starts the text or follows another or a label
        (?:@!?[^\s;]+\s+)?          # the guard
        ([a-z][a-z0-9_]*(?:[.:]+[A-Za-z0-9_]+)*)""",
    re.VERBOSE,
)
_SPECIAL_REGISTER = re.compile(r"%+([a-z][a-z0-9_]*(?:\.[xyz])?)")


@cache
def required_ptx(text: str) -> int:
    """The PTX version, times ten, that the instructions and special registers in it need.

    Words that no table has count for nothing: ptxas judges the text in the end.
    """
    from nvvm_xdsl.dialects.ptx.statements import without_comments

    version = 0
    stripped = without_comments(text)
    for match in _STATEMENT.finditer(stripped):
        try:
            mnemonic, modifiers = split_opcode(match[1])
        except KeyError:
            continue
        version = max(version, ROWS[mnemonic].requirement_with(modifiers).ptx)
    for match in _SPECIAL_REGISTER.finditer(stripped):
        known = SPECIAL_REGISTERS.get(match[1])
        if known is not None:
            version = max(version, known[1].ptx)
    return version
