"""Conditions of `process-restrict`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from helpers.optimized import TRIPLE, check_optimized

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.nvidia.spaces.process_restrict import ProcessRestrict

BODY = "%x = load i32, ptr %from\nstore i32 %x, ptr %to\nret void"
RESTRICT = "ptr noalias %a, ptr noalias %b, ptr %o"
CALL = "call void @f(ptr %a, ptr %b, i32 0)"


def function(
    body: str = BODY, linkage: str = "internal", parameters: str = "ptr %to, ptr %from, i32 %n"
) -> str:
    return f"define {linkage} void @f({parameters}) {{\n{body}\n}}\n"


def kernel(*lines: str, parameters: str = RESTRICT) -> str:
    return f"define ptx_kernel void @k({parameters}) {{\n" + "\n".join(lines) + "\nret void\n}\n"


MANY = "ptr noalias %a, ptr noalias %b, i1 %c, " + ", ".join(f"ptr noalias %p{n}" for n in range(8))
CHOOSE = "\n".join(
    f"%s{n} = select i1 %c, ptr %{f's{n - 1}' if n else 'a'}, ptr %p{n}" for n in range(8)
)
"""Chooses one of nine pointers: more than are traced."""
READS = "%x = load i32, ptr %from\nstore volatile i32 %x, ptr addrspace(3) null\nret void"
NOT_HANDED = ("@f(ptr %to, ptr %from, i32 %n)",)

PROPAGATED = {
    "each call passes restrict pointers": (
        function() + kernel(CALL), "@f(ptr noalias %to, ptr noalias %from, i32 %n)",
    ),
    "a pointer that is not restrict": (
        function() + kernel(CALL, parameters="ptr %a, ptr %b"), *NOT_HANDED,
    ),
    "a loaded pointer": (
        function() + kernel("%v = load ptr, ptr %o", CALL.replace("%b", "%v")),
        "@f(ptr noalias %to, ptr %from, i32 %n)",
    ),
    "an escaped pointer": (
        function() + kernel("store ptr %a, ptr %o", CALL), "@f(ptr %to, ptr noalias %from, i32 %n)",
    ),
    "a variable": (
        "@g = global i32 0\n" + function() + kernel(CALL.replace("%b", "@g")),
        "@f(ptr noalias %to, ptr %from, i32 %n)",
    ),
    "one pointer twice": (function() + kernel(CALL.replace("%b", "%a")), *NOT_HANDED),
    "other modules may call it": (function(linkage="") + kernel(CALL), *NOT_HANDED),
    "its address is taken": (function() + kernel(CALL, "store ptr @f, ptr %o"), *NOT_HANDED),
    "one of many pointers": (
        function() + kernel(CHOOSE, CALL.replace("%b", "%s7"), parameters=MANY), *NOT_HANDED,
    ),
    "a copy of the callee": (
        function(parameters="ptr byval(i32) %to, ptr %from, i32 %n")
        + kernel(CALL.replace("ptr %a", "ptr byval(i32) %a")),
        "@f(ptr byval(i32) %to, ptr noalias %from, i32 %n)",
    ),
}  # fmt: skip

READ = {
    "a restrict pointer": (
        kernel("%x = load i32, ptr %a", "store i32 %x, ptr %b"), "noalias readonly %a", "invariant.load",
    ),
    "a recursive function": (
        function(READS.replace("ret void", "call void @f(ptr %to, ptr %from, i32 %n)\nret void"))
        + kernel(CALL),
        "noalias readonly %a", "invariant.load",
    ),
    "a function that other modules call": (
        function(READS, linkage="") + kernel(CALL), "!invariant.load",
    ),
    "one of many pointers": (
        kernel(CHOOSE, "%x = load i32, ptr %s7", "store i32 %x, ptr %b", parameters=MANY),
        "!invariant.load",
    ),
    "a function that gets one of many pointers": (
        function(READS) + kernel(CHOOSE, CALL.replace("%b", "%s7"), parameters=MANY),
        "!invariant.load",
    ),
    "shared memory": (
        kernel("%x = load i32, ptr addrspace(3) %s", "store i32 %x, ptr %b",
               parameters="ptr addrspace(3) noalias %s, ptr noalias %b"),
        "!invariant.load",
    ),
    "a copy of the kernel": (
        kernel("%x = load i32, ptr %s", "store i32 %x, ptr %b",
               parameters="ptr byval(i32) noalias %s, ptr noalias %b"),
        "!readonly",
    ),
    "a kernel declares no scopes": (
        kernel("%x = load i32, ptr %a", "store i32 %x, ptr %b"), "!scope.decl",
    ),
    "a function declares its scopes": (
        function(parameters="ptr noalias %to, ptr noalias %from, i32 %n"), "scope.decl",
    ),
    "a store to a slot if the pointer escapes": (
        kernel("%s = alloca i32", "store ptr %a, ptr %o", "store i32 1, ptr %s", "store i32 2, ptr %a"),
        "store i32 1, ptr %s, align 4, !noalias",
    ),
    "a store to a variable": (
        "@g = global i32 0\n" + kernel("store i32 1, ptr @g", "store i32 2, ptr %a"),
        "store i32 1, ptr @g, align 4, !noalias",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", PROPAGATED)
def test_condition_of_propagation(why: str):
    check_optimized("process-restrict<propagate-only>", *PROPAGATED[why])


@pytest.mark.parametrize("why", READ)
def test_condition_of_read_only_memory_and_scopes(why: str):
    check_optimized("process-restrict", *READ[why])


def test_only_arguments_of_kernels_become_restrict():
    check_optimized(
        "process-restrict<kernel-params-restrict>", function() + kernel(parameters="ptr %a"),
        "@k(ptr noalias", *NOT_HANDED,
    )  # fmt: skip


@pytest.mark.parametrize(
    "text", [PROPAGATED["each call passes restrict pointers"][0], READ["a restrict pointer"][0]]
)
def test_the_second_run_changes_nothing(text: str):
    module = read_ll(TRIPLE + text)
    assert ProcessRestrict().run(module, AnalysisManager())
    assert not ProcessRestrict().run(module, AnalysisManager())
