"""`load-store-vectorizer`: merges loads and stores of adjacent words into vector accesses.

    %a = llvm.load %p : !llvm.ptr -> f32           %v = llvm.load %p {alignment = 8 : i64} :
    %q = llvm.getelementptr %p[1] ...                     !llvm.ptr -> vector<2xf32>
    llvm.store %x, %r : i32, !llvm.ptr       ->    %a = llvm.extractelement %v[0]
    %b = llvm.load %q : !llvm.ptr -> f32           %b = llvm.extractelement %v[1]
                                                   llvm.store %x, %r : i32, !llvm.ptr

LLVM's LoadStoreVectorizer, which its NVPTX code generator runs last on IR. Accesses of a block
whose addresses differ by constants are collected (`analysis/memory/adjacent_accesses.py`): scalars
of 8 to 64 bits, pairs of halves, and vectors of 32-bit and 64-bit elements. Two or four accesses of
at most 16 bytes in total become one if the address is aligned to the total size: according to
stated alignments, address computations, and other accesses of the block to the same base. Volatile
and atomic accesses are unchanged, and no access is moved across a barrier or another op that
writes, has state or may not return. Alias analysis decides which accesses conflict;
`nvptx-load-store-vectorizer` has only registers for this decision. Both process one block at a
time.

Accesses to elements of different types use integers (`old-load-store-vectorizer` does not merge
them), and pointers stay pointers. Aliasing metadata is kept if all accesses have the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final, NamedTuple

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import FuncOp, InsertElementOp, LLVMPointerType, LoadOp, StoreOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_invariant_load, is_simple_access, reinterpret
from nvvm_xdsl.analysis.memory.adjacent_accesses import BaseAlignments, Member, NeighbourGroups
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, AliasResult, Location
from nvvm_xdsl.analysis.memory.alignment import Alignments
from nvvm_xdsl.dialects.effects import CONVERGENT, MAY_NOT_RETURN, READS, STATE, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import stated_alignment, vector_type
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.gep import byte_offset
from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp, PoisonOp, VectorExtractOp, VectorInsertOp
from nvvm_xdsl.dialects.llvm.orderings import PLAIN
from nvvm_xdsl.dialects.llvm.types import BF16, F16, I64, int_attr, integer, vector
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.conditionals import erase_dead

VECTORIZED = remarks.Statistic(
    "load-store-vectorizer", "vectorized", "Number of accesses merged into vector accesses"
)

ELEMENT_BITS: Final = frozenset({8, 16, 32, 64})

PACKED_HALVES: Final[tuple[Attribute, ...]] = (F16, BF16)
"""Element types of which two fit in one 32-bit register."""

_MOVED: Final = frozenset({"alignment", "ordering", "tbaa", "alias_scopes", "noalias_scopes"})
"""Properties in which accesses of one group may differ."""

_ENDS_ALL: Final = WRITES | STATE | MAY_NOT_RETURN | CONVERGENT


@dataclass(frozen=True)
class LoadStoreVectorizer(FunctionPass):
    """Merges adjacent loads, and adjacent stores."""

    name = "load-store-vectorizer"
    title = "LoadStoreVectorizer"
    phases: ClassVar[frozenset[int]] = frozenset({1, 2})

    mixes_types: ClassVar[bool] = True
    """Whether accesses of different types of one size are merged."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        worker = _Vectorizer(func, am.get(AliasAnalysis, func), self)
        for block in list(fast.blocks_of(func.regions[0])):
            # Merged stores no longer separate loads.
            while worker.run(block):
                pass
        for pointer in worker.replaced:
            # A dead address would count as a remaining use in `loop-reduce`.
            erase_dead(pointer)
        worker.constants.erase_unused()
        return worker.made > 0


class _Base(NamedTuple):
    """The base of an address: a value or symbol, variable terms, and the kind of pointer."""

    base: Hashable
    terms: Hashable
    type_: Attribute


@dataclass(frozen=True, eq=False)
class _Access:
    """A simple load or store."""

    op: Operation
    is_store: bool
    pointer: SSAValue
    type_: Attribute
    base: _Base
    offset: int
    size: int
    location: Location


