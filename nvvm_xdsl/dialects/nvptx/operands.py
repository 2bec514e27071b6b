"""Operands of instructions, in PTX order.

Only registers are SSA operands. Immediates, symbols, offsets and braces are in the layout: one slot
for each operand of the PTX instruction, except results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, Final, TypeAlias, cast

from xdsl.parser import AttrParser, Parser
from xdsl.printer import Printer

from nvvm_xdsl.dialects.nvptx.interning import InternedAttr
from nvvm_xdsl.xdsl_patches.definitions import irdl_attr_definition

Slot: TypeAlias = tuple[object, ...]
"""A kind and its data; created by the functions below."""

_RegisterParser: TypeAlias = Callable[[], bool]

REGISTER_KIND: Final = 0
VECTOR_KIND: Final = 1
IMMEDIATE_KIND: Final = 2
FLOAT_KIND: Final = 3
SYMBOL_KIND: Final = 4
ADDRESS_KIND: Final = 5
SYMBOL_ADDRESS_KIND: Final = 6
LIST_ADDRESS_KIND: Final = 7
SINK_KIND: Final = 8
NEGATED_KIND: Final = 9

REG: Final[Slot] = (REGISTER_KIND,)
"""A plain register: one SSA operand."""

NOT: Final[Slot] = (NEGATED_KIND,)
"""A negated predicate `!%p`: one SSA operand."""

SINK: Final[Slot] = (SINK_KIND,)
"""The bit bucket `_`."""


@cache
def vec(*elements: int | Slot) -> Slot:
    """Operands in braces: `vec(2)` is two registers, `vec(REG, imm(0))` a register and a zero."""
    slots: list[Slot] = []
    for element in elements:
        if isinstance(element, int):
            slots.extend([REG] * element)
        else:
            slots.append(element)
    return (VECTOR_KIND, tuple(slots))


def imm(value: int) -> Slot:
    """An integer immediate."""
    return (IMMEDIATE_KIND, value)


def fimm(bits: int, width: int) -> Slot:
    """A floating-point immediate of 16, 32 or 64 bits, given by its bits."""
    return (FLOAT_KIND, bits & ((1 << width) - 1), width)


def sym(name: str, offset: int = 0) -> Slot:
    """The address of a symbol as an operand: `name+4`."""
    return (SYMBOL_KIND, name, offset)


def addr(offset: int = 0) -> Slot:
    """Memory at one SSA operand plus a constant: `[%rd1+16]`."""
    return (ADDRESS_KIND, offset)


def addr_sym(name: str, offset: int = 0) -> Slot:
    """Memory at a symbol plus a constant: `[name+8]`."""
    return (SYMBOL_ADDRESS_KIND, name, offset)


@cache
def addr_list(*elements: Slot) -> Slot:
    """A list in brackets: `[%rd1, {%r1, %r2}]` of textures and tensor maps."""
    return (LIST_ADDRESS_KIND, elements)


def addr_vec(count: int) -> Slot:
    """`[%rd1, {%r1, ...}]` with `count` coordinates: 1 + count SSA operands."""
    return addr_list(REG, vec(count))


def slot_number(slot: Slot, place: int = 1) -> int:
    """The number of a slot: an immediate, or an offset."""
    return cast(int, slot[place])


def slot_name(slot: Slot, place: int = 1) -> str:
    """The symbol of a slot."""
    return cast(str, slot[place])


def slot_size(slot: Slot) -> int:
    """The number of SSA operands of a slot."""
    kind = slot[0]
    if kind in (REGISTER_KIND, ADDRESS_KIND, NEGATED_KIND):
        return 1
    if kind in (VECTOR_KIND, LIST_ADDRESS_KIND):
        return sum(slot_size(s) for s in elements_of(slot))
    return 0


def elements_of(slot: Slot) -> tuple[Slot, ...]:
    """The slots within braces or brackets."""
    return cast("tuple[Slot, ...]", slot[1])


def _offset_text(offset: int) -> str:
    return f"+{offset}" if offset else ""


def slot_text(slot: Slot) -> str:
    """The operand in PTX, with `%s` for each register."""
    kind = slot[0]
    if kind == REGISTER_KIND:
        return "%s"
    if kind == IMMEDIATE_KIND:
        return str(slot[1])
    if kind == ADDRESS_KIND:
        return f"[%s{_offset_text(cast(int, slot[1]))}]"
    if kind == SYMBOL_ADDRESS_KIND:
        return f"[{_escaped(slot[1])}{_offset_text(cast(int, slot[2]))}]"
    if kind == SYMBOL_KIND:
        return f"{_escaped(slot[1])}{_offset_text(cast(int, slot[2]))}"
    if kind == VECTOR_KIND:
        return "{" + ", ".join(slot_text(s) for s in elements_of(slot)) + "}"
    if kind == LIST_ADDRESS_KIND:
        return "[" + ", ".join(slot_text(s) for s in elements_of(slot)) + "]"
    if kind == NEGATED_KIND:
        return "!%s"
    if kind == SINK_KIND:
        return "_"
    bits, width = slot[1:]
    if width == 32:
        return f"0f{bits:08X}"
    if width == 64:
        return f"0d{bits:016X}"
    return f"0x{bits:04X}"


def _escaped(name: object) -> str:
    # The text is a template for the % operator.
    return str(name).replace("%", "%%")


@irdl_attr_definition
class OperandsAttr(InternedAttr[tuple[Slot, ...]]):
    """The layout of an instruction's operands."""

    name = "nvptx.operands"

    @property
    def size(self) -> int:
        """The number of SSA operands of the layout."""
        return sum(slot_size(s) for s in self.data)

    @property
    def template(self) -> str:
        """The operands in PTX, with `%s` for each register."""
        return ", ".join(slot_text(s) for s in self.data)

    @classmethod
    def parse_parameter(cls, parser: AttrParser) -> tuple[Slot, ...]:
        with parser.in_angle_brackets():
            return tuple(
                parser.parse_comma_separated_list(
                    AttrParser.Delimiter.NONE, lambda: _parse_bare_slot(parser)
                )
            )

    def print_parameter(self, printer: Printer) -> None:
        with printer.in_angle_brackets():
            printer.print_list(self.data, lambda s: print_slot(printer, s, None))

    def __reduce__(self) -> tuple[Any, tuple[tuple[Slot, ...]]]:
        return _unpickled, (self.data,)


