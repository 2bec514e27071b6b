"""Bypassed divisions compute the quotient."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour

EDGES = [
    0, 1, 2, 3, 7, 10, 255, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**33 - 5,
    2**63 - 1, 2**63, 2**64 - 1, 2**64 - 7, 12345678901234567890,
]  # fmt: skip

KINDS = {
    "unsigned": ("udiv", "urem", "%a", "%b"),
    "signed": ("sdiv", "srem", "%a", "%b"),
    "short dividend": ("udiv", "urem", "%sa", "%b"),
    "short signed dividend": ("sdiv", "srem", "%sa", "%b"),
    "short divisor": ("sdiv", "srem", "%a", "%sb"),
    "both short": ("udiv", "urem", "%sa", "%sb"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_division(kind: str):
    div, rem, a, b = KINDS[kind]
    text = f"""
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr %in, ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %i = zext i32 %t to i64
      %p = getelementptr [2 x i64], ptr %in, i64 %i
      %p1 = getelementptr i64, ptr %p, i64 1
      %a = load i64, ptr %p
      %b = load i64, ptr %p1
      %sa = and i64 %a, 4294967295
      %sb = and i64 %b, 4294967295
      %r = {rem} i64 {a}, {b}
      %slot = alloca i64
      store i64 %r, ptr %slot
      %q = {div} i64 {a}, {b}
      %r2 = load i64, ptr %slot
      %o = getelementptr [2 x i64], ptr %out, i64 %i
      %o1 = getelementptr i64, ptr %o, i64 1
      store i64 %q, ptr %o
      store i64 %r2, ptr %o1
      ret void
    }}"""
    pairs = [
        (x, y)
        for x in EDGES
        for y in EDGES
        if y
        and (("short divisor" != kind and "both" not in kind) or y & 0xFFFFFFFF)
        and not ("signed" in kind and kind != "unsigned" and x == 2**63 and y == 2**64 - 1)
        and not (kind == "short divisor" and x == 2**63)
    ]
    data = np.array(pairs, np.uint64).reshape(-1)
    launch = Launch("k", 1, len(pairs), (data, np.zeros_like(data)))
    assert_same_behaviour(read_ll(text), "bypass-slow-division", [launch])
