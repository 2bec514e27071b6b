"""Memory of a launch that the next one reuses."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module

from nvvm_xdsl.lab.behaviour import ALL_CHECKS, baseline, select
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.lab.random_kernels import random_kernel, random_launches
from nvvm_xdsl.simulator import Limits, SimulationError, launch, prepare
from nvvm_xdsl.simulator.execution import pages

EVERYWHERE = """
@g = global [5 x i32] [i32 1, i32 2, i32 3, i32 4, i32 5]
@s = internal addrspace(3) global [40 x i32] undef
declare ptr @malloc(i64)
"""

ALL_SPACES = """
  %n = add i64 %i, 3
  %slot = alloca i32
  store i32 7, ptr %slot
  %many = alloca i32, i64 %n
  store i32 8, ptr %many
  %sp = getelementptr [40 x i32], ptr addrspace(3) @s, i64 0, i64 %i
  store i32 9, ptr addrspace(3) %sp
  %gp = getelementptr [5 x i32], ptr @g, i64 0, i64 4
  store i32 10, ptr %gp
  %h = call ptr @malloc(i64 24)
  store i32 11, ptr %h
  %p = getelementptr i32, ptr %a, i64 %i
  store i32 12, ptr %p
  ret void
"""


def dirty() -> list[int]:
    """Returns the capacities of the kept regions that are not zero."""
    return [size for size, kept in pages._spare.items() if any(p.any() for p in kept)]


def test_memory_is_zeroed_after_a_launch_in_every_address_space():
    pages._spare.clear()
    program = prepare(module(kernel("ptr %a", ALL_SPACES, EVERYWHERE)), ALL_CHECKS)
    launch(program, None, 1, 33, [np.zeros(33, np.int32)], checks=ALL_CHECKS)
    assert sum(map(len, pages._spare.values())) == 3 + 15
    assert dirty() == []


def test_random_kernels_leave_zeros_and_compute_the_same_again():
    pages._spare.clear()
    for seed in range(3):
        source = random_kernel(seed, 60)
        launches = random_launches(seed, 1)
        machine = prepare(select(source), ALL_CHECKS, prepare(source))
        first = baseline(source, launches)
        assert dirty() == []
        for before, again in zip(first, [run(machine, x, ALL_CHECKS) for x in launches]):
            for a, b in zip(before.arrays, again.arrays):
                assert a.tobytes() == b.tobytes()
        assert dirty() == []


def test_failed_launches_leave_nothing():
    pages._spare.clear()
    program = prepare(module(kernel("ptr %a", "  store i32 1, ptr null\n  ret void")))
    with pytest.raises(SimulationError):
        launch(program, None, 1, 1, [None])
    assert not any(pages._spare.values())


RECURSIVE = """
define internal void @down(i32 %n) {
  %slot = alloca [100 x i32]
  %end = icmp eq i32 %n, 0
  br i1 %end, label %done, label %on
on:
  %m = sub i32 %n, 1
  call void @down(i32 %m)
  br label %done
done:
  ret void
}
define internal void @once() {
  %slot = alloca [100 x i32]
  ret void
}
"""

TABLE = "@table = internal addrspace(4) constant [1 x ptr] [ptr @once]\n"


@pytest.mark.parametrize(
    ("body", "least", "most"),
    [
        ("  ret void", 0, 2000),
        ("  call void @once()\n  ret void", 400, 3000),
        ("  call void @down(i32 3)\n  ret void", 1 << 16, 1 << 16),
        (
            "  %f = load ptr, ptr addrspace(4) @table\n  call void %f()\n  ret void",
            1 << 16,
            1 << 16,
        ),
        (
            "  %n = add i64 %i, 1\n  %v = alloca i32, i64 %n\n  store volatile i32 0, ptr %v\n  ret void",
            1 << 16,
            1 << 16,
        ),
    ],
)
def test_a_thread_gets_the_local_memory_that_its_calls_can_use(body: str, least: int, most: int):
    source = module(kernel("ptr %a", body, RECURSIVE + (TABLE if "@table" in body else "")))
    for program in (prepare(source), prepare(select(source))):
        program.function(program.kernels()[0])
        assert least <= program.local_bytes(Limits().stack) <= most
        launch(program, None, 1, 2, [None])
