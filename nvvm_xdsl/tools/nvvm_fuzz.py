"""`nvvm-fuzz`: runs random kernels through passes and selection and compares their behaviour.

With `--mutate`, damaged inputs, each of which must be compiled or rejected with an error message.
"""

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
    from nvvm_xdsl.lab.fuzz import Finding, Options

DESCRIPTION = """\
Generates random kernels, runs each in the simulator before and after a pipeline and as machine
code, and reports different results. The IR is verified after every pass. A seed
always gives the same kernel."""

EPILOG = """\
examples:
  nvvm-fuzz --count 200 --pipeline 'nvopt<O3>'          200 kernels through a pipeline
  nvvm-fuzz --count 10000 --all-levels --rotate         each kernel through the pipeline of one level
  nvvm-fuzz --seed 4711 --count 1 --pipeline sroa       repeat one kernel
  nvvm-fuzz --count 50 --all-passes --no-machine        test each pass alone
  nvvm-fuzz --count 5000 -j 8 --state seeds.sqlite      continue an interrupted run
  nvvm-fuzz --count 50 --against libnvvm,llc            compare with other compilers
  nvvm-fuzz --count 500 --against host                  compare with LLVM's code for this machine
  nvvm-fuzz --count 500 --against gpu                   compare with the execution on a GPU
  nvvm-fuzz --programs --count 50 --pipeline globalopt  programs of many functions, launched in a row
  nvvm-fuzz --corpus examples --count 1000              mutated functions of existing files
  nvvm-fuzz --count 1000 --machine --pipeline ''        compare ptxas's machine code with its PTX
  nvvm-fuzz --seed 3 --show                             print the kernel of a seed
  nvvm-fuzz --shapes swarm,atomics=20                   many atomic operations in each kernel
  nvvm-fuzz --seed 3 --file small.mlir --pipeline sroa  the launch of a seed with another kernel
  nvvm-fuzz --mutate ll --from examples --count 10000   compile damaged LLVM assembly
  nvvm-fuzz --mutate ll --from examples --seed 5 --show  print the damaged input of a seed
"""

DEFAULT_PIPELINE = "nvopt<O3>"
SIZE = 40
SECONDS_BETWEEN_LINES = 60


def _add_campaign_options(parser: argparse.ArgumentParser) -> None:
    """Options for the seeds, the pipelines, and the record of a campaign."""
    add = parser.add_argument
    add("--seed", type=int, default=0, metavar="N", help="first seed (default 0)")
    add("--count", type=int, default=100, metavar="M", help="number of seeds (default 100)")
    add(
        "--pipeline",
        action="append",
        metavar="P",
        help=f"the pipeline to test; may be repeated; '' runs only instruction selection (default {DEFAULT_PIPELINE})",
    )
    add(
        "--all-passes",
        action="store_true",
        help="test every registered IR pass alone, also with each of its options changed",
    )
    add(
        "--all-levels",
        action="store_true",
        help="test the pipeline of each level, as nvvm-cc runs it",
    )
    add(
        "-j",
        dest="jobs",
        type=int,
        default=1,
        metavar="N",
        help="number of processes; 0: one per processor",
    )
    add(
        "--state",
        metavar="FILE",
        help="record tested seeds and findings in an SQLite file, and skip the seeds recorded there",
    )
    add(
        "--merge",
        action="append",
        metavar="FILE",
        help="with --state: add the records of another state file; may be repeated",
    )


