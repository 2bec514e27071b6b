"""The texture instructions of PTX: `tex`, `tld4`, `txq`, `istypep` (PTX ISA 9.7.10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from nvvm_xdsl.simulator.compiler import Leaf
from nvvm_xdsl.simulator.execution.memory import GLOBAL, Mask
from nvvm_xdsl.simulator.ptx.source_operands import (
    Address,
    Context,
    Group,
    ListAddress,
    Operand,
    Register,
    Results,
    as_register,
)
from nvvm_xdsl.simulator.textures import fetch
from nvvm_xdsl.simulator.textures.fetch import Place
from nvvm_xdsl.simulator.textures.handles import ActiveLanes, is_type
from nvvm_xdsl.simulator.textures.objects import ADDRESS_MODES, Handle, Sampler, Surface, Texture

if TYPE_CHECKING:
    from nvvm_xdsl.simulator.execution.block import Block

Lanes = np.ndarray[Any, Any]

COORDINATES = {
    "1d": 1, "2d": 2, "3d": 3, "a1d": 2, "a2d": 3, "cube": 3, "acube": 4, "2dms": 3, "a2dms": 4
}  # fmt: skip
"""Number of used elements of the coordinate vector, including layer and sample; a fourth element is
padding."""

DIMENSIONS = {
    "1d": 1, "2d": 2, "3d": 3, "a1d": 1, "a2d": 2, "cube": 3, "acube": 3, "2dms": 2, "a2dms": 2
}  # fmt: skip
"""Number of elements of a gradient or of an offset."""

MODES = ("base", "level", "grad")
MIN_OFFSET, MAX_OFFSET = -8, 7


@dataclass(frozen=True)
class Lookup:
    """One `tex` or `tld4`.

    Arguments:
        opcode: the opcode as spelled in PTX, for errors.
        geometry: `2d`, `a1d` ...
        result: the type of the results: `f32`, `s32`, `u32`, `f16` or `f16x2`.
        integers: whether coordinates are texel indices.
        component: the component that `tld4` reads.
    """

    opcode: str
    geometry: str
    result: str
    integers: bool
    component: int | None = None


# Run-time functions


@cache
def lookup(spec: Lookup) -> Callable[..., tuple[Lanes, ...]]:
    """The function that generated source calls for a lookup. Its arguments are the handles of
    textures and of samplers (or None), coordinates, the level of detail (or None), gradients and
    offsets, all as bits; it returns the bits of the results."""

    def run(
        block: Block,
        site: int,
        mask: Mask,
        handle: Lanes,
        sampler: Lanes | None,
        coordinates: Sequence[Lanes],
        lod: Lanes | None,
        slopes: Sequence[Sequence[Lanes]],
        offsets: Sequence[Lanes],
    ) -> tuple[Lanes, ...]:
        given = [handle, *coordinates, *offsets, *(d for s in slopes for d in s)]
        given += [x for x in (sampler, lod) if x is not None]
        at = ActiveLanes(block, site, mask, given)
        texels = _places(at, spec, coordinates)
        moved = [at.take(o).view(np.int32).astype(np.int64) for o in offsets]
        for offset in moved:
            wrong = (offset < MIN_OFFSET) | (offset > MAX_OFFSET)
            at.report(wrong, "memory", f"an offset of {spec.opcode} is not from -8 to 7, in")
        changes = [[_floats(at.take(d)) for d in slope] for slope in slopes]
        level = None if lod is None else _floats(at.take(lod))
        if lod is not None and spec.integers:
            level = at.take(lod).view(np.int32).astype(np.float64)
        out = np.zeros((4, at.index.size), _result_type(spec))
        for found, chosen in at.objects(handle, "texref"):
            texture = found.value
            assert isinstance(texture, Texture)
            _check(at, spec, texture, chosen)
            for sample, picked in _samplers(at, texture, chosen, sampler):
                values = _read(at, spec, found, sample, picked, texels, moved, level, changes)
                out[:, picked] = _bits(spec, values)
        parts = [at.spread(part) for part in out]
        if spec.result == "f16x2":
            wide = [p.astype(np.uint32) for p in parts]
            return tuple(wide[i] | wide[i + 1] << np.uint32(16) for i in (0, 2))
        return tuple(parts)

    return run


def _floats(bits: Lanes) -> Lanes:
    return np.ascontiguousarray(bits).view(np.float32).astype(np.float64)


def _result_type(spec: Lookup) -> Any:
    return np.uint16 if spec.result.startswith("f16") else np.uint32


def _bits(spec: Lookup, values: Lanes) -> Lanes:
    """Values, lanes x 4, as the bits of the results."""
    if spec.result == "f32":
        return values.astype(np.float32).view(np.uint32).T
    if spec.result.startswith("f16"):
        return values.astype(np.float16).view(np.uint16).T
    return values.astype(np.uint32).T


@dataclass(frozen=True)
class _Coordinates:
    layer: Lanes
    sample: Lanes
    place: list[Lanes]


def _places(at: ActiveLanes, spec: Lookup, coordinates: Sequence[Lanes]) -> _Coordinates:
    taken = [np.ascontiguousarray(at.take(c)) for c in coordinates]
    zero = np.zeros(at.index.size, np.int64)
    layer = taken.pop(0).astype(np.int64) if spec.geometry[0] == "a" else zero
    sample = taken.pop(0).astype(np.int64) if spec.geometry.endswith("ms") else zero
    if spec.integers:
        return _Coordinates(layer, sample, [c.view(np.int32).astype(np.int64) for c in taken])
    return _Coordinates(layer, sample, [_floats(c) for c in taken])


def _check(at: ActiveLanes, spec: Lookup, texture: Texture, chosen: Lanes) -> None:
    if texture.geometry != spec.geometry:
        wrong = f"{spec.opcode} reads a texture of geometry {texture.geometry}, in"
    elif texture.is_float != spec.result.startswith("f"):
        kind = "normalized floats" if texture.normalized_float else str(texture.array.dtype)
        wrong = f"{spec.opcode} reads a texture of {kind}, in"
    elif texture.linear_memory and not spec.integers:
        wrong = "a texture in linear memory is read by integers (tex1Dfetch), in"
    else:
        return
    at.report(chosen, "memory", wrong)


def _samplers(
    at: ActiveLanes, texture: Texture, chosen: Lanes, sampler: Lanes | None
) -> list[tuple[Sampler, Lanes]]:
    """The sampler of each lane: the texture itself or a separate sampler."""
    if sampler is None:
        return [(texture, chosen)]
    out: list[tuple[Sampler, Lanes]] = []
    for found, lanes in at.objects(sampler, "samplerref"):
        assert isinstance(found.value, Sampler)
        if (lanes & chosen).any():
            if found.value.filter == "linear" and not texture.is_float:
                what = f"a texture of {texture.array.dtype} elements cannot be filtered, in"
                at.report(lanes & chosen, "memory", what)
            out.append((found.value, lanes & chosen))
    return out


def _read(
    at: ActiveLanes,
    spec: Lookup,
    handle: Handle,
    sampler: Sampler,
    picked: Lanes,
    coordinates: _Coordinates,
    offsets: Sequence[Lanes],
    lod: Lanes | None,
    slopes: Sequence[Sequence[Lanes]],
) -> Lanes:
    texture = handle.value
    assert isinstance(texture, Texture)
    layer, face = coordinates.layer, coordinates.sample
    for number, count, what in ((layer, texture.layers, "layer"), (face, texture.faces, "sample")):
        wrong = picked & (number >= count)
        if wrong.any():
            lane = int(np.flatnonzero(wrong)[0])
            message = f"{spec.opcode} reads {what} {number[lane]} of {count}, in"
            raise at.error("memory", message, lane)
    place = [c[picked] for c in coordinates.place]
    changes = [[d[picked] for d in slope] for slope in slopes]
    layer, face = layer[picked], face[picked]
    normalized = sampler.normalized
    if "cube" in spec.geometry:
        face, place, changes = fetch.cube_place(place, changes)
        normalized = True
    where = Place(place, layer, face, spec.integers, [o[picked] for o in offsets], normalized)
    if handle.address and at.block.grid.races is not None:
        _check_written(at, texture, sampler, where, handle.address, picked)
    if spec.component is not None:
        return fetch.gather(texture, sampler, where, spec.component)
    level = None if lod is None else lod[picked]
    if changes:
        level = fetch.gradient_lod(texture, changes, normalized)
    return fetch.read(texture, sampler, where, level)


def _check_written(
    at: ActiveLanes, texture: Texture, sampler: Sampler, place: Place, address: int, picked: Lanes
) -> None:
    """Reports texels of the base level that the launch has written through pointers or surfaces."""
    offsets = fetch.footprint(texture, sampler, place)
    size = texture.channels * texture.array.itemsize
    lanes = np.broadcast_to(at.index[picked][:, None], offsets.shape)
    inside = offsets >= 0
    start = at.block.memory.position(GLOBAL, address) + offsets[inside]
    places = (start[:, None] + np.arange(size)).reshape(-1)
    at.block.note_texture(at.site, lanes[inside].repeat(size), places)


# Queries

_CHANNEL_ORDERS = {1: 0x10B0, 2: 0x10B2, 4: 0x10B5}
"""OpenCL's CL_R, CL_RG, CL_RGBA."""

