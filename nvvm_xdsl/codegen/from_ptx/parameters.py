"""Parameters as `ptx.func` and `.callprototype` state them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from nvvm_xdsl.dialects.nvptx.functions import ParamAttr, param
from nvvm_xdsl.dialects.ptx.statements import IDENTIFIER

_PARAMETER: Final = re.compile(
    rf"""\.(param|reg)\s*(?:\.align\s+(\d+)\s*)?\.(\w+)\s*
        (\.ptr\b\s*(?:\.(const|global|local|shared)\b\s*)?(?:\.align\s+(\d+)\s*)?)?
        ({IDENTIFIER}|_)\s*(?:\[\s*(\d*)\s*\])?\s*\Z""",
    re.VERBOSE | re.ASCII,
)

POINTEE_ALIGNMENT: Final = 4
"""What `.ptr` says without an alignment: PTX ISA 9.1, section 5.1.6.3."""


@dataclass(frozen=True)
class Parameter:
    """A parameter, and whether it is a register in the text, `.reg .b32 a`."""

    attribute: ParamAttr
    in_register: bool


def parse_parameter(text: str) -> Parameter:
    """Takes one parameter apart. Raises ValueError."""
    match = _PARAMETER.match(text)
    if match is None:
        raise ValueError(f"'{text}' is no parameter")
    space, align, type_, pointer, pointee, pointee_align, name, count = match.groups()
    if count == "":
        raise ValueError(f"the parameter '{name}' has no size")
    if type_ in ("pred", "texref", "samplerref", "surfref"):
        raise ValueError(f"a parameter of type .{type_} is not supported")
    alignment = 0
    if pointer is not None and (pointee or pointee_align):
        alignment = int(pointee_align or POINTEE_ALIGNMENT)
    made = param(
        type_,
        int(count or 0),
        int(align or 0),
        "" if name == "_" else name,
        pointee or "",
        alignment,
    )
    return Parameter(made, space == "reg")
