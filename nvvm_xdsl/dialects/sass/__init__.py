"""NVIDIA machine code (SASS): the functions and data of a cubin, one op per instruction."""

from xdsl.ir import Dialect

from nvvm_xdsl.dialects.sass.ops import OPS

SASS = Dialect("sass", list(OPS), [])
"""The contents of a cubin: functions, their instructions, variables and constant banks."""
