"""Every form of every row of the instruction tables is parsed as printed."""

from __future__ import annotations

import pytest
from helpers.sample_instructions import TARGET_NAMES, samples_of
from helpers.scale import share

from dev.instruction_samples import Sample, module_of
from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.codegen.from_ptx import convert as convert_from_ptx
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.frontend.ptx import read_ptx

ONE_IN_SHAPES = 6
"""The tested share of the shapes that differ from another in their number only (see `scale`)."""


def check(samples: list[Sample], target: str, ptx: int) -> None:
    printed = print_ptx(convert(module_of(samples, target, ptx)))
    read = convert_from_ptx(read_ptx(printed))
    assert print_ptx(convert(read)) == printed


def parsed_as_printed(sample: Sample) -> bool:
    """What requires 8-bit registers is printed with conversions around it, which are parsed as such."""
    types = sample.mods.split(".")[-2:]
    bytes_of_bf16 = "bf16" in types and ("u8" in types or "s8" in types)
    return not (bytes_of_bf16 or "e2m1x2" in types or "scaled::n1::ue8m0" in sample.mods)


@pytest.mark.parametrize("target", TARGET_NAMES)
def test_every_row_is_parsed_as_printed(target: str):
    for ptx, samples in samples_of(target).items():
        some = [s for s in samples if parsed_as_printed(s) and not s.is_one_more_shape]
        check(some, target, ptx)


@pytest.mark.slow
def test_every_shape_is_parsed_as_printed():
    for ptx, samples in samples_of("sm_90a").items():
        shapes = [s for s in samples if s.is_one_more_shape]
        check(share(shapes, ONE_IN_SHAPES, lambda s: s.opcode), "sm_90a", ptx)
