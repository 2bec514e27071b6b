"""The reader of PTX text, which creates a module of the ptx dialect."""

from nvvm_xdsl.frontend.ptx.reader import read_ptx

__all__ = ["read_ptx"]