_CHANNEL_TYPES = {
    "i1": 0x10D7, "i2": 0x10D8, "i4": 0x10D9, "u1": 0x10DA, "u2": 0x10DB, "u4": 0x10DC,
    "f2": 0x10DD, "f4": 0x10DE,
}  # fmt: skip
"""OpenCL's CL_SIGNED_INT8 to CL_FLOAT."""

_NORMALIZED_TYPES = {"i1": 0x10D0, "i2": 0x10D1, "u1": 0x10D2, "u2": 0x10D3}
"""OpenCL's CL_SNORM_INT8 to CL_UNORM_INT16."""

_ADDRESS_CODES = {"wrap": 0, "mirror": 1, "clamp": 3, "border": 4}
"""wrap, mirror, clamp_ogl, clamp_to_edge, clamp_to_border: PTX ISA 5.3.1."""
assert set(_ADDRESS_CODES) == set(ADDRESS_MODES)


def channel_data_type(array: Lanes, normalized: bool) -> int:
    """OpenCL's code of the type of the channels; 0 if there is none."""
    table = _NORMALIZED_TYPES if normalized else _CHANNEL_TYPES
    return table.get(array.dtype.kind + str(array.dtype.itemsize), 0)


def _texture_query(texture: Texture, query: str, level: int) -> int:
    if query in ("width", "height", "depth"):
        dimension = ("width", "height", "depth").index(query)
        inside = dimension < texture.dimensions and level < texture.level_count
        return texture.texels(level).shape[4 - dimension] if inside else 0
    return {
        "channel_data_type": channel_data_type(texture.array, texture.normalized_float),
        "channel_order": _CHANNEL_ORDERS[texture.channels],
        "normalized_coords": int(texture.normalized),
        "array_size": texture.layers if texture.layered else 0,
        "num_mipmap_levels": texture.level_count if texture.mipmaps else 0,
        "num_samples": texture.faces if texture.multisampled else 0,
    }[query]


