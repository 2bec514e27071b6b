"""Arithmetic, comparison, logic and bit manipulation.

PTX ISA 9.5, sections 9.7.1 to 9.7.8.
"""

from nvvm_xdsl.dialects.nvptx.flags import CARRY, COMMUTATIVE, PURE
from nvvm_xdsl.dialects.nvptx.instruction_rows import group, row, rows

group("int16", "u16 s16")
group("int32", "u32 s32")
group("int64", "u64 s64")
group("int", "u16 u32 u64 s16 s32 s64")
group("simd16", "u16x2 s16x2")
group("bits", "b16 b32 b64")
group("rnd", "rn rz rm rp")
group("half", "f16 f16x2")
group("bhalf", "bf16 bf16x2")
group("halves", "f16 f16x2 bf16 bf16x2")
group("simd8", "u8x4 s8x4")

_SIMD8 = "9.2 107f|120f"
_PACKED_MIXED = "9.4 107f"

_HALF_SINCE = {
    "f16": "4.2 53",
    "f16x2": "4.2 53",
    "bf16": "7.0 80",
    "bf16x2": "7.0 80",
    "u16x2": "8.0 90",
    "s16x2": "8.0 90",
}
_BF16_ARITHMETIC = {**_HALF_SINCE, "bf16": "7.8 90", "bf16x2": "7.8 90"}

