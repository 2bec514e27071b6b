"""Calls with signatures of LLVM's main branch, as calls with those of LLVM 22."""

from __future__ import annotations

import pytest

from nvvm_xdsl.dialects.nvvm.intrinsics import find_intrinsic
from nvvm_xdsl.dialects.nvvm.main_signatures import (
    PREFIX,
    Earlier,
    earlier_signature,
    has_more_arguments,
    is_renamed,
)


def earlier(name: str, arguments: str) -> Earlier | None:
    """Arguments are `-` for a value that is not constant, or an integer."""
    listed = arguments.split()
    values = [None if text == "-" else int(text) for text in listed]
    return earlier_signature(name, len(values), lambda index: values[index])


@pytest.mark.parametrize(
    ("name", "arguments", "wanted", "kept"),
    [
        ("mbarrier.init.p0", "- - 0", "mbarrier.init", (0, 1)),
        ("mbarrier.init.p3", "- - 0", "mbarrier.init.shared", (0, 1)),
        ("tcgen05.alloc.cg2.p3", "- - 0", "tcgen05.alloc.shared.cg2", (0, 1)),
        ("tcgen05.commit.mc.cg1.p3.i16", "- -", "tcgen05.commit.mc.shared.cg1", (0, 1)),
        ("tcgen05.dealloc.cg1", "- - 0", "tcgen05.dealloc.cg1", (0, 1)),
        ("cp.async.bulk.global.to.shared.cta", "- - - - - - - 1 0 0", "cp.async.bulk.global.to.shared.cta",
         (0, 1, 2, 3, 6, 7)),
        ("cp.async.bulk.tensor.g2s.tile.1d.i16", "- - - - - - 0 0 0 0", "cp.async.bulk.tensor.g2s.tile.1d",
         (0, 1, 2, 3, 4, 5, 6, 7, 8)),
        ("cp.async.bulk.tensor.g2s.cta.tile.1d", "- - - - - 1 0", "cp.async.bulk.tensor.g2s.cta.tile.1d",
         (0, 1, 2, 3, 4, 5)),
        ("cp.async.bulk.tensor.reduce.im2col.3d", "- - - - - - 7 0", "cp.async.bulk.tensor.reduce.xor.im2col.3d",
         (0, 1, 2, 3, 4, 5, 7)),
        ("fadd.ftz.sat.f32", "- - 3", "add.rm.ftz.sat.f", (0, 1)),
        ("fmul.f64", "- - 2", "mul.rp.d", (0, 1)),
        ("ff.to.e4m3x2.rn", "- - 0", "ff.to.e4m3x2.rn", (0, 1)),
        ("f2bf16.rz", "- 0", "f2bf16.rz", (0,)),
    ],
)  # fmt: skip
def test_calls_without_additions(name: str, arguments: str, wanted: str, kept: tuple[int, ...]):
    assert earlier(name, arguments) == (wanted, kept)
    intrinsic = find_intrinsic(PREFIX + wanted)
    assert intrinsic is not None
    assert len(intrinsic.arguments) == len(kept)
    assert is_renamed(name)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("mbarrier.init.p3", "- - 1"),
        ("mbarrier.init.p3", "- - -"),
        ("tcgen05.alloc.cg2.p3", "- - 1"),
        ("tcgen05.commit.mc.cg1.p3.i32", "- -"),
        ("tcgen05.dealloc.cg1", "- - 1"),
        ("f2bf16.rz", "- 1"),
        ("f2bf16.rz", "-"),
        ("tcgen05.dealloc.cg1", "- -"),
        ("cp.async.bulk.global.to.shared.cta", "- - - - - - - 1 1 0"),
        ("cp.async.bulk.global.to.shared.cta", "- - - - - - - 1 0 3"),
        ("cp.async.bulk.global.to.shared.cta", "- - - - - 1"),
        ("cp.async.bulk.tensor.g2s.tile.1d.i16", "- - - - - - 0 0 0 2"),
        ("cp.async.bulk.tensor.g2s.tile.1d.i32", "- - - - - - 0 0 0 0"),
        ("cp.async.bulk.tensor.g2s.tile.override.addr.1d.i16", "- - - - - - - 0 0 0 0"),
        ("cp.async.bulk.tensor.g2s.cta.tile.1d", "- - - - - 1 4"),
        ("cp.async.bulk.tensor.reduce.tile.1d", "- - - - 8 0"),
        ("cp.async.bulk.tensor.reduce.im2col.w.3d", "- - - - - - 7 0"),
        ("fadd.f32", "- - 4"),
        ("fadd.f32", "- - -"),
        ("fmul.sat.f32", "- - 1"),
        ("fadd.f16", "- - 1"),
        ("add.rn.f", "- -"),
    ],
)
def test_calls_that_keep_their_names(name: str, arguments: str):
    assert earlier(name, arguments) is None


def test_arguments_that_were_appended():
    assert has_more_arguments("tcgen05.dealloc.cg1", 3)
    assert has_more_arguments("cp.async.bulk.global.to.shared.cta", 10)
    assert has_more_arguments("cp.async.bulk.tensor.g2s.cta.tile.1d", 7)
    assert not has_more_arguments("tcgen05.dealloc.cg1", 2)
    assert not has_more_arguments("cp.async.bulk.global.to.shared.cta", 6)
    assert not has_more_arguments("cp.async.bulk.tensor.g2s.tile.1d", 10)
    assert not has_more_arguments("add.rn.f", 3)
