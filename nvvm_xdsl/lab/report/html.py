"""A recorded compilation as a self-contained HTML file.

The parts of the page are files in `page/`: its frame, its style, and one script per view. The
recording is embedded as JSON. Views render only the visible part, so that large recordings open
quickly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from itertools import accumulate
from pathlib import PurePath
from types import MappingProxyType
from typing import Any

from nvvm_xdsl.ir.demangle import demangled, plain_name
from nvvm_xdsl.ir.locations import Place
from nvvm_xdsl.ir.remarks import Remark
from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.lab.report.compilation import STAGES, Compilation
from nvvm_xdsl.lab.report.facts import Flow
from nvvm_xdsl.lab.report.plain import costs_data
from nvvm_xdsl.pipeline.history import MODULE, Column, Row

SCRIPTS = (
    "model.js",
    "list.js",
    "tokens.js",
    "passes.js",
    "change.js",
    "code.js",
    "dagre.min.js",
    "graph.js",
    "registers.js",
    "tables.js",
    "search.js",
    "main.js",
)
"""The scripts of the page, in loading order."""

_ENTRY = re.compile(r"\.(?:entry|func)\s+(?:\([^)]*\)\s*)?([\w$.]+)")
_MICROSECONDS = 1_000_000

HIDDEN_PASSES = frozenset({"print-module"})
"""Passes of the documented sequences that only print, which the page omits."""


class _Files:
    """Source files by index, in order of occurrence."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}

    def of(self, name: str | None) -> int:
        """The file's index, -1 for none."""
        return -1 if name is None else self.numbers.setdefault(name, len(self.numbers))


def page_of(
    found: Compilation,
    function: str | None = None,
    counts: Mapping[str, Mapping[int, list[int]]] | None = None,
) -> str:
    """The page.

    Arguments:
        function: the function that is shown first; the first kernel if None.
        counts: the `LINE_COUNTS` of executed source lines, by file and line, which are shown beside the source.
    """
    folder = files("nvvm_xdsl.lab.report").joinpath("page")

    def part(name: str) -> str:
        return folder.joinpath(name).read_text(encoding="utf-8")

    parts = {
        "TITLE": _escaped(f"{_title(found.names)} · {found.arch} {found.level}"),
        "STYLE": part("style.css"),
        "SCRIPT": "\n".join(part(name) for name in SCRIPTS),
        "DATA": script_safe({**data_of(found, counts or {}), "start": function}),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], part("frame.html"))


def script_safe(data: Any) -> str:
    """JSON that can be embedded in an HTML script element, even if it contains markup."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _title(names: Sequence[str]) -> str:
    """The first input's file name and the number of the others."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{PurePath(names[0]).name}{more}"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


class _Columns:
    """The data of the functions, and the remarks that their cells refer to by index."""

    def __init__(self, found: Compilation, names: _Files, rows: Mapping[Row, int]) -> None:
        self.found = found
        self.names = names
        self.rows = rows
        self.kernels = {kernel.name for kernel in found.kernels}
        self.ranges = _function_ranges([line.text for line in found.lines])
        self.remarks: list[list[Any]] = []

    def remark_number(self, remark: Remark) -> int:
        """Adds a remark and returns its index."""
        place = [self.names.of(remark.file), remark.line]
        self.remarks.append([remark.kind, remark.pass_name, remark.name, remark.function, remark.message, *place])  # fmt: skip
        return len(self.remarks) - 1

    def data_of(self, column: Column) -> dict[str, Any]:
        """The data of a function."""
        found, rows = self.found, self.rows
        return {
            "name": column.name,
            "label": plain_name(column.name),
            "title": demangled(column.name),
            "kernel": column.name in self.kernels,
            "gone": column.gone,
            "cells": [
                [
                    rows[cell.row],
                    round(cell.seconds * _MICROSECONDS),
                    cell.edits or 0,
                    [self.remark_number(remark) for remark in cell.remarks],
                ]
                for cell in sorted(
                    (cell for cell in column.cells if cell.row in rows),
                    key=lambda cell: rows[cell.row],
                )
            ],
            "flows": {
                stage: _flow_data(flows[column.name])
                for stage, flows in found.flows.items()
                if column.name in flows
            },
            "pressure": [[p.line - 1, p.registers] for p in found.pressure.get(column.name, [])],
            "ptx": self.ranges.get(column.name, [0, 0]),
            "code": [
                [line.text, line.line - 1] for line in found.assembly.code.get(column.name, [])
            ],
        }


def data_of(
    found: Compilation, counts: Mapping[str, Mapping[int, list[int]]] = MappingProxyType({})
) -> dict[str, Any]:
    """The data for the page's scripts; `counts` as for `page_of`."""
    history = found.history
    names = _Files()
    shown = [row for row in history.rows if row.name not in HIDDEN_PASSES]
    rows = {row: number for number, row in enumerate(shown)}
    # A stage that ends with a hidden pass ends with the last one shown before it.
    numbers = accumulate(row.name not in HIDDEN_PASSES for row in history.rows)
    ends = {row: max(number - 1, 0) for row, number in zip(history.rows, numbers)}
    columns = _Columns(found, names, rows)
    kernels = {kernel.name for kernel in found.kernels}
    shown_columns = sorted(
        history.columns.values(), key=lambda c: (c.name == MODULE, c.name not in kernels)
    )

    def place_data(place: Place) -> list[int]:
        return [names.of(place.file), place.line or 0, place.column or 0]

    data: dict[str, Any] = {
        "title": _title(found.names),
        "inputs": list(found.names),
        "arch": found.arch,
        "level": found.level,
        "version": VERSION,
        "seconds": found.seconds,
        "stages": STAGES,
        "stageRows": {stage: ends[row] for stage, row in found.stage_rows.items()},
        "rows": [[r.name, r.text, r.stage, round(r.seconds * _MICROSECONDS)] for r in shown],
        "lines": [line.text for line in history.lines],
        "lineFiles": [names.of(line.file) for line in history.lines],
        "lineNumbers": [line.line or 0 for line in history.lines],
        "aliases": history.aliases.definitions,
        "functions": [columns.data_of(column) for column in shown_columns],
        "remarks": columns.remarks,
        "ptx": [line.text for line in found.lines],
        "ptxFiles": [names.of(line.file) for line in found.lines],
        "ptxNumbers": [line.line or 0 for line in found.lines],
        "costs": costs_data(found.costs, place_data),
    }
    data["executed"] = {names.numbers[file]: lines for file, lines in counts.items() if file in names.numbers}  # fmt: skip
    data["files"] = list(names.numbers)
    data["sources"] = [found.sources.get(name, "").split("\n") if name in found.sources else [] for name in names.numbers]  # fmt: skip
    return data


def _flow_data(flow: Flow) -> dict[str, Any]:
    return {
        "blocks": [
            [
                block.name,
                block.line,
                block.lines,
                round(block.frequency, 4),
                block.loop,
                int(block.divergent),
                [[edge.target, round(edge.probability, 4)] for edge in block.edges],
            ]
            for block in flow.blocks
        ],
        "loops": [[loop.header, loop.parent, loop.depth] for loop in flow.loops],
        "divergent": flow.divergent,
    }


def _function_ranges(lines: list[str]) -> dict[str, list[int]]:
    """The first line of each function's PTX, and the line after its last."""
    found: dict[str, list[int]] = {}
    current: list[int] | None = None
    for number, text in enumerate(lines):
        entry = _ENTRY.search(text)
        if entry is not None:
            current = found[entry[1]] = [number, number + 1]
        elif text.startswith("}") and current is not None:
            current[1] = number + 1
            current = None
    return found
