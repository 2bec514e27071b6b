"""Reports of a launch's errors as text, in the wording of compute-sanitizer."""

from __future__ import annotations

from collections.abc import Sequence

from nvvm_xdsl.driver.errors import show_line
from nvvm_xdsl.ir.demangle import readable
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator.execution.sanitizer import Report

INDENT = "    "


def as_text(reports: Sequence[Report], most: int) -> str:
    """The reports and a summary.

    Arguments:
        most: number of errors that are reported in full.
    """
    lines: list[str] = []
    for report in reports[:most]:
        lines += [*_lines(report), ""]
    if len(reports) > most:
        lines.append(f"{len(reports) - most} more are not shown (--print-limit)")
    return readable("\n".join([*lines, _summary(reports), ""]))


def _summary(reports: Sequence[Report]) -> str:
    leaks = sum(r.count for r in reports if r.kind == "leak")
    errors = sum(r.count for r in reports if r.kind != "leak")
    text = f"ERROR SUMMARY: {_count(errors, 'error')} in {_count(len(reports), 'report')}"
    return text + (f", {_count(leaks, 'allocation')} leaked" if leaks else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def _lines(report: Report) -> list[str]:
    place = report.place
    error = DiagnosticError(report.title, file=place.file, line=place.line, column=place.column)
    show_line(error, {})
    lines = [error.render()]
    for i, frame in enumerate(report.stack):
        how = f"at {frame} ({report.op.name})" if not i and report.op else f"called from {frame}"
        lines.append(INDENT + how)
    if report.actor is not None:
        more = f", and {report.count - 1} more" if report.count > 1 else ""
        lines.append(f"{INDENT}by {report.actor}{more}")
    lines += [INDENT + note for note in (*report.notes, *report.origins)]
    if report.kind == "limit":
        lines.append(f"{INDENT}--max-steps sets another limit")
    return lines
