"""Addresses as sums: a pointer, values times constants, and a constant.

    %i1 = llvm.add %i, %c1 overflow<nsw> : i32
    %e = llvm.sext %i1 : i32 to i64
    %p = llvm.getelementptr %a[%e] : (!llvm.ptr, i64) -> !llvm.ptr, f32        // a + 4 sext(i) + 4

Indices are sums as in `nvvm_xdsl.analysis.values.linear_expressions`, in 64 bits.
"""

from __future__ import annotations

from collections.abc import Container, Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from xdsl.dialects.llvm import AddressOfOp, GEPOp, LLVMPointerType, SExtOp, ZExtOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.values.linear_expressions import (
    Extension,
    Leaf,
    Terms,
    add_product,
    extension_of,
)
from nvvm_xdsl.dialects.llvm.accessors import global_reference, integer_width
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.gep import DYNAMIC_INDEX, create_gep, gep_offset
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.dialects.llvm.ops import AddrSpaceCastOp
from nvvm_xdsl.dialects.llvm.types import I8, I64, array
from nvvm_xdsl.ir import fast

MOST_TERMS: Final = 6
"""Maximum number of terms of a sum."""

DEEPEST: Final = 8
"""Maximum number of ops from an index to a leaf."""


_EXTENSIONS: Final[tuple[tuple[Extension, ...], ...]] = (("u", "s"), ("",))
"""Extension of sums to 64 bits: of narrower ones, and of 64-bit ones."""


@dataclass(frozen=True)
class LinearAddress:
    """root + the sum of leaf times coefficient + constant, in bytes modulo 2^64.

    `hidden` is the part of the constant that is added to a variable index. `index` is the variable
    index with its scale, if there is exactly one.
    """

    root: SSAValue
    key: Hashable
    """A key that is equal for equal roots: symbols have an op for each use."""
    terms: tuple[tuple[Leaf, int], ...]
    constant: int
    hidden: int
    index: tuple[SSAValue, int] | None
    either: frozenset[SSAValue]
    """Values of zero-extended leaves whose sign extension is equal unless the address is poison."""

    def with_signed(self, values: Container[SSAValue]) -> LinearAddress:
        """The same sum with sign extensions of these values where they are equal."""
        return replace(self, terms=_sign_extended(self.terms, self.either, values))


class LinearIndex(NamedTuple):
    """A sum: leaves times factors plus a constant, modulo 2^64."""

    terms: tuple[tuple[Leaf, int], ...]
    constant: int


def linear_index(value: SSAValue, signed_leaves: Container[SSAValue] = ()) -> LinearIndex:
    """The sum that a 64-bit integer equals.

    Arguments:
        signed_leaves: values that are sign-extended if their zero extension is equal.
    """
    terms: Terms = {}
    either: set[SSAValue] = set()
    constant = add_product(terms, value, "", 1, most_ops=DEEPEST, either=either)
    return LinearIndex(_sign_extended(_listed(terms), either, signed_leaves), signed(constant, 64))


def _sign_extended(
    terms: tuple[tuple[Leaf, int], ...],
    either: Container[SSAValue],
    values: Container[SSAValue],
) -> tuple[tuple[Leaf, int], ...]:
    """Replaces zero extensions of values in both containers by sign extensions."""
    found: Terms = {}
    for (value, extension), number in terms:
        if extension == "u" and value in either and value in values:
            extension = "s"
        leaf = Leaf(value, extension)
        found[leaf] = found.get(leaf, 0) + number
    return _listed(found)


def linear_address(
    gep: Operation, layout: DataLayout, *, most_ops: int = DEEPEST
) -> LinearAddress | None:
    """The sum that a `getelementptr` computes; None for vectors and too long sums.

    Arguments:
        most_ops: maximum number of ops from an index to a leaf.
    """
    if not isinstance(gep.results[0].type, LLVMPointerType):
        return None
    constant = hidden = 0
    terms: Terms = {}
    root: SSAValue = gep.results[0]
    either: set[SSAValue] = set()
    indices: list[tuple[SSAValue, int]] = []
    while isinstance(root, OpResult) and type(root.op) is GEPOp:
        found = gep_offset(root.op, layout)
        if found is None or (found.terms and root.op is not gep):
            break
        if any(not 0 < integer_width(value.type) <= 64 for value, _ in found.terms):
            break
        constant += found.constant
        indices += found.terms
        for value, scale in found.terms:
            extension = extension_of(value, 64)
            hidden += add_product(terms, value, extension, scale, most_ops=most_ops, either=either)
        root = fast.operands_of(root.op)[0]
    if root is gep.results[0] or layout.bits(root.type) != 64:
        return None
    listed = _listed(terms)
    if len(listed) > MOST_TERMS:
        return None
    return LinearAddress(
        root,
        root_key(root),
        listed,
        signed(constant + hidden, 64),
        signed(hidden, 64),
        indices[0] if len(indices) == 1 else None,
        frozenset(either),
    )


def _listed(terms: Terms) -> tuple[tuple[Leaf, int], ...]:
    return tuple((leaf, signed(number, 64)) for leaf, number in terms.items() if signed(number, 64))


def grouped(
    terms: tuple[tuple[Leaf, int], ...], sums: Sequence[SSAValue]
) -> tuple[tuple[Leaf, int], ...]:
    """Terms with leaves replaced by their sums, as long as these are not poison."""
    left: dict[Leaf, int] = dict(terms)
    for value in sums:
        for extension in _EXTENSIONS[integer_width(value.type) == 64]:
            parts: Terms = {}
            constant = add_product(parts, value, extension, 1, most_ops=DEEPEST)
            if constant or any(number != 1 for number in parts.values()):
                continue
            factors = {left.get(leaf) for leaf in parts}
            factor = factors.pop() if len(factors) == 1 else None
            if factor is not None:
                for leaf in parts:
                    del left[leaf]
                left[Leaf(value, extension)] = factor
                break
    return tuple(left.items())


def root_key(root: SSAValue) -> Hashable:
    """A key that is equal for equal pointers: the same value, or the same symbol."""
    if isinstance(root, OpResult):
        if type(root.op) is AddressOfOp:
            return (global_reference(root.op), root.type)
        if type(root.op) is AddrSpaceCastOp:
            return (root_key(fast.operands_of(root.op)[0]), root.type)
    return root


def stepped(pointer: SSAValue, leaf: Leaf, factor: int, before: Operation) -> SSAValue:
    """The address at a positive factor below 2^31 times the leaf's value from a pointer."""
    index = leaf.value
    if leaf.extension:
        extension = SExtOp if leaf.extension == "s" else ZExtOp
        index = _put(fast.create(extension, (index,), (I64,)), before)
    return scaled(pointer, index, factor, before)


def scaled(pointer: SSAValue, index: SSAValue, scale: int, before: Operation) -> SSAValue:
    """The address at a positive scale below 2^31 times a 64-bit index from a pointer."""
    element = I8 if scale == 1 else array(scale, I8)
    return _put(create_gep((pointer, index), (DYNAMIC_INDEX,), element, pointer.type), before)


def _put(op: Operation, before: Operation) -> SSAValue:
    op.location = before.location
    fast.insert_before(op, before)
    return op.results[0]


__all__ = [
    "DEEPEST",
    "LinearAddress",
    "LinearIndex",
    "grouped",
    "linear_address",
    "linear_index",
    "root_key",
    "scaled",
    "stepped",
]
