"""The simulated CUDA driver: calls of its functions, and programs that use it through Numba."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.assembling import needs_libdevice

from nvvm_xdsl.integrations.simulated_driver.modules import linked

needs_compiler = pytest.mark.skipif(
    sys.platform != "linux" or shutil.which("cc") is None, reason="no Linux with a C compiler"
)
needs_numba = pytest.mark.skipif(
    importlib.util.find_spec("numba_cuda") is None,
    reason="numba-cuda is not installed (extra `numba`)",
)

PTX = """\
.version 7.8
.target sm_90
.address_size 64
.visible .global .align 4 .u32 calls = 5;
.visible .entry count(.param .u64 count_param_0, .param .u32 count_param_1)
.maxntid 64, 1, 1
{
  .reg .b32 %r<5>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [count_param_0];
  ld.param.u32 %r1, [count_param_1];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd3, %rd1, %rd2;
  mul.lo.u32 %r3, %r2, %r1;
  st.global.u32 [%rd3], %r3;
  atom.global.add.u32 %r4, [calls], 1;
  ret;
}
"""

START = f"""
import ctypes, struct
from ctypes import byref, c_int, c_size_t, c_uint64, c_void_p
from nvvm_xdsl.integrations import simulated_driver

driver = simulated_driver.install()
cu = ctypes.CDLL("libcuda.so.1")
assert cu.cuInit(0) == 0
module, kernel, data = c_void_p(), c_void_p(), c_uint64()
assert cu.cuModuleLoadData(byref(module), {PTX!r}.encode()) == 0
assert cu.cuModuleGetFunction(byref(kernel), module, b"count") == 0
assert cu.cuMemAlloc_v2(byref(data), c_size_t(64)) == 0

def launch(threads, factor=3):
    values = c_uint64(data.value), c_int(factor)
    places = (c_void_p * 2)(*(ctypes.addressof(v) for v in values))
    return cu.cuLaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, None, places, None)

def contents(address, count):
    out = (c_int * count)()
    assert cu.cuMemcpyDtoH_v2(out, c_uint64(address), c_size_t(4 * count)) == 0
    return list(out)
"""


def run(program: str) -> subprocess.CompletedProcess[str]:
    """Runs Python in a process of its own, because a driver cannot be unloaded."""
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check(program: str) -> str:
    """Runs Python that must succeed; returns its standard error."""
    done = run(program)
    assert done.returncode == 0, done.stderr
    return done.stderr


@needs_compiler
def test_launch_reads_and_writes_device_memory():
    check(
        START
        + "assert launch(16) == 0\nassert contents(data.value, 16) == [3 * i for i in range(16)]"
    )


@needs_compiler
def test_variables_keep_their_contents_between_launches():
    check(
        START
        + """
variable, size = c_uint64(), c_size_t()
assert cu.cuModuleGetGlobal_v2(byref(variable), byref(size), module, b"calls") == 0
assert size.value == 4
assert contents(variable.value, 1) == [5]
assert launch(16) == 0 and launch(8) == 0
assert contents(variable.value, 1) == [29]
assert cu.cuMemcpyHtoD_v2(variable, byref(c_int(100)), c_size_t(4)) == 0
assert launch(8) == 0
assert contents(variable.value, 1) == [108]
assert cu.cuModuleGetGlobal_v2(byref(variable), byref(size), module, b"missing") == 500
"""
    )


@needs_compiler
def test_device_memory_is_host_memory():
    check(
        START
        + """
pinned, seen = c_void_p(), c_uint64()
assert cu.cuMemHostAlloc(byref(pinned), c_size_t(64), 0) == 0
assert cu.cuMemHostGetDevicePointer_v2(byref(seen), pinned, 0) == 0
data = seen
assert launch(16, 7) == 0
assert list((c_int * 16).from_address(pinned.value)) == [7 * i for i in range(16)]
own = (c_int * 16)()
assert cu.cuMemHostRegister_v2(own, c_size_t(64), 0) == 0
assert cu.cuMemHostGetDevicePointer_v2(byref(seen), own, 0) == 0
assert seen.value != ctypes.addressof(own)
assert launch(16, 2) == 0
assert list(own) == [2 * i for i in range(16)]
"""
    )


@needs_compiler
def test_errors():
    stderr = check(
        START
        + """
