"""Each lowered intrinsic and its replacement give the same instructions."""

from __future__ import annotations

import re

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.passes.nvidia.lowering.nvvm_intrinsic_lowering import ARITHMETIC
from nvvm_xdsl.pipeline import PassManager

ROWS = [tuple(part.strip() for part in line.split("|")) for line in ARITHMETIC.splitlines()]

SPELLED = {"f64": "double", "f32": "float", "f16": "half", "bf16": "bfloat"}


def spelled(type_: str) -> str:
    if type_.startswith("v2"):
        return f"<2 x {SPELLED[type_[2:]]}>"
    return SPELLED.get(type_, type_)


def kernel(name: str) -> str:
    """Returns a function that makes one call of the intrinsic and stores the result."""
    found = find_intrinsic(f"llvm.nvvm.{name}")
    assert found is not None, name
    if found.results == ("anyfloat",):
        result = spelled(name.rpartition(".")[2])
        arguments = [result]
    else:
        result = spelled(found.results[0])
        arguments = [spelled(a) for a in found.arguments]
    listed = ", ".join(f"{type_} %a{i}" for i, type_ in enumerate(arguments))
    return f"""target triple = "nvptx64-nvidia-cuda"
    define void @f(ptr %p, {listed}) {{
      %r = call {result} @llvm.nvvm.{name}({listed})
      store {result} %r, ptr %p
      ret void
    }}"""


def instructions(ptx: str) -> list[str]:
    """Returns the instructions without register names. 32-bit integers become doubles exactly in every
    rounding mode.
    """
    ptx = re.sub(r"cvt\.r[zmp]\.f64\.([su])32", r"cvt.rn.f64.\g<1>32", ptx)
    return [re.sub(r"%\w+", "%", line).strip() for line in ptx.splitlines() if line[:1] == "\t"]


@pytest.mark.parametrize(("name", "op", "mode"), ROWS)
def test_same_instructions(name: str, op: str, mode: str):
    module = read_ll(kernel(name), "kernel.ll")
    options = CompileOptions(arch="sm_90", opt_level=0, ftz=mode == "flush")
    before = nvvm_xdsl.compile(module.clone(), options=options)
    word = "ftz" if mode == "flush" else "no-ftz"
    PassManager(f"nvvm-intrinsic-lowering<{word}>").run(module)
    assert f" {op}" in str(module)
    after = nvvm_xdsl.compile(module, options=options)
    assert instructions(after) == instructions(before)
    other = read_ll(kernel(name), "kernel.ll")
    PassManager(f"nvvm-intrinsic-lowering<{'no-ftz' if mode == 'flush' else 'ftz'}>").run(other)
    assert (f" {op}" in str(other)) == (mode == "")


def test_vectors_that_ptx_lacks_compile():
    text = """target triple = "nvptx64-nvidia-cuda"
    define void @f(ptr %p, <4 x float> %v) {
      %r = call <4 x float> @llvm.nvvm.ex2.approx.v4f32(<4 x float> %v)
      store <4 x float> %r, ptr %p
      ret void
    }"""
    ptx = nvvm_xdsl.compile(text, arch="sm_90", opt_level=1)
    assert ptx.count("ex2.approx.f32") == 4


KERNEL = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %doubles, ptr addrspace(1) %words) "nvvm.reqntid"="40" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %d = getelementptr double, ptr addrspace(1) %doubles, i32 %t
  %w = getelementptr i32, ptr addrspace(1) %words, i32 %t
  %x = load double, ptr addrspace(1) %d
  %i = load i32, ptr addrspace(1) %w
  %lo = call i32 @llvm.nvvm.d2i.lo(double %x)
  %hi = call i32 @llvm.nvvm.d2i.hi(double %x)
  %swapped = call double @llvm.nvvm.lohi.i2d(i32 %hi, i32 %lo)
  store double %swapped, ptr addrspace(1) %d
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 0, i32 64)
  %f = call float @llvm.nvvm.d2f.rn(double %x)
  %h = call i16 @llvm.nvvm.f2h.rn(float %f)
  %wide = zext i16 %h to i32
  %p1 = call i32 @llvm.nvvm.prmt(i32 %lo, i32 %hi, i32 17185)
  %p2 = call i32 @llvm.nvvm.prmt(i32 %lo, i32 %hi, i32 21554)
  %p3 = call i32 @llvm.nvvm.prmt(i32 %p1, i32 %p2, i32 25923)
  %p4 = call i32 @llvm.nvvm.prmt(i32 %p3, i32 %wide, i32 12816)
  %p5 = call i32 @llvm.nvvm.prmt(i32 %i, i32 %p4, i32 30292)
  %s = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %p5, i32 0, i32 0)
  %fi = bitcast i32 %i to float
  %a0 = call float @llvm.nvvm.fabs.f32(float %fi)
  %b0 = bitcast float %a0 to i32
  %s1 = xor i32 %s, %b0
  %s3 = xor i32 %s1, %p3
  store i32 %s3, ptr addrspace(1) %w
  ret void
}"""


def test_same_results():
    rng = np.random.default_rng(1)
    doubles = rng.normal(size=40) * 10.0 ** rng.integers(-9, 9, 40)
    words = rng.integers(0, 2**31, 40).astype(np.int32) & 0x7F7FFFFF
    launches = [Launch("k", 1, 40, (doubles, words))]
    module = read_ll(KERNEL, "kernel.ll")
    lowered = module.clone()
    PassManager("nvvm-intrinsic-lowering<level=1;no-ftz>").run(lowered)
    assert "llvm.nvvm" not in str(lowered)
    assert "prmt" not in str(lowered)
    assert "shfl" not in str(lowered)
    assert_same_behaviour(module, "nvvm-intrinsic-lowering<level=1;no-ftz>", launches)
