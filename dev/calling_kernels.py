"""Kernels that call device functions, so that their results can be observed in launches.

    define i32 @f(i32 %a, ptr %p)

is called by a kernel in which each thread reads `%a` from the array `%in`, passes an address in its
own part of `%memory`, and writes the result to `%out`. The kernels are appended to the text of the
module, so that any compiler of LLVM assembly can compile both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FastMathAttr, FuncOp, LLVMPointerType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attributes,
    function_type_of,
    intrinsic_name,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.function_attributes import string_attribute
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import VOID, address_space_of
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.export.spelling import TypeSpelling, global_symbol
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType, TypeMap

PREFIX: Final = "__call_"
THREADS: Final = 32
MEMORY: Final = 1024
"""Bytes of memory per pointer, which points to the middle, because offsets may be negative."""
ALIGNMENT: Final = 64
"""Alignment of arguments, results and memory in bytes; more than any type requires."""

TOLERANCE: Final = 2e-3
ABSOLUTE: Final = 1e-5
"""The tolerance of results whose fast-math flags permit approximations, including halves."""

_FLAGS: Final = "fastmathFlags"
_UNSAFE: Final = ("unsafe-fp-math", "approx-func-fp-math")
_CLOCK: Final = re.compile(r"clock|globaltimer|read(cycle|steady)counter")
_THREAD = "llvm.nvvm.read.ptx.sreg.tid.x"
_IN_MEMORY = ("byval", "sret", "byref", "inalloca", "preallocated")
_EXTENSIONS = ("zeroext", "signext")


class CallError(ValueError):
    """No kernel can be generated for a function; the message contains the reason."""


@dataclass(frozen=True)
class Caller:
    """A kernel that calls a function.

    Arguments:
        function, kernel: their names.
        text: the kernel as LLVM assembly.
        arguments: offset in `%in` and scalars of each argument; none for pointers.
        stride: size in bytes of a thread's arguments.
        result: layout of each thread's result in `%out`.
        pointers: number of pointer arguments.
        relaxed: whether fast-math flags permit approximate floats.
    """

    function: str
    kernel: str
    text: str
    arguments: list[tuple[int, ScalarType]]
    stride: int
    result: np.dtype[Any]
    pointers: int
    relaxed: bool

    def launch(self, seed: int, *, small: bool) -> Launch:
        """A launch with random arguments.

        Arguments:
            small: use integers from 0 to 7, which are valid indices and shift amounts.
        """
        rng = np.random.default_rng(seed)
        given = np.zeros((THREADS, self.stride), np.uint8)
        for offset, kind in self.arguments:
            given[:, offset : offset + kind.size] = _random(rng, kind, small)
        memory = rng.integers(0, 8 if small else 256, (THREADS, max(self.pointers, 1), MEMORY))
        out = np.zeros(THREADS, self.result)
        arguments = (given, out, memory.astype(np.uint8))
        tolerance, absolute = (TOLERANCE, ABSOLUTE) if self.relaxed else (0.0, 0.0)
        return Launch(
            self.kernel, block=THREADS, args=arguments, tolerance=tolerance, absolute=absolute
        )


def _random(rng: np.random.Generator, kind: ScalarType, small: bool) -> np.ndarray[Any, Any]:
    """The bytes of random scalars, one row per thread."""
    if kind.fmt == "bf16":
        values = rng.normal(0, 4, THREADS).astype(np.float32).view(np.uint32) >> 16
        return values.astype(np.uint16).view(np.uint8).reshape(THREADS, 2)
    if kind.fmt:
        values = rng.normal(0, 4, THREADS).astype(f"f{kind.size}")
        return values.view(np.uint8).reshape(THREADS, kind.size)
    found = rng.integers(0, 256, (THREADS, kind.size), np.uint8)
    if small:
        found[:, 1:] = 0
        found[:, 0] &= 7
    if kind.bits % 8:
        found[:, -1] &= (1 << kind.bits % 8) - 1
    return found


def callers(module: ModuleOp) -> Iterator[Caller | tuple[str, str]]:
    """A kernel for each function of a module of the llvm dialect that has a body.

    A function without a kernel is a pair of its name and the reason.
    """
    writer = _Writer(DataLayout.of(module))
    number = 0
    for func in module.ops:
        if not isinstance(func, FuncOp) or func.body.first_block is None or is_kernel(func):
            continue
        name = symbol_name(func) or ""
        try:
            yield writer.caller(func, name, f"{PREFIX}{number}")
        except ValueError as error:
            yield name, str(error)
        number += 1


def with_callers(text: str, found: list[Caller]) -> str:
    """The text of a module with the kernels appended."""
    if not found:
        return text
    declared = "" if f"@{_THREAD}()" in text else f"declare i32 @{_THREAD}()\n"
    return "\n".join([text, declared, *(caller.text for caller in found)])


class _Writer:
    def __init__(self, layout: DataLayout) -> None:
        self.layout = layout
        self.types = TypeMap(layout)
        self.spelled = TypeSpelling()

    def caller(self, func: FuncOp, name: str, kernel: str) -> Caller:
        """The kernel that calls a function. Raises ValueError."""
        type_ = function_type_of(func)
        if type_.is_variadic:
            raise CallError("it takes any number of arguments")
        if any(_CLOCK.search(intrinsic_name(op) or op.name) for op in walk_function(func)):
            raise CallError("it reads a clock")
        lines: list[str] = []
        passed: list[str] = []
        read: list[tuple[int, ScalarType]] = []
        offset = pointers = 0
        for index, input_ in enumerate(type_.inputs.data):
            attributes = argument_attributes(func, index)
            if any(f"llvm.{word}" in attributes for word in _IN_MEMORY):
                raise CallError("it takes an argument in memory")
            if isinstance(input_, LLVMPointerType):
                lines += self._address(index, pointers, input_)
                pointers += 1
                passed.append(f"{self.spelled(input_)} %a{index}")
                continue
            read += [(offset + at, kind) for at, kind in self._scalars(input_)]
            lines += [
                f"  %p{index} = getelementptr i8, ptr addrspace(1) %given, i64 {offset}",
                f"  %a{index} = load {self.spelled(input_)}, ptr addrspace(1) %p{index}, align {ALIGNMENT}",
            ]
            words = [word for word in _EXTENSIONS if f"llvm.{word}" in attributes]
            passed.append(" ".join([self.spelled(input_), *words, f"%a{index}"]))
            offset += -(-self.layout.size(input_) // ALIGNMENT) * ALIGNMENT
        stride = max(offset, ALIGNMENT)
        result = type_.output
        size = 0 if result == VOID else self.layout.size(result)
        step = max(-(-size // ALIGNMENT) * ALIGNMENT, ALIGNMENT)
        call = f"call {self.spelled(result)} {global_symbol(name)}({', '.join(passed)})"
        stored = [f"  store {self.spelled(result)} %r, ptr addrspace(1) %to, align {ALIGNMENT}"]
        text = "\n".join(
            [
                f"define ptx_kernel void @{kernel}(ptr addrspace(1) %in, ptr addrspace(1) %out, ptr addrspace(1) %memory) {{",
                f"  %thread = call i32 @{_THREAD}()",
                "  %i = zext i32 %thread to i64",
                f"  %given = getelementptr [{stride} x i8], ptr addrspace(1) %in, i64 %i",
                f"  %to = getelementptr [{step} x i8], ptr addrspace(1) %out, i64 %i",
                f"  %own = getelementptr [{max(pointers, 1) * MEMORY} x i8], ptr addrspace(1) %memory, i64 %i",
                *lines,
                f"  {'%r = ' if size else ''}{call}",
                *(stored if size else ()),
                "  ret void",
                "}",
            ]
        )
        scalars = self._scalars(result) if size else []
        relaxed = _is_relaxed(func)
        return Caller(name, kernel, text, read, stride, _dtype(scalars, step), pointers, relaxed)

    def _scalars(self, type_: Attribute) -> list[tuple[int, ScalarType]]:
        found = self.types.apart(type_)
        if self.types.is_packed(type_):
            # A bit-packed vector: the bytes of one integer.
            kind = ScalarType(sum(kind.bits for _, kind in found))
            return [(0, kind)]
        if any(kind.pointer for _, kind in found):
            raise CallError("it takes or returns an address in an aggregate, or returns one")
        return found

    def _address(self, index: int, number: int, type_: LLVMPointerType) -> list[str]:
        space = address_space_of(type_)
        if space not in (GENERIC, GLOBAL):
            raise CallError(f"it takes an address in space {space}")
        at = f"%g{index}" if space == GENERIC else f"%a{index}"
        offset = number * MEMORY + MEMORY // 2
        lines = [f"  {at} = getelementptr i8, ptr addrspace(1) %own, i64 {offset}"]
        if space == GENERIC:
            lines.append(f"  %a{index} = addrspacecast ptr addrspace(1) {at} to ptr")
        return lines


def _is_relaxed(func: FuncOp) -> bool:
    if any(string_attribute(func, name) == "true" for name in _UNSAFE):
        return True
    strict = FastMathAttr(None)
    return any(op.properties.get(_FLAGS, strict) != strict for op in walk_function(func))


def _dtype(scalars: list[tuple[int, ScalarType]], step: int) -> np.dtype[Any]:
    """The NumPy type of results: floats as floats, so that all NaNs are equal, other scalars as
    bytes."""
    formats = [
        f"f{kind.size}" if kind.fmt in ("f16", "f32", "f64") else f"({kind.size},)u1"
        for _, kind in scalars
    ]
    return np.dtype(
        {
            "names": [f"r{n}" for n in range(len(scalars))],
            "formats": formats,
            "offsets": [offset for offset, _ in scalars],
            "itemsize": step,
        }
    )
