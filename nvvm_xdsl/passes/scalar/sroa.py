"""`sroa`: splits stack slots into parts and promotes them to SSA values.

    %p = llvm.alloca %one x !llvm.struct<(f32, i32)>
    llvm.intr.memcpy(%p, %source, %eight)
    %q = llvm.getelementptr %p[0, 1]
    %y = llvm.load %q : !llvm.ptr -> i32

becomes

    %q = llvm.getelementptr %source[4] : i8
    %y = llvm.load %q : !llvm.ptr -> i32

A slot is split at the byte positions that no load or store crosses; copies and fills of memory are
split, too. A part whose accesses all have its size becomes a slot of that type. A part that
contains a vector is accessed by element. A part of up to 16 bytes with accesses of several sizes
becomes an integer, and its accesses become shifts and masks. The resulting slots are promoted as in
`mem2reg`.

Before that, a load through a select or block argument whose value is one of several slots'
addresses becomes loads of all these slots (`sroa_choices.py`).

Legal because the slot's address is used only by accesses at known offsets: a slot that is indexed
at run time, passed to a call, or accessed by a volatile or atomic op is not changed.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import AllocaOp, FuncOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.sroa_choices import load_choices
from nvvm_xdsl.transforms.promote_memory import find_slots, promote, report_kept_slots
from nvvm_xdsl.transforms.split_allocas import split_slot


@dataclass(frozen=True)
class SROA(FunctionPass):
    """Splits stack slots into their parts and promotes them to SSA values."""

    name = "sroa"
    title = "SROA"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        layout = data_layout_of(func)
        entry = func.regions[0].first_block
        assert entry is not None
        constants = Constants(func)
        changed = False
        slots = _slots_of(entry)
        # After pointers are promoted, loads through them access known slots, which may be promoted
        # next.
        again = bool(slots)
        if again:
            changed = load_choices(slots, layout, constants)
        while again:
            for alloca in slots:
                changed |= split_slot(alloca, layout, constants)
            promotable = find_slots(func, layout)
            if promotable:
                promote(promotable, am.get(DominatorTree, func), layout, self.name)
                changed = True
            slots = _slots_of(entry)
            again = bool(promotable and slots) and load_choices(slots, layout, constants)
        if slots:
            report_kept_slots(func, self.name)
        return changed


def _slots_of(entry: Block) -> list[Operation]:
    return [op for op in fast.ops_of(entry) if type(op) is AllocaOp]
