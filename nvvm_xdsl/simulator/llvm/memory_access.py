"""Memory access and control flow in the llvm dialect."""

from __future__ import annotations

import numpy as np
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    callee_of,
    element_type_of,
    int_property,
    is_volatile,
    ordering_of,
    segment_sizes,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer, constant_unsigned
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.dialects.memory_semantics import semantics_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.execution.memory import GENERIC, WINDOW_OF_SPACE
from nvvm_xdsl.simulator.llvm.semantics import Emit, LLVMSemantics
from nvvm_xdsl.simulator.llvm.values import constant_leaf
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType

ATOMIC = (
    "xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin", "fadd", "fsub", "fmax",
    "fmin", "uinc_wrap", "udec_wrap", "usub_cond", "usub_sat", "fmaximum", "fminimum",
)  # fmt: skip


def _alignment(semantics: LLVMSemantics, op: Operation, type_: Attribute) -> int:
    return stated_alignment(op) or semantics.types.layout.alignment(type_)


def _access(
    semantics: LLVMSemantics, op: Operation, to: FunctionCompiler, pointer: SSAValue,
    type_: Attribute, action: str,
) -> str:  # fmt: skip
    """The access of a load or store.

    Arguments:
        semantics: the module's semantics.
        op: the load or store.
        to: the compiled function.
        pointer: the address.
        type_: the type of the accessed value.
        action: `load` or `store`.
    """
    return semantics.access(
        op,
        to,
        pointer,
        semantics.types.layout.store_size(type_),
        _alignment(semantics, op, type_),
        f"atomic {action}" if ordering_of(op) or is_volatile(op) else action,
        semantics_of(op),
    )


