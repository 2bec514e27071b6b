"""Conditions of `packed-bytes`: each case has the ops of a function, and those afterwards;
an empty text stands for the same ops."""

from __future__ import annotations

import pytest
from helpers.modules import function
from xdsl.dialects.llvm import CallIntrinsicOp
from xdsl.ir import Operation

from nvvm_xdsl.dialects.llvm.flags import NSW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.bswap.i32(i32)
define void @f(ptr %p, ptr %q, i32 %x, i32 %y, i32 %z, i64 %l, i64 %k, i16 %s, i8 %b, i24 %t, <4 x i8> %v, i1 %c) {{
{body}
ret void
}}
"""
HIDDEN = {"llvm.return", "llvm.func"}


def shown(op: Operation) -> str:
    """Returns the name of an op, and the constants of new ops in hexadecimal."""
    name = op.name.removeprefix("llvm.").removeprefix("nvvm.").removesuffix("element")
    if isinstance(op, CallIntrinsicOp):
        name = op.intrin.data.removeprefix("llvm.nvvm.")
    elif name == "store":
        return "volatile" if "volatile_" in op.properties else name
    elif name == "load":
        return str(op.results[0].type)
    elif name != "prmt":
        return (
            f"{name}_nsw" if "overflowFlags" in op.properties and overflow_flags(op) & NSW else name
        )
    numbers = [n for v in op.operands if (n := constant_unsigned(v)) is not None]
    return ":".join([name, *(f"{n:x}" for n in numbers)])


def after(body: str, pipeline: str = "packed-bytes") -> str:
    """Returns the ops afterwards except constants."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, pipeline)
    module.verify()
    ops = [op for op in function(module).walk() if "mlir" not in op.name]
    return " ".join(shown(op) for op in ops if op.name not in HIDDEN)


def lines(*texts: str, end: str = "store i32 %r, ptr %p\n") -> str:
    """Returns ops and a store of `%r`."""
    return "".join(f"{text}\n" for text in texts) + end


def byte(name: str, word: str, place: int, is_signed: bool = False, type_: str = "i32") -> str:
    """Returns ops for a byte of a word."""
    return (
        f"%{name}s = lshr i32 %{word}, {8 * place}\n%{name}t = trunc i32 %{name}s to i8\n"
        f"%{name} = {'sext' if is_signed else 'zext'} i8 %{name}t to {type_}\n"
    )


def half(name: str, word: str, place: int) -> str:
    """Returns ops for a signed half of a word."""
    return (
        f"%{name}s = lshr i32 %{word}, {16 * place}\n%{name}t = trunc i32 %{name}s to i16\n"
        f"%{name} = sext i16 %{name}t to i32\n"
    )


def products(*places: int, type_: str = "i32", of: str = "byte") -> str:
    """Returns products `%m0`, `%m1` ... of bytes of `%x` (or halves) and the bytes of `%y` at some places."""
    text = ""
    for n, place in enumerate(places):
        text += half(f"a{n}", "x", n) if of == "half" else byte(f"a{n}", "x", n, type_=type_)
        text += byte(f"b{n}", "y", place, type_=type_) + f"%m{n} = mul {type_} %a{n}, %b{n}\n"
    return text


def inserted(count: int, *values: str, type_: str = "i8") -> str:
    """Returns a vector of values."""
    text, last = "", "poison"
    for n, value in enumerate(values):
        text += f"%w{n} = insertelement <{count} x {type_}> {last}, {type_} {value}, i32 {n}\n"
        last = f"%w{n}"
    return text


def extended(
    by: str, a: str, b: str = "", flags: str = "", end: str = "", type_: str = "i16"
) -> str:
    """Returns a sum of extended products, of bytes of `%x` and `%y` extended by `a` and `b`."""
    text = ""
    for n in range(2):
        text += byte(f"a{n}", "x", n, a == "sext", type_) + byte(
            f"b{n}", "y", n, (b or a) == "sext", type_
        )
        text += f"%m{n} = mul{flags} {type_} %a{n}, %b{n}\n%e{n} = {by} {type_} %m{n} to i32\n"
    return text + lines("%r = add i32 %e0, %e1") + end


