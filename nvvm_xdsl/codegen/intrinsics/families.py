"""Intrinsic families whose PTX follows from the parts of the intrinsic's name.

Matrix, texture, surface and tensor-copy intrinsics are regular but many: about 1,700 names.
Each family is one function from the name's parts and the number of arguments to the PTX
text, in the notation of `table.py`; `{$a, $b}` groups registers into a vector.

Facts: PTX ISA 9.1 (9.7.9.25, 9.7.10, 9.7.11, 9.7.14, 9.7.16) and LLVM 22's IntrinsicsNVVM.td.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from nvvm_xdsl.codegen.intrinsics import main_families
from nvvm_xdsl.dialects.nvvm import tcgen05_ptx
from nvvm_xdsl.ir.nvptx import WARP_SIZE

Family = Callable[[list[str], int, Callable[[int], int | None]], str | None]
"""Computes the instruction from the parts of a name after the family's, the number of arguments and
a look-up of constant arguments; None if the name does not belong to the family."""

Constants = Callable[[int], "int | None"]


def _group(first: int, count: int) -> str:
    return "{" + ", ".join(f"${i}" for i in range(first, first + count)) + "}"


def _shape(text: str) -> tuple[int, int, int]:
    match = re.fullmatch(r"m(\d+)n(\d+)k(\d+)", text)
    assert match is not None
    return int(match[1]), int(match[2]), int(match[3])


_BITS = {
    "f64": 64, "f32": 32, "s32": 32, "tf32": 32, "f16": 16, "bf16": 16,
    "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "e3m2": 8, "e2m3": 8, "e2m1": 8,
    "s4": 4, "u4": 4, "b1": 1,
}  # fmt: skip
"""Width of an element in a register; 6-bit and 4-bit floats of f8f6f4 are padded to 8 bits."""


def _fragment(rows: int, columns: int, element: str) -> int:
    """Number of registers per lane of a rows by columns matrix."""
    bits = _BITS[element]
    return rows * columns * bits // WARP_SIZE // (64 if bits == 64 else 32)


_SINGLE_TYPE = {
    "bf16": ("f32", "bf16", "bf16", "f32"),
    "tf32": ("f32", "tf32", "tf32", "f32"),
    "f64": ("f64", "f64", "f64", "f64"),
}


def _mma_types(types: Sequence[str]) -> tuple[str, str, str, str]:
    """Types of D, A, B and C from those in the name."""
    if len(types) == 4:
        return types[0], types[1], types[2], types[3]
    if types[0] in _SINGLE_TYPE:
        return _SINGLE_TYPE[types[0]]
    if types[0] in ("f16", "f32"):
        return types[0], "f16", "f16", types[1]
    return "s32", types[0], types[-1], "s32"


_WMMA_FRAGMENTS = {
    # (shape, element of A and B): registers of A, of B
    ("m16n16k16", "f16"): (8, 8),
    ("m32n8k16", "f16"): (8, 8),
    ("m8n32k16", "f16"): (8, 8),
    ("m16n16k16", "bf16"): (4, 4),
    ("m32n8k16", "bf16"): (8, 2),
    ("m8n32k16", "bf16"): (2, 8),
    ("m16n16k8", "tf32"): (4, 4),
    ("m16n16k16", "s8"): (2, 2),
    ("m32n8k16", "s8"): (4, 1),
    ("m8n32k16", "s8"): (1, 4),
    ("m8n8k32", "s4"): (1, 1),
    ("m8n8k128", "b1"): (1, 1),
    ("m8n8k4", "f64"): (1, 1),
}


def wmma(parts: list[str], count: int, constant: Constants) -> str | None:
    """`wmma.<shape>.load|store|mma...`: PTX ISA 9.7.14.4."""
    shape, action = parts[0], parts[1]
    if action == "load":
        fragment, layout, element = parts[2], parts[3], parts[-1]
        stride = ", $1" if parts[4] == "stride" else ""
        return f"wmma.load.{fragment}.sync.aligned.{layout}.{shape}<space 0>.{element} [$0]{stride}"
    if action == "store":
        layout, element = parts[3], parts[-1]
        strided = parts[4] == "stride"
        registers = _group(1, count - 1 - strided)
        stride = f", ${count - 1}" if strided else ""
        return f"wmma.store.d.sync.aligned.{layout}.{shape}<space 0>.{element} [$0], {registers}{stride}"
    rest = parts[2:]
    bit_operation = ""
    if rest[1] == "popc":
        bit_operation = f".{rest[0]}.popc"
        rest = rest[2:]
    a_layout, b_layout, *types = rest
    rounding = ""
    if types[0] in ("rn", "rz", "rm", "rp"):
        rounding = f".{types.pop(0)}"
    saturate = ".satfinite" if types[-1] == "satfinite" else ""
    if saturate:
        types = types[:-1]
    d, a, b, c = _mma_types(types)
    fragments = _WMMA_FRAGMENTS.get((shape, {"u8": "s8", "u4": "s4"}.get(a, a)))
    if fragments is None:
        return None
    a_count, b_count = fragments
    c_count = count - a_count - b_count
    suffix = f".{d}.{c}" if a == "f16" else f".{d}.{a}.{b}.{c}"
    operands = ", ".join(
        (_group(0, a_count), _group(a_count, b_count), _group(a_count + b_count, c_count))
    )
    return (
        f"wmma.mma{bit_operation}.sync.aligned.{a_layout}.{b_layout}.{shape}"
        f"{rounding}{suffix}{saturate} {operands}"
    )


def mma(parts: list[str], count: int, constant: Constants) -> str | None:
    """`mma[.sp[.ordered.metadata]][.block.scale].<shape>...`: PTX ISA 9.7.14.5, 9.7.14.6."""
    rest = list(parts)
    sparse = rest[0] == "sp"
    head = "mma.sync.aligned"
    if sparse:
        rest.pop(0)
        head = "mma.sp.sync.aligned"
        if rest[0] == "ordered":
            rest = rest[2:]
            head = "mma.sp::ordered_metadata.sync.aligned"
    scaled = rest[0] == "block"
    if scaled:
        rest = rest[2:]
    bit_operation = ""
    if rest[1] == "popc":
        bit_operation = f".{rest[0]}.popc"
        rest = rest[2:]
    shape, a_layout, b_layout, *types = rest
    modifiers = ""
    if scaled:
        modifiers = f".kind::{types.pop(0)}.block_scale"
        if types[0] == "scale":
            modifiers += f".scale_vec::{types[1].upper()}"
            types = types[2:]
        scale_type = f".{types.pop()}"
    else:
        scale_type = ""
        if types[0] == "kind":
            modifiers = f".kind::{types[1]}"
            types = types[2:]
    if types[0] == "satfinite":
        modifiers += ".satfinite"
        types = types[1:]
    d, a, b, c = _mma_types(types)
    m, n, k = _shape(shape)
    packed_4bit = scaled and ".kind::mxf4" in modifiers
    if (m, n, k) == (8, 8, 4) and a == "f16":
        a_count = b_count = 2
    else:
        a_count = _fragment(m, k, a) // (2 if packed_4bit else 1) // (2 if sparse else 1)
        b_count = _fragment(k, n, b) // (2 if packed_4bit else 1)
    tail = (2 if sparse else 0) + (6 if scaled else 0)
    c_count = count - a_count - b_count - tail
    at = a_count + b_count
    operands = [_group(0, a_count), _group(a_count, b_count), _group(at, c_count)]
    at += c_count
    if sparse:
        operands += [f"${at}", f"!{at + 1}"]
        at += 2
    if scaled:
        operands += [
            f"${at}",
            f"{{${at + 1}, ${at + 2}}}",
            f"${at + 3}",
            f"{{${at + 4}, ${at + 5}}}",
        ]
    return (
        f"{head}.{shape}.{a_layout}.{b_layout}{modifiers}.{d}.{a}.{b}.{c}{scale_type}"
        f"{bit_operation} {', '.join(operands)}"
    )


def stmatrix(parts: list[str], count: int, constant: Constants) -> str | None:
    """`stmatrix.sync.aligned.<shape>.<num>[.trans].<type>`: PTX ISA 9.7.14.5.16."""
    *head, element = parts
    return f"stmatrix.{'.'.join(head)}<shared 0>.{element} [$0], {_group(1, count - 1)}"


def _padded(vector: list[int]) -> list[int]:
    """PTX accepts vectors of one, two or four coordinates: for three the last is repeated."""
    return [*vector, vector[-1]] if len(vector) == 3 else vector


_COORDINATES = {"1d": 1, "2d": 2, "3d": 3, "cube": 3}


def tex(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tex[.unified].<geometry>[.array][.level|.grad].<vector type>.<type>`: PTX ISA 9.7.10.3."""
    rest = list(parts)
    unified = rest[0] == "unified"
    if unified:
        rest.pop(0)
    geometry = rest.pop(0)
    array = rest[0] == "array"
    if array:
        rest.pop(0)
    mode = rest.pop(0) if rest[0] in ("level", "grad") else ""
    result, coordinate = rest
    dimensions = _COORDINATES[geometry]
    shape = ("a" if array else "") + geometry
    at = 1 if unified else 2
    vector = list(range(at, at + dimensions + array))
    at += len(vector)
    coordinates = ", ".join(f"${i}" for i in _padded(vector))
    handles = "$0" if unified else "$0, $1"
    extra = ""
    if mode == "level":
        extra = f", ${at}"
    elif mode == "grad":
        for _ in range(2):
            gradient = [f"${i}" for i in _padded(list(range(at, at + dimensions)))]
            at += dimensions
            extra += ", {" + ", ".join(gradient) + "}"
    count_text, element = result[:2], result[2:]
    mode_text = f".{mode}" if mode else ""
    return f"tex{mode_text}.{shape}.{count_text}.{element}.{coordinate} [{handles}, {{{coordinates}}}]{extra}"


