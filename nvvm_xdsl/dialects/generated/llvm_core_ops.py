"""Ops of the llvm dialect, written by `dev.generate_ops` from MLIR's definitions.

Constructed at speed by `ir.fast.create`; no op here needs `operandSegmentSizes`.
"""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    StringAttr,
    SymbolNameConstraint,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.irdl import operand_def, opt_prop_def, prop_def, region_def, result_def, traits_def
from xdsl.traits import IsTerminator, NoTerminator, Pure, SymbolOpInterface, SymbolTable

from nvvm_xdsl.dialects.assembly import AssemblyOp
from nvvm_xdsl.dialects.constraints import (
    FLOAT,
    FLOAT_LIKE,
    I64_ATTR,
    INT_LIKE,
    LLVM_TYPE,
    POINTER,
    POINTER_LIKE,
    SIGNLESS_INT,
    TOKEN,
    VECTOR,
    Derived,
    any_of,
    element_type,
    value_and_flag,
    variable,
)
from nvvm_xdsl.dialects.llvm import verifiers
from nvvm_xdsl.dialects.llvm.struct_attributes import BlockAddressAttr, BlockTagAttr
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


class AddrSpaceCastOp(OpRow, AssemblyOp, op="llvm.addrspacecast"):
    arg = operand_def(POINTER_LIKE)
    res = result_def(POINTER_LIKE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = traits_def(Pure())


class AtomicRMWOp(OpRow, AssemblyOp, op="llvm.atomicrmw"):
    bin_op = prop_def(I64_ATTR)
    ptr = operand_def(POINTER)
    val = operand_def(variable("T", any_of(FLOAT, POINTER, SIGNLESS_INT, VECTOR)))
    ordering = prop_def(I64_ATTR)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(I64_ATTR)
    volatile_ = opt_prop_def(UnitAttr)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    res = result_def(variable("T", any_of(FLOAT, POINTER, SIGNLESS_INT, VECTOR)))
    FORMAT: ClassVar[str] = (
        "(`volatile` $volatile_^)? custom<AtomicBinOp>($bin_op) $ptr `,` $val (`syncscope` `(` $syncscope^ `)`)? custom<AtomicOrdering>($ordering) attr-dict `:` type($ptr) `,` type($val)"
    )

    def verify_(self) -> None:
        verifiers.atomic_rmw(self)


class BlockAddressOp(OpRow, AssemblyOp, op="llvm.blockaddress"):
    block_addr = prop_def(BlockAddressAttr)
    res = result_def(POINTER)
    FORMAT: ClassVar[str] = "$block_addr attr-dict `:` type($res)"
    traits = traits_def(Pure())


class BlockTagOp(OpRow, AssemblyOp, op="llvm.blocktag"):
    tag = prop_def(BlockTagAttr)
    FORMAT: ClassVar[str] = "$tag attr-dict"


class AtomicCmpXchgOp(OpRow, AssemblyOp, op="llvm.cmpxchg"):
    ptr = operand_def(POINTER)
    cmp = operand_def(variable("T", any_of(SIGNLESS_INT, POINTER)))
    val = operand_def(variable("T", any_of(SIGNLESS_INT, POINTER)))
    success_ordering = prop_def(I64_ATTR)
    failure_ordering = prop_def(I64_ATTR)
    syncscope = opt_prop_def(StringAttr)
    alignment = opt_prop_def(I64_ATTR)
    weak = opt_prop_def(UnitAttr)
    volatile_ = opt_prop_def(UnitAttr)
    access_groups = opt_prop_def(ArrayAttr)
    alias_scopes = opt_prop_def(ArrayAttr)
    noalias_scopes = opt_prop_def(ArrayAttr)
    tbaa = opt_prop_def(ArrayAttr)
    res = result_def(Derived("T", value_and_flag, "value and flag"))
    FORMAT: ClassVar[str] = (
        "(`weak` $weak^)? (`volatile` $volatile_^)? $ptr `,` $cmp `,` $val (`syncscope` `(` $syncscope^ `)`)? custom<AtomicOrdering>($success_ordering) custom<AtomicOrdering>($failure_ordering) attr-dict `:` type($ptr) `,` type($val)"
    )

    def verify_(self) -> None:
        verifiers.compare_exchange(self)


class ComdatOp(OpRow, AssemblyOp, op="llvm.comdat"):
    sym_name = prop_def(SymbolNameConstraint())
    body = region_def()
    FORMAT: ClassVar[str] = "$sym_name $body attr-dict"
    traits = traits_def(SymbolOpInterface(), SymbolTable(), NoTerminator())


class ComdatSelectorOp(OpRow, AssemblyOp, op="llvm.comdat_selector"):
    sym_name = prop_def(SymbolNameConstraint())
    comdat = prop_def(I64_ATTR)
    FORMAT: ClassVar[str] = "$sym_name custom<Comdat>($comdat) attr-dict"
    traits = traits_def(SymbolOpInterface())


class DSOLocalEquivalentOp(OpRow, AssemblyOp, op="llvm.dso_local_equivalent"):
    function_name = prop_def(SymbolRefAttr)
    res = result_def(POINTER)
    FORMAT: ClassVar[str] = "$function_name attr-dict `:` type($res)"
    traits = traits_def(Pure())


class ExtractElementOp(OpRow, AssemblyOp, op="llvm.extractelement"):
    vector = operand_def(variable("T", VECTOR))
    position = operand_def(SIGNLESS_INT)
    res = result_def(Derived("T", element_type, "element type"))
    FORMAT: ClassVar[str] = (
        "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"
    )
    traits = traits_def(Pure())


class FenceOp(OpRow, AssemblyOp, op="llvm.fence"):
    ordering = prop_def(I64_ATTR)
    syncscope = opt_prop_def(StringAttr)
    FORMAT: ClassVar[str] = (
        "(`syncscope` `(` $syncscope^ `)`)? custom<AtomicOrdering>($ordering) attr-dict"
    )

    def verify_(self) -> None:
        verifiers.fence(self)


class FloatToInteger(OpRow, AssemblyOp):
    """Conversion of a float to an integer."""

    arg = operand_def(FLOAT_LIKE)
    res = result_def(INT_LIKE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = traits_def(Pure())


class FreezeOp(OpRow, AssemblyOp, op="llvm.freeze"):
    val = operand_def(variable("T", LLVM_TYPE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$val attr-dict `:` type($val)"
    traits = traits_def(Pure())


class LinkerOptionsOp(OpRow, AssemblyOp, op="llvm.linker_options"):
    options = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = "$options attr-dict"


class GlobalCtorsOp(OpRow, AssemblyOp, op="llvm.mlir.global_ctors"):
    ctors = prop_def(ArrayAttr)
    priorities = prop_def(ArrayAttr)
    data = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = (
        "`ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"
    )


class GlobalDtorsOp(OpRow, AssemblyOp, op="llvm.mlir.global_dtors"):
    dtors = prop_def(ArrayAttr)
    priorities = prop_def(ArrayAttr)
    data = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = (
        "`dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"
    )


class NoneTokenOp(OpRow, AssemblyOp, op="llvm.mlir.none"):
    res = result_def(TOKEN)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


class PoisonOp(OpRow, AssemblyOp, op="llvm.mlir.poison"):
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


class ModuleFlagsOp(OpRow, AssemblyOp, op="llvm.module_flags"):
    flags = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = "$flags attr-dict"


class ResumeOp(OpRow, AssemblyOp, op="llvm.resume"):
    value = operand_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$value attr-dict `:` type($value)"
    traits = traits_def(IsTerminator())


class UIToFPOp(OpRow, AssemblyOp, op="llvm.uitofp"):
    arg = operand_def(INT_LIKE)
    nonNeg = opt_prop_def(UnitAttr)
    res = result_def(FLOAT_LIKE)
    FORMAT: ClassVar[str] = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"
    traits = traits_def(Pure())


class VaArgOp(OpRow, AssemblyOp, op="llvm.va_arg"):
    arg = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` functional-type($arg, $res)"


# fmt: off
class FPToSIOp(FloatToInteger, op="llvm.fptosi"): ...
class FPToUIOp(FloatToInteger, op="llvm.fptoui"): ...
# fmt: on


OPS = defined_in(globals(), OpRow)
