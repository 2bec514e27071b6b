"""Claims of rewrite rules as Z3 terms.

A value is a number and whether it is poison; an op may also be undefined behaviour, as division by
zero is. A claim fails where the left side is neither undefined behaviour nor poison, and the right
side is either or another number. Constants stay symbolic: a row's condition and its computed
constants are bit vectors wide enough that nothing wraps. Floating point is that of IEEE 754, with a
single NaN.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from itertools import product
from typing import Any, cast

from dev.z3_semantics import (
    CASTS,
    COMPARE,
    DIVISIONS,
    FLOAT_OPS,
    FP_COMPARE,
    FUNCTIONS,
    KNOWN,
    NUMBERS,
    PREDICATES,
    WIDE,
    next_integer,
)
from nvvm_xdsl.lab.validation.operators import (
    FCMP,
    FLOATS,
    ICMP,
    INTEGERS,
    NoTermError,
    propagating_nan,
)
from nvvm_xdsl.rules.language import (
    Apply,
    Computed,
    Const,
    Literal,
    Node,
    Rule,
    Special,
    Var,
    applications,
    predicates_of,
)
from nvvm_xdsl.rules.operators import INVERSE, SWAPPED, UNSIGNED
from nvvm_xdsl.rules.typing import FLOAT, Typing

BFLOAT = 15
"""Stands for `bfloat` among the widths of floats."""

FLOAT_FORMATS = {16: (5, 11), BFLOAT: (8, 8), 32: (8, 24), 64: (11, 53)}
"""Bits of exponent and significand of floats, by their width."""

HARD = frozenset({"mul", "udiv", "sdiv", "urem", "srem"})
"""Integer ops that are slow for solvers."""

ABSTRACTED = frozenset({"fadd", "fsub", "fmul", "fdiv", "fma", "sqrt", *HARD})
"""Ops that are first replaced by uninterpreted functions of the magnitudes."""

SIGN_OPS = frozenset({"fneg", "fabs", "copysign"})
"""Ops that only change the sign bit, including that of NaN. Rules with only these ops are claims
about bits."""

FAST = ("nnan", "ninf", "nsz")
"""Fast-math flags that are claims about the operands and the result."""


def z3_module() -> Any:
    """Z3, which is a dependency of development only."""
    return import_module("z3")


def _sign(z3: Any, n: Any) -> Any:
    return z3.BitVecVal(1 << (n.size() - 1), n.size())


def _fneg(z3: Any, n: Any) -> Any:
    return n ^ _sign(z3, n)


def _fabs(z3: Any, n: Any) -> Any:
    return n & ~_sign(z3, n)


def _copysign(z3: Any, a: Any, b: Any) -> Any:
    return _fabs(z3, a) | (b & _sign(z3, b))


SIGNS: dict[str, Callable[..., Any]] = {"fneg": _fneg, "fabs": _fabs, "copysign": _copysign}
"""The ops on the sign bit of floats as bits."""


@dataclass(frozen=True)
class Value:
    """A number and the condition under which it is poison; with `undef` each use may read another
    number."""

    number: Any
    poison: Any


Term = Any
"""A Z3 expression."""


class Claim:
    """The claim of one instance."""

    def __init__(
        self,
        rule: Rule,
        types: Typing,
        sizes: dict[int, int],
        predicates: dict[str, int],
        flags: frozenset[str],
        undef: bool,
        abstract: bool = False,
    ) -> None:
        self.abstract = abstract
        self.z3 = z3_module()
        self.rule = rule
        self.types = types
        self.sizes = sizes
        self.predicates = predicates
        self.flags = flags
        self.undef = undef
        self.wide = 2 * max(sizes.values(), default=1) + 8
        ops = {a.op.name for side in (rule.left, rule.right) for a in applications(side)}
        self.by_bits = "copysign" in ops and ops <= SIGN_OPS
        self.is_valid = True
        self.floating = any(types.kinds[types.find(n)] == FLOAT for n in sizes)
        self.inputs: dict[str, tuple[Any, Any, Any]] = {}
        self.constants: dict[str, Any] = {}
        self.named: dict[str, Value] = {}
        self.paths: dict[str, str] = {}
        self.choices: list[Any] = []
        self.uses: dict[int, str] = {}
        self.same_choices: Any = None
        """The counterexample if all uses of an input on the left read the same number."""
        self.bare: Any = None
        """The counterexample without quantifiers: with the choices of both sides as variables."""
        self.left_choices: list[Any] = []
        self.right_choices: list[Any] = []
        self.undefined: list[Any] = []
        self.count = 0

    def title(self) -> str:
        """A short description of the instance."""
        kinds = self.types.kinds
        names = list(
            dict.fromkeys(
                ("bf16" if w == BFLOAT else f"f{w}") if kinds[c] == FLOAT else f"i{w}"
                for c, w in self.sizes.items()
            )
        )
        for name, number in self.predicates.items():
            op = next(a.op for a in applications(self.rule.left) if a.predicate == name)
            names.append(predicates_of(op)[number])
        names += sorted(self.flags)
        if self.undef:
            names.append("undef")
        return " ".join(names)

    def size(self, path: str) -> int:
        """The width of the value at a path."""
        return self.sizes[self.types.of(path)]

    def is_float(self, path: str) -> bool:
        """Whether the value at a path is a float."""
        return self.types.kinds[self.types.of(path)] == FLOAT

    def sort(self, path: str) -> Any:
        """The Z3 sort of the value at a path."""
        z3 = self.z3
        if self.is_float(path):
            format = FLOAT_FORMATS[self.size(path)]
            return z3.BitVecSort(sum(format)) if self.by_bits else z3.FPSort(*format)
        return z3.BitVecSort(self.size(path))

    def wrong(self) -> Any:
        """A description of a counterexample.

        None if the condition permits no constants, or if no op has these types.
        """
        z3 = self.z3
        left = self.side(self.rule.left, "l")
        left_choices, self.choices = self.choices, []
        left_undefined, self.undefined = z3.Or(*self.undefined, False), []
        where = self.condition(self.rule.where) if self.rule.where else z3.BoolVal(True)
        if not self.is_possible(where):
            return None
        right = self.side(self.rule.right, "r")
        if not self.is_valid:
            return None
        right_undefined = z3.Or(*self.undefined, False)
        differs = left.number != right.number
        bad = z3.And(
            z3.Not(left_undefined),
            z3.Not(left.poison),
            z3.Or(right_undefined, right.poison, differs),
        )
        self.bare = z3.And(where, bad)
        self.left_choices, self.right_choices = left_choices, self.choices
        right_choices = {self.uses.get(c.get_id()): c for c in self.choices}
        if left_choices:
            ends = dict(zip(map(str, reversed(left_choices)), reversed(self.choices)))
            same = [(c, self.same_choice(c, right_choices, ends.get(str(c)))) for c in left_choices]
            self.same_choices = z3.And(where, z3.substitute(bad, *same))
        if left_choices:
            bad = self.for_all(left_choices, bad)
        return z3.And(where, bad)

    def same_choice(self, choice: Any, right: dict[str | None, Any], end: Any) -> Any:
        """The value that is tried for a choice of the left side.

        For a use of an input, the number that the right side reads or that the input has; otherwise
        the choice at the same position from the end.
        """
        z3 = self.z3
        name = self.uses.get(choice.get_id())
        if name is not None:
            return right.get(name, self.inputs[name][0])
        if end is not None and end.sort() == choice.sort():
            return end
        return z3.BitVecVal(0, choice.size()) if z3.is_bv(choice) else z3.FPVal(0.0, choice.sort())

    def is_possible(self, where: Any) -> bool:
        """Whether some constants may meet the condition."""
        solver = self.z3.Solver()
        solver.set("timeout", 500)
        solver.add(where)
        return solver.check() != self.z3.unsat

    def for_all(self, choices: list[Any], claim: Any) -> Any:
        """The claim for all numbers that the left side may choose."""
        z3 = self.z3
        bits = sum(c.size() if z3.is_bv(c) else 16 for c in choices)
        if bits > 10:
            return z3.ForAll(choices, claim)
        # All combinations are enumerated, because quantifiers are slow in Z3.
        numbers = product(*(range(1 << c.size()) for c in choices))
        return z3.And(
            *(
                z3.substitute(
                    claim,
                    *((c, z3.BitVecVal(n, c.size())) for c, n in zip(choices, given)),
                )
                for given in numbers
            )
        )

    def unknown(self, name: str, numbers: list[Any], path: str) -> Any:
        """The result of an uninterpreted function that only has the known properties of signs."""
        z3 = self.z3
        sort = self.sort(path)

        def function(of: str, *arguments: Any) -> Any:
            sorts = [argument.sort() for argument in arguments]
            return z3.Function(f"!{of}", *sorts, sort)(*arguments)

        if name == "fadd":
            # The sum does not depend on the order, and rounding not on the sign. x - x is +0.
            a, b = sorted(
                numbers, key=lambda n: str(n.arg(0) if z3.is_app_of(n, z3.Z3_OP_FPA_NEG) else n)
            )
            opposite = z3.And(a == z3.fpNeg(b), z3.Not(z3.fpIsInf(a)), z3.Not(z3.fpIsNaN(a)))
            negative = z3.fpNeg(function(name, z3.fpNeg(a), z3.fpNeg(b)))
            found = z3.If(z3.fpIsNegative(a), negative, function(name, a, b))
            # A sum with zero is exact.
            found = z3.If(z3.fpIsZero(a), b, z3.If(z3.fpIsZero(b), a, found))
            return propagating_nan(z3, a, b, z3.If(opposite, z3.FPVal(0.0, sort), found))
        if name in ("udiv", "urem"):
            a, b = numbers
            less = z3.BitVecVal(0, a.size()) if name == "udiv" else a
            return z3.If(z3.ULT(a, b), less, function(name, a, b))
        if name == "fsub":
            a, b = numbers
            return self.unknown("fadd", [a, z3.fpNeg(b)], path)
        if name in ("fmul", "fdiv"):
            a, b = numbers
            found = self.exact(name, z3.fpAbs(a), z3.fpAbs(b), function)
            differ = z3.Xor(z3.fpIsNegative(a), z3.fpIsNegative(b))
            return propagating_nan(z3, a, b, z3.If(differ, z3.fpNeg(found), found))
        if name == "fma":
            a, b, c = numbers
            for factor, exact in ((1.0, a), (-1.0, z3.fpNeg(a))):
                if b.eq(z3.FPVal(factor, sort)):
                    # The product is exact.
                    return self.unknown("fadd", [exact, c], path)
            product = self.unknown("fmul", [a, b], path)
            differ = z3.Xor(z3.fpIsNegative(a), z3.fpIsNegative(b))
            found = function(name, z3.fpAbs(a), z3.fpAbs(b), differ, c)
            # A sum with zero is the rounded product. Only -0 keeps the sign of a zero product.
            is_tiny = z3.Function("!underflows", sort, sort, z3.BoolSort())(a, b)
            keeps = z3.Or(z3.fpIsNegative(c), z3.Not(z3.fpIsZero(product)), is_tiny)
            sum_with_zero = z3.If(keeps, product, z3.FPVal(0.0, sort))
            found = z3.If(z3.fpIsZero(c), sum_with_zero, found)
            return propagating_nan(z3, a, b, found)
        return function(name, *numbers)

    def exact(self, name: str, a: Any, b: Any, function: Callable[..., Any]) -> Any:
        """A product or quotient of nonnegative numbers; x / x is 1."""
        z3 = self.z3
        found = function(name, a, b)
        if name != "fdiv":
            return found
        one = z3.FPVal(1.0, a.sort())
        no_number = z3.Or(z3.fpIsZero(a), z3.fpIsInf(a))
        same = z3.If(no_number, z3.fpNaN(a.sort()), one)
        return z3.If(a == b, same, found)

    def loose_zero(self, number: Any) -> Any:
        """A number whose sign is arbitrary if it is zero."""
        z3 = self.z3
        if not (z3.is_fp(number) or self.by_bits):
            return number
        if z3.is_fp_value(number) and not number.isZero():
            return number
        other = self.fresh(z3.BitVecSort(1))
        self.choices.append(other)
        is_zero = z3.fpIsZero(self.as_float(number))
        return z3.If(z3.And(is_zero, other == 1), self.negated(number), number)

    def negated(self, number: Any) -> Any:
        """A float with the other sign."""
        return SIGNS["fneg"](self.z3, number) if self.by_bits else self.z3.fpNeg(number)

    def as_float(self, number: Any) -> Any:
        """A number as a float, also if floats are represented as bits."""
        z3 = self.z3
        if z3.is_fp(number) or not self.by_bits:
            return number
        sizes = {
            sum(format): format for n, format in FLOAT_FORMATS.items() if n in self.sizes.values()
        }
        return z3.fpBVToFP(number, z3.FPSort(*sizes[number.size()]))

    # Values.

    def side(self, node: Node, path: str) -> Value:
        """A side of the rule."""
        z3 = self.z3
        no = z3.BoolVal(False)
        if isinstance(node, Var):
            return self.named.get(node.name) or self.read(node.name, path)
        if isinstance(node, Const):
            if path[0] == "l":
                return Value(self.constant(node.name, path), no)
            return Value(self.computed(node.name, path), no)
        if isinstance(node, Literal):
            return Value(self.literal(node.value, path), no)
        if isinstance(node, Computed):
            return Value(self.computed(node.source, path), no)
        if isinstance(node, Special):
            if node.name == "poison":
                return Value(self.zero(path), z3.BoolVal(True))
            if node.name == "undef":
                return Value(self.choice(path), no)
            return Value(self.zero(path), no)
        if isinstance(node, Apply):
            found = self.apply(node, path)
            if node.name:
                self.named[node.name] = found
                self.paths[node.name] = path
            return found
        raise NoTermError(str(node))

    def zero(self, path: str) -> Any:
        """The zero of the type at a path."""
        return self.literal(0, path)

    def literal(self, value: float, path: str) -> Any:
        """A number of the type at a path."""
        z3 = self.z3
        if self.is_float(path) and self.by_bits:
            raise NoTermError("a float among bits")
        if self.is_float(path):
            return z3.FPVal(float(value), self.sort(path))
        return z3.BitVecVal(int(value), self.size(path))

    def fresh(self, sort: Any) -> Any:
        """A new variable."""
        self.count += 1
        return self.z3.Const(f"!{self.count}", sort)

    def constant(self, name: str, path: str) -> Any:
        """A constant of the left side."""
        if name not in self.constants:
            self.constants[name] = self.z3.Const(name, self.sort(path))
            self.paths[name] = path
        return self.constants[name]

    def choice(self, path: str) -> Any:
        """A number that the side may choose."""
        found = self.fresh(self.sort(path))
        self.choices.append(found)
        return found

    def read(self, name: str, path: str) -> Value:
        """One use of an input."""
        z3 = self.z3
        if name not in self.inputs:
            number = z3.Const(name, self.sort(path))
            poison = z3.Bool(f"{name}_is_poison")
            undef = z3.Bool(f"{name}_is_undef")
            self.paths[name] = path
            facts = set(re.findall(rf"\b(\w+)\([^()]*\b{name}\b", self.rule.where))
            if facts & {"is_constant", "well_defined"} or any(map(_is_known, facts)):
                undef = z3.BoolVal(False)
            # Other facts hold unless the input is poison.
            if facts & {"well_defined", "known_defined"}:
                poison = z3.BoolVal(False)
            self.inputs[name] = (number, poison, undef)
        number, poison, undef = self.inputs[name]
        if self.undef:
            chosen = self.choice(path)
            self.uses[chosen.get_id()] = name
            number = z3.If(undef, chosen, number)
        return Value(number, poison)

    def carried(self, node: Apply, path: str) -> frozenset[str]:
        """The flags that an op has in this instance."""
        allowed = node.op.flags
        more: set[str] = set()
        for flag in self.flags:
            if flag in allowed or (flag in FAST and "fast" in allowed):
                more.add(flag)
        flags = node.flags | more
        if path[0] == "r" and "fast" in allowed:
            carriers = [a.flags for a in applications(self.rule.left) if "fast" in a.op.flags]
            common = set(carriers[0]) if carriers else set[str]()
            for carried in carriers:
                common &= carried
            flags = (flags | common) - self.rule.drop
        return frozenset(flags)

    def apply(self, node: Apply, path: str) -> Value:
        """An op."""
        z3 = self.z3
        args = [self.side(arg, f"{path}{i}") for i, arg in enumerate(node.args)]
        flags = self.carried(node, path)
        name = node.op.name
        if name == "select":
            c, a, b = args
            taken = c.number == 1
            number = z3.If(taken, a.number, b.number)
            poison = [c.poison, z3.If(taken, a.poison, b.poison)]
            if z3.is_fp(number):
                poison += self.fast_poison([number], flags)
                if "nsz" in flags:
                    number = self.loose_zero(number)
            return Value(number, z3.Or(*poison))
        if name == "freeze":
            (x,) = args
            return Value(z3.If(x.poison, self.choice(path), x.number), z3.BoolVal(False))
        numbers = [arg.number for arg in args]
        loose_zeros = "fast" in node.op.flags and "nsz" in flags and name != "select"
        if loose_zeros:
            numbers = [self.loose_zero(number) for number in numbers]
        poison = [arg.poison for arg in args]
        if name in ("icmp", "fcmp", "icmpp"):
            result = self.compare(name, self.predicate(node), *numbers)
        elif self.abstract and name in ABSTRACTED:
            result = self.unknown(name, numbers, path)
        elif self.by_bits:
            result = SIGNS[name](z3, *numbers)
        elif name in FLOATS:
            result = FLOATS[name](z3, *numbers)
        elif name in CASTS:
            result = self.cast(name, numbers[0], path, flags, poison)
        elif name in INTEGERS:
            result = INTEGERS[name](z3, *numbers)
        else:
            raise NoTermError(f"{name} is not translated")
        if name in INTEGERS:
            poison += self.flag_poison(name, numbers, result, flags)
            if name in DIVISIONS:
                x, y = numbers
                bad = [y == 0, args[1].poison]
                if name[0] == "s":
                    least = 1 << (y.size() - 1)
                    bad.append(z3.And(x == least, y == -1))
                self.undefined.append(z3.Or(*bad))
        if "fast" in node.op.flags:
            poison += self.fast_poison([*numbers, result], flags)
        if loose_zeros:
            result = self.loose_zero(result)
        return Value(result, z3.Or(*poison))

    def fast_poison(self, numbers: list[Any], flags: frozenset[str]) -> list[Any]:
        """The conditions under which nnan and ninf make a result poison, given the result and the
        operands."""
        z3 = self.z3
        found: list[Any] = []
        for number in map(self.as_float, numbers):
            if z3.is_fp(number):
                if "nnan" in flags:
                    found.append(z3.fpIsNaN(number))
                if "ninf" in flags:
                    found.append(z3.fpIsInf(number))
        return found

    def predicate(self, node: Apply) -> int:
        """The number of a comparison's predicate."""
        known = predicates_of(node.op)
        name = node.predicate
        if name in known:
            return known.index(name)
        for prefix, table in (
            ("inverse-", INVERSE),
            ("swapped-", SWAPPED),
            ("unsigned-", UNSIGNED),
        ):
            if name.startswith(prefix):
                return table[node.op.name][self.predicates[name.removeprefix(prefix)]]
        return self.predicates[name]

    def compare(self, name: str, predicate: int, a: Any, b: Any) -> Any:
        """The i1 of a comparison."""
        z3 = self.z3
        if name in ("icmp", "icmpp"):
            truth = ICMP[predicate](z3, a, b)
        else:
            unordered = z3.Or(z3.fpIsNaN(a), z3.fpIsNaN(b))
            if predicate in (0, 15):
                truth = z3.BoolVal(predicate == 15)
            elif predicate in (7, 14):
                truth = unordered if predicate == 14 else z3.Not(unordered)
            elif predicate < 7:
                truth = z3.And(z3.Not(unordered), FCMP[predicate](z3, a, b))
            else:
                truth = z3.Or(unordered, FCMP[predicate - 7](z3, a, b))
        return z3.If(truth, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))

    def cast(self, name: str, x: Any, path: str, flags: frozenset[str], poison: list[Any]) -> Any:
        """A change of type."""
        z3 = self.z3
        if name in ("fpext", "fptrunc"):
            return z3.fpFPToFP(z3.RNE(), x, self.sort(path))
        if name in ("sitofp", "uitofp"):
            if "nneg" in flags:
                poison.append(x < 0)
            convert = z3.fpSignedToFP if name == "sitofp" else z3.fpUnsignedToFP
            return convert(z3.RNE(), x, self.sort(path))
        to = self.size(path)
        if name in ("fptosi", "fptoui"):
            return self.to_integer(name == "fptosi", x, to, poison)
        if name in ("bitcast", "spacecast"):
            # A cast to the same space is the identity. Casts to other spaces are uninterpreted.
            if name == "bitcast" or x.size() == to:
                self.is_valid &= x.size() == to
                return z3.BitVecVal(0, to) if x.size() != to else x
            return z3.Function(f"!{name} to {to}", x.sort(), z3.BitVecSort(to))(x)
        if name == "trunc":
            result = z3.Extract(to - 1, 0, x)
            if "nuw" in flags:
                poison.append(z3.ZeroExt(x.size() - to, result) != x)
            if "nsw" in flags:
                poison.append(z3.SignExt(x.size() - to, result) != x)
            return result
        if "nneg" in flags:
            poison.append(x < 0)
        extend = z3.ZeroExt if name == "zext" else z3.SignExt
        return extend(to - x.size(), x)

    def to_integer(self, signed: bool, x: Any, width: int, poison: list[Any]) -> Any:
        """A float rounded towards zero; poison if the integer does not fit."""
        z3 = self.z3
        convert, back = (z3.fpToSBV, z3.fpSignedToFP) if signed else (z3.fpToUBV, z3.fpUnsignedToFP)
        result = convert(z3.RTZ(), x, z3.BitVecSort(width))
        whole = z3.fpRoundToIntegral(z3.RTZ(), x)
        # No integer that fits is rounded towards zero to one that does not fit.
        poison.append(z3.Not(z3.fpEQ(back(z3.RTZ(), result, x.sort()), whole)))
        return result

    def flag_poison(
        self, name: str, numbers: list[Any], result: Any, flags: frozenset[str]
    ) -> list[Any]:
        """The conditions under which flags, or requirements of the op, make the result poison."""
        z3 = self.z3
        found: list[Any] = []
        w = result.size()
        if name in ("add", "sub", "mul") and flags & {"nsw", "nuw"}:
            for flag, extend in (("nsw", z3.SignExt), ("nuw", z3.ZeroExt)):
                if flag in flags:
                    a, b = (extend(w, n) for n in numbers)
                    exact = INTEGERS[name](z3, a, b)
                    found.append(exact != extend(w, result))
        if name in ("shl", "lshr", "ashr"):
            x, y = numbers
            found.append(z3.UGE(y, w) if (1 << w) > w else z3.BoolVal(False))
            if "nsw" in flags:
                found.append((result >> y) != x)
            if "nuw" in flags:
                found.append(z3.LShR(result, y) != x)
            if "exact" in flags:
                found.append((result << y) != x)
        if name in ("udiv", "sdiv") and "exact" in flags:
            found.append(result * numbers[1] != numbers[0])
        if name == "or" and "disjoint" in flags:
            found.append((numbers[0] & numbers[1]) != 0)
        if name in ("ctlz", "cttz") and "zero_poison" in flags:
            found.append(numbers[0] == 0)
        if name == "abs" and "int_min_poison" in flags:
            found.append(numbers[0] == (1 << (w - 1)))
        return found

    # Conditions and computed constants.

    def computed(self, source: str, path: str) -> Any:
        """A constant of the right side."""
        z3 = self.z3
        number = Expression(self).value(parsed(source))
        if self.is_float(path):
            sort = self.sort(path)
            if not z3.is_fp(number):
                return z3.FPVal(float(number), sort)
            return number if number.sort() == sort else z3.fpFPToFP(z3.RNE(), number, sort)
        return z3.Extract(self.size(path) - 1, 0, self.widened(number))

    def widened(self, number: Any) -> Any:
        """A number as a signed bit vector in which nothing wraps."""
        return self.z3.BitVecVal(number, self.wide) if isinstance(number, int) else number

    def condition(self, source: str) -> Any:
        """A row's condition."""
        found = Expression(self).value(parsed(source))
        return self.z3.BoolVal(found) if isinstance(found, bool) else found