def _unpickled(slots: tuple[Slot, ...]) -> OperandsAttr:
    return _layout(tuple(_canonical(slot) for slot in slots))


def _canonical(slot: Slot) -> Slot:
    """Restores a slot from pickle in its canonical form: plain registers are compared by identity."""
    kind = slot[0]
    if kind in (VECTOR_KIND, LIST_ADDRESS_KIND):
        elements = [_canonical(element) for element in elements_of(slot)]
        return (vec if kind == VECTOR_KIND else addr_list)(*elements)
    return _BARE.get(slot, slot)


_BARE: Final[dict[Slot, Slot]] = {slot: slot for slot in (REG, NOT, SINK)}


@cache
def _layout(slots: tuple[Slot, ...]) -> OperandsAttr:
    return OperandsAttr(slots)


def layout(*slots: Slot) -> OperandsAttr:
    """The layout with these slots."""
    return _layout(slots)


_FLOAT_WIDTHS = {"f16": 16, "f32": 32, "f64": 64}


def _parse_bare_slot(parser: AttrParser) -> Slot:
    """A slot in an attribute: registers are written `reg`."""
    return parse_slot(parser, lambda: parser.parse_optional_keyword("reg") is not None)


def _parse_offset(parser: AttrParser) -> int:
    if parser.parse_optional_punctuation("+") is not None:
        return parser.parse_integer(allow_boolean=False)
    if parser.parse_optional_punctuation("-") is not None:
        return -parser.parse_integer(allow_boolean=False, allow_negative=False)
    return 0


