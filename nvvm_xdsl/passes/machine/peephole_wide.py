"""Peephole patterns over 64-bit sums with extended 32-bit terms.

ptxas emits one IMAD.WIDE for `mul.wide` and a sum, also if the factor is one, but two or three
instructions for `cvt` and a sum.
"""

from __future__ import annotations

from typing import Any, ClassVar, Final

from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.rewriter import InsertPoint

from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.nvptx.instruction_classes import ADD, CVT, MUL, SHL, SUB
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B64
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.patterns import (
    Operand,
    address_slot,
    definition,
    erase_if_unused,
    has_one_use,
    immediate,
    instruction,
    is_plain,
    operands_of,
)

_EXTENSIONS: Final = {"s64.s32": "s", "u64.u32": "u"}
_SUMS: Final = frozenset({"s64", "u64"})


def _extended(value: Operand) -> tuple[SSAValue, str, InstructionOp] | None:
    """The 32-bit operand of an extension, the sign of the extension, and its op."""
    op = definition(value, CVT)
    sign = _EXTENSIONS.get(op.mods) if op is not None else None
    return None if op is None or sign is None else (fast.operands_of(op)[0], sign, op)


def _is_sum(op: Operation) -> bool:
    return isinstance(op, (ADD, SUB)) and is_plain(op) and op.mods in _SUMS


def _is_product(value: SSAValue) -> bool:
    product = definition(value, MUL)
    return product is not None and product.mods in ("wide.s32", "wide.u32")


def _is_wide(value: SSAValue) -> bool:
    """Returns True for a product or an extension that a sum absorbs."""
    return _extended(value) is not None or _is_product(value)


