"""Addresses as sums: equal to the index, and kernels with equal results."""

from __future__ import annotations

import random
from collections.abc import Callable

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

INTERESTING = [0, 1, 2, 3, 7, 8, 100, 2**30, 2**31 - 1, -1, -2, -7, -(2**31), -(2**31) + 1]
FLAGS = ["", "nsw ", "nuw ", "nuw nsw "]


def signed(number: int, bits: int) -> int:
    number %= 1 << bits
    return number - (1 << bits) if number >> (bits - 1) else number


class Poison(Exception):
    """The index is poison, so its address is unconstrained."""


class Expression:
    """A random index: its text, and its value for values of the arguments."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        name, self.value = self.wide(3)
        self.index = name

    def emit(self, text: str) -> str:
        name = f"%v{len(self.lines)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def wide(self, depth: int) -> tuple[str, Callable[[dict[str, int]], int]]:
        """An i64."""
        if not depth or self.rng.random() < 0.5:
            name, value = self.narrow(3)
            how = self.rng.choice(["sext", "zext", "zext nneg"])
            made = self.emit(f"{how} i32 {name} to i64")

            def extended(at: dict[str, int]) -> int:
                number = value(at)
                if how == "zext nneg" and number < 0:
                    raise Poison
                return number if how == "sext" else number % 2**32

            return made, extended
        return self.arithmetic(64, self.wide, depth)

    def narrow(self, depth: int) -> tuple[str, Callable[[dict[str, int]], int]]:
        """An i32."""
        if not depth or self.rng.random() < 0.2:
            name = self.rng.choice(["a", "b", "c"])
            return f"%{name}", lambda at: at[name]
        return self.arithmetic(32, self.narrow, depth)

    def arithmetic(
        self, bits: int, operand: Callable[[int], tuple[str, Callable[[dict[str, int]], int]]],
        depth: int,
    ) -> tuple[str, Callable[[dict[str, int]], int]]:  # fmt: skip
        left, left_value = operand(depth - 1)
        kind = self.rng.choice(["add", "sub", "mul", "shl", "or disjoint", "or"])
        if kind == "shl":
            number = self.rng.randrange(0, 6)
        else:
            number = self.rng.choice([1, 2, 3, 5, 8, -1, -3])
        if kind in ("add", "sub") and self.rng.random() < 0.6:
            right, right_value = operand(depth - 1)
        else:
            right, right_value = str(number), lambda at: number
        flags = "" if kind.startswith("or") else self.rng.choice(FLAGS)
        made = self.emit(f"{kind} {flags}i{bits} {left}, {right}")

        def value(at: dict[str, int]) -> int:
            x, y = left_value(at), right_value(at)
            if kind.startswith("or"):
                if kind == "or disjoint" and x & y:
                    raise Poison
                return x | y
            if kind == "shl":
                y = 1 << y
            exact = x + y if kind == "add" else x - y if kind == "sub" else x * y
            if "nsw" in flags and exact != signed(exact, bits):
                raise Poison
            x, y = x % (1 << bits), y % (1 << bits)
            exact = x + y if kind == "add" else x - y if kind == "sub" else x * y
            if "nuw" in flags and not 0 <= exact < 1 << bits:
                raise Poison
            return signed(exact, bits)

        return made, value

    def kernel(self) -> str:
        return "\n".join([
            "define ptx_kernel void @k(ptr %p, i32 %a, i32 %b, i32 %c) {",
            *self.lines,
            f"  %q = getelementptr float, ptr %p, i64 {self.index}",
            "  store float 0.0, ptr %q",
            "  ret void",
            "}",
        ])  # fmt: skip


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
