"""Code that both ways of a branch run: hoisted in front of it, or sunk to where they meet.

      llvm.cond_br %c, ^a, ^b                         %x = llvm.load %p
    ^a:                                               llvm.cond_br %c, ^a, ^b
      %x = llvm.load %p                             ^a:
      llvm.br ^join(%x)                        ->     llvm.br ^join(%x)
    ^b:                                             ^b:
      %y = llvm.load %p                               %z = llvm.mul %x, %x
      %z = llvm.mul %y, %y                            llvm.br ^join(%z)
      llvm.br ^join(%z)

Where the threads of a warp go both ways they run the code once instead of twice. Every thread runs
what it ran before, and in the same order what reads or writes memory. Ops that threads run together,
calls, inline assembly, atomics and volatile accesses stay where they are, and nothing that touches
memory moves past them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.dialects.llvm import AllocaOp, CallOp, InlineAsmOp, LLVMPointerType, LoadOp, StoreOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, READS, UNSPECULATABLE, WRITES, effects
from nvvm_xdsl.ir import branches, fast
from nvvm_xdsl.ir.locations import merged_location
from nvvm_xdsl.ir.types import I1
from nvvm_xdsl.passes.utils.constants import CONSTANT_CLASSES
from nvvm_xdsl.passes.utils.expressions import FLAG_PROPERTIES, meet_flags
from nvvm_xdsl.passes.utils.memory import is_simple_access
from nvvm_xdsl.passes.utils.side_effects import speculation_cost

HOIST_COMMON_SKIP_LIMIT: Final = 20
"""Ops of each way that are looked at for one that the other has too (LLVM's knob)."""

_STAY: Final[frozenset[type[Operation]]] = frozenset(
    {*CONSTANT_CLASSES, AllocaOp, CallOp, InlineAsmOp}
)


def _may_move(op: Operation) -> bool:
    """Whether one op may stand for two equal ones on both ways of a branch."""
    cls = op.__class__
    if cls in _STAY or fast.successors_of(op) or op.regions:
        return False
    if cls is LoadOp or cls is StoreOp:
        return is_simple_access(op)
    return bool(op.results) and not effects(op) & ~(READS | UNSPECULATABLE)


def _same(one: Operation, other: Operation) -> bool:
    """Whether two ops compute the same, whatever their flags."""
    if one.__class__ is not other.__class__:
        return False
    if fast.operands_of(one) != fast.operands_of(other):
        return False
    return _alike(one, other)


def _alike(one: Operation, other: Operation) -> bool:
    """Whether two ops of one class differ in operands and flags at most."""
    mine, theirs = one.properties, other.properties
    return (
        one.__class__ is other.__class__
        and len(fast.operands_of(one)) == len(fast.operands_of(other))
        and len(one.results) == len(other.results)
        and all(a.type == b.type for a, b in zip(one.results, other.results))
        and all(
            mine.get(k) == theirs.get(k)
            for k in mine.keys() | theirs.keys()
            if k not in FLAG_PROPERTIES
        )
    )


def _candidates(block: Block) -> list[tuple[Operation, int]]:
    """The first ops of a block that may move, with the effects of what stands before each."""
    found: list[tuple[Operation, int]] = []
    passed = 0
    for count, op in enumerate(fast.ops_of(block)):
        if count == HOIST_COMMON_SKIP_LIMIT or op is block.last_op:
            break
        if _may_move(op):
            found.append((op, passed))
        passed |= effects(op)
    return found


def _may_pass(op: Operation, passed: int) -> bool:
    """Whether the op may move in front of ops with these effects."""
    own = effects(op)
    if op.__class__ is StoreOp:
        return not passed & ~UNSPECULATABLE
    if own & READS and passed & WRITES:
        return False
    return not passed & MAY_NOT_RETURN or speculation_cost(op) is not None


def hoist_common(block: Block) -> bool:
    """Moves what both ways of a block's branch compute in front of it.

    Both must be reached from there alone. Returns whether anything moved.
    """
    terminator = branches.terminator_of(block)
    one, other = fast.successors_of(terminator)
    if one is other or any(
        fast.single_predecessor(arm) is not block or arm is block for arm in (one, other)
    ):
        return False
    changed = False
    moved = True
    while moved:
        moved = False
        theirs: dict[type[Operation], list[tuple[Operation, int]]] = {}
        for op, passed in _candidates(other):
            theirs.setdefault(op.__class__, []).append((op, passed))
        for op, passed in _candidates(one):
            if any(_is_of(v, one) for v in fast.operands_of(op)):
                continue
            match = next(
                (
                    found
                    for found, before in theirs.get(op.__class__, ())
                    if _same(op, found) and _may_pass(op, passed) and _may_pass(found, before)
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
            # What stood before others is another now.
            break
    return changed


def _is_of(value: SSAValue, block: Block) -> bool:
    return isinstance(value, OpResult) and value.op.parent is block


def sink_common(block: Block) -> bool:
    """Moves ops that all blocks in front of one end with to its start.

    All must go nowhere else. An operand that differs between them becomes an argument of the block, if
    it has no more of them than before, or one more in the case of a store. Returns whether anything
    moved.
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
    """The op in front of a branch, but for constants."""
    op = terminator.prev_op
    while op is not None and op.__class__ in CONSTANT_CLASSES:
        op = op.prev_op
    return op


def _sink_one(block: Block, terminators: Sequence[Operation], ops: Sequence[Operation]) -> bool:
    first = ops[0]
    if not all(_may_move(op) and _alike(first, op) for op in ops) or len(first.results) > 1:
        return False
    is_store = first.__class__ is StoreOp
    place: int | None = None
    if first.results:
        # What the ops yield goes into the block by one argument, and nowhere else.
        place = _argument_of(terminators[0], first)
        if place is None or any(
            _argument_of(t, op) != place for t, op in zip(terminators, ops, strict=True)
        ):
            return False
    elif not is_store:
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
    # Arguments stand for copies on each way: an op is worth one that it takes itself.
    new_arguments: list[SSAValue] = []
    for index in differing:
        sent = [values[index] for values in operands]
        existing = _argument_with(block, terminators, sent)
        if existing is None:
            existing = fast.add_argument(block, sent[0].type)
            for terminator, value in zip(terminators, sent, strict=True):
                ((target, values),) = branches.edges_of(terminator)
                branches.set_edges(terminator, [(target, (*values, value))])
        new_arguments.append(existing)
    for op in ops[1:]:
        meet_flags(first, op)
        first.location = merged_location(first.location, op.location)
    start = block.first_op
    assert start is not None
    fast.move_before(first, start)
    for index, argument in zip(differing, new_arguments):
        fast.set_operand(first, index, argument)
    if place is not None:
        fast.replace_all_uses(block.args[place], first.results[0])
        branches.erase_arguments(block, [place])
    for op in ops[1:]:
        fast.erase(op)
    return True


def _argument_of(terminator: Operation, op: Operation) -> int | None:
    """The place among what a branch sends of an op's result that has no other use."""
    use = fast.single_use(op.results[0])
    if use is None or use.operation is not terminator:
        return None
    return use.index


def _argument_with(
    block: Block, terminators: Sequence[Operation], sent: Sequence[SSAValue]
) -> SSAValue | None:
    """The argument of the block that gets these values already."""
    edges = [branches.edges_of(t)[0][1] for t in terminators]
    for index, argument in enumerate(block.args):
        if all(values[index] is value for values, value in zip(edges, sent, strict=True)):
            return argument
    return None


def _may_differ(op: Operation, index: int) -> bool:
    """Whether an operand may become an argument of a block.

    Not an address, of which less would be known, not a predicate, which would be copied as a number,
    nor what must be a constant.
    """
    type_ = fast.operands_of(op)[index].type
    if type_ is I1 or isinstance(type_, LLVMPointerType):
        return False
    return op.name in _ARITHMETIC or (op.__class__ is StoreOp and index == 0)


_ARITHMETIC: Final = frozenset(
    f"llvm.{name}"
    for name in (
        "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr",
        "udiv", "sdiv", "urem", "srem", "fadd", "fsub", "fmul", "fdiv", "fneg",
        "icmp", "fcmp", "select", "trunc", "zext", "sext", "sitofp", "uitofp", "fptosi", "fptoui",
        "fpext", "fptrunc", "bitcast",
    )
)  # fmt: skip
"""Ops any operand of which may be a variable."""
