"""Conditions of ScalarEvolution's expressions, flags, extensions, ranges and verification, one test each."""

from __future__ import annotations

import pytest
from helpers.programs import block_named, parse_function, value_named
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.expressions import Kind
from nvvm_xdsl.analysis.scev.invalidation import BackedgeTakenInfo
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs, using_knobs
from nvvm_xdsl.analysis.scev.scalar_evolution import MAX_EXPR_DEPTH, ScalarEvolution
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW

CONSTANTS = "\n".join(
    f"%k{str(n).replace('-', 'm')} = llvm.mlir.constant({n} : i32) : i32"
    for n in (0, 1, 2, 5, 10, 31, 100, -1, -2)
)


def evolution(body: str, attributes: str = "", **knobs: int) -> tuple[ScalarEvolution, Operation]:
    func = parse_function(f"""
      llvm.func @call()
      llvm.func @f(%x: i32, %y: i32, %s: i32, %c: i1, %d: i1, %a: f32, %w: i128, %p: !llvm.ptr) {attributes} {{
        {CONSTANTS}
        {body}
      }}
    """)
    with using_knobs(ScevKnobs(**knobs)):
        return AnalysisManager().get(ScalarEvolution, func), func


def text_of(body: str, name: str = "v", attributes: str = "", **knobs: int) -> str:
    se, func = evolution(f"{body}\nllvm.return", attributes, **knobs)
    return str(se.get(value_named(func, name)))


# Expressions


def test_floats_have_no_expression():
    se, func = evolution("llvm.return")
    value = value_named(func, "a")
    assert se.get(value) is se.could_not_compute
    assert value not in se.value_exprs


def test_an_expression_is_found_again():
    se, func = evolution("%v = llvm.add %x, %y : i32\nllvm.return")
    value = value_named(func, "v")
    first = se.get(value)
    before = se.hits["value_exprs"]
    assert se.get(value) is first
    assert se.hits["value_exprs"] == before + 1


def test_deep_expressions_are_unknowns():
    """Each quotient has one more level; the sizes are far below their limit."""
    lines = ["%d0 = llvm.udiv %x, %y : i32"]
    lines += [f"%d{n + 1} = llvm.udiv %d{n}, %y : i32" for n in range(MAX_EXPR_DEPTH)]
    se, func = evolution("\n".join([*lines, "llvm.return"]))
    kinds = [se.get(value_named(func, f"d{n}")).kind for n in range(MAX_EXPR_DEPTH + 1)]
    assert Kind.UNKNOWN in kinds
    first = kinds.index(Kind.UNKNOWN)
    assert se.get(value_named(func, f"d{first - 1}")).depth == MAX_EXPR_DEPTH


def test_wide_indices_are_truncated():
    body = "%v = llvm.getelementptr %p[%w] : (!llvm.ptr, i128) -> !llvm.ptr, i8"
    assert text_of(body) == "((trunc i128 %w to i64) + %p)"


TID = "%t = nvvm.read.ptx.sreg.tid.x : i32\n"


