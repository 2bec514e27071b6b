"""The search space of a level: passes omitted or added, and their parameters.

A choice applies to all occurrences of a pass: if `licm` is omitted, it is omitted everywhere.
Passes that correct PTX requires, checks, and parameters that state facts about the program or the
target are not choices, so that every variation preserves the results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.base import NvvmPass, ParameterError
from nvvm_xdsl.pipeline.build import build_pipeline, print_nodes
from nvvm_xdsl.pipeline.machine import machine_pipeline
from nvvm_xdsl.pipeline.text import Element, parse_pipeline, print_pipeline

ON: Final = "on"
OFF: Final = "off"

CHECKS: Final = frozenset(
    {"cnp-launch-check", "local-memory-remarks", "nvvm-ir-verification", "nvvm-verify", "print-module"}
)  # fmt: skip
"""Passes that only check or report."""

STATING_FACTS: Final = frozenset(
    {
        "branch-dist", "infer-address-spaces", "ipmsp", "lower-struct-args", "memory-space-opt", "nvvm-intrinsic-lowering",
        "nvvm-lower-barriers", "nvvm-reduction", "process-restrict", "set-global-array-alignment",
    }
)  # fmt: skip
"""Passes whose parameters are assertions about the program or the target."""

_NO_CHOICE = re.compile(r"dump-|print-|ignore-|warnings|maxrregcount|pragma-")
"""Parameters that print, that drop a safety check, or that the user must state."""

ADDITIONS: Final = (
    "bdce", "dfa-jump-threading", "nvvm-peephole-optimizer", "scalarizer", "separate-const-offset-from-gep",
    "slsr", "speculative-execution",
)  # fmt: skip
"""Passes that may be added, before the last `instcombine` of a pipeline."""

COUNTS: Final = (2, 4, 8)
"""Values for a number that is 0 in the pipeline, which selects the pass's default."""

FACTOR: Final = 4
"""Factor between the values of a number."""


@dataclass(frozen=True)
class Choice:
    """A choice of the search.

    Attributes:
        name: the pass, `+` and the pass for an added one, or `pass<parameter>`.
        values: the possible values, with the pipeline's own value first: `on` and `off` for a pass,
            texts for a parameter.
    """

    name: str
    values: tuple[str, ...]

    @property
    def default(self) -> str:
        """The pipeline's own values."""
        return self.values[0]


class Pipelines(NamedTuple):
    """The texts of a compilation's two pipelines: over IR and over machine code."""

    ir: str
    machine: str


@dataclass(frozen=True)
class Space:
    """A compilation's pipelines and their choices.

    Attributes:
        given: the pipelines, with levels expanded.
        choices: choices in the order of the pipelines. No pass is in both pipelines.
    """

    given: Pipelines
    choices: tuple[Choice, ...]

    def defaults(self) -> dict[str, str]:
        """The values without changes."""
        return {choice.name: choice.default for choice in self.choices}

    def changes(self, values: Mapping[str, str]) -> dict[str, str]:
        """The values that differ from the pipelines' own."""
        return {c.name: values[c.name] for c in self.choices if values[c.name] != c.default}

    def pipelines(self, values: Mapping[str, str], *, short: bool = False) -> Pipelines:
        """The pipelines with these values.

        Arguments:
            short: whether to omit parameters that equal the passes' defaults.
        """
        changes = self.changes(values)
        ir, machine = (list(_varied(parse_pipeline(text), changes)) for text in self.given)
        added = [name[1:] for name, value in changes.items() if name[0] == "+" and value == ON]
        if added:
            _add(ir, [Element(name) for name in added])
        if short:
            for element in (*_leaves(ir), *_leaves(machine)):
                element.parameters = _unusual(element)
        return Pipelines(print_pipeline(ir), print_pipeline(machine))