def _sampler_query(sampler: Sampler, query: str) -> int:
    if query == "filter_mode":
        return int(sampler.filter == "linear")
    if query == "force_unnormalized_coords":
        return int(not sampler.normalized)
    dimension = int(query[-1])
    return _ADDRESS_CODES[sampler.mode(dimension, sampler.normalized)]


def surface_query(surface: Surface, query: str) -> int:
    """`suq` (PTX ISA 9.7.11.4); absent dimensions are 0."""
    layers, depth, height, width = surface.extents
    return {
        "width": width,
        "height": height if surface.dimensions > 1 else 0,
        "depth": depth if surface.dimensions > 2 else 0,
        "channel_data_type": channel_data_type(surface.array, surface.normalized),
        "channel_order": _CHANNEL_ORDERS[surface.channels],
        "array_size": layers if surface.geometry[0] == "a" else 0,
        "memory_layout": 0,
    }[query]


_SAMPLER_QUERIES = (
    "force_unnormalized_coords", "filter_mode", "addr_mode_0", "addr_mode_1", "addr_mode_2"
)  # fmt: skip


@cache
def query(kind: str, what: str) -> Callable[..., Lanes]:
    """The function for `txq.what` or `suq.what`, from handles and levels to 32-bit numbers."""

    def run(block: Block, site: int, mask: Mask, handle: Lanes, level: Lanes) -> Lanes:
        at = ActiveLanes(block, site, mask, [handle, level])
        out = np.zeros(at.index.size, np.uint32)
        levels = at.take(level)
        for found, chosen in at.objects(handle, kind):
            value = found.value
            if isinstance(value, Surface):
                out[chosen] = surface_query(value, what)
            elif kind == "samplerref":
                assert isinstance(value, Sampler)
                out[chosen] = _sampler_query(value, what)
            else:
                assert isinstance(value, Texture)
                out[chosen] = [_texture_query(value, what, int(n)) for n in levels[chosen]]
        return at.spread(out)

    return run


