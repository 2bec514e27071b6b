"""Claims of rewrite rules over the integers, for every width at once.

A bit vector is its unsigned value, a number from 0 to 2**w - 1 with an unknown w. Each op is
described by equations of integers: a product is `a * b = r + k * 2**w`, a quotient `a = q * b + r`
with `r < b`, a shift a product with or a quotient by a power of two. A claim that follows from
these equations holds at each width. Casts, floats and bitwise ops other than with a mask of low
bits are not described.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from itertools import combinations, permutations
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


class IntegerClaim(Claim):
    """The claim of one choice of predicates and flags at every width.

    `facts` describes the ops' results. It has a model for all inputs.
    """

    def __init__(
        self, rule: Rule, types: Typing, predicates: dict[str, int], flags: frozenset[str]
    ) -> None:
        free = [c for c in types.classes() if not types.fixed[c]]
        if len(free) != 1 or any(types.kinds[c] not in (INTEGER, "") for c in types.classes()):
            raise NoTermError("the rule has several types")
        if any(types.fixed[c] not in ("", "i1") for c in types.classes()):
            raise NoTermError("the rule has types of a fixed width")
        super().__init__(rule, types, dict.fromkeys(types.classes(), 8), predicates, flags, False)
        z3 = self.z3
        self.powers = Powers()
        self.width = z3.Int("width")
        self.half = self.powers.of(self.width - 1)
        self.whole = self.powers.of(self.width)
        self.facts: list[Term] = [self.width >= 1, self.whole == 2 * self.half]
        ints = z3.IntSort()
        self._divided = z3.Function("!div", ints, ints, ints)
        self._remainder = z3.Function("!rem", ints, ints, ints)
        self._masked = z3.Function("!and", ints, ints, ints)
        self._count = z3.Function("!ctpop", ints, ints)
        self._modulo = z3.Function("!mod", ints, ints)
        self._quotients: list[tuple[Term, Term]] = []
        self._exact: list[tuple[Term, Term]] = []
        self._products: list[tuple[Term, Term, Term]] = []
        self._odd: list[Term] = []
        self._is_signed = False
        self._signed = False
        self._has_signs = False
        self._unwrapped: list[tuple[Term, Term]] = []

    # Numbers.

    def is_bit(self, path: str) -> bool:
        """Whether the value at a path is an i1 at each width."""
        return bool(self.types.fixed[self.types.of(path)])

    def bound(self, path: str) -> Term:
        """2**w for the value at a path."""
        return self.z3.IntVal(2) if self.is_bit(path) else self.whole

    def sort(self, path: str) -> Term:
        return self.z3.IntSort()

    def literal(self, value: float, path: str) -> Term:
        if self.is_bit(path):
            return self.z3.IntVal(int(value) % 2)
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
        result, multiple = self.modulo(exact), self.fresh(self.z3.IntSort())
        self.facts += [
            exact == result + multiple * self.whole,
            result >= 0,
            result < self.whole,
        ]
        return result, multiple

    def modulo(self, exact: Term) -> Term:
        """A number modulo 2**w, as a function of a polynomial without inner reductions."""
        exact = self.z3.simplify(self._reduced(exact), som=True)
        result = self._modulo(exact)
        self._exact.append((result, exact))
        return result

    def _reduced(self, term: Term) -> Term:
        """A congruent polynomial. Only sums and products may be replaced by congruent numbers."""
        z3 = self.z3
        if term.eq(self.whole):
            return z3.IntVal(0)
        for result, exact in self._exact:
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
        return [
            list(self._quotient_lemmas()),
            [*self._product_lemmas(), *self._signed_products(), *self._inverses()],
        ]

    def _quotient_lemmas(self) -> Iterator[Term]:
        z3 = self.z3
        div, rem = self._divided, self._remainder
        given = [*(number for number, _, _ in self.inputs.values()), *self.constants.values()]
        factors = [n for n in given if n.sort() == z3.IntSort()]
        if any(z3.is_app_of(a, z3.Z3_OP_ITE) for a, _ in self._quotients):
            factors += [self.magnitude(n) for n in factors]
        for n in factors:
            for a, b in self._quotients:
                once = z3.And(n >= 0, b > 0, a == n * b)
                yield z3.Implies(once, z3.And(div(a, b) == n, rem(a, b) == 0))
            for (a, b), (c, d) in permutations(self._quotients, 2):
                apart = z3.And(n >= 0, c >= 0, b > 0)
                if b.eq(d):
                    below = z3.And(c >= 0, b > 0, a == c + 1, rem(a, b) == 0)
                    yield z3.Implies(below, z3.And(div(c, b) == div(a, b) - 1, rem(c, b) == b - 1))
                    # (n * b + c) / b and n * c / b
                    sums = z3.And(div(a, b) == n + div(c, b), rem(a, b) == rem(c, b))
                    yield z3.Implies(z3.And(apart, a == n * b + c), sums)
                    times = z3.And(div(a, b) == n * div(c, b), rem(a, b) == 0)
                    yield z3.Implies(z3.And(apart, a == n * c, rem(c, b) == 0), times)
                else:
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
                    signed = [self.signed(n) for n in (x, y, one)]
                    for p, q, factor in ((x, y, one), *([signed] if self._signed else [])):
                        more = p * factor >= q * factor + factor
                        yield z3.Implies(z3.And(factor > 0, p > q), more)

    def _signed_products(self) -> Iterator[Term]:
        z3 = self.z3
        for a, b, result in self._products:
            if self._has_signs and not result.eq(a * b):
                multiple = self.fresh(z3.IntSort())
                exact = self.signed(a) * self.signed(b)
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
                    yield z3.Implies(odd, self._modulo(result * inverse) == other)

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
        if name == "icmp":
            if self.is_bit(f"{path}0"):
                raise NoTermError("a comparison of i1")
            predicate = self.predicate(node)
            if predicate in _SIGNED:
                numbers = [self.signed(n) for n in numbers]
            return Value(
                z3.If(_COMPARE[predicate](*numbers), z3.IntVal(1), z3.IntVal(0)), z3.Or(*poison)
            )
        if self.is_bit(path):
            raise NoTermError("an op on i1")
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
        multiple = self.fresh(self.z3.IntSort())
        self.facts.append(exact == self.signed(result) + multiple * self.whole)
        return multiple != 0

    def _mul(self, a: Term, b: Term) -> tuple[Term, dict[str, Term]]:
        result, multiple = self.wrapped(a * b)
        self._products.append((a, b, result))
        exact = self.signed(a) * self.signed(b)
        return result, {"nuw": multiple != 0, "nsw": self.overflows(exact, result)}

    def amount(self, n: Term) -> tuple[Term, Term]:
        """The power of two of a shift amount, and the condition under which the amount makes the
        result poison.

        A computed amount is assumed not to wrap; if it wraps, that is a counterexample.
        """
        n = next((exact for result, exact in self._unwrapped if result.eq(n)), n)
        return self.powers.of(n), self.z3.Or(n < 0, n >= self.width)

    def _shl(self, a: Term, n: Term) -> tuple[Term, dict[str, Term]]:
        power, poison = self.amount(n)
        self._products.append((a, power, a * power))
        result, multiple = self.wrapped(a * power)
        overflows = self.overflows(self.signed(a) * power, result)
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
        number = IntegerExpression(self).value(ast.parse(source.strip(), mode="eval").body)
        if isinstance(number, int):
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


class IntegerExpression(Expression):
    """Translates Python expressions over constants to integers."""

    claim: IntegerClaim

    def name(self, name: str) -> Any:
        if name == "width":
            return self.claim.width
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
        if name == "s":
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
            return number < claim.half if name == "known_nonneg" else number != 0
        if name in ("is_equality", "is_signed", "is_unsigned", "well_defined", "no_signed_wrap"):
            return super().call(name, arguments)
        raise NoTermError(f"{name} is not described")


def integer_claims(
    rule: Rule, predicates: dict[str, int], flags: frozenset[str]
) -> tuple[list[Term], list[list[Term]]] | None:
    """Conditions without a solution if the rule is right at each width, and groups of lemmas.

    None if the rule has an op that is not described.
    """
    try:
        return IntegerClaim(rule, typing_of(rule), predicates, flags).refuted()
    except NoTermError:
        return None
