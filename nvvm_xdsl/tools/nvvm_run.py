"""`nvvm-run`: runs a kernel on the CPU and reports its errors."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any, cast

from nvvm_xdsl.ir import launch_limits
from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.command_line import join_values
from nvvm_xdsl.pipeline.option_flags import ARCH_DEFAULT
from nvvm_xdsl.tools.arguments import as_typed, make_tool_parser, run_tool
from nvvm_xdsl.tools.kernel_arguments import (
    ARGUMENTS_HELP,
    add_launch_arguments,
    lane_of,
    parse_argument,
    parse_thread,
)
from nvvm_xdsl.tools.launched_module import (
    add_module_arguments,
    load_module,
    machine_program_of,
    pass_settings,
    ptx_of,
    resolve_kernel,
    select_module,
    tell_arch,
)
from nvvm_xdsl.tools.nvcc_options import join_clang

if TYPE_CHECKING:
    import numpy as np
    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.simulator import Recorder
    from nvvm_xdsl.simulator.execution.profile import Profile
    from nvvm_xdsl.simulator.program import Program
    from nvvm_xdsl.simulator.sass.program import SassProgram

    Array = np.ndarray[Any, Any]

DESCRIPTION = """\
Runs a kernel of CUDA C++ (.cu), NVVM IR (.ll, .bc, .mlir), PTX or nvptx machine code in the simulator, without a GPU,
or with --gpu on the GPU of this machine."""

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


TIMED = 20
"""Number of launches on a GPU that `--stats` times."""


def _add_check_options(parser: argparse.ArgumentParser) -> None:
    """Options for the errors that the simulator reports."""
    add = parser.add_argument
    add(
        "--check",
        "--tool",
        default="",
        metavar="LIST",
        help="enable checks: memory (always on), race, sync, init or all, or the names of"
        " compute-sanitizer: memcheck, racecheck, synccheck, initcheck",
    )
    add(
        "--leak-check",
        choices=("full", "no"),
        default="no",
        help="report device malloc allocations that are never freed (default no)",
    )
    add(
        "--print-limit",
        type=int,
        default=100,
        metavar="N",
        help="maximum number of errors to print; errors at the same location count once (default 100)",
    )


def _add_result_options(parser: argparse.ArgumentParser) -> None:
    """Options for the arguments after the run."""
    add = parser.add_argument
    add(
        "--print",
        action="append",
        default=[],
        metavar="N",
        help="print argument N after the run: a number, counted from 0, or a name",
    )
    add(
        "--save",
        action="append",
        default=[],
        metavar="N=FILE",
        help="save argument N after the run, as .npy or as raw bytes",
    )


def _add_code_options(parser: argparse.ArgumentParser) -> None:
    """Options for the code that runs."""
    add = parser.add_argument
    add_module_arguments(parser)
    add("--select", action="store_true", help="run the machine code selected from the module")
    add(
        "--machine",
        action="store_true",
        help="run the machine code that ptxas makes of the PTX, or of the module's PTX",
    )
    add(
        "--gpu",
        action="store_true",
        help="run the machine code on the GPU of this machine instead of the simulator; the driver assembles the PTX",
    )
    add("-arch", "--arch", metavar="ARCH", help=f"target architecture; {ARCH_DEFAULT}")


def _add_comparison_options(parser: argparse.ArgumentParser) -> None:
    """Options for a second run after a pipeline."""
    add = parser.add_argument
    add(
        "--against",
        metavar="PIPELINE",
        help="run the kernel again after a pipeline (with --select also as machine code) and, if the"
        " results differ, report the pass that changed them",
    )
    add(
        "--tolerance",
        type=float,
        default=0.0,
        metavar="X",
        help="the relative error allowed for floats after --against (default 0)",
    )


def _add_execution_options(parser: argparse.ArgumentParser) -> None:
    """Options for a trace and for the limits of the execution."""
    add = parser.add_argument
    add(
        "--trace",
        type=parse_thread,
        metavar="X[,Y[,Z]][@BX[,BY[,BZ]]]",
        help="print each op that a thread executes, with its values and source line",
    )
    add(
        "--max-steps",
        type=int,
        default=launch_limits.STEPS,
        metavar="N",
        help=f"maximum number of ops to execute; an op executed by several threads at once counts once (default {launch_limits.STEPS})",
    )
    add(
        "--max-memory",
        type=int,
        default=launch_limits.MEMORY,
        metavar="BYTES",
        help=f"maximum device memory in bytes (default {launch_limits.MEMORY})",
    )
    add(
        "--max-output",
        type=int,
        default=launch_limits.OUTPUT,
        metavar="BYTES",
        help=f"maximum output of the kernel in bytes (default {launch_limits.OUTPUT})",
    )


def _add_measurement_options(parser: argparse.ArgumentParser) -> None:
    """Options for counts and times."""
    add = parser.add_argument
    add(
        "--stats",
        action="store_true",
        help="print how many ops were executed, and the speed; with --gpu the time of the kernel",
    )
    add(
        "--profile",
        action="store_true",
        help="count executed instructions by class, sectors, bank conflicts, divergent branches",
    )
    add(
        "--cycles",
        action="store_true",
        help="with --machine: estimate the cycles of a warp, by block and pipe, from control information",
    )
    add(
        "--memory-latency",
        type=int,
        default=500,
        metavar="N",
        help="with --cycles: latency of an access to global memory in cycles (default 500)",
    )
    add(
        "--profile-json",
        metavar="FILE",
        help="write the counts of --profile as JSON; - is standard output",
    )
    add("--annotate", action="store_true", help="print the source with the cost of each line")


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-run`."""
    parser = make_tool_parser("nvvm-run", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="the module; - is standard input")
    add_launch_arguments(parser)
    _add_check_options(parser)
    _add_result_options(parser)
    _add_code_options(parser)
    _add_comparison_options(parser)
    _add_execution_options(parser)
    _add_measurement_options(parser)
    return parser


