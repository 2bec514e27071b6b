"""The alignment of pointers, from the objects and offsets that they are computed from."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.memory.alignment import MAX_ALIGNMENT, Alignments, power_of_two_in
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.frontend.ll_reader import read_ll

TEXT = """
target triple = "nvptx64-nvidia-cuda"
@a = addrspace(3) global [8 x i32] undef, align 16
@b = addrspace(1) global [8 x i64] zeroinitializer
declare void @take(ptr)
define void @f(ptr align 32 %p, ptr %q, ptr byval({{ i32, double }}) %r, i64 %i, i32 %j) {{
  %slot = alloca [4 x i16]
  %aligned = alloca [4 x i16], align 64
  %x = {value}
  call void @take(ptr %x)
  ret void
}}
"""


@pytest.mark.parametrize(
    ("value", "alignment"),
    [
        ("getelementptr i8, ptr %p, i64 0", 32),
        ("getelementptr i8, ptr %p, i64 64", 32),
        ("getelementptr i8, ptr %p, i64 24", 8),
        ("getelementptr i8, ptr %p, i64 -4", 4),
        ("getelementptr i8, ptr %p, i64 3", 1),
        ("getelementptr i32, ptr %p, i64 %i", 4),
        ("getelementptr <4 x float>, ptr %p, i64 %i", 16),
        ("getelementptr {{ i32, double }}, ptr %p, i32 %j, i32 1", 8),
        ("getelementptr [24 x i8], ptr %p, i64 %i", 8),
        ("getelementptr i8, ptr %q, i64 16", 1),
        ("getelementptr i8, ptr %r, i64 0", 8),
        ("getelementptr i8, ptr %slot, i64 0", 2),
        ("getelementptr i8, ptr %aligned, i64 32", 32),
        ("addrspacecast ptr addrspace(3) @a to ptr", 16),
        ("getelementptr i8, ptr addrspacecast (ptr addrspace(1) @b to ptr), i64 8", 8),
        ("getelementptr i8, ptr null, i64 256", 256),
    ],
)
def test_alignment(value: str, alignment: int):
    module = read_ll(TEXT.format(value=value.replace("{{", "{").replace("}}", "}")))
    func = next(op for op in module.walk() if isinstance(op, FuncOp) and op.sym_name.data == "f")
    call = next(op for op in func.walk() if op.name == "llvm.call")
    alignments = Alignments(func, DataLayout.of(module))
    assert alignments.of(call.operands[0]) == alignment


ASSUMED = """
declare void @llvm.assume(i1)
declare void @may_not_return()
declare void @take(ptr)
define void @f(ptr %p, ptr %q, i1 %c) {{
entry:
  {first}
  br i1 %c, label %then, label %end
then:
  {second}
  br label %end
end:
  %x = getelementptr i8, ptr %p, i64 {offset}
  call void @take(ptr %x)
  ret void
}}
"""
ALIGNED = 'call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16) ]'


@pytest.mark.parametrize(
    ("first", "second", "offset", "alignment"),
    [
        (ALIGNED, "", 0, 16),
        (ALIGNED, "", 8, 8),
        (ALIGNED, "", 64, 16),
        (ALIGNED.replace("i64 16", "i64 16, i64 0"), "", 0, 16),
        (
            'call void @llvm.assume(i1 true) [ "nonnull"(ptr %p), "align"(ptr %p, i64 16) ]',
            "",
            0,
            16,
        ),
        # Assumptions about another pointer, one 4 bytes further, one that is no power of two, and
        # one in a block that may not be executed.
        (ALIGNED.replace("%p", "%q"), "", 0, 1),
        (ALIGNED.replace("i64 16", "i64 16, i64 4"), "", 0, 1),
        (ALIGNED.replace("i64 16", "i64 12"), "", 0, 4),
        ("", ALIGNED, 0, 1),
        ("call void @may_not_return()\n" + ALIGNED, "", 0, 1),
    ],
)
def test_assumed(first: str, second: str, offset: int, alignment: int):
    module = read_ll(ASSUMED.format(first=first, second=second, offset=offset))
    func = next(op for op in module.walk() if isinstance(op, FuncOp) and op.sym_name.data == "f")
    call = [op for op in func.walk() if op.name == "llvm.call"][-1]
    assert Alignments(func, DataLayout.of(module)).of(call.operands[0]) == alignment


def test_powers_of_two():
    assert [power_of_two_in(n) for n in (1, -8, 12, 0)] == [1, 8, 4, MAX_ALIGNMENT]
