"""LLVM bitcode, by way of llvmlite: it disassembles, and our reader reads the text."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.frontend.errors import ParseError
from nvvm_xdsl.frontend.ll_reader import read_ll

MAGIC = b"BC\xc0\xde"
WRAPPER_MAGIC = b"\xde\xc0\x17\x0b"


def is_bitcode(data: bytes) -> bool:
    """Whether the bytes start as LLVM bitcode does, with or without a wrapper."""
    return data.startswith((MAGIC, WRAPPER_MAGIC))


def disassemble(data: bytes, filename: str = "<bitcode>") -> str:
    """The assembly text of a bitcode module. Raises ParseError."""
    if not is_bitcode(data):
        raise ParseError("this is not LLVM bitcode", file=filename)
    if len(data) % 4:
        raise ParseError("the bitcode is cut off", file=filename)
    # Slow to load, and nothing else of the front end needs it.
    import llvmlite.binding as llvm

    try:
        return str(llvm.parse_bitcode(data))
    except RuntimeError as error:
        reason = " ".join(str(error).split())
        raise ParseError(f"cannot read the bitcode: {reason}", file=filename) from None


def read_bitcode(data: bytes, filename: str = "<bitcode>") -> ModuleOp:
    """The module that the bitcode holds.

    Arguments:
        data: the file's bytes.
        filename: what errors call it; their lines are those of the disassembly.

    Raises ParseError.
    """
    return read_ll(disassemble(data, filename), filename)
