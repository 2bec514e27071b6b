"""Operands and results of intrinsic calls, as LLVM 22 and its main branch define them."""

from __future__ import annotations

from typing import Final

from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic
from nvvm_xdsl.dialects.nvvm.main_signatures import has_more_arguments
from nvvm_xdsl.dialects.nvvm.signatures import result_types, spelled_type, type_fits
from nvvm_xdsl.ir import fast

PREFIX = "llvm.nvvm."

_OPERANDS_OF_LLVM: Final[dict[str, tuple[int, int]]] = {
    "llvm.arithmetic.fence": (1, 1),
    "llvm.canonicalize": (1, 1),
    "llvm.fptosi.sat": (1, 1),
    "llvm.fptoui.sat": (1, 1),
    "llvm.is.constant": (1, 1),
    "llvm.maximumnum": (2, 2),
    "llvm.minimumnum": (2, 2),
    "llvm.objectsize": (2, 4),
    "llvm.readcyclecounter": (0, 0),
    "llvm.readsteadycounter": (0, 0),
    "llvm.stackaddress": (0, 0),
}
"""The minimum and maximum number of operands of LLVM intrinsics without an op; each has one
result."""


def signature_error(call: Operation) -> str | None:
    """Returns the error in the types of an `llvm.call_intrinsic`, or None.

    Unknown intrinsics have no error.
    """
    name = intrinsic_name(call)
    if not name.startswith(PREFIX):
        return _llvm_error(call, name)
    intrinsic = find_intrinsic(name)
    if intrinsic is None:
        return None
    operands = [value.type for value in fast.operands_of(call)]
    if len(operands) != len(intrinsic.arguments):
        if has_more_arguments(name.removeprefix(PREFIX), len(operands)):
            return None
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


def _llvm_error(call: Operation, name: str) -> str | None:
    words = name.split(".")
    base = next((b for n in range(2, 5) if (b := ".".join(words[:n])) in _OPERANDS_OF_LLVM), None)
    if base is None:
        return None
    least, most = _OPERANDS_OF_LLVM[base]
    count = len(fast.operands_of(call))
    if not least <= count <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        return f"{name} takes {wanted} arguments, not {count}"
    return None if call.results else f"{name} yields a value"


def _spelled(wanted: str, overloaded: list[Attribute]) -> str:
    """The IR type of an entry of the table."""
    if wanted.startswith("="):
        index = int(wanted[1:])
        return str(overloaded[index]) if index < len(overloaded) else "another"
    words = {"anyint": "an integer", "anyfloat": "a float", "anyptr": "a pointer"}
    return words.get(wanted) or str(spelled_type(wanted))
