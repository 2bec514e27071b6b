"""Passes over barriers on random kernels that share memory, and their remarks."""

from __future__ import annotations

import random

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.pipeline import run_pipeline

BLOCK = 64
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
HEAD = f"""
target triple = "nvptx64-nvidia-cuda"
@a = internal addrspace(3) global [{BLOCK} x i32] undef
@b = internal addrspace(3) global [{BLOCK} x i32] undef
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
define ptx_kernel void @k(ptr addrspace(1) noalias %out, i32 %n) {{
entry:
  %own.local = alloca [4 x i32], addrspace(5)
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %tid64 = zext i32 %tid to i64
  %sum = alloca i32
  store i32 %tid, ptr %sum
"""


class Kernel:
    """A kernel without races: a barrier separates the phases, and there are more barriers than needed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        for array in "ab":
            self.access("write", array)
        self.body(3)
        self.emit(BARRIER)
        total = self.assign("load i32, ptr %sum")
        own = self.assign("getelementptr i32, ptr addrspace(1) %out, i64 %tid64")
        self.emit(f"store i32 {total}, ptr addrspace(1) {own}")
        self.emit("ret void")

    def emit(self, text: str) -> None:
        self.lines.append(text)

    def assign(self, text: str) -> str:
        self.count += 1
        self.emit(f"%v{self.count} = {text}")
        return f"%v{self.count}"

    def add(self, value: str) -> None:
        old = self.assign("load i32, ptr %sum")
        mixed = self.assign(f"mul i32 {old}, 31")
        self.emit(f"store i32 {self.assign(f'add i32 {mixed}, {value}')}, ptr %sum")

    def body(self, depth: int) -> None:
        for _ in range(self.random.randint(2, 5)):
            self.barriers()
            kind = self.random.choice(
                ("write", "read", "read", "local", "nothing", "atomic", "reduce", "if", "loop")
            )
            if kind in ("if", "loop") and depth:
                self.block(kind, depth - 1)
            elif kind in ("write", "read", "atomic"):
                self.guarded(kind, self.random.choice("ab"))
            elif kind == "local":
                pointer = self.assign(
                    "getelementptr [4 x i32], ptr addrspace(5) %own.local, i32 0, i32 1"
                )
                self.emit(f"store i32 %tid, ptr addrspace(5) {pointer}")
                self.add(self.assign(f"load i32, ptr addrspace(5) {pointer}"))
            elif kind == "reduce":
                odd = self.assign("trunc i32 %tid to i1")
                count = "call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all"
                self.add(self.assign(f"{count}(i32 0, i1 {odd})"))
        self.barriers()

    def barriers(self) -> None:
        for _ in range(self.random.choice((1, 1, 2, 4))):
            self.emit(BARRIER)

    def guarded(self, kind: str, array: str) -> None:
        """An access, sometimes by only some of the threads."""
        if self.random.random() < 0.6:
            self.access(kind, array)
            return
        self.count += 1
        n = self.count
        some = self.assign(f"icmp ult i32 %tid, {self.random.randrange(BLOCK)}")
        self.emit(f"br i1 {some}, label %some{n}, label %all{n}")
        self.emit(f"some{n}:")
        self.access(kind, array)
        self.emit(f"br label %all{n}")
        self.emit(f"all{n}:")

    def access(self, kind: str, array: str) -> None:
        shift = 0 if kind == "write" else self.random.randrange(BLOCK)
        moved = self.assign(f"add i32 %tid, {shift}")
        index = self.assign(f"and i32 {moved}, {BLOCK - 1}")
        pointer = self.assign(
            f"getelementptr [{BLOCK} x i32], ptr addrspace(3) @{array}, i32 0, i32 {index}"
        )
        if kind == "write":
            value = self.assign("load i32, ptr %sum")
            self.emit(f"store i32 {value}, ptr addrspace(3) {pointer}")
        elif kind == "atomic":
            self.assign(f"atomicrmw add ptr addrspace(3) {pointer}, i32 3 monotonic")
        else:
            self.add(self.assign(f"load i32, ptr addrspace(3) {pointer}"))

    def block(self, kind: str, depth: int) -> None:
        """A barrier for all threads, or for none; or in a loop with a uniform trip count."""
        self.count += 1
        n = self.count
        if kind == "if":
            taken = self.assign(f"icmp sgt i32 %n, {self.random.randrange(4)}")
            self.emit(f"br i1 {taken}, label %inside{n}, label %behind{n}")
            self.emit(f"inside{n}:")
            self.body(depth)
            self.emit(f"br label %behind{n}")
        else:
            counter = f"%counter{n}"
            self.lines.insert(0, f"{counter} = alloca i32")
            self.emit(f"store i32 0, ptr {counter}")
            self.emit(f"br label %inside{n}")
            self.emit(f"inside{n}:")
            self.body(depth)
            old = self.assign(f"load i32, ptr {counter}")
            new = self.assign(f"add i32 {old}, 1")
            self.emit(f"store i32 {new}, ptr {counter}")
            again = self.assign(f"icmp slt i32 {new}, 2")
            self.emit(f"br i1 {again}, label %inside{n}, label %behind{n}")
        self.emit(f"behind{n}:")

    def text(self) -> str:
        return HEAD + "\n".join(self.lines) + "\n}\n"


def launches() -> list[Launch]:
    return [
        Launch("k", block=(BLOCK, 1, 1), args=(np.zeros(BLOCK, np.int32), n)) for n in (0, 2, 5)
    ]


def barriers_of(module: ModuleOp) -> int:
    return sum(op.name == "nvvm.barrier0" for op in module.walk())


PIPELINE = "sroa,nvvm-lower-barriers,dead-sync-elim"


@pytest.mark.parametrize("seed", range(6))
def test_shared_accesses_stay_ordered(seed: int):
    module = read_ll(Kernel(seed).text())
    assert_same_behaviour(module, PIPELINE, launches())


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 125))
def test_shared_accesses_stay_ordered_in_many_kernels(seed: int):
    module = read_ll(Kernel(seed).text())
    assert_same_behaviour(module, "sroa,branch-dist", launches())


def test_many_barriers_are_removed():
    before, after = 0, 0
    for seed in range(20):
        module = read_ll(Kernel(seed).text())
        before += barriers_of(module)
        run_pipeline(module, PIPELINE)
        after += barriers_of(module)
    assert after < before / 2


def test_consecutive_barriers_are_merged():
    text = f"{HEAD}{BARRIER}\n{BARRIER}\n{BARRIER}\n{BARRIER}\nret void\n}}\n"
    module = read_ll(text)
    run_pipeline(module, "nvopt<O3>")
    assert barriers_of(module) == 0


def test_removed_barriers_are_reported():
    module = read_ll(Kernel(0).text())
    found: list[remarks.Remark] = []
    with remarks.listening(found.append):
        run_pipeline(module, "sroa,nvvm-barrier-analysis,dead-sync-elim")
    reported = {remark.kind: remark.message for remark in found}
    assert "before: " in reported["Analysis"]
    assert reported["Passed"].startswith("Removed dead synch: before: ")
