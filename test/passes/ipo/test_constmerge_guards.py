"""Conditions of `constmerge`: each case is a module, and text that it has, or has not after `!`, afterwards."""

from __future__ import annotations

import pytest
from helpers.optimized import check_optimized


def program(first: str, second: str) -> str:
    """Returns a module with the variables `a` and `b` of these kinds, whose addresses a function uses."""
    space = "addrspace(1) "
    variables = (
        f"@{name} = {kind} i32 5\n".replace("constant", f"{space}constant").replace(
            "global", f"{space}global"
        )
        for name, kind in (("a", first), ("b", second))
    )
    return "".join(variables) + (
        "define i1 @f() {\n%c = icmp eq ptr addrspace(1) @a, @b\nret i1 %c\n}\n"
    )  # fmt: skip


UNNAMED = "internal unnamed_addr constant"
NAMED = "internal constant"
MERGED = ("@a", "!@b")
KEPT = ("@a", "@b")

CASES = {
    "both addresses are insignificant": (program(UNNAMED, UNNAMED), *MERGED, "unnamed_addr"),
    "the second address is insignificant": (program(NAMED, UNNAMED), *MERGED, "!unnamed_addr"),
    "the first address is insignificant": (program(UNNAMED, NAMED), *MERGED, "!unnamed_addr"),
    "both addresses are significant": (program(NAMED, NAMED), *KEPT),
    "variables": (
        program("internal unnamed_addr global", "internal unnamed_addr global"), *KEPT,
    ),
    "both are visible": (program("unnamed_addr constant", "unnamed_addr constant"), *KEPT),
    "a section": (
        program(UNNAMED, UNNAMED).replace("i32 5", 'i32 5, section "s"'), *KEPT,
    ),
    "one per thread": (
        program(UNNAMED, UNNAMED).replace("internal", "internal thread_local"), *KEPT,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_condition(why: str):
    check_optimized("constmerge", *CASES[why])
