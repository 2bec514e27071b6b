"""The process that disassembles bitcode."""

from __future__ import annotations

import pytest

import nvvm_xdsl
from nvvm_xdsl.export.bitcode import assemble
from nvvm_xdsl.frontend import bitcode
from nvvm_xdsl.frontend.bitcode import disassemble, kept_disassembler
from nvvm_xdsl.ir.diagnostics import DiagnosticError

TEXT = "%pair = type { i32, i64 }\n\ndefine void @f(ptr byval(%pair) %p) {\n  ret void\n}\n"
DATA = assemble(TEXT)


def test_one_process_reads_several_modules(monkeypatch: pytest.MonkeyPatch):
    """Structs keep their names, and an error does not end the process."""
    starts: list[object] = []
    start = bitcode._start  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(bitcode, "_start", lambda: starts.append(None) or start())
    alone = disassemble(DATA)
    assert "%pair = type { i32, i64 }" in alone
    with kept_disassembler():
        assert disassemble(DATA) == alone
        with pytest.raises(DiagnosticError, match="cannot read the bitcode: LLVM bitcode parsing"):
            nvvm_xdsl.parse(DATA[:8] + b"\xff" * (len(DATA) - 8))
        assert disassemble(DATA) == alone
    assert len(starts) == 2


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("import os; os.abort()", "LLVM's bitcode reader crashed"),
        ("import sys; sys.stdin.buffer.read(8); sys.exit()", "LLVM's bitcode reader crashed"),
        ("import sys; sys.exit('no library')", "no library"),
    ],
)
def test_a_process_that_ends_is_started_again(
    code: str, message: str, monkeypatch: pytest.MonkeyPatch
):
    with kept_disassembler():
        with monkeypatch.context() as patched:
            patched.setattr(bitcode, "_DISASSEMBLER", code)
            with pytest.raises(DiagnosticError, match=f"cannot read the bitcode: {message}"):
                nvvm_xdsl.parse(DATA)
        assert "@f" in disassemble(DATA)
