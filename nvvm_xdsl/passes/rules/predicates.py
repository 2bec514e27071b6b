"""What conditions of rules call: of numbers, and of values as far as they are known."""

from __future__ import annotations

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import SSAValue

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.ir.integers import signed as signed
from nvvm_xdsl.ir.nvptx import GENERIC
from nvvm_xdsl.ir.types import pointer_space
from nvvm_xdsl.passes.utils.constants import CONSTANT_CLASSES

# Of numbers.


def pow2(number: int) -> bool:
    """Whether the number is a power of two."""
    return number > 0 and number & (number - 1) == 0


def log2(number: int) -> int:
    """The exponent of a power of two."""
    return number.bit_length() - 1


def ctz(number: int) -> int:
    """The zero bits below the lowest one of a number that is not zero."""
    return (number & -number).bit_length() - 1


def lowmask(number: int) -> bool:
    """Whether the number is 2**k - 1 for a k above zero."""
    return number > 0 and number & (number + 1) == 0


def popcount(number: int) -> int:
    """The one bits."""
    return number.bit_count()


# Of values.

_WELL_DEFINED = frozenset({llvm.ConstantOp, llvm.ZeroOp, llvm.AddressOfOp, op_class("llvm.freeze")})


def width_of(value: SSAValue) -> int:
    """The bits of an integer; 0 for other types."""
    type_ = value.type
    return type_.width.data if type_.__class__ is IntegerType else 0  # pyright: ignore


def is_constant(value: SSAValue) -> bool:
    """Whether a value is a constant of any type."""
    return value.owner.__class__ in CONSTANT_CLASSES


def well_defined(value: SSAValue) -> bool:
    """Whether a value is neither undef nor poison, as its op alone tells."""
    return value.owner.__class__ in _WELL_DEFINED


def is_object(value: SSAValue) -> bool:
    """Whether a value is the generic address of a variable, and so not null."""
    return (
        value.owner.__class__ is llvm.AllocaOp
        and value.type.__class__ is LLVMPointerType
        and pointer_space(value.type) == GENERIC
    )
