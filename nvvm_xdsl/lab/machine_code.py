"""Machine code that ptxas generates from PTX: blocks, and the PTX line of each instruction.

ptxas is given a line table in which every PTX instruction is a line of its own, and nvdisasm prints
the line of each machine instruction.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from nvvm_xdsl.driver.toolkit import find_program, find_ptxas
from nvvm_xdsl.ir.diagnostics import DiagnosticError

_LINE = re.compile(r'\s*//## File "[^"]*", line (\d+)')
_LABEL = re.compile(r"(\.L_\w+|[\w$.]+):\s*$")
_INSTRUCTION = re.compile(
    r"\s*/\*([0-9a-f]+)\*/\s+(?:@(!?U?P\w+)\s+)?([A-Z][\w.]*)\s*(.*?)\s*;?\s*$"
)
_TARGET = re.compile(r"`\(([^)]+)\)")
_TARGETS = re.compile(r'BRANCH_TARGETS\s+([^"]*)"')
_SECTION = re.compile(r"\s*\.section\s+\.text\.([\w$.]+),")
_DEBUG_LINE = re.compile(r"^\s*\.(?:loc|file)\b.*$", re.M)


@dataclass
class MachineInstruction:
    """One machine instruction.

    Attributes:
        address: in bytes, from the start of the function's section.
        predicate: `P0`, `!P1` ...; empty where it always runs.
        opcode: with its modifiers, as nvdisasm spells it.
        operands: the text behind the opcode.
        line: of the PTX that it comes from; 0 where that is not known.
    """

    address: int
    predicate: str
    opcode: str
    operands: str
    line: int


@dataclass
class MachineBlock:
    """A basic block of machine code.

    Attributes:
        successors: blocks by number that control may go to; a call's is what follows it.
        leaves: threads may end there, or return.
        calls: the blocks that it may call: one, or all routines where a register says which.
    """

    label: str
    instructions: list[MachineInstruction] = field(default_factory=list[MachineInstruction])
    successors: list[int] = field(default_factory=list[int])
    leaves: bool = False
    calls: list[int] = field(default_factory=list[int])


@dataclass
class MachineFunction:
    """The machine code of a kernel and of the routines in its section."""

    name: str
    blocks: list[MachineBlock]


def without_debug_lines(ptx: str) -> str:
    """The same PTX with unchanged lines, without directives of source lines."""
    return _DEBUG_LINE.sub("", ptx)


def with_line_table(ptx: str, places: Iterable[tuple[int, int]]) -> str:
    """PTX whose line table maps each machine instruction to its line of the PTX.

    Arguments:
        ptx: its text.
        places: line and column, from 1, where instructions start.
    """
    lines = without_debug_lines(ptx).split("\n")
    by_line: dict[int, int] = {}
    for line, column in places:
        by_line[line] = min(column, by_line.get(line, column))
    for line, column in by_line.items():
        text = lines[line - 1]
        lines[line - 1] = f"{text[: column - 1]}\n.loc 1 {line} 0\n{text[column - 1 :]}"
    return "\n".join(lines) + '\n.file 1 "kernel.ptx"\n'


def disassemble(
    ptx: str, arch: str, places: Iterable[tuple[int, int]], maxrregcount: int = 0
) -> list[MachineFunction]:
    """The machine code that ptxas makes, each instruction with its line of the PTX.

    Arguments:
        ptx, places: see `with_line_table`.
        arch: `sm_90` ...
        maxrregcount: registers that a thread may take; 0 for no limit.
    Raises DiagnosticError where ptxas or nvdisasm is missing or refuses the text.
    """
    limit = [f"-maxrregcount={maxrregcount}"] if maxrregcount else []
    ptxas, nvdisasm = find_ptxas(), find_program("nvdisasm")
    for name, found in (("ptxas", ptxas), ("nvdisasm", nvdisasm)):
        if found is None:
            raise DiagnosticError(f"{name} was not found: install nvvm-xdsl[cuda] or set CUDA_HOME")
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        source.write_text(with_line_table(ptx, places))
        _run([str(ptxas), f"-arch={arch}", "-lineinfo", *limit, str(source), "-o", str(cubin)])
        text = _run([str(nvdisasm), "-c", "-g", str(cubin)])
    return parse_listing(text)


def _run(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        message = (done.stderr + done.stdout).strip().splitlines()
        raise DiagnosticError(f"{Path(command[0]).name}: {message[0] if message else 'failed'}")
    return done.stdout


def parse_listing(text: str) -> list[MachineFunction]:
    """The functions of a listing of `nvdisasm -c -g`."""
    functions: list[MachineFunction] = []
    labels: list[str] = []
    line = 0
    pending: dict[str, list[tuple[str, MachineInstruction]]] = {}
    current: list[tuple[str, MachineInstruction]] | None = None
    for row in text.splitlines():
        section = _SECTION.match(row)
        if section is not None:
            current = pending.setdefault(section[1], [])
            labels, line = [], 0
            continue
        place = _LINE.match(row)
        if place is not None:
            line = int(place[1])
            continue
        found = _INSTRUCTION.match(row)
        if found is not None and current is not None:
            address, predicate, opcode, operands = found.groups()
            instruction = MachineInstruction(
                int(address, 16), predicate or "", opcode, operands or "", line
            )
            current.append((" ".join(labels), instruction))
            labels = []
            continue
        label = _LABEL.match(row.strip())
        if label is not None:
            labels.append(label[1])
    for name, rows in pending.items():
        functions.append(MachineFunction(name, _blocks(rows)))
    return functions


def _ends_block(instruction: MachineInstruction) -> bool:
    head = instruction.opcode.split(".")[0]
    return head in ("BRA", "BRX", "JMP", "JMX", "EXIT", "RET", "CALL", "JMXU", "BRXU", "KILL")


def _blocks(rows: Sequence[tuple[str, MachineInstruction]]) -> list[MachineBlock]:
    """Blocks of a section, without the NOPs after its end."""
    blocks: list[MachineBlock] = []
    numbers: dict[str, int] = {}
    fresh = True
    for labels, instruction in rows:
        if instruction.opcode == "NOP" and not blocks:
            continue
        if labels or fresh:
            if not blocks or blocks[-1].instructions:
                blocks.append(MachineBlock(labels))
            for label in labels.split():
                numbers[label] = len(blocks) - 1
        blocks[-1].instructions.append(instruction)
        fresh = _ends_block(instruction)
    routines = [n for label, n in numbers.items() if n and not label.startswith(".L_")]
    for number, block in enumerate(blocks):
        _connect(block, number, numbers, len(blocks), routines)
    return blocks


def _connect(
    block: MachineBlock,
    number: int,
    numbers: Mapping[str, int],
    count: int,
    routines: Sequence[int],
) -> None:
    last = block.instructions[-1]
    head = last.opcode.split(".")[0]
    # `BRA.DIV` and branches with a predicate operand may fall through.
    conditional = (
        bool(last.predicate) or "U" in last.opcode.split(".")[1:] or last.opcode.endswith(".DIV")
    )
    conditional = conditional or bool(re.match(r"!?U?P\d\b", last.operands))
    following = [number + 1] if number + 1 < count else []
    targets = [numbers[t] for t in _TARGET.findall(last.operands) if t in numbers]
    if head in ("BRA", "JMP"):
        block.successors = targets + (following if conditional else [])
    elif head in ("BRX", "JMX", "BRXU", "JMXU"):
        listed = _TARGETS.search(last.operands)
        names = re.split(r"[,\s]+", listed[1].strip()) if listed is not None else []
        block.successors = [numbers[n] for n in names if n in numbers]
        block.successors += following if conditional else []
    elif head in ("EXIT", "RET", "KILL"):
        block.leaves = True
        block.successors = following if conditional else []
    elif head == "CALL":
        # A register before the label is part of the address computation.
        indirect = re.match(r"U?R\d+\b", last.operands) is not None
        block.calls = list(dict.fromkeys(routines)) if indirect else targets
        block.successors = following
    else:
        block.successors = following
    block.successors = list(dict.fromkeys(block.successors))
