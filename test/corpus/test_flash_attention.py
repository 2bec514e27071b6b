"""Triton's flash attention computes attention: as IR, optimized, and as machine code."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.attention import KERNEL, KERNELS, Problem
from helpers.corpus_kernels import FOLDER, loaded
from helpers.scale import share, slow_but
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import launch, prepare

ALL_CHECKS = ("race", "sync", "init")

HALF = 2.0**-10
"""Returns the relative error of the output: weights and results are rounded to halves."""


def check(module: ModuleOp, problems: list[Problem], source: ModuleOp | None = None) -> None:
    program = prepare(module, ALL_CHECKS, prepare(source) if source is not None else None)
    for problem in problems:
        how = problem.launch()
        launch(program, KERNEL, how.grid, how.block, how.args, shared_bytes=how.shared_bytes)
        output, logarithms = problem.reference()
        assert np.abs(how.args[3] - output).max() < HALF * np.abs(output).max()
        assert np.abs(how.args[4] - logarithms).max() < 1e-5


CASES = [f"{name}.{tag}" for name in KERNELS for tag in ("sm90", "sm100")]


@pytest.mark.parametrize("case", slow_but(share(CASES, 2), ["flash_attn_fwd_causal.sm90"]))
def test_attention(case: str):
    """Two heads with one block of keys, and a context of three blocks."""
    name, tag = case.split(".")
    arch = f"sm_{tag[2:]}a"
    causal = name.endswith("causal")
    problems = [Problem(causal, 64, heads=2), Problem(causal, 192)]
    module = loaded(FOLDER / "triton" / f"{name}.{tag}.ll", 10 * int(tag[2:]))
    check(module, problems)
    run_pipeline(module, "nvopt<O3>")
    check(module, problems)
    check(select(module, arch), problems, module)
