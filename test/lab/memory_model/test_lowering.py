"""Atomic operations of NVVM IR and their PTX."""

from __future__ import annotations

import pytest

from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.lab.memory_model.lowering import (
    NO_REPETITION,
    Checks,
    allowed_outcomes,
    check,
    faults,
    instructions,
    operations,
    our_compiler,
    shapes_for,
    weakened,
    without_types,
)
from nvvm_xdsl.lab.memory_model.module_program import ptx_program
from nvvm_xdsl.lab.memory_model.search import outcomes
from nvvm_xdsl.lab.memory_model.shapes import Operation, Shape, shapes

OPERATIONS = [
    Operation("load", "acquire", "device"),
    Operation("load", "seq_cst"),
    Operation("load", "acquire", "cluster", type="i8", space="shared"),
    Operation("store", "release", "block", space="generic"),
    Operation("store", "seq_cst", "device", type="i64"),
    Operation("atomicrmw", "acq_rel", "device"),
    Operation("cmpxchg-failure", "monotonic", "device", "acquire"),
    Operation("cmpxchg-success", "release"),
    Operation("fence", "acquire", "block"),
    Operation("fence", "seq_cst", "device"),
]


def shape_of(operation: Operation, name: str) -> Shape:
    """A shape of an operation by its name."""
    return next(shape for shape in shapes(operation) if shape.name == f"{name} with seq_cst")


@pytest.mark.parametrize("operation", OPERATIONS, ids=str)
@pytest.mark.parametrize("name", ["MP", "SB"])
def test_lowering_adds_no_outcome(operation: Operation, name: str):
    shape = shape_of(operation, name)
    assert check(shape, our_compiler(shape.text(), "sm_90"), allowed_outcomes(shape)) is None


@pytest.mark.parametrize(
    ("operation", "name", "change"),
    [
        (Operation("load", "acquire", "device"), "MP", ("ld.acquire", "ld.relaxed")),
        (Operation("load", "acquire", "device"), "MP", ("ld.acquire.gpu", "ld.acquire.cta")),
        (Operation("store", "release", ""), "MP", ("st.release", "st.relaxed")),
        (Operation("store", "release", ""), "MP", ("st.release.sys", "st.release.gpu")),
        (Operation("store", "seq_cst", ""), "SB", ("fence.sc.sys;", "")),
        (Operation("load", "seq_cst", "device"), "SB", ("fence.sc", "fence.acq_rel")),
        (Operation("fence", "seq_cst", "device"), "SB", ("fence.sc.gpu;", "")),
        (Operation("fence", "acq_rel", "device"), "MP", ("fence.acq_rel.gpu", "fence.acq_rel.cta")),
        (Operation("atomicrmw", "acq_rel", "device"), "MP", ("acq_rel", "relaxed")),
        (Operation("cmpxchg-failure", "monotonic", "", "acquire"), "MP", ("acquire", "relaxed")),
    ],
    ids=str,
)  # fmt: skip
def test_planted_faults_are_found(operation: Operation, name: str, change: tuple[str, str]):
    shape = shape_of(operation, name)
    ptx = our_compiler(shape.text(), "sm_90")
    assert change[0] in ptx
    assert check(shape, ptx.replace(*change), allowed_outcomes(shape)) is not None


@pytest.mark.parametrize(("arch", "blocks"), [("sm_80", 1), ("sm_90", 2)])
def test_a_cluster_has_one_block_before_sm_90(arch: str, blocks: int):
    operation = Operation("load", "monotonic", "cluster")
    shape = next(s for s in shapes_for(operation, arch) if s.name == "CoRR with seq_cst")
    assert len({place.cta for place in shape.places().values()}) == blocks
    assert check(shape, our_compiler(shape.text(), arch), allowed_outcomes(shape)) is None


def test_faults_of_each_architecture():
    def forget(text: str, arch: str) -> str:
        ptx = our_compiler(text, arch)
        return ptx if arch == "sm_90" else ptx.replace("ld.acquire.gpu", "ld.relaxed.gpu")

    operation = Operation("load", "acquire", "device")
    found = faults(operation, ("sm_80", "sm_90"), forget)
    assert "MP with acquire" in [fault.shape.name for fault in found["sm_80"]]
    assert found["sm_90"] == []


@pytest.mark.parametrize("name", ["MP", "CoRR"])
def test_failed_iterations_of_loops_add_no_outcome(name: str):
    shape = shape_of(Operation("atomicrmw", "acq_rel", "device", type="i8"), name)
    ptx = read_ptx(our_compiler(shape.text(), "sm_90"))
    none, some = (
        outcomes(ptx_program(ptx, shape.places(), shape.observed, bound))
        for bound in (NO_REPETITION, 1)
    )
    assert none == some
    assert len(none) > 1


def test_programs_that_differ_in_types_and_spaces_are_checked_once():
    checks = Checks()
    for type_, space in (
        ("i32", "global"),
        ("i64", "global"),
        ("i32", "shared"),
        ("i128", "global"),
    ):
        operation = Operation("load", "acquire", "device", type=type_, space=space)
        assert faults(operation, ("sm_90",), checks=checks) == {"sm_90": []}
    one = len(shapes(operation))
    assert len(checks.results) == 2 * one  # An i128 has instructions for its halves.
    faults(Operation("load", "acquire", "device", type="double"), ("sm_90",), checks=checks)
    assert len(checks.results) == 3 * one  # The constants of a double have other bits.


def test_without_types():
    first = ".entry P0()\n{\n\t.reg .b32 \t%r<3>;\n\tld.acquire.gpu.global.b32 \t%r2, [x];\n}\n"
    second = ".entry P0()\n{\n\t.reg .b64 \t%rd<9>;\n\tld.acquire.gpu.shared.b64 \t%rd7, [x];\n}\n"
    assert without_types(first) == without_types(second)
    assert without_types(first) != without_types(second.replace("acquire", "relaxed"))
    assert without_types(first) != without_types(second.replace("gpu", "cta"))


def test_accesses_of_several_sizes_are_omitted():
    checks = Checks()
    faults(Operation("cmpxchg-failure", "acquire", "device", type="i8"), ("sm_90",), checks=checks)
    names = {shape.name for shape, _ in checks.omitted}
    assert "MP with seq_cst" in names or "SB with seq_cst" in names
    assert len(checks.omitted) < len(checks.results)


def test_constants_of_bfloat():
    shape = shape_of(Operation("load", "acquire", "device", type="bfloat"), "MP")
    values = {dict(outcome)["r0"] for outcome in allowed_outcomes(shape)}
    assert values == {0, 0x3F80}
    assert check(shape, our_compiler(shape.text(), "sm_90"), allowed_outcomes(shape)) is None


def test_instructions():
    assert instructions(Operation("load", "seq_cst", "device"), "sm_90") == [
        "fence.sc.gpu", "ld.acquire.gpu",
    ]  # fmt: skip
    assert instructions(Operation("fence", "release", "singlethread"), "sm_90") == []


def test_weakened():
    ptx = "\tfence.sc.gpu;\n\tld.acquire.gpu.global.b32 \t%r1, [x];\n"
    changes = [change for change, _ in weakened(ptx)]
    assert changes == [
        "without fence.sc.gpu",
        "fence.sc.gpu as fence.acq_rel.gpu",
        "fence.sc.gpu as fence.sc.cluster",
        "ld.acquire.gpu.global.b32 as ld.relaxed.gpu.global.b32",
        "ld.acquire.gpu.global.b32 as ld.acquire.cluster.global.b32",
    ]


def test_operations():
    found = list(operations())
    assert len(found) == len(set(found)) == 235
