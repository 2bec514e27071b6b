"""Intrinsics of the llvm dialect for debuggers, coroutines and annotations, written by
`dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr
from xdsl.irdl import operand_def, opt_prop_def, prop_def, result_def, traits_def
from xdsl.traits import Pure

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    I1,
    I32,
    I64_ATTR,
    LLVM_TYPE,
    POINTER,
    SIGNLESS_INT,
    TOKEN,
    variable,
)
from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr
from nvvm_xdsl.dialects.llvm.struct_attributes import (
    AliasScopeAttr,
    DILabelAttr,
    DILocalVariableAttr,
)
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class AnnotationOp(OpRow, op="llvm.intr.annotation"):
    integer = operand_def(variable("T", SIGNLESS_INT))
    annotation = operand_def(variable("U", POINTER))
    fileName = operand_def(variable("U", POINTER))
    line = operand_def(I32)
    res = result_def(variable("T", SIGNLESS_INT))


class CoroutineConstant(OpRow, AssemblyOp):
    """Property of a coroutine's frame."""

    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"


class CoroBeginOp(OpRow, AssemblyOp, op="llvm.intr.coro.begin"):
    token = operand_def(TOKEN)
    mem = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$token `,` $mem attr-dict `:` functional-type(operands, results)"


class CoroEndOp(OpRow, AssemblyOp, op="llvm.intr.coro.end"):
    handle = operand_def(POINTER)
    unwind = operand_def(I1)
    retvals = operand_def(TOKEN)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$handle `,` $unwind `,` $retvals attr-dict `:` functional-type(operands, results)"
    )


class CoroFreeOp(OpRow, AssemblyOp, op="llvm.intr.coro.free"):
    id = operand_def(TOKEN)
    handle = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$id `,` $handle attr-dict `:` functional-type(operands, results)"


class CoroIdOp(OpRow, AssemblyOp, op="llvm.intr.coro.id"):
    align = operand_def(I32)
    promise = operand_def(POINTER)
    coroaddr = operand_def(POINTER)
    fnaddrs = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$align `,` $promise `,` $coroaddr `,` $fnaddrs attr-dict `:` functional-type(operands, results)"
    )


class CoroPromiseOp(OpRow, AssemblyOp, op="llvm.intr.coro.promise"):
    handle = operand_def(POINTER)
    align = operand_def(I32)
    from_ = operand_def(I1)
    res = result_def(POINTER)
    FORMAT: ClassVar[str] = (
        "$handle `,` $align `,` $from_ attr-dict `:` functional-type(operands, results)"
    )


class CoroResumeOp(OpRow, AssemblyOp, op="llvm.intr.coro.resume"):
    handle = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$handle attr-dict `:` type($handle)"


class CoroSaveOp(OpRow, AssemblyOp, op="llvm.intr.coro.save"):
    handle = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$handle attr-dict `:` functional-type(operands, results)"


class CoroSuspendOp(OpRow, AssemblyOp, op="llvm.intr.coro.suspend"):
    save = operand_def(TOKEN)
    final = operand_def(I1)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$save `,` $final attr-dict `:` type($res)"


class DbgDeclareOp(OpRow, AssemblyOp, op="llvm.intr.dbg.declare"):
    addr = operand_def(POINTER)
    varInfo = prop_def(DILocalVariableAttr)
    locationExpr = opt_prop_def(DIExpressionAttr, default_value=DIExpressionAttr(ArrayAttr(())))
    FORMAT: ClassVar[str] = (
        "qualified($varInfo) (qualified($locationExpr)^)? `=` $addr `:` type($addr) attr-dict"
    )


class DbgLabelOp(OpRow, AssemblyOp, op="llvm.intr.dbg.label"):
    label = prop_def(DILabelAttr)
    FORMAT: ClassVar[str] = "$label attr-dict"


class DbgValueOp(OpRow, AssemblyOp, op="llvm.intr.dbg.value"):
    value = operand_def(LLVM_TYPE)
    varInfo = prop_def(DILocalVariableAttr)
    locationExpr = opt_prop_def(DIExpressionAttr, default_value=DIExpressionAttr(ArrayAttr(())))
    FORMAT: ClassVar[str] = (
        "qualified($varInfo) (qualified($locationExpr)^)? `=` $value `:` type($value) attr-dict"
    )


class EhTypeidForOp(OpRow, AssemblyOp, op="llvm.intr.eh.typeid.for"):
    type_info = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$type_info attr-dict `:` functional-type(operands, results)"


class ConstrainedFPExtIntrOp(OpRow, AssemblyOp, op="llvm.intr.experimental.constrained.fpext"):
    arg_0 = operand_def(LLVM_TYPE)
    fpExceptionBehavior = prop_def(I64_ATTR)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$arg_0 custom<FPExceptionBehavior>($fpExceptionBehavior) attr-dict `:` type($arg_0) `to` type(results)"
    )
    traits = traits_def(Pure())


class ConstrainedConversion(OpRow, AssemblyOp):
    """Conversion with a rounding mode."""

    arg_0 = operand_def(LLVM_TYPE)
    roundingmode = prop_def(I64_ATTR)
    fpExceptionBehavior = prop_def(I64_ATTR)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$arg_0 custom<RoundingMode>($roundingmode) custom<FPExceptionBehavior>($fpExceptionBehavior) attr-dict `:` type($arg_0) `to` type(results)"
    )
    traits = traits_def(Pure())


class NoAliasScopeDeclOp(OpRow, AssemblyOp, op="llvm.intr.experimental.noalias.scope.decl"):
    scope = prop_def(AliasScopeAttr)
    FORMAT: ClassVar[str] = "$scope attr-dict"


class PtrAnnotationOp(OpRow, op="llvm.intr.ptr.annotation"):
    ptr = operand_def(variable("T", POINTER))
    annotation = operand_def(variable("U", POINTER))
    fileName = operand_def(variable("U", POINTER))
    line = operand_def(I32)
    attr = operand_def(variable("U", POINTER))
    res = result_def(variable("T", POINTER))


class VarAnnotationOp(OpRow, op="llvm.intr.var.annotation"):
    val = operand_def(POINTER)
    annotation = operand_def(variable("T", POINTER))
    fileName = operand_def(variable("T", POINTER))
    line = operand_def(I32)
    attr = operand_def(variable("T", POINTER))


# fmt: off
class CoroAlignOp(CoroutineConstant, op="llvm.intr.coro.align"): ...
class CoroSizeOp(CoroutineConstant, op="llvm.intr.coro.size"): ...
class ConstrainedFPTruncIntrOp(ConstrainedConversion, op="llvm.intr.experimental.constrained.fptrunc"): ...
class ConstrainedSIToFPOp(ConstrainedConversion, op="llvm.intr.experimental.constrained.sitofp"): ...
class ConstrainedUIToFPOp(ConstrainedConversion, op="llvm.intr.experimental.constrained.uitofp"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