# Generated source


def handle_of(at: Context, operand: Operand, what: str) -> str:
    """The expression for a handle, which must be defined."""
    if isinstance(operand, Address):
        return f"L.fit({operand.base}, 64)"
    register = as_register(operand)
    if register.undefined:
        at.to.line(f"blk.check_defined({at.mask}, {register.undefined}, {at.site()}, '{what}')")
    return f"L.fit({register.name}, 64)"


def registers_of(operand: Operand) -> tuple[Register, ...]:
    """The registers of a vector, or the one register."""
    return operand.parts if isinstance(operand, Group) else (as_register(operand),)


def words(registers: Sequence[Register]) -> str:
    """A tuple of 32-bit operands."""
    return "(" + "".join(f"L.fit({r.name}, 32), " for r in registers) + ")"


def shadow_of(registers: Sequence[Register], bits: int = 32) -> str | None:
    """The undefined bits of results that depend on all of some operands."""
    shadows = [r.undefined for r in registers if r.undefined]
    return f"L.spread({bits}, {', '.join(shadows)})" if shadows else None


def emit_lookup(at: Context, name: str, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `tex` or `tld4`; the last result is the predicate that the texels are
    resident."""
    opcode = ".".join((name, *mods))
    mode = mods.pop(0) if mods[0] in MODES else ""
    component = "rgba".index(mods.pop(0)) if name == "tld4" else None
    geometry, _, result, coordinate = mods
    spec = Lookup(opcode, geometry, result, coordinate == "s32", component)
    where, *extra = operands
    assert isinstance(where, ListAddress)
    texture, *samplers, vector = where.parts
    handle = handle_of(at, texture, "a texture handle")
    sampler = handle_of(at, samplers[0], "a sampler handle") if samplers else "None"
    place = registers_of(vector)[: COORDINATES[geometry]]
    used = list(place)
    lod, slopes, offsets = "None", "()", "()"
    if mode == "level":
        level = as_register(extra.pop(0))
        used.append(level)
        lod = f"L.fit({level.name}, 32)"
    elif mode == "grad":
        gradients = [registers_of(extra.pop(0))[: DIMENSIONS[geometry]] for _ in range(2)]
        used += [r for g in gradients for r in g]
        slopes = f"({words(gradients[0])}, {words(gradients[1])})"
    if extra and isinstance(extra[0], Group):
        moved = registers_of(extra.pop(0))[: DIMENSIONS[geometry]]
        used += moved
        offsets = words(moved)
    if extra:
        raise at.to.unsupported(at.op, "a comparison with a depth texture")
    call = (
        f"{at.to.constant(lookup(spec))}(blk, {at.site()}, {at.mask}, {handle}, {sampler}, "
        f"{words(place)}, {lod}, {slopes}, {offsets})"
    )
    parts = at.to.assign(call)
    shadow = shadow_of(used)
    count = 2 if result == "f16x2" else 4
    found = [Leaf(f"{parts}[{i}]", shadow) for i in range(count)]
    return [*found, Leaf(at.to.array(True, bool))]


def emit_tex(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `tex`."""
    return emit_lookup(at, "tex", mods, operands)


def emit_tld4(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `tld4`."""
    return emit_lookup(at, "tld4", mods, operands)


def _emit_query(
    at: Context, kind: str, what: str, operands: Sequence[Operand], name: str
) -> Results:
    handle = handle_of(at, operands[0], name)
    level = as_register(operands[1]) if len(operands) > 1 else Register(at.array(0))
    function = at.to.constant(query(kind, what))
    call = f"{function}(blk, {at.site()}, {at.mask}, {handle}, L.fit({level.name}, 32))"
    return [Leaf(call, shadow_of([level]))]


def emit_txq(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `txq`."""
    what = mods[1] if mods[0] == "level" else mods[0]
    kind = "samplerref" if what in _SAMPLER_QUERIES else "texref"
    return _emit_query(at, kind, what, operands, "a texture handle")


def emit_suq(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates a `suq`."""
    return _emit_query(at, "surfref", mods[0], operands, "a surface handle")


def emit_istypep(at: Context, mods: list[str], operands: Sequence[Operand]) -> Results:
    """Generates an `istypep`."""
    handle = as_register(operands[0])
    call = f"{at.to.constant(_is_type(mods[0]))}(blk, L.fit({handle.name}, 64))"
    return [Leaf(call, shadow_of([handle], 1))]


_is_type = cache(is_type)
