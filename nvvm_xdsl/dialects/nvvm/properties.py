"""Properties of NVVM ops as plain Python values."""

from __future__ import annotations

from enum import Enum
from typing import Any, cast

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.accessors import int_value


def keyword_of(op: Operation, name: str, default: str = "") -> str:
    """The keyword of an enum property, `tile` of `#nvvm.tma_load_mode<tile>`; `default` if it is
    absent."""
    attribute = op.properties.get(name)
    if attribute is None:
        return default
    data = cast(Any, attribute).data
    return str(data.value) if isinstance(data, Enum) else str(data)


def flag_of(op: Operation, name: str) -> bool:
    """Returns True if a unit property is present, or a Boolean one is true."""
    attribute = op.properties.get(name)
    if type(attribute) is IntegerAttr:
        return bool(int_value(attribute))
    return attribute is not None
