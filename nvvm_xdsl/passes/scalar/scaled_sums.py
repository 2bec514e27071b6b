"""Computes sums with a multiple of a counter from another one that differs by a constant.

    %s0 = llvm.shl %i, %c10 : i32                    %s0 = llvm.shl %i, %c10 : i32
    %n0 = llvm.add %t, %s0 : i32                     %n0 = llvm.add %t, %s0 : i32
    %i1 = llvm.add %i, %c1 : i32             ->      %n1 = llvm.add %n0, %c1024 : i32
    %s1 = llvm.shl %i1, %c10 : i32
    %n1 = llvm.add %t, %s1 : i32

These are the indices of the copies of an unrolled loop, such as `threadIdx.x + (i + 1) * 1024`. The
other sum must be available on every path.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.dialects.llvm import AddOp, MulOp, ShlOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.flags import set_overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.ir import fast

MAX_BASES = 8
"""Maximum number of sums of one key that are kept as bases."""


class _Sum(NamedTuple):
    """`other + (value + constant) * scale`, and the ops from the result to the inner sum."""

    other: SSAValue
    value: SSAValue
    scale: int
    constant: int
    ops: tuple[Operation, ...]


def share_scaled_sums(tree: DominatorTree, constants: Constants) -> bool:
    """Computes sums from available ones where that removes two ops; returns whether any was."""
    bases: dict[tuple[SSAValue, SSAValue, int], list[_Sum]] = {}
    changed = False
    for block in tree.cfg.rpo_blocks():
        for op in list(fast.ops_of(block)):
            if type(op) is not AddOp:
                continue
            for found in _scaled_sums(op):
                known = bases.setdefault((found.other, found.value, found.scale), [])
                base = next((b for b in known if _is_available(b, block, tree)), None)
                if base is not None and _removes_two_ops(found):
                    _replace(op, found, base, constants)
                    changed = True
                    break
                if len(known) < MAX_BASES:
                    known.append(found)
    return changed


def _scaled_sums(op: Operation) -> Iterator[_Sum]:
    """The decompositions of a sum; the scaled value may be either operand."""
    a, b = fast.operands_of(op)
    for other, scaled in ((a, b), (b, a)):
        if not isinstance(scaled, OpResult) or type(scaled.op) not in (ShlOp, MulOp):
            continue
        value, factor = fast.operands_of(scaled.op)
        number, width = constant_integer(factor), integer_width(scaled.type)
        if number is None or (type(scaled.op) is ShlOp and not 0 <= number < width):
            continue
        scale = 1 << number if type(scaled.op) is ShlOp else number
        if isinstance(value, OpResult) and type(value.op) is AddOp:
            inner, addend = fast.operands_of(value.op)
            constant = constant_integer(addend)
            if constant is not None:
                yield _Sum(other, inner, scale, constant, (op, scaled.op, value.op))
        yield _Sum(other, value, scale, 0, (op, scaled.op))


def _is_available(base: _Sum, block: Block, tree: DominatorTree) -> bool:
    """Whether a sum dominates a later block; a sum inside of another one may have been erased."""
    home = base.ops[0].parent
    return home is not None and tree.dominates(home, block)


def _removes_two_ops(found: _Sum) -> bool:
    """Whether only this sum uses the multiple and the inner sum."""
    return len(found.ops) == 3 and all(op.results[0].has_one_use() for op in found.ops[1:])


def _replace(op: Operation, found: _Sum, base: _Sum, constants: Constants) -> None:
    """Replaces a sum by a base and the scaled difference of the constants."""
    for part in base.ops:
        # It may overflow where the replaced sum does not.
        set_overflow_flags(part, 0)
    type_ = op.results[0].type
    difference = constants.integer((found.constant - base.constant) * found.scale, type_)
    new = fast.create(AddOp, (base.ops[0].results[0], difference), (type_,), location=op.location)
    fast.insert_before(new, op)
    fast.set_name(new.results[0], op.results[0].name_hint)
    fast.replace_op(op, new.results)
    for part in found.ops[1:]:
        fast.erase(part)


__all__ = ["share_scaled_sums"]
