"""Support routines: what PTX has no instruction for and is too long to emit at every use.

A routine is an llvm function of this package, selected with the module that calls it and
private to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.dialects.llvm import FuncOp
from xdsl.ir import Operation
from xdsl.parser import Parser

from nvvm_xdsl.codegen.module_context import ModuleContext
from nvvm_xdsl.codegen.routine_sources import SIGNATURES, SOURCES
from nvvm_xdsl.codegen.selector import Part, Parts, Selector
from nvvm_xdsl.dialects.llvm import LLVM
from nvvm_xdsl.ir import fast

PREFIX = "__nvvm_xdsl_"


def call_routine(sel: Selector, name: str, arguments: Sequence[Part], op: Operation) -> Parts:
    """Calls a routine with the parts of its arguments; returns those of its result."""
    return sel.module.call_routine(sel, name, arguments)


def call_routine_now(sel: Selector, name: str, arguments: Sequence[Part]) -> Parts:
    """What `call_routine` does, once calls can be emitted."""
    from nvvm_xdsl.codegen.calls import call_with_parts

    inputs, output = SIGNATURES[name]
    sel.module.routines[name] = None
    symbol = sel.module.names.of(PREFIX + name)
    return call_with_parts(sel, symbol, inputs, arguments, output)


@cache
def _context() -> Context:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(LLVM)
    return context


def routine_functions(module: ModuleContext) -> Sequence[Operation]:
    """The routines that the functions selected so far call."""
    found: list[Operation] = []
    for name in module.routines:
        parsed = Parser(_context(), SOURCES[name], f"<routine {name}>").parse_module()
        body = parsed.regions[0].first_block
        assert body is not None
        for op in fast.ops_of(body):
            if op.__class__ is FuncOp:
                fast.detach(op)
                found.append(op)
    return found