def constant(name: str, value: int, type_: str = "i32") -> str:
    return f"%{name} = llvm.mlir.constant({value} : {type_}) : {type_}\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Shifts by variables, and by at least the width.
        ("%v = llvm.shl %x, %y : i32", "%v"),
        ("%v = llvm.lshr %x, %y : i32", "%v"),
        (constant("w1", 32) + "%v = llvm.shl %x, %w1 : i32", "%v"),
        (constant("w1", 32) + "%v = llvm.lshr %x, %w1 : i32", "%v"),
        (constant("w1", 30) + "%v = llvm.lshr %x, %w1 : i32", "(%x /u 1073741824)"),
        # Signed divisions, if either operand may be negative.
        (TID + "%v = llvm.sdiv %t, %x : i32", "%v"),
        (TID + "%v = llvm.sdiv %x, %t : i32", "%v"),
        (TID + "%v = llvm.sdiv %t, %t : i32", "(%t /u %t)"),
        # Masks without a run, with two runs, and of all bits.
        ("%v = llvm.and %x, %y : i32", "%v"),
        ("%v = llvm.and %x, %k0 : i32", "%v"),
        ("%v = llvm.and %x, %k5 : i32", "%v"),
        ("%v = llvm.and %x, %km1 : i32", "%v"),
        (constant("one", 1, "i1") + "%v = llvm.and %c, %one : i1", "%v"),
        # Masks with a run at either end, and in the middle.
        ("%v = llvm.and %x, %km2 : i32", "(2 * (%x /u 2))"),
        ("%v = llvm.and %x, %k1 : i32", "(zext i1 (trunc i32 %x to i1) to i32)"),
        (
            constant("six", 6) + "%v = llvm.and %x, %six : i32",
            "(2 * (zext i2 (trunc i32 (%x /u 2) to i2) to i32))",
        ),
        # Other operands of xor, and booleans.
        ("%v = llvm.xor %x, %y : i32", "%v"),
        ("%v = llvm.xor %x, %k5 : i32", "%v"),
        (constant("one", -1, "i1") + "%v = llvm.xor %c, %one : i1", "%v"),
        # Extensions of other ops without overflow, and of sums with the other flag.
        (
            "%a1 = llvm.shl %x, %k2 overflow<nsw> : i32\n%v = llvm.sext %a1 : i32 to i64",
            "(sext i32 (4 * %x) to i64)",
        ),
        (
            "%a1 = llvm.add %x, %y overflow<nuw> : i32\n%v = llvm.sext %a1 : i32 to i64",
            "(sext i32 (%x + %y) to i64)",
        ),
        (
            "%a1 = llvm.sub %x, %y overflow<nsw> : i32\n%v = llvm.sext %a1 : i32 to i64",
            "((sext i32 %x to i64) + (-1 * (sext i32 %y to i64)))",
        ),
        # Selections by a known comparison, and by a constant.
        (TID + '%b = llvm.icmp "sge" %t, %k0 : i32\n%v = llvm.select %b, %x, %y : i1, i32', "%x"),
        (TID + '%b = llvm.icmp "slt" %t, %k0 : i32\n%v = llvm.select %b, %x, %y : i1, i32', "%y"),
        (constant("one", -1, "i1") + "%v = llvm.select %one, %x, %y : i1, i32", "%x"),
        # The selected values are not those compared; the condition is no comparison.
        ('%b = llvm.icmp "slt" %x, %y : i32\n%v = llvm.select %b, %x, %s : i1, i32', "%v"),
        ("%b = llvm.and %c, %d : i1\n%v = llvm.select %b, %c, %d : i1, i1", "%v"),
        ("%b = llvm.and %c, %c : i1\n%v = llvm.select %b, %x, %y : i1, i32", "%v"),
        ("%v = llvm.select %c, %x, %y : i1, i32", "%v"),
    ],
)
def test_expressions_of_ops(body: str, expected: str):
    assert text_of(body) == expected


def test_a_selection_does_not_depend_on_a_count():
    """The counter is below 100 because of the loop's count."""
    test = """
      %b = llvm.icmp "slt" %i, %k100 : i32
      %v = llvm.select %b, %k5, %x : i1, i32
      %t = llvm.icmp "ne" %in, %k10 : i32
    """
    se, func = evolution(plain_loop(test).replace("(%x, %y :", "(%k0, %k0 :"))
    only = se.loops.loop_for(block_named(func, "loop"))
    assert only is not None
    assert str(se.backedge_taken_count(only)) == "9"
    assert str(se.get(value_named(func, "v"))) == "%v"


def test_an_argument_that_all_edges_give_the_same_value():
    body = """
      %u = llvm.add %x, %k1 : i32
      llvm.cond_br %c, ^one, ^two
    ^one:
      llvm.br ^join(%u, %u : i32, i32)
    ^two:
      llvm.br ^join(%u, %x : i32, i32)
    ^join(%v: i32, %z: i32):
    """
    assert text_of(body) == "(1 + %x)"
    assert text_of(body, "z") == "%z"


