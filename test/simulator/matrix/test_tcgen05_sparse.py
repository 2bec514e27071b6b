"""Products of tcgen05 with sparse A and with block scaling (PTX ISA 9.7.16.10.7, 9.7.16.10.8).

The layout of metadata and scale factors is written out here independently, by loops over rows.
"""

from __future__ import annotations

import numpy as np
import pytest
from helpers.tcgen05_products import (
    CODES,
    FLOATS,
    descriptor,
    empty,
    encode,
    nibbles,
    numbers,
    run,
    singles,
    small,
    spread,
)
from helpers.tensor_kernels import LEVELS, bytes_of, call, k_major, pointer

from nvvm_xdsl.simulator import SimulationError

INSTRUCTIONS_HERE = ["tcgen05.mma.sp", "tcgen05.mma.ws.sp"]

KINDS = {"f16": 0, "tf32": 1, "f8f6f4": 2, "i8": 3}

# Sparse A


def choose(seed: int, rows: int, k: int, wide: int) -> tuple[np.ndarray, np.ndarray]:
    """Returns the stored elements of each row, and the metadata: 4 bits for each chunk of K.

    Chunks are 4 elements, of which 2 are stored; 2, of which 1 is stored (`wide` 2); or 8, of which two pairs
    are stored (`wide` 8).
    """
    random = np.random.default_rng(seed)
    chunks = k // wide
    codes = np.zeros((rows, chunks), np.int64)
    there = np.zeros((rows, k), bool)
    for row in range(rows):
        for chunk in range(chunks):
            if wide == 2:
                one = int(random.integers(2))
                codes[row, chunk] = (0b0100, 0b1110)[one]
                there[row, 2 * chunk + one] = True
                continue
            first, second = sorted(random.choice(4, 2, replace=False).tolist())
            codes[row, chunk] = first | second << 2
            step = wide // 4
            for index in (first, second):
                start = wide * chunk + step * index
                there[row, start : start + step] = True
    return there, codes


