"""`loop-reduce`: replaces address computations in loops by pointers that advance by one addition.

    llvm.br ^loop(%c0 : i32)                         %s = llvm.getelementptr %a[%e] : ... f32
  ^loop(%i: i32):                                    llvm.br ^loop(%c0, %s : i32, !llvm.ptr<1>)
    %k = llvm.add %row, %i overflow<nsw> : i32     ^loop(%i: i32, %p: !llvm.ptr<1>):
    %e = llvm.sext %k : i32 to i64            ->     %x = llvm.load %p : !llvm.ptr<1> -> f32
    %q = llvm.getelementptr %a[%e] : ... f32         ...
    %x = llvm.load %q : !llvm.ptr<1> -> f32          %r = llvm.getelementptr %p[4] : ... i8
    ...                                              llvm.cond_br %more, ^loop(%m, %r), ^exit
    llvm.cond_br %more, ^loop(%m), ^exit

An address is a sum: a pointer, loop-invariant values, and counters times constants
(`analysis/values/linear_address.py`). Accesses whose sums differ by a constant that fits the offset
of an instruction share one pointer; it starts in the preheader, and each iteration adds the step of
its recurrence in ScalarEvolution. If ptxas unrolls the loop later, the iterations become offsets
too, with one addition for all of them; an address with a 32-bit index that may wrap, as far as
ptxas knows, is computed again in each iteration.

Pointers that differ by a part of a variable step form a chain: each is computed from the one before,
the last gives the first of the next iteration, and one register pair suffices. For `p[(i + k) * w]`,
with `k` from 0 to 3 and a step of 4:

    %p1 = llvm.getelementptr %p0[%w4]    %p2 = llvm.getelementptr %p1[%w4]    ...

The equality of sum and address depends on flags such as `nsw`: if they do not hold, the address is
poison, and the access was undefined. Therefore a guarded access need not run in the first
iteration.

A pointer costs an addition and two registers. It is created if that saves instructions, in total
and for each pointer, while registers are available. Otherwise loop-invariant terms are added to the
pointer in the preheader if that saves an addition in the loop: the part `a + 4 sext(row)` of `a + 4
sext(row + i)`. (The sister's loop strength reduction, sub_19CE990, with its knobs, and base address
strength reduction, sub_1C67780; LLVM's LoopStrengthReduce.cpp. Of the sister's solver only the part
that improves machine code is implemented: pointers of families that share an offset. Formulas of
other strides, the median of costs, and `count-sxt-opt-for-reg-pressure` are not implemented: an
extension of a counter is removed with its address, and the registers that this frees are not
counted.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import gcd
from typing import ClassVar, Final, NamedTuple

from xdsl.dialects.llvm import (
    AddOp,
    AddressOfOp,
    FuncOp,
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

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.memory.pointer_ops import ACCESSES
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.unroll_pragmas import ptxas_unroll_count
from nvvm_xdsl.analysis.values.linear_address import (
    AddrSpaceCastOp,
    linear_address,
    root_key,
    scaled,
    stepped,
)
from nvvm_xdsl.analysis.values.linear_expressions import Leaf, Terms, add_product
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width, symbol_name
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, data_layout_of
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.gep import byte_offset
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.nvptx import LOCAL, SHARED
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import LoopPass
from nvvm_xdsl.transforms.conditionals import erase_dead
from nvvm_xdsl.transforms.rematerialize import stated_registers
from nvvm_xdsl.transforms.scev_expander import Expander

NARROW_SPACES: Final = frozenset({SHARED, LOCAL})
"""Address spaces with 32-bit addresses in machine code."""

FARTHEST: Final = 1 << 23
"""Limit of the offsets in memory instructions."""

UNCONDITIONAL, WITH_CONDITIONS = 1, 2
"""Levels of base address strength reduction: the sister's "two levels: 1 = no conditions, 2 = with conditions"."""
SHARED_BY: Final = 2
"""Number of accesses of a base that is used unconditionally (the sister's threshold)."""

SETUP_BUDGET: Final = 8
"""Maximum number of ops before the loop for a start or a step."""
DEEPEST: Final = 16
"""Maximum number of ops that are searched for the operands of an index."""

