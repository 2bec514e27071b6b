"""Dependences between two accesses: which iterations of loops access the same memory.

Addresses in one object are compared as formulas of the loops' counters: per subscript if
delinearization finds the sizes, otherwise as a whole. A subscript without counters is compared
directly (ZIV), one with a single counter is solved exactly (SIV), and one with several counters is
tested by the greatest common divisor and by Banerjee's bounds for each direction (MIV). (Goff,
Kennedy, Tseng: "Practical Dependence Testing", 1991; corresponds to LLVM's DependenceAnalysis.)
Offsets within an object are assumed not to wrap around the address space.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, NamedTuple, Self

from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.memory.alias_analysis import AliasAnalysis, AliasResult, Location
from nvvm_xdsl.analysis.memory.warp_accesses import base_pointer, type_of_array
from nvvm_xdsl.analysis.scev.delinearization import Subscripts, subscripts_of
from nvvm_xdsl.analysis.scev.delinearizer import delinearize_pair
from nvvm_xdsl.analysis.scev.expressions import Kind, Scev, is_invariant
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.values.constant_range import SGE, SLT
from nvvm_xdsl.dialects.effects import WRITES, effects
from nvvm_xdsl.dialects.llvm.flags import NSW

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

BEFORE, SAME, AFTER = 1, 2, 4
"""Directions: the destination executes in a later, the same, or an earlier iteration than the
source."""
ANY = BEFORE | SAME | AFTER

_ARROWS = {
    0: "none", BEFORE: "<", SAME: "=", AFTER: ">", BEFORE | SAME: "<=", SAME | AFTER: "=>",
    BEFORE | AFTER: "<>", ANY: "*",
}  # fmt: skip


class Level(NamedTuple):
    """The dependence with respect to one common loop: possible directions, and the distance in
    iterations.
    """

    directions: int
    distance: int | None

    def meet(self, other: Level) -> Level | None:
        """The conjunction of two levels; None if they contradict."""
        directions = self.directions & other.directions
        distances = {d for d in (self.distance, other.distance) if d is not None}
        if not directions or len(distances) > 1:
            return None
        return Level(directions, distances.pop() if distances else None)

    def __str__(self) -> str:
        return str(self.distance) if self.distance is not None else _ARROWS[self.directions]


class Dependence(NamedTuple):
    """A dependence that cannot be excluded.

    `levels` are by common loop, outermost first. A `confused` dependence has no known properties.
    """

    source: Operation
    destination: Operation
    kind: str
    confused: bool
    loops: list[Loop]
    levels: list[Level]

    def __str__(self) -> str:
        if self.confused:
            return "confused!"
        return f"{self.kind} [{' '.join(map(str, self.levels))}]!"


class _Linear(NamedTuple):
    """`constant + sum of coefficient * counter`."""

    constant: Scev
    coefficients: dict[Loop, int]


class DependenceAnalysis:
    """Dependences between the accesses of a function."""

    def __init__(self, func: Operation, se: ScalarEvolution, alias: AliasAnalysis) -> None:
        self.func = func
        self.se = se
        self.alias = alias

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The dependences of a function."""
        return cls(op, am.get(ScalarEvolution, op), am.get(AliasAnalysis, op))

    def verify(self) -> None:
        """Verifies the formulas and addresses that answers depend on; answers are not cached."""
        self.se.verify(maps=True)
        self.alias.verify()

    def depends(self, source: Operation, destination: Operation) -> Dependence | None:
        """The dependence of `destination` on `source`; None if there is none.

        Both must be loads, stores or atomics. Within an iteration `source` comes first.
        """
        one, two = self.alias.location(source), self.alias.location(destination)
        loops = self._common_loops(source, destination)
        writes = effects(source) & WRITES, effects(destination) & WRITES
        kind = (
            "output" if all(writes)
            else "flow" if writes[0]
            else "anti" if writes[1]
            else "input"
        )  # fmt: skip
        everything = [Level(ANY, None) for _ in loops]
        confused = Dependence(source, destination, kind, True, loops, everything)
        if one is None or two is None:
            return confused
        if not loops and self.alias.alias(one, two) is AliasResult.NO:
            return None
        if self._objects_differ(one, two):
            return None
        first, second = self.se.get(one.pointer), self.se.get(two.pointer)
        if self.se.could_not_compute in (first, second) or one.size is None or one.size != two.size:
            return confused
        pairs = self._subscripts(first, second, one.size, loops)
        if pairs is None:
            return confused
        levels: list[Level] = list(everything)
        sure = False
        for a, b in pairs:
            found = self._test(a, b, loops)
            if found is None:
                return None
            if isinstance(found, bool):
                continue
            sure = True
            for index, level in enumerate(found):
                met = levels[index].meet(level)
                if met is None:
                    return None
                levels[index] = met
        if not sure and loops:
            return confused
        return Dependence(source, destination, kind, False, loops, levels)

    def _objects_differ(self, one: Location, two: Location) -> bool:
        """Returns True if the accesses never have the same address in any iterations; sizes are
        ignored."""
        return self.alias.alias(Location(one.pointer), Location(two.pointer)) is AliasResult.NO

    def _common_loops(self, a: Operation, b: Operation) -> list[Loop]:
        one, two = a.parent, b.parent
        assert one is not None
        assert two is not None
        found: list[Loop] = []
        loop = self.se.loops.common_loop(one, two)
        while loop is not None:
            found.append(loop)
            loop = loop.parent
        found.reverse()
        return found

    def _subscripts(
        self, a: Scev, b: Scev, size: int, loops: list[Loop]
    ) -> list[tuple[Scev, Scev]] | None:
        """Pairs of subscripts of one array; None if the bases are not invariant in all loops."""
        ex = self.se.expressions
        base = base_pointer(a)
        if base is None or base is not base_pointer(b):
            return None
        if not all(is_invariant(base, loop) for loop in loops):
            return None
        one, two = ex.sub(a, base), ex.sub(b, base)
        if self.se.knobs.da_delinearize:
            array_type = type_of_array(self.func, base)
            found = delinearize_pair(self.se, one, two, size, array_type)
            if found is not None and all(map(self._subscripts_in_bounds, found)):
                return list(zip(found[0].subscripts, found[1].subscripts))
        left, right = subscripts_of(ex, one, [], size), subscripts_of(ex, two, [], size)
        if left is None or right is None:
            # Not a multiple of the element size: accesses may overlap partially.
            return None
        return [(left.subscripts[0], right.subscripts[0])]

    def _subscripts_in_bounds(self, access: Subscripts) -> bool:
        if self.se.knobs.da_disable_delinearization_checks:
            return True
        inner = zip(access.subscripts[1:], access.sizes)
        return all(self._in_bounds(subscript, size) for subscript, size in inner)

    def _in_bounds(self, subscript: Scev, size: Scev) -> bool:
        """True if the subscript stays within its dimension."""
        se = self.se
        zero = se.expressions.zero(subscript.width)
        if se.is_known(SGE, subscript, zero) and se.is_known(SLT, subscript, size):
            return True
        if not subscript.is_affine or subscript.loop is None or not subscript.start.is_zero:
            return False
        if subscript.step.kind is not Kind.CONSTANT or subscript.step.constant != 1:
            return False
        ex = se.expressions
        count = se.backedge_taken_count(subscript.loop)
        if count is ex.sub(size, ex.one(size.width)):
            return True
        if size.kind is not Kind.SIGN_EXTEND:
            return False
        # The extended counter: for an upper bound below 1 it would overflow.
        (narrow,) = size.operands
        counter = ex.trunc(subscript, narrow.width)
        does_not_wrap = counter.is_affine and counter.flags & NSW
        return bool(does_not_wrap) and count is ex.sub(narrow, ex.one(narrow.width))

    def _linear(self, subscript: Scev) -> _Linear | None:
        coefficients: dict[Loop, int] = {}
        rest: list[Scev] = []
        pending = [subscript]
        while pending:
            at = pending.pop()
            if at.kind is Kind.ADD:
                pending.extend(at.operands)
            elif at.kind is Kind.ADD_REC and at.loop is not None:
                if not at.is_affine or at.step.kind is not Kind.CONSTANT:
                    return None
                coefficients[at.loop] = coefficients.get(at.loop, 0) + at.step.signed
                pending.append(at.start)
            else:
                rest.append(at)
        ex = self.se.expressions
        constant = ex.add(*rest) if rest else ex.zero(subscript.width)
        return _Linear(constant, coefficients) if self._is_invariant(constant) else None

    def _is_invariant(self, expression: Scev) -> bool:
        """Returns whether the expression is invariant in every loop of the function."""
        loops = self.se.loops
        for part in expression.walk():
            if part.kind in (Kind.ADD_REC, Kind.COULD_NOT_COMPUTE):
                return False
            if part.kind is Kind.UNKNOWN and part.value is not None:
                owner = part.value.owner
                block = owner if isinstance(owner, Block) else owner.parent
                if loops.loop_for(block) is not None:
                    return False
        return True

    def _test(self, a: Scev, b: Scev, loops: list[Loop]) -> list[Level] | bool | None:
        """The test of one pair of subscripts: levels, True if unknown, None if independent.

        ZIV if no counter occurs in the pair, SIV if both sides have one common counter, else MIV.
        """
        one, two = self._linear(a), self._linear(b)
        if one is None or two is None:
            return True
        distance = self.se.expressions.sub(one.constant, two.constant)
        if distance.kind is not Kind.CONSTANT:
            return True
        gap = distance.signed
        levels = [Level(ANY, None) for _ in loops]
        involved = {*one.coefficients, *two.coefficients}
        if not involved:
            return None if gap else levels
        if len(involved) == 1:
            (loop,) = involved
            if loop in loops:
                found = _single_counter(
                    one.coefficients.get(loop, 0),
                    two.coefficients.get(loop, 0),
                    gap,
                    self._most(loop, distance.width),
                )
                if found is not None:
                    levels[loops.index(loop)] = found
                return None if found is None else levels
        if len(involved) > self.se.knobs.da_miv_max_level_threshold:
            return True
        return self._many_counters(one, two, gap, loops, distance.width)

    def _most(self, loop: Loop, width: int) -> int:
        """The maximum iteration number of the loop, counted from 0."""
        most = self.se.constant_max_backedge_taken_count(loop)
        return (1 << width) - 1 if most is None else most

    def _many_counters(
        self, one: _Linear, two: _Linear, gap: int, loops: list[Loop], width: int
    ) -> list[Level] | None:
        """GCD test, then Banerjee's bounds for each direction vector whose prefixes are
        possible."""
        common = gcd(*one.coefficients.values(), *two.coefficients.values())
        if common and gap % common:
            return None
        low = high = gap
        shared: list[tuple[Loop, int, int, int]] = []
        for loop in dict.fromkeys((*one.coefficients, *two.coefficients)):
            a, b = one.coefficients.get(loop, 0), two.coefficients.get(loop, 0)
            most = self._most(loop, width)
            if loop in loops:
                shared.append((loop, a, b, most))
            else:
                low += min(0, a * most) + min(0, -b * most)
                high += max(0, a * most) + max(0, -b * most)
        # The range that the counters from each position on can add, in any direction.
        rest = [(0, 0)]
        for _, a, b, most in reversed(shared):
            down, up = rest[-1]
            span = [_reach(a, b, most, d) for d in (BEFORE, SAME, AFTER)]
            known = [s for s in span if s is not None]
            rest.append((down + min(s[0] for s in known), up + max(s[1] for s in known)))
        rest.reverse()
        allowed = [0] * len(shared)
        work: list[tuple[int, int, int, tuple[int, ...]]] = [(0, low, high, ())]
        while work:
            place, down, up, vector = work.pop()
            if not down + rest[place][0] <= 0 <= up + rest[place][1]:
                continue
            if place == len(shared):
                for n, direction in enumerate(vector):
                    allowed[n] |= direction
                continue
            _, a, b, most = shared[place]
            for direction in (BEFORE, SAME, AFTER):
                span = _reach(a, b, most, direction)
                if span is not None:
                    work.append((place + 1, down + span[0], up + span[1], (*vector, direction)))
        if not shared:
            return [Level(ANY, None) for _ in loops] if low <= 0 <= high else None
        if not allowed[0]:
            return None
        by_loop = {loop: directions for (loop, *_), directions in zip(shared, allowed)}
        return [
            Level(by_loop.get(loop, ANY), 0 if by_loop.get(loop) == SAME else None)
            for loop in loops
        ]


