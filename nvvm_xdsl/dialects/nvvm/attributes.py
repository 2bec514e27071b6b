"""Attributes of MLIR's NVVM dialect with a special assembly: `#nvvm.target`.

The enumerations are in `enum_attributes`, the shapes in `struct_attributes`, both generated.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    IntAttr,
    IntegerAttr,
    NoneAttr,
    StringAttr,
)
from xdsl.ir import Attribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.attributes import (
    STRUCT_CLASSES,
    StructAttr,
    default_of,
    optional,
    parse_struct,
    print_struct,
)
from nvvm_xdsl.dialects.nvvm.enum_attributes import ENUM_ATTRIBUTES
from nvvm_xdsl.dialects.nvvm.struct_attributes import STRUCT_ATTRIBUTES

MOST_OPTIMIZED = 3
"""The highest optimization level."""


class NVVMTargetAttr(StructAttr, mnemonic="nvvm.target"):
    """`#nvvm.target<O = 3, chip = "sm_90", features = "+ptx85", flags = {fast}>`.

    The compilation target of a `gpu.module`; without parameters it is `#nvvm.target`.
    """

    opt_level: IntAttr = optional("int", 2, name="O")
    triple: StringAttr = optional("string", "nvptx64-nvidia-cuda")
    chip: StringAttr = optional("string", "sm_50")
    features: StringAttr = optional("string", "")
    flags: DictionaryAttr | NoneAttr = optional()
    link: ArrayAttr | NoneAttr = optional()
    verify_target: IntegerAttr = optional("bool", True, name="verifyTarget")

    def verify(self) -> None:
        if not 0 <= self.opt_level.data <= MOST_OPTIMIZED:
            raise VerifyException(
                f"an optimization level is a number from 0 to {MOST_OPTIMIZED}, not {self.opt_level.data}"
            )
        if not self.chip.data or not self.triple.data:
            raise VerifyException("a target has a chip and a triple")

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


ATTRIBUTES: tuple[type[Attribute], ...] = (*ENUM_ATTRIBUTES, *STRUCT_ATTRIBUTES, NVVMTargetAttr)
"""Every attribute of the dialect."""

STRUCT_CLASSES.update({cls.__name__: cls for cls in STRUCT_ATTRIBUTES})
