"""`nvvm-fuzz`: random kernels through passes and selection, their behaviour compared."""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

if TYPE_CHECKING:
    from nvvm_xdsl.testing.fuzz import Finding, Options

DESCRIPTION = """\
Makes random kernels, runs each in the simulator before and after a pipeline and after selection to
machine code, and reports where results differ. The same seed always makes the same kernel."""

EPILOG = """\
examples:
  nvvm-fuzz --count 200 --pipeline 'nvopt<O3>'          200 kernels through a pipeline
  nvvm-fuzz --count 10000 --rotate --pipeline 'nvopt<O0>' --pipeline 'nvopt<O3>'
  nvvm-fuzz --seed 4711 --count 1 --pipeline sroa       one kernel again
  nvvm-fuzz --count 50 --all-passes --no-machine        each pass by itself
  nvvm-fuzz --count 50 --against libnvvm,llc            our code beside other compilers
  nvvm-fuzz --seed 3 --show                             print the kernel of a seed
  nvvm-fuzz --seed 3 --file small.mlir --pipeline sroa  the launch of a seed with another kernel
"""

DEFAULT_PIPELINE = "nvopt<O3>"
SECONDS_BETWEEN_LINES = 60


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-fuzz`."""
    parser = make_tool_parser("nvvm-fuzz", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("--seed", type=int, default=0, metavar="N", help="the first seed (default 0)")
    add("--count", type=int, default=100, metavar="M", help="how many seeds (default 100)")
    add(
        "--pipeline",
        action="append",
        metavar="P",
        help=f"the passes to test; may be repeated; '' is selection alone (default {DEFAULT_PIPELINE})",
    )
    add("--all-passes", action="store_true", help="every registered pass over the IR by itself")
    add(
        "--against",
        metavar="NAME,...",
        help="compare with the code of other compilers, libnvvm and llc, and run no pipeline",
    )
    add("--rotate", action="store_true", help="each seed through one of the pipelines, in turn")
    add(
        "--size",
        type=int,
        default=60,
        metavar="N",
        help="instructions of a kernel, roughly (default 60)",
    )
    add(
        "--no-machine",
        dest="machine",
        action="store_false",
        help="test the passes over IR alone, without selection and machine passes",
    )
    add(
        "-arch",
        "--arch",
        help="what to select for (default sm_90; with --against sm_100a, which libNVVM needs)",
    )
    add(
        "--out",
        type=Path,
        default=Path("fuzz-failures"),
        metavar="DIR",
        help="where failing modules go (default fuzz-failures)",
    )
    add(
        "--keep-going",
        type=int,
        default=20,
        metavar="N",
        help="stop after so many failures (default 20)",
    )
    add(
        "--file",
        metavar="FILE",
        help="a module to run in place of the kernel of --seed, with its launch: what nvvm-reduce left, say",
    )
    add("--show", action="store_true", help="print the kernel of --seed and do nothing else")
    return parser


def _compilers(text: str | None) -> list[str]:
    from nvvm_xdsl.testing.compilers import compiler

    names = text.split(",") if text else []
    for name in names:
        why = compiler(name).why_missing()
        if why is not None:
            raise DiagnosticError(f"{name}: {why}")
    return names


def _pipelines(options: argparse.Namespace) -> list[str]:
    chosen: list[str] = list(options.pipeline or [])
    if options.all_passes:
        from nvvm_xdsl.testing.fuzz import ir_passes

        chosen += ir_passes()
    return chosen or [DEFAULT_PIPELINE]


def _run(options: argparse.Namespace) -> int:
    from nvvm_xdsl.driver.errors import user_errors
    from nvvm_xdsl.testing.behaviour import MACHINE_ARCH
    from nvvm_xdsl.testing.compiler_comparison import ARCH
    from nvvm_xdsl.testing.fuzz import Options, fuzz
    from nvvm_xdsl.testing.random_kernels import random_kernel_text

    if options.show:
        print(random_kernel_text(options.seed, options.size))
        return 0
    against = _compilers(options.against)
    chosen = Options(
        pipelines=_pipelines(options),
        size=options.size,
        machine=options.machine,
        arch=options.arch or (ARCH if against else MACHINE_ARCH),
        rotate=options.rotate,
        against=against,
    )
    if options.file is not None:
        return _try_file(options.file, options.seed, chosen)
    seeds = range(options.seed, options.seed + options.count)
    kinds: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    for finding in fuzz(seeds, chosen, _progress(len(seeds))):
        if finding.kind == "refused":
            refused[f"{finding.pipeline}: {finding.what}"] += 1
            continue
        kinds[finding.kind] += 1
        pipelines = list(chosen.pipelines)
        number = pipelines.index(finding.pipeline) if finding.pipeline in pipelines else 0
        suffix = "ll" if against else "mlir"
        path = options.out / f"seed-{finding.seed}-{number}-{finding.kind}.{suffix}"
        with user_errors(str(path)):
            options.out.mkdir(parents=True, exist_ok=True)
            path.write_text(finding.reproducer(chosen), encoding="utf-8")
        print(f"{_summary(finding)} ({path})")
        if sum(kinds.values()) >= options.keep_going:
            print("stopped: too many failures; see --keep-going", file=sys.stderr)
            break
    for why, count in refused.most_common():
        print(f"{count} kernels refused by {why}")
    return 1 if kinds else 0


def _try_file(name: str, seed: int, options: Options) -> int:
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import decode, read_input
    from nvvm_xdsl.testing.fuzz import try_against, try_seed

    if options.against:
        findings = list(try_against(seed, options, decode(read_input(name), name)))
        findings = [finding for finding in findings if finding.kind != "refused"]
    else:
        findings = list(try_seed(seed, options, parse(read_input(name), filename=name)))
    for finding in findings:
        print(_summary(finding))
    return 1 if findings else 0


def _summary(finding: Finding) -> str:
    first = finding.what.splitlines()[0] if finding.what else ""
    return f"seed {finding.seed}, '{finding.pipeline}': {finding.kind}: {first}"


def _progress(total: int) -> Callable[[int, int], None]:
    """Says how far a run is: all the time on a terminal, else once a minute."""
    started = time.monotonic()
    interactive = sys.stderr.isatty()
    said = started

    def progress(done: int, found: int) -> None:
        nonlocal said
        now = time.monotonic()
        if not interactive and done < total and now - said < SECONDS_BETWEEN_LINES:
            return
        said = now
        rate = done / max(now - started, 1e-9)
        end = "\r" if interactive and done < total else "\n"
        text = f"{done} of {total} kernels, {found} failures, {rate:.1f} a second"
        print(text, end=end, file=sys.stderr, flush=True)

    return progress


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser().parse_args(argv))


if __name__ == "__main__":
    sys.exit(main())
