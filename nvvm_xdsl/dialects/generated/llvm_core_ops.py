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
from xdsl.ir import Operation
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
from nvvm_xdsl.ir.definitions import irdl_op_definition


@irdl_op_definition
class AddrSpaceCastOp(AssemblyOp):
    """MLIR's `llvm.addrspacecast`."""

    name = "llvm.addrspacecast"
    arg = operand_def(POINTER_LIKE)
    res = result_def(POINTER_LIKE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class AtomicRMWOp(AssemblyOp):
    """MLIR's `llvm.atomicrmw`."""

    name = "llvm.atomicrmw"
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


@irdl_op_definition
class BlockAddressOp(AssemblyOp):
    """MLIR's `llvm.blockaddress`."""

    name = "llvm.blockaddress"
    block_addr = prop_def(BlockAddressAttr)
    res = result_def(POINTER)
    FORMAT: ClassVar[str] = "$block_addr attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class BlockTagOp(AssemblyOp):
    """MLIR's `llvm.blocktag`."""

    name = "llvm.blocktag"
    tag = prop_def(BlockTagAttr)
    FORMAT: ClassVar[str] = "$tag attr-dict"


@irdl_op_definition
class AtomicCmpXchgOp(AssemblyOp):
    """MLIR's `llvm.cmpxchg`."""

    name = "llvm.cmpxchg"
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


@irdl_op_definition
class ComdatOp(AssemblyOp):
    """MLIR's `llvm.comdat`."""

    name = "llvm.comdat"
    sym_name = prop_def(SymbolNameConstraint())
    body = region_def()
    FORMAT: ClassVar[str] = "$sym_name $body attr-dict"
    traits = traits_def(SymbolOpInterface(), SymbolTable(), NoTerminator())


@irdl_op_definition
class ComdatSelectorOp(AssemblyOp):
    """MLIR's `llvm.comdat_selector`."""

    name = "llvm.comdat_selector"
    sym_name = prop_def(SymbolNameConstraint())
    comdat = prop_def(I64_ATTR)
    FORMAT: ClassVar[str] = "$sym_name custom<Comdat>($comdat) attr-dict"
    traits = traits_def(SymbolOpInterface())


@irdl_op_definition
class DSOLocalEquivalentOp(AssemblyOp):
    """MLIR's `llvm.dso_local_equivalent`."""

    name = "llvm.dso_local_equivalent"
    function_name = prop_def(SymbolRefAttr)
    res = result_def(POINTER)
    FORMAT: ClassVar[str] = "$function_name attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ExtractElementOp(AssemblyOp):
    """MLIR's `llvm.extractelement`."""

    name = "llvm.extractelement"
    vector = operand_def(variable("T", VECTOR))
    position = operand_def(SIGNLESS_INT)
    res = result_def(Derived("T", element_type, "element type"))
    FORMAT: ClassVar[str] = (
        "$vector `[` $position `:` type($position) `]` attr-dict `:` type($vector)"
    )
    traits = traits_def(Pure())


@irdl_op_definition
class FenceOp(AssemblyOp):
    """MLIR's `llvm.fence`."""

    name = "llvm.fence"
    ordering = prop_def(I64_ATTR)
    syncscope = opt_prop_def(StringAttr)
    FORMAT: ClassVar[str] = (
        "(`syncscope` `(` $syncscope^ `)`)? custom<AtomicOrdering>($ordering) attr-dict"
    )

    def verify_(self) -> None:
        verifiers.fence(self)


@irdl_op_definition
class FPToSIOp(AssemblyOp):
    """MLIR's `llvm.fptosi`."""

    name = "llvm.fptosi"
    arg = operand_def(FLOAT_LIKE)
    res = result_def(INT_LIKE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class FPToUIOp(AssemblyOp):
    """MLIR's `llvm.fptoui`."""

    name = "llvm.fptoui"
    arg = operand_def(FLOAT_LIKE)
    res = result_def(INT_LIKE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` type($arg) `to` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class FreezeOp(AssemblyOp):
    """MLIR's `llvm.freeze`."""

    name = "llvm.freeze"
    val = operand_def(variable("T", LLVM_TYPE))
    res = result_def(variable("T", LLVM_TYPE))
    FORMAT: ClassVar[str] = "$val attr-dict `:` type($val)"
    traits = traits_def(Pure())


@irdl_op_definition
class LinkerOptionsOp(AssemblyOp):
    """MLIR's `llvm.linker_options`."""

    name = "llvm.linker_options"
    options = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = "$options attr-dict"


@irdl_op_definition
class GlobalCtorsOp(AssemblyOp):
    """MLIR's `llvm.mlir.global_ctors`."""

    name = "llvm.mlir.global_ctors"
    ctors = prop_def(ArrayAttr)
    priorities = prop_def(ArrayAttr)
    data = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = (
        "`ctors` `=` $ctors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"
    )


@irdl_op_definition
class GlobalDtorsOp(AssemblyOp):
    """MLIR's `llvm.mlir.global_dtors`."""

    name = "llvm.mlir.global_dtors"
    dtors = prop_def(ArrayAttr)
    priorities = prop_def(ArrayAttr)
    data = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = (
        "`dtors` `=` $dtors `,` `priorities` `=` $priorities `,` `data` `=` $data attr-dict"
    )


@irdl_op_definition
class NoneTokenOp(AssemblyOp):
    """MLIR's `llvm.mlir.none`."""

    name = "llvm.mlir.none"
    res = result_def(TOKEN)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class PoisonOp(AssemblyOp):
    """MLIR's `llvm.mlir.poison`."""

    name = "llvm.mlir.poison"
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "attr-dict `:` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class ModuleFlagsOp(AssemblyOp):
    """MLIR's `llvm.module_flags`."""

    name = "llvm.module_flags"
    flags = prop_def(ArrayAttr)
    FORMAT: ClassVar[str] = "$flags attr-dict"


@irdl_op_definition
class ResumeOp(AssemblyOp):
    """MLIR's `llvm.resume`."""

    name = "llvm.resume"
    value = operand_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$value attr-dict `:` type($value)"
    traits = traits_def(IsTerminator())


@irdl_op_definition
class UIToFPOp(AssemblyOp):
    """MLIR's `llvm.uitofp`."""

    name = "llvm.uitofp"
    arg = operand_def(INT_LIKE)
    nonNeg = opt_prop_def(UnitAttr)
    res = result_def(FLOAT_LIKE)
    FORMAT: ClassVar[str] = "(`nneg` $nonNeg^)? $arg attr-dict `:` type($arg) `to` type($res)"
    traits = traits_def(Pure())


@irdl_op_definition
class VaArgOp(AssemblyOp):
    """MLIR's `llvm.va_arg`."""

    name = "llvm.va_arg"
    arg = operand_def(POINTER)
    res = result_def(LLVM_TYPE)
    FORMAT: ClassVar[str] = "$arg attr-dict `:` functional-type($arg, $res)"


OPS: tuple[type[Operation], ...] = (
    AddrSpaceCastOp,
    AtomicRMWOp,
    BlockAddressOp,
    BlockTagOp,
    AtomicCmpXchgOp,
    ComdatOp,
    ComdatSelectorOp,
    DSOLocalEquivalentOp,
    ExtractElementOp,
    FenceOp,
    FPToSIOp,
    FPToUIOp,
    FreezeOp,
    LinkerOptionsOp,
    GlobalCtorsOp,
    GlobalDtorsOp,
    NoneTokenOp,
    PoisonOp,
    ModuleFlagsOp,
    ResumeOp,
    UIToFPOp,
    VaArgOp,
)
