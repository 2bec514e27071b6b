"""LLVM bitcode of assembly text, through llvmlite, and conversion of LLVM's errors."""

from __future__ import annotations

import re
from types import ModuleType

from nvvm_xdsl.frontend.bitcode import INSTALL_LLVMLITE
from nvvm_xdsl.ir.diagnostics import DiagnosticError

_PLACE = re.compile(r"(?:<string>|-):(\d+):(\d+): error: (.*)")


def llvmlite_binding() -> ModuleType:
    """`llvmlite.binding`. Raises DiagnosticError if llvmlite is not installed."""
    try:
        import llvmlite.binding as llvm
    except ImportError:
        raise DiagnosticError(
            f"llvmlite, which brings LLVM, is not installed: {INSTALL_LLVMLITE}"
        ) from None
    return llvm


def parse_with_llvm(text: str) -> object:
    """LLVM's module for assembly text, verified. Raises DiagnosticError with LLVM's message.

    Text that is newer than the LLVM in llvmlite causes such an error.
    """
    llvm = llvmlite_binding()
    try:
        module = llvm.parse_assembly(text)
        module.verify()
    except RuntimeError as error:
        version = ".".join(map(str, llvm.llvm_version_info))
        said = str(error).strip()
        found = _PLACE.search(said)
        line = ""
        if found is not None:
            said = found[3]
            lines = text.splitlines()
            line = (
                f" in '{lines[int(found[1]) - 1].strip()}'" if int(found[1]) <= len(lines) else ""
            )
        raise DiagnosticError(f"LLVM {version} rejects the module{line}: {said}") from None
    return module


def assemble(text: str) -> bytes:
    """The bitcode of assembly text. Raises DiagnosticError."""
    module = parse_with_llvm(text)
    return module.as_bitcode()  # pyright: ignore
