"""Tokens, for every division of the text into chunks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nvvm_xdsl.frontend import lexer
from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.lexer import LOOKAHEAD, Lexer, unquote, unquote_text

TEXT = """\
; a comment with "a quote
%x = add i32 1.0e+5, -3 ; %"another
"a b": c"a\\00b" !foo !"str" #0 $c ; last
%"a b" @"x;y" @f(...) !DILocation(line: 5) <{ i8 }>\r
$"q" "line
break" """

TOKENS = [
    *("%x", "=", "add", "i32", "1.0e+5", ",", "-3"),
    *('"a b":', 'c"a\\00b"', "!foo", "!", '"str"', "#0", "$c"),
    *('%"a b"', '@"x;y"', "@f", "(", "...", ")", "!DILocation", "(", "line:", "5", ")"),
    *("<", "{", "i8", "}", ">", '$"q"', '"line\nbreak"'),
]


def tokens_of(text: str) -> list[str]:
    reader = Lexer(text, "x")
    found: list[str] = []
    while True:
        reader.fill()
        token = reader.next_token()
        if token == "":
            return found
        found.append(token)
        reader.release()


@pytest.mark.parametrize("chunk", [1, 2, 3, 5, 8, 13, 50, 1 << 17])
def test_tokens_do_not_depend_on_chunks(chunk: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lexer, "CHUNK", chunk)
    assert tokens_of(TEXT) == TOKENS


PIECE = st.sampled_from(
    [
        "%x",
        "@y",
        '"s t"',
        '%"q"',
        "; c\n",
        "\n",
        " ",
        ",",
        "(",
        ")",
        "i32",
        "-1",
        "!",
        "{",
        "\0",
        "é",
    ]
)


@given(st.lists(PIECE, max_size=30), st.integers(1, 20))
def test_any_text_in_any_chunks(pieces: list[str], chunk: int):
    text = "".join(pieces)
    whole = tokens_of(text)
    before = lexer.CHUNK
    lexer.CHUNK = chunk
    try:
        assert tokens_of(text) == whole
    finally:
        lexer.CHUNK = before


@pytest.mark.parametrize("chunk", [1, 7, 1 << 17])
def test_locations(chunk: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(lexer, "CHUNK", chunk)
    reader = Lexer(TEXT, "x.ll")
    marks: list[tuple[int, int]] = []
    for number, token in enumerate(TOKENS):
        reader.fill()
        marks.append(reader.place())
        assert TEXT.startswith(token, reader.offset_of(reader.pos)), number
        reader.pos += 1
        reader.release()
    wanted = TEXT.index("i32")
    with pytest.raises(ParseError) as caught:
        reader.fail_at("here", marks[TOKENS.index("i32")])
    assert (caught.value.line, caught.value.column) == (2, wanted - TEXT.index("%x") + 1)


def test_end_of_file_is_always_the_next_token():
    reader = Lexer("a", "x")
    for _ in range(3):
        reader.fill()
        assert reader.tokens[reader.pos + 1 : reader.pos + LOOKAHEAD] == [""] * (LOOKAHEAD - 1)


def test_escapes():
    assert unquote('c"a\\5Cb\\\\\\00"') == "a\\b\\\x00"
    assert unquote('"\\ff"') == "\xff"
    assert unquote('"é"') == "\xc3\xa9"
    assert unquote_text('"\\C3\\A9é"') == "éé"


def test_a_long_stretch_without_tokens_takes_linear_time():
    """White space, a comment and a string of a megabyte each: scanned once, not from each position."""
    for text in (" " * 1_000_000, ";" + "x " * 500_000, '"' + "x " * 500_000 + '"'):
        assert len(tokens_of(text)) <= 1
