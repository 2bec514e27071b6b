"""`loop-vectorize`: combines several iterations of a loop into one on vectors, with a scalar
remainder loop.

      llvm.br ^loop(%zero)                             ... trips below 4: ^loop(%zero)
    ^loop(%i: i64):                                  ^vector(%j: i64, %k: i64):
      %p = llvm.getelementptr %a[%i] ...               %p4 = llvm.getelementptr %a[%j] ...
      %x = llvm.load %p -> f32                         %x4 = llvm.load %p4 -> vector<4xf32>
      %y = llvm.fadd %x, %x : f32               ->     %y4 = llvm.fadd %x4, %x4 : vector<4xf32>
      llvm.store %y, %p                                llvm.store %y4, %p4
      %n = llvm.add %i, 1 ...                          ... %k + 4, back to ^vector
      llvm.cond_br ..., ^loop(%n), ^exit             ^middle: to ^loop(%rest) or ^exit

A GPU thread has no vector unit: the benefits are wide memory accesses and arithmetic on two halves
in one register. A loop is vectorized if its annotation requests it (`llvm.loop.vectorize`,
`llvm.loop.interleave`), with the requested width or 128 bits. Otherwise the width is 32 bits, the
vector register of LLVM's NVPTX target, which permits pairs of halves if all accesses of the loop
are aligned to pairs. `interleave` processes several vectors per iteration.

Requirements: the loop is one block, with an exit at its end and a trip count known at entry; its
recurrences are counters; it loads, stores and computes element by element, at addresses that
advance by one element per iteration; and no iteration depends on a store that the vector form would
execute after it: DependenceAnalysis excludes the dependence or proves that its distance is at least
a vector. Reductions, run-time checks of addresses, gathers, and conditional blocks, which LLVM's
LoopVectorize supports, are not supported. Remarks are those of LLVM's.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    CondBrOp,
    FAbsOp,
    FAddOp,
    FCmpOp,
    FDivOp,
    FMAOp,
    FMulOp,
    FNegOp,
    FPExtOp,
    FPTruncOp,
    FSqrtOp,
    FSubOp,
    FuncOp,
    ICmpOp,
    InsertElementOp,
    LLVMPointerType,
    LoadOp,
    LShrOp,
    MulOp,
    OrOp,
    SelectOp,
    SExtOp,
    ShlOp,
    SIToFPOp,
    StoreOp,
    SubOp,
    TruncOp,
    VectorFMaxOp,
    VectorFMinOp,
    XOrOp,
    ZExtOp,
)
from xdsl.ir import Attribute, Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.memory.accesses import is_simple_access
from nvvm_xdsl.analysis.memory.alignment import Alignments, power_of_two_in
from nvvm_xdsl.analysis.memory.dependence_analysis import AFTER, SAME, DependenceAnalysis
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_expression
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import (
    int_value,
    integer_of,
    loop_annotation_of,
    stated_alignment,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.flags import overflow_flags, set_overflow_flags
from nvvm_xdsl.dialects.llvm.gep import byte_offset
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import (
    FMulAddOp,
    FPToSIOp,
    FPToUIOp,
    MaximumOp,
    MinimumOp,
    PoisonOp,
    SMaxOp,
    SMinOp,
    UIToFPOp,
    UMaxOp,
    UMinOp,
)
from nvvm_xdsl.dialects.llvm.setters import set_loop_annotation
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    LoopAnnotationAttr,
    LoopInterleaveAttr,
    LoopUnrollAttr,
    LoopVectorizeAttr,
)
from nvvm_xdsl.dialects.llvm.types import BF16, F16, I1, I32, I64, int_attr, integer, vector
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.loop.tested_counters import may_be_tested
from nvvm_xdsl.transforms.builder import NE, Builder
from nvvm_xdsl.transforms.cfg import remove_unreachable_blocks, replace_terminator
from nvvm_xdsl.transforms.loops import annotated
from nvvm_xdsl.transforms.scev_expander import Expander

VECTORIZED = remarks.Statistic("loop-vectorize", "vectorized", "Number of loops vectorized")

VECTORIZER_MIN_TRIP_COUNT: Final = 16
REGISTER_BITS: Final = 32
"""TargetTransformInfo::getRegisterBitWidth of LLVM's NVPTX target and of the sister page."""
ACCESS_BITS: Final = 128
"""Width in bits of the widest access that all targets have."""
EXPANSION_BUDGET: Final = 4
"""LLVM's `scev-cheap-expansion-budget`."""
MAX_VECTOR_WIDTH: Final = 64
MAX_INTERLEAVE_FACTOR: Final = 16
"""Maximum width and interleave count of an annotation. As in LLVM, larger ones are ignored
(`LoopVectorizeHints`)."""
MOST_ACCESSES: Final = 64
"""Maximum number of loads and stores of a loop whose dependences are analysed."""

