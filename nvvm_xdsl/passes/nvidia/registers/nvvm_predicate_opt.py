"""`nvvm-predicate-opt`: simplifies predicates and inverts branches and selects to save instructions.

    %n = llvm.xor %c, %true : i1
    llvm.cond_br %n, ^a, ^b
    ...
  ^b:                                  // no other predecessor
    %s = llvm.select %c, %x, %y : i1, i32

becomes

    llvm.cond_br %c, ^b, ^a
    ...
  ^b:
    %s = llvm.select %true, %x, %y : i1, i32

Predicates have their own register class on a GPU. Each of these rules saves a `not`, a `selp` or a
`setp`:

- an inverted comparison becomes the opposite comparison; a branch or `select` on an inverted
  predicate exchanges its successors or values; if both operands of `and`, `or` or `xor` are
  inverted, the inversion is moved to the result or removed;
- a comparison of a predicate that was converted to an integer, as front ends represent booleans,
  becomes the predicate, its inverse or a constant;
- after a branch, its condition is a constant, and so are the operands of a conjunction or
  disjunction that the branch decides, and comparisons of the same values that are implied.

The document (000 LLVM Optimizer) states that the pass "optimizes predicate expressions" and its
position; the rules are this project's. Legal because each predicate keeps its value: branching on
poison is undefined, so after a branch the value of its condition is known.

Benefit: disabling it changes no kernel's machine code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TypeAlias

from xdsl.dialects.llvm import (
    AndOp,
    CondBrOp,
    FCmpOp,
    FuncOp,
    ICmpOp,
    OrOp,
    SelectOp,
    SExtOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Block, Operation, SSAValue, Use
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.values.constant_range import (
    EQ,
    INVERSE,
    NE,
    SGE,
    SGT,
    SLE,
    SLT,
    SWAPPED,
    UGE,
    UGT,
    ULE,
    ULT,
    ConstantRange,
    allowed_region,
)
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import I1, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.driver import RewriteDriver
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.rules.operators import FLOAT_INVERSE
from nvvm_xdsl.transforms.cfg import swap_weights

USERS_LIMIT = 64
"""Maximum number of users of a value that are examined for comparisons that a branch decides."""

CONDITIONS_LIMIT = 16
"""Maximum number of conditions into which a branch condition is decomposed."""


_LESS, _EQUAL, _GREATER = 1, 2, 4
_ORDERS = {
    EQ: ("", _EQUAL),
    NE: ("", _LESS | _GREATER),
    SLT: ("s", _LESS),
    SLE: ("s", _LESS | _EQUAL),
    SGT: ("s", _GREATER),
    SGE: ("s", _GREATER | _EQUAL),
    ULT: ("u", _LESS),
    ULE: ("u", _LESS | _EQUAL),
    UGT: ("u", _GREATER),
    UGE: ("u", _GREATER | _EQUAL),
}
"""By predicate: its signedness, and the orders of the operands for which it is true."""


@dataclass(frozen=True)
class NVVMPredicateOpt(FunctionPass):
    """Simplifies predicates and their users."""

    name = "nvvm-predicate-opt"
    title = "NVVMPredicateOpt"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        constants = Constants(func)
        patterns: Sequence[RewritePattern] = (
            Opposite(),
            BranchOnOpposite(),
            SelectOnOpposite(),
            SelectedPredicate(constants),
            ComparedNumber(constants),
            BothOpposite(constants),
        )
        driver = RewriteDriver(patterns, is_pure=is_removable)
        changed = driver.rewrite(func)
        tree = am.get(DominatorTree, func)
        while _propagate_decisions(tree, constants):
            changed = True
            driver.rewrite(func)
        return changed


def opposite_of(value: SSAValue) -> SSAValue | None:
    """The operand of an exclusive or with `true`; None for other values."""
    if type(value.owner) is not XOrOp or value.type is not I1:
        return None
    a, b = fast.operands_of(fast.producer_of(value))
    if constant_integer(b) is not None:
        return a if constant_integer(b) else None
    return b if constant_integer(a) else None


def _has_one_use(value: SSAValue) -> bool:
    return fast.single_use(value) is not None


def _not(constants: Constants, value: SSAValue, rewriter: PatternRewriter) -> SSAValue:
    return rewriter.insert(fast.create(XOrOp, (value, constants.boolean(True)), (I1,))).results[0]


def _replace_opposite(op: Operation, value: SSAValue, rewriter: PatternRewriter) -> None:
    """Replaces the op's first operand, an inverted predicate that may be dead then, by `value`."""
    opposite = fast.producer_of(fast.operands_of(op)[0])
    fast.set_operand(op, 0, value)
    rewriter.notify_op_modified(op)
    rewriter.notify_op_modified(opposite)


