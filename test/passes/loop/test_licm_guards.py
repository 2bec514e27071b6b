"""Conditions of `licm`: each case is a loop, an op, and whether the op remains in the loop."""

from __future__ import annotations

import pytest
from helpers.modules import function
from xdsl.dialects.builtin import UnitAttr
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import NODUPLICATE
from nvvm_xdsl.dialects.llvm.accessors import stated_alignment
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.loop.licm import LICM, MAX_SPECULATED, MOST_RESULTS
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare i32 @g(ptr)
declare i32 @reads() memory(read) nounwind willreturn
declare i32 @stops() memory(none) nounwind
define i32 @f(ptr noalias %p, ptr noalias %q, ptr %r, ptr addrspace(4) %k, i32 %a, i32 %b, i32 %n, i1 %c) {{
entry:
  {before}
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  {header}
  br i1 %c, label %then, label %latch
then:
  {then}
  br label %latch
latch:
  {latch}
  %next = add i32 %i, 1
  %e = icmp slt i32 %next, %n
  br i1 %e, label %loop, label %exit
exit:
  {exit}
  ret i32 0
}}
!0 = !{{}}
"""


def is_left(name: str, options: str = "", **parts: str) -> bool:
    """Returns whether the loop has an op of this name after the pass."""
    return _number_left(name, options, **parts) > 0


def _number_left(name: str, options: str = "", **parts: str) -> int:
    """The number of ops of this name in the loop after the pass."""
    blocks = {**dict.fromkeys(("before", "header", "then", "latch", "exit"), ""), **parts}
    module = read_ll(TEXT.format(**blocks))
    run_pipeline(module, f"loop-simplify,lcssa,licm{options}")
    module.verify()
    region = function(module).regions[0]
    loops = LoopInfo(region)
    return sum(
        op.name == name
        for block in fast.blocks_of(region)
        if loops.loop_for(block) is not None
        for op in fast.ops_of(block)
    )


LOAD = "%x = load i32, ptr %q"
USE = "%u = add i32 %i, %x\n  %o = getelementptr i32, ptr %p, i32 %i\n  store i32 %u, ptr %o"
HOISTED = {
    "an invariant product": ("llvm.mul", {"header": "%m = mul i32 %a, %b\nstore i32 %m, ptr %p"}, False),
    "not a product of the iteration": (
        "llvm.mul", {"then": "%m = mul i32 %a, %i\nstore i32 %m, ptr %p"}, True,
    ),
    "a division": ("llvm.udiv", {"header": "%m = udiv i32 %a, %b\nstore i32 %m, ptr %p"}, False),
    "not a division that may not run": (
        "llvm.udiv", {"then": "%m = udiv i32 %a, %b\nstore i32 %m, ptr %p"}, True,
    ),
    "not a division after an op that may not return": (
        "llvm.udiv", {"header": "%y = call i32 @stops()", "latch": "%m = udiv i32 %a, %b\nstore i32 %m, ptr %p"}, True,
    ),
    "a division before such an op": (
        "llvm.udiv", {"header": "%m = udiv i32 %a, %b\nstore i32 %m, ptr %p\n%y = call i32 @stops()"}, False,
    ),
    "not a division that may not run before such an op": (
        "llvm.udiv", {"then": "%m = udiv i32 %a, %b\nstore i32 %m, ptr %p", "latch": "%y = call i32 @stops()"}, True,
    ),
    "an invariant load": (
        "llvm.load", {"header": f"%x = load i32, ptr %r, !invariant.load !0\n{USE}", "then": "store i32 %i, ptr %r"}, False,
    ),
    "a load": ("llvm.load", {"header": f"{LOAD}\n{USE}"}, False),
    "not if it is volatile": (
        "llvm.load", {"header": f"{LOAD.replace('load', 'load volatile')}\n{USE}"}, True,
    ),
    "not if it is atomic": (
        "llvm.load", {"header": f"%x = load atomic i32, ptr %q monotonic, align 4\n{USE}"}, True,
    ),
    "not if it may not run": ("llvm.load", {"then": f"{LOAD}\n{USE}"}, True),
    "not if its object is stored to": (
        "llvm.load", {"header": f"{LOAD}\n{USE}", "then": "store i32 %i, ptr %q"}, True,
    ),
    "if another object is stored to": (
        "llvm.load", {"header": f"{LOAD}\n{USE}", "then": "store i32 %i, ptr %p"}, False,
    ),
    "not if a call may write": (
        "llvm.load", {"header": f"{LOAD.replace('%q', '%r')}\n{USE}", "latch": "%y = call i32 @g(ptr %p)"}, True,
    ),
    "if a call only reads": (
        "llvm.load", {"before": "store i32 1, ptr %q", "header": f"{LOAD}\n{USE}", "latch": "%y = call i32 @reads()"},
        False,
    ),
    "a load of constant memory": (
        "llvm.load",
        {"header": f"%x = load i32, ptr addrspace(4) %k\n{USE}", "then": "store i32 %i, ptr %r"},
        False,
    ),
    "not a volatile load of constant memory": (
        "llvm.load", {"header": f"%x = load volatile i32, ptr addrspace(4) %k\n{USE}"}, True,
    ),
    "not an invariant store": ("llvm.store", {"then": "store i32 %a, ptr %r"}, True),
}  # fmt: skip


@pytest.mark.parametrize("why", HOISTED)
def test_hoisting(why: str):
    name, parts, left = HOISTED[why]
    assert is_left(name, **parts) is left


COUNT = "%x = load i32, ptr %p\n  %y = add i32 %x, %i\n  store i32 %y, ptr %p"
LOCAL = "%l = alloca i32\nstore i32 0, ptr %l"
RESULT = "%z = load i32, ptr %l\nret i32 %z"
PROMOTED = {
    "a counter in memory": ({"header": COUNT}, False),
    "a store alone": ({"latch": "store i32 %i, ptr %p"}, False),
    "not if nothing is sure to run": ({"then": COUNT}, True),
    "not if the store is not sure to run": (
        {"header": "%x = load i32, ptr %p", "then": "%y = add i32 %x, %i\nstore i32 %y, ptr %p"}, True,
    ),
    "not if the store is volatile": ({"header": COUNT.replace("store", "store volatile")}, True),
    "not if the load is volatile": ({"header": COUNT.replace("load", "load volatile")}, True),
    "not if the types differ": (
        {"header": "%x = load float, ptr %p\n%y = fptosi float %x to i32\nstore i32 %y, ptr %p"}, True,
    ),
    "not if the type is an aggregate": (
        {"header": "store { i32, i32 } zeroinitializer, ptr %p"}, True,
    ),
    "not if the address changes": (
        {"header": "%o = getelementptr i32, ptr %p, i32 %i\nstore i32 %a, ptr %o"}, True,
    ),
    "not if another load may be of the same place": (
        {"header": COUNT.replace("%p", "%r"), "latch": "%o = getelementptr i32, ptr %r, i32 %i\n%w = load i32, ptr %o"}, True,
    ),
    "not if the loop may stop before": ({"header": "%w = call i32 @stops()", "latch": "store i32 %i, ptr %p"}, True),
    "if another access is to another object": (
        {"header": COUNT, "then": "%w = load i32, ptr %q"}, False,
    ),
    "not if a call may read it": ({"header": COUNT.replace("%p", "%r"), "latch": "%w = call i32 @reads()"}, True),
    "not if a call may not return": ({"header": COUNT, "latch": "%w = call i32 @g(ptr %q)"}, True),
    "a local variable that may not be written": (
        {"before": LOCAL, "header": "%x = load i32, ptr %l", "then": "%y = add i32 %x, %i\nstore i32 %y, ptr %l",
         "exit": RESULT},
        False,
    ),
    "not if the local variable is not sure to be accessed": (
        {"before": LOCAL, "then": "%x = load i32, ptr %l\n%y = add i32 %x, %i\nstore i32 %y, ptr %l", "exit": RESULT},
        True,
    ),
    "not if its address is known elsewhere": (
        {"before": f"{LOCAL}\nstore ptr %l, ptr %q", "header": "%x = load i32, ptr %l",
         "then": "%y = add i32 %x, %i\nstore i32 %y, ptr %l", "exit": RESULT},
        True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", PROMOTED)
def test_promotion(why: str):
    parts, left = PROMOTED[why]
    assert is_left("llvm.store", **parts) is left


SUNK = {
    "a value of the last iteration": ({"latch": "%m = mul i32 %i, %i", "exit": "store i32 %m, ptr %p"}, False),
    "not if the loop uses it": (
        {"latch": "%m = mul i32 %i, %i\nstore i32 %m, ptr %q", "exit": "store i32 %m, ptr %p"}, True,
    ),
    "not if nothing behind the loop uses it": (
        {"latch": "%m = mul i32 %i, %i\nstore volatile i32 %m, ptr %q"}, True,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", SUNK)
def test_sinking(why: str):
    parts, left = SUNK[why]
    assert is_left("llvm.mul", **parts) is left


def test_inline_assembly_is_not_sunk():
    latch = '%m = call i32 asm "mov.u32 $0, $1;", "=r,r"(i32 %i)'
    assert is_left("llvm.inline_asm", latch=latch, exit="store i32 %m, ptr %p")


PRODUCT = "%m = mul i32 %a, %b\n"
STORE = "store volatile i32 %m, ptr %p"
SPECULATED = {
    "a product": ("llvm.mul", {"then": f"{PRODUCT}{STORE}"}, False),
    "operands of moved ops": ("llvm.xor", {"then": f"{PRODUCT}%x = xor i32 %m, 5\nstore volatile i32 %x, ptr %p"}, False),
    "not a product of the iteration": ("llvm.mul", {"then": f"%m = mul i32 %a, %i\n{STORE}"}, True),
    "not an op whose operand stays": (
        "llvm.xor", {"then": "%m = mul i32 %a, %i\n%x = xor i32 %m, 5\nstore volatile i32 %x, ptr %p"}, True,
    ),
    "not a division by any number": ("llvm.udiv", {"then": f"%m = udiv i32 %a, %b\n{STORE}"}, True),
    "not a load": ("llvm.load", {"then": f"%m = load i32, ptr %q\n{STORE}"}, True),
    "not a call": ("llvm.call", {"then": f"%m = call i32 @reads()\n{STORE}"}, True),
}  # fmt: skip


@pytest.mark.parametrize("why", SPECULATED)
def test_speculation(why: str):
    name, parts, left = SPECULATED[why]
    assert is_left(name, **parts)
    assert is_left(name, "<allowspeculation>", **parts) is left


def sums(number: int, operand: str = "%a") -> str:
    """Some products that are added to constants, each sum stored."""
    return "".join(
        f"%m{k} = mul i32 {operand.format(k)}, %b\n%s{k} = add i32 %m{k}, {k}\nstore volatile i32 %s{k}, ptr %p\n"
        for k in range(number)
    )


def number_speculated(name: str, then: str, before: str = "") -> int:
    """The number of ops of this name that are hoisted although not every iteration runs them."""
    left = _number_left(name, "<allowspeculation>", then=then, before=before)
    return _number_left(name, then=then, before=before) - left


def test_speculation_is_limited_by_the_values_that_become_live():
    """The sums are live in the loop, the products are not."""
    assert number_speculated("llvm.mul", sums(MAX_SPECULATED)) == MAX_SPECULATED
    assert number_speculated("llvm.mul", sums(MAX_SPECULATED + 1)) == MAX_SPECULATED


def test_beyond_the_limit_the_largest_expressions_are_hoisted():
    differences = "".join(
        f"%o{k} = sub i32 %a, {k}\nstore volatile i32 %o{k}, ptr %p\n" for k in range(2)
    )
    then = differences + sums(MAX_SPECULATED)
    assert number_speculated("llvm.mul", then) == MAX_SPECULATED
    assert number_speculated("llvm.sub", then) == 0


def test_an_operand_of_an_expression_in_the_loop_is_live():
    then = "%m = mul i32 %a, %b\n" + "".join(
        f"%s{k} = add i32 %m, {k}\nstore volatile i32 %s{k}, ptr %p\n"
        for k in range(1, MAX_SPECULATED + 2)
    )
    assert number_speculated("llvm.mul", then) == 1
    assert number_speculated("llvm.add", then) == MAX_SPECULATED - 1


def test_speculation_of_many_values_is_not_tried():
    assert number_speculated("llvm.mul", sums(MOST_RESULTS)) == MAX_SPECULATED
    assert number_speculated("llvm.mul", sums(MOST_RESULTS + 1)) == 0


def test_any_number_of_values_is_speculated_if_as_many_die():
    count = MOST_RESULTS + 1
    before = "".join(f"%v{k} = load volatile i32, ptr %q\n" for k in range(count))
    then = "".join(
        f"%m{k} = mul i32 %v{k}, %b\nstore volatile i32 %m{k}, ptr %p\n" for k in range(count)
    )
    assert number_speculated("llvm.mul", then, before) == count


def test_speculation_limit_discounts_values_that_die():
    before = "".join(f"%v{k} = load i32, ptr %q\n" for k in range(4))
    moved = sums(4, "%v{}")
    others = sums(MAX_SPECULATED).replace("%m", "%o").replace("%s", "%r")
    assert number_speculated("llvm.mul", moved + others, before) == 4 + MAX_SPECULATED
    used = f"{moved}{others}store volatile i32 %v0, ptr %p\n"
    assert number_speculated("llvm.mul", used, before) < 4 + MAX_SPECULATED


def test_the_limit_of_searches():
    parts = {"header": f"{LOAD}\n{USE}"}
    assert is_left("llvm.load", "<licm-mssa-optimization-cap=0>", **parts)
    assert not is_left("llvm.load", "<licm-mssa-optimization-cap=1>", **parts)


def test_loads_of_constant_memory_need_no_search():
    parts = {"header": f"%x = load i32, ptr addrspace(4) %k\n{USE}"}
    assert not is_left("llvm.load", "<licm-mssa-optimization-cap=0>", **parts)


def test_the_limit_of_promotion():
    parts = {"header": COUNT}
    assert is_left("llvm.store", "<licm-mssa-max-acc-promotion=1>", **parts)
    assert not is_left("llvm.store", "<licm-mssa-max-acc-promotion=2>", **parts)


def test_loads_are_not_sunk():
    """The loop stores to the address after the load."""
    latch = (
        "%o = getelementptr i32, ptr %r, i32 %i\n%x = load i32, ptr %o\n"
        "store i32 %i, ptr %o\nstore i32 %a, ptr %q"
    )
    assert is_left("llvm.load", latch=latch, exit="store i32 %x, ptr %p")


def test_the_limit_of_uses():
    parts = {"latch": "%m = mul i32 %i, %i", "exit": "store i32 %m, ptr %p"}
    assert is_left("llvm.mul", "<licm-max-num-uses-traversed=0>", **parts)
    assert not is_left("llvm.mul", "<licm-max-num-uses-traversed=1>", **parts)


@pytest.mark.parametrize(("other", "left"), [("%a", False), ("%j", True)])
def test_at_most_two_values_leave_the_loop_for_a_sunk_op(other: str, left: bool):
    latch = f"%j = xor i32 %i, %b\n%t = icmp eq i32 %j, 5\n%m = select i1 %t, i32 %i, i32 {other}"
    assert is_left("llvm.select", latch=latch, exit="store i32 %m, ptr %p") is left


# Loops.

SHARED_EXIT = """
define void @f(ptr noalias %p, i32 %n, i1 %c, i32 %a, i32 %b) {{
entry:
  br i1 %c, label {first}, label {second}
other:
  br label %loop
loop:
  %i = phi i32 [ 0, %other ], [ %next, %loop ]{more}
  %m = udiv i32 %a, %b
  store i32 %m, ptr %p
  %next = add i32 %i, 1
  %e = icmp slt i32 %next, %n
  br i1 %e, label %loop, label %exit{annotation}
exit:
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.{name}"}}
"""


def names_in_the_loop(
    options: LICM | None = None,
    *,
    first: str = "%other",
    second: str = "%exit",
    more: str = "",
    name: str = "",
) -> set[str]:
    """The names of the ops of the loop after `licm` alone."""
    annotation = ", !llvm.loop !0" if name else ""
    text = SHARED_EXIT.format(
        first=first, second=second, more=more, annotation=annotation, name=name or "unused"
    )
    module = read_ll(text)
    func = function(module)
    assert isinstance(func, FuncOp)
    (options or LICM()).run_on_function(func, AnalysisManager())
    module.verify()
    loops = LoopInfo(func.body)
    blocks = [b for b in fast.blocks_of(func.body) if loops.loop_for(b) is not None]
    return {op.name for block in blocks for op in fast.ops_of(block)}


def test_a_store_is_not_moved_to_an_exit_that_others_reach():
    """Nothing is stored if the loop is not entered; the division moves to the preheader."""
    found = names_in_the_loop()
    assert "llvm.store" in found
    assert "llvm.udiv" not in found


def test_a_loop_without_a_preheader_is_unchanged():
    assert "llvm.udiv" in names_in_the_loop(second="%loop", more=", [ 0, %entry ]")


@pytest.mark.parametrize(
    ("options", "name", "left"),
    [
        (LICM(), "", False),
        (LICM(), "licm.disable", True),
        (LICM(), "loop.licm_versioning.disable", False),
        (LICM(), "loop.unroll.disable", False),
        (LICM(licm_skip_unrolled_loops=True), "loop.unroll.disable", True),
        (LICM(licm_skip_unrolled_loops=True), "loop.unroll.enable", False),
        (LICM(licm_skip_unrolled_loops=True), "loop.licm_versioning.disable", False),
        (LICM(licm_skip_unrolled_loops=True), "", False),
        (LICM(licm_insn_limit=4), "", True),
        (LICM(licm_insn_limit=40), "", False),
    ],
)
def test_annotations_and_limits_of_loops(options: LICM, name: str, left: bool):
    assert ("llvm.udiv" in names_in_the_loop(options, name=name)) is left


def test_a_store_of_an_endless_loop_is_kept():
    text = """
define void @f(ptr noalias %p, i32 %a, i32 %b) {
  br label %loop
loop:
  %m = udiv i32 %a, %b
  store i32 %m, ptr %p
  br label %loop
}
"""
    func = function(read_ll(text))
    assert isinstance(func, FuncOp)
    assert LICM().run_on_function(func, AnalysisManager())
    assert [op.name for op in func.body.blocks[-1].ops] == ["llvm.store", "llvm.br"]


@pytest.mark.parametrize(
    ("parts", "changed"),
    [
        ({"header": "%m = mul i32 %a, %i\nstore volatile i32 %m, ptr %p"}, False),
        ({"header": "%m = mul i32 %a, %b\nstore volatile i32 %m, ptr %p"}, True),
        ({"latch": "%m = mul i32 %i, %i", "exit": "store i32 %m, ptr %p"}, True),
        ({"latch": "store i32 %i, ptr %p"}, True),
    ],
    ids=["nothing", "hoisted", "sunk", "promoted"],
)
def test_each_change_is_reported(parts: dict[str, str], changed: bool):
    blocks = {**dict.fromkeys(("before", "header", "then", "latch", "exit"), ""), **parts}
    module = read_ll(TEXT.format(**blocks))
    run_pipeline(module, "loop-simplify,lcssa")
    func = function(module)
    assert isinstance(func, FuncOp)
    assert LICM().run_on_function(func, AnalysisManager()) is changed


SCOPES = """
declare void @llvm.experimental.noalias.scope.decl(metadata)
define void @f(ptr %p, ptr %r, i32 %n, i32 %m) {{
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  {declared}
  %x = load i32, ptr %r{read}
  %o = getelementptr i32, ptr %p, i32 %i
  %u = add i32 %i, %x
  store i32 %u, ptr %o{written}
  br label %inner
inner:
  %j = phi i32 [ 0, %loop ], [ %k, %inner ]
  {inside}
  %k = add i32 %j, 1
  %d = icmp slt i32 %k, %m
  br i1 %d, label %inner, label %latch
latch:
  %next = add i32 %i, 1
  %e = icmp slt i32 %next, %n
  br i1 %e, label %loop, label %exit
exit:
  ret void
}}
!0 = !{{!1}}
!1 = distinct !{{!1, !2}}
!2 = distinct !{{!2}}
!3 = !{{!4}}
!4 = distinct !{{!4, !2}}
"""
DECLARED = "call void @llvm.experimental.noalias.scope.decl(metadata {})"
SCOPED = {
    "declared once in each iteration": ({}, False),
    "not without scopes": ({"read": "", "written": ""}, True),
    "not if the store is of no other scope": ({"written": ""}, True),
    "not if it is declared in an inner loop": ({"declared": "", "inside": DECLARED.format("!0")}, True),
    "another scope of an inner loop": ({"inside": DECLARED.format("!3")}, False),
    "not with another store": ({"inside": "store i32 %j, ptr %p"}, True),
    "another load": ({"inside": "%y = load i32, ptr %r"}, False),
}  # fmt: skip


@pytest.mark.parametrize("why", SCOPED)
def test_loads_in_alias_scopes(why: str):
    """The scopes of an iteration do not compare it with others, but each iteration reads the same address."""
    parts, left = SCOPED[why]
    module = read_ll(SCOPES.format(**{
        "declared": DECLARED.format("!0"), "read": ", !alias.scope !0", "written": ", !noalias !0", "inside": "", **parts,
    }))  # fmt: skip
    run_pipeline(module, "loop-simplify,lcssa,licm")
    module.verify()
    func = function(module)
    loops = LoopInfo(func.regions[0])
    found = [op for op in func.walk() if op.results and op.results[0].name_hint == "x"]
    assert [loops.loop_for(op.parent) is not None for op in found] == [left]


SUM = "%m = mul i32 %i, %i"
SINKING = {
    "to an exit": (SUM, "br i1 %c, label %loop, label %exit", "", "%r = phi i32 [ %m, %loop ]\n  store i32 %r, ptr %p", 0),
    "not if another exit passes another value": (
        f"{SUM}\n  br i1 %b, label %rest, label %exit\nrest:", "br i1 %c, label %loop, label %exit", "rest",
        "%r = phi i32 [ %m, %rest ], [ 7, %loop ]\n  store i32 %r, ptr %p", 1,
    ),
    "if both exits pass it": (
        f"{SUM}\n  br i1 %b, label %rest, label %exit\nrest:", "br i1 %c, label %loop, label %exit", "rest",
        "%r = phi i32 [ %m, %rest ], [ %m, %loop ]\n  store i32 %r, ptr %p", 0,
    ),
    "to several exits": (
        f"{SUM}\n  br i1 %b, label %rest, label %early\nrest:", "br i1 %c, label %loop, label %exit", "rest",
        "%r = phi i32 [ %m, %rest ]\n  store i32 %r, ptr %p\n  ret void\n"
        "early:\n  %z = phi i32 [ %m, %loop ]\n  store i32 %z, ptr %p", 0,
    ),
    "not an op that must not be copied": (
        f"{SUM.replace('%m', '%only')}\n  br i1 %b, label %rest, label %early\nrest:", "br i1 %c, label %loop, label %exit", "rest",
        "%r = phi i32 [ %only, %rest ]\n  store i32 %r, ptr %p\n  ret void\n"
        "early:\n  %z = phi i32 [ %only, %loop ]\n  store i32 %z, ptr %p", 1,
    ),
    "an op that must not be copied to one exit": (
        SUM.replace("%m", "%only"), "br i1 %c, label %loop, label %exit", "", "%r = phi i32 [ %only, %loop ]\n  store i32 %r, ptr %p", 0,
    ),
    "not if an iteration passes it on": (
        "%s = phi i32 [ 1, %entry ], [ %m, %loop ]\n  %m = mul i32 %s, %i", "br i1 %c, label %loop, label %exit", "",
        "%r = phi i32 [ %m, %loop ]\n  store i32 %r, ptr %p", 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", SINKING)
def test_sinking_to_exits(why: str):
    ops, test, last, behind, left = SINKING[why]
    module = read_ll(f"""
        define void @f(ptr %p, i32 %n, i1 %b) {{
        entry:
          br label %loop
        loop:
          %i = phi i32 [ 0, %entry ], [ %next, %{last or "loop"} ]
          {ops}
          %next = add i32 %i, 1
          %c = icmp slt i32 %next, %n
          {test}
        exit:
          {behind}
          ret void
        }}""")
    for op in module.walk():
        if op.results and op.results[0].name_hint == "only":
            op.attributes[NODUPLICATE] = UnitAttr()
    run_pipeline(module, "loop-simplify,lcssa,licm")
    module.verify()
    func = function(module)
    loops = LoopInfo(func.regions[0])
    products = [op for op in func.walk() if op.name == "llvm.mul"]
    assert sum(loops.loop_for(op.parent) is not None for op in products) == left


def test_promotion_is_optional():
    assert is_left("llvm.store", "<disable-licm-promotion>", header=COUNT)


@pytest.mark.parametrize(("stated", "expected"), [(", align 16", 16), ("", 4), (", align 2", 2)])
def test_alignment_of_a_promoted_location(stated: str, expected: int):
    blocks = dict.fromkeys(("before", "header", "then", "latch", "exit"), "")
    blocks["header"] = COUNT.replace("ptr %p", f"ptr %p{stated}")
    module = read_ll(TEXT.format(**blocks))
    run_pipeline(module, "loop-simplify,lcssa,licm")
    accesses = [op for op in module.walk() if op.name in ("llvm.load", "llvm.store")]
    assert [stated_alignment(op) for op in accesses] == [expected] * 2


def test_a_location_that_is_only_written_is_not_read():
    """The loop certainly writes it."""
    assert _number_left("llvm.store", latch="store i32 %i, ptr %p") == 0
    blocks = dict.fromkeys(("before", "header", "then", "latch", "exit"), "")
    module = read_ll(TEXT.format(**{**blocks, "latch": "store i32 %i, ptr %p"}))
    run_pipeline(module, "loop-simplify,lcssa,licm")
    assert not any(op.name == "llvm.load" for op in module.walk())


def test_a_location_that_is_only_read_is_not_promoted():
    """A store after the loop would write it although nothing does."""
    latch = "%x = load i32, ptr %r\nstore volatile i32 %x, ptr %q"
    blocks = dict.fromkeys(("before", "header", "then", "latch", "exit"), "")
    module = read_ll(TEXT.format(**{**blocks, "latch": latch}))
    run_pipeline(module, "loop-simplify,lcssa,licm")
    stores = [op for op in module.walk() if op.name == "llvm.store"]
    assert len(stores) == 1


@pytest.mark.parametrize(("declared", "left"), [(DECLARED.format("!0"), True), ("", False)])
def test_places_in_alias_scopes_of_an_iteration_are_not_promoted(declared: str, left: bool):
    """In another iteration the load may be of the stored place."""
    parts = {"declared": declared, "read": "", "written": "", "inside": ""}
    text = SCOPES.format(**parts)
    text = text.replace("%x = load i32, ptr %r", "%x = load i32, ptr %o, !noalias !0")
    text = text.replace("store i32 %u, ptr %o", "store i32 %u, ptr %r, !alias.scope !0")
    lines = text.splitlines()
    place = next(n for n, line in enumerate(lines) if "%x = load" in line)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    module = read_ll("\n".join(lines))
    run_pipeline(module, "loop-simplify,lcssa,licm")
    module.verify()
    func = function(module)
    loops = LoopInfo(func.regions[0])
    (store,) = (op for op in func.walk() if op.name == "llvm.store")
    assert (loops.loop_for(store.parent) is not None) is left
