"""Costs as plain data, for JSON and the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields
from typing import Any

from nvvm_xdsl.ir.locations import Place
from nvvm_xdsl.lab.report.costs import (
    AccessCost,
    Cause,
    Costs,
    LocalCost,
    LoopCost,
    OccupancyCost,
    Step,
)

_Row = AccessCost | LocalCost | LoopCost | OccupancyCost | Cause | Step
_MADE: dict[type[object], tuple[str, ...]] = {
    AccessCost: ("cost",),
    LoopCost: ("decision", "advice"),
    OccupancyCost: ("advice",),
}
"""Attributes other than fields that are included."""


def costs_data(costs: Costs, place: Callable[[Place], Any]) -> dict[str, Any]:
    """The costs as dictionaries by the names of the attributes.

    Arguments:
        place: converts a location to data.
    """

    def row(item: _Row) -> dict[str, Any]:
        names = [f.name for f in fields(item)]
        names += _MADE.get(type(item), ())
        return {name: value(getattr(item, name)) for name in names}

    def value(item: Any) -> Any:
        if isinstance(item, Place):
            return place(item)
        if isinstance(item, tuple):
            return [value(part) for part in item]  # pyright: ignore[reportUnknownVariableType]
        return row(item) if isinstance(item, _Row) else item

    return {
        "arch": costs.arch,
        "accesses": [row(item) for item in costs.accesses],
        "locals": [row(item) for item in costs.locals],
        "loops": [row(item) for item in costs.loops],
        "occupancy": [row(item) for item in costs.occupancy],
        "notes": costs.notes,
    }


def as_json(costs: Costs) -> str:
    """The costs as JSON text; a location is its file, line and column."""
    return json.dumps(costs_data(costs, lambda place: place._asdict()), indent=2) + "\n"
