"""Control flow of a function as data: blocks and edges, loops, frequencies, divergence."""

from __future__ import annotations

from dataclasses import dataclass, field

from xdsl.ir import Operation

from nvvm_xdsl.analysis.branch_probability import BlockFrequency, BranchProbability
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.driver.pictures import uniformity_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.steady_text import FunctionText


@dataclass(frozen=True)
class Edge:
    """An edge: the index of its target block, and its probability."""

    target: int
    probability: float


@dataclass(frozen=True)
class BlockFacts:
    """A block.

    Attributes:
        name: its label in the text, without the `^`.
        line: the number of its first line in the function's text, from 0.
        lines: number of its lines.
        frequency: executions per call of the function.
        loop: the number of the innermost loop around it, -1 for none.
        divergent: whether the threads of a warp may leave it by different edges.
    """

    name: str
    line: int
    lines: int
    frequency: float
    loop: int
    divergent: bool
    edges: tuple[Edge, ...]


@dataclass(frozen=True)
class LoopFacts:
    """A loop: the index of its header, that of the enclosing loop or -1, and its depth from 1."""

    header: int
    parent: int
    depth: int


@dataclass
class Flow:
    """The control flow of a function at one stage.

    Attributes:
        blocks: the reachable blocks, with the entry first.
        divergent: names of the values that may differ between the threads of a warp.
    """

    blocks: list[BlockFacts] = field(default_factory=list[BlockFacts])
    loops: list[LoopFacts] = field(default_factory=list[LoopFacts])
    divergent: list[str] = field(default_factory=list[str])


def flow_of(func: Operation, am: AnalysisManager, text: FunctionText) -> Flow:
    """The control flow of a function of the llvm or the nvptx dialect.

    Arguments:
        text: the printed function, with the names of its values.
    """
    cfg = am.get(CFG, func)
    loops = am.get(LoopInfo, func)
    frequency = am.get(BlockFrequency, func)
    probability = am.get(BranchProbability, func)
    uniformity = uniformity_of(func, am)
    found = Flow()
    numbers = {number: place for place, number in enumerate(cfg.rpo)}
    loop_numbers = {loop: number for number, loop in enumerate(loops.loops())}
    for loop in loops.loops():
        parent = -1 if loop.parent is None else loop_numbers[loop.parent]
        found.loops.append(LoopFacts(numbers[cfg.numbers[loop.header]], parent, loop.depth))
    starts = text.block_places(func)
    for number in cfg.rpo:
        block = cfg.blocks[number]
        loop = loops.loop_for(block)
        start, count = starts[number]
        found.blocks.append(
            BlockFacts(
                text.name_of_block(block),
                start,
                count,
                frequency.of(block),
                -1 if loop is None else loop_numbers[loop],
                uniformity is not None and uniformity.has_divergent_branch(block),
                tuple(
                    Edge(numbers[target], probability.edge(block, index))
                    for index, target in enumerate(cfg.successors[number])
                ),
            )
        )
        if uniformity is not None:
            values = [*block.args, *(r for op in fast.ops_of(block) for r in op.results)]
            found.divergent += [text.name_of(v) for v in values if uniformity.is_divergent(v)]
    return found
