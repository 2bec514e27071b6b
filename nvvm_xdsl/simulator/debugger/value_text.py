"""Formatting of values of a recorded launch."""

from __future__ import annotations

from typing import Any

import numpy as np
from xdsl.dialects.builtin import BFloat16Type, Float16Type, Float32Type, Float64Type, IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.ir import fast

_FLOATS: dict[type[Attribute], np.dtype[Any]] = {
    Float16Type: np.dtype(np.float16),
    Float32Type: np.dtype(np.float32),
    Float64Type: np.dtype(np.float64),
    BFloat16Type: np.dtype(np.uint16),
}

Lanes = np.ndarray[Any, Any]


def function_of(op: Operation | None) -> Operation | None:
    """The function of an op."""
    while op is not None and "sym_name" not in op.properties:
        op = op.parent_op()
    return op


def names_of(function: Operation) -> dict[SSAValue, str]:
    """The name of each value of a function: its own, or the number that the printer uses."""
    found: dict[SSAValue, str] = {}
    number = 0
    for region in function.regions:
        for block in fast.blocks_of(region):
            values: list[SSAValue] = [*block.args]
            for op in fast.ops_of(block):
                values.extend(op.results)
            for value in values:
                if value.name_hint:
                    found[value] = f"%{value.name_hint}"
                else:
                    found[value] = f"%{number}"
                    number += 1
    return found


def stored_type(type_: Attribute) -> np.dtype[Any] | None:
    """The type of a scalar in memory; None for other types and unusual widths."""
    if isinstance(type_, LLVMPointerType):
        return np.dtype(np.uint64)
    width = integer_width(type_)
    if width in (1, 8, 16, 32, 64):
        return np.dtype(f"u{max(width // 8, 1)}")
    return _FLOATS.get(type(type_))


def scalar_text(type_: Attribute, lanes: Lanes, undefined: Any, lane: int) -> str:
    """One scalar of a thread.

    Arguments:
        type_: type of the value that contains the scalar.
        lanes: the scalar of each thread, or one element for all.
        undefined: the masks of undefined bits, of the same shape, or 0.
    """
    value = lanes[lane if lanes.size > 1 else 0]
    unknown = 0 if isinstance(undefined, int) else int(undefined[lane if undefined.size > 1 else 0])
    return _number(type_, value) + ("?" if unknown else "")


def _number(type_: Attribute, value: Any) -> str:
    if isinstance(type_, LLVMPointerType):
        return f"{int(value):#x}"
    if isinstance(value, np.bool_):
        return "true" if value else "false"
    if value.dtype.kind == "f":
        return f"{float(value):.9g}"
    if isinstance(type_, BFloat16Type):
        return f"{float(np.array([int(value) << 16], np.uint32).view(np.float32)[0]):.9g}"
    number = int(value)
    width = type_.width.data if type(type_) is IntegerType else 0
    return str(number - (1 << width) if width > 1 and number >> (width - 1) else number)


def value_text(
    value: SSAValue, leaves: tuple[Lanes, ...], undefined: tuple[Any, ...], lane: int
) -> str:
    """A value of a thread; elements of vectors and fields of structs are in brackets. `?` marks
    undefined bits."""
    parts = [scalar_text(value.type, v, u, lane) for v, u in zip(leaves, undefined)]
    return parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]"
