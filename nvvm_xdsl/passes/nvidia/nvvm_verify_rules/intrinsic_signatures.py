"""Whether a call of an NVVM intrinsic has the operands and results that LLVM 22 gives it."""

from __future__ import annotations

import re
from functools import cache

from xdsl.dialects.builtin import AnyFloat, IntegerType, VectorType
from xdsl.dialects.llvm import LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, find_intrinsic
from nvvm_xdsl.ir import fast, types
from nvvm_xdsl.ir.attributes import intrinsic_name, scalar_type

PREFIX = "llvm.nvvm."

_VECTOR = re.compile(r"v(\d+)(\w+)")
_POINTER = re.compile(r"p(\d*)")
_FLOATS = {"f16": types.F16, "bf16": types.BF16, "f32": types.F32, "f64": types.F64}


def signature_error(call: Operation) -> str | None:
    """What is wrong with the types of an `llvm.call_intrinsic`, or None.

    Nothing is said of intrinsics that are not NVPTX's, or that LLVM 22 does not know.
    """
    name = intrinsic_name(call)
    intrinsic = find_intrinsic(name) if name.startswith(PREFIX) else None
    if intrinsic is None:
        return None
    operands = [value.type for value in fast.operands_of(call)]
    if len(operands) != len(intrinsic.arguments):
        return f"{name} takes {len(intrinsic.arguments)} arguments, not {len(operands)}"
    results = _results_of(call, intrinsic)
    if len(results) != len(intrinsic.results):
        return f"{name} yields {len(intrinsic.results)} values, not {len(results)}"
    overloaded: list[Attribute] = []
    for what, wanted, found in (
        *(("result", w, t) for w, t in zip(intrinsic.results, results)),
        *((f"arg{i}", w, t) for i, (w, t) in enumerate(zip(intrinsic.arguments, operands))),
    ):
        if not _fits(found, wanted, overloaded):
            return f"{what} of {name} must be {_spelled(wanted, overloaded)}, not {found}"
    return None


def _results_of(call: Operation, intrinsic: Intrinsic) -> tuple[Attribute, ...]:
    """The types that a call yields: several come as a struct, of one perhaps as well."""
    if not call.results:
        return ()
    type_ = call.results[0].type
    several = len(intrinsic.results) > 1 or (
        isinstance(type_, LLVMStructType) and intrinsic.results != ("any",)
    )
    if several and isinstance(type_, LLVMStructType):
        return tuple(type_.types.data)
    return (type_,)


def _fits(type_: Attribute, wanted: str, overloaded: list[Attribute]) -> bool:
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
    exact = _type_of(wanted)
    return exact is None or type_ == exact


def _element_of(type_: Attribute) -> Attribute:
    return scalar_type(type_) if type_.__class__ is VectorType else type_


@cache
def _type_of(spelled: str) -> Attribute | None:
    """The type that the table spells so; None for one that is no type of values."""
    vector = _VECTOR.fullmatch(spelled)
    if vector is not None:
        element = _type_of(vector[2])
        return None if element is None else types.vector(int(vector[1]), element)
    pointer = _POINTER.fullmatch(spelled)
    if pointer is not None:
        return types.pointer(int(pointer[1] or 0))
    if spelled in _FLOATS:
        return _FLOATS[spelled]
    if spelled[0] == "i" and spelled[1:].isdigit():
        return IntegerType(int(spelled[1:]))
    return None


def _spelled(wanted: str, overloaded: list[Attribute]) -> str:
    """A type of the table as IR has it."""
    if wanted.startswith("="):
        index = int(wanted[1:])
        return str(overloaded[index]) if index < len(overloaded) else "another"
    words = {"anyint": "an integer", "anyfloat": "a float", "anyptr": "a pointer"}
    return words.get(wanted) or str(_type_of(wanted))
