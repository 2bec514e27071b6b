"""Attributes of MLIR's NVVM dialect with an assembly of their own: `#nvvm.target`.

The enumerations are in `enum_attributes`, the shapes in `struct_attributes`, both generated.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntAttr,
    IntegerAttr,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute
from xdsl.irdl import irdl_attr_definition
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from nvvm_xdsl.dialects.attributes import (
    STRUCT_CLASSES,
    Field,
    StructAttr,
    default_of,
    parse_struct,
    print_struct,
)
from nvvm_xdsl.dialects.nvvm.enum_attributes import ENUM_ATTRIBUTES
from nvvm_xdsl.dialects.nvvm.struct_attributes import STRUCT_ATTRIBUTES


@irdl_attr_definition
class NVVMTargetAttr(StructAttr):
    """`#nvvm.target<O = 3, chip = "sm_90", features = "+ptx85", flags = {fast}>`.

    Says what a `gpu.module` is compiled for; without parameters it is `#nvvm.target`.
    """

    name = "nvvm.target"
    FIELDS: ClassVar[tuple[Field, ...]] = (
        Field("O", "int", optional=True, default=2),
        Field("triple", "string", optional=True, default="nvptx64-nvidia-cuda"),
        Field("chip", "string", optional=True, default="sm_50"),
        Field("features", "string", optional=True, default=""),
        Field("flags", optional=True),
        Field("link", optional=True),
        Field("verifyTarget", "bool", optional=True, default=True),
    )

    opt_level: IntAttr
    triple: StringAttr
    chip: StringAttr
    features: StringAttr
    flags: DictionaryAttr | NoneAttr
    link: ArrayAttr | NoneAttr
    verify_target: IntegerAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        if parser.parse_optional_punctuation("<") is None:
            return [default_of(field) for field in cls.FIELDS]
        values = parse_struct(cls.name, cls.FIELDS, parser)
        parser.parse_punctuation(">")
        return values

    def print_parameters(self, printer: Printer) -> None:
        values = self.parameters
        if any(value != default_of(field) for field, value in zip(self.FIELDS, values)):
            with printer.in_angle_brackets():
                print_struct(self.FIELDS, values, printer)


ATTRIBUTES: tuple[type[Attribute], ...] = (
    *ENUM_ATTRIBUTES,
    *STRUCT_ATTRIBUTES,
    NVVMTargetAttr,
)
"""Every attribute of the dialect."""

STRUCT_CLASSES.update({cls.__name__: cls for cls in STRUCT_ATTRIBUTES})
