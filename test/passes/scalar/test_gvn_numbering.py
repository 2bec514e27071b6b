"""Conditions of value numbering in `gvn`: equal values, and facts from branches."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.gvn import GVN
from nvvm_xdsl.passes.scalar.gvn_numbering import MAX_USES

TEXT = """
define void @f(ptr %p, ptr %r, i32 %a, i32 %b, float %x, float %y, i1 %c) {{
{body}
}}
"""


def run(body: str, options: str = "") -> tuple[Operation, bool]:
    """Returns the function after the pass, and whether the pass reports a change."""
    func = function(read_ll(TEXT.format(body=body)))
    changed = GVN(**{name: False for name in options.split()}).run_on_function(
        func, AnalysisManager()
    )  # type: ignore[arg-type]
    func.verify()
    return func, changed


def number_of_ops(body: str, name: str, options: str = "") -> int:
    return sum(op.name == f"llvm.{name}" for op in run(body, options)[0].walk())


ARMS = "br i1 %c, label %one, label %two\none:\n{}\nbr label %join\ntwo:\n{}\nbr label %join\njoin:\n{}\nret void"

UNCHANGED = {
    "a block argument": ARMS.format("", "", "%v = phi i32 [%a, %one], [%b, %two]\nstore i32 %v, ptr %p"),
    "two block arguments": ARMS.format(
        "", "", "%v = phi i32 [%a, %one], [%b, %two]\n%w = phi i32 [%b, %one], [%a, %two]\n"
        "store i32 %v, ptr %p\nstore i32 %w, ptr %r",
    ),
    "a branch on a constant": "br i1 true, label %one, label %two\none:\nret void\n"
    "two:\nstore i1 true, ptr %p\nret void",
    "a switch on a constant": "switch i32 5, label %two [i32 3, label %one]\none:\nstore i32 5, ptr %p\n"
    "ret void\ntwo:\nret void",
    "a branch without a condition": "br label %one\none:\nstore i32 %a, ptr %p\nret void",
    "a branch on a loaded value": "%l = load i1, ptr %p\nbr i1 %l, label %one, label %two\none:\nret void\n"
    "two:\nret void",
    "an equality of two floats": "%e = fcmp oeq float %x, %y\nbr i1 %e, label %one, label %two\n"
    "one:\nstore float %x, ptr %p\nstore float %y, ptr %p\nret void\ntwo:\nret void",
    "an equality of a type with unknown denormals": "%z = load fp128, ptr %p\n"
    "%e = fcmp oeq fp128 %z, 0xL00000000000000003FFF000000000000\nbr i1 %e, label %one, label %two\n"
    "one:\nstore fp128 %z, ptr %r\nret void\ntwo:\nret void",
    "an equality of two pointers, which may belong to different objects": "%e = icmp eq ptr %p, %r\n"
    "br i1 %e, label %one, label %two\none:\nstore i32 %a, ptr %p\nstore i32 %b, ptr %r\nret void\ntwo:\nret void",
}  # fmt: skip


@pytest.mark.parametrize("why", UNCHANGED)
def test_nothing_is_known(why: str):
    assert not run(UNCHANGED[why])[1]


def test_an_inverse_that_is_known_before_a_branch_keeps_its_number():
    body = (
        "%g = icmp sge i32 %a, %b\nstore i1 %g, ptr %p\n%e = icmp slt i32 %a, %b\n"
        f"{ARMS.replace('%c', '%e').format('', '', '%h = icmp sge i32 %a, %b{}store i1 %h, ptr %p').format(chr(10))}"
    )
    assert number_of_ops(body, "icmp") == 2


def test_a_limited_number_of_uses_is_visited():
    stores = "store i32 %a, ptr %p\n" * (MAX_USES + 2)
    body = f"%e = icmp eq i32 %a, 0\nbr i1 %e, label %one, label %two\none:\n{stores}ret void\ntwo:\nret void"
    func, _ = run(body)
    assert len(list(func.regions[0].blocks[0].args[2].uses)) == 3  # pyright: ignore


@pytest.mark.parametrize(("options", "divisions", "roots"), [("", 0, 2), ("pre", 1, 2)])
def test_costly_expressions_that_cannot_trap_move_into_predecessors(
    options: str, divisions: int, roots: int
):
    """The quotient in `join` is available in `one`."""
    body = ARMS.format(
        "%q = fdiv float %x, %y\nstore float %q, ptr %p", "",
        "%q2 = fdiv float %x, %y\nstore float %q2, ptr %r",
    )  # fmt: skip
    join = list(run(body, options)[0].regions[0].blocks)[-1]
    assert sum(op.name == "llvm.fdiv" for op in join.ops) == divisions
    assert number_of_ops(body, "fdiv", options) == roots


def test_no_pre_includes_loads():
    body = ARMS.format("%l = load i32, ptr %p", "", "%m = load i32, ptr %p\nstore i32 %m, ptr %r")
    assert not run(body, "pre")[1]


# Ops that only read.

NO_OTHER_MEMORY = "".join(
    f", {name} = none" for name in "inaccessibleMem errnoMem targetMem0 targetMem1".split()
)


def reader(effects: str, more: str, type_: str) -> str:
    """Returns a call with these effects on memory."""
    memory = f"other = {effects}, argMem = {effects}{NO_OTHER_MEMORY}"
    return (
        f"llvm.call @g(%p) {{no_unwind, will_return, {more}memory_effects = #llvm.memory_effects<{memory}>}} : "
        f"(!llvm.ptr) -> {type_}"
    )


READERS = {
    "a read": ("read", "nvvm.noconvergent, ", 1),
    "not a convergent read": ("read", "", 2),
    "not a write": ("readwrite", "nvvm.noconvergent, ", 2),
}


@pytest.mark.parametrize("why", READERS)
def test_equal_reads(why: str):
    effects, more, left = READERS[why]
    call = reader(effects, more, "i32")
    func = function(
        parse_module(
            f"llvm.func @g(!llvm.ptr) -> i32\nllvm.func @f(%p: !llvm.ptr) -> i32 {{\n%x = {call}\n"
            f"%y = {call}\n%s = llvm.add %x, %y : i32\nllvm.return %s : i32\n}}"
        )
    )
    GVN().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]
    assert sum(op.name == "llvm.call" for op in func.walk()) == left


def test_a_read_without_a_result_is_kept():
    call = reader("read", "nvvm.noconvergent, ", "()")
    func = function(
        parse_module(
            f"llvm.func @g(!llvm.ptr)\nllvm.func @f(%p: !llvm.ptr) {{\n{call}\n{call}\nllvm.return\n}}"
        )
    )
    assert not GVN().run_on_function(func, AnalysisManager())  # type: ignore[arg-type]
