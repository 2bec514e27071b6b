"""`jump-threading`: redirects edges past a branch whose successor they determine.

      llvm.br ^merge(%c42 : i32)                    llvm.br ^match
    ^negative:                                    ^negative:
      llvm.br ^merge(%b : i32)                      llvm.br ^merge
    ^merge(%val: i32):                      ->    ^merge:
      %c = llvm.icmp "eq" %val, %c42 : i32          %c = llvm.icmp "eq" %b, %c42 : i32
      llvm.cond_br %c, ^match, ^nomatch             llvm.cond_br %c, ^match, ^nomatch

For each incoming edge of a block that ends in a branch or switch, the pass determines the successor
that is taken: from constants passed along the edge, from ranges on the edge, and from earlier
branches that imply the condition. Edges that take the same successor are redirected together,
through one copy of the rest of the block. A select that is passed along an edge becomes a branch
when one of its arms determines the successor. If all edges take the same successor, the branch is
folded and nothing is copied.

Legal because every execution runs the same ops in the same order: only paths that are never
taken disappear.

Control flow stays reducible. Every path of the new graph is a path of the old one if each copy is
replaced by its original, so a block without a copy still dominates the same blocks. Loop headers are
not copied, so every cycle still contains its header, which dominates it. With the knob
`jump-threading-across-loop-headers`, an edge past a header is threaded if the graph stays reducible.

Convergence. A block with a convergent op is not copied, nor is one with a volatile or atomic access
or with assembly that has side effects. No edge is redirected if threads of a warp that executed a
convergent op together could then execute it separately (`analysis/convergence.py`). LLVM's pass
skips targets with divergent branches; the documented pass does not.

The levels thread no edge past the reconvergence point of a divergent branch if other edges still
lead there and the target is not executed by all threads (`no-repeat-targets`). A warp would execute
the target twice: once for the threads that take the edge, and once for those that pass the test.
Nor do they thread an edge that skips a conditional load past a branch that skips another one: ptxas
predicates both loads, so that they overlap.

The branch weights of a block that keeps its branch are reduced by the frequencies of the threaded
edges (`transforms/edge_frequencies.py`).

Cost (document 004, "Cost Model"). The cost of a block is the number of its ops without terminator,
constants and debug intrinsics, minus a bonus for a switch, as in LLVM; a division or square root counts
as four. It must not exceed the threshold. A run may copy up to its budget, to which each group of edges is charged the block's
ops divided by the number of edges, rounded up. A block that consists of a terminator is always eligible.

A run repeats its walk over the function while the walk changes something, up to MAX_ITERATIONS
times. That limit, and those on repaired uses and on examined edges, keep a run linear in the size
of the function: an edge past the test of one loop could otherwise be threaded past the test of each
following loop.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple

from xdsl.dialects.llvm import (
    CondBrOp,
    FDivOp,
    FRemOp,
    FSqrtOp,
    FuncOp,
    ICmpOp,
    LoadOp,
    SDivOp,
    SelectOp,
    SRemOp,
    UDivOp,
    URemOp,
)
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.side_effects import is_removable
from nvvm_xdsl.analysis.values.lazy_value_info import LazyValueInfo
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.effects import MAY_NOT_RETURN, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import SwitchOp
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.graphs import is_reducible
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.jump_threading_facts import UNDEFINED, EdgeValues, Outcome
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation
from nvvm_xdsl.transforms.edge_frequencies import EdgeFrequencies
from nvvm_xdsl.transforms.thread_edges import (
    BRANCHES_WITH_ARGUMENTS,
    Budget,
    EdgeThreader,
    IncomingEdge,
    duplicated_ops,
    edges_into,
    is_unique_access,
    may_be_duplicated,
)
from nvvm_xdsl.verify.verifier import function_name

BUDGET: Final = 512
"""Maximum number of instructions that one run over a function copies (004, "Global Budget")."""

SWITCH_BONUS: Final = 6
"""Amount subtracted from the cost of a block that ends in a switch, as in LLVM."""

DIVISION_COST: Final = 4
"""Cost of a division or square root, which has about ten machine instructions and a subroutine. If the
threaded edge diverges, a warp executes both copies."""

_DIVISIONS: Final = frozenset({FDivOp, FRemOp, FSqrtOp, SDivOp, SRemOp, UDivOp, URemOp})

MAX_IMPLICATION_EDGES: Final = 3
"""Maximum number of incoming edges of a block that is searched for implications (004, "Conservative
Duplication Thresholds": a block with 4 predecessors exceeds the search)."""

MAX_ITERATIONS: Final = 16
"""Maximum number of walks over a function in one run."""

EDGES_ASKED: Final = 8
"""Maximum number of queries per edge of a function in one run, in addition to `FEWEST_ASKED`; after
that only edges into blocks of `MAX_IMPLICATION_EDGES` are queried."""
FEWEST_ASKED: Final = 1000

MAX_TREE_UPDATES: Final = 16
"""Maximum number of changed edges per walk for which the dominator tree is updated instead of
rebuilt.
"""

MAX_SKIPPED_OPS: Final = 8
"""Maximum number of ops of a block with a load that is assumed to be predicated by ptxas."""

THREADED = Statistic("jump-threading", "threaded", "Number of edges threaded")
FOLDED = Statistic("jump-threading", "folded", "Number of branches folded")
UNFOLDED = Statistic("jump-threading", "unfolded", "Number of selects unfolded")


@dataclass(frozen=True)
class JumpThreading(FunctionPass):
    """Redirects edges past branches that they decide."""

    name = "jump-threading"
    # Opportunities beyond the budget or MAX_ITERATIONS are left to the next run.
    idempotent = False

    jump_threading_threshold: int = 6
    """Maximum number of instructions of a copied block."""

    jump_threading_implication_search_threshold: int = 3
    """Maximum number of predecessors that are searched for a branch that implies a condition."""

    jump_threading_phi_threshold: int = 76
    """Maximum number of arguments of a copied block."""

    jump_threading_across_loop_headers: bool = False
    """Whether loop headers may be copied and entered; for tests only."""

    jump_threading_disable_select_unfolding: bool = False
    """Whether selects are kept."""

    repeat_targets: bool = True
    """Whether an edge is threaded although a warp may then execute its target twice, or although
    loads then do not overlap."""

    print_lvi_after_jump_threading: bool = False
    """Emits the ranges found, by value and block, as remarks."""

    loop_threshold: int | None = None
    """Replaces the threshold in a loop (004: qword_501D628); None for the threshold."""

    dominated_threshold: int | None = None
    """Replaces the threshold in a block outside of any loop that a loop header dominates (004:
    qword_501D548); None for the threshold.
    """

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _JumpThreader(self, func, am).run()


class _Group(NamedTuple):
    """Edges into a block that continue to the same successor, and the selects to unfold for them."""

    edges: list[IncomingEdge]
    unfolds: list[_Unfolding]


class _Unfolding(NamedTuple):
    """A select passed by one edge that becomes a branch; its arm `arm` decides the branch."""

    edge: IncomingEdge
    select: SelectOp
    argument: int
    arm: int


class _JumpThreader:
    """Threads the edges of one function."""

    def __init__(self, options: JumpThreading, func: FuncOp, am: AnalysisManager) -> None:
        self.options = options
        self.func = func
        self.am = am
        self.region = func.regions[0]
        self.constants = Constants(func)
        self.budget = BUDGET
        self.changed = False
        self.round_changed = False
        self.restart = False
        self.updates: list[tuple[Block, Block, bool]] = []
        """Changed edges by source and target, and whether they exist now: for the dominator
        tree."""

    def run(self) -> bool:
        """Threads edges until a fixed point or until the budget is used up."""
        options = self.options
        if not any(
            type(branches.terminator_of(b)) in (CondBrOp, SwitchOp)
            for b in fast.blocks_of(self.region)
        ):
            return False
        if cfg.remove_unreachable_blocks(self.region):
            self.changed = True
            self.am.invalidate(self.func)
        blocks = list(fast.blocks_of(self.region))
        self.loops = LoopInfo(DominatorTree(self.region))
        self.tree = DominatorTree(self.region)
        if not self.loops.is_reducible:
            return self.changed
        self.headers = {loop.header for loop in self.loops.loops()}
        facts = self.am.get(ValueTracking, self.func)
        self.ranges = LazyValueInfo(facts, self.tree, self.loops)
        self.facts = EdgeValues(self.ranges, options.jump_threading_implication_search_threshold)
        edge_count = sum(len(fast.successors_of(branches.terminator_of(b))) for b in blocks)
        self.threader = EdgeThreader(self.constants, Budget(1000 + 32 * (len(blocks) + edge_count)))
        self.asked = Budget(FEWEST_ASKED + EDGES_ASKED * edge_count)
        for _ in range(MAX_ITERATIONS):
            self.round_changed = self.restart = False
            self.convergence = ConvergenceRule(self.func, self.am)
            self.frequencies = EdgeFrequencies(self.region)
            for block in list(fast.blocks_of(self.region)):
                if block.first_use is not None and self._process(block):
                    self.round_changed = True
                    self.ranges.loops = None
                    if self.restart:
                        break
            if not self.round_changed:
                break
            self.changed = True
            self._finalize()
        if options.print_lvi_after_jump_threading:
            self._print_ranges()
        return self.changed

    def _finalize(self) -> None:
        """Updates the dominator tree and removes unreachable blocks."""
        tree = self.tree
        if len(self.updates) <= MAX_TREE_UPDATES:
            for source, target, there in sorted(self.updates, key=lambda u: not u[2]):
                (tree.insert_edge if there else tree.delete_edge)(source, target)
            reached = cfg.reachable_blocks(self.region)
            doomed = [b for b in fast.blocks_of(self.region) if b not in reached]
            edges = [(b, t) for b in doomed for t in fast.successors_of(branches.terminator_of(b))]
            for source, target in edges:
                tree.delete_edge(source, target)
            for block in doomed:
                tree.erase_block(block)
            cfg.drop_blocks(doomed)
        else:
            cfg.remove_unreachable_blocks(self.region)
            tree.recompute()
        self.updates.clear()
        self.am.invalidate(self.func)

    def _print_ranges(self) -> None:
        function = function_name(self.func) or ""
        for (value, block), found in self.ranges.entries.items():
            if block.parent is self.region:
                place = block.name_hint or "an unnamed block"
                text = f"{value_name(value)} in {place}: {found}"
                remarks.emit("Analysis", self.options.name, "LVI", function, text, shown=True)

    # One block.

    def _process(self, block: Block) -> bool:
        """Threads edges into the block where possible; returns whether anything was changed."""
        terminator = block.last_op
        if not isinstance(terminator, CondBrOp | SwitchOp):
            return False
        edges = edges_into(block)
        if len(set(branches.edges_of(terminator))) == 1:
            return False
        if any(edge.terminator.name not in BRANCHES_WITH_ARGUMENTS for edge in edges):
            return False
        implying = len(edges) <= MAX_IMPLICATION_EDGES
        if not implying and not self.asked.charge(len(edges)):
            return False
        takes = bool(block.args)
        taken = [
            self._taken_successor(terminator, block, edge, edge.values if takes else (), implying)
            for edge in edges
        ]
        known = {successor for successor in taken if isinstance(successor, int)}
        if None not in taken and len(known) <= 1:
            return self._fold(block, terminator, next(iter(known), 0))
        groups: dict[int, _Group] = {}
        for edge, successor in zip(edges, taken):
            if edge.source is block:
                continue
            if isinstance(successor, int):
                groups.setdefault(successor, _Group([], [])).edges.append(edge)
            elif not self.options.jump_threading_disable_select_unfolding:
                found = self._unfolding(terminator, block, edge, implying)
                if found is not None:
                    groups.setdefault(found[1], _Group([], [])).unfolds.append(found[0])
        if not groups:
            return False
        if not self.options.repeat_targets:
            self.convergence.find_reconvergence_points()
        popular = max(groups, key=lambda w: len(groups[w].edges))
        groups[popular].edges.extend(
            edge
            for edge, successor in zip(edges, taken)
            if successor == UNDEFINED and edge.source is not block
        )
        changed = False
        for successor in sorted(groups, key=lambda w: -len(groups[w].edges)):
            changed |= self._thread(block, successor, groups[successor], None in taken)
        if changed:
            cfg.simplify_arguments(block)
        return changed

    def _taken_successor(
        self,
        terminator: Operation,
        block: Block,
        edge: IncomingEdge,
        sent: tuple[SSAValue, ...],
        implying: bool,
    ) -> Outcome:
        """The index of the successor of a block that is taken if it is entered by an edge."""
        value = fast.operands_of(terminator)[0]
        found = self.facts.value_on_edge(value, block, edge, sent, implying=implying)
        if not isinstance(found, int):
            return found
        if type(terminator) is CondBrOp:
            # The value is masked to its width: all ones and 1 both represent true.
            return 0 if found else 1
        numbers = branches.case_values(terminator, signed=False)
        return 1 + numbers.index(found) if found in numbers else 0

    def _fold(self, block: Block, terminator: Operation, successor: int) -> bool:
        """Replaces the branch by a jump to the common target of all edges."""
        edges = branches.edges_of(terminator)
        new = branches.branch(*edges[successor])
        copy_loop_annotation(terminator, new)
        cfg.replace_terminator(terminator, new)
        for index, (target, _) in enumerate(edges):
            if index != successor:
                self.updates.append((block, target, False))
        FOLDED.add()
        self._report("Folded", "all edges lead to one successor", new)
        return True

    # Selects.

    def _unfolding(
        self, terminator: Operation, block: Block, edge: IncomingEdge, implying: bool
    ) -> tuple[_Unfolding, int] | None:
        """The select that the edge passes and that decides with one arm, with the taken successor.

        The condition of the branch must be the argument, or a comparison of the argument with a
        constant, so that the branch is undefined if the select's condition is poison.
        """
        if len(fast.successors_of(edge.terminator)) > 1:
            return None
        value = fast.operands_of(terminator)[0]
        if isinstance(value, OpResult) and type(value.op) is ICmpOp and value.op.parent is block:
            left, right = fast.operands_of(value.op)
            if constant_integer(right) is None:
                return None
            value = left
        if not isinstance(value, BlockArgument) or value.block is not block:
            return None
        sent = edge.values
        select = sent[value.index].owner
        if not isinstance(select, SelectOp) or select.parent is not edge.source:
            return None
        if fast.single_use(select.results[0]) is None:
            return None
        if any(effects(op) & MAY_NOT_RETURN for op in fast.ops_of(block)):
            return None
        arms = fast.operands_of(select)[1:]
        if all(constant_integer(arm) is None for arm in arms):
            return None
        for arm, chosen in enumerate(arms):
            changed = (*sent[: value.index], chosen, *sent[value.index + 1 :])
            successor = self._taken_successor(terminator, block, edge, changed, implying)
            if isinstance(successor, int):
                return _Unfolding(edge, select, value.index, arm), successor
        return None

    def _unfold(self, block: Block, found: _Unfolding) -> IncomingEdge:
        """Replaces the select by a branch with two edges to the block; returns the decided edge."""
        sent = found.edge.values
        condition, *arms = fast.operands_of(found.select)
        both = [(*sent[: found.argument], arm, *sent[found.argument + 1 :]) for arm in arms]
        old = found.edge.terminator
        new = branches.conditional_branch(condition, block, both[0], block, both[1])
        copy_loop_annotation(old, new)
        cfg.replace_terminator(old, new)
        if is_removable(found.select):
            fast.erase(found.select)
        self.updates.append((IncomingEdge(new, 0).source, block, True))
        UNFOLDED.add()
        return IncomingEdge(new, found.arm)

    # Threading.

    def _thread(self, block: Block, successor: int, group: _Group, keeps_branch: bool) -> bool:
        """Redirects the edges of a group, if the rules permit it.

        Arguments:
            keeps_branch: whether other edges still reach the branch.
        """
        terminator = branches.terminator_of(block)
        target = fast.successors_of(terminator)[successor]
        if target is block:
            return False
        once = keeps_branch and not self.options.repeat_targets
        if once and self.convergence.runs_twice(block, target):
            return False
        unfolds = [
            unfolding
            for unfolding in group.unfolds
            if self.convergence.may_part(block, (), fast.operands_of(unfolding.select)[0])
        ]
        edges = group.edges
        if not self.options.repeat_targets:
            edges = [edge for edge in edges if not _separates_loads(edge, block, target)]
        edges, unfolds = self._keep_loops(block, target, edges, unfolds)
        if not self.convergence.may_part(block, edges):
            return False
        if not edges and not unfolds:
            return False
        charge = self._charge(block, terminator, len(edges) + len(unfolds))
        plan = None if charge is None else self.threader.plan(block)
        if charge is None or plan is None:
            return False
        decided = [*edges, *(self._unfold(block, u) for u in unfolds)]
        sources = [edge.source for edge in decided]
        moved = self.frequencies.of_edges(block, decided)
        reached = self.threader.thread(plan, decided, successor)
        self.frequencies.threaded(block, successor, reached, moved)
        self.budget -= charge
        self._note_edges(block, target, reached, sources)
        THREADED.add(len(decided))
        self._report("Threaded", f"{len(decided)} edges threaded past the branch", terminator)
        if not self.convergence.parted(block):
            self.restart = True
        return True

    def _note_edges(
        self, block: Block, target: Block, reached: Block, sources: Iterable[Block]
    ) -> None:
        if reached is not target:
            self.tree.add_block(reached)
            # The block is marked reachable for queries; its successors were reachable before.
            for source in sources:
                self.tree.insert_edge(source, reached)
            self.updates.append((reached, target, True))
        for source in sources:
            if reached is target:
                self.updates.append((source, target, True))
            self.updates.append((source, block, False))

    def _charge(self, block: Block, terminator: Operation, count: int) -> int | None:
        """The cost of threading this many edges; None if the block is too large."""
        if len(block.args) > self.options.jump_threading_phi_threshold:
            return None
        ops = duplicated_ops(block)
        if any(is_unique_access(op) or not may_be_duplicated(op) for op in fast.ops_of(block)):
            return None
        cost = len(ops) + sum(DIVISION_COST - 1 for op in ops if type(op) in _DIVISIONS)
        if type(terminator) is SwitchOp:
            cost = max(cost - SWITCH_BONUS, 0)
        if cost > self._threshold(block):
            return None
        charge = -(-len(ops) // count)
        return charge if charge <= self.budget else None

    def _threshold(self, block: Block) -> int:
        options = self.options
        standard = options.jump_threading_threshold
        if self.loops.loop_for(block) is not None:
            return standard if options.loop_threshold is None else options.loop_threshold
        if options.dominated_threshold is not None and self._is_dominated_by_loop_header(block):
            return options.dominated_threshold
        return standard

    def _is_dominated_by_loop_header(self, block: Block) -> bool:
        return any(
            self.tree.dominates(loop.header, block)
            for loop in self.loops.top_level
            if loop.header.parent is self.region
        )

    def _keep_loops(
        self, block: Block, target: Block, edges: list[IncomingEdge], unfolds: list[_Unfolding]
    ) -> tuple[list[IncomingEdge], list[_Unfolding]]:
        """The edges and selects that may be threaded to the target without an irreducible cycle.

        Edges past a loop header or into one are not threaded. With the knob for loop headers, an edge
        is threaded if the control-flow graph stays reducible.
        """
        if not self.options.jump_threading_across_loop_headers:
            protected = block in self.headers or target in self.headers
            return ([], []) if protected else (edges, unfolds)
        blocks = list(fast.blocks_of(self.region))
        numbers = {b: n for n, b in enumerate(blocks)}
        graph = [
            [numbers[t] for t in fast.successors_of(branches.terminator_of(b))] for b in blocks
        ]
        copy = len(graph)
        graph.append([numbers[target]])

        def stays_reducible(edge: IncomingEdge, *others: Block) -> bool:
            """Redirects the edge to the copy, and adds edges, unless that makes a cycle irreducible."""
            source = numbers[edge.source]
            before = graph[source]
            graph[source] = [*before, *(numbers[other] for other in others)]
            graph[source][edge.successor_index] = copy
            if is_reducible(graph):
                return True
            graph[source] = before
            return False

        # The branch that replaces a select keeps an edge into the block.
        return (
            [edge for edge in edges if stays_reducible(edge)],
            [unfolding for unfolding in unfolds if stays_reducible(unfolding.edge, block)],
        )

    def _report(self, name: str, what: str, op: Operation) -> None:
        if remarks.wanted():
            function = function_name(self.func) or ""
            remarks.emit("Passed", self.options.name, name, function, what, op=op)


def _separates_loads(edge: IncomingEdge, block: Block, target: Block) -> bool:
    """True if the edge and the branch each skip a short block that contains a load.

        edge.source:  cond_br %c, ^load1, ^block         block:   cond_br %d, ^load2, ^target
        load1:        br ^block                          load2:   br ^target

    ptxas predicates both loads, and starts the second one before the first one ends. If the edge led
    to the target, the second load would wait for a branch.
    """
    return _skips_load(edge.source, block) and _skips_load(block, target)


def _skips_load(block: Block, target: Block) -> bool:
    return any(
        fast.single_predecessor(side) is block
        and fast.successors_of(branches.terminator_of(side)) == (target,)
        and any(type(op) is LoadOp for op in fast.ops_of(side))
        and len(duplicated_ops(side)) <= MAX_SKIPPED_OPS
        for side in fast.successors_of(branches.terminator_of(block))
    )
