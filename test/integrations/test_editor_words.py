"""Words that an editor completes and highlights."""

from __future__ import annotations

import pytest

from nvvm_xdsl.integrations.editor import Document
from nvvm_xdsl.integrations.editor_words import completions, words_of

LL = """\
; RUN: nvvm-opt %s -p 'function(sroa,simpl
define ptx_kernel void @kernel(ptr %pointer, i32 %n) {
entry:
  %sum = add i32 %n, 1
  %r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  store i32 %sum, ptr %pointer
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
MLIR = """\
llvm.func @kernel(%n: i32) attributes {nvvm.kernel} { // a comment
  llvm.return
}
"""


def offered(text: str, name: str, line: int, typed: str) -> list[str]:
    lines = text.split("\n")
    lines[line] = typed
    document = Document("\n".join(lines), name)
    return [word.text for word in completions(document, line, len(typed))]


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("  %x = ad", {"add", "addrspacecast"}),
        ("  %x = add i32 %s", {"%sum"}),
        ("  store i32 0, ptr %po", {"%pointer"}),
        ("  %x = call i32 @llvm.nvvm.read.ptx.sreg.ntid.", {"@llvm.nvvm.read.ptx.sreg.ntid.x"}),
        ("  call void @ker", {"@kernel"}),
        ("  %x = load flo", {"float"}),
        ("  noun", {"nounwind"}),
        ("; RUN: nvvm-opt %s -p 'function(sroa,simpl", {"simplifycfg", "simple-loop-unswitch"}),
        ("; RUN: nvvm-opt %s -p 'print<scal", {"print<scalar-evolution>"}),
    ],
)
def test_assembly(typed: str, expected: set[str]):
    found = offered(LL, "k.ll", 5, typed)
    assert expected <= set(found)
    assert len(set(found)) == len(found) < 60


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("  %x = llvm.mlir.con", "llvm.mlir.constant"),
        ("  nvvm.barrier", "nvvm.barrier0"),
        ("  %x = llvm.add %n, %n {a = #llvm.fast", "#llvm.fastmath"),
        ("  %x = llvm.inttoptr %n : i32 to !llvm.pt", "!llvm.ptr"),
    ],
)
def test_mlir(typed: str, expected: str):
    assert expected in offered(MLIR, "k.mlir", 1, typed)


def test_a_declared_intrinsic_is_offered_once():
    name = "@llvm.nvvm.read.ptx.sreg.tid.x"
    text = f"declare i32 {name}()\ndefine void @f() {{\n  %t = call i32 {name}"
    found = completions(Document(text, "k.ll"), 2, len(text.splitlines()[2]))
    assert [word.text for word in found] == [name]


def test_no_completions_without_a_prefix():
    assert offered(LL, "k.ll", 5, "  ") == []


@pytest.mark.parametrize(("text", "name"), [(LL, "k.ll"), (MLIR, "k.mlir")])
def test_kinds_of_words(text: str, name: str):
    lines = text.split("\n")
    kinds = {
        lines[line][start : start + length]: kind
        for line, start, length, kind in words_of(Document(text, name))
    }
    assert kinds["@kernel"] == "function"
    assert kinds["%n"] == "variable"
    assert kinds["i32"] == "type"
    if name == "k.ll":
        assert kinds[lines[0]] == "comment"
        assert kinds["add"] == "keyword"
        assert kinds["1"] == "number"
    else:
        assert kinds["// a comment"] == "comment"
        assert kinds["llvm.func"] == "keyword"


def test_hints_of_ranges_and_divergence():
    document = Document(LL, "k.ll")
    hints = {(line, text) for line, _, text in document.hints(0, len(LL))}
    assert (4, "[0, 1024) divergent") in hints
    assert not [text for line, text in hints if line == 3]
    assert list(document.hints(0, 3)) == []
