"""Where in the source an op comes from, as messages name it."""

from __future__ import annotations

from typing import NamedTuple, cast

from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.ir.attributes import items_of


class Place(NamedTuple):
    """A place in a source file, line and column counted from 1; all None where it is not known."""

    file: str | None
    line: int | None
    column: int | None

    def __str__(self) -> str:
        """`file:line:column`."""
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Place(None, None, None)


def place_of(op: Operation | None) -> Place:
    """The place that the op's location names, looking through wrappers."""
    return NOWHERE if op is None else place_of_location(cast(Attribute, op.location))


def place_of_location(location: Attribute) -> Place:
    """The place that a location names, looking through wrappers: of inlined code its own."""
    while True:
        if isinstance(location, FileLineColLoc):
            if not location.line.data:
                return NOWHERE
            return Place(location.filename.data, location.line.data, location.column.data)
        if isinstance(location, NameLoc):
            location = location.location
        elif isinstance(location, CallSiteLoc):
            location = location.callee
        elif isinstance(location, FusedLoc):
            parts = items_of(location.locations)
            if not parts:
                return NOWHERE
            location = parts[0]
        else:
            return NOWHERE


def merged_location(first: LocationAttr, second: LocationAttr) -> LocationAttr:
    """The location of one op that stands for two, as LLVM's `DILocation::getMergedLocation`.

    What both have in common: the line, or the file and line 0, which is DWARF's for code of no
    line. A debugger or profiler that is told either place would say that the other's code had not
    run.
    """
    if first == second:
        return first
    if isinstance(first, FileLineColLoc) and isinstance(second, FileLineColLoc):
        if first.filename == second.filename:
            line = first.line if first.line == second.line else IntAttr(0)
            return FileLineColLoc(first.filename, line, IntAttr(0))
    return UnknownLoc()


def has_place(op: Operation) -> bool:
    """Whether the op says where it comes from."""
    return not isinstance(cast(Attribute, op.location), UnknownLoc)


def location_at(file: str, line: int, column: int) -> FileLineColLoc:
    """The location of a place, line and column counted from 1."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
