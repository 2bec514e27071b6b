"""Calls of libdevice for mathematical intrinsics that have no instruction.

LLVM has intrinsics for functions such as `log2`, `pow` and `tan`; Zig, Rust, Julia and MLIR's `math`
dialect use them. Before libdevice is linked, those that code generation cannot approximate become
calls of its functions. A vector becomes a call for each element, and 16-bit floats are converted to
f32. NVPTX of LLVM has no library for them and reports an error.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FPExtOp, FPTruncOp, FuncOp, InsertElementOp, UndefOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.codegen.rules.floats import fast_flags
from nvvm_xdsl.codegen.rules.math import LIBDEVICE, has_approximation
from nvvm_xdsl.dialects.llvm.accessors import scalar_type, vector_type
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.function_attributes import string_attribute
from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, F64, I64
from nvvm_xdsl.dialects.nvptx.target import Target
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.runtime_calls import call_function, declare_function

_NARROW = frozenset({F16, BF16})


def call_math_functions(module: ModuleOp, target: Target) -> None:
    """Replaces intrinsics without an instruction by calls of declared functions of libdevice.

    Raises VerifyError if the module has another symbol with the name of such a function.
    """
    for func in functions_of(module):
        is_unsafe = string_attribute(func, "unsafe-fp-math") == "true"
        ops = [op for b in fast.blocks_of(func.regions[0]) for op in fast.ops_of(b)]
        for op in [op for op in ops if type(op) in LIBDEVICE]:
            element = scalar_type(op.results[0].type)
            is_loose = is_unsafe or "afn" in fast_flags(op) or element in _NARROW
            if element in (*_NARROW, F32, F64) and not has_approximation(
                op, element, target.sm, is_loose=is_loose
            ):
                _replace(module, func, op, element)


def _replace(module: ModuleOp, func: FuncOp, op: Operation, element: Attribute) -> None:
    builder = Builder(op, Constants(func))
    vector = vector_type(op.results[0].type)
    operands = fast.operands_of(op)
    if vector is None:
        fast.replace_op(op, (_call(module, op, builder, operands, element),))
        return
    value = builder.value(UndefOp, (), vector)
    for number in range(vector.get_shape()[0]):
        index = builder.constants.integer(number, I64)
        lanes = [
            builder.value(ExtractElementOp, (v, index), scalar_type(v.type))
            if vector_type(v.type) is not None
            else v
            for v in operands
        ]
        lane = _call(module, op, builder, lanes, element)
        value = builder.value(InsertElementOp, (value, lane, index), vector)
    fast.replace_op(op, (value,))


def _call(
    module: ModuleOp,
    op: Operation,
    builder: Builder,
    operands: Sequence[SSAValue],
    element: Attribute,
) -> SSAValue:
    """A call of the function of scalars that `op` computes."""
    type_ = F64 if element == F64 else F32
    arguments = [
        builder.value(FPExtOp, (value,), F32) if value.type in _NARROW else value
        for value in operands
    ]
    name = f"__nv_{LIBDEVICE[type(op)]}{'' if type_ == F64 else 'f'}"
    declare_function(module, name, [value.type for value in arguments], type_)
    (made,) = call_function(name, arguments, type_, op).results
    return builder.value(FPTruncOp, (made,), element) if element in _NARROW else made
