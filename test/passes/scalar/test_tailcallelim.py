"""Conditions of `tailcallelim`: each case is a function `@f` and the number of its calls of itself afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.tailcallelim import TailCallElim

LL = """
declare i32 @g(i32)
define {linkage} i32 @f(i32 %n, {type} %p{more}) {{
{entry}
%z = icmp eq i32 %n, 0
br i1 %z, label %end, label %more
more:
%m = sub i32 %n, 1
{body}
end:
ret i32 7
}}
"""
CALL = "call i32 @f(i32 %m, ptr %p)"
PLAIN = f"%r = {CALL}\nret i32 %r"


def left(
    body: str, entry: str = "", linkage: str = "internal", type_: str = "ptr", more: str = ""
) -> int:
    """Returns the number of calls of the function by itself after the pass."""
    text = LL.format(body=body, entry=entry, linkage=linkage, type=type_, more=more)
    func = function(read_ll(text))
    TailCallElim().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]
    func.verify()
    return sum(op.name == "llvm.call" and "@f" in str(op) for op in func.walk())


def choice(*calls: str) -> str:
    """Returns a chain of branches, each to a call."""
    text = ""
    for n, call in enumerate(calls):
        text += f"%b{n} = icmp eq i32 %m, {n}\nbr i1 %b{n}, label %c{n}, label %d{n}\nc{n}:\n"
        text += f"%r{n} = {CALL}\n{call.replace('#', str(n))}\nd{n}:\n"
    return f"{text}ret i32 %m"


SUM = "%s# = add i32 %r#, %n\nret i32 %s#"
PRODUCT = "%s# = mul i32 %r#, %n\nret i32 %s#"
ITSELF = "ret i32 %r#"
BODIES = {
    "a call": (PLAIN, 0),
    "not a call of another function": ("%r = call i32 @g(i32 %m)\nret i32 %r", 0),
    "a sum and a call": (choice(SUM, ITSELF), 0),
    "sums": (choice(SUM, SUM), 0),
    "not a sum and a product": (choice(SUM, PRODUCT), 2),
    "only the call of itself besides a sum and a product": (choice(SUM, PRODUCT, ITSELF), 2),
    "not a call before a branch": (f"%r = {CALL}\nbr i1 %z, label %x, label %y\nx:\nret i32 %r\ny:\nret i32 %r", 1),
    "not a call before a store": (f"%r = {CALL}\nstore i32 %n, ptr %p\nret i32 %r", 1),
    "not before a block with a store": (f"%r = {CALL}\nbr label %x\nx:\nstore i32 %r, ptr %p\nret i32 7", 1),
    "not with two ops on the result": (f"%r = {CALL}\n%s = add i32 %r, %n\n%t = add i32 %s, %n\nret i32 %t", 1),
    "not with another op behind the call": (f"%r = {CALL}\n%t = add i32 %n, 1\n%s = mul i32 %r, %t\nret i32 %s", 1),
    "not twice the result": (f"%r = {CALL}\n%s = add i32 %r, %r\nret i32 %s", 1),
    "not a difference": (f"%r = {CALL}\n%s = sub i32 %r, %n\nret i32 %s", 1),
    "not if another value is returned": (f"%r = {CALL}\nret i32 %n", 1),
    "not if the sum is not returned": (f"%r = {CALL}\n%s = add i32 %r, %n\nret i32 %n", 1),
    "not if the result is not in the sum": (f"%r = {CALL}\n%s = add i32 %m, %n\nret i32 %s", 1),
}  # fmt: skip


@pytest.mark.parametrize("why", BODIES)
def test_a_call(why: str):
    body, calls = BODIES[why]
    assert left(body) == calls


FUNCTIONS = {
    "a slot": ({"entry": "%s = alloca i32\nstore i32 %n, ptr %s"}, 0),
    "not a slot of variable size": ({"entry": "%s = alloca i32, i32 %n\nstore i32 %n, ptr %s"}, 1),
    "not with a call of another function, which may be convergent": ({"entry": "%g = call i32 @g(i32 %n)"}, 1),
    "not a function that another definition may replace": ({"linkage": "weak"}, 1),
    "not with an argument by value": ({"type_": "ptr byval(i32)"}, 1),
    "not a variadic function": ({"more": ", ..."}, 1),
}  # fmt: skip


@pytest.mark.parametrize("why", FUNCTIONS)
def test_a_function(why: str):
    changes, calls = FUNCTIONS[why]
    body = PLAIN
    if "type_" in changes:
        body = PLAIN.replace("ptr %p", "ptr byval(i32) %p")
    if "more" in changes:
        body = PLAIN.replace("i32 @f", "i32 (i32, ptr, ...) @f")
    assert left(body, **changes) == calls


def test_a_slot_of_another_block_is_not_allocated_in_each_iteration():
    assert left(f"%s = alloca i32\nstore i32 %n, ptr %s\n{PLAIN}") == 1


def test_a_function_without_calls_of_itself_is_unchanged():
    func = function(read_ll("define internal i32 @f(i32 %n) {\nret i32 %n\n}"))
    assert not TailCallElim().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]


def test_ops_before_a_slot_are_executed_in_each_iteration():
    entry = "%v = load volatile i32, ptr %p\n%s = alloca i32\nstore i32 %v, ptr %s"
    text = LL.format(body=PLAIN, entry=entry, linkage="internal", type="ptr", more="")
    func = function(read_ll(text))
    assert TailCallElim().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]
    names = [[op.name for op in block.ops] for block in func.regions[0].blocks]
    assert "llvm.alloca" in names[0]
    assert "llvm.load" in names[1]


# Edges that pass several values exist only in MLIR.

EDGES = """
llvm.func internal @f(%n: i32) -> i32 {{
  %one = llvm.mlir.constant(1 : i32) : i32
  %z = llvm.icmp "eq" %n, %one : i32
  llvm.cond_br %z, ^out(%n, %n : i32, i32), ^more
^more:
  %r = llvm.call @f(%one) : (i32) -> i32
  {op}
  llvm.br ^out({values} : i32, i32)
^out(%a: i32, %b: i32):
  llvm.return %b : i32
}}
"""


@pytest.mark.parametrize(("op", "values", "calls"), [
    ("%k = llvm.mlir.constant(3 : i32) : i32", "%k, %r", 0),
    ("%s = llvm.add %r, %n : i32", "%n, %s", 0),
    ("%s = llvm.add %r, %n : i32", "%s, %n", 1),
    ("%s = llvm.add %n, %one : i32", "%r, %s", 1),
])  # fmt: skip
def test_the_returned_value_is_that_of_its_edge(op: str, values: str, calls: int):
    func = function(parse_module(EDGES.format(op=op, values=values)))
    TailCallElim().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]
    assert sum(op.name == "llvm.call" for op in func.walk()) == calls


@pytest.mark.parametrize(("behind", "calls"), [
    ("llvm.return", 0), ("%u = llvm.add %n, %n : i32\nllvm.return", 1),
    ("llvm.cond_br %z, ^other, ^out\n^other:\nllvm.return", 1),
])  # fmt: skip
def test_a_call_without_a_result(behind: str, calls: int):
    func = function(
        parse_module(
            'llvm.func internal @f(%n: i32) {\n%z = llvm.icmp "eq" %n, %n : i32\n'
            "llvm.cond_br %z, ^out, ^more\n^more:\nllvm.call @f(%n) : (i32) -> ()\n"
            f"{behind}\n^out:\nllvm.return\n}}"
        )
    )
    TailCallElim().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]
    assert sum(op.name == "llvm.call" for op in func.walk()) == calls


RECURSIVE = """
llvm.func @g(i32)
llvm.func internal @f(%n: i32) {attributes}{{
  %z = llvm.icmp "eq" %n, %n : i32
  llvm.cond_br %z, ^out, ^more
^more:
  llvm.call @{callee}(%n) {{nvvm.noconvergent}} : (i32) -> ()
  llvm.return
^out:
  llvm.return
}}
"""


@pytest.mark.parametrize(("callee", "attributes", "changed"), [
    ("f", "", True), ("g", "", False), ("f", "attributes {nvvm.kernel} ", False),
])  # fmt: skip
def test_only_a_function_that_calls_itself_becomes_a_loop(
    callee: str, attributes: str, changed: bool
):
    func = function(parse_module(RECURSIVE.format(callee=callee, attributes=attributes)))
    assert TailCallElim().run_on_function(func, AnalysisManager()) == changed  # type: ignore[arg-type]
