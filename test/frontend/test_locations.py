"""Ops know their places in the text when that is asked for, and nothing else is changed by it."""

from __future__ import annotations

from pathlib import Path

import pytest

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
def test_places_in_assembly(path: Path):
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


def test_places_in_mlir():
    text = (
        "llvm.func @f(%x: i32) -> i32 {\n  %y = llvm.add %x, %x : i32\n  llvm.return %y : i32\n}\n"
    )
    module = parse(text, filename="f.mlir", format="mlir", locations=True)
    places = {op.name: str(place_of(op)) for op in module.walk()}
    assert places["llvm.func"] == "f.mlir:1:1"
    assert places["llvm.add"] == "f.mlir:2:3"
    assert places["llvm.return"] == "f.mlir:3:3"
    assert not any(has_place(op) for op in parse(text, format="mlir").walk())


def test_debug_locations_win():
    module = parse(ROOT / "examples" / "saxpy.debug.ll", locations=True)
    files = {place_of(op).file for op in module.walk() if op.name == "llvm.load"}
    assert files
    assert all(file is not None and file.endswith(".cu") for file in files)
