"""Every form of every row of the instruction tables is parsed as printed."""

from __future__ import annotations

from collections import defaultdict

import pytest

from dev.instruction_samples import Sample, all_samples, module_of
from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.codegen.from_ptx import convert as convert_from_ptx
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.frontend.ptx import read_ptx


def grouped() -> dict[tuple[str, int], list[Sample]]:
    """Returns the samples by the target and PTX version that they need."""
    groups: dict[tuple[str, int], list[Sample]] = defaultdict(list)
    for sample in all_samples():
        # Packed 4-bit floats are printed with conversions around them, which are parsed as such.
        if "e2m1x2" in sample.mods:
            continue
        groups[sample.target.name, sample.ptx].append(sample)
    return groups


GROUPS = grouped()


def check(samples: list[Sample], target: str, ptx: int) -> None:
    printed = print_ptx(convert(module_of(samples, target, ptx)))
    read = convert_from_ptx(read_ptx(printed))
    assert print_ptx(convert(read)) == printed


@pytest.mark.parametrize(("target", "ptx"), sorted(GROUPS), ids=str)
def test_every_row_is_parsed_as_printed(target: str, ptx: int):
    some = [sample for sample in GROUPS[target, ptx] if not sample.is_one_more_shape]
    check(some, target, ptx)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("target", "ptx"),
    sorted(key for key, samples in GROUPS.items() if any(s.is_one_more_shape for s in samples)),
    ids=str,
)
def test_every_shape_is_parsed_as_printed(target: str, ptx: int):
    check([s for s in GROUPS[target, ptx] if s.is_one_more_shape], target, ptx)
