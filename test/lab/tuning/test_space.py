"""The search space: allowed and forbidden changes."""

from __future__ import annotations

from pathlib import Path

import pytest

import nvvm_xdsl
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.lab.tuning.space import CHECKS, Space, space_of

EXAMPLES = Path(__file__).parents[3] / "examples"
LEVEL = "O3;arch=90;no-ftz;prec-div;prec-sqrt"


@pytest.fixture(scope="module")
def space() -> Space:
    return space_of(LEVEL, 3)


def names(text: str) -> set[str]:
    """Returns the passes of a pipeline, without the rest of its text."""
    for sign in "()<>,;":
        text = text.replace(sign, " ")
    return set(text.split())


@pytest.mark.parametrize("short", [False, True])
def test_default_choices_give_the_pipeline_of_the_level(space: Space, short: bool):
    ir, machine = space.pipelines(space.defaults(), short=short)
    options = CompileOptions(arch="sm_90", passes=ir, machine_passes=machine)
    path = EXAMPLES / "switch.ll"
    assert nvvm_xdsl.compile(path, options=options) == nvvm_xdsl.compile(path, arch="sm_90")


def test_an_omitted_pass_is_omitted_everywhere(space: Space):
    ir, machine = space.pipelines(space.defaults() | {"sroa": "off", "machine-sink": "off"})
    assert "sroa" not in names(ir)
    assert "sroa" in names(space.given.ir)
    assert "machine-sink" not in names(machine)
    assert "machine-sink" in names(space.given.machine)


def test_a_parameter_change_changes_nothing_else(space: Space):
    ir, machine = space.pipelines(space.defaults() | {"sinking2<fast>": "fast"})
    assert ir == space.given.ir.replace("<no-fast;", "<fast;") != space.given.ir
    assert machine == space.given.machine


def test_an_added_pass_precedes_the_last_instcombine(space: Space):
    ir, _ = space.pipelines(space.defaults() | {"+slsr": "on"})
    assert "slsr" not in names(space.given.ir)
    before, _, after = ir.partition("slsr,instcombine")
    assert before
    assert "instcombine" not in names(after)


def test_choices_preserve_correctness(space: Space):
    """Assumptions about the program, checks and passes required by PTX are not choices."""
    found = {choice.name for choice in space.choices}
    assert "nvvm-reflect" not in found
    assert "nvptx-phi-elimination" not in found
    assert not found & CHECKS
    assert "process-restrict" in found
    assert not any(name.startswith("process-restrict<") for name in found)
    assert not any(name.startswith("memory-space-opt<") for name in found)
    # One of its parameters removes barriers that some paths need.
    assert "branch-dist" in found
    assert not any(name.startswith("branch-dist<") for name in found)
    assert not any("dump" in name or "ignore" in name for name in found)


def test_parameters_that_differ_between_positions_are_not_searched(space: Space):
    assert "hoist-common-insts" in space.given.ir
    assert "simplifycfg<hoist-common-insts>" not in {choice.name for choice in space.choices}


def test_every_value_is_valid_for_the_pass(space: Space):
    for choice in space.choices:
        for value in choice.values[1:]:
            CompileOptions(passes=space.pipelines(space.defaults() | {choice.name: value}).ir)
    changed = {choice.name: choice.values[-1] for choice in space.choices if "<" in choice.name}
    ir, machine = space.pipelines(space.defaults() | changed)
    options = CompileOptions(arch="sm_90", passes=ir, machine_passes=machine)
    assert ".entry saxpy" in nvvm_xdsl.compile(EXAMPLES / "saxpy.ll", options=options)
