from __future__ import annotations

import io
import os
import stat
import sys
import threading
from pathlib import Path

import pytest

from nvvm_xdsl.driver.files import decode, format_of, read_input, write_output
from nvvm_xdsl.ir import bounded_files
from nvvm_xdsl.ir.bounded_files import source_lines, source_text
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.tools import (
    nvvm_cc,
    nvvm_debug,
    nvvm_diff,
    nvvm_fuzz,
    nvvm_opt,
    nvvm_reduce,
    nvvm_run,
    nvvm_tune,
    nvvm_view,
)


def test_format_of_text_after_many_blank_lines():
    # A backtracking pattern would take exponential time.
    assert format_of(b"\n" * 200 + b"define void @f() { ret void }") == "ll"
    assert format_of(b"\n// x\n" * 200 + b"builtin.module {}") == "mlir"
    assert format_of(b"\n// x\n" * 200 + b".version 8.0") == "ptx"


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


@pytest.mark.parametrize("name", ["k.cu", "k.ll", "k.bc", "k.ptx", "k.mlir"])
def test_binary_input_is_not_printed(name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    path = tmp_path / name
    path.write_bytes(b"\x7fELF\x02\0\xff\xfe")
    assert nvvm_cc.main([str(path)]) == 1
    message = "the input is a binary file, neither text nor bitcode"
    assert capsys.readouterr().err == f"{path}: error: {message}\n"


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


def test_a_failed_write_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    target = tmp_path / "a.ptx"
    target.write_text("old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(DiagnosticError, match="no space left on device"):
        write_output(str(target), "new")
    assert target.read_text() == "old"
    assert os.listdir(tmp_path) == ["a.ptx"]


def test_output_to_a_device_does_not_replace_it():
    write_output(os.devnull, "text")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("name", ["no/such/folder/a.ptx", "."])
def test_unwritable_outputs(name: str, tmp_path: Path):
    with pytest.raises(DiagnosticError) as caught:
        write_output(str(tmp_path / name), "text")
    assert caught.value.file == str(tmp_path / name)


@pytest.mark.parametrize("name", ["/dev/fd/{}", "/proc/self/fd/{}", "/proc/{pid}/fd/{}", "{link}"])
def test_output_to_a_descriptor_by_its_name(name: str, tmp_path: Path):
    """`-o /dev/stdout` into a pipe failed with "no such file"."""
    read, write = os.pipe()
    link = tmp_path / "link"
    link.symlink_to(f"/dev/fd/{write}")
    write_output(name.format(write, pid=os.getpid(), link=link), "text\n")
    os.close(write)
    with open(read, "rb") as stream:
        assert stream.read() == b"text\n"
    assert os.listdir(tmp_path) == ["link"]


def test_output_to_a_descriptor_keeps_its_file(tmp_path: Path):
    target = tmp_path / "log"
    target.write_text("old\n")
    with open(target, "ab") as stream:
        write_output(f"/dev/fd/{stream.fileno()}", "new\n")
        # The file has the same identity afterwards.
        stream.write(b"last\n")
    assert target.read_text() == "old\nnew\nlast\n"


def test_output_to_a_closed_descriptor():
    read, write = os.pipe()
    os.close(read)
    os.close(write)
    with pytest.raises(DiagnosticError, match="bad file descriptor") as caught:
        write_output(f"/dev/fd/{write}", "text")
    assert caught.value.file == f"/dev/fd/{write}"


def test_output_to_a_named_pipe(tmp_path: Path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    found: list[str] = []
    reader = threading.Thread(target=lambda: found.append(pipe.read_text()))
    reader.start()
    write_output(str(pipe), "text\n")
    reader.join(10)
    assert found == ["text\n"]
    assert pipe.is_fifo()


def test_circular_links(tmp_path: Path):
    one, two = tmp_path / "one", tmp_path / "two"
    one.symlink_to(two)
    two.symlink_to(one)
    with pytest.raises(DiagnosticError, match="too many levels of symbolic links"):
        write_output(str(one), "text")


LIMIT = 1000
"""A small limit instead of 256 MiB."""


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert bounded_files.MOST_BYTES == 256 << 20
    monkeypatch.setattr(bounded_files, "MOST_BYTES", LIMIT)


def test_input_size_is_limited(limited: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "a.ll"
    for size in (LIMIT, LIMIT + 1):
        path.write_bytes(b" " * size)
        stdin = io.TextIOWrapper(io.BytesIO(b" " * size))
        monkeypatch.setattr(sys, "stdin", stdin)
        for name in (str(path), "-"):
            if size == LIMIT:
                assert len(read_input(name)) == LIMIT
            else:
                with pytest.raises(
                    DiagnosticError, match="larger than 0 MiB, the limit of an input"
                ):
                    read_input(name)


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (nvvm_cc, ["/dev/zero"]),
        (nvvm_cc, ["@/dev/zero"]),
        (nvvm_cc, ["-j", "1", "-o", "{out}", "/dev/zero"]),
        (nvvm_cc, ["--report", "/dev/zero"]),
        (nvvm_cc, ["--libdevice", "/dev/zero", "{calls}"]),
        (nvvm_opt, ["/dev/zero"]),
        (nvvm_run, ["/dev/zero"]),
        (nvvm_run, ["{calls}", "--arg", "i32[1]=@/dev/zero"]),
        (nvvm_debug, ["/dev/zero"]),
        (nvvm_view, ["/dev/zero", "cfg"]),
        (nvvm_reduce, ["/dev/zero", "--test", "false"]),
        (nvvm_diff, ["/dev/zero"]),
        (nvvm_tune, ["/dev/zero"]),
        (nvvm_fuzz, ["--file", "/dev/zero"]),
    ],
)  # fmt: skip
def test_an_endless_device(
    tool, arguments: list[str], limited: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    """/dev/zero was read until memory was full."""
    calls = tmp_path / "calls.ll"
    calls.write_text(
        "declare float @__nv_sinf(float)\n"
        "define ptx_kernel void @k(ptr %p, float %x) {\n"
        "  %y = call float @__nv_sinf(float %x)\n"
        "  store float %y, ptr %p\n"
        "  ret void\n"
        "}\n"
    )
    words = [word.format(out=tmp_path / "out", calls=calls) for word in arguments]
    assert tool.main(words) == 1
    assert "larger than 0 MiB, the limit of an input" in capsys.readouterr().err


def test_source_files_of_locations(limited: None, tmp_path: Path):
    """Devices, pipes and large files are not read to show a source line."""
    small, large, pipe = (tmp_path / name for name in ("small", "large", "pipe"))
    small.write_text("one\ntwo\n")
    large.write_text("x" * (LIMIT + 1))
    os.mkfifo(pipe)
    assert (source_lines(str(small)), source_text(small)) == (["one\n", "two\n"], "one\ntwo\n")
    for path in (large, pipe, Path("/dev/zero"), tmp_path / "missing"):
        assert (source_lines(str(path)), source_text(path)) == ([], None)
