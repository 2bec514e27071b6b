"""Operand, result and attribute constraints that MLIR's LLVM and NVVM dialects share.

Each constraint has the summary of MLIR's operation definitions, so that an error uses the wording
of the reference.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypeVar
from xdsl.dialects.builtin import (
    DenseArrayBase,
    DenseIntOrFPElementsAttr,
    Float64Type,
    FloatAttr,
    IntegerAttr,
    IntegerType,
    Signedness,
    VectorType,
    i1,
    i8,
    i16,
    i32,
    i64,
)
from xdsl.dialects.llvm import (
    LLVMArrayType,
    LLVMFunctionType,
    LLVMPointerType,
    LLVMStructType,
    LLVMVoidType,
    is_compatible_type,
)
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrConstraint,
    EqAttrConstraint,
    InferenceContext,
    IntConstraint,
    VarConstraint,
    VerificationContext,
    irdl_to_attr_constraint,
)
from xdsl.utils.exceptions import VerifyException

from nvvm_xdsl.dialects.llvm import types
from nvvm_xdsl.dialects.llvm.accessors import scalar_type

Predicate = Callable[[Attribute], bool]


@dataclass(frozen=True)
class TypePredicate(AttrConstraint[Attribute]):
    """Accepts the types for which `holds` is true; `summary` describes them."""

    summary: str
    holds: Predicate

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if not self.holds(attr):
            raise VerifyException(f"expected {self.summary}, got {attr}")

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> TypePredicate:
        return self


@dataclass(frozen=True)
class TokenConstraint(TypePredicate):
    """Only `!llvm.token`, whose class this module cannot import at its start."""

    def can_infer(self, var_constraint_names: AbstractSet[str]) -> bool:
        return True

    def infer(self, context: InferenceContext) -> Attribute:
        from nvvm_xdsl.dialects.llvm.attributes import TokenType

        return TokenType()


@dataclass(frozen=True)
class Derived(AttrConstraint[Attribute]):
    """The type that `derive` computes from the constraint variable `source`."""

    source: str
    derive: Callable[[Any], Attribute | None]
    summary: str

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        source = constraint_context.get_variable(self.source)
        if source is None:
            return
        expected = self.derive(source)
        if expected is not None and attr != expected:
            raise VerifyException(f"expected {self.summary}: {expected}, got {attr}")

    def can_infer(self, var_constraint_names: AbstractSet[str]) -> bool:
        return self.source in var_constraint_names

    def infer(self, context: InferenceContext) -> Attribute:
        source = context.get_variable(self.source)
        found = self.derive(source) if source is not None else None
        if found is None:
            raise VerifyException(f"cannot infer {self.summary} from {source}")
        return found

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> Derived:
        return self


def exactly(type_: Attribute) -> EqAttrConstraint[Attribute]:
    """Only this type; xDSL infers it if the assembly omits it."""
    return EqAttrConstraint(type_)


def variable(name: str, constraint: AttrConstraint) -> VarConstraint:
    """All uses of one variable name in an op must have one type."""
    return VarConstraint(name, constraint)


def _predicate_of(constraint: AttrConstraint) -> Predicate:
    if isinstance(constraint, TypePredicate):
        return constraint.holds
    if isinstance(constraint, EqAttrConstraint):
        wanted: Attribute = constraint.attr
        return lambda attr: attr == wanted
    raise TypeError(f"not a type constraint: {constraint}")


def _summary(constraint: AttrConstraint) -> str:
    if isinstance(constraint, TypePredicate):
        return constraint.summary
    if isinstance(constraint, EqAttrConstraint):
        return str(constraint.attr)
    raise TypeError(f"not a type constraint: {constraint}")


def any_of(*constraints: AttrConstraint) -> TypePredicate:
    """Any one of several types."""
    tests = tuple(_predicate_of(c) for c in constraints)
    return TypePredicate(
        " or ".join(_summary(c) for c in constraints),
        lambda attr: any(test(attr) for test in tests),
    )


def vector_of(element: AttrConstraint, lengths: Sequence[int] = ()) -> TypePredicate:
    """A vector of such elements; with `lengths`, only of one of these lengths."""
    test = _predicate_of(element)

    def holds(attr: Attribute) -> bool:
        if type(attr) is not VectorType:
            return False
        shape = attr.get_shape()
        if len(shape) != 1 or (lengths and shape[0] not in lengths):
            return False
        return test(attr.element_type)

    summary = f"vector of {_summary(element)}"
    if lengths:
        summary += f" of length {'/'.join(map(str, lengths))}"
    return TypePredicate(summary, holds)


def scalar_or_vector(element: AttrConstraint) -> TypePredicate:
    """Such a scalar or a vector of them."""
    return any_of(element, vector_of(element))


def pointer_in(*spaces: int) -> AttrConstraint:
    """A pointer into one of these address spaces."""
    if len(spaces) == 1:
        return exactly(types.pointer(spaces[0]))
    return TypePredicate(
        "LLVM pointer in address space " + " or ".join(map(str, spaces)),
        lambda attr: isinstance(attr, LLVMPointerType) and types.address_space_of(attr) in spaces,
    )


def _is_signless(attr: Attribute) -> bool:
    return type(attr) is IntegerType and attr.signedness.data == Signedness.SIGNLESS


def _is_primitive(attr: Attribute) -> bool:
    return is_compatible_type(attr) and not isinstance(attr, LLVMVoidType | LLVMFunctionType)


def _is_loadable(attr: Attribute) -> bool:
    return is_compatible_type(attr) and not isinstance(attr, LLVMFunctionType)


def _is_llvm_type(attr: Attribute) -> bool:
    return (
        isinstance(attr, LLVMVoidType) or is_compatible_type(attr) or attr.name in EXTRA_LLVM_TYPES
    )


EXTRA_LLVM_TYPES: frozenset[str] = frozenset(
    f"llvm.{name}" for name in ("token", "metadata", "label", "target", "x86_amx", "ppc_fp128")
)
"""Names of LLVM-compatible types that xDSL's llvm dialect lacks."""

