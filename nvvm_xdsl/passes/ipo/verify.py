"""`verify`: stops the pipeline if the module is invalid.

The project's verifier checks SSA dominance, branch and return operands, operand types, symbols, and
convergence.
"""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.verify.verifier import verify_module


@dataclass(frozen=True)
class Verify(NvvmPass):
    """Verifies the module; raises VerifyError."""

    name = "verify"
    title = "Verifier"
    phases = frozenset({1, 2})

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        verify_module(module, links=True)
        return False
