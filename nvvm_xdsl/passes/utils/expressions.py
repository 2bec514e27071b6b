"""Ops that compute the same: what makes two of them equal, and one stand for both."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from xdsl.dialects.llvm import FCmpOp, ICmpOp
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm.flags import common_flags
from nvvm_xdsl.ir.attributes import number_of
from nvvm_xdsl.ir.types import I64, int_attr
from nvvm_xdsl.passes.rules.operators import SWAPPED
from nvvm_xdsl.passes.utils.side_effects import COMMUTATIVE

FLAG_PROPERTIES = frozenset(
    {"overflowFlags", "isExact", "isDisjoint", "nonNeg", "fastmathFlags", "noWrapFlags", "inbounds"}
)
"""Properties that make more inputs poison; the same op without them yields the same else."""

_SWAPPED: dict[type[Operation], Sequence[int]] = {
    ICmpOp: SWAPPED["icmp"],
    FCmpOp: SWAPPED["fcmp"],
}
"""By predicate of a comparison, that for its operands in the other order."""

_ORDERED = COMMUTATIVE | _SWAPPED.keys()


class Expressions:
    """Keys of ops by what they compute. Attributes are numbered, for hashing them costs more."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._by_value: dict[Attribute, int] = {}
        # What is numbered by its id stays alive, so that no id is given to another.
        self._kept: list[Attribute] = []

    def number(self, attribute: Attribute) -> int:
        """A number that equal attributes share."""
        found = self._numbers.get(id(attribute))
        if found is not None:
            return found
        self._kept.append(attribute)
        number = self._numbers[id(attribute)] = self._by_value.setdefault(
            attribute, len(self._by_value)
        )
        return number

    def key(self, op: Operation, operands: Iterable[int]) -> Hashable:
        """Equal for ops that compute the same of operands with these numbers, whatever their flags."""
        cls = op.__class__
        number = self.number
        key: list[Any] = [cls]
        key.extend(operands)
        swapped: Sequence[int] | None = None
        if cls in _ORDERED and key[2] < key[1]:
            key[1], key[2] = key[2], key[1]
            swapped = _SWAPPED.get(cls)
        for name, attribute in op.properties.items():
            if swapped is not None and name == "predicate":
                attribute = int_attr(swapped[number_of(attribute)], I64)
            if name not in FLAG_PROPERTIES:
                key.append(name)
                key.append(number(attribute))
        for result in op.results:
            key.append(number(result.type))
        return tuple(key)


def meet_flags(kept: Operation, gone: Operation) -> None:
    """Leaves on `kept` only the flags and facts that both ops, which compute the same, state."""
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
