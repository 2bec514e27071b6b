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
that has it; `nsw` holds, too, if no leaf is negative. Otherwise a rebuilt tree has neither. Floats
are reordered if every op has `reassoc` and `nsz`; they cancel if all have `nnan`, too.

Before, factors that the terms of a sum or of a chain of addresses share are extracted
(`reassociate_factors`).

(LLVM's Reassociate, whose rank is only the position in the control-flow graph; Briggs and Cooper,
"Effective Partial Redundancy Elimination", 1994.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, NamedTuple, cast

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
    ShlOp,
    SubOp,
    XOrOp,
)
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.constant_folding import fold
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, constant_attribute, is_constant
from nvvm_xdsl.dialects.llvm.flags import (
    NSW,
    NUW,
    common_flags,
    has_fast_math,
    is_disjoint,
    overflow_flags,
    set_overflow_flags,
)
from nvvm_xdsl.dialects.llvm.integers import constant_integer, signed, unsigned
from nvvm_xdsl.dialects.llvm.types import FLOAT_TYPES, UNIT, float_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.reassociate_factors import extract_factors
from nvvm_xdsl.passes.scalar.reassociate_ranks import (
    Cost,
    Key,
    Part,
    belongs,
    chain,
    joined,
    summands,
    total_cost,
)

REBUILT: Final = Statistic("reassociate", "rebuilt", "Number of expressions put in another order")

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


@dataclass
class _Tree:
    """A decomposed tree."""

    root: Operation
    interior: list[Operation] = field(default_factory=list[Operation])
    """The root and the tree's ops, operands first."""
    terms: dict[SSAValue, int] = field(default_factory=dict[SSAValue, int])
    """The coefficient or power of each leaf."""
    constant: int = 0
    flags: int = 0
    """The flags `NSW` and `NUW` that hold for every op of the new tree."""
    disjoint: bool = False
    """Whether no two leaves of a disjunction have a common set bit."""


