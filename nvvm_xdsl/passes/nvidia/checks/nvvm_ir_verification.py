"""`nvvm-ir-verification`: verifies the NVVM IR of a function between passes.

    error: in @k: '%x = llvm.addrspacecast': Cannot cast non-generic pointer to different
    non-generic pointer

`nvvm-verify` verifies the input module; this pass verifies one function after other passes changed
it. It changes nothing. The document (000 LLVM Optimizer, "NVVMIRVerification as a Convergence
Check") names three possible errors of a transformation: address spaces, signatures of intrinsics
(both with the rules of `nvvm-verify`), and metadata: a range whose width is not that of the value,
branch weights whose number is not that of the successors, and alignments that are not powers of
two.

Benefit: none; it only checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager, PreservedAnalyses
from nvvm_xdsl.dialects.llvm.accessors import (
    integer_width,
    integers_of,
    scalar_type,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.base import FunctionPass
from nvvm_xdsl.passes.nvidia.checks.nvvm_rule_violations import NVVMVerifyError, function_errors
from nvvm_xdsl.verify.nvvm_rules import modules as rules
from nvvm_xdsl.verify.verifier import VerifyError


@dataclass(frozen=True)
class NVVMIRVerification(FunctionPass):
    """Verifies a function between passes; raises NVVMVerifyError."""

    name = "nvvm-ir-verification"
    title = "NVVMIRVerification"
    phases = frozenset({1, 2})

    arch: int | None = None
    """Ten times the SM, such as 900; None: the function's own `target_cpu`."""

    compiled_for: int | None = None
    """Ten times the SM of the compilation. Functions for an older one (`target_cpu`) are checked
    against their own; None: no such limit."""

    def preserved(self) -> PreservedAnalyses:
        return PreservedAnalyses.all()

    def run_on_function(self, func: FuncOp, am: AnalysisManager) -> bool:
        errors = list(self.errors_of(func))
        if errors:
            raise NVVMVerifyError(errors)
        return False

    def errors_of(self, func: FuncOp) -> Iterator[VerifyError]:
        """All errors of a function."""
        yield from function_errors(func, rules.Context(self.arch, compiled_for=self.compiled_for))
        for op in walk_function(func):
            for message in metadata_errors(op):
                yield VerifyError(message, op)


_METADATA = ("range", "branch_weights", "alignment")


def metadata_errors(op: Operation) -> Iterator[str]:
    """Errors in the metadata of an op: ranges, branch weights and alignments."""
    properties, attributes = op.properties, op.attributes
    if not attributes and properties.keys().isdisjoint(_METADATA):
        return
    stated = properties.get("range") or attributes.get("llvm.range")
    if isinstance(stated, ConstantRangeAttr) and op.results:
        # The range of a vector is that of each element.
        width = integer_width(scalar_type(op.results[0].type))
        if width != stated.width:
            yield f"a range of i{stated.width} for a value of {op.results[0].type}"
    weights = properties.get("branch_weights")
    if weights is not None:
        count = len(integers_of(weights))
        ways = len(fast.successors_of(op))
        if ways and count != ways:
            yield f"expected {ways} branch weights, got {count}"
    number = stated_alignment(op)
    if number < 0 or number & (number - 1):
        yield f"the alignment {number} is not a power of two"
