"""Options and input of the tools that run a kernel."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.command_line import add_opt_argument
from nvvm_xdsl.pipeline.option_flags import add_clang_arguments
from nvvm_xdsl.tools.kernel_arguments import in_order, mismatch

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.pipeline.compile_options import CompileOptions, DebugInfo
    from nvvm_xdsl.pipeline.options import PassOptions
    from nvvm_xdsl.simulator.program import Program


def add_module_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for compiling the module before the launch."""
    add = parser.add_argument
    add("--passes", metavar="PIPELINE", help="run a pipeline on the module first")
    for level in range(4):
        help_ = f"run the pipeline of nvvm-cc -O{level} on the module first"
        add(f"-O{level}", dest="opt_level", action="store_const", const=level, help=help_)
    add_opt_argument(parser)
    add_clang_arguments(parser)
    add("--libdevice", type=Path, metavar="PATH", help="bitcode that defines the __nv_ functions")


def pass_settings(options: argparse.Namespace) -> PassOptions:
    """The options that `-opt` states. Raises DiagnosticError for a name or value that does not exist."""
    from nvvm_xdsl.pipeline.knobs import parse_opt

    return parse_opt(" ".join(options.pass_options))


def cuda_of(options: argparse.Namespace, debug: DebugInfo = "none") -> CompileOptions:
    """The options for translating CUDA C++, from `add_clang_arguments` and -arch.

    Arguments:
        debug: as of `parse`.
    """
    from nvvm_xdsl.pipeline.compile_options import CompileOptions

    arch = getattr(options, "arch", None)
    return CompileOptions(arch=arch, clang_flags=tuple(options.clang_flags), debug=debug)


def tell_arch(module: ModuleOp, arch: str | None, *, quiet: bool = False) -> str:
    """The architecture for a module, with a remark if the module states it.

    Arguments:
        arch: the value of -arch; None if it is not given.
        quiet: whether to suppress the remark.
    """
    from nvvm_xdsl.pipeline.compile_options import arch_for

    def remark(text: str) -> None:
        if not quiet:
            print(f"remark: {text}", file=sys.stderr)

    return arch_for(module, arch, remark)


def read_assembly(options: argparse.Namespace) -> str:
    """The LLVM assembly of the file that the options name; CUDA C++ is translated. Raises DiagnosticError."""
    from nvvm_xdsl.driver.compile import parse
    from nvvm_xdsl.driver.files import CUDA_SUFFIXES, decode, read_input

    data = read_input(options.file)
    if not options.file.endswith(CUDA_SUFFIXES):
        return decode(data, options.file)
    from dataclasses import replace

    from nvvm_xdsl.export import write_ll

    cuda = cuda_of(options)
    # ptxas does not optimize PTX that libNVVM generates from a module with line tables.
    cuda = replace(cuda, clang_flags=(*cuda.clang_flags, "-g0"))
    return write_ll(parse(data, filename=options.file, cuda=cuda), for_nvptx=True)


def load_module(options: argparse.Namespace, debug: DebugInfo = "lines") -> ModuleOp:
    """The input module of the options, linked with libdevice and after its pipeline.

    PTX becomes machine code, on which no pipeline is run.

    Arguments:
        debug: as of `parse`; `lines` keeps the calls that code was inlined at, `full` also the debug records
            of variables.
    Raises DiagnosticError.
    """
    if options.opt_level is not None:
        from nvvm_xdsl.pipeline.levels import select_pipeline, shortened

        options.passes = shortened(select_pipeline(options.opt_level, passes=options.passes))
    settings = pass_settings(options)
    if settings and not options.passes and not getattr(options, "select", False):
        print("remark: -opt has no effect: no --passes are run", file=sys.stderr)
    from nvvm_xdsl.driver.compile import complete, parse, verify
    from nvvm_xdsl.driver.files import STDIN_NAME, read_input
    from nvvm_xdsl.driver.toolkit import find_libdevice
    from nvvm_xdsl.frontend.libdevice import link_libdevice

    name = STDIN_NAME if options.file == "-" else options.file
    cuda = cuda_of(options, debug)
    data = read_input(options.file)
    module = parse(data, filename=name, locations=True, debug=debug, cuda=cuda)
    verify(module)
    if any(op.name.startswith("ptx.") for op in module.ops):
        from nvvm_xdsl.codegen.from_ptx import convert

        return convert(module)
    if any(op.name.startswith("nvptx.") for op in module.ops):
        return module
    complete(module)
    module = link_libdevice(module, options.libdevice or find_libdevice()) or module
    if options.passes:
        from nvvm_xdsl.pipeline.command_line import unread_notes
        from nvvm_xdsl.pipeline.instrumentation import Instruments, Watcher
        from nvvm_xdsl.pipeline.manager import optimize_module

        for note in unread_notes(settings):
            print(f"remark: {note}", file=sys.stderr)
        optimize_module(module, options.passes, Watcher(Instruments()), settings)
    return module


