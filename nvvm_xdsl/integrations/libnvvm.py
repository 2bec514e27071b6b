"""The interface of libNVVM as in `cuda.bindings.nvvm`, implemented by this compiler.

    from nvvm_xdsl.integrations import libnvvm as nvvm

    program = nvvm.create_program()
    nvvm.add_module_to_program(program, source, len(source), "kernel.ll")
    nvvm.compile_program(program, 2, ["-arch=compute_90", "-opt=3"])
    ptx = bytearray(nvvm.get_compiled_result_size(program))
    nvvm.get_compiled_result(program, ptx)
    nvvm.destroy_program(program)

Functions, options, results and errors are those of NVIDIA's libNVVM API (libNVVM API reference 13.0,
cuda.bindings 13). Differences: the program keeps all its external functions, as with -rdc; assembly
of LLVM 7 and later is accepted; `-gen-lto` is rejected, because LTO-IR requires NVIDIA's compiler;
`-g` generates line tables only, without descriptions of variables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import count
from threading import Lock
from typing import Any, Final, NoReturn

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.nvptx.target import version_number, version_text
from nvvm_xdsl.driver.compile import compile_modules, parse, verify
from nvvm_xdsl.driver.options import CompileOptions, DebugInfo
from nvvm_xdsl.frontend.libdevice import library_of, link_library
from nvvm_xdsl.frontend.linker import link
from nvvm_xdsl.ir.diagnostics import DiagnosticError

VERSION: Final = (2, 0)
"""The version of the libNVVM API, as reported by libNVVM 13.0."""

IR_VERSION: Final = (2, 0, 3, 2)
"""The version of NVVM IR and of its debug metadata, as reported by libNVVM 13.0."""

LLVM_VERSION: Final = 22
"""The newest LLVM version whose assembly text is fully supported."""

UNNAMED: Final = "<unnamed>"


class Result(IntEnum):
    """`nvvmResult`."""

    SUCCESS = 0
    ERROR_OUT_OF_MEMORY = 1
    ERROR_PROGRAM_CREATION_FAILURE = 2
    ERROR_IR_VERSION_MISMATCH = 3
    ERROR_INVALID_INPUT = 4
    ERROR_INVALID_PROGRAM = 5
    ERROR_INVALID_IR = 6
    ERROR_INVALID_OPTION = 7
    ERROR_NO_MODULE_IN_PROGRAM = 8
    ERROR_COMPILATION = 9
    ERROR_CANCELLED = 10


class nvvmError(Exception):
    """A call failed; `status` is its `Result`, and the program's log has the reason."""

    def __init__(self, status: int) -> None:
        self.status = Result(status)
        super().__init__(f"{self.status.name} ({int(status)})")


@dataclass
class _Program:
    sources: list[tuple[bytes, str]] = field(default_factory=list[tuple[bytes, str]])
    lazy_sources: list[tuple[bytes, str]] = field(default_factory=list[tuple[bytes, str]])
    verified: list[ModuleOp] | None = None
    """The module parsed during verification, for the following compilation."""
    result: bytes | None = None
    log: str = ""


_programs: dict[int, _Program] = {}
_handles = count(1)
_compiling = Lock()


def version() -> tuple[int, int]:
    """`nvvmVersion`: major and minor."""
    return VERSION


def ir_version() -> tuple[int, int, int, int]:
    """`nvvmIRVersion`: of NVVM IR major and minor, of its debug metadata major and minor."""
    return IR_VERSION


def llvm_version(arch: str) -> int:
    """`nvvmLLVMVersion`: the LLVM version of the IR, the same for all architectures."""
    _options([f"-arch={arch}"], _Program())
    return LLVM_VERSION


def get_error_string(result: int) -> str:
    """`nvvmGetErrorString`."""
    return f"NVVM_{Result(result).name}"


def create_program() -> int:
    """`nvvmCreateProgram`: the handle of a new program."""
    handle = next(_handles)
    _programs[handle] = _Program()
    return handle