# Integer arithmetic: 9.7.1
_ADD = (
    ".T=@int : T T -> T",
    ".sat .s32 : s32 s32 -> s32",
    ".R=@rnd? .ftz? .sat? .f32 : f32 f32 -> f32",
    ".R=@rnd? .f64 : f64 f64 -> f64",
    ".rn? .ftz? .sat? .T=@half : T T -> T",
    ".rn? .T=@bhalf : T T -> T",
    ".R=@rnd? .ftz? .f32x2 : b64 b64 -> b64 @ 8.6 100",
    # Mixed precision: 9.7.5
    ".R=@rnd? .sat? .f32 .T=f16|bf16 : T f32 -> f32 @ 8.6 100",
    f".R=@rnd? .f32x2 .T=f16x2|bf16x2 .f32x2 : T b64 -> b64 @ {_PACKED_MIXED}",
    f".rz .ftz .f16x2 .f32x2 .f32x2 : b64 b64 -> f16x2 @ {_PACKED_MIXED}",
    f".rz .bf16x2 .f32x2 .f32x2 : b64 b64 -> bf16x2 @ {_PACKED_MIXED}",
    f".sat? .T=@simd8 : T T -> T @ {_SIMD8}",
)
row(
    "add",
    PURE | COMMUTATIVE,
    ".T=@simd16 : T T -> T",
    *_ADD,
    f".sat .T=@simd16|u32 : T T -> T @ {_SIMD8}",
    words=_BF16_ARITHMETIC,
)
row("sub", PURE, *_ADD, words=_BF16_ARITHMETIC)
row(
    "mul",
    PURE | COMMUTATIVE,
    ".hi|lo .T=@int : T T -> T",
    ".wide .T=@int16|@int32 : T T -> wide(T)",
    ".R=@rnd? .ftz? .sat? .f32 : f32 f32 -> f32",
    ".R=@rnd? .f64 : f64 f64 -> f64",
    ".rn? .ftz? .sat? .T=@half : T T -> T",
    ".rn? .T=@bhalf : T T -> T",
    ".R=@rnd? .ftz? .f32x2 : b64 b64 -> b64 @ 8.6 100",
    f".rz .ftz .f16x2 .f32x2 .f32x2 : b64 b64 -> f16x2 @ {_PACKED_MIXED}",
    f".rz .bf16x2 .f32x2 .f32x2 : b64 b64 -> bf16x2 @ {_PACKED_MIXED}",
    f".f16x2 .f16x2 .bf16x2 : f16x2 bf16x2 -> f16x2 @ {_PACKED_MIXED}",
    f".bf16x2 .bf16x2 .f16x2 : bf16x2 f16x2 -> bf16x2 @ {_PACKED_MIXED}",
    words=_BF16_ARITHMETIC,
)
row(
    "mad",
    PURE | COMMUTATIVE,
    ".hi|lo .T=@int : T T T -> T",
    ".wide .T=@int16|@int32 : T T wide(T) -> wide(T)",
    ".hi .sat .s32 : s32 s32 s32 -> s32",
    ".R=@rnd .ftz? .sat? .f32 : f32 f32 f32 -> f32",
    ".R=@rnd .f64 : f64 f64 f64 -> f64",
)
row(
    "fma",
    PURE | COMMUTATIVE,
    ".R=@rnd .ftz? .sat? .f32 : f32 f32 f32 -> f32",
    ".R=@rnd .f64 : f64 f64 f64 -> f64",
    ".rn .ftz? .sat|relu? .T=@half : T T T -> T",
    ".rn .relu? .T=@bhalf : T T T -> T",
    ".rn .oob .relu? .T=@halves : T T T -> T @ 8.1 90",
    ".R=@rnd .ftz? .f32x2 : b64 b64 b64 -> b64 @ 8.6 100",
    ".R=@rnd .sat? .f32 .T=f16|bf16 : T T f32 -> f32 @ 8.6 100",
    f".R=@rnd .f32x2 .T=f16x2|bf16x2 .f32x2 .f32x2 : T b64 b64 -> b64 @ {_PACKED_MIXED}",
    words={**_HALF_SINCE, "relu": "7.0 80"},
)
row("mul24", PURE | COMMUTATIVE, ".hi|lo .T=@int32 : T T -> T")
row(
    "mad24",
    PURE | COMMUTATIVE,
    ".hi|lo .T=@int32 : T T T -> T",
    ".hi .sat .s32 : s32 s32 s32 -> s32",
)
row("sad", PURE | COMMUTATIVE, ".T=@int : T T T -> T")
row(
    "div",
    PURE,
    ".T=@int : T T -> T",
    ".approx|full|rn|rz|rm|rp .ftz? .f32 : f32 f32 -> f32",
    ".R=@rnd .f64 : f64 f64 -> f64",
)
row("rem", PURE, ".T=@int : T T -> T")
row(
    "abs",
    PURE,
    ".T=s16|s32|s64 : T -> T",
    ".ftz? .f32 : f32 -> f32",
    ".f64 : f64 -> f64",
    ".ftz? .T=@half : T -> T @ 6.5 53",
    ".T=@bhalf : T -> T @ 7.0 80",
)
row(
    "neg",
    PURE,
    ".T=s16|s32|s64 : T -> T",
    ".ftz? .f32 : f32 -> f32",
    ".f64 : f64 -> f64",
    ".ftz? .T=@half : T -> T @ 6.0 53",
    ".T=@bhalf : T -> T @ 7.0 80",
    f".s8x4 : s8x4 -> s8x4 @ {_SIMD8}",
)
rows(["clmad.lo", "clmad.hi"], PURE, ".u64 : b64 b64 b64 -> b64", since="9.3 80")
rows(
    ["min", "max"],
    PURE | COMMUTATIVE,
    ".T=@int|@simd16 : T T -> T",
    ".relu .T=s16x2|s32 : T T -> T @ 8.0 90",
    f".u8x4 : u8x4 u8x4 -> u8x4 @ {_SIMD8}",
    f".relu? .s8x4 : s8x4 s8x4 -> s8x4 @ {_SIMD8}",
    ".ftz? .NaN? .xorsign.abs? .f32 : f32 f32 -> f32",
    ".ftz? .NaN? .abs? .f32 : f32 f32 f32 -> f32 @ 8.8 100",
    ".f64 : f64 f64 -> f64",
    ".ftz? .NaN? .xorsign.abs? .T=@half : T T -> T @ 7.0 80",
    ".NaN? .xorsign.abs? .T=@bhalf : T T -> T @ 7.0 80",
    words={**_HALF_SINCE, "NaN": "7.0 80", "xorsign": "7.2 86"},
)
row("popc", PURE, ".T=b32|b64 : T -> u32")
row("clz", PURE, ".T=b32|b64 : T -> u32")
row("bfind", PURE, ".shiftamt? .T=@int32|@int64 : T -> u32")
row("fns", PURE, ".b32 : b32 b32 s32 -> b32", since="6.0 30")
row("brev", PURE, ".T=b32|b64 : T -> T")
row("bfe", PURE, ".T=@int32|@int64 : T u32 u32 -> T")
row("bfi", PURE, ".T=b32|b64 : T T u32 u32 -> T")
row("szext", PURE, ".clamp|wrap .T=@int32 : T u32 -> T", since="7.6 70")
row("bmsk", PURE, ".clamp|wrap .b32 : u32 u32 -> b32", since="7.6 70")
row("dp4a", PURE, ".A=@int32 .B=@int32 : b32 b32 b32 -> b32", since="5.0 61")
row("dp2a", PURE, ".lo|hi .A=@int32 .B=@int32 : b32 b32 b32 -> b32", since="5.0 61")

