"""Support routines: functions for what PTX has no instruction for and is too long at every use.

They are llvm functions of this package, linked into the module that calls them and private to it.
A module that has a function of the name and type already keeps its own.
"""

from __future__ import annotations

from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.dialects.llvm.symbols import symbols_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.intern import intern_types
from nvvm_xdsl.ir.types import function, string
from nvvm_xdsl.ir.verifier import VerifyError
from nvvm_xdsl.passes.nvidia.support_routines.sources import SIGNATURES, SOURCES


@cache
def _context() -> Context:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(LLVM)
    return context


def link_routine(module: ModuleOp, routine: str, name: str) -> Operation:
    """The function of the module that stands for a routine, put there if need be.

    Arguments:
        routine: its key in `SOURCES`.
        name: of the function in the module.
    Raises VerifyError when the name stands for something of another type.
    """
    inputs, output = SIGNATURES[routine]
    found = symbols_of(module).get(name)
    if found is not None:
        if not isinstance(found, FuncOp) or found.properties["function_type"] != function(
            inputs, output
        ):
            raise VerifyError(f"@{name} should be a function of {function(inputs, output)}", found)
        return found
    parsed = Parser(_context(), SOURCES[routine], f"<routine {routine}>").parse_module()
    intern_types(parsed)
    source = parsed.regions[0].first_block
    body = module.regions[0].first_block
    assert source is not None
    assert body is not None
    (func,) = fast.ops_of(source)
    fast.detach(func)
    func.properties["sym_name"] = string(name)
    fast.append(body, func)
    return func
