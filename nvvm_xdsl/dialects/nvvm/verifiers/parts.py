"""Properties of ops that verifiers read."""

from __future__ import annotations

from xdsl.ir import Operation, SSAValue
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm.accessors import segment_sizes
from nvvm_xdsl.dialects.llvm.types import pointer_space


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
