"""Declarations and calls of runtime functions."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp, LinkageAttr
from xdsl.ir import Attribute, Operation, Region, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import function_type_of, symbol_name
from nvvm_xdsl.dialects.llvm.types import VOID, function
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.verifier import VerifyError

VPRINTF = "vprintf"
"""CUDA's `int vprintf(const char *format, void *arguments)`, which `printf` calls."""


def declare_function(
    module: ModuleOp, name: str, inputs: Sequence[Attribute], output: Attribute = VOID
) -> FuncOp:
    """The function of the module with this name, which is declared if it does not exist.

    Raises VerifyError if the module has a symbol of this name and another type.
    """
    type_ = function(inputs, output)
    body = module.regions[0].first_block
    assert body is not None
    for op in fast.ops_of(body):
        if symbol_name(op) == name:
            if not isinstance(op, FuncOp) or function_type_of(op) != type_:
                raise VerifyError(f"@{name} must be a function of type {type_}", op)
            return op
    made = FuncOp(name, type_, LinkageAttr("external"), body=Region())
    fast.prepend(body, made)
    return made


def call_function(
    name: str, arguments: Sequence[SSAValue], output: Attribute, before: Operation
) -> CallOp:
    """Creates a call of a function before `before`, with its location."""
    call = CallOp(name, *arguments, return_type=None if output is VOID else output)
    call.location = before.location
    fast.insert_before(call, before)
    return call
