"""The instruction tables against ptxas: everything that a row allows must assemble."""

from __future__ import annotations

from collections import defaultdict

import pytest
from assembling import assemble, needs_ptxas
from instruction_samples import Sample, all_samples, kernel_of

from nvvm_xdsl.codegen.convert_nvptx_to_ptx import convert
from nvvm_xdsl.dialects.ptx.printer import print_ptx


def grouped() -> dict[tuple[str, int], list[Sample]]:
    """The samples by the target and PTX version that the tables say they need."""
    groups: dict[tuple[str, int], list[Sample]] = defaultdict(list)
    for sample in all_samples():
        groups[sample.target.name, sample.ptx].append(sample)
    return groups


GROUPS = grouped()


@needs_ptxas
@pytest.mark.parametrize(("target", "ptx"), sorted(GROUPS), ids=str)
def test_every_row_assembles_for_what_it_requires(target: str, ptx: int):
    module = kernel_of(GROUPS[target, ptx], target, ptx)
    module.verify()
    assemble(print_ptx(convert(module)), target, "-O0")