def resolve_kernel(module: ModuleOp, options: argparse.Namespace) -> list[str]:
    """Replaces the kernel's name in the options by its symbol, and sorts the arguments by its parameters.

    Returns the names of the parameters. Raises DiagnosticError for an unknown name.
    """
    from nvvm_xdsl.dialects.llvm.accessors import symbol_name
    from nvvm_xdsl.dialects.nvptx.functions import FuncOp
    from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
    from nvvm_xdsl.driver.pictures import functions
    from nvvm_xdsl.ir.demangle import choose, parameter_types
    from nvvm_xdsl.simulator.launch import parameter_names

    kernels = {
        symbol_name(op) or "": op
        for op in functions(module)
        if (op.is_kernel if isinstance(op, FuncOp) else is_kernel(op))
    }
    kernel, message = choose(options.kernel, list(kernels))
    if kernel is None:
        raise DiagnosticError(message)
    options.kernel = kernel
    names = parameter_names(kernels[kernel])
    options.arguments = in_order(options.arguments, names)
    for parameter, text, type_ in zip(names, options.arguments, parameter_types(kernel)):
        if (wrong := mismatch(text, type_)) is not None:
            print(f"warning: --arg {parameter}: {wrong}", file=sys.stderr)
    return names


def select_module(module: ModuleOp, arch: str, settings: PassOptions | None = None) -> ModuleOp:
    """Machine code for a copy of a module; a module of machine code is returned unchanged.

    Arguments:
        settings: options from `-opt` for the passes before selection.
    """
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.dialects.nvptx.target import Target
    from nvvm_xdsl.ir import fast
    from nvvm_xdsl.pipeline import run_pipeline
    from nvvm_xdsl.pipeline.levels import TargetFacts
    from nvvm_xdsl.pipeline.selection import select

    if any(op.name.startswith("nvptx.") for op in module.ops):
        return module
    module = fast.clone(module)
    options = CodegenOptions.for_arch(arch)
    # libdevice calls a function that exists only during compilation.
    facts = TargetFacts(Target.parse(arch).sm).parameters(arch_factor=10)
    run_pipeline(module, f"nvvm-reflect<{';'.join(facts)}>", options=settings)
    return select(module, options, settings)


def ptx_of(module: ModuleOp, options: argparse.Namespace, lines: bool = False) -> str:
    """The PTX of a module that `load_module` returned: the text of the file, or the result of
    selection.

    Arguments:
        lines: whether the PTX of selected code states source lines.
    """
    from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
    from nvvm_xdsl.dialects.llvm.types import string
    from nvvm_xdsl.dialects.ptx.printer import print_ptx
    from nvvm_xdsl.driver.files import decode, read_input

    if any(op.name.startswith("nvptx.") for op in module.ops):
        if options.file.endswith(".ptx"):
            return decode(read_input(options.file), options.file)
        return print_ptx(convert(module))
    selected = select_module(module, options.arch, pass_settings(options))
    if lines:
        selected.attributes["nvptx.debug"] = string("line")
    return print_ptx(convert(selected))


def machine_program_of(
    module: ModuleOp, options: argparse.Namespace, counting: bool = False
) -> Program:
    """The machine code that ptxas generates for a module, ready to run.

    Arguments:
        module: a module returned by `load_module`.
        counting: whether to count executed instructions, by source line too.
    Raises DiagnosticError if ptxas or nvdisasm is missing or rejects the text.
    """
    from nvvm_xdsl.lab.machine_simulation import machine_program
    from nvvm_xdsl.simulator import prepare

    return machine_program(
        ptx_of(module, options, lines=counting),
        options.arch,
        prepare(module),
        counting=counting,
        filename=options.file,
        located=counting,
    )
