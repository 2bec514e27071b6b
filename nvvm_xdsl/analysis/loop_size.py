"""The size of a loop, and the reduction of its size by unrolling."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Final

from xdsl.dialects.llvm import AllocaOp, CallOp, CondBrOp, GEPOp, LLVMArrayType, LoadOp, StoreOp
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.memory.warp_accesses import base_pointer
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.dialects.llvm.accessors import element_type_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, is_constant
from nvvm_xdsl.ir import fast

CALL_SIZE: Final = 10
"""The cost of a call that is not inlined."""

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
"""Ops that become no instruction, or part of another one."""


@dataclass(frozen=True)
class LoopSize:
    """The size of a loop, its inner loops counted once.

    Arguments:
        size: ops of one iteration.
        array: the elements of the largest local array that is accessed; 0 without one.
        is_convergent: whether it contains a convergent op.
        has_calls: whether it calls functions.
    """

    size: int
    array: int
    is_convergent: bool
    has_calls: bool


@dataclass(frozen=True)
class Folding:
    """The ops of a loop that full unrolling simplifies.

    Arguments:
        folded: the number of ops of one iteration that have a known value in each copy.
        is_private: whether unrolling makes the indices of all accesses of a local array constant.
    """

    folded: int
    is_private: bool


class LoopSizes:
    """Measures loops of one function in its current form."""

    def __init__(self, se: ScalarEvolution) -> None:
        self._se = se
        self._indexed_by_rounds: dict[SSAValue, bool] = {}
        self._known: dict[Loop, LoopSize] = {}

    def of(self, loop: Loop) -> LoopSize:
        """The size of a loop, computed on demand."""
        if loop not in self._known:
            self._known[loop] = _measure(loop)
        return self._known[loop]

    def folding(self, loop: Loop) -> Folding:
        """The simplification by full unrolling.

        A value is folded if its formula consists of the iteration's number and constants. A branch or
        comparison of such values is folded too.
        """
        se = self._se
        folded = 0
        is_private = False
        rounds = _OfRounds(loop)
        known: set[SSAValue] = set()
        for block in loop.blocks:
            for argument in block.args:
                if se.width_of(argument.type) and rounds.holds(se.get(argument)):
                    known.add(argument)
        for block in loop.blocks:
            for op in fast.ops_of(block):
                operands = fast.operands_of(op)
                results = op.results
                if type(op) is LoadOp or type(op) is StoreOp:
                    pointer = operands[type(op) is StoreOp]
                    is_private = is_private or self._becomes_constant(pointer, loop, rounds)
                elif results and (
                    (se.width_of(results[0].type) and rounds.holds(se.get(results[0])))
                    or (
                        op.name in ("llvm.icmp", "llvm.select")
                        and all(v in known or is_constant(v) for v in operands)
                    )
                ):
                    known.add(results[0])
                    folded += size_of(op)
                elif type(op) is CondBrOp and operands[0] in known:
                    folded += size_of(op)
        return Folding(folded, is_private)

    def _becomes_constant(self, address: SSAValue, loop: Loop, rounds: _OfRounds) -> bool:
        """Returns whether unrolling makes the indices of a local array constant."""
        pointer = self._se.get(address)
        base = base_pointer(pointer)
        value = base.value if base is not None else None
        if base is None or not isinstance(value, OpResult) or not isinstance(value.op, AllocaOp):
            return False
        if loop.defines(value):
            return False
        offset = self._se.expressions.sub(pointer, base)
        if not any(
            part.kind is Kind.ADD_REC and part.loop is loop and rounds.holds(part)
            for part in offset.walk()
        ):
            return False
        if value not in self._indexed_by_rounds:
            self._indexed_by_rounds[value] = self._is_indexed_by_counters(value, base)
        return self._indexed_by_rounds[value]

    def _is_indexed_by_counters(self, array: SSAValue, base: Scev) -> bool:
        """Returns whether every access of the array has an index that depends only on iterations of
        counted loops.

        An access without such an index keeps the array in memory.
        """
        se = self._se
        work = [array]
        while work:
            pointer = work.pop()
            for user, index in fast.uses_of(pointer):
                if type(user) is GEPOp and index == 0:
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


def _measure(loop: Loop) -> LoopSize:
    size = array = 0
    is_convergent = has_calls = False
    for block in loop.blocks:
        for op in fast.ops_of(block):
            size += size_of(op)
            if effects(op) & CONVERGENT:
                is_convergent = True
            cls = type(op)
            if cls is CallOp:
                has_calls = True
            elif cls is LoadOp or cls is StoreOp:
                array = max(array, _elements(fast.operands_of(op)[cls is StoreOp]))
    return LoopSize(size, array, is_convergent, has_calls)


class _OfRounds:
    """Classifies expressions as constant in each iteration of a loop; caches the answers."""

    def __init__(self, loop: Loop) -> None:
        self._loop = loop
        self._known: dict[Scev, bool] = {}

    def holds(self, expression: Scev) -> bool:
        """Returns whether the expression is a constant in each iteration of the loop."""
        known = self._known
        stack = [expression]
        while stack:
            at = stack[-1]
            if at in known:
                stack.pop()
                continue
            missing = [o for o in at.operands if o not in known]
            if missing:
                stack += missing
                continue
            stack.pop()
            known[at] = (
                at.kind is not Kind.UNKNOWN
                and at.kind is not Kind.COULD_NOT_COMPUTE
                and (at.kind is not Kind.ADD_REC or at.loop is self._loop)
                and all(known[o] for o in at.operands)
            )
        return known[expression]


def size_of(op: Operation) -> int:
    """The number of instructions that the op counts for."""
    if type(op) in _FREE or op.name in _FREE_NAMES:
        return 0
    if type(op) is CallOp:
        return CALL_SIZE + len(fast.operands_of(op))
    return 1


def _elements(pointer: SSAValue) -> int:
    """The number of elements of the local array that a pointer points into; 0 for other
    pointers."""
    at = pointer
    while isinstance(at, OpResult) and (type(at.op) is GEPOp or at.op.name == "llvm.addrspacecast"):
        at = fast.operands_of(at.op)[0]
    if not isinstance(at, OpResult) or not isinstance(at.op, AllocaOp):
        return 0
    sizes: list[int] = []
    type_: Attribute = element_type_of(at.op)
    while isinstance(type_, LLVMArrayType):
        sizes.append(type_.size.data)
        type_ = type_.type
    return prod(sizes) if sizes else 0
