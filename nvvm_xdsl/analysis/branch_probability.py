"""Branch probabilities and block frequencies.

Weights from profiles or `__builtin_expect` take precedence over heuristics on control flow and
comparisons, which have the weights of LLVM's BranchProbabilityInfo (Ball and Larus, "Branch
Prediction for Free", 1993; Wu and Larus, "Static Branch Frequency and Program Profile Analysis",
1994).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from xdsl.dialects.llvm import CondBrOp, FCmpOp, ICmpOp, UnreachableOp
from xdsl.ir import Block, Operation, OpResult

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.values.constant_range import EQ, NE, SGT, SLT
from nvvm_xdsl.dialects.llvm.accessors import branch_weights_of, integers_of, predicate_of
from nvvm_xdsl.dialects.llvm.integers import constant_number
from nvvm_xdsl.dialects.nvptx import control_flow as machine
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

STAYS, LEAVES = 124, 4
"""Weights of edges that stay in a loop and that leave it."""
LIKELY, UNLIKELY = 20, 12
"""Weights of likely and unlikely results of comparisons."""
REACHED, UNREACHABLE = (1 << 20) - 1, 1
"""Weights of edges to other blocks and to `unreachable`."""

DENOMINATOR = 1 << 31
"""Denominator of printed probabilities."""

MAX_SCALE = 4096.0
"""Maximum number of iterations that a loop is assumed to run."""

IRREDUCIBLE_ROUNDS = 100
"""Maximum number of sweeps over a function with irreducible cycles."""

_FCMP_EQUAL = frozenset({1, 8})
_FCMP_UNEQUAL = frozenset({6, 14})
_FCMP_ORDERED, _FCMP_UNORDERED = 7, 15


class BranchProbability:
    """The probability of each edge of a function."""

    def __init__(self, cfg: CFG, loops: LoopInfo) -> None:
        self.cfg = cfg
        self.loops = loops
        self._dead_ends = self._find_dead_ends()
        self.probabilities = [self._of_block(n) for n in range(len(cfg.blocks))]
        """For each block the probabilities of its edges, in successor order."""

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The probabilities of a function."""
        return cls(am.get(CFG, op), am.get(LoopInfo, op))

    def _find_dead_ends(self) -> bytearray:
        """Blocks from which only `unreachable` can be reached."""
        cfg = self.cfg
        dead = bytearray(len(cfg.blocks))
        for n in reversed(cfg.rpo):
            targets = cfg.successors[n]
            if targets:
                dead[n] = all(dead[t] for t in targets)
            else:
                dead[n] = isinstance(cfg.blocks[n].last_op, (UnreachableOp, machine.UnreachableOp))
        return dead

    def _of_block(self, number: int) -> list[float]:
        targets = self.cfg.successors[number]
        if len(targets) < 2:
            return [1.0] * len(targets)
        last = self.cfg.blocks[number].last_op
        assert last is not None
        weights = list(integers_of(branch_weights_of(last)))
        if len(weights) != len(targets) or not any(weights):
            weights = self._guess(number, last, targets)
        total = sum(weights)
        return [w / total for w in weights]

    def _guess(self, number: int, last: Operation, targets: list[int]) -> list[int]:
        dead = [self._dead_ends[t] for t in targets]
        if any(dead) and not all(dead):
            return [UNREACHABLE if d else REACHED for d in dead]
        loop = self.loops.loop_for(self.cfg.blocks[number])
        if loop is not None:
            stays = [loop.contains(self.cfg.blocks[t]) for t in targets]
            if any(stays) and not all(stays):
                inside, outside = stays.count(True), stays.count(False)
                # The weights are divided among the edges that stay and among those that leave.
                return [STAYS * outside if s else LEAVES * inside for s in stays]
            back = [self.cfg.blocks[t] is loop.header for t in targets]
            if any(back) and not all(back):
                return [STAYS if b else LEAVES for b in back]
        if isinstance(last, CondBrOp):
            condition = fast.operands_of(last)[0]
            if isinstance(condition, OpResult):
                likely = _is_likely(condition.op)
                if likely is not None:
                    return [LIKELY, UNLIKELY] if likely else [UNLIKELY, LIKELY]
        return [1] * len(targets)

    def edge(self, source: Block, index: int) -> float:
        """The probability of the block's edge number `index`."""
        return self.probabilities[self.cfg.numbers[source]][index]

    def to(self, source: Block, target: Block) -> float:
        """The probability that one of the edges between the blocks is taken."""
        number, to = self.cfg.numbers[source], self.cfg.numbers[target]
        return sum(
            p for t, p in zip(self.cfg.successors[number], self.probabilities[number]) if t == to
        )

    def verify(self) -> None:
        """Recomputes the probabilities; raises AssertionError if they differ."""
        cfg = CFG(self.cfg.region)
        fresh = BranchProbability(cfg, LoopInfo(DominatorTree(cfg)))
        assert fresh.probabilities == self.probabilities, "the branch probabilities are stale"


