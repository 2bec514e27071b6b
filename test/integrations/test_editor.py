"""Queries of an editor about a text."""

from __future__ import annotations

import pytest
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.integrations.editor import Document, Span
from nvvm_xdsl.ir.diagnostics import DiagnosticError

LL = """\
@table = addrspace(3) global [64 x float] undef, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @other(ptr %p) {
  store i32 1, ptr %p
  ret void
}

define ptx_kernel void @sum(ptr addrspace(1) %x, i32 %n, i32) !dbg !5 {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = and i32 %tid, 24
  %far = shl i32 %tid, 5
  br label %loop

loop:
  %i = phi i32 [ 0, %1 ], [ %next, %loop ]
  %q = getelementptr float, ptr addrspace(1) %x, i32 %tid
  %v = load float, ptr addrspace(1) %q, !dbg !9
  %s = getelementptr float, ptr addrspace(3) @table, i32 %far
  store float %v, ptr addrspace(3) %s
  %next = add i32 %i, 1
  %go = icmp slt i32 %next, %n
  br i1 %go, label %loop, label %end

end:
  ret void
}
!llvm.dbg.cu = !{!6}
!llvm.module.flags = !{!8}
!4 = !DISubroutineType(types: !{})
!5 = distinct !DISubprogram(name: "sum", file: !7, line: 1, type: !4, unit: !6)
!6 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !7, emissionKind: FullDebug)
!7 = !DIFile(filename: "elsewhere.cu", directory: "/")
!8 = !{i32 2, !"Debug Info Version", i32 3}
!9 = !DILocation(line: 40, column: 3, scope: !5)
"""

MLIR = """\
module {
  llvm.func @first(%p: !llvm.ptr) attributes {nvvm.kernel} {
    llvm.return
  }
  llvm.func @second(%p: !llvm.ptr, %n: i32) attributes {nvvm.kernel} {
    %t = nvvm.read.ptx.sreg.tid.x range <i32, 0, 128> : i32
    llvm.br ^go(%t : i32)
  ^go(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    llvm.return
  }
}
"""


def at(text: str, line_text: str, word: str) -> tuple[int, int]:
    """Returns the position of a word on the line that contains a text."""
    lines = text.split("\n")
    (number,) = [n for n, line in enumerate(lines) if line_text in line]
    return number, lines[number].index(word)


@pytest.fixture(scope="module")
def ll() -> Document:
    document = Document(LL, "sum.ll")
    assert document.problems == []
    return document


@pytest.fixture(scope="module")
def mlir() -> Document:
    document = Document(MLIR, "two.mlir")
    assert document.problems == []
    return document


@pytest.mark.parametrize(
    ("line", "word", "reported"),
    [
        ("%tid = call", "%tid", ["%tid : i32", "divergent", "range `[0, 1024)`"]),
        ("%low = and", "%low", ["%low : i32", f"bits `{'0' * 27}??000`"]),
        ("@sum(", "%n", ["%n : i32", "uniform"]),
        ("@sum(", "%x", ["%x : !llvm.ptr<1>", "uniform"]),
        ("%i = phi", "%i", ["%i : i32", "uniform"]),
        ("%next = add", "%i", ["%i : i32", "uniform"]),
        ("%v = load", "%q", ["%q : !llvm.ptr<1>", "4 transactions a warp, coalesced"]),
        ("%v = load", "%v", ["%v : f32", "divergent"]),
        ("store float", "%s", ["32-way conflict"]),
        ("%s = get", "@table", ["@table = addrspace(3) global [64 x float]"]),
        ("%tid = call", "@llvm", ["declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"]),
    ],
)
def test_hover_in_assembly(ll: Document, line: str, word: str, reported: list[str]):
    found = ll.hover(*at(LL, line, word))
    assert found is not None
    text, span = found
    for words in reported:
        assert words in text
    assert LL.split("\n")[span.line][span.start : span.end].startswith(word)


