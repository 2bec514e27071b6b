"""Divisions of small numbers in single precision are exact."""

from __future__ import annotations

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.transforms.float_division import MAX_DIVIDEND

DIVISORS = [1, 2, 3, 5, 7, 41, 47, 255, 641, 1023, 4097, 65535, 65537, 2**19 - 1, 2**20 - 1, 2**20]
WIDE_DIVISORS = [2**24 + 1, 2**31 - 1, 2**31 + 129, 2**32 - 1]


def _quotients(dividends: np.ndarray, divisor: int, ulps: int) -> np.ndarray:
    """The quotients with a reciprocal that is wrong by a number of ulps."""
    one = np.float32(1)
    reciprocal = (one / np.float32(divisor)).view(np.int32) + np.int32(ulps)
    shifted = dividends.astype(np.float32) + np.float32(0.5)
    return np.trunc(shifted * reciprocal.view(np.float32)).astype(np.int64)


@pytest.mark.parametrize("ulps", [-1, 0, 1])
def test_every_dividend_is_divided_exactly(ulps: int):
    dividends = np.arange(MAX_DIVIDEND + 1, dtype=np.int64)
    for divisor in (*DIVISORS, *WIDE_DIVISORS):
        found = _quotients(dividends, divisor, ulps)
        assert np.array_equal(found, dividends // divisor), divisor


@pytest.mark.parametrize("ulps", [-1, 0, 1])
def test_dividends_next_to_a_multiple(ulps: int):
    for divisor in np.random.default_rng(7).integers(1, MAX_DIVIDEND, 2000):
        multiples = np.arange(divisor, MAX_DIVIDEND + 1, divisor, dtype=np.int64)[-200:]
        dividends = np.concatenate([multiples - 1, multiples])
        assert np.array_equal(_quotients(dividends, divisor, ulps), dividends // divisor)


KERNEL = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %in, ptr %out) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr [2 x i32], ptr %in, i64 %i
  %p1 = getelementptr i32, ptr %p, i64 1
  %x = load i32, ptr %p
  %y = load i32, ptr %p1
  {dividend}
  {divisor}
  %r = urem {type} %a, %b
  %q = udiv {type} %a, %b
  {results}
  %o = getelementptr [2 x i32], ptr %out, i64 %i
  %o1 = getelementptr i32, ptr %o, i64 1
  store i32 %qw, ptr %o
  store i32 %rw, ptr %o1
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
WORD = {
    "type": "i32",
    "dividend": f"%a = and i32 %x, {MAX_DIVIDEND}",
    "divisor": "%b = add i32 %y, 0",
    "results": "%qw = add i32 %q, 0\n  %rw = add i32 %r, 0",
}
HALF = {
    "type": "i16",
    "dividend": "%a = trunc i32 %x to i16",
    "divisor": "%b = trunc i32 %y to i16",
    "results": "%qw = zext i16 %q to i32\n  %rw = zext i16 %r to i32",
}


@pytest.mark.parametrize("parts", [WORD, HALF], ids=["i32", "i16"])
def test_quotient_and_remainder(parts: dict[str, str]):
    most = MAX_DIVIDEND if parts is WORD else 0xFFFF
    divisors = (*DIVISORS, *WIDE_DIVISORS) if parts is WORD else [b for b in DIVISORS if b <= most]
    pairs = [
        (a & 0xFFFFFFFF, b)
        for b in divisors
        for a in (0, 1, b - 1, b, b + 1, 3 * b - 1, 3 * b, most // b * b - 1, most, -1)
    ]
    data = np.array(pairs, np.uint32).reshape(-1)
    launch = Launch("k", 1, len(pairs), (data, np.zeros_like(data)))
    module = read_ll(KERNEL.format(**parts))
    assert_same_behaviour(module, "bypass-slow-division", [launch])
    run_pipeline(module, "bypass-slow-division")
    assert "rcp.approx" in str(module)
    assert "llvm.u" not in str(module).replace("llvm.uitofp", "")


@pytest.mark.parametrize(
    "change",
    [
        {"dividend": f"%a = and i32 %x, {2 * MAX_DIVIDEND + 1}"},
        {"dividend": "%a = add i32 %x, 0"},
        {"divisor": "%b = add i32 7, 0"},
    ],
)
def test_other_divisions_are_kept(change: dict[str, str]):
    module = read_ll(KERNEL.format(**{**WORD, **change}))
    run_pipeline(module, "instsimplify,bypass-slow-division")
    assert "rcp.approx" not in str(module)
    assert str(module).count("llvm.udiv") == str(module).count("llvm.urem") == 1


def test_an_undefined_dividend_has_one_value():
    module = read_ll(KERNEL.format(**WORD))
    run_pipeline(module, "bypass-slow-division")
    assert str(module).count("llvm.freeze") == 4
