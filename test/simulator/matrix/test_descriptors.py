"""Element addresses by descriptors, compared with the layouts of the PTX ISA written out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.simulator.matrix.descriptors import (
    DescriptorError,
    MatrixDescriptor,
    Swizzle,
    decode_tcgen05,
    decode_wgmma,
)


def test_fields_of_wgmma():
    word = 0x1234 | 0x0080 << 16 | 0x0040 << 32 | 5 << 49 | 1 << 62
    assert decode_wgmma(word) == MatrixDescriptor(0x12340, 0x800, 0x400, Swizzle.B128, 5)


@pytest.mark.parametrize(
    ("mode", "swizzle"), [(0, Swizzle.NONE), (1, Swizzle.B128), (2, Swizzle.B64), (3, Swizzle.B32)]
)
def test_swizzles_of_wgmma(mode: int, swizzle: Swizzle):
    assert decode_wgmma(mode << 62).swizzle is swizzle


@pytest.mark.parametrize(
    ("mode", "swizzle"),
    [
        (0, Swizzle.NONE),
        (1, Swizzle.B128_ATOM_32B),
        (2, Swizzle.B128),
        (4, Swizzle.B64),
        (6, Swizzle.B32),
    ],
)
def test_swizzles_of_tcgen05(mode: int, swizzle: Swizzle):
    assert decode_tcgen05(mode << 61 | 1 << 46).swizzle is swizzle


@pytest.mark.parametrize(
    ("word", "message"),
    [
        (2 << 46, "bits 46 to 48"),
        (1 << 46 | 1 << 52, "absolute leading dimension"),
        (1 << 46 | 3 << 61, "swizzling mode 3"),
    ],
)
def test_rejected(word: int, message: str):
    with pytest.raises(DescriptorError, match=message):
        decode_tcgen05(word)


def test_a_row_longer_than_its_swizzle_is_an_error():
    with pytest.raises(DescriptorError, match="rows of 64 bytes"):
        MatrixDescriptor(0, 0, 256, Swizzle.B32).addresses(8, 64, 8, mn_major=False)


def test_atoms_of_32_bytes_are_not_k_major():
    with pytest.raises(DescriptorError, match="MN-major"):
        MatrixDescriptor(0, 0, 256, Swizzle.B128_ATOM_32B).addresses(8, 8, 32, mn_major=False)


def test_k_major_without_swizzle():
    """Core matrices of 8 rows of 16 bytes: the next along K at LBO, the next along M at SBO."""
    at = MatrixDescriptor(0x400, 0x80, 0x100, Swizzle.NONE).addresses(64, 16, 16, mn_major=False)
    for row in range(64):
        for k in range(16):
            core = 0x400 + row // 8 * 0x100 + k // 8 * 0x80
            assert at[row, k] == core + row % 8 * 16 + k % 8 * 2


def test_mn_major_without_swizzle():
    """Core matrices of 8 columns of 16 bytes: the next along M at SBO, the next along K at LBO."""
    at = MatrixDescriptor(0x400, 0x800, 0x80, Swizzle.NONE).addresses(64, 16, 16, mn_major=True)
    for row in range(64):
        for k in range(16):
            core = 0x400 + row // 8 * 0x80 + k // 8 * 0x800
            assert at[row, k] == core + k % 8 * 16 + row % 8 * 2


# The order of the 16-byte chunks in the rows of each pattern, as the figures of the PTX ISA's
# 9.7.15.5.1.2 and of the tensor map's swizzling modes show them (row by row, one repetition).
PATTERNS = {
    Swizzle.B32: ["01", "01", "01", "01", "10", "10", "10", "10"],
    Swizzle.B64: ["0123", "0123", "1032", "1032", "2301", "2301", "3210", "3210"],
    Swizzle.B128: [
        "01234567",
        "10325476",
        "23016745",
        "32107654",
        "45670123",
        "54761032",
        "67452301",
        "76543210",
    ],
}


@pytest.mark.parametrize("swizzle", PATTERNS)
def test_k_major_swizzled(swizzle: Swizzle):
    pattern = PATTERNS[swizzle]
    span = 16 * len(pattern[0])
    at = MatrixDescriptor(0x400, 16, 0x1000, swizzle).addresses(24, span // 2, 16, mn_major=False)
    for row in range(24):
        for k in range(span // 2):
            start = 0x400 + row // 8 * 0x1000 + row % 8 * span
            chunk = int(pattern[row % 8][k // 8])
            assert at[row, k] == start + chunk * 16 + k % 8 * 2


@pytest.mark.parametrize("swizzle", PATTERNS)
def test_mn_major_swizzled(swizzle: Swizzle):
    pattern = PATTERNS[swizzle]
    span = 16 * len(pattern[0])
    wide = span // 2
    at = MatrixDescriptor(0x400, 0x2000, 0x400, swizzle).addresses(2 * wide, 16, 16, mn_major=True)
    for row in range(2 * wide):
        for k in range(16):
            start = 0x400 + row // wide * 0x2000 + k // 8 * 0x400 + k % 8 * span
            chunk = int(pattern[k % 8][row % wide // 8])
            assert at[row, k] == start + chunk * 16 + row % 8 * 2


def test_mn_major_with_atoms_of_32_bytes():
    """Pairs of chunks are exchanged; four columns make a pattern of 512 bytes."""
    pattern = ["01234567", "23016745", "45670123", "67452301"]
    swizzle = Swizzle.B128_ATOM_32B
    at = MatrixDescriptor(0x400, 0x2000, 0x200, swizzle).addresses(64, 8, 32, mn_major=True)
    for row in range(64):
        for k in range(8):
            start = 0x400 + row // 32 * 0x2000 + k // 4 * 0x200 + k % 4 * 128
            assert at[row, k] == start + int(pattern[k % 4][row % 32 // 4]) * 16 + row % 4 * 4


def test_moved_along_k_within_a_row():
    """The start advances by the unswizzled bytes; the pattern does not move."""
    whole = MatrixDescriptor(0x400, 0, 0x400, Swizzle.B128).addresses(64, 64, 16, mn_major=False)
    for step in range(4):
        moved = MatrixDescriptor(0x400 + 32 * step, 0, 0x400, Swizzle.B128)
        part = moved.addresses(64, 16, 16, mn_major=False)
        assert (part == whole[:, 16 * step : 16 * step + 16]).all()


@given(st.integers(0, 7), st.sampled_from(list(PATTERNS)))
def test_a_base_offset_moves_the_pattern(base: int, swizzle: Swizzle):
    """A matrix whose pattern starts at 128 * base has the same layout, moved by that."""
    columns = swizzle.value.span // 2
    plain = MatrixDescriptor(0x800, 0, 0x400, swizzle).addresses(16, columns, 16, mn_major=False)
    moved = MatrixDescriptor(0x800 + 128 * base, 0, 0x400, swizzle, base)
    assert (moved.addresses(16, columns, 16, mn_major=False) == plain + 128 * base).all()


def test_addresses_wrap():
    at = MatrixDescriptor(0x3FF80, 0x80, 0x100, Swizzle.NONE).addresses(8, 16, 16, mn_major=False)
    assert at[0, 0] == 0x3FF80
    assert at[0, 8] == 0


@pytest.mark.parametrize("mn_major", [False, True])
@pytest.mark.parametrize("swizzle", list(PATTERNS))
def test_matrix_elements_have_distinct_addresses(swizzle: Swizzle, mn_major: bool):
    span = swizzle.value.span
    columns = 16 if mn_major else span // 2
    descriptor = MatrixDescriptor(0x400, 0x2000, 8 * span, swizzle)
    at = descriptor.addresses(64, columns, 16, mn_major=mn_major)
    assert np.unique(at).size == at.size


def test_elements_smaller_than_a_byte():
    at = MatrixDescriptor(0, 0x80, 0x100, Swizzle.NONE).addresses(8, 256, 1, mn_major=False)
    assert at[0, :9].tolist() == [0] * 8 + [1]
    assert at[0, 128] == 0x80
