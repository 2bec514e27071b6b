"""Atomic loads and stores with `elementwise` access each element; `fmaximumnum` is the maximum of PTX."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.ll_kernels import HEADER, kernel, run

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir.diagnostics import DiagnosticError


def accesses(instruction: str, name: str) -> list[str]:
    """The ops of a name after an instruction of a function, with their orders and types."""
    text = f"define void @f(ptr %p, <4 x i32> %v, <2 x i16> %w, <2 x i128> %q) {{\n {instruction}\n ret void\n}}"
    printed = str(parse(HEADER + text, format="ll"))
    return [
        re.sub(r"%\w+|,", "", line.partition(f"llvm.{name} ")[2])
        for line in printed.splitlines()
        if f"llvm.{name} " in line
    ]


def test_each_element_is_loaded():
    found = accesses(
        '%x = load atomic volatile elementwise <4 x i32>, ptr %p syncscope("block") acquire, align 8',
        "load",
    )
    assert [line.split("alignment = ")[1].split()[0] for line in found] == ["8", "4", "8", "4"]
    assert all(
        "volatile" in line and "acquire" in line and "block" in line and "-> i32" in line
        for line in found
    )


def test_each_element_is_stored():
    found = accesses("store atomic elementwise <4 x i32> %v, ptr %p release, align 4", "store")
    assert len(found) == 4
    assert all("release" in line and "i32" in line for line in found)


@pytest.mark.parametrize(
    ("instruction", "name"),
    [
        ("%x = load atomic elementwise <2 x i16>, ptr %p monotonic, align 4", "load"),
        ("store atomic elementwise <2 x i16> %w, ptr %p monotonic, align 4", "store"),
    ],
    ids=["load", "store"],
)
def test_small_vectors_are_accessed_as_a_whole(instruction: str, name: str):
    (found,) = accesses(instruction, name)
    assert "vector<2xi16>" in found


def test_an_alignment_below_the_size_separates_small_vectors():
    assert (
        len(accesses("%x = load atomic elementwise <2 x i16>, ptr %p monotonic, align 2", "load"))
        == 2
    )


@pytest.mark.parametrize(
    ("instruction", "message"),
    [
        ("%x = load elementwise <2 x i32>, ptr %p", "must be atomic"),
        ("store elementwise <4 x i32> %v, ptr %p", "must be atomic"),
        ("%x = load atomic elementwise <2 x i32>, ptr %p seq_cst, align 8", "cannot be seq_cst"),
        ("store atomic elementwise <4 x i32> %v, ptr %p seq_cst, align 16", "cannot be seq_cst"),
        ("%x = load atomic elementwise i32, ptr %p monotonic, align 4", "elementwise access of i32"),
        ("%x = load atomic elementwise <2 x i24>, ptr %p monotonic, align 8", "elementwise access of <2 x i24>"),
    ],
)  # fmt: skip
def test_errors(instruction: str, message: str):
    with pytest.raises(DiagnosticError, match=message):
        accesses(instruction, "load")


def test_values():
    body = """  %a = getelementptr <4 x i32>, ptr %in, i64 %i
  %b = getelementptr <4 x i32>, ptr %out, i64 %i
  %x = load atomic elementwise <4 x i32>, ptr %a acquire, align 16
  store atomic elementwise <4 x i32> %x, ptr %b release, align 16
  ret void"""
    data = np.arange(128, dtype=np.uint32)
    out = np.zeros_like(data)
    run(kernel("ptr %in, ptr %out", body), [data, out])
    assert out.tolist() == data.tolist()


@pytest.mark.parametrize(
    ("operation", "values", "wanted"),
    [
        ("fmaximumnum", [1.0, np.nan, 3.0, 2.0], 3.0),
        ("fminimumnum", [1.0, np.nan, -3.0, 2.0], -3.0),
        ("fmaximumnum", [-0.0, 0.0, np.nan, -0.0], 0.0),
    ],
)
def test_maxima_of_numbers(operation: str, values: list[float], wanted: float):
    body = f"""  %a = getelementptr float, ptr %in, i64 %i
  %x = load float, ptr %a
  %o = atomicrmw {operation} ptr %out, float %x monotonic
  ret void"""
    out = np.array([np.nan], np.float32)
    run(kernel("ptr %in, ptr %out", body), [np.array(values, np.float32), out], block=4)
    assert out.tobytes() == np.float32(wanted).tobytes()
