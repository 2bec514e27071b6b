"""Passes end and preserve behaviour if unreachable blocks use values of reachable ones, as in loops
without an entry."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from types import FrameType

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.frontend.cyclic_values import remove_cyclic_blocks
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

MOST_SECONDS = 60
"""Limit for a pass that does not end; each takes less than a second."""

TEXT = """
llvm.mlir.global internal constant @table(dense<[1, 2, 3, 4]> : tensor<4xi32>) {addr_space = 4 : i32, dso_local} : !llvm.array<4 x i32>
llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 4 : i64, dso_local} : !llvm.array<64 x i32> {
  %0 = llvm.mlir.undef : !llvm.array<64 x i32>
  llvm.return %0 : !llvm.array<64 x i32>
}
llvm.func internal @callee(%x: i32, %p: !llvm.ptr) -> i32 attributes {dso_local} {
  %l = llvm.load %p {alignment = 4 : i64} : !llvm.ptr -> i32
  %a = llvm.add %x, %l : i32
  llvm.return %a : i32
^dead(%u: i32):
  %u2 = llvm.add %u, %a : i32
  llvm.store %u2, %p {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.br ^dead(%u2 : i32)
}
llvm.func @k(%p: !llvm.ptr<1> {llvm.noalias}, %q: !llvm.ptr<1> {llvm.noalias, llvm.readonly}, %n: i32, %f: f32, %w: vector<2xi32>) attributes {nvvm.kernel} {
  %0 = llvm.mlir.constant(1 : i32) : i32
  %1 = llvm.mlir.constant(7 : i32) : i32
  %2 = llvm.mlir.constant(3 : i32) : i32
  %3 = llvm.mlir.addressof @tile : !llvm.ptr<3>
  %4 = llvm.mlir.constant(0 : i64) : i64
  %5 = llvm.mlir.constant(0 : i32) : i32
  %6 = llvm.mlir.constant(1 : i64) : i64
  %7 = llvm.mlir.constant(63 : i32) : i32
  %8 = llvm.mlir.addressof @table : !llvm.ptr<4>
  %9 = llvm.mlir.constant(4 : i32) : i32
  %10 = llvm.mlir.constant(9 : i32) : i32
  %11 = llvm.mlir.constant(2.000000e+00 : f32) : f32
  %12 = llvm.mlir.constant(100 : i64) : i64
  %local = llvm.alloca %0 x !llvm.array<4 x i32> {alignment = 4 : i64} : (i32) -> !llvm.ptr
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %wide = llvm.zext %tid : i32 to i64
  %from = llvm.getelementptr %q[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %to = llvm.getelementptr %p[%wide] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %x = llvm.load %from {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %y = llvm.mul %x, %1 : i32
  %five = llvm.shl %y, %2 : i32
  %s = llvm.getelementptr %3[%4, %wide] : (!llvm.ptr<3>, i64, i64) -> !llvm.ptr<3>, !llvm.array<64 x i32>
  llvm.store %y, %s {alignment = 4 : i64} : i32, !llvm.ptr<3>
  nvvm.barrier0
  %e0 = llvm.getelementptr %local[%4, %4] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  %e1 = llvm.getelementptr %local[%4, %6] : (!llvm.ptr, i64, i64) -> !llvm.ptr, !llvm.array<4 x i32>
  llvm.store %x, %e0 {alignment = 4 : i64} : i32, !llvm.ptr
  llvm.store %2, %e1 {alignment = 4 : i64} : i32, !llvm.ptr
  %neg = llvm.xor %tid, %7 : i32
  %nw = llvm.zext %neg : i32 to i64
  %s2 = llvm.getelementptr %3[%4, %nw] : (!llvm.ptr<3>, i64, i64) -> !llvm.ptr<3>, !llvm.array<64 x i32>
  %z = llvm.load %s2 {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  %div = llvm.udiv %z, %2 : i32
  %rem = llvm.urem %z, %2 : i32
  %cmp = llvm.icmp "slt" %z, %n : i32
  llvm.cond_br %cmp, ^loop(%5, %x : i32, i32), ^other
^loop(%i: i32, %sum: i32):
  %iw = llvm.sext %i : i32 to i64
  %t = llvm.getelementptr %8[%4, %iw] : (!llvm.ptr<4>, i64, i64) -> !llvm.ptr<4>, !llvm.array<4 x i32>
  %tv = llvm.load %t {alignment = 4 : i64} : !llvm.ptr<4> -> i32
  %inv = llvm.mul %n, %y : i32
  %part = llvm.add %sum, %tv : i32
  %odd = llvm.and %i, %0 : i32
  %isodd = llvm.icmp "ne" %odd, %5 : i32
  llvm.cond_br %isodd, ^then, ^latch(%part : i32)
^then:
  %more = llvm.add %part, %inv : i32
  llvm.br ^latch(%more : i32)
^latch(%sum2: i32):
  %i2 = llvm.add %i, %0 overflow<nsw, nuw> : i32
  %again = llvm.icmp "ult" %i2, %9 : i32
  llvm.cond_br %again, ^loop(%i2, %sum2 : i32, i32), ^merge(%sum2 : i32)
^other:
  %small = llvm.intr.umin(%tid, %10) : (i32, i32) -> i32
  llvm.switch %rem : i32, ^merge(%small : i32) [
    0: ^merge(%small : i32),
    1: ^one
  ]
^one:
  %ff = llvm.intr.fma(%f, %f, %11) : (f32, f32, f32) -> f32
  %fi = llvm.fptosi %ff : f32 to i32
  %called = llvm.call @callee(%fi, %e0) : (i32, !llvm.ptr) -> i32
  llvm.br ^merge(%called : i32)
^merge(%r: i32):
  %le = llvm.load %e1 {alignment = 4 : i64} : !llvm.ptr -> i32
  %v0 = llvm.extractelement %w[%5 : i32] : vector<2xi32>
  %r2 = llvm.add %r, %le : i32
  %r3 = llvm.add %r2, %v0 : i32
  %r4 = llvm.add %r3, %div : i32
  llvm.store %r4, %to {alignment = 4 : i64} : i32, !llvm.ptr<1>
  llvm.return
^dead(%d0: i32):
  %d1 = llvm.add %d0, %sum2 : i32
  %d2 = llvm.mul %d1, %inv : i32
  %d3 = llvm.udiv %d2, %part : i32
  %dl = llvm.load %to {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %ds = llvm.load %s2 {alignment = 4 : i64} : !llvm.ptr<3> -> i32
  nvvm.barrier0
  %dc = llvm.call @callee(%called, %e1) : (i32, !llvm.ptr) -> i32
  llvm.store %dc, %s {alignment = 4 : i64} : i32, !llvm.ptr<3>
  llvm.cond_br %again, ^merge(%d3 : i32), ^merge(%d3 : i32)
^spin(%sv: i32):
  %sv2 = llvm.add %sv, %small : i32
  %selfc = llvm.icmp "slt" %sv2, %le : i32
  llvm.cond_br %selfc, ^spin(%sv2 : i32), ^dead(%d3 : i32)
^spin2(%iv: i64):
  %iv2 = llvm.add %iv, %nw : i64
  %g = llvm.getelementptr %q[%iv2] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %gl = llvm.load %g {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %g2 = llvm.getelementptr %p[%iv] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %gl, %g2 {alignment = 4 : i64} : i32, !llvm.ptr<1>
  %ivc = llvm.icmp "ult" %iv2, %12 : i64
  llvm.cond_br %ivc, ^spin2(%iv2 : i64), ^dead(%five : i32)
^unused:
  %uc = llvm.icmp "eq" %v0, %tv : i32
  llvm.cond_br %uc, ^spin(%y : i32), ^spin2(%wide : i64)
^lonely:
  %us = llvm.add %div, %five : i32
  %uz = llvm.zext %us : i32 to i64
  %up = llvm.getelementptr %q[%uz] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  %ul = llvm.load %up {alignment = 4 : i64} : !llvm.ptr<1> -> i32
  %ur = llvm.add %ul, %rem : i32
  llvm.store %ur, %to {alignment = 4 : i64} : i32, !llvm.ptr<1>
  llvm.unreachable
^own(%o: i32, %op: !llvm.ptr<1>):
  %o2 = llvm.add %o, %r4 : i32
  %op2 = llvm.getelementptr %op[%6] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, i32
  llvm.store %o2, %op2 {alignment = 4 : i64} : i32, !llvm.ptr<1>
  llvm.br ^own(%o2, %op2 : i32, !llvm.ptr<1>)
^head(%h: i32, %hs: i32):
  %h2 = llvm.xor %h, %y : i32
  llvm.br ^tail
^tail:
  %h3 = llvm.add %hs, %h2 : i32
  %hc = llvm.icmp "ult" %h3, %n : i32
  llvm.cond_br %hc, ^head(%h2, %h3 : i32, i32), ^lonely
}
"""
NAMES = [name for name in PASSES if not PASSES[name].startswith("machine.")]
VARIANTS = [
    "loop-unroll<for-loads>",
    "loop-vectorize<force-vector-width=4>",
    "simple-loop-unswitch<nontrivial>",
]
LAUNCH = Launch(
    "k",
    2,
    64,
    (
        np.zeros(64, np.int32),
        np.arange(64, dtype=np.int32) * 37 % 11,
        40,
        np.float32(1.5),
        (4, 5),
    ),
)


def _stop(_number: int, _frame: FrameType | None) -> None:
    raise TimeoutError


@pytest.fixture(autouse=True)
def time_limit() -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _stop)
    signal.alarm(MOST_SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def module() -> ModuleOp:
    return nvvm_xdsl.parse(TEXT)


@pytest.fixture(scope="module")
def expected(module: ModuleOp) -> list[int]:
    return results(module)


def results(module: ModuleOp) -> list[int]:
    return run(prepare(module), LAUNCH).arrays[0].tolist()


def block_count(module: ModuleOp) -> int:
    return sum(len(op.regions[0].blocks) for op in module.body.block.ops if op.regions)


@pytest.mark.parametrize("name", [*NAMES, *VARIANTS])
def test_each_pass(name: str, module: ModuleOp, expected: list[int]):
    """The second run is on the results of the first, in which no value depends on itself."""
    changed = fast.clone(module)
    for _ in range(2):
        run_pipeline(changed, name)
        verify_module(changed)
        blocks = block_count(changed)
        for op in changed.body.block.ops:
            for region in op.regions:
                remove_cyclic_blocks(region)
        assert block_count(changed) == blocks
    assert results(changed) == expected
