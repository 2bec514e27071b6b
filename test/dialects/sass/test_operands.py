"""Operands and control information of machine instructions."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.sass.control_information import Control
from nvvm_xdsl.dialects.sass.operands import OperandError, parse_operand, split_operands


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("-R4.reuse", {"kind": "register", "file": "R", "number": 4, "negated": True}),
        ("|UR5|", {"file": "UR", "number": 5, "absolute": True}),
        ("-|R2|", {"number": 2, "absolute": True, "negated": True}),
        ("~R7", {"number": 7, "inverted": True}),
        ("!P0", {"file": "P", "number": 0, "negated": True}),
        ("PT", {"file": "P", "number": None}),
        ("RZ", {"file": "R", "number": None}),
        ("URZ", {"file": "UR", "number": None}),
        ("R2.H1_H1", {"number": 2, "suffixes": ("H1_H1",)}),
        ("B3", {"file": "B", "number": 3}),
        ("-0x10", {"kind": "integer", "number": -16}),
        ("1.5", {"kind": "float", "value": 1.5}),
        ("-INF", {"kind": "float", "value": float("-inf")}),
        ("c[0x3][R4+0x210]", {"kind": "constant", "bank": 3, "number": 0x210}),
        ("[R4+UR6+-0x8]", {"kind": "memory", "number": -8}),
        ("`(.L_x_1)", {"kind": "label", "name": ".L_x_1"}),
        ("SR_TID.X", {"kind": "special", "name": "SR_TID.X"}),
        ("ARRAY_2D", {"kind": "word", "name": "ARRAY_2D"}),
        ("2D", {"kind": "word", "name": "2D"}),
        ("tmem[UR4]", {"kind": "word"}),
        ("gdesc[UR6].A_REUSE.A_KEEP", {"kind": "word"}),
        ("{5,4,3}", {"kind": "word"}),
    ],
)
def test_operand(text: str, expected: dict[str, object]):
    operand = parse_operand(text)
    assert {name: getattr(operand, name) for name in expected} == expected


def test_a_memory_operand_has_its_registers():
    operand = parse_operand("desc[UR4][R2.64+0x8]")
    assert operand.base is not None
    assert (operand.base.name, operand.base.suffixes, operand.number) == ("R2", ("64",), 8)


def test_invalid_operands():
    with pytest.raises(OperandError):
        parse_operand("[[")


def test_operands_are_split_outside_of_brackets():
    assert split_operands("R0, c[0x0][0x160], `(a, b)") == ["R0", "c[0x0][0x160]", "`(a, b)"]


def test_control_bits():
    """`@P0 EXIT` of sm_90: it stalls for five cycles and neither sets nor waits for a barrier."""
    assert Control.decoded(0x000FEA0003800000_000000000000094D) == Control(stall=5)


def test_control_bits_of_a_load():
    """`LDG.E R7` of sm_90 releases barrier 2 and waits for none, which no tool prints."""
    control = Control.decoded(0x000EA4000C1E1900_0000000404077981)
    assert (control.write, control.read, control.wait) == (2, None, 0)
