"""Moves, loads, stores, conversions, addresses and caches.

PTX ISA 9.5, section 9.7.9, the asynchronous copies excepted.
"""

from nvvm_xdsl.dialects.nvptx.flags import CONVERGENT, INVARIANT, PURE, READS, SIDE_EFFECTS, WRITES
from nvvm_xdsl.dialects.nvptx.instruction_rows import MEMORY_WORDS, group, row

group("b8", "b8 u8 s8")
group("b16", "b16 u16 s16")
group("b32", "b32 u32 s32 f32")
group("b64", "b64 u64 s64 f64")
group("data", "@b8 @b16 @b32 @b64 b128")
group("scope", "cta cluster gpu sys")
group("cluster_space", "shared shared::cta shared::cluster")
group("cta_space", "shared shared::cta")
group("space", "const global local param param::entry param::func @cluster_space")
group("store_space", "global local param param::func @cluster_space")
group(
    "l1",
    "L1::evict_normal L1::evict_unchanged L1::evict_first L1::evict_last L1::no_allocate",
)
group("l2", "L2::evict_normal L2::evict_first L2::evict_last")
group("prefetch", "L2::64B L2::128B L2::256B")
group("shareable", "global @cluster_space")

MEMORY_SINCE = {
    "shared::cta": "7.8 30",
    "shared::cluster": "7.8 90",
    "cluster": "7.8 90",
    "relaxed": "6.0 70",
    "acquire": "6.0 70",
    "release": "6.0 70",
    "acq_rel": "6.0 70",
    "mmio": "8.2 70",
    "weak": "6.0",
    "L1::evict_normal": "7.4 70",
    "L1::evict_unchanged": "7.4 70",
    "L1::evict_first": "7.4 70",
    "L1::evict_last": "7.4 70",
    "L1::no_allocate": "7.4 70",
    "L2::cache_hint": "7.4 80",
    "L2::64B": "7.4 75",
    "L2::128B": "7.4 75",
    "L2::256B": "7.4 80",
    "b128": "8.3 70",
    "b128 sys": "8.4 70",
    "param::entry": "8.3",
    "param::func": "8.3",
}

_COMMON = ".H=L2::cache_hint? .P=@prefetch?"
_COPS = f"{_COMMON} .V=v2|v4? .T=@data"


def _loads(order: str, space: str) -> list[str]:
    """Loads with eviction priorities; those of 256 bits require a later version."""
    return [
        f"{order} {space} .L1=@l1? .L2=@l2? {_COMMON} .V=v8 .T=@b32 : mem H=>b64 -> V*T @ 8.8 100",
        f"{order} {space} .L1=@l1? .L2=@l2? {_COMMON} .V=v4 .T=@b64 : mem H=>b64 -> V*T @ 8.8 100",
        f"{order} {space} .L1=@l1? {_COPS} : mem H=>b64 -> V*T",
    ]


row(
    "mov",
    PURE,
    ".pred : pred -> pred",
    ".T=b16|b32|b64|b128|u16|u32|u64|s16|s32|s64|f32|f64 : bits(T) -> bits(T)",
    words={"b128": "8.3 70"},
)
row(
    "ld",
    READS,
    *_loads(".weak?", ".S=global?"),
    f".weak? .S=@space? .L1=@l1? {_COPS} : mem H=>b64 -> V*T",
    f".weak? .S=@space? .ca|cg|cs|lu|cv {_COPS} : mem H=>b64 -> V*T",
    ".volatile .S=global? .P=@prefetch? .V=v8 .T=@b32 : mem -> V*T @ 8.8 100",
    ".volatile .S=global? .P=@prefetch? .V=v4 .T=@b64 : mem -> V*T @ 8.8 100",
    ".volatile .S=@shareable? .P=@prefetch? .V=v2|v4? .T=@data : mem -> V*T",
    *_loads(".relaxed|acquire .scope=@scope", ".S=global?"),
    f".relaxed|acquire .scope=@scope .S=@shareable? .L1=@l1? {_COPS} : mem H=>b64 -> V*T",
    ".mmio .relaxed .sys .global? .T=@data : mem -> T @ 8.4",
    ".mmio .acquire .sys .global? .T=@data : mem -> T @ 9.3",
    ".proxy::readonly .global? .V=v8 .T=@b32 : mem -> V*T @ 9.4 100",
    ".proxy::readonly .global? .V=v4 .T=@b64 : mem -> V*T @ 9.4 100",
    ".proxy::readonly .global? .V=v2|v4? .T=@b8|@b16|@b32|@b64 : mem -> V*T @ 9.4 90",
    words=MEMORY_SINCE,
    word_flags={
        **MEMORY_WORDS,
        "const": INVARIANT,
        "param": INVARIANT,
        "param::entry": INVARIANT,
    },
)
row(
    "ld.global.nc",
    READS | INVARIANT,
    *_loads("", ""),
    since="3.1 32",
    words=MEMORY_SINCE,
    word_flags={},
)
for _cop in ("ca", "cg", "cs"):
    row(
        f"ld.global.{_cop}.nc",
        READS | INVARIANT,
        f"{_COPS} : mem H=>b64 -> V*T",
        since="3.1 32",
        words=MEMORY_SINCE,
        word_flags={},
    )
