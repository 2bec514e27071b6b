"""Right sides of rows that a function of the matched op finds."""

from __future__ import annotations

from typing import Protocol

from xdsl.dialects import llvm
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.attributes import position_of
from nvvm_xdsl.ir.gep import is_start
from nvvm_xdsl.ir.integers import constant_integer
from nvvm_xdsl.passes.utils.constants import constant_attribute


class _Constants(Protocol):
    def integer(self, number: int, type_: Attribute) -> SSAValue: ...
    def zero(self, type_: Attribute) -> SSAValue: ...
    def undef(self, type_: Attribute) -> SSAValue: ...


def base_of_zero_offset(op: Operation, cx: _Constants) -> SSAValue | None:
    """The base of a getelementptr all of whose indices are zero."""
    base = fast.operands_of(op)[0]
    same = op.results[0].type == base.type
    return base if same and is_start(op) else None


def inserted_field(op: Operation, cx: _Constants) -> SSAValue | None:
    """The field that an extractvalue takes out of what insertvalues put together."""
    (value,) = fast.operands_of(op)
    wanted = position_of(op)
    while value.owner.__class__ is llvm.InsertValueOp:
        container, inserted = fast.operands_of(fast.producer_of(value))
        place = position_of(fast.producer_of(value))
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
    source = fast.producer_of(inserted)
    if fast.operands_of(source)[0] is container and position_of(source) == position_of(op):
        return container
    return None


def inserted_element(op: Operation, cx: _Constants) -> SSAValue | None:
    """The element that an extractelement takes out of insertelements or a constant vector."""
    vector, index = fast.operands_of(op)
    wanted = constant_integer(index)
    while vector.owner.__class__ is llvm.InsertElementOp:
        container, inserted, place = fast.operands_of(fast.producer_of(vector))
        number = constant_integer(place)
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
