"""Peephole patterns over addresses."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from xdsl.ir import Operation, SSAValue
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern

from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.instruction_classes import ADD, CVT, CVTA, LD, MOV, MUL, ST
from nvvm_xdsl.dialects.nvptx.instructions import (
    LAYOUT,
    MODIFIERS,
    InstructionOp,
    modifiers,
)
from nvvm_xdsl.dialects.nvptx.operands import (
    ADDRESS_KIND,
    SYMBOL_KIND,
    Slot,
    addr,
    addr_sym,
    imm,
    layout,
    slot_name,
    slot_number,
    slot_size,
)
from nvvm_xdsl.dialects.nvptx.registers import B32, B64
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
    is_shared_access,
    operands_of,
)

OFFSET_LIMIT: Final = 1 << 31
"""Exclusive upper limit of offsets in addresses, which are signed 32-bit numbers (PTX ISA 9.1,
section 6.4.1)."""

_LOADABLE: Final = frozenset({"global", "shared", "local", "const"})
_STORABLE: Final = _LOADABLE - {"const"}


class RoundTripCvta(RewritePattern):
    """`cvta.to.global (cvta.global %p)` is `%p`, and so is `cvta.global (cvta.to.global %p)`."""

    matches: ClassVar[tuple[type[Operation], ...]] = (CVTA,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        operands = operands_of(op) if is_plain(op) else None
        inner = definition(operands[0], CVTA) if operands is not None else None
        if inner is None or op.mods == inner.mods or _space(op) != _space(inner):
            return
        operands = operands_of(inner)
        assert operands is not None
        (source,) = operands
        if isinstance(source, SSAValue):
            rewriter.replace(op, (), (source,))
        else:
            rewriter.replace(op, instruction(MOV, "b64", [source], B64, op.location))


def _space(op: InstructionOp) -> str:
    return op.mods.removeprefix("to.").removesuffix(".u64")


class AccessThroughCvta(RewritePattern):
    """Makes a load or store through a converted generic address use the original address space.

        %g = nvptx.cvta local.u64 @depot
        %v = nvptx.ld b32 [%g + 4]            ->      %v = nvptx.ld local.b32 [@depot + 4]

    LLVM's NVPTXPeephole does this for local memory; here it is done for every space.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (LD, ST)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        slots = op.slots
        if not slots or slots[0][0] != ADDRESS_KIND:
            return
        convert = definition(fast.operands_of(op)[0], CVTA)
        if convert is None or convert.mods.startswith("to."):
            return
        space = _space(convert)
        words = op.mods.split(".")
        if space not in (_LOADABLE if type(op) is LD else _STORABLE):
            return
        # Ordered or scoped accesses and accesses with hints remain unchanged.
        if len(words) > 2 or (len(words) == 2 and words[0] not in ("v2", "v4")):
            return
        operands = operands_of(convert)
        assert operands is not None
        if _rebase(op, 0, operands[0], 0):
            op.properties[MODIFIERS] = modifiers(f"{space}.{op.mods}")
            rewriter.notify_op_modified(op)
            erase_if_unused(convert, rewriter)


def _rebase(op: InstructionOp, index: int, base: Operand, offset: int) -> bool:
    """Rebases the address in slot `index`, if the combined offset fits."""
    slots = list(op.slots)
    place = op.tied + sum(slot_size(slot) for slot in slots[:index])
    moved = slot_number(slots[index]) + offset
    values = list(fast.operands_of(op))
    if isinstance(base, SSAValue):
        slots[index] = addr(moved)
        values[place] = base
    elif base[0] == SYMBOL_KIND and not _is_parameter(op, slot_name(base)):
        moved += slot_number(base, 2)
        slots[index] = addr_sym(slot_name(base), moved)
        del values[place]
    else:
        return False
    if not -OFFSET_LIMIT <= moved < OFFSET_LIMIT:
        return False
    op.properties[LAYOUT] = layout(*slots)
    fast.set_operands(op, values)
    return True


def _is_parameter(op: Operation, name: str) -> bool:
    """Returns True if a symbol is a parameter; its address in a register is in another space."""
    func = op.parent_op()
    return isinstance(func, FuncOp) and any(
        name == (param.param_name or f"{func.symbol}_param_{number}")
        for number, param in enumerate(func.params)
    )


