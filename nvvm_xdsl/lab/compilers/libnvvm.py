"""libNVVM as a program: IR on standard input, PTX on standard output.

    python libnvvm.py -arch=compute_100 ... /path/of/libnvvm.so [libdevice.10.bc] < kernel.ll

It is run as a file in a separate process, so it does not import this package. The functions
are those of the libNVVM API (libNVVM API documentation, "Compilation").
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path


class LibNVVMError(Exception):
    """The library's messages about a module."""


def compile_module(library: str, modules: list[bytes], options: list[str]) -> str:
    """The PTX of some modules; modules after the first are linked as libraries.

    Raises LibNVVMError with the library's log.
    """
    nvvm = ctypes.CDLL(library)
    program = ctypes.c_void_p()
    nvvm.nvvmCreateProgram(ctypes.byref(program))
    status = 0
    for position, module in enumerate(modules):
        add = nvvm.nvvmLazyAddModuleToProgram if position else nvvm.nvvmAddModuleToProgram
        status = status or add(program, module, ctypes.c_size_t(len(module)), b"module")
    texts = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    status = status or nvvm.nvvmCompileProgram(program, len(options), texts)
    name = "CompiledResult" if status == 0 else "ProgramLog"
    size = ctypes.c_size_t()
    getattr(nvvm, f"nvvmGet{name}Size")(program, ctypes.byref(size))
    text = ctypes.create_string_buffer(max(size.value, 1))
    getattr(nvvm, f"nvvmGet{name}")(program, text)
    nvvm.nvvmDestroyProgram(ctypes.byref(program))
    found = text.value.decode(errors="replace")
    if status:
        raise LibNVVMError(found.strip() or f"error {status}")
    return found


def main(arguments: list[str]) -> int:
    """Compiles the modules from standard input and the named files, and prints the PTX."""
    options = [a for a in arguments if a.startswith("-")]
    library, *others = [a for a in arguments if not a.startswith("-")]
    modules = [sys.stdin.buffer.read(), *(Path(other).read_bytes() for other in others)]
    try:
        sys.stdout.write(compile_module(library, modules, options))
    except LibNVVMError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
