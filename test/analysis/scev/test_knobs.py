"""Each knob has its documented default, and an effect."""

from dataclasses import fields, replace

import pytest
from helpers.programs import (
    LOOP,
    NEST,
    all_values,
    block_named,
    compare8,
    only_loop,
    parse_function,
    signed8,
    value_named,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.evaluation import evaluate
from nvvm_xdsl.analysis.scev.expressions import Kind
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, knob_name, knobs_from, using_knobs
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline.knobs import PASS_KNOBS

DOCUMENTED = {
    "verify-scev": False,
    "verify-scev-strict": False,
    "verify-scev-maps": False,
    "scalar-evolution-max-iterations": 100,
    "scalar-evolution-max-scev-compare-depth": 32,
    "scalar-evolution-max-arith-depth": 32,
    "scalar-evolution-max-ext-depth": 8,
    "scalar-evolution-max-cast-depth": 8,
    "scalar-evolution-max-constant-evolving-depth": 32,
    "scalar-evolution-max-expr-size": 384,
    "scalar-evolution-max-expr-failures": 100,
    "scalar-evolution-max-scev-operations-implication-depth": 2,
    "scalar-evolution-max-value-compare-depth": 2,
    "scev-mulops-inline-threshold": 32,
    "scev-addops-inline-threshold": 500,
    "delinearize-use-fixed-size-array-heuristic": False,
}
WITHOUT_DEFAULT = {
    "aggressive-positive-stride-analysis", "do-sign-ext-simplify", "do-sign-ext-expand",
    "track-trip-count-more", "da-delinearize", "da-miv-max-level-threshold",
}  # fmt: skip
OUR_NAMES = {
    "max-exit-analysis-depth", "delinearize", "delinearize-max-iterations",
    "delinearize-expand-sums", "delinearize-launch-sizes", "delinearize-partial-terms",
}  # fmt: skip
"""Knobs that the document gives only by address, or without a value."""
UNUSED = {"forget-scev-loop-unroll"}
"""Knobs without effect (docs/deviations.md)."""
LLVMS = {"da-disable-delinearization-checks"}
"""Knobs of LLVM's dependence analysis, not in the document."""


def evolution(text: str, **knobs: int | bool):
    func = parse_function(text)
    with using_knobs(replace(ScevKnobs(), **knobs)):
        return AnalysisManager().get(ScalarEvolution, func), func


def expression(body: str, **knobs: int | bool):
    se, func = evolution(
        "llvm.func @f(%x: i32, %y: i32, %n: i16, %p: !llvm.ptr) {\n"
        f"%k1 = llvm.mlir.constant(1 : i32) : i32\n{body}\nllvm.return\n}}",
        **knobs,
    )
    return str(se.get(value_named(func, "v")))


def test_defaults():
    found = {knob_name(f.name): f.default for f in fields(ScevKnobs)}
    assert {n: found[n] for n in DOCUMENTED} == DOCUMENTED
    assert set(found) == {*DOCUMENTED, *WITHOUT_DEFAULT, *OUR_NAMES, *LLVMS}


def test_documented_scev_knobs_have_their_defaults():
    rows = [[p.strip() for p in line.split("|")] for line in PASS_KNOBS.splitlines()]
    known = {r[0]: r[2] for r in rows if r[3].startswith("003") and r[0] not in UNUSED}
    ours = {knob_name(f.name): str(f.default).lower() for f in fields(ScevKnobs)}
    assert known.items() <= ours.items()


def test_texts():
    knobs = knobs_from({"scalar-evolution-max-iterations": "0x10", "verify-scev": "true", "x": "1"})
    assert knobs == replace(ScevKnobs(), max_iterations=16, verify_scev=True)
    with pytest.raises(ValueError, match="many"):
        knobs_from({"scalar-evolution-max-iterations": "many"})


TRIPLING = LOOP.format(
    type="i32", start=1, step=0, flags="", predicate="ult", tested="%tripled", bound="%b"
).replace("  %next = llvm.add %i, %k1 : i32", "  %tripled = llvm.mul %i, %k3 : i32").replace(
    "^loop(%next", "^loop(%tripled"
).replace(
    "  llvm.br ^loop",
    "  %k3 = llvm.mlir.constant(3 : i32) : i32\n"
    "  %b = llvm.mlir.constant(1000 : i32) : i32\n  llvm.br ^loop", 1
)  # fmt: skip


def test_max_iterations():
    # 3, 9, 27, 81, 243 and 729 are below 1000: six rounds, and the seventh ends it.
    for limit, count in ((100, 7), (7, 7), (6, None)):
        se, _ = evolution(TRIPLING, max_iterations=limit)
        assert se.trip_count(only_loop(se)) == count


def test_max_constant_evolving_depth():
    se, _ = evolution(TRIPLING, max_constant_evolving_depth=0)
    assert se.trip_count(only_loop(se)) is None


def test_max_expr_size_and_failures():
    body = "%a = llvm.udiv %x, %y : i32\n%v = llvm.udiv %a, %y : i32"
    assert expression(body) == "((%x /u %y) /u %y)"
    assert expression(body, max_expr_size=3) == "%v"
    more = f"{body}\n%w = llvm.udiv %x, %y : i32"
    se, func = evolution(
        f"llvm.func @f(%x: i32, %y: i32) {{\n{more}\nllvm.return\n}}",
        max_expr_size=3, max_expr_failures=1,
    )  # fmt: skip
    assert str(se.get(value_named(func, "v"))) == "%v"
    assert se.failures == 1
    assert str(se.get(value_named(func, "w"))) == "%w"


def test_max_cast_depth():
    body = "%a = llvm.add %x, %y : i32\n%v = llvm.trunc %a : i32 to i8"
    assert expression(body) == "((trunc i32 %x to i8) + (trunc i32 %y to i8))"
    assert expression(body, max_cast_depth=0) == "(trunc i32 (%x + %y) to i8)"


def test_max_ext_depth():
    text = LOOP.format(
        type="i32", start=0, step=1, flags=" overflow<nsw>", predicate="ne", tested="%next", bound="%n"
    ).replace("  %more", "  %v = llvm.sext %i : i32 to i64\n  %more")  # fmt: skip
    for depth, expected in (
        (8, "{0,+,1}<nsw><%loop>"),
        (0, "(sext i32 {0,+,1}<nsw><%loop> to i64)"),
    ):
        se, func = evolution(text, max_ext_depth=depth)
        assert str(se.get(value_named(func, "v"))) == expected


def test_max_arith_depth():
    body = "%a = llvm.add %x, %y : i32\n%k = llvm.mlir.constant(3 : i32) : i32\n%v = llvm.mul %a, %k : i32"
    assert expression(body) == "((3 * %x) + (3 * %y))"
    assert expression(body, max_arith_depth=0) == "(3 * (%x + %y))"


def test_inline_thresholds():
    body = "%a = llvm.add %x, %y : i32\n%b = llvm.udiv %x, %y : i32\n%v = llvm.add %a, %b : i32"
    assert expression(body) == "((%x /u %y) + %x + %y)"
    assert expression(body, addops_inline_threshold=0) == "((%x + %y) + (%x /u %y))"
    body = body.replace("add", "mul")
    assert expression(body) == "((%x /u %y) * %x * %y)"
    assert expression(body, mulops_inline_threshold=0) == "((%x * %y) * (%x /u %y))"


def test_compare_depths_decide_the_order():
    def order(**knobs: int) -> bool:
        # The earlier expression has the greater operand.
        se, func = evolution(
            "llvm.func @f(%x: i32, %y: i32, %z: i32) {\n%a = llvm.udiv %y, %z : i32\n"
            "%b = llvm.udiv %x, %z : i32\n%v = llvm.add %a, %b : i32\nllvm.return\n}",
            **knobs,
        )
        found = se.get(value_named(func, "v")).operands
        return found[0] is se.get(value_named(func, "b"))

    assert order()
    assert not order(max_scev_compare_depth=0)


def test_value_compare_depth_decides_the_order_of_unknowns():
    def order(**knobs: int) -> bool:
        se, func = evolution(
            "llvm.func @f(%x: i32, %y: i32) {\n%a = llvm.sdiv %y, %x : i32\n"
            "%b = llvm.sdiv %x, %y : i32\n%v = llvm.add %a, %b : i32\nllvm.return\n}",
            **knobs,
        )
        found = se.get(value_named(func, "v")).operands
        return found[0] is se.get(value_named(func, "b"))

    assert order()
    assert not order(max_value_compare_depth=0)


def test_implication_depth():
    text = """
        llvm.func @f(%n: i32) {
          %k0 = llvm.mlir.constant(0 : i32) : i32
          %k1 = llvm.mlir.constant(1 : i32) : i32
          %k4 = llvm.mlir.constant(4 : i32) : i32
          %k40 = llvm.mlir.constant(40 : i32) : i32
          %half = llvm.udiv %n, %k4 : i32
          %more = llvm.add %half, %k1 : i32
          %some = llvm.icmp "ult" %n, %k40 : i32
          llvm.cond_br %some, ^pre, ^exit
        ^pre:
          llvm.br ^loop(%k0 : i32)
        ^loop(%i: i32):
          %next = llvm.add %i, %k1 : i32
          %c = llvm.icmp "slt" %next, %more : i32
          llvm.cond_br %c, ^loop(%next : i32), ^exit
        ^exit:
          llvm.return
        }"""
    from nvvm_xdsl.analysis.values.constant_range import ULT

    for depth, holds in ((2, True), (1, False)):
        se, func = evolution(text, max_scev_operations_implication_depth=depth)
        more = se.get(value_named(func, "more"))
        bound = se.expressions.constant(32, 11)
        # n < 40 bounds n / 4 + 1 by 10, two operations from the known fact.
        assert se.is_guarded(only_loop(se), ULT, more, bound) == holds


def test_sign_extension_knobs():
    narrow = "%a = llvm.sext %n : i16 to i32\n%b = llvm.trunc %x : i32 to i16\n"
    body = f"{narrow}%c = llvm.sext %n : i16 to i64\n%k = llvm.mlir.constant(5 : i64) : i64\n" \
        "%d = llvm.mul %c, %k : i64\n%e = llvm.trunc %d : i64 to i32\n%v = llvm.sext %e : i32 to i64"  # fmt: skip
    knob = {"max_cast_depth": 0}
    assert expression(body, **knob).startswith("(sext i32 (trunc i64 (5 * ")
    assert expression(body, **knob, do_sign_ext_simplify=True) == "(5 * (sext i16 %n to i64))"
    body = f"{narrow}%c = llvm.add %a, %k1 : i32\n%v = llvm.sext %c : i32 to i64"
    assert expression(body) == "(sext i32 (1 + (sext i16 %n to i32)) to i64)"
    assert expression(body, do_sign_ext_expand=True) == "(1 + (sext i16 %n to i64))"


def test_track_trip_count_more():
    text = LOOP.format(
        type="i32", start=5, step=1, flags="", predicate="eq", tested="%i", bound="%b"
    ).replace("  llvm.br ^loop", "  %b = llvm.mlir.constant(BOUND : i32) : i32\n  llvm.br ^loop", 1)
    # `while (i == 5)` holds only for i = 5; i == 7 does not hold at first.
    for bound, count in ((5, "1"), (7, "0")):
        se, _ = evolution(
            text.replace("BOUND", str(bound)), track_trip_count_more=True, max_iterations=0
        )
        assert str(se.backedge_taken_count(only_loop(se))) == count
    se, _ = evolution(text.replace("BOUND", "5"), max_iterations=0)
    assert se.backedge_taken_count(only_loop(se)) is se.could_not_compute


@settings(max_examples=80, deadline=None)
@given(
    st.integers(-128, 127), st.integers(0, 255), st.integers(-128, 127),
    st.sampled_from(["slt", "sle", "ult", "ule"]), st.sampled_from(["", " overflow<nsw>"]),
)  # fmt: skip
def test_counts_with_variable_strides(start, raw, bound, predicate, flags):
    text = LOOP.format(
        type="i8", start=start, step=0, flags=flags, predicate=predicate, tested="%i", bound="%n"
    ).replace("llvm.add %i, %k1", "llvm.add %i, %stride").replace(
        "  llvm.br ^loop",
        "  %k15 = llvm.mlir.constant(15 : i8) : i8\n  %one = llvm.mlir.constant(1 : i8) : i8\n"
        "  %low = llvm.and %s, %k15 : i8\n  %stride = llvm.add %low, %one : i8\n  llvm.br ^loop", 1
    )  # fmt: skip
    se, _ = evolution(text)
    count = se.backedge_taken_count(only_loop(se))
    if flags and predicate == "slt":
        assert count is not se.could_not_compute
    stride = (raw & 15) + 1
    value, rounds = start & 255, 0
    while compare8(predicate, value, bound) and rounds < 300:
        following = (value + stride) & 255
        if flags and signed8(value) + stride != signed8(following):
            return
        value, rounds = following, rounds + 1
    if count is not se.could_not_compute:
        numbers = {"n": bound, "s": raw}
        assert evaluate(count, lambda v: numbers[v.name_hint], lambda _: 0) == rounds


def test_aggressive_positive_stride_analysis():
    """The product of the dimensions may be 0 in 32 bits; the loop may then be infinite."""
    text = LOOP.format(
        type="i32", start=0, step=0, flags=" overflow<nsw>", predicate="slt", tested="%i", bound="%n"
    ).replace("llvm.add %i, %k1", "llvm.add %i, %stride").replace(
        "  llvm.br ^loop",
        "  %nt = nvvm.read.ptx.sreg.ntid.x : i32\n  %nct = nvvm.read.ptx.sreg.nctaid.x : i32\n"
        "  %stride = llvm.mul %nt, %nct : i32\n  llvm.br ^loop", 1
    )  # fmt: skip
    for knob in (False, True):
        se, _ = evolution(text, aggressive_positive_stride_analysis=knob)
        known = se.backedge_taken_count(only_loop(se)) is not se.could_not_compute
        assert known is knob


def test_exit_analysis_depth():
    se, func = evolution(NEST, max_exit_analysis_depth=0)
    for value in all_values(func):
        se.get(value)
    assert se.knobs.max_exit_analysis_depth == 0
    inner = se.loops.loop_for(block_named(func, "inner"))
    se.forget_loop(inner, extra=1)
    assert value_named(func, "j") not in se.value_exprs


def test_verify_scev_checks_after_each_invalidation():
    for verifies in (False, True):
        se, func = evolution(NEST, verify_scev=verifies)
        inner = se.loops.loop_for(block_named(func, "inner"))
        outer = se.loops.loop_for(block_named(func, "outer"))
        se.backedge_taken_count(outer)
        fast.set_operand(value_named(func, "im").op, 1, value_named(func, "m"))
        if verifies:
            with pytest.raises(AssertionError, match="outer"):
                se.forget_loop(inner)
        else:
            se.forget_loop(inner)


def test_verify_maps_and_strict_are_knobs():
    se, func = evolution(NEST, verify_scev_maps=True, verify_scev_strict=True)
    for value in all_values(func):
        se.get(value)
    se.verify()
    fast.set_operand(value_named(func, "row").op, 1, value_named(func, "n"))
    with pytest.raises(AssertionError, match="the expression of"):
        se.verify()
    se.verify(maps=False)


def test_strict_verification_reports_a_count_that_is_known_only_now():
    """The bound of the inner loop becomes a counter that no formula describes, or the reverse."""
    se, func = evolution(NEST)
    inner = se.loops.loop_for(block_named(func, "inner"))
    condition = value_named(func, "jm").op
    bound = condition.operands[1]
    fast.set_operand(condition, 1, value_named(func, "j"))
    assert se.backedge_taken_count(inner) is se.could_not_compute
    fast.set_operand(condition, 1, bound)
    se.verify()
    se.verify(strict=False)
    with pytest.raises(AssertionError, match="backedge-taken count of the loop at %inner"):
        se.verify(strict=True)


def test_number_of_scev_kinds_and_caches():
    assert [k.value for k in Kind] == list(range(17))
    se, _ = evolution(NEST)
    for table in (
        "value_exprs", "unsigned_ranges", "signed_ranges", "backedge_taken_counts", "exit_counts",
        "addrec_folds", "predicated_backedge_taken_counts",
    ):  # fmt: skip
        assert getattr(se, table) == {}