def _save(text: str, arguments: Sequence[Any]) -> None:
    import numpy as np

    from nvvm_xdsl.driver.files import write_output

    number, equals, name = text.partition("=")
    if not equals or not number.isdigit():
        raise DiagnosticError(f"--save: expected NUMBER=FILE, got '{text}'")
    array = _buffer(int(number), arguments)
    if not name.endswith(".npy"):
        write_output(name, array.tobytes())
        return
    data = io.BytesIO()
    np.save(data, array)
    write_output(name, data.getvalue())


def _show_profile(profile: Profile, options: argparse.Namespace) -> None:
    from nvvm_xdsl.driver.files import write_output
    from nvvm_xdsl.lab.profile_report import annotated, as_json, as_text

    if options.profile:
        sys.stdout.write(as_text(profile))
    if options.annotate:
        sys.stdout.write(annotated(profile, {}))
    if options.profile_json is not None:
        write_output(options.profile_json, as_json(profile))


def _buffer(number: int, arguments: Sequence[Any]) -> Array:
    import numpy as np

    from nvvm_xdsl.simulator import Surface

    found = arguments[number] if 0 <= number < len(arguments) else None
    if isinstance(found, Surface):
        found = found.array
    if not isinstance(found, np.ndarray):
        raise DiagnosticError(f"argument {number} is not a buffer")
    return cast("Array", found)


def _show_cycles(program: SassProgram, profile: Profile, options: argparse.Namespace) -> None:
    from nvvm_xdsl.lab.machine_cycles import as_text, estimate_launch

    found = estimate_launch(
        program,
        options.kernel,
        profile,
        (options.grid, options.block),
        options.shared,
        options.memory_latency,
    )
    sys.stdout.write(as_text(found))


def _check_machine(options: argparse.Namespace) -> None:
    """Raises DiagnosticError for options that do not work with machine code, or that need it."""
    if not options.machine:
        if options.cycles:
            raise DiagnosticError("--cycles needs --machine")
        return
    if options.trace is not None:
        raise DiagnosticError("--trace cannot be combined with --machine")
    if options.check != "all" and "init" in _checks(options.check):
        raise DiagnosticError(
            "--check init cannot be combined with --machine: undefined values of machine code are not tracked"
        )


