"""The surface instructions of PTX: `suld`, `sust`, `sured`, `suq` (PTX ISA 9.7.11).

A surface's elements are in global memory in row-major order, so that its accesses are checked like
all others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution import atomics
from nvvm_xdsl.simulator.execution.memory import GLOBAL, UNINITIALIZED, Access, Mask
from nvvm_xdsl.simulator.numerics.lane_ops import where
from nvvm_xdsl.simulator.ptx.source_operands import (
    Context,
    ListAddress,
    Operand,
    Results,
    last_type,
    vector_size,
)
from nvvm_xdsl.simulator.ptx.types import TYPE_BITS
from nvvm_xdsl.simulator.textures.handles import ActiveLanes
from nvvm_xdsl.simulator.textures.objects import Handle, Surface
from nvvm_xdsl.simulator.textures.texture_ops import handle_of, registers_of, words

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

Lanes = np.ndarray[Any, Any]

COORDINATES = {"1d": 1, "2d": 2, "3d": 3, "a1d": 2, "a2d": 3}
"""Number of used elements of the coordinate vector; a fourth element is padding."""


@dataclass(frozen=True)
class SurfaceAccess:
    """One access to a surface.

    Arguments:
        opcode: the opcode as spelled in PTX, for errors.
        geometry: `2d`, `a1d` ...
        size: size of each part in bytes.
        parts: number of parts that are moved.
        clamp: the handling of coordinates out of range: `trap`, `clamp`, `zero`.
        formatted: whether x is in elements instead of bytes.
    """

    opcode: str
    geometry: str
    size: int
    parts: int
    clamp: str
    formatted: bool

    @property
    def bytes(self) -> int:
        """The type of one transfer."""
        return self.size * self.parts


@dataclass(frozen=True)
class _Part:
    """The lanes that access one surface within its bounds."""

    surface: Surface
    lanes: Lanes
    """The lanes' indices in the block."""
    mask: Mask
    access: Access


def _parts(
    block: Block,
    site: int,
    mask: Mask,
    spec: SurfaceAccess,
    handle: Lanes,
    coordinates: Sequence[Lanes],
    kind: str,
) -> Iterator[_Part]:
    """The accessed locations by surface; lanes disabled by `zero` have none."""
    at = ActiveLanes(block, site, mask)
    taken = [at.take(c).view(np.int32).astype(np.int64) for c in coordinates]
    for found, chosen in at.objects(handle, "surfref"):
        surface = found.value
        assert isinstance(surface, Surface)
        if surface.geometry != spec.geometry:
            message = f"{spec.opcode} accesses a surface of geometry {surface.geometry}, in"
            at.report(chosen, "memory", message)
        size = surface.element_bytes if spec.formatted else spec.bytes
        place, inside = _located(at, spec, found, [c[chosen] for c in taken], chosen, size)
        lanes = at.index[chosen][inside]
        if not lanes.size:
            continue
        address = np.zeros(block.lanes, np.uint64)
        address[lanes] = place[inside].astype(np.uint64) + np.uint64(found.address)
        bits = np.zeros(block.lanes, bool)
        bits[lanes] = True
        part = Mask(bits)
        row = surface.extents[-1] * surface.element_bytes
        access = block.access(site, part, address, GLOBAL, size, math.gcd(size, row), kind)
        yield _Part(surface, lanes, part, access)


def _located(
    at: ActiveLanes,
    spec: SurfaceAccess,
    found: Handle,
    coordinates: list[Lanes],
    chosen: Lanes,
    size: int,
) -> tuple[Lanes, Lanes]:
    """The byte offsets of accesses in a surface, and a mask of the performed accesses."""
    surface = found.value
    assert isinstance(surface, Surface)
    layers, depth, height, width = surface.extents
    element = surface.element_bytes
    layer = coordinates.pop(0) if spec.geometry[0] == "a" else np.zeros(1, np.int64)
    x, y, z = (*coordinates, np.zeros(1, np.int64), np.zeros(1, np.int64))[:3]
    lanes = np.flatnonzero(chosen)
    if spec.formatted:
        x = x * element
    elif (x % size != 0).any():
        lane = int(np.flatnonzero(x % size)[0])
        message = f"{spec.opcode} at byte {x[lane]} of a row, not a multiple of {size}, in"
        raise at.error("memory", message, int(lanes[lane]))
    last_x = (width * element - size) // size * size
    inside = np.ones(lanes.size, bool)
    kept: list[Lanes] = []
    for value, last in ((x, last_x), (y, height - 1), (z, depth - 1), (layer, layers - 1)):
        inside = inside & (value >= 0) & (value <= last)
        kept.append(np.clip(value, 0, max(last, 0)))
    if last_x < 0:
        message = f"{spec.opcode} of {size} bytes in a row of {width * element}, in"
        at.report(chosen, "memory", message)
    if spec.clamp == "trap" and not inside.all():
        lane = int(np.flatnonzero(~inside)[0])
        raise at.error(
            "memory",
            f"out of bounds: {spec.opcode} at {_spell(spec, x, y, z, layer, lane, element)} of a "
            f"surface of {' x '.join(str(n) for n in _extents(surface))} elements of {element} "
            "bytes, by",
            int(lanes[lane]),
        )
    if spec.clamp == "clamp":
        inside = np.ones(lanes.size, bool)
        x, y, z, layer = kept
    row = width * element
    offset = ((layer * depth + z) * height + y) * row + x
    return np.broadcast_to(offset, inside.shape), inside


