"""Atomic operations of NVVM IR and their PTX."""

from __future__ import annotations

import pytest

from nvvm_xdsl.lab.memory_model.lowering import (
    allowed_outcomes,
    check,
    faults,
    instructions,
    operations,
    our_compiler,
    shapes_for,
    weakened,
)
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
