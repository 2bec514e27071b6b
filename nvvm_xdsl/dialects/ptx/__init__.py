"""The printer dialect: what a PTX file consists of, from `.version` to line info."""

from xdsl.ir import Dialect

from nvvm_xdsl.dialects.ptx.ops import OPS

PTX = Dialect("ptx", list(OPS), [])
