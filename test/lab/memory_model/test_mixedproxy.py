"""The reader of mixedproxy's format: the tests that it makes, and errors."""

from __future__ import annotations

import pytest

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model.litmus import read_litmus
from nvvm_xdsl.lab.memory_model.mixedproxy import herd_tests
from nvvm_xdsl.lab.memory_model.search import outcomes

MESSAGE = """
.global x;
.global flag;   // comment
d0.b0.t0 { st [x], 7; $0 [flag], 1; }
d0.b1.t0 { ld.acquire.gpu r0, [flag] == 1; ld r1, [x]; }
$1 (r1 $2 7) as message;
$$
st.release.gpu | assert | ==
st.relaxed.gpu | permit | !=
st.release.gpu | permit | !=
"""


def answers(text: str) -> list[bool]:
    """Whether the condition of each test holds."""
    tests = [read_litmus(herd) for herd in herd_tests(text, "file.test")]
    return [test.condition.holds([dict(o) for o in outcomes(test.program)]) for test in tests]


def test_a_test_for_each_line_of_a_table() -> None:
    assert answers(MESSAGE) == [True, True, False]


def test_required_values_limit_an_assertion() -> None:
    text = MESSAGE.partition("$$")[0].replace("$0", "st.release.gpu").replace("$2", "==")
    assert answers(text.replace("$1", "assert")) == [True]
    assert answers(text.replace("$1", "assert").replace(" == 1;", ";")) == [False]


def test_several_commands() -> None:
    text = ".global x;\nd0.b0.t0 { st [x], 1; ld r0, [x]; }\n"
    claims = "assert (r0 == 1) as a; permit (not r0 == 1) as b; assert (r0 == 2 || r0 == 1) as c;"
    assert answers(text + claims) == [True, False, True]


@pytest.mark.parametrize(("fence", "claim"), [("", "permit"), ("fence.proxy.surface;", "assert")])
def test_surfaces_have_their_proxy(fence: str, claim: str) -> None:
    sign = {"permit": "!=", "assert": "=="}[claim]
    text = f"""
    .global x;
    .surfref s virtually aliases x;
    d0.b0.t0 {{ sust [s], 1; {fence} ld r0, [x]; }}
    {claim} (r0 {sign} 1) as surface;
    """
    assert answers(text) == [True]


@pytest.mark.parametrize(("fence", "claim"), [("", "permit"), ("fence.alias;", "assert")])
def test_aliases_have_other_addresses(fence: str, claim: str) -> None:
    sign = {"permit": "!=", "assert": "=="}[claim]
    text = f"""
    .global x;
    .global y physically aliases x;
    d0.b0.t0 {{ st [x], 1; {fence} ld r0, [y]; }}
    {claim} (r0 {sign} 1) as alias;
    """
    assert answers(text) == [True]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MESSAGE.replace("| assert | ==", ""), "a line of the table has no value for '$1'"),
        (MESSAGE.replace("(r1 ", "(r9 "), "no thread loads the register 'r9'"),
        (MESSAGE.replace(".global x;", "global x;"), "not 'global x;'"),
        ("// nothing", "expected declarations, threads and commands of mixedproxy"),
    ],
)
def test_errors(text: str, message: str) -> None:
    with pytest.raises(DiagnosticError) as error:
        list(herd_tests(text, "file.test"))
    assert message in str(error.value)
    assert "file.test" in str(error.value)
