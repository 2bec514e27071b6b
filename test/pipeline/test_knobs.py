"""Every slot by number, and the polarity of every boolean knob: its readers against its explanation."""

import re
from collections import Counter
from functools import cache

import pytest

from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, knob_name, knobs_from
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes import PASSES, pass_class
from nvvm_xdsl.pipeline.binding import knobs_read_by, opt_text, stated_parameters
from nvvm_xdsl.pipeline.construct import OFF, OFF_PARAMETERS, RUNS
from nvvm_xdsl.pipeline.explain import decisions
from nvvm_xdsl.pipeline.knobs import BOOLEAN_KIND, LEVEL_KNOBS, knobs, parse_opt
from nvvm_xdsl.pipeline.options import BOOL, INTEGER, slots

SLOTS = slots()

BOOLEANS = {"0": False, "1": True, "true": True, "T": True, "false": False, "yes": False, "": False}
"""Texts of booleans by the documented rule: the first character, case folded, is `1` or `t`."""

NUMBERS = {"0": 0, "1": 1, "-7": -7, "0x20": 32, "2147483647": 2**31 - 1, "-2147483648": -(2**31)}

NO_NUMBERS = ("", "many", "1.5", "true", "2147483648", "-2147483649")

TEXTS = ("", "0", "1", "mid", "any text")


@cache
def readers(knob):
    """Returns the passes that read a knob."""
    return [cls for cls in map(pass_class, PASSES) if knob in knobs_read_by(cls)]


def check_that_it_can_be_read(text):
    """Builds all passes that read a given knob, and the same options from their text."""
    options = parse_opt(text)
    for name in knobs():
        if options.states(name):
            for cls in readers(name):
                cls.from_parameters(stated_parameters(cls, options))
    again = parse_opt(opt_text(options))
    assert (again.values, again.knobs) == (options.values, options.knobs)
    return options


@pytest.mark.parametrize("slot", SLOTS, ids=lambda slot: str(slot.offset))
def test_every_slot_by_number(slot):
    """`-slot=2320=1` was an internal error."""
    name = f"-slot={slot.offset}"
    if slot.type == BOOL:
        assert check_that_it_can_be_read(name)[slot.offset] is True
        for text, value in BOOLEANS.items():
            assert check_that_it_can_be_read(f"{name}={text}")[slot.offset] is value
    elif slot.type == INTEGER:
        assert check_that_it_can_be_read(name)[slot.offset] == 1
        for text, value in NUMBERS.items():
            assert check_that_it_can_be_read(f"{name}={text}")[slot.offset] == value
        for text in NO_NUMBERS:
            with pytest.raises(DiagnosticError, match="needs a number of 32 bits"):
                parse_opt(f"{name}={text}")
    else:
        for text in TEXTS:
            assert check_that_it_can_be_read(f"{name}='{text}'")[slot.offset] == text


def test_a_number_between_slots_is_no_slot():
    offsets = {slot.offset for slot in SLOTS} | {3532, 3572, 3612, 4228}
    for offset in {*range(-8, 4520), *range(2**31, 2**31 + 2)} - offsets:
        with pytest.raises(DiagnosticError, match=f"no option slot starts at '{offset}'"):
            parse_opt(f"-slot={offset}=1")


@pytest.mark.parametrize("slot", [s for s in SLOTS if s.knob in LEVEL_KNOBS], ids=lambda s: s.knob)
def test_a_slot_sets_the_level_of_its_knob(slot):
    """The last option takes precedence over one that set another level."""
    for before in ("", f"-{slot.knob}=1 "):
        on, off = (
            parse_opt(f"{before}-slot={slot.offset}={int(v != slot.inverted)}") for v in (1, 0)
        )
        assert on.integer(slot.knob, -1) == LEVEL_KNOBS[slot.knob]
        assert off.integer(slot.knob, -1) == 0


@pytest.mark.parametrize("name", LEVEL_KNOBS)
def test_enabled_levels_are_the_defaults_of_the_passes(name):
    for cls in readers(name):
        assert getattr(cls(), name.replace("-", "_")) == LEVEL_KNOBS[name]


def test_names_of_knobs_in_passes_are_knobs():
    """`-rp-aware-sink`, which `sink` reads, was an unknown option."""
    for name in PASSES:
        cls = pass_class(name)
        assert cls.knobs.keys() <= knobs().keys(), name


# The polarity of boolean knobs

PIPELINES = ("O0", "O2", "O3;ptx", "O3;default", "Ofcmax", "Ofcmin")

TOGGLES = sorted(name for name, knob in knobs().items() if knob.kind == BOOLEAN_KIND)

BESIDE = {"disable-BreakCriticalEdgesPass": "-disable-break-critical-edges=0 "}
"""Other options that a knob needs to have an effect."""

UNREAD = {"do-comdat-renaming", "do-counter-promotion", "dump-nvvmir", "forget-scev-loop-unroll"}
"""Toggles of passes that do not exist here, and one that the end of every pipeline reads."""

_NEGATIVE = re.compile(r"no-|disable-")


def parameters_of(name, value):
    """The parameters that each reading pass derives from a knob."""
    options = parse_opt(f"-{name}={int(value)}")
    found = {}
    for cls in readers(name):
        parameter = knobs_read_by(cls)[name]
        field = parameter.removeprefix("no-").replace("-", "_")
        made = cls.from_parameters(stated_parameters(cls, options))
        # A parameter with another name states the same: both are negative, or neither is.
        opposite = parameter != name and _NEGATIVE.match(name) is not None
        found[cls.name] = bool(getattr(made, field)) != opposite
    return found


@pytest.mark.parametrize("name", TOGGLES)
def test_a_toggle_has_the_polarity_of_its_name(name):
    """A pass that runs with `-no-x`, `-disable-x` or `-x=0` would not run without it, and the explanation
    names the knob.

    `-no-inline-a` changed nothing, `-no-inline-a=0` disabled inlining, and the explanation stated the
    opposite.
    """
    for value in (False, True):
        assert set(parameters_of(name, value).values()) <= {value}
    read = bool(readers(name)) or name in {knob_name(f) for f in ScevKnobs.__dataclass_fields__}
    read |= any(name in keys for keys in OFF_PARAMETERS.values())
    allows = _NEGATIVE.match(name) is None
    for pipeline in PIPELINES:
        runs, why = {}, {}
        for value in (False, True):
            options = parse_opt(f"{BESIDE.get(name, '')}-{name}={int(value)}")
            found = decisions(pipeline, options)
            runs[value] = Counter(
                (d.place, d.element.split("<")[0]) for d in found if d.outcome == RUNS
            )
            why[value] = Counter(d.why for d in found if d.outcome == OFF)
        with_knob, without = runs[allows], runs[not allows]
        assert without <= with_knob, pipeline
        if without == with_knob:
            continue
        read = True
        reasons = why[not allows] - why[allows]
        assert reasons, pipeline
        stated = re.compile(rf"-{re.escape(name)}(?:={int(not allows)})?(?![\w=-])")
        assert all(stated.search(reason) for reason in reasons), reasons
        assert not any(f"-{name}={int(allows)}" in reason for reason in why[allows])
    assert read is (name not in UNREAD)


def test_toggles_of_scalar_evolution():
    for field in ScevKnobs.__dataclass_fields__.values():
        if field.type == "bool":
            for value in (False, True):
                options = parse_opt(f"-{knob_name(field.name)}={int(value)}")
                assert getattr(knobs_from(options.knobs), field.name) is value
