"""`nvvm-run`: runs a kernel on the CPU and reports what it does wrong."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.command_line import add_opt_argument, join_values
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.kernel_arguments import (
    ARGUMENTS_HELP,
    add_launch_arguments,
    parse_argument,
)
from nvvm_xdsl.tools.quick_start import leave_the_rest

if TYPE_CHECKING:
    import numpy as np
    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.simulator.execution.profile import Profile

    Array = np.ndarray[Any, Any]

DESCRIPTION = "Runs a kernel of NVVM IR (.ll, .bc, .mlir), PTX or nvptx machine code without a GPU."

EPILOG = f"""\
{ARGUMENTS_HELP}
examples, with the kernels of the folder examples:
  nvvm-run saxpy.ll --kernel saxpy --grid 4 --block 256 \\
      --arg 1000 --arg 2.0 --arg f32[1000]=arange --arg f32[1000]=1 --print 3
  nvvm-run matmul.ll --kernel matmul_f32 --grid 2,2 --block 16,16 --check race,sync,init \\
      --arg f32[400]=random --arg f32[400]=random --arg f32[400] --arg 20 --save 2=c.npy
  nvvm-run scan.ll --kernel scan --block 256 --shared 128 --check all \\
      --arg i32[200]=1 --arg i32[200] --arg i32[1] --arg 200 --print 1
  nvvm-run reduction.ll --kernel reduce_max --block 32 --passes 'nvopt<O3>' --select --stats \\
      --arg i32[100]=random --arg i32[1] --arg 100 --print 1
  nvvm-run matmul.ll --kernel matmul_f32 --grid 2,2 --block 16,16 --passes 'nvopt<O3>' --select \\
      --profile --annotate --arg f32[400]=random --arg f32[400]=random --arg f32[400] --arg 20
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-run`."""
    from nvvm_xdsl.simulator import Limits

    limits = Limits()
    parser = make_tool_parser("nvvm-run", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="the module; - is standard input")
    add_launch_arguments(parser)
    add(
        "--check",
        "--tool",
        default="",
        metavar="LIST",
        help="look for more errors: memory (always), race, sync, init or all, or by the names of"
        " compute-sanitizer: memcheck, racecheck, synccheck, initcheck",
    )
    add(
        "--leak-check",
        choices=("full", "no"),
        default="no",
        help="report what device malloc gave and nobody freed (default no)",
    )
    add(
        "--print-limit",
        type=int,
        default=100,
        metavar="N",
        help="errors to print at most, those of one place counted once (default 100)",
    )
    add(
        "--print",
        action="append",
        type=int,
        default=[],
        metavar="N",
        help="print argument N (from 0) afterwards",
    )
    add(
        "--save",
        action="append",
        default=[],
        metavar="N=FILE",
        help="save argument N afterwards, as .npy or raw",
    )
    add("--passes", metavar="PIPELINE", help="run a pipeline on the module first")
    add_opt_argument(parser)
    add("--select", action="store_true", help="run the machine code selected from the module")
    add("-arch", "--arch", default="sm_90", help="what to select for (default sm_90)")
    add("--libdevice", type=Path, metavar="PATH", help="bitcode to take __nv_ functions from")
    add(
        "--max-steps",
        type=int,
        default=limits.steps,
        metavar="N",
        help=f"ops to execute at most, counted once for the threads that execute them together (default {limits.steps})",
    )
    add(
        "--max-memory",
        type=int,
        default=limits.memory,
        metavar="BYTES",
        help=f"device memory at most (default {limits.memory})",
    )
    add(
        "--max-output",
        type=int,
        default=limits.output,
        metavar="BYTES",
        help=f"what the kernel may print at most (default {limits.output})",
    )
    add("--stats", action="store_true", help="say how much was executed and how fast")
    add(
        "--profile",
        action="store_true",
        help="count executed instructions by class, sectors, bank conflicts, divergent branches",
    )
    add("--profile-json", metavar="FILE", help="write these counts as JSON; - is standard output")
    add(
        "--annotate",
        action="store_true",
        help="print the source with what each line has cost",
    )
    return parser


def _load(options: argparse.Namespace) -> ModuleOp:
    from nvvm_xdsl.driver.compile import complete, parse, verify
    from nvvm_xdsl.driver.files import STDIN_NAME, read_input
    from nvvm_xdsl.driver.toolkit import find_libdevice
    from nvvm_xdsl.frontend.libdevice import link_libdevice

    name = STDIN_NAME if options.file == "-" else options.file
    module = parse(read_input(options.file), filename=name, locations=True)
    verify(module)
    if any(op.name.startswith("ptx.") for op in module.ops):
        from nvvm_xdsl.codegen.from_ptx import convert

        return convert(module)
    if any(op.name.startswith("nvptx.") for op in module.ops):
        return module
    complete(module)
    module = link_libdevice(module, options.libdevice or find_libdevice()) or module
    if options.passes:
        from nvvm_xdsl.pipeline import PassManager
        from nvvm_xdsl.pipeline.knobs import parse_opt

        PassManager(options.passes, options=parse_opt(" ".join(options.pass_options))).run(module)
    if options.select:
        from nvvm_xdsl.codegen.options import CodegenOptions
        from nvvm_xdsl.pipeline.selection import select

        module = select(module, CodegenOptions.for_arch(options.arch))
    return module


def _save(text: str, arguments: Sequence[Any]) -> None:
    import numpy as np

    number, equals, name = text.partition("=")
    if not equals or not number.isdigit():
        raise DiagnosticError(f"--save takes NUMBER=FILE, not '{text}'")
    array = _buffer(int(number), arguments)
    try:
        if name.endswith(".npy"):
            np.save(name, array)
        else:
            Path(name).write_bytes(array.tobytes())
    except OSError as error:
        raise DiagnosticError(f"cannot write {name}: {error.strerror}") from None


def _show_profile(profile: Profile, options: argparse.Namespace) -> None:
    from nvvm_xdsl.testing.profile_report import annotated, as_json, as_text

    if options.profile:
        sys.stdout.write(as_text(profile))
    if options.annotate:
        sys.stdout.write(annotated(profile, {}))
    if options.profile_json == "-":
        sys.stdout.write(as_json(profile))
    elif options.profile_json is not None:
        try:
            Path(options.profile_json).write_text(as_json(profile))
        except OSError as error:
            raise DiagnosticError(
                f"cannot write {options.profile_json}: {error.strerror}"
            ) from None


def _buffer(number: int, arguments: Sequence[Any]) -> Array:
    import numpy as np

    from nvvm_xdsl.simulator import Surface

    found = arguments[number] if 0 <= number < len(arguments) else None
    if isinstance(found, Surface):
        found = found.array
    if not isinstance(found, np.ndarray):
        raise DiagnosticError(f"argument {number} is no buffer")
    return cast("Array", found)


def _checks(text: str) -> Collection[str]:
    """The checks that `--check` names."""
    from nvvm_xdsl.simulator import CHECKS
    from nvvm_xdsl.simulator.execution.sanitizer import TOOLS

    return CHECKS if text == "all" else [TOOLS.get(c, c) for c in text.split(",") if c]


def _run(options: argparse.Namespace) -> int:
    import time

    import numpy as np

    from nvvm_xdsl.simulator import Limits, sanitize
    from nvvm_xdsl.testing.error_report import as_text as errors_as_text

    arguments = [parse_argument(text, i) for i, text in enumerate(options.arguments)]
    for number in options.print:
        _buffer(number, arguments)
    module = _load(options)
    started = time.perf_counter()
    result = sanitize(
        module,
        options.kernel,
        options.grid,
        options.block,
        arguments,
        shared_bytes=options.shared,
        checks=_checks(options.check),
        limits=Limits(
            steps=options.max_steps, memory=options.max_memory, output=options.max_output
        ),
        cluster=options.cluster,
        counting=options.profile or options.annotate or options.profile_json is not None,
        leaks=options.leak_check == "full",
    )
    seconds = time.perf_counter() - started
    sys.stdout.write(result.output)
    for number in options.print:
        print(np.array2string(_buffer(number, arguments), threshold=10_000, separator=", "))
    for text in options.save:
        _save(text, arguments)
    if result.profile is not None:
        _show_profile(result.profile, options)
    if options.stats:
        print(f"{result.steps} steps in {seconds:.3f} s", file=sys.stderr)
    if result.reports:
        sys.stdout.flush()
        sys.stderr.write(errors_as_text(result.reports, options.print_limit))
        return 1
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    if argv is None:
        leave_the_rest()
    return run_tool(_run, make_parser, join_values(sys.argv[1:] if argv is None else argv))


if __name__ == "__main__":
    sys.exit(main())