def _is_known(fact: str) -> bool:
    return fact.startswith("known_")


def parsed(source: str) -> ast.expr:
    return ast.parse(source.strip(), mode="eval").body


class Expression:
    """Translates Python expressions over constants."""

    def __init__(self, claim: Claim) -> None:
        self.claim = claim
        self.z3 = claim.z3

    def value(self, node: ast.expr) -> Any:
        """A number in wide bits, a Z3 truth, or a Python number."""
        z3 = self.z3
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return self.name(node.id)
        if isinstance(node, ast.BoolOp):
            parts = [self.truth(self.value(v)) for v in node.values]
            return z3.And(*parts) if isinstance(node.op, ast.And) else z3.Or(*parts)
        if isinstance(node, ast.UnaryOp):
            inner = self.value(node.operand)
            if isinstance(node.op, ast.Not):
                return z3.Not(self.truth(inner))
            if z3.is_expr(inner) and z3.is_fp(inner):
                return z3.fpNeg(inner)
            return self.inverted(inner) if isinstance(node.op, ast.Invert) else -inner
        if isinstance(node, ast.BinOp):
            return self.binary(node.op, self.value(node.left), self.value(node.right))
        if isinstance(node, ast.Compare):
            values = [self.value(v) for v in (node.left, *node.comparators)]
            parts = [self.compare(op, a, b) for op, a, b in zip(node.ops, values, values[1:])]
            return z3.And(*parts) if len(parts) > 1 else parts[0]
        if isinstance(node, ast.IfExp):
            test = self.truth(self.value(node.test))
            a, b = self.value(node.body), self.value(node.orelse)
            return z3.If(test, self.claim.widened(a), self.claim.widened(b))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            return self.call(node.func.id, node.args)
        raise NoTermError(ast.unparse(node))

    def inverted(self, number: Any) -> Any:
        """The bitwise complement."""
        return ~number

    def truth(self, value: Any) -> Any:
        """A value as a condition."""
        if isinstance(value, bool | int):
            return self.z3.BoolVal(bool(value))
        return value if self.z3.is_bool(value) else value != 0

    def name(self, name: str) -> Any:
        """A constant, a predicate's number, or `width`."""
        claim = self.claim
        if name == "width":
            return claim.size("l0" if claim.rule.left.predicate else "l")
        if name in claim.predicates:
            return claim.predicates[name]
        number = claim.as_float(claim.constants[name])
        if self.z3.is_fp(number):
            return number
        return self.z3.ZeroExt(claim.wide - number.size(), number)

    def binary(self, op: ast.operator, a: Any, b: Any) -> Any:
        """Arithmetic: in Python for two Python numbers, else in wide bits."""
        z3 = self.z3
        if isinstance(a, int) and isinstance(b, int):
            # Operations that the condition excludes are not computed.
            if isinstance(op, ast.LShift | ast.RShift) and b < 0:
                return 0
            if isinstance(op, ast.Mod | ast.FloorDiv) and b == 0:
                return 0
            return NUMBERS[type(op)](a, b)
        if any(z3.is_expr(x) and z3.is_fp(x) for x in (a, b)):
            sort = cast(Any, a if z3.is_expr(a) else b).sort()
            a, b = (x if z3.is_expr(x) else z3.FPVal(float(x), sort) for x in (a, b))
            return FLOATS[FLOAT_OPS[type(op)]](z3, a, b)
        a, b = self.claim.widened(a), self.claim.widened(b)
        return WIDE[type(op)](z3, a, b)

    def compare(self, op: ast.cmpop, a: Any, b: Any) -> Any:
        """A comparison."""
        if isinstance(a, int) and isinstance(b, int):
            return self.z3.BoolVal(COMPARE[type(op)](a, b))
        if any(self.z3.is_expr(x) and self.z3.is_fp(x) for x in (a, b)):
            sort = cast(Any, a if self.z3.is_expr(a) else b).sort()
            a, b = (x if self.z3.is_expr(x) else self.z3.FPVal(float(x), sort) for x in (a, b))
            return FP_COMPARE[type(op)](self.z3, a, b)
        return COMPARE[type(op)](self.claim.widened(a), self.claim.widened(b))

    def call(self, name: str, arguments: list[ast.expr]) -> Any:
        """A function of `predicates`."""
        claim, z3 = self.claim, self.z3
        if name == "width":
            assert isinstance(arguments[0], ast.Name)
            return claim.size(claim.paths[arguments[0].id])
        if name == "type":
            assert isinstance(arguments[0], ast.Name)
            return claim.sort(claim.paths[arguments[0].id])
        if name == "s":
            assert isinstance(arguments[0], ast.Name)
            number = claim.constants[arguments[0].id]
            return z3.SignExt(claim.wide - number.size(), number)
        if name in ("max", "min"):
            a, b = (claim.widened(self.value(x)) for x in arguments)
            return z3.If(a > b, a, b) if name == "max" else z3.If(a < b, a, b)
        if name in ("is_constant", "well_defined", "one_use"):
            return z3.BoolVal(True)
        if name == "no_signed_wrap":
            # Without the flag fewer values of the left side are poison: the stronger claim.
            return z3.BoolVal(False)
        if name.startswith("known_") or name == "is_object":
            assert isinstance(arguments[0], ast.Name)
            number = claim.inputs[arguments[0].id][0]
            rest = [
                claim.inputs[a.id][0]
                if isinstance(a, ast.Name) and a.id in claim.inputs
                else z3.Extract(number.size() - 1, 0, claim.widened(self.value(a)))
                for a in arguments[1:]
            ]
            return KNOWN[name](z3, number, *rest)
        values = [self.value(a) for a in arguments]
        if name in ("ceiling", "floor_of"):
            return next_integer(z3, values[0], name == "ceiling", claim.wide)
        if name in PREDICATES and all(isinstance(v, int) for v in values):
            return z3.BoolVal(PREDICATES[name](*values))
        if name not in FUNCTIONS:
            raise NoTermError(f"{name} is not translated")
        if z3.is_expr(values[-1]) and z3.is_fp(values[-1]):
            return FUNCTIONS[name](z3, *values)
        return FUNCTIONS[name](z3, claim.widened(values[0]), *values[1:])
