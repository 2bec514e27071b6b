"""Lookups in local arrays that `memcpyopt` packs have the value of the element, for each index."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.verified import verify

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import PassManager
from nvvm_xdsl.simulator import launch


def kernel(width: int, elements: list[int], byte: int, index: str) -> str:
    """Returns a kernel in which each thread stores the element of its number."""
    size = width // 8
    kind = f"[{len(elements)} x i{width}]"
    filled = int.from_bytes(bytes([byte]) * size)
    stores = "\n".join(
        f"%p{n} = getelementptr {kind}, ptr %t, i32 0, i32 {n}\nstore i{width} {value}, ptr %p{n}"
        for n, value in enumerate(elements)
        if value != filled
    )
    return f"""
    target triple = "nvptx64-nvidia-cuda"
    declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr %out) {{
      %t = alloca {kind}
      %id = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %wide = zext i32 %id to i64
      %narrow = trunc i32 %id to i8
      call void @llvm.memset.p0.i64(ptr %t, i8 {byte}, i64 {size * len(elements)}, i1 false)
      {stores}
      %at = getelementptr {kind}, ptr %t, i32 0, {index}
      %x = load i{width}, ptr %at
      %to = getelementptr i{width}, ptr %out, i32 %id
      store i{width} %x, ptr %to
      ret void
    }}"""


@pytest.mark.parametrize("index", ["i32 %id", "i64 %wide", "i8 %narrow"])
@pytest.mark.parametrize(
    ("width", "elements", "byte"),
    [
        (32, [0, 1, 2, 0, 0, 1, 1, 2, 2], 0),
        (32, [0, 7, 0, 5, 3, 0, 1, 4, 6, 2, 0, 1, 7], 0),
        (64, [3, 0, 1], 0),
        (16, [0, 1, 1, 0], 0),
        (8, [255, 1, 255, 254], 255),
        (8, [0, 0, 0], 0),
    ],
)
def test_each_index(width: int, elements: list[int], byte: int, index: str):
    module = read_ll(kernel(width, elements, byte, index))
    PassManager("memcpyopt").run(module)
    verify(module)
    assert not any(op.name == "llvm.alloca" for op in module.walk())
    out = np.zeros(len(elements), f"uint{width}")
    launch(module, "k", 1, len(elements), [out])
    assert out.tolist() == elements
