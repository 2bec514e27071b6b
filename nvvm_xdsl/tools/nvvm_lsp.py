"""`nvvm-lsp`: NVVM IR in editors that speak the Language Server Protocol."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

DESCRIPTION = """\
Serves an editor over standard input and output (Language Server Protocol): errors in
.ll and .mlir files while typing, and for the value under the cursor its type, range, known bits, uniformity, the
cost of its memory access, its definition and its uses.
"""

EPILOG = """\
examples:
  nvvm-lsp --version        print the version

configuration of an editor (others are in docs/integrations.md):
  vim.lsp.start({ name = "nvvm", cmd = { "nvvm-lsp" } })
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-lsp`."""
    parser = make_tool_parser("nvvm-lsp", DESCRIPTION, EPILOG)
    parser.add_argument(
        "--stdio", action="store_true", help="use standard input and output (always the case)"
    )
    return parser


def _run(_arguments: argparse.Namespace) -> int:
    from nvvm_xdsl.ir.diagnostics import DiagnosticError

    try:
        from nvvm_xdsl.integrations.language_server import make_server
    except ModuleNotFoundError as error:
        raise DiagnosticError(
            f"the language server needs {error.name}: install nvvm-xdsl[lsp]"
        ) from None
    make_server().start_io()
    return 0


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
