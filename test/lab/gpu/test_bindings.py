"""The GPU process with cuda-bindings, over a library that implements the driver API in host memory.

The library checks arguments as the driver does: option values of the assembler, pointers to parameters, the
attributes of a launch. It is compiled from Inputs/driver.c.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from nvvm_xdsl.lab.gpu.client import GPU
from nvvm_xdsl.lab.gpu.job import GPUError, Job, Properties

COMPILER = shutil.which("cc") or shutil.which("clang-22")

pytestmark = [
    pytest.mark.skipif(COMPILER is None, reason="no C compiler was found"),
    pytest.mark.skipif(
        importlib.util.find_spec("cuda") is None
        or importlib.util.find_spec("cuda.bindings") is None,
        reason="cuda-bindings is not installed: install nvvm-xdsl[gpu]",
    ),
]


@pytest.fixture(scope="module")
def device(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GPU]:
    folder = tmp_path_factory.mktemp("driver")
    source = Path(__file__).parent / "Inputs" / "driver.c"
    command = [str(COMPILER), "-shared", "-fPIC", str(source), "-o", str(folder / "libcuda.so.1")]
    subprocess.run(command, check=True)
    with pytest.MonkeyPatch.context() as patch:
        path = os.environ.get("LD_LIBRARY_PATH", "")
        patch.setenv("LD_LIBRARY_PATH", f"{folder}{os.pathsep}{path}".rstrip(os.pathsep))
        found = GPU()
        yield found
        found.close()


def number(value: int, size: int = 8) -> bytes:
    return value.to_bytes(size, "little")


def scale(device: GPU, cubin: bytes) -> Job:
    base = device.reserve(64)
    x = np.arange(4, dtype=np.float32).tobytes()
    parameters = (number(base), number(4, 4), np.float32(2).tobytes())
    buffers = ((base, x),)
    counter = {"counter": number(5, 4)}
    size = (1, 1, 1)
    return Job(cubin, "scale", size, size, None, 0, parameters, buffers, counter, ("counter", "x"))


def test_the_gpu(device: GPU):
    assert device.properties == Properties("a GPU", "sm_90", "13.0", 132, 1 << 30)


def test_the_assembler_has_its_options(device: GPU):
    assert device.assemble("text", 2) == b"level 2 text\0"
    with pytest.raises(GPUError, match=r"INVALID_PTX\): kernel.ptx, line 1; error: nonsense$"):
        device.assemble("nonsense")


@pytest.mark.parametrize("repeats", [0, 3])
def test_a_launch(device: GPU, repeats: int):
    finished = device.run(scale(device, device.assemble("text")), repeats)
    assert np.frombuffer(finished.buffers[0], np.float32).tolist() == [0, 2, 4, 6]
    assert finished.variables == {"counter": number(6, 4)}
    assert finished.output == "scaled by 2\n" * (repeats + 1 if repeats else 1)
    assert finished.milliseconds == (1.5,) * repeats


def test_sizes_and_attributes_of_a_launch(device: GPU):
    base = device.reserve(64)
    buffers = ((base, bytes(52)),)
    job = Job(b"\0", "sizes", (2, 3, 4), (32, 2, 1), (2, 1, 1), 60000, (number(base),), buffers)
    sizes = np.frombuffer(device.run(job).buffers[0], np.uint32).tolist()
    assert sizes[:6] == [2, 3, 4, 32, 2, 1]
    assert sizes[6:8] == [60000, 60000]
    # One attribute, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION.
    assert sizes[8:] == [1, 4, 2, 1, 1]


def test_a_crash_ends_only_the_process(device: GPU):
    with pytest.raises(GPUError, match="cuCtxSynchronize: an illegal memory access") as raised:
        device.run(Job(b"\0", "crash", (1, 1, 1), (1, 1, 1)))
    assert raised.value.fatal
    assert device.run(scale(device, b"\0")).variables == {"counter": number(6, 4)}
