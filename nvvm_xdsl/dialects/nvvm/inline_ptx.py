"""Conversion of MLIR's `nvvm.inline_ptx` to inline assembly of the llvm dialect.

    %r = nvvm.inline_ptx "ex2.approx.f32 {$w0}, {$r0};" ro(%a : f32), predicate = %p -> f32
    %r = llvm.inline_asm has_side_effects "@$2 ex2.approx.f32 $0, $1;", "=f,f,b,~{memory}" %a, %p

Registers are numbered as in LLVM: results, operands, the predicate. MLIR 22 does not count the
results when it numbers the predicate, which then is another register, and does not declare that the
text may access memory. Operands that are read and written (`rw`) are rejected: an SSA value cannot
change, and MLIR 22 ties other registers than those in the text.

Facts: MLIR 22's NVVMOps.td and the output of `mlir-opt --convert-nvvm-to-llvm`.
"""

from __future__ import annotations

import re

from xdsl.dialects.llvm import InlineAsmOp, TailCallKind, TailCallKindAttr
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.asm_operands import register_letter
from nvvm_xdsl.dialects.llvm.types import I64, UNIT, int_attr, string, struct
from nvvm_xdsl.dialects.nvvm.ops import InlinePtxOp
from nvvm_xdsl.ir import fast

_REGISTER = re.compile(r"\{\$(rw|r|w)(\d+)\}")


def inline_assembly(op: InlinePtxOp) -> InlineAsmOp:
    """The equivalent inline assembly, detached; several results are a struct.

    Raises ValueError with the reason for ops without such a form.
    """
    if op.readWriteArgs:
        raise ValueError("rw operands are not supported: use an ro operand and a result")
    read, written = list(op.readOnlyArgs), [result.type for result in op.results]
    inputs = read if op.predicate is None else [*read, op.predicate]
    outputs = [f"={register_letter(type_)}" for type_ in written]
    letters = [register_letter(value.type) for value in inputs]
    # The first number and the count.
    numbers = {"w": (0, len(written)), "r": (len(written), len(read)), "rw": (0, 0)}

    def number(reference: re.Match[str]) -> str:
        first, count = numbers[reference[1]]
        if int(reference[2]) >= count:
            raise ValueError(f"the text names {reference[0]}, which does not exist")
        return f"${first + int(reference[2])}"

    text = _REGISTER.sub(number, op.ptxCode.data)
    if op.predicate is not None:
        text = f"@${len(written) + len(read)} {text}"
    results = [struct(written)] if len(written) > 1 else written
    properties: dict[str, Attribute] = {
        "asm_dialect": int_attr(0, I64),
        "has_side_effects": UNIT,
        "asm_string": string(text),
        "constraints": string(",".join([*outputs, *letters, "~{memory}"])),
        "tail_call_kind": TailCallKindAttr(TailCallKind.NONE),
    }
    return fast.create(InlineAsmOp, inputs, results, properties, location=op.location)
