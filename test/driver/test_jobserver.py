"""GNU make's jobserver: tokens are acquired by make's protocol and always released."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from nvvm_xdsl.driver import jobserver, workers
from nvvm_xdsl.driver.compile import compile_modules, parse
from nvvm_xdsl.driver.jobserver import Jobserver, PipeProblem, find
from nvvm_xdsl.driver.options import CompileOptions
from nvvm_xdsl.ir.diagnostics import DiagnosticError

ROOT = Path(__file__).resolve().parents[2]
TOKENS = b"+-*"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Returns a pipe as make passes it to its children, with three tokens."""
    read, write = os.pipe()
    for descriptor in (read, write):
        os.set_inheritable(descriptor, True)
    os.write(write, TOKENS)
    yield read, write
    os.close(read)
    os.close(write)


def left_in(read: int) -> bytes:
    found = os.open(f"/proc/self/fd/{read}", os.O_RDONLY | os.O_NONBLOCK)
    try:
        return os.read(found, 100)
    except BlockingIOError:
        return b""
    finally:
        os.close(found)


def flags(pipe: tuple[int, int], option: str = "--jobserver-auth") -> dict[str, str]:
    return {"MAKEFLAGS": f"w -j4 {option}={pipe[0]},{pipe[1]} -- A=--jobserver-auth=7,8"}


@pytest.mark.parametrize("option", ["--jobserver-auth", "--jobserver-fds"])
def test_tokens_are_acquired_and_released(pipe: tuple[int, int], option: str):
    with find(flags(pipe, option)) as server:
        assert server.jobs == 1
        assert server.request(1) == 1
        assert server.request(3) == 3
        # There are three besides the implicit one.
        assert server.request(9) == 4
        assert server.request(2) == 2
        assert server.request(0) == 1
        assert server.request(3) == 3
    found = left_in(pipe[0])
    assert sorted(found) == sorted(TOKENS)


def test_a_fifo(tmp_path: Path):
    path = tmp_path / "fifo"
    os.mkfifo(path)
    make = os.open(path, os.O_RDWR)
    os.write(make, TOKENS)
    with find({"MAKEFLAGS": f" -j4 --jobserver-auth=fifo:{path}"}) as server:
        assert server.request(9) == 4
    assert sorted(left_in(make)) == sorted(TOKENS)
    os.close(make)


def test_the_pipe_stays_blocking(pipe: tuple[int, int]):
    """If it were made non-blocking, all children of make would be affected."""
    with find(flags(pipe)) as server:
        server.request(9)
        for descriptor in pipe:
            assert not fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_NONBLOCK


def test_two_processes_share_the_tokens(pipe: tuple[int, int]):
    with find(flags(pipe)) as one, find(flags(pipe)) as two:
        assert one.request(3) == 3
        assert two.request(3) == 2
        one.request(1)
        assert two.request(3) == 3


def test_the_innermost_make_is_used(pipe: tuple[int, int]):
    outer = "--jobserver-auth=98,99"
    with find({"MAKEFLAGS": f"{outer} --jobserver-auth={pipe[0]},{pipe[1]}"}) as server:
        assert server.request(2) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "kw",
        "w -- FLAGS=--jobserver-auth=3,4",
        "--jobserver-auth=-2,-2",
        "--jobserver-auth=998,999",
        "--jobserver-auth=fifo:/no/such/fifo",
        f"--jobserver-auth=fifo:{__file__}",
    ],
)
def test_a_missing_pipe_is_no_error(text: str):
    with pytest.raises(PipeProblem):
        find({"MAKEFLAGS": text})
    with pytest.raises(PipeProblem):
        find({})


@pytest.mark.parametrize("inherited", [(), (0,), (1,)])
def test_a_pipe_of_this_process_is_not_the_jobserver(inherited: tuple[int, ...]):
    """If make closed its descriptors, pipes of the worker pool may have the same numbers."""
    own = os.pipe()
    for index in inherited:
        os.set_inheritable(own[index], True)
    with pytest.raises(PipeProblem):
        find(flags(own))
    for index in range(2):
        os.set_inheritable(own[index], True)
    find(flags(own)).close()
    for descriptor in own:
        os.close(descriptor)


