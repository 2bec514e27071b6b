"""`nvvm-lsp`: NVVM IR in editors that speak the Language Server Protocol."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

DESCRIPTION = """\
Serves an editor over standard input and output (Language Server Protocol): errors of .ll and .mlir files as
one types, and for the value under the cursor its type, its range and known bits, whether it differs between the
threads of a warp, what its memory access costs, and where it is defined and used.
"""

EPILOG = """\
examples:
  nvvm-lsp --version        say which version is there

in an editor (docs/integrations.md has the lines for several):
  vim.lsp.start({ name = "nvvm", cmd = { "nvvm-lsp" } })
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-lsp`."""
    parser = make_tool_parser("nvvm-lsp", DESCRIPTION, EPILOG)
    parser.add_argument(
        "--stdio", action="store_true", help="standard streams; there are no others"
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
