"""Sizes and offsets, against LLVM's language reference and NVPTX's data layout."""

import pytest
from xdsl.dialects.builtin import ModuleOp, StringAttr

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout, UnsizedTypeError
from nvvm_xdsl.dialects.llvm.types import (
    F32,
    F64,
    I1,
    I8,
    I16,
    I32,
    I64,
    I128,
    PTR,
    VOID,
    array,
    struct,
    vector,
)


@pytest.mark.parametrize(
    ("type_", "store", "size", "alignment"),
    [
        (I1, 1, 1, 1),
        (I8, 1, 1, 1),
        (I16, 2, 2, 2),
        (types.integer(24), 3, 4, 4),
        (I64, 8, 8, 8),
        (I128, 16, 16, 16),
        (F32, 4, 4, 4),
        (F64, 8, 8, 8),
        (PTR, 8, 8, 8),
        (types.pointer(6), 4, 4, 4),
        (vector(3, F32), 12, 16, 16),
        (vector(2, I8), 2, 2, 2),
        (vector(4, I1), 1, 1, 1),
        (array(3, I16), 6, 6, 2),
        (struct([I8, I32, I8]), 12, 12, 4),
        (struct([I8, I32, I8], packed=True), 6, 6, 1),
        (struct([I8, struct([I64, I8])]), 24, 24, 8),
        (struct([]), 0, 0, 1),
    ],
)
def test_sizes_under_the_nvptx_layout(type_, store, size, alignment):
    layout = DataLayout()
    assert (layout.store_size(type_), layout.size(type_), layout.alignment(type_)) == (
        store,
        size,
        alignment,
    )


def test_field_offsets_follow_alignment_unless_packed():
    fields = [I8, I64, I16, I32]
    assert tuple(DataLayout().field_offsets(struct(fields))) == (0, 8, 16, 20)
    assert tuple(DataLayout().field_offsets(struct(fields, packed=True))) == (0, 1, 9, 11)


def test_the_module_states_pointer_widths():
    module = ModuleOp([], {"llvm.data_layout": StringAttr("e-p3:32:32-i64:64")})
    layout = DataLayout.of(module)
    assert layout.size(types.pointer(3)) == 4
    assert layout.size(types.pointer(1)) == 8
    assert DataLayout.of(ModuleOp([])).size(types.pointer(3)) == 8


def test_void_has_no_size():
    with pytest.raises(UnsizedTypeError, match="no size"):
        DataLayout().size(VOID)
