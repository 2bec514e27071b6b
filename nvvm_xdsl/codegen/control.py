"""Branches and switches."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import DenseArrayBase, DenseIntOrFPElementsAttr, IntegerAttr
from xdsl.dialects.llvm import BrOp, CondBrOp, UnreachableOp
from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.codegen import wide
from nvvm_xdsl.codegen.arith import condition
from nvvm_xdsl.codegen.module_context import signed as wrapped
from nvvm_xdsl.codegen.selector import Part, Selector, immediate_value, selects
from nvvm_xdsl.codegen.shapes import LIMB
from nvvm_xdsl.codegen.widths import extended_part
from nvvm_xdsl.dialects.llvm.constants import elements_of
from nvvm_xdsl.dialects.llvm.ops import SwitchOp
from nvvm_xdsl.dialects.llvm.struct_attributes import LoopAnnotationAttr, LoopUnrollAttr
from nvvm_xdsl.dialects.nvptx import control_flow as machine
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B32, B64, PRED
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.branches import edges_of

TABLE_LEAST_CASES = 6
"""Below this many cases a jump table costs more than comparisons."""

TABLE_MOST_HOLES = 3
"""A jump table has at most so many entries a case."""

LINEAR_CASES = 3
"""Up to this many cases are compared with one after the other."""


def _edge(sel: Selector, block: Block, values: tuple[SSAValue, ...]) -> machine.Edge:
    passed: list[SSAValue] = []
    for value in values:
        passed.extend(sel.regs(value))
    return sel.blocks[block], tuple(passed)


def _mark_loop(sel: Selector, op: Operation) -> None:
    """Tells ptxas not to unroll a loop whose back edge this is and says so."""
    annotation = op.properties.get("loop_annotation")
    if not isinstance(annotation, LoopAnnotationAttr):
        return
    unroll = annotation.field("unroll")
    if not isinstance(unroll, LoopUnrollAttr):
        return
    disabled = unroll.field("disable")
    if isinstance(disabled, IntegerAttr) and disabled.value.data:
        for block, _ in edges_of(op):
            sel.mark_loop(sel.blocks[block], "nounroll")


@selects(BrOp)
def select_br(sel: Selector, op: Operation) -> None:
    """A jump."""
    _mark_loop(sel, op)
    ((block, values),) = edges_of(op)
    target, passed = _edge(sel, block, values)
    branch = machine.branch(target, passed)
    branch.location = sel.location
    sel.append(branch)


@selects(CondBrOp)
def select_cond_br(sel: Selector, op: Operation) -> None:
    """A branch on a predicate; negated conditions change the successors' places."""
    _mark_loop(sel, op)
    first, second = edges_of(op)
    predicate, inverted = condition(sel, fast.operands_of(op)[0])
    known = immediate_value(predicate)
    if inverted:
        first, second = second, first
    if known is not None:
        target, passed = _edge(sel, *(first if known & 1 else second))
        branch: Operation = machine.branch(target, passed)
    else:
        then_block, then_values = _edge(sel, *first)
        else_block, else_values = _edge(sel, *second)
        register = sel.materialise(predicate, PRED)
        branch = machine.conditional_branch(
            register, then_block, else_block, then_values, else_values
        )
    branch.location = sel.location
    sel.append(branch)


def _cases(op: Operation, bits: int) -> list[tuple[int, tuple[Block, tuple[SSAValue, ...]]]]:
    """The cases of a switch in ascending unsigned order of their values, the edge with each."""
    attr = op.properties.get("case_values")
    if attr is None:
        return []
    if isinstance(attr, DenseIntOrFPElementsAttr):
        numbers = list(elements_of(cast("DenseIntOrFPElementsAttr[Any]", attr)))
        count = len(edges_of(op)) - 1
        if len(numbers) == 1 and count > 1:
            numbers *= count
    else:
        numbers = list(cast("DenseArrayBase[Any]", attr).get_values())
    mask = (1 << bits) - 1
    cases = [(number & mask, edge) for number, edge in zip(numbers, edges_of(op)[1:])]
    cases.sort(key=lambda case: case[0])
    return cases


