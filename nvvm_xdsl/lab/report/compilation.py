"""A recorded compilation: its stages run as usual, and data for reports is collected."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.dialects.ptx.strings import unquoted
from nvvm_xdsl.driver.compile import compile_modules, complete, parse, verify
from nvvm_xdsl.driver.errors import user_errors, with_places
from nvvm_xdsl.driver.files import STDIN_NAME, read_input
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.pictures import functions
from nvvm_xdsl.frontend.linker import link
from nvvm_xdsl.ir.bounded_files import source_text
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.lab.report.assembly import Assembly, Point, assembly_of, pressure_of
from nvvm_xdsl.lab.report.costs import (
    Costs,
    KernelFacts,
    LocalCost,
    accesses_of,
    assembly_notes,
    checked,
    locals_of,
    loops_of,
    occupancy_of,
)
from nvvm_xdsl.lab.report.facts import Flow, flow_of
from nvvm_xdsl.pipeline.history import History, Row
from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher
from nvvm_xdsl.pipeline.manager import run_pipeline

_LOC = re.compile(r"\s*\.loc\s+(\d+)\s+(\d+)\s+\d+")
_FILE = re.compile(r'\s*\.file\s+(\d+)\s+"((?:[^"\\]|\\.)*)"')
_DEBUG_SECTION = re.compile(r"\s*\.section\s+\.debug_")
_TARGET = re.compile(r"^\s*\.target\s+(sm_\w+)", re.M)
_SHARED = re.compile(r"\.shared\s+(?:\.align\s+\d+\s+)?\.b(\d+)\s+\S+?\[(\d+)\]")

NO_IR = "memory accesses and local memory are reported only for IR, but the input is PTX"

STAGES = {"input": "input", "optimized": "optimized IR", "machine": "machine code"}
"""The stages at which control flow is recorded, and their titles."""


@dataclass(frozen=True)
class PtxLine:
    """A line of PTX, and its source file and line if known."""

    text: str
    file: str | None
    line: int | None


@dataclass
class Compilation:
    """The collected data of one compilation.

    Attributes:
        names: names of the inputs.
        level: optimization level, as in `-O3`.
        ptx: the output of the compiler.
        lines: the PTX without directives of source locations.
        kernels: kernels in the order of the module.
        sources: the text of each readable source file that lines refer to.
        flows: control flow by stage and function.
        stage_rows: the last row of the recording before each stage.
        pressure: register pressure by function.
        seconds: total time in seconds, including the recording.
    """

    names: Sequence[str]
    arch: str
    level: str
    history: History
    ptx: str = ""
    lines: list[PtxLine] = field(default_factory=list[PtxLine])
    kernels: list[KernelFacts] = field(default_factory=list[KernelFacts])
    sources: dict[str, str] = field(default_factory=dict[str, str])
    flows: dict[str, dict[str, Flow]] = field(default_factory=dict[str, dict[str, Flow]])
    stage_rows: dict[str, Row] = field(default_factory=dict[str, Row])
    pressure: dict[str, list[Point]] = field(default_factory=dict[str, list[Point]])
    assembly: Assembly = field(default_factory=Assembly)
    costs: Costs = field(default_factory=Costs)
    seconds: float = 0.0


def _ignore(_text: str) -> None:
    pass


def compile_recorded(
    names: Sequence[str],
    options: CompileOptions,
    *,
    instruments: Instruments | None = None,
    remark: Callable[[str], None] = _ignore,
    pipeline: str | None = None,
) -> Compilation:
    """Compiles files, `-` for standard input, and collects the data of a report.

    The PTX is the same as without a report.

    Arguments:
        remark: called with each assumption of the compiler.
        pipeline: run only these passes, and generate no PTX.
    Raises DiagnosticError.
    """
    inputs = [(STDIN_NAME if name == "-" else name, read_input(name)) for name in names]

    def attempt(locations: bool) -> Compilation:
        modules = [
            parse(data, filename=name, locations=True, debug=options.debug, cuda=options)
            for name, data in inputs
        ]
        told = _ignore if locations else remark
        recorder = _Recorder([name for name, _ in inputs], options, instruments)
        if pipeline is not None:
            return recorder.run_passes(modules, pipeline)
        return recorder.run(modules, told)

    found = with_places(attempt, dict(inputs))
    _read_sources(found, dict(inputs))
    if found.lines:
        _look_at_ptx(found, options.maxrregcount)
    return found


class _Recorder:
    """Collects data while the stages run."""

    def __init__(
        self, names: Sequence[str], options: CompileOptions, instruments: Instruments | None
    ) -> None:
        self.names = names
        self.options = options
        self.instruments = instruments or Instruments()
        self.history = History()
        self.am = AnalysisManager()
        self.found = Compilation(names, "", "", self.history)
        self.kernels: dict[str, KernelFacts] = {}
        self.locals: list[LocalCost] = []

    def run(self, modules: Sequence[ModuleOp], remark: Callable[[str], None]) -> Compilation:
        """Compiles the modules and returns the data of each stage and pass."""
        chosen = self.options.for_module(modules[0])
        found = self.found
        found.arch = chosen.arch.replace("compute_", "sm_")
        found.costs.arch = found.arch
        found.level = f"-O{chosen.opt_level}"
        watcher = self.history.watch(Watcher(self.instruments))
        watcher.at_stage = self._at_stage
        wanted = self.options.debug
        options = replace(self.options, debug="lines" if wanted == "none" else wanted)
        started = time.perf_counter()
        ptx = compile_modules(modules, options, remark=remark, watcher=watcher)
        found.seconds = time.perf_counter() - started
        found.lines = ptx_lines(ptx)
        stated = _TARGET.search(ptx)
        if stated is not None:
            # PTX input has its own target.
            found.arch = found.costs.arch = stated[1]
        plain = "".join(f"{line.text}\n" for line in found.lines)
        found.ptx = plain if wanted == "none" else ptx
        if "optimized" not in found.stage_rows:
            found.costs.notes.append(NO_IR)
        return self._finished()

    def _finished(self) -> Compilation:
        found = self.found
        cells = [cell for column in self.history.columns.values() for cell in column.cells]
        found.costs.loops = loops_of(remark for cell in cells for remark in cell.remarks)
        found.costs.locals = self.locals
        found.kernels = list(self.kernels.values())
        return found

    def run_passes(self, modules: Sequence[ModuleOp], pipeline: str) -> Compilation:
        """Links the modules and runs a pipeline on the result."""
        for module in modules:
            verify(module)
        module = modules[0] if len(modules) == 1 else link(modules)
        complete(module)
        chosen = self.options.for_module(module)
        found = self.found
        found.arch = found.costs.arch = chosen.arch.replace("compute_", "sm_")
        found.level = pipeline
        watcher = self.history.watch(Watcher(self.instruments))
        started = time.perf_counter()
        with user_errors(self.names[0]):
            self._at_stage("input", module)
            run_pipeline(module, pipeline, watcher=watcher, options=chosen.settings)
            self._at_stage("optimized", module)
        found.seconds = time.perf_counter() - started
        return self._finished()

    def _at_stage(self, name: str, module: ModuleOp) -> None:
        if name == "input":
            self.history.begin(module)
        elif name == "selected":
            self.history.stage(module, "select", "machine")
        if name in STAGES:
            self.found.stage_rows[name] = self.history.barrier()
            flows = self.found.flows.setdefault(name, {})
            for func in functions(module):
                function = symbol_name(func) or ""
                flows[function] = flow_of(func, self.am, self.history.names(function))
        if name == "optimized":
            for func in functions_of(module):
                self.found.costs.accesses += accesses_of(func, self.am)
                self.found.costs.notes += assembly_notes(func)
                self.locals += locals_of(func, self.am)
                if is_kernel(func):
                    self.kernels[symbol_name(func) or ""] = KernelFacts.of(func)
        for func in functions(module) if name == "machine" else ():
            if isinstance(func, FuncOp) and func.is_kernel and func.symbol not in self.kernels:
                # For PTX input, launch bounds of its source are not searched.
                self.kernels[func.symbol] = KernelFacts(func.symbol, place_of(func), None)
        # The module is changed later.
        self.am.clear()


def ptx_lines(ptx: str) -> list[PtxLine]:
    """The lines of PTX without debug information, each with its source location."""
    rows = ptx.splitlines()
    files = {int(m[1]): unquoted(m[2]) for row in rows if (m := _FILE.match(row))}
    found: list[PtxLine] = []
    place: tuple[str | None, int | None] = (None, None)
    is_debug = False
    for row in rows:
        # A section ends in the line of its brace.
        is_debug = is_debug or _DEBUG_SECTION.match(row) is not None
        if is_debug:
            is_debug = "}" not in row
            continue
        loc = _LOC.match(row)
        if loc is not None:
            line = int(loc[2])
            place = (files.get(int(loc[1])), line) if line else (None, None)
        elif _FILE.match(row) is None:
            text = row.strip()
            is_code = row.startswith("\t") and text[:1] not in (".", "}", ")")
            found.append(PtxLine(row, *(place if is_code else (None, None))))
            if text.startswith("}"):
                place = (None, None)
    return found


def _read_sources(found: Compilation, inputs: dict[str, bytes]) -> None:
    """The text of every referenced file: an input, or a file relative to the input or the current
    directory."""
    files = {line.file for line in found.history.lines} | {line.file for line in found.lines}
    beside = [Path(name).parent for name in found.names if name != STDIN_NAME]
    for file in sorted(f for f in files if f):
        if file in inputs:
            found.sources[file] = inputs[file].decode("utf-8", "replace")
            continue
        for candidate in (Path(file), *(folder / os.path.basename(file) for folder in beside)):
            text = source_text(candidate)
            if text is not None:
                found.sources[file] = text
                break


def _look_at_ptx(found: Compilation, maxrregcount: int) -> None:
    """Computes the register pressure of the PTX, and runs the tools if available."""
    ptx = "".join(f"{line.text}\n" for line in found.lines)
    try:
        found.pressure, places = pressure_of(ptx)
    except DiagnosticError as error:
        found.costs.notes.append(f"no register pressure: {error.message}")
    else:
        found.assembly = assembly_of(ptx, found.arch, places, maxrregcount)
        found.costs.notes += found.assembly.missing
    _settle(found, ptx)


def _settle(found: Compilation, ptx: str) -> None:
    """Uses the data of ptxas if available, else the PTX."""
    costs, kernels = found.costs, found.assembly.kernels
    costs.locals = checked(costs.locals, kernels)
    declared = sum(int(m[1]) // 8 * int(m[2]) for m in _SHARED.finditer(ptx))
    sm = Target.parse(found.arch).sm
    for kernel in found.kernels:
        seen = kernels.get(kernel.name)
        most = max((p.registers for p in found.pressure.get(kernel.name, [])), default=0)
        costs.occupancy.append(
            occupancy_of(
                kernel,
                sm,
                most if seen is None else seen.registers,
                declared if seen is None else seen.shared,
                measured=seen is not None,
            )
        )
