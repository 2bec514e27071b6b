"""Deliberately wrong rewrites: each must be detected, to validate the checks."""

from __future__ import annotations

import pytest
from helpers.mutation_kernels import HEADER, SOURCES, launches
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import BehaviourError, assert_same_behaviour

MUTATIONS: tuple[tuple[str, str, str, str], ...] = (
    ("swapped operands of sub", "arithmetic", "%sub = sub i32 %a, %b", "%sub = sub i32 %b, %a"),
    ("another operation", "arithmetic", "%s1 = add i32 %s0, %max", "%s1 = sub i32 %s0, %max"),
    ("a wrong constant", "arithmetic", "mul i32 %sub, 5", "mul i32 %sub, 4"),
    ("a mask too small", "arithmetic", "and i32 %mul, 255", "and i32 %mul, 127"),
    ("logical in place of arithmetic shift", "arithmetic", "ashr i32 %b, 4", "lshr i32 %b, 4"),
    ("a shift by one too many", "arithmetic", "shl i32 %a, 3", "shl i32 %a, 4"),
    ("unsigned division", "arithmetic", "sdiv i32 %a, 7", "udiv i32 %a, 7"),
    ("unsigned remainder", "arithmetic", "srem i32 %b, 7", "urem i32 %b, 7"),
    ("unsigned maximum", "arithmetic", "call i32 @llvm.smax.i32", "call i32 @llvm.umax.i32"),
    ("zero for sign extension", "arithmetic", "sext i16 %narrow", "zext i16 %narrow"),
    ("a wrong predicate", "arithmetic", "icmp slt i32 %a, %b", "icmp sle i32 %a, %b"),
    ("an unsigned predicate", "arithmetic", "icmp slt i32 %a, %b", "icmp ult i32 %a, %b"),
    ("arms of a select changed", "arithmetic", "i32 %div, i32 %rem", "i32 %rem, i32 %div"),
    ("arguments of a call changed", "arithmetic", "@diff(i32 %pick, i32 %wide)", "@diff(i32 %wide, i32 %pick)"),
    ("branch targets changed", "arithmetic", "label %then, label %else", "label %else, label %then"),
    ("an off-by-one trip count", "arithmetic", "icmp ult i32 %trip2, 4", "icmp ult i32 %trip2, 5"),
    ("a stale PHI input", "arithmetic", "[ %acc2, %loop ]", "[ %acc, %loop ]"),
    ("PHI inputs changed", "arithmetic", "[ 100, %zero ], [ 200, %two ]", "[ 200, %zero ], [ 100, %two ]"),
    ("a wrong switch case", "arithmetic", "i32 2, label %two", "i32 1, label %two"),
    ("a flag that does not hold", "arithmetic", "%shl = shl i32 %a, 3", "%shl = shl nuw i32 %a, 3"),
    ("another flag that does not hold", "arithmetic", "%acc1 = mul i32", "%acc1 = mul nsw i32"),
    ("a wrong element", "arithmetic", "ptr %p, i64 1", "ptr %p, i64 0"),
    ("a wrong element size", "arithmetic", "getelementptr inbounds i32, ptr %out", "getelementptr inbounds i16, ptr %out"),
    ("a lost store", "arithmetic", "  store i32 %r, ptr %q, align 4\n", ""),
    ("an alignment that does not hold", "arithmetic", "load i32, ptr %next, align 4", "load i32, ptr %next, align 8"),
    ("a signed comparison of unsigned trips", "arithmetic", "label %loop, label %choose", "label %choose, label %loop"),
    ("operands of fsub changed", "floats", "fsub float %sum, %x", "fsub float %x, %sum"),
    ("sums associated differently", "floats", "%add = fadd float %mul, %x\n  %sum = fadd float %add, %y", "%add = fadd float %x, %y\n  %sum = fadd float %mul, %add"),
    ("a contraction nobody allowed", "floats", "%mul = fmul float %x, %y\n  %add = fadd float %mul, %x", "%mul = fmul float %x, %y\n  %add = call float @llvm.fma.f32(float %x, float %y, float %x)"),
    ("a lost negation", "floats", "fneg float %sub", "fadd float %sub, -0.0"),
    ("an unordered comparison", "floats", "fcmp olt", "fcmp ult"),
    ("an unsigned conversion", "floats", "fadd float %pick, %int", "fsub float %pick, %int"),
    ("a lost barrier", "threads", "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n", ""),
    ("a load moved over a barrier", "threads", "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n  %turn = sub i64 63, %i\n  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @s, i64 0, i64 %turn\n  %w = load i32, ptr addrspace(3) %other, align 4\n", "  %turn = sub i64 63, %i\n  %other = getelementptr inbounds [64 x i32], ptr addrspace(3) @s, i64 0, i64 %turn\n  %w = load i32, ptr addrspace(3) %other, align 4\n  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"),
    ("another shuffle", "threads", "call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %w, i32 2, i32 31)", "call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %w, i32 2, i32 0)"),
    ("another vote", "threads", "call i1 @llvm.nvvm.vote.any.sync", "call i1 @llvm.nvvm.vote.all.sync"),
    ("an atomic operation taken apart", "threads", "%old = atomicrmw add ptr %count, i32 %v monotonic", "%o = load i32, ptr %count\n  %nw = add i32 %o, %v\n  store i32 %nw, ptr %count"),
    ("an atomic operation done twice", "threads", "%old = atomicrmw add", "%twice = atomicrmw add ptr %count, i32 %v monotonic\n  %old = atomicrmw add"),
    ("the wrong address space", "threads", "%w = load i32, ptr addrspace(3) %other, align 4", "%g = addrspacecast ptr addrspace(3) %other to ptr\n  %l5 = addrspacecast ptr %g to ptr addrspace(5)\n  %w = load i32, ptr addrspace(5) %l5, align 4"),
    ("a local array too small", "threads", "alloca [8 x i32]", "alloca [7 x i32]"),
    ("a lost initialization", "threads", "  store i32 %sh, ptr %slot, align 4\n", ""),
    ("a division moved up", "guarded", "  %zero = icmp eq i32 %d, 0\n  br i1 %zero, label %skip, label %divide\ndivide:\n  %quotient = sdiv i32 1000, %d\n  br label %skip\nskip:\n  %r = phi i32 [ -1, %work ], [ %quotient, %divide ]", "  %zero = icmp eq i32 %d, 0\n  %quotient = sdiv i32 1000, %d\n  %r = select i1 %zero, i32 -1, i32 %quotient"),
    ("a load moved up", "guarded", "  br i1 %in_range, label %work, label %done\nwork:\n  %p = getelementptr inbounds i32, ptr %in, i64 %i\n  %d = load i32, ptr %p, align 4\n", "  %p = getelementptr inbounds i32, ptr %in, i64 %i\n  %d = load i32, ptr %p, align 4\n  br i1 %in_range, label %work, label %done\nwork:\n"),
    ("a bound that includes the end", "guarded", "icmp ult i32 %tid, %n", "icmp ule i32 %tid, %n"),
)  # fmt: skip


def becomes(text: str):
    """The rewrite from one module to another."""

    def rewrite(module: ModuleOp) -> None:
        other = read_ll(HEADER + text)
        for op in list(module.ops):
            op.detach()
        for op in list(other.ops):
            op.detach()
            module.body.block.add_op(op)

    return rewrite


@pytest.mark.parametrize("source", SOURCES)
def test_the_unmodified_kernels_are_right(source: str):
    text = SOURCES[source]
    assert_same_behaviour(read_ll(HEADER + text), becomes(text), launches(source), machine=False)


@pytest.mark.parametrize(("name", "source", "old", "new"), MUTATIONS, ids=[m[0] for m in MUTATIONS])
def test_a_wrong_rewrite_is_detected(name: str, source: str, old: str, new: str):
    text = SOURCES[source]
    assert text.count(old) == 1
    with pytest.raises(BehaviourError) as caught:
        assert_same_behaviour(
            read_ll(HEADER + text), becomes(text.replace(old, new)), launches(source), machine=False
        )
    assert "@k" in str(caught.value)
    assert "no longer valid" not in str(caught.value)


def test_number_of_mutations():
    assert len(MUTATIONS) >= 30
