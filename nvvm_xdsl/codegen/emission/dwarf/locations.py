"""DWARF locations of variables: location expressions, and lists for variables that move."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Attribute

from nvvm_xdsl.codegen.emission.dwarf.constants import AddressClass, At, Op
from nvvm_xdsl.codegen.emission.dwarf.dies import Die, Piece, Rows, size_of_block, sleb128, uleb128
from nvvm_xdsl.dialects.llvm.attributes import DIExpressionAttr, opcodes
from nvvm_xdsl.dialects.llvm.debug_fields import integer_in
from nvvm_xdsl.dialects.llvm.debug_salvage import STACK_BITS, STACK_VALUE
from nvvm_xdsl.dialects.llvm.global_debug import split_fragment, without_address_class
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.nvptx.debug import DebugValueOp

SPACE_CLASSES: Final = {
    "const": AddressClass.CONSTANT,
    "global": AddressClass.GLOBAL,
    "local": AddressClass.LOCAL,
    "param": AddressClass.PARAMETER,
    "shared": AddressClass.SHARED,
}
"""The address class of memory in a state space."""

MAX_REGISTER_NAME: Final = 8
"""Maximum number of characters of a register's name in cuda-gdb."""

_MAX_LENGTH: Final = 0xFFFF
"""Maximum number of bytes of an expression in a list."""


@dataclass(frozen=True)
class Location:
    """The location of a variable, or its value.

    Arguments:
        address_class: the address class of its storage; None for a value.
        expression: the location expression.
        register: the register that contains the variable, or from which its address or value is
            computed; empty for none.
        constant: the value, if it is a constant.
    """

    address_class: AddressClass | None
    expression: tuple[Piece, ...]
    register: str = ""
    constant: int | None = None


@dataclass(frozen=True)
class Span:
    """A range of code, between two labels, with one location of a variable."""

    location: Location
    begin: str
    end: str


def location_of(op: DebugValueOp, register: str) -> Location | None:
    """The operations of a description, given the name of its register; None if DWARF cannot express
    it.
    """
    if op.constant is not None:
        value = evaluated(op.expression, op.constant)
        return None if value is None else _constant(value)
    if op.symbol:
        steps = address_steps(op.expression)
        if steps is None or op.space not in SPACE_CLASSES:
            return None
        return Location(SPACE_CLASSES[op.space], (bytes([Op.ADDR]), op.symbol, steps))
    if not register or len(register) > MAX_REGISTER_NAME:
        return None
    number = uleb128(register_number(register))
    if not op.is_address:
        if not opcodes(op.expression):
            return Location(AddressClass.REGISTER, (bytes([Op.REGX]) + number,), register)
        steps = value_steps(op.expression)
        if steps is None:
            return None
        based = bytes([Op.BREGX]) + number + sleb128(0)
        return Location(None, (based + steps + bytes([Op.STACK_VALUE]),), register)
    steps = address_steps(op.expression)
    if steps is None:
        return None
    based = bytes([Op.BREGX]) + number + sleb128(0)
    return Location(AddressClass.REGISTER, (based + steps,), register)


def _constant(value: int) -> Location:
    number = (
        bytes([Op.CONSTS]) + sleb128(value) if value < 0 else bytes([Op.CONSTU]) + uleb128(value)
    )
    return Location(None, (number + bytes([Op.STACK_VALUE]),), constant=value)


def register_number(name: str) -> int:
    """The number of a register for cuda-gdb: the bytes of its name, the last one least
    significant."""
    return int.from_bytes(name.encode("ascii"), "big")


def address_steps(expression: Attribute | None) -> bytes | None:
    """The operations of an address expression in DWARF 2; None for unsupported ones.

    `DW_OP_constu N, DW_OP_swap, DW_OP_xderef`, which clang uses for the address class, are omitted:
    the state space is known.
    """
    out = b""
    for element in without_address_class(opcodes(expression)):
        numbers = [integer_in(argument) for argument in element.arguments.data]
        if element.opcode.data == "DW_OP_plus_uconst" and len(numbers) == 1:
            out += bytes([Op.PLUS_UCONST]) + uleb128(numbers[0])
        elif element.opcode.data == "DW_OP_deref":
            out += bytes([Op.DEREF])
        else:
            return None
    return out


def constant_of(expression: Attribute | None) -> int | None:
    """The value of a constant expression (`DW_OP_constu N, DW_OP_stack_value`); None for others."""
    elements = opcodes(expression)
    names = [element.opcode.data for element in elements]
    if names not in (["DW_OP_constu", "DW_OP_stack_value"], ["DW_OP_consts", "DW_OP_stack_value"]):
        return None
    value = integer_in(next(iter(elements[0].arguments.data), None))
    # A negative number is in two's complement with 64 bits.
    return value - (1 << 64) if names[0] == "DW_OP_consts" and value >> 63 == 1 else value


@dataclass(frozen=True)
class VariablePlace:
    """Memory of a module variable, and the expression that describes the source variable from it.

    Arguments:
        expression: a `#llvm.di_expression`, which may end in a fragment of the source variable.
        symbol, space: the memory and its state space; empty if there is none.
    """

    expression: Attribute | None
    symbol: str
    space: str


