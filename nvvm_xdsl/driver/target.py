"""`-t ptx` and `-t llvm`, in `nvvm-opt` and in a stock `xdsl-opt`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import IO, ClassVar

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.utils.target import Target

from nvvm_xdsl.codegen.float_modes import StatedFloatModes, modes_of
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.driver.compile import generate
from nvvm_xdsl.driver.options import CompileOptions


@dataclass(frozen=True)
class PTXTarget(StatedFloatModes, Target):
    """PTX text for a module of the `llvm` and `nvvm`, the `nvptx` or the `ptx` dialect.

    Passes over IR are not run (see `-p`). Arguments as of `CompileOptions`:
    `-t 'ptx{arch=sm_90 ftz=true}'`. `opt` is the text of `-opt`, for the passes over machine code,
    and `opt_level` their level, by default that of `-O` or of the pipeline of `nvvm-opt`.
    """

    name: ClassVar[str] = "ptx"

    arch: str | None = None
    opt: str = ""
    opt_level: int | None = None
    fast_compile: str = ""

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        """Writes the PTX. Raises DiagnosticError."""
        intern_types(module)
        options = CompileOptions(
            arch=self.arch,
            opt_level=self.opt_level,
            pass_options=self.opt,
            fast_compile=self.fast_compile,
            **modes_of(self),
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