def test_a_step_that_an_inner_loop_counts_is_no_recurrence():
    body = """
      llvm.br ^outer(%k0 : i32)
    ^outer(%v: i32):
      llvm.br ^inner(%k0 : i32)
    ^inner(%j: i32):
      %jn = llvm.add %j, %k1 : i32
      llvm.cond_br %c, ^inner(%jn : i32), ^latch
    ^latch:
      %vn = llvm.add %v, %j : i32
      llvm.cond_br %d, ^outer(%vn : i32), ^exit
    ^exit:
    """
    assert text_of(body) == "%v"


# Flags


def loop(body: str, step: str = "%k1", start: str = "%k0", test: str = "", before: str = "") -> str:
    """A loop with counters `i` by one and `j` by a step, and a store that needs a number.

    Arguments:
        body: ops in the header; it may use `@p` for a store to the address `%p` plus its operand.
        test: ops after the body that define `%t`.
    """
    for name in ("r", "q"):
        body = body.replace(
            f"store %{name}\n",
            f"%at{name} = llvm.getelementptr %p[%{name}] : (!llvm.ptr, i32) -> !llvm.ptr, i8\n"
            f"llvm.store %byte, %at{name} : i8, !llvm.ptr\n",
        )
    return f"""
      %byte = llvm.mlir.constant(0 : i8) : i8
      {before}
      llvm.br ^loop(%k0, {start} : i32, i32)
    ^loop(%i: i32, %j: i32):
      {body}
      %in = llvm.add %i, %k1 overflow<nsw, nuw> : i32
      %jn = llvm.add %j, {step} overflow<nsw, nuw> : i32
      %ati = llvm.getelementptr %p[%in] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      llvm.store %byte, %ati : i8, !llvm.ptr
      %atj = llvm.getelementptr %p[%jn] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      llvm.store %byte, %atj : i8, !llvm.ptr
      {test or "%t = llvm.and %c, %d : i1"}
      llvm.cond_br %t, ^loop(%in, %jn : i32, i32), ^exit
    ^exit:
      llvm.return
    """


def flags_of(se: ScalarEvolution, func: Operation, name: str) -> str:
    found = se.get(value_named(func, name))
    assert found.is_affine
    return " ".join(n for n, f in (("nsw", NSW), ("nuw", NUW)) if found.flags & f)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # The op runs in each iteration, and its result is an address.
        ("%r = llvm.add %i, %j overflow<nsw> : i32\nstore %r\n", "nsw"),
        ("%r = llvm.add %i, %j overflow<nsw, nuw> : i32\nstore %r\n", "nsw nuw"),
        ("%r = llvm.add %i, %j : i32\nstore %r\n", ""),
        ("%r = llvm.add %i, %x overflow<nsw> : i32\nstore %r\n", "nsw"),
        ("%r = llvm.shl %i, %k2 overflow<nsw> : i32\nstore %r\n", "nsw"),
        ("%r = llvm.shl %i, %k2 overflow<nuw> : i32\nstore %r\n", "nuw"),
        # The product with the most negative number overflows where the shift does not.
        ("%r = llvm.shl %i, %k31 overflow<nsw> : i32\nstore %r\n", ""),
        ("%r = llvm.shl %i, %k31 overflow<nuw> : i32\nstore %r\n", "nuw"),
        # Poison without a use.
        ("%r = llvm.add %i, %j overflow<nsw> : i32\n", ""),
        # An earlier op may end the loop.
        ("llvm.call @call() : () -> ()\n%r = llvm.add %i, %j overflow<nsw> : i32\nstore %r\n", ""),
        # A difference without unsigned overflow may fall.
        ("%r = llvm.sub %i, %j overflow<nuw> : i32\nstore %r\n", ""),
        # Operands that change, but not by a step: their sum is a recurrence.
        (
            "%v = llvm.load %p : !llvm.ptr -> i32\n%a1 = llvm.add %i, %v : i32\n"
            "%a2 = llvm.sub %j, %v : i32\n%r = llvm.add %a1, %a2 overflow<nsw> : i32\nstore %r\n",
            "",
        ),
    ],
)
def test_flags_of_an_op_on_recurrences(body: str, expected: str):
    se, func = evolution(loop(body, "%k2"))
    assert flags_of(se, func, "r") == expected


