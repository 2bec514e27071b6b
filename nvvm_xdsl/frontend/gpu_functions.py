"""Lowers `gpu.func` with types of LLVM, like MLIR's `convert-gpu-to-nvvm`.

    gpu.func @k(%p: !llvm.ptr) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
      gpu.barrier
      gpu.return
    }

becomes

    llvm.func @k(%p: !llvm.ptr) attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64, 1, 1>} {
      nvvm.barrier0
      llvm.return
    }

Functions with memrefs and indices, and ops on these, require that pass.
"""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import (
    FunctionType,
    IndexType,
    MemRefType,
    ModuleOp,
    StringAttr,
    UnitAttr,
)
from xdsl.dialects.func import FuncOp as HostFuncOp
from xdsl.dialects.gpu import BarrierOp, ReturnOp
from xdsl.dialects.gpu import FuncOp as GpuFuncOp
from xdsl.dialects.llvm import FuncOp, LinkageAttr
from xdsl.dialects.llvm import ReturnOp as LLVMReturnOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.types import VOID, function
from nvvm_xdsl.dialects.nvvm.ops import Barrier0Op
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.verifier import VerifyError

_SIZES: Final = {
    "known_block_size": "nvvm.reqntid",
    "gpu.known_block_size": "nvvm.reqntid",
    "known_cluster_size": "nvvm.cluster_dim",
}
"""Attributes of functions, and their names in NVVM."""

_KNOWN_ELSEWHERE: Final = frozenset({"sym_name", "known_grid_size", "gpu.known_grid_size"})
"""Attributes for grid sizes, which only concern the host and are dropped."""


def lower_gpu_functions(module: ModuleOp) -> None:
    """Replaces each `gpu.func` by a function of the llvm dialect.

    Raises VerifyError for parameters, results or attributes that the dialect cannot represent, and
    for a `func.func` with a body, which would be ignored.
    """
    for op in list(fast.ops_of(module.body.block)):
        if isinstance(op, GpuFuncOp):
            _lower(op)
        elif isinstance(op, HostFuncOp) and op.body.blocks:
            raise VerifyError(
                f"@{op.sym_name.data}: func.func is not device code: run mlir-opt -convert-func-to-llvm first", op
            )  # fmt: skip


def _lower(func: GpuFuncOp) -> None:
    name = func.attributes.get("sym_name")
    stated = func.properties.get("function_type")
    if not isinstance(name, StringAttr) or not isinstance(stated, FunctionType):
        raise VerifyError("a gpu.func needs a name and a function type", func)
    types = [*stated.inputs.data, *stated.outputs.data]
    for type_ in types:
        if isinstance(type_, IndexType | MemRefType):
            raise VerifyError(
                f"@{name.data}: the type {type_} is not an LLVM type: run mlir-opt -convert-gpu-to-nvvm first",
                func,
            )
    outputs = list(stated.outputs.data)
    if len(outputs) > 1:
        raise VerifyError(f"@{name.data}: a gpu.func with several results is not supported", func)
    body = func.regions[0]
    func.detach_region(body)
    made = FuncOp(
        name.data,
        function(list(stated.inputs.data), outputs[0] if outputs else VOID),
        LinkageAttr("external"),
        body=body,
    )
    made.location = func.location
    for key, value in func.attributes.items():
        if key in _SIZES:
            made.attributes[_SIZES[key]] = value
        elif key not in _KNOWN_ELSEWHERE:
            made.attributes[key] = value
    if "arg_attrs" in func.properties:
        made.properties["arg_attrs"] = func.properties["arg_attrs"]
    if "kernel" in func.properties:
        made.attributes["nvvm.kernel"] = UnitAttr()
    fast.insert_before(made, func)
    fast.erase(func)
    for op in list(made.walk()):
        if isinstance(op, ReturnOp):
            _replace(op, fast.create(LLVMReturnOp, fast.operands_of(op), ()))
        elif isinstance(op, BarrierOp):
            _replace(op, fast.create(Barrier0Op, (), ()))


def _replace(old: Operation, new: Operation) -> None:
    new.location = old.location
    fast.insert_before(new, old)
    fast.erase(old)


__all__ = ["lower_gpu_functions"]
