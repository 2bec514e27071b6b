"""Addresses as sums: equal to the index, and kernels with equal results."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects.llvm import GEPOp
from xdsl.ir import SSAValue

from nvvm_xdsl.analysis.values.linear_address import linear_index
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab import Launch, find_difference
from test.helpers.random_index import INTERESTING, Expression, Poison, signed


def by_leaves(value: SSAValue, names: dict[SSAValue, int]) -> int | None:
    """Returns the sum of the leaves; None if one is not an argument."""
    found = linear_index(value)
    total = found.constant
    for leaf, factor in found.terms:
        if leaf.value not in names:
            return None
        number = names[leaf.value]
        total += factor * (number % 2**32 if leaf.extension == "u" else number)
    return signed(total, 64)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 1 << 40))
def test_the_sum_of_the_leaves_equals_the_index_unless_it_is_poison(seed):
    expression = Expression(seed)
    module = read_ll(expression.kernel())
    (gep,) = (op for op in module.walk() if op.__class__ is GEPOp)
    block = gep.parent
    assert block is not None
    arguments = dict(zip("abc", block.args[1:]))
    for _ in range(20):
        at = {name: expression.rng.choice(INTERESTING) for name in "abc"}
        names: dict[SSAValue, int] = {value: at[name] for name, value in arguments.items()}
        try:
            number = expression.value(at)
        except Poison:
            continue
        found = by_leaves(fast.operands_of(gep)[1], names)
        assert found in (None, signed(number, 64))


@pytest.mark.parametrize("seed", range(12))
def test_kernels_with_strided_accesses_compute_the_same(seed):
    rng = random.Random(seed)
    lines = ["define ptx_kernel void @k(ptr %p, ptr %q, i32 %n, i32 %m) {"]
    lines += ["  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"]
    for number in range(12):
        guarded = rng.random() < 0.3
        if guarded:
            lines += [
                f"  %c{number} = icmp ult i32 %t, {rng.randrange(40)}",
                f"  br i1 %c{number}, label %then{number}, label %join{number}",
                f"then{number}:",
            ]
        lines += [
            f"  %s{number} = mul nsw i32 %{rng.choice('nm')}, {rng.randrange(4)}",
            f"  %i{number} = add nsw i32 %t, %s{number}",
            f"  %j{number} = add nuw nsw i32 %i{number}, {rng.randrange(3)}",
            f"  %e{number} = {rng.choice(['sext', 'zext nneg'])} i32 %j{number} to i64",
            f"  %g{number} = getelementptr i32, ptr %{rng.choice('pq')}, i64 %e{number}",
            f"  %v{number} = atomicrmw add ptr %g{number}, i32 %j{number} monotonic",
        ]
        if guarded:
            lines += [f"  br label %join{number}", f"join{number}:"]
    text = "\n".join([*lines, "  ret void", "}", "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"])
    launch = Launch(
        "k", 1, 40, (np.zeros(400, np.int32), np.zeros(400, np.int32), np.int32(7), np.int32(50))
    )
    difference = find_difference(read_ll(text), "separate-const-offset-from-gep,slsr", [launch])
    assert difference is None, difference
