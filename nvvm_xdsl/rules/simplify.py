"""Simplification of ops to an operand or a constant: the rules behind `instsimplify`.

These rules create no ops other than constants, so any pass may apply them.
"""

from __future__ import annotations

from xdsl.dialects.llvm import ConstantOp
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.analysis.constant_folding import FOLDABLE, fold
from nvvm_xdsl.dialects.llvm.accessors import constant_value_of
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules import bits, casts, comparisons, floats, integers
from nvvm_xdsl.rules.table import RuleTable

SIMPLIFICATIONS = RuleTable(
    [
        integers.SIMPLIFICATIONS,
        bits.SIMPLIFICATIONS,
        comparisons.SIMPLIFICATIONS,
        casts.SIMPLIFICATIONS,
        floats.SIMPLIFICATIONS,
    ],
    creates_ops=False,
)
"""The rules whose right sides are existing values or constants."""

SIMPLIFIABLE: frozenset[type[Operation]] = SIMPLIFICATIONS.classes | FOLDABLE
"""The op classes that `simplify` may change."""


def simplify(op: Operation, constants: Constants) -> SSAValue | None:
    """An existing value or a constant that replaces the op's only result; None if there is none."""
    if type(op) in FOLDABLE:
        folded = constant_result(op)
        if folded is not None:
            return constants.attribute(folded, op.results[0].type)
    return SIMPLIFICATIONS.value_for(op, constants)


def constant_result(op: Operation) -> Attribute | None:
    """The result of an op on constants; None if it is unknown."""
    values: list[Attribute] = []
    for operand in fast.operands_of(op):
        owner = operand.owner
        if type(owner) is not ConstantOp:
            return None
        values.append(constant_value_of(owner))
    return fold(op, values)
