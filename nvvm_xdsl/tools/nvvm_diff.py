"""`nvvm-diff`: compares results and costs of one kernel from several compilers at the same
launch."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.demangle import choose, plain_name, readable
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.option_flags import ARCH_DEFAULT, add_clang_arguments
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.kernel_arguments import (
    ARGUMENTS_HELP,
    add_launch_arguments,
    in_order,
    parse_argument,
)
from nvvm_xdsl.tools.launched_module import read_assembly, tell_arch
from nvvm_xdsl.tools.nvcc_options import join_clang

if TYPE_CHECKING:
    from rich.table import Table

    from nvvm_xdsl.lab.compiler_comparison import Candidate
    from nvvm_xdsl.lab.launches import Launch
    from nvvm_xdsl.simulator.program import Program

DESCRIPTION = """\
Compiles a kernel with several compilers, runs the PTX of each in the simulator, and reports which results
differ, with the store that caused the difference. The exit status is 1 if results differ."""

EPILOG = f"""\
{ARGUMENTS_HELP}
examples, with the kernels of the folder examples:
  nvvm-diff saxpy.ll --grid 4 --block 256 \\
      --arg 1000 --arg 2.0 --arg f32[1000]=arange --arg f32[1000]=1
  nvvm-diff reduction.ll --with ours-O0,ours-O3 --costs --kernel reduce_max --block 32 \\
      --arg i32[100]=random --arg i32[1] --arg 100
"""

TIMED = 20
"""Number of launches on a GPU whose times are printed."""

DEFAULT = "ours-O0,ours-O3,libnvvm,llc"


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-diff`."""
    parser = make_tool_parser("nvvm-diff", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="LLVM assembly or CUDA C++ (.cu)")
    add(
        "--with",
        dest="compilers",
        default=DEFAULT,
        metavar="NAME,...",
        help="ours-O0 to ours-O3, libnvvm, llc (default: the available ones of " + DEFAULT + ")",
    )
    add(
        "--ptx",
        action="append",
        default=[],
        metavar="FILE",
        help="PTX of the same kernel from another compiler; may be repeated",
    )
    add("-arch", "--arch", metavar="ARCH", help=f"target architecture; {ARCH_DEFAULT}")
    add(
        "--fmad",
        action="store_true",
        help="contract multiplications and additions into fma; requires --tolerance",
    )
    add(
        "--tolerance",
        type=float,
        default=0.0,
        metavar="X",
        help="the relative error allowed for floats (default 0: the same bits)",
    )
    add(
        "--machine",
        action="store_true",
        help="also run the machine code that ptxas generates from the PTX of each compiler",
    )
    add(
        "--gpu",
        action="store_true",
        help="also run the PTX of each compiler on the GPU of this machine, and print its execution time;"
        " if the GPU is older than sm_100, libNVVM's PTX for sm_100 is used",
    )
    add(
        "--costs",
        action="store_true",
        help="print registers, machine instructions and executed instructions for each compiler",
    )
    add_clang_arguments(parser)
    add_launch_arguments(parser)
    return parser


