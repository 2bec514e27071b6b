"""An estimate of the cycles of machine code, from its control information (compare llvm-mca).

The control information of each instruction contains the stall cycles of its warp, and the barriers
that it waits for (`dialects/sass/control_information.py`). The estimate follows one warp through each block:

- an instruction issues when the barriers that it waits for are released, and when its pipe is free;
- the next one issues after the stated stall;
- a result of variable latency releases its barrier after the latency of `LATENCIES`;
- barriers that a block leaves set are awaited in the blocks that follow.

The counts of a launch and these cycles determine the cycles of a warp that runs alone. On a
multiprocessor many warps share the issue slots and the pipes. The estimate is the maximum of the
busy cycles of the most used of these resources, and the cycles of a warp divided by the warps of a
partition.

The loads in flight are the average number of outstanding loads from global memory during the cycles
in which a warp has at least one (memory-level parallelism: Y. Chou, B. Fahs and S. Abraham,
"Microarchitecture Optimizations for Exploiting Memory-Level Parallelism", ISCA 2004).

Assumptions: four partitions with an issue slot each; rates from the table "Throughput of Native
Arithmetic Instructions" of the CUDA C++ Programming Guide if listed; every access to global memory
takes the same time; no instruction cache misses; no waiting at barriers of the block for other
warps; no limit of the bandwidth of the L2 cache and of memory.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nvvm_xdsl.analysis.machine.occupancy import Occupancy, occupancy
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.simulator.execution.profile import Profile, Requests
from nvvm_xdsl.simulator.sass.program import SassProgram
from nvvm_xdsl.simulator.sass.segments import Code, Segment

PARTITIONS: Final = 4
"""Number of partitions of a multiprocessor, each with its own issue slot and pipes."""

MEMORY_LATENCY: Final = 500
"""Cycles of an access to global memory, if none are stated."""

_L1_BYTES: Final = 128
"""Bytes per cycle of the data stage of the L1 cache and shared memory, for all partitions."""

_SECTOR: Final = 32

LATENCIES: Final = {
    "shared": 30,
    "local": 35,
    "constant": 30,
    "special": 25,
    "double": 20,
    "tensor": 35,
    "warp": 25,
    "other": 20,
}
"""Cycles until a result of variable latency is available, by kind; assumptions of the usual
magnitude."""

READ_LATENCY: Final = 10
"""Cycles until an instruction with a read barrier has read its operands."""


@dataclass(frozen=True)
class Rates:
    """Threads per cycle of each pipe of a multiprocessor, and products per cycle of the tensor
    cores."""

    fma: int
    alu: int
    half: int
    double: int
    special: int
    load_store: int
    uniform: int
    tensor: int
    """Multiply-adds of f16 in a cycle."""
    tensor_double: int


RATES: Final = {
    80: Rates(64, 64, 128, 32, 16, 32, 64, 1024, 64),
    90: Rates(128, 64, 128, 64, 16, 32, 64, 2048, 128),
    100: Rates(128, 64, 128, 64, 16, 32, 64, 2048, 64),
}
"""Rates by the first architecture that has them."""

_PIPES: Final[tuple[tuple[str, str], ...]] = (
    (r"[HIBQ]MMA$", "tensor"),
    (r"DMMA$", "tensor"),
    (r"D(?:ADD|MUL|FMA|SETP|MNMX)$", "double"),
    (r"H(?:ADD2|MUL2|FMA2|SETP2|MNMX2|SET2)$", "half"),
    (r"MUFU$|F2I$|I2F$|F2F$|FRND$|I2I$|POPC$|FLO$|BREV$", "special"),
    (r"(?:LD|ST|ATOM|RED|QSPC|SHFL|MATCH|REDUX|CREDUX|MEMBAR|CCTL|MOVM|ARRIVES|SUST|SULD|TEX|TLD|TXQ)", "load_store"),
    (r"FADD2?$|FMUL2?$|FFMA2?$|IMAD$|IDP$", "fma"),
    (r"U[A-Z]|R2UR$|S2UR$|VOTEU$|CS2UR$", "uniform"),
    (r"BRA|BRX|JMP|BSSY|BSYNC|WARPSYNC|EXIT|CALL|RET|BREAK|BMOV|NOP|BAR|DEPBAR|YIELD|BPT|NANOSLEEP|ERRBAR", "control"),
)  # fmt: skip
_PIPES_COMPILED: Final = tuple((re.compile(pattern), pipe) for pattern, pipe in _PIPES)

_KINDS: Final[tuple[tuple[str, str], ...]] = (
    (r"LDG|LD$|ATOM(?!S)|RED|SULD|TEX|TLD|TXQ|LDGSTS", "global"),
    (r"LDS|ATOMS|LDSM", "shared"),
    (r"LDL", "local"),
    (r"LDC|ULDC", "constant"),
    (r"D[AMFS]", "double"),
    (r"[HIB]MMA", "tensor"),
    (r"SHFL|MATCH|REDUX|CREDUX|S2R|S2UR|B2R|R2UR", "warp"),
    (r"MUFU|F2|I2|FRND|POPC|FLO|BREV", "special"),
)
_KINDS_COMPILED: Final = tuple((re.compile(pattern), kind) for pattern, kind in _KINDS)

_SHAPE: Final = re.compile(r"(16|8)(8)(4|8|16|32|64|128|256)$|(16|8)x(8)x(4|8|16)$")
_TENSOR_FACTORS: Final = {"TF32": 2.0, "S8": 0.5, "U8": 0.5, "S4": 0.25, "U4": 0.25}
"""Cycles relative to f16, by type."""


def rates_of(architecture: int) -> Rates:
    """The rates of an architecture; those of the nearest older one if it is unknown."""
    return RATES[max((a for a in RATES if a <= architecture), default=min(RATES))]


def pipe_of(op: InstructionOp) -> str:
    """The pipe that executes an instruction: a field of `Rates`, or `control`."""
    name = op.mnemonic
    return next((pipe for pattern, pipe in _PIPES_COMPILED if pattern.match(name)), "alu")


def interval_of(op: InstructionOp, rates: Rates) -> float:
    """Cycles for which an instruction of a warp occupies its pipe in a partition."""
    pipe = pipe_of(op)
    if pipe == "control":
        return 1.0
    if pipe == "tensor":
        return _tensor_cycles(op, rates)
    lanes: int = getattr(rates, pipe)
    cycles = WARP_SIZE / (lanes / PARTITIONS)
    # FADD2 and similar instructions are two operations.
    return 2 * cycles if pipe == "fma" and op.mnemonic.endswith("2") else cycles


def _tensor_cycles(op: InstructionOp, rates: Rates) -> float:
    shape = next((m for m in map(_SHAPE.match, op.modifiers) if m), None)
    if shape is None:
        return 1.0
    products = math.prod(int(n) for n in shape.groups() if n)
    if op.mnemonic == "DMMA":
        return products / (rates.tensor_double / PARTITIONS)
    factor = min((_TENSOR_FACTORS[m] for m in op.modifiers if m in _TENSOR_FACTORS), default=1.0)
    return factor * products / (rates.tensor / PARTITIONS)


def latency_of(op: InstructionOp, memory: int) -> int:
    """Cycles until an instruction's result is available; `memory` for accesses to global memory."""
    name = op.mnemonic
    kind = next((kind for pattern, kind in _KINDS_COMPILED if pattern.match(name)), "other")
    return memory if kind == "global" else LATENCIES[kind]


