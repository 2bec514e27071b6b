"""`simplifycfg`: simplifies the control-flow graph.

      llvm.cond_br %c, ^then, ^join(%a : i32)
    ^then:
      %b = llvm.add %a, %one : i32
      llvm.br ^join(%b : i32)
    ^join(%x: i32):

becomes

      %b = llvm.add %a, %one : i32
      %x = llvm.select %c, %b, %a : i1, i32

It removes blocks that nothing reaches, folds branches on constants, merges a block into its
only predecessor, sends edges past blocks that do nothing, turns short branches into selects,
joins branches to a common target by a logical and, hoists and sinks what both successors of a branch run
(`passes/scalar/simplifycfg_common_code.py`), makes switches of chains of compares and shortens them
(`passes/scalar/simplifycfg_switches.py`), and sends edges that bring a constant past a block that only branches on it.

Legal because every path through the function computes the same values in the same order of
side effects. Only ops without side effects run that did not run before, and none that could
trap. No op is duplicated, and no convergent op changes the set of threads that reaches it:
an edge is sent elsewhere only past blocks that hold nothing, and past a branch only where
`analysis/convergence.py` allows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast

from xdsl.dialects.llvm import BrOp, CondBrOp, FuncOp, ICmpOp, XOrOp
from xdsl.ir import Block, Operation, Region, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.side_effects import speculation_cost
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import branch_weights_of, integers_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, is_undefined
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.switches import SwitchOp, make_switch
from nvvm_xdsl.dialects.llvm.types import I1, I64, dense_i32, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import without_line
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.simplifycfg_common_code import hoist_common, sink_common
from nvvm_xdsl.passes.scalar.simplifycfg_switches import form_switch, range_to_compare, to_formula
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.transforms.cfg import copy_loop_annotation, is_dead_end
from nvvm_xdsl.transforms.conditionals import erase_dead, select

ICMP_EQ = int_attr(0, I64)
MANY_EDGES = 256
"""Maximum number of edges of a switch for which empty successor blocks are removed: updating them
costs time for each edge.
"""
MANY_SOURCES = 16
"""Number of predecessors of an empty block above which an empty successor is removed first."""


@dataclass(frozen=True)
class SimplifyCFG(FunctionPass):
    """Merges blocks, folds branches and turns short ones into selects."""

    name = "simplifycfg"
    title = "SimplifyCFG"
    # A block that others were folded into may become cheap enough to be folded itself.
    idempotent = False

    bonus_inst_threshold: int = 1
    """Maximum number of ops that are speculated to join two branches to a common target (LLVM's
    knob)."""

    phi_node_folding_threshold: int = 4
    """Maximum cost of the ops of a short branch that become selects; LLVM's
    two-entry-phi-node-folding-threshold."""

    speculate_blocks: bool = True
    """Whether short branches are replaced by selects."""

    hoist_common_insts: bool = False
    """Whether code common to both successors of a branch is hoisted before it."""

    sink_common_insts: bool = False
    """Whether common code at the end of all predecessors is sunk into their successor."""

    simplify_cond_branch: bool = True
    """Whether branches to a common target are merged."""

    switch_range_to_icmp: bool = True
    """Whether a switch on a range is replaced by a comparison."""

    switch_to_lookup: bool = True
    """Whether a switch that selects values is replaced by a formula or bits of a number."""

    keep_loops: bool = True
    """Whether the single latch of a loop is kept."""

    disable_jump_threading: bool = False
    """Disables redirecting edges with a constant past the block that branches on it; NVIDIA's
    "Disable jump threading for OCG experiments" (004)."""

    fold_with_var_cond: bool = True
    """Whether branches to a common target are merged if the threads of a warp may differ in the
    conditions; NVIDIA's knob (004), which is not described."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        return _Simplifier(self, func, am).run()


