"""Proofs of rewrite rules: all on integers of a few bits, and claims that are wrong.

`make prove` proves them at the widths that programs have, and floating point.
"""

from __future__ import annotations

import pytest

pytest.importorskip("z3")

from dev.prove import TABLES, rules_of
from dev.rule_proofs import DisprovedError, prove
from nvvm_xdsl.rules.language import parse

FEW_BITS = (4,)


@pytest.mark.slow
@pytest.mark.parametrize("table", [name for name in TABLES if name != "floats"])
def test_rules_on_integers_are_proved(table):
    for rule in rules_of(TABLES[table]):
        proof = prove(rule, FEW_BITS, 1.0, undef=False)
        assert proof.proved or proof.unsupported or proof.open, rule.text


@pytest.mark.parametrize(
    ("row", "where"),
    [
        ("identity (add x 1) => x", "i4"),
        ("constant (add (add x C1) C2) => (add x {C1 - C2})", "C2 = "),
        ("bound (shl (shl x C1) C2) => (shl x {C1 + C2})", "C1 = "),
        ("flag (add (add x C1) C2) => (add x {C1 + C2}) keep nsw", "nsw"),
        ("predicate (icmp.P x y) => (icmp.swapped-P x y)", "slt"),
        ("rounding (sdiv x C) => (ashr x {log2(C)}) if pow2(C)", "C = "),
        ("undef (mul x 2) => (add x x)", "x_is_undef = True"),
        ("poison (select c x:i1 false) => (and c x)", "x_is_poison = True"),
        ("frozen (freeze x) => x", "x_is_poison = True"),
        ("division (udiv x y) => (udiv x (or y 1))", "y = "),
        ("fact (and x C) => x if known_zeros(x, C)", "C = "),
        ("zero (fadd x 0.0) => x", "x = -0.0"),
        ("nan (fcmp.oeq x x) => true", "x = NaN"),
    ],
    ids=lambda text: text.split()[0],
)
def test_wrong_rules_are_disproved(row, where):
    with pytest.raises(DisprovedError, match=where):
        prove(parse(row), FEW_BITS, 20.0)


@pytest.mark.parametrize(
    "row",
    [
        "undef (add x x) => (shl x 1)",
        "frozen (mul (freeze x) 2) => (shl (freeze x) 1)",
        "poison (select c x poison) => x",
        "unused (and x 0) => 0",
    ],
    ids=lambda text: text.split()[0],
)
def test_undef_and_poison_allow_what_they_allow(row):
    proof = prove(parse(row), FEW_BITS, 20.0)
    assert proof.is_complete
    assert any("undef" in instance for instance in proof.proved)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("pointer (icmpp.eq p null) => false", "pointers"),
        ("loose (fadd:reassoc x y) => (fadd y x)", "fast-math"),
        ("function (extractvalue a) => @inserted_field", "function"),
    ],
    ids=lambda text: text.split()[0],
)
def test_what_is_no_claim_says_why(row, why):
    assert why in prove(parse(row)).unsupported
