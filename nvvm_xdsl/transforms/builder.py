"""A builder for ops in straight-line code and loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.dialects.llvm import AddOp, AllocaOp, AndOp, FuncOp, ICmpOp, LoadOp, StoreOp, SubOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, after_constants
from nvvm_xdsl.dialects.llvm.flags import INBOUNDS
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, create_gep, is_raw_index
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.orderings import PLAIN
from nvvm_xdsl.dialects.llvm.types import I1, I8, I64, int_attr
from nvvm_xdsl.ir import fast

OpT = TypeVar("OpT", bound=Operation)

EQ, NE, SLT, ULT, ULE = 0, 1, 2, 6, 7
"""MLIR's enumeration values of the predicates of `llvm.icmp`."""


def hoist_static_allocas(func: FuncOp, constants: Constants) -> None:
    """Moves the entry block's stack slots of constant size before its other ops.

    Call this before splitting the entry block: a slot in a later block would be allocated each time
    that the block is executed.
    """
    entry = func.regions[0].first_block
    assert entry is not None
    slots: list[Operation] = []
    for op in fast.ops_of(entry):
        if type(op) is AllocaOp:
            (count,) = fast.operands_of(op)
            number = constant_integer(count)
            if number is not None:
                fast.set_operand(op, 0, constants.integer(number, count.type))
                slots.append(op)
    start = after_constants(entry)
    for op in slots:
        if op is start:
            start = op.next_op or op
        else:
            fast.move_before(op, start)


