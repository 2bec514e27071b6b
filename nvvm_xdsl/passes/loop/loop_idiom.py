"""`loop-idiom`: replaces loops that count bits or fill memory by the corresponding op.

      llvm.br ^loop(%x, %c0 : i32, i32)                  %n = llvm.intr.ctpop(%x)
    ^loop(%v: i32, %i: i32):                             %t = llvm.intr.umax(%n, %c1)
      %d = llvm.add %v, %m1 : i32                        llvm.br ^exit(%t : i32)
      %w = llvm.and %v, %d : i32                   ->
      %j = llvm.add %i, %c1 : i32
      %c = llvm.icmp "ne" %w, %c0 : i32
      llvm.cond_br %c, ^loop(%w, %j : i32, i32), ^exit(%j : i32)

A loop of one block runs until `v & (v - 1)`, `v >> 1` or `v << 1` is zero. Its trip count is the
number of set bits of `v`, of bits up to the highest set bit, or of bits from the lowest set bit up,
and one for zero. Loops that run until `v >> 1` is zero or one, with the test on `v >> 1` or on `v`,
are recognized, too. Other values that it passes to its exit block are sums of one addend per
iteration, whose exit values follow.

Stores of a repeated byte to consecutive addresses, in a loop with a known trip count, become
`llvm.intr.memset` if the first address is aligned to more than the size of an element, because the
stores are then wider. (LLVM's LoopIdiomRecognize.cpp, sub_196FF90. Copies are left to the
vectorizers: the addresses of a copying loop rarely have a higher alignment, and its source and
target may overlap.)
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    CondBrOp,
    FuncOp,
    ICmpOp,
    LShrOp,
    MulOp,
    OrOp,
    ShlOp,
    StoreOp,
    SubOp,
    TruncOp,
    ZeroOp,
    ZExtOp,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.alignment import Alignments
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_expression, is_removable
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_number
from nvvm_xdsl.dialects.llvm.ops import CountLeadingZerosOp, CountTrailingZerosOp, CtPopOp, UMaxOp
from nvvm_xdsl.dialects.llvm.types import I1, I8, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.transforms.builder import Builder
from nvvm_xdsl.transforms.cfg import drop_blocks, replace_terminator
from nvvm_xdsl.transforms.lower_mem_intrinsics import MemsetOp

COUNTED = Statistic("loop-idiom", "counted", "Number of loops replaced by bit counts")
FILLED = Statistic("loop-idiom", "memset", "Number of loops replaced by a memset")

EQ, NE, ULT, UGT = 0, 1, 6, 8

_TESTS: dict[tuple[bool, int, int | None], int] = {
    (True, NE, 0): 0,
    (False, EQ, 0): 0,
    (True, UGT, 1): 1,
    (False, ULT, 2): 1,
}
"""By loop condition (whether the loop continues if it is true, predicate and bound): the largest
value of `v` at which the loop ends."""

_TESTS_BEFORE_SHIFT: dict[tuple[bool, int, int | None], int] = {
    (True, UGT, 1): 0,
    (False, ULT, 2): 0,
    (True, UGT, 3): 1,
    (False, ULT, 4): 1,
}
"""The same for a comparison of `v` instead of `v >> 1`, which `instcombine` creates."""


@dataclass(frozen=True)
class LoopIdiom(LoopPass):
    """Recognizes loops that count bits or fill memory."""

    name = "loop-idiom"
    title = "LoopIdiom"

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        if len(loop.blocks) != 1 or not loop.is_simplified() or not loop.is_lcssa():
            return False
        if self._count_bits(loop, func):
            return True
        return self._fill(loop, func, am)

    def _count_bits(self, loop: Loop, func: FuncOp) -> bool:
        exit_, preheader = loop.exit_block(), loop.preheader()
        assert preheader is not None
        if exit_ is None:
            return False
        scan = _scan_of(loop)
        if scan is None:
            return False
        branch = loop.header.last_op
        if not all(op is branch or is_removable(op) for op in fast.ops_of(loop.header)):
            return False
        ends = _ends(loop, exit_, scan)
        if ends is None:
            return False
        last = branches.terminator_of(preheader)
        builder = Builder(last, Constants(func))
        rounds = _rounds(builder, scan)
        values = [end.build(builder, rounds) for end in ends]
        replace_terminator(last, branches.branch(exit_, values))
        drop_blocks(loop.blocks)
        COUNTED.add()
        return True

    def _fill(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        """Removes the stores of a filling loop; the dead loop is removed by `loop-deletion`."""
        store, preheader = _only_effect(loop), loop.preheader()
        assert preheader is not None
        if store is None:
            return False
        layout = data_layout_of(func)
        value, address = fast.operands_of(store)
        size = layout.store_size(value.type)
        constants = Constants(func)
        se = am.get(ScalarEvolution, func)
        rounds = se.trip_count(loop)
        if rounds is None:
            return False
        first = _first_address(se.get(address), loop, size)
        if first is None:
            return False
        base, offset = first
        builder = Builder(branches.terminator_of(preheader), constants)
        alignment = Alignments(func, layout).of(base)
        if offset:
            alignment = min(alignment, offset & -offset)
        if alignment <= size:
            return False
        # Last, because it may create a constant.
        byte = _byte_of(value, loop, layout, constants)
        if byte is None:
            return False
        target = builder.offset(base, offset)
        length = constants.integer(rounds * size, I64)
        aligned = DictionaryAttr({"llvm.align": int_attr(alignment, I64)})
        builder.emit(
            MemsetOp,
            (target, byte, length),
            (),
            {
                "isVolatile": int_attr(0, I1),
                "arg_attrs": ArrayAttr([aligned, DictionaryAttr({}), DictionaryAttr({})]),
            },
        )
        fast.erase(store)
        FILLED.add()
        return True


# Counting bits.


@dataclass(frozen=True)
class _Scan:
    """A value that loses one bit or is shifted by one in each iteration until it is zero."""

    value: BlockArgument
    following: SSAValue
    first: SSAValue
    kind: type[Operation]
    limit: int
    """0, or 1 if the loop ends as soon as the value is below two."""


@dataclass(frozen=True)
class _End:
    """The exit value: `first + step * (rounds - less)`, or just `first`.

    With `is_shifted` it is `first >> rounds`, with `is_zero` 0 in the type of `first`.
    """

    first: SSAValue
    step: SSAValue | None = None
    less: int = 0
    is_shifted: bool = False
    is_zero: bool = False

    def build(self, builder: Builder, rounds: SSAValue) -> SSAValue:
        """Computes the exit value before the loop."""
        if self.is_zero:
            return builder.constants.integer(0, self.first.type)
        if self.is_shifted:
            return builder.value(LShrOp, (self.first, rounds), self.first.type)
        if self.step is None:
            return self.first
        type_ = self.first.type
        count = rounds
        have, want = integer_width(rounds.type), integer_width(type_)
        if have != want:
            count = builder.value(ZExtOp if have < want else TruncOp, (rounds,), type_)
        if self.less:
            less = builder.constants.integer(self.less, type_)
            count = builder.value(SubOp, (count, less), type_)
        if constant_integer(self.step) != 1:
            count = builder.value(MulOp, (count, self.step), type_)
        if constant_number(self.first) == 0:
            return count
        return builder.value(AddOp, (self.first, count), type_)


def _scan_of(loop: Loop) -> _Scan | None:
    """The scanned value of a loop that ends if the value has no bits left; None for other loops.

    The loop has one block and an exit.
    """
    terminator = branches.terminator_of(loop.header)
    if type(terminator) is not CondBrOp:
        return None
    condition = fast.operands_of(terminator)[0]
    if not isinstance(condition, OpResult) or type(condition.op) is not ICmpOp:
        return None
    compared, bound = fast.operands_of(condition.op)
    stays = fast.successors_of(terminator)[0] is loop.header
    test = (stays, predicate_of(condition.op), constant_number(bound))
    if isinstance(compared, BlockArgument) and compared.block is loop.header:
        first, after = _incoming(compared, loop)
        limit = _TESTS_BEFORE_SHIFT.get(test)
        if limit is None or not isinstance(after, OpResult):
            return None
        if _kind_of(after.op, compared) is not CountLeadingZerosOp:
            return None
        return _Scan(compared, after, first, CountLeadingZerosOp, limit)
    limit = _TESTS.get(test)
    if limit is None or not isinstance(compared, OpResult):
        return None
    for argument in loop.header.args:
        first, after = _incoming(argument, loop)
        if after is compared:
            kind = _kind_of(compared.op, argument)
            if kind is None or (limit and kind is not CountLeadingZerosOp):
                return None
            return _Scan(argument, compared, first, kind, limit)
    return None


def _kind_of(op: Operation, value: SSAValue) -> type[Operation] | None:
    """The kind of bits that a loop counts if the op computes its next value; None for other ops."""
    operands = fast.operands_of(op)
    if type(op) in (LShrOp, ShlOp):
        if operands[0] is value and constant_number(operands[1]) == 1:
            return CountLeadingZerosOp if type(op) is LShrOp else CountTrailingZerosOp
    elif type(op) is AndOp and value in operands:
        other = operands[0] if operands[1] is value else operands[1]
        if isinstance(other, OpResult) and _is_less_one(other.op, value):
            return CtPopOp
    return None


def _is_less_one(op: Operation, value: SSAValue) -> bool:
    operands = fast.operands_of(op)
    if type(op) is SubOp:
        return operands[0] is value and constant_number(operands[1]) == 1
    if type(op) is not AddOp or value not in operands:
        return False
    other = operands[0] if operands[1] is value else operands[1]
    return constant_integer(other) == -1


def _rounds(builder: Builder, scan: _Scan) -> SSAValue:
    type_ = scan.first.type
    width = integer_width(type_)
    constants = builder.constants
    if scan.kind is CtPopOp:
        count = builder.value(CtPopOp, (scan.first,), type_)
    else:
        properties = {"is_zero_poison": int_attr(0, I1)}
        value = scan.first
        if scan.limit:
            value = builder.value(OrOp, (value, constants.integer(1, type_)), type_)
        zeros = builder.value(scan.kind, (value,), type_, dict(properties))
        bits = constants.integer(width - scan.limit, type_)
        count = builder.value(SubOp, (bits, zeros), type_)
    return builder.value(UMaxOp, (count, constants.integer(1, type_)), type_)


def _incoming(argument: BlockArgument, loop: Loop) -> tuple[SSAValue, SSAValue]:
    """The initial value of a header's argument, and its next value."""
    preheader = loop.preheader()
    assert preheader is not None
    ((_, first),) = branches.edges_of(branches.terminator_of(preheader))
    latch = branches.edges_of(branches.terminator_of(loop.header))
    (after,) = [values for target, values in latch if target is loop.header]
    return first[argument.index], after[argument.index]


