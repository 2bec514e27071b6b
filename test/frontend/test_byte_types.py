"""Byte types of LLVM's main branch, `b8` to `b128`, are integers that may contain parts of pointers."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.ll_kernels import HEADER, kernel, run

from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir.diagnostics import DiagnosticError

GLOBALS = """
@word = addrspace(1) global b32 5
@text = addrspace(1) global [4 x b8] c"abcd"
@pair = addrspace(1) global <2 x b16> <b16 1, b16 -1>
@mixed = addrspace(1) global {b8, i8} {b8 1, i8 2}
"""

FUNCTION = """
declare b16 @g(b16 zeroext)

define <4 x b8> @f(ptr %p, b32 %x, b7 zeroext %n, <4 x b8> %v, i1 %c) {
  %a = alloca b64
  %b = load atomic b32, ptr %p monotonic, align 4
  %t = freeze b32 %b
  %s = select i1 %c, b32 %t, b32 zeroinitializer
  %y = bitcast b32 %s to float
  store float %y, ptr %a
  %q = getelementptr b8, ptr %p, i64 1
  store b32 %x, ptr %q, align 1
  %r = call b16 @g(b16 zeroext 3)
  %w = insertelement <4 x b8> %v, b8 7, i32 1
  ret <4 x b8> %w
}
"""


@pytest.mark.parametrize("text", [GLOBALS, FUNCTION], ids=["globals", "function"])
def test_bytes_are_integers(text: str):
    wanted = parse(HEADER + re.sub(r"\bb(\d+)\b", r"i\1", text), format="ll")
    assert str(parse(HEADER + text, format="ll")) == str(wanted)


@pytest.mark.parametrize(
    ("source", "target", "wanted"),
    [
        ("b64", "ptr", "llvm.inttoptr"),
        ("ptr", "b64", "llvm.ptrtoint"),
        ("ptr addrspace(6)", "b32", "llvm.ptrtoint"),
        ("<2 x b32>", "ptr", "llvm.bitcast llvm.inttoptr"),
        ("ptr", "<8 x b8>", "llvm.ptrtoint llvm.bitcast"),
        ("<2 x ptr>", "b128", "llvm.ptrtoint llvm.bitcast"),
        ("<2 x b64>", "<2 x ptr>", "llvm.inttoptr"),
    ],
)
def test_pointers_as_bytes(source: str, target: str, wanted: str):
    text = f"define {target} @f({source} %x) {{\n %y = bitcast {source} %x to {target}\n ret {target} %y\n}}"
    printed = str(parse(HEADER + text, format="ll"))
    assert " ".join(re.findall(r"llvm\.(?:bitcast|inttoptr|ptrtoint)", printed)) == wanted


def test_a_variable_with_the_bytes_of_an_address():
    text = "@q = global i32 4\n@k = global b64 bitcast (ptr @q to b64)"
    assert "llvm.ptrtoint" in str(parse(HEADER + text, format="ll"))


@pytest.mark.parametrize(
    ("source", "target"),
    [("i64", "ptr"), ("ptr", "i64"), ("b32", "ptr"), ("ptr", "<2 x b64>"), ("b64", "i32")],
)
def test_errors(source: str, target: str):
    text = f"define {target} @f({source} %x) {{\n %y = bitcast {source} %x to {target}\n ret {target} %y\n}}"
    with pytest.raises(DiagnosticError, match="invalid bitcast"):
        parse(HEADER + text, format="ll")


def test_a_pointer_that_is_copied_in_bytes():
    body = """  %slot = alloca ptr
  %copy = alloca ptr
  %mine = getelementptr i32, ptr %out, i64 %i
  store ptr %mine, ptr %slot
  %half = getelementptr b32, ptr %slot, i64 1
  %low = load b32, ptr %slot
  %high = load b32, ptr %half
  %upper = getelementptr b32, ptr %copy, i64 1
  store b32 %high, ptr %upper
  store b32 %low, ptr %copy
  %back = load ptr, ptr %copy
  store i32 %tid, ptr %back
  ret void"""
    out = np.zeros(32, np.uint32)
    run(kernel("ptr %out", body), [out])
    assert out.tolist() == list(range(32))
