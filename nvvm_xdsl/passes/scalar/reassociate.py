"""`reassociate`: reorders sums, products and bit operations to reduce their cost.

    loop:                                           loop:
      %a = llvm.add %i, %n : i32                      %a = llvm.add %m, %n : i32
      %b = llvm.add %a, %m : i32              ->      %b = llvm.add %a, %i : i32

    %a = llvm.add %x, %five : i32                   %a = llvm.add %x, %y : i32
    %b = llvm.add %y, %seven : i32                  %c = llvm.add %a, %twelve : i32
    %c = llvm.add %a, %b : i32              ->

A tree of ops of one kind in one block, of which each except the root has a single use, is
decomposed into its leaves: for a sum with a coefficient for each leaf (subtractions, negations,
shifts, and products with constants are included), for a product with a power. Constants are
combined, leaves that cancel each other are removed, equal factors are combined, and powers are
computed by squaring. The leaves are then ordered by rank: values that vary in fewer of the
surrounding loops come first, so that `licm` can hoist their sum; among these uniform values precede
divergent ones, so that a warp computes their sum once; then values in order of definition. The
constant comes last, where an address can absorb it.

A tree is rebuilt only if that reduces the ops in the surrounding loops, or keeps their number and
reduces the divergent ones, because a rebuilt tree loses flags. `nuw` holds for each part of a sum
that has it; `nsw` holds, too, if no leaf is negative. Otherwise a rebuilt tree has neither. A
sign-extended sum with a constant stays if each op has `nsw` and the rebuilt sum would not. Floats
are reordered if every op has `reassoc` and `nsz`; they cancel if all have `nnan`, too.

Before, factors that the terms of a sum or of a chain of addresses share are extracted
(`reassociate_factors`).

(LLVM's Reassociate, whose rank is only the position in the control-flow graph; Briggs and Cooper,
"Effective Partial Redundancy Elimination", 1994.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import FloatAttr
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    FAddOp,
    FMulOp,
    FNegOp,
    FSubOp,
    FuncOp,
    GEPOp,
    MulOp,
    OrOp,
    SExtOp,
    ShlOp,
    SubOp,
    XOrOp,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.constant_folding import fold
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, constant_attribute
from nvvm_xdsl.dialects.llvm.flags import (
    NSW,
    NUW,
    common_flags,
    fast_math_attribute,
    has_fast_math,
    is_disjoint,
    overflow_flags,
)
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed, unsigned
from nvvm_xdsl.dialects.llvm.types import FLOAT_TYPES, float_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.reassociate_factors import extract_factors
from nvvm_xdsl.passes.scalar.reassociate_plans import FloatKind, Planner, Tree
from nvvm_xdsl.passes.scalar.reassociate_ranks import (
    Key,
    Part,
    belongs,
    summands,
    total_cost,
)

REBUILT: Final = Statistic("reassociate", "rebuilt", "Number of expressions reordered")

MAX_LEAVES: Final = 64
"""Maximum number of leaves of one tree; a larger subtree is a leaf."""


@dataclass(frozen=True)
class Reassociate(FunctionPass):
    """Reorders the operands of associative ops."""

    name = "reassociate"
    title = "Reassociate"
    # A rebuilt tree may be a leaf of a surrounding tree.
    idempotent = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _Reassociator(func, am).run()


class _Reassociator:
    def __init__(self, func: FuncOp, am: AnalysisManager) -> None:
        self.func = func
        self.am = am
        self.loops = am.get(LoopInfo, func)
        self.constants = Constants(func)
        self.places: dict[SSAValue, int] = {}
        self.planner = Planner(func, am, self.constants, self.places)
        self._facts: ValueTracking | None = None

    def run(self) -> bool:
        """Rewrites the expression trees of all blocks; returns whether anything changed."""
        blocks = list(self.loops.cfg.rpo_blocks())
        for block in blocks:
            for value in block.args:
                self.places[value] = len(self.places)
            for op in fast.ops_of(block):
                for value in op.results:
                    self.places[value] = len(self.places)
        changed = False
        for block in blocks:
            changed |= self.factors(block)
            seen: set[Operation] = set()
            for op in [op for op in fast.reversed_ops_of(block) if type(op) in _KINDS]:
                # The ops of a tree were processed with it.
                if op not in seen:
                    changed |= _KINDS[type(op)](self, op, seen)
        self.constants.erase_unused()
        return changed

    def factors(self, block: Block) -> bool:
        """Extracts factors that the terms of sums and of chains of addresses share."""
        changed = False
        seen: set[Operation] = set()
        for op in [op for op in fast.reversed_ops_of(block) if type(op) in _SUMS]:
            if op not in seen and op.parent is not None:
                changed |= extract_factors(op, self.planner.key, self.constants, seen)
        return changed

    # Facts about leaves.

    def is_non_negative(self, value: SSAValue) -> bool:
        """Returns whether the known bits of a value include a clear sign."""
        if self._facts is None:
            self._facts = self.am.get(ValueTracking, self.func)
        return self._facts.known_bits(value).is_non_negative()

    # Kinds of trees.

    def sum(self, root: Operation, seen: set[Operation]) -> bool:
        """A sum of integers with coefficients."""
        width = integer_width(root.results[0].type)
        if width < 2:
            return False
        tree = Tree(root)
        mask = (1 << width) - 1
        work: list[tuple[SSAValue, int]] = [(root.results[0], 1)]
        flags = NSW | NUW
        while work:
            value, times = work.pop()
            number = constant_integer(value)
            if number is not None:
                tree.constant = (tree.constant + times * number) & mask
                continue
            op = value.owner
            parts = None
            if isinstance(op, Operation) and len(tree.terms) + len(work) < MAX_LEAVES:
                if op is root or belongs(op, root):
                    parts = summands(op)
            if parts is None:
                tree.terms[value] = signed(tree.terms.get(value, 0) + times, width)
                continue
            assert isinstance(op, Operation)
            tree.interior.append(op)
            flags &= overflow_flags(op) if type(op) is AddOp else 0
            work.extend((part, times * factor) for part, factor in reversed(parts))
        seen.update(tree.interior)
        if len(tree.interior) < 2:
            return False
        tree.terms = {v: n for v, n in tree.terms.items() if n}
        constant = signed(tree.constant, width)
        if flags & NSW and constant >= 0 and all(map(self.is_non_negative, tree.terms)):
            tree.flags = NSW | NUW
        else:
            tree.flags = flags & NUW
        # `separate-const-offset-from-gep` moves the constant behind the extension, but not out of
        # the rebuilt sum.
        if (
            constant
            and not tree.flags & NSW
            and _is_extended(root)
            and all(overflow_flags(op) & NSW for op in tree.interior)
        ):
            return False
        return self._rebuild(tree, self.planner.plan_sum(tree, width))

    def product(self, root: Operation, seen: set[Operation]) -> bool:
        """A product of integers with powers."""
        width = integer_width(root.results[0].type)
        if width < 2:
            return False
        if summands(root) is not None and any(
            isinstance(v.owner, Operation) and belongs(v.owner, root) and _is_sum(v.owner)
            for v in fast.operands_of(root)
        ):
            return self.sum(root, seen)
        if type(root) is not MulOp:
            return False
        tree = self._tree_of(root, MulOp)
        seen.update(tree.interior)
        if len(tree.interior) < 2:
            return False
        constant = 1
        for value in list(tree.terms):
            number = constant_integer(value)
            if number is not None:
                constant = constant * pow(number, tree.terms.pop(value), 1 << width) % (1 << width)
        tree.constant = constant
        return self._rebuild(tree, self.planner.plan_product(tree, width))

    def bits(self, root: Operation, seen: set[Operation]) -> bool:
        """A conjunction, disjunction or exclusive disjunction of bits."""
        cls = type(root)
        width = integer_width(root.results[0].type)
        if not width:
            return False
        tree = self._tree_of(root, cls)
        seen.update(tree.interior)
        if len(tree.interior) < 2:
            return False
        tree.disjoint = all(is_disjoint(op) for op in tree.interior)
        mask = (1 << width) - 1
        neutral = mask if cls is AndOp else 0
        constant = neutral
        for value in list(tree.terms):
            number = constant_integer(value)
            times = tree.terms[value]
            if number is not None:
                del tree.terms[value]
                number = unsigned(number, width)
                if cls is AndOp:
                    constant &= number
                elif cls is OrOp:
                    constant |= number
                elif times & 1:
                    constant ^= number
            elif cls is XOrOp:
                if times & 1:
                    tree.terms[value] = 1
                else:
                    del tree.terms[value]
            else:
                tree.terms[value] = 1
        if cls is not XOrOp and constant == mask - neutral:
            tree.terms.clear()
        if cls is not XOrOp and any(_complement(value) in tree.terms for value in tree.terms):
            # A leaf and its complement.
            tree.terms.clear()
            constant = mask - neutral
        tree.constant = constant
        return self._rebuild(tree, self.planner.plan_bits(tree, neutral))

    def float_sum(self, root: Operation, seen: set[Operation]) -> bool:
        """Rewrites a sum of floats."""
        return self._floats(root, seen, _FLOAT_SUMS)

    def float_product(self, root: Operation, seen: set[Operation]) -> bool:
        """Rewrites a product of floats."""
        return self._floats(root, seen, _FLOAT_PRODUCTS)

    # Decomposition.

    def _tree_of(self, root: Operation, cls: type[Operation]) -> Tree:
        tree = Tree(root)
        work: list[SSAValue] = [root.results[0]]
        while work:
            value = work.pop()
            op = value.owner
            if (
                isinstance(op, Operation)
                and type(op) is cls
                and (op is root or belongs(op, root))
                and len(tree.terms) + len(work) < MAX_LEAVES
            ):
                tree.interior.append(op)
                work.extend(reversed(fast.operands_of(op)))
            else:
                tree.terms[value] = tree.terms.get(value, 0) + 1
        return tree

    # Floating point.

    def _floats(self, root: Operation, seen: set[Operation], kind: FloatKind) -> bool:
        type_ = root.results[0].type
        if type_ not in FLOAT_TYPES or not _may_reorder(root):
            return False
        tree = Tree(root)
        leaves: list[tuple[SSAValue, int]] = []
        constants: list[Attribute] = []
        work: list[tuple[SSAValue, int]] = [(root.results[0], 1)]
        while work:
            value, sign = work.pop()
            op = value.owner
            attribute = constant_attribute(value)
            if type(attribute) is FloatAttr:
                number = attribute.value.data
                constants.append(attribute if sign > 0 else float_attr(-number, type_))
            elif (
                isinstance(op, Operation)
                and type(op) in kind.classes
                and (op is root or (belongs(op, root) and _may_reorder(op)))
                and len(leaves) + len(work) < MAX_LEAVES
            ):
                tree.interior.append(op)
                operands = fast.operands_of(op)
                signs = kind.classes[type(op)]
                work.extend(
                    (part, sign * factor) for part, factor in reversed([*zip(operands, signs)])
                )
            else:
                leaves.append((value, sign))
        seen.update(tree.interior)
        if len(tree.interior) < 2:
            return False
        if all(has_fast_math(op, "nnan") for op in tree.interior):
            leaves = _without_opposites(leaves)
        folded = constants[0] if constants else None
        flags = fast_math_attribute(tree.interior[0])
        for op in tree.interior[1:]:
            flags = common_flags(flags, fast_math_attribute(op))
        for attribute in constants[1:]:
            sample = fast.create(kind.join, (root.results[0],) * 2, (type_,))
            assert folded is not None
            folded = fold(sample, [folded, attribute])
            fast.drop_uses(sample)
            if folded is None:
                return False
        return self._rebuild(tree, self.planner.plan_floats(tree, leaves, folded, flags, kind))

    # Rebuilding.

    def _rebuild(self, tree: Tree, plan: tuple[Part, list[Key]]) -> bool:
        """Emits the new tree if it is profitable."""
        whole, keys = plan
        new, old = total_cost(keys), self.planner.cost_of(tree)
        loses = any(
            overflow_flags(op) & ~tree.flags or is_disjoint(op) > tree.disjoint
            for op in tree.interior
        )
        if not (new[0] < old[0] or (new[0] == old[0] and new[1] < old[1] and not loses)):
            return False
        fast.replace_all_uses(tree.root.results[0], whole.emit())
        for op in tree.interior:
            fast.erase(op)
        REBUILT.add()
        return True


def _is_extended(op: Operation) -> bool:
    """Whether a result is sign-extended."""
    return any(type(use.operation) is SExtOp for use in op.results[0].uses)


def _is_sum(op: Operation) -> bool:
    return type(op) is AddOp or type(op) is SubOp


def _complement(value: SSAValue) -> SSAValue | None:
    """The value whose bitwise complement a value is."""
    if isinstance(value, OpResult) and type(value.op) is XOrOp:
        inner, ones = fast.operands_of(value.op)
        if constant_integer(ones) == -1:
            return inner
    return None


_FLOAT_SUMS: Final = FloatKind({FAddOp: (1, 1), FSubOp: (1, -1), FNegOp: (-1,)}, FAddOp)
_FLOAT_PRODUCTS: Final = FloatKind({FMulOp: (1, 1)}, FMulOp)


def _may_reorder(op: Operation) -> bool:
    return has_fast_math(op, "reassoc") and has_fast_math(op, "nsz")


def _without_opposites(leaves: list[tuple[SSAValue, int]]) -> list[tuple[SSAValue, int]]:
    """The leaves without pairs that cancel each other."""
    total: dict[SSAValue, int] = {}
    for value, sign in leaves:
        total[value] = total.get(value, 0) + sign
    found: list[tuple[SSAValue, int]] = []
    for value, count in total.items():
        found += [(value, 1 if count > 0 else -1)] * abs(count)
    return found


_SUMS: Final = frozenset((AddOp, SubOp, GEPOp))
_KINDS: Final[dict[type[Operation], Callable[[_Reassociator, Operation, set[Operation]], bool]]] = {
    AddOp: _Reassociator.sum,
    SubOp: _Reassociator.sum,
    MulOp: _Reassociator.product,
    ShlOp: _Reassociator.product,
    AndOp: _Reassociator.bits,
    OrOp: _Reassociator.bits,
    XOrOp: _Reassociator.bits,
    FAddOp: _Reassociator.float_sum,
    FSubOp: _Reassociator.float_sum,
    FMulOp: _Reassociator.float_product,
}
