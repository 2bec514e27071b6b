"""`nvvm-gui`: interactive pipelines in the terminal, with the module after each pass."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

DESCRIPTION = """\
Opens xDSL's interactive application for NVVM IR (.ll, .bc, .mlir) and PTX. It shows the input, which can
be edited, on the left, and the result of the chosen passes on the right."""

EPILOG = """\
keys: ctrl+p finds a pass by its name and applies it; ctrl+o switches the output between MLIR, LLVM
assembly, PTX and the changes of the last pass; ctrl+l removes the last pass; tab moves to the next
pane; ctrl+q quits. enter on a pass in the list opens a form for its parameters. Copy Query copies the nvvm-opt command.

examples:
  nvvm-gui kernel.ll                                 choose passes for a kernel
  nvvm-gui kernel.ll -p sroa,instcombine             start with a pipeline
  nvvm-gui kernel.ll -p 'nvopt<O3>'                  show the result of -O3; ctrl+o shows it as PTX
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-gui`."""
    parser = make_tool_parser("nvvm-gui", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", nargs="?", help="the module (default: a small kernel)")
    add("-p", "--passes", metavar="PIPELINE", default="", help="the passes to start with")
    return parser


def _run(options: argparse.Namespace) -> None:
    try:
        from nvvm_xdsl.tools.pipeline_app import PipelineApp, passes_of
    except ModuleNotFoundError as error:
        raise DiagnosticError(
            f"the application needs {error.name}: install nvvm-xdsl[debug]"
        ) from None
    PipelineApp(options.file, passes_of(options.passes) if options.passes else ()).run()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
