"""Asynchronous copies.

PTX ISA 9.5, sections 9.7.9.25 to 9.7.9.28.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.instruction_rows import group, row

_COPY = READS | WRITES | SIDE_EFFECTS

row(
    "cp.async",
    _COPY,
    ".ca|cg .shared|shared::cta .global .P=@prefetch? : mem mem const any?",
    ".ca|cg .shared|shared::cta .global .L2::cache_hint .P=@prefetch? : mem mem const any any?",
    since="7.0 80",
    words={
        "L2::cache_hint": "7.4 80",
        "shared::cta": "7.8 80",
        "L2::64B": "7.4 80",
        "L2::128B": "7.4 80",
        "L2::256B": "7.4 80",
    },
)
row("cp.async.commit_group", SIDE_EFFECTS, ":", since="7.0 80")
row("cp.async.wait_group", SIDE_EFFECTS, ": const", since="7.0 80")
row("cp.async.wait_all", SIDE_EFFECTS, ":", since="7.0 80")
row("cp.async.bulk.commit_group", SIDE_EFFECTS, ":", since="8.0 90")
row(
    "cp.async.bulk.wait_group",
    SIDE_EFFECTS,
    ".read? : const",
    ".sync_restrict::proxy::async : const @ 9.5",
    since="8.0 90",
)

_COMPLETE = ".mbarrier::complete_tx::bytes"
_MASKS_OF_16 = "multicast::cluster|multicast::cluster::16b"
_RUBIN = "9.4 107f"
_ORDERED = ".relaxed .S=cta|cluster|gpu|sys .b128"
_ORDERED_SINCE = "9.3 90a|100f|110f"
group(
    "validity",
    " ".join(
        f"mbarrier::report::validity::per_16bytes::{at}" for at in ("8", "80", "8000", "80000000")
    )
    + " mbarrier::report::validity::per_element::ff",
)
group("report", "@validity mbarrier::report::disabled")
row(
    "cp.async.bulk",
    _COPY,
    f".shared::cta .global {_COMPLETE} .H=L2::cache_hint? : mem mem b32 mem H=>b64 @ 8.6 90",
    f".shared::cluster .global {_COMPLETE} .H=L2::cache_hint? : mem mem b32 mem H=>b64",
    f".shared::cluster .global {_COMPLETE} .multicast::cluster .H=L2::cache_hint?"
    " : mem mem b32 mem b16 H=>b64",
    f".shared::cluster .shared::cta {_COMPLETE} : mem mem b32 mem",
    ".global .shared::cta .bulk_group .H=L2::cache_hint? : mem mem b32 H=>b64",
    ".global .shared::cta .bulk_group .H=L2::cache_hint? .cp_mask : mem mem b32 H=>b64 b16 @ 8.6 100",
    # Number of bytes at both ends of the source that are not read.
    f".shared::cta .global {_COMPLETE} .H=L2::cache_hint? .ignore_oob"
    " : mem mem b32 b32 b32 mem H=>b64 @ 9.2 90",
    # Copies with an order and a scope.
    f".shared::cta .global {_COMPLETE} .H=L2::cache_hint? {_ORDERED} : mem mem b32 mem H=>b64 @ 9.3 90",
    f".shared::cta .global {_COMPLETE} .H=L2::cache_hint? .ignore_oob {_ORDERED}"
    " : mem mem b32 b32 b32 mem H=>b64 @ 9.3 90",
    f".shared::cluster .global {_COMPLETE} .H=L2::cache_hint? {_ORDERED}"
    f" : mem mem b32 mem H=>b64 @ {_ORDERED_SINCE}",
    f".shared::cluster .global {_COMPLETE} .multicast::cluster .H=L2::cache_hint? {_ORDERED}"
    f" : mem mem b32 mem b16 H=>b64 @ {_ORDERED_SINCE}",
    f".shared::cluster .shared::cta {_COMPLETE} .relaxed .cluster .b128 : mem mem b32 mem @ 9.3",
    f".global .shared::cta .bulk_group .H=L2::cache_hint? {_ORDERED} : mem mem b32 H=>b64 @ 9.3",
    f".global .shared::cta .bulk_group .H=L2::cache_hint? .cp_mask {_ORDERED}"
    " : mem mem b32 H=>b64 b16 @ 9.3 100",
    f".shared::cluster .global {_COMPLETE} .multicast::cluster::16b .H=L2::cache_hint?"
    " : mem mem b32 mem b16 H=>b64 @ 9.4",
    f".shared::cluster .global {_COMPLETE} .multicast::cluster::32b .H=L2::cache_hint? .R=@report?"
    f" : mem mem b32 mem b32 H=>b64 @ {_RUBIN}",
    f".D=shared::cta|shared::cluster .global {_COMPLETE} .H=L2::cache_hint? .R=@report"
    f" : mem mem b32 mem H=>b64 @ {_RUBIN}",
    f".shared::cluster .global {_COMPLETE} .{_MASKS_OF_16} .H=L2::cache_hint? .R=@report"
    f" : mem mem b32 mem b16 H=>b64 @ {_RUBIN}",
    # Copies with an order, masks of 32 bits and reports.
    f".shared::cluster .global {_COMPLETE} .multicast::cluster::16b .H=L2::cache_hint? {_ORDERED}"
    f" : mem mem b32 mem b16 H=>b64 @ {_ORDERED_SINCE.replace('9.3', '9.4')}",
    f".shared::cluster .global {_COMPLETE} .multicast::cluster::32b .H=L2::cache_hint? .R=@report?"
    f" {_ORDERED} : mem mem b32 mem b32 H=>b64 @ {_RUBIN}",
    f".D=shared::cta|shared::cluster .global {_COMPLETE} .H=L2::cache_hint? .R=@report {_ORDERED}"
    f" : mem mem b32 mem H=>b64 @ {_RUBIN}",
    f".shared::cluster .global {_COMPLETE} .{_MASKS_OF_16} .H=L2::cache_hint? .R=@report {_ORDERED}"
    f" : mem mem b32 mem b16 H=>b64 @ {_RUBIN}",
    since="8.0 90",
)
_BULK_TO_GLOBAL = ".global .shared::cta .bulk_group .H=L2::cache_hint?"
row(
    "cp.reduce.async.bulk",
    _COPY,
    f".shared::cluster .shared::cta {_COMPLETE} .and|or|xor .b32 : mem mem b32 mem",
    f".shared::cluster .shared::cta {_COMPLETE} .add|min|max .u32|s32 : mem mem b32 mem",
    f".shared::cluster .shared::cta {_COMPLETE} .add .u64 : mem mem b32 mem",
    f".shared::cluster .shared::cta {_COMPLETE} .inc|dec .u32 : mem mem b32 mem",
    f"{_BULK_TO_GLOBAL} .and|or|xor .b32|b64 : mem mem b32 H=>b64",
    f"{_BULK_TO_GLOBAL} .add .u32|s32|u64|f32|f64 : mem mem b32 H=>b64",
    f"{_BULK_TO_GLOBAL} .min|max .u32|s32|u64|s64|f16|bf16 : mem mem b32 H=>b64",
    f"{_BULK_TO_GLOBAL} .inc|dec .u32 : mem mem b32 H=>b64",
    f"{_BULK_TO_GLOBAL} .add .noftz .f16|bf16 : mem mem b32 H=>b64",
    since="8.0 90",
)
row(
    "cp.async.bulk.prefetch",
    SIDE_EFFECTS,
    ".L2 .global .H=L2::cache_hint? : mem b32 H=>b64",
    f".L2 .global .L2::evict_last : mem b32 @ {_RUBIN}",
    since="8.0 90",
)
row(
    "applypriority.async.bulk",
    SIDE_EFFECTS,
    ".global? .bulk_group .L2::evict_normal : mem b32",
    since=_RUBIN,
)
row(
    "multimem.cp.async.bulk",
    _COPY,
    ".global .shared::cta .bulk_group : mem mem b32",
    ".global .shared::cta .bulk_group .cp_mask : mem mem b32 b16 @ 9.1 100",
    f".global .shared::cta .bulk_group {_ORDERED} : mem mem b32 @ 9.3",
    f".global .shared::cta .bulk_group .cp_mask {_ORDERED} : mem mem b32 b16 @ 9.3 100",
    since="9.1 90",
)
row(
    "multimem.cp.reduce.async.bulk",
    _COPY,
    ".global .shared::cta .bulk_group .and|or|xor .b32|b64 : mem mem b32",
    ".global .shared::cta .bulk_group .add .u32|s32|u64|f32|f64 : mem mem b32",
    ".global .shared::cta .bulk_group .min|max .u32|s32|u64|s64|f16|bf16 : mem mem b32",
    ".global .shared::cta .bulk_group .inc|dec .u32 : mem mem b32",
    ".global .shared::cta .bulk_group .add .noftz .f16|bf16 : mem mem b32",
    since="9.1 90",
)

# Tensors: 9.7.9.27
_TENSOR = "list(b64,D*b32)"
_WIDE_BLACKWELL = "8.6 100a|100f|101a|101f|110a|110f"


def _im2col_offsets(dimension: int) -> str:
    return f"{dimension - 2}*b16"


@dataclass(frozen=True)
class _Override:
    """Fields of a tensor map that a copy replaces: the words, and their operands in the address."""

    words: str
    operands: str


def _overrides(dimension: int) -> list[_Override]:
    """Overrides of a copy of boxes: only the address, or also the sizes, and the strides.

    The sizes are 16-bit numbers. The strides are the low 32 bits of each, and the upper bits of all
    in one number.
    """
    address = ".override::global_address"
    found = [_Override(address, "b64")]
    if dimension == 1:
        found.append(_Override(f"{address} .override::global_dim", "b64,1*b16"))
    else:
        strides = f"b64,{dimension}*b16,{dimension - 1}*b32,b16"
        found.append(_Override(f"{address} .override::global_dim_stride", strides))
    return found


def _rubin_tensors() -> Iterator[tuple[str, str, str, str]]:
    """Boxes, patches and rows with the additions of sm_107.

    Yields the mode, the address with the tensor map, words of overrides and the operands of
    offsets.
    """
    for dimension in range(1, 6):
        coordinates = f"{dimension}*b32"
        for override in _overrides(dimension):
            yield (
                f".{dimension}d .tile?",
                f"list(b64,{override.operands},{coordinates})",
                override.words,
                "",
            )
    address = _overrides(1)[0]
    yield ".2d .tile::gather4", "list(b64,b64,5*b32)", address.words, ""
    for dimension in (3, 4, 5):
        where = f"list(b64,b64,{dimension}*b32)"
        yield f".{dimension}d .im2col", where, address.words, f" {_im2col_offsets(dimension)}"
        yield f".{dimension}d .im2col::w|im2col::w::128", where, address.words, " 2*b16"


def _plain_tensors() -> Iterator[tuple[str, str, str, str]]:
    """Like `_rubin_tensors`, without overrides."""
    yield ".D=1d|2d|3d|4d|5d .tile?", f"{_TENSOR}", "", ""
    yield ".2d .tile::gather4", "list(b64,5*b32)", "", ""
    for dimension in (3, 4, 5):
        yield f".D={dimension}d .im2col", _TENSOR, "", f" {_im2col_offsets(dimension)}"
        yield f".D={dimension}d .im2col::w|im2col::w::128", _TENSOR, "", " 2*b16"


def _rubin_loads() -> list[str]:
    """Loads with masks of 32 bits, reports of invalid elements, or overridden fields of the tensor map."""
    forms: list[str] = []
    hint = ".H=L2::cache_hint?"
    group_ = ".cta_group::1|cta_group::2?"
    for mode, where, override, offsets in (*_plain_tensors(), *_rubin_tensors()):
        shape, _, tile = mode.partition(" ")
        destinations = [
            ("shared::cta", "", ""),
            ("shared::cluster", "", ""),
            ("shared::cluster", ".multicast::cluster::32b", " b32"),
        ]
        if "global_dim" not in override:
            destinations.append(("shared::cluster", f".{_MASKS_OF_16}", " b16"))
        for space, multicast, mask in destinations:
            head = f"{shape} .{space} .global {tile} {_COMPLETE} {group_} {multicast} {hint}"
            operands = f"mem {where} mem{offsets}{mask} H=>b64"
            if override or mask == " b32":
                forms.append(f"{head} .R=@report? {override} : {operands} @ {_RUBIN}")
            else:
                forms.append(f"{head} .R=@report : {operands} @ {_RUBIN}")
    return forms


def _rubin_stores(head: str) -> list[str]:
    """Stores and reductions of boxes, with overridden fields of the tensor map."""
    return [
        f"{shape} {head} {tile.replace('::gather4', '::scatter4')} .bulk_group .H=L2::cache_hint?"
        f" {override} : {where} mem H=>b64 @ {_RUBIN}"
        for mode, where, override, _ in _rubin_tensors()
        if "im2col" not in mode
        for shape, _, tile in (mode.partition(" "),)
    ] + [
        f".D=3d|4d|5d {head} .im2col_no_offs::w .bulk_group .H=L2::cache_hint?"
        f" : {_TENSOR} mem H=>b64 @ {_RUBIN}",
        *(
            f".{dimension}d {head} .im2col_no_offs|im2col_no_offs::w .bulk_group .H=L2::cache_hint?"
            f" {_overrides(1)[0].words} : list(b64,b64,{dimension}*b32) mem H=>b64 @ {_RUBIN}"
            for dimension in (3, 4, 5)
        ),
    ]


def _tensor_loads(destination: str, since: str) -> list[str]:
    """Loads of a box, an image patch or gathered rows, each with its options."""
    at = f" @ {since}" if since else ""
    # Every later GPU can copy gathered rows and windows to a block's own shared memory.
    alone = "8.6 100" if destination == "shared::cta" else _WIDE_BLACKWELL
    multicasts = ("", f" .{_MASKS_OF_16}") if destination == "shared::cluster" else ("",)
    forms: list[str] = []
    for multicast in multicasts:
        mask = " b16" if multicast else ""
        tail = f"{_COMPLETE}{multicast} .H=L2::cache_hint?"
        grouped = f"{_COMPLETE}{multicast} .cta_group::1|cta_group::2 .H=L2::cache_hint?"
        operands = f"mem {_TENSOR} mem{mask} H=>b64"
        head = f".{destination} .global"
        forms.append(f".D=1d|2d|3d|4d|5d {head} .tile? {tail} : {operands}{at}")
        forms.append(f".D=1d|2d|3d|4d|5d {head} .tile? {grouped} : {operands} @ {_WIDE_BLACKWELL}")
        rows_at = f"mem list(b64,5*b32) mem{mask} H=>b64"
        forms.append(f".2d {head} .tile::gather4 {tail} : {rows_at} @ {alone}")
        forms.append(f".2d {head} .tile::gather4 {grouped} : {rows_at} @ {_WIDE_BLACKWELL}")
        for dimension in (3, 4, 5):
            patch = f"mem {_TENSOR} mem {_im2col_offsets(dimension)}{mask} H=>b64"
            window = f"mem {_TENSOR} mem 2*b16{mask} H=>b64"
            forms.append(f".D={dimension}d {head} .im2col {tail} : {patch}{at}")
            forms.append(f".D={dimension}d {head} .im2col {grouped} : {patch} @ {_WIDE_BLACKWELL}")
            forms.append(f".D={dimension}d {head} .im2col::w {tail} : {window} @ {alone}")
            forms.append(
                f".D={dimension}d {head} .im2col::w::128 {tail} : {window} @ {_WIDE_BLACKWELL}"
            )
            forms.append(
                f".D={dimension}d {head} .im2col::w|im2col::w::128 {grouped}"
                f" : {window} @ {_WIDE_BLACKWELL}"
            )
    return forms


_TENSOR_TO_GLOBAL = ".global .shared::cta"
row(
    "cp.async.bulk.tensor",
    _COPY,
    *_tensor_loads("shared::cluster", ""),
    *_tensor_loads("shared::cta", "8.6 90"),
    f".D=1d|2d|3d|4d|5d {_TENSOR_TO_GLOBAL} .tile? .bulk_group .H=L2::cache_hint?"
    f" : {_TENSOR} mem H=>b64",
    f".2d {_TENSOR_TO_GLOBAL} .tile::scatter4 .bulk_group .H=L2::cache_hint?"
    f" : list(b64,5*b32) mem H=>b64 @ {_WIDE_BLACKWELL}",
    f".D=3d|4d|5d {_TENSOR_TO_GLOBAL} .im2col_no_offs .bulk_group .H=L2::cache_hint?"
    f" : {_TENSOR} mem H=>b64",
    *_rubin_loads(),
    *_rubin_stores(_TENSOR_TO_GLOBAL),
    since="8.0 90",
    words={"multicast::cluster::16b": "9.4"},
)
row(
    "cp.reduce.async.bulk.tensor",
    _COPY,
    f".D=1d|2d|3d|4d|5d {_TENSOR_TO_GLOBAL} .add|min|max|inc|dec|and|or|xor .tile? .bulk_group"
    f" .H=L2::cache_hint? : {_TENSOR} mem H=>b64",
    f".D=3d|4d|5d {_TENSOR_TO_GLOBAL} .add|min|max|inc|dec|and|or|xor .im2col_no_offs .bulk_group"
    f" .H=L2::cache_hint? : {_TENSOR} mem H=>b64",
    f".2d {_TENSOR_TO_GLOBAL} .add|min|max|inc|dec|and|or|xor .tile::scatter4 .bulk_group"
    f" .H=L2::cache_hint? : list(b64,5*b32) mem H=>b64 @ {_WIDE_BLACKWELL}",
    *_rubin_stores(f"{_TENSOR_TO_GLOBAL} .add|min|max|inc|dec|and|or|xor"),
    since="8.0 90",
)
row(
    "cp.async.bulk.prefetch.tensor",
    SIDE_EFFECTS,
    f".D=1d|2d|3d|4d|5d .L2 .global .tile? .H=L2::cache_hint? : {_TENSOR} H=>b64",
    f".2d .L2 .global .tile::gather4 .H=L2::cache_hint?"
    f" : list(b64,5*b32) H=>b64 @ {_WIDE_BLACKWELL}",
    *(
        form
        for dimension in (3, 4, 5)
        for form in (
            f".D={dimension}d .L2 .global .im2col .H=L2::cache_hint?"
            f" : {_TENSOR} {_im2col_offsets(dimension)} H=>b64",
            f".D={dimension}d .L2 .global .im2col::w|im2col::w::128 .H=L2::cache_hint?"
            f" : {_TENSOR} 2*b16 H=>b64 @ {_WIDE_BLACKWELL}",
        )
    ),
    *(
        f"{shape} .L2 .global {tile} {hint} {override} : {where}{offsets}{policy} @ {_RUBIN}"
        for tensors, policies in (
            (_plain_tensors, ((".L2::evict_last", ""),)),
            (_rubin_tensors, ((".L2::evict_last", ""), (".H=L2::cache_hint?", " H=>b64"))),
        )
        for mode, where, override, offsets in tensors()
        for shape, _, tile in (mode.partition(" "),)
        for hint, policy in policies
    ),
    since="8.0 90",
)
row(
    "applypriority.async.bulk.tensor",
    SIDE_EFFECTS,
    *(
        f"{shape} .global? {tile} .bulk_group .L2::evict_normal {override} : {where}{offsets}"
        for mode, where, override, offsets in (*_plain_tensors(), *_rubin_tensors())
        for shape, _, tile in (mode.partition(" "),)
    ),
    since=_RUBIN,
)
_NARROW = "8.6 100a|100f|101a|101f|110a|110f|120a|120f"
_NARROW_TYPES = "8.7 100a|100f|101a|101f|103a|103f|110a|110f|120a|120f|121a|121f"
_FIELD_SPACE = ".S=global|shared::cta?"
_MAPS_SINCE = "8.3 90a|100a|100f|101a|101f|103a|103f|107a|110a|110f|120a|120f|121a|121f"
row(
    "tensormap.replace",
    _COPY,
    f".tile .global_address {_FIELD_SPACE} .b1024 .b64 : mem b64",
    f".tile .rank {_FIELD_SPACE} .b1024 .b32 : mem b32",
    f".tile .box_dim|global_dim|element_stride {_FIELD_SPACE} .b1024 .b32 : mem const b32",
    f".tile .global_stride {_FIELD_SPACE} .b1024 .b64 : mem const b64",
    f".tile .elemtype {_FIELD_SPACE} .b1024 .b32 : mem const=0..12",
    f".tile .elemtype {_FIELD_SPACE} .b1024 .b32 : mem const=13..15 @ {_NARROW_TYPES}",
    f".tile .interleave_layout {_FIELD_SPACE} .b1024 .b32 : mem const=0..2",
    f".tile .swizzle_mode {_FIELD_SPACE} .b1024 .b32 : mem const=0..3",
    f".tile .swizzle_mode {_FIELD_SPACE} .b1024 .b32 : mem const=4..4 @ 8.8 103a|107a",
    f".tile .fill_mode {_FIELD_SPACE} .b1024 .b32 : mem const=0..1",
    f".tile .swizzle_atomicity {_FIELD_SPACE} .b1024 .b32 : mem const=0..3 @ {_NARROW}",
    # The class of the allocation: larger or smaller than the memory that one descriptor covers.
    f".tile .global_address .alloc_small|alloc_large|alloc_same {_FIELD_SPACE} .b1024 .b64"
    " : mem b64 @ 9.5",
    f".tile .alloc_small|alloc_large {_FIELD_SPACE} .b1024 : mem @ 9.5",
    since=_MAPS_SINCE,
)
row(
    "tensormap.query.alloc_class_large",
    _COPY,
    ".global|shared::cta? .b1024 : mem -> pred",
    since=f"9.5 {_MAPS_SINCE.partition(' ')[2]}",
)
row(
    "tensormap.cp_fenceproxy",
    _COPY | CONVERGENT,
    ".global .shared::cta .tensormap::generic .release .S=@scope .sync .aligned : mem mem const=128",
    since="8.3 90",
)
row(
    "clusterlaunchcontrol.try_cancel",
    _COPY,
    ".async .shared::cta? .mbarrier::complete_tx::bytes .b128 : mem mem",
    ".async .shared::cta? .mbarrier::complete_tx::bytes .multicast::cluster::all .b128"
    " : mem mem @ 8.6 100a|100f|120a|120f|101a|103a|110a|110f",
    since="8.6 100",
)
row(
    "clusterlaunchcontrol.query_cancel",
    SIDE_EFFECTS,
    ".is_canceled .pred .b128 : b128 -> pred",
    ".get_first_ctaid .v4 .b32 .b128 : b128 -> 4*b32",
    ".get_first_ctaid::x|get_first_ctaid::y|get_first_ctaid::z .b32 .b128 : b128 -> b32",
    since="8.6 100",
)

# Memory that several GPUs share: 9.7.9.14
group("relaxed_scope", "relaxed.cta relaxed.cluster relaxed.gpu relaxed.sys")
group("load_order", "@relaxed_scope acquire.cta acquire.cluster acquire.gpu acquire.sys")
group("store_order", "@relaxed_scope release.cta release.cluster release.gpu release.sys")
_MULTIMEM_FP8 = "8.6 100a|100f|101a|101f|110a|110f|120a|121a"
_WEAK_OR = (".weak .global?", ".@load_order? .global?")
_WEAK_OR_RELEASE = (".weak .global?", ".@store_order? .global?")
row(
    "multimem.ld_reduce",
    READS | SIDE_EFFECTS,
    *(
        form
        for order in _WEAK_OR
        for form in (
            f"{order} .and|or|xor .T=b32|b64 : mem -> T",
            f"{order} .add .T=u32|s32|u64 : mem -> T",
            f"{order} .min|max .T=u32|s32|u64|s64 : mem -> T",
            f"{order} .add .V=v2|v4? .T=f32 : mem -> V*T",
            f"{order} .add .f64 : mem -> f64",
            f"{order} .add .acc::f32? .V=v2|v4? .T=f16x2|bf16x2 : mem -> V*T",
            f"{order} .min|max .V=v2|v4? .T=f16x2|bf16x2 : mem -> V*T",
            f"{order} .add .acc::f32? .V=v2|v4|v8 .T=f16|bf16 : mem -> V*T",
            f"{order} .min|max .V=v2|v4|v8 .T=f16|bf16 : mem -> V*T",
            f"{order} .add .acc::f16? .V=v2|v4? .T=e4m3x4|e5m2x4 : mem -> V*T @ {_MULTIMEM_FP8}",
        )
    ),
    since="8.1 90",
    words={"acc::f32": "8.2"},
)
row(
    "multimem.st",
    WRITES | SIDE_EFFECTS,
    *(
        form
        for order in _WEAK_OR_RELEASE
        for form in (
            f"{order} .T=b32|b64|u32|u64|s32|s64|f64 : mem T",
            f"{order} .V=v2|v4? .T=f32|f16x2|bf16x2 : mem V*T",
            f"{order} .V=v2|v4|v8 .T=f16|bf16 : mem V*T",
            f"{order} .V=v2|v4? .T=e4m3x4|e5m2x4 : mem V*T @ {_MULTIMEM_FP8}",
        )
    ),
    since="8.1 90",
)
row(
    "multimem.red",
    READS | WRITES | SIDE_EFFECTS,
    *(
        f"{_WEAK_OR_RELEASE[1]} {form}"
        for form in (
            ".and|or|xor .T=b32|b64 : mem T",
            ".add .T=u32|s32|u64 : mem T",
            ".min|max .T=u32|s32|u64|s64 : mem T",
            ".add .V=v2|v4? .T=f32 : mem V*T",
            ".add .f64 : mem f64",
            ".add .V=v2|v4? .T=f16x2|bf16x2 : mem V*T",
            ".add .V=v2|v4|v8 .T=f16|bf16 : mem V*T",
        )
    ),
    since="8.1 90",
)
