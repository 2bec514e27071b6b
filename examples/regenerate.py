#!/usr/bin/env python3
"""Generates the .ll files of this folder from the CUDA sources; needs clang 22, but no CUDA toolkit.

    examples/regenerate.py [--check] [NAME...]

For each NAME.cu it writes NAME.O0.ll, the front end's output without optimization, and NAME.ll, at -O1 (for
saxpy also saxpy.debug.ll, with debug information). Sources in broken/ get one .ll file, at -O1 with debug
information, those in notebook/ one without optimization. With --check nothing is written: each module must
pass LLVM's verifier, and ptxas must accept the output of LLVM's code generator.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parent
FLAGS = [
    "-x",
    "cuda",
    "--target=x86_64-linux-gnu",
    "--cuda-device-only",
    "--cuda-gpu-arch=sm_80",
    "-nocudainc",
    "-nocudalib",
    f"-isystem{ROOT / 'nvvm_xdsl' / 'driver' / 'cuda_headers'}",
    "-std=c++17",
    "-Wno-unknown-cuda-version",
    "-S",
    "-emit-llvm",
]
VARIANTS = {
    ".O0.ll": ["-O2", "-Xclang", "-disable-llvm-passes"],
    ".ll": ["-O1", "-fno-discard-value-names"],
}


DEBUG_VARIANTS = {".debug.ll": ["-O1", "-g", "-fdebug-compilation-dir=."]}
WITH_DEBUG_INFO = {"saxpy"}
BROKEN_VARIANTS = {
    ".ll": ["-O1", "-g", "-fdebug-compilation-dir=.", "-fno-discard-value-names"],
}
NOTEBOOK_VARIANTS = {
    ".ll": ["-O2", "-Xclang", "-disable-llvm-passes", "-fno-discard-value-names"],
}


def variants(source: Path) -> dict[str, list[str]]:
    """The flags of each .ll file of a source, by suffix."""
    if source.parent.name == "broken":
        return BROKEN_VARIANTS
    if source.parent.name == "notebook":
        return NOTEBOOK_VARIANTS
    return VARIANTS | DEBUG_VARIANTS if source.stem in WITH_DEBUG_INFO else VARIANTS


def tool(name: str) -> str:
    """Returns the path of a tool of LLVM 22; exits if it is missing."""
    found = shutil.which(f"{name}-22") or shutil.which(name)
    if found is None:
        sys.exit(f"error: {name} of LLVM 22 was not found")
    return found


def generate(source: Path) -> None:
    """Writes the .ll files of a CUDA source."""
    for suffix, flags in variants(source).items():
        output = source.with_suffix("").with_suffix(suffix)
        # Relative names, and the root as the current folder, keep paths out of the output.
        command = [tool("clang"), *FLAGS, *flags, str(source.relative_to(ROOT)), "-o", str(output)]
        subprocess.run(command, check=True, cwd=ROOT)


def check(source: Path) -> None:
    """Runs LLVM's verifier and code generator, and ptxas, on the .ll files."""
    for suffix in variants(source):
        module = source.with_suffix("").with_suffix(suffix)
        with tempfile.TemporaryDirectory() as folder:
            ptx = Path(folder) / "a.ptx"
            subprocess.run(
                [tool("opt"), "-passes=verify", "-disable-output", str(module)], check=True
            )
            subprocess.run(
                [tool("llc"), "-mcpu=sm_80", "-mattr=+ptx78", str(module), "-o", str(ptx)],
                check=True,
            )
            # A relocatable object: calls of libdevice stay unresolved.
            subprocess.run(
                [tool("ptxas"), "-c", "-arch=sm_80", str(ptx), "-o", str(Path(folder) / "a.o")],
                check=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="check the existing .ll files")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="names of the examples; all by default"
    )
    arguments = parser.parse_args()
    sources = sorted(
        [*FOLDER.glob("*.cu"), *FOLDER.glob("broken/*.cu"), *FOLDER.glob("notebook/*.cu")]
    )
    if arguments.names:
        sources = [FOLDER / f"{name}.cu" for name in arguments.names]
    for source in sources:
        (check if arguments.check else generate)(source)


if __name__ == "__main__":
    main()
