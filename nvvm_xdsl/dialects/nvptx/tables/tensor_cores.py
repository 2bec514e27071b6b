"""The fifth generation of tensor cores and its memory.

PTX ISA 9.5, section 9.7.16.
"""

from __future__ import annotations

from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.instruction_rows import group, row

_SINCE = "8.6 100a|100f|101a|101f|103a|103f|107a|107f|110a|110f"
_EFFECTS = CONVERGENT | READS | WRITES | SIDE_EFFECTS

group("cta_group", "cta_group::1 cta_group::2")

row(
    "tcgen05.alloc",
    _EFFECTS,
    ".exclusive? .G=@cta_group .sync .aligned .shared::cta? .b32 : mem b32",
    since=_SINCE,
    words={"exclusive": "9.4"},
)
row(
    "tcgen05.dealloc",
    _EFFECTS,
    ".exclusive? .G=@cta_group .sync .aligned .b32 : b32 b32",
    since=_SINCE,
    words={"exclusive": "9.4"},
)
row(
    "tcgen05.relinquish_alloc_permit",
    _EFFECTS,
    ".G=@cta_group .sync .aligned :",
    since=_SINCE,
)

# Registers of one thread for each repetition, by shape.
_SHAPES = {"16x64b": 1, "16x128b": 2, "16x256b": 4, "32x32b": 1}
_LOADS: list[str] = []
_STORES: list[str] = []
_REDUCTIONS: list[str] = []
_COMPRESSED: list[str] = []
_COMPRESSED_REDUCTIONS: list[str] = []
for _times in (1, 2, 4, 8, 16, 32, 64, 128):
    for _shape, _each in _SHAPES.items():
        _count = _times * _each
        if _count <= 128:
            _head = f".sync .aligned .{_shape} .x{_times}"
            _LOADS.append(f"{_head} .pack::16b? .b32 : tmem -> {_count}*b32")
            _STORES.append(f"{_head} .unpack::16b? .b32 : tmem {_count}*b32")
    _head = f".sync .aligned .16x32bx2 .x{_times}"
    _LOADS.append(f"{_head} .pack::16b? .b32 : tmem const -> {_times}*b32")
    _STORES.append(f"{_head} .unpack::16b? .b32 : tmem const {_times}*b32")
    if _times > 1:
        for _shape, _offset in (("32x32b", ""), ("16x32bx2", " const")):
            _head = f".sync .aligned .{_shape} .x{_times} .min|max"
            _REDUCTIONS.append(f"{_head} .abs? .NaN? .f32 : tmem{_offset} -> {_times}*f32 f32")
            _REDUCTIONS.append(f"{_head} .T=u32|s32 : tmem{_offset} -> {_times}*b32 b32")
    if _times > 2:
        # Two bits of metadata for each kept element: 2 of 4, so half as many elements as are read.
        _head = (
            f".sync .aligned .32x32b .x{_times} .min|max .sp::2:4 .abs? .NaN? .f32 .b2 : tmem ->"
        )
        _kept = f"{max(1, _times // 32)}*b32 {_times // 2}*f32"
        _COMPRESSED.append(f"{_head.replace(' .NaN?', '')} {_kept}")
        _COMPRESSED_REDUCTIONS.append(f"{_head} {_kept} f32")
row("tcgen05.ld", CONVERGENT | READS | SIDE_EFFECTS, *_LOADS, since=_SINCE)
row(
    "tcgen05.ld.red",
    CONVERGENT | READS | SIDE_EFFECTS,
    *_REDUCTIONS,
    since="9.1 103a|103f|110a|110f",
)
row("tcgen05.st", CONVERGENT | WRITES | SIDE_EFFECTS, *_STORES, since=_SINCE)
row(
    "tcgen05.ld.spcompress",
    CONVERGENT | READS | SIDE_EFFECTS,
    *_COMPRESSED,
    since="9.4 107a",
)
row(
    "tcgen05.ld.red.spcompress",
    CONVERGENT | READS | SIDE_EFFECTS,
    *_COMPRESSED_REDUCTIONS,
    since="9.4 107a",
)
for _what in ("ld", "st"):
    row(f"tcgen05.wait::{_what}", _EFFECTS, ".sync .aligned :", since=_SINCE)
for _when in ("before", "after"):
    row(f"tcgen05.fence::{_when}_thread_sync", SIDE_EFFECTS, ":", since=_SINCE)
row(
    "tcgen05.cp",
    READS | WRITES | SIDE_EFFECTS,
    ".G=@cta_group .128x256b|4x256b|128x128b .b8x16.b6x16_p32|b8x16.b4x16_p64? : tmem b64",
    ".G=@cta_group .64x128b .warpx2::02_13|warpx2::01_23 .b8x16.b6x16_p32|b8x16.b4x16_p64?"
    " : tmem b64",
    ".G=@cta_group .32x128b .warpx4 .b8x16.b6x16_p32|b8x16.b4x16_p64? : tmem b64",
    since=_SINCE,
)
row(
    "tcgen05.shift",
    READS | WRITES | SIDE_EFFECTS,
    ".G=@cta_group .down : tmem",
    since="8.6 100a|101a|103a|107a|110a",
)
row(
    "tcgen05.commit",
    SIDE_EFFECTS,
    ".G=@cta_group .mbarrier::arrive::one .shared::cluster? .b64 : mem",
    ".G=@cta_group .mbarrier::arrive::one .shared::cluster? .multicast::cluster .b64 : mem b16",
    ".G=@cta_group .mbarrier::arrive::one .shared::cluster? .multicast::cluster::16b .b64 : mem b16"
    " @ 9.4",
    ".G=@cta_group .mbarrier::arrive::one .R=sync_restrict::shared::read::mma::a? .shared::cluster?"
    " .multicast::cluster::32b .b64 : mem b32 @ 9.4 107f",
    ".G=@cta_group .mbarrier::arrive::one .sync_restrict::shared::read::mma::a .shared::cluster?"
    " .b64 : mem @ 9.4 107f",
    ".G=@cta_group .mbarrier::arrive::one .sync_restrict::shared::read::mma::a .shared::cluster?"
    " .multicast::cluster|multicast::cluster::16b .b64 : mem b16 @ 9.4 107f",
    since=_SINCE,
)

