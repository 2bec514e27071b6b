"""PTX text in: the reader makes a module of the ptx dialect."""

from nvvm_xdsl.frontend.ptx.reader import read_ptx

__all__ = ["read_ptx"]
