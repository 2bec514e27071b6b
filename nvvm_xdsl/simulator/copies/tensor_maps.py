"""Tensor maps: descriptions of a tensor in global memory and of the box that a copy moves.

On the host a `TensorMap` is created as by CUDA's driver (`cuTensorMapEncodeTiled` and
`cuTensorMapEncodeIm2col` in the CUDA Driver API, section "Tensor Map Object Management"), and
passed to a kernel as an argument. Its 128 bytes are opaque in CUDA; here they are the encoding of
`Map`. Dimensions are in CUDA's order, the innermost first (PTX ISA 5.5).
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.errors import SimulationError

SIZE = 128
ALIGNMENT = 64
MAX_RANK = 5
MAX_BOX = 256
MAX_STRIDE = 1 << 40
MAX_DIMENSION = 1 << 32
MAX_ELEMENT_STRIDE = 8
MAX_CHANNELS = 256
MAX_PIXELS = 1024
CORNER_BITS = {3: 16, 4: 8, 5: 5}
"""Bits of a corner of the im2col box, by rank."""

DATA_TYPES = (
    "u8", "u16", "u32", "s32", "u64", "s64", "f16", "f32", "f32.ftz", "f64", "bf16", "tf32", "tf32.ftz",
)  # fmt: skip
"""In the order of `tensormap.replace.elemtype` (PTX ISA 9.7.9.28)."""

_SIZES = {"u8": 1, "u16": 2, "f16": 2, "bf16": 2, "u64": 8, "s64": 8, "f64": 8}
INTERLEAVES = ("none", "16B", "32B")
SWIZZLES = ("none", "32B", "64B", "128B")
SWIZZLE_SPANS = {1: 32, 2: 64, 3: 128}
ATOMS = ("16B", "32B", "32B+8B flip", "64B")
"""Size in bytes of the atoms that a 128-byte swizzle does not split."""
FILLS = ("zero", "nan")
L2_PROMOTIONS = ("none", "64B", "128B", "256B")

_FORMAT = struct.Struct("<4s8B4xQ5I4x4Q5H5Bx3h3h2H")
_MAGIC = b"TMap"
_OF_ARRAY = {
    "uint8": "u8", "int8": "u8", "uint16": "u16", "int16": "u16", "uint32": "u32", "int32": "s32",
    "uint64": "u64", "int64": "s64", "float16": "f16", "float32": "f32", "float64": "f64",
}  # fmt: skip


@dataclass(frozen=True)
class Map:
    """The contents of a tensor map, innermost dimension first."""

    data_type: int
    """Index into `DATA_TYPES`."""
    dims: tuple[int, ...]
    strides: tuple[int, ...]
    """Strides in bytes of dimension 1 and above."""
    address: int = 0
    box: tuple[int, ...] = ()
    element_strides: tuple[int, ...] = ()
    interleave: int = 0
    swizzle: int = 0
    atom: int = 0
    fill: int = 0
    l2_promotion: int = 0
    im2col: bool = False
    lower: tuple[int, ...] = ()
    """Corners of the im2col box, W first: offsets from the first and from the last element."""
    upper: tuple[int, ...] = ()
    channels: int = 0
    pixels: int = 0

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.dims)

    @property
    def type_name(self) -> str:
        """The element type's name."""
        return DATA_TYPES[self.data_type]

    @property
    def element(self) -> int:
        """Size in bytes of an element."""
        return _SIZES.get(self.type_name, 4)

    @property
    def inner(self) -> int:
        """Number of elements of a row of the box."""
        return self.channels if self.im2col else self.box[0]

    def encode(self) -> bytes:
        """The 128 bytes."""
        flags = (
            int(self.im2col), self.data_type, self.rank - 1, self.interleave, self.swizzle, self.atom,
            self.fill, self.l2_promotion,
        )  # fmt: skip
        dims = [d & MAX_DIMENSION - 1 for d in self.dims]
        data = _FORMAT.pack(
            _MAGIC,
            *flags,
            self.address,
            *_padded(dims, 5),
            *_padded(self.strides, 4),
            *_padded(self.box, 5),
            *_padded(self.element_strides, 5),
            *_padded(self.lower, 3),
            *_padded(self.upper, 3),
            self.channels,
            self.pixels,
        )
        return data.ljust(SIZE, b"\0")

    @classmethod
    def decode(cls, data: bytes) -> Map | None:
        """The map encoded in 128 bytes; None if they are not a tensor map."""
        magic, *values = _FORMAT.unpack_from(data)
        if magic != _MAGIC:
            return None
        im2col, data_type, last, interleave, swizzle, atom, fill, promotion, address = values[:9]
        dims, strides = values[9:14], values[14:18]
        box, steps = values[18:23], values[23:28]
        lower, upper = values[28:31], values[31:34]
        rank = last + 1
        corners = rank - 2 if im2col else 0
        return cls(
            data_type,
            tuple(d or MAX_DIMENSION for d in dims[:rank]),
            tuple(strides[: rank - 1]),
            address,
            () if im2col else tuple(box[:rank]),
            tuple(steps[:rank]),
            interleave,
            swizzle,
            atom,
            fill,
            promotion,
            bool(im2col),
            tuple(lower[:corners]),
            tuple(upper[:corners]),
            values[34],
            values[35],
        )

    def problem(self) -> str | None:
        """The reason for which the driver would reject the map; None if it is valid."""
        return _problem(self)