def _extents(surface: Surface) -> list[int]:
    layers, *extents = surface.extents
    shown = extents[3 - surface.dimensions :]
    return [layers, *shown] if surface.geometry[0] == "a" else shown


def _spell(
    spec: SurfaceAccess, x: Lanes, y: Lanes, z: Lanes, layer: Lanes, lane: int, element: int
) -> str:
    def of(values: Lanes) -> int:
        return int(values[lane if values.size > 1 else 0])

    words = [f"x = {of(x) // element}" if spec.formatted else f"x = {of(x)} bytes"]
    dimensions = int(spec.geometry.lstrip("a")[0])
    words += [f"{name} = {of(v)}" for name, v in (("y", y), ("z", z))][: dimensions - 1]
    if spec.geometry[0] == "a":
        words.append(f"layer {of(layer)}")
    return ", ".join(words)


# Run-time functions


@cache
def load(spec: SurfaceAccess) -> Callable[..., list[Any]]:
    """The function for a `suld.b`: returns the bits of the parts, then their masks of undefined
    bits."""
    kind: Any = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[spec.size]

    def run(
        block: Block, site: int, mask: Mask, handle: Lanes, coordinates: Sequence[Lanes]
    ) -> list[Any]:
        values: list[Lanes] = [np.zeros(block.lanes, kind) for _ in range(spec.parts)]
        undefined: list[Any] = [0] * spec.parts
        for part in _parts(block, site, mask, spec, handle, coordinates, "load"):
            for i in range(spec.parts):
                values[i] = where(
                    part.mask.bits, part.access.load(spec.size, i * spec.size), values[i]
                )
                shadow = part.access.load_undefined(spec.size, i * spec.size)
                if not isinstance(shadow, int):
                    undefined[i] = where(part.mask.bits, shadow, undefined[i])
        return [*values, *undefined]

    return run


@cache
def store(spec: SurfaceAccess) -> Callable[..., None]:
    """The function for a `sust.b`."""

    def write(
        block: Block, site: int, part: _Part, values: Sequence[Lanes], undefined: Sequence[Any]
    ) -> None:
        for i, (value, shadow) in enumerate(zip(values, undefined)):
            wide = np.broadcast_to(value, block.lanes)
            part.access.store(wide, spec.size, i * spec.size)
            if not isinstance(shadow, int):
                wide_shadow = np.broadcast_to(shadow, block.lanes)
                part.access.store_undefined(wide_shadow, spec.size, i * spec.size)

    return _writing(spec, write)


def _writing(
    spec: SurfaceAccess, write: Callable[[Block, int, _Part, Sequence[Lanes], Sequence[Any]], None]
) -> Callable[..., None]:
    """The function for a store.

    Arguments:
        spec: the instruction.
        write: stores the values and their shadows of undefined bits to a part of the lanes.
    """

    def run(
        block: Block,
        site: int,
        mask: Mask,
        handle: Lanes,
        coordinates: Sequence[Lanes],
        values: Sequence[Lanes],
        undefined: Sequence[Any],
    ) -> None:
        for part in _parts(block, site, mask, spec, handle, coordinates, "store"):
            write(block, site, part, values, undefined)

    return run


def _converted(surface: Surface, words: Lanes) -> Lanes:
    """Converts 32-bit source values to a channel of an element: from floats for normalized and
    floating-point elements, else by truncation."""
    kind = surface.array.dtype
    raw: Any = np.dtype(f"u{kind.itemsize}")
    if kind.kind == "f":
        return words.view(np.float32).astype(kind).view(raw)
    if not surface.normalized:
        return words.astype(raw)
    bits = kind.itemsize * 8
    largest = (1 << bits) - 1 if kind.kind == "u" else (1 << bits - 1) - 1
    lowest = 0.0 if kind.kind == "u" else -1.0
    value = np.nan_to_num(words.view(np.float32).astype(np.float64), nan=0.0)
    scaled = np.rint(np.clip(value, lowest, 1.0) * largest)
    return scaled.astype(np.int64).astype(raw)