@pytest.mark.parametrize(
    ("line", "word", "reported"),
    [
        ("%t = nvvm", "%t", ["%t : i32", "range `[0, 128)`", "divergent"]),
        ("@second", "%n", ["%n : i32", "uniform"]),
        ("llvm.store", "%i", ["%i : i32", "range `[0, 128)`", "divergent"]),
        ("llvm.store", "%p", ["%p : !llvm.ptr", "uniform"]),
    ],
)
def test_hover_in_mlir(mlir: Document, line: str, word: str, reported: list[str]):
    found = mlir.hover(*at(MLIR, line, word))
    assert found is not None
    for words in reported:
        assert words in found[0]


@pytest.mark.parametrize(
    ("line", "word", "target"),
    [
        ("%v = load", "%q", ("%q = get", "%q")),
        ("%s = get", "@table", ("@table =", "@table")),
        ("%next = add", "%i", ("%i = phi", "%i")),
        ("br i1", "%loop", ("loop:", "loop")),
        ("br i1", "%end", ("end:", "end")),
        ("store i32 1", "%p", ("@other", "%p")),
        ("%s = get", "%far", ("%far = ", "%far")),
    ],
)
def test_definitions_in_assembly(ll: Document, line: str, word: str, target: tuple[str, str]):
    number, column = at(LL, *target)
    assert ll.definition(*at(LL, line, word)) == Span(
        number, column, column + len(target[1].rstrip())
    )


def test_names_belong_to_their_function(mlir: Document):
    assert mlir.definition(*at(MLIR, "llvm.store", "%p")) == Span(*_span(MLIR, "@second", "%p"))
    assert mlir.definition(*at(MLIR, "llvm.br", "^go")) == Span(*_span(MLIR, "^go(%i: ", "^go"))
    references = mlir.references(*at(MLIR, "llvm.store", "%p"))
    assert [span.line for span in references] == [4, 8]


def _span(text: str, line: str, word: str) -> tuple[int, int, int]:
    number, column = at(text, line, word)
    return number, column, column + len(word)


def test_references_and_outline(ll: Document):
    lines = [span.line for span in ll.references(*at(LL, "%tid = call", "%tid"))]
    assert lines == [at(LL, text, "%")[0] for text in ("%tid = call", "%low", "%far = ", "%q = ")]
    assert [(name, is_function) for name, _, is_function in ll.outline()] == [
        ("@table", False),
        ("@llvm.nvvm.read.ptx.sreg.tid.x", True),
        ("@other", True),
        ("@sum", True),
    ]


@pytest.mark.parametrize(
    ("text", "name", "line", "covered", "message"),
    [
        ("define void @f() {\n  ret voi\n}", "a.ll", 1, "voi", "type"),
        ("define void @f() {\n  %a = add i32 %b, 1\n  ret void\n}", "a.ll", 1, "%b", "%b"),
        ("llvm.func @f() {\n  %x = llvm.mlir.constant(1 : foo) : i32\n}", "a.mlir", 1, "foo", "type"),
        ("llvm.func @f(%x: i32) -> i64 {\n  llvm.return %x : i32\n}", "a.mlir", 1, "llvm.return",
         "must return i64, returns i32"),
    ],
)  # fmt: skip
def test_errors_have_their_location(text: str, name: str, line: int, covered: str, message: str):
    (problem,) = Document(text, name).problems
    span = problem.span
    assert span.line == line
    assert text.split("\n")[line][span.start : span.end] == covered
    assert message in problem.message


@pytest.mark.parametrize("text", ["", "\n\n", "define", 'define void @"a b"() {', "}", "%x"])
@pytest.mark.parametrize("name", ["a.ll", "a.mlir", "untitled"])
def test_incomplete_text_is_no_failure(text: str, name: str):
    document = Document(text, name)
    for line in range(len(document.lines) + 1):
        for column in range(12):
            document.hover(line, column)
            document.definition(line, column)
            document.references(line, column)
    document.outline()


