"""Writes every file that is generated from the definitions of LLVM and MLIR.

    python -m dev.generate [INCLUDE]...

The files are `nvvm_xdsl/dialects/generated/`, the lists of op classes `dialects/{llvm,nvvm}/ops.py`
and `dialects/nvvm/intrinsics.txt`. The inputs are the `.td` files of the packages `llvm-22-dev` and
`libmlir-22-dev`, read by `llvm-tblgen-22`. INCLUDE names folders with `llvm/` and `mlir/` in place
of that of `llvm-config-22`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from dev import generate_intrinsics, generate_ops

LLVM_VERSION = 22

DEFINITIONS = {
    "LLVMOps": "mlir/Dialect/LLVMIR/LLVMOps.td",
    "LLVMIntrinsicOps": "mlir/Dialect/LLVMIR/LLVMIntrinsicOps.td",
    "NVVMOps": "mlir/Dialect/LLVMIR/NVVMOps.td",
    "Intrinsics": "llvm/IR/Intrinsics.td",
}
"""The input files by the name of their dump."""


def tblgen() -> str | None:
    """The path of `llvm-tblgen`; None if it is not installed."""
    return shutil.which(f"llvm-tblgen-{LLVM_VERSION}")


def default_include() -> list[Path]:
    """The folder of LLVM's headers; empty if LLVM is not installed."""
    config = shutil.which(f"llvm-config-{LLVM_VERSION}")
    if config is None:
        return []
    done = subprocess.run([config, "--includedir"], capture_output=True, text=True, check=True)
    return [Path(done.stdout.strip())]


def definition(name: str, include: Sequence[Path]) -> Path | None:
    """The path of an input file below one of the folders; None if there is none."""
    return next((f / name for f in include if (f / name).exists()), None)


def why_missing(include: Sequence[Path]) -> str | None:
    """The reason that the files cannot be generated; None if they can."""
    if tblgen() is None:
        return f"llvm-tblgen-{LLVM_VERSION} was not found: install llvm-{LLVM_VERSION}"
    for name in DEFINITIONS.values():
        if definition(name, include) is None:
            return f"{name} was not found: install llvm-22-dev and libmlir-22-dev"
    return None


def generate(include: Sequence[Path]) -> None:
    """Writes the files. Every input file must exist."""
    folders = [argument for folder in include for argument in ("-I", str(folder))]
    with TemporaryDirectory() as folder:
        dumps = {name: Path(folder) / f"{name}.json" for name in DEFINITIONS}
        for name, dump in dumps.items():
            path = str(definition(DEFINITIONS[name], include))
            command = [str(tblgen()), *folders, path, "--dump-json", "-o", str(dump)]
            subprocess.run(command, check=True)
        ops = ("LLVMOps", "LLVMIntrinsicOps", "NVVMOps")
        generate_ops.main([str(dumps[name]) for name in ops])
        generate_intrinsics.main([str(dumps["Intrinsics"])])


def main(arguments: Sequence[str]) -> int:
    """Runs the command; returns its exit code."""
    include = [Path(a) for a in arguments] or default_include()
    why = why_missing(include)
    if why is not None:
        print(f"error: {why}", file=sys.stderr)
        return 1
    generate(include)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
