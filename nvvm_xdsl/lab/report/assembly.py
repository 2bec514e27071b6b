"""Results of NVIDIA's tools for PTX: registers and memory of each kernel, its machine code by
line."""

from __future__ import annotations

from dataclasses import dataclass, field

from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure, registers_of
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.driver.compile import machine_code
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble
from nvvm_xdsl.lab.machine_code import MachineFunction, disassemble


@dataclass(frozen=True)
class MachineLine:
    """A line of nvdisasm's listing, and its line of the PTX; 0 if unknown."""

    text: str
    line: int


@dataclass
class Assembly:
    """The results of the tools for one PTX text.

    Attributes:
        kernels: the data of ptxas for each kernel; empty without ptxas.
        code: the machine code of each function; empty without nvdisasm.
        missing: the reason why data is missing, as text for the user.
    """

    kernels: dict[str, Kernel] = field(default_factory=dict[str, Kernel])
    code: dict[str, list[MachineLine]] = field(default_factory=dict[str, list[MachineLine]])
    missing: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Point:
    """The number of live 32-bit registers after the instruction on a line of the PTX."""

    line: int
    registers: int


def pressure_of(ptx: str) -> tuple[dict[str, list[Point]], list[tuple[int, int]]]:
    """The register pressure along each function of a PTX text.

    Also returns line and column of the start of each instruction.
    Raises DiagnosticError for PTX that the nvptx dialect cannot express.
    """
    module = machine_code(read_ptx(ptx, "kernel.ptx", locations=True))
    am = AnalysisManager()
    found: dict[str, list[Point]] = {}
    places: list[tuple[int, int]] = []
    for func in module.ops:
        if not isinstance(func, FuncOp) or func.body.first_block is None:
            continue
        pressure = am.get(RegisterPressure, func)
        row: dict[int, int] = {}
        for block in pressure.cfg.blocks:
            for op, point in zip(fast.ops_of(block), pressure.points(block)):
                _, line, column = place_of(op)
                if line and column:
                    places.append((line, column))
                    row[line] = max(row.get(line, 0), registers_of(point))
        found[func.symbol] = [Point(line, count) for line, count in sorted(row.items())]
    return found, places


def _lines_of(function: MachineFunction) -> list[MachineLine]:
    """The listing of a function, without padding NOPs."""
    found: list[MachineLine] = []
    for block in function.blocks:
        found += [MachineLine(f"{label}:", 0) for label in block.label.split()]
        for one in block.instructions:
            guard = f"@{one.predicate} " if one.predicate else ""
            text = f"  /*{one.address:04x}*/ {guard}{one.opcode} {one.operands}".rstrip()
            found.append(MachineLine(text, one.line))
    while found and found[-1].text.endswith(" NOP"):
        found.pop()
    return found


def assembly_of(
    ptx: str, arch: str, places: list[tuple[int, int]], maxrregcount: int = 0
) -> Assembly:
    """Runs ptxas and nvdisasm on a PTX text.

    Arguments:
        arch: target architecture of the assembly: `sm_90` ...
        places: line and column of its instructions, see `pressure_of`.
        maxrregcount: maximum number of registers of a thread; 0 for no limit.
    """
    found = Assembly()
    try:
        found.kernels = assemble(ptx, arch, maxrregcount=maxrregcount)
        for function in disassemble(ptx, arch, places, maxrregcount):
            found.code[function.name] = _lines_of(function)
    except AssemblyError as error:
        found.missing.append(f"ptxas: {str(error).splitlines()[0]}")
    except DiagnosticError as error:
        found.missing.append(error.message)
    return found