BROKEN = """\
define i32 @f(i32 %x) {
  %a = ad i32 %x, 1
  %b = add i32 %x, 2
  %c = mul i32 %a, %b
  %d = sub i64 %b, 1
  ret i32 %b
}

define void @g(ptr %p) {
  stoer i32 1, ptr %p
  rte void
}
"""


def test_all_errors_are_reported_and_none_follows_from_another():
    document = Document(BROKEN, "k.ll")
    assert [problem.span.line for problem in document.problems] == [1, 4, 9, 10]


def test_hover_works_while_other_lines_are_broken():
    document = Document(BROKEN, "k.ll")
    found = document.hover(5, 11)
    assert found is not None
    assert "%b" in found[0]
    assert "i32" in found[0]


TYPED_LL = """\
define i32 @f(ptr %p, i32 %n) {{
  %a = mul i32 %n, 3
  {typed}
  %b = add i32 %a, 5
  store i32 %b, ptr %p
  ret i32 %b
}}
define void @g() {{
  ret void
}}
"""
TYPED_MLIR = """\
llvm.func @f(%p: !llvm.ptr, %n: i32) -> i32 {{
  %a = llvm.mul %n, %n : i32
  {typed}
  %b = llvm.add %a, %n : i32
  llvm.store %b, %p : i32, !llvm.ptr
  llvm.return %b : i32
}}
"""


@pytest.mark.parametrize(
    ("text", "name", "typed"),
    [
        *((TYPED_LL, "k.ll", typed) for typed in (
            "store", "store i32 %a", "store i32 %a,", "store i32 %a, ptr", "%x =", "%x = add",
            "%x = add i32 %a,", "%x = getelementptr [", "br i1", "%x = call i32 @f(",
        )),
        *((TYPED_MLIR, "k.mlir", typed) for typed in (
            "llvm.sto", "llvm.store %a", "llvm.store %a, %p :", "%x =", "%x = llvm.add",
            "%x = llvm.add %a, %n", "%x = llvm.load %p {alignment = 4 : i64", "llvm.cond_br %a, ^bb1",
        )),
    ],
)  # fmt: skip
def test_hover_works_while_a_line_is_typed(text: str, name: str, typed: str):
    """The one error is in this line, although the parser finds it in the next one."""
    document = Document(text.format(typed=typed), name)
    assert [problem.span.line for problem in document.problems] == [2]
    for line, value in ((1, "%a"), (3, "%b")):
        found = document.hover(line, 3)
        assert found is not None
        assert f"{value} : i32" in found[0]


def test_users_of_an_unfinished_value_are_no_errors():
    text = TYPED_LL.format(typed="%x = add i32 %a").replace("add i32 %a, 5", "add i32 %x, 5")
    document = Document(text, "k.ll")
    (problem,) = document.problems
    assert problem.span == Span(2, 15, 17)
    assert problem.message == "the line is not complete (expected ',', found '%b')"


def test_a_wrong_line_after_a_correct_one_is_the_error():
    document = Document(TYPED_LL.format(typed="frob i32 %a"), "k.ll")
    assert [problem.message for problem in document.problems] == ["unknown instruction 'frob'"]


def test_an_error_that_remains_is_reported_once():
    document = Document(TYPED_LL.format(typed="%x =\n  store"), "k.ll")
    assert len(document.problems) == len({problem.span for problem in document.problems})


def test_users_of_a_name_without_a_definition_are_no_errors():
    text = TYPED_LL.format(typed="%x").replace("add i32 %a, 5", "add i32 %x, 5")
    assert [problem.span.line for problem in Document(text, "k.ll").problems] == [2]


def test_the_line_before_is_tried_only_for_an_error_at_the_start(monkeypatch: pytest.MonkeyPatch):
    texts: list[list[str]] = []
    parsed = Document.parsed

    def counted(self: Document, lines: list[str]) -> ModuleOp | DiagnosticError:
        texts.append(list(lines))
        return parsed(self, lines)

    monkeypatch.setattr(Document, "parsed", counted)
    Document(TYPED_LL.format(typed="%x = sub i64 %a, 1"), "k.ll")
    assert len(texts) == 2
