"""Closed or full streams, and interrupts: a message or no output, never a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SAXPY = ROOT / "examples" / "saxpy.ll"
TOOL = f"{sys.executable} -m nvvm_xdsl.tools"
RUN = (
    f"nvvm_run {SAXPY} --block 32 --arg 10 --arg 2.0 --arg f32[10]=arange --arg f32[10]=1 --print 3"
)


def run(command: str) -> tuple[int, str]:
    done = subprocess.run(
        f"{TOOL}.{command}",
        shell=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize(
    ("command", "message"),
    [
        (f"{RUN} >/dev/full", "no space left on device"),
        ("nvvm_cc --help >/dev/full", "no space left on device"),
        ("nvvm_opt --help >/dev/full", "no space left on device"),
        (f"nvvm_cc -arch=sm_80 {SAXPY} >&-", "<stdout>: error: bad file descriptor"),
        (f"nvvm_opt {SAXPY} >&-", "bad file descriptor"),
        ("nvvm_cc - <&-", "<stdin>: error: bad file descriptor"),
        ("nvvm_opt <&-", "bad file descriptor"),
    ],
)
def test_one_message(command: str, message: str):
    status, reported = run(command)
    assert status == 1
    assert message in reported
    assert len(reported.splitlines()) == 1


@pytest.mark.parametrize(
    ("command", "start"),
    [
        (f"nvvm_cc -arch=sm_80 {SAXPY} -o /dev/stdout | cat", ".version"),
        (f"nvvm_cc -arch=sm_80 {SAXPY} -o /dev/fd/1 | cat", ".version"),
        (f"nvvm_cc -arch=sm_80 {SAXPY} -o /dev/stderr 2>&1 >/dev/null | cat", ".version"),
        (f"nvvm_cc -arch=sm_80 {SAXPY} --remarks /dev/stdout -o /dev/null | cat", "--- !"),
        (f"nvvm_opt {SAXPY} -o /dev/stdout | cat", "builtin.module"),
        (f"nvvm_view {SAXPY} cfg -o /dev/stdout | cat", "digraph"),
        (f"{RUN} --profile-json /dev/stdout --print 2 | cat", "{"),
        (f"nvvm_cc -arch=sm_80 /dev/stdin -o /dev/fd/1 <{SAXPY} | cat", ".version"),
    ],
)
def test_standard_streams_by_their_file_names(command: str, start: str):
    done = subprocess.run(
        f"{TOOL}.{command}",
        shell=True,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert any(line.startswith(start) for line in done.stdout.splitlines())


@pytest.mark.parametrize("end", ["2>&-", "2>/dev/full"])
def test_an_unreportable_error(end: str):
    status, reported = run(f"nvvm_cc no-such-file.ll {end}")
    assert (status, reported) == (1, "")


def test_an_interrupt_while_a_tool_is_imported(tmp_path: Path):
    """The script represents the one that installers create, interrupted at its first import."""
    script = tmp_path / "nvvm-cc"
    script.write_text(
        "import os, signal\n"
        "import nvvm_xdsl.tools\n"
        "os.kill(os.getpid(), signal.SIGINT)\n"
        "from nvvm_xdsl.tools.nvvm_cc import main\n"
    )
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode in (-signal.SIGINT, 130)
    assert done.stderr == b""
