"""The parser of command lines: words that look like the name of an option."""

from __future__ import annotations

import pytest

from nvvm_xdsl.tools.arguments import ArgumentParser


def test_option_values_that_start_like_a_short_option():
    """`h=50` is a value of `--arg`, not `-h=50`."""
    parser = ArgumentParser(prog="tool")
    parser.add_argument("file")
    parser.add_argument("--arg", action="append")
    parsed = parser.parse_args(["h", "--arg", "h=50", "-arg", "h"])
    assert (parsed.file, parsed.arg) == ("h", ["h=50", "h"])


@pytest.mark.parametrize("word", ["", " ", "\n", "--lomg", "--lomg=3"])
def test_unknown_words(word: str, capsys: pytest.CaptureFixture[str]):
    parser = ArgumentParser(prog="tool")
    parser.add_argument("--long")
    with pytest.raises(SystemExit) as caught:
        parser.parse_args([word])
    assert caught.value.code == 1
    text = capsys.readouterr().err
    assert text.startswith(f"tool: error: unrecognized arguments: {word}")
    assert ("did you mean '--long'?" in text) == bool(word.strip())
