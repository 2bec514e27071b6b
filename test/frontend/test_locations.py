"""Ops have source locations on request, and nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.driver.compile import parse
from nvvm_xdsl.ir.locations import has_place, place_of

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted(p for p in (ROOT / "examples").glob("*.ll") if ".debug." not in p.name)
KEYWORDS = {
    "llvm.return": ("ret ",),
    "llvm.br": ("br label",),
    "llvm.cond_br": ("br i1",),
    "llvm.switch": ("switch ",),
    "llvm.store": ("store ",),
    "llvm.func": ("define ", "declare "),
    "llvm.mlir.global": ("@",),
}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_locations_in_assembly(path: Path):
    lines = path.read_text().split("\n")
    module = parse(path, locations=True)
    located = 0
    for op in module.walk():
        place = place_of(op)
        if place.line is None:
            continue
        located += 1
        assert place.file == str(path)
        assert place.column is not None
        line = lines[place.line - 1]
        text = line[place.column - 1 :]
        if op.name in KEYWORDS:
            assert line.strip().startswith(KEYWORDS[op.name])
        elif op.results and op.results[0].name_hint:
            assert text.startswith(f"%{op.results[0].name_hint} =")
        elif op.results:
            assert text.startswith("%")
    instructions = sum(line.startswith("  ") and " = " in line for line in lines)
    assert located > instructions
    assert str(module) == str(parse(path))


def test_locations_in_mlir():
    text = (
        "llvm.func @f(%x: i32) -> i32 {\n  %y = llvm.add %x, %x : i32\n  llvm.return %y : i32\n}\n"
    )
    module = parse(text, filename="f.mlir", format="mlir", locations=True)
    places = {op.name: str(place_of(op)) for op in module.walk()}
    assert places["llvm.func"] == "f.mlir:1:1"
    assert places["llvm.add"] == "f.mlir:2:3"
    assert places["llvm.return"] == "f.mlir:3:3"
    assert not any(has_place(op) for op in parse(text, format="mlir").walk())


def test_debug_locations_take_precedence():
    module = parse(ROOT / "examples" / "saxpy.debug.ll", locations=True)
    files = {place_of(op).file for op in module.walk() if op.name == "llvm.load"}
    assert files
    assert all(file is not None and file.endswith(".cu") for file in files)


VARIABLES = """
define void @k(i32 %0, i32 %given) !dbg !3 {
  %2 = alloca [4 x float]
  %named = alloca i32
    #dbg_value(i32 %0, !5, !DIExpression(), !9)
    #dbg_declare(ptr %2, !6, !DIExpression(), !9)
    #dbg_declare(ptr %named, !7, !DIExpression(), !9)
  %3 = add i32 %0, 1
  call void @llvm.dbg.value(metadata i32 %3, metadata !8, metadata !DIExpression()), !dbg !9
    #dbg_value(i32 7, !8, !DIExpression(), !9)
    #dbg_value({ i32, i32 } poison, !8, !DIExpression(), !9)
  ret void
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: ".")
!2 = !DISubroutineType(types: !{})
!3 = distinct !DISubprogram(name: "k", file: !1, line: 1, type: !2, unit: !0)
!5 = !DILocalVariable(name: "count", arg: 1, scope: !3, file: !1, line: 1)
!6 = !DILocalVariable(name: "window", scope: !3, file: !1, line: 2)
!7 = !DILocalVariable(name: "other", scope: !3, file: !1, line: 2)
!8 = !DILocalVariable(name: "next", scope: !3, file: !1, line: 3)
!9 = !DILocation(line: 3, scope: !3)
"""


def test_unnamed_values_get_names_of_variables():
    (func,) = functions_of(parse(VARIABLES))
    assert [a.name_hint for a in func.body.block.args] == ["count", "given"]
    names = [r.name_hint for op in func.walk() for r in op.results if "constant" not in op.name]
    assert names == ["window", "named", "next"]
