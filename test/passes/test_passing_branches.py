"""Passes keep the values that branches of changed and removed blocks pass on."""

from __future__ import annotations

from functools import cache

import pytest
from helpers.modules import parse_module
from helpers.passing_branches import passing_branches
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

PASSES = (
    "simplifycfg", "jump-threading", "dfa-jump-threading", "correlated-propagation", "sccp", "ipsccp",
    "adce", "gvn", "gvn-hoist", "early-cse", "loop-deletion", "loop-rotate", "loop-unroll",
    "simple-loop-unswitch<nontrivial>", "nvvm-reflect-pp", "nvvm-unreachable-block-elim",
)  # fmt: skip
"""Passes that remove or merge blocks, or move values between blocks."""


@cache
def random_functions() -> list[ModuleOp]:
    return [parse_module(passing_branches(seed)) for seed in range(20)]


@pytest.mark.parametrize("name", PASSES)
def test_no_used_value_is_lost(name: str):
    """The functions contain no poison, and no op that creates it."""
    for module in random_functions():
        copy = fast.clone(module)
        run_pipeline(copy, name)
        verify_module(copy)
        poison = (op for op in copy.walk() if op.name == "llvm.mlir.poison")
        assert not any(op.results[0].first_use for op in poison)
