"""Memory accesses of a warp: coalescing and bank conflicts.

The address of each access is analysed as a formula of `tid.x`. Its stride over `tid.x` determines
the bytes that a warp accesses: in global memory the number of sectors, and in shared memory the
number of different words in one bank. (CUDA C++ Best Practices Guide, "Coalesced Access to Global
Memory", "Shared Memory and Memory Banks".)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from xdsl.dialects.llvm import GlobalOp, LLVMPointerType
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.memory.addresses import base_of
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis
from nvvm_xdsl.analysis.memory.lane_addresses import LaneAddresses
from nvvm_xdsl.analysis.scev.access_strategies import (
    SECTOR_BYTES,
    Coalescing,
    SharedMemoryBanks,
    Varies,
    conflict_degree,
    conflict_degree_of,
    sectors,
    sectors_of,
    thread_slope,
)
from nvvm_xdsl.analysis.scev.delinearization import Subscripts
from nvvm_xdsl.analysis.scev.delinearizer import Delinearized, delinearize_for_warps
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.llvm.accessors import global_type_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import GLOBAL, SHARED, WARP_SIZE

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager


class WarpAccess:
    """One access of a kernel.

    `stride` is the distance in bytes between consecutive threads in `tid.x`: an expression, or None
    if it is unknown or differs between threads. `offsets` are then the distances of each thread's
    address from the common base, if they can be computed. `base` is the pointer at the start of the
    address and `delinearized` its array subscripts, as far as they are known.
    """

    def __init__(
        self,
        op: Operation,
        space: int,
        size: int,
        stride: Scev | None,
        base: Scev | None,
        delinearized: Delinearized | None,
        offsets: tuple[int, ...] | None = None,
    ) -> None:
        self.offsets = offsets
        self.op = op
        self.space = space
        self.size = size
        self.stride = stride
        self.base = base
        self.delinearized = delinearized

    def describe(self) -> tuple[object, ...]:
        """The known facts, in a form that is comparable across analyses."""
        found = self.subscripts
        texts = None if found is None else ([*map(str, found.subscripts)], [*map(str, found.sizes)])
        return self.space, self.size, str(self.stride), str(self.base), texts, self.offsets

    @property
    def subscripts(self) -> Subscripts | None:
        """The subscripts of the array accessed."""
        return None if self.delinearized is None else self.delinearized.subscripts

    @property
    def varying(self) -> list[int] | None:
        """The indices of the subscripts that vary with `tid.x`, in global memory."""
        collector = None if self.delinearized is None else self.delinearized.collector
        return collector.varying if isinstance(collector, Coalescing) else None

    @property
    def constant_stride(self) -> int | None:
        """The stride if it is constant."""
        if self.stride is None or self.stride.kind is not Kind.CONSTANT:
            return None
        return self.stride.signed

    @property
    def transactions(self) -> int | None:
        """Number of sectors of a warp in global memory; None if the addresses are unknown."""
        if self.offsets is not None:
            return sectors_of(self.offsets, self.size)
        stride = self.constant_stride
        return None if stride is None else sectors(stride, self.size)

    @property
    def is_coalesced(self) -> bool:
        """True if a warp accesses no more sectors than its bytes require."""
        return self.transactions is not None and self.transactions <= max(
            1, WARP_SIZE * self.size // SECTOR_BYTES
        )

    @property
    def degree(self) -> int | None:
        """The degree of bank conflict in shared memory; None if the addresses are unknown."""
        if self.offsets is not None:
            return conflict_degree_of(self.offsets, self.size)
        stride = self.constant_stride
        return None if stride is None else conflict_degree(stride, self.size)

    @property
    def verdict(self) -> tuple[str, str]:
        """The cost of the access for a warp: the name of the remark, and text."""
        if self.space == SHARED:
            degree = self.degree
            if degree is None:
                return "Unknown", "conflicts unknown"
            if degree == 1:
                return "NoConflict", "no conflict"
            return "BankConflict", f"{degree}-way conflict"
        count = self.transactions
        if count is None:
            return "Unknown", "transactions unknown"
        moved = f"{count} transaction{'' if count == 1 else 's'} a warp"
        if self.is_coalesced:
            return "Coalesced", f"{moved}, coalesced"
        return "NotCoalesced", f"{moved}, not coalesced"


class WarpAccesses:
    """The accesses of a function to global and shared memory."""

    accesses: list[WarpAccess]

    def __init__(
        self, func: Operation, se: ScalarEvolution, alias: AliasAnalysis, uniformity: Uniformity
    ) -> None:
        self.func = func
        self.se = se
        self.alias = alias
        self.uniformity = uniformity
        self.accesses = []
        self._known: dict[tuple[Scev, int, int, Loop | None], Delinearized | None] = {}
        lanes = LaneAddresses(func, uniformity)
        for block in fast.blocks_of(func.regions[0]):
            for op in fast.ops_of(block):
                location = alias.location(op)
                if location is None or location.size is None:
                    continue
                space = alias.space(location.pointer)
                if space in (GLOBAL, SHARED):
                    pointer = se.get(location.pointer)
                    base = base_pointer(pointer)
                    varies = self._varies(se.loops.loop_for(block))
                    stride = thread_slope(se.expressions, pointer, varies)
                    self.accesses.append(
                        WarpAccess(
                            op,
                            space,
                            location.size,
                            stride,
                            base,
                            None
                            if base is None
                            else self._delinearize(op, pointer, base, location.size, space),
                            lanes.offsets(location.pointer) if stride is None else None,
                        )
                    )

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The accesses of a function."""
        return cls(
            op, am.get(ScalarEvolution, op), am.get(AliasAnalysis, op), am.get(Uniformity, op)
        )

    def _varies(self, inside: Loop | None) -> Varies:
        """The values that differ between the threads of a warp that access memory in a loop, or in
        none.

        Divergent values, and recurrences of other loops that threads leave in different iterations.
        """

        def varies(at: Scev) -> bool:
            if at.value is not None:
                return self.uniformity.is_divergent(at.value)
            loop = at.loop
            if loop is None or loop.contains_loop(inside):
                return False
            return any(
                self.uniformity.has_divergent_branch(b) or self.uniformity.is_divergent_block(b)
                for b in loop.exiting_blocks()
            )

        return varies

    def verify(self) -> None:
        """Recomputes the accesses; raises AssertionError if they differ."""
        tree = DominatorTree(self.func.regions[0])
        se = ScalarEvolution(self.func, tree, LoopInfo(tree), self.se.knobs)
        fresh = WarpAccesses(self.func, se, AliasAnalysis(self.func), Uniformity(self.func))
        assert [a.op for a in fresh.accesses] == [a.op for a in self.accesses], (
            "the accesses of the warp are stale"
        )
        for mine, other in zip(self.accesses, fresh.accesses):
            assert mine.describe() == other.describe(), f"an '{mine.op.name}' is stale"

    def _delinearize(
        self, op: Operation, pointer: Scev, base: Scev, size: int, space: int
    ) -> Delinearized | None:
        inside = self.se.loops.loop_for(op.parent)
        key = pointer, size, space, inside
        if key in self._known:
            return self._known[key]
        varies = self._varies(inside)
        collector = SharedMemoryBanks(varies) if space == SHARED else Coalescing(varies)
        offset = self.se.expressions.sub(pointer, base)
        found = self._known[key] = delinearize_for_warps(
            self.se,
            offset,
            size,
            type_of_array(self.func, base),
            collector,
            is_shared=space == SHARED,
        )
        return found


