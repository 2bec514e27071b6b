"""Random kernels with constants outside of the entry block."""

from __future__ import annotations

import random

from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.behaviour import baseline
from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.lab.random_kernels import KERNEL, random_kernel, random_launches
from nvvm_xdsl.lab.random_kernels.scattered_constants import scatter_constants
from nvvm_xdsl.verify.verifier import verify_module

SHAPES = "core,conditional=20,partly-redundant=20"


def constants_outside_entry(seed: int, shapes: str) -> int:
    _, *rest = fast.blocks_of(symbols_of(random_kernel(seed, 60, shapes))[KERNEL].regions[0])
    return sum(type(op) in CONSTANT_CLASSES for block in rest for op in fast.ops_of(block))


def test_constants_are_in_other_blocks_on_demand():
    for seed in range(4):
        assert constants_outside_entry(seed, f"{SHAPES},scattered-constants") > 5
        assert constants_outside_entry(seed, SHAPES) == 0


def test_scattering_preserves_behaviour():
    for seed in range(4):
        apart, together = (random_kernel(seed, 60, SHAPES) for _ in "12")
        assert scatter_constants(apart, random.Random(seed)) > 5
        verify_module(apart)
        launches = random_launches(seed, 1)
        for one, other in zip(baseline(apart, launches), baseline(together, launches)):
            for a, b in zip(one.arrays, other.arrays):
                assert a.tobytes() == b.tobytes()


def test_gvn_uses_constants_only_where_they_are_defined():
    """The seeds of docs/testing.md fail without the condition."""
    options = Options(pipelines=("gvn",), machine=False, shapes=f"{SHAPES},scattered-constants")
    assert list(fuzz(range(10), options)) == []
