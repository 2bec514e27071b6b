"""Chooses the pointers that save instructions, for `loop-reduce`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Final

from xdsl.dialects.llvm import AddressOfOp, GEPOp, LLVMPointerType, SExtOp, TruncOp, ZExtOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.memory.pointer_ops import ACCESSES
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.unroll_pragmas import ptxas_unroll_count
from nvvm_xdsl.analysis.values.linear_address import root_key
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import CONSTANT_CLASSES, Constants
from nvvm_xdsl.dialects.nvvm.sreg_ops import GridDimXOp, GridDimYOp, GridDimZOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.loop.loop_reduce_families import NARROW_SPACES, Family, split_factor
from nvvm_xdsl.passes.loop.loop_reduce_options import UNCONDITIONAL, LoopReduceOptions
from nvvm_xdsl.passes.loop.loop_reduce_starts import first_access
from nvvm_xdsl.transforms.scev_expander import Expander

SHARED_BY: Final = 2
"""Number of accesses from which a base gets a pointer unconditionally (threshold of the sister
page).
"""

SETUP_BUDGET: Final = 8
"""Maximum number of ops before the loop for a start or a step."""
GRID_SIZE: Final = (GridDimXOp, GridDimYOp, GridDimZOp)
GRID_ITERATIONS: Final = 2
"""Assumed number of iterations of a loop that advances by the size of the grid."""
_FREE: Final = frozenset({SExtOp, ZExtOp, TruncOp, AddressOfOp, *CONSTANT_CLASSES})
"""Ops that are folded into an instruction: `mad.wide` extends its factor."""


class PointerCosts:
    """Instructions and registers of the pointers that a loop may get."""

    def __init__(
        self,
        options: LoopReduceOptions,
        loop: Loop,
        preheader: Block,
        se: ScalarEvolution,
        constants: Constants,
        spare_registers: Callable[[], int],
    ) -> None:
        """Prepares the choice for one loop.

        Arguments:
            options: the pass's knobs.
            loop: the loop.
            preheader: its preheader.
            se: the function's recurrences.
            constants: the function's constants.
            spare_registers: returns the number of registers that pointers may take.
        """
        self._options = options
        self._loop = loop
        self._preheader = preheader
        self._se = se
        self._constants = constants
        self._spare_registers = spare_registers

    @cached_property
    def _users_inside(self) -> dict[SSAValue, list[Operation]]:
        """The ops of the loop that use each value."""
        found: dict[SSAValue, list[Operation]] = {}
        for block in self._loop.blocks:
            for op in fast.ops_of(block):
                for value in fast.operands_of(op):
                    found.setdefault(value, []).append(op)
        return found

    def choose(self, families: list[Family]) -> list[Family]:
        """The families that get a pointer."""
        options = self._options
        chosen = [family for family in families if self._can_be_expanded(family)]
        chosen = chosen[: options.base_address_strength_reduce_iv_limit]
        taken: list[Family] = []
        if options.do_base_address_strength_reduce == UNCONDITIONAL:
            taken = [family for family in chosen if len(family.accesses) >= SHARED_BY]
            chosen = [family for family in chosen if family not in taken]
        if options.filter_bad_formula:
            chosen = self._that_pay(chosen)
        if chosen and options.lsr_check_rp:
            left = self._spare_registers()
            while chosen and sum(map(self._registers, chosen)) > max(left, 0):
                chosen.pop()
        return taken + chosen

    def choose_for_bases(self, families: list[Family], pointers: Sequence[Family]) -> list[Family]:
        """The families whose invariant part is added in the preheader.

        Arrays with several families are left to `slsr`, which computes one address from another.
        Inner loops with several exits are skipped, because they are often executed for few
        iterations.

        Arguments:
            families: the families without a pointer.
            pointers: the families with a pointer.
        """
        if self._loop.parent is not None and len(self._loop.exit_edges()) > 1:
            return []
        arrays = Counter(root_key(family.root) for family in (*families, *pointers))
        chosen = [
            family
            for family in families
            if arrays[root_key(family.root)] == 1 and self._pays_as_base(family)
        ]
        if chosen and self._options.lsr_check_rp:
            left = self._spare_registers()
            left -= sum(map(self._registers, pointers))
            while chosen and sum(map(self._registers, chosen)) > max(left, 0):
                chosen.pop()
        return chosen

    def _pays_as_base(self, family: Family) -> bool:
        """Whether instructions are saved if only the varying part is added in the loop."""
        if not family.fixed:
            return False
        places = {
            (access.parent, moving.terms)
            for (access, _), moving in zip(family.accesses, family.moving)
        }
        if not all(0 < factor < 1 << 31 for _, terms in places for _, factor in terms):
            return False
        return self._saved([family]) > sum(len(terms) for _, terms in places)

    def _can_be_expanded(self, family: Family) -> bool:
        """Whether the start and the step of a pointer are cheap enough before the loop."""
        expander = Expander(self._se, self._constants, family.known)
        start, step = (expander.cost(e, self._preheader) for e in (family.start, family.step))
        if step is None or step > SETUP_BUDGET:
            return False
        if start is not None and start <= SETUP_BUDGET:
            return True
        latch = self._loop.latch()
        assert latch is not None
        family.origin = first_access(family, self._loop, latch, self._se.tree, SETUP_BUDGET)
        return family.origin is not None

    def _that_pay(self, families: list[Family]) -> list[Family]:
        """The families whose pointers reduce the number of executed instructions."""
        chosen = list(families)
        setups = {id(family): self._setup(family) for family in families}
        strict = self._options.disable_lsr_complexity_discount
        for family in families:
            others = [other for other in chosen if other is not family]
            gain = self._saved(chosen) - self._saved(others)
            price = self._price(family) + setups[id(family)]
            if gain <= price or (strict and self._registers(family) > 0):
                chosen = others
        # The gains of several pointers may contain the same shared ops.
        setup = sum(setups[id(family)] for family in chosen)
        if setup and self._saved(chosen) <= setup + sum(map(self._price, chosen)):
            return [family for family in chosen if not setups[id(family)]]
        return chosen

    def _setup(self, family: Family) -> float:
        """The ops before the loop that compute the start and the step of a pointer, per iteration of
        a loop that advances by the size of the grid; 0 for other loops, which have more iterations.
        """
        values = (part.value for part in family.step.walk() if part.value is not None)
        if not any(isinstance(value.owner, GRID_SIZE) for value in values):
            return 0
        expander = Expander(self._se, self._constants, family.known)
        costs = [expander.cost(e, self._preheader) for e in (family.start, family.step)]
        return sum(SETUP_BUDGET if cost is None else cost for cost in costs) / GRID_ITERATIONS

    def _is_wide_product(self, expression: Scev) -> bool:
        """Whether an expression is an extended 32-bit value times a constant, which one instruction
        multiplies and adds."""
        _, rest = split_factor(expression, self._se.expressions)
        if rest is None or rest.kind not in (Kind.SIGN_EXTEND, Kind.ZERO_EXTEND):
            return False
        return rest.operands[0].width == 32

    def _price(self, family: Family) -> float:
        """The machine instructions per iteration that advance a pointer."""
        is_narrow = family.space() in NARROW_SPACES
        if family.gap is not None:
            links = min(1 + max(family.links.values()), family.gaps_in_step)
            return links * (1 if is_narrow or self._is_wide_product(family.gap) else 2)
        price = 1 if is_narrow else 2
        return (
            price / ptxas_unroll_count(self._loop, self._se)
            if family.step.kind is Kind.CONSTANT
            else price
        )

    def _registers(self, family: Family) -> int:
        """The number of registers of a pointer, minus the registers of values that only the
        replaced addresses use.
        """
        taken = 1 if family.space() in NARROW_SPACES else 2
        if family.step.kind is not Kind.CONSTANT:
            taken += 2
        replaced = {access for access, _ in family.accesses}
        gone = self._dead(replaced)
        for value in (family.root, *(leaf.value for leaf, _ in family.fixed)):
            if isinstance(value.owner, Operation) and type(value.owner) is AddressOfOp:
                continue
            users = self._users_inside.get(value)
            if users and gone.issuperset(users):
                taken -= 2 if isinstance(value.type, LLVMPointerType) else 1
        return taken

    def _saved(self, families: Sequence[Family]) -> int:
        """The machine instructions per iteration that are removed with the addresses of families."""
        replaced = {access for family in families for access, _ in family.accesses}
        return sum(_cost(op) for op in self._dead(replaced))

    def _dead(self, replaced: set[Operation]) -> set[Operation]:
        """The ops of the loop that become dead if these accesses use other addresses."""
        dead: set[Operation] = set()
        pending = [fast.operands_of(access)[ACCESSES[type(access)]] for access in replaced]
        while pending:
            value = pending.pop()
            if not isinstance(value, OpResult) or value.op in dead:
                continue
            if value.op.parent not in self._loop.block_set or not is_removable(value.op):
                continue
            if all(
                user in dead or (user in replaced and index == ACCESSES[type(user)])
                for user, index in fast.uses_of(value)
            ):
                dead.add(value.op)
                pending += fast.operands_of(value.op)
        return dead


def _cost(op: Operation) -> int:
    """The number of machine instructions of an op in an address computation."""
    if type(op) in _FREE:
        return 0
    if type(op) is GEPOp:
        indices = fast.operands_of(op)[1:]
        return sum(1 for index in indices if type(index.owner) not in CONSTANT_CLASSES)
    return 2 if integer_width(op.results[0].type) > 32 else 1
