"""Assembly of PTX by ptxas: registers, spills and machine instructions of each kernel."""

from __future__ import annotations

import re
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.lab.ptx_roundtrip import AssemblyError, text_sections


@dataclass(frozen=True)
class Kernel:
    """One kernel in the machine code.

    Attributes:
        registers: 32-bit registers of a thread.
        instructions: number of machine instructions without NOPs.
        spills, local: bytes stored and loaded by spills, and bytes of local memory.
        loop_loads: number of global loads in the bodies of all innermost loops.
        shared: bytes of shared memory of a block that the module declares.
    """

    registers: int
    instructions: int
    spills: int
    local: int
    loop_loads: int
    shared: int = 0


_FUNCTION = re.compile(
    r"Function properties for (\S+)\s*\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
)
_REGISTERS = re.compile(
    r"Compiling entry function '([^']+)'.*?Used (\d+) registers([^\n]*)", re.DOTALL
)
_SHARED = re.compile(r"(\d+) bytes smem")

_NOP, _LOAD_GLOBAL, _BRANCH = 0x918, 0x981, 0x947
"""Opcodes of NOP, LDG and BRA, in the low 12 bits of an instruction."""

_DISTANCE_BITS = 56
"""The width of a branch offset. It is in units of four bytes from the next instruction; its low 8
bits are at bit 16, the others at bit 34 (sm_90, observed in the output of ptxas 13.0)."""


def assemble(ptx: str, arch: str, level: int = 3, maxrregcount: int = 0) -> dict[str, Kernel]:
    """Assembles PTX and returns the counts of each kernel. Raises AssemblyError with ptxas's
    message.

    Arguments:
        ptx: the text.
        arch: `sm_90` ...
        level: optimization level of ptxas.
        maxrregcount: maximum number of registers of a thread; 0 for no limit.
    """
    ptxas = find_ptxas()
    if ptxas is None:
        raise AssemblyError("ptxas was not found")
    limit = [f"-maxrregcount={maxrregcount}"] if maxrregcount else []
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        source.write_text(ptx)
        done = subprocess.run(
            [ptxas, f"-arch={arch}", "-v", f"-O{level}", *limit, source, "-o", cubin],
            capture_output=True,
            text=True,
        )
        log = done.stderr + done.stdout
        if done.returncode:
            raise AssemblyError(log.strip().replace(folder + "/", ""))
        code = machine_code(cubin.read_bytes())
    frames = {m[1]: (int(m[2]), int(m[3]) + int(m[4])) for m in _FUNCTION.finditer(log)}
    kernels: dict[str, Kernel] = {}
    for match in _REGISTERS.finditer(log):
        name = match[1]
        stack, spills = frames.get(name, (0, 0))
        ops = code.get(name, [])
        shared = _SHARED.search(match[3])
        kernels[name] = Kernel(
            int(match[2]),
            instruction_count(ops),
            spills,
            stack,
            loads_in_loops(ops),
            int(shared[1]) if shared is not None else 0,
        )
    return kernels


Instruction = tuple[int, int]
"""An instruction of sm_70 and later: its low and its high 64 bits."""


def instruction_count(code: Sequence[Instruction]) -> int:
    """The number of machine instructions without NOPs, which are padding after the last branch."""
    return sum(low & 0xFFF != _NOP for low, _ in code)


def loads_in_loops(code: Sequence[Instruction]) -> int:
    """Number of global loads in innermost loops, delimited by backedges and their targets (sm_90
    and later).

    A loop is unrolled if one iteration in machine code performs the loads of several.
    """
    loops: list[tuple[int, int]] = []
    for at, (low, high) in enumerate(code):
        if low & 0xFFF == _BRANCH:
            upper = low >> 34 | (high & 0x3FFFF) << 30
            distance = upper << 8 | low >> 16 & 0xFF
            if distance >> (_DISTANCE_BITS - 1):
                distance -= 1 << _DISTANCE_BITS
            target = at + 1 + distance // 4
            # The branch to itself after the end of a function is padding.
            if target < at:
                loops.append((target, at))
    innermost = {
        (start, end)
        for start, end in loops
        if not any(start <= s and e <= end and (s, e) != (start, end) for s, e in loops)
    }
    return sum(
        low & 0xFFF == _LOAD_GLOBAL for start, end in innermost for low, _ in code[start : end + 1]
    )


def machine_code(cubin: bytes) -> dict[str, list[Instruction]]:
    """The instructions of each function in an ELF file of ptxas, for sm_70 and later."""
    return {
        name: list(struct.iter_unpack("<QQ", code)) for name, code in text_sections(cubin).items()
    }