def product(name: str, a: str, place: int, b: str, other: int) -> str:
    """Returns a product of bytes of two words."""
    return (
        byte(f"{name}a", a, place)
        + byte(f"{name}b", b, other)
        + f"%{name} = mul i32 %{name}a, %{name}b\n"
    )


def short(a: str, b: str) -> str:
    """Returns a sum of products of the bytes of a word and of the 16-bit value `%s`."""
    text = ""
    for n in range(2):
        text += product(f"m{n}", a, n, b, n).replace("lshr i32 %s", "lshr i16 %s")
    lane = "a" if a == "s" else "b"
    for n in range(2):
        text = text.replace(f"trunc i32 %m{n}{lane}s", f"trunc i16 %m{n}{lane}s")
    return text + SUM


SUM = "%r = add i32 %m0, %m1\nstore i32 %r, ptr %p\n"
FOUR = "".join(product(f"p{n}", "x", n, "y", n) for n in range(1, 4)) + (
    "%o0 = add i32 %m, %n\n%o1 = add i32 %o0, %p1\n%o2 = add i32 %o1, %p2\n%r = add i32 %o2, %p3\nstore i32 %r, ptr %p\n"
)
USES = "store i32 %a0, ptr %q\nstore i32 %a1, ptr %q\n"
PLAIN = byte("a0", "x", 0) + byte("a1", "x", 1)
SCALARS_BY = PLAIN + lines("%m = mul i32 %a0, 3", "%n = mul i32 %a1, 5", "%r = add i32 %m, %n")
SCALED = "lshr trunc zext lshr trunc zext mul mul add store"
THREE = ("lshr trunc zext " * 2 + "mul ") * 3
SWAPPED = ("%a = shl i32 %x, 16", "%d = lshr i32 %x, 16", "%r = or i32 %a, %d")
PARTS = "".join(
    f"%e{n} = lshr i32 %x, {24 - 8 * n}\n%e{n}t = trunc i32 %e{n} to i8\n" for n in range(4)
)
BYTES = [f"%e{n}t" for n in range(4)]
SCALARS = "lshr trunc " * 4
STORE = "store <4 x i8> %w3, ptr %q, align 4\n"
OPS = "lshr trunc zext "
REVERSED = f"{PARTS}{inserted(4, *BYTES)}"
KEPT = "store i32 %d, ptr %q\n"
MASKED = "%d = and i32 %z, 65280"
PERMUTED = ("%a = and i32 %x, 255", "%g = and i32 %y, 65280", "%h = or i32 %a, %g")

