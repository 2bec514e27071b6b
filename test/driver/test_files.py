from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from nvvm_xdsl.driver.files import decode, format_of, read_input, write_output
from nvvm_xdsl.ir.diagnostics import DiagnosticError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("define void @f() { ret void }", "ll"),
        ('; a comment\nsource_filename = "x"\n', "ll"),
        ('target triple = "nvptx64-nvidia-cuda"', "ll"),
        ('module asm "nop"', "ll"),
        ("%struct.s = type { i32 }", "ll"),
        ("!0 = !{i32 1}", "ll"),
        ("!named = !{!0}", "ll"),
        ("!llvm.module.flags = !{!0}", "ll"),
        ("!0 = distinct !DICompileUnit()", "ll"),
        ("@g = global i32 0", "ll"),
        ("", "ll"),
        ("module {\n}", "mlir"),
        ("module @name {", "mlir"),
        ("module attributes {gpu.container_module} {", "mlir"),
        ("builtin.module {", "mlir"),
        ('// RUN: x\n\n"builtin.module"() ({', "mlir"),
        ("llvm.func @f() {", "mlir"),
        ('#tbaa = #llvm.tbaa_root<id = "x">', "mlir"),
        ("!vec = vector<4xf32>", "mlir"),
        ("gpu.module @kernels {", "mlir"),
    ],
)
def test_format_by_first_word(text: str, expected: str):
    assert format_of(text.encode()) == expected


def test_format_by_magic_and_suffix():
    assert format_of(b"BC\xc0\xde....", "x.ll") == "bc"
    assert format_of(b"\xde\xc0\x17\x0b....") == "bc"
    assert format_of(b"module {", "x.ll") == "ll"
    assert format_of(b"define", "x.mlir") == "mlir"


def test_bad_text_names_line_and_column():
    with pytest.raises(DiagnosticError) as caught:
        decode("é\nab\u00e9".encode() + b"\xff\n", "f.ll")
    assert (caught.value.line, caught.value.column) == (2, 4)
    assert "0xff" in caught.value.message


@pytest.mark.parametrize("name", ["missing.ll", "."])
def test_unreadable_inputs(name: str, tmp_path: Path):
    with pytest.raises(DiagnosticError) as caught:
        read_input(str(tmp_path / name))
    assert caught.value.file == str(tmp_path / name)


def test_output_is_replaced(tmp_path: Path):
    target = tmp_path / "a.ptx"
    target.write_text("old and much longer than the new one")
    target.chmod(0o640)
    write_output(str(target), "new\n")
    assert target.read_text() == "new\n"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.ptx"]


def test_output_through_a_link(tmp_path: Path):
    target = tmp_path / "real"
    target.write_text("old")
    link = tmp_path / "link"
    link.symlink_to(target)
    write_output(str(link), "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_a_failed_write_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "a.ptx"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(DiagnosticError, match="no space left on device"):
        write_output(str(target), "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.ptx"]


def test_output_to_a_device_is_no_replacement():
    write_output(os.devnull, "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("name", ["no/such/folder/a.ptx", "."])
def test_unwritable_outputs(name: str, tmp_path: Path):
    with pytest.raises(DiagnosticError) as caught:
        write_output(str(tmp_path / name), "text")
    assert caught.value.file == str(tmp_path / name)