POINTERS = Statistic("loop-reduce", "pointers", "Number of pointers that go from round to round")
BASES = Statistic("loop-reduce", "bases", "Number of pointers that are summed up before a loop")
ACCESSES_REDUCED = Statistic("loop-reduce", "accesses", "Number of accesses through such pointers")


@dataclass(frozen=True)
class LoopStrengthReduce(LoopPass):
    """Replaces address computations in loops by pointers that advance by one addition."""

    name = "loop-reduce"
    title = "LoopStrengthReduce"
    phases: ClassVar[frozenset[int]] = frozenset({2})
    takes_all_loops: ClassVar[bool] = True

    do_lsr_64_bit: bool = True
    """Whether 64-bit steps are added; otherwise only those of shared and local memory are."""

    lsr_check_rp: bool = True
    """Whether register pressure is considered."""

    lsr_rp_limit: int = 64
    """Maximum number of registers of a loop including its pointers."""

    maxrregcount: int = 0
    """The limit of functions that state none, if it is lower; 0 for no limit."""

    lsr_loop_level: int = 0
    """Maximum depth of a nest, counted from the innermost loop: 1 for innermost loops, 0 for
    any."""

    lsr_skip_outer_loop: bool = False
    """Whether loops with inner loops are skipped."""

    lsr_sxtopt: bool = True
    """Whether counters are recognized through extensions."""

    disable_unknown_trip_lsr: bool = False
    """Whether loops with an unknown trip count are skipped."""

    disable_lsr_for_sharedmem32_ptr: bool = False
    """Whether addresses in shared memory are left unchanged."""

    disable_lsr_complexity_discount: bool = False
    """Whether a pointer must save as many registers as it needs, regardless of instructions."""

    filter_bad_formula: bool = True
    """Whether unprofitable pointers are omitted."""

    do_base_address_strength_reduce: int = WITH_CONDITIONS
    """Whether accesses at constant distances share a pointer: 0 no, 1 always, 2 if profitable."""

    do_base_address_strength_reduce_chain: bool = True
    """Whether an address is traced through a chain of address computations."""

    base_address_strength_reduce_iv_limit: int = 16
    """Maximum number of pointers of a loop."""

    base_address_strength_reduce_max_iv: int = 0
    """The maximum value of the varying part of an address; 0 for no limit."""

    dump_base_address_strength_reduce: bool = False
    """Reports the base of each pointer, its accesses and their minimum offset."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg().and_of(ScalarEvolution)

    def run_on_loop(self, loop: Loop, func: FuncOp, am: AnalysisManager) -> bool:
        return self._run_on([loop], func, am)

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        changed = self._run_on(am.get(LoopInfo, func).innermost_first(), func, am)
        if changed:
            am.invalidate(func, self.preserved())
        return changed

    def _run_on(self, loops: Iterable[Loop], func: FuncOp, am: AnalysisManager) -> bool:
        work = _Function(self, func, am)
        changed = False
        for loop in loops:
            if loop.preheader() is not None and loop.latch() is not None and self._is_wanted(loop):
                changed |= work.reduce(loop)
        return changed

    def _is_wanted(self, loop: Loop) -> bool:
        if self.lsr_skip_outer_loop and loop.subloops:
            return False
        return not self.lsr_loop_level or _height(loop) <= self.lsr_loop_level


def _height(loop: Loop) -> int:
    """The depth of the nest of which this loop is the outermost: 1 for an innermost loop."""
    height, level = 0, [loop]
    while level:
        height += 1
        level = [inner for at in level for inner in at.subloops]
    return height


class _Moving(NamedTuple):
    """The varying part of an access's address, leaves times factors, and its constant."""

    terms: tuple[tuple[Leaf, int], ...]
    constant: int


@dataclass
class _Family:
    """Accesses whose addresses differ by constants.

    The address in the first iteration is `root`, plus each leaf of `fixed` times its factor, plus
    `start`, plus the constant of the access; each iteration adds `step`.
    """

    root: SSAValue
    fixed: tuple[tuple[Leaf, int], ...]
    start: Scev
    step: Scev
    known: dict[Scev, SSAValue]
    accesses: list[tuple[Operation, int]] = field(default_factory=list[tuple[Operation, int]])
    moving: list[_Moving] = field(default_factory=list[_Moving])
    """Of each access."""
    links: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """For a chain: how many times the gap each access lies behind the pointer."""
    gap: Scev | None = None
    """For a chain: the distance of its links."""

    def anchor(self) -> int:
        """The constant part of the pointer: 0 if all offsets from there fit."""
        constants = [constant for _, constant in self.accesses]
        if all(-FARTHEST < constant < FARTHEST for constant in constants):
            return 0
        return min(constants)

    def space(self) -> int:
        """The address space."""
        assert isinstance(self.root.type, LLVMPointerType)
        return address_space_of(self.root.type)


