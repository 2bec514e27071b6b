"""Functions that only call another function."""

from __future__ import annotations

from xdsl.dialects.builtin import SymbolRefAttr
from xdsl.dialects.llvm import CallOp, FuncOp, LLVMVoidType, ReturnOp
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import defined_name, function_type_of
from nvvm_xdsl.dialects.llvm.types import dense_i32
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.cfg import drop_blocks


def make_thunk(func: FuncOp, target: FuncOp) -> None:
    """Makes the body of a function a call of a function of the same type, which is not variadic."""
    type_ = function_type_of(func)
    old = list(fast.blocks_of(func.regions[0]))
    entry = fast.new_block(list(type_.inputs.data))
    if old:
        for argument, new in zip(old[0].args, entry.args):
            fast.set_name(new, argument.name_hint)
    drop_blocks(old)
    fast.append_block(func.regions[0], entry)
    properties: dict[str, Attribute] = {
        "callee": SymbolRefAttr(defined_name(target)),
        "operandSegmentSizes": dense_i32((len(entry.args), 0)),
        "op_bundle_sizes": dense_i32(()),
    }
    for name in ("CConv", "arg_attrs"):
        if name in func.properties:
            properties[name] = func.properties[name]
    results = () if isinstance(type_.output, LLVMVoidType) else (type_.output,)
    call = fast.create(CallOp, entry.args, results, properties)
    fast.append(entry, call)
    fast.append(entry, fast.create(ReturnOp, call.results))
