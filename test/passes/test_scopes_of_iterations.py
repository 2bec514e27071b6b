"""Alias scopes that a loop declares only compare accesses of one iteration (LangRef, "noalias.scope.decl").

The kernels are loops over inlined functions with restrict parameters, which get other pointers in each
iteration.
"""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, find_difference
from nvvm_xdsl.pipeline import run_pipeline

SCOPES = """
declare void @llvm.experimental.noalias.scope.decl(metadata)
!1 = distinct !{!1, !"f"}
!2 = distinct !{!2, !1, !"source"}
!3 = distinct !{!3, !1, !"target"}
!4 = !{!2}
!5 = !{!3}
"""

DECLARE = """
  call void @llvm.experimental.noalias.scope.decl(metadata !4)
  call void @llvm.experimental.noalias.scope.decl(metadata !5)"""

SOURCE = "!alias.scope !4, !noalias !5"
TARGET = "!alias.scope !5, !noalias !4"

EXCHANGED = f"""
loop:
  %i = phi i32 [0, %entry], [%i1, %loop]
  %x = phi ptr [%p, %entry], [%y, %loop]
  %y = phi ptr [%q, %entry], [%x, %loop]
  {DECLARE}
  %yj = getelementptr i32, ptr %y, i64 %j
  %w = load i32, ptr %yj
  %xj = getelementptr i32, ptr %x, i64 %j
  %v = load i32, ptr %xj, {SOURCE}
  %r = add i32 %v, %w
  %yk = getelementptr i32, ptr %y, i64 %k
  store i32 %r, ptr %yk, {TARGET}
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit"""
"""The load in the next iteration is from the address that is stored to."""

EXCHANGED_TWICE = f"""
loop:
  %i = phi i32 [0, %entry], [%i1, %next]
  %x = phi ptr [%p, %entry], [%y, %next]
  %y = phi ptr [%q, %entry], [%x, %next]
  {DECLARE}
  %yj = getelementptr i32, ptr %y, i64 %j
  %w = load i32, ptr %yj
  %xj = getelementptr i32, ptr %x, i64 %j
  %v = load i32, ptr %xj, {SOURCE}
  %r = add i32 %v, %w
  %yk = getelementptr i32, ptr %y, i64 %k
  %odd = trunc i32 %r to i1
  br i1 %odd, label %one, label %other
one:
  store i32 %r, ptr %yk, {TARGET}
  br label %next
other:
  %s = add i32 %r, 3
  store i32 %s, ptr %yk, {TARGET}
  br label %next
next:
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit"""
"""The same with a join of memory in the loop."""

KNOWN_AT_ENTRY = f"""
loop:
  %i = phi i32 [0, %entry], [%i1, %latch]
  %x = phi ptr [%p, %entry], [%y, %latch]
  %y = phi ptr [%q, %entry], [%x, %latch]
  {DECLARE}
  %y2 = getelementptr i32, ptr %y, i64 2
  %w = load i32, ptr %y2
  %x2 = getelementptr i32, ptr %x, i64 2
  %v = load i32, ptr %x2, {SOURCE}
  %r = add i32 %v, %w
  %yk = getelementptr i32, ptr %y, i64 %k
  store i32 %r, ptr %yk, {TARGET}
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %latch, label %exit
latch:
  br label %loop"""
"""Only later iterations must load: `gvn` moves the load to the previous iteration, after the store."""

READ_LATER = f"""
loop:
  %i = phi i32 [0, %entry], [%i1, %next]
  %kept = phi i32 [%before, %entry], [%r, %next]
  %d = phi ptr [%p, %entry], [%q, %next]
  {DECLARE}
  %later = icmp ne i32 %i, 0
  br i1 %later, label %read, label %next
read:
  %v = load i32, ptr %p, {SOURCE}
  br label %next
next:
  %r = phi i32 [%kept, %loop], [%v, %read]
  %s = add i32 %r, 5
  store i32 %s, ptr %d, {TARGET}
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit"""
"""The first iteration stores to the address that later ones load from."""

