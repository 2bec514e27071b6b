"""Addresses as polynomials: a pointer, products of values times constants, and a constant.

    %r = llvm.add %i, %c1 overflow<nsw> : i32
    %m = llvm.mul %r, %w overflow<nsw> : i32
    %k = llvm.add %m, %j overflow<nsw> : i32               // &a[(i + 1) * w + j]
    %e = llvm.sext %k : i32 to i64
    %p = llvm.getelementptr %a[%e] : ... f32   // a + 4 sext(i) sext(w) + 4 sext(w) + 4 sext(j)

The coefficients and the leaves are numbers modulo 2^64, a commutative ring, so that the sums and
products may be expanded. An op below an extension is expanded if the extension distributes over it
(`analysis/values/linear_expressions.py`), and a product of variables if it does not wrap: the
extension of the product is the product of the extensions. The polynomial equals the address unless
the address is poison.
"""

from __future__ import annotations

import math
from collections.abc import Container, Hashable
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple, TypeAlias

from xdsl.dialects.llvm import LLVMPointerType, MulOp
from xdsl.ir import Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.values.linear_address import DEEPEST, root_key
from nvvm_xdsl.analysis.values.linear_expressions import (
    Extension,
    Leaf,
    constant_of,
    extended_parts,
    extension_of,
)
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.gep import gep_offset
from nvvm_xdsl.dialects.llvm.integers import signed
from nvvm_xdsl.ir import fast

MOST_TERMS: Final = 8
"""Maximum number of products of a polynomial. A sum or product with more is a leaf."""

MOST_PARTS: Final = 64
"""The number of operands of an address above which those of its base are omitted."""

Monomial: TypeAlias = tuple[Leaf, ...]
"""A product of leaves in the order of their first occurrence; the empty product is 1."""

Polynomial: TypeAlias = dict[Monomial, int]
"""The coefficient of each product, none of them 0."""

_Direction: TypeAlias = frozenset[tuple[Monomial, int]]
"""A polynomial whose coefficients have no common divisor."""

_ONE: Final[Monomial] = ()


class PolynomialAddress(NamedTuple):
    """root + the sum of product times coefficient + constant, in bytes modulo 2^64."""

    root: SSAValue
    key: Hashable
    """A key that is equal for equal roots: symbols have an op for each use."""
    terms: frozenset[tuple[Monomial, int]]
    constant: int


