"""Facts about PTX's special registers: their ranges, and the threads that share a value.

Ranges are those of `nvvm-intr-range`: launch bounds where the kernel states them, otherwise
the limits of the hardware (CUDA C++ Programming Guide, "Technical Specifications per Compute
Capability"; PTX ISA, "Special Registers").
"""

from __future__ import annotations

from functools import cache

from xdsl.dialects.llvm import CallIntrinsicOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds
from nvvm_xdsl.ir.nvptx import WARP_SIZE

PREFIX = "nvvm.read.ptx.sreg."

MAX_BLOCK = (1024, 1024, 64)
"""Maximum number of threads of a block in each dimension."""
MAX_THREADS = 1024
"""Maximum number of threads of a block."""
MAX_GRID = (0x7FFFFFFF, 0xFFFF, 0xFFFF)
"""Maximum number of blocks of a grid in each dimension."""
MAX_CLUSTER = 16
"""Maximum number of blocks of a cluster."""
_DIMENSIONS = {"x": 0, "y": 1, "z": 2}

PER_THREAD = frozenset(
    "tid.x tid.y tid.z laneid lanemask.eq lanemask.le lanemask.lt lanemask.ge lanemask.gt".split()
)
"""Registers that differ between the threads of a warp."""

VOLATILE = frozenset(
    "clock clock_hi clock.hi clock64 globaltimer globaltimer.lo globaltimer_lo globaltimer.hi "
    "pm0 pm1 pm2 pm3 smid warpid lanemask.active".split()
)
"""Registers that may have a different value at each read."""


_LANE_MASKS = {
    "lanemask.eq": (1, 1 << (WARP_SIZE - 1)),
    "lanemask.le": (1, (1 << WARP_SIZE) - 1),
    "lanemask.lt": (0, (1 << (WARP_SIZE - 1)) - 1),
    "lanemask.ge": (1 << (WARP_SIZE - 1), (1 << WARP_SIZE) - 1),
    "lanemask.gt": (0, (1 << WARP_SIZE) - 2),
}
"""The minimum and maximum mask of the lanes at, below or above a lane."""


def special_register(op: Operation) -> str | None:
    """The special register that the op reads, as in `tid.x`; None for other ops."""
    if type(op) is CallIntrinsicOp:
        return _register_of(intrinsic_name(op).removeprefix("llvm."))
    return _register_of(op.name)


@cache
def _register_of(name: str) -> str | None:
    return name[len(PREFIX) :] if name.startswith(PREFIX) else None


def register_range(register: str, bounds: LaunchBounds, width: int = 32) -> ConstantRange:
    """The range of the register in a function with these launch bounds."""
    found = _limits(register, bounds)
    if found is None:
        return ConstantRange.full(width)
    low, high = found
    return ConstantRange.interval(width, low, high)


def _limits(register: str, bounds: LaunchBounds) -> tuple[int, int] | None:
    if register == "warpsize":
        return WARP_SIZE, WARP_SIZE
    if register == "laneid":
        return 0, WARP_SIZE - 1
    if register in _LANE_MASKS:
        return _LANE_MASKS[register]
    if register in ("cluster.ctarank", "cluster.nctarank"):
        most = _cluster_size(bounds)
        return (0, most - 1) if register == "cluster.ctarank" else (1, most)
    base, _, dimension = register.rpartition(".")
    index = _DIMENSIONS.get(dimension)
    if index is None:
        return None
    if base in ("tid", "ntid"):
        stated = bounds.max_threads_in(index)
        most = MAX_BLOCK[index] if stated is None else min(stated, MAX_BLOCK[index])
        if base == "tid":
            return 0, most - 1
        # reqntid states the size; maxntid is an upper bound.
        return (most, most) if bounds.reqntid else (1, most)
    if base in ("ctaid", "clusterid"):
        return 0, MAX_GRID[index] - 1
    if base in ("nctaid", "nclusterid"):
        return 1, MAX_GRID[index]
    if base in ("cluster.ctaid", "cluster.nctaid"):
        stated = _cluster_dimension(bounds, index)
        most = _cluster_size(bounds) if stated is None else stated
        if base == "cluster.ctaid":
            return 0, most - 1
        return (most, most) if stated is not None else (1, most)
    return None


def _cluster_dimension(bounds: LaunchBounds, index: int) -> int | None:
    dimensions = bounds.cluster_dim
    if not dimensions or 0 in dimensions:
        return None
    return dimensions[index] if index < len(dimensions) else 1


def _cluster_size(bounds: LaunchBounds) -> int:
    dimensions = bounds.cluster_dim
    if dimensions and 0 not in dimensions:
        size = 1
        for extent in dimensions:
            size *= extent
        return size
    return bounds.cluster_max_blocks or MAX_CLUSTER
