"""Algebraic rewriting of floating-point sums and products that `reassoc` allows.

`reassoc` has rewrite-based semantics (LLVM Language Reference, "Rewrite-based flags"): an expression
may be rewritten if all of its ops have the flag. Here an expression is an op of the original
function with its operands, as far as these are sums, products and quotients by a constant with
`reassoc` and `nsz`. Another expression is one of its allowed results in two cases:

- It adds and multiplies the same operands in another order.
- It is the same polynomial, and all ops of the original have `nnan` and `ninf`, so that operands are
  finite or the result is poison. A coefficient may be the original's rounded to nearest, which is
  the result of folding constants.

Its ops may only have rewrite-based flags that all ops of the original have. A NaN or infinite
intermediate result makes the result NaN or infinite. Therefore `nnan` of its ops follows from
`nnan` of the original's, and `ninf` from `nnan` and `ninf`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, permutations, product
from typing import Any, cast

from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Attribute

from nvvm_xdsl.analysis.float_rounding import MANTISSA_BITS, as_fraction, round_to
from nvvm_xdsl.dialects.llvm.constants import FORMATS, float_bits, float_from_bits
from nvvm_xdsl.lab.validation.scope import Scope
from nvvm_xdsl.lab.validation.smt import z3
from nvvm_xdsl.lab.validation.values import ALWAYS, NEVER, Leaf, Term, both, either

LOOSE_FLAGS = frozenset({"reassoc", "arcp", "contract", "afn"})
"""Flags with rewrite-based semantics."""

FAST_MATH = LOOSE_FLAGS | {"nnan", "ninf", "nsz"}
"""All fast-math flags."""

_NEEDED = frozenset({"reassoc", "nsz"})
_FINITE = frozenset({"nnan", "ninf"})

_OPS = frozenset({"llvm.fadd", "llvm.fsub", "llvm.fmul", "llvm.fdiv", "llvm.fneg"})

_MOST_USES = 24
_MOST_OPS = 40
_MOST_MONOMIALS = 100
_MOST_ASSIGNMENTS = 200

Monomial = tuple[int, ...]
"""The variables of a product, sorted."""

Polynomial = dict[Monomial, Fraction]
"""Coefficients, none of them 0, by monomial."""

Factor = Any
"""An operand's number, a constant as text, or a sum."""

Sum = tuple[tuple[int, tuple[Factor, ...]], ...]
"""Signs and factors of the products in a sum."""


class _TooLargeError(Exception):
    """The expression is too large."""


@dataclass(frozen=True)
class Node:
    """An encoded op that may be part of an expression.

    Arguments:
        name: the op's name.
        flags: its fast-math flags.
        type: its type.
        operands: its operands, before their use.
    """

    name: str
    flags: frozenset[str]
    type: Attribute
    operands: tuple[Leaf, ...]

    @property
    def is_arithmetic(self) -> bool:
        """Whether the op is a sum, a product or a quotient by a constant."""
        if self.name not in _OPS or self.type not in MANTISSA_BITS:
            return False
        return self.name != "llvm.fdiv" or bool(constant_of(self.operands[1], self.type))

    @property
    def is_negation(self) -> bool:
        """Whether the op is a negation without flags, which is exact."""
        return self.name == "llvm.fneg" and not self.flags


@dataclass
class Nodes:
    """The ops of a function that may be part of expressions, by their results.

    Arguments:
        is_target: whether this is the optimized function.
    """

    is_target: bool
    _found: dict[int, tuple[Node, Leaf]] = field(default_factory=dict[int, tuple[Node, Leaf]])

    def add(self, node: Node, result: Leaf) -> None:
        """Adds an op, unless its result is constant or that of an earlier op, which may be an
        operand."""
        if node.is_arithmetic and not z3.is_bv_value(result.bits):
            self._found.setdefault(result.bits.get_id(), (node, result))

    def defining(self, leaf: Leaf) -> Node | None:
        """The op whose result the leaf is, if it may be part of an expression."""
        node, result = self._found.get(leaf.bits.get_id(), (None, None))
        if node is None or result is None or not result.poison.eq(leaf.poison):
            return None
        return node if node.is_negation or self.allows(node) else None

    def allows(self, node: Node) -> bool:
        """Whether the op's flags allow to rewrite it. In the optimized function `reassoc` only
        identifies the ops that may result from rewriting."""
        if self.is_target:
            return "reassoc" in node.flags
        return node.flags >= _NEEDED and (node.name != "llvm.fdiv" or "arcp" in node.flags)


