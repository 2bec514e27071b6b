"""`nvvm-cc`: CUDA C++, NVVM IR or PTX to PTX or machine code.

The command is sent to the resident process `nvvmd` if that is requested, without an import of the compiler.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

TYPE_CHECKING = False
"""As of `typing`, which the client does not import."""

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
    from nvvm_xdsl.tools.process_end import end_process

    if server_client.is_wanted(words):
        status = server_client.request(words)
        if status is not None:
            return end_process(status)
    from nvvm_xdsl.tools.cc_main import run

    return end_process(run(words, own=True))


if __name__ == "__main__":
    sys.exit(main())
