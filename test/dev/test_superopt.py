"""The search for rewrite rules: windows, cheaper expressions, rows and their proofs."""

from __future__ import annotations

import numpy as np
import pytest

from dev.superopt.__main__ import main, ranked
from dev.superopt.modules import windows_in
from dev.superopt.rows import Generalization, compute
from dev.superopt.search import Found, Search, samples_of
from dev.superopt.terms import Input, Node, Number, Term, evaluate, text_of
from dev.superopt.windows import Facts, Shape, Window
from nvvm_xdsl.driver.toolkit import find_ptxas

X, Y, Z = Input("x", 32), Input("y", 32), Input("z", 32)


def number(value: int, width: int = 32) -> Number:
    return Number(value & ((1 << width) - 1), width)


def term(op: str, *args: Node, width: int = 32, predicate: str = "", flags: str = "") -> Term:
    return Term(op, args, width, predicate, frozenset(flags.split()))


def icmp(predicate: str, a: Node, b: Node) -> Term:
    return term("icmp", a, b, width=1, predicate=predicate)


def found(root: Term, *kept: Term, facts: tuple[tuple[Input, Facts], ...] = ()) -> Found | None:
    return Search(Shape(root, frozenset(kept), facts), use_facts=bool(facts)).run()


CHEAPER = [
    (term("add", term("and", X, number(7)), term("and", X, number(-8))), "x"),
    (term("sub", term("or", X, Y), term("and", X, Y)), "(xor x y)"),
    (term("add", term("mul", X, number(3)), term("mul", X, number(5))), "(shl x 3)"),
    (term("xor", term("add", X, number(-1)), number(-1)), "(sub 0 x)"),
    (term("and", icmp("ult", X, number(5)), icmp("ugt", X, number(3)), width=1), "(icmp.eq x 4)"),
    (
        term("or", icmp("ult", X, number(5)), icmp("ugt", X, number(9)), width=1),
        "(icmp.ugt (add x -5) 4)",
    ),
    (
        term(
            "select", icmp("eq", term("and", X, number(1)), number(0)), Y, term("add", Y, number(1))
        ),
        "(add y (and x 1))",
    ),
]


@pytest.mark.parametrize(("root", "right"), CHEAPER, ids=[right for _, right in CHEAPER])
def test_cheaper_expressions_are_found(root, right):
    result = found(root)
    assert result is not None
    assert text_of(result.right) == right


def test_nothing_is_cheaper_than_a_minimal_expression():
    assert found(term("xor", term("and", X, Y), Z)) is None


def test_kept_values_cost_nothing_and_their_removal_saves_nothing():
    difference = term("sub", X, Y)
    left = term("select", icmp("slt", difference, number(0)), term("sub", Y, X), difference)
    result = found(left, difference)
    assert result is not None
    assert text_of(result.right) == "(abs (sub x y))"
    masked = term("and", X, number(7))
    assert found(term("and", masked, number(12))) is not None
    assert found(term("and", masked, number(12)), masked) is None


def test_samples_on_which_the_window_is_poison_are_left_out():
    left = term("ashr", term("shl", X, number(4), flags="nsw"), number(4))
    result = found(left)
    assert result is not None
    assert result.right == X
    assert found(term("lshr", term("shl", X, number(4), flags="nsw"), number(4))) is not None


def test_facts_about_inputs_restrict_the_samples():
    root = term("ashr", term("and", X, number(-16)), number(4))
    facts = ((X, Facts(0, 255, 15)),)
    values = samples_of([X], [], dict(facts), 64)[X]
    assert values.max() <= 255
    assert not (values & np.uint64(15)).any()
    result = found(root, facts=facts)
    assert result is not None
    assert text_of(result.right) in ("(ashr x 4)", "(lshr x 4)")


