"""Cost of a call after inlining, as in LLVM's `CallAnalyzer` (InlineCost.cpp).

The callee is walked with the arguments of the call: ops on constants are folded, branches on them
are decided, and unreachable blocks cost nothing. Stack slots that become values cost nothing, and
neither do accesses through arguments that point to such slots of the caller. Numbers are LLVM's
unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from xdsl.dialects import llvm
from xdsl.dialects.llvm import (
    AddressOfOp,
    AllocaOp,
    BitcastOp,
    BrOp,
    CallOp,
    CondBrOp,
    ExtractValueOp,
    FuncOp,
    GEPOp,
    InlineAsmOp,
    InsertValueOp,
    IntToPtrOp,
    LoadOp,
    PtrToIntOp,
    ReturnOp,
    StoreOp,
    UnreachableOp,
)
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.analysis.constant_folding import FOLDABLE, fold
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.dialects.effects import NODUPLICATE, is_noduplicate
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    argument_attribute,
    assembly_of,
    callee_of,
    element_type_of,
    integer_of,
)
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, constant_attribute
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.function_attributes import by_value_type, has_function_attribute
from nvvm_xdsl.dialects.llvm.gep import constant_indices
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.ops import (
    AddrSpaceCastOp,
    AssumeOp,
    DbgDeclareOp,
    DbgLabelOp,
    DbgValueOp,
    ExpectOp,
    FreezeOp,
    LifetimeEndOp,
    LifetimeStartOp,
    MemcpyOp,
    MemmoveOp,
    MemsetOp,
    NoAliasScopeDeclOp,
    SwitchOp,
)
from nvvm_xdsl.dialects.llvm.symbols import entry_of, walk_function
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.inline import why_not_cloned

INSTRUCTION_COST: Final = 5
"""`inline-instr-cost`."""

CALL_PENALTY: Final = 25
"""`inline-call-penalty`: cost of a call in addition to its arguments."""

ARGUMENT_FACTOR: Final = 2
"""Number of instructions that pass 32 bits to a callee: a store to param space and a load in the
callee. LLVM counts one."""

_WORD: Final = 4

_LIFETIMES: Final = frozenset({LifetimeStartOp, LifetimeEndOp})

FREE: Final[frozenset[type[Operation]]] = frozenset(
    {
        *CONSTANT_CLASSES,
        *_LIFETIMES,
        AddressOfOp,
        AllocaOp,
        BitcastOp,
        BrOp,
        ExtractValueOp,
        InsertValueOp,
        IntToPtrOp,
        PtrToIntOp,
        ReturnOp,
        UnreachableOp,
        AddrSpaceCastOp,
        FreezeOp,
        AssumeOp,
        DbgDeclareOp,
        DbgLabelOp,
        DbgValueOp,
        ExpectOp,
        NoAliasScopeDeclOp,
    }
)
"""Ops that are selected to no instruction."""

_TRANSFERS: Final = frozenset({MemcpyOp, MemmoveOp, MemsetOp})


def becomes_value(pointer: SSAValue) -> list[Operation] | None:
    """The ops that are removed if the memory of a pointer becomes a value; None if it cannot.

    It can if it is only loaded, stored and indexed by constants.
    """
    gone: list[Operation] = []
    pending = [pointer]
    while pending:
        at = pending.pop()
        for user, index in fast.uses_of(at):
            cls = type(user)
            if cls is LoadOp or (cls is StoreOp and index == 1):
                if not is_simple_access(user):
                    return None
            elif cls is GEPOp and constant_indices(user) is not None:
                pending.append(user.results[0])
            elif cls is BitcastOp:
                pending.append(user.results[0])
            elif cls not in _LIFETIMES:
                return None
            gone.append(user)
    return gone


Situation = tuple[Attribute | bool, ...]
"""For each argument of a call: the constant, or whether it points to a slot of the caller.

The cost of the callee's body depends only on these and on the body."""


