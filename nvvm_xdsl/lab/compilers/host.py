"""Kernels compiled for the processor of this machine by LLVM, and run thread by thread.

Parser and code generator are those of LLVM, and the processor executes the code, so that no part is
shared with this project. Only kernels whose threads do not communicate are supported, and no NVVM
intrinsics other than special registers.
"""

from __future__ import annotations

import ctypes
import faulthandler
import os
import re
from collections.abc import Sequence
from ctypes.util import find_library
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import product
from typing import Any, Final, cast

import numpy as np

from nvvm_xdsl.lab.compilers.registry import CompilerError
from nvvm_xdsl.lab.forked import run_forked
from nvvm_xdsl.lab.launches import Array, Launch, Outcome, copied_arguments, three

HOST: Final = "host"
"""The name on command lines."""

INDEPENDENT_THREADS: Final = ",".join(
    f"{name}=0"
    for name in (
        *("counters", "exchange", "warp", "barriers", "print", "reflect", "variadic", "atomics"),
        *("parted-edges", "intrinsic", "named-variable", "last-loop"),
        *("warp-reductions", "warp-exchanges", "vector-atomics", "assembly"),
        *("dynamic-shared", "shared-loops"),
    )
)
"""The shapes of random kernels without communication of threads and without NVVM intrinsics."""

_SPECIAL: Final = re.compile(r"@llvm\.nvvm\.read\.ptx\.sreg\.([\w.]+)")
_DECLARED: Final = re.compile(r"^declare i32 (@host\.sreg\.[\w.]+)\(\).*\n", re.MULTILINE)
_UNUSED: Final = re.compile(r"^declare [^\n]*@llvm\.nvvm\.[^\n]*\n", re.MULTILINE)
_TARGET: Final = re.compile(r"^target [^\n]*\n", re.MULTILINE)
_KERNEL: Final = re.compile(r"define [^\n]*?ptx_kernel void (@[\w.]+)\((.*)\)[^\n]*\{\n")
_BYVAL: Final = re.compile(r"byval\(((?:[^()]|\([^()]*\))*)\)")

_AXES: Final = "xyz"


@cache
def _llvm() -> Any:
    """llvmlite's binding, ready to compile for this machine. Raises CompilerError if there is none."""
    try:
        llvm: Any = import_module("llvmlite.binding")
    except ImportError:
        raise CompilerError("llvmlite is not installed") from None
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    # Division of 128 bits and conversions of half are library functions of the compiler.
    for library in ("gcc_s", "m"):
        path = find_library(library)
        if path is not None:
            llvm.load_library_permanently(path)
    return llvm


def why_no_host() -> str | None:
    """The reason why kernels cannot run on the host; None if they can."""
    if not hasattr(os, "fork"):
        return "this system has no fork"
    try:
        _llvm()
    except CompilerError as error:
        return str(error)
    return None


def host_assembly(text: str) -> str:
    """LLVM assembly of a module whose kernels are functions of the host.

    A special register becomes a function that returns a variable. Each kernel has a function
    `host.NAME` whose argument is an array of the addresses of the arguments. Raises CompilerError
    for other NVVM intrinsics.
    """
    text = _SPECIAL.sub(r"@host.sreg.\1", _TARGET.sub("", text))
    registers = [match[1] for match in _DECLARED.finditer(text)]
    text = _DECLARED.sub("", text)
    kernels = list(_KERNEL.finditer(text))
    text = _UNUSED.sub("", text).replace("ptx_kernel ", "").replace("ptx_device ", "")
    if "llvm.nvvm." in text:
        raise CompilerError("an intrinsic of NVVM has no meaning on the host")
    if "bfloat" in text:
        # Without bfloat instructions of the processor LLVM rounds twice, through single precision.
        raise CompilerError("the host has no bfloat")
    parts = [text]
    for name in registers:
        variable = name.replace("sreg", "variable")
        parts.append(
            f"{variable} = global i32 0\n"
            f"define i32 {name}() {{\n  %v = load i32, ptr {variable}\n  ret i32 %v\n}}\n"
        )
    parts += [_entry(match[1], _parameters(match[2])) for match in kernels]
    return "\n".join(parts)


@dataclass(frozen=True)
class _Parameter:
    """A parameter of a kernel: its type, or the type of the aggregate that is passed by value."""

    type: str
    by_value: bool


def _parameters(text: str) -> list[_Parameter]:
    found: list[_Parameter] = []
    for parameter in _split(text):
        aggregate = _BYVAL.search(parameter)
        type_ = parameter.split()[0] if aggregate is None else aggregate[1].strip()
        found.append(_Parameter(type_, aggregate is not None))
    return found


def _split(text: str) -> list[str]:
    """The items of a list, which may contain brackets."""
    depth = start = 0
    items: list[str] = []
    for at, character in enumerate(text):
        depth += (character in "([{<") - (character in ")]}>")
        if character == "," and not depth:
            items.append(text[start:at].strip())
            start = at + 1
    last = text[start:].strip()
    return [*items, last] if last else items


