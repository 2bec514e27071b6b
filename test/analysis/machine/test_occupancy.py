"""Occupancy, against the guide's table and the toolkit's own calculator."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest

from nvvm_xdsl.analysis.machine.occupancy import MULTIPROCESSORS, occupancy
from nvvm_xdsl.driver.toolkit import find_ptxas


@pytest.mark.parametrize(
    ("arguments", "blocks", "limit", "share"),
    [
        # sm_90: 65536 registers hold 64 warps of 32 registers.
        ((90, 32, 256, 0), 8, "warps", 1.0),
        ((90, 64, 256, 0), 4, "registers", 0.5),
        ((90, 255, 256, 0), 1, "registers", 0.125),
        ((90, 32, 32, 0), 32, "blocks", 0.5),
        ((90, 32, 128, 64 * 1024), 3, "shared memory", 12 / 64),
        ((86, 40, 1024, 0), 1, "warps", 32 / 48),
        ((75, 32, 1024, 0), 1, "warps", 1.0),
        ((70, 32, 128, 48 * 1024), 2, "shared memory", 8 / 64),
    ],
)
def test_occupancy(arguments, blocks: int, limit: str, share: float):
    found = occupancy(*arguments)
    assert (found.blocks, found.limit) == (blocks, limit)
    assert found.share == pytest.approx(share)


GUIDE = """\
50 64 32 64 48 64
52 64 32 96 48 64
53 64 32 64 48 32
60 64 32 64 48 64
61 64 32 96 48 64
62 64 32 64 48 32
70 64 32 96 96 64
72 64 32 96 96 64
75 32 16 64 64 64
80 64 32 164 163 64
86 48 16 100 99 64
87 48 16 164 163 64
88 48 16 100 99 64
89 48 24 100 99 64
90 64 32 228 227 64
100 64 32 228 227 64
101 48 24 228 227 64
103 64 32 228 227 64
107 32 16 228 227 64
110 48 24 228 227 64
120 48 24 100 99 64
121 48 24 100 99 64
"""
"""CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": warps and blocks of a
multiprocessor, KiB of shared memory of a multiprocessor and of a block, Ki registers of a block.
"""


def test_limits_equal_those_of_the_guide():
    rows = [tuple(map(int, line.split())) for line in GUIDE.splitlines()]
    assert [
        (
            architecture, m.warps, m.blocks, m.shared_memory >> 10, m.shared_memory_of_block >> 10,
            m.registers_of_block >> 10,
        )
        for architecture, m in MULTIPROCESSORS.items()
    ] == rows  # fmt: skip
    assert all(m.registers == 65536 for m in MULTIPROCESSORS.values())


CALCULATOR = """
#include <cstdio>
#include <cuda_occupancy.h>
int main() {
  int sm, warps, per_block, shared, shared_block, reserved, registers, threads, dynamic;
  while (scanf("%d %d %d %d %d %d %d %d %d", &sm, &warps, &per_block, &shared, &shared_block,
               &reserved, &registers, &threads, &dynamic) == 9) {
    cudaOccDeviceProp p;
    p.computeMajor = sm / 10; p.computeMinor = sm % 10; p.maxThreadsPerBlock = 1024;
    p.maxThreadsPerMultiprocessor = warps * 32; p.regsPerBlock = per_block;
    p.regsPerMultiprocessor = 65536; p.warpSize = 32;
    p.sharedMemPerBlock = 48 * 1024; p.sharedMemPerMultiprocessor = shared; p.numSms = 1;
    p.sharedMemPerBlockOptin = shared_block; p.reservedSharedMemPerBlock = reserved;
    cudaOccFuncAttributes f;
    f.maxThreadsPerBlock = 1024; f.numRegs = registers; f.sharedSizeBytes = 0;
    f.partitionedGCConfig = PARTITIONED_GC_OFF; f.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
    f.maxDynamicSharedSizeBytes = shared_block; f.numBlockBarriers = 0;
    cudaOccDeviceState s;
    s.cacheConfig = CACHE_PREFER_SHARED; s.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
    cudaOccResult r;
    int e = cudaOccMaxActiveBlocksPerMultiprocessor(&r, &p, &f, &s, threads, dynamic);
    printf("%d\\n", e == CUDA_OCC_SUCCESS ? r.activeBlocksPerMultiprocessor : -e);
  }
}
"""


def occupancy_header() -> Path | None:
    ptxas = find_ptxas()
    if ptxas is None:
        return None
    folder = ptxas.resolve().parents[1]
    return next((p for p in sorted(folder.rglob("cuda_occupancy.h"))), None)


@pytest.mark.skipif(
    shutil.which("g++") is None or occupancy_header() is None,
    reason="no C++ compiler or cuda_occupancy.h was found",
)
def test_occupancy_equals_that_of_the_toolkits_calculator(tmp_path: Path):
    header = occupancy_header()
    assert header is not None
    source, program = tmp_path / "calculator.cpp", tmp_path / "calculator"
    source.write_text(CALCULATOR)
    subprocess.run(["g++", "-O0", f"-I{header.parent}", source, "-o", program], check=True)
    numbers = random.Random(1)
    questions: list[tuple[int, ...]] = []
    lines: list[str] = []
    for architecture, m in MULTIPROCESSORS.items():
        for _ in range(60):
            registers = numbers.choice([16, 24, 32, 40, 64, 65, 96, 128, 168, 255])
            threads = numbers.choice([1, 32, 33, 64, 96, 128, 256, 384, 512, 1024])
            shared = numbers.choice([0, 1, 255, 256, 1000, 12345, 48 << 10, 64 << 10, 99 << 10])
            if shared > m.shared_memory_of_block:
                shared = 48 << 10
            questions.append((architecture, registers, threads, shared))
            lines.append(
                f"{architecture} {m.warps} {m.registers_of_block} {m.shared_memory} "
                f"{m.shared_memory_of_block} {m.reserved_shared_memory} {registers} {threads} {shared}"
            )
    ran = subprocess.run(
        [program], input="\n".join(lines), capture_output=True, text=True, check=True
    )
    answers = [int(line) for line in ran.stdout.split()]
    assert answers == [occupancy(*question).blocks for question in questions]


@pytest.mark.parametrize(
    ("arguments", "limit"),
    [
        ((90, 32, 2048, 0), "warps"),
        ((90, 256, 128, 0), "registers"),
        ((53, 64, 1024, 0), "registers"),
        ((86, 32, 128, 100 << 10), "shared memory"),
        ((61, 32, 128, 49 << 10), "shared memory"),
    ],
)
def test_impossible_launches_have_no_occupancy(arguments, limit: str):
    found = occupancy(*arguments)
    assert (found.blocks, found.share, found.limit) == (0, 0.0, limit)


def test_an_unknown_architecture_has_the_limits_of_the_previous_one():
    assert occupancy(95, 32, 256) == occupancy(90, 32, 256)
