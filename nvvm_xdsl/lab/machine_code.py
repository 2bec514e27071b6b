"""How often the machine instructions that ptxas made of PTX run, without a GPU.

The simulator says how often each PTX instruction runs. ptxas is given a line table in which every
PTX instruction is a line of its own, and nvdisasm says from which line each machine instruction
comes. ptxas unrolls loops, moves instructions and merges blocks, so that the lines of a block of
machine code do not say by themselves how often it runs. The counts of blocks are those flows through
the control-flow graph that fit the counts of the PTX best: a linear program over

- conservation: a thread that enters a block leaves it;
- anchors: a PTX instruction that becomes one machine instruction, or one in each copy of an
  unrolled body (loads, stores, atomics, floating-point arithmetic, barriers, shuffles, matrix
  products), runs as often as all its copies together; under a predicate at most that often. A wider access
  may stand for several rounds.

Among flows that fit equally well it chooses the one with the fewest instructions. Misfits are
reported: `Weighted.deviation` and `Weighted.unanchored`.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

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

ANCHORS: Final[tuple[tuple[str, str], ...]] = (
    (r"ld\.global|ld\.nc|ldu", r"LDG"),
    (r"st\.global", r"STG"),
    (r"ld\.shared", r"LDS"),
    (r"st\.shared", r"STS"),
    (r"ld\.local", r"LDL"),
    (r"st\.local", r"STL"),
    (r"(?:ld|ldu)\.(?!param|const)", r"LD(?:\.|$)"),
    (r"st\.(?!param|async|bulk)", r"ST(?:\.|$)"),
    (r"atom|red\.", r"ATOM|RED"),
    (r"cp\.async\.c[ag]", r"LDGSTS"),
    (r"fma\.\w+(?:\.ftz)?(?:\.sat)?\.f32$", r"FFMA"),
    (r"fma\.\w+\.f64$", r"DFMA"),
    (r"add\.\w+\.f64$|add\.f64$|sub\.\w*\.?f64$", r"DADD|DFMA"),
    (r"mul\.\w+\.f64$|mul\.f64$", r"DMUL|DFMA"),
    (r"bar\.sync|barrier\.", r"BAR"),
    (r"shfl", r"SHFL"),
    (r"(?:mma|wmma\.mma)\.", r"[A-Z]MMA"),
    (r"ldmatrix", r"LDSM"),
)
"""PTX opcodes that become one machine instruction each, and how its opcode begins."""

_ANCHORS = tuple((re.compile(ptx), re.compile(sass)) for ptx, sass in ANCHORS)

_ACCESS = re.compile(r"(?:ld|st|ldu)\.")
_VECTOR = re.compile(r"\.v(\d)\b")
_BITS = re.compile(r"\.[busf](\d+)$")
_WIDE = re.compile(r"\.(64|128|256)\b")

_PAYS_FOR_MISFIT: Final = 1000.0
"""Of a thread that an anchor is counted wrong by, relative to an instruction executed."""

_PAYS_FOR_DISTANCE: Final = 25.0
"""The same for a line that is not an anchor: one weighs more than the instructions of the block
before a loop.
"""


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
    """The machine code of a kernel and of the routines that its section holds."""

    name: str
    blocks: list[MachineBlock]


@dataclass
class Weighted:
    """How often machine code runs.

    Attributes:
        blocks: for each block the threads that run it.
        threads: machine instructions executed, counted by thread.
        warps: counted by warp: lanes are active as they are at the PTX lines that a block runs as a
            whole. Predicated and moved instructions come from lines where fewer or more are.
        deviation: how far anchors are off, relative to the runs of all of them: 0 is a perfect fit.
        unanchored: the share of `threads` in blocks that no anchor speaks of.
    """

    blocks: list[float]
    threads: float
    warps: float
    deviation: float
    unanchored: float


def without_debug_lines(ptx: str) -> str:
    """The same PTX, each line where it was, without lines that say where source is."""
    return _DEBUG_LINE.sub("", ptx)


def with_line_table(ptx: str, places: Iterable[tuple[int, int]]) -> str:
    """PTX whose line table says of each machine instruction from which line of it it comes.

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


def disassemble(ptx: str, arch: str, places: Iterable[tuple[int, int]]) -> list[MachineFunction]:
    """The machine code that ptxas makes, each instruction with its line of the PTX.

    Arguments:
        ptx, places: see `with_line_table`.
        arch: `sm_90` ...
    Raises DiagnosticError where ptxas or nvdisasm is missing or refuses the text.
    """
    ptxas, nvdisasm = find_ptxas(), find_program("nvdisasm")
    for name, found in (("ptxas", ptxas), ("nvdisasm", nvdisasm)):
        if found is None:
            raise DiagnosticError(f"{name} was not found: install nvvm-xdsl[cuda] or set CUDA_HOME")
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "k.ptx"), Path(folder, "k.cubin")
        source.write_text(with_line_table(ptx, places))
        _run([str(ptxas), f"-arch={arch}", "-lineinfo", str(source), "-o", str(cubin)])
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
    """Blocks of a section, without the NOPs behind its end."""
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
    # `BRA.DIV` and branches with a predicate among their operands may be passed by.
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