@pytest.mark.parametrize("text", ["--jobserver-auth=three,4", "--jobserver-auth=sem:/x"])
def test_an_invalid_token_is_fatal(text: str):
    with pytest.raises(DiagnosticError, match="GNU Jobserver support requested, but an error"):
        find({"MAKEFLAGS": text})


def test_make_has_exited():
    read, write = os.pipe()
    os.write(write, TOKENS)
    server = Jobserver(os.dup(read), os.dup(write))
    os.set_blocking(read, False)
    assert server.request(3) == 3
    os.close(read)
    os.close(write)
    server.close()
    server.close()


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


def test_a_compilation_warns(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("nvvm_xdsl.driver.workers.processors", lambda: 2)
    monkeypatch.setenv("MAKEFLAGS", "")
    options = CompileOptions(split_compile=2, jobserver=True)
    reported: list[str] = []
    ptx = compile_modules([parse(TWO)], options, remark=reported.append)
    assert "warning: jobserver pipe problem" in reported
    monkeypatch.setenv("MAKEFLAGS", "--jobserver-auth=x")
    with pytest.raises(DiagnosticError, match="GNU Jobserver"):
        compile_modules([parse(TWO)], options)
    assert ptx == compile_modules([parse(TWO)], CompileOptions())


def test_the_jobserver_is_found_before_the_pool_starts(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
):
    """No worker starts before its token is acquired, and no pipe of the pool is mistaken for make's."""
    events: list[str] = []
    begin, search = workers.shared_pool, jobserver.find

    def started(count: int) -> workers.WorkerPool:
        events.append("pool")
        return begin(count)

    def found() -> Jobserver:
        events.append("find")
        return search()

    monkeypatch.setattr(workers, "processors", lambda: 2)
    monkeypatch.setattr(workers, "shared_pool", started)
    monkeypatch.setattr(jobserver, "find", found)
    monkeypatch.setattr(workers.WorkerPool, "warm", lambda _: events.append("warm"))
    monkeypatch.setenv("MAKEFLAGS", flags(pipe)["MAKEFLAGS"])
    compile_modules([parse(TWO)], CompileOptions(split_compile=2, jobserver=True))
    assert events == ["find", "pool"]
    monkeypatch.setenv("MAKEFLAGS", "")
    compile_modules([parse(TWO)], CompileOptions(split_compile=2, jobserver=True))
    assert events == ["find", "pool", "find", "pool", "warm"]


@pytest.mark.slow
def test_descriptors_closed_by_make(tmp_path: Path):
    """The numbers 3 and 4 of `MAKEFLAGS` were those of the first pipe of the worker pool, which has no
    tokens.
    """
    (tmp_path / "two.ll").write_text(TWO)
    tool = f"{sys.executable} -m nvvm_xdsl.tools.nvvm_cc two.ll -o"
    closed = {**ENVIRONMENT, "MAKEFLAGS": " -j3 --jobserver-auth=3,4"}
    done = subprocess.run(
        f"{tool} one.ptx && {tool} split.ptx -split-compile=2 -jobserver 3>&- 4>&-",
        shell=True,
        cwd=tmp_path,
        env=closed,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.count("warning: jobserver pipe problem") == (workers.processors() > 1)
    assert (tmp_path / "split.ptx").read_bytes() == (tmp_path / "one.ptx").read_bytes()


def test_a_compilation_acquires_and_releases(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("nvvm_xdsl.driver.workers.processors", lambda: 2)
    monkeypatch.setenv("MAKEFLAGS", flags(pipe)["MAKEFLAGS"])
    asked: list[int] = []

    class Counted(Jobserver):
        def request(self, jobs: int) -> int:
            asked.append(jobs)
            return super().request(jobs)

    monkeypatch.setattr(jobserver, "Jobserver", Counted)
    compile_modules([parse(TWO)], CompileOptions(split_compile=2, jobserver=True))
    assert max(asked) == 2
    assert sorted(left_in(pipe[0])) == sorted(TOKENS)


HOLDER = """\
import sys, time
from nvvm_xdsl.driver.jobserver import find
from nvvm_xdsl.driver.signals import signals_raise
with signals_raise(), find() as server:
    assert server.request(4) == 4
    print("holds", flush=True)
    # A signal just before a long sleep would not end it.
    for _ in range(600):
        time.sleep(0.1)
"""


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGTERM, -signal.SIGTERM), (signal.SIGINT, None)]
)
def test_a_signal_releases_tokens(
    pipe: tuple[int, int], number: signal.Signals, status: int | None
):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER],
        env={**ENVIRONMENT, **flags(pipe)},
        pass_fds=pipe,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"holds\n"
    assert left_in(pipe[0]) == b""
    process.send_signal(number)
    process.communicate(timeout=30)
    if status is not None:
        assert process.returncode == status
    assert sorted(left_in(pipe[0])) == sorted(TOKENS)


