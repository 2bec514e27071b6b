"""`dfa-jump-threading`: removes the switch of a state machine if the next state is known.

    ^loop(%state: i32, %i: i32):                 ^loop(%i: i32):
      llvm.switch %state : i32, ^out [             llvm.br ^a
        0: ^a, 1: ^b]                            ^a:
    ^a:                                    ->      llvm.br ^next.thread
      llvm.br ^next(%one : i32)                  ^next.thread:
    ^next(%to: i32):                               "work"()
      "work"()                                     llvm.br ^b
      llvm.br ^loop(%to, %i : i32, i32)

A state machine is a loop with a switch on a block argument. The state passes through the blocks
between the edge that sets it and the switch. For each constant state, the pass copies these blocks,
and the copy of the switch block branches to the successor of that state. A select with a constant
arm becomes a branch. (LLVM's DFAJumpThreading; document 004, "DFA JumpThreading".)

Legal because every execution runs the same ops in the same order: only paths that are never taken
disappear. Only the edges that carry the state are redirected: another edge of the same branch may
bring another state.

The pass copies loop headers, so it first computes the resulting graph, and does not change the
machine if that graph is irreducible, because PTX loops have one entry. The states must then be
known from the start, and no two states may be entered from several others. Convergent ops restrict
the pass as they do `jump-threading`. Unlike LLVM's pass, it copies no volatile or atomic access.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final

from xdsl.dialects.llvm import BrOp, FuncOp, SelectOp
from xdsl.ir import Block, BlockArgument, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.convergence import ConvergenceRule
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.printers import print_analysis
from nvvm_xdsl.analysis.values.poison import is_never_poison
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.ops import FreezeOp, SwitchOp
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.graphs import is_reducible
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
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

MAX_PATH_LENGTH: Final = 20
"""Maximum number of blocks of a path, including the block of the switch (LLVM's
dfa-max-path-length)."""

MAX_PATHS: Final = 200
"""Maximum number of edges of one machine that set a constant state (LLVM's dfa-max-num-paths)."""

COST_THRESHOLD: Final = 100
"""Maximum number of instructions that are copied for one switch (LLVM's dfa-cost-threshold)."""

MAX_SWITCHES: Final = 16
"""Maximum number of switches that one run threads: each requires new analyses."""

THREADED = Statistic("dfa-jump-threading", "threaded", "Number of edges threaded")


@dataclass(frozen=True)
class DFAJumpThreading(FunctionPass):
    """Removes the switch of a state machine if the next state is known."""

    name = "dfa-jump-threading"
    title = "DFAJumpThreading"
    idempotent = False

    dfa_jump_view_cfg_before: bool = False
    """Emits the control-flow graph as a remark before the pass changes it."""

    dfa_early_exit_heuristic: bool = True
    """Skips a switch if an edge within its loop sets a state that is not constant."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        region = func.regions[0]
        if not any(type(branches.terminator_of(b)) is SwitchOp for b in fast.blocks_of(region)):
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
            am.invalidate(func)
        return changed


_Path = tuple[Block, ...]
"""The copied blocks, from the block that is entered with the state to the switch."""


@dataclass
class _Step:
    """An edge that sets a constant state, directly or by one arm of a select that it passes."""

    edge: IncomingEdge
    state: int
    select: SelectOp | None = None
    arm: int = 0


@dataclass
class _Machine:
    """The switch of a state machine, and the edges that set its state.

    Paths with the same block end in the same blocks from there on.
    """

    switch: Block
    paths: dict[_Path, list[_Step]] = field(default_factory=dict[_Path, list[_Step]])
    """The edges that set a state, by the path that they enter."""
    carrying: dict[Block, list[int]] = field(default_factory=dict[Block, list[int]])
    """For each block of a path except the switch, the successor index of the edge that passes the
    state on."""
    inside: int = 0
    """The number of constant states that are set within the loop."""
    unknown_inside: bool = False
    """Whether an edge within the loop sets a state that is not constant."""

    def groups(self) -> dict[tuple[_Path, int], list[_Step]]:
        """The steps by their path and the successor that the switch takes in their state."""
        terminator = branches.terminator_of(self.switch)
        cases = branches.case_values(terminator, signed=True)
        found: dict[tuple[_Path, int], list[_Step]] = {}
        for path, steps in self.paths.items():
            for step in steps:
                way = 1 + cases.index(step.state) if step.state in cases else 0
                found.setdefault((path, way), []).append(step)
        return found

    def blocks(self) -> list[Block]:
        """The blocks that are copied."""
        return list(dict.fromkeys(block for path in self.paths for block in path))


def _thread_one(options: DFAJumpThreading, func: FuncOp, am: AnalysisManager) -> bool:
    """Threads the first machine that qualifies; returns whether any was threaded."""
    loops = am.get(LoopInfo, func)
    rule = ConvergenceRule(func, am)
    for block in am.get(CFG, func).rpo_blocks():
        machine = _find_machine(block, loops)
        if machine is None or not machine.inside:
            continue
        if options.dfa_early_exit_heuristic and machine.unknown_inside:
            continue
        if _cost(machine) > COST_THRESHOLD or not _keeps_convergence(machine, rule):
            continue
        if not _stays_reducible(machine, am.get(CFG, func)) or not _repairs_fit(machine, func):
            continue
        _thread(machine, func)
        return True
    return False


def _find_machine(block: Block, loops: LoopInfo) -> _Machine | None:
    """The state machine whose switch ends a block of a loop; None if there is none."""
    terminator = block.last_op
    loop = loops.loop_for(block)
    if not isinstance(terminator, SwitchOp) or loop is None:
        return None
    start = _chain_to(fast.operands_of(terminator)[0], block, loop.block_set)
    if start is None:
        return None
    machine = _Machine(block)
    _carry(machine, start[0])
    work = [start]
    seen = set(start[0])
    found = 0
    while work:
        path, index = work.pop()
        passed: dict[Block, SSAValue] = {}
        for edge in edges_into(path[0]):
            inside = edge.source in loop.block_set
            sent = edge.values[index] if edge.terminator.name in BRANCHES_WITH_ARGUMENTS else None
            steps: list[_Step] = []
            if sent is not None and edge.source not in path:
                if passed.get(edge.source) is sent:
                    machine.carrying[edge.source].append(edge.successor_index)
                    continue
                steps = _steps(edge, sent)
                further = _chain_to(sent, edge.source, loop.block_set) if not steps else None
                if further is not None and seen.isdisjoint(further[0]):
                    longer = (*further[0], *path)
                    if len(longer) <= MAX_PATH_LENGTH:
                        seen.update(further[0])
                        _carry(machine, further[0])
                        machine.carrying[edge.source] = [edge.successor_index]
                        passed[edge.source] = sent
                        work.append((longer, further[1]))
                        continue
            found += len(steps)
            machine.inside += inside * len(steps)
            for step in steps:
                machine.paths.setdefault(path, []).append(step)
            if inside and not _is_known(steps):
                machine.unknown_inside = True
            if found > MAX_PATHS:
                return None
    return machine


def _carry(machine: _Machine, chain: _Path) -> None:
    """Records the edges of a chain, each of which is the only edge into its block."""
    for block, following in pairwise(chain):
        targets = fast.successors_of(branches.terminator_of(block))
        machine.carrying[block] = [targets.index(following)]


def _chain_to(value: SSAValue, block: Block, inside: set[Block]) -> tuple[_Path, int] | None:
    """The chain of single predecessors from the block whose argument the value is to `block`.

    Also returns the number of the argument. None if the value is not an argument, if a block of the
    chain is outside the loop or may not be copied, or if the chain is too long.
    """
    if not isinstance(value, BlockArgument):
        return None
    chain = [block]
    while chain[0] is not value.block:
        before = fast.single_predecessor(chain[0])
        if before is None or len(chain) == MAX_PATH_LENGTH:
            return None
        chain.insert(0, before)
    for at in chain:
        if at not in inside or branches.terminator_of(at).name not in BRANCHES_WITH_ARGUMENTS:
            return None
        if any(is_unique_access(op) or not may_be_duplicated(op) for op in fast.ops_of(at)):
            return None
    return tuple(chain), value.index


def _steps(edge: IncomingEdge, sent: SSAValue) -> list[_Step]:
    """The constant states that an edge sets by passing a value: a constant, or a select of
    constants."""
    state = constant_integer(sent)
    if state is not None:
        return [_Step(edge, state)]
    select = sent.owner
    if (
        not isinstance(select, SelectOp)
        or type(edge.terminator) is not BrOp
        or select.parent is not edge.source
        or fast.single_use(sent) is None
    ):
        return []
    arms = [constant_integer(arm) for arm in fast.operands_of(select)[1:]]
    return [_Step(edge, arm, select, n) for n, arm in enumerate(arms) if arm is not None]


def _is_known(steps: list[_Step]) -> bool:
    """Whether these are all states that an edge can set: both arms of a select."""
    return bool(steps) and (steps[0].select is None or len(steps) == 2)


def _cost(machine: _Machine) -> int:
    """The number of instructions that are copied."""
    return sum(len(duplicated_ops(b)) for path, _ in machine.groups() for b in path)


def _keeps_convergence(machine: _Machine, rule: ConvergenceRule) -> bool:
    """Whether threads that execute a convergent op together still do so after `_thread`.

    If a convergent op is reached from a copied block before the post-dominator of that block, no
    divergent branch may separate the threads that reach a copied block.
    """
    blocks = machine.blocks()
    if not any(map(rule.decides_on_convergent_op, blocks)):
        return all(map(rule.may_part, blocks))
    conditions = [
        fast.operands_of(step.select)[0]
        for steps in machine.paths.values()
        for step in steps
        if step.select is not None
    ]
    return all(map(rule.arrives_together, blocks)) and all(map(rule.is_uniform, conditions))


def _stays_reducible(machine: _Machine, graph: CFG) -> bool:
    """Whether the control-flow graph after `_thread` is reducible; computed with the same
    copies.
    """
    successors = [list(targets) for targets in graph.successors]
    unfolded: set[SelectOp] = set()
    for (path, way), steps in machine.groups().items():
        entering: list[tuple[int, int]] = []
        for step in steps:
            source = graph.numbers[step.edge.source]
            if step.select is None:
                entering.append((source, step.edge.successor_index))
                continue
            if step.select not in unfolded:
                unfolded.add(step.select)
                successors[source] *= 2
            entering.append((source, step.arm))
        for block in path:
            copy = len(successors)
            targets = successors[graph.numbers[block]]
            successors.append([targets[way]] if block is machine.switch else list(targets))
            for source, place in entering:
                successors[source][place] = copy
            entering = [(copy, place) for place in machine.carrying.get(block, [])]
    return is_reducible(successors)


def _repairs_fit(machine: _Machine, func: FuncOp) -> bool:
    """Whether the number of uses to repair after all copies is within the limit; `_thread` cannot
    be undone.
    """
    size = sum(len(fast.successors_of(branches.terminator_of(b))) + 1 for b in func.body.blocks)
    threader = EdgeThreader(Constants(func), Budget(1000 + 32 * size))
    return all(threader.plan(block) is not None for path, _ in machine.groups() for block in path)


def _thread(machine: _Machine, func: FuncOp) -> None:
    """Copies the paths and redirects the edges that set their states."""
    threader = EdgeThreader(Constants(func), Budget(sys.maxsize))
    frequencies = EdgeFrequencies(func.body)
    unfolded: dict[SelectOp, list[IncomingEdge]] = {}
    for (path, way), steps in machine.groups().items():
        edges: list[IncomingEdge] = []
        for step in steps:
            if step.select is None:
                edges.append(step.edge)
                continue
            if step.select not in unfolded:
                unfolded[step.select] = _unfold(step.edge, step.select)
            edges.append(unfolded[step.select][step.arm])
        for block in path:
            plan = threader.plan(block)
            assert plan is not None
            taken = way if block is machine.switch else None
            moved = frequencies.of_edges(block, edges)
            copy = threader.thread(plan, edges, taken)
            frequencies.threaded(block, taken, copy, moved)
            last = branches.terminator_of(copy)
            edges = [IncomingEdge(last, place) for place in machine.carrying.get(block, [])]
        THREADED.add(len(steps))
    cfg.remove_unreachable_blocks(func.body)
    for block in machine.blocks():
        cfg.simplify_arguments(block)


def _unfold(edge: IncomingEdge, select: SelectOp) -> list[IncomingEdge]:
    """Replaces a select that an edge passes by a branch; returns the edges of its arms.

    The path may leave the loop before the switch; a poison condition of the select then had no
    effect. The condition is frozen so that the new branch is not undefined in that case.
    """
    ((target, sent),) = branches.edges_of(edge.terminator)
    condition, *arms = fast.operands_of(select)
    if not is_never_poison(condition):
        frozen = fast.create(FreezeOp, (condition,), (condition.type,), location=select.location)
        fast.insert_before(frozen, edge.terminator)
        condition = frozen.results[0]
    result = select.results[0]
    both = [tuple(arm if v is result else v for v in sent) for arm in arms]
    new = branches.conditional_branch(condition, target, both[0], target, both[1])
    copy_loop_annotation(edge.terminator, new)
    cfg.replace_terminator(edge.terminator, new)
    fast.erase(select)
    return [IncomingEdge(new, 0), IncomingEdge(new, 1)]
