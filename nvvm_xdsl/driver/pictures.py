"""Pictures of functions: control-flow graphs, dominator trees, call graphs, register pressure.

Graphs are in Graphviz's language, which its `dot` draws; plots are Matplotlib's. Both packages come
with the extra `view`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.branch_probability import BlockFrequency, BranchProbability
from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree, PostDominatorTree
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.machine.register_pressure import RegisterPressure, registers_of
from nvvm_xdsl.analysis.machine.uniformity import MachineUniformity
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.uniformity import Uniformity
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.nvptx.functions import FuncOp as MachineFunc
from nvvm_xdsl.dialects.nvptx.special_registers import RegisterOp
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.steady_text import FunctionText


class Graph(Protocol):
    """The methods of Graphviz's `Digraph` that are used here."""

    @property
    def source(self) -> str:
        """The graph in Graphviz's language."""
        ...

    def attr(self, **attributes: str) -> None:
        """Sets attributes of the graph."""

    def node(self, name: str, label: str | None = None, **attributes: str) -> None:
        """Adds a node."""

    def edge(
        self, tail_name: str, head_name: str, label: str | None = None, **attributes: str
    ) -> None:
        """Adds an edge."""

    def subgraph(self, graph: Any) -> Any:
        """Adds a finished graph within this one."""

    def pipe(self, format: str) -> bytes:
        """The graph drawn by Graphviz's `dot`."""
        ...


LINE_WIDTH = 72
"""Number of characters of an op that a node shows."""

_HEAT = ("#ffffff", "#fff5eb", "#fee6ce", "#fdd0a2", "#fdae6b", "#fd8d3c")
"""Colours of blocks, from those that are rarely executed to those in inner loops (ColorBrewer)."""

_DIVERGENT = "#c00000"


def _digraph(name: str) -> Graph:
    try:
        from graphviz import Digraph
    except ImportError:
        raise DiagnosticError(
            "pictures need the extra 'view': pip install nvvm-xdsl[view]"
        ) from None
    return Digraph(
        name,
        node_attr={"shape": "box", "fontname": "monospace", "fontsize": "10"},
        edge_attr={"fontname": "monospace", "fontsize": "9"},
    )


def functions(module: ModuleOp) -> list[Operation]:
    """The functions with a body, of the llvm and the nvptx dialect, in order."""
    return [
        op
        for op in module.ops
        if isinstance(op, (FuncOp, MachineFunc)) and op.regions[0].first_block is not None
    ]


def uniformity_of(func: Operation, am: AnalysisManager) -> Uniformity | None:
    """The uniformity of values in a function of the llvm or the nvptx dialect.

    None for machine code out of SSA form, for which it cannot be computed.
    """
    if isinstance(func, FuncOp):
        return am.get(Uniformity, func)
    if any(type(op) is RegisterOp for op in func.walk()):
        return None
    return am.get(MachineUniformity, func)


def _cut(text: str) -> str:
    text = text.strip()
    return text if len(text) <= LINE_WIDTH else text[: LINE_WIDTH - 3] + "..."


def _left_aligned(lines: list[str]) -> str:
    from graphviz import escape

    # In Graphviz, \l ends a left-aligned line.
    return "".join(escape(line) + "\\l" for line in lines)


def cfg_graph(func: Operation, am: AnalysisManager, instructions: int = 12) -> Graph:
    """The control-flow graph of a function.

    Frequently executed blocks have warm colours; edges are labelled with probabilities. Divergent
    branches are red, loops are boxes.

    Arguments:
        func: of the llvm or the nvptx dialect.
        instructions: how many ops of a block to show, 0 for its name alone.
    """
    cfg = am.get(CFG, func)
    loops = am.get(LoopInfo, func)
    frequency = am.get(BlockFrequency, func)
    probability = am.get(BranchProbability, func)
    uniformity = uniformity_of(func, am)
    graph = _digraph(symbol_name(func) or "function")
    graph.attr(label=f"CFG of {symbol_name(func)}", labelloc="t", fontname="monospace")
    text = FunctionText()
    texts = text.lines(func)
    places = text.block_places(func)
    hottest = max((frequency.of(block) for block in cfg.rpo_blocks()), default=1.0)

    def node(to: Graph, number: int) -> None:
        block = cfg.blocks[number]
        start, count = places[number]
        ops = [_cut(line.text) for line in texts[start : start + count]]
        # The entry's arguments are those of the function, and its label is not printed.
        label = ops.pop(0) if number else f"^{text.name_of_block(block)}:"
        lines = [label, *ops[:instructions]]
        if 0 < instructions < len(ops):
            lines.append(f"... {len(ops) - instructions} more")
        colour = _HEAT[_heat(frequency.of(block), hottest)]
        to.node(str(number), _left_aligned(lines), style="filled", fillcolor=colour)

    _place_blocks(graph, cfg, loops, node)
    for number in cfg.rpo:
        block = cfg.blocks[number]
        divergent = uniformity is not None and uniformity.has_divergent_branch(block)
        for index, target in enumerate(cfg.successors[number]):
            label = ""
            if len(cfg.successors[number]) > 1:
                label = f"{probability.edge(block, index):.0%}"
            colour = _DIVERGENT if divergent else "black"
            graph.edge(str(number), str(target), label=label, color=colour)
    return graph


