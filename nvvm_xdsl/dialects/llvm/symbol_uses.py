"""References to symbols of a module."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, ModuleOp, SymbolRefAttr
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.setters import set_symbol_name
from nvvm_xdsl.ir import fast


def references_to(module: ModuleOp, names: Mapping[str, str]) -> None:
    """Redirects references from one symbol to another."""
    new_refs = {old: SymbolRefAttr(new) for old, new in names.items()}
    for op in module.walk():
        properties = op.properties
        for key in ("callee", "global_name", "function_name", "personality"):
            reference = properties.get(key)
            if isinstance(reference, SymbolRefAttr):
                new = new_refs.get(reference.root_reference.data)
                if new is not None:
                    properties[key] = new
        for key in ("ctors", "dtors"):
            listed = properties.get(key)
            if isinstance(listed, ArrayAttr):
                properties[key] = ArrayAttr(
                    [
                        new_refs.get(reference.root_reference.data, reference)
                        if isinstance(reference, SymbolRefAttr)
                        else reference
                        for reference in cast(ArrayAttr[Attribute], listed)
                    ]
                )


def rename_symbols(module: ModuleOp, names: Mapping[str, str]) -> None:
    """Renames symbols of the module, in definitions and references."""
    references_to(module, names)
    for op in fast.ops_of(module.body.block):
        name = symbol_name(op)
        if name is not None and name in names:
            set_symbol_name(op, names[name])
