"""`nvvmd`: requests, signals, limits, and faults of the server and its socket."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from nvvm_xdsl.tools import nvvmd, server_client
from nvvm_xdsl.tools.nvvm_cc import main

pytestmark = pytest.mark.skipif(not server_client.SUPPORTED, reason="nvvmd needs Linux")

ROOT = Path(__file__).resolve().parents[2]

SERVER = """
import os, signal, sys, time
from nvvm_xdsl.tools import nvvmd, server_client

def work(words):
    try:
        exec(words[-1], globals())
    except KeyboardInterrupt:
        return 130
    return 7

{0}
listener = nvvmd._listen(server_client.socket_path())
listener.listen(8)
server = nvvmd.Server(listener, nvvmd.Limits({1}), nvvmd.source_state(), work, lambda: None)
print(server._child, flush=True)
server.serve()
"""
"""A server that executes its last argument in place of a compilation."""

CLIENT = """
import sys
from nvvm_xdsl.tools import server_client
sys.exit(server_client.request([sys.argv[1]]))
"""

WAIT = 60.0
"""The longest time in seconds that a test waits for an event."""


@pytest.fixture(autouse=True)
def limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Ends a test that hangs, and gives it a directory for sockets and no server that starts by itself."""

    def stop(_number: int, _frame: object) -> None:
        raise TimeoutError

    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setattr(server_client, "start_server", lambda: None)
    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, 2 * WAIT)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


