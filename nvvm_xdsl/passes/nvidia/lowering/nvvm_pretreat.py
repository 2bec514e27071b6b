"""`nvvm-pretreat`: converts NVVM IR of any front end to the form that passes expect.

    llvm.func @llvm.nvvm.barrier0()
    llvm.func ptx_kernelcc @k(%x: i32) {
      llvm.call @llvm.nvvm.barrier0() : () -> ()
      %n = llvm.call_intrinsic "llvm.nvvm.clz.i"(%x) : (i32) -> i32

becomes

    llvm.func @k(%x: i32) attributes {nvvm.kernel} {
      nvvm.barrier0
      %n = "llvm.intr.ctlz"(%x) <{is_zero_poison = false}> : (i32) -> i32

NVIDIA's "early NVVM specific catchall phase", before `nvvm-verify`; the document (000 LLVM
Optimizer) states only its name and position among the module passes. Here it converts modules read
as MLIR to the form that the reader of LLVM IR produces: kernels and launch bounds are attributes
(`nvvm-annotations`), and calls of intrinsics, under names of any release and also as calls of
declarations, are the corresponding ops (`dialects/nvvm/calls.py`). Declarations without remaining
uses are removed.

A call that does not fit its intrinsic is an error.

Benefit: none in speed; it normalizes modules.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import (
    bundle_sizes,
    callee_of,
    dictionaries_of,
    intrinsic_name,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.symbols import functions_of, is_symbol, references_of, walk_function
from nvvm_xdsl.dialects.llvm.types import VOID
from nvvm_xdsl.dialects.nvvm.calls import PREFIX, CallError, build_call, is_present
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.kernel_markers import convert_kernel_markers
from nvvm_xdsl.verify.op_verifier import verify_ops_inside
from nvvm_xdsl.verify.verifier import VerifyError, verify_function


@dataclass(frozen=True)
class Pretreat(NvvmPass):
    """Converts a module to the form that the reader of LLVM IR creates."""

    name = "nvvm-pretreat"
    title = "Pretreat"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        changed = convert_kernel_markers(module)
        called = False
        for func in functions_of(module):
            calls = [op for op in walk_function(func) if _names_intrinsic(op)]
            rewritten = [_rewrite(call) for call in calls]
            if any(rewritten):
                called |= any(type(call) is CallOp for call in calls)
                changed = True
                am.invalidate(func)
                # Calls with old names may have any types.
                verify_ops_inside(func)
                verify_function(func)
        if called:
            _drop_declarations(module)
        return changed


def _called(op: Operation) -> str | None:
    """The callee's name if it is an intrinsic, or a function with an intrinsic's name."""
    return intrinsic_name(op) or callee_of(op)


def _names_intrinsic(op: Operation) -> bool:
    """Returns True if the op calls an intrinsic of NVVM in an outdated form."""
    name = _called(op)
    if name is None or not name.startswith(PREFIX):
        return False
    if bundle_sizes(op):
        return False
    return type(op) is CallOp or not is_present(name)


def _rewrite(call: Operation) -> bool:
    """Replaces a call of an intrinsic; returns whether the result is another op."""
    name = _called(call)
    assert name is not None
    inserted: list[Operation] = []

    def insert(op: Operation) -> SSAValue:
        op.location = call.location
        fast.insert_before(op, call)
        inserted.append(op)
        return op.results[0]

    output = call.results[0].type if call.results else VOID
    try:
        made = build_call(name, fast.operands_of(call), output, insert, _properties(call))
    except CallError as error:
        raise VerifyError(str(error), call) from None
    if isinstance(made, SSAValue):
        fast.replace_op(call, (made,))
        return True
    if not inserted and type(made) is type(call) and _called(made) == name:
        fast.drop_uses(made)
        return False
    made.location = call.location
    fast.insert_before(made, call)
    if call.results and made.results:
        fast.set_name(made.results[0], call.results[0].name_hint)
    fast.replace_op(call, made.results)
    return True


def _properties(call: Operation) -> dict[str, Attribute]:
    """The properties of a call that `build_call` needs in addition to the arguments."""
    found = {
        key: call.properties[key]
        for key in ("fastmathFlags", "arg_attrs", "res_attrs")
        if key in call.properties
    }
    for entry in dictionaries_of(found.get("res_attrs")):
        bounds = entry.data.get("llvm.range")
        if bounds is not None:
            found["range"] = bounds
    return found


def _drop_declarations(module: ModuleOp) -> None:
    """Removes unused declarations of NVVM's intrinsics."""
    body = module.regions[0].first_block
    assert body is not None
    used = {name for op in fast.ops_of(body) if is_symbol(op) for name in references_of(op)}
    for op in list(fast.ops_of(body)):
        name = symbol_name(op)
        if isinstance(op, FuncOp) and name is not None and name.startswith(PREFIX):
            if op.regions[0].first_block is None and name not in used:
                fast.erase(op)
