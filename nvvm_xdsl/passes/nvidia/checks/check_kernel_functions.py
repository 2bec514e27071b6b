"""`check-kernel-functions`: checks that each kernel can be launched and is not called.

    llvm.func internal @k() attributes {nvvm.kernel} {

becomes

    llvm.func @k() attributes {nvvm.kernel} {

The document's class is NVPTXSetFunctionLinkages. The linkage of a kernel must make it visible and
keep it: `internal`, `private` and `available_externally` become external, `linkonce` becomes
`weak`, and `linkonce_odr` becomes `weak_odr`. A kernel with a result, a variable number of
arguments, or calls of it is an error, because PTX has no such `.entry`. With `internalize` all
other functions with a body become internal, because no other module of a whole program can call
them.

Benefit: none in speed; it is in no level, and corrects linkages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import AddressOfOp, FuncOp, LLVMVoidType
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    function_type_of,
    initial_value_of,
    symbol_name,
    symbol_of,
)
from nvvm_xdsl.dialects.llvm.setters import set_linkage
from nvvm_xdsl.dialects.llvm.symbols import linkage_of, walk_function
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.verify.verifier import VerifyError

KERNEL_LINKAGE = {
    "internal": "external",
    "private": "external",
    "available_externally": "external",
    "linkonce": "weak",
    "linkonce_odr": "weak_odr",
}
"""The new linkage of a kernel by its original linkage; others are kept."""

USED = frozenset({"llvm.used", "llvm.compiler.used"})


@dataclass(frozen=True)
class CheckKernelFunctions(NvvmPass):
    """Checks declarations and calls of kernels, and sets linkages."""

    name = "check-kernel-functions"
    title = "NVPTXSetFunctionLinkages"

    internalize: bool = False
    """Whether the module is a whole program, so that functions other than kernels become
    internal.
    """

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        body = module.regions[0].first_block
        if body is None:
            return False
        functions = [op for op in fast.ops_of(body) if isinstance(op, FuncOp)]
        kernels = {symbol_name(f): f for f in functions if is_kernel(f)}
        for kernel in kernels.values():
            _check_signature(kernel)
        if kernels:
            for func in functions:
                for op in walk_function(func):
                    name = callee_of(op) if op.name in ("llvm.call", "llvm.invoke") else None
                    if name is not None and name in kernels:
                        raise VerifyError(f"the kernel @{name} cannot be called", op)
        kept = _names_kept(body.ops) if self.internalize else frozenset[str]()
        changed = False
        for func in functions:
            linkage = linkage_of(func)
            wanted = linkage
            if is_kernel(func):
                # A declaration must remain external.
                if func.regions[0].first_block is not None:
                    wanted = KERNEL_LINKAGE.get(linkage, linkage)
            elif self.internalize and linkage == "external" and symbol_name(func) not in kept:
                if func.regions[0].first_block is not None:
                    wanted = "internal"
            if wanted != linkage:
                set_linkage(func, wanted)
                changed = True
        return changed


def _check_signature(kernel: FuncOp) -> None:
    type_ = function_type_of(kernel)
    if not isinstance(type_.output, LLVMVoidType):
        raise VerifyError(f"a kernel must return nothing, not {type_.output}", kernel)
    if type_.is_variadic:
        raise VerifyError("a kernel cannot take a variable number of arguments", kernel)


def _names_kept(ops: object) -> frozenset[str]:
    """The symbols that `llvm.used` keeps for other references."""
    found: set[str] = set()
    for op in cast("list[Operation]", ops):
        if symbol_name(op) not in USED:
            continue
        for inner in walk_function(op):
            if type(inner) is AddressOfOp:
                found.add(inner.global_name.root_reference.data)
        for entry in items_of(initial_value_of(op)):
            name = symbol_of(entry)
            if name is not None:
                found.add(name)
    return frozenset(found)
