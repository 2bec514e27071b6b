"""Computes the base of a family of addresses once, in a block that dominates them.

Addresses with the same root and the same variable terms are a family. Its anchor is the smallest constant. The base is the
root plus the terms and the anchor, computed in the nearest common dominator of the family. The base is computed from the
leaves of the terms in 64 bits without flags, because an index may wrap on paths that do not use it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from xdsl.dialects.llvm import AddressOfOp, FuncOp, GEPOp
from xdsl.ir import Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.liveness import defining_block
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.values.linear_address import LinearAddress, linear_address, stepped
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.gep import byte_offset, is_raw_index
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.transforms.conditionals import erase_dead

MAX_FACTOR: Final = 2**31
"""Exclusive upper limit of the factors for which a multiplication takes at most one instruction."""


@dataclass(frozen=True)
class BaseLimits:
    """Limits on the families whose base is shared."""

    pass_name: str
    """The name in remarks."""

    most_ops: int
    """Maximum number of ops from an address to a leaf."""

    fewest_addresses: int = 2
    """Minimum number of addresses of a family."""

    fewest_blocks: int = 1
    """Minimum number of blocks with addresses of a family."""

    fewest_terms: tuple[int | None, int | None] = (1, 1)
    """Minimum number of variable terms of families within one loop, and of others; None for no family."""

    most_bases: int = -1
    """Maximum number of bases in a function; -1 for no limit."""

    most_bases_of_block: int | None = None
    """Maximum number of bases in a block; None for no limit."""

    most_levels: int | None = None
    """Maximum number of levels in the dominator tree from an address up to its base; None for no limit."""

    on_separate_paths: bool = True
    """Whether a family is rewritten if no path executes two of its addresses."""

    has_constant: bool = True
    """Whether bases contain the smallest constant of their family."""

    is_shown: bool = False
    """Whether each base is reported."""


@dataclass
class _Member:
    """An address of a family."""

    gep: Operation
    block: Block
    sum: LinearAddress


@dataclass
class BaseSharing:
    """The rewriting of one function."""

    limits: BaseLimits
    func: FuncOp
    am: AnalysisManager
    bases: Counter[Block] = field(default_factory=Counter[Block])
    """The number of bases made in each block."""
    replaced: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The replacement of each replaced address, which may be the root of other addresses."""

    def __post_init__(self) -> None:
        self.dominators = self.am.get(DominatorTree, self.func)

    def run(self) -> int:
        """Rewrites families within the limits; returns the number of bases."""
        for family in self._families():
            if self.bases.total() == self.limits.most_bases:
                break
            self._rewrite(family)
        return self.bases.total()

    def _families(self) -> list[list[_Member]]:
        """The addresses with variable terms, by root and terms."""
        layout = data_layout_of(self.func)
        found: dict[object, list[_Member]] = {}
        for block in self.dominators.preorder():
            for op in fast.ops_of(block):
                if type(op) is not GEPOp:
                    continue
                address = linear_address(op, layout, most_ops=self.limits.most_ops)
                if address is not None and address.terms:
                    key = (address.key, frozenset(address.terms))
                    found.setdefault(key, []).append(_Member(op, block, address))
        return list(found.values())

    def _rewrite(self, family: list[_Member]) -> None:
        """Computes the base of a family and derives its addresses from it, if that is legal and profitable."""
        top = self._common_dominator(family)
        family = [member for member in family if self._is_near(member.block, top)]
        if not self._is_profitable(family, top):
            return
        first = next((member.gep for member in family if member.block is top), top.last_op)
        assert first is not None
        anchor = min(member.sum.constant for member in family)
        constant = anchor if self.limits.has_constant else 0
        distances = [member.sum.constant - constant for member in family]
        root = self._root(family, top, first)
        if root is None or not all(map(is_raw_index, (*distances, constant))):
            return
        base = root
        for leaf, factor in family[0].sum.terms:
            base = stepped(base, leaf, factor, first)
        base = byte_offset(base, constant, first)
        for member, distance in zip(family, distances, strict=True):
            pointer = byte_offset(base, distance, member.gep)
            self.replaced[member.gep.results[0]] = pointer
            indices = fast.operands_of(member.gep)[1:]
            fast.replace_op(member.gep, (pointer,))
            for index in indices:
                erase_dead(index)
        self.bases[top] += 1
        self._report(base, len(family), constant)

    def _common_dominator(self, family: list[_Member]) -> Block:
        top = family[0].block
        for member in family[1:]:
            top = self.dominators.nearest_common_dominator(top, member.block)
        return top

    def _is_near(self, block: Block, top: Block) -> bool:
        """Returns True if the limit on levels of the dominator tree permits an address in a block."""
        if self.limits.most_levels is None:
            return True
        current: Block | None = block
        for _ in range(self.limits.most_levels + 1):
            if current is top:
                return True
            current = current and self.dominators.immediate_dominator(current)
        return False

    def _is_profitable(self, family: list[_Member], top: Block) -> bool:
        limits = self.limits
        blocks = {member.block for member in family}
        if len(family) < limits.fewest_addresses or len(blocks) < limits.fewest_blocks:
            return False
        if limits.most_bases_of_block is not None and self.bases[top] >= limits.most_bases_of_block:
            return False
        terms = family[0].sum.terms
        if any(not 0 < factor < MAX_FACTOR for _, factor in terms):
            return False
        loops = self.am.get(LoopInfo, self.func)
        across = any(loops.loop_for(block) is not loops.loop_for(top) for block in blocks)
        fewest = limits.fewest_terms[across]
        if fewest is None or len(terms) < fewest:
            return False
        return limits.on_separate_paths or _are_on_one_path(blocks, top)

    def _root(self, family: list[_Member], top: Block, before: Operation) -> SSAValue | None:
        """The root of a family, as a value that is available at the end of the common dominator.

        The leaves of the terms dominate all addresses of the family, and therefore the common
        dominator. The roots may be different ops, because a symbol has one op for each use."""
        roots = [self.replaced.get(member.sum.root, member.sum.root) for member in family]
        for root in roots:
            source = defining_block(root)
            if source is not None and self.dominators.dominates(source, top):
                return root
        root = roots[0]
        if not isinstance(root, OpResult) or type(root.op) is not AddressOfOp:
            return None
        symbol = fast.clone(root.op)
        fast.insert_before(symbol, before)
        return symbol.results[0]

    def _report(self, base: SSAValue, count: int, constant: int) -> None:
        text = f"a base with the offset {constant} is shared by {count} addresses"
        remarks.emit(
            "Passed", self.limits.pass_name, "CommonBase", symbol_name(self.func) or "", text,
            op=fast.producer_of(base), shown=self.limits.is_shown,
        )  # fmt: skip


def _are_on_one_path(blocks: set[Block], top: Block) -> bool:
    """Returns True if one of the blocks is reached from another without passing the dominator."""
    return top in blocks or any(
        reached in blocks for block in blocks for reached in _reached(block, top)
    )


def _reached(block: Block, top: Block) -> Iterator[Block]:
    """The blocks reached from a block without passing the dominator, except for the block itself."""
    seen = {block, top}
    pending = [block]
    while pending:
        end = pending.pop().last_op
        for successor in () if end is None else fast.successors_of(end):
            if successor not in seen:
                seen.add(successor)
                pending.append(successor)
                yield successor


__all__ = ["BaseLimits", "BaseSharing"]
