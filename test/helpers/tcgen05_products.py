"""Products of matrices by `tcgen05.mma`, from NumPy arrays to NumPy arrays."""

from __future__ import annotations

import numpy as np

from helpers.tensor_kernels import (
    LANES,
    Tensor,
    bytes_of,
    descriptors,
    one_thread,
    pointer,
)


def numbers(seed: int, rows: int, columns: int, low: int = -4, high: int = 5) -> np.ndarray:
    return np.random.default_rng(seed).integers(low, high, (rows, columns))


def small(values: np.ndarray, exponent: int, mantissa: int) -> np.ndarray:
    """Returns the codes of small floats with these values, by a search among all of them."""
    count = 1 << 1 + exponent + mantissa
    codes = np.arange(count)
    bias = (1 << exponent - 1) - 1
    field, fraction = codes >> mantissa & (1 << exponent) - 1, codes & (1 << mantissa) - 1
    scale = np.where(field == 0, 2.0 ** (1 - bias), 2.0 ** (field - bias))
    magnitude = scale * (np.where(field == 0, 0, 1) + fraction / (1 << mantissa))
    table = {}
    for code in codes[::-1]:
        table[float(-magnitude[code] if code >> exponent + mantissa else magnitude[code])] = code
    return np.vectorize(lambda v: table[float(v)])(values).astype(np.uint8)


FLOATS = {"e4m3": (4, 3), "e5m2": (5, 2), "e2m3": (2, 3), "e3m2": (3, 2), "e2m1": (2, 1)}


CODES = {
    "f16": 0, "bf16": 1, "tf32": 2, "u8": 0, "s8": 1, "e4m3": 0, "e5m2": 1, "e2m3": 3, "e3m2": 4, "e2m1": 5,
}  # fmt: skip


OUTPUTS = {"f16": 0, "f32": 1, "s32": 2}


def encode(values: np.ndarray, type_: str) -> np.ndarray:
    """Rows of bytes with values of a type; 4 and 6 bits are packed in 16s, padded to 16 bytes."""
    if type_ == "f16":
        return bytes_of(values.astype(np.float16))
    if type_ == "bf16":
        return bytes_of((values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16))
    if type_ == "tf32":
        # The lower 13 bits are ignored.
        return bytes_of(values.astype(np.float32).view(np.uint32) | np.uint32(0x1234))
    if type_ in ("s8", "u8"):
        return bytes_of(values.astype(np.int8))
    codes = small(values, *FLOATS[type_])
    bits = 1 + sum(FLOATS[type_])
    if bits == 8:
        return codes
    out = np.full(codes.shape, 0xEE, np.uint8)
    for row, column in np.ndindex(codes.shape[0], codes.shape[1] // 16):
        group = codes[row, 16 * column : 16 * column + 16]
        whole = sum(int(code) << bits * i for i, code in enumerate(group))
        at = 16 * column
        out[row, at : at + 2 * bits] = np.frombuffer(whole.to_bytes(2 * bits, "little"), np.uint8)
    return out


def nibbles(values: np.ndarray) -> np.ndarray:
    """E2M1 two in a byte, without padding."""
    codes = small(values, 2, 1)
    return codes[:, ::2] | codes[:, 1::2] << 4


def descriptor(m: int, n: int, a: str, b: str, d: str, **flags: int) -> int:
    """An instruction descriptor (table 42)."""
    word = OUTPUTS[d] << 4 | CODES[a] << 7 | CODES[b] << 10 | n >> 3 << 17 | m >> 4 << 24
    places = {
        "sparse": 2, "saturate": 3, "negate_a": 13, "negate_b": 14, "turn_a": 15, "turn_b": 16,
        "selector": 0,
    }  # fmt: skip
    return word | sum(v << places[k] for k, v in flags.items())


def singles(values: np.ndarray) -> np.ndarray:
    return values.astype(np.float32).view(np.uint32)


def run(
    matrices: list[tuple[bytes, int]], calls: list[tuple[str, str]], fill: np.ndarray,
    level: str = "ir", group: int = 1, before: str = "", lane: int = 0, issuer: int = 0, **options,
) -> np.ndarray:  # fmt: skip
    """Tensor memory after calls by one thread; matrices of a pair of blocks alternate in rank."""
    parts = [descriptors(*matrices[rank::group]) for rank in range(group)]
    data = b"".join(p[0] for p in parts)
    text = "\n".join([parts[0][1], pointer("d", 0, lane), before, *(c[1] for c in calls)])
    declarations = "\n".join(dict.fromkeys(c[0] for c in calls))
    return Tensor(fill, data, declarations, group).run(one_thread(text, issuer), level, **options)


def empty(columns: int, group: int = 1) -> np.ndarray:
    return np.full((LANES * group, columns), 0xDEAD, np.uint32)


UNUSED = 999_999


def spread(m: int, d: np.ndarray, group: int, stationary: bool) -> np.ndarray:
    """The lanes of tensor memory, of both blocks of a pair, that hold D (figures 205 to 218).

    Unused lanes are UNUSED.
    """
    n = d.shape[1]
    if m == 128 * group:  # A and D: a lane for each row
        return d
    if m == 128:  # B: the second half of the columns in the upper 64 lanes
        return np.concatenate(
            [np.concatenate([half[:, : n // 2], half[:, n // 2 :]]) for half in (d[:64], d[64:])]
        )
    if not stationary:  # F: 16 rows in each 32 lanes
        out = np.full((128, n), UNUSED)
        for row in range(64):
            out[row // 16 * 32 + row % 16] = d[row]
        return out
    # E and G: the columns in two or four parts, one above the other
    return np.concatenate(np.split(d, 128 // m, axis=1))
