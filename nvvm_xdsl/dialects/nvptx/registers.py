"""Register classes as types.

PTX registers are virtual, so that a value's type only determines the class of its register:
`!nvptx.b32` is any 32-bit register, `!nvptx.b32<7>` is `%r7`. PHI elimination assigns numbers to
registers that several values share; all other values get their numbers when PTX is printed.
"""

from __future__ import annotations

from abc import ABC
from typing import ClassVar, Final

from xdsl.ir import Attribute, SSAValue, TypeAttribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer

from nvvm_xdsl.dialects.nvptx.interning import InternedAttr
from nvvm_xdsl.xdsl_patches.definitions import irdl_attr_definition

UNALLOCATED: Final = -1
"""The register number of a value in an unallocated register of its class."""


class RegisterClass(InternedAttr[int], TypeAttribute, ABC):
    """A class of registers, or, with a number, one register of the class."""

    width: ClassVar[int]
    """Width of a register in bits."""

    prefix: ClassVar[str]
    """The prefix of register names."""

    ptx_type: ClassVar[str]
    """The type in `.reg` declarations."""

    is_float: ClassVar[bool] = False

    @property
    def number(self) -> int | None:
        """The register's number; None for an unallocated one."""
        return None if self.data == UNALLOCATED else self.data

    @property
    def unallocated(self) -> RegisterClass:
        """The bare class."""
        return self if self.data == UNALLOCATED else type(self)(UNALLOCATED)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> int:
        if parser.parse_optional_punctuation("<") is None:
            return UNALLOCATED
        number = parser.parse_integer(allow_boolean=False, allow_negative=False)
        parser.parse_punctuation(">")
        return number

    def print_parameter(self, printer: Printer) -> None:
        if self.data != UNALLOCATED:
            printer.print_string(f"<{self.data}>")


@irdl_attr_definition
class PredRegister(RegisterClass):
    """A predicate: one bit."""

    name = "nvptx.pred"
    width = 1
    prefix = "%p"
    ptx_type = "pred"


@irdl_attr_definition
class B16Register(RegisterClass):
    """16 untyped bits: 8- and 16-bit integers, f16 and bf16."""

    name = "nvptx.b16"
    width = 16
    prefix = "%rs"
    ptx_type = "b16"


@irdl_attr_definition
class B32Register(RegisterClass):
    """32 untyped bits: integers, packed halves, addresses of shared memory."""

    name = "nvptx.b32"
    width = 32
    prefix = "%r"
    ptx_type = "b32"


@irdl_attr_definition
class B64Register(RegisterClass):
    """64 untyped bits: integers and addresses."""

    name = "nvptx.b64"
    width = 64
    prefix = "%rd"
    ptx_type = "b64"


@irdl_attr_definition
class B128Register(RegisterClass):
    """128 untyped bits."""

    name = "nvptx.b128"
    width = 128
    prefix = "%rq"
    ptx_type = "b128"


@irdl_attr_definition
class F32Register(RegisterClass):
    """A single-precision float."""

    name = "nvptx.f32"
    width = 32
    prefix = "%f"
    ptx_type = "f32"
    is_float = True


@irdl_attr_definition
class F64Register(RegisterClass):
    """A double-precision float."""

    name = "nvptx.f64"
    width = 64
    prefix = "%fd"
    ptx_type = "f64"
    is_float = True


PRED: Final = PredRegister(UNALLOCATED)
B16: Final = B16Register(UNALLOCATED)
B32: Final = B32Register(UNALLOCATED)
B64: Final = B64Register(UNALLOCATED)
B128: Final = B128Register(UNALLOCATED)
F32: Final = F32Register(UNALLOCATED)
F64: Final = F64Register(UNALLOCATED)

REGISTER_CLASSES: Final[tuple[RegisterClass, ...]] = (PRED, B16, B32, B64, B128, F32, F64)
"""All classes, in the order of declaration."""


def numbered(register: RegisterClass, number: int) -> RegisterClass:
    """Register `number` of a class."""
    return type(register)(number)


def register_class(value: SSAValue) -> RegisterClass:
    """The register class of a value of the machine dialect."""
    return value.type  # pyright: ignore[reportReturnType]


def width(type_: Attribute) -> int:
    """Width in bits of a register type. Raises TypeError for any other type."""
    if isinstance(type_, RegisterClass):
        return type_.width
    raise TypeError(f"{type_} is not a register")
