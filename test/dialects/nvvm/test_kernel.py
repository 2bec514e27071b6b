"""Kernels and their launch bounds, in each representation."""

from __future__ import annotations

import pytest
from helpers.roundtrip import parse

from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds, is_kernel, launch_bounds


def function(text: str):
    return parse(f"llvm.func {text}").body.block.first_op


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@f()", False),
        ("@f() attributes {nvvm.kernel}", True),
        ("@f() attributes {gpu.kernel}", True),
        ("ptx_kernelcc @f()", True),
        ("ptx_devicecc @f()", False),
        ("fastcc @f() attributes {nvvm.maxntid = array<i32: 4>}", False),
    ],
)
def test_is_kernel(text: str, expected: bool):
    assert is_kernel(function(text)) is expected


BOUNDS = LaunchBounds(
    maxntid=(256, 2, 1),
    reqntid=(128, 1, 1),
    cluster_dim=(2, 1, 1),
    minctasm=3,
    maxnreg=64,
    cluster_max_blocks=8,
)


def test_attributes():
    func = function(
        "@f() attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 2, 1>, "
        "nvvm.reqntid = array<i32: 128, 1, 1>, nvvm.cluster_dim = array<i32: 2, 1, 1>, "
        "nvvm.minctasm = 3 : i32, nvvm.maxnreg = 64 : i32, nvvm.cluster_max_blocks = 8 : i32}"
    )
    assert launch_bounds(func) == BOUNDS


def test_strings_of_mlirs_importer():
    func = function(
        'ptx_kernelcc @f() attributes {passthrough = ["noinline", ["nvvm.maxntid", "256,2,1"], '
        '["nvvm.reqntid", "128,1,1"], ["nvvm.cluster_dim", "2,1,1"], ["nvvm.minctasm", "3"], '
        '["nvvm.maxnreg", "64"], ["nvvm.maxclusterrank", "8"], ["other", "x"]]}'
    )
    assert launch_bounds(func) == BOUNDS


def test_no_launch_bounds():
    bounds = launch_bounds(function("@f() attributes {nvvm.kernel}"))
    assert bounds == LaunchBounds()
    assert bounds.max_threads is None
    assert bounds.max_threads_in(0) is None


def test_blocks_are_clusters():
    assert launch_bounds(function("@f() attributes {nvvm.blocksareclusters}")).blocksareclusters


def test_threads():
    assert LaunchBounds(maxntid=(256, 2)).max_threads == 512
    assert LaunchBounds(maxntid=(256, 2)).max_threads_in(1) == 512, "only the product is bounded"
    exact = LaunchBounds(reqntid=(64, 4))
    assert [exact.max_threads_in(d) for d in range(3)] == [64, 4, 1]


def test_invalid_numbers_are_ignored():
    func = function('@f() attributes {passthrough = [["nvvm.maxntid", "many"]]}')
    assert launch_bounds(func).maxntid is None