def _load(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (pointer,) = fast.operands_of(op)
    type_ = op.results[0].type
    access = _access(semantics, op, to, pointer, type_, "load")
    to.define(op.results[0], semantics.load(to, access, type_))


def _store(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    value, pointer = fast.operands_of(op)
    type_ = value.type
    access = _access(semantics, op, to, pointer, type_, "store")
    semantics.store(to, access, type_, to.leaves(value))


def is_static(alloca: Operation) -> bool:
    """Whether an alloca is allocated in the frame: it runs once, and its size is constant."""
    block = alloca.parent_block()
    region = None if block is None else block.parent
    entry = None if region is None else region.first_block
    return block is entry and constant_integer(fast.operands_of(alloca)[0]) is not None


def _alloca(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (count,) = fast.operands_of(op)
    type_ = element_type_of(op)
    alignment = max(stated_alignment(op), semantics.types.layout.alignment(type_))
    known = constant_unsigned(count)
    name = op.results[0].name_hint or "alloca"
    space = pointer_space(op.results[0].type)
    generic = WINDOW_OF_SPACE.get(space, GENERIC) == GENERIC
    if known is None or not is_static(op):
        number = to.leaf(count)
        each = semantics.types.layout.size(type_)
        if number.undefined:
            to.line(f"blk.check_defined(m, {number.undefined}, {to.site(op)}, 'a size')")
        to.frame.grows = True
        to.define(
            op.results[0],
            [
                f"blk.push_dynamic({to.site(op)}, top, m, {number.name}, {each}, {alignment}, {generic})"
            ],
        )
        return
    size = max(known * semantics.types.layout.size(type_), 1)
    offset = to.frame.allocate(size, alignment)
    to.line(f"blk.push_local(sp, {offset}, {size}, {name!r}, m)")
    to.define(op.results[0], [f"blk.local_pointer(sp + {offset}, {generic})"])


def _gep(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    layout = semantics.types.layout
    found = gep_offset(op, layout)
    if found is None:
        raise to.unsupported(op, "an address whose indices do not lead through its type")
    offset, terms = found
    bases = to.leaves(fast.operands_of(op)[0])
    count = semantics.leaf_count(op.results[0].type)
    if len(bases) == 1:
        bases = bases * count
    bits = layout.pointer_bits(pointer_space(op.results[0].type))
    out: list[Leaf | str] = []
    for lane in range(count):
        parts = [bases[lane].name]
        shadows = [bases[lane]]
        for value, scale in terms:
            leaves = to.leaves(value)
            leaf = leaves[lane if len(leaves) > 1 else 0]
            width = semantics.kind(value).bits
            term = leaf.name if width == 64 else f"L.resize({leaf.name}, {width}, 64, True)"
            parts.append(
                term if scale == 1 else f"{term} * {to.array(scale & (1 << 64) - 1, np.uint64)}"
            )
            shadows.append(leaf)
        if offset:
            parts.append(to.array(offset & (1 << 64) - 1, np.uint64))
        value_ = " + ".join(parts)
        if bits < 64 and len(parts) > 1:
            value_ = f"({value_}) & {to.array((1 << bits) - 1, np.uint64)}"
        out.append(Leaf(value_, semantics.spread(ScalarType(64), shadows)))
    to.define(op.results[0], out)


def _atomic_rmw(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    pointer, value = fast.operands_of(op)
    type_ = value.type
    name = ATOMIC[int_property(op, "bin_op")]
    access = semantics.access(
        op,
        to,
        pointer,
        semantics.types.layout.store_size(type_),
        semantics.types.layout.alignment(type_),
        "atomic",
        semantics_of(op),
    )
    kinds = semantics.kinds(value)
    out: list[Leaf | str] = []
    if len(kinds) > 1:
        # The order of threads is the same for each element, so that the vector is one access.
        for (offset, kind), leaf in zip(semantics.types.placed(type_), to.leaves(value)):
            raw = f"A.rmw({access}, m, '{name}', {kind.bits}, '{kind.fmt}', {kind.to_bits(leaf.name)}, {offset})"
            out.append(Leaf(kind.from_bits(to.assign(raw))))
        to.define(op.results[0], out)
        return
    kind = kinds[0]
    leaf = to.leaf(value)
    if kind.bits > 64 and kind.bits != 128:
        raise to.unsupported(op, f"an atomic operation on {kind.bits} bits")
    if leaf.undefined:
        to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'an atomic operand')")
    bits = kind.to_bits(leaf.name)
    raw = to.assign(
        f"A.wide({access}, m, {bits}, None, '{name}')"
        if kind.bits > 64
        else f"A.rmw({access}, m, '{name}', {kind.bits}, '{kind.fmt}', {bits})"
    )
    to.define(op.results[0], [kind.from_bits(raw)])


def _cmpxchg(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    pointer, expected, new = fast.operands_of(op)
    kind = semantics.kind(expected)
    success = semantics_of(op, "success_ordering")
    access = semantics.access(op, to, pointer, kind.size, kind.size, "atomic", success)
    for leaf in (to.leaf(expected), to.leaf(new)):
        if leaf.undefined:
            to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'an atomic operand')")
    wanted = to.assign(kind.to_bits(to.leaf(expected).name))
    bits = kind.to_bits(to.leaf(new).name)
    raw = to.assign(
        f"A.wide({access}, m, {bits}, {wanted})"
        if kind.bits > 64
        else f"A.cas({access}, m, {kind.bits}, {wanted}, {bits})"
    )
    to.define(op.results[0], [kind.from_bits(raw), f"{raw} == {wanted}"])


def _fence(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    del semantics
    to.line(f"blk.fence(m, {to.constant(semantics_of(op))})")


def _branch(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.branches.jump(semantics.edges(op)[0])


def _conditional_branch(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    then, other = semantics.edges(op)
    condition = to.leaf(fast.operands_of(op)[0])
    if condition.undefined:
        to.line(f"blk.check_defined(m, {condition.undefined}, {to.site(op)}, 'a branch')")
    to.branches.branch(condition.name, then, other)


def _switch(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    default, *others = semantics.edges(op)
    value = fast.operands_of(op)[0]
    kind = semantics.kind(value)
    leaf = to.leaf(value)
    if leaf.undefined:
        to.line(f"blk.check_defined(m, {leaf.undefined}, {to.site(op)}, 'a switch')")
    cases = branches.case_values(op, signed=False)
    conditions: list[tuple[str, tuple[Block, tuple[SSAValue, ...]]]] = []
    for case, edge in zip(cases, others):
        conditions.append((f"{leaf.name} == {constant_leaf(to, case, kind)}", edge))
    to.branches.switch(conditions, default)


def _return(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    leaves = [leaf for value in fast.operands_of(op) for leaf in to.leaves(value)]
    to.returns(leaves)


def _unreachable(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.line(
        f"raise blk.error('poison', 'the kernel reaches code that is declared unreachable', {to.site(op)})"
    )


def _call(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    callee = callee_of(op)
    operands = list(fast.operands_of(op))
    sizes = segment_sizes(op)
    if sizes:
        operands = operands[: sizes[0]]
    if callee is None:
        semantics.program.emit_indirect_call(op, operands[0], operands[1:], to)
        return
    semantics.program.emit_call(op, callee, operands, to)


MEMORY: dict[str, Emit] = {
    "llvm.load": _load,
    "llvm.store": _store,
    "llvm.alloca": _alloca,
    "llvm.getelementptr": _gep,
    "llvm.atomicrmw": _atomic_rmw,
    "llvm.cmpxchg": _cmpxchg,
    "llvm.fence": _fence,
    "llvm.br": _branch,
    "llvm.cond_br": _conditional_branch,
    "llvm.switch": _switch,
    "llvm.return": _return,
    "llvm.unreachable": _unreachable,
    "llvm.call": _call,
}
