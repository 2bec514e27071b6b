"""mlir-opt's output for a program of the gpu dialect compiles as it is, with host code."""

from __future__ import annotations

import re
import shutil
import subprocess

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.frontend.mlir_device import device_objects, device_text
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import launch

MLIR_OPT = shutil.which("mlir-opt-22")
needs_mlir = pytest.mark.skipif(MLIR_OPT is None, reason="mlir-opt of LLVM 22 was not found")

SOURCE = """
func.func @host(%x: memref<?xf32>, %y: memref<?xf32>, %n: index) {
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %two = arith.constant 2.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %n, %gy = %c1, %gz = %c1)
      threads(%tx, %ty, %tz) in (%dx = %c64, %dy = %c1, %dz = %c1)
      workgroup(%tile : memref<64xf32, #gpu.address_space<workgroup>>) private(%slot : memref<1xf32, #gpu.address_space<private>>) {
    %c0 = arith.constant 0 : index
    %c63 = arith.constant 63 : index
    %b = arith.muli %bx, %dx : index
    %i = arith.addi %b, %tx : index
    %v = memref.load %x[%i] : memref<?xf32>
    %w = arith.mulf %v, %two : f32
    memref.store %w, %slot[%c0] : memref<1xf32, #gpu.address_space<private>>
    %s = memref.load %slot[%c0] : memref<1xf32, #gpu.address_space<private>>
    memref.store %s, %tile[%tx] : memref<64xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    %r = arith.subi %c63, %tx : index
    %u = memref.load %tile[%r] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %u, %y[%i] : memref<?xf32>
    gpu.terminator
  }
  return
}
"""

LOWERED = (
    "gpu-kernel-outlining,convert-scf-to-cf,convert-func-to-llvm,expand-strided-metadata,"
    "nvvm-attach-target{chip=sm_90 O=3},lower-affine,convert-arith-to-llvm,convert-index-to-llvm,"
    "canonicalize,cse,gpu.module(convert-gpu-to-nvvm,canonicalize,cse,reconcile-unrealized-casts)"
)
"""Runs the steps of `gpu-lower-to-nvvm-pipeline` before the creation of a `gpu.binary`."""


def pipeline(last: str) -> list[str]:
    return [f"--pass-pipeline=builtin.module({last})"]


PIPELINES = {
    "device code lowered": pipeline(LOWERED),
    "host code lowered": pipeline(f"{LOWERED},gpu-to-llvm"),
    **{
        f"gpu-lower-to-nvvm-pipeline {form}": [
            f"-gpu-lower-to-nvvm-pipeline=cubin-chip=sm_90 cubin-features=+ptx80 cubin-format={form}"
        ]
        for form in ("llvm", "isa")
    },
}


def lowered(arguments: list[str]) -> str:
    assert MLIR_OPT is not None
    done = subprocess.run(
        [MLIR_OPT, *arguments], input=SOURCE, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_mlir
@pytest.mark.parametrize("name", PIPELINES)
def test_compiles_and_runs(name: str):
    text = lowered(PIPELINES[name])
    assert "gpu.launch_func" in text
    ptx = nvvm_xdsl.compile(text)
    assert ".target sm_90" in ptx
    x = np.arange(128, dtype=np.float32)
    y = np.zeros(128, np.float32)
    sizes = (0, 128, 1)
    two = np.float32(2)
    launch(
        executable(ptx, None).module,
        "host_kernel",
        2,
        64,
        (x, x, *sizes, two, y, y, *sizes),
    )
    assert (y.reshape(2, 64) == 2 * x.reshape(2, 64)[:, ::-1]).all()


HOST = """\
#note = "} gpu.module @no {"
module attributes {gpu.container_module} {
  some.host "}" thing // gpu.module @neither {
  gpu.module @kernels [#nvvm.target<chip = "sm_90", flags = {fast}>] attributes {a = {}} {
    llvm.func @k() attributes {nvvm.kernel} {
      llvm.return
    }
  }
  more.host {
}
"""


def test_host_code_is_ignored():
    device = device_text(HOST)
    assert device is not None
    assert device.count("\n") == HOST.count("\n")
    assert [n for n, line in enumerate(device.splitlines()) if line.strip()] == [0, 3, 4, 5, 6, 7]
    module = nvvm_xdsl.parse(HOST, format="mlir")
    assert [op.name for op in module.body.block.ops] == ["llvm.func"]


def test_an_error_in_device_code_keeps_its_location():
    with pytest.raises(DiagnosticError) as caught:
        nvvm_xdsl.parse(
            HOST.replace("llvm.return", "llvm.return 5"), format="mlir", filename="p.mlir"
        )
    assert (caught.value.file, caught.value.line) == ("p.mlir", 6)


def test_text_without_device_code_is_unchanged():
    assert device_text("llvm.func @f()") is None
    with pytest.raises(DiagnosticError):
        nvvm_xdsl.parse("some.host thing", format="mlir")


def test_objects():
    text = r'gpu.binary @k <#gpu.select_object<0>> [#gpu.object<#nvvm.target<chip = "sm_80">, assembly = "a\0A\22b\\">]'
    ((target, kind, data),) = device_objects(text)
    assert (target, kind, data) == ('#nvvm.target<chip = "sm_80">', "assembly", b'a\n"b\\')


def test_a_gpu_binary_without_ptx_or_ir_is_an_error():
    text = 'module {\n  gpu.binary @k [#gpu.object<#nvvm.target, bin = "\\7FELF">]\n}'
    with pytest.raises(DiagnosticError, match="format=llvm or format=isa"):
        nvvm_xdsl.parse(text, format="mlir")


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        (
            "(%p: memref<4xf32>) kernel",
            "memref<4xf32> is not an LLVM type: run mlir-opt -convert-gpu-to-nvvm",
        ),
        ("(%i: index) kernel", "index is not an LLVM type: run mlir-opt -convert-gpu-to-nvvm"),
        ("() -> (i32, i32)", "a gpu.func with several results is not supported"),
        ("() workgroup(%a : memref<32xf32, 3>) kernel", "workgroup memory of a gpu.func"),
    ],
)
def test_functions_that_mlir_must_lower(signature: str, message: str):
    with pytest.raises(DiagnosticError, match=re.escape(message)):
        nvvm_xdsl.compile(f"gpu.module @m {{ gpu.func @k{signature} {{ gpu.return }} }}")


@pytest.mark.parametrize(
    "stated", ['sym_name = "k", function_type = 3 : i32', "sym_name = 3 : i32", ""]
)
def test_a_function_without_name_or_type_is_an_error_with_its_location(stated: str):
    text = (
        f'module {{\n"gpu.func"() ({{\n  "gpu.return"() : () -> ()\n}}) {{{stated}}} : () -> ()\n}}'
    )
    with pytest.raises(DiagnosticError, match="needs a name and a function type") as caught:
        nvvm_xdsl.parse(text, format="mlir", locations=True)
    assert caught.value.line == 2
