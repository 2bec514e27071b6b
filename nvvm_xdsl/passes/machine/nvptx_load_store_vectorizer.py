"""Merges adjacent loads and adjacent stores into vector accesses.

    %a = nvptx.ld global.f32 [%p]            %a, %b = nvptx.ld global.v2.b32 [%p]
    %b = nvptx.ld global.f32 [%p + 4]   ->

Selection already creates vector accesses for vector types of the IR. This pass merges accesses that
the optimizer did not merge, of fields of structs and of unrolled loops.

Within a block, accesses of one kind at constant offsets from the same register or symbol are
collected up to the next instruction that may access their memory or has other effects
(`analysis/memory/adjacent_accesses.py`). An access of n bytes must be aligned to n bytes.
Alignments are known from declarations of variables, the `.ptr .align` of kernel parameters, the
`align` attributes that selection adds to loads and stores, address computations, and the other
accesses of the block: PTX requires each access to be aligned to its size (PTX ISA 9.1, section
6.4.1).

Loads of kernel parameters are not merged, because ptxas reads them from the constant bank one by
one. Runs in SSA form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.machine.memory_accesses import (
    Access,
    Alignments,
    access_of,
    may_alias,
    stated_alignment,
)
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.adjacent_accesses import BaseAlignments, Member, NeighbourGroups
from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp
from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, INVARIANT, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, build, flags_of, has_floats, operand_groups
from nvvm_xdsl.dialects.nvptx.operands import (
    IMMEDIATE_KIND,
    Slot,
    addr,
    addr_sym,
    fimm,
    layout,
    slot_number,
    vec,
)
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.machine.base import MachineFunctionPass, shares_registers
from nvvm_xdsl.verify.verifier import function_name

VECTORIZED = remarks.Statistic(
    "nvptx-load-store-vectorizer", "vectorized", "Number of accesses merged into vector accesses"
)


@dataclass(frozen=True)
class NVPTXLoadStoreVectorizer(MachineFunctionPass):
    """Merges adjacent loads and adjacent stores."""

    name = "nvptx-load-store-vectorizer"
    title: ClassVar[str] = "NVPTXLoadStoreVectorizer"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if shares_registers(func):
            return False
        alignments = Alignments(func)
        changed = False
        for block in fast.blocks_of(func.body):
            changed |= _BlockVectorizer(block, alignments, func.is_kernel).run()
        return changed


@dataclass(frozen=True, eq=False)
class _Word:
    """A load or store; `head` contains its modifiers before the element type `type_`."""

    access: Access
    head: str
    type_: str

    @property
    def offset(self) -> int:
        """The offset from the base, in bytes."""
        return self.access.offset

    @property
    def size(self) -> int:
        """The size of the access, in bytes."""
        return self.access.size

    @property
    def is_store(self) -> bool:
        """Returns whether the access is a store."""
        return self.access.is_store


class _BlockVectorizer:
    def __init__(self, block: Block, alignments: Alignments, is_kernel: bool) -> None:
        self.block = block
        self.alignments = alignments
        self.is_kernel = is_kernel
        self.changed = False
        self.bases = BaseAlignments()

    def run(self) -> bool:
        """Merges adjacent accesses of the block; returns whether anything changed."""
        accesses: list[tuple[Operation, Access | None]] = [
            (op, access_of(op)) for op in fast.ops_of(self.block)
        ]
        if sum(access is not None for _, access in accesses) < 2:
            return False
        groups = NeighbourGroups[_Word](
            lambda a, b: may_alias(a.access, b.access), self._is_aligned, self._replace
        )
        self._learn(accesses, 0)
        for place, (op, access) in enumerate(accesses):
            flags = flags_of(op)
            if access is None or flags & SIDE_EFFECTS or GUARD in op.properties:
                if flags & (WRITES | SIDE_EFFECTS | CONVERGENT) or isinstance(op, TerminatorOp):
                    groups.flush_loads()
                    groups.flush_stores()
                    if _may_end_thread(op):
                        self._learn(accesses, place + 1)
                elif access is not None:
                    groups.add(_Word(access, "", ""), place, None)
                continue
            word = self._word(access)
            key = (type(op), word.head, word.type_, access.base) if word.type_ else None
            groups.add(word, place, key, is_invariant=bool(flags & INVARIANT))
        return self.changed

    def _learn(self, accesses: Sequence[tuple[Operation, Access | None]], first: int) -> None:
        """Records the alignments that the accesses from index `first` on imply for their bases.

        Only accesses that each thread executes if it executes the first one count.
        """
        for op, access in islice(accesses, first, None):
            if _may_end_thread(op):
                return
            if access is None or GUARD in op.properties:
                continue
            modulus = max(access.size, stated_alignment(op))
            self.bases.learn(access.base, access.offset, modulus)

    def _is_aligned(self, word: _Word, size: int) -> bool:
        base, offset = word.access.base, word.access.offset
        known = self.alignments
        own = known.of_symbol(base) if isinstance(base, str) else known.of(base)
        if own % size == 0 and offset % size == 0:
            return True
        return self.bases.is_multiple(base, offset, size)

    def _word(self, access: Access) -> _Word:
        """The access with its modifiers; with empty modifiers if it must not be changed."""
        op = access.op
        stays = _Word(access, "", "")
        words = op.mods.split(".")
        if "v2" in words or "v4" in words or "v8" in words:
            return stays
        if access.space == "param" and (self.is_kernel or access.is_store):
            return stays
        slots = op.slots
        if len(slots) != (2 if access.is_store else 1):
            return stays
        if not access.is_store and register_class(op.results[0]).number is not None:
            return stays
        type_ = words[-1]
        width = bits_of(type_)
        if width == 128:
            return stays
        # Wider elements only move bits; narrower ones are extended by their type.
        if width > 8:
            type_ = f"b{width}"
        return _Word(access, ".".join(words[:-1]), type_)

    def _replace(self, members: Sequence[Member[_Word]]) -> None:
        word = members[0].access
        first = word.access
        mods = ".".join(w for w in (word.head, f"v{len(members)}", word.type_) if w)
        address: Slot
        operands: list[SSAValue] = []
        if isinstance(first.base, str):
            address = addr_sym(first.base, first.offset)
        else:
            address = addr(first.offset)
            operands.append(first.base)
        ops = [m.access.access.op for m in members]
        VECTORIZED.add(len(ops))
        if remarks.wanted():
            pieces = (("Accesses", str(len(ops))), f" accesses merged into one of {mods}")
            name = NVPTXLoadStoreVectorizer.name
            function = function_name(ops[0]) or ""
            remarks.emit("Passed", name, "Vectorized", function, *pieces, op=ops[0])
        places = [m.place for m in members]
        if first.is_store:
            anchor = ops[places.index(max(places))]
            elements: list[Slot] = []
            for op in ops:
                _, (slot, values) = operand_groups(op)
                elements.append(slot)
                operands.extend(values)
            if has_floats(elements, operands):
                elements = [_as_float(slot, bits_of(word.type_)) for slot in elements]
            made = build(
                type(anchor), mods, operands, (), layout(address, vec(*elements)), anchor.location
            )
        else:
            anchor = ops[places.index(min(places))]
            made = build(
                type(anchor),
                mods,
                operands,
                [op.results[0].type for op in ops],
                layout(address),
                anchor.location,
            )
        fast.insert_before(made, anchor)
        for op, result in zip(ops, made.results):
            fast.replace_all_uses(op.results[0], result)
        for op in ops:
            fast.erase(op)
        self.changed = True


def _as_float(slot: Slot, width: int) -> Slot:
    """An element of a vector, converted to be combined with floating-point elements."""
    return fimm(slot_number(slot), width) if slot[0] == IMMEDIATE_KIND else slot


def _may_end_thread(op: Operation) -> bool:
    """Returns True if the thread may not reach the next instruction."""
    return bool(flags_of(op) & SIDE_EFFECTS) and access_of(op) is None
