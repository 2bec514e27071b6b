"""`scev-cgp`: computes the base of addresses in different blocks once, in a block that dominates them.

      llvm.cond_br %c, ^a, ^b                           %base = llvm.getelementptr %p[%i] : ..., f32
    ^a:                                                 llvm.cond_br %c, ^a, ^b
      %q = llvm.getelementptr %p[%i1] : ..., f32      ^a:
      ...                                        ->     %q = llvm.getelementptr %base[4] : ..., i8
      llvm.br ^b                                        ...
    ^b:                                                 llvm.br ^b
      %r = llvm.getelementptr %p[%i2] : ..., f32      ^b:
                                                        %r = llvm.getelementptr %base[8] : ..., i8

Addresses with the same root and the same variable terms are a family: `%i1` and `%i2` are `%i` plus constants. The
anchor is the smallest constant of a family. The base is the root plus the terms and the anchor, computed at the end of
the nearest common dominator of the family; loads and stores add the distances without instructions. The base is
computed from the leaves of the terms in 64 bits without flags, because the index may wrap on paths that do not use it.

The pass combines NVIDIA's SCEV-CGP, which cicc disables (`nv-disable-scev-cgp`), with Common Base
Elimination, which has the same limits. Pipelines run it if `do-scev-cgp` or `do-function-scev-cgp`
is set. Source: the sister pages on CodeGenPrepare and Common Base Elimination; the defaults are
those of the catalogue of variables.

Benefit: runs on demand: it changes none of 28 examples at -O3, in which earlier passes share these addresses.
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
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.values.linear_address import LinearAddress, linear_address, stepped
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.gep import byte_offset, is_raw_index
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.conditionals import erase_dead

OFF, ALWAYS, WITH_CONDITIONS = range(3)
"""Levels of `do-scev-cgp` and `do-function-scev-cgp`."""

BASES = remarks.Statistic(
    "scev-cgp", "bases", "Number of bases shared by addresses in different blocks"
)

_MAX_FACTOR: Final = 2**31
"""Exclusive upper limit of the factors for which a multiplication takes at most one instruction."""


@dataclass(frozen=True)
class ScevCodeGenPrepare(FunctionPass):
    """Computes the base of addresses in different blocks once, in a block that dominates them."""

    name = "scev-cgp"
    title = "ScevCodeGenPrepare"

    do_scev_cgp: int = WITH_CONDITIONS
    """Families within one loop, or outside all loops: 0 none, 1 all, 2 if the base costs `scev-cgp-check-latency`."""

    do_function_scev_cgp: int = WITH_CONDITIONS
    """Families across loops: 0 none, 1 all, 2 if the base costs `scev-cgp-check-latency`."""

    do_scev_cgp_aggresively: bool = True
    """Whether a family is rewritten if no path executes two of its addresses."""

    scev_cgp_control: int = -1
    """Maximum number of bases in a function; -1 for no limit."""

    scev_cgp_cross_block_limit: int = 8
    """Maximum number of bases in a block."""

    scev_cgp_idom_level_limit: int = 3
    """Maximum number of levels in the dominator tree from an address up to its base."""

    scev_cgp_inst_limit: int = 500
    """Maximum number of ops from an address to a leaf."""

    scev_cgp_check_latency: int = 1
    """Minimum number of variable terms of a base; each costs one multiplication with an addition."""

    scev_cgp_old_base: bool = False
    """Whether bases have no constant part."""

    dump_scev_cgp: bool = False
    """Whether each base is reported."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.cfg()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if self.do_scev_cgp == OFF and self.do_function_scev_cgp == OFF:
            return False
        return _BaseSharing(self, func, am).run()


@dataclass
class _Member:
    """An address of a family."""

    gep: Operation
    block: Block
    sum: LinearAddress


@dataclass
class _BaseSharing:
    """The rewriting of one function."""

    options: ScevCodeGenPrepare
    func: FuncOp
    am: AnalysisManager
    bases: Counter[Block] = field(default_factory=Counter[Block])
    """The number of bases made in each block."""
    replaced: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    """The replacement of each replaced address, which may be the root of other addresses."""

    def __post_init__(self) -> None:
        self.dominators = self.am.get(DominatorTree, self.func)

    def run(self) -> bool:
        """Rewrites families within the limits; returns whether an address changed."""
        for family in self._families():
            if self.bases.total() == self.options.scev_cgp_control:
                break
            self._rewrite(family)
        return self.bases.total() > 0

    def _families(self) -> list[list[_Member]]:
        """The addresses with variable terms, by root and terms."""
        layout = data_layout_of(self.func)
        found: dict[object, list[_Member]] = {}
        for block in self.dominators.preorder():
            for op in fast.ops_of(block):
                if type(op) is not GEPOp:
                    continue
                address = linear_address(op, layout, most_ops=self.options.scev_cgp_inst_limit)
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
        constant = 0 if self.options.scev_cgp_old_base else anchor
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
        BASES.add()
        self._report(base, len(family), constant)

    def _common_dominator(self, family: list[_Member]) -> Block:
        top = family[0].block
        for member in family[1:]:
            top = self.dominators.nearest_common_dominator(top, member.block)
        return top

    def _is_near(self, block: Block, top: Block) -> bool:
        """Returns True if the limit on levels of the dominator tree permits an address in a block."""
        current: Block | None = block
        for _ in range(self.options.scev_cgp_idom_level_limit + 1):
            if current is top:
                return True
            current = current and self.dominators.immediate_dominator(current)
        return False

    def _is_profitable(self, family: list[_Member], top: Block) -> bool:
        options = self.options
        blocks = {member.block for member in family}
        if len(blocks) < 2 or self.bases[top] >= options.scev_cgp_cross_block_limit:
            return False
        terms = family[0].sum.terms
        if any(not 0 < factor < _MAX_FACTOR for _, factor in terms):
            return False
        loops = self.am.get(LoopInfo, self.func)
        across = any(loops.loop_for(block) is not loops.loop_for(top) for block in blocks)
        level = options.do_function_scev_cgp if across else options.do_scev_cgp
        if level == OFF or (level != ALWAYS and len(terms) < options.scev_cgp_check_latency):
            return False
        return options.do_scev_cgp_aggresively or _are_on_one_path(blocks, top)

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
            "Passed", "scev-cgp", "CommonBase", symbol_name(self.func) or "", text,
            op=fast.producer_of(base), shown=self.options.dump_scev_cgp,
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


__all__ = ["ScevCodeGenPrepare"]
