"""Compares kernels on a GPU with the simulator and the executor, and times them.

    python bench/bench_gpu.py compile [--ptx FOLDER] [--loops loop_kernels.ll]
    python bench/bench_gpu.py check  [--ptx FOLDER] [-j N] [--out FILE]
    python bench/bench_gpu.py count  [--ptx FOLDER] [-j N] [--out FILE]
    python bench/bench_gpu.py time   [--ptx FOLDER] [--repeats N] [--out FILE]

compile  writes the PTX of all compilers to FOLDER, for a machine without these compilers
check    runs the kernels of examples/ and of the corpora of Numba and Triton, compiled at -O0 and -O3, on the
         GPU and in the simulator, and compares all bits
count    compares the warp instructions that `ncu` measures (smsp__inst_executed.sum) with the count of the
         machine-code executor, for the same cubin
time     times launches that fill the GPU (gpu_launches.py), with the code of each compiler: minimum and
median;
         results must agree; the means are geometric, of the ratios to libNVVM and to llc

Needs a GPU and the extra `gpu`; count needs ptxas, nvdisasm and ncu. PTX is read from FOLDER if it is there.
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import checkout  # noqa: F401  # pyright: ignore[reportUnusedImport]
import gpu_launches
import numpy as np
from bench_quality import ROOT, geometric_mean
from rich.console import Console
from rich.table import Table

import nvvm_xdsl
from dev.example_launches import EXAMPLES, launches_of
from dev.made_up_launches import NUMBA_BLOCKS, NUMBA_SIZES, SIZE, launched_kernels, made_up_launches
from nvvm_xdsl.driver.toolkit import find_libdevice
from nvvm_xdsl.frontend.libdevice import link_libdevice
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.compilers import CompilerError, compiler
from nvvm_xdsl.lab.gpu.client import gpu
from nvvm_xdsl.lab.gpu.device import Device
from nvvm_xdsl.lab.gpu.gpu_program import GPUProgram, Interface, Times
from nvvm_xdsl.lab.gpu.job import GPUError
from nvvm_xdsl.lab.launches import Launch, Outcome, difference, run
from nvvm_xdsl.lab.machine_simulation import cubin_of, machine_program
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import SimulationError, prepare
from nvvm_xdsl.simulator.launch import parameter_names
from nvvm_xdsl.simulator.program import Program

ARCH = "sm_90"
TIMED = ("ours-O3", "libnvvm", "llc")
CHECKED = ("ours-O0", "ours-O3")
METRIC = "smsp__inst_executed.sum"
SECONDS = 300.0


@dataclass(frozen=True)
class Source:
    """A file of kernels.

    Attributes:
        group: `examples`, `numba`, `triton` or `loops`.
        path: LLVM assembly.
        arch: the target GPU.
    """

    group: str
    path: Path
    arch: str = ARCH

    @property
    def name(self) -> str:
        """The name of the file up to the first dot."""
        return self.path.name.split(".")[0]


def sources(loops: Path | None = None) -> list[Source]:
    """Returns the files that have defined launches."""
    corpus = ROOT / "test" / "corpus"
    found = [Source("examples", ROOT / "examples" / f"{name}.ll") for name in EXAMPLES]
    found += [Source("numba", path) for path in sorted((corpus / "numba").glob("*.cc100.ll"))]
    found += [Source("triton", p, "sm_90a") for p in sorted((corpus / "triton").glob("*.sm90.ll"))]
    if loops is not None:
        found.append(Source("loops", loops))
    return found


def program_of(source: Source) -> Program:
    """The program of a file, linked with libdevice."""
    module = nvvm_xdsl.parse(source.path)
    library = find_libdevice()
    if library is not None:
        module = link_libdevice(module, library) or module
    run_pipeline(module, "nvvm-reflect<arch=900>")
    return prepare(module)


def ptx_of(source: Source, name: str, folder: Path | None) -> str:
    """Returns the PTX of a compiler, from the folder if it is there. Raises CompilerError."""
    kept = None if folder is None else folder / f"{source.group}.{source.name}.{name}.ptx"
    if kept is not None and kept.exists():
        text = kept.read_text()
        if text.startswith("error: "):
            raise CompilerError(text.removeprefix("error: "))
        return text
    try:
        text = compiler(name).compile(source.path.read_text(), source.arch)
    except CompilerError as error:
        if kept is not None:
            kept.write_text(f"error: {error}")
        raise
    if kept is not None:
        kept.write_text(text)
    return text


def small_launches(source: Source, program: Program) -> Iterator[list[Launch]]:
    """Returns launches for the simulator: the first list of launches that runs."""
    if source.group == "examples":
        yield [example.launch for example in launches_of(source.name)]
        return
    for floats in (True, False):
        yield made_up_launches(
            program.module,
            floats=floats,
            size=NUMBA_SIZES.get(source.name, SIZE),
            block=NUMBA_BLOCKS.get(source.name),
        )


def large_launches(source: Source, program: Program) -> list[Launch]:
    """Returns launches that fill a GPU."""
    kernels = launched_kernels(program.module)
    if source.group == "examples":
        makes = gpu_launches.EXAMPLES.get(source.name, ())
        return [make(np.random.default_rng(5)) for make in makes]
    if source.group == "numba":
        (kernel,) = kernels
        made = gpu_launches.numba_launch(source.name, kernel.sym_name.data, parameter_names(kernel))
        return [] if made is None else [made]
    if source.group == "loops":
        kinds = {"!llvm.ptr": "ptr", "i32": "i32", "f32": "float"}
        types = {k.sym_name.data: [kinds[str(t)] for t in k.function_type.inputs] for k in kernels}
        return list(gpu_launches.loop_launches(types))
    return []


def _distance(a: Outcome, b: Outcome) -> float:
    """Returns the largest difference of floats, relative to the largest float of the array."""
    found = 0.0
    for x, y in zip(a.arrays, b.arrays):
        if x.dtype.kind == "f" and x.size:
            with np.errstate(all="ignore"):
                apart = np.nanmax(np.abs(x.astype(float) - y.astype(float)), initial=0.0)
                found = max(found, float(apart / max(np.nanmax(np.abs(x.astype(float))), 1e-30)))
    return found


def check(task: tuple[Source, Path | None]) -> list[dict[str, Any]]:
    """Compares each launch of a file on the GPU with the simulator."""
    source, folder = task
    rows: list[dict[str, Any]] = []
    try:
        program = program_of(source)
        for name in CHECKED:
            ptx = ptx_of(source, name, folder)
            ready = executable(ptx, program)
            made = GPUProgram(ptx, program)
            rows += _checked(source, name, made, ready.program, program)
    except (CompilerError, DiagnosticError, GPUError, SimulationError, ValueError) as error:
        rows.append(
            {"file": source.name, "group": source.group, "outcome": "error", "what": str(error)}
        )
    return rows


def _checked(
    source: Source, name: str, made: GPUProgram, simulated: Program, program: Program
) -> Iterator[dict[str, Any]]:
    for launches in small_launches(source, program):
        try:
            wanted = [run(simulated, launch) for launch in launches]
        except SimulationError:
            continue
        for launch, outcome in zip(launches, wanted):
            row: dict[str, Any] = {"file": source.name, "group": source.group, "compiler": name}
            row |= {"kernel": launch.kernel[:60]}
            try:
                found = made.run(launch)
            except GPUError as error:
                yield row | {"outcome": "failed", "what": str(error)}
                continue
            outcome.output = "".join(sorted(outcome.output.splitlines(True)))
            found.output = "".join(sorted(found.output.splitlines(True)))
            exact = difference(replace(launch, tolerance=0.0, absolute=0.0), outcome, found)
            near = difference(launch, outcome, found)
            kind = "equal" if exact is None else "near" if near is None else "differs"
            yield row | {
                "outcome": kind,
                "what": exact or "",
                "distance": _distance(outcome, found),
            }
        return


@dataclass(frozen=True)
class Counted:
    """A launch to count: its cubin, and the warp instructions that the executor counted."""

    file: str
    group: str
    launch: Launch
    interface: Interface
    cubin: bytes
    warps: int


def counted(task: tuple[Source, Path | None]) -> list[Counted]:
    """Returns the launches of a file that the machine-code executor supports, with its counts."""
    source, folder = task
    found: list[Counted] = []
    try:
        program = program_of(source)
        ptx = ptx_of(source, "ours-O3", folder)
        ready = executable(ptx, program)
        machine = machine_program(ptx, source.arch, ready.program, counting=True)
        cubin = cubin_of(ptx, source.arch)
        interface = Interface.of(program)
    except (CompilerError, DiagnosticError, SimulationError):
        return found
    for launches in small_launches(source, program):
        for launch in launches:
            try:
                profile = run(machine, launch).profile
            except SimulationError:
                continue
            assert profile is not None
            warps = profile.total().warps
            found.append(Counted(source.name, source.group, launch, interface, cubin, warps))
        if found:
            break
    return found


def launch_counted(path: Path) -> None:
    """Runs the launches that `count` prepared, in this process, which `ncu` observes."""
    # The parent process pickled the launches.
    rows: list[Counted] = pickle.loads(path.read_bytes())
    device = Device()
    for row in rows:
        GPUProgram(row.cubin, row.interface, device=device).run(row.launch)


def count(tasks: Sequence[tuple[Source, Path | None]], processes: int) -> list[dict[str, Any]]:
    """Returns the measured and simulated warp instructions of each launch."""
    with ProcessPoolExecutor(processes) as pool:
        launches = [row for rows in pool.map(counted, tasks) for row in rows]
    rows: list[dict[str, Any]] = []
    measured = _measured(launches)
    for row, warps in zip(launches, measured):
        rows.append(
            {
                "file": row.file,
                "group": row.group,
                "kernel": row.launch.kernel[:60],
                "simulated": row.warps,
                "measured": warps,
            }
        )
    return rows


def _measured(launches: Sequence[Counted]) -> list[int | None]:
    """Returns ncu's count for each launch; None if ncu reports no value."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "launches.pickle")
        path.write_bytes(pickle.dumps(launches))
        command = [
            *("ncu", "--csv", "--page", "raw", "--metrics", METRIC, "--clock-control", "none"),
            *(sys.executable, __file__, "launch", "--launches", str(path)),
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith('"')]
    table = list(csv.DictReader(io.StringIO("\n".join(lines))))
    values = [row[METRIC] for row in table if row.get("ID", "").isdigit()]
    if len(values) != len(launches):
        sys.exit(
            f"error: ncu reports {len(values)} of {len(launches)} kernels: {done.stderr[-500:]}{done.stdout[-500:]}"
        )
    return [int(float(value.replace(",", ""))) for value in values]


