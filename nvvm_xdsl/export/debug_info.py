"""Debug locations as metadata (LLVM Language Reference, "Debug Info", `DILocation`).

The IR keeps the file, line and column of each op, including inlined ops, but no other debug
information. Each function gets a `DISubprogram` of its name, and ops inlined from a file get one
for that file, in a unit with line tables only.
"""

from __future__ import annotations

import posixpath

from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc, UnknownLoc
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.export.metadata import MetadataWriter
from nvvm_xdsl.export.spelling import bytes_of, quoted
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.locations import Place, file_location_of, place_of


class DebugInfoWriter:
    """Adds the nodes for locations to the metadata of a module."""

    _metadata: MetadataWriter
    _unit: str
    _inlined: dict[str, str]
    _scopes: dict[tuple[str, str], str]
    _locations: dict[tuple[str, Attribute], str]

    def __init__(self, metadata: MetadataWriter) -> None:
        self._metadata = metadata
        self._unit = ""
        self._inlined = {}
        self._scopes = {}
        self._locations = {}

    @property
    def is_used(self) -> bool:
        """True if the module contains debug information."""
        return bool(self._unit)

    def file(self, path: str) -> str:
        """The `DIFile` of a path."""
        directory, name = posixpath.split(path)
        return self._metadata.node(
            f"!DIFile(filename: {quoted(bytes_of(name or path))}, "
            f"directory: {quoted(bytes_of(directory))})"
        )

    def _unit_of(self, file: str) -> str:
        if not self._unit:
            self._unit = self._metadata.distinct(
                lambda _name: (
                    f"!DICompileUnit(language: DW_LANG_C_plus_plus, file: {file}, "
                    'producer: "nvvm-xdsl", isOptimized: false, runtimeVersion: 0, '
                    "emissionKind: LineTablesOnly)"
                )
            )
            self._metadata.add_named("llvm.dbg.cu", self._unit)
        return self._unit

    def subprogram(self, name: str, place: Place) -> str:
        """The `DISubprogram` of a function defined at a location."""
        assert place.file is not None
        file = self.file(place.file)
        unit = self._unit_of(file)
        signature = self._metadata.node(f"!DISubroutineType(types: {self._metadata.unit()})")
        line = place.line or 0
        made = self._metadata.distinct(
            lambda _name: (
                f"!DISubprogram(name: {quoted(bytes_of(name))}, scope: {file}, file: {file}, "
                f"line: {line}, type: {signature}, scopeLine: {line}, "
                f"spFlags: DISPFlagDefinition, unit: {unit})"
            )
        )
        self._scopes[made, place.file] = made
        return made

    def _scope(self, subprogram: str, path: str) -> str:
        """The scope in a function of lines of a file."""
        found = self._scopes.get((subprogram, path))
        if found is None:
            found = self._scopes[subprogram, path] = self._metadata.node(
                f"!DILexicalBlockFile(scope: {subprogram}, file: {self.file(path)}, "
                "discriminator: 0)"
            )
        return found

    def location(self, location: Attribute, subprogram: str) -> str | None:
        """The node of a location in a function; None for an unknown location."""
        key = (subprogram, location)
        found = self._locations.get(key)
        if found is None:
            made = self._make(location, subprogram, "")
            if made is None:
                return None
            found = self._locations[key] = made
        return found

    def _make(self, location: Attribute, subprogram: str, inlined_at: str) -> str | None:
        if isinstance(location, NameLoc):
            return self._make(location.location, subprogram, inlined_at)
        if isinstance(location, FusedLoc):
            parts = items_of(location.locations)
            return self._make(parts[0], subprogram, inlined_at) if parts else None
        if isinstance(location, CallSiteLoc):
            caller = self._make(location.caller, subprogram, inlined_at)
            if caller is None:
                return self._make(location.callee, subprogram, inlined_at)
            path = _file_of(location.callee)
            if path is None:
                return caller
            return self._make(location.callee, self._inlined_from(path), f", inlinedAt: {caller}")
        if not isinstance(location, FileLineColLoc):
            return None
        scope = self._scope(subprogram, location.filename.data)
        text = f"!DILocation(line: {location.line.data}, column: {location.column.data}, "
        text += f"scope: {scope}{inlined_at})"
        return self._metadata.node(text)

    def _inlined_from(self, path: str) -> str:
        found = self._inlined.get(path)
        if found is None:
            made = self.subprogram(posixpath.basename(path), Place(path, 0, 0))
            found = self._inlined[path] = made
        return found

    def nowhere(self, subprogram: str) -> str:
        """The location of an op without a line, which calls must have."""
        return self._metadata.node(f"!DILocation(line: 0, scope: {subprogram})")


def _file_of(location: Attribute) -> str | None:
    """The file of the innermost location."""
    found = file_location_of(location)
    return None if found is None else found.filename.data


def defined_at(func: Operation) -> Place | None:
    """The location of a function's definition, if known."""
    if isinstance(func.location, UnknownLoc):
        return None
    place = place_of(func)
    return place if place.file is not None else None
