"""Support routines: functions for operations without a PTX instruction that are too long to expand
at every use.

Each routine is a file of this package with a function of the llvm dialect (such as `udiv128.mlir`),
generated from routines.c or fp128.c. Routines are linked into the modules that call them as private
functions. If a module already has a function of the name and type, that one is used.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Attribute, Operation
from xdsl.parser import Parser

from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.llvm.accessors import function_type_of
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.dialects.llvm.setters import set_symbol_name
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.dialects.llvm.types import F32, F64, I32, I128, function, integer
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.verifier import VerifyError

_BINARY: Final = ((I128, I128), I128)

SIGNATURES: Final[dict[str, tuple[tuple[Attribute, ...], Attribute]]] = {
    "udiv128": _BINARY,
    "urem128": _BINARY,
    "sdiv128": _BINARY,
    "srem128": _BINARY,
    "u128_to_f32": ((I128,), F32),
    "u128_to_f64": ((I128,), F64),
    "s128_to_f32": ((I128,), F32),
    "s128_to_f64": ((I128,), F64),
    "f64_to_u128": ((F64,), I128),
    "f64_to_s128": ((F64,), I128),
    "fmod32": ((F32, F32), F32),
    "fmod64": ((F64, F64), F64),
    "f128_add": _BINARY,
    "f128_mul": _BINARY,
    "f128_div": _BINARY,
    "f128_rem": _BINARY,
    "f128_sqrt": ((I128,), I128),
    "f128_cmp": ((I128, I128), I32),
    "f64_to_f128": ((F64,), I128),
    "f128_to_f64": ((I128,), F64),
    "f128_to_f64_odd": ((I128,), F64),
    "u128_to_f128": ((I128,), I128),
    "s128_to_f128": ((I128,), I128),
    "f128_to_s128": ((I128,), I128),
}
"""Types of the arguments and the result of each routine; 128-bit floats are integers."""


@cache
def _context() -> Context:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(LLVM)
    return context


_WIDE: Final = re.compile(r"u(div|rem)(\d+)")

_LONG_DIVISION: Final = """
llvm.func @routine(%n: iW, %d: iW) -> iW {
  %zero = llvm.mlir.constant(0 : iW) : iW
  %one = llvm.mlir.constant(1 : iW) : iW
  %last = llvm.mlir.constant(LAST : iW) : iW
  %start = llvm.mlir.constant(0 : i32) : i32
  %step = llvm.mlir.constant(1 : i32) : i32
  %count = llvm.mlir.constant(BITS : i32) : i32
  llvm.br ^bit(%start, %n, %zero : i32, iW, iW)
^bit(%i: i32, %q: iW, %r: iW):
  %out = llvm.lshr %q, %last : iW
  %twice = llvm.shl %r, %one : iW
  %next = llvm.or %twice, %out : iW
  %lost = llvm.icmp "slt" %r, %zero : iW
  %fits = llvm.icmp "uge" %next, %d : iW
  %takes = llvm.or %lost, %fits : i1
  %less = llvm.sub %next, %d : iW
  %rem = llvm.select %takes, %less, %next : i1, iW
  %shifted = llvm.shl %q, %one : iW
  %digit = llvm.zext %takes : i1 to iW
  %div = llvm.or %shifted, %digit : iW
  %j = llvm.add %i, %step : i32
  %more = llvm.icmp "ult" %j, %count : i32
  llvm.cond_br %more, ^bit(%j, %div, %rem : i32, iW, iW), ^end
^end:
  llvm.return %RESULT : iW
}
"""
"""One bit of the quotient in each iteration; the dividend moves out of the register that the quotient enters.

`%lost` is the bit that the remainder loses when it is doubled: the remainder then exceeds each divisor.
"""


def _wide_source(routine: str) -> str | None:
    """The text of a division of integers of more than 128 bits; None for other routines."""
    match = None if routine in SIGNATURES else _WIDE.fullmatch(routine)
    if match is None:
        return None
    text = _LONG_DIVISION.replace("iW", f"i{match[2]}").replace("RESULT", match[1])
    return text.replace("LAST", str(int(match[2]) - 1)).replace("BITS", match[2])


def signature_of(routine: str) -> tuple[tuple[Attribute, ...], Attribute]:
    """Types of the arguments and the result of a routine."""
    match = None if routine in SIGNATURES else _WIDE.fullmatch(routine)
    if match is None:
        return SIGNATURES[routine]
    type_ = integer(int(match[2]))
    return (type_, type_), type_


def link_routine(module: ModuleOp, routine: str, name: str) -> Operation:
    """The function of the module for a routine, which is linked if necessary.

    Arguments:
        routine: the key in `SIGNATURES`, or a division such as `udiv256`.
        name: the name of the function in the module.

    Raises VerifyError if the module has a symbol of this name and another type.
    """
    inputs, output = signature_of(routine)
    found = symbols_of(module).get(name)
    if found is not None:
        if not isinstance(found, FuncOp) or function_type_of(found) != function(inputs, output):
            raise VerifyError(f"@{name} must be a function of {function(inputs, output)}", found)
        return found
    source = _wide_source(routine)
    if source is None:
        source = (Path(__file__).parent / f"{routine}.mlir").read_text()
    parsed = Parser(_context(), source, f"<routine {routine}>").parse_module()
    intern_types(parsed)
    body = module.regions[0].first_block
    assert body is not None
    (func,) = fast.ops_of(parsed.body.block)
    fast.detach(func)
    set_symbol_name(func, name)
    fast.append(body, func)
    return func