@pytest.mark.parametrize(
    ("step", "op", "expected"),
    [
        # From -2^30 to 2^30: the step is no number of 32 bits.
        ("%k2", "llvm.mul %j, %k30 overflow<nsw>", ""),
        ("%k2", "llvm.mul %j, %k30 overflow<nsw, nuw>", "nuw"),
        ("%k1", "llvm.mul %j, %k30 overflow<nsw>", "nsw"),
        ("%k2", "llvm.shl %j, %n30 overflow<nsw>", ""),
        ("%k1", "llvm.shl %j, %n30 overflow<nsw>", "nsw"),
        ("%k30", "llvm.add %j, %j overflow<nsw>", ""),
        ("%k2", "llvm.add %j, %j overflow<nsw>", "nsw"),
        # x may be -2^30 or 2^30.
        ("%k2", "llvm.mul %j, %x overflow<nsw>", ""),
        ("%k1", "llvm.mul %j, %x overflow<nsw>", "nsw"),
        ("%x", "llvm.mul %j, %k30 overflow<nsw>", ""),
        ("%x", "llvm.add %j, %j overflow<nsw>", ""),
        ("%x", "llvm.add %j, %k30 overflow<nsw>", "nsw"),
    ],
)
def test_flags_of_an_op_with_a_large_step(step: str, op: str, expected: str):
    constants = "%k30 = llvm.mlir.constant(1073741824 : i32) : i32\n%n30 = llvm.mlir.constant(30 : i32) : i32"
    se, func = evolution(loop(f"%r = {op} : i32\nstore %r\n", step, before=constants))
    assert flags_of(se, func, "r") == expected


def test_flags_of_an_op_that_some_iterations_skip():
    body = """
      llvm.cond_br %c, ^maybe, ^next
    ^maybe:
      %r = llvm.add %i, %j overflow<nsw> : i32
      store %r
      llvm.br ^next
    ^next:
    """
    se, func = evolution(loop(body, "%k2"))
    assert flags_of(se, func, "r") == ""


def test_flags_of_an_op_in_the_only_exiting_block_that_some_iterations_skip():
    body = """
      %byte = llvm.mlir.constant(0 : i8) : i8
      llvm.br ^loop(%k0 : i32)
    ^loop(%i: i32):
      llvm.cond_br %c, ^maybe, ^next
    ^maybe:
      %r = llvm.add %i, %k2 overflow<nsw> : i32
      %at = llvm.getelementptr %p[%r] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      llvm.store %byte, %at : i8, !llvm.ptr
      llvm.cond_br %d, ^next, ^exit
    ^next:
      %in = llvm.add %i, %k1 overflow<nsw> : i32
      %ati = llvm.getelementptr %p[%in] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      llvm.store %byte, %ati : i8, !llvm.ptr
      llvm.br ^loop(%in : i32)
    ^exit:
      llvm.return
    """
    se, func = evolution(body)
    assert flags_of(se, func, "i") == "nsw"
    assert flags_of(se, func, "r") == ""


def test_flags_of_an_op_after_a_branch_that_no_iteration_skips():
    body = """
      llvm.cond_br %c, ^maybe, ^next
    ^maybe:
      llvm.br ^next
    ^next:
      %r = llvm.add %i, %j overflow<nsw> : i32
      store %r
    """
    se, func = evolution(loop(body, "%k2"))
    assert flags_of(se, func, "r") == "nsw"


def test_flags_of_an_op_in_an_inner_loop_that_some_iterations_skip():
    body = """
      llvm.cond_br %c, ^inner, ^next
    ^inner:
      %r = llvm.add %i, %j overflow<nsw> : i32
      store %r
      llvm.cond_br %d, ^inner, ^next
    ^next:
    """
    se, func = evolution(loop(body, "%k2"))
    assert flags_of(se, func, "r") == ""


@pytest.mark.parametrize(
    ("call", "expected"), [("", "nsw nuw"), ("before", ""), ("after", "nsw nuw")]
)
def test_an_increment_in_the_header_is_in_each_iteration_that_reaches_it(call: str, expected: str):
    text = "llvm.call @call() : () -> ()"
    test = f"{text if call == 'after' else ''}\n%t = llvm.and %c, %d : i1"
    se, func = evolution(loop(text if call == "before" else "", test=test))
    assert flags_of(se, func, "in") == expected
    assert flags_of(se, func, "i") == "nsw nuw"


