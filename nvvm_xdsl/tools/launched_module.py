"""The module of a tool that runs a kernel: its options, and reading it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from nvvm_xdsl.pipeline.command_line import add_opt_argument

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp


def add_module_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options that say what is done to the module first."""
    add = parser.add_argument
    add("--passes", metavar="PIPELINE", help="run a pipeline on the module first")
    add_opt_argument(parser)
    add("--libdevice", type=Path, metavar="PATH", help="bitcode to take __nv_ functions from")


def load_module(options: argparse.Namespace) -> ModuleOp:
    """The module that the options name, linked with libdevice and after its pipeline.

    PTX becomes machine code, on which no pipeline is run.
    """
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
        from nvvm_xdsl.pipeline import PassManager
        from nvvm_xdsl.pipeline.knobs import parse_opt

        PassManager(options.passes, options=parse_opt(" ".join(options.pass_options))).run(module)
    return module


def select_module(module: ModuleOp, arch: str) -> ModuleOp:
    """Machine code for a module, which stays as it is; what is machine code already is given back."""
    from nvvm_xdsl.codegen.options import CodegenOptions
    from nvvm_xdsl.ir import fast
    from nvvm_xdsl.pipeline.selection import select

    if any(op.name.startswith("nvptx.") for op in module.ops):
        return module
    return select(fast.clone(module), CodegenOptions.for_arch(arch))
