"""Replaces short branches by selects, for `simplifycfg`.

      llvm.cond_br %c, ^then, ^else
    ^then:
      %a = llvm.add %x, %one : i32
      llvm.br ^join(%a : i32)
    ^else:
      %b = llvm.sub %x, %one : i32
      llvm.br ^join(%b : i32)
    ^join(%y: i32):

becomes

      %a = llvm.add %x, %one : i32
      %b = llvm.sub %x, %one : i32
      %y = llvm.select %c, %a, %b : i1, i32

Legal because the ops that run unconditionally afterwards have no side effects and cannot trap. A store
in the arm becomes a store of a select, if the block stores to the same address:

      llvm.store %a, %p                                    llvm.store %a, %p
      llvm.cond_br %c, ^then, ^join            ->          %v = llvm.select %c, %b, %a
    ^then:                                                 llvm.store %v, %p
      llvm.store %b, %p
      llvm.br ^join

The new store on the path without one is unobservable: it does not change the value, the memory is
writable, and there is no synchronization between the two stores, so another thread that accesses the
memory between them already races with the first. (LLVM's `isSafeToSpeculateStore`.) `dse` removes
the first store.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from xdsl.dialects.llvm import BrOp, SelectOp, StoreOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.addresses import Addresses
from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.dialects.effects import effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import stated_alignment
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.simplifycfg_terminators import selected
from nvvm_xdsl.passes.scalar.simplifycfg_worklist import Worklist
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation

MAX_OPS_AFTER_STORE: Final = 16
"""Maximum number of ops between two stores of which the second becomes unconditional (LLVM: 9)."""

STORE_COST: Final = 1
"""Cost of the select of a stored value."""


def speculate(block: Block, work: Worklist, most: int) -> bool:
    """Replaces a branch around, or between, short blocks by selects; returns whether it did.

    Arguments:
        block: the block that ends in the conditional branch.
        work: the worklist, which gets the changed blocks.
        most: maximum cost of the speculated ops, and maximum number of selects.
    """
    terminator = branches.terminator_of(block)
    then_edge, else_edge = branches.edges_of(terminator)
    then_arm = _arm(block, then_edge)
    else_arm = _arm(block, else_edge)
    if then_arm is not None and else_arm is not None and then_arm[0] is else_arm[0]:
        join, then_values, else_values = then_arm[0], then_arm[1], else_arm[1]
        arms = [then_edge[0], else_edge[0]]
    elif then_arm is not None and then_arm[0] is else_edge[0]:
        join, then_values, else_values = then_arm[0], then_arm[1], else_edge[1]
        arms = [then_edge[0]]
    elif else_arm is not None and else_arm[0] is then_edge[0]:
        join, then_values, else_values = else_arm[0], then_edge[1], else_arm[1]
        arms = [else_edge[0]]
    else:
        return False
    stores = _Stores.of(block, arms)
    if not _are_short(arms, most, stores):
        return False
    if sum(a is not b for a, b in zip(then_values, else_values)) > most:
        return False
    _speculate_arms(arms, terminator)
    condition = fast.operands_of(terminator)[0]
    if stores is not None:
        stores.store_select(condition, terminator, in_then=stores.arm is then_edge[0])
    new = branches.branch(join, selected(condition, then_values, else_values, terminator))
    for arm in arms:
        copy_loop_annotation(branches.terminator_of(arm), new)
    cfg.replace_terminator(terminator, new)
    cfg.drop_blocks(arms)
    work.push(block)
    work.push(join)
    return True


def _arm(block: Block, edge: branches.Edge) -> branches.Edge | None:
    """The outgoing edge of an edge's target, if that block may be speculated.

    The edge must be the only edge to the block, and the block must end in an unconditional branch.
    """
    arm, _ = edge
    if arm.args:
        return None
    if fast.single_predecessor(arm) is None:
        return None
    if type(arm.last_op) is not BrOp:
        return None
    ((target, values),) = branches.edges_of(branches.terminator_of(arm))
    if target is block:
        return None
    return target, values


class _Stores(NamedTuple):
    """The store at the end of an arm, and a store of the block before it to the same address."""

    arm: Block
    last: Operation
    earlier: Operation

    @staticmethod
    def of(block: Block, arms: Sequence[Block]) -> _Stores | None:
        """The stores of a branch one of whose arms ends with a store; None if there are none."""
        for arm in arms:
            last = branches.terminator_of(arm).prev_op
            if type(last) is StoreOp and is_simple_access(last):
                earlier = _earlier_store(block, last)
                return None if earlier is None else _Stores(arm, last, earlier)
        return None

    def store_select(self, condition: SSAValue, before: Operation, *, in_then: bool) -> None:
        """Replaces the store of the arm, which has been moved before the branch, by a store of a
        select."""
        value, pointer = fast.operands_of(self.last)
        old = fast.operands_of(self.earlier)[0]
        sides = (value, old) if in_then else (old, value)
        common = {
            name: attribute
            for name, attribute in self.earlier.properties.items()
            if self.last.properties.get(name) == attribute
        }
        natural = data_layout_of(before).alignment(value.type)
        alignments = (stated_alignment(op, natural) for op in (self.last, self.earlier))
        common["alignment"] = int_attr(min(alignments), I64)
        select = fast.create(SelectOp, (condition, *sides), (value.type,), location=before.location)
        store = fast.create(
            StoreOp, (select.results[0], pointer), (), common, location=before.location
        )
        fast.insert_before(select, before)
        fast.insert_before(store, before)
        fast.erase(self.last)


def _earlier_store(block: Block, last: Operation) -> Operation | None:
    """A store at the end of a block to the address of another store, and of the same type.

    Between them may be stores to other parts of the same object, and ops that access no memory.
    """
    value, pointer = fast.operands_of(last)
    addresses = Addresses(data_layout_of(last))
    at = block.last_op
    for _ in range(MAX_OPS_AFTER_STORE):
        at = at.prev_op if at is not None else None
        if at is None:
            return None
        if not effects(at):
            continue
        if type(at) is not StoreOp or not is_simple_access(at):
            return None
        stored, place = fast.operands_of(at)
        if place is pointer:
            return at if stored.type == value.type else None
        if not _are_apart(addresses, (stored, place), (value, pointer)):
            return None
    return None


def _are_apart(
    addresses: Addresses, one: tuple[SSAValue, SSAValue], other: tuple[SSAValue, SSAValue]
) -> bool:
    """Returns whether two stores, each a value and a pointer, are to different bytes of one object."""
    first, second = addresses.address(one[1]), addresses.address(other[1])
    if first.value is not second.value or first.terms != second.terms:
        return False
    layout = addresses.layout
    return (
        first.offset + layout.store_size(one[0].type) <= second.offset
        or second.offset + layout.store_size(other[0].type) <= first.offset
    )


def _are_short(arms: Sequence[Block], budget: int, stores: _Stores | None) -> bool:
    """Returns True if all ops of the blocks may be speculated and cost at most `budget` in
    total.
    """
    spent = 0
    for arm in arms:
        for op in fast.ops_of(arm):
            if op is arm.last_op:
                continue
            is_store = stores is not None and op is stores.last
            cost = STORE_COST if is_store else speculation_cost(op)
            if cost is None or spent + cost > budget:
                return False
            spent += cost
    return True


def _speculate_arms(arms: Sequence[Block], terminator: Operation) -> None:
    """Moves the ops of the blocks before a branch."""
    for arm in arms:
        for op in fast.ops_of(arm):
            if op is not arm.last_op:
                fast.move_before(op, terminator)
                op.location = terminator.location
