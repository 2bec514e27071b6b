"""The functions of the driver that have a state: methods with the names of the Driver API.

Pointers are addresses in the process; results are CUresult.
"""

from __future__ import annotations

import ctypes
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from ctypes import c_int, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Final

import numpy as np

from nvvm_xdsl.integrations.simulated_driver.device_memory import SIZE, DeviceMemory
from nvvm_xdsl.integrations.simulated_driver.modules import SEPARATOR, Module
from nvvm_xdsl.integrations.simulated_driver.signatures import CONTEXT
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator import Limits, SimulationError, launch
from nvvm_xdsl.simulator.execution.memory import CONSTANT, SHARED

SUCCESS: Final = 0
INVALID_VALUE: Final = 1
OUT_OF_MEMORY: Final = 2
INVALID_DEVICE: Final = 101
INVALID_PTX: Final = 218
NOT_FOUND: Final = 500
ILLEGAL_ADDRESS: Final = 700
ASSERT: Final = 710
LAUNCH_FAILED: Final = 719

NAMES: Final = {
    SUCCESS: "CUDA_SUCCESS",
    INVALID_VALUE: "CUDA_ERROR_INVALID_VALUE",
    OUT_OF_MEMORY: "CUDA_ERROR_OUT_OF_MEMORY",
    INVALID_DEVICE: "CUDA_ERROR_INVALID_DEVICE",
    INVALID_PTX: "CUDA_ERROR_INVALID_PTX",
    NOT_FOUND: "CUDA_ERROR_NOT_FOUND",
    ILLEGAL_ADDRESS: "CUDA_ERROR_ILLEGAL_ADDRESS",
    ASSERT: "CUDA_ERROR_ASSERT",
    LAUNCH_FAILED: "CUDA_ERROR_LAUNCH_FAILED",
}

PTX: Final = 1
"""CU_JIT_INPUT_PTX."""

ATTRIBUTES: Final = {
    1: 1024,  # threads of a block
    2: 1024,  # block dimensions
    3: 1024,
    4: 64,
    5: 2**31 - 1,  # grid dimensions
    6: 65535,
    7: 65535,
    8: 48 << 10,  # shared memory of a block
    9: 64 << 10,  # constant memory
    10: 32,  # threads of a warp
    12: 65536,  # registers of a block
    13: 1_980_000,  # clock rate in kHz
    16: 132,  # multiprocessors
    19: 1,  # can map host memory
    31: 1,  # concurrent kernels
    39: 2048,  # threads of a multiprocessor
    40: 1,  # asynchronous engines
    41: 1,  # unified addressing
    75: 9,  # compute capability
    76: 0,
    81: 228 << 10,  # shared memory of a multiprocessor
    82: 65536,  # registers of a multiprocessor
    83: 1,  # managed memory
    89: 1,  # concurrent managed access
    95: 1,  # cooperative launch
    97: 227 << 10,  # shared memory of a block after cuFuncSetAttribute
    106: 32,  # blocks of a multiprocessor
}
"""Attributes of the device that are not 0, by CUdevice_attribute: those of an H100."""

_ERRORS: Final = {"assert": ASSERT, "trap": LAUNCH_FAILED, "limit": INVALID_VALUE}
"""CUresult by the kind of an error of the simulator; others are invalid accesses."""


def _put(place: int | None, kind: type[Any], value: int) -> int:
    """Stores a result behind a pointer that may be null; returns SUCCESS."""
    if place:
        kind.from_address(place).value = value
    return SUCCESS


