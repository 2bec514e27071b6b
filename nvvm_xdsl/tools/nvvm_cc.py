"""`nvvm-cc`: CUDA C++, NVVM IR or PTX to PTX or machine code.

The command is sent to the resident process `nvvmd` if that is requested, without an import of the compiler.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-cc`."""
    from nvvm_xdsl.tools import cc_main

    return cc_main.make_parser()


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    if argv is not None:
        from nvvm_xdsl.tools.cc_main import run

        return run(argv)
    words = sys.argv[1:]
    from nvvm_xdsl.tools import server_client

    if server_client.is_wanted(words):
        status = server_client.request(words)
        if status is not None:
            return status
    from nvvm_xdsl.tools.cc_main import run
    from nvvm_xdsl.tools.startup_cache import end_process

    return end_process(run(words, own=True))


if __name__ == "__main__":
    sys.exit(main())
