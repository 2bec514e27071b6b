"""Runs LLVM's tests on the simulator and compares this compiler's PTX at two levels with that of
`llc`.

Kernels are launched with arguments derived from their types, and functions by kernels that call
them. Launches that fail on the simulator are not compared, because random arguments cause accesses
out of bounds. Differences due to undefined behaviour of the module with these arguments, such as an
oversized shift, are not compared either: the simulator of LLVM IR tracks it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from xdsl.dialects.builtin import ModuleOp

from dev.calling_kernels import Caller, callers, with_callers
from dev.conformance.cases import LEVELS, Case, cases_of
from dev.conformance.verdicts import SECONDS, llc_options
from dev.made_up_launches import launch_of, launched_kernels
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.errors import as_diagnostic
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.compilers.registry import CompilerError, llvm_tool, run_program
from nvvm_xdsl.lab.launches import Launch, Outcome, difference, run
from nvvm_xdsl.simulator import Limits, SimulationError, prepare
from nvvm_xdsl.simulator.program import Program

SEEDS: Final = 3
"""Number of launches of each function with small integers, and with arbitrary ones."""
STEPS: Final = 200_000
OTHERS: Final = "llc"


@dataclass
class FileRun:
    """The result for a test file.

    Attributes:
        compared: functions and kernels with a launch that succeeded with all compilers.
        different: the outcome of a launch, by function.
        left_out: the reasons why others were not compared, by function.
        refused: the reason why there is no code to run.
    """

    compared: set[str] = field(default_factory=set[str])
    different: dict[str, str] = field(default_factory=dict[str, str])
    left_out: dict[str, str] = field(default_factory=dict[str, str])
    refused: str = ""


def run_file(path: Path) -> FileRun:
    """Runs the functions and kernels of a test file, each part for its first target."""
    made = FileRun()
    parts: set[int] = set()
    for case in cases_of(path):
        if case.line not in parts and case.arch:
            parts.add(case.line)
            _run_case(case, made)
    return made


def _run_case(case: Case, made: FileRun) -> None:
    case = replace(case, text=_rounded_once(case.text))
    try:
        module = parse(case.text, format="ll")
        found = list(callers(module))
        kernels = [caller for caller in found if isinstance(caller, Caller)]
        text = with_callers(case.text, kernels)
        programs = _programs(case, text)
        source = parse(text, format="ll")
    except CompilerError as error:
        made.refused = str(error)
        return
    except Exception as error:
        diagnostic = as_diagnostic(error)
        made.refused = repr(error) if diagnostic is None else diagnostic.message
        return
    made.left_out |= dict(item for item in found if not isinstance(item, Caller))
    for name, launches in _launches(module, kernels, made):
        for launch in launches:
            _compare(name, launch, source, programs, made)
        if name in made.compared:
            made.left_out.pop(name, None)


_FUSED = re.compile(r"^declare .*@llvm\.fma\.(\w+)\(", re.M)


def _rounded_once(text: str) -> str:
    """A module with `llvm.fmuladd` replaced by `llvm.fma`, because compilers may round `fmuladd`
    once or twice."""
    for type_ in _FUSED.findall(text):
        text = re.sub(rf"^declare .*@llvm\.fmuladd\.{type_}\(.*$", "", text, flags=re.M)
    return text.replace("@llvm.fmuladd.", "@llvm.fma.")


def _launches(
    module: ModuleOp, kernels: list[Caller], made: FileRun
) -> Iterator[tuple[str, list[Launch]]]:
    for caller in kernels:
        yield (
            caller.function,
            [caller.launch(seed, small=small) for seed in range(SEEDS) for small in (True, False)],
        )
    for func in launched_kernels(module):
        try:
            yield func.sym_name.data, [launch_of(func, floats=floats) for floats in (True, False)]
        except ValueError as error:
            made.left_out[func.sym_name.data] = str(error)


def _programs(case: Case, text: str) -> dict[str, Program]:
    """The three compilers' code, ready to run. Raises CompilerError and DiagnosticError."""
    options = [*llc_options(case), "-fp-contract=off", "-o", "-"]
    code = {OTHERS: run_program([llvm_tool("llc"), *options], text, "llc")}
    for level in LEVELS:
        chosen = CompileOptions(
            case.arch, opt_level=level, ptx_version=case.ptx_version or None, fmad=False,
            time_limit=SECONDS, rdc=True,
        )  # fmt: skip
        code[f"-O{level}"] = compile_here(text, options=chosen)
    source = prepare(parse(text, format="ll"))
    return {
        name: prepare(convert(read_ptx(ptx, f"{name}.ptx")), (), source)
        for name, ptx in code.items()
    }


def _compare(
    name: str, launch: Launch, source: ModuleOp, programs: dict[str, Program], made: FileRun
) -> None:
    outcomes: dict[str, Outcome] = {}
    for who, program in programs.items():
        try:
            outcomes[who] = run(program, launch, limits=Limits(steps=STEPS))
        except SimulationError as error:
            made.left_out.setdefault(name, f"{who}: {error.message}")
            return
    found = {who: difference(launch, outcomes[OTHERS], o) for who, o in outcomes.items()}
    different = [f"{who}: {what}" for who, what in found.items() if what is not None]
    if different:
        try:
            run(source, launch, ("init",), Limits(steps=STEPS))
        except SimulationError as error:
            made.left_out.setdefault(name, f"undefined: {error.message}")
            return
        made.different.setdefault(name, different[0])
    made.compared.add(name)


def run_table(found: dict[str, FileRun]) -> Iterator[str]:
    """The executed tests in Markdown: by file, then the reasons for skipped functions."""
    yield "| file | compared | different | left out | first difference, or why there is none |"
    yield "| --- | --- | --- | --- | --- |"
    for file, made in sorted(found.items()):
        said = next((f"@{name}: {what}" for name, what in made.different.items()), made.refused)
        said = said or next((f"@{name}: {why}" for name, why in made.left_out.items()), "")
        numbers = f"{len(made.compared)} | {len(made.different)} | {len(made.left_out)}"
        yield f"| {file} | {numbers} | {said.replace('|', '/')[:200]} |"
    ran = [made for made in found.values() if made.compared]
    compared = sum(len(made.compared) for made in ran)
    different = sum(len(made.different) for made in ran)
    yield ""
    yield f"{len(ran)} of {len(found)} files ran: {compared} functions and kernels, {different} differ"