def _check_gpu(options: argparse.Namespace) -> None:
    """Raises DiagnosticError for options that need the simulator."""
    for name, given in (
        ("--machine", options.machine),
        ("--check", options.check),
        ("--leak-check", options.leak_check == "full"),
        ("--trace", options.trace is not None),
        ("--profile", options.profile or options.profile_json is not None),
        ("--annotate", options.annotate),
        ("--against", options.against is not None),
    ):
        if given:
            raise DiagnosticError(f"{name} cannot be combined with --gpu")


def _run_on_gpu(module: ModuleOp, options: argparse.Namespace, arguments: list[Any]) -> None:
    """Runs the launch on the GPU and copies arrays back into the arguments.

    Raises DiagnosticError if there is no GPU, or if the kernel fails.
    """
    from nvvm_xdsl.lab.gpu.client import gpu
    from nvvm_xdsl.lab.gpu.gpu_program import GPUProgram
    from nvvm_xdsl.lab.gpu.job import GPUError
    from nvvm_xdsl.lab.launches import Launch
    from nvvm_xdsl.simulator import prepare

    launch = Launch(
        options.kernel,
        options.grid,
        options.block,
        tuple(arguments),
        options.shared,
        cluster=options.cluster,
    )
    try:
        properties = gpu().properties
        options.arch = options.arch or properties.arch
        program = GPUProgram(ptx_of(module, options), prepare(module))
        outcome = program.run(launch)
        times = program.time(launch, TIMED)[1] if options.stats else None
    except GPUError as error:
        raise DiagnosticError(f"GPU: {error}") from None
    sys.stdout.write(outcome.output)
    for position, array in zip(outcome.positions, outcome.arrays):
        arguments[position] = array
    if times is not None:
        print(
            f"{times.minimum:.4f} ms at least, {times.median:.4f} ms in the median of {TIMED} launches"
            f" on {properties.name}",
            file=sys.stderr,
        )


def _checks(text: str) -> Collection[str]:
    """The checks that `--check` names."""
    from nvvm_xdsl.simulator import CHECKS
    from nvvm_xdsl.simulator.execution.sanitizer import TOOLS

    return CHECKS if text == "all" else [TOOLS.get(c, c) for c in text.split(",") if c]


def _resolve_names(module: ModuleOp, options: argparse.Namespace) -> None:
    """Replaces the names of the kernel and of its parameters in the options. Raises DiagnosticError."""
    names = resolve_kernel(module, options)
    options.print = [_number(text, names) for text in options.print]
    options.save = [
        f"{_number(name, names)}={file}" if equals else name
        for name, equals, file in (text.partition("=") for text in options.save)
    ]


def _number(text: str, names: Sequence[str]) -> int:
    """The index of an argument that is given by number or name. Raises DiagnosticError."""
    if text.isdecimal():
        return int(text)
    if text not in names:
        raise DiagnosticError(f"there is no parameter '{text}'; the kernel has {', '.join(names)}")
    return list(names).index(text)


