"""Module-level assembly: PTX text of a module outside of functions and variables."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.ptx import ops as ptx
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir import fast

_HEAD = (ptx.VersionOp, ptx.TargetOp, ptx.AddressSizeOp)
_SYMBOLS = (ptx.VariableOp, ptx.FuncOp)


def add_module_assembly(code: ModuleOp, text: str) -> None:
    """Inserts PTX before all declarations and definitions of a module of the ptx dialect.

    A symbol that is declared in the module and defined in the text loses its declaration, because
    PTX has no forward declaration of it. Passes do not read the text: symbols used only by the text
    are kept by `llvm.used`.

    Raises DiagnosticError, with a position in the text, for text that is not PTX.
    """
    block = code.body.block
    head = [op for op in fast.ops_of(block) if isinstance(op, _HEAD)]
    lines: list[str] = []
    for op in head:
        op.print_ptx(lines)
    stands = read_ptx("".join(lines) + text, "module-level assembly")
    added = [op for op in fast.ops_of(stands.body.block) if not isinstance(op, _HEAD)]
    symbols = [op for op in added if isinstance(op, _SYMBOLS) and not _is_declared(op)]
    defined = {op.text("symbol") for op in symbols}
    for op in list(fast.ops_of(block)):
        if isinstance(op, _SYMBOLS) and _is_declared(op) and op.text("symbol") in defined:
            fast.erase(op)
    first = head[-1].next_op
    for op in added:
        fast.detach(op)
        if first is None:
            fast.append(block, op)
        else:
            fast.insert_before(op, first)


def _is_declared(op: ptx.PTXOp) -> bool:
    return op.text("linkage") == "extern"
