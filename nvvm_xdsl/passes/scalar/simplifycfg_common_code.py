"""Common code of two paths: hoisted before their branch, or sunk to their join.

      llvm.cond_br %c, ^a, ^b                         %x = llvm.load %p
    ^a:                                               llvm.cond_br %c, ^a, ^b
      %x = llvm.load %p                             ^a:
      llvm.br ^join(%x)                        ->     llvm.br ^join(%x)
    ^b:                                             ^b:
      %y = llvm.load %p                               %z = llvm.mul %x, %x
      %z = llvm.mul %y, %y                            llvm.br ^join(%z)
      llvm.br ^join(%z)

A warp whose threads diverge at the branch executes the common code once instead of twice. Each thread
executes the same ops as before, and its memory accesses in the same order. Convergent ops, calls,
inline assembly, atomics and volatile accesses do not move, and no memory access moves past them.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from xdsl.dialects.llvm import CallOp, InlineAsmOp, LLVMPointerType, LoadOp, StoreOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, READS, UNSPECULATABLE, WRITES, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.types import I1
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.equality import shape_of
from nvvm_xdsl.ir.locations import merged_location
from nvvm_xdsl.transforms.expressions import FLAG_PROPERTIES, meet_flags

HOIST_COMMON_SKIP_LIMIT: Final = 20
"""Maximum number of ops at the start of each successor that are compared (LLVM's knob)."""

_STAY: Final[frozenset[type[Operation]]] = frozenset({*CONSTANT_CLASSES, CallOp, InlineAsmOp})


def _may_move(op: Operation) -> bool:
    """Returns True if one op may replace two equal ones in both arms of a branch."""
    cls = type(op)
    if cls in _STAY:
        return False
    if cls is LoadOp or cls is StoreOp:
        return is_simple_access(op)
    # Terminators have no results.
    return bool(op.results) and not effects(op) & ~(READS | UNSPECULATABLE)


def _computes_same(one: Operation, other: Operation) -> bool:
    """Returns True if two ops compute the same value, except for flags."""
    return fast.operands_of(one) == fast.operands_of(other) and _alike(one, other)


def _alike(one: Operation, other: Operation) -> bool:
    """Returns True if two ops differ at most in operands of equal types and in flags."""
    return _shape(one) == _shape(other)


def _shape(op: Operation) -> Hashable:
    """The op's shape without its flags."""
    return shape_of(op, {n: a for n, a in op.properties.items() if n not in FLAG_PROPERTIES})


def _candidates(block: Block) -> list[tuple[Operation, int]]:
    """The movable ops at the start of a block, each with the effects of the ops before it."""
    found: list[tuple[Operation, int]] = []
    passed = 0
    for count, op in enumerate(fast.ops_of(block)):
        if count == HOIST_COMMON_SKIP_LIMIT:
            break
        if _may_move(op):
            found.append((op, passed))
        passed |= effects(op)
    return found


def _may_pass(op: Operation, passed: int) -> bool:
    """Returns True if the op may move above ops with these effects."""
    own = effects(op)
    if type(op) is StoreOp:
        return not passed & ~UNSPECULATABLE
    if own & READS and passed & WRITES:
        return False
    return not passed & MAY_NOT_RETURN or speculation_cost(op) is not None


def hoist_common(block: Block) -> bool:
    """Moves common ops at the start of both successors to the end of the block.

    The block must be the only predecessor of both. Returns whether anything moved.
    """
    terminator = branches.terminator_of(block)
    one, other = fast.successors_of(terminator)
    if any(fast.single_predecessor(arm) is not block for arm in (one, other)):
        return False
    changed = False
    moved = True
    while moved:
        moved = False
        theirs: dict[type[Operation], list[tuple[Operation, int]]] = {}
        for op, passed in _candidates(other):
            theirs.setdefault(type(op), []).append((op, passed))
        for op, passed in _candidates(one):
            match = next(
                (
                    found
                    for found, before in theirs.get(type(op), ())
                    if _computes_same(op, found)
                    and _may_pass(op, passed)
                    and _may_pass(found, before)
                ),
                None,
            )
            if match is None:
                continue
            meet_flags(op, match)
            op.location = merged_location(op.location, match.location)
            fast.move_before(op, terminator)
            fast.replace_op(match, op.results)
            moved = changed = True
            # The effects before the other candidates have changed.
            break
    return changed


def sink_common(block: Block) -> bool:
    """Moves common ops at the end of all predecessors to the start of the block.

    The block must be the only successor of each. At most one operand may differ between the ops; it
    becomes an argument of the block, in place of the argument for the result of the ops. A store adds
    one argument at most. Returns whether anything moved.
    """
    sources = list(dict.fromkeys(fast.predecessors_of(block)))
    if len(sources) < 2 or block in sources:
        return False
    terminators = [branches.terminator_of(source) for source in sources]
    if any(t.name != "llvm.br" for t in terminators):
        return False
    changed = False
    while True:
        ops = [_before(t) for t in terminators]
        if any(op is None for op in ops) or not _sink_one(
            block, terminators, [op for op in ops if op is not None]
        ):
            return changed
        changed = True


def _before(terminator: Operation) -> Operation | None:
    """The last op before a branch that is not a constant."""
    op = terminator.prev_op
    while op is not None and type(op) in CONSTANT_CLASSES:
        op = op.prev_op
    return op


def _sink_one(block: Block, terminators: Sequence[Operation], ops: Sequence[Operation]) -> bool:
    first = ops[0]
    if not all(_may_move(op) and _alike(first, op) for op in ops):
        return False
    place: int | None = None
    if first.results:
        # The only use of each result is as the block's argument at one index.
        place = _argument_of(terminators[0], first)
        if place is None or any(_argument_of(t, op) != place for t, op in zip(terminators, ops)):
            return False
    operands = [fast.operands_of(op) for op in ops]
    differing = [
        index
        for index in range(len(operands[0]))
        if any(values[index] is not operands[0][index] for values in operands)
    ]
    if any(not _may_differ(first, index) for index in differing):
        return False
    if len(differing) > 1:
        return False
    for op in ops[1:]:
        meet_flags(first, op)
        first.location = merged_location(first.location, op.location)
    start = block.first_op
    assert start is not None
    fast.move_before(first, start)
    for index in differing:
        argument = fast.add_argument(block, operands[0][index].type)
        for terminator, values in zip(terminators, operands):
            ((target, sent),) = branches.edges_of(terminator)
            branches.set_edges(terminator, [(target, (*sent, values[index]))])
        fast.set_operand(first, index, argument)
    if place is not None:
        fast.replace_all_uses(block.args[place], first.results[0])
        branches.erase_arguments(block, [place])
    for op in ops[1:]:
        fast.erase(op)
    return True


def _argument_of(terminator: Operation, op: Operation) -> int | None:
    """The index of a branch operand that is the only use of an op's result."""
    use = fast.single_use(op.results[0])
    if use is None or use.operation is not terminator:
        return None
    return use.index


def _may_differ(op: Operation, index: int) -> bool:
    """Returns True if an operand may become an argument of a block.

    An address may not, because alias analysis would lose its base; a predicate may not, because it
    would be copied as an integer; an operand that must be a constant may not.
    """
    type_ = fast.operands_of(op)[index].type
    if type_ is I1 or isinstance(type_, LLVMPointerType):
        return False
    return op.name in _ARITHMETIC or type(op) is StoreOp


_ARITHMETIC: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr",
        "udiv", "sdiv", "urem", "srem", "fadd", "fsub", "fmul", "fdiv", "fneg",
        "icmp", "fcmp", "select", "trunc", "zext", "sext", "sitofp", "uitofp", "fptosi", "fptoui",
        "fpext", "fptrunc", "bitcast",
    )
)  # fmt: skip
"""Ops without operands that must be constants."""
