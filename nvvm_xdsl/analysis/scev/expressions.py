"""Expressions of ScalarEvolution: integers and pointers as formulas.

Expressions are interned: two with the same kind, operands and loop are the same object, so that
they are compared by identity. They are folded when created: sums and products are flat and in
canonical order, constants are combined, and recurrences of the same loop are added. An expression
is a value modulo 2^width; pointers count as integers of their width. (003, "SCEV Invalidation &
Delinearization": the kinds of expressions and the limits; Bachmann, Wang, Zima: "Chains of
Recurrences", 1994.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from functools import cmp_to_key
from typing import TYPE_CHECKING, TypeVar

from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from nvvm_xdsl.analysis.ops import value_name
from nvvm_xdsl.analysis.scev.knobs import ScevKnobs
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.loops import Loop

NW = 4
"""Wrap flag of a recurrence: it never passes its start again; implied by NUW and NSW."""
ZERO = 8
POSITIVE = 16
"""Other assumptions about an expression: that it is 0; that it is greater than 0 as a signed
number.
"""


class Kind(IntEnum):
    """The kinds of expressions, numbered as LLVM does."""

    CONSTANT = 0
    VSCALE = 1
    TRUNCATE = 2
    ZERO_EXTEND = 3
    SIGN_EXTEND = 4
    ADD = 5
    MUL = 6
    UDIV = 7
    ADD_REC = 8
    UMAX = 9
    SMAX = 10
    UMIN = 11
    SMIN = 12
    SEQUENTIAL_UMIN = 13
    PTR_TO_INT = 14
    UNKNOWN = 15
    COULD_NOT_COMPUTE = 16


class Scev:
    """One expression.

    `operands` are in canonical order; those of a recurrence are its start, step, step's step
    and so on. `loop` is set for recurrences, `value` for unknowns, `constant` (unsigned) for
    constants. `size` is the number of nodes, `depth` the nesting depth; `loops` and `values` are
    those of the expression and its subexpressions.
    """

    __slots__ = (
        "constant",
        "depth",
        "flags",
        "kind",
        "loop",
        "loops",
        "number",
        "operands",
        "size",
        "value",
        "values",
        "width",
    )

    kind: Kind
    width: int
    operands: tuple[Scev, ...]
    loop: Loop | None
    value: SSAValue | None
    constant: int
    flags: int
    number: int
    size: int
    depth: int
    loops: frozenset[Loop]
    values: frozenset[SSAValue]

    @property
    def start(self) -> Scev:
        """The start of a recurrence."""
        return self.operands[0]

    @property
    def step(self) -> Scev:
        """The step of an affine recurrence."""
        return self.operands[1]

    @property
    def is_affine(self) -> bool:
        """Returns whether this is a recurrence with an invariant step."""
        return self.kind is Kind.ADD_REC and len(self.operands) == 2

    @property
    def is_zero(self) -> bool:
        """True if this is the constant 0."""
        return self.kind is Kind.CONSTANT and self.constant == 0

    @property
    def signed(self) -> int:
        """A constant, read as signed."""
        half = 1 << (self.width - 1)
        return (self.constant ^ half) - half

    def walk(self) -> Iterator[Scev]:
        """This expression and its subexpressions, each once."""
        seen: set[Scev] = {self}
        stack: list[Scev] = [self]
        while stack:
            expression = stack.pop()
            yield expression
            for operand in expression.operands:
                if operand not in seen:
                    seen.add(operand)
                    stack.append(operand)

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return self.text(value_name, lambda block: block.name_hint or "loop")

    def text(self, name: Callable[[SSAValue], str], header: Callable[[Block], str]) -> str:
        """The expression in the syntax of LLVM.

        Arguments:
            name: returns the name of a value.
            header: returns the name of a loop's header, without a prefix.
        """
        kind = self.kind
        if kind is Kind.CONSTANT:
            return str(self.signed)
        if kind is Kind.UNKNOWN:
            return name(self.value) if self.value is not None else "?"
        if kind is Kind.COULD_NOT_COMPUTE:
            return "***COULDNOTCOMPUTE***"
        if kind is Kind.VSCALE:
            return "vscale"
        operands = [operand.text(name, header) for operand in self.operands]
        if kind is Kind.ADD_REC:
            flags = "".join(n for f, n in ((NUW, "<nuw>"), (NSW, "<nsw>")) if self.flags & f)
            if not flags and self.flags & NW:
                flags = "<nw>"
            loop = header(self.loop.header) if self.loop is not None else "loop"
            return f"{{{',+,'.join(operands)}}}{flags}<%{loop}>"
        word = _CAST_WORDS.get(kind)
        if word is not None:
            source = "ptr" if kind is Kind.PTR_TO_INT else f"i{self.operands[0].width}"
            return f"({word} {source} {operands[0]} to i{self.width})"
        return f"({_OPERATORS[kind].join(operands)})"


_CAST_WORDS = {
    Kind.TRUNCATE: "trunc",
    Kind.ZERO_EXTEND: "zext",
    Kind.SIGN_EXTEND: "sext",
    Kind.PTR_TO_INT: "ptrtoint",
}
_OPERATORS = {
    Kind.ADD: " + ",
    Kind.MUL: " * ",
    Kind.UDIV: " /u ",
    Kind.UMAX: " umax ",
    Kind.SMAX: " smax ",
    Kind.UMIN: " umin ",
    Kind.SMIN: " smin ",
    Kind.SEQUENTIAL_UMIN: " umin_seq ",
}

_MIN_MAX: dict[Kind, Callable[[int, int], int]] = {
    Kind.UMAX: max,
    Kind.SMAX: max,
    Kind.UMIN: min,
    Kind.SMIN: min,
}


_Leaf = TypeVar("_Leaf")


def _together(sets: Iterable[frozenset[_Leaf]], own: _Leaf | None) -> frozenset[_Leaf]:
    """The union of the sets and, if given, `own`; one of the sets itself if it is the union."""
    found: frozenset[_Leaf] = frozenset() if own is None else frozenset((own,))
    for one in sets:
        if not one <= found:
            found = found | one if found else one
    return found


class ExpressionTable:
    """The existing expressions: equal expressions are one object."""

    def __init__(self) -> None:
        self._table: dict[object, Scev] = {}
        self._mentioning: dict[Loop | SSAValue, list[Scev]] = {}
        self._made = 0

    def make(
        self,
        kind: Kind,
        width: int,
        operands: tuple[Scev, ...],
        loop: Loop | None = None,
        value: SSAValue | None = None,
        constant: int = 0,
    ) -> Scev:
        """The expression of these parts, which is created if it does not exist."""
        key = (kind, width, operands, loop, value, constant)
        found = self._table.get(key)
        if found is None:
            found = Scev()
            found.kind = kind
            found.width = width
            found.operands = operands
            found.loop = loop
            found.value = value
            found.constant = constant
            found.flags = 0
            found.number = self._made
            self._made += 1
            found.size = 1 + sum(o.size for o in operands)
            found.depth = 1 + max((o.depth for o in operands), default=0)
            found.loops = _together([o.loops for o in operands], loop)
            found.values = _together([o.values for o in operands], value)
            for leaf in (*found.loops, *found.values):
                self._mentioning.setdefault(leaf, []).append(found)
            self._table[key] = found
        return found

    def mentioning(self, leaves: Iterable[Loop | SSAValue]) -> set[Scev]:
        """The existing expressions that contain one of the loops or values."""
        known = self._mentioning
        return {e for leaf in leaves for e in known.get(leaf, ())}

    def forget(self, stale: Iterable[Scev]) -> None:
        """Forgets stale expressions, so that new objects without their flags are created."""
        for e in stale:
            key = (e.kind, e.width, e.operands, e.loop, e.value, e.constant)
            if self._table.get(key) is e:
                del self._table[key]


class Expressions:
    """Creates and interns expressions."""

    def __init__(self, knobs: ScevKnobs | None = None) -> None:
        self.knobs = ScevKnobs() if knobs is None else knobs
        self.table = ExpressionTable()
        self._make = self.table.make
        self.could_not_compute = self._make(Kind.COULD_NOT_COMPUTE, 0, ())

    def ordered(self, operands: Iterable[Scev]) -> tuple[Scev, ...]:
        """The operands in canonical order."""
        knobs = self.knobs
        return tuple(sorted(operands, key=cmp_to_key(lambda a, b: _compare(a, b, knobs, 0))))

    # Leaves.

    def constant(self, width: int, value: int) -> Scev:
        """A constant, taken modulo 2^width."""
        return self._make(Kind.CONSTANT, width, (), constant=value & ((1 << width) - 1))

    def zero(self, width: int) -> Scev:
        """0."""
        return self.constant(width, 0)

    def one(self, width: int) -> Scev:
        """1."""
        return self.constant(width, 1)

    def unknown(self, value: SSAValue, width: int) -> Scev:
        """An unknown value."""
        return self._make(Kind.UNKNOWN, width, (), value=value)

    def vscale(self, width: int) -> Scev:
        """The factor of scalable vectors."""
        return self._make(Kind.VSCALE, width, ())

    # Sums and products.

    def add(self, *operands: Scev) -> Scev:
        """The sum."""
        width = operands[0].width
        constant = 0
        # The coefficient of each term: k for k * x.
        terms: dict[Scev, int] = {}
        pending = list(operands)
        flat = 0
        while pending:
            operand = pending.pop()
            if operand.kind is Kind.CONSTANT:
                constant += operand.constant
                continue
            if operand.kind is Kind.ADD and flat < self.knobs.addops_inline_threshold:
                flat += 1
                pending.extend(operand.operands)
                continue
            factor = 1
            if operand.kind is Kind.MUL and operand.operands[0].kind is Kind.CONSTANT:
                factor = operand.operands[0].constant
                rest = operand.operands[1:]
                operand = rest[0] if len(rest) == 1 else self._make(Kind.MUL, width, rest)
            terms[operand] = terms.get(operand, 0) + factor
        mask = (1 << width) - 1
        summands: list[Scev] = []
        recurrences: dict[Loop, list[Scev]] = {}
        for term, factor in terms.items():
            factor &= mask
            if not factor:
                continue
            if term.kind is Kind.ADD_REC and term.loop is not None:
                scaled = term if factor == 1 else self.mul(self.constant(width, factor), term)
                recurrences.setdefault(term.loop, []).append(scaled)
            elif factor == 1:
                summands.append(term)
            else:
                summands.append(self._product(width, factor, (term,)))
        constant &= mask
        if recurrences:
            return _add_recurrences(self, width, constant, summands, recurrences)
        if constant or not summands:
            summands.append(self.constant(width, constant))
        if len(summands) == 1:
            return summands[0]
        return self._make(Kind.ADD, width, self.ordered(summands))

    def mul(self, *operands: Scev) -> Scev:
        """The product."""
        width = operands[0].width
        mask = (1 << width) - 1
        constant = 1
        factors: list[Scev] = []
        pending = list(operands)
        flat = 0
        while pending:
            operand = pending.pop()
            if operand.kind is Kind.CONSTANT:
                constant = constant * operand.constant & mask
            elif operand.kind is Kind.MUL and flat < self.knobs.mulops_inline_threshold:
                flat += 1
                pending.extend(operand.operands)
            else:
                factors.append(operand)
        if not constant or not factors:
            return self.constant(width, constant)
        if len(factors) == 1:
            (only,) = factors
            if constant == 1:
                return only
            if only.kind is Kind.ADD and only.depth <= self.knobs.max_arith_depth:
                scale = self.constant(width, constant)
                return self.add(*(self.mul(scale, o) for o in only.operands))
        for index, factor in enumerate(factors):
            if (
                factor.kind is Kind.ADD_REC
                and factor.loop is not None
                and factor.depth <= self.knobs.max_arith_depth
            ):
                others = [*factors[:index], *factors[index + 1 :]]
                if all(is_invariant(o, factor.loop) for o in others):
                    scale = self.mul(self.constant(width, constant), *others)
                    flags = 0
                    return self.add_rec(
                        [self.mul(scale, o) for o in factor.operands], factor.loop, flags
                    )
                partner = next(
                    (o for o in others if o.kind is Kind.ADD_REC and o.loop is factor.loop), None
                )
                if partner is not None and factor.is_affine and partner.is_affine:
                    others.remove(partner)
                    square = _multiply_recurrences(self, factor, partner)
                    return self.mul(self.constant(width, constant), square, *others)
        return self._product(width, constant, factors, flat=False)

    def _product(
        self, width: int, constant: int, factors: Sequence[Scev], *, flat: bool = True
    ) -> Scev:
        parts: list[Scev] = []
        for factor in factors:
            if flat and factor.kind is Kind.MUL:
                parts.extend(factor.operands)
            else:
                parts.append(factor)
        if constant != 1:
            parts.append(self.constant(width, constant))
        if len(parts) == 1:
            return parts[0]
        return self._make(Kind.MUL, width, self.ordered(parts))

    def negate(self, operand: Scev) -> Scev:
        """The negated value."""
        return self.mul(self.constant(operand.width, -1), operand)

    def sub(self, a: Scev, b: Scev) -> Scev:
        """The difference."""
        return self.zero(a.width) if a is b else self.add(a, self.negate(b))

    def add_rec(self, operands: Sequence[Scev], loop: Loop, flags: int = 0) -> Scev:
        """`{start,+,step,+,...}` of a loop, in which all operands must be invariant.

        Flags hold for all occurrences of the expression: they are added to its existing flags.
        """
        steps = list(operands)
        while len(steps) > 1 and steps[-1].is_zero:
            steps.pop()
        if len(steps) == 1:
            return steps[0]
        found = self._make(Kind.ADD_REC, steps[0].width, tuple(steps), loop)
        if flags & (NUW | NSW):
            flags |= NW
        found.flags |= flags
        return found

    def udiv(self, a: Scev, b: Scev) -> Scev:
        """The unsigned quotient."""
        if b.kind is Kind.CONSTANT:
            if b.constant == 1:
                return a
            if a.kind is Kind.CONSTANT and b.constant:
                return self.constant(a.width, a.constant // b.constant)
            if a.kind is Kind.UDIV and a.operands[1].kind is Kind.CONSTANT and b.constant:
                product = a.operands[1].constant * b.constant
                if product >> a.width:
                    return self.zero(a.width)
                return self.udiv(a.operands[0], self.constant(a.width, product))
            if a.kind is Kind.MUL and len(a.operands) == 2 and a.operands[0] is b:
                # A multiple of a quotient by at most the divisor: the product does not overflow.
                quotient = a.operands[1]
                if quotient.kind is Kind.UDIV and quotient.operands[1].constant >= b.constant:
                    return quotient
        if a.is_zero:
            return a
        return self._make(Kind.UDIV, a.width, (a, b))

    # Casts.

    def trunc(self, operand: Scev, width: int, depth: int = 0) -> Scev:
        """The low bits."""
        if width == operand.width:
            return operand
        kind = operand.kind
        if kind is Kind.CONSTANT:
            return self.constant(width, operand.constant)
        if kind in (Kind.TRUNCATE, Kind.ZERO_EXTEND, Kind.SIGN_EXTEND):
            (inner,) = operand.operands
            if inner.width >= width:
                return self.trunc(inner, width)
            if kind is Kind.ZERO_EXTEND:
                return self._make(Kind.ZERO_EXTEND, width, (inner,))
            return self._make(Kind.SIGN_EXTEND, width, (inner,))
        if depth < self.knobs.max_cast_depth and kind in (Kind.ADD, Kind.MUL, Kind.ADD_REC):
            parts = [self.trunc(o, width, depth + 1) for o in operand.operands]
            if kind is Kind.ADD:
                return self.add(*parts)
            if kind is Kind.MUL:
                return self.mul(*parts)
            assert operand.loop is not None
            return self.add_rec(parts, operand.loop)
        return self._make(Kind.TRUNCATE, width, (operand,))

    def zext(self, operand: Scev, width: int, depth: int = 0) -> Scev:
        """The value, zero-extended; ranges are not used."""
        if width == operand.width:
            return operand
        if operand.kind is Kind.CONSTANT:
            return self.constant(width, operand.constant)
        if operand.kind is Kind.ZERO_EXTEND:
            return self.zext(operand.operands[0], width)
        if operand.flags & NUW and operand.loop is not None and depth < self.knobs.max_ext_depth:
            parts = [self.zext(o, width, depth + 1) for o in operand.operands]
            return self.add_rec(parts, operand.loop, NUW | NSW)
        return self._make(Kind.ZERO_EXTEND, width, (operand,))

    def sext(self, operand: Scev, width: int, depth: int = 0) -> Scev:
        """The value, sign-extended; ranges are not used."""
        if width == operand.width:
            return operand
        if operand.kind is Kind.CONSTANT:
            return self.constant(width, operand.signed)
        if operand.kind in (Kind.SIGN_EXTEND, Kind.ZERO_EXTEND):
            inner = operand.operands[0]
            return (self.sext if operand.kind is Kind.SIGN_EXTEND else self.zext)(inner, width)
        if operand.flags & NSW and operand.loop is not None and depth < self.knobs.max_ext_depth:
            parts = [self.sext(o, width, depth + 1) for o in operand.operands]
            return self.add_rec(parts, operand.loop, NSW)
        return self._make(Kind.SIGN_EXTEND, width, (operand,))

    def ptr_to_int(self, operand: Scev, width: int) -> Scev:
        """An address as an integer: the cast is applied to its base pointers."""

        def cast(at: Scev) -> Scev | None:
            if at.kind is Kind.PTR_TO_INT:
                return at
            if at.kind is not Kind.UNKNOWN or at.value is None:
                return None
            is_pointer = isinstance(at.value.type, LLVMPointerType)
            return self._make(Kind.PTR_TO_INT, at.width, (at,)) if is_pointer else at

        whole = self.rewrite(operand, cast)
        return self.trunc(whole, width) if width < whole.width else self.zext(whole, width)

    def int_to_ptr(self, operand: Scev, width: int) -> Scev:
        """An integer as an address: a cast of a converted pointer is that pointer."""
        whole = self.trunc(operand, width) if width < operand.width else self.zext(operand, width)
        return self.rewrite(
            whole, lambda at: at.operands[0] if at.kind is Kind.PTR_TO_INT else None
        )

    # Minima and maxima.

    def min_max(self, kind: Kind, *operands: Scev) -> Scev:
        """The minimum or maximum of the operands."""
        width = operands[0].width
        choose = _MIN_MAX[kind]
        is_signed = kind in (Kind.SMAX, Kind.SMIN)
        constant: int | None = None
        rest: dict[Scev, None] = {}
        pending = list(operands)
        while pending:
            operand = pending.pop()
            if operand.kind is Kind.CONSTANT:
                value = operand.signed if is_signed else operand.constant
                constant = value if constant is None else choose(constant, value)
            elif operand.kind is kind:
                pending.extend(operand.operands)
            else:
                rest[operand] = None
        if constant is not None:
            low = -(1 << (width - 1)) if is_signed else 0
            high = low + (1 << width) - 1
            neutral, absorbing = (low, high) if kind in (Kind.SMAX, Kind.UMAX) else (high, low)
            if constant == absorbing or not rest:
                return self.constant(width, constant)
            if constant != neutral:
                rest[self.constant(width, constant)] = None
        if len(rest) == 1:
            return next(iter(rest))
        return self._make(kind, width, self.ordered(rest))

    def umin_sequential(self, *operands: Scev) -> Scev:
        """The minimum of the operands, in which operands after a 0 are ignored, even if
        undefined."""
        rest: dict[Scev, None] = {}
        for operand in operands:
            for part in operand.operands if operand.kind is Kind.SEQUENTIAL_UMIN else (operand,):
                rest[part] = None
                if part.is_zero:
                    break
        if all(o.kind is Kind.CONSTANT for o in rest):
            return self.constant(operands[0].width, min(o.constant for o in rest))
        if len(rest) == 1:
            return next(iter(rest))
        first = next(iter(rest))
        return (
            first if first.is_zero else self._make(Kind.SEQUENTIAL_UMIN, first.width, tuple(rest))
        )

    # Rewriting.

    def rebuild(self, expression: Scev, operands: Sequence[Scev]) -> Scev:
        """The expression with other operands, folded; itself if they are equal."""
        if len(operands) == len(expression.operands) and all(
            a is b for a, b in zip(operands, expression.operands)
        ):
            return expression
        kind = expression.kind
        if kind is Kind.ADD:
            return self.add(*operands)
        if kind is Kind.MUL:
            return self.mul(*operands)
        if kind is Kind.UDIV:
            return self.udiv(operands[0], operands[1])
        if kind is Kind.ADD_REC:
            assert expression.loop is not None
            return self.add_rec(operands, expression.loop)
        if kind is Kind.TRUNCATE:
            return self.trunc(operands[0], expression.width)
        if kind is Kind.ZERO_EXTEND:
            return self.zext(operands[0], expression.width)
        if kind is Kind.SIGN_EXTEND:
            return self.sext(operands[0], expression.width)
        if kind is Kind.SEQUENTIAL_UMIN:
            return self.umin_sequential(*operands)
        if kind in _MIN_MAX:
            return self.min_max(kind, *operands)
        if kind is Kind.PTR_TO_INT:
            return self.ptr_to_int(operands[0], expression.width)
        return expression

    def rewrite(self, expression: Scev, replace: Callable[[Scev], Scev | None]) -> Scev:
        """The expression with parts replaced: `replace` is called for the whole, then for its
        parts."""
        done: dict[Scev, Scev] = {}
        stack = [expression]
        while stack:
            at = stack[-1]
            if at in done:
                stack.pop()
                continue
            new = replace(at)
            if new is not None:
                done[at] = new
                stack.pop()
                continue
            missing = [o for o in at.operands if o not in done]
            if missing:
                stack.extend(missing)
                continue
            done[at] = self.rebuild(at, [done[o] for o in at.operands])
            stack.pop()
        return done[expression]


def _add_recurrences(
    ex: Expressions,
    width: int,
    constant: int,
    summands: list[Scev],
    recurrences: dict[Loop, list[Scev]],
) -> Scev:
    """Recurrences of one loop are added; invariant terms are added to their start."""
    found: list[Scev] = []
    # Terms that are invariant in the innermost loop become part of its recurrence.
    for loop in sorted(recurrences, key=lambda one: -one.depth):
        group = recurrences[loop]
        length = max(len(r.operands) for r in group)
        steps = [
            ex.add(*(r.operands[n] for r in group if n < len(r.operands))) for n in range(length)
        ]
        found.append(ex.add_rec(steps, loop, group[0].flags if len(group) == 1 else 0))
    if constant:
        summands = [*summands, ex.constant(width, constant)]
    innermost = found[0]
    if innermost.kind is not Kind.ADD_REC or innermost.loop is None:
        return ex.add(*found, *summands)
    loop = innermost.loop
    fixed = [s for s in (*summands, *found[1:]) if is_invariant(s, loop)]
    if fixed:
        rest = [s for s in (*summands, *found[1:]) if not is_invariant(s, loop)]
        start = ex.add(innermost.start, *fixed)
        innermost = ex.add_rec([start, *innermost.operands[1:]], loop, 0)
        if not rest:
            return innermost
        if innermost.kind is not Kind.ADD_REC:
            return ex.add(innermost, *rest)
        return ex.table.make(Kind.ADD, width, ex.ordered([innermost, *rest]))
    everything = [*found, *summands]
    if len(everything) == 1:
        return everything[0]
    return ex.table.make(Kind.ADD, width, ex.ordered(everything))


def _multiply_recurrences(ex: Expressions, a: Scev, b: Scev) -> Scev:
    """{s,+,x} * {t,+,y} = {st,+,sy + tx + xy,+,2xy}."""
    both = ex.mul(a.step, b.step)
    assert a.loop is not None
    return ex.add_rec(
        [
            ex.mul(a.start, b.start),
            ex.add(ex.mul(a.start, b.step), ex.mul(b.start, a.step), both),
            ex.add(both, both),
        ],
        a.loop,
        0,
    )


def is_invariant(expression: Scev, loop: Loop) -> bool:
    """Returns whether the expression is loop-invariant."""
    for part in expression.walk():
        if part.kind is Kind.UNKNOWN:
            if part.value is not None and loop.defines(part.value):
                return False
        elif part.kind is Kind.ADD_REC:
            # A recurrence of an outer loop is invariant in this loop.
            if part.loop is not None and loop.contains_loop(part.loop):
                return False
        elif part.kind is Kind.COULD_NOT_COMPUTE:
            return False
    return True


def _compare(a: Scev, b: Scev, knobs: ScevKnobs, depth: int) -> int:
    """The canonical order: by kind, then by structure up to the knobs' depth, then by age."""
    if a is b:
        return 0
    if a.kind is not b.kind:
        return a.kind - b.kind
    if depth <= knobs.max_scev_compare_depth:
        if a.kind is Kind.UNKNOWN and a.value is not None and b.value is not None:
            found = _compare_values(a.value, b.value, knobs.max_value_compare_depth)
            if found:
                return found
        if len(a.operands) != len(b.operands):
            return len(a.operands) - len(b.operands)
        for x, y in zip(a.operands, b.operands):
            found = _compare(x, y, knobs, depth + 1)
            if found:
                return found
    return a.number - b.number


def _compare_values(a: SSAValue, b: SSAValue, depth: int) -> int:
    """Arguments precede results, in their order. Results are ordered by their operands."""
    if a is b:
        return 0
    if not isinstance(a, OpResult) or not isinstance(b, OpResult):
        if isinstance(a, BlockArgument) and isinstance(b, BlockArgument):
            return a.index - b.index if a.block is b.block else 0
        return isinstance(a, OpResult) - isinstance(b, OpResult)
    if a.op.name != b.op.name:
        return -1 if a.op.name < b.op.name else 1
    if depth > 0:
        for x, y in zip(fast.operands_of(a.op), fast.operands_of(b.op)):
            found = _compare_values(x, y, depth - 1)
            if found:
                return found
    return 0
