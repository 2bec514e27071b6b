"""Formatting of profiles: as tables, as JSON, and beside source lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from xdsl.ir import Operation

from nvvm_xdsl.ir.bounded_files import source_text
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator.execution.profile import Executed, Profile, Requests, as_table
from nvvm_xdsl.simulator.execution.sanitizer import user_place

if TYPE_CHECKING:
    from rich.table import Table

_TITLES = {
    "instructions": "Executed instructions",
    "memory": "Memory requests",
    "branches": "Branches",
}


def report(profile: Profile) -> dict[str, list[dict[str, Any]]]:
    """The counts as plain data: a list of rows for each table, a row as a dictionary by column."""
    return as_table(profile)


def as_json(profile: Profile) -> str:
    """The counts as JSON text: the tables, and `lines` with the counts of each source line."""
    return json.dumps({**report(profile), "lines": _line_rows(profile)}, indent=2) + "\n"


LINE_COUNTS = ("warps", "threads", "sectors", "bank_conflicts", "divergent")
"""The counts of a source line in the JSON text."""


def _line_rows(profile: Profile) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for file, lines in _by_place(profile)[0].items():
        for number, line in sorted(lines.items()):
            counts = (
                line.executed.warps,
                line.executed.threads,
                line.sectors,
                line.conflicts,
                line.divergent,
            )
            rows.append({"file": file, "line": number, **dict(zip(LINE_COUNTS, counts))})
    return rows


def line_counts(text: str, name: str) -> dict[str, dict[int, list[int]]]:
    """The `LINE_COUNTS` of each line, by file, from the JSON text of a profile.

    Arguments:
        name: the file name in errors.
    Raises DiagnosticError for text that is not a profile with counts of lines.
    """
    found: dict[str, dict[int, list[int]]] = {}
    try:
        for row in json.loads(text)["lines"]:
            counts = [int(row[column]) for column in LINE_COUNTS]
            found.setdefault(str(row["file"]), {})[int(row["line"])] = counts
    except (ValueError, TypeError, KeyError):
        message = "not a profile of nvvm-run --profile-json"
        raise DiagnosticError(message, file=name) from None
    return found


def tables(profile: Profile) -> list[Table]:
    """The counts as printable tables."""
    from rich.table import Table

    found: list[Table] = []
    for name, rows in report(profile).items():
        if not rows:
            continue
        table = Table(title=_TITLES[name], title_justify="left", box=None, pad_edge=False)
        for position, column in enumerate(rows[0]):
            is_name = position == 0 and isinstance(rows[0][column], str)
            table.add_column(column.replace("_", " "), justify="left" if is_name else "right")
        for row in rows:
            table.add_row(*(_cell(value) for value in row.values()))
        found.append(table)
    return found


def as_text(profile: Profile) -> str:
    """The tables as text, a blank line between them."""
    return text_of(tables(profile))


def text_of(shown: Iterable[Table], width: int = 120) -> str:
    """Tables as text with a given width, separated by blank lines."""
    from rich.console import Console

    found: list[str] = []
    for table in shown:
        console = Console(width=width, color_system=None, markup=False)
        with console.capture() as captured:
            console.print(table)
        found.append("".join(f"{line.rstrip()}\n" for line in captured.get().splitlines()))
    return "\n".join(found)


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


@dataclass
class _Line:
    """The counts of all instructions of a source line."""

    executed: Executed = field(default_factory=Executed)
    sectors: int = 0
    conflicts: int = 0
    divergent: int = 0

    def columns(self) -> tuple[str, ...]:
        """The text before the line; empty for 0."""
        active = self.executed.threads / self.executed.warps if self.executed.warps else 0.0
        numbers = (self.executed.warps, self.sectors, self.conflicts, self.divergent)
        warps, *rest = (f"{n:,}" if n else "" for n in numbers)
        return (warps, f"{active:.1f}" if active else "", *rest)


_HEADER = re.compile(
    r"/clang/[\d.]+/include/|/cuda[^/]*/include/|/cu\d+/include/|/cuda_headers/|^/usr/include/"
)
"""Names of headers of clang, CUDA or the system."""


def is_system_header(file: str) -> bool:
    """Whether a file is a header of clang, CUDA or the system."""
    return _HEADER.search(file) is not None


ANNOTATIONS = ("warps", "lanes", "sectors", "conflicts", "divergent")
"""The text before each line of an annotated source."""


def annotated(profile: Profile, texts: dict[str, str]) -> str:
    """The lines of sources with the costs of their instructions.

    The columns before a line are the executions of its instructions by warps, the average number of
    active lanes, the 32-byte sectors that they access, their bank conflicts in shared memory, and
    the warps that diverge at them. The last line has the counts of instructions without a location.

    Arguments:
        texts: the sources by the file names in locations. Code of headers of clang and
            CUDA is counted at the line that it was inlined to, and otherwise only summed; other files are read from disk, and unreadable ones are shown by line
            numbers.
    """
    files, unplaced = _by_place(profile)
    headers = [file for file in files if is_system_header(file) and file not in texts]
    inside = sum(line.executed.warps for file in headers for line in files.pop(file).values())
    total = profile.total().warps
    out: list[str] = []
    for file, lines in files.items():
        text = texts.get(file)
        if text is None:
            text = source_text(file) or ""
        source = text.splitlines()
        shown = range(1, len(source) + 1) if source else sorted(lines)
        rows = [ANNOTATIONS, *(lines.get(n, _Line()).columns() for n in shown)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(ANNOTATIONS))]
        out.append(file)
        for number, row in zip((0, *shown), rows):
            cells = "  ".join(cell.rjust(width) for cell, width in zip(row, widths))
            line = source[number - 1] if number and source else f"line {number}" if number else ""
            out.append(f"{cells} | {line}".rstrip())
    if unplaced:
        share = 100 * unplaced / total
        out.append(f"{unplaced:,} instructions of {total:,} ({share:.1f}%) have no source line")
    if inside:
        share = 100 * inside / total
        out.append(
            f"{inside:,} instructions of {total:,} ({share:.1f}%) come from headers of clang and CUDA"
        )
    return "\n".join(out) + "\n"


def _by_place(profile: Profile) -> tuple[dict[str, dict[int, _Line]], int]:
    """Counts by file and line, and the instructions of warps without a location."""
    files: dict[str, dict[int, _Line]] = {}
    unplaced = 0

    def line_of(op: Operation) -> _Line | None:
        file, line, _ = user_place(op, is_system_header)
        if file is None or line is None or line <= 0:
            return None
        return files.setdefault(file, {}).setdefault(line, _Line())

    for op, row in profile.instructions().items():
        found = line_of(op)
        if found is None:
            unplaced += row.warps
        else:
            found.executed.add(row)
    for op, spaces in profile.memory().items():
        found = line_of(op)
        if found is not None:
            found.sectors += _sum(spaces.values(), "sectors")
            found.conflicts += _sum(spaces.values(), "conflicts")
    for op, count in profile.divergent_branches().items():
        found = line_of(op)
        if found is not None:
            found.divergent += count
    return files, unplaced


def _sum(rows: Iterable[Requests], name: str) -> int:
    return sum(getattr(row, name) for row in rows)