def parse_slot(parser: AttrParser, register: _RegisterParser) -> Slot:
    """Parses one operand; `register` parses a register and returns whether there was one."""
    if register():
        return REG
    if parser.parse_optional_punctuation("{") is not None:
        elements: list[int | Slot] = []
        while parser.parse_optional_punctuation("}") is None:
            if elements:
                parser.parse_punctuation(",")
            elements.append(parse_slot(parser, register))
        return vec(*elements)
    if parser.parse_optional_punctuation("[") is not None:
        return _parse_brackets(parser, register)
    symbol = parser.parse_optional_symbol_name()
    if symbol is not None:
        return sym(symbol.data, _parse_offset(parser))
    number = parser.parse_optional_integer(allow_boolean=False)
    if number is not None:
        return imm(number)
    word = parser.parse_optional_identifier()
    if word == "_":
        return SINK
    if word == "not":
        if not register():
            parser.raise_error("expected a register after 'not'")
        return NOT
    width = _FLOAT_WIDTHS.get(word or "")
    if width is None:
        parser.raise_error("expected an operand")
    return fimm(parser.parse_integer(allow_boolean=False, allow_negative=False), width)


def _parse_brackets(parser: AttrParser, register: _RegisterParser) -> Slot:
    slots: list[Slot] = []
    offset = 0
    while True:
        slot = parse_slot(parser, register)
        slots.append(slot)
        if slot is REG:
            offset = _parse_offset(parser)
        if parser.parse_optional_punctuation("]") is not None:
            break
        parser.parse_punctuation(",")
        if offset:
            parser.raise_error("a list of operands in brackets takes no offset")
    if len(slots) == 1:
        if slots[0] is REG:
            return addr(offset)
        if slots[0][0] == SYMBOL_KIND:
            return (SYMBOL_ADDRESS_KIND, *slots[0][1:])
    return addr_list(*slots)


def print_slot(printer: Printer, slot: Slot, names: Iterator[object] | None) -> None:
    """Prints one operand; `names` yields the SSA values; if None, each is printed as `reg`."""

    def register() -> None:
        if names is None:
            printer.print_string("reg")
        else:
            printer.print_ssa_value(next(names))  # pyright: ignore[reportArgumentType]

    def offset(value: object) -> None:
        number = cast(int, value)
        if number:
            printer.print_string(f" + {number}" if number > 0 else f" - {-number}")

    kind = slot[0]
    if kind == REGISTER_KIND:
        register()
    elif kind == NEGATED_KIND:
        printer.print_string("not ")
        register()
    elif kind in (VECTOR_KIND, LIST_ADDRESS_KIND):
        opening, closing = "{}" if kind == VECTOR_KIND else "[]"
        printer.print_string(opening)
        printer.print_list(elements_of(slot), lambda s: print_slot(printer, s, names))
        printer.print_string(closing)
    elif kind == ADDRESS_KIND:
        printer.print_string("[")
        register()
        offset(slot[1])
        printer.print_string("]")
    elif kind in (SYMBOL_KIND, SYMBOL_ADDRESS_KIND):
        brackets = kind == SYMBOL_ADDRESS_KIND
        printer.print_string("[" if brackets else "")
        printer.print_symbol_name(str(slot[1]))
        offset(slot[2])
        printer.print_string("]" if brackets else "")
    elif kind == IMMEDIATE_KIND:
        printer.print_string(str(slot[1]))
    elif kind == SINK_KIND:
        printer.print_string("_")
    else:
        printer.print_string(f"f{slot[2]} 0x{slot[1]:X}")


def parse_operands(parser: Parser, register: _RegisterParser) -> tuple[Slot, ...]:
    """Parses operands up to the `:` before their types."""
    slots = [parse_slot(parser, register)]
    while parser.parse_optional_punctuation(",") is not None:
        slots.append(parse_slot(parser, register))
    return tuple(slots)
