"""Caching of verdicts in the compilation cache; the key contains all inputs of a verdict."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import astuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import callee_of, global_name
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.driver.cache import Cache, Entry, compiler
from nvvm_xdsl.ir import fast
from nvvm_xdsl.lab.validation.solver import bitwuzla
from nvvm_xdsl.lab.validation.validator import Limits, Verdict, validate_function
from nvvm_xdsl.pipeline.instrumentation import ir_text

_KEPT = ("proved", "bounded", "unsupported")
"""Cached verdicts. Others contain a counterexample or depend on the speed of the machine."""


def cached_verdict(
    before: Operation,
    module: ModuleOp,
    after: Operation,
    optimized: ModuleOp,
    limits: Limits,
    cache: Cache | None,
) -> Verdict:
    """`validate_function`, or its earlier verdict on the same functions with the same limits."""
    if cache is None:
        return validate_function(before, module, after, optimized, limits)
    key = _key(limits, (before, module), (after, optimized))
    entry = cache.get(key)
    if entry is not None:
        return Verdict(*json.loads(entry.ptx))
    found = validate_function(before, module, after, optimized, limits)
    if found.status in _KEPT:
        cache.put(key, Entry(json.dumps([found.function, found.status, found.reason])))
    return found


def _key(limits: Limits, *functions: tuple[Operation, ModuleOp]) -> str:
    found = hashlib.sha256(compiler().encode())
    found.update(repr((astuple(limits), bitwuzla() is not None)).encode())
    for function, module in functions:
        found.update(DataLayout.of(module).text.encode())
        found.update(ir_text(function).encode())
        for symbol in _referenced(function, module):
            # Only the attributes of other functions affect the verdict.
            is_function = symbol.name == "llvm.func"
            text = str(sorted((k, str(v)) for k, v in symbol.properties.items()))
            found.update((text if is_function else ir_text(symbol)).encode())
    return found.hexdigest()


def _referenced(function: Operation, module: ModuleOp) -> Iterator[Operation]:
    names: dict[str, None] = {}
    for op in fast.ops_inside(function):
        if op.name == "llvm.mlir.addressof":
            names[global_name(op)] = None
        elif op.name == "llvm.call":
            names[callee_of(op) or ""] = None
    for name in names:
        symbol = symbols_of(module).get(name)
        if symbol is not None:
            yield symbol
