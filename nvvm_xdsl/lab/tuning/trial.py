"""One trial of a search: a kernel compiled with its pipelines, compared with its source, and
evaluated."""

from __future__ import annotations

import hashlib
import re
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Final

from nvvm_xdsl.driver.compile import compile as compile_source
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.compiler_comparison import source_program
from nvvm_xdsl.lab.launches import Launch, Outcome, difference, run
from nvvm_xdsl.lab.measure import Measurement, measure
from nvvm_xdsl.lab.tuning.space import Pipelines
from nvvm_xdsl.simulator import SimulationError
from nvvm_xdsl.simulator.program import Program

COMMAND_SECONDS: Final = 600
"""Time limit of a user's command in seconds."""


@dataclass(frozen=True)
class Objective:
    """The objective of a search.

    Attributes:
        title: title in tables.
        value: function from a measurement to the value.
        larger: whether larger values are better.
    """

    title: str
    value: Callable[[Measurement], float]
    larger: bool = False


OBJECTIVES: Final[Mapping[str, Objective]] = MappingProxyType(
    {
        "executed": Objective("executed machine instructions", lambda m: m.machine_warps),
        "registers": Objective("registers", lambda m: m.static.registers),
        "instructions": Objective("machine instructions", lambda m: m.static.instructions),
        "occupancy": Objective("occupancy", lambda m: m.occupancy, larger=True),
        "sectors": Objective("sectors of global memory", lambda m: _sectors(m)),
    }
)
"""The objectives by name; a user's command is an additional one."""


def _sectors(measurement: Measurement) -> float:
    found = measurement.memory.get("global")
    return 0 if found is None else found.sectors


@dataclass(frozen=True)
class Problem:
    """A kernel, its launches, and the objective.

    Attributes:
        text: LLVM assembly or MLIR.
        options: options of the compilation; the trial determines the pipelines.
        launches: launches of one kernel.
        expected: the outcome of each launch of the source program.
        objective: a name of `OBJECTIVES`, unless there is a command.
        command: a command that prints the value; `{}` is replaced by the PTX file.
    """

    text: str
    options: CompileOptions
    launches: tuple[Launch, ...]
    expected: tuple[Outcome, ...]
    objective: str = "executed"
    command: str = ""

    @cached_property
    def name(self) -> str:
        """The identity of the problem: problems with equal names are the same."""
        found = hashlib.sha256(self.text.encode())
        found.update(repr((self.options, self.objective, self.command)).encode())
        for launch in self.launches:
            dimensions = (launch.kernel, launch.grid, launch.block, launch.cluster)
            found.update(repr((dimensions, launch.shared_bytes, launch.tolerance)).encode())
        for outcome in self.expected:
            for array in outcome.arrays:
                found.update(array.tobytes())
        return found.hexdigest()

    @property
    def larger(self) -> bool:
        """True if higher values are better."""
        return not self.command and OBJECTIVES[self.objective].larger


@dataclass(frozen=True)
class Figures:
    """The result for a program: its value, and additional data for users."""

    value: float
    executed: float
    registers: int
    instructions: int
    occupancy: float


@dataclass(frozen=True)
class Verdict:
    """The result of a trial.

    Attributes:
        figures: the values; None if there are none.
        why: the reason why there are no values: the error of the compiler or of ptxas, or the
            difference from the source.
        wrong: whether the results differ or the kernel fails, which is an error of the compiler.
    """

    figures: Figures | None
    why: str = ""
    wrong: bool = False


@dataclass(frozen=True)
class Task:
    """A trial as it is sent to a process."""

    problem: Problem
    pipelines: Pipelines


def attempt(task: Task) -> Verdict:
    """Compiles the problem with the pipelines, and evaluates it."""
    problem = task.problem
    ir, machine = task.pipelines
    stated = problem.options
    # Pipelines exclude a stated level, which determines the machine passes.
    options = replace(
        stated,
        opt_level=None,
        machine_level=stated.opt_level if stated.machine_level is None else stated.machine_level,
        passes=ir,
        machine_passes=machine,
    )
    try:
        ptx = compile_source(problem.text, options=options)
    except DiagnosticError as error:
        return Verdict(None, error.message)
    try:
        return _verdict(problem, ptx)
    except DiagnosticError as error:
        return Verdict(None, error.message)
    except AssemblyError as error:
        return Verdict(None, str(error))


def _verdict(problem: Problem, ptx: str) -> Verdict:
    """The result for PTX, cached because many pipelines produce the same."""
    key = (problem.name, ptx)
    found = _VERDICTS.get(key)
    if found is None:
        if len(_VERDICTS) >= MOST_VERDICTS:
            _VERDICTS.clear()
        try:
            found = _judged(problem, ptx)
        except SimulationError as error:
            found = Verdict(None, error.message, wrong=True)
        _VERDICTS[key] = found
    return found


MOST_VERDICTS: Final = 500
"""Maximum number of cached results."""

_VERDICTS: Final[dict[tuple[str, str], Verdict]] = {}


def _judged(problem: Problem, ptx: str) -> Verdict:
    arch = problem.options.arch
    assert arch is not None
    found = measure(ptx, arch, problem.launches, _program(problem.text))
    (measurement,) = found.values()
    for launch, before, after in zip(problem.launches, problem.expected, measurement.outcomes):
        what = difference(launch, before, after)
        if what is not None:
            return Verdict(None, what, wrong=True)
    if problem.command:
        value = _by_command(problem.command, ptx)
    else:
        value = OBJECTIVES[problem.objective].value(measurement)
    static = measurement.static
    return Verdict(
        Figures(
            value,
            measurement.machine_warps,
            static.registers,
            static.instructions,
            measurement.occupancy,
        )
    )


@lru_cache(maxsize=2)
def _program(text: str) -> Program:
    return source_program(text)


_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")


def _by_command(command: str, ptx: str) -> float:
    """The last number that the command prints. Raises DiagnosticError."""
    words = shlex.split(command)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "kernel.ptx")
        path.write_text(ptx, encoding="utf-8")
        placed = [word.replace("{}", str(path)) for word in words]
        if placed == words:
            placed.append(str(path))
        try:
            done = subprocess.run(
                placed, capture_output=True, text=True, timeout=COMMAND_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise DiagnosticError(f"{words[0]} took longer than {COMMAND_SECONDS} s") from None
        except OSError as error:
            raise DiagnosticError(f"cannot run {words[0]}: {error.strerror}") from None
    if done.returncode:
        raise DiagnosticError(f"{words[0]} ended with status {done.returncode}")
    numbers = _NUMBER.findall(done.stdout)
    if not numbers:
        raise DiagnosticError(f"{words[0]} printed no number")
    return float(numbers[-1])


def outcomes_of(text: str, launches: Sequence[Launch]) -> tuple[Outcome, ...]:
    """The outcomes of launches of the source program. Raises SimulationError."""
    program = _program(text)
    return tuple(run(program, launch) for launch in launches)
