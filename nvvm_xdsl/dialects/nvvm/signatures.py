"""The types of an intrinsic's arguments and results, as spelled in `intrinsics.txt`."""

from __future__ import annotations

import re
from functools import cache

from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import scalar_type
from nvvm_xdsl.dialects.llvm.types import integer
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic

_VECTOR = re.compile(r"v(\d+)(\w+)")
_POINTER = re.compile(r"p(\d*)")
_FLOATS = {"f16": types.F16, "bf16": types.BF16, "f32": types.F32, "f64": types.F64}


def result_types(type_: Attribute, intrinsic: Intrinsic) -> tuple[Attribute, ...]:
    """The result types of a call with this type: several are a struct, and one may be, too."""
    several = len(intrinsic.results) > 1 or (
        isinstance(type_, LLVMStructType) and intrinsic.results != ("any",)
    )
    if several and isinstance(type_, LLVMStructType):
        return tuple(type_.types.data)
    return (type_,)


def type_fits(type_: Attribute, wanted: str, overloaded: list[Attribute]) -> bool:
    """True if a type matches the table's letters; `overloaded` collects the types for `any`."""
    if wanted.startswith("any"):
        overloaded.append(type_)
        element = _element_of(type_)
        match wanted:
            case "anyint":
                return isinstance(element, IntegerType)
            case "anyfloat":
                return isinstance(element, AnyFloat)
            case "anyptr":
                return isinstance(element, LLVMPointerType)
            case _:
                return True
    if wanted.startswith("="):
        index = int(wanted[1:])
        return index < len(overloaded) and type_ == overloaded[index]
    exact = spelled_type(wanted)
    return exact is None or type_ == exact


def _element_of(type_: Attribute) -> Attribute:
    return scalar_type(type_) if type(type_) is VectorType else type_


@cache
def spelled_type(spelled: str) -> Attribute | None:
    """The type with this spelling; None if it is not a type of values."""
    vector = _VECTOR.fullmatch(spelled)
    if vector is not None:
        element = spelled_type(vector[2])
        return None if element is None else types.vector(int(vector[1]), element)
    pointer = _POINTER.fullmatch(spelled)
    if pointer is not None:
        return types.pointer(int(pointer[1] or 0))
    if spelled in _FLOATS:
        return _FLOATS[spelled]
    if spelled[0] == "i" and spelled[1:].isdigit():
        return integer(int(spelled[1:]))
    return None
