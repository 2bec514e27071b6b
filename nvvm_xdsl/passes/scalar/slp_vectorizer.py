"""`slp-vectorizer`: merges two equal scalar operations into one on a pair.

    %a = llvm.fmul %x0, %y0 : f32               %x = ... insertelement %x0, %x1
    %b = llvm.fmul %x1, %y1 : f32               %y = ... insertelement %y0, %y1
    %c = llvm.fadd %a, %z0 : f32         ->     %z = ... insertelement %z0, %z1
    %d = llvm.fadd %b, %z1 : f32                %m = llvm.fmul %x, %y : vector<2xf32>
                                                %s = llvm.fadd %m, %z : vector<2xf32>
                                                %c = llvm.extractelement %s[0]
                                                %d = llvm.extractelement %s[1]

A GPU thread has instructions on two halves in a 32-bit register; sm_100 and sm_103 also have
instructions on two f32 in adjacent registers (PTX ISA 9.7.3, `.f32x2`). Each element is rounded
like a scalar, so the results are identical. A difference of f32 is a sum with the negated operand.
The tree of operands of two ops is built upwards, with the operands of commutative ops in a matching
order; at its leaves two scalars are combined. Combining and splitting have the costs of machine
code: two f32 are adjacent for free, and so are a repeated, negated or swapped pair, unless one of
the values is already adjacent to another; two separate halves take a `PRMT`. A tree is vectorized
if that saves instructions.

Seeds are the elements of a vector built from scalars, as `load-store-vectorizer` creates for stored
values; then any two equal ops of a block, last ones first, the best of a few. Both lanes are placed
at the second op: earlier users of the first are moved after it if they have no effects; loads and
stores keep their order. A product whose only use is a sum in its block becomes part of an `fma`: it
is paired only together with the sum, at the same operand, so that exactly the same products are
fused as before. Two products of one sum in another block are not paired either: `machine-sink` moves
products to their sum, where ptxas fuses one.

(LLVM's SLPVectorizer, whose register width on this target permits only pairs of halves; vectors of
accesses are the task of `load-store-vectorizer`. Horizontal sums are not formed, because they
change the order of additions. Pairs of block arguments are not formed: they are adjacent if the
values on the backedge are.)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from xdsl.dialects.llvm import (
    FAbsOp,
    FAddOp,
    FMAOp,
    FMulOp,
    FNegOp,
    FPTruncOp,
    FSubOp,
    FuncOp,
    InsertElementOp,
    VectorFMaxOp,
    VectorFMinOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import MARKERS
from nvvm_xdsl.analysis.side_effects import COMMUTATIVE, is_expression
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_constant
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import ExtractElementOp, MaximumOp, MinimumOp
from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, I32, vector
from nvvm_xdsl.dialects.nvptx.gpus import PACKED_F32
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass

PAIRS = remarks.Statistic(
    "slp-vectorizer", "pairs", "Number of packed ops that replace two scalar ops"
)

RECURSION_MAX_DEPTH: Final = 12
"""LLVM's `slp-recursion-max-depth`."""
SCHEDULE_BUDGET: Final = 2000
"""Maximum distance in ops of two merged ops; LLVM's `slp-schedule-budget` is 100000, for a whole
block."""
CANDIDATES: Final = 4
"""Maximum number of earlier ops tried as the other lane of an op."""
LOOK_AHEAD: Final = 2
"""LLVM's `slp-max-look-ahead-depth`, for comparing orders of operands."""

LOOP_OVERHEAD: Final = 3
"""The loop-control instructions per iteration. ptxas does not unroll loops that contain pairs of
f32, so these are executed in each iteration.
"""

FIRST_HALF_EXTREMES: Final = 80
"""min and max of halves, sums of bfloat16 and conversions to two halves require sm_80."""


_F32_OPS: Final[frozenset[type[Operation]]] = frozenset({FAddOp, FSubOp, FMulOp, FNegOp, FMAOp})
_HALF_OPS: Final = _F32_OPS | {FAbsOp}
_LATER_HALF_OPS: Final = _HALF_OPS | {FPTruncOp, VectorFMaxOp, VectorFMinOp, MaximumOp, MinimumOp}
_SUMS: Final = frozenset({FAddOp, FSubOp})