STYLES = (None, "pipe", "fifo")
"""Styles of the jobserver; None is make's default. The others need make 4.4."""

BESIDE_PYTHON = Path(sys.executable).with_name("make")
"""Path at which the development dependency `gnumake` installs make 4.4."""


def make_version(path: str) -> tuple[int, ...]:
    reported = subprocess.run(
        [path, "--version"], capture_output=True, text=True, check=True
    ).stdout
    found = re.match(r"GNU Make (\d+)\.(\d+)", reported)
    return tuple(map(int, found.groups())) if found else (0, 0)


def run_make(folder: Path, jobs: int, style: str | None) -> str:
    """Runs a Makefile, which must succeed; returns other output of make and its children."""
    found = [path for name in ("make", str(BESIDE_PYTHON)) if (path := shutil.which(name))]
    makes = {path: make_version(path) for path in found}
    least = (3, 0) if style is None else (4, 4)
    path = next((path for path, version in makes.items() if version >= least), None)
    if path is None:
        pytest.skip(f"needs GNU make {least[0]}.{least[1]}; there is {makes or 'none'}")
    done = subprocess.run(
        [path, f"-j{jobs}", *([] if style is None else [f"--jobserver-style={style}"])],
        cwd=folder,
        env={k: v for k, v in ENVIRONMENT.items() if k not in ("MAKEFLAGS", "MFLAGS")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # Make counts the tokens at its end and reports missing ones.
    assert "INTERNAL" not in done.stderr
    return done.stderr


JOB = """\
import os, sys, time
from nvvm_xdsl.driver.jobserver import find
log = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND)
def say(change):
    os.write(log, f"{time.monotonic_ns()} {change}\\n".encode())
say(1)
before = 1
with find() as server:
    for asked in (3, 1, 2, 4):
        if asked < before:
            say(asked - before)
        now = server.request(asked)
        if now > before:
            say(now - before)
        elif now < before and asked >= before:
            say(now - before)
        before = now
        time.sleep(0.02)
    say(1 - before)
say(-1)
"""


@pytest.mark.parametrize("style", STYLES)
def test_jobs_under_make_never_exceed_its_limit(tmp_path: Path, style: str | None):
    jobs = 3
    (tmp_path / "job.py").write_text(JOB)
    (tmp_path / "log").touch()
    targets = " ".join(f"t{n}" for n in range(4))
    (tmp_path / "Makefile").write_text(
        f"all: {targets}\n{targets}:\n\t+@{sys.executable} job.py log\n"
    )
    run_make(tmp_path, jobs, style)
    running = most = 0
    for line in sorted(
        (tmp_path / "log").read_text().splitlines(), key=lambda t: int(t.split()[0])
    ):
        running += int(line.split()[1])
        most = max(most, running)
    assert running == 0
    assert 1 < most <= jobs


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
def test_nvvm_cc_under_make(tmp_path: Path, style: str | None):
    (tmp_path / "two.ll").write_text(TWO)
    tool = f"{sys.executable} -m nvvm_xdsl.tools.nvvm_cc two.ll"
    (tmp_path / "Makefile").write_text(
        f"all: a.ptx b.ptx\na.ptx:\n\t+{tool} -split-compile=2 -jobserver -o $@\n"
        f"b.ptx:\n\t{tool} -o $@\n"
    )
    assert "pipe problem" not in run_make(tmp_path, 3, style)
    assert (tmp_path / "a.ptx").read_bytes() == (tmp_path / "b.ptx").read_bytes()
