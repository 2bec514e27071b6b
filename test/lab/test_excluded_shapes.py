"""Kernels for comparison with another compiler have no shape that it is known to miscompile."""

from __future__ import annotations

import re

import pytest

from nvvm_xdsl.lab.fuzz import Options

SEEDS = range(40)


def _share(pattern: str, *against: str) -> int:
    """Returns the number of kernels with a match."""
    options = Options(against=against)
    return sum(re.search(pattern, options.text(seed)) is not None for seed in SEEDS)


@pytest.mark.parametrize(
    ("pattern", "compilers"),
    [("= frem ", ("llc", "libnvvm")), (r"@llvm\.va_start", ("llc",))],
)
def test_excluded_there_and_generated_elsewhere(pattern: str, compilers: tuple[str, ...]):
    for compiler in compilers:
        assert _share(pattern, compiler) == 0
        assert _share(pattern, "ours-O0", compiler) == 0
    assert _share(pattern) > 0
    assert _share(pattern, "ours-O0") > 0
