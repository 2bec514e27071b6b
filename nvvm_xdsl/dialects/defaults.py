"""Default attributes of many op definitions."""

from __future__ import annotations

from xdsl.dialects.builtin import i1
from xdsl.dialects.llvm import FastMathAttr

from nvvm_xdsl.dialects.llvm.types import int_attr

FALSE = int_attr(0, i1)
TRUE = int_attr(1, i1)
NO_FASTMATH = FastMathAttr(None)
