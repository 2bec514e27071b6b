"""Memory SSA: memory as one variable in SSA form.

Each op that may write is a definition of memory, each op that only reads is a use, and a phi joins
definitions of several predecessors. The walker skips definitions that do not access a location.
(Novillo, "Memory SSA - A Unified Approach for Sparsely Representing Memory Operations", 2007; the
subject of LLVM's MemorySSA.)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self, TypeAlias

from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, Location, scopes_named
from nvvm_xdsl.dialects.effects import READS, WRITES, effects
from nvvm_xdsl.dialects.llvm.ops import NoAliasScopeDeclOp
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

WALK_LIMIT = 100
"""Maximum number of definitions visited by one walk; it then returns the current one."""


class LiveOnEntry:
    """Memory at the start of the function."""

    def __repr__(self) -> str:
        return "liveOnEntry"


class MemoryPhi:
    """The phi of memory at the start of a block; `incoming` is by predecessor."""

    def __init__(self, number: int, block: Block) -> None:
        self.number = number
        self.block = block
        self.incoming: dict[Block, Definition] = {}
        self.users: dict[MemoryAccess | MemoryPhi, None] = {}

    def __repr__(self) -> str:
        return str(self.number)


class MemoryAccess:
    """An op that writes (a definition, with a number) or only reads (a use, without).

    `defining` is the nearest definition above it, whether it accesses the same memory or not.
    """

    def __init__(self, op: Operation, number: int | None) -> None:
        self.op = op
        self.number = number
        self.defining: Definition = LiveOnEntry()
        self.users: dict[MemoryAccess | MemoryPhi, None] = {}

    @property
    def is_definition(self) -> bool:
        """True if the op may write."""
        return self.number is not None

    def __repr__(self) -> str:
        return str(self.number) if self.number is not None else f"use of {self.defining!r}"


Definition: TypeAlias = MemoryAccess | MemoryPhi | LiveOnEntry


class MemorySSA:
    """The memory accesses of a function."""

    entry: LiveOnEntry
    phis: dict[Block, MemoryPhi]

    def __init__(self, func: Operation, alias: AliasAnalysis, tree: DominatorTree) -> None:
        self.func = func
        self.alias = alias
        self.tree = tree
        self.entry = LiveOnEntry()
        self.phis = {}
        self._accesses: dict[Operation, MemoryAccess] = {}
        self._walked: dict[MemoryAccess, Definition] = {}
        self._declared: dict[Attribute, list[Block]] | None = None
        self._numbers = 0
        if tree.cfg.blocks:
            self._solve()

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The memory SSA of a function."""
        return cls(op, am.get(AliasAnalysis, op), am.get(DominatorTree, op))

    def _next(self) -> int:
        self._numbers += 1
        return self._numbers

    def _solve(self) -> None:
        tree = self.tree
        cfg = tree.cfg
        ops: dict[int, list[MemoryAccess]] = {}
        writers: list[Block] = []
        for number in cfg.rpo:
            found: list[MemoryAccess] = []
            writes = False
            for op in fast.ops_of(cfg.blocks[number]):
                flags = effects(op)
                if flags & WRITES:
                    writes = True
                    found.append(MemoryAccess(op, 0))
                elif flags & READS:
                    found.append(MemoryAccess(op, None))
            ops[number] = found
            if writes:
                writers.append(cfg.blocks[number])
        for block in tree.iterated_frontier(writers):
            self.phis[block] = MemoryPhi(0, block)
        # In preorder of the dominator tree; each block starts with the last definition of its
        # parent.
        leaving: dict[int, Definition] = {}
        for number in tree.preorder_numbers():
            block = cfg.blocks[number]
            up = tree.idom[number]
            current: Definition = leaving[up] if up >= 0 else self.entry
            phi = self.phis.get(block)
            if phi is not None:
                phi.number = self._next()
                current = phi
            for access in ops[number]:
                self._accesses[access.op] = access
                self._set_defining(access, current)
                if access.number is not None:
                    access.number = self._next()
                    current = access
            leaving[number] = current
        for number, current in leaving.items():
            for target in cfg.successors[number]:
                phi = self.phis.get(cfg.blocks[target])
                if phi is not None:
                    phi.incoming[cfg.blocks[number]] = current
                    _add_user(current, phi)

    def _set_defining(self, access: MemoryAccess, definition: Definition) -> None:
        access.defining = definition
        _add_user(definition, access)

    def access(self, op: Operation) -> MemoryAccess | None:
        """The op's access; None if it accesses no memory or is unreachable."""
        return self._accesses.get(op)

    def phi(self, block: Block) -> MemoryPhi | None:
        """The phi at the start of the block."""
        return self.phis.get(block)

    def users(self, definition: MemoryAccess | MemoryPhi) -> list[MemoryAccess | MemoryPhi]:
        """The accesses and phis whose nearest definition this is."""
        return list(definition.users)

    # The walker.

    def clobber(self, op: Operation) -> Definition:
        """The nearest definition above the op that may write the op's location.

        For an op whose accesses are not a single location, the nearest definition.
        """
        access = self._accesses[op]
        found = self._walked.get(access)
        if found is None:
            location = self.alias.location(op)
            found = access.defining if location is None else self.walk(access.defining, location)
            self._walked[access] = found
        return found

    def walk(self, start: Definition, location: Location) -> Definition:
        """The nearest definition from `start` upwards that may write the location."""
        if self.alias.points_to_constant_memory(location.pointer):
            return self.entry
        budget = [WALK_LIMIT]
        at = start
        seen: set[MemoryPhi] = set()
        while True:
            at = self._above(at, location, budget)
            if not isinstance(at, MemoryPhi) or at in seen:
                return at
            seen.add(at)
            if not self.is_fixed(location.pointer, at.block):
                return at
            if self.ends_scopes(at.block, location):
                location = location.without_scopes()
            beyond = self._beyond(at, location, budget)
            if beyond is None:
                return at
            at = beyond

    def _above(self, at: Definition, location: Location, budget: list[int]) -> Definition:
        """Skips definitions that do not access the location, up to a phi or one that does."""
        while isinstance(at, MemoryAccess):
            budget[0] -= 1
            if budget[0] < 0 or self.alias.mod_ref(at.op, location) & WRITES:
                return at
            at = at.defining
        return at

    def _beyond(self, phi: MemoryPhi, location: Location, budget: list[int]) -> Definition | None:
        """The common definition of all incoming edges of the phi, ignoring definitions that do not
        clobber it.

        The walks from all incoming edges must end at this definition; phis on their paths are part
        of the walked region.
        """
        common: Definition | None = None
        region = {phi}
        work: list[Definition] = list(phi.incoming.values())
        while work:
            at = self._above(work.pop(), location, budget)
            if budget[0] < 0:
                return None
            if isinstance(at, MemoryPhi) and at not in region:
                if self.tree.dominates(phi.block, at.block) and self.is_fixed(
                    location.pointer, at.block
                ):
                    region.add(at)
                    work.extend(at.incoming.values())
                    continue
            elif isinstance(at, MemoryPhi):
                continue
            if common is None:
                common = at
            elif common is not at:
                return None
        return common

    def is_fixed(self, pointer: SSAValue, block: Block) -> bool:
        """True if the pointer is the same address each time that the block is entered."""
        address = self.alias.addresses.address(pointer)
        parts = [leaf.value for leaf in address.terms]
        if not isinstance(address.base, str):
            parts.append(address.base)
        for value in parts:
            home = defining_block(value)
            if home is None or not self.tree.strictly_dominates(home, block):
                return False
        return True

    def ends_scopes(self, start: Block, location: Location) -> bool:
        """True if alias scopes of a location are declared in a block or below it: accesses before the
        block may belong to another execution of the code that declares them, in an earlier iteration.
        """
        if location.op is None or not location.is_scoped:
            return False
        scopes = scopes_named(location.op, "alias_scopes") | scopes_named(
            location.op, "noalias_scopes"
        )
        cfg = self.tree.cfg
        place = cfg.rpo_index[cfg.numbers[start]]
        return any(
            cfg.rpo_index[cfg.numbers[home]] >= place
            for scope in scopes
            for home in self._homes(scope)
        )

    def _homes(self, scope: Attribute) -> list[Block]:
        """The reachable blocks that declare an alias scope."""
        if self._declared is None:
            self._declared = {}
            for block in self.tree.cfg.rpo_blocks():
                for op in fast.ops_of(block):
                    if type(op) is NoAliasScopeDeclOp:
                        self._declared.setdefault(op.properties["scope"], []).append(block)
        return self._declared.get(scope, [])

    # Updates.

    def remove(self, op: Operation) -> None:
        """Removes an op that will be erased; its users get the definition above it."""
        access = self._accesses.pop(op, None)
        if access is None:
            return
        above = access.defining
        _remove_user(above, access)
        for user in access.users:
            if isinstance(user, MemoryPhi):
                for pred, definition in user.incoming.items():
                    if definition is access:
                        user.incoming[pred] = above
            else:
                user.defining = above
            _add_user(above, user)
        self._walked.clear()

    def insert_use(self, op: Operation) -> MemoryAccess:
        """Adds a new op that only reads and is already in its block."""
        access = MemoryAccess(op, None)
        self._accesses[op] = access
        self._set_defining(access, self._definition_before(op))
        return access

    def insert_definition(self, op: Operation) -> MemoryAccess:
        """Adds a new op that writes and is already in its block, and the phis that it requires."""
        access = MemoryAccess(op, self._next())
        above = self._definition_before(op)
        block = op.parent
        assert block is not None
        joins = [b for b in self.tree.iterated_frontier([block]) if b not in self.phis]
        # A block without a phi is reached by the last definition of its dominator.
        stale = {above}
        for join in joins:
            up = self.tree.immediate_dominator(join)
            stale.add(self.entry if up is None else self._definition_at_end(up))
        self._accesses[op] = access
        for join in joins:
            self.phis[join] = MemoryPhi(self._next(), join)
        self._set_defining(access, self._definition_before(op))
        cfg = self.tree.cfg
        for join in joins:
            phi = self.phis[join]
            for number in cfg.predecessors[cfg.numbers[join]]:
                pred = cfg.blocks[number]
                if self.tree.contains(pred):
                    phi.incoming[pred] = self._definition_at_end(pred)
                    _add_user(phi.incoming[pred], phi)
        for definition in stale:
            self._move_users(definition, access)
        self._walked.clear()
        return access

    def _move_users(self, old: Definition, new: MemoryAccess) -> None:
        """Sets the reaching definition of the users of a definition."""
        if isinstance(old, LiveOnEntry):
            users: list[MemoryAccess | MemoryPhi] = [*self._accesses.values(), *self.phis.values()]
        else:
            users = list(old.users)
        for user in users:
            if isinstance(user, MemoryPhi):
                for pred, definition in user.incoming.items():
                    if definition is old:
                        user.incoming[pred] = self._definition_at_end(pred)
                        _add_user(user.incoming[pred], user)
                if old not in user.incoming.values():
                    _remove_user(old, user)
            elif user is not new and user.defining is old:
                _remove_user(old, user)
                self._set_defining(user, self._definition_before(user.op))

    def _definition_before(self, op: Operation) -> Definition:
        assert op.parent is not None
        return self._definition_from(op.parent, op.prev_op)

    def _definition_at_end(self, block: Block) -> Definition:
        return self._definition_from(block, block.last_op)

    def _definition_from(self, block: Block, at: Operation | None) -> Definition:
        """The last definition of a block before an op, or the one that reaches the block."""
        while True:
            while at is not None:
                access = self._accesses.get(at)
                if access is not None and access.is_definition:
                    return access
                at = at.prev_op
            phi = self.phis.get(block)
            if phi is not None:
                return phi
            up = self.tree.immediate_dominator(block)
            if up is None:
                return self.entry
            block = up
            at = block.last_op

    def verify(self) -> None:
        """Recomputes the form; raises AssertionError if it differs.

        Phis whose incoming definitions are equal after removals are no error.
        """
        tree = DominatorTree(self.func.regions[0])
        fresh = MemorySSA(self.func, self.alias, tree)
        mine = self._accesses
        assert mine.keys() == fresh._accesses.keys(), "the memory accesses are stale"
        for op, access in fresh._accesses.items():
            assert _writes(mine[op].defining) == _writes(access.defining), (
                f"the definition above an '{op.name}' is stale"
            )
        for block, other in fresh.phis.items():
            phi = self.phis.get(block)
            if phi is None:
                assert len(_writes(other)) == 1, "a memory phi is missing"
                continue
            assert phi.incoming.keys() == other.incoming.keys(), "a memory phi's edges are stale"
            for pred, definition in other.incoming.items():
                assert _writes(phi.incoming[pred]) == _writes(definition), (
                    "what a memory phi takes in is stale"
                )


def _writes(definition: Definition) -> set[Operation | None]:
    """The ops of a definition, through phis; None for memory at the entry."""
    found: set[Operation | None] = set()
    work, seen = [definition], {definition}
    while work:
        at = work.pop()
        if not isinstance(at, MemoryPhi):
            found.add(at.op if isinstance(at, MemoryAccess) else None)
            continue
        for source in at.incoming.values():
            if source not in seen:
                seen.add(source)
                work.append(source)
    return found


def _add_user(definition: Definition, user: MemoryAccess | MemoryPhi) -> None:
    if not isinstance(definition, LiveOnEntry):
        definition.users[user] = None


def _remove_user(definition: Definition, user: MemoryAccess | MemoryPhi) -> None:
    if not isinstance(definition, LiveOnEntry):
        definition.users.pop(user, None)
