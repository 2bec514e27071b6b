"""`nvvm-verify`: rejects LLVM IR that is not NVVM IR.

    llvm.intr.memset ... into !llvm.ptr<4>
    error: in @k: 'llvm.intr.memset': memset cannot point to constant address space

Three layers are verified, as the document describes: the module (triple, data layout, variables),
its functions (attributes without meaning on a GPU, cluster dimensions, kernel signatures) and their
instructions (unsupported ones, address spaces, atomics, features that the SM lacks). All errors are
collected and reported together. The rules are the tables of `verify/nvvm_rules/`.

Rules of NVIDIA's compiler on constructs that are compiled here (atomic loads, other triples of
NVPTX, attributes without meaning on a GPU) apply only with `strict`, which `-opt
-nvvm-verify=strict` sets; violations of rules that front ends rarely break cause a remark. Without
a known architecture no op is rejected for it.

Benefit: none; it only checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallOp, FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.passes.nvidia.checks.nvvm_rule_violations import (
    NVVMVerifyError,
    function_errors,
    strict_violations,
    violations,
)
from nvvm_xdsl.verify.nvvm_rules import modules as rules
from nvvm_xdsl.verify.nvvm_rules import ops as op_rules
from nvvm_xdsl.verify.verifier import VerifyError


@dataclass(frozen=True)
class NVVMIRVerifier(NvvmPass):
    """Verifies the module; raises NVVMVerifyError."""

    name = "nvvm-verify"
    title = "NVVMIRVerifier"
    phases = frozenset({1, 2})
    tokens: ClassVar = {
        "unified-nvvm-ir": ("unified", True),
        "mode=strict": ("strict", True),
        "mode=default": ("strict", False),
    }
    knobs: ClassVar = {"nvvm-verify": "mode"}

    arch: int | None = None
    """Ten times the SM, such as 900; None: each function's own `target_cpu`."""

    compiled_for: int | None = None
    """Ten times the SM of the compilation. Functions for an older one (`target_cpu`) are checked
    against their own; None: no such limit."""

    unified: bool = False
    """The rules of UnifiedNVVMIR: eight triples and two kinds of fences."""

    strict: bool = False
    """Also reject constructs that only NVIDIA's compiler rejects."""

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        errors = list(self.errors_of(module))
        if errors:
            raise NVVMVerifyError(errors)
        return False

    def errors_of(self, module: ModuleOp) -> Iterator[VerifyError]:
        """All errors of a module."""
        context = rules.Context(self.arch, self.unified, self.strict, self.compiled_for)
        yield from violations(rules.MODULE_RULES, module, context)
        yield from strict_violations(rules.DISLIKED_MODULE_RULES, module, context)
        body = module.regions[0].first_block
        if body is None:
            return
        functions: list[Operation] = []
        for op in fast.ops_of(body):
            if isinstance(op, FuncOp):
                functions.append(op)
            elif op.name == "llvm.mlir.global":
                yield from violations(rules.VARIABLE_RULES, op, context)
                yield from strict_violations(rules.DISLIKED_VARIABLE_RULES, op, context)
            elif op.name == "llvm.mlir.ifunc":
                yield from violations((rules.no_ifunc,), op, context)
        table = dict(op_rules.OP_RULES)
        kernels = op_rules.kernel_names(functions)
        if kernels:
            table[CallOp] = (op_rules.kernel_call(kernels),)
        for func in functions:
            if remarks.wanted():
                self._report_ignored_attributes(func)
            yield from function_errors(cast(FuncOp, func), context, table)

    def _report_ignored_attributes(self, func: Operation) -> None:
        name = symbol_name(func) or ""
        for message in rules.ignored_attributes(func):
            remarks.emit("Analysis", self.name, "Ignored", name, message, op=func)