class Expression:
    """An op and its operands, as a sum of products and as a polynomial of the operands' uses.

    Arguments:
        root: the op.
        nodes: the ops of its function.

    Attributes:
        uses: the operands, one for each use.
        flags: the flags of each op.
    """

    def __init__(self, root: Node, nodes: Nodes) -> None:
        self.type = root.type
        self.uses: list[Leaf] = []
        self.flags: list[frozenset[str]] = []
        self._nodes = nodes
        self._count = 0
        self.sum, self.polynomial = self._of_node(root)

    @staticmethod
    def of(root: Node, nodes: Nodes) -> Expression | None:
        """The expression of an op; None if it is not one or too large."""
        if not root.is_arithmetic or not nodes.allows(root):
            return None
        try:
            return Expression(root, nodes)
        except _TooLargeError:
            return None

    def groups(self) -> list[tuple[Leaf, list[int]]]:
        """The operands with the numbers of their uses."""
        found: list[tuple[Leaf, list[int]]] = []
        for number, leaf in enumerate(self.uses):
            for other, numbers in found:
                if other.bits.eq(leaf.bits) and other.poison.eq(leaf.poison):
                    numbers.append(number)
                    break
            else:
                found.append((leaf, [number]))
        return found

    def has_all(self, flags: frozenset[str]) -> bool:
        """Whether all ops have these flags."""
        return all(own >= flags for own in self.flags)

    def _of_leaf(self, leaf: Leaf) -> tuple[Sum, Polynomial]:
        node = self._nodes.defining(leaf)
        if node is not None:
            return self._of_node(node)
        number = constant_of(leaf, self.type)
        if number is not None:
            return ((1, (str(leaf.bits),)),), {(): number} if number else {}
        if len(self.uses) == _MOST_USES:
            raise _TooLargeError
        self.uses.append(leaf)
        variable = len(self.uses) - 1
        return ((1, (variable,)),), {(variable,): Fraction(1)}

    def _of_node(self, node: Node) -> tuple[Sum, Polynomial]:
        self._count += 1
        if self._count > _MOST_OPS:
            raise _TooLargeError
        if node.flags:
            self.flags.append(node.flags)
        if node.name == "llvm.fdiv":
            divisor = constant_of(node.operands[1], node.type)
            assert divisor
            sum_, polynomial = self._of_leaf(node.operands[0])
            factor: Sum = ((1, (f"1/{node.operands[1].bits}",)),)
            return _product(sum_, factor), _scaled(polynomial, 1 / divisor)
        sums, polynomials = zip(*(self._of_leaf(operand) for operand in node.operands))
        if node.name == "llvm.fneg":
            return _negated(sums[0]), _scaled(polynomials[0], Fraction(-1))
        if node.name == "llvm.fmul":
            return _product(*sums), _multiplied(*polynomials)
        if node.name == "llvm.fsub":
            return (*sums[0], *_negated(sums[1])), _added(
                polynomials[0], _scaled(polynomials[1], Fraction(-1))
            )
        return (*sums[0], *sums[1]), _added(*polynomials)


def constant_of(leaf: Leaf, type_: Attribute) -> Fraction | None:
    """The number of a finite constant."""
    if not z3.is_bv_value(leaf.bits) or not z3.is_false(leaf.poison):
        return None
    try:
        return as_fraction(float_from_bits(leaf.bits.as_long(), type_).value.data)
    except (OverflowError, ValueError):
        return None


def _negated(sum_: Sum) -> Sum:
    return tuple((-sign, factors) for sign, factors in sum_)


def _product(a: Sum, b: Sum) -> Sum:
    sign, factors = 1, ()
    for part in (a, b):
        if len(part) == 1:
            sign, factors = sign * part[0][0], (*factors, *part[0][1])
        else:
            factors = (*factors, part)
    return ((sign, factors),)


def _scaled(a: Polynomial, by: Fraction) -> Polynomial:
    return {monomial: by * number for monomial, number in a.items()}


def _added(a: Polynomial, b: Polynomial) -> Polynomial:
    found = dict(a)
    for monomial, number in b.items():
        total = found.pop(monomial, 0) + number
        if total:
            found[monomial] = Fraction(total)
    if len(found) > _MOST_MONOMIALS:
        raise _TooLargeError
    return found


def _multiplied(a: Polynomial, b: Polynomial) -> Polynomial:
    found: Polynomial = {}
    for monomial, number in a.items():
        shifted = {tuple(sorted((*monomial, *other))): number * n for other, n in b.items()}
        found = _added(found, shifted)
    return found


Assignment = Mapping[Any, int]
"""For each use of an operand in the original, a variable of the optimized function."""


def _ordered(sum_: Sum, variables: Assignment) -> Any:
    """The sum with its products and factors in a fixed order."""
    products: list[Any] = []
    for sign, factors in sum_:
        found = [
            variables.get(f, f) if isinstance(f, int | str) else _ordered(f, variables)
            for f in factors
        ]
        products.append((sign, sorted(found, key=repr)))
    return sorted(products, key=repr)


def _renamed(a: Polynomial, variables: Assignment) -> Polynomial:
    found: Polynomial = {}
    for monomial, number in a.items():
        found = _added(found, {tuple(sorted(variables[v] for v in monomial)): number})
    return found


def _has_coefficients(old: Polynomial, new: Polynomial, type_: Attribute) -> bool:
    """Whether the coefficients are equal, or rounded to the type."""
    if old.keys() != new.keys():
        return False
    for monomial, number in old.items():
        if number != new[monomial]:
            rounded = round_to(number, type_)
            try:
                if rounded is None or as_fraction(rounded) != new[monomial]:
                    return False
            except (OverflowError, ValueError):
                return False
    return True


