"""Statements and comments of PTX text."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.ptx.statements import (
    Kind,
    StatementError,
    normalized_operands,
    split_operands,
    statements,
    without_comments,
)


def test_kinds_of_statements():
    text = "{ @!%p mov.b32 %a, 1; L: .loc 1 2 3\n ret; }"
    found = [(s.kind, s.guard, s.head, s.rest) for s in statements(text)]
    assert found == [
        (Kind.OPEN, "", "{", ""),
        (Kind.INSTRUCTION, "@!%p", "mov.b32", "%a, 1"),
        (Kind.LABEL, "", "L", ""),
        (Kind.DIRECTIVE, "", "loc", ".loc 1 2 3"),
        (Kind.INSTRUCTION, "", "ret", ""),
        (Kind.CLOSE, "", "}", ""),
    ]


def test_modifiers_have_colons():
    text = "a: spcompress.x1.sp::2:4.b8.b2 {%r2}, {%r3}, {%r1, %r1}, %r1; b:c: ret;"
    found = [(s.kind, s.head) for s in statements(text)]
    assert found == [
        (Kind.LABEL, "a"),
        (Kind.INSTRUCTION, "spcompress.x1.sp::2:4.b8.b2"),
        (Kind.LABEL, "b"),
        (Kind.LABEL, "c"),
        (Kind.INSTRUCTION, "ret"),
    ]


@pytest.mark.parametrize(("text", "offset"), [("ret; ?", 5), (".reg .b32 %a", 0)])
def test_errors_have_the_offset(text: str, offset: int):
    with pytest.raises(StatementError) as caught:
        list(statements(text))
    assert caught.value.offset == offset


def test_comments_become_spaces():
    text = 'a // b\n/* c\n */ "// d"'
    assert without_comments(text) == 'a     \n    \n    "// d"'


def test_operands_are_split_outside_brackets():
    assert split_operands("{%a, %b}, [%c+4], (d, e)") == ["{%a, %b}", "[%c+4]", "(d, e)"]


def test_operands_are_normalized():
    assert normalized_operands("%a ,[ %b + 4 ],1") == "%a, [%b+4], 1"
    with pytest.raises(StatementError):
        normalized_operands("%a %b")
