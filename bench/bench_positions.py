"""Searches for positions of -O3's pipeline at which passes that change nothing there improve the code.

    python bench/bench_positions.py [--machine] [--pass NAME ...] [--arch sm_90] [--results FILE]
        [--seconds 170] [--markdown FILE] FILE.ll ...

Position 0 is the input after linking, position k the state after k tenths of -O3's passes over IR. At each of
these ten positions of each module, each pass runs on the module. If it changes the module, the remaining passes
follow, until the module equals that of -O3, or one that another pass or position has led to. At the end ptxas
assembles the result and that of -O3. A pass improves a kernel if the kernel then has fewer machine
instructions, or as many and fewer registers. Without --pass, the passes are those of -O3's pipeline that have
changed none of the modules so far, in their places.

With --machine, passes over machine code are tried before each of those that run up to PHI elimination, which ends SSA
form. The position is then the number of passes over machine code that have run.

Results are written to FILE, a JSON object a module, and not computed again, so that a run can be
stopped, or limited to some seconds, and continued. Needs ptxas.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]
from bench_quality import markdown
from rich.console import Console
from rich.table import Table
from xdsl.dialects.builtin import ModuleOp

from dev.foreign.runs import TARGET
from nvvm_xdsl.driver.compile import (
    complete,
    drop_unreached,
    generate,
    generate_from_machine,
    parse,
)
from nvvm_xdsl.driver.options import CompileOptions, ResolvedOptions
from nvvm_xdsl.driver.stages import codegen_options, machine_pipeline_of, pipeline_of
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.assembled import AssemblyError, Kernel, assemble
from nvvm_xdsl.lab.fingerprint import Fingerprints
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.pipeline import Instruments, PassManager
from nvvm_xdsl.pipeline.build import PassNode, build_pipeline, passes_in, print_nodes
from nvvm_xdsl.pipeline.dispatch import PHI_ELIMINATION
from nvvm_xdsl.pipeline.instrumentation import PassRun, Watcher
from nvvm_xdsl.pipeline.selection import select

POSITIONS = 10

READERS = frozenset({"nvvm-verify", "nvvm-ir-verification", "print-module", "local-memory-remarks"})
"""Passes that never change a module."""


MACHINE = ("machine-cp", "ldgxform", "nvptx-load-store-vectorizer", "dead-mi-elimination")
"""The passes over machine code that are tried without --pass."""


@dataclass
class Effect:
    """The effect of a pass at one position of one module.

    Arguments:
        kernel: the kernel with the largest relative change.
        before, after: its machine instructions and registers without and with the pass.
    """

    name: str
    position: int
    kernel: str
    before: tuple[int, int]
    after: tuple[int, int]

    @property
    def improves(self) -> bool:
        """Whether the kernel gets smaller, or gets as large with fewer registers."""
        return tuple(self.after) < tuple(self.before)


@dataclass
class Found:
    """The results of a module.

    Arguments:
        changed: the passes that changed it in their places in -O3.
        tried: the passes that ran at all positions.
        effective: the positions at which these passes changed it.
        effects: the passes and positions that lead to other machine code.
    """

    module: str
    changed: list[str] = field(default_factory=list[str])
    tried: list[str] = field(default_factory=list[str])
    effective: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    effects: list[Effect] = field(default_factory=list[Effect])
    why: str = ""


def steps_of(options: ResolvedOptions) -> list[str]:
    """Returns the text of each pass of -O3, in order."""
    instances = passes_in(build_pipeline(pipeline_of(options)))
    return [print_nodes([PassNode(each)]) for each in instances if isinstance(each, NvvmPass)]


def run(module: ModuleOp, pipeline: str) -> set[str]:
    """Runs a pipeline; returns the names of the passes that changed the module."""
    changed: set[str] = set()

    def observe(ran: PassRun) -> None:
        if ran.changed:
            changed.add(ran.instance.name)

    watcher = Watcher(Instruments())
    watcher.observer = observe
    PassManager(pipeline, watcher=watcher).run(module)
    return changed


def prepared(path: Path, options: CompileOptions) -> tuple[ModuleOp, ResolvedOptions]:
    """Returns a module as -O3's pipeline gets it."""
    module = parse(TARGET.sub("", path.read_text()), format="ll")
    complete(module)
    link_libdevice(module, find_libdevice())
    drop_unreached(module)
    return module, options.for_module(module)


