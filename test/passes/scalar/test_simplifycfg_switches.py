"""Switches that `simplifycfg` forms and replaces; each result is compared for all values of the operand."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from helpers.evaluation import results
from helpers.programs import block_named, parse_function
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.passes.scalar.simplifycfg import SimplifyCFG
from nvvm_xdsl.passes.scalar.simplifycfg_switches import (
    compared,
    form_switch,
    range_to_compare,
    to_formula,
)
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.verify.verifier import verify_function


def check(func: Operation, before: list[object]) -> None:
    """Checks that the function is valid and returns the same."""
    verify_function(func)
    assert results(func) == before


# Chains of comparisons.


def chain(
    *,
    first: str = '"eq" %x, %c1',
    second: str = '"eq" %x, %c2',
    third: str = '"ne" %x, %c3',
    entry: str = "llvm.cond_br %a, ^end(%k1 : i32), ^n",
    n: str = "llvm.cond_br %b, ^end(%k2 : i32), ^m",
    m: str = "llvm.cond_br %c, ^end(%y : i32), ^end(%k3 : i32)",
    work: str = "",
    arguments: str = "",
    more: str = "",
) -> FuncOp:
    """A chain of three comparisons of `%x`, in the entry, ^n and ^m.

    Arguments:
        first, second, third: the comparisons.
        entry, n, m: the branches.
        work: an op of ^m.
        arguments: the arguments of ^m.
        more: blocks after ^m.
    """
    constants = "".join(f"%c{k} = llvm.mlir.constant({k} : i4) : i4\n" for k in range(4))
    numbers = "".join(f"%k{k} = llvm.mlir.constant({k} : i32) : i32\n" for k in range(4))
    func = parse_function(f"""
      llvm.func @f(%x: i4, %y: i32, %u: i4, %f: i1, %p: !llvm.ptr) -> i32 {{
        {constants}{numbers}
        %z = llvm.mlir.zero : !llvm.ptr
        %a = llvm.icmp {first} : i4
        {entry}
      ^n:
        %b = llvm.icmp {second} : i4
        {n}
      ^m{arguments}:
        {work}
        %c = llvm.icmp {third} : i4
        {m}
      {more}
      ^end(%r: i32):
        llvm.return %r : i32
      }}""")
    assert isinstance(func, FuncOp)
    return func


def test_a_chain_of_three_comparisons_becomes_a_switch():
    func = chain()
    before = results(func)
    terminator = block_named(func, "entry").last_op
    formed = form_switch(terminator)
    assert formed is not None
    assert [b.name_hint for b in formed[1]] == ["n", "m"]
    cfg.replace_terminator(terminator, formed[0])
    cfg.drop_blocks(formed[1])
    check(func, before)
    assert branches.case_values(block_named(func, "entry").last_op, signed=True) == [1, 2, 3]


def test_the_first_of_equal_comparisons_takes_precedence():
    func = chain(third='"eq" %x, %c1', m="llvm.cond_br %c, ^end(%y : i32), ^o",
                 more='^o:\n%d = llvm.icmp "eq" %x, %c3 : i4\nllvm.cond_br %d, ^end(%k3 : i32), ^end(%y : i32)')  # fmt: skip
    before = results(func)
    terminator = block_named(func, "entry").last_op
    formed = form_switch(terminator)
    assert formed is not None
    cfg.replace_terminator(terminator, formed[0])
    cfg.drop_blocks(formed[1])
    check(func, before)


UNFORMED = {
    "a comparison by order": chain(second='"ult" %x, %c2'),
    "a comparison of another value": chain(second='"eq" %u, %c2'),
    "a comparison with a variable": chain(second='"eq" %x, %u'),
    "a first comparison by order": chain(first='"ult" %x, %c2'),
    "no comparison": chain(n="llvm.cond_br %f, ^end(%k2 : i32), ^m"),
    "no branch": chain(n="llvm.br ^m"),
    "a comparison that its edge passes": chain(
        n="%q = llvm.zext %b : i1 to i32\nllvm.cond_br %b, ^end(%q : i32), ^m"
    ),
    "a comparison that another block uses": chain(
        more="^o:\n%q = llvm.zext %b : i1 to i32\nllvm.br ^end(%q : i32)",
        m="llvm.cond_br %c, ^end(%y : i32), ^o",
        second='"eq" %x, %c2',
        third='"ult" %x, %c3',
    ),
    "a store": chain(work="llvm.store %y, %p : i32, !llvm.ptr"),
    "an argument": chain(n="llvm.cond_br %b, ^end(%k2 : i32), ^m(%y : i32)", arguments="(%w: i32)"),
    "another predecessor": chain(
        n="llvm.cond_br %b, ^o, ^m", more="^o:\nllvm.cond_br %f, ^m, ^end(%k2 : i32)"
    ),
    "a pointer": chain(
        n='%q = llvm.icmp "eq" %p, %z : !llvm.ptr\nllvm.cond_br %q, ^end(%k2 : i32), ^m'
    ),
}


@pytest.mark.parametrize("name", UNFORMED)
def test_other_chains_are_kept(name: str):
    assert form_switch(block_named(UNFORMED[name], "entry").last_op) is None


@pytest.mark.parametrize("to", ["n", "m"])
def test_a_chain_that_closes_a_cycle_ends_there(to: str):
    """The last comparison continues with one of the chain, which therefore has two predecessors."""
    func = chain(m=f"llvm.cond_br %c, ^{to}, ^end(%y : i32)")
    formed = form_switch(block_named(func, "entry").last_op)
    assert formed is None


@pytest.mark.parametrize("same", [False, True])
def test_an_edge_that_passes_its_own_comparison(same: bool):
    """The block with the comparison is removed, so it must not be part of the chain."""
    passed = "%b" if same else "%f"
    func = chain(
        n=f"llvm.cond_br %b, ^o({passed} : i1), ^m",
        more="^o(%v: i1):\n%q = llvm.zext %v : i1 to i32\nllvm.br ^end(%q : i32)",
    )
    assert (form_switch(block_named(func, "entry").last_op) is None) is same


@pytest.mark.parametrize(
    ("comparison", "branch", "expected"),
    [
        ('icmp "eq" %x, %c2 : i4', "cond_br %q, ^one, ^two", (2, "one", "two")),
        ('icmp "ne" %x, %c2 : i4', "cond_br %q, ^one, ^two", (2, "two", "one")),
        ('icmp "slt" %x, %c2 : i4', "cond_br %q, ^one, ^two", None),
        ('icmp "eq" %c2, %x : i4', "cond_br %q, ^one, ^two", None),
        ("and %f, %true : i1", "cond_br %q, ^one, ^two", None),
        ('icmp "eq" %x, %c2 : i4', "cond_br %f, ^one, ^two", None),
        ('icmp "eq" %x, %c2 : i4', "switch %q : i1, ^one [0: ^two]", None),
    ],
)
def test_comparisons_with_a_constant(
    comparison: str, branch: str, expected: tuple[int, str, str] | None
):
    func = parse_function(f"""
      llvm.func @f(%x: i4, %f: i1) {{
        %true = llvm.mlir.constant(true) : i1
        %c2 = llvm.mlir.constant(2 : i4) : i4
        %q = llvm.{comparison}
        llvm.{branch}
      ^one:
        llvm.return
      ^two:
        llvm.return
      }}""")
    found = compared(block_named(func, "entry").last_op)
    assert (found and (found[1], found[2][0].name_hint, found[3][0].name_hint)) == expected


@pytest.mark.parametrize(
    "last",
    [
        '%d = llvm.icmp "eq" %u, %c3 : i4\nllvm.cond_br %d, ^end(%k3 : i32), ^end(%y : i32)',
        "llvm.cond_br %f, ^end(%k3 : i32), ^end(%y : i32)",
    ],
)
def test_a_block_after_the_chain_stays(last: str):
    func = chain(third='"eq" %x, %c3', m="llvm.cond_br %c, ^end(%y : i32), ^o", more=f"^o:\n{last}")
    formed = form_switch(block_named(func, "entry").last_op)
    assert formed is not None
    assert [b.name_hint for b in formed[1]] == ["n", "m"]


def test_an_unreachable_cycle_is_no_chain():
    func = chain(more='^o:\n%d = llvm.icmp "eq" %x, %c3 : i4\nllvm.cond_br %d, ^end(%k3 : i32), ^o')
    assert form_switch(block_named(func, "o").last_op) is None


def test_constants_of_the_removed_blocks_stay():
    text = "%q = llvm.mlir.constant(9 : i32) : i32"
    func = chain(work=text, m="llvm.cond_br %c, ^end(%y : i32), ^end(%q : i32)")
    before = results(func)
    assert SimplifyCFG(speculate_blocks=False).run_on_function(func, AnalysisManager())
    assert any(op.name == "llvm.switch" for op in func.walk())
    check(func, before)


# Switches on a range.


def switch(
    cases: Mapping[int, str], *, width: int = 8, result: str = "i32", default: str = "^end(%y : {})"
) -> FuncOp:
    """A switch of which each case passes a value; `%y` is an argument, others are constants."""
    named = {v for v in cases.values() if not v.startswith("%")}
    constants = "".join(f"%k{k} = llvm.mlir.constant({k} : {result}) : {result}\n" for k in named)
    edges = ", ".join(
        f"{n}: ^end({v if v.startswith('%') else f'%k{v}'} : {result})" for n, v in cases.items()
    )
    func = parse_function(f"""
      llvm.func @f(%x: i{width}, %y: {result}, %z: {result}) -> {result} {{
        {constants}
        llvm.switch %x : i{width}, {default.format(result)} [{edges}]
      ^other:
        llvm.return %z : {result}
      ^end(%r: {result}):
        llvm.return %r : {result}
      }}""")
    assert isinstance(func, FuncOp)
    return func


def replaced(func: FuncOp, formula: bool) -> bool:
    """Replaces the switch of the entry; returns whether it was replaced, by code with equal results."""
    before = results(func)
    old = block_named(func, "entry").last_op
    new = (to_formula if formula else range_to_compare)(old, Constants(func))
    if new is None:
        assert results(func) == before
        return False
    cfg.replace_terminator(old, new)
    cfg.remove_unreachable_blocks(func.regions[0])
    check(func, before)
    return True


def same(*numbers: int) -> dict[int, str]:
    return dict.fromkeys(numbers, "%z")


@pytest.mark.parametrize(
    ("cases", "width", "expected"),
    [
        (same(3, 4), 8, True),
        (same(5, 3, 4), 8, True),
        (same(0, 1, 2), 8, True),
        (same(-1, 0, 1), 8, True),
        (same(126, 127, -128), 8, True),
        (same(3), 8, False),
        (same(3, 5), 8, False),
        ({3: "%z", 4: "%y"}, 8, False),
        ({3: "%z", 4: "%z", 5: "7"}, 8, False),
        (same(0, 1, -2), 2, True),
        (same(0, 1, -2, -1), 2, False),
        (same(3, 4), 65, True),
    ],
)
def test_a_range_becomes_a_comparison(cases: dict[int, str], width: int, expected: bool):
    assert replaced(switch(cases, width=width, default="^other"), formula=False) is expected


@pytest.mark.parametrize(
    ("cases", "width", "result", "expected"),
    [
        # A line.
        ({3: "7", 4: "9", 5: "11"}, 8, "i32", True),
        ({5: "11", 3: "7", 4: "9"}, 8, "i64", True),
        ({-1: "5", 0: "6", 1: "7"}, 8, "i8", True),
        ({126: "3", 127: "1", -128: "-1"}, 8, "i16", True),
        ({0: "0", 1: "1", 2: "2"}, 9, "i32", True),
        # Bits of 32 or 64, and too many.
        ({0: "5", 1: "6", 2: "9"}, 8, "i8", True),
        ({0: "5", 1: "6", 2: "9", 3: "1"}, 8, "i8", True),
        ({0: "5", 1: "6", 2: "9", 3: "1", 4: "-1"}, 8, "i8", True),
        ({3: "5", 4: "6", 5: "9", 6: "1"}, 8, "i16", True),
        ({3: "5", 4: "6", 5: "9", 6: "1", 7: "0"}, 8, "i16", False),
        ({0: "1", 1: "1", 2: "0"}, 8, "i1", True),
        ({0: "5", 1: "6", 2: "9"}, 8, "i32", False),
        # One value.
        ({0: "%z", 1: "%z", 2: "%z"}, 8, "i32", True),
        ({0: "%z", 1: "5", 2: "6"}, 8, "i32", False),
        ({0: "5", 1: "6", 2: "%z"}, 8, "i32", False),
        ({0: "1.0", 1: "2.0", 2: "3.0"}, 8, "f32", False),
        # Too few, a gap, and too narrow or wide.
        ({3: "7", 4: "9"}, 8, "i32", False),
        ({3: "7", 4: "9", 6: "11"}, 8, "i32", False),
        ({0: "1", 1: "2", 2: "3"}, 7, "i32", False),
        ({0: "1", 1: "2", 2: "3"}, 65, "i32", False),
        ({n - 128: str(n) for n in range(256)}, 8, "i32", True),
    ],
)
def test_selected_constants_become_a_formula(
    cases: dict[int, str], width: int, result: str, expected: bool
):
    for default in ("^end(%y : {})", "^other"):
        made = replaced(switch(cases, width=width, result=result, default=default), formula=True)
        assert made is expected


@pytest.mark.parametrize(
    ("cases", "result", "names"),
    [
        ({0: "0", 1: "1", 2: "2"}, "i8", ["icmp"]),
        ({3: "0", 4: "1", 5: "2"}, "i8", ["sub", "icmp"]),
        ({0: "5", 1: "6", 2: "7"}, "i8", ["icmp", "add"]),
        ({0: "0", 1: "2", 2: "4"}, "i8", ["icmp", "mul"]),
        ({0: "1", 1: "1", 2: "0"}, "i1", ["icmp", "zext", "lshr", "trunc"]),
        ({0: "1", 1: "1", 2: "0"}, "i2", ["icmp", "zext", "mul", "lshr", "trunc"]),
    ],
)
def test_a_formula_has_only_the_needed_ops(cases: dict[int, str], result: str, names: list[str]):
    func = switch(cases, result=result, default="^other")
    assert replaced(func, formula=True)
    ops = [op.name for op in block_named(func, "entry").ops]
    kept = [name for name in ops if name not in ("llvm.mlir.constant", "llvm.cond_br")]
    assert kept == [f"llvm.{name}" for name in names]


def test_cases_of_several_blocks_or_without_values_are_no_formula():
    several = switch({0: "1", 1: "2", 2: "3"})
    terminator = block_named(several, "entry").last_op
    default, *cases = branches.edges_of(terminator)
    other = (block_named(several, "other"), ())
    branches.set_edges(terminator, [default, *cases[:2], other])
    assert not replaced(several, formula=True)
    branches.set_edges(block_named(several, "entry").last_op, [default, other, other, other])
    assert not replaced(several, formula=True)


def test_a_chain_with_a_loop_annotation_is_unchanged():
    """The switch that is not used leaves no uses of the value and of the blocks."""
    text = """
