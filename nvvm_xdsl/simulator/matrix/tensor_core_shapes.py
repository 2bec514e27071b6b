"""Decoding and checking of the instruction descriptor of `tcgen05.mma`.

Tables 39, 42 to 45, 51 and 52 (9.7.16.2.1, 9.7.16.4.2, 9.7.16.4.3, 9.7.16.10.1).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from nvvm_xdsl.simulator.execution.memory import Lanes


class ShapeError(ValueError):
    """An instruction descriptor that the PTX ISA does not define for the instruction."""


class UnknownLayoutError(ValueError):
    """A form whose layout the PTX ISA's text does not define."""


@dataclass(frozen=True)
class Form:
    """The fields of a `tcgen05.mma` opcode."""

    kind: str
    group: int
    weight_stationary: bool = False
    sparse: bool = False
    a_shift: bool = False
    scales: int = 0
    """Number of scale factors of a row along K: 1, 2 or 4; 0 without block scaling."""


@dataclass(frozen=True)
class Descriptor:
    """A decoded instruction descriptor."""

    m: int
    n: int
    k: int
    a_type: str
    b_type: str
    d_type: str
    a_transposed: bool
    b_transposed: bool
    a_negated: bool
    b_negated: bool
    saturate: bool = False
    selector: int = 0
    """The sparsity selector."""
    a_scale_id: int = 0
    b_scale_id: int = 0
    scale_type: str = ""


BITS = {
    "f16": 16, "bf16": 16, "tf32": 32, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6,
    "e2m1": 4, "f32": 32, "s32": 32,
}  # fmt: skip

_SMALL = {0: "e4m3", 1: "e5m2", 3: "e2m3", 4: "e3m2", 5: "e2m1"}

_INPUTS = {
    "f16": {0: "f16", 1: "bf16"},
    "tf32": {2: "tf32"},
    "f8f6f4": _SMALL,
    "mxf8f6f4": _SMALL,
    "i8": {0: "u8", 1: "s8"},
    "mxf4": {1: "e2m1"},
    "mxf4nvf4": {1: "e2m1"},
}

_OUTPUTS = {
    "f16": {0: "f16", 1: "f32"},
    "tf32": {1: "f32"},
    "f8f6f4": {0: "f16", 1: "f32"},
    "i8": {2: "s32"},
}

_K = {"f16": 16, "tf32": 8, "f8f6f4": 32, "mxf8f6f4": 32, "i8": 32, "mxf4": 64, "mxf4nvf4": 64}
"""K of the dense forms; twice as much for sparse ones."""

PACKED_KINDS = frozenset({"mxf4", "mxf4nvf4"})
"""Kinds whose 4-bit elements have no padding in memory."""


def decode(word: int, form: Form) -> Descriptor:
    """Decodes an instruction descriptor.

    Raises ShapeError for shapes that the ISA does not permit.
    """
    inputs = _INPUTS[form.kind]
    a_type = _lookup(inputs, word >> 7 & 7, "matrix A", form)
    b_bits = 3 if form.kind not in PACKED_KINDS else 2
    b_type = _lookup(inputs, word >> 10 & (1 << b_bits) - 1, "matrix B", form)
    if (word >> 2 & 1) != form.sparse:
        raise ShapeError(f"bit 2 of the descriptor says {'dense' if form.sparse else 'sparse'}")
    found = Descriptor(
        m=(word >> 24 & 31) << 4,
        n=(word >> 17 & 63) << 3,
        k=_K[form.kind] * (2 if form.sparse else 1),
        a_type=a_type,
        b_type=b_type,
        d_type="f32",
        a_transposed=bool(word >> 15 & 1),
        b_transposed=bool(word >> 16 & 1),
        a_negated=bool(word >> 13 & 1),
        b_negated=bool(word >> 14 & 1),
    )
    if form.scales:
        if form.kind in PACKED_KINDS and word >> 31:
            raise ShapeError("K = 96 exists on sm_103a only")
        found = replace(
            found,
            m=(word >> 27 & 3) << 7,
            a_scale_id=word >> 29 & 3,
            b_scale_id=word >> 4 & 3,
            scale_type="ue8m0" if word >> 23 & 1 else "ue4m3",
        )
        _check_scales(found, form)
    else:
        found = replace(
            found,
            d_type=_lookup(_OUTPUTS[form.kind], word >> 4 & 3, "matrix D", form),
            saturate=bool(word >> 3 & 1),
            selector=word & 3,
        )
    _check_types(found, form)
    _check_shape(found, form)
    return found


def _lookup(table: dict[int, str], code: int, what: str, form: Form) -> str:
    if code not in table:
        known = ", ".join(f"{c} ({t})" for c, t in table.items())
        raise ShapeError(f"{code} is not a type of {what} of .kind::{form.kind}, which has {known}")
    return table[code]


def _check_types(d: Descriptor, form: Form) -> None:
    kind = form.kind
    if d.d_type == "f16" and "bf16" in (d.a_type, d.b_type):
        raise ShapeError("a bf16 matrix needs D of f32")
    if d.saturate and kind != "i8":
        raise ShapeError(f"saturation is for .kind::i8, not .kind::{kind}")
    if (d.a_negated or d.b_negated) and kind == "i8":
        raise ShapeError("matrices of .kind::i8 cannot be negated")
    for transposed, type_, what in (
        (d.a_transposed, d.a_type, "A"),
        (d.b_transposed, d.b_type, "B"),
    ):
        if transposed and (kind in PACKED_KINDS or BITS[type_] < 8):
            raise ShapeError(f"matrix {what} of {type_} cannot be transposed in .kind::{kind}")
    if d.selector and form.sparse and kind in ("i8", "f8f6f4"):
        raise ShapeError(f"the sparsity selector of .kind::{kind} is 0, not {d.selector}")


