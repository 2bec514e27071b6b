"""The client of `nvvmd`: sends the command line of `nvvm-cc` to the resident process.

Nothing of the compiler is imported. `_socket` is imported in place of `socket`, which takes a third of the startup of Python.
Every failure means that the caller compiles in its own process.
"""

from __future__ import annotations

import os
import stat
import sys
from binascii import crc32
from collections.abc import Sequence

from nvvm_xdsl.ir.version import VERSION

TYPE_CHECKING = False
"""As of `typing`, whose import takes a tenth of the time of the client."""

if TYPE_CHECKING:
    import _socket
    from typing import Any, Final

VARIABLE: Final = "NVVM_XDSL_SERVER"
"""`1` in this environment variable means `--server`."""

OPTIONS_VARIABLE: Final = "NVVMD_OPTIONS"
"""The environment variable with the options of an `nvvmd` that is started on demand."""

CONNECT_SECONDS: Final = 3.0
"""How long a connection, the transfer of a request, and the answer that it is accepted may each take."""

SUPPORTED: Final = sys.platform.startswith("linux")
"""Whether the system has pidfds and SO_PEERCRED, which only Linux has."""

ROOT: Final = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
"""The directory that contains the package."""

_IN_PROCESS = ("--watch", "-watch", "-j", "--split-compile", "-split-compile", "--threads", "-threads", "-t")  # fmt: skip
"""Starts of options that need other processes or descriptors of the caller; `-j` is that of `-jobserver` too."""

_IDENTIFYING = ("PYTHON", "LC_", "LANG")
"""Starts of the environment variables that Python reads only when it starts."""


def is_wanted(words: Sequence[str]) -> bool:
    """Returns True if the command line or the environment requests the server, and it can run the command."""
    if "--no-server" in words or not (
        "--server" in words or os.environ.get(VARIABLE, "") not in ("", "0")
    ):
        return False
    return not any(
        word.startswith(_IN_PROCESS) or word == "--jobserver" or "/fd/" in word for word in words
    )


def identity() -> str:
    """The text that distinguishes servers of one user: versions, package, and variables that Python reads when it starts."""
    variables = sorted(
        f"{name}={value}" for name, value in os.environ.items() if name.startswith(_IDENTIFYING)
    )
    return "\n".join((VERSION, sys.executable, sys.version, ROOT, *variables))


def socket_path() -> str:
    """The socket of the server. Its directory is created.

    Raises OSError if the directory belongs to another user, or if other users can access it.
    """
    base = os.environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(base):
        folder = os.path.join(base, "nvvm-xdsl")
    else:
        folder = os.path.join(os.environ.get("TMPDIR") or "/tmp", f"nvvm-xdsl-{os.geteuid()}")
    try:
        os.mkdir(folder, 0o700)
    except FileExistsError:
        pass
    found = os.lstat(folder)
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise PermissionError(f"{folder} is not a directory that only this user can access")
    return os.path.join(folder, f"{crc32(identity().encode('utf-8', 'surrogateescape')):08x}")


def peer(connection: _socket.socket) -> tuple[int, int]:
    """The process and the user at the other end of a connection (unix(7), SO_PEERCRED)."""
    import _socket

    data = connection.getsockopt(_socket.SOL_SOCKET, _socket.SO_PEERCRED, 12)
    process, user = (int.from_bytes(data[at : at + 4], sys.byteorder) for at in (0, 4))
    return process, user


def connect(path: str) -> _socket.socket:
    """A connection to the server of this user. Raises OSError if there is none."""
    import _socket

    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    connection.settimeout(CONNECT_SECONDS)
    connection.connect(path)
    if peer(connection)[1] != os.geteuid():
        raise PermissionError(f"{path} is the socket of another user")
    return connection


def request(words: Sequence[str]) -> int | None:
    """The status of `nvvm-cc` in the server; None if it must run in this process.

    A server that does not exist is started for the next command. A signal that ends the compilation ends this process too.
    """
    if not SUPPORTED:
        return _refused("it needs Linux")
    try:
        path = socket_path()
    except OSError as error:
        return _refused(str(error))
    try:
        connection = connect(path)
    except (FileNotFoundError, ConnectionRefusedError):
        start_server()
        return None
    except OSError as error:
        return _refused(str(error))
    try:
        _send(connection, words)
        return _status(connection)
    except OSError:
        return None


def _refused(reason: str) -> None:
    print(f"remark: the compilation does not use nvvmd: {reason}", file=sys.stderr)


def _send(connection: _socket.socket, words: Sequence[str]) -> None:
    """Sends the arguments, the working directory, the environment and the standard streams."""
    import _socket

    mask = os.umask(0o077)
    os.umask(mask)
    variables = [f"{name}={value}" for name, value in os.environ.items()]
    fields = [identity(), os.getcwd(), str(mask), str(len(words)), *words, *variables]
    data = "\0".join(fields).encode("utf-8", "surrogateescape")
    data = len(data).to_bytes(8, "little") + data
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(3))
    rights = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)]
    sent = connection.sendmsg([data], rights)
    connection.sendall(data[sent:])


def _status(connection: _socket.socket) -> int | None:
    """Waits for the end of the compilation; signals to this process are sent to it. None if its end is unknown."""
    import signal

    process = _number(connection)
    if process is None:
        return None
    connection.settimeout(None)

    def forward(number: int, _frame: Any) -> None:
        try:
            os.killpg(process, number)
        except ProcessLookupError:
            pass

    forwarded = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.getsignal(number) for number in forwarded}
    for number in forwarded:
        if before[number] != signal.SIG_IGN:
            signal.signal(number, forward)
    # The compilation starts now: before, this process could give up and compile itself.
    connection.sendall(b"g")
    status = _number(connection)
    for number in forwarded:
        signal.signal(number, before[number])
    if status is not None and status < 0:
        if -status != signal.SIGKILL:
            signal.signal(-status, signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    return status


def _number(connection: _socket.socket) -> int | None:
    """The next number from the server; None at the end of the connection."""
    data = b""
    while len(data) < 4:
        more = connection.recv(4 - len(data))
        if not more:
            return None
        data += more
    return int.from_bytes(data, "little", signed=True)


def start_server() -> None:
    """Starts `nvvmd` in the background, in a session of its own and without the descriptors of this process."""
    code = (
        "import os, sys; os.closerange(3, os.sysconf('SC_OPEN_MAX')); "
        f"{ROOT!r} in sys.path or sys.path.insert(0, {ROOT!r}); "
        "from nvvm_xdsl.tools.nvvmd import main; os.chdir('/'); sys.exit(main())"
    )
    words = os.environ.get(OPTIONS_VARIABLE, "").split()
    null = [(os.POSIX_SPAWN_OPEN, number, "/dev/null", os.O_RDWR, 0) for number in range(3)]
    os.posix_spawn(
        sys.executable,
        [sys.executable, "-P", "-c", code, *words],
        os.environ,
        file_actions=null,
        setsid=True,
    )
