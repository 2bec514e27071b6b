"""Costs as tables for the terminal, by line of the source."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from rich.table import Table

from nvvm_xdsl.ir.demangle import readable
from nvvm_xdsl.ir.locations import Place
from nvvm_xdsl.lab.profile_report import text_of
from nvvm_xdsl.lab.report.costs import Costs, OccupancyCost

WIDTH = 150
_SOURCE_WIDTH = 44
_PATH_WIDTH = 24


def as_text(costs: Costs, sources: Mapping[str, str], folder: str | None = None) -> str:
    """The tables.

    Arguments:
        sources: the text of source files by name, for the source lines of the rows.
        folder: the paths of files in this folder are shown relative to it; default: the working directory.
    """
    lines = {file: text.split("\n") for file, text in sources.items()}
    where = partial(_where, os.getcwd() if folder is None else folder)
    all_tables = (
        _accesses(costs, lines, where),
        _locals(costs, where),
        _loops(costs, lines, where),
        _occupancy(costs),
    )
    tables = [table for table in all_tables if table.row_count]
    text = text_of(tables, WIDTH) if tables else ""
    return text + "".join(f"note: {note}\n" for note in costs.notes)


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column in ("line", "access", "source"))
    return table


_Where: TypeAlias = Callable[[Place], str]


def _where(folder: str, place: Place) -> str:
    path = (place.file or "").removeprefix(os.path.join(folder, ""))
    return f"{shortened(path)}:{place.line}" if place.line else "?"


def shortened(path: str, width: int = _PATH_WIDTH) -> str:
    """A path shortened to a maximum length: the middle is omitted, the file name stays."""
    name = path.rpartition("/")[2]
    if len(path) <= width or name == path:
        return path
    start = max(width - len(name) - 2, 0)
    return f"{path[:start]}…/{name}" if start else f"…/{name}"


def _accesses(costs: Costs, sources: Mapping[str, Sequence[str]], where: _Where) -> Table:
    table = _table("Memory accesses of a warp", "line", "access", "pattern over the warp", "cost", "source")  # fmt: skip
    rows = Counter(
        (where(a.place), f"{a.space} {a.kind}, {a.size} bytes" + (f" of {a.array}" if a.array else ""), a.pattern, a.cost, _source(a.place, sources))
        for a in costs.accesses
    )  # fmt: skip
    for (place, access, pattern, cost, source), count in rows.items():
        times = f" (×{count})" if count > 1 else ""
        table.add_row(place, access + times, pattern, cost, source)
    return table


def _source(place: Place, sources: Mapping[str, Sequence[str]]) -> str:
    lines = sources.get(place.file or "", ())
    if not place.line or place.line > len(lines):
        return ""
    text = lines[place.line - 1].strip()
    return text if len(text) <= _SOURCE_WIDTH else text[: _SOURCE_WIDTH - 1] + "…"


def _locals(costs: Costs, where: _Where) -> Table:
    table = _table("Variables in local memory", "line", "variable", "because", "ptxas")
    for one in costs.locals:
        size = "" if one.size is None else f", {one.size} bytes"
        causes = "\n".join(f"{c.text}, at {where(c.place)}" for c in one.causes)
        name = f"{one.kind} {one.name}".strip()
        owner = readable(one.function)
        table.add_row(where(one.place), f"{name}{size} in {owner}", causes, one.verdict)
    return table


def _loops(costs: Costs, sources: Mapping[str, Sequence[str]], where: _Where) -> Table:
    table = _table("Loops with a trip count known at run time", "line", "loop", "effect", "source")
    for loop in costs.loops:
        table.add_row(where(loop.place), loop.decision, loop.advice, _source(loop.place, sources))
    return table


def _occupancy(costs: Costs) -> Table:
    table = _table(f"Occupancy on {costs.arch}", "kernel", "registers", "shared memory", "threads", "warps", "how to change it")  # fmt: skip
    for one in costs.occupancy:
        table.add_row(
            readable(one.function),
            f"{one.registers}{'' if one.measured else ' live'}",
            f"{one.shared} bytes",
            f"{one.threads}{'' if one.stated else ' assumed'}",
            f"{one.warps} of {one.most_warps}",
            f"{one.advice}; {_next_steps(one)}",
        )
    return table


def _next_steps(cost: OccupancyCost) -> str:
    """Maximum number of registers that does not change the occupancy."""
    here = [step for step in cost.register_steps if step.amount >= cost.registers]
    if not here:
        return "too many registers for a block"
    step = here[0]
    return f"up to {step.amount} registers allow {step.warps} warps"
