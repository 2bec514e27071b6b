"""`constmerge`: merges constants with equal contents.

    llvm.mlir.global private unnamed_addr constant @a(...)       llvm.mlir.global private unnamed_addr constant @a(...)
    llvm.mlir.global private unnamed_addr constant @b(same)  ->  (uses of @b are uses of @a)

LLVM's ConstantMerge. Both constants must have the same type, address space and initializer, and the
initializer must be final. The removed constant must be invisible to other modules. The address of
at least one of the two must be insignificant (`unnamed_addr`), because two constants have different
addresses. The remaining constant gets the greater alignment, and its address is significant if that
of either was. Constants that contain the addresses of merged constants may become equal, so the
pass iterates. Variables that the host may set, that have a section, or that are listed in
`llvm.used`, are not merged.

LLVM merges only constants in address space 0; this pass merges constants within every address
space.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.global_uses import kept_names
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.accessors import (
    defined_name,
    global_type_of,
    int_property,
    is_constant_global,
    is_thread_local,
    stated_alignment,
)
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.setters import set_alignment
from nvvm_xdsl.dialects.llvm.symbol_uses import references_to
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    LOCAL_LINKAGE,
    functions_of,
    linkage_of,
    walk_function,
)
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
from nvvm_xdsl.dialects.nvvm.handles import set_by_host
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.equality import shape_of
from nvvm_xdsl.ir.remarks import Statistic
from nvvm_xdsl.passes.base import NvvmPass

MERGED: Final = Statistic("constmerge", "merged", "Number of global constants merged")

_GLOBAL_UNNAMED: Final = 2
"""`unnamed_addr`; `local_unnamed_addr` is 1."""

_OWN: Final = frozenset(
    {"sym_name", "linkage", "alignment", "unnamed_addr", "visibility_", "dso_local"}
)
"""Properties in which merged constants may differ."""

Key: TypeAlias = tuple[object, ...]


def contents_key(variable: Operation, ignored: frozenset[str] = _OWN) -> Key:
    """A key that is equal for variables that are equal except for some properties."""
    properties = frozenset((n, a) for n, a in variable.properties.items() if n not in ignored)
    attributes = frozenset(variable.attributes.items())
    numbers: dict[SSAValue, int] = {}
    ops: list[object] = []
    for op in walk_function(variable):
        ops.append((shape_of(op), tuple(numbers[v] for v in fast.operands_of(op))))
        for result in op.results:
            numbers[result] = len(numbers)
    return (properties, attributes, tuple(ops))


@dataclass(frozen=True)
class ConstantMerge(NvvmPass):
    """Merges global constants with equal contents."""

    name = "constmerge"
    title = "ConstantMerge"

    def run(self, module: ModuleOp, am: AnalysisManager) -> bool:
        kept = kept_names(module)
        changed = False
        while merged := self._merge(module, kept):
            changed = True
            MERGED.add(len(merged))
            references_to(module, merged)
        if changed:
            for func in functions_of(module):
                am.invalidate(func)
        return changed

    @staticmethod
    def _merge(module: ModuleOp, kept: frozenset[str]) -> dict[str, str]:
        """Erases duplicates; returns the name of the remaining constant for each erased one."""
        body = module.regions[0].first_block
        groups: dict[Key, list[Operation]] = {}
        for op in fast.ops_of(body) if body is not None else ():
            if _may_merge(op):
                groups.setdefault(contents_key(op), []).append(op)
        found: dict[str, str] = {}
        for group in groups.values():
            # A visible constant is kept and the others are merged into it, as in LLVM.
            group.sort(key=lambda op: linkage_of(op) in LOCAL_LINKAGE)
            stays = next((op for op in group if defined_name(op) not in kept), group[0])
            for op in group:
                name = defined_name(op)
                if op is stays or name in kept or linkage_of(op) not in LOCAL_LINKAGE:
                    continue
                if not (_is_unnamed(op) or _is_unnamed(stays)):
                    continue
                _join(stays, op)
                found[name] = defined_name(stays)
                fast.erase(op)
        return found


def _may_merge(op: Operation) -> bool:
    return (
        is_constant_global(op)
        and "section" not in op.properties
        and not is_thread_local(op)
        and not set_by_host(op)
        and linkage_of(op) not in INTERPOSABLE_LINKAGE
    )


def _is_unnamed(op: Operation) -> bool:
    return int_property(op, "unnamed_addr") == _GLOBAL_UNNAMED


def _join(stays: Operation, goes: Operation) -> None:
    """Gives the remaining constant the alignment and address significance of both."""
    # A constant without a stated alignment has that of its type.
    usual = data_layout_of(stays).alignment(global_type_of(stays))
    set_alignment(stays, max(stated_alignment(op, usual) for op in (stays, goes)))
    if not _is_unnamed(goes):
        stays.properties["unnamed_addr"] = int_attr(0, I64)


__all__ = ["ConstantMerge", "contents_key"]
