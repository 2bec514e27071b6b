"""Flags of recurrences that a loop's tests and its count prove, and tests that prove nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from helpers.programs import parse_function, value_named

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW

PROGRESS = 'attributes {passthrough = ["mustprogress"]}'


@dataclass(frozen=True)
class Loop:
    """A loop with a counter `%i`, its next value `%in` and an independent counter `%k`.

    Arguments:
        body: ops that define `%t`, the condition of staying in the loop.
        start, step: values of the counter.
        flags: flags of the increment.
        before: ops before the loop, which may end in a guard.
        attributes: those of the function.
        width: of the counter.
    """

    body: str
    start: str = "%m"
    step: str = "%k1"
    flags: str = ""
    before: str = ""
    attributes: str = ""
    width: int = 32

    def proved(self, name: str = "i", asked: str = "") -> str:
        """The proved flags of a value: `nsw`, `nuw`, both or none.

        Arguments:
            asked: the recurrence to be extended, if not that of `name`.
        """
        t = f"i{self.width}"
        numbers = "\n".join(
            f"%k{str(n).replace('-', 'm')} = llvm.mlir.constant({n} : {t}) : {t}"
            for n in (0, 1, 2, 9, 10, 118, 119, -119, -120, -9, -10, -1, -2, 127)
        )
        func = parse_function(f"""
          llvm.func @call()
          llvm.func @pure()
          llvm.func @f(%n: {t}, %m: {t}, %s: {t}, %c: i1, %d: i1, %n64: i64, %p: !llvm.ptr) {self.attributes} {{
            {numbers}
            {self.before}
            llvm.br ^loop({self.start}, %k0 : {t}, {t})
          ^loop(%i: {t}, %k: {t}):
            %in = llvm.add %i, {self.step} {self.flags} : {t}
            %kn = llvm.add %k, %k1 : {t}
            {self.body}
            llvm.cond_br %t, ^loop(%in, %kn : {t}, {t}), ^exit
          ^exit:
            llvm.return
          }}
        """)
        se = AnalysisManager().get(ScalarEvolution, func)
        extended = se.get(value_named(func, asked or name))
        assert extended.is_affine
        recurrence = se.get(value_named(func, name))
        se.sext(extended, 64)
        se.zext(extended, 64)
        return " ".join(n for n, f in (("nsw", NSW), ("nuw", NUW)) if recurrence.flags & f)


def compared(predicate: str, x: str, y: str, type_: str = "i32") -> str:
    return f'%t = llvm.icmp "{predicate}" {x}, {y} : {type_}'


def guard(predicate: str, x: str, y: str) -> str:
    return f"""
      %g = llvm.icmp "{predicate}" {x}, {y} : i32
      llvm.cond_br %g, ^pre, ^exit
    ^pre:
    """


HALF = "%h = llvm.lshr {0}, %k1 : i32"
TENTH = "%b = llvm.udiv %n, %k10 : i32"
"""A bound from 0 to 429,496,729."""


@pytest.mark.parametrize(
    ("loop", "name", "expected"),
    [
        # A counter below its bound when it is incremented.
        (Loop(compared("ult", "%i", "%n")), "i", "nuw"),
        (Loop(compared("slt", "%i", "%n")), "i", "nsw"),
        (Loop(compared("ugt", "%n", "%i")), "i", "nuw"),
        # It may equal the maximum.
        (Loop(compared("ule", "%i", "%n")), "i", ""),
        (Loop(compared("sle", "%i", "%n")), "i", ""),
        # The comparison must hold.
        (Loop(compared("uge", "%i", "%n")), "i", ""),
        # The next value may exceed the bound by one.
        (Loop(compared("ult", "%i", "%n")), "in", ""),
        (Loop(compared("slt", "%i", "%n")), "in", ""),
        (Loop(compared("slt", "%i", "%b"), before=TENTH), "in", "nsw"),
        # Steps of two jump over the maximum, unless the bound is lower.
        (Loop(compared("ult", "%i", "%n"), step="%k2"), "i", ""),
        (Loop(compared("ult", "%i", "%h"), step="%k2", before=HALF.format("%n")), "i", "nuw"),
        # Unknown steps.
        (Loop(compared("ult", "%i", "%n"), step="%s"), "i", ""),
        (Loop(compared("sgt", "%i", "%n"), step="%s"), "i", ""),
        # A test of the next value says nothing about the first step.
        (Loop(compared("ult", "%in", "%n")), "in", "nuw"),
        (Loop(compared("ult", "%in", "%n")), "i", ""),
        (Loop(compared("slt", "%in", "%n")), "i", ""),
        (Loop(compared("ult", "%in", "%n"), start="%k0"), "i", "nuw"),
        (Loop(compared("slt", "%in", "%n"), start="%k0"), "i", "nsw nuw"),
        (Loop(compared("ult", "%in", "%n"), before=guard("ult", "%m", "%n")), "i", "nuw"),
        (Loop(compared("slt", "%in", "%n"), before=guard("slt", "%m", "%n")), "i", "nsw"),
        (Loop(compared("ult", "%in", "%n"), before=guard("ule", "%m", "%n")), "i", ""),
        # A falling counter above its bound.
        (Loop(compared("sgt", "%i", "%n"), step="%km1"), "i", "nsw"),
        (Loop(compared("sge", "%i", "%n"), step="%km1"), "i", ""),
        (Loop(compared("sgt", "%i", "%n"), step="%km2"), "i", ""),
        (Loop(compared("sgt", "%i", "%b"), step="%km2", before=TENTH), "i", "nsw"),
        (Loop(compared("ugt", "%i", "%n"), step="%km1"), "i", ""),
        (Loop(compared("sgt", "%in", "%n"), step="%km1"), "i", ""),
        # A rising counter above its bound, a falling one below it.
        (Loop(compared("sgt", "%i", "%n")), "i", ""),
        (Loop(compared("slt", "%i", "%n"), step="%km1"), "i", ""),
        # Tests of another counter.
        (Loop(compared("ult", "%k", "%n")), "i", ""),
        (Loop(compared("ult", "%k2s", "%n").replace("%t", "%k2s = llvm.shl %i, %k1 : i32\n%t", 1)), "i", ""),
    ],
)  # fmt: skip
def test_a_bound_that_is_tested_in_each_iteration(loop: Loop, name: str, expected: str):
    assert loop.proved(name) == expected


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        # From below the bound, steps of one reach it before the counter wraps.
        (Loop(compared("ne", "%i", "%n"), before=guard("sle", "%m", "%n")), "nsw"),
        (Loop(compared("ne", "%i", "%n"), before=guard("ule", "%m", "%n")), "nuw"),
        (Loop(compared("ne", "%in", "%n"), before=guard("slt", "%m", "%n")), "nsw"),
        (Loop(compared("ne", "%in", "%n"), before=guard("ult", "%m", "%n")), "nuw"),
        # No guard, or the counter may start at the bound and pass it.
        (Loop(compared("ne", "%i", "%n")), ""),
        (Loop(compared("ne", "%in", "%n")), ""),
        (Loop(compared("ne", "%in", "%n"), before=guard("sle", "%m", "%n")), ""),
        # It leaves when the values differ.
        (Loop(compared("eq", "%i", "%n"), before=guard("sle", "%m", "%n")), ""),
        # Other steps.
        (Loop(compared("ne", "%i", "%n"), step="%k2", before=guard("sle", "%m", "%n")), ""),
        (Loop(compared("ne", "%i", "%n"), step="%s", before=guard("sle", "%m", "%n")), ""),
        (Loop(compared("ne", "%i", "%n"), step="%km1", before=guard("sle", "%m", "%n")), ""),
        # A bound that changes.
        (
            Loop(
                "%v = llvm.load %p : !llvm.ptr -> i32\n" + compared("ne", "%i", "%v"),
                before=guard("sle", "%m", "%n"),
            ),
            "",
        ),
        # The value is extended before the test.
        (
            Loop(
                "%w = llvm.zext %i : i32 to i64\n" + compared("ne", "%w", "%n64", "i64"),
                before=guard("sle", "%m", "%n"),
            ),
            "",
        ),
    ],
)
def test_a_counter_from_below_the_bound_that_it_equals_at_the_exit(loop: Loop, expected: str):
    assert loop.proved() == expected


def extended(op: str, predicate: str, **others: str) -> Loop:
    """A loop that ends at a bound of 64 bits."""
    body = f"%w = llvm.{op} %i : i32 to i64\n" + compared(predicate, "%w", "%n64", "i64")
    return Loop(others.pop("first", "") + body + others.pop("last", ""), **others)


@pytest.mark.parametrize(
    ("loop", "expected"),
    [
        # The loop ends, so the counter reaches the bound.
        (extended("zext", "ult", attributes=PROGRESS), "nuw"),
        (extended("sext", "slt", attributes=PROGRESS), "nsw"),
        # The comparison does not have the extension's signedness.
        (extended("sext", "ult", attributes=PROGRESS), ""),
        # It may be endless.
        (extended("zext", "ult"), ""),
        # It steps over the bound.
        (extended("zext", "ult", attributes=PROGRESS, step="%k2"), ""),
        # The bound changes, or an iteration may not be completed.
        (
            Loop(
                "%v = llvm.load %p : !llvm.ptr -> i64\n%w = llvm.zext %i : i32 to i64\n"
                + compared("ult", "%w", "%v", "i64"),
                attributes=PROGRESS,
            ),
            "",
        ),
        (extended("zext", "ult", attributes=PROGRESS, first="llvm.call @call() : () -> ()\n"), ""),
        # It has another exit.
        (
            extended(
                "zext", "ult", attributes=PROGRESS,
                first="llvm.cond_br %c, ^exit, ^next\n^next:\n",
            ),
            "",
        ),
        (
            Loop(
                "%w = llvm.zext %i : i32 to i64\n"
                + compared("ult", "%w", "%n64", "i64").replace("%t", "%u")
                + "\n%x = llvm.icmp \"ne\" %kn, %n : i32\n%t = llvm.and %u, %x : i1",
                attributes=PROGRESS,
            ),
            "",
        ),
    ],
)  # fmt: skip
def test_an_extended_counter(loop: Loop, expected: str):
    assert loop.proved() == expected


TEN = compared("ne", "%kn", "%k10", "i8")
"""Nine backedges."""


@pytest.mark.parametrize(
    ("start", "step", "expected"),
    [
        ("%k118", "%k1", "nsw nuw"),
        ("%k119", "%k1", "nuw"),
        ("%km10", "%k1", "nsw nuw"),
        ("%km9", "%k1", "nsw"),
        ("%km119", "%km1", "nsw"),
        ("%km120", "%km1", ""),
        # A negative step is a large unsigned one.
        ("%k9", "%km1", "nsw"),
        ("%m", "%k1", ""),
    ],
)
def test_the_values_of_all_iterations_fit(start: str, step: str, expected: str):
    assert Loop(TEN, start, step, width=8).proved() == expected


def test_an_unknown_count_proves_nothing():
    assert Loop("%t = llvm.and %c, %d : i1", "%k0").proved() == ""


@pytest.mark.parametrize(
    ("start", "step", "flags", "expected"),
    [
        ("%h", "%k1", "overflow<nsw>", "nsw nuw"),
        ("%h", "%h", "overflow<nsw>", "nsw nuw"),
        ("%m", "%k1", "overflow<nsw>", "nsw"),
        ("%h", "%s", "overflow<nsw>", "nsw"),
        ("%h", "%k1", "", ""),
    ],
)
def test_a_counter_that_rises_from_0_without_signed_overflow(
    start: str, step: str, flags: str, expected: str
):
    """The store makes poison undefined behaviour."""
    loop = Loop(STORE, start, step, flags=flags, before=HALF.format("%n"))
    assert loop.proved() == expected


STORE = """
      %a = llvm.getelementptr %p[%in] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      %zero = llvm.mlir.constant(0 : i8) : i8
      llvm.store %zero, %a : i8, !llvm.ptr
      %t = llvm.and %c, %d : i1"""


def test_a_test_that_not_every_iteration_reaches():
    body = f"""
      llvm.cond_br %c, ^maybe, ^latch
    ^maybe:
      {compared("ult", "%i", "%n").replace("%t", "%u")}
      llvm.cond_br %u, ^latch, ^exit
    ^latch:
      %t = llvm.and %c, %d : i1
    """
    assert Loop(body).proved() == ""
    assert Loop(body.replace("%c, ^maybe, ^latch", "%c, ^maybe, ^exit")).proved() == "nuw"


def test_a_loop_with_two_latches():
    body = f"""
      {compared("ult", "%i", "%n").replace("%t", "%u")}
      llvm.cond_br %u, ^one, ^exit
    ^one:
      llvm.cond_br %c, ^loop(%in, %kn : i32, i32), ^two
    ^two:
      %t = llvm.and %c, %d : i1
    """
    assert Loop(body).proved() == ""


def test_a_bound_that_the_counter_may_equal():
    """If the loop ends, the bound is not the maximum."""
    for predicate, expected in (("ule", "nuw"), ("sle", "nsw")):
        body = compared(predicate, "%i", "%n")
        assert Loop(body, attributes=PROGRESS).proved() == expected
        assert Loop(body).proved() == ""
        assert Loop(body, step="%k2", attributes=PROGRESS).proved() == ""


@pytest.mark.parametrize("connective", ["and", "select"])
def test_a_second_condition_is_another_exit(connective: str):
    """The counter may pass the maximum before the other condition, which is no comparison, is false."""
    joined = {
        "and": "%t = llvm.and %u, %c : i1",
        "select": "%f = llvm.mlir.constant(false) : i1\n%t = llvm.select %u, %c, %f : i1, i1",
    }[connective]
    for predicate in ("ule", "sle"):
        body = compared(predicate, "%i", "%n").replace("%t", "%u") + "\n" + joined
        assert Loop(body, attributes=PROGRESS).proved() == ""


def test_an_extension_decides_the_flag():
    """A zero-extended counter reaches values that are negative as signed."""
    assert extended("zext", "slt", attributes=PROGRESS).proved() == "nuw"


PURE = """llvm.call @pure() {memory_effects = #llvm.memory_effects<other = none, argMem = none,
    inaccessibleMem = none, errnoMem = none, targetMem0 = none, targetMem1 = none>} : () -> ()
