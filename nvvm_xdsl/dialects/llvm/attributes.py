"""Attributes and types of MLIR's LLVM dialect that xDSL's dialect lacks.

Those in struct form are generated (`struct_attributes`) and offered here too; the others
have an assembly of their own and follow. Stock xDSL has cconv, fastmath, framePointerKind,
linkage, overflow, tailcallkind and target_features.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, cast

from xdsl.dialects.builtin import (
    ArrayAttr,
    IntAttr,
    IntegerAttr,
    IntegerType,
    NoneAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.dialects.llvm import TargetFeaturesAttr
from xdsl.ir import (
    Attribute,
    BuiltinAttribute,
    ParametrizedAttribute,
    SpacedOpaqueSyntaxAttribute,
    TypeAttribute,
)
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.attributes import STRUCT_CLASSES, StructAttr, optional
from nvvm_xdsl.dialects.llvm.struct_attributes import STRUCT_ATTRIBUTES
from nvvm_xdsl.dialects.llvm.types import width_of
from nvvm_xdsl.xdsl_patches.definitions import irdl_attr_definition


@irdl_attr_definition
class DistinctAttr(BuiltinAttribute, ParametrizedAttribute):
    """`distinct[0]<>`: an attribute that is only equal to those with the same number.

    MLIR prints each distinct attribute with its own number, which is its identity here.
    """

    name = "distinct"

    id: IntAttr
    value: Attribute

    @staticmethod
    def get(number: int, value: Attribute | None = None) -> DistinctAttr:
        """The distinct attribute of this number."""
        return DistinctAttr(IntAttr(number), NoneAttr() if value is None else value)

    def print_builtin(self, printer: Printer) -> None:
        printer.print_string(f"distinct[{self.id.data}]<")
        if not isinstance(self.value, NoneAttr):
            printer.print_attribute(self.value)
        printer.print_string(">")

    @staticmethod
    def parse_after_keyword(parser: AttrParser) -> DistinctAttr:
        """Parses the text after the keyword `distinct`."""
        with parser.in_square_brackets():
            number = parser.parse_integer(allow_boolean=False)
        parser.parse_punctuation("<")
        value = None
        if parser.parse_optional_punctuation(">") is None:
            value = parser.parse_attribute()
            parser.parse_punctuation(">")
        return DistinctAttr.get(number, value)


def _text(attr: Attribute) -> str:
    """The number or string in an attribute."""
    return str(cast("IntAttr[int] | StringAttr", attr).data)


class EmptyAttr(ParametrizedAttribute):
    """Base of attributes without parameters, which are printed as their name."""

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return ()

    def print_parameters(self, printer: Printer) -> None:
        return


@irdl_attr_definition
class UndefAttr(EmptyAttr):
    """`#llvm.undef`: an undefined element of a constant."""

    name = "llvm.undef"


@irdl_attr_definition
class PoisonAttr(EmptyAttr):
    """`#llvm.poison`: a poison element of a constant."""

    name = "llvm.poison"


@irdl_attr_definition
class ZeroAttr(EmptyAttr):
    """`#llvm.zero`: the zero of the constant's type, a null pointer too."""

    name = "llvm.zero"


@irdl_attr_definition
class DINullTypeAttr(EmptyAttr):
    """`#llvm.di_null_type`: `void` in a list of types."""

    name = "llvm.di_null_type"


@irdl_attr_definition
class AddressSpaceAttr(ParametrizedAttribute):
    """`#llvm.address_space<3>`."""

    name = "llvm.address_space"

    space: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            return (IntAttr(parser.parse_integer(allow_boolean=False)),)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(f"<{self.space.data}>")


