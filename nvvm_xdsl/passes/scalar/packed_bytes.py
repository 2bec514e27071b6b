"""`packed-bytes`: processes bytes that are extracted from words four at a time.

    %a = llvm.and %x, %c255 : i32                    %r = nvvm.prmt <default> %c21632, %x, %y : i32
    %b = llvm.shl %y, %c8 : i32                      // 0x5480
    %c = llvm.and %b, %c65280 : i32           ->
    ...
    %r = llvm.or %e, %f : i32

    %v = llvm.load %p : !llvm.ptr -> vector<4xi8>    %v = llvm.load %p : !llvm.ptr -> i32
    %w = llvm.load %q : !llvm.ptr -> vector<4xi8>    %w = llvm.load %q : !llvm.ptr -> i32
    %v0 = llvm.extractelement %v[0]                  %s = llvm.call_intrinsic "llvm.nvvm.idp4a.s.s"(%v, %w, %acc)
    %a0 = llvm.sext %v0 : i8 to i32
    ...                                       ->
    %p0 = llvm.mul %a0, %b0 : i32
    %s0 = llvm.add %acc, %p0 : i32
    ...
    %s = llvm.add %s2, %p3 : i32

A word that is assembled from bytes becomes the source word, or one `prmt` (PTX ISA 9.7.9.7) of one
or two words and another one for each further word. Examples are byte order conversions, swizzles,
interleaved channels, and words assembled from bytes that `load-store-vectorizer` loads at once.
Sums of products are in `passes/scalar/byte_products.py`. Both are created if they take fewer
instructions than the ops that become dead.

The pass is specific to this project. It runs before code generation, after `load-store-vectorizer`,
because no pass simplifies its results further. LLVM has parts of it in InstCombine (`matchBSwap`),
AggressiveInstCombine (`foldConsecutiveLoads`) and its code generator (`MatchLoadCombine`); libNVVM
recognizes some sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    BitcastOp,
    FuncOp,
    LShrOp,
    OrOp,
    SExtOp,
    ShlOp,
    StoreOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.dialects.generated import nvvm_enums as enums
from nvvm_xdsl.dialects.llvm import op_class as llvm_class
from nvvm_xdsl.dialects.llvm.accessors import integer_width, scalar_type, stated_alignment
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.types import I1, I8, I16, I32, I64, vector
from nvvm_xdsl.dialects.nvvm import enum_attributes as kinds
from nvvm_xdsl.dialects.nvvm import op_class as nvvm_class
from nvvm_xdsl.dialects.nvvm.calls import intrinsic_call
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.byte_parts import (
    BytePartsFinder,
    ExtractElementOp,
    InsertElementOp,
    Parts,
    byte_count,
)
from nvvm_xdsl.passes.scalar.byte_products import (
    WIDTHS,
    Dot,
    TermReader,
    dots,
    is_inner,
    leaves,
    permutation,
    uses_upper_half,
)
from nvvm_xdsl.passes.scalar.byte_words import BYTES, Word, Words, word_of
from nvvm_xdsl.transforms.conditionals import erase_dead

PERMUTATIONS = Statistic("packed-bytes", "permutations", "Number of words assembled from bytes")
PRODUCTS = Statistic("packed-bytes", "products", "Number of dot products of bytes")

PermuteOp = nvvm_class("nvvm.prmt")
_FShlOp, _FShrOp = llvm_class("llvm.intr.fshl"), llvm_class("llvm.intr.fshr")
_BSwapOp = llvm_class("llvm.intr.bswap")

JOINS = frozenset({OrOp, XOrOp, AddOp})

_INSTRUCTIONS: frozenset[type[Operation]] = frozenset(
    {OrOp, XOrOp, AddOp, AndOp, ShlOp, LShrOp, AShrOp, ZExtOp, SExtOp}
) | {_FShlOp, _FShrOp, _BSwapOp, InsertElementOp, ExtractElementOp}
"""Ops that cost one instruction; casts to the same and narrower types cost nothing."""

MAX_EXPRESSION = 64
"""Maximum number of ops of an expression that are counted."""

MAX_CHAIN = 32
"""Maximum number of products summed in 32 bits for a 64-bit sum: this many products of 2^26 do not
wrap."""


@dataclass(frozen=True)
class PackedBytes(FunctionPass):
    """Replaces permutations and sums of products of bytes by instructions on four bytes."""

    name = "packed-bytes"
    title = "PackedBytes"

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        worker = _PackedByteRewriter(func)
        for block in am.get(CFG, func).rpo_blocks():
            for op in reversed(list(fast.ops_of(block))):
                if op.parent is not None:
                    worker.visit(op)
        worker.words.finish()
        worker.constants.erase_unused()
        return worker.changed


class _PackedByteRewriter:
    """Rewrites the packed bytes of one function."""

    changed = False

    def __init__(self, func: FuncOp) -> None:
        self.constants = Constants(func)
        self.words = Words(self.constants)
        self.finder = BytePartsFinder()
        self.reader = TermReader(self.finder)

    def visit(self, op: Operation) -> None:
        """Rewrites the expression rooted at an op if that is profitable."""
        cls = type(op)
        if cls in JOINS:
            width = integer_width(op.results[0].type)
            if width in WIDTHS and not (cls is AddOp and self._sum(op, width)):
                self._joined(op)
        elif cls is StoreOp:
            self._stored(op)

    # Permutations.

    def _joined(self, op: Operation) -> None:
        """Replaces bytes combined by `or` and similar ops by words."""
        (result,) = op.results
        user = fast.single_use(result)
        if user is not None and type(user.operation) in JOINS:
            return
        made = self._words(self.finder.find(result), op, op)
        if made is None:
            return
        if len(made) == 1:
            self._replace(result, made[0])
            return
        pair = self.constants.poison(vector(2, I32))
        for number, word in enumerate(made):
            index = self.constants.integer(number, I32)
            pair = _put(InsertElementOp, (pair, word, index), pair.type, op)
        self._replace(result, _put(BitcastOp, (pair,), I64, op))

    def _stored(self, op: Operation) -> None:
        """Stores a word in place of a vector of four bytes, or of its two halves.

        Halves of several words are stored as a vector, which takes as many instructions as a
        permutation.
        """
        value = fast.operands_of(op)[0]
        if type(value.owner) is not InsertElementOp or byte_count(value.type) != BYTES:
            return
        lane = scalar_type(value.type)
        if lane not in (I8, I16) or fast.single_use(value) is None:
            return
        if not is_simple_access(op) or stated_alignment(op) < BYTES:
            return
        parts = self.finder.find(value)
        made = self._words(parts, fast.producer_of(value), op, only_whole=lane is I16)
        if made is not None:
            fast.set_operand(op, 0, made[0])
            erase_dead(value)
            self.changed = True

    def _words(
        self, parts: Parts, root: Operation, before: Operation, *, only_whole: bool = False
    ) -> list[SSAValue] | None:
        """Words of these parts, computed before an op, if they cost less than the expression at the
        root.

        With `only_whole`, only words that need no permutation.
        """
        plans = [_plan(parts[i : i + BYTES]) for i in range(0, len(parts), BYTES)]
        found = [plan for plan in plans if plan is not None]
        words = [word for plan in found for word in plan.words]
        if len(found) < len(plans) or any(word.source is root.results[0] for word in words):
            return None
        cost = sum(len(plan.selectors) for plan in found)
        if only_whole and cost:
            return None
        if cost + sum(word.size < BYTES for word in words) >= _dying(
            root, {word.source for word in words}
        ):
            return None
        PERMUTATIONS.add()
        return [self._planned(plan, before) for plan in found]

    def _planned(self, plan: _Plan, before: Operation) -> SSAValue:
        """The word that a plan computes."""
        if not plan.words:
            return self.constants.integer(0, I32)
        low, *others = (self.words.value(word, before) for word in plan.words)
        highs: list[SSAValue | None] = [*others]
        if len(plan.selectors) > len(others):
            highs.insert(0, None)
        for high, selector in zip(highs, plan.selectors):
            low = self._permuted(low, high, selector, before)
        return low

    def _permuted(
        self, low: SSAValue, high: SSAValue | None, selector: int, before: Operation
    ) -> SSAValue:
        """The bytes of two words that a selector of `prmt` selects; None represents zero."""
        zero = self.constants.integer(0, I32)
        chosen = self.constants.integer(selector, I32)
        mode = kinds.PermuteModeAttr(enums.PermuteMode.DEFAULT)
        op = fast.create(
            PermuteOp,
            (low, zero if high is None else high, chosen),
            (I32,),
            {"mode": mode},
            location=before.location,
        )
        fast.insert_before(op, before)
        return op.results[0]

    # Sums of products.

    def _sum(self, root: Operation, width: int) -> bool:
        """Replaces terms of a sum that are products of bytes by instructions."""
        (result,) = root.results
        user = fast.single_use(result)
        if user is not None and type(user.operation) is AddOp and is_inner(root, user.operation):
            return False
        values = leaves(root)
        terms = [
            term
            for value in values
            if isinstance(value, OpResult) and value.op.parent is root.parent
            if (term := self.reader.term(value)) is not None
        ]
        found = list(dots(terms)) if len(terms) > 1 else []
        if not found:
            return False
        taken = [term.value for dot in found for term in dot.terms]
        for value in taken:
            values.remove(value)
        if width == 32:
            total = values.pop(0) if values else self.constants.integer(0, I32)
            total = self._chain(found, total, root)
        else:
            total = None
            for start in range(0, len(found), MAX_CHAIN):
                zero = self.constants.integer(0, I32)
                narrow = self._chain(found[start : start + MAX_CHAIN], zero, root)
                values.insert(0, _put(SExtOp, (narrow,), I64, root))
            total = values.pop(0)
        for value in values:
            total = _put(AddOp, (total, value), result.type, root)
        self._replace(result, total)
        return True

    def _chain(self, found: Sequence[Dot], total: SSAValue, before: Operation) -> SSAValue:
        for dot in found:
            a = self.words.value(dot.a, before)
            is_upper = False
            if dot.b is None:
                b: SSAValue = self.constants.integer(dot.coefficients, I32)
            else:
                places = permutation(dot)
                is_upper = places is None and uses_upper_half(dot)
                b = self.words.value(dot.b, before)
                if places is not None:
                    digits = [_ZERO if place is None else place for place in places]
                    b = self._permuted(b, None, _selector(digits), before)
            arguments = [a, b, total]
            signs = ".".join("s" if signed else "u" for signed in dot.signed)
            if len(dot.lanes) == 2:
                arguments.insert(2, self.constants.integer(int(is_upper), I1))
            name = f"llvm.nvvm.idp{len(dot.lanes)}a.{signs}"
            call = intrinsic_call(name, arguments, (I32,))
            call.location = before.location
            fast.insert_before(call, before)
            (total,) = call.results
            PRODUCTS.add()
        return total

    def _replace(self, result: SSAValue, value: SSAValue) -> None:
        fast.set_name(value, result.name_hint)
        fast.replace_all_uses(result, value)
        erase_dead(result)
        # The bytes of users of the result, which were visited before it, are bytes of the result.
        self.finder.forget()
        self.changed = True


_ZERO = 4
"""The selector digit for a byte of the second register, which is zero here."""

_SIGN = 8
"""Bit of a selector digit that replicates a byte's sign eight times."""


