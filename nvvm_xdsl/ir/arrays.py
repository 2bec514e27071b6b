"""Reading array attributes."""

from __future__ import annotations

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute


def items_of(attribute: Attribute | None) -> tuple[Attribute, ...]:
    """The elements of an array attribute; an empty sequence for other attributes."""
    return attribute.data if type(attribute) is ArrayAttr else ()