class _Reassociator:
    def __init__(self, func: FuncOp, am: AnalysisManager) -> None:
        self.func = func
        self.am = am
        self.loops = am.get(LoopInfo, func)
        self.constants = Constants(func)
        self.places: dict[SSAValue, int] = {}
        self._uniformity: Uniformity | None = None
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
                if op not in seen and op.parent is not None:
                    changed |= _KINDS[type(op)](self, op, seen)
        self.constants.erase_unused()
        return changed

    def factors(self, block: Block) -> bool:
        """Extracts factors that the terms of sums and of chains of addresses share."""
        changed = False
        seen: set[Operation] = set()
        for op in [op for op in fast.reversed_ops_of(block) if type(op) in _SUMS]:
            if op not in seen and op.parent is not None:
                changed |= extract_factors(op, self.key, self.constants, seen)
        return changed

    # Facts about leaves.

    def key(self, value: SSAValue, block: Block) -> Key:
        """The rank of a leaf of a tree in a block."""
        if is_constant(value):
            return 0, False, 0
        home = defining_block(value)
        depth = 0
        if home is not None:
            loop = self.loops.common_loop(home, block)
            depth = 0 if loop is None else loop.depth
        if self._uniformity is None:
            self._uniformity = self.am.get(Uniformity, self.func)
        known = value in self.places
        return depth, not known or self._uniformity.is_divergent(value), self.places.get(value, 0)

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
        tree = _Tree(root)
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
        return self._rebuild(tree, self._plan_sum(tree, width))

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
        tree = self._take_apart(root, MulOp)
        seen.update(tree.interior)
        if len(tree.interior) < 2:
            return False
        constant = 1
        for value in list(tree.terms):
            number = constant_integer(value)
            if number is not None:
                constant = constant * pow(number, tree.terms.pop(value), 1 << width) % (1 << width)
        tree.constant = constant
        return self._rebuild(tree, self._plan_product(tree, width))

    def bits(self, root: Operation, seen: set[Operation]) -> bool:
        """A conjunction, disjunction or exclusive disjunction of bits."""
        cls = type(root)
        width = integer_width(root.results[0].type)
        if not width:
            return False
        tree = self._take_apart(root, cls)
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
        return self._rebuild(tree, self._plan_bits(tree, neutral))

    def float_sum(self, root: Operation, seen: set[Operation]) -> bool:
        """Rewrites a sum of floats."""
        return self._floats(root, seen, _FLOAT_SUMS)

    def float_product(self, root: Operation, seen: set[Operation]) -> bool:
        """Rewrites a product of floats."""
        return self._floats(root, seen, _FLOAT_PRODUCTS)

    # Decomposition.

    def _take_apart(self, root: Operation, cls: type[Operation]) -> _Tree:
        tree = _Tree(root)
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

    # Planning: the cost of a new tree and its computation.

    def _leaf(self, value: SSAValue, block: Block) -> Part:
        return Part(lambda: value, self.key(value, block))

    def _plan_sum(self, tree: _Tree, width: int) -> tuple[Part, list[Key]]:
        block = tree.root.parent
        assert block is not None
        type_ = tree.root.results[0].type
        constant = signed(tree.constant, width)
        cost: list[Key] = []

        def op(cls: type[Operation]) -> Callable[[SSAValue, SSAValue], SSAValue]:
            return lambda a, b: self._emit(tree, cls, a, b)

        number = self.constants.integer
        # Leaves by coefficient: added and subtracted ones.
        groups: dict[int, tuple[list[SSAValue], list[SSAValue]]] = {}
        for value, times in tree.terms.items():
            groups.setdefault(abs(times), ([], []))[times < 0].append(value)
        added: list[Part] = []
        taken: list[Part] = []
        for times, (plus, minus) in groups.items():
            negative = not plus
            first = chain([self._leaf(v, block) for v in plus or minus], op(AddOp), cost)
            if plus and minus:
                if times == 1:
                    added.append(first)
                    taken.extend(self._leaf(v, block) for v in minus)
                    continue
                rest = chain([self._leaf(v, block) for v in minus], op(AddOp), cost)
                first = self._difference(first, rest, tree, cost)
            if times != 1:
                first = self._times(first, times, tree, cost)
            (taken if negative else added).append(first)
        if not added and not taken:
            return Part(lambda: number(constant, type_), (0, False, 0)), cost
        behind = constant
        if added:
            whole = chain(added, op(AddOp), cost)
        else:
            # The other terms are subtracted from the constant.
            whole, behind = Part(lambda: number(constant, type_), (0, False, 0)), 0
        if taken:
            whole = self._difference(whole, chain(taken, op(AddOp), cost), tree, cost)
        if behind:
            cost.append(whole.key)
            inner = whole
            whole = Part(
                lambda: self._emit(tree, AddOp, inner.emit(), number(behind, type_)), inner.key
            )
        return whole, cost

    def _difference(self, a: Part, b: Part, tree: _Tree, cost: list[Key]) -> Part:
        key = joined(a.key, b.key)
        cost.append(key)
        return Part(lambda: self._emit(tree, SubOp, a.emit(), b.emit()), key)

    def _times(self, part: Part, times: int, tree: _Tree, cost: list[Key]) -> Part:
        cost.append(part.key)
        type_ = tree.root.results[0].type
        shift = times & (times - 1) == 0
        factor = times.bit_length() - 1 if shift else times
        cls = ShlOp if shift else MulOp
        return Part(
            lambda: self._emit(tree, cls, part.emit(), self.constants.integer(factor, type_)),
            part.key,
        )

    def _plan_product(self, tree: _Tree, width: int) -> tuple[Part, list[Key]]:
        type_ = tree.root.results[0].type
        cost: list[Key] = []
        constant = tree.constant
        if constant == 0 or not tree.terms:
            return Part(lambda: self.constants.integer(constant, type_), (0, False, 0)), cost
        whole = self._powers(tree.terms, tree, cost)
        return (whole if constant == 1 else self._times(whole, constant, tree, cost)), cost

    def _powers(self, terms: dict[SSAValue, int], tree: _Tree, cost: list[Key]) -> Part:
        """A product of powers: the odd ones, times the square of the product of the halves."""
        block = tree.root.parent
        assert block is not None

        def times(a: SSAValue, b: SSAValue) -> SSAValue:
            return self._emit(tree, MulOp, a, b)

        parts = [self._leaf(v, block) for v, power in terms.items() if power & 1]
        halves = {v: power // 2 for v, power in terms.items() if power > 1}
        if halves:
            root = self._powers(halves, tree, cost)
            cost.append(root.key)

            def square() -> SSAValue:
                value = root.emit()
                return times(value, value)

            parts.append(Part(square, root.key))
        return chain(parts, times, cost)

    def _plan_bits(self, tree: _Tree, neutral: int) -> tuple[Part, list[Key]]:
        block = tree.root.parent
        assert block is not None
        cls = type(tree.root)
        type_ = tree.root.results[0].type
        cost: list[Key] = []
        constant = tree.constant
        made = Part(lambda: self.constants.integer(constant, type_), (0, False, 0))
        if not tree.terms:
            return made, cost

        def join(a: SSAValue, b: SSAValue) -> SSAValue:
            return self._emit(tree, cls, a, b)

        whole = chain([self._leaf(v, block) for v in tree.terms], join, cost)
        if constant != neutral:
            cost.append(whole.key)
            inner = whole
            whole = Part(lambda: join(inner.emit(), made.emit()), inner.key)
        return whole, cost

    # Floating point.

    def _floats(self, root: Operation, seen: set[Operation], kind: _FloatKind) -> bool:
        type_ = root.results[0].type
        if type_ not in FLOAT_TYPES or not _may_reorder(root):
            return False
        tree = _Tree(root)
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
        if kind.cancels and all(has_fast_math(op, "nnan") for op in tree.interior):
            leaves = _without_opposites(leaves)
        folded = constants[0] if constants else None
        flags = tree.interior[0].properties["fastmathFlags"]
        for op in tree.interior[1:]:
            flags = common_flags(flags, op.properties["fastmathFlags"])
        for attribute in constants[1:]:
            sample = fast.create(kind.join, (root.results[0],) * 2, (type_,))
            assert folded is not None
            folded = fold(sample, [folded, attribute])
            fast.drop_uses(sample)
            if folded is None:
                return False
        return self._rebuild(tree, self._plan_floats(tree, leaves, folded, flags, kind))

    def _plan_floats(
        self,
        tree: _Tree,
        leaves: list[tuple[SSAValue, int]],
        constant: Attribute | None,
        flags: Attribute,
        kind: _FloatKind,
    ) -> tuple[Part, list[Key]]:
        block = tree.root.parent
        assert block is not None
        type_ = tree.root.results[0].type
        cost: list[Key] = []

        def op(cls: type[Operation]) -> Callable[[SSAValue, SSAValue], SSAValue]:
            def make(*operands: SSAValue) -> SSAValue:
                new = fast.create(
                    cls, operands, (type_,), {"fastmathFlags": flags}, location=tree.root.location
                )
                fast.insert_before(new, tree.root)
                return new.results[0]

            return make

        made = constant
        if constant is None and not leaves:
            made = float_attr(0.0, type_)
        last = None
        if made is not None:
            attribute = made
            last = Part(lambda: self.constants.attribute(attribute, type_), (0, False, 0))
        plus = [self._leaf(v, block) for v, sign in leaves if sign > 0]
        minus = [self._leaf(v, block) for v, sign in leaves if sign < 0]
        join = op(kind.join)
        if plus:
            whole = chain(plus, join, cost)
        elif last is not None:
            whole, last = last, None
        else:
            # There are no added terms: the negated sum of the subtracted terms.
            inner = chain(minus, join, cost)
            cost.append(inner.key)
            negate = cast("Callable[[SSAValue], SSAValue]", op(FNegOp))
            return Part(lambda: negate(inner.emit()), inner.key), cost
        for part in sorted(minus, key=lambda m: m.key):
            key = joined(whole.key, part.key)
            cost.append(key)
            whole = _taken(whole, part, op(FSubOp), key)
        if last is not None:
            cost.append(whole.key)
            whole = _taken(whole, last, join, whole.key)
        return whole, cost

    # Rebuilding.

    def _emit(self, tree: _Tree, cls: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        root = tree.root
        new = fast.create(cls, (a, b), (root.results[0].type,), location=root.location)
        if tree.flags and cls is AddOp:
            set_overflow_flags(new, tree.flags)
        if tree.disjoint:
            new.properties["isDisjoint"] = UNIT
        fast.insert_before(new, root)
        return new.results[0]

    def _rebuild(self, tree: _Tree, plan: tuple[Part, list[Key]]) -> bool:
        """Emits the new tree if it is profitable."""
        whole, keys = plan
        new, old = total_cost(keys), self._cost_of(tree)
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

    def _cost_of(self, tree: _Tree) -> Cost:
        """The cost of the existing tree."""
        block = tree.root.parent
        assert block is not None
        keys: dict[SSAValue, Key] = {}
        found: list[Key] = []
        # Operands precede their users.
        for op in reversed(tree.interior):
            key: Key = (0, False, 0)
            for value in fast.operands_of(op):
                known = keys.get(value)
                if known is None:
                    known = self.key(value, block)
                key = joined(key, known)
            keys[op.results[0]] = key
            found.append(key)
        return total_cost(found)


def _taken(
    whole: Part, part: Part, join: Callable[[SSAValue, SSAValue], SSAValue], key: Key
) -> Part:
    return Part(lambda: join(whole.emit(), part.emit()), key)


def _is_sum(op: Operation) -> bool:
    return type(op) is AddOp or type(op) is SubOp


def _complement(value: SSAValue) -> SSAValue | None:
    """The value whose bitwise complement a value is."""
    if isinstance(value, OpResult) and type(value.op) is XOrOp:
        inner, ones = fast.operands_of(value.op)
        if constant_integer(ones) == -1:
            return inner
    return None


class _FloatKind(NamedTuple):
    """Trees of floats: the signs of operands by class, and the op that combines them."""

    classes: dict[type[Operation], tuple[int, ...]]
    join: type[Operation]
    cancels: bool


_FLOAT_SUMS: Final = _FloatKind({FAddOp: (1, 1), FSubOp: (1, -1), FNegOp: (-1,)}, FAddOp, True)
_FLOAT_PRODUCTS: Final = _FloatKind({FMulOp: (1, 1)}, FMulOp, False)


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