_SIMPLE_FIELDS = {
    "elemtype": 2,
    "rank": 3,
    "interleave_layout": 4,
    "swizzle_mode": 5,
    "swizzle_atomicity": 6,
    "fill_mode": 7,
    "global_address": 9,
}
_FIELDS = {
    "global_dim": (10, 5, 1 << 32),
    "global_stride": (15, 4, 1 << 64),
    "box_dim": (19, 5, 1 << 16),
    "element_stride": (24, 5, 1 << 8),
}
"""Position in the encoding, number of entries and upper bound of the values of each field, by its
name in PTX."""


def with_field(data: bytes, name: str, ordinal: int, value: int) -> bytes | None:
    """The 128 bytes of a map with one field set, as by `tensormap.replace`.

    Zero bytes are a map without fields, from which kernels create maps.

    Arguments:
        name: the field as spelled in PTX.
        ordinal: the dimension, for fields with one entry per dimension.
    Returns:
        None if the bytes are no tensor map, or the value or the ordinal is out of range.
    """
    values = list(_FORMAT.unpack_from(data))
    if values[0] != _MAGIC and any(data):
        return None
    first, count, limit = _FIELDS.get(name) or (_SIMPLE_FIELDS[name], 1, 1 << 8)
    if name == "global_address":
        limit = 1 << 64
    if ordinal >= count or value >= limit:
        return None
    values[0] = _MAGIC
    values[first + ordinal] = value
    return _FORMAT.pack(*values).ljust(SIZE, b"\0")


def _padded(values: Sequence[int], count: int) -> list[int]:
    return [*values, *[0] * (count - len(values))]