class Driver:
    """The state of the driver.

    Arguments:
        limits: the limits of a launch.
    """

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits(steps=100_000_000, memory=1 << 32)
        self.memory = DeviceMemory()
        self.launches = 0
        """Number of launches so far."""
        self.errors: list[str] = []
        """The messages of failed loads and launches."""
        self.kept: list[Any] = []
        """Objects that C code refers to."""
        self._objects: dict[int, Any] = {}
        """Modules, kernels and linkers by handle."""
        self._last_handle = 0x1000
        self._contexts = [0]

    def call(self, name: str, args: tuple[Any, ...]) -> int:
        """Calls a method; an exception becomes a printed error and a CUresult."""
        try:
            return getattr(self, name)(*args)
        except SimulationError as error:
            self._report(str(error))
            return _ERRORS.get(error.kind, ILLEGAL_ADDRESS)
        except DiagnosticError as error:
            self._report(str(error))
            return INVALID_PTX
        except Exception:
            self._report(traceback.format_exc())
            return LAUNCH_FAILED

    def _report(self, message: str) -> None:
        self.errors.append(message)
        print(f"simulated driver: {message}", file=sys.stderr)

    def _new_handle(self, value: Any) -> int:
        self._last_handle += 16
        self._objects[self._last_handle] = value
        return self._last_handle

    # Devices and contexts

    def cuGetErrorString(self, code: int, out: int) -> int:
        """Stores the name of an error."""
        text = ctypes.c_char_p(NAMES.get(code, f"CUresult {code}").encode())
        self.kept.append(text)
        return _put(out, c_void_p, ctypes.cast(text, c_void_p).value or 0)

    cuGetErrorName = cuGetErrorString

    def cuDeviceGet(self, out: int, number: int) -> int:
        """Stores the handle of the only device."""
        return INVALID_DEVICE if number else _put(out, c_int, 0)

    def cuDeviceGetName(self, out: int, size: int, device: int) -> int:
        """Copies the name of the device into a buffer of `size` bytes."""
        name = b"nvvm-xdsl simulator\0"
        ctypes.memmove(out, name, min(size, len(name)))
        return SUCCESS

    def cuDeviceGetUuid(self, out: int, device: int) -> int:
        """Stores an identifier of 16 bytes."""
        ctypes.memmove(out, bytes(range(16)), 16)
        return SUCCESS

    def cuDeviceTotalMem(self, out: int, device: int) -> int:
        """Stores the size of device memory in bytes."""
        return _put(out, c_size_t, SIZE)

    def cuDeviceGetAttribute(self, out: int, attribute: int, device: int) -> int:
        """Stores an attribute of the device, 0 for those not in `ATTRIBUTES`."""
        return _put(out, c_int, ATTRIBUTES.get(attribute, 0))

    def cuCtxGetCurrent(self, out: int) -> int:
        """Stores the context on top of the stack."""
        return _put(out, c_void_p, self._contexts[-1])

    def cuCtxSetCurrent(self, context: int | None) -> int:
        """Replaces the context on top of the stack."""
        self._contexts[-1] = context or 0
        return SUCCESS

    def cuCtxPushCurrent(self, context: int | None) -> int:
        """Pushes a context."""
        self._contexts.append(context or 0)
        return SUCCESS

    def cuCtxPopCurrent(self, out: int) -> int:
        """Pops a context and stores it."""
        last = self._contexts.pop() if len(self._contexts) > 1 else 0
        return _put(out, c_void_p, last)

    # Memory

    def cuMemAlloc(self, out: int, size: int, *_: int | None) -> int:
        """Allocates `size` bytes that host and device access at the same address."""
        address = self.memory.allocate(size)
        return OUT_OF_MEMORY if address is None else _put(out, c_uint64, address)

    cuMemAllocManaged = cuMemAllocAsync = cuMemHostAlloc = cuMemAllocHost = cuMemAlloc

    def cuMemFree(self, address: int | None, *_: int | None) -> int:
        """Frees an allocation."""
        return SUCCESS if not address or self.memory.free(address) else INVALID_VALUE

    cuMemFreeAsync = cuMemFreeHost = cuMemFree

    def cuMemHostRegister(self, host: int, size: int, flags: int) -> int:
        """Gives host memory an address that the device can access."""
        return OUT_OF_MEMORY if self.memory.allocate(size, host) is None else SUCCESS

    def cuMemHostUnregister(self, host: int) -> int:
        """Frees the device address of host memory."""
        return SUCCESS if self.memory.unregister(host) else INVALID_VALUE

    def cuMemHostGetDevicePointer(self, out: int, host: int, flags: int) -> int:
        """Stores the device address of pinned or registered memory."""
        return _put(out, c_uint64, self.memory.device_address(host))

    def cuMemGetInfo(self, free: int, total: int) -> int:
        """Stores the free and all bytes of device memory."""
        _put(free, c_size_t, SIZE - self.memory.used)
        return _put(total, c_size_t, SIZE)

    def cuMemGetAddressRange(self, base: int | None, size: int | None, address: int) -> int:
        """Stores the start and size of the allocation that contains an address."""
        found = self.memory.containing(address)
        if found is None:
            return NOT_FOUND
        _put(base, c_uint64, found[0])
        return _put(size, c_size_t, found[1])

    def cuPointerGetAttribute(self, out: int, attribute: int, address: int) -> int:
        """Stores an attribute of a device address."""
        if self.memory.containing(address) is None:
            return INVALID_VALUE
        values = {
            1: (c_void_p, CONTEXT),
            2: (c_int, 2),  # device memory
            3: (c_uint64, address),
            4: (c_void_p, self.memory.host_address(address)),
            8: (c_int, 0),  # not managed
            9: (c_int, 0),  # the device
        }
        return _put(out, *values[attribute]) if attribute in values else INVALID_VALUE

    def cuMemcpy(self, target: int | None, source: int | None, size: int, *_: int | None) -> int:
        """Copies between host and device memory, in any direction."""
        if not size:
            return SUCCESS
        if not target or not source:
            return INVALID_VALUE
        self._read_variable(source)
        ctypes.memmove(self.memory.host_address(target), self.memory.host_address(source), size)
        self._write_variable(target)
        return SUCCESS

    cuMemcpyAsync = cuMemcpyHtoD = cuMemcpyHtoDAsync = cuMemcpyDtoH = cuMemcpyDtoHAsync = cuMemcpy
    cuMemcpyDtoD = cuMemcpyDtoDAsync = cuMemcpy

    def cuMemsetD8(self, target: int, value: int, count: int, *_: int | None) -> int:
        """Sets bytes of device memory."""
        ctypes.memset(self.memory.host_address(target), value, count)
        self._write_variable(target)
        return SUCCESS

    cuMemsetD8Async = cuMemsetD8

    # Streams and events

    def cuStreamCreate(self, out: int, *_: int) -> int:
        """Stores the handle of a new stream or event."""
        return _put(out, c_void_p, self._new_handle(None))

    cuStreamCreateWithPriority = cuEventCreate = cuStreamCreate

    def cuStreamAddCallback(
        self, stream: int | None, callback: int, data: int | None, flags: int
    ) -> int:
        """Calls a function of the host at once."""
        ctypes.CFUNCTYPE(None, c_void_p, c_int, c_void_p)(callback)(stream, SUCCESS, data)
        return SUCCESS

    def cuLaunchHostFunc(self, stream: int | None, callback: int, data: int | None) -> int:
        """Calls a function of the host at once."""
        ctypes.CFUNCTYPE(None, c_void_p)(callback)(data)
        return SUCCESS

    # Linking, modules and variables

    def cuLinkCreate(self, count: int, options: int, values: int, out: int) -> int:
        """Stores the handle of a new linker."""
        texts: list[str] = []
        return _put(out, c_void_p, self._new_handle(texts))

    def cuLinkAddData(self, linker: int, kind: int, data: int, size: int, *_: int | None) -> int:
        """Adds PTX to a linker."""
        if kind != PTX:
            self._report(f"an input of the linker is not PTX (CUjitInputType {kind})")
            return INVALID_VALUE
        self._objects[linker].append(ctypes.string_at(data, size).rstrip(b"\0").decode())
        return SUCCESS

    def cuLinkComplete(self, linker: int, out: int, size: int) -> int:
        """Stores the linked PTX, which `cuLinkDestroy` frees."""
        data = ctypes.create_string_buffer(SEPARATOR.join(self._objects[linker]).encode())
        # The client may use it until it destroys the linker.
        self._objects[linker] = data
        _put(size, c_size_t, len(data))
        return _put(out, c_void_p, ctypes.addressof(data))

    def cuLinkDestroy(self, linker: int) -> int:
        """Frees a linker."""
        del self._objects[linker]
        return SUCCESS

    def cuModuleLoadData(self, out: int, code: int, *_: int | None) -> int:
        """Reads PTX and stores the handle of the module."""
        text = ctypes.string_at(code)
        if not text.lstrip().startswith((b"//", b".")):
            self._report("a module is not PTX")
            return INVALID_PTX
        return _put(out, c_void_p, self._new_handle(Module(text.decode())))

    cuLibraryLoadData = cuModuleLoadDataEx = cuModuleLoadData

    def cuModuleGetFunction(self, out: int, module: int, name: int) -> int:
        """Stores the handle of a kernel."""
        loaded: Module = self._objects[module]
        wanted = ctypes.string_at(name).decode()
        if wanted not in loaded.program.infos:
            return NOT_FOUND
        return _put(out, c_void_p, self._new_handle((loaded, wanted)))

    cuLibraryGetKernel = cuModuleGetFunction

    def cuLibraryGetModule(self, out: int, library: int) -> int:
        """Stores the module of a library, which is the same object."""
        return _put(out, c_void_p, library)

    cuKernelGetFunction = cuLibraryGetModule

    def cuKernelGetLibrary(self, out: int, kernel: int) -> int:
        """Stores the library of a kernel."""
        module, _ = self._objects[kernel]
        handles = (handle for handle, value in self._objects.items() if value is module)
        return _put(out, c_void_p, next(handles))

    def cuModuleGetGlobal(self, out: int | None, size: int | None, module: int, name: int) -> int:
        """Stores the address and size of a copy of a variable that the host accesses."""
        loaded: Module = self._objects[module]
        found = loaded.program.placement.variables.get(ctypes.string_at(name).decode())
        if found is None:
            return NOT_FOUND
        address = self.memory.allocate(found.size)
        if address is None:
            return OUT_OF_MEMORY
        loaded.copies[address] = found.name
        _put(size, c_size_t, found.size)
        return _put(out, c_uint64, address)

    cuLibraryGetGlobal = cuModuleGetGlobal

    def _variables_at(self, address: int) -> Iterator[tuple[Module, str, np.ndarray[Any, Any]]]:
        """The module, name and copy of the variable that the host accesses at an address."""
        found = self.memory.containing(address)
        for value in list(self._objects.values()):
            if found is not None and isinstance(value, Module) and found[0] in value.copies:
                yield value, value.copies[found[0]], self.memory.arrays[found[0]]

    def _read_variable(self, address: int) -> None:
        for module, name, copy in self._variables_at(address):
            copy[:] = np.frombuffer(module.contents_of(name), np.uint8)

    def _write_variable(self, address: int) -> None:
        for module, name, copy in self._variables_at(address):
            module.variables[name] = copy.tobytes()

    # Kernels

    def cuFuncGetAttribute(self, out: int, attribute: int, kernel: int, *_: int) -> int:
        """Stores an attribute of a kernel. The number of registers is not known and always 32."""
        module, name = self._objects[kernel]
        bound = module.program.bounds(name).max_threads
        values = {
            0: bound or ATTRIBUTES[1],  # threads of a block
            1: module.bytes_in(SHARED),
            2: module.bytes_in(CONSTANT),
            3: module.local_bytes(name),
            4: 32,  # registers
            5: 90,  # PTX version
            6: 90,  # version of the machine code
        }
        return _put(out, c_int, values.get(attribute, 0))

    cuKernelGetAttribute = cuFuncGetAttribute

    def cuOccupancyMaxActiveBlocksPerMultiprocessor(
        self, out: int, kernel: int, threads: int, *_: int
    ) -> int:
        """Stores the number of blocks that the limit of threads allows."""
        return _put(out, c_int, max(1, min(ATTRIBUTES[106], ATTRIBUTES[39] // max(threads, 1))))

    cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags = (
        cuOccupancyMaxActiveBlocksPerMultiprocessor
    )

    def cuOccupancyMaxPotentialBlockSize(
        self, blocks: int, threads: int, kernel: int, shared: int, dynamic: int, limit: int, *_: int
    ) -> int:
        """Stores one block for each multiprocessor, and at most 256 threads for a block."""
        _put(blocks, c_int, ATTRIBUTES[16])
        return _put(threads, c_int, min(256, limit or 256))

    cuOccupancyMaxPotentialBlockSizeWithFlags = cuOccupancyMaxPotentialBlockSize

    def cuLaunchKernel(self, kernel: int, *args: Any) -> int:
        """Runs a kernel."""
        shared, _, parameters, *_ = args[6:]
        return self._launch(kernel, args[:3], args[3:6], shared, parameters)

    cuLaunchCooperativeKernel = cuLaunchKernel

    def cuLaunchKernelEx(
        self, config: int, kernel: int, parameters: int | None, extra: int | None
    ) -> int:
        """Runs a kernel with a structure of sizes."""
        sizes = (c_uint * 7).from_address(config)
        return self._launch(kernel, sizes[:3], sizes[3:6], sizes[6], parameters)

    def _launch(
        self,
        kernel: int,
        grid: Sequence[int],
        block: Sequence[int],
        shared: int,
        parameters: int | None,
    ) -> int:
        """Runs a kernel.

        Arguments:
            shared: bytes of dynamic shared memory.
            parameters: the address of an array with the addresses of the arguments.
        """
        module, name = self._objects[kernel]
        self.launches += 1
        wanted = module.program.parameters(name)
        places = (c_void_p * len(wanted)).from_address(parameters) if parameters else ()
        result = launch(
            module.program,
            name,
            grid,
            block,
            [ctypes.string_at(place, p.size) for p, place in zip(wanted, places)],
            shared_bytes=shared,
            limits=self.limits,
            variables=module.variables,
            memory=self.memory.arrays,
        )
        module.variables.update(result.variables)
        if result.output:
            sys.stdout.flush()
            os.write(1, result.output.encode())
        return SUCCESS
