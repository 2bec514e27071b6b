"""Removal of dead machine instructions."""

from __future__ import annotations

from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.nvptx.control_flow import TerminatorOp, incoming_edges
from nvvm_xdsl.dialects.nvptx.flags import CARRY, CONVERGENT, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.functions import FuncOp, LocalOp
from nvvm_xdsl.dialects.nvptx.instructions import flags_of
from nvvm_xdsl.dialects.nvptx.registers import RegisterClass, register_class
from nvvm_xdsl.dialects.nvptx.special_registers import RegisterOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import symbols_of

_ROOTS = WRITES | SIDE_EFFECTS | CARRY | CONVERGENT


def eliminate_dead_instructions(func: FuncOp) -> bool:
    """Removes dead instructions; returns whether any was removed."""
    live: set[int] = set()
    work: list[SSAValue] = []
    writers: dict[RegisterClass, list[Operation]] = {}
    locals_: list[LocalOp] = []

    def need(op: Operation) -> None:
        if id(op) not in live:
            live.add(id(op))
            work.extend(fast.operands_of(op))

    for block in fast.blocks_of(func.body):
        for op in fast.ops_of(block):
            if isinstance(op, TerminatorOp):
                live.add(id(op))
                work.extend(fast.operands_of(op)[: op.own_operands])
            elif isinstance(op, LocalOp):
                locals_.append(op)
            elif isinstance(op, RegisterOp):
                pass
            elif flags_of(op) & _ROOTS:
                need(op)
            else:
                for result in op.results:
                    type_ = register_class(result)
                    if type_.number is not None:
                        writers.setdefault(type_, []).append(op)
    needed_arguments: set[int] = set()
    while work:
        value = work.pop()
        if isinstance(value, OpResult):
            op = value.op
            if id(op) in live:
                continue
            need(op)
            if isinstance(op, RegisterOp):
                for writer in writers.get(register_class(value), ()):
                    need(writer)
        elif isinstance(value, BlockArgument) and id(value) not in needed_arguments:
            needed_arguments.add(id(value))
            work.extend(incoming_values(value))
    changed = _drop_arguments(func, needed_arguments)
    doomed = [
        op
        for block in fast.blocks_of(func.body)
        for op in fast.ops_of(block)
        if id(op) not in live and not isinstance(op, LocalOp)
    ]
    for op in doomed:
        fast.drop_uses(op)
    for op in doomed:
        fast.detach(op)
    if changed:
        for block in fast.blocks_of(func.body):
            for argument in reversed(block.args):
                if id(argument) not in needed_arguments:
                    fast.erase_argument(block, argument.index)
    if locals_:
        used = {
            name
            for block in fast.blocks_of(func.body)
            for op in fast.ops_of(block)
            for name in symbols_of(op)
        }
        for op in locals_:
            if op.symbol not in used:
                fast.erase(op)
                changed = True
    return changed or bool(doomed)


def incoming_values(argument: BlockArgument) -> list[SSAValue]:
    """The values that branches pass to an argument."""
    edges = incoming_edges(argument.block)
    return [branch.values_on(place)[argument.index] for branch, place in edges]


def _drop_arguments(func: FuncOp, needed: set[int]) -> bool:
    """Removes the values for unneeded arguments from all branches."""
    changed = False
    for block in fast.blocks_of(func.body):
        last = block.last_op
        if not isinstance(last, TerminatorOp):
            continue
        edges = last.edges
        kept = [
            (target, tuple(v for v, a in zip(values, target.args) if id(a) in needed))
            for target, values in edges
        ]
        if kept != edges:
            last.set_edges(kept)
            changed = True
    return changed
