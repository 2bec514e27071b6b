"""PTX of this compiler, parsed again, computes the same results."""

from __future__ import annotations

from pathlib import Path

import pytest

import nvvm_xdsl
from dev.example_launches import launches_of
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.simulator import prepare

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize("name", ["saxpy", "device_function", "struct_argument", "switch", "scan"])
def test_parsed_examples_compute_the_same(name: str):
    source = EXAMPLES / f"{name}.ll"
    ptx = nvvm_xdsl.compile(source, arch="sm_90")
    machine = convert(nvvm_xdsl.parse(ptx))
    program = prepare(machine, (), prepare(nvvm_xdsl.parse(source)))
    for example in launches_of(name):
        assert example.wrong(run(program, example.launch)) is None
