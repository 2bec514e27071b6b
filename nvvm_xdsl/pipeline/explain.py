"""Lists the documented passes that a level runs, and the reasons for omitting the others.

tier 3            sinking2                    absent  guard sm-specific&&!no-sinking2
tier 3            nvvm-lower-barriers         off     opts[3488] is off (-slot=3488=0): Enable barrier optimization
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from nvvm_xdsl.pipeline.build import NestNode, Node, RepeatNode
from nvvm_xdsl.pipeline.construct import ABSENT, OFF, RUNS, Constructor, Decision
from nvvm_xdsl.pipeline.levels import config_of
from nvvm_xdsl.pipeline.options import PassOptions

_WIDEST = 44
"""Number of characters of an element that are shown; standard pipelines are longer."""


def decisions(parameter: str, options: PassOptions) -> list[Decision]:
    """The outcome of every element of the sequences of `nvopt<parameter>`.

    Raises KeyError for an unknown parameter.
    """
    config = config_of(parameter)
    config.options = options
    constructor = Constructor(config)
    constructor.build()
    return constructor.decisions


def explain(nodes: Iterable[Node], options: PassOptions) -> str:
    """The output of `nvvm-opt --explain-pipeline`: a section for each level that a pipeline names.

    Arguments:
        nodes: the pipeline.
        options: the options of `-opt`.
    """
    parts = [_part(node.spelling, ";".join(node.parameters), options) for node in _levels_in(nodes)]
    return "\n".join(parts)


def left_out(nodes: Iterable[Node], options: PassOptions) -> Counter[str]:
    """The number of occurrences, in the levels of a pipeline, of each pass that does not exist
    here."""
    return Counter(
        decision.element.partition("<")[0]
        for node in _levels_in(nodes)
        for decision in decisions(";".join(node.parameters), options)
        if decision.outcome == ABSENT
    )


def _levels_in(nodes: Iterable[Node]) -> Iterable[NestNode]:
    for node in nodes:
        if isinstance(node, NestNode) and node.spelling in ("nvopt", "default"):
            yield node
        elif isinstance(node, (NestNode, RepeatNode)):
            yield from _levels_in(node.children)


def _part(spelling: str, parameter: str, options: PassOptions) -> str:
    found = decisions(parameter, options)
    places = max(len(d.place) for d in found)
    elements = min(_WIDEST, max(len(d.element) for d in found))
    lines = [f"{spelling}<{parameter}>"]
    for decision in found:
        element = decision.element
        if len(element) > _WIDEST:
            element = element[: _WIDEST - 3] + "..."
        line = (
            f"  {decision.place:{places}}  {element:{elements}}  "
            f"{decision.outcome:6}  {decision.why}"
        )
        lines.append(line.rstrip())
    counts = Counter(d.outcome for d in found)
    absent = Counter(d.element.partition("<")[0] for d in found if d.outcome == ABSENT)
    lines.append(
        f"  {counts[RUNS]} passes run, {counts[OFF]} are disabled, "
        f"{counts[ABSENT]} are not implemented" + (": " + _named(absent) if absent else "")
    )
    return "\n".join(lines) + "\n"


def _named(absent: Counter[str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in absent.most_common())


def remark(nodes: Iterable[Node], options: PassOptions) -> str:
    """One line about the passes that the levels of a pipeline omit; empty if they omit none."""
    absent = left_out(nodes, options)
    if not absent:
        return ""
    return f"not implemented and left out: {_named(absent)}"
