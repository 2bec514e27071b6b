"""Violations of the rules of NVVM IR, and the error that reports them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.llvm import CallIntrinsicOp, FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import intrinsic_name, symbol_name
from nvvm_xdsl.dialects.llvm.function_attributes import target_sm
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.diagnostics import DiagnosticError
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


def function_errors(
    func: FuncOp, context: rules.Context, table: op_rules.OpRules = op_rules.OP_RULES
) -> Iterator[VerifyError]:
    """All errors of a function. If the context has no `arch`, the function's own is used."""
    if context.arch is None:
        sm = target_sm(func)
        newest = None if sm is None else max(sm * 10, context.compiled_for or 0)
        context = replace(context, arch=newest)
    arch = context.arch
    yield from violations(rules.FUNCTION_RULES, func, context)
    yield from strict_violations(rules.DISLIKED_FUNCTION_RULES, func, context)
    if context.strict:
        yield from violations(rules.STRICT_FUNCTION_RULES, func, context)
    unrestricted: set[type[Operation]] = set()
    for op in walk_function(func):
        cls = type(op)
        if cls in unrestricted:
            continue
        found = table.get(cls)
        if found is not None:
            yield from violations(found, op, context)
        is_call = cls is CallIntrinsicOp
        if arch is not None:
            name = intrinsic_name(op) if is_call else op.name
            minimum, message = gate_of(name)
            if arch < minimum:
                yield VerifyError(message, op)
                continue
        if found is None and not is_call:
            unrestricted.add(cls)


def violations(
    found: tuple[rules.Rule, ...], op: Operation, context: rules.Context
) -> Iterator[VerifyError]:
    """One error for each of the rules that the op violates."""
    for rule in found:
        message = rule(op, context)
        if message is not None:
            yield VerifyError(message, op)


def strict_violations(
    found: tuple[rules.Rule, ...], op: Operation, context: rules.Context
) -> Iterator[VerifyError]:
    """The violations of the rules whose violations are errors with `strict`, and otherwise
    remarks.
    """
    if context.strict:
        yield from violations(found, op, context)
    elif remarks.wanted():
        for error in violations(found, op, context):
            name = symbol_name(op) or "[module]"
            remarks.emit("Analysis", "nvvm-verify", "Disliked", name, error.message, op=op)
