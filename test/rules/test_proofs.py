"""Proofs of rewrite rules: on integers of a few bits, at every width, and wrong claims.

`make prove` proves them at common widths, and for floating point.
"""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("z3")

from helpers.scale import share

from dev.prove import TABLES, page, rules_of
from dev.rule_bits import holds_bit_by_bit
from dev.rule_cases import cases_of, solve_by_cases
from dev.rule_claims import Claim
from dev.rule_findings import changed_rules, digest, in_order, read_findings
from dev.rule_proofs import DisprovedError, holds_at_every_width, prove
from dev.wrong_rules import proved_faults, wrong_rules
from nvvm_xdsl.rules.language import parse
from nvvm_xdsl.rules.typing import typing_of

FEW_BITS = (4,)

RULES_PAGE = Path(__file__).parents[2] / "docs" / "rules.md"

ONE_IN_RULES = 4
"""The tested share of the rules (see `scale`)."""


@pytest.mark.slow
@pytest.mark.parametrize("table", [name for name in TABLES if name != "floats"])
def test_rules_on_integers_are_proved(table: str):
    for rule in share(rules_of(TABLES[table]), ONE_IN_RULES, lambda rule: rule.text):
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
        ("sign (copysign x y) => y", "y = "),
        ("nan-sign (fneg (copysign x y)) => (copysign x y)", "y = "),
        ("fits (fptosi x) => 0", "x = "),
        ("null (icmpp.eq p null) => false", "p = 0"),
        ("real (fadd:reassoc (fmul:reassoc x C) y) => (fmul (fadd x y) C)", "real numbers"),
        ("unrounded (fmul:reassoc (fmul x C1) C2) => (fmul x {rounded_sum(C1, C2)})", "real"),
    ],
    ids=lambda text: text.split()[0],
)
def test_wrong_rules_are_disproved(row: str, where: str):
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
def test_undef_and_poison_in_proofs(row: str):
    proof = prove(parse(row), FEW_BITS, 20.0)
    assert proof.is_complete
    assert any("undef" in instance for instance in proof.proved)


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ("space (spacecast (spacecast x)) => x", "another space"),
        ("loose (fmul:afn (sitofp x) y) => y", "fast-math"),
        ("rest (frem x y) => x", "frem"),
        ("function (extractvalue a) => @inserted_field", "function"),
    ],
    ids=lambda text: text.split()[0],
)
def test_invalid_claims_are_reported_with_a_reason(row: str, why: str):
    assert why in prove(parse(row)).unsupported


@pytest.mark.parametrize(
    "row",
    [
        "bits (or (and x y) (and x (not y))) => x",
        "masks (and (xor x C1) C2) => (xor (and x C2) {C1 & C2})",
        "counts (add (ctpop (and! x y)) (ctpop (or! x y))) => (add (ctpop x) (ctpop y))",
        "product (udiv (mul:nuw x y) y) => x",
        "signed (sdiv (mul:nsw x y) y) => x",
        "twice (udiv (udiv x C1) C2) => (udiv x {C1 * C2}) if C1 * C2 < 1 << width",
        "power (urem x C) => (and x {C - 1}) if pow2(C)",
        "shifts (shl (shl x C1) C2) => (shl x {C1 + C2}) if C1 + C2 < width",
        "negative (smin (ashr! x z) (ashr! y z)) => (ashr (smin x y) z)",
        "odd (icmp.eq (mul x C) (mul y C)) => (icmp.eq x y) if C & 1 == 1",
        "scaled (udiv (mul:nuw x y) (mul:nuw z y)) => (udiv x z)",
        "saturated (usubsat (usubsat x C1) C2) => (usubsat x {C1 + C2}) if C1 + C2 < 1 << width",
        "count (icmp.eq (ctpop x) 0) => (icmp.eq x 0)",
        "least (abs (abs x)) => (abs x)",
    ],
    ids=lambda text: text.split()[0],
)
def test_claims_hold_at_every_width(row: str):
    assert holds_at_every_width(parse(row), {}, frozenset(), 30.0)