@dataclass
class Callee:
    """Facts about a function that are computed once for all its calls.

    Arguments:
        gone: the accesses to its stack slots that become values; these ops are removed.
        through: by argument index, the ops that are removed if the argument points to a slot of the
            caller.
        local_bytes: the size of its stack slots, in bytes.
        dynamic: whether it has dynamic allocas.
        is_single: whether it has one block.
        duplicable: whether no call or inline assembly in it is `noduplicate`.
        indirect: whether it calls through pointers.
        unclonable: the reason why its body cannot be copied; None if it can.
    """

    gone: frozenset[Operation]
    through: dict[int, frozenset[Operation]]
    local_bytes: int
    dynamic: bool
    is_single: bool
    duplicable: bool
    indirect: bool
    unclonable: str | None
    _costs: dict[Situation, tuple[int, int]] = field(
        default_factory=dict["Situation", tuple[int, int]]
    )

    @classmethod
    def of(cls, func: FuncOp, symbols: Mapping[str, Operation], layout: DataLayout) -> Callee:
        """Examines a function."""
        gone: set[Operation] = set()
        size = 0
        dynamic = indirect = False
        duplicable = True
        entry = entry_of(func)
        for op in walk_function(func):
            if type(op) is AllocaOp:
                count = constant_unsigned(fast.operands_of(op)[0])
                if count is None or op.parent is not entry:
                    dynamic = True
                    continue
                found = becomes_value(op.results[0])
                if found is not None:
                    gone.update(found)
                try:
                    size += count * layout.size(element_type_of(op))
                except UnsizedTypeError:
                    dynamic = True
            elif type(op) is CallOp:
                name = callee_of(op)
                indirect |= name is None
                target = symbols.get(name or "")
                if target is not None and has_function_attribute(target, NODUPLICATE):
                    duplicable = False
            if is_noduplicate(op):
                duplicable = False
        through: dict[int, frozenset[Operation]] = {}
        for argument in entry.args:
            found = becomes_value(argument)
            if found is not None:
                through[argument.index] = frozenset(found)
        is_single = entry.next_block is None
        return cls(
            *(frozenset(gone), through, size, dynamic, is_single, duplicable, indirect),
            why_not_cloned(func),
        )

    def cost(self, analyzer: Analyzer) -> int:
        """The result of `Analyzer.cost`, cached for calls with equal arguments (`Situation`)."""
        limit, cost = self._costs.get(analyzer.situation, (-1, 0))
        # A walk that ended at its limit shows that the cost exceeds lower limits, too.
        if cost > limit and analyzer.limit > limit:
            cost = analyzer.cost()
            self._costs[analyzer.situation] = (analyzer.limit, cost)
        return cost


def is_local(pointer: SSAValue) -> bool:
    """Returns True if a pointer is the address of a stack slot, or of a part of it."""
    while type(pointer.owner) in (GEPOp, BitcastOp, AddrSpaceCastOp):
        pointer = fast.operands_of(fast.producer_of(pointer))[0]
    return type(pointer.owner) is AllocaOp


