"""mma and mma.sp of every type, compared with whole matrices (PTX ISA, 9.7.14.3, 9.7.14.5, 9.7.14.6).

Fragments, metadata and scales are distributed to the threads here by the formulas of the text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from helpers import ll_kernels
from helpers.machine_kernels import Kernel, split

from nvvm_xdsl.dialects.nvptx import B32, F32, F64, INSTRUCTIONS, REG, imm, layout, vec
from nvvm_xdsl.dialects.nvvm.intrinsics import all_intrinsics
from nvvm_xdsl.simulator import SimulationError, launch
from nvvm_xdsl.simulator.llvm.nvvm_intrinsics import ptx_of

Array = np.ndarray[Any, Any]

LANE = np.arange(32)
G, T = LANE // 4, LANE % 4

# Bits of sign, exponent and fraction, and whether the top exponent is for infinities or NaNs.
SMALL = {"e4m3": (1, 4, 3), "e5m2": (1, 5, 2), "e3m2": (1, 3, 2), "e2m3": (1, 2, 3), "e2m1": (1, 2, 1)}  # fmt: skip
WIDTH = {"f16": 16, "bf16": 16, "tf32": 32, "f64": 64, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
NUMBERS = (-2.0, -1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
RANGE = {"s8": (-128, 128), "u8": (0, 256), "s4": (-8, 8), "u4": (0, 16), "b1": (0, 2)}


def small_value(code: int, type_: str) -> float:
    """Returns the value of a small float's bits."""
    _, e, m = SMALL[type_]
    exponent, fraction = code >> m & (1 << e) - 1, code & (1 << m) - 1
    sign = -1.0 if code >> (e + m) & 1 else 1.0
    bias = (1 << e - 1) - 1
    if type_ == "e5m2" and exponent == 31:
        return float("nan") if fraction else sign * float("inf")
    if type_ == "e4m3" and (exponent, fraction) == (15, 7):
        return float("nan")
    if exponent == 0:
        return sign * fraction * 2.0 ** (1 - bias - m)
    return sign * (1 + fraction / (1 << m)) * 2.0 ** (exponent - bias)


def codes(values: Array, type_: str) -> Array:
    """The bits of numbers in a container of their type."""
    if type_ in SMALL:
        bits = sum(SMALL[type_])
        table = {small_value(c, type_): c for c in range(1 << bits) if c != 1 << bits - 1}
        return np.vectorize(lambda v: table[v], otypes=[np.uint64])(values)
    if type_ == "f16":
        return values.astype(np.float16).view(np.uint16).astype(np.uint64)
    if type_ in ("bf16", "tf32", "f32"):
        raw = values.astype(np.float32).view(np.uint32).astype(np.uint64)
        return raw >> np.uint64(16) if type_ == "bf16" else raw
    if type_ == "f64":
        return values.astype(np.float64).view(np.uint64)
    bits = WIDTH.get(type_, 32)
    return (values.astype(np.int64) & (1 << bits) - 1).astype(np.uint64)


@dataclass(frozen=True)
class Form:
    """One instruction."""

    name: str
    m: int
    k: int
    d: str
    a: str
    b: str
    kind: str = ""
    head: str = ""
    tail: str = ""

    @property
    def mods(self) -> str:
        kind = f".kind::{self.kind}" if self.kind else ""
        middle = f"{self.d}.{self.a}.{self.b}.{self.d}"
        return f"sync.aligned.m{self.m}n8k{self.k}.row.col{kind}{self.head}.{middle}{self.tail}"

    @property
    def sparse(self) -> bool:
        return self.name != "mma"

    @property
    def bits(self) -> int:
        """Elements of A and B per register."""
        if self.a in WIDTH:
            return WIDTH[self.a]
        return 4 if self.kind.startswith("mxf4") else 8

    def __str__(self) -> str:
        return f"{self.name}.{self.mods}"


