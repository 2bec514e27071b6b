"""How many warps of a kernel run on a multiprocessor at once.

The limits are those of the CUDA C++ Programming Guide ("Technical Specifications per Compute
Capability"), the granularities those of the toolkit's cuda_occupancy.h, against which they are tested.
"""

from __future__ import annotations

from dataclasses import dataclass

from nvvm_xdsl.ir.nvptx import WARP_SIZE

_KIB = 1024


@dataclass(frozen=True)
class Multiprocessor:
    """Resources of one multiprocessor."""

    warps: int
    blocks: int
    shared_memory: int
    shared_memory_of_block: int
    """The most that a block may ask for."""
    registers_of_block: int = 65536
    reserved_shared_memory: int = 0
    """Bytes that each block loses to the system."""
    shared_unit: int = 256
    """Bytes in which shared memory is given to blocks."""
    partitions: int = 4
    """Parts, each with its share of the registers, which warps are dealt to."""
    registers: int = 65536


def _since_8(warps: int, blocks: int, kib: int) -> Multiprocessor:
    return Multiprocessor(
        warps,
        blocks,
        kib * _KIB,
        (kib - 1) * _KIB,
        reserved_shared_memory=_KIB,
        shared_unit=128,
    )


def _before_7(kib: int, *, registers_of_block: int = 65536, partitions: int = 4) -> Multiprocessor:
    return Multiprocessor(
        64,
        32,
        kib * _KIB,
        48 * _KIB,
        registers_of_block=registers_of_block,
        partitions=partitions,
    )


MULTIPROCESSORS: dict[int, Multiprocessor] = {
    50: _before_7(64),
    52: _before_7(96),
    53: _before_7(64, registers_of_block=32768),
    60: _before_7(64, partitions=2),
    61: _before_7(96),
    62: _before_7(64, registers_of_block=32768),
    70: Multiprocessor(64, 32, 96 * _KIB, 96 * _KIB),
    72: Multiprocessor(64, 32, 96 * _KIB, 96 * _KIB),
    75: Multiprocessor(32, 16, 64 * _KIB, 64 * _KIB),
    80: _since_8(64, 32, 164),
    86: _since_8(48, 16, 100),
    87: _since_8(48, 16, 164),
    88: _since_8(48, 16, 100),
    89: _since_8(48, 24, 100),
    90: _since_8(64, 32, 228),
    100: _since_8(64, 32, 228),
    103: _since_8(64, 32, 228),
    110: _since_8(48, 24, 228),
    120: _since_8(48, 24, 100),
    121: _since_8(48, 24, 100),
}
"""By architecture, as in `sm_90`."""

MAX_REGISTERS = 255
"""The most registers of a thread."""
REGISTER_UNIT = 256
"""Registers are given to warps in such units."""
MAX_THREADS = 1024
"""The most threads of a block."""


def multiprocessor(architecture: int) -> Multiprocessor:
    """The multiprocessor of an architecture; of the nearest older one when it is not known."""
    known = [a for a in MULTIPROCESSORS if a <= architecture]
    return MULTIPROCESSORS[max(known) if known else min(MULTIPROCESSORS)]


@dataclass(frozen=True)
class Occupancy:
    """How many blocks and warps run on one multiprocessor, and what keeps more from it."""

    blocks: int
    warps: int
    limit: str
    share: float


def occupancy(architecture: int, registers: int, threads: int, shared_memory: int = 0) -> Occupancy:
    """The occupancy of a kernel.

    Arguments:
        architecture: as in `sm_90`.
        registers: 32-bit registers of a thread.
        threads: threads of a block.
        shared_memory: bytes of shared memory of a block.
    """
    machine = multiprocessor(architecture)
    warps = max(1, -(-threads // WARP_SIZE))
    bounds = {
        "blocks": machine.blocks,
        "warps": machine.warps // warps if threads <= MAX_THREADS else 0,
    }
    if registers:
        bounds["registers"] = _blocks_by_registers(machine, registers, warps)
    used = shared_memory + machine.reserved_shared_memory
    used = -(-used // machine.shared_unit) * machine.shared_unit
    if shared_memory > machine.shared_memory_of_block:
        bounds["shared memory"] = 0
    elif used:
        bounds["shared memory"] = machine.shared_memory // used
    limit = min(bounds, key=lambda name: bounds[name])
    blocks = bounds[limit]
    return Occupancy(blocks, blocks * warps, limit, blocks * warps / machine.warps)


def _blocks_by_registers(machine: Multiprocessor, registers: int, warps: int) -> int:
    """Blocks that the registers suffice for: whole warps in each partition."""
    each = -(-registers * WARP_SIZE // REGISTER_UNIT) * REGISTER_UNIT
    dealt = -(-warps // machine.partitions) * machine.partitions
    if registers > MAX_REGISTERS or each * dealt > machine.registers_of_block:
        return 0
    return machine.registers // machine.partitions // each * machine.partitions // warps