@cache
def store_formatted(spec: SurfaceAccess) -> Callable[..., None]:
    """The function for a `sust.p`; channels without a value become undefined."""

    def write(
        block: Block, site: int, part: _Part, values: Sequence[Lanes], undefined: Sequence[Any]
    ) -> None:
        size = part.surface.array.dtype.itemsize
        if size > 4:
            message = f"{spec.opcode} writes to a surface of {part.surface.array.dtype}, in"
            raise block.lane_error("memory", message, int(part.lanes[0]), site)
        for channel in range(part.surface.channels):
            if channel < len(values):
                wide = np.ascontiguousarray(np.broadcast_to(values[channel], block.lanes))
                shadow = undefined[channel]
                part.access.store(_converted(part.surface, wide), size, channel * size)
                if not isinstance(shadow, int):
                    whole = np.where(np.broadcast_to(shadow, block.lanes) != 0, 2**32 - 1, 0)
                    shadow = whole.astype(f"u{size}")
            else:
                fill = np.full(block.lanes * size, UNINITIALIZED, np.uint8).view(f"u{size}")
                part.access.store(fill, size, channel * size)
                shadow = np.full(block.lanes, 2 ** (8 * size) - 1, f"u{size}")
            part.access.store_undefined(shadow, size, channel * size)

    return _writing(spec, write)


@cache
def reduce(spec: SurfaceAccess, operation: str, type_: str) -> Callable[..., None]:
    """The function for a `sured`; `b32` and `b64` of `sured.p` have the sign of the elements."""
    bits = TYPE_BITS[type_]

    def run(
        block: Block,
        site: int,
        mask: Mask,
        handle: Lanes,
        coordinates: Sequence[Lanes],
        value: Lanes,
    ) -> None:
        for part in _parts(block, site, mask, spec, handle, coordinates, "atomic"):
            dtype = part.surface.array.dtype
            wrong = None
            if spec.formatted and (dtype.kind == "f" or part.surface.element_bytes != spec.size):
                wrong = f"reduces in a surface of {part.surface.channels} x {dtype}"
            elif part.access.natural < spec.size:
                wrong = "reduces where rows are not aligned"
            if wrong is not None:
                lane = int(part.lanes[0])
                raise block.lane_error("memory", f"{spec.opcode} {wrong}, in", lane, site)
            signed = dtype.kind == "i" if spec.formatted else type_[0] == "s"
            name = operation if signed or operation not in ("min", "max") else "u" + operation
            atomics.rmw(part.access, part.mask, name, bits, "", value)

    return run


# Generated source


def _prepared(
    at: Context, name: str, mods: list[str], operands: Sequence[Operand]
) -> tuple[SurfaceAccess, str, str]:
    """The access, and its handle and coordinates as expressions."""
    geometry = next(m for m in mods if m in COORDINATES)
    type_ = last_type(mods)
    spec = SurfaceAccess(
        ".".join((name, *mods)),
        geometry,
        TYPE_BITS[type_] // 8,
        vector_size(mods),
        mods[-1],
        mods[0] == "p",
    )
    where = next(o for o in operands if isinstance(o, ListAddress))
    surface, vector = where.parts
    handle = handle_of(at, surface, "a surface handle")
    place = registers_of(vector)[: COORDINATES[geometry]]
    for register in place:
        if register.undefined:
            at.to.line(
                f"blk.check_defined({at.mask}, {register.undefined}, {at.site()}, 'an address')"
            )
    return spec, handle, words(place)


def emit_suld(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `suld`."""
    spec, handle, place = _prepared(at, "suld", mods, operands)
    function = at.to.constant(load(spec))
    parts = at.to.assign(f"{function}(blk, {at.site()}, {at.mask}, {handle}, {place})")
    return [
        Leaf(f"{parts}[{i}]", f"{parts}[{spec.parts + i}]" if at.to.tracking else None)
        for i in range(spec.parts)
    ]


def emit_sust(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `sust`."""
    spec, handle, place = _prepared(at, "sust", mods, operands)
    bits = 8 * spec.size
    values = registers_of(operands[1])
    fitted = "".join(f"L.fit({v.name}, {bits}), " for v in values)
    shadows = "".join(
        f"L.undefined_fit({v.undefined}, {bits}), " if v.undefined else "0, " for v in values
    )
    function = at.to.constant((store_formatted if spec.formatted else store)(spec))
    at.to.line(
        f"{function}(blk, {at.site()}, {at.mask}, {handle}, {place}, ({fitted}), ({shadows}))"
    )
    return []


def emit_sured(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `sured`."""
    spec, handle, place = _prepared(at, "sured", mods, operands)
    (value,) = registers_of(operands[1])
    if value.undefined:
        at.to.line(f"blk.check_defined({at.mask}, {value.undefined}, {at.site()}, 'a reduction')")
    function = at.to.constant(reduce(spec, mods[1], last_type(mods)))
    at.to.line(
        f"{function}(blk, {at.site()}, {at.mask}, {handle}, {place}, "
        f"L.fit({value.name}, {8 * spec.size}))"
    )
    return []