def time(source: Source, folder: Path | None, repeats: int) -> Iterator[dict[str, Any]]:
    """Returns the times of each large launch of a file, by compiler."""
    program = program_of(source)
    made: dict[str, GPUProgram] = {}
    for name in TIMED:
        try:
            made[name] = GPUProgram(ptx_of(source, name, folder), program)
        except (CompilerError, GPUError) as error:
            yield {"file": source.name, "group": source.group, "compiler": name, "what": str(error)}
    for launch in large_launches(source, program):
        row: dict[str, Any] = {
            "file": source.name,
            "group": source.group,
            "kernel": launch.kernel[:60],
        }
        try:
            yield row | _times(made, launch, repeats)
        except (GPUError, SimulationError) as error:
            yield row | {"what": str(error)}


def _times(made: dict[str, GPUProgram], launch: Launch, repeats: int) -> dict[str, Any]:
    """Returns the times by compiler, from two interleaved repetitions, and whether the results agree."""
    times: dict[str, list[float]] = {}
    outcomes: dict[str, Outcome] = {}
    for _ in range(2):
        for name, program in made.items():
            outcome, measured = program.time(launch, repeats)
            outcomes[name] = outcome
            times.setdefault(name, []).extend(measured.milliseconds)
    first = next(iter(outcomes.values()))
    wrong = {n: difference(launch, first, o) for n, o in outcomes.items()}
    return {
        "minimum": {name: Times(tuple(found)).minimum for name, found in times.items()},
        "median": {name: Times(tuple(found)).median for name, found in times.items()},
        "wrong": {name: what for name, what in wrong.items() if what is not None},
    }


