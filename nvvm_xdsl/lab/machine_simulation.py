"""Machine code that ptxas makes of PTX, ready for the simulator."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.driver.toolkit import find_program, find_ptxas
from nvvm_xdsl.frontend.sass.reader import read_sass
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.simulator.sass.program import SassProgram

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.simulator.program import Program


def why_no_machine_code() -> str | None:
    """Why PTX cannot be assembled and disassembled here, or None."""
    for name, found in (("ptxas", find_ptxas()), ("nvdisasm", find_program("nvdisasm"))):
        if found is None:
            return f"{name} was not found: install nvvm-xdsl[cuda] or set CUDA_HOME"
    return None


def machine_module(ptx: str, arch: str, level: int = 3, filename: str = "kernel.ptx") -> ModuleOp:
    """The module of the sass dialect for PTX text.

    Arguments:
        ptx: the text.
        arch: `sm_90` ...
        level: of ptxas's optimizations.
        filename: what errors call the listing.
    Raises DiagnosticError where ptxas or nvdisasm is missing or refuses the text.
    """
    cubin = cubin_of(ptx, arch, level)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "k.cubin")
        path.write_bytes(cubin)
        listing = _run([str(find_program("nvdisasm")), "-c", "-hex", str(path)])
    return read_sass(listing, cubin, f"{filename} ({arch})")


def cubin_of(ptx: str, arch: str, level: int = 3) -> bytes:
    """The cubin that ptxas makes; arguments and errors as for `machine_module`."""
    missing = why_no_machine_code()
    if missing is not None:
        raise DiagnosticError(missing)
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        source.write_text(ptx)
        _run([str(find_ptxas()), f"-arch={arch}", f"-O{level}", str(source), "-o", str(cubin)])
        return cubin.read_bytes()


def machine_program(
    ptx: str,
    arch: str,
    source: Program | None = None,
    level: int = 3,
    counting: bool = False,
    filename: str = "kernel.ptx",
) -> SassProgram:
    """A program of machine code that can be launched; arguments as for `machine_module`.

    Arguments:
        source: the program of the PTX, which defines names and types of parameters.
        counting: count executed instructions.
    """
    return SassProgram(machine_module(ptx, arch, level, filename), source, counting)


def _run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        message = (done.stderr + done.stdout).strip().splitlines()
        raise DiagnosticError(f"{Path(command[0]).name}: {message[0] if message else 'failed'}")
    return done.stdout
