"""Terms as integers of an SMT solver.

A bit vector is encoded as its signed value. An operation whose result may exceed the range of its
width is reduced modulo the width. Products of two unknown numbers are symbols with lemmas that hold
for all products. Every solution of the exact problem is therefore a solution of the encoding, so
that a proof of unsatisfiability is valid. A solution of the encoding need not be a solution of the
exact problem.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from math import inf
from typing import Any, Final, NamedTuple

from nvvm_xdsl.lab.races import terms
from nvvm_xdsl.lab.races.terms import BLOCK, THREAD, Term
from nvvm_xdsl.lab.validation.smt import z3

SmtTerm = Any

MOST_BITS: Final = 11
"""Maximum width of numbers whose bitwise operations are encoded bit by bit."""

MOST_RUNS: Final = 12
"""Maximum number of runs of ones of a constant mask that are encoded one by one."""

RANGE_SECONDS: Final = 2.0
"""Time limit in seconds for a proof that an operation does not wrap."""


class OutOfTimeError(Exception):
    """The time for a kernel is used up."""


class Number(NamedTuple):
    """A number of the solver and limits of its value."""

    value: SmtTerm
    low: int
    high: int


class Product(NamedTuple):
    """A product of two numbers that is encoded as a symbol."""

    left: SmtTerm
    right: SmtTerm
    value: SmtTerm


class Context:
    """State that the encodings of all threads share.

    Attributes:
        conditions: constraints on symbols, true in every launch.
        products: products of unknown numbers.
        assume_no_wrap: whether additions and multiplications are assumed not to wrap.
        deadline: the time at which queries end, as of `time.monotonic`.
        assumed: operations for which that was assumed.
        divisors: constants that divide numbers according to the conditions on the launch.
    """

    def __init__(self, *, assume_no_wrap: bool = False, deadline: float = inf) -> None:
        self.conditions: list[SmtTerm] = []
        self.products: dict[tuple[int, int], Product] = {}
        self.assume_no_wrap = assume_no_wrap
        self.deadline = deadline
        self.assumed: set[Term] = set()
        self.divisors: set[int] = set()
        self._in_range: dict[Term, bool] = {}
        self._lemmas: list[SmtTerm] = []
        self._with_lemmas = 0

    def product(self, left: SmtTerm, right: SmtTerm) -> SmtTerm:
        """The symbol of a product."""
        if left.get_id() > right.get_id():
            left, right = right, left
        key = (left.get_id(), right.get_id())
        if key not in self.products:
            value = z3.FreshInt("product")
            self.products[key] = Product(left, right, value)
        return self.products[key].value

    def lemmas(self) -> list[SmtTerm]:
        """Facts about the products so far."""
        listed = list(self.products.values())
        for number in range(self._with_lemmas, len(listed)):
            new = listed[number]
            self._lemmas += _own_lemmas(new)
            self._lemmas += _multiple_lemmas(new, self.divisors)
            for old in listed[:number]:
                self._lemmas += _pair_lemmas(old, new)
        self._with_lemmas = len(listed)
        return self._lemmas

    def check(self, solver: Any, seconds: float) -> Any:
        """The answer of the solver within a number of seconds; raises OutOfTimeError at the deadline."""
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        solver.set("timeout", max(1, int(1000 * min(seconds, left))))
        return solver.check()

    def holds_always(self, condition: SmtTerm, seconds: float = RANGE_SECONDS) -> bool:
        """Returns True if a condition was proved to follow from the constraints."""
        solver = z3.Solver()
        solver.add(*self.conditions, *self.lemmas(), z3.Not(condition))
        return self.check(solver, seconds) == z3.unsat

    def in_range(self, term: Term, condition: SmtTerm) -> bool:
        """Whether an operation does not wrap; the answer is cached for the other threads."""
        if term not in self._in_range:
            self._in_range[term] = self.holds_always(condition)
        return self._in_range[term]


def _own_lemmas(product: Product) -> list[SmtTerm]:
    x, y, p = product
    found: list[SmtTerm] = []
    for a, b in ((x, y), (y, x)):
        found += [
            z3.Implies(a == 0, p == 0),
            z3.Implies(a == 1, p == b),
            z3.Implies(z3.And(a >= 1, b >= 0), p >= b),
            z3.Implies(z3.And(a >= 2, b >= 0), p >= 2 * b),
            z3.Implies(z3.And(a <= -1, b >= 0), p <= -b),
        ]
    found.append(z3.Implies(z3.And(x <= 0, y <= 0), p >= 0))
    return found


def _multiple_lemmas(product: Product, divisors: Iterable[int]) -> list[SmtTerm]:
    """A product with a factor that is a multiple of a number is a multiple, too."""
    return [
        z3.Implies(factor % divisor == 0, product.value % divisor == 0)
        for divisor in sorted(divisors)
        for factor in (product.left, product.right)
    ]


def _pair_lemmas(first: Product, second: Product) -> list[SmtTerm]:
    found: list[SmtTerm] = []
    for shared, x in ((first.left, first.right), (first.right, first.left)):
        for other, y in ((second.left, second.right), (second.right, second.left)):
            if shared.get_id() != other.get_id():
                continue
            p, q = first.value, second.value
            found += [
                z3.Implies(x == y, p == q),
                z3.Implies(z3.And(shared >= 0, x < y), p + shared <= q),
                z3.Implies(z3.And(shared >= 0, y < x), q + shared <= p),
            ]
    return found


class Encoder:
    """The encoding of one thread: values of the level of the thread have separate names.

    Arguments:
        thread: the name of the thread.
        block: the name of its block.
    """

    def __init__(self, context: Context, thread: str, block: str) -> None:
        self.context = context
        self._names = {BLOCK: block, THREAD: thread}
        self._known: dict[Term, Any] = {}

    def condition(self, term: Term) -> SmtTerm:
        """A condition as a Boolean of the solver."""
        return self._value(term)

    def number(self, term: Term) -> Number:
        """A bit vector as an integer of the solver."""
        return self._value(term)

    def _value(self, root: Term) -> Any:
        for term in terms.post_order(root, self._known):
            self._known[term] = self._encode(term)
        return self._known[root]

    def name(self, text: str, level: int) -> str:
        """The name of a symbol in this thread."""
        own = self._names.get(level)
        return text if own is None else f"{text}@{own}"

    def _encode(self, term: Term) -> Any:
        args = [self._known[arg] for arg in term.args]
        if term.op == "const":
            return z3.BoolVal(bool(term.data)) if term.width == 1 else _constant(term.data)
        if term.op == "sym":
            return self._symbol(term)
        if term.op == "uf":
            return self._function(term, args)
        if term.width == 1:
            return self._condition(term, args)
        if term.op == "select":
            condition, a, b = args
            value = z3.If(condition, a.value, b.value)
            return Number(value, min(a.low, b.low), max(a.high, b.high))
        if term.op in ("zext", "sext", "trunc"):
            return self._cast(term, args[0])
        return self._arithmetic(term, args[0], args[1])

    def _symbol(self, term: Term) -> Any:
        name = self.name(term.data, term.level)
        if term.width == 1:
            return z3.Bool(name)
        value = z3.Int(name)
        self.context.conditions += [value >= term.low, value <= term.high]
        return Number(value, term.low, term.high)

    def _function(self, term: Term, args: Sequence[Any]) -> Any:
        text, level = term.data
        sorts = [z3.BoolSort() if arg.width == 1 else z3.IntSort() for arg in term.args]
        result = z3.BoolSort() if term.width == 1 else z3.IntSort()
        called = z3.Function(self.name(text, level), *sorts, result)
        numbers = [arg.value if isinstance(arg, Number) else arg for arg in args]
        value = called(*numbers)
        if term.width == 1:
            return value
        self.context.conditions += [value >= term.low, value <= term.high]
        return Number(value, term.low, term.high)

    def _condition(self, term: Term, args: Sequence[Any]) -> SmtTerm:
        op = term.op
        if op == "not":
            return z3.Not(args[0])
        if op == "all":
            return z3.And(*args)
        if op == "any":
            return z3.Or(*args)
        if op == "trunc":
            return args[0].value % 2 == 1
        if op in ("eq", "slt", "ult"):
            a, b = args
            if not isinstance(a, Number):
                return a == b if op == "eq" else z3.And(z3.Not(a), b)
            if op == "eq":
                return a.value == b.value
            if op == "ult":
                width = term.args[0].width
                a, b = unsigned(a, width), unsigned(b, width)
            return a.value < b.value
        return z3.FreshBool(op)

    def _cast(self, term: Term, a: Any) -> Number:
        if not isinstance(a, Number):
            one = 1 if term.op == "zext" else -1
            return Number(z3.If(a, one, 0), min(0, one), max(0, one))
        if term.op == "trunc":
            return self._wrapped(term, a)
        if term.op == "sext":
            return a
        if term.exact:
            return a if a.low >= 0 else Number(a.value, 0, max(a.high, 0))
        return unsigned(a, term.args[0].width)

    def _wrapped(self, term: Term, number: Number) -> Number:
        """The number modulo the width of the operation, unless it cannot wrap."""
        width = term.width
        low, high = -(1 << width - 1), (1 << width - 1) - 1
        value = number.value
        if number.low >= low and number.high <= high:
            return number
        clipped = Number(value, max(number.low, low), min(number.high, high))
        if clipped.low > clipped.high:
            clipped = Number(value, low, high)
        if term.exact or self.context.in_range(term, z3.And(value >= low, value <= high)):
            return clipped
        if self.context.assume_no_wrap and term.op in ("add", "sub", "mul"):
            self.context.assumed.add(term)
            self.context.conditions += [value >= low, value <= high]
            return clipped
        wrapped = z3.FreshInt("wrapped")
        turns = z3.FreshInt("turns")
        self.context.conditions += [
            value == wrapped + turns * (1 << width),
            wrapped >= low,
            wrapped <= high,
        ]
        return Number(wrapped, low, high)

    def _arithmetic(self, term: Term, a: Number, b: Number) -> Number:
        op = term.op
        if op == "add":
            return self._wrapped(term, Number(a.value + b.value, a.low + b.low, a.high + b.high))
        if op == "sub":
            return self._wrapped(term, Number(a.value - b.value, a.low - b.high, a.high - b.low))
        if op == "mul":
            return self._wrapped(term, self.multiply(a, b))
        if op == "and":
            return self._and(term, a, b)
        if op in ("or", "xor"):
            joint = self._and(term, a, b)
            factor = 1 if op == "or" else 2
            value = a.value + b.value - factor * joint.value
            if a.low >= 0 and b.low >= 0:
                high = (1 << max(a.high, b.high).bit_length()) - 1
                return Number(value, 0, high)
            return Number(value, *_limits(term.width))
        if op in ("shl", "lshr", "ashr"):
            return self._shift(term, a, b)
        return self._division(term, a, b)

    def multiply(self, a: Number, b: Number) -> Number:
        """The product, which may leave the range of the operands' width."""
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        if a.low == a.high or b.low == b.high:
            value = a.low * b.value if a.low == a.high else a.value * b.low
        else:
            value = self.context.product(a.value, b.value)
            self.context.conditions += [value >= min(corners), value <= max(corners)]
        return Number(value, min(corners), max(corners))

    def _and(self, term: Term, a: Number, b: Number) -> Number:
        for x, y in ((a, b), (b, a)):
            if x.low == x.high:
                found = _masked(y, x.low)
                if found is not None:
                    return found
        if min(a.low, b.low) >= 0 and max(a.high, b.high) < 1 << MOST_BITS:
            bits = min(a.high, b.high).bit_length()
            parts = [
                z3.If(z3.And(_bit(a.value, at) == 1, _bit(b.value, at) == 1), 1 << at, 0)
                for at in range(bits)
            ]
            return Number(z3.Sum(parts) if parts else z3.IntVal(0), 0, (1 << bits) - 1)
        joint = z3.Function(f"and.{term.width}", z3.IntSort(), z3.IntSort(), z3.IntSort())
        x, y = (a, b) if a.value.get_id() < b.value.get_id() else (b, a)
        value = joint(x.value, y.value)
        low, high = _limits(term.width)
        self.context.conditions += [value >= low, value <= high]
        for one, other in ((a, b), (b, a)):
            if one.low >= 0:
                self.context.conditions += [value >= 0, value <= one.value]
                low, high = 0, min(high, one.high)
            self.context.conditions.append(z3.Implies(one.value == -1, value == other.value))
        return Number(value, low, high)

    def _shift(self, term: Term, a: Number, b: Number) -> Number:
        width = term.width
        if term.op == "lshr":
            a = unsigned(a, width)
        first, last = max(b.low, 0), min(b.high, width - 1)
        if last < first:
            return self._unknown(term)
        found: Number | None = None
        for amount in range(last, first - 1, -1):
            if term.op == "shl":
                shifted = Number(a.value * (1 << amount), a.low << amount, a.high << amount)
            else:
                shifted = Number(_floor(a.value, 1 << amount), a.low >> amount, a.high >> amount)
            if found is None:
                found = shifted
            else:
                value = z3.If(b.value == amount, shifted.value, found.value)
                found = Number(value, min(found.low, shifted.low), max(found.high, shifted.high))
        return self._unknown(term) if found is None else self._wrapped(term, found)

    def _division(self, term: Term, a: Number, b: Number) -> Number:
        op, width = term.op, term.width
        if op in ("udiv", "urem"):
            a, b = unsigned(a, width), unsigned(b, width)
        if op not in ("udiv", "urem", "sdiv", "srem") or b.low <= 0:
            return self._unknown(term)
        if a.low < 0:
            if b.low != b.high:
                return self._unknown(term)
            by = b.low
            quotient = z3.If(a.value >= 0, a.value / by, -(-a.value / by))
            if op == "sdiv":
                return Number(quotient, -(-a.low // by), max(a.high, 0) // by)
            return Number(a.value - by * quotient, 1 - by, by - 1)
        if b.low == b.high:
            by = b.low
            if op in ("udiv", "sdiv"):
                return self._wrapped(term, Number(a.value / by, a.low // by, a.high // by))
            return Number(a.value % by, 0, min(by - 1, a.high))
        quotient, rest = self._quotient(term, a, b)
        if op in ("udiv", "sdiv"):
            return self._wrapped(term, Number(quotient, 0, a.high // b.low))
        return self._wrapped(term, Number(rest, 0, min(a.high, b.high - 1)))

    def _quotient(self, term: Term, a: Number, b: Number) -> tuple[SmtTerm, SmtTerm]:
        """Quotient and remainder of a nonnegative number and a positive one."""
        quotient, rest = z3.FreshInt("quotient"), z3.FreshInt("rest")
        product = self.context.product(quotient, b.value)
        self.context.conditions += [
            a.value == product + rest,
            rest >= 0,
            rest < b.value,
            quotient >= 0,
            quotient <= a.value,
        ]
        return quotient, rest

    def _unknown(self, term: Term) -> Number:
        """Any number of the width. The same operation on the same operands has the same result."""
        own = [self._known[arg].value for arg in term.args]
        called = z3.Function(f"{term.op}.{term.width}", *(z3.IntSort() for _ in own), z3.IntSort())
        value = called(*own)
        low, high = _limits(term.width)
        self.context.conditions += [value >= low, value <= high]
        return Number(value, low, high)


def _constant(value: int) -> Number:
    return Number(z3.IntVal(value), value, value)


def _limits(width: int) -> tuple[int, int]:
    return -(1 << width - 1), (1 << width - 1) - 1


def unsigned(number: Number, width: int) -> Number:
    """The nonnegative number with the same bits."""
    if number.low >= 0:
        return number
    turn = 1 << width
    value = z3.If(number.value < 0, number.value + turn, number.value)
    if number.high < 0:
        return Number(number.value + turn, number.low + turn, number.high + turn)
    return Number(value, 0, turn - 1)


def _floor(value: SmtTerm, by: int) -> SmtTerm:
    return value if by == 1 else value / by


def _bit(value: SmtTerm, at: int) -> SmtTerm:
    return _floor(value, 1 << at) % 2


def _masked(number: Number, mask: int) -> Number | None:
    """The bits of a constant mask; None if the mask has too many runs of ones."""
    if mask < 0:
        rest = _masked(number, ~mask)
        if rest is None:
            return None
        low = number.low - rest.high
        return Number(
            number.value - rest.value, min(low, 0) if number.low >= 0 else low, number.high
        )
    runs: list[tuple[int, int]] = []
    at = 0
    while mask >> at:
        if not (mask >> at) & 1:
            at += 1
            continue
        length = 0
        while (mask >> at + length) & 1:
            length += 1
        runs.append((at, length))
        at += length
    if len(runs) > MOST_RUNS:
        return None
    parts = [(_floor(number.value, 1 << at) % (1 << length)) * (1 << at) for at, length in runs]
    high = mask if number.low < 0 else min(mask, number.high)
    return Number(z3.Sum(parts) if len(parts) > 1 else [*parts, z3.IntVal(0)][0], 0, high)


def refine(context: Context, model: Any, most: int = 40) -> list[SmtTerm]:
    """Lemmas that exclude the wrong products of a model; empty if all products are right."""
    found: list[SmtTerm] = []
    for x, y, p in context.products.values():
        vx, vy, vp = (model.eval(term, model_completion=True).as_long() for term in (x, y, p))
        if vx * vy != vp:
            found += [z3.Implies(x == vx, p == vx * y), z3.Implies(y == vy, p == vy * x)]
            if len(found) >= most:
                break
    return found
