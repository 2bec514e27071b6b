"""Compilers that are terminated or killed: no process, file or token remains."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOKENS = b"++"

TWO = """\
define ptx_kernel void @a(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @b(ptr %p) {
  store i32 2, ptr %p
  ret void
}
"""

# Workers that only hang do not need the fork server's imports.
COMPILER = """\
import sys
from helpers.hang import hang
from nvvm_xdsl.driver import split, workers
from nvvm_xdsl.tools.nvvm_cc import main
workers.PRELOADED = "helpers.hang"
workers.processors = lambda: 2
split.compile_batch = hang
sys.exit(main(sys.argv[1:]))
"""


def until(holds: Callable[[], bool]) -> bool:
    """Returns whether the condition becomes true within some seconds."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.02)
    return False


def processes_of(session: int) -> list[int]:
    """Returns the running processes of a session."""
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                state, _, _, number = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
            except (OSError, ValueError):
                continue
            if int(number) == session and state not in "ZX":
                found.append(int(entry.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
@pytest.mark.parametrize(
    ("number", "status"),
    [
        (signal.SIGTERM, -signal.SIGTERM),
        pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow),
        (signal.SIGKILL, -signal.SIGKILL),
        pytest.param(None, 1, marks=pytest.mark.slow),
    ],
    ids=["SIGTERM", "SIGINT", "SIGKILL", "time limit"],
)
def test_killed_while_workers_run(tmp_path: Path, number: signal.Signals | None, status: int):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "two.ll").write_text(TWO)
    log = tmp_path / "log"
    read, write = os.pipe()
    os.write(write, TOKENS)
    words = ["two.ll", "-O0", "-split-compile=2", "-jobserver", "-o", "two.ptx"]
    if number is None:
        words += ["--time-limit", "4"]
    process = subprocess.Popen(
        [sys.executable, "-c", COMPILER, *words],
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": f"{ROOT}:{ROOT / 'test'}",
            "HANG_LOG": str(log),
            "MAKEFLAGS": f"-j3 --jobserver-auth={read},{write}",
        },
        pass_fds=(read, write),
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        if number is not None:
            assert until(lambda: log.exists() and len(log.read_text().splitlines()) == 2)
            process.send_signal(number)
        _, reported = process.communicate(timeout=60)
        assert process.returncode == status
        if number is None:
            assert b"longer than its limit of 4 s" in reported
        assert b"Traceback" not in reported
        assert until(lambda: not processes_of(process.pid))
        assert [path.name for path in folder.iterdir()] == ["two.ll"]
        if number is not signal.SIGKILL:
            os.set_blocking(read, False)
            assert os.read(read, 10) == TOKENS
    finally:
        for left in processes_of(process.pid):
            os.kill(left, signal.SIGKILL)
        os.close(read)
        os.close(write)


WRITER = """
import os, signal, sys
from nvvm_xdsl.driver import files
from nvvm_xdsl.driver.signals import signals_raise

files.os.replace = lambda *_: os.kill(os.getpid(), signal.SIGTERM)
with signals_raise():
    files.write_output(sys.argv[1], "new")
"""


def test_killed_while_the_output_is_written(tmp_path: Path):
    """The file is complete or absent, and no other file remains."""
    output = tmp_path / "out.ptx"
    output.write_text("old")
    process = subprocess.run([sys.executable, "-c", WRITER, str(output)], cwd=ROOT, check=False)
    assert process.returncode == -signal.SIGTERM
    assert output.read_text() == "old"
    assert list(tmp_path.iterdir()) == [output]