def _problem(m: Map) -> str | None:
    """The checks of the driver's two functions, in their order."""
    unit = 32 if m.interleave == 2 else 16
    if not 0 <= m.data_type < len(DATA_TYPES):
        return f"unknown data type {m.data_type}"
    if not 1 <= m.rank <= MAX_RANK or ((m.interleave or m.im2col) and m.rank < 3):
        need = f"3 to {MAX_RANK}" if m.interleave or m.im2col else f"1 to {MAX_RANK}"
        return f"the rank is {m.rank}, not {need}"
    if m.address % unit:
        return f"the global address {m.address:#x} is not aligned to {unit} bytes"
    for d in m.dims:
        if not 1 <= d <= MAX_DIMENSION:
            return f"a dimension of {d} elements is not 1 to 2^32"
    if len(m.strides) != m.rank - 1:
        return f"{len(m.strides)} strides of a tensor of rank {m.rank}, not {m.rank - 1}"
    for s in m.strides:
        if s % unit or not 0 < s < MAX_STRIDE:
            return f"a stride of {s} bytes is not a multiple of {unit} below 2^40"
    found = _im2col_problem(m) if m.im2col else _box_problem(m)
    if found is not None:
        return found
    if len(m.element_strides) != m.rank:
        return f"{len(m.element_strides)} element strides of a tensor of rank {m.rank}"
    for step in m.element_strides[0 if m.interleave else 1 :]:
        if not 1 <= step <= MAX_ELEMENT_STRIDE:
            return f"an element stride of {step} is not 1 to {MAX_ELEMENT_STRIDE}"
    return _layout_problem(m)


def _box_problem(m: Map) -> str | None:
    if len(m.box) != m.rank:
        return f"a box of {len(m.box)} dimensions of a tensor of rank {m.rank}"
    for b in m.box:
        if not 1 <= b <= MAX_BOX:
            return f"a box dimension of {b} is not 1 to {MAX_BOX}"
    if not m.interleave and m.box[0] * m.element % 16:
        return (
            f"the inner dimension of the box has {m.box[0] * m.element} bytes, not a multiple of 16"
        )
    return None


def _im2col_problem(m: Map) -> str | None:
    bits = CORNER_BITS[m.rank]
    low, high = -(1 << bits - 1), (1 << bits - 1) - 1
    for name, corner in (("lower", m.lower), ("upper", m.upper)):
        if len(corner) != m.rank - 2:
            return f"the {name} corner has {len(corner)} offsets, not {m.rank - 2}"
        for c in corner:
            if not low <= c <= high:
                return f"an offset of {c} of the {name} corner is not {low} to {high}"
    for d, first, last in zip(m.dims[1:], m.lower, m.upper):
        if first > d - 1 + last:
            return "the box between the corners is empty"
    if not 1 <= m.channels <= MAX_CHANNELS:
        return f"{m.channels} channels of a pixel are not 1 to {MAX_CHANNELS}"
    if not m.interleave and m.channels * m.element % 16:
        return f"the channels of a pixel have {m.channels * m.element} bytes, not a multiple of 16"
    if not 1 <= m.pixels <= MAX_PIXELS:
        return f"{m.pixels} pixels of a column are not 1 to {MAX_PIXELS}"
    return None


def _layout_problem(m: Map) -> str | None:
    if m.interleave >= len(INTERLEAVES) or m.swizzle >= len(SWIZZLES):
        return f"unknown interleave {m.interleave} or swizzle {m.swizzle}"
    if m.interleave == 2 and m.swizzle != 1:
        return "an interleave of 32 bytes needs a swizzle of 32 bytes"
    span = SWIZZLE_SPANS.get(m.swizzle)
    if span is not None and not m.interleave and m.inner * m.element > span:
        return (
            f"the inner dimension of the box has {m.inner * m.element} bytes, more than a swizzle "
            f"of {span} bytes spans"
        )
    if m.atom and (m.swizzle != 3 or m.atom >= len(ATOMS)):
        return "atoms of a size other than 16 bytes require a swizzle of 128 bytes"
    if m.fill and m.type_name[0] in "us":
        return f"elements of type {m.type_name} cannot be filled with NaN"
    return None


def _index(what: str, value: str, known: Sequence[str]) -> int:
    if value not in known:
        listed = ", ".join(known)
        raise SimulationError("memory", f"a tensor map has no {what} '{value}': {listed}")
    return known.index(value)


