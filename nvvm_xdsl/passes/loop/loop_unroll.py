"""`loop-unroll`: loops that run a known number of rounds become that many copies of their body.

    llvm.br ^loop(%c0 : i32)                        %p0 = llvm.getelementptr %a[0] : ...
  ^loop(%i: i32):                                   llvm.store %x, %p0 : f32, !llvm.ptr
    %p = llvm.getelementptr %a[%i] : ...     ->     %p1 = llvm.getelementptr %a[1] : ...
    llvm.store %x, %p : f32, !llvm.ptr              llvm.store %x, %p1 : f32, !llvm.ptr
    %n = llvm.add %i, %c1 : i32                     llvm.br ^exit
    %c = llvm.icmp "ne" %n, %c2 : i32
    llvm.cond_br %c, ^loop(%n : i32), ^exit

The first round is copied in front of the loop until nothing comes to the loop any more; what a round
computes of constants is folded before the next is copied, so that its tests are gone. A loop whose
body gets small enough by that is unrolled; one that indexes a local array is worth more, as the
array, whose indices become constants, becomes registers (`sroa`, which the sequences run behind
this pass). `#pragma unroll` and `unroll_count` that reach the trip count are followed up to a larger
size, `#pragma nounroll` always.

Threads go through the copies together as through the rounds, since none of the tests is left: so ops
that threads run together may be copied. A loop without such ops that may also be left otherwise is
unrolled by the most rounds that it can run, where these are few or it is asked for. (LLVM's
LoopUnrollPass.cpp, whose thresholds these are; the sequences' row 23, sub_19C1680.) Partial unrolling
is left to ptxas, which does it by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from xdsl.dialects.llvm import (
    AllocaOp,
    CallOp,
    CondBrOp,
    FuncOp,
    GEPOp,
    LoadOp,
    StoreOp,
    UnreachableOp,
)
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.warp_accesses import base_pointer
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr, LoopUnrollAttr
from nvvm_xdsl.ir import branches, fast, remarks
from nvvm_xdsl.ir.attributes import int_value, integer_of, symbol_name
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.passes.utils.cfg import (
    merge_into_predecessor,
    remove_unreachable_blocks,
    replace_arguments,
)
from nvvm_xdsl.passes.utils.conditionals import fold_users
from nvvm_xdsl.passes.utils.constants import CONSTANT_CLASSES, Constants
from nvvm_xdsl.passes.utils.loops import LoopCopier, form_lcssa, why_not_copied

UNROLL_THRESHOLD: Final = 300
PRAGMA_UNROLL_THRESHOLD: Final = 16 * 1024
UNROLL_MAX_UPPERBOUND: Final = 8
"""LLVM's defaults."""
UNROLL_THRESHOLD_PRIVATE: Final = 2700
"""What LLVM's AMDGPU target takes for loops that index an array of a thread's own."""

CALL_SIZE: Final = 10
"""What a call counts for that stays one."""

_FREE = frozenset({*CONSTANT_CLASSES, GEPOp})
_FREE_NAMES = frozenset(
    {
        "llvm.br",
        "llvm.bitcast",
        "llvm.addrspacecast",
        "llvm.ptrtoint",
        "llvm.inttoptr",
        "llvm.mlir.addressof",
        "llvm.intr.lifetime.start",
        "llvm.intr.lifetime.end",
        "llvm.intr.assume",
        "llvm.intr.dbg.value",
        "llvm.intr.dbg.declare",
        "llvm.intr.experimental.noalias.scope.decl",
    }
)
"""Ops that become no instruction, or part of one."""


@dataclass(frozen=True)
class Request:
    """What the loop's annotation asks for: never, in full, or so many copies; 0 where nothing."""

    never: bool = False
    full: bool = False
    count: int = 0


