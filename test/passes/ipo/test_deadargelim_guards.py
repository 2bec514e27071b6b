"""Conditions of `deadargelim`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from helpers.optimized import TRIPLE, check_optimized

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.ipo.deadargelim import DeadArgumentElimination


def program(function: str, *lines: str, before: str = "") -> str:
    """Returns a module with an internal function and a kernel."""
    return (
        f"{before}\ndeclare void @sink(i32)\ndefine internal {function}\n"
        "define ptx_kernel void @k(ptr %p, i32 %n) {\n" + "\n".join(lines) + "\nret void\n}\n"
    )


FIRST = "%v = extractvalue {i32, i32} %r, 0\nstore i32 %v, ptr %p"
SECOND = FIRST.replace("%r, 0", "%r, 1")
CALL = "%r = call {i32, i32} @f(i32 %n)"
NESTED = "{i32, {i32, i32}}"
INNER = "define internal i32 @g(i32 %y) {\n%z = mul i32 %y, %y\nret i32 %z\n}\n"

CASES = {
    # Arguments.
    "no result": (program("void @f(i32 %x) {\nret void\n}", "call void @f(i32 %n)"), "void @f() {"),
    "an argument of an unknown function": (
        program("void @f(i32 %x) {\ncall void @sink(i32 %x)\nret void\n}", "call void @f(i32 %n)"),
        "@f(i32 %x)", "@sink(i32 %x)", "@f(i32 %n)",
    ),
    "an unused field": (
        program("{i32, i32} @f(i32 %x) {\n%a = insertvalue {i32, i32} undef, i32 %x, 0\n"
                "%b = insertvalue {i32, i32} %a, i32 7, 1\nret {i32, i32} %b\n}", CALL, SECOND),
        "@f() {",
    ),
    "a partial struct that is used twice": (
        program("{i32, i32} @f(i32 %x) {\n%a = insertvalue {i32, i32} undef, i32 %x, 0\n"
                "%c = extractvalue {i32, i32} %a, 0\ncall void @sink(i32 %c)\n"
                "%b = insertvalue {i32, i32} %a, i32 7, 1\nret {i32, i32} %b\n}", CALL, SECOND),
        "@f(i32 %x)",
    ),
    "a field of a field": (
        program(f"{NESTED} @f(i32 %x) {{\n%a = insertvalue {{i32, i32}} undef, i32 %x, 0\n"
                f"%b = insertvalue {NESTED} undef, {{i32, i32}} %a, 1\nret {NESTED} %b\n}}",
                f"%r = call {NESTED} @f(i32 %n)", f"%v = extractvalue {NESTED} %r, 1, 0",
                "store i32 %v, ptr %p"),
        "@f(i32 %x)",
    ),
    "a struct that is stored": (
        program("i32 @f(i32 %x, ptr %q) {\n%a = insertvalue {i32, i32} undef, i32 %x, 0\n"
                "store {i32, i32} %a, ptr %q\nret i32 0\n}", "%r = call i32 @f(i32 %n, ptr %p)"),
        "void @f(i32 %x, ptr %q)",
    ),
    "a struct that a field is inserted into": (
        program("{i32, i32} @f({i32, i32} %x) {\n%a = insertvalue {i32, i32} %x, i32 7, 0\n"
                "ret {i32, i32} %a\n}",
                "%x = load {i32, i32}, ptr %p", CALL.replace("i32 %n", "{i32, i32} %x"), SECOND),
        "@f({ i32, i32 } %x)",
    ),
    "returned arguments": (
        program("i32 @f(i32 returned %x) {\ncall void @sink(i32 %x)\nret i32 %x\n}",
                "%r = call i32 @f(i32 returned %n)"),
        "void @f(i32 %x)", "call void @f(i32 %n)",
    ),
    # Results.
    "a result that is stored": (
        program("{i32, i32} @f(i32 %x) {\n%a = insertvalue {i32, i32} undef, i32 %x, 0\n"
                "ret {i32, i32} %a\n}", CALL, "store {i32, i32} %r, ptr %p"),
        "{ i32, i32 } @f(i32 %x)",
    ),
    "an element of an array": (
        program("[2 x i32] @f(i32 %x) {\n%a = insertvalue [2 x i32] undef, i32 %x, 1\n"
                "ret [2 x i32] %a\n}", "%r = call [2 x i32] @f(i32 %n)",
                "%v = extractvalue [2 x i32] %r, 1", "store i32 %v, ptr %p"),
        "[2 x i32] @f(i32 %x)",
    ),
    "a result that an unused argument gets": (
        program("void @f(i32 %x) {\nret void\n}", "%r = call i32 @g(i32 %n)",
                "call void @f(i32 %r)", before=INNER),
        "void @g(i32 %y)", "void @f()",
    ),
    "a result that a used argument gets": (
        program("void @f(i32 %x) {\ncall void @sink(i32 %x)\nret void\n}",
                "%r = call i32 @g(i32 %n)", "call void @f(i32 %r)", before=INNER),
        "i32 @g(i32 %y)", "void @f(i32 %x)",
    ),
    "a result in a result of a visible function": (
        INNER + "define {i32, i32} @h(i32 %x) {\n%r = call i32 @g(i32 %x)\n"
        "%a = insertvalue {i32, i32} zeroinitializer, i32 %r, 0\nret {i32, i32} %a\n}\n",
        "i32 @g(i32 %y)",
    ),
    "an unused result and used arguments": (
        program("i32 @f(i32 %x) {\ncall void @sink(i32 %x)\nret i32 %x\n}", "%r = call i32 @f(i32 %n)"),
        "void @f(i32 %x)",
    ),
    **{
        f"two of three fields{what}": (
            program(f"{left}i32, float, i32{right} @f(i32 %x) {{\n"
                    f"%a = insertvalue {left}i32, float, i32{right} undef, i32 %x, 0\n"
                    f"%b = insertvalue {left}i32, float, i32{right} %a, i32 %x, 2\n"
                    f"ret {left}i32, float, i32{right} %b\n}}",
                    f"%r = call {left}i32, float, i32{right} @f(i32 %n)",
                    f"%v = extractvalue {left}i32, float, i32{right} %r, 0",
                    f"%w = extractvalue {left}i32, float, i32{right} %r, 2",
                    "store i32 %v, ptr %p", "store i32 %w, ptr %p"),
            f"internal {left} i32, i32 {right} @f(i32 %x)",
        )
        for what, left, right in (("", "{", "}"), (", packed", "<{", "}>"))
    },
    # Calls of visible functions.
    "an unused copy of a visible function": (
        "define void @g(ptr byval(i32) %x) {\nret void\n}\n"
        "define ptx_kernel void @k(ptr %p) {\ncall void @g(ptr byval(i32) %p)\nret void\n}\n",
        "call void @g(ptr byval(i32) %p)",
    ),
    "an argument that the call promises to be defined": (
        "define void @g(i32 %x, i32 %y) {\nret void\n}\n"
        "define ptx_kernel void @k(i32 %n) {\ncall void @g(i32 noundef %n, i32 %n)\nret void\n}\n",
        "call void @g(i32 noundef %n, i32 poison)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    check_optimized("deadargelim", *CASES[why])


@pytest.mark.parametrize(
    "why", ["a result that is stored", "an argument that the call promises to be defined"]
)
def test_the_second_run_changes_nothing(why: str):
    module = read_ll(TRIPLE + CASES[why][0])
    DeadArgumentElimination().run(module, AnalysisManager())
    assert not DeadArgumentElimination().run(module, AnalysisManager())


@pytest.mark.parametrize("why", ["no result", "an unused result and used arguments"])
def test_no_poison_without_a_use(why: str):
    module = read_ll(TRIPLE + CASES[why][0])
    assert DeadArgumentElimination().run(module, AnalysisManager())
    assert not any(op.name == "llvm.mlir.poison" for op in module.walk())
