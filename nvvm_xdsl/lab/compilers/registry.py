"""The compilers by name, and their interfaces."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.toolkit import find_libdevice, find_libnvvm
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.suggestions import did_you_mean
from nvvm_xdsl.lab.compilers import libnvvm
from nvvm_xdsl.lab.compilers.contraction import without_contraction
from nvvm_xdsl.lab.compilers.nvvm_dialect import as_nvvm_ir
from nvvm_xdsl.lab.verified_runs import InvalidIRError, compile_verified

TIMEOUT: Final = 300.0
"""Time limit of another compiler for a module, in seconds."""

LLVM_VERSION: Final = "22"


LIBNVVM_FIRST: Final = 100
"""The first GPU for which libNVVM reads opaque pointers."""


class CompilerError(Exception):
    """A compiler rejected a module, crashed, or timed out; the message is its own."""


class Compiler(ABC):
    """A compiler of LLVM assembly to PTX.

    Attributes:
        name: the name on command lines.
    """

    name: str

    @abstractmethod
    def why_missing(self) -> str | None:
        """The missing requirement on this machine; None if it can be used."""

    def compile(self, text: str, arch: str, *, fmad: bool = True) -> str:
        """Compiles to PTX.

        Arguments:
            text: LLVM assembly.
            arch: `sm_100` ...
            fmad: whether products and sums may be contracted. If not, flags of the text that permit
            it are removed, for every compiler. Raises CompilerError.
        """
        return self._compile(text if fmad else without_contraction(text), arch, fmad)

    @abstractmethod
    def _compile(self, text: str, arch: str, fmad: bool) -> str:
        """Compiles text whose flags agree with `fmad`."""


@dataclass(frozen=True)
class Ours(Compiler):
    """This compiler at a level: `ours-O0` to `ours-O3`.

    The IR is verified after every pass: `compile` also raises InvalidIRError.
    """

    level: int

    @property
    def name(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        return f"ours-O{self.level}"

    def why_missing(self) -> str | None:
        return None

    def _compile(self, text: str, arch: str, fmad: bool) -> str:
        options = CompileOptions(arch, opt_level=self.level, fmad=fmad)
        try:
            return compile_verified(parse(text), options)
        except InvalidIRError:
            raise
        except DiagnosticError as error:
            raise CompilerError(error.render()) from error


class LibNVVM(Compiler):
    """NVIDIA's libNVVM, in a separate process, because it may abort on unexpected IR.

    It accepts the IR of current LLVM only for sm_100 and later; for older GPUs it requires typed
    pointers (libNVVM API, "NVVM IR versions"). For an older GPU the result is the PTX for sm_100
    with a different target, which ptxas rejects if it contains instructions of sm_100.
    """

    name = "libnvvm"

    def why_missing(self) -> str | None:
        if find_libnvvm() is None:
            return "libnvvm.so was not found: install nvvm-xdsl[cuda] or set CUDA_HOME"
        return None

    def _compile(self, text: str, arch: str, fmad: bool) -> str:
        older = int(re.sub(r"\D", "", arch)) < LIBNVVM_FIRST
        number = LIBNVVM_FIRST if older else arch.removeprefix("sm_")
        options = [f"-arch=compute_{number}", "-opt=3"]
        if not fmad:
            options.append("-fma=0")
        library = [str(find_libnvvm())]
        if "@__nv_" in text:
            library.append(str(find_libdevice() or ""))
        command = [sys.executable, libnvvm.__file__, *options, *library]
        ptx = run_program(command, as_nvvm_ir(text), "libNVVM")
        unknown = re.search(r"^\s*(llvm\.nvvm\.[\w.]+),?\s*$", ptx, re.M)
        if unknown is not None:
            raise CompilerError(f"libNVVM emitted a call to the unknown intrinsic {unknown[1]}")
        return re.sub(r"(?m)^\.target sm_\d+", f".target {arch}", ptx) if older else ptx


class LLC(Compiler):
    """LLVM's `opt -O3` and `llc -O3`, with libdevice linked."""

    name = "llc"

    def why_missing(self) -> str | None:
        for tool in ("llvm-link", "opt", "llc"):
            if _llvm_tool(tool) is None:
                return f"{tool} of LLVM {LLVM_VERSION} was not found"
        return None

    def _compile(self, text: str, arch: str, fmad: bool) -> str:
        if re.search(r"call [^\n]*@printf\(", text):
            # clang lowers calls of printf to vprintf; LLVM's code generator does not.
            raise CompilerError("llc does not lower calls of printf")
        libdevice = find_libdevice()
        data = text
        if "@__nv_" in text:
            if libdevice is None:
                raise CompilerError(
                    "libdevice was not found: install nvvm-xdsl[cuda] or set CUDA_HOME"
                )
            link = [llvm_tool("llvm-link"), "--only-needed", "--internalize", "-S", "-"]
            data = run_program([*link, str(libdevice), "-o", "-"], data, "llvm-link")
        target = [f"-mcpu={arch}", "-mtriple=nvptx64-nvidia-cuda"]
        data = run_program([llvm_tool("opt"), *target, "-O3", "-S", "-", "-o", "-"], data, "opt")
        contract = f"-fp-contract={'fast' if fmad else 'off'}"
        return run_program([llvm_tool("llc"), *target, "-O3", contract, "-o", "-"], data, "llc")


def run_program(command: Sequence[str], text: str, name: str) -> str:
    """The output of a program for an input text; raises CompilerError with the first line of its
    messages that is not a warning.

    Arguments:
        name: the program's name in errors.
    """
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=TIMEOUT, check=False
        )
    except subprocess.TimeoutExpired:
        raise CompilerError(f"{name} takes more than {TIMEOUT:.0f} s") from None
    except OSError as error:
        raise CompilerError(f"cannot run {name}: {error.strerror}") from None
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        errors = [line for line in lines if "warning:" not in line] or lines
        said = errors[0] if errors else f"ended with status {done.returncode}"
        raise CompilerError(f"{name}: {said}")
    return done.stdout


@cache
def _llvm_tool(name: str) -> str | None:
    return shutil.which(f"{name}-{LLVM_VERSION}")


def llvm_tool(name: str) -> str:
    """The path of an LLVM tool such as `llc`. Raises CompilerError if it is missing."""
    path = _llvm_tool(name)
    if path is None:
        raise CompilerError(f"{name} of LLVM {LLVM_VERSION} was not found")
    return path


_COMPILERS: Final[dict[str, Callable[[], Compiler]]] = {
    **{f"ours-O{level}": (lambda level=level: Ours(level)) for level in range(4)},
    "libnvvm": LibNVVM,
    "llc": LLC,
}

NAMES: Final = tuple(_COMPILERS)
"""All compilers, installed or not."""


def compiler(name: str) -> Compiler:
    """The compiler with that name. Raises DiagnosticError for an unknown name."""
    make = _COMPILERS.get("ours-O3" if name == "ours" else name)
    if make is None:
        raise DiagnosticError(f"unknown compiler '{name}'{did_you_mean(name, NAMES)}")
    return make()


def available(names: Sequence[str] = NAMES) -> list[Compiler]:
    """The given compilers that are available on this machine."""
    return [c for c in map(compiler, names) if c.why_missing() is None]
