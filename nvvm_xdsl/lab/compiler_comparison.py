"""Comparison of several compilers' code of one module on the same launches.

The compilers share no code and the simulator runs the PTX of each, so that a miscompile of one of
them is a difference. Products and sums are not contracted, so that floats are compared bit by bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl import simulator
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.lab.behaviour import visible
from nvvm_xdsl.lab.compilers import CompilerError, compiler
from nvvm_xdsl.lab.compilers.contraction import without_contraction
from nvvm_xdsl.lab.compilers.host import HOST, HostProgram
from nvvm_xdsl.lab.gpu.device import DRIVER_LEVEL
from nvvm_xdsl.lab.gpu.gpu_program import GPUProgram
from nvvm_xdsl.lab.gpu.job import GPUError
from nvvm_xdsl.lab.launch_sequences import following
from nvvm_xdsl.lab.launches import Launch, Outcome, copied_arguments, difference, equal, run
from nvvm_xdsl.lab.machine_simulation import machine_program
from nvvm_xdsl.lab.measure import Executable, executable
from nvvm_xdsl.simulator import SimulationError, prepare
from nvvm_xdsl.simulator.program import Program

ARCH = "sm_100a"
"""The oldest GPU for which libNVVM reads current IR."""


@dataclass
class Candidate:
    """One compiler's code.

    Attributes:
        name: name of the compiler, or of the file.
        ptx: the PTX; empty if there is none.
        refused: the reason why there is no code, or why it cannot be parsed.
        ready: the code, prepared to run on the simulator.
        host: the code for the host; only for the candidate `host`.
        gpu: the code for the GPU of this machine, for a candidate that runs there.
    """

    name: str
    ptx: str = ""
    refused: str = ""
    ready: Executable | None = None
    host: HostProgram | None = None
    gpu: GPUProgram | None = None


@dataclass
class Disagreement:
    """A launch with different outcomes.

    Attributes:
        groups: names of the compilers with equal outcomes, the largest group first.
        what: for each group except for the first, the difference from the first.
        stores: for some names, the last store to the first different element.
    """

    launch: Launch
    groups: list[list[str]]
    what: list[str]
    stores: dict[str, str] = field(default_factory=dict[str, str])

    def __str__(self) -> str:
        """A few lines: the compilers with different results, and their values."""
        launch = self.launch
        lines = [f"@{launch.kernel}, grid {launch.grid}, block {launch.block}:"]
        first, *others = self.groups
        for group, what in zip(others, self.what):
            alone = len(group) == 1 and len(first) > 1
            who = f"{group[0]} is alone" if alone else f"{', '.join(group)}"
            lines.append(f"  {who}, against {', '.join(first)}: {what}")
        lines += [f"  {name}: {store}" for name, store in self.stores.items()]
        return "\n".join(lines)


@dataclass
class Comparison:
    """The results of a comparison.

    Attributes:
        candidates: the candidates in the order of their names on the command line.
        disagreements: one for each launch with different outcomes.
        failures: the errors of candidates' code on the simulator, by name.
    """

    candidates: list[Candidate]
    disagreements: list[Disagreement] = field(default_factory=list[Disagreement])
    failures: dict[str, str] = field(default_factory=dict[str, str])

    @property
    def refused(self) -> dict[str, str]:
        """The reasons why some compilers produced no code, by name."""
        return {c.name: c.refused for c in self.candidates if c.refused}


def source_program(text: str, filename: str = "<string>") -> Program:
    """The program of the LLVM assembly, which defines the types of parameters."""
    module = nvvm_xdsl.parse(text) if filename == "<string>" else nvvm_xdsl.parse(Path(filename))
    library = find_libdevice()
    if library is not None:
        module = link_libdevice(module, library) or module
    return prepare(module)


def candidates(
    text: str,
    names: Sequence[str],
    source: Program,
    arch: str = ARCH,
    *,
    fmad: bool = False,
    given: Sequence[tuple[str, str]] = (),
) -> list[Candidate]:
    """The code of several compilers, prepared to run.

    Arguments:
        text: LLVM assembly.
        names: names of compilers, or `host`.
        source: the program of the same assembly.
        fmad: whether products and sums may be contracted.
        given: names and texts of additional PTX.
    """
    found: list[Candidate] = []
    for name in names:
        candidate = Candidate(name)
        try:
            if name == HOST:
                candidate.host = HostProgram(text if fmad else without_contraction(text))
            else:
                candidate.ptx = compiler(name).compile(text, arch, fmad=fmad)
        except CompilerError as error:
            candidate.refused = str(error)
        found.append(candidate)
    found += [Candidate(name, ptx) for name, ptx in given]
    for candidate in found:
        if candidate.refused or candidate.host is not None:
            continue
        try:
            candidate.ready = executable(candidate.ptx, source)
        except (DiagnosticError, SimulationError) as error:
            candidate.refused = f"its PTX cannot be read: {error.message}"
    return found


def machine_candidates(found: Sequence[Candidate], arch: str) -> list[Candidate]:
    """The machine code that ptxas generates from each candidate's PTX, as separate candidates."""
    out: list[Candidate] = []
    for candidate in found:
        ready = candidate.ready
        if ready is None:
            continue
        made = Candidate(f"{candidate.name} as machine code", candidate.ptx)
        try:
            program = machine_program(ready.ptx, arch, ready.program)
            made.ready = Executable(ready.ptx, ready.module, program)
        except DiagnosticError as error:
            made.refused = error.message
        out.append(made)
    return out


