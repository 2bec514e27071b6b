"""Attributes in MLIR's `struct(params)` assembly, driven by a table of fields.

`#llvm.loop_unroll<disable = true, count = 4 : i32>`: named fields in any order; fields with their
default value are omitted. A class declares its fields; parsing, printing and the constructor `of`
are derived from them:

    class DILabelAttr(StructAttr, mnemonic="llvm.di_label"):
        scope: Attribute
        name_: StringAttr | NoneAttr = optional()
        line: IntAttr = optional("int", 0)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self, cast, dataclass_transform

from xdsl.dialects.builtin import ArrayAttr, IntAttr, IntegerAttr, NoneAttr, StringAttr, i1
from xdsl.ir import Attribute, ParametrizedAttribute
from xdsl.parser import AttrParser
from xdsl.printer import Printer
from xdsl.utils.mlir_lexer import MLIRTokenKind

from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.xdsl_patches.definitions import irdl_attr_definition
from nvvm_xdsl.xdsl_patches.parsing import current_token

NONE = NoneAttr()


@dataclass(frozen=True)
class Field:
    """One field of a `struct(params)` attribute.

    `kind` is `int`, `bool`, `keyword` (an enumerant, held as a string), `string` (held as a string,
    printed quoted), `attr`, or `distinct`; `array` means a list of these. `base` is the class of an
    `attr` if there is only one: then MLIR omits its name. `default` is the value of an optional
    field that is omitted.
    """

    name: str
    kind: str = "attr"
    optional: bool = False
    default: int | bool | str | None = None
    base: str = ""
    array: bool = False


STRUCT_CLASSES: dict[str, type[ParametrizedAttribute]] = {}
"""Attribute classes by Python name, for fields whose attribute prints without its name."""


def as_attribute(value: Any) -> Attribute:
    """The attribute for a Python value in a field."""
    if isinstance(value, Attribute):
        return value
    if value is None:
        return NONE
    if isinstance(value, bool):
        return IntegerAttr(int(value), i1)
    if isinstance(value, int):
        return IntAttr(value)
    if isinstance(value, str):
        return StringAttr(value)
    if isinstance(value, Sequence):
        return ArrayAttr([as_attribute(v) for v in cast(Sequence[Any], value)])
    raise TypeError(f"no attribute for {value!r}")


def required(kind: str = "attr", *, base: str = "", array: bool = False, name: str = "") -> Any:
    """A field that is always printed; `name` if MLIR's differs from Python's. See `Field`."""
    return Field(name, kind, base=base, array=array)


def optional(
    kind: str = "attr",
    absent: int | bool | str | None = None,
    *,
    base: str = "",
    array: bool = False,
    name: str = "",
) -> Any:
    """A field that may be omitted, and then equals `absent`; otherwise like `required`."""
    return Field(name, kind, True, absent, base, array)


@dataclass_transform(frozen_default=True, field_specifiers=(required, optional))
class StructAttr(ParametrizedAttribute):
    """Base of attributes printed as `<` struct(params) `>`; a subclass is that of its `mnemonic`.

    A field without a specifier is `required()`. A name that Python or xDSL reserves has an
    underscore appended.
    """

    FIELDS: ClassVar[tuple[Field, ...]] = ()
    DROPPED: ClassVar[frozenset[str]] = frozenset()
    """Fields that MLIR's main branch added, which are read and not kept."""

    def __init_subclass__(cls, *, mnemonic: str, dropped: Sequence[str] = ()) -> None:
        super().__init_subclass__()
        cls.name = mnemonic
        cls.DROPPED = frozenset(dropped)  # pyright: ignore[reportConstantRedefinition]
        if cls.__doc__ is None:
            cls.__doc__ = f"`#{mnemonic}`."
        fields: list[Field] = []
        for name in cls.__annotations__:
            field: Field = cls.__dict__.get(name) or required()
            fields.append(field if field.name else replace(field, name=name.rstrip("_")))
            if name in cls.__dict__:
                delattr(cls, name)  # xDSL takes a value for a default
        cls.FIELDS = tuple(fields)  # pyright: ignore[reportConstantRedefinition]
        irdl_attr_definition(cls)

    @classmethod
    def of(cls, **fields: Any) -> Self:
        """The attribute with these fields, by MLIR's names; the others have their defaults.

        Values may be attributes or Python's int, bool, str and sequences. Raises TypeError
        for a field that does not exist or a required one that is missing.
        """
        values: list[Attribute] = []
        for field in cls.FIELDS:
            if field.name in fields:
                values.append(as_attribute(fields.pop(field.name)))
            elif field.optional:
                values.append(default_of(field))
            else:
                raise TypeError(f"{cls.name} needs '{field.name}'")
        if fields:
            raise TypeError(f"{cls.name} has no field {', '.join(fields)}")
        return cls.new(values)

    def field(self, name: str) -> Attribute | None:
        """The field with this name in MLIR's spelling; None if it has no value."""
        for field, value in zip(self.FIELDS, self.parameters):
            if field.name == name:
                return None if isinstance(value, NoneAttr) else value
        raise KeyError(name)

    @classmethod
    def parse_parameters(cls, parser: AttrParser) -> Sequence[Attribute]:
        parser.parse_punctuation("<")
        values = parse_struct(cls.name, cls.FIELDS, parser, cls.DROPPED)
        parser.parse_punctuation(">")
        return values

    def print_parameters(self, printer: Printer) -> None:
        printer.print_string("<")
        print_struct(self.FIELDS, self.parameters, printer)
        printer.print_string(">")