assert launch(17) == 700
assert launch(65) == 1
assert cu.cuModuleLoadData(byref(module), b".version 7.8 nonsense") == 218
assert cu.cuModuleLoadData(byref(module), b"\\x7fELF") == 218
assert cu.cuMemFree_v2(c_uint64(data.value)) == 0
assert cu.cuMemFree_v2(c_uint64(data.value)) == 1
assert cu.cuMemAlloc_v2(byref(data), c_size_t(1 << 40)) == 2
found, status = c_void_p(), c_int()
assert cu.cuGetProcAddress_v2(b"cuMipmappedArrayCreate", byref(found), 13000, c_uint64(0), byref(status)) == 500
assert len(driver.errors) == 4
"""
    )
    assert "out of bounds: store of 4 bytes" in stderr
    assert "allows 64 threads a block, not 65" in stderr
    assert "a module is not PTX" in stderr


@needs_compiler
def test_install_twice_and_beside_another_driver():
    check(START + "assert simulated_driver.install() is driver")
    other = "import ctypes; from nvvm_xdsl.integrations import simulated_driver as s; s._built()\n"
    done = run(other + "s.install()")
    assert "a CUDA driver is loaded already" in done.stderr


def run_module(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "nvvm_xdsl.integrations.simulated_driver", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@needs_compiler
def test_a_program_as_an_argument(tmp_path: Path):
    program = tmp_path / "program.py"
    beside = tmp_path / "beside.py"
    beside.write_text("NAME = b'libcuda.so.1'")
    program.write_text(
        "import ctypes, sys, beside\n"
        "cu = ctypes.CDLL(beside.NAME.decode())\n"
        "count = ctypes.c_int()\n"
        "assert __name__ == '__main__' and cu.cuDeviceGetCount(ctypes.byref(count)) == 0\n"
        "print(count.value, sys.argv[1:])\n"
        "sys.exit(3)\n"
    )
    done = run_module(str(program), "-x", "y")
    assert done.stdout == "1 ['-x', 'y']\n"
    assert done.returncode == 3


def test_a_missing_program_and_help():
    done = run_module("missing.py")
    assert (done.stderr, done.returncode) == ("missing.py: error: no such file\n", 1)
    assert "program.py [ARGUMENT ...]" in run_module("--help").stdout


@needs_compiler
@needs_numba
@needs_libdevice
@pytest.mark.slow
def test_numba_program(tmp_path: Path):
    program = tmp_path / "program.py"
    program.write_text(
        """
from nvvm_xdsl.integrations import numba as nvvm_numba, simulated_driver
driver = simulated_driver.install()
nvvm_numba.install()
import math
import numpy as np
from numba import cuda, float64

@cuda.jit
def sums(x, out):
    part = cuda.shared.array(64, float64)
    t = cuda.threadIdx.x
    part[t] = 0.0
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        part[t] += math.sqrt(x[i])
    cuda.syncthreads()
    if t == 0:
        total = 0.0
        for i in range(64):
            total += part[i]
        cuda.atomic.add(out, 0, total)
        print("block", cuda.blockIdx.x)

x = np.arange(1000, dtype=np.float64)
out = cuda.to_device(np.zeros(1))
sums[3, 64](x, out)
assert np.isclose(out.copy_to_host()[0], np.sqrt(x).sum())
assert driver.launches == 1
"""
    )
    command = [sys.executable, "-W", "ignore", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "block 0\nblock 1\nblock 2\n"


FIRST = """\
.version 9.0
.target sm_90
.address_size 64
.extern .func (.param .b32 func_retval0) shared_name
(
  .param .b32 shared_name_param_0
)
;
.weak .func twice()
{
  ret;
}
.extern .func elsewhere();
"""

SECOND = """\
.version 9.0
.target sm_90
.address_size 64
.visible .func (.param .b32 func_retval0) shared_name(.param .b32 shared_name_param_0)
{
  { ret; }
}
.weak .func twice()
{
  trap;
}
.extern .func elsewhere();
"""


def test_linked_modules():
    text = linked([FIRST, SECOND])
    assert text.count(".version") == 1
    assert ".extern .func (" not in text
    assert ".visible .func (.param .b32 func_retval0) shared_name" in text
    assert text.count("twice") == 1
    assert "trap" not in text
    assert text.count("elsewhere") == 1
    assert linked([FIRST]) == FIRST
