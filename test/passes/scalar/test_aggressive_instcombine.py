"""Recognized idioms compute the same; the parts of random expressions are the sources of the bits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import llvm

import nvvm_xdsl
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.passes.scalar.bit_parts import ZERO, BitPartsFinder
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator.straight_line import evaluate


def halves(width: int) -> str:
    """Bit reversal: neighbours are swapped, then pairs, and so on."""
    lines, value, step = [], "%x", 1
    while step < width:
        mask = sum(1 << i for i in range(width) if not i & step)
        lines.append(
            f"%a{step} = lshr i{width} {value}, {step}\n%b{step} = and i{width} %a{step}, {mask}\n"
            f"%c{step} = and i{width} {value}, {mask}\n%d{step} = shl i{width} %c{step}, {step}\n"
            f"%e{step} = or i{width} %d{step}, %b{step}\n"
        )
        value, step = f"%e{step}", 2 * step
    return "".join(lines) + f"%r = add i{width} {value}, 1\n"


def ones(width: int) -> str:
    all_ = (1 << width) - 1
    return (
        f"%a = lshr iN %x, 1\n%b = and iN %a, {all_ // 3}\n%c = sub iN %x, %b\n"
        f"%d = and iN %c, {all_ // 5}\n%e = lshr iN %c, 2\n%f = and iN %e, {all_ // 5}\n"
        f"%g = add iN %d, %f\n%h = lshr iN %g, 4\n%i = add iN %h, %g\n"
        f"%j = and iN %i, {all_ // 17}\n%k = mul iN %j, {all_ // 255}\n%r = lshr iN %k, {width - 8}\n"
    ).replace("iN", f"i{width}")


@pytest.mark.parametrize(
    ("body", "width", "op"),
    [
        (halves(32), 32, "bitreverse"),
        (halves(64), 64, "bitreverse"),
        (ones(32), 32, "ctpop"),
        (ones(64), 64, "ctpop"),
    ],
    ids=["reversal-32", "reversal-64", "ones-32", "ones-64"],
)
def test_recognized(body, width, op):
    source = (
        f"define ptx_kernel void @k(ptr addrspace(1) %p, i{width} %x) {{\n{body}"
        f"store i{width} %r, ptr addrspace(1) %p\nret void\n}}\n"
    )
    module = nvvm_xdsl.parse(source)
    run_pipeline(module, "aggressive-instcombine")
    assert f"llvm.intr.{op}" in str(module)
    assert "llvm.lshr" not in str(module)
    type_ = np.uint32 if width == 32 else np.uint64
    numbers = (0, 1, 5, 1 << (width - 1), (1 << width) - 1, 0x123456789ABCDEF0 % (1 << width))
    launches = [Launch("k", args=(np.zeros(1, type_), type_(n))) for n in numbers]
    assert_same_behaviour(nvvm_xdsl.parse(source), "aggressive-instcombine", launches)


def names_after(source: str) -> list[str]:
    """Returns the names of the ops of a kernel after the pass, without constants."""
    module = nvvm_xdsl.parse(source)
    run_pipeline(module, "aggressive-instcombine")
    module.verify()
    (function,) = (op for op in module.walk() if isinstance(op, llvm.FuncOp) and op.body.blocks)
    return [
        op.name.removeprefix("llvm.")
        for op in function.body.walk()
        if not isinstance(op, llvm.ConstantOp)
    ]


def table_of(width: int, factor: int, at_zero: int, shift: int) -> list[int]:
    """Returns the table that maps the upper bits of a product with the factor to the number of trailing
    zeros.
    """
    table = [at_zero] * (1 << (width - shift))
    for i in range(width):
        table[((factor << i) % (1 << width)) >> shift] = i
    return table


WAYS = [
    (32, 0x077CB531, 27, 0),
    (32, 0x0450FBAF, 26, 32),
    (32, 0x0450FBAF, 26, 77),
    (64, 0x03F08C5392F756CD, 58, 0),
]
"""Width, factor, shift and the entry for zero: de Bruijn sequences, and a factor with room for one more."""


def lookup(width: int, table: list[int], factor: int, shift: int, kind: str = "") -> str:
    """Returns a kernel that looks up the position of the lowest one."""
    numbers = ", ".join(f"i8 {n}" for n in table)
    index = "%i" if width == 64 else "%j"
    return (
        f"@table = internal constant [{len(table)} x i8] [{numbers}], align 1\n"
        f"define ptx_kernel void @k(ptr addrspace(1) %p, i{width} %x) {{\n"
        f"%n = sub i{width} 0, %x\n%b = and i{width} %n, %x\n%m = mul i{width} %b, {factor}\n"
        f"%i = lshr i{width} %m, {shift}\n"
        + ("" if width == 64 else f"%j = zext i{width} %i to i64\n")
        + f"%a = getelementptr inbounds [{len(table)} x i8], ptr @table, i64 0, i64 {index}\n"
        f"%l = load {kind} i8, ptr %a, align 1\n%r = zext i8 %l to i32\n"
        "store i32 %r, ptr addrspace(1) %p\nret void\n}\n"
    )


@pytest.mark.parametrize(("width", "factor", "shift", "at_zero"), WAYS)
def test_tables_that_count_zeros(width, factor, shift, at_zero):
    table = table_of(width, factor, at_zero, shift)
    source = lookup(width, table, factor, shift)
    module = nvvm_xdsl.parse(source)
    run_pipeline(module, "aggressive-instcombine")
    assert "llvm.intr.cttz" in str(module)
    assert "llvm.load" not in str(module)
    assert "llvm.mul" not in str(module)
    type_ = np.uint32 if width == 32 else np.uint64
    numbers = (0, 1, 2, 12, 1 << (width - 1), (1 << width) - 1, 0x1234567890000000 % (1 << width))
    launches = [Launch("k", args=(np.zeros(1, np.uint32), type_(n))) for n in numbers]
    assert_same_behaviour(nvvm_xdsl.parse(source), "aggressive-instcombine", launches)


def test_other_tables_are_kept():
    width, factor, shift, _ = WAYS[0]
    table = table_of(width, factor, 0, shift)
    wrong = [*table[:5], 7, *table[6:]]
    sources = [
        lookup(width, wrong, factor, shift),
        lookup(width, table, factor + 2, shift),
        lookup(width, table[:31], factor, shift),
        lookup(width, table, factor, shift, "volatile"),
        lookup(width, table, factor, shift).replace("internal constant", "internal global"),
    ]
    for source in sources:
        assert "intr.cttz" not in names_after(source)


_TABLE = lookup(32, table_of(32, 0x077CB531, 0, 27), 0x077CB531, 27)
_WORDS = _TABLE.replace("x i8]", "x i32]").replace("[i8 ", "[i32 ").replace(", i8 ", ", i32 ")
_WORDS = _WORDS.replace("load  i8", "load  i32").replace("%r = zext i8 %l to i32\n", "")
_WORDS = _WORDS.replace("i32 %r, ptr", "i32 %l, ptr").replace("align 1", "align 4")


def test_a_table_of_words_needs_no_conversion():
    assert names_after(_WORDS) == ["intr.cttz", "and", "store", "return"]


def test_an_entry_for_zero_that_is_the_width_needs_no_choice():
    source = lookup(32, table_of(32, 0x0450FBAF, 32, 26), 0x0450FBAF, 26)
    assert names_after(source) == ["intr.cttz", "trunc", "zext", "store", "return"]


def test_an_entry_for_zero_of_more_bits_than_the_number_is_kept():
    table = table_of(32, 0x0450FBAF, 1 << 40, 26)
    source = lookup(32, table, 0x0450FBAF, 26).replace("i8", "i64")
    assert "load" in names_after(source.replace("zext i64 %l to i32", "trunc i64 %l to i32"))


LOOKUPS = {
    "a float": ("load  i8, ptr %a, align 1\n%r = zext i8 %l to i32", "load half, ptr %a, align 1\n%z = bitcast half %l to i16\n%r = zext i16 %z to i32"),
    "no whole byte": ("load  i8, ptr %a, align 1\n%r = zext i8", "load i9, ptr %a, align 1\n%r = zext i9"),
    "an index without a shift": ("%i = lshr i32 %m, 27", "%i = urem i32 %m, 27"),
    "an argument as the index": ("zext i32 %i to", "zext i32 %x to"),
    "a variable shift": ("%i = lshr i32 %m, 27", "%i = lshr i32 %m, %x"),
    "a shift by the width": ("%i = lshr i32 %m, 27", "%i = lshr i32 %m, 32"),
    "no product": ("%m = mul i32 %b", "%m = or i32 %b"),
    "an argument instead of a product": ("lshr i32 %m, 27", "lshr i32 %x, 27"),
    "a variable factor": ("%m = mul i32 %b, 125613361", "%m = mul i32 %b, %x"),
    "no lowest one": ("%b = and i32", "%b = or i32"),
    "an argument instead of the lowest one": ("mul i32 %b", "mul i32 %x"),
    "the negation of another number": ("and i32 %n, %x", "and i32 %n, 77"),
    "a difference from another number": ("sub i32 0", "sub i32 1"),
    "a difference from a variable": ("sub i32 0", "sub i32 %m0"),
}  # fmt: skip


@pytest.mark.parametrize("why", LOOKUPS)
def test_lookups_that_are_kept(why: str):
    old, new = LOOKUPS[why]
    assert old in _TABLE
    source = _TABLE.replace(old, new)
    if "%m0" in new:
        source = source.replace("%n = ", "%m0 = mul i32 %x, 5\n%n = ")
    assert "load" in names_after(source)


def test_a_lookup_by_16_bits_is_kept():
    table = table_of(16, 0x09AF, 0, 12)
    assert "load" in names_after(lookup(16, table, 0x09AF, 12))


def kernel(width: int, body: str) -> str:
    """Returns a kernel that stores the value `%r` of a body."""
    return (
        f"define ptx_kernel void @k(ptr addrspace(1) %p, i{width} %x, i64 %w) {{\n{body}\n"
        f"store i{width} %r, ptr addrspace(1) %p\nret void\n}}\n"
    )


BYTES = (
    "%a = shl i32 %x, 24\n%b = shl i32 %x, 8\n%c = and i32 %b, 16711680\n%d = lshr i32 %x, 8\n"
    "%e = and i32 %d, 65280\n%f = lshr i32 %x, 24\n%g = or i32 %a, %c\n%h = or i32 %g, %e\n"
)
OTHERS = {
    "an order of 16 bits": (16, "%a = shl i16 %x, 8\n%b = lshr i16 %x, 8\n%r = or i16 %a, %b"),
    "a part of a larger `or`": (32, f"{BYTES}%i = or i32 %h, %f\n%r = or i32 %i, 5"),
    "bytes of a wider number": (
        32, "%t = trunc i64 %w to i32\n" + BYTES.replace("%x", "%t") + "%r = or i32 %h, %f",
    ),
    "a sum of two bytes": (32, ones(32).replace("lshr i32 %k, 24", "lshr i32 %k, 16")),
    "a sum instead of a difference": (32, ones(32).replace("%c = sub", "%c = add")),
    "a difference of pairs": (32, ones(32).replace("%g = add", "%g = sub")),
    "a difference of fours": (32, ones(32).replace("%i = add", "%i = sub")),
}  # fmt: skip


@pytest.mark.parametrize("why", OTHERS)
def test_expressions_that_are_kept(why: str):
    names = names_after(kernel(*OTHERS[why]))
    assert not any(name.startswith("intr.") for name in names)


def test_bytes_in_their_own_order_are_kept():
    assert "or" in names_after(kernel(32, "%r = or i32 %x, 5"))


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ("shl", "lshr", "and", "fshl", "fshr", "bswap", "bitreverse", "or", "narrow")
        ),
        st.integers(0, 31),
        st.integers(0, 2**32 - 1),
        st.integers(0, 100),
    ),
    min_size=1,
    max_size=8,
)


def text_of(steps) -> str:
    names, lines = ["%x"], []
    for i, (kind, amount, mask, pick) in enumerate(steps):
        a, b = names[pick % len(names)], names[amount % len(names)]
        if kind in ("shl", "lshr"):
            lines.append(f"%v{i} = {kind} i32 {a}, {amount}")
        elif kind == "and":
            lines.append(f"%v{i} = and i32 {a}, {mask}")
        elif kind == "or":
            lines.append(f"%v{i} = or i32 {a}, {b}")
        elif kind == "narrow":
            lines.append(f"%n{i} = trunc i32 {a} to i24\n%v{i} = zext i24 %n{i} to i32")
        elif kind in ("fshl", "fshr"):
            lines.append(f"%v{i} = call i32 @llvm.{kind}.i32(i32 {a}, i32 {b}, i32 {amount})")
        else:
            lines.append(f"%v{i} = call i32 @llvm.{kind}.i32(i32 {a})")
        names.append(f"%v{i}")
    return "\n".join(lines)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(STEPS)
def test_source_bits_of_each_result_bit(steps):
    declared = "".join(
        f"declare i32 @llvm.{name}.i32({args})\n"
        for name, args in (
            ("fshl", "i32, i32, i32"),
            ("fshr", "i32, i32, i32"),
            ("bswap", "i32"),
            ("bitreverse", "i32"),
        )
    )
    module = nvvm_xdsl.parse(
        f"{declared}define i32 @f(i32 %x) {{\n{text_of(steps)}\nret i32 %v{len(steps) - 1}\n}}\n"
    )
    (func,) = (op for op in module.walk() if isinstance(op, llvm.FuncOp) and op.body.blocks)
    ops = [op for op in func.body.block.ops if not isinstance(op, llvm.ReturnOp)]
    (argument,) = func.body.block.args
    lanes = np.array([0, 2**32 - 1, 0x12345678, 0xDEADBEEF, 1, 1 << 31], np.uint32)
    finder = BitPartsFinder()
    values = [op.results[0] for op in ops if not isinstance(op, llvm.ConstantOp)]
    found = evaluate(ops, {argument: lanes}, values)
    known = dict(zip(values, (f.values for f in found))) | {argument: lanes}
    for value in values:
        source, bits = finder.find(value)
        want = sum(
            ((known[source].astype(np.uint64) >> np.uint64(bit)) & np.uint64(1)) << np.uint64(place)
            for place, bit in enumerate(bits)
            if bit != ZERO
        )
        assert (known[value].astype(np.uint64) == want).all(), str(module)