def _ends(loop: Loop, exit_: Block, scan: _Scan) -> list[_End] | None:
    """The values that the loop passes to its exit block; None if one of them cannot be computed
    before the loop.
    """
    edges = branches.edges_of(branches.terminator_of(loop.header))
    found: list[_End] = []
    for value in next(values for target, values in edges if target is exit_):
        end = _end_of(value, loop, scan)
        if end is None:
            return None
        found.append(end)
    return found


def _end_of(value: SSAValue, loop: Loop, scan: _Scan) -> _End | None:
    if not loop.defines(value):
        return _End(value)
    if value is scan.following and scan.limit:
        return _End(scan.first, is_shifted=True)
    if value is scan.following:
        return _End(scan.first, is_zero=True)
    for argument in loop.header.args:
        first, after = _incoming(argument, loop)
        if value is not argument and value is not after:
            continue
        if not isinstance(after, OpResult) or type(after.op) is not AddOp:
            continue
        if not integer_width(after.type):
            continue
        a, b = fast.operands_of(after.op)
        step = b if a is argument else a if b is argument else None
        if step is not None and not loop.defines(step):
            return _End(first, step, 0 if value is after else 1)
    return None


# Filling memory.


def _only_effect(loop: Loop) -> StoreOp | None:
    """The store of a loop without other effects."""
    found: StoreOp | None = None
    for op in fast.ops_of(loop.header):
        if isinstance(op, StoreOp):
            if found is not None or not is_simple_access(op):
                return None
            found = op
        elif op is not loop.header.last_op and not is_expression(op):
            return None
    return found


def _byte_of(
    value: SSAValue, loop: Loop, layout: DataLayout, constants: Constants
) -> SSAValue | None:
    """The byte that is repeated in a value; None for other values."""
    if type(value.owner) is ZeroOp:
        return constants.zero(I8)
    if value.type is I8:
        return None if loop.defines(value) else value
    number = constant_number(value)
    size = layout.store_size(value.type)
    if number is None or integer_width(value.type) != 8 * size:
        return None
    byte = number & 0xFF
    same = int.from_bytes(bytes([byte] * size), "little")
    return constants.integer(byte, I8) if number & (256**size - 1) == same else None


def _first_address(address: Scev, loop: Loop, size: int) -> tuple[SSAValue, int] | None:
    """The initial address, as a value and an offset, of a pointer that advances by `size`."""
    if address.loop is not loop or not address.is_affine:
        return None
    step = address.step
    if step.kind is not Kind.CONSTANT or step.signed != size:
        return None
    start, offset = address.start, 0
    if start.kind is Kind.ADD and len(start.operands) == 2:
        number, start = start.operands
        if number.kind is not Kind.CONSTANT:
            return None
        offset = number.signed
    if start.value is None:
        return None
    return start.value, offset
