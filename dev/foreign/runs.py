"""Runs of one module of another program: its kernels without optimization, at our levels, and by
other compilers.

Outcomes are compared bit by bit, without contraction, for launches without races and undefined
values; differences within the tolerance of `made_up_launches` are listed separately. Costs are
those of the default code, with contraction, for every launch that succeeds.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from dev.foreign.launches import Try, found_launches
from dev.made_up_launches import ABSOLUTE, TOLERANCE, launched_kernels
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.errors import as_diagnostic
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError
from nvvm_xdsl.lab.behaviour import ALL_CHECKS, STEP_FACTOR, visible
from nvvm_xdsl.lab.compilers import CompilerError, compiler
from nvvm_xdsl.lab.launches import difference, run
from nvvm_xdsl.lab.measure import Measurement, executable, measure
from nvvm_xdsl.simulator import Limits, SimulationError, prepare
from nvvm_xdsl.simulator.program import Program

ARCH: Final = "sm_100a"
"""The oldest GPU for which libNVVM reads current IR."""
LEVELS: Final = (1, 3)
COMPILERS: Final = ("ours-O3", "libnvvm", "llc")
MOST_SECONDS: Final = 300.0
"""Resource limits of one compilation."""

MISALIGNED: Final = "not aligned"
"""The start of the simulator's alignment errors."""

TARGET = re.compile(r'"target-(cpu|features)"="[^"]*" ?')


@dataclass
class Cost:
    """The costs of one compiler's code of a kernel: the fields of `measure.Measurement` in the
    table."""

    registers: int
    instructions: int
    spills: int
    local: int
    executed_ptx: int
    executed: float
    trusted: bool

    @classmethod
    def of(cls, found: Measurement) -> Cost:
        static = found.static
        return cls(
            static.registers,
            static.instructions,
            static.spills,
            static.local,
            found.executed.warps,
            found.machine_warps,
            found.trusted,
        )


@dataclass
class KernelRun:
    """The results for a kernel.

    Attributes:
        launches: number of launches that succeeded.
        why: the reason why others failed.
        sound: whether the launches pass the checks, so that their results were compared.
        different: the different outcomes of a launch, by level.
        near: the same for differences within the tolerance.
        costs: costs by compiler.
        left_out: levels that are not compared and compilers without costs, with the reasons.
    """

    kernel: str
    launches: int = 0
    why: str = ""
    sound: bool = False
    different: dict[str, str] = field(default_factory=dict[str, str])
    near: dict[str, str] = field(default_factory=dict[str, str])
    costs: dict[str, Cost] = field(default_factory=dict[str, Cost])
    left_out: dict[str, str] = field(default_factory=dict[str, str])


@dataclass
class ModuleRun:
    """The results for a module.

    Attributes:
        refused: the reason why it could not be read, or the reasons by level why there is no code.
    """

    module: str
    kernels: list[KernelRun] = field(default_factory=list[KernelRun])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    seconds: float = 0.0

    @classmethod
    def of(cls, fields: dict[str, Any]) -> ModuleRun:
        """The run for a dictionary of `dataclasses.asdict`."""
        made = cls(**fields)
        rows: list[dict[str, Any]] = fields["kernels"]
        made.kernels = [KernelRun(**row) for row in rows]
        for kernel, row in zip(made.kernels, rows):
            costs: dict[str, dict[str, Any]] = row["costs"]
            kernel.costs = {name: Cost(**cost) for name, cost in costs.items()}
        return made


def run_module(path: Path, name: str, *, compare: bool = True, count: bool = True) -> ModuleRun:
    """Runs all kernels of a module for which launches are found.

    Arguments:
        compare: whether to compare our levels with the unoptimized module.
        count: whether to measure the costs of our code and that of others.
    """
    made = ModuleRun(name)
    start = time.perf_counter()
    text = TARGET.sub("", path.read_text())
    try:
        _run_kernels(text, made, compare=compare, count=count)
    except Exception as error:
        made.refused["as it came"] = _said(error)
    made.seconds = time.perf_counter() - start
    return made