class Opposite(RewritePattern):
    """Removes a double inversion; replaces the inversion of a comparison without other uses by the
    opposite comparison."""

    matches = (XOrOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        value = opposite_of(op.results[0])
        if value is None:
            return
        inner = opposite_of(value)
        if inner is not None:
            rewriter.replace(op, (), (inner,))
            return
        owner = value.owner
        cls = type(owner)
        if (cls is not ICmpOp and cls is not FCmpOp) or not _has_one_use(value):
            return
        comparison = fast.producer_of(value)
        table = INVERSE if cls is ICmpOp else FLOAT_INVERSE
        properties = dict(comparison.properties)
        properties["predicate"] = int_attr(table[predicate_of(comparison)], I64)
        new = fast.create(
            type(comparison), fast.operands_of(comparison), (I1,), properties,
            attributes=dict(comparison.attributes),
        )  # fmt: skip
        rewriter.replace(op, new)


class BranchOnOpposite(RewritePattern):
    """Replaces a branch on an inverted predicate by one with exchanged successors."""

    matches = (CondBrOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        value = opposite_of(fast.operands_of(op)[0])
        if value is None:
            return
        then_edge, else_edge = branches.edges_of(op)
        _replace_opposite(op, value, rewriter)
        branches.set_edges(op, (else_edge, then_edge))
        swap_weights(op)


class SelectOnOpposite(RewritePattern):
    """Replaces a select on an inverted predicate by one with exchanged values."""

    matches = (SelectOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        condition, a, b = fast.operands_of(op)
        value = opposite_of(condition)
        if value is not None:
            _replace_opposite(op, value, rewriter)
            fast.set_operand(op, 1, b)
            fast.set_operand(op, 2, a)


class SelectedPredicate(RewritePattern):
    """Replaces a select between `true` and `false` by the condition or its inverse."""

    matches = (SelectOp,)

    def __init__(self, constants: Constants) -> None:
        self.constants = constants

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        condition, a, b = fast.operands_of(op)
        if a.type is not I1:
            return
        if_true, if_false = constant_integer(a), constant_integer(b)
        if if_true is None or if_false is None or bool(if_true) == bool(if_false):
            return
        value = condition if if_true else _not(self.constants, condition, rewriter)
        rewriter.replace(op, (), (value,))


class ComparedNumber(RewritePattern):
    """Simplifies a comparison of a select between two constants with a constant."""

    matches = (ICmpOp,)

    def __init__(self, constants: Constants) -> None:
        self.constants = constants

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        a, b = fast.operands_of(op)
        predicate = predicate_of(op)
        limit = constant_integer(b)
        if limit is None:
            limit, a, predicate = constant_integer(a), b, SWAPPED[predicate]
        choice = None if limit is None else _chosen_numbers(a)
        if limit is None or choice is None:
            return
        condition, if_true, if_false = choice
        width = integer_width(a.type)
        right = ConstantRange.single(width, limit)
        yes = ConstantRange.single(width, if_true).icmp(predicate, right)
        no = ConstantRange.single(width, if_false).icmp(predicate, right)
        if yes == no:
            value = self.constants.boolean(bool(yes))
        else:
            value = condition if yes else _not(self.constants, condition, rewriter)
        rewriter.replace(op, (), (value,))


def _chosen_numbers(value: SSAValue) -> tuple[SSAValue, int, int] | None:
    """The condition of a select between numbers, and the numbers for true and false."""
    owner = value.owner
    cls = type(owner)
    if cls is ZExtOp or cls is SExtOp:
        (source,) = fast.operands_of(fast.producer_of(value))
        return (source, 1 if cls is ZExtOp else -1, 0) if source.type is I1 else None
    if cls is not SelectOp:
        return None
    condition, a, b = fast.operands_of(fast.producer_of(value))
    if_true, if_false = constant_integer(a), constant_integer(b)
    if if_true is None or if_false is None:
        return None
    return condition, if_true, if_false


class BothOpposite(RewritePattern):
    """Applies De Morgan's laws to `and` and `or` of inverted predicates; in `xor` the inversions
    cancel.
    """

    matches = (AndOp, OrOp, XOrOp)

    def __init__(self, constants: Constants) -> None:
        self.constants = constants

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter, /) -> None:
        a, b = fast.operands_of(op)
        left, right = opposite_of(a), opposite_of(b)
        if left is None or right is None:
            return
        if type(op) is XOrOp:
            rewriter.replace(op, fast.create(XOrOp, (left, right), (I1,)))
        elif _has_one_use(a) and _has_one_use(b):
            other = OrOp if type(op) is AndOp else AndOp
            joined = rewriter.insert(fast.create(other, (left, right), (I1,)))
            rewriter.replace(op, (), (_not(self.constants, joined.results[0], rewriter),))


def _propagate_decisions(tree: DominatorTree, constants: Constants) -> bool:
    """Replaces conditions by constants after branches that decide them; returns whether any was
    replaced.
    """
    changed = False
    for block in tree.preorder():
        last = block.last_op
        if type(last) is not CondBrOp:
            continue
        branch = last
        for index, target in enumerate(fast.successors_of(branch)):
            inside = None if fast.single_predecessor(target) is None else target
            if inside is None and not branches.edges_of(branch)[index][1]:
                continue
            is_used = partial(_is_used_on_edge, tree, branch, index, inside)
            for condition, holds in _decided(fast.operands_of(branch)[0], index == 0):
                known = ((condition, holds), *_implied(condition, holds))
                for value, answer in known:
                    if is_used(value):
                        answered = constants.boolean(answer)
                        _replace_on_edge(tree, branch, index, inside, value, answered)
                        changed = True
    return changed


def _decided(condition: SSAValue, holds: bool) -> Iterator[tuple[SSAValue, bool]]:
    """The values of a condition and of its operands: those of a true `and`, of a false `or`, and of
    inversions."""
    pending = [(condition, holds)]
    for _ in range(CONDITIONS_LIMIT):
        if not pending:
            return
        value, known = pending.pop()
        if constant_integer(value) is not None:
            continue
        yield value, known
        inner = opposite_of(value)
        owner = value.owner
        if inner is not None:
            pending.append((inner, not known))
        elif (type(owner) is AndOp and known) or (type(owner) is OrOp and not known):
            pending.extend((part, known) for part in fast.operands_of(owner))
        elif type(owner) is SelectOp:
            first, if_true, if_false = fast.operands_of(owner)
            if known and constant_integer(if_false) == 0:
                pending.extend(((first, True), (if_true, True)))
            elif not known and constant_integer(if_true):
                pending.extend(((first, False), (if_false, False)))


def _implied(condition: SSAValue, holds: bool) -> Iterator[tuple[SSAValue, bool]]:
    """Other comparisons of the operands of a comparison with a known result, and their results."""
    owner = condition.owner
    if type(owner) is not ICmpOp:
        return
    comparison = owner
    a, b = fast.operands_of(comparison)
    predicate = predicate_of(comparison)
    if not holds:
        predicate = INVERSE[predicate]
    common = b if constant_integer(a) is not None else a
    known = KnownNumbers.of(common, a, b, predicate)
    # The caller may remove uses during the iteration.
    for user in list(islice(fast.users_of(common), USERS_LIMIT)):
        if type(user) is not ICmpOp:
            continue
        c, d = fast.operands_of(user)
        answer = None
        if c is a and d is b:
            answer = implies(predicate, predicate_of(user))
        elif c is b and d is a:
            answer = implies(predicate, SWAPPED[predicate_of(user)])
        elif known is not None and c is common:
            limit = constant_integer(d)
            answer = None if limit is None else known.answer(predicate_of(user), limit)
        if answer is not None:
            yield user.results[0], answer


_Bounds: TypeAlias = "tuple[str, int, int]"
"""The signedness, `s` or `u`, and the minimum and maximum value."""


@dataclass(frozen=True)
class KnownNumbers:
    """The possible values of an operand whose comparison with a constant is true.

    The bounds decide most cases faster than the range.
    """

    region: ConstantRange
    bounds: _Bounds | None

    @staticmethod
    def of(common: SSAValue, a: SSAValue, b: SSAValue, predicate: int) -> KnownNumbers | None:
        """The operand of `a` and `b` that is not in `common`, if it is a constant."""
        limit = constant_integer(b if common is a else a)
        width = integer_width(common.type)
        if limit is None:
            return None
        known = predicate if common is a else SWAPPED[predicate]
        region = allowed_region(known, ConstantRange.single(width, limit))
        return KnownNumbers(region, bounds(known, limit, width))

    def answer(self, asked: int, limit: int) -> bool | None:
        """The result of another comparison of the value with a constant; None if it is unknown."""
        width = self.region.width
        wanted = None if self.bounds is None else bounds(asked, limit, width)
        if self.bounds is None or wanted is None or wanted[0] != self.bounds[0]:
            return self.region.icmp(asked, ConstantRange.single(width, limit))
        _, least, greatest = self.bounds
        if wanted[1] <= least and greatest <= wanted[2]:
            return True
        return False if greatest < wanted[1] or wanted[2] < least else None


def bounds(predicate: int, limit: int, width: int) -> _Bounds | None:
    """The numbers for which a comparison with a constant is true; None for `eq`, `ne` and other
    operands."""
    reading, lie = _ORDERS[predicate]
    if not reading:
        return None
    least = -(1 << width - 1) if reading == "s" else 0
    greatest = least + (1 << width) - 1
    number = (limit - least & (1 << width) - 1) + least
    strict = not lie & _EQUAL
    found = (number + strict, greatest) if lie & _GREATER else (least, number - strict)
    return (reading, *found) if found[0] <= found[1] else None


def implies(known: int, asked: int) -> bool | None:
    """The result of a comparison implied by another one of the same operands; None if it is not
    implied."""
    reading, lie = _ORDERS[known]
    other_reading, wanted = _ORDERS[asked]
    if reading and other_reading and reading != other_reading:
        return None
    if not lie & ~wanted:
        return True
    return None if lie & wanted else False


def _dominates(tree: DominatorTree, inside: Block, block: Block) -> bool:
    return tree.contains(block) and tree.dominates(inside, block)


def _uses_inside(tree: DominatorTree, inside: Block | None, value: SSAValue) -> Iterator[Use]:
    """The uses of a value in the blocks that `inside` dominates."""
    if inside is not None:
        for use in list(value.uses):
            block = use.operation.parent
            if block is not None and _dominates(tree, inside, block):
                yield use


def _is_used_on_edge(
    tree: DominatorTree, branch: Operation, index: int, inside: Block | None, value: SSAValue
) -> bool:
    """True if a value is used on an edge, or in blocks that are only reached through it."""
    if value in branches.edges_of(branch)[index][1]:
        return True
    for user in fast.users_of(value):
        block = user.parent
        if inside is not None and block is not None and _dominates(tree, inside, block):
            return True
    return False


def _replace_on_edge(
    tree: DominatorTree,
    branch: Operation,
    index: int,
    inside: Block | None,
    value: SSAValue,
    known: SSAValue,
) -> None:
    """Replaces uses of a value by a constant on an edge and, if the edge dominates `inside`, in the
    blocks after it."""
    edges = branches.edges_of(branch)
    target, values = edges[index]
    edges[index] = target, tuple(known if v is value else v for v in values)
    branches.set_edges(branch, edges)
    for use in _uses_inside(tree, inside, value):
        fast.set_operand(use.operation, use.index, known)