def largest_change(
    before: dict[str, Kernel], after: dict[str, Kernel]
) -> tuple[str, tuple[int, int], tuple[int, int]] | None:
    """Returns the kernel with the largest relative change, and its instructions and registers; None if
    all kernels are equal."""
    pairs = [
        (name, (a.instructions, a.registers), (after[name].instructions, after[name].registers))
        for name, a in before.items()
        if name in after
    ]
    different = [pair for pair in pairs if pair[1] != pair[2]]
    if not different:
        return None
    return min(different, key=lambda pair: (pair[2][0] / pair[1][0], pair[2][1] - pair[1][1]))


class _Continuation:
    """Runs the remaining parts of a pipeline on modules that a pass has changed.

    Arguments:
        parts: the pipeline.
    """

    def __init__(self, parts: Sequence[str], options: ResolvedOptions) -> None:
        self._parts = parts
        self._options = options
        self._prints = Fingerprints()
        self._known: dict[tuple[int, int], dict[str, Kernel]] = {}

    def add(self, position: int, module: ModuleOp) -> None:
        """Records the module without additional pass at a position."""
        self._known[position, self._prints.of(module)] = {}

    def continue_from(self, position: int, module: ModuleOp) -> dict[str, Kernel]:
        """Returns the kernels of a module that is changed before a part; none if a later part makes it
        equal to the module without additional pass."""
        keys: list[tuple[int, int]] = []
        kernels: dict[str, Kernel] | None = None
        while kernels is None:
            keys.append((position, self._prints.of(module)))
            kernels = self._known.get(keys[-1])
            if kernels is None and position == len(self._parts):
                kernels = assemble(generate(module, self._options), str(self._options.arch))
            elif kernels is None:
                run(module, self._parts[position])
                position += 1
        self._known |= dict.fromkeys(keys, kernels)
        return kernels


