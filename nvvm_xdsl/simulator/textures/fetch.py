"""Texture fetch: addressing modes, filtering, cubemaps, mipmaps.

CUDA C++ Programming Guide, "Texture Fetching" and "Cubemap Textures". Filtered values are
computed in double precision with weights of 8 fractional bits, and rounded once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nvvm_xdsl.simulator.numerics.lane_ops import where
from nvvm_xdsl.simulator.textures.objects import Sampler, Texture

Lanes = np.ndarray[Any, Any]

WEIGHT_STEPS = 256
"""Weights are in 9-bit fixed point with 8 bits of fraction, so that 1.0 is one of them."""

CHANNELS = 4


@dataclass
class Place:
    """The coordinates of a fetch, with one element per lane.

    Arguments:
        coordinates: x, y, z: floats in double precision, or texel indices.
        layer, face: index of the layer and of the face; for multisampled textures the face is the
            sample.
        texels: whether the coordinates are texel indices; the fetch is then unfiltered.
        offsets: texels added to the coordinates.
        normalized: whether the coordinates are in [0, 1].
    """

    coordinates: Sequence[Lanes]
    layer: Lanes
    face: Lanes
    texels: bool
    offsets: Sequence[Lanes] = ()
    normalized: bool = False


# One dimension


@dataclass
class Taps:
    """The two texels adjacent to a coordinate along one dimension.

    Arguments:
        low, high: their indices, within the texture.
        weight: the weight of the higher one.
        low_valid, high_valid: whether they are texels of the texture and not of the border.
    """

    low: Lanes
    high: Lanes
    weight: Lanes
    low_valid: Lanes
    high_valid: Lanes


def _reduced(x: Lanes, mode: str, size: int, normalized: bool) -> Lanes:
    """A coordinate in texels; with `wrap` or `mirror` reduced to the range of the texture."""
    if mode == "wrap":
        x = x - np.floor(x)
    elif mode == "mirror":
        fraction = x - np.floor(x)
        x = where(np.floor(x) % 2 == 0, fraction, 1.0 - fraction)
    if normalized:
        x = x * size
    # Clamped coordinates read the same texels; NaN is treated as 0.
    return np.clip(np.nan_to_num(x, nan=0.0, posinf=np.inf, neginf=-np.inf), -2.0, size + 2.0)


def _inside(index: Lanes, mode: str, size: int) -> tuple[Lanes, Lanes]:
    """Texel indices within the texture, and whether they are valid."""
    if mode == "wrap":
        return index % size, np.ones(index.shape, bool)
    kept = np.clip(index, 0, size - 1)
    return kept, (kept == index) | (mode != "border")


def taps(x: Lanes, offset: Lanes | int, mode: str, size: int, place: Place, linear: bool) -> Taps:
    """The texels that a coordinate reads along a dimension of `size` texels."""
    if place.texels:
        index = np.clip(x + offset, -1, size)
        low, valid = _inside(index, mode, size)
        return Taps(low, low, np.zeros(index.shape), valid, valid)
    if np.any(offset):
        x = x + (offset / size if place.normalized else offset)
    x = _reduced(x, mode, size, place.normalized)
    if not linear:
        index = np.floor(x).astype(np.int64)
        if mode in ("wrap", "mirror"):
            # A coordinate just below 0 can round to `size`.
            index = np.minimum(index, size - 1)
        low, valid = _inside(index, mode, size)
        return Taps(low, low, np.zeros(index.shape), valid, valid)
    x = x - 0.5
    index = np.floor(x).astype(np.int64)
    weight = np.rint((x - index) * WEIGHT_STEPS) / WEIGHT_STEPS
    low, low_valid = _inside(index, mode, size)
    high, high_valid = _inside(index + 1, mode, size)
    return Taps(low, high, weight, low_valid, high_valid)


# Texels as values


def _from_srgb(colour: Lanes) -> Lanes:
    """IEC 61966-2-1: the linear intensity of an sRGB component."""
    return where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)


def _values(texture: Texture, raw: Lanes) -> Lanes:
    """Texels as doubles, or as 64-bit integers of an integer texture."""
    kind = raw.dtype.kind
    if kind == "f":
        return raw.astype(np.float64)
    if not texture.normalized_float:
        return raw.astype(np.int64)
    bits = raw.dtype.itemsize * 8
    if kind == "i":
        return np.maximum(raw / float((1 << (bits - 1)) - 1), -1.0)
    out = raw / float((1 << bits) - 1)
    if texture.srgb:
        out[..., :3] = _from_srgb(out[..., :3])
    return out


def _four(values: Lanes) -> Lanes:
    """Texels with four channels; missing channels are 0, the missing fourth one is 1 (OpenCL,
    `CL_R`, `CL_RG`)."""
    missing = CHANNELS - values.shape[-1]
    if not missing:
        return values
    fill = np.zeros((*values.shape[:-1], missing), values.dtype)
    fill[..., -1] = 1
    return np.concatenate([values, fill], axis=-1)


class _Level:
    """One mipmap level at the coordinates of the lanes."""

    def __init__(
        self, texture: Texture, sampler: Sampler, place: Place, level: int, linear: bool
    ) -> None:
        self.texture = texture
        self.place = place
        self.array = texture.texels(level)
        sizes = self.array.shape[2:5][::-1]
        offsets = place.offsets or (0,) * len(place.coordinates)
        if texture.linear_memory:
            modes = ["border"] * len(place.coordinates)
        else:
            periodic = place.normalized and not place.texels
            modes = [sampler.mode(i, periodic) for i in range(len(place.coordinates))]
        self.taps = [
            taps(x, offset, mode, size, place, linear)
            for x, offset, mode, size in zip(place.coordinates, offsets, modes, sizes)
        ]

    def index(self, corner: int) -> tuple[tuple[Lanes | int, ...], Lanes | bool]:
        """The array index of the texels at one corner of the footprint, and whether they are inside
        the texture.

        Bit n of `corner` selects the higher texel of dimension n.
        """
        indices: list[Lanes] = []
        valid: Lanes | bool = True
        for i, tap in enumerate(self.taps):
            high = corner >> i & 1
            indices.append(tap.high if high else tap.low)
            valid = valid & (tap.high_valid if high else tap.low_valid)
        x, y, z = (*indices, 0, 0)[:3]
        return (self.place.layer, self.place.face, z, y, x), valid

    def corner(self, corner: int) -> Lanes:
        """The texels at one corner of the footprint, see `index`."""
        index, valid = self.index(corner)
        raw = self.array[index]
        return _values(self.texture, where(np.asarray(valid)[..., None], raw, raw.dtype.type(0)))

    def weight(self, corner: int) -> Lanes:
        """The exact weight of a corner."""
        out = np.ones(1)
        for i, tap in enumerate(self.taps):
            out = out * (tap.weight if corner >> i & 1 else 1.0 - tap.weight)
        return out

    def filtered(self) -> Lanes:
        """The weighted sum over the footprint."""
        out = np.zeros(1)
        for corner in range(1 << len(self.taps)):
            weight = self.weight(corner)[..., None]
            # Texels with weight 0 are ignored, because they may be infinite.
            out = out + where(weight != 0.0, weight * self.corner(corner), 0.0)
        return out


def _read_level(texture: Texture, sampler: Sampler, place: Place, level: int) -> Lanes:
    linear = sampler.filter == "linear" and not place.texels
    found = _Level(texture, sampler, place, level, linear)
    return found.filtered() if linear else found.corner(0)


def _at(place: Place, chosen: Lanes) -> Place:
    """The coordinates of some of the lanes."""
    return Place(
        [x[chosen] for x in place.coordinates],
        place.layer[chosen],
        place.face[chosen],
        place.texels,
        [x[chosen] for x in place.offsets],
        place.normalized,
    )


# The whole texture


def footprint(texture: Texture, sampler: Sampler, place: Place) -> Lanes:
    """The texels of the base level that the lanes read: lanes x corners, as offsets in bytes.

    An offset is negative for a corner outside of the texture.
    """
    linear = sampler.filter == "linear" and not place.texels
    level = _Level(texture, sampler, place, 0, linear)
    count = 1 << len(level.taps) if linear else 1
    strides = np.cumprod((1, *level.array.shape[:0:-1]))[::-1] * level.array.itemsize
    found = np.empty((place.layer.size, count), np.int64)
    for corner in range(count):
        index, valid = level.index(corner)
        offsets = sum(np.asarray(i) * int(s) for i, s in zip(index, strides))
        found[:, corner] = where(np.asarray(valid), offsets, -1)
    return found


def read(texture: Texture, sampler: Sampler, place: Place, lod: Lanes | None = None) -> Lanes:
    """The values that the lanes read: lanes x 4 doubles, or 64-bit integers of an integer texture.

    Arguments:
        lod: the level of detail; None for the base level.
    """
    if lod is None or texture.level_count == 1:
        return _four(_read_level(texture, sampler, place, 0))
    lowest, highest = sampler.mipmap_range
    lod = np.clip(lod + sampler.mipmap_bias, lowest, highest)
    lod = np.clip(np.nan_to_num(lod), 0.0, texture.level_count - 1.0)
    if sampler.mipmap_filter == "point":
        return _four(_mixed_levels(texture, sampler, place, np.floor(lod + 0.5).astype(np.int64)))
    low = np.floor(lod).astype(np.int64)
    weight = (np.rint((lod - low) * WEIGHT_STEPS) / WEIGHT_STEPS)[..., None]
    first = _mixed_levels(texture, sampler, place, low)
    second = _mixed_levels(texture, sampler, place, np.minimum(low + 1, texture.level_count - 1))
    return _four(
        where(weight != 1.0, (1.0 - weight) * first, 0.0)
        + where(weight != 0.0, weight * second, 0.0)
    )


def _mixed_levels(texture: Texture, sampler: Sampler, place: Place, levels: Lanes) -> Lanes:
    kind = np.float64 if texture.is_float else np.int64
    out = np.zeros((levels.size, texture.channels), kind)
    for level in np.unique(levels):
        chosen = levels == level
        out[chosen] = _read_level(texture, sampler, _at(place, chosen), int(level))
    return out


def gather(texture: Texture, sampler: Sampler, place: Place, component: int) -> Lanes:
    """One component of the four texels of the footprint of linear filtering: lanes x 4, counter-
    clockwise from the lower left (PTX ISA 9.7.10.4)."""
    level = _Level(texture, sampler, place, 0, linear=True)
    corners = (0b10, 0b11, 0b01, 0b00)
    return np.stack([_four(level.corner(c))[..., component] for c in corners], axis=-1)


def gradient_lod(texture: Texture, slopes: Sequence[Sequence[Lanes]], normalized: bool) -> Lanes:
    """The level of detail for the gradients of the coordinates along the two screen axes: the
    binary logarithm of the length of the longer gradient, in texels of the base level."""
    sizes = texture.texels().shape[2:5][::-1]
    longest: Lanes = np.zeros(1)
    for slope in slopes:
        texels = [d * size if normalized else d for d, size in zip(slope, sizes)]
        longest = np.maximum(longest, np.sqrt(sum(d * d for d in texels)))
    return np.log2(longest)


# Cubemaps

_FACES = (
    # The major axis and the two axes of the face, with their signs.
    ((0, 1.0), (2, -1.0), (1, -1.0)),
    ((0, -1.0), (2, 1.0), (1, -1.0)),
    ((1, 1.0), (0, 1.0), (2, 1.0)),
    ((1, -1.0), (0, 1.0), (2, -1.0)),
    ((2, 1.0), (0, 1.0), (1, -1.0)),
    ((2, -1.0), (0, -1.0), (1, -1.0)),
)


def cube_face(direction: Sequence[Lanes]) -> Lanes:
    """The face that a direction intersects: +x, -x, +y, -y, +z, -z. Between components of equal
    magnitude z precedes y and y precedes x."""
    x, y, z = direction
    size = [np.abs(a) for a in direction]
    on_z = (size[2] >= size[0]) & (size[2] >= size[1])
    on_y = size[1] >= size[0]
    return where(on_z, where(z < 0, 5, 4), where(on_y, where(y < 0, 3, 2), where(x < 0, 1, 0)))


def cube_place(
    direction: Sequence[Lanes], slopes: Sequence[Sequence[Lanes]] = ()
) -> tuple[Lanes, list[Lanes], list[list[Lanes]]]:
    """The face, the normalized coordinates on it, and the gradients of these coordinates for
    `slopes`."""
    face = cube_face(direction)
    lanes = np.arange(face.size)
    stacked = np.stack(np.broadcast_arrays(*direction))
    table = np.array([[axis for axis, _ in row] for row in _FACES])[face]
    signs = np.array([[sign for _, sign in row] for row in _FACES])[face]

    def along(values: Lanes, part: int) -> Lanes:
        return signs[:, part] * values[table[:, part], lanes]

    major, s, t = (along(stacked, part) for part in range(3))
    place = [(s / major + 1.0) / 2.0, (t / major + 1.0) / 2.0]
    changes: list[list[Lanes]] = []
    for slope in slopes:
        held = np.stack(np.broadcast_arrays(*slope))
        dm, ds, dt = (along(held, part) for part in range(3))
        changes.append(
            [(ds * major - s * dm) / (2 * major * major), (dt * major - t * dm) / (2 * major**2)]
        )
    return face, place, changes
