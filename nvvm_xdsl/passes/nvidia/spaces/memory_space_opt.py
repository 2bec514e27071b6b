"""`memory-space-opt`: replaces generic pointers by pointers into their address spaces.

    llvm.store %p, %slot : !llvm.ptr, !llvm.ptr         // a kernel's parameter
    %q = llvm.load %slot : !llvm.ptr -> !llvm.ptr
    %x = llvm.load %q : !llvm.ptr -> f32

becomes

    %q = llvm.load %slot : !llvm.ptr -> !llvm.ptr
    %g = llvm.addrspacecast %q : !llvm.ptr to !llvm.ptr<1>
    %x = llvm.load %g : !llvm.ptr<1> -> f32

It resolves the same pointers as `infer-address-spaces`, through casts, address arithmetic, selects,
block arguments and loops. In addition it resolves pointers loaded from stack slots that hold only
pointers and from constants whose pointers all point into one space (`track-indir-load`), pointers
that were converted to integers (`track-int2ptr`), and by-value arguments of device functions
(`devicefn-param-always-local`).

`first-time` runs before `ipmsp` propagates the spaces of arguments from callers, `second-time`
after it; only the latter folds `isspacep` of the address of a variable. With `warnings`, remarks
report accesses whose space is unknown, and atomics and matrix accesses that constant and local
memory do not support, with the document's wording.

If the space is unknown, the access stays generic, which is always correct; NVIDIA's compiler
assumes global memory. `assume-global` does so, too, in the second run. Assumptions of the source
about pointers are used (`builtin_assumes.py`).

Benefit: one kernel executes 0.962 of the machine instructions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    CallIntrinsicOp,
    FuncOp,
    GEPOp,
    LLVMPointerType,
    LoadOp,
    StoreOp,
)
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.pointer_ops import intrinsic_access
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name, symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import is_inbounds
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, AtomicCmpXchgOp, AtomicRMWOp
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.nvptx import CONSTANT, GENERIC, GLOBAL, LOCAL, SHARED
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.nvidia.spaces.builtin_assumes import process_builtin_assumes
from nvvm_xdsl.transforms.address_spaces import AddressSpaceInference, SpaceAssumptions

ASSUMED_GLOBAL = "Cannot tell what pointer points to, assuming global memory space"
KEPT_GENERIC = "Cannot tell what pointer points to, keeping it generic"


ILLEGAL = {
    ("atomic", CONSTANT): "Cannot do atomic operation on const memory",
    ("atomic", LOCAL): "Cannot do atomic on local memory",
    ("vector atomic", SHARED): "Cannot to vector atomic on shared memory",
    ("vector atomic", LOCAL): "Cannot to vector atomic on local memory",
    ("vector atomic", CONSTANT): "Cannot to vector atomic on const memory",
    ("WMMA", CONSTANT): "Cannot do WMMA on constant memory",
    ("WMMA", LOCAL): "Cannot do WMMA on local memory",
}
"""Operations that memory of a space does not support; the document's spelling."""

_ATOMICS: frozenset[type[Operation]] = frozenset({AtomicRMWOp, AtomicCmpXchgOp})

_MATRIX = frozenset({"nvvm.wmma.load", "nvvm.wmma.store"})

_PREDICATES: dict[str, dict[int, bool]] = {
    "llvm.nvvm.isspacep.shared": {SHARED: True, GLOBAL: False, LOCAL: False, CONSTANT: False},
    "llvm.nvvm.isspacep.local": {LOCAL: True, GLOBAL: False, SHARED: False, CONSTANT: False},
    "llvm.nvvm.isspacep.global": {GLOBAL: True, SHARED: False, LOCAL: False},
    "llvm.nvvm.isspacep.const": {CONSTANT: True, SHARED: False, LOCAL: False},
    "llvm.nvvm.isspacep.shared.cluster": {SHARED: True, LOCAL: False},
}
"""The result of each predicate for a pointer into a space; others are unknown, because the windows
of constants and parameters may be within that of global memory.
"""