def words_of(type_: Attribute, layout: DataLayout) -> int:
    """The number of 32-bit words of an argument."""
    try:
        return max(1, -(-layout.size(type_) // _WORD))
    except UnsizedTypeError:
        return 1


def call_cost(call: CallOp, callee: FuncOp, layout: DataLayout) -> int:
    """The cost of the call that inlining removes."""
    cost = CALL_PENALTY + INSTRUCTION_COST
    for index, value in enumerate(fast.operands_of(call)):
        copied = by_value_type(callee, index)
        words = words_of(value.type if copied is None else copied, layout)
        cost += ARGUMENT_FACTOR * words * INSTRUCTION_COST
    return cost


class Analyzer:
    """Walks a callee with the arguments of one call.

    Arguments:
        limit: the cost above which the walk stops.
    """

    def __init__(self, call: CallOp, callee: FuncOp, known: Callee, limit: int) -> None:
        self.facts: dict[SSAValue, Attribute] = {}
        self.limit = limit
        self.gone: set[Operation] = set(known.gone)
        self.takes_local = False
        self.callee = callee
        situation: list[Attribute | bool] = []
        for index, (value, argument) in enumerate(
            zip(fast.operands_of(call), entry_of(callee).args)
        ):
            fact = constant_attribute(value)
            is_slot = False
            if fact is not None:
                self.facts[argument] = fact
            elif is_local(value) or argument_attribute(callee, index, "llvm.byval") is not None:
                is_slot = self.takes_local = True
                self.gone |= known.through.get(index, frozenset())
            situation.append(is_slot if fact is None else fact)
        self.situation: Situation = tuple(situation)

    def cost(self) -> int:
        """The cost of the callee's body after inlining, or any number above `limit`."""
        cost = 0
        entry = entry_of(self.callee)
        seen: set[Block] = {entry}
        pending = [entry]
        while pending:
            block = pending.pop()
            for op in fast.ops_of(block):
                cost += self._op(op)
                if cost > self.limit:
                    return cost
            for target, values in self._edges(branches.terminator_of(block)):
                if target in seen:
                    continue
                seen.add(target)
                pending.append(target)
                if fast.single_predecessor(target) is not None:
                    for argument, value in zip(target.args, values):
                        fact = self._fact(value)
                        if fact is not None:
                            self.facts[argument] = fact
        return cost

    def _fact(self, value: SSAValue) -> Attribute | None:
        found = self.facts.get(value)
        return constant_attribute(value) if found is None else found

    def _edges(self, terminator: Operation) -> list[branches.Edge]:
        edges = branches.edges_of(terminator) if fast.successors_of(terminator) else []
        known = self._decided(terminator)
        return edges if known is None else [edges[known]]

    def _decided(self, terminator: Operation) -> int | None:
        """The index of the successor that a branch takes; None if it is unknown."""
        cls = type(terminator)
        if cls is not CondBrOp and cls is not SwitchOp:
            return None
        fact = self._fact(fast.operands_of(terminator)[0])
        number = integer_of(fact) if fact is not None else None
        if number is None:
            return None
        if cls is CondBrOp:
            return 0 if number else 1
        cases = branches.case_values(terminator, signed=True)
        return cases.index(number) + 1 if number in cases else 0

    def _op(self, op: Operation) -> int:
        cls = type(op)
        if cls in FREE or op in self.gone:
            return 0
        if cls in FOLDABLE:
            values = [self._fact(v) for v in fast.operands_of(op)]
            if all(value is not None for value in values):
                folded = fold(op, cast("list[Attribute]", values))
                if folded is not None:
                    self.facts[op.results[0]] = folded
                    return 0
            return INSTRUCTION_COST
        if cls is GEPOp:
            return 0 if constant_indices(op) is not None else INSTRUCTION_COST
        if cls is llvm.SelectOp:
            fact = self._fact(fast.operands_of(op)[0])
            number = integer_of(fact) if fact is not None else None
            if number is not None:
                chosen = self._fact(fast.operands_of(op)[1 if number else 2])
                if chosen is not None:
                    self.facts[op.results[0]] = chosen
                return 0
            return INSTRUCTION_COST
        if cls is CondBrOp:
            return 0 if self._decided(op) is not None else INSTRUCTION_COST
        if cls is SwitchOp:
            if self._decided(op) is not None:
                return 0
            return 2 * INSTRUCTION_COST * len(fast.successors_of(op))
        if cls is CallOp:
            return CALL_PENALTY + INSTRUCTION_COST * (1 + len(fast.operands_of(op)))
        if cls in _TRANSFERS:
            return CALL_PENALTY
        if cls is InlineAsmOp:
            text = assembly_of(op)
            return INSTRUCTION_COST * max(1, text.count(";") + text.count("\n"))
        return INSTRUCTION_COST


__all__ = [
    "FREE",
    "INSTRUCTION_COST",
    "Analyzer",
    "Callee",
    "becomes_value",
    "call_cost",
    "is_local",
]
