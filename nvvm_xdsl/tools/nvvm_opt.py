"""`nvvm-opt`: `xdsl-opt` with support for NVVM IR.

Beyond xDSL's tool it reads LLVM assembly, bitcode and PTX, runs the project's passes and pipelines,
checks SSA dominance and branch operands at entry and exit, prints PTX with `-t ptx`, and reports
every error as a message without a traceback.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.collector import paused_collector
from nvvm_xdsl.tools.arguments import OPT_VERSION, run_guarded
from nvvm_xdsl.tools.startup_cache import owns_process

if TYPE_CHECKING:
    from nvvm_xdsl.tools.arguments import ArgumentParser
    from nvvm_xdsl.tools.opt_main import NvvmOptMain


def make_parser() -> ArgumentParser:
    """The command line of `nvvm-opt`."""
    return _tool([]).parser


def _tool(words: Sequence[str]) -> NvvmOptMain:
    import nvvm_xdsl.dialects  # before anything imports xDSL's  # noqa: F401  # pyright: ignore[reportUnusedImport]
    from nvvm_xdsl.tools.opt_main import NvvmOptMain

    return NvvmOptMain(words)


def _run(words: Sequence[str]) -> None:
    with paused_collector():
        _tool(words).execute()


def _say_version() -> None:
    from importlib.metadata import version

    print(OPT_VERSION.format(xdsl_version=version("xdsl")))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    words = sys.argv[1:] if argv is None else argv
    if list(words) in (["--version"], ["-v"]):
        return run_guarded(_say_version)
    return run_guarded(lambda: (owns_process(_run, collect=False) if argv is None else _run)(words))


if __name__ == "__main__":
    sys.exit(main())
