"""What ptxas makes of PTX: registers, spills and machine instructions of each kernel."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from nvvm_xdsl.driver.toolkit import find_program, find_ptxas


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
_SECTION = re.compile(r"^\s*\.section\s+\.text\.([^,\s]+)", re.MULTILINE)
_INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(\S.*?);", re.MULTILINE)


class AssemblyError(Exception):
    """ptxas refused the text."""


def assemble(ptx: str, arch: str, level: int = 3) -> dict[str, Kernel]:
    """Assembles PTX and counts, by kernel. Raises AssemblyError, with ptxas's message."""
    ptxas, nvdisasm = find_ptxas(), find_program("nvdisasm")
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
        listing = ""
        if nvdisasm is not None:
            listing = subprocess.run(
                [nvdisasm, "-c", cubin], capture_output=True, text=True, check=True
            ).stdout
    frames = {m[1]: (int(m[2]), int(m[3]) + int(m[4])) for m in _FUNCTION.finditer(log)}
    counts = _instruction_counts(listing)
    kernels: dict[str, Kernel] = {}
    for match in _REGISTERS.finditer(log):
        name = match[1]
        stack, spills = frames.get(name, (0, 0))
        kernels[name] = Kernel(int(match[2]), counts.get(name, 0), spills, stack)
    return kernels


def _instruction_counts(listing: str) -> dict[str, int]:
    """Machine instructions of each section, without the padding behind the last branch."""
    counts: dict[str, int] = {}
    starts = list(_SECTION.finditer(listing))
    for at, match in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(listing)
        code = [m[1] for m in _INSTRUCTION.finditer(listing[match.start() : end])]
        counts[match[1]] = sum(1 for c in code if not c.startswith("NOP"))
    return counts
