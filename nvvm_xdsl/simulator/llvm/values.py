"""Selects, constants, addresses of symbols and aggregates in the llvm dialect."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from xdsl.dialects.builtin import (
    ArrayAttr,
    BytesAttr,
    DenseIntOrFPElementsAttr,
    FloatAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
)
from xdsl.ir import Attribute, Operation

from nvvm_xdsl.dialects.llvm import float_bits
from nvvm_xdsl.dialects.llvm.accessors import (
    constant_value_of,
    global_name,
    position_of,
    shuffle_mask_of,
)
from nvvm_xdsl.dialects.llvm.constants import string_bytes
from nvvm_xdsl.dialects.llvm.integers import constant_unsigned
from nvvm_xdsl.dialects.llvm.types import pointer_space
from nvvm_xdsl.ir import fast
from nvvm_xdsl.ir.arrays import items_of
from nvvm_xdsl.simulator.compiler import FunctionCompiler, Leaf
from nvvm_xdsl.simulator.execution.memory import CODE, GLOBAL, SHARED, WINDOW_SHIFT
from nvvm_xdsl.simulator.llvm.arithmetic import union
from nvvm_xdsl.simulator.llvm.semantics import Emit, LLVMSemantics
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType, TypeMap


def _select(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    condition, a, b = fast.operands_of(op)
    kinds = semantics.kinds(op.results[0])
    choices = to.leaves(condition)
    if len(choices) == 1:
        choices = choices * len(kinds)
    out: list[Leaf | str] = []
    for kind, c, x, y in zip(kinds, choices, to.leaves(a), to.leaves(b)):
        undefined = None
        if semantics.tracking:
            parts: list[str | None] = []
            if x.undefined or y.undefined:
                parts.append(
                    f"L.choose_undefined({c.name}, {x.undefined or 0}, {y.undefined or 0})"
                )
            if c.undefined:
                parts.append(f"L.spread({kind.bits}, {c.undefined})")
            undefined = union(parts)
        out.append(Leaf(f"L.choose({c.name}, {x.name}, {y.name})", undefined))
    to.define(op.results[0], out)


def scalars_of(attribute: Attribute, type_: Attribute, types: TypeMap) -> list[int | None]:
    """The bits of the scalars of a constant; None for an undefined one.

    Raises ValueError for attributes that are not constants.
    """
    count = len(types.placed(type_))
    name = attribute.name
    if name == "llvm.zero":
        return [0] * count
    if name in ("llvm.undef", "llvm.poison"):
        return [None] * count
    if isinstance(attribute, IntegerAttr):
        return [attribute.value.data & ((1 << types.kinds(type_)[0].bits) - 1)]
    if isinstance(attribute, StringAttr | BytesAttr):
        raw = string_bytes(attribute)[:count]
        return [*raw, *[0] * (count - len(raw))]
    if type(attribute) is ArrayAttr:
        out: list[int | None] = []
        for i, element in enumerate(items_of(attribute)):
            out += scalars_of(element, types.part(type_, i)[1], types)
        return out
    if isinstance(attribute, DenseIntOrFPElementsAttr):
        kind = types.kinds(type_)[0]
        data = np.frombuffer(attribute.data.data, np.uint8)
        if kind.is_bool:
            values = [int(v) & 1 for v in attribute.get_values()]
        elif kind.bits in (8, 16, 32, 64):
            values = [int(v) for v in data.view(f"u{kind.size}")]
        else:
            mask = (1 << kind.bits) - 1
            values = [int(cast(Any, v)) & mask for v in attribute.get_values()]
        return cast(
            "list[int | None]", values * count if len(values) == 1 and count > 1 else values
        )
    if type(attribute) is not FloatAttr:
        raise ValueError(f"{attribute} is not a constant")
    return [float_bits(attribute)]


def constant_leaf(to: FunctionCompiler, bits: int, kind: ScalarType) -> str:
    """The name of the constant that has these bits."""
    if kind.bits > 64:
        return to.constant(np.array([bits], object))
    raw = np.array([bits], np.uint8 if kind.is_bool else f"u{np.dtype(kind.dtype).itemsize}")
    return to.constant(raw != 0 if kind.is_bool else raw.view(kind.dtype))


def undefined_leaf(to: FunctionCompiler, kind: ScalarType) -> Leaf:
    """An undefined scalar."""
    shadow = object if kind.bits > 64 else f"u{np.dtype(kind.dtype).itemsize}"
    ones = np.array([(1 << kind.bits) - 1], shadow)
    return Leaf(constant_leaf(to, 0, kind), to.constant(ones) if to.tracking else None)


def _constant(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    value = constant_value_of(op)
    type_ = op.results[0].type
    if isinstance(value, SymbolRefAttr):
        to.define(
            op.results[0],
            [to.array(semantics.program.function_address(value.root_reference.data), np.uint64)],
        )
        return
    kinds = semantics.kinds(op.results[0])
    try:
        scalars = scalars_of(value, type_, semantics.types)
    except (ValueError, TypeError) as error:
        raise to.unsupported(op, str(error)) from error
    to.define(
        op.results[0],
        [
            undefined_leaf(to, k) if s is None else constant_leaf(to, s, k)
            for s, k in zip(scalars, kinds)
        ],
    )


def _zero(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], [constant_leaf(to, 0, k) for k in semantics.kinds(op.results[0])])


def _undefined(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], [undefined_leaf(to, k) for k in semantics.kinds(op.results[0])])


def _freeze(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    to.define(op.results[0], [Leaf(leaf.name) for leaf in to.leaves(fast.operands_of(op)[0])])


def _address_of(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    name = global_name(op)
    window, address = semantics.program.symbol(name, op)
    if window == CODE:
        address |= CODE << WINDOW_SHIFT
    if window == SHARED:
        value = f"blk.shared_address({address})"
        variable = to.temporary()
        to.prologue.append(f"{variable} = {value}")
        to.define(op.results[0], [variable])
        return
    if window not in (GLOBAL, CODE) and pointer_space(op.results[0].type) == 0:
        address |= window << WINDOW_SHIFT
    to.define(op.results[0], [to.array(address, np.uint64)])


def _position(op: Operation) -> list[int]:
    return [int(i) for i in position_of(op)]


def _extract_value(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    (container,) = fast.operands_of(op)
    start, type_ = 0, container.type
    for index in _position(op):
        offset, type_ = semantics.types.part(type_, index)
        start += offset
    to.define(op.results[0], to.leaves(container)[start : start + semantics.leaf_count(type_)])


def _insert_value(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    a, b = fast.operands_of(op)
    # MLIR has the container as first operand, LLVM as last; the result type identifies it.
    container, value = (a, b) if a.type == op.results[0].type else (b, a)
    start, type_ = 0, container.type
    for index in _position(op):
        offset, type_ = semantics.types.part(type_, index)
        start += offset
    leaves = list(to.leaves(container))
    leaves[start : start + semantics.leaf_count(type_)] = to.leaves(value)
    to.define(op.results[0], leaves)


def _extract_element(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    vector, position = fast.operands_of(op)
    leaves = to.leaves(vector)
    at = to.leaf(position)
    index = constant_unsigned(position)
    kind = semantics.kind(op.results[0])
    if index is not None:
        to.define(
            op.results[0], [leaves[index] if index < len(leaves) else undefined_leaf(to, kind)]
        )
        return
    names = ", ".join(leaf.name for leaf in leaves)
    undefined = None
    if semantics.tracking:
        shadows = ", ".join(leaf.undefined or "0" for leaf in leaves)
        undefined = f"L.pick_undefined({at.name}, {kind.bits}, {shadows})"
        if at.undefined:
            undefined = f"L.either({undefined}, L.spread({kind.bits}, {at.undefined}))"
    to.define(op.results[0], [Leaf(f"L.pick({at.name}, {names})", undefined)])


def _insert_element(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    operands = fast.operands_of(op)
    vector = next(o for o in operands if o.type == op.results[0].type)
    position = operands[-1]
    value = (
        next(o for o in operands if o is not vector and o is not position)
        if len(set(operands)) > 2
        else operands[0 if vector is operands[1] else 1]
    )
    leaves = list(to.leaves(vector))
    new = to.leaf(value)
    index = constant_unsigned(position)
    if index is not None:
        if index < len(leaves):
            leaves[index] = new
        to.define(op.results[0], leaves)
        return
    at = to.leaf(position)
    out: list[Leaf | str] = []
    for i, old in enumerate(leaves):
        undefined = None
        if semantics.tracking and (old.undefined or new.undefined):
            undefined = (
                f"L.choose_undefined({at.name} == {i}, {new.undefined or 0}, {old.undefined or 0})"
            )
        out.append(Leaf(f"L.choose({at.name} == {i}, {new.name}, {old.name})", undefined))
    to.define(op.results[0], out)


def _shuffle_vector(semantics: LLVMSemantics, op: Operation, to: FunctionCompiler) -> None:
    a, b = fast.operands_of(op)
    both = [*to.leaves(a), *to.leaves(b)]
    kind = semantics.kind(op.results[0])
    mask = shuffle_mask_of(op)
    to.define(
        op.results[0], [undefined_leaf(to, kind) if int(i) < 0 else both[int(i)] for i in mask]
    )


VALUES: dict[str, Emit] = {
    "llvm.select": _select,
    "llvm.freeze": _freeze,
    "llvm.mlir.constant": _constant,
    "llvm.mlir.zero": _zero,
    "llvm.mlir.undef": _undefined,
    "llvm.mlir.poison": _undefined,
    "llvm.mlir.addressof": _address_of,
    "llvm.extractvalue": _extract_value,
    "llvm.insertvalue": _insert_value,
    "llvm.extractelement": _extract_element,
    "llvm.insertelement": _insert_element,
    "llvm.shufflevector": _shuffle_vector,
}