def _run(options: argparse.Namespace) -> int:
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import decode, read_input
    from nvvm_xdsl.lab.compiler_comparison import (
        candidates,
        compare,
        gpu_candidates,
        machine_candidates,
        source_program,
    )
    from nvvm_xdsl.lab.compilers import compiler
    from nvvm_xdsl.lab.launches import Launch
    from nvvm_xdsl.simulator.launch import check_argument_count, parameter_names

    text = read_assembly(options)
    names: list[str] = []
    for name in options.compilers.split(","):
        why = compiler(name).why_missing()
        if why is None:
            names.append(name)
        else:
            print(f"{name} is skipped: {why}", file=sys.stderr)
    given = [(path, decode(read_input(path), path)) for path in options.ptx]
    if len(names) + len(given) < 2:
        raise DiagnosticError("fewer than two compilers are available")
    if options.gpu:
        options.arch = options.arch or _gpu_arch()
    options.arch = tell_arch(parse(text, filename=options.file), options.arch)
    source = source_program(text)
    kernels = source.kernels()
    kernel, message = choose(options.kernel, list(kernels))
    if kernel is None:
        raise DiagnosticError(message)
    words = in_order(options.arguments, parameter_names(source.infos[kernel].op))
    launch = Launch(
        kernel,
        options.grid,
        options.block,
        tuple(parse_argument(value, i) for i, value in enumerate(words)),
        shared_bytes=options.shared,
        cluster=options.cluster,
        tolerance=options.tolerance,
    )
    check_argument_count(source, kernel, launch.args)
    found = candidates(text, names, source, options.arch, fmad=options.fmad, given=given)
    plain = list(found)
    if options.machine:
        found += machine_candidates(found, options.arch)
    if options.gpu:
        found += gpu_candidates(plain, source)
    result = compare(found, [launch])
    for name, why in {**result.refused, **result.failures}.items():
        print(readable(f"{name}: {why}"))
    for disagreement in result.disagreements:
        print(readable(str(disagreement)))
    ran = [c for c in found if not c.refused and c.name not in result.failures]
    if not result.disagreements and len(ran) > 1:
        print(f"@{plain_name(kernel)}: {', '.join(c.name for c in ran)} agree")
    if options.gpu:
        _show_times([c for c in ran if c.gpu is not None], launch)
    if options.costs:
        _show_costs([c for c in plain if c in ran], launch, source, options.arch)
    return 1 if result.disagreements or result.failures else 0


def _gpu_arch() -> str:
    """The architecture of this machine's GPU. Raises DiagnosticError if there is none."""
    from nvvm_xdsl.lab.gpu.client import gpu
    from nvvm_xdsl.lab.gpu.job import GPUError

    try:
        return gpu().properties.arch
    except GPUError as error:
        raise DiagnosticError(f"--gpu: {error}") from None


def _show_times(ran: Sequence[Candidate], launch: Launch) -> None:
    """Prints the times of candidates on the GPU, and their ratios to the first."""
    from nvvm_xdsl.lab.gpu.client import gpu

    table = _table("", "minimum [us]", "median [us]", "ratio")
    first = 0.0
    for candidate in ran:
        assert candidate.gpu is not None
        times = candidate.gpu.time(launch, TIMED)[1]
        first = first or times.minimum
        table.add_row(
            candidate.name,
            f"{1000 * times.minimum:.1f}",
            f"{1000 * times.median:.1f}",
            f"{times.minimum / first:.3f}",
        )
    print(f"{TIMED} launches on {gpu().properties.name}:")
    _print(table)


def _show_costs(ran: Sequence[Candidate], launch: Launch, source: Program, arch: str) -> None:
    from nvvm_xdsl.lab.assembled import AssemblyError
    from nvvm_xdsl.lab.measure import measure

    heads = ("registers", "spills", "local", "machine code", "PTX run", "machine run", "sectors")
    table = _table("compiler", *heads)
    for candidate in ran:
        try:
            found = measure(candidate.ptx, arch, [launch], source)
        except AssemblyError as error:
            raise DiagnosticError(f"{candidate.name}: ptxas: {error}") from None
        m = found[launch.kernel]
        sectors = m.memory["global"].sectors if "global" in m.memory else 0
        static = m.static
        numbers = (
            static.registers,
            static.spills,
            static.local,
            static.instructions,
            m.executed.warps,
        )
        table.add_row(
            candidate.name, *(f"{n:,}" for n in numbers), m.machine_text(), f"{sectors:,}"
        )
    _print(table)


def _table(first: str, *others: str) -> Table:
    """A table without lines, whose first column is text."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False)
    table.add_column(first)
    for head in others:
        table.add_column(head, justify="right")
    return table


def _print(table: Table) -> None:
    from rich.console import Console

    console = Console(width=120, color_system=None, markup=False)
    with console.capture() as captured:
        console.print(table)
    print("\n".join(line.rstrip() for line in captured.get().splitlines()))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv, spelled=join_clang)


if __name__ == "__main__":
    sys.exit(main())
