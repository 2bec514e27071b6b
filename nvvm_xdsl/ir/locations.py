"""Where in the source an op comes from, as messages name it."""

from __future__ import annotations

from typing import NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    NameLoc,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation


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
    if op is None:
        return NOWHERE
    location = cast(Attribute, op.location)
    while True:
        if isinstance(location, FileLineColLoc):
            return Place(location.filename.data, location.line.data, location.column.data)
        if isinstance(location, NameLoc):
            location = location.location
        elif isinstance(location, CallSiteLoc):
            location = location.callee
        elif isinstance(location, FusedLoc):
            parts = cast("ArrayAttr[Attribute]", location.locations).data
            if not parts:
                return NOWHERE
            location = parts[0]
        else:
            return NOWHERE


def has_place(op: Operation) -> bool:
    """Whether the op says where it comes from."""
    return not isinstance(cast(Attribute, op.location), UnknownLoc)


def location_at(file: str, line: int, column: int) -> FileLineColLoc:
    """The location of a place, line and column counted from 1."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