def _reach(a: int, b: int, most: int, direction: int) -> tuple[int, int] | None:
    """The bounds of `a*i - b*j` for counters up to `most` in a direction; None if there are none.

    A linear function has its extrema at corners: of a triangle, or of a line.
    """
    if direction == SAME:
        corners = [(0, 0), (most, most)]
    elif most < 1:
        return None
    elif direction == BEFORE:
        corners = [(0, 1), (0, most), (most - 1, most)]
    else:
        corners = [(1, 0), (most, 0), (most, most - 1)]
    values = [a * i - b * j for i, j in corners]
    return min(values), max(values)


def _single_counter(a: int, b: int, gap: int, most: int) -> Level | None:
    """The iterations `i` and `j` up to `most` with `a*i + gap = b*j`, exactly; None for none.

    All solutions follow from one by adding multiples of `b` and `a` over their greatest common
    divisor. This covers the strong, weak-zero and weak-crossing SIV tests.
    """
    common = gcd(a, b)
    if common == 0 or gap % common:
        return Level(ANY, None) if common == gap == 0 else None
    p, q = a // common, b // common
    # p*i - q*j = -gap/common
    i, j = _solve(p, q, -gap // common)
    first, last = _steps(i, q, most)
    other_first, other_last = _steps(j, p, most)
    first, last = max(first, other_first), min(last, other_last)
    if first > last:
        return None
    drift, start = p - q, j - i
    ends = start + drift * first, start + drift * last
    directions = (BEFORE if max(ends) > 0 else 0) | (AFTER if min(ends) < 0 else 0)
    if start == 0 if drift == 0 else start % drift == 0 and first <= -start // drift <= last:
        directions |= SAME
    return Level(directions, ends[0] if ends[0] == ends[1] else None)


def _solve(p: int, q: int, total: int) -> tuple[int, int]:
    """One solution of `p*i - q*j = total` for coprime `p` and `q`."""
    if q == 0:
        return total * p, 0
    i = total * pow(p, -1, abs(q)) % abs(q) if abs(q) > 1 else 0
    return i, (p * i - total) // q


def _steps(start: int, step: int, most: int) -> tuple[int, int]:
    """The numbers of steps after which a value is between 0 and `most`."""
    if step == 0:
        return (-_FAR, _FAR) if 0 <= start <= most else (1, 0)
    ends = (-start, most - start) if step > 0 else (start - most, start)
    size = abs(step)
    return -(-ends[0] // size), ends[1] // size


_FAR = 1 << 200
"""More steps than any counter can take."""
