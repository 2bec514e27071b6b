"""The printer dialect: the contents of a PTX file, from `.version` to line information."""

from xdsl.ir import Dialect

from nvvm_xdsl.dialects.ptx.ops import OPS

PTX = Dialect("ptx", list(OPS), [])