def _entry(kernel: str, parameters: Sequence[_Parameter]) -> str:
    """A function that calls the kernel with arguments in memory."""
    lines: list[str] = []
    arguments: list[str] = []
    for number, parameter in enumerate(parameters):
        lines += [
            f"  %a{number} = getelementptr ptr, ptr %arguments, i64 {number}",
            f"  %p{number} = load ptr, ptr %a{number}",
        ]
        if parameter.by_value:
            arguments.append(f"ptr byval({parameter.type}) %p{number}")
        else:
            lines.append(f"  %v{number} = load {parameter.type}, ptr %p{number}")
            arguments.append(f"{parameter.type} %v{number}")
    call = f"  call void {kernel}({', '.join(arguments)})"
    head = f"define void @host.{kernel[1:]}(ptr %arguments) {{"
    return "\n".join([head, *lines, call, "  ret void", "}"])


_SCALARS: Final = {
    "i8": "i1", "i16": "i2", "i32": "i4", "i64": "i8", "half": "f2", "float": "f4", "double": "f8",
    "ptr": "u8",
}  # fmt: skip
"""NumPy's types by LLVM type."""

_ARRAY: Final = re.compile(r"\[(\d+) x (.*)\]", re.DOTALL)


def _dtype(type_: str) -> np.dtype[Any]:
    """The NumPy type with the layout of an LLVM type. Raises CompilerError if there is none."""
    if type_ in _SCALARS:
        return np.dtype(_SCALARS[type_])
    array = _ARRAY.fullmatch(type_)
    if array is not None:
        return np.dtype((_dtype(array[2].strip()), (int(array[1]),)))
    if not type_.startswith("{"):
        raise CompilerError(f"no argument of type {type_} can be passed")
    fields = [(f"f{i}", _dtype(part)) for i, part in enumerate(_split(type_[1:-1]))]
    return np.dtype(fields, align=True)


class HostProgram:
    """A module compiled for this machine. Raises CompilerError if LLVM rejects it.

    Arguments:
        text: LLVM assembly.
    """

    def __init__(self, text: str) -> None:
        llvm = _llvm()
        target = llvm.Target.from_default_triple().create_target_machine(
            cpu=llvm.get_host_cpu_name(), features=llvm.get_host_cpu_features().flatten(), opt=1
        )
        try:
            self._assembly = host_assembly(text)
            llvm.parse_assembly(self._assembly).verify()
        except RuntimeError as error:
            raise CompilerError(str(error).strip()) from None
        self._target = target
        self._parameters = {m[1][1:]: _parameters(m[2]) for m in _KERNEL.finditer(text)}

    def run(self, launch: Launch) -> Outcome:
        """Runs the threads of a launch sequentially; the module's variables have their initial
        values.

        The threads run in a child process, whose failure is a CompilerError.
        """
        values = copied_arguments(launch)
        arrays = [
            (i, cast(Array, value))
            for i, value in enumerate(values)
            if isinstance(value, np.ndarray)
        ]

        def work(output: int) -> None:
            faulthandler.disable()
            self._run_threads(launch, values)
            with os.fdopen(output, "wb") as stream:
                for _, array in arrays:
                    stream.write(array.tobytes())

        data, status = run_forked(work)
        if status:
            raise CompilerError(f"the host's code failed: status {status}")
        start = 0
        results: list[Array] = []
        for _, array in arrays:
            part = data[start : start + array.nbytes]
            results.append(np.frombuffer(part, array.dtype).reshape(array.shape).copy())
            start += array.nbytes
        return Outcome(results, [i for i, _ in arrays], "", {})

    def _run_threads(self, launch: Launch, values: Sequence[Any]) -> None:
        llvm = _llvm()
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(self._assembly), self._target)
        engine.finalize_object()
        function = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(
            engine.get_function_address(f"host.{launch.kernel}")
        )
        parameters = self._parameters[launch.kernel]
        memory = [_memory(value, parameter.type) for value, parameter in zip(values, parameters)]
        pointers = (ctypes.c_void_p * len(memory))(*[array.ctypes.data for array in memory])
        block, grid = three(launch.block), three(launch.grid)
        _set_registers(engine, "ntid", block)
        _set_registers(engine, "nctaid", grid)
        for cta in product(*(range(size) for size in grid)):
            _set_registers(engine, "ctaid", cta)
            for thread in product(*(range(size) for size in block)):
                _set_registers(engine, "tid", thread)
                function(ctypes.addressof(pointers))


def _memory(value: Any, type_: str) -> Array:
    """The bytes of an argument; of an array, those of its address."""
    if isinstance(value, np.ndarray):
        value = value.ctypes.data
    return np.array([value], _dtype(type_))


def _set_registers(engine: Any, name: str, values: Sequence[int]) -> None:
    for axis, value in zip(_AXES, values):
        address = engine.get_global_value_address(f"host.variable.{name}.{axis}")
        if address:
            ctypes.c_uint32.from_address(address).value = value