def show_times(rows: Sequence[dict[str, Any]], console: Console) -> None:
    """Returns the table of times and the geometric means of their ratios."""
    table = Table("kernel", *TIMED, "ours / libnvvm", "ours / llc", "results")
    ratios: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        if "minimum" not in row:
            console.print(
                f"{row['file']}: {row.get('kernel', row.get('compiler'))}: {row['what'][:150]}"
            )
            continue
        best = row["minimum"]
        cells: list[str] = []
        for other in TIMED[1:]:
            if other in best and TIMED[0] in best:
                ratio = best[TIMED[0]] / best[other]
                ratios.setdefault((row["group"], other), []).append(ratio)
                ratios.setdefault(("all", other), []).append(ratio)
                cells.append(f"{ratio:.3f}")
            else:
                cells.append("")
        shown = [f"{1000 * best[n]:.1f}" if n in best else "" for n in TIMED]
        table.add_row(
            f"{row['file']}:{row['kernel'][:30]}", *shown, *cells, str(row["wrong"] or "agree")[:60]
        )
    console.print(table)
    for (group, other), found in ratios.items():
        console.print(
            f"{group}: ours / {other} {geometric_mean(found):.4f} of {len(found)} kernels"
        )


def main() -> None:
    """Runs the given subcommand."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("part", choices=("compile", "check", "count", "time", "launch"))
    parser.add_argument("--ptx", type=Path, metavar="FOLDER")
    parser.add_argument("--loops", type=Path, metavar="FILE")
    parser.add_argument("--launches", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, metavar="FILE")
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("-j", type=int, default=1, dest="processes")
    arguments = parser.parse_args()
    console = Console(width=200)
    if arguments.part == "launch":
        launch_counted(arguments.launches)
        return
    files = sources(arguments.loops)
    tasks = [(source, arguments.ptx) for source in files]
    rows: list[dict[str, Any]] = []
    if arguments.part == "compile":
        arguments.ptx.mkdir(parents=True, exist_ok=True)
        for source in files:
            for name in dict.fromkeys((*CHECKED, *TIMED)):
                try:
                    ptx_of(source, name, arguments.ptx)
                except (CompilerError, DiagnosticError) as error:
                    console.print(f"{source.name}: {name}: {str(error)[:150]}")
        return
    if arguments.part == "check":
        with ProcessPoolExecutor(arguments.processes) as pool:
            rows = [row for found in pool.map(check, tasks) for row in found]
        for row in rows:
            if row["outcome"] not in ("equal", "near"):
                console.print(row)
        kinds = [row["outcome"] for row in rows]
        console.print({kind: kinds.count(kind) for kind in dict.fromkeys(kinds)})
    elif arguments.part == "count":
        rows = count(tasks, arguments.processes)
        differing = [row for row in rows if row["simulated"] != row["measured"]]
        for row in differing:
            console.print(row)
        console.print(f"{len(rows) - len(differing)} of {len(rows)} launches have equal counts")
    else:
        for source in files:
            rows += time(source, arguments.ptx, arguments.repeats)
            if arguments.out is not None:
                arguments.out.write_text("\n".join(map(json.dumps, rows)))
        console.print(gpu().properties)
        show_times(rows, console)
    if arguments.out is not None:
        arguments.out.write_text("\n".join(map(json.dumps, rows)))


if __name__ == "__main__":
    main()
