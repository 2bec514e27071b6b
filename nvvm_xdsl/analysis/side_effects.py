"""Side effects and speculatability of ops, for passes that move, erase or duplicate them.

Properties that depend only on the class of an op are looked up in sets; all others are derived from
the effects table (`dialects/effects.py`).
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import llvm
from xdsl.ir import Operation

from nvvm_xdsl.dialects.effects import (
    BLOCKS_REMOVAL,
    EVERYTHING,
    READS,
    UNSPECULATABLE,
    WRITES,
    effects,
    effects_table,
)
from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast

_CHEAP = (
    "add sub shl lshr ashr and or xor icmp fcmp select trunc zext sext bitcast addrspacecast "
    "inttoptr ptrtoint freeze getelementptr extractvalue insertvalue extractelement "
    "insertelement shufflevector fneg mlir.addressof mlir.constant mlir.undef mlir.zero "
    "mlir.poison intr.smax intr.smin intr.umax intr.umin intr.abs intr.fabs intr.copysign "
    "intr.fshl intr.fshr"
).split()

_MODERATE = (
    "mul fadd fsub fmul fpext fptrunc sitofp uitofp fptosi fptoui intr.fma intr.fmuladd "
    "intr.maxnum intr.minnum intr.maximum intr.minimum intr.ctpop intr.ctlz intr.cttz "
    "intr.bswap intr.bitreverse intr.floor intr.ceil intr.trunc intr.rint intr.nearbyint "
    "intr.round intr.roundeven intr.sadd.sat intr.uadd.sat intr.ssub.sat intr.usub.sat "
    "intr.sadd.with.overflow intr.uadd.with.overflow intr.ssub.with.overflow "
    "intr.usub.with.overflow intr.smul.with.overflow intr.umul.with.overflow intr.ptrmask "
    "intr.is.fpclass intr.scmp intr.ucmp"
).split()

_EXPENSIVE = (
    "fdiv frem intr.sqrt intr.sin intr.cos intr.tan intr.exp intr.exp2 intr.exp10 intr.log "
    "intr.log2 intr.log10 intr.pow intr.powi intr.ldexp intr.tanh intr.sinh intr.cosh "
    "intr.asin intr.acos intr.atan intr.atan2"
).split()

_DIVISIONS = "udiv sdiv urem srem".split()


def _classes(names: Sequence[str]) -> frozenset[type[Operation]]:
    return frozenset(op_class(f"llvm.{name}") for name in names)


DIVISIONS = _classes(_DIVISIONS)
"""Integer divisions: undefined for some operands, so not speculatable in general."""

COSTS: dict[type[Operation], int] = {
    **dict.fromkeys(_classes(_CHEAP), 1),
    **dict.fromkeys(_classes(_MODERATE), 1),
    **dict.fromkeys(_classes(_EXPENSIVE), 4),
    **dict.fromkeys(CONSTANT_CLASSES, 0),
    llvm.AddressOfOp: 0,
}
"""By class, the cost of speculating an op that is always safe."""

COMMUTATIVE = frozenset(
    {
        llvm.AddOp,
        llvm.MulOp,
        llvm.AndOp,
        llvm.OrOp,
        llvm.XOrOp,
        llvm.FAddOp,
        llvm.FMulOp,
        *_classes("intr.smax intr.smin intr.umax intr.umin intr.uadd.sat intr.sadd.sat".split()),
        *_classes([f"intr.{s}{op}.with.overflow" for s in "su" for op in ("add", "mul")]),
        *_classes("intr.maxnum intr.minnum intr.maximum intr.minimum".split()),
        *_classes("intr.fma intr.fmuladd".split()),
    }
)
"""Ops whose first two operands commute."""

UNKNOWN_COST = 2
"""The cost of a safe op without a row in `COSTS`: a special register ..."""

_TABLE = effects_table()
_TERMINATORS: frozenset[type[Operation]] = frozenset({llvm.ReturnOp, llvm.UnreachableOp})

_expressions: dict[type[Operation], bool] = {llvm.LoadOp: False, llvm.StoreOp: False}
"""Whether ops of a class are expressions, if that is the same for all with results."""

_removable: dict[type[Operation], bool] = {llvm.StoreOp: False}
"""Whether ops of a class are removable, if that is the same for all."""


def is_expression(op: Operation) -> bool:
    """Returns True if two such ops with equal operands and properties have equal results.

    This does not imply that the op may be speculated: see `speculation_cost`.
    """
    cls = type(op)
    try:
        known = _expressions[cls]
    except KeyError:
        known = not effects(op) & ~UNSPECULATABLE
        if isinstance(_TABLE.get(cls, EVERYTHING), int):
            _expressions[cls] = known
    return known and bool(op.results)


def is_removable(op: Operation) -> bool:
    """Returns True if the op may be erased once its results have no uses. Terminators may not."""
    cls = type(op)
    known = _removable.get(cls)
    if known is not None:
        return known
    if effects(op) & BLOCKS_REMOVAL:
        known = cls is llvm.AllocaOp
    else:
        known = not fast.successors_of(op) and cls not in _TERMINATORS
    # Only for terminators the op determines whether there are successors; other ops have none.
    if op.next_op is not None and isinstance(_TABLE.get(cls, EVERYTHING), int):
        _removable[cls] = known
    return known


def may_write(op: Operation) -> bool:
    """Returns True if the op may change memory, or synchronize with other threads."""
    return effects(op) & WRITES != 0


def may_read(op: Operation) -> bool:
    """Returns whether the op's results or effects may depend on memory."""
    return effects(op) & READS != 0


def speculation_cost(op: Operation) -> int | None:
    """The cost of speculating the op; None if it must not be speculated.

    A division may be speculated if its divisor is a constant for which it is always defined.
    """
    cost = COSTS.get(type(op))
    if cost is not None:
        return cost
    if type(op) in DIVISIONS:
        divisor = constant_integer(fast.operands_of(op)[1])
        return 4 if divisor is not None and divisor not in (0, -1) else None
    # Inline assembly without side effects may still load from an address that is only valid after a
    # branch.
    if effects(op) or type(op) is llvm.InlineAsmOp or not op.results:
        return None
    return UNKNOWN_COST
