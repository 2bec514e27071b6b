"""Kernels for comparison with another compiler have no shape that it is known to miscompile."""

from __future__ import annotations

import re

import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.fuzz import Options

SEEDS = range(40)


def _share(pattern: str, *against: str) -> int:
    """Returns the number of kernels with a match."""
    options = Options(against=against)
    return sum(re.search(pattern, options.text(seed)) is not None for seed in SEEDS)


@pytest.mark.parametrize(
    ("pattern", "compilers"),
    [
        ("= frem ", ("llc", "libnvvm")),
        (r"@llvm\.va_start", ("llc",)),
        (r"itofp(?: nneg)? i(?:32|64) (?!%\w+\.fits )\S+ to half", ("llc", "libnvvm")),
    ],
)
def test_excluded_shapes_are_generated_only_for_other_compilers(
    pattern: str, compilers: tuple[str, ...]
):
    for compiler in compilers:
        assert _share(pattern, compiler) == 0
        assert _share(pattern, "ours-O0", compiler) == 0
    assert _share(pattern) > 0
    assert _share(pattern, "ours-O0") > 0


def test_an_integer_that_becomes_a_half_is_masked_for_other_compilers():
    """The maximum of a half is 65504; the conversion of a larger integer is infinite."""
    text = Options(against=("llc",)).text(62500372)
    found = re.findall(r"(%\w+)\.fits = and i32 \S+, 32767\n +(\S+) = \w+ i32 (\S+) to half", text)
    assert found
    assert all(name == result and f"{name}.fits" == used for name, result, used in found)
    read_ll(text)