class _Vectorizer:
    made: int
    """The number of its vector elements."""

    def __init__(self, func: FuncOp, alias: AliasAnalysis, options: LoadStoreVectorizer) -> None:
        self.options = options
        self.alias = alias
        self.layout: DataLayout = alias.layout
        self.alignments = Alignments(func, self.layout)
        self.constants = Constants(func)
        self.function = func.sym_name.data
        self.made = 0
        self.replaced: list[SSAValue] = []
        """Addresses of accesses that became part of a vector."""
        self.bases = BaseAlignments()

    def run(self, block: Block) -> bool:
        """Merges accesses in a block; returns whether any was merged."""
        before = self.made
        ops = [(op, self._access(op)) for op in fast.ops_of(block)]
        if sum(access is not None for _, access in ops) < 2:
            return False
        self.bases = BaseAlignments()
        groups = NeighbourGroups[_Access](self._may_alias, self._is_aligned, self._replace)
        self._learn(ops, 0)
        for place, (op, access) in enumerate(ops):
            if access is not None:
                invariant = not access.is_store and is_invariant_load(op)
                groups.add(access, place, self._key(access), is_invariant=invariant)
                continue
            flags = effects(op)
            if flags & _ENDS_ALL:
                groups.flush_loads()
                groups.flush_stores()
                if flags & MAY_NOT_RETURN:
                    self._learn(ops, place + 1)
            elif flags & READS:
                groups.flush_stores()
        groups.flush_loads()
        groups.flush_stores()
        return self.made > before

    def _access(self, op: Operation) -> _Access | None:
        """The memory that a simple load or store accesses; None for every other op."""
        if type(op) is LoadOp:
            pointer, type_ = fast.operands_of(op)[0], op.results[0].type
        elif type(op) is StoreOp:
            value, pointer = fast.operands_of(op)
            type_ = value.type
        else:
            return None
        if not is_simple_access(op):
            return None
        location = self.alias.location(op)
        if location is None or location.size is None:
            return None
        address = self.alias.addresses.address(pointer)
        base = _Base(address.base, frozenset(address.terms.items()), pointer.type)
        return _Access(
            op,
            isinstance(op, StoreOp),
            pointer,
            type_,
            base,
            address.offset,
            location.size,
            location,
        )

    def _key(self, access: _Access) -> Hashable | None:
        """A key that is equal for mergeable accesses; None for one that cannot be merged."""
        kind = self._kind(access.type_)
        if kind is None:
            return None
        stated = access.op.properties.items()
        rest = frozenset((name, value) for name, value in stated if name not in _MOVED)
        return access.is_store, access.size, kind, access.base, rest

    def _kind(self, type_: Attribute) -> Hashable | None:
        """A key that is equal for types of one size that can be elements of one vector; None for
        other types."""
        bits = self.layout.bits(type_)
        lanes = vector_type(type_)
        if lanes is not None and bits != 32:
            # Elements of 8 and 16 bits would have to be moved between registers.
            return type_ if self.layout.bits(lanes.element_type) in (32, 64) else None
        if lanes is not None and lanes.element_type not in PACKED_HALVES:
            return None
        if bits not in ELEMENT_BITS:
            return None
        return bits if self.options.mixes_types else type_

    def _learn(self, ops: Sequence[tuple[Operation, _Access | None]], first: int) -> None:
        """Records alignments of bases from a program point on, up to the first op that may not
        return.
        """
        for op, access in ops[first:]:
            if access is not None:
                self.bases.learn(access.base, access.offset, self._stated(access))
            elif effects(op) & MAY_NOT_RETURN:
                return

    def _stated(self, access: _Access) -> int:
        """The alignment that an access states, or that of its type."""
        try:
            return stated_alignment(access.op) or self.layout.alignment(access.type_)
        except UnsizedTypeError:
            return 1

    def _is_aligned(self, access: _Access, size: int) -> bool:
        if self.alignments.of(access.pointer) % size == 0:
            return True
        return self.bases.is_multiple(access.base, access.offset, size)

    def _may_alias(self, a: _Access, b: _Access) -> bool:
        return self.alias.alias(a.location, b.location) is not AliasResult.NO

    # Rewriting.

    def _replace(self, members: Sequence[Member[_Access]]) -> None:
        accesses = [member.access for member in members]
        first = accesses[0]
        places = [member.place for member in members]
        at = places.index(max(places) if first.is_store else min(places))
        anchor = accesses[at]
        pointer = first.pointer
        if not first.is_store and _is_defined_in(pointer, anchor.op.parent):
            # The address may only be available after the first of the loads.
            pointer = byte_offset(anchor.pointer, first.offset - anchor.offset, anchor.op)
        element, lanes = self._element(accesses)
        whole = vector(lanes * len(accesses), element)
        properties = self._properties(accesses, len(accesses) * first.size)
        if first.is_store:
            self._store(accesses, anchor.op, pointer, whole, lanes, properties)
        else:
            self._load(accesses, anchor.op, pointer, whole, lanes, properties)
        VECTORIZED.add(len(accesses))
        if remarks.wanted():
            kind = "stores" if first.is_store else "loads"
            pieces = (("Accesses", str(len(accesses))), f" {kind} merged into one of {whole}")
            remarks.emit("Passed", self.options.name, "Vectorized", self.function, *pieces)
        for access in accesses:
            fast.erase(access.op)
            self.replaced.append(access.pointer)
        self.made += 1

    def _element(self, accesses: Sequence[_Access]) -> tuple[Attribute, int]:
        """The type of the vector's elements, and the number of elements of each access."""
        type_ = accesses[0].type_
        bits = self.layout.bits(type_) or 0
        lanes = vector_type(type_)
        if lanes is not None and bits != 32:
            element = lanes.element_type
            return element, bits // (self.layout.bits(element) or bits)
        if lanes is None and all(access.type_ is type_ for access in accesses):
            if not isinstance(type_, LLVMPointerType):
                return type_, 1
        return integer(bits), 1

    def _properties(self, accesses: Sequence[_Access], size: int) -> dict[str, Attribute]:
        """The attributes of the merged access: common ones, and its alignment."""
        one, *others = [access.op.properties for access in accesses]
        kept = {k: v for k, v in one.items() if all(other.get(k) == v for other in others)}
        kept["alignment"] = int_attr(size, I64)
        kept["ordering"] = PLAIN
        return kept

    def _index(self, number: int) -> SSAValue:
        return self.constants.integer(number, integer(32))

    def _load(
        self,
        accesses: Sequence[_Access],
        before: Operation,
        pointer: SSAValue,
        whole: VectorType[Attribute],
        lanes: int,
        properties: dict[str, Attribute],
    ) -> None:
        made = fast.create(LoadOp, (pointer,), (whole,), properties, location=before.location)
        fast.insert_before(made, before)
        (loaded,) = made.results
        for number, access in enumerate(accesses):
            if lanes > 1:
                position: dict[str, Attribute] = {"pos": int_attr(number * lanes, I64)}
                part = fast.create(VectorExtractOp, (loaded,), (access.type_,), position)
            else:
                element = whole.element_type
                part = fast.create(ExtractElementOp, (loaded, self._index(number)), (element,))
            fast.insert_before(part, before)
            value = reinterpret(part.results[0], access.type_, before, self.layout)
            fast.replace_all_uses(access.op.results[0], value)

    def _store(
        self,
        accesses: Sequence[_Access],
        before: Operation,
        pointer: SSAValue,
        whole: VectorType[Attribute],
        lanes: int,
        properties: dict[str, Attribute],
    ) -> None:
        start = fast.create(PoisonOp, (), (whole,))
        fast.insert_before(start, before)
        (value,) = start.results
        for number, access in enumerate(accesses):
            part = fast.operands_of(access.op)[0]
            if lanes > 1:
                position: dict[str, Attribute] = {"pos": int_attr(number * lanes, I64)}
                op = fast.create(VectorInsertOp, (value, part), (whole,), position)
            else:
                part = reinterpret(part, whole.element_type, before, self.layout)
                op = fast.create(InsertElementOp, (value, part, self._index(number)), (whole,))
            fast.insert_before(op, before)
            (value,) = op.results
        made = fast.create(StoreOp, (value, pointer), (), properties, location=before.location)
        fast.insert_before(made, before)


def _is_defined_in(value: SSAValue, block: Block | None) -> bool:
    return isinstance(value, OpResult) and value.op.parent is block


__all__ = ["LoadStoreVectorizer"]
