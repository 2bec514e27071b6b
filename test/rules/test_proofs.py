"""Proofs of rewrite rules: on integers of a few bits, at every width, and wrong claims.

`make prove` proves them at common widths, and for floating point.
"""

from __future__ import annotations

import math
import random
import re
import shutil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("z3")

import z3
from helpers.scale import share

import nvvm_xdsl
from dev import rule_rounding
from dev.prove import TABLES, examine, page, rules_of
from dev.rule_bits import holds_bit_by_bit
from dev.rule_cases import cases_of, solve_by_cases
from dev.rule_choices import holds_for_candidates
from dev.rule_claims import Claim
from dev.rule_findings import changed_rules, digest, in_order, read_findings
from dev.rule_instances import SAMPLES
from dev.rule_integers import IntegerClaim
from dev.rule_proofs import DisprovedError, holds_at_every_width, prove
from dev.rule_rounding import narrowed, wrong_results
from dev.wrong_rules import proved_faults, wrong_rules
from nvvm_xdsl.lab.validation.solver import solve
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.rules.language import applications, parse
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
        ("fact-of-poison (freeze x) => x if known_nonneg(x)", "x_is_poison = True"),
        ("zero (fadd x 0.0) => x", "x = -0.0"),
        ("nan (fcmp.oeq x x) => true", "x = NaN"),
        ("sign (copysign x y) => y", "y = "),
        ("nan-sign (fneg (copysign x y)) => (copysign x y)", "y = "),
        ("fits (fptosi x) => 0", "x = "),
        ("null (icmpp.eq p null) => false", "p = 0"),
        ("real (fadd:reassoc (fmul:reassoc x C) y) => (fmul (fadd x y) C)", "real numbers"),
        ("narrower (fptrunc (fadd (fpext x) (fpext y))) => (fsub x y)", "y = "),
        ("signed-zero (fneg (fsub x y)) => (fsub y x)", "x = "),
        ("other-arm (select c (fadd x z) (fadd y z)) => (fadd (select c y x) z)", "c = "),
        ("order (fptrunc (minnum (fpext x) (fpext y))) => (maxnum x y)", "y = "),
        ("sign (fptosi (fpext x)) => (fptoui x)", "x = "),
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
        ("sum (mul p=(add x 1) y) => x if no_signed_wrap(p)", "state it on the left side"),
        (
            "product m=(mul p=(add x 1) y) => x if not no_signed_wrap(p) and no_signed_wrap(m)",
            "state it on the left side",
        ),
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
        "multiple (srem (mul:nsw x C1) C2) => 0 if s(C2) > 0 and s(C1) > 0 and C1 % C2 == 0",
        "common (sdiv (mul:nsw x y) (mul:nsw z y)) => (sdiv x z)",
        "rest (urem (add:nuw (mul:nuw x C) y) C) => (urem y C)",
        "above (ashr (shl:nsw x C1) C2) => (shl:nsw x {C1 - C2}) if C2 < C1 and C1 < width",
        "selected (select c (mul:nuw x z) (mul:nuw y z)) => (mul:nuw (select c x y) z)",
        "wider (udiv (zext x) (zext y)) => (zext (udiv x y))",
        "extended (sext (zext x)) => (zext x)",
        "compared (icmp.slt (sext x) (sext y)) => (icmp.slt x y)",
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
        "multiple (srem (mul x C1) C2) => 0 if s(C2) > 0 and s(C1) > 0 and C1 % C2 == 0",
        "common (sdiv (mul x y) (mul:nsw z y)) => (sdiv x z)",
        "rest (urem (add (mul:nuw x C) y) C) => (urem y C)",
        "above (ashr (shl x C1) C2) => (shl x {C1 - C2}) if C2 < C1 and C1 < width",
        "selected (select c (mul x z) (mul y z)) => (mul (select c y x) z)",
        "negative (udiv (sext x) (sext y)) => (sext (udiv x y))",
        "extended (zext (sext x)) => (sext x)",
        "compared (icmp.slt (zext x) (zext y)) => (icmp.slt x y)",
        "cut (icmp.eq (trunc x) (trunc y)) => (icmp.eq x y)",
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
    assert answer("rotated (ctpop (fshl x z y)) => (ctpop x)") == "sat"
    assert answer("shifted (ctpop (shl:nuw x y)) => (ctpop x)") == "unsat"
    assert answer("shifted (ctpop (shl x y)) => (ctpop x)") == "sat"


