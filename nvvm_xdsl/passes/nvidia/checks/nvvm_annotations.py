"""`nvvm-annotations`: converts kernel markers and launch bounds to one form.

    llvm.func ptx_kernelcc @k() attributes {passthrough = [["nvvm.maxntid", "256,1,1"]]} {

becomes

    llvm.func @k() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>} {

Kernels are marked by their calling convention, as in LLVM 22 and MLIR's importer, by `gpu.kernel`,
or by `nvvm.kernel`. Launch bounds are strings among LLVM's function attributes or attributes of
MLIR's NVVM dialect. (`!nvvm.annotations`, the oldest form, is read by the front end.) The pass
converts both to the form of the NVVM dialect. With `strings` it converts to LLVM's function
attributes, for tools that know only these.

All passes of this project understand both forms, so no other pass depends on it. The document (000
LLVM Optimizer) states only the position of NVVMAnnotationsProcessor: after each
`nvvm-peephole-optimizer`.

Benefit: none in speed; it normalizes markers of kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.kernel_markers import convert_kernel_markers


@dataclass(frozen=True)
class NVVMAnnotations(NvvmPass):
    """Converts kernel markers and launch bounds to one form."""

    name = "nvvm-annotations"
    title = "NVVMAnnotationsProcessor"
    tokens: ClassVar = {"attributes": ("strings", False), "strings": ("strings", True)}

    strings: bool = False
    """Whether LLVM's calling convention and string attributes are used instead of MLIR's
    attributes."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        return convert_kernel_markers(module, strings=self.strings)
