"""Costs of a compiler's PTX of a kernel: registers, machine code, executed instructions.

ptxas provides the static numbers. The simulator counts executed PTX instructions of given launches,
and executed machine instructions by running the machine code. If the machine code contains an
unsupported instruction, the number of executed machine instructions is estimated by fitting a flow
to the counts of the PTX (`machine_counts`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.machine.occupancy import occupancy
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.dialects.nvptx import FuncOp, InstructionOp
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.lab.assembled import Kernel, assemble
from nvvm_xdsl.lab.launches import Launch, Outcome, run
from nvvm_xdsl.lab.machine_code import MachineFunction, disassemble, without_debug_lines
from nvvm_xdsl.lab.machine_counts import Group, LineCount, Weighted, weigh
from nvvm_xdsl.lab.machine_simulation import machine_program
from nvvm_xdsl.simulator import SimulationError, prepare
from nvvm_xdsl.simulator.execution.profile import Executed, Profile, Requests
from nvvm_xdsl.simulator.instruction_classes import instruction_classes
from nvvm_xdsl.simulator.nvptx.parameter_locations import opcode_of
from nvvm_xdsl.simulator.program import Program
from nvvm_xdsl.simulator.sass.program import SassProgram

TRUSTED: Final = 0.05
"""Maximum misfit and spread up to which executed machine instructions are compared."""


@dataclass
class Measurement:
    """The costs of one kernel.

    Attributes:
        static: registers, machine instructions, spilled and local bytes.
        occupancy: the share of a multiprocessor's warps that can be resident, for the largest
            launched block.
        executed: PTX instructions, over all launches.
        machine_warps, machine_threads: executed machine instructions, counted by warp and by
            thread.
        machine_most: upper bound of `machine_warps`, which differs only for an estimate.
        deviation, unanchored: misfits of estimates, see `machine_counts.Weighted`.
        memory: requests by state space.
        divergent: number of executed branches at which a warp diverged.
        lines: for each line of the PTX, the warp-level counts.
        ptx: the text.
        outcomes: the outcome of each launch.
    """

    static: Kernel
    occupancy: float = 0.0
    executed: Executed = field(default_factory=Executed)
    machine_warps: float = 0.0
    machine_threads: float = 0.0
    machine_most: float = 0.0
    deviation: float = 0.0
    unanchored: float = 0.0
    memory: dict[str, Requests] = field(default_factory=dict[str, Requests])
    divergent: int = 0
    lines: dict[int, Executed] = field(default_factory=dict[int, Executed])
    ptx: str = ""
    outcomes: list[Outcome] = field(default_factory=list[Outcome])

    @property
    def spread(self) -> float:
        """Maximum number of additional executed machine instructions, relative to
        `machine_warps`."""
        return self.machine_most / self.machine_warps - 1 if self.machine_warps else 0.0

    @property
    def trusted(self) -> bool:
        """True if the count of executed machine instructions is precise enough for comparisons."""
        return max(self.deviation, self.spread) <= TRUSTED

    def machine_text(self) -> str:
        """The executed machine instructions, with their upper bound, or `~` for a bad fit."""
        least = f"{round(self.machine_warps):,}"
        if self.deviation > TRUSTED:
            return f"~{least}"
        if math.isinf(self.machine_most):
            return f"{least} or more"
        most = f"{round(self.machine_most):,}"
        return least if most == least else f"{least} to {most}"

    def costliest(self, count: int) -> list[tuple[int, str]]:
        """The PTX lines with the most executions by warps: count and text."""
        text = self.ptx.splitlines()
        rows = sorted(self.lines.items(), key=lambda item: (-item[1].warps, item[0]))
        return [(row.warps, text[line - 1].strip()) for line, row in rows[:count]]


@dataclass
class Executable:
    """PTX prepared to be run and measured."""

    ptx: str
    module: ModuleOp
    program: Program


def executable(ptx: str, source: Program | None, *, counting: bool = False) -> Executable:
    """Reads PTX and prepares it.

    Arguments:
        source: the program from which the PTX was compiled; it defines the types of parameters.
        counting: whether to count executed instructions.
    Raises DiagnosticError for invalid PTX.
    """
    text = without_debug_lines(ptx)
    module = convert(read_ptx(text, "kernel.ptx", locations=True))
    return Executable(text, module, prepare(module, (), source, counting))


def instruction_places(module: ModuleOp) -> list[tuple[int, int]]:
    """Line and column of each instruction in the source of a module of machine code."""
    found: list[tuple[int, int]] = []
    for func in module.ops:
        if isinstance(func, FuncOp):
            for op in _body(func):
                _, line, column = place_of(op)
                if line and column:
                    found.append((line, column))
    return found


def _body(func: FuncOp) -> Iterable[Operation]:
    for block in fast.blocks_of(func.body):
        yield from fast.ops_of(block)


def machine_functions(ready: Executable, arch: str) -> dict[str, MachineFunction]:
    """The machine code of each kernel; its instructions have their PTX lines."""
    found = disassemble(ready.ptx, arch, instruction_places(ready.module))
    return {function.name: function for function in found}


def line_counts(ready: Executable, kernel: str, profile: Profile) -> dict[int, LineCount]:
    """Execution counts in a launch of each PTX line of a kernel and of the functions in its
    file."""
    rows = profile.op_runs()
    found: dict[int, LineCount] = {}
    for func in ready.module.ops:
        if not isinstance(func, FuncOp) or (func.is_kernel and func.symbol != kernel):
            continue
        for op in _body(func):
            _, line, _ = place_of(op)
            if not line or line in found or not isinstance(op, InstructionOp):
                continue
            if not instruction_classes(op):
                continue
            row = rows.get(op, Executed())
            found[line] = LineCount(opcode_of(op), row.threads, row.warps, op.guard is not None)
    return found


def thread_groups(ready: Executable, kernel: str, profile: Profile) -> list[Group]:
    """The threads of a launch, grouped by their counts of the lines in `line_counts`."""
    lines = line_counts(ready, kernel, profile)
    found: list[Group] = []
    for threads, rows in profile.groups():
        runs: dict[int, int] = {}
        for op, count in rows.items():
            _, line, _ = place_of(op)
            if line in lines:
                runs.setdefault(line, count)
        found.append(Group(threads, runs))
    return found


def threads_of(launch: Launch) -> int:
    """Number of threads of a launch."""
    return math.prod(_dimensions(launch.grid)) * math.prod(_dimensions(launch.block))


def _dimensions(value: int | tuple[int, ...]) -> tuple[int, ...]:
    return (value,) if isinstance(value, int) else value


@dataclass
class Measurable:
    """PTX prepared to be measured, with its machine code prepared to run."""

    ready: Executable
    arch: str
    static: dict[str, Kernel]
    program: SassProgram

    @cached_property
    def machine(self) -> dict[str, MachineFunction]:
        """The blocks of each kernel's machine code, for the estimate of their execution counts."""
        return machine_functions(self.ready, self.arch)


