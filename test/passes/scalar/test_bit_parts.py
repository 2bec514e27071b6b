"""The source of each bit of an expression."""

from __future__ import annotations

import pytest
from helpers.modules import function

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.bit_parts import ZERO, BitPartsFinder

TEXT = """
declare i8 @llvm.fshl.i8(i8, i8, i8)
declare i8 @llvm.fshr.i8(i8, i8, i8)
declare i8 @llvm.bitreverse.i8(i8)
define i8 @f(i8 %x, i8 %y) {{
%r = {op}
ret i8 %r
}}
"""
CASES = {
    "a left shift": ("shl i8 %x, 3", "x ---01234"),
    "a right shift": ("lshr i8 %x, 3", "x 34567---"),
    "a shift by the width": ("shl i8 %x, 8", "r 01234567"),
    "an unknown shift": ("lshr i8 %x, %y", "r 01234567"),
    "a left rotation": ("call i8 @llvm.fshl.i8(i8 %x, i8 %x, i8 3)", "x 56701234"),
    "a right rotation": ("call i8 @llvm.fshr.i8(i8 %x, i8 %x, i8 3)", "x 34567012"),
    "an unknown rotation": ("call i8 @llvm.fshl.i8(i8 %x, i8 %x, i8 %y)", "r 01234567"),
    "a funnel shift of two values": ("call i8 @llvm.fshl.i8(i8 %x, i8 %y, i8 3)", "r 01234567"),
    "a funnel shift by 0": ("call i8 @llvm.fshl.i8(i8 %x, i8 %y, i8 0)", "x 01234567"),
    "a reversal": ("call i8 @llvm.bitreverse.i8(i8 %x)", "x 76543210"),
}


@pytest.mark.parametrize("name", CASES)
def test_bits(name: str):
    op, expected = CASES[name]
    module = read_ll(TEXT.format(op=op))
    (value,) = next(op for op in function(module).walk() if op.name == "llvm.return").operands
    source, bits = BitPartsFinder().find(value)
    shown = "".join("-" if bit == ZERO else str(bit) for bit in bits)
    assert f"{source.name_hint} {shown}" == expected