def space_of(level: str, machine_level: int) -> Space:
    """The choices of a level.

    Arguments:
        level: text of the level, such as `O3;arch=90`.
        machine_level: optimization level of the machine passes.
    """
    given = Pipelines(*map(_expanded, (f"nvopt<{level}>", machine_pipeline(machine_level))))
    needed = Pipelines(*map(_expanded, ("nvopt<O0>", machine_pipeline(0))))
    kept = CHECKS.union(*({e.name for e in _leaves(parse_pipeline(text))} for text in needed))
    leaves = [e for text in given for e in _leaves(parse_pipeline(text)) if e.name not in kept]
    found: dict[str, Choice] = {}
    for element in leaves:
        found.setdefault(element.name, Choice(element.name, (ON, OFF)))
        if element.name not in STATING_FACTS:
            for choice in _parameter_choices(element):
                found.setdefault(choice.name, choice)
    for name in ADDITIONS:
        if name not in found:
            found[f"+{name}"] = Choice(f"+{name}", (OFF, ON))
    return Space(given, tuple(c for c in found.values() if not _differs(c, leaves)))


def _expanded(text: str) -> str:
    return print_nodes(build_pipeline(text), expand=True)


def _leaves(elements: Sequence[Element]) -> Iterator[Element]:
    for element in elements:
        if element.nested is None:
            yield element
        else:
            yield from _leaves(element.nested)


def _key(parameter: str) -> str:
    """The name of a parameter: `x` for `x`, `no-x` and `x=3`."""
    return parameter.partition("=")[0].removeprefix("no-")


def _parameter_choices(element: Element) -> Iterator[Choice]:
    cls = _class_of(element)
    for parameter in element.parameters:
        if _NO_CHOICE.search(parameter):
            continue
        key, equals, value = parameter.partition("=")
        name = f"{element.name}<{_key(parameter)}>"
        if not equals:
            other = key.removeprefix("no-") if key.startswith("no-") else f"no-{key}"
            with suppress(ParameterError):
                cls.from_parameters([other])
                yield Choice(name, (key, other))
        elif value.isdecimal():
            numbers = _numbers(int(value))
            yield Choice(name, tuple(f"{key}={number}" for number in numbers))


def _numbers(default: int) -> tuple[int, ...]:
    if default == 0:
        return (0, *COUNTS)
    return tuple(dict.fromkeys((default, max(default // FACTOR, 1), default * FACTOR)))


def _differs(choice: Choice, leaves: Sequence[Element]) -> bool:
    """Returns whether occurrences in a pipeline have different values of a parameter: the
    difference is intentional.
    """
    name, _, key = choice.name.partition("<")
    if not key:
        return False
    stated = {
        parameter
        for element in leaves
        if element.name == name
        for parameter in element.parameters
        if _key(parameter) == key[:-1]
    }
    return len(stated) > 1


def _varied(elements: Sequence[Element], changes: Mapping[str, str]) -> Iterator[Element]:
    for element in elements:
        if element.nested is not None:
            nested = list(_varied(element.nested, changes))
            if nested:
                yield Element(element.name, element.parameters, nested)
        elif changes.get(element.name) != OFF:
            parameters = [
                changes.get(f"{element.name}<{_key(parameter)}>", parameter)
                for parameter in element.parameters
            ]
            yield Element(element.name, parameters)


def _add(elements: list[Element], added: Sequence[Element]) -> None:
    """Inserts elements before the last `instcombine`, or at the end without one."""
    place: tuple[list[Element], int] = (elements, len(elements))
    work = [elements]
    while work:
        level = work.pop()
        for index, element in enumerate(level):
            if element.name == "instcombine":
                place = (level, index)
                work.clear()
            elif element.nested is not None:
                work.append(element.nested)
    level, index = place
    level[index:index] = added


def _class_of(element: Element) -> type[NvvmPass]:
    return pass_class(element.name)


def _unusual(element: Element) -> list[str]:
    """The parameters that are not the pass's defaults."""
    if element.name not in PASSES:
        return element.parameters
    usual = set(_class_of(element)().parameters())
    return [parameter for parameter in element.parameters if parameter not in usual]
