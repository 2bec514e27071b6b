"""Proofs of rewrite rules by Z3.

For a row of `rules` and a choice of types, predicates and flags the claim is: for all inputs,
poison and undef included, the right side refines the left. A value is a number and whether it is
poison; an op may also be undefined behaviour, as division by zero is. The claim fails where the
left side is neither undefined behaviour nor poison, and the right side is either or another
number. With undef, each use of an input may read another number: for all the numbers that the
right side reads there must be some with which the left side gives the same. (LLVM Language
Reference, "Undefined Values", "Poison Values"; the notion of refinement is Alive2's.)

Constants stay symbolic: a row's condition and its computed constants are translated too, in
bit vectors wide enough that nothing wraps. Floating point is IEEE's at half precision; NaNs are
all one. What the flags reassoc, arcp, contract and afn allow is not a claim about numbers, so such
rows are not proved.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
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
)
from nvvm_xdsl.lab.validation.operators import (
    FCMP,
    FLOATS,
    ICMP,
    INTEGERS,
    NoTermError,
    propagating_nan,
)
from nvvm_xdsl.lab.validation.solver import solve
from nvvm_xdsl.rules.language import (
    Apply,
    Computed,
    Const,
    Function,
    Literal,
    Node,
    Rule,
    Special,
    Var,
    applications,
    predicates_of,
)
from nvvm_xdsl.rules.operators import INVERSE, SWAPPED, UNSIGNED
from nvvm_xdsl.rules.typing import FLOAT, POINTER, Typing, typing_of

WIDTHS = (1, 2, 4, 8, 16, 32, 64, 128)

BFLOAT = 15
"""Stands for `bfloat` among the widths of floats."""
FAST_WIDTHS = (1, 8)

FAST_TIMEOUT = 1.0
"""Seconds for an instance up to which arithmetic of floats is not even tried."""

FLOAT_FORMATS = {16: (5, 11), BFLOAT: (8, 8), 32: (8, 24), 64: (11, 53)}
"""Bits of exponent and significand of floats, by their width."""

_LOOSE = frozenset({"reassoc", "arcp", "contract", "afn"})
_UNKNOWN_OPS = frozenset(
    {
        "copysign",
        "fmuladd",
        "frem",
        "bitcast",
        "spacecast",
        "ptrtoint",
        "inttoptr",
        "gep",
        "fptosi",
        "fptoui",
    }
)
_HARD = frozenset({"mul", "udiv", "sdiv", "urem", "srem"})
"""Ops that take Z3 long; 4 bits in place of 8 where 8 is the most asked for."""

_ABSTRACTED = frozenset({"fadd", "fsub", "fmul", "fdiv", "fma", "sqrt", *_HARD})
"""Ops that are first taken for any function, as far as they are not of signs."""

_FAST = ("nnan", "ninf", "nsz")


def _z3() -> Any:
    return import_module("z3")


class DisprovedError(AssertionError):
    """The claim is wrong; the message holds a counterexample."""


@dataclass
class Proof:
    """The result for a rule.

    Attributes:
        proved: instances proved, as `i8` or `i8 i16 slt nuw`.
        open: instances that did not end in time.
        unsupported: why the rule cannot be claimed; empty if it can.
    """

    name: str
    proved: list[str] = field(default_factory=list[str])
    open: list[str] = field(default_factory=list[str])
    unsupported: str = ""

    @property
    def is_complete(self) -> bool:
        """Whether all instances are proved."""
        return bool(self.proved) and not self.open and not self.unsupported


@dataclass(frozen=True)
class _Value:
    """A number and when it is poison; `undef` when each use may read another number."""

    number: Any
    poison: Any


Term = Any
"""A Z3 expression."""


def prove(
    rule: Rule,
    widths: Sequence[int] = WIDTHS,
    timeout: float = 5.0,
    *,
    undef: bool = True,
) -> Proof:
    """Proves the rule's claim for each instance.

    Arguments:
        widths: of integers; casts take neighbours of them.
        timeout: seconds for one instance.
        undef: prove the claim with undef too, at the smallest width above one bit.
    Raises:
        DisprovedError: the claim is wrong.
    """
    found = Proof(rule.name)
    why = objection(rule)
    if why:
        found.unsupported = why
        return found
    types = typing_of(rule)
    names = {a.op.name for side in (rule.left, rule.right) for a in applications(side)}
    if "bswap" in names:
        widths = [w for w in WIDTHS if w % 16 == 0 and w <= max(*widths, 16)]
        undef = False
    elif names & _HARD:
        widths = sorted({min(w, 4) if w <= 8 == max(widths) else w for w in widths})
    # An instance is not tried if a narrower one with the same predicates and flags is open.
    hopeless: set[Hashable] = set()
    for sizes in _sizes(types, widths):
        for chosen in _predicate_choices(rule):
            for flags in _flag_choices(rule):
                _prove_instance(rule, types, sizes, chosen, flags, timeout, False, found, hopeless)
    if undef and not any(kind == FLOAT for kind in types.kinds):
        for sizes in _sizes(types, (2,)):
            for chosen in _predicate_choices(rule):
                none = frozenset[str]()
                _prove_instance(rule, types, sizes, chosen, none, timeout, True, found, hopeless)
    if not (found.proved or found.open) and max(widths) < 32:
        return prove(rule, (32, 64), timeout, undef=undef)
    return found


def objection(rule: Rule) -> str:
    """Why a rule makes no claim that is translated; empty if it does."""
    if isinstance(rule.right, Function):
        return "the right side is a function"
    types = typing_of(rule)
    if POINTER in types.kinds:
        return "pointers"
    for node in (*applications(rule.left), *applications(rule.right)):
        if node.flags & _LOOSE:
            return "fast-math flags that allow other results"
        if node.op.name in _UNKNOWN_OPS:
            return f"{node.op.name} is not translated"
    return ""


def _sizes(types: Typing, widths: Sequence[int]) -> Iterator[dict[int, int]]:
    """Widths for the type classes; half for floats, single and double for wider ones."""
    classes = types.classes()
    orders = [(order, types.find(a), types.find(b)) for order, a, b in types.orders]
    free = [c for c in classes if not types.fixed[c] and types.kinds[c] != FLOAT]
    floats = [c for c in classes if types.kinds[c] == FLOAT]
    pools: list[Sequence[int]] = []
    for number in classes:
        if types.fixed[number]:
            pools.append([int(types.fixed[number][1:])])
        elif number in floats:
            wide = [16, BFLOAT, 32, 64] if max(widths) > 64 else [16]
            pools.append([16, 32, 64] if len(floats) > 2 else [16, 32] if orders else wide)
        elif len(free) > 1:
            pools.append([w for w in (*_NEIGHBOURS, *widths) if w <= max(widths)])
        else:
            pools.append(widths)
    count = 0
    seen: set[tuple[int, ...]] = set()
    for chosen in product(*pools):
        given = dict(zip(classes, chosen))
        if chosen in seen or not all(
            given[a] < given[b] if order == "wider" else given[a] > given[b]
            for order, a, b in orders
        ):
            continue
        # Casts: some widths next to each other are enough.
        picked = sorted({given[c] for c in free})
        if len(free) > 1 and not _is_picked(picked, widths):
            continue
        seen.add(chosen)
        count += 1
        yield given
        if count == 24:
            return


_NEIGHBOURS = (2, 3, 5)


def _is_picked(picked: list[int], widths: Sequence[int]) -> bool:
    small = all(w <= 5 for w in picked)
    return small or (8 in picked and picked[-1] <= max(8, *widths)) or picked[0] >= 16


def _predicate_choices(rule: Rule) -> Iterator[dict[str, int]]:
    free = {a.predicate: predicates_of(a.op) for a in applications(rule.left) if a.predicate}
    names = [name for name, known in free.items() if name not in known]
    for chosen in product(*(range(len(free[name])) for name in names)):
        yield dict(zip(names, chosen))


def _flag_choices(rule: Rule) -> Iterator[frozenset[str]]:
    """The flags that all ops matched carry beyond those that the row names."""
    kept = list(rule.keep)
    if any("fast" in a.op.flags for a in applications(rule.left)):
        kept += _FAST
    yield frozenset()
    for flag in kept:
        yield frozenset({flag})
    if len(kept) > 1:
        yield frozenset(kept)


def _prove_instance(
    rule: Rule,
    types: Typing,
    sizes: dict[int, int],
    predicates: dict[str, int],
    flags: frozenset[str],
    timeout: float,
    undef: bool,
    found: Proof,
    hopeless: set[Hashable],
) -> None:
    z3 = _z3()
    names = {a.op.name for side in (rule.left, rule.right) for a in applications(side)}
    if names & _ABSTRACTED and not undef:
        # Constraints that hold for all results of these ops.
        claim = _Claim(rule, types, sizes, predicates, flags, undef, abstract=True)
        wrong = claim.wrong()
        if wrong is None:
            return
        solver = z3.Solver()
        solver.set("timeout", max(300, int(timeout * 400)))
        solver.add(wrong)
        if solver.check() == z3.unsat:
            found.proved.append(claim.title())
            return
    claim = _Claim(rule, types, sizes, predicates, flags, undef)
    name = claim.title()
    if claim.floating and timeout <= FAST_TIMEOUT and names & _ABSTRACTED:
        found.open.append(name)
        return
    wrong = claim.wrong()
    if wrong is None:
        return
    key = (tuple(predicates.items()), flags, undef)
    if key in hopeless:
        found.open.append(name)
        return
    solution = solve([wrong], timeout)
    if solution.answer == "unsat":
        found.proved.append(name)
    elif solution.answer == "sat":
        raise DisprovedError(f"{rule.text}\n  at {name}: {_shown(solution.model)}")
    else:
        found.open.append(name)
        hopeless.add(key)


def _shown(model: dict[str, Any]) -> str:
    names = sorted(name for name in model if not name.startswith("!"))
    return ", ".join(f"{name} = {model[name]}" for name in names)


class _Claim:
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
        self.z3 = _z3()
        self.rule = rule
        self.types = types
        self.sizes = sizes
        self.predicates = predicates
        self.flags = flags
        self.undef = undef
        self.wide = 2 * max(sizes.values()) + 8
        self.floating = any(types.kinds[types.find(n)] == FLOAT for n in sizes)
        self.inputs: dict[str, tuple[Any, Any, Any]] = {}
        self.constants: dict[str, Any] = {}
        self.named: dict[str, _Value] = {}
        self.paths: dict[str, str] = {}
        self.choices: list[Any] = []
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
        """The width of a place."""
        return self.sizes[self.types.of(path)]

    def is_float(self, path: str) -> bool:
        """Whether a place is of a float type."""
        return self.types.kinds[self.types.of(path)] == FLOAT

    def sort(self, path: str) -> Any:
        """The Z3 sort of a place."""
        z3 = self.z3
        if self.is_float(path):
            return z3.FPSort(*FLOAT_FORMATS[self.size(path)])
        return z3.BitVecSort(self.size(path))

    def wrong(self) -> Any:
        """A description of a counterexample; None if the condition permits no constants."""
        z3 = self.z3
        left = self.side(self.rule.left, "l")
        left_choices, self.choices = self.choices, []
        left_undefined, self.undefined = z3.Or(*self.undefined, False), []
        where = self.condition(self.rule.where) if self.rule.where else z3.BoolVal(True)
        solver = z3.Solver()
        solver.set("timeout", 500)
        solver.add(where)
        if solver.check() == z3.unsat:
            return None
        right = self.side(self.rule.right, "r")
        right_undefined = z3.Or(*self.undefined, False)
        differs = left.number != right.number
        bad = z3.And(
            z3.Not(left_undefined),
            z3.Not(left.poison),
            z3.Or(right_undefined, right.poison, differs),
        )
        if left_choices:
            bad = self.for_all(left_choices, bad)
        return z3.And(where, bad)

    def for_all(self, choices: list[Any], claim: Any) -> Any:
        """The claim for all numbers that the left side may choose."""
        z3 = self.z3
        bits = sum(c.size() if z3.is_bv(c) else 16 for c in choices)
        if bits > 10:
            return z3.ForAll(choices, claim)
        # Spelled out: quantifiers take Z3 long.
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
        """The result of a function of which nothing is known but how signs go through it."""
        z3 = self.z3
        sort = self.sort(path)

        def function(of: str, *arguments: Any) -> Any:
            sorts = [argument.sort() for argument in arguments]
            return z3.Function(f"!{of}", *sorts, sort)(*arguments)

        if name == "fsub":
            a, b = numbers
            return function("fadd", a, z3.fpNeg(b))
        if name in ("fmul", "fdiv"):
            a, b = numbers
            found = function(name, z3.fpAbs(a), z3.fpAbs(b))
            differ = z3.Xor(z3.fpIsNegative(a), z3.fpIsNegative(b))
            return propagating_nan(z3, a, b, z3.If(differ, z3.fpNeg(found), found))
        if name == "fma":
            a, b, c = numbers
            differ = z3.Xor(z3.fpIsNegative(a), z3.fpIsNegative(b))
            found = function(name, z3.fpAbs(a), z3.fpAbs(b), differ, c)
            return propagating_nan(z3, a, b, found)
        return function(name, *numbers)

    def loose_zero(self, number: Any) -> Any:
        """A number whose sign does not count when it is zero."""
        z3 = self.z3
        if not z3.is_fp(number):
            return number
        other = self.fresh(z3.BitVecSort(1))
        self.choices.append(other)
        return z3.If(z3.And(z3.fpIsZero(number), other == 1), z3.fpNeg(number), number)

    # Values.

    def side(self, node: Node, path: str) -> _Value:
        """A side of the rule."""
        z3 = self.z3
        no = z3.BoolVal(False)
        if isinstance(node, Var):
            return self.named.get(node.name) or self.read(node.name, path)
        if isinstance(node, Const):
            if path[0] == "l":
                if node.name not in self.constants:
                    self.constants[node.name] = z3.Const(node.name, self.sort(path))
                    self.paths[node.name] = path
                return _Value(self.constants[node.name], no)
            return _Value(self.computed(node.name, path), no)
        if isinstance(node, Literal):
            return _Value(self.literal(node.value, path), no)
        if isinstance(node, Computed):
            return _Value(self.computed(node.source, path), no)
        if isinstance(node, Special):
            if node.name == "poison":
                return _Value(self.zero(path), z3.BoolVal(True))
            if node.name == "undef":
                return _Value(self.choice(path), no)
            return _Value(self.zero(path), no)
        if isinstance(node, Apply):
            found = self.apply(node, path)
            if node.name:
                self.named[node.name] = found
                self.paths[node.name] = path
            return found
        raise NoTermError(str(node))

    def zero(self, path: str) -> Any:
        """The zero of a place's type."""
        return self.literal(0, path)

    def literal(self, value: float, path: str) -> Any:
        """A number of a place's type."""
        z3 = self.z3
        if self.is_float(path):
            return z3.FPVal(float(value), self.sort(path))
        return z3.BitVecVal(int(value), self.size(path))

    def fresh(self, sort: Any) -> Any:
        """A variable of its own."""
        self.count += 1
        return self.z3.Const(f"!{self.count}", sort)

    def choice(self, path: str) -> Any:
        """A number that the side may choose."""
        found = self.fresh(self.sort(path))
        self.choices.append(found)
        return found

    def read(self, name: str, path: str) -> _Value:
        """One use of an input."""
        z3 = self.z3
        if name not in self.inputs:
            number = z3.Const(name, self.sort(path))
            poison = z3.Bool(f"{name}_is_poison")
            undef = z3.Bool(f"{name}_is_undef")
            self.paths[name] = path
            if re.search(
                rf"\b(well_defined|is_constant|known_\w+)\([^()]*\b{name}\b", self.rule.where
            ):
                undef = z3.BoolVal(False)
                if f"is_constant({name})" not in self.rule.where:
                    poison = z3.BoolVal(False)
            self.inputs[name] = (number, poison, undef)
        number, poison, undef = self.inputs[name]
        if self.undef:
            number = z3.If(undef, self.choice(path), number)
        return _Value(number, poison)

    def carried(self, node: Apply, path: str) -> frozenset[str]:
        """The flags that an op has in this instance."""
        allowed = node.op.flags
        more: set[str] = set()
        for flag in self.flags:
            if flag in allowed or (flag in _FAST and "fast" in allowed):
                more.add(flag)
        flags = node.flags | more
        if path[0] == "r" and "fast" in allowed:
            carriers = [a.flags for a in applications(self.rule.left) if "fast" in a.op.flags]
            common = set(carriers[0]) if carriers else set[str]()
            for carried in carriers:
                common &= carried
            flags |= common
        return frozenset(flags)

    def apply(self, node: Apply, path: str) -> _Value:
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
            return _Value(number, z3.Or(*poison))
        if name == "freeze":
            (x,) = args
            return _Value(z3.If(x.poison, self.choice(path), x.number), z3.BoolVal(False))
        numbers = [arg.number for arg in args]
        loose_zeros = "fast" in node.op.flags and "nsz" in flags and name != "select"
        if loose_zeros:
            numbers = [self.loose_zero(number) for number in numbers]
        poison = [arg.poison for arg in args]
        if name in ("icmp", "fcmp"):
            result = self.compare(name, self.predicate(node), *numbers)
        elif self.abstract and name in _ABSTRACTED:
            result = self.unknown(name, numbers, path)
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
        return _Value(result, z3.Or(*poison))

    def fast_poison(self, numbers: list[Any], flags: frozenset[str]) -> list[Any]:
        """When nnan and ninf make a result poison, given it and the operands."""
        z3 = self.z3
        found: list[Any] = []
        for number in numbers:
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
        if name == "icmp":
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
            raise NoTermError(f"{name} is not translated")
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

    def flag_poison(
        self, name: str, numbers: list[Any], result: Any, flags: frozenset[str]
    ) -> list[Any]:
        """When flags, or what the op itself demands, make the result poison."""
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
        number = _Expression(self).value(_parsed(source))
        if self.is_float(path):
            return number if z3.is_fp(number) else z3.FPVal(float(number), self.sort(path))
        return z3.Extract(self.size(path) - 1, 0, self.widened(number))

    def widened(self, number: Any) -> Any:
        """A number as a signed bit vector in which nothing wraps."""
        return self.z3.BitVecVal(number, self.wide) if isinstance(number, int) else number

    def condition(self, source: str) -> Any:
        """A row's condition."""
        found = _Expression(self).value(_parsed(source))
        return self.z3.BoolVal(found) if isinstance(found, bool) else found


