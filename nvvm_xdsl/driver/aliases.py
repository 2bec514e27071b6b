"""Aliases of the linked module, which become the symbols and addresses that they name.

PTX has aliases of functions only, and none that another module may replace. A function alias that
other modules can call becomes a function that calls its target.
"""

from __future__ import annotations

from typing import Final

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp
from xdsl.dialects.llvm import AddressOfOp, FuncOp
from xdsl.ir import Attribute, Operation, Region, SSAValue

from nvvm_xdsl.analysis.global_uses import KEPT_GLOBALS, kept_names
from nvvm_xdsl.dialects.llvm.accessors import (
    function_type_of,
    global_name,
    symbol_name,
)
from nvvm_xdsl.dialects.llvm.ops import AliasOp
from nvvm_xdsl.dialects.llvm.symbols import (
    INTERPOSABLE_LINKAGE,
    LOCAL_LINKAGE,
    aliased_symbol,
    functions_of,
    linkage_of,
    symbols_of,
    walk_function,
)
from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.transforms.thunks import make_thunk


def lower_aliases(module: ModuleOp, *, rdc: bool) -> None:
    """Replaces uses of aliases by their values, and visible aliases of functions by functions.

    Arguments:
        rdc: whether other modules may use the functions of a module with kernels.

    Raises DiagnosticError for aliases that other modules may use and PTX cannot express.
    """
    symbols = symbols_of(module)
    aliases = {name: op for name, op in symbols.items() if type(op) is AliasOp}
    if not aliases:
        return
    whole = not rdc and any(map(is_kernel, functions_of(module)))
    kept = kept_names(module)
    targets = {name: _function(name, symbols) for name in aliases}
    replaced = {
        name for name, op in aliases.items() if whole or linkage_of(op) not in INTERPOSABLE_LINKAGE
    }
    _replace_addresses(module, {name: aliases[name] for name in replaced})
    for name, op in aliases.items():
        target = targets[name]
        local = linkage_of(op) in LOCAL_LINKAGE
        if target is not None and not local:
            if is_kernel(target):
                raise _error(op, f"'@{name}' is an alias of a kernel, which PTX cannot express")
            if not whole or name in kept:
                _make_function(op, name, target)
                continue
        if name in kept:
            continue
        if target is not None:
            fast.erase(op)
        elif name not in replaced:
            raise _error(op, f"the alias '@{name}' of a variable is weak, which PTX cannot express")


def _error(op: Operation, message: str) -> DiagnosticError:
    place = place_of(op)
    return DiagnosticError(message, file=place.file, line=place.line, column=place.column)


def _function(name: str, symbols: dict[str, Operation]) -> FuncOp | None:
    """The function at the end of a chain of aliases; None for another value."""
    found: Operation | None = symbols[name]
    for _ in range(len(symbols)):
        if found is None or type(found) is not AliasOp:
            break
        aliased = aliased_symbol(found)
        found = None if aliased is None else symbols.get(aliased)
    return found if isinstance(found, FuncOp) else None


def _replace_addresses(module: ModuleOp, aliases: dict[str, Operation]) -> None:
    """Replaces addresses of aliases by copies of the values of the aliases."""
    for holder in list(fast.ops_of(module.body.block)):
        if symbol_name(holder) in KEPT_GLOBALS:
            continue
        # A copy may contain another alias. The limit is for aliases of themselves.
        for _ in range(len(aliases)):
            found = [
                op
                for op in walk_function(holder)
                if type(op) is AddressOfOp and global_name(op) in aliases
            ]
            for op in found:
                _inline_value(op, aliases[global_name(op)])
            if not found:
                break


def _inline_value(address: Operation, alias: Operation) -> None:
    values: dict[SSAValue, SSAValue] = {}
    *ops, last = walk_function(alias)
    for op in ops:
        copy = op.clone(values)
        fast.insert_before(copy, address)
    value = values[last.operands[0]]
    fast.replace_all_uses(address.results[0], value)
    fast.erase(address)


_COPIED: Final = ("function_type", "CConv", "convergent")
_CONVENTION: Final = frozenset(
    {"llvm.align", "llvm.byval", "llvm.signext", "llvm.sret", "llvm.zeroext"}
)
"""Attributes of parameters and results that determine how they are passed."""


def _make_function(alias: Operation, name: str, target: FuncOp) -> None:
    """Replaces an alias by a function that calls the target.

    Attributes of the target that are facts about its body are not copied, because they need not hold for a
    function of another module that replaces a weak one.
    """
    if function_type_of(target).is_variadic:
        message = f"'@{name}' is an alias of a variadic function, which PTX cannot express"
        raise _error(alias, message)
    properties = {key: target.properties[key] for key in _COPIED if key in target.properties}
    for key in ("arg_attrs", "res_attrs"):
        listed = items_of(target.properties.get(key))
        if listed:
            properties[key] = ArrayAttr([_of_convention(entry) for entry in listed])
    for key in ("sym_name", "linkage", "visibility_", "dso_local"):
        if key in alias.properties:
            properties[key] = alias.properties[key]
    func = fast.create(FuncOp, (), (), properties, location=alias.location, regions=(Region(),))
    make_thunk(func, target)
    fast.insert_before(func, alias)
    fast.erase(alias)


def _of_convention(entry: Attribute) -> DictionaryAttr:
    assert isinstance(entry, DictionaryAttr)
    return DictionaryAttr({k: v for k, v in entry.data.items() if k in _CONVENTION})
