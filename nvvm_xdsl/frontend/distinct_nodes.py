"""Identities of the distinct metadata nodes of linked modules.

Nodes of two modules differ, although each module numbers its own from 0: the scopes and roots of one
module state nothing about the accesses of another (LLVM Language Reference, "Metadata Nodes").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xdsl.dialects.builtin import ArrayAttr, LocationAttr, ModuleOp
from xdsl.ir import Attribute, Operation, ParametrizedAttribute

from nvvm_xdsl.dialects.llvm.accessors import string_of
from nvvm_xdsl.dialects.llvm.attributes import DistinctAttr, TBAARootAttr
from nvvm_xdsl.dialects.llvm.symbols import fresh_name
from nvvm_xdsl.ir.arrays import items_of

_KEYS = ("tbaa", "alias_scopes", "noalias_scopes", "scope", "access_groups", "loop_annotation")
"""Properties whose nodes state facts about accesses."""

UNNAMED_ROOT = "!"
"""The first character of the identity of a TBAA root without a name."""


def separate_nodes(source: ModuleOp, target: ModuleOp) -> None:
    """Changes the identities of the distinct nodes of a module, so that another one has no equal
    nodes."""
    coming = list(_attributes_of(source))
    if not coming:
        return
    known: dict[int, Attribute] = {}
    for _, _, attribute in _attributes_of(target):
        _collect(attribute, known)
    parts = known.values()
    numbers = [part.id.data for part in parts if isinstance(part, DistinctAttr)]
    roots = {name for part in parts if (name := _unnamed_root(part)) is not None}
    renumbering = _Renumbering(max(numbers, default=-1) + 1, roots)
    for op, key, attribute in coming:
        op.properties[key] = renumbering.of(attribute)


def _attributes_of(module: ModuleOp) -> Iterator[tuple[Operation, str, Attribute]]:
    for op in module.walk():
        properties = op.properties
        for key in _KEYS:
            attribute = properties.get(key)
            if attribute is not None:
                yield op, key, attribute


def _collect(attribute: Attribute, known: dict[int, Attribute]) -> None:
    """Adds an attribute and its parameters to those that are known, by their identity in Python."""
    if id(attribute) not in known:
        known[id(attribute)] = attribute
        for inner in _parameters(attribute):
            _collect(inner, known)


def _parameters(attribute: Attribute) -> Sequence[Attribute]:
    """The parts of an attribute that may be distinct nodes, without debug information."""
    if type(attribute) is ArrayAttr:
        return items_of(attribute)
    if isinstance(attribute, LocationAttr) or not isinstance(attribute, ParametrizedAttribute):
        return ()
    return attribute.parameters


def _unnamed_root(attribute: Attribute) -> str | None:
    """The identity of a TBAA root without a name; None for other attributes."""
    name = string_of(attribute.id) if type(attribute) is TBAARootAttr else None
    return name if name is not None and name.startswith(UNNAMED_ROOT) else None


class _Renumbering:
    """Adds a number to the identities of distinct nodes, and renames roots without a name.

    Arguments:
        roots: names that are not available.
    """

    def __init__(self, number: int, roots: set[str]) -> None:
        self._number = number
        self._roots = roots
        self._known: dict[int, tuple[Attribute, Attribute]] = {}
        """The old and the new attribute by the identity of the old one in Python."""

    def of(self, attribute: Attribute) -> Attribute:
        """The attribute with new identities."""
        known = self._known.get(id(attribute))
        if known is None:
            known = self._known[id(attribute)] = attribute, self._made(attribute)
        return known[1]

    def _made(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, DistinctAttr):
            return DistinctAttr.get(attribute.id.data + self._number, attribute.value)
        root = _unnamed_root(attribute)
        if root is not None:
            return TBAARootAttr.of(id=fresh_name(root, self._roots))
        old = _parameters(attribute)
        new = [self.of(part) for part in old]
        if all(x is y for x, y in zip(old, new)):
            return attribute
        if type(attribute) is ArrayAttr:
            return ArrayAttr(new)
        assert isinstance(attribute, ParametrizedAttribute)
        return attribute.new(new)
