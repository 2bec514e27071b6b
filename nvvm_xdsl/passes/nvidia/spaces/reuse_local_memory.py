"""`reuse-local-memory`: merges stack slots that are never live at the same time.

    %a = llvm.alloca %one x !llvm.array<100 x f32>     %a = llvm.alloca %one x !llvm.array<100 x f32>
    %b = llvm.alloca %one x !llvm.array<80 x i32>
    ... only %a is accessed ...                   ->   ... only %a is accessed ...
    ... only %b is accessed ...                        ... %a is accessed for %b ...

The slots are the allocas of constant size in the entry block. `analysis.slot_liveness` determines
those with disjoint live ranges, from the accesses and from the lifetime markers, which the inliner
adds for local arrays of the callee. The largest slot of a group is kept, with the highest alignment
of the group. Lifetime markers of the group are erased, because a marker states nothing about the
other slots. TBAA tags and alias scopes of the accesses are erased too: they would allow later passes
to move a store to one slot before a load from the other.

000 LLVM Optimizer ("NVIDIA Custom Passes") lists the pass without a description. cicc's knob
`disable-reuse-local-memory` also disables `stack-coloring`, which does the same on machine code,
where there are no lifetime markers.

Benefit: two inlined calls of a trigonometric function in a loop share one array.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from xdsl.dialects.llvm import AllocaOp, FuncOp, ICmpOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.pointer_uses import CAPTURED, READ, WRITTEN, pointer_use
from nvvm_xdsl.analysis.slot_liveness import SlotUse, interferences, shared_slots
from nvvm_xdsl.dialects.llvm.accessors import element_type_of, stated_alignment
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError, data_layout_of
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import LifetimeEndOp, LifetimeStartOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.nvidia.spaces.array_alignment import raise_alignment
from nvvm_xdsl.transforms.alias_scopes import SCOPE_LISTS


@dataclass(frozen=True)
class ReuseLocalMemory(FunctionPass):
    """Shares memory among allocas with disjoint live ranges."""

    name = "reuse-local-memory"
    title = "ReuseLocalMemory"
    knobs: ClassVar[Mapping[str, str]] = {"disable-reuse-local-memory": "no-reuse"}

    reuse: bool = True
    """Enables the pass."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        slots = _slots_of(func, data_layout_of(func)) if self.reuse else []
        if len(slots) < 2:
            return False
        uses, accesses = _find_uses(slots)
        cfg = am.get(CFG, func)
        steps = [[uses[op] for op in fast.ops_of(block) if op in uses] for block in cfg.blocks]
        found = interferences(steps, cfg.predecessors, cfg.successors, len(slots))
        for number, slot in enumerate(slots):
            # Pointers of different address spaces cannot replace each other.
            for other, mate in enumerate(slots):
                if mate.op.results[0].type != slot.op.results[0].type:
                    found[number] |= 1 << other
        groups = shared_slots([slot.size for slot in slots], found)
        for group in groups:
            if len(group) > 1:
                members = sum(1 << number for number in group)
                _forget_aliasing([op for op, mask in accesses.items() if mask & members])
                _share([slots[number] for number in group])
        return len(groups) < len(slots)


class _Slot(NamedTuple):
    op: AllocaOp
    size: int
    alignment: int


def _slots_of(func: FuncOp, layout: DataLayout) -> list[_Slot]:
    """The allocas of constant size in the entry block."""
    found: list[_Slot] = []
    for op in fast.ops_of(func.regions[0].blocks[0]):
        if not isinstance(op, AllocaOp):
            continue
        count = constant_unsigned(fast.operands_of(op)[0])
        type_ = element_type_of(op)
        try:
            if count:
                alignment = stated_alignment(op) or layout.alignment(type_)
                found.append(_Slot(op, count * layout.size(type_), alignment))
        except UnsizedTypeError:
            continue
    return found


def _find_uses(slots: Sequence[_Slot]) -> tuple[dict[Operation, SlotUse], dict[Operation, int]]:
    """The uses of the slots, and the slots that each accessing op may access."""
    uses: dict[Operation, SlotUse] = {}
    accesses: dict[Operation, int] = {}
    sources: dict[SSAValue, int] = {}
    pending: list[SSAValue] = []
    for number, slot in enumerate(slots):
        address = slot.op.results[0]
        sources[address] = 1 << number
        pending.append(address)
        for op in fast.users_of(address):
            if isinstance(op, _MARKERS):
                uses[op] = SlotUse(0, 0, 1 << number)
    while pending:
        value = pending.pop()
        mask = sources[value]
        for use in value.uses:
            flags, derived = pointer_use(use, lambda _: None)
            for other in derived:
                if mask & ~sources.get(other, 0):
                    sources[other] = sources.get(other, 0) | mask
                    pending.append(other)
            op = use.operation
            touched, kept, _ = uses.get(op, SlotUse(0, 0))
            if flags & (READ | WRITTEN):
                accesses[op] = accesses.get(op, 0) | mask
                touched |= mask
            # A comparison may observe that two slots have different addresses.
            if flags & CAPTURED or isinstance(op, ICmpOp):
                touched |= mask
                kept |= mask
            if touched | kept:
                uses[op] = SlotUse(touched, kept)
    return uses, accesses


_MARKERS = (LifetimeStartOp, LifetimeEndOp)


def _forget_aliasing(accesses: Sequence[Operation]) -> None:
    for op in accesses:
        for name in ("tbaa", *SCOPE_LISTS):
            op.properties.pop(name, None)


def _share(group: Sequence[_Slot]) -> None:
    """Replaces the slots of a group by the first, which is the largest."""
    kept = group[0]
    raise_alignment(kept.op, kept.alignment, max(slot.alignment for slot in group))
    entry = kept.op.parent
    assert entry is not None
    assert entry.first_op is not None
    (count,) = fast.operands_of(kept.op)
    for op in (kept.op, count.owner):
        assert isinstance(op, Operation)
        fast.detach(op)
        fast.insert_before(op, entry.first_op)
    for slot in group:
        address = slot.op.results[0]
        for use in list(address.uses):
            if isinstance(use.operation, _MARKERS):
                fast.erase(use.operation)
        if slot is not kept:
            fast.replace_all_uses(address, kept.op.results[0])
            fast.erase(slot.op)