_REASONS: Final = {
    "CFGNotUnderstood": "loop control flow is not understood by vectorizer",
    "CantComputeNumberOfIterations": "could not determine number of loop iterations",
    "CantReorderMemOps": "cannot prove it is safe to reorder memory operations",
    "CantVectorizeInstruction": "instruction cannot be vectorized",
    "LowTripCount": "The trip count is below the minial threshold value.",
    "NonConsecutive": "an address does not advance by one element per iteration",
    "NonReductionValue": "a loop-carried value is not an induction variable",
    "UsesCounter": "an induction variable is used as a value",
    "VectorizationNotBeneficial": ("the cost-model indicates that vectorization is not beneficial"),
}
"""Texts of remarks by reason; LLVM's texts, including a misprint, for reasons that LLVM also
has.
"""

_UGE: Final = 9

_ELEMENTWISE: Final[frozenset[type[Operation]]] = frozenset(
    {
        *(
            AddOp,
            SubOp,
            MulOp,
            AndOp,
            OrOp,
            XOrOp,
            ShlOp,
            LShrOp,
            AShrOp,
            ICmpOp,
            SelectOp,
            TruncOp,
            ZExtOp,
            SExtOp,
        ),
        *(
            FAddOp,
            FSubOp,
            FMulOp,
            FDivOp,
            FNegOp,
            FCmpOp,
            FPExtOp,
            FPTruncOp,
            SIToFPOp,
            UIToFPOp,
            FPToSIOp,
            FPToUIOp,
        ),
        *(
            FMAOp,
            FMulAddOp,
            FAbsOp,
            VectorFMaxOp,
            VectorFMinOp,
            MaximumOp,
            MinimumOp,
            FSqrtOp,
            SMaxOp,
            SMinOp,
            UMaxOp,
            UMinOp,
        ),
    }
)
"""Ops whose vector form is the elementwise scalar op."""

_PACKED: Final[tuple[Attribute, ...]] = (F16, BF16)
"""Types for which one instruction computes two elements."""


@dataclass(frozen=True)
class LoopVectorize(FunctionPass):
    """Vectorizes loops by annotation, or whose elements are halves."""

    name = "loop-vectorize"
    title = "LoopVectorize"
    requires = ("loop-simplify", "lcssa")

    interleave_forced_only: bool = False
    """Interleave only by annotation, which is always the case here."""

    vectorize_forced_only: bool = False
    """Vectorize only by annotation."""

    force_vector_width: int = 0
    """The vector width of every loop; 0 leaves it to annotations and costs."""

    force_vector_interleave: int = 0
    """The number of vectors per iteration for all loops; 0 leaves it to annotations."""

    vectorizer_min_trip_count: int = VECTORIZER_MIN_TRIP_COUNT
    """Minimum trip count without an annotation."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if not am.get(LoopInfo, func).top_level:
            return False
        changed = False
        done: set[Block] = set()
        while True:
            planner = _Planner(self, func, am)
            loops = [loop for loop in am.get(LoopInfo, func).loops() if loop.is_innermost()]
            plan = next(
                (p for loop in loops if (p := planner.plan_once(loop, done)) is not None), None
            )
            if plan is None:
                return changed
            done |= _Vectorizer(func, plan).run()
            VECTORIZED.add()
            remove_unreachable_blocks(func.regions[0])
            am.invalidate(func)
            changed = True


@dataclass(frozen=True)
class _VectorizeHints:
    """The request of a loop's annotation; 0 or None for absent fields."""

    forced: bool | None
    width: int
    interleave: int
    is_done: bool


