"""The estimate of cycles, computed by hand from stalls, barriers and rates."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Block, Region

from nvvm_xdsl.analysis.machine.occupancy import occupancy
from nvvm_xdsl.dialects.llvm.types import I64, int_attr, string
from nvvm_xdsl.dialects.sass.ops import FunctionOp, InstructionOp
from nvvm_xdsl.lab.machine_cycles import (
    LATENCIES,
    READ_LATENCY,
    Estimate,
    as_text,
    estimate,
    interval_of,
    latency_of,
    pipe_of,
    rates_of,
)
from nvvm_xdsl.simulator.execution.memory import Mask
from nvvm_xdsl.simulator.execution.profile import Profile
from nvvm_xdsl.simulator.sass.segments import Code


def instruction(opcode: str, *operands: str, address: int = 0, **fields: int) -> InstructionOp:
    numbers = {"address": address, "stall": 1} | fields
    return InstructionOp.create(
        properties={
            "opcode": string(opcode),
            "operands": ArrayAttr([string(o) for o in operands]),
            **{name: int_attr(value, I64) for name, value in numbers.items()},
        }
    )


def estimated(
    ops: list[InstructionOp], warps: int = 8, arch: int = 90, memory: int = 500
) -> Estimate:
    """For a kernel without branches that some warps run, one block per multiprocessor."""
    for i, op in enumerate(ops):
        op.properties["address"] = int_attr(16 * i, I64)
    function = FunctionOp.create(properties={"symbol": string("k")}, regions=[Region(Block(ops))])
    code = Code([function], lambda name: 0, {})
    for segment in code.segments[:-1]:
        segment.successors.append(segment.following)
    profile = Profile([s.ops for s in code.segments], [])
    for number in range(len(code.segments)):
        profile.ran(number, Mask(np.ones(32 * warps, bool)), (0, 0, 0))
    found = occupancy(arch, 32, 32 * warps)
    return estimate(code, profile, arch, found, 32 * warps, memory)


def test_a_load_and_its_use():
    """The load issues at 0 and its result is available after 300 cycles; the use stalls 4, EXIT 5."""
    found = estimated(
        [
            instruction("LDG.E", "R2", "[R4.64]", stall=2, write=0),
            instruction("FADD", "R2", "R2", "R3", stall=4, wait=1),
            instruction("EXIT", stall=5),
        ],
        memory=300,
    )
    assert (found.alone, found.waiting) == (300 + 4 + 5, 300 - 2)
    assert found.pipes["load_store"] == 32 / 8
    assert found.pipes["issue"] == 3
    assert "latency" in as_text(found)


def test_a_barrier_waits_for_all_that_set_it():
    """Both loads set barrier 1; the second issues 4 cycles later, when its pipe is free."""
    found = estimated(
        [
            instruction("LDS", "R2", "[R4]", stall=1, write=1),
            instruction("LDS", "R3", "[R4+0x4]", stall=1, write=1),
            instruction("FADD", "R2", "R2", "R3", stall=4, wait=2),
        ]
    )
    assert found.alone == 4 + LATENCIES["shared"] + 4


def test_operands_that_are_read_late():
    found = estimated(
        [
            instruction("STG.E", "[R4.64]", "R2", stall=1, read=3),
            instruction("MOV", "R2", "0x1", stall=1, wait=8),
        ]
    )
    assert found.alone == READ_LATENCY + 1


def test_a_barrier_of_a_previous_block():
    """The next block waits for the barrier of a branch's block."""
    found = estimated(
        [
            instruction("LDS", "R2", "[R4]", stall=1, write=0),
            instruction("BAR.SYNC", "0x0", stall=5),
            instruction("FADD", "R2", "R2", "R3", stall=4, wait=1),
        ]
    )
    assert [row.waiting for row in found.blocks] == [0, LATENCIES["shared"] - 6]
    assert found.alone == LATENCIES["shared"] + 4


def test_loads_in_flight():
    """Loads issue at 0, 4 and 8, one 504 cycles after the first use; barrier 1 is set by arithmetic."""
    load = instruction("LDG.E", "R2", "[R4.64]", stall=4, write=0)
    use = instruction("FADD", "R2", "R2", "R3", stall=1, wait=1)
    assert estimated([load.clone()]).loads_in_flight == 1
    found = estimated([*(op.clone() for op in (load, load, load, use, load, use))])
    assert found.loads_in_flight == 4 * 500 / (508 + 500)
    assert "loads in flight                2.0" in as_text(found)
    assert estimated([instruction("LDS", "R2", "[R4]", write=0)]).loads_in_flight == 0


def test_loads_of_previous_blocks_are_in_flight():
    """The first block ends 9 cycles after its load was issued."""
    found = estimated(
        [
            instruction("LDG.E", "R2", "[R4.64]", stall=4, write=0),
            instruction("BAR.SYNC", "0x0", stall=5),
            instruction("LDG.E", "R3", "[R6.64]", stall=4, write=1),
            instruction("FADD", "R2", "R2", "R3", stall=4, wait=3),
        ]
    )
    assert found.loads_in_flight == 2 * 500 / 509


@pytest.mark.parametrize(("arch", "cycles"), [(80, 2), (90, 1)])
def test_many_warps_are_limited_by_a_pipe(arch: int, cycles: int):
    """64 FFMA keep the pipe of a partition busy; 16 warps share it."""
    ops = [instruction("FFMA", "R2", "R2", "R3", "R4", stall=4) for _ in range(64)]
    found = estimated(ops, warps=16, arch=arch)
    assert found.alone == 256
    assert found.pipes["fma"] == 64 * cycles
    # 64 registers files allow four blocks of 16 warps: 16 warps in each partition.
    assert found.occupancy.warps == 64
    assert (found.limit, found.cycles) == ("fma" if cycles == 2 else "issue", 64 * cycles)


@pytest.mark.parametrize(
    ("opcode", "pipe", "arch", "cycles"),
    [
        ("FFMA", "fma", 90, 1),
        ("FFMA2", "fma", 100, 2),
        ("IADD3", "alu", 90, 2),
        ("DFMA", "double", 80, 4),
        ("HFMA2", "half", 90, 1),
        ("MUFU.RCP", "special", 90, 8),
        ("LDG.E.64", "load_store", 90, 4),
        ("HMMA.16816.F32", "tensor", 80, 8),
        ("HMMA.1688.F32.TF32", "tensor", 80, 8),
        ("IMMA.16832.S8.S8", "tensor", 80, 8),
        ("DMMA.16x8x4", "tensor", 90, 16),
        ("UIADD3", "uniform", 90, 2),
        ("BRA", "control", 90, 1),
    ],
)
def test_rates(opcode: str, pipe: str, arch: int, cycles: float):
    op = instruction(opcode)
    assert (pipe_of(op), interval_of(op, rates_of(arch))) == (pipe, cycles)


@pytest.mark.parametrize(
    ("opcode", "kind"),
    [("LDS", "shared"), ("LDC", "constant"), ("MUFU.EX2", "special"), ("SHFL.IDX", "warp")],
)
def test_latencies(opcode: str, kind: str):
    assert latency_of(instruction(opcode), 123) == LATENCIES[kind]


def test_accesses_of_global_memory_take_the_stated_time():
    assert latency_of(instruction("LDG.E"), 123) == latency_of(instruction("ATOMG.E"), 123) == 123
