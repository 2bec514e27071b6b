"""The module of a tool that runs a kernel: its options, and reading it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.pipeline.command_line import add_opt_argument

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

    from nvvm_xdsl.pipeline.options import PassOptions


def add_module_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for compiling the module before the launch."""
    add = parser.add_argument
    add("--passes", metavar="PIPELINE", help="run a pipeline on the module first")
    add_opt_argument(parser)
    add("--libdevice", type=Path, metavar="PATH", help="bitcode that defines the __nv_ functions")


def pass_settings(options: argparse.Namespace) -> PassOptions:
    """The options that `-opt` states. Raises DiagnosticError for a name or value that does not exist."""
    from nvvm_xdsl.pipeline.knobs import parse_opt

    return parse_opt(" ".join(options.pass_options))


def load_module(options: argparse.Namespace) -> ModuleOp:
    """The module that the options name, linked with libdevice and after its pipeline.

    PTX becomes machine code, on which no pipeline is run. Raises DiagnosticError.
    """
    settings = pass_settings(options)
    if settings and not options.passes and not getattr(options, "select", False):
        print("remark: -opt has no effect: no --passes are run", file=sys.stderr)
    from nvvm_xdsl.driver.compile import complete, parse, verify
    from nvvm_xdsl.driver.files import STDIN_NAME, read_input
    from nvvm_xdsl.driver.toolkit import find_libdevice
    from nvvm_xdsl.frontend.libdevice import link_libdevice

    name = STDIN_NAME if options.file == "-" else options.file
    module = parse(read_input(options.file), filename=name, locations=True)
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


def select_module(module: ModuleOp, arch: str, settings: PassOptions | None = None) -> ModuleOp:
    """Machine code for a copy of a module; a module of machine code is returned as it is.

    Arguments:
        settings: what `-opt` states for the passes before selection.
    """
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.ir import fast
    from nvvm_xdsl.pipeline.selection import select

    if any(op.name.startswith("nvptx.") for op in module.ops):
        return module
    return select(fast.clone(module), CodegenOptions.for_arch(arch), settings)
