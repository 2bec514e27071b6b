"""Names that PTX accepts (PTX ISA 9.1, section 4.4)."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.ptx.names import SymbolNames, is_legal


@pytest.mark.parametrize("name", ["a", "a$1", "_a", "$x", "%r1", "W_"])
def test_legal_names(name: str):
    assert is_legal(name)


@pytest.mark.parametrize("name", ["", "_", "%", "1a", "a.b", "a-b", "WARP_SZ"])
def test_illegal_names(name: str):
    assert not is_legal(name)


def test_illegal_characters_are_replaced():
    names = SymbolNames()
    assert names.of("a.b") == "a_$_b"
    assert names.of("1") == "$_1"


def test_names_are_distinct():
    names = SymbolNames()
    assert names.of("a.b") == names.of("a.b")
    assert names.of("a-b") == "a_$_b_$1"
    assert names.fresh("a.b") == "a_$_b_$2"


def test_a_reserved_name_is_unchanged():
    names = SymbolNames()
    names.reserve("a_$_b")
    assert names.of("a.b") == "a_$_b_$1"
    assert names.of("a_$_b") == "a_$_b"
