"""Equality of ops that compute the same value, and replacement of one by another."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from xdsl.dialects.llvm import (
    AddOp,
    AndOp,
    AShrOp,
    FAddOp,
    FCmpOp,
    FDivOp,
    FMulOp,
    FSubOp,
    ICmpOp,
    LShrOp,
    MulOp,
    OrOp,
    SDivOp,
    ShlOp,
    SRemOp,
    SubOp,
    UDivOp,
    URemOp,
    XOrOp,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.analysis.side_effects import COMMUTATIVE
from nvvm_xdsl.dialects.llvm.accessors import number_of
from nvvm_xdsl.dialects.llvm.flags import common_flags
from nvvm_xdsl.dialects.llvm.types import I64, int_attr
from nvvm_xdsl.rules.operators import SWAPPED

FLAG_PROPERTIES = frozenset(
    {"overflowFlags", "isExact", "isDisjoint", "nonNeg", "fastmathFlags", "noWrapFlags", "inbounds"}
)
"""Properties that make the result poison for more inputs and do not change it for others."""

_SWAPPED: dict[type[Operation], Sequence[int]] = {ICmpOp: SWAPPED["icmp"], FCmpOp: SWAPPED["fcmp"]}
"""For each predicate of a comparison, the predicate for exchanged operands."""

_ORDERED = COMMUTATIVE | _SWAPPED.keys()

_PLAIN: frozenset[type[Operation]] = frozenset(
    {AddOp, SubOp, MulOp, AndOp, OrOp, XOrOp, ShlOp, LShrOp, AShrOp}
    | {FAddOp, FSubOp, FMulOp, FDivOp, UDivOp, SDivOp, URemOp, SRemOp}
)
"""Ops with two operands of the result's type whose only properties are flags."""


class Expressions:
    """Keys of ops by their computed value. Attributes are numbered, because hashing them is
    slower."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._by_value: dict[Attribute, int] = {}
        # Numbered values are kept alive, so that no id is reused.
        self._kept: list[Attribute] = []

    def number(self, attribute: Attribute) -> int:
        """A number that is the same for equal attributes."""
        found = self._numbers.get(id(attribute))
        if found is not None:
            return found
        self._kept.append(attribute)
        number = self._numbers[id(attribute)] = self._by_value.setdefault(
            attribute, len(self._by_value)
        )
        return number

    def key(self, op: Operation, operands: Iterable[int]) -> Hashable:
        """A key that is equal for ops that compute the same value from operands with these numbers,
        regardless of flags."""
        cls = type(op)
        if cls in _PLAIN:
            a, b = operands
            return (cls, b, a) if b < a and cls in COMMUTATIVE else (cls, a, b)
        number, numbers = self.number, self._numbers
        key: list[Any] = [cls, *operands]
        swapped: Sequence[int] | None = None
        if cls in _ORDERED and key[2] < key[1]:
            key[1], key[2] = key[2], key[1]
            swapped = _SWAPPED.get(cls)
        for name, attribute in op.properties.items():
            if name in FLAG_PROPERTIES:
                continue
            if swapped is not None and name == "predicate":
                attribute = int_attr(swapped[number_of(attribute)], I64)
            known = numbers.get(id(attribute))
            key += (name, number(attribute) if known is None else known)
        for result in op.results:
            type_ = result.type
            known = numbers.get(id(type_))
            key.append(number(type_) if known is None else known)
        return tuple(key)


def meet_flags(kept: Operation, gone: Operation) -> None:
    """Keeps on `kept` only the flags and facts of both of two equal ops."""
    ours, theirs = kept.properties, gone.properties
    for key in [k for k in ours if k in FLAG_PROPERTIES]:
        mine, other = ours[key], theirs.get(key)
        if mine == other:
            continue
        if other is None:
            del ours[key]
        else:
            ours[key] = common_flags(mine, other)
    attributes = kept.attributes
    for key in [k for k, v in attributes.items() if gone.attributes.get(k) != v]:
        del attributes[key]
