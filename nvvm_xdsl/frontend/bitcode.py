"""Reads LLVM bitcode: llvmlite disassembles it, and the reader of assembly reads the text."""

from __future__ import annotations

import os
import sys

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.frontend.metadata import DebugLevel

MAGIC = b"BC\xc0\xde"
WRAPPER_MAGIC = b"\xde\xc0\x17\x0b"

INSTALL_LLVMLITE = "pip install 'nvvm-xdsl[bitcode]'"


_DISASSEMBLER = """\
import sys
import llvmlite.binding as llvm
try:
    text = str(llvm.parse_bitcode(sys.stdin.buffer.read()))
except RuntimeError as error:
    sys.exit(str(error))
sys.stdout.buffer.write(text.encode("utf-8", "replace"))
"""
"""Code of a separate process, because LLVM's reader may abort on damaged bitcode."""


def is_bitcode(data: bytes) -> bool:
    """Returns True if the bytes start as LLVM bitcode does, with or without a wrapper."""
    return data.startswith((MAGIC, WRAPPER_MAGIC))


def disassemble(data: bytes, filename: str = "<bitcode>") -> str:
    """The assembly text of a bitcode module. Raises ParseError."""
    if not is_bitcode(data):
        raise ParseError("this is not LLVM bitcode", file=filename)
    if len(data) % 4:
        raise ParseError("the bitcode is cut off", file=filename)
    import subprocess
    from importlib.util import find_spec

    if find_spec("llvmlite") is None:
        raise ParseError(f"bitcode needs llvmlite: {INSTALL_LLVMLITE}", file=filename)
    done = subprocess.run(
        [sys.executable, "-c", _DISASSEMBLER],
        input=data,
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    if done.returncode == 0:
        return done.stdout.decode("utf-8", "replace")
    # LLVM's fatal errors refer to its own source.
    reason = " ".join(done.stderr.decode("utf-8", "replace").split())
    if done.returncode < 0 or not reason:
        reason = "LLVM's bitcode reader crashed"
    raise ParseError(f"cannot read the bitcode: {reason}", file=filename)


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
