"""CUDA C++ to LLVM assembly, by clang.

The headers of a CUDA toolkit are used if one is found. Otherwise those of the folder `cuda_headers` take their place:
common math, atomics, functions of warps, vector types and basic cooperative groups.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from nvvm_xdsl.codegen.target_options import DEFAULT_ARCH, FAST_MATH
from nvvm_xdsl.dialects.nvptx.target import version_number, version_text
from nvvm_xdsl.driver.toolkit import find_headers, find_ptxas, release_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError

if TYPE_CHECKING:
    from nvvm_xdsl.pipeline.compile_options import CompileOptions

HEADERS: Final = Path(__file__).with_name("cuda_headers")
"""The headers that replace those of a toolkit."""

TESTED: Final = 22
"""The version of clang that the tests use; it is preferred to newer ones."""

CLANGS: Final = (
    f"clang-{TESTED}",
    *(f"clang-{version}" for version in range(40, TESTED, -1)),
    "clang",
    *(f"clang-{version}" for version in range(TESTED - 1, 15, -1)),
)
"""Names of clang, in the order in which they are looked for."""

CLANG_VARIABLE: Final = "NVVM_XDSL_CLANG"
"""The environment variable that names the clang to use."""

INSTALL_CLANG: Final = f"""\
install it, or name it in the variable {CLANG_VARIABLE}:
  Debian, Ubuntu   sudo apt install clang, or https://apt.llvm.org for clang-{TESTED}
  Fedora           sudo dnf install clang
  Arch             sudo pacman -S clang
  macOS            brew install llvm
  conda            conda install -c conda-forge clangxx
Without clang, give NVVM IR (.ll, .bc), MLIR or PTX"""

_SDK: Final = "12.9"
"""The newest CUDA release that clang 22 supports. It selects the interface of `<<<...>>>`, which is
the same in newer releases."""

_WITHOUT_TOOLKIT: Final = (f"--cuda-path={HEADERS}", "--cuda-feature=+ptx88")
"""Options for headers that are not CUDA's: clang searches no toolkit, and uses the PTX version of `_SDK`.