def measurable(ptx: str, arch: str, source: Program | None = None) -> Measurable:
    """Assembles and prepares PTX; arguments and errors are those of `measure`."""
    static = assemble(ptx, arch)
    ready = executable(ptx, source, counting=True)
    program = machine_program(ready.ptx, arch, ready.program, counting=True)
    return Measurable(ready, arch, static, program)


def measure(
    ptx: str, arch: str, launches: Sequence[Launch], source: Program | None = None
) -> dict[str, Measurement]:
    """The cost of each launched kernel.

    Arguments:
        ptx: the text.
        arch: target architecture of the assembly: `sm_100` ...
        launches: the launches to measure; the counts of launches of the same kernel are added.
        source: see `executable`.
    Raises:
        AssemblyError: ptxas rejects the text.
        DiagnosticError: the text is invalid, or nvdisasm is missing.
        SimulationError: a kernel performs an invalid operation.
    """
    return measure_launches(measurable(ptx, arch, source), launches)


def measure_launches(made: Measurable, launches: Sequence[Launch]) -> dict[str, Measurement]:
    """`measure` of prepared text."""
    number = int(re.sub(r"\D", "", made.arch))
    found: dict[str, Measurement] = {}
    for launch in launches:
        name = launch.kernel
        if name not in made.static:
            continue
        static = made.static[name]
        row = found.get(name)
        if row is None:
            row = found[name] = Measurement(static, ptx=made.ready.ptx)
        outcome = run(made.ready.program, launch)
        row.outcomes.append(outcome)
        profile = outcome.profile
        assert profile is not None
        _add(row, profile, _machine_counts(made, launch, profile))
        share = occupancy(
            number,
            static.registers,
            math.prod(_dimensions(launch.block)),
            static.shared + launch.shared_bytes,
        ).share
        row.occupancy = share if not row.occupancy else min(row.occupancy, share)
    return found


def _machine_counts(made: Measurable, launch: Launch, profile: Profile) -> Weighted:
    """Executed machine instructions: exact, or an estimate if one of them is not supported."""
    name = launch.kernel
    try:
        counted = run(made.program, launch).profile
    except SimulationError as error:
        if error.kind != "unsupported":
            raise
        return weigh(
            made.machine[name],
            line_counts(made.ready, name, profile),
            threads_of(launch),
            thread_groups(made.ready, name, profile),
        )
    assert counted is not None
    total = counted.total()
    return Weighted([], total.threads, total.warps, 0.0, 0.0, 0.0)


def _add(row: Measurement, profile: Profile, weighted: Weighted) -> None:
    row.executed.add(profile.total())
    row.machine_warps += weighted.warps
    row.machine_threads += weighted.threads
    row.machine_most += weighted.warps * (1 + weighted.spread)
    row.deviation = max(row.deviation, weighted.deviation)
    row.unanchored = max(row.unanchored, weighted.unanchored)
    for space, requests in profile.by_space().items():
        row.memory.setdefault(space, Requests()).add(requests)
    row.divergent += sum(profile.divergent_branches().values())
    for op, executed in profile.instructions().items():
        _, line, _ = place_of(op)
        if line:
            row.lines.setdefault(line, Executed()).add(executed)
