"""`Device` over a driver that keeps memory in Python and whose kernels are Python functions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from nvvm_xdsl.lab.gpu.device import FLUSHED_BYTES, Device
from nvvm_xdsl.lab.gpu.job import GPUError, Job, Properties


class Status(int):
    """A status of the driver; 0 is success."""

    name = ""

    @classmethod
    def of(cls, name: str) -> Status:
        made = cls(0 if not name else 999)
        made.name = name
        return made


OKAY = Status.of("")


class Names:
    """An enumeration of the driver: any name has a value."""

    def __getattr__(self, name: str) -> str:
        return name


class Driver:
    """The functions of the driver that `Device` calls."""

    CUlimit = CUfunction_attribute = CUdevice_attribute = CUjit_option = CUjitInputType = Names()
    CUlaunchConfig = SimpleNamespace

    def __init__(self, kernel: Callable[..., Any], parameters: int = 0) -> None:
        self.kernel = kernel
        self.parameters = parameters
        self.memory = bytearray(1 << 12)
        self.allocated = 256
        self.failing: dict[str, Status] = {}
        self.variables = {b"counter": (8, 4)}
        self.launched: list[Any] = []
        self.attributes: list[tuple[str, int]] = []
        self.flushed = 0

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)
        return lambda *arguments: (self.failing.get(name, OKAY),)

    def cuDeviceGetCount(self) -> Any:
        return self.failing.get("cuDeviceGetCount", OKAY), 1

    def cuDeviceGet(self, number: int) -> Any:
        return OKAY, number

    def cuDevicePrimaryCtxRetain(self, device: Any) -> Any:
        return OKAY, "context"

    def cuGetErrorString(self, status: Status) -> Any:
        return OKAY, b"something went wrong"

    def cuDeviceGetAttribute(self, name: str, device: Any) -> Any:
        return OKAY, {"MAJOR": 9, "MINOR": 0}.get(name.rpartition("_")[2], 132)

    def cuDeviceGetName(self, size: int, device: Any) -> Any:
        return OKAY, b"a GPU\0\0\0"

    def cuDriverGetVersion(self) -> Any:
        return OKAY, 13010

    def cuDeviceTotalMem(self, device: Any) -> Any:
        return OKAY, 1 << 36

    def cuMemAlloc(self, size: int) -> Any:
        if size == FLUSHED_BYTES:
            return OKAY, -1
        address, self.allocated = self.allocated, self.allocated + size
        return OKAY, address

    def cuMemsetD8(self, address: int, value: int, size: int) -> Any:
        self.flushed += 1
        return (OKAY,)

    def cuMemcpyHtoD(self, address: int, content: bytes, size: int) -> Any:
        self.memory[address : address + size] = content[:size]
        return (OKAY,)

    def cuMemcpyDtoH(self, content: bytearray, address: int, size: int) -> Any:
        content[:] = self.memory[address : address + size]
        return (OKAY,)

    def cuMemcpyDtoD(self, target: int, source: int, size: int) -> Any:
        self.memory[target : target + size] = self.memory[source : source + size]
        return (OKAY,)

    def cuModuleLoadData(self, image: bytes) -> Any:
        return OKAY, "module"

    def cuModuleGetFunction(self, module: Any, name: bytes) -> Any:
        return OKAY, name

    def cuModuleGetGlobal(self, module: Any, name: bytes) -> Any:
        if name not in self.variables:
            return Status.of("CUDA_ERROR_NOT_FOUND"), 0, 0
        return OKAY, *self.variables[name]

    def cuFuncSetAttribute(self, function: Any, name: str, value: int) -> Any:
        self.attributes.append((name, value))
        return (OKAY,)

    def cuEventCreate(self, flags: int) -> Any:
        return OKAY, "event"

    def cuEventElapsedTime(self, start: Any, end: Any) -> Any:
        return OKAY, float(len(self.launched))

    def cuLaunchKernelEx(self, config: Any, function: Any, pointers: int, extra: int) -> Any:
        self.launched.append(config)
        table = (ctypes.c_void_p * max(self.parameters, 1)).from_address(pointers)
        words = [ctypes.c_uint64.from_address(table[i] or 0).value for i in range(self.parameters)]
        self.kernel(self.memory, *words)
        return (self.failing.get("cuLaunchKernelEx", OKAY),)

    def cuLinkCreate(self, count: int, keys: Any, values: Any) -> Any:
        self.options = dict(zip(keys, values))
        return OKAY, "link"

    def cuLinkAddData(self, state: Any, kind: Any, data: bytes, *others: Any) -> Any:
        if b"nonsense" in data:
            self.options["CU_JIT_ERROR_LOG_BUFFER"][:13] = b"line 1: error"
            return (Status.of("CUDA_ERROR_INVALID_PTX"),)
        self.linked = ctypes.create_string_buffer(data[::-1], len(data))
        return (OKAY,)

    def cuLinkComplete(self, state: Any) -> Any:
        return OKAY, ctypes.addressof(self.linked), len(self.linked)


def increment(memory: bytearray, address: int, by: int) -> None:
    memory[address] += by
    memory[8] += 1


def number(value: int) -> bytes:
    return value.to_bytes(8, "little")


def job(device: Device, **more: Any) -> Job:
    base = device.reserve(16)
    parameters = (number(base), number(5))
    buffers = ((base, b"\x01\x02"),)
    return Job(b"image", "k", (2, 3, 1), (32, 1, 1), None, 0, parameters, buffers, **more)


def test_the_properties():
    found = Device(Driver(increment)).properties()
    assert found == Properties("a GPU", "sm_90", "13.1", 132, 1 << 36)


def test_a_launch_reads_and_writes_its_buffers():
    driver = Driver(increment, 2)
    device = Device(driver)
    finished = device.run(
        job(device, variables={"counter": b"\x03\0\0\0"}, read=("counter", "other"))
    )
    assert finished.buffers == (b"\x06\x02",)
    assert finished.variables == {"counter": b"\x04\0\0\0"}
    config = driver.launched[0]
    assert (config.gridDimX, config.gridDimY, config.gridDimZ, config.blockDimX) == (2, 3, 1, 32)


def test_each_timed_launch_starts_with_the_same_memory():
    driver = Driver(increment, 2)
    device = Device(driver)
    finished = device.run(job(device, read=("counter",)), 3)
    assert finished.buffers == (b"\x06\x02",)
    assert finished.variables == {"counter": b"\x01\0\0\0"}
    assert finished.milliseconds == (2.0, 3.0, 4.0)
    assert driver.flushed == 4


def test_memory_is_kept_until_more_is_needed():
    device = Device(Driver(increment))
    first = device.reserve(64)
    assert device.reserve(32) == first
    assert device.reserve(128) != first


def test_large_shared_memory_is_allowed_first():
    driver = Driver(increment, 2)
    device = Device(driver)
    small = job(device)
    device.run(small)
    assert driver.attributes == []
    device.run(Job(small.image, "k", (1, 1, 1), (1, 1, 1), None, 1 << 16, small.parameters))
    assert driver.attributes == [("CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES", 1 << 16)]


@pytest.mark.parametrize(
    ("name", "fatal"), [("CUDA_ERROR_ILLEGAL_ADDRESS", True), ("CUDA_ERROR_INVALID_VALUE", False)]
)
def test_an_error_has_the_functions_name(name: str, fatal: bool):
    driver = Driver(increment, 2)
    device = Device(driver)
    driver.failing["cuCtxSynchronize"] = Status.of(name)
    with pytest.raises(GPUError) as raised:
        device.run(job(device))
    assert str(raised.value) == f"cuCtxSynchronize: something went wrong ({name})"
    assert raised.value.fatal == fatal


def test_a_variable_that_is_set_must_exist():
    device = Device(Driver(increment, 2))
    with pytest.raises(GPUError, match="cuModuleGetGlobal of absent"):
        device.run(job(device, variables={"absent": b"\0"}))


def test_without_a_gpu():
    driver = Driver(increment)
    driver.failing["cuInit"] = Status.of("CUDA_ERROR_NO_DEVICE")
    with pytest.raises(GPUError, match="this machine has no usable GPU: cuInit"):
        Device(driver)


def test_ptx_is_assembled_at_a_level():
    driver = Driver(increment)
    assert Device(driver).assemble("ptx", 1) == b"\0xtp"
    assert driver.options["CU_JIT_OPTIMIZATION_LEVEL"] == 1


def test_messages_of_the_driver_for_ptx():
    with pytest.raises(GPUError, match=r"CUDA_ERROR_INVALID_PTX\): line 1: error"):
        Device(Driver(increment)).assemble("nonsense")


def test_output_of_a_kernel(capfd: pytest.CaptureFixture[str]):
    driver = Driver(lambda memory: os.write(1, b"hello\n"))
    finished = Device(driver).run(Job(b"image", "k", (1, 1, 1), (1, 1, 1)))
    assert finished.output == "hello\n"
    assert capfd.readouterr().out == ""
