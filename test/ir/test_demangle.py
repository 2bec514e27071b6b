"""Demangled names of symbols."""

from __future__ import annotations

import pytest

from nvvm_xdsl.ir.demangle import choose, demangled, matching, plain_name, readable

SOFTMAX = "_Z7softmaxPKfPfi"
TEMPLATE = "_ZN2ns5scaleILi4EfEEvPT0_"
NUMBA = (
    "_ZN13numba_kernels10local_sortB3v37B92cw51cXTLSUwv1sDUaKthqaNgoKmjgOR3W3CwAkMXLaJtQYkOIgxJU0gCqOkEJoHkbttqdVhoqlspQGNF"
    "HSgJ5BnXagIAE5ArrayIfLi1E1A7mutable7alignedE5ArrayIiLi1E1A7mutable7alignedE"
)


def test_names():
    assert demangled(SOFTMAX) == "softmax(float const*, float*, int)"
    assert plain_name(TEMPLATE) == "ns::scale<4, float>"
    assert plain_name(NUMBA) == "numba_kernels::local_sort"
    assert plain_name("saxpy") == demangled("saxpy") == "saxpy"
    assert demangled("_Zwrong") == "_Zwrong"
    assert readable(f"in @{SOFTMAX}: x") == "in @softmax: x"


@pytest.mark.parametrize("wanted", ["softmax", SOFTMAX, "softmax(float const*, float*, int)"])
def test_a_kernel_by_any_name(wanted: str):
    assert matching(wanted, [SOFTMAX, TEMPLATE, NUMBA]) == [SOFTMAX]


def test_parts_of_names():
    names = [SOFTMAX, TEMPLATE, NUMBA]
    assert matching("scale", names) == matching("ns::scale", names) == [TEMPLATE]
    assert matching("local_sort", names) == [NUMBA]


def test_the_most_exact_form_is_preferred():
    assert matching("softmax", [SOFTMAX, "softmax"]) == ["softmax"]


def test_error_messages_list_the_names():
    assert choose(None, [SOFTMAX]) == (SOFTMAX, "")
    _, message = choose("sofmax", [SOFTMAX, "saxpy"])
    assert "no kernel @sofmax" in message
    assert "did you mean 'softmax'" in message
    assert "softmax(float const*, float*, int), @saxpy" in message
    assert choose("saxpi", ["saxpy"])[1] == (
        "the module has no kernel @saxpi; did you mean 'saxpy'? It has @saxpy"
    )
    assert "ambiguous" in choose("f", ["_Z1fi", "_Z1ff"])[1]
    assert "choose a kernel" in choose(None, ["a", "b"])[1]
