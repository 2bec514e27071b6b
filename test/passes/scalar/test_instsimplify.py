"""Conditions of `instsimplify`: each case is the body of a function, and the names of the remaining ops."""

from __future__ import annotations

import pytest
from helpers.modules import parse_module

from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
llvm.func @f(%x: i32, %p: !llvm.ptr) {{
%zero = llvm.mlir.constant(0 : i32) : i32
{body}
llvm.return
}}
"""
BARRIER = 'llvm.call_intrinsic "llvm.nvvm.barrier.cta.sync.aligned.all"({}) : (i32) -> ()'

CASES = {
    "a call of an intrinsic without a result": (BARRIER.format("%x"), ["call_intrinsic"]),
    "a user without a result": (
        "%a = llvm.add %x, %zero : i32\n" + BARRIER.format("%a"), ["call_intrinsic"],
    ),
    "an unused result of an op with effects": (
        '%a = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32', ["call_intrinsic"],
    ),
    "not an unused load": ("%a = llvm.load %p : !llvm.ptr -> i32", ["load"]),
    "not an unused load that uses a simplified value": (
        "%a = llvm.getelementptr %p[0] : (!llvm.ptr) -> !llvm.ptr, i8\n%b = llvm.load %a : !llvm.ptr -> i32", ["load"],
    ),
    "not a load that an erased op used": (
        "%a = llvm.load %p : !llvm.ptr -> i32\n%b = llvm.add %a, %x : i32", ["load"],
    ),
    "operands of an unused op": ("%a = llvm.mul %x, %x : i32\n%b = llvm.add %a, %x : i32", []),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_ops(why: str):
    body, names = CASES[why]
    module = parse_module(TEXT.format(body=body))
    run_pipeline(module, "instsimplify")
    module.verify()
    assert [
        op.name.removeprefix("llvm.")
        for op in module.walk()
        if op.parent is not None
        and op.name not in ("llvm.func", "llvm.mlir.constant", "llvm.return")
    ] == names
