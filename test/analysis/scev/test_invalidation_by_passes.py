"""No pass of document 003's table of invalidation triggers leaves an outdated fact in the cache."""

from __future__ import annotations

from typing import cast

import pytest
from helpers.modules import function, parse_module
from helpers.programs import all_values
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.pipeline.build import build_pipeline, passes_in

LOOPS = """
llvm.func @f(%n: i32, %m: i32, %b: i1, %k: i32, %p: !llvm.ptr {llvm.align = 16 : i64}) attributes {nvvm.kernel} {
  %k0 = llvm.mlir.constant(0 : i32) : i32
  %k1 = llvm.mlir.constant(1 : i32) : i32
  %k4 = llvm.mlir.constant(4 : i32) : i32
  %k64 = llvm.mlir.constant(64 : i32) : i32
  %g = llvm.addrspacecast %p : !llvm.ptr to !llvm.ptr<1>
  %q = llvm.addrspacecast %g : !llvm.ptr<1> to !llvm.ptr
  llvm.cond_br %b, ^while(%k0 : i32), ^while(%k1 : i32)
^while(%i: i32):
  %c = llvm.icmp "slt" %i, %n : i32
  llvm.cond_br %c, ^body, ^four(%k0 : i32)
^body:
  %x = llvm.mul %n, %m : i32
  %a = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store volatile %x, %a : i32, !llvm.ptr
  %in = llvm.add %i, %k1 overflow<nsw> : i32
  llvm.br ^while(%in : i32)
^four(%j: i32):
  %aj = llvm.getelementptr %q[%j] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  %y = llvm.mul %n, %m : i32
  llvm.store %y, %aj : i32, !llvm.ptr
  %jn = llvm.add %j, %k1 overflow<nsw> : i32
  %jc = llvm.icmp "ne" %jn, %k4 : i32
  llvm.cond_br %jc, ^four(%jn : i32), ^zeros(%k0 : i32)
^zeros(%z: i32):
  %az = llvm.getelementptr %q[%z] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.store %k0, %az : i32, !llvm.ptr
  %zn = llvm.add %z, %k1 overflow<nsw, nuw> : i32
  %zc = llvm.icmp "ne" %zn, %k64 : i32
  llvm.cond_br %zc, ^zeros(%zn : i32), ^tests(%k0 : i32)
^tests(%t: i32):
  %at = llvm.getelementptr %q[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.cond_br %b, ^yes, ^latch
^yes:
  llvm.store %t, %at : i32, !llvm.ptr
  llvm.br ^latch
^latch:
  %tn = llvm.add %t, %k1 overflow<nsw> : i32
  %tc = llvm.icmp "slt" %tn, %n : i32
  llvm.cond_br %tc, ^tests(%tn : i32), ^ranges(%k0 : i32)
^ranges(%r: i32):
  %low = llvm.icmp "slt" %r, %k64 : i32
  %ar = llvm.getelementptr %q[%r] : (!llvm.ptr, i32) -> !llvm.ptr, i32
  llvm.cond_br %low, ^lower, ^upper
^lower:
  llvm.store %r, %ar : i32, !llvm.ptr
  llvm.br ^last
^upper:
  llvm.store %n, %ar : i32, !llvm.ptr
  llvm.br ^last
^last:
  %rn = llvm.add %r, %k1 overflow<nsw> : i32
  %rc = llvm.icmp "slt" %rn, %n : i32
  llvm.cond_br %rc, ^ranges(%rn : i32), ^exit(%rn : i32)
^exit(%e: i32):
  llvm.store %e, %q : i32, !llvm.ptr
  llvm.return
}
"""
"""One loop for each pass below."""

FLOATS = """
llvm.func @f(%a: !llvm.ptr<1> {llvm.noalias, llvm.align = 16 : i64}, %b: !llvm.ptr<1> {llvm.noalias, llvm.align = 16 : i64}, %n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^loop(%zero : i64)
^loop(%i: i64):
  %p = llvm.getelementptr %a[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %q = llvm.getelementptr %b[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, f32
  %x = llvm.load %p : !llvm.ptr<1> -> f32
  %y = llvm.fmul %x, %x : f32
  llvm.store %y, %q : f32, !llvm.ptr<1>
  %next = llvm.add %i, %one overflow<nsw, nuw> : i64
  %c = llvm.icmp "ne" %next, %n : i64
  llvm.cond_br %c, ^loop(%next : i64), ^exit
^exit:
  llvm.return
}
"""

TRIGGERS = {
    "loop-unroll": LOOPS,
    "loop-unroll<unroll-peel-count=1>": LOOPS,
    "loop-vectorize<force-vector-width=4>": FLOATS,
    "simple-loop-unswitch": LOOPS,
    "licm": LOOPS,
    "loop-simplify": LOOPS,
    "loop-rotate": LOOPS,
    "loop-idiom": LOOPS,
    "loop-index-split": LOOPS,
    "memory-space-opt": LOOPS,
    "loop-reduce": LOOPS,
    "indvars<replexitval=always>": LOOPS,
}
"""The passes of the table, NVIDIA's strength reduction and the narrowing of counters, with code that each changes."""


@pytest.mark.parametrize("text", TRIGGERS)
def test_no_outdated_fact_remains(text: str):
    module = parse_module(TRIGGERS[text])
    intern_types(module)
    func = function(module)
    forms = "function(loop-simplify,lcssa)" if text != "loop-simplify" else ""
    am = AnalysisManager()
    for item in passes_in(build_pipeline(forms)):
        item.run(module, am)  # pyright: ignore[reportAttributeAccessIssue]
    se = am.get(ScalarEvolution, func)
    for value in all_values(func):
        expression = se.get(value)
        if expression is not se.could_not_compute:
            se.range(expression)
            se.range(expression, signed=True)
    for loop in se.loops.loops():
        se.backedge_taken_count(loop)
        se.predicated_backedge_taken_count(loop)
    (item,) = passes_in(build_pipeline(text))
    assert item.run(module, am)  # pyright: ignore[reportAttributeAccessIssue]
    kept = am.cached(ScalarEvolution, cast(FuncOp, func))
    if kept is not None:
        kept.verify(strict=True, maps=True)
