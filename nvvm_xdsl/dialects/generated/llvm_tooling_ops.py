"""Intrinsics of the llvm dialect for debuggers, coroutines and annotations, written by
`dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation
from xdsl.irdl import IRDLOperation, operand_def, opt_prop_def, prop_def, result_def, traits_def
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
from nvvm_xdsl.ir.definitions import irdl_op_definition


@irdl_op_definition
class AnnotationOp(IRDLOperation):
    """MLIR's `llvm.intr.annotation`."""

    name = "llvm.intr.annotation"
    integer = operand_def(variable("T", SIGNLESS_INT))
    annotation = operand_def(variable("U", POINTER))
    fileName = operand_def(variable("U", POINTER))
    line = operand_def(I32)
    res = result_def(variable("T", SIGNLESS_INT))


@irdl_op_definition
class CoroAlignOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.align`."""

    name = "llvm.intr.coro.align"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"


@irdl_op_definition
class CoroBeginOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.begin`."""

    name = "llvm.intr.coro.begin"
    token = operand_def(TOKEN)
    mem = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$token `,` $mem attr-dict `:` functional-type(operands, results)"


@irdl_op_definition
class CoroEndOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.end`."""

    name = "llvm.intr.coro.end"
    handle = operand_def(POINTER)
    unwind = operand_def(I1)
    retvals = operand_def(TOKEN)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$handle `,` $unwind `,` $retvals attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class CoroFreeOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.free`."""

    name = "llvm.intr.coro.free"
    id = operand_def(TOKEN)
    handle = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$id `,` $handle attr-dict `:` functional-type(operands, results)"


@irdl_op_definition
class CoroIdOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.id`."""

    name = "llvm.intr.coro.id"
    align = operand_def(I32)
    promise = operand_def(POINTER)
    coroaddr = operand_def(POINTER)
    fnaddrs = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$align `,` $promise `,` $coroaddr `,` $fnaddrs attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class CoroPromiseOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.promise`."""

    name = "llvm.intr.coro.promise"
    handle = operand_def(POINTER)
    align = operand_def(I32)
    from_ = operand_def(I1)
    res = result_def(POINTER)
    FORMAT: ClassVar[str] = (
        "$handle `,` $align `,` $from_ attr-dict `:` functional-type(operands, results)"
    )


@irdl_op_definition
class CoroResumeOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.resume`."""

    name = "llvm.intr.coro.resume"
    handle = operand_def(POINTER)
    FORMAT: ClassVar[str] = "$handle attr-dict `:` type($handle)"


@irdl_op_definition
class CoroSaveOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.save`."""

    name = "llvm.intr.coro.save"
    handle = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$handle attr-dict `:` functional-type(operands, results)"


@irdl_op_definition
class CoroSizeOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.size`."""

    name = "llvm.intr.coro.size"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"


@irdl_op_definition
class CoroSuspendOp(AssemblyOp):
    """MLIR's `llvm.intr.coro.suspend`."""

    name = "llvm.intr.coro.suspend"
    save = operand_def(TOKEN)
    final = operand_def(I1)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$save `,` $final attr-dict `:` type($res)"


@irdl_op_definition
class DbgDeclareOp(AssemblyOp):
    """MLIR's `llvm.intr.dbg.declare`."""

    name = "llvm.intr.dbg.declare"
    addr = operand_def(POINTER)
    varInfo = prop_def(DILocalVariableAttr)
    locationExpr = opt_prop_def(DIExpressionAttr, default_value=DIExpressionAttr(ArrayAttr(())))
    FORMAT: ClassVar[str] = (
        "qualified($varInfo) (qualified($locationExpr)^)? `=` $addr `:` type($addr) attr-dict"
    )


@irdl_op_definition
class DbgLabelOp(AssemblyOp):
    """MLIR's `llvm.intr.dbg.label`."""

    name = "llvm.intr.dbg.label"
    label = prop_def(DILabelAttr)
    FORMAT: ClassVar[str] = "$label attr-dict"


@irdl_op_definition
class DbgValueOp(AssemblyOp):
    """MLIR's `llvm.intr.dbg.value`."""

    name = "llvm.intr.dbg.value"
    value = operand_def(LLVM_TYPE)
    varInfo = prop_def(DILocalVariableAttr)
    locationExpr = opt_prop_def(DIExpressionAttr, default_value=DIExpressionAttr(ArrayAttr(())))
    FORMAT: ClassVar[str] = (
        "qualified($varInfo) (qualified($locationExpr)^)? `=` $value `:` type($value) attr-dict"
    )


