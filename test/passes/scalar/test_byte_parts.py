"""The source of each byte of an expression, and the words that contain bytes."""

from __future__ import annotations

import pytest
from helpers.modules import function
from xdsl.ir import SSAValue

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.byte_parts import Byte, BytePartsFinder, Part
from nvvm_xdsl.passes.scalar.byte_words import word_of

TEXT = """
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i32 @llvm.fshr.i32(i32, i32, i32)
declare i12 @llvm.fshl.i12(i12, i12, i12)
declare i32 @llvm.bswap.i32(i32)
declare <2 x i16> @llvm.bswap.v2i16(<2 x i16>)
define {type} @f(ptr %p, i32 %x, i32 %y, i8 %b, i12 %n, i20 %m, i24 %t, i128 %q, i256 %w, float %f, <4 x i8> %v, <8 x i4> %k, <32 x i8> %l, <2 x i8> %s, <2 x i16> %h) {{
{body}
ret {type} %r
}}
"""


def result(body: str, type_: str) -> SSAValue:
    module = read_ll(TEXT.format(body=body, type=type_))
    (value,) = next(op for op in function(module).walk() if op.name == "llvm.return").operands
    return value


def shown(part: Part) -> str:
    """Returns the name and place of a byte, `-` for zero, with `~` for the sign."""
    if part is None:
        return "-"
    return f"{'~' if part.is_sign else ''}{part.source.name_hint}{part.place}"


def chain(length: int) -> str:
    """Returns a chain of ops that do not change their operand."""
    text = "%c0 = or i32 %x, 0\n"
    for n in range(1, length):
        text += f"%c{n} = or i32 %c{n - 1}, 0\n"
    return f"{text}%r = or i32 %c{length - 1}, 0"