Pair: TypeAlias = tuple[SSAValue, SSAValue]


@dataclass(frozen=True)
class SLPVectorizer(FunctionPass):
    """Merges scalar operations on f32 and halves into operations on pairs.

    Arguments:
        arch: the SM as a number, such as 100; 0 if unknown.
        slp_threshold: a tree is vectorized if it saves more than this number of
            instructions.
        slp_recursion_max_depth: maximum depth of a tree.
        slp_schedule_budget: maximum number of ops between two ops that are merged.
    """

    name = "slp-vectorizer"
    title = "SLPVectorizer"

    arch: int = 0
    slp_threshold: int = 0
    slp_recursion_max_depth: int = RECURSION_MAX_DEPTH
    slp_schedule_budget: int = SCHEDULE_BUDGET

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        worker = _Vectorizer(func, self, am)
        changed = False
        for block in list(fast.blocks_of(func.regions[0])):
            changed |= worker.run(block)
        worker.constants.erase_unused()
        return changed


@dataclass(eq=False)
class _Node:
    """A node of a tree: two ops to merge, or two values to combine if it has no `ops`."""

    values: Pair
    ops: tuple[Operation, Operation] | None = None
    operands: list[_Node] = field(default_factory=list["_Node"])


@dataclass
class _Tree:
    """The operands of a pair. `nodes` contains each pair once, users before operands."""

    nodes: dict[Pair, _Node] = field(default_factory=dict[Pair, _Node])
    taken: dict[Operation, _Node] = field(default_factory=dict[Operation, _Node])

    def bundles(self) -> list[_Node]:
        """The pairs of ops that are merged."""
        return [node for node in self.nodes.values() if node.ops is not None]


def fused_operand(op: Operation) -> int | None:
    """The operand index of a product in a sum that becomes an `fma`, the earlier one of two; None if
    there is none."""
    products = [
        (index, value.op)
        for index, value in enumerate(fast.operands_of(op))
        if isinstance(value, OpResult) and type(value.op) is FMulOp and is_fused(value.op)
    ]
    if not products:
        return None
    (index, first), (other, last) = products[0], products[-1]
    return other if first is not last and fast.comes_before(last, first) else index


def is_fused(product: Operation) -> bool:
    """Returns True if a product may become an `fma` with the sum that is its only use."""
    total = _only_sum(product)
    return total is not None and total.parent is product.parent


def _only_sum(product: Operation) -> Operation | None:
    """The sum that is the only use of a product; None if there is none."""
    use = fast.single_use(product.results[0])
    return use.operation if use is not None and type(use.operation) in _SUMS else None


