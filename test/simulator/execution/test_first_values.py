"""Initial values of variables at a launch."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module

from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.simulator import launch, prepare
from nvvm_xdsl.simulator.launch import LLVMProgram
from nvvm_xdsl.simulator.program import _code

VARIABLES = """
@numbers = addrspace(1) global [3 x i32] [i32 1, i32 2, i32 3]
@box = addrspace(1) global { i32, ptr } { i32 5, ptr addrspacecast (ptr addrspace(1) @numbers to ptr) }
"""

COUNT_UP = """
  %field = getelementptr { i32, ptr }, ptr addrspace(1) @box, i32 0, i32 1
  %p = load ptr, ptr addrspace(1) %field
  %old = load i32, ptr %p
  %n = load i32, ptr addrspace(1) @box
  %sum = add i32 %old, %n
  store i32 %sum, ptr %p
  store i32 7, ptr addrspace(1) @box
  store i32 %sum, ptr %a
  ret void
"""


def left(program) -> int:
    out = np.zeros(1, np.int32)
    launch(program, None, 1, 1, [out])
    return int(out[0])


@pytest.mark.parametrize("machine", [False, True])
def test_every_launch_starts_with_the_initial_values(machine):
    source = module(kernel("ptr %a", COUNT_UP, VARIABLES))
    program = prepare(select(source), (), prepare(source)) if machine else prepare(source)
    assert [left(program) for _ in range(3)] == [6, 6, 6]


def test_an_initializer_runs_once_for_a_program(monkeypatch):
    asked: list[str] = []
    real = LLVMProgram.initializer

    def initializer(program, name):
        asked.append(name)
        return real(program, name)

    monkeypatch.setattr(LLVMProgram, "initializer", initializer)
    program = prepare(module(kernel("ptr %a", COUNT_UP, VARIABLES)))
    left(program)
    left(program)
    assert asked == ["box"]


def test_programs_that_differ_elsewhere_share_the_code_of_an_initializer():
    """Compiling the initializer in Python takes longer than running it."""
    more = COUNT_UP.replace("  ret void", "  store i32 99, ptr %a\n  ret void")
    assert left(prepare(module(kernel("ptr %a", COUNT_UP, VARIABLES)))) == 6
    before = _code.cache_info()
    assert left(prepare(module(kernel("ptr %a", more, VARIABLES)))) == 99
    after = _code.cache_info()
    assert (after.hits - before.hits, after.misses - before.misses) == (1, 1)
