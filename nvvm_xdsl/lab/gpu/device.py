"""A GPU through `cuda.bindings.driver`: its context, memory, modules, launches and times.

Function names are those of the CUDA driver API.
"""

from __future__ import annotations

import ctypes
import os
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from nvvm_xdsl.lab.gpu.job import Finished, GPUError, Job, Properties

STACK_BYTES: Final = 8192
"""Stack size of a thread in bytes. The default of 1 KB is too small for recursion."""

DEFAULT_SHARED: Final = 48 << 10
"""Maximum bytes of dynamic shared memory without an attribute (CUDA C++ Programming Guide, "Shared
Memory")."""

MOST_PORTABLE_BLOCKS: Final = 8
"""Maximum number of blocks of a cluster without an attribute."""

LOG_BYTES: Final = 1 << 14

FLUSHED_BYTES: Final = 256 << 20
"""Bytes written before each timed launch, so that no buffer is in a cache."""

DRIVER_LEVEL: Final = 4
"""Optimization level of the driver, 0 to 4; 4 is its default."""

_FATAL: Final = (
    "ILLEGAL_ADDRESS LAUNCH_TIMEOUT ASSERT HARDWARE_STACK_ERROR ILLEGAL_INSTRUCTION MISALIGNED_ADDRESS"
    " INVALID_ADDRESS_SPACE INVALID_PC LAUNCH_FAILED UNKNOWN ECC_UNCORRECTABLE CONTAINED"
).split()
"""Errors after which every call of the context fails."""


def import_driver() -> Any:
    """The module `cuda.bindings.driver`. Raises GPUError if it is not installed."""
    try:
        return import_module("cuda.bindings.driver")
    except ImportError:
        raise GPUError("cuda-bindings is not installed: install nvvm-xdsl[gpu]") from None


@dataclass
class _Memory:
    """Device memory that grows: its address and size in bytes."""

    address: int = 0
    size: int = 0


