"""`argpromotion`: passes loaded values instead of pointers that callees only load through.

    llvm.func internal @f(%p: !llvm.ptr) -> i32 {      llvm.func internal @f(%p.0.val: i32) -> i32 {
      %v = llvm.load %p : !llvm.ptr -> i32         ->    llvm.return %p.0.val : i32
      llvm.return %v : i32
    }                                                  }
    %r = llvm.call @f(%slot)                           %v = llvm.load %slot ... ; %r = llvm.call @f(%v)

LLVM's ArgumentPromotion. All calls of the function must be known, and the argument may only be used
by plain loads at constant offsets: at most `max-elements` different offsets, each loaded with one
type. The load may move to the callers if the callee always executes it, or if each caller passes an
object that is large and aligned enough; no op between the start of the callee and the load may
write the memory. An array in a caller's local memory then need not be in memory for the call, which
is the purpose of the pass on a GPU. A `byval` argument is the callee's own copy; the same
conditions apply.

Callees are processed before callers: a load that moves into a caller may move further, to the
callers of that caller.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, cast

from xdsl.dialects.builtin import DictionaryAttr, ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp, GEPOp, LLVMPointerType, LoadOp
from xdsl.ir import Attribute, Block, BlockArgument, Operation, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.accesses import is_simple_access, load
from nvvm_xdsl.analysis.memory.addresses import is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, Location
from nvvm_xdsl.analysis.memory.alignment import Alignments
from nvvm_xdsl.dialects.effects import (
    MAY_NOT_RETURN,
    WRITES,
    effects,
    with_other_memory_as_arguments,
)
from nvvm_xdsl.dialects.llvm.accessors import (
    element_type_of,
    enclosing_function,
    int_value,
    memory_effects_of,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError, data_layout_of
from nvvm_xdsl.dialects.llvm.gep import byte_offset, constant_offset
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.setters import set_memory_effects
from nvvm_xdsl.dialects.llvm.struct_attributes import MemoryEffectsAttr
from nvvm_xdsl.dialects.llvm.symbols import entry_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.signatures import (
    functions_with_known_calls,
    listed_attributes,
    set_arguments,
    update_type,
)

PROMOTED: Final = Statistic("argpromotion", "arguments", "Number of pointer arguments promoted")

MOST_BLOCKS: Final = 200
"""Maximum number of blocks that are searched for writes before a load."""

_BY_VALUE: Final = "llvm.byval"


class Part(NamedTuple):
    """The loads of an argument at one offset."""

    offset: int
    type: Attribute
    loads: list[Operation]

    def alignment(self, layout: DataLayout) -> int:
        """The minimum of the loads' stated alignments."""
        return min(stated_alignment(op, layout.alignment(self.type)) for op in self.loads)


