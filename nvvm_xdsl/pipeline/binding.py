"""Conversion of the options of `-opt` to parameters of passes.

A knob sets the pass field of the same name: `-opt -tail-merge-size=5` sets the field
`tail_merge_size` of `branch-folder`. Options from pipeline text, xDSL and the command line are
therefore typed fields of a pass. Pipeline text takes precedence.
"""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterator

from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, knob_name
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.pipeline.knobs import BOOLEAN_KIND, INTEGER_KIND, SLOT_KNOB, knobs
from nvvm_xdsl.pipeline.options import GLOBAL_SLOTS, PassOptions, slots_by_knob

READ_AFTER_THE_PIPELINE = frozenset({"dump-nvvmir"})
"""Options that print the optimized module after the pipeline; no pass or guard reads them."""


def knobs_read_by(cls: type[NvvmPass]) -> dict[str, str]:
    """The documented knobs of a pass, with the parameter that each one sets."""
    found = {
        name: name
        for field in dataclasses.fields(cls)
        if field.init
        and (name := field.name.replace("_", "-")) in knobs()
        and not any(slot.index in GLOBAL_SLOTS for slot in slots_by_knob().get(name, ()))
    }
    return found | dict(cls.knobs)


def stated_parameters(cls: type[NvvmPass], options: PassOptions) -> list[str]:
    """The parameters, in LLVM's spelling, that the options set for a pass."""
    if not options:
        return []
    return [
        _parameter(cls, name, parameter, options)
        for name, parameter in knobs_read_by(cls).items()
        if options.states(name)
    ]


def _parameter(cls: type[NvvmPass], name: str, parameter: str, options: PassOptions) -> str:
    plain = parameter.removeprefix("no-")
    if plain in cls.flags():
        on = options.boolean(name) == (plain == parameter)
        return plain if on else f"no-{plain}"
    if knobs()[name].kind == INTEGER_KIND:
        return f"{parameter}={options.integer(name, 0)}"
    return f"{parameter}={options.text(name)}"


def opt_text(options: PassOptions) -> str:
    """The options as the text of an equivalent `-opt`."""
    words: list[str] = []
    stated = [name for name in knobs() if _is_named(name, options)]
    named = {slot.offset for name in stated for slot in slots_by_knob().get(name, ())}
    for offset, value in options.values.items():
        if offset not in named:
            text = str(int(value) if isinstance(value, bool) else value)
            words.append(f"-{SLOT_KNOB}={offset}={shlex.quote(text)}")
    for name in stated:
        kind = knobs()[name].kind
        if kind == BOOLEAN_KIND:
            value = str(int(options.boolean(name)))
        elif kind == INTEGER_KIND:
            value = str(options.integer(name, 0))
        else:
            value = options.text(name)
        words.append(f"-{name}={shlex.quote(value)}")
    return " ".join(words)


def _is_named(name: str, options: PassOptions) -> bool:
    """Returns True if the option is given, and with its name all of its slots."""
    if not options.states(name):
        return False
    found = slots_by_knob().get(name, ())
    if len(found) < 2:
        return True
    values = {options.values[s.offset] != s.inverted for s in found if s.offset in options.values}
    return len(values) == 1 and all(slot.offset in options.values for slot in found)


def unread_knobs(options: PassOptions) -> Iterator[str]:
    """The given options that have no effect, because their passes do not exist yet."""
    if not options:
        return
    names = [name for name in knobs() if options.states(name)]
    from nvvm_xdsl.pipeline.construct import (
        CONSTRUCTION_SLOTS,
        DISABLED_BY,
        FOLLOWED_BY,
        OFF_PARAMETERS,
        ON_DEMAND,
        SWITCHES,
        guarding_offsets,
    )

    read = {knob_name(field.name) for field in dataclasses.fields(ScevKnobs)}
    read |= READ_AFTER_THE_PIPELINE.union(SWITCHES.values(), ON_DEMAND, DISABLED_BY.values())
    read |= {knob for knob, _ in FOLLOWED_BY.values()}
    read |= {key for keys in OFF_PARAMETERS.values() for key in keys if isinstance(key, str)}
    offsets = CONSTRUCTION_SLOTS | guarding_offsets()
    unread = {
        name
        for name in names
        if name not in read
        and not any(slot.offset in offsets for slot in slots_by_knob().get(name, ()))
    }
    for name in PASSES:
        if not unread:
            break
        unread -= knobs_read_by(pass_class(name)).keys()
    yield from (name for name in names if name in unread)
    named = {slot.offset for found in slots_by_knob().values() for slot in found}
    for offset in options.values:
        if offset not in named | offsets:
            yield f"{SLOT_KNOB}={offset}"