OWN = "r0 r1 r2 r3"
PARTS = {
    "zero": ("%r = and i32 %x, 0", "- - - -"),
    "a mask": ("%r = and i32 %x, 65280", "- x1 - -"),
    "half a byte": ("%r = and i32 %x, 15", OWN),
    "half a byte of zeros": ("%a = and i32 %x, 255\n%r = and i32 %a, 4095", "x0 - - -"),
    "an unknown mask": ("%r = and i32 %x, %y", OWN),
    "two words": ("%r = or i32 %x, %y", OWN),
    "bytes of two words": ("%a = and i32 %x, 255\n%d = and i32 %y, 65280\n%r = add i32 %a, %d", "x0 y1 - -"),
    "a left shift": ("%r = shl i32 %x, 24", "- - - x0"),
    "a right shift": ("%r = lshr i32 %x, 16", "x2 x3 - -"),
    "an arithmetic shift": ("%r = ashr i32 %x, 16", "x2 x3 ~x3 ~x3"),
    "a shift by 4": ("%r = shl i32 %x, 4", OWN),
    "a shift by the width": ("%r = lshr i32 %x, 32", OWN),
    "an unknown shift": ("%r = shl i32 %x, %y", OWN),
    "a left funnel shift": ("%r = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 8)", "y3 x0 x1 x2"),
    "a right funnel shift": ("%r = call i32 @llvm.fshr.i32(i32 %x, i32 %y, i32 40)", "y1 y2 y3 x0"),
    "a funnel shift by 4": ("%r = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 4)", OWN),
    "an unknown funnel shift": ("%r = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 %x)", OWN),
    "a funnel shift of 12 bits": ("%r = call i12 @llvm.fshl.i12(i12 %n, i12 %n, i12 8)", "", "i12"),
    "swapped bytes": ("%r = call i32 @llvm.bswap.i32(i32 %x)", "x3 x2 x1 x0"),
    "swapped bytes of a vector": ("%r = call <2 x i16> @llvm.bswap.v2i16(<2 x i16> %h)", OWN, "<2 x i16>"),
    "a zero extension": ("%r = zext i8 %b to i32", "b0 - - -"),
    "a sign extension": ("%r = sext i8 %b to i32", "b0 ~b0 ~b0 ~b0"),
    "an extension of 20 bits": ("%r = zext i20 %m to i32", OWN),
    "an extension of a vector": ("%r = zext <2 x i8> %s to <2 x i16>", OWN, "<2 x i16>"),
    "a truncation": ("%r = trunc i32 %x to i16", "x0 x1", "i16"),
    "a truncation of 256 bits": ("%r = trunc i256 %w to i32", OWN),
    "a truncation of 128 bits": ("%r = trunc i128 %q to i32", "q0 q1 q2 q3"),
    "a truncation of a vector": ("%r = trunc <2 x i16> %h to <2 x i8>", "r0 r1", "<2 x i8>"),
    "a cast of a vector": ("%r = bitcast <4 x i8> %v to i32", "v0 v1 v2 v3"),
    "a cast of a float": ("%r = bitcast float %f to i32", OWN),
    "a cast of halves of bytes": ("%a = insertelement <8 x i4> %k, i4 1, i32 0\n%r = bitcast <8 x i4> %a to i32", OWN),
    "an element": ("%r = extractelement <2 x i16> %h, i32 1", "h2 h3", "i16"),
    "an unknown element": ("%r = extractelement <2 x i16> %h, i32 %x", "r0 r1", "i16"),
    "no element": ("%r = extractelement <2 x i16> %h, i32 2", "r0 r1", "i16"),
    "an element of 32 bytes": ("%r = extractelement <32 x i8> %l, i32 1", "r0", "i8"),
    "an insertion": ("%r = insertelement <4 x i8> %v, i8 %b, i32 2", "v0 v1 b0 v3", "<4 x i8>"),
    "an unknown insertion": ("%r = insertelement <4 x i8> %v, i8 %b, i32 %x", OWN, "<4 x i8>"),
    "a shuffle": ("%r = shufflevector <4 x i8> %v, <4 x i8> %v, <4 x i32> <i32 3, i32 2, i32 4, i32 0>", "v3 v2 v0 v0", "<4 x i8>"),
    "an undefined shuffle": ("%r = shufflevector <4 x i8> %v, <4 x i8> %v, <4 x i32> <i32 3, i32 poison, i32 4, i32 0>", OWN, "<4 x i8>"),
    "a shuffle of 32 bytes": ("%r = shufflevector <32 x i8> %l, <32 x i8> %l, <4 x i32> <i32 3, i32 2, i32 4, i32 0>", OWN, "<4 x i8>"),
    "32 levels": (chain(31), "x0 x1 x2 x3"),
    "33 levels": (chain(32), "c00 c01 c02 c03"),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
def test_parts(name: str):
    body, expected, type_ = (*PARTS[name], "i32")[:3]
    assert " ".join(map(shown, BytePartsFinder().find(result(body, type_)))) == expected


WORDS = {
    "an integer": ("%r = add i32 %x, 1", "i32", 0),
    "24 bits": ("%r = add i24 %t, 1", "i24", None),
    "the upper half of 64 bits": ("%r = load i64, ptr %p", "i64", 1),
    "128 bits": ("%r = add i128 %q, 1", "i128", None),
    "a vector": ("%r = add <4 x i8> %v, %v", "<4 x i8>", None),
    "a parameter": ("%r = extractelement <4 x i8> %v, i32 0", "i8", None),
    "a loaded vector": ("%r = load <4 x i8>, ptr %p, align 4", "<4 x i8>", 0),
    "a volatile vector": ("%r = load volatile <4 x i8>, ptr %p, align 4", "<4 x i8>", None),
    "an unaligned vector": ("%r = load <4 x i8>, ptr %p, align 2", "<4 x i8>", None),
    "two bytes": ("%r = load <2 x i8>, ptr %p, align 2", "<2 x i8>", 0),
    "16 bytes": ("%r = load <16 x i8>, ptr %p, align 4", "<16 x i8>", 3),
}


@pytest.mark.parametrize("name", WORDS)
def test_word_of_the_last_byte(name: str):
    body, type_, place = WORDS[name]
    value = result(body, type_)
    (*_, last) = BytePartsFinder().find(value)
    assert last is not None
    word = word_of(last)
    assert (None if word is None else word.place) == place


def test_constants_are_in_no_word():
    module = read_ll("define i32 @f() {\nret i32 7\n}\n")
    (value,) = next(op for op in function(module).walk() if op.name == "llvm.return").operands
    assert word_of(Byte(value, 0)) is None