@dataclass(frozen=True, eq=False)
class TensorMap:
    """A tensor map of a host array, passed to a kernel by value or through a pointer.

    Arguments:
        array: the tensor's memory.
        box: elements of the box along each dimension, the innermost first; omitted for an im2col
            map (see `im2col`).
        dims: elements of the tensor along each dimension, the innermost first; by default the
            reversed shape of the array.
        strides: bytes between neighbours in dimension 1 and up; by default the array's.
        element_strides: distance between elements of the box along each dimension; by default 1.
        data_type: one of `DATA_TYPES`; by default that of the array.
        interleave, swizzle, l2_promotion, fill: `none`, `16B`, `32B`; `none`, `32B`, `64B`, `128B`
            (optionally followed by an atom: `128B atom 32B`); `none`, `64B`, `128B`, `256B`;
            `zero`, `nan`.
        offset: bytes from the array's start to the tensor's.
    Raises:
        SimulationError: the driver would reject the map, or the tensor exceeds the array.
    """

    array: np.ndarray[Any, Any]
    box: Sequence[int] = ()
    dims: Sequence[int] | None = None
    strides: Sequence[int] | None = None
    element_strides: Sequence[int] | None = None
    data_type: str | None = None
    interleave: str = "none"
    swizzle: str = "none"
    l2_promotion: str = "none"
    fill: str = "zero"
    offset: int = 0
    corners: tuple[Sequence[int], Sequence[int]] | None = None
    column: tuple[int, int] = (0, 0)
    map: Map = field(init=False)

    def __post_init__(self) -> None:
        shape = self.array.shape[::-1]
        dims = tuple(int(d) for d in (shape if self.dims is None else self.dims))
        strides = self.array.strides[::-1][1:] if self.strides is None else self.strides
        steps = (1,) * len(dims) if self.element_strides is None else self.element_strides
        swizzle, _, atom = self.swizzle.partition(" atom ")
        name = self.data_type or _OF_ARRAY.get(str(self.array.dtype), str(self.array.dtype))
        lower, upper = self.corners or ((), ())
        made = Map(
            _index("data type", name, DATA_TYPES),
            dims,
            tuple(int(s) for s in strides),
            0,
            tuple(int(b) for b in self.box),
            tuple(int(s) for s in steps),
            _index("interleave", self.interleave, INTERLEAVES),
            _index("swizzle", swizzle, SWIZZLES),
            _index("atom", atom or "16B", ATOMS),
            _index("fill", self.fill, FILLS),
            _index("L2 promotion", self.l2_promotion, L2_PROMOTIONS),
            self.corners is not None,
            tuple(lower),
            tuple(upper),
            *self.column,
        )
        found = made.problem() or self._reach(made)
        if found is None and self.offset % 16:
            found = f"the offset {self.offset} is not aligned to 16 bytes"
        if found is not None:
            raise SimulationError("memory", f"a wrong tensor map: {found}")
        object.__setattr__(self, "map", made)

    @classmethod
    def im2col(
        cls,
        array: np.ndarray[Any, Any],
        lower: Sequence[int],
        upper: Sequence[int],
        channels: int,
        pixels: int,
        **options: Any,
    ) -> TensorMap:
        """A map over an image batch (N, [D, H,] W, C), after `cuTensorMapEncodeIm2col`.

        Arguments:
            lower, upper: corners of the bounding box, W first, counted from the image's first and
                last element.
            channels: elements along C that are moved of each pixel.
            pixels: number of pixels that are moved.
            options: arguments of `TensorMap`, except for `box`.
        """
        return cls(array, corners=(lower, upper), column=(channels, pixels), **options)

    def _reach(self, m: Map) -> str | None:
        last = sum((d - 1) * s for d, s in zip(m.dims, (m.element, *m.strides)))
        end = self.offset + last + m.element
        if end > self.array.nbytes or self.offset < 0:
            return f"the tensor ends at byte {end} of an array of {self.array.nbytes} bytes"
        return None

    def at(self, address: int) -> bytes:
        """The 128 bytes for an array at an address."""
        return replace(self.map, address=address + self.offset).encode()
