"""`mergefunc`: merges equal functions.

    llvm.func internal @f(%x: i32) -> i32 { ... }       llvm.func internal @f(%x: i32) -> i32 { ... }
    llvm.func internal @g(%y: i32) -> i32 { same }  ->  (calls of @g are calls of @f)

LLVM's MergeFunctions. Two functions are equal if their types, attributes, blocks and ops correspond
one to one and the operands of corresponding ops correspond; recursive calls count as equal, but not
the addresses of the functions themselves. If a
function is internal, and its address is not taken or is `unnamed_addr`, all its uses are redirected
to the other function and it is erased. A function that is visible, or whose address may be
compared, is replaced by a call of the other function if it is large enough (`THUNK_SIZE`). Only
strong definitions are merged, because the linker may replace a weak one.

Kernels and the members of `llvm.used` are not changed. The callers of merged functions may become
equal, so the pass iterates.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from xdsl.dialects.builtin import ModuleOp, SymbolRefAttr
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Attribute, Block, SSAValue

from nvvm_xdsl.analysis.call_graph import CallGraph
from nvvm_xdsl.analysis.global_uses import kept_names
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import defined_name, function_type_of, int_property
from nvvm_xdsl.dialects.llvm.function_attributes import has_function_attribute
from nvvm_xdsl.dialects.llvm.ops import BlockAddressOp, BlockTagOp
from nvvm_xdsl.dialects.llvm.symbol_uses import references_to
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    STRONG_LINKAGE,
    functions_of,
    linkage_of,
    walk_function,
)
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.equality import shape_of
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass
from nvvm_xdsl.transforms.thunks import make_thunk

MERGED: Final = Statistic("mergefunc", "functions", "Number of functions merged")
THUNKS: Final = Statistic(
    "mergefunc", "thunks", "Number of functions replaced by a call of an equal function"
)

THUNK_SIZE: Final = 12
"""Minimum number of ops of a function that is replaced by a call of another."""

_OWN: Final = frozenset(
    {"sym_name", "linkage", "visibility_", "dso_local", "unnamed_addr", "comdat"}
)
_UNNAMED: Final = 2
_SELF: Final = "itself"
_CALLEE: Final = "callee"

Key: TypeAlias = tuple[object, ...]


def function_key(func: FuncOp) -> Key:
    """A key that is equal for equal functions."""
    own: Attribute = SymbolRefAttr(defined_name(func))
    blocks: dict[Block, int] = {}
    values: dict[SSAValue, int] = {}
    for block in fast.blocks_of(func.regions[0]):
        blocks[block] = len(blocks)
        for argument in block.args:
            values[argument] = len(values)
        for op in fast.ops_of(block):
            for result in op.results:
                values[result] = len(values)
    parts: list[object] = [
        frozenset((n, a) for n, a in func.properties.items() if n not in _OWN),
        frozenset(func.attributes.items()),
    ]
    for block in blocks:
        parts.append(tuple(argument.type for argument in block.args))
        for op in fast.ops_of(block):
            parts.append(
                (
                    shape_of(
                        op,
                        {
                            n: _SELF if n == _CALLEE and a == own else a
                            for n, a in op.properties.items()
                        },
                    ),
                    frozenset(op.attributes.items()),
                    tuple(values[v] for v in fast.operands_of(op)),
                    tuple(blocks[b] for b in fast.successors_of(op)),
                )
            )
    return tuple(parts)


@dataclass(frozen=True)
class MergeFunctions(NvvmPass):
    """Merges equal functions."""

    name = "mergefunc"
    title = "MergeFunctions"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        kept = kept_names(module)
        changed = False
        # Each iteration merges something, so there are at most as many as functions.
        while self._merge(module, kept, am):
            changed = True
        if changed:
            for func in functions_of(module):
                am.invalidate(func)
        return changed

    def _merge(self, module: ModuleOp, kept: frozenset[str], am: AnalysisManager) -> bool:
        graph = CallGraph(module)
        groups: dict[Key, list[FuncOp]] = {}
        shapes: dict[Key, list[FuncOp]] = {}
        for func in functions_of(module):
            if _may_merge(func, kept):
                shapes.setdefault(_shape(func), []).append(func)
        for alike in shapes.values():
            if len(alike) > 1:
                for func in alike:
                    groups.setdefault(function_key(func), []).append(func)
        names: dict[str, str] = {}
        changed = False
        for group in groups.values():
            stays = next((f for f in group if linkage_of(f) in LOCAL_LINKAGE), group[0])
            for func in group:
                if func is stays:
                    continue
                if linkage_of(func) in LOCAL_LINKAGE and (
                    not graph.node(func).address_taken
                    or int_property(func, "unnamed_addr") == _UNNAMED
                ):
                    names[defined_name(func)] = defined_name(stays)
                    MERGED.add()
                    changed = True
                elif sum(1 for _ in walk_function(func)) >= THUNK_SIZE:
                    THUNKS.add()
                    make_thunk(func, stays)
                    changed = True
        if names:
            doomed = [f for f in functions_of(module) if defined_name(f) in names]
            for func in doomed:
                am.forget(func)
                fast.erase(func)
            references_to(module, names)
        return changed


def _may_merge(func: FuncOp, kept: frozenset[str]) -> bool:
    return (
        linkage_of(func) in STRONG_LINKAGE
        and not is_kernel(func)
        and defined_name(func) not in kept
        and not function_type_of(func).is_variadic
        and not has_function_attribute(func, "optimize_none")
        and not any(type(op) in _ADDRESSED for op in walk_function(func))
    )


_ADDRESSED: Final = frozenset({BlockAddressOp, BlockTagOp})


def _shape(func: FuncOp) -> Key:
    """A hash that is fast to compute and equal for equal functions (LLVM's `functionHash`)."""
    return (function_type_of(func), tuple(type(op) for op in walk_function(func)))


__all__ = ["MergeFunctions", "function_key"]
