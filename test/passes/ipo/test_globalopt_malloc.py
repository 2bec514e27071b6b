"""A `malloc` object that a variable points to is split into one object per field (document 002, path B)."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.modules import parse_module

from nvvm_xdsl.dialects.llvm.accessors import defined_name
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, find_difference
from nvvm_xdsl.lab.launch_sequences import run_in_a_row
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import Limits

SPLIT = "globalopt<globalopt-max-heap-fields=16>"

PROGRAM = """
%S = type { i32, float, [2 x i16] }
@one = internal addrspace(1) global ptr null
@many = internal addrspace(1) global ptr null
declare ptr @malloc(i64)
declare void @free(ptr)
define internal void @make(i64 %n) noinline {
  %p = call ptr @malloc(i64 12)
  store ptr %p, ptr addrspace(1) @one
  %f = getelementptr inbounds %S, ptr %p, i64 0, i32 1
  store float 1.5, ptr %f
  store i32 7, ptr %p
  %bytes = mul i64 %n, 12
  %q = call ptr @malloc(i64 %bytes)
  store ptr %q, ptr addrspace(1) @many
  br label %loop
loop:
  %i = phi i64 [ 0, %0 ], [ %next, %loop ]
  %e = getelementptr inbounds %S, ptr %q, i64 %i
  %t = trunc i64 %i to i32
  store i32 %t, ptr %e
  %h = getelementptr inbounds i8, ptr %e, i64 10
  %s = trunc i64 %i to i16
  store i16 %s, ptr %h
  %next = add i64 %i, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}
define internal void @use(ptr %out, i64 %n) noinline {
  %p = load ptr, ptr addrspace(1) @one
  %ok = icmp ne ptr %p, null
  br i1 %ok, label %yes, label %no
yes:
  %x = load i32, ptr %p
  %more = add i32 %x, 100
  store i32 %more, ptr %p
  %f = getelementptr inbounds %S, ptr %p, i64 0, i32 1
  %y = load float, ptr %f
  %i = fptosi float %y to i32
  %z = add i32 %x, %i
  %q = load ptr, ptr addrspace(1) @many
  %e = getelementptr inbounds %S, ptr %q, i64 2, i32 2, i64 1
  %w = load i16, ptr %e
  %v = zext i16 %w to i32
  %last = sub i64 %n, 1
  %e3 = getelementptr inbounds %S, ptr %q, i64 %last, i32 0
  %u = load i32, ptr %e3
  %sum = add i32 %v, %u
  %all = add i32 %sum, %z
  store i32 %all, ptr %out
  ret void
no:
  store i32 -1, ptr %out
  ret void
}
define internal void @drop() noinline {
  %p = load ptr, ptr addrspace(1) @one
  call void @free(ptr %p)
  store ptr null, ptr addrspace(1) @one
  %q = load ptr, ptr addrspace(1) @many
  call void @free(ptr %q)
  ret void
}
define ptx_kernel void @k(ptr %out, i64 %n) {
  %out1 = getelementptr i32, ptr %out, i64 1
  %out2 = getelementptr i32, ptr %out, i64 2
  %out3 = getelementptr i32, ptr %out, i64 3
  %out4 = getelementptr i32, ptr %out, i64 4
  call void @use(ptr %out, i64 %n)
  call void @make(i64 %n)
  call void @use(ptr %out1, i64 %n)
  call void @use(ptr %out2, i64 %n)
  call void @make(i64 3)
  call void @use(ptr %out3, i64 3)
  call void @drop()
  call void @use(ptr %out4, i64 %n)
  ret void
}
"""


def variables(text: str, pipeline: str) -> list[str]:
    """Returns the names of the variables after a pipeline."""
    module = read_ll(text)
    run_pipeline(module, pipeline)
    return [defined_name(op) for op in module.ops if op.name == "llvm.mlir.global"]


LAUNCH = Launch("k", 1, 1, (np.zeros(5, np.int32), 5))
"""Two objects in sequence, each used; null at first and at the end."""


def test_used_fields_get_memory():
    assert variables(PROGRAM, SPLIT) == ["one.f0", "one.f1", "many.f0", "many.f2"]
    assert variables(PROGRAM, "globalopt") == ["one", "many"]


@pytest.mark.parametrize("pipeline", [SPLIT, f"{SPLIT},nvopt<O3>"])
def test_heap_object_shared_by_functions(pipeline: str):
    module = read_ll(PROGRAM)
    (outcome,) = run_in_a_row(module, [LAUNCH])
    assert outcome.arrays[0].tolist() == [-1, 14, 114, 12, -1]
    assert find_difference(module, pipeline, [LAUNCH]) is None


UNUSED = PROGRAM.replace("store float 1.5, ptr %f", "").replace(
    "load float, ptr %f", "fadd float 1.5, 0.0"
)


def test_one_field_is_split_by_default():
    """The result needs no more calls and no more memory than the object."""
    module = read_ll(UNUSED)
    run_pipeline(module, "globalopt")
    assert [defined_name(op) for op in module.ops if op.name == "llvm.mlir.global"] == [
        "one.f0",
        "many",
    ]
    # With one allocation there is no other to free if it fails.
    assert "isnull" not in str(module)
    assert find_difference(read_ll(UNUSED), "globalopt", [LAUNCH]) is None


def test_a_split_allocation_fails_as_a_whole():
    """If the second field's allocation fails there is no object."""
    text = """
    %S = type { [8 x i32], [100 x i32] }
    @g = internal addrspace(1) global ptr null
    declare ptr @malloc(i64)
    define ptx_kernel void @k(ptr %out) {
      %p = call ptr @malloc(i64 432)
      store ptr %p, ptr addrspace(1) @g
      %q = load ptr, ptr addrspace(1) @g
      %null = icmp eq ptr %q, null
      br i1 %null, label %no, label %yes
    yes:
      store i32 1, ptr %q
      %second = getelementptr inbounds %S, ptr %q, i64 0, i32 1
      store i32 2, ptr %second
      ret void
    no:
      %small = call ptr @malloc(i64 100)
      %there = icmp ne ptr %small, null
      %word = zext i1 %there to i32
      %code = add i32 %word, 10
      store i32 %code, ptr %out
      ret void
    }
    """
    module = read_ll(text)
    launch = Launch("k", 1, 1, (np.zeros(1, np.int32),))
    limits = Limits(heap=220)
    (before,) = run_in_a_row(module, [launch], limits=limits)
    run_pipeline(module, SPLIT)
    assert "free_it1" in str(module)
    (after,) = run_in_a_row(module, [launch], limits=limits)
    assert [int(o.arrays[0][0]) for o in (before, after)] == [11, 11]


