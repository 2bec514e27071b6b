"""Reads inputs, and writes outputs atomically."""

from __future__ import annotations

import os
import re
import stat
import sys
from collections.abc import Sequence
from typing import Literal

from nvvm_xdsl.driver.errors import user_errors
from nvvm_xdsl.ir.bounded_files import read_file, read_stream
from nvvm_xdsl.ir.diagnostics import DiagnosticError

Format = Literal["ll", "bc", "mlir", "ptx", "cu"]

BITCODE_MAGIC = (b"BC\xc0\xde", b"\xde\xc0\x17\x0b")
MLIR_BYTECODE = b"ML\xefR"
"""First bytes of LLVM bitcode, bare and in its wrapper (LLVM Bitcode File Format)."""

CUDA_SUFFIXES = (".cu", ".cuh")
"""Suffixes of files of CUDA C++."""

STDIN_NAME = "<stdin>"

CACHE_VARIABLE = "NVVM_XDSL_CACHE_DIR"
"""The environment variable that names the directory of the cache."""

_BLANK = re.compile(r"(?:\s++|;[^\n]*|//[^\n]*)*+")
_MLIR_START = re.compile(
    r"""[A-Za-z_][\w$-]*\.[\w.$-]+   # an operation with its dialect
      | "                                  # generic form
      | module\s*(?:@|\{|attributes\b)
      | \#
      | ![\w.$-]+\s*=(?!\s*(?:distinct\b|!\{|!"|!\w+\())   # a type alias, not LLVM metadata
    """,
    re.VERBOSE,
)

_PTX_START = re.compile(r"(?:\s++|//[^\n]*|/\*.*?\*/)*+\.version\b", re.DOTALL)


def read_input(name: str) -> bytes:
    """The bytes of a file; `-` is standard input.

    Raises DiagnosticError, also for more bytes than `bounded_files.MOST_BYTES`.
    """
    with user_errors(STDIN_NAME if name == "-" else name):
        return read_stream(sys.stdin.buffer) if name == "-" else read_file(name)


def listed(names: Sequence[str]) -> list[str]:
    """The names, with `@LIST` replaced by the lines of the file LIST. Raises DiagnosticError."""
    found: list[str] = []
    for name in names:
        if name.startswith("@") and not os.path.exists(name):
            lines = decode(read_input(name[1:]), name[1:]).splitlines()
            found += [line.strip() for line in lines if line.strip()]
        else:
            found.append(name)
    if not found:
        raise DiagnosticError("no input files", file=names[0][1:])
    return found


def cache_directory(stated: str | os.PathLike[str] | None = None) -> str | os.PathLike[str] | None:
    """The directory of the cache: the given one, else that of the environment; None if there is
    none."""
    return stated or os.environ.get(CACHE_VARIABLE) or None


def output_paths(names: Sequence[str], directory: str, suffix: str = ".ptx") -> dict[str, str]:
    """The output of each input: a file of its name in the directory, which is created.

    Raises DiagnosticError if it cannot be created, and for two inputs with the same name.
    """
    if directory == "-" or (os.path.exists(directory) and not os.path.isdir(directory)):
        raise DiagnosticError("with -j the option -o names a directory")
    with user_errors(directory):
        os.makedirs(directory, exist_ok=True)
    found: dict[str, str] = {}
    by_output: dict[str, str] = {}
    for name in names:
        stem = os.path.splitext(os.path.basename(name))[0]
        output = os.path.join(directory, f"{stem}{suffix}")
        other = by_output.setdefault(output, name)
        if other != name or name == "-":
            raise DiagnosticError(f"'{other}' and '{name}' would both be written to '{output}'")
        found[name] = output
    return found


def format_of(data: bytes, name: str = STDIN_NAME) -> Format:
    """The format of an input: bitcode by its first bytes, others by suffix or first word."""
    if data[:4] in BITCODE_MAGIC:
        return "bc"
    suffix = os.path.splitext(name)[1]
    if suffix in CUDA_SUFFIXES:
        return "cu"
    if suffix == ".mlir":
        return "mlir"
    if suffix == ".ll":
        return "ll"
    if suffix == ".ptx":
        return "ptx"
    head = data[:1_000_000].decode("utf-8", "replace")
    start = _BLANK.match(head)
    position = start.end() if start is not None else 0
    if _PTX_START.match(head):
        return "ptx"
    return "mlir" if _MLIR_START.match(head, position) else "ll"


def reject_binary(data: bytes, file: str) -> None:
    """Raises DiagnosticError for data with null bytes, which no text contains."""
    if b"\0" in data:
        if data.startswith(MLIR_BYTECODE):
            message = "MLIR bytecode is not supported; mlir-opt converts it to text"
            raise DiagnosticError(message, file=file)
        raise DiagnosticError("the input is a binary file, neither text nor bitcode", file=file)


def decode(data: bytes, file: str) -> str:
    """The input as text. Raises DiagnosticError, for text with the line of the first bad byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        reject_binary(data, file)
        start = data.rfind(b"\n", 0, error.start) + 1
        end = data.find(b"\n", error.start)
        line = data[start : end if end >= 0 else len(data)].decode("utf-8", "replace")
        raise DiagnosticError(
            f"byte 0x{data[error.start]:02x} is not UTF-8 text",
            file=file,
            line=data.count(b"\n", 0, start) + 1,
            column=len(data[start : error.start].decode("utf-8", "replace")) + 1,
            source_line=line,
        ) from None


def write_output(name: str, text: str | bytes) -> None:
    """Writes text or bytes to a file atomically; `-` is standard output.

    Devices and named pipes are opened for writing. A name of an open descriptor, such as
    /dev/stdout or /dev/fd/3, refers to that descriptor: its file is neither replaced nor truncated.
    Raises DiagnosticError.
    """
    with user_errors("<stdout>" if name == "-" else name):
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
        if name == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
            return
        descriptor = _descriptor_of(name)
        if descriptor is not None:
            sys.stdout.flush()
            sys.stderr.flush()
            with open(os.dup(descriptor), "wb") as stream:
                stream.write(data)
            return
        try:
            mode = os.stat(name).st_mode
        except FileNotFoundError:
            mode = None
        if mode is not None and not stat.S_ISREG(mode):
            with open(name, "wb") as stream:
                stream.write(data)
            return
        target = os.path.realpath(name)
        temporary = f"{target}.{os.getpid()}.tmp"
        try:
            with open(temporary, "xb") as stream:
                stream.write(data)
            if mode is not None:
                os.chmod(temporary, stat.S_IMODE(mode))
            os.replace(temporary, target)
        except BaseException as error:
            if not isinstance(error, FileExistsError):
                _remove(temporary)
            if isinstance(error, OSError):
                error.filename = name
            raise


_DESCRIPTOR = re.compile(r"/(?:dev|proc/(self|\d+))/fd/(\d+)")

_MOST_LINKS = 40
"""Maximum number of symbolic links that are followed, as in Linux."""


def _descriptor_of(name: str) -> int | None:
    """The number of the open descriptor that a file name refers to; None for any other name.

    `os.path.realpath` follows /proc/self/fd/1 further, to a name such as `pipe:[4711]` that cannot be opened.
    """
    path = os.path.abspath(name)
    for _ in range(_MOST_LINKS):
        match = _DESCRIPTOR.fullmatch(path)
        if match is not None:
            return int(match[2]) if match[1] in (None, "self", str(os.getpid())) else None
        if not os.path.islink(path):
            return None
        path = os.path.abspath(os.path.join(os.path.dirname(path), os.readlink(path)))
    return None


def _remove(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