CASES = {
    "not of i16": (
        lines(
            "%a = shl i16 %s, 8",
            "%d = lshr i16 %s, 8",
            "%r = or i16 %a, %d",
            end="store i16 %r, ptr %p\n",
        ),
        "shl lshr or store",
    ),
    "not an or of products": (
        products(0, 1) + lines("%r = or i32 %m0, %m1"),
        (OPS * 2 + "mul ") * 2 + "or store",
    ),
    "a word with two uses": (lines(*SWAPPED) + "store i32 %r, ptr %q\n", "prmt:0:1032 store store"),
    "a join of two blocks": (
        lines(
            *PERMUTED,
            "br label %next\nnext:",
            "%e = and i32 %z, 16711680",
            "%g2 = and i32 %x, -16777216",
            "%i = or i32 %e, %g2",
            "%r = or i32 %i, %h",
        ),
        "br prmt:3250 prmt:3610 store",
    ),
    "a store of bytes": (REVERSED + STORE, "prmt:0:123 store"),
    "not of a parameter": ("store <4 x i8> %v, ptr %q, align 4", "store"),
    "not a store of 8 bytes": (
        PARTS + inserted(8, *BYTES, *BYTES) + "store <8 x i8> %w7, ptr %q, align 8\n",
        SCALARS + "insert " * 8 + "store",
    ),
    "not a store of a word": (
        "%w = insertelement <1 x i32> poison, i32 %x, i32 0\nstore <1 x i32> %w, ptr %q, align 4",
        "insert store",
    ),
    "not of two stores": (REVERSED + STORE + STORE, SCALARS + "insert " * 4 + "store store"),
    "not of a volatile store": (
        REVERSED + STORE.replace("store", "store volatile"),
        SCALARS + "insert " * 4 + "volatile",
    ),
    "not of an unaligned store": (
        REVERSED + STORE.replace("align 4", "align 2"),
        SCALARS + "insert " * 4 + "store",
    ),
    "not of equal cost": (
        lines("%a = and i32 %x, -65281", MASKED, "%r = or i32 %a, %d")
        + KEPT
        + "store i32 %a, ptr %q\n",
        "and and or store store store",
    ),
    "not bits": (lines("%r = or i64 %l, %k", end="store i64 %r, ptr %p\n"), "or store"),
    "a sum that another block adds to": (
        products(0, 1, 2, 3)
        + lines(
            "%o = add i32 %m0, %m1",
            "%d = add i32 %o, %m2",
            "%e = add i32 %d, %m3",
            "br label %next\nnext:",
            "%r = add i32 %e, %z",
        ),
        "idp4a.u.u:0 br add store",
    ),
    "not products of another block": (
        products(0, 1) + "br label %next\nnext:\n" + lines("%r = add i32 %m0, %m1"),
        (OPS * 2 + "mul ") * 2 + "br add store",
    ),
    "flags of other sums": (lines("%r = add nsw i32 %x, %y"), "add_nsw store"),
    "halves and upper bytes": (
        products(2, 3, of="half") + lines("%r = add i32 %m0, %m1"),
        "idp2a.s.u:1:0 store",
    ),
    "halves and lower bytes": (
        products(0, 1, of="half") + lines("%r = add i32 %m0, %m1"),
        "idp2a.s.u:0:0 store",
    ),
    "halves and upper bytes crosswise": (
        products(3, 2, of="half") + lines("%r = add i32 %m0, %m1"),
        "prmt:0:23 idp2a.s.u:0:0 store",
    ),
    "zeros": (lines("%r = or i32 0, 0"), "store"),
    "a mask of nothing": (
        lines("%o = and i32 %y, 0", *SWAPPED[:2], "%e = or i32 %a, %o", "%r = or i32 %e, %d"),
        "prmt:0:1032 store",
    ),
    "not if a mask is used again": (
        lines("%n = add i32 %x, %y", "%a = and i32 %n, 255", MASKED, "%r = or i32 %a, %d") + KEPT,
        "add and and or store store",
    ),
    "not if a cast is free": (
        lines("%n = trunc i32 %x to i8", "%a = zext i8 %n to i32", MASKED, "%r = or i32 %a, %d")
        + KEPT,
        "trunc zext and or store store",
    ),
    "not if an element is loaded": (
        lines(
            "%w = load <4 x i8>, ptr %q, align 4",
            "%n = extractelement <4 x i8> %w, i32 0",
            "%a = zext i8 %n to i32",
            MASKED,
            "%r = or i32 %a, %d",
        )
        + KEPT,
        "vector<4xi8> extract zext and or store store",
    ),
    "a mask of an element": (
        lines(
            "%w = load <2 x i32>, ptr %q, align 8",
            "%n = extractelement <2 x i32> %w, i32 0",
            "%a = and i32 %n, 255",
            MASKED,
            "%r = or i32 %a, %d",
        )
        + KEPT,
        "vector<2xi32> and extract prmt:0:4400 prmt:3250 store store",
    ),
    "an extension": (
        lines("%n = trunc i32 %x to i8", "%a = zext i8 %n to i32", MASKED, "%r = or i32 %a, %d"),
        "prmt:0:4400 prmt:3250 store",
    ),
    "products of other blocks": (
        products(0, 1)
        + "%o = add i32 %m0, %m1\nbr label %next\nnext:\n"
        + lines("%r = add i32 %o, %z"),
        "prmt:0:4410 idp4a.u.u:0 br add store",
    ),
    "a sum of another block": (
        products(0, 1, 2)
        + "%o = add i32 %m1, %z\nbr label %next\nnext:\n"
        + lines("%e = add i32 %o, %x", "%r = add i32 %e, %y"),
        THREE + "add br add add store",
    ),
    "a sum with two uses": (
        products(0, 1)
        + lines("%o = add i32 %m0, %z", "%r = add i32 %o, %m1")
        + "store i32 %o, ptr %q\n",
        "",
    ),
    "not a product of words": (
        products(0, 1)
        + lines("%m = mul i32 %x, %a0", "%n = mul i32 %a1, %y", "%r = add i32 %m, %n"),
        "",
    ),
    "not a shift by an unknown amount": (
        products(0, 1)
        + lines("%m = shl i32 %a0, %z", "%n = shl i32 %a1, %z", "%r = add i32 %m, %n"),
        "",
    ),
    "not a shift by 8": (
        products(0, 1) + lines("%m = shl i32 %a0, 8", "%n = shl i32 %a1, 8", "%r = add i32 %m, %n"),
        "",
    ),
    "shifts": (
        PLAIN + lines("%m = shl i32 %a0, 7", "%n = shl i32 %a1, 0", "%r = add i32 %m, %n"),
        "idp4a.u.u:180:0 store",
    ),
    "not factors above 255": (
        PLAIN + lines("%m = mul i32 %a0, 256", "%n = mul i32 %a1, 256", "%r = add i32 %m, %n"),
        SCALED,
    ),
    "not factors below -128": (
        PLAIN + lines("%m = mul i32 %a0, -129", "%n = mul i32 %a1, -129", "%r = add i32 %m, %n"),
        SCALED,
    ),
    "factors": (
        PLAIN + lines("%m = mul i32 %a0, -128", "%n = mul i32 %a1, 127", "%r = add i32 %m, %n"),
        "idp4a.u.s:7f80:0 store",
    ),
    "extended products": (extended("zext", "zext"), "prmt:0:4410 idp4a.u.u:0 store"),
    "products with extended signs": (extended("sext", "sext"), "prmt:0:4410 idp4a.s.s:0 store"),
    "not signed products without signs": (extended("sext", "zext"), ""),
    "not unsigned products with signs": (extended("zext", "sext"), ""),
    "not unsigned products with one sign": (extended("zext", "zext", "sext"), ""),
    "not unsigned products with another sign": (extended("zext", "sext", "zext"), ""),
    "products without overflow": (
        extended("sext", "zext", flags=" nsw"),
        "prmt:0:4410 idp4a.u.u:0 store",
    ),
    "not unsigned products without overflow": (extended("zext", "sext", flags=" nsw"), ""),
    "not extended products with two uses": (
        extended("zext", "zext", end="store i16 %m0, ptr %q\nstore i16 %m1, ptr %q\n"),
        "",
    ),
    "not of zeros": (
        PLAIN
        + lines(
            "%o = and i32 %x, 0",
            "%e = and i32 %y, 0",
            "%m = mul i32 %o, %a0",
            "%n = mul i32 %e, %a1",
            "%r = add i32 %m, %n",
        ),
        "",
    ),
    "not of signs": (
        PLAIN
        + lines(
            "%o = ashr i32 %x, 24",
            "%n1 = ashr i32 %o, 8",
            "%m = mul i32 %n1, %a0",
            "%n = mul i32 %n1, %a1",
            "%r = add i32 %m, %n",
        ),
        "",
    ),
    "not of bytes": (
        lines(
            "%o = zext i8 %b to i32",
            "%m = mul i32 %o, 3",
            "%d = zext i16 %s to i32",
            "%n = mul i32 %o, 5",
            "%r = add i32 %m, %n",
        ),
        "zext mul zext mul add store",
    ),
    "not of words of 24 bits": (
        lines(
            "%d = and i24 %t, 255",
            "%o = zext i24 %d to i32",
            "%g = lshr i24 %t, 8",
            "%h = and i24 %g, 255",
            "%i = zext i24 %h to i32",
            "%m = mul i32 %o, 3",
            "%n = mul i32 %i, 5",
            "%r = add i32 %m, %n",
        ),
        "and zext lshr and zext mul mul add store",
    ),
    "not of halves at odd bytes": (
        lines(
            "%d = shl i32 %x, 8",
            "%o = ashr i32 %d, 16",
            "%g = shl i32 %y, 8",
            "%h = ashr i32 %g, 16",
            byte("i", "z", 0),
            byte("j", "z", 1),
            "%m = mul i32 %o, %i",
            "%n = mul i32 %h, %j",
            "%r = add i32 %m, %n",
        ),
        "",
    ),
    "bytes in their lanes first": (
        product("m", "x", 0, "y", 1) + product("n", "x", 0, "y", 0) + FOUR,
        "lshr trunc zext lshr trunc zext mul idp4a.u.u store",
    ),
    "bytes in their lanes last": (
        product("n", "x", 0, "y", 0)
        + product("m", "x", 0, "y", 1)
        + FOUR.replace("%m, %n", "%n, %m"),
        "lshr trunc zext lshr trunc zext mul idp4a.u.u store",
    ),
    "bytes of a first word of 16 bits": (short("s", "y"), "zext idp4a.u.u:0 store"),
    "bytes of a second word of 16 bits": (short("y", "s"), "zext idp4a.u.u:0 store"),
    "upper bytes": (products(2, 3) + SUM, "prmt:0:4432 idp4a.u.u:0 store"),
    "not of bytes that are used again": (PLAIN + lines("%r = add i32 %a0, %a1") + USES, ""),
    "factors of bytes that are used again": (
        SCALARS_BY + USES,
        "lshr trunc zext lshr trunc zext idp4a.u.u:503:0 store store store",
    ),
    "not if the products are used again": (
        SCALARS_BY + USES + "store i32 %m, ptr %q\nstore i32 %n, ptr %q\n",
        "",
    ),
    "exchanged factors": (
        product("m0", "x", 0, "y", 0) + product("m1", "y", 1, "x", 1) + SUM,
        "prmt:0:4410 idp4a.u.u:0 store",
    ),
    "halves after bytes of the other word": (
        product("m0", "x", 2, "z", 2)
        + product("m1", "x", 3, "z", 3)
        + half("h", "y", 0)
        + byte("i", "x", 0)
        + "%m2 = mul i32 %h, %i\n"
        + half("j", "y", 1)
        + byte("k1", "x", 1)
        + "%m3 = mul i32 %j, %k1\n"
        + lines("%o = add i32 %m0, %m1", "%e = add i32 %o, %m2", "%r = add i32 %e, %m3"),
        "prmt:0:3244 idp4a.u.u:0 idp2a.s.u:0 store",
    ),
    "not products of halves": (
        "".join(
            half(f"a{n}", "x", n) + half(f"b{n}", "y", n) + f"%m{n} = mul i32 %a{n}, %b{n}\n"
            for n in range(2)
        )
        + SUM,
        "",
    ),
    "not one product per word": (
        product("m0", "x", 0, "y", 0) + byte("i", "z", 0) + lines("%m1 = mul i32 %i, 7") + SUM,
        "",
    ),
    "not a large factor beside a negative one": (
        PLAIN + lines("%m = mul i32 %a0, -1", "%n = mul i32 %a1, 200", "%r = add i32 %m, %n"),
        "",
    ),
    "not an extended product of other values": (
        products(0, 1)
        + lines(
            "%m = mul i16 %s, %s",
            "%n = zext i16 %m to i32",
            "%o = add i32 %n, %m0",
            "%r = add i32 %o, %m1",
        ),
        "mul zext prmt:0:4410 idp4a.u.u store",
    ),
    "not an extended product of 12 bits": (
        products(0, 1)
        + lines(
            "%g = trunc i32 %z to i12",
            "%m = mul i12 %g, %g",
            "%n = zext i12 %m to i32",
            "%o = add i32 %n, %m0",
            "%r = add i32 %o, %m1",
        ),
        "trunc mul zext prmt:0:4410 idp4a.u.u store",
    ),
    "not a negative shift": (
        PLAIN + lines("%m = shl i32 %a0, -1", "%n = shl i32 %a1, -1", "%r = add i32 %m, %n"),
        "",
    ),
    "not unsigned products with signs in 24 bits": (extended("zext", "sext", type_="i24"), ""),
    "products without signs in 24 bits": (
        extended("sext", "zext", type_="i24"),
        "prmt:0:4410 idp4a.u.u:0 store",
    ),
    "not of signs of two bytes": (
        lines(
            "%g = shl i32 %x, 16",
            "%h = ashr i32 %g, 24",
            "%i = ashr i32 %h, 8",
            "%j = ashr i32 %x, 24",
            "%o = ashr i32 %j, 8",
            end="",
        )
        + byte("d", "y", 1)
        + byte("e", "y", 3)
        + lines("%m0 = mul i32 %i, %d", "%m1 = mul i32 %o, %e", end=SUM),
        "",
    ),
    "not products of 8 bits": (
        lines(
            "%d = trunc i32 %x to i8",
            "%e = trunc i32 %y to i8",
            "%m = mul i8 %d, %e",
            "%m0 = zext i8 %m to i32",
            end="",
        )
        + byte("m1", "x", 1)
        + SUM,
        "",
    ),
    "not a byte of its own": (
        PLAIN
        + lines(
            "%o = zext i8 %b to i32", "%m0 = mul i32 %a0, %o", "%m1 = mul i32 %a1, %o", end=SUM
        ),
        "",
    ),
    "not a half at an odd byte": (
        lines("%d = shl i32 %x, 8", "%h = ashr i32 %d, 16", end="")
        + half("j", "x", 1)
        + byte("i", "y", 0)
        + byte("o", "y", 1)
        + lines("%m0 = mul i32 %h, %i", "%m1 = mul i32 %j, %o", end=SUM),
        "",
    ),
    "not of two bytes of one value": (
        byte("o", "x", 1)
        + lines("%d = and i32 %x, 16711935", "%m0 = mul i32 %d, 3", "%m1 = mul i32 %o, 5", end=SUM),
        "",
    ),
    "the first of two bytes in other lanes": (
        product("m", "x", 0, "y", 1) + product("n", "x", 0, "y", 2) + FOUR,
        "lshr trunc zext lshr trunc zext mul prmt:0:3211 idp4a.u.u store",
    ),
    "lower bytes times upper ones": (
        product("m0", "x", 2, "s", 0)
        .replace("lshr i32 %s", "lshr i16 %s")
        .replace("trunc i32 %m0b", "trunc i16 %m0b")
        + product("m1", "x", 3, "s", 1)
        .replace("lshr i32 %s", "lshr i16 %s")
        .replace("trunc i32 %m1b", "trunc i16 %m1b")
        + SUM,
        "zext prmt:0:1044 idp4a.u.u:0 store",
    ),
    "products of bytes that are used again": (
        product("m0", "x", 0, "y", 1)
        + product("m1", "x", 1, "y", 1)
        + product("m2", "x", 2, "y", 3)
        + lines("%o = add i32 %m0, %m1", "%r = add i32 %o, %m2")
        + "".join(f"store i32 %m{n}{lane}, ptr %q\n" for n in range(3) for lane in "ab"),
        OPS * 6 + "prmt:0:4311 idp4a.u.u:0" + " store" * 7,
    ),
    "the lower word of 64 bits": (
        lines("%i = trunc i64 %l to i32", *(t.replace("%x", "%i") for t in SWAPPED)),
        "trunc prmt:0:1032 store",
    ),
    "the upper word of 64 bits": (
        lines(
            "%j = lshr i64 %l, 32",
            "%i = trunc i64 %j to i32",
            *(t.replace("%x", "%i") for t in SWAPPED),
        ),
        "lshr trunc prmt:0:1032 store",
    ),
    "two words of a load": (
        "%d = load <4 x i8>, ptr %p, align 4\n"
        + "".join(f"%e{n} = extractelement <4 x i8> %d, i32 {n}\n" for n in range(4))
        + inserted(4, "%e3", "%e2", "%e1", "%e0")
        + STORE
        + (inserted(4, "%e1", "%e0", "%e3", "%e2") + STORE).replace("%w", "%g"),
        "i32 prmt:0:123 store prmt:0:2301 store",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_ops_afterwards(name: str):
    body, expected = CASES[name]
    assert after(body) == (expected or after(body, ""))