def destroy_program(prog: int) -> None:
    """`nvvmDestroyProgram`."""
    _program(prog)
    del _programs[prog]


def add_module_to_program(prog: int, buffer: Any, size: int, name: str | bytes | None) -> None:
    """`nvvmAddModuleToProgram`: assembly text or bitcode of LLVM 7 and later.

    Arguments:
        buffer: bytes, or an object that provides them.
        size: number of bytes.
        name: the module's name in errors.
    """
    program = _program(prog)
    program.sources.append(_source(buffer, size, name))
    program.verified = None


def lazy_add_module_to_program(prog: int, buffer: Any, size: int, name: str | bytes | None) -> None:
    """`nvvmLazyAddModuleToProgram`: a library whose functions are linked if the other modules call
    them.
    """
    _program(prog).lazy_sources.append(_source(buffer, size, name))


def verify_program(prog: int, num_options: int, options: Sequence[str | bytes]) -> None:
    """`nvvmVerifyProgram`. Raises nvvmError: INVALID_IR, with the reason in the log."""
    program = _ready(prog)
    chosen = _options(options[:num_options], program)
    with _compiling:
        program.verified = _modules(program, Result.ERROR_INVALID_IR, chosen.debug)


def compile_program(prog: int, num_options: int, options: Sequence[str | bytes]) -> None:
    """`nvvmCompileProgram`: links the modules and compiles them to PTX.

    Raises nvvmError: NO_MODULE_IN_PROGRAM, INVALID_OPTION or COMPILATION, with the reason in the
        log.
    """
    program = _ready(prog)
    chosen = _options(options[:num_options], program)
    failed = Result.ERROR_COMPILATION
    with _compiling:
        modules = program.verified or _modules(program, failed, chosen.debug)
        program.verified = None
        try:
            module = modules[0] if len(modules) == 1 else link(modules)
            for data, name in program.lazy_sources:
                link_library(module, library_of(data, name))
            ptx = compile_modules([module], chosen)
            exceeded = _exceeded(ptx, chosen.ptx_version)
            if exceeded is not None:
                _fail(program, failed, exceeded)
        except DiagnosticError as error:
            _fail(program, failed, str(error))
    program.result = ptx.encode() + b"\0"


def get_compiled_result_size(prog: int) -> int:
    """`nvvmGetCompiledResultSize`: size of the PTX in bytes, including the NUL at its end."""
    return len(_result(prog))


def get_compiled_result(prog: int, buffer: Any) -> None:
    """`nvvmGetCompiledResult`: copies the PTX into a writable buffer."""
    _copy(_result(prog), buffer)


def get_program_log_size(prog: int) -> int:
    """`nvvmGetProgramLogSize`: size of the log in bytes, including the NUL at its end."""
    return len(_log(prog))


def get_program_log(prog: int, buffer: Any) -> None:
    """`nvvmGetProgramLog`: copies the messages of the last failure into a writable buffer."""
    _copy(_log(prog), buffer)


def _program(handle: int) -> _Program:
    program = _programs.get(handle)
    if program is None:
        raise nvvmError(Result.ERROR_INVALID_PROGRAM)
    return program


def _ready(handle: int) -> _Program:
    program = _program(handle)
    program.log = ""
    program.result = None
    if not program.sources:
        raise nvvmError(Result.ERROR_NO_MODULE_IN_PROGRAM)
    return program


def _source(buffer: Any, size: int, name: str | bytes | None) -> tuple[bytes, str]:
    data = bytes(memoryview(buffer)[:size]) if not isinstance(buffer, str) else buffer.encode()
    if len(data) < size:
        raise nvvmError(Result.ERROR_INVALID_INPUT)
    called = name.decode(errors="replace") if isinstance(name, bytes) else name
    return data.rstrip(b"\0") if data[:2] != b"BC" else data, called or UNNAMED


def _modules(program: _Program, failed: Result, debug: DebugInfo) -> list[ModuleOp]:
    try:
        modules = [parse(data, filename=name, debug=debug) for data, name in program.sources]
        for module in modules:
            verify(module)
    except DiagnosticError as error:
        _fail(program, failed, str(error))
    return modules


