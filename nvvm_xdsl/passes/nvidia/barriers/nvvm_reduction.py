"""`nvvm-reduction`: replaces reductions over a warp by five shuffles with one instruction.

    %s16 = nvvm.shfl.sync bfly %all, %x, 16, 31
    %x16 = llvm.add %x, %s16 : i32
    %s8 = nvvm.shfl.sync bfly %all, %x16, 8, 31
    %x8 = llvm.add %x16, %s8 : i32             ->    %x1 = nvvm.redux.sync add %x, %all : i32 -> i32
    ...
    %s1 = nvvm.shfl.sync bfly %all, %x2, 1, 31
    %x1 = llvm.add %x2, %s1 : i32

Only integer reductions are replaced: sums, bitwise operations, minima and maxima, whose result does
not depend on the order. The five distances may be in any order. All five shuffles must be in one
block and name all lanes of the warp, and the intermediate results must have no other uses. With
`shfl.down` only lane 0 has the whole result: then all uses must be in code that only lane 0
executes. `redux` requires sm_80, so the pass needs `arch`.

The optimizer document states the name and the position (NVVMReduction, SM-specific). Atomics of a
warp on one address are not combined here, because ptxas combines them.

Benefit: no benchmark kernel reduces over a warp. A kernel that sums each warp's numbers executes 24
machine instructions instead of 40 (libNVVM's code: 40).
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import AddOp, AndOp, CondBrOp, FuncOp, ICmpOp, OrOp, XOrOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.uniformity import shuffle_kind
from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.generated.nvvm_enums import ReduxKind
from nvvm_xdsl.dialects.llvm.accessors import predicate_of
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_number
from nvvm_xdsl.dialects.llvm.ops import SMaxOp, SMinOp, UMaxOp, UMinOp
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import I32
from nvvm_xdsl.dialects.nvvm.enum_attributes import ReduxKindAttr
from nvvm_xdsl.dialects.nvvm.ops import ReduxOp, ShflOp
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass

REDUCED = remarks.Statistic(
    "nvvm-reduction", "reduced", "Number of reductions replaced by one instruction"
)

FIRST_ARCH = 80
"""The first SM with `redux.sync`."""

KINDS: dict[type[Operation], ReduxKind] = {
    AddOp: ReduxKind.ADD,
    AndOp: ReduxKind.AND,
    OrOp: ReduxKind.OR,
    XOrOp: ReduxKind.XOR,
    SMinOp: ReduxKind.MIN,
    SMaxOp: ReduxKind.MAX,
    UMinOp: ReduxKind.UMIN,
    UMaxOp: ReduxKind.UMAX,
}

DISTANCES = frozenset({1, 2, 4, 8, 16})
WHOLE_WARP = 0xFFFFFFFF
LAST_LANE = 31
EQUAL, UNEQUAL = 0, 1


@dataclass(frozen=True)
class NVVMReduction(FunctionPass):
    """Replaces reductions over a warp by one instruction.

    Arguments:
        arch: the SM as a number, such as 90; 0 if unknown.
    """

    name = "nvvm-reduction"
    title = "NVVMReduction"

    arch: int = 0

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if self.arch < FIRST_ARCH:
            return False
        changed = False
        for op in list(walk_function(func)):
            # A part of an earlier reduction may have been erased.
            if op.parent is None or type(op) not in KINDS:
                continue
            chain = _chain(op)
            if chain is None or (chain.kind == "down" and not _only_in_lane_0(op, func, am)):
                continue
            _replace(op, chain)
            REDUCED.add()
            changed = True
        return changed


@dataclass
class _Chain:
    """A reduction: the reduced value, the shuffles' kind and mask, and the ops, last first."""

    value: SSAValue
    kind: str
    mask: SSAValue
    ops: list[Operation]


def _chain(last: Operation) -> _Chain | None:
    """The reduction whose last step is the op."""
    ops: list[Operation] = []
    distances: set[int] = set()
    kind = ""
    mask: SSAValue | None = None
    at = last
    while True:
        step = _step(at)
        if step is None:
            return None
        value, shuffle = step
        if at.parent is not last.parent or shuffle.parent is not last.parent:
            return None
        _, _, distance, _ = fast.operands_of(shuffle)
        number = constant_number(distance)
        if number is None or number in distances:
            return None
        own = shuffle_kind(shuffle)
        if own not in ("bfly", "down") or own != (kind or own):
            return None
        kind, mask = own, fast.operands_of(shuffle)[0]
        distances.add(number)
        ops += [at, shuffle]
        if len(distances) == len(DISTANCES) and distances >= DISTANCES:
            return _Chain(value, kind, mask, ops)
        if number not in DISTANCES or not isinstance(value, OpResult):
            return None
        if type(value.op) is not type(last) or not _is_used_by(value, at, shuffle):
            return None
        at = value.op


def _step(op: Operation) -> tuple[SSAValue, Operation] | None:
    """The value that an op combines with a shuffle of itself, and the shuffle; None for other
    ops.
    """
    if op.results[0].type is not I32:
        return None
    a, b = fast.operands_of(op)
    for value, moved in ((a, b), (b, a)):
        if isinstance(moved, OpResult) and type(moved.op) is ShflOp:
            shuffle = moved.op
            mask, source, _, clamp = fast.operands_of(shuffle)
            if (
                source is value
                and fast.single_use(moved) is not None
                and "return_value_and_is_valid" not in shuffle.properties
                and constant_number(mask) in (WHOLE_WARP, -1)
                and constant_number(clamp) == LAST_LANE
            ):
                return value, shuffle
    return None


def _is_used_by(value: SSAValue, *ops: Operation) -> bool:
    """Returns True if only these ops use the value."""
    return all(user in ops for user in fast.users_of(value))


def _replace(last: Operation, chain: _Chain) -> None:
    kind = ReduxKindAttr(KINDS[type(last)])
    redux = fast.create(ReduxOp, (chain.value, chain.mask), (I32,), {"kind": kind})
    fast.insert_before(redux, last)
    fast.replace_op(last, redux.results)
    for op in chain.ops[1:]:
        fast.erase(op)


def _only_in_lane_0(op: Operation, func: FuncOp, am: AnalysisManager) -> bool:
    """Returns True if all uses of the op's result are dominated by a branch that only lane 0
    takes."""
    tree = am.get(DominatorTree, func)
    (result,) = op.results
    return result.first_use is not None and all(
        user.parent is not None and _is_in_lane_0(user.parent, tree)
        for user in fast.users_of(result)
    )


def _is_in_lane_0(block: Block, tree: DominatorTree) -> bool:
    at: Block | None = block
    while at is not None:
        above = fast.single_predecessor(at)
        if above is not None and type(above.last_op) is CondBrOp:
            branch = fast.terminator_of(above)
            taken, other = fast.successors_of(branch)
            predicate = EQUAL if at is taken else UNEQUAL
            if taken is not other and _compares_lane(fast.operands_of(branch)[0], predicate):
                return True
        at = tree.immediate_dominator(at)
    return False


def _compares_lane(condition: SSAValue, predicate: int) -> bool:
    """Returns True if the condition compares the lane index with 0."""
    if not isinstance(condition, OpResult) or type(condition.op) is not ICmpOp:
        return False
    a, b = fast.operands_of(condition.op)
    return (
        predicate_of(condition.op) == predicate
        and constant_integer(b) == 0
        and isinstance(a, OpResult)
        and special_register(a.op) == "laneid"
    )