@dataclass(frozen=True)
class _Induction:
    """A counter: the amount added per iteration, and whether the exit may depend on it."""

    argument: BlockArgument
    step: int
    flags: int
    may_be_tested: bool


@dataclass(frozen=True)
class _Access:
    """A load or store of one element at an address that advances by one element per iteration."""

    op: Operation
    pointer: SSAValue
    type_: Attribute
    alignment: int
    start_alignment: int


@dataclass(frozen=True)
class _Plan:
    """The plan for a loop.

    Arguments:
        width: the number of elements of a vector.
        interleave: the number of vectors per iteration.
        taken: the number of times that the backedge is taken.
        trips: the trip count, if it is constant.
        keeps_last: whether the last iteration is executed in scalar form, for its live-out values.
    """

    loop: Loop
    width: int
    interleave: int
    taken: Scev
    expander: Expander
    trips: int | None
    keeps_last: bool
    inductions: tuple[_Induction, ...]
    accesses: dict[Operation, _Access]
    widened: tuple[Operation, ...]


class _NotVectorized(Exception):
    """Reasons against vectorization, by the name of the remark."""

    def __init__(self, name: str) -> None:
        super().__init__(_REASONS[name])
        self.remark = name


def hints_of(loop: Loop) -> _VectorizeHints:
    """The request of the annotation at the loop's latch."""
    latch = loop.latch()
    annotation = None
    if latch is not None:
        annotation = loop_annotation_of(branches.terminator_of(latch))
    if not isinstance(annotation, LoopAnnotationAttr):
        return _VectorizeHints(None, 0, 0, False)
    forced: bool | None = None
    width = interleave = 0
    wish = annotation.vectorize
    if isinstance(wish, LoopVectorizeAttr):
        disable = integer_of(wish.field("disable"))
        forced = None if disable is None else not disable
        width = int_value(wish.field("width"))
    if isinstance(annotation.interleave, LoopInterleaveAttr):
        interleave = int_value(annotation.interleave.count)
    width = width if width <= MAX_VECTOR_WIDTH else 0
    interleave = interleave if interleave <= MAX_INTERLEAVE_FACTOR else 0
    if forced is None and (width > 1 or interleave > 1):
        forced = True
    if forced is None and integer_of(annotation.field("disableNonforced")):
        forced = False
    return _VectorizeHints(
        forced, width, interleave, bool(integer_of(annotation.field("isVectorized")))
    )


