"""Matrix instructions of a warpgroup (PTX ISA, 9.7.15), beside plain products of whole matrices.

Matrices are put into shared memory and into fragments here by what the text says: swizzle atoms of
8 rows (Table 38 and its figures), and the rows and columns that 9.7.15.5.1.1 gives for each thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from machine_kernels import Kernel, split
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.dialects.nvptx import (
    B32,
    B64,
    F32,
    PRED,
    REG,
    addr,
    global_variable,
    imm,
    layout,
    sym,
    vec,
)
from nvvm_xdsl.pipeline.manager import run_pipeline
from nvvm_xdsl.simulator import SimulationError, launch
from nvvm_xdsl.testing.behaviour import select

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1": 1}
BASE = 1024
"""Where the only shared variable lies."""

# The order of 16-byte chunks in the eight rows of a swizzle atom: Figures 156 to 163.
ATOMS = {
    0: ["0"] * 8,
    32: ["01"] * 4 + ["10"] * 4,
    64: ["0123"] * 2 + ["1032"] * 2 + ["2301"] * 2 + ["3210"] * 2,
    128: [
        "01234567", "10325476", "23016745", "32107654",
        "45670123", "54761032", "67452301", "76543210",
    ],
}  # fmt: skip
MODE = {0: 0, 128: 1, 64: 2, 32: 3}


def decoded(code: np.ndarray, type_: str) -> np.ndarray:
    """The values of elements, from their bits."""
    raw = code.astype(np.int64)
    if type_ == "f16":
        return code.astype(np.uint16).view(np.float16).astype(np.float64)
    if type_ == "bf16":
        return (code.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    if type_ == "tf32":
        return (code.astype(np.uint32) & 0xFFFFE000).view(np.float32).astype(np.float64)
    if type_ in ("e4m3", "e5m2"):
        m = 3 if type_ == "e4m3" else 2
        bias = 7 if type_ == "e4m3" else 15
        exponent, fraction = raw >> m & (1 << 7 - m) - 1, raw & (1 << m) - 1
        normal = (1 + fraction / 2**m) * 2.0 ** (exponent - bias)
        value = np.where(exponent == 0, fraction / 2**m * 2.0 ** (1 - bias), normal)
        return np.where(raw & 0x80, -value, value)
    if type_ == "s8":
        return np.where(raw & 0x80, raw - 256, raw)
    return raw


def codes(rng: np.random.Generator, shape: tuple[int, int], type_: str) -> np.ndarray:
    """Bits of elements whose products and sums are exact in every accumulator."""
    if type_ == "b1":
        return rng.integers(0, 2, shape).astype(np.uint8)
    if type_ in ("s8", "u8"):
        return rng.integers(0, 256, shape).astype(np.uint8)
    if type_ == "f16":
        return rng.integers(-3, 4, shape).astype(np.float16).view(np.uint16)
    if type_ == "tf32":
        # The lower 13 bits of an element are not looked at.
        low = rng.integers(0, 1 << 13, shape).astype(np.uint32)
        return rng.integers(-3, 4, shape).astype(np.float32).view(np.uint32) | low
    if type_ == "bf16":
        return (rng.integers(-3, 4, shape).astype(np.float32).view(np.uint32) >> 16).astype(
            np.uint16
        )
    one = {"e4m3": 0x38, "e5m2": 0x3C}[type_]
    choices = np.array([0, one, one + (8 if type_ == "e4m3" else 4), one | 0x80])
    return rng.choice(choices, shape).astype(np.uint8)


@dataclass
class Shared:
    """An image of shared memory under construction."""

    data: bytearray = field(default_factory=bytearray)

    def put(self, matrix: np.ndarray, bits: int, swizzle: int, mn_major: bool) -> int:
        """Stores a matrix of rows along M or N, columns along K; its descriptor."""
        self.data += bytes(-len(self.data) % 1024)
        start = len(self.data)
        if bits == 1:
            matrix, bits = np.packbits(matrix, axis=1, bitorder="little"), 8
        if mn_major:
            matrix = matrix.T
        # Now rows of `matrix` are lines of memory; an atom is 8 lines of `span` bytes.
        lines, length = matrix.shape
        size = bits // 8
        span = swizzle or 16
        across = length * size // span
        atom = 8 * span
        self.data += bytes(lines // 8 * across * atom)
        for i in range(lines):
            line = matrix[i].tobytes()
            for j in range(0, len(line), 16):
                place = start + (i // 8 * across + j // span) * atom + i % 8 * span
                place += int(ATOMS[swizzle][i % 8][j % span // 16]) * 16
                self.data[place : place + 16] = line[j : j + 16]
        # From one atom to the next across lines, and along them.
        along, down = atom, across * atom
        if mn_major:
            leading, stride = (along, down) if swizzle else (down, along)
        else:
            leading, stride = (16, down) if swizzle else (along, down)
        word = (start + BASE) >> 4 | leading >> 4 << 16 | stride >> 4 << 32
        return word | MODE[swizzle] << 62


def lanes() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Warp, group and thread in group of 128 threads."""
    lane = np.arange(128)
    return lane // 32, lane % 32 // 4, lane % 4