class _KeywordAttr(ParametrizedAttribute):
    """Base of `<keyword>` attributes."""

    KEYWORDS: ClassVar[tuple[str, ...]] = ()

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            keyword = parser.parse_optional_keyword_in(cls.KEYWORDS)
            if keyword is None:
                parser.raise_error(f"expected one of {', '.join(cls.KEYWORDS)}")
            return (StringAttr(keyword),)

    def print_parameters(self, printer: Printer) -> None:
        (keyword,) = self.parameters
        assert isinstance(keyword, StringAttr)
        printer.print_string(f"<{keyword.data}>")


@irdl_attr_definition
class UWTableKindAttr(_KeywordAttr):
    """`#llvm.uwtableKind<sync>`."""

    name = "llvm.uwtableKind"
    KEYWORDS: ClassVar[tuple[str, ...]] = ("none", "sync", "async")

    kind: StringAttr


@irdl_attr_definition
class ComdatAttr(SpacedOpaqueSyntaxAttribute, ParametrizedAttribute):
    """`#llvm<comdat any>`."""

    name = "llvm.comdat"

    kind: StringAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return (StringAttr(parser.parse_identifier()),)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(self.kind.data)


@irdl_attr_definition
class DSOLocalEquivalentAttr(SpacedOpaqueSyntaxAttribute, ParametrizedAttribute):
    """`#llvm<dso_local_equivalent @f>`."""

    name = "llvm.dso_local_equivalent"

    symbol: SymbolRefAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        return (SymbolRefAttr(parser.parse_symbol_name()),)

    def print_parameters(self, printer: Printer) -> None:
        printer.print_attribute(self.symbol)


@irdl_attr_definition
class ConstantRangeAttr(ParametrizedAttribute):
    """`#llvm.constant_range<i32, 0, 1024>`: the values from `lower` up to below `upper`.

    A range with equal bounds is full if they are -1 and empty if they are 0, as in LLVM. A range
    whose lower bound is above its upper bound wraps around.
    """

    name = "llvm.constant_range"

    type_: IntegerType
    lower: IntAttr
    upper: IntAttr

    @staticmethod
    def get(width: int, lower: int, upper: int) -> ConstantRangeAttr:
        """The range of integers of `width` bits; bounds are interpreted as signed."""
        half = 1 << (width - 1)
        full = 1 << width

        def signed(value: int) -> IntAttr:
            return IntAttr((value + half) % full - half)

        return ConstantRangeAttr(IntegerType(width), signed(lower), signed(upper))

    @property
    def width(self) -> int:
        """The width of the bounds in bits."""
        return self.type_.width.data

    def unsigned_bounds(self) -> tuple[int, int]:
        """Lower and upper bound modulo 2^width."""
        mask = (1 << self.width) - 1
        return self.lower.data & mask, self.upper.data & mask

    def contains(self, value: int) -> bool:
        """Returns True if the integer, taken modulo 2^width, lies in the range."""
        lower, upper = self.unsigned_bounds()
        mask = (1 << self.width) - 1
        if lower == upper:
            return lower == mask
        return ((value - lower) & mask) < ((upper - lower) & mask)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            type_ = parser.parse_type()
            width = width_of(type_)
            if not width:
                parser.raise_error("expected an integer type")
            parser.parse_punctuation(",")
            lower = parser.parse_integer(allow_boolean=False)
            parser.parse_punctuation(",")
            upper = parser.parse_integer(allow_boolean=False)
        found = ConstantRangeAttr.get(width, lower, upper)
        return found.parameters

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<")
        printer.print_attribute(self.type_)
        printer.print_string(f", {self.lower.data}, {self.upper.data}>")


class _StringPair(ParametrizedAttribute):
    """Two strings with a separator in between: `<"a" in "b">`."""

    SEPARATOR: ClassVar[str]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            first = parser.parse_str_literal()
            parser.parse_characters(cls.SEPARATOR.strip())
            return StringAttr(first), StringAttr(parser.parse_str_literal())

    def print_parameters(self, printer: Printer) -> None:
        first, second = cast("tuple[StringAttr, StringAttr]", self.parameters)
        with printer.in_angle_brackets():
            printer.print_string_literal(first.data)
            printer.print_string(self.SEPARATOR)
            printer.print_string_literal(second.data)


