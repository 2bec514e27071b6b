"""Reads LLVM bitcode: llvmlite disassembles it, and the reader of assembly reads the text."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, Self

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.frontend.metadata import DebugLevel

if TYPE_CHECKING:
    import subprocess

MAGIC = b"BC\xc0\xde"
WRAPPER_MAGIC = b"\xde\xc0\x17\x0b"

INSTALL_LLVMLITE = "pip install 'nvvm-xdsl[bitcode]'"


_DISASSEMBLER = """\
import sys
import llvmlite.binding as llvm
source, target = sys.stdin.buffer, sys.stdout.buffer
while size := source.read(8):
    data = source.read(int.from_bytes(size, "little"))
    try:
        # The names of structs depend on the modules that a context has read before.
        text, failed = str(llvm.parse_bitcode(data, llvm.create_context())), 0
    except RuntimeError as error:
        text, failed = str(error), 1
    answer = text.encode("utf-8", "replace")
    target.write(bytes([failed]) + len(answer).to_bytes(8, "little") + answer)
    target.flush()
"""
"""Code of a separate process, because LLVM's reader may abort on damaged bitcode."""


class Disassembler:
    """A process that disassembles bitcode, started for the first module and again after a crash."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def text_of(self, data: bytes) -> str:
        """The assembly text of a bitcode module. Raises DisassemblyError."""
        process = self._process
        if process is None or process.poll() is not None:
            self.close()
            process = self._process = _start()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(len(data).to_bytes(8, "little") + data)
            process.stdin.flush()
        except BrokenPipeError:
            pass  # The process has ended, so it does not answer either.
        head = process.stdout.read(9)
        size = int.from_bytes(head[1:], "little")
        answer = process.stdout.read(size).decode("utf-8", "replace") if len(head) == 9 else ""
        if len(head) < 9 or process.poll() is not None:
            raise DisassemblyError(self._reason_of_end(process))
        if head[0]:
            raise DisassemblyError(" ".join(answer.split()))
        return answer

    def _reason_of_end(self, process: subprocess.Popen[bytes]) -> str:
        assert process.stderr is not None
        message = " ".join(process.stderr.read().decode("utf-8", "replace").split())
        # LLVM's fatal errors refer to its own source.
        crashed = process.wait() < 0 or not message
        return "LLVM's bitcode reader crashed" if crashed else message

    def close(self) -> None:
        """Ends the process."""
        if self._process is not None:
            with self._process:
                pass
            self._process = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class DisassemblyError(Exception):
    """LLVM rejected bitcode, or crashed; the text is the reason."""


def _start() -> subprocess.Popen[bytes]:
    import subprocess

    return subprocess.Popen(
        [sys.executable, "-c", _DISASSEMBLER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


_kept: ContextVar[Disassembler | None] = ContextVar("kept_disassembler", default=None)


@contextmanager
def kept_disassembler() -> Generator[None]:
    """Reads all bitcode in the context with one process, instead of one for each module.

    A process that is forked in the context must not read bitcode.
    """
    with Disassembler() as disassembler:
        token = _kept.set(disassembler)
        try:
            yield
        finally:
            _kept.reset(token)


def is_bitcode(data: bytes) -> bool:
    """Returns True if the bytes start as LLVM bitcode does, with or without a wrapper."""
    return data.startswith((MAGIC, WRAPPER_MAGIC))


def disassemble(data: bytes, filename: str = "<bitcode>") -> str:
    """The assembly text of a bitcode module. Raises ParseError."""
    if not is_bitcode(data):
        raise ParseError("this is not LLVM bitcode", file=filename)
    if len(data) % 4:
        raise ParseError("the bitcode is cut off", file=filename)
    from importlib.util import find_spec

    if find_spec("llvmlite") is None:
        raise ParseError(f"bitcode needs llvmlite: {INSTALL_LLVMLITE}", file=filename)
    kept = _kept.get()
    try:
        if kept is not None:
            return kept.text_of(data)
        with Disassembler() as disassembler:
            return disassembler.text_of(data)
    except DisassemblyError as error:
        raise ParseError(f"cannot read the bitcode: {error}", file=filename) from None


def read_bitcode(
    data: bytes, filename: str = "<bitcode>", *, locations: bool = False, debug: DebugLevel = "none"
) -> ModuleOp:
    """The module in bitcode.

    Arguments:
        data: the file's bytes.
        filename: the file name in errors; lines are those of the disassembly.
        locations, debug: as for `read_ll`.

    Raises ParseError.
    """
    return read_ll(disassemble(data, filename), filename, locations=locations, debug=debug)
