"""Division of expressions, and the terms and sizes of arrays (document 003, "SCEV Term Collection")."""

from __future__ import annotations

import pytest
from helpers.programs import parse_function, value_named

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.delinearization import (
    collect_parametric_terms,
    divide,
    find_array_dimensions,
    fixed_sizes,
    subscripts_of,
)
from nvvm_xdsl.analysis.scev.expressions import Scev
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm.types import F32, array

TEXT = """
llvm.func @f(%x: i64, %y: i64, %n: i64, %m: i64, %s: i32, %c: i1) {
  %k0 = llvm.mlir.constant(0 : i64) : i64
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %tw = llvm.zext %t : i32 to i64
  %w = nvvm.read.ptx.sreg.ntid.x : i32
  %ww = llvm.zext %w : i32 to i64
  %sw = llvm.sext %s : i32 to i64
  llvm.br ^loop(%k0, %k0 : i64, i64)
^loop(%i: i64, %j: i64):
  %in = llvm.add %i, %n : i64
  %step = llvm.add %n, %m : i64
  %jn = llvm.add %j, %step : i64
  llvm.cond_br %c, ^loop(%in, %jn : i64, i64), ^exit
^exit:
  llvm.return
}
"""


class Formulas:
    """Expressions of 64 bits from text in Python: names of values and integers."""

    def __init__(self) -> None:
        func = parse_function(TEXT)
        self.se = AnalysisManager().get(ScalarEvolution, func)
        self.ex = self.se.expressions
        names = ("x", "y", "n", "m", "s", "t", "tw", "ww", "sw", "i", "j")
        self.values = {name: self.se.get(value_named(func, name)) for name in names}

    def add(self, *parts: str | int) -> Scev:
        return self.ex.add(*map(self, parts))

    def mul(self, *parts: str | int) -> Scev:
        return self.ex.mul(*map(self, parts))

    def __call__(self, part: str | int | Scev) -> Scev:
        if isinstance(part, Scev):
            return part
        if isinstance(part, int):
            return self.ex.constant(64, part)
        factors = part.split("*")
        if len(factors) > 1:
            return self.mul(*(int(f) if f.lstrip("-").isdigit() else f for f in factors))
        return self.values[part]


@pytest.mark.parametrize(
    ("dividend", "divisor", "quotient", "remainder"),
    [
        ("x", "x", "1", "0"),
        ("x", 1, "%x", "0"),
        ("x", "y", "0", "%x"),
        (7, 2, "3", "1"),
        (-7, 2, "-3", "-1"),
        (7, "x", "0", "7"),
        (7, 0, "0", "7"),
        ("x*y", "x", "%y", "0"),
        ("x*y", "n", "0", "(%x * %y)"),
        ("x*y*n", "x*n", "%y", "0"),
        ("x*y", "x*n", "0", "(%x * %y)"),
        ("8*x", 4, "(2 * %x)", "0"),
        ("4*x", 4, "%x", "0"),
        ("8*x", 3, "0", "(8 * %x)"),
        ("8*x", 0, "0", "(8 * %x)"),
        ("8*x", "y", "0", "(8 * %x)"),
        ("x*y", 4, "0", "(%x * %y)"),
        ("8*x*y", "4*x", "(2 * %y)", "0"),
        # A recurrence, by its start and step.
        ("i", "n", "{0,+,1}<%loop>", "0"),
    ],
)
def test_division(dividend: str | int, divisor: str | int, quotient: str, remainder: str):
    at = Formulas()
    found = divide(at.ex, at(dividend), at(divisor))
    assert tuple(map(str, found)) == (quotient, remainder)


def test_division_of_a_sum():
    at = Formulas()
    found = divide(at.ex, at.add("x*n", "y"), at("n"))
    assert tuple(map(str, found)) == ("%x", "%y")


@pytest.mark.parametrize(
    ("address", "launch_sizes", "terms"),
    [
        # The step of a recurrence, each summand of a step.
        ("i", False, ["%n"]),
        ("j", False, ["%n", "%m"]),
        # The other factors of an index of a thread.
        ("tw*n", False, ["%n"]),
        ("4*tw*n", False, ["%n"]),
        ("tw*n*m", False, ["(%n * %m)"]),
        # A product without an index.
        ("x*n", False, []),
        ("sw*n", False, []),
        # An index alone.
        ("4*tw", False, []),
        # The size of a block is an index, unless it may be a size.
        ("tw*ww", False, []),
        ("tw*ww", True, ["(zext i32 %w to i64)"]),
        ("ww*n", True, []),
        ("tw*tw", True, []),
    ],
)
def test_terms(address: str, launch_sizes: bool, terms: list[str]):
    at = Formulas()
    found = collect_parametric_terms(at.ex, at(address), launch_sizes=launch_sizes)
    assert [str(term) for term in found] == terms


def test_a_sum_with_an_index_is_no_term():
    at = Formulas()
    assert collect_parametric_terms(at.ex, at.add("tw", "n")) == []


def test_terms_have_the_width_of_the_address():
    at = Formulas()
    narrow = at.ex.mul(at("t"), at("s"))
    assert collect_parametric_terms(at.ex, at.ex.sext(narrow, 64)) == []
    assert collect_parametric_terms(at.ex, narrow) == [at("s")]


def test_dimensions_divide_one_another():
    at = Formulas()
    n, m, nm = at("n"), at("m"), at("n*m")
    assert find_array_dimensions(at.ex, [nm, n]) == [m, n]
    # Equal up to a constant.
    assert find_array_dimensions(at.ex, [n, at("4*n")]) == [n]
    # A term that the smallest one does not divide.
    assert find_array_dimensions(at.ex, [n, at("x*y")]) is None
    assert find_array_dimensions(at.ex, [n, at("x*y")], partial=True) == [n]


def test_subscripts_of_whole_elements():
    at = Formulas()
    found = subscripts_of(at.ex, at.add("4*x*n", "4*y"), [at("n")], 4)
    assert found is not None
    assert [str(s) for s in found.subscripts] == ["%x", "%y"]
    assert subscripts_of(at.ex, at.add("4*x*n", "y"), [at("n")], 4) is None
    assert subscripts_of(at.ex, at("4*x"), [], 0) is None


@pytest.mark.parametrize(
    ("type_", "size", "sizes"),
    [
        (array(8, array(16, F32)), 4, [16]),
        (array(2, array(8, array(16, F32))), 4, [8, 16]),
        # Elements that are rows, parts of numbers, or larger than the array.
        (array(8, array(16, F32)), 64, []),
        (array(8, array(16, F32)), 2, []),
        (array(8, array(16, F32)), 1024, []),
        (array(0, F32), 4, []),
        (F32, 4, []),
    ],
)
def test_sizes_of_an_array_type(type_: object, size: int, sizes: list[int]):
    assert fixed_sizes(type_, size) == sizes