row(
    "ldu",
    READS | INVARIANT,
    ".global? .V=v2|v4? .T=@b8|@b16|@b32|@b64 : mem -> V*T",
    since="2.0 20",
)


def _stores(order: str, space: str) -> list[str]:
    """Stores with eviction priorities, like `_loads`."""
    hint = ".H=L2::cache_hint?"
    return [
        f"{order} {space} .L1=@l1? .L2=@l2? {hint} .V=v8 .T=@b32 : mem V*T H=>b64 @ 8.8 100",
        f"{order} {space} .L1=@l1? .L2=@l2? {hint} .V=v4 .T=@b64 : mem V*T H=>b64 @ 8.8 100",
        f"{order} {space} .L1=@l1? {hint} .V=v2|v4? .T=@data : mem V*T H=>b64",
    ]


row(
    "st",
    WRITES,
    *_stores(".weak?", ".S=global?"),
    ".weak? .S=@store_space? .L1=@l1? .H=L2::cache_hint? .V=v2|v4? .T=@data : mem V*T H=>b64",
    ".weak? .S=@store_space? .wb|cg|cs|wt .H=L2::cache_hint? .V=v2|v4? .T=@data : mem V*T H=>b64",
    ".volatile .S=global? .V=v8 .T=@b32 : mem V*T @ 8.8 100",
    ".volatile .S=global? .V=v4 .T=@b64 : mem V*T @ 8.8 100",
    ".volatile .S=@shareable? .V=v2|v4? .T=@data : mem V*T",
    *_stores(".relaxed|release .scope=@scope", ".S=global?"),
    ".relaxed|release .scope=@scope .S=@shareable? .L1=@l1? .H=L2::cache_hint? .V=v2|v4? .T=@data"
    " : mem V*T H=>b64",
    ".mmio .relaxed .sys .global? .T=@data : mem T @ 8.4",
    ".mmio .release .sys .global? .T=@data : mem T @ 9.3",
    words=MEMORY_SINCE,
)
row(
    "st.bulk",
    WRITES,
    ".weak? .shared::cta? : mem b64 const",
    since="8.6 100",
)
row(
    "prefetch",
    SIDE_EFFECTS,
    ".global|local? .L1|L2 : mem",
    ".global .L2::evict_last|L2::evict_normal : mem @ 7.4 80",
    ".const|param? .tensormap : mem @ 8.0 90",
    ".global? .L1::32B .valid_addr : mem @ 9.4 90",
)
row("prefetchu", SIDE_EFFECTS, ".L1 : mem")
row("applypriority", SIDE_EFFECTS, ".global? .L2::evict_normal : mem const=128", since="7.4 80")
row("discard", WRITES | SIDE_EFFECTS, ".global? .L2 : mem const=128", since="7.4 80")
group(
    "priority",
    "L2::evict_last L2::evict_normal L2::evict_first L2::evict_unchanged",
)
row(
    "createpolicy",
    PURE,
    ".range .global? .P=@priority .Q=L2::evict_first|L2::evict_unchanged? .b64"
    " : mem b32 b32 -> b64",
    ".fractional .P=@priority .Q=L2::evict_first|L2::evict_unchanged? .b64 : f32? -> b64",
    ".cvt .L2 .b64 : b64 -> b64",
    since="7.4 80",
)
row(
    "isspacep",
    PURE,
    ".const|global|local|@cluster_space|param|param::entry : b64 -> pred",
    words={**MEMORY_SINCE, "param": "7.7 70", "const": "3.1"},
)
row(
    "cvta",
    PURE,
    ".to? .const|global|local|@cluster_space|param|param::entry .u64 : b64 -> b64",
    words={**MEMORY_SINCE, "param": "7.7 70", "const": "3.1"},
)
row(
    "mapa",
    PURE,
    ".u64 : b64 u32 -> b64",
    ".shared::cluster .T=u32|u64 : T u32 -> T",
    since="7.8 90",
)
row(
    "getctarank",
    PURE,
    ".u64 : b64 -> u32",
    ".shared::cluster .T=u32|u64 : T -> u32",
    since="7.8 90",
)