_USE = "collector::a::fill|collector::a::use|collector::a::lastuse|collector::a::discard"
_USE_B = "|".join(f"collector::b::{use}" for use in ("fill", "use", "lastuse", "discard"))
_BOTH_SINCE = " @ 9.4 107a|107f"
_EXPANDED = "decompress::lut::b"
"""Elements of b are indices into a table in tensor memory, the operand before the descriptor."""
_SHIFTED_USE = "collector::a::lastuse|collector::a::discard"
_LANES = {"cta_group::1": 4, "cta_group::2": 8}
_MMA = READS | WRITES | SIDE_EFFECTS
_EXACT = "8.6 100a|101a|103a|107a|110a"


_INPUT_SCALE = " @ 8.6 100a|100f|101a"


def _forms(sparse: bool) -> list[str]:
    """The forms of `tcgen05.mma`; with a in tensor memory it may be shifted."""
    metadata = " tmem" if sparse else ""
    inputs = f"tmem b64~tmem b64{metadata} b32"
    shifted = f"tmem tmem b64{metadata} b32"
    table = "tmem b64~tmem b64 tmem b32"
    forms: list[str] = []
    for cta_group, lanes in _LANES.items():
        for kinds, scale, since in (
            ("kind::f16|kind::tf32", "", ""),
            ("kind::f16|kind::tf32", " const", _INPUT_SCALE),
            ("kind::f8f6f4", "", ""),
            ("kind::i8", "", " @ 8.6 100a|101a|110a"),
            ("kind::ti16", "", _BOTH_SINCE),
        ):
            # The mask of output lanes is optional.
            for mask in ("", f" {lanes}*b32"):
                head = f".{cta_group} .{kinds}"
                tail = f"{mask} pred{scale}"
                forms.append(f"{head} .{_USE}? : {inputs}{tail}{since}")
                forms.append(f"{head} .ashift .{_SHIFTED_USE}? : {shifted}{tail}{since}")
                if kinds != "kind::i8":
                    forms.append(f"{head} .{_USE}? .{_USE_B} : {inputs}{tail}{_BOTH_SINCE}")
                    forms.append(
                        f"{head} .ashift .{_SHIFTED_USE}? .{_USE_B} : {shifted}{tail}{_BOTH_SINCE}"
                    )
                if kinds == "kind::f8f6f4" and not sparse:
                    forms.append(
                        f"{head} .{_EXPANDED} .{_USE}? .{_USE_B}? : {table}{tail}{_BOTH_SINCE}"
                    )
        if not sparse:
            forms.append(
                f".{cta_group} .kind::mxf8f6f4 .block_scale .{_EXPANDED} .scale_vec::1X|block32?"
                f" .{_USE}? .{_USE_B}? : {table} tmem tmem pred{_BOTH_SINCE}"
            )
        scales = f"{inputs} tmem tmem pred"
        for kind, sizes in (
            ("mxf8f6f4", "scale_vec::1X|block32"),
            ("mxf4", "scale_vec::2X|block32"),
            ("mxf4nvf4", "scale_vec::2X|scale_vec::4X|block16|block32"),
        ):
            optional = "" if kind == "mxf4nvf4" else "?"
            # Sparse 4-bit floats have blocks of 32 unless stated otherwise.
            since = f" @ 8.8 {_EXACT[4:]}" if sparse and kind == "mxf4" else ""
            if kind == "mxf4nvf4":
                since = f" @ 8.7 {_EXACT[4:]}" if sparse else " @ 8.7"
            forms.append(
                f".{cta_group} .kind::{kind} .block_scale .{sizes}{optional} .{_USE}?"
                f" : {scales}{since}"
            )
            forms.append(
                f".{cta_group} .kind::{kind} .block_scale .{sizes}{optional} .{_USE}? .{_USE_B}"
                f" : {scales}{' @ 9.4 107a' if sparse and kind != 'mxf8f6f4' else _BOTH_SINCE}"
            )
    return forms


_SCALE_SINCE = {
    "block16": "8.8",
    "block32": "8.8",
    **{f"scale_vec::{size}X": _EXACT for size in (1, 2, 4)},
}
row("tcgen05.mma", _MMA, *_forms(sparse=False), since=_SINCE, words=_SCALE_SINCE)
row("tcgen05.mma.sp", _MMA, *_forms(sparse=True), since=_SINCE, words=_SCALE_SINCE)
_BUFFERS = "|".join(
    f"collector::b{number}::{use}"
    for number in range(4)
    for use in ("fill", "use", "lastuse", "discard")
)
for _mnemonic, _metadata in (("tcgen05.mma.ws", ""), ("tcgen05.mma.ws.sp", " tmem")):
    _operands = f"tmem b64~tmem b64{_metadata} b32 pred b64?"
    row(
        _mnemonic,
        _MMA,
        f".cta_group::1 .kind::f16|kind::tf32|kind::f8f6f4 .{_BUFFERS}? : {_operands}",
        f".cta_group::1 .kind::i8 .{_BUFFERS}? : {_operands} @ 8.6 100a|101a|110a",
        f".cta_group::1 .kind::ti16 .{_BUFFERS}? : {_operands}{_BOTH_SINCE}",
        since=_SINCE,
    )
