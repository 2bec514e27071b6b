"""`nvvm-view`: draws control flow, dominance, calls and register pressure, and writes the report
page."""

from __future__ import annotations

import argparse
import io
import sys
from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.option_flags import ARCH_DEFAULT, add_clang_arguments
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.launched_module import cuda_of, tell_arch
from nvvm_xdsl.tools.nvcc_options import join_clang

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp
    from xdsl.ir import Operation

    from nvvm_xdsl.driver.pictures import Graph

DESCRIPTION = """\
Draws a function of CUDA C++ (.cu), NVVM IR (.ll, .bc, .mlir) or of nvptx machine code: as text in Graphviz's language,
or as .svg, .png or .pdf, for which graphs need Graphviz's `dot`. `history` compiles the module at -O3,
or runs --passes, and writes a self-contained .html file. `serve` shows source, IR, PTX, machine code and costs in a browser
and compiles the text while it is edited."""

EPILOG = """\
examples:
  nvvm-view kernel.ll cfg -o cfg.dot                       control flow, loops, divergent branches
  nvvm-view kernel.ll cfg --instructions 0                 only the names of blocks
  nvvm-view kernel.ll domtree --function kernel -o d.dot   the dominator tree
  nvvm-view kernel.ll cfg -p 'nvopt<O2>' -o after.dot      after the optimizer
  nvvm-view kernel.ll history -o kernel.html               the changes of each pass, as a page
  nvvm-view serve kernel.cu                                a page that compiles while you type (on this machine only)
  nvvm-view kernel.ll pressure --select -o registers.svg   registers of the machine code
"""

PICTURES = {
    "cfg": "the control-flow graph: frequent blocks are coloured, divergent branches are red",
    "domtree": "the dominator tree",
    "postdomtree": "the post-dominator tree",
    "callgraph": "the call graph",
    "pressure": "the number of live registers after each op",
    "history": "an HTML page with the changes of each pass and the cost of the code",
    "serve": "a local page that compiles its text while it is edited",
}