def _flags_follow(old: Expression, new: Expression) -> bool:
    """Whether the flags of the rewritten expression follow from the original's."""
    for flags in new.flags:
        if not old.has_all(flags & LOOSE_FLAGS):
            return False
        if "nnan" in flags and not old.has_all(frozenset({"nnan"})):
            return False
        if "ninf" in flags and not old.has_all(_FINITE):
            return False
    return True


def rewriting(old: Expression, new: Expression, refines: Callable[[Leaf, Leaf], Term]) -> Term:
    """The condition under which the new expression is an allowed result of the old one.

    Arguments:
        refines: the condition under which an operand of the new expression refines one of the old
            expression.
    """
    if old.type != new.type or not old.flags or not _flags_follow(old, new):
        return NEVER
    targets: list[tuple[Leaf, list[int]]] = []
    names: dict[int, int] = {}
    for leaf, uses in new.groups():
        # Each use of undef bits may read another number.
        variables = uses if leaf.undef else uses[:1]
        targets.append((leaf, variables))
        names |= {use: use if leaf.undef else uses[0] for use in uses}
    wanted_sum = _ordered(new.sum, names)
    wanted = _renamed(new.polynomial, names)
    is_finite = old.has_all(_FINITE)
    found = NEVER
    for condition, variables in islice(_assignments(old, targets, refines), _MOST_ASSIGNMENTS):
        same = _ordered(old.sum, variables) == wanted_sum
        if not same and is_finite:
            same = _has_coefficients(_renamed(old.polynomial, variables), wanted, old.type)
        if same:
            found = either(found, condition)
            if z3.is_true(condition):
                break
    return found


def _assignments(
    old: Expression,
    targets: Sequence[tuple[Leaf, list[int]]],
    refines: Callable[[Leaf, Leaf], Term],
) -> Iterator[tuple[Term, Assignment]]:
    """Assignments of variables that include all of them, with their conditions."""
    groups = old.groups()
    options: list[list[tuple[Term, int | None]]] = []
    for leaf, _ in groups:
        found = [(refines(leaf, target), n) for n, (target, _) in enumerate(targets)]
        certain = [option for option in found if z3.is_true(option[0])]
        possible = [option for option in found if not z3.is_false(option[0])]
        options.append([*certain[:1]] or [(ALWAYS, None), *possible])
    for chosen in islice(product(*options), _MOST_ASSIGNMENTS):
        if {n for _, n in chosen} - {None} != set(range(len(targets))):
            continue
        condition = ALWAYS
        for part, _ in chosen:
            condition = both(condition, part)
        ways: list[list[Assignment]] = []
        for (_, uses), (_, n) in zip(groups, chosen):
            # An operand that the new expression lacks has any value, the same for all uses.
            variables = [-1 - uses[0]] if n is None else targets[n][1]
            ways.append(list(islice(_maps(uses, variables), _MOST_ASSIGNMENTS)))
        for parts in product(*ways):
            yield condition, {use: v for part in parts for use, v in part.items()}


def _maps(uses: Sequence[int], variables: Sequence[int]) -> Iterator[Assignment]:
    """Maps from uses to variables, one to one first."""
    if len(variables) == 1:
        yield dict.fromkeys(uses, variables[0])
        return
    if len(uses) == len(variables):
        yield from (dict(zip(uses, order)) for order in permutations(variables))
    else:
        yield from (dict(zip(uses, order)) for order in product(variables, repeat=len(uses)))


def simplified(expression: Expression, scope: Scope) -> Leaf | None:
    """The result of an expression that is a constant or one of its operands or the negation; None
    for others."""
    # All uses of undef bits may read the same number.
    first = {use: uses[0] for _, uses in expression.groups() for use in uses}
    polynomial = _renamed(expression.polynomial, first)
    if not expression.has_all(_FINITE) or len(polynomial) > 1:
        return None
    form = FORMATS[type(expression.type)]
    infinity = z3.BitVecVal(((1 << form.exponent) - 1) << form.mantissa, form.width)
    poison = NEVER
    for leaf, _ in expression.groups():
        poison = either(poison, either(leaf.poison, leaf.bits & infinity == infinity))
    monomial, number = next(iter(polynomial.items()), (Monomial(), Fraction(0)))
    if not monomial:
        if not number:
            sign = z3.Extract(form.width - 1, form.width - 1, scope.fresh("sign", form.width))
            return Leaf(z3.Concat(sign, z3.BitVecVal(0, form.width - 1)), poison)
        rounded = round_to(number, expression.type)
        if rounded is None:
            return None
        bits = float_bits(FloatAttr(rounded, cast(Any, expression.type)))
        return Leaf(z3.BitVecVal(bits, form.width), poison)
    if len(monomial) > 1 or abs(number) != 1:
        return None
    leaf = expression.uses[min(monomial)]
    bits = leaf.bits if number == 1 else leaf.bits ^ (1 << (form.width - 1))
    return Leaf(bits, poison, leaf.undef)