STORED_TWICE = f"""
loop:
  %i = phi i32 [0, %entry], [%i1, %next]
  %x = phi ptr [%q, %entry], [%following, %next]
  %f = phi i1 [true, %entry], [%g, %next]
  {DECLARE}
  %r = load i32, ptr %x, {SOURCE}
  br i1 %f, label %write, label %next
write:
  %u = add i32 %r, 7
  store i32 %u, ptr %p, {TARGET}
  br label %next
next:
  %g = xor i1 %f, true
  %following = select i1 %f, ptr %p, ptr %q
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %last
last:
  store i32 0, ptr %p
  br label %exit"""
"""The second iteration loads the value that the first one stores, before it is overwritten."""

STORED_AFTER_INNER_LOOP = f"""
outer:
  %i = phi i32 [0, %entry], [%i1, %after]
  %sum = phi i32 [0, %entry], [%r, %after]
  br label %inner
inner:
  %f = phi i1 [true, %outer], [false, %inner]
  %part = phi i32 [%sum, %outer], [%r, %inner]
  {DECLARE}
  %x = select i1 %f, ptr %p, ptr %q
  %v = load i32, ptr %x, {SOURCE}
  %r = add i32 %part, %v
  br i1 %f, label %inner, label %after
after:
  store i32 %r, ptr %p, {TARGET}
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %outer, label %exit"""
"""The scopes of the store are those of the last iteration of the inner loop only."""

LOADED_AFTER_INNER_LOOP = f"""
outer:
  %i = phi i32 [0, %entry], [%i1, %after]
  %sum = phi i32 [5, %entry], [%r, %after]
  br label %inner
inner:
  %f = phi i1 [true, %outer], [false, %inner]
  {DECLARE}
  %y = select i1 %f, ptr %p, ptr %q
  store i32 %sum, ptr %y, {TARGET}
  br i1 %f, label %inner, label %after
after:
  %v = load i32, ptr %p, {SOURCE}
  %r = add i32 %sum, %v
  %i1 = add i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %outer, label %exit"""

BODIES = {
    "exchanged": EXCHANGED,
    "exchanged-twice": EXCHANGED_TWICE,
    "known-at-entry": KNOWN_AT_ENTRY,
    "read-later": READ_LATER,
    "stored-twice": STORED_TWICE,
    "stored-after-inner": STORED_AFTER_INNER_LOOP,
    "loaded-after-inner": LOADED_AFTER_INNER_LOOP,
}


def kernel(body: str) -> str:
    first = body.strip().split(":")[0]
    return f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, ptr %q, ptr %out, i32 %n, i64 %j, i64 %k) {{
entry:
  %before = load i32, ptr %p
  %p2 = getelementptr i32, ptr %p, i64 2
  store i32 9, ptr %p2
  br label %{first}
{body}
exit:
  store i32 %r, ptr %out
  ret void
}}
{SCOPES}"""


@pytest.mark.parametrize(
    "passes", ["gvn", "gvn,early-cse<memssa>", "early-cse<memssa>", "dse", "licm", "nvopt<O3>"]
)
@pytest.mark.parametrize("name", BODIES)
def test_scopes_of_a_loop(name: str, passes: str):
    module = read_ll(kernel(BODIES[name]))
    args = (np.full(4, 1, np.int32), np.full(4, 2, np.int32), np.zeros(1, np.int32), 5, 2, 2)
    short = (*args[:3], 2, 2, 2)
    launches = [Launch("k", args=args), Launch("k", args=short)]
    found = find_difference(module, passes, launches, machine=False)
    assert found is None, found


HOISTED = f"""
loop:
  %i = phi i64 [0, %entry], [%i1, %loop]
  {DECLARE}
  %r = load i32, ptr %p, {SOURCE}
  %y = getelementptr i32, ptr %q, i64 %i
  store i32 %r, ptr %y, {TARGET}
  %i1 = add i64 %i, 1
  %c = icmp ult i64 %i1, %j
  br i1 %c, label %loop, label %exit"""


def test_licm_uses_scopes_of_a_load_that_each_iteration_executes():
    module = read_ll(kernel(HOISTED))
    run_pipeline(module, "licm")
    assert "llvm.load" not in str(module).split("^loop(")[2]
