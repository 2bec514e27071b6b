"""Flags of recurrences that a loop's tests and its count prove, and tests that prove nothing."""

from __future__ import annotations

from dataclasses import dataclass

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

    def proved(self, name: str = "i") -> str:
        """The proved flags of a value: `nsw`, `nuw`, both or none."""
        t = f"i{self.width}"
        numbers = "\n".join(
            f"%k{str(n).replace('-', 'm')} = llvm.mlir.constant({n} : {t}) : {t}"
            for n in (0, 1, 2, 9, 10, 118, 119, -119, -120, -9, -10, -1, -2, 127)
        )
        func = parse_function(f"""
          llvm.func @call()
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
        recurrence = se.get(value_named(func, name))
        assert recurrence.is_affine
        se.sext(recurrence, 64)
        se.zext(recurrence, 64)
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
    store = """
      %a = llvm.getelementptr %p[%in] : (!llvm.ptr, i32) -> !llvm.ptr, i8
      %zero = llvm.mlir.constant(0 : i8) : i8
      llvm.store %zero, %a : i8, !llvm.ptr
      %t = llvm.and %c, %d : i1"""
    loop = Loop(store, start, step, flags=flags, before=HALF.format("%n"))
    assert loop.proved() == expected


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
