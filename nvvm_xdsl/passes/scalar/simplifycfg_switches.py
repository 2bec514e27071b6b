"""Switches: reading and creating them, forming them from comparisons, and cheaper replacements.

    llvm.cond_br (x == 1), ^a, ^n                  llvm.switch %x, ^d [1: ^a, 4: ^b]
    ^n: llvm.cond_br (x == 4), ^b, ^d      ->

    llvm.switch %x, ^d [3: ^a, 4: ^a, 5: ^a]       llvm.cond_br (x - 3 < 3 unsigned), ^a, ^d

    llvm.switch %x, ^d [0: ^j(7), 1: ^j(9), 2: ^j(11)]     llvm.cond_br (x < 3), ^j(7 + 2 x), ^d

Values selected by a switch become a formula, or bits of a constant that a shift extracts. LLVM
creates a table in memory for other values. This pass does not: constant memory serves different
addresses of a warp one after the other, and an access of global memory takes hundreds of cycles.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from xdsl.dialects.llvm import AddOp, CondBrOp, ICmpOp, LShrOp, MulOp, SubOp, TruncOp, ZExtOp
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, predicate_of
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer, unsigned
from nvvm_xdsl.dialects.llvm.switches import make_switch
from nvvm_xdsl.dialects.llvm.types import I1, I32, I64, int_attr, integer
from nvvm_xdsl.ir import fast

EQ, NE, ULT = 0, 1, 6
MIN_CASES: Final = 3
"""Minimum number of comparisons in a chain that becomes a switch."""
MAX_BITMAP: Final = 64
"""Maximum number of bits of a constant that replaces a table."""


def compared(terminator: Operation) -> tuple[SSAValue, int, branches.Edge, branches.Edge] | None:
    """A branch on equality with a constant: value, constant, the edge if equal, and the other
    edge."""
    if type(terminator) is not CondBrOp:
        return None
    condition = fast.operands_of(terminator)[0]
    if not isinstance(condition, OpResult) or type(condition.op) is not ICmpOp:
        return None
    predicate = predicate_of(condition.op)
    value, other = fast.operands_of(condition.op)
    number = constant_integer(other)
    if predicate not in (EQ, NE) or number is None:
        return None
    yes, no = branches.edges_of(terminator)
    return (value, number, yes, no) if predicate == EQ else (value, number, no, yes)


def form_switch(terminator: Operation) -> tuple[Operation, list[Block]] | None:
    """The switch for a chain of comparisons of one value, and the blocks that only contain
    comparisons and constants, which the caller moves.

    These blocks must have no predecessors outside the chain. None for a chain of fewer than
    `MIN_CASES`.
    """
    first = compared(terminator)
    if first is None:
        return None
    value = first[0]
    cases: list[tuple[int, branches.Edge]] = []
    seen: set[int] = set()
    passed: list[Block] = []
    at: tuple[SSAValue, int, branches.Edge, branches.Edge] | None = first
    home = terminator.parent
    default = first[3]
    while at is not None and at[0] is value:
        _, number, edge, default = at
        if number not in seen:
            seen.add(number)
            cases.append((number, edge))
        block, sent = default
        if sent or block is home:
            break
        if fast.single_predecessor(block) is None or not _only_compares(block):
            break
        at = compared(branches.terminator_of(block))
        if at is not None and at[0] is value:
            passed.append(block)
    if len(cases) < MIN_CASES:
        return None
    return make_switch(value, default, cases), passed


def _only_compares(block: Block) -> bool:
    """Returns True if a block only contains a comparison, used once by its branch, and constants."""
    terminator = branches.terminator_of(block)
    if type(terminator) is not CondBrOp:
        return False
    condition = fast.operands_of(terminator)[0]
    return all(
        op is terminator
        or type(op) in CONSTANT_CLASSES
        # An edge of the branch may pass the comparison, which is removed.
        or (op is condition.owner and fast.single_use(condition) is not None)
        for op in fast.ops_of(block)
    )


class _Emitter:
    """Inserts ops before a switch."""

    def __init__(self, switch: Operation, constants: Constants) -> None:
        self.switch = switch
        self.constants = constants

    def make(
        self,
        cls: type[Operation],
        operands: Sequence[SSAValue],
        type_: Attribute,
        properties: dict[str, Attribute] | None = None,
    ) -> SSAValue:
        """Inserts an op before the switch and returns its result."""
        op = fast.create(cls, operands, (type_,), properties, location=self.switch.location)
        fast.insert_before(op, self.switch)
        return op.results[0]

    def offset(self, value: SSAValue, low: int) -> SSAValue:
        """The difference between a value and the lowest case."""
        if low == 0:
            return value
        return self.make(SubOp, (value, self.constants.integer(low, value.type)), value.type)

    def below(self, value: SSAValue, count: int) -> SSAValue:
        """The unsigned comparison of a value with a count."""
        number = self.constants.integer(count, value.type)
        return self.make(ICmpOp, (value, number), I1, {"predicate": int_attr(ULT, I64)})


def _span(numbers: Sequence[int], width: int) -> int | None:
    """The lowest of consecutive numbers, as signed or unsigned; None if there is a gap."""
    for values in (sorted(set(numbers)), sorted({unsigned(n, width) for n in numbers})):
        if values[-1] - values[0] + 1 == len(values):
            return values[0]
    return None


def range_to_compare(switch: Operation, constants: Constants) -> Operation | None:
    """The branch that replaces a switch whose cases are consecutive and share a target.

    None for other ops. Operands of the comparison are inserted before the switch.
    """
    value = fast.operands_of(switch)[0]
    width = integer_width(value.type)
    default, *cases = branches.edges_of(switch)
    numbers = branches.case_values(switch, signed=True)
    if len(cases) < 2:
        return None
    emitter = _Emitter(switch, constants)
    groups: dict[branches.Edge, list[int]] = {}
    for number, edge in zip(numbers, cases, strict=True):
        groups.setdefault(edge, []).append(number)
    if len(groups) != 1:
        return None
    low = _span(numbers, width)
    if low is None or len(numbers) >> width:
        return None
    inside = emitter.below(emitter.offset(value, low), len(numbers))
    return branches.conditional_branch(inside, *cases[0], *default)


def to_formula(switch: Operation, constants: Constants) -> Operation | None:
    """The branch on a range that replaces a switch whose cases pass constants to one block.

    Each argument gets a constant, `a + b x`, or bits of a constant. None if some argument gets
    another value, or if the cases have gaps.
    """
    value = fast.operands_of(switch)[0]
    width = integer_width(value.type)
    default, *cases = branches.edges_of(switch)
    numbers = branches.case_values(switch, signed=True)
    if len(cases) < MIN_CASES or not 8 <= width <= 64:
        return None
    target = cases[0][0]
    if any(block is not target for block, _ in cases) or not cases[0][1]:
        return None
    low = _span(numbers, width)
    if low is None:
        return None
    by_offset = sorted(zip(((n - low) & ((1 << width) - 1) for n in numbers), cases))
    columns = list(zip(*(sent for _, (_, sent) in by_offset)))
    plans = [_plan(column) for column in columns]
    if any(plan is None for plan in plans):
        return None
    emitter = _Emitter(switch, constants)
    index = emitter.offset(value, low)
    inside = emitter.below(index, len(numbers))
    sent = tuple(
        _computed(plan, column, index, emitter)
        for plan, column in zip(plans, columns, strict=True)
        if plan is not None
    )
    if len(numbers) >> width:
        return branches.branch(target, sent)
    return branches.conditional_branch(inside, target, sent, *default)


def _plan(column: Sequence[SSAValue]) -> tuple[str, int, int] | None:
    """The computation of the values of cases 0, 1 ...: by `same`, `line` or `bits`."""
    if all(value is column[0] for value in column):
        return "same", 0, 0
    width = integer_width(column[0].type)
    values: list[int] = []
    for value in column:
        number = constant_integer(value)
        if number is None:
            return None
        values.append(unsigned(number, width))
    mask = (1 << width) - 1
    step = (values[1] - values[0]) & mask
    if all((b - a) & mask == step for a, b in pairwise(values)):
        return "line", values[0], step
    if width * len(values) <= MAX_BITMAP:
        return "bits", sum(v << (n * width) for n, v in enumerate(values)), width
    return None


def _computed(
    plan: tuple[str, int, int], column: Sequence[SSAValue], index: SSAValue, emitter: _Emitter
) -> SSAValue:
    kind, base, step = plan
    first = column[0]
    if kind == "same":
        return first
    constants = emitter.constants
    type_ = first.type
    if kind == "line":
        value = _resized(index, type_, emitter)
        if step != 1:
            value = emitter.make(MulOp, (value, constants.integer(step, type_)), type_)
        if base:
            value = emitter.make(AddOp, (value, constants.integer(base, type_)), type_)
        return value
    wide = I32 if step * len(column) <= 32 else integer(MAX_BITMAP)
    place = _resized(index, wide, emitter)
    if step != 1:
        place = emitter.make(MulOp, (place, constants.integer(step, wide)), wide)
    # After the last case the shift is poison, but unused.
    shifted = emitter.make(LShrOp, (constants.integer(base, wide), place), wide)
    return _resized(shifted, type_, emitter)


def _resized(value: SSAValue, type_: Attribute, emitter: _Emitter) -> SSAValue:
    have, want = integer_width(value.type), integer_width(type_)
    if have == want:
        return value
    if have < want:
        return emitter.make(ZExtOp, (value,), type_)
    return emitter.make(TruncOp, (value,), type_, {"overflowFlags": int_attr(0, I32)})