@pytest.mark.parametrize(
    "row",
    [
        "bits (or (and x y) (and x (xor y 0))) => x",
        "counts (ctpop (xor x y)) => (add (ctpop x) (ctpop y))",
        "wraps (udiv (mul x y) y) => x",
        "unsigned (sdiv (mul:nuw x y) y) => x",
        "signed (srem x C) => (and x {C - 1}) if pow2(C)",
        "large (shl (shl x C1) C2) => (shl x {C1 + C2})",
        "lost (lshr (shl x y) y) => x",
        "sticky (shl (ashr x y) y) => x",
        "even (icmp.eq (mul x C) (mul y C)) => (icmp.eq x y) if C != 0",
        "sign (icmp.slt (mul:nuw x C) (mul:nuw y C)) => (icmp.slt x y)",
        "least (abs x) => (smax x (sub 0 x)) keep nsw",
        "frozen (freeze x) => x",
        "choice (sub (freeze x) (freeze x)) => 0",
        "order (umin (add:nuw x z) (add:nuw y z)) => (add:nuw (smin x y) z)",
        "clamped (usubsat x C) => (sub x C)",
    ],
    ids=lambda text: text.split()[0],
)
def test_claims_that_do_not_hold_at_every_width(row: str):
    rule = parse(row)
    assert not holds_at_every_width(rule, {}, rule.keep, 0.3)


def test_shift_amounts_are_enumerated():
    def answer(row: str) -> str:
        rule = parse(row)
        types = typing_of(rule)
        claim = Claim(rule, types, dict.fromkeys(types.classes(), 8), {}, frozenset(), False)
        return solve_by_cases(claim, claim.wrong(), 20.0, 1.0)

    assert answer("rotated (ctpop (fshl x x y)) => (ctpop x)") == "unsat"
    assert answer("shifted (ctpop (shl x y)) => (ctpop x)") == "sat"


def test_the_width_is_not_enumerated():
    rule = parse("masked (add x y) => (add y x) if pow2(width) and pow2(C)")
    claim: Any = SimpleNamespace(rule=rule)
    assert cases_of(claim) == {"C": "power"}


def test_planted_faults_are_not_proved():
    rules = wrong_rules(0)
    found = [proved_faults(next(rules), 0.2) for _ in range(16)]
    assert sum(refuted for refuted, _ in found) > 2
    assert not any(proved for _, proved in found)


def test_rules_that_reuse_a_matched_result_are_not_proved_bit_by_bit():
    assert not holds_bit_by_bit(parse("named (and a=(or x y) x) => (and a y)"))


def test_the_page_of_rules_is_current():
    """`python -m dev.prove --output docs/rules.md` proves the rules that are named here."""
    findings = read_findings()
    assert not changed_rules(findings)
    assert RULES_PAGE.read_text() == page(in_order(findings))


def test_changed_rules_are_found():
    findings = read_findings()
    (rule,) = [rule for rule in rules_of(TABLES["integers"]) if rule.name == "mul-of-add"]
    finding = findings.pop(digest(rule))
    assert changed_rules(findings) == ["mul-of-add"]
    looser = parse(rule.text.replace(" if not no_signed_wrap(p)", ""))
    assert digest(looser) != digest(rule)
    assert changed_rules({**findings, digest(rule): finding, digest(looser): finding}) == [
        "mul-of-add"
    ]


def test_a_flag_that_a_rule_excludes_is_not_assumed():
    """The claim of a rule with `not no_signed_wrap(p)` is that for sums that may wrap."""
    row = "sum (mul p=(add x C1) C2) => (add (mul x C2) {C1 * C2}) if not no_signed_wrap(p)"
    assert prove(parse(row), FEW_BITS, 20.0).is_complete
    assert holds_at_every_width(parse(row), {}, frozenset(), 30.0)
    with pytest.raises(DisprovedError):
        prove(parse(row.replace("{C1 * C2}", "{C1 + C2}")), FEW_BITS, 20.0)
