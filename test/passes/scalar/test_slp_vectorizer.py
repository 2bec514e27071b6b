"""Pairs compute the same bits as the scalars: in IR, and in machine code with the same fused products."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

THREADS = 8
LOADED, STORED = 8, 6
TYPES = {"float": np.float32, "half": np.float16, "bfloat": np.uint16}
PIPELINE = "load-store-vectorizer,slp-vectorizer<arch=100>"
FREE = "load-store-vectorizer,slp-vectorizer<arch=100;slp-threshold=-9>"
"""With pairs that do not pay off."""


class Text:
    """A block of random arithmetic: some ops twice, on neighbours, and some alone."""

    def __init__(self, seed: int, type_: str) -> None:
        self.random = random.Random(seed)
        self.type = type_
        self.lines: list[str] = []
        self.values = [f"%x{i}" for i in range(LOADED)]

    def add(self, name: str, operands: tuple[str, ...]) -> str:
        listed = ", ".join(operands)
        if name == "fma":
            suffix = {"float": "f32", "half": "f16", "bfloat": "bf16"}[self.type]
            typed = ", ".join(f"{self.type} {value}" for value in operands)
            text = f"call {self.type} @llvm.fma.{suffix}({typed})"
        else:
            text = f"{name} {self.type} {listed}"
        self.lines.append(f"  %v{len(self.lines)} = {text}")
        return f"%v{len(self.lines) - 1}"

    def operand(self) -> str:
        return self.random.choice([*self.values[-8:], *self.values[:4], "2.0", "1.0"])

    def grow(self) -> None:
        name = self.random.choice(["fadd", "fadd", "fsub", "fmul", "fmul", "fneg", "fma"])
        count = {"fneg": 1, "fma": 3}.get(name, 2)
        first = tuple(self.operand() for _ in range(count))
        self.values.append(self.add(name, first))
        if self.random.random() < 0.75:
            second = list(self.operand() if self.random.random() < 0.8 else v for v in first)
            if self.random.random() < 0.3:
                second.reverse()
            self.values.append(self.add(name, tuple(second)))
        if self.random.random() < 0.1:
            at = self.random.randrange(STORED)
            self.lines.append(f"  store volatile {self.type} {self.values[-1]}, ptr %q{at}")
            self.lines.append(f"  %v{len(self.lines)} = fneg {self.type} {self.values[-1]}")


def kernel(seed: int, type_: str, length: int = 24) -> str:
    size = TYPES[type_]().itemsize
    text = Text(seed, type_)
    while len(text.lines) < length:
        text.grow()
    lines = [
        'target triple = "nvptx64-nvidia-cuda"',
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "declare float @llvm.fma.f32(float, float, float)",
        "declare half @llvm.fma.f16(half, half, half)",
        "declare bfloat @llvm.fma.bf16(bfloat, bfloat, bfloat)",
        "define ptx_kernel void @k(ptr noalias align 16 %p, ptr noalias align 16 %q) {",
        "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        f"  %in = getelementptr [{LOADED} x {type_}], ptr %p, i32 %t",
        f"  %out = getelementptr [8 x {type_}], ptr %q, i32 %t",
    ]
    for i in range(LOADED):
        lines.append(f"  %p{i} = getelementptr i8, ptr %in, i64 {i * size}")
        alignment = size if seed % 3 else 2 * size if i % 2 == 0 else size
        lines.append(f"  %x{i} = load {type_}, ptr %p{i}, align {alignment}")
    for i in range(STORED):
        lines.append(f"  %q{i} = getelementptr i8, ptr %out, i64 {i * size}")
    lines += text.lines
    for i, value in enumerate(text.values[-STORED:]):
        lines.append(f"  store {type_} {value}, ptr %q{i}, align {size}")
    return "\n".join([*lines, "  ret void", "}"])


def launch(type_: str) -> Launch:
    numbers = np.random.default_rng(7).normal(size=THREADS * LOADED).astype(np.float32)
    numbers[::13] = [0.0, -0.0, 1e-41, 3e38, -np.inf][: len(numbers[::13])]
    if type_ == "bfloat":
        data = (numbers.view(np.uint32) >> 16).astype(np.uint16)
    else:
        with np.errstate(over="ignore"):
            data = numbers.astype(TYPES[type_])
    return Launch("k", 1, THREADS, (data, np.zeros(THREADS * 8, TYPES[type_])))


def same(before: np.ndarray, after: np.ndarray) -> bool:
    """Returns whether the bits are equal; all NaNs are equal."""
    if before.dtype == np.uint16:
        before, after = ((a.astype(np.uint32) << 16).view(np.float32) for a in (before, after))
    width = {2: np.uint16, 4: np.uint32}[before.dtype.itemsize]
    differs = before.view(width) != after.view(width)
    return not np.any(differs & ~(np.isnan(before) & np.isnan(after)))


def results(module: ModuleOp, type_: str) -> np.ndarray:
    return run(prepare(module), launch(type_)).arrays[1]


def check(seed: int, type_: str, pipeline: str = PIPELINE) -> int:
    """Runs a kernel before and after; returns the number of ops on pairs."""
    module = nvvm_xdsl.parse(kernel(seed, type_))
    before = results(module, type_)
    run_pipeline(module, pipeline)
    verify_module(module)
    assert same(before, results(module, type_)), seed
    return len(re.findall(r"llvm\.(?:f\w+|intr\.fma)[ (].*vector<2x(?:f32|f16|bf16)>", str(module)))


def machine(text: str, pipeline: str, type_: str, fmad: bool) -> tuple[np.ndarray, str]:
    module = nvvm_xdsl.parse(text)
    run_pipeline(module, pipeline)
    options = CompileOptions("sm_100a", opt_level=0, fmad=fmad)
    ptx = nvvm_xdsl.compile(str(module), options=options)
    return results(convert(read_ptx(ptx, "k.ptx")), type_), ptx


@pytest.mark.parametrize("type_", TYPES)
def test_random_blocks_compute_the_same(type_: str):
    assert sum(check(seed, type_) for seed in range(4)) > 1
    assert sum(check(seed, type_, FREE) for seed in range(4)) > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("type_", "pipeline", "least"),
    [
        # Pairing two halves costs an instruction; pairing two f32 is free.
        *(("float", PIPELINE, 50), ("half", PIPELINE, 10), ("bfloat", PIPELINE, 10)),
        *((type_, FREE, 300) for type_ in TYPES),
    ],
)
def test_more_random_blocks_compute_the_same(type_: str, pipeline: str, least: int):
    assert sum(check(seed, type_, pipeline) for seed in range(100, 140)) >= least


def machine_pairs(seed: int, type_: str, fmad: bool) -> int:
    """Compares machine code with pairs and without; returns the number of pairs."""
    text = kernel(seed, type_)
    scalars, _ = machine(text, "load-store-vectorizer", type_, fmad)
    pairs, ptx = machine(text, FREE, type_, fmad)
    assert same(scalars, pairs), seed
    return len(re.findall(r"\.(?:f32|f16|bf16)x2", ptx))


def test_equal_products_are_fused():
    assert sum(machine_pairs(seed, "float", True) for seed in range(3)) > 6


@pytest.mark.parametrize("second", ["%c, %d", "%d, %c"])
def test_of_two_products_the_earlier_one_is_fused(second: str):
    """The products of the second sum are in the opposite order. Its operands are exchanged or not."""
    head, _, _ = kernel(0, "float", 0).partition("  store")
    text = (
        f"{head}  %a = fmul float %x0, %x1\n  %b = fmul float %x2, %x3\n"
        "  %d = fmul float %x1, %x2\n  %c = fmul float %x3, %x0\n"
        f"  %first = fadd float %a, %b\n  %last = fadd float {second}\n"
        "  store float %first, ptr %q0, align 4\n  store float %last, ptr %q1, align 4\n  ret void\n}\n"
    )
    scalars, _ = machine(text, "load-store-vectorizer", "float", fmad=True)
    pairs, ptx = machine(text, FREE, "float", fmad=True)
    assert "fma.rn.f32x2" in ptx
    assert same(scalars, pairs)


@pytest.mark.slow
@pytest.mark.parametrize("type_", TYPES)
@pytest.mark.parametrize("fmad", [True, False])
def test_equal_products_are_fused_for_more_seeds(type_: str, fmad: bool):
    assert sum(machine_pairs(seed, type_, fmad) for seed in range(100, 108)) > 16
