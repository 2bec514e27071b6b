"""Runs a Python program without a GPU.

    python -m nvvm_xdsl.integrations.simulated_driver program.py [ARGUMENT ...]

If numba-cuda is installed, this package compiles the program's kernels.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

from nvvm_xdsl.integrations import numba, simulated_driver


def main() -> int:
    """Runs the program of the command line; returns the exit status."""
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print((__doc__ or "").strip())
        return 0 if len(sys.argv) > 1 else 2
    program = sys.argv[1]
    if not Path(program).is_file():
        print(f"{program}: error: no such file", file=sys.stderr)
        return 1
    try:
        simulated_driver.install()
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    try:
        numba.install()
    except ImportError:
        pass  # The program may launch PTX with cuda.bindings.
    del sys.argv[0]
    sys.path[0] = str(Path(program).resolve().parent)
    runpy.run_path(program, run_name="__main__")
    return 0


if __name__ == "__main__":
    sys.exit(main())