def variable_location(places: Sequence[VariablePlace]) -> Location | None:
    """The location of a module variable in one memory range, or in several as its fragments."""
    fragments: list[tuple[int, int, VariablePlace, tuple[Piece, ...]]] = []
    for place in places:
        steps, fragment = split_fragment(place.expression)
        found = _place_pieces(place, DIExpressionAttr(ArrayAttr(steps)))
        if found is None:
            continue
        if fragment is None:
            return Location(SPACE_CLASSES[place.space], found)
        if fragment[0] % 8 == 0 and fragment[1] % 8 == 0:
            fragments.append((fragment[0] // 8, fragment[1] // 8, place, found))
    if not fragments:
        return None
    fragments.sort(key=lambda one: one[:2])
    space = fragments[0][2].space
    out: list[Piece] = []
    end = 0
    for offset, size, place, found in fragments:
        # Memory has one address class, and fragments are consecutive.
        if place.space != space or offset < end:
            continue
        if offset > end:
            out.append(bytes([Op.PIECE]) + uleb128(offset - end))
        out += (*found, bytes([Op.PIECE]) + uleb128(size))
        end = offset + size
    return Location(SPACE_CLASSES[space], tuple(out))


def _place_pieces(place: VariablePlace, expression: DIExpressionAttr) -> tuple[Piece, ...] | None:
    if place.space not in SPACE_CLASSES:
        return None
    start = (bytes([Op.ADDR]), place.symbol)
    steps = opcodes(expression)
    if steps and steps[0].opcode.data == "DW_OP_deref_size" and place.space == "global":
        # Only addresses of global memory are generic addresses, which a dereference requires.
        value = value_steps(DIExpressionAttr(ArrayAttr(steps[1:])))
        size = integer_in(next(iter(steps[0].arguments.data), None))
        if value is None:
            return None
        return (*start, bytes([Op.DEREF_SIZE, size]) + value + bytes([Op.STACK_VALUE]))
    address = address_steps(expression)
    return None if address is None else (*start, address)


_BINARY: Final[dict[str, tuple[Op, Callable[[int, int], int]]]] = {
    "DW_OP_and": (Op.AND, lambda a, b: a & b),
    "DW_OP_minus": (Op.MINUS, lambda a, b: a - b),
    "DW_OP_mul": (Op.MUL, lambda a, b: a * b),
    "DW_OP_or": (Op.OR, lambda a, b: a | b),
    "DW_OP_plus": (Op.PLUS, lambda a, b: a + b),
    "DW_OP_shl": (Op.SHL, lambda a, b: a << b if b < STACK_BITS else 0),
    "DW_OP_xor": (Op.XOR, lambda a, b: a ^ b),
}
"""The binary operations on DWARF's stack."""


def value_steps(expression: Attribute | None) -> bytes | None:
    """The operations of an expression that maps a value to another, without the last one,
    `DW_OP_stack_value`.

    None for expressions that are not values, and for unknown operations.
    """
    elements = opcodes(expression)
    if not elements or elements[-1].opcode.data != STACK_VALUE:
        return None
    out = b""
    for element in elements[:-1]:
        name = element.opcode.data
        numbers = [integer_in(argument) for argument in element.arguments.data]
        if name == "DW_OP_plus_uconst":
            out += bytes([Op.PLUS_UCONST]) + uleb128(*numbers)
        elif name == "DW_OP_constu":
            out += bytes([Op.CONSTU]) + uleb128(*numbers)
        elif name in _BINARY:
            out += bytes([_BINARY[name][0]])
        else:
            return None
    return out


def evaluated(expression: Attribute | None, value: int) -> int | None:
    """The result of applying an expression to a number; the number itself without an expression;
    None as for `value_steps`.
    """
    if not opcodes(expression):
        return value
    if value_steps(expression) is None:
        return None
    stack = [value]
    for element in opcodes(expression)[:-1]:
        numbers = [integer_in(argument) for argument in element.arguments.data]
        if element.opcode.data == "DW_OP_plus_uconst":
            stack.append(stack.pop() + numbers[0])
        elif element.opcode.data == "DW_OP_constu":
            stack.append(numbers[0])
        elif len(stack) < 2:
            return None
        else:
            right = stack.pop()
            stack.append(_BINARY[element.opcode.data][1](stack.pop(), right))
        stack[-1] &= (1 << STACK_BITS) - 1
    return signed(stack[-1], STACK_BITS)


class LocationLists:
    """The section `.debug_loc` (DWARF 2, section 7.7.3)."""

    def __init__(self) -> None:
        self._rows = Rows()
        self._count = 0

    def locate(self, die: Die, spans: Sequence[Span]) -> None:
        """Adds a list for a variable that moves, if it has a location.

        As in LLVM, addresses are labels: units have no base address, and PTX has no differences of
        code labels in a section. All memory locations of a list have one address class; others are
        omitted.
        """
        classes = [span.location.address_class for span in spans]
        memory = next((c for c in classes if c not in (None, AddressClass.REGISTER)), None)
        kept = [
            span
            for span in spans
            if span.begin != span.end
            and span.location.address_class in (None, AddressClass.REGISTER, memory)
            and size_of_block(span.location.expression) <= _MAX_LENGTH
        ]
        if not kept:
            return
        if memory is not None:
            die.number(At.ADDRESS_CLASS, memory)
        die.section(At.LOCATION, self._add(kept))

    def _add(self, spans: Sequence[Span]) -> str:
        label = f"$L__debug_loc{self._count}"
        self._count += 1
        rows = self._rows
        rows.flush()
        rows.lines.append(f"{label}:")
        for span in spans:
            rows.word(span.begin, 64)
            rows.word(span.end, 64)
            rows.bytes(size_of_block(span.location.expression).to_bytes(2, "little"))
            for piece in span.location.expression:
                if isinstance(piece, str):
                    rows.word(piece, 64)
                else:
                    rows.bytes(piece)
        rows.word(0, 64)
        rows.word(0, 64)
        return label

    def directives(self) -> list[str]:
        """The section, if it contains a list."""
        return [self._rows.section(".debug_loc")] if self._count else []
