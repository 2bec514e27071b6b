"""Ops and attributes defined by rows of a table are ordinary classes."""

import pytest
from xdsl.dialects import builtin

from nvvm_xdsl.dialects.attributes import StructAttr, optional, required
from nvvm_xdsl.dialects.generated import nvvm_enums as enums
from nvvm_xdsl.dialects.llvm import vp_ops
from nvvm_xdsl.dialects.llvm.struct_attributes import DILabelAttr, ModuleFlagCGProfileEntryAttr
from nvvm_xdsl.dialects.nvvm import enum_attributes, sreg_ops
from nvvm_xdsl.dialects.nvvm.attributes import NVVMTargetAttr
from nvvm_xdsl.dialects.op_rows import OpRow, defined_in


def test_a_row_defines_a_subclass_of_its_base_op() -> None:
    assert issubclass(sreg_ops.ThreadIdXOp, sreg_ops.RangedRegister)
    assert sreg_ops.ThreadIdXOp.name == "nvvm.read.ptx.sreg.tid.x"
    assert sreg_ops.ThreadIdXOp.__doc__ == "MLIR's `nvvm.read.ptx.sreg.tid.x`."
    operands = [name for name, _ in vp_ops.VPAddOp.get_irdl_definition().operands]
    assert operands == ["lhs", "rhs", "mask", "evl"]
    assert vp_ops.VPAddOp.get_irdl_definition() is not vp_ops.VPSubOp.get_irdl_definition()


def test_bases_are_not_rows() -> None:
    assert sreg_ops.Counter not in sreg_ops.OPS
    assert sreg_ops.ClockOp in sreg_ops.OPS
    assert len(sreg_ops.OPS) == 77
    assert len(vp_ops.OPS) == 55
    assert defined_in({**vars(sreg_ops), "__name__": "elsewhere"}, OpRow) == ()


def test_an_enumeration_attribute_gets_its_enumeration_from_its_base() -> None:
    scope = enum_attributes.MemScopeKindAttr
    assert scope.enum_type is enums.MemScopeKind
    assert str(scope(enums.MemScopeKind.CTA)) == "#nvvm.mem_scope<cta>"
    assert str(enum_attributes.ShflKindAttr(enums.ShflKind.BFLY)) == "#nvvm<shfl_kind bfly>"


def test_fields_have_mlirs_names() -> None:
    assert [field.name for field in DILabelAttr.FIELDS] == ["scope", "name", "file", "line"]
    assert ModuleFlagCGProfileEntryAttr.FIELDS[0].name == "from"
    assert NVVMTargetAttr.FIELDS[0].name == "O"
    assert NVVMTargetAttr.of().opt_level == builtin.IntAttr(2)


def test_a_field_without_a_specifier_is_required() -> None:
    class PairAttr(StructAttr, mnemonic="test.pair"):
        first: builtin.StringAttr
        second: builtin.IntAttr = required("int")
        third: builtin.IntAttr = optional("int", 7)

    with pytest.raises(TypeError, match=r"test\.pair needs 'first'"):
        PairAttr.of(second=1)
    assert str(PairAttr.of(first="a", second=1)) == '#test.pair<first = "a", second = 1>'
    assert PairAttr.of(first="a", second=1).third.data == 7