def test_the_incremented_counter_need_not_be_asked_for():
    """Its flags do not depend on a call after the increment."""
    test = "llvm.call @call() : () -> ()\n%t = llvm.and %c, %d : i1"
    se, func = evolution(loop("", test=test))
    counter = se.get(value_named(func, "i"))
    assert value_named(func, "in") not in se.value_exprs
    assert counter.loop is not None
    one = se.expressions.constant(32, 1)
    assert se.expressions.add_rec([one, one], counter.loop).flags & NSW


# Extensions


TWO_TESTS = """
  %y1 = llvm.sext %j : i32 to i64
  %n1 = llvm.sext %x : i32 to i64
  %y2 = llvm.add %y1, %n1 : i64
  %i1 = llvm.sext %i : i32 to i64
  %t1 = llvm.icmp "slt" %i1, %y2 : i64
  %t2 = llvm.icmp "slt" %j, %y : i32
  %t = llvm.and %t2, %t1 : i1
"""


def plain_loop(test: str) -> str:
    """A loop of counters from unknown starts, without flags."""
    return f"""
      llvm.br ^loop(%x, %y : i32, i32)
    ^loop(%i: i32, %j: i32):
      %in = llvm.add %i, %k1 : i32
      %jn = llvm.add %j, %k1 : i32
      {test}
      llvm.cond_br %t, ^loop(%in, %jn : i32, i32), ^exit
    ^exit:
      llvm.return
    """


def test_extensions_found_during_a_proof_are_not_kept():
    """The proof for `i` extends `j`, whose own proof has to wait."""
    se, func = evolution(plain_loop(TWO_TESTS))
    se.sext(se.get(value_named(func, "i")), 64)
    found = se.get(value_named(func, "y1"))
    assert found.kind is Kind.ADD_REC
    assert all(
        key[1].flags & NSW or v.kind is not Kind.ADD_REC for key, v in se.addrec_folds.items()
    )


def test_extensions_found_while_a_loop_is_counted_are_not_kept():
    """The counter of the bound has at most ten values, but that is not known before."""
    test = """
      %jw = llvm.sext %j : i32 to i64
      %xw = llvm.sext %x : i32 to i64
      %bound = llvm.add %jw, %xw : i64
      %iw = llvm.sext %i : i32 to i64
      %t1 = llvm.icmp "slt" %iw, %bound : i64
      %t2 = llvm.icmp "ne" %in, %k10 : i32
      %t = llvm.and %t1, %t2 : i1
    """
    text = plain_loop(test).replace("(%x, %y :", "(%k0, %k5 :")
    se, func = evolution(text)
    only = se.loops.loop_for(block_named(func, "loop"))
    assert only is not None
    se.backedge_taken_count(only)
    assert se.get(value_named(func, "jw")).kind is Kind.ADD_REC


CLAMPED = """
  %low = llvm.mlir.constant({0} : {2}) : {2}
  %high = llvm.mlir.constant({1} : {2}) : {2}
  %h = llvm.load %p : !llvm.ptr -> {2}
  %u = llvm.intr.smax(%h, %low) : ({2}, {2}) -> {2}
  %z = llvm.intr.smin(%u, %high) : ({2}, {2}) -> {2}
"""
"""`%z`, a number from `low` to `high`."""


@pytest.mark.parametrize(
    ("low", "high", "fits"), [(-128, 127, True), (-129, 127, False), (-128, 128, False)]
)
def test_a_truncation_that_loses_bits_is_not_simplified(low: int, high: int, fits: bool):
    body = """
      %n = llvm.trunc %z : i32 to i8
      %v = llvm.sext %n : i8 to i64
    """
    found = text_of(CLAMPED.format(low, high, "i32") + body, do_sign_ext_simplify=1)
    assert ("trunc" not in found) is fits


