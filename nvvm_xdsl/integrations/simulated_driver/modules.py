"""Loaded modules: linked PTX as a program of the simulator."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from nvvm_xdsl.dialects.nvptx.functions import LocalOp
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator.program import Program

SEPARATOR: Final = "\n//// the next module\n"
"""Text between the modules of a linked program."""

_HEADER: Final = re.compile(r"^\s*\.(version|target|address_size)\b.*$", re.MULTILINE)
_DECLARATION: Final = re.compile(r"^\s*\.extern\s+\.func\b[^;{]*;", re.MULTILINE)
_WEAK: Final = re.compile(r"^\s*\.weak\s+\.func\b[^;{]*\{.*?^\}", re.MULTILINE | re.DOTALL)
_NAME: Final = re.compile(r"\.func\s*(?:\([^)]*\)\s*)?([\w$%]+)")


class Module:
    """A loaded module. Its variables keep their contents between launches.

    Raises DiagnosticError for invalid PTX.
    """

    def __init__(self, text: str) -> None:
        self.program: Program = executable(linked(text.split(SEPARATOR)), None).program
        self.variables: dict[str, bytes] = {}
        """The contents of variables after the last launch or copy of the host."""
        self.copies: dict[int, str] = {}
        """The names of the variables that the host accesses, by the address of their copies: the
        variables of all modules have the same addresses in the simulator."""

    def contents_of(self, name: str) -> bytes:
        """The current contents of a variable."""
        content = self.variables.get(name)
        if content is not None:
            return content
        initial = self.program.initial_bytes(name)
        # Machine code has no initializers that must be run.
        assert initial is not None
        return initial[0]

    def local_bytes(self, kernel: str) -> int:
        """The size of the local variables of a kernel, without those of its callees."""
        body = self.program.infos[kernel].op.regions[0]
        return sum(op.size for block in body.blocks for op in block.ops if isinstance(op, LocalOp))

    def bytes_in(self, window: int) -> int:
        """The sum of the sizes of the variables in a window of addresses."""
        variables = self.program.placement.variables.values()
        return sum(v.size for v in variables if v.window == window)


def linked(texts: Sequence[str]) -> str:
    """One PTX module of several ones.

    Declarations of functions that one of the modules defines, and all but the first weak definition
    of a function are left out. Private symbols of the modules must differ.
    """
    if len(texts) == 1:
        return texts[0]
    header = "\n".join(match[0] for match in _HEADER.finditer(texts[0]))
    code = "\n".join(_HEADER.sub("", text) for text in texts)
    strong = _WEAK.sub("", _DECLARATION.sub("", code))
    known = {match[1] for match in _NAME.finditer(strong)}

    def first(match: re.Match[str]) -> str:
        name = _NAME.search(match[0])
        if name is None or name[1] in known:
            return ""
        known.add(name[1])
        return match[0]

    return header + "\n" + _DECLARATION.sub(first, _WEAK.sub(first, code))
