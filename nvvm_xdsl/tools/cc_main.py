"""The work of `nvvm-cc`: CUDA C++, NVVM IR or PTX to PTX or machine code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from nvvm_xdsl.pipeline.command_line import (
    add_fast_compile_arguments,
    add_instrument_arguments,
    instruments_of,
    join_values,
)
from nvvm_xdsl.pipeline.option_flags import add_option_arguments
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool
from nvvm_xdsl.tools.nvcc_options import NVCC_OPTIONS, join_nvcc
from nvvm_xdsl.tools.proofs import with_proofs

if TYPE_CHECKING:
    from nvvm_xdsl.driver.cache import Cache
    from nvvm_xdsl.driver.options import CompileOptions
    from nvvm_xdsl.pipeline.instrumentation import Instruments

ResultT = TypeVar("ResultT")

DESCRIPTION = """\
Compiles the kernels of CUDA C++ (.cu, by clang's front end) and NVVM IR (.ll, .bc, .mlir) to PTX;
optimizes PTX (.ptx). Options of nvcc for device code are accepted (docs/cuda.md).

clang -O0 marks functions optnone, which disables optimization. To leave all optimization to
nvvm-cc, use clang -O2 -Xclang -disable-llvm-passes. clang -O1 forbids unrolling in every loop."""

EPILOG = """\
examples:
  nvvm-cc kernel.cu -arch=sm_90 -o kernel.ptx      compile CUDA C++; -v prints the commands
  nvvm-cc kernel.cu -arch=sm_90 -cubin -o kernel.cubin   write machine code, assembled by ptxas
  nvvm-cc kernel.ll -arch sm_90 -o kernel.ptx      compile a kernel
  nvvm-cc a.ll b.bc -arch sm_80 -o both.ptx        link two modules
  nvvm-cc kernel.ptx -o better.ptx                 run the machine passes on PTX; -O0 runs none
  nvvm-cc @kernels.txt -j 8 -o out/                compile each file listed in kernels.txt to out/*.ptx
  nvvm-cc kernel.ll -O2 -emit-llvm -o better.ll    write LLVM assembly after the passes of -O2
  nvvm-cc kernel.cu --watch -o kernel.ptx          compile after every change of kernel.cu or its headers
  nvvm-cc kernel.ll --report -o kernel.ptx          report the cost of memory accesses and registers
  nvvm-cc kernel.ll --report k.html -o kernel.ptx   write the report as an HTML page
  nvvm-cc kernel.ll -arch sm_100a -ftz=1 -fmad=0   choose floating-point modes
  clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -S -emit-llvm -o - k.cu | nvvm-cc - -arch sm_90
"""


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-cc`."""
    parser = make_tool_parser("nvvm-cc", DESCRIPTION, EPILOG)
    parser.other_options = NVCC_OPTIONS
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="input files, linked in order; - is standard input; @LIST reads file names from LIST, one per line",
    )
    add("-o", dest="output", metavar="OUT", default="-", help="output file for PTX; - is standard output (default)")  # fmt: skip
    add_option_arguments(parser)
    add("-cubin", "--cubin", action="store_true", help="write machine code, assembled by ptxas")
    add("-Xptxas", "--ptxas-options", action="append", default=[], metavar="FLAG", help="with -cubin: pass FLAG to ptxas")  # fmt: skip
    add("-v", "--verbose", action="store_true", help="print the commands of clang and ptxas")
    add("--dryrun", "-dryrun", action="store_true", help="print the commands of clang and ptxas without running them, and exit")  # fmt: skip
    add("-S", action="store_true", help="with -emit-llvm: write LLVM assembly instead of bitcode to OUT.bc")  # fmt: skip
    add("-j", dest="jobs", type=int, metavar="N", help="compile each input separately to a file in the directory OUT, with N processes (0: one per processor)")  # fmt: skip
    add("--cache-dir", metavar="DIR", help="directory of the compilation cache (default: the environment variable NVVM_XDSL_CACHE_DIR; no cache if it is not set)")  # fmt: skip
    add("--watch", action="store_true", help="compile again whenever an input or a file that it includes changes, and print one line for each compilation, until Ctrl-C; PTX is written only with -o")  # fmt: skip
    add("--server", action="store_true", help="compile in the resident process nvvmd, which is started if necessary; the environment variable NVVM_XDSL_SERVER=1 has the same effect")  # fmt: skip
    add("--no-server", action="store_true", help="compile in this process even if NVVM_XDSL_SERVER=1 is set (default)")  # fmt: skip
    add("--report", metavar="FILE", help="report the cost of each source line: on the terminal, or to FILE.json, FILE.sarif, or FILE.html with all compilation stages")  # fmt: skip
    add_fast_compile_arguments(parser)
    add_instrument_arguments(parser)
    return parser


def _instruments(arguments: argparse.Namespace) -> Instruments:
    return with_proofs(instruments_of(arguments), wanted=arguments.verify_each_by_proof)


def _reporter() -> Callable[[str], None]:
    """A function that prints remarks and warnings to standard error, equal ones only once."""
    printed: set[str] = set()

    def report(text: str) -> None:
        from nvvm_xdsl.ir.demangle import readable

        if text not in printed:
            printed.add(text)
            kind = "" if text.startswith("warning: ") else "remark: "
            print(kind + readable(text), file=sys.stderr)

    return report


def _run(arguments: argparse.Namespace) -> int:
    from nvvm_xdsl.driver.files import cache_directory, listed
    from nvvm_xdsl.driver.signals import signals_raise
    from nvvm_xdsl.pipeline.compile_options import options_of

    options = options_of(arguments)
    files = listed(arguments.files)
    assembler = _assembler(options, arguments)
    if arguments.verbose or arguments.dryrun:
        _show_commands(files, options, arguments, assembler)
        if arguments.dryrun:
            return 0
    cache: Cache | None = None
    if cache_directory(arguments.cache_dir):
        from nvvm_xdsl.driver.cache import cache_from

        cache = cache_from(arguments.cache_dir)
    if arguments.watch:
        _check_watched(arguments)
        if cache is not None:
            from nvvm_xdsl.driver.cache import compiler

            # A part of all cache keys, computed once: the state of the loaded compiler.
            compiler()
        from nvvm_xdsl.tools.watch import watch

        watch(files, options, lambda: _compile(files, options, arguments, assembler, cache))
    with signals_raise():
        if arguments.report is not None:
            _compile_and_report(files, options, arguments)
            return 0
        if arguments.jobs is not None:
            return _compile_each(files, options, arguments, cache)
        _compile(files, options, arguments, assembler, cache)
    return 0


def _compile(
    files: list[str],
    options: CompileOptions,
    arguments: argparse.Namespace,
    assembler: list[str] | None,
    cache: Cache | None,
) -> str:
    """Compiles the files to one output and writes it; with `--watch`, only to a file. Returns PTX, or LLVM assembly."""
    from nvvm_xdsl.driver.compile import compile_files
    from nvvm_xdsl.driver.files import write_output

    ptx = compile_files(
        files, options, remark=_reporter(), instruments=_instruments(arguments), cache=cache
    )
    if assembler is not None:
        from nvvm_xdsl.driver.cuda import assemble_ptx

        code, said = assemble_ptx(ptx, assembler)
        sys.stderr.write(said)
        write_output(arguments.output, code)
    elif not arguments.watch or arguments.output != "-":
        write_output(arguments.output, _in_form(ptx, arguments))
    return ptx


def _check_watched(arguments: argparse.Namespace) -> None:
    """Raises DiagnosticError for options that exclude `--watch`."""
    from nvvm_xdsl.ir.diagnostics import DiagnosticError

    for other, given in (
        ("-j", arguments.jobs is not None),
        ("--report", arguments.report is not None),
    ):
        if given:
            raise DiagnosticError(f"--watch cannot be combined with {other}")


def _assembler(options: CompileOptions, arguments: argparse.Namespace) -> list[str] | None:
    """The command of ptxas for -cubin, without its files. Raises DiagnosticError for options that exclude each other."""
    from nvvm_xdsl.codegen.target_options import DEFAULT_ARCH
    from nvvm_xdsl.ir.diagnostics import DiagnosticError

    if not arguments.cubin:
        if arguments.ptxas_options:
            print(
                "remark: -Xptxas has no effect without -cubin: the output is PTX", file=sys.stderr
            )
        return None
    if arguments.output == "-":
        raise DiagnosticError("-cubin requires -o FILE: machine code is binary")
    for other, given in (
        ("-emit-llvm", arguments.emit),
        ("-j", arguments.jobs is not None),
        ("--report", arguments.report is not None),
    ):
        if given:
            raise DiagnosticError(f"-cubin cannot be combined with {other}")
    from nvvm_xdsl.driver.cuda import ptxas_command

    flags = [flag for text in arguments.ptxas_options for flag in text.split(",")]
    return ptxas_command(options.arch or DEFAULT_ARCH, options, flags)


def _show_commands(
    files: list[str],
    options: CompileOptions,
    arguments: argparse.Namespace,
    assembler: list[str] | None,
) -> None:
    """Prints the commands of clang and ptxas, as nvcc -v does."""
    import shlex

    from nvvm_xdsl.driver.cuda import clang_command, cuda_options
    from nvvm_xdsl.driver.files import CUDA_SUFFIXES

    for name in files:
        if name.endswith(CUDA_SUFFIXES):
            command = clang_command(name, cuda_options(options))
            print(f"#$ {shlex.join(command)}", file=sys.stderr)
    if assembler is not None:
        command = [*assembler, "kernel.ptx", "-o", arguments.output]
        print(f"#$ {shlex.join(command)}", file=sys.stderr)


def _in_form(text: str, arguments: argparse.Namespace) -> str | bytes:
    """The output as written: LLVM assembly as bitcode if the suffix of the file is that of
    bitcode."""
    if arguments.S or arguments.emit != "llvm" or not arguments.output.endswith(".bc"):
        return text
    from nvvm_xdsl.export.bitcode import assemble

    return assemble(text)


REPORTS = (".html", ".json", ".sarif")
"""Suffixes of the files that reports are written to."""

INPUTS = (".cu", ".cuh", ".ll", ".bc", ".mlir", ".ptx")
"""Suffixes of inputs."""


def _is_report(word: str) -> bool:
    suffix = os.path.splitext(word)[1]
    if suffix in REPORTS:
        return True
    return bool(suffix) and word[0] != "-" and suffix not in INPUTS and not os.path.exists(word)


def join_report(argv: Sequence[str]) -> list[str]:
    """The arguments, with `--report` joined to the following word if it can only be a report file:
    it has a suffix of reports, or it has a suffix but is neither an input nor an option."""
    joined: list[str] = []
    words = list(argv)
    for index, word in enumerate(words):
        if index and words[index - 1] in ("--report", "-report") and _is_report(word):
            joined[-1] = f"--report={word}"
        elif word in ("--report", "-report"):
            joined.append("--report=-")
        else:
            joined.append(word)
    return joined


def _compile_and_report(
    files: list[str], options: CompileOptions, arguments: argparse.Namespace
) -> None:
    from nvvm_xdsl.driver.files import write_output
    from nvvm_xdsl.ir.diagnostics import DiagnosticError
    from nvvm_xdsl.lab.report.compilation import compile_recorded

    target: str = arguments.report
    if arguments.jobs is not None:
        raise DiagnosticError("--report cannot be combined with -j")
    if arguments.emit == "llvm":
        raise DiagnosticError("--report cannot be combined with -emit-llvm")
    if target != "-" and not target.endswith(REPORTS):
        raise DiagnosticError(
            f"--report={target}: expected a name that ends in {', '.join(REPORTS)}"
        )
    found = compile_recorded(
        files, options, instruments=instruments_of(arguments), remark=_reporter()
    )
    if target.endswith(".html"):
        from nvvm_xdsl.lab.report.html import page_of

        write_output(target, page_of(found))
    elif target.endswith(".json"):
        from nvvm_xdsl.lab.report.plain import as_json

        write_output(target, as_json(found.costs))
    elif target.endswith(".sarif"):
        from nvvm_xdsl.lab.report.sarif import as_sarif

        write_output(target, as_sarif(found.costs))
    else:
        from nvvm_xdsl.ir.demangle import readable
        from nvvm_xdsl.lab.report.text import as_text

        print(readable(as_text(found.costs, found.sources)), file=sys.stderr, end="")
    write_output(arguments.output, found.ptx)


def _compile_each(
    files: list[str], options: CompileOptions, arguments: argparse.Namespace, cache: Cache | None
) -> int:
    from nvvm_xdsl.driver.files import output_paths, write_output
    from nvvm_xdsl.driver.many import Compilation, compile_many
    from nvvm_xdsl.ir.diagnostics import DiagnosticError

    if arguments.jobs < 0:
        raise DiagnosticError(f"-j: expected a number of processes, got {arguments.jobs}")
    suffix = ".ll" if arguments.emit == "llvm" else ".ptx"
    outputs = output_paths(files, arguments.output, suffix)

    def compiled(advance: Callable[[], object]) -> list[Compilation]:
        def write(result: Compilation) -> None:
            if result.ptx is not None:
                write_output(outputs[result.name], result.ptx)
            advance()

        return compile_many(
            [Path(name) for name in files],
            options=options,
            jobs=arguments.jobs,
            cache=cache,
            done=write,
        )

    results = _with_progress(compiled, len(files))
    by_remark: dict[str, list[str]] = {}
    for result in results:
        for text in dict.fromkeys(result.remarks):
            by_remark.setdefault(text, []).append(result.name)
    report = _reporter()
    for text, names in by_remark.items():
        more = f" and {len(names) - 1} more files" if len(names) > 1 else ""
        report(f"{names[0]}{more}: {text}")
    failed = [result for result in results if result.ptx is None]
    for result in failed:
        print(result.error, file=sys.stderr)
    if len(files) > 1:
        print(_summary([result.name for result in failed], len(files)), file=sys.stderr)
    return int(bool(failed))


def _with_progress(work: Callable[[Callable[[], object]], ResultT], total: int) -> ResultT:
    """The result of the work, with a progress bar on a terminal.

    Arguments:
        work: receives a function to call after each of `total` steps.
    """
    if not sys.stderr.isatty():
        return work(lambda: None)
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)
        return work(lambda: bar.advance(task))


def _summary(failed: Sequence[str], total: int) -> str:
    """The summary: how many files were compiled, and which failed."""
    text = f"{total - len(failed)} of {total} files compiled"
    return text + (f"; failed: {', '.join(failed)}" if failed else "")


def run(words: Sequence[str], *, own: bool = False) -> int:
    """Runs the tool on the words of a command line; returns the status.

    Arguments:
        own: whether the process has no other purpose.
    """
    work: Callable[[argparse.Namespace], int] = _run
    if own:
        from nvvm_xdsl.tools.startup_cache import owns_process

        work = owns_process(_run, collect=False, modules="nvvm-cc")
    return run_tool(work, make_parser, join_report(join_values(words)), spelled=join_nvcc)