@pytest.mark.parametrize(
    ("left", "a", "value", "poison"),
    [
        (term("add", X, number(1), flags="nsw"), 0x7FFFFFFF, 0x80000000, True),
        (term("add", X, number(1), flags="nuw"), 0x7FFFFFFF, 0x80000000, False),
        (term("mul", X, X, flags="nuw"), 0x10000, 0, True),
        (term("shl", X, number(31), flags="nsw"), 1, 0x80000000, True),
        (term("shl", X, number(32)), 1, None, True),
        (term("lshr", X, number(1), flags="exact"), 3, 1, True),
        (term("sdiv", X, number(-1)), 0x80000000, None, True),
        (term("sdiv", X, number(2)), -7, -3, False),
        (term("srem", X, number(2)), -7, -1, False),
        (term("trunc", X, width=8, flags="nsw"), 0x80, 0x80, True),
        (term("zext", X, width=64, flags="nneg"), -1, 0xFFFFFFFF, True),
        (term("sext", X, width=64), -1, -1, False),
        (term("ctlz", X), 1, 31, False),
        (term("cttz", X), 8, 3, False),
        (term("bswap", X), 0x01020304, 0x04030201, False),
        (term("abs", X, flags="int_min_poison"), 0x80000000, 0x80000000, True),
        (term("or", X, number(1), flags="disjoint"), 1, 1, True),
    ],
)
def test_values_and_poison(left, a, value, poison):
    got, bad = evaluate(left, {X: np.array([a & 0xFFFFFFFF], np.uint64)}, {})
    assert bool(bad[0]) is poison
    if value is not None:
        assert int(got[0]) == value & ((1 << left.width) - 1)


def row(root: Term, *kept: Term) -> str:
    result = found(root, *kept)
    assert result is not None
    made = Generalization(result, "r").row()
    assert not made.problem
    return made.text


def test_constants_become_variables_with_a_condition():
    left = term("shl", term("lshr", X, number(3)), number(3))
    assert row(left) == "r (shl (lshr x C1) C1) => (and x {-(1 << C1)}) if C1 < width"


def test_ops_that_must_have_no_other_use_are_marked():
    left = term("or", icmp("ult", X, number(5)), icmp("ugt", X, number(9)), width=1)
    assert row(left) == (
        "r (or (icmp.ult x C1) (icmp.ugt! x C2)) => (icmp.ugt (add x {-C1}) {C2 - C1}) if C1 < C2"
    )


def test_kept_values_are_named():
    masked = term("and", X, number(12))
    assert row(term("or", masked, term("and", masked, Y)), masked) == (
        "r (or a=(and x C1) (and (and x C1) y)) => a"
    )


def test_rows_with_more_uses_of_an_input_are_refused():
    """An undef input may have another value at each use."""
    left = term("shl", X, number(1))
    made = Generalization(Found(Shape(left, frozenset()), term("add", X, X), 1.0), "r").row()
    assert "not smaller" in made.problem


def test_wrong_rows_are_not_proved():
    left = term("lshr", term("shl", X, number(4)), number(4))
    made = Generalization(Found(Shape(left, frozenset()), X, 1.0), "r").row()
    assert made.problem


@pytest.mark.parametrize(
    ("source", "value"),
    [("C1 << C2", 48), ("s(C1)", 3), ("C1 + C2 == 7", 1), ("C1 // (C2 - C2)", None), ("~C1", -4)],
)
def test_computed_constants(source, value):
    assert compute(source, {"C1": 3, "C2": 4}, 8) == value


def test_shifts_by_large_constants_are_not_computed():
    assert compute("C1 << C2", {"C1": 1, "C2": 1 << 40}, 64) is None


MODULE = """\
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = xor i32 %t, %n
  %b = mul i32 %a, 12
  %c = sub i32 %b, %t
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %c, ptr addrspace(1) %q
  ret void
}
"""


@pytest.mark.parametrize("static", [True, False])
def test_windows_of_a_module(tmp_path, static):
    path = tmp_path / "m.ll"
    path.write_text(MODULE)
    windows = windows_in(path, static=static)
    texts = {text_of(shape.root): runs for shape, runs in windows.items()}
    assert "(sub (mul (xor x y) 12) x)" in texts
    assert all(0 < runs < 1 for runs in texts.values())


def test_windows_that_differ_by_facts_are_merged():
    root = term("ashr", term("and", X, number(-16)), number(4))
    one, two = (Window(Shape(root, frozenset(), f)) for f in ((), ((X, Facts(0, 9, 0)),)))
    one.add("a", 0.1)
    two.add("b", 0.2)
    (merged,) = ranked([one, two], with_facts=False)
    assert merged.places == {"a": 0.1, "b": 0.2}
    assert [w.shape for w in ranked([one, two], with_facts=True)] == [two.shape]


@pytest.mark.skipif(find_ptxas() is None, reason="no ptxas: install nvvm-xdsl[cuda]")
def test_the_command_reports_counts(tmp_path, capsys):
    path = tmp_path / "m.ll"
    path.write_text(MODULE)
    assert main([str(path), "--static", "--windows", "5"]) == 0
    assert "windows, " in capsys.readouterr().out
