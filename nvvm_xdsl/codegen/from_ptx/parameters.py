"""Parameters as `ptx.func` and `.callprototype` state them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from nvvm_xdsl.dialects.nvptx.functions import UNSIZED, ParamAttr, param
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


def parse_parameters(texts: Sequence[str], *, kernel: bool = False) -> list[Parameter]:
    """Takes a list of parameters apart. Raises ValueError.

    Of a device function the last one may be an array without a size, which takes variable arguments
    (PTX ISA 9.1, section 11.7.2).
    """
    last = -1 if kernel else len(texts) - 1
    return [parse_parameter(text, unsized=i == last) for i, text in enumerate(texts)]


def parse_parameter(text: str, *, unsized: bool = False) -> Parameter:
    """Takes one parameter apart, which may lack a size where `unsized`. Raises ValueError."""
    match = _PARAMETER.match(text)
    if match is None:
        raise ValueError(f"'{text}' is no parameter")
    space, align, type_, pointer, pointee, pointee_align, name, count = match.groups()
    if count == "" and (space == "reg" or not unsized):
        raise ValueError(f"the parameter '{name}' has no size")
    if type_ in ("pred", "texref", "samplerref", "surfref"):
        raise ValueError(f"a parameter of type .{type_} is not supported")
    alignment = 0
    if pointer is not None and (pointee or pointee_align):
        alignment = int(pointee_align or POINTEE_ALIGNMENT)
    made = param(
        type_,
        UNSIZED if count == "" else int(count or 0),
        int(align or 0),
        "" if name == "_" else name,
        pointee or "",
        alignment,
    )
    return Parameter(made, space == "reg")
