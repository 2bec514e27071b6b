"""The alignment that lets arrays be accessed by vectors."""

from __future__ import annotations

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMStructType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.types import I64, int_attr

VECTOR_BYTES = 16
"""Bytes of the widest vector access that all targets have (PTX ISA, "Vectors")."""


def array_alignment(size: int) -> int:
    """The alignment at which the widest accesses that make up so many bytes may be such.

    It divides the size, so that the array does not become longer.
    """
    return min(VECTOR_BYTES, size & -size) if size > 0 else 1


def is_array(type_: Attribute) -> bool:
    """Returns True if variables of the type have parts that may be accessed together."""
    return isinstance(type_, (LLVMArrayType, LLVMStructType, VectorType))


def raise_alignment(op: Operation, have: int, wanted: int) -> bool:
    """States a higher alignment than `have` of an op; returns whether it is higher."""
    if wanted <= have:
        return False
    op.properties["alignment"] = int_attr(wanted, I64)
    return True