@irdl_attr_definition
class MMRATagAttr(_StringPair):
    """`#llvm.mmra_tag<"prefix":"suffix">`: a memory model relaxation annotation."""

    name = "llvm.mmra_tag"
    SEPARATOR = ":"

    prefix: StringAttr
    suffix: StringAttr


@irdl_attr_definition
class DIFileAttr(_StringPair):
    """`#llvm.di_file<"a.cu" in "/src">`."""

    name = "llvm.di_file"
    SEPARATOR = " in "

    file_name: StringAttr
    directory: StringAttr


@irdl_attr_definition
class DIExpressionElemAttr(ParametrizedAttribute):
    """One operation of a debug expression: `DW_OP_plus_uconst(4)`.

    Arguments are integers, or keywords if DWARF names the values (the encoding of
    `DW_OP_LLVM_convert`).
    """

    name = "llvm.di_expression_elem"

    opcode: StringAttr
    arguments: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        opcode = parser.parse_identifier()

        def argument() -> Attribute:
            keyword = parser.parse_optional_identifier()
            if keyword is not None:
                return StringAttr(keyword)
            return IntAttr(parser.parse_integer(allow_boolean=False))

        arguments = parser.parse_optional_comma_separated_list(parser.Delimiter.PAREN, argument)
        return StringAttr(opcode), ArrayAttr(arguments or ())

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string(self.opcode.data)

        def show(argument: Attribute) -> None:
            printer.print_string(_text(argument))

        if self.arguments.data:
            with printer.in_parens():
                printer.print_list(self.arguments.data, show)


@irdl_attr_definition
class DIExpressionAttr(ParametrizedAttribute):
    """`#llvm.di_expression<[DW_OP_deref]>`."""

    name = "llvm.di_expression"

    operations: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        def element() -> Attribute:
            return DIExpressionElemAttr.new(DIExpressionElemAttr.parse_parameters(parser))

        with parser.in_angle_brackets():
            found = parser.parse_optional_comma_separated_list(parser.Delimiter.SQUARE, element)
        return (ArrayAttr(found or ()),)

    def print_parameters(self, printer: Printer) -> None:
        def show(element: Attribute) -> None:
            assert isinstance(element, DIExpressionElemAttr)
            element.print_parameters(printer)

        with printer.in_angle_brackets():
            if self.operations.data:
                with printer.in_square_brackets():
                    printer.print_list(self.operations.data, show)


def opcodes(expression: Attribute | None) -> list[DIExpressionElemAttr]:
    """The operations of a `#llvm.di_expression`; empty for other attributes."""
    if not isinstance(expression, DIExpressionAttr):
        return []
    return [e for e in expression.operations.data if isinstance(e, DIExpressionElemAttr)]


class TBAARootAttr(StructAttr, mnemonic="llvm.tbaa_root"):
    """`#llvm.tbaa_root<id = "Simple C++ TBAA">`."""

    id: StringAttr | NoneAttr = optional()


@irdl_attr_definition
class TBAAMemberAttr(ParametrizedAttribute):
    """`<#llvm.tbaa_root<...>, 0>`: a member of a TBAA type at an offset."""

    name = "llvm.tbaa_member"

    type_desc: Attribute
    offset: IntAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            type_desc = parser.parse_attribute()
            parser.parse_punctuation(",")
            return type_desc, IntAttr(parser.parse_integer(allow_boolean=False))

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.type_desc)
            printer.print_string(f", {self.offset.data}")


