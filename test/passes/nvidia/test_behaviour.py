"""Each pass alone leaves what every example kernel does as it was, and twice is as good as once."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.testing import assert_same_behaviour
from nvvm_xdsl.testing.example_launches import EXAMPLES, launches_of
from nvvm_xdsl.testing.random_kernels import random_kernel, random_launches

DIRECTORY = Path(__file__).parents[3] / "examples"

CONTROL_FLOW = "nvvm-reflect-pp,nvvm-unreachable-block-elim"

CHECKS = "check-kernel-functions,check-gep-index<strict>,nvvm-verify<arch=900>"

MEMORY_SPACES = "memory-space-opt<first-time>,memory-space-opt<second-time>"

PIPELINES = (CONTROL_FLOW, CHECKS, MEMORY_SPACES)
"""Passes that do not get into each other's way are tried together, to save time."""

IDEMPOTENT = (CONTROL_FLOW, CHECKS, MEMORY_SPACES)


@cache
def example(name: str) -> ModuleOp:
    file = f"{name}.O0.ll"
    module = read_ll((DIRECTORY / file).read_text(), file)
    if any(launch.libdevice for launch in launches_of(name)):
        path = find_libdevice()
        if path is None:
            pytest.skip("no libdevice: install nvvm-xdsl[cuda] or set CUDA_HOME")
        module = link_libdevice(module, path) or module
    return module


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_examples(name: str, pipeline: str):
    launches = [e.launch for e in launches_of(name)]
    assert_same_behaviour(example(name), pipeline, launches, machine=False)


@pytest.mark.parametrize("pipeline", PIPELINES)
@pytest.mark.parametrize("seed", range(4))
def test_random_kernels(seed: int, pipeline: str):
    assert_same_behaviour(random_kernel(seed), pipeline, random_launches(seed), machine=False)


@pytest.mark.parametrize("pipeline", IDEMPOTENT)
@pytest.mark.parametrize("name", ["reduction", "struct_argument", "local_array"])
def test_twice_is_once(name: str, pipeline: str):
    module = example(name).clone()
    PassManager(pipeline).run(module)
    once = ir_text(module)
    PassManager(pipeline).run(module)
    assert ir_text(module) == once
