"""The alignment that permits vector accesses of arrays."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMStructType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.setters import set_alignment

VECTOR_BYTES = 16
"""Size in bytes of the widest vector access that all targets have (PTX ISA, "Vectors")."""


def array_alignment(size: int) -> int:
    """The alignment for the widest accesses that can cover an array of this size.

    It divides the size, so that the array does not grow.
    """
    return min(VECTOR_BYTES, size & -size) if size > 0 else 1


def is_array(type_: Attribute) -> bool:
    """Returns True if variables of the type have elements that may be accessed together."""
    return isinstance(type_, (LLVMArrayType, LLVMStructType, VectorType))


def raise_alignment(op: Operation, have: int, wanted: int) -> bool:
    """Raises the stated alignment of an op from `have`; returns whether it is higher."""
    if wanted <= have:
        return False
    set_alignment(op, wanted)
    return True
