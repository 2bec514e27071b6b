"""Matrices in shared memory and in the fragments of a warpgroup, and a kernel around one product.

Matrices are placed as the PTX ISA specifies: swizzle atoms of 8 rows (9.7.15.5.1.2, Table 38 and its
figures), and the rows and columns of each thread by 9.7.15.5.1.1.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from helpers.machine_kernels import Kernel
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
from nvvm_xdsl.simulator import launch

BITS = {"f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "b1": 1}
BASE = 1024
"""The address of the only shared variable."""

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
        # The lower 13 bits of an element are ignored.
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
        # Rows of `matrix` are now lines of memory; an atom is 8 lines of `span` bytes.
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
        # The distance between atoms across lines, and along them.
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
    """Whether there is a barrier between the copies and the product."""
    proxy_fence: bool = True
    """Whether a proxy fence follows the copies."""
    overwritten: str = ""
    """Warps write to the matrices `before` or `after` threads wait for the product."""
    part: int = 0
    """The 32 bytes in the rows of wider K-major atoms that the product uses."""

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
        # 128 rows of 16 bytes of A, each rotated by a warp; then B, which all warps read.
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
        if self.proxy_fence:
            kernel.add("fence", "proxy.async", (), ())
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
