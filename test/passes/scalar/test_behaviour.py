"""Scalar passes preserve results of random kernels, locations of ops, and convergence.

`lab/random_kernels/test_random_kernels.py` runs every pass alone; here each runs after the passes that
produce its input form.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from helpers.modules import parse_module
from helpers.scale import SCALE
from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr, UnknownLoc

from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import assert_same_behaviour
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.random_kernels import random_kernel, random_launches
from nvvm_xdsl.pipeline import run_pipeline

PIPELINES = {
    "memcpyopt": "simplifycfg,memcpyopt,sroa,memcpyopt",
    "tailcallelim": "sroa,simplifycfg,tailcallelim",
    "simplifycfg<hoist-common-insts;sink-common-insts>": "simplifycfg,sroa,"
    "simplifycfg<hoist-common-insts;sink-common-insts>,instcombine,simplifycfg",
    "correlated-propagation": "sroa,correlated-propagation,simplifycfg,correlated-propagation",
    "reassociate": "sroa,early-cse,reassociate,instcombine,reassociate",
}
"""A pass, and its pipeline."""

FIRST = 500
SEEDS = 5
SLOW_SEEDS = 6 * SCALE


def convergent_ops(module: ModuleOp) -> Counter[str]:
    """Numbers of random kernels of each kind."""
    return Counter(op.name for op in module.walk() if effects(op) & CONVERGENT)


def check(name: str, seed: int) -> None:
    """Runs a random kernel before and after the pipeline of a pass."""
    module = random_kernel(seed, 50)
    assert_same_behaviour(module, PIPELINES[name], random_launches(seed), machine=False)
    before = convergent_ops(module)
    run_pipeline(module, PIPELINES[name])
    assert convergent_ops(module) <= before


@pytest.mark.parametrize("name", PIPELINES)
def test_random_kernels_compute_the_same(name: str):
    for seed in range(FIRST, FIRST + SEEDS):
        check(name, seed)


@pytest.mark.slow
@pytest.mark.parametrize("name", PIPELINES)
def test_many_random_kernels_compute_the_same(name: str):
    for seed in range(FIRST + SEEDS, FIRST + SEEDS + SLOW_SEEDS):
        check(name, seed)


@pytest.mark.parametrize("name", PIPELINES)
def test_new_ops_have_locations(name: str):
    """Every op that a pass creates, except for constants, has a source location."""
    path = Path(__file__).with_name(f"{name.partition('<')[0].replace('-', '_')}.mlir")
    module = parse_module(path.read_text(), path.name)
    intern_types(module)
    for line, op in enumerate(module.walk(), 1):
        op.location = FileLineColLoc(StringAttr("k.cu"), IntAttr(line), IntAttr(1))
    run_pipeline(module, name)
    lost = [
        str(op)
        for op in module.walk()
        if op.parent is not None
        and op.__class__ not in CONSTANT_CLASSES
        and op is not module
        and isinstance(op.location, UnknownLoc)
    ]
    assert lost == []


RECURSION = """
define internal i32 @gcd(i32 %a, i32 %b) {
  %done = icmp eq i32 %b, 0
  br i1 %done, label %out, label %more
more:
  %r = urem i32 %a, %b
  %g = call i32 @gcd(i32 %b, i32 %r)
  ret i32 %g
out:
  ret i32 %a
}
define internal i32 @product(i32 %n, i32 %step) {
  %done = icmp slt i32 %n, 2
  br i1 %done, label %out, label %more
more:
  %m = sub i32 %n, %step
  %r = call i32 @product(i32 %m, i32 %step)
  %s = mul i32 %n, %r
  ret i32 %s
out:
  ret i32 7
}
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  %g = call i32 @gcd(i32 %t, i32 24)
  %f = call i32 @product(i32 %t, i32 3)
  %s = shl i32 %g, 24
  %x = xor i32 %s, %f
  store i32 %x, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def test_recursion_and_its_loop_compute_the_same():
    module = read_ll(RECURSION)
    intern_types(module)
    launches = [Launch("k", args=(np.zeros(32, np.int32),), block=32)]
    assert_same_behaviour(module, "tailcallelim", launches)
    run_pipeline(module, "tailcallelim")
    calls = [op for op in module.walk() if op.name == "llvm.call"]
    assert len(calls) == 2
