"""`dfa-jump-threading`: state machines go from state to state without their switch.

    ^loop(%state: i32, %i: i32):                 ^loop(%i: i32):
      llvm.switch %state : i32, ^out [             llvm.br ^a
        0: ^a, 1: ^b]                            ^a:
    ^a:                                    ->      llvm.br ^next.thread
      llvm.br ^next(%one : i32)                  ^next.thread:
    ^next(%to: i32):                               "work"()
      "work"()                                     llvm.br ^b
      llvm.br ^loop(%to, %i : i32, i32)

A switch in a loop on an argument that its predecessors set, some way up a chain of blocks that only
hand it on, is left out where it is a constant that is set: the blocks from there to the switch are
copied for each constant. A select of constants becomes a branch. (LLVM's DFAJumpThreading; document
004, "DFA JumpThreading". It shares nothing with `jump-threading` but what copies blocks.)

Legal for the same reason as there. But this pass copies headers of loops: it works out first what
the graph would be and leaves a machine alone whose states would be entered from several others,
since PTX wants its loops with one entry. That leaves those that begin in a known state and that
go round through it, or forward only. Convergent ops bound it as they do `jump-threading`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from xdsl.dialects.llvm import BrOp, FuncOp, SelectOp
from xdsl.ir import Block, BlockArgument, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.printers import print_analysis
from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.dialects.llvm.switches import case_values
from nvvm_xdsl.ir import branches, fast, remarks
from nvvm_xdsl.ir.attributes import integer_width
from nvvm_xdsl.ir.graphs import is_reducible
from nvvm_xdsl.ir.integers import constant_integer
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.ir.verifier import function_name
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.scalar.simplifycfg import copy_loop_annotation
from nvvm_xdsl.passes.utils import cfg
from nvvm_xdsl.passes.utils.constants import Constants
from nvvm_xdsl.passes.utils.side_effects import is_removable
from nvvm_xdsl.passes.utils.thread_edges import (
    BRANCHES,
    EdgeThreader,
    IncomingEdge,
    Work,
    duplicated_ops,
    edges_into,
    is_single,
    may_be_duplicated,
)

SwitchOp = op_class("llvm.switch")

MAX_PATH_LENGTH: Final = 20
"""Blocks from where a state is set to the switch, itself counted (LLVM's dfa-max-path-length)."""

MAX_PATHS: Final = 200
"""Edges that set a state (LLVM's dfa-max-num-paths)."""

COST_THRESHOLD: Final = 100
"""Instructions that may be copied for one switch (LLVM's dfa-cost-threshold)."""

MAX_SWITCHES: Final = 16
"""Switches of one function that a run leaves out: each takes new analyses."""

THREADED = Statistic("dfa-jump-threading", "threaded", "Number of edges threaded")


@dataclass(frozen=True)
class DFAJumpThreading(FunctionPass):
    """Leaves the switch of a state machine out where the next state is known."""

    name = "dfa-jump-threading"
    title = "DFAJumpThreading"
    idempotent = False

    dfa_jump_view_cfg_before: bool = False
    """Emits the control-flow graph before anything is changed, as a remark."""

    dfa_early_exit_heuristic: bool = True
    """Leaves a switch alone when a state that is not known comes from its own loop."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        region = func.regions[0]
        if not any(branches.terminator_of(b).__class__ is SwitchOp for b in fast.blocks_of(region)):
            return False
        if self.dfa_jump_view_cfg_before:
            text = print_analysis("cfg", func)
            function = function_name(func) or ""
            remarks.emit("Analysis", self.name, "CFG", function, text, shown=True)
        changed = cfg.remove_unreachable_blocks(region)
        if changed:
            am.invalidate(func)
        for _ in range(MAX_SWITCHES):
            if not _thread_one(self, func, am):
                break
            changed = True
            cfg.remove_unreachable_blocks(region)
            am.invalidate(func)
        return changed


@dataclass
class _Step:
    """An edge that sets the state, by itself or by one arm of a select that it brings."""

    edge: IncomingEdge
    state: int
    select: SelectOp | None = None
    arm: int = 0


@dataclass
class _Machine:
    """A switch of a state machine and what sets its state.

    `paths` has, by the blocks that are copied, from where the state is set to the switch, the
    edges into the first of them.
    """

    switch: Block
    paths: dict[tuple[Block, ...], list[_Step]] = field(
        default_factory=dict[tuple[Block, ...], list[_Step]]
    )
    inside: int = 0
    unknown_inside: bool = False

    def groups(self) -> dict[tuple[tuple[Block, ...], int], list[_Step]]:
        """The steps by the blocks that are copied and the way to take from the switch."""
        terminator = branches.terminator_of(self.switch)
        numbers = case_values(terminator)
        width = integer_width(fast.operands_of(terminator)[0].type)
        mask = (1 << width) - 1
        masked = [n & mask for n in numbers]
        found: dict[tuple[tuple[Block, ...], int], list[_Step]] = {}
        for path, steps in self.paths.items():
            for step in steps:
                state = step.state & mask
                way = 1 + masked.index(state) if state in masked else 0
                found.setdefault((path, way), []).append(step)
        return found


def _thread_one(options: DFAJumpThreading, func: FuncOp, am: AnalysisManager) -> bool:
    """Threads the first machine that may be; returns whether there was one."""
    loops = am.get(LoopInfo, func)
    if not loops.is_reducible:
        return False
    rule = ConvergenceRule(func, am)
    for block in am.get(CFG, func).rpo_blocks():
        machine = _find_machine(block, loops)
        if machine is None or not machine.inside:
            continue
        if options.dfa_early_exit_heuristic and machine.unknown_inside:
            continue
        if _cost(machine) > COST_THRESHOLD or not _keeps_convergence(machine, rule):
            continue
        if not _stays_reducible(machine, am.get(CFG, func)):
            continue
        return _thread(machine, func)
    return False


def _find_machine(block: Block, loops: LoopInfo) -> _Machine | None:
    """The machine of a switch in a loop; None when the block has none."""
    terminator = block.last_op
    loop = loops.loop_for(block)
    if terminator is None or terminator.__class__ is not SwitchOp or loop is None:
        return None
    start = _way_down(fast.operands_of(terminator)[0], block, loop.block_set)
    if start is None:
        return None
    machine = _Machine(block)
    work = [start]
    seen = set(start[0])
    found = 0
    while work:
        path, index = work.pop()
        for edge in edges_into(path[0]):
            inside = edge.source in loop.block_set
            sent = edge.sent[index] if edge.terminator.name in BRANCHES else None
            steps: list[_Step] = []
            if sent is not None and edge.source not in path:
                steps = _steps(edge, sent)
                further = _way_down(sent, edge.source, loop.block_set) if not steps else None
                if further is not None and seen.isdisjoint(further[0]):
                    seen.update(further[0])
                    longer = (*further[0], *path)
                    if len(longer) <= MAX_PATH_LENGTH:
                        work.append((longer, further[1]))
                        continue
            found += len(steps)
            if steps:
                machine.paths.setdefault(path, []).extend(steps)
                machine.inside += inside
            else:
                machine.unknown_inside = machine.unknown_inside or inside
            if found > MAX_PATHS:
                return None
    return machine


def _way_down(
    value: SSAValue, block: Block, inside: set[Block]
) -> tuple[tuple[Block, ...], int] | None:
    """The one way in the loop from where the value is an argument to the block, and which it is.

    None when it is no argument, is one outside of the loop, or a block on the way may not be copied.
    """
    if not isinstance(value, BlockArgument):
        return None
    way = [block]
    while way[0] is not value.block:
        before = fast.single_predecessor(way[0])
        if before is None or len(way) == MAX_PATH_LENGTH:
            return None
        way.insert(0, before)
    for at in way:
        if at not in inside or branches.terminator_of(at).name not in BRANCHES:
            return None
        if any(is_single(op) or not may_be_duplicated(op) for op in fast.ops_of(at)):
            return None
    return tuple(way), value.index


def _steps(edge: IncomingEdge, sent: SSAValue) -> list[_Step]:
    """The states that an edge sets; none when one is not known."""
    state = constant_integer(sent)
    if state is not None:
        return [_Step(edge, state)]
    select = sent.owner
    if (
        not isinstance(select, SelectOp)
        or edge.terminator.__class__ is not BrOp
        or select.parent is not edge.source
        or fast.single_use(sent) is None
    ):
        return []
    arms = [constant_integer(arm) for arm in fast.operands_of(select)[1:]]
    return [_Step(edge, arm, select, n) for n, arm in enumerate(arms) if arm is not None]


def _cost(machine: _Machine) -> int:
    """The instructions that are copied."""
    return sum(len(duplicated_ops(b)) for path, _ in machine.groups() for b in path)


def _keeps_convergence(machine: _Machine, rule: ConvergenceRule) -> bool:
    blocks = dict.fromkeys(b for path in machine.paths for b in path)
    if not any(map(rule.decides_on_convergent_op, blocks)):
        return True
    conditions = [
        fast.operands_of(step.select)[0]
        for steps in machine.paths.values()
        for step in steps
        if step.select is not None
    ]
    return all(map(rule.arrives_together, blocks)) and all(
        rule.is_uniform(condition) for condition in conditions
    )


def _stays_reducible(machine: _Machine, graph: CFG) -> bool:
    """Whether the graph will have no cycle with several entries."""
    successors = [list(targets) for targets in graph.successors]
    targets = graph.successors[graph.numbers[machine.switch]]
    opened: set[SelectOp] = set()
    for (path, way), steps in machine.groups().items():
        first = len(successors)
        for place, block in enumerate(path[:-1]):
            following = graph.numbers[path[place + 1]]
            copied = graph.successors[graph.numbers[block]]
            successors.append([first + place + 1 if t == following else t for t in copied])
        successors.append([targets[way]])
        for step in steps:
            source = successors[graph.numbers[step.edge.source]]
            if step.select is None:
                source[step.edge.place] = first
            else:
                # The select becomes a branch with an edge for each arm.
                if step.select not in opened:
                    opened.add(step.select)
                    source.append(source[0])
                source[step.arm] = first
    return is_reducible(successors)


def _thread(machine: _Machine, func: FuncOp) -> bool:
    """Makes the copies; returns whether anything was changed."""
    size = sum(len(fast.successors_of(branches.terminator_of(b))) + 1 for b in func.body.blocks)
    threader = EdgeThreader(Constants(func), Work(1000 + 32 * size))
    unfolded: dict[SelectOp, list[IncomingEdge]] = {}
    changed = False
    for (path, way), steps in machine.groups().items():
        edges: list[IncomingEdge] = []
        for step in steps:
            if step.select is None:
                edges.append(step.edge)
                continue
            if step.select not in unfolded:
                unfolded[step.select] = _unfold(step.edge, step.select)
                changed = True
            edges.append(unfolded[step.select][step.arm])
        for place, block in enumerate(path):
            plan = threader.plan(block)
            if plan is None:
                return changed
            changed = True
            if block is machine.switch:
                threader.thread(plan, edges, way)
                break
            copy = threader.thread(plan, edges, None)
            edges = [e for e in edges_into(path[place + 1]) if e.source is copy]
        THREADED.add(len(steps))
    for block in dict.fromkeys(b for path in machine.paths for b in path):
        if block.first_use is not None:
            cfg.simplify_arguments(block)
    return changed


def _unfold(edge: IncomingEdge, select: SelectOp) -> list[IncomingEdge]:
    """Makes a select that an edge brings a branch; returns the edges of its arms."""
    (target, sent) = branches.edges_of(edge.terminator)[0]
    condition, *arms = fast.operands_of(select)
    result = select.results[0]
    both = [tuple(arm if v is result else v for v in sent) for arm in arms]
    new = branches.conditional_branch(condition, target, both[0], target, both[1])
    copy_loop_annotation(edge.terminator, new)
    cfg.replace_terminator(edge.terminator, new)
    if is_removable(select):
        fast.erase(select)
    return [IncomingEdge(new, 0), IncomingEdge(new, 1)]
