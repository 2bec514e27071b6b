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


SURFACE = (".surfref s virtually aliases x;", "sust [s], 1;", "ld r0, [x];", "fence.proxy.surface;")
ALIAS = (".global y physically aliases x;", "st [x], 1;", "ld r0, [y];", "fence.alias;")


@pytest.mark.parametrize("fenced", [False, True])
@pytest.mark.parametrize("case", [SURFACE, ALIAS], ids=["surface", "alias"])
def test_proxies_need_a_fence(case: tuple[str, str, str, str], fenced: bool) -> None:
    declaration, store, load, fence = case
    claim = "assert (r0 == 1)" if fenced else "permit (r0 != 1)"
    text = f"""
    .global x;
    {declaration}
    d0.b0.t0 {{ {store} {fence if fenced else ""} {load} }}
    {claim} as found;
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
