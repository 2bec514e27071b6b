"""Every row of the rule tables parses, makes progress, and preserves the computed value."""

from __future__ import annotations

import itertools
import math

import pytest
from xdsl.dialects import llvm
from xdsl.ir import Block

from dev.rules import RuleError, TryContext, is_tried, try_rule
from nvvm_xdsl.analysis.values.constant_range import UGT, ULT
from nvvm_xdsl.dialects.llvm.types import BF16, F16, F32, F64, F128, I1, I8, I32, I64, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.rules import predicates
from nvvm_xdsl.rules import table as rule_tables
from nvvm_xdsl.rules.combine import COMBINATIONS
from nvvm_xdsl.rules.language import RuleSyntaxError, expanded, parse
from nvvm_xdsl.rules.matcher import OVERFLOW
from nvvm_xdsl.rules.progress import objection
from nvvm_xdsl.rules.simplify import SIMPLIFICATIONS
from nvvm_xdsl.rules.table import RuleTable, variants

RULES = SIMPLIFICATIONS.rules + COMBINATIONS.rules

BY_HAND = {
    # Pointers, and functions in place of a right side: instsimplify.mlir and instcombine.mlir cover
    # them.
    "icmp-eq-object-null",
    "icmp-ne-object-null",
    "cast-to-same.bitcast",
    "cast-to-same.spacecast",
    "cast-and-back.bitcast",
    "cast-and-back.spacecast",
    "bitcast-bitcast",
    "ptr-of-int-of-ptr",
    "int-of-ptr-of-int",
    "gep-zero",
    "extract-of-insert",
    "insert-of-extract",
    "element-of-insert",
    "vector-of-constants",
}


@pytest.mark.parametrize("rule", [r for r in RULES if is_tried(r)], ids=lambda r: r.name)
def test_both_sides_compute_the_same(rule):
    assert try_rule(rule) > 0


def test_untested_rows_are_listed():
    assert {rule.name for rule in RULES if not is_tried(rule)} == BY_HAND


def test_names_are_unique():
    names = [rule.name for rule in RULES]
    assert len(names) == len(set(names))


def test_no_row_is_shadowed_by_earlier_rows():
    hidden: list[str] = []
    for table in (SIMPLIFICATIONS, COMBINATIONS):
        seen: set[tuple[object, str]] = set()
        for rule in table.rules:
            forms = {(rule.left.op.cls, key) for key in variants(rule)}
            if forms <= seen:
                hidden.append(rule.name)
            if not rule.where:
                seen |= forms
    assert hidden == []


def test_a_comparison_matches_with_swapped_operands():
    table = RuleTable(["above (icmp.ugt (and x y) x) => false"])
    block = Block(arg_types=(I32, I32))
    x, y = block.args
    conjunction = fast.create(llvm.AndOp, (x, y), (I32,))
    part = conjunction.results[0]

    def found(predicate, a, b):
        op = llvm.ICmpOp(a, b, int_attr(predicate, I64))
        return table.value_for(op, TryContext([]))

    assert found(UGT, part, x) is not None
    assert found(ULT, x, part) is not None
    assert found(ULT, part, x) is None
    assert found(UGT, x, part) is None


def test_every_rule_makes_progress():
    assert [text for rule in RULES if (text := objection(rule)) is not None] == []


def test_a_simplification_that_creates_an_op_is_rejected():
    row = "halves (udiv x 2) => (lshr x 1)"
    assert len(RuleTable([row]).rules) == 1
    table = RuleTable([row], creates_ops=False)
    with pytest.raises(RuleSyntaxError, match="creates an op"):
        table.rules  # noqa: B018
    two = llvm.ConstantOp(int_attr(2, I32), I32)
    (x,) = Block(arg_types=(I32,)).args
    with pytest.raises(RuleSyntaxError, match="creates an op"):
        table.value_for(llvm.UDivOp(x, two.result), TryContext([]))


def test_the_table_of_simplifications_creates_no_ops():
    assert not SIMPLIFICATIONS._creates_ops
    assert not any(rule.makes_ops for rule in SIMPLIFICATIONS.rules)


def test_simplifications_query_no_analyses():
    """Clients of the simplifications other than `instcombine` have no analyses."""
    assert [rule.name for rule in SIMPLIFICATIONS.rules if "known_" in rule.where] == []