class _Function:
    """The state of one function; inner loops are processed first."""

    def __init__(self, options: LoopStrengthReduce, func: FuncOp, am: AnalysisManager) -> None:
        self.options = options
        self.func = func
        self.am = am
        self.constants = Constants(func)
        self.layout = data_layout_of(func)
        self.grown: Counter[Block] = Counter()
        """Registers that the new pointers need in a block."""
        self._pressure: dict[Block, int] | None = None

    def reduce(self, loop: Loop) -> bool:
        """Creates the pointers of a loop; returns whether there are any."""
        se = self.am.get(ScalarEvolution, self.func)
        if self.options.disable_unknown_trip_lsr and (
            se.backedge_taken_count(loop) is se.could_not_compute
        ):
            return False
        work = _LoopReducer(self, loop, se)
        found = work.find()
        families = work.choose(found)
        pointers = set(map(id, families))
        rest = [family for family in found if id(family) not in pointers]
        based = work.choose_for_bases(rest, families)
        if not families and not based:
            return False
        se.forget_loop(loop)
        for family in families:
            self._dump(family)
            work.make_pointer(family)
        for family in based:
            work.make_base(family)
        for block in loop.blocks:
            self.grown[block] += 2 * (len(families) + len(based))
        POINTERS.add(len(families))
        BASES.add(len(based))
        if remarks.wanted() and families:
            remarks.emit(
                "Passed", self.options.name, "Reduced", symbol_name(self.func) or "",
                f"{len(families)} addresses are carried from iteration to iteration", op=loop.header.last_op,
            )  # fmt: skip
        return True

    def _dump(self, family: _Family) -> None:
        offsets = sorted({constant for _, constant in family.accesses})
        remarks.emit(
            "Passed", self.options.name, "BaseAddress", symbol_name(self.func) or "",
            f"base {value_name(family.root)} of {len(family.accesses)} accesses, anchor at "
            f"{offsets[0]}, offsets {', '.join(str(offset - offsets[0]) for offset in offsets)}",
            op=family.accesses[0][0], shown=self.options.dump_base_address_strength_reduce,
        )  # fmt: skip

    def register_limit(self) -> int:
        """The register limit of a loop: that of the kernel's launch bounds, if it is lower."""
        stated = stated_registers(self.func) or self.options.maxrregcount
        return min(stated or self.options.lsr_rp_limit, self.options.lsr_rp_limit)

    def registers_in(self, loop: Loop) -> int:
        """Maximum register pressure of a loop in its current form."""
        if self._pressure is None:
            pressure = self.am.get(RegisterPressure, self.func)
            self._pressure = {
                block: found.registers for block, found in zip(pressure.cfg.blocks, pressure.blocks)
            }
        known = self._pressure
        return max(known.get(block, 0) + self.grown[block] for block in loop.blocks)


