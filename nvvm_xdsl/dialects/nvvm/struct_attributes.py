"""Attributes of the nvvm dialect in struct form, written by `nvvm_xdsl.dialects.generate`."""

from __future__ import annotations

from typing import ClassVar

from xdsl.dialects.builtin import IntAttr
from xdsl.irdl import irdl_attr_definition

from nvvm_xdsl.dialects.attributes import Field, StructAttr


@irdl_attr_definition
class LdStMatrixShapeAttr(StructAttr):
    """`#nvvm.ld_st_matrix_shape`."""

    name = "nvvm.ld_st_matrix_shape"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("m", "int"),
        Field("n", "int"),
    )
    m: IntAttr
    n: IntAttr


@irdl_attr_definition
class MMAShapeAttr(StructAttr):
    """`#nvvm.shape`."""

    name = "nvvm.shape"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("m", "int"),
        Field("n", "int"),
        Field("k", "int"),
    )
    m: IntAttr
    n: IntAttr
    k: IntAttr


STRUCT_ATTRIBUTES: tuple[type[StructAttr], ...] = (
    LdStMatrixShapeAttr,
    MMAShapeAttr,
)
