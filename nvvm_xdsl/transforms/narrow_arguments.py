"""Block arguments that are extensions of narrower values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xdsl.dialects.builtin import FloatAttr, LocationAttr
from xdsl.dialects.llvm import FPExtOp, FPTruncOp, GEPOp, SExtOp, ZExtOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.constant_ops import Constants, constant_attribute
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.dialects.llvm.types import float_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.locations import merged_location
from nvvm_xdsl.rules.predicates import held_by

_EXTENSIONS: Final = (ZExtOp, SExtOp, FPExtOp)


def narrow_arguments(block: Block, constants: Constants) -> bool:
    """Narrows the arguments of a block that receive extensions to the narrower type; they are
    extended in the block. Returns whether anything changed.

    Each extension must have no other use than as an index of an address, whose multiplication
    extends it, and all must have the same type; constants that fit are truncated. One register less
    is copied on each edge, and a 64-bit address or loop counter becomes a 32-bit one. An extended
    float is narrowed if every use rounds it to the narrower type:

        %d = llvm.fpext %f : f32 to f64
        llvm.br ^join(%d : f64)                       llvm.br ^join(%f : f32)
      ^join(%x: f64):                           ->  ^join(%r: f32):
        %r = llvm.fptrunc %x : f64 to f32
    """
    arguments = block.args
    if not arguments or block.first_use is None:
        return False
    ends = [branches.terminator_of(b) for b in dict.fromkeys(fast.predecessors_of(block))]
    carried = [values for end in ends for values in branches.values_to(end, block)]
    if min(map(len, carried), default=0) < len(arguments):
        # The values of an indirect branch are not known.
        return False
    changed = False
    for argument in list(arguments):
        brought = [values[argument.index] for values in carried]
        cls, type_ = _common_extension(brought)
        if cls is None or type_ is None or (cls is FPExtOp and not _only_rounded(argument, type_)):
            continue
        narrow = fast.add_argument(block, type_)
        fast.set_name(narrow, argument.name_hint)
        location: LocationAttr | None = None
        for end in ends:
            new: list[branches.Edge] = []
            for target, values in branches.edges_of(end):
                if target is block:
                    value = values[argument.index]
                    number = _number(value)
                    if isinstance(number, int):
                        inner = constants.integer(number, type_)
                    elif number is not None:
                        inner = constants.floating(float_attr(number, type_))
                    else:
                        op = fast.producer_of(value)
                        inner = fast.operands_of(op)[0]
                        location = (
                            op.location
                            if location is None
                            else merged_location(location, op.location)
                        )
                    values = (*values, inner)
                new.append((target, values))
            branches.set_edges(end, new)
        start = block.first_op
        assert start is not None
        wide = fast.create(cls, (narrow,), (argument.type,), location=location)
        fast.insert_before(wide, start)
        fast.replace_all_uses(argument, wide.results[0])
        branches.erase_arguments(block, [argument.index])
        for value in dict.fromkeys(brought):
            if _number(value) is None and value.first_use is None:
                fast.erase(fast.producer_of(value))
        carried = [values for end in ends for values in branches.values_to(end, block)]
        changed = True
    return changed


def _only_rounded(value: SSAValue, type_: Attribute) -> bool:
    """Returns True if every use of a float rounds it to the type."""
    return all(
        type(user) is FPTruncOp and user.results[0].type == type_ for user in fast.users_of(value)
    )


def _number(value: SSAValue) -> int | float | None:
    """The number of an integer or float constant; None for other values."""
    number = constant_integer(value)
    if number is not None:
        return number
    attribute = constant_attribute(value)
    return attribute.value.data if type(attribute) is FloatAttr else None


def _common_extension(
    values: Sequence[SSAValue],
) -> tuple[type[Operation] | None, Attribute | None]:
    """The common class and operand type of several values that are extensions or constants that
    fit; None for other values."""
    cls: type[Operation] | None = None
    type_: Attribute | None = None
    numbers: list[int | float] = []
    for value in values:
        number = _number(value)
        if number is not None:
            numbers.append(number)
            continue
        if type(value.owner) not in _EXTENSIONS or not _is_passed_once(value):
            return None, None
        op = fast.producer_of(value)
        operand = fast.operands_of(op)[0]
        if cls not in (None, type(op)) or type_ not in (None, operand.type):
            return None, None
        cls, type_ = type(op), operand.type
    if cls is None or type_ is None:
        return None, None
    if cls is FPExtOp:
        return (cls, type_) if all(held_by(n, type_) for n in numbers) else (None, None)
    if integer_width(type_) < 16:
        # PTX has no 8-bit registers, and predicates are copied as integers.
        return None, None
    width = integer_width(type_)
    low, high = (0, 1 << width) if cls is ZExtOp else (-(1 << (width - 1)), 1 << (width - 1))
    return (cls, type_) if all(low <= n < high for n in numbers) else (None, None)


def _is_passed_once(value: SSAValue) -> bool:
    """Returns True if at most one use of a value is not an index of an address."""
    return sum(type(user) is not GEPOp for user in fast.users_of(value)) == 1


__all__ = ["narrow_arguments"]
