"""Costs as SARIF, which editors and code hosts show at the source lines of the results.

(OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".)
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from nvvm_xdsl.ir.locations import Place
from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.lab.report.costs import POOR, UNKNOWN, Costs

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

RULES = {
    "uncoalesced-access": "A global memory access of a warp transfers more sectors than necessary",
    "bank-conflict": "Threads of a warp access different words of one bank of shared memory",
    "unknown-access": "The addresses that the threads of a warp access are known only at run time",
    "local-memory": "A variable is kept in local memory, which is off-chip",
    "loop": "A loop whose trip count is known only at run time: unrolled or not, and the reason",
    "occupancy": "The occupancy: number of resident warps per multiprocessor, and its limit",
}
"""The rules that results refer to."""


def as_sarif(costs: Costs) -> str:
    """The costs as a SARIF log with one run."""
    driver = {
        "name": "nvvm-cc",
        "version": VERSION,
        "rules": [{"id": name, "shortDescription": {"text": text}} for name, text in RULES.items()],
    }
    run = {"tool": {"driver": driver}, "results": list(_results(costs))}
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _results(costs: Costs) -> Iterator[dict[str, Any]]:
    for access in costs.accesses:
        what = f"{access.space} {access.kind} of {access.size} bytes"
        where = f" of {access.array}" if access.array else ""
        text = f"{what}{where} in {access.function}: {access.pattern}; {access.cost}"
        if access.verdict == UNKNOWN:
            yield _result("unknown-access", "note", text, access.place)
        elif access.verdict == POOR:
            rule = "bank-conflict" if access.space == "shared" else "uncoalesced-access"
            yield _result(rule, "warning", text, access.place)
    for one in costs.locals:
        name = f"{one.kind} {one.name}".strip()
        causes = "; ".join(cause.text for cause in one.causes)
        text = f"{name} of {one.function} in local memory ({one.verdict}): {causes}"
        made = _result("local-memory", "warning", text, one.place)
        related = [_location(cause.place) for cause in one.causes if cause.place.file]
        if related:
            made["relatedLocations"] = related
        yield made
    for loop in costs.loops:
        text = f"loop in {loop.function} {loop.decision}: {loop.advice}"
        yield _result("loop", "note", text, loop.place)
    for one in costs.occupancy:
        text = f"{one.function}: {one.warps} of {one.most_warps} warps; {one.advice}"
        yield _result("occupancy", "note", text, one.place)


def _result(rule: str, level: str, text: str, place: Place) -> dict[str, Any]:
    made: dict[str, Any] = {"ruleId": rule, "level": level, "message": {"text": text}}
    if place.file:
        made["locations"] = [_location(place)]
    return made


def _location(place: Place) -> dict[str, Any]:
    region = {"startLine": place.line or 1}
    if place.column:
        region["startColumn"] = place.column
    return {"physicalLocation": {"artifactLocation": {"uri": place.file}, "region": region}}