def place_metadata(fill: np.ndarray, column: int, codes: np.ndarray, wide: bool) -> None:
    """Writes metadata of 128, 64 or 32 rows, repeated in all 128 lanes.

    With `wide`, for elements of 16 and 32 bits, the first half of K is in lanes 0 to 7 of each 16, the second
    in lanes 8 to 15; rows 0 to 7 of 16 are in the lower halves of words, the others in the upper. Otherwise a
    row's two words are in its lane.
    """
    rows = codes.shape[0]
    for lane in range(128):
        if not wide:
            for word in range(2):
                part = codes[lane % rows, 8 * word : 8 * word + 8]
                fill[lane, column + word] = sum(int(c) << 4 * i for i, c in enumerate(part))
            continue
        half = lane % 16 // 8
        value = 0
        for upper in range(2):
            row = (lane // 16 * 16 + 8 * upper + lane % 8) % rows
            part = codes[row, 4 * half : 4 * half + 4]
            value |= sum(int(c) << 4 * i for i, c in enumerate(part)) << 16 * upper
        fill[lane, column] = value


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("kind", "type_", "k", "selector"),
    [("f16", "f16", 32, 0), ("f16", "bf16", 32, 1), ("tf32", "tf32", 16, 0), ("i8", "s8", 64, 0), ("f8f6f4", "e4m3", 64, 0)],
)  # fmt: skip
def test_sparse_products(kind: str, type_: str, k: int, selector: int, level: str):
    there, codes = choose(1, 128, k, 2 if kind == "tf32" else 4)
    stored, b = numbers(2, 128, k // 2), numbers(3, 32, k)
    a = np.zeros((128, k), np.int64)
    a[there] = stored.reshape(-1)
    fill = empty(64)
    place_metadata(fill, 40 + selector, codes, kind in ("f16", "tf32"))
    d = "s32" if kind == "i8" else "f32"
    word = descriptor(128, 32, type_, type_, d, sparse=1, selector=selector)
    issue = call(
        "mma.sp.shared", "ptr addrspace(6) %d", "i64 %m0", "i64 %m1", f"i32 {word}", "i1 false",
        "ptr addrspace(6) %e", f"i32 {KINDS[kind]}", "i32 1", "i32 0",
    )  # fmt: skip
    matrices = [k_major(encode(stored, type_)), k_major(encode(b, type_))]
    got = run(matrices, [issue], fill, level, before=pointer("e", 40))[:, :32]
    want = a @ b.T
    assert np.array_equal(got, want.astype(np.uint32) if kind == "i8" else singles(want))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("m", [32, 64, 128])
@pytest.mark.parametrize(("kind", "type_", "k"), [("f16", "f16", 32), ("i8", "s8", 64)])
def test_sparse_weight_stationary_products(kind: str, type_: str, k: int, m: int, level: str):
    there, codes = choose(4, m, k, 4)
    stored, b = numbers(5, m, k // 2), numbers(6, 64, k)
    a = np.zeros((m, k), np.int64)
    a[there] = stored.reshape(-1)
    fill = empty(128)
    place_metadata(fill, 70, codes, kind == "f16")
    word = descriptor(m, 64, type_, type_, "s32" if kind == "i8" else "f32", sparse=1)
    issue = call(
        "mma.ws.sp.shared", "ptr addrspace(6) %d", "i64 %m0", "i64 %m1", f"i32 {word}", "i1 false",
        "ptr addrspace(6) %e", f"i32 {KINDS[kind]}", "i32 0", "i32 0",
    )  # fmt: skip
    matrices = [k_major(encode(stored, type_)), k_major(encode(b, type_))]
    got = run(matrices, [issue], fill, level, before=pointer("e", 70))
    want = spread(m, a @ b.T, 1, True)
    assert np.array_equal(
        got[:, : want.shape[1]], want.astype(np.uint32) if kind == "i8" else singles(want)
    )


@pytest.mark.parametrize(
    ("kind", "code", "message"),
    [("tf32", 0, "neither 0xE nor 0x4"), ("f16", 0x11111111, "do not ascend")],
)
def test_wrong_metadata(kind: str, code: int, message: str):
    fill = empty(64)
    fill[:, 40] = code
    type_ = kind
    word = descriptor(128, 32, type_, type_, "f32", sparse=1)
    issue = call(
        "mma.sp.shared", "ptr addrspace(6) %d", "i64 %m0", "i64 %m1", f"i32 {word}", "i1 false",
        "ptr addrspace(6) %e", f"i32 {KINDS[kind]}", "i32 1", "i32 0",
    )  # fmt: skip
    zeros = k_major(np.zeros((128, 64), np.uint8))
    with pytest.raises(SimulationError, match=message):
        run([zeros, zeros], [issue], fill, before=pointer("e", 40))


@pytest.mark.parametrize(
    ("m", "selector", "group", "message"),
    [(64, 0, 1, "layout F"), (128, 2, 1, "sparsity selector of 2"), (128, 0, 2, "layout C")],
)
def test_invalid_sparse_products(m: int, selector: int, group: int, message: str):
    word = descriptor(m, 32, "f16", "f16", "f32", sparse=1, selector=selector)
    issue = call(
        "mma.sp.shared", "ptr addrspace(6) %d", "i64 %m0", "i64 %m1", f"i32 {word}", "i1 false",
        "ptr addrspace(6) %e", "i32 0", f"i32 {group}", "i32 0",
    )  # fmt: skip
    zeros = k_major(np.zeros((128, 64), np.uint8))
    with pytest.raises(SimulationError, match=message):
        run([zeros, zeros] * group, [issue], empty(64, group), group=group, before=pointer("e", 40))


# Block scaling


def scaled_descriptor(
    m: int, n: int, a: int, b: int, a_id: int = 0, b_id: int = 0, ue8m0: bool = True, sparse: bool = False
) -> int:  # fmt: skip
    """An instruction descriptor of the kinds with block scaling (tables 43 and 44)."""
    return (
        sparse << 2 | b_id << 4 | a << 7 | b << 10 | n >> 3 << 17 | ue8m0 << 23 | m >> 7 << 27
        | a_id << 29
    )  # fmt: skip


def place_factors(
    fill: np.ndarray, column: int, factors: np.ndarray, byte: int, lanes: range = range(128)
) -> None:
    """Writes factors (rows, count) of A, or of B's columns: row `i` in the word of lane `i % 32`, column
    `i // 32` of each quarter of the lanes, from a byte of the word on.
    """
    view = fill.view(np.uint8).reshape(*fill.shape, 4)
    for lane in lanes:
        for row in range(lane % 32, factors.shape[0], 32):
            for i, factor in enumerate(factors[row]):
                view[lane, column + row // 32, byte + i] = factor


def powers(seed: int, rows: int, count: int) -> np.ndarray:
    """Scale factors of UE8M0: 127 is one."""
    return np.random.default_rng(seed).integers(125, 130, (rows, count))


def scaled(values: np.ndarray, factors: np.ndarray) -> np.ndarray:
    return values * np.repeat(factors, values.shape[1] // factors.shape[1], axis=1)


def issue_scaled(kind: str, word: int, group: int = 1, block: str = "", sparse: bool = False):
    metadata = ["ptr addrspace(6) %e"] if sparse else []
    return call(
        f"mma.{'sp.' if sparse else ''}shared.{kind}.block_scale{block}", "ptr addrspace(6) %d", "i64 %m0",
        "i64 %m1", f"i32 {word}", "i1 false", *metadata, "ptr addrspace(6) %sfa", "ptr addrspace(6) %sfb",
        f"i32 {group}", "i32 0",
    )  # fmt: skip


WHERE = "\n".join([pointer("sfa", 64), pointer("sfb", 72), pointer("e", 80)])


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("a_type", "b_type", "ids"),
    [("e4m3", "e5m2", (0, 0)), ("e2m1", "e4m3", (3, 1)), ("e3m2", "e2m3", (1, 2))],
)
def test_sparse_products_with_one_scale_factor_per_row(
    a_type: str, b_type: str, ids: tuple[int, int], level: str
):
    a, b = numbers(10, 128, 32), numbers(11, 48, 32)
    fa, fb = powers(12, 128, 1), powers(13, 48, 1)
    fill = empty(128)
    place_factors(fill, 64, fa, ids[0])
    place_factors(fill, 72, fb, ids[1])
    word = scaled_descriptor(128, 48, CODES[a_type], CODES[b_type], *ids)
    matrices = [k_major(encode(a, a_type)), k_major(encode(b, b_type))]
    got = run(matrices, [issue_scaled("mxf8f6f4", word)], fill, level, before=WHERE)
    want = scaled(a, 2.0 ** (fa - 127)) @ scaled(b, 2.0 ** (fb - 127)).T
    assert np.array_equal(got[:, :48], singles(want))


def fours(seed: int, rows: int, count: int) -> np.ndarray:
    return np.random.default_rng(seed).choice([0.5, 1, 1.5, 2, 3], (rows, count))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("kind", "block", "count", "ids", "ue8m0"),
    [
        ("mxf4", "", 2, (0, 2), True), ("mxf4", ".block32", 2, (2, 0), True),
        ("mxf4nvf4", ".block32", 2, (2, 2), True), ("mxf4nvf4", ".block16", 4, (0, 0), True),
        ("mxf4nvf4", ".block16", 4, (0, 0), False),
    ],
)  # fmt: skip
def test_four_bit_floats(kind, block, count, ids, ue8m0, level):
    a, b = numbers(14, 128, 64, -2, 3), numbers(15, 32, 64, -2, 3)
    if ue8m0:
        codes = [powers(16, 128, count), powers(17, 32, count)]
        factors = [2.0 ** (c - 127) for c in codes]
    else:
        factors = [fours(16, 128, count), fours(17, 32, count)]
        codes = [small(f, *FLOATS["e4m3"]) for f in factors]
    fill = empty(128)
    place_factors(fill, 64, codes[0], ids[0])
    place_factors(fill, 72, codes[1], ids[1])
    word = scaled_descriptor(128, 32, 1, 1, *ids, ue8m0)
    matrices = [k_major(nibbles(a)), k_major(nibbles(b))]
    got = run(matrices, [issue_scaled(kind, word, block=block)], fill, level, before=WHERE)
    assert np.array_equal(got[:, :32], singles(scaled(a, factors[0]) @ scaled(b, factors[1]).T))


@pytest.mark.parametrize("m", [128, 256])
def test_scaling_in_a_pair_of_blocks(m: int):
    """Each block has the factors of its rows. With M = 128 the upper 64 lanes compute the second half of the
    columns, and have their factors.
    """
    n = 64
    a, b = numbers(18, m, 64, -2, 3), numbers(19, n, 64, -2, 3)
    fa, fb = powers(20, m, 4), powers(21, n, 4)
    fill = empty(128, 2)
    for rank in range(2):
        mine = fill[128 * rank : 128 * rank + 128]
        place_factors(mine, 64, fa[m // 2 * rank : m // 2 * rank + m // 2], 0)
        if m == 256:
            place_factors(mine, 72, fb, 0)
        else:
            place_factors(mine, 72, fb[: n // 2], 0, range(64))
            place_factors(mine, 72, fb[n // 2 :], 0, range(64, 128))
    matrices = [k_major(nibbles(p)) for p in (*np.split(a, 2), *np.split(b, 2))]
    word = scaled_descriptor(m, n, 1, 1)
    issue = issue_scaled("mxf4nvf4", word, 2, ".block16")
    got = run(matrices, [issue], fill, group=2, before=WHERE)
    product = scaled(a, 2.0 ** (fa - 127)) @ scaled(b, 2.0 ** (fb - 127)).T
    want = spread(m, product, 2, False)
    assert np.array_equal(got[:, : want.shape[1]], singles(want))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("kind", "k", "wide", "count"), [("mxf8f6f4", 64, 4, 1), ("mxf4", 128, 8, 2)]
)
def test_sparse_scaled_products(kind: str, k: int, wide: int, count: int, level: str):
    there, codes = choose(22, 128, k, wide)
    stored, b = numbers(23, 128, k // 2, -2, 3), numbers(24, 32, k, -2, 3)
    a = np.zeros((128, k))
    a[there] = stored.reshape(-1)
    fa, fb = powers(25, 128, count), powers(26, 32, count)
    fill = empty(128)
    place_metadata(fill, 80, codes, False)
    place_factors(fill, 64, fa, 0)
    place_factors(fill, 72, fb, 0)
    if kind == "mxf4":
        matrices, type_ = [k_major(nibbles(stored)), k_major(nibbles(b))], 1
    else:
        matrices, type_ = [k_major(encode(stored, "e4m3")), k_major(encode(b, "e4m3"))], 0
    word = scaled_descriptor(128, 32, type_, type_, sparse=True)
    issue = issue_scaled(kind, word, sparse=True)
    got = run(matrices, [issue], fill, level, before=WHERE)
    want = scaled(a, 2.0 ** (fa - 127)) @ scaled(b, 2.0 ** (fb - 127)).T
    assert np.array_equal(got[:, :32], singles(want))


@pytest.mark.parametrize(
    ("kind", "word", "message"),
    [
        ("mxf4", scaled_descriptor(128, 32, 1, 1, 1, 0), "1 is not a scale factor A ID"),
        ("mxf4", scaled_descriptor(128, 32, 1, 1, ue8m0=False), "ue4m3 need .kind::mxf4nvf4"),
        ("mxf4", scaled_descriptor(256, 32, 1, 1), "no shape M = 256"),
        ("mxf4", scaled_descriptor(128, 32, 1, 1) | 1 << 31, "K = 96 exists on sm_103a only"),
        ("mxf4", scaled_descriptor(128, 32, 1, 1) | 1 << 15, "cannot be transposed"),
        ("mxf8f6f4", scaled_descriptor(128, 32, 2, 0), "2 is not a type of matrix A"),
    ],
)  # fmt: skip
def test_wrong_scaled_products(kind: str, word: int, message: str):
    zeros = k_major(bytes_of(np.zeros((128, 32), np.uint8)))
    with pytest.raises(SimulationError, match=message):
        run([zeros, zeros], [issue_scaled(kind, word & 0xFFFFFFFF)], empty(128), before=WHERE)