class _Planner:
    """Plans the vectorization of a function's loops in their current state."""

    def __init__(self, options: LoopVectorize, func: FuncOp, am: AnalysisManager) -> None:
        self._options = options
        self._function = symbol_name(func) or ""
        self._se = am.get(ScalarEvolution, func)
        self._dependences = am.get(DependenceAnalysis, func)
        self._expander = Expander(self._se, Constants(func))
        self._layout: DataLayout = data_layout_of(func)
        self._alignments = Alignments(func, self._layout)

    def plan_once(self, loop: Loop, done: set[Block]) -> _Plan | None:
        """The plan of an innermost loop that was not visited; None if it is not vectorized."""
        if loop.header in done:
            return None
        done.add(loop.header)
        hints = hints_of(loop)
        options = self._options
        if hints.is_done or hints.forced is False:
            return None
        if hints.width == 1 and hints.interleave <= 1:
            return None
        forced = bool(hints.forced) or options.force_vector_width > 1
        if options.vectorize_forced_only and not forced:
            return None
        try:
            plan = self._plan(loop, hints, forced)
        except _NotVectorized as reason:
            self._report("Analysis", reason.remark, f"loop not vectorized: {reason}", loop)
            if forced:
                self._report("Missed", "MissedDetails", "loop not vectorized", loop)
            return None
        text = (
            f"vectorized loop (vectorization width: {plan.width}, "
            f"interleaved count: {plan.interleave})"
        )
        if plan.width == 1:
            text = f"interleaved loop (interleaved count: {plan.interleave})"
        self._report("Passed", "Vectorized" if plan.width > 1 else "Interleaved", text, loop)
        return plan

    def _report(self, kind: str, name: str, text: str, loop: Loop) -> None:
        if remarks.wanted():
            op = loop.header.last_op
            remarks.emit(kind, self._options.name, name, self._function, text, op=op)

    def _plan(self, loop: Loop, hints: _VectorizeHints, forced: bool) -> _Plan:
        header, preheader = loop.header, loop.preheader()
        last = branches.terminator_of(header)
        if len(loop.blocks) != 1 or not loop.is_simplified():
            raise _NotVectorized("CFGNotUnderstood")
        assert preheader is not None
        if type(last) is not CondBrOp or len(set(fast.successors_of(last))) != 2:
            raise _NotVectorized("CFGNotUnderstood")
        se = self._se
        taken = se.backedge_taken_count(loop)
        cost = self._expander.cost(taken, preheader)
        if cost is None or cost > EXPANSION_BUDGET:
            raise _NotVectorized("CantComputeNumberOfIterations")
        inductions = tuple(self._induction(argument, loop) for argument in header.args)
        accesses, widened = self._classify(loop)
        width = self._width(hints, forced, accesses, widened)
        interleave = self._options.force_vector_interleave or hints.interleave or 1
        width, interleave = _power_of_two(width), _power_of_two(interleave)
        if width * interleave == 1:
            raise _NotVectorized("VectorizationNotBeneficial")
        self._check_dependences(loop, list(accesses), width * interleave)
        brought = next(v for b, v in branches.edges_of(last) if b is not header)
        keeps_last = any(loop.defines(value) for value in brought)
        trips = se.trip_count(loop)
        if trips is not None and trips - keeps_last < width * interleave:
            raise _NotVectorized("LowTripCount")
        if not forced and trips is not None and trips < self._options.vectorizer_min_trip_count:
            raise _NotVectorized("LowTripCount")
        return _Plan(
            loop, width, interleave, taken, self._expander, trips, keeps_last, inductions,
            accesses, tuple(widened),
        )  # fmt: skip

    def _induction(self, argument: BlockArgument, loop: Loop) -> _Induction:
        at = self._se.get(argument)
        if not at.is_affine or at.loop is not loop or at.step.kind is not Kind.CONSTANT:
            raise _NotVectorized("NonReductionValue")
        edges = branches.edges_of(branches.terminator_of(loop.header))
        following = next(v for b, v in edges if b is loop.header)[argument.index]
        flags = 0
        if isinstance(following, OpResult) and type(following.op) is AddOp:
            if argument in fast.operands_of(following.op):
                # The total number of iterations does not exceed the known trip count.
                flags = overflow_flags(following.op)
        return _Induction(argument, at.step.signed, flags, may_be_tested(argument, loop, self._se))

    def _classify(self, loop: Loop) -> tuple[dict[Operation, _Access], list[Operation]]:
        """The accesses, and the ops to vectorize, in the order of the code."""
        accesses: dict[Operation, _Access] = {}
        widened: list[Operation] = []
        vectors: set[SSAValue] = set()
        last = loop.header.last_op
        for op in fast.ops_of(loop.header):
            if op is last:
                continue
            if isinstance(op, (LoadOp, StoreOp)):
                accesses[op] = self._access(op, loop)
                if isinstance(op, StoreOp):
                    self._check_element(fast.operands_of(op)[0], loop, vectors)
                widened.append(op)
                vectors.update(op.results)
                continue
            if not is_expression(op) or op.regions:
                raise _NotVectorized("CantVectorizeInstruction")
            operands = fast.operands_of(op)
            if not any(value in vectors for value in operands):
                continue
            if type(op) not in _ELEMENTWISE:
                raise _NotVectorized("CantVectorizeInstruction")
            for value in operands:
                self._check_element(value, loop, vectors)
            widened.append(op)
            vectors.update(op.results)
        return accesses, widened

    def _is_element(self, type_: Attribute) -> bool:
        return not isinstance(type_, (VectorType, LLVMPointerType)) and bool(
            self._layout.bits(type_)
        )

    def _check_element(self, value: SSAValue, loop: Loop, vectors: set[SSAValue]) -> None:
        """Raises _NotVectorized unless a value is an element of a vector, or loop-invariant."""
        if value not in vectors and not loop.is_invariant(value):
            raise _NotVectorized("UsesCounter")
        if not self._is_element(value.type):
            raise _NotVectorized("CantVectorizeInstruction")

    def _access(self, op: Operation, loop: Loop) -> _Access:
        operands = fast.operands_of(op)
        pointer = operands[-1]
        type_ = op.results[0].type if op.results else operands[0].type
        bits = self._layout.bits(type_) if self._is_element(type_) else None
        if not is_simple_access(op) or bits not in (8, 16, 32, 64):
            raise _NotVectorized("CantVectorizeInstruction")
        at = self._se.get(pointer)
        if not at.is_affine or at.loop is not loop or at.step.kind is not Kind.CONSTANT:
            raise _NotVectorized("NonConsecutive")
        if at.step.signed * 8 != bits:
            raise _NotVectorized("NonConsecutive")
        alignment = stated_alignment(op) or self._layout.alignment(type_)
        return _Access(op, pointer, type_, alignment, max(alignment, self._alignment(at.start)))

    def _alignment(self, start: Scev) -> int:
        """The power of two that divides an address."""
        parts = start.operands if start.kind is Kind.ADD else (start,)
        found: list[int] = []
        for part in parts:
            value = part.value
            if value is not None and isinstance(value.type, LLVMPointerType):
                found.append(self._alignments.of(value))
            else:
                found.append(power_of_two_in(self._se.multiple_of(part)))
        return min(found)

    def _width(
        self,
        hints: _VectorizeHints,
        forced: bool,
        accesses: dict[Operation, _Access],
        widened: Iterable[Operation],
    ) -> int:
        """The number of elements of a vector."""
        if not accesses:
            raise _NotVectorized("VectorizationNotBeneficial")
        stated = self._options.force_vector_width or hints.width
        if stated:
            return stated
        sizes = [self._layout.size(access.type_) for access in accesses.values()]
        if forced:
            # If only interleaving is requested, the width is 1.
            return 1 if hints.interleave > 1 else max(ACCESS_BITS // (8 * max(sizes)), 1)
        width = max(REGISTER_BITS // (8 * max(sizes)), 1)
        packs = all(
            value.type in _PACKED
            for op in widened
            for value in (*fast.operands_of(op)[: 1 if op in accesses else None], *op.results)
            if not isinstance(value.type, LLVMPointerType)
        )
        is_aligned = all(
            access.start_alignment >= width * size for access, size in zip(accesses.values(), sizes)
        )
        return width if packs and is_aligned else 1

    def _check_dependences(self, loop: Loop, ops: list[Operation], rounds: int) -> None:
        """Raises _NotVectorized if an op must precede an earlier op of one of the next `rounds`
        iterations.
        """
        if len(ops) > MOST_ACCESSES:
            raise _NotVectorized("CantReorderMemOps")
        for index, first in enumerate(ops):
            for second in ops[index + 1 :]:
                if not isinstance(first, StoreOp) and not isinstance(second, StoreOp):
                    continue
                found = self._dependences.depends(first, second)
                if found is None:
                    continue
                levels = dict(zip(found.loops, found.levels))
                if any(not v.directions & SAME for k, v in levels.items() if k is not loop):
                    continue
                level = levels.get(loop)
                if not found.confused and level is not None:
                    if not level.directions & AFTER:
                        continue
                    if level.distance is not None and abs(level.distance) >= rounds:
                        continue
                raise _NotVectorized("CantReorderMemOps")


def _power_of_two(number: int) -> int:
    return 1 << (number.bit_length() - 1)


class _Vectorizer:
    """Executes one plan."""

    def __init__(self, func: FuncOp, plan: _Plan) -> None:
        self.plan = plan
        self.constants = Constants(func)
        self.elements: dict[tuple[SSAValue, int], SSAValue] = {}
        self.scalars: dict[tuple[SSAValue, int], SSAValue] = {}
        self.layout = data_layout_of(func)

    def run(self) -> set[Block]:
        """Creates the vector loop; returns the headers of both loops."""
        plan, loop = self.plan, self.plan.loop
        count = plan.width * plan.interleave
        header, exit_, preheader = loop.header, loop.exit_block(), loop.preheader()
        assert exit_ is not None
        assert preheader is not None
        entry = branches.terminator_of(preheader)
        starts = next(v for b, v in branches.edges_of(entry) if b is header)
        type_ = integer(plan.taken.width)
        types = [argument.type for argument in header.args]
        main = self._block("vector_ph", preheader)
        leader = self._leader(starts, type_)
        counted = [] if leader is not None else [type_]
        body = self._block("vector_body", main, [*types, *counted])
        middle = self._block("middle_block", body, types)
        rest = self._block("scalar_ph", middle, types)
        number = self.constants.integer
        builder = Builder(entry, self.constants)
        taken = plan.expander.expand(plan.taken, entry)
        if plan.keeps_last:
            rounds = builder.value(AndOp, (taken, number(-count, type_)), type_)
            extra = None
        else:
            trips = builder.value(AddOp, (taken, number(1, type_)), type_)
            rounds = builder.value(AndOp, (trips, number(-count, type_)), type_)
            extra = trips
        if plan.trips is None:
            most = number(count - (0 if plan.keeps_last else 1), type_)
            enough = builder.compare(_UGE, taken, most)
            new = branches.conditional_branch(enough, main, (), rest, starts)
        else:
            new = branches.branch(main)
        replace_terminator(entry, new)
        fast.append(rest, branches.branch(header, rest.args))
        zeros = [number(0, type_) for _ in counted]
        fast.append(main, branches.branch(body, (*starts, *zeros)))
        self._fill(body, main, middle, rounds, leader)
        brought = next(
            v for b, v in branches.edges_of(branches.terminator_of(header)) if b is exit_
        )
        if extra is None or (plan.trips is not None and plan.trips % count):
            fast.append(middle, branches.branch(rest, middle.args))
        else:
            leave = branches.branch(exit_, brought)
            fast.append(middle, leave)
            if plan.trips is None:
                builder = Builder(leave, self.constants)
                left = builder.value(AndOp, (extra, number(count - 1, type_)), type_)
                more = builder.compare(NE, left, number(0, type_))
                new = branches.conditional_branch(more, rest, middle.args, exit_, brought)
                replace_terminator(leave, new)
        self._annotate(header, body)
        return {header, body}

    @staticmethod
    def _block(name: str, after: Block, types: Sequence[Attribute] = ()) -> Block:
        block = fast.new_block(types)
        fast.set_name(block, name)
        fast.insert_block_after(block, after)
        return block

    def _annotate(self, scalar: Block, body: Block) -> None:
        """Marks both loops as vectorized, and the remainder loop as short."""
        last = branches.terminator_of(scalar)
        annotation = loop_annotation_of(last)
        done = {"vectorize": None, "interleave": None, "isVectorized": int_attr(1, I1)}
        new = branches.terminator_of(body)
        set_loop_annotation(new, annotated(annotation, **done))
        unroll = LoopUnrollAttr.of(runtimeDisable=int_attr(1, I1))
        set_loop_annotation(last, annotated(annotation, **done, unroll=unroll))

    def _leader(self, starts: Sequence[SSAValue], type_: Attribute) -> int | None:
        """The argument index of the counter that counts iterations from 0; None if there is
        none."""
        return next(
            (
                place
                for place, (induction, start) in enumerate(zip(self.plan.inductions, starts))
                if induction.step == 1
                and start.type is type_
                and constant_integer(start) == 0
                and induction.may_be_tested
            ),
            None,
        )

    def _fill(
        self, body: Block, main: Block, middle: Block, rounds: SSAValue, leader: int | None
    ) -> None:
        """The body of the vector loop."""
        plan = self.plan
        count = plan.width * plan.interleave
        counters = body.args[: len(plan.inductions)]
        stop = branches.branch(middle)
        fast.append(body, stop)
        builder = Builder(stop, self.constants)
        for part in range(plan.interleave):
            for induction, counter in zip(plan.inductions, counters):
                first = self._advance(counter, induction, plan.width * part, builder, 0)
                self.scalars[induction.argument, part] = first
        entry = branches.terminator_of(main)
        for op in plan.widened:
            for part in range(plan.interleave):
                self._widen(op, part, stop, entry)
        following = [
            self._advance(counter, induction, count, builder, induction.flags)
            for induction, counter in zip(plan.inductions, counters)
        ]
        again = list(following)
        if leader is None:
            type_ = rounds.type
            amount = self.constants.integer(count, type_)
            again.append(builder.value(AddOp, (body.args[-1], amount), type_))
        goes = builder.compare(NE, again[-1 if leader is None else leader], rounds)
        replace_terminator(stop, branches.conditional_branch(goes, body, again, middle, following))

    def _advance(
        self, counter: SSAValue, induction: _Induction, rounds: int, builder: Builder, flags: int
    ) -> SSAValue:
        """The value of a counter a number of iterations later."""
        distance = induction.step * rounds
        if not distance:
            return counter
        type_: Attribute = counter.type
        if isinstance(type_, LLVMPointerType):
            return byte_offset(counter, distance, builder.before)
        amount = self.constants.integer(distance, type_)
        later = builder.emit(AddOp, (counter, amount), (type_,))
        set_overflow_flags(later, flags)
        return later.results[0]

    def _scalar(self, value: SSAValue, part: int, before: Operation) -> SSAValue:
        """A value of the first iteration of a vector, computed from the counters."""
        if not self.plan.loop.defines(value):
            return value
        found = self.scalars.get((value, part))
        if found is None:
            op = fast.producer_of(value)
            mapping = {v: self._scalar(v, part, before) for v in fast.operands_of(op)}
            copy = fast.copy_op(op, mapping)
            fast.insert_before(copy, before)
            for old, new in zip(op.results, copy.results):
                self.scalars[old, part] = new
            found = self.scalars[value, part]
        return found

    def _element(self, value: SSAValue, part: int, entry: Operation) -> SSAValue:
        """A value as a vector: one defined in the loop, or a splat created before it."""
        found = self.elements.get((value, part))
        if found is not None:
            return found
        width = self.plan.width
        if width == 1:
            return value
        found = self.elements.get((value, -1))
        if found is None:
            whole = vector(width, value.type)
            start = fast.create(PoisonOp, (), (whole,))
            fast.insert_before(start, entry)
            (found,) = start.results
            for number in range(width):
                at = self.constants.integer(number, I32)
                op = fast.create(InsertElementOp, (found, value, at), (whole,))
                fast.insert_before(op, entry)
                (found,) = op.results
            self.elements[value, -1] = found
        return found

    def _widen(self, op: Operation, part: int, before: Operation, entry: Operation) -> None:
        """Vectorizes one op."""
        access = self.plan.accesses.get(op)
        operands = [
            self._scalar(value, part, before)
            if access is not None and value is access.pointer
            else self._element(value, part, entry)
            for value in fast.operands_of(op)
        ]
        width = self.plan.width
        types = [r.type if width == 1 else vector(width, r.type) for r in op.results]
        properties = dict(op.properties)
        if access is not None:
            size = self.layout.size(access.type_) * width
            alignment = max(access.alignment, min(access.start_alignment, size))
            properties["alignment"] = int_attr(alignment, I64)
        new = fast.create(
            type(op), operands, types, properties, (), dict(op.attributes), op.location
        )
        fast.insert_before(new, before)
        for old, result in zip(op.results, new.results):
            self.elements[old, part] = result


__all__ = ["LoopVectorize"]
