"""`nvvm-verify`: rejects LLVM IR that is not NVVM IR.

    llvm.intr.memset ... into !llvm.ptr<4>
    error: in @k: 'llvm.intr.memset': memset cannot point to constant address space

Three layers, as the document describes them: the module (triple, data layout, variables), its
functions (attributes that mean nothing on a GPU, cluster dimensions, kernel signatures) and
their instructions (unsupported ones, address spaces, atomics, what the SM lacks). All that is
wrong is collected and told at once. The rules are the tables of `verify/nvvm_rules/`.

Rules of NVIDIA's compiler on constructs that are compiled here (atomic loads, other triples of
NVPTX, attributes without meaning on a GPU) apply only with `strict`, which `-opt
-nvvm-verify=strict` sets; violations of rules that front ends rarely break cause a remark. Without
a known architecture no op is rejected for it.

Benefit: none; it only checks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallIntrinsicOp, CallOp, FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name, symbol_name
from nvvm_xdsl.dialects.llvm.function_attributes import target_sm
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.ir import fast, remarks
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.verify.nvvm_rules import modules as rules
from nvvm_xdsl.verify.nvvm_rules import ops as op_rules
from nvvm_xdsl.verify.nvvm_rules.architectures import gate_of
from nvvm_xdsl.verify.verifier import VerifyError


class NVVMVerifyError(VerifyError):
    """The module is not NVVM IR: `errors` has all errors, each with its location."""

    errors: tuple[VerifyError, ...]

    def __init__(self, errors: Sequence[VerifyError]) -> None:
        first = errors[0]
        super().__init__("", None)
        self.op = first.op
        self.file, self.line, self.column = first.file, first.line, first.column
        self.message = first.message
        self.errors = tuple(errors)

    def parts(self) -> tuple[DiagnosticError, ...]:
        return self.errors

    def render(self) -> str:
        return "\n".join(error.render() for error in self.errors)


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
        yield from _apply(rules.MODULE_RULES, module, context)
        yield from _disliked(rules.DISLIKED_MODULE_RULES, module, context)
        body = module.regions[0].first_block
        if body is None:
            return
        functions: list[Operation] = []
        for op in fast.ops_of(body):
            if isinstance(op, FuncOp):
                functions.append(op)
            elif op.name == "llvm.mlir.global":
                yield from _apply(rules.VARIABLE_RULES, op, context)
                yield from _disliked(rules.DISLIKED_VARIABLE_RULES, op, context)
            elif op.name == "llvm.mlir.ifunc":
                yield from _apply((rules.no_ifunc,), op, context)
        table = dict(op_rules.OP_RULES)
        kernels = op_rules.kernel_names(functions)
        if kernels:
            table[CallOp] = (op_rules.kernel_call(kernels),)
        for func in functions:
            if remarks.wanted():
                self._tell_ignored(func)
            yield from function_errors(cast(FuncOp, func), context, table)

    def _tell_ignored(self, func: Operation) -> None:
        name = symbol_name(func) or ""
        for message in rules.ignored_attributes(func):
            remarks.emit("Analysis", self.name, "Ignored", name, message, op=func)


def function_errors(
    func: FuncOp, context: rules.Context, table: op_rules.OpRules = op_rules.OP_RULES
) -> Iterator[VerifyError]:
    """All errors of a function. Without an `arch` in the context it is the function's."""
    if context.arch is None:
        sm = target_sm(func)
        newest = None if sm is None else max(sm * 10, context.compiled_for or 0)
        context = replace(context, arch=newest)
    arch = context.arch
    yield from _apply(rules.FUNCTION_RULES, func, context)
    yield from _disliked(rules.DISLIKED_FUNCTION_RULES, func, context)
    if context.strict:
        yield from _apply(rules.STRICT_FUNCTION_RULES, func, context)
    for op in walk_function(func):
        cls = op.__class__
        found = table.get(cls)
        if found is not None:
            yield from _apply(found, op, context)
        if arch is not None:
            is_call = cls is CallIntrinsicOp
            name = intrinsic_name(op) if is_call else op.name
            minimum, message = gate_of(name)
            if arch < minimum:
                yield VerifyError(message, op)


def _apply(
    found: tuple[rules.Rule, ...], op: Operation, context: rules.Context
) -> Iterator[VerifyError]:
    for rule in found:
        message = rule(op, context)
        if message is not None:
            yield VerifyError(message, op)


def _disliked(
    found: tuple[rules.Rule, ...], op: Operation, context: rules.Context
) -> Iterator[VerifyError]:
    """The violations of rules that are errors with `strict` and otherwise remarks."""
    if context.strict:
        yield from _apply(found, op, context)
    elif remarks.wanted():
        for error in _apply(found, op, context):
            name = symbol_name(op) or "[module]"
            remarks.emit("Analysis", NVVMIRVerifier.name, "Disliked", name, error.message, op=op)