class _Vectorizer:
    """Forms pairs in one function."""

    def __init__(self, func: FuncOp, options: SLPVectorizer, am: AnalysisManager) -> None:
        self.options = options
        self.func = func
        self.am = am
        self.function = symbol_name(func) or ""
        self.constants = Constants(func)
        self.entry = func.regions[0].first_block
        later = options.arch >= FIRST_HALF_EXTREMES
        halves = _LATER_HALF_OPS if later else _HALF_OPS
        self.classes: dict[Attribute, frozenset[type[Operation]]] = {F16: halves}
        if later:
            self.classes[BF16] = halves
        if options.arch in PACKED_F32:
            self.classes[F32] = _F32_OPS
        self.places: dict[Operation, int] = {}
        self.homes: dict[SSAValue, object] = {}
        """The pair of each value that is adjacent to another in its register or in the next one."""

    # Ops that may form a pair.

    def run(self, block: Block) -> bool:
        """Forms the profitable pairs of a block; returns whether there are any."""
        ops = [op for op in fast.ops_of(block) if self._is_candidate(op)]
        if len(ops) < 2 or not self._is_worth_a_loop(block, ops):
            return False
        self.places = {op: place for place, op in enumerate(fast.ops_of(block))}
        changed = False
        for whole in [op for op in fast.ops_of(block) if _is_put_together(op)]:
            for number, pair in enumerate(_pairs_of_elements(whole)):
                changed |= self._try([pair])
                for value in pair:
                    self.homes.setdefault(value, (whole, number))
        later: dict[object, deque[Operation]] = {}
        for op in reversed(ops):
            if op.parent is None:
                continue
            others = later.setdefault(_kind(op), deque(maxlen=CANDIDATES))
            pairs = [
                (op.results[0], other.results[0]) for other in others if other.parent is not None
            ]
            if self._try(pairs):
                changed = True
            else:
                others.appendleft(op)
        return changed

    def _is_worth_a_loop(self, block: Block, ops: Sequence[Operation]) -> bool:
        """True if pairs can save more than a surrounding loop loses because ptxas does not unroll
        it."""
        if not any(op.results[0].type is F32 for op in ops):
            return True
        loop = self.am.get(LoopInfo, self.func).loop_for(block)
        if loop is None or sum(map(_saved, ops)) // 2 > LOOP_OVERHEAD:
            return True
        # Most functions have no such loop, and importing ScalarEvolution is slow.
        from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
        from nvvm_xdsl.analysis.unroll_pragmas import ptxas_unroll_count

        return ptxas_unroll_count(loop, self.am.get(ScalarEvolution, self.func)) == 1

    def _is_candidate(self, op: Operation) -> bool:
        if len(op.results) != 1 or type(op) not in self.classes.get(op.results[0].type, ()):
            return False
        return type(op) is not FPTruncOp or fast.operands_of(op)[0].type is F32

    def _try(self, pairs: Sequence[Pair]) -> bool:
        """Forms the tree of the most profitable pair, if there is one."""
        found: list[tuple[int, int, _Tree]] = []
        for number, pair in enumerate(pairs):
            tree = self._tree(pair)
            if tree is not None and (gain := self._gain(tree)) > self.options.slp_threshold:
                found.append((-gain, number, tree))
        for cost, _, tree in sorted(found, key=lambda each: each[:2]):
            order = self._schedule(tree)
            if order is not None:
                self._make(tree, order, cost)
                return True
        return False

    # Trees.

    def _tree(self, pair: Pair) -> _Tree | None:
        tree = _Tree()
        root = self._build(pair, tree, False, self.options.slp_recursion_max_depth)
        return _reachable(root) if root.ops is not None else None

    def _build(self, pair: Pair, tree: _Tree, is_operand: bool, depth: int) -> _Node:
        """The node of a pair, with the nodes of its operands if the ops are merged."""
        found = tree.nodes.get(pair)
        if found is not None:
            return found
        node = tree.nodes[pair] = _Node(pair)
        if not depth or not self._may_form_pair(pair, tree, is_operand):
            return node
        a, b = (fast.producer_of(value) for value in pair)
        operands = self._operands(a, b)
        if operands is None:
            return node
        node.ops = (a, b)
        tree.taken[a] = tree.taken[b] = node
        node.operands = [self._build(each, tree, True, depth - 1) for each in operands]
        fused = fused_operand(a) if type(a) in _SUMS else None
        if fused is not None and node.operands[fused].ops is None:
            # Merging only the sums would leave their products behind.
            node.ops = None
            node.operands = []
        return node

    def _may_form_pair(self, pair: Pair, tree: _Tree, is_operand: bool) -> bool:
        x, y = pair
        if x is y or not isinstance(x, OpResult) or not isinstance(y, OpResult):
            return False
        a, b = x.op, y.op
        if a not in self.places or b not in self.places or a in tree.taken or b in tree.taken:
            return False
        if not (self._is_candidate(a) and self._is_candidate(b)) or _kind(a) != _kind(b):
            return False
        if a.properties != b.properties:
            return False
        if abs(self.places[a] - self.places[b]) > self.options.slp_schedule_budget:
            return False
        if type(a) is not FMulOp:
            return True
        if not (is_fused(a) or is_fused(b)):
            total = _only_sum(a)
            return total is None or total is not _only_sum(b)
        # The only user of an operand that becomes part of an `fma` is the sum above it.
        return is_operand and is_fused(a) and is_fused(b)

    def _operands(self, a: Operation, b: Operation) -> list[Pair] | None:
        """The operands of two ops in pairs; None if their products do not match."""
        left, right = list(fast.operands_of(a)), list(fast.operands_of(b))
        swapped = [right[1], right[0], *right[2:]] if len(right) > 1 else right
        may_swap = type(b) in COMMUTATIVE
        if type(a) in _SUMS:
            fused = fused_operand(a), fused_operand(b)
            if (fused[0] is None) != (fused[1] is None):
                return None
            if (1, True) in zip(fused, self._subtracts(a, b)):
                return None
            if fused[0] is not None:
                if fused[0] == fused[1]:
                    return list(zip(left, right))
                return list(zip(left, swapped)) if may_swap else None
        straight = sum(map(self._likeness, zip(left, right)))
        if may_swap and sum(map(self._likeness, zip(left, swapped))) > straight:
            return list(zip(left, swapped))
        return list(zip(left, right))

    @staticmethod
    def _subtracts(a: Operation, b: Operation) -> tuple[bool, bool]:
        """For each lane, whether it is the difference in a pair of a sum and a difference; the
        difference becomes a sum with the negated operand."""
        differ = type(a) is not type(b)
        return differ and type(a) is FSubOp, differ and type(b) is FSubOp

    def _likeness(self, pair: Pair, depth: int = LOOK_AHEAD) -> int:
        """A score for the similarity of two values; higher is better."""
        x, y = pair
        if x is y:
            return 3
        if is_constant(x) and is_constant(y):
            return 2
        home = self._home(x)
        if home is not None and home == self._home(y):
            return 4
        if not isinstance(x, OpResult) or not isinstance(y, OpResult):
            return int(type(x) is type(y))
        if type(x.op) is not type(y.op) and _kind(x.op) != _kind(y.op):
            return 0
        if not depth or x.op not in self.places or not self._is_candidate(x.op):
            return 1
        return 2 + sum(
            self._likeness(each, depth - 1)
            for each in zip(fast.operands_of(x.op), fast.operands_of(y.op))
        )

    # Profitability of a tree.

    def _gain(self, tree: _Tree) -> int:
        """The number of saved machine instructions."""
        homes: dict[SSAValue, object] = {}
        gain = 0
        for node in tree.bundles():
            homes[node.values[0]] = homes[node.values[1]] = node
            gain += sum(map(_saved, node.ops or ())) // 2 - self._extraction_cost(node, tree)
        for node in tree.nodes.values():
            if node.ops is None:
                gain -= self._put_together(node.values, homes)
        return gain

    def _extraction_cost(self, node: _Node, tree: _Tree) -> int:
        """The cost of other uses of the lanes: the upper half of a register must be moved."""
        high = node.values[1]
        if high.type is F32:
            return 0
        users = [user for user in fast.users_of(high) if user not in tree.taken]
        return int(any(type(user) is not InsertElementOp for user in users))

    def _put_together(self, pair: Pair, homes: dict[SSAValue, object]) -> int:
        """The cost of combining two values; records the pair."""
        x, y = pair
        if x is y:
            return 0
        if is_constant(x) and is_constant(y):
            return int(fast.producer_of(x).properties != fast.producer_of(y).properties)
        known = [homes.get(value, self._home(value)) for value in pair]
        if known[0] is not None and known[0] == known[1]:
            return 0
        if x.type is not F32:
            return 1
        if self.options.arch not in PACKED_F32:
            # Two f32 that are converted to halves are separate operands.
            return 0
        cost = 0
        for value, home in zip(pair, known):
            if home is not None or is_constant(value) or self._is_parameter(value):
                cost += 1
            else:
                homes[value] = pair
        return cost

    def _is_parameter(self, value: SSAValue) -> bool:
        return isinstance(value, BlockArgument) and value.block is self.entry

    def _home(self, value: SSAValue) -> object | None:
        """The pair that contains a value; None if the value is adjacent to no other."""
        if isinstance(value, OpResult) and type(value.op) is ExtractElementOp:
            whole, index = fast.operands_of(value.op)
            number = constant_unsigned(index)
            if number is not None:
                return whole, number // 2
        return self.homes.get(value)

    # Scheduling.

    def _schedule(self, tree: _Tree) -> list[Operation | _Node] | None:
        """The ops from the first lane to the last, with merged pairs; None if there is no such
        order."""
        lanes = [op for node in tree.bundles() for op in node.ops or ()]
        first = min(lanes, key=self.places.__getitem__)
        last = max(lanes, key=self.places.__getitem__)
        if self.places[last] - self.places[first] > self.options.slp_schedule_budget:
            return None
        order: list[Operation | _Node] = []
        open_: set[SSAValue] = set()
        """Values that are available in the old order, but not yet in the new one."""
        met: set[_Node] = set()
        waiting: list[Operation | _Node] = []
        at: Operation | None = first
        while at is not None:
            following = None if at is last else at.next_op
            node = tree.taken.get(at)
            item: Operation | _Node = at if node is None else node
            if node is not None and node not in met:
                # The second lane follows later.
                met.add(node)
                open_.update(node.values)
            elif any(value in open_ for value in _needed(item)):
                if node is None and not _may_wait(at):
                    return None
                open_.update(at.results)
                waiting.append(item)
            else:
                order.append(item)
                if node is not None:
                    open_.difference_update(node.values)
                    _let_go(waiting, open_, order)
            at = following
        return None if waiting else order

    # Rewriting.

    def _make(self, tree: _Tree, order: Sequence[Operation | _Node], cost: int) -> None:
        """Emits the tree in the block."""
        lanes = [op for node in tree.bundles() for op in node.ops or ()]
        last = max(lanes, key=self.places.__getitem__)
        after = last.next_op
        assert after is not None
        made: dict[_Node, SSAValue] = {}
        lane_of: dict[SSAValue, SSAValue] = {}
        moves = False
        for item in order:
            if isinstance(item, _Node):
                self._make_one(item, made, lane_of, after)
                moves = True
            elif moves:
                fast.move_before(item, after)
        for op in sorted(lanes, key=self.places.__getitem__, reverse=True):
            fast.erase(op)
            del self.places[op]
        for lane in lane_of.values():
            if lane.first_use is None:
                fast.erase(fast.producer_of(lane))
        moved = [op for op in order if isinstance(op, Operation) and op in self.places]
        self.places.update(zip(moved, sorted(map(self.places.__getitem__, moved))))
        PAIRS.add(len(made))
        if remarks.wanted():
            text = f"SLP vectorized with cost {cost} and with tree size {len(tree.nodes)}"
            remarks.emit("Passed", self.options.name, "Vectorized", self.function, text, op=after)

    def _make_one(
        self,
        node: _Node,
        made: dict[_Node, SSAValue],
        lane_of: dict[SSAValue, SSAValue],
        before: Operation,
    ) -> None:
        """Emits the op of a pair and extracts its lanes."""
        assert node.ops is not None
        a, b = node.ops
        operands = [
            made[each]
            if each in made
            else self._gathered([lane_of.get(value, value) for value in each.values], before)
            for each in node.operands
        ]
        whole = vector(2, a.results[0].type)
        cls = type(a) if type(a) is type(b) else FAddOp
        for number, subtracts in enumerate(self._subtracts(a, b)):
            if subtracts:
                operands[1] = self._negated(operands[1], number, before)
        op = fast.create(cls, operands, (whole,), dict(a.properties), location=a.location)
        fast.insert_before(op, before)
        made[node] = op.results[0]
        for number, value in enumerate(node.values):
            index = self.constants.integer(number, I32)
            lane = fast.create(ExtractElementOp, (op.results[0], index), (value.type,))
            fast.insert_before(lane, before)
            lane_of[value] = lane.results[0]
            fast.replace_all_uses(value, lane.results[0])

    def _negated(self, pair: SSAValue, number: int, before: Operation) -> SSAValue:
        """A pair with one lane negated."""
        index = self.constants.integer(number, I32)
        lane = fast.create(ExtractElementOp, (pair, index), (F32,))
        negative = fast.create(FNegOp, lane.results, (F32,))
        whole = fast.create(InsertElementOp, (pair, negative.results[0], index), (pair.type,))
        for op in (lane, negative, whole):
            fast.insert_before(op, before)
        return whole.results[0]

    def _gathered(self, values: Sequence[SSAValue], before: Operation) -> SSAValue:
        """A pair of two values."""
        x, y = values
        type_ = vector(2, x.type)
        found = _elements_of(x, y)
        if found is not None and found.type is type_:
            return found
        if x is not y and not is_constant(x) and not is_constant(y):
            for value in values:
                self.homes.setdefault(value, (x, y))
        whole = self.constants.poison(type_)
        for number, value in enumerate(values):
            index = self.constants.integer(number, I32)
            op = fast.create(InsertElementOp, (whole, value, index), (type_,))
            fast.insert_before(op, before)
            whole = op.results[0]
        return whole