def _is_likely(op: Operation) -> bool | None:
    """Returns whether the comparison probably holds, or None without a heuristic that applies."""
    if isinstance(op, ICmpOp):
        predicate = predicate_of(op)
        right = constant_number(fast.operands_of(op)[1])
        if right is None:
            return None
        if predicate in (EQ, NE) and right in (0, -1):
            return predicate == NE
        if (predicate == SLT and right == 0) or (predicate == SGT and right == -1):
            return predicate == SGT
        if predicate == SGT and right == 0:
            return True
        return None
    if isinstance(op, FCmpOp):
        predicate = predicate_of(op)
        if predicate in _FCMP_EQUAL:
            return False
        if predicate in _FCMP_UNEQUAL or predicate == _FCMP_ORDERED:
            return True
        if predicate == _FCMP_UNORDERED:
            return False
    return None


class BlockFrequency:
    """The frequency of each block per execution of the function.

    `frequencies[n]` is that of block `n`: 1 for the entry, 0 for unreachable blocks.
    """

    frequencies: list[float]

    def __init__(self, probability: BranchProbability) -> None:
        self.probability = probability
        self.cfg = probability.cfg
        self.loops = probability.loops
        self._scales: dict[Loop, float] = {}
        self._exits: dict[Loop, dict[int, float]] = {}
        if self.loops.is_reducible:
            self._solve()
        else:
            self._sweep()

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The frequencies of a function."""
        return cls(am.get(BranchProbability, op))

    def _solve(self) -> None:
        """Loops are processed inner ones first; a processed loop is one node of the enclosing
        loop."""
        self._local: dict[Loop | None, dict[int, float]] = {}
        self._members = self.loops.members()
        for loop in self.loops.innermost_first():
            self._flow(loop)
        self._flow(None)
        self.frequencies = [0.0] * len(self.cfg.blocks)
        for number, mass in self._local[None].items():
            self.frequencies[number] = mass
        for loop in self.loops.loops():
            entered = self.frequencies[self.cfg.numbers[loop.header]]
            for number, mass in self._local[loop].items():
                self.frequencies[number] = entered * self._scales[loop] * mass

    def _flow(self, loop: Loop | None) -> None:
        """The frequency of each block of the loop per entry into an iteration."""
        cfg = self.cfg
        start = 0 if loop is None else cfg.numbers[loop.header]
        mass: dict[int, float] = {start: 1.0} if cfg.blocks else {}
        again = 0.0
        exits: dict[int, float] = {}

        def send(target: int, amount: float) -> None:
            nonlocal again
            if loop is not None and target == start:
                again += amount
            elif loop is not None and not loop.contains(cfg.blocks[target]):
                exits[target] = exits.get(target, 0.0) + amount
            else:
                mass[target] = mass.get(target, 0.0) + amount

        for block in self._members[loop]:
            number = cfg.numbers[block]
            inner = self.loops.loop_for(block)
            if inner is not None and inner is not loop:
                here = mass.get(number, 0.0)
                for target, share in self._exits[inner].items():
                    send(target, here * share)
                continue
            here = mass.get(number, 0.0)
            for target, p in zip(cfg.successors[number], self.probability.probabilities[number]):
                send(target, here * p)
        self._local[loop] = {n: m for n, m in mass.items() if n >= 0}
        if loop is not None:
            stays = 1.0 - again
            scale = min(MAX_SCALE, 1.0 / stays) if stays > 0 else MAX_SCALE
            self._scales[loop] = scale
            total = sum(exits.values())
            # The frequencies of the exits add up to that of the entry, regardless of the capped
            # scale.
            self._exits[loop] = {t: m / total for t, m in exits.items()} if total else {}

    def _sweep(self) -> None:
        """Gauss-Seidel iteration of the flow equations, for irreducible cycles."""
        cfg = self.cfg
        found = [0.0] * len(cfg.blocks)
        incoming: list[list[tuple[int, float]]] = [[] for _ in cfg.blocks]
        for number in cfg.rpo:
            for target, p in zip(cfg.successors[number], self.probability.probabilities[number]):
                incoming[target].append((number, p))
        for _ in range(IRREDUCIBLE_ROUNDS):
            moved = 0.0
            for number in cfg.rpo:
                new = sum(found[source] * p for source, p in incoming[number])
                new = min(new + (1.0 if number == 0 else 0.0), MAX_SCALE)
                moved = max(moved, abs(new - found[number]))
                found[number] = new
            if moved < 1e-6:
                break
        self.frequencies = found

    def of(self, block: Block) -> float:
        """The frequency of the block per execution of the function."""
        return self.frequencies[self.cfg.numbers[block]]

    def verify(self) -> None:
        """Recomputes the frequencies; raises AssertionError if they differ."""
        cfg = CFG(self.cfg.region)
        fresh = BlockFrequency(BranchProbability(cfg, LoopInfo(DominatorTree(cfg))))
        assert fresh.frequencies == self.frequencies, "the block frequencies are stale"
