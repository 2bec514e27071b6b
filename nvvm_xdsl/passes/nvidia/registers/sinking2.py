"""`sinking2`: sinks texture fetches, slow loads and their address computations to their uses.

      %a = llvm.add %x, %y : i32
      %t = tex.1d(%handle, %a)                        llvm.cond_br %c, ^then, ^end
      llvm.cond_br %c, ^then, ^end                  ^then:
    ^then:                                    ->      %a = llvm.add %x, %y : i32
      llvm.store %t, %p : f32, !llvm.ptr<1>           %t = tex.1d(%handle, %a)
                                                      llvm.store %t, %p : f32, !llvm.ptr<1>

Unlike `sink`, the pass moves an op directly to the nearest common dominator of its uses, across any
number of branches, and repeats until nothing changes. The page on Sinking2 defines the levels of
`sink-into-texture`: 1 sinks operands of texture fetches in other blocks; 2 also moves them
immediately before a fetch in their own block; 3 sinks ops whose uses are all in other blocks, also
from before a loop into it if all their operands are live there anyway. In addition, fetches and
slow loads (of global, generic and local memory) themselves are sunk if some path does not use their
results.

Convergent, volatile and side-effecting ops are not moved. A load or fetch is not moved past an op
that may write the memory it reads (a fetch reads neither shared nor local memory). It is therefore
not moved past a barrier, and it is not moved into or out of a loop. A load from global memory stays
if its block uses a load of the same cache line. Ops are not sunk from loop
headers, as on the page. `fast` limits the pass to one iteration.

Benefit: at -O3, after `sink`, disabling it changes no kernel's machine code. With
-Ofast-compile=max, where no other pass sinks ops, a load behind two guards is executed only by the
threads that use it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.dialects.llvm import (
    AddOp,
    AllocaOp,
    FuncOp,
    GEPOp,
    InlineAsmOp,
    LLVMPointerType,
    LoadOp,
    SExtOp,
    ShlOp,
    SubOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Block, Operation, OpResult

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.liveness import Liveness, defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.memory.near_loads import holds_near_load
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.dialects.effects import ARGUMENTS_ONLY, READS, UNSPECULATABLE, WRITES, effects
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, LOCAL, SHARED
from nvvm_xdsl.passes.base import FunctionPass

SUNK = remarks.Statistic("sinking2", "sunk", "Number of ops sunk to their uses")

OFF, CROSS_BLOCK, INTRA_BLOCK, OUTSIDE_ONLY = range(4)
"""Levels of `sink-into-texture`."""

_TEXTURES = ("llvm.nvvm.tex.", "llvm.nvvm.tld4.", "llvm.nvvm.suld.")

_SLOW_SPACES = frozenset({GENERIC, GLOBAL, LOCAL})

_CHEAP: tuple[type[Operation], ...] = (AddOp, SubOp, GEPOp, ShlOp, SExtOp, ZExtOp, TruncOp)
"""Single-instruction ops, for which sinking into a loop may be profitable."""

MAX_BLOCKS = 32
"""Maximum number of blocks on the paths along which a load is sunk."""

MAX_WRITES = 32
"""Maximum number of writes on the paths along which a load is sunk."""


MAX_CHAIN, MAX_USERS = 6, 4
"""Maximum length of a chain of ops from an op to a texture fetch, and maximum number of users of
each op in it."""


def is_texture_fetch(op: Operation) -> bool:
    """Returns True if the op reads a texture or a surface."""
    return intrinsic_name(op).startswith(_TEXTURES)


@dataclass(frozen=True)
class Sinking2(FunctionPass):
    """Sinks texture fetches, slow loads and their addresses to their uses.

    Arguments:
        fast: whether only one iteration is run.
        sink_into_texture: level of sinking operands of texture fetches, 0 to 3; 0 disables the
            pass.
        sink_limit: maximum number of ops moved per iteration.
        dump_sink2: report each moved op and its new block.
    """

    name = "sinking2"
    title = "Sinking2"
    phases: ClassVar[frozenset[int]] = frozenset({2})
    # An iteration ends at `sink_limit`; a second run may move more ops.
    idempotent = False

    fast: bool = False
    sink_into_texture: int = OUTSIDE_ONLY
    sink_limit: int = 20
    dump_sink2: bool = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if self.sink_into_texture <= OFF or self.sink_limit <= 0:
            return False
        sinker = _Sinker(self, func, am)
        changed = False
        while sinker.round():
            changed = True
            if self.fast:
                break
        return changed


@dataclass
class _Sinker:
    """The sinking of a function's ops."""

    options: Sinking2
    func: FuncOp
    am: AnalysisManager
    sunk: set[Operation] = field(default_factory=set[Operation])
    """Ops that were sunk for a texture fetch or with a slow load."""

    def __post_init__(self) -> None:
        func, am = self.func, self.am
        self.cfg = am.get(CFG, func)
        self.tree = am.get(DominatorTree, func)
        self.loops = am.get(LoopInfo, func)
        self.alias = am.get(AliasAnalysis, func)
        self.liveness: Liveness | None = None
        self.candidates = {
            block
            for block in self.cfg.rpo_blocks()
            if any(is_texture_fetch(op) or self.is_slow(op) for op in fast.ops_of(block))
        }

    def is_slow(self, op: Operation) -> bool:
        """Returns True if the op is a slow load."""
        return type(op) is LoadOp and (self.alias.space(fast.operands_of(op)[0]) in _SLOW_SPACES)

    def round(self) -> bool:
        """Visits each op once, and sinks at most as many as the limit; returns whether any was
        sunk."""
        if not self.candidates:
            return False
        count = 0
        for block in self.tree.preorder():
            loop = self.loops.loop_for(block)
            if loop is not None and loop.header is block:
                continue
            for op in list(fast.reversed_ops_of(block)):
                if count >= self.options.sink_limit:
                    return True
                if _may_move(op) and self.sink(op, block):
                    count += 1
        return count > 0

    def sink(self, op: Operation, block: Block) -> bool:
        """Sinks the op if that is legal and profitable; returns whether it did."""
        users = [user for result in op.results for user in fast.users_of(result)]
        homes = {user.parent for user in users}
        if not users or None in homes:
            return False
        if block in homes:
            level = self.options.sink_into_texture
            return level >= INTRA_BLOCK and homes == {block} and self.move_in_block(op, users)
        target: Block | None = None
        for home in homes:
            if home is None or not self.cfg.reachable(home):
                return False
            target = home if target is None else self.tree.nearest_common_dominator(target, home)
        assert target is not None
        reads = bool(effects(op) & READS)
        goal = self.outside_of_loops(target, block)
        if goal is None:
            return False
        if goal is block:
            return not reads and self.sink_into_loop(op, block, target, users)
        fetch = self.carries_fetch(op, block)
        if not fetch and not self.is_for_fetch(users, goal):
            return False
        if self.am.get(PostDominatorTree, self.func).dominates(goal, block):
            # The target post-dominates the block, so sinking only shortens a live range.
            if fetch or not any(map(self.leads_to_texture, users)):
                return False
        if reads and not self.may_load_in(op, block, goal):
            return False
        if holds_near_load(op, self.alias):
            return False
        self.move(op, goal, users, first=reads)
        return True

    def carries_fetch(self, op: Operation, block: Block) -> bool:
        """True if the op is a slow load, or the only user of one in its block."""
        if is_texture_fetch(op) or self.is_slow(op):
            return True
        return any(
            isinstance(value, OpResult)
            and value.op.parent is block
            and (is_texture_fetch(value.op) or self.is_slow(value.op))
            and all(user is op or user.parent is not block for user in fast.users_of(value))
            for value in fast.operands_of(op)
        )

    def leads_to_texture(self, user: Operation, depth: int = 0) -> bool:
        """True if the op is a texture fetch, or is only used for operands of one."""
        if is_texture_fetch(user):
            return True
        if depth > MAX_CHAIN or not _may_move(user) or effects(user) & READS:
            return False
        users = [other for result in user.results for other in fast.users_of(result)]
        return 0 < len(users) <= MAX_USERS and all(
            other.parent is user.parent and self.leads_to_texture(other, depth + 1)
            for other in users
        )

    def is_for_fetch(self, users: list[Operation], goal: Block) -> bool:
        """Returns whether a user in a later block is a slow memory read, or was moved along with
        one.
        """
        return any(
            is_texture_fetch(user)
            or user in self.sunk
            or (self.is_slow(user) and user.parent is goal)
            for user in users
        )

    def outside_of_loops(self, target: Block, block: Block) -> Block | None:
        """The nearest dominator of `target`, or `target` itself, that is in no loop without
        `block`.

        None if it is outside of a loop that contains `block`."""
        loop = self.loops.loop_for(target)
        while loop is not None and not loop.contains(block):
            above = self.tree.immediate_dominator(loop.header)
            if above is None:
                return None
            target = above
            loop = self.loops.loop_for(target)
        own = self.loops.loop_for(block)
        if own is not None and not own.contains(target):
            return None
        return target if self.tree.dominates(block, target) else None

    def sink_into_loop(
        self, op: Operation, block: Block, target: Block, users: list[Operation]
    ) -> bool:
        """Sinks an address computation into the loop of the texture fetch that uses it.

        This saves a register, because all operands of the op are live throughout the loop anyway.
        """
        if self.options.sink_into_texture < OUTSIDE_ONLY or type(op) not in _CHEAP:
            return False
        if not all(map(self.leads_to_texture, users)):
            return False
        loop = self.loops.loop_for(target)
        if loop is None or loop.contains(block):
            return False
        if self.liveness is None:
            self.liveness = Liveness(self.cfg)
        liveness = self.liveness
        for value in fast.operands_of(op):
            if type(value.owner) in CONSTANT_CLASSES:
                continue
            if defining_block(value) is target or not all(
                liveness.is_live_out(value, latch) for latch in loop.latches()
            ):
                return False
        self.move(op, target, users, first=False)
        return True

    def move_in_block(self, op: Operation, users: list[Operation]) -> bool:
        """Moves operands used only by a texture fetch of their block immediately before it."""
        if effects(op) & READS or len(users) != 1 or not self.leads_to_texture(users[0]):
            return False
        (user,) = users
        at = op.next_op
        while at is not None and at is not user and at in self.sunk:
            at = at.next_op
        self.sunk.add(op)
        if at is user or at is None:
            return False
        fast.move_before(op, user)
        self.tell(op)
        return True

    def move(self, op: Operation, target: Block, users: list[Operation], *, first: bool) -> None:
        """Moves the op to the start of the block, or before its first user in it."""
        anchor = target.first_op
        if not first:
            here = {user for user in users if user.parent is target}
            anchor = next((o for o in fast.ops_of(target) if o in here), target.last_op)
        assert anchor is not None
        fast.move_before(op, anchor)
        if self.liveness is not None:
            self.liveness.update((*op.results, *fast.operands_of(op)))
        self.sunk.add(op)
        self.tell(op)

    def tell(self, op: Operation) -> None:
        """Counts a sunk op and emits the remark."""
        SUNK.add()
        block = op.parent
        assert block is not None
        remarks.emit(
            "Passed",
            self.options.name,
            "Sunk",
            self.func.sym_name.data,
            f"sunk {value_name(op.results[0])} to {self.cfg.name(self.cfg.numbers[block])}",
            op=op,
            shown=self.options.dump_sink2,
        )

    def may_load_in(self, op: Operation, block: Block, target: Block) -> bool:
        """Returns whether no op on the paths to the target may write the memory that the op reads."""
        path = self.between(block, target)
        if path is None:
            return False
        writes: list[Operation] = []
        at = op.next_op
        while at is not None:
            if effects(at) & WRITES:
                writes.append(at)
            at = at.next_op
        for inner in path:
            writes += [other for other in fast.ops_of(inner) if effects(other) & WRITES]
            if len(writes) > MAX_WRITES:
                return False
        location = self.alias.location(op)
        if location is not None:
            return not any(self.alias.mod_ref(write, location) & WRITES for write in writes)
        return all(self.spares_textures(write) for write in writes)

    def spares_textures(self, write: Operation) -> bool:
        """Returns True if the write is to memory that cannot contain textures or surfaces."""
        if not effects(write) & ARGUMENTS_ONLY:
            return False
        pointers = [v for v in fast.operands_of(write) if isinstance(v.type, LLVMPointerType)]
        return bool(pointers) and all(self.alias.space(p) in (SHARED, LOCAL) for p in pointers)

    def between(self, block: Block, target: Block) -> set[Block] | None:
        """The blocks on all paths from one block to another that it dominates; None for too
        many."""
        cfg = self.cfg
        end = cfg.numbers[block]
        found: set[int] = set()
        work = [p for p in cfg.predecessors[cfg.numbers[target]] if p != end]
        while work:
            number = work.pop()
            if number in found or cfg.rpo_index[number] < 0:
                continue
            found.add(number)
            if len(found) > MAX_BLOCKS:
                return None
            work.extend(p for p in cfg.predecessors[number] if p != end)
        return {cfg.blocks[number] for number in found}


def _may_move(op: Operation) -> bool:
    if effects(op) & ~(READS | ARGUMENTS_ONLY | UNSPECULATABLE) or not op.results:
        return False
    if type(op) in CONSTANT_CLASSES or type(op) in (AllocaOp, InlineAsmOp):
        return False
    return not fast.successors_of(op)
