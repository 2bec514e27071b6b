"""Sets properties of ops from plain Python values.

`nvvm_xdsl.dialects.llvm.accessors` has the functions that read them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, SymbolRefAttr
from xdsl.dialects.llvm import LinkageAttr, LLVMFunctionType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.types import I64, dense_i32, int_attr, string


def set_loop_annotation(terminator: Operation, annotation: Attribute) -> None:
    """Sets the loop metadata of a latch's terminator."""
    terminator.properties["loop_annotation"] = annotation


def remove_loop_annotation(terminator: Operation) -> Attribute | None:
    """Removes the loop metadata of a terminator and returns it; None if it has none."""
    return terminator.properties.pop("loop_annotation", None)


def set_branch_weights(terminator: Operation, weights: Sequence[int]) -> None:
    """Sets the profile of a conditional branch or switch: one weight for each successor."""
    terminator.properties["branch_weights"] = dense_i32(weights)


def set_alignment(op: Operation, alignment: int) -> None:
    """Sets the alignment in bytes of a load, store, alloca or global."""
    op.properties["alignment"] = int_attr(alignment, I64)


def set_predicate(comparison: Operation, predicate: int) -> None:
    """Sets the number of the predicate of an `llvm.icmp` or `llvm.fcmp`."""
    comparison.properties["predicate"] = int_attr(predicate, I64)


def set_symbol_name(op: Operation, name: str) -> None:
    """Sets the symbol that a function or global defines."""
    op.properties["sym_name"] = string(name)


def set_linkage(op: Operation, linkage: str) -> None:
    """Sets the linkage of a function or global, in MLIR's spelling."""
    op.properties["linkage"] = LinkageAttr(linkage)


def set_callee(call: Operation, name: str) -> None:
    """Sets the function that a direct call calls."""
    call.properties["callee"] = SymbolRefAttr(name)


def set_function_type(func: Operation, type_: LLVMFunctionType) -> None:
    """Sets the type of a function."""
    func.properties["function_type"] = type_


def set_global_type(variable: Operation, type_: Attribute) -> None:
    """Sets the type of the value of a global."""
    variable.properties["global_type"] = type_


def set_argument_attributes(op: Operation, attributes: Sequence[DictionaryAttr]) -> None:
    """Sets the attributes of all arguments of a function or call."""
    op.properties["arg_attrs"] = ArrayAttr(attributes)


def set_memory_effects(op: Operation, effects: Attribute) -> None:
    """Sets the `memory_effects` of a function or call."""
    op.properties["memory_effects"] = effects