def _heat(frequency: float, hottest: float) -> int:
    from math import log2

    # One step of colour is a factor of four in frequency; the entry has frequency 1.
    if frequency <= 0 or hottest <= 1:
        return 0
    return max(0, min(len(_HEAT) - 1, round(log2(max(frequency, 1)) / 2)))


def _place_blocks(
    graph: Graph, cfg: CFG, loops: LoopInfo, node: Callable[[Graph, int], None]
) -> None:
    """Puts the blocks of each loop into a cluster, inner loops within outer ones."""
    clusters: dict[Loop, Graph] = {}
    for loop in loops.loops():
        header = cfg.number(loop.header)
        made = _digraph(f"cluster_{header}")
        made.attr(label=f"loop, depth {loop.depth}", style="rounded", color="gray40")
        clusters[loop] = made
    for number in cfg.rpo:
        loop = loops.loop_for(cfg.blocks[number])
        node(graph if loop is None else clusters[loop], number)
    for loop in loops.innermost_first():
        outer = graph if loop.parent is None else clusters[loop.parent]
        outer.subgraph(clusters[loop])


def dominator_graph(func: Operation, am: AnalysisManager, *, post: bool = False) -> Graph:
    """The dominator tree of a function, or with `post` its post-dominator tree."""
    tree = am.get(PostDominatorTree, func) if post else am.get(DominatorTree, func)
    what = "Post-dominator tree" if post else "Dominator tree"
    graph = _digraph(symbol_name(func) or "function")
    graph.attr(label=f"{what} of {symbol_name(func)}", labelloc="t", fontname="monospace")
    for number in tree.preorder_numbers():
        exit_ = post and number == tree.root
        graph.node(str(number), "exit" if exit_ else tree.cfg.name(number))
        for child in tree.children_numbers(number):
            graph.edge(str(number), str(child))
    return graph


def call_graph(module: ModuleOp, am: AnalysisManager) -> Graph:
    """The call graph of a module; kernels have double borders, declarations are dashed."""
    calls = am.get(CallGraph, module)
    graph = _digraph("calls")
    for name, node in calls.nodes.items():
        kernel = is_kernel(node.func)
        graph.node(
            name,
            name,
            peripheries="2" if kernel else "1",
            style="dashed" if node.is_declaration else "solid",
        )
        for callee in node.callees():
            graph.edge(name, callee.name)
    return graph


def pressure_plot(func: Operation, am: AnalysisManager) -> Any:
    """A Matplotlib plot of the number of 32-bit registers that are live after each op of a
    function."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise DiagnosticError(
            "pictures need the extra 'view': pip install nvvm-xdsl[view]"
        ) from None
    pressure = am.get(RegisterPressure, func)
    cfg = pressure.cfg
    counts: list[int] = []
    starts: list[tuple[int, Block, int]] = []
    for number in cfg.rpo:
        block = cfg.blocks[number]
        starts.append((len(counts), block, number))
        counts += [registers_of(point) for point in pressure.points(block)]
    figure = Figure(figsize=(max(6.0, min(24.0, len(counts) / 12)), 4.0), layout="constrained")
    axes: Any = figure.subplots()
    axes.fill_between(range(len(counts)), counts, step="post", alpha=0.3)
    axes.step(range(len(counts)), counts, where="post")
    most = max(counts, default=0)
    axes.axhline(most, linestyle=":", color="gray")
    axes.set_title(f"Register pressure of {symbol_name(func)}: at most {most}")
    axes.set_xlabel("op, blocks in reverse post-order")
    axes.set_ylabel("live 32-bit registers")
    axes.set_ylim(bottom=0)
    for at, _, number in starts:
        axes.axvline(at, color="gray", linewidth=0.5)
        axes.text(at, most, cfg.name(number), rotation=90, va="top", fontsize=7)
    return figure
