"""Ops that yield one of their operands or a constant: the rules behind `instsimplify`.

Each rule takes an op and yields the value that stands for its result, or None. No rule makes
an op other than a constant, so other passes may ask freely.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, FloatAttr, IntegerAttr, IntegerType
from xdsl.dialects.llvm import ConstantOp, LLVMPointerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import op_class
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.types import I1, address_space_of
from nvvm_xdsl.passes.utils.constants import (
    CONSTANT_CLASSES,
    UNDEFINED_CLASSES,
    Constants,
    constant_attribute,
    integer_value,
)
from nvvm_xdsl.passes.utils.flags import has_fast_math
from nvvm_xdsl.passes.utils.fold import FOLDABLE, fold, unsigned

Rule: TypeAlias = Callable[[Operation, Constants], "SSAValue | None"]

FreezeOp = op_class("llvm.freeze")
AddrSpaceCastOp = op_class("llvm.addrspacecast")
ExtractElementOp = op_class("llvm.extractelement")


def _width(value: SSAValue) -> int | None:
    type_ = value.type
    return cast(IntegerType, type_).width.data if isinstance(type_, IntegerType) else None


def _is_ones(value: SSAValue) -> bool:
    number = integer_value(value)
    width = _width(value)
    return number is not None and width is not None and unsigned(number + 1, width) == 0


def _integer(constants: Constants, number: int, like: SSAValue) -> SSAValue | None:
    type_ = like.type
    return constants.integer(number, type_) if type_.__class__ is IntegerType else None


def _add(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if integer_value(b) == 0:
        return a
    if integer_value(a) == 0:
        return b
    # (x - y) + y
    for x, y in ((a, b), (b, a)):
        if x.owner.__class__ is llvm.SubOp:
            left, right = fast.operands_of(cast(Operation, x.owner))
            if right is y:
                return left
    return None


def _sub(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if integer_value(b) == 0:
        return a
    if a is b:
        return _integer(constants, 0, a)
    if a.owner.__class__ is llvm.AddOp:
        left, right = fast.operands_of(cast(Operation, a.owner))
        if right is b:
            return left
        if left is b:
            return right
    return None


def _mul(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    for x, y in ((a, b), (b, a)):
        number = integer_value(y)
        if number == 0:
            return y
        if number == 1:
            return x
    return None


def _divide(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if integer_value(b) == 1 and a.type is not I1 and _width(a) != 1:
        return a
    return None


def _remainder(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if integer_value(b) == 1 and _width(a) != 1:
        return _integer(constants, 0, a)
    return None


def _and(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if a is b:
        return a
    for x, y in ((a, b), (b, a)):
        if integer_value(y) == 0:
            return y
        if _is_ones(y):
            return x
    return None


def _or(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if a is b:
        return a
    for x, y in ((a, b), (b, a)):
        if integer_value(y) == 0:
            return x
        if _is_ones(y):
            return y
    return None


def _xor(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if a is b:
        return _integer(constants, 0, a)
    for x, y in ((a, b), (b, a)):
        if integer_value(y) == 0:
            return x
        # (x ^ y) ^ y
        if x.owner.__class__ is llvm.XOrOp:
            left, right = fast.operands_of(cast(Operation, x.owner))
            if right is y:
                return left
            if left is y:
                return right
    return None


def _shift(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    if integer_value(b) == 0 or integer_value(a) == 0:
        return a
    return None


_SELF_COMPARE = (True, False, False, True, False, True, False, True, False, True)
"""What `icmp` of a value with itself yields, by predicate."""


def _icmp(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    predicate = cast("IntegerAttr[Any]", op.properties["predicate"]).value.data
    if op.results[0].type != I1:
        return None
    if a is b:
        return constants.boolean(_SELF_COMPARE[predicate])
    if integer_value(b) == 0:
        if predicate == 6:  # nothing is unsigned less than 0
            return constants.boolean(False)
        if predicate == 9:
            return constants.boolean(True)
    if _width(a) == 1:
        # A truth value compared with a known one.
        number = integer_value(b)
        if number is not None and (predicate, bool(number)) in ((0, True), (1, False)):
            return a
    if a.owner.__class__ in _DISTINCT_OBJECTS and b.owner.__class__ is llvm.ZeroOp:
        if predicate in (0, 1) and isinstance(a.type, LLVMPointerType):
            return constants.boolean(predicate == 1) if _is_generic(a) else None
    return None


_DISTINCT_OBJECTS = frozenset({llvm.AllocaOp})


def _is_generic(value: SSAValue) -> bool:
    """Whether null is no address of an object: true of the generic address space only."""
    return address_space_of(cast(LLVMPointerType, value.type)) == 0


def _select(op: Operation, constants: Constants) -> SSAValue | None:
    condition, a, b = fast.operands_of(op)
    if a is b:
        return a
    known = integer_value(condition)
    if known is not None:
        return a if known else b
    if condition.owner.__class__ in UNDEFINED_CLASSES:
        return b if b.owner.__class__ in CONSTANT_CLASSES else a
    if b.owner.__class__ in UNDEFINED_CLASSES and is_not_poison(a, b):
        return a
    if a.owner.__class__ in UNDEFINED_CLASSES and is_not_poison(b, a):
        return b
    if a.type == I1 and condition.type == I1:
        if integer_value(a) and integer_value(b) == 0:
            return condition
        # A logical and, or, of a value with itself.
        if (integer_value(b) == 0 and a is condition) or (integer_value(a) and b is condition):
            return condition
    return None


def is_not_poison(value: SSAValue, undefined: SSAValue) -> bool:
    """Whether `value` may stand for an undefined one: always for poison, else if not poison itself."""
    if undefined.owner.__class__ is not llvm.UndefOp:
        return True
    owner = value.owner
    return owner.__class__ in (ConstantOp, llvm.ZeroOp, llvm.AddressOfOp, FreezeOp)


def _freeze(op: Operation, constants: Constants) -> SSAValue | None:
    (value,) = fast.operands_of(op)
    if value.owner.__class__ in (ConstantOp, llvm.ZeroOp, llvm.AddressOfOp, FreezeOp):
        return value
    return None


def _cast_chain(op: Operation, constants: Constants) -> SSAValue | None:
    """A cast back to the type that another cast came from, when nothing got lost on the way."""
    (value,) = fast.operands_of(op)
    target = op.results[0].type
    if op.__class__ in (llvm.BitcastOp, AddrSpaceCastOp) and value.type == target:
        return value
    inner = value.owner
    if inner.__class__ is op.__class__ and op.__class__ in (llvm.BitcastOp, AddrSpaceCastOp):
        (source,) = fast.operands_of(cast(Operation, inner))
        if source.type == target:
            return source
    if op.__class__ is llvm.TruncOp and inner.__class__ in (llvm.ZExtOp, llvm.SExtOp):
        (source,) = fast.operands_of(cast(Operation, inner))
        if source.type == target:
            return source
    return None


def _gep(op: Operation, constants: Constants) -> SSAValue | None:
    if op.results[0].type != fast.operands_of(op)[0].type:
        return None
    raw = cast("DenseArrayBase[Any]", op.properties["rawConstantIndices"]).get_values()
    dynamic = fast.operands_of(op)[1:]
    if any(integer_value(v) != 0 for v in dynamic):
        return None
    places = sum(1 for index in raw if index == -(2**31))
    if places != len(dynamic) or any(index not in (0, -(2**31)) for index in raw):
        return None
    return fast.operands_of(op)[0]


def _position(op: Operation) -> tuple[int, ...]:
    return tuple(cast("DenseArrayBase[Any]", op.properties["position"]).get_values())


def _extract_value(op: Operation, constants: Constants) -> SSAValue | None:
    (value,) = fast.operands_of(op)
    wanted = _position(op)
    while value.owner.__class__ is llvm.InsertValueOp:
        container, inserted = fast.operands_of(cast(Operation, value.owner))
        place = _position(cast(Operation, value.owner))
        depth = len(place)
        if wanted[:depth] == place:
            wanted = wanted[depth:]
            value = inserted
            if not wanted:
                return value
        elif place[: len(wanted)] == wanted:
            return None
        else:
            value = container
    owner = value.owner
    target = op.results[0].type
    if owner.__class__ is llvm.ZeroOp:
        return constants.zero(target)
    if owner.__class__ is llvm.UndefOp:
        return constants.undef(target)
    return None


def _insert_value(op: Operation, constants: Constants) -> SSAValue | None:
    container, inserted = fast.operands_of(op)
    # What was taken out is put back where it was.
    if inserted.owner.__class__ is llvm.ExtractValueOp:
        source = cast(Operation, inserted.owner)
        if fast.operands_of(source)[0] is container and _position(source) == _position(op):
            return container
    return None


def _extract_element(op: Operation, constants: Constants) -> SSAValue | None:
    vector, index = fast.operands_of(op)
    wanted = integer_value(index)
    if wanted is None:
        return None
    while vector.owner.__class__ is llvm.InsertElementOp:
        container, inserted, place = fast.operands_of(cast(Operation, vector.owner))
        number = integer_value(place)
        if number is None:
            return None
        if number == wanted:
            return inserted
        vector = container
    attribute = constant_attribute(vector)
    if attribute is None:
        return None
    return _dense_element(attribute, wanted, op.results[0].type, constants)


def _dense_element(
    attribute: Attribute, index: int, type_: Attribute, constants: Constants
) -> SSAValue | None:
    get_values = getattr(attribute, "get_values", None)
    if get_values is None or type_.__class__ is not IntegerType:
        return None
    values = get_values()
    if index >= len(values):
        return None
    return constants.integer(int(values[index]), type_)


def _float_value(value: SSAValue) -> float | None:
    attribute = constant_attribute(value)
    if attribute.__class__ is FloatAttr:
        return cast("FloatAttr[Any]", attribute).value.data
    return None


def _is_negative_zero(number: float | None) -> bool:
    return number == 0.0 and str(number) == "-0.0"


def _is_positive_zero(number: float | None) -> bool:
    return number == 0.0 and str(number) == "0.0"


def _fadd(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    for x, y in ((a, b), (b, a)):
        number = _float_value(y)
        if _is_negative_zero(number) or (number == 0.0 and has_fast_math(op, "nsz")):
            return x
    return None


def _fsub(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    number = _float_value(b)
    if _is_positive_zero(number) or (number == 0.0 and has_fast_math(op, "nsz")):
        return a
    return None


def _fmul(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    for x, y in ((a, b), (b, a)):
        number = _float_value(y)
        if number == 1.0:
            return x
        if number == 0.0 and has_fast_math(op, "nnan") and has_fast_math(op, "nsz"):
            return y
    return None


def _fdiv(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    return a if _float_value(b) == 1.0 else None


def _fneg(op: Operation, constants: Constants) -> SSAValue | None:
    (value,) = fast.operands_of(op)
    if value.owner.__class__ is llvm.FNegOp:
        return fast.operands_of(cast(Operation, value.owner))[0]
    return None


def _expect(op: Operation, constants: Constants) -> SSAValue | None:
    return fast.operands_of(op)[0] if integer_value(fast.operands_of(op)[0]) is not None else None


def _idempotent(op: Operation, constants: Constants) -> SSAValue | None:
    a, b = fast.operands_of(op)
    return a if a is b else None


RULES: dict[type[Operation], Rule] = {
    llvm.AddOp: _add,
    llvm.SubOp: _sub,
    llvm.MulOp: _mul,
    llvm.UDivOp: _divide,
    llvm.SDivOp: _divide,
    llvm.URemOp: _remainder,
    llvm.SRemOp: _remainder,
    llvm.AndOp: _and,
    llvm.OrOp: _or,
    llvm.XOrOp: _xor,
    llvm.ShlOp: _shift,
    llvm.LShrOp: _shift,
    llvm.AShrOp: _shift,
    llvm.ICmpOp: _icmp,
    llvm.SelectOp: _select,
    FreezeOp: _freeze,
    llvm.BitcastOp: _cast_chain,
    AddrSpaceCastOp: _cast_chain,
    llvm.TruncOp: _cast_chain,
    llvm.GEPOp: _gep,
    llvm.ExtractValueOp: _extract_value,
    llvm.InsertValueOp: _insert_value,
    ExtractElementOp: _extract_element,
    llvm.FAddOp: _fadd,
    llvm.FSubOp: _fsub,
    llvm.FMulOp: _fmul,
    llvm.FDivOp: _fdiv,
    llvm.FNegOp: _fneg,
    op_class("llvm.intr.expect"): _expect,
    op_class("llvm.intr.smax"): _idempotent,
    op_class("llvm.intr.smin"): _idempotent,
    op_class("llvm.intr.umax"): _idempotent,
    op_class("llvm.intr.umin"): _idempotent,
}


def simplify(op: Operation, constants: Constants) -> SSAValue | None:
    """A value that was there before, or a constant, that stands for the op's only result.

    Ops whose classes are neither in `RULES` nor in `FOLDABLE` are never simplified.
    """
    cls = op.__class__
    if cls in FOLDABLE:
        values: list[Attribute] = []
        for operand in fast.operands_of(op):
            owner = operand.owner
            if owner.__class__ is not ConstantOp:
                break
            values.append(cast(Operation, owner).properties["value"])
        else:
            folded = fold(op, values)
            if folded is not None:
                return constants.attribute(folded, op.results[0].type)
    rule = RULES.get(cls)
    return None if rule is None else rule(op, constants)


SIMPLIFIABLE: frozenset[type[Operation]] = frozenset(RULES) | FOLDABLE
"""The classes that `simplify` may do something about."""
