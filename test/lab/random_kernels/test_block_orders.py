"""Random kernels with blocks before their dominators."""

from __future__ import annotations

import random

from xdsl.dialects.llvm import AllocaOp, FuncOp

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.dialects.llvm.symbols import functions_of, symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.behaviour import baseline
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.lab.random_kernels import KERNEL, random_kernel, random_launches
from nvvm_xdsl.lab.random_kernels.block_orders import shuffle_blocks
from nvvm_xdsl.verify.verifier import verify_module

SHAPES = "core,wide-subscript=20"


def blocks_before_dominator(seed: int, shapes: str) -> int:
    func = symbols_of(random_kernel(seed, 60, shapes))[KERNEL]
    assert isinstance(func, FuncOp)
    tree = DominatorTree(func.body)
    numbers = {block: number for number, block in enumerate(fast.blocks_of(func.body))}
    found = 0
    for block, number in numbers.items():
        above = tree.immediate_dominator(block) if tree.contains(block) else None
        found += above is not None and numbers[above] > number
    return found


def test_blocks_precede_their_dominators_on_demand():
    for seed in range(4):
        assert blocks_before_dominator(seed, f"{SHAPES},shuffled-blocks") > 3
        assert blocks_before_dominator(seed, SHAPES) == 0


def test_shuffling_preserves_behaviour():
    for seed in range(4):
        shuffled, plain = (random_kernel(seed, 60, SHAPES) for _ in "12")
        assert shuffle_blocks(shuffled, random.Random(seed)) > 5
        verify_module(shuffled)
        launches = random_launches(seed, 1)
        for one, other in zip(baseline(shuffled, launches), baseline(plain, launches)):
            for a, b in zip(one.arrays, other.arrays):
                assert a.tobytes() == b.tobytes()


def test_slots_stay_in_the_entry_block():
    slots = 0
    for seed in range(4):
        for func in functions_of(random_kernel(seed, 60, "core,record=20,shuffled-blocks")):
            entry, *others = fast.blocks_of(func.regions[0])
            slots += sum(type(op) is AllocaOp for op in fast.ops_of(entry))
            assert not any(type(op) is AllocaOp for block in others for op in fast.ops_of(block))
    assert slots > 3


def test_normalize_gep_narrows_operands_first():
    """The seed of docs/testing.md fails if the blocks are visited in their order."""
    options = Options(
        pipelines=("normalize-gep",), machine=False, shapes=f"{SHAPES},shuffled-blocks"
    )
    assert list(fuzz(range(8), options)) == []
