"""Objects that the host creates and kernels access by handles: textures, samplers, surfaces.

CUDA C++ Programming Guide, "Texture and Surface Memory"; CUDA Runtime API, `cudaTextureDesc`;
PTX ISA 5.3, "Texture Sampler and Surface Types".
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nvvm_xdsl.ir.suggestions import did_you_mean
from nvvm_xdsl.simulator.errors import SimulationError

Array = np.ndarray[Any, Any]

ADDRESS_MODES = ("wrap", "mirror", "clamp", "border")
FILTERS = ("point", "linear")
CHANNEL_COUNTS = (1, 2, 4)
CUBE_FACES = 6
TEXTURE_DIMENSIONS = 3

_TEXELS = ("i1", "u1", "i2", "u2", "i4", "u4", "f2", "f4")
_SURFACE_ELEMENTS = (*_TEXELS, "i8", "u8", "f8")
MAX_ELEMENT = 16
"""Maximum size in bytes of an element of a surface."""


def _wrong(message: str) -> SimulationError:
    return SimulationError("unsupported", message)


def _choice(what: str, value: str, known: Sequence[str]) -> None:
    if value in known:
        return
    hint = did_you_mean(value, known) or f"; expected one of {', '.join(known)}"
    raise _wrong(f"unknown {what} '{value}'{hint}")


@dataclass(frozen=True, kw_only=True, eq=False)
class Sampler:
    """The sampling parameters of a texture.

    Arguments:
        address_mode: the handling of coordinates out of range: `clamp`, `border` (reads zero),
            `wrap` or `mirror`. For coordinates that are not normalized, `wrap` and `mirror` mean
            `clamp`. One mode for all dimensions or one for each, x first.
        filter: `point` reads the nearest texel, `linear` interpolates between adjacent texels.
        normalized: whether coordinates are in [0, 1] instead of in texels.
        mipmap_filter: `point` reads the nearest level, `linear` interpolates between the two
            nearest.
        mipmap_bias: offset that is added to the requested level of detail.
        mipmap_range: the lowest and highest level of detail.
    """

    address_mode: str | tuple[str, ...] = "clamp"
    filter: str = "point"
    normalized: bool = False
    mipmap_filter: str = "point"
    mipmap_bias: float = 0.0
    mipmap_range: tuple[float, float] = (0.0, math.inf)

    def __post_init__(self) -> None:
        modes = self.address_mode
        modes = (modes,) if isinstance(modes, str) else modes
        if not 1 <= len(modes) <= TEXTURE_DIMENSIONS:
            raise _wrong(f"a texture has one to three dimensions, not {len(modes)} address modes")
        for mode in modes:
            _choice("address mode", mode, ADDRESS_MODES)
        _choice("filter", self.filter, FILTERS)
        _choice("filter", self.mipmap_filter, FILTERS)

    def stated_mode(self, dimension: int) -> str:
        """The requested address mode of a dimension; dimension 0 is x."""
        if isinstance(self.address_mode, str):
            return self.address_mode
        return self.address_mode[min(dimension, len(self.address_mode) - 1)]

    def mode(self, dimension: int, normalized: bool) -> str:
        """The address mode of a dimension in effect."""
        stated = self.stated_mode(dimension)
        return stated if normalized or stated == "border" else "clamp"


def _element(array: Array, known: Sequence[str], what: str) -> None:
    if array.dtype.kind + str(array.dtype.itemsize) not in known:
        raise _wrong(f"{what} cannot have elements of type {array.dtype}")
    if array.size == 0:
        raise _wrong(f"{what} of shape {array.shape} is empty")


def _shape(array: Array, channels: int, what: str) -> tuple[int, ...]:
    """The shape without the channels."""
    if channels not in CHANNEL_COUNTS:
        raise _wrong(f"{what} has 1, 2 or 4 channels, not {channels}")
    if channels == 1:
        return array.shape
    if not array.ndim or array.shape[-1] != channels:
        raise _wrong(
            f"the last axis of {what} of {channels} channels has {channels} elements, "
            f"the shape is {array.shape}"
        )
    return array.shape[:-1]


def _geometry(
    shape: tuple[int, ...], layered: bool, cubemap: bool, multisampled: bool, what: str
) -> str:
    """The geometry of a shape as named in PTX, as in `tex.a2d`."""
    extra = layered + (cubemap or multisampled)
    dimensions = len(shape) - extra
    allowed = (2,) if cubemap or multisampled else (1, 2) if layered else (1, 2, 3)
    if dimensions not in allowed:
        wanted = " or ".join(str(d + extra) for d in allowed)
        raise _wrong(
            f"{what} like this has {wanted} axes besides the channels, the shape is {shape}"
        )
    if cubemap and (shape[-3] != CUBE_FACES or shape[-1] != shape[-2]):
        raise _wrong(f"a cubemap has six square faces, the shape is {shape}")
    prefix = "a" if layered else ""
    return prefix + ("cube" if cubemap else f"{dimensions}d{'ms' if multisampled else ''}")


@dataclass(frozen=True, eq=False)
class Texture(Sampler):
    """A texture object: an array and its sampling parameters.

    It is an argument of `launch` for a `cudaTextureObject_t`, and a value of `variables` for a
    `.texref` variable. Writes of a launch to the array are visible to the next launch.

    Arguments:
        array: the texels, of shape `width`, `height x width` or `depth x height x width`,
            optionally preceded by axes for layers and for faces or samples, and followed by an axis
            for channels. Elements are integers of 8, 16 or 32 bits or floats of 16 or 32 bits.
        channels: number of channels of a texel: 1, 2 or 4. Missing channels are read as 0, a
            missing fourth one as 1.
        layered: the first axis counts layers.
        cubemap: whether there is an axis of six faces before height and width: +x, -x, +y, -y, +z,
            -z.
        multisampled: whether there is an axis of samples before height and width.
        mipmaps: the levels above the base level, each of the shape of `array` with halved extents.
        normalized_float: whether integers of 8 or 16 bits are read as floats in [0, 1], or in [-1,
            1] if signed.
        srgb: whether all channels but the fourth are decoded from sRGB, for 8-bit integers with
            `normalized_float`.
        linear_memory: whether the texture is in a buffer and not in a CUDA array (`tex1Dfetch`):
            its coordinates are integers, fetches are unfiltered, and those beyond the end return
            zero.
    """

    array: Array = field(kw_only=False)
    channels: int = field(default=1, kw_only=True)
    layered: bool = field(default=False, kw_only=True)
    cubemap: bool = field(default=False, kw_only=True)
    multisampled: bool = field(default=False, kw_only=True)
    mipmaps: Sequence[Array] = field(default=(), kw_only=True)
    normalized_float: bool = field(default=False, kw_only=True)
    srgb: bool = field(default=False, kw_only=True)
    linear_memory: bool = field(default=False, kw_only=True)
    geometry: str = field(default="", init=False)
    """Its geometry as named in PTX: `1d`, `2d`, `3d`, `a1d`, `a2d`, `cube`, `acube`, `2dms`,
    `a2dms`."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _element(self.array, _TEXELS, "a texture")
        shape = _shape(self.array, self.channels, "a texture")
        geometry = _geometry(shape, self.layered, self.cubemap, self.multisampled, "a texture")
        object.__setattr__(self, "geometry", geometry)
        kind, size = self.array.dtype.kind, self.array.dtype.itemsize
        if self.normalized_float and (kind == "f" or size > 2):
            raise _wrong(f"elements of type {self.array.dtype} cannot be read as normalized floats")
        if self.srgb and not (self.normalized_float and kind == "u" and size == 1):
            raise _wrong("only 8-bit unsigned integers read as normalized floats hold sRGB colours")
        if "linear" in (self.filter, self.mipmap_filter) and not self.is_float:
            raise _wrong(f"a texture of {self.array.dtype} elements cannot be filtered")
        if self.linear_memory and (geometry != "1d" or self.filter != "point" or self.mipmaps):
            raise _wrong("a texture in linear memory has one dimension, one level and no filter")
        for i, level in enumerate(self.mipmaps, 1):
            self._check_level(i, level, shape)

    def _check_level(self, number: int, level: Array, shape: tuple[int, ...]) -> None:
        kept = len(shape) - self.dimensions
        wanted = (*shape[:kept], *(max(1, n >> number) for n in shape[kept:]))
        found = _shape(level, self.channels, "a texture")
        if found != wanted or level.dtype != self.array.dtype:
            raise _wrong(
                f"level {number} of the texture has {level.dtype} elements and the shape {found}, "
                f"not {self.array.dtype} and {wanted}"
            )

    @property
    def is_float(self) -> bool:
        """Whether fetches return floats."""
        return self.normalized_float or self.array.dtype.kind == "f"

    @property
    def dimensions(self) -> int:
        """Number of dimensions of one layer, face or sample."""
        return 2 if self.cubemap or self.multisampled else int(self.geometry.lstrip("a")[0])

    @property
    def faces(self) -> int:
        """Number of faces or samples of a layer."""
        axis = -1 - self.dimensions - (self.channels > 1)
        return self.array.shape[axis] if self.cubemap or self.multisampled else 1

    @property
    def layers(self) -> int:
        """Number of layers; 1 if the texture is not layered."""
        return self.array.shape[0] if self.layered else 1

    @property
    def level_count(self) -> int:
        """Number of mipmap levels, including the base level."""
        return 1 + len(self.mipmaps)

    def texels(self, level: int = 0) -> Array:
        """A level as layers x faces or samples x depth x height x width x channels."""
        array = self.mipmaps[level - 1] if level else self.array
        end = array.ndim - (self.channels > 1)
        extents = array.shape[end - self.dimensions : end]
        ones = (1,) * (TEXTURE_DIMENSIONS - self.dimensions)
        return array.reshape(self.layers, self.faces, *ones, *extents, self.channels)