class AddressPolynomials:
    """The polynomials of the addresses of a function. An address must be added after its base.

    Arguments:
        layout: of the module.
    """

    def __init__(self, layout: DataLayout) -> None:
        self._layout = layout
        self._sums: dict[SSAValue, tuple[SSAValue, Polynomial]] = {}
        """The root and the polynomial of each address."""
        self._variable: list[SSAValue] = []
        """The addresses with a variable index."""
        self._known: dict[Leaf, Polynomial] = {}
        self._operands: dict[SSAValue, tuple[SSAValue, list[Leaf]]] = {}
        """The base and the variable indices of each address."""
        self._inner: dict[Leaf, list[Leaf]] = {}
        """The parts of each extended sum or product."""
        self._parts: dict[SSAValue, AbstractSet[Leaf]] = {}
        """The results of `parts`. Most addresses of a chain have the same parts."""
        self._numbers: dict[SSAValue, int] = {}
        """Values of leaves in the order of their first occurrence."""
        self._signed: set[SSAValue] = set()
        """Leaves that are sign-extended in an address."""
        self._has_either = False
        """Whether a leaf has either extension."""
        self._by_direction: dict[_Direction, list[tuple[Leaf, int]]] | None = None

    def add(self, gep: Operation) -> None:
        """Expands an address, unless it is a vector or has an index of more than 64 bits."""
        pointer = fast.operands_of(gep)[0]
        if (
            not isinstance(gep.results[0].type, LLVMPointerType)
            or self._layout.bits(pointer.type) != 64
        ):
            return
        found = gep_offset(gep, self._layout)
        if found is None or any(not 0 < integer_width(v.type) <= 64 for v, _ in found.terms):
            return
        offset: Polynomial = {}
        _add(offset, {_ONE: 1}, found.constant)
        parts: list[Leaf] = []
        for value, scale in found.terms:
            part = Leaf(value, extension_of(value, 64))
            parts.append(part)
            _add(offset, self._expand(part, DEEPEST), scale)
        self._operands[gep.results[0]] = pointer, parts
        root, sum_ = self._sums.get(pointer, (pointer, {}))
        total = dict(sum_)
        _add(total, offset, 1)
        if len(total) > MOST_TERMS:
            root, total = pointer, offset
        self._sums[gep.results[0]] = root, total
        if found.terms:
            self._variable.append(gep.results[0])

    def addresses(self) -> dict[SSAValue, PolynomialAddress]:
        """The addresses with a variable index, in the order in which they were added.

        Non-negative leaves are sign-extended if other addresses have their sign extension.
        """
        found: dict[SSAValue, PolynomialAddress] = {}
        for pointer in self._variable:
            root, sum_ = self._sums[pointer]
            terms = self._resolved(sum_)
            constant = signed(terms.get(_ONE, 0), 64)
            listed = frozenset((m, signed(n, 64)) for m, n in terms.items() if m)
            if listed:
                found[pointer] = PolynomialAddress(root, root_key(root), listed, constant)
        return found

    def parts(self, pointer: SSAValue) -> AbstractSet[Leaf]:
        """The extended operands of an address, direct and indirect. Unless the address is poison,
        none is poison, and those with either extension are non-negative.

        If there are more than `MOST_PARTS`, those of addresses near the start of a chain are omitted.
        """
        chain: list[tuple[SSAValue, list[Leaf]]] = []
        while pointer not in self._parts and pointer in self._operands:
            base, indices = self._operands[pointer]
            chain.append((pointer, indices))
            pointer = base
        found: AbstractSet[Leaf] = self._parts.get(pointer, frozenset())
        for address, indices in reversed(chain):
            own = self._parts_of(indices)
            if not own <= found:
                found = found | own if len(found) <= MOST_PARTS else own
            self._parts[address] = found
        return found

    def _parts_of(self, indices: list[Leaf]) -> set[Leaf]:
        """The indices and their parts."""
        found: set[Leaf] = set()
        pending = list(indices)
        while pending:
            part = pending.pop()
            if part not in found:
                found.add(part)
                pending += self._inner.get(part, ())
        return found

    def multiple(self, sum_: Polynomial, parts: Container[Leaf]) -> tuple[Leaf, int] | None:
        """One of the parts of an address and the factor by which it is a polynomial, if there is
        one."""
        divisor, direction = _divided(sum_)
        opposite = frozenset((monomial, -number) for monomial, number in direction)
        for factor, key in ((divisor, direction), (-divisor, opposite)):
            for leaf, part in self._values().get(key, ()):
                if leaf in parts and factor % part == 0:
                    return self._resolved_leaf(leaf), factor // part
        return None

    def _values(self) -> dict[_Direction, list[tuple[Leaf, int]]]:
        """The values in addresses that are sums or products, each with its divisor."""
        if self._by_direction is None:
            self._by_direction = {}
            for value, sum_ in self._known.items():
                terms = self._resolved(sum_)
                if len(terms) > 1 or any(len(monomial) > 1 for monomial in terms):
                    divisor, direction = _divided(terms)
                    self._by_direction.setdefault(direction, []).append((value, divisor))
        return self._by_direction

    def _expand(self, leaf: Leaf, depth: int) -> Polynomial:
        known = self._known.get(leaf)
        if known is None:
            known = self._known[leaf] = self._expanded(leaf, depth)
        return known

    def _expanded(self, leaf: Leaf, depth: int) -> Polynomial:
        value, extension = leaf
        number = constant_of(value, extension)
        if number is not None:
            return {_ONE: number} if number else {}
        if depth and isinstance(value, OpResult):
            found: Polynomial | None = None
            inner: list[Leaf] = []
            parts = extended_parts(value.op, extension)
            if parts is not None:
                found = {}
                for operand, operand_extension, factor in parts:
                    part = Leaf(operand, operand_extension)
                    inner.append(part)
                    _add(found, self._expand(part, depth - 1), factor)
            elif type(value.op) is MulOp:
                factor_extension = _factor_extension(extension, overflow_flags(value.op))
                if factor_extension is not None:
                    factors = [Leaf(v, factor_extension) for v in fast.operands_of(value.op)]
                    inner += factors
                    found = self._product(factors, depth)
            if found is not None and len(found) <= MOST_TERMS:
                self._inner[leaf] = inner
                return found
        self._numbers.setdefault(value, len(self._numbers))
        if extension == "s":
            self._signed.add(value)
        elif extension == "n":
            self._has_either = True
        return {(leaf,): 1}

    def _product(self, factors: list[Leaf], depth: int) -> Polynomial:
        """The product of two extended values."""
        left, right = (self._expand(factor, depth - 1) for factor in factors)
        found: Polynomial = {}
        for a, x in left.items():
            for b, y in right.items():
                monomial = tuple(sorted((*a, *b), key=self._place))
                _add(found, {monomial: x}, y)
        return found

    def _resolved(self, terms: Polynomial) -> Polynomial:
        """A polynomial with zero or sign extensions in place of either."""
        if not self._has_either:
            return terms
        found: Polynomial = {}
        for monomial, number in terms.items():
            _add(found, {tuple(map(self._resolved_leaf, monomial)): number}, 1)
        return found

    def _resolved_leaf(self, leaf: Leaf) -> Leaf:
        if leaf.extension != "n":
            return leaf
        return Leaf(leaf.value, "s" if leaf.value in self._signed else "u")

    def _place(self, leaf: Leaf) -> int:
        return self._numbers[leaf.value]


def _factor_extension(extension: Extension, flags: int) -> Extension | None:
    """The extension of the factors whose product is the extended product; None if there is none.

    A factor of a non-negative product may be negative.
    """
    if not extension:
        return ""
    if extension in ("s", "n") and flags & NSW:
        return "s"
    return "u" if extension in ("u", "n") and flags & NUW else None


def _add(terms: Polynomial, other: Polynomial, factor: int) -> None:
    for monomial, number in other.items():
        total = (terms.get(monomial, 0) + number * factor) % 2**64
        if total:
            terms[monomial] = total
        else:
            terms.pop(monomial, None)


def _divided(terms: Polynomial) -> tuple[int, _Direction]:
    """The greatest common divisor of the coefficients, and the polynomial divided by it."""
    numbers = {monomial: signed(number, 64) for monomial, number in terms.items()}
    divisor = math.gcd(*numbers.values())
    return divisor, frozenset((monomial, n // divisor) for monomial, n in numbers.items())


__all__ = ["AddressPolynomials", "Monomial", "Polynomial", "PolynomialAddress"]