def in_container(form: Form, values: Array, type_: str) -> Array:
    raw = codes(values, type_)
    # In eight bits the four of e2m1 have two others on either side.
    return raw << np.uint64(2) if type_ == "e2m1" and form.bits == 8 else raw


def places(rows: int, columns: int, bits: int, operand: str) -> list[tuple[Array, Array]]:
    """Row and column of the threads' elements, in sequence (9.7.14.5.2 and following)."""
    per = max(1, 32 // bits)
    if operand == "c":
        return [(G + 8 * (i // 2), 2 * T + i % 2) for i in range(rows // 4)]
    if operand == "b":
        count = rows // 4
        return [(T * per + i % per + i // per * 4 * per, G) for i in range(count)]
    count = rows * columns // 32
    halves = rows // 8
    return [
        (G + 8 * (i // per % halves), T * per + i % per + i // per // halves * 4 * per)
        for i in range(count)
    ]


def packed(elements: Array, bits: int) -> list[Array]:
    """Registers of the elements (count, 32)."""
    per = max(1, 32 // bits)
    out = []
    for first in range(0, len(elements), per):
        word = np.zeros(32, np.uint64)
        for i, element in enumerate(elements[first : first + per]):
            word |= element << np.uint64(i * bits)
        out.append(word)
    return out


def fragments(form: Form, matrix: Array, type_: str, operand: str) -> list[Array]:
    bits = {"f16": 16, "f64": 64}.get(form.d, 32) if operand == "c" else form.bits
    raw = codes(matrix, type_) if operand == "c" else in_container(form, matrix, type_)
    return packed(np.array([raw[r, c] for r, c in places(*matrix.shape, bits, operand)]), bits)


def run(form: Form, values: list[list[Array]], more: list[Any] = ()) -> Array:
    """D, from the registers of A, B and C and further operands: registers or immediates."""
    inputs = [r for group in values for r in group]
    signature = INSTRUCTIONS[form.name].row.signature(form.mods)
    assert signature is not None, form
    result = {"f32": F32, "f64": F64}.get(form.d, B32)
    count = sum(s.count or 1 for s in signature.results)
    flat = [x for m in more for x in (m if isinstance(m, tuple) else (m,))]
    registers = [x for x in flat if isinstance(x, np.ndarray)]
    kernel = Kernel(len(inputs) + len(registers) + count)
    wide = {"f64": F64}.get(form.a, B32)
    groups = [len(g) for g in values]
    types = [wide] * (groups[0] + groups[1]) + [result] * groups[2] + [B32] * len(registers)
    operands = [kernel.load(i, t) for i, t in enumerate(types)]
    slots: list[Any] = [vec(n) for n in groups]
    for m in more:
        if isinstance(m, tuple):
            slots.append(vec(*(imm(x) for x in m)))
        else:
            slots.append(REG if isinstance(m, np.ndarray) else imm(m))
    op = kernel.add(form.name, form.mods, operands, [result] * count, layout(*slots))
    for i, value in enumerate(op.results):
        kernel.store(len(types) + i, value)
    outs = [np.zeros((32, 2), np.uint64) for _ in range(count)]
    buffers = [np.stack([r, np.zeros(32, np.uint64)], axis=1) for r in (*inputs, *registers)]
    launch(kernel.module(), "k", 1, 32, [*buffers, *outs])
    held = np.stack([o[:, 0] for o in outs])
    if form.d == "f16":
        both = [held & np.uint64(0xFFFF), held >> np.uint64(16)]
        elements = np.stack(both, axis=1).reshape(-1, 32).astype(np.uint16).view(np.float16)
    elif form.d == "f64":
        elements = held.view(np.float64)
    else:
        elements = held.astype(np.uint32).view(np.float32 if form.d == "f32" else np.int32)
    d = np.zeros((form.m, 8), elements.dtype)
    for element, (row, column) in zip(elements, places(form.m, 8, 32, "c")):
        d[row, column] = element
    return d


def matrix(rng: Any, rows: int, columns: int, type_: str) -> Array:
    if type_ in RANGE:
        return rng.integers(*RANGE[type_], (rows, columns))
    if type_ in SMALL:
        return rng.choice(NUMBERS, (rows, columns))
    return rng.integers(-8, 9, (rows, columns)).astype(np.float64)


F8 = [(a, b) for a in ("e4m3", "e5m2") for b in ("e4m3", "e5m2")]
F8F6F4 = [(a, b) for a in SMALL for b in SMALL]


def dense() -> list[Form]:
    forms = [Form("mma", 16, k, d, "f16", "f16") for k in (8, 16) for d in ("f16", "f32")]
    forms += [Form("mma", 16, k, "f32", "bf16", "bf16") for k in (8, 16)]
    forms += [Form("mma", 16, k, "f32", "tf32", "tf32") for k in (4, 8)]
    forms += [Form("mma", 16, k, d, a, b) for k in (16, 32) for d in ("f16", "f32") for a, b in F8]
    forms += [Form("mma", m, k, "f64", "f64", "f64") for m, k in ((8, 4), (16, 4), (16, 8), (16, 16))]  # fmt: skip
    for types, shapes in (("su8", ((8, 16), (16, 16), (16, 32))), ("su4", ((8, 32), (16, 32), (16, 64)))):  # fmt: skip
        pairs = [(x + types[2], y + types[2]) for x in types[:2] for y in types[:2]]
        forms += [Form("mma", *shape, "s32", a, b) for shape in shapes for a, b in pairs]
    for tail in (".xor.popc", ".and.popc"):
        for shape in ((8, 128), (16, 128), (16, 256)):
            forms.append(Form("mma", *shape, "s32", "b1", "b1", tail=tail))
    forms += [Form("mma", 16, 32, d, a, b, "f8f6f4") for d in ("f16", "f32") for a, b in F8F6F4]
    return forms


@pytest.mark.parametrize("form", dense(), ids=str)
def test_dense_products(form: Form):
    rng = np.random.default_rng(1)
    a, b = matrix(rng, form.m, form.k, form.a), matrix(rng, form.k, 8, form.b)
    c = rng.integers(-50, 50, (form.m, 8)).astype(np.float64)
    wanted = a @ b + c
    if "xor" in form.tail:
        wanted = c + (a[:, :, None] != b[None]).sum(1)
    values = [fragments(form, x, t, o) for x, t, o in ((a, form.a, "a"), (b, form.b, "b"), (c, form.d, "c"))]  # fmt: skip
    assert run(form, values).tolist() == wanted.tolist()


@pytest.mark.parametrize("type_", SMALL)
def test_every_small_float_is_decoded(type_: str):
    """A code of A times 1."""
    form = Form("mma", 16, 32, "f32", type_, "e4m3", "f8f6f4")
    bits = sum(SMALL[type_])
    for first in range(0, 1 << bits, 128):
        every = np.arange(first, first + 128, dtype=np.uint64) % np.uint64(1 << bits)
        raw = np.zeros((16, 32), np.uint64)
        raw[:, :8] = every.reshape(16, 8)
        if type_ == "e2m1":
            raw <<= np.uint64(2)
        a = packed(np.array([raw[r, c] for r, c in places(16, 32, 8, "a")]), 8)
        b = np.zeros((32, 8))
        b[:8] = np.eye(8)
        c = np.zeros((16, 8))
        got = run(form, [a, fragments(form, b, "e4m3", "b"), fragments(form, c, "f32", "c")])
        wanted = np.array([small_value(int(x), type_) for x in every]).reshape(16, 8)
        # A row with an infinity or a NaN is multiplied by zeros only.
        finite = np.isfinite(wanted).all(axis=1)
        assert got[finite].tolist() == wanted[finite].tolist()
        assert np.isnan(got[~finite]).any(axis=1).all()


def test_integers_wrap_or_saturate():
    a, b = np.full((16, 32), -128), np.full((32, 8), -128)
    c = np.full((16, 8), (1 << 31) - 1)
    for head, wanted in (("", (1 << 19) - 1 - (1 << 31)), (".satfinite", (1 << 31) - 1)):
        form = Form("mma", 16, 32, "s32", "s8", "s8", head=head)
        values = [fragments(form, x, t, o) for x, t, o in ((a, "s8", "a"), (b, "s8", "b"), (c, "s32", "c"))]  # fmt: skip
        assert (run(form, values) == wanted).all()


@pytest.mark.parametrize("b_layout", ["row", "col"])
@pytest.mark.parametrize("a_layout", ["row", "col"])
@pytest.mark.parametrize(("d_type", "c_type"), [("f16", "f16"), ("f32", "f16"), ("f32", "f32")])
def test_four_products_of_quads(a_layout: str, b_layout: str, d_type: str, c_type: str):
    """m8n8k4: 9.7.14.5.1."""
    rng = np.random.default_rng(2)
    quad, high, low = LANE % 16 // 4, LANE // 16, LANE % 4
    a, b = (rng.integers(-9, 9, (4, *s)).astype(np.float64) for s in ((8, 4), (4, 8)))
    c = rng.integers(-9, 9, (4, 8, 8)).astype(np.float64)

    def half(values: list[Array]) -> list[Array]:
        return packed(np.array([codes(v, "f16") for v in values]), 16)

    def cells(type_: str) -> list[tuple[Array, Array]]:
        if type_ == "f16":
            return [(low + 4 * high, np.full(32, i)) for i in range(8)]
        return [((LANE & 1) + (i & 2) + 4 * high, (i & 4) + (LANE & 2) + (i & 1)) for i in range(8)]

    if a_layout == "row":
        a_held = half([a[quad, low + 4 * high, i] for i in range(4)])
    else:
        a_held = half([a[quad, i + 4 * high, low] for i in range(4)])
    if b_layout == "row":
        b_held = half([b[quad, low, i + 4 * high] for i in range(4)])
    else:
        b_held = half([b[quad, i, low + 4 * high] for i in range(4)])
    c_held = [c[quad, r, k] for r, k in cells(c_type)]
    c_held = half(c_held) if c_type == "f16" else [codes(v, "f32") for v in c_held]
    counts = [2, 2, len(c_held)]
    results = 4 if d_type == "f16" else 8
    kernel = Kernel(sum(counts) + results)
    of = {"f16": B32, "f32": F32}
    values = [kernel.load(i, B32 if i < 4 else of[c_type]) for i in range(sum(counts))]
    mods = f"sync.aligned.m8n8k4.{a_layout}.{b_layout}.{d_type}.f16.f16.{c_type}"
    op = kernel.add("mma", mods, values, [of[d_type]] * results, layout(*(vec(n) for n in counts)))
    for i, value in enumerate(op.results):
        kernel.store(sum(counts) + i, value)
    outs = [np.zeros((32, 2), np.uint64) for _ in range(results)]
    given = [np.stack([r, r], axis=1) for r in (*a_held, *b_held, *c_held)]
    launch(kernel.module(), "k", 1, 32, [*given, *outs])
    held = np.stack([o[:, 0] for o in outs])
    if d_type == "f16":
        both = [held & np.uint64(0xFFFF), held >> np.uint64(16)]
        elements = np.stack(both, axis=1).reshape(8, 32).astype(np.uint16).view(np.float16)
    else:
        elements = held.astype(np.uint32).view(np.float32)
    d = np.zeros((4, 8, 8))
    for element, (row, column) in zip(elements, cells(d_type)):
        d[quad, row, column] = element
    assert d.tolist() == (a @ b + c).tolist()


# Sparse: half of the columns of A are stored


def thinned(rng: Any, form: Form, a: Array) -> tuple[Array, Array, Array]:
    """A with zeros by its granularity, its stored elements, and four bits for each chunk."""
    step, group = {32: (2, 1), 4: (8, 2)}.get(form.bits, (4, 1))
    chunks = form.k // step
    whole, stored = np.zeros_like(a), np.zeros((form.m, form.k // 2), a.dtype)
    index = np.zeros((form.m, chunks), np.uint64)
    for row in range(form.m):
        for chunk in range(chunks):
            if step == 2:
                kept = [int(rng.integers(2))]
                index[row, chunk] = 0b1110 if kept[0] else 0b0100
            else:
                first, second = sorted(rng.choice(4, 2, replace=False))
                kept = [p * group + i for p in (first, second) for i in range(group)]
                index[row, chunk] = first | second << 2
            for i, column in enumerate(kept):
                at = chunk * step + column
                whole[row, at] = a[row, at]
                stored[row, chunk * len(kept) + i] = a[row, at]
    return whole, stored, index


def metadata(form: Form, index: Array, selector: int, rng: Any) -> Array:
    """The words of the threads; unselected threads have random words."""
    words = rng.integers(0, 1 << 32, 32, np.uint64)
    named: dict[int, int] = {}
    for row, chunk in np.ndindex(*index.shape):
        lane = row % 8 * 4
        if form.bits >= 16 and index.shape[1] <= 4:  # one thread has both rows
            lane, bit = lane + selector, 16 * (row // 8) + 4 * chunk
        elif form.bits >= 16:  # two threads, each half of the columns
            lane, bit = lane + 2 * selector + chunk // 4, 16 * (row // 8) + 4 * (chunk % 4)
        elif index.shape[1] <= 8:  # two threads, each a row
            lane, bit = lane + 2 * selector + row // 8, 4 * chunk
        else:  # four threads
            lane, bit = lane + row // 8 + 2 * (chunk // 8), 4 * (chunk % 8)
        named[lane] = named.get(lane, 0) | int(index[row, chunk]) << bit
    for lane, word in named.items():
        words[lane] = word
    return words


def sparse() -> list[tuple[Form, int]]:
    found: list[tuple[Form, int]] = []
    for name in ("mma.sp", "mma.sp::ordered_metadata"):
        for d in ("f16", "f32"):
            found += [(Form(name, 16, 16, d, "f16", "f16"), s) for s in range(4)]
            found += [(Form(name, 16, 32, d, "f16", "f16"), s) for s in range(2)]
        found += [(Form(name, 16, 16, "f32", "bf16", "bf16"), s) for s in (0, 3)]
        found += [(Form(name, 16, 32, "f32", "bf16", "bf16"), s) for s in (0, 1)]
        found += [(Form(name, 16, 8, "f32", "tf32", "tf32"), s) for s in range(4)]
        found += [(Form(name, 16, 16, "f32", "tf32", "tf32"), s) for s in range(2)]
        found += [(Form(name, 16, 64, "f32", a, b), 0) for a, b in F8]
        for x, y in ("ss", "su", "us", "uu"):
            found += [(Form(name, 16, 32, "s32", x + "8", y + "8"), s) for s in (0, 1)]
            found += [(Form(name, 16, 64, "s32", x + "4", y + "4"), s) for s in (0, 1)]
            found.append((Form(name, 16, 64, "s32", x + "8", y + "8"), 0))
            found.append((Form(name, 16, 128, "s32", x + "4", y + "4"), 0))
    ordered = "mma.sp::ordered_metadata"
    found += [
        (Form(ordered, 16, 64, d, a, b, "f8f6f4"), 0)
        for d in ("f16", "f32")
        for a, b in F8F6F4[::3]
    ]
    return found


@pytest.mark.parametrize(("form", "selector"), sparse(), ids=str)
def test_sparse_products(form: Form, selector: int):
    rng = np.random.default_rng(4)
    a, b = matrix(rng, form.m, form.k, form.a), matrix(rng, form.k, 8, form.b)
    c = rng.integers(-50, 50, (form.m, 8)).astype(np.float64)
    a, stored, index = thinned(rng, form, a)
    words = metadata(form, index, selector, rng)
    values = [fragments(form, x, t, o) for x, t, o in ((stored, form.a, "a"), (b, form.b, "b"), (c, form.d, "c"))]  # fmt: skip
    assert run(form, values, [words, selector]).tolist() == (a @ b + c).tolist()


def test_zeros_that_are_not_stored_are_not_multiplied_by_infinity():
    form = Form("mma.sp", 16, 16, "f32", "f16", "f16")
    a, b = np.ones((16, 8)), np.ones((16, 8))
    b[2:4] = np.inf
    words = np.full(32, 0x44444444, np.uint64)  # columns 0 and 1 of each four
    values = [fragments(form, x, t, o) for x, t, o in ((a, "f16", "a"), (b, "f16", "b"), (np.zeros((16, 8)), "f32", "c"))]  # fmt: skip
    assert (run(form, values, [words, 0]) == 8).all()


@pytest.mark.parametrize(
    ("form", "word", "selector", "message"),
    [
        (
            Form("mma.sp", 16, 16, "f32", "f16", "f16"),
            0x44444440,
            0,
            "invalid sparse metadata 0b0000 for row 0 and chunk 0",
        ),
        (
            Form("mma.sp", 16, 8, "f32", "tf32", "tf32"),
            0x44444449,
            0,
            "invalid sparse metadata 0b1001",
        ),
        (Form("mma.sp", 16, 32, "f32", "f16", "f16"), 0x44444444, 2, "invalid sparsity selector"),
        (Form("mma.sp", 16, 64, "s32", "s8", "s8"), 0x44444444, 1, "invalid sparsity selector"),
    ],
)
def test_wrong_metadata_is_found(form: Form, word: int, selector: int, message: str):
    sizes = ((form.m, form.k // 2, form.a, "a"), (form.k, 8, form.b, "b"), (form.m, 8, form.d, "c"))
    values = [fragments(form, np.ones((r, c)), t, o) for r, c, t, o in sizes]
    with pytest.raises(SimulationError, match=message):
        run(form, values, [np.full(32, word, np.uint64), selector])


# Scales for chunks of the rows of A and the columns of B

SCALES = {"ue8m0": {0.5: 126, 1.0: 127, 2.0: 128, 4.0: 129}, "ue4m3": {0.5: 48, 1.0: 56, 1.5: 60, 2.0: 64}}  # fmt: skip


def scaled_forms() -> list[tuple[Form, int, tuple[int, int, int, int]]]:
    """With the number of scales, and byte and thread of A's and of B's."""
    found: list[tuple[Form, int, tuple[int, int, int, int]]] = []
    chosen = [(0, 0, 0, 0), (3, 1, 2, 3), (1, 0, 3, 2), (2, 1, 1, 1)]
    for i, (a, b) in enumerate(F8F6F4):
        head = ".block_scale" + (".scale_vec::1X" if i % 2 else "")
        form = Form("mma", 16, 32, "f32", a, b, "mxf8f6f4", head, ".ue8m0")
        found.append((form, 1, chosen[i % 4]))
    for i, pick in enumerate([(0, 0, 0, 0), (2, 1, 0, 3), (0, 1, 2, 2), (2, 0, 2, 1)]):
        head = ".block_scale" + (".scale_vec::2X" if i % 2 else "")
        found.append((Form("mma", 16, 64, "f32", "e2m1", "e2m1", "mxf4", head, ".ue8m0"), 2, pick))
        head = ".block_scale.scale_vec::2X"
        found.append((Form("mma", 16, 64, "f32", "e2m1", "e2m1", "mxf4nvf4", head, ".ue8m0"), 2, pick))  # fmt: skip
    for pick in [(0, 0, 0, 0), (0, 1, 0, 2)]:
        head = ".block_scale.scale_vec::4X"
        found.append((Form("mma", 16, 64, "f32", "e2m1", "e2m1", "mxf4nvf4", head, ".ue4m3"), 4, pick))  # fmt: skip
    name = "mma.sp::ordered_metadata"
    for form, count, pick in found[::3]:
        thin = Form(name, 16, 2 * form.k, "f32", form.a, form.b, form.kind, form.head, form.tail)
        found.append((thin, count, pick))
    return found


@pytest.mark.parametrize(("form", "count", "chosen"), scaled_forms(), ids=str)
def test_scaled_products(form: Form, count: int, chosen: tuple[int, int, int, int]):
    rng = np.random.default_rng(5)
    byte_a, thread_a, byte_b, thread_b = chosen
    a, b = matrix(rng, 16, form.k, form.a), matrix(rng, form.k, 8, form.b)
    c = rng.integers(-50, 50, (16, 8)).astype(np.float64)
    more: list[Any] = []
    stored = a
    if form.sparse:
        a, stored, index = thinned(rng, form, a)
        more = [metadata(form, index, 0, rng), 0]
    table = SCALES[form.tail[1:]]
    scale_a = rng.choice([*table], (16, count))
    scale_b = rng.choice([*table], (count, 8))
    words_a, words_b = (rng.integers(0, 1 << 32, 32, np.uint64) for _ in range(2))
    low = np.uint64((1 << 8 * count) - 1)

    def put(words: Array, lane: int, byte: int, scales: Array) -> None:
        value = sum(table[s] << 8 * i for i, s in enumerate(scales))
        words[lane] &= ~(low << np.uint64(8 * byte))
        words[lane] |= np.uint64(value << 8 * byte)

    for row in range(16):
        put(words_a, row % 8 * 4 + 2 * thread_a + row // 8, byte_a, scale_a[row])
    for column in range(8):
        put(words_b, column * 4 + thread_b, byte_b, scale_b[:, column])
    size = form.k // count
    wanted = (a * np.repeat(scale_a, size, axis=1)) @ (b * np.repeat(scale_b, size, axis=0)) + c
    values = [fragments(form, x, t, o) for x, t, o in ((stored, form.a, "a"), (b, form.b, "b"), (c, "f32", "c"))]  # fmt: skip
    more += [words_a, (byte_a, thread_a), words_b, (byte_b, thread_b)]
    assert run(form, values, more).tolist() == wanted.tolist()


def test_a_scale_of_all_ones_is_nan():
    head = ".block_scale"
    form = Form("mma", 16, 32, "f32", "e4m3", "e4m3", "mxf8f6f4", head, ".ue8m0")
    ones = [(np.ones((16, 32)), "e4m3", "a"), (np.ones((32, 8)), "e4m3", "b"), (np.zeros((16, 8)), "f32", "c")]  # fmt: skip
    values = [fragments(form, *x) for x in ones]
    words = np.full(32, 127, np.uint64)
    odd = words.copy()
    odd[0] = 255
    got = run(form, values, [odd, (0, 0), words, (0, 0)])
    assert np.isnan(got[0]).all()
    assert (got[1:] == 32).all()


# As intrinsics


def test_every_intrinsic_of_products_is_an_instruction():
    names = [n for n in all_intrinsics() if re.match(r"llvm\.nvvm\.w?mma\.", n)]
    assert len(names) > 700
    for name in names:
        found = ptx_of(name)
        assert found is not None, name
        split(found[0])


# The intrinsic, the instruction, the LLVM types of A and B and of C and D, selectors.
INTRINSIC_ROWS = [
    ("mma.m16n8k64.row.col.satfinite.u4.s4", Form("mma", 16, 64, "s32", "u4", "s4"), "i32", "i32"),
    ("mma.xor.popc.m16n8k256.row.col.b1", Form("mma", 16, 256, "s32", "b1", "b1", tail=".xor.popc"), "i32", "i32"),
    ("mma.m16n8k16.row.col.f32.f32", Form("mma", 16, 16, "f32", "f16", "f16"), "<2 x half>", "float"),
    ("mma.m16n8k32.row.col.kind.f8f6f4.f32.e2m1.e5m2.f32", Form("mma", 16, 32, "f32", "e2m1", "e5m2", "f8f6f4"), "i32", "float"),
    ("mma.sp.m16n8k32.row.col.f16.f16", Form("mma.sp", 16, 32, "f16", "f16", "f16"), "<2 x half>", "<2 x half>"),
    ("mma.sp.ordered.metadata.m16n8k16.row.col.tf32", Form("mma.sp", 16, 16, "f32", "tf32", "tf32"), "i32", "float"),
    ("mma.block.scale.m16n8k64.row.col.mxf4nvf4.scale.4x.f32.e2m1.e2m1.f32.ue4m3",
     Form("mma", 16, 64, "f32", "e2m1", "e2m1", "mxf4nvf4", ".block_scale.scale_vec::4X", ".ue4m3"), "i32", "float"),
]  # fmt: skip


@pytest.mark.parametrize("row", INTRINSIC_ROWS, ids=lambda r: r[0])
def test_intrinsics(row: tuple[str, Form, str, str]):
    name, form, of_ab, of_cd = row
    rng = np.random.default_rng(6)
    a, b = matrix(rng, form.m, form.k, form.a), matrix(rng, form.k, 8, form.b)
    c = rng.integers(-50, 50, (form.m, 8)).astype(np.float64)
    more: list[tuple[str, Any]] = []
    stored = a
    if form.sparse:
        a, stored, index = thinned(rng, form, a)
        more = [("i32", metadata(form, index, 1, rng)), ("i32", 1)]
    if form.tail == ".ue4m3":
        more = [("i32", np.full(32, 0x38383838, np.uint64)), ("i16", 0), ("i16", 0)]
        more += [("i32", np.full(32, 0x40404040, np.uint64)), ("i16", 0), ("i16", 0)]
    values = [fragments(form, x, t, o) for x, t, o in ((stored, form.a, "a"), (b, form.b, "b"), (c, form.d, "c"))]  # fmt: skip
    types = [of_ab] * (len(values[0]) + len(values[1])) + [of_cd] * len(values[2])
    given = [(t, r) for t, r in zip(types, (r for group in values for r in group))] + more
    buffers = [(t, v) for t, v in given if isinstance(v, np.ndarray)]
    count = len(values[2])
    whole = "{" + ", ".join([of_cd] * count) + "}"
    text, passed, number = "", [], 0
    for type_, value in given:
        if isinstance(value, np.ndarray):
            text += f"  %q{number} = getelementptr {type_}, ptr %p{number}, i64 %i\n"
            text += f"  %v{number} = load {type_}, ptr %q{number}\n"
            passed.append(f"{type_} %v{number}")
            number += 1
        else:
            passed.append(f"{type_} {value}")
    text += f"  %d = call {whole} @llvm.nvvm.{name}({', '.join(passed)})\n"
    for i in range(count):
        text += f"  %d{i} = extractvalue {whole} %d, {i}\n"
        text += f"  %o{i} = getelementptr {of_cd}, ptr %p{number + i}, i64 %i\n"
        text += f"  store {of_cd} %d{i}, ptr %o{i}\n"
    signature = ", ".join(f"ptr %p{i}" for i in range(number + count))
    declared = f"declare {whole} @llvm.nvvm.{name}({', '.join(t for t, _ in given)})"
    outs = [np.zeros(32, np.uint32) for _ in range(count)]
    arrays = [v.astype(np.uint32) for _, v in buffers]
    ll_kernels.run(
        ll_kernels.kernel(signature, text + "  ret void", declared), [*arrays, *outs], 32
    )
    wanted = (a @ b) * (2 if form.tail == ".ue4m3" else 1) + c
    if "xor" in form.tail:
        wanted = c + (a[:, :, None] != b[None]).sum(1)
    held = fragments(form, wanted, form.d, "c")
    assert [o.tolist() for o in outs] == [r.tolist() for r in held]