def type_of_array(func: Operation, base: Scev) -> Attribute | None:
    """The type of the global variable of a base pointer in the function; None for others."""
    if base.value is None:
        return None
    name = base_of(base.value)
    parent = func.parent
    if not isinstance(name, str) or parent is None:
        return None
    for op in fast.ops_of(parent):
        if isinstance(op, GlobalOp) and op.sym_name.data == name:
            return global_type_of(op)
    return None


def _is_pointer(expression: Scev) -> bool:
    return expression.value is not None and isinstance(expression.value.type, LLVMPointerType)


def base_pointer(pointer: Scev) -> Scev | None:
    """The unknown base pointer of an address; None if there is not exactly one."""
    at = pointer
    while at.kind is Kind.ADD_REC:
        at = at.start
    parts = at.operands if at.kind is Kind.ADD else (at,)
    bases = [p for p in parts if p.kind is Kind.UNKNOWN and _is_pointer(p)]
    while not bases and any(p.kind is Kind.ADD_REC for p in parts):
        parts = [p.start for p in parts if p.kind is Kind.ADD_REC]
        parts = [q for p in parts for q in (p.operands if p.kind is Kind.ADD else (p,))]
        bases = [p for p in parts if p.kind is Kind.UNKNOWN and _is_pointer(p)]
    return bases[0] if len(bases) == 1 else None
