"""`loop-simplify`: a loop gets one way in, one way back, and exits that are its own.

    llvm.cond_br %a, ^loop, ^exit             llvm.cond_br %a, ^preheader, ^exit
  ^loop:                                    ^preheader:
    ...                                       llvm.br ^loop
    llvm.cond_br %b, ^loop, ^more      ->   ^loop:
  ^more:                                      ...
    llvm.cond_br %c, ^loop, ^exit             llvm.cond_br %b, ^latch, ^more
                                            ^more:
                                              llvm.cond_br %c, ^latch, ^dedicated
                                            ^latch:
                                              llvm.br ^loop
                                            ^dedicated:
                                              llvm.br ^exit

What a pass hoists goes into the preheader, what it sinks into the exits, and a block between two
others changes nothing of what is computed. `simplifycfg` takes blocks away again that are still empty.
(LLVM's LoopSimplify.cpp; the sequences' row 20, sub_198DF00.)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.ir import branches, fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.utils.loops import split_edges

_SPLITTABLE = frozenset({"llvm.br", "llvm.cond_br", "llvm.switch"})


@dataclass(frozen=True)
class LoopSimplify(FunctionPass):
    """Brings loops into the form that other passes over loops start from."""

    name = "loop-simplify"
    title = "LoopSimplify"

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        loops = am.get(LoopInfo, func)
        changed = False
        for loop in loops.innermost_first():
            changed |= self._simplify(loop, loops)
        return changed

    def _simplify(self, loop: Loop, loops: LoopInfo) -> bool:
        changed = False
        entering = loop.entering_blocks()
        if loop.preheader() is None and _can_split(entering):
            block = split_edges(loop.header, entering)
            fast.set_name(block, _name(loop, "preheader"))
            loops.add_block(block, loop.parent)
            changed = True
        latches = loop.latches()
        if len(latches) > 1 and _can_split(latches):
            loops.add_block(self._join(loop, latches), loop)
            changed = True
        for exit_ in loop.exit_blocks():
            before = dict.fromkeys(fast.predecessors_of(exit_))
            inside = [b for b in before if loop.contains(b)]
            if len(inside) < len(before) and _can_split(inside):
                block = split_edges(exit_, inside)
                fast.set_name(block, _name(loop, "loopexit"))
                loops.add_block(block, loops.common_loop(loop.header, exit_))
                changed = True
        return changed

    def _join(self, loop: Loop, latches: list[Block]) -> Block:
        """Lets several latches go back by one, which is made."""
        annotation = None
        for latch in latches:
            properties = branches.terminator_of(latch).properties
            annotation = properties.pop("loop_annotation", None) or annotation
        block = split_edges(loop.header, latches)
        fast.set_name(block, _name(loop, "backedge"))
        if annotation is not None:
            branches.terminator_of(block).properties["loop_annotation"] = annotation
        return block


def _can_split(sources: Iterable[Block]) -> bool:
    return all(branches.terminator_of(b).name in _SPLITTABLE for b in sources)


def _name(loop: Loop, word: str) -> str | None:
    name = loop.header.name_hint
    return None if name is None else f"{name}_{word}"