def _result(handle: int) -> bytes:
    result = _program(handle).result
    if result is None:
        raise nvvmError(Result.ERROR_INVALID_PROGRAM)
    return result


def _log(handle: int) -> bytes:
    return _program(handle).log.encode() + b"\0"


def _copy(data: bytes, buffer: Any) -> None:
    view = memoryview(buffer).cast("B")
    if len(view) < len(data):
        raise nvvmError(Result.ERROR_INVALID_INPUT)
    view[: len(data)] = data


def _fail(program: _Program, status: Result, reason: str) -> NoReturn:
    program.log = reason
    raise nvvmError(status)


def _flag(text: str) -> bool:
    if text not in ("0", "1"):
        raise ValueError
    return text == "1"


def _level(text: str) -> int:
    if text not in ("0", "1", "2", "3"):
        raise ValueError
    return int(text)


def _virtual_architecture(text: str) -> str:
    if not text.startswith("compute_"):
        raise ValueError
    return text


FIRST_PTX_TARGET: Final = 86
"""The oldest value of `-ptx-version-target`, and the newest known one."""
LAST_PTX_TARGET: Final = 95


def _ptx_version(text: str) -> int:
    version = int(text)
    if not FIRST_PTX_TARGET <= version <= LAST_PTX_TARGET:
        raise ValueError
    return version


def _exceeded(ptx: str, target: int | None) -> str | None:
    """The error if PTX needs a newer version than `-ptx-version-target`."""
    needed = ptx.partition(".version ")[2].partition("\n")[0]
    if target is None or version_number(needed) <= target:
        return None
    return f"error: the module needs PTX version {needed}, not {version_text(target)}"


_OPTIONS: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    # libNVVM's: field of CompileOptions, how its value is read
    "-arch": ("arch", _virtual_architecture),
    "-opt": ("opt_level", _level),
    "-ftz": ("ftz", _flag),
    "-prec-sqrt": ("prec_sqrt", _flag),
    "-prec-div": ("prec_div", _flag),
    "-fma": ("fmad", _flag),
    "-split-compile": ("split_compile", int),
    "-jump-table-density": ("jump_table_density", int),
    "-ptx-version-target": ("ptx_version", _ptx_version),
}

_FLAGS: Final[dict[str, tuple[str, Any]]] = {
    "-g": ("debug", "full"),
    "-generate-line-info": ("debug", "lines"),
    "-jobserver": ("jobserver", True),
}


_EMISSION: Final[dict[bytes, DebugInfo]] = {
    b"FullDebug": "full",
    b"LineTablesOnly": "lines",
    b"DebugDirectivesOnly": "lines",
}


def _debug_of(program: _Program) -> DebugInfo | None:
    """The debug information that the compile units of the modules request, as in libNVVM without
    options for it. Bitcode is not searched for compile units."""
    kinds = {
        _EMISSION.get(match)
        for data, _ in program.sources
        for match in re.findall(rb"!DICompileUnit\(.*?emissionKind: (\w+)", data)
    }
    return "full" if "full" in kinds else "lines" if "lines" in kinds else None


def _options(options: Sequence[str | bytes], program: _Program) -> CompileOptions:
    stated: dict[str, Any] = {"rdc": True}
    debug = _debug_of(program)
    if debug is not None:
        stated["debug"] = debug
    for option in options:
        text = option.decode(errors="replace") if isinstance(option, bytes) else option
        name, equals, value = text.partition("=")
        try:
            if not equals:
                key, found = _FLAGS[name]
            else:
                key, read = _OPTIONS[name]
                found = read(value)
        except (KeyError, ValueError):
            _fail(program, Result.ERROR_INVALID_OPTION, f"error: {text} is an unsupported option")
        if key != "debug" or stated.get(key) != "full":
            stated[key] = found
    try:
        return CompileOptions(**stated)
    except DiagnosticError as error:
        _fail(program, Result.ERROR_INVALID_OPTION, str(error))
