"""The values of single edges, against those of all edges."""

from __future__ import annotations

import random

import pytest
from helpers.random_machine_code import KernelMaker
from xdsl.ir import Block, Operation

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import machine_functions


def check(terminator: Operation, blocks: list[Block]) -> None:
    for block in blocks:
        expected = [v for target, v in branches.edges_of(terminator) if target is block]
        assert branches.values_to(terminator, block) == expected


@pytest.mark.parametrize("cases", [0, 3, 30])
@pytest.mark.parametrize("seed", range(5))
def test_values_to(cases: int, seed: int):
    pick = random.Random(seed)
    values = fast.new_block([I32] * 4).args
    blocks = [fast.new_block([I32] * pick.randrange(3)) for _ in range(1 + cases // 2)]

    def edge() -> branches.Edge:
        block = pick.choice(blocks)
        return block, tuple(pick.choice(values) for _ in block.args)

    made = make_switch(values[0], edge(), [(n, edge()) for n in range(cases)])
    check(made, blocks)
    other = make_switch(values[0], edge(), [(n, edge()) for n in range(cases)])
    branches.set_edges(made, [edge() for _ in range(cases + 1)])
    check(made, blocks)
    check(other, blocks)


@pytest.mark.parametrize("seed", range(20))
def test_values_on(seed: int):
    for func in machine_functions(KernelMaker(seed).module()):
        for block in fast.blocks_of(func.body):
            last = block.last_op
            assert isinstance(last, TerminatorOp)
            for number, (_, values) in enumerate(last.edges):
                assert last.values_on(number) == values