@dataclass(frozen=True)
class MemorySpaceOpt(FunctionPass):
    """Resolves generic pointers."""

    name = "memory-space-opt"
    title = "MemorySpaceOpt"
    tokens: ClassVar = {"first-time": ("second_time", False), "second-time": ("second_time", True)}

    second_time: bool = False
    """Selects the run after interprocedural propagation."""

    warnings: bool = True
    """Whether unresolved pointers and unsupported operations are reported."""

    param_always_point_to_global: bool = True
    """Assume that pointer parameters of kernels point to global memory."""

    process_alloca_always: bool = True
    """Treat stack slots as local memory."""

    track_indir_load: bool = True
    """Trace pointers through stack slots and constants."""

    track_int2ptr: bool = True
    """Trace pointers through integer arithmetic."""

    devicefn_param_always_local: bool = True
    """Assume that by-value arguments of device functions are in local memory."""

    process_builtin_assume: bool = True
    """Use `__builtin_assume(__isGlobal(p))` and similar assumptions."""

    dump_process_builtin_assume: bool = False
    """Report the assumptions that were used."""

    dump_ir_before_memory_space_opt: bool = False
    """Print each function before the pass, as a remark."""

    dump_ir_after_memory_space_opt: bool = False
    """Print each function after the pass, as a remark."""

    dump_memory_space_warnings: bool = False
    """Report like `warnings`, even if that is disabled."""

    assume_global: bool = False
    """In the second run, assume that unresolved pointers point to global memory. This is wrong for
    pointers into other memory that are loaded or passed by callers. """

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if self.dump_ir_before_memory_space_opt:
            self._dump(func, "before")
        assumptions = SpaceAssumptions(
            kernel_pointers_global=self.param_always_point_to_global,
            local_allocas=self.process_alloca_always,
            through_slots=self.track_indir_load,
            through_integers=self.track_int2ptr,
            device_params_local=self.devicefn_param_always_local,
        )
        graph = am.get(CFG, func)
        believed = self.process_builtin_assume and process_builtin_assumes(func, am, self._report)
        inference = AddressSpaceInference(assumptions, func, graph)
        changed = inference.run()
        if changed:
            count = str(len(inference.replaced))
            name = symbol_name(func) or ""
            pieces = ("memory spaces of ", ("Pointers", count), " pointers resolved")
            remarks.emit("Passed", self.name, "Resolved", name, *pieces, op=func)
        if self.second_time:
            changed |= fold_space_predicates(func)
        if (self.warnings and remarks.wanted()) or self.dump_memory_space_warnings:
            self._warn(func)
        if self.second_time and self.assume_global:
            assumptions = replace(assumptions, unknown_global=True)
            changed |= AddressSpaceInference(assumptions, func, graph).run()
        if self.dump_ir_after_memory_space_opt:
            self._dump(func, "after")
        return changed or believed

    def _report(self, assume: Operation, text: str) -> None:
        func = assume.parent_op()
        name = "" if func is None else symbol_name(func) or ""
        shown = self.dump_process_builtin_assume
        remarks.emit("Passed", self.name, "Assumed", name, text, op=assume, shown=shown)

    def _dump(self, func: FuncOp, when: str) -> None:
        name = symbol_name(func) or ""
        text = f"IR {when} {self.name}:\n{func!s}"
        remarks.emit("Analysis", self.name, "DumpIR", name, text, op=func, shown=True)

    def _warn(self, func: FuncOp) -> None:
        assumed = self.second_time and self.assume_global
        name = symbol_name(func) or ""
        for op in walk_function(func):
            cls = type(op)
            if cls is LoadOp or cls is StoreOp:
                address = fast.operands_of(op)[0 if cls is LoadOp else 1]
                if _space_of(address) == GENERIC and visible_space(address) is None:
                    remarks.emit(
                        "Missed",
                        self.name,
                        "UnknownSpace",
                        name,
                        ASSUMED_GLOBAL if assumed else KEPT_GENERIC,
                        op=op,
                        shown=self.dump_memory_space_warnings,
                    )
                continue
            if cls in _ATOMICS:
                address, value = fast.operands_of(op)[:2]
                kind = "vector atomic" if isinstance(value.type, VectorType) else "atomic"
            elif op.name in _MATRIX:
                address, kind = fast.operands_of(op)[0], "WMMA"
            elif (access := intrinsic_access(op)) is not None:
                address = fast.operands_of(op)[0]
                kind = "atomic" if access["atomic"] else "WMMA"
            else:
                continue
            space = _space_of(address) or visible_space(address)
            message = None if space is None else ILLEGAL.get((kind, space))
            if message is not None:
                remarks.emit(
                    "Analysis",
                    self.name,
                    "IllegalOperation",
                    name,
                    message,
                    op=op,
                    shown=self.dump_memory_space_warnings,
                )


def _space_of(value: SSAValue) -> int:
    type_ = value.type
    return address_space_of(type_) if isinstance(type_, LLVMPointerType) else GENERIC


def visible_space(pointer: SSAValue) -> int | None:
    """The space of the variable whose address a generic pointer is; None for other pointers.

    Pointers that may be null are excluded, because a null pointer is in no space.
    """
    space: int | None = None
    while True:
        owner = pointer.owner
        if type(owner) is GEPOp and isinstance(pointer.type, LLVMPointerType):
            if not is_inbounds(owner):
                return None
            pointer = fast.operands_of(owner)[0]
        elif type(owner) is AddrSpaceCastOp:
            pointer = fast.operands_of(owner)[0]
            space = space or _space_of(pointer) or None
        elif type(owner) is AllocaOp:
            return LOCAL if space in (None, LOCAL) else None
        elif type(owner) is AddressOfOp:
            return space or _space_of(pointer) or None
        else:
            return None


def fold_space_predicates(func: FuncOp) -> bool:
    """Folds `isspacep` of the addresses of variables; returns whether any was folded."""
    constants = Constants(func)
    changed = False
    for op in walk_function(func):
        if type(op) is not CallIntrinsicOp:
            continue
        answers = _PREDICATES.get(intrinsic_name(op))
        if answers is None:
            continue
        space = visible_space(fast.operands_of(op)[0])
        answer = None if space is None else answers.get(space)
        if answer is not None:
            fast.replace_op(op, (constants.boolean(answer),))
            changed = True
    return changed
