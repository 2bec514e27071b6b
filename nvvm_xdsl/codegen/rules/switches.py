"""Switches: tables for dense cases, comparisons for the others.

Cases are grouped as in LLVM (SwitchLoweringUtils): consecutive values with the same successor are a
range; ranges that are dense enough together form a jump table; the rest is a binary search. The
limits are those of LLVM's min-jump-table-entries and jump-table-density; an option sets the latter.

A warp that diverges at a jump table executes the code up to the table's reconvergence point once for
each target:

    switch (n) {
      case 0: return;
      case 1: x = a; break;       reconverges after `f`
      case 2: x = b; break;  ...
    }
    f(x);

At most two values whose paths avoid a block that all others reach, as 0 does here, are therefore
compared before the table, which then reconverges before `f`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.ir import Block, Operation, SSAValue

from nvvm_xdsl.codegen import wide
from nvvm_xdsl.codegen.rules.control import edge_to
from nvvm_xdsl.codegen.selector import Part, Selector, selects
from nvvm_xdsl.codegen.shapes import LIMB
from nvvm_xdsl.codegen.target_options import JUMP_TABLE_DENSITY
from nvvm_xdsl.codegen.widths import extended_part
from nvvm_xdsl.dialects.llvm.branches import case_values, edges_of
from nvvm_xdsl.dialects.llvm.integers import signed as wrapped
from nvvm_xdsl.dialects.llvm.ops import SwitchOp
from nvvm_xdsl.dialects.nvptx import control_flow as machine
from nvvm_xdsl.dialects.nvptx.operands import imm
from nvvm_xdsl.dialects.nvptx.registers import B32, PRED, register_class
from nvvm_xdsl.ir import fast

MIN_JUMP_TABLE_ENTRIES: Final = 4
"""Minimum number of ranges of a jump table."""

LOOK_AHEAD: Final = 256
"""Maximum number of ranges that the search for several tables puts into one, which keeps it
linear."""

LINEAR_RANGES: Final = 3
"""Maximum number of ranges that are compared sequentially."""


MAX_SEPARATE_CASES: Final = 2
"""Maximum number of values that are compared before a jump table, so that it reconverges earlier."""

MIN_JOINED_OPS: Final = 8
"""Minimum number of ops in the block where such a jump table reconverges."""


@dataclass(frozen=True)
class Range:
    """The values from `low` to `high`, which all take one edge."""

    low: int
    high: int
    edge: machine.Edge


Cluster = tuple[Range, ...]
"""One range, or several that form a jump table."""


def ranges_of(cases: Sequence[tuple[int, machine.Edge]]) -> list[Range]:
    """Cases in ascending order, with consecutive cases of one edge merged into a range."""
    found: list[Range] = []
    for value, edge in cases:
        if found and found[-1].high + 1 == value and found[-1].edge == edge:
            found[-1] = Range(found[-1].low, value, edge)
        else:
            found.append(Range(value, value, edge))
    return found


def is_dense(count: int, values: int, span: int, density: int = JUMP_TABLE_DENSITY) -> bool:
    """Returns True if a jump table is profitable for this number of ranges and values over a
    span.

    Args:
        density: the minimum percentage of values in the span.
    """
    return count >= MIN_JUMP_TABLE_ENTRIES and values * 100 >= span * density


def clusters_of(ranges: Sequence[Range], density: int = JUMP_TABLE_DENSITY) -> list[Cluster]:
    """Groups ranges into jump tables of a minimum density, so that as few clusters as possible remain."""
    count = len(ranges)
    before = [0]
    for item in ranges:
        before.append(before[-1] + item.high - item.low + 1)

    def fits(first: int, last: int) -> bool:
        span = ranges[last].high - ranges[first].low + 1
        return is_dense(last - first + 1, before[last + 1] - before[first], span, density)

    if count and fits(0, count - 1):
        return [tuple(ranges)]
    # fewest[i]: the clusters that the ranges from i on need; last[i]: where the first of them ends.
    fewest = [0] * (count + 1)
    last = list(range(count))
    for first in reversed(range(count)):
        fewest[first] = fewest[first + 1] + 1
        for end in range(min(count, first + LOOK_AHEAD) - 1, first, -1):
            if fewest[end + 1] + 1 < fewest[first] and fits(first, end):
                fewest[first] = fewest[end + 1] + 1
                last[first] = end
    found: list[Cluster] = []
    at = 0
    while at < count:
        found.append(tuple(ranges[at : last[at] + 1]))
        at = last[at] + 1
    return found


def _cases(op: Operation) -> list[tuple[int, tuple[Block, tuple[SSAValue, ...]]]]:
    """The cases of a switch in ascending unsigned order of their values, with their edges."""
    cases = list(zip(case_values(op, signed=False), edges_of(op)[1:]))
    cases.sort(key=lambda case: case[0])
    return cases


def cases_apart(sel: Selector, op: Operation) -> set[int]:
    """The values to compare before the jump table of a switch: those whose paths avoid a block that
    post-dominates all other cases.
    """
    tree = sel.post_dominators
    reaching: dict[Block, set[int]] = {}
    cases = _cases(op)
    for number, (target, _) in cases:
        at: Block | None = target
        while at is not None:
            reaching.setdefault(at, set()).add(number)
            at = tree.immediate_post_dominator(at)
    # The first of the blocks with the most cases is the nearest one.
    reaching = {block: found for block, found in reaching.items() if len(found) < len(cases)}
    join = max(reaching, key=lambda block: len(reaching[block]), default=None)
    if join is None or sum(1 for _ in fast.ops_of(join)) < MIN_JOINED_OPS:
        return set()
    apart = {number for number, _ in cases} - reaching[join]
    few = len(apart) <= MAX_SEPARATE_CASES and len(reaching[join]) >= MIN_JUMP_TABLE_ENTRIES
    return apart if few else set()


@selects(SwitchOp)
def select_switch(sel: Selector, op: Operation) -> None:
    """A switch."""
    value = fast.operands_of(op)[0]
    shape = sel.shape(value)
    bits = shape.bits
    cases = _cases(op)
    default = edge_to(sel, *edges_of(op)[0])
    targets = [(number, edge_to(sel, *edge)) for number, edge in cases]
    # A case with the default's successor needs no test.
    targets = [t for t in targets if t[1] != default]
    known = sel.constant(value)
    if known is not None:
        chosen = dict(targets).get(known & ((1 << bits) - 1), default)
        sel.append(machine.branch(*chosen))
        return
    if not targets:
        sel.append(machine.branch(*default))
        return
    if shape.wide:
        _wide_switch(sel, value, targets, default)
        return
    part = sel.parts(value)[0]
    if bits == 1:
        _bit_switch(sel, part, targets, default)
        return
    width = shape.width
    is_signed = bits == width
    if is_signed:
        # Negative values precede the others; a narrower type is zero-extended.
        targets = [(wrapped(number, bits), edge) for number, edge in targets]
        targets.sort(key=lambda target: target[0])
    else:
        part = extended_part(sel, part, bits, width, signed=False)
    register = sel.materialise(part, shape.parts[0])
    search = _Search(sel, register, width, is_signed, default)
    clusters = clusters_of(ranges_of(targets), sel.module.options.jump_table_density)
    if any(len(cluster) > 1 for cluster in clusters):
        apart = {wrapped(n, bits) if is_signed else n for n in cases_apart(sel, op)}
        if apart:
            search.first(apart, dict(targets))
            clusters = clusters_of(
                ranges_of(without(targets, apart)), sel.module.options.jump_table_density
            )
    search.among(clusters)


def without(
    targets: Sequence[tuple[int, machine.Edge]], apart: Collection[int]
) -> list[tuple[int, machine.Edge]]:
    """The cases except those that were compared before. An entry between two cases gets the edge of
    the case before it, not the default's edge, which may avoid the reconvergence point.
    """
    kept = [number for number, _ in targets if number not in apart]
    found: list[tuple[int, machine.Edge]] = []
    for number, edge in targets:
        if number not in apart:
            found.append((number, edge))
        elif kept and kept[0] < number < kept[-1]:
            found.append((number, found[-1][1]))
    return found


def _bit_switch(
    sel: Selector, part: Part, targets: list[tuple[int, machine.Edge]], default: machine.Edge
) -> None:
    edges = {0: default, 1: default, **dict(targets)}
    (if_true, true_values), (if_false, false_values) = edges[1], edges[0]
    register = sel.materialise(part, PRED)
    sel.append(machine.conditional_branch(register, if_true, if_false, true_values, false_values))


def _branch_or(
    sel: Selector, predicate: SSAValue, edge: machine.Edge, otherwise: machine.Edge
) -> None:
    sel.append(machine.conditional_branch(predicate, edge[0], otherwise[0], edge[1], otherwise[1]))


def _wide_switch(
    sel: Selector, value: SSAValue, targets: list[tuple[int, machine.Edge]], default: machine.Edge
) -> None:
    shape = sel.shape(value)
    limbs = wide.extend_limbs(sel, sel.parts(value), shape, signed=False)
    for index, (number, edge) in enumerate(targets):
        constants = tuple([imm(wrapped(number >> (LIMB * i), LIMB)) for i in range(len(limbs))])
        same = wide.equal_limbs(sel, limbs, constants)
        if index + 1 == len(targets):
            _branch_or(sel, same, edge, default)
            return
        following = sel.new_block()
        _branch_or(sel, same, edge, (following, ()))
        sel.start_block(following)


class _Search:
    """Emits the search for a value among clusters, which are in ascending order."""

    def __init__(
        self, sel: Selector, register: SSAValue, width: int, is_signed: bool, default: machine.Edge
    ) -> None:
        self.sel = sel
        self.register = register
        self.width = width
        self.kind = f"{'s' if is_signed else 'u'}{width}"
        self.default = default

    def first(self, values: Collection[int], edges: Mapping[int, machine.Edge]) -> None:
        """Emits comparisons with single values, and continues in a new block."""
        for value in sorted(values):
            following = self.sel.new_block()
            self._range(Range(value, value, edges.get(value, self.default)), (following, ()))
            self.sel.start_block(following)

    def among(self, clusters: Sequence[Cluster]) -> None:
        """Emits the comparisons into the current block and new ones."""
        sel = self.sel
        work: list[tuple[Block | None, Sequence[Cluster]]] = [(None, clusters)]
        while work:
            block, found = work.pop()
            if block is not None:
                sel.start_block(block)
            if len(found) <= LINEAR_RANGES:
                self._one_after_the_other(found)
                continue
            middle = len(found) // 2
            operands = (self.register, imm(wrapped(found[middle][0].low, self.width)))
            less = sel.emit1("setp", f"lt.{self.kind}", operands, PRED)
            low, high = sel.new_block(), sel.new_block()
            _branch_or(sel, less, (low, ()), (high, ()))
            work += [(high, found[middle:]), (low, found[:middle])]

    def _one_after_the_other(self, clusters: Sequence[Cluster]) -> None:
        for number, cluster in enumerate(clusters):
            is_last = number + 1 == len(clusters)
            following = None if is_last else self.sel.new_block()
            otherwise = self.default if following is None else (following, ())
            if len(cluster) == 1:
                self._range(cluster[0], otherwise)
            else:
                self._table(cluster, otherwise)
            if following is not None:
                self.sel.start_block(following)

    def _range(self, cases: Range, otherwise: machine.Edge) -> None:
        sel, width = self.sel, self.width
        if cases.low == cases.high:
            operands = (self.register, imm(wrapped(cases.low, width)))
            inside = sel.emit1("setp", f"eq.b{width}", operands, PRED)
        else:
            operands = (self._from(cases.low), imm(wrapped(cases.high - cases.low, width)))
            inside = sel.emit1("setp", f"le.u{width}", operands, PRED)
        _branch_or(sel, inside, cases.edge, otherwise)

    def _from(self, low: int) -> SSAValue:
        """The value minus the lowest case: smaller values wrap to values greater than all cases."""
        if not low:
            return self.register
        operands = (self.register, imm(wrapped(-low, self.width)))
        register = register_class(self.register)
        return self.sel.emit1("add", f"s{self.width}", operands, register)

    def _table(self, cluster: Cluster, otherwise: machine.Edge) -> None:
        """A jump through a table, after a test of its range."""
        sel = self.sel
        low, high = cluster[0].low, cluster[-1].high
        index = self._from(low)
        operands = (index, imm(wrapped(high - low, self.width)))
        outside = sel.emit1("setp", f"gt.u{self.width}", operands, PRED)
        inside = sel.new_block()
        _branch_or(sel, outside, otherwise, (inside, ()))
        sel.start_block(inside)
        if self.width != 32:
            index = sel.emit1("cvt", f"u32.u{self.width}", (index,), B32)
        edges: list[machine.Edge] = []
        for item in cluster:
            edges += [self.default] * (item.low - low - len(edges))
            edges += [item.edge] * (item.high - item.low + 1)
        sel.append(machine.indexed_branch(index, edges))
