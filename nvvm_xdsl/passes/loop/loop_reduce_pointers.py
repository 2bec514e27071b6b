"""Creates the pointers that replace address computations, for `loop-reduce`."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.memory.pointer_ops import ACCESSES
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.values.linear_address import scaled, stepped
from nvvm_xdsl.analysis.values.linear_expressions import Leaf
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.gep import byte_offset
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.loop.loop_reduce_families import Family
from nvvm_xdsl.passes.loop.loop_reduce_starts import first_address
from nvvm_xdsl.transforms.conditionals import erase_dead
from nvvm_xdsl.transforms.scev_expander import Expander

ACCESSES_REDUCED = Statistic(
    "loop-reduce", "accesses", "Number of accesses through loop-carried pointers"
)


class PointerBuilder:
    """Creates the pointers of a loop with a preheader and one latch."""

    def __init__(
        self, loop: Loop, preheader: Block, latch: Block, se: ScalarEvolution, constants: Constants
    ) -> None:
        self._loop = loop
        self._preheader = preheader
        self._latch = latch
        self._se = se
        self._constants = constants

    def make_pointer(self, family: Family) -> None:
        """Creates the pointer of a family and replaces the addresses of its accesses."""
        anchor = family.anchor()
        entry, again = branches.terminator_of(self._preheader), branches.terminator_of(self._latch)
        expander = Expander(self._se, self._constants, family.known)
        header = self._loop.header
        (starts,) = (v for target, v in branches.edges_of(entry) if target is header)
        if family.origin is not None:
            start = first_address(family.origin, self._loop, starts, entry)
            anchor_distance = anchor - dict(family.accesses)[family.origin]
        else:
            start = _in_preheader(self._loop, family.root, entry)
            for leaf, factor in family.fixed:
                start = stepped(start, leaf, factor, entry)
            start = self._add_expression(start, family.start, expander, entry, entry)
            anchor_distance = anchor
        start = byte_offset(start, anchor_distance, entry)
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
            _set_address(access, address)
        ACCESSES_REDUCED.add(len(family.accesses))

    def _make_links(
        self, family: Family, pointer: SSAValue, expander: Expander, entry: Operation
    ) -> list[SSAValue]:
        """The pointers of a chain, each created before the first access that uses it or a later
        pointer.
        """
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
        family: Family,
        links: Sequence[SSAValue],
        expander: Expander,
        entry: Operation,
        again: Operation,
    ) -> SSAValue:
        """The pointer of the next iteration; for a complete chain, the pointer after the last one
        of the chain.
        """
        if family.gap is not None and family.accesses[0][0].parent is self._latch:
            if family.gaps_in_step < len(links):
                return links[family.gaps_in_step]
            if family.gaps_in_step == len(links):
                return self._add_expression(links[-1], family.gap, expander, entry, again)
        return self._add_expression(links[0], family.step, expander, entry, again)

    def make_base(self, family: Family) -> None:
        """Adds the invariant terms of a family's addresses in the preheader."""
        entry = branches.terminator_of(self._preheader)
        base = _in_preheader(self._loop, family.root, entry)
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
            _set_address(access, byte_offset(address, moving.constant, access))

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
                    rest = self._se.expressions.mul(*part.operands[1:])
            pointer = scaled(pointer, expander.expand(rest, entry), factor, before)
        return pointer


def _set_address(access: Operation, address: SSAValue) -> None:
    """Replaces the address of an access, and erases the old address if it has no other use."""
    place = ACCESSES[type(access)]
    old = fast.operands_of(access)[place]
    fast.set_operand(access, place, address)
    erase_dead(old)


def _in_preheader(loop: Loop, root: SSAValue, before: Operation) -> SSAValue:
    """The initial value of a pointer in the preheader."""
    if loop.is_invariant(root):
        return root
    assert isinstance(root, OpResult)
    operands = [_in_preheader(loop, value, before) for value in fast.operands_of(root.op)]
    copy = fast.copy_op(root.op, dict(zip(fast.operands_of(root.op), operands)), {})
    fast.insert_before(copy, before)
    return copy.results[0]
