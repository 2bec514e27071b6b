"""Constants in LLVM assembly (LLVM Language Reference, "Constants").

Plain data is an attribute of the op. The initializer of a variable may also be a region of ops,
each of which is a constant expression or inserts a member into an aggregate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    VectorType,
)
from xdsl.dialects.llvm import GEPOp, LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    element_type_of,
    global_name,
    int_property,
    position_of,
    vector_type,
)
from nvvm_xdsl.dialects.llvm.attributes import PoisonAttr, UndefAttr, ZeroAttr
from nvvm_xdsl.dialects.llvm.constants import (
    bits_of_double,
    elements_of,
    float_bits,
    float_from_bits,
)
from nvvm_xdsl.dialects.llvm.flags import GEP_FLAG_BITS, NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, raw_indices
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.types import int_attr, integer, width_of
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.export.spelling import TypeSpelling, bytes_of, global_symbol, quoted
from nvvm_xdsl.ir import fast

CONSTANT_OPS = frozenset(
    {
        "llvm.mlir.constant",
        "llvm.mlir.zero",
        "llvm.mlir.undef",
        "llvm.mlir.poison",
        "llvm.mlir.addressof",
    }
)
"""Ops that are written where their value is used."""


def float_text(value: FloatAttr) -> str:
    """A floating-point constant: decimal if six digits are exact, else its bits.

    Raises ValueError for a value that its type cannot represent.
    """
    type_ = value.type
    if type_ in (types.F32, types.F64):
        number = value.value.data
        if math.isfinite(number):
            text = f"{number:.6e}"
            if float(text) == number:
                return text
        return f"0x{bits_of_double(number):016X}"
    bits = float_bits(value)
    if type_ == types.F16:
        return f"0xH{bits:04X}"
    if type_ == types.BF16:
        return f"0xR{bits:04X}"
    if type_ == types.F80:
        return f"0xK{bits:020X}"
    # The low half comes first.
    return f"0xL{bits & ((1 << 64) - 1):016X}{bits >> 64:016X}"


def gep_flags(op: Operation) -> str:
    """`inbounds`, `nusw` and `nuw` of a getelementptr, each with a trailing space."""
    flags = int_property(op, "noWrapFlags")
    words: list[str] = []
    if flags & GEP_FLAG_BITS["inbounds_flag"]:
        words.append("inbounds ")
    elif flags & GEP_FLAG_BITS["nusw"]:
        words.append("nusw ")
    if flags & GEP_FLAG_BITS["nuw"]:
        words.append("nuw ")
    return "".join(words)


def wrap_flags(op: Operation) -> str:
    """`nuw` and `nsw` of an operation, each with a trailing space."""
    flags = overflow_flags(op)
    return ("nuw " if flags & NUW else "") + ("nsw " if flags & NSW else "")


class ConstantSpelling:
    """Spells constants.

    Arguments:
        types_: returns the spelling of a type.
    """

    types: TypeSpelling

    def __init__(self, types_: TypeSpelling) -> None:
        self.types = types_

    def op(self, op: Operation) -> str:
        """The text of one of `CONSTANT_OPS`. Raises WriteError."""
        type_ = op.results[0].type
        match op.name:
            case "llvm.mlir.constant":
                try:
                    return self.attribute(constant_value_of(op), type_)
                except ValueError as error:
                    raise write_error(op, str(error)) from None
            case "llvm.mlir.zero":
                return zero_text(type_)
            case "llvm.mlir.undef":
                return "undef"
            case "llvm.mlir.poison":
                return "poison"
            case _:
                return global_symbol(global_name(op))

    def attribute(self, value: Attribute, type_: Attribute) -> str:
        """An attribute as a constant of the type. Raises ValueError if it is not one."""
        match value:
            case IntegerAttr():
                return self._integer(value, type_)
            case FloatAttr():
                return float_text(value)
            case StringAttr():
                return "c" + quoted(bytes_of(value.data))
            case BytesAttr():
                return "c" + quoted(value.data)
            case SymbolRefAttr():
                return global_symbol(value.root_reference.data)
            case ZeroAttr():
                return zero_text(type_)
            case UndefAttr():
                return "undef"
            case PoisonAttr():
                return "poison"
            case ArrayAttr():
                return self._listed(value.data, type_)
            case DenseIntOrFPElementsAttr():
                return self._dense(value, type_)
            case _:
                raise ValueError(f"LLVM IR has no constant for {value.name}")

    @staticmethod
    def _integer(value: IntegerAttr[Any], type_: Attribute) -> str:
        number: int = value.value.data
        width = width_of(type_)
        if not width:
            raise ValueError(f"an integer is not a constant of type {type_}")
        if width == 1:
            return "true" if number & 1 else "false"
        number &= (1 << width) - 1
        return str(number - (1 << width) if number >> (width - 1) else number)

    def _listed(self, values: Sequence[Attribute], type_: Attribute) -> str:
        members = [
            (member, self.attribute(value, member))
            for value, member in zip(values, _member_types(type_, len(values)))
        ]
        return self.aggregate(type_, members)

    def aggregate(self, type_: Attribute, members: Sequence[tuple[Attribute, str]]) -> str:
        """An aggregate or vector from the text of its members."""
        if not members:
            return "zeroinitializer"
        text = ", ".join([f"{self.types(member)} {value}" for member, value in members])
        if isinstance(type_, LLVMArrayType):
            return f"[{text}]"
        if isinstance(type_, LLVMStructType):
            return f"<{{ {text} }}>" if types.is_packed(type_) else f"{{ {text} }}"
        return f"<{text}>"

    def _dense(self, value: DenseIntOrFPElementsAttr[Any], type_: Attribute) -> str:
        if not any(value.data.data):
            return "zeroinitializer"
        element = value.get_element_type()
        count = _scalar_count(type_)
        bits = list(elements_of(value))
        if len(bits) == 1:
            # A splat may be stored as its single element.
            bits *= count
        if len(bits) != count:
            raise ValueError(f"{len(bits)} elements do not form a constant of type {type_}")
        width = width_of(element)
        spelled: dict[int, str] = {}
        for number in set(bits):
            if width:
                spelled[number] = self._integer(int_attr(number, integer(width)), element)
            else:
                spelled[number] = float_text(float_from_bits(number, element))
        return self._nested(type_, iter([spelled[number] for number in bits]))

    def _nested(self, type_: Attribute, scalars: Iterator[str]) -> str:
        if isinstance(type_, LLVMArrayType):
            inner = type_.type
            spelled = self.types(inner)
            values = [self._nested(inner, scalars) for _ in range(type_.size.data)]
            return "[" + ", ".join([f"{spelled} {value}" for value in values]) + "]"
        vector = vector_type(type_)
        if vector is not None:
            spelled = self.types(vector.element_type)
            values = [next(scalars) for _ in range(vector.get_shape()[0])]
            return "<" + ", ".join([f"{spelled} {value}" for value in values]) + ">"
        return next(scalars)

    def initializer(self, block: Block) -> tuple[Attribute, str]:
        """Type and value of the constant that the ops of a region return. Raises WriteError."""
        made: dict[SSAValue, _Constant] = {}
        for op in fast.ops_of(block):
            if op.name == "llvm.return":
                value = fast.operands_of(op)[0]
                return value.type, self._text(made[value])
            made[op.results[0]] = self._constant(op, made)
        raise AssertionError("an initializer returns its value")

    def _constant(self, op: Operation, made: dict[SSAValue, _Constant]) -> _Constant:
        type_ = op.results[0].type
        operands = [made[value] for value in fast.operands_of(op)]
        if op.name in CONSTANT_OPS:
            return _Constant(type_, self.op(op))
        if op.name == "llvm.insertvalue":
            return self._insert(op, operands[0], operands[1], position_of(op))
        if op.name == "llvm.insertelement":
            index = constant_unsigned(fast.operands_of(op)[2])
            if index is None:
                raise write_error(op, "the position in an initializer must be a constant")
            return self._insert(op, operands[0], operands[1], (index,))
        listed = [f"{self.types(operand.type)} {self._text(operand)}" for operand in operands]
        opcode = op.name.removeprefix("llvm.")
        if isinstance(op, GEPOp):
            indices = iter(listed[1:])
            raw = raw_indices(op)
            spelled = [next(indices) if r == DYNAMIC_INDEX else f"i32 {r}" for r in raw]
            element = self.types(element_type_of(op))
            text = f"{gep_flags(op)}({', '.join([element, listed[0], *spelled])})"
            return _Constant(type_, f"getelementptr {text}")
        if opcode in _CASTS:
            return _Constant(type_, f"{opcode} ({listed[0]} to {self.types(type_)})")
        if opcode in _BINARY:
            return _Constant(type_, f"{opcode} {wrap_flags(op)}({', '.join(listed)})")
        raise write_error(op, "an initializer has no such constant expression")

    def _insert(
        self, op: Operation, whole: _Constant, value: _Constant, position: Sequence[int]
    ) -> _Constant:
        if not position:
            return value
        index, *rest = position
        members = list(whole.members or self._members(op, whole))
        members[index] = self._insert(op, members[index], value, rest)
        return _Constant(whole.type, "", tuple(members))

    @staticmethod
    def _members(op: Operation, whole: _Constant) -> Sequence[_Constant]:
        """The members of an aggregate whose members are all equal."""
        if whole.text not in ("undef", "poison", "zeroinitializer"):
            raise write_error(
                op, "a member is inserted into a constant that is neither undef, poison nor zero"
            )
        member_types = _member_types(whole.type, None)
        if whole.text == "zeroinitializer":
            return [_Constant(type_, zero_text(type_)) for type_ in member_types]
        return [_Constant(type_, whole.text) for type_ in member_types]

    def _text(self, constant: _Constant) -> str:
        if constant.members is None:
            return constant.text
        members = [(member.type, self._text(member)) for member in constant.members]
        return self.aggregate(constant.type, members)


class _Constant:
    """A constant in an initializer: its text, or its members."""

    __slots__ = ("members", "text", "type")

    def __init__(
        self, type_: Attribute, text: str, members: tuple[_Constant, ...] | None = None
    ) -> None:
        self.type = type_
        self.text = text
        self.members = members


_CASTS = frozenset({"ptrtoint", "inttoptr", "bitcast", "addrspacecast", "trunc"})
_BINARY = frozenset({"add", "sub", "xor"})
"""The constant expressions that LLVM 22 still has."""


def zero_text(type_: Attribute) -> str:
    """The zero of a type."""
    if isinstance(type_, LLVMPointerType):
        return "null"
    width = width_of(type_)
    if width:
        return "false" if width == 1 else "0"
    return "zeroinitializer"


def _member_types(type_: Attribute, count: int | None) -> list[Attribute]:
    """The types of an aggregate's members; a list of `count` values must match them."""
    if isinstance(type_, LLVMStructType):
        found = list(type_.types.data)
    elif isinstance(type_, LLVMArrayType):
        found = [type_.type] * type_.size.data
    elif type(type_) is VectorType:
        found = [type_.element_type] * type_.get_shape()[0]
    else:
        raise ValueError(f"a list is not a constant of type {type_}")
    if count is not None and len(found) != count:
        raise ValueError(f"{count} values do not form a constant of type {type_}")
    return found


def _scalar_count(type_: Attribute) -> int:
    count = 1
    while isinstance(type_, LLVMArrayType):
        count *= type_.size.data
        type_ = type_.type
    vector = vector_type(type_)
    return count if vector is None else count * vector.get_shape()[0]
