"""Modules, functions, PTX and launches as notebooks show them, and CUDA C++ in a cell.

In Jupyter and IPython

    %load_ext nvvm_xdsl.integrations.notebook

shows xDSL's modules highlighted, functions as their control-flow graphs, launches as tables, and
adds the magic `%%cuda`. `compile` and `launch` are the package's functions for notebooks: they do
not modify their arguments, and their results display themselves. In marimo `mo.Html(html(value))`
displays all values that `html` supports.
"""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable, Sequence
from html import escape
from typing import Any, Final

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.nvptx.functions import FuncOp as MachineFunc
from nvvm_xdsl.driver import compile as driver
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.driver.pictures import cfg_graph
from nvvm_xdsl.integrations.cuda import parse_cuda
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab import error_report, profile_report
from nvvm_xdsl.lab.launches import Dim, Launch, Outcome, run
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import Result, prepare
from nvvm_xdsl.simulator.execution.profile import Profile

MOST_LINES: Final = 1000
"""The maximum number of lines of a text that are shown."""

MOST_BLOCKS: Final = 200
"""The maximum number of blocks for drawing a graph: Graphviz takes seconds for more."""

MOST_REPORTS: Final = 10

_PAPER: Final = "background:#fff;color:#000;padding:0.5em;overflow:auto;max-height:40em"
"""The style of the output, whose colours are for a light background."""


class Ptx(str):
    """The PTX that `compile` returns: a string that notebooks show highlighted."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return html(self)


class Launched(Outcome):
    """The outcome of a launch, displayed as tables. `launch` creates it."""

    def _repr_html_(self) -> str:
        return html(self)


def compile(source: driver.Source, options: CompileOptions | None = None) -> Ptx:
    """PTX for NVVM IR in any form that `nvvm_xdsl.parse` accepts. A module is not changed.

    Raises DiagnosticError.
    """
    if isinstance(source, ModuleOp):
        source = source.clone()
    return Ptx(driver.compile(source, options=options))


def launch(
    code: ModuleOp | str,
    kernel: str,
    grid: Dim,
    block: Dim,
    args: Sequence[Any],
    *,
    shared_bytes: int = 0,
) -> Launched:
    """Runs a kernel in the simulator on copies of its arrays, and counts what it executes.

    Arguments:
        code: a module of the llvm and nvvm dialects or of nvptx, or PTX.
        kernel: the kernel's name.
        grid, block: numbers of blocks and threads, one to three of each.
        args: one for each parameter, as for `nvvm_xdsl.simulator.launch`.
        shared_bytes: size of dynamic shared memory in bytes.
    Raises:
        SimulationError: the kernel performs an invalid operation.
        DiagnosticError: the text is not valid PTX.
    """
    if isinstance(code, ModuleOp):
        program = prepare(code, counting=True)
    else:
        program = executable(code, None, counting=True).program
    left = run(program, Launch(kernel, grid, block, tuple(args), shared_bytes))
    return Launched(**vars(left))


def html(value: object) -> str:
    """A module, a function, PTX or the outcome of a launch, as HTML.

    Raises TypeError for other values.
    """
    for cls, show in _SHOWN.items():
        if isinstance(value, cls):
            return show(value)
    raise TypeError(f"no HTML is known for a {type(value).__name__}")


def highlighted(text: str, language: str) -> str:
    """The first `MOST_LINES` of a text as HTML, highlighted if Pygments is installed.

    Arguments:
        language: `llvm`, `mlir` or `ptx`.
    """
    lines = text.rstrip("\n").split("\n")
    shown = "\n".join(lines[:MOST_LINES])
    rest = len(lines) - MOST_LINES
    return _coloured(shown, language) + (f"<p>{rest:,} more lines</p>" if rest > 0 else "")


def _coloured(text: str, language: str) -> str:
    try:
        from pygments import highlight
        from pygments.formatters import HtmlFormatter
        from pygments.lexer import Lexer
        from pygments.lexers.asm import LlvmLexer
        from pygments.lexers.ptx import PtxLexer

        from nvvm_xdsl.integrations.mlir_lexer import MlirLexer
    except ImportError:
        return f'<pre style="{_PAPER}">{escape(text)}</pre>'
    lexers: dict[str, type[Lexer]] = {"llvm": LlvmLexer, "mlir": MlirLexer, "ptx": PtxLexer}
    # Notebooks remove style sheets from output that is not trusted.
    formatter = HtmlFormatter[str](noclasses=True, cssstyles=_PAPER)
    return highlight(text, lexers[language](), formatter)


def _module_html(module: ModuleOp) -> str:
    return highlighted(str(module), "mlir")


def _function_html(func: FuncOp | MachineFunc) -> str:
    text = highlighted(str(func), "mlir")
    drawn = _svg(func)
    if drawn is None:
        return text
    return f'<div style="{_PAPER}">{drawn}</div><details><summary>as text</summary>{text}</details>'


def _svg(func: FuncOp | MachineFunc) -> str | None:
    """A function's control-flow graph; None for a declaration, a large one, or without Graphviz."""
    if not 0 < len(func.body.blocks) <= MOST_BLOCKS or shutil.which("dot") is None:
        return None
    try:
        graph = cfg_graph(func, AnalysisManager())
    except DiagnosticError:
        # The package `graphviz` is not installed; the text is shown.
        return None
    text = graph.pipe("svg").decode()
    # Without XML's header, and no wider than the page.
    return text[text.index("<svg") :].replace(
        "<svg ", '<svg style="max-width:100%;height:auto" ', 1
    )