# Extended precision: 9.7.2
rows(
    ["add.cc", "sub.cc"],
    CARRY,
    ".T=@int32|@int64 : T T -> T",
    words={"u64": "4.3", "s64": "4.3"},
)
rows(["addc", "subc"], CARRY, ".cc? .T=@int32|@int64 : T T -> T")
row("mad.hi.cc", CARRY, ".T=@int32|@int64 : T T T -> T")
row("mad.lo.cc", CARRY, ".T=@int32|@int64 : T T T -> T")
row("madc", CARRY, ".hi|lo .cc? .T=@int32|@int64 : T T T -> T")

# Floating point: 9.7.3, 9.7.4
row(
    "testp",
    PURE,
    ".finite|infinite|number|notanumber|normal|subnormal .T=f32|f64 : T -> pred",
)
row("copysign", PURE, ".T=f32|f64 : T T -> T")
row(
    "rcp",
    PURE,
    ".approx|rn|rz|rm|rp .ftz? .f32 : f32 -> f32",
    ".R=@rnd .f64 : f64 -> f64",
    ".approx .ftz .f64 : f64 -> f64",
)
row(
    "sqrt",
    PURE,
    ".approx|rn|rz|rm|rp .ftz? .f32 : f32 -> f32",
    ".R=@rnd .f64 : f64 -> f64",
)
row("rsqrt", PURE, ".approx .ftz? .f32 : f32 -> f32", ".approx .ftz? .f64 : f64 -> f64")
rows(
    ["sin", "cos"],
    PURE,
    ".approx .ftz? .f32 : f32 -> f32",
    ".approx .2pi .ftz .f32 : f32 -> f32 @ 9.5",
)
row("lg2", PURE, ".approx .ftz? .f32 : f32 -> f32")
row(
    "ex2",
    PURE,
    ".approx .ftz? .f32 : f32 -> f32",
    ".approx .T=@half : T -> T @ 7.0 75",
    ".approx .ftz .T=@bhalf : T -> T @ 7.8 90",
)
row(
    "tanh",
    PURE,
    ".approx .f32 : f32 -> f32",
    ".approx .T=@half : T -> T @ 7.0 75",
    ".approx .T=@bhalf : T -> T @ 7.8 90",
    since="7.0 75",
)