@dataclass(frozen=True)
class LoopUnroll(LoopPass):
    """Unrolls loops whose trip count is known in full."""

    name = "loop-unroll"
    title = "LoopUnroll"

    unroll_threshold: int = UNROLL_THRESHOLD
    """The most ops that a loop may become."""

    pragma_unroll_threshold: int = PRAGMA_UNROLL_THRESHOLD
    """The most ops that a loop may become which is annotated to be unrolled."""

    unroll_threshold_private: int = UNROLL_THRESHOLD_PRIVATE
    """The most ops that a loop may become whose unrolling makes an index of a local array
    constant."""

    unroll_max_upperbound: int = UNROLL_MAX_UPPERBOUND
    """The most rounds by which a loop is unrolled that may run fewer."""

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        request = request_of(loop)
        if request.never:
            return False
        se = am.get(ScalarEvolution, func)
        rounds = se.trip_count(loop)
        if rounds is None:
            rounds = self._most_rounds(loop, se, request)
        if rounds is None:
            if request.full or request.count:
                self._miss(func, loop, "its trip count is not a constant")
            return False
        if why_not_copied(loop) is not None:
            return False
        size, folded, is_private = measure(loop, se)
        limit = self.unroll_threshold
        if request.full or request.count >= rounds:
            limit = self.pragma_unroll_threshold
        elif request.count:
            return False
        elif is_private:
            limit = max(limit, self.unroll_threshold_private)
        unrolled = (size - folded) * rounds
        if unrolled > limit:
            self._miss(func, loop, f"it would become {unrolled} ops, and {limit} is the most")
            return False
        se.forget_after_unrolling(loop)
        where = loop.header.first_op
        unroll(func, loop, rounds)
        if remarks.wanted():
            remarks.emit(
                "Passed", self.name, "FullyUnrolled", symbol_name(func) or "",
                f"completely unrolled loop with {rounds} iterations", op=where,
            )  # fmt: skip
        return True

    def _most_rounds(self, loop: Loop, se: ScalarEvolution, request: Request) -> int | None:
        """The most rounds that a loop runs which may be left otherwise, when that is of use."""
        most = se.constant_max_backedge_taken_count(loop)
        if most is None or most >= self.pragma_unroll_threshold:
            return None
        if not request.full and most + 1 > self.unroll_max_upperbound:
            return None
        # The tests stay: threads would meet at other ops than they do in the loop.
        if any(effects(op) & CONVERGENT for block in loop.blocks for op in fast.ops_of(block)):
            return None
        return most + 1

    def _miss(self, func: FuncOp, loop: Loop, reason: str) -> None:
        if remarks.wanted():
            remarks.emit(
                "Missed", self.name, "NotFullyUnrolled", symbol_name(func) or "",
                f"loop not unrolled: {reason}", op=loop.header.last_op,
            )  # fmt: skip


def request_of(loop: Loop) -> Request:
    """What the annotation at the loop's latches asks for."""
    for latch in loop.latches():
        annotation = branches.terminator_of(latch).properties.get("loop_annotation")
        if not isinstance(annotation, LoopAnnotationAttr):
            continue
        found = annotation.unroll
        if not isinstance(found, LoopUnrollAttr):
            continue
        count = int_value(found.count)
        # `unroll.enable` is written as disable = false.
        disable = integer_of(found.disable)
        if disable or count == 1:
            return Request(never=True)
        is_enabled = disable == 0 and not count
        return Request(full=bool(int_value(found.full)) or is_enabled, count=count)
    return Request()


def size_of(op: Operation) -> int:
    """How many instructions the op counts for."""
    if op.__class__ in _FREE or op.name in _FREE_NAMES:
        return 0
    if isinstance(op, CallOp):
        return CALL_SIZE + len(fast.operands_of(op))
    return 1


def measure(loop: Loop, se: ScalarEvolution) -> tuple[int, int, bool]:
    """The size of a round, what of it is folded away, and whether it indexes a local array.

    A value is folded whose formula is one of the round's number and constants; a branch or
    comparison on such values too.
    """
    size = folded = 0
    is_private = False
    known: set[SSAValue] = set()
    for block in loop.blocks:
        for argument in block.args:
            if se.width_of(argument.type) and _is_of_rounds(se.get(argument), loop):
                known.add(argument)
    for block in loop.blocks:
        for op in fast.ops_of(block):
            cost = size_of(op)
            size += cost
            operands = fast.operands_of(op)
            results = op.results
            if isinstance(op, (LoadOp, StoreOp)):
                is_private = is_private or _becomes_constant(op, loop, se)
            elif results and (
                (se.width_of(results[0].type) and _is_of_rounds(se.get(results[0]), loop))
                or (
                    op.name in ("llvm.icmp", "llvm.select")
                    and all(v in known or _is_constant(v) for v in operands)
                )
            ):
                known.add(results[0])
                folded += cost
            elif isinstance(op, CondBrOp) and operands[0] in known:
                folded += cost
    return size, folded, is_private


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value, OpResult) and value.op.__class__ in CONSTANT_CLASSES


