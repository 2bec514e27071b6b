"""Changes of parameters and results of functions whose calls are all known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.dialects.llvm import (
    AddressOfOp,
    CallOp,
    FuncOp,
    LLVMVoidType,
)
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_dictionaries,
    defined_name,
    function_type_of,
    global_name,
    is_direct_call,
    is_must_tail,
    segment_sizes,
)
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.setters import set_argument_attributes, set_callee, set_function_type
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    entry_of,
    linkage_of,
    references_of,
    walk_function,
)
from nvvm_xdsl.dialects.llvm.types import dense_i32, function
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast

_FIXED = ("optimize_none", "naked")
"""Attributes of functions whose signature must not change."""


def functions_with_known_calls(module: ModuleOp, am: AnalysisManager) -> dict[FuncOp, list[CallOp]]:
    """The functions whose calls are all known, with these calls.

    Such a function is internal, its address is not taken, and each call matches its signature.
    Kernels are excluded.
    """
    graph = am.get(CallGraph, module)
    body = module.regions[0].first_block
    named: set[str] = set()
    for op in fast.ops_of(body) if body is not None else ():
        if type(op) is not FuncOp:
            named |= references_of(op)
    found: dict[FuncOp, list[CallOp]] = {}
    for node in graph.nodes.values():
        func = node.func
        if (
            node.is_declaration
            or node.address_taken
            or linkage_of(func) not in LOCAL_LINKAGE
            or is_kernel(func)
            or function_type_of(func).is_variadic
            or defined_name(func) in named
            or any(has_function_attribute(func, word) for word in _FIXED)
        ):
            continue
        calls = [cast(CallOp, call) for call in node.callers]
        if all(_fits(call, func) for call in calls) and not any(map(is_must_tail, node.calls)):
            found[func] = calls
    return found


def _fits(call: CallOp, func: FuncOp) -> bool:
    if is_must_tail(call) or "var_callee_type" in call.properties:
        return False
    operands = fast.operands_of(call)
    parameters = entry_of(func).args
    if segment_sizes(call)[1:] not in ((), (0,)) or len(operands) != len(parameters):
        return False
    if any(o.type != p.type for o, p in zip(operands, parameters)):
        return False
    output = function_type_of(func).output
    if isinstance(output, LLVMVoidType):
        return not call.results
    return len(call.results) == 1 and call.results[0].type == output


def listed_attributes(op: Operation, count: int) -> list[DictionaryAttr]:
    """The attributes of a function's or call's `count` arguments."""
    listed = list(argument_dictionaries(op))
    return listed or [DictionaryAttr({})] * count


def _set_attributes(op: Operation, attributes: Sequence[DictionaryAttr]) -> None:
    if any(entry.data for entry in attributes):
        set_argument_attributes(op, attributes)
    else:
        op.properties.pop("arg_attrs", None)


def set_arguments(
    call: Operation, values: Sequence[SSAValue], attributes: Sequence[DictionaryAttr]
) -> None:
    """Sets the arguments of a direct call."""
    fast.set_operands(call, values)
    call.properties["operandSegmentSizes"] = dense_i32((len(values), 0))
    _set_attributes(call, attributes)


def update_type(
    func: FuncOp, attributes: Sequence[DictionaryAttr], output: Attribute | None = None
) -> None:
    """Sets a function's type from its entry block's arguments and its result."""
    inputs = [argument.type for argument in entry_of(func).args]
    old = function_type_of(func)
    set_function_type(func, function(inputs, old.output if output is None else output))
    _set_attributes(func, attributes)


def with_result(call: CallOp, type_: Attribute | None) -> CallOp:
    """A call with the same arguments and this result type, before a call that the caller erases."""
    made = fast.create(
        CallOp,
        fast.operands_of(call),
        () if type_ is None else (type_,),
        dict(call.properties),
        (),
        dict(call.attributes),
        call.location,
    )
    made.properties.pop("res_attrs", None)
    fast.insert_before(made, call)
    return made


def returns_of(func: FuncOp) -> list[Operation]:
    """The returns of a function."""
    return [op for op in walk_function(func) if op.name == "llvm.return"]


def make_direct(call: CallOp, symbols: Mapping[str, Operation]) -> bool:
    """Replaces an indirect call of a function's address by a direct call.

    Only calls whose arguments and result match the function are replaced; returns whether the call
    was.
    """
    if is_direct_call(call):
        return False
    address, *values = fast.operands_of(call)
    if type(address.owner) is not AddressOfOp:
        return False
    func = symbols.get(global_name(fast.producer_of(address)))
    if not isinstance(func, FuncOp) or not may_call(call, func):
        return False
    call.properties.pop("var_callee_type", None)
    set_callee(call, defined_name(func))
    # Argument attributes of the indirect call still apply by position.
    set_arguments(call, values, listed_attributes(call, len(values)))
    return True


def may_call(call: CallOp, func: FuncOp) -> bool:
    """Returns whether an indirect call matches the signature of a function."""
    if segment_sizes(call)[1:] not in ((), (0,)):
        return False
    type_ = function_type_of(func)
    results = [result.type for result in call.results]
    output = [] if isinstance(type_.output, LLVMVoidType) else [type_.output]
    passed = [value.type for value in fast.operands_of(call)[1:]]
    return (
        not type_.is_variadic
        and passed == list(type_.inputs.data)
        and results == output
        and func.properties.get("CConv") == call.properties.get("CConv")
    )
