"""Loops whose bounds, starts and conditions are values of the loops before them."""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers.scale import SCALE

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import launch
from nvvm_xdsl.verify.verifier import verify_module

SIZE = 64
"""Elements of each of the two arrays."""


class _Writer:
    """Draws a kernel; `values` holds the names in scope."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.values = ["%n", "%m"]
        self.count = 0
        self.label = "entry"

    def add(self, text: str) -> str:
        self.count += 1
        self.lines.append(f"  %t{self.count} = {text}")
        return f"%t{self.count}"

    def begin(self, label: str) -> None:
        self.lines.append(f"{label}:")
        self.label = label

    def pick(self) -> str:
        return self.random.choice([*self.values[-6:], *self.values[-2:], "1", "5"])

    def small(self, most: int) -> str:
        """Returns a number from 0 to `most`, as it is or masked."""
        if self.random.randrange(3) == 0:
            return str(self.random.randrange(most + 1))
        return self.add(f"and i32 {self.pick()}, {most}")

    def compute(self) -> str:
        name = self.random.choice(["add", "mul", "xor", "sub", "shl"])
        other = "1" if name == "shl" else self.pick()
        value = self.add(f"{name} i32 {self.pick()}, {other}")
        self.values.append(value)
        return value

    def access(self, index: str) -> None:
        array = self.random.choice(["%p", "%q"])
        place = self.add(f"and i32 {index}, {SIZE - 1}")
        address = self.add(f"getelementptr i32, ptr {array}, i32 {place}")
        if self.random.randrange(2):
            self.values.append(self.add(f"load i32, ptr {address}, align 4"))
        else:
            self.lines.append(f"  store i32 {self.pick()}, ptr {address}, align 4")

    def conditional(self, index: str) -> None:
        """Adds a computed value, or a store, under some condition."""
        compared = self.random.choice([index, self.pick()])
        condition = self.add(f"icmp slt i32 {compared}, {self.pick()}")
        self.count += 1
        then, after, before = f"then{self.count}", f"after{self.count}", self.label
        self.lines.append(f"  br i1 {condition}, label %{then}, label %{after}")
        self.begin(then)
        outside = list(self.values)
        found = self.compute()
        self.access(index)
        self.lines.append(f"  br label %{after}")
        self.values = outside
        self.begin(after)
        self.values.append(self.add(f"phi i32 [{found}, %{then}], [{self.pick()}, %{before}]"))
        # The phi's other operand must dominate the end of the previous block.
        self.lines[-1] = self.lines[-1].rpartition("[")[0] + f"[{outside[0]}, %{before}]"

    def loop(self, depth: int) -> None:
        self.count += 1
        number, entry = self.count, self.label
        start = self.small(3)
        bound = self.small(31)
        seeded = self.pick()
        label = f"loop{number}"
        self.lines.append(f"  br label %{label}")
        self.begin(label)
        head = len(self.lines)
        i, x = f"%i{number}", f"%x{number}"
        outside = list(self.values)
        self.values += [i, x]
        for _ in range(self.random.randint(1, 3)):
            self.random.choice(
                [self.compute, lambda: self.access(i), lambda: self.conditional(i)]
            )()
        if depth < 2 and self.random.randrange(4) == 0:
            self.loop(depth + 1)
        following = self.compute()
        step = self.add(f"add nuw nsw i32 {i}, {self.random.choice([1, 1, 1, 2])}")
        more = self.add(f"icmp ult i32 {step}, {bound}")
        exit_ = f"exit{number}"
        self.lines.append(f"  br i1 {more}, label %{label}, label %{exit_}")
        self.lines[head:head] = [
            f"  {i} = phi i32 [{start}, %{entry}], [{step}, %{self.label}]",
            f"  {x} = phi i32 [{seeded}, %{entry}], [{following}, %{self.label}]",
        ]
        inside = [v for v in self.values if v not in outside]
        self.values = [*outside, *self.random.sample(inside, min(2, len(inside))), following, i]
        self.begin(exit_)


def kernel(seed: int) -> str:
    """Returns some loops, and a store of the live-out values of each."""
    writer = _Writer(seed)
    for number in range(writer.random.randint(2, 4)):
        writer.loop(0)
        value = writer.random.choice(writer.values[-3:])
        writer.lines.append(f"  %r{number} = getelementptr i32, ptr %r, i32 {number}")
        writer.lines.append(f"  store i32 {value}, ptr %r{number}, align 4")
    body = "\n".join(writer.lines)
    return (
        'target triple = "nvptx64-nvidia-cuda"\n'
        "define ptx_kernel void @k(ptr %p, ptr %q, ptr %r, i32 %n, i32 %m) {\n"
        f"entry:\n{body}\n  ret void\n}}\n"
    )


def results(module: object, n: int, m: int) -> list[list[int]]:
    p, q = np.arange(SIZE, dtype=np.int32), np.arange(7, 7 + SIZE, dtype=np.int32)
    r = np.zeros(8, np.int32)
    launch(module, "k", 1, 1, [p, q, r, n, m])
    return [array.tolist() for array in (p, q, r)]


PIPELINES = {
    "loop-unroll<runtime>": (18, 2),
    "loop-unroll<no-runtime;peeling;unroll-peel-count=2>": (0, 3),
    "loop-unroll<for-loads>": (4,),
    "loop-rotate,loop-unroll<runtime>": (18,),
    "simple-loop-unswitch<nontrivial>": (5, 6),
    "loop-rotate": (7,),
    "loop-index-split": (8,),
    "loop-vectorize<force-vector-width=4>": (9, 10),
    "loop-vectorize<force-vector-interleave=2>": (11,),
    "loop(indvars)": (12, 18),
    "loop(licm)": (13,),
    "loop-reduce": (14,),
    "lcssa": (15,),
}
"""Seeds by pipeline. A trip count in seed 18 is computed from a value of the loop before."""


@pytest.mark.parametrize(
    ("pipeline", "seed"), [(name, seed) for name, seeds in PIPELINES.items() for seed in seeds]
)
def test_loops_compute_the_same(pipeline: str, seed: int):
    check(pipeline, seed)


@pytest.mark.slow
@pytest.mark.parametrize("pipeline", PIPELINES)
def test_more_loops_compute_the_same(pipeline: str):
    for seed in range(20, 20 + 3 * SCALE):
        check(pipeline, seed)


def check(pipeline: str, seed: int) -> None:
    module = read_ll(kernel(seed), f"<seed {seed}>")
    wanted = [results(module, n, m) for n, m in ((3, 29), (14, 8))]
    run_pipeline(module, pipeline)
    verify_module(module)
    assert [results(module, n, m) for n, m in ((3, 29), (14, 8))] == wanted


BOUNDED = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p, ptr %q, ptr %r, i32 %n, i32 %m) {{
entry:
  br label %first
first:
  %i = phi i32 [0, %entry], [%i1, %first]
  %x = phi i32 [%m, %entry], [%y, %first]
  %y = mul i32 %x, 5
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %first, label %between
between:
  %bound = {bound}
  br label %second
second:
  %j = phi i32 [0, %between], [%j1, %second]
  %z = phi i32 [1, %between], [%w, %second]
  %w = mul i32 %z, 3
  %j1 = add nuw nsw i32 %j, 1
  %d = icmp ult i32 %j1, %bound
  br i1 %d, label %second, label %exit
exit:
  store i32 %w, ptr %r, align 4
  ret void
}}
"""


@pytest.mark.parametrize("options", ["runtime", "runtime;unroll-peel-count=1", "unroll-count=2"])
@pytest.mark.parametrize(
    "bound", ["add i32 %x, 0", "add i32 %y, 0", "and i32 %y, 31", "add i32 %i, %y"]
)
def test_a_trip_count_is_computed_from_a_value_of_an_unrolled_loop(bound: str, options: str):
    module = read_ll(BOUNDED.format(bound=bound))
    wanted = [results(module, n, m) for n, m in ((1, 3), (2, 1), (9, 0))]
    run_pipeline(module, f"loop-unroll<{options}>")
    verify_module(module)
    assert [results(module, n, m) for n, m in ((1, 3), (2, 1), (9, 0))] == wanted