@dataclass(frozen=True, eq=False)
class Surface:
    """A surface object: an array that kernels read and write by coordinates.

    It is an argument of `launch` for a `cudaSurfaceObject_t`, and a value of `variables` for a
    `.surfref` variable. The array is updated after a launch.

    Arguments:
        array: the elements, with the axes of `Texture`; numbers of 8 to 64 bits.
        channels: number of channels of an element: 1, 2 or 4; an element has at most 16 bytes.
        layered: the first axis counts layers.
        cubemap: whether there is an axis of six faces; kernels access each as a layer.
        normalized: whether formatted stores (`sust.p`) convert floats in [0, 1], or in [-1, 1] if
            signed, to integers of 8 or 16 bits.
    """

    array: Array
    channels: int = field(default=1, kw_only=True)
    layered: bool = field(default=False, kw_only=True)
    cubemap: bool = field(default=False, kw_only=True)
    normalized: bool = field(default=False, kw_only=True)
    geometry: str = field(default="", init=False)
    """Its geometry as named in PTX: `1d`, `2d`, `3d`, `a1d`, `a2d`."""

    def __post_init__(self) -> None:
        _element(self.array, _SURFACE_ELEMENTS, "a surface")
        shape = _shape(self.array, self.channels, "a surface")
        geometry = _geometry(shape, self.layered, self.cubemap, False, "a surface")
        object.__setattr__(self, "geometry", "a2d" if self.cubemap else geometry)
        if self.element_bytes > MAX_ELEMENT:
            raise _wrong(
                f"an element of a surface has at most {MAX_ELEMENT} bytes, not {self.element_bytes}"
            )
        if self.normalized and (self.array.dtype.kind == "f" or self.array.dtype.itemsize > 2):
            raise _wrong(f"elements of type {self.array.dtype} cannot be read as normalized floats")

    @property
    def element_bytes(self) -> int:
        """The size of an element with its channels."""
        return self.array.dtype.itemsize * self.channels

    @property
    def dimensions(self) -> int:
        """Number of dimensions of one layer."""
        return int(self.geometry.lstrip("a")[0])

    @property
    def extents(self) -> tuple[int, int, int, int]:
        """Layers, depth, height and width in elements."""
        end = self.array.ndim - (self.channels > 1)
        start = end - self.dimensions
        layers = math.prod(self.array.shape[:start])
        ones = (1,) * (TEXTURE_DIMENSIONS - self.dimensions)
        depth, height, width = (*ones, *self.array.shape[start:end])
        return layers, depth, height, width


@dataclass(frozen=True, eq=False)
class Unbound:
    """A module variable without a texture, sampler or surface.

    Arguments:
        name: the variable's name.
        kind: `texref`, `samplerref` or `surfref`.
    """

    name: str
    kind: str


HandleObject = Texture | Sampler | Surface | Unbound


@dataclass(frozen=True)
class Handle:
    """The object of a handle; a surface's array is at a global address."""

    value: HandleObject
    address: int = 0


Handles = Mapping[int, Handle]


def kind_of(value: HandleObject) -> str:
    """The kind of a handle's object as named in PTX."""
    if isinstance(value, Unbound):
        return value.kind
    if isinstance(value, Texture):
        return "texref"
    return "surfref" if isinstance(value, Surface) else "samplerref"
