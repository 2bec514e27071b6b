"""`reassociate` extracts factors of sums and of chains of addresses without changing their values."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given, settings
from hypothesis import strategies as st
from xdsl.dialects.llvm import MulOp

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.passes.scalar.reassociate_factors import FACTORED, MAX_TERMS
from nvvm_xdsl.pipeline import run_pipeline

KERNEL = """
    target triple = "nvptx64-nvidia-cuda"
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr %in, ptr %out) {{
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %i = zext i32 %t to i64
      %p = getelementptr [4 x i{width}], ptr %in, i64 %i
      %p1 = getelementptr i{width}, ptr %p, i64 1
      %p2 = getelementptr i{width}, ptr %p, i64 2
      %v0 = load i{width}, ptr %p
      %v1 = load i{width}, ptr %p1
      %b = load i{width}, ptr %p2
      %v2 = or i{width} %b, 1
      %v3 = udiv i{width} %v0, %v2
      %v4 = urem i{width} %v0, %v2
      %v5 = sdiv i{width} %v1, 4
      %v6 = shl i{width} %v5, 2
      %v7 = sub i{width} %v1, %v6
      {body}
      %o = getelementptr i{width}, ptr %out, i64 %i
      store i{width} %sum, ptr %o
      ret void
    }}"""

TERMS = st.lists(
    st.tuples(
        st.sampled_from([1, 2, 4, -1, -4]),
        st.lists(st.integers(0, 7), min_size=0, max_size=3),
        st.booleans(),
    ),
    min_size=2,
    max_size=5,
)


def kernel(terms: list[tuple[int, list[int], bool]], width: int, addresses: bool) -> str:
    """A kernel that adds products of values, or advances a pointer by them."""
    lines: list[str] = []
    total = "null" if addresses else "0"
    for number, (coefficient, factors, subtract) in enumerate(terms):
        product = str(coefficient)
        for place, factor in enumerate(factors):
            name = f"%m{number}_{place}"
            lines.append(f"{name} = mul i{width} %v{factor}, {product}")
            product = name
        if addresses:
            lines.append(f"%s{number} = getelementptr i16, ptr {total}, i64 {product}")
        else:
            kind = "sub" if subtract else "add"
            lines.append(f"%s{number} = {kind} i{width} {total}, {product}")
        total = f"%s{number}"
    if addresses:
        lines.append(f"%sum = ptrtoint ptr {total} to i64")
    else:
        lines.append(f"%sum = add i{width} {total}, 0")
    return KERNEL.format(width=width, body="\n      ".join(lines))


@given(TERMS, st.sampled_from([16, 32, 64]), st.booleans())
@example([(4, [5], False), (1, [7], False), (2, [6], False), (2, [7], False)], 32, False)
@example([(8, [5, 0], False), (2, [7, 0], False), (1, [6], True), (-1, [7], False)], 64, True)
@settings(max_examples=12, derandomize=True, deadline=None)
def test_values_remain(terms: list[tuple[int, list[int], bool]], width: int, addresses: bool):
    width = 64 if addresses else width
    rng = np.random.default_rng(1)
    data = rng.integers(0, 2**width, 4 * 8, np.uint64).astype(f"uint{width}")
    launch = Launch("k", 1, 8, (data, np.zeros(8, data.dtype)))
    assert_same_behaviour(read_ll(kernel(terms, width, addresses)), "reassociate", [launch])


def test_long_sums_remain():
    """The time that a sum takes is limited."""
    for count, factored in ((MAX_TERMS, True), (MAX_TERMS + 1, False)):
        terms = [(number + 1, [0] * number + [1, 2], False) for number in range(count)]
        module = read_ll(kernel(terms, 32, False))
        before = FACTORED.value
        data = np.arange(32, dtype=np.uint32)
        launch = Launch("k", 1, 8, (data, np.zeros(8, np.uint32)))
        assert_same_behaviour(module, "reassociate", [launch])
        assert (FACTORED.value > before) == factored


def test_deep_sums():
    """A sum of thousands of equal products needs no recursion."""
    terms = [(1, [0, 1 + number % 2], False) for number in range(1500)]
    module = read_ll(kernel(terms, 32, False))
    run_pipeline(module, "reassociate")
    products = [op for op in module.walk() if isinstance(op, MulOp)]
    assert len(products) == 2
