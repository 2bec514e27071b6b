"""Signals that end a process with workers: nothing remains and nothing is printed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from nvvm_xdsl.driver.signals import signals_deferred

ROOT = Path(__file__).resolve().parents[2]

POOL = """\
import sys, time
from nvvm_xdsl.driver import workers
from nvvm_xdsl.driver.signals import signals_raise

if __name__ == "__main__":
    workers.PRELOADED = sys.argv[1]
    with signals_raise():
        pool = workers.shared_pool(2)
        try:
            if sys.argv[1] == "slow_import":
                print("starts", flush=True)
            pool.submit(time.sleep, 60)
            pool.submit(time.sleep, 60)
            print("works", flush=True)
            # A signal just before a long sleep would not end it.
            for _ in range(600):
                time.sleep(0.1)
        except KeyboardInterrupt:
            pool.end()
            sys.exit(130)
"""
"""A process with a pool. If the fork server imports slowly, it waits one second for its first worker."""


TASK = """\
from nvvm_xdsl.driver import workers

if __name__ == "__main__":
    print(workers.shared_pool(2).submit(max, 1, 3).result())
"""


@pytest.fixture
def short_folder() -> Iterator[Path]:
    """A temporary directory whose path is short enough for the fork server's socket."""
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def default_hangup() -> Iterator[None]:
    """SIGHUP ends processes of the tests also under `nohup`, which ignores it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("preloaded", ["json", "slow_import"])
@pytest.mark.parametrize(("number", "status"), [("SIGTERM", -15), ("SIGHUP", -1), ("SIGINT", 130)])
def test_a_signal_removes_workers_and_their_files(
    tmp_path: Path, short_folder: Path, number: str, status: int, preloaded: str
):
    """SIGTERM left a directory of `multiprocessing` and a warning about leaked semaphores."""
    (tmp_path / "pool.py").write_text(POOL)
    (tmp_path / "slow_import.py").write_text("import time\ntime.sleep(1)\n")
    temporary = short_folder
    process = subprocess.Popen(
        [sys.executable, "pool.py", preloaded],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() in ("starts\n", "works\n")
    assert list(temporary.iterdir())
    process.send_signal(getattr(signal, number))
    # Its children keep the streams open until all of them end.
    _, message = process.communicate(timeout=60)
    assert not list(temporary.iterdir())
    assert (process.returncode, message) == (status, "")


MASK = """\
from multiprocessing import forkserver
from pathlib import Path
from nvvm_xdsl.driver import workers

if __name__ == "__main__":
    workers.PRELOADED = "json"
    pool = workers.shared_pool(2)
    assert pool.submit(max, 1, 3).result() == 3
    status = Path(f"/proc/{forkserver._forkserver._forkserver_pid}/status").read_text()
    print(status.split("SigBlk:")[1].split()[0])
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc")
def test_the_fork_server_is_not_interrupted_while_it_imports(tmp_path: Path):
    script = tmp_path / "mask.py"
    script.write_text(MASK)
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, cwd=ROOT, timeout=120
    )
    assert int(done.stdout, 16) >> signal.SIGINT - 1 & 1, done.stderr


def test_a_long_temporary_directory(tmp_path: Path):
    """The path of the fork server's socket exceeded the system's limit."""
    (tmp_path / "task.py").write_text(TASK)
    temporary = tmp_path / ("long" * 20)
    temporary.mkdir()
    done = subprocess.run(
        [sys.executable, "task.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TMPDIR": str(temporary)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "3\n", "")


class _Arrived(Exception):
    pass


def _raise(number: int, _frame: object) -> None:
    raise _Arrived(number)


@pytest.fixture
def raising() -> Iterator[None]:
    """Handlers of SIGTERM and SIGALRM that raise; SIGHUP is ignored."""
    before = [
        (number, signal.signal(number, handler))
        for number, handler in (
            (signal.SIGTERM, _raise),
            (signal.SIGALRM, _raise),
            (signal.SIGHUP, signal.SIG_IGN),
        )
    ]
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGALRM])
def test_deferred_signals_arrive_after_the_block(raising: None, number: signal.Signals):
    events: list[str] = []

    def work() -> None:
        with signals_deferred():
            os.kill(os.getpid(), signal.SIGHUP)
            os.kill(os.getpid(), number)
            events.append("inside")
        events.append("after")

    with pytest.raises(_Arrived) as caught:
        work()
    assert (events, caught.value.args) == (["inside"], (number,))
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    with pytest.raises(_Arrived):
        os.kill(os.getpid(), number)


def test_deferring_changes_nothing_in_other_threads(raising: None):
    seen: list[object] = []

    def look() -> None:
        with signals_deferred():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [_raise]
