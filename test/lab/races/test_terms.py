"""Terms: simplification keeps the values, and conditions join again where branches join."""

import pytest

from nvvm_xdsl.lab.races import terms
from nvvm_xdsl.lab.races.terms import FALSE, LAUNCH, TRUE, both, either, negate

A = terms.symbol("a", 1, LAUNCH)
B = terms.symbol("b", 1, LAUNCH)
X = terms.symbol("x", 32, LAUNCH)


def test_conditions_of_both_sides_of_a_branch_join() -> None:
    assert either([both(A, B), both(A, negate(B))]) is A
    assert either([A, negate(A)]) is TRUE
    assert both(A, negate(A)) is FALSE
    assert either([both(A, B), A]) is A


@pytest.mark.parametrize(
    ("op", "a", "b", "value"),
    [
        ("add", 2**31 - 1, 1, -(2**31)),
        ("udiv", -2, 2, 2**31 - 1),
        ("sdiv", -7, 2, -3),
        ("srem", -7, 2, -1),
        ("urem", -1, 16, 15),
        ("lshr", -1, 28, 15),
        ("ashr", -16, 2, -4),
        ("xor", 5, 3, 6),
    ],
)
def test_constants_are_folded_as_bit_vectors(op: str, a: int, b: int, value: int) -> None:
    assert terms.binary(op, terms.const(a, 32), terms.const(b, 32)).data == value


def test_operations_without_effect_disappear() -> None:
    zero, one = terms.const(0, 32), terms.const(1, 32)
    assert terms.binary("add", X, zero) is X
    assert terms.binary("mul", one, X) is X
    assert terms.binary("sub", X, X) is zero
    assert terms.compare("ult", X, X) is FALSE
    assert terms.choose(A, X, X) is X


def test_substitution_simplifies_again() -> None:
    condition = both(A, B)
    assert terms.substitute(condition, {A: TRUE}) is B
    assert terms.substitute(condition, {A: FALSE}) is FALSE
