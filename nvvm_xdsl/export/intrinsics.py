"""Intrinsic calls for ops that represent intrinsics.

`frontend.intrinsics` has the table of target-independent intrinsics, `dialects.nvvm.op_rows` that
of NVPTX; both are read from the op to the name.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple, cast

from xdsl.ir import Attribute, Operation, SSAValue

from nvvm_xdsl.dialects.llvm.accessors import (
    argument_dictionaries,
    int_property,
    range_property,
    segment_sizes,
)
from nvvm_xdsl.dialects.llvm.attributes import ConstantRangeAttr
from nvvm_xdsl.dialects.llvm.types import I1, I32, int_attr, integer
from nvvm_xdsl.dialects.nvvm.intrinsics import Intrinsic, find_intrinsic
from nvvm_xdsl.dialects.nvvm.op_rows import PREFIX, immediate_of, intrinsic_of
from nvvm_xdsl.dialects.nvvm.signatures import result_types
from nvvm_xdsl.export.errors import write_error
from nvvm_xdsl.export.instruction_index import intrinsic_by_instruction
from nvvm_xdsl.export.spelling import mangled
from nvvm_xdsl.frontend.intrinsics import Row, intrinsic_ops
from nvvm_xdsl.ir import fast

Argument = SSAValue | tuple[Attribute, Attribute]
"""A value, or a constant as its type and attribute."""


class IntrinsicCall(NamedTuple):
    """A call of an intrinsic.

    Arguments:
        name: the full name.
        attributes: attributes of arguments, by index.
        range: the stated range of the result.
    """

    name: str
    arguments: Sequence[Argument]
    attributes: dict[int, Attribute]
    range: ConstantRangeAttr | None = None


@cache
def _rows() -> dict[str, tuple[str, Row]]:
    """The table by op."""
    return {row.cls.name: (name, row) for name, row in intrinsic_ops().items()}


@cache
def _lifetime(name: str) -> str:
    return name.replace(".intr.", ".")


def core_call(op: Operation) -> IntrinsicCall:
    """The call for an `llvm.intr` op. Raises WriteError."""
    name = op.name
    if name in ("llvm.intr.lifetime.start", "llvm.intr.lifetime.end"):
        operands = list(fast.operands_of(op))
        return IntrinsicCall(_overloaded(op, _lifetime(name), operands), operands, {})
    known = _rows().get(name)
    if known is None:
        raise write_error(op, "no LLVM intrinsic corresponds to it")
    base, row = known
    arguments, attributes = _arguments(op, row)
    return IntrinsicCall(_overloaded(op, base, arguments), arguments, attributes)


def _arguments(op: Operation, row: Row) -> tuple[list[Argument], dict[int, Attribute]]:
    operands = fast.operands_of(op)
    listed = argument_dictionaries(op)
    if row.arguments is None:
        return list(operands), dict(enumerate(listed))
    found: list[Argument] = []
    attributes: dict[int, Attribute] = {}
    position = 0
    for spec in row.arguments:
        if spec is None:
            if position < len(listed):
                attributes[len(found)] = listed[position]
            found.append(operands[position])
            position += 1
            continue
        name, type_ = spec
        if name == "alignment":
            # LLVM 22 has it as an attribute of the pointer.
            continue
        value = op.properties.get(name)
        if value is None:
            value = int_attr(0, type_ or I1)
        found.append((type_ or cast(Any, value).type, value))
    return found, attributes


_STORES = frozenset({"llvm.intr.masked.store", "llvm.intr.masked.scatter"})


def pointer_alignment(op: Operation) -> tuple[int, int]:
    """The operand number of a masked access's pointers, and their stated alignment; 0 for other ops."""
    alignment = int_property(op, "alignment") if op.name.startswith("llvm.intr.masked.") else 0
    return int(op.name in _STORES), alignment


def _type_of(argument: Argument) -> Attribute:
    return argument.type if isinstance(argument, SSAValue) else argument[0]


def _overloaded(op: Operation, base: str, arguments: Sequence[Argument]) -> str:
    """The name with the overloaded types of the call."""
    intrinsic = find_intrinsic(base)
    if intrinsic is None:
        raise write_error(op, f"LLVM has no intrinsic {base}")
    results = result_types(op.results[0].type, intrinsic) if op.results else ()
    words = [
        mangled(type_)
        for wanted, type_ in zip(
            (*intrinsic.results, *intrinsic.arguments), (*results, *map(_type_of, arguments))
        )
        if wanted.startswith("any")
    ]
    return ".".join([base, *words])


def nvvm_call(op: Operation) -> IntrinsicCall | None:
    """The call for an op of the nvvm dialect; None if it has no intrinsic."""
    if op.name == "nvvm.barrier0":
        # The short form of barrier 0 for all threads, which only the reader of this project
        # creates.
        zero = (I32, int_attr(0, I32))
        return IntrinsicCall(f"{PREFIX}barrier.cta.sync.aligned.all", [zero], {})
    if op.name == "nvvm.barrier":
        return _barrier(op)
    found = intrinsic_of(op)
    if found is None:
        same = intrinsic_by_instruction(op)
        operands = list(fast.operands_of(op))
        return same and IntrinsicCall(_name_of(op, same, operands), operands, {})
    intrinsic, row = found
    bounds = range_property(op)
    range_ = bounds if isinstance(bounds, ConstantRangeAttr) else None
    if row.immediate is None:
        operands = list(fast.operands_of(op))
        return IntrinsicCall(_name_of(op, intrinsic, operands), operands, {}, range_)
    type_ = integer(int(intrinsic.arguments[0][1:]))
    constant = (type_, int_attr(immediate_of(op, row), type_))
    return IntrinsicCall(intrinsic.name, [constant], {}, range_)


def _barrier(op: Operation) -> IntrinsicCall:
    """A barrier for all threads, for some threads, or with a reduction of a condition."""
    operands = list(fast.operands_of(op))
    has_id, has_count, has_value = segment_sizes(op)
    identifier: Argument = operands.pop(0) if has_id else (I32, int_attr(0, I32))
    if has_value:
        raise write_error(
            op,
            "barriers with a reduction are not supported, because LLVM's intrinsics take an i1 operand",
        )
    scope = "count" if has_count else "all"
    return IntrinsicCall(f"{PREFIX}barrier.cta.sync.aligned.{scope}", [identifier, *operands], {})


def _name_of(op: Operation, intrinsic: Intrinsic, operands: Sequence[SSAValue]) -> str:
    letters = (*intrinsic.results, *intrinsic.arguments)
    if not any(letter.startswith("any") for letter in letters):
        return intrinsic.name
    return _overloaded(op, intrinsic.name, operands)