WHOLE = {
    "nothing": ("", ["g.f0"]),
    "an access to two fields": ("%x = load i64, ptr %q", ["g"]),
    "a volatile access": ("%x = load volatile i32, ptr %q", ["g"]),
    "behind the object": ("%b = getelementptr i8, ptr %q, i64 -4\n%x = load i32, ptr %b", ["g"]),
    "an object behind it": ("%b = getelementptr i8, ptr %q, i64 -12\n%x = load i32, ptr %b", ["g"]),
    "an index of two objects": ("%b = getelementptr [2 x %S], ptr %q, i64 %n\n%x = load i32, ptr %b", ["g"]),
    "a pointer behind the variable": (
        "%b = getelementptr i8, ptr addrspace(1) @g, i64 8\n%x = load ptr, ptr addrspace(1) %b", ["g"],
    ),
    "an index within a field": (
        "%b = getelementptr %S, ptr %q, i64 0, i32 2, i64 %n\n%x = load i16, ptr %b", ["g"],
    ),
    "a number made of it": ("%x = ptrtoint ptr %q to i64", ["g"]),
    "stored elsewhere": ("store ptr %q, ptr %out", ["g"]),
    "given to a function": ("call void @elsewhere(ptr %q)", ["g"]),
    "compared with another": ("%x = icmp eq ptr %q, %out", ["g"]),
    "a part freed": ("%b = getelementptr %S, ptr %q, i64 0, i32 1\ncall void @free(ptr %b)", ["g"]),
    "a part of the pointer": ("%x = load i32, ptr addrspace(1) @g", ["g"]),
    "a part of the variable stored": ("store i32 0, ptr addrspace(1) @g", ["g"]),
    "a fill of the variable": (
        "call void @llvm.memset.p1.i64(ptr addrspace(1) @g, i8 0, i64 8, i1 0)", ["g"],
    ),
    "an atomic access": ("%x = load atomic i32, ptr %q monotonic, align 4", ["g"]),
    "an order of addresses": ("%x = icmp ult ptr %q, null", ["g"]),
    "a part compared": (
        "%b = getelementptr %S, ptr %q, i64 0, i32 1\n%x = icmp eq ptr %b, null", ["g"],
    ),
    "two indices": (
        "%b = getelementptr [4 x %S], ptr %q, i64 %n, i64 %n\n%x = load i32, ptr %b", ["g"],
    ),
    "two steps with indices": (
        "%b = getelementptr %S, ptr %q, i64 %n\n%c = getelementptr %S, ptr %b, i64 %n\n%x = load i32, ptr %c",
        ["g"],
    ),
    "a vector of addresses": (
        "%b = getelementptr %S, ptr %q, <2 x i64> <i64 0, i64 1>", ["g"],
    ),
    "an element and a constant after it": (
        "%b = getelementptr %S, ptr %q, i64 %n\n%c = getelementptr i8, ptr %b, i64 12\n%x = load i32, ptr %c",
        ["g.f0"],
    ),
    "no bytes": ("%r = call ptr @malloc(i64 0)\nstore ptr %r, ptr addrspace(1) @g", ["g"]),
    "bytes below zero": ("%r = call ptr @malloc(i64 -12)\nstore ptr %r, ptr addrspace(1) @g", ["g"]),
    "unknown bytes": ("%r = call ptr @malloc(i64 %n)\nstore ptr %r, ptr addrspace(1) @g", ["g"]),
    "a product of another size": (
        "%m = mul i64 %n, 10\n%r = call ptr @malloc(i64 %m)\nstore ptr %r, ptr addrspace(1) @g", ["g"],
    ),
    "a product below zero": (
        "%m = mul i64 %n, -12\n%r = call ptr @malloc(i64 %m)\nstore ptr %r, ptr addrspace(1) @g", ["g"],
    ),
    "a product of values": (
        "%m = mul i64 %n, %n\n%r = call ptr @malloc(i64 %m)\nstore ptr %r, ptr addrspace(1) @g", ["g"],
    ),
    "an object of another function": (
        "%r = call ptr @other(i64 24)\nstore ptr %r, ptr addrspace(1) @g", ["g"],
    ),
    "another size": ("%r = call ptr @malloc(i64 10)\nstore ptr %r, ptr addrspace(1) @g", ["g"]),
    "no object of malloc": ("store ptr %out, ptr addrspace(1) @g", ["g"]),
    "too many fields": ("%b = getelementptr %S, ptr %q, i64 0, i32 1\nstore float 1.0, ptr %b", ["g"]),
}  # fmt: skip