"""


def test_an_iteration_that_may_not_end():
    loop = extended("zext", "ult", attributes=PROGRESS, first=PURE)
    assert loop.proved() == ""


def test_the_tested_counter_starts_elsewhere():
    assert Loop(compared("slt", "%k", "%b"), before=TENTH).proved() == ""
    assert Loop(compared("ne", "%k", "%n"), before=guard("slt", "%m", "%n")).proved() == ""


def test_the_tested_counter_has_another_step():
    """It may step over the bound."""
    body = compared("ult", "%twice", "%n").replace("%t", "%twice = llvm.shl %i, %k1 : i32\n%t", 1)
    assert Loop(body).proved("twice", asked="i") == ""


def test_the_tested_counter_has_another_width():
    """It never equals a bound of 64 bits."""
    bound = "%far = llvm.mlir.constant(8589934592 : i64) : i64\n%w = llvm.zext %i : i32 to i64\n"
    assert Loop(bound + compared("ne", "%w", "%far", "i64"), "%k0").proved() == ""


def test_a_bound_that_changes_above_the_start():
    load = "%v = llvm.load %p : !llvm.ptr -> i16\n%y = llvm.zext %v : i16 to i32\n"
    assert Loop(load + compared("ne", "%i", "%y"), "%k0").proved() == ""


def test_a_bound_that_depends_on_a_counter_of_the_same_loop():
    """The proof for one counter examines the other one, whose proof would examine the first one."""
    body = """
      %kw = llvm.sext %k : i32 to i64
      %y = llvm.add %kw, %n64 : i64
      %w = llvm.sext %i : i32 to i64
    """
    assert Loop(body + compared("slt", "%w", "%y", "i64")).proved() == ""


def test_a_switch_on_a_comparison_is_not_a_bound():
    """The loop continues if the comparison holds, in the case that is not the default."""
    func = parse_function("""
      llvm.func @f(%n: i32, %m: i32) {
        %k1 = llvm.mlir.constant(1 : i32) : i32
        llvm.br ^loop(%m : i32)
      ^loop(%i: i32):
        %in = llvm.add %i, %k1 : i32
        %t = llvm.icmp "uge" %i, %n : i32
        llvm.switch %t : i1, ^exit [
          1: ^loop(%in : i32)
        ]
      ^exit:
        llvm.return
      }
    """)
    se = AnalysisManager().get(ScalarEvolution, func)
    recurrence = se.get(value_named(func, "i"))
    se.zext(recurrence, 64)
    assert not recurrence.flags & NUW


def test_a_tested_recurrence_whose_step_changes():
    func = parse_function("""
      llvm.func @f(%n: i32) {
        %k0 = llvm.mlir.constant(0 : i32) : i32
        %k1 = llvm.mlir.constant(1 : i32) : i32
        llvm.br ^loop(%k0, %k0 : i32, i32)
      ^loop(%i: i32, %q: i32):
        %in = llvm.add %i, %k1 : i32
        %qn = llvm.add %q, %in : i32
        %t = llvm.icmp "ult" %q, %n : i32
        llvm.cond_br %t, ^loop(%in, %qn : i32, i32), ^exit
      ^exit:
        llvm.return
      }
    """)
    se = AnalysisManager().get(ScalarEvolution, func)
    square = se.get(value_named(func, "q"))
    assert len(square.operands) == 3
    se.zext(se.get(value_named(func, "i")), 64)
    assert not square.flags & NUW


def test_a_tested_recurrence_of_an_outer_loop():
    func = parse_function("""
      llvm.func @f(%n: i32, %m: i32, %c: i1) {
        %k0 = llvm.mlir.constant(0 : i32) : i32
        %k1 = llvm.mlir.constant(1 : i32) : i32
        llvm.br ^outer(%k0 : i32)
      ^outer(%o: i32):
        llvm.br ^inner(%m : i32)
      ^inner(%i: i32):
        %in = llvm.add %i, %k1 : i32
        %t = llvm.icmp "ult" %o, %n : i32
        llvm.cond_br %t, ^inner(%in : i32), ^latch
      ^latch:
        %on = llvm.add %o, %k1 : i32
        llvm.cond_br %c, ^outer(%on : i32), ^exit
      ^exit:
        llvm.return
      }
    """)
    se = AnalysisManager().get(ScalarEvolution, func)
    outer = se.get(value_named(func, "o"))
    se.zext(se.get(value_named(func, "i")), 64)
    assert not outer.flags & NUW


NOTHING = "%z = nvvm.read.ptx.sreg.tid.x range <i32, 100, 200> : i32"
"""A value without a possible number, given the size of the block."""


@pytest.mark.parametrize(
    "loop",
    [
        Loop(compared("ult", "%kn", "%k10"), "%z"),
        Loop(compared("ult", "%kn", "%k10"), "%k0", "%z"),
        Loop(compared("ult", "%i", "%z")),
        Loop(compared("ult", "%i", "%n"), "%m", "%z"),
        Loop(compared("sgt", "%i", "%n"), "%m", "%z"),
    ],
)
def test_contradictory_facts_prove_nothing(loop: Loop):
    kernel = "attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>}"
    assert replace(loop, before=NOTHING, attributes=kernel).proved() == ""


def test_contradictory_facts_about_a_counter_without_overflow_prove_nothing():
    kernel = "attributes {nvvm.kernel, nvvm.reqntid = array<i32: 64>}"
    loop = Loop(STORE, "%z", flags="overflow<nsw>", before=NOTHING, attributes=kernel)
    assert loop.proved() == "nsw"
