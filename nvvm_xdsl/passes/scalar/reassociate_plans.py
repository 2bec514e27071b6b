"""Plans of `reassociate`: the cost of an expression tree in a new order, and its ops.

A plan is computed without changes to the IR. It emits its ops only if they cost less than the
existing tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from xdsl.dialects.llvm import AddOp, FNegOp, FSubOp, FuncOp, MulOp, ShlOp, SubOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_constant
from nvvm_xdsl.dialects.llvm.flags import set_overflow_flags
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.types import UNIT, float_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.reassociate_ranks import Cost, Key, Part, chain, joined, total_cost


@dataclass
class Tree:
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


class FloatKind(NamedTuple):
    """Trees of floats: the signs of operands by class, and the op that combines them."""

    classes: dict[type[Operation], tuple[int, ...]]
    join: type[Operation]


class Planner:
    """Plans the trees of a function.

    Arguments:
        places: the position of each value in the function.
    """

    def __init__(
        self, func: FuncOp, am: AnalysisManager, constants: Constants, places: dict[SSAValue, int]
    ) -> None:
        self.func = func
        self.am = am
        self.loops = am.get(LoopInfo, func)
        self.constants = constants
        self.places = places
        self._uniformity: Uniformity | None = None

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

    def cost_of(self, tree: Tree) -> Cost:
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

    def _leaf(self, value: SSAValue, block: Block) -> Part:
        return Part(lambda: value, self.key(value, block))

    def plan_sum(self, tree: Tree, width: int) -> tuple[Part, list[Key]]:
        """A sum of the terms times their coefficients; also returns the rank of each op."""
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
        behind = constant
        if added:
            whole = chain(added, op(AddOp), cost)
        else:
            # The other terms, if any, are subtracted from the constant.
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

    def _difference(self, a: Part, b: Part, tree: Tree, cost: list[Key]) -> Part:
        key = joined(a.key, b.key)
        cost.append(key)
        return Part(lambda: self._emit(tree, SubOp, a.emit(), b.emit()), key)

    def _times(self, part: Part, times: int, tree: Tree, cost: list[Key]) -> Part:
        cost.append(part.key)
        type_ = tree.root.results[0].type
        shift = times & (times - 1) == 0
        factor = times.bit_length() - 1 if shift else times
        cls = ShlOp if shift else MulOp
        return Part(
            lambda: self._emit(tree, cls, part.emit(), self.constants.integer(factor, type_)),
            part.key,
        )

    def plan_product(self, tree: Tree, width: int) -> tuple[Part, list[Key]]:
        """A product of powers; also returns the rank of each op."""
        type_ = tree.root.results[0].type
        cost: list[Key] = []
        constant = tree.constant
        if constant == 0 or not tree.terms:
            return Part(lambda: self.constants.integer(constant, type_), (0, False, 0)), cost
        whole = self._powers(tree.terms, tree, cost)
        return (whole if constant == 1 else self._times(whole, constant, tree, cost)), cost

    def _powers(self, terms: dict[SSAValue, int], tree: Tree, cost: list[Key]) -> Part:
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

    def plan_bits(self, tree: Tree, neutral: int) -> tuple[Part, list[Key]]:
        """A tree of bit operations, whose constant `neutral` has no effect; also returns the rank of each
        op."""
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

    def plan_floats(
        self,
        tree: Tree,
        leaves: list[tuple[SSAValue, int]],
        constant: Attribute | None,
        flags: Attribute,
        kind: FloatKind,
    ) -> tuple[Part, list[Key]]:
        """A tree of floats, given its leaves with their signs; also returns the rank of each op."""
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
            whole = _joined(whole, part, op(FSubOp), key)
        if last is not None:
            cost.append(whole.key)
            whole = _joined(whole, last, join, whole.key)
        return whole, cost

    def _emit(self, tree: Tree, cls: type[Operation], a: SSAValue, b: SSAValue) -> SSAValue:
        root = tree.root
        new = fast.create(cls, (a, b), (root.results[0].type,), location=root.location)
        if tree.flags and cls is AddOp:
            set_overflow_flags(new, tree.flags)
        if tree.disjoint:
            new.properties["isDisjoint"] = UNIT
        fast.insert_before(new, root)
        return new.results[0]


def _joined(
    whole: Part, part: Part, join: Callable[[SSAValue, SSAValue], SSAValue], key: Key
) -> Part:
    return Part(lambda: join(whole.emit(), part.emit()), key)
