"""Values of the IR as SMT terms.

A value is a tuple of leaves, one per scalar inside its type: a struct of an i32 and a vector of two
floats has three. A leaf is a bit vector and a condition under which it is poison. Floats are their
bits, so that NaN payloads are exact; pointers are their addresses.

Undef is a set of variables in the leaf. Each use of the leaf renames them, because each use of
undef may yield another number.

The origin of a pointer is the number of the object on which it is based (LLVM Language
Reference, "Pointer Aliasing Rules"). Two pointers with the same address and different origins are
different values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects.builtin import (
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    VectorType,
)
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute

from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constants import FORMATS, elements_of, float_bits
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.lab.validation.smt import z3

MOST_LEAVES = 64
"""Maximum number of scalars in one value."""

ORIGIN_BITS = 16
NO_ORIGIN, ANY_ORIGIN, FIRST_GLOBAL, FIRST_LOCAL = 0, 1, 0x8000, 0xC000
"""Origins: of null and of bytes that are not part of a pointer, of a pointer converted from an
integer, of the first global symbol, and of the first local object."""

Term = Any
"""A Z3 expression."""


class UnsupportedError(Exception):
    """The functions contain a construct that is not modelled; the message names the construct."""


@dataclass(frozen=True)
class Leaf:
    """A scalar.

    Arguments:
        bits: a bit vector of the type's width.
        poison: whether the scalar is poison.
        undef: variables in `bits` that each use chooses independently.
        objects: for pointers, the local objects that the pointer may be based on, each with the
            condition under which it is.
        wild: whether the pointer was loaded, returned or converted from an integer, so that it may
            be based on any object whose address escaped.
        origin: for pointers, the number of the object that it is based on.
    """

    bits: Term
    poison: Term
    undef: tuple[Term, ...] = ()
    objects: Mapping[int, Term] = field(default_factory=dict[int, Term])
    wild: bool = False
    origin: Term | None = None


Value = tuple[Leaf, ...]

NEVER: Term = z3.BoolVal(False)
ALWAYS: Term = z3.BoolVal(True)


def both(a: Term, b: Term) -> Term:
    """The conjunction, simplified if one side is constant."""
    if z3.is_true(a) or z3.is_false(b):
        return b
    return a if z3.is_true(b) or z3.is_false(a) else z3.And(a, b)


def either(a: Term, b: Term) -> Term:
    """The disjunction, simplified if one side is constant."""
    if z3.is_false(a) or z3.is_true(b):
        return b
    return a if z3.is_false(b) or z3.is_true(a) else z3.Or(a, b)


def inverse(a: Term) -> Term:
    """The negation, simplified if the condition is constant."""
    if z3.is_true(a):
        return NEVER
    return ALWAYS if z3.is_false(a) else z3.Not(a)


def choose(condition: Term, a: Term, b: Term) -> Term:
    """`a` if the condition holds, otherwise `b`."""
    if z3.is_true(condition) or a.eq(b):
        return a
    return b if z3.is_false(condition) else z3.If(condition, a, b)


def choose_leaf(condition: Term, a: Leaf, b: Leaf) -> Leaf:
    """`a` if the condition holds, otherwise `b`."""
    objects = {
        key: both(condition, a.objects[key])
        if key not in b.objects
        else both(inverse(condition), b.objects[key])
        if key not in a.objects
        else choose(condition, a.objects[key], b.objects[key])
        for key in {**a.objects, **b.objects}
    }
    return Leaf(
        choose(condition, a.bits, b.bits),
        choose(condition, a.poison, b.poison),
        tuple(dict.fromkeys((*a.undef, *b.undef))),
        objects,
        a.wild or b.wild,
        choose(condition, origin_of(a), origin_of(b))
        if a.origin is not None or b.origin is not None
        else None,
    )


def origin_of(leaf: Leaf) -> Term:
    """The origin of a pointer; `NO_ORIGIN` for other scalars."""
    return z3.BitVecVal(NO_ORIGIN, ORIGIN_BITS) if leaf.origin is None else leaf.origin


def shown_origin(leaf: Leaf) -> Term:
    """The origin of a pointer that is compared. No memory can be accessed at the null address.

    LLVM's `canReplacePointersIfEqual` allows null in place of a pointer that is equal to it.
    """
    none = z3.BitVecVal(NO_ORIGIN, ORIGIN_BITS)
    return none if leaf.origin is None else choose(leaf.bits == 0, none, leaf.origin)


def number(value: int, width: int) -> Leaf:
    """A constant."""
    return Leaf(z3.BitVecVal(value, width), NEVER)


def truth(condition: Term) -> Term:
    """A condition as one bit."""
    return z3.If(condition, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))


def is_float(type_: Attribute) -> bool:
    """Whether the type is a floating-point type that is modelled."""
    return type(type_) in FORMATS


def float_sort(type_: Attribute) -> Term:
    """Z3's sort of a floating-point type."""
    form = FORMATS[type(type_)]
    return z3.FPSort(form.exponent, form.mantissa + 1)