@dataclass
class BlockCycles:
    """The cycles of one warp in one block.

    Attributes:
        runs: number of executions by warps.
        cycles: cycles of one execution.
        waiting: the part of `cycles` in which no instruction could issue because of a barrier.
        loads: number of loads from global memory.
        loading: cycles that these loads add to those in which a load is outstanding.
        ops: the instructions of the block.
    """

    ops: Sequence[InstructionOp]
    runs: int
    cycles: float
    waiting: float
    loads: int = 0
    loading: float = 0.0


@dataclass
class Estimate:
    """The estimated cycles of a kernel.

    Attributes:
        warps: number of warps of the launch.
        alone: average cycles of a warp that runs alone on the multiprocessor.
        waiting: the part of `alone` spent waiting for barriers.
        pipes: average cycles for which a warp occupies each pipe and the issue slot.
        resident: maximum number of warps of a partition that run at the same time.
        memory: cycles of an access to global memory.
        blocks: the cycles of each block, by address.
    """

    warps: int
    alone: float
    waiting: float
    pipes: dict[str, float]
    resident: float
    memory: int
    occupancy: Occupancy
    blocks: list[BlockCycles] = field(default_factory=list[BlockCycles])

    @property
    def loads_in_flight(self) -> float:
        """Average number of outstanding loads while there is one; 0 without loads."""
        loading = sum(row.runs * row.loading for row in self.blocks)
        loads = sum(row.runs * row.loads for row in self.blocks)
        return loads * self.memory / loading if loading else 0.0

    @property
    def limit(self) -> str:
        """The limiting resource: a pipe, `issue`, or `latency`."""
        return max(self._bounds(), key=lambda row: row[1])[0]

    @property
    def cycles(self) -> float:
        """Cycles of a partition per warp, with the maximum number of resident warps."""
        return max(bound for _, bound in self._bounds())

    def _bounds(self) -> list[tuple[str, float]]:
        return [*self.pipes.items(), ("latency", self.alone / max(self.resident, 1.0))]


