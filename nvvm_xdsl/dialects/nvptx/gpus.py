"""The GPUs: supporting PTX versions, families, and limits of a multiprocessor.

Sources: PTX ISA 9.5, section 11.1.2 (`.target`), and its release notes (chapter 13); CUDA C++ Programming Guide,
"Technical Specifications per Compute Capability"; granularities from the toolkit's cuda_occupancy.h.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

_KIB = 1024


@dataclass(frozen=True)
class Multiprocessor:
    """Resources of one multiprocessor."""

    warps: int
    blocks: int
    shared_memory: int
    shared_memory_of_block: int
    """Maximum per block."""
    registers_of_block: int = 65536
    reserved_shared_memory: int = 0
    """Bytes of each block that the system reserves."""
    shared_unit: int = 256
    """Allocation unit of shared memory in bytes."""
    partitions: int = 4
    """Partitions, each with its share of the registers, among which warps are distributed."""
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


def _volta() -> Multiprocessor:
    return Multiprocessor(64, 32, 96 * _KIB, 96 * _KIB)


@dataclass(frozen=True)
class Gpu:
    """A GPU, `sm_<number>`. PTX versions are times ten; 0 is no version.

    Arguments:
        ptx: the first version that supports `sm_<number>`.
        limits: its multiprocessor; None if no document states it.
        a: the first version that supports `sm_<number>a`.
        f: the first version that supports `sm_<number>f`.
        family: the GPUs that run code of `sm_<number>f`.
        cluster: thread blocks of the largest portable cluster; 1 is no clusters.
        packed_f32: whether one machine instruction computes two f32. On other GPUs PTX's `.f32x2`
            is split.
        reserved_in_code: bytes at the start of shared memory that machine code reserves for the
            system.
        is_target: whether it is a target of compilation. PTX for other GPUs is read and assembled
            for newer ones.
    """

    ptx: int
    limits: Multiprocessor | None = None
    a: int = 0
    f: int = 0
    family: tuple[int, ...] = ()
    cluster: int = 1
    packed_f32: bool = False
    reserved_in_code: int = 0
    is_target: bool = True


def _old(ptx: int, limits: Multiprocessor | None = None) -> Gpu:
    return Gpu(ptx, limits, is_target=False)


def _blackwell(
    ptx: int,
    a: int,
    f: int,
    family: tuple[int, ...],
    limits: Multiprocessor,
    *,
    packed_f32: bool = False,
) -> Gpu:
    return Gpu(
        ptx,
        limits,
        a,
        f,
        family,
        cluster=8,
        packed_f32=packed_f32,
        reserved_in_code=_KIB,
    )


GPUS: Final[dict[int, Gpu]] = {
    10: _old(10),
    11: _old(10),
    12: _old(14),
    13: _old(14),
    20: _old(20),
    21: _old(20),
    30: _old(30),
    32: _old(40),
    35: _old(31),
    37: _old(41),
    50: _old(40, _before_7(64)),
    52: _old(41, _before_7(96)),
    53: _old(42, _before_7(64, registers_of_block=32768)),
    60: _old(50, _before_7(64, partitions=2)),
    61: _old(50, _before_7(96)),
    62: _old(50, _before_7(64, registers_of_block=32768)),
    70: Gpu(60, _volta()),
    72: Gpu(61, _volta()),
    75: Gpu(63, Multiprocessor(32, 16, 64 * _KIB, 64 * _KIB)),
    80: Gpu(70, _since_8(64, 32, 164)),
    82: _old(62),
    86: Gpu(71, _since_8(48, 16, 100)),
    87: Gpu(74, _since_8(48, 16, 164)),
    88: Gpu(90, _since_8(48, 16, 100)),
    89: Gpu(78, _since_8(48, 24, 100)),
    90: Gpu(78, _since_8(64, 32, 228), a=80, cluster=8, reserved_in_code=_KIB),
    100: _blackwell(86, 86, 88, (100, 103, 107), _since_8(64, 32, 228), packed_f32=True),
    101: _blackwell(86, 86, 88, (101, 110), _since_8(48, 24, 228)),
    103: _blackwell(88, 88, 88, (103, 107), _since_8(64, 32, 228), packed_f32=True),
    107: _blackwell(94, 94, 94, (107,), _since_8(32, 16, 228), packed_f32=True),
    110: _blackwell(90, 90, 90, (110, 101), _since_8(48, 24, 228)),
    120: _blackwell(87, 87, 88, (120, 121), _since_8(48, 24, 100)),
    121: _blackwell(88, 88, 88, (121,), _since_8(48, 24, 100)),
}
"""By number. ptxas assembles PTX for all of them, with sm_82 undocumented, for any newer GPU."""

MULTIPROCESSORS: Final[dict[int, Multiprocessor]] = {
    number: gpu.limits for number, gpu in GPUS.items() if gpu.limits is not None
}
"""By number."""


def nearest_gpu(number: int) -> Gpu:
    """The GPU with a number; the nearest older one if it is unknown."""
    return GPUS[max((known for known in GPUS if known <= number), default=min(GPUS))]


PACKED_F32: Final = frozenset(number for number, gpu in GPUS.items() if gpu.packed_f32)
"""GPUs that compute two f32 in one instruction."""

FIRST_WITH_SUBNORMALS: Final = 20
"""The first GPU that computes with subnormal f32; older ones flush them to zero."""
