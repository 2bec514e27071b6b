"""`-t ptx` and `-t llvm`, in `nvvm-opt` and in a stock `xdsl-opt`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from nvvm_xdsl.driver.compile import generate
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.intern import intern_types


@dataclass(frozen=True)
class PTXTarget(Target):
    """PTX text for a module of the `llvm` and `nvvm`, the `nvptx` or the `ptx` dialect.

    No pass over IR is run: `-p` is for that. Arguments as of `CompileOptions`:
    `-t 'ptx{arch=sm_90 ftz=true}'`.
    """

    name: ClassVar[str] = "ptx"

    arch: str | None = None
    ftz: bool | None = None
    prec_div: bool | None = None
    prec_sqrt: bool | None = None
    fmad: bool | None = None

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Writes the PTX. Raises DiagnosticError."""
        intern_types(module)
        options = CompileOptions(
            arch=self.arch,
            ftz=self.ftz,
            prec_div=self.prec_div,
            prec_sqrt=self.prec_sqrt,
            fmad=self.fmad,
        )
        output.write(generate(module, options.for_module(module)))


@dataclass(frozen=True)
class LLVMTarget(Target):
    """LLVM assembly for a module of the `llvm` and `nvvm` dialects. No pass is run."""

    name: ClassVar[str] = "llvm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Writes the assembly. Raises WriteError."""
        from nvvm_xdsl.export import write_ll

        intern_types(module)
        output.write(write_ll(module))