def test_a_rotation_has_all_amounts():
    """The amount is taken modulo the width: 9 is 1 at 8 bits."""
    rule = parse("rotated (fshl x x y) => (shl x y)")
    types = typing_of(rule)
    claim = Claim(rule, types, dict.fromkeys(types.classes(), 8), {}, frozenset(), False)
    wrong = claim.wrong()
    (y, _, _) = claim.inputs["y"]
    large = z3.And(wrong, y >= 8)
    assert solve_by_cases(claim, large, 20.0, 1.0) == "sat"


def test_the_width_is_not_enumerated():
    rule = parse("masked (add x y) => (add y x) if pow2(width) and pow2(C)")
    claim: Any = SimpleNamespace(rule=rule)
    assert cases_of(claim) == {"C": "power"}


def test_planted_faults_are_not_proved():
    rules = wrong_rules(0)
    found = [proved_faults(next(rules), 0.2) for _ in range(16)]
    assert sum(refuted for refuted, _ in found) > 2
    assert not any(proved for _, proved in found)


LEMMA_RULES = (
    "quotients (udiv (udiv x C1) C2) => (udiv x {C1 * C2})",
    "products (sdiv (mul:nsw x y) (mul:nsw z y)) => (sdiv x z)",
    "rests (urem (add:nuw (mul:nuw x C) y) C) => (srem y C)",
    "shifts (ashr (shl:nsw x C1) C2) => (lshr:exact x {C1 - C2})",
    "ordered (ashr (shl:nsw x C1) C2) => (shl:nsw x {C1 - C2}) if C2 < C1",
    "counts (sub (ctpop x) (and x y)) => (ctpop y)",
    "odd (icmp.slt (mul x C) (mul y C)) => (icmp.slt x y) if C & 1 == 1",
    "power (urem x C) => (and x {C - 1}) if pow2(C)",
    "casts (mul (zext x) (sext x)) => (sext (mul x x))",
    "cut (add (trunc:nsw x) (trunc x)) => (trunc:nuw (mul x x))",
)


@pytest.mark.parametrize("row", LEMMA_RULES, ids=lambda text: text.split()[0])
def test_facts_and_lemmas_of_integers_are_true(row: str):
    """A fact that is false for some inputs would prove wrong rules."""
    claim = IntegerClaim(parse(row), typing_of(parse(row)), {}, frozenset())
    conditions, groups = claim.refuted()
    statements = [*conditions[1:], *(lemma for group in groups for lemma in group)]
    assert len(statements) > 5
    chance = random.Random(row)
    for _ in range(10):
        numbers = Numbers(chance, result_is_wide="zext" in row)
        for statement in statements:
            assert numbers.value(statement) is not False, statement


MEANINGS = {
    z3.Z3_OP_TRUE: lambda: True,
    z3.Z3_OP_FALSE: lambda: False,
    z3.Z3_OP_AND: lambda *parts: all(parts),
    z3.Z3_OP_OR: lambda *parts: any(parts),
    z3.Z3_OP_NOT: lambda a: not a,
    z3.Z3_OP_IMPLIES: lambda a, b: not a or b,
    z3.Z3_OP_ITE: lambda c, a, b: a if c else b,
    z3.Z3_OP_EQ: lambda a, b: a == b,
    z3.Z3_OP_DISTINCT: lambda a, b: a != b,
    z3.Z3_OP_LT: lambda a, b: a < b,
    z3.Z3_OP_LE: lambda a, b: a <= b,
    z3.Z3_OP_GT: lambda a, b: a > b,
    z3.Z3_OP_GE: lambda a, b: a >= b,
    z3.Z3_OP_ADD: lambda *parts: sum(parts),
    z3.Z3_OP_SUB: lambda a, *parts: a - sum(parts),
    z3.Z3_OP_MUL: lambda *parts: math.prod(parts),
    z3.Z3_OP_UMINUS: lambda a: -a,
}


