"""Support routines: functions for operations without a PTX instruction that are too long to expand
at every use.

Each routine is a file of this package with a function of the llvm dialect (such as `udiv128.mlir`),
generated from routines.c or fp128.c. Routines are linked into the modules that call them as private
functions. If a module already has a function of the name and type, that one is used.
"""

from __future__ import annotations

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
from nvvm_xdsl.dialects.llvm.types import F32, F64, I32, I128, function
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


def link_routine(module: ModuleOp, routine: str, name: str) -> Operation:
    """The function of the module for a routine, which is linked if necessary.

    Arguments:
        routine: the key in `SIGNATURES`.
        name: the name of the function in the module.

    Raises VerifyError if the module has a symbol of this name and another type.
    """
    inputs, output = SIGNATURES[routine]
    found = symbols_of(module).get(name)
    if found is not None:
        if not isinstance(found, FuncOp) or function_type_of(found) != function(inputs, output):
            raise VerifyError(f"@{name} must be a function of {function(inputs, output)}", found)
        return found
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