def _outcome_html(outcome: Outcome) -> str:
    arrays = "".join(
        f"<tr><td>{position}</td><td>{escape(str(array.dtype))}{list(array.shape)}</td>"
        f"<td><code>{escape(np.array2string(array, threshold=24, edgeitems=8))}</code></td></tr>"
        for position, array in zip(outcome.positions, outcome.arrays)
    )
    table = f"<table><tr><th>argument</th><th>type</th><th>value</th></tr>{arrays}</table>"
    return (table if arrays else "") + _costs_html(outcome.output, outcome.steps, outcome.profile)


def _result_html(result: Result) -> str:
    costs = _costs_html(result.output, result.steps, result.profile)
    if not result.reports:
        return costs
    errors = error_report.as_text(result.reports, MOST_REPORTS)
    return f'<pre style="{_PAPER}">{escape(errors)}</pre>{costs}'


def _costs_html(output: str, steps: int, profile: Profile | None) -> str:
    parts = [f"<p>{steps:,} steps</p>"]
    if output:
        parts.insert(0, f'<pre style="{_PAPER}">{escape(output)}</pre>')
    if profile is not None:
        for rows in profile_report.report(profile).values():
            parts.append(_table(rows))
    return "".join(parts)


def _table(rows: Sequence[dict[str, Any]]) -> str:
    if not rows:
        return ""
    head = "".join(f"<th>{escape(name.replace('_', ' '))}</th>" for name in rows[0])
    body = "".join(
        f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row.values())}</tr>" for row in rows
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _cell(value: Any) -> str:
    return f"{value:,}" if isinstance(value, int) else escape(str(value))


_SHOWN: Final[dict[type, Callable[[Any], str]]] = {
    ModuleOp: _module_html,
    FuncOp: _function_html,
    MachineFunc: _function_html,
    Ptx: lambda text: highlighted(text, "ptx"),
    Outcome: _outcome_html,
    Result: _result_html,
}
"""The displayed values and their formats."""


def cuda_magic(shell: Any, line: str, cell: str) -> ModuleOp | None:
    """`%%cuda [NAME] [FLAGS]`: translates the cell's CUDA C++ to a module, which is assigned to
    NAME or displayed.

    FLAGS are clang's: `-I DIR`, `-D NAME`, `--cuda-path=DIR`. Raises IPython's UsageError, which is
    shown without a traceback, with clang's messages.
    """
    from IPython.core.error import UsageError

    words = shlex.split(line)
    name = words.pop(0) if words and not words[0].startswith("-") else None
    if name is not None and not name.isidentifier():
        raise UsageError(f"%%cuda: {name} is not a name of a variable")
    try:
        module = parse_cuda(cell, words)
    except DiagnosticError as error:
        raise UsageError(f"%%cuda: {error.render()}") from None
    if name is None:
        return module
    shell.user_ns[name] = module
    return None


def load_ipython_extension(ipython: Any) -> None:
    """Called by `%load_ext nvvm_xdsl.integrations.notebook`."""
    formatter = ipython.display_formatter.formatters["text/html"]
    for cls, show in _SHOWN.items():
        formatter.for_type(cls, show)

    def cuda(line: str, cell: str) -> ModuleOp | None:
        return cuda_magic(ipython, line, cell)

    cuda.__doc__ = cuda_magic.__doc__
    ipython.register_magic_function(cuda, "cell")


def unload_ipython_extension(ipython: Any) -> None:
    """Called by `%unload_ext`."""
    formatter = ipython.display_formatter.formatters["text/html"]
    for cls in _SHOWN:
        formatter.pop(cls, None)
    ipython.magics_manager.magics["cell"].pop("cuda", None)