@pytest.mark.parametrize(
    "row",
    [
        "wrong-identity (add x 1) => x",
        "wrong-operand (sub x y) => x if width > 1",
        "wrong-constant (add (add x C1) C2) => (add x {C1 - C2})",
        "wrong-bound (shl (shl x C1) C2) => (shl x {C1 + C2})",
        "wrong-flag (add (add x C1) C2) => (add x {C1 + C2}) keep nsw",
        "wrong-predicate (icmp.P x y) => (icmp.swapped-P x y)",
        "wrong-zero (fadd x 0.0) => x",
        "wrong-nan (fsub x x) => 0.0",
        "wrong-sign (sext (trunc x)) => x",
        "wrong-division (sdiv x C) => (ashr x {log2(C)}) if pow2(C)",
        "wrong-choice (select (not c) x y) => (select c x y)",
    ],
    ids=lambda row: row.split()[0],
)
def test_wrong_rules_are_found(row):
    with pytest.raises(RuleError, match="became"):
        try_often(parse(row))


def try_often(rule):
    for seed in range(3):
        try_rule(rule, seed, instances=40)


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("grows (add x y) => (sub x (sub 0 y))", "not smaller"),
        ("turns (sub x y) => (sub y x)", "not smaller"),
        ("doubles (mul x 2) => (add x x)", "not smaller"),
        ("back-and-forth (add x C) => (sub x {-C})", "not smaller"),
        ("not-paid-for (sdiv (add x y) z) => (sub (sub x z) y)", "more ops"),
    ],
)
def test_rules_without_progress_are_found(row, what):
    assert what in (objection(parse(row)) or "")


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("no-arrow (add x 0) x", "not `name left => right`"),
        ("no-op x => x", "not `name left => right`"),
        ("unknown (plus x 0) => x", "plus"),
        ("arity (add x) => x", "takes 2 operands"),
        ("flag (add x 1) => (add:foo x 1)", "add does not carry foo"),
        ("flag (ctlz x) => (ctlz:poison x)", "ctlz does not carry poison"),
        ("flag (add:nsw,exact x 0) => x", "add does not carry exact"),
        ("flag (xor:nnan x 0) => x", "xor does not carry nnan"),
        ("keep (add (add x C1) C2) => (add x {C1 + C2}) keep nws", "no op carries nws"),
        ("drop (fptrunc (fpext x)) => x drop nzs", "no op carries nzs"),
        ("itself m=(mul x 1) => m", "refers to the matched op"),
        ("itself m=(mul x y) => (mul (add m 1) y)", "refers to the matched op"),
    ],
)
def test_errors_of_bad_rows(row, what):
    with pytest.raises(RuleSyntaxError, match=what):
        parse(row)


def test_a_duplicate_row_is_an_error():
    (first, second) = map(parse, expanded("both (OP x 0) => x for OP = add sub"))
    assert [first.name, second.name] == ["both.add", "both.sub"]
    assert [first.left.op.name, second.left.op.name] == ["add", "sub"]


@pytest.mark.parametrize(
    ("number", "type_", "held", "around"),
    [
        (0.0, F32, True, None),
        (-0.0, F32, True, None),
        (0.5, F32, True, None),
        (-65504.0, F16, True, None),
        (65505.0, F16, False, None),
        (2.0**24 + 1, F32, False, (2.0**24, 2.0**24 + 2)),
        (-1.0 - 2.0**-24, F32, False, (-1.0 - 2.0**-23, -1.0)),
        (0.1, BF16, False, (0.099609375, 0.10009765625)),
        (2.0**-126, F32, True, None),
        (2.0**-127, F32, False, None),
        (2.0**-126 * (1 - 2.0**-30), F32, False, None),
        (1e39, F32, False, None),
        (math.inf, F32, False, None),
        (math.nan, F32, False, None),
        (0.5, F64, False, None),
        (0.5, F128, False, None),
    ],
)
def test_constants_of_wider_types(number, type_, held, around):
    """`f64` is no narrower type: a Python float may round the constant of an `f128`."""
    assert predicates.held_by(number, type_) is held
    assert predicates.is_between(number, type_) is (around is not None)
    if around is not None:
        assert (predicates.below(number, type_), predicates.above(number, type_)) == around


def test_precision():
    assert [predicates.precision(t) for t in (F16, BF16, F32, F64, F128)] == [11, 8, 24, 53, 0]


def _op(cls, operands, type_=I32, properties=None):
    return fast.create(cls, operands, (type_,), properties or {})


def test_operands_of_commutative_ops_match_in_every_order():
    table = RuleTable(["absorbed (and x (or x y)) => x"])
    x, y = Block(arg_types=[I32, I32]).args
    for inner in ((x, y), (y, x)):
        either = _op(llvm.OrOp, inner).results[0]
        for outer in ((x, either), (either, x)):
            assert table.value_for(_op(llvm.AndOp, outer), TryContext([])) is x