class _Simplifier:
    """One run over a function with a worklist of blocks."""

    options: SimplifyCFG
    region: Region
    constants: Constants
    changed: bool
    headers: set[Block]
    """The initial targets of backedges."""
    worklist: list[Block]
    queued: set[Block]
    _late: dict[Block, Block]
    """By empty block, the last empty successor that was simplified first."""

    def __init__(self, options: SimplifyCFG, func: FuncOp, am: AnalysisManager) -> None:
        self.options = options
        self.func = func
        # Computed on demand; values created since then count as divergent.
        self._am = am
        self._doubtful: list[Block] = []
        self._uniformity: Uniformity | None = None
        self._old: set[SSAValue] = set()
        self.region = func.regions[0]
        self.constants = Constants(func)
        self.changed = False
        graph = CFG(self.region)
        self.headers = {graph.blocks[target] for _, target in graph.retreating_edges}
        self.worklist = []
        self.queued = set()
        self._late = {}

    def run(self) -> bool:
        """Simplifies blocks until none changes; returns whether anything changed."""
        if cfg.remove_unreachable_blocks(self.region):
            self.changed = True
        for block in reversed(list(fast.blocks_of(self.region))):
            self._push(block)
        self._work_off()
        if self._doubtful:
            self._resolve_doubts()
        while not self.options.disable_jump_threading and self._thread_constants():
            self.changed = True
            self._work_off()
        if self.changed:
            cfg.remove_unreachable_blocks(self.region)
        return self.changed

    def _work_off(self) -> None:
        while self.worklist:
            block = self.worklist.pop()
            self.queued.discard(block)
            if block.parent is self.region:
                while block.parent is self.region and self._simplify(block):
                    self.changed = True

    def _push(self, block: Block) -> None:
        if block not in self.queued:
            self.queued.add(block)
            self.worklist.append(block)

    def _push_neighbours(self, block: Block) -> None:
        for before in fast.predecessors_of(block):
            self._push(before)
        for after in fast.successors_of(branches.terminator_of(block)):
            self._push(after)

    def _simplify(self, block: Block) -> bool:
        """One simplification at this block; returns whether there was one."""
        entry = self.region.first_block
        if block is not entry and block.first_use is None:
            targets = fast.successors_of(branches.terminator_of(block))
            cfg.drop_blocks([block])
            for target in targets:
                self._push(target)
            return True
        if block.args and cfg.simplify_arguments(block):
            self._push_neighbours(block)
            return True
        if self._fold_terminator(block):
            return True
        if block is not entry:
            before = cfg.merge_into_predecessor(block)
            if before is not None:
                self._push(before)
                self._push_neighbours(before)
                return True
        if self.options.sink_common_insts and sink_common(block):
            self._push_neighbours(block)
            return True
        terminator = block.last_op
        if terminator.__class__ is BrOp:
            return self._skip_empty_block(block)
        if terminator.__class__ is CondBrOp:
            if self.options.hoist_common_insts and hoist_common(block):
                self._push_neighbours(block)
                return True
            return (
                (self.options.speculate_blocks and self._speculate(block))
                or (self.options.simplify_cond_branch and self._fold_to_common_target(block))
                or self._form_switch(block)
            )
        return False

    # Terminators.

    def _fold_terminator(self, block: Block) -> bool:
        terminator = branches.terminator_of(block)
        if terminator.__class__ is CondBrOp:
            return self._fold_conditional(terminator)
        if terminator.__class__ is SwitchOp:
            return self._fold_switch(terminator)
        return False

    def _become_branch(self, terminator: Operation, edge: branches.Edge) -> bool:
        block = terminator.parent
        assert block is not None
        targets = fast.successors_of(terminator)
        new = branches.branch(*edge)
        copy_loop_annotation(terminator, new)
        cfg.replace_terminator(terminator, new)
        for target in targets:
            self._push(target)
        self._push(block)
        return True

    def _fold_conditional(self, terminator: Operation) -> bool:
        condition = fast.operands_of(terminator)[0]
        then_edge, else_edge = branches.edges_of(terminator)
        known = constant_integer(condition)
        if known is not None:
            return self._become_branch(terminator, then_edge if known else else_edge)
        if is_undefined(condition):
            return self._become_branch(terminator, else_edge)
        if then_edge == else_edge:
            return self._become_branch(terminator, then_edge)
        if is_dead_end(then_edge[0]):
            return self._become_branch(terminator, else_edge)
        if is_dead_end(else_edge[0]):
            return self._become_branch(terminator, then_edge)
        if then_edge[0] is else_edge[0]:
            values: list[SSAValue] = []
            for a, b in zip(then_edge[1], else_edge[1]):
                if a is not b:
                    a = select(condition, a, b, terminator)
                values.append(a)
            return self._become_branch(terminator, (then_edge[0], tuple(values)))
        owner = condition.owner
        if owner.__class__ is XOrOp:
            inner, mask = fast.operands_of(cast(Operation, owner))
            if constant_integer(mask):
                fast.set_operand(terminator, 0, inner)
                branches.set_edges(terminator, (else_edge, then_edge))
                cfg.swap_weights(terminator)
                return True
        return False

    def _fold_switch(self, terminator: Operation) -> bool:
        value = fast.operands_of(terminator)[0]
        default, *cases = branches.edges_of(terminator)
        numbers = branches.case_values(terminator, signed=True)
        known = constant_integer(value)
        if known is not None:
            edge = next((e for n, e in zip(numbers, cases) if n == known), default)
            return self._become_branch(terminator, edge)
        if is_undefined(value):
            return self._become_branch(terminator, default)
        keep = [i for i, edge in enumerate(cases) if edge != default and not is_dead_end(edge[0])]
        if not keep:
            return self._become_branch(terminator, default)
        if is_dead_end(default[0]) and all(cases[i] == cases[keep[0]] for i in keep):
            return self._become_branch(terminator, cases[keep[0]])
        if len(keep) == 1:
            (only,) = keep
            number = self.constants.integer(numbers[only], value.type)
            compare = fast.create(
                ICmpOp,
                (value, number),
                (I1,),
                {"predicate": ICMP_EQ},
                location=terminator.location,
            )
            fast.insert_before(compare, terminator)
            block = terminator.parent
            assert block is not None
            new = branches.conditional_branch(compare.results[0], *cases[only], *default)
            copy_loop_annotation(terminator, new)
            for target in fast.successors_of(terminator):
                self._push(target)
            cfg.replace_terminator(terminator, new)
            self._push(block)
            return True
        if len(keep) == len(cases):
            return self._replace_switch(terminator)
        block = terminator.parent
        assert block is not None
        for target in fast.successors_of(terminator):
            self._push(target)
        weights = branch_weights_of(terminator)
        new = make_switch(value, default, [(numbers[i], cases[i]) for i in keep])
        if weights is not None:
            old = integers_of(weights)
            new.properties["branch_weights"] = dense_i32([old[0], *(old[i + 1] for i in keep)])
        copy_loop_annotation(terminator, new)
        cfg.replace_terminator(terminator, new)
        return True

    def _replace_switch(self, terminator: Operation) -> bool:
        """Replaces a switch by a branch on a range, or by a formula for the selected values."""
        new = None
        if self.options.switch_range_to_icmp:
            new = range_to_compare(terminator, self.constants)
        if new is None and self.options.switch_to_lookup:
            new = to_formula(terminator, self.constants)
        if new is None:
            return False
        cfg.sum_weights(new, terminator)
        self._replace_terminator(terminator, new)
        return True

    def _form_switch(self, block: Block) -> bool:
        """Replaces a chain of comparisons by a switch."""
        terminator = branches.terminator_of(block)
        formed = form_switch(terminator)
        if formed is None or any(has_loop_annotation(branches.terminator_of(b)) for b in formed[1]):
            return False
        new, passed = formed
        condition = fast.operands_of(terminator)[0]
        self._replace_terminator(terminator, new)
        erase_dead(condition)
        cfg.drop_blocks(passed)
        return True

    def _replace_terminator(self, terminator: Operation, new: Operation) -> None:
        block = terminator.parent
        assert block is not None
        copy_loop_annotation(terminator, new)
        for target in fast.successors_of(terminator):
            self._push(target)
        cfg.replace_terminator(terminator, new)
        self._push(block)

    # Edges that decide the branch.

    def _thread_constants(self) -> bool:
        """Redirects edges with a constant past blocks that only branch on it."""
        found = [block for block in fast.blocks_of(self.region) if self._only_decides(block)]
        if not found:
            return False
        cfg.remove_unreachable_blocks(self.region)
        found = [block for block in found if block.parent is self.region]
        am = AnalysisManager()
        rule = ConvergenceRule(self.func, am)
        headers = {
            graph.blocks[target]
            for graph in (am.get(CFG, self.func),)
            for _, target in graph.retreating_edges
        }
        changed = False
        for block in found:
            if block in headers or not rule.may_part(block):
                continue
            if not self._send_on(block):
                continue
            changed = True
            if not rule.parted(block):
                break
        return changed

    def _only_decides(self, block: Block) -> bool:
        """True if a block only branches on an argument that is constant on some edge."""
        terminator = block.last_op
        if terminator.__class__ is not CondBrOp or block.first_op is not terminator:
            return False
        assert terminator is not None
        condition = fast.operands_of(terminator)[0]
        if condition not in block.args or not _only_used_by(block.args, terminator):
            return False
        place = block.args.index(condition)
        if has_loop_annotation(terminator) or block in fast.successors_of(terminator):
            return False
        return any(
            constant_integer(values[place]) is not None
            for source in list(fast.users_of(block))
            if source.name in ("llvm.br", "llvm.cond_br")
            for target, values in branches.edges_of(source)
            if target is block
        )

    def _send_on(self, block: Block) -> bool:
        """Redirects each edge with a constant to the successor that the block's branch takes."""
        terminator = branches.terminator_of(block)
        place = block.args.index(fast.operands_of(terminator)[0])
        outgoing = branches.edges_of(terminator)
        position: dict[SSAValue, int] = {argument: i for i, argument in enumerate(block.args)}
        changed = False
        for source in dict.fromkeys(list(fast.users_of(block))):
            if source.name not in ("llvm.br", "llvm.cond_br") or has_loop_annotation(source):
                continue
            edges: list[branches.Edge] = []
            sent_on = False
            for target, sent in branches.edges_of(source):
                known = constant_integer(sent[place]) if target is block else None
                if known is None:
                    edges.append((target, sent))
                    continue
                onward, values = outgoing[0 if known else 1]
                passed = tuple(sent[position[v]] if v in position else v for v in values)
                edges.append((onward, passed))
                sent_on = True
            if not sent_on or not self._may_hold(source, edges):
                continue
            branches.set_edges(source, edges)
            assert source.parent is not None
            self._push(source.parent)
            changed = True
        if changed:
            self._push(block)
            for target, _ in outgoing:
                self._push(target)
        return changed

    # Uniformity of conditions.

    def _is_uniform(self, terminator: Operation) -> bool | None:
        """Whether all threads of a warp take the same edge; None if it is not computed yet."""
        if self._uniformity is None:
            assert terminator.parent is not None
            self._doubtful.append(terminator.parent)
            return None
        condition = fast.operands_of(terminator)[0]
        return condition in self._old and self._uniformity.is_uniform(condition)

    def _resolve_doubts(self) -> None:
        """Computes uniformity, and requeues the blocks that depend on it."""
        cfg.remove_unreachable_blocks(self.region)
        am = AnalysisManager() if self.changed else self._am
        self._uniformity = am.get(Uniformity, self.func)
        self._old = {r for op in self.func.walk() for r in op.results}
        self._old.update(a for b in fast.blocks_of(self.region) for a in b.args)
        for block in self._doubtful:
            if block.parent is self.region:
                self._push(block)
        self._work_off()

    # Blocks.

    def _skip_empty_block(self, block: Block) -> bool:
        """Redirects the edges of an empty block to its successor."""
        terminator = branches.terminator_of(block)
        if block.first_op is not terminator or block is self.region.first_block:
            return False
        ((target, values),) = branches.edges_of(terminator)
        if target is block:
            return False
        annotated = has_loop_annotation(terminator)
        if (
            self.options.keep_loops
            and target in self.headers
            and len(fast.predecessors_of(block)) > 1
        ):
            # Keeps the single latch of the loop.
            return False
        arguments = block.args
        position: dict[SSAValue, int] = {argument: i for i, argument in enumerate(arguments)}
        if arguments and not _only_used_by(arguments, terminator):
            return False
        sources = list(dict.fromkeys(use_op for use_op in list(fast.users_of(block))))
        if any(len(fast.successors_of(source)) > MANY_EDGES for source in sources):
            # Each empty successor block requires rewriting all edges of the terminator.
            return False
        if len(sources) > MANY_SOURCES and self._is_skipped_later(block, target):
            return False
        rewritten: list[tuple[Operation, list[branches.Edge]]] = []
        for source in sources:
            edges: list[branches.Edge] = []
            for edge_target, sent in branches.edges_of(source):
                if edge_target is block:
                    passed = tuple(sent[position[v]] if v in position else v for v in values)
                    edges.append((target, passed))
                else:
                    edges.append((edge_target, sent))
            if not self._may_hold(source, edges):
                return False
            if annotated and has_loop_annotation(source):
                return False
            rewritten.append((source, edges))
        for source, edges in rewritten:
            branches.set_edges(source, edges)
            if annotated:
                copy_loop_annotation(terminator, source)
            assert source.parent is not None
            self._push(source.parent)
        cfg.drop_blocks([block])
        self._push(target)
        return True

    def _is_skipped_later(self, block: Block, target: Block) -> bool:
        """Returns True if the target is simplified first, once for each pair of block and target.

        In a chain of empty blocks, the edges to its start then move once to its end and not once for each block.
        """
        if self._late.get(block) is target or target.first_op.__class__ is not BrOp:
            return False
        self._late[block] = target
        self._push(block)
        self.queued.add(target)
        self.worklist.append(target)
        return True

    def _may_hold(self, terminator: Operation, edges: Sequence[branches.Edge]) -> bool:
        """Returns True if several edges to a block with different values are acceptable.

        Such edges of a switch need a block each on the way to PTX; those of a conditional
        branch become selects.
        """
        seen: dict[Block, tuple[SSAValue, ...]] = {}
        for target, values in edges:
            if seen.setdefault(target, values) != values:
                if terminator.__class__ is not CondBrOp or not self.options.speculate_blocks:
                    return False
                different = sum(a is not b for a, b in zip(values, seen[target]))
                return different <= self.options.phi_node_folding_threshold // 2
        return True

    def _speculate(self, block: Block) -> bool:
        """Replaces a branch around, or between, short blocks by selects."""
        terminator = branches.terminator_of(block)
        then_edge, else_edge = branches.edges_of(terminator)
        then_arm = self._arm(block, then_edge)
        else_arm = self._arm(block, else_edge)
        if then_arm is not None and else_arm is not None:
            join = then_arm[0]
            if join is not else_arm[0]:
                return self._triangle(terminator, then_edge, else_edge, then_arm, else_arm)
            arms = [then_edge[0], else_edge[0]]
            return self._to_selects(terminator, join, then_arm[1], else_arm[1], arms)
        return self._triangle(terminator, then_edge, else_edge, then_arm, else_arm)

    def _triangle(
        self,
        terminator: Operation,
        then_edge: branches.Edge,
        else_edge: branches.Edge,
        then_arm: branches.Edge | None,
        else_arm: branches.Edge | None,
    ) -> bool:
        if then_arm is not None and then_arm[0] is else_edge[0]:
            return self._to_selects(
                terminator, then_arm[0], then_arm[1], else_edge[1], [then_edge[0]]
            )
        if else_arm is not None and else_arm[0] is then_edge[0]:
            return self._to_selects(
                terminator, else_arm[0], then_edge[1], else_arm[1], [else_edge[0]]
            )
        return False

    def _arm(self, block: Block, edge: branches.Edge) -> branches.Edge | None:
        """The successor of a block that is only reached by this edge, if the block may be
        speculated."""
        arm, sent = edge
        if arm is block or sent or arm.args:
            return None
        if fast.single_predecessor(arm) is None:
            return None
        terminator = arm.last_op
        if terminator.__class__ is not BrOp:
            return None
        assert terminator is not None
        ((target, values),) = branches.edges_of(terminator)
        if target is arm or target is block:
            return None
        return target, values

    def _to_selects(
        self,
        terminator: Operation,
        join: Block,
        then_values: tuple[SSAValue, ...],
        else_values: tuple[SSAValue, ...],
        arms: Sequence[Block],
    ) -> bool:
        budget = self.options.phi_node_folding_threshold
        spent = 0
        for arm in arms:
            for op in fast.ops_of(arm):
                if op is arm.last_op:
                    continue
                cost = speculation_cost(op)
                if cost is None or spent + cost > budget:
                    return False
                spent += cost
        different = sum(a is not b for a, b in zip(then_values, else_values))
        if different > self.options.phi_node_folding_threshold:
            return False
        block = terminator.parent
        assert block is not None
        for arm in arms:
            for op in fast.ops_of(arm):
                if op is not arm.last_op:
                    fast.move_before(op, terminator)
                    op.location = terminator.location
        condition = fast.operands_of(terminator)[0]
        values: list[SSAValue] = []
        for a, b in zip(then_values, else_values):
            if a is not b:
                a = select(condition, a, b, terminator)
            values.append(a)
        new = branches.branch(join, values)
        for arm in arms:
            copy_loop_annotation(branches.terminator_of(arm), new)
        cfg.replace_terminator(terminator, new)
        cfg.drop_blocks(arms)
        self._push(block)
        self._push(join)
        return True

    def _fold_to_common_target(self, block: Block) -> bool:
        """Merges `if (a) if (b) X` with a common exit into `if (a && b) X`.

        `block` is the inner one; its only predecessor ends in the outer branch.
        """
        use = fast.single_use(block)
        if use is None or block.args:
            return False
        outer = use.operation
        before = outer.parent
        if outer.__class__ is not CondBrOp or before is block or before is None:
            return False
        inner = branches.terminator_of(block)
        outer_edges = branches.edges_of(outer)
        inner_edges = branches.edges_of(inner)
        way_in = 0 if outer_edges[0][0] is block else 1
        common = outer_edges[1 - way_in]
        if common not in inner_edges or common[0] is block:
            return False
        if any(target is block for target, _ in inner_edges):
            return False
        bonus = 0
        for op in fast.ops_of(block):
            if op is inner:
                continue
            cost = speculation_cost(op)
            if cost is None or cost > 1:
                return False
            bonus += cost
        if bonus > self.options.bonus_inst_threshold:
            return False
        way_out = inner_edges.index(common)
        onward = inner_edges[1 - way_out]
        if not self.options.fold_with_var_cond and not all(map(self._is_uniform, (outer, inner))):
            return False
        for op in fast.ops_of(block):
            if op is not inner:
                fast.move_before(op, outer)
                op.location = without_line(op.location)
        first = self._as_truth(fast.operands_of(outer)[0], way_in == 0, outer)
        second = self._as_truth(fast.operands_of(inner)[0], way_out == 1, outer)
        # A logical and: the second condition may be poison if the first is false.
        joined = select(first, second, self.constants.boolean(False), outer)
        new = branches.conditional_branch(joined, *onward, *common)
        copy_loop_annotation(inner if has_loop_annotation(inner) else outer, new)
        cfg.join_weights(new, outer, way_in, inner, way_out)
        cfg.replace_terminator(outer, new)
        cfg.drop_blocks([block])
        self._push(before)
        self._push(onward[0])
        self._push(common[0])
        return True

    def _as_truth(self, condition: SSAValue, positive: bool, before: Operation) -> SSAValue:
        if positive:
            return condition
        true = self.constants.boolean(True)
        op = fast.create(XOrOp, (condition, true), (I1,), location=before.location)
        fast.insert_before(op, before)
        return op.results[0]


def has_loop_annotation(terminator: Operation) -> bool:
    """Returns True if the branch is a loop's latch with `llvm.loop` facts on it."""
    return "loop_annotation" in terminator.properties


def _only_used_by(values: Sequence[SSAValue], op: Operation) -> bool:
    return all(user is op for value in values for user in fast.users_of(value))