def _kind(op: Operation) -> tuple[type[Operation], Attribute]:
    """A key that is equal for mergeable ops, including a sum and a difference of f32."""
    type_ = op.results[0].type
    return FAddOp if type(op) is FSubOp and type_ is F32 else type(op), type_


def _saved(op: Operation) -> int:
    """The number of machine instructions of a scalar op."""
    if type(op) is FMulOp:
        return 0 if is_fused(op) else 1
    # The sign of a float is an operand modifier.
    return 0 if type(op) is FNegOp else 1


def _reachable(root: _Node) -> _Tree:
    """The nodes of the tree of a root."""
    tree = _Tree()
    pending = [root]
    while pending:
        node = pending.pop()
        if node.values in tree.nodes:
            continue
        tree.nodes[node.values] = node
        for op in node.ops or ():
            tree.taken[op] = node
        pending += node.operands
    return tree


def _needed(item: Operation | _Node) -> Iterator[SSAValue]:
    """The operands of an op, or of both ops of a pair."""
    for op in (item,) if isinstance(item, Operation) else item.ops or ():
        yield from fast.operands_of(op)


def _results(item: Operation | _Node) -> Sequence[SSAValue]:
    return item.results if isinstance(item, Operation) else item.values


def _let_go(
    waiting: list[Operation | _Node], open_: set[SSAValue], order: list[Operation | _Node]
) -> None:
    """Appends the waiting ops without unscheduled operands to the order."""
    found = True
    while found:
        found = False
        for item in list(waiting):
            if not any(value in open_ for value in _needed(item)):
                waiting.remove(item)
                order.append(item)
                open_.difference_update(_results(item))
                found = True