def fragments_of_a(matrix: np.ndarray, bits: int) -> list[np.ndarray]:
    """The four registers of A, from the elements' bits: 9.7.15.5.1.1."""
    warp, group, thread = lanes()
    per = 32 // bits
    out: list[np.ndarray] = []
    for register in range(4):
        row = 16 * warp + group + (8 if register % 2 else 0)
        column = thread * per + (4 * per if register >= 2 else 0)
        word = np.zeros(128, np.uint64)
        for e in range(per):
            word |= matrix[row, column + e].astype(np.uint64) << np.uint64(e * bits)
        out.append(word)
    return out


def fragments_of_d(matrix: np.ndarray, type_: str) -> list[np.ndarray]:
    """The registers of D from its values."""
    warp, group, thread = lanes()
    kind: Any = {"f16": np.float16, "f32": np.float32, "s32": np.int32}[type_]
    raw = matrix.astype(kind).view({2: np.uint16, 4: np.uint32}[np.dtype(kind).itemsize])
    elements: list[np.ndarray] = []
    for i in range(matrix.shape[1] // 2):
        row = 16 * warp + group + 8 * (i % 4 // 2)
        column = 8 * (i // 4) + 2 * thread + i % 2
        elements.append(raw[row, column].astype(np.uint64))
    if type_ != "f16":
        return elements
    pairs = zip(elements[::2], elements[1::2])
    return [low | high << np.uint64(16) for low, high in pairs]


@dataclass
class Product:
    """One `wgmma.mma_async`: a kernel of a warpgroup around it."""

    types: tuple[str, str, str] = ("f32", "f16", "f16")
    n: int = 16
    swizzle: tuple[int, int] = (128, 128)
    transposed: tuple[bool, bool] = (False, False)
    a_in_registers: bool = False
    scale: Any = True
    """scale-d: an immediate, or the predicate `tid >= scale[0]`."""
    signs: tuple[int, int] = (1, 1)
    saturate: bool = False
    sparse: int | None = None
    """The selector of a sparse product."""
    threads: int = 128
    copied: int | None = None
    """Bytes of the image that are copied to shared memory, None for all."""
    checks: tuple[str, ...] = ()
    barrier: bool = True
    """Whether a barrier stands between the copies and the product."""
    overwritten: str = ""
    """`before` or `after` threads wait for the product, warps write to the matrices."""
    part: int = 0
    """Which 32 bytes of the rows of wider K-major atoms the product is of."""

    @property
    def k(self) -> int:
        return 256 // BITS[self.types[1]] * (1 if self.sparse is None else 2)

    def run(
        self,
        a: np.ndarray,
        b: np.ndarray,
        c: np.ndarray,
        metadata: np.ndarray | None = None,
        tamper: Any = None,
    ) -> list[np.ndarray]:
        """The registers of D."""
        d_type, a_type, b_type = self.types
        shared = Shared()
        if self.a_in_registers:
            a_words = fragments_of_a(a, BITS[a_type])
        else:
            a_words = [self._put(shared, a, a_type, 0)]
        b_words = [self._put(shared, b, b_type, 1)]
        if tamper is not None:
            tamper(a_words, b_words)
        inputs = fragments_of_d(c, d_type)
        count = len(inputs)
        columns = [*inputs, *a_words, *b_words]
        if metadata is not None:
            columns.append(metadata.astype(np.uint64))
        shared.data += bytes(-len(shared.data) % (16 * self.threads))
        image = np.frombuffer(bytes(shared.data), np.uint64)
        return self._launch(columns, count, image)

    def _put(self, shared: Shared, matrix: np.ndarray, type_: str, which: int) -> np.ndarray:
        swizzle, turned = self.swizzle[which], self.transposed[which]
        size = matrix.shape[1] * BITS[type_] // 8
        if swizzle <= size or turned:
            return np.full(128, shared.put(matrix, BITS[type_], swizzle, turned), np.uint64)
        # Rows of the atom are longer than K: the rest holds other numbers.
        whole = np.concatenate([matrix[:, ::-1]] * (swizzle // size), axis=1)
        whole[:, self.part * matrix.shape[1] :][:, : matrix.shape[1]] = matrix
        word = shared.put(whole, BITS[type_], swizzle, False)
        return np.full(128, word + (self.part * size >> 4), np.uint64)

    def _launch(self, columns: list[np.ndarray], count: int, image: np.ndarray) -> list[np.ndarray]:
        kernel = Kernel(1 + len(columns) + count)
        self._copy(kernel, image.size * 8 if self.copied is None else self.copied)
        d = F32 if self.types[0] == "f32" else B32
        a_count = 4 if self.a_in_registers else 1
        kinds = [d] * count + [B32 if self.a_in_registers else B64] * a_count + [B64]
        kinds += [B32] * (self.sparse is not None)
        values = [kernel.load(1 + i, kind) for i, kind in enumerate(kinds)]
        slots: list[Any] = [vec(4) if self.a_in_registers else REG, REG]
        if self.sparse is not None:
            slots += [REG, imm(self.sparse)]
        if isinstance(self.scale, bool):
            slots.append(imm(int(self.scale)))
        else:
            at_least = layout(REG, imm(self.scale[0]))
            values.append(kernel.add("setp", "ge.u32", [kernel.tid], [PRED], at_least).results[0])
            slots.append(REG)
        if self.types[1] not in ("s8", "u8", "b1"):
            slots += [imm(s) for s in self.signs]
        if self.types[1] in ("f16", "bf16"):
            turned = self.transposed[1:] if self.a_in_registers else self.transposed
            slots += [imm(int(t)) for t in turned]
        kernel.add("wgmma.fence", "sync.aligned", (), ())
        name = "wgmma.mma_async" if self.sparse is None else "wgmma.mma_async.sp"
        mods = f"sync.aligned.m64n{self.n}k{self.k}{'.satfinite' * self.saturate}"
        mods += "".join(f".{t}" for t in self.types)
        mods += ".and.popc" * (self.types[1] == "b1")
        results = kernel.add(name, mods, values, [d] * count, layout(*slots)).results
        kernel.add("wgmma.commit_group", "sync.aligned", (), ())
        if self.overwritten == "before":
            self._overwrite(kernel)
        kernel.add("wgmma.wait_group", "sync.aligned", (), (), layout(imm(0)))
        if self.overwritten == "after":
            self._overwrite(kernel)
        for i, value in enumerate(results):
            kernel.store(1 + len(columns) + i, value)
        buffers = [np.zeros((self.threads, 2), np.uint64) for _ in columns]
        for buffer, column in zip(buffers, columns):
            buffer[:, 0] = np.resize(column, self.threads)
        outs = [np.zeros((self.threads, 2), np.uint64) for _ in range(count)]
        module = with_image(kernel, image.size)
        launch(module, "k", 1, self.threads, [image, *buffers, *outs], checks=self.checks)
        return [out[:, 0] for out in outs]

    def _overwrite(self, kernel: Kernel) -> None:
        base = kernel.add("mov", "b64", (), [B64], layout(sym("s"))).results[0]
        offset = kernel.add("mul", "wide.u32", [kernel.tid], [B64], layout(REG, imm(16))).results[0]
        target = kernel.add("add", "s64", [base, offset], [B64]).results[0]
        # 128 rows of 16 bytes of A, turned by a warp; then B, from which all warps read.
        for at in (512, 2048):
            kernel.add("st", "shared.b64", [target], (), layout(addr(at), imm(0)))

    def _copy(self, kernel: Kernel, size: int) -> None:
        """Copies the image to shared memory, 16 bytes a thread at a time."""
        base = kernel.add("mov", "b64", (), [B64], layout(sym("s"))).results[0]
        step = 16 * self.threads
        offset = kernel.add("mul", "wide.u32", [kernel.tid], [B64], layout(REG, imm(16))).results[0]
        source = kernel.add("add", "s64", [kernel.pointers[0], offset], [B64]).results[0]
        target = kernel.add("add", "s64", [base, offset], [B64]).results[0]
        for at in range(0, size, step):
            both = kernel.add("ld", "global.v2.b64", [source], [B64] * 2, layout(addr(at))).results
            kernel.add("st", "shared.v2.b64", [target, *both], (), layout(addr(at), vec(2)))
        if self.barrier:
            kernel.add("bar.sync", "", (), (), layout(imm(0)))


def with_image(kernel: Kernel, words: int) -> ModuleOp:
    module = kernel.module()
    ops = list(module.ops)
    for op in ops:
        op.detach()
    return ModuleOp([global_variable("s", "shared", "b64", words, align=1024), *ops])


def expected(product: Product, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> list[np.ndarray]:
    """D = A * B + D from the values of whole matrices."""
    d_type, a_type, b_type = product.types
    x, y = decoded(a, a_type) * product.signs[0], decoded(b, b_type) * product.signs[1]
    total = x @ y.T + (c if product.scale else 0)
    if d_type == "s32":
        low, high = -(1 << 31), (1 << 31) - 1
        total = np.clip(total, low, high) if product.saturate else total
        total = total.astype(np.int64).astype(np.uint32).view(np.int32)
    return fragments_of_d(total, d_type)


def inputs(product: Product, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    a = codes(rng, (64, product.k), product.types[1])
    b = codes(rng, (product.n, product.k), product.types[2])
    return a, b, rng.integers(-9, 10, (64, product.n)).astype(np.float64)


def check(product: Product, seed: int = 1) -> None:
    a, b, c = inputs(product, seed)
    got = product.run(a, b, c)
    for register, (mine, wanted) in enumerate(zip(got, expected(product, a, b, c))):
        assert mine[:128].tolist() == wanted.tolist(), f"register {register}"


def test_the_dialect_has_these():
    opcode = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16"
    assert split(opcode)[0] == "wgmma.mma_async.sp"


# Layouts: 9.7.15.5.1.2


@pytest.mark.parametrize("transposed", [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("swizzle", [(0, 0), (32, 32), (64, 64), (128, 128), (0, 128), (128, 32)])
def test_layouts(swizzle: tuple[int, int], transposed: tuple[bool, bool]):
    check(Product(n=64, swizzle=swizzle, transposed=transposed))


@pytest.mark.parametrize(("swizzle", "part"), [(64, 1), (128, 1), (128, 2), (128, 3)])
def test_parts_of_a_swizzled_row(swizzle: int, part: int):
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


def test_b_may_be_transposed_where_a_is_in_registers():
    check(Product(n=64, a_in_registers=True, transposed=(False, True)))


@pytest.mark.parametrize("signs", [(-1, 1), (1, -1), (-1, -1)])
def test_signs(signs: tuple[int, int]):
    check(Product(signs=signs))


@pytest.mark.parametrize("scale", [False, True, (0,), (128,)])
def test_scale_d(scale: Any):
    """Where it is false the accumulators are not read: not even a NaN in them."""
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

    Two of four neighbours are stored, of tf32 one of two; four bits of metadata say which: the
    indices of two elements, of tf32 0b1110 for the second and 0b0100 for the first. Half-precision
    and tf32: thread `2 * selector + h` of each group has half `h` of row g in its lower 16 bits, of
    row g + 8 in its upper ones. Bytes: threads 0 and 1 have the first half of rows g and g + 8,
    threads 2 and 3 the second.
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


def test_what_is_not_stored_meets_no_infinity():
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
    with pytest.raises(SimulationError, match="0b0101 are no sparse metadata, of row 1 "):
        product.run(stored, b, c, words)


# What programs do wrong


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
def test_what_nobody_wrote_makes_the_result_undefined(a_in_registers: bool):
    size = 0 if a_in_registers else 8192
    product = Product(checks=("init",), a_in_registers=a_in_registers, copied=size)
    with pytest.raises(SimulationError, match="undefined, which the host reads"):
        product.run(*inputs(product))
    product.copied = None
    product.run(*inputs(product))


def test_warpgroups_are_whole():
    product = Product(threads=160)
    with pytest.raises(SimulationError, match="160 threads are no multiple of a warpgroup of 128"):
        product.run(*inputs(product))


def test_warpgroups_are_independent():
    product = Product(threads=256)
    a, b, c = inputs(product)
    got = product.run(a, b, c)
    want = expected(product, a, b, c)
    for register, (mine, wanted) in enumerate(zip(got, want)):
        assert mine.tolist() == [*wanted, *wanted], f"register {register}"


def test_races_are_found():
    """Nothing orders the copies of other threads before the product where the barrier is left out."""
    product = Product(checks=("race",))
    product.run(*inputs(product))
    product.barrier = False
    with pytest.raises(SimulationError, match="a data race with thread"):
        product.run(*inputs(product))


def test_writes_before_the_wait_are_races():
    """The product may still read its matrices: when one warp has waited, it has for all of them."""
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
  nvvm.barrier0
  %at = llvm.getelementptr %out[%i] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, {struct}
  %c = llvm.load %at : !llvm.ptr<1> -> {struct}
  nvvm.wgmma.fence.aligned
  %d = nvvm.wgmma.mma_async %a, %b, %c, {form} : {struct} -> {struct}
  %e = nvvm.wgmma.mma_async %a, %b, %d, {form} : {struct} -> {struct}
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
    """Two products in a row, the second on top of the first."""
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
