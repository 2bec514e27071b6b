"""Effects in the blocks of random kernels."""

from __future__ import annotations

import random

from nvvm_xdsl.lab.fuzz import Options, fuzz
from nvvm_xdsl.lab.random_kernels import random_kernel_text
from nvvm_xdsl.lab.random_kernels.block_effects import with_block_effects


def test_effects_follow_the_phis_of_a_block():
    lines = ["b:", "  %x = phi i32 [ 0, %a ], [ 1, %c ]", "  %y = add i32 %x, 1", "c:"]
    with_effects = set[tuple[str, ...]]()
    for seed in range(40):
        found = with_block_effects(lines, random.Random(seed))
        assert [line for line in found if line in lines] == lines
        start, body = found.index(lines[1]), found.index(lines[2])
        assert start == 1
        with_effects.add(tuple(line.split()[-3] for line in found[2:body]))
    assert len(with_effects) > 4


def test_the_trait_adds_each_kind_of_effect():
    shapes = "core,conditional=20"
    text = "".join(random_kernel_text(seed, 60, f"{shapes},block-effects") for seed in range(6))
    lines = [line for line in text.splitlines() if "%e" in line]
    for effect in ("  store i64", "  store volatile i64", "atomicrmw add", "= load i64"):
        assert any(effect in line for line in lines)
    assert "%e1" not in random_kernel_text(0, 60, shapes)


def test_loops_over_bits_keep_their_effects():
    """The seeds of docs/testing.md fail without the condition."""
    shapes = "core,bit-loops=20,block-effects"
    options = Options(pipelines=("nvopt<O3>",), machine=False, shapes=shapes)
    assert list(fuzz([2, 6], options)) == []
