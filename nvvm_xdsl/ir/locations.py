"""Source locations of ops for messages."""

from __future__ import annotations

from typing import Any, NamedTuple, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    CallSiteLoc,
    FileLineColLoc,
    FusedLoc,
    IntAttr,
    LocationAttr,
    NameLoc,
    NoneAttr,
    StringAttr,
    UnknownLoc,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.ir.arrays import items_of


class Place(NamedTuple):
    """A location in a source file, line and column counted from 1; all None if unknown."""

    file: str | None
    line: int | None
    column: int | None

    def __str__(self) -> str:
        """`file:line:column`."""
        return f"{self.file}:{self.line}:{self.column}"


NOWHERE = Place(None, None, None)


def location_of(op: Operation) -> Attribute:
    """The location attribute of an op, with its wrappers."""
    return cast(Attribute, op.location)


def place_of(op: Operation | None) -> Place:
    """The source location of the op, without wrappers."""
    return NOWHERE if op is None else place_of_location(location_of(op))


def place_of_location(location: Attribute) -> Place:
    """The source location without wrappers; for inlined code the callee's."""
    found = file_location_of(location)
    if found is None or not found.line.data:
        return NOWHERE
    return Place(found.filename.data, found.line.data, found.column.data)


def file_location_of(location: Attribute) -> FileLineColLoc | None:
    """The file, line (0 for code without a line) and column without wrappers; for inlined code the
    callee's."""
    while not isinstance(location, FileLineColLoc):
        if isinstance(location, NameLoc):
            location = location.location
        elif isinstance(location, CallSiteLoc):
            location = location.callee
        elif isinstance(location, FusedLoc) and items_of(location.locations):
            location = items_of(location.locations)[0]
        else:
            return None
    return location


def merged_location(first: LocationAttr, second: LocationAttr) -> LocationAttr:
    """The location of an op that replaces two, as LLVM's `DILocation::getMergedLocation`.

    The common part of both locations: the line, or the file and line 0, which DWARF uses for code
    without a line. With either location alone, a debugger or profiler would attribute the code to
    one source only.
    """
    if first == second:
        return first
    if isinstance(first, FileLineColLoc) and isinstance(second, FileLineColLoc):
        if first.filename == second.filename:
            line = first.line if first.line == second.line else IntAttr(0)
            return FileLineColLoc(first.filename, line, IntAttr(0))
    if isinstance(first, FusedLoc) and isinstance(second, FusedLoc):
        if first.metadata == second.metadata:
            ours, theirs = items_of(first.locations), items_of(second.locations)
            if len(ours) == len(theirs) == 1:
                inner = merged_location(cast(LocationAttr, ours[0]), cast(LocationAttr, theirs[0]))
                return scoped(inner, first.metadata)
    return UnknownLoc()


def without_line(location: LocationAttr) -> LocationAttr:
    """The location of an op that is moved to where its line is not executed: its file and scope,
    and line 0.

    LLVM's rule for hoisted and speculated ops ("How to Update Debug Info", "When to drop an
    instruction location"): otherwise a debugger would stop at, and a profiler count, a line that is
    not executed.
    """
    if isinstance(location, FileLineColLoc):
        return FileLineColLoc(location.filename, IntAttr(0), IntAttr(0))
    if isinstance(location, FusedLoc) and len(items_of(location.locations)) == 1:
        inner = without_line(cast(LocationAttr, items_of(location.locations)[0]))
        return scoped(inner, location.metadata)
    if isinstance(location, CallSiteLoc):
        return CallSiteLoc(without_line(cast(LocationAttr, location.callee)), location.caller)
    return location


def scoped(location: LocationAttr, scope: Attribute) -> FusedLoc:
    """The location with its debug scope, in MLIR's form: `fused<#scope>[...]`."""
    return FusedLoc(ArrayAttr([location]), scope)


def scope_of(location: Attribute) -> Attribute | None:
    """The debug scope of a location, for inlined code the callee's; None if it has none."""
    # Classes are compared, because this runs for every inlined op and `isinstance` is slow here.
    found: Any = location
    while (cls := found.__class__) is CallSiteLoc or cls is NameLoc:
        found = found.callee if cls is CallSiteLoc else found.location
    if cls is FusedLoc and found.metadata.__class__ is not NoneAttr:
        return found.metadata
    return None


def call_sites_of(location: Attribute) -> list[Attribute]:
    """The call sites that a location was inlined at, the innermost first."""
    found: list[Attribute] = []
    while isinstance(location, CallSiteLoc):
        location = location.caller
        found.append(location)
    return found


def inlined_at(location: LocationAttr, call: LocationAttr) -> LocationAttr:
    """The location of an op that was inlined at a call.

    It stays as it is if either is unknown, or if only one of the two has a debug scope: the function
    of the other could not be named.
    """
    if UnknownLoc in (location.__class__, call.__class__):
        return location
    if (scope_of(location) is None) != (scope_of(call) is None):
        return location
    if isinstance(location, CallSiteLoc):
        return CallSiteLoc(location.callee, inlined_at(cast(LocationAttr, location.caller), call))
    return CallSiteLoc(location, call)


def has_place(op: Operation) -> bool:
    """Returns True if the op has a source location."""
    return not isinstance(location_of(op), UnknownLoc)


def location_at(file: str, line: int, column: int) -> FileLineColLoc:
    """The location attribute of a file, line and column counted from 1."""
    return FileLineColLoc(StringAttr(file), IntAttr(line), IntAttr(column))
