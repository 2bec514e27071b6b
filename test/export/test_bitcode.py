"""Bitcode of the written assembly, and LLVM's messages for text that it rejects."""

from __future__ import annotations

import sys

import pytest

import nvvm_xdsl
from nvvm_xdsl.export import write_ll
from nvvm_xdsl.export.bitcode import assemble
from nvvm_xdsl.ir.diagnostics import DiagnosticError

TEXT = "define i32 @f(i32 %x) {\n  %y = add nsw i32 %x, 1\n  ret i32 %y\n}\n"


def test_bitcode_is_parsed_again():
    module = nvvm_xdsl.parse(TEXT)
    text = write_ll(module)
    assert write_ll(nvvm_xdsl.parse(assemble(text))) == text


def test_assembly_that_llvm_rejects_is_an_error():
    with pytest.raises(DiagnosticError) as caught:
        assemble("define i32 @f() {\n  ret i33 0\n}\n")
    assert "LLVM" in caught.value.message
    assert "'ret i33 0'" in caught.value.message


def test_without_llvmlite(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "llvmlite.binding", None)
    with pytest.raises(DiagnosticError, match=r"pip install 'nvvm-xdsl\[bitcode\]'"):
        assemble(TEXT)


def test_reading_without_llvmlite(monkeypatch: pytest.MonkeyPatch):
    data = assemble(TEXT)
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(DiagnosticError, match=r"pip install 'nvvm-xdsl\[bitcode\]'"):
        nvvm_xdsl.parse(data)
