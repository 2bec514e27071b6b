"""wmma: matrices loaded into fragments, multiplied, and stored, compared with NumPy (PTX ISA, 9.7.14.4).

The elements of a thread are unspecified, so whole products are compared: `wmma.load.a`, `wmma.load.b`,
`wmma.load.c`, `wmma.mma` and `wmma.store.d` in one kernel.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from helpers.ll_kernels import module
from helpers.machine_kernels import Kernel, split
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.nvptx import (
    B32,
    F32,
    F64,
    INSTRUCTIONS,
    REG,
    addr,
    imm,
    layout,
    vec,
)
from nvvm_xdsl.dialects.nvvm import NVVM
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.simulator import CHECKS, SimulationError, launch

SIZES = {"f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "f64": 64, "s32": 32}
SIZES |= {"s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}
LOADS = {"a": "wmma.load.a", "b": "wmma.load.b", "c": "wmma.load.c"}
RANGES = {"s8": (-128, 128), "u8": (0, 256), "s4": (-8, 8), "u4": (0, 16), "b1": (0, 2)}


@dataclass(frozen=True)
class Case:
    """Shape, types of A and B, of C and of D, layouts of A, B, C and D, and the increments of strides."""

    m: int
    n: int
    k: int
    ab: str
    c: str
    d: str
    layouts: str
    pad: int = 0
    tail: str = ""
    name: str = "wmma.mma"

    @property
    def shape(self) -> str:
        return f"m{self.m}n{self.n}k{self.k}"

    def __str__(self) -> str:
        return f"{self.name}-{self.shape}-{self.ab}-{self.c}-{self.d}-{self.layouts}-{self.pad}{self.tail}"


def cases() -> list[Case]:
    found: list[Case] = []
    wide = [(16, 16, 16), (8, 32, 16), (32, 8, 16)]
    for i, (shape, a, b) in enumerate(itertools.product(wide, "rc", "rc")):
        for d, c in itertools.product(("f16", "f32"), repeat=2):
            found.append(Case(*shape, "f16", c, d, a + b + "rccr"[i % 3 : i % 3 + 2], 16 * (i % 2)))
        found.append(Case(*shape, "bf16", "f32", "f32", a + b + "rc", 8))
        for type_ in ("s8", "u8"):
            found.append(Case(*shape, type_, "s32", "s32", a + b + "cr", 16 * (i % 2)))
    for a, b in itertools.product("rc", repeat=2):
        found.append(Case(16, 16, 8, "tf32", "f32", "f32", a + b + "rr", 8))
        found.append(Case(8, 8, 4, "f64", "f64", "f64", a + b + "cc", 2))
    for type_, k in (("s4", 32), ("u4", 32)):
        found.append(Case(8, 8, k, type_, "s32", "s32", "rcrc", 32))
    for name in ("wmma.mma.xor", "wmma.mma.and"):
        found.append(Case(8, 8, 128, "b1", "s32", "s32", "rccr", 128, "", name))
    return found


def encode(matrix: np.ndarray, type_: str, order: str, stride: int) -> np.ndarray:
    """A matrix of integers in memory, with random bytes between its rows or columns."""
    lines = matrix if order == "r" else matrix.T
    padded = np.full((lines.shape[0], stride), 1, np.int64)
    padded[:, : lines.shape[1]] = lines
    if type_ == "b1":
        return np.packbits(padded.astype(np.uint8), axis=1, bitorder="little").reshape(-1)
    if type_ in ("s4", "u4"):
        nibbles = padded.astype(np.uint8) & 15
        return (nibbles[:, ::2] | nibbles[:, 1::2] << 4).reshape(-1)
    if type_ == "bf16":
        out = (padded.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    else:
        kind = {"f16": np.float16, "tf32": np.float32, "f32": np.float32, "f64": np.float64}
        kind |= {"s8": np.int8, "u8": np.uint8, "s32": np.int32}
        out = padded.astype(kind[type_])
    return np.ascontiguousarray(out).view(np.uint8).reshape(-1)


def decode(data: np.ndarray, type_: str, order: str, shape: tuple[int, int], stride: int):
    kind = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}[type_]
    rows, columns = shape if order == "r" else shape[::-1]
    lines = data.view(kind).reshape(rows, stride)[:, :columns]
    return lines if order == "r" else lines.T


def values_of(case: Case, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    low, high = RANGES.get(case.ab, (-7, 8))
    a = rng.integers(low, high, (case.m, case.k))
    b = rng.integers(low, high, (case.k, case.n))
    return a, b, rng.integers(-99, 100, (case.m, case.n))


def types_of(name: str, mods: str) -> list:
    row = INSTRUCTIONS[name].row.signature(mods)
    assert row is not None
    return [
        {"f32": F32, "f64": F64}.get(s.type_, B32) for s in row.results for _ in range(s.count or 1)
    ]


def run(case: Case, a: np.ndarray, b: np.ndarray, c: np.ndarray, strides: bool = True):
    """D as machine code computes it."""
    words = {"r": "row", "c": "col"}
    dims = {"a": a.shape, "b": b.shape, "c": c.shape, "d": c.shape}
    orders = dict(zip("abcd", case.layouts))
    types = {"a": case.ab, "b": case.ab, "c": case.c, "d": case.d}
    lengths = {x: dims[x][1] if orders[x] == "r" else dims[x][0] for x in "abcd"}
    stride = {x: lengths[x] + case.pad for x in "abcd"}
    kernel = Kernel(4)
    fragments = {}
    for i, x in enumerate("abc"):
        mods = f"sync.aligned.{words[orders[x]]}.{case.shape}.global.{types[x]}"
        slots = layout(addr(), imm(stride[x])) if strides else layout(addr())
        name = LOADS[x]
        fragments[x] = kernel.add(
            name, mods, [kernel.pointers[i]], types_of(name, mods), slots
        ).results
    middle = f"{words[orders['a']]}.{words[orders['b']]}.{case.shape}"
    kinds = f"{case.d}.{case.c}"
    if case.ab != "f16":
        kinds = f"{case.d}.{case.ab}.{case.ab}.{case.c}"
    popc = "popc." if case.ab == "b1" else ""
    mods = f"{popc}sync.aligned.{middle}.{kinds}{case.tail}"
    if case.tail.startswith(".r"):
        mods = f"sync.aligned.{middle}{case.tail}.{kinds}"
    counts = [len(fragments[x]) for x in "abc"]
    result = kernel.add(
        case.name,
        mods,
        [v for x in "abc" for v in fragments[x]],
        types_of(case.name, mods),
        layout(*(vec(n) for n in counts)),
    ).results
    mods = f"sync.aligned.{words[orders['d']]}.{case.shape}.{case.d}"
    slots = [addr(), vec(len(result)), *([imm(stride["d"])] if strides else [])]
    kernel.add("wmma.store.d", mods, [kernel.pointers[3], *result], (), layout(*slots))
    given = [encode(v, types[x], orders[x], stride[x]) for x, v in zip("abc", (a, b, c))]
    rows = dims["d"][0] if orders["d"] == "r" else dims["d"][1]
    out = np.zeros(rows * stride["d"] * SIZES[case.d] // 8, np.uint8)
    launch(kernel.module(), "k", 1, 32, [*given, out], checks=CHECKS)
    return decode(out, case.d, orders["d"], dims["d"], stride["d"])


@pytest.mark.parametrize("case", cases(), ids=str)
def test_products(case: Case):
    a, b, c = values_of(case)
    if case.name == "wmma.mma.xor":
        wanted = c + (a[:, :, None] != b[None]).sum(1)
    else:
        wanted = a @ b + c
    assert run(case, a, b, c).tolist() == wanted.tolist()


@pytest.mark.parametrize("layouts", ["rrrr", "cccc", "rccr"])
def test_the_default_stride_is_the_length_of_a_row_or_column(layouts: str):
    case = Case(8, 32, 16, "f16", "f32", "f32", layouts)
    a, b, c = values_of(case)
    assert run(case, a, b, c, strides=False).tolist() == (a @ b + c).tolist()


def test_integers_wrap_or_saturate():
    a, b = np.full((16, 16), 127), np.full((16, 16), 127)
    c = np.full((16, 16), (1 << 31) - 10)
    case = Case(16, 16, 16, "s8", "s32", "s32", "rcrr")
    total = 127 * 127 * 16 + (1 << 31) - 10
    assert (run(case, a, b, c) == total - (1 << 32)).all()
    case = Case(16, 16, 16, "s8", "s32", "s32", "rcrr", tail=".satfinite")
    assert (run(case, a, b, c) == (1 << 31) - 1).all()
    assert (run(case, -a, b, -c - 1) == -(1 << 31)).all()


def test_saturation_to_finite_halves():
    """65504 is the largest half; CUDA C++ Programming Guide, mma_sync."""
    a, b = np.full((16, 16), 2000), np.full((16, 16), 2000)
    a[1], c = -2000, np.zeros((16, 16), np.int64)
    plain = Case(16, 16, 16, "f16", "f16", "f16", "rcrr")
    finite = Case(16, 16, 16, "f16", "f16", "f16", "rcrr", tail=".satfinite")
    assert run(plain, a, b, c)[:2, 0].tolist() == [np.inf, -np.inf]
    assert run(finite, a, b, c)[:2, 0].tolist() == [65504, -65504]


@pytest.mark.parametrize(("mode", "unit"), [("rn", 0), ("rz", 0), ("rm", 0), ("rp", 1)])
def test_doubles_round_in_the_requested_mode(mode: str, unit: int):
    """One sum of 2**53 + 1, which is between two doubles."""
    a, b = np.zeros((8, 4), np.int64), np.ones((4, 8), np.int64)
    a[:, 0] = 1
    case = Case(8, 8, 4, "f64", "f64", "f64", "rcrr", tail=f".{mode}")
    got = run(case, a, b, np.full((8, 8), 1 << 53))
    assert (got == float((1 << 53) + 2 * unit)).all()


def test_misaligned_rows_are_found():
    case = Case(16, 16, 16, "f16", "f32", "f32", "rrrr", pad=3)
    with pytest.raises(SimulationError, match="not aligned"):
        run(case, *values_of(case))


def test_matrices_out_of_bounds_are_found():
    kernel = Kernel(1)
    name, mods = split("wmma.load.a.sync.aligned.row.m16n16k16.global.f16")
    kernel.add(name, mods, [kernel.pointers[0]], [B32] * 8, layout(addr(), imm(16)))
    with pytest.raises(SimulationError, match="out of bounds"):
        launch(kernel.module(), "k", 1, 32, [np.zeros(255, np.float16)])


def test_strides_that_differ_are_found():
    kernel = Kernel(1)
    name, mods = split("wmma.load.c.sync.aligned.row.m16n16k16.global.f32")
    kernel.add(name, mods, [kernel.pointers[0], kernel.tid], [F32] * 8, layout(addr(), REG))
    with pytest.raises(SimulationError, match="different strides in the warp"):
        launch(kernel.module(), "k", 1, 32, [np.zeros(1024, np.float32)])


# As intrinsics, as ops and in inline assembly


def fragment(type_: str, count: int) -> str:
    return "{" + ", ".join([type_] * count) + "}"


def listed(type_: str, name: str, count: int) -> str:
    return ", ".join(f"{type_} %{name}{i}" for i in range(count))


def apart(name: str, type_: str, count: int) -> str:
    whole = fragment(type_, count)
    return "".join(f"  %{name}{i} = extractvalue {whole} %{name}, {i}\n" for i in range(count))


# Shape, types of A and B, of C and D; registers of A, B, C and D with their LLVM type; suffixes of
# the multiplication's names.
NAMED = [
    ("m16n16k16", "f16", "f32", ("<2 x half>", 8), ("<2 x half>", 8), ("float", 8), "f32.f32"),
    ("m32n8k16", "f16", "f16", ("<2 x half>", 8), ("<2 x half>", 8), ("<2 x half>", 4), "f16.f16"),
    ("m8n32k16", "u8", "s32", ("i32", 1), ("i32", 4), ("i32", 8), "u8.satfinite"),
    ("m16n16k16", "bf16", "f32", ("i32", 4), ("i32", 4), ("float", 8), "bf16"),
    ("m16n16k8", "tf32", "f32", ("i32", 4), ("i32", 4), ("float", 8), "tf32"),
    ("m8n8k4", "f64", "f64", ("double", 1), ("double", 1), ("double", 2), "rn.f64"),
    ("m8n8k32", "s4", "s32", ("i32", 1), ("i32", 1), ("i32", 2), "s4"),
    ("m8n8k128", "b1", "s32", ("i32", 1), ("i32", 1), ("i32", 2), "and.popc b1"),
]


@pytest.mark.parametrize("row", NAMED, ids=lambda r: f"{r[0]}-{r[1]}-{r[2]}")
def test_intrinsics(row):
    shape, ab, cd, a, b, c, tail = row
    m, n, k = (int(p) for p in shape[1:].replace("n", " ").replace("k", " ").split())
    case = Case(m, n, k, ab, cd, cd, "rccr")
    matrices = values_of(case)
    before, _, last = tail.rpartition(" ")
    before = f"{before}." if before else ""
    types = {"a": a, "b": b, "c": c}
    text, declared = "", []
    for i, (x, order) in enumerate(zip("abc", ("row", "col", "col"))):
        type_, count = types[x]
        result = type_ if count == 1 else fragment(type_, count)
        name = f"@llvm.nvvm.wmma.{shape}.load.{x}.{order}.stride.{cd if x == 'c' else ab}.p0"
        declared.append(f"declare {result} {name}(ptr, i32)")
        target = f"{x}0" if count == 1 else x
        text += f"  %{target} = call {result} {name}(ptr %p{i}, i32 %s{i})\n"
        text += apart(x, type_, count) if count > 1 else ""
    result = fragment(*c)
    arguments = ", ".join(listed(types[x][0], x, types[x][1]) for x in "abc")
    taken = ", ".join(", ".join([types[x][0]] * types[x][1]) for x in "abc")
    name = f"@llvm.nvvm.wmma.{shape}.mma.{before}row.col.{last}"
    declared.append(f"declare {result} {name}({taken})")
    text += f"  %d = call {result} {name}({arguments})\n" + apart("d", *c)
    name = f"@llvm.nvvm.wmma.{shape}.store.d.row.{cd}.p0"
    declared.append(f"declare void {name}(ptr, {', '.join([c[0]] * c[1])})")
    text += f"  call void {name}(ptr %p3, {listed(c[0], 'd', c[1])})\n"
    signature = "ptr %p0, ptr %p1, ptr %p2, ptr %p3, i32 %s0, i32 %s1, i32 %s2"
    source = "\n".join(declared)
    source += f"\ndefine ptx_kernel void @k({signature}) {{\n{text}  ret void\n}}\n"
    given = [
        encode(matrices[0], ab, "r", k), encode(matrices[1], ab, "c", k), encode(matrices[2], cd, "c", m)
    ]  # fmt: skip
    out = np.zeros(m * n * SIZES[cd] // 8, np.uint8)
    launch(module(source), "k", 1, 32, [*given, out, k, k, m])
    wanted = matrices[0] @ matrices[1] + matrices[2]
    assert decode(out, cd, "r", (m, n), n).tolist() == wanted.tolist()


def test_ops_of_the_nvvm_dialect():
    f16, f32 = "vector<2xf16>", "f32"
    a, d = (f"!llvm.struct<({', '.join([t] * 8)})>" for t in (f16, f32))
    shape = "k = 16 : i32, m = 16 : i32, n = 16 : i32"
    lines = [
        f"  %s = llvm.mlir.constant(16 : i32) : i32\n  %zero = llvm.mlir.constant(0.0 : f32) : {f32}"
    ]
    for x in "ab":
        lines.append(
            f"  %{x} = nvvm.wmma.load %p{x}, %s {{eltype = #nvvm.mma_type<f16>, frag = #nvvm.mma_frag<{x}>,"
            f" layout = #nvvm.mma_layout<row>, {shape}}} : (!llvm.ptr) -> {a}"
        )
        lines += [f"  %{x}{i} = llvm.extractvalue %{x}[{i}] : {a}" for i in range(8)]
    registers = [f"%{x}{i}" for x in "ab" for i in range(8)] + ["%zero"] * 8
    types = ", ".join([f16] * 16 + [f32] * 8)
    lines.append(
        f"  %d = nvvm.wmma.mma {', '.join(registers)} {{eltypeA = #nvvm.mma_type<f16>, eltypeB = #nvvm.mma_type<f32>,"
        f" layoutA = #nvvm.mma_layout<row>, layoutB = #nvvm.mma_layout<row>, {shape}}} : ({types}) -> {d}"
    )
    lines += [f"  %d{i} = llvm.extractvalue %d[{i}] : {d}" for i in range(8)]
    lines.append(
        f"  nvvm.wmma.store %pd, %s, {', '.join(f'%d{i}' for i in range(8))} {{eltype = #nvvm.mma_type<f32>,"
        f" layout = #nvvm.mma_layout<row>, {shape}}} : !llvm.ptr, {', '.join([f32] * 8)}"
    )
    body = "\n".join(lines)
    text = (
        "llvm.func @k(%pa: !llvm.ptr, %pb: !llvm.ptr, %pd: !llvm.ptr) attributes {nvvm.kernel} {\n"
        f"{body}\n  llvm.return\n}}"
    )
    case = Case(16, 16, 16, "f16", "f32", "f32", "rrrr")
    x, y, _ = values_of(case)
    out = np.zeros((16, 16), np.float32)
    context = Context()
    for dialect in (Builtin, LLVM, NVVM):
        context.load_dialect(dialect)
    launch(
        Parser(context, text).parse_module(),
        "k",
        1,
        32,
        [x.astype(np.float16), y.astype(np.float16), out],
    )
    assert out.tolist() == (x @ y).tolist()


def test_inline_assembly():
    text = (
        "wmma.load.c.sync.aligned.col.m16n16k16.global.f32 {"
        + ", ".join(f"${i}" for i in range(8))
        + "}, [$8], $9;"
    )
    outputs = ",".join(["=f"] * 8)
    stored = (
        "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [$0], {"
        + ", ".join(f"${i}" for i in range(1, 9))
        + "}, 20;"
    )
    source = f"""define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %s) {{
  %c = call {fragment("float", 8)} asm sideeffect "{text}", "{outputs},l,r"(ptr addrspace(1) %p, i32 %s)
{apart("c", "float", 8)}
  call void asm sideeffect "{stored}", "l,{",".join(["f"] * 8)}"(ptr addrspace(1) %q, {listed("float", "c", 8)})
  ret void
}}"""
    matrix = np.arange(16 * 24, dtype=np.float32).reshape(16, 24)
    out = np.zeros((16, 20), np.float32)
    launch(module(source), "k", 1, 32, [matrix, out, 24])
    assert out[:, :16].tolist() == matrix[:, :16].T.tolist()
    assert (out[:, 16:] == 0).all()


# From CUDA


def test_a_kernel_of_cuda():
    """A matrix product by tiles, as clang compiles it, at both levels."""
    source = read_ll((Path(__file__).parent / "wmma_product.ll").read_text())
    m, n, k = 32, 48, 64
    rng = np.random.default_rng(3)
    a = rng.integers(-4, 5, (m, k)).astype(np.float16)
    b = rng.integers(-4, 5, (n, k)).astype(np.float16)
    d = np.zeros((m, n), np.float32)
    launch(source, "product", (n // 16, m // 16), 32, [a, b, d, n, k], checks=CHECKS)
    assert d.tolist() == (2 * a.astype(np.float32) @ b.astype(np.float32).T).tolist()
    launches = [Launch("product", (n // 16, m // 16), 32, (a, b, np.zeros_like(d), n, k))]
    assert_same_behaviour(source, "nvopt<O3>", launches)
