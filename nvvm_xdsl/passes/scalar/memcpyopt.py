"""`memcpyopt`: replaces copies of copies, of fills, and of constant tables.

    llvm.intr.memcpy(%tmp, %a, n)                   llvm.intr.memcpy(%tmp, %a, n)
    llvm.intr.memcpy(%b, %tmp, n)           ->      llvm.intr.memcpy(%b, %a, n)

    %t = llvm.alloca 8 x i32                        %g = llvm.mlir.addressof @table : !llvm.ptr<4>
    llvm.intr.memcpy(%t, @table, 32)        ->      %x = llvm.load %g[%i] : !llvm.ptr<4> -> i32
    %x = llvm.load %t[%i]

A copy of a copy reads from the original source, if it was not written in between (MemorySSA); a
copy of filled memory becomes a fill; a copy of a location onto itself is removed, and a `memmove`
between disjoint locations becomes a `memcpy`. A local array that contains a constant table and is
only read is replaced with the table: local memory is global memory that is private to a thread, and
each thread would fill it. One that is filled with a few small constants is replaced with bits of a
number (`passes/scalar/packed_tables.py`).

`dse` removes the first copy. Volatile copies are unchanged. (LLVM's MemCpyOptimizer, and the part
of InstCombine that replaces an alloca with its constant source. LLVM also forms copies and fills
from loads and stores, which has no benefit on a GPU.)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    BitcastOp,
    FuncOp,
    GEPOp,
    GlobalOp,
    LLVMPointerType,
    LoadOp,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_simple_access, is_volatile_transfer
from nvvm_xdsl.analysis.memory.alias_analysis import AliasResult, Location
from nvvm_xdsl.analysis.memory.memory_ssa import MemoryAccess, MemorySSA
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_dictionaries,
    element_type_of,
    global_name,
    global_type_of,
    is_constant_global,
    stated_alignment,
    volatile_flag_of,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp, MemcpyOp, MemmoveOp, MemsetOp
from nvvm_xdsl.dialects.llvm.setters import set_alignment
from nvvm_xdsl.dialects.llvm.symbols import module_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.packed_tables import pack_tables

COPIES: Final = Statistic("memcpyopt", "copies", "Number of copies shortened or removed")
TABLES: Final = Statistic("memcpyopt", "tables", "Number of local copies of tables removed")


_ADDRESSES = frozenset({GEPOp, AddrSpaceCastOp, BitcastOp})
_LIFETIMES = frozenset({"llvm.intr.lifetime.start", "llvm.intr.lifetime.end"})


@dataclass(frozen=True)
class MemCpyOpt(FunctionPass):
    """Redirects copies of copies to the original source."""

    name = "memcpyopt"
    title = "MemCpyOpt"
    # A simplified copy may be the source of another copy.
    idempotent = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        layout = data_layout_of(func)
        changed = pack_tables(func, am.get(DominatorTree, func), layout)
        if changed:
            am.invalidate(func, self.preserved())
        copies = [op for op in func.walk() if type(op) in (MemcpyOp, MemmoveOp)]
        if not copies:
            return changed
        for op in list(copies):
            if type(op) is MemcpyOp and not is_volatile_transfer(op):
                if _use_table(op, func, layout):
                    copies.remove(op)
                    changed = True
        if changed:
            am.invalidate(func, self.preserved())
        work = _CopySimplifier(am.get(MemorySSA, func), am.get(DominatorTree, func))
        for op in copies:
            changed |= work.simplify(op)
        return changed


class _CopySimplifier:
    """Simplifies the memory transfers of one function."""

    def __init__(self, memory: MemorySSA, tree: DominatorTree) -> None:
        self.memory = memory
        self.alias = memory.alias
        self.tree = tree

    def simplify(self, op: Operation) -> bool:
        """Removes or simplifies a copy; returns whether anything changed."""
        access = self.memory.access(op)
        if access is None or is_volatile_transfer(op):
            return False
        target, source, length = fast.operands_of(op)
        size = constant_unsigned(length)
        if target is source or size == 0:
            self._erase(op)
            return True
        if size is None:
            return False
        to, from_ = Location(target, size), Location(source, size)
        if type(op) is MemmoveOp:
            if self.alias.alias(to, from_) is not AliasResult.NO:
                return False
            # The two ops differ in nothing else, and MemorySSA identifies the op by its position.
            self._replace(op, MemcpyOp, (target, source, length), op.properties)
            return True
        above = self.memory.walk(access.defining, from_)
        if not isinstance(above, MemoryAccess) or not self._covers(above.op, from_, size):
            return False
        if type(above.op) is MemsetOp:
            value = fast.operands_of(above.op)[1]
            attributes = _arguments(op)
            properties: dict[str, Attribute] = {"isVolatile": volatile_flag_of(op)}
            if attributes:
                properties["arg_attrs"] = ArrayAttr(
                    [attributes[0], DictionaryAttr({}), attributes[2]]
                )
            self._replace(op, MemsetOp, (target, value, length), properties)
            return True
        return self._from_first(op, access, above, to)

    def _covers(self, op: Operation, location: Location, size: int) -> bool:
        """True if an op fills the location, from its first byte on, by a copy or with one value."""
        if type(op) not in (MemcpyOp, MemsetOp) or is_volatile_transfer(op):
            return False
        filled = fast.operands_of(op)
        length = constant_unsigned(filled[2])
        if length is None or length < size:
            return False
        first = Location(filled[0], size)
        return self.alias.alias(first, location) is AliasResult.MUST

    def _from_first(
        self, op: Operation, access: MemoryAccess, above: MemoryAccess, to: Location
    ) -> bool:
        """Redirects a copy of a copy to the original source, if that is unchanged."""
        home, before = op.parent, above.op.parent
        assert home is not None
        assert before is not None
        if not self.tree.dominates(before, home):
            return False
        first = fast.operands_of(above.op)[1]
        original = Location(first, to.size)
        if self.memory.walk(access.defining, original) is not self.memory.walk(
            above.defining, original
        ):
            return False
        overlap = self.alias.alias(to, original)
        if overlap is AliasResult.MUST:
            self._erase(op)
            return True
        target, _, length = fast.operands_of(op)
        properties = dict(op.properties)
        for name in ("tbaa", "alias_scopes", "noalias_scopes", "access_groups"):
            # These properties describe the intermediate location.
            properties.pop(name, None)
        properties.pop("arg_attrs", None)
        mine, theirs = _arguments(op), _arguments(above.op)
        if mine or theirs:
            none = (DictionaryAttr({}),) * 3
            (to_, _, size), (_, from_, _) = mine or none, theirs or none
            properties["arg_attrs"] = ArrayAttr([to_, from_, size])
        cls = MemcpyOp if overlap is AliasResult.NO else MemmoveOp
        self._replace(op, cls, (target, first, length), properties)
        return True

    def _erase(self, op: Operation) -> None:
        self.memory.remove(op)
        fast.erase(op)
        COPIES.add()

    def _replace(
        self,
        op: Operation,
        cls: type[Operation],
        operands: tuple[SSAValue, ...],
        properties: dict[str, Attribute],
    ) -> None:
        new = fast.create(cls, operands, (), dict(properties), location=op.location)
        fast.insert_before(new, op)
        self.memory.remove(op)
        fast.erase(op)
        self.memory.insert_definition(new)
        COPIES.add()


def _arguments(op: Operation) -> tuple[Attribute, ...]:
    """The attributes of a copy's three arguments in `arg_attrs`; empty if there are none."""
    found = argument_dictionaries(op)
    return found if len(found) >= 3 else ()


