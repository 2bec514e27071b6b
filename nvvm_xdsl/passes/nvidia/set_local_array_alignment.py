"""`set-local-array-alignment`: arrays in local memory are aligned so that vectors can access them.

    %a = llvm.alloca %one x !llvm.array<8 x f32> : (i32) -> !llvm.ptr<5>

becomes

    %a = llvm.alloca %one x !llvm.array<8 x f32> {alignment = 16 : i64} : (i32) -> !llvm.ptr<5>

Arrays, structs and vectors of known size get the alignment of the widest accesses that
they divide into, at most 16 bytes; a stated alignment that is higher stays. `propagate-alignment` tells the
accesses.

000 LLVM Optimizer ("NVIDIA Custom Passes") lists the pass.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.llvm import AllocaOp, FuncOp

from nvvm_xdsl.analysis.alignment import stated_alignment
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.layout import UnsizedTypeError
from nvvm_xdsl.passes.base import FunctionPass, data_layout_of
from nvvm_xdsl.passes.utils.array_alignment import array_alignment, is_array, raise_alignment
from nvvm_xdsl.passes.utils.constants import integer_value
from nvvm_xdsl.passes.utils.symbols import walk_function


@dataclass(frozen=True)
class SetLocalArrayAlignment(FunctionPass):
    """Aligns arrays in local memory."""

    name = "set-local-array-alignment"
    title = "SetLocalArrayAlignment"
    phases: ClassVar[frozenset[int]] = frozenset({1, 2})

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        layout = data_layout_of(func)
        changed = False
        for op in walk_function(func):
            if op.__class__ is not AllocaOp:
                continue
            type_ = op.properties["elem_type"]
            count = integer_value(fast.operands_of(op)[0])
            if count is None or count < 1 or (count == 1 and not is_array(type_)):
                continue
            try:
                have = stated_alignment(op) or layout.alignment(type_)
                changed |= raise_alignment(op, have, array_alignment(count * layout.size(type_)))
            except UnsizedTypeError:
                continue
        return changed