def default_of(field: Field) -> Attribute:
    """The value of an optional field that is omitted."""
    if field.array:
        return ArrayAttr(())
    return as_attribute(field.default)


def parse_struct(
    name: str,
    fields: Sequence[Field],
    parser: AttrParser,
    dropped: frozenset[str] = frozenset(),
) -> list[Attribute]:
    """Parses fields up to the closing bracket, which the caller parses; `dropped` ones are not returned."""
    by_name = {field.name: field for field in fields}
    by_name |= {other: Field(other, "dropped") for other in dropped}
    found: dict[str, Attribute] = {}
    if current_token(parser).kind != MLIRTokenKind.GREATER:
        while True:
            position = parser.pos
            key = parser.parse_identifier(f" of {name}")
            field = by_name.get(key)
            if field is None:
                parser.raise_error(f"{name} has no field '{key}'", position)
            if key in found:
                parser.raise_error(f"{name} has field '{key}' twice", position)
            parser.parse_punctuation("=")
            more = False
            if field.array:
                found[key], more = _parse_array(field, by_name, parser)
            else:
                found[key] = _parse_value(field, parser)
            if not more and parser.parse_optional_punctuation(",") is None:
                break
    missing = [f.name for f in fields if not f.optional and f.name not in found]
    if missing:
        parser.raise_error(f"{name} needs '{missing[0]}'")
    return [found[f.name] if f.name in found else default_of(f) for f in fields]


def _parse_array(
    field: Field, names: dict[str, Field], parser: AttrParser
) -> tuple[Attribute, bool]:
    """A list without brackets; returns True if the following comma was read and a field follows."""
    values = [_parse_value(field, parser)]
    while parser.parse_optional_punctuation(",") is not None:
        token = current_token(parser)
        if token.kind == MLIRTokenKind.BARE_IDENT and token.text in names:
            return ArrayAttr(values), True
        values.append(_parse_value(field, parser))
    return ArrayAttr(values), False


def _parse_value(field: Field, parser: AttrParser) -> Attribute:
    match field.kind:
        case "int":
            return IntAttr(parser.parse_integer(allow_boolean=False))
        case "bool":
            return IntegerAttr(int(parser.parse_boolean()), i1)
        case "keyword":
            return StringAttr(
                parser.expect(parser.parse_optional_identifier_or_str_literal, "keyword expected")
            )
        case "string":
            return StringAttr(parser.parse_str_literal())
        case "dropped":
            found = parser.parse_optional_attribute()
            if found is None:
                found = StringAttr(parser.parse_identifier())
                while parser.parse_optional_punctuation("|") is not None:
                    parser.parse_identifier()
            return found
        case _:
            token = current_token(parser)
            if field.base and token.kind != MLIRTokenKind.HASH_IDENT:
                base = STRUCT_CLASSES[field.base]
                return base.new(base.parse_parameters(parser))
            return parser.parse_attribute()


def _is_identifier(text: str) -> bool:
    return text.replace("_", "a").replace(".", "a").isalnum() and not text[0].isdigit()


def print_struct(fields: Sequence[Field], values: Sequence[Attribute], printer: Printer) -> None:
    """Prints the fields that differ from their default."""
    shown = [
        (field, value)
        for field, value in zip(fields, values)
        if not (field.optional and (isinstance(value, NoneAttr) or value == default_of(field)))
    ]

    def show(entry: tuple[Field, Attribute]) -> None:
        field, value = entry
        printer.print_string(f"{field.name} = ")
        if type(value) is ArrayAttr and field.array:
            printer.print_list(items_of(value), lambda v: _print_value(field, v, printer))
        else:
            _print_value(field, value, printer)

    printer.print_list(shown, show)


def _print_value(field: Field, value: Attribute, printer: Printer) -> None:
    match value:
        case IntAttr():
            printer.print_int(value.data)
        case StringAttr() if field.kind == "keyword" and _is_identifier(value.data):
            printer.print_string(value.data)
        case IntegerAttr() if field.kind == "bool":
            printer.print_string("true" if value.value.data else "false")
        case ParametrizedAttribute() if field.base and STRUCT_CLASSES.get(field.base) is type(
            value
        ):
            value.print_parameters(printer)
        case _:
            printer.print_attribute(value)
