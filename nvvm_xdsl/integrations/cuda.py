"""CUDA C++ to a module, by clang: its front end alone, for notebooks and short examples.

A CUDA toolkit is not needed: the header `cuda_min.h` beside this file has as much of CUDA C++ as
the examples use. With `--cuda-path=DIR` clang takes the toolkit's headers in its place.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir.diagnostics import DiagnosticError

CLANGS: Final = ("clang", *(f"clang-{version}" for version in range(22, 15, -1)))
"""Names of clang, the first that is found being taken."""

HEADER: Final = Path(__file__).with_name("cuda_min.h")

_FLAGS: Final = (
    "-x", "cuda", "--target=x86_64-linux-gnu", "--cuda-device-only", "-std=c++17",
    "-Wno-unknown-cuda-version", "-fno-color-diagnostics", "-fno-discard-value-names",
    # Ready to be optimized, but left as the front end makes it: the passes are ours.
    "-O2", "-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm", "-o", "-",
)  # fmt: skip

_WITHOUT_TOOLKIT: Final = ("-nocudainc", "-nocudalib", "-include", str(HEADER), "-I", str(HEADER.parent))  # fmt: skip


def find_clang() -> str:
    """The path of clang. Raises DiagnosticError where there is none."""
    for name in CLANGS:
        found = shutil.which(name)
        if found is not None:
            return found
    raise DiagnosticError(
        f"CUDA C++ needs clang, and none of {CLANGS[0]}, {CLANGS[1]} ... {CLANGS[-1]} was found: "
        "install it, or give NVVM IR (.ll)"
    )


def parse_cuda(source: str, flags: Sequence[str] = (), *, arch: str = "sm_80") -> ModuleOp:
    """Reads CUDA C++ into a module of the `llvm` and `nvvm` dialects, not optimized.

    Arguments:
        source: the text. Files that it includes are looked for in the current folder.
        flags: more options of clang's.
        arch: the GPU that the source is preprocessed for.
    Raises DiagnosticError without clang, and with clang's words for what it refuses.
    """
    toolkit = any(flag.startswith("--cuda-path") for flag in flags)
    command = [
        find_clang(), *_FLAGS, f"--cuda-gpu-arch={arch}", *(() if toolkit else _WITHOUT_TOOLKIT), *flags, "-",
    ]  # fmt: skip
    done = subprocess.run(command, input=source, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DiagnosticError(f"clang rejects the source:\n{done.stderr.strip()}")
    return parse(done.stdout, filename="<cuda>", format="ll")
