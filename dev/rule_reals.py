"""Claims of rewrite rules about real numbers.

The flags `reassoc`, `arcp`, `contract` and `afn` allow transformations that are right for real
numbers (LLVM Language Reference, "Rewrite-based flags"). Rules that need them are claims about
numbers without rounding, infinities and NaN.
"""

from __future__ import annotations

import ast
from typing import Any

from dev.rule_claims import Claim, Expression, Value
from dev.z3_semantics import COMPARE, NUMBERS
from nvvm_xdsl.lab.validation.operators import NoTermError
from nvvm_xdsl.rules.language import Apply, Rule
from nvvm_xdsl.rules.typing import FLOAT, typing_of

Term = Any
"""A Z3 expression."""

_EXACT = {
    "rounded_product": ast.Mult,
    "rounded_sum": ast.Add,
    "rounded_quotient": ast.Div,
}
"""Functions of computed constants, by the operation that they round."""


class RealClaim(Claim):
    """The claim of a rule on floats over the real numbers."""

    def __init__(self, rule: Rule) -> None:
        types = typing_of(rule)
        if any(types.kinds[c] != FLOAT for c in types.classes()):
            raise NoTermError("not of floats alone")
        super().__init__(
            rule, types, dict.fromkeys(types.classes(), 32), {}, frozenset[str](), False
        )
        self.facts: list[Term] = []

    def sort(self, path: str) -> Term:
        return self.z3.RealSort()

    def literal(self, value: float, path: str) -> Term:
        return self.z3.RealVal(value)

    def apply(self, node: Apply, path: str) -> Value:
        z3 = self.z3
        args = [self.side(arg, f"{path}{i}") for i, arg in enumerate(node.args)]
        numbers = [arg.number for arg in args]
        poison = z3.Or(*(arg.poison for arg in args))
        match node.op.name:
            case "fadd":
                return Value(numbers[0] + numbers[1], poison)
            case "fsub":
                return Value(numbers[0] - numbers[1], poison)
            case "fmul":
                return Value(numbers[0] * numbers[1], poison)
            case "fneg":
                return Value(-numbers[0], poison)
            case "fdiv":
                # Quotients by zero are no real numbers.
                self.undefined.append(numbers[1] == 0)
                return Value(numbers[0] / numbers[1], poison)
            case "sqrt":
                (x,) = numbers
                root = z3.Function("!sqrt", z3.RealSort(), z3.RealSort())(x)
                self.facts.append(z3.Implies(x >= 0, z3.And(root >= 0, root * root == x)))
                self.undefined.append(x < 0)
                return Value(root, poison)
            case name:
                raise NoTermError(f"{name} is not described")

    def computed(self, source: str, path: str) -> Term:
        return _RealExpression(self).value(ast.parse(source.strip(), mode="eval").body)

    def condition(self, source: str) -> Term:
        return _RealExpression(self).value(ast.parse(source.strip(), mode="eval").body)

    def is_possible(self, where: Term) -> bool:
        return True


class _RealExpression(Expression):
    def name(self, name: str) -> Term:
        return self.claim.constants[name]

    def binary(self, op: ast.operator, a: Any, b: Any) -> Any:
        return NUMBERS[type(op)](a, b)

    def compare(self, op: ast.cmpop, a: Any, b: Any) -> Any:
        return COMPARE[type(op)](a, b)

    def call(self, name: str, arguments: list[ast.expr]) -> Any:
        values = [self.value(a) for a in arguments]
        if name == "rounded_reciprocal":
            # A reciprocal is a constant only if it is finite.
            self.claim.undefined.append(values[0] == 0)
            return 1 / values[0]
        if name in _EXACT:
            return self.binary(_EXACT[name](), *values)
        raise NoTermError(f"{name} is not described")


def real_claims(rule: Rule) -> list[Term] | None:
    """Conditions that are unsatisfiable if the rule is right for real numbers; None for a rule on
    other types."""
    try:
        claim = RealClaim(rule)
        wrong = claim.wrong()
    except NoTermError:
        return None
    return [wrong, *claim.facts]
