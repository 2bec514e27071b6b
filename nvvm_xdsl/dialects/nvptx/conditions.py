"""Inversion of conditional branches by inverting the comparison."""

from __future__ import annotations

from typing import Final

from xdsl.ir import OpResult

from nvvm_xdsl.dialects.nvptx.control_flow import CbraOp
from nvvm_xdsl.dialects.nvptx.instructions import GUARD, INSTRUCTIONS, MODIFIERS, modifiers
from nvvm_xdsl.dialects.nvptx.registers import register_class
from nvvm_xdsl.ir import fast

_SETP: Final = INSTRUCTIONS["setp"]

_INTEGER: Final = {"eq": "ne", "lt": "ge", "le": "gt", "lo": "hs", "ls": "hi"}
"""Comparisons of integers and their inverses."""

_FLOAT: Final = {"eq": "neu", "ne": "equ", "lt": "geu", "le": "gtu", "gt": "leu", "ge": "ltu"}
"""Ordered comparisons of floats, false of NaN, and the unordered ones, true of NaN."""


def _with_inverses(table: dict[str, str]) -> dict[str, str]:
    return table | {inverse: word for word, inverse in table.items()}


_INVERSES: Final = {False: _with_inverses(_INTEGER), True: _with_inverses(_FLOAT | {"num": "nan"})}


def inverse_comparison(mods: str) -> str | None:
    """The modifiers of the inverse `setp`; None for those combined with other predicates.

    PTX ISA 9.1, sections 9.3.1 (comparisons) and 9.3.1.2 (of floating point).
    """
    word, *rest = mods.split(".")
    if not rest or any(part in ("and", "or", "xor") for part in rest):
        return None
    inverse = _INVERSES["f" in rest[-1]].get(word)
    return None if inverse is None else ".".join([inverse, *rest])


def reverse_branch_condition(branch: CbraOp) -> bool:
    """Exchanges the successors of a branch by inverting its comparison; returns whether that was
    possible.

    The comparison must have no other use. Negating the predicate would always be possible, but
    ptxas does not recognize loops with such branches.
    """
    condition = fast.operands_of(branch)[0]
    if not isinstance(condition, OpResult) or fast.single_use(condition) is None:
        return False
    comparison = condition.op
    if type(comparison) is not _SETP or len(comparison.results) != 1:
        return False
    if GUARD in comparison.properties or register_class(condition).number is not None:
        return False
    inverse = inverse_comparison(comparison.mods)
    if inverse is None:
        return False
    comparison.properties[MODIFIERS] = modifiers(inverse)
    branch.set_edges(branch.edges[::-1])
    return True