# Conversions: 9.7.9.21, 9.7.9.22
group("irnd", "rni rzi rmi rpi")
group("cvt_int", "u8 u16 u32 u64 s8 s16 s32 s64")
group("cvt_float", "f16 f32 f64 bf16")
group("fp8x2", "e4m3x2 e5m2x2")
group("fp6x2", "e2m3x2 e3m2x2")
_FP8 = "8.1 89"
_FP6 = "8.6 100a|100f|101a|101f|110a|110f|120a|120f"
_STOCHASTIC = "8.7 100a|103a|107a"
_FROM_PAIRS = "9.1 100f|110f|120f"
_TO_BF16 = "9.2 100f|110f|120f"
_RUBIN = "9.4 107f"


def _fixed_point(rounding: str, since: str) -> list[str]:
    """Conversions to fixed point of two integral and six fractional bits, scaled or not."""
    words = f".{rounding} .satfinite .relu?"
    return [
        f"{words} .s2f6x2 .f32 : f32 f32 -> s2f6x2 @ {since}",
        f"{words} .s2f6x2 .bf16x2 : bf16x2 -> s2f6x2 @ {since}",
        f"{words} .scaled::n2::ue8m0 .s2f6x2 .f32 : f32 f32 b16 -> s2f6x2 @ {since}",
        f"{words} .scaled::n2::ue8m0 .s2f6x2 .bf16x2 : bf16x2 b16 -> s2f6x2 @ {since}",
    ]


