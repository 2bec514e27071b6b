"""Loads from one of several stack slots: properties of the loads that `sroa` promotes later."""

from __future__ import annotations

from xdsl.dialects.llvm import AllocaOp, LoadOp

from nvvm_xdsl.dialects.llvm.accessors import stated_alignment
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.sroa_choices import load_choices
from nvvm_xdsl.verify.verifier import verify_module


def test_each_load_has_the_alignment_of_its_slot():
    module = read_ll(
        """
define i64 @f(i1 %c, i64 %x) {
  %a = alloca [2 x i64], align 16
  %b = alloca [3 x i64], align 8
  store i64 %x, ptr %a
  store i64 %x, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %q = getelementptr i64, ptr %p, i64 1
  %v = load i64, ptr %p, align 16
  %w = load i64, ptr %q, align 8
  %s = add i64 %v, %w
  ret i64 %s
}
""",
        "f.ll",
    )
    (func,) = functions_of(module)
    slots = [op for op in func.walk() if isinstance(op, AllocaOp)]
    assert load_choices(slots, data_layout_of(func), Constants(func))
    verify_module(module)
    loads = [stated_alignment(op) for op in func.walk() if isinstance(op, LoadOp)]
    assert loads == [16, 8, 8, 8]
