"""`lower-aggr-copies`: lowers copies and fills of memory to wide loads and stores.

    "llvm.intr.memcpy"(%d, %s, %c20)      // both pointers aligned to 16

becomes

    %a = llvm.load %s : vector<4xi32>
    %b = llvm.load %s[16] : i32
    llvm.store %a, %d : vector<4xi32>
    llvm.store %b, %d[16] : i32

Also lowered are memmove, memset, and structs and arrays without padding that are loaded and stored
unchanged. Long copies, and copies of unknown length, become loops; for memmove one loop for each
direction, selected by a comparison of the addresses. Other loads and stores of structs and arrays
are split into fields, which are accessed as vectors if they have one type.

Volatile copies and fills become volatile loads and stores. Volatile and atomic accesses of
aggregates, and accesses of aggregates above the limits, are not changed.

000 LLVM Optimizer ("NVIDIA Custom Passes") lists the pass. The document states the names of the
limits without their values; 128 bytes is the limit of LLVM's NVPTXLowerAggrCopies.

Benefit: required: selection has no rules for copies and fills of memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.llvm import ExtractValueOp, FuncOp, LoadOp, StoreOp, ZeroOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.dialects.effects import WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import stated_alignment, symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import is_undefined
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import I1, I8, I64, int_attr
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.aggregates import (
    erase_unused_inserts,
    expand_access,
    has_padding,
    is_aggregate,
)
from nvvm_xdsl.transforms.lower_mem_intrinsics import (
    BLOCK_OPS,
    BlockLowering,
    Limits,
    MemmoveOp,
    MemsetOp,
)

MAX_SCAN = 128
"""Maximum number of ops between a load and the store of its result."""

LOWERED = remarks.Statistic(
    "lower-aggr-copies", "lowered", "Number of copies, fills and aggregate accesses lowered"
)


@dataclass(frozen=True)
class LowerAggrCopies(FunctionPass):
    """Lowers copies and fills of memory, and accesses of aggregates."""

    name = "lower-aggr-copies"
    title = "LowerAggrCopies"
    phases: ClassVar[frozenset[int]] = frozenset({1, 2})

    lower_aggr_func_args: bool = False
    """Whether loads of aggregates that are passed to functions, returned or merged are split,
    too.
    """

    max_aggr_copy_size: int = 128
    """Maximum size in bytes of a copy without a loop."""

    lower_aggr_unrolled_stores_limit: int = 16
    """Maximum number of stores of a copy or fill without a loop."""

    large_aggr_store_limit: int = 64
    """Maximum number of parts of a split aggregate."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        blocks: list[Operation] = []
        accesses: list[Operation] = []
        for op in walk_function(func):
            cls = type(op)
            if cls in BLOCK_OPS:
                blocks.append(op)
            elif cls is StoreOp or cls is LoadOp:
                value = op.results[0] if cls is LoadOp else fast.operands_of(op)[0]
                if is_aggregate(value.type) and is_simple_access(op):
                    accesses.append(op)
        if not blocks and not accesses:
            return False
        limits = Limits(self.max_aggr_copy_size, self.lower_aggr_unrolled_stores_limit)
        layout = data_layout_of(func)
        lowering = BlockLowering(func, layout, limits)
        made, changed = self._lower_accesses(accesses, lowering, layout)
        blocks.extend(made)
        for op in blocks:
            if remarks.wanted():
                name = symbol_name(func) or ""
                remarks.emit("Passed", self.name, "Lowered", name, f"{op.name} lowered", op=op)
            LOWERED.add()
            lowering.lower(op)
        return changed or bool(blocks)

    def _lower_accesses(
        self, accesses: list[Operation], lowering: BlockLowering, layout: DataLayout
    ) -> tuple[list[Operation], bool]:
        """Lowers accesses of aggregates; returns the created block accesses and whether anything
        changed."""
        made: list[Operation] = []
        changed = False
        left: list[Operation] = []
        for op in accesses:
            block = _as_block_access(op, lowering, layout) if type(op) is StoreOp else None
            if block is not None:
                made.append(block)
            else:
                left.append(op)
        for op in left:
            # A load whose store became a copy was erased.
            if op.parent is None:
                continue
            if type(op) is StoreOp:
                value = fast.operands_of(op)[0]
                if is_undefined(value):
                    fast.erase(op)
                    changed = True
                elif self._expand(op, lowering, layout):
                    erase_unused_inserts(value)
                    changed = True
            elif self.lower_aggr_func_args or _is_taken_apart(op.results[0]):
                changed |= self._expand(op, lowering, layout)
        return made, changed

    def _expand(self, op: Operation, lowering: BlockLowering, layout: DataLayout) -> bool:
        limit = self.large_aggr_store_limit
        return expand_access(op, lowering.constants, layout, limit, wide=True)


def _is_taken_apart(value: SSAValue) -> bool:
    """Returns True if all uses of an aggregate are extractions of parts."""
    return all(type(user) in (ExtractValueOp, StoreOp) for user in fast.users_of(value))


def _as_block_access(
    store: Operation, lowering: BlockLowering, layout: DataLayout
) -> Operation | None:
    """Replaces a store of a loaded value with a memmove, and a store of zeros with a memset."""
    value, target = fast.operands_of(store)
    alignment = stated_alignment(store, layout.alignment(value.type))
    owner = value.owner
    if type(owner) is ZeroOp:
        byte = lowering.constants.zero(I8)
        return _block_op(MemsetOp, store, (target, byte), (alignment,), lowering, layout)
    if type(owner) is not LoadOp:
        return None
    load = owner
    if fast.single_use(value) is None or not is_simple_access(load):
        return None
    if has_padding(value.type, layout) or not _unwritten_between(load, store):
        return None
    source = fast.operands_of(load)[0]
    alignments = (alignment, stated_alignment(load, layout.alignment(value.type)))
    made = _block_op(MemmoveOp, store, (target, source), alignments, lowering, layout)
    fast.erase(load)
    return made


def _block_op(
    cls: type[Operation],
    store: Operation,
    operands: tuple[SSAValue, ...],
    alignments: tuple[int, ...],
    lowering: BlockLowering,
    layout: DataLayout,
) -> Operation:
    size = layout.store_size(fast.operands_of(store)[0].type)
    stated: list[Attribute] = [
        DictionaryAttr({"llvm.align": int_attr(alignment, I64)}) for alignment in alignments
    ]
    stated.extend([DictionaryAttr({})] * (3 - len(stated)))
    op = fast.create(
        cls,
        (*operands, lowering.constants.integer(size, I64)),
        (),
        {"isVolatile": int_attr(0, I1), "arg_attrs": ArrayAttr(stated)},
        location=store.location,
    )
    fast.insert_before(op, store)
    fast.erase(store)
    return op


def _unwritten_between(load: Operation, store: Operation) -> bool:
    """Returns True if no write between the load and the store is found within the search limit."""
    op = load.next_op
    for _ in range(MAX_SCAN):
        if op is store:
            return True
        if op is None or effects(op) & WRITES:
            return False
        op = op.next_op
    return False
