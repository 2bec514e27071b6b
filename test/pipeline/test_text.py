"""Pipeline text: the grammar, its errors, and printing as its inverse."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.pipeline.text import Element, PipelineError, parse_pipeline, print_pipeline


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        ("", []),
        ("dce", [Element("dce")]),
        ("a , b", [Element("a"), Element("b")]),
        ("memory-space-opt<first-time;warnings>",
         [Element("memory-space-opt", ["first-time", "warnings"])]),
        ("p{flag key=3 list=1,2}", [Element("p", ["flag", "key=3", "list=1,2"])]),
        ('p{s="a b,c"}', [Element("p", ["s=a b,c"])]),
        ("repeat<3>(a,b<x>)", [Element("repeat", ["3"], [Element("a"), Element("b", ["x"])])]),
        ("module(function(a),b)",
         [Element("module", [], [Element("function", [], [Element("a")]), Element("b")])]),
        ("function()", [Element("function", [], [])]),
        ("function<eager-inv>(a)", [Element("function", ["eager-inv"], [Element("a")])]),
        ("a<>", [Element("a")]),
        ('p<k="x;y>">', [Element("p", ["k=x;y>"])]),
    ],
)  # fmt: skip
def test_parse(text, elements):
    assert parse_pipeline(text) == elements


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("a,,b", 3, "expected the name of a pass here"),
        ("a b", 3, "expected ',' or the end of the pipeline here"),
        ("a(b", 2, "this '(' is never closed"),
        ("a(b))", 5, "expected ',' or the end of the pipeline here"),
        ("a<x", 2, "this '<' is never closed"),
        ("a<x y>", 5, "expected ';' or '>' here"),
        ("a<;>", 3, "expected a parameter here"),
        ("a{x", 2, "this '{' is never closed"),
        ("a{x=}", 5, "expected a value here"),
        ("a{x;y}", 4, "expected ' ' or '}' here"),
        ('a{x="y}', 5, "this string is never closed"),
        ("a(b c)", 5, "expected ',' or ')' here"),
        ("f(" * 300 + "a" + ")" * 300, None, "nests deeper than 200"),
    ],
)
def test_errors_point_into_the_text(text, column, message):
    with pytest.raises(PipelineError) as caught:
        parse_pipeline(text)
    assert message in caught.value.message
    if column is not None:
        assert (caught.value.line, caught.value.column) == (1, column)
        shown = caught.value.render().splitlines()
        assert shown[1] == text
        assert shown[2] == " " * (column - 1) + "^"


NAMES = st.from_regex(r"[a-z][a-z0-9-]{0,12}", fullmatch=True)
VALUES = st.text(
    st.characters(codec="utf-8", exclude_characters="\n", exclude_categories=["Cs", "Cc"]),
    max_size=8,
)
PARAMETERS = st.one_of(NAMES, st.builds(lambda key, value: f"{key}={value}", NAMES, VALUES))


def _elements(nested):
    return st.builds(
        Element,
        NAMES,
        st.lists(PARAMETERS, max_size=3),
        st.one_of(st.none(), st.lists(nested, max_size=3)),
    )


PIPELINES = st.lists(
    st.recursive(
        st.builds(Element, NAMES, st.lists(PARAMETERS, max_size=3)), _elements, max_leaves=8
    ),
    max_size=4,
)


@pytest.mark.slow
@settings(deadline=None)
@given(PIPELINES)
def test_parsing_is_the_inverse_of_printing(pipeline):
    assert parse_pipeline(print_pipeline(pipeline)) == pipeline