def estimate_launch(
    program: SassProgram,
    kernel: str,
    profile: Profile,
    shape: tuple[int | tuple[int, ...], int | tuple[int, ...]],
    shared_bytes: int = 0,
    memory: int = MEMORY_LATENCY,
) -> Estimate:
    """The estimate for a launch of a program.

    Arguments:
        profile: its counts.
        shape: dimensions of the grid and of a block.
        shared_bytes: dynamic shared memory of a block.
        memory: cycles of an access to global memory.
    """
    function = program.functions[kernel]
    grid, block = (math.prod((n,) if isinstance(n, int) else n) for n in shape)
    number = function.number("arch") or 0
    registers = function.number("registers") or 0
    shared = (function.number("shared") or 0) - (function.number("reserved") or 0)
    occupied = occupancy(number, registers, block, max(shared, 0) + shared_bytes)
    return estimate(program.code(kernel), profile, number, occupied, grid * block, memory)


_Barriers = dict[int, float]
"""When barriers are released, in cycles from the start of a block; `_LOADS` for the last load."""

_LOADS: Final = -1


def estimate(
    code: Code,
    profile: Profile,
    architecture: int,
    occupied: Occupancy,
    threads: int,
    memory: int = MEMORY_LATENCY,
) -> Estimate:
    """The estimate for a launch.

    Arguments:
        code: the code of the kernel.
        profile: its counts.
        architecture: `sm_90` is 90.
        occupied: resident blocks and warps of a multiprocessor.
        threads: number of threads of the launch.
        memory: cycles of an access to global memory.
    """
    rates = rates_of(architecture)
    runs = _runs(code.segments, profile)
    live = [s for s in code.segments if runs[s.number]]
    warps = max(runs[live[0].number], 1) if live else max(-(-threads // WARP_SIZE), 1)
    blocks = _follow(live, rates, memory)
    for row, segment in zip(blocks, live):
        row.runs = runs[segment.number]
    pipes: dict[str, float] = {"issue": 0.0}
    for row in blocks:
        for op in row.ops:
            pipes["issue"] += row.runs / warps
            pipe = pipe_of(op)
            pipes[pipe] = pipes.get(pipe, 0.0) + row.runs * interval_of(op, rates) / warps
    pipes["L1"] = _data_cycles(profile.by_space()) / warps
    return Estimate(
        warps,
        sum(row.runs * row.cycles for row in blocks) / warps,
        sum(row.runs * row.waiting for row in blocks) / warps,
        {name: value for name, value in pipes.items() if value},
        occupied.warps / PARTITIONS,
        memory,
        occupied,
        blocks,
    )


def _runs(segments: Sequence[Segment], profile: Profile) -> dict[int, int]:
    """The number of executions of each segment by warps."""
    counted = profile.op_runs()
    return {
        s.number: counted[s.ops[0]].warps if s.ops and s.ops[0] in counted else 0 for s in segments
    }


def _data_cycles(spaces: Mapping[str, Requests]) -> float:
    """Cycles of the data stage, per partition that shares it."""
    total = 0.0
    for row in spaces.values():
        total += row.wavefronts + row.sectors * _SECTOR / _L1_BYTES
    return total * PARTITIONS


def _follow(segments: Sequence[Segment], rates: Rates, memory: int) -> list[BlockCycles]:
    """The cycles of one warp in each segment.

    The state at the start of a block has, for each barrier, the latest time at the ends of its
    predecessors. Two iterations over the blocks suffice for a loop, whose header is also entered
    through the backedge.
    """
    predecessors: dict[int, list[int]] = {s.number: [] for s in segments}
    for segment in segments:
        for successor in segment.successors:
            if successor in predecessors:
                predecessors[successor].append(segment.number)
    left: dict[int, _Barriers] = {}
    rows: list[BlockCycles] = []
    for _ in range(2):
        rows = []
        for segment in segments:
            state = _latest(left.get(p, {}) for p in predecessors[segment.number])
            row, left[segment.number] = _walk(segment.ops, state, rates, memory)
            rows.append(row)
    return rows


def _latest(states: Iterable[_Barriers]) -> _Barriers:
    out: _Barriers = {}
    for state in states:
        for barrier, time in state.items():
            out[barrier] = max(out.get(barrier, 0.0), time)
    return out


def _walk(
    ops: Sequence[InstructionOp], state: _Barriers, rates: Rates, memory: int
) -> tuple[BlockCycles, _Barriers]:
    """Issues the instructions of a block in order; returns the barriers that are still set at its end."""
    released = dict(state)
    free: dict[str, float] = {}
    now = waiting = loading = 0.0
    loads = 0
    for op in ops:
        control = op.control
        awaited = [b for b in range(6) if control.wait >> b & 1]
        if op.mnemonic == "DEPBAR":
            awaited += [o.number for o in op.parsed if o.file == "SB" and o.number is not None]
        ready = max((released.get(b, 0.0) for b in awaited), default=0.0)
        waiting += max(ready - now, 0.0)
        pipe = pipe_of(op)
        now = max(now, ready, free.get(pipe, 0.0))
        free[pipe] = now + interval_of(op, rates)
        for barrier, latency in (
            (control.write, latency_of(op, memory)),
            (control.read, READ_LATENCY),
        ):
            if barrier is not None:
                # A barrier is a counter: it is released when all of its instructions are complete.
                released[barrier] = max(released.get(barrier, 0.0), now + latency)
        if op.mnemonic in ("LDG", "LD"):
            outstanding = max(released.get(_LOADS, 0.0), now)
            released[_LOADS] = now + memory
            loads += 1
            loading += now + memory - outstanding
        now += max(control.stall, 1)
    left = {barrier: time - now for barrier, time in released.items() if time > now}
    return BlockCycles(list(ops), 0, now, waiting, loads, loading), left


def as_text(found: Estimate) -> str:
    """The estimate as text."""
    limit = found.occupancy.limit
    lines = [
        "cycles, estimated from control information (assumptions: docs/machine-code.md):",
        f"  a warp alone          {found.alone:12,.0f}, including {found.waiting:,.0f} of waiting for results"
        f" (global memory: {found.memory} cycles)",
        f"  loads in flight       {found.loads_in_flight:12,.1f} on average, while there is one",
        f"  warps at once         {found.occupancy.warps:12,d} of a multiprocessor, limited by {limit}",
        f"  each warp of many     {found.cycles:12,.0f} of a partition, limited by {found.limit}",
        "",
        "  busy cycles of a warp",
    ]
    for name, value in sorted(found.pipes.items(), key=lambda row: -row[1]):
        lines.append(f"    {name:<16s}{value:12,.1f}")
    lines += ["", "  block              runs      cycles     waiting  instructions"]
    for row in found.blocks:
        first = row.ops[0].address if row.ops else 0
        lines.append(
            f"  {first:#08x} {row.runs:14,d} {row.cycles:11,.0f} {row.waiting:11,.0f} {len(row.ops):13,d}"
        )
    return "\n".join(lines) + "\n"