Start = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts processes that are killed at the end of the test."""
    processes: list[subprocess.Popen[str]] = []

    def started(code: str, *words: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        processes.append(process)
        return process

    yield started
    for process in processes:
        process.kill()
        process.communicate(timeout=WAIT)


def serve(start: Start, limits: str = "", prepare: str = "") -> tuple[subprocess.Popen[str], int]:
    """A server that accepts connections, and the process of its waiting child."""
    server = start(SERVER.format(prepare, limits))
    assert server.stdout is not None
    return server, int(server.stdout.readline())


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def is_running(process: int) -> bool:
    """Whether a process exists and has not ended; nobody may have waited for it yet."""
    try:
        state = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return state.rpartition(")")[2].split()[0] != "Z"


@pytest.mark.parametrize(
    ("words", "variable", "expected"),
    [
        (["k.ll"], "", False),
        (["k.ll"], "0", False),
        (["k.ll"], "1", True),
        (["k.ll", "--server"], "", True),
        (["k.ll", "--server", "--no-server"], "1", False),
        (["k.ll", "--watch"], "1", False),
        (["@k", "-j8"], "1", False),
        (["k.ll", "-split-compile=2"], "1", False),
        (["k.ll", "--threads", "2"], "1", False),
        (["k.ll", "-jobserver"], "1", False),
        (["k.ll", "--jobserver"], "1", False),
        (["k.ll", "-o", "/dev/fd/3"], "1", False),
    ],
)
def test_when_the_server_is_used(
    words: list[str], variable: str, expected: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("NVVM_XDSL_SERVER", variable)
    assert server_client.is_wanted(words) == expected


def test_a_request(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    serve(start)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MARK", "a=b\udcff")
    mask = os.umask(0o027)
    try:
        code = "print(os.getcwd(), ascii(os.environ['MARK']), flush=True); open('made', 'w'); print(sys.stdout.isatty())"
        client = start(CLIENT, code)
        out, _ = client.communicate(timeout=WAIT)
    finally:
        os.umask(mask)
    assert (client.returncode, out) == (7, f"{tmp_path} 'a=b\\udcff'\nFalse\n")
    assert (tmp_path / "made").stat().st_mode & 0o777 == 0o640


def test_standard_input_and_errors(start: Start):
    serve(start)
    code = "sys.stderr.write(sys.stdin.read()); raise RuntimeError('failed')"
    done = subprocess.run(
        [sys.executable, "-c", CLIENT, code],
        input="text\n",
        capture_output=True,
        text=True,
        timeout=WAIT,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("text\nTraceback")
    assert done.stderr.endswith("RuntimeError: failed\n")


def test_children_share_no_state(start: Start, capfd: pytest.CaptureFixture[str]):
    serve(start)
    for _ in range(2):
        code = "seen = globals().setdefault('seen', []); seen.append(1); print(len(seen))"
        assert server_client.request([code]) == 7
    assert capfd.readouterr().out == "1\n1\n"


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV])
def test_the_end_by_a_signal(start: Start, number: signal.Signals):
    serve(start)
    client = start(CLIENT, f"os.kill(os.getpid(), {int(number)})")
    assert client.wait(WAIT) == -number


@pytest.mark.parametrize(
    ("number", "status"), [(signal.SIGINT, 130), (signal.SIGTERM, -signal.SIGTERM)]
)
def test_signals_are_sent_to_the_compilation(start: Start, number: signal.Signals, status: int):
    serve(start)
    client = start(CLIENT, "print(os.getpid(), flush=True); time.sleep(60)")
    assert client.stdout is not None
    child = int(client.stdout.readline())
    client.send_signal(number)
    assert client.wait(WAIT) == status
    wait_for(lambda: not is_running(child))


@pytest.mark.parametrize("ignore", ["", "signal.signal(signal.SIGTERM, signal.SIG_IGN); "])
def test_a_killed_client(start: Start, ignore: str):
    serve(start, prepare="nvvmd.KILL_SECONDS = 0.1")
    client = start(CLIENT, f"{ignore}print(os.getpid(), flush=True); time.sleep(60)")
    assert client.stdout is not None
    child = int(client.stdout.readline())
    client.kill()
    wait_for(lambda: not is_running(child))


def test_a_killed_server(start: Start, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    server, _ = serve(start)
    flag = tmp_path / "flag"
    client = start(CLIENT, f"print(1, flush=True)\nwhile not os.path.exists({str(flag)!r}): pass")
    assert client.stdout is not None
    client.stdout.readline()
    server.kill()
    server.wait(WAIT)
    flag.touch()
    assert client.wait(WAIT) == 7
    # The socket is still there. The client requests a new server, which replaces the socket.
    started: list[str] = []
    monkeypatch.setattr(server_client, "start_server", lambda: started.append("nvvmd"))
    assert server_client.request(["pass"]) is None
    assert started == ["nvvmd"]
    serve(start)
    assert server_client.request(["pass"]) == 7


def test_a_killed_child(start: Start):
    _, child = serve(start)
    os.kill(child, signal.SIGKILL)
    wait_for(lambda: not is_running(child))
    assert server_client.request(["pass"]) is None
    assert server_client.request(["pass"]) == 7


def test_one_server_for_a_version(start: Start):
    serve(start)
    assert nvvmd._listen(server_client.socket_path()) is None  # pyright: ignore[reportPrivateUsage]
    assert nvvmd.main([]) == 1


def test_two_versions(start: Start, monkeypatch: pytest.MonkeyPatch):
    serve(start)
    path = server_client.socket_path()
    monkeypatch.setattr(server_client, "VERSION", "0.0.0")
    assert server_client.socket_path() != path
    # Equal names of sockets do not make servers equal.
    monkeypatch.setattr(server_client, "socket_path", lambda: path)
    assert server_client.request(["print('wrong')"]) is None


def test_a_changed_compiler(start: Start, tmp_path: Path):
    state = f"nvvmd.source_state = lambda: os.path.exists({str(tmp_path / 'changed')!r})"
    server, _ = serve(start, prepare=state)
    assert server_client.request(["pass"]) == 7
    (tmp_path / "changed").touch()
    assert server_client.request(["pass"]) is None
    assert server.wait(WAIT) == 0


def test_the_state_of_sources(tmp_path: Path):
    folder = tmp_path / "package"
    folder.mkdir()
    file = folder / "a.py"
    file.write_text("a")
    os.utime(file, (4e9, 4e9))
    states = [nvvmd.source_state(str(folder))]
    assert nvvmd.source_state(str(folder)) == states[0]
    os.utime(file, (1e9, 1e9))
    states.append(nvvmd.source_state(str(folder)))
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "a.pyc").touch()
    assert nvvmd.source_state(str(folder)) == states[1]
    (folder / "b.py").touch()
    states.append(nvvmd.source_state(str(folder)))
    assert len(set(states)) == 3


@pytest.mark.parametrize("change", ["mode", "owner", "file", "peer"])
def test_another_user(
    change: str,
    start: Start,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    serve(start)
    folder = tmp_path / "nvvm-xdsl"
    if change == "mode":
        folder.chmod(0o755)
    elif change == "owner":
        user = os.geteuid() + 1
        monkeypatch.setattr(os, "geteuid", lambda: user)
    elif change == "file":
        folder.rename(tmp_path / "other")
        folder.touch(0o600)
    else:
        monkeypatch.setattr(server_client, "peer", lambda _: (1, os.geteuid() + 1))
    assert server_client.request(["print('wrong')"]) is None
    reason = (
        "another user" if change == "peer" else "not a directory that only this user can access"
    )
    found = capsys.readouterr().err
    assert found.startswith("remark: the compilation does not use nvvmd: ")
    assert reason in found


def test_a_connection_of_another_user(start: Start):
    serve(start, prepare="server_client.peer = lambda _: (1, os.geteuid() + 1)")
    assert server_client.request(["print('wrong')"]) is None


def test_an_idle_server_ends(start: Start):
    server, child = serve(start, "idle=0.1")
    assert server.wait(WAIT) == 0
    wait_for(lambda: not is_running(child))


def test_a_time_limit(start: Start):
    serve(start, "time=0.1")
    client = start(CLIENT, "time.sleep(60)")
    assert client.wait(WAIT) == -signal.SIGTERM


def test_a_memory_limit(start: Start):
    serve(start, "memory=1000")
    client = start(CLIENT, "bytes(1 << 31)")
    out, _ = client.communicate(timeout=WAIT)
    assert client.returncode == 1
    assert out.endswith("MemoryError\n")


def test_a_broken_request(start: Start):
    serve(start, prepare="nvvmd.REQUEST_SECONDS = 0.1")
    for data in (b"", b"short", (1 << 60).to_bytes(8, "little") + b"long"):
        connection = server_client.connect(server_client.socket_path())
        connection.sendall(data)
        connection.settimeout(WAIT)
        assert connection.recv(1) == b""
        connection.close()
    assert server_client.request(["pass"]) == 7


def test_a_client_that_does_not_wait(start: Start, tmp_path: Path):
    serve(start)
    connection = server_client.connect(server_client.socket_path())
    server_client._send(connection, ["open('wrong', 'w')"])  # pyright: ignore[reportPrivateUsage]
    process = server_client._number(connection)  # pyright: ignore[reportPrivateUsage]
    assert process is not None
    connection.close()
    wait_for(lambda: not is_running(process))
    assert not Path("wrong").exists()


def test_another_system(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(server_client, "SUPPORTED", False)
    assert server_client.request(["pass"]) is None
    assert nvvmd.main([]) == 1
    assert capsys.readouterr().err == (
        "remark: the compilation does not use nvvmd: it needs Linux\nerror: nvvmd needs Linux\n"
    )


@pytest.mark.parametrize("words", [["--idle", "0"], ["--memory", "x"], ["--time-limit", "-1"]])
def test_invalid_options(words: Sequence[str], capsys: pytest.CaptureFixture[str]):
    assert nvvmd.main(words) == 1
    assert f"argument {words[0]}: invalid" in capsys.readouterr().err


def test_nvvm_cc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """The real server: it is started on demand, and its PTX and errors are those of a process of its own."""
    monkeypatch.setenv("NVVMD_OPTIONS", "--idle 60")
    source = str(ROOT / "examples" / "saxpy.ll")

    def run(*words: str) -> tuple[int, str, str]:
        done = subprocess.run(
            [sys.executable, "-m", "nvvm_xdsl.tools.nvvm_cc", "-arch=sm_90", *words],
            capture_output=True,
            text=True,
            cwd=tmp_path,
            timeout=WAIT,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr

    def is_reachable() -> bool:
        try:
            server_client.connect(server_client.socket_path()).close()
        except OSError:
            return False
        return True

    expected = tmp_path / "expected.ptx"
    assert main([source, "-arch=sm_90", "-o", str(expected)]) == 0
    try:
        assert run("--server", source) == (0, expected.read_text(), "")
        wait_for(is_reachable)
        assert run("--server", source) == (0, expected.read_text(), "")
        (tmp_path / "bad.ll").write_text("define void @f() {\n  ret i32 %x\n}\n")
        assert run("--server", "bad.ll") == run("bad.ll")
    finally:
        stopped = nvvmd.main(["--stop"])
    assert stopped == 0
    wait_for(lambda: not is_reachable())
    assert nvvmd.main(["--stop"]) == 1