def _add_kernel_options(parser: argparse.ArgumentParser) -> None:
    """Options for the kernels that are generated and the code that they are compared with."""
    add = parser.add_argument
    add(
        "--against",
        metavar="NAME,...",
        help="compare with the code of other compilers (libnvvm, llc), with LLVM's code for this machine (host), "
        "or run the code of -O0 to -O3 on the GPU of this machine too (gpu); no pipeline is run",
    )
    add(
        "--programs",
        action="store_true",
        help="generate programs with many functions: deep and wide call graphs, recursion, function tables, "
        "variadic functions and variables of every address space; the kernels are launched in sequence on the same memory",
    )
    add(
        "--corpus",
        action="append",
        metavar="PATH",
        help="mutate functions of this LLVM assembly file, or of all files below this folder, in place of random "
        "kernels; may be repeated",
    )
    add(
        "--shapes",
        default="swarm",
        metavar="NAME[=N],...",
        help="statement kinds with their weights, and kernel traits with their probabilities; the list may begin "
        "with core, all, or swarm: a random subset for each seed (default swarm)",
    )
    add("--list-shapes", action="store_true", help="list the names for --shapes and exit")
    add(
        "--rotate",
        action="store_true",
        help="test each seed with only one of the pipelines, in turn",
    )
    add(
        "--size",
        type=int,
        default=SIZE,
        metavar="N",
        help=f"approximate number of instructions of a kernel (default {SIZE}); not used with --programs",
    )


def _add_machine_options(parser: argparse.ArgumentParser) -> None:
    """Options for the machine code."""
    add = parser.add_argument
    add(
        "--no-machine",
        dest="machine",
        action="store_false",
        help="test only the IR passes, without instruction selection and machine passes",
    )
    add(
        "--machine",
        dest="ptxas_levels",
        action="store_const",
        const=(0, 1, 2, 3),
        default=(),
        help="also run the machine code that ptxas generates from the PTX, at -O0 to -O3 in turn",
    )
    add(
        "--ptxas",
        action="store_true",
        help="also assemble the PTX with ptxas, which must accept it",
    )
    add(
        "-arch",
        "--arch",
        help="target architecture (default: sm_90; with --against: sm_100a, the lowest that libNVVM accepts;"
        " with --against gpu: that of the GPU)",
    )


