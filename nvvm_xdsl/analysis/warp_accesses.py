"""How the threads of a warp access memory together: coalescing and bank conflicts.

The address of each access is taken as a formula of `tid.x`. Its step from one thread to the
next says which bytes a warp touches: in global memory how many sectors must be moved, in
shared memory how often a bank is asked for different words. (CUDA C++ Best Practices Guide,
"Coalesced Access to Global Memory", "Shared Memory and Memory Banks".)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from xdsl.dialects.llvm import GlobalOp, LLVMPointerType
from xdsl.ir import Attribute, Operation, OpResult

from nvvm_xdsl.analysis.addresses import base_of
from nvvm_xdsl.analysis.alias import GLOBAL, SHARED, AliasAnalysis
from nvvm_xdsl.analysis.delinearization import Subscripts, delinearize
from nvvm_xdsl.analysis.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.scev import Kind, Scev
from nvvm_xdsl.analysis.special_registers import WARP_SIZE, special_register
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

SECTOR_BYTES = 32
"""What global memory is read and written in."""
BANKS = 32
BANK_BYTES = 4


def sectors(stride: int, size: int) -> int:
    """Sectors that a warp touches when thread `n` accesses `size` bytes at `n * stride`.

    The first thread's address is taken to be aligned to a sector.
    """
    touched: set[int] = set()
    for lane in range(WARP_SIZE):
        start = lane * stride
        touched.update(range(start // SECTOR_BYTES, (start + size - 1) // SECTOR_BYTES + 1))
    return len(touched)


def conflict_degree(stride: int, size: int) -> int:
    """How many different words the most asked bank must give in one go: 1 without conflict.

    Accesses of 8 and 16 bytes go in two and four parts, of half and quarter warps.
    """
    lanes = WARP_SIZE * BANK_BYTES // max(size, BANK_BYTES)
    worst = 1
    for first in range(0, WARP_SIZE, lanes):
        words: dict[int, set[int]] = {}
        for lane in range(first, first + lanes):
            start = lane * stride
            for word in range(start // BANK_BYTES, (start + size - 1) // BANK_BYTES + 1):
                words.setdefault(word % BANKS, set()).add(word)
        worst = max(worst, max(len(w) for w in words.values()))
    return worst


class WarpAccess:
    """One access of a kernel.

    `stride` is the step in bytes from a thread to the next in `tid.x`: an expression, or None
    where it is not the same for all threads. `subscripts` are those of the array accessed, as
    far as they can be told.
    """

    def __init__(
        self,
        op: Operation,
        space: int,
        size: int,
        stride: Scev | None,
        subscripts: Subscripts | None,
    ) -> None:
        self.op = op
        self.space = space
        self.size = size
        self.stride = stride
        self.subscripts = subscripts

    @property
    def constant_stride(self) -> int | None:
        """The stride when it is a number."""
        if self.stride is None or self.stride.kind is not Kind.CONSTANT:
            return None
        return self.stride.signed

    @property
    def transactions(self) -> int | None:
        """Sectors a warp moves in global memory; None when the stride is no number."""
        stride = self.constant_stride
        return None if stride is None else sectors(stride, self.size)

    @property
    def is_coalesced(self) -> bool:
        """Whether a warp moves no more sectors than its bytes need."""
        return self.transactions is not None and self.transactions <= max(
            1, WARP_SIZE * self.size // SECTOR_BYTES
        )

    @property
    def degree(self) -> int | None:
        """The degree of bank conflict in shared memory; None when the stride is no number."""
        stride = self.constant_stride
        return None if stride is None else conflict_degree(stride, self.size)


class WarpAccesses:
    """The accesses of a function to global and shared memory."""

    accesses: list[WarpAccess]

    def __init__(self, func: Operation, se: ScalarEvolution, alias: AliasAnalysis) -> None:
        self.func = func
        self.se = se
        self.alias = alias
        self.accesses = []
        for block in fast.blocks_of(func.regions[0]):
            for op in fast.ops_of(block):
                location = alias.location(op)
                if location is None or location.size is None:
                    continue
                space = alias.space(location.pointer)
                if space in (GLOBAL, SHARED):
                    pointer = se.get(location.pointer)
                    self.accesses.append(
                        WarpAccess(
                            op,
                            space,
                            location.size,
                            self._slope(pointer),
                            self._subscripts(pointer, location.size),
                        )
                    )

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The accesses of a function."""
        return cls(op, am.get(ScalarEvolution, op), am.get(AliasAnalysis, op))

    def _slope(self, expression: Scev) -> Scev | None:
        """What the expression grows by from one `tid.x` to the next; None when that varies."""
        ex = self.se.expressions
        slopes: dict[Scev, Scev | None] = {}
        order: list[Scev] = []
        stack = [expression]
        seen: set[Scev] = set()
        while stack:
            at = stack.pop()
            if at not in seen:
                seen.add(at)
                stack.extend(at.operands)
                order.append(at)
        for at in sorted(order, key=lambda e: e.depth):
            width = at.width
            parts = [slopes[o] for o in at.operands]
            if at.kind is Kind.UNKNOWN:
                value = at.value
                reads = isinstance(value, OpResult) and special_register(value.op) == "tid.x"
                slopes[at] = ex.one(width) if reads else ex.zero(max(width, 1))
            elif all(p is not None and p.is_zero for p in parts):
                slopes[at] = ex.zero(max(width, 1))
            elif at.kind is Kind.ADD:
                slopes[at] = None if None in parts else ex.add(*(p for p in parts if p is not None))
            elif at.kind is Kind.MUL:
                moving = [n for n, p in enumerate(parts) if p is None or not p.is_zero]
                slope = parts[moving[0]] if len(moving) == 1 else None
                others = [o for n, o in enumerate(at.operands) if n != moving[0]]
                slopes[at] = None if slope is None else ex.mul(slope, *others)
            elif at.kind is Kind.ADD_REC:
                fixed = all(p is not None and p.is_zero for p in parts[1:])
                slopes[at] = parts[0] if fixed else None
            elif at.kind in (Kind.ZERO_EXTEND, Kind.SIGN_EXTEND):
                # Indices are taken not to wrap within a warp.
                slopes[at] = None if parts[0] is None else ex.sext(parts[0], width)
            elif at.kind is Kind.TRUNCATE:
                slopes[at] = None if parts[0] is None else ex.trunc(parts[0], width)
            else:
                slopes[at] = None
        return slopes[expression]

    def _subscripts(self, pointer: Scev, size: int) -> Subscripts | None:
        base = base_pointer(pointer)
        if base is None:
            return None
        offset = self.se.expressions.sub(pointer, base)
        return delinearize(self.se.expressions, offset, size, self._array_type(base))

    def _array_type(self, base: Scev) -> Attribute | None:
        if base.value is None:
            return None
        name = base_of(base.value)
        parent = self.func.parent
        if not isinstance(name, str) or parent is None:
            return None
        for op in fast.ops_of(parent):
            if isinstance(op, GlobalOp) and op.sym_name.data == name:
                return op.properties.get("global_type")
        return None


def _is_pointer(expression: Scev) -> bool:
    return expression.value is not None and isinstance(expression.value.type, LLVMPointerType)


def base_pointer(pointer: Scev) -> Scev | None:
    """The unknown pointer that an address starts from; None when there is not just one."""
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
