"""Interned attributes: one object per value.

Every instruction has a few attributes (modifiers, operand layout, register classes), which passes
and the printer look up in dictionaries. With one object per value, equality is identity, and
hashing is cheap.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Hashable
from typing import Any, Self, TypeVar

from xdsl.ir import Data

DataT = TypeVar("DataT", bound=Hashable)

_objects: dict[tuple[type[Any], Hashable], Any] = {}


class InternedAttr(Data[DataT], ABC):
    """An attribute class that returns the same object for equal data."""

    def __new__(cls, data: DataT) -> Self:
        key = (cls, data)
        known = _objects.get(key)
        if known is None:
            known = object.__new__(cls)
            object.__setattr__(known, "data", data)
            _objects[key] = known
        return known

    @classmethod
    def new(cls, params: Any) -> Self:
        return cls(params)

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __reduce__(self) -> tuple[type[Self], tuple[DataT]]:
        return type(self), (self.data,)