@irdl_attr_definition
class TBAATypeDescriptorAttr(ParametrizedAttribute):
    """`#llvm.tbaa_type_desc<id = "int", members = {<#llvm.tbaa_root<...>, 0>}>`."""

    name = "llvm.tbaa_type_desc"

    id: StringAttr
    members: ArrayAttr[Attribute]

    @staticmethod
    def of(identity: str, members: Sequence[tuple[Attribute, int]]) -> TBAATypeDescriptorAttr:
        """The type of this identity with members at offsets."""
        return TBAATypeDescriptorAttr(
            StringAttr(identity),
            ArrayAttr([TBAAMemberAttr(desc, IntAttr(offset)) for desc, offset in members]),
        )

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            parser.parse_keyword("id")
            parser.parse_punctuation("=")
            identity = parser.parse_str_literal()
            parser.parse_punctuation(",")
            parser.parse_keyword("members")
            parser.parse_punctuation("=")
            members = parser.parse_comma_separated_list(
                parser.Delimiter.BRACES,
                lambda: TBAAMemberAttr.new(TBAAMemberAttr.parse_parameters(parser)),
            )
        return StringAttr(identity), ArrayAttr(members)

    def print_parameters(self, printer: Printer) -> None:
        def show(member: Attribute) -> None:
            assert isinstance(member, TBAAMemberAttr)
            member.print_parameters(printer)

        with printer.in_angle_brackets():
            printer.print_string("id = ")
            printer.print_string_literal(self.id.data)
            printer.print_string(", members = ")
            with printer.in_braces():
                printer.print_list(self.members.data, show)


MODULE_FLAG_BEHAVIORS = (
    "error",
    "warning",
    "require",
    "override",
    "append",
    "append_unique",
    "max",
    "min",
)
"""Keywords of module flag behaviors, in the order of LLVM's numbers 1 to 8."""


@irdl_attr_definition
class ModuleFlagAttr(ParametrizedAttribute):
    """`#llvm.mlir.module_flag<error, "wchar_size", 4 : i32>`."""

    name = "llvm.mlir.module_flag"

    behavior: StringAttr
    key: StringAttr
    value: Attribute

    def verify(self) -> None:
        if self.behavior.data not in MODULE_FLAG_BEHAVIORS:
            raise VerifyException(f"unknown module flag behavior '{self.behavior.data}'")

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            behavior = parser.parse_identifier()
            parser.parse_punctuation(",")
            key = parser.parse_str_literal()
            parser.parse_punctuation(",")
            return StringAttr(behavior), StringAttr(key), parser.parse_attribute()

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string(f"{self.behavior.data}, ")
            printer.print_string_literal(self.key.data)
            printer.print_string(", ")
            printer.print_attribute(self.value)


@irdl_attr_definition
class DependentLibrariesAttr(ParametrizedAttribute):
    """`#llvm.dependent_libraries<"a", "b">`."""

    name = "llvm.dependent_libraries"

    libraries: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found = parser.parse_comma_separated_list(
            parser.Delimiter.ANGLE, lambda: StringAttr(parser.parse_str_literal())
        )
        return (ArrayAttr(found),)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.libraries.data, printer.print_attribute)


@irdl_attr_definition
class TargetAttr(ParametrizedAttribute):
    """`#llvm.target<triple = "...", chip = "...", features = <["+x"]>>`."""

    name = "llvm.target"

    triple: StringAttr
    chip: StringAttr
    features: TargetFeaturesAttr | NoneAttr

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        features: Attribute = NoneAttr()
        with parser.in_angle_brackets():
            parser.parse_keyword("triple")
            parser.parse_punctuation("=")
            triple = parser.parse_str_literal()
            parser.parse_punctuation(",")
            parser.parse_keyword("chip")
            parser.parse_punctuation("=")
            chip = parser.parse_str_literal()
            if parser.parse_optional_punctuation(",") is not None:
                parser.parse_keyword("features")
                parser.parse_punctuation("=")
                found = parser.parse_optional_attribute()
                if found is None:
                    found = TargetFeaturesAttr.new(TargetFeaturesAttr.parse_parameters(parser))
                features = found
        return StringAttr(triple), StringAttr(chip), features

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string("triple = ")
            printer.print_string_literal(self.triple.data)
            printer.print_string(", chip = ")
            printer.print_string_literal(self.chip.data)
            if isinstance(self.features, TargetFeaturesAttr):
                printer.print_string(", features = ")
                self.features.print_parameters(printer)


