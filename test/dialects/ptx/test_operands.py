"""Operands as trees, and the values of constants (PTX ISA 9.1, section 4.5)."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.ptx.operands import (
    ConstantError,
    Float,
    SymbolValue,
    Value,
    atom_value,
    constant,
    operand_trees,
    split_atoms,
)


def value_of(text: str) -> Value:
    parts = split_atoms(text)
    (tree,) = operand_trees(tuple(parts[0::2]))
    return constant(tree, parts[1::2])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("12", 12),
        ("12U", 12),
        ("017", 15),
        ("0x1F", 31),
        ("0b101", 5),
        ("0f3F800000", Float(0x3F800000, 32)),
        ("0d3FF0000000000000", Float(0x3FF0000000000000, 64)),
        ("1.0", Float(0x3FF0000000000000, 64)),
        ("WARP_SZ", 32),
        ("x", SymbolValue("x", 0)),
    ],
)
def test_atoms(text: str, value: Value):
    assert atom_value(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2+3*4", 14),
        ("-7/2", -3),
        ("1<<4", 16),
        ("x+8", SymbolValue("x", 8)),
        ("-0f3F800000", Float(0xBF800000, 32)),
    ],
)
def test_constant_expressions(text: str, value: Value):
    assert value_of(text) == value


def test_an_integer_has_at_most_64_bits():
    with pytest.raises(ConstantError, match="more than 64 bits"):
        atom_value("0x10000000000000000")


def test_operators_need_integers():
    with pytest.raises(ConstantError, match="'\\*' takes integers"):
        value_of("2*1.0")