def _parsed(source: str) -> ast.expr:
    return ast.parse(source.strip(), mode="eval").body


class _Expression:
    """Translates Python expressions over constants."""

    def __init__(self, claim: _Claim) -> None:
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
            return ~inner if isinstance(node.op, ast.Invert) else -inner
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
        number = claim.constants[name]
        if self.z3.is_fp(number):
            return number
        return self.z3.ZeroExt(claim.wide - number.size(), number)

    def binary(self, op: ast.operator, a: Any, b: Any) -> Any:
        """Arithmetic; a Python number with Python's, anything else in wide bits."""
        z3 = self.z3
        if isinstance(a, int) and isinstance(b, int):
            # What a condition rules out beforehand is not computed.
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
        if name == "s":
            assert isinstance(arguments[0], ast.Name)
            number = claim.constants[arguments[0].id]
            return z3.SignExt(claim.wide - number.size(), number)
        if name in ("max", "min"):
            a, b = (claim.widened(self.value(x)) for x in arguments)
            return z3.If(a > b, a, b) if name == "max" else z3.If(a < b, a, b)
        if name in ("is_constant", "well_defined", "one_use"):
            return z3.BoolVal(True)
        if name.startswith("known_"):
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
        if name in PREDICATES and all(isinstance(v, int) for v in values):
            return z3.BoolVal(PREDICATES[name](*values))
        if name not in FUNCTIONS:
            raise NoTermError(f"{name} is not translated")
        if z3.is_expr(values[-1]) and z3.is_fp(values[-1]):
            return FUNCTIONS[name](z3, *values)
        return FUNCTIONS[name](z3, claim.widened(values[0]), *values[1:])
