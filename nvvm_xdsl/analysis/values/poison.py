"""Whether a value may be poison, and whether that would make the program undefined.

A flag on an op only states that the result is poison if the op overflows. Other ops that compute
the same value do not overflow either if the poison certainly reaches a use that makes the program
undefined: a branch condition, an address, or a divisor. (LLVM Language Reference, "Poison Values";
LLVM's `programUndefinedIfPoison`.)
"""

from __future__ import annotations

from xdsl.dialects.llvm import SelectOp
from xdsl.ir import BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.values.special_registers import special_register
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, effects
from nvvm_xdsl.dialects.llvm.accessors import argument_attributes
from nvvm_xdsl.dialects.llvm.branches import edges_of
from nvvm_xdsl.dialects.llvm.flags import overflow_flags
from nvvm_xdsl.ir import fast

MAX_OPS = 128
"""Maximum number of ops after the value that are examined."""

_UNDEFINED_AT: dict[str, int] = {
    "llvm.load": 0,
    "llvm.store": 1,
    "llvm.atomicrmw": 0,
    "llvm.cmpxchg": 0,
    "llvm.udiv": 1,
    "llvm.sdiv": 1,
    "llvm.urem": 1,
    "llvm.srem": 1,
    "llvm.cond_br": 0,
    "llvm.switch": 0,
}
"""The operands of an op that must not be poison."""

_PASSES_ON = frozenset(
    f"llvm.{name}"
    for name in (
        "add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr",
        "udiv", "sdiv", "urem", "srem", "icmp", "trunc", "zext", "sext",
        "getelementptr", "ptrtoint", "inttoptr", "bitcast", "addrspacecast",
        "intr.smax", "intr.smin", "intr.umax", "intr.umin", "intr.abs",
    )
)  # fmt: skip
"""Ops whose result is poison if any operand is."""


_NEVER_POISON = frozenset(
    {"llvm.mlir.constant", "llvm.mlir.zero", "llvm.mlir.addressof", "llvm.freeze", "llvm.alloca"}
)

_KEEPS_DEFINED = frozenset(
    f"llvm.{name}"
    for name in ("add", "sub", "mul", "and", "or", "xor", "icmp", "trunc", "zext", "sext")
)
"""Ops whose result is defined if all operands are, unless a flag makes it poison."""

_FLAGS = ("isDisjoint", "nonNeg", "samesign")

MAX_DEPTH = 6
"""Maximum length of a chain of ops through which poison is traced."""


def is_never_poison(value: SSAValue, depth: int = 0) -> bool:
    """True if a value is neither poison nor undef, for any arguments of the function.

    LLVM's `isGuaranteedNotToBeUndefOrPoison`, of constants, special registers, arguments that are
    `noundef`, and integer arithmetic on such without flags.
    """
    if isinstance(value, BlockArgument):
        func = value.block.parent_op()
        if func is None or value.block is not func.regions[0].first_block:
            return False
        return "llvm.noundef" in argument_attributes(func, value.index)
    op = value.owner
    if not isinstance(op, Operation):
        return False
    if op.name in _NEVER_POISON or special_register(op) is not None:
        return True
    if op.name not in _KEEPS_DEFINED or depth >= MAX_DEPTH:
        return False
    if overflow_flags(op) or any(flag in op.properties for flag in _FLAGS):
        return False
    return all(is_never_poison(operand, depth + 1) for operand in fast.operands_of(op))


def poison_is_undefined(value: SSAValue) -> bool:
    """Returns True if the program is undefined whenever the value is computed as poison.

    Follows the path that is certainly executed from there, also around loops.
    """
    poisoned = {value}
    at: Operation | None
    if isinstance(value, OpResult):
        at = value.op.next_op
    else:
        assert isinstance(value, BlockArgument)
        at = value.block.first_op
    for _ in range(MAX_OPS):
        if at is None:
            return False
        operands = fast.operands_of(at)
        if not poisoned.isdisjoint(operands):
            place = _UNDEFINED_AT.get(at.name)
            if place is not None and operands[place] in poisoned:
                return True
            if at.name in _PASSES_ON or (
                type(at) is SelectOp and (operands[0] in poisoned or poisoned >= {*operands[1:]})
            ):
                poisoned.update(at.results)
        if not fast.successors_of(at):
            if effects(at) & MAY_NOT_RETURN:
                return False
            at = at.next_op
            continue
        edges = edges_of(at)
        if len(edges) != 1:
            return False
        ((block, values),) = edges
        passed = [a for a, v in zip(block.args, values) if v in poisoned]
        # A block that is entered again recomputes its values.
        again = [v for v in poisoned if _is_of(v, block)]
        poisoned.difference_update(again)
        poisoned.update(passed)
        at = block.first_op
    return False


def _is_of(value: SSAValue, block: object) -> bool:
    return (value.op.parent if isinstance(value, OpResult) else value.owner) is block
