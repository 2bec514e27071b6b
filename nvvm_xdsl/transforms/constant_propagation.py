"""Solver of sparse conditional constant propagation (LLVM's SCCPSolver), and its rewriting."""

from __future__ import annotations

from typing import Any, Final, TypeAlias, cast

from xdsl.dialects.builtin import FloatAttr, IntegerAttr
from xdsl.dialects.llvm import AndOp, CondBrOp, ConstantOp, FuncOp, MulOp, OrOp, SelectOp, UndefOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.constant_folding import FOLDABLE, fold
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    global_type_of,
    initial_value_of,
    integer_of,
    integer_width,
)
from nvvm_xdsl.dialects.llvm.constant_ops import UNDEFINED_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.ops import SwitchOp
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import int_attr, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.conditionals import fold_terminator

CONSTANTS: Final = Statistic("sccp", "constants", "Number of values that are constants")


_ABSORBING: Final[dict[type[Operation], int]] = {AndOp: 0, MulOp: 0, OrOp: -1}
"""For each op the operand value that determines the result, regardless of the other operand."""


class _Undefined:
    """The lattice value of undef and poison, which may become any constant."""


class _Varying:
    """The lattice value of values that are not known to be constant."""


UNDEFINED: Final = _Undefined()


VARYING: Final = _Varying()


Fact: TypeAlias = Attribute | _Undefined | _Varying
"""The lattice value of a value; None for one that was not computed yet."""


