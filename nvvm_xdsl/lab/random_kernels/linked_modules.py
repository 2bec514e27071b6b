"""Modules that are linked from two.

Each function and variable is defined in one of two modules. The other module declares it if it
refers to it, or defines it weakly with other contents, which the linker replaces. Symbols that only
one module refers to keep their local linkage; those of both modules get the same names.
"""

from __future__ import annotations

import random
from typing import Final

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import FuncOp, GlobalOp, ReturnOp, UnreachableOp, ZeroOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import global_type_of, symbol_name
from nvvm_xdsl.dialects.llvm.ops import AliasOp
from nvvm_xdsl.dialects.llvm.setters import set_linkage
from nvvm_xdsl.dialects.llvm.symbol_uses import rename_symbols
from nvvm_xdsl.dialects.llvm.symbols import (
    LOCAL_LINKAGE,
    is_declaration,
    linkage_of,
    references_of,
    symbols_of,
)
from nvvm_xdsl.frontend.linker import link
from nvvm_xdsl.ir import fast

WEAK_SHARE: Final = 0.4
"""Share of the symbols that the other module defines weakly instead of declaring them."""

SHARED_LINKAGE: Final = ("external", "weak", "weak_odr", "linkonce_odr")
"""Linkage of the definitions of symbols that both modules refer to."""


def link_parts(module: ModuleOp, chance: random.Random) -> ModuleOp:
    """Splits a module into two and links them; returns the linked module, which replaces the module."""
    symbols = {
        name: op
        for name, op in symbols_of(module).items()
        if not is_declaration(op) and not name.startswith("llvm.")
    }
    references = {name: references_of(op) for name, op in symbols.items()}
    # An alias, its target and its users are in one module: other modules cannot declare an alias.
    aliases = {name for name, op in symbols.items() if type(op) is AliasOp}
    together = aliases.union(*(references[name] for name in aliases))
    home = {
        name: 0 if name in together or references[name] & aliases else chance.randrange(2)
        for name in symbols
    }
    shared: set[str] = set()
    for name in symbols:
        shared |= {other for other in references[name] if home.get(other, home[name]) != home[name]}
    weak = {name for name in sorted(shared) if chance.random() < WEAK_SHARE}
    for name in sorted(shared):
        linkage = "external" if name in weak else chance.choice(SHARED_LINKAGE)
        set_linkage(symbols[name], linkage)
    parts = [module, fast.clone(module)]
    for number, part in enumerate(parts):
        local: list[str] = []
        for name, op in list(symbols_of(part).items()):
            if home.get(name, number) != number:
                _remove_definition(op, is_weak=name in weak, is_used=name in shared)
            elif name in home and linkage_of(op) in LOCAL_LINKAGE:
                local.append(name)
        rename_symbols(part, {name: f"local{count}" for count, name in enumerate(local)})
    return link(parts)


def _remove_definition(op: Operation, *, is_weak: bool, is_used: bool) -> None:
    """Replaces the definition of a symbol of the other module by a declaration or by one with other
    contents."""
    region = op.regions[0]
    for block in list(fast.blocks_of(region)):
        for inner in fast.ops_of(block):
            fast.drop_uses(inner)
    for block in list(fast.blocks_of(region)):
        fast.detach_block(block)
    if not is_used:
        fast.erase(op)
        return
    op.properties.pop("value", None)
    set_linkage(op, "weak" if is_weak else "external")
    if not is_weak:
        return
    if type(op) is GlobalOp:
        block = fast.new_block()
        zero = fast.create(ZeroOp, (), (global_type_of(op),))
        fast.append(block, zero)
        fast.append(block, fast.create(ReturnOp, zero.results))
    else:
        assert type(op) is FuncOp, symbol_name(op)
        block = fast.new_block(list(op.function_type.inputs.data))
        fast.append(block, fast.create(UnreachableOp))
    fast.append_block(region, block)
