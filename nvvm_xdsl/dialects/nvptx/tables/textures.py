"""Textures and surfaces.

PTX ISA 9.1, sections 9.7.10 and 9.7.11. Textures, samplers and surfaces are 64-bit handles or
symbols.
"""

from __future__ import annotations

from nvvm_xdsl.dialects.nvptx.flags import PURE, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.instruction_rows import group, row

_COORDINATES = {"1d": 1, "2d": 2, "3d": 4, "a1d": 2, "a2d": 4, "cube": 4, "acube": 4}
"""Elements of the coordinate vector by geometry, padding included."""

_GRADIENTS = {"1d": 1, "2d": 2, "3d": 4, "a1d": 1, "a2d": 2, "cube": 4, "acube": 4}

_OFFSET = " @ 4.3 30"


def _with_offsets(
    head: str, operands: str, results: str, geometry: str, *, compared: bool, since: str = ""
) -> list[str]:
    """A form, and those with an offset of the coordinates and a value to compare depths with."""
    offset = "" if "cube" in geometry else f" {_GRADIENTS[geometry]}*s32"
    compare = " f32" if compared and geometry != "3d" else ""
    extra = dict.fromkeys(e for e in (offset, compare, offset + compare) if e)
    forms = [f"{head} : {operands} {results}{since}"]
    return forms + [f"{head} : {operands}{e} {results}{_OFFSET}" for e in extra]


_LOADS: list[str] = []
_GATHERS: list[str] = []
for _geometry, _count in _COORDINATES.items():
    for _types, _shape, _result in (
        (".D=u32|s32|f32|f16", "v4", "4*D"),
        (".f16x2", "v2", "2*f16x2"),
    ):
        for _coordinate in ("f32",) if "cube" in _geometry else ("f32", "s32"):
            # An array is indexed by an integer among coordinates of 32 bits.
            _element = "b32" if _geometry[0] == "a" else _coordinate
            _place = f"list(b64,{_count}*{_element})~list(b64,b64,{_count}*{_element})"
            _head = f".{_geometry} .{_shape} {_types} .{_coordinate}"
            _results = f"-> {_result} |pred?"
            _slope = f"{_GRADIENTS[_geometry]}*f32"
            _since = " @ 4.3 20" if "cube" in _geometry else ""
            _float = _coordinate == "f32"
            for _mode, _extra, _needed in (
                (".base? ", "", ""),
                # The level has the type of the coordinates.
                (".level ", f" {_coordinate}", ""),
                (".grad ", f" {_slope} {_slope}", _since),
            ):
                if _float or _mode != ".grad ":
                    _LOADS.extend(
                        _with_offsets(
                            f"{_mode}{_head}",
                            f"{_place}{_extra}",
                            _results,
                            _geometry,
                            compared=_float,
                            since=_needed,
                        )
                    )
    if _geometry in ("2d", "a2d", "cube", "acube"):
        _element = "b32" if _geometry[0] == "a" else "f32"
        _place = f"list(b64,{_count}*{_element})~list(b64,b64,{_count}*{_element})"
        _head = f".r|g|b|a .{_geometry} .v4 .D=u32|s32|f32 .f32"
        _GATHERS.extend(_with_offsets(_head, _place, "-> 4*D |pred?", _geometry, compared=True))
for _geometry, _count in (("2dms", 4), ("a2dms", 4)):
    _place = f"list(b64,{_count}*s32)~list(b64,b64,{_count}*s32)"
    _LOADS.append(f".{_geometry} .v4 .D=u32|s32|f32 .s32 : {_place} -> 4*D |pred? @ 3.2 30")
row(
    "tex",
    READS,
    *_LOADS,
    words={"f16": "4.2 53", "f16x2": "4.2 53"},
    word_flags={},
    optional_since="7.1",
)
row("tld4", READS, *_GATHERS, word_flags={}, optional_since="7.1")
row(
    "txq",
    PURE,
    ".width|height|depth|channel_data_type|channel_order|normalized_coords|array_size"
    "|num_mipmap_levels|num_samples .b32 : mem -> b32",
    ".level .width|height|depth .b32 : mem b32 -> b32",
    ".force_unnormalized_coords|filter_mode|addr_mode_0|addr_mode_1|addr_mode_2 .b32 : mem -> b32",
    words={"num_mipmap_levels": "4.1", "num_samples": "4.1", "level": "4.3 30"},
)
row("istypep", PURE, ".texref|samplerref|surfref : b64 -> pred", since="4.0 30")

group("clamp", "trap clamp zero")
_SURFACES = {"1d": 1, "2d": 2, "3d": 4, "a1d": 2, "a2d": 4}
row(
    "suld.b",
    READS,
    *(
        f".{geometry} .ca|cg|cs|cv? .V=v2|v4? .T=b8|b16|b32 .@clamp : list(b64,{count}*s32) -> V*T"
        for geometry, count in _SURFACES.items()
    ),
    *(
        f".{geometry} .ca|cg|cs|cv? .V=v2? .b64 .@clamp : list(b64,{count}*s32) -> V*b64"
        for geometry, count in _SURFACES.items()
    ),
    word_flags={},
)
row(
    "sust.b",
    WRITES,
    *(
        f".{geometry} .wb|cg|cs|wt? .V=v2|v4? .T=b8|b16|b32 .@clamp : list(b64,{count}*s32) V*T"
        for geometry, count in _SURFACES.items()
    ),
    *(
        f".{geometry} .wb|cg|cs|wt? .V=v2? .b64 .@clamp : list(b64,{count}*s32) V*b64"
        for geometry, count in _SURFACES.items()
    ),
    word_flags={},
)
row(
    "sust.p",
    WRITES,
    *(
        f".{geometry} .V=v2|v4? .b32 .@clamp : list(b64,{count}*s32) V*b32"
        for geometry, count in _SURFACES.items()
    ),
    word_flags={},
)
for _form, _types in (
    ("sured.b", (".add .T=u32|u64|s32", ".min|max .T=u32|s32", ".and|or .T=b32")),
    ("sured.p", (".add|min|max .T=b32", ".and|or .T=b32")),
):
    row(
        _form,
        READS | WRITES | SIDE_EFFECTS,
        *(
            f"{types.replace(' .T', f' .{geometry} .T')} .@clamp : list(b64,{count}*s32) T"
            for types in _types
            for geometry, count in _SURFACES.items()
            if geometry[0] != "a"
        ),
        *(
            f".min|max .{geometry} .T=u64|s64 .@clamp : list(b64,{count}*s32) T @ 8.1 50"
            for geometry, count in _SURFACES.items()
            if geometry[0] != "a" and _form == "sured.b"
        ),
        *(
            f".min|max .{geometry} .b64 .@clamp : list(b64,{count}*s32) b64 @ 8.1 50"
            for geometry, count in _SURFACES.items()
            if geometry[0] != "a" and _form == "sured.p"
        ),
    )
row(
    "suq",
    PURE,
    ".width|height|depth|channel_data_type|channel_order|array_size|memory_layout .b32"
    " : mem -> b32",
)