def _use_table(copy: Operation, func: FuncOp, layout: DataLayout) -> bool:
    """Replaces reads of a local copy of a constant table by reads of the table."""
    slot, source, length = fast.operands_of(copy)
    if not isinstance(slot, OpResult) or type(slot.op) is not AllocaOp:
        return False
    size = constant_unsigned(length)
    table = _table(source, func)
    count = constant_unsigned(fast.operands_of(slot.op)[0])
    if table is None or size is None or count is None:
        return False
    element = layout.size(element_type_of(slot.op))
    if size < element * count:
        return False
    derived: list[Operation] = []
    loads: list[Operation] = []
    markers: list[Operation] = []
    work: list[SSAValue] = [slot]
    while work:
        for user, index in fast.uses_of(work.pop()):
            cls = type(user)
            if user is copy and index == 0:
                continue
            if cls is LoadOp and is_simple_access(user):
                loads.append(user)
            elif user.name in _LIFETIMES:
                markers.append(user)
            elif cls in _ADDRESSES and isinstance(user.results[0].type, LLVMPointerType):
                derived.append(user)
                work.append(user.results[0])
            else:
                return False
    _read_from(table, slot, derived, loads, func, layout)
    for op in (*markers, copy, slot.op):
        fast.erase(op)
    TABLES.add()
    return True


def _read_from(
    table: tuple[Operation, Operation],
    slot: OpResult,
    derived: Sequence[Operation],
    loads: Sequence[Operation],
    func: FuncOp,
    layout: DataLayout,
) -> None:
    address, variable = table
    new = fast.create(
        AddressOfOp,
        (),
        (address.results[0].type,),
        dict(address.properties),
        location=slot.op.location,
    )
    entry = func.regions[0].first_block
    assert entry is not None
    fast.prepend(entry, new)
    pointer = new.results[0]
    most = stated_alignment(variable, layout.alignment(global_type_of(variable)))
    for op in loads:
        if stated_alignment(op, layout.alignment(op.results[0].type)) > most:
            set_alignment(op, most)
    for op in derived:
        fast.set_type(op.results[0], pointer.type)
    for op in derived:
        if type(op) is not GEPOp:
            fast.replace_all_uses(op.results[0], fast.operands_of(op)[0])
            fast.erase(op)
    fast.replace_all_uses(slot, pointer)


def _table(source: SSAValue, func: FuncOp) -> tuple[Operation, Operation] | None:
    """The address op and the variable of a source that is a constant with a known value."""
    op = source.owner
    if isinstance(op, Operation) and type(op) is AddrSpaceCastOp:
        op = fast.operands_of(op)[0].owner
    if not isinstance(op, Operation) or type(op) is not AddressOfOp:
        return None
    module = module_of(func)
    name = global_name(op)
    body = None if module is None else module.regions[0].first_block
    for variable in () if body is None else fast.ops_of(body):
        if isinstance(variable, GlobalOp) and variable.sym_name.data == name:
            has_value = (
                "value" in variable.properties or variable.regions[0].first_block is not None
            )
            return (op, variable) if is_constant_global(variable) and has_value else None
    return None