def expected_opcode(ptx_opcode: str) -> re.Pattern[str] | None:
    """How the machine instruction begins that a PTX instruction becomes; None for no anchor."""
    return next((sass for ptx, sass in _ANCHORS if ptx.match(ptx_opcode)), None)


def rounds_of(ptx_opcode: str, opcode: str) -> int:
    """For how many accesses of PTX a machine instruction may stand: ptxas puts neighbours together."""
    bits = _BITS.search(ptx_opcode)
    if bits is None or not _ACCESS.match(ptx_opcode):
        return 1
    vector, wide = _VECTOR.search(ptx_opcode), _WIDE.search(opcode)
    asked = int(bits[1]) * (int(vector[1]) if vector else 1)
    return max(1, (int(wide[1]) if wide else 32) // asked)


@dataclass(frozen=True)
class LineCount:
    """The simulator's counts for one line of PTX.

    Attributes:
        opcode: of its instruction; of several on one line that of the first.
        threads, warps: how often it ran.
        guarded: it is predicated, so that fewer threads may take effect.
    """

    opcode: str
    threads: int
    warps: int
    guarded: bool = False


def weigh(function: MachineFunction, lines: Mapping[int, LineCount], entries: int) -> Weighted:
    """How often each block of machine code runs.

    Arguments:
        lines: by number, those that never ran with counts of 0.
        entries: threads that enter the kernel.
    Raises DiagnosticError where SciPy is missing, or no flow exists.
    """
    try:
        from scipy import optimize, sparse
    except ImportError:
        raise DiagnosticError(
            "weighing machine code needs SciPy: install nvvm-xdsl[bench]"
        ) from None
    program = _Program(function, lines, entries)
    # SciPy states its types in part only.
    equal = cast(Any, sparse).coo_matrix(
        (program.values, (program.rows, program.columns)), (len(program.right), program.size)
    )
    solved = cast(Any, optimize).linprog(
        program.costs, A_eq=equal, b_eq=program.right, method="highs"
    )
    if solved.status != 0:
        raise DiagnosticError(f"no flow fits the machine code of {function.name}: {solved.message}")
    values = cast("list[float]", solved.x.tolist())
    counts = values[: len(function.blocks)]
    sizes = [len(b.instructions) for b in function.blocks]
    threads = sum(c * s for c, s in zip(counts, sizes))
    lanes = _lanes_of(function.blocks, lines, counts)
    warps = sum(c * s / n for c, s, n in zip(counts, sizes, lanes))
    misfit = sum(values[i] for i in program.misfits)
    anchored = sum(program.anchored_runs)
    bare = sum(
        c * s for i, (c, s) in enumerate(zip(counts, sizes)) if i not in program.anchored_blocks
    )
    return Weighted(
        counts,
        threads,
        warps,
        misfit / anchored if anchored else 0.0,
        bare / threads if threads else 0.0,
    )


def _lanes_of(
    blocks: Sequence[MachineBlock], lines: Mapping[int, LineCount], counts: Sequence[float]
) -> list[float]:
    """The lanes that are active on average in each block, of which `counts` threads run it.

    Anchors, which do not move, decide the count. Otherwise lines that run as often as the block
    decide, which moved lines mostly do not; otherwise a block that runs as often, such as one that
    ends with the instruction at the reconvergence point; otherwise any of its lines; otherwise all.
    """
    found: list[float | None] = []
    by_count: dict[int, float] = {}
    for block, count in zip(blocks, counts):
        lanes = _stated_lanes(block, lines, count)
        found.append(lanes)
        if lanes is not None:
            by_count.setdefault(round(count), lanes)
    return [
        lanes or by_count.get(round(count)) or _average(_plain(block, lines)) or 32.0
        for block, count, lanes in zip(blocks, counts, found)
    ]


def _plain(
    block: MachineBlock, lines: Mapping[int, LineCount]
) -> list[tuple[MachineInstruction, LineCount]]:
    """The instructions of a block that always run, and their lines."""
    return [
        (instruction, found)
        for instruction in block.instructions
        if not instruction.predicate and (found := lines.get(instruction.line)) is not None
    ]


def _stated_lanes(
    block: MachineBlock, lines: Mapping[int, LineCount], count: float
) -> float | None:
    plain = _plain(block, lines)
    return _average([row for row in plain if _is_anchor(*row)]) or _average(
        [row for row in plain if abs(row[1].threads - count) < 0.5]
    )


def _average(rows: Sequence[tuple[MachineInstruction, LineCount]]) -> float | None:
    """Threads of a warp that run lines, on average; None where none does."""
    threads = sum(found.threads for _, found in rows)
    warps = sum(found.warps for _, found in rows)
    return threads / warps if threads and warps else None


def _is_anchor(instruction: MachineInstruction, found: LineCount) -> bool:
    expected = expected_opcode(found.opcode)
    return expected is not None and expected.match(instruction.opcode) is not None


class _Program:
    """The linear program: variables are blocks, then edges, ends, entries and misfits."""

    def __init__(
        self, function: MachineFunction, lines: Mapping[int, LineCount], entries: int
    ) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []
        self.right: list[float] = []
        self.costs: list[float] = [float(len(b.instructions)) for b in function.blocks]
        self.misfits: list[int] = []
        self.anchored_runs: list[int] = []
        self.anchored_blocks: set[int] = set()
        blocks = function.blocks
        incoming: list[list[int]] = [[] for _ in blocks]
        outgoing: list[list[int]] = [[] for _ in blocks]
        for number, block in enumerate(blocks):
            for successor in block.successors:
                edge = self._variable()
                outgoing[number].append(edge)
                incoming[successor].append(edge)
            if block.leaves:
                outgoing[number].append(self._variable())
            if block.calls:
                # As many threads run the routines as run the block that calls them.
                call: dict[int, float] = {number: -1.0}
                for callee in block.calls:
                    entry = self._variable()
                    incoming[callee].append(entry)
                    call[entry] = 1.0
                if block.instructions[-1].predicate:
                    call[self._variable()] = 1.0
                self._equation(call, 0)
        for number in range(len(blocks)):
            given = entries if number == 0 else 0
            self._equation({number: 1.0, **dict.fromkeys(incoming[number], -1.0)}, given)
            self._equation({number: 1.0, **dict.fromkeys(outgoing[number], -1.0)}, 0)
        self._anchor(blocks, lines)

    @property
    def size(self) -> int:
        """The number of instructions."""
        return len(self.costs)

    def _variable(self, cost: float = 0.0) -> int:
        self.costs.append(cost)
        return len(self.costs) - 1

    def _equation(self, terms: Mapping[int, float], right: float) -> None:
        row = len(self.right)
        for column, value in terms.items():
            self.rows.append(row)
            self.columns.append(column)
            self.values.append(value)
        self.right.append(right)

    def _anchor(self, blocks: Sequence[MachineBlock], lines: Mapping[int, LineCount]) -> None:
        anchors: dict[int, list[tuple[int, MachineInstruction]]] = {}
        others: dict[int, list[tuple[int, MachineInstruction]]] = {}
        for number, block in enumerate(blocks):
            for instruction in block.instructions:
                found = lines.get(instruction.line)
                if found is None:
                    continue
                kind = anchors if _is_anchor(instruction, found) else others
                kind.setdefault(instruction.line, []).append((number, instruction))
        # Where such a line has no machine instruction, a wider one stands for it, not for several rounds.
        gone = {(row.opcode, row.threads) for line, row in lines.items() if line not in anchors}
        for line, copies in anchors.items():
            found = lines[line]
            self.anchored_blocks.update(number for number, _ in copies)
            self.anchored_runs.append(found.threads)
            merged = (found.opcode, found.threads) not in gone
            self.misfits += self._fit(copies, found, _PAYS_FOR_MISFIT, merged=merged)
        for line, copies in others.items():
            if line not in anchors and len({i.opcode for _, i in copies}) == 1:
                self._fit(copies, lines[line], _PAYS_FOR_DISTANCE)

    def _fit(
        self,
        copies: Sequence[tuple[int, MachineInstruction]],
        line: LineCount,
        price: float,
        *,
        merged: bool = False,
    ) -> tuple[int, int]:
        """Makes copies together run as often as their line; the variables that say how they do not.

        Arguments:
            merged: an access that is wider than the line's may stand for several rounds.
        """
        terms: dict[int, float] = {}
        for number, instruction in copies:
            rounds = rounds_of(line.opcode, instruction.opcode) if merged else 1
            always = not (instruction.predicate or line.guarded)
            if not always or rounds > 1:
                # A predicated instruction is issued for all threads of its block, and takes effect
                # for some.
                some = self._variable()
                self._equation({some: 1.0, self._variable(): 1.0, number: -float(rounds)}, 0)
                if always:
                    self._equation({some: 1.0, self._variable(): -1.0, number: -1.0}, 0)
                terms[some] = 1.0
            else:
                terms[number] = terms.get(number, 0.0) + 1.0
        short, over = self._variable(price), self._variable(price)
        self._equation({**terms, short: 1.0, over: -1.0}, line.threads)
        return short, over
