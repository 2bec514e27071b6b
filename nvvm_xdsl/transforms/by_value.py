"""By-value parameters of functions."""

from __future__ import annotations

from xdsl.dialects.llvm import AllocaOp, FuncOp
from xdsl.ir import BlockArgument, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import add_argument_attribute
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, after_constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.function_attributes import by_value_alignment, by_value_type
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, MemcpyOp
from nvvm_xdsl.dialects.llvm.symbols import entry_of
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, PTR, int_attr, pointer
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import PARAM


def copy_parameter(func: FuncOp, argument: BlockArgument) -> Operation:
    """Replaces a by-value parameter by a local variable that is initialized with it.

    Returns the variable's alloca. A kernel's parameter is read in param space.
    """
    layout = data_layout_of(func)
    type_ = by_value_type(func, argument.index)
    assert type_ is not None, "the argument is not passed by value"
    constants = Constants(func)
    one = constants.integer(1, I32)
    size = constants.integer(layout.size(type_), I64)
    before = after_constants(entry_of(func))
    alignment = int_attr(by_value_alignment(func, argument.index, layout), I64)
    slot = fast.create(AllocaOp, (one,), (PTR,), {"elem_type": type_, "alignment": alignment})
    fast.insert_before(slot, before)
    fast.replace_all_uses(argument, slot.results[0])
    source: SSAValue = argument
    if is_kernel(func):
        in_param_space = fast.create(AddrSpaceCastOp, (argument,), (pointer(PARAM),))
        fast.insert_before(in_param_space, before)
        source = in_param_space.results[0]
    copy = fast.create(
        MemcpyOp, (slot.results[0], source, size), (), {"isVolatile": int_attr(0, I1)}
    )
    for index in range(2):
        add_argument_attribute(copy, index, "llvm.align", alignment, 3)
    fast.insert_before(copy, before)
    return slot