@pytest.mark.parametrize("why", WHOLE)
def test_conditions_that_keep_an_object_whole(why: str):
    line, left = WHOLE[why]
    text = f"""
    %S = type {{ i32, float, [2 x i16] }}
    @g = internal addrspace(1) global ptr null
    declare ptr @malloc(i64)
    declare void @free(ptr)
    declare void @elsewhere(ptr)
    declare ptr @other(i64)
    declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
    define ptx_kernel void @k(ptr %out, i64 %n) {{
      %p = call ptr @malloc(i64 24)
      store ptr %p, ptr addrspace(1) @g
      %q = load ptr, ptr addrspace(1) @g
      %a = getelementptr inbounds %S, ptr %q, i64 1, i32 0
      store i32 1, ptr %a
      %v = load i32, ptr %a
      store i32 %v, ptr %out
      {line}
      ret void
    }}
    """
    assert variables(text, "globalopt") == left
    assert variables(text.replace("@g = internal", "@g ="), SPLIT) == ["g"]


def test_at_most_16_fields():
    for count, left in ((16, ["g.f0"]), (17, ["g"])):
        text = f"""
        %S = type {{ {", ".join(["i32"] * count)} }}
        @g = internal addrspace(1) global ptr null
        declare ptr @malloc(i64)
        define ptx_kernel void @k(ptr %out) {{
          %p = call ptr @malloc(i64 {4 * count})
          store ptr %p, ptr addrspace(1) @g
          %q = load ptr, ptr addrspace(1) @g
          %a = getelementptr inbounds %S, ptr %q, i64 0, i32 0
          store i32 1, ptr %a
          ret void
        }}
        """
        assert variables(text, "globalopt") == left


