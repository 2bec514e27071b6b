"""Global value numbering: equal values of a function, and facts from branches."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from typing import Final

from xdsl.dialects.builtin import FloatAttr
from xdsl.dialects.llvm import (
    CondBrOp,
    FCmpOp,
    FuncOp,
    ICmpOp,
    LoadOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.float_rounding import MANTISSA_BITS, is_denormal
from nvvm_xdsl.analysis.memory.accesses import (
    is_invariant_load,
    is_simple_access,
)
from nvvm_xdsl.analysis.memory.alias_analysis import Location
from nvvm_xdsl.analysis.memory.memory_ssa import Definition, MemorySSA
from nvvm_xdsl.analysis.ops import connected
from nvvm_xdsl.analysis.side_effects import DIVISIONS, is_expression, is_removable, speculation_cost
from nvvm_xdsl.analysis.values.constant_range import INVERSE, SWAPPED
from nvvm_xdsl.dialects.effects import ARGUMENTS_ONLY, READS, UNSPECULATABLE, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import initial_value_of, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants, is_constant
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_number
from nvvm_xdsl.dialects.llvm.ops import SwitchOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.scalar.gvn_stored_values import StoredValues
from nvvm_xdsl.rules.simplify import SIMPLIFIABLE, simplify
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.expressions import Expressions, meet_flags

MAX_EDGES: Final = 8
"""Maximum number of incoming edges of a block across which values are moved or merged."""

MAX_USES: Final = 256
"""Maximum number of uses that are visited when a branch implies the value of an op."""

LOADS: Final = Statistic("gvn", "loads", "Number of loads removed")

MERGED: Final = Statistic("gvn", "merged", "Number of expressions removed")

EQUAL, UNEQUAL = 0, 1

ORDERED_EQUAL, UNORDERED_UNEQUAL = 1, 13
"""Predicates of `llvm.icmp` and `llvm.fcmp`."""

MIN_PRE_COST: Final = 2
"""Minimum cost of an expression for insertion into a predecessor."""


def edges_into(block: Block) -> list[tuple[Block, tuple[SSAValue, ...]]]:
    """The incoming edges of a block: the source and the passed values, once per edge."""
    return [
        (source, values)
        for source in dict.fromkeys(fast.predecessors_of(block))
        for values in branches.values_to(branches.terminator_of(source), block)
    ]


def is_plain_read(op: Operation) -> bool:
    """Returns True if the op only reads memory, like `ld.global.nc`."""
    flags = effects(op)
    return bool(flags & READS) and not flags & ~(READS | ARGUMENTS_ONLY | UNSPECULATABLE)


def equals_one_float(value: SSAValue) -> bool:
    """Returns True if the value is a floating-point constant that is equal to itself only.

    Zeros of both signs are equal, and denormals are equal to zero if they are flushed.
    """
    owner = value.owner
    attribute = initial_value_of(owner) if isinstance(owner, Operation) else None
    if not isinstance(attribute, FloatAttr):
        return False
    number = attribute.value.data
    type_ = attribute.get_type()
    return number != 0 and type_ in MANTISSA_BITS and not is_denormal(number, type_)


class ValueNumbering:
    """Numbers the values of a function and replaces redundant ones.

    Arguments:
        pre: collect expressions for partial redundancy elimination.
        load_pre: with `pre`, also loads.
    """

    changed: bool
    opened: bool
    """Whether another iteration may replace more values."""
    numbers: dict[SSAValue, int]
    known: dict[Hashable, int]
    """The number of the value of an op with this key."""
    leaders: dict[int, list[tuple[int, SSAValue]]]
    """By number: the values with this number, each with the block from which on it is available."""
    candidates: list[Operation]
    """Ops that remain and may be available in the predecessors of a block."""
    cases: dict[Operation, defaultdict[Block, list[int]]]
    """The cases of switches, by target."""

    def __init__(
        self, func: FuncOp, memory: MemorySSA, tree: DominatorTree, *, pre: bool, load_pre: bool
    ) -> None:
        self.pre = pre
        self.load_pre = pre and load_pre
        self.tree = tree
        self.memory = memory
        self.alias = memory.alias
        self.layout = self.alias.layout
        self.constants = Constants(func)
        self.keys = Expressions()
        self.stored = StoredValues(self.alias.addresses, self.layout, self.constants)
        self.changed = False
        self.opened = False
        self.numbers = {}
        self.known = {}
        self.cases = {}
        self.leaders = {}
        self.next_number = 0
        self.candidates = []

    def number(self, value: SSAValue) -> int:
        """The value's number; a new one for a value without a number."""
        found = self.numbers.get(value)
        if found is None:
            found = self.numbers[value] = self.next_number
            self.next_number += 1
            if type(value.owner) in CONSTANT_CLASSES:
                home = self.tree.cfg.numbers[fast.block_of(fast.producer_of(value))]
                self.leaders[found] = [(home, value)]
        return found

    def add_leader(self, number: int, block: int, value: SSAValue) -> None:
        """Records a value as available with a value number from a block on."""
        found = self.leaders.get(number)
        if found is None:
            self.leaders[number] = [(block, value)]
        else:
            found.append((block, value))

    def leader(self, number: int, block: int) -> SSAValue | None:
        """A value with this number that is available in the block, or at its end once it is
        numbered."""
        dominates = self.tree.dominates_number
        for home, value in reversed(self.leaders.get(number, ())):
            if home == block or dominates(home, block):
                return value
        return None

    def number_values(self) -> None:
        """Numbers and simplifies all values in reverse postorder."""
        graph = self.tree.cfg
        for number in graph.rpo:
            block = graph.blocks[number]
            self.visit_arguments(block, number)
            self.learn_from_branch(block, number)
            for op in fast.ops_of(block):
                self.visit(op, number)

    def visit_arguments(self, block: Block, number: int) -> None:
        """Simplifies, merges and numbers the arguments of a block."""
        if not block.args:
            return
        if number != self.tree.root:
            if cfg.simplify_arguments(block):
                self.changed = True
            if len(block.args) > 1:
                self.merge_arguments(block)
        for argument in block.args:
            self.add_leader(self.number(argument), number, argument)

    def merge_arguments(self, block: Block) -> None:
        """Merges arguments that get equal values on every edge."""
        incoming = [values for _, values in edges_into(block)]
        seen: dict[tuple[int, ...], BlockArgument] = {}
        doomed: list[int] = []
        for argument in block.args:
            key = (
                self.keys.number(argument.type),
                *(self.number(values[argument.index]) for values in incoming),
            )
            first = seen.setdefault(key, argument)
            if first is not argument:
                fast.replace_all_uses(argument, first)
                doomed.append(argument.index)
        if doomed:
            branches.erase_arguments(block, doomed)
            self.changed = True
            MERGED.add(len(doomed))

    def visit(self, op: Operation, block: int) -> None:
        """Numbers an op, or replaces it by an available value."""
        cls = type(op)
        if cls in SIMPLIFIABLE:
            value = simplify(op, self.constants)
            if value is not None and value is not (result := op.results[0]):
                if result.first_use is not None:
                    fast.replace_all_uses(result, value)
                    self.changed = True
                if is_removable(op):
                    fast.erase(op)
                    self.changed = True
                    return
        if cls is LoadOp:
            self.visit_load(op, block)
        elif is_expression(op):
            key = self.expression_key(op)
            if self.take_leader(op, key, block):
                MERGED.add()
            elif self.is_worth_moving(op):
                self.candidates.append(op)
        elif op.results and is_plain_read(op):
            operands = tuple(self.number(v) for v in fast.operands_of(op))
            seen = id(self.memory.clobber(op))
            if self.take_leader(op, ("read", self.keys.key(op, operands), seen), block):
                self.memory.remove(op)
        else:
            for result in op.results:
                self.add_leader(self.number(result), block, result)

    def expression_key(self, op: Operation) -> Hashable:
        """The key that equal expressions share."""
        numbers = [self.number(v) for v in fast.operands_of(op)]
        if type(op) is ICmpOp:
            return self.comparison_key(predicate_of(op), numbers[0], numbers[1], op)
        return self.keys.key(op, numbers)

    def comparison_key(self, predicate: int, left: int, right: int, op: Operation) -> Hashable:
        """The key of an integer comparison, with operands in ascending order."""
        if right < left:
            left, right, predicate = right, left, SWAPPED[predicate]
        return ("icmp", predicate, left, right, self.keys.number(op.results[0].type))

    def take_leader(self, op: Operation, key: Hashable, block: int) -> bool:
        """Replaces the op by an available value with the same number, or makes it the leader of its
        number.
        """
        number = self.known.get(key)
        if number is None:
            self.known[key] = self.number(op.results[0])
        else:
            found = self.leader(number, block)
            if found is not None:
                self.replace(op, found)
                return True
            self.numbers[op.results[0]] = number
        self.add_leader(self.number(op.results[0]), block, op.results[0])
        return False

    def replace(self, op: Operation, value: SSAValue) -> None:
        """Replaces an op by a value and keeps the flags of both."""
        if type(value.owner) is type(op):
            meet_flags(fast.producer_of(value), op)
        fast.replace_op(op, (value,))
        self.changed = True

    def is_worth_moving(self, op: Operation) -> bool:
        """Returns whether PRE may be profitable for an expression."""
        if not self.pre:
            return False
        if type(op) in DIVISIONS:
            return True
        return (speculation_cost(op) or 0) >= MIN_PRE_COST

    def learn_from_branch(self, block: Block, number: int) -> None:
        """Adds the facts that hold in a block because of its only incoming edge."""
        before = fast.single_predecessor(block)
        if before is None:
            return
        last = before.last_op
        if type(last) is CondBrOp:
            assert last is not None
            yes, _ = fast.successors_of(last)
            self.learn(fast.operands_of(last)[0], yes is block, number)
        elif type(last) is SwitchOp:
            assert last is not None
            value = fast.operands_of(last)[0]
            if not is_constant(value):
                for case in self.cases_for(last, block):
                    self.assume_equal(value, self.constants.integer(case, value.type), number)

    def cases_for(self, switch: Operation, block: Block) -> list[int]:
        """The cases that lead to a block, computed once for all targets of a switch."""
        found = self.cases.get(switch)
        if found is None:
            found = self.cases[switch] = defaultdict(list)
            _, *targets = fast.successors_of(switch)
            for case, target in zip(branches.case_values(switch, signed=True), targets):
                found[target].append(case)
        return found[block]

    def learn(self, condition: SSAValue, holds: bool, block: int) -> None:
        """Records equalities that follow from the value of a condition in a block."""
        work = [(condition, holds)]
        seen: set[SSAValue] = set()
        while work:
            value, holds = work.pop()
            if value in seen or is_constant(value):
                continue
            seen.add(value)
            self.assume_equal(value, self.constants.boolean(holds), block)
            if not isinstance(value, OpResult):
                continue
            op = value.op
            parts = connected(op)
            if parts is not None:
                both, first, second = parts
                if both is holds:
                    work += [(first, holds), (second, holds)]
            elif op.name == "llvm.xor":
                first, second = fast.operands_of(op)
                if constant_integer(second) in (1, -1):
                    work.append((first, not holds))
            elif type(op) is ICmpOp:
                self.learn_comparison(op, holds, block)
            elif type(op) is FCmpOp and predicate_of(op) == (
                ORDERED_EQUAL if holds else UNORDERED_UNEQUAL
            ):
                first, second = fast.operands_of(op)
                if equals_one_float(second):
                    self.assume_equal(first, second, block)

    def learn_comparison(self, op: Operation, holds: bool, block: int) -> None:
        """Records the inverse of a decided comparison and the equality it implies."""
        first, second = fast.operands_of(op)
        predicate = predicate_of(op)
        key = self.comparison_key(INVERSE[predicate], self.number(first), self.number(second), op)
        inverse = self.known.get(key)
        if inverse is None:
            inverse = self.known[key] = self.next_number
            self.next_number += 1
        self.add_leader(inverse, block, self.constants.boolean(not holds))
        if predicate == (EQUAL if holds else UNEQUAL):
            if is_constant(first):
                first, second = second, first
            # Equal pointers may be derived from different objects, except for null.
            if constant_number(second) is not None:
                self.assume_equal(first, second, block)

    def assume_equal(self, value: SSAValue, constant: SSAValue, block: int) -> None:
        """Replaces the uses of a value in the blocks that a block dominates."""
        self.add_leader(self.number(value), block, constant)
        numbers = self.tree.cfg.numbers
        dominates = self.tree.dominates_number
        doomed: list[tuple[Operation, int]] = []
        for count, (user, index) in enumerate(fast.uses_of(value)):
            if count >= MAX_USES:
                break
            if dominates(block, numbers[fast.block_of(user)]):
                doomed.append((user, index))
        for user, index in doomed:
            fast.set_operand(user, index, constant)
            self.changed = True

    def visit_load(self, op: Operation, block: int) -> None:
        """Replaces a load by a known value, or records it as available."""
        result = op.results[0]
        if not is_simple_access(op):
            self.add_leader(self.number(result), block, result)
            return
        pointer = fast.operands_of(op)[0]
        seen = self.memory.entry if is_invariant_load(op) else self.memory.clobber(op)
        key = self.load_key(self.number(pointer), result.type, seen)
        number = self.known.get(key)
        value = self.leader(number, block) if number is not None else None
        if value is None:
            value = self.stored.read(Location(pointer, None, op), result.type, seen, op)
        if value is not None:
            self.memory.remove(op)
            self.numbers[result] = self.number(value)
            self.replace(op, value)
            LOADS.add()
            return
        self.take_leader(op, key, block)
        if self.load_pre:
            self.candidates.append(op)

    def load_key(self, pointer: int, type_: Attribute, seen: Definition) -> Hashable:
        """The key of a load: pointer, type and the defining memory access."""
        return (LoadOp, pointer, self.keys.number(type_), id(seen))
