"""Values that rows find by more than a look at the operands: functions of the op."""

from __future__ import annotations

from typing import Any, Protocol, cast

from xdsl.dialects import llvm
from xdsl.dialects.builtin import DenseArrayBase, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.utils.constants import constant_attribute, integer_value


class _Constants(Protocol):
    def integer(self, number: int, type_: Attribute) -> SSAValue: ...
    def zero(self, type_: Attribute) -> SSAValue: ...
    def undef(self, type_: Attribute) -> SSAValue: ...


_DYNAMIC = -(2**31)
"""What stands in `rawConstantIndices` for an index that is an operand."""


def base_of_zero_offset(op: Operation, cx: _Constants) -> SSAValue | None:
    """The base of a getelementptr all of whose indices are zero."""
    base, *dynamic = fast.operands_of(op)
    if op.results[0].type != base.type:
        return None
    if any(integer_value(v) != 0 for v in dynamic):
        return None
    raw = cast("DenseArrayBase[Any]", op.properties["rawConstantIndices"]).get_values()
    if any(index not in (0, _DYNAMIC) for index in raw):
        return None
    return base if sum(index == _DYNAMIC for index in raw) == len(dynamic) else None


def _position(op: Operation) -> tuple[int, ...]:
    return tuple(cast("DenseArrayBase[Any]", op.properties["position"]).get_values())


def inserted_field(op: Operation, cx: _Constants) -> SSAValue | None:
    """The field that an extractvalue takes out of what insertvalues put together."""
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
        return cx.zero(target)
    if owner.__class__ is llvm.UndefOp:
        return cx.undef(target)
    return None


def aggregate_put_back(op: Operation, cx: _Constants) -> SSAValue | None:
    """The aggregate that an insertvalue puts a field of into the place that it is from."""
    container, inserted = fast.operands_of(op)
    source = cast(Operation, inserted.owner)
    if fast.operands_of(source)[0] is container and _position(source) == _position(op):
        return container
    return None


def inserted_element(op: Operation, cx: _Constants) -> SSAValue | None:
    """The element that an extractelement takes out of insertelements or a constant vector."""
    vector, index = fast.operands_of(op)
    wanted = integer_value(index)
    while vector.owner.__class__ is llvm.InsertElementOp:
        container, inserted, place = fast.operands_of(cast(Operation, vector.owner))
        number = integer_value(place)
        if number is None:
            return None
        if number == wanted:
            return inserted
        vector = container
    get_values = getattr(constant_attribute(vector), "get_values", None)
    type_ = op.results[0].type
    if get_values is None or wanted is None or type_.__class__ is not IntegerType:
        return None
    values = get_values()
    return cx.integer(int(values[wanted]), type_) if wanted < len(values) else None
