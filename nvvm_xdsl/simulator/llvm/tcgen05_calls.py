"""The `tcgen05` ops of the nvvm dialect and calls of their intrinsics, executed as the instructions
that `dialects.nvvm.tcgen05_ptx` maps them to.
"""

from __future__ import annotations

import numpy as np
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.nvptx import instruction_text as text
from nvvm_xdsl.dialects.nvvm import tcgen05_ptx
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.llvm.nvvm_intrinsics import register, unpack
from nvvm_xdsl.simulator.llvm.semantics import LLVMSemantics
from nvvm_xdsl.simulator.ptx import effects
from nvvm_xdsl.simulator.ptx.source_operands import Address, Context, Group, Operand, Register

_INTRINSIC = "llvm.nvvm.tcgen05."


def is_tcgen05(op: Operation) -> bool:
    """Whether an op is a `tcgen05` op or a call of such an intrinsic."""
    if op.name == "llvm.call_intrinsic":
        return intrinsic_name(op).startswith(_INTRINSIC)
    return op.name in tcgen05_ptx.OPS or op.name == tcgen05_ptx.DESCRIPTOR


def instruction_of(op: Operation) -> text.InstructionText | None:
    """The instruction of an op."""
    if op.name != "llvm.call_intrinsic":
        return text.parse_instruction_text(tcgen05_ptx.OPS[op.name](op))
    operands = fast.operands_of(op)
    parts = intrinsic_name(op).removeprefix(_INTRINSIC).split(".")
    try:
        found = tcgen05_ptx.intrinsic_instruction(
            parts, len(operands), lambda i: constant_integer(operands[i])
        )
    except IndexError:  # An enum value that is out of range.
        return None
    return None if found is None else text.parse_instruction_text(found)


def waits(op: Operation) -> bool:
    """Whether lanes may have to wait at an op."""
    found = None if op.name == tcgen05_ptx.DESCRIPTOR else instruction_of(op)
    return found is not None and effects.waits(found.opcode)


def emit(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> bool:
    """Generates an op; returns False if it has no instruction."""
    if op.name == tcgen05_ptx.DESCRIPTOR:
        _descriptor(semantics, op, to)
        return True
    found = instruction_of(op)
    if found is None:
        return False
    values = fast.operands_of(op)
    operands = [_operand(semantics, operand, values, op, to) for operand in found.operands]
    at = Context(op, to)
    if effects.waits(found.opcode):
        wait = effects.wait(at, found.opcode, operands)
        to.wait(wait.condition)
        to.after_wait(lambda: _define(semantics, op, wait.results(), to))
        return True
    return effects.emit(at, found.opcode, operands) is not None


def _operand(
    semantics: LLVMSemantics,
    operand: text.Operand,
    values: tuple[SSAValue, ...],
    op: Operation,
    to: FunctionCompiler,
) -> Operand:
    if isinstance(operand, text.Address):
        pointer = values[operand.index]
        return Address(to.leaf(pointer).name, 0, semantics.window(pointer))
    if isinstance(operand, text.Argument):
        return register(semantics, values[operand.index], to)
    if isinstance(operand, text.Constant):
        number = constant_integer(values[operand.index])
        if number is None:
            raise to.unsupported(op, "an operand that must be a constant")
        return Register(to.array(number & 0xFFFFFFFF, np.uint32))
    assert isinstance(operand, text.Vector), operand
    (element,) = operand.elements
    assert isinstance(element, text.Argument)
    value = values[element.index]
    kinds = semantics.kinds(value)
    return Group(
        tuple(
            Register(to.assign(kind.to_bits(leaf.name)), leaf.undefined)
            for kind, leaf in zip(kinds, to.leaves(value))
        )
    )


def _define(
    semantics: LLVMSemantics, op: Operation, results: list[Leaf], to: FunctionCompiler
) -> None:
    """Sets the result, an integer or a vector of integers, from one register each."""
    if op.results:
        kinds = semantics.kinds(op.results[0])
        leaves = [part for k, leaf in zip(kinds, results) for part in unpack([k], leaf, to)]
        to.define(op.results[0], leaves)


def _descriptor(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    terms = [to.array(tcgen05_ptx.DESCRIPTOR_FIXED, np.uint64)]
    for (low, width), value in zip(tcgen05_ptx.DESCRIPTOR_FIELDS, fast.operands_of(op)):
        bits = f"L.fit({register(semantics, value, to).name}, 64) & {to.array((1 << width) - 1, np.uint64)}"
        terms.append(f"(({bits}) << u8({low}))")
    to.define(op.results[0], [Leaf(" | ".join(terms))])
