"""Reading array attributes."""

from __future__ import annotations

from typing import cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute


def items_of(attribute: Attribute | None) -> tuple[Attribute, ...]:
    """The elements of an array attribute; an empty sequence for other attributes."""
    return cast("ArrayAttr[Attribute]", attribute).data if attribute.__class__ is ArrayAttr else ()
