"""`nvvm.mbarrier.try_wait.parity` has no result: it waits until the phase is complete."""

from __future__ import annotations

import numpy as np

import nvvm_xdsl
from nvvm_xdsl.lab import Launch, assert_same_behaviour

KERNEL = """llvm.mlir.global internal @barrier() {addr_space = 3 : i32, alignment = 8 : i64} : i64 {
  %nothing = llvm.mlir.undef : i64
  llvm.return %nothing : i64
}
llvm.func @k(%out: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %at = llvm.mlir.addressof @barrier : !llvm.ptr<3>
  %count = llvm.mlir.constant(64 : i32) : i32
  %zero = llvm.mlir.constant(0 : i32) : i32
  %ticks = llvm.mlir.constant(1000 : i32) : i32
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %first = llvm.icmp "eq" %tid, %zero : i32
  llvm.cond_br %first, ^init, ^go
^init:
  nvvm.mbarrier.init %at, %count : !llvm.ptr<3>, i32
  llvm.br ^go
^go:
  nvvm.barrier0
  %s = nvvm.mbarrier.arrive %at : !llvm.ptr<3> -> i64
  nvvm.mbarrier.try_wait.parity %at, %zero, %ticks : !llvm.ptr<3>, i32, i32
  %p = llvm.getelementptr %out[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
  llvm.store %tid, %p : i32, !llvm.ptr<1>
  llvm.return
}
"""


def test_all_threads_pass_when_all_have_arrived():
    launch = Launch("k", grid=1, block=64, args=(np.zeros(64, np.int32),))
    assert_same_behaviour(nvvm_xdsl.parse(KERNEL), "nvopt<O3>", [launch])