class Builder:
    """Inserts ops before an op, or at the end of the current block.

    Arguments:
        before: the op before which ops are inserted; new ops get its location.
        constants: creates constants of the function.

    `split` splits the block before `before`, so that control flow can be inserted; `finish`
    continues there. The stack slots of the function must have been hoisted.
    """

    def __init__(self, before: Operation, constants: Constants) -> None:
        self.before = before
        self.constants = constants
        self.location = before.location
        self._block: Block | None = None
        self._rest: Block | None = None

    def emit(
        self,
        cls: type[OpT],
        operands: Sequence[SSAValue] = (),
        types: Sequence[Attribute] = (),
        properties: dict[str, Attribute] | None = None,
    ) -> OpT:
        """A new op at the insertion point."""
        op = fast.create(cls, operands, types, properties, location=self.location)
        self._put(op)
        return op

    def copy(self, op: OpT) -> OpT:
        """A copy of an op at the insertion point."""
        made = fast.clone(op)
        self._put(made)
        return made

    def value(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        properties: dict[str, Attribute] | None = None,
    ) -> SSAValue:
        """The result of a new op."""
        return self.emit(cls, operands, (type_,), properties).results[0]

    def _put(self, op: Operation) -> None:
        if self._block is None:
            fast.insert_before(op, self.before)
        else:
            fast.append(self._block, op)

    # Addresses and memory.

    def offset(self, base: SSAValue, index: SSAValue | int, name: str | None = None) -> SSAValue:
        """The address at a byte offset from a pointer, within its object."""
        if isinstance(index, int):
            if index == 0:
                return base
            if is_raw_index(index):
                return self._gep((base,), index, name)
            index = self.constants.integer(index, I64)
        return self._gep((base, index), DYNAMIC_INDEX, name)

    def _gep(self, operands: Sequence[SSAValue], index: int, name: str | None) -> SSAValue:
        gep = create_gep(operands, (index,), I8, operands[0].type, INBOUNDS, self.location)
        self._put(gep)
        address = gep.results[0]
        if name is not None:
            fast.set_name(address, name)
        return address

    def load(
        self,
        address: SSAValue,
        type_: Attribute,
        alignment: int,
        extra: dict[str, Attribute] | None = None,
    ) -> SSAValue:
        """A load; `extra` are additional properties."""
        properties = {"alignment": int_attr(alignment, I64), "ordering": PLAIN}
        return self.value(LoadOp, (address,), type_, {**properties, **(extra or {})})

    def store(
        self,
        value: SSAValue,
        address: SSAValue,
        alignment: int,
        extra: dict[str, Attribute] | None = None,
    ) -> Operation:
        """A store; `extra` are additional properties."""
        properties = {"alignment": int_attr(alignment, I64), "ordering": PLAIN}
        return self.emit(StoreOp, (value, address), (), {**properties, **(extra or {})})

    # Arithmetic.

    def compare(self, predicate: int, a: SSAValue, b: SSAValue) -> SSAValue:
        """`llvm.icmp` with one of the predicates above."""
        return self.value(ICmpOp, (a, b), I1, {"predicate": int_attr(predicate, I64)})

    def add(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        """The sum of two 64-bit numbers."""
        return self.value(AddOp, (a, self._number(b)), I64)

    def subtract(self, a: SSAValue, b: SSAValue | int) -> SSAValue:
        """The difference of two 64-bit numbers."""
        return self.value(SubOp, (a, self._number(b)), I64)

    def mask(self, a: SSAValue, bits: int) -> SSAValue:
        """The bits of a 64-bit number under a mask."""
        return self.value(AndOp, (a, self._number(bits)), I64)

    def _number(self, value: SSAValue | int) -> SSAValue:
        return self.constants.integer(value, I64) if isinstance(value, int) else value

    # Control flow.

    def split(self) -> None:
        """Splits the block before `before` and continues at the end of the first half."""
        block = self.before.parent
        assert block is not None
        assert self._block is None
        self._rest = fast.split_block_before(self.before)
        self._block = block

    def finish(self, values: Sequence[SSAValue] = ()) -> Block:
        """Continues at `before`; returns its block, which receives the values."""
        rest = self._rest
        assert rest is not None
        self.branch(rest, values)
        self._block = None
        self._rest = None
        return rest

    def new_block(self, name: str, argument_types: Sequence[Attribute] = ()) -> Block:
        """A block that is filled later."""
        block = fast.new_block(argument_types)
        fast.set_name(block, name)
        return block

    def start(self, block: Block) -> None:
        """Continues in a new block, placed after the current one."""
        assert self._block is not None
        fast.insert_block_after(block, self._block)
        self._block = block

    def branch(self, block: Block, values: Sequence[SSAValue] = ()) -> None:
        """Ends the current block with a branch."""
        self._terminate(branches.branch(block, values))

    def conditional_branch(
        self,
        condition: SSAValue,
        then_block: Block,
        else_block: Block,
        then_values: Sequence[SSAValue] = (),
        else_values: Sequence[SSAValue] = (),
    ) -> None:
        """Ends the current block with a conditional branch."""
        self._terminate(
            branches.conditional_branch(condition, then_block, then_values, else_block, else_values)
        )

    def _terminate(self, terminator: Operation) -> None:
        terminator.location = self.location
        self._put(terminator)

    def loop(
        self,
        count: SSAValue,
        step: int,
        body: Callable[[SSAValue], None],
        name: str,
        *,
        down: bool = False,
    ) -> None:
        """Builds a loop that executes the body for 0, step, ... below `count`, a multiple of `step`
        that may be zero.

        With `down` the values descend from `count - step` to 0. The body must not create blocks.
        """
        known = constant_integer(count)
        if known == 0:
            return
        zero = self.constants.zero(I64)
        start = count if down else zero
        head, after = self.new_block(name, (I64,)), self.new_block("split")
        if known is None:
            self.conditional_branch(self.compare(NE, count, zero), head, after, (start,))
        else:
            self.branch(head, (start,))
        self.start(head)
        index: SSAValue = head.args[0]
        if down:
            following = self.subtract(index, step)
            body(following)
            again = self.compare(NE, following, zero)
        else:
            body(index)
            following = self.add(index, step)
            again = self.compare(ULT, following, count)
        self.conditional_branch(again, head, after, (following,))
        self.start(after)
