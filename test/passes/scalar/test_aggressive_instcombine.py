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
        module = nvvm_xdsl.parse(source)
        run_pipeline(module, "aggressive-instcombine")
        assert "llvm.load" in str(module)


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
