"""Matrix instructions of warps and warpgroups.

PTX ISA 9.5, sections 9.7.14 and 9.7.15. Fragments are spread evenly over the 32 threads of a
warp, so the number of registers follows from shape and element size.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.instruction_rows import group, row

_WARP_BITS = 32 * 32

_BITS = {"f16": 16, "bf16": 16, "tf32": 32, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1}

group("mat", "row col")
group("mat_space", "global shared shared::cta")

# wmma: 9.7.14.4
_FRAGMENTS: dict[tuple[str, str], tuple[str, str]] = {
    ("m16n16k16", "f16"): ("8*b32", "8*b32"),
    ("m8n32k16", "f16"): ("8*b32", "8*b32"),
    ("m32n8k16", "f16"): ("8*b32", "8*b32"),
    ("m16n16k16", "s8"): ("2*b32", "2*b32"),
    ("m8n32k16", "s8"): ("1*b32", "4*b32"),
    ("m32n8k16", "s8"): ("4*b32", "1*b32"),
    ("m16n16k16", "bf16"): ("4*b32", "4*b32"),
    ("m8n32k16", "bf16"): ("2*b32", "8*b32"),
    ("m32n8k16", "bf16"): ("8*b32", "2*b32"),
    ("m16n16k8", "tf32"): ("4*b32", "4*b32"),
    ("m8n8k4", "f64"): ("1*f64", "1*f64"),
    ("m8n8k32", "s4"): ("1*b32", "1*b32"),
    ("m8n8k128", "b1"): ("1*b32", "1*b32"),
}
"""Registers of the fragments a and b by shape and element type."""

_SIGNED = {"s8": "s8|u8", "s4": "s4|u4"}
_SINCE = {"bf16": "7.0 80", "tf32": "7.0 80", "f64": "7.0 80", "s8": "6.3 72", "s4": "6.3 75"}
_SINCE["b1"] = "6.3 75"
_SINCE["f16"] = "6.0 70"


def _at(type_: str) -> str:
    return f" @ {_SINCE[type_]}"


_LOADS: dict[str, list[str]] = {"a": [], "b": [], "c": []}
_STORES: list[str] = []
_MMAS: list[str] = []
_BIT_MMAS: list[str] = []
for (_shape, _type), (_a, _b) in _FRAGMENTS.items():
    _element = _SIGNED.get(_type, _type)
    # Small elements have one layout only.
    _rows, _cols = ("row", "col") if _type in ("s4", "b1") else ("@mat", "@mat")
    _head = f".{_shape} .S=@mat_space?"
    _LOADS["a"].append(
        f".sync .aligned .{_rows} {_head} .{_element} : mem b32? -> {_a}{_at(_type)}"
    )
    _LOADS["b"].append(
        f".sync .aligned .{_cols} {_head} .{_element} : mem b32? -> {_b}{_at(_type)}"
    )
    _accumulators = {
        "f16": {"f16": "4*b32", "f32": "8*f32"},
        "bf16": {"f32": "8*f32"},
        "tf32": {"f32": "8*f32"},
        "f64": {"f64": "2*f64"},
        "s8": {"s32": "8*b32"},
        "s4": {"s32": "2*b32"},
        "b1": {"s32": "2*b32"},
    }[_type]
    for _c, _fragment_c in _accumulators.items():
        _LOADS["c"].append(
            f".sync .aligned .@mat {_head} .{_c} : mem b32? -> {_fragment_c}{_at(_type)}"
        )
        _STORES.append(f".sync .aligned .@mat {_head} .{_c} : mem {_fragment_c} b32?{_at(_type)}")
        if _type == "f16":
            for _d, _results in _accumulators.items():
                _MMAS.append(
                    f".sync .aligned .@mat .@mat .{_shape} .{_d} .{_c} .satfinite?"
                    f" : {_a} {_b} {_fragment_c} -> {_results}{_at(_type)}"
                )
        elif _type == "b1":
            _BIT_MMAS.append(
                f".popc .sync .aligned .row .col .{_shape} .s32 .b1 .b1 .s32"
                f" : {_a} {_b} {_fragment_c} -> {_fragment_c}"
            )
        elif _type == "f64":
            _MMAS.append(
                f".sync .aligned .@mat .@mat .{_shape} .@rnd? .f64 .f64 .f64 .f64"
                f" : {_a} {_b} {_fragment_c} -> {_fragment_c}{_at(_type)}"
            )
        else:
            _saturate = ".satfinite?" if _type in _SIGNED else ""
            for _word in _element.split("|"):
                _other = _word if _type in _SIGNED else _element
                _MMAS.append(
                    f".sync .aligned .{_rows} .{_cols} .{_shape} .{_c} .{_word} .{_other} .{_c}"
                    f" {_saturate} : {_a} {_b} {_fragment_c} -> {_fragment_c}{_at(_type)}"
                )

_SPACES = {"shared::cta": "7.8"}
for _fragment, _forms in _LOADS.items():
    row(f"wmma.load.{_fragment}", CONVERGENT | READS, *_forms, words=_SPACES)
row("wmma.store.d", CONVERGENT | WRITES, *_STORES, words=_SPACES)
# PTX 6.5 removed it for halves.
row("wmma.mma", CONVERGENT, *_MMAS, words={"f16 satfinite": "<6.5", "f32 satfinite": "<6.5"})
row("wmma.mma.xor", CONVERGENT, *_BIT_MMAS, since="6.3 75")
row("wmma.mma.and", CONVERGENT, *_BIT_MMAS, since="7.1 80")


# mma: 9.7.14.5, 9.7.14.6
def _registers(rows: int, columns: int, bits: int) -> str:
    return f"{max(1, rows * columns * bits // _WARP_BITS)}*b32"


def _accumulator(m: int, n: int, type_: str) -> str:
    if type_ == "f32":
        return f"{m * n // 32}*f32"
    if type_ == "f64":
        return f"{m * n // 32}*f64"
    return _registers(m, n, 16 if type_ == "f16" else 32)


def _mma(
    m: int,
    n: int,
    k: int,
    bits: int,
    types: str,
    c: str,
    d: str,
    since: str,
    *,
    head: str = "",
    tail: str = "",
    sparse: bool = False,
    extra: str = "",
) -> str:
    """A form of `mma` or `mma.sp`: `types` are the modifiers of a and b, `head` precedes d's."""
    a_registers = _registers(m, k // 2 if sparse else k, bits)
    b_registers = _registers(k, n, bits)
    if bits == 64:
        a_registers, b_registers = f"{m * k // 32}*f64", f"{k * n // 32}*f64"
    metadata = " b32 const" if sparse else ""
    return (
        f".sync .aligned .m{m}n{n}k{k} .row .col {head} .{d} {types} .{c} {tail}"
        f" : {a_registers} {b_registers} {_accumulator(m, n, c)}{metadata}{extra}"
        f" -> {_accumulator(m, n, d)} @ {since}"
    )


_HALF_PAIRS = (("f16", "f16"), ("f32", "f16"), ("f32", "f32"))
_F8 = ".e4m3|e5m2 .e4m3|e5m2"
_F8F6F4 = ".e4m3|e5m2|e3m2|e2m3|e2m1 .e4m3|e5m2|e3m2|e2m3|e2m1"
_I8 = ".u8|s8 .u8|s8"
_I4 = ".u4|s4 .u4|s4"

_FORMS: list[str] = []
for _d, _c in _HALF_PAIRS:
    _size = {"f16": "4*b32", "f32": "8*f32"}
    _FORMS.append(
        f".sync .aligned .m8n8k4 .@mat .@mat .{_d} .f16 .f16 .{_c}"
        f" : 2*b32 2*b32 {_size[_c]} -> {_size[_d]} @ 6.4 70"
    )
for _c in ("f16", "f32"):
    for _d in (_c,):
        _FORMS.append(_mma(16, 8, 8, 16, ".f16 .f16", _c, _d, "6.5 75"))
        _FORMS.append(_mma(16, 8, 16, 16, ".f16 .f16", _c, _d, "7.0 80"))
_FORMS.extend(
    [
        _mma(16, 8, 4, 32, ".tf32 .tf32", "f32", "f32", "7.0 80"),
        _mma(16, 8, 8, 32, ".tf32 .tf32", "f32", "f32", "7.0 80"),
        _mma(16, 8, 8, 16, ".bf16 .bf16", "f32", "f32", "7.0 80"),
        _mma(16, 8, 16, 16, ".bf16 .bf16", "f32", "f32", "7.0 80"),
        _mma(16, 8, 32, 8, _F8, "f32", "f32", "8.4 89"),
        _mma(16, 8, 16, 8, _F8, "f32", "f32", "8.7 89"),
        _mma(16, 8, 32, 8, _F8, "f16", "f16", "8.7 89"),
        _mma(16, 8, 16, 8, _F8, "f16", "f16", "8.7 89"),
        _mma(8, 8, 4, 64, ".f64 .f64", "f64", "f64", "7.0 80"),
        _mma(16, 8, 4, 64, ".f64 .f64", "f64", "f64", "7.8 90"),
        _mma(16, 8, 8, 64, ".f64 .f64", "f64", "f64", "7.8 90"),
        _mma(16, 8, 16, 64, ".f64 .f64", "f64", "f64", "7.8 90"),
        _mma(8, 8, 16, 8, _I8, "s32", "s32", "6.5 75", head=".satfinite?"),
        _mma(16, 8, 16, 8, _I8, "s32", "s32", "7.0 80", head=".satfinite?"),
        _mma(16, 8, 32, 8, _I8, "s32", "s32", "7.0 80", head=".satfinite?"),
        _mma(8, 8, 32, 4, _I4, "s32", "s32", "6.5 75", head=".satfinite?"),
        _mma(16, 8, 32, 4, _I4, "s32", "s32", "7.0 80", head=".satfinite?"),
        _mma(16, 8, 64, 4, _I4, "s32", "s32", "7.0 80", head=".satfinite?"),
    ]
)
for _op, _since, _since16 in (("xor", "7.0 75", "7.0 80"), ("and", "7.1 80", "7.1 80")):
    _tail = f".{_op}.popc"
    _FORMS.extend(
        [
            _mma(8, 8, 128, 1, ".b1 .b1", "s32", "s32", _since, tail=_tail),
            _mma(16, 8, 128, 1, ".b1 .b1", "s32", "s32", _since16, tail=_tail),
            _mma(16, 8, 256, 1, ".b1 .b1", "s32", "s32", _since16, tail=_tail),
        ]
    )
_BLOCK_SCALED = " b32 2*b16 b32 2*b16"
_SCALED = "8.7 120a|121a|120f"
_WORD = "8.7 100a|100f|101a|101f|110a|110f|120a|120f"
"""Instructions that accept `.kind::f8f6f4` for 8-bit floats; without it every GPU from sm_89
supports them.
"""


def _block_scaled(sparse: bool) -> list[str]:
    """The forms with block scaling; k doubles with a sparse a."""
    times = 2 if sparse else 1
    options = {"sparse": sparse, "extra": _BLOCK_SCALED}
    # The other GPUs of the family have no sparse 4-bit floats.
    narrow = (".e2m1 .e2m1", "f32", "f32", "8.7 120a|121a" if sparse else _SCALED)
    return [
        _mma(
            16,
            8,
            64 * times,
            4,
            *narrow,
            head=".kind::mxf4 .block_scale .scale_vec::2X?",
            tail=".ue8m0",
            **options,  # pyright: ignore[reportArgumentType]
        ),
        _mma(
            16,
            8,
            64 * times,
            4,
            *narrow,
            head=".kind::mxf4nvf4 .block_scale .scale_vec::2X",
            tail=".ue8m0",
            **options,  # pyright: ignore[reportArgumentType]
        ),
        _mma(
            16,
            8,
            64 * times,
            4,
            *narrow,
            head=".kind::mxf4nvf4 .block_scale .scale_vec::4X",
            tail=".ue4m3",
            **options,  # pyright: ignore[reportArgumentType]
        ),
        _mma(
            16,
            8,
            64 * times,
            4,
            ".e2m1 .e2m1",
            "f32",
            "f32",
            "9.1 120a|121a" if sparse else "9.1 120a|120f|121a",
            head=".kind::mxf4nvf4 .block_scale .scale_vec::4X",
            tail=".ue8m0",
            **options,  # pyright: ignore[reportArgumentType]
        ),
        _mma(
            16,
            8,
            32 * times,
            8,
            _F8F6F4,
            "f32",
            "f32",
            _SCALED,
            head=".kind::mxf8f6f4 .block_scale .scale_vec::1X?",
            tail=".ue8m0",
            **options,  # pyright: ignore[reportArgumentType]
        ),
    ]


for _c in ("f16", "f32"):
    _FORMS.append(_mma(16, 8, 32, 8, _F8, _c, _c, _WORD, head=".kind::f8f6f4"))
    _FORMS.append(_mma(16, 8, 32, 8, _F8F6F4, _c, _c, _SCALED, head=".kind::f8f6f4"))
_FORMS.extend(_block_scaled(sparse=False))
row("mma", CONVERGENT, *_FORMS)

_SPARSE: list[str] = []
for _c in ("f16", "f32"):
    _SPARSE.append(_mma(16, 8, 16, 16, ".f16 .f16", _c, _c, "7.1 80", sparse=True))
    _SPARSE.append(_mma(16, 8, 32, 16, ".f16 .f16", _c, _c, "7.1 80", sparse=True))
_SPARSE.extend(
    [
        _mma(16, 8, 16, 16, ".bf16 .bf16", "f32", "f32", "7.1 80", sparse=True),
        _mma(16, 8, 32, 16, ".bf16 .bf16", "f32", "f32", "7.1 80", sparse=True),
        _mma(16, 8, 8, 32, ".tf32 .tf32", "f32", "f32", "7.1 80", sparse=True),
        _mma(16, 8, 16, 32, ".tf32 .tf32", "f32", "f32", "7.1 80", sparse=True),
        _mma(16, 8, 64, 8, _F8, "f32", "f32", "8.4 89", sparse=True),
        _mma(16, 8, 32, 8, _I8, "s32", "s32", "7.1 80", head=".satfinite?", sparse=True),
        _mma(16, 8, 64, 8, _I8, "s32", "s32", "7.1 80", head=".satfinite?", sparse=True),
        _mma(16, 8, 64, 4, _I4, "s32", "s32", "7.1 80", head=".satfinite?", sparse=True),
        _mma(16, 8, 128, 4, _I4, "s32", "s32", "7.1 80", head=".satfinite?", sparse=True),
    ]
)
row("mma.sp", CONVERGENT, *_SPARSE)
_ORDERED = [
    _mma(16, 8, 64, 8, _types, _c, _c, _since, head=".kind::f8f6f4", sparse=True)
    for _c, _types, _since in (
        ("f32", _F8, _WORD),
        ("f32", _F8F6F4, _SCALED),
        ("f16", _F8F6F4, _SCALED),
    )
]
row(
    "mma.sp::ordered_metadata",
    CONVERGENT,
    *_SPARSE,
    *_ORDERED,
    *_block_scaled(sparse=True),
    since="8.5 80",
)

group("mat_shared", "shared shared::cta")
_NUMBERS = (("x1", "1*b32"), ("x2", "2*b32"), ("x4", "4*b32"))
_NARROW_SINCE = "8.6 100a|100f|101a|101f|110a|110f|120a|120f"
row(
    "ldmatrix",
    CONVERGENT | READS,
    *(
        f".sync .aligned .m8n8 .{number} .trans? .S=@mat_shared? .b16 : mem -> {registers}"
        for number, registers in _NUMBERS
    ),
    *(
        f".sync .aligned .m8n16 .{number} .S=@mat_shared? .b8x16.b6x16_p32|b8x16.b4x16_p64"
        f" : mem -> {registers} @ {_NARROW_SINCE}"
        for number, registers in _NUMBERS
    ),
    *(
        f".sync .aligned .m16n16 .{number} .trans .S=@mat_shared?"
        f" .b8|b8x16.b6x16_p32|b8x16.b4x16_p64 : mem -> {registers} @ {_NARROW_SINCE}"
        for number, registers in (("x1", "2*b32"), ("x2", "4*b32"))
    ),
    *(
        f".sync .aligned .m8n16 .{number} .S=@mat_shared? .s8 .s4 : mem -> {registers}"
        " @ 9.4 90a|100f|110f|120f"
        for number, registers in _NUMBERS
    ),
    since="6.5 75",
    words={"shared::cta": "7.8"},
)
row(
    "stmatrix",
    CONVERGENT | WRITES,
    *(
        f".sync .aligned .m8n8 .{number} .trans? .S=@mat_shared? .b16 : mem {registers}"
        for number, registers in _NUMBERS
    ),
    *(
        f".sync .aligned .m16n8 .{number} .trans .S=@mat_shared? .b8"
        f" : mem {registers} @ {_NARROW_SINCE}"
        for number, registers in _NUMBERS
    ),
    since="7.8 90",
)


def _compressions() -> Iterator[str]:
    """Of four elements two are kept, each with its index in two or four bits.

    The number counts kept registers.
    """
    for times, size, index in product((1, 2, 4, 8, 16, 32, 64), (8, 16), (2, 4)):
        metadata = max(1, times * index // size)
        words = f".x{times} .sp::2:4 .b{size} .b{index}"
        yield f"{words} : {2 * times}*b32 b32 -> {metadata}*b32 {times}*b32"


def _expansions() -> Iterator[str]:
    """Groups of kept elements, and the number of elements of the expanded group.

    The number counts groups. Indices of two bits suffice for four elements.
    """
    ratios = ((1, 2), (1, 4), (1, 8), (1, 16), (2, 4), (2, 8), (2, 16), (4, 8), (4, 16))
    sizes = product(ratios, (1, 2, 4, 8, 16, 32, 64), (8, 16), (2, 4))
    for (kept, expanded), times, size, index in sizes:
        data = times * expanded * size // 32
        if (index == 2 and expanded > 4) or (kept == 4 and size == 16) or not 1 <= data <= 128:
            continue
        sources = max(1, times * kept * size // 32)
        metadata = max(1, times * kept * index // 32)
        words = f".x{times} .sp::{kept}:{expanded} .b{size} .b{index}"
        yield f"{words} : {metadata}*b32 {sources}*b32 -> {data}*b32"


row("spcompress", CONVERGENT, *_compressions(), since="9.4 107a")
row("spdecompress", CONVERGENT, *_expansions(), since="9.4 107a")
row("movmatrix", CONVERGENT, ".sync .aligned .m8n8 .trans .b16 : b32 -> b32", since="7.8 75")

# wgmma: 9.7.15
_SCALES = " pred~const const const"
_NARROW = (8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256)


def _warpgroup(sparse: bool) -> list[str]:
    """All forms of `wgmma.mma_async`; `n/2` accumulators of 32 bits a thread, k doubled."""
    times = 2 if sparse else 1
    metadata = " b32 const" if sparse else ""
    forms: list[str] = []
    for n in range(8, 257, 8):
        wide, packed, integers = f"{n // 2}*f32", f"{n // 4}*b32", f"{n // 2}*b32"
        head = f".sync .aligned .m64n{n}k"
        inputs = f"b64~4*b32 b64{metadata}"
        # Matrices of halves in shared memory may be transposed; registers cannot.
        for a, transposes in (("b64", " const const"), ("4*b32", " const")):
            halves = f"{a} b64{metadata}{_SCALES}{transposes}"
            forms += [
                f"{head}{16 * times} .f16 .f16 .f16 : {halves} -> {packed}",
                f"{head}{16 * times} .f32 .f16.f16|bf16.bf16 : {halves} -> {wide}",
            ]
        forms += [
            f"{head}{8 * times} .f32 .tf32 .tf32 : {inputs}{_SCALES} -> {wide}",
            f"{head}{32 * times} .f16 {_F8} : {inputs}{_SCALES} -> {packed}",
            f"{head}{32 * times} .f32 {_F8} : {inputs}{_SCALES} -> {wide}",
        ]
        if n in _NARROW:
            for types, since in (("s8.s8|u8.u8", ""), ("s8.u8|u8.s8", " @ 8.4 90a")):
                forms.append(
                    f"{head}{32 * times} .satfinite? .s32 .{types}"
                    f" : {inputs} pred~const -> {integers}{since}"
                )
            if not sparse:
                forms.append(
                    f"{head}256 .s32 .b1 .b1 .and.popc : {inputs} pred~const -> {integers}"
                )
    return forms


_ASYNC = CONVERGENT | READS | SIDE_EFFECTS
row("wgmma.mma_async", _ASYNC, *_warpgroup(sparse=False), since="8.0 90a", tied=True)
row("wgmma.mma_async.sp", _ASYNC, *_warpgroup(sparse=True), since="8.2 90a", tied=True)
for _name in ("fence", "commit_group"):
    row(f"wgmma.{_name}", _ASYNC | WRITES, ".sync .aligned :", since="8.0 90a")
row("wgmma.wait_group", _ASYNC | WRITES, ".sync .aligned : const", since="8.0 90a")