class OffsetIntoAddress(RewritePattern):
    """Folds the addition of a constant into accesses, if they are all uses of the sum.

    %q = nvptx.add s64 %p, 16
    %v = nvptx.ld global.b32 [%q + 4]     ->      %v = nvptx.ld global.b32 [%p + 20]
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (ADD,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        operands = operands_of(op) if is_plain(op) and op.mods in ("s64", "u64") else None
        if operands is None:
            return
        base, offset = operands[0], immediate(operands[1])
        if not isinstance(base, SSAValue):
            base, offset = operands[1], immediate(operands[0])
        if offset is None or not isinstance(base, SSAValue):
            return
        result = op.results[0]
        users: list[tuple[InstructionOp, int]] = []
        for user in fast.users_of(result):
            index = address_slot(user, result)
            if index is None:
                return
            assert isinstance(user, InstructionOp)
            moved = slot_number(user.slots[index]) + offset
            if not -OFFSET_LIMIT <= moved < OFFSET_LIMIT:
                return
            users.append((user, index))
        for user, index in users:
            _rebase(user, index, base, offset)
            rewriter.notify_op_modified(user)
        rewriter.erase(op)


class WrappedSharedOffset(RewritePattern):
    """Folds a constant from an index into accesses of shared memory, although the index may wrap.

    %j = nvptx.add s32 %i, 1                         %w = nvptx.mul wide.u32 %i, 4
    %w = nvptx.mul wide.u32 %j, 4                    %q = nvptx.add s64 %p, %w
    %q = nvptx.add s64 %p, %w                  ->    %r = nvptx.cvt u32.u64 %q
    %v = nvptx.ld shared.b32 [%q]                    %v = nvptx.ld shared.b32 [%r + 4]

    Addresses of shared memory are sums modulo 2^32 (PTX ISA 9.1, section 6.4.1: a wider register is
    truncated), and modulo 2^32 the product is the same sum whether or not the index wraps.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (ADD,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        operands = operands_of(op) if is_plain(op) and op.mods in ("s64", "u64") else None
        if operands is None:
            return
        for base, product in (operands, operands[::-1]):
            wide = definition(product, MUL)
            if wide is not None and isinstance(base, SSAValue) and has_one_use(wide):
                return self._rewrite(op, base, wide, rewriter)

    def _rewrite(
        self, op: InstructionOp, base: SSAValue, wide: InstructionOp, rewriter: PatternRewriter
    ) -> None:
        factors = operands_of(wide) if wide.mods in ("wide.s32", "wide.u32") else None
        index = None if factors is None else definition(factors[0], ADD)
        term = None if index is None or not has_one_use(index) else _sum(index)
        scale = None if factors is None else immediate(factors[1])
        if term is None or scale is None:
            return
        users = _shared_accesses(op.results[0], term[1] * scale)
        if users is None:
            return
        made = instruction(MUL, wide.mods, [term[0], imm(scale)], B64, wide.location)
        total = instruction(ADD, op.mods, [base, made.results[0]], B64, op.location)
        low = instruction(CVT, "u32.u64", [total.results[0]], B32, op.location)
        for new in (made, total, low):
            rewriter.insert(new)
        for user, place in users:
            _rebase(user, place, low.results[0], term[1] * scale)
            rewriter.notify_op_modified(user)
        rewriter.erase(op)
        erase_if_unused(wide, rewriter)


def _shared_accesses(value: SSAValue, offset: int) -> list[tuple[InstructionOp, int]] | None:
    """The accesses of shared memory at a value, each with the slot of its address; None if it has
    another use, or the offset does not fit."""
    found: list[tuple[InstructionOp, int]] = []
    for user in fast.users_of(value):
        place = address_slot(user, value)
        if place is None or not is_shared_access(user):
            return None
        if not -OFFSET_LIMIT <= slot_number(user.slots[place]) + offset < OFFSET_LIMIT:
            return None
        found.append((user, place))
    return found


class AddedConstants(RewritePattern):
    """Replaces `add (add %x, 4), 8` by `add %x, 12` if the first sum has no other use."""

    matches: ClassVar[tuple[type[Operation], ...]] = (ADD,)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        outer = _sum(op)
        inner_op = definition(outer[0], ADD) if outer is not None else None
        if outer is None or inner_op is None or not has_one_use(inner_op):
            return
        inner = _sum(inner_op)
        if inner is None or inner_op.mods[1:] != op.mods[1:]:
            return
        width = int(op.mods[1:])
        total = (outer[1] + inner[1]) % (1 << width)
        total -= (total >> (width - 1)) << width
        made = instruction(ADD, op.mods, [inner[0], imm(total)], op.results[0].type, op.location)
        rewriter.replace(op, made)


def _sum(op: InstructionOp) -> tuple[SSAValue, int] | None:
    """The register and the constant of an integer addition on whole registers."""
    if op.mods not in ("s32", "u32", "s64", "u64") or not is_plain(op):
        return None
    operands = operands_of(op)
    if operands is None:
        return None
    for value, other in (operands, operands[::-1]):
        number = immediate(other)
        if number is not None and isinstance(value, SSAValue):
            return value, number
    return None


class SymbolIntoAddress(RewritePattern):
    """Replaces a register that holds the address of a variable by the variable in an access.

    %p = nvptx.mov b64 @table + 8 %v = nvptx.ld const.b32 [%p + 4]      ->      %v = nvptx.ld
    const.b32 [@table + 12]

    The access must state its space, because the address of a variable is an address in the
    variable's space.
    """

    matches: ClassVar[tuple[type[Operation], ...]] = (LD, ST)

    def match_and_rewrite(self, op: Operation, rewriter: PatternRewriter) -> None:
        assert isinstance(op, InstructionOp)
        slots: tuple[Slot, ...] = op.slots
        if not slots or slots[0][0] != ADDRESS_KIND or _LOADABLE.isdisjoint(op.mods.split(".")):
            return
        source = definition(fast.operands_of(op)[0], MOV)
        operands = operands_of(source) if source is not None else None
        if source is None or operands is None or isinstance(operands[0], SSAValue):
            return
        if _rebase(op, 0, operands[0], 0):
            rewriter.notify_op_modified(op)
            erase_if_unused(source, rewriter)


ADDRESS_PATTERNS: tuple[Any, ...] = (
    RoundTripCvta(),
    AccessThroughCvta(),
    AddedConstants(),
    OffsetIntoAddress(),
    WrappedSharedOffset(),
    SymbolIntoAddress(),
)