def _is_of_rounds(expression: Scev, loop: Loop) -> bool:
    """Whether the expression is a number in each round of the loop."""
    return all(
        part.kind is not Kind.UNKNOWN
        and part.kind is not Kind.COULD_NOT_COMPUTE
        and (part.kind is not Kind.ADD_REC or part.loop is loop)
        for part in expression.walk()
    )


def _becomes_constant(access: Operation, loop: Loop, se: ScalarEvolution) -> bool:
    """Whether an access of a local array has an index that changes, but is a number in each round.

    All other accesses of the array must have such indices too, of whatever loops: one that does
    not keeps the array in memory.
    """
    pointer = se.get(fast.operands_of(access)[isinstance(access, StoreOp)])
    base = base_pointer(pointer)
    value = base.value if base is not None else None
    if base is None or not isinstance(value, OpResult) or not isinstance(value.op, AllocaOp):
        return False
    if loop.defines(value):
        return False
    offset = se.expressions.sub(pointer, base)
    return any(
        part.kind is Kind.ADD_REC and part.loop is loop and _is_of_rounds(part, loop)
        for part in offset.walk()
    ) and _is_indexed_by_rounds(value, base, se)


def _is_indexed_by_rounds(array: SSAValue, base: Scev, se: ScalarEvolution) -> bool:
    """Whether every access of the array has an index that is made of rounds of counted loops."""
    work = [array]
    while work:
        pointer = work.pop()
        for user, index in fast.uses_of(pointer):
            if user.__class__ is GEPOp and index == 0:
                work.append(user.results[0])
            elif isinstance(user, (LoadOp, StoreOp)) and index == isinstance(user, StoreOp):
                offset = se.expressions.sub(se.get(pointer), base)
                for part in offset.walk():
                    if part.kind in (Kind.UNKNOWN, Kind.COULD_NOT_COMPUTE):
                        return False
                    if part.loop is not None and se.trip_count(part.loop) is None:
                        return False
            elif user.name not in _FREE_NAMES:
                return False
    return True


def unroll(func: FuncOp, loop: Loop, rounds: int) -> None:
    """Puts `rounds` copies of a loop that runs so often in its place."""
    form_lcssa(loop)
    constants = Constants(func)
    copier = LoopCopier(func, loop)
    header = loop.header
    latches = loop.latches()
    made: list[Block] = []
    for number in range(rounds):
        blocks = copier.peel()
        made += blocks.values()
        first = blocks[header]
        _take_what_is_brought(first)
        is_last = number == rounds - 1
        if is_last:
            for latch in latches:
                _end_at(blocks[latch], header)
        fold_users([op for block in blocks.values() for op in fast.ops_of(block)], constants)
        if not any(block not in loop.block_set for block in fast.predecessors_of(header)):
            break
    remove_unreachable_blocks(func.regions[0])
    for block in made:
        if block.parent is not None:
            merge_into_predecessor(block)


def _take_what_is_brought(block: Block) -> None:
    """Puts the values of the only edge to a block in the place of its arguments."""
    before = fast.predecessors_of(block)
    if len(before) != 1:
        return
    terminator = branches.terminator_of(before[0])
    edges = branches.edges_of(terminator)
    (values,) = [brought for target, brought in edges if target is block]
    branches.set_edges(terminator, [(b, () if b is block else v) for b, v in edges])
    replace_arguments(block, values)


def _end_at(latch: Block, header: Block) -> None:
    """Lets a latch of the last round not go on: its other edge is taken, or none."""
    terminator = branches.terminator_of(latch)
    others = [edge for edge in branches.edges_of(terminator) if edge[0] is not header]
    if terminator.name == "llvm.cond_br" and len(others) == 1:
        new: Operation = branches.branch(*others[0])
    elif not others:
        new = fast.create(UnreachableOp, (), ())
    else:
        return
    new.location = terminator.location
    fast.insert_before(new, terminator)
    fast.erase(terminator)
