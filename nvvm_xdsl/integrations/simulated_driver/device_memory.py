"""The memory of the simulated device, mapped into the process at its device addresses."""

from __future__ import annotations

import ctypes
import mmap
from bisect import bisect_right, insort
from typing import Any, Final

import numpy as np

START: Final = 0x1400_0000
"""The first address, above the variables of a module in the simulator."""

SIZE: Final = 1 << 28
"""Bytes of device memory."""

ALIGNMENT: Final = 512
_FIXED: Final = 0x10_0000
"""MAP_FIXED_NOREPLACE of Linux."""


class DeviceMemory:
    """Allocations by device address; host memory that a client registers has one, too.

    Raises OSError if the addresses are in use.
    """

    def __init__(self) -> None:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.mmap.restype = ctypes.c_void_p
        libc.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long)
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _FIXED
        if libc.mmap(START, SIZE, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0) != START:
            raise OSError(ctypes.get_errno(), "the addresses of device memory are in use")
        self.arrays: dict[int, np.ndarray[Any, Any]] = {}
        """The bytes of each allocation, by device address."""
        self._starts: list[int] = []
        self._registered: dict[int, int] = {}
        """The device address of registered host memory, by host address."""

    def allocate(self, size: int, host: int | None = None) -> int | None:
        """The address of a new allocation; None without space.

        Arguments:
            host: the address of host memory that the device accesses at the new address.
        """
        address = START
        for start in self._starts:
            if start - address >= size + ALIGNMENT:
                break
            end = start + self.arrays[start].nbytes + ALIGNMENT
            address = -(-end // ALIGNMENT) * ALIGNMENT
        if address + size + ALIGNMENT > START + SIZE:
            return None
        place = (ctypes.c_uint8 * max(size, 1)).from_address(address if host is None else host)
        self.arrays[address] = np.frombuffer(memoryview(place), np.uint8)
        insort(self._starts, address)
        if host is not None:
            self._registered[host] = address
        return address

    def free(self, address: int) -> bool:
        """Frees the allocation at an address; returns False if there is none."""
        if self.arrays.pop(address, None) is None:
            return False
        self._starts.remove(address)
        return True

    def unregister(self, host: int) -> bool:
        """Frees the device address of host memory; returns False if it is not registered."""
        address = self._registered.pop(host, None)
        return address is not None and self.free(address)

    def device_address(self, host: int) -> int:
        """The device address of memory that the host accesses at an address."""
        return self._registered.get(host, host)

    def host_address(self, address: int) -> int:
        """The address at which the host accesses device memory; host memory has only one address."""
        found = self.containing(address)
        if found is None:
            return address
        return int(self.arrays[found[0]].ctypes.data) + address - found[0]

    def containing(self, address: int) -> tuple[int, int] | None:
        """Start and size of the allocation that contains a device address."""
        index = bisect_right(self._starts, address) - 1
        if index < 0:
            return None
        start = self._starts[index]
        size = self.arrays[start].nbytes
        return (start, size) if address < start + size else None

    @property
    def used(self) -> int:
        """Bytes in all allocations."""
        return sum(array.nbytes for array in self.arrays.values())