Without a toolkit its default is PTX 4.2, which rejects every target that is supported here.
"""

FRONT_END: Final = ("-O2", "-Xclang", "-disable-llvm-passes")
"""clang's front end without LLVM's passes, which results in the best code (docs/cuda.md). `-O0`
would mark all functions optnone."""


_ERROR = re.compile(r"^(.+?):(\d+):(\d+): (?:fatal )?error: ", re.M)


@dataclass(frozen=True)
class CudaOptions:
    """Options for the translation of CUDA C++ to LLVM IR.

    Arguments:
        arch: the GPU for `__CUDA_ARCH__`.
        flags: further options of clang.
        fast_math: nvcc's -use_fast_math: approximate functions, denormals flushed to zero.
        optimization: the level of clang.
        debug: debug information of variables and types; line tables are always made.
        relaxed_atomics: make atomic functions relaxed, as CUDA defines them: clang 22 makes them `seq_cst`.
    """

    arch: str = DEFAULT_ARCH
    flags: tuple[str, ...] = ()
    fast_math: bool = False
    optimization: tuple[str, ...] = FRONT_END
    debug: bool = False
    relaxed_atomics: bool = True


class ClangError(DiagnosticError):
    """clang rejected the source. The message is clang's text; the location is that of its first
    error."""

    complete = True

    def __init__(self, text: str) -> None:
        first = _ERROR.search(text)
        place = (None, None, None) if first is None else (first[1], int(first[2]), int(first[3]))
        super().__init__(text, file=place[0], line=place[1], column=place[2])

    def __reduce__(self) -> tuple[type[ClangError], tuple[str]]:
        return ClangError, (self.message,)


def find_clang() -> str:
    """The path of clang. Raises DiagnosticError, which explains how to install it."""
    stated = os.environ.get(CLANG_VARIABLE)
    for name in (stated,) if stated else CLANGS:
        found = shutil.which(name)
        if found is not None:
            return found
    missing = f"the program {stated} was not found" if stated else "clang was not found"
    raise DiagnosticError(f"CUDA C++ needs clang, and {missing}: {INSTALL_CLANG}")


def clang_command(source: str, options: CudaOptions, output: str = "-") -> list[str]:
    """The command that translates a source. Raises DiagnosticError if clang is missing.

    Arguments:
        source: the file; `-` is standard input.
        output: the file for LLVM assembly; `-` is standard output.
    """
    stated = any(flag.startswith(("--cuda-path", "-nocudainc")) for flag in options.flags)
    toolkit = None if stated else find_headers()
    headers: list[str] = []
    if toolkit is not None:
        headers += [f"--cuda-path={toolkit}"]
        libraries = toolkit / "include" / "cccl"
        if libraries.is_dir():
            headers += ["-isystem", str(libraries)]
    elif not stated:
        headers += ["-nocudainc", "-include", str(HEADERS / "cuda_min.h"), "-isystem", str(HEADERS)]
        headers += _WITHOUT_TOOLKIT
    elif not any(flag.startswith("--cuda-path") for flag in options.flags):
        headers += _WITHOUT_TOOLKIT
    fast = ("-fgpu-flush-denormals-to-zero", "-fgpu-approx-transcendentals", "-D__USE_FAST_MATH__")
    return [
        find_clang(),
        *("-x", "cuda", "--cuda-device-only", f"--cuda-gpu-arch={options.arch}", "-nocudalib"),
        *("-Wno-unknown-cuda-version", "-Xclang", f"-target-sdk-version={_SDK}"),
        *headers,
        *("-idirafter", str(HEADERS / "after")),
        *options.optimization,
        "-fno-discard-value-names",
        # Without the second option clang describes only lines of device code.
        *(("-g", "--cuda-noopt-device-debug") if options.debug else ("-gline-tables-only",)),
        *(fast if options.fast_math else ()),
        *options.flags,
        *("-S", "-emit-llvm", "-o", output, source),
    ]  # fmt: skip


def translate(data: bytes, name: str, options: CudaOptions) -> tuple[bytes, str]:
    """Translates CUDA C++ to LLVM assembly.

    Arguments:
        data: the source, if the name is not that of a file.
        name: the file, whose folder is searched for included files.
    Returns the LLVM assembly, and the warnings of clang. Raises ClangError for an invalid source and DiagnosticError
    if clang is missing.
    """
    file = os.path.isfile(name)
    command = clang_command(name if file else "-", options)
    done = subprocess.run(command, input=b"" if file else data, capture_output=True, check=False)
    said = done.stderr.decode("utf-8", "replace")
    if done.returncode:
        raise ClangError(said.rstrip() or f"{command[0]} failed with status {done.returncode}")
    return done.stdout, said


def cuda_options(options: CompileOptions) -> CudaOptions:
    """The options of the translation for the options of a compilation."""
    arch = options.arch or DEFAULT_ARCH
    fast = all(getattr(options, name) == value for name, value in FAST_MATH.items())
    return CudaOptions(
        arch=arch.replace("compute_", "sm_"),
        flags=options.clang_flags,
        fast_math=fast,
        debug=options.debug == "full",
        relaxed_atomics=options.relaxed_atomics is not False,
    )


def ptxas_command(arch: str, options: CompileOptions, flags: Sequence[str]) -> list[str]:
    """The ptxas command for the PTX of a compilation, without its files. Raises DiagnosticError."""
    ptxas = find_ptxas()
    if ptxas is None:
        raise DiagnosticError("ptxas was not found: install nvvm-xdsl[cuda] or set CUDA_HOME")
    return [
        str(ptxas),
        f"-arch={arch.replace('compute_', 'sm_')}",
        *([f"-maxrregcount={options.maxrregcount}"] if options.maxrregcount else ()),
        *(["-c"] if options.rdc else ()),
        *({"full": ["-g"], "lines": ["-lineinfo"]}.get(options.debug, ())),
        *flags,
    ]


def assemble_ptx(ptx: str, command: Sequence[str]) -> tuple[bytes, str]:
    """Machine code for PTX, and the messages of ptxas. Raises DiagnosticError if ptxas rejects it.

    Arguments:
        command: as of `ptxas_command`.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, cubin = Path(folder, "kernel.ptx"), Path(folder, "kernel.cubin")
        source.write_text(ptx)
        done = subprocess.run(
            [*command, str(source), "-o", str(cubin)], capture_output=True, text=True, check=False
        )
        said = (done.stderr + done.stdout).replace(folder + os.sep, "")
        if done.returncode:
            raise DiagnosticError(
                f"ptxas rejects the PTX:\n{said.strip()}{_advice(Path(command[0]), ptx)}"
            )
        return cubin.read_bytes(), said


def _advice(ptxas: Path, ptx: str) -> str:
    """Advice for PTX that is newer than ptxas; empty for other PTX."""
    stated = re.search(r"^\s*\.version\s+([\d.]+)", ptx, re.MULTILINE)
    release = release_of(ptxas)
    if stated is None or release is None or version_number(stated[1]) <= release.newest_ptx:
        return ""
    return (
        f"\nthe PTX needs version {stated[1]}, and ptxas {release.text} reads versions up to "
        f"{version_text(release.newest_ptx)}: install a newer nvidia-cuda-nvcc, or set CUDA_HOME"
    )
