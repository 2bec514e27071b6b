"""The instructions of the texture and surface intrinsics of NVVM."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nvvm_xdsl.simulator.ptx.source_operands import Group, ListAddress, Operand, Register
from nvvm_xdsl.simulator.textures import surface_ops, texture_ops

_TEX = re.compile(
    r"tex(?:\.unified)?\.(1d|2d|3d|cube)(\.array)?(\.level|\.grad)?\.v4(f32|s32|u32)\.(s32|f32)"
)
_GATHER = re.compile(r"tld4(?:\.unified)?\.([rgba])\.2d\.v4(f32|s32|u32)\.f32")
_SURFACE = re.compile(
    r"(suld|sust\.b|sust\.p)\.(1d|2d|3d)(\.array)?\.(v2|v4|)i(8|16|32|64)\.(clamp|trap|zero)"
)

TEXTURE_ORDER = ("texture",)


def ptx_of(short: str) -> tuple[str, Sequence[int | str]]:
    """The opcode of an intrinsic by its name after `llvm.nvvm.`; KeyError if there is none."""
    match = _TEX.fullmatch(short)
    if match:
        geometry, array, mode, result, coordinate = match.groups()
        shape = ("a" if array else "") + geometry
        return f"tex{mode or ''}.{shape}.v4.{result}.{coordinate}", TEXTURE_ORDER
    match = _GATHER.fullmatch(short)
    if match:
        return f"tld4.{match[1]}.2d.v4.{match[2]}.f32", TEXTURE_ORDER
    match = _SURFACE.fullmatch(short)
    if match is None:
        raise KeyError(short)
    name, geometry, array, vector, bits, clamp = match.groups()
    name = "suld.b" if name == "suld" else name
    shape = ("a" if array else "") + geometry
    parts = [name, shape, vector, f"b{bits}", clamp]
    return ".".join(p for p in parts if p), TEXTURE_ORDER


_TYPES = {"texture": "texref", "sampler": "samplerref", "surface": "surfref"}

RULES: tuple[tuple[str, Callable[[re.Match[str]], tuple[str, Sequence[int | str]]]], ...] = (
    (
        r"(?:tex|tld4\.[rgba]|tld4\.unified\.[rgba]|suld|sust\.[bp])\..*",
        lambda match: ptx_of(match[0]),
    ),
    (
        r"(txq|suq)\.(width|height|depth|num\.mipmap\.levels|num\.samples|array\.size"
        r"|channel\.order|channel\.data\.type)",
        lambda match: (f"{match[1]}.{match[2].replace('.', '_')}.b32", (0,)),
    ),
    (r"istypep\.(texture|surface|sampler)", lambda match: (f"istypep.{_TYPES[match[1]]}", (0,))),
)
"""Name patterns and instructions, like `nvvm_intrinsics.RULES`."""


def operands(opcode: str, registers: Sequence[Register], short: str) -> list[Operand]:
    """The operands of the intrinsic, in order, grouped as in the PTX instruction."""
    name, *mods = opcode.split(".")
    texture = name in ("tex", "tld4")
    geometry = next(m for m in mods if m in texture_ops.COORDINATES)
    handles = 2 if texture and ".unified" not in short else 1
    count = (texture_ops if texture else surface_ops).COORDINATES[geometry]
    place = ListAddress((*registers[:handles], Group(tuple(registers[handles : handles + count]))))
    rest = tuple(registers[handles + count :])
    if not rest:
        return [place]
    if mods[0] == "grad":
        size = len(rest) // 2
        return [place, Group(rest[:size]), Group(rest[size:])]
    return [place, rest[0]] if mods[0] == "level" else [place, Group(rest)]
