"""A loop that `loop-idiom` rejects is unchanged: no constant is created for it."""

from __future__ import annotations

import nvvm_xdsl
from nvvm_xdsl.pipeline.build import build_pipeline
from nvvm_xdsl.pipeline.instrumentation import ir_text
from nvvm_xdsl.pipeline.manager import PassManager

UNALIGNED = """\
llvm.func @fill(%p: !llvm.ptr) {
  %none = llvm.mlir.constant(0 : i32) : i32
  %one = llvm.mlir.constant(1 : i32) : i32
  %end = llvm.mlir.constant(100 : i32) : i32
  %zero = llvm.mlir.constant(0 : i64) : i64
  llvm.br ^loop(%none : i32)
^loop(%i: i32):
  %at = llvm.getelementptr inbounds %p[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i64
  llvm.store %zero, %at {alignment = 8 : i64} : i64, !llvm.ptr
  %next = llvm.add %i, %one overflow<nsw, nuw> : i32
  %more = llvm.icmp "ult" %next, %end : i32
  llvm.cond_br %more, ^loop(%next : i32), ^done
^done:
  llvm.return
}
"""


def test_a_fill_of_unknown_alignment_is_unchanged():
    module = nvvm_xdsl.parse(UNALIGNED)
    before = ir_text(module)
    assert not PassManager(build_pipeline("loop-idiom")).run(module)
    assert ir_text(module) == before


def test_an_aligned_fill_is_replaced():
    module = nvvm_xdsl.parse(UNALIGNED.replace("%p: !llvm.ptr", "%p: !llvm.ptr {llvm.align = 16 : i64}"))  # fmt: skip
    assert PassManager(build_pipeline("loop-idiom")).run(module)
    assert "llvm.intr.memset" in ir_text(module)
