"""Kernels for comparison with another compiler have no shape that it is known to miscompile."""

from __future__ import annotations

import re

import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.fuzz import Options

SEEDS = range(40)
MORE_SEEDS = range(400)
"""Enough seeds for the rarest shape."""


def _occurs(pattern: str, seeds: range, *against: str) -> bool:
    """Returns whether a kernel has a match."""
    options = Options(against=against)
    return any(re.search(pattern, options.text(seed)) for seed in seeds)


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
        assert not _occurs(pattern, SEEDS, compiler)
        assert not _occurs(pattern, SEEDS, "ours-O0", compiler)
    assert _occurs(pattern, MORE_SEEDS)
    assert _occurs(pattern, MORE_SEEDS, "ours-O0")


def test_an_integer_that_becomes_a_half_is_masked_for_other_compilers():
    """The maximum of a half is 65504; the conversion of a larger integer is infinite."""
    texts = (Options(against=("llc",)).text(seed) for seed in MORE_SEEDS)
    text = next(
        text for text in texts if re.search(r"\.fits = and i32 .*\n.* to half$", text, re.MULTILINE)
    )
    found = re.findall(
        r"(%\w+)\.fits = and i32 \S+, 32767\n +(\S+) = \w+(?: nneg)? i32 (\S+) to half", text
    )
    assert found
    assert all(name == result and f"{name}.fits" == used for name, result, used in found)
    read_ll(text)
