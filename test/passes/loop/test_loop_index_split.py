"""Loops that test their counter compute the same after splitting."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from helpers.loop_kernels import transformed

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.loop.loop_index_split import LoopIndexSplit
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

KERNEL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %out, i32 %n) {{
entry:
  br label %loop
loop:
  %i = phi {type} [ {start}, %entry ], [ %j, %latch ]
  %s = phi i32 [ 0, %entry ], [ %u, %latch ]
  %low = and {type} %i, 15
  %a = getelementptr i32, ptr %out, {type} %low
  %c = icmp {test}
  {branch}
one:
  {one}
  br label %latch
two:
  {two}
  br label %latch
latch:
  %v = phi i32 [ {carried}, %one ], [ 7, {otherwise} ]
  %u = {sum}
  %j = add {flags}{type} %i, 1
  %d = icmp {end}
  br i1 %d, label %loop, label %exit
exit:
  %last = getelementptr i32, ptr %out, i64 16
  store i32 {left}, ptr %last, align 4
  ret void
}}
"""


def kernel(seed: int) -> tuple[str, bool]:
    """Returns a kernel of a loop with a test of its counter, and whether its length is an argument."""
    r = random.Random(seed)
    type_ = r.choice(["i32", "i32", "i8", "i64"])
    start = r.choice([0, 0, 1, -2, 3, -6 if type_ == "i8" else 5])
    bound = _number(start + r.randint(-1, 6), type_)
    predicate = r.choice(["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"])
    only_one = r.random() < 0.4
    if only_one and r.random() < 0.7:
        predicate = "eq"
    elif r.random() < 0.3:
        predicate = r.choice(["eq", "ne"])
    test = f"{predicate} {type_} "
    test += f"%i, {bound}" if r.random() < 0.8 else f"{bound}, %i"
    by_argument = type_ == "i32" and r.random() < 0.6
    length = r.choice([1, 2, 5, 8, 40, 90])
    end = "%n" if by_argument else str(_number(start + length, type_))
    going = r.choice(["slt", "ult"]) if by_argument else r.choice(["ne", "slt", "ult"])
    if going == "ult" and start < 0:
        going = "slt" if by_argument else "ne"
    flags = "nuw nsw " if start >= 0 else "nsw "
    if going == "ne" or type_ == "i8" or r.random() < 0.2:
        flags = ""
    store = "store i32 {}, ptr %a, align 4"
    text = KERNEL.format(
        type=type_, start=start, test=test,
        branch=f"br i1 %c, label %one, label {'%latch' if only_one else '%two'}",
        one=store.format(3) if r.random() < 0.9 else "",
        two=store.format("%s"),
        carried=3, otherwise="%loop" if only_one else "%two",
        sum="add i32 %s, 0" if only_one else "add i32 %s, %v",
        flags=flags,
        end=f"{going} {type_} %j, {end}",
        left="7" if only_one and r.random() < 0.8 else "%v",
    )  # fmt: skip
    if only_one:
        text = text.replace("two:\n  store i32 %s, ptr %a, align 4\n  br label %latch\n", "")
        if "store i32 7, ptr %last" in text:
            # No value is carried between iterations.
            for line in ("  %s = phi", "  %u =", "  %v = phi"):
                at = text.index(line)
                text = text[:at] + text[text.index("\n", at) + 1 :]
    return text, by_argument


def _number(number: int, type_: str) -> int:
    return (number + 128) % 256 - 128 if type_ == "i8" else number


def differential(seeds: range) -> Counter[str]:
    done: Counter[str] = Counter()
    for seed in seeds:
        text, by_argument = kernel(seed)
        module = read_ll(text, f"<seed {seed}>")
        launches = [
            Launch("k", 1, 1, (np.zeros(17, np.int32), n))
            for n in ((0, 1, 2, 3, 4, 5, 6, 7, 12, 15) if by_argument else (0,))
        ]
        wanted = [run(prepare(module), at).arrays[0].tolist() for at in launches]
        run_pipeline(module, "loop-simplify,lcssa")
        found: list[remarks.Remark] = []
        with remarks.listening(found.append):
            for func in functions_of(module):
                am = AnalysisManager()
                am.get(ScalarEvolution, func)
                # Loops that would be unrolled in full are not split by default; here they are.
                LoopIndexSplit(unrolled=0).run_on_function(func, am)
                am.verify()
        verify_module(module)
        done.update(remark.arguments[0][1].split()[-1] for remark in found)
        for at, before in zip(launches, wanted):
            after = run(prepare(module), at).arrays[0].tolist()
            assert after == before, f"seed {seed}, n = {at.args[1]}"
    return done


def test_split_loops_compute_the_same():
    done = differential(range(60))
    assert min(done[f"process{kind}"] for kind in KINDS) > 4


KINDS = ("OnlyOneIterationLoop", "AllButOneIterationLoop", "SplitRangeLoop")


@pytest.mark.slow
def test_more_split_loops_compute_the_same():
    differential(range(60, 160))


def test_random_kernels_compute_the_same():
    for seed in range(4):
        transformed(seed, "loop-index-split{unrolled=0}")
