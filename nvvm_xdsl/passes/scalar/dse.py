"""`dse`: removes stores that are never read or do not change memory.

    llvm.store %a, %p : f32, !llvm.ptr<1>
    %x = llvm.load %q : !llvm.ptr<5> -> f32             %x = llvm.load %q : !llvm.ptr<5> -> f32
    llvm.store %b, %p : f32, !llvm.ptr<1>        ->     llvm.store %b, %p : f32, !llvm.ptr<1>
    llvm.store %x, %q : f32, !llvm.ptr<5>               llvm.return
    llvm.return

Starting at a store, all paths through MemorySSA are followed until each reaches a store that
overwrites it; for a local variable whose address does not escape, also until the function's end.
The store is kept if anything in between may read it, or may make it visible to other threads: a
barrier, a fence, an atomic stronger than monotonic, an unknown call. All stores to a local variable
that is never read are removed (LLVM's `isAllocSiteRemovable`).

A store or fill is also removed if later stores of its block overwrite it in parts.

Volatile and atomic stores are kept, and so are other stores in a loop whose address varies with the
iteration.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from xdsl.dialects.llvm import FuncOp, LoadOp, ReturnOp, StoreOp
from xdsl.ir import Block, Operation, OpResult

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_simple_access, is_volatile_transfer
from nvvm_xdsl.analysis.memory.addresses import Address, Base, is_alloca
from nvvm_xdsl.analysis.memory.alias_analysis import Location
from nvvm_xdsl.analysis.memory.memory_ssa import MemoryAccess, MemoryPhi, MemorySSA
from nvvm_xdsl.analysis.memory.pointer_uses import WRITTEN, pointer_uses
from nvvm_xdsl.analysis.values.linear_expressions import Leaf
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, READS, effects
from nvvm_xdsl.dialects.llvm.ops import MemsetOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass

MAX_ACCESSES: Final = 100
"""Maximum number of accesses after a store that are examined (LLVM's dse-memoryssa-scanlimit is
150)."""

MAX_BYTES_IN_PARTS: Final = 128
"""Maximum number of bytes of a store that others overwrite in parts."""

STORES: Final = Statistic("dse", "stores", "Number of stores removed")


@dataclass(frozen=True)
class DSE(FunctionPass):
    """Removes dead stores."""

    name = "dse"
    title = "DSE"
    # Ops that only a removed store used are removed by the next run.
    idempotent = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _Eliminator(am.get(MemorySSA, func), am.get(DominatorTree, func)).run()


class _Write(NamedTuple):
    """A store or fill of a known number of bytes, with its offset in the object."""

    op: Operation
    access: MemoryAccess
    location: Location
    begin: int
    end: int
    place: _Place

    def covers(self, other: _Write) -> bool:
        """Returns True if every byte of the other write is written."""
        return (
            self.place is other.place
            and self.begin <= other.begin
            and other.end <= self.end
            and self is not other
        )


class _Place:
    """The writes whose addresses differ by constants."""

    def __init__(self) -> None:
        self.longest = 0
        self.shortest = MAX_BYTES_IN_PARTS
        self.writes: list[_Write] = []

    @cached_property
    def _sorted(self) -> list[_Write]:
        return sorted(self.writes, key=_begin)

    def may_cover(self, write: _Write) -> bool:
        """Returns whether a recorded write covers `write`."""
        ordered = self._sorted
        at = bisect_right(ordered, write.begin, key=_begin)
        while at and ordered[at - 1].begin >= write.end - self.longest:
            at -= 1
            if ordered[at].covers(write):
                return True
        return False

    def may_cover_in_parts(self, write: _Write) -> bool:
        """Returns whether other recorded writes together write as many bytes of `write` as it has,
        and the number is small.
        """
        size = write.end - write.begin
        if size <= self.shortest or size > MAX_BYTES_IN_PARTS:
            return False
        at = bisect_right(self._sorted, write.begin - self.longest, key=_begin)
        common = 0
        for other in self._sorted[at:]:
            if other.begin >= write.end:
                break
            if other is not write:
                common += max(min(other.end, write.end) - max(other.begin, write.begin), 0)
        return common >= size


class _Eliminator:
    def __init__(self, memory: MemorySSA, tree: DominatorTree) -> None:
        self.memory = memory
        self.alias = memory.alias
        self.tree = tree
        self.writes: dict[MemoryAccess | MemoryPhi, _Write] = {}
        self.unread: dict[OpResult, bool] = {}
        self.tails: dict[Block, set[Operation]] = {}
        """For each block, the ops after which all later ops of the block are certainly executed."""

    def run(self) -> bool:
        """Erases dead and redundant stores; returns whether anything changed."""
        changed = False
        for write in self.collect():
            op, access, location = write.op, write.access, write.location
            if (
                self.changes_nothing(op, access, location)
                or self.is_dead(write)
                or self.is_overwritten_in_parts(write)
            ):
                self.memory.remove(op)
                fast.erase(op)
                STORES.add()
                changed = True
        return changed

    def collect(self) -> list[_Write]:
        """The writes in the order in which they are visited."""
        found: list[_Write] = []
        places: dict[tuple[Base, frozenset[tuple[Leaf, int]]], _Place] = {}
        for block in self.tree.cfg.post_order_blocks():
            for op in fast.reversed_ops_of(block):
                if type(op) not in _WRITES or not _is_plain_write(op):
                    continue
                access = self.memory.access(op)
                location = self.alias.location(op)
                if access is None or location is None or location.size is None:
                    continue
                address = self.alias.addresses.address(location.pointer)
                begin = address.offset
                place = places.setdefault(_place(address), _Place())
                write = _Write(op, access, location, begin, begin + location.size, place)
                found.append(write)
                self.writes[access] = write
                place.writes.append(write)
                place.longest = max(place.longest, location.size)
                place.shortest = min(place.shortest, location.size)
        return found

    def changes_nothing(self, op: Operation, access: MemoryAccess, location: Location) -> bool:
        """Returns whether the op stores a value loaded from the same address, with no write to it
        in between.
        """
        if type(op) is not StoreOp:
            return False
        value = fast.operands_of(op)[0]
        if type(value) is not OpResult or type(value.op) is not LoadOp:
            return False
        load = value.op
        loaded = self.memory.access(load)
        if loaded is None or not is_simple_access(load):
            return False
        pointer = fast.operands_of(load)[0]
        if pointer is not location.pointer:
            return False
        return self.memory.walk(access.defining, location) is self.memory.clobber(load)

    def is_dead(self, write: _Write) -> bool:
        """Returns whether every path from the store reaches an overwriting store before a read."""
        access, location = write.access, write.location
        block = access.op.parent
        assert block is not None
        if self.is_unread(location):
            return True
        private = self.is_private(location)
        if not (private or write.place.may_cover(write)) or self.leads_far(write):
            return False
        covering: dict[Block, Operation] = {}
        in_own_block = False
        seen: set[MemoryAccess | MemoryPhi] = {access}
        work: list[MemoryAccess | MemoryPhi] = list(access.users)
        budget = MAX_ACCESSES
        while work:
            at = work.pop()
            if at in seen:
                continue
            seen.add(at)
            budget -= 1
            if budget < 0:
                return False
            if isinstance(at, MemoryPhi):
                if not self.memory.is_fixed(location.pointer, at.block):
                    return False
                if self.memory.ends_scopes(at.block, location):
                    return self.is_dead(write._replace(location=location.without_scopes()))
                work.extend(at.users)
                continue
            touched = self.alias.mod_ref(at.op, location)
            if touched & READS:
                return False
            if not at.is_definition:
                continue
            if touched and self.covers(at, write):
                home = at.op.parent
                assert home is not None
                covering[home] = at.op
                in_own_block |= home is block and fast.comes_before(access.op, at.op)
                continue
            work.extend(at.users)
        if private:
            return True
        if not self.surely_runs_on(access.op):
            return False
        return in_own_block or (bool(covering) and self.always_covered(block, covering))

    def is_overwritten_in_parts(self, write: _Write) -> bool:
        """Returns whether later stores of the block overwrite all bytes of the store together,
        before a read.
        """
        if not write.place.may_cover_in_parts(write) or not self.surely_runs_on(write.op):
            return False
        left = set(range(write.begin, write.end))
        op = write.op.next_op
        while op is not None:
            access = self.memory.access(op)
            if access is not None:
                if self.alias.mod_ref(op, write.location) & READS:
                    return False
                part = self.writes.get(access)
                if part is not None and part.place is write.place:
                    left.difference_update(range(part.begin, part.end))
                    if not left:
                        return True
            op = op.next_op
        return False

    def leads_far(self, write: _Write) -> bool:
        """Returns whether more accesses follow the store than `MAX_ACCESSES`, without visiting
        them.
        """
        seen: set[MemoryAccess | MemoryPhi] = {write.access}
        work: list[MemoryAccess | MemoryPhi] = [write.access]
        while work:
            for user in work.pop().users:
                if user not in seen:
                    seen.add(user)
                    if not self.covers(user, write):
                        work.append(user)
            if len(seen) > MAX_ACCESSES + 1:
                return True
        return False

    def is_private(self, location: Location) -> bool:
        """Returns True if only this call of the function can read the memory."""
        base = self.alias.addresses.address(location.pointer).base
        return isinstance(base, OpResult) and is_alloca(base) and not self.alias.is_captured(base)

    def is_unread(self, location: Location) -> bool:
        """Returns True if the location is in an alloca that is only written."""
        base = self.alias.addresses.address(location.pointer).base
        if not (isinstance(base, OpResult) and is_alloca(base)):
            return False
        found = self.unread.get(base)
        if found is None:
            found = self.unread[base] = not pointer_uses(base, lambda _: None) & ~WRITTEN
        return found

    def covers(self, access: MemoryAccess | MemoryPhi, write: _Write) -> bool:
        """Returns whether an access writes every byte of another write."""
        found = self.writes.get(access)
        return found is not None and found.covers(write)

    def surely_runs_on(self, store: Operation) -> bool:
        """Returns whether all ops after the store in its block certainly return."""
        block = store.parent
        assert block is not None
        found = self.tails.get(block)
        if found is None:
            found = self.tails[block] = set()
            for op in fast.reversed_ops_of(block):
                found.add(op)
                if effects(op) & MAY_NOT_RETURN:
                    break
        return store in found

    def always_covered(self, block: Block, covering: dict[Block, Operation]) -> bool:
        """Returns whether each path from the block's end to a return leads through one of the
        overwriting ops.
        """
        seen: set[Block] = set()
        work = [block]
        while work:
            last = work.pop().last_op
            if last is None or type(last) is ReturnOp:
                return False
            for target in fast.successors_of(last):
                if target in seen:
                    continue
                seen.add(target)
                if len(seen) > MAX_ACCESSES:
                    return False
                cover = covering.get(target)
                for op in fast.ops_of(target):
                    if op is cover:
                        break
                    if effects(op) & MAY_NOT_RETURN:
                        return False
                else:
                    work.append(target)
        return True


_WRITES: Final = frozenset({StoreOp, MemsetOp})


def _begin(write: _Write) -> int:
    return write.begin


def _place(address: Address) -> tuple[Base, frozenset[tuple[Leaf, int]]]:
    """A key that is equal for addresses that differ by a constant."""
    return address.base, frozenset(address.terms.items())


def _is_plain_write(op: Operation) -> bool:
    if type(op) is StoreOp:
        return is_simple_access(op)
    return type(op) is MemsetOp and not is_volatile_transfer(op)
