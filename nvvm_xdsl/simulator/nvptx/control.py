"""Semantics of machine-code ops that are not instructions: branches, special registers,
variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation

from nvvm_xdsl.dialects.nvptx import CallOp, InlineAsmOp, LocalOp, MovSregOp, RegisterClass
from nvvm_xdsl.dialects.nvptx.operands import NEGATED_KIND, REGISTER_KIND
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.numerics.lane_ops import container
from nvvm_xdsl.simulator.nvptx.semantics import MachineSemantics
from nvvm_xdsl.simulator.ptx import inline_asm
from nvvm_xdsl.simulator.ptx.source_operands import Register
from nvvm_xdsl.simulator.ptx.special_registers import special_register

Emit = Callable[[MachineSemantics, Any, FunctionCompiler], None]


def _branch(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.branches.jump(semantics.edges(op)[0])


def _conditional_branch(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    condition = semantics.read(fast.operands_of(op)[0], to)
    if condition.undefined:
        to.line(f"blk.check_defined(m, {condition.undefined}, {to.site(op)}, 'a branch')")
    then, other = semantics.edges(op)
    to.branches.branch(condition.name, then, other)


def _indexed_branch(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    index = semantics.read(fast.operands_of(op)[0], to)
    if index.undefined:
        to.line(f"blk.check_defined(m, {index.undefined}, {to.site(op)}, 'a branch')")
    edges = semantics.edges(op)
    to.line(f"blk.check_index(m, {index.name}, {len(edges)}, {to.site(op)})")
    *others, last = edges
    to.branches.switch([(f"{index.name} == u4({i})", edge) for i, edge in enumerate(others)], last)


def _return(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.returns([])


def _unreachable(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.line(
        f"raise blk.error('poison', 'the kernel reaches code that is declared unreachable', {to.site(op)})"
    )


def _special(semantics: MachineSemantics, op: MovSregOp, to: FunctionCompiler) -> None:
    expression = special_register(op.sreg)
    if expression is None:
        raise to.unsupported(op, f"the special register %{op.sreg}")
    result = op.results[0]
    type_ = result.type
    assert isinstance(type_, RegisterClass)
    semantics.write(
        result, Leaf(expression if type_.width == 1 else f"L.fit({expression}, {type_.width})"), to
    )


def _undefined(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    type_ = op.results[0].type
    assert isinstance(type_, RegisterClass)
    kind = bool if type_.width == 1 else container(type_.width)
    shadow = None
    if semantics.tracking:
        shadow = to.array((1 << min(type_.width, 64)) - 1, container(min(type_.width, 64)))
    semantics.write(op.results[0], Leaf(to.array(0, kind), shadow), to)


def _register(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    type_ = op.results[0].type
    assert isinstance(type_, RegisterClass)
    semantics.numbered(type_, to)


def _pragma(semantics: MachineSemantics, op: Operation, to: FunctionCompiler) -> None:
    """A pragma has no effect on execution."""


def _local(semantics: MachineSemantics, op: LocalOp, to: FunctionCompiler) -> None:
    found = to.frame.local_offsets.get(op.symbol)
    if found is None:
        found = to.frame.local_offsets[op.symbol] = to.frame.allocate(op.size, op.align)
    to.line(f"blk.push_local(sp, {found}, {op.size}, {op.symbol!r}, m)")


def _call(semantics: MachineSemantics, op: CallOp, to: FunctionCompiler) -> None:
    semantics.call(op, to)


def _inline_asm(semantics: MachineSemantics, op: InlineAsmOp, to: FunctionCompiler) -> None:
    inputs: list[Leaf] = []
    registers: list[Leaf] = []
    for slot, operand in zip(op.slots, semantics.operands(op, op.slots, to)):
        if not isinstance(operand, Register):
            raise to.unsupported(op, "an address as an operand of inline assembly")
        leaf = Leaf(operand.name, operand.undefined)
        inputs.append(leaf)
        if slot[0] in (REGISTER_KIND, NEGATED_KIND):
            registers.append(leaf)
    widths = [register_class(r).width for r in op.results]
    held = {result: registers[at] for at, result in op.tied}

    def finish(results: list[Leaf]) -> None:
        for value, leaf in zip(op.results, results):
            semantics.write(value, leaf, to)

    inline_asm.emit_text(op, op.template, widths, inputs, to, finish, held)


EMIT: dict[str, Emit] = {
    "nvptx.bra": _branch,
    "nvptx.cbra": _conditional_branch,
    "nvptx.brx": _indexed_branch,
    "nvptx.ret": _return,
    "nvptx.unreachable": _unreachable,
    "nvptx.mov.sreg": _special,
    "nvptx.undef": _undefined,
    "nvptx.register": _register,
    "nvptx.local": _local,
    "nvptx.pragma": _pragma,
    "nvptx.call": _call,
    "nvptx.inline_asm": _inline_asm,
}
