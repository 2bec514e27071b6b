"""`nvvm-generic-addr-opt`: removes conversions to generic addresses.

    %g = llvm.addrspacecast %a : !llvm.ptr<3> to !llvm.ptr       // both tile addresses
    %h = llvm.addrspacecast %b : !llvm.ptr<3> to !llvm.ptr
    %c = llvm.icmp "eq" %g, %h : !llvm.ptr
    %s = llvm.addrspacecast %g : !llvm.ptr to !llvm.ptr<3>
    %x = llvm.load %g : !llvm.ptr -> f32

becomes

    %c = llvm.icmp "eq" %a, %b : !llvm.ptr<3>
    %x = llvm.load %a : !llvm.ptr<3> -> f32                      // and %s is %a

- Accesses through casts from a space are accesses of that space, as in `infer-address-spaces`.
- A cast to the generic space and back is removed. So is a cast from the generic space to another
  space and back: if the pointer is in that space, the result is equal; otherwise the first cast is
  undefined.
- The intrinsics `llvm.nvvm.ptr.gen.to.*` and `llvm.nvvm.ptr.*.to.gen` are treated as casts.
- Comparisons of two generic addresses from one space compare the original pointers. Comparisons
  with null are kept, because address 0 of shared or local memory may be the address of a variable.

Each generic address costs a `cvta` and 64 bits of registers for a 32-bit address. Document 000 only
names the pass: sub_1CC71E0 (NVVMGenericAddrOpt).

Benefit: disabling it changes no kernel's machine code. Alone before code generation one kernel has
0.991 of the instructions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from xdsl.dialects.llvm import CallIntrinsicOp, FuncOp, ICmpOp, LLVMPointerType
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.pointer_sources import AddrSpaceCastOp, space_of
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name, predicate_of
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GENERIC
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.address_spaces import AddressSpaceInference, SpaceAssumptions

CONVERSION = re.compile(
    r"llvm\.nvvm\.ptr\.(gen\.to\.(global|shared|constant|local|param)"
    r"|(global|shared|constant|local|param)\.to\.gen)(\.|$)"
)
"""The intrinsics of NVVM IR up to LLVM 20 that convert between generic addresses and those of
another space."""

EQUALITIES = frozenset({0, 1})
"""MLIR's enumeration values of `icmp eq` and `icmp ne`."""


@dataclass(frozen=True)
class NVVMGenericAddrOpt(FunctionPass):
    """Removes conversions to generic addresses."""

    name = "nvvm-generic-addr-opt"
    title = "NVVMGenericAddrOpt"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = False
        for op in list(walk_function(func)):
            if type(op) is CallIntrinsicOp:
                changed |= _to_cast(op)
        changed |= AddressSpaceInference(SpaceAssumptions(), func, am.get(CFG, func)).run()
        for op in list(walk_function(func)):
            cls = type(op)
            if cls is AddrSpaceCastOp:
                changed |= _fold_round_trip(op)
            elif cls is ICmpOp:
                changed |= _compare_in_space(op)
        if changed:
            _erase_unused_casts(func)
        return changed


def _to_cast(call: Operation) -> bool:
    """Replaces a conversion intrinsic by a cast."""
    if CONVERSION.match(intrinsic_name(call)) is None:
        return False
    (address,) = fast.operands_of(call)
    result = call.results[0]
    if not isinstance(address.type, LLVMPointerType) or address.type == result.type:
        return False
    made = fast.create(AddrSpaceCastOp, (address,), (result.type,))
    fast.insert_before(made, call)
    fast.replace_op(call, made.results)
    return True


def _source(value: SSAValue) -> SSAValue | None:
    """The operand of a cast between address spaces; None for other values."""
    owner = value.owner
    if type(owner) is not AddrSpaceCastOp:
        return None
    return fast.operands_of(owner)[0]


def _fold_round_trip(op: Operation) -> bool:
    (middle,) = fast.operands_of(op)
    source = _source(middle)
    if source is None or source.type != op.results[0].type:
        return False
    if space_of(middle) != GENERIC and space_of(source) != GENERIC:
        return False
    fast.replace_op(op, (source,))
    return True


def _compare_in_space(op: Operation) -> bool:
    if predicate_of(op) not in EQUALITIES:
        return False
    sources = [_source(value) for value in fast.operands_of(op)]
    first, second = sources
    if first is None or second is None or first.type != second.type:
        return False
    if space_of(first) == GENERIC or space_of(fast.operands_of(op)[0]) != GENERIC:
        return False
    fast.set_operand(op, 0, first)
    fast.set_operand(op, 1, second)
    return True


def _erase_unused_casts(func: FuncOp) -> None:
    for block in fast.blocks_of(func.regions[0]):
        for op in fast.reversed_ops_of(block):
            if type(op) is AddrSpaceCastOp and op.results[0].first_use is None:
                fast.erase(op)
