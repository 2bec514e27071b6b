"""PTX text from a module of the ptx dialect."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.ptx.ops import PTXOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.diagnostics import DiagnosticError


def print_ptx(module: ModuleOp) -> str:
    """The module as a PTX file.

    Raises DiagnosticError for an op of another dialect at its top level.
    """
    out: list[str] = []
    block = module.body.first_block
    if block is not None:
        for op in fast.ops_of(block):
            if not isinstance(op, PTXOp):
                raise DiagnosticError(f"{op.name} is not PTX: convert the module first")
            op.print_ptx(out)
    return "".join(out)
