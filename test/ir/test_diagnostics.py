import pytest

from nvvm_xdsl.ir.diagnostics import (
    EXCERPT_WIDTH,
    DiagnosticError,
    clip_source_line,
)


def test_render_with_location_and_caret():
    error = DiagnosticError(
        "unknown instruction 'ad'",
        file="a.ll",
        line=3,
        column=8,
        source_line="  %x = ad i32 1, 2\n",
    )
    assert error.render() == (
        "a.ll:3:8: error: unknown instruction 'ad'\n  %x = ad i32 1, 2\n       ^"
    )
    assert str(error) == error.render()


def test_render_without_location():
    assert DiagnosticError("no input").render() == "error: no input"
    assert DiagnosticError("no such file", file="x.ll").render() == "x.ll: error: no such file"


@pytest.mark.parametrize("column", [1, 2, 60, 61, 5000, 9939, 9940, 9999, 10000, 10001])
def test_long_lines_are_clipped_around_the_column(column: int):
    line = "".join(chr(ord("a") + i % 26) for i in range(10000))
    excerpt, at = clip_source_line(line, column)
    assert len(excerpt) == EXCERPT_WIDTH
    assert at is not None
    if column <= 10000:
        assert excerpt[at - 1] == line[column - 1]
    else:
        assert at == EXCERPT_WIDTH + 1
    assert excerpt.startswith("...") == (column > 61)
    assert excerpt.endswith("...") == (column < 9941)


def test_tabs_do_not_move_the_caret():
    error = DiagnosticError("bad", file="a", line=1, column=3, source_line="\t\tx")
    assert error.render().splitlines()[1:] == ["  x", "  ^"]


@pytest.mark.parametrize(
    ("offset", "line", "column", "source"),
    [(0, 1, 1, "ab"), (2, 1, 3, "ab"), (3, 2, 1, "cd"), (6, 3, 1, ""), (99, 3, 1, "")],
)
def test_error_at_offset(offset: int, line: int, column: int, source: str):
    error = DiagnosticError.at_offset("bad", "ab\ncd\n", offset, "f")
    assert (error.line, error.column, error.source_line) == (line, column, source)