I1 = exactly(i1)
I8 = exactly(i8)
I16 = exactly(i16)
I32 = exactly(i32)
I64 = exactly(i64)
I128 = exactly(types.I128)
F32 = exactly(types.F32)
F64 = exactly(types.F64)
F16 = exactly(types.F16)
BF16 = exactly(types.BF16)

FLOATS = types.FLOAT_TYPES | {types.F80, types.F128}

ANY_TYPE = TypePredicate("any type", lambda attr: True)
LLVM_TYPE = TypePredicate("LLVM dialect-compatible type", _is_llvm_type)
PRIMITIVE = TypePredicate("primitive LLVM type", _is_primitive)
LOADABLE = TypePredicate("LLVM type with size", _is_loadable)
AGGREGATE = TypePredicate(
    "LLVM aggregate type", lambda attr: isinstance(attr, LLVMStructType | LLVMArrayType)
)
NON_AGGREGATE = TypePredicate(
    "LLVM-compatible non-aggregate type",
    lambda attr: (
        is_compatible_type(attr)
        and not isinstance(attr, LLVMStructType | LLVMArrayType | LLVMFunctionType)
    ),
)
STRUCT = TypePredicate("LLVM structure type", lambda attr: isinstance(attr, LLVMStructType))
SIGNLESS_INT = TypePredicate("signless integer", _is_signless)
FLOAT = TypePredicate(
    "floating point LLVM type", lambda attr: attr in FLOATS or attr.name == "llvm.ppc_fp128"
)
POINTER = TypePredicate("LLVM pointer type", lambda attr: isinstance(attr, LLVMPointerType))
VECTOR = TypePredicate(
    "LLVM dialect-compatible vector type", lambda attr: isinstance(attr, VectorType)
)
TOKEN = TokenConstraint("LLVM token type", lambda attr: attr.name == "llvm.token")
INT_LIKE = scalar_or_vector(SIGNLESS_INT)
FLOAT_LIKE = scalar_or_vector(FLOAT)
POINTER_LIKE = scalar_or_vector(POINTER)
I1_LIKE = scalar_or_vector(I1)


def is_vector(attr: Attribute) -> bool:
    """Returns True if the type is a vector."""
    return isinstance(attr, VectorType)


def element_type(attr: Attribute) -> Attribute | None:
    """The element type of a vector."""
    return scalar_type(attr) if is_vector(attr) else None


def compare_result(attr: Attribute) -> Attribute:
    """The type of a comparison of two values of this type."""
    return VectorType(i1, attr.shape, attr.scalable_dims) if isinstance(attr, VectorType) else i1


def value_and_flag(attr: Attribute) -> Attribute:
    """`!llvm.struct<(T, i1)>`, the result of cmpxchg and the overflow intrinsics."""
    return types.struct((attr, compare_result(attr)))


def _int_attr(type_: IntegerType) -> AttrConstraint:
    return irdl_to_attr_constraint(IntegerAttr.constr(type=EqAttrConstraint(type_)))


BOOL_ATTR = _int_attr(i1)
I1_ATTR = BOOL_ATTR
I8_ATTR = _int_attr(i8)
I16_ATTR = _int_attr(i16)
I32_ATTR = _int_attr(i32)
I64_ATTR = _int_attr(i64)
INT_ATTR = irdl_to_attr_constraint(IntegerAttr)
F64_ATTR = irdl_to_attr_constraint(FloatAttr.constr(EqAttrConstraint(Float64Type())))
I32_ARRAY = DenseArrayBase.constr(i32)
I64_ARRAY = DenseArrayBase.constr(i64)
INT_ELEMENTS = irdl_to_attr_constraint(DenseIntOrFPElementsAttr)