def _may_wait(op: Operation) -> bool:
    """Returns True if an op may be moved down in its block."""
    return op.name in MARKERS or (is_expression(op) and not op.regions)


def _is_put_together(op: Operation) -> bool:
    """Returns True if an op inserts the last element of a vector."""
    if type(op) is not InsertElementOp:
        return False
    use = fast.single_use(op.results[0])
    return use is None or type(use.operation) is not InsertElementOp


def _pairs_of_elements(last: Operation) -> Iterator[Pair]:
    """The inserted elements in pairs, the first two first."""
    inserted: dict[int, SSAValue] = {}
    at = last
    while type(at) is InsertElementOp:
        whole, value, index = fast.operands_of(at)
        number = constant_unsigned(index)
        if number is None:
            break
        inserted.setdefault(number, value)
        if not isinstance(whole, OpResult):
            break
        at = whole.op
    for number in sorted(inserted):
        if number % 2 == 0 and number + 1 in inserted:
            yield inserted[number], inserted[number + 1]


def _elements_of(x: SSAValue, y: SSAValue) -> SSAValue | None:
    """The vector that has these values as its first and second element."""
    found: list[SSAValue] = []
    for number, value in enumerate((x, y)):
        if not isinstance(value, OpResult) or type(value.op) is not ExtractElementOp:
            return None
        whole, index = fast.operands_of(value.op)
        if constant_unsigned(index) != number:
            return None
        found.append(whole)
    return found[0] if found[0] is found[1] else None
