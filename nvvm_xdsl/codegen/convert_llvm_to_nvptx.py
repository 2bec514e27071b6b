"""The selection pass, for `xdsl-opt` and `nvvm-opt`."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from nvvm_xdsl.codegen.float_modes import FloatModes, modes_of
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.select import select_module
from nvvm_xdsl.codegen.target_options import DEFAULT_ARCH
from nvvm_xdsl.dialects.llvm.modules import take_contents


@dataclass(frozen=True)
class ConvertLLVMToNVPTX(FloatModes, ModulePass):
    """Selects machine code: converts a module of llvm and nvvm to one of nvptx.

    The fields are those of `CodegenOptions`; `arch` is the target's name. Raises SelectionError for
    ops without code on the target.
    """

    name = "convert-llvm-to-nvptx"

    arch: str = DEFAULT_ARCH
    line_info: bool = False
    debug_info: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        options = CodegenOptions.for_arch(
            self.arch,
            line_info=self.line_info or self.debug_info,
            debug_info=self.debug_info,
            **modes_of(self),
        )
        take_contents(op, select_module(op, options))
