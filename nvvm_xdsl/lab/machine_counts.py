"""Execution counts of machine instructions that ptxas generates from PTX, without a GPU.

The simulator counts the executions of each PTX instruction. ptxas unrolls loops, moves instructions
and merges blocks, so that the execution count of a block of machine code is not that of its PTX
lines. The counts of blocks are the flow through the control-flow graph that best fits the counts of
the PTX: a linear program over

- conservation: a thread that enters a block leaves it;
- entry: a loop runs only if it is entered;
- anchors: a PTX instruction that becomes one machine instruction, or one in each copy of an
  unrolled body (loads, stores, atomics, floating-point arithmetic, barriers, shuffles, matrix
  products), runs as often as all its copies together; under a predicate at most that often. A wider
  access may represent several iterations.

One thread runs a block an integral number of times. The program is therefore solved in integers for
one thread of each group of threads with equal counts of every PTX instruction. With more than
`MOST_GROUPS` groups it is solved in fractions for all threads together.

If several flows fit equally well, the result is the flow with the fewest instructions, because
ptxas enters the largest body of an unrolled loop first. `Weighted.spread` is the number of
additional instructions of the longest of these flows; `Weighted.deviation` and
`Weighted.unanchored` report misfits.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.graphs import strongly_connected_components
from nvvm_xdsl.lab.machine_code import MachineBlock, MachineFunction, MachineInstruction

MOST_GROUPS: Final = 16
"""Maximum number of groups that are solved separately; a group needs three integer programs."""

_SECONDS: Final = 20.0
"""Time limit of one integer program in seconds; after it the program is solved with fractions."""

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
"""PTX opcodes that become one machine instruction each, with the prefix of its opcode."""

_ANCHORS = tuple((re.compile(ptx), re.compile(sass)) for ptx, sass in ANCHORS)

_ACCESS = re.compile(r"(?:ld|st|ldu)\.")
_VECTOR = re.compile(r"\.v(\d)\b")
_MOVE = re.compile(r"U?MOV|IMAD\.MOV|CS2R|R2UR")
"""Moves, of which ptxas adds any number for one PTX instruction."""
_BITS = re.compile(r"\.[busf](\d+)$")
_WIDE = re.compile(r"\.(64|128|256)\b")

_PAYS_FOR_MISFIT: Final = 40.0
"""Cost of a misfit of an anchor per thread, relative to a line that is not an anchor."""

_PAYS_FOR_DISTANCE: Final = 1.0


@dataclass(frozen=True)
class LineCount:
    """The simulator's counts for one line of PTX.

    Attributes:
        opcode: the opcode of the first instruction of the line.
        threads, warps: execution counts by thread and by warp.
        guarded: whether it is predicated, so that it may take effect in fewer threads.
    """

    opcode: str
    threads: int
    warps: int
    guarded: bool = False


@dataclass(frozen=True)
class Group:
    """Threads that execute every line equally often.

    Attributes:
        threads: number of threads.
        runs: executions of each executed line by one thread.
    """

    threads: int
    runs: Mapping[int, int]


@dataclass
class Weighted:
    """Execution counts of machine code.

    Attributes:
        blocks: executions of each block, counted by thread.
        threads: executed machine instructions, counted by thread.
        warps: the same counted by warp, with the active lanes of the PTX lines that run as often as
            the block. Predicated and moved instructions are ignored, because their lines have other
            active lanes.
        spread: maximum number of additional instructions of another flow that fits equally well,
            relative to `threads`; 0 if the counts are unique.
        deviation: misfit of the anchors, relative to the sum of their runs; 0 is a perfect fit.
        unanchored: the share of `threads` in blocks without anchors.
    """

    blocks: list[float]
    threads: float
    warps: float
    spread: float
    deviation: float
    unanchored: float


def weigh(
    function: MachineFunction,
    lines: Mapping[int, LineCount],
    entries: int,
    groups: Sequence[Group] = (),
) -> Weighted:
    """The execution count of each block of machine code.

    Arguments:
        lines: lines by number; lines that never ran have counts of 0.
        entries: number of threads that enter the kernel.
        groups: groups of these threads with equal counts; empty if unknown.
    Raises DiagnosticError if SciPy is missing or no flow exists.
    """
    together = Group(1, {number: line.threads for number, line in lines.items()})
    known = 0 < len(groups) <= MOST_GROUPS
    longest = max((n for g in groups or (together,) for n in g.runs.values()), default=0)
    counts = [0.0] * len(function.blocks)
    misfit = anchored = most = 0.0
    bare: set[int] = set(range(len(counts)))
    for group in groups if known else (together,):
        program = _Program(function, lines, group.runs, 1 if known else entries, longest, known)
        flow = _best_flow(program, function.name)
        counts = [a + b * group.threads for a, b in zip(counts, flow.blocks)]
        most += flow.most * group.threads
        misfit += flow.misfit * group.threads
        anchored += sum(program.anchored_runs) * group.threads
        bare -= program.anchored_blocks
    sizes = [len(b.instructions) for b in function.blocks]
    threads = sum(c * s for c, s in zip(counts, sizes))
    lanes = _lanes_of(function.blocks, lines, counts)
    return Weighted(
        counts,
        threads,
        sum(c * s / n for c, s, n in zip(counts, sizes, lanes)),
        max(most / threads - 1, 0.0) if threads else 0.0,
        misfit / anchored if anchored else 0.0,
        sum(counts[i] * sizes[i] for i in bare) / threads if threads else 0.0,
    )


@dataclass
class _Flow:
    """The best flow: counts of blocks, misfits of anchors, and an upper bound of instructions."""

    blocks: list[float]
    misfit: float
    most: float


def _best_flow(program: _Program, name: str) -> _Flow:
    """The shortest of the best flows, and the length of the longest one."""
    fitting = program.solve(program.prices)
    if fitting is None:
        program.whole = False
        fitting = program.solve(program.prices)
    if fitting is None:
        raise DiagnosticError(f"no block counts are consistent with the machine code of {name}")
    # Rounding removes the tolerance for integer counts.
    tolerance = 1e-2 if program.whole else 1e-6
    program.limit(program.prices, program.cost(fitting[0]) * (1 + 1e-7) + tolerance)
    shortest = program.solve(program.lengths) or fitting
    longest = program.solve([-n for n in program.lengths])
    misfit = sum(fitting[0][i] for i in program.misfits)
    blocks = shortest[0][: program.blocks]
    if program.whole:
        blocks = [float(round(v)) for v in blocks]
    return _Flow(blocks, misfit, -longest[1] if longest else math.inf)


def expected_opcode(ptx_opcode: str) -> re.Pattern[str] | None:
    """The prefix of the machine instruction for a PTX instruction; None if it is not an anchor."""
    return next((sass for ptx, sass in _ANCHORS if ptx.match(ptx_opcode)), None)


def rounds_of(ptx_opcode: str, opcode: str) -> int:
    """The maximum number of PTX accesses that a machine instruction may represent: ptxas merges
    adjacent ones."""
    bits = _BITS.search(ptx_opcode)
    if bits is None or not _ACCESS.match(ptx_opcode):
        return 1
    vector, wide = _VECTOR.search(ptx_opcode), _WIDE.search(opcode)
    asked = int(bits[1]) * (int(vector[1]) if vector else 1)
    return max(1, (int(wide[1]) if wide else 32) // asked)


def _lanes_of(
    blocks: Sequence[MachineBlock], lines: Mapping[int, LineCount], counts: Sequence[float]
) -> list[float]:
    """The average number of active lanes in each block, given the number of threads that execute
    it.

    The count is taken from anchors, which do not move. Without anchors it is taken from lines that
    run as often as the block, which excludes most moved lines; else from a block that runs as
    often, such as one that ends with the instruction at the reconvergence point; else from any of
    its lines; else all lanes are assumed active.
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
    """The unconditional instructions of a block, and their lines."""
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
    """Average number of threads of a warp that execute lines; None if none does."""
    threads = sum(found.threads for _, found in rows)
    warps = sum(found.warps for _, found in rows)
    return threads / warps if threads and warps else None