def _selector(digits: Sequence[int]) -> int:
    return sum(digit << 4 * place for place, digit in enumerate(digits))


class _Plan(NamedTuple):
    """The computation of a word from source words: each selector of `prmt` combines the
    intermediate result, initially the first word, with the next word.

    If there are as many selectors as words, the first selector is applied to the first word and
    zero. An empty list of words represents zero.
    """

    words: list[Word]
    selectors: list[int]


def _plan(parts: Parts) -> _Plan | None:
    """The computation of a word with these parts; None if a byte is not part of a word."""
    words: list[Word] = []
    owners: list[int | None] = []
    for part in parts:
        word = None if part is None else word_of(part)
        if part is not None and word is None:
            return None
        if word is not None and word not in words:
            words.append(word)
        owners.append(None if word is None else words.index(word))
    if not words:
        return _Plan([], [])
    own = [0 if p is None else p.place % BYTES + _SIGN * p.is_sign for p in parts]
    digits = [_ZERO if owner is None else d for owner, d in zip(owners, own)]
    if None not in owners and (len(words) > 1 or digits == [0, 1, 2, 3]):
        # The first word needs no separate step.
        selectors: list[int] = []
        placed = own
    else:
        selectors = [
            _selector([d if owner in (0, None) else 0 for owner, d in zip(owners, digits)])
        ]
        placed = list(range(BYTES))
    for taken in range(1, len(words)):
        digits = [own[p] + BYTES if owner == taken else placed[p] for p, owner in enumerate(owners)]
        selectors.append(_selector(digits))
        placed = list(range(BYTES))
    return _Plan(words, selectors)


def _dying(root: Operation, sources: set[SSAValue]) -> int:
    """The number of instructions of the expression at `root`, down to `sources`, that become dead
    with it.
    """
    gone = {root}
    pending = [root]
    while pending and len(gone) < MAX_EXPRESSION:
        for value in fast.operands_of(pending.pop()):
            owner = value.owner
            if not isinstance(owner, Operation) or owner in gone or value in sources:
                continue
            if all(user in gone for user in fast.users_of(value)):
                gone.add(owner)
                pending.append(owner)
    return sum(type(op) in _INSTRUCTIONS and not _is_second_half(op) for op in gone)


def _is_second_half(op: Operation) -> bool:
    """True if an op extends an extracted element: one instruction does both."""
    return type(op) in (ZExtOp, SExtOp) and type(fast.operands_of(op)[0].owner) is ExtractElementOp


def _put(
    cls: type[Operation], operands: tuple[SSAValue, ...], type_: Attribute, before: Operation
) -> SSAValue:
    op = fast.create(cls, operands, (type_,), location=before.location)
    fast.insert_before(op, before)
    return op.results[0]
