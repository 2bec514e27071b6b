"""The target `ptx` of `xdsl-opt -t ptx` and `nvvm-opt -t ptx`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from nvvm_xdsl.codegen.convert_nvptx_to_ptx import convert
from nvvm_xdsl.codegen.options import DEFAULT_ARCH, CodegenOptions
from nvvm_xdsl.dialects.nvptx.functions import SymbolOp
from nvvm_xdsl.dialects.ptx.ops import PTXOp
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.ir import fast


@dataclass(frozen=True)
class PTXTarget(Target):
    """Prints a module as PTX.

    A module of the ptx dialect is printed as it is, one of the nvptx dialect converted first,
    and one of the llvm and nvvm dialects selected for `arch` before that.
    """

    name = "ptx"

    arch: str = DEFAULT_ARCH

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        block = module.body.first_block
        ops = [] if block is None else list(fast.ops_of(block))
        if not any(isinstance(op, PTXOp) for op in ops):
            if not any(isinstance(op, SymbolOp) for op in ops):
                from nvvm_xdsl.codegen.select import select_module

                module = select_module(module, CodegenOptions.for_arch(self.arch))
            module = convert(module)
        output.write(print_ptx(module))
