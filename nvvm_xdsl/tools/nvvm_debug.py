"""`nvvm-debug`: runs a kernel on the CPU and steps through it, forwards and backwards."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.command_line import join_values
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.kernel_arguments import (
    ARGUMENTS_HELP,
    add_launch_arguments,
    lane_of,
    parse_argument,
    parse_thread,
)
from nvvm_xdsl.tools.launched_module import add_module_arguments, load_module, resolve_kernel

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.debugger.session import Session

DESCRIPTION = """\
Runs a kernel of CUDA C++ (.cu), NVVM IR (.ll, .bc, .mlir) or PTX without a GPU, records one of its blocks,
and shows it in the terminal: source, ops, values, and the threads of a warp side by side."""

EPILOG = f"""\
{ARGUMENTS_HELP}
keys: s, n, i step by source line, by line over calls, by op; c continues to the next breakpoint; S, N, I
and C do the same backwards; b sets or removes a breakpoint at the line; : enters a command; q quits.

examples, with the kernels of the folder examples:
  nvvm-debug saxpy.debug.ll --block 32 --arg 10 --arg 2.0 --arg f32[10]=arange --arg f32[10]=1
  nvvm-debug broken/off_by_one.ll --block 32 --thread 20 --break 7 \\
      --arg f32[20]=arange --arg 2.0 --arg 20
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-debug`."""
    parser = make_tool_parser("nvvm-debug", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="the module; - is standard input")
    add_launch_arguments(parser)
    add_module_arguments(parser)
    add(
        "--thread",
        type=parse_thread,
        default=parse_thread("0"),
        metavar="X[,Y[,Z]][@BX[,BY[,BZ]]]",
        help="the thread to show first, and the block to record (default 0@0)",
    )
    add(
        "--break",
        action="append",
        default=[],
        dest="breakpoints",
        metavar="WHERE",
        help="stop at a line (7, k.cu:7), at ops of a name (llvm.store) or at the op of a value (%%sum)",
    )
    add(
        "--watch",
        action="append",
        default=[],
        metavar="WHAT",
        help="show a value (%%sum) or an element of a buffer (out[3]) for each thread of the warp",
    )
    add(
        "--dap",
        action="store_true",
        help="use the Debug Adapter Protocol on standard input and output, for editors",
    )
    add(
        "--events",
        type=int,
        default=200_000,
        metavar="N",
        help="maximum number of ops to record (default 200000)",
    )
    return parser


def _run(options: argparse.Namespace) -> int:
    block, thread = options.thread
    lane = lane_of(thread, options.block)
    with paused_collector():
        from nvvm_xdsl.dialects.llvm.debug_placement import DebugRecords
        from nvvm_xdsl.simulator import Recorder, launch, prepare
        from nvvm_xdsl.simulator.debugger.session import Session

        module = load_module(options, debug="full")
        resolve_kernel(module, options)
    blocks = (b for op in module.ops for region in op.regions for b in region.blocks)
    records = DebugRecords.take(blocks)
    recorder = Recorder(block, most=options.events)
    result = launch(
        prepare(module, recording=True),
        options.kernel,
        options.grid,
        options.block,
        [parse_argument(text, i) for i, text in enumerate(options.arguments)],
        shared_bytes=options.shared,
        cluster=options.cluster,
        sanitize=True,
        recorder=recorder,
    )
    if not recorder.events:
        raise DiagnosticError(f"block {block} executed no op")
    session = Session(recorder, lane, records)
    for text in options.breakpoints:
        session.toggle(text)
    if session.breakpoints and not session.stops_here():
        session.resume()
    if options.dap:
        _serve(session, result.output)
    else:
        _show(session, options)
    return 0


def _serve(session: Session, output: str) -> None:
    from nvvm_xdsl.simulator.debugger.dap import ProtocolError, Server

    try:
        Server(session, output, sys.stdin.buffer, sys.stdout.buffer).serve()
    except ProtocolError as error:
        raise DiagnosticError(str(error), file="<stdin>") from None


def _show(session: Session, options: argparse.Namespace) -> None:
    try:
        from nvvm_xdsl.simulator.debugger.terminal import Debugger
    except ModuleNotFoundError as error:
        raise DiagnosticError(
            f"the debugger needs {error.name}: install nvvm-xdsl[debug]"
        ) from None
    Debugger(session, options.file, options.watch).run()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv, spelled=join_values)


if __name__ == "__main__":
    sys.exit(main())
