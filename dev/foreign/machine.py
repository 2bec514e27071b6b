"""Executes machine code of kernels of other programs without a GPU: supported instructions, and
results compared with those of the PTX.

    python -m dev.foreign.machine FOLDER ... [--arch sm_90] [--results FILE] [--seconds 170] [--most N]

FOLDER contains LLVM assembly, as for `python -m dev.foreign`. Each module is compiled at -O3 without contraction, and assembled; its kernels
are launched with the launches of `foreign/launches.py`. The results of launches with data races and
of modules that read a clock are not compared. Findings are written to FILE, one JSON object per
module and line, and not repeated. Prints the shares and each difference; the status is 1 if there
is one.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from dev.foreign.__main__ import modules
from dev.foreign.launches import Try, found_launches
from dev.foreign.runs import MOST_SECONDS, TARGET
from dev.made_up_launches import ABSOLUTE, TOLERANCE, launched_kernels
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.driver.compile import compile as compile_here
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.errors import as_diagnostic
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.lab.behaviour import ALL_CHECKS
from nvvm_xdsl.lab.launches import difference, run
from nvvm_xdsl.lab.machine_simulation import machine_program
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import SimulationError, prepare
from nvvm_xdsl.simulator.program import Program
from nvvm_xdsl.simulator.sass.program import SassProgram
from nvvm_xdsl.simulator.sass.table import understood

_CLOCK = re.compile(r"sreg\.(?:clock|globaltimer)|%clock|%globaltimer")


@dataclass
class KernelRun:
    """One kernel.

    Attributes:
        launches: number of launches that succeed as PTX.
        completed: number of these that the machine code completes.
        compared: number of these with defined results.
        why: the reason why the machine code of a launch stopped.
        different: the differences from the results of the PTX; `near` if they are within the
            tolerance.
    """

    kernel: str
    launches: int = 0
    completed: int = 0
    compared: int = 0
    why: str = ""
    different: str = ""
    near: str = ""


@dataclass
class MachineRun:
    """One module.

    Attributes:
        instructions: number of machine instructions.
        unknown: opcodes that are not in the tables, with their number of occurrences.
        refused: the reason why there is no machine code.
    """

    module: str
    instructions: int = 0
    unknown: dict[str, int] = field(default_factory=dict[str, int])
    kernels: list[KernelRun] = field(default_factory=list[KernelRun])
    refused: str = ""
    seconds: float = 0.0

    @classmethod
    def of(cls, fields: dict[str, Any]) -> MachineRun:
        """The run for a dictionary of `dataclasses.asdict`."""
        made = cls(**fields)
        made.kernels = [KernelRun(**row) for row in fields["kernels"]]
        return made


def run_module(path: Path, name: str, arch: str) -> MachineRun:
    """Assembles a module and runs its kernels."""
    made = MachineRun(name)
    start = time.process_time()
    try:
        _run(TARGET.sub("", path.read_text()), arch, made)
    except Exception as error:
        found = as_diagnostic(error)
        made.refused = repr(error) if found is None else found.message.split("\n", 1)[0]
    made.seconds = time.process_time() - start
    return made


def _run(text: str, arch: str, made: MachineRun) -> None:
    options = CompileOptions(arch, opt_level=3, fmad=False, time_limit=MOST_SECONDS, rdc=True)
    ptx = compile_here(text, options=options)
    source = parse(text, format="ll")
    library = find_libdevice()
    if library is not None:
        source = link_libdevice(source, library) or source
    ready = executable(ptx, prepare(source)).program
    program = machine_program(ptx, arch, ready)
    _count(program, made)
    checked = prepare(source, ALL_CHECKS)
    for func in launched_kernels(source):
        row = KernelRun(func.sym_name.data)
        made.kernels.append(row)
        try:
            tries, row.why = found_launches(source, func, checked)
        except Exception as error:
            row.why = str(error).split("\n", 1)[0]
            continue
        for each in tries:
            _compare(ready, program, each, row, each.sound and not _CLOCK.search(ptx))


def _count(program: SassProgram, made: MachineRun) -> None:
    unknown: Counter[str] = Counter()
    for op in program.module.walk():
        if isinstance(op, InstructionOp):
            made.instructions += 1
            if not understood(op):
                unknown[op.opcode] += 1
    made.unknown = dict(unknown.most_common())


def _compare(
    ready: Program, program: SassProgram, each: Try, row: KernelRun, defined: bool
) -> None:
    try:
        expected = run(ready, each.launch)
    except SimulationError:
        return
    row.launches += 1
    try:
        found = run(program, each.launch)
    except Exception as error:
        row.why = str(error).split("\n", 1)[0]
        return
    row.completed += 1
    if not defined:
        return
    row.compared += 1
    what = difference(each.launch, expected, found)
    if what is None:
        return
    loose = replace(each.launch, tolerance=TOLERANCE, absolute=ABSOLUTE)
    apart = difference(loose, expected, found)
    if apart is None:
        row.near = what
    else:
        row.different = apart


def report(found: Sequence[MachineRun]) -> Iterator[str]:
    """The shares, the unknown instructions, and the differences, in Markdown."""
    total = sum(made.instructions for made in found)
    unknown: Counter[str] = Counter()
    for made in found:
        unknown.update(made.unknown)
    rows = [(made, row) for made in found for row in made.kernels]
    ran = [(made, row) for made, row in rows if row.launches]
    done = [row for _, row in ran if row.completed == row.launches]
    compared = [row for _, row in ran if row.compared]
    equal = [row for row in compared if not row.different and not row.near]
    known = total - sum(unknown.values())
    yield f"machine instructions: {known:,} of {total:,} understood ({known / max(total, 1):.2%})"
    yield f"kernels: {len(rows)} in {len(found)} modules, {len(ran)} run as PTX"
    yield f"completed as machine code: {len(done)} ({len(done) / max(len(ran), 1):.1%})"
    yield (
        f"compared: {len(compared)}; equal: {len(equal)},"
        f" within the tolerance: {sum(bool(r.near) for r in compared)},"
        f" different: {sum(bool(r.different) for r in compared)}"
    )
    for opcode, count in unknown.most_common(40):
        yield f"unknown: {count} {opcode}"
    for made, row in ran:
        if row.different:
            yield f"different: {made.module} {row.kernel}: {row.different}"
        elif row.completed < row.launches:
            yield f"stopped: {made.module} {row.kernel}: {row.why}"
    for made in found:
        if made.refused:
            yield f"refused: {made.module}: {made.refused}"


def main() -> int:
    """Runs the modules that have not been run; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("folders", nargs="+", type=Path, metavar="FOLDER")
    add("--arch", default="sm_90")
    add("--results", type=Path, default=Path("machine.jsonl"), help="where findings are kept")
    add("--seconds", type=float, default=float("inf"), help="begin nothing after as many seconds")
    add("--most", type=int, default=1 << 30, metavar="N", help="stop after N kernels")
    add("--only", default="", metavar="TEXT", help="modules whose names contain it")
    options = parser.parse_args()
    known: dict[str, MachineRun] = {}
    if options.results.exists():
        lines = options.results.read_text().splitlines()
        known = {made.module: made for made in map(MachineRun.of, map(json.loads, lines))}
    end = time.monotonic() + options.seconds
    with options.results.open("a") as out:
        for name, path in modules(options.folders).items():
            ran = sum(row.launches > 0 for made in known.values() for row in made.kernels)
            if ran >= options.most or time.monotonic() > end:
                break
            if name in known or options.only not in name:
                continue
            known[name] = run_module(path, name, options.arch)
            print(json.dumps(asdict(known[name])), file=out, flush=True)
    for line in report(list(known.values())):
        print(line)
    return int(any(row.different for made in known.values() for row in made.kernels))


if __name__ == "__main__":
    sys.exit(main())
