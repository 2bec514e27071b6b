"""What ptxas makes of PTX: registers, spills and machine instructions of each kernel."""

from __future__ import annotations

import re
import struct
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nvvm_xdsl.driver.toolkit import find_ptxas


@dataclass(frozen=True)
class Kernel:
    """One function in the machine code: bytes are those of its local memory."""

    registers: int
    instructions: int
    spills: int
    local: int


_FUNCTION = re.compile(
    r"Function properties for (\S+)\s*\n\s*(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads"
)
_REGISTERS = re.compile(r"Compiling entry function '([^']+)'.*?Used (\d+) registers", re.DOTALL)

_NOP = 0x918
"""Its opcode, which is in the low 12 bits of an instruction."""


class AssemblyError(Exception):
    """ptxas refused the text."""


def assemble(ptx: str, arch: str, level: int = 3) -> dict[str, Kernel]:
    """Assembles PTX and counts, by kernel. Raises AssemblyError, with ptxas's message."""
    ptxas = find_ptxas()
    if ptxas is None:
        raise AssemblyError("ptxas was not found")
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        source.write_text(ptx)
        done = subprocess.run(
            [ptxas, f"-arch={arch}", "-v", f"-O{level}", source, "-o", cubin],
            capture_output=True,
            text=True,
        )
        log = done.stderr + done.stdout
        if done.returncode:
            raise AssemblyError(log.strip().replace(folder + "/", ""))
        counts = instruction_counts(cubin.read_bytes())
    frames = {m[1]: (int(m[2]), int(m[3]) + int(m[4])) for m in _FUNCTION.finditer(log)}
    kernels: dict[str, Kernel] = {}
    for match in _REGISTERS.finditer(log):
        name = match[1]
        stack, spills = frames.get(name, (0, 0))
        kernels[name] = Kernel(int(match[2]), counts.get(name, 0), spills, stack)
    return kernels


def instruction_counts(cubin: bytes) -> dict[str, int]:
    """Machine instructions of each function in an ELF file of ptxas, for sm_70 and later.

    NOP does not count: it pads what follows the last branch.
    """
    (sections_at,) = struct.unpack_from("<Q", cubin, 40)
    size, count, names_number = struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<IIQQQQ", cubin, sections_at + size * n) for n in range(count)]
    names_at = headers[names_number][4]
    counts: dict[str, int] = {}
    for name_at, _, _, _, at, length in headers:
        end = cubin.index(b"\0", names_at + name_at)
        name = cubin[names_at + name_at : end].decode()
        if name.startswith(".text."):
            words = struct.iter_unpack("<QQ", cubin[at : at + length])
            counts[name.removeprefix(".text.")] = sum(low & 0xFFF != _NOP for low, _ in words)
    return counts
