"""Vectorized loops compute the same, for all accesses and trip counts."""

from __future__ import annotations

import random

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.lab.behaviour import baseline, compare
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

TYPES = {
    "half": np.float16,
    "float": np.float32,
    "double": np.float64,
    "i32": np.int32,
    "i8": np.int8,
}
LENGTH = 64
FIRST = 8
"""Start positions of loops in arrays of LENGTH elements, so that negative offsets are valid."""


def is_restrict(seed: int) -> bool:
    """Whether the kernel's arrays are distinct."""
    return seed % 4 != 0


def random_loop(seed: int) -> tuple[str, type[np.generic]]:
    """Returns a kernel with one loop over two arrays, which may be the same one."""
    draw = random.Random(seed)
    name = draw.choice(list(TYPES))
    is_float = TYPES[name](0).dtype.kind == "f"
    lines: list[str] = []
    values = ["%x0"]
    accesses = 0

    def address(array: str, offset: int) -> str:
        nonlocal accesses
        accesses += 1
        lines.append(f"%i{accesses} = add nsw i64 %i, {offset}")
        lines.append(
            f"%p{accesses} = getelementptr {name}, ptr addrspace(1) {array}, i64 %i{accesses}"
        )
        return f"%p{accesses}"

    pointer = address("%a", 0)
    lines.append(f"%x0 = load {name}, ptr addrspace(1) {pointer}")
    for number in range(1, draw.randint(2, 7)):
        kind = draw.randrange(3)
        if kind == 0:
            pointer = address(draw.choice(["%a", "%b"]), draw.randint(-6, 6))
            lines.append(f"%x{number} = load {name}, ptr addrspace(1) {pointer}")
        elif kind == 1:
            op = draw.choice(["fadd", "fsub", "fmul"] if is_float else ["add", "sub", "mul", "xor"])
            one, two = draw.choice(values), draw.choice([*values, "%f"])
            lines.append(f"%x{number} = {op} {name} {one}, {two}")
        else:
            pointer = address(draw.choice(["%a", "%b"]), draw.randint(-6, 6))
            lines.append(f"store {name} {draw.choice([*values, '%f'])}, ptr addrspace(1) {pointer}")
            continue
        values.append(f"%x{number}")
    pointer = address("%b", 0)
    lines.append(f"store {name} {values[-1]}, ptr addrspace(1) {pointer}")
    restrict = "noalias" if is_restrict(seed) else ""
    body = "\n  ".join(lines)
    last = f"store {name} {draw.choice(['%f', values[-1]])}, ptr addrspace(1) %a"
    bound = draw.choice(["%n", str(FIRST + draw.choice([3, 8, 16, 21]))])
    wish = draw.choice(
        [f'!{{!"llvm.loop.vectorize.width", i32 {draw.choice([2, 4, 8])}}}',
         '!{!"llvm.loop.vectorize.enable", i1 true}',
         f'!{{!"llvm.loop.interleave.count", i32 {draw.choice([2, 4])}}}']
    )  # fmt: skip
    return (
        f"""
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) {restrict} %a, ptr addrspace(1) {restrict} %b, i64 %n, {name} %f) {{
  br label %loop
loop:
  %i = phi i64 [ {FIRST}, %0 ], [ %next, %loop ]
  {body}
  %next = add nuw nsw i64 %i, 1
  %again = icmp slt i64 %next, {bound}
  br i1 %again, label %loop, label %exit, !llvm.loop !0
exit:
  {last}
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = {wish}
""",
        TYPES[name],
    )


def launches(dtype: type[np.generic], seed: int) -> list[Launch]:
    """Runs several trip counts, on two arrays, and on one array unless the kernel requires two."""
    found: list[Launch] = []
    draw = np.random.default_rng(seed)
    for rounds in (0, 3, 5, 17, 32):
        a = draw.integers(-4, 5, LENGTH).astype(dtype)
        b = draw.integers(-4, 5, LENGTH).astype(dtype)
        together = rounds == 17 and not is_restrict(seed)
        found.append(Launch("k", args=(a, a if together else b, FIRST + rounds, dtype(3))))
    return found


def vectorized(seeds: range) -> int:
    """Returns how many of the seeds' loops are vectorized or interleaved; all compute the same."""
    names: list[str] = []
    for seed in seeds:
        text, dtype = random_loop(seed)
        module = read_ll(text, f"<seed {seed}>")
        wanted = baseline(module, launches(dtype, seed))
        with remarks.listening(lambda remark: names.append(remark.name)):
            run_pipeline(module, "loop-vectorize")
        verify_module(module)
        assert compare(prepare(module), launches(dtype, seed), wanted, "loop-vectorize") is None
    return sum(name in ("Vectorized", "Interleaved") for name in names)


def test_random_loops():
    assert vectorized(range(40)) > 4


@pytest.mark.slow
def test_more_random_loops():
    assert vectorized(range(40, 100)) > 7
