"""Strings of PTX are ASCII: ptxas rejects every other character."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.ptx.strings import quoted, unquoted


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("k.cu", '"k.cu"'),
        ('a\\b"c', '"a\\\\b\\"c"'),
        ("é\\.cu", '"\\303\\251\\\\.cu"'),
        ("\udcff", '"\\377"'),
    ],
)
def test_escapes(text: str, literal: str):
    assert quoted(text) == literal
    assert unquoted(literal[1:-1]) == text
