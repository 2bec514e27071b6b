"""Files of compiled code: damaged files and folders that cannot be written."""

from __future__ import annotations

import os
from errno import ENOSPC
from pathlib import Path

import pytest

from nvvm_xdsl.ir.code_files import read_codes, write_codes

CODES = {("a", 1): [("name", compile("1 + 1", "<code>", "eval"))]}


def test_codes_are_read_as_written(tmp_path: Path) -> None:
    path = str(tmp_path / "folder" / "codes")
    assert read_codes(path) == {}
    write_codes(path, CODES)
    ((_, code),) = read_codes(path)["a", 1]
    assert eval(code) == 2
    assert [file.name for file in (tmp_path / "folder").iterdir()] == ["codes"]


@pytest.mark.parametrize("kept", [0, 3, 4, 20, -1])
def test_damaged_files_are_empty(kept: int, tmp_path: Path) -> None:
    path = tmp_path / "codes"
    write_codes(str(path), CODES)
    path.write_bytes(path.read_bytes()[:kept])
    assert read_codes(str(path)) == {}


def test_a_folder_that_cannot_be_written_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    write_codes(str(tmp_path / "file" / "codes"), CODES)
    assert (tmp_path / "file").read_text() == ""


def test_incomplete_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(source: str, target: str) -> None:
        assert Path(source).exists()
        raise OSError(ENOSPC, "no space left")

    monkeypatch.setattr(os, "replace", fail)
    write_codes(str(tmp_path / "codes"), CODES)
    assert not list(tmp_path.iterdir())


def test_files_that_another_process_writes_are_kept(tmp_path: Path) -> None:
    other = tmp_path / f"codes.{os.getpid()}"
    other.write_text("")
    write_codes(str(tmp_path / "codes"), CODES)
    assert list(tmp_path.iterdir()) == [other]
