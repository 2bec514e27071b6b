"""Manual pages of the tools, generated from their parsers.

    python -m nvvm_xdsl.tools.man_pages build/man     writes nvvm-opt.1, nvvm-cc.1 ...
    man -l build/man/nvvm-cc.1

`argparse-manpage` writes them (the `dev` extra).
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.version import VERSION
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

TOOLS = {
    f"nvvm-{name}": f"nvvm_xdsl.tools.nvvm_{name.replace('-', '_')}"
    for name in "cc debug diff fuzz gui litmus lsp opt reduce run tune tv verify-races view".split()
} | {"nvvmd": "nvvm_xdsl.tools.nvvmd"}
"""The module of each tool, whose `make_parser` creates the parser."""


def manual_page(tool: str) -> str:
    """The page of a tool in roff. Raises DiagnosticError without `argparse-manpage`."""
    try:
        from argparse_manpage.manpage import Manpage  # pyright: ignore
    except ImportError:
        raise DiagnosticError(
            "manual pages need argparse-manpage: pip install argparse-manpage"
        ) from None
    parser: argparse.ArgumentParser = import_module(TOOLS[tool]).make_parser()
    first = (parser.description or "").split(". ")[0].rstrip(".").replace("\n", " ")
    data = {
        "project_name": "nvvm-xdsl",
        "version": VERSION,
        "manual_title": "nvvm-xdsl",
        "description": first[:1].lower() + first[1:],
    }
    return str(Manpage(parser, _data=data))  # pyright: ignore


def _run(arguments: argparse.Namespace) -> None:
    directory = Path(arguments.directory)
    directory.mkdir(parents=True, exist_ok=True)
    for tool in TOOLS:
        (directory / f"{tool}.1").write_text(manual_page(tool))


def make_parser() -> argparse.ArgumentParser:
    """The command line."""
    parser = make_tool_parser(
        "python -m nvvm_xdsl.tools.man_pages", "Writes the manual pages of the tools.", ""
    )
    parser.add_argument("directory", metavar="DIR", help="output directory")
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Writes the pages; returns the status."""
    return run_tool(_run, make_parser, sys.argv[1:] if argv is None else argv)


if __name__ == "__main__":
    sys.exit(main())
