"""`.file` and `.loc` (PTX ISA 9.1, section 11.5): source files, lines and columns of instructions.

Inlined code is described if locations name functions: `function_name`, a label of `.debug_str`, and
`inlined_at`, the location of the call, which an earlier `.loc` defines.
"""

from __future__ import annotations

from typing import TypeAlias

from xdsl.ir import Attribute

from nvvm_xdsl.codegen.emission.dwarf import FIRST_INLINED_LINES
from nvvm_xdsl.codegen.emission.dwarf.dies import Rows
from nvvm_xdsl.dialects.attributes import StructAttr
from nvvm_xdsl.dialects.llvm.debug_fields import text_of
from nvvm_xdsl.dialects.llvm.struct_attributes import DISubprogramAttr
from nvvm_xdsl.dialects.ptx.strings import quoted
from nvvm_xdsl.ir.locations import call_sites_of, file_location_of, scope_of

Line: TypeAlias = "tuple[int, int, int]"
"""A file number, a line and a column."""


class Lines:
    """The files of a module and the names of the functions that were inlined.

    Arguments:
        version: of PTX, times ten.
    """

    def __init__(self, version: int) -> None:
        self.named = version >= FIRST_INLINED_LINES
        self._files: dict[str, int] = {}
        self._names: dict[str, str] = {}

    def file_number(self, path: str) -> int:
        """The number of a file."""
        return self._files.setdefault(path, len(self._files) + 1)

    def name_label(self, name: str) -> str:
        """The label of a function's name."""
        return self._names.setdefault(name, f"$L__info_string{len(self._names)}")

    def of_function(self) -> FunctionLines:
        """Starts the lines of another function."""
        return FunctionLines(self)

    def directives(self) -> list[str]:
        """The files, and the section of names."""
        found = [f".file\t{number} {quoted(path)}" for path, number in self._files.items()]
        if self._names:
            rows = Rows()
            for name, label in self._names.items():
                rows.flush()
                rows.lines.append(f"{label}:")
                rows.bytes(name.encode("utf-8", "surrogateescape") + b"\0")
            found.append(rows.section(".debug_str"))
        if self._files:
            found.append(".section\t.debug_macinfo\t{\t}")
        return found


class FunctionLines:
    """Line changes in a function."""

    def __init__(self, module: Lines) -> None:
        self._module = module
        self._last: tuple[Line, tuple[Attribute, ...]] | None = None

    def before(self, location: Attribute) -> list[str]:
        """The directives before an instruction; none if it has the line of the instruction before
        it.
        """
        line = self._line(location)
        if line is None:
            return []
        calls = tuple(call_sites_of(location)) if self._module.named else ()
        if scope_of(location) is None:
            calls = ()
        last = self._last
        if last == (line, calls):
            return []
        if line[1] == 0 and (last is None or last[0][1] == 0):
            # Code without a line ends the previous line, and is marked once.
            return []
        found: list[str] = []
        if last is None or last[1] != calls:
            for depth in reversed(range(len(calls))):
                text = self._loc(calls[depth], calls[depth + 1 :])
                if text:
                    found.append(text)
        self._last = (line, calls)
        text = self._loc(location, calls)
        return [*found, text] if text else found

    def _line(self, location: Attribute) -> Line | None:
        place = file_location_of(location)
        if place is None:
            return None
        number = self._module.file_number(place.filename.data)
        return number, place.line.data, place.column.data

    def _loc(self, location: Attribute, calls: tuple[Attribute, ...]) -> str:
        line = self._line(location)
        if line is None:
            return ""
        text = f".loc\t{line[0]} {line[1]} {line[2]}"
        call = self._line(calls[0]) if calls else None
        name = _function_name(scope_of(location))
        if call is None or not name:
            return text
        text += f", function_name {self._module.name_label(name)}"
        return f"{text}, inlined_at {call[0]} {call[1]} {call[2]}"


def _function_name(scope: Attribute | None) -> str:
    """The linkage name of the function around a scope."""
    while isinstance(scope, StructAttr) and not isinstance(scope, DISubprogramAttr):
        scope = scope.field("scope")
    if not isinstance(scope, DISubprogramAttr):
        return ""
    return text_of(scope, "linkageName") or text_of(scope, "name")