class SCCPSolver:
    """Computes the lattice values and the executable edges of a function."""

    facts: dict[SSAValue, Fact]
    reached: dict[Block, None]
    taken: set[tuple[Operation, int]]
    """Executable edges: the terminator and the index of the successor."""
    edges: list[tuple[Operation, int]]
    edges_of: dict[Operation, list[branches.Edge]]
    work: list[SSAValue]

    def __init__(self, func: FuncOp) -> None:
        self.func = func
        self.region = func.regions[0]
        self.facts = {}
        self.reached = {}
        self.taken = set()
        self.edges = []
        self.edges_of = {}
        self.work = []

    # Facts.

    def fact(self, value: SSAValue) -> Fact | None:
        """Returns the lattice value of `value`, or None while it is unknown."""
        found = self.facts.get(value)
        if found is None:
            owner = value.owner
            if type(owner) is ConstantOp:
                found = self.facts[value] = constant_value_of(owner)
            elif type(owner) in UNDEFINED_CLASSES:
                found = self.facts[value] = UNDEFINED
        return found

    def set_fact(self, value: SSAValue, fact: Fact | None) -> None:
        """Lowers the lattice value of `value` to `fact`, and queues its users on a change."""
        old = self.facts.get(value)
        if fact is None or old is VARYING or old == fact:
            return
        # Facts only change from undefined to one constant to varying.
        if old is not None and old is not UNDEFINED:
            fact = VARYING
        self.facts[value] = fact
        self.work.append(value)

    # Solving.

    def solve(self) -> None:
        """Propagates constants along executable edges until nothing changes."""
        entry = self.region.first_block
        assert entry is not None
        for argument in entry.args:
            self.facts[argument] = VARYING
        self.reach(entry)
        self.propagate()

    def propagate(self) -> None:
        """Propagates along edges and facts until nothing changes."""
        while self.edges or self.work:
            while self.work:
                self.visit_users()
            if self.edges:
                self.follow(*self.edges.pop())

    def visit_users(self) -> None:
        """Visits the users of the values whose facts changed.

        Each user is visited once, because a branch may forward a thousand values.
        """
        reached = self.reached
        users: dict[Operation, None] = {}
        for value in self.work:
            for user in fast.users_of(value):
                if user.parent in reached:
                    users[user] = None
        self.work = []
        for user in users:
            self.visit(user)

    def reach(self, block: Block) -> None:
        """Marks a block as executable and evaluates its ops."""
        self.reached[block] = None
        for op in fast.ops_of(block):
            self.visit(op)

    def follow(self, terminator: Operation, index: int) -> None:
        """Joins the values of the edge with this index into its target, and reaches the target."""
        target, values = self.edges_from(terminator)[index]
        self.send(target, values)
        if target not in self.reached:
            self.reach(target)

    def edges_from(self, terminator: Operation) -> list[branches.Edge]:
        """The edges of a terminator, cached because solving does not change them."""
        found = self.edges_of.get(terminator)
        if found is None:
            found = self.edges_of[terminator] = branches.edges_of(terminator)
        return found

    def send(self, target: Block, values: tuple[SSAValue, ...]) -> None:
        """Joins the values of an edge into the arguments of its target."""
        for argument, value in zip(target.args, values):
            old = self.facts.get(argument)
            if old is VARYING:
                continue
            fact = self.fact(value)
            if fact is UNDEFINED and old is not None:
                continue
            self.set_fact(argument, fact)

    def visit(self, op: Operation) -> None:
        """Evaluates an op, or the edges of a terminator."""
        results = op.results
        if fast.successors_of(op):
            self.visit_terminator(op)
        elif len(results) == 1:
            (result,) = results
            cls = type(op)
            if (
                self.facts.get(result) is not VARYING
                and cls is not ConstantOp
                and cls not in UNDEFINED_CLASSES
            ):
                self.set_fact(result, self.evaluate(op))
        else:
            for result in results:
                self.set_fact(result, VARYING)

    def evaluate(self, op: Operation) -> Fact | None:
        """The lattice value of the op's result; None while it waits for operands."""
        cls = type(op)
        operands = fast.operands_of(op)
        if cls is SelectOp:
            return self.evaluate_select(operands)
        if cls not in FOLDABLE:
            return VARYING
        values: list[Attribute] = []
        waits = False
        for operand in operands:
            fact = self.fact(operand)
            if fact is None:
                waits = True
            elif not isinstance(fact, (_Undefined, _Varying)):
                if cls in _ABSORBING and integer_of(fact) == _ABSORBING[cls]:
                    return fact
                values.append(fact)
        if waits:
            return None
        if len(values) != len(operands):
            return VARYING
        folded = fold(op, values)
        return VARYING if folded is None else folded

    def evaluate_select(self, operands: tuple[SSAValue, ...]) -> Fact | None:
        """The lattice value of a select; None while it waits for operands."""
        condition, yes, no = (self.fact(v) for v in operands)
        if condition is None:
            return None
        chosen = integer_of(condition) if isinstance(condition, Attribute) else None
        if chosen is not None:
            return yes if chosen else no
        if yes is None or no is None:
            return None
        return yes if isinstance(yes, Attribute) and yes == no else VARYING

    def visit_terminator(self, op: Operation) -> None:
        """Marks the executable edges, and joins the values that they forward."""
        for index in self.executable_successors(op):
            if (op, index) not in self.taken:
                self.taken.add((op, index))
                self.edges.append((op, index))
        for index, (target, values) in enumerate(self.edges_from(op)):
            if (op, index) in self.taken:
                self.send(target, values)

    def executable_successors(self, op: Operation) -> range | tuple[int, ...]:
        """The indices of the successors that may be taken according to the fact about the
        condition.
        """
        cls = type(op)
        everywhere = range(len(fast.successors_of(op)))
        if cls is not CondBrOp and cls is not SwitchOp:
            return everywhere
        fact = self.fact(fast.operands_of(op)[0])
        if fact is None:
            return ()
        known = integer_of(fact) if isinstance(fact, Attribute) else None
        if known is None:
            return everywhere
        if cls is CondBrOp:
            return (0,) if known else (1,)
        cases = branches.case_values(op, signed=True)
        return (cases.index(known) + 1,) if known in cases else (0,)

    # Rewriting.

    def rewrite(self) -> bool:
        """Replaces constants and removes unreachable blocks; returns whether anything changed."""
        constants = Constants(self.func)
        changed = False
        for block in self.reached:
            doomed: list[int] = []
            for argument in block.args:
                if self.replace_by_constant(argument, constants):
                    doomed.append(argument.index)
            if doomed and block is not self.region.first_block:
                branches.erase_arguments(block, doomed)
            changed |= bool(doomed)
            for op in fast.ops_of(block):
                results = op.results
                if len(results) != 1 or type(op) is ConstantOp:
                    continue
                (result,) = results
                if self.replace_by_constant(result, constants):
                    changed = True
                    if is_removable(op):
                        fast.erase(op)
        for block in self.reached:
            if fold_terminator(branches.terminator_of(block)) is not None:
                changed = True
        changed |= cfg.remove_unreachable_blocks(self.region)
        return changed

    def replace_by_constant(self, value: SSAValue, constants: Constants) -> bool:
        """Replaces the uses of a constant value; returns whether it was constant."""
        fact = self.facts.get(value)
        if not isinstance(fact, Attribute) or value.first_use is None:
            return False
        if type(fact) is IntegerAttr:
            fact = int_attr(integer_of(fact), integer(integer_width(value.type)))
        fast.replace_all_uses(value, constants.attribute(fact, value.type))
        CONSTANTS.add()
        return True


def initial_fact(variable: Operation) -> Fact | None:
    """The scalar initial value of a variable; None if it is not a scalar."""
    value = initial_value_of(variable)
    if value is not None:
        type_ = global_type_of(variable)
        if not isinstance(value, IntegerAttr | FloatAttr):
            return None
        scalar = cast("IntegerAttr[Any] | FloatAttr[Any]", value)
        return scalar if scalar.type == type_ else None
    ops = list(walk_function(variable))
    if len(ops) == 2 and type(ops[0]) is UndefOp:
        return UNDEFINED
    return None
