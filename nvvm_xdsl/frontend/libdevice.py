"""Linking against libdevice, NVIDIA's library of math functions (libdevice User's Guide).

The library is bitcode of 352 functions, most of which a program does not use. Its text is split by
function once. Only functions that a module calls, directly or indirectly, are read; they become
internal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from os import PathLike, stat

from xdsl.dialects.builtin import ModuleOp, UnitAttr
from xdsl.dialects.llvm import FuncOp, LLVMPointerType
from xdsl.ir import Operation

from nvvm_xdsl.dialects.effects import NOT_CONVERGENT
from nvvm_xdsl.dialects.llvm.accessors import callee_of, symbol_name
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    calls_in,
    functions_of,
    is_declaration,
    linkage_of,
    symbols_of,
)
from nvvm_xdsl.frontend.attributes import memory_attribute
from nvvm_xdsl.frontend.bitcode import disassemble, is_bitcode
from nvvm_xdsl.frontend.lexer import to_text
from nvvm_xdsl.frontend.linker import internalize, link
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.bounded_files import read_file
from nvvm_xdsl.ir.diagnostics import DiagnosticError

PREFIX = "__nv_"
"""The prefix of the names of the library's functions."""

_NAME = r'(?:[-\w$.]+|"[^"]*")'
_DEFINE = re.compile(rf"^define [^\n@]*@({_NAME})\(.*?^}}$", re.MULTILINE | re.DOTALL | re.ASCII)
_LINE = re.compile(
    rf"^(?:declare [^\n@]*@({_NAME})\(|@({_NAME}) =|(![0-9]+) =|attributes (#[0-9]+) =|(%{_NAME}) =)[^\n]*",
    re.MULTILINE | re.ASCII,
)
_LAYOUT = re.compile(r"^target datalayout = [^\n]*", re.MULTILINE)
_SYMBOL_USE = re.compile(rf"@({_NAME})", re.ASCII)
_MATHEMATICAL = re.compile(
    rf"{PREFIX}(?:fast_)?(?:a?(?:sin|cos|tan)h?|atan2|(?:sin|cos)pi|exp(?:2|10|m1)?|log(?:2|10|1p|b)?|powi?"
    r"|r?cbrt|erf(?:c|inv|cinv|cx)?|normcdf(?:inv)?|[lt]gamma|fmod|remainder|r?hypot|r?norm[34]d|[jy][01n])f?"
)
"""Functions of libdevice that take many instructions and have no effects."""
_OTHER_USE = re.compile(rf"![0-9]+|#[0-9]+|%{_NAME}", re.ASCII)


@dataclass(frozen=True)
class Library:
    """The text of a library, by symbol.

    Arguments:
        head: the part that all functions need: the data layout.
        symbols: functions, declarations and variables.
        others: metadata nodes, attribute groups and types, by their whole names.
    """

    filename: str
    head: str
    symbols: dict[str, str]
    functions: frozenset[str]
    others: dict[str, str]

    def needed_by(self, names: set[str]) -> list[str]:
        """The symbols to link for these functions: the functions and all symbols that they refer
        to."""
        found: dict[str, None] = {}
        work = sorted(names & self.functions)
        while work:
            name = work.pop()
            if name in found or name not in self.symbols:
                continue
            found[name] = None
            work.extend(_SYMBOL_USE.findall(self.symbols[name]))
        return [name for name in self.symbols if name in found]

    def text_of(self, names: list[str]) -> str:
        """Assembly text with only these symbols."""
        parts = [self.symbols[name] for name in names]
        extra: dict[str, None] = {}
        work = list(parts)
        while work:
            for name in _OTHER_USE.findall(work.pop()):
                line = self.others.get(name)
                if line is not None and name not in extra:
                    extra[name] = None
                    work.append(line)
        return "\n".join([self.head, *(self.others[name] for name in extra), *parts, ""])


@cache
def _library(filename: str, _modified: int, _size: int) -> Library:
    try:
        data = read_file(filename)
    except OSError as error:
        raise DiagnosticError(f"cannot read libdevice: {error.strerror}", file=filename) from None
    return library_of(data, filename)


