"""The intrinsic of NVPTX whose PTX is that of an op: code generation's tables of intrinsics
(`codegen.intrinsics.table`, `families`) and of ops (`nvvm_ops`), joined by the instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from xdsl.ir import Operation

from nvvm_xdsl.codegen.intrinsics.families import family_instruction
from nvvm_xdsl.codegen.intrinsics.nvvm_ops import op_instruction
from nvvm_xdsl.codegen.intrinsics.table import intrinsic_instructions
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, all_intrinsics, find_intrinsic
from nvvm_xdsl.dialects.nvvm.op_rows import PREFIX, has_signature

_PLACEHOLDER = re.compile(r"<(\w+)(?: \d+)?>")
_WORDS = {
    "space": ("", ".global", ".shared", ".const", ".local", ".shared::cluster", ".param"),
    "shared": ("", ".shared"),
    "type": ("b16", "b32", "b64"),
}
"""Placeholders for a part of an instruction that depends on a type."""


def _no_constant(_index: int) -> int | None:
    return None


def _texts(text: str) -> Iterator[str]:
    """The instruction with all values of its placeholders; types are compared later."""
    kinds = _PLACEHOLDER.findall(text)
    if any(kind not in _WORDS for kind in kinds):
        return
    for words in product(*[_WORDS[kind] for kind in kinds]):
        remaining = iter(words)
        yield _PLACEHOLDER.sub(lambda _match: next(remaining), text)  # noqa: B023


def _instruction(short: str, intrinsic: Intrinsic) -> str | None:
    text = intrinsic_instructions().get(short)
    if text is not None:
        return text
    try:
        return family_instruction(short, len(intrinsic.arguments), _no_constant)
    except (AssertionError, KeyError, IndexError, ValueError, TypeError):
        # Its instruction depends on the values of arguments.
        return None


@cache
def _by_instruction() -> dict[str, list[Intrinsic]]:
    found: dict[str, list[Intrinsic]] = {}
    for name in all_intrinsics():
        intrinsic = find_intrinsic(name)
        if intrinsic is None or intrinsic.immediates:
            continue
        text = _instruction(name.removeprefix(PREFIX), intrinsic)
        for spelled in () if text is None else _texts(text):
            found.setdefault(spelled, []).append(intrinsic)
    return found


def intrinsic_by_instruction(op: Operation) -> Intrinsic | None:
    """The intrinsic with the same instruction and operands; None if there is none."""
    text = op_instruction(op)
    for spelled in () if text is None else _texts(text):
        for intrinsic in _by_instruction().get(spelled, ()):
            if has_signature(op, intrinsic):
                return intrinsic
    return None