def gpu_candidates(
    found: Sequence[Candidate], source: Program, level: int = DRIVER_LEVEL
) -> list[Candidate]:
    """The PTX of each candidate on the GPU of this machine, as separate candidates.

    Arguments:
        source: the program from which the PTX was compiled.
        level: optimization level with which the driver assembles the PTX, 0 to 4.
    """
    out: list[Candidate] = []
    for candidate in found:
        if not candidate.ptx:
            continue
        made = Candidate(f"{candidate.name} on the GPU", candidate.ptx)
        try:
            made.gpu = GPUProgram(candidate.ptx, source, level)
        except GPUError as error:
            made.refused = error.message
        out.append(made)
    return out


def compare(
    found: Sequence[Candidate],
    launches: Sequence[Launch],
    *,
    in_a_row: bool = False,
    source: ModuleOp | None = None,
) -> Comparison:
    """Runs all candidates with code.

    A candidate whose code has an error on the simulator is omitted from then on.

    Arguments:
        in_a_row: run the launches consecutively on the same device variables.
        source: the program from which the others were compiled; variables that only this program
            has are not compared.
    """
    result = Comparison(list(found))
    outcomes: dict[str, Outcome] = {}
    for launch in launches:
        left, outcomes = outcomes if in_a_row else {}, {}
        for candidate in found:
            if candidate.refused or candidate.name in result.failures:
                continue
            try:
                outcomes[candidate.name] = _outcome(candidate, launch, left.get(candidate.name))
            except SimulationError as error:
                result.failures[candidate.name] = f"@{launch.kernel}: {error.message}"
            except CompilerError as error:
                result.failures[candidate.name] = f"@{launch.kernel}: {error}"
            except GPUError as error:
                result.failures[candidate.name] = f"@{launch.kernel}: {error}"
        seen = outcomes
        if any(c.gpu is not None for c in found):
            seen = {name: _with_sorted_output(outcome) for name, outcome in seen.items()}
        if source is not None:
            seen = dict(zip(seen, visible(source, list(seen.values()))))
        disagreement = _grouped(launch, seen)
        if disagreement is not None:
            _explain(disagreement, seen, {c.name: c for c in found})
            result.disagreements.append(disagreement)
    return result


def _outcome(candidate: Candidate, launch: Launch, before: Outcome | None) -> Outcome:
    """Runs a candidate's code. Raises SimulationError; CompilerError on the host, GPUError on the GPU."""
    if candidate.host is not None:
        return candidate.host.run(launch)
    if candidate.gpu is not None:
        return candidate.gpu.run(launch)
    assert candidate.ready is not None
    program = candidate.ready.program
    return run(program, following(launch, before, program))


def _with_sorted_output(outcome: Outcome) -> Outcome:
    """The outcome with printed lines sorted, because the order of the threads of a GPU is
    undefined."""
    return replace(outcome, output="".join(sorted(outcome.output.splitlines(keepends=True))))


def _grouped(launch: Launch, outcomes: dict[str, Outcome]) -> Disagreement | None:
    groups: list[list[str]] = []
    for name, outcome in outcomes.items():
        for group in groups:
            if difference(launch, outcomes[group[0]], outcome) is None:
                group.append(name)
                break
        else:
            groups.append([name])
    if len(groups) < 2:
        return None
    groups.sort(key=lambda group: -len(group))
    first = outcomes[groups[0][0]]
    what = [difference(launch, first, outcomes[group[0]]) or "" for group in groups[1:]]
    return Disagreement(launch, groups, what)


def _explain(
    found: Disagreement, outcomes: dict[str, Outcome], by_name: dict[str, Candidate]
) -> None:
    """Finds the last store to the first different element, for one candidate of each group."""
    names = [group[0] for group in found.groups]
    place = _first_difference(found.launch, outcomes[names[0]], outcomes[names[1]])
    if place is None:
        return
    for name in names:
        ready = by_name[name].ready
        if ready is not None:
            found.stores[name] = _last_store(ready, found.launch, place)


def _first_difference(launch: Launch, a: Outcome, b: Outcome) -> tuple[int, int] | None:
    """The argument and the byte offset of the first different element."""
    for position, one, other in zip(a.positions, a.arrays, b.arrays):
        if position in launch.ignored:
            continue
        same: np.ndarray[Any, Any] = equal(one, other, launch.tolerance, launch.absolute)
        if not same.all():
            return position, int(np.flatnonzero(~same.reshape(-1))[0]) * one.itemsize
    return None


def _last_store(ready: Executable, launch: Launch, place: tuple[int, int]) -> str:
    try:
        result = simulator.launch(
            ready.program,
            launch.kernel,
            launch.grid,
            launch.block,
            copied_arguments(launch),
            shared_bytes=launch.shared_bytes,
            cluster=launch.cluster,
            variables=launch.variables,
            watch=place,
        )
    except SimulationError as error:
        return error.message
    if not result.writes:
        return "it is never stored to"
    write = result.writes[-1]
    if isinstance(write.op, InstructionOp):
        return f"stored last by {write.op.address:#x}: {write.op.source_text()} ({write})"
    _, line, _ = place_of(write.op)
    text = ready.ptx.splitlines()[line - 1].strip() if line else write.op.name
    where = f"line {line}: " if line else ""
    return f"stored last by {where}{text} ({write})"
