"""Round trip of PTX: parsed and printed PTX must result in the same machine code."""

from __future__ import annotations

import struct
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert as convert_to_ptx
from nvvm_xdsl.codegen.from_ptx import convert as convert_from_ptx
from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.toolkit import find_ptxas
from nvvm_xdsl.frontend.ptx import read_ptx


class AssemblyError(Exception):
    """ptxas rejected the text."""


def text_sections(cubin: bytes) -> dict[str, bytes]:
    """The machine code of each function in an ELF file of ptxas."""
    (sections_at,) = struct.unpack_from("<Q", cubin, 40)
    size, count, names_number = struct.unpack_from("<HHH", cubin, 58)
    headers = [struct.unpack_from("<IIQQQQ", cubin, sections_at + size * n) for n in range(count)]
    names_at = headers[names_number][4]
    found: dict[str, bytes] = {}
    for name_at, _, _, _, at, length in headers:
        end = cubin.index(b"\0", names_at + name_at)
        name = cubin[names_at + name_at : end].decode()
        if name.startswith(".text."):
            found[name.removeprefix(".text.")] = cubin[at : at + length]
    return found


def machine_code(text: str) -> dict[str, bytes]:
    """Assembles PTX with ptxas for its own target. Raises AssemblyError, with ptxas's message."""
    ptxas = find_ptxas()
    if ptxas is None:
        raise AssemblyError("ptxas was not found")
    arch = next(
        (
            line.split()[1].rstrip(",")
            for line in text.splitlines()
            if line.lstrip().startswith(".target")
        ),
        "sm_75",
    )
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        source.write_text(text)
        command = [str(ptxas), f"-arch={arch}", str(source), "-o", str(cubin)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode and "Unresolved extern" in done.stderr:
            # The text is a part of a program, to be linked with other parts.
            done = subprocess.run([*command, "-c"], capture_output=True, text=True)
        if done.returncode:
            log = (done.stderr + done.stdout).strip().replace(folder + "/", "")
            raise AssemblyError(log)
        return text_sections(cubin.read_bytes())


@dataclass(frozen=True)
class RoundTrip:
    """The result of `round_trip` for one text.

    Arguments:
        opcodes: the opcodes of its instructions, with modifiers.
        instructions: number of instructions.
        read: whether ptxas generates the same machine code for the text printed from the ptx
            dialect.
        converted: the same for the text printed from the nvptx dialect.
    """

    opcodes: frozenset[str]
    instructions: int
    read: bool
    converted: bool


def round_trip(text: str, name: str = "<string>") -> RoundTrip:
    """Parses PTX, prints it from both dialects and compares the results of ptxas.

    Raises AssemblyError if ptxas rejects the original or the printed text, DiagnosticError if it
    cannot be parsed.
    """
    wanted = machine_code(text)
    module = read_ptx(text, name, locations=True)
    read = machine_code(print_ptx(module)) == wanted
    converted = machine_code(print_ptx(convert_to_ptx(convert_from_ptx(module)))) == wanted
    opcodes = opcodes_of(module)
    return RoundTrip(frozenset(opcodes), len(opcodes), read, converted)


def opcodes_of(module: ModuleOp) -> list[str]:
    """The opcodes of all instructions of a module of the ptx dialect."""
    return [op.text("opcode") for op in module.walk() if isinstance(op, ptx.InstOp)]