@irdl_op_definition
class EhTypeidForOp(AssemblyOp):
    """MLIR's `llvm.intr.eh.typeid.for`."""

    name = "llvm.intr.eh.typeid.for"
    type_info = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$type_info attr-dict `:` functional-type(operands, results)"


@irdl_op_definition
class ConstrainedFPExtIntrOp(AssemblyOp):
    """MLIR's `llvm.intr.experimental.constrained.fpext`."""

    name = "llvm.intr.experimental.constrained.fpext"
    arg_0 = operand_def(LLVM_TYPE)
    fpExceptionBehavior = prop_def(I64_ATTR)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$arg_0 custom<FPExceptionBehavior>($fpExceptionBehavior) attr-dict `:` type($arg_0) `to` type(results)"
    )
    traits = traits_def(Pure())


@irdl_op_definition
class ConstrainedFPTruncIntrOp(AssemblyOp):
    """MLIR's `llvm.intr.experimental.constrained.fptrunc`."""

    name = "llvm.intr.experimental.constrained.fptrunc"
    arg_0 = operand_def(LLVM_TYPE)
    roundingmode = prop_def(I64_ATTR)
    fpExceptionBehavior = prop_def(I64_ATTR)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$arg_0 custom<RoundingMode>($roundingmode) custom<FPExceptionBehavior>($fpExceptionBehavior) attr-dict `:` type($arg_0) `to` type(results)"
    )
    traits = traits_def(Pure())


@irdl_op_definition
class ConstrainedSIToFPOp(AssemblyOp):
    """MLIR's `llvm.intr.experimental.constrained.sitofp`."""

    name = "llvm.intr.experimental.constrained.sitofp"
    arg_0 = operand_def(LLVM_TYPE)
    roundingmode = prop_def(I64_ATTR)
    fpExceptionBehavior = prop_def(I64_ATTR)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$arg_0 custom<RoundingMode>($roundingmode) custom<FPExceptionBehavior>($fpExceptionBehavior) attr-dict `:` type($arg_0) `to` type(results)"
    )
    traits = traits_def(Pure())


@irdl_op_definition
class ConstrainedUIToFPOp(AssemblyOp):
    """MLIR's `llvm.intr.experimental.constrained.uitofp`."""

    name = "llvm.intr.experimental.constrained.uitofp"
    arg_0 = operand_def(LLVM_TYPE)
    roundingmode = prop_def(I64_ATTR)
    fpExceptionBehavior = prop_def(I64_ATTR)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = (
        "$arg_0 custom<RoundingMode>($roundingmode) custom<FPExceptionBehavior>($fpExceptionBehavior) attr-dict `:` type($arg_0) `to` type(results)"
    )
    traits = traits_def(Pure())


@irdl_op_definition
class NoAliasScopeDeclOp(AssemblyOp):
    """MLIR's `llvm.intr.experimental.noalias.scope.decl`."""

    name = "llvm.intr.experimental.noalias.scope.decl"
    scope = prop_def(AliasScopeAttr)
    FORMAT: ClassVar[str] = "$scope attr-dict"


@irdl_op_definition
class PtrAnnotationOp(IRDLOperation):
    """MLIR's `llvm.intr.ptr.annotation`."""

    name = "llvm.intr.ptr.annotation"
    ptr = operand_def(variable("T", POINTER))
    annotation = operand_def(variable("U", POINTER))
    fileName = operand_def(variable("U", POINTER))
    line = operand_def(I32)
    attr = operand_def(variable("U", POINTER))
    res = result_def(variable("T", POINTER))


@irdl_op_definition
class VarAnnotationOp(IRDLOperation):
    """MLIR's `llvm.intr.var.annotation`."""

    name = "llvm.intr.var.annotation"
    val = operand_def(POINTER)
    annotation = operand_def(variable("T", POINTER))
    fileName = operand_def(variable("T", POINTER))
    line = operand_def(I32)
    attr = operand_def(variable("T", POINTER))


OPS: tuple[type[Operation], ...] = (
    AnnotationOp,
    CoroAlignOp,
    CoroBeginOp,
    CoroEndOp,
    CoroFreeOp,
    CoroIdOp,
    CoroPromiseOp,
    CoroResumeOp,
    CoroSaveOp,
    CoroSizeOp,
    CoroSuspendOp,
    DbgDeclareOp,
    DbgLabelOp,
    DbgValueOp,
    EhTypeidForOp,
    ConstrainedFPExtIntrOp,
    ConstrainedFPTruncIntrOp,
    ConstrainedSIToFPOp,
    ConstrainedUIToFPOp,
    NoAliasScopeDeclOp,
    PtrAnnotationOp,
    VarAnnotationOp,
)