def _run(options: argparse.Namespace) -> int:
    import time

    with paused_collector():
        from nvvm_xdsl.lab.error_report import as_text as errors_as_text
        from nvvm_xdsl.simulator import Limits, Recorder, sanitize

        module = load_module(options)
        _resolve_names(module, options)
        arguments = [parse_argument(text, i) for i, text in enumerate(options.arguments)]
        for number in options.print:
            _buffer(number, arguments)
    if options.gpu:
        _check_gpu(options)
        _run_on_gpu(module, options, arguments)
        _show_buffers(options, arguments)
        return 0
    options.arch = tell_arch(module, options.arch, quiet=not (options.select or options.machine))
    _check_machine(options)
    original, recorder = module, None
    if options.select:
        module = select_module(module, options.arch, pass_settings(options))
    counting = (
        options.profile or options.annotate or options.cycles or options.profile_json is not None
    )
    program: ModuleOp | Program = module
    if options.machine:
        program = machine_program_of(module, options, counting)
    if options.trace is not None:
        block, thread = options.trace
        recorder = Recorder(block, lane_of(thread, options.block))
    started = time.perf_counter()
    result = sanitize(
        program,
        options.kernel,
        options.grid,
        options.block,
        arguments,
        shared_bytes=options.shared,
        checks=set(_checks(options.check)) - ({"init"} if options.machine else set[str]()),
        limits=Limits(
            steps=options.max_steps, memory=options.max_memory, output=options.max_output
        ),
        cluster=options.cluster,
        counting=counting,
        leaks=options.leak_check == "full",
        recorder=recorder,
    )
    seconds = time.perf_counter() - started
    sys.stdout.write(result.output)
    if recorder is not None:
        _show_trace(recorder)
    _show_buffers(options, arguments)
    if result.profile is not None:
        _show_profile(result.profile, options)
        if options.cycles:
            _show_cycles(cast("SassProgram", program), result.profile, options)
    if options.stats:
        print(f"{result.steps} steps in {seconds:.3f} s", file=sys.stderr)
    if result.reports:
        sys.stdout.flush()
        text = errors_as_text(result.reports, options.print_limit)
        sys.stderr.write(as_typed(text, options.file))
        if not options.shared and _has_dynamic_shared(module) and "__shared__" in text:
            print(
                "note: the module has dynamic shared memory; --shared BYTES sets its size (now 0)",
                file=sys.stderr,
            )
        return 1
    if options.against is not None:
        _compare(original, options)
    return 0


def _has_dynamic_shared(module: ModuleOp) -> bool:
    """Whether the module declares shared memory whose size the launch states."""
    from xdsl.dialects.llvm import GlobalOp

    from nvvm_xdsl.dialects.llvm.accessors import global_space
    from nvvm_xdsl.ir.nvptx import SHARED

    return any(
        type(op) is GlobalOp
        and global_space(op) == SHARED
        and op.linkage.linkage.data == "external"
        for op in module.ops
    )


def _show_buffers(options: argparse.Namespace, arguments: Sequence[Any]) -> None:
    """Prints and saves the arguments that `--print` and `--save` name."""
    import numpy as np

    for number in options.print:
        print(np.array2string(_buffer(number, arguments), threshold=10_000, separator=", "))
    for text in options.save:
        _save(text, arguments)


def _show_trace(recorder: Recorder) -> None:
    from nvvm_xdsl.simulator.debugger.trace import trace_lines

    for line in trace_lines(recorder):
        print(line)


def _compare(module: ModuleOp, options: argparse.Namespace) -> None:
    """Runs the launch again after a pipeline. Raises DiagnosticError if the results differ."""
    from nvvm_xdsl.lab.behaviour import InvalidKernelError, find_difference
    from nvvm_xdsl.lab.launches import Launch
    from nvvm_xdsl.simulator import prepare
    from nvvm_xdsl.simulator.launch import only_kernel

    if any(op.name.startswith("nvptx.") for op in module.ops):
        raise DiagnosticError("--against requires NVVM IR as input")
    launch = Launch(
        options.kernel or only_kernel(prepare(module)),
        options.grid,
        options.block,
        tuple(parse_argument(text, i) for i, text in enumerate(options.arguments)),
        options.shared,
        cluster=options.cluster,
        tolerance=options.tolerance,
    )
    checks = sorted(_checks(options.check))
    try:
        found = find_difference(
            module,
            options.against,
            [launch],
            machine=options.select,
            checks=checks,
            arch=options.arch,
        )
    except InvalidKernelError as error:
        raise DiagnosticError(str(error)) from None
    if found is not None:
        raise DiagnosticError(f"after {options.against}: {found}")
    print(f"the results are the same after {options.against}")


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv, spelled=lambda words: join_clang(join_values(words)))


if __name__ == "__main__":
    sys.exit(main())
