"""`convergence-remarks`: reports where threads are converged, and which values are uniform.

    remark: convergence-remarks: k: Convergence:
    ^bb0: the block's threads run together
    ^then: apart, warps too
    ^join: the block's threads run together

NVIDIA's dump flags select the output (the quotations are cicc 13.0's help texts): `dump-conv-func`
"the function under Convergency Analysis", `dump-conv-text` and `dump-conv-dot` the "text format"
and the "dot format of the convergency analysis", and `dump-va` the "result from variance inquiry",
in the format of `print<uniformity>`. The pass changes nothing. It runs at the end of optimizing
pipelines if one of the flags is set.

Benefit: none; it only reports.
"""

from __future__ import annotations

from dataclasses import dataclass
from io import StringIO

from xdsl.dialects.llvm import FuncOp
from xdsl.printer import Printer

from nvvm_xdsl.analysis.barriers import Meetings
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.analysis.printers import print_analysis
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.base import FunctionPass

TOGETHER, WARPS, APART = (
    "all threads of the block are converged",
    "the threads of each warp are converged",
    "the threads of a warp may have diverged",
)

COLOURS = {TOGETHER: "white", WARPS: "lightgrey", APART: "grey"}


@dataclass(frozen=True)
class ConvergenceRemarks(FunctionPass):
    """Reports where threads are converged, and which values are uniform.

    Arguments:
        dump_conv_func: print the function.
        dump_conv_text: print one line for each block.
        dump_conv_dot: print a coloured graph of the blocks in Graphviz's language.
        dump_va: print the values that differ between the threads of a warp.
    """

    name = "convergence-remarks"
    title = "ConvergenceRemarks"

    dump_conv_func: bool = False
    dump_conv_text: bool = False
    dump_conv_dot: bool = False
    dump_va: bool = False

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        if self.dump_conv_func:
            text = StringIO()
            Printer(text).print_op(func)
            self._report(func, f"Function under convergence analysis:\n{text.getvalue()}")
        if self.dump_conv_text:
            lines = [f"{name}: {how}" for name, how in convergence_of(func, am).items()]
            self._report(func, "\n".join(["Convergence:", *lines]))
        if self.dump_conv_dot:
            self._report(func, f"Convergence:\n{graph_of(func, am)}")
        if self.dump_va:
            self._report(func, f"\n{print_analysis('uniformity', func, am)}")
        return False

    def _report(self, func: FuncOp, text: str) -> None:
        remarks.emit(
            "Analysis", self.name, "Convergence", symbol_name(func) or "", text, shown=True
        )


def convergence_of(func: FuncOp, am: AnalysisManager) -> dict[str, str]:
    """The threads that reach each block together: `TOGETHER`, `WARPS` or `APART`, by block name."""
    cfg = am.get(CFG, func)
    meetings = Meetings(func, am)
    found: dict[str, str] = {}
    for number in cfg.rpo:
        block = cfg.blocks[number]
        warp = WARPS if meetings.of_warp(block) else APART
        found[cfg.name(number)] = TOGETHER if meetings.of_block(block) else warp
    return found


def graph_of(func: FuncOp, am: AnalysisManager) -> str:
    """The function's blocks in the language of Graphviz."""
    cfg = am.get(CFG, func)
    lines = [f'digraph "{symbol_name(func) or ""}" {{', "  node [shape=box, style=filled];"]
    for name, how in convergence_of(func, am).items():
        lines.append(f'  "{name}" [label="{name}\\n{how}", fillcolor={COLOURS[how]}];')
    for number in cfg.rpo:
        for target in dict.fromkeys(cfg.successors[number]):
            lines.append(f'  "{cfg.name(number)}" -> "{cfg.name(target)}";')
    return "\n".join([*lines, "}"])


__all__ = ["ConvergenceRemarks", "convergence_of", "graph_of"]
