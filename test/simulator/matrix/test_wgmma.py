"""Matrix instructions of a warpgroup (PTX ISA, 9.7.15), compared with products of whole matrices."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers.machine_kernels import split
from helpers.warpgroup_kernels import (
    BASE,
    BITS,
    Product,
    Shared,
    check,
    codes,
    decoded,
    expected,
    fragments_of_d,
    inputs,
)

import nvvm_xdsl
from nvvm_xdsl.lab.behaviour import select
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import SimulationError, launch


@pytest.mark.parametrize(
    "opcode",
    [
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16",
        "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16",
        "wgmma.fence.sync.aligned",
        "wgmma.commit_group.sync.aligned",
        "wgmma.wait_group.sync.aligned",
    ],
)
def test_opcodes_of_matrix_products_are_synchronous_and_aligned(opcode: str):
    assert split(opcode)[1].startswith("sync.aligned")


# Layouts: 9.7.15.5.1.2


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("swizzle", [(0, 0), (32, 32), (64, 64), (128, 128), (0, 128), (128, 32)])
def test_layouts(swizzle: tuple[int, int], transposed: tuple[bool, bool]):
    check(Product(n=64, swizzle=swizzle, transposed=transposed))


@pytest.mark.parametrize(("swizzle", "part"), [(64, 1), (128, 1), (128, 2), (128, 3)])
def test_slices_of_a_swizzled_row(swizzle: int, part: int):
    """Along K the start address advances; the pattern does not move."""
    check(Product(swizzle=(swizzle, swizzle), part=part))


@pytest.mark.parametrize("n", [8, 24, 136, 256])
def test_widths(n: int):
    check(Product(n=n, swizzle=(32, 32)))


# Types: 9.7.15.5.2

TYPES = [
    ("f16", "f16", "f16"), ("f32", "f16", "f16"), ("f32", "bf16", "bf16"), ("f32", "tf32", "tf32"),
    ("f16", "e4m3", "e5m2"), ("f32", "e5m2", "e4m3"), ("f32", "e4m3", "e4m3"), ("f16", "e5m2", "e5m2"),
    ("s32", "s8", "s8"), ("s32", "u8", "u8"), ("s32", "s8", "u8"), ("s32", "u8", "s8"), ("s32", "b1", "b1"),
]  # fmt: skip


@pytest.mark.parametrize("a_in_registers", [False, True])
@pytest.mark.parametrize("types", TYPES, ids="-".join)
def test_types(types: tuple[str, str, str], a_in_registers: bool):
    check(Product(types=types, a_in_registers=a_in_registers))


def test_b_may_be_transposed_if_a_is_in_registers():
    check(Product(n=64, a_in_registers=True, transposed=(False, True)))


@pytest.mark.parametrize("signs", [(-1, 1), (1, -1), (-1, -1)])
def test_signs(signs: tuple[int, int]):
    check(Product(signs=signs))


@pytest.mark.parametrize("scale", [False, True, (0,), (128,)])
def test_scale_d(scale: Any):
    """If it is false the accumulators are not read, not even a NaN."""
    product = Product(scale=scale, checks=("init",))
    a, b, c = inputs(product)
    reads = scale is True or scale == (0,)
    if not reads:
        c[:] = np.nan
    want = expected(Product(scale=reads), a, b, c)
    assert [g.tolist() for g in product.run(a, b, c)] == [w.tolist() for w in want]


@pytest.mark.parametrize("saturate", [False, True])
def test_integers_wrap_or_saturate(saturate: bool):
    product = Product(types=("s32", "s8", "s8"), saturate=saturate)
    a, b, c = inputs(product)
    c[:32] = (1 << 31) - 1
    c[32:] = -(1 << 31)
    want = expected(product, a, b, c)
    assert [g.tolist() for g in product.run(a, b, c)] == [w.tolist() for w in want]


def test_products_are_exact_and_the_sum_is_rounded_once():
    """65504 * 65504 - 65504 * 65504 + 2 ** -20: the small term is not lost."""
    product = Product()
    a, b, c = (np.zeros_like(x) for x in inputs(product))
    a[:, 0] = a[:, 1] = np.float16(65504).view(np.uint16)
    b[:, 0], b[:, 1] = np.float16(65504).view(np.uint16), np.float16(-65504).view(np.uint16)
    a[:, 2] = b[:, 2] = np.float16(2**-10).view(np.uint16)
    got = product.run(a, b, c)
    assert {int(x) for register in got for x in register} == {
        int(np.float32(2**-20).view(np.uint32))
    }


def test_infinities_and_nan():
    product = Product()
    a, b, c = (np.zeros_like(x) for x in inputs(product))
    a[3, 5] = b[2, 5] = np.float16(np.inf).view(np.uint16)
    want = np.zeros((64, 16))
    want[3, :] = np.nan
    want[3, 2] = np.inf
    want[:, 2] = np.where(np.arange(64) == 3, np.inf, np.nan)
    got = np.array(product.run(a, b, c)).astype(np.uint32).view(np.float32)
    wanted = np.array(fragments_of_d(want, "f32")).astype(np.uint32).view(np.float32)
    assert np.array_equal(got, wanted, equal_nan=True)


# Sparse A: 9.7.15.6


def compressed(rng: np.random.Generator, product: Product) -> tuple[np.ndarray, ...]:
    """A sparse A: its stored elements, all its elements, and the metadata of 128 threads.

    Two of four neighbours are stored, of tf32 one of two; four bits of metadata hold the indices of two
    elements, of tf32 0b1110 for the second and 0b0100 for the first. Half-precision and tf32: thread
    `2 * selector + h` of each group has half `h` of row g in its lower 16 bits, of row g + 8 in its upper
    ones. Bytes: threads 0 and 1 have the first half of rows g and g + 8, threads 2 and 3 the second.
    """
    type_ = product.types[1]
    step = 2 if type_ == "tf32" else 4
    stored = codes(rng, (64, product.k // 2), type_)
    whole = np.zeros((64, product.k), stored.dtype)
    words = rng.integers(0, 1 << 32, 128).astype(np.uint64)
    filled: set[int] = set()
    for row in range(64):
        for chunk in range(product.k // step):
            if step == 2:
                index = int(rng.integers(2))
                nibble = 0b1110 if index else 0b0100
                whole[row, 2 * chunk + index] = stored[row, chunk]
            else:
                first, second = sorted(rng.choice(4, 2, replace=False))
                nibble = int(first | second << 2)
                whole[row, 4 * chunk + first] = stored[row, 2 * chunk]
                whole[row, 4 * chunk + second] = stored[row, 2 * chunk + 1]
            lane, upper = row // 16 * 32 + row % 8 * 4, row % 16 // 8
            if BITS[type_] == 8:
                lane += upper + 2 * (chunk // 8)
                bit = 4 * (chunk % 8)
            else:
                assert product.sparse is not None
                lane += 2 * product.sparse + chunk // 4
                bit = 16 * upper + 4 * (chunk % 4)
            if lane not in filled:
                words[lane] = 0
                filled.add(lane)
            words[lane] |= np.uint64(nibble << bit)
    return stored, whole, words


SPARSE = [
    (("f32", "f16", "f16"), 0), (("f16", "f16", "f16"), 1), (("f32", "bf16", "bf16"), 1),
    (("f32", "tf32", "tf32"), 0), (("f32", "tf32", "tf32"), 1), (("f32", "e4m3", "e5m2"), 0),
    (("s32", "s8", "u8"), 0), (("s32", "u8", "u8"), 0),
]  # fmt: skip


@pytest.mark.parametrize("a_in_registers", [False, True])
@pytest.mark.parametrize(("types", "selector"), SPARSE)
def test_sparse(types: tuple[str, str, str], selector: int, a_in_registers: bool):
    product = Product(
        types=types, sparse=selector, a_in_registers=a_in_registers, swizzle=(32, 64), n=24
    )
    _, b, c = inputs(product)
    stored, whole, words = compressed(np.random.default_rng(3), product)
    got = product.run(stored, b, c, words)
    assert [g.tolist() for g in got] == [w.tolist() for w in expected(product, whole, b, c)]


def test_sparse_matrices_may_be_transposed():
    product = Product(sparse=0, transposed=(True, True), swizzle=(128, 64), n=64)
    _, b, c = inputs(product)
    stored, whole, words = compressed(np.random.default_rng(4), product)
    got = product.run(stored, b, c, words)
    assert [g.tolist() for g in got] == [w.tolist() for w in expected(product, whole, b, c)]


def test_zeros_that_are_not_stored_are_not_multiplied_by_infinity():
    product = Product(sparse=0, swizzle=(32, 64))
    _, b, c = inputs(product)
    stored, _, words = compressed(np.random.default_rng(5), product)
    b[:] = np.float16(np.inf).view(np.uint16)
    stored[:] = np.float16(1).view(np.uint16)
    got = product.run(stored, b, c, words)
    assert {int(x) for register in got for x in register} == {0x7F800000}


def test_wrong_metadata_are_found():
    product = Product(sparse=0, swizzle=(32, 64))
    _, b, c = inputs(product)
    stored, _, words = compressed(np.random.default_rng(6), product)
    words[4] = 0b0101
    with pytest.raises(SimulationError, match="invalid sparse metadata 0b0101, of row 1 "):
        product.run(stored, b, c, words)


# Errors of programs


def test_threads_must_agree_on_descriptors():
    product = Product()

    def tamper(a_words, b_words):
        b_words[0][77] += 1

    with pytest.raises(SimulationError, match="different descriptors of B in the warpgroup"):
        product.run(*inputs(product), tamper=tamper)


def test_a_matrix_outside_of_shared_memory_is_found():
    product = Product()

    def tamper(a_words, b_words):
        a_words[0][:] |= 0x3FFF

    with pytest.raises(SimulationError, match="out of bounds: matrix at shared address 0x3f"):
        product.run(*inputs(product), tamper=tamper)


@pytest.mark.parametrize("a_in_registers", [False, True])
def test_uninitialized_elements_make_the_result_undefined(a_in_registers: bool):
    size = 0 if a_in_registers else 8192
    product = Product(checks=("init",), a_in_registers=a_in_registers, copied=size)
    with pytest.raises(SimulationError, match="which the kernel leaves undefined"):
        product.run(*inputs(product))
    product.copied = None
    product.run(*inputs(product))


def test_warpgroups_are_whole():
    product = Product(threads=160)
    with pytest.raises(
        SimulationError, match="160 threads are not a multiple of a warpgroup of 128"
    ):
        product.run(*inputs(product))


def test_warpgroups_are_independent():
    product = Product(threads=256)
    a, b, c = inputs(product)
    got = product.run(a, b, c)
    want = expected(product, a, b, c)
    for register, (mine, wanted) in enumerate(zip(got, want)):
        assert mine.tolist() == [*wanted, *wanted], f"register {register}"


def test_races_are_found():
    """Without the barrier, the copies of other threads are not ordered before the product."""
    product = Product(checks=("race",))
    product.run(*inputs(product))
    product.barrier = False
    with pytest.raises(SimulationError, match="a data race with thread"):
        product.run(*inputs(product))


def test_a_missing_proxy_fence_is_a_race():
    """wgmma reads through the async proxy: a barrier alone does not make stores visible to it."""
    product = Product(checks=("race",), proxy_fence=False)
    with pytest.raises(SimulationError, match="a data race with thread") as error:
        product.run(*inputs(product))
    assert any("fence.proxy.async" in note for note in error.value.notes)


def test_writes_before_the_wait_are_races():
    """The product may still read its matrices; the wait of one warp completes it for all."""
    product = Product(checks=("race",), swizzle=(32, 32), overwritten="after", n=64)
    product.run(*inputs(product))
    product.overwritten = "before"
    with pytest.raises(SimulationError, match="a data race with thread"):
        product.run(*inputs(product))


# The nvvm dialect's op

OP = """
llvm.mlir.global internal @s() {{addr_space = 3 : i32, alignment = 1024 : i64}} : !llvm.array<8192 x i8>
llvm.func @k(%image: !llvm.ptr<1>, %out: !llvm.ptr<1>, %a: i64, %b: i64) attributes {{nvvm.kernel}} {{
  %tid = nvvm.read.ptx.sreg.tid.x : i32
  %i = llvm.zext %tid : i32 to i64
  %s = llvm.mlir.addressof @s : !llvm.ptr<3>
  %from = llvm.getelementptr %image[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, !llvm.array<64 x i8>
  %to = llvm.getelementptr %s[%i] : (!llvm.ptr<3>, i64) -> !llvm.ptr<3>, !llvm.array<64 x i8>
  %data = llvm.load %from {{alignment = 16 : i64}} : !llvm.ptr<1> -> vector<16xi32>
  llvm.store %data, %to {{alignment = 16 : i64}} : vector<16xi32>, !llvm.ptr<3>
  nvvm.fence.proxy {{kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}}
  nvvm.barrier0
  %at = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {struct}
  %c = llvm.load %at : !llvm.ptr<1> -> {struct}
  %four = llvm.mlir.constant(4 : i64) : i64
  %address = llvm.ptrtoint %s : !llvm.ptr<3> to i64
  %start = llvm.lshr %address, %four : i64
  %da = llvm.add %a, %start : i64
  %db = llvm.add %b, %start : i64
  nvvm.wgmma.fence.aligned
  %d = nvvm.wgmma.mma_async %da, %db, %c, {form} : {struct} -> {struct}
  %e = nvvm.wgmma.mma_async %da, %db, %d, {form} : {struct} -> {struct}
  nvvm.wgmma.commit.group.sync.aligned
  nvvm.wgmma.wait.group.sync.aligned 0
  llvm.store %e, %at : {struct}, !llvm.ptr<1>
  llvm.return
}}
"""

FORMS = [
    (
        Product(swizzle=(32, 32), n=8, signs=(-1, 1)), "f32",
        "<m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <neg>, <row>], B[<f16>, <one>, <col>]",
    ),
    (
        Product(swizzle=(128, 0), n=8, transposed=(True, True)), "f32",
        "<m = 64, n = 8, k = 16>, D[<f32>, <one>], A[<f16>, <one>, <col>], B[<f16>, <one>, <row>]",
    ),
    (
        Product(types=("f16", "e4m3", "e5m2"), n=8, swizzle=(32, 0)), "i32",
        "<m = 64, n = 8, k = 32>, D[<f16>, <one>], A[<e4m3>, <one>, <row>], B[<e5m2>, <one>, <col>]",
    ),
    (
        Product(types=("s32", "s8", "u8"), n=8, swizzle=(32, 0)), "i32",
        "<m = 64, n = 8, k = 32>, D[<s32>, <one>], A[<s8>, <one>, <row>], B[<u8>, <one>, <col>]",
    ),
]  # fmt: skip


@pytest.mark.parametrize("level", ["ir", "optimized", "machine"])
@pytest.mark.parametrize(("product", "element", "form"), FORMS)
def test_the_op(product: Product, element: str, form: str, level: str):
    """Two products in sequence, the second added to the first."""
    d_type, a_type, b_type = product.types
    a, b, c = inputs(product)
    columns = fragments_of_d(c, d_type)
    shared = Shared()
    words = [
        shared.put(a, BITS[a_type], product.swizzle[0], product.transposed[0]),
        shared.put(b, BITS[b_type], product.swizzle[1], product.transposed[1]),
    ]
    shared.data += bytes(8192 - len(shared.data))
    image = np.frombuffer(bytes(shared.data), np.uint32)
    out = np.stack(columns, axis=1).astype(np.uint32)
    # Only the kernel can compute the address of its variable.
    words = [word - (BASE >> 4) for word in words]
    struct = f"!llvm.struct<({', '.join([element] * len(columns))})>"
    module = nvvm_xdsl.parse(OP.format(struct=struct, form=form))
    if level != "ir":
        run_pipeline(module, "nvopt<O3>")
    if level == "machine":
        module = select(module, "sm_90a")
    launch(module, "k", 1, 128, [image, out, *words], checks=["init", "race", "sync"])
    first = decoded(a, a_type) * product.signs[0] @ (decoded(b, b_type) * product.signs[1]).T
    want = np.stack(fragments_of_d(2 * first + c, d_type), axis=1)
    assert out.tolist() == want.tolist()
