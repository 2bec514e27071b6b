"""Addresses of matrix elements by a 64-bit shared-memory descriptor.

`wgmma` and `tcgen05` read matrices from shared memory through descriptors: a start address, two
strides and a swizzle (PTX ISA, 9.7.15.5.1 for `wgmma`, 9.7.16.4.1 for `tcgen05`). In units of 16
bytes, the canonical layouts are, with `LBO` and `SBO` for the leading and the stride dimension
byte offset and `W` for the 16-byte chunks that a swizzle spans (1, 2, 4 or 8):

| major | swizzle | row (M or N) | column (K) |
|---|---|---|---|
| K | none | `(8, m) : (1, SBO)` | `2k : LBO` |
| K | 32, 64, 128 bytes | `(8, m) : (W, SBO)` | `2k : 1` |
| MN | none | `m : SBO` | `(8, k) : (1, LBO)` |
| MN | 32, 64, 128 bytes | `(W, m) : (1, LBO)` | `(8, k) : (W, SBO)` |
| MN | 128 bytes, atoms of 32 | `(8, m) : (1, LBO)` | `(4, k) : (8, SBO)` |

where `(a, b) : (s, t)` counts `a` steps of `s`, then `b` of `t`, and the chunk of an element is its
index along the major dimension divided by the elements of a chunk. CUTLASS states the same tables
(include/cute/atom/mma_traits_sm90_gmma.hpp, include/cute/arch/mma_sm100_desc.hpp).

The swizzle permutes addresses, not offsets: bits 7 and above of an address, relative to the start
of the pattern, are combined by exclusive or with the bits of the chunk index within 128 bytes. A
descriptor that is moved along K within a swizzled row therefore needs no other change.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

Addresses = np.ndarray[Any, np.dtype[np.int64]]

CHUNK = 16
"""Size in bytes of the chunks that a swizzle does not split."""

ADDRESS_MASK = 0x3FFFF
"""Mask of the shared address bits that the 14-bit field of a descriptor holds; addresses wrap
above."""


class DescriptorError(ValueError):
    """A descriptor has a value that the PTX ISA does not define, or does not match the matrix."""


@dataclass(frozen=True, slots=True)
class _SwizzleKind:
    span: int
    """Size in bytes of a row of the pattern."""
    rows: int
    """Number of rows of one span that are consecutive in memory before the stride applies,
    MN-major."""
    bits: int
    """The number of address bits that change."""
    low: int
    """The lowest bit that changes; the bits that are added to it start at bit 7."""


class Swizzle(Enum):
    """The permutation of the 16-byte chunks of a matrix in shared memory."""

    NONE = _SwizzleKind(16, 8, 0, 4)
    B32 = _SwizzleKind(32, 8, 1, 4)
    B64 = _SwizzleKind(64, 8, 2, 4)
    B128 = _SwizzleKind(128, 8, 3, 4)
    B128_ATOM_32B = _SwizzleKind(128, 4, 2, 5)
    B128_ATOM_64B = _SwizzleKind(128, 2, 1, 6)

    def apply(self, addresses: Addresses, base_offset: int = 0) -> Addresses:
        """Permutes byte addresses.

        Arguments:
            addresses: byte addresses in the shared window.
            base_offset: address bits 7 to 9 of the start of the pattern, if it is not aligned to
                the size of the pattern.
        """
        kind = self.value
        row = (addresses >> 7) - base_offset
        return addresses ^ ((row & ((1 << kind.bits) - 1)) << kind.low)


_WGMMA_SWIZZLE = {0: Swizzle.NONE, 1: Swizzle.B128, 2: Swizzle.B64, 3: Swizzle.B32}
_TCGEN05_SWIZZLE = {
    0: Swizzle.NONE,
    1: Swizzle.B128_ATOM_32B,
    2: Swizzle.B128,
    4: Swizzle.B64,
    6: Swizzle.B32,
}


@dataclass(frozen=True, slots=True)
class MatrixDescriptor:
    """A decoded descriptor; all offsets are in bytes."""

    start: int
    leading: int
    stride: int
    swizzle: Swizzle
    base_offset: int = 0

    def addresses(self, rows: int, columns: int, bits: int, *, mn_major: bool) -> Addresses:
        """The byte address, within the shared window of the block, of each element.

        Arguments:
            rows: extent along M (of A) or N (of B).
            columns: extent along K.
            bits: width of an element in memory. Several elements smaller than a byte share an
                address; the first one is in the lowest bits.
            mn_major: whether elements are contiguous in memory along M or N (`imm-trans`) instead
                of along K.

        Returns:
            An array of shape (rows, columns).

        Errors:
            DescriptorError: a K-major row is longer than the span of its swizzle, or the layout
                does not exist.
        """
        row = np.arange(rows, dtype=np.int64)[:, None]
        column = np.arange(columns, dtype=np.int64)[None, :]
        kind = self.swizzle.value
        per_chunk = 8 * CHUNK // bits
        major, minor = (row, column) if mn_major else (column, row)
        within = (major % per_chunk) * bits // 8
        chunk = major // per_chunk
        if mn_major:
            inner, outer = self.leading, self.stride
            if self.swizzle is Swizzle.NONE:
                inner, outer = outer, inner
            chunks = kind.span // CHUNK
            offset = chunk % chunks * CHUNK + chunk // chunks * inner
            offset = offset + minor % kind.rows * kind.span + minor // kind.rows * outer
        else:
            if self.swizzle is Swizzle.B128_ATOM_32B:
                raise DescriptorError("a swizzle of 32-byte atoms needs an MN-major matrix")
            step = CHUNK
            if self.swizzle is Swizzle.NONE:
                step = self.leading
            elif columns * bits > 8 * kind.span:
                raise DescriptorError(
                    f"rows of {columns * bits // 8} bytes do not fit a swizzle of {kind.span} bytes"
                )
            offset = chunk * step + minor % 8 * kind.span + minor // 8 * self.stride
        linear = (self.start + offset + within) & ADDRESS_MASK
        return self.swizzle.apply(linear, self.base_offset)


def _field(word: int, low: int) -> int:
    return (word >> low & 0x3FFF) * CHUNK


def _decode(word: int, swizzle: Swizzle) -> MatrixDescriptor:
    start, leading, stride = _field(word, 0), _field(word, 16), _field(word, 32)
    return MatrixDescriptor(start, leading, stride, swizzle, word >> 49 & 7)


def decode_wgmma(word: int) -> MatrixDescriptor:
    """Decodes the descriptor of `wgmma.mma_async` (PTX ISA, 9.7.15.5.1)."""
    return _decode(word, _WGMMA_SWIZZLE[word >> 62 & 3])


def decode_tcgen05(word: int) -> MatrixDescriptor:
    """Decodes the descriptor of `tcgen05.mma` and `tcgen05.cp` (PTX ISA, 9.7.16.4.1).

    Errors:
        DescriptorError: the fixed bits 46 to 48 are not 0b001 (or 0, as Triton leaves them), the
            swizzle is 3, 5 or 7, or bit 52 makes the leading dimension an absolute address, which
            only sm_103a supports.
    """
    if word >> 46 & 7 > 1:
        raise DescriptorError(f"bits 46 to 48 of a tcgen05 descriptor must be 0b001, got {word:#x}")
    if word >> 52 & 1:
        raise DescriptorError("an absolute leading dimension (bit 52) exists on sm_103a only")
    swizzle = _TCGEN05_SWIZZLE.get(word >> 61 & 7)
    if swizzle is None:
        raise DescriptorError(f"swizzling mode {word >> 61 & 7} does not exist")
    return _decode(word, swizzle)