class ExtendedTerm(RewritePattern):
    """Replaces `add.s64 (cvt.s64.s32 %x), %y` by `add.s64 (mul.wide.s32 %x, 1), %y`.

    Not if the sum is a term of another sum, or has a sum as a term: ptxas adds three terms at once.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (CVT,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        sign = _EXTENSIONS.get(op.mods)
        if sign is None or not is_plain(op):
            return
        for user in tuple(fast.users_of(op.results[0])):
            if isinstance(user, (ADD, SUB)) and _absorbs(user, op, sign):
                _multiply(user, op, sign, rewriter)
        if rewriter.has_done_action:
            erase_if_unused(op, rewriter)


def _absorbs(total: InstructionOp, extension: InstructionOp, sign: str) -> bool:
    """Returns True if one instruction multiplies and adds if the extension is a product."""
    operands = operands_of(total) if _is_sum(total) else None
    if operands is None:
        return False
    index = 0 if operands[0] is extension.results[0] else 1
    term = operands[1 - index]
    if not isinstance(term, SSAValue):
        return False
    if sign == "u" and (_extended(term) is not None or (index and type(total) is SUB)):
        return False
    return not (_is_one_of_three(total, term) or _is_product(term) or _is_carried(total, term))


def _multiply(
    total: InstructionOp, extension: InstructionOp, sign: str, rewriter: PatternRewriter
) -> None:
    """Replaces an extension in a sum by a product by one, or by minus one if it is subtracted."""
    (value,) = fast.operands_of(extension)
    operands = fast.operands_of(total)
    index = 0 if operands[0] is extension.results[0] else 1
    factor = -1 if index and type(total) is SUB else 1
    product = instruction(MUL, f"wide.{sign}32", [value, imm(factor)], B64, extension.location)
    rewriter.insert(product, InsertPoint.before(total))
    if factor < 0:
        terms = [operands[0], product.results[0]]
        rewriter.replace(total, instruction(ADD, total.mods, terms, B64, total.location))
        return
    fast.set_operand(total, index, product.results[0])
    rewriter.notify_op_modified(total)


def _is_one_of_three(op: InstructionOp, term: SSAValue) -> bool:
    """Returns True if ptxas merges the sum with another one."""
    inner = term.owner
    if isinstance(inner, Operation) and _is_sum(inner) and has_one_use(inner):
        if not any(map(_is_wide, fast.operands_of(inner))):
            return True
    use = fast.single_use(op.results[0])
    if use is None or not _is_sum(use.operation):
        return False
    others = [v for v in fast.operands_of(use.operation) if v is not op.results[0]]
    return not any(_is_wide(v) for v in others)


def _is_carried(op: InstructionOp, term: SSAValue) -> bool:
    """Returns True if the sum or its term is passed between blocks, and ptxas keeps the halves in
    unrelated registers, which it copies: unless the sum is the next value of its term, and both have no
    uses except as addresses.
    """
    (result,) = op.results
    block = term.block if isinstance(term, BlockArgument) else None
    for value in (result,) if block is None else (term, result):
        for user in fast.users_of(value):
            if user is op:
                continue
            if user.next_op is None and value is result:
                if block is None or block not in user.successors:
                    return True
            elif block is not None and address_slot(user, value) is None:
                return True
    return False


class SubtractedProduct(RewritePattern):
    """Replaces `sub.s64 %y, (mul.wide.s32 %x, 8)` by `add.s64 %y, (mul.wide.s32 %x, -8)`."""

    matches: ClassVar[tuple[type[Operation], ...]] = (SUB,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        values = fast.operands_of(op)
        if not values or type(values[-1].owner) is not MUL:
            return
        operands = operands_of(op) if _is_sum(op) else None
        product = definition(operands[1], MUL) if operands is not None else None
        if operands is None or product is None or product.mods != "wide.s32":
            return
        factors = operands_of(product)
        assert factors is not None
        number = immediate(factors[1])
        if number is None or not isinstance(factors[0], SSAValue):
            return
        opposite = -signed(number, 32)
        if opposite == 1 << 31:
            return
        negative = instruction(MUL, "wide.s32", [factors[0], imm(opposite)], B64, product.location)
        rewriter.insert(negative)
        made = instruction(ADD, op.mods, [operands[0], negative.results[0]], B64, op.location)
        rewriter.replace(op, made)
        erase_if_unused(product, rewriter)


class ShiftedExtension(RewritePattern):
    """Replaces `shl.b64 (cvt.s64.s32 %x), 3` by `mul.wide.s32 %x, 8`."""

    matches: ClassVar[tuple[type[Operation], ...]] = (SHL,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        values = fast.operands_of(op)
        if not values or type(values[0].owner) is not CVT:
            return
        operands = operands_of(op) if op.mods == "b64" and is_plain(op) else None
        found = _extended(operands[0]) if operands is not None else None
        amount = immediate(operands[1]) if operands is not None else None
        if found is None or amount is None or not 0 <= amount < 31:
            return
        value, sign, extension = found
        made = instruction(MUL, f"wide.{sign}32", [value, imm(1 << amount)], B64, op.location)
        rewriter.replace(op, made)
        erase_if_unused(extension, rewriter)


class ScaledProduct(RewritePattern):
    """Replaces `add.s64 (add.s64 %b, (shl.b64 %x, 2)), (shl.b64 %y, 2)` by
    `add.s64 %b, (shl.b64 (add.s64 %x, %y), 2)` if %x or %y is a product, whose multiplication adds
    the other one.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (SHL,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        use = fast.single_use(op.results[0])
        user = use.operation if use is not None else None
        if isinstance(user, InstructionOp) and type(user) is ADD:
            self._rewrite_sum(user, rewriter)

    def _rewrite_sum(self, op: InstructionOp, rewriter: PatternRewriter) -> None:
        outer = _scaled_term(op)
        inner_op = definition(outer[0], ADD) if outer is not None else None
        if outer is None or inner_op is None or not _is_used_in(inner_op, op):
            return
        inner = _scaled_term(inner_op)
        if inner is None or inner[2] != outer[2]:
            return
        base, terms = inner[0], [inner[1], outer[1]]
        if not any(_is_added_product(term) for term in terms):
            return
        total = instruction(ADD, "s64", terms, B64, op.location)
        scaled = instruction(SHL, "b64", [total.results[0], imm(outer[2])], B64, op.location)
        rewriter.insert(total)
        rewriter.insert(scaled)
        rewriter.replace(op, instruction(ADD, "s64", [base, scaled.results[0]], B64, op.location))


def _scaled_term(op: InstructionOp) -> tuple[SSAValue, SSAValue, int] | None:
    """For `add.s64 %a, (shl.b64 %x, 2)`, in either order: %a, %x and 2."""
    values = fast.operands_of(op)
    if len(values) != 2 or not _is_sum(op):
        return None
    for value, other in (values, values[::-1]):
        shift = definition(value, SHL)
        if shift is None or not _is_used_in(shift, op):
            continue
        operands = operands_of(shift)
        assert operands is not None
        amount = immediate(operands[1])
        if amount is not None and isinstance(operands[0], SSAValue):
            return other, operands[0], amount
    return None


def _is_used_in(op: Operation, user: Operation) -> bool:
    """Returns True if the only use of an op is in the block of the op, so that both are executed
    equally often."""
    return has_one_use(op) and op.parent is user.parent


def _is_added_product(value: SSAValue) -> bool:
    product = definition(value, MUL)
    return product is not None and product.mods in ("lo.s64", "lo.u64") and has_one_use(product)


WIDE_PATTERNS: tuple[Any, ...] = (
    ExtendedTerm(),
    SubtractedProduct(),
    ShiftedExtension(),
    ScaledProduct(),
)
"""Peephole patterns over 64-bit sums."""