class _LoopReducer:
    """Reduces the addresses of a loop with a preheader and one latch."""

    def __init__(self, function: _Function, loop: Loop, se: ScalarEvolution) -> None:
        self.options = function.options
        self.function = function
        self.loop = loop
        self.se = se
        self.layout: DataLayout = function.layout
        latch, preheader = loop.latch(), loop.preheader()
        assert latch is not None
        assert preheader is not None
        self.latch: Block = latch
        self.preheader: Block = preheader
        self.starts = branches.edges_of(branches.terminator_of(preheader))[0][1]
        self.numbers: dict[SSAValue, int] = {}
        """The loop-invariant values in the order of their discovery."""

    @cached_property
    def _users_inside(self) -> dict[SSAValue, list[Operation]]:
        """The ops of the loop by operand."""
        found: dict[SSAValue, list[Operation]] = {}
        for block in self.loop.blocks:
            for op in fast.ops_of(block):
                for value in fast.operands_of(op):
                    found.setdefault(value, []).append(op)
        return found

    def _own_blocks(self) -> list[Block]:
        inner = {block for loop in self.loop.subloops for block in loop.blocks}
        return [block for block in self.loop.blocks if block not in inner]

    # Collection of addresses.

    def find(self) -> list[_Family]:
        """The families of the accesses that are not in inner loops."""
        found: dict[Hashable, list[_Family]] = {}
        for block in self._own_blocks():
            for op in fast.ops_of(block):
                place = ACCESSES.get(op.__class__)
                if place is not None:
                    self._add(op, fast.operands_of(op)[place], found)
        return self._in_chains([family for families in found.values() for family in families])

    def _add(
        self, access: Operation, pointer: SSAValue, found: dict[Hashable, list[_Family]]
    ) -> None:
        """Adds an access to a family, or creates a family."""
        sum_ = self._sum_of(pointer)
        if sum_ is None:
            return
        root, terms, constant = sum_
        fixed: list[tuple[Leaf, int]] = []
        moving: list[tuple[Leaf, int]] = []
        known: dict[Scev, SSAValue] = {}
        ex = self.se.expressions
        start, step = ex.zero(64), ex.zero(64)
        for leaf, factor in terms:
            if self.loop.is_invariant(leaf.value):
                if not 0 < factor < 1 << 31:
                    return
                fixed.append((leaf, factor))
                continue
            recurrence = self._recurrence(leaf)
            if recurrence is None:
                return
            moving.append((leaf, factor))
            number = ex.constant(64, factor)
            start = ex.add(start, ex.mul(number, recurrence[0]))
            step = ex.add(step, ex.mul(number, recurrence[1]))
            self._note_known(leaf.value, known)
        if step.is_zero or (step.kind is not Kind.CONSTANT and not self.options.do_lsr_64_bit):
            return
        start, offset = self._without_constant(start)
        first = constant + offset
        fixed.sort(key=lambda term: self._order_of(term[0].value))
        alone = None if self.options.do_base_address_strength_reduce else first
        key = (root_key(root), root.type, tuple(fixed), start, step, alone)
        families = found.setdefault(key, [])
        for family in families:
            if abs(family.accesses[0][1] - first) < FARTHEST:
                # A value that is poison with one address need not be poison with another.
                family.known = {e: v for e, v in family.known.items() if known.get(e) is v}
                break
        else:
            family = _Family(root, tuple(fixed), start, step, known)
            families.append(family)
        family.accesses.append((access, first))
        family.moving.append(_Moving(tuple(moving), constant))

    def _order_of(self, value: SSAValue) -> tuple[bool, int]:
        """Invariant values of the outer loop come first: their sum can be hoisted out of it."""
        outer = self.loop.parent
        moves = outer is not None and not outer.is_invariant(value)
        return moves, self.numbers.setdefault(value, len(self.numbers))

    def _sum_of(self, pointer: SSAValue) -> tuple[SSAValue, list[tuple[Leaf, int]], int] | None:
        """The address as a loop-invariant root, terms and a constant."""
        terms: dict[Leaf, int] = {}
        constant = 0
        while isinstance(pointer, OpResult) and self.loop.defines(pointer):
            if pointer.op.__class__ is not GEPOp:
                break
            found = linear_address(pointer.op, self.layout)
            if found is None:
                return None
            for leaf, factor in found.terms:
                terms[leaf] = terms.get(leaf, 0) + factor
            constant += found.constant
            pointer = found.root
            if not self.options.do_base_address_strength_reduce_chain:
                break
        if not terms or not self._is_at_hand(pointer) or not self._is_allowed(pointer):
            return None
        return pointer, [term for term in terms.items() if term[1]], signed(constant, 64)

    def _is_at_hand(self, root: SSAValue) -> bool:
        """Whether a pointer is available in the preheader, or can be computed there."""
        while self.loop.defines(root):
            if not isinstance(root, OpResult):
                return False
            if root.op.__class__ is AddressOfOp:
                return True
            if root.op.__class__ is not AddrSpaceCastOp:
                return False
            (root,) = fast.operands_of(root.op)
        return True

    def _is_allowed(self, root: SSAValue) -> bool:
        if not isinstance(root.type, LLVMPointerType):
            return False
        space = address_space_of(root.type)
        if space == SHARED and self.options.disable_lsr_for_sharedmem32_ptr:
            return False
        return self.options.do_lsr_64_bit or space in NARROW_SPACES

    def _recurrence(self, leaf: Leaf) -> tuple[Scev, Scev] | None:
        """Start and step of a leaf in 64 bits; None if it is not a sum of start and steps."""
        if leaf.extension and not self.options.lsr_sxtopt:
            return None
        found = self.se.get(leaf.value)
        most = self.options.base_address_strength_reduce_max_iv
        if most and self.se.range(found, signed=True).smax() > most:
            return None
        product = self._product(leaf)
        if product is not None:
            return product
        found = self._extended(leaf)
        if found.width != 64 or not found.is_affine or found.loop is not self.loop:
            return None
        return found.start, found.step

    def _extended(self, leaf: Leaf) -> Scev:
        found = self.se.get(leaf.value)
        if leaf.extension == "s":
            return self.se.sext(found, 64)
        return self.se.zext(found, 64) if leaf.extension else found

    def _product(self, leaf: Leaf) -> tuple[Scev, Scev] | None:
        """Start and step of a product with an invariant factor, extended factor by factor.

        `sext(a * b)` is `sext(a) * sext(b)` if the product does not wrap, as its flag states. So the
        steps of copies of an unrolled body are multiples of one value, `sext(b)`.
        """
        op = leaf.value.owner
        if op.__class__ is not MulOp or not leaf.extension:
            return None
        assert isinstance(op, MulOp)
        if not overflow_flags(op) & (NSW if leaf.extension == "s" else NUW):
            return None
        varying, factor = fast.operands_of(op)
        if self.loop.is_invariant(varying):
            varying, factor = factor, varying
        # If the factor varies, too, the step cannot be computed before the loop.
        ex = self.se.expressions
        terms: Terms = {}
        constant = add_product(terms, varying, leaf.extension, 1, most_ops=DEEPEST)
        starts, step = [ex.constant(64, constant)], ex.zero(64)
        for part, number in terms.items():
            begin = self._extended(part)
            if not self.loop.is_invariant(part.value):
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
        """Records the loop-invariant values that a leaf depends on: it is poison if one of them
        is."""
        pending, left = [value], DEEPEST
        while pending and left:
            left -= 1
            at = pending.pop()
            if isinstance(at, BlockArgument):
                if at.block is not self.loop.header:
                    continue
                at = self.starts[at.index]
            if self.loop.is_invariant(at):
                if integer_width(at.type) and at.owner.__class__ not in CONSTANT_CLASSES:
                    known.setdefault(self.se.get(at), at)
            elif isinstance(at, OpResult) and at.op.__class__ in _SUMS:
                pending += fast.operands_of(at.op)

    def _without_constant(self, expression: Scev) -> tuple[Scev, int]:
        """An expression without its constant addend."""
        ex = self.se.expressions
        if expression.kind is Kind.CONSTANT:
            return ex.zero(expression.width), expression.signed
        if expression.kind is Kind.ADD:
            for part in expression.operands:
                if part.kind is Kind.CONSTANT:
                    return ex.sub(expression, part), part.signed
        return expression, 0

    def _in_chains(self, families: list[_Family]) -> list[_Family]:
        """The same accesses; families whose starts differ by a part of the step share a pointer.

            p[i * w], p[(i + 1) * w], p[(i + 2) * w], p[(i + 3) * w]

        The pointer of each is computed from the one before, and the last gives the first of the next
        iteration.
        """
        groups: dict[Hashable, list[_Family]] = {}
        for family in families:
            key = (root_key(family.root), family.root.type, family.fixed, family.step)
            groups.setdefault(key, []).append(family)
        return [family for group in groups.values() for family in self._linked(group)]

    def _linked(self, group: list[_Family]) -> list[_Family]:
        """One chain in place of families with the same step, if they can be one."""
        first, *others = group
        block = first.accesses[0][0].parent
        same = all(access.parent is block for family in group for access, _ in family.accesses)
        if not others or first.step.kind is Kind.CONSTANT or not same:
            return group
        ex = self.se.expressions
        whole, unit = self._split_factor(first.step)
        distances: list[int] = []
        for family in group:
            number, rest = self._split_factor(ex.sub(family.start, first.start))
            if number and rest is not unit:
                return group
            distances.append(number)
        least = min(distances)
        distances = [number - least for number in distances]
        gap = gcd(whole, *distances)
        if whole <= 0 or sorted(distances) != [gap * i for i in range(len(group))]:
            return group
        if max(distances) >= whole:
            return group
        ordered = sorted(zip(distances, group), key=lambda row: row[0])
        assert unit is not None
        shared = ex.mul(ex.constant(64, gap), unit)
        chain = replace(ordered[0][1], accesses=[], moving=[], links={}, gap=shared)
        for distance, family in ordered:
            chain.accesses += family.accesses
            chain.moving += family.moving
            chain.links.update((access, distance // gap) for access, _ in family.accesses)
            # As in `_add`.
            chain.known = {e: v for e, v in chain.known.items() if family.known.get(e) is v}
        return [chain]

    # Profitability.

    def choose(self, families: list[_Family]) -> list[_Family]:
        """The families that get a pointer."""
        options = self.options
        chosen = [family for family in families if self._can_be_made(family)]
        chosen = chosen[: options.base_address_strength_reduce_iv_limit]
        taken: list[_Family] = []
        if options.do_base_address_strength_reduce == UNCONDITIONAL:
            taken = [family for family in chosen if len(family.accesses) >= SHARED_BY]
            chosen = [family for family in chosen if family not in taken]
        if options.filter_bad_formula:
            chosen = self._that_pay(chosen)
        if chosen and options.lsr_check_rp:
            left = self.function.register_limit() - self.function.registers_in(self.loop)
            while chosen and sum(map(self._registers, chosen)) > max(left, 0):
                chosen.pop()
        return taken + chosen

    def choose_for_bases(
        self, families: list[_Family], pointers: Sequence[_Family]
    ) -> list[_Family]:
        """The families whose invariant part is added in the preheader.

        Several of one array are left to `slsr`, which computes one address from the next. Nor is anything
        gained in an inner loop that may be left early: it is entered often for few rounds.

        Arguments:
            families: those that get no pointer.
            pointers: those that do.
        """
        if self.loop.parent is not None and len(self.loop.exit_edges()) > 1:
            return []
        arrays = Counter(root_key(family.root) for family in (*families, *pointers))
        chosen = [
            family
            for family in families
            if arrays[root_key(family.root)] == 1 and self._pays_as_base(family)
        ]
        if chosen and self.options.lsr_check_rp:
            left = self.function.register_limit() - self.function.registers_in(self.loop)
            left -= sum(map(self._registers, pointers))
            while chosen and sum(map(self._registers, chosen)) > max(left, 0):
                chosen.pop()
        return chosen

    def _pays_as_base(self, family: _Family) -> bool:
        """Whether adding only the varying part saves instructions."""
        if not family.fixed:
            return False
        places = {
            (access.parent, moving.terms)
            for (access, _), moving in zip(family.accesses, family.moving)
        }
        if not all(0 < factor < 1 << 31 for _, terms in places for _, factor in terms):
            return False
        return self._saved([family]) > sum(len(terms) for _, terms in places)

    def _can_be_made(self, family: _Family) -> bool:
        expander = Expander(self.se, self.function.constants, family.known)
        costs = [expander.cost(e, self.preheader) for e in (family.start, family.step)]
        return all(cost is not None and cost <= SETUP_BUDGET for cost in costs)

    def _that_pay(self, families: list[_Family]) -> list[_Family]:
        """The pointers without which more instructions would be executed."""
        chosen = list(families)
        strict = self.options.disable_lsr_complexity_discount
        for family in families:
            others = [other for other in chosen if other is not family]
            gain = self._saved(chosen) - self._saved(others)
            if gain <= self._price(family) or (strict and self._registers(family) > 0):
                chosen = others
        return chosen

    def _split_factor(self, expression: Scev) -> tuple[int, Scev | None]:
        """An expression as a constant factor and the rest; the rest of a constant is None."""
        if expression.kind is Kind.CONSTANT:
            return expression.signed, None
        if expression.kind is Kind.MUL and expression.operands[0].kind is Kind.CONSTANT:
            rest = self.se.expressions.mul(*expression.operands[1:])
            return expression.operands[0].signed, rest
        return 1, expression

    def _is_wide_product(self, expression: Scev) -> bool:
        """Whether it is an extended value of 32 bits times a constant, which one instruction adds."""
        _, rest = self._split_factor(expression)
        if rest is None or rest.kind not in (Kind.SIGN_EXTEND, Kind.ZERO_EXTEND):
            return False
        return rest.operands[0].width == 32

    def _price(self, family: _Family) -> float:
        """The machine instructions per iteration that advance a pointer."""
        is_narrow = family.space() in NARROW_SPACES
        if family.gap is not None:
            links = 1 + max(family.links.values())
            return links * (1 if is_narrow or self._is_wide_product(family.gap) else 2)
        price = 1 if is_narrow else 2
        return (
            price / ptxas_unroll_count(self.loop, self.se)
            if family.step.kind is Kind.CONSTANT
            else price
        )

    def _registers(self, family: _Family) -> int:
        """The additional registers of a pointer, less those of values that only its computation
        needs."""
        taken = 1 if family.space() in NARROW_SPACES else 2
        if family.step.kind is not Kind.CONSTANT:
            taken += 2
        replaced = {access for access, _ in family.accesses}
        gone = self._dead(replaced)
        for value in (family.root, *(leaf.value for leaf, _ in family.fixed)):
            if isinstance(value.owner, Operation) and value.owner.__class__ is AddressOfOp:
                continue
            users = self._users_inside.get(value)
            if users and gone.issuperset(users):
                taken -= 2 if isinstance(value.type, LLVMPointerType) else 1
        return taken

    def _saved(self, families: Sequence[_Family]) -> int:
        """The machine instructions per iteration that are removed with the addresses of families."""
        replaced = {access for family in families for access, _ in family.accesses}
        return sum(_cost(op) for op in self._dead(replaced))

    def _dead(self, replaced: set[Operation]) -> set[Operation]:
        """The ops of the loop that become dead if these accesses use other addresses."""
        dead: set[Operation] = set()
        pending = [fast.operands_of(access)[ACCESSES[access.__class__]] for access in replaced]
        while pending:
            value = pending.pop()
            if not isinstance(value, OpResult) or value.op in dead:
                continue
            if value.op.parent not in self.loop.block_set or not is_removable(value.op):
                continue
            if all(
                user in dead or (user in replaced and index == ACCESSES[user.__class__])
                for user, index in fast.uses_of(value)
            ):
                dead.add(value.op)
                pending += fast.operands_of(value.op)
        return dead

    # What is made.

    def make_pointer(self, family: _Family) -> None:
        """Creates the pointer of a family and replaces the addresses of its accesses."""
        anchor = family.anchor()
        entry, again = branches.terminator_of(self.preheader), branches.terminator_of(self.latch)
        expander = Expander(self.se, self.function.constants, family.known)
        start = self._bring_out(family.root, entry)
        for leaf, factor in family.fixed:
            start = stepped(start, leaf, factor, entry)
        start = self._add_expression(start, family.start, expander, entry, entry)
        start = byte_offset(start, anchor, entry)
        header = self.loop.header
        pointer = fast.add_argument(header, family.root.type)
        fast.set_name(pointer, "lsr.iv")
        links = self._make_links(family, pointer, expander, entry)
        following = self._following(family, links, expander, entry, again)
        for terminator, value in ((entry, start), (again, following)):
            branches.set_edges(
                terminator,
                [
                    (target, (*values, value) if target is header else values)
                    for target, values in branches.edges_of(terminator)
                ],
            )
        made: dict[tuple[Block, int, int], SSAValue] = {}
        for access, constant in family.accesses:
            block, link = access.parent, family.links.get(access, 0)
            assert block is not None
            address = made.get((block, link, constant))
            if address is None:
                address = byte_offset(links[link], constant - anchor, access)
                made[(block, link, constant)] = address
            self._readdress(access, address)
        ACCESSES_REDUCED.add(len(family.accesses))

    def _make_links(
        self, family: _Family, pointer: SSAValue, expander: Expander, entry: Operation
    ) -> list[SSAValue]:
        """The pointers of a chain, each made before the first access that needs it or a later one."""
        links = [pointer]
        block = family.accesses[0][0].parent
        if family.gap is not None and block is not None:
            for access in fast.ops_of(block):
                while family.links.get(access, 0) >= len(links):
                    links.append(
                        self._add_expression(links[-1], family.gap, expander, entry, access)
                    )
        return links

    def _following(
        self,
        family: _Family,
        links: Sequence[SSAValue],
        expander: Expander,
        entry: Operation,
        again: Operation,
    ) -> SSAValue:
        """The pointer of the next iteration: one link behind the last of a chain that ends there."""
        if family.gap is not None and family.accesses[0][0].parent is self.latch:
            whole, parts = self._split_factor(family.step)[0], self._split_factor(family.gap)[0]
            if whole == parts * len(links):
                return self._add_expression(links[-1], family.gap, expander, entry, again)
        return self._add_expression(links[0], family.step, expander, entry, again)

    def make_base(self, family: _Family) -> None:
        """Adds the invariant terms of a family's addresses in the preheader."""
        entry = branches.terminator_of(self.preheader)
        base = self._bring_out(family.root, entry)
        for leaf, factor in family.fixed:
            base = stepped(base, leaf, factor, entry)
        made: dict[tuple[Block | None, tuple[tuple[Leaf, int], ...]], SSAValue] = {}
        for (access, _), moving in zip(family.accesses, family.moving):
            place = (access.parent, moving.terms)
            address = made.get(place, base)
            if place not in made:
                for leaf, factor in moving.terms:
                    address = stepped(address, leaf, factor, access)
                made[place] = address
            self._readdress(access, byte_offset(address, moving.constant, access))

    def _readdress(self, access: Operation, address: SSAValue) -> None:
        place = ACCESSES[access.__class__]
        old = fast.operands_of(access)[place]
        fast.set_operand(access, place, address)
        erase_dead(old)

    def _bring_out(self, root: SSAValue, before: Operation) -> SSAValue:
        """The initial value of a pointer in the preheader."""
        if self.loop.is_invariant(root):
            return root
        assert isinstance(root, OpResult)
        operands = [self._bring_out(value, before) for value in fast.operands_of(root.op)]
        copy = fast.copy_op(root.op, dict(zip(fast.operands_of(root.op), operands)), {})
        fast.insert_before(copy, before)
        return copy.results[0]

    def _add_expression(
        self,
        pointer: SSAValue,
        expression: Scev,
        expander: Expander,
        entry: Operation,
        before: Operation,
    ) -> SSAValue:
        """The address at an offset, given as an expression in bytes, from a pointer; its operands
        are expanded in the preheader.
        """
        if expression.kind is Kind.CONSTANT:
            return byte_offset(pointer, expression.signed, before)
        parts = expression.operands if expression.kind is Kind.ADD else (expression,)
        for part in parts:
            factor, rest = 1, part
            if part.kind is Kind.CONSTANT:
                pointer = byte_offset(pointer, part.signed, before)
                continue
            if part.kind is Kind.MUL and part.operands[0].kind is Kind.CONSTANT:
                number = part.operands[0].signed
                if 0 < number < 1 << 31:
                    factor = number
                    rest = self.se.expressions.mul(*part.operands[1:])
            pointer = scaled(pointer, expander.expand(rest, entry), factor, before)
        return pointer


_SUMS: Final = frozenset({AddOp, SubOp, MulOp, ShlOp, SExtOp, ZExtOp, TruncOp})
"""Ops that are poison if an operand is, and that ScalarEvolution analyses."""

_FREE: Final = frozenset({SExtOp, ZExtOp, TruncOp, AddressOfOp, *CONSTANT_CLASSES})
"""Ops that are folded into an instruction: `mad.wide` extends its factor."""


def _cost(op: Operation) -> int:
    """The number of machine instructions of an op in an address computation."""
    if op.__class__ in _FREE:
        return 0
    if op.__class__ is GEPOp:
        indices = fast.operands_of(op)[1:]
        return sum(1 for index in indices if index.owner.__class__ not in CONSTANT_CLASSES)
    return 2 if integer_width(op.results[0].type) > 32 else 1
