"""Peephole patterns over predicates."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.dialects.nvptx.control_flow import CbraOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import NOT, SELP, SETP
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.patterns import (
    definition,
    erase_if_unused,
    has_one_use,
    immediate,
    instruction,
    is_plain,
    operands_of,
)

_INTEGERS: Final = ("b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64")

INVERSE: Final[dict[str, str]] = {"eq": "ne", "lt": "ge", "le": "gt", "lo": "hs", "ls": "hi"}
"""Comparisons of integers and their exact inverses."""

FLOAT_INVERSE: Final[dict[str, str]] = {
    "eq": "neu",
    "ne": "equ",
    "lt": "geu",
    "le": "gtu",
    "gt": "leu",
    "ge": "ltu",
    "num": "nan",
}
"""Comparisons of floats and their inverses; the inverse of an ordered comparison is true for
NaN.
"""

_INTEGER_INVERSES = {**INVERSE, **{b: a for a, b in INVERSE.items()}}
_FLOAT_INVERSES = {**FLOAT_INVERSE, **{b: a for a, b in FLOAT_INVERSE.items()}}


def inverse(mods: str) -> str | None:
    """The modifiers of the inverse `setp`."""
    words = mods.split(".")
    if "and" in words or "or" in words or "xor" in words:
        return None
    table = _INTEGER_INVERSES if words[-1] in _INTEGERS else _FLOAT_INVERSES
    found = table.get(words[0])
    return None if found is None else ".".join((found, *words[1:]))


def _negated(value: SSAValue) -> SSAValue | None:
    """The operand of the negation that defines a predicate."""
    op = definition(value, NOT)
    return fast.operands_of(op)[0] if op is not None else None


class InvertedComparison(RewritePattern):
    """Replaces `not.pred (setp.lt.s32 %a, %b)` by `setp.ge.s32 %a, %b` if the first has no other
    use."""

    matches: ClassVar[tuple[type[Operation], ...]] = (NOT,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        if op.mods != "pred" or not is_plain(op):
            return
        (value,) = fast.operands_of(op)
        compare = definition(value, SETP)
        if compare is None or not has_one_use(compare):
            inner = _negated(value)
            if inner is not None:
                rewriter.replace(op, (), (inner,))
            return
        mods = inverse(compare.mods)
        operands = operands_of(compare)
        if mods is not None and operands is not None:
            made = instruction(SETP, mods, operands, op.results[0].type, op.location)
            rewriter.replace(op, made)


class SelectedFlag(RewritePattern):
    """Replaces `setp.ne.s32 (selp.b32 1, 0, %p), 0` by `%p`, and with `eq` by `not.pred %p`."""

    matches: ClassVar[tuple[type[Operation], ...]] = (SETP,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        words = op.mods.split(".")
        if words[0] not in ("eq", "ne") or words[1] not in _INTEGERS:
            return
        operands = operands_of(op) if is_plain(op) and len(op.results) == 1 else None
        if operands is None:
            return
        select = definition(operands[0], SELP)
        chosen = operands_of(select) if select is not None else None
        wanted = immediate(operands[1])
        if chosen is None or wanted is None:
            return
        then, otherwise, flag = immediate(chosen[0]), immediate(chosen[1]), chosen[2]
        if then is None or otherwise is None or not isinstance(flag, SSAValue):
            return
        mask = (1 << int(words[1][1:])) - 1
        if_true = ((then ^ wanted) & mask == 0) == (words[0] == "eq")
        if_false = ((otherwise ^ wanted) & mask == 0) == (words[0] == "eq")
        if if_true and not if_false:
            rewriter.replace(op, (), (flag,))
        elif if_false and not if_true:
            made = instruction(NOT, "pred", [flag], op.results[0].type, op.location)
            rewriter.replace(op, made)


class SelectOfNot(RewritePattern):
    """Replaces `selp %a, %b, (not.pred %p)` by `selp %b, %a, %p`."""

    matches: ClassVar[tuple[type[Operation], ...]] = (SELP,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        operands = operands_of(op) if is_plain(op) else None
        if operands is None or not isinstance(operands[2], SSAValue):
            return
        inner = _negated(operands[2])
        if inner is not None:
            swapped = [operands[1], operands[0], inner]
            made = instruction(SELP, op.mods, swapped, op.results[0].type, op.location)
            rewriter.replace(op, made)


class BranchOnNot(RewritePattern):
    """Replaces a branch on `not.pred %p` by one on `%p` with exchanged successors."""

    matches: ClassVar[tuple[type[Operation], ...]] = (CbraOp,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, CbraOp)
        negation = definition(fast.operands_of(op)[0], NOT)
        if negation is None:
            return
        (inner,) = fast.operands_of(negation)
        then, otherwise = op.edges
        fast.set_operand(op, 0, inner)
        op.set_edges([otherwise, then])
        rewriter.notify_op_modified(op)
        erase_if_unused(negation, rewriter)


PREDICATE_PATTERNS: tuple[Any, ...] = (
    InvertedComparison(),
    SelectedFlag(),
    SelectOfNot(),
    BranchOnNot(),
)