ONE_FIELD = """
%S = type { i32, float }
@g = internal addrspace(1) global ptr null
declare ptr @malloc(i64)
declare void @free(ptr)
define ptx_kernel void @k(ptr %out) {
  %p = call ptr @malloc(i64 8)
  store ptr %p, ptr addrspace(1) @g
  %q = load ptr, ptr addrspace(1) @g
  %a = getelementptr inbounds %S, ptr %q, i64 0, i32 1
  store float 1.0, ptr %a
  %ok = icmp ne ptr %q, null
  store i1 %ok, ptr %out
  ret void
}
"""
CHANGES = {
    "": ("", "", ["g.f1"]),
    "malloc is defined": ("declare ptr @malloc(i64)", "define ptr @malloc(i64 %n) { ret ptr null }", ["g"]),
    "free is defined": ("declare void @free(ptr)", "define void @free(ptr %p) { ret void }", ["g"]),
    "free is another function": ("declare void @free(ptr)", "declare i32 @free(ptr, i32)", ["g"]),
    "free is a variable": ("declare void @free(ptr)", "@free = external addrspace(1) global i32", ["g"]),
    "it does not start as null": ("global ptr null", "global ptr undef", ["g"]),
    "no struct is named": (
        "getelementptr inbounds %S, ptr %q, i64 0, i32 1", "getelementptr i8, ptr %q, i64 4", ["g"],
    ),
    "a struct without bytes": ("{ i32, float }", "{ [0 x i32], [0 x float] }", ["g"]),
    "there is never an object": ("store ptr %p, ptr addrspace(1) @g", "store ptr null, ptr addrspace(1) @g", ["g"]),
    "an access across fields": (
        "store float 1.0, ptr %a", "%b = getelementptr i8, ptr %q, i64 2\n  store i32 1, ptr %b, align 2", ["g"],
    ),
    "nothing is accessed": ("store float 1.0, ptr %a", "", ["g"]),
}  # fmt: skip


@pytest.mark.parametrize("why", CHANGES)
def test_an_object_of_one_field(why: str):
    old, new, left = CHANGES[why]
    assert not old or old in ONE_FIELD
    assert variables(ONE_FIELD.replace(old, new) if old else ONE_FIELD, "globalopt") == left


def test_objects_are_kept_without_path_b():
    assert variables(ONE_FIELD, "globalopt<globalopt-disable-sra>") == ["g"]


def test_split_globals_get_unique_names():
    text = ONE_FIELD + "@g.f1 = addrspace(1) global i32 7\n"
    assert variables(text, "globalopt") == ["g.f1.1", "g.f1"]


def test_an_element_and_a_constant_after_it():
    text = """
    %S = type { i32, float }
    @g = internal addrspace(1) global ptr null
    declare ptr @malloc(i64)
    define ptx_kernel void @k(ptr %out, i64 %n) {
      %p = call ptr @malloc(i64 40)
      store ptr %p, ptr addrspace(1) @g
      %q = load ptr, ptr addrspace(1) @g
      %a = getelementptr inbounds %S, ptr %q, i64 %n
      %b = getelementptr i8, ptr %a, i64 24
      store i32 5, ptr %q
      store i32 7, ptr %b
      %c = getelementptr inbounds %S, ptr %q, i64 4
      %x = load i32, ptr %c
      store i32 %x, ptr %out
      ret void
    }
    """
    assert variables(text, "globalopt") == ["g.f0"]
    launch = Launch("k", 1, 1, (np.zeros(1, np.int32), 1))
    (outcome,) = run_in_a_row(read_ll(text), [launch])
    assert outcome.arrays[0].tolist() == [7]
    assert find_difference(read_ll(text), "globalopt", [launch]) is None


def test_an_initial_null_pointer_as_an_attribute():
    """MLIR's `#llvm.zero` initializes a variable without a region."""
    module = parse_module("""
    llvm.mlir.global internal @g(#llvm.zero) {addr_space = 1 : i32} : !llvm.ptr
    llvm.func @malloc(i64) -> !llvm.ptr
    llvm.func @k(%out: !llvm.ptr, %n: i64) attributes {nvvm.kernel} {
      %a = llvm.mlir.addressof @g : !llvm.ptr<1>
      %bytes = llvm.mlir.constant(800 : i64) : i64
      %p = llvm.call @malloc(%bytes) : (i64) -> !llvm.ptr
      llvm.store %p, %a : !llvm.ptr, !llvm.ptr<1>
      %q = llvm.load %a : !llvm.ptr<1> -> !llvm.ptr
      %f = llvm.getelementptr %q[%n, 0] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.struct<(i32, f32)>
      %x = llvm.load %f : !llvm.ptr -> i32
      llvm.store %x, %out : i32, !llvm.ptr
      llvm.return
    }
    """)
    before = str(module)
    run_pipeline(module, "globalopt")
    assert str(module) == before