@dataclass(frozen=True)
class ArgumentPromotion(NvvmPass):
    """Passes loaded values instead of pointers."""

    name = "argpromotion"
    title = "ArgumentPromotion"

    max_elements: int = 2
    """Maximum number of values passed in place of a pointer; LLVM's `MaxElements`."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        calls = functions_with_known_calls(module, am)
        changed = False
        for node in CallGraph(module).bottom_up() if calls else ():
            func = node.func
            if func in calls and self._promote(func, calls[func], am):
                changed = True
        return changed

    def _promote(self, func: FuncOp, sites: list[CallOp], am: AnalysisManager) -> bool:
        entry = entry_of(func)
        pointers = [a for a in entry.args if isinstance(a.type, LLVMPointerType)]
        if not pointers or not sites:
            return False
        finder = _Finder(func, sites, am, self.max_elements)
        attributes = listed_attributes(func, len(entry.args))
        chosen: dict[BlockArgument, list[Part]] = {}
        for argument in pointers:
            parts = finder.parts(argument, attributes[argument.index])
            if parts is not None:
                chosen[argument] = parts
        if not chosen:
            return False
        PROMOTED.add(len(chosen))
        _rewrite(func, sites, chosen, attributes)
        am.invalidate(func)
        for site in sites:
            am.invalidate(enclosing_function(site))
        return True


class _Finder:
    """Finds the values that a function loads through an argument."""

    def __init__(self, func: FuncOp, sites: list[CallOp], am: AnalysisManager, most: int) -> None:
        self.func = func
        self.sites = sites
        self.most = most
        self.layout = data_layout_of(func)
        self.aliases = am.get(AliasAnalysis, func)
        self._callers: dict[FuncOp, Alignments] = {}

    def parts(self, argument: BlockArgument, attributes: DictionaryAttr) -> list[Part] | None:
        """The values that the callee loads through the argument; None if they cannot be passed
        instead.
        """
        found: dict[int, Part] = {}
        pending: list[tuple[SSAValue, int]] = [(argument, 0)]
        while pending:
            pointer, offset = pending.pop()
            for user in fast.users_of(pointer):
                if type(user) is GEPOp:
                    step = constant_offset(user, self.layout)
                    if step is None:
                        return None
                    pending.append((user.results[0], offset + step))
                elif type(user) is LoadOp and is_simple_access(user):
                    type_ = user.results[0].type
                    part = found.setdefault(offset, Part(offset, type_, []))
                    if part.type != type_ or offset < 0:
                        return None
                    part.loads.append(user)
                else:
                    return None
            if len(found) > self.most:
                return None
        parts = sorted(found.values())
        if not parts or any(self._overlap(a, b) for a, b in pairwise(parts)):
            return None
        if not all(self._callers_may_load(argument, part, attributes) for part in parts):
            return None
        if not all(self._is_unchanged(op) for part in parts for op in part.loads):
            return None
        return parts

    def _size(self, type_: Attribute) -> int:
        return self.layout.store_size(type_)

    def _overlap(self, a: Part, b: Part) -> bool:
        try:
            return a.offset + self._size(a.type) > b.offset
        except UnsizedTypeError:
            return True

    def _callers_may_load(
        self, argument: BlockArgument, part: Part, attributes: DictionaryAttr
    ) -> bool:
        end = part.offset + self._size(part.type)
        alignment = part.alignment(self.layout)
        copied = attributes.data.get(_BY_VALUE)
        if copied is not None:
            stated = int_value(attributes.data.get("llvm.align"), self.layout.alignment(copied))
            return end <= self.layout.size(copied) and stated >= alignment
        if any(self._surely_runs(op) for op in part.loads):
            return True
        return all(
            self._is_large_enough(
                site, fast.operands_of(site)[argument.index], part, end, alignment
            )
            for site in self.sites
        )

    def _surely_runs(self, op: Operation) -> bool:
        for before in fast.ops_of(entry_of(self.func)):
            if before is op:
                return True
            if effects(before) & MAY_NOT_RETURN:
                return False
        return False

    def _is_large_enough(
        self, site: CallOp, pointer: SSAValue, part: Part, end: int, alignment: int
    ) -> bool:
        caller = enclosing_function(site)
        layout = self.layout
        alignments = self._callers.get(caller)
        if alignments is None:
            alignments = self._callers[caller] = Alignments(caller, layout)
        address = alignments.addresses.address(pointer)
        if address.terms or not is_alloca(address.base):
            return False
        slot = fast.producer_of(cast(SSAValue, address.base))
        count = constant_unsigned(fast.operands_of(slot)[0])
        if count is None:
            return False
        size = count * layout.size(element_type_of(slot))
        aligned = alignments.of_object(address.base)
        place = address.offset + part.offset
        return (
            0 <= place
            and address.offset + end <= size
            and not (aligned < alignment or place % alignment)
        )

    def _is_unchanged(self, op: Operation) -> bool:
        """Returns whether no op between the start of the function and a load writes the loaded
        memory.
        """
        location = self.aliases.location(op)
        assert location is not None
        block = op.parent
        assert block is not None
        for before in fast.ops_of(block):
            if before is op:
                break
            if self._writes(before, location):
                return False
        seen: set[Block] = set()
        pending = fast.predecessors_of(block)
        while pending:
            one = pending.pop()
            if one in seen:
                continue
            seen.add(one)
            if len(seen) > MOST_BLOCKS:
                return False
            if any(self._writes(other, location) for other in fast.ops_of(one)):
                return False
            pending += fast.predecessors_of(one)
        return True

    def _writes(self, op: Operation, location: Location) -> bool:
        return bool(effects(op) & WRITES) and bool(self.aliases.mod_ref(op, location) & WRITES)


def _rewrite(
    func: FuncOp,
    sites: list[CallOp],
    chosen: dict[BlockArgument, list[Part]],
    attributes: list[DictionaryAttr],
) -> None:
    """Passes the loaded values instead of the pointers."""
    layout = data_layout_of(func)
    entry = entry_of(func)
    old = list(entry.args)
    for site in sites:
        stated = listed_attributes(site, len(old))
        values: list[SSAValue] = []
        listed: list[DictionaryAttr] = []
        for argument, value, entries in zip(old, fast.operands_of(site), stated):
            parts = chosen.get(argument)
            if parts is None:
                values.append(value)
                listed.append(entries)
                continue
            for part in parts:
                # The callee's own address arithmetic may have been temporarily out of bounds.
                place = byte_offset(value, part.offset, site)
                values.append(load(place, part.type, part.alignment(layout), site, site.location))
                listed.append(DictionaryAttr({}))
        set_arguments(site, values, listed)
    types: list[Attribute] = []
    listed = []
    for argument, entries in zip(old, attributes):
        parts = chosen.get(argument)
        types += [argument.type] if parts is None else [part.type for part in parts]
        listed += [entries] if parts is None else [DictionaryAttr({}) for _ in parts]
    new = [fast.add_argument(entry, type_) for type_ in types]
    left = iter(new)
    for argument in old:
        parts = chosen.get(argument)
        if parts is None:
            fast.replace_all_uses(argument, next(left))
            continue
        for part in parts:
            value = next(left)
            if argument.name_hint is not None:
                fast.set_name(value, f"{argument.name_hint}.{part.offset}.val")
            for op in part.loads:
                fast.replace_op(op, (value,))
        _erase_addresses(argument)
    for argument in reversed(old):
        fast.erase_argument(entry, argument.index)
    update_type(func, listed)
    if any(isinstance(part.type, LLVMPointerType) for parts in chosen.values() for part in parts):
        for op in (func, *sites):
            effects_of_op = memory_effects_of(op)
            if isinstance(effects_of_op, MemoryEffectsAttr):
                set_memory_effects(op, with_other_memory_as_arguments(effects_of_op))


def _erase_addresses(pointer: SSAValue) -> None:
    for user in list(fast.users_of(pointer)):
        _erase_addresses(user.results[0])
        fast.erase(user)


__all__ = ["ArgumentPromotion"]