@selects(SwitchOp)
def select_switch(sel: Selector, op: Operation) -> None:
    """A switch: `brx.idx` through a table where the cases are dense, else comparisons."""
    value = fast.operands_of(op)[0]
    shape = sel.shape(value)
    bits = shape.bits
    cases = _cases(op, bits)
    default = _edge(sel, *edges_of(op)[0])
    targets = [(number, _edge(sel, *edge)) for number, edge in cases]
    # A case that does what the default does needs no test.
    targets = [t for t in targets if t[1] != default]
    known = sel.constant(value)
    if known is not None:
        chosen = dict(targets).get(known & ((1 << bits) - 1), default)
        sel.append(machine.branch(*chosen))
        return
    if not targets:
        sel.append(machine.branch(*default))
        return
    if shape.wide:
        _wide_switch(sel, value, targets, default)
        return
    part = sel.parts(value)[0]
    if bits == 1:
        _bit_switch(sel, part, targets, default)
        return
    if bits != shape.width:
        part = extended_part(sel, part, bits, shape.width, signed=False)
    register = sel.materialise(part, shape.parts[0])
    width = shape.width
    span = targets[-1][0] - targets[0][0] + 1
    if len(targets) >= TABLE_LEAST_CASES and span <= TABLE_MOST_HOLES * len(targets):
        _table(sel, register, width, targets, default, span)
        return
    _Tree(sel, register, width, default).search(targets)


def _bit_switch(
    sel: Selector, part: Part, targets: list[tuple[int, machine.Edge]], default: machine.Edge
) -> None:
    edges = {0: default, 1: default, **dict(targets)}
    (if_true, true_values), (if_false, false_values) = edges[1], edges[0]
    register = sel.materialise(part, PRED)
    sel.append(machine.conditional_branch(register, if_true, if_false, true_values, false_values))


def _branch_or(
    sel: Selector, predicate: SSAValue, edge: machine.Edge, otherwise: machine.Edge
) -> None:
    sel.append(machine.conditional_branch(predicate, edge[0], otherwise[0], edge[1], otherwise[1]))


def _wide_switch(
    sel: Selector, value: SSAValue, targets: list[tuple[int, machine.Edge]], default: machine.Edge
) -> None:
    shape = sel.shape(value)
    limbs = wide.extend_limbs(sel, sel.parts(value), shape, signed=False)
    for index, (number, edge) in enumerate(targets):
        constants = tuple([imm(wrapped(number >> (LIMB * i), LIMB)) for i in range(len(limbs))])
        same = wide.equal_limbs(sel, limbs, constants)
        if index + 1 == len(targets):
            _branch_or(sel, same, edge, default)
            return
        following = sel.new_block()
        _branch_or(sel, same, edge, (following, ()))
        sel.start_block(following)


def _table(
    sel: Selector,
    register: SSAValue,
    width: int,
    targets: list[tuple[int, machine.Edge]],
    default: machine.Edge,
    span: int,
) -> None:
    """A jump through a table, behind a test for its range."""
    least = targets[0][0]
    if width == 16:
        register = sel.emit1("cvt", "u32.u16", (register,), B32)
        width = 32
    cls = B32 if width == 32 else B64
    index = register
    if least:
        amount = imm(wrapped(-least, width))
        index = sel.emit1("add", f"s{width}", (register, amount), cls)
    outside = sel.emit1("setp", f"gt.u{width}", (index, imm(span - 1)), PRED)
    if width == 64:
        index = sel.emit1("cvt", "u32.u64", (index,), B32)
    inside = sel.new_block()
    _branch_or(sel, outside, default, (inside, ()))
    sel.start_block(inside)
    by_number = dict(targets)
    edges = [by_number.get(least + i, default) for i in range(span)]
    sel.append(machine.indexed_branch(index, edges))


class _Tree:
    """Binary search of a value among the cases of a switch."""

    def __init__(
        self, sel: Selector, register: SSAValue, width: int, default: machine.Edge
    ) -> None:
        self.sel = sel
        self.register = register
        self.width = width
        self.default = default

    def _constant(self, number: int) -> Part:
        return imm(wrapped(number, self.width))

    def search(self, targets: list[tuple[int, machine.Edge]]) -> None:
        """Emits the comparisons into the block at hand and new ones."""
        sel = self.sel
        if len(targets) <= LINEAR_CASES:
            for index, (number, edge) in enumerate(targets):
                operands = (self.register, self._constant(number))
                same = sel.emit1("setp", f"eq.b{self.width}", operands, PRED)
                if index + 1 == len(targets):
                    _branch_or(sel, same, edge, self.default)
                    return
                following = sel.new_block()
                _branch_or(sel, same, edge, (following, ()))
                sel.start_block(following)
        middle = len(targets) // 2
        operands = (self.register, self._constant(targets[middle][0]))
        less = sel.emit1("setp", f"lt.u{self.width}", operands, PRED)
        low, high = sel.new_block(), sel.new_block()
        _branch_or(sel, less, (low, ()), (high, ()))
        sel.start_block(low)
        self.search(targets[:middle])
        sel.start_block(high)
        self.search(targets[middle:])


@selects(UnreachableOp)
def select_unreachable(sel: Selector, op: Operation) -> None:
    """The end of a block that is never left."""
    sel.append(fast.create(machine.UnreachableOp, (), (), None, (), None, sel.location))
