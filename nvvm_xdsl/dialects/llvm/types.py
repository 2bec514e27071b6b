"""Interned types and constants.

There is one object per type: results of these functions are compared by identity, so that passes
can use `value.type is I32`. `intern_types` brings IR parsed from MLIR text into this form.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    BFloat16Type,
    DenseArrayBase,
    Float16Type,
    Float32Type,
    Float64Type,
    Float80Type,
    Float128Type,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    NoneAttr,
    StringAttr,
    UnitAttr,
    VectorType,
)
from xdsl.dialects.llvm import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
)
from xdsl.ir import Attribute

# Replaces the hash of integer types, which must happen before types are put into tables.
import nvvm_xdsl.ir.fast  # noqa: F401 # pyright: ignore[reportUnusedImport]

PACKED_PREFIX = "packed:"
"""First characters of `LLVMStructType.struct_name` of a packed struct, for which xDSL has no
field."""


_TypeT = TypeVar("_TypeT", bound=Attribute)

_interned: dict[Attribute, Attribute] = {}
"""The table of interned types. Equal types created elsewhere are replaced by these."""


def _own(type_: _TypeT) -> _TypeT:
    return cast(_TypeT, _interned.setdefault(type_, type_))


def interned(type_: Attribute) -> Attribute:
    """The interned object equal to a type, rebuilt if it may contain types created elsewhere."""
    found = _interned.get(type_)
    if found is not None:
        return found
    if isinstance(type_, LLVMStructType):
        packed = is_packed(type_)
        name = type_.struct_name.data
        name = name.removeprefix(PACKED_PREFIX) if packed else name
        return struct(type_.types.data, packed=packed, name=name)
    if isinstance(type_, LLVMArrayType):
        return array(type_.size.data, type_.type)
    if isinstance(type_, LLVMFunctionType):
        return function(type_.inputs.data, type_.output, variadic=type_.is_variadic)
    if type(type_) is VectorType:
        if type_.get_num_dims() == 1 and not any(type_.get_scalable_dims()):
            return vector(type_.get_shape()[0], type_.element_type)
    return _own(cast(Attribute, type_))


WIDEST_INTEGER = 4096
"""Maximum width of an integer: the code of a product grows with the square of its operands'
width."""


@cache
def integer(width: int) -> IntegerType:
    """The signless integer type of `width` bits."""
    return _own(IntegerType(width))


I1 = integer(1)
I8 = integer(8)
I16 = integer(16)
I32 = integer(32)
I64 = integer(64)
I128 = integer(128)
F16 = _own(Float16Type())
BF16 = _own(BFloat16Type())
F32 = _own(Float32Type())
F64 = _own(Float64Type())
F80 = _own(Float80Type())
F128 = _own(Float128Type())
VOID = _own(LLVMVoidType())
UNIT = UnitAttr()

FLOAT_TYPES: frozenset[Attribute] = frozenset({F16, BF16, F32, F64})


@cache
def pointer(address_space: int = 0) -> LLVMPointerType:
    """`!llvm.ptr<address_space>`; the generic space 0 is spelled without a number."""
    return _own(LLVMPointerType(IntAttr(address_space) if address_space else NoneAttr()))


PTR = pointer(0)


def address_space_of(type_: LLVMPointerType) -> int:
    """The address space number of a pointer type."""
    space = type_.addr_space
    return space.data if type(space) is IntAttr else 0


def pointer_space(type_: Attribute) -> int:
    """The address space of a pointer or vector of pointers; 0, the generic one, for others."""
    if type(type_) is VectorType:
        type_ = type_.element_type
    return address_space_of(type_) if type(type_) is LLVMPointerType else 0


@cache
def vector(count: int, element: Attribute) -> VectorType[Attribute]:
    """The fixed vector of `count` elements."""
    return _own(VectorType(interned(element), [count]))


@cache
def array(count: int, element: Attribute) -> LLVMArrayType:
    """`!llvm.array<count x element>`."""
    return _own(LLVMArrayType(count, interned(element)))


@cache
def _struct(fields: tuple[Attribute, ...], packed: bool, name: str) -> LLVMStructType:
    full_name = StringAttr((PACKED_PREFIX if packed else "") + name)
    return _own(LLVMStructType(full_name, ArrayAttr([interned(f) for f in fields])))


def struct(fields: Sequence[Attribute], *, packed: bool = False, name: str = "") -> LLVMStructType:
    """A literal struct, or with `name` an identified one."""
    return _struct(tuple(fields), packed, name)


def is_packed(type_: LLVMStructType) -> bool:
    """Returns True if the struct has no padding between fields."""
    return type_.struct_name.data.startswith(PACKED_PREFIX)


@cache
def _function(inputs: tuple[Attribute, ...], output: Attribute, variadic: bool) -> LLVMFunctionType:
    return _own(LLVMFunctionType([interned(t) for t in inputs], interned(output), variadic))


def function(
    inputs: Sequence[Attribute], output: Attribute = VOID, *, variadic: bool = False
) -> LLVMFunctionType:
    """`!llvm.func<output (inputs)>`."""
    return _function(tuple(inputs), output, variadic)


_int_attrs: dict[tuple[int, IntegerType], IntegerAttr[IntegerType]] = {}


@cache
def int_attr(value: int, type_: IntegerType) -> IntegerAttr[IntegerType]:
    """`value : iN`, wrapped into the signed range of the type."""
    width = type_.width.data
    value &= (1 << width) - 1
    if width > 1 and value >> (width - 1):
        value -= 1 << width
    # -1 and 255 are the same i8: the cache of this function alone would create two objects.
    return _int_attrs.setdefault((value, type_), IntegerAttr(value, type_))


@cache
def string(value: str) -> StringAttr:
    """A string attribute."""
    return StringAttr(value)


_float_attrs: dict[tuple[str, Attribute], FloatAttr] = {}


def float_attr(value: float, type_: Attribute) -> FloatAttr:
    """`value : type`; signed zeros are distinct. NaN payloads are lost: see the llvm dialect."""
    key = (value.hex(), type_)
    attr = _float_attrs.get(key)
    if attr is None:
        attr = _float_attrs[key] = FloatAttr(value, type_)  # pyright: ignore[reportArgumentType, reportCallIssue]
    return attr


@cache
def _dense_i32(values: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(I32, values)


def dense_i32(values: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """`array<i32: ...>`, the form of `operandSegmentSizes` and launch bounds."""
    return _dense_i32(tuple(values))


def dense_i64(values: Sequence[int]) -> DenseArrayBase[IntegerType]:
    """`array<i64: ...>`, the form of positions in aggregates."""
    return _dense_i64(tuple(values))


@cache
def _dense_i64(values: tuple[int, ...]) -> DenseArrayBase[IntegerType]:
    return DenseArrayBase.from_list(I64, values)


def width_of(attr: Attribute) -> int:
    """The width of an integer type, 0 for any other type."""
    if type(attr) is IntegerType:
        return attr.width.data
    return 0
