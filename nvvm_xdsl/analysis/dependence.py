"""Which rounds of loops touch the same memory: dependences between two accesses.

Addresses in one object are compared as formulas of the loops' counters, subscript by subscript
where delinearization is sure of the sizes, otherwise as one. Tests go from the cheap and exact
to the general: ZIV and strong SIV, then GCD and Banerjee's bounds. (Goff, Kennedy, Tseng:
"Practical Dependence Testing", 1991; the subject of LLVM's DependenceAnalysis.) Offsets within
an object are taken not to wrap around the address space.
"""

from __future__ import annotations

from math import gcd
from typing import TYPE_CHECKING, NamedTuple, Self

from xdsl.ir import Operation

from nvvm_xdsl.analysis.alias import AliasAnalysis, AliasResult, Location
from nvvm_xdsl.analysis.constant_range import SGE, SLT
from nvvm_xdsl.analysis.delinearization import (
    collect_parametric_terms,
    find_array_dimensions,
    subscripts_of,
)
from nvvm_xdsl.analysis.loops import Loop
from nvvm_xdsl.analysis.scalar_evolution import ScalarEvolution
from nvvm_xdsl.analysis.scev import Kind, Scev, is_invariant
from nvvm_xdsl.analysis.warp_accesses import base_pointer
from nvvm_xdsl.dialects.effects import WRITES, effects

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

BEFORE, SAME, AFTER = 1, 2, 4
"""Directions: the destination runs in a later, the same, or an earlier round than the source."""
ANY = BEFORE | SAME | AFTER

_ARROWS = {
    0: "none", BEFORE: "<", SAME: "=", AFTER: ">", BEFORE | SAME: "<=", SAME | AFTER: "=>",
    BEFORE | AFTER: "<>", ANY: "*",
}  # fmt: skip


class Level(NamedTuple):
    """What is known of one common loop: possible directions, and the distance in rounds."""

    directions: int
    distance: int | None

    def meet(self, other: Level) -> Level | None:
        """Both together; None when they contradict each other."""
        directions = self.directions & other.directions
        distances = {d for d in (self.distance, other.distance) if d is not None}
        if not directions or len(distances) > 1:
            return None
        return Level(directions, distances.pop() if distances else None)

    def __str__(self) -> str:
        return str(self.distance) if self.distance is not None else _ARROWS[self.directions]


class Dependence(NamedTuple):
    """A dependence that cannot be ruled out.

    `levels` is by common loop, outermost first. `confused` ones are known of nothing but that
    they may be there.
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

    def depends(self, source: Operation, destination: Operation) -> Dependence | None:
        """The dependence of `destination` on `source`; None when there is none.

        Both must be loads, stores or atomics. `source` is taken to come first within a round.
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
        """Whether the accesses never meet, in whatever rounds: sizes do not count here."""
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
        """Pairs of subscripts of one array; None when the bases are not the same in all rounds."""
        ex = self.se.expressions
        base = base_pointer(a)
        if base is None or base is not base_pointer(b):
            return None
        if not all(is_invariant(base, loop) for loop in loops):
            return None
        one, two = ex.sub(a, base), ex.sub(b, base)
        terms = [*collect_parametric_terms(ex, one), *collect_parametric_terms(ex, two)]
        sizes = find_array_dimensions(ex, list(dict.fromkeys(terms)))
        knobs = self.se.knobs
        if sizes and knobs.delinearize and knobs.da_delinearize:
            left = subscripts_of(ex, one, sizes, size)
            right = subscripts_of(ex, two, sizes, size)
            if left is not None and right is not None:
                inner = zip([*left.subscripts[1:], *right.subscripts[1:]], [*sizes, *sizes])
                if all(self._in_bounds(s, n) for s, n in inner):
                    return list(zip(left.subscripts, right.subscripts))
        left, right = subscripts_of(ex, one, [], size), subscripts_of(ex, two, [], size)
        if left is None or right is None:
            # No whole elements: accesses may overlap in part.
            return None
        return [(left.subscripts[0], right.subscripts[0])]

    def _in_bounds(self, subscript: Scev, size: Scev) -> bool:
        """Whether the subscript stays within its dimension, so that rows do not run over."""
        se = self.se
        zero = se.expressions.zero(subscript.width)
        if se.is_known(SGE, subscript, zero) and se.is_known(SLT, subscript, size):
            return True
        if not subscript.is_affine or subscript.loop is None or not subscript.start.is_zero:
            return False
        if subscript.step.kind is not Kind.CONSTANT or subscript.step.constant != 1:
            return False
        count = se.backedge_taken_count(subscript.loop)
        return count is not se.could_not_compute and (
            count is se.expressions.sub(size, se.expressions.one(size.width))
        )

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
        for loop in self.se.loops.loops():
            if not is_invariant(constant, loop):
                return None
        return _Linear(constant, coefficients)

    def _test(self, a: Scev, b: Scev, loops: list[Loop]) -> list[Level] | bool | None:
        """One pair of subscripts: levels, True when nothing can be said, None when independent."""
        one, two = self._linear(a), self._linear(b)
        if one is None or two is None:
            return True
        distance = self.se.expressions.sub(one.constant, two.constant)
        involved = {*one.coefficients, *two.coefficients}
        if (
            distance.kind is not Kind.CONSTANT
            or len(involved) > self.se.knobs.da_miv_max_level_threshold
        ):
            return True
        gap = distance.signed
        levels = [Level(ANY, None) for _ in loops]
        if not involved:
            return None if gap else levels
        if len(involved) == 1:
            (loop,) = involved
            mine, other = one.coefficients.get(loop, 0), two.coefficients.get(loop, 0)
            if mine == other and loop in loops:
                return self._strong(gap, mine, loop, loops, levels)
        factors = [*one.coefficients.values(), *two.coefficients.values()]
        common = gcd(*factors)
        if common and gap % common:
            return None
        if not self._within_bounds(gap, one, two):
            return None
        return levels

    def _strong(
        self, gap: int, coefficient: int, loop: Loop, loops: list[Loop], levels: list[Level]
    ) -> list[Level] | None:
        """c*i + x = c*j + y: the destination's round j is x - y over c later."""
        if coefficient == 0:
            return None if gap else levels
        if gap % coefficient:
            return None
        rounds = gap // coefficient
        most = self.se.constant_max_backedge_taken_count(loop)
        if most is not None and abs(rounds) > most:
            return None
        direction = BEFORE if rounds > 0 else AFTER if rounds < 0 else SAME
        levels[loops.index(loop)] = Level(direction, rounds)
        return levels

    def _within_bounds(self, gap: int, one: _Linear, two: _Linear) -> bool:
        """Banerjee: whether `gap + sum a*i - sum b*j` can be 0 with counters in their bounds."""
        low = high = gap
        for coefficients, sign in ((one.coefficients, 1), (two.coefficients, -1)):
            for loop, coefficient in coefficients.items():
                most = self.se.constant_max_backedge_taken_count(loop)
                if most is None:
                    return True
                reach = sign * coefficient * most
                low += min(0, reach)
                high += max(0, reach)
        return low <= 0 <= high