def _check_scales(d: Descriptor, form: Form) -> None:
    allowed = {1: range(4), 2: (0, 2), 4: (0,)}[form.scales]
    for what, number in (("A", d.a_scale_id), ("B", d.b_scale_id)):
        if number not in allowed:
            raise ShapeError(
                f"{number} is not a scale factor {what} ID of {form.scales} factors a row"
            )
    if d.scale_type == "ue4m3" and (form.kind != "mxf4nvf4" or form.scales != 4):
        raise ShapeError("scale factors of ue4m3 need .kind::mxf4nvf4 with four of them a row")


def _check_shape(d: Descriptor, form: Form) -> None:
    if form.weight_stationary:
        rows, columns = (32, 64, 128), (64, 128) if form.sparse else (64, 128, 256)
    else:
        rows = (64, 128) if form.group == 1 else (128, 256)
        if form.scales:
            rows = (128,) if form.group == 1 else (256,) if form.sparse else (128, 256)
        step = 8 * form.group
        if form.kind == "i8":
            columns = (8, 16, 24, *range(32, 257, 16)) if step == 8 else range(32, 257, 32)
        else:
            columns = range(step, 257, step)
        if d.b_transposed and BITS[d.b_type] == 8:
            columns = [n for n in columns if n % (2 * step) == 0]
    if d.m not in rows or d.n not in columns:
        name = "tcgen05.mma" + (".ws" if form.weight_stationary else "")
        raise ShapeError(
            f"{name}.cta_group::{form.group}.kind::{form.kind} has no shape M = {d.m}, N = {d.n}"
        )
    if form.a_shift and d.m < 128:
        raise ShapeError(f".ashift needs M = 128 or 256, not {d.m}")


# Layout of D


@dataclass(frozen=True)
class Layout:
    """The elements of D in a lane of one block's tensor memory (9.7.16.10.5, layouts A to G).

    They occupy `width` columns of the lane's row, starting at `first`. Each quarter of the lanes
    reads its operands - rows of A, scale factors, metadata - from its own 32 lanes.
    """

    name: str
    lanes: Lanes
    rows: Lanes
    """Row numbers relative to the block's part of A."""
    first: Lanes
    width: int


def layout(d: Descriptor, form: Form) -> Layout:
    """The layout of D in each of the blocks, from lane 0 or 16 on."""
    per_block = d.m // form.group
    if form.sparse and not form.weight_stationary and per_block == 64:
        name = "C" if form.group == 2 else "F"
        raise UnknownLayoutError(
            f"sparse metadata for M = {d.m} in layout {name} (half of the lanes) is not simulated: "
            "the PTX ISA draws it, but does not describe it"
        )
    lanes = np.arange(128)
    split = {(True, 64): 2, (True, 32): 4}.get((form.weight_stationary, per_block), 1)
    if per_block == 64 and not form.weight_stationary:
        if form.group == 1:
            half = np.arange(64)
            spread = half % 16 + half // 16 * 32
            return Layout("F", spread, half, np.zeros(64, np.int64), d.n)
        split = 2
    name = {1: "A" if form.group == 2 else "D", 2: "B" if form.group == 2 else "E", 4: "G"}[split]
    height = 128 // split
    width = d.n // split
    return Layout(name, lanes, lanes % height, lanes // height * width, width)


# The zero-column mask


def zero_columns(word: int, m: int, n: int) -> Lanes:
    """The columns of B that a zero-column mask descriptor sets to zero.

    A mask has two parts for M = 64, four for M = 32. A part consists of alternating runs of `Skip
    Span` + 1 ones and `Use Span` + 1 zeros, beginning with ones if its `First Span` is 1; its
    `Start Count` lowest bits are dropped. This agrees with the ISA's examples 2 to 4 (9.7.16.4.3)
    and with CUTLASS (include/cute/arch/mma_sm100_desc.hpp, MaskAndShiftB); the ISA's table
    exchanges the names of the two spans.
    """
    if not word >> 39 & 1:
        return np.zeros(n, bool)
    parts = 128 // m
    length = n // parts
    ones = np.ones((word >> 40 & 255) + 1, bool)
    zeros = np.zeros((word >> 48 & 255) + 1, bool)
    found: list[Lanes] = []
    for part in range(parts):
        count = word >> 8 * part & 255
        pair = [ones, zeros] if word >> 32 + part & 1 else [zeros, ones]
        period = np.concatenate(pair)
        times = -(-(count + length) // period.size)
        found.append(np.tile(period, times)[count : count + length])
    return np.concatenate(found)


def column_shift(word: int, m: int) -> int:
    """The number of columns of B that a zero-column mask descriptor skips."""
    shift = word >> 56 & 63
    most = 16 if m == 32 else 32
    if shift > most:
        raise ShapeError(f"a column shift of {shift}, more than the maximum of {most} for M = {m}")
    return shift