def _add_failure_options(parser: argparse.ArgumentParser) -> None:
    """Options for failures, for a single kernel, and for damaged inputs."""
    add = parser.add_argument
    add(
        "--out",
        type=Path,
        default=Path("fuzz-failures"),
        metavar="DIR",
        help="directory for failing modules (default fuzz-failures)",
    )
    add(
        "--keep-going", type=int, default=20, metavar="N", help="stop after N failures (default 20)"
    )
    add(
        "--file",
        metavar="FILE",
        help="run this module instead of the kernel of --seed, with the same launch; for modules from nvvm-reduce",
    )
    add("--show", action="store_true", help="print the kernel of --seed and exit")
    add(
        "--mutate",
        choices=("ll", "mlir", "bc", "ptx", "pipeline"),
        help="compile damaged inputs of this kind instead; each compilation must succeed or report an error",
    )
    add(
        "--from",
        dest="sources",
        action="append",
        type=Path,
        metavar="PATH",
        help="with --mutate: input files to damage (.ll, .mlir, .ptx), or folders of them; may be repeated",
    )
    add(
        "--seconds",
        type=float,
        default=10.0,
        metavar="S",
        help="processor time after which an input, or a pipeline on one kernel, counts as a hang (default 10)",
    )


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-fuzz`."""
    parser = make_tool_parser("nvvm-fuzz", DESCRIPTION, EPILOG)
    _add_campaign_options(parser)
    _add_kernel_options(parser)
    _add_machine_options(parser)
    _add_failure_options(parser)
    return parser


def _compilers(text: str | None) -> list[str]:
    from nvvm_xdsl.lab.compilers import compiler
    from nvvm_xdsl.lab.compilers.host import HOST, why_no_host
    from nvvm_xdsl.lab.gpu import client

    names = text.split(",") if text else []
    for name in names:
        if name == HOST:
            why = why_no_host()
        elif name == client.NAME:
            why = client.why_no_gpu()
        else:
            why = compiler(name).why_missing()
        if why is not None:
            raise DiagnosticError(f"{name}: {why}")
    return names


def _default_arch(against: Sequence[str]) -> str:
    """The default architecture."""
    from nvvm_xdsl.lab.behaviour import MACHINE_ARCH
    from nvvm_xdsl.lab.compiler_comparison import ARCH
    from nvvm_xdsl.lab.gpu import client

    if client.NAME in against:
        return client.gpu().properties.arch
    return ARCH if against else MACHINE_ARCH


def pipelines_of(options: argparse.Namespace) -> list[str]:
    """The pipelines that the options select; the default one if they select none."""
    chosen: list[str] = list(options.pipeline or [])
    if options.all_levels:
        from nvvm_xdsl.pipeline.levels import LEVEL_PIPELINES

        chosen += LEVEL_PIPELINES
    if options.all_passes:
        from nvvm_xdsl.lab.fuzz import ir_passes, pass_variants

        chosen += [*ir_passes(), *pass_variants()]
    return chosen or [DEFAULT_PIPELINE]


def _run(options: argparse.Namespace) -> int:
    from nvvm_xdsl.lab.fuzz import Options
    from nvvm_xdsl.lab.random_kernels import shapes_table

    if options.merge and options.state is None:
        raise DiagnosticError("--merge requires --state")
    if options.mutate is not None:
        if options.state is not None or options.jobs != 1:
            raise DiagnosticError("--state and -j cannot be combined with --mutate")
        return _mutate(options)
    if options.list_shapes:
        print(shapes_table(), end="")
        return 0
    if options.show:
        shown = Options(
            size=options.size,
            programs=options.programs,
            corpus=tuple(options.corpus or ()),
            shapes=options.shapes,
        )
        print(shown.text(options.seed))
        return 0
    against = _compilers(options.against)
    if options.programs and options.corpus:
        raise DiagnosticError("--programs cannot be combined with --corpus")
    for name in {"host", "gpu"}.intersection(against):
        if options.programs:
            raise DiagnosticError(f"--programs: the {name} cannot run programs")
    chosen = Options(
        pipelines=pipelines_of(options),
        size=options.size,
        machine=options.machine,
        assemble=options.ptxas,
        ptxas_levels=options.ptxas_levels,
        arch=options.arch or _default_arch(against),
        rotate=options.rotate,
        against=against,
        programs=options.programs,
        corpus=tuple(options.corpus or ()),
        shapes=options.shapes,
        seconds=options.seconds,
    )
    if options.file is not None:
        return _try_file(options.file, options.seed, chosen)
    return _campaign(options, chosen)


def _campaign(options: argparse.Namespace, chosen: Options) -> int:
    from nvvm_xdsl.driver.signals import signals_raise
    from nvvm_xdsl.lab.campaign import IN_MEMORY, Campaign, run

    campaign = Campaign(chosen, options.state or IN_MEMORY)
    for path in options.merge or ():
        print(f"{path}: {campaign.merge(path)} new seeds")
    seeds = range(options.seed, options.seed + options.count)
    missing = len(campaign.missing(seeds))
    if missing < len(seeds):
        print(f"{len(seeds) - missing} of {len(seeds)} seeds were tried before", file=sys.stderr)
    kinds: Counter[str] = Counter()
    refused: Counter[str] = Counter()
    with signals_raise():
        for finding in run(campaign, seeds, jobs=options.jobs, progress=_progress(missing)):
            if finding.kind == "refused":
                refused[f"{finding.pipeline}: {finding.what}"] += 1
                continue
            kinds[finding.kind] += 1
            print(f"{_summary(finding)} ({_write(finding, options.out, chosen)})")
            if sum(kinds.values()) >= options.keep_going:
                print("stopped: too many failures; see --keep-going", file=sys.stderr)
                break
    for why, count in refused.most_common():
        print(f"{count} kernels rejected by {why}")
    if options.state is not None:
        found = sum(finding.kind != "refused" for finding in campaign.findings())
        states = campaign.compilers()
        print(f"{options.state}: {campaign.tried()} seeds, {found} failures, {states} compilers")
    return 1 if kinds else 0


def _write(finding: Finding, folder: Path, chosen: Options) -> Path:
    """The file that a failing case is written to."""
    from nvvm_xdsl.driver.errors import user_errors

    pipelines = list(chosen.pipelines)
    number = pipelines.index(finding.pipeline) if finding.pipeline in pipelines else 0
    suffix = "ll" if chosen.against else "mlir"
    path = folder / f"seed-{finding.seed}-{number}-{finding.kind}.{suffix}"
    with user_errors(str(path)):
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(finding.reproducer(chosen), encoding="utf-8")
    return path


def _mutate(options: argparse.Namespace) -> int:
    from nvvm_xdsl.driver.errors import user_errors
    from nvvm_xdsl.driver.files import write_output
    from nvvm_xdsl.lab.damaged_inputs import Limits, try_inputs
    from nvvm_xdsl.lab.mutations import collect, mutated

    kind = options.mutate
    with user_errors("--from"):
        pieces = collect(options.sources or [])
    if not pieces.texts(kind):
        raise DiagnosticError(f"--mutate {kind}: no functions to damage; see --from")
    if options.show:
        write_output("-", mutated(kind, pieces, options.seed))
        return 0
    kinds: Counter[str] = Counter()
    failures = 0
    seeds = range(options.seed, options.seed + options.count)
    limits = Limits(seconds=options.seconds)
    for outcome in try_inputs(kind, pieces, seeds, limits, _progress(len(seeds), "inputs")):
        kinds[outcome.kind] += 1
        if not outcome.failed:
            continue
        failures += 1
        path = options.out / f"seed-{outcome.seed}.{kind}"
        with user_errors(str(path)):
            options.out.mkdir(parents=True, exist_ok=True)
            path.write_bytes(mutated(kind, pieces, outcome.seed))
        print(f"seed {outcome.seed}: {outcome.kind}: {outcome.what} ({path})")
        if failures >= options.keep_going:
            print("stopped: too many failures; see --keep-going", file=sys.stderr)
            break
    print(", ".join(f"{count} {name}" for name, count in sorted(kinds.items())))
    return 1 if failures else 0


def _try_file(name: str, seed: int, options: Options) -> int:
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import read_input
    from nvvm_xdsl.lab.fuzz import try_against, try_seed

    if options.against:
        findings = list(try_against(seed, options, _llvm_text(name)))
        refused = [finding for finding in findings if finding.kind == "refused"]
        for finding in refused:
            print(f"remark: {finding.pipeline} rejects the module: {finding.what}", file=sys.stderr)
        if len(refused) == len(options.against):
            raise DiagnosticError("no other compiler accepts the module")
        findings = [finding for finding in findings if finding.kind != "refused"]
    else:
        findings = list(try_seed(seed, options, parse(read_input(name), filename=name)))
    for finding in findings:
        print(_summary(finding))
    return 1 if findings else 0


def _llvm_text(name: str) -> str:
    """A file in a form that other compilers read: LLVM assembly."""
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import decode, format_of, read_input
    from nvvm_xdsl.export import write_ll

    data = read_input(name)
    if format_of(data, name) == "ll":
        return decode(data, name)
    return write_ll(parse(data, filename=name), for_nvptx=True)


def _summary(finding: Finding) -> str:
    first = finding.what.splitlines()[0] if finding.what else ""
    return f"seed {finding.seed}, '{finding.pipeline}': {finding.kind}: {first}"


def _progress(total: int, what: str = "kernels") -> Callable[[int, int], None]:
    """Reports the progress of a run: continuously on a terminal, else once a minute."""
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
        text = f"{done} of {total} {what}, {found} failures, {rate:.1f} a second"
        print(text, end=end, file=sys.stderr, flush=True)

    return progress


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv)


if __name__ == "__main__":
    sys.exit(main())
