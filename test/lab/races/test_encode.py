"""The encoding in integers: it agrees with bit vectors, and no value is lost."""

import time

import pytest

pytest.importorskip("z3")

from nvvm_xdsl.lab.races import terms
from nvvm_xdsl.lab.races.encode import Context, Encoder, OutOfTimeError
from nvvm_xdsl.lab.races.terms import LAUNCH
from nvvm_xdsl.lab.validation.smt import z3

X, Y = terms.symbol("x", 4, LAUNCH), terms.symbol("y", 4, LAUNCH)

OPERATIONS = (
    "add",
    "sub",
    "mul",
    "and",
    "or",
    "xor",
    "udiv",
    "sdiv",
    "urem",
    "srem",
    "shl",
    "lshr",
    "ashr",
)


def results(op: str, x: int, y: int, constant: bool) -> tuple[bool, bool]:
    """Whether the encoding allows the right result, and whether it allows another one."""
    expected = terms.binary(op, terms.const(x, 4), terms.const(y, 4))
    assert expected.op == "const"
    term = terms.binary(op, X, terms.const(y, 4) if constant else Y)
    context = Context()
    encoder = Encoder(context, "1", "1")
    value = encoder.number(term).value
    solver = z3.Solver()
    solver.add(encoder.number(X).value == x)
    if not constant:
        solver.add(encoder.number(Y).value == y)
    solver.add(*context.conditions, *context.lemmas())
    right = solver.check(value == expected.data) == z3.sat
    return right, solver.check(value != expected.data) == z3.sat


@pytest.mark.parametrize("op", OPERATIONS)
def test_division_by_a_variable_includes_the_correct_result(op: str) -> None:
    for x, y in ((-8, 3), (-3, 1), (5, 3), (7, 2)):
        assert results(op, x, y, constant=False)[0], (x, y)


@pytest.mark.parametrize("op", OPERATIONS)
def test_division_by_a_constant_is_exact(op: str) -> None:
    for x, y in ((-8, 3), (-3, 2), (7, 3), (5, 2)):
        assert results(op, x, y, constant=True) == (True, False), (x, y)


def test_different_threads_have_different_values() -> None:
    context = Context()
    own = terms.symbol("own", 32, terms.THREAD)
    one, two = Encoder(context, "1", "1"), Encoder(context, "2", "1")
    assert one.number(X).value.eq(two.number(X).value)
    assert not one.number(own).value.eq(two.number(own).value)


def test_a_deadline_ends_a_query_and_permits_no_other() -> None:
    x, y = z3.Ints("x y")
    solver = z3.Solver()
    solver.add(x > 1, y > x, x * y == 1000003 * 1000033 * 1000037 * 1000039, y % 1000003 != 0)
    start = time.monotonic()
    context = Context(deadline=start + 0.2)
    assert context.check(solver, 60.0) == z3.unknown
    assert time.monotonic() - start < 10
    with pytest.raises(OutOfTimeError):
        context.check(solver, 60.0)