def test_only_rules_of_the_ops_shape_are_tried():
    table = RuleTable(["zero (add x 0) => x", "difference (add (sub x y) y) => x"])
    x, y = Block(arg_types=[I32, I32]).args
    assert table.candidates(_op(llvm.AddOp, (x, y))) == []
    difference = _op(llvm.SubOp, (x, y)).results[0]
    found = table.candidates(_op(llvm.AddOp, (x, difference)))
    assert [name for name, _ in found] == ["difference"]
    assert table.candidates(_op(llvm.MulOp, (x, y))) == []


def _comparison(predicate, x, y):
    return _op(llvm.ICmpOp, (x, y), I1, {"predicate": int_attr(predicate, I64)})


def test_only_rules_of_the_predicates_are_tried():
    table = RuleTable(
        [
            "one (and (icmp.slt x y) (icmp.sgt x y)) => false",
            "two (and (icmp.eq x y) (icmp.P x z)) => false",
            "any (and (icmp.P x y) (icmp.Q x z)) => false",
        ]
    )
    x, y, z = Block(arg_types=[I32] * 3).args

    def names(first, second):
        op = _op(llvm.AndOp, (first.results[0], second.results[0]), I1)
        return [name for name, _ in table.candidates(op)]

    slt, eq = _comparison(2, x, y), _comparison(0, x, y)
    assert set(names(slt, _comparison(4, x, y))) == {"one", "any"}
    # With swapped operands, slt is sgt.
    assert set(names(slt, _comparison(2, y, x))) == {"one", "any"}
    assert set(names(slt, _comparison(9, x, z))) == {"any"}
    assert set(names(eq, slt)) == set(names(slt, eq)) == {"two", "any"}


@pytest.mark.parametrize("table", [SIMPLIFICATIONS, COMBINATIONS])
def test_rules_of_other_predicates_do_not_match(table):
    """Rules that are skipped by predicate would not have matched."""
    x, y = Block(arg_types=[I32, I32]).args
    zero = _op(llvm.ConstantOp, (), I32, {"value": int_attr(0, I32)}).results[0]
    sides = [((x, y), (x, y)), ((x, y), (y, x)), ((x, zero), (x, zero))]
    left_out = 0
    for p, q in itertools.product(range(10), repeat=2):
        for a, b in sides:
            first, second = _comparison(p, *a), _comparison(q, *b)
            op = _op(llvm.AndOp, (first.results[0], second.results[0]), I1)
            tried = {match.__code__ for _, match in table.candidates(op)}
            context = TryContext([])
            for variant in table._candidates(llvm.AndOp, (llvm.ICmpOp, llvm.ICmpOp)):
                if variant.code in tried:
                    continue
                left_out += 1
                assert variant.match(op, context, *fast.operands_of(op)) is None, variant.rule.name
    assert left_out


@pytest.mark.parametrize("table", [SIMPLIFICATIONS, COMBINATIONS])
def test_skipped_rule_rows_do_not_match(table, monkeypatch):
    kinds = (llvm.AddOp, llvm.ConstantOp, llvm.XOrOp, Block)
    pairs = list(itertools.product(kinds, repeat=2))
    classes = (llvm.AddOp, llvm.OrOp, llvm.ICmpOp)

    def found(of):
        return [[str(v._rule) for v in of._candidates(c, pair)] for c in classes for pair in pairs]

    some = found(table)
    monkeypatch.setattr(rule_tables._Row, "may_match", lambda self, owners: True)
    assert found(RuleTable(table._tables)) == some
    assert any(some)


def test_types_that_a_rule_unifies_are_compared():
    table = RuleTable(["back (trunc (zext x)) => x"])
    (x,) = Block(arg_types=[I32]).args
    wide = _op(llvm.ZExtOp, (x,), I64).results[0]
    cx = TryContext([])
    assert table.value_for(_op(llvm.TruncOp, (wide,), I32), cx) is x
    assert table.value_for(_op(llvm.TruncOp, (wide,), I8), cx) is None


def test_new_ops_keep_the_flags_of_all_matched_ops():
    table = RuleTable(["sum (add (add x C1) C2) => (add x {C1 + C2}) keep nuw"])
    (x,) = Block(arg_types=[I32]).args
    cx = TryContext([])
    one = cx.integer(1, I32)
    for inner, outer, kept in ((2, 2, 2), (3, 2, 2), (3, 1, 0), (0, 2, 0)):
        first = _op(llvm.AddOp, (x, one), I32, {"overflowFlags": OVERFLOW[inner]}).results[0]
        second = _op(llvm.AddOp, (first, one), I32, {"overflowFlags": OVERFLOW[outer]})
        value = table.value_for(second, cx)
        assert value is not None
        assert value.owner.properties["overflowFlags"] == OVERFLOW[kept]
