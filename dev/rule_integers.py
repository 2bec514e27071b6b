"""Claims of rewrite rules over the integers, for every width at once.

A bit vector is its unsigned value, a number from 0 to 2**w - 1 with an unknown w. Each op is
described by equations of integers: a product is `a * b = r + k * 2**w`, a quotient `a = q * b + r`
with `r < b`, a shift a product with or a quotient by a power of two. A claim that follows from
these equations holds at each width. A rule with casts has several unknown widths. Floats and bitwise
ops other than with a mask of low bits are not described.

Solvers do not derive some consequences of products and quotients. These are added as lemmas. Facts
and lemmas are true for all inputs at each width, which a test checks for small widths.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from typing import Any

from dev.rule_claims import Claim, Expression, Value, z3_module
from dev.z3_semantics import COMPARE, DIVISIONS, NUMBERS
from nvvm_xdsl.lab.validation.operators import NoTermError
from nvvm_xdsl.rules.language import Apply, Rule
from nvvm_xdsl.rules.typing import INTEGER, Typing, typing_of

Term = Any
"""A Z3 expression."""

_SIGNED = range(2, 6)
"""The numbers of icmp's predicates that read the operands as signed."""

_ORDERS = (operator.lt, operator.le, operator.gt, operator.ge)
_COMPARE: tuple[Callable[[Term, Term], Term], ...] = (
    operator.eq,
    operator.ne,
    *_ORDERS,
    *_ORDERS,
)
"""Comparisons by icmp's predicate."""


class Powers:
    """2**n for the exponents of one claim, with facts about these powers."""

    def __init__(self) -> None:
        z3 = self.z3 = z3_module()
        self._function = z3.Function("!power", z3.IntSort(), z3.IntSort())
        self.exponents: list[Term] = []

    def of(self, exponent: Term) -> Term:
        """2**exponent; any number for a negative exponent."""
        exponent = self.z3.simplify(exponent + self.z3.IntVal(0))
        if self.z3.is_add(exponent) and all(map(self._is_natural, exponent.children())):
            parts = [self.of(part) for part in exponent.children()]
            return self.z3.Product(*parts)
        if not any(exponent.eq(known) for known in self.exponents):
            self.exponents.append(exponent)
        return self._function(exponent)

    def _is_natural(self, term: Term) -> bool:
        if self.z3.is_int_value(term):
            return term.as_long() >= 0
        return self.z3.is_app(term) and term.decl().kind() == self.z3.Z3_OP_UNINTERPRETED

    def facts(self) -> list[Term]:
        """Bounds, and `2**b = 2**a * 2**(b - a)` for each pair of exponents."""
        z3, f = self.z3, self._function
        found: list[Term] = []
        for n in self.exponents:
            found += [z3.Implies(n >= 0, f(n) > n), z3.Implies(n == 0, f(n) == 1)]
            found.append(z3.Implies(n >= 1, f(n) >= 2))
        for a, b in combinations(self.exponents, 2):
            for low, high in ((a, b), (b, a)):
                rest = z3.simplify(high - low)
                split = z3.And(f(high) == f(low) * f(rest), f(rest) >= 1)
                found.append(z3.Implies(z3.And(low >= 0, low <= high), split))
                strict = z3.And(f(high) >= 2 * f(low), f(rest) >= 2)
                found.append(z3.Implies(z3.And(low >= 0, low < high), strict))
        return found


@dataclass(frozen=True)
class _Width:
    """An unknown width and its powers.

    Arguments:
        width: the number of bits.
        half, whole: 2**(width - 1) and 2**width.
        modulo: the function of a number modulo `whole`.
        multiple: the function `(a - b) / whole` of two congruent numbers.
        exact: results of `modulo`, each with its argument.
    """

    width: Term
    half: Term
    whole: Term
    modulo: Callable[..., Term]
    multiple: Callable[..., Term]
    exact: list[tuple[Term, Term]]


