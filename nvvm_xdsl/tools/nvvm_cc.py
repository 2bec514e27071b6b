"""`nvvm-cc`: NVVM IR, or PTX, to PTX."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.pipeline.command_line import (
    LEVEL_HELP,
    add_fast_compile_arguments,
    add_instrument_arguments,
    instruments_of,
    join_values,
)
from nvvm_xdsl.tools.arguments import make_tool_parser, run_tool

if TYPE_CHECKING:
    from nvvm_xdsl.driver.cache import Cache
    from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.tools.quick_start import once

DESCRIPTION = """\
Compiles NVVM IR (.ll, .bc, .mlir) to PTX; optimizes PTX (.ptx).

clang -O0 marks functions optnone, and nothing may optimize them; clang -O1 -Xclang
-disable-llvm-passes leaves all of it to nvvm-cc."""

EPILOG = """\
examples:
  nvvm-cc kernel.ll -arch sm_90 -o kernel.ptx      compile a kernel
  nvvm-cc a.ll b.bc -arch sm_80 -o both.ptx        link two modules
  nvvm-cc kernel.ptx -o better.ptx                 run the machine passes on PTX; -O0 prints it as read
  nvvm-cc @kernels.txt -j 8 -o out/                compile each file that kernels.txt names, to out/*.ptx
  nvvm-cc kernel.ll -O2 -emit-llvm -o better.ll    LLVM assembly after the passes of -O2
  nvvm-cc kernel.ll --report -o kernel.ptx          say what memory accesses and registers cost
  nvvm-cc kernel.ll --report k.html -o kernel.ptx   one page for a browser: every pass, every line
  nvvm-cc kernel.ll -arch sm_100a -ftz=1 -fmad=0   choose floating-point modes
  clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -S -emit-llvm -o - k.cu | nvvm-cc - -arch sm_90
"""

_BOOLEANS = {"1": True, "true": True, "on": True, "0": False, "false": False, "off": False}


def _boolean(text: str) -> bool:
    value = _BOOLEANS.get(text.lower())
    if value is None:
        raise argparse.ArgumentTypeError(f"'{text}' is neither 0 nor 1")
    return value


def make_parser() -> argparse.ArgumentParser:
    """The command line of `nvvm-cc`."""
    parser = make_tool_parser("nvvm-cc", DESCRIPTION, EPILOG)
    add = parser.add_argument
    add(
        "files",
        nargs="+",
        metavar="FILE",
        help="inputs, linked in order; - is standard input; @LIST stands for the files that LIST names, one a line",
    )
    add("-o", dest="output", metavar="OUT", default="-", help="the PTX file; - is standard output, the default")  # fmt: skip
    add("-arch", "--arch", metavar="ARCH", help="sm_90, compute_90, sm_90a ...; default: what a gpu.module asks for, else sm_75")  # fmt: skip
    for level in range(4):
        add(
            f"-O{level}",
            dest="opt_level",
            action="store_const",
            const=level,
            help=LEVEL_HELP[level] + (" (default)" if level == 3 else ""),
        )
    add("-p", "-passes", "--passes", dest="passes", metavar="PASSES", help="the pipeline that optimizes, in place of the level's, as nvvm-opt -p has it")  # fmt: skip
    add("--machine-passes", dest="machine_passes", metavar="PASSES", help="the same for the passes over machine code")  # fmt: skip
    floating = (
        ("-ftz", False, "flush single-precision denormals to zero"),
        ("-prec-div", True, "IEEE-rounded single-precision division"),
        ("-prec-sqrt", True, "IEEE-rounded single-precision square root"),
        ("-fmad", True, "contract multiplications and additions into fma"),
    )
    for name, default, text in floating:
        add(
            name,
            type=_boolean,
            metavar="0|1",
            help=f"{text} (default {int(default)})",
        )
    add("--libdevice", type=Path, metavar="PATH", help="bitcode to take __nv_ functions from; default: the cuda extra's, then CUDA_HOME's")  # fmt: skip
    add("-rdc", "--relocatable-device-code", dest="rdc", type=_boolean, metavar="true|false", help="keep the device functions of a program with kernels for other modules to call (default false)")  # fmt: skip
    add("-maxrregcount", "--maxrregcount", type=int, default=0, metavar="N", help="registers that passes keep a thread to where they can, and kernels state no launch bounds; to be given to ptxas as well (default 0: no limit)")  # fmt: skip
    add("-S", action="store_true", help="write text, as clang's -S: what is done in any case but for -emit-llvm and OUT.bc")  # fmt: skip
    add("-emit-llvm", "--emit-llvm", dest="emit", action="store_const", const="llvm", default="ptx", help="write the optimized module as LLVM assembly, or bitcode where OUT ends in .bc")  # fmt: skip
    add("-g", dest="debug", action="store_const", const="full", help="debug information: line tables, functions, types and variables (docs/debug-information.md); fullest with -O0")  # fmt: skip
    add("-generate-line-info", dest="debug", action="store_const", const="lines", help="line tables, with what was inlined where")  # fmt: skip
    add("-split-compile", "--threads", dest="split_compile", type=int, default=1, metavar="N", help="make machine code of the functions in N processes; 0: as many as processors (default 1). The PTX is the same")  # fmt: skip
    add("-jobserver", action="store_true", help="take no more processes than GNU make's jobserver allows")  # fmt: skip
    add("-j", dest="jobs", type=int, metavar="N", help="compile each input by itself, in N processes (0: as many as processors), to a file in the directory OUT")  # fmt: skip
    add("--cache-dir", metavar="DIR", help="look up the result there, and keep it; default: the variable NVVM_XDSL_CACHE_DIR, else no cache")  # fmt: skip
    add("--time-limit", type=float, metavar="SECONDS", help="give up a compilation that takes longer")  # fmt: skip
    add("--report", metavar="FILE", help="explain what the code costs, line by line: to the terminal, or with FILE as .json, .sarif or as a page with the whole compilation, .html")  # fmt: skip
    add_fast_compile_arguments(parser)
    add_instrument_arguments(parser)
    parser.set_defaults(debug="none")
    return parser


def _tell(text: str) -> None:
    kind = "" if text.startswith("warning: ") else "remark: "
    print(kind + text, file=sys.stderr)


def _run(arguments: argparse.Namespace) -> int:
    from nvvm_xdsl.driver.compile import compile_files
    from nvvm_xdsl.driver.files import cache_directory, listed, write_output
    from nvvm_xdsl.driver.options import CompileOptions
    from nvvm_xdsl.driver.signals import signals_raise
    from nvvm_xdsl.pipeline.levels import fast_compile_level

    options = CompileOptions(
        arch=arguments.arch,
        opt_level=arguments.opt_level,
        ftz=arguments.ftz,
        prec_div=arguments.prec_div,
        prec_sqrt=arguments.prec_sqrt,
        fmad=arguments.fmad,
        libdevice=arguments.libdevice,
        debug=arguments.debug,
        fast_compile=fast_compile_level(arguments.fast_compile),
        pass_options=" ".join(arguments.pass_options),
        split_compile=arguments.split_compile,
        jobserver=arguments.jobserver,
        time_limit=arguments.time_limit,
        maxrregcount=arguments.maxrregcount,
        rdc=bool(arguments.rdc),
        emit=arguments.emit,
        passes=arguments.passes,
        machine_passes=arguments.machine_passes,
    )
    files = listed(arguments.files)
    cache: Cache | None = None
    if cache_directory(arguments.cache_dir):
        from nvvm_xdsl.driver.cache import cache_from

        cache = cache_from(arguments.cache_dir)
    with signals_raise():
        if arguments.report is not None:
            _compile_and_report(files, options, arguments)
            return 0
        if arguments.jobs is not None:
            return _compile_each(files, options, arguments, cache)
        ptx = compile_files(
            files, options, remark=_tell, instruments=instruments_of(arguments), cache=cache
        )
        write_output(arguments.output, _in_form(ptx, arguments))
    return 0


def _in_form(text: str, arguments: argparse.Namespace) -> str | bytes:
    """What is written: LLVM assembly as bitcode for a file of that suffix."""
    if arguments.S or arguments.emit != "llvm" or not arguments.output.endswith(".bc"):
        return text
    from nvvm_xdsl.export.bitcode import assemble

    return assemble(text)


REPORTS = (".html", ".json", ".sarif")
"""Suffixes of the files that reports are written to."""


def join_report(argv: Sequence[str]) -> list[str]:
    """The arguments, `--report` with the file behind it if that is one a report is written to."""
    joined: list[str] = []
    words = list(argv)
    for index, word in enumerate(words):
        if index and words[index - 1] in ("--report", "-report") and word.endswith(REPORTS):
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
    from nvvm_xdsl.report.compilation import compile_recorded

    target: str = arguments.report
    if arguments.jobs is not None:
        raise DiagnosticError("--report is of one compilation: leave -j out")
    if arguments.emit == "llvm":
        raise DiagnosticError("--report is of machine code: leave -emit-llvm out")
    if target != "-" and not target.endswith(REPORTS):
        raise DiagnosticError(
            f"--report={target}: expected a name that ends in {', '.join(REPORTS)}"
        )
    found = compile_recorded(files, options, instruments=instruments_of(arguments), remark=_tell)
    if target.endswith(".html"):
        from nvvm_xdsl.report.html import page_of

        write_output(target, page_of(found))
    elif target.endswith(".json"):
        from nvvm_xdsl.report.plain import as_json

        write_output(target, as_json(found.costs))
    elif target.endswith(".sarif"):
        from nvvm_xdsl.report.sarif import as_sarif

        write_output(target, as_sarif(found.costs))
    else:
        from nvvm_xdsl.report.text import as_text

        print(as_text(found.costs, found.sources), file=sys.stderr, end="")
    write_output(arguments.output, found.ptx)


def _compile_each(
    files: list[str], options: CompileOptions, arguments: argparse.Namespace, cache: Cache | None
) -> int:
    from nvvm_xdsl.driver.files import output_paths, write_output
    from nvvm_xdsl.driver.many import Compilation, compile_many
    from nvvm_xdsl.ir.diagnostics import DiagnosticError

    if arguments.jobs < 0:
        raise DiagnosticError(f"-j: {arguments.jobs} is no number of processes")
    suffix = ".ll" if arguments.emit == "llvm" else ".ptx"
    outputs = output_paths(files, arguments.output, suffix)

    def write(result: Compilation) -> None:
        for text in result.remarks:
            _tell(f"{result.name}: {text}")
        if result.ptx is None:
            print(result.error, file=sys.stderr)
        else:
            write_output(outputs[result.name], result.ptx)

    results = compile_many(
        [Path(name) for name in files],
        options=options,
        jobs=arguments.jobs,
        cache=cache,
        done=write,
    )
    return int(any(result.ptx is None for result in results))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the tool on the arguments, those of the process by default; returns the status."""
    if argv is None:
        return run_tool(once(_run), make_parser, join_report(join_values(sys.argv[1:])))
    return run_tool(_run, make_parser, join_report(join_values(argv)))


if __name__ == "__main__":
    sys.exit(main())