class Search:
    """Searches the modules one after the other.

    Arguments:
        names: the passes; none for those of -O3 that have changed no module.
        found: earlier results.
    """

    def __init__(self, arch: str, names: Sequence[str], found: list[Found]) -> None:
        self.options = CompileOptions(arch, opt_level=3)
        self.names = names
        self.found = found

    def candidates(self, steps: Sequence[str]) -> list[str]:
        """Returns the passes that are searched for, in the order of the pipeline."""
        changed = {name for result in self.found for name in result.changed}
        if self.names:
            return list(self.names)
        listed = dict.fromkeys(text.split("<")[0].split("(")[-1].rstrip(")") for text in steps)
        return [name for name in listed if name in PASSES and name not in changed | READERS]

    def look_at(self, path: Path) -> Found:
        """Returns the results of a module, and adds them to `found`."""
        made = Found(path.stem)
        module, options = prepared(path, self.options)
        steps = steps_of(options)
        cuts = [len(steps) * k // POSITIONS for k in range(POSITIONS + 1)]
        parts = [",".join(steps[start:end]) for start, end in itertools.pairwise(cuts)]
        usual = _Continuation(parts, options)
        names = made.tried = self.candidates(steps)
        saved: list[tuple[str, int, ModuleOp]] = []
        changed: set[str] = set()
        for position, part in enumerate(parts):
            for name, after in self._effective(module, names):
                made.effective.setdefault(name, []).append(position)
                saved.append((name, position, after))
            changed |= run(module, part)
            usual.add(position + 1, module)
        made.changed = sorted(changed)
        self.found.append(made)
        costs = assemble(generate(module, options), str(options.arch)) if saved else {}
        for name, position, after in saved:
            others = usual.continue_from(position, after)
            change = largest_change(costs, others) if others else None
            if change is not None:
                made.effects.append(Effect(name, position, *change))
        return made

    def _effective(self, module: ModuleOp, names: Sequence[str]) -> Iterator[tuple[str, ModuleOp]]:
        """Yields the passes that change a module, with the changed module."""
        copy = fast.clone(module)
        for name in names:
            did = run(copy, name)
            if name in did:
                yield name, copy
            if did:
                copy = fast.clone(module)


class MachineSearch(Search):
    """Searches between the passes over machine code."""

    def look_at(self, path: Path) -> Found:
        made = Found(path.stem, tried=list(self.names or MACHINE))
        module, options = prepared(path, self.options)
        PassManager(pipeline_of(options)).run(module)
        module = select(module, codegen_options(options), options.settings)
        steps = machine_pipeline_of(options).split(",")
        saved: list[tuple[str, int, ModuleOp]] = []
        for position, step in enumerate(steps):
            if position <= steps.index(PHI_ELIMINATION):
                own = steps[max(position - 1, 0) : position + 1]
                names = [name for name in made.tried if name not in own]
                for name, after in self._effective(module, names):
                    made.effective.setdefault(name, []).append(position)
                    saved.append((name, position, after))
            made.changed += run(module, step) & {*made.tried}
        self.found.append(made)
        arch = str(options.arch)
        usual = generate_from_machine(module, options)
        known: dict[str, tuple[str, tuple[int, int], tuple[int, int]] | None] = {usual: None}
        for name, position, after in saved:
            run(after, ",".join(steps[position:]))
            other = generate_from_machine(after, options)
            if other not in known:
                known[other] = largest_change(assemble(usual, arch), assemble(other, arch))
            change = known[other]
            if change is not None:
                made.effects.append(Effect(name, position, *change))
        return made


def table_of(found: Sequence[Found]) -> Table:
    """Returns the table of all passes that were tried."""
    modules = [result for result in found if not result.why]
    table = Table(title=f"{len(modules)} modules")
    columns = "pass,modules,changes in its places,elsewhere,positions,other code,improved,best"
    for column in columns.split(","):
        table.add_column(column)
    for name in sorted({name for result in modules for name in result.tried}):
        effects = [(r.module, e) for r in modules for e in r.effects if e.name == name]
        better = [(m, e) for m, e in effects if e.improves]
        at = sorted({p for r in modules for p in r.effective.get(name, ())})
        best = min(better, key=lambda row: row[1].after[0] / row[1].before[0], default=None)
        example = ""
        if best is not None:
            module, e = best
            example = f"{module}:{e.kernel}, position {e.position}: {e.before[0]} to {e.after[0]}, registers {e.before[1]} to {e.after[1]}"
        table.add_row(
            name,
            str(sum(name in r.tried for r in modules)),
            str(sum(name in r.changed for r in modules)),
            str(sum(name in r.effective for r in modules)),
            " ".join(map(str, at)),
            f"{len(effects)} of {sum(len(r.effective.get(name, ())) for r in modules)}",
            str(len(better)),
            example,
        )
    return table


def kept(path: Path) -> list[Found]:
    """Returns the results of earlier runs."""
    found: list[Found] = []
    for line in path.read_text().splitlines() if path.exists() else ():
        fields: dict[str, Any] = json.loads(line)
        effects = [Effect(**effect) for effect in fields.pop("effects")]
        made = Found(**fields, effects=effects)
        found.append(made)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--machine", action="store_true", help="search in the machine code")
    parser.add_argument("--pass", dest="passes", action="append", default=[], metavar="NAME")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--results", type=Path, default=Path("positions.jsonl"))
    parser.add_argument(
        "--seconds", type=float, default=float("inf"), help="begin nothing after as many seconds"
    )
    parser.add_argument("--markdown", type=Path, help="also write the table to this file")
    arguments = parser.parse_args()
    console = Console(width=180)
    kind = MachineSearch if arguments.machine else Search
    search = kind(arguments.arch, arguments.passes, kept(arguments.results))
    known = {result.module for result in search.found}
    end = time.monotonic() + arguments.seconds
    with arguments.results.open("a") as out:
        for path in arguments.files:
            if path.stem in known or time.monotonic() > end:
                continue
            try:
                made = search.look_at(path)
            except (DiagnosticError, AssemblyError) as error:
                made = Found(path.stem, why=str(error).splitlines()[0][:200])
            print(json.dumps(asdict(made)), file=out, flush=True)
    table = table_of(search.found)
    console.print(table)
    if arguments.markdown is not None:
        arguments.markdown.write_text(markdown(table))


if __name__ == "__main__":
    main()