class IntegerClaim(Claim):
    """The claim of one choice of predicates and flags at every width.

    `facts` describes the ops' results. It has a model for all inputs.
    """

    def __init__(
        self, rule: Rule, types: Typing, predicates: dict[str, int], flags: frozenset[str]
    ) -> None:
        free = [c for c in types.classes() if not types.fixed[c]]
        if not free or any(types.kinds[c] not in (INTEGER, "") for c in types.classes()):
            raise NoTermError("the rule has other types")
        if any(types.fixed[c] not in ("", "i1") for c in types.classes()):
            raise NoTermError("the rule has types of a fixed width")
        super().__init__(rule, types, dict.fromkeys(types.classes(), 8), predicates, flags, False)
        z3 = self.z3
        self.powers = Powers()
        self.facts: list[Term] = []
        self._widths = {c: self._unknown_width("" if len(free) == 1 else str(c)) for c in free}
        self._current = self._widths[free[0]]
        for order, a, b in types.orders:
            small, large = types.find(a), types.find(b)
            if order != "wider":
                small, large = large, small
            if small in self._widths and large in self._widths:
                self.facts.append(self._widths[small].width < self._widths[large].width)
            elif small in free:
                raise NoTermError("an integer narrower than i1")
            else:
                self.facts.append(self._widths[large].width > 1)
        ints = z3.IntSort()
        self._divided = z3.Function("!div", ints, ints, ints)
        self._remainder = z3.Function("!rem", ints, ints, ints)
        self._masked = z3.Function("!and", ints, ints, ints)
        self._count = z3.Function("!ctpop", ints, ints)
        self._quotients: list[tuple[Term, Term]] = []
        self._products: list[tuple[Term, Term, Term]] = []
        self._shifted: list[Term] = []
        self._less = _lesser(rule.where)
        self._odd: list[Term] = []
        self._is_signed = False
        self._signed = False
        self._has_signs = False
        self._unwrapped: list[tuple[Term, Term]] = []

    def _unknown_width(self, suffix: str) -> _Width:
        z3 = self.z3
        ints = z3.IntSort()
        width = z3.Int(f"width{suffix}")
        half, whole = self.powers.of(width - 1), self.powers.of(width)
        self.facts += [width >= 1, whole == 2 * half]
        modulo = z3.Function(f"!mod{suffix}", ints, ints)
        multiple = z3.Function(f"!multiple{suffix}", ints, ints, ints)
        return _Width(width, half, whole, modulo, multiple, [])

    def enter(self, path: str) -> None:
        """Makes the width of the value at a path the current one."""
        found = self._widths.get(self.types.of(path))
        if found is not None:
            self._current = found

    def width_at(self, path: str) -> Term:
        """The width of the value at a path."""
        found = self._widths.get(self.types.of(path))
        return self.z3.IntVal(1) if found is None else found.width

    @property
    def width(self) -> Term:
        """The current width."""
        return self._current.width

    @property
    def half(self) -> Term:
        """2**(w - 1) for the current width."""
        return self._current.half

    @property
    def whole(self) -> Term:
        """2**w for the current width."""
        return self._current.whole

    # Numbers.

    def is_bit(self, path: str) -> bool:
        """Whether the value at a path is an i1 at each width."""
        return bool(self.types.fixed[self.types.of(path)])

    def bound(self, path: str) -> Term:
        """2**w for the value at a path."""
        return self.z3.IntVal(2) if self.is_bit(path) else self._widths[self.types.of(path)].whole

    def sort(self, path: str) -> Term:
        return self.z3.IntSort()

    def literal(self, value: float, path: str) -> Term:
        if self.is_bit(path):
            return self.z3.IntVal(int(value) % 2)
        self.enter(path)
        if value < 0:
            self.facts.append(self.whole >= -int(value))
            return self.whole + int(value)
        if value > 1:
            # A wider literal would wrap.
            self.facts.append(self.whole > int(value))
        return self.z3.IntVal(int(value))

    def read(self, name: str, path: str) -> Value:
        found = super().read(name, path)
        self.facts += [found.number >= 0, found.number < self.bound(path)]
        return found

    def constant(self, name: str, path: str) -> Term:
        if name not in self.constants and name in self._less:
            # 2**C1 of C1 = C2 + d is a product.
            difference = self.z3.Int(f"{name} - {self._less[name]}")
            self.facts.append(difference >= 0)
            self.constants[name] = self.z3.Int(self._less[name]) + difference
            self.paths[name] = path
        found = super().constant(name, path)
        self.facts += [found >= 0, found < self.bound(path)]
        return found

    def signed(self, number: Term) -> Term:
        """The signed value of a number."""
        return self.z3.If(number >= self.half, number - self.whole, number)

    def magnitude(self, number: Term) -> Term:
        """The absolute value of the signed value of a number."""
        return self.z3.If(number >= self.half, self.whole - number, number)

    def unsigned(self, number: Term) -> Term:
        """The number with a signed value from -2**(w - 1) to 2**(w - 1)."""
        return self.z3.If(number < 0, number + self.whole, number)

    def wrapped(self, exact: Term) -> tuple[Term, Term]:
        """A number modulo 2**w, and the subtracted multiple of 2**w."""
        result = self.modulo(exact)
        multiple = self._current.multiple(exact, result)
        fits = self.z3.And(exact >= 0, exact < self.whole)
        self.facts += [
            exact == result + multiple * self.whole,
            self.z3.Implies(fits, multiple == 0),
            result >= 0,
            result < self.whole,
        ]
        return result, multiple

    def modulo(self, exact: Term) -> Term:
        """A number modulo 2**w, as a function of a polynomial without inner reductions."""
        exact = self.z3.simplify(self._reduced(exact), som=True)
        result = self._current.modulo(exact)
        self._current.exact.append((result, exact))
        return result

    def _reduced(self, term: Term) -> Term:
        """A congruent polynomial. Only sums and products may be replaced by congruent numbers."""
        z3 = self.z3
        if term.eq(self.whole):
            return z3.IntVal(0)
        for result, exact in self._current.exact:
            if term.eq(result):
                return exact
        kind = term.decl().kind()
        if kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_MUL, z3.Z3_OP_UMINUS):
            return term.decl()(*map(self._reduced, term.children()))
        return term

    def quotient(self, a: Term, b: Term) -> tuple[Term, Term]:
        """Quotient and remainder of two nonnegative numbers, for `b` not 0."""
        z3 = self.z3
        a, b = z3.simplify(a), z3.simplify(b)
        q, r = self._divided(a, b), self._remainder(a, b)
        if not any(a.eq(x) and b.eq(y) for x, y in self._quotients):
            self._quotients.append((a, b))
            exact = z3.And(a == q * b + r, r >= 0, r < b, q >= 0, q <= a)
            self.facts.append(z3.Implies(z3.And(a >= 0, b > 0), exact))
            self.facts.append(z3.Implies(z3.And(a >= 0, a < b), z3.And(q == 0, r == a)))
        return q, r

    def mark_odd(self, number: Term) -> None:
        """Records a number whose lowest bit the condition tests."""
        self._odd.append(number)

    def choice(self, path: str) -> Term:
        # Results of ops would depend on the choice.
        raise NoTermError("a choice")

    def lemmas(self) -> list[list[Term]]:
        """Consequences of the equations that the solver does not derive itself, in groups."""
        one_width = len(self._widths) == 1
        more = [*self._signed_products(), *self._inverses()] if one_width else []
        return [list(self._quotient_lemmas()), [*self._product_lemmas(), *more]]

    def _quotient_lemmas(self) -> Iterator[Term]:
        z3 = self.z3
        div, rem = self._divided, self._remainder
        given = [*(number for number, _, _ in self.inputs.values()), *self.constants.values()]
        factors = [n for n in given if n.sort() == z3.IntSort()]
        if any(z3.is_app_of(a, z3.Z3_OP_ITE) for a, _ in self._quotients):
            factors += [self.magnitude(n) for n in factors]
        factors += self._shifted
        for n in factors:
            for a, b in self._quotients:
                once = z3.And(n >= 0, b > 0, a == n * b)
                yield z3.Implies(once, z3.And(div(a, b) == n, rem(a, b) == 0))
                under = z3.And(n >= 1, b > 0, a + 1 == n * b)
                yield z3.Implies(under, z3.And(div(a, b) == n - 1, rem(a, b) == b - 1))
            for (a, b), (c, d) in permutations(self._quotients, 2):
                apart = z3.And(n >= 0, c >= 0, b > 0)
                same = z3.And(apart, b == d)
                below = z3.And(c >= 0, b > 0, b == d, a == c + 1, rem(a, b) == 0)
                yield z3.Implies(below, z3.And(div(c, d) == div(a, b) - 1, rem(c, d) == b - 1))
                # (n * b + c) / b and n * c / b
                sums = z3.And(div(a, b) == n + div(c, d), rem(a, b) == rem(c, d))
                yield z3.Implies(z3.And(same, a == n * b + c), sums)
                times = z3.And(div(a, b) == n * div(c, d), rem(a, b) == 0)
                yield z3.Implies(z3.And(same, a == n * c, rem(c, d) == 0), times)
                if not b.eq(d):
                    # (n * c) / (n * d)
                    scaled = z3.And(apart, d > 0, n > 0, a == n * c, b == n * d)
                    yield z3.Implies(
                        scaled, z3.And(div(a, b) == div(c, d), rem(a, b) == n * rem(c, d))
                    )

    def _product_lemmas(self) -> Iterator[Term]:
        z3 = self.z3
        for (a, b, _), (c, d, _) in permutations(self._products, 2):
            for one, x in ((a, b), (b, a)):
                for other, y in ((c, d), (d, c)):
                    if not one.eq(other):
                        continue
                    triples = [(x, y, one)]
                    if self._signed:
                        triples.append((self.signed(x), self.signed(y), self.signed(one)))
                        triples.append((x, y, self.magnitude(one)))
                    for p, q, factor in triples:
                        more = p * factor >= q * factor + factor
                        yield z3.Implies(z3.And(factor > 0, p > q), more)

    def _signed_products(self) -> Iterator[Term]:
        for a, b, result in self._products:
            if self._has_signs and not result.eq(a * b):
                exact = self.signed(a) * self.signed(b)
                multiple = self._current.multiple(exact, self.signed(result))
                yield exact == self.signed(result) + multiple * self.whole

    def _inverses(self) -> Iterator[Term]:
        z3, rem = self.z3, self._remainder
        for n in self._odd:
            # An odd number has an inverse modulo 2**w.
            inverse = z3.Int(f"!inverse of {n}")
            for a, b, result in self._products:
                other = a if b.eq(n) else b if a.eq(n) else None
                if other is not None:
                    odd = rem(n, z3.IntVal(2)) == 1
                    yield z3.Implies(odd, self._current.modulo(result * inverse) == other)

    # Ops.

    def apply(self, node: Apply, path: str) -> Value:
        z3 = self.z3
        name = node.op.name
        if name in ("select", "freeze"):
            return super().apply(node, path)
        args = [self.side(arg, f"{path}{i}") for i, arg in enumerate(node.args)]
        numbers = [arg.number for arg in args]
        flags = self.carried(node, path)
        poison = [arg.poison for arg in args]
        if name in ("zext", "sext", "trunc"):
            return self._cast(name, args[0], flags, path)
        if name == "icmp":
            if self.is_bit(f"{path}0"):
                raise NoTermError("a comparison of i1")
            self.enter(f"{path}0")
            predicate = self.predicate(node)
            if predicate in _SIGNED:
                numbers = [self.signed(n) for n in numbers]
            return Value(
                z3.If(_COMPARE[predicate](*numbers), z3.IntVal(1), z3.IntVal(0)), z3.Or(*poison)
            )
        if self.is_bit(path):
            raise NoTermError("an op on i1")
        self.enter(path)
        if name in DIVISIONS:
            a, b = numbers
            self.undefined += [b == 0, args[1].poison]
            if name[0] == "s":
                self._has_signs = True
                self.undefined.append(z3.And(a == self.half, b == self.whole - 1))
        self._is_signed = "nsw" in flags
        self._signed |= self._is_signed
        compute = getattr(self, f"_{name}", None)
        if compute is None or not flags <= {"nsw", "nuw", "exact", "int_min_poison"}:
            raise NoTermError(f"{name} is not described")
        result, overflows = compute(*numbers)
        if name == "add" and "nuw" in flags:
            self._unwrapped.append((result, numbers[0] + numbers[1]))
        poison += [overflows[flag] for flag in sorted(flags)]
        poison += [overflows["always"]] if "always" in overflows else []
        return Value(result, z3.Or(*poison))

    def _cast(self, name: str, x: Value, flags: frozenset[str], path: str) -> Value:
        z3 = self.z3
        poison = [x.poison]
        number = x.number
        if name == "trunc":
            self.enter(f"{path}0")
            signed = self.signed(number)
            if self.is_bit(path):
                result = self.quotient(number, z3.IntVal(2))[1]
                values = {"nuw": result, "nsw": -result}
            else:
                self.enter(path)
                result = self.wrapped(number)[0]
                values = {"nuw": result, "nsw": self.signed(result)}
            exact = {"nuw": number, "nsw": signed}
            poison += [values[flag] != exact[flag] for flag in sorted(flags & {"nuw", "nsw"})]
            return Value(result, z3.Or(*poison))
        if self.is_bit(f"{path}0"):
            is_negative, lowest = number == 1, z3.IntVal(-1)
        else:
            self.enter(f"{path}0")
            is_negative, lowest = number >= self.half, number - self.whole
        if "nneg" in flags:
            poison.append(is_negative)
        self.enter(path)
        if name == "sext":
            number = z3.If(is_negative, self.whole + lowest, number)
        return Value(number, z3.Or(*poison))

    def _sum(self, exact: Term, signed: Term) -> tuple[Term, dict[str, Term]]:
        z3, whole, half = self.z3, self.whole, self.half
        result = self.modulo(exact)
        multiple = z3.If(exact < 0, -1, z3.If(exact >= whole, 1, 0))
        self.facts.append(result == exact - multiple * whole)
        return result, {
            "nuw": z3.Or(exact < 0, exact >= whole),
            "nsw": z3.Or(signed < -half, signed >= half),
        }

    def _add(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._sum(a + b, self.signed(a) + self.signed(b))

    def _sub(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._sum(a - b, self.signed(a) - self.signed(b))

    def overflows(self, exact: Term, result: Term) -> Term:
        """Whether a signed result is not the exact one."""
        if not self._is_signed:
            return self.z3.BoolVal(False)
        multiple = self._current.multiple(exact, self.signed(result))
        fits = self.z3.And(exact >= -self.half, exact < self.half)
        self.facts += [
            exact == self.signed(result) + multiple * self.whole,
            self.z3.Implies(fits, multiple == 0),
        ]
        return multiple != 0

    def _mul(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        result, multiple = self.wrapped(a * b)
        self._products.append((a, b, result))
        exact = self.signed(a) * self.signed(b)
        overflows = self.overflows(exact, result)
        if self._is_signed:
            sizes = self.magnitude(result) == self.magnitude(a) * self.magnitude(b)
            self.facts.append(self.z3.Implies(self.z3.Not(overflows), sizes))
        return result, {"nuw": multiple != 0, "nsw": overflows}

    def amount(self, n: Term) -> tuple[Term, Term]:
        """The power of two of a shift amount, and the condition under which the amount makes the
        result poison.

        A computed amount is assumed not to wrap; if it wraps, that is a counterexample.
        """
        n = next((exact for result, exact in self._unwrapped if result.eq(n)), n)
        return self.powers.of(n), self.z3.Or(n < 0, n >= self.width)

    def _shl(self, a: Term, n: Term) -> tuple[Term, dict[str, Term]]:
        z3 = self.z3
        power, poison = self.amount(n)
        self._products.append((a, power, a * power))
        result, multiple = self.wrapped(a * power)
        overflows = self.overflows(self.signed(a) * power, result)
        if self._is_signed:
            sizes = self.magnitude(result) == self.magnitude(a) * power
            self.facts.append(z3.Implies(z3.Not(overflows), sizes))
            self._shifted.append(self.magnitude(result))
        return result, {"nuw": multiple != 0, "nsw": overflows, "always": poison}

    def _lshr(self, a: Term, n: Term) -> tuple[Term, dict[str, Term]]:
        power, poison = self.amount(n)
        q, r = self.quotient(a, power)
        return q, {"exact": r != 0, "always": poison}

    def _ashr(self, a: Term, n: Term) -> tuple[Term, dict[str, Term]]:
        z3 = self.z3
        power, poison = self.amount(n)
        s = self.signed(a)
        up, rest = self.quotient(s, power)
        down, left = self.quotient(-s - 1, power)
        result = z3.If(s >= 0, up, self.whole - 1 - down)
        exact = z3.If(s >= 0, rest == 0, left == power - 1)
        return result, {"exact": z3.Not(exact), "always": poison}

    def _udiv(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        q, r = self.quotient(a, b)
        return q, {"exact": r != 0}

    def _urem(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self.quotient(a, b)[1], {}

    def _magnitudes(self, a: Term, b: Term) -> tuple[Term, Term, Term, Term]:
        return self.signed(a), self.signed(b), self.magnitude(a), self.magnitude(b)

    def _sdiv(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        x, y, m, n = self._magnitudes(a, b)
        q, r = self.quotient(m, n)
        return self.unsigned(self.z3.If((x < 0) == (y < 0), q, -q)), {"exact": r != 0}

    def _srem(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        x, _, m, n = self._magnitudes(a, b)
        r = self.quotient(m, n)[1]
        return self.unsigned(self.z3.If(x < 0, -r, r)), {}

    def _xor(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        if b.eq(self.whole - 1):
            return self.whole - 1 - a, {}
        raise NoTermError("xor is not described")

    def _and(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        z3 = self.z3
        result = self._masked(a, b)
        self.facts += [result >= 0, result <= a, result <= b]
        for n in list(self.powers.exponents):
            power = self.powers.of(n)
            low = self.quotient(a, power)[1]
            self.facts.append(z3.Implies(z3.And(n >= 0, b == power - 1), result == low))
        return result, {}

    def _abs(self, a: Term) -> tuple[Term, dict[str, Term]]:
        return self.magnitude(a), {"int_min_poison": a == self.half}

    def _ctpop(self, a: Term) -> tuple[Term, dict[str, Term]]:
        result = self._count(a)
        self.facts += [
            result >= 0,
            result <= self.width,
            (result == 0) == (a == 0),
            (result == self.width) == (a == self.whole - 1),
        ]
        # The number fits at each width: 2**w > w.
        return result, {}

    def _choice(self, first: Term, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self.z3.If(first, a, b), {}

    def _umax(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._choice(a > b, a, b)

    def _umin(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._choice(a < b, a, b)

    def _smax(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._choice(self.signed(a) > self.signed(b), a, b)

    def _smin(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._choice(self.signed(a) < self.signed(b), a, b)

    def _usubsat(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._choice(a < b, self.z3.IntVal(0), a - b)

    def _uaddsat(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        return self._choice(a + b >= self.whole, self.whole - 1, a + b)

    # Conditions and computed constants.

    def computed(self, source: str, path: str) -> Term:
        self.enter(path)
        number = IntegerExpression(self).value(ast.parse(source.strip(), mode="eval").body)
        if isinstance(number, int) or self.is_bit(path):
            if not isinstance(number, int):
                raise NoTermError("a computed i1")
            return self.literal(number, path)
        result = self.wrapped(number)[0]
        self._unwrapped.append((result, number))
        return result

    def condition(self, source: str) -> Term:
        found = IntegerExpression(self).value(ast.parse(source.strip(), mode="eval").body)
        return self.z3.BoolVal(found) if isinstance(found, bool) else found

    def is_possible(self, where: Term) -> bool:
        return True

    def refuted(self) -> tuple[list[Term], list[list[Term]]]:
        """Conditions that are unsatisfiable if the claim is right, and groups of lemmas."""
        wrong = self.wrong()
        lemmas = self.lemmas()
        return [wrong, *self.facts, *self.powers.facts()], lemmas


def _lesser(where: str) -> dict[str, str]:
    """For constants that a condition states to be greater than another one, that one."""
    if " or " in where or " if " in where or "not" in where:
        return {}
    return {b: a for a, b in re.findall(r"(?:^|and )(C\d) <=? (C\d)(?= and|$)", where)}


class IntegerExpression(Expression):
    """Translates Python expressions over constants to integers."""

    claim: IntegerClaim

    def name(self, name: str) -> Any:
        if name == "width":
            return self.claim.width_at("l0" if self.claim.rule.left.predicate else "l")
        if name in self.claim.predicates:
            return self.claim.predicates[name]
        return self.claim.constants[name]

    def binary(self, op: ast.operator, a: Any, b: Any) -> Any:
        claim = self.claim
        if isinstance(a, int) and isinstance(b, int):
            return super().binary(op, a, b)
        if isinstance(op, ast.LShift):
            return a * claim.powers.of(b)
        if isinstance(op, ast.RShift):
            a, power = self.number(a), claim.powers.of(b)
            up, down = claim.quotient(a, power)[0], claim.quotient(-a - 1, power)[0]
            return self.z3.If(a >= 0, up, -1 - down)
        if isinstance(op, ast.FloorDiv):
            return claim.quotient(self.number(a), self.number(b))[0]
        if isinstance(op, ast.Mod):
            return claim.quotient(self.number(a), self.number(b))[1]
        if isinstance(op, ast.BitAnd) and b == 1:
            claim.mark_odd(a)
            return claim.quotient(self.number(a), self.number(2))[1]
        if isinstance(op, ast.Add | ast.Sub | ast.Mult):
            return NUMBERS[type(op)](a, b)
        raise NoTermError(ast.unparse(op))

    def inverted(self, number: Any) -> Any:
        return -1 - number

    def number(self, value: Any) -> Term:
        """A number as a term."""
        return self.z3.IntVal(value) if isinstance(value, int) else value

    def compare(self, op: ast.cmpop, a: Any, b: Any) -> Any:
        if isinstance(a, int) and isinstance(b, int):
            return super().compare(op, a, b)
        return COMPARE[type(op)](self.number(a), self.number(b))

    def call(self, name: str, arguments: list[ast.expr]) -> Any:
        claim, z3 = self.claim, self.z3
        if name == "width":
            assert isinstance(arguments[0], ast.Name)
            return claim.width_at(claim.paths[arguments[0].id])
        if name == "s":
            assert isinstance(arguments[0], ast.Name)
            claim.enter(claim.paths[arguments[0].id])
            return claim.signed(self.value(arguments[0]))
        if name == "fits":
            number, width = (self.number(self.value(a)) for a in arguments)
            half = claim.powers.of(width - 1)
            return z3.And(-half <= number, number < half)
        if name in ("pow2", "log2"):
            number = self.number(self.value(arguments[0]))
            exponent = z3.Function("!log2", z3.IntSort(), z3.IntSort())(number)
            power = z3.And(exponent >= 0, number == claim.powers.of(exponent))
            if name == "pow2":
                return power
            return exponent
        if name in ("known_nonneg", "known_nonzero"):
            assert isinstance(arguments[0], ast.Name)
            number = claim.inputs[arguments[0].id][0]
            claim.enter(claim.paths[arguments[0].id])
            return number < claim.half if name == "known_nonneg" else number != 0
        if name in ("is_equality", "is_signed", "is_unsigned", "well_defined", "no_signed_wrap"):
            return super().call(name, arguments)
        raise NoTermError(f"{name} is not described")


@dataclass(frozen=True)
class IntegerCase:
    """Conditions without a solution if a rule is right for some values of its inputs of one bit.

    Arguments:
        conditions: the equations and the counterexample.
        lemmas: groups of consequences of the equations.
    """

    conditions: list[Term]
    lemmas: list[list[Term]]

    def attempts(self) -> Iterator[list[Term]]:
        """The conditions without lemmas, with each group and with all of them."""
        everything = [fact for group in self.lemmas for fact in group]
        for more in ([], *self.lemmas, everything):
            yield [*self.conditions, *more]


def integer_claims(
    rule: Rule, predicates: dict[str, int], flags: frozenset[str]
) -> list[IntegerCase] | None:
    """The cases of the claim, which holds at each width if none has a solution.

    None if the rule has an op that is not described.
    """
    try:
        claim = IntegerClaim(rule, typing_of(rule), predicates, flags)
        conditions, lemmas = claim.refuted()
    except NoTermError:
        return None
    return list(_cases(claim, conditions, lemmas))


def _cases(
    claim: IntegerClaim, conditions: list[Term], lemmas: list[list[Term]]
) -> Iterator[IntegerCase]:
    z3 = claim.z3
    bits = [
        number for name, (number, _, _) in claim.inputs.items() if claim.is_bit(claim.paths[name])
    ]

    def at(terms: list[Term], values: Sequence[int]) -> list[Term]:
        pairs = [(bit, z3.IntVal(value)) for bit, value in zip(bits, values)]
        return [z3.simplify(z3.substitute(term, *pairs)) for term in terms] if pairs else terms

    for values in product((0, 1), repeat=len(bits)):
        yield IntegerCase(at(conditions, values), [at(group, values) for group in lemmas])