def test_zero_extensions_of_truncations_are_not_simplified():
    body = (
        CLAMPED.format(-128, 127, "i32")
        + """
      %n = llvm.trunc %z : i32 to i8
      %v = llvm.zext %n : i8 to i64
    """
    )
    assert "trunc" in text_of(body, do_sign_ext_simplify=1)


@pytest.mark.parametrize(
    ("low", "high", "addend", "fits"),
    [(-128, 126, 1, True), (-128, 127, 1, False), (-127, 127, -1, True), (-128, 127, -1, False)],
)
def test_a_sum_that_may_wrap_is_not_expanded(low: int, high: int, addend: int, fits: bool):
    body = f"""
      %one = llvm.mlir.constant({addend} : i8) : i8
      %r = llvm.add %z, %one : i8
      %v = llvm.sext %r : i8 to i64
    """
    found = text_of(CLAMPED.format(low, high, "i8") + body, do_sign_ext_expand=1)
    assert found.startswith(f"({addend} + ") is fits


# Ranges


def test_what_is_not_computed_has_the_full_range():
    se, _ = evolution("llvm.return")
    assert se.range(se.could_not_compute).is_full


def test_trailing_zeros_of_an_op():
    attributes = "attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>}"
    se, func = evolution("%n = nvvm.read.ptx.sreg.ntid.x : i32\nllvm.return", attributes)
    assert se.trailing_zeros(se.expressions.unknown(value_named(func, "n"), 32)) == 6
    assert se.trailing_zeros(se.expressions.unknown(value_named(func, "x"), 32)) == 0


def test_the_range_of_a_sum_of_counters_is_not_that_of_a_counter():
    test = '%q = llvm.add %j, %i : i32\n%t = llvm.icmp "ne" %in, %k10 : i32'
    body = loop("", step="%in", test=test)
    se, func = evolution(body)
    square = se.get(value_named(func, "j"))
    assert len(square.operands) == 3
    # 0, 1, 3, 6, ..., 45
    assert se.range(square).contains(45)


def test_contradictory_facts_give_an_empty_range():
    kernel = "attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>}"
    before = "%z = nvvm.read.ptx.sreg.tid.x range <i32, 100, 200> : i32"
    test = '%t = llvm.icmp "ne" %in, %k10 : i32'
    for start, step in (("%z", "%k1"), ("%k0", "%z")):
        se, func = evolution(loop("", step, start, test, before), kernel)
        recurrence = se.get(value_named(func, "j"))
        assert se.range(se.get(value_named(func, "z"))).is_empty
        assert se.range(recurrence).is_empty


def test_a_step_of_unknown_sign_bounds_nothing():
    se, func = evolution(loop("", "%s", "%k5").replace("overflow<nsw, nuw>", "overflow<nsw>"))
    recurrence = se.get(value_named(func, "j"))
    assert recurrence.flags & NSW
    assert se.range(recurrence, signed=True).is_full
    falling = evolution(loop("", "%km1", "%k5").replace("overflow<nsw, nuw>", "overflow<nsw>"))
    found = falling[0].range(falling[0].get(value_named(falling[1], "j")), signed=True)
    assert found == ConstantRange.interval(32, -(1 << 31), 5)


# Verification


def test_a_count_that_is_only_bounded_is_not_compared():
    se, func = evolution(plain_loop('%t = llvm.icmp "slt" %i, %y : i32'))
    only = se.loops.loop_for(block_named(func, "loop"))
    assert only is not None
    se.backedge_taken_counts[only] = BackedgeTakenInfo(None, ConstantRange.full(32))
    se.verify(strict=True)


def test_expressions_are_not_compared_after_too_many_failures():
    """After the first failure the sum is an unknown; without it, the verification would find a sum."""
    body = """
      %h = llvm.mul %x, %y : i32
      %u = llvm.mul %h, %s : i32
      %v = llvm.add %x, %k1 : i32
      llvm.return
    """
    se, func = evolution(body, max_expr_size=3, max_expr_failures=1)
    assert se.get(value_named(func, "u")).kind is Kind.UNKNOWN
    assert se.get(value_named(func, "v")).kind is Kind.UNKNOWN
    del se.value_exprs[value_named(func, "u")]
    se.verify(maps=True)
