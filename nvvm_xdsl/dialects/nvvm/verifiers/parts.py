"""Properties of ops that verifiers read."""

from __future__ import annotations

from enum import Enum
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import int_value, segment_sizes
from nvvm_xdsl.dialects.llvm.types import pointer_space


def kind_of(op: Operation, name: str) -> str:
    """The word of an enum attribute, `tile` of `#nvvm.tma_load_mode<tile>`; empty if absent."""
    attr = op.properties.get(name)
    data = cast(Any, attr).data if attr is not None else ""
    return str(data.value) if isinstance(data, Enum) else str(data)


def flag_of(op: Operation, name: str) -> bool:
    """Returns True if a unit attribute is present, or a Boolean one is true."""
    attr = op.properties.get(name)
    if isinstance(attr, IntegerAttr):
        return bool(int_value(cast(Attribute, attr)))
    return attr is not None


def group_of(op: Operation, index: int) -> tuple[SSAValue, ...]:
    """The operands of a group. Raises VerifyException if the op does not state their number."""
    sizes = segment_sizes(op)
    if index >= len(sizes):
        raise VerifyException(f"operandSegmentSizes needs more than {index} sizes")
    start = sum(sizes[:index])
    return tuple(op.operands[start : start + sizes[index]])


def space_of(value: SSAValue) -> int:
    """The address space of a pointer; 0 for other types."""
    return pointer_space(value.type) or 0
