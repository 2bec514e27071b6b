"""The instruction tables against ptxas: everything that a row allows must assemble."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from helpers.assembling import assemble, needs_ptxas
from helpers.sample_instructions import TARGET_NAMES, every_sample, samples_of

from dev.instruction_samples import module_of
from nvvm_xdsl.codegen.emission.convert_nvptx_to_ptx import convert
from nvvm_xdsl.dialects.nvptx import NVPTX
from nvvm_xdsl.dialects.nvptx.instruction_rows import ROWS
from nvvm_xdsl.dialects.ptx.printer import print_ptx
from nvvm_xdsl.driver.toolkit import find_ptxas, release_of

PTXAS = find_ptxas()
RELEASE = None if PTXAS is None else release_of(PTXAS)
NEWEST_PTX = 90 if RELEASE is None else RELEASE.newest_ptx
"""The newest version, times ten, that ptxas supports; rows of later ones cannot be tested."""

NEW_INSTRUCTIONS = {
    91: {"multimem.cp.async.bulk", "multimem.cp.reduce.async.bulk", "tcgen05.ld.red"},
    93: {
        "clmad.hi", "clmad.lo", "fabric.submit", "fabric.try_get.async", "fabric.try_pullred.async",
        "fabric.try_put.async", "fabric.try_red.async", "fabric.wait", "mbarrier.check_layout",
        "multimem.red.async", "multimem.st.async",
    },
    94: {
        "applypriority.async.bulk", "applypriority.async.bulk.tensor", "fabric.try_atom.async",
        "fabric.try_get.async.tensor", "fabric.try_put.async.tensor", "spcompress", "spdecompress",
        "tcgen05.ld.red.spcompress", "tcgen05.ld.spcompress",
    },
    95: {"tensormap.query.alloc_class_large"},
}  # fmt: skip
"""Instructions introduced after PTX 9.0, by version times ten."""

ISA_INSTRUCTIONS = (Path(__file__).parent / "ptx_isa_instructions.txt").read_text().split("\n")
"""The instructions in the headings of the PTX ISA 9.1, chapter 9.7; later ones are in NEW_INSTRUCTIONS."""

ELSEWHERE = {
    "{}": "calls print their scopes",
    "@": "guards are a property of instructions",
    "bra": "nvptx.bra and nvptx.cbra",
    "brx.idx": "nvptx.brx",
    "call": "nvptx.call",
    "ret": "nvptx.ret",
    "shfl(deprecated)": "not on sm_70 and later",
    "vote(deprecated)": "not on sm_70 and later",
}
"""Instructions that have no row, with the reason."""


@needs_ptxas
@pytest.mark.parametrize("target", TARGET_NAMES)
def test_every_row_assembles_for_its_requirements(target: str):
    for ptx, samples in samples_of(target).items():
        known = [s for s in samples if s.requirement.ptx <= NEWEST_PTX and not s.is_one_more_shape]
        if known:
            module = module_of(known, target, ptx)
            module.verify()
            assemble(print_ptx(convert(module)), target, "-O0")


def test_only_the_newest_instructions_are_untested():
    tried = {s.row.mnemonic for s in every_sample() if s.requirement.ptx <= NEWEST_PTX}
    later = {v: names for v, names in NEW_INSTRUCTIONS.items() if v > NEWEST_PTX}
    assert set(ROWS) - tried == set().union(*later.values())


def has_row(name: str) -> bool:
    """Returns whether some row is the instruction, or a variant of it."""
    return any(m == name or m.startswith((f"{name}.", f"{name}::")) for m in ROWS)


@pytest.mark.parametrize("heading", ISA_INSTRUCTIONS)
def test_every_instruction_of_the_isa_has_a_row(heading: str):
    if heading in ELSEWHERE:
        return
    *_, names = heading.rpartition(": ")
    names = names.replace("wmma.store", "wmma.store.d")
    for name in re.split(r",\s*|\s*/\s*", names):
        # `rcp.approx.ftz.f64` has its own section besides that of `rcp`.
        base = name.partition(".approx")[0]
        base = {"mad.cc": "mad.lo.cc", "match.sync": "match.any.sync"}.get(base, base)
        assert has_row(base) or any(base.startswith(f"{m}.") for m in ROWS), name


def test_op_names_are_unique():
    names = [op.name for op in NVPTX.operations]
    assert len(names) == len(set(names))
