"""Whether a call of an NVVM intrinsic has the operands and results that LLVM 22 gives it."""

from __future__ import annotations

from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic
from nvvm_xdsl.dialects.nvvm.signatures import result_types, spelled_type, type_fits
from nvvm_xdsl.ir import fast

PREFIX = "llvm.nvvm."


def signature_error(call: Operation) -> str | None:
    """Returns the error in the types of an `llvm.call_intrinsic`, or None.

    Nothing is said of intrinsics that are not NVPTX's, or that LLVM 22 does not know.
    """
    name = intrinsic_name(call)
    intrinsic = find_intrinsic(name) if name.startswith(PREFIX) else None
    if intrinsic is None:
        return None
    operands = [value.type for value in fast.operands_of(call)]
    if len(operands) != len(intrinsic.arguments):
        return f"{name} takes {len(intrinsic.arguments)} arguments, not {len(operands)}"
    results = result_types(call.results[0].type, intrinsic) if call.results else ()
    if len(results) != len(intrinsic.results):
        return f"{name} yields {len(intrinsic.results)} values, not {len(results)}"
    overloaded: list[Attribute] = []
    for what, wanted, found in (
        *(("result", w, t) for w, t in zip(intrinsic.results, results)),
        *((f"arg{i}", w, t) for i, (w, t) in enumerate(zip(intrinsic.arguments, operands))),
    ):
        if not type_fits(found, wanted, overloaded):
            return f"{what} of {name} must be {_spelled(wanted, overloaded)}, not {found}"
    return None


def _spelled(wanted: str, overloaded: list[Attribute]) -> str:
    """A type of the table as IR has it."""
    if wanted.startswith("="):
        index = int(wanted[1:])
        return str(overloaded[index]) if index < len(overloaded) else "another"
    words = {"anyint": "an integer", "anyfloat": "a float", "anyptr": "a pointer"}
    return words.get(wanted) or str(spelled_type(wanted))