@lru_cache(maxsize=4)
def library_of(data: bytes, filename: str) -> Library:
    """The library in bitcode or assembly text. `filename` is its name in errors. Raises
    DiagnosticError."""
    text = disassemble(data, filename) if is_bitcode(data) else to_text(data)
    symbols: dict[str, str] = {}
    others: dict[str, str] = {}
    functions: set[str] = set()
    for match in _DEFINE.finditer(text):
        functions.add(match[1])
        symbols[match[1]] = match[0]
    for match in _LINE.finditer(text):
        declared, variable, node, group, type_ = match.groups()
        if declared or variable:
            symbols.setdefault(declared or variable, match[0])
        else:
            others[node or group or type_] = match[0]
    if not functions:
        raise DiagnosticError("this is not a library of functions", file=filename)
    layout = _LAYOUT.search(text)
    head = layout[0] if layout is not None else ""
    return Library(filename, head, symbols, frozenset(functions), others)


def open_library(path: str | PathLike[str]) -> Library:
    """The library in a file of bitcode or assembly text; read once. Raises DiagnosticError."""
    try:
        status = stat(path)
    except OSError as error:
        raise DiagnosticError(f"cannot read libdevice: {error.strerror}", file=str(path)) from None
    return _library(str(path), status.st_mtime_ns, status.st_size)


def undefined_functions(module: ModuleOp) -> set[str]:
    """The names of the functions that the module only declares."""
    return {
        name for name, op in symbols_of(module).items() if type(op) is FuncOp and is_declaration(op)
    }


def link_libdevice(module: ModuleOp, path: str | PathLike[str] | None = None) -> ModuleOp:
    """Adds to the module the functions of libdevice that it calls, as internal ones.

    Calls of mathematical functions, also of those that clang linked, are marked as free of effects.

    Arguments:
        module: changed in place, and returned.
        path: the library's bitcode; None if none was found, which is an error only if the module
            needs it.

    Raises DiagnosticError.
    """
    _mark_pure_calls(module, {n for n, op in symbols_of(module).items() if _is_linked(op, n)})
    wanted = undefined_functions(module)
    if not any(name.startswith(PREFIX) for name in wanted):
        return module
    if path is None:
        missing = min(name for name in wanted if name.startswith(PREFIX))
        raise DiagnosticError(
            f"'@{missing}' is a function of libdevice, which was not found: install "
            "nvvm-xdsl[cuda], set CUDA_HOME or give the file with --libdevice"
        )
    link_library(module, open_library(path))
    return module


def link_library(module: ModuleOp, library: Library) -> None:
    """Adds the functions that the module declares and the library defines, as internal
    functions."""
    names = library.needed_by(undefined_functions(module))
    if not names:
        return
    part = read_ll(library.text_of(names), library.filename)
    defined = [
        op
        for op in symbols_of(part).values()
        if isinstance(op, FuncOp)
        and not is_declaration(op)
        and symbol_name(op) in library.functions
    ]
    link([module, part])
    # Functions that the module defines were not linked.
    taken = [op for op in defined if op.parent is not None]
    for op in taken:
        internalize(op)
    _mark_pure_calls(module, {name for op in taken if _is_pure(op, name := symbol_name(op) or "")})


def _is_pure(func: FuncOp, name: str) -> bool:
    """Returns True if a function of the library has no side effects and reads no memory that changes.

    This holds for all documented functions with a result and without pointers (libdevice User's
    Guide, "Function Reference"). Their loops are finite.
    """
    arguments = func.function_type.inputs.data
    return name.startswith(PREFIX) and not any(isinstance(t, LLVMPointerType) for t in arguments)


def _is_linked(op: Operation, name: str) -> bool:
    """Returns True if a symbol is a mathematical function that clang linked from libdevice."""
    return (
        type(op) is FuncOp
        and linkage_of(op) in LOCAL_LINKAGE
        and _MATHEMATICAL.fullmatch(name) is not None
        and _is_pure(op, name)
    )


def _mark_pure_calls(module: ModuleOp, pure: set[str]) -> None:
    """Marks the calls of these functions as free of effects, so that equal calls can be merged."""
    if not pure:
        return
    for func in functions_of(module):
        for call in calls_in(func):
            if callee_of(call) in pure:
                call.properties["memory_effects"] = memory_attribute((0, 0, 0, 0, 0, 0))
                call.properties["will_return"] = UnitAttr()
                call.properties["no_unwind"] = UnitAttr()
                call.properties.pop("convergent", None)
                call.attributes[NOT_CONVERGENT] = UnitAttr()
