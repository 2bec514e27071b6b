"""`break-crit-edges`: inserts a block on each critical edge.

      llvm.cond_br %c, ^body, ^exit(%a : i32)         llvm.cond_br %c, ^body, ^exit_crit_edge
    ^body:                                          ^exit_crit_edge:
      llvm.br ^exit(%b : i32)                 ->      llvm.br ^exit(%a : i32)
    ^exit(%r: i32):                                 ^body:
                                                      llvm.br ^exit(%b : i32)
                                                    ^exit(%r: i32):

The block can hold code that belongs only to that edge: a copy, or a computation that only this path
lacks. `simplifycfg` removes blocks that stay empty, so only passes that run directly after this one
benefit. `early-tailduplication` removes empty blocks that reach code generation (LLVM's
BreakCriticalEdges; its CodeGenPrepare removes them). The annotation of a loop is moved to its new
backedge. Edges of terminators whose targets are addresses are not split, nor are those of switches
with more than `max-ways` successors, because creating and removing each block takes time
proportional to the number of edges.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.setters import remove_loop_annotation, set_loop_annotation
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.transforms.cfg import may_split_edges, split_edge

SPLIT = Statistic("break-crit-edges", "split", "Number of critical edges split")


@dataclass(frozen=True)
class BreakCriticalEdges(FunctionPass):
    """Inserts blocks on critical edges."""

    name = "break-crit-edges"
    title = "BreakCriticalEdges"

    max_ways: int = 256
    """Maximum number of successors of a terminator whose edges are split; LLVM has no such
    limit."""

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        loops = am.get(LoopInfo, func)
        edges = [
            (source, index)
            for source, index in am.get(CFG, func).critical_edges()
            if may_split_edges(last := branches.terminator_of(source))
            and len(fast.successors_of(last)) <= self.max_ways
        ]
        for source, index in edges:
            terminator = branches.terminator_of(source)
            target = fast.successors_of(terminator)[index]
            made = split_edge(terminator, index)
            loop = loops.loop_for(target)
            if loop is not None and loop.header is target and loop.contains(source):
                annotation = remove_loop_annotation(terminator)
                if annotation is not None:
                    set_loop_annotation(branches.terminator_of(made), annotation)
        SPLIT.add(len(edges))
        return bool(edges)


__all__ = ["BreakCriticalEdges"]
