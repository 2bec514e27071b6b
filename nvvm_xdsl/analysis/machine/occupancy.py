"""Occupancy: number of resident warps of a kernel on a multiprocessor.

The limits are in `dialects/nvptx/gpus.py`; the toolkit's cuda_occupancy.h has the same results.
"""

from __future__ import annotations

from dataclasses import dataclass

from nvvm_xdsl.dialects.nvptx.gpus import MULTIPROCESSORS, Multiprocessor
from nvvm_xdsl.ir.nvptx import WARP_SIZE

MAX_REGISTERS = 255
"""Maximum number of registers per thread."""
REGISTER_UNIT = 256
"""Allocation unit of a warp's registers."""
MAX_THREADS = 1024
"""Maximum number of threads per block."""


def multiprocessor(architecture: int) -> Multiprocessor:
    """The multiprocessor of an architecture; for unknown ones, that of the nearest older one."""
    known = [a for a in MULTIPROCESSORS if a <= architecture]
    return MULTIPROCESSORS[max(known) if known else min(MULTIPROCESSORS)]


@dataclass(frozen=True)
class Occupancy:
    """The number of resident blocks and warps of a multiprocessor, and the limiting resource."""

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
    """Number of blocks for which the registers suffice: whole warps in each partition."""
    each = -(-registers * WARP_SIZE // REGISTER_UNIT) * REGISTER_UNIT
    dealt = -(-warps // machine.partitions) * machine.partitions
    if registers > MAX_REGISTERS or each * dealt > machine.registers_of_block:
        return 0
    return machine.registers // machine.partitions // each * machine.partitions // warps
