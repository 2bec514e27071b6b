"""Ops without, or with few, instructions: hints, markers and traps."""

from __future__ import annotations

from typing import Any

from xdsl.ir import Operation

from nvvm_xdsl.codegen.selector import Selector, selects, selects_intrinsic
from nvvm_xdsl.dialects.llvm.constant_ops import is_constant
from nvvm_xdsl.dialects.llvm.ops import (
    AnnotationOp,
    AssumeOp,
    DbgDeclareOp,
    DbgLabelOp,
    DbgValueOp,
    DebugTrapOp,
    ExpectOp,
    ExpectWithProbabilityOp,
    InvariantEndOp,
    InvariantStartOp,
    IsConstantOp,
    LaunderInvariantGroupOp,
    LifetimeEndOp,
    LifetimeStartOp,
    NoAliasScopeDeclOp,
    PrefetchOp,
    PtrAnnotationOp,
    PtrMaskOp,
    SSACopyOp,
    StripInvariantGroupOp,
    TrapOp,
    UBSanTrapOp,
    VarAnnotationOp,
)
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.special_registers import special_register
from nvvm_xdsl.ir.fast import operands_of


def _nothing(sel: Selector, op: Operation) -> None:
    """Emits nothing."""


def _nothing_for_intrinsic(sel: Selector, op: Operation, name: str) -> None:
    """Emits nothing."""


selects(
    DbgDeclareOp,
    DbgLabelOp,
    DbgValueOp,
    InvariantEndOp,
    LifetimeEndOp,
    LifetimeStartOp,
    NoAliasScopeDeclOp,
    PrefetchOp,
    VarAnnotationOp,
    AssumeOp,
    pure=True,
)(_nothing)

selects_intrinsic(
    "llvm.donothing",
    "llvm.sideeffect",
    "llvm.dbg.assign",
    "llvm.pseudoprobe",
    "llvm.experimental.noalias.scope.decl",
    "llvm.codeview.annotation",
    "llvm.experimental.convergence.anchor",
    "llvm.experimental.convergence.entry",
    "llvm.experimental.convergence.loop",
    "llvm.fake.use",
    pure=True,
)(_nothing_for_intrinsic)


@selects(
    AnnotationOp,
    ExpectOp,
    ExpectWithProbabilityOp,
    LaunderInvariantGroupOp,
    PtrAnnotationOp,
    SSACopyOp,
    StripInvariantGroupOp,
    pure=True,
)
def select_alias(sel: Selector, op: Operation) -> None:
    """The first operand under another name."""
    sel.define(op.results[0], *sel.parts(operands_of(op)[0]))


@selects(InvariantStartOp, pure=True)
def select_invariant_start(sel: Selector, op: Operation) -> None:
    """A token without users."""
    sel.define(op.results[0], imm(0))


@selects(IsConstantOp, pure=True)
def select_is_constant(sel: Selector, op: Operation) -> None:
    """True for a constant, also a null pointer; the address of a variable is none."""
    sel.define(op.results[0], imm(int(is_constant(operands_of(op)[0]))))


@selects_intrinsic("llvm.is.constant", pure=True)
def select_is_constant_intrinsic(sel: Selector, op: Operation, name: str) -> None:
    """As for the op."""
    select_is_constant(sel, op)


@selects_intrinsic("llvm.objectsize", pure=True)
def select_objectsize(sel: Selector, op: Operation, name: str) -> None:
    """The size of an unknown object: zero if the minimum is requested, else the maximum."""
    least = sel.constant(operands_of(op)[1])
    sel.define(op.results[0], imm(0 if least else -1))


@selects_intrinsic("llvm.arithmetic.fence", pure=True)
def select_arithmetic_fence(sel: Selector, op: Operation, name: str) -> None:
    """The operand; nothing is reordered across it."""
    sel.define(op.results[0], *sel.parts(operands_of(op)[0]))


def _read(register: str) -> Any:
    def rule(sel: Selector, op: Operation, name: str) -> None:
        read = special_register(register)
        read.location = sel.location
        sel.append(read)
        sel.define(op.results[0], read.results[0])

    return rule


selects_intrinsic("llvm.readcyclecounter")(_read("clock64"))
selects_intrinsic("llvm.readsteadycounter")(_read("globaltimer"))


@selects(TrapOp, UBSanTrapOp)
def select_trap(sel: Selector, op: Operation) -> None:
    """Ends the kernel with an error."""
    sel.emit("trap", "")


@selects(DebugTrapOp)
def select_debugtrap(sel: Selector, op: Operation) -> None:
    """A breakpoint."""
    sel.emit("brkpt", "")


@selects(PtrMaskOp, pure=True)
def select_ptrmask(sel: Selector, op: Operation) -> None:
    """A pointer with some bits cleared."""
    pointer, mask = operands_of(op)
    bits = sel.shape(pointer).bits
    if sel.shape(mask).bits != bits:
        raise sel.error(op, "the mask must be as wide as the pointer")
    register = sel.shape(pointer).parts[0]
    made = sel.emit1("and", f"b{bits}", (sel.reg(pointer), sel.operand(mask)), register)
    sel.define(op.results[0], made)
