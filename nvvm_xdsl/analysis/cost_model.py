"""What instructions cost, how long memory takes, and how many warps run at once.

Costs are issue slots of a 32-bit addition. Those of single instructions follow the throughputs
in the CUDA C++ Programming Guide ("Throughput of Native Arithmetic Instructions"), of compute
capability 9.0 where it does not say otherwise; those of divisions, square roots and functions
are rough: the length of the code that ptxas makes of them. They serve to compare, not to predict.
Latencies are orders of magnitude, as measured on one chip (Jia et al., "Dissecting the NVIDIA
Volta GPU Architecture via Microbenchmarking", 2018). Limits of occupancy are exact: the guide's
"Technical Specifications per Compute Capability" and the granularities of the toolkit's
cuda_occupancy.h, against which they are tested.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import Float64Type, VectorType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.analysis.ops import constant_integer, integer_width
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds
from nvvm_xdsl.ir import fast

LATENCY: dict[int, int] = {0: 375, 1: 375, 3: 19, 4: 27, 5: 375, 7: 180, 101: 27}
"""Cycles of a load by address space: L1 misses for what goes to memory."""

FREE = frozenset(
    "llvm.mlir.constant llvm.mlir.undef llvm.mlir.poison llvm.mlir.zero llvm.bitcast llvm.freeze "
    "llvm.intr.assume llvm.intr.lifetime.start llvm.intr.lifetime.end llvm.intr.expect "
    "llvm.intr.dbg.value llvm.intr.dbg.declare llvm.extractvalue llvm.insertvalue "
    "llvm.extractelement llvm.insertelement llvm.unreachable llvm.ptrtoint llvm.inttoptr".split()
)
"""Ops that become no instruction of their own, as a rule."""

COSTS: dict[str, int] = {
    "llvm.mul": 2,
    "llvm.fdiv": 10,
    "llvm.frem": 40,
    "llvm.udiv": 20,
    "llvm.sdiv": 24,
    "llvm.urem": 20,
    "llvm.srem": 24,
    "llvm.sitofp": 4,
    "llvm.uitofp": 4,
    "llvm.fptosi": 4,
    "llvm.fptoui": 4,
    "llvm.intr.sqrt": 8,
    "llvm.intr.sin": 20,
    "llvm.intr.cos": 20,
    "llvm.intr.exp": 8,
    "llvm.intr.exp2": 4,
    "llvm.intr.log": 8,
    "llvm.intr.log2": 4,
    "llvm.intr.pow": 40,
    "llvm.intr.ctpop": 4,
    "llvm.intr.ctlz": 4,
    "llvm.intr.cttz": 8,
    "llvm.call": 20,
    "llvm.atomicrmw": 8,
    "llvm.cmpxchg": 8,
    "llvm.load": 4,
    "llvm.store": 4,
}
"""Ops that cost more than one slot, on 32-bit operands."""

DOUBLE_WIDTH = 2
"""How much more a 64-bit integer op costs: it is done in halves."""
WIDE_MULTIPLY = 4
WIDE_DIVIDE = 4

DOUBLE_PRECISION = {60: 2, 70: 2, 80: 2, 90: 2, 100: 2}
"""How much more a double costs by architecture; on all others 32."""

_DIVISIONS = frozenset({"llvm.udiv", "llvm.sdiv", "llvm.urem", "llvm.srem"})


def instruction_cost(op: Operation, architecture: int = 90) -> int:
    """The issue slots that an op takes, in those of a 32-bit addition."""
    name = op.name
    if name in FREE:
        return 0
    cost = COSTS.get(name, 1)
    if name == "llvm.getelementptr":
        return _address_cost(op)
    type_ = op.results[0].type if op.results else None
    if type_ is None:
        return cost
    lanes = 1
    if isinstance(type_, VectorType):
        lanes = 1
        for extent in type_.get_shape():  # pyright: ignore[reportUnknownMemberType]
            lanes *= extent
        type_ = _element(type_)  # pyright: ignore[reportUnknownArgumentType]
    width = integer_width(type_)
    if name in _DIVISIONS:
        divisor = constant_integer(fast.operands_of(op)[1])
        if divisor is not None and divisor & (divisor - 1) == 0:
            return lanes * (DOUBLE_WIDTH if width > 32 else 1)
        # A division by a constant is a wide multiplication and a shift.
        base = 4 if divisor is not None else cost
        return lanes * (base * WIDE_DIVIDE if width > 32 else base)
    if width > 32:
        cost *= WIDE_MULTIPLY if name == "llvm.mul" else DOUBLE_WIDTH
    elif isinstance(type_, Float64Type) and name not in ("llvm.load", "llvm.call"):
        cost *= DOUBLE_PRECISION.get(architecture, 32)
    return cost * lanes


def _element(type_: VectorType[Attribute]) -> Attribute:
    return type_.element_type


def _address_cost(op: Operation) -> int:
    """Constant offsets go into the access; each variable index is a wide multiply-add."""
    return 2 * (len(fast.operands_of(op)) - 1)


def block_cost(ops: list[Operation], architecture: int = 90) -> int:
    """The issue slots of these ops together."""
    return sum(instruction_cost(op, architecture) for op in ops)


def load_latency(address_space: int) -> int:
    """Cycles until a load from the address space is there."""
    return LATENCY.get(address_space, LATENCY[0])


_KIB = 1024


@dataclass(frozen=True)
class Multiprocessor:
    """What one multiprocessor has."""

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

WARP_SIZE = 32
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


def register_budget(architecture: int, bounds: LaunchBounds) -> int:
    """The registers that a thread may use under these launch bounds."""
    if bounds.maxnreg:
        return bounds.maxnreg
    threads = bounds.max_threads
    if threads is None:
        return MAX_REGISTERS
    blocks = bounds.minctasm or 1
    machine = multiprocessor(architecture)
    warps = -(-threads // WARP_SIZE) * blocks
    warps = -(-warps // machine.partitions) * machine.partitions
    units = machine.registers // REGISTER_UNIT // warps
    return max(1, min(MAX_REGISTERS, units * REGISTER_UNIT // WARP_SIZE))
