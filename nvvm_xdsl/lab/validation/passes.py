"""Proofs after each pass: `nvvm-opt --verify-each=proof`.

    nvvm-opt: error: gvn on f is refuted: ...

After each pass, the checker compares every changed function with its earlier version. A refutation
is an error. The verdicts on other functions are counted.
"""

from __future__ import annotations

import shlex
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import defined_name
from nvvm_xdsl.dialects.llvm.symbols import is_declaration, symbols_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.validation.counterexample import described
from nvvm_xdsl.lab.validation.results import cached_verdict
from nvvm_xdsl.lab.validation.validator import Limits, Verdict
from nvvm_xdsl.pipeline.instrumentation import ir_text

if TYPE_CHECKING:
    from nvvm_xdsl.driver.cache import Cache
    from nvvm_xdsl.passes.base import NvvmPass

MOST_REASONS = 10
"""Maximum number of reasons for undecided functions in the summary."""


class PassProofs:
    """Proves the changes of passes.

    Arguments:
        limits: limits for one function.
        cache: the cache of verdicts.
    """

    def __init__(self, limits: Limits | None = None, cache: Cache | None = None) -> None:
        self._limits = limits or Limits()
        self._cache = cache
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def before(self, unit: Operation) -> Operation:
        """A copy of a function or module before a pass."""
        return unit.clone()

    def after(self, instance: NvvmPass, unit: Operation, earlier: object) -> None:
        """Compares a changed function or module with the copy. Raises DiagnosticError if refuted."""
        assert isinstance(earlier, Operation)
        for before, after, module, optimized in _changed(unit, earlier):
            verdict = cached_verdict(before, module, after, optimized, self._limits, self._cache)
            self.counts[verdict.status] += 1
            if verdict.status == "refuted":
                raise _refutation(instance, verdict, before, module, optimized)
            if verdict.reason:
                self.reasons[f"{instance.name}: {verdict.reason}"] += 1

    def summary(self) -> Sequence[str]:
        """Lines with the number of proved changes, and the reasons why others are not proved."""
        counted = ", ".join(f"{count} {status}" for status, count in self.counts.most_common())
        lines = [f"proofs of changed functions: {counted or 'none'}"]
        common = self.reasons.most_common(MOST_REASONS)
        return lines + [f"  {count} x {reason}" for reason, count in common]


def _changed(
    unit: Operation, earlier: Operation
) -> Iterator[tuple[Operation, Operation, ModuleOp, ModuleOp]]:
    """The changed functions before and after, each with its module."""
    if not isinstance(unit, ModuleOp):
        module = unit.parent_op()
        if unit.name == "llvm.func" and isinstance(module, ModuleOp):
            yield earlier, unit, module, module
        return
    assert isinstance(earlier, ModuleOp)
    symbols = symbols_of(unit)
    for before in list(earlier.ops):
        if before.name != "llvm.func" or is_declaration(before):
            continue
        after = symbols.get(defined_name(before))
        if after is None or after.name != "llvm.func" or is_declaration(after):
            continue
        if ir_text(before) != ir_text(after):
            yield before, after, earlier, unit


def _refutation(
    instance: NvvmPass, verdict: Verdict, before: Operation, module: ModuleOp, optimized: ModuleOp
) -> DiagnosticError:
    original = module.clone()
    stale = symbols_of(original)[verdict.function]
    if before.parent is None:
        block = stale.parent
        assert block is not None
        block.insert_op_before(before, stale)
        stale.detach()
    with tempfile.NamedTemporaryFile(
        "w", prefix=f"{instance.name}-", suffix=".mlir", delete=False
    ) as file:
        file.write(ir_text(original))
    function = verdict.function
    test = f"nvvm-tv {{}} -p {shlex.quote(str(instance.pipeline_pass_spec()))} --function {shlex.quote(function)}"
    command = ["nvvm-reduce", file.name, "--test", test, "--match", "^@.*: refuted"]
    lines = [
        f"{instance.name} on {function} is refuted:",
        *(f"  {line}" for line in described(verdict, original, optimized)),
        f"  reduce it with: {shlex.join(command)} -o {Path(file.name).stem}-reduced.mlir",
    ]
    return DiagnosticError("\n".join(lines))