@irdl_attr_definition
class WorkgroupAttributionAttr(ParametrizedAttribute):
    """`#llvm.mlir.workgroup_attribution<512 : i64, i8>`."""

    name = "llvm.mlir.workgroup_attribution"

    num_elements: IntegerAttr
    element_type: Attribute

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        with parser.in_angle_brackets():
            count = parser.parse_attribute()
            parser.parse_punctuation(",")
            return count, parser.parse_type()

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_attribute(self.num_elements)
            printer.print_string(", ")
            printer.print_attribute(self.element_type)


class _PlainType(EmptyAttr, TypeAttribute):
    """Base of types without parameters."""


@irdl_attr_definition
class TokenType(_PlainType):
    """`!llvm.token`."""

    name = "llvm.token"


@irdl_attr_definition
class MetadataType(_PlainType):
    """`!llvm.metadata`."""

    name = "llvm.metadata"


@irdl_attr_definition
class LabelType(_PlainType):
    """`!llvm.label`."""

    name = "llvm.label"


@irdl_attr_definition
class X86AMXType(_PlainType):
    """`!llvm.x86_amx`."""

    name = "llvm.x86_amx"


@irdl_attr_definition
class PPCFP128Type(_PlainType):
    """`!llvm.ppc_fp128`."""

    name = "llvm.ppc_fp128"


def _print_number_or_type(printer: Printer, parameter: Attribute) -> None:
    if parameter.name == IntAttr.name:
        printer.print_string(_text(parameter))
    else:
        printer.print_attribute(parameter)


@irdl_attr_definition
class TargetExtType(ParametrizedAttribute, TypeAttribute):
    """`!llvm.target<"name", type, 0>`: a target's own type, with types and integers."""

    name = "llvm.target"

    ext_name: StringAttr
    parameters_: ArrayAttr[Attribute]

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        found: list[Attribute] = []
        with parser.in_angle_brackets():
            ext_name = parser.parse_str_literal()
            while parser.parse_optional_punctuation(",") is not None:
                number = parser.parse_optional_integer(allow_boolean=False)
                found.append(parser.parse_type() if number is None else IntAttr(number))
        return StringAttr(ext_name), ArrayAttr(found)

    def print_parameters(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_string_literal(self.ext_name.data)
            for parameter in self.parameters_.data:
                printer.print_string(", ")
                _print_number_or_type(printer, parameter)


ATTRIBUTES: tuple[type[Attribute], ...] = (
    *STRUCT_ATTRIBUTES,
    AddressSpaceAttr,
    ComdatAttr,
    ConstantRangeAttr,
    DIExpressionAttr,
    DIExpressionElemAttr,
    DIFileAttr,
    DINullTypeAttr,
    DSOLocalEquivalentAttr,
    DependentLibrariesAttr,
    LabelType,
    MMRATagAttr,
    MetadataType,
    ModuleFlagAttr,
    PPCFP128Type,
    PoisonAttr,
    TBAAMemberAttr,
    TBAARootAttr,
    TBAATypeDescriptorAttr,
    TargetAttr,
    TargetExtType,
    TokenType,
    UWTableKindAttr,
    UndefAttr,
    WorkgroupAttributionAttr,
    X86AMXType,
    ZeroAttr,
)
"""Every attribute and type that is added to xDSL's llvm dialect."""

STRUCT_CLASSES.update({cls.__name__: cls for cls in STRUCT_ATTRIBUTES})
STRUCT_CLASSES.update(
    {
        cls.__name__: cls
        for cls in (DIExpressionAttr, DIFileAttr, TBAARootAttr, TBAATypeDescriptorAttr)
    }
)
