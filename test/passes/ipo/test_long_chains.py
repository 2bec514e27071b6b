"""Functions that call each other a thousand deep: no pass recurses over nested calls."""

from __future__ import annotations

import sys

import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

DEPTH = 1200


def chain() -> str:
    """Returns a kernel and a chain of functions, each of which passes a constant and a pointer to the next."""
    lines = [
        "define ptx_kernel void @k(ptr %p) {",
        "  %r = call i32 @f0(ptr %p, i32 5, i32 1)",
        "  store i32 %r, ptr %p",
        "  ret void",
        "}",
    ]
    for number in range(DEPTH):
        lines += [
            f"define internal i32 @f{number}(ptr %p, i32 %x, i32 %unused) noinline {{",
            f"  %r = call i32 @f{number + 1}(ptr %p, i32 %x, i32 %unused)",
            "  ret i32 %r",
            "}",
        ]
    lines += [
        f"define internal i32 @f{DEPTH}(ptr %p, i32 %x, i32 %unused) noinline {{",
        "  %y = add i32 %x, 2",
        "  store i32 %y, ptr %p",
        "  ret i32 %y",
        "}",
    ]
    return "\n".join(lines)


PASSES = (
    "ipsccp", "function-attrs", "argpromotion", "deadargelim", "attributor", "globaldce", "globalopt", "mergefunc", "inline",
)  # fmt: skip


@pytest.mark.parametrize("name", PASSES)
def test_a_chain_of_calls(name: str):
    assert sys.getrecursionlimit() < 2 * DEPTH
    module = read_ll(chain())
    run_pipeline(module, name)
    if name == "ipsccp":
        # The constant propagates to the last function, and its result back to the kernel.
        assert str(module).count("constant(7 : i32)") == DEPTH + 2
