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


def test_a_pointer_that_a_loop_advances_is_not_always_readable():
    module = read_ll(
        """
define i8 @digits(i32 %n, i1 %d) {
entry:
  %buffer = alloca [4 x i8]
  store i8 1, ptr %buffer
  %end = getelementptr i8, ptr %buffer, i64 3
  br label %loop
loop:
  %p = phi ptr [ %end, %entry ], [ %next, %latch ]
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %latch, label %exit
latch:
  %next = getelementptr i8, ptr %p, i64 -1
  %j = add i32 %i, 1
  br label %loop
exit:
  %q = select i1 %d, ptr %p, ptr %end
  %v = load i8, ptr %q
  ret i8 %v
}
""",
        "digits.ll",
    )
    (func,) = functions_of(module)
    slots = [op for op in func.walk() if isinstance(op, AllocaOp)]
    assert not load_choices(slots, data_layout_of(func), Constants(func))


def test_addresses_derived_from_a_choice_are_readable_in_all_its_slots():
    """The bytes at %q are only in %large, but the select reads them whenever %d is false, too."""
    module = read_ll(
        """
define i32 @f(i1 %c, i1 %d) {
entry:
  %small = alloca [2 x i32]
  %large = alloca [8 x i32]
  store i32 1, ptr %small
  store i32 2, ptr %large
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %p = phi ptr [ %small, %left ], [ %large, %right ]
  %q = getelementptr i8, ptr %p, i64 16
  %r = select i1 %d, ptr %q, ptr %large
  %v = load i32, ptr %r
  ret i32 %v
}
""",
        "derived.ll",
    )
    (func,) = functions_of(module)
    slots = [op for op in func.walk() if isinstance(op, AllocaOp)]
    assert not load_choices(slots, data_layout_of(func), Constants(func))