def width_of_scalar(type_: Attribute, layout: DataLayout) -> int:
    """The width of a scalar in bits. Raises UnsupportedError for types that are not modelled."""
    if type(type_) in (IntegerType, LLVMPointerType) or is_float(type_):
        bits = layout.bits(type_)
        if bits is not None:
            return bits
    raise UnsupportedError(f"type {type_}")


def scalars_of(type_: Attribute) -> list[Attribute]:
    """The types of the scalars in a type, in order. Raises UnsupportedError for large types."""
    if isinstance(type_, LLVMStructType):
        found = [scalar for inner in type_.types.data for scalar in scalars_of(inner)]
    elif isinstance(type_, LLVMArrayType):
        if type_.size.data > MOST_LEAVES:
            raise UnsupportedError(f"value of more than {MOST_LEAVES} scalars")
        found = scalars_of(type_.type) * type_.size.data
    elif type(type_) is VectorType:
        if any(type_.get_scalable_dims()):
            raise UnsupportedError("scalable vector")
        count = 1
        for extent in type_.get_shape():
            count *= extent
        found = [type_.element_type] * min(count, MOST_LEAVES + 1)
    else:
        return [type_]
    if len(found) > MOST_LEAVES:
        raise UnsupportedError(f"value of more than {MOST_LEAVES} scalars")
    return found


def leaf_range(type_: Attribute, path: Sequence[int]) -> tuple[int, int]:
    """The half-open range of leaf numbers at a path into an aggregate."""
    start = 0
    for index in path:
        if isinstance(type_, LLVMStructType):
            fields = type_.types.data
            start += sum(len(scalars_of(field)) for field in fields[:index])
            type_ = fields[index]
        else:
            type_ = cast(Any, type_).type
            start += index * len(scalars_of(type_))
    return start, start + len(scalars_of(type_))


def constant_leaves(attribute: Attribute, type_: Attribute, layout: DataLayout) -> Value:
    """The leaves of an `llvm.mlir.constant`. Raises UnsupportedError."""
    if type(attribute) is IntegerAttr:
        return (number(attribute.value.data, integer_width(type_) or 64),)
    if type(attribute) is FloatAttr:
        return (number(float_bits(attribute), width_of_scalar(type_, layout)),)
    if type(attribute) is DenseIntOrFPElementsAttr:
        scalars = scalars_of(type_)
        bits = list(elements_of(attribute))
        if len(bits) == 1:
            bits *= len(scalars)
        if len(bits) == len(scalars):
            return tuple(number(b, width_of_scalar(s, layout)) for b, s in zip(bits, scalars))
    elements = items_of(cast(Attribute, attribute))
    if elements and isinstance(type_, LLVMStructType | LLVMArrayType):
        inner = (
            type_.types.data
            if isinstance(type_, LLVMStructType)
            else [type_.type] * type_.size.data
        )
        return tuple(
            leaf for e, t in zip(elements, inner) for leaf in constant_leaves(e, t, layout)
        )
    raise UnsupportedError("constant of this form")
