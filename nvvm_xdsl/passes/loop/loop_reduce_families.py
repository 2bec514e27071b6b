"""Accesses in a loop that can share a pointer, for `loop-reduce`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Operation, SSAValue

from nvvm_xdsl.analysis.scev.expressions import Expressions, Kind, Scev
from nvvm_xdsl.analysis.values.linear_expressions import Leaf
from nvvm_xdsl.dialects.llvm.types import address_space_of
from nvvm_xdsl.ir.nvptx import LOCAL, SHARED

NARROW_SPACES: Final = frozenset({SHARED, LOCAL})
"""Address spaces with 32-bit addresses in machine code."""

FARTHEST: Final = 1 << 23
"""Exclusive upper limit of the offsets in memory instructions, in bytes."""


class Moving(NamedTuple):
    """The varying part of an access's address (leaves with factors) and its constant."""

    terms: tuple[tuple[Leaf, int], ...]
    constant: int


@dataclass
class Family:
    """Accesses whose addresses differ by constants.

    The address in the first iteration is `root`, plus each leaf of `fixed` times its factor, plus
    `start`, plus the constant of the access; each iteration adds `step`.
    """

    root: SSAValue
    fixed: tuple[tuple[Leaf, int], ...]
    start: Scev
    step: Scev
    known: dict[Scev, SSAValue]
    accesses: list[tuple[Operation, int]] = field(default_factory=list[tuple[Operation, int]])
    moving: list[Moving] = field(default_factory=list[Moving])
    """The varying part of each access's address."""
    links: dict[Operation, int] = field(default_factory=dict[Operation, int])
    """For a chain: the distance of each access from the pointer, in units of `gap`."""
    gap: Scev | None = None
    """For a chain: the distance of consecutive pointers."""
    gaps_in_step: int = 0
    """For a chain: the step in units of `gap`."""
    origin: Operation | None = None
    """The access whose address in the first iteration replaces the expansion of `start`."""

    def anchor(self) -> int:
        """The constant part of the pointer; 0 if all offsets from there fit in an instruction."""
        constants = [constant for _, constant in self.accesses]
        if all(-FARTHEST < constant < FARTHEST for constant in constants):
            return 0
        return min(constants)

    def space(self) -> int:
        """The address space."""
        assert isinstance(self.root.type, LLVMPointerType)
        return address_space_of(self.root.type)


def split_factor(expression: Scev, expressions: Expressions) -> tuple[int, Scev | None]:
    """Splits an expression into a constant factor and the rest; the rest of a constant is None.

    Arguments:
        expression: the expression that is split.
        expressions: creates the rest of a product.
    """
    if expression.kind is Kind.CONSTANT:
        return expression.signed, None
    if expression.kind is Kind.MUL and expression.operands[0].kind is Kind.CONSTANT:
        rest = expressions.mul(*expression.operands[1:])
        return expression.operands[0].signed, rest
    return 1, expression