class Numbers:
    """Random inputs of a claim of integers, with the meaning of its unknown functions."""

    def __init__(self, chance: random.Random, *, result_is_wide: bool):
        self.chance = chance
        self.result_is_wide = result_is_wide
        self.widths = {"": chance.randint(2, 6)}
        self.constants: dict[str, int] = {}
        self.known: dict[int, Any] = {}

    def width(self, name: str) -> int:
        if name not in self.widths:
            is_wide = (name == "0") == self.result_is_wide
            self.widths[name] = self.chance.randint(2, 4) + (4 if is_wide else 0)
        return self.widths[name]

    def constant(self, name: str) -> int:
        if name.startswith("width"):
            return self.width(name.removeprefix("width"))
        if name.startswith("!inverse of "):
            return pow(
                self.constant(name.removeprefix("!inverse of ")) | 1, -1, 1 << self.widths[""]
            )
        narrowest = min(self.widths.values())
        most = narrowest // 2 - 1 if re.match(r"C\d", name) else (1 << narrowest) - 1
        return self.constants.setdefault(name, self.chance.randint(1, max(1, most)))

    def function(self, name: str, arguments: list[int]) -> int:
        a, *rest = arguments
        b = rest[0] if rest else 0
        for prefix in ("!mod", "!multiple"):
            if name.startswith(prefix):
                whole = 1 << self.width(name.removeprefix(prefix))
                return a % whole if prefix == "!mod" else (a - b) // whole
        match name:
            case "!power":
                return 1 << a if a >= 0 else 0
            case "!div":
                return a // b if b else 7
            case "!rem":
                return a % b if b else 7
            case "!and":
                return a & b
            case "!ctpop":
                return a.bit_count()
            case "!log2":
                return max(a, 1).bit_length() - 1
        raise AssertionError(name)

    def value(self, term: Any) -> Any:
        known = self.known.get(term.get_id())
        if known is None:
            known = self.known[term.get_id()] = self._computed(term)
        return known

    def _computed(self, term: Any) -> Any:
        if z3.is_int_value(term):
            return term.as_long()
        values = [self.value(c) for c in term.children()]
        kind = term.decl().kind()
        if kind == z3.Z3_OP_UNINTERPRETED:
            name = term.decl().name()
            return self.function(name, values) if values else self.constant(name)
        return MEANINGS[kind](*values)


def test_lemmas_about_exact_extensions():
    """`narrowed` moves these operations to the narrower format."""
    half, single = z3.FPSort(5, 11), z3.FPSort(8, 24)
    a, b = z3.Consts("a b", half)
    wide_a, wide_b = (z3.fpFPToFP(z3.RNE(), n, single) for n in (a, b))
    equal = [
        (z3.fpLT(wide_a, wide_b), z3.fpLT(a, b)),
        (z3.fpLEQ(wide_a, wide_b), z3.fpLEQ(a, b)),
        (z3.fpEQ(wide_a, wide_b), z3.fpEQ(a, b)),
        (wide_a == wide_b, a == b),
        *((test(wide_a), test(a)) for test in (z3.fpIsNaN, z3.fpIsInf, z3.fpIsZero)),
        (z3.fpIsNegative(wide_a), z3.fpIsNegative(a)),
    ]
    for wide, small in equal:
        assert narrowed(wide).eq(z3.simplify(small))
        assert solve([wide != small], 10.0).answer == "unsat"
    for op in (z3.fpNeg, z3.fpAbs, lambda n: z3.fpRoundToIntegral(z3.RTZ(), n)):
        extended = z3.fpFPToFP(z3.RNE(), op(a), single)
        assert narrowed(z3.fpFPToFP(z3.RNE(), op(wide_a), half)).eq(z3.simplify(op(a)))
        assert solve([op(wide_a) != extended], 10.0).answer == "unsat"
    # A subnormal half is a normal float.
    assert narrowed(z3.fpIsNormal(wide_a)).eq(z3.simplify(z3.fpIsNormal(wide_a)))


@pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")
@pytest.mark.parametrize("op", ["fadd", "fmul", "fdiv", "fsqrt"])
@pytest.mark.parametrize("format_", ["f16", "bf16"])
def test_results_in_float_are_rounded_once(format_: str, op: str):
    """A first rounding to fewer digits gives wrong results."""
    step = 1 if op == "fsqrt" else 1021
    precision = {"f16": 11, "bf16": 8}[format_]
    assert wrong_results(format_, op, 24, step) == 0
    assert wrong_results(format_, op, precision + 2, step) > 0


@pytest.mark.parametrize(
    ("row", "op"),
    [
        ("sum (fptrunc (fadd (fpext x) (fpext y))) => (fadd x y)", "fadd"),
        ("difference (fptrunc (fsub (fpext x) (fpext y))) => (fsub x y)", "fadd"),
        ("constant (fptrunc (fadd (fpext x) C)) => (fadd x {C}) if held_by(C, type(x))", "fadd"),
        ("root (fptrunc (sqrt (fpext x))) => (sqrt x)", "fsqrt"),
    ],
    ids=lambda text: text.split()[0],
)
def test_rounding_twice_is_assumed_only_if_checked(
    row: str, op: str, monkeypatch: pytest.MonkeyPatch
):
    asked: list[tuple[str, str]] = []
    for known in (True, False):

        def answer(format_: str, name: str, known: bool = known) -> bool:
            asked.append((format_, name))
            return known

        monkeypatch.setattr(rule_rounding, "is_rounded_once", answer)
        rule = parse(row)
        types = typing_of(rule)
        claim = Claim(rule, types, dict(zip(types.classes(), (32, 16))), {}, frozenset(), False)
        if types.of("l") != types.classes()[1]:
            claim.sizes = dict(zip(types.classes(), (16, 32)))
        claim.wrong()
        assert holds_for_candidates(claim, 0.3) == known
    assert set(asked) == {("f16", op)}


def test_instances_of_rules_with_functions():
    rules = {rule.name: rule for rule in rules_of(TABLES["casts"])}
    assert set(SAMPLES) <= set(rules)
    finding = examine(rules["insert-of-extract"], "casts", (1, 8), 5.0)
    assert (finding.proved, finding.open) == (
        "part",
        "3 of 3 instances are proved; the right side is a function",
    )
    finding = examine(rules["ptr-of-int-of-ptr"], "casts", (1, 8), 5.0)
    assert finding.proved == "no"
    assert "origins of pointers" in finding.open


def test_instances_are_changed_by_the_rule():
    rules = {rule.name: rule for rule in rules_of(TABLES["casts"])}
    for name, text in SAMPLES.items():
        module = nvvm_xdsl.parse(text)
        matched = next(iter(applications(rules[name].left))).op.cls
        run_pipeline(module, "instsimplify,dce")
        assert not any(type(op) is matched for op in module.walk()), name


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
    looser = parse(rule.text.replace(" and not no_signed_wrap(m)", ""))
    assert digest(looser) != digest(rule)
    assert changed_rules({**findings, digest(rule): finding, digest(looser): finding}) == [
        "mul-of-add"
    ]


@pytest.mark.parametrize("name", ["p", "m"])
def test_a_flag_that_a_rule_excludes_is_not_assumed(name):
    """The claim of a rule with `not no_signed_wrap(p)` is that for sums that may wrap. The name may
    be that of the matched op.
    """
    row = (
        f"sum m=(mul p=(add x C1) C2) => (add (mul x C2) {{C1 * C2}}) if not no_signed_wrap({name})"
    )
    assert prove(parse(row), FEW_BITS, 20.0).is_complete
    assert holds_at_every_width(parse(row), {}, frozenset(), 30.0)
    with pytest.raises(DisprovedError):
        prove(parse(row.replace("{C1 * C2}", "{C1 + C2}")), FEW_BITS, 20.0)