class Device:
    """The first GPU of this machine, with its primary context current in this thread.

    Raises GPUError if there is no driver or no GPU.
    """

    def __init__(self, driver: Any = None) -> None:
        self.driver: Any = driver or import_driver()
        try:
            self._call("cuInit", 0)
        except GPUError as error:
            raise GPUError(f"this machine has no usable GPU: {error}") from None
        except Exception as error:
            # The loader of cuda-bindings raises its own exception classes.
            raise GPUError(f"the NVIDIA driver was not found: {error}") from None
        (count,) = self._call("cuDeviceGetCount")
        if not count:
            raise GPUError("this machine has no usable GPU")
        (self._device,) = self._call("cuDeviceGet", 0)
        (context,) = self._call("cuDevicePrimaryCtxRetain", self._device)
        self._call("cuCtxSetCurrent", context)
        self._call("cuCtxSetLimit", self.driver.CUlimit.CU_LIMIT_STACK_SIZE, STACK_BYTES)
        self._memory = _Memory()
        self._pristine = _Memory()
        self._flushed = _Memory()

    def _call(self, name: str, *arguments: Any) -> tuple[Any, ...]:
        """The results of a function of the driver. Raises GPUError if its status is not success."""
        status, *results = getattr(self.driver, name)(*arguments)
        if int(status) == 0:
            return tuple(results)
        raise self._error(name, status)

    def _error(self, function: str, status: Any) -> GPUError:
        _, text = self.driver.cuGetErrorString(status)
        said = text.decode() if isinstance(text, bytes) else str(text)
        fatal = any(word in status.name for word in _FATAL)
        return GPUError(f"{function}: {said} ({status.name})", fatal)

    def properties(self) -> Properties:
        """The GPU and its driver."""

        def read(name: str) -> int:
            key = getattr(self.driver.CUdevice_attribute, f"CU_DEVICE_ATTRIBUTE_{name}")
            return self._call("cuDeviceGetAttribute", key, self._device)[0]

        (name,) = self._call("cuDeviceGetName", 256, self._device)
        (version,) = self._call("cuDriverGetVersion")
        (memory,) = self._call("cuDeviceTotalMem", self._device)
        major, minor = read("COMPUTE_CAPABILITY_MAJOR"), read("COMPUTE_CAPABILITY_MINOR")
        return Properties(
            name.split(b"\0")[0].decode(),
            f"sm_{major}{minor}",
            f"{version // 1000}.{version % 1000 // 10}",
            read("MULTIPROCESSOR_COUNT"),
            memory,
        )

    def assemble(self, ptx: str, level: int = DRIVER_LEVEL) -> bytes:
        """The cubin that the driver generates from PTX for this GPU.

        Arguments:
            level: optimization level of the driver, 0 to 4.
        Raises GPUError with the driver's message.
        """
        option = self.driver.CUjit_option
        log = bytearray(LOG_BYTES)
        keys = [
            option.CU_JIT_OPTIMIZATION_LEVEL,
            option.CU_JIT_ERROR_LOG_BUFFER,
            option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
        ]
        (state,) = self._call("cuLinkCreate", len(keys), keys, [level, log, len(log)])
        try:
            data = ptx.encode() + b"\0"
            kind = self.driver.CUjitInputType.CU_JIT_INPUT_PTX
            self._call("cuLinkAddData", state, kind, data, len(data), b"kernel.ptx", 0, [], [])
            address, size = self._call("cuLinkComplete", state)
            return ctypes.string_at(int(address), size)
        except GPUError as error:
            lines = log.split(b"\0")[0].decode(errors="replace").strip().splitlines()
            raise GPUError(f"{error}: {lines[0].strip()}" if lines else str(error)) from None
        finally:
            self.driver.cuLinkDestroy(state)

    def reserve(self, size: int) -> int:
        """The address of memory for the buffers of later jobs; earlier contents may be lost."""
        return self._grown(self._memory, size)

    def _grown(self, memory: _Memory, size: int) -> int:
        """The address of memory of at least a size."""
        if size > memory.size:
            if memory.address:
                self._call("cuMemFree", memory.address)
            memory.address, memory.size = 0, 0
            (address,) = self._call("cuMemAlloc", size)
            memory.address, memory.size = int(address), size
        return memory.address

    def run(self, job: Job, repeats: int = 0) -> Finished:
        """Launches a kernel once; with `repeats`, that number of timed launches follows.

        Buffers and variables are reset to their initial contents before each launch.
        """
        (module,) = self._call("cuModuleLoadData", job.image)
        try:
            return self._run(module, job, repeats)
        finally:
            self.driver.cuModuleUnload(module)

    def _run(self, module: Any, job: Job, repeats: int) -> Finished:
        (function,) = self._call("cuModuleGetFunction", module, job.kernel.encode())
        self._prepare(function, job)
        variables = self._variables(module, job)
        for address, content in job.buffers:
            self._write(address, content)
        launch = self._launcher(function, job)
        times: list[float] = []
        with tempfile.TemporaryFile() as printed, _Redirected(printed.fileno()):
            if repeats:
                times = self._timed(launch, job, variables, repeats)
            else:
                launch()
                self._call("cuCtxSynchronize")
            printed.seek(0)
            output = printed.read().decode(errors="replace")
        return Finished(
            tuple(self._read(address, len(content)) for address, content in job.buffers),
            {name: self._read(*variables[name]) for name in job.read if name in variables},
            output,
            tuple(times),
        )

    def _prepare(self, function: Any, job: Job) -> None:
        """Sets the attributes that a large block or cluster needs."""
        attribute = self.driver.CUfunction_attribute
        if job.shared_bytes > DEFAULT_SHARED:
            name = attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
            self._call("cuFuncSetAttribute", function, name, job.shared_bytes)
        if job.cluster is not None:
            x, y, z = job.cluster
            if x * y * z > MOST_PORTABLE_BLOCKS:
                name = attribute.CU_FUNC_ATTRIBUTE_NON_MOST_PORTABLE_BLOCKS_SIZE_ALLOWED
                self._call("cuFuncSetAttribute", function, name, 1)

    def _variables(self, module: Any, job: Job) -> dict[str, tuple[int, int]]:
        """Address and size of the module variables that the job names; sets their contents."""
        found: dict[str, tuple[int, int]] = {}
        for name in {*job.variables, *job.read}:
            status, address, size = self.driver.cuModuleGetGlobal(module, name.encode())
            if int(status) == 0:
                found[name] = int(address), size
            elif name in job.variables:
                raise self._error(f"cuModuleGetGlobal of {name}", status)
        for name, content in job.variables.items():
            self._write(found[name][0], content)
        return found

    def _launcher(self, function: Any, job: Job) -> Callable[[], None]:
        """A function that launches the kernel."""
        buffers = [ctypes.create_string_buffer(data, max(len(data), 1)) for data in job.parameters]
        pointers = (ctypes.c_void_p * max(len(buffers), 1))(*map(ctypes.addressof, buffers))
        config = self.driver.CUlaunchConfig()
        config.gridDimX, config.gridDimY, config.gridDimZ = job.grid
        config.blockDimX, config.blockDimY, config.blockDimZ = job.block
        config.sharedMemBytes = job.shared_bytes
        if job.cluster is not None:
            cluster = self.driver.CUlaunchAttribute()
            cluster.id = self.driver.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION
            dimensions = cluster.value.clusterDim
            dimensions.x, dimensions.y, dimensions.z = job.cluster
            config.attrs = [cluster]
            config.numAttrs = 1

        # The pointers do not keep the buffers alive.
        def launch(_: object = buffers) -> None:
            self._call("cuLaunchKernelEx", config, function, ctypes.addressof(pointers), 0)

        return launch

    def _timed(
        self,
        launch: Callable[[], None],
        job: Job,
        variables: dict[str, tuple[int, int]],
        repeats: int,
    ) -> list[float]:
        """The time of each launch except for the first, in milliseconds; buffers and variables are
        reset before each."""
        copies = self._copies(job)
        flushed = self._grown(self._flushed, FLUSHED_BYTES)
        first = {name: self._read(*place) for name, place in variables.items()}
        (start,) = self._call("cuEventCreate", 0)
        (end,) = self._call("cuEventCreate", 0)
        times: list[float] = []
        for number in range(repeats + 1):
            if number:
                for target, source, size in copies:
                    self._call("cuMemcpyDtoD", target, source, size)
                for name, (address, _) in variables.items():
                    self._write(address, first[name])
            # The GPU is busy while the host issues the launch, whose latency is thus not measured.
            self._call("cuMemsetD8", flushed, 0, FLUSHED_BYTES)
            self._call("cuEventRecord", start, 0)
            launch()
            self._call("cuEventRecord", end, 0)
            self._call("cuEventSynchronize", end)
            (milliseconds,) = self._call("cuEventElapsedTime", start, end)
            times.append(milliseconds)
        self._call("cuEventDestroy", start)
        self._call("cuEventDestroy", end)
        return times[1:]

    def _copies(self, job: Job) -> list[tuple[int, int, int]]:
        """Device copies that restore the buffers: target, source and size of each."""
        found: list[tuple[int, int, int]] = []
        at = self._grown(self._pristine, sum(len(content) for _, content in job.buffers))
        for address, content in job.buffers:
            if content:
                self._call("cuMemcpyDtoD", at, address, len(content))
                found.append((address, at, len(content)))
            at += len(content)
        return found

    def _write(self, address: int, content: bytes) -> None:
        if content:
            self._call("cuMemcpyHtoD", address, content, len(content))

    def _read(self, address: int, size: int) -> bytes:
        content = bytearray(size)
        if size:
            self._call("cuMemcpyDtoH", content, address, size)
        return bytes(content)


class _Redirected:
    """A context in which standard output is redirected to a file, to capture the output of
    kernels."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._kept = -1

    def __enter__(self) -> None:
        self._kept = os.dup(1)
        os.dup2(self._target, 1)

    def __exit__(self, *_: object) -> None:
        os.dup2(self._kept, 1)
        os.close(self._kept)