row(
    "cvt",
    PURE,
    ".D=@cvt_int .A=@cvt_int : A -> D",
    # Saturation if the destination cannot represent every value of the source.
    ".sat .D=u8|s8 .A=u16|s16|u32|s32|u64|s64 : A -> D",
    ".sat .D=u16|s16 .A=u32|s32|u64|s64 : A -> D",
    ".sat .D=u32|s32 .A=u64|s64 : A -> D",
    ".sat .D=u8|u16|u32|u64 .A=s8|s16|s32|s64 : A -> D",
    ".sat .s8 .u8 : u8 -> s8",
    ".sat .s16 .u16 : u16 -> s16",
    ".sat .s32 .u32 : u32 -> s32",
    ".sat .s64 .u64 : u64 -> s64",
    ".R=@irnd .ftz? .sat? .D=@cvt_int .f32 : f32 -> D",
    ".R=@irnd .sat? .D=@cvt_int .A=f16|f64 : A -> D",
    ".R=@irnd .D=@cvt_int .bf16 : bf16 -> D @ 7.8 90",
    ".R=@rnd .ftz? .sat? .f32 .A=@cvt_int : A -> f32",
    ".R=@rnd .sat? .D=f16|f64 .A=@cvt_int : A -> D",
    ".R=@rnd .bf16 .A=@cvt_int : A -> bf16 @ 7.8 90",
    # Between floats: to integral values, to wider ones, to narrower ones.
    ".R=@irnd? .ftz? .sat? .f32 .f32 : f32 -> f32",
    ".R=@irnd? .sat? .f64 .f64 : f64 -> f64",
    ".R=@irnd? .sat? .f16 .f16 : f16 -> f16",
    ".R=@irnd? .bf16 .bf16 : bf16 -> bf16 @ 7.8 90",
    ".ftz? .sat? .f32 .f16 : f16 -> f32",
    ".ftz? .sat? .f64 .f32 : f32 -> f64",
    ".sat? .f64 .f16 : f16 -> f64",
    ".f32 .bf16 : bf16 -> f32 @ 7.8 80",
    ".ftz .f32 .bf16 : bf16 -> f32 @ 7.8 90",
    ".f64 .bf16 : bf16 -> f64 @ 7.8 90",
    ".R=@rnd .ftz? .sat? .f16 .f32 : f32 -> f16",
    ".R=@rnd .ftz? .sat? .f32 .f64 : f64 -> f32",
    ".R=@rnd .sat? .f16 .f64 : f64 -> f16",
    ".R=@rnd .bf16 .f64 : f64 -> bf16 @ 7.8 90",
    ".R=@rnd .bf16 .f16 : f16 -> bf16 @ 7.8 90",
    ".R=@rnd .f16 .bf16 : bf16 -> f16 @ 7.8 90",
    ".R=rn|rz .relu? .satfinite? .bf16 .f32 : f32 -> bf16 @ 7.0 80",
    ".R=rm|rp .bf16 .f32 : f32 -> bf16 @ 7.8 80",
    ".R=rn|rz .satfinite .f16 .f32 : f32 -> f16 @ 8.1",
    ".R=rn|rz .relu? .satfinite? .f16 .f32 : f32 -> f16 @ 7.0 80",
    ".R=rn|rz .relu? .satfinite? .D=f16x2|bf16x2 .f32 : f32 f32 -> D @ 7.0 80",
    f".rs .relu? .satfinite? .D=f16x2|bf16x2 .f32 : f32 f32 b32 -> D @ {_STOCHASTIC}",
    ".rna .satfinite? .tf32 .f32 : f32 -> tf32 @ 7.0 80",
    ".R=rn|rz .relu? .tf32 .f32 : f32 -> tf32 @ 7.8 90",
    ".R=rn|rz .satfinite .relu? .tf32 .f32 : f32 -> tf32 @ 8.6 100",
    f".rn .satfinite .relu? .D=@fp8x2 .f32 : f32 f32 -> D @ {_FP8}",
    f".rn .satfinite .relu? .D=@fp8x2 .f16x2 : f16x2 -> D @ {_FP8}",
    f".rn .relu? .f16x2 .A=@fp8x2 : A -> f16x2 @ {_FP8}",
    f".rn .satfinite .relu? .D=@fp6x2 .f32 : f32 f32 -> D @ {_FP6}",
    f".rn .relu? .f16x2 .A=@fp6x2 : A -> f16x2 @ {_FP6}",
    f".rn .satfinite .relu? .e2m1x2 .f32 : f32 f32 -> e2m1x2 @ {_FP6}",
    f".rn .relu? .f16x2 .e2m1x2 : e2m1x2 -> f16x2 @ {_FP6}",
    f".R=rz|rp .satfinite? .ue8m0x2 .f32 : f32 f32 -> ue8m0x2 @ {_FP6}",
    f".R=rz|rp .satfinite? .ue8m0x2 .bf16x2 : bf16x2 -> ue8m0x2 @ {_FP6}",
    f".rn .bf16x2 .ue8m0x2 : ue8m0x2 -> bf16x2 @ {_FP6}",
    f".rs .relu? .satfinite .D=e4m3x4|e5m2x4|e2m3x4|e3m2x4|e2m1x4 .f32"
    f" : 4*f32 b32 -> D @ {_STOCHASTIC}",
    f".rn .satfinite .relu? .D=@fp8x2|@fp6x2 .bf16x2 : bf16x2 -> D @ {_FROM_PAIRS}",
    f".rn .satfinite .relu? .D=@fp6x2 .f16x2 : f16x2 -> D @ {_FROM_PAIRS}",
    f".rn .satfinite .relu? .e2m1x2 .A=f16x2|bf16x2 : A -> e2m1x2 @ {_FROM_PAIRS}",
    f".rn .satfinite? .relu? .bf16x2 .A=@fp8x2|@fp6x2 : A -> bf16x2 @ {_TO_BF16}",
    f".rn .satfinite? .relu? .bf16x2 .e2m1x2 : e2m1x2 -> bf16x2 @ {_TO_BF16}",
    f".rn .satfinite? .relu? .scaled::n2::ue8m0 .bf16x2 .A=@fp8x2|@fp6x2 : A b16 -> bf16x2 @ {_TO_BF16}",
    f".rn .satfinite? .relu? .scaled::n2::ue8m0 .bf16x2 .e2m1x2 : e2m1x2 b16 -> bf16x2 @ {_TO_BF16}",
    *_fixed_point("rn", "9.1 100a|103a|107a|110a|120a|121a"),
    ".rn .satfinite? .relu? .bf16x2 .s2f6x2 : s2f6x2 -> bf16x2 @ 9.1 100a|103a|107a|110a|120a|121a",
    ".rn .satfinite? .relu? .scaled::n2::ue8m0 .bf16x2 .s2f6x2 : s2f6x2 b16 -> bf16x2"
    " @ 9.1 100a|103a|107a|110a|120a|121a",
    *_fixed_point("rz", "9.4 107a"),
    f".R=rn|rz|rp .satfinite? .ue5m3x2 .f32 : f32 f32 -> ue5m3x2 @ {_RUBIN}",
    f".R=rn|rz|rp .satfinite? .ue5m3x2 .A=f16x2|bf16x2 : A -> ue5m3x2 @ {_RUBIN}",
    f".rn .D=f16x2|bf16x2 .ue5m3x2 : ue5m3x2 -> D @ {_RUBIN}",
    f".rn .satfinite? .scaled::n2::ue8m0 .bf16x2 .ue5m3x2 : ue5m3x2 b16 -> bf16x2 @ {_RUBIN}",
    *(
        form
        for words in (".rz .satfinite .relu? .pzo?", ".rn .satfinite .relu? .pzo")
        for form in (
            f"{words} .D=@fp8x2|@fp6x2|e2m1x2 .f32 : f32 f32 -> D @ {_RUBIN}",
            f"{words} .D=@fp8x2|@fp6x2|e2m1x2 .A=f16x2|bf16x2 : A -> D @ {_RUBIN}",
        )
    ),
    *(
        f"{words} .scaled::n1::ue8m0 {types} @ {_RUBIN}"
        for words, target in (
            (".R=rn|rz .satfinite .relu? .pzo?", ".D=@fp8x2|@fp6x2|e2m1x2"),
            (".R=rn|rz .satfinite?", ".D=ue5m3x2"),
        )
        for types in (
            f"{target} .f32 : f32 f32 ue8m0 -> D",
            f"{target} .A=f16x2|bf16x2 : A ue8m0 -> D",
        )
    ),
    f".rn .satfinite .bf16x2 .ue5m3x2 : ue5m3x2 -> bf16x2 @ {_RUBIN}",
    f".R=rn|rz .relu? .satfinite? .pzo .D=f16x2|bf16x2 .f32 : f32 f32 -> D @ {_RUBIN}",
    f".R=rn|rz .relu? .satfinite? .pzo .D=f16|bf16|tf32 .f32 : f32 -> D @ {_RUBIN}",
    f".R=rm|rp .pzo .D=f16|bf16 .f32 : f32 -> D @ {_RUBIN}",
    words={"satfinite": "8.1"},
)
row(
    "cvt.pack",
    PURE,
    ".sat .D=u16|s16 .s32 : s32 s32 -> b32",
    ".sat .D=u8|s8|u4|s4|u2|s2 .s32 .b32 : s32 s32 b32 -> b32",
    since="6.5 72",
)
row(
    "shfl.sync",
    CONVERGENT,
    ".up|down|bfly|idx .b32 : b32 b32 b32 b32 -> b32 |pred?",
    since="6.0 30",
)
row("stacksave", SIDE_EFFECTS, ".T=u32|u64 : -> T", since="7.3 52")
row("stackrestore", SIDE_EFFECTS, ".T=u32|u64 : T", since="7.3 52")
row("alloca", SIDE_EFFECTS, ".T=u32|u64 : T const? -> T", since="7.3 52")
