"""`nvvm.inline_ptx` becomes inline assembly of the llvm dialect, as in `mlir-opt --convert-nvvm-to-llvm`."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import ExtractValueOp
from xdsl.ir import SSAValue

from nvvm_xdsl.dialects.llvm.types import dense_i64
from nvvm_xdsl.dialects.nvvm.inline_ptx import inline_assembly
from nvvm_xdsl.dialects.nvvm.ops import InlinePtxOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.op_verifier import verify_op


def lower_inline_ptx(module: ModuleOp) -> None:
    """Replaces each `nvvm.inline_ptx` that inline assembly can express; code generation rejects the
    others.

    Raises VerifyError for an op that violates its definition.
    """
    for op in [op for op in module.walk() if isinstance(op, InlinePtxOp)]:
        verify_op(op)
        try:
            made = inline_assembly(op)
        except ValueError:
            continue
        fast.insert_before(made, op)
        values: list[SSAValue] = list(made.results)
        if len(op.results) > 1:
            values = []
            for index, result in enumerate(op.results):
                part = fast.create(
                    ExtractValueOp,
                    (made.results[0],),
                    (result.type,),
                    {"position": dense_i64((index,))},
                    location=op.location,
                )
                fast.insert_before(part, op)
                values.append(part.results[0])
        fast.replace_op(op, values)
