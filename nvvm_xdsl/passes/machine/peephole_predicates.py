"""Peephole patterns over predicates."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.dialects.nvptx.control_flow import CbraOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import (
    ADD,
    AND,
    NOT,
    OR,
    SELP,
    SETP,
    SHL,
    SHR,
    SUB,
    XOR,
)
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B32, B64, PRED
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.patterns import (
    Operand,
    definition,
    erase_if_unused,
    has_one_use,
    immediate,
    instruction,
    is_plain,
    operands_of,
)
from nvvm_xdsl.passes.machine.peephole_bits import unpacked

_STEPS: Final = frozenset({"b32", "s32", "u32", "b64", "s64", "u64"})
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


def _is_last_use(value: SSAValue, op: Operation) -> bool:
    """Returns True if a value is dead after its use in an op: all other uses are by the terminator of
    the value's block, and the op is in another block."""
    block = value.owner.parent if isinstance(value.owner, Operation) else value.owner
    return all(
        user is op or (user.parent is block and user.next_op is None and op.parent is not block)
        for user in fast.users_of(value)
    )


class ConditionalStep(RewritePattern):
    """Replaces `add %x, (selp 1, 0, %p)` by `selp (add %x, 1), %x, %p`, also for sub, or and xor.

    ptxas emits one predicated instruction if `%x` has no other use, as in a loop that counts.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (SELP,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        (result,) = op.results
        if result.type is not B32 and result.type is not B64:
            return
        use = fast.single_use(result)
        step = use.operation if use is not None else None
        if not isinstance(step, (ADD, SUB, OR, XOR)) or step.mods not in _STEPS:
            return
        chosen = operands_of(op) if is_plain(op) and is_plain(step) else None
        operands = operands_of(step)
        if chosen is None or operands is None:
            return
        place = 1 if operands[1] is result else 0
        start = operands[1 - place]
        if not isinstance(start, SSAValue) or not _is_last_use(start, step):
            return
        zero = 0 if immediate(chosen[0]) == 0 else 1
        if immediate(chosen[zero]) != 0 or (place == 0 and type(step) is SUB):
            return
        operands[place] = chosen[1 - zero]
        type_ = step.results[0].type
        taken = instruction(type(step), step.mods, operands, type_, step.location)
        results: list[Operand] = [taken.results[0], start]
        if not zero:
            results.reverse()
        made = instruction(SELP, f"b{step.mods[1:]}", [*results, chosen[2]], type_, step.location)
        rewriter.replace(step, (taken, made))
        rewriter.erase(op)


class WideComparison(RewritePattern):
    """Replaces comparisons of 64-bit integers with constants by tests of one word.

    setp.eq.s64 %x, 5       ->      (%low ^ 5) | %high  is 0
    setp.eq.s64 %x, -1      ->      ~%low | ~%high      is 0
    setp.lt.u64 %x, 64      ->      (%low & -64) | %high  is 0
    setp.gt.s64 %x, -1      ->      %high >= 0

    ptxas emits one LOP3 or ISETP for each of them, but two comparisons for the first form.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (SETP,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        values = fast.operands_of(op)
        if not values or values[0].type is not B64:
            return
        comparison, _, type_ = op.mods.partition(".")
        if type_ not in _WIDE:
            return
        operands = operands_of(op) if is_plain(op) and len(op.results) == 1 else None
        if operands is None or not isinstance(operands[0], SSAValue):
            return
        number = immediate(operands[1])
        if number is None:
            return
        value = operands[0]
        if comparison in ("eq", "ne"):
            if -(1 << 32) <= number < 1 << 32:
                _test_words(op, value, comparison, number, None, rewriter)
            return
        strict = {"lt": 0, "ge": 0, "gt": 1, "le": 1}.get(comparison)
        if strict is None:
            return
        signed = type_ == "s64"
        start = -(1 << 63) if signed else 0
        bound = (number - start) % (1 << 64) + start + strict
        below = comparison in ("lt", "le")
        if bound % (1 << 32) == 0 and bound != 1 << (63 if signed else 64):
            _, high = unpacked(value, op, rewriter)
            tested: list[Operand] = [high, imm(bound >> 32)]
            mods = f"{'lt' if below else 'ge'}.{type_[0]}32"
            rewriter.replace(op, instruction(SETP, mods, tested, op.results[0].type, op.location))
        elif not signed and 1 < bound < 1 << 32 and bound & (bound - 1) == 0:
            _test_words(op, value, "eq" if below else "ne", 0, -bound, rewriter)


_WIDE: Final = frozenset({"b64", "s64", "u64"})


def _test_words(
    op: InstructionOp,
    value: SSAValue,
    comparison: str,
    number: int,
    mask: int | None,
    rewriter: PatternRewriter,
) -> None:
    """Replaces a comparison by a test whether a 64-bit value equals a number, without the low bits
    that a mask excludes."""

    def emit(cls: type[InstructionOp], *operands: Operand) -> SSAValue:
        made = instruction(cls, "b32", operands, B32, op.location)
        rewriter.insert(made)
        return made.results[0]

    low, high = unpacked(value, op, rewriter)
    if mask is not None:
        low = emit(AND, low, imm(mask))
    if number == -1:
        low = emit(NOT, low)
    elif number:
        low = emit(XOR, low, imm(number))
    if number < 0:
        high = emit(NOT, high)
    tested: list[Operand] = [emit(OR, low, high), imm(0)]
    made = instruction(SETP, f"{comparison}.b32", tested, op.results[0].type, op.location)
    rewriter.replace(op, made)


class JoinedEqualities(RewritePattern):
    """Replaces `and.pred (setp.eq.s32 %a, %b), (setp.eq.s32 %c, 0)` by a test whether `(%a ^ %b) | %c`
    is 0, and `or.pred` of `setp.ne` by the opposite test. ptxas emits one LOP3.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (AND, OR)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        if op.results[0].type is not PRED:
            return
        operands = operands_of(op) if is_plain(op) else None
        if operands is None:
            return
        comparison = "eq" if type(op) is AND else "ne"
        pairs: list[list[Operand]] = []
        for flag in operands:
            setp = definition(flag, SETP)
            pair = _equality(setp) if setp is not None and has_one_use(setp) else None
            if setp is None or pair is None or setp.mods.split(".")[0] != comparison:
                return
            pairs.append(pair)
        for (a, b), (c, zero) in (pairs, pairs[::-1]):
            if immediate(zero) == 0 and isinstance(c, SSAValue):
                if immediate(b) != 0:
                    different = instruction(XOR, "b32", [a, b], B32, op.location)
                    rewriter.insert(different)
                    a = different.results[0]
                either = instruction(OR, "b32", [a, c], B32, op.location)
                rewriter.insert(either)
                tested: list[Operand] = [either.results[0], imm(0)]
                rewriter.replace(
                    op,
                    instruction(SETP, f"{comparison}.b32", tested, op.results[0].type, op.location),
                )
                return


def _equality(op: InstructionOp) -> list[Operand] | None:
    """The operands of a plain comparison of 32-bit words for equality."""
    words = op.mods.split(".")
    if words[0] not in ("eq", "ne") or words[1:] not in (["b32"], ["s32"], ["u32"]):
        return None
    return operands_of(op) if is_plain(op) and len(op.results) == 1 else None


class MaskTest(RewritePattern):
    """Replaces comparisons of a mask by forms for which ptxas emits fewer instructions.

    setp.eq.b32 (and.b32 %x, 12), 12       ->      setp.eq.b32 (and.b32 (not.b32 %x), 12), 0
    setp.ne.b32 (and.b32 %x, (shl.b32 1, %n)), 0   ->      setp.ne.b32 (and.b32 (shr.u32 %x, %n), 1), 0

    The first is one LOP3, and the second needs no register with a one. Both shifts clamp their amount.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (SETP,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        values = fast.operands_of(op)
        if not values or type(values[0].owner) is not AND:
            return
        operands = _equality(op)
        tested = definition(operands[0], AND) if operands is not None else None
        if operands is None or tested is None or not has_one_use(tested):
            return
        terms = operands_of(tested)
        number = immediate(operands[1])
        if terms is None or number is None:
            return
        for mask, value in (terms, terms[::-1]):
            if not isinstance(value, SSAValue):
                continue
            if number == 0:
                amount = _bit(mask)
                if amount is not None:
                    moved = instruction(SHR, "u32", [value, amount], B32, tested.location)
                    lowest = [moved.results[0], imm(1)]
                    test = instruction(AND, "b32", lowest, B32, tested.location)
                    rewriter.replace(tested, (moved, test))
                    return
            elif immediate(mask) == number:
                inverted = instruction(NOT, "b32", [value], B32, op.location)
                bits = [inverted.results[0], imm(number)]
                missing = instruction(AND, "b32", bits, B32, op.location)
                compare = [missing.results[0], imm(0)]
                made = instruction(SETP, op.mods, compare, op.results[0].type, op.location)
                rewriter.replace(op, (inverted, missing, made))
                return


def _bit(mask: Operand) -> Operand | None:
    """The amount of a shift of a one that has no other use."""
    shift = definition(mask, SHL)
    amounts = operands_of(shift) if shift is not None and has_one_use(shift) else None
    return amounts[1] if amounts is not None and immediate(amounts[0]) == 1 else None


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
    ConditionalStep(),
    WideComparison(),
    JoinedEqualities(),
    MaskTest(),
    BranchOnNot(),
)
