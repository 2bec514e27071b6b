"""Peephole patterns over bits: masks, fields, extensions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from xdsl.ir import Operation, OpResult, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.analysis.machine.known_bits import possible_ones
from nvvm_xdsl.dialects.nvptx.instruction_classes import (
    ADD,
    AND,
    BFE,
    BFI,
    CVT,
    MAX,
    MIN,
    MOV,
    OR,
    SAD,
    SHF,
    SHL,
    SHR,
)
from nvvm_xdsl.dialects.nvptx.instructions import InstructionOp, build
from nvvm_xdsl.dialects.nvptx.operands import REG, VECTOR_KIND, elements_of, imm, layout, vec
from nvvm_xdsl.dialects.nvptx.registers import B32, B64
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.patterns import (
    Operand,
    definition,
    has_one_use,
    immediate,
    instruction,
    is_plain,
    operands_of,
)


def with_constant(op: InstructionOp) -> tuple[SSAValue, int] | None:
    """The register and the immediate of a plain binary instruction that has one of each."""
    if not is_plain(op):
        return None
    operands = operands_of(op)
    if operands is None or len(operands) != 2:
        return None
    first, second = operands
    if type(op) in (AND, OR, MIN, MAX) and not isinstance(first, SSAValue):
        first, second = second, first
    number = immediate(second)
    return None if number is None or not isinstance(first, SSAValue) else (first, number)


def unpacked(value: SSAValue, op: InstructionOp, rewriter: PatternRewriter) -> Sequence[OpResult]:
    """The low and the high half of a 64-bit register, inserted before an op."""
    halves = build(MOV, "b64", [value], (B32, B32), location=op.location)
    rewriter.insert(halves)
    return halves.results


def masked(operand: Operand) -> tuple[SSAValue, int, InstructionOp] | None:
    """The value, the mask and the op of an operand of the form `and.b32 x, mask`."""
    op = definition(operand, AND)
    found = with_constant(op) if op is not None and op.mods == "b32" else None
    return None if op is None or found is None else (found[0], found[1] & 0xFFFFFFFF, op)


class RedundantMask(RewritePattern):
    """Removes `and.b32 %x, 255` of a loaded byte: the mask keeps all its bits.

    nvptx-trunc-opts, "Optimize redundant ANDb16ri instructions", for every width.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (AND,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        found = with_constant(op) if op.mods != "pred" else None
        if found is not None and possible_ones(found[0]) & ~found[1] == 0:
            if found[0].type is op.results[0].type:
                rewriter.replace(op, (), (found[0],))


class ByteField(RewritePattern):
    """Replaces `and.b32 (shr.u32 %x, 8), 255` by `bfe.u32 %x, 8, 8`.

    For whole bytes and halves ptxas emits one PRMT; for other fields both forms cost the same.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (AND,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        found = with_constant(op) if op.mods == "b32" else None
        if found is None or found[1] not in (0xFF, 0xFFFF):
            return
        shift = definition(found[0], SHR)
        if shift is None or shift.mods[1:] != "32" or not has_one_use(shift):
            return
        shifted = with_constant(shift)
        length = found[1].bit_length()
        if shifted is None or shifted[1] % 8 or not 0 < shifted[1] <= 32 - length:
            return
        operands: list[Operand] = [shifted[0], imm(shifted[1]), imm(length)]
        rewriter.replace(op, instruction(BFE, "u32", operands, op.results[0].type, op.location))


class BitInsert(RewritePattern):
    """Replaces `or.b32 (and.b32 %x, ~(255 << 8)), (shl.b32 %y, 8)` by `bfi.b32 %y, %x, 8, 8`.

    If `%y` may have bits above the field, a mask before or after the shift removes them.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (OR,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        operands = operands_of(op) if op.mods == "b32" and is_plain(op) else None
        if operands is None:
            return
        for base, field in (operands, operands[::-1]):
            kept = masked(base)
            if kept is None or not has_one_use(kept[2]):
                continue
            hole = kept[1] ^ 0xFFFFFFFF
            found = _field(field, hole)
            if found is not None:
                value, place = found
                length = (hole >> place).bit_length()
                made: list[Operand] = [value, kept[0], imm(place), imm(length)]
                rewriter.replace(op, instruction(BFI, "b32", made, op.results[0].type, op.location))
                return


def _field(operand: Operand, hole: int) -> tuple[SSAValue, int] | None:
    """The register and shift of a value whose bits are all within a contiguous hole of the mask."""
    mask = masked(operand)
    if mask is not None and mask[1] == hole and has_one_use(mask[2]):
        operand = mask[0]
    shift = definition(operand, SHL)
    shifted = with_constant(shift) if shift is not None and has_one_use(shift) else None
    if shifted is None or not 0 <= shifted[1] < 32:
        return None
    value, place = shifted
    run = hole >> place
    if hole == 0 or run << place != hole or run & (run + 1):
        return None
    if mask is not None and operand is mask[0]:
        return value, place
    before = masked(value)
    if before is not None and before[1] == run and has_one_use(before[2]):
        return before[0], place
    return (value, place) if possible_ones(value) << place & 0xFFFFFFFF & ~hole == 0 else None


class SignExtension(RewritePattern):
    """Replaces `shr.s32 (shl.b32 %x, 24), 24` by `bfe.s32 %x, 0, 8`, also for other widths."""

    matches: ClassVar[tuple[type[Operation], ...]] = (SHR,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        found = with_constant(op) if op.mods == "s32" else None
        if found is None or not 0 < found[1] < 32:
            return
        shift = definition(found[0], SHL)
        shifted = with_constant(shift) if shift is not None and has_one_use(shift) else None
        if shifted is not None and shifted[1] == found[1]:
            made: list[Operand] = [shifted[0], imm(0), imm(32 - found[1])]
            rewriter.replace(op, instruction(BFE, "s32", made, op.results[0].type, op.location))


_WHOLE = frozenset({"u16", "s16", "u32", "s32", "u64", "s64"})


def _integer_conversion(op: InstructionOp | None) -> tuple[str, str, SSAValue] | None:
    """Target type, source type and operand of a conversion between whole integer registers."""
    if op is None or not is_plain(op):
        return None
    words = op.mods.split(".")
    operands = operands_of(op)
    if len(words) != 2 or not _WHOLE.issuperset(words) or operands is None:
        return None
    (value,) = operands
    if not isinstance(value, SSAValue):
        return None
    for word, end in ((words[0], op.results[0]), (words[1], value)):
        if getattr(end.type, "width", 0) != int(word[1:]):
            return None
    return words[0], words[1], value


class ConversionChain(RewritePattern):
    """Merges two consecutive conversions of integers.

    cvt.u32.u64 (cvt.u64.u32 %x)  ->  %x
    cvt.u64.u32 (cvt.u32.u16 %x)  ->  cvt.u64.u16 %x
    cvt.u16.u32 (cvt.u32.u64 %x)  ->  cvt.u16.u64 %x
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (CVT,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        outer = _integer_conversion(op)
        inner_op = definition(outer[2], CVT) if outer is not None else None
        inner = _integer_conversion(inner_op)
        if outer is None or inner is None:
            return
        source = inner[2]
        mods = _combined(outer[0], outer[1], inner[0], inner[1])
        if mods is None:
            return
        if mods:
            made = instruction(CVT, mods, [source], op.results[0].type, op.location)
            rewriter.replace(op, made)
        elif source.type is op.results[0].type:
            rewriter.replace(op, (), (source,))


def _combined(outer_to: str, outer_from: str, inner_to: str, inner_from: str) -> str | None:
    """The modifiers of one conversion that replaces two; empty if both are redundant, None if no
    single conversion is equivalent."""
    to, middle, origin = int(outer_to[1:]), int(inner_to[1:]), int(inner_from[1:])
    if to <= middle:
        # The low bits of the middle value equal those of the source or of its extension.
        if to == origin:
            return ""
        sign = inner_from[0] if to > origin else "u"
        return f"{sign}{to}.{sign}{origin}"
    if middle <= origin:
        return None
    # Two extensions. After a zero extension, a second, signed extension is also a zero extension.
    if inner_from[0] == "u" or outer_from[0] == "s":
        return f"{inner_from[0]}{to}.{inner_from[0]}{origin}"
    return None


class UnpackedPack(RewritePattern):
    """Replaces the halves of a pair by its operands, and a pair of halves by the original value.

    %v = mov.b64 {%a, %b};  {%c, %d} = mov.b64 %v      %c is %a, %d is %b
    {%a, %b} = mov.b64 %v;  %w = mov.b64 {%a, %b}      %w is %v
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (MOV,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        if not is_plain(op):
            return
        values = fast.operands_of(op)
        if len(op.results) > 1 and len(values) == 1:
            pack = definition(values[0], MOV)
            parts = _parts(pack) if pack is not None else None
            if parts is None or len(parts) != len(op.results):
                return
            if all(part.type is result.type for part, result in zip(parts, op.results)):
                rewriter.replace(op, (), parts)
            return
        parts = _parts(op)
        unpack = parts[0].owner if parts else None
        if (
            isinstance(unpack, MOV)
            and is_plain(unpack)
            and parts == tuple(unpack.results)
            and unpack.mods == op.mods
        ):
            (whole,) = fast.operands_of(unpack)
            if whole.type is op.results[0].type:
                rewriter.replace(op, (), (whole,))


def _parts(op: InstructionOp) -> tuple[SSAValue, ...] | None:
    """The registers that an instruction combines; None for other instructions."""
    slots = op.slots
    if len(op.results) != 1 or len(slots) != 1 or slots[0][0] != VECTOR_KIND:
        return None
    if any(element is not REG for element in elements_of(slots[0])):
        return None
    return tuple(fast.operands_of(op))


class ClampFromZero(RewritePattern):
    """Replaces `min.s32 (max.s32 %x, 0), 255` by `max.s32 (min.s32 %x, 255), 0`: one VIMNMX.RELU."""

    matches: ClassVar[tuple[type[Operation], ...]] = (MIN,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        found = with_constant(op) if op.mods in ("s32", "u32") else None
        lower = definition(found[0], MAX) if found is not None else None
        inner = with_constant(lower) if lower is not None and has_one_use(lower) else None
        if found is None or lower is None or inner is None or lower.mods != "s32":
            return
        if inner[1] != 0 or not 0 <= found[1] < 1 << 31:
            return
        upper = instruction(MIN, "s32", [inner[0], imm(found[1])], B32, op.location)
        clamped = instruction(MAX, "s32", [upper.results[0], imm(0)], B32, op.location)
        rewriter.replace(op, (upper, clamped))


class AbsoluteDifference(RewritePattern):
    """Replaces `add.s32 (sad.s32 %x, %y, 0), %z` by `sad.s32 %x, %y, %z`."""

    matches: ClassVar[tuple[type[Operation], ...]] = (SAD,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        use = fast.single_use(op.results[0])
        terms = operands_of(op) if use is not None and is_plain(op) else None
        if use is None or terms is None or immediate(terms[2]) != 0:
            return
        total = use.operation
        if not isinstance(total, ADD) or total.mods not in ("s32", "u32") or not is_plain(total):
            return
        addends = operands_of(total)
        assert addends is not None
        other = addends[0] if addends[1] is op.results[0] else addends[1]
        made = instruction(SAD, op.mods, [*terms[:2], other], B32, total.location)
        rewriter.replace(total, made)
        rewriter.erase(op)


class ConvertedTopByte(RewritePattern):
    """Replaces `cvt.rn.f32.s32 (shr.s32 %x, 24)` by `cvt.rn.f32.s32 (bfe.s32 %x, 24, 8)`.

    ptxas emits one I2F.S8 for the second.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (SHR,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        use = fast.single_use(op.results[0])
        if use is None or not isinstance(use.operation, CVT) or use.operation.mods != "rn.f32.s32":
            return
        shifted = with_constant(op) if op.mods == "s32" else None
        if shifted is not None and shifted[1] == 24:
            field: list[Operand] = [shifted[0], imm(24), imm(8)]
            rewriter.replace(op, instruction(BFE, "s32", field, B32, op.location))


class RotatedHalf(RewritePattern):
    """Replaces `or.b64 (shl.b64 %x, 7), (and.b64 (shr.u64 %x, 25), 127)` by two funnel shifts.

    The low half is a rotation of the low half of `%x`. Programs that compute with 32 bits in a 64-bit
    type contain it.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (OR,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        if op.results[0].type is not B64:
            return
        operands = operands_of(op) if op.mods == "b64" and is_plain(op) else None
        if operands is None:
            return
        for shifted, rest in (operands, operands[::-1]):
            left, mask = definition(shifted, SHL), definition(rest, AND)
            up = with_constant(left) if left is not None and has_one_use(left) else None
            kept = with_constant(mask) if mask is not None and has_one_use(mask) else None
            right = definition(kept[0], SHR) if kept is not None else None
            down = with_constant(right) if right is not None and right.mods == "u64" else None
            if up is None or kept is None or down is None or up[0] is not down[0]:
                continue
            amount = up[1]
            if not 0 < amount < 32 or down[1] != 32 - amount or kept[1] != (1 << amount) - 1:
                continue
            low, high = unpacked(up[0], op, rewriter)
            parts: list[SSAValue] = []
            for top in (low, high):
                made = instruction(SHF, "l.wrap.b32", [low, top, imm(amount)], B32, op.location)
                rewriter.insert(made)
                parts.append(made.results[0])
            pack = build(MOV, "b64", parts, (B64,), layout(vec(2)), op.location)
            rewriter.replace(op, pack)
            return


BIT_PATTERNS: tuple[Any, ...] = (
    RedundantMask(),
    ByteField(),
    BitInsert(),
    SignExtension(),
    ConversionChain(),
    UnpackedPack(),
    ClampFromZero(),
    AbsoluteDifference(),
    ConvertedTopByte(),
    RotatedHalf(),
)
