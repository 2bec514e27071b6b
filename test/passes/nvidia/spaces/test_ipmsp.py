"""Remarks of `ipmsp`; functions called with several memory spaces compute the same."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.lab import assert_same_behaviour
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.pipeline import PassManager

TEXT = """
@tile = internal addrspace(3) global [32 x float] undef
@weights = internal addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]

define internal float @sum(ptr %p, i32 %n) noinline {
  %done = icmp eq i32 %n, 0
  br i1 %done, label %leave, label %more
more:
  %x = load float, ptr %p
  %q = getelementptr float, ptr %p, i32 1
  %m = sub i32 %n, 1
  %rest = call float @sum(ptr %q, i32 %m)
  %s = fadd float %x, %rest
  ret float %s
leave:
  ret float 0.0
}

define internal ptr @slot(ptr %base, i32 %i) noinline {
  %p = getelementptr float, ptr %base, i32 %i
  ret ptr %p
}

define internal void @put(ptr %to, float %x, ptr %also) noinline {
  store float %x, ptr %to
  %none = icmp eq ptr %also, null
  br i1 %none, label %leave, label %both
both:
  store float %x, ptr %also
  br label %leave
leave:
  ret void
}

define void @kernel(ptr %in, ptr %out) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = alloca [4 x float]
  %tile = addrspacecast ptr addrspace(3) @tile to ptr
  %weights = addrspacecast ptr addrspace(4) @weights to ptr
  %from = call ptr @slot(ptr %in, i32 %tid)
  %x = load float, ptr %from
  %to = call ptr @slot(ptr %tile, i32 %tid)
  call void @put(ptr %to, float %x, ptr null)
  call void @put(ptr %own, float %x, ptr null)
  call void @llvm.nvvm.barrier0()
  %a = call float @sum(ptr %tile, i32 5)
  %b = call float @sum(ptr %in, i32 3)
  %c = call float @sum(ptr %weights, i32 4)
  %d = call float @sum(ptr %own, i32 1)
  %ab = fadd float %a, %b
  %cd = fadd float %c, %d
  %all = fadd float %ab, %cd
  %result = call ptr @slot(ptr %out, i32 %tid)
  call void @llvm.nvvm.barrier0()
  call void @put(ptr %result, float %all, ptr %to)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
!nvvm.annotations = !{!0}
!0 = !{ptr @kernel, !"kernel", i32 1}
"""

DATA = np.arange(32, dtype=np.float32)
LAUNCH = Launch("kernel", 1, 32, (DATA, np.zeros(32, np.float32)), tolerance=1e-6)


@pytest.mark.parametrize(
    "pipeline",
    [
        "ipmsp",
        "ipmsp<no-do-clone-for-ip-msp>",
        "ipmsp,memory-space-opt<second-time>,globaldce",
        "nvopt<O2>",
    ],
)
def test_behaviour(pipeline: str):
    assert_same_behaviour(read_ll(TEXT), pipeline, [LAUNCH])


def test_every_access_is_resolved():
    module = read_ll(TEXT)
    PassManager("ipmsp,memory-space-opt<second-time>,globaldce").run(module)
    accesses = [op for op in module.walk() if op.name in ("llvm.load", "llvm.store")]
    pointers = [str(op.operands[-1].type) for op in accesses]
    # Only the second access of two clones of @put, which is always null, remains unresolved.
    assert pointers.count("!llvm.ptr") == 2
    names = [op.properties["sym_name"].data for op in module.ops if op.name == "llvm.func"]
    assert sum(name.startswith("sum") for name in names) == 4
    assert sum(name.startswith("slot") for name in names) == 2


def test_dump():
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        PassManager("ipmsp<dump-ip-msp>").run(read_ll(TEXT))
    reported = [r.message for r in heard if r.pass_name == "ipmsp"]
    assert reported[0] == "Initial work list size : 3"
    assert reported.count("sum is cloned") == 3
    assert "slot__msp_3 : return memory space is resolved : 3" in reported or (
        "slot__msp_1 : return memory space is resolved : 1" in reported
    )
    assert any(m.endswith(": changed in argument memory space (1 arguments)") for m in reported)
    assert any(m.endswith("callees are affected") for m in reported)


def test_external_functions_without_known_callers_are_not_cloned():
    text = """
define void @f(ptr %p) { ret void }
define void @g(ptr %q) {
  call void @f(ptr %q)
  ret void
}
"""
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        PassManager("ipmsp<dump-ip-msp>").run(read_ll(text))
    assert "avoid cloning of f" in [r.message for r in heard]
