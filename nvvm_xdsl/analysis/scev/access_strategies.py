"""Strategies of delinearization: assumptions, shared-memory banks, coalescing.

A strategy is the predicate collector of a delinearization. It receives every assumption and every
term, and evaluates the subscripts at the end. (003, "Predicate collector polymorphism"; CUDA C++
Best Practices Guide, "Coalesced Access to Global Memory", "Shared Memory and Memory Banks".)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import OpResult, SSAValue

from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.ir.nvptx import WARP_SIZE

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.scev.delinearization import Subscripts
    from nvvm_xdsl.analysis.scev.invalidation import Predicate

SECTOR_BYTES = 32
"""Unit of global memory transactions in bytes."""
BANKS = 32
BANK_BYTES = 4


def sectors(stride: int, size: int) -> int:
    """Number of sectors that a warp accesses if thread `n` accesses `size` bytes at `n * stride`.

    The first thread's address is assumed to be aligned to a sector.
    """
    return sectors_of([lane * stride for lane in range(WARP_SIZE)], size)


def sectors_of(addresses: Sequence[int], size: int) -> int:
    """Number of sectors of accesses of `size` bytes at these addresses."""
    touched: set[int] = set()
    for start in addresses:
        touched.update(range(start // SECTOR_BYTES, (start + size - 1) // SECTOR_BYTES + 1))
    return len(touched)


def conflict_degree(stride: int, size: int) -> int:
    """The degree of conflict of threads at a stride, see `conflict_degree_of`."""
    return conflict_degree_of([lane * stride for lane in range(WARP_SIZE)], size)


def conflict_degree_of(addresses: Sequence[int], size: int) -> int:
    """Maximum number of different words that one bank must provide at once: 1 without conflict.

    Accesses of 8 and 16 bytes are processed in two and four parts, of half and quarter warps.

    Arguments:
        addresses: of the threads of a warp, each of which accesses `size` bytes.
    """
    lanes = WARP_SIZE * BANK_BYTES // max(size, BANK_BYTES)
    worst = 1
    for first in range(0, WARP_SIZE, lanes):
        words: dict[int, set[int]] = {}
        for start in addresses[first : first + lanes]:
            for word in range(start // BANK_BYTES, (start + size - 1) // BANK_BYTES + 1):
                words.setdefault(word % BANKS, set()).add(word)
        worst = max(worst, max(len(w) for w in words.values()))
    return worst


Varies: TypeAlias = Callable[[Scev], bool]
"""Whether a value without a formula, or a recurrence, may be divergent."""


def thread_slope(ex: Expressions, expression: Scev, varies: Varies) -> Scev | None:
    """The increase of the expression from one `tid.x` to the next; None if it is not constant.

    Extended indices are assumed not to wrap within a warp, and the threads of a warp to differ in
    `tid.x` only, so that the lane index advances with it.
    """
    slopes: dict[Scev, Scev | None] = {}
    for at in sorted(expression.walk(), key=lambda e: e.depth):
        width = at.width
        parts = [slopes[o] for o in at.operands]
        if at.kind is Kind.UNKNOWN:
            value = at.value
            register = special_register(value.op) if isinstance(value, OpResult) else None
            if register in ("tid.x", "laneid"):
                slopes[at] = ex.one(width)
            elif register in ("tid.y", "tid.z") or not varies(at):
                slopes[at] = ex.zero(max(width, 1))
            else:
                slopes[at] = None
        elif at.kind is Kind.ADD_REC and varies(at):
            slopes[at] = None
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
            slopes[at] = None if parts[0] is None else ex.sext(parts[0], width)
        elif at.kind is Kind.TRUNCATE:
            slopes[at] = None if parts[0] is None else _cut_down(ex, parts[0], width)
        else:
            slopes[at] = None
    return slopes[expression]


def _cut_down(ex: Expressions, slope: Scev, width: int) -> Scev | None:
    """The slope of a value truncated to this many bits; None if it wraps within a warp."""
    cut = ex.trunc(slope, width)
    if slope.kind is Kind.CONSTANT and not cut.is_zero:
        if abs(slope.signed) * (WARP_SIZE - 1) >= 1 << width:
            return None
    return cut


class PredicateCollector:
    """The standard strategy: keeps the assumptions under which the subscripts hold.

    `assumed` are wrap flags of extended expressions. `terms` are the terms that do not step like
    the innermost dimension. `index_entries` are the expressions found for opaque addresses.
    """

    def __init__(self) -> None:
        self.assumed: dict[Predicate, None] = {}
        self.terms: dict[Scev, None] = {}
        self.index_entries: dict[SSAValue, Scev] = {}

    def assume(self, flag: int, expression: Scev) -> bool:
        """True if the subscripts may assume that the expression does not wrap; if so, records
        that."""
        self.assumed[flag, expression] = None
        return True

    def found(self, term: Scev) -> None:
        """Records a term that may be, or contain, the size of a dimension."""
        self.terms[term] = None

    def conclude(self, ex: Expressions, subscripts: Subscripts) -> None:
        """Receives the final subscripts."""


class _WarpStrategy(PredicateCollector):
    """`stride` is the step in bytes over `tid.x` by the subscripts; None if it varies.

    Arguments:
        varies: returns whether a value differs between the threads of a warp.
    """

    stride: Scev | None = None

    def __init__(self, varies: Varies) -> None:
        super().__init__()
        self.varies = varies

    def conclude(self, ex: Expressions, subscripts: Subscripts) -> None:
        width = subscripts.subscripts[0].width
        scale = ex.constant(width, subscripts.element_size)
        total = ex.zero(width)
        for place in range(len(subscripts.subscripts) - 1, -1, -1):
            slope = thread_slope(ex, subscripts.subscripts[place], self.varies)
            if slope is None:
                return
            total = ex.add(total, ex.mul(slope, scale))
            if place:
                scale = ex.mul(scale, subscripts.sizes[place - 1])
        self.stride = total

    @property
    def constant_stride(self) -> int | None:
        """The stride if it is constant."""
        if self.stride is None or self.stride.kind is not Kind.CONSTANT:
            return None
        return self.stride.signed


class SharedMemoryBanks(_WarpStrategy):
    """Bank conflicts: `degree` is the conflict degree; None if it is unknown."""

    degree: int | None = None

    def conclude(self, ex: Expressions, subscripts: Subscripts) -> None:
        super().conclude(ex, subscripts)
        stride = self.constant_stride
        self.degree = None if stride is None else conflict_degree(stride, subscripts.element_size)


class Coalescing(_WarpStrategy):
    """Coalescing: the subscripts that vary with `tid.x`, and the transactions of a warp."""

    transactions: int | None = None

    def __init__(self, varies: Varies) -> None:
        super().__init__(varies)
        self.varying: list[int] = []

    def conclude(self, ex: Expressions, subscripts: Subscripts) -> None:
        super().conclude(ex, subscripts)
        for place, subscript in enumerate(subscripts.subscripts):
            slope = thread_slope(ex, subscript, self.varies)
            if slope is None or not slope.is_zero:
                self.varying.append(place)
        stride = self.constant_stride
        self.transactions = None if stride is None else sectors(stride, subscripts.element_size)