def _said(error: Exception) -> str:
    found = as_diagnostic(error)
    return repr(error) if found is None else found.message.split("\n", 1)[0]


def _run_kernels(text: str, made: ModuleRun, *, compare: bool, count: bool) -> None:
    source = parse(text, format="ll")
    library = find_libdevice()
    if library is not None:
        source = link_libdevice(source, library) or source
    program = prepare(source, ALL_CHECKS)
    tries: dict[str, list[Try]] = {}
    for func in launched_kernels(source):
        row = KernelRun(func.sym_name.data)
        made.kernels.append(row)
        try:
            tries[row.kernel], row.why = found_launches(source, func, program)
        except (DiagnosticError, ValueError) as error:
            tries[row.kernel], row.why = [], str(error)
        row.launches = len(tries[row.kernel])
        row.sound = any(t.sound for t in tries[row.kernel])
        for t in tries[row.kernel]:
            if t.sound:
                t.outcome.variables = visible(source, [t.outcome])[0].variables
    if not any(tries.values()):
        return
    plain = prepare(source)
    if compare:
        for level in LEVELS:
            _compare(text, level, plain, tries, made)
    if count:
        for name in COMPILERS:
            _count(text, name, plain, tries, made)


def _compare(
    text: str, level: int, source: Program, tries: dict[str, list[Try]], made: ModuleRun
) -> None:
    name = f"-O{level}"
    options = CompileOptions(ARCH, opt_level=level, fmad=False, time_limit=MOST_SECONDS, rdc=True)
    try:
        program = executable(compile_here(text, options=options), source).program
    except Exception as error:
        made.refused[name] = _said(error)
        return
    for row in made.kernels:
        for t in tries[row.kernel]:
            if not t.sound:
                continue
            limits = Limits(steps=t.outcome.steps * STEP_FACTOR + 100_000)
            try:
                after = run(program, t.launch, (), limits)
            except SimulationError as error:
                # The simulator of LLVM IR does not check the alignment of a copy, but checks the
                # accesses to which the copy is lowered. The misalignment is undefined behaviour.
                aligned = not error.message.startswith(MISALIGNED)
                (row.different if aligned else row.left_out).setdefault(name, error.message)
                continue
            what = difference(t.launch, t.outcome, after)
            if what is None:
                continue
            loose = replace(t.launch, tolerance=TOLERANCE, absolute=ABSOLUTE)
            apart = difference(loose, t.outcome, after)
            (row.near if apart is None else row.different).setdefault(name, apart or what)


def _count(
    text: str, name: str, source: Program, tries: dict[str, list[Try]], made: ModuleRun
) -> None:
    try:
        ptx = compiler(name).compile(text, ARCH)
    except CompilerError as error:
        made.refused[name] = str(error).split("\n", 1)[0]
        return
    except Exception as error:
        made.refused[name] = _said(error)
        return
    rows = [row for row in made.kernels if tries[row.kernel]]
    # All launches are measured together, which is faster; if one fails, each separately.
    wrong = _measure(ptx, name, source, tries, rows)
    if wrong:
        for row in rows:
            wrong = _measure(ptx, name, source, tries, [row])
            if wrong:
                row.left_out[name] = wrong


def _measure(
    ptx: str, name: str, source: Program, tries: dict[str, list[Try]], rows: Sequence[KernelRun]
) -> str:
    """Sets the costs of kernels; returns the errors."""
    launches = [t.launch for row in rows for t in tries[row.kernel]]
    try:
        costs = measure(ptx, ARCH, launches, source)
        for row in rows:
            row.costs[name] = Cost.of(costs[row.kernel])
    except (DiagnosticError, AssemblyError, KeyError) as error:
        return str(error).split("\n", 1)[0]
    return ""