def _is_anchor(instruction: MachineInstruction, found: LineCount) -> bool:
    expected = expected_opcode(found.opcode)
    return expected is not None and expected.match(instruction.opcode) is not None


class _Program:
    """The linear program of a flow: variables are blocks, then edges, ends, entries and misfits.

    `prices` are the costs of misfits, `lengths` the numbers of instructions of blocks.

    Arguments:
        lines: the lines of PTX.
        runs: execution count of each line.
        entries: number of entries of the kernel.
        longest: maximum number of executions of a line by a thread.
        whole: whether counts are integers.
    """

    def __init__(
        self,
        function: MachineFunction,
        lines: Mapping[int, LineCount],
        runs: Mapping[int, int],
        entries: int,
        longest: int,
        whole: bool,
    ) -> None:
        self.rows: list[int] = []
        self.columns: list[int] = []
        self.values: list[float] = []
        self.least: list[float] = []
        self.most: list[float] = []
        self.blocks = len(function.blocks)
        self.prices: list[float] = [0.0] * self.blocks
        self.whole = whole
        self.misfits: list[int] = []
        self.anchored_runs: list[int] = []
        self.anchored_blocks: set[int] = set()
        blocks = function.blocks
        calls = sum(len(b.calls) for b in blocks)
        self.bound = float(max(longest, 1) * (1 + calls) * entries)
        self.edges: list[tuple[int, int, int]] = []
        outgoing: list[list[int]] = [[] for _ in blocks]
        for number, block in enumerate(blocks):
            outgoing[number] += [self._edge(number, successor) for successor in block.successors]
            if block.leaves:
                outgoing[number].append(self._variable())
            if block.calls:
                # The routines are executed by as many threads as the block that calls them.
                call = dict.fromkeys([self._edge(number, callee) for callee in block.calls], 1.0)
                if block.instructions[-1].predicate:
                    call[self._variable()] = 1.0
                self._equation({**call, number: -1.0}, 0)
        incoming: list[list[int]] = [[] for _ in blocks]
        for variable, _, target in self.edges:
            incoming[target].append(variable)
        for number in range(len(blocks)):
            given = entries if number == 0 else 0
            self._equation({number: 1.0, **dict.fromkeys(incoming[number], -1.0)}, given)
            self._equation({number: 1.0, **dict.fromkeys(outgoing[number], -1.0)}, 0)
        self.flows = self.size
        self._enter(list(range(len(blocks))), max(longest, 1))
        self._anchor(blocks, lines, runs)
        self.lengths = [float(len(b.instructions)) for b in blocks]
        self.lengths += [0.0] * (self.size - self.blocks)

    @property
    def size(self) -> int:
        """The number of variables."""
        return len(self.prices)

    def cost(self, values: Sequence[float]) -> float:
        """The cost of a solution."""
        return sum(price * value for price, value in zip(self.prices, values))

    def solve(self, costs: Sequence[float]) -> tuple[list[float], float] | None:
        """The solution with the lowest cost, and a lower bound of all solutions."""
        try:
            from scipy import optimize, sparse
        except ImportError:
            raise DiagnosticError(
                "estimating machine code needs SciPy: install nvvm-xdsl[bench]"
            ) from None
        # SciPy's types are incomplete.
        matrix = cast(Any, sparse).coo_matrix(
            (self.values, (self.rows, self.columns)), (len(self.least), self.size)
        )
        scipy = cast(Any, optimize)
        upper = [self.bound] * self.blocks + [math.inf] * (self.size - self.blocks)
        solved = scipy.milp(
            costs,
            constraints=scipy.LinearConstraint(matrix.tocsr(), self.least, self.most),
            integrality=[int(self.whole and i < self.flows) for i in range(self.size)],
            bounds=scipy.Bounds(0, upper),
            options={"time_limit": _SECONDS, "mip_rel_gap": 1e-6},
        )
        if solved.x is None:
            return None
        lowest = solved.fun if solved.status == 0 else solved.mip_dual_bound
        return solved.x.tolist(), float(lowest)

    def limit(self, prices: Sequence[float], most: float) -> None:
        """Excludes solutions above a maximum cost."""
        self._row({i: price for i, price in enumerate(prices) if price}, -math.inf, most)

    def _variable(self, price: float = 0.0) -> int:
        self.prices.append(price)
        return len(self.prices) - 1

    def _edge(self, source: int, target: int) -> int:
        variable = self._variable()
        self.edges.append((variable, source, target))
        return variable

    def _row(self, terms: Mapping[int, float], least: float, most: float) -> None:
        for column, value in terms.items():
            self.rows.append(len(self.least))
            self.columns.append(column)
            self.values.append(value)
        self.least.append(least)
        self.most.append(most)

    def _equation(self, terms: Mapping[int, float], right: float) -> None:
        self._row(terms, right, right)

    def _enter(self, nodes: Sequence[int], longest: int) -> None:
        """Limits a loop with these blocks, and its inner loops, to `longest` iterations per
        entry."""
        successors: list[list[int]] = [[] for _ in range(self.blocks)]
        for _, source, target in self.edges:
            successors[source].append(target)
        for found in strongly_connected_components(nodes, successors):
            inside = set(found)
            entering = [e for e in self.edges if e[1] not in inside and e[2] in inside]
            if len(found) == 1 and found[0] not in successors[found[0]]:
                continue
            heads = {target for _, _, target in entering} | (inside & {0})
            if 0 not in heads:
                entries = {variable: -float(longest) for variable, _, _ in entering}
                for head in heads or inside:
                    self._row({head: 1.0, **entries}, -math.inf, 0)
            if heads:
                self._enter([n for n in found if n not in heads], longest)

    def _anchor(
        self,
        blocks: Sequence[MachineBlock],
        lines: Mapping[int, LineCount],
        runs: Mapping[int, int],
    ) -> None:
        anchors: dict[int, list[tuple[int, MachineInstruction]]] = {}
        others: dict[int, list[tuple[int, MachineInstruction]]] = {}
        for number, block in enumerate(blocks):
            for instruction in block.instructions:
                found = lines.get(instruction.line)
                if found is None:
                    continue
                if _is_anchor(instruction, found):
                    anchors.setdefault(instruction.line, []).append((number, instruction))
                elif not _MOVE.match(instruction.opcode):
                    others.setdefault(instruction.line, []).append((number, instruction))
        # If such a line has no machine instruction, a wider one represents it, not several
        # iterations.
        gone = {(row.opcode, runs.get(n, 0)) for n, row in lines.items() if n not in anchors}
        for line, copies in anchors.items():
            found, count = lines[line], runs.get(line, 0)
            self.anchored_blocks.update(number for number, _ in copies)
            self.anchored_runs.append(count)
            merged = (found.opcode, count) not in gone
            self.misfits += self._fit(copies, found, count, _PAYS_FOR_MISFIT, merged=merged)
        for line, copies in others.items():
            names = {instruction.opcode for _, instruction in copies}
            if line not in anchors and len(names) == 1:
                self._fit(copies, lines[line], runs.get(line, 0), _PAYS_FOR_DISTANCE)

    def _fit(
        self,
        copies: Sequence[tuple[int, MachineInstruction]],
        line: LineCount,
        count: int,
        price: float,
        *,
        merged: bool = False,
    ) -> tuple[int, int]:
        """Requires that copies together execute as often as their line; returns the misfit
        variables.

        Arguments:
            count: execution count of the line.
            merged: whether an access that is wider than that of the line may represent several
                iterations.
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
        self._equation({**terms, short: 1.0, over: -1.0}, count)
        return short, over