llvm.func @k(%x: i32, %p: !llvm.ptr) attributes {nvvm.kernel} {
  %one = llvm.mlir.constant(1 : i32) : i32
  %two = llvm.mlir.constant(2 : i32) : i32
  %six = llvm.mlir.constant(6 : i32) : i32
  %a = llvm.icmp "eq" %x, %one : i32
  llvm.cond_br %a, ^yes, ^second
^second:
  %b = llvm.icmp "eq" %x, %two : i32
  llvm.cond_br %b, ^yes, ^third ANNOTATION
^third:
  %c = llvm.icmp "eq" %x, %six : i32
  llvm.cond_br %c, ^yes, ^done
^yes:
  llvm.store volatile %x, %p : i32, !llvm.ptr
  llvm.br ^done
^done:
  llvm.return
}
"""
    for annotation, switches in (
        ("", 1),
        ("{loop_annotation = #llvm.loop_annotation<mustProgress = true>}", 0),
    ):
        module = parse(text.replace("ANNOTATION", annotation), format="mlir")
        run_pipeline(module, "simplifycfg<no-switch-range-to-icmp>")
        ops = list(module.walk())
        assert sum(op.name == "llvm.switch" for op in ops) == switches
        (func,) = (op for op in ops if op.name == "llvm.func")
        value = func.regions[0].blocks[0].args[0]
        assert all(use.operation.parent is not None for use in value.uses)