# Comparison and selection: 9.7.6, 9.7.7
group("icmp", "eq ne lt le gt ge lo ls hi hs")
group("fcmp", "eq ne lt le gt ge equ neu ltu leu gtu geu num nan")
group("bool", "and or xor")
group("set32", "u32 s32 f32")
_SETP: list[str] = []
_SET: list[str] = []
for _bool, _extra in (("", ""), (" .B=@bool", " pred")):
    _SETP.extend(
        (
            f".C=eq|ne{_bool} .T=@bits : T T{_extra} -> pred |pred?",
            f".C=@icmp{_bool} .T=@int : T T{_extra} -> pred |pred?",
            f".C=@fcmp{_bool} .ftz? .f32 : f32 f32{_extra} -> pred |pred?",
            f".C=@fcmp{_bool} .f64 : f64 f64{_extra} -> pred |pred?",
            f".C=@fcmp{_bool} .ftz? .f16 : f16 f16{_extra} -> pred",
            f".C=@fcmp{_bool} .bf16 : bf16 bf16{_extra} -> pred @ 7.8 90",
            f".C=@fcmp{_bool} .ftz? .f16x2 : f16x2 f16x2{_extra} -> pred |pred",
            f".C=@fcmp{_bool} .bf16x2 : bf16x2 bf16x2{_extra} -> pred |pred @ 7.8 90",
        )
    )
    _SET.extend(
        (
            f".C=eq|ne{_bool} .D=@set32 .T=@bits : T T{_extra} -> D",
            f".C=@icmp{_bool} .D=@set32 .T=@int : T T{_extra} -> D",
            f".C=@fcmp{_bool} .ftz? .D=@set32 .f32 : f32 f32{_extra} -> D",
            f".C=@fcmp{_bool} .D=@set32 .f64 : f64 f64{_extra} -> D",
            f".C=@fcmp{_bool} .ftz? .f16 .f16 : f16 f16{_extra} -> f16",
            f".C=@fcmp{_bool} .ftz? .D=u16|s16|u32|s32 .f16 : f16 f16{_extra} -> D @ 6.5 53",
            f".C=@fcmp{_bool} .D=bf16|u16|s16|u32|s32 .bf16 : bf16 bf16{_extra} -> D @ 7.8 90",
            f".C=eq|ne{_bool} .D=f16|bf16 .T=@bits : T T{_extra} -> D",
            f".C=@icmp{_bool} .D=f16|bf16 .T=@int : T T{_extra} -> D",
            f".C=@fcmp{_bool} .D=f16|bf16 .T=f32|f64 : T T{_extra} -> D",
            f".C=@fcmp{_bool} .ftz? .f16x2 .f16x2 : f16x2 f16x2{_extra} -> f16x2",
            f".C=@fcmp{_bool} .bf16x2 .bf16x2 : bf16x2 bf16x2{_extra} -> bf16x2 @ 7.8 90",
            f".C=@fcmp{_bool} .ftz? .D=u32|s32 .f16x2 : f16x2 f16x2{_extra} -> D @ 6.5 53",
            f".C=@fcmp{_bool} .D=u32|s32 .bf16x2 : bf16x2 bf16x2{_extra} -> D @ 7.8 90",
        )
    )
row("setp", PURE, *_SETP, words={"f16": "4.2 53", "f16x2": "4.2 53"})
row("set", PURE, *_SET, words={"f16": "4.2 53", "f16x2": "4.2 53", "bf16": "7.8 90"})
row("selp", PURE, ".T=@bits|@int|f32|f64 : T T pred -> T")
row(
    "slct",
    PURE,
    ".T=@bits|@int|f32|f64 .s32 : T T s32 -> T",
    ".ftz? .T=@bits|@int|f32|f64 .f32 : T T f32 -> T",
)

# Logic and shifts: 9.7.8
rows(["and", "or", "xor"], PURE | COMMUTATIVE, ".T=pred|@bits : T T -> T")
row("not", PURE, ".T=pred|@bits : T -> T")
row("cnot", PURE, ".T=@bits : T -> T")
row(
    "lop3",
    PURE,
    ".b32 : b32 b32 b32 const -> b32",
    ".or|and .b32 : b32 b32 b32 const pred -> b32 |pred @ 8.2 70",
    since="4.3 50",
)
row("shf", PURE, ".l|r .clamp|wrap .b32 : b32 b32 u32 -> b32", since="3.1 32")
row("shl", PURE, ".T=@bits : T u32 -> T")
row("shr", PURE, ".T=@bits|@int : T u32 -> T")
row("prmt", PURE, ".b32 .f4e|b4e|rc8|ecl|ecr|rc16? : b32 b32 b32 -> b32")
