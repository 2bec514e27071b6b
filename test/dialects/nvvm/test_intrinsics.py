"""The table of LLVM's intrinsics."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.nvvm.intrinsics import all_intrinsics, find_intrinsic


def test_number_of_intrinsics():
    # 2569 of LLVM 22, and those of its main branch.
    assert len(all_intrinsics()) == 2973


def test_an_intrinsic_without_immediates_and_overloads():
    found = find_intrinsic("llvm.nvvm.shfl.sync.bfly.i32p")
    assert found is not None
    assert found.results == ("i32", "i1")
    assert found.arguments == ("i32", "i32", "i32", "i32")
    assert "c" in found.properties
    assert not found.is_pure


def test_a_special_register():
    found = find_intrinsic("llvm.nvvm.read.ptx.sreg.tid.x")
    assert found is not None
    assert found.is_pure
    assert found.range == (0, 1024)


def test_immediates():
    found = find_intrinsic("llvm.nvvm.cp.async.bulk.global.to.shared.cluster")
    assert found is not None
    assert found.immediates == {6, 7}


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("llvm.nvvm.fabs.f32", "llvm.nvvm.fabs"),
        ("llvm.nvvm.ldu.global.i.i32.p1", "llvm.nvvm.ldu.global.i"),
        ("llvm.memcpy.p0.p0.i64", "llvm.memcpy"),
        ("llvm.nvvm.fma.rn.f", "llvm.nvvm.fma.rn.f"),
    ],
)
def test_overloaded_names(name: str, known: str):
    found = find_intrinsic(name)
    assert found is not None
    assert found.name == known


@pytest.mark.parametrize(
    "name",
    [
        "llvm.nvvm.nothing",
        "llvm.nvvm",
        "llvm",
        "",
        "llvm.nvvm.fma.rn.f.x",
        "printf",
        "llvm.nvvm.barrier0",
    ],
)
def test_names_that_are_no_intrinsics(name: str):
    assert find_intrinsic(name) is None
