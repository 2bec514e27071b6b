"""The committed generated files are those that `dev.generate` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from dev import generate, generate_intrinsics, generate_ops

INCLUDE = generate.default_include()
WHY_MISSING = generate.why_missing(INCLUDE)


@pytest.mark.skipif(WHY_MISSING is not None, reason=str(WHY_MISSING))
def test_generated_files_are_current(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    committed = generate_ops.DIALECTS
    for folder in ("generated", "llvm", "nvvm"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(generate_ops, "DIALECTS", tmp_path)
    monkeypatch.setattr(generate_ops, "GENERATED", tmp_path / "generated")
    monkeypatch.setattr(generate_intrinsics, "DIALECT", tmp_path / "nvvm")
    generate.generate(INCLUDE)
    written = [path.relative_to(tmp_path) for path in tmp_path.rglob("*.*")]
    expected = {path.name for path in (committed / "generated").glob("*.py")} - {"__init__.py"}
    assert {path.name for path in written} == expected | {"ops.py", "intrinsics.txt"}
    different = [p for p in written if (tmp_path / p).read_text() != (committed / p).read_text()]
    assert different == []


def test_missing_definitions_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(generate, "tblgen", lambda: "llvm-tblgen")
    assert generate.main([str(tmp_path)]) == 1
    assert "LLVMOps.td was not found" in capsys.readouterr().err
    monkeypatch.setattr(generate, "tblgen", lambda: None)
    assert generate.main([str(tmp_path)]) == 1
    assert "llvm-tblgen-22 was not found" in capsys.readouterr().err
