"""Alias scopes of duplicated code.

A scope describes which accesses do not alias during one execution of the code that declares it. Two
copies of the code in one function may receive different pointers, so each copy needs its own scopes
(LLVM LangRef, "noalias and alias.scope Metadata").
"""

from __future__ import annotations

from collections.abc import Collection
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.accessors import symbol_name
from nvvm_xdsl.dialects.llvm.struct_attributes import AliasScopeAttr, AliasScopeDomainAttr
from nvvm_xdsl.dialects.llvm.symbols import walk_function
from nvvm_xdsl.dialects.llvm.types import string
from nvvm_xdsl.ir.arrays import items_of

SCOPE_LISTS = ("alias_scopes", "noalias_scopes")
DECLARED = "scope"
"""The property of `noalias.scope.decl`."""

_PROPERTIES = (*SCOPE_LISTS, DECLARED)


class ScopeNames:
    """Creates scopes and domains whose identities are unique in a function."""

    def __init__(self, func: FuncOp) -> None:
        self._func = func
        self._prefix = f"{symbol_name(func) or ''}.copy."
        self._next: int | None = None

    def new(self) -> StringAttr:
        """Returns a new identity."""
        if self._next is None:
            self._next = self._first_free()
        self._next += 1
        return string(f"{self._prefix}{self._next - 1}")

    def _first_free(self) -> int:
        highest = -1
        seen: set[Attribute] = set()
        for op in walk_function(self._func):
            for scope in scopes_of(op):
                if scope in seen:
                    continue
                seen.add(scope)
                for identity in (scope.id, cast(AliasScopeDomainAttr, scope.domain).id):
                    if isinstance(identity, StringAttr) and identity.data.startswith(self._prefix):
                        number = identity.data.removeprefix(self._prefix)
                        if number.isdigit():
                            highest = max(highest, int(number))
        return highest + 1


def scopes_of(op: Operation) -> list[AliasScopeAttr]:
    """The scopes in the metadata of an op."""
    found: list[AliasScopeAttr] = []
    for name in SCOPE_LISTS:
        scopes = items_of(op.properties.get(name))
        found.extend(s for s in scopes if isinstance(s, AliasScopeAttr))
    declared = op.properties.get(DECLARED)
    if isinstance(declared, AliasScopeAttr):
        found.append(declared)
    return found


class ScopeCopies:
    """The scopes of one copy of code.

    Arguments:
        names: the names of the function that contains the copy.
        only: the scopes that the copied code declares, if it is part of a function: other scopes
            are not renamed. None for all.
    """

    def __init__(self, names: ScopeNames, only: Collection[AliasScopeAttr] | None = None) -> None:
        self._names = names
        self._only = only
        self._known: dict[Attribute, Attribute] = {}

    def rename(self, op: Operation) -> None:
        """Replaces the scopes of an op of the copy by the copy's own."""
        properties = op.properties
        for name in _PROPERTIES:
            # Most ops have no scopes, and `isinstance` is slow for classes of attributes.
            if name in properties:
                found = properties[name]
                if isinstance(found, (ArrayAttr, AliasScopeAttr)):
                    properties[name] = self._copy(cast(Attribute, found))

    def _copy(self, attribute: Attribute) -> Attribute:
        known = self._known.get(attribute)
        if known is None:
            known = self._known[attribute] = self._make(attribute)
        return known

    def _make(self, attribute: Attribute) -> Attribute:
        if type(attribute) is ArrayAttr:
            return ArrayAttr([self._copy(scope) for scope in items_of(attribute)])
        if isinstance(attribute, AliasScopeAttr):
            if self._only is not None and attribute not in self._only:
                return attribute
            return AliasScopeAttr.of(
                id=self._names.new(),
                domain=attribute.domain if self._only is not None else self._copy(attribute.domain),
                description=attribute.description,
            )
        if isinstance(attribute, AliasScopeDomainAttr):
            return AliasScopeDomainAttr.of(id=self._names.new(), description=attribute.description)
        return attribute