def tld4(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tld4[.unified].<component>.2d.<vector type>.f32`: PTX ISA 9.7.10.4."""
    rest = list(parts)
    unified = rest[0] == "unified"
    if unified:
        rest.pop(0)
    component, geometry, result, coordinate = rest
    at = 1 if unified else 2
    handles = "$0" if unified else "$0, $1"
    return (
        f"tld4.{component}.{geometry}.{result[:2]}.{result[2:]}.{coordinate}"
        f" [{handles}, {{${at}, ${at + 1}}}]"
    )


def _surface_coordinates(geometry: str, array: bool) -> tuple[str, int]:
    dimensions = _COORDINATES[geometry] + array
    listed = [f"${i}" for i in _padded(list(range(1, 1 + dimensions)))]
    return "{" + ", ".join(listed) + "}", dimensions


def _surface_type(text: str) -> str:
    match = re.fullmatch(r"(v[24])?i(\d+)", text)
    assert match is not None
    return (f"{match[1]}." if match[1] else "") + f"b{match[2]}"


def suld(parts: list[str], count: int, constant: Constants) -> str | None:
    """`suld.<geometry>[.array].<type>.<clamp>`: PTX ISA 9.7.11.1."""
    array = parts[1] == "array"
    element, clamp = parts[-2:]
    coordinates, _ = _surface_coordinates(parts[0], array)
    shape = ("a" if array else "") + parts[0]
    return f"suld.b.{shape}.{_surface_type(element)}.{clamp} [$0, {coordinates}]"


def sust(parts: list[str], count: int, constant: Constants) -> str | None:
    """`sust.<b|p>.<geometry>[.array].<type>.<clamp>`: PTX ISA 9.7.11.2."""
    form, geometry = parts[0], parts[1]
    array = parts[2] == "array"
    element, clamp = parts[-2:]
    coordinates, dimensions = _surface_coordinates(geometry, array)
    shape = ("a" if array else "") + geometry
    first, parts_count = 1 + dimensions, count - 1 - dimensions
    values = _group(first, parts_count) if parts_count > 1 else f"${first}"
    return f"sust.{form}.{shape}.{_surface_type(element)}.{clamp} [$0, {coordinates}], {values}"


_IM2COL = {"im2col": "im2col", "im2col.w": "im2col::w", "im2col.w.128": "im2col::w::128"}


def tensor_copy(parts: list[str], count: int, constant: Constants) -> str | None:
    """`cp.async.bulk.tensor.<direction>...`: PTX ISA 9.7.9.27.5; trailing flags pick modifiers."""
    rest = list(parts)
    direction = rest.pop(0)
    operation = rest.pop(0) if direction == "reduce" else ""
    to_block = direction == "g2s" and rest[0] == "cta"
    if to_block:
        rest.pop(0)
    dimension = rest.pop()
    mode = ".".join(rest)
    dims = int(dimension[0])
    gather = mode.endswith(("gather4", "scatter4"))
    coordinates = 5 if gather else dims
    mode_text = {"tile.gather4": "tile::gather4", "tile.scatter4": "tile::scatter4"}.get(
        mode, _IM2COL.get(mode, "tile")
    )
    store_mode = {"im2col": "im2col_no_offs"}.get(mode, mode_text)
    if direction in ("s2g", "reduce"):
        vector = _group(2, coordinates)
        hint_at = 2 + coordinates
        hint = bool(constant(hint_at + 1))
        cache = ".L2::cache_hint" if hint else ""
        policy = f", ${hint_at}" if hint else ""
        name = "cp.reduce.async.bulk.tensor" if operation else "cp.async.bulk.tensor"
        op_text = f".{operation}" if operation else ""
        return (
            f"{name}.{dimension}.global.shared::cta{op_text}.{store_mode}.bulk_group{cache}"
            f" [$1, {vector}], [$0]{policy}"
        )
    if direction not in ("g2s", "prefetch"):
        return None
    first = 1 if direction == "prefetch" else 3
    vector = _group(first, coordinates)
    at = first + coordinates
    if direction == "prefetch" or to_block:
        offsets = count - at - 2
        hint = bool(constant(count - 1))
        cache = ".L2::cache_hint" if hint else ""
        trailing = f", {_group(at, offsets)}" if offsets else ""
        trailing += f", ${count - 2}" if hint else ""
        if direction == "prefetch":
            return (
                f"cp.async.bulk.prefetch.tensor.{dimension}.L2.global.{mode_text}{cache}"
                f" [$0, {vector}]{trailing}"
            )
        return (
            f"cp.async.bulk.tensor.{dimension}.shared::cta.global.{mode_text}"
            f".mbarrier::complete_tx::bytes{cache} [$0], [$2, {vector}], [$1]{trailing}"
        )
    # ..., multicast mask, cache policy, has mask, has policy, CTA group
    offsets = count - at - 5
    mask_at = at + offsets
    multicast = bool(constant(count - 3))
    hint = bool(constant(count - 2))
    group = constant(count - 1)
    modifiers = ".mbarrier::complete_tx::bytes"
    modifiers += ".multicast::cluster" if multicast else ""
    modifiers += f".cta_group::{group}" if group else ""
    modifiers += ".L2::cache_hint" if hint else ""
    operands = f"[$0], [$2, {vector}], [$1]"
    operands += f", {_group(at, offsets)}" if offsets else ""
    operands += f", ${mask_at}" if multicast else ""
    operands += f", ${mask_at + 1}" if hint else ""
    return (
        f"cp.async.bulk.tensor.{dimension}.shared::cluster.global.{mode_text}{modifiers} {operands}"
    )


def bulk_copy(parts: list[str], count: int, constant: Constants) -> str | None:
    """`cp.async.bulk.<from>.to.<to>` and its prefetch: PTX ISA 9.7.9.25.4."""
    name = ".".join(parts)
    if name == "global.to.shared.cluster":
        multicast, hint = bool(constant(6)), bool(constant(7))
        modifiers = ".multicast::cluster" if multicast else ""
        modifiers += ".L2::cache_hint" if hint else ""
        operands = "[$0], [$2], $3, [$1]" + (", $4" if multicast else "") + (", $5" if hint else "")
        return f"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes{modifiers} {operands}"
    if name == "global.to.shared.cta":
        hint = bool(constant(5))
        cache = ".L2::cache_hint" if hint else ""
        policy = ", $4" if hint else ""
        return f"cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes{cache} [$0], [$2], $3, [$1]{policy}"
    if name in ("shared.cta.to.global", "shared.cta.to.global.bytemask"):
        hint = bool(constant(4))
        modifiers = ".L2::cache_hint" if hint else ""
        operands = "[$0], [$1], $2" + (", $3" if hint else "")
        if count == 6:
            modifiers += ".cp_mask"
            operands += ", $5"
        return f"cp.async.bulk.global.shared::cta.bulk_group{modifiers} {operands}"
    if name == "prefetch.L2":
        hint = bool(constant(3))
        cache, policy = (".L2::cache_hint", ", $2") if hint else ("", "")
        return f"cp.async.bulk.prefetch.L2.global{cache} [$0], $1{policy}"
    return None


_TENSORMAP_VALUES = {
    "global.address": ("b64", "$1"),
    "rank": ("b32", "$1"),
    "box.dim": ("b32", "!1, $2"),
    "global.dim": ("b32", "!1, $2"),
    "global.stride": ("b64", "!1, $2"),
    "element.stride": ("b32", "!1, $2"),
    "elemtype": ("b32", "!1"),
    "interleave.layout": ("b32", "!1"),
    "swizzle.mode": ("b32", "!1"),
    "fill.mode": ("b32", "!1"),
    "swizzle.atomicity": ("b32", "!1"),
}


def tensormap_replace(parts: list[str], count: int, constant: Constants) -> str | None:
    """`tensormap.replace.<field>`: PTX ISA 9.7.9.28."""
    field = ".".join(parts)
    type_, operands = _TENSORMAP_VALUES[field]
    name = field.replace(".", "_")
    return f"tensormap.replace.tile.{name}<cta 0>.b1024.{type_} [$0], {operands}"


def dot_product_2(parts: list[str], count: int, constant: Constants) -> str | None:
    """`idp2a.<a>.<b>`: PTX ISA 9.7.1.24; the third argument picks the half of b."""
    signs = {"s": "s32", "u": "u32"}
    half = "hi" if constant(2) else "lo"
    return f"dp2a.{half}.{signs[parts[0]]}.{signs[parts[1]]} $0, $1, $3"


def find_leading_one(parts: list[str], count: int, constant: Constants) -> str | None:
    """`flo.<s|u>`: PTX ISA 9.7.1.17; the second argument asks for the shift amount."""
    sign = "signed" if parts[0] == "s" else "unsigned"
    shift = ".shiftamt" if constant(1) else ""
    return f"bfind{shift}.<{sign} 0> $0"


def mbarrier_check(parts: list[str], count: int, constant: Constants) -> str | None:
    """`mbarrier.check.layout`: the second argument is the layout to test for."""
    return (
        f"mbarrier.check_layout.layout::v{constant(1) or 0}<cta 0>.b64 [$0]"
        if parts == ["layout"]
        else None
    )


FAMILIES: dict[str, Family] = {
    "mbarrier.check": mbarrier_check,
    "wmma": wmma,
    "mma": mma,
    "stmatrix": stmatrix,
    "tex": tex,
    "tld4": tld4,
    "suld": suld,
    "sust": sust,
    "tcgen05": tcgen05_ptx.intrinsic_instruction,
    "cp.async.bulk.tensor": tensor_copy,
    "cp.async.bulk": bulk_copy,
    "tensormap.replace": tensormap_replace,
    "idp2a": dot_product_2,
    "flo": find_leading_one,
}


def family_instruction(name: str, count: int, constant: Constants) -> str | None:
    """The PTX text of an intrinsic of one of the families, by its name after `llvm.nvvm.`.

    Args:
        count: the number of arguments of the call.
        constant: returns the value of a constant argument by its number.
    """
    parts = name.split(".")
    for families in (main_families.FAMILIES, FAMILIES):
        for length in (4, 3, 2, 1):
            family = families.get(".".join(parts[:length]))
            if family is not None:
                text = family(parts[length:], count, constant)
                if text is not None:
                    return text
                break
    return None
