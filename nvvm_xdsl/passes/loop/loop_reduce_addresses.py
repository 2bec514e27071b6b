"""Finds the accesses of a loop whose addresses advance by a constant step, for `loop-reduce`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    GEPOp,
    LLVMPointerType,
    MulOp,
    SExtOp,
    ShlOp,
    SubOp,
    TruncOp,
    ZExtOp,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.memory.pointer_ops import ACCESSES
from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.values.linear_address import AddrSpaceCastOp, linear_address, root_key
from nvvm_xdsl.analysis.values.linear_expressions import Leaf, Terms, add_product
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.nvptx import SHARED
from nvvm_xdsl.passes.loop.loop_reduce_families import FARTHEST, NARROW_SPACES, Family, Moving
from nvvm_xdsl.passes.loop.loop_reduce_options import LoopReduceOptions

DEEPEST: Final = 16
"""Maximum number of ops in an index that are searched for loop-invariant operands."""

_SUMS: Final = frozenset({AddOp, SubOp, MulOp, ShlOp, SExtOp, ZExtOp, TruncOp})
"""Ops that are poison if an operand is, and that ScalarEvolution analyses."""


class AddressCollector:
    """Collects the addresses of a loop as sums of a pointer, invariant values and recurrences."""

    def __init__(
        self,
        options: LoopReduceOptions,
        loop: Loop,
        preheader: Block,
        se: ScalarEvolution,
        layout: DataLayout,
    ) -> None:
        self._options = options
        self._loop = loop
        self._se = se
        self._layout = layout
        self._starts = branches.edges_of(branches.terminator_of(preheader))[0][1]
        """The initial values of the header's arguments."""
        self._numbers: dict[SSAValue, int] = {}
        """The loop-invariant values in the order of their discovery."""

    def collect(self) -> list[Family]:
        """The families of the accesses that are not in inner loops."""
        found: dict[Hashable, list[Family]] = {}
        inner = {block for loop in self._loop.subloops for block in loop.blocks}
        for block in self._loop.blocks:
            if block in inner:
                continue
            for op in fast.ops_of(block):
                place = ACCESSES.get(type(op))
                if place is not None:
                    self._add(op, fast.operands_of(op)[place], found)
        return [family for families in found.values() for family in families]

    def _add(
        self, access: Operation, pointer: SSAValue, found: dict[Hashable, list[Family]]
    ) -> None:
        """Adds an access to a family, or creates a family."""
        sum_ = self._sum_of(pointer)
        if sum_ is None:
            return
        root, terms, constant = sum_
        fixed: list[tuple[Leaf, int]] = []
        moving: list[tuple[Leaf, int]] = []
        known: dict[Scev, SSAValue] = {}
        ex = self._se.expressions
        start, step = ex.zero(64), ex.zero(64)
        has_difference = False
        for leaf, factor in terms:
            if self._loop.is_invariant(leaf.value):
                if 0 < factor < 1 << 31:
                    fixed.append((leaf, factor))
                else:
                    has_difference = True
                    start = ex.add(start, ex.mul(ex.constant(64, factor), self._extended(leaf)))
                    self._note_known(leaf.value, known)
                continue
            recurrence = self._recurrence(leaf)
            if recurrence is None:
                return
            moving.append((leaf, factor))
            number = ex.constant(64, factor)
            start = ex.add(start, ex.mul(number, recurrence[0]))
            step = ex.add(step, ex.mul(number, recurrence[1]))
            self._note_known(leaf.value, known)
        if step.is_zero or (step.kind is not Kind.CONSTANT and not self._options.do_lsr_64_bit):
            return
        if has_difference and not (self._is_always_executed(access) and _is_narrow(step)):
            return
        start, offset = _without_constant(start, ex)
        first = constant + offset
        fixed.sort(key=lambda term: self._order_of(term[0].value))
        alone = None if self._options.do_base_address_strength_reduce else first
        key = (root_key(root), root.type, tuple(fixed), start, step, alone)
        families = found.setdefault(key, [])
        for family in families:
            if abs(family.accesses[0][1] - first) < FARTHEST:
                # A value that makes one address poison need not make another one poison.
                family.known = {e: v for e, v in family.known.items() if known.get(e) is v}
                break
        else:
            family = Family(root, tuple(fixed), start, step, known)
            families.append(family)
        family.accesses.append((access, first))
        family.moving.append(Moving(tuple(moving), constant))

    def _is_always_executed(self, access: Operation) -> bool:
        """Whether each iteration executes an access. Others may not pay for a costly start."""
        block, latch = access.parent, self._loop.latch()
        return block is not None and latch is not None and self._se.tree.dominates(block, latch)

    def _order_of(self, value: SSAValue) -> tuple[bool, int]:
        """A sort key by which invariants of the outer loop come first, so that their sum can be
        hoisted out of it.
        """
        outer = self._loop.parent
        moves = outer is not None and not outer.is_invariant(value)
        return moves, self._numbers.setdefault(value, len(self._numbers))

    def _sum_of(self, pointer: SSAValue) -> tuple[SSAValue, list[tuple[Leaf, int]], int] | None:
        """The address as a loop-invariant root, terms and a constant."""
        terms: dict[Leaf, int] = {}
        constant = 0
        while isinstance(pointer, OpResult) and self._loop.defines(pointer):
            if type(pointer.op) is not GEPOp:
                break
            found = linear_address(pointer.op, self._layout)
            if found is None:
                return None
            for leaf, factor in found.terms:
                terms[leaf] = terms.get(leaf, 0) + factor
            constant += found.constant
            pointer = found.root
            if not self._options.do_base_address_strength_reduce_chain:
                break
        if not self._is_at_hand(pointer) or not self._is_allowed(pointer):
            return None
        return pointer, [term for term in terms.items() if term[1]], signed(constant, 64)

    def _is_at_hand(self, root: SSAValue) -> bool:
        """Whether a pointer is available in the preheader, or can be computed there."""
        while self._loop.defines(root):
            if not isinstance(root, OpResult):
                return False
            if type(root.op) is AddressOfOp:
                return True
            if type(root.op) is not AddrSpaceCastOp:
                return False
            (root,) = fast.operands_of(root.op)
        return True

    def _is_allowed(self, root: SSAValue) -> bool:
        if not isinstance(root.type, LLVMPointerType):
            return False
        space = address_space_of(root.type)
        if space == SHARED and self._options.disable_lsr_for_sharedmem32_ptr:
            return False
        return self._options.do_lsr_64_bit or space in NARROW_SPACES

    def _recurrence(self, leaf: Leaf) -> tuple[Scev, Scev] | None:
        """Start and step of a leaf in 64 bits; None if it is not an affine recurrence."""
        if leaf.extension and not self._options.lsr_sxtopt:
            return None
        found = self._se.get(leaf.value)
        most = self._options.base_address_strength_reduce_max_iv
        if most and self._se.range(found, signed=True).smax() > most:
            return None
        product = self._product(leaf)
        if product is not None:
            return product
        found = self._extended(leaf)
        if found.width != 64 or not found.is_affine or found.loop is not self._loop:
            return None
        return found.start, found.step

    def _extended(self, leaf: Leaf) -> Scev:
        found = self._se.get(leaf.value)
        if leaf.extension == "s":
            return self._se.sext(found, 64)
        return self._se.zext(found, 64) if leaf.extension else found

    def _product(self, leaf: Leaf) -> tuple[Scev, Scev] | None:
        """Start and step of a product with an invariant factor, extended factor by factor.

        `sext(a * b)` is `sext(a) * sext(b)` if the flag of the product excludes wrapping. The steps
        of the copies of an unrolled body are thus multiples of one value, `sext(b)`.
        """
        op = leaf.value.owner
        if type(op) is not MulOp or not leaf.extension:
            return None
        assert isinstance(op, MulOp)
        if not overflow_flags(op) & (NSW if leaf.extension == "s" else NUW):
            return None
        varying, factor = fast.operands_of(op)
        if self._loop.is_invariant(varying):
            varying, factor = factor, varying
        # If the factor varies, too, the step cannot be computed before the loop.
        ex = self._se.expressions
        terms: Terms = {}
        constant = add_product(terms, varying, leaf.extension, 1, most_ops=DEEPEST)
        starts, step = [ex.constant(64, constant)], ex.zero(64)
        for part, number in terms.items():
            begin = self._extended(part)
            if not self._loop.is_invariant(part.value):
                found = self._recurrence(part)
                if found is None:
                    return None
                begin = found[0]
                step = ex.add(step, ex.mul(ex.constant(64, number), found[1]))
            parts = begin.operands if begin.kind is Kind.ADD else (begin,)
            starts += [ex.mul(ex.constant(64, number), each) for each in parts]
        times = self._extended(Leaf(factor, leaf.extension))
        return ex.add(*(ex.mul(times, each) for each in starts)), ex.mul(times, step)

    def _note_known(self, value: SSAValue, known: dict[Scev, SSAValue]) -> None:
        """Records the loop-invariant values that a leaf depends on. A leaf is poison if such a value is poison."""
        pending, left = [value], DEEPEST
        while pending and left:
            left -= 1
            at = pending.pop()
            if isinstance(at, BlockArgument):
                if at.block is not self._loop.header:
                    continue
                at = self._starts[at.index]
            if self._loop.is_invariant(at):
                if integer_width(at.type) and type(at.owner) not in CONSTANT_CLASSES:
                    known.setdefault(self._se.get(at), at)
            elif isinstance(at, OpResult) and type(at.op) in _SUMS:
                pending += fast.operands_of(at.op)


def _is_narrow(step: Scev) -> bool:
    """Whether a step is a constant or a multiple of an extended value. Adding it takes one machine
    instruction (`IMAD.WIDE`), and adding another 64-bit value two.
    """
    if step.kind is Kind.MUL and len(step.operands) == 2 and step.operands[0].kind is Kind.CONSTANT:
        step = step.operands[1]
    return step.kind in (Kind.CONSTANT, Kind.SIGN_EXTEND, Kind.ZERO_EXTEND)


def _without_constant(expression: Scev, ex: Expressions) -> tuple[Scev, int]:
    """An expression without its constant addend."""
    if expression.kind is Kind.CONSTANT:
        return ex.zero(expression.width), expression.signed
    if expression.kind is Kind.ADD:
        for part in expression.operands:
            if part.kind is Kind.CONSTANT:
                return ex.sub(expression, part), part.signed
    return expression, 0