DOT_SUFFIXES = (".dot", ".gv", "")


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-view`."""
    parser = make_tool_parser("nvvm-view", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add("file", metavar="FILE", help="the module; - is standard input")
    pictures = "; ".join(f"{name}: {text}" for name, text in PICTURES.items())
    add("picture", choices=list(PICTURES), metavar="PICTURE", help=pictures)
    add("-o", dest="output", default="-", metavar="OUT", help="output file; the suffix selects the format: .dot, .svg, .png or .pdf; - prints Graphviz's language (default)")  # fmt: skip
    add(
        "--function",
        metavar="NAME",
        help="name of the function; optional if the module has only one",
    )
    add("-p", "--passes", metavar="PIPELINE", help="run a pipeline on the module first")
    add("--select", action="store_true", help="draw the machine code selected from the module")
    add("-arch", "--arch", metavar="ARCH", help=f"target architecture; {ARCH_DEFAULT}")
    add_clang_arguments(parser)
    add("--instructions", type=int, default=12, metavar="N", help="maximum number of ops to show per block; 0: none (default 12)")  # fmt: skip
    add("--counts", metavar="FILE", help="for history: the counts of an execution, from nvvm-run --profile-json FILE, shown beside the source")  # fmt: skip
    add("--port", type=int, default=0, metavar="N", help="for serve: the port on 127.0.0.1 (default: a free one)")  # fmt: skip
    add("--time-limit", type=float, default=30.0, metavar="SECONDS", help="for serve: time limit of each compilation (default 30)")  # fmt: skip
    add("--open", action="store_true", help="for serve: open the page in a browser")
    return parser


def _spelled(words: Sequence[str]) -> Sequence[str]:
    """The arguments as the parser takes them; `serve FILE` is `FILE serve`."""
    if len(words) > 1 and words[0] == "serve" and not words[1].startswith("-"):
        words = [words[1], words[0], *words[2:]]
    return join_clang(words)


def _serve(options: argparse.Namespace) -> None:
    """Serves the live page of a file until it is interrupted."""
    from pathlib import Path

    from nvvm_xdsl.driver.options import CompileOptions

    try:
        from nvvm_xdsl.lab.live import LivePage, serve
    except ModuleNotFoundError as error:
        raise DiagnosticError(
            f"the live page needs {error.name}: install nvvm-xdsl[serve]"
        ) from None
    chosen = CompileOptions(arch=options.arch, clang_flags=tuple(options.clang_flags))
    if options.file == "-" or not Path(options.file).is_file():
        raise DiagnosticError("serve requires an existing file", file=options.file)
    if options.time_limit <= 0:
        raise DiagnosticError("--time-limit must be positive")
    page = LivePage(Path(options.file), chosen, options.passes or "", options.time_limit)

    def ready(address: str) -> None:
        print(f"serving {address} (stop with Ctrl-C)", file=sys.stderr, flush=True)
        if options.open:
            import webbrowser

            webbrowser.open(address)

    serve(page, options.port, ready)


def _load(options: argparse.Namespace) -> ModuleOp:
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.driver.compile import complete, parse
    from nvvm_xdsl.driver.files import STDIN_NAME, read_input
    from nvvm_xdsl.pipeline import run_pipeline
    from nvvm_xdsl.pipeline.selection import select

    name = STDIN_NAME if options.file == "-" else options.file
    module = parse(read_input(options.file), filename=name, cuda=cuda_of(options))
    if options.passes:
        run_pipeline(module, options.passes)
    if options.select:
        complete(module)
        module = select(module, CodegenOptions.for_arch(tell_arch(module, options.arch)))
    return module


def _chosen(module: ModuleOp, name: str | None) -> Operation:
    from nvvm_xdsl.dialects.llvm.accessors import symbol_name
    from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
    from nvvm_xdsl.driver.pictures import functions
    from nvvm_xdsl.ir.demangle import choose

    found = {symbol_name(func) or "": func for func in functions(module)}
    kernels = [own for own, func in found.items() if is_kernel(func)]
    names = kernels if name is None and kernels else list(found)
    chosen, message = choose(name, names, "function with a body")
    if chosen is None:
        raise DiagnosticError(f"--function: {message}")
    return found[chosen]


def _draw(options: argparse.Namespace) -> bytes:
    """The picture in the format of the output's suffix."""
    from nvvm_xdsl.analysis.manager import AnalysisManager
    from nvvm_xdsl.driver import pictures

    if options.picture == "history":
        return _history(options)
    if options.counts is not None:
        raise DiagnosticError("--counts requires history")
    module = _load(options)
    suffix = "" if options.output == "-" else PurePath(options.output).suffix
    am = AnalysisManager()
    if options.picture == "pressure":
        if suffix in DOT_SUFFIXES:
            raise DiagnosticError(
                "a plot is not a graph: give -o a name that ends in .svg, .png or .pdf"
            )
        figure = pictures.pressure_plot(_chosen(module, options.function), am)
        stream = io.BytesIO()
        try:
            figure.savefig(stream, format=suffix[1:])
        except ValueError as error:
            raise DiagnosticError(str(error)) from None
        return stream.getvalue()
    if options.picture == "callgraph":
        graph = pictures.call_graph(module, am)
    else:
        func = _chosen(module, options.function)
        if options.picture == "cfg":
            graph = pictures.cfg_graph(func, am, options.instructions)
        else:
            graph = pictures.dominator_graph(func, am, post=options.picture == "postdomtree")
    if suffix in DOT_SUFFIXES:
        return graph.source.encode()
    return _rendered(graph, suffix[1:])


def _history(options: argparse.Namespace) -> bytes:
    from nvvm_xdsl.driver.files import decode, read_input
    from nvvm_xdsl.driver.options import CompileOptions
    from nvvm_xdsl.lab.profile_report import line_counts
    from nvvm_xdsl.lab.report.compilation import compile_recorded
    from nvvm_xdsl.lab.report.html import page_of

    if PurePath(options.output).suffix not in (".html", ".htm", ""):
        raise DiagnosticError("history writes an HTML page: give -o a name that ends in .html")
    chosen = CompileOptions(arch=options.arch, clang_flags=tuple(options.clang_flags))
    found = compile_recorded([options.file], chosen, pipeline=options.passes)
    names = [name for name in found.history.columns if not name.startswith("[")]
    if options.function is not None and options.function not in names:
        raise DiagnosticError(
            f"there is no function '{options.function}' with a body: {', '.join(names) or 'none'}"
        )
    counts = {}
    if options.counts is not None:
        counts = line_counts(decode(read_input(options.counts), options.counts), options.counts)
    return page_of(found, options.function, counts).encode("utf-8", "surrogateescape")


def _rendered(graph: Graph, form: str) -> bytes:
    from graphviz import ExecutableNotFound

    try:
        return graph.pipe(form)
    except ExecutableNotFound:
        raise DiagnosticError(
            f"Graphviz's dot, which converts graphs to .{form}, was not found: install graphviz, "
            "or give -o a name that ends in .dot"
        ) from None
    except ValueError as error:
        raise DiagnosticError(str(error)) from None


def _run(options: argparse.Namespace) -> None:
    from nvvm_xdsl.driver.errors import user_errors
    from nvvm_xdsl.driver.files import write_output

    if options.picture == "serve":
        _serve(options)
        return
    with user_errors():
        write_output(options.output, _draw(options))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    return run_tool(_run, make_parser, argv, spelled=_spelled)


if __name__ == "__main__":
    sys.exit(main())
