"""Translates CUDA C++ text to a module with clang's front end, for notebooks and short examples."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.driver.cuda import find_clang as find_clang
from nvvm_xdsl.driver.options import CompileOptions


def parse_cuda(source: str, flags: Sequence[str] = (), *, arch: str = "sm_80") -> ModuleOp:
    """Reads CUDA C++ into a module of the `llvm` and `nvvm` dialects, not optimized.

    Arguments:
        source: the text. Its includes are searched for in the current folder.
        flags: additional clang options.
        arch: target architecture of the preprocessor.
    Raises DiagnosticError without clang, and with clang's messages for an invalid source.
    """
    options = CompileOptions(arch=arch, clang_flags=tuple(flags))
    return parse(source, filename="<cuda>", format="cu", cuda=options)
