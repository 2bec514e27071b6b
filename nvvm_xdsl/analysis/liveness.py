"""Live values at block boundaries.

Only values that are live across a block boundary get a number; sets of them are big integers, one
for the start and one for the end of each block. A value that a branch passes to a successor is used
by the branch: the value is live up to the branch, and the block argument from there on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Self

from xdsl.ir import Block, BlockArgument, Operation, OpResult, Region, SSAValue

from nvvm_xdsl.analysis.cfg import CFG
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager


def defining_block(value: SSAValue) -> Block | None:
    """The block in which a value is defined."""
    if type(value) is OpResult:
        return fast.producer_of(value).parent
    assert isinstance(value, BlockArgument)
    return value.block


class Liveness:
    """Live-in and live-out sets of the blocks of a region.

    `values[n]` is the value number `n`; the sets `live_in_bits[b]` and `live_out_bits[b]` have
    bit `n` when it is live at the start or end of block `b`. Values whose uses all are in the
    block that defines them have no number.
    """

    cfg: CFG
    values: list[SSAValue]
    numbers: dict[SSAValue, int]
    live_in_bits: list[int]
    live_out_bits: list[int]

    def __init__(self, source: Region | CFG) -> None:
        cfg = self.cfg = source if isinstance(source, CFG) else CFG(source)
        self.values = []
        self.numbers = {}
        size = len(cfg.blocks)
        self.live_in_bits = [0] * size
        self.live_out_bits = [0] * size
        upward = [0] * size
        defined = [0] * size
        numbers = self.numbers
        values = self.values
        for number, block in enumerate(cfg.blocks):
            # A dictionary look-up is faster than finding the definition, and most values are used
            # in their block.
            seen: set[SSAValue] = set(block.args)
            for op in fast.ops_of(block):
                for value in fast.operands_of(op):
                    if value in seen:
                        continue
                    seen.add(value)
                    home = defining_block(value)
                    if home is block:
                        continue
                    at = numbers.get(value)
                    if at is None:
                        at = numbers[value] = len(values)
                        values.append(value)
                        owner = None if home is None else cfg.numbers.get(home)
                        if owner is not None:
                            defined[owner] |= 1 << at
                    upward[number] |= 1 << at
                seen.update(op.results)
        self._solve(upward, defined)

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The liveness of a function's values."""
        return cls(am.get(CFG, op))

    def _solve(self, upward: list[int], defined: list[int]) -> None:
        cfg = self.cfg
        live_in = self.live_in_bits
        live_out = self.live_out_bits
        keep = [~d for d in defined]
        order = [n for n in range(len(cfg.blocks)) if cfg.rpo_index[n] < 0]
        order += reversed(cfg.rpo)
        successors = cfg.successors
        predecessors = cfg.predecessors
        stale = bytearray(b"\1") * len(cfg.blocks)
        again = True
        while again:
            again = False
            for n in order:
                if not stale[n]:
                    continue
                stale[n] = 0
                out = 0
                for s in successors[n]:
                    out |= live_in[s]
                live_out[n] = out
                entry = upward[n] | (out & keep[n])
                if entry != live_in[n]:
                    live_in[n] = entry
                    for p in predecessors[n]:
                        stale[p] = 1
                    again = True

    def values_of(self, bits: int) -> list[SSAValue]:
        """The values in a bit set."""
        values = self.values
        found: list[SSAValue] = []
        while bits:
            low = bits & -bits
            found.append(values[low.bit_length() - 1])
            bits ^= low
        return found

    def live_in(self, block: Block) -> list[SSAValue]:
        """The values that are live at the start of the block."""
        return self.values_of(self.live_in_bits[self.cfg.numbers[block]])

    def live_out(self, block: Block) -> list[SSAValue]:
        """The values that are live at the end of the block."""
        return self.values_of(self.live_out_bits[self.cfg.numbers[block]])

    def live_out_among(self, block: Block, values: Iterable[SSAValue]) -> set[SSAValue]:
        """The values among these that are used after the block's end. Takes time linear in their
        number.
        """
        bits = self.live_out_bits[self.cfg.numbers[block]]
        if not bits:
            return set()
        number_of = self.numbers.get
        flags = bits.to_bytes(len(self.values) // 8 + 1, "little")
        return {
            value
            for value in values
            if (n := number_of(value)) is not None and flags[n >> 3] >> (n & 7) & 1
        }

    def crossing(self, blocks: Iterable[Block]) -> list[SSAValue]:
        """The values that are live into or out of one of the blocks, each once."""
        found: list[SSAValue] = []
        seen = 0
        for block in blocks:
            number = self.cfg.numbers[block]
            for bits in (self.live_in_bits[number], self.live_out_bits[number]):
                found += self.values_of(bits & ~seen)
                seen |= bits
        return found

    def is_live_in(self, value: SSAValue, block: Block) -> bool:
        """Returns True if the value is in the block's live-in set."""
        number = self.numbers.get(value)
        return number is not None and bool(self.live_in_bits[self.cfg.numbers[block]] >> number & 1)

    def is_live_out(self, value: SSAValue, block: Block) -> bool:
        """Returns True if the value is in the block's live-out set."""
        number = self.numbers.get(value)
        return number is not None and bool(
            self.live_out_bits[self.cfg.numbers[block]] >> number & 1
        )

    def points(self, block: Block) -> Iterator[tuple[Operation, set[SSAValue]]]:
        """The block's ops from last to first, each with the values that are live after it.

        The same set object is updated and yielded for each op.
        """
        live = set(self.live_out(block))
        for op in fast.reversed_ops_of(block):
            yield op, live
            live.difference_update(op.results)
            live.update(fast.operands_of(op))

    def live_after(self, op: Operation) -> set[SSAValue]:
        """The values that are live after the op."""
        block = op.parent
        assert block is not None
        for at, live in self.points(block):
            if at is op:
                return set(live)
        raise AssertionError("the op is not in its block")

    def update(self, values: Iterable[SSAValue]) -> set[int]:
        """Updates the sets for values whose definitions or uses were moved or changed.

        Returns the numbers of the blocks whose sets changed. The control flow must be as
        before.
        """
        changed: set[int] = set()
        for value in values:
            self._update(value, changed)
        return changed

    def _update(self, value: SSAValue, changed: set[int]) -> None:
        cfg = self.cfg
        home = defining_block(value)
        entries: set[int] = set()
        exits: set[int] = set()
        if home is not None:
            work = [
                cfg.numbers[user.parent]
                for user in fast.users_of(value)
                if user.parent is not None and user.parent is not home
            ]
            origin = cfg.numbers[home]
            while work:
                n = work.pop()
                if n == origin or n in entries:
                    continue
                entries.add(n)
                for p in cfg.predecessors[n]:
                    exits.add(p)
                    work.append(p)
        number = self.numbers.get(value)
        if number is None:
            if not entries:
                return
            number = self.numbers[value] = len(self.values)
            self.values.append(value)
        bit = 1 << number
        for sets, wanted in ((self.live_in_bits, entries), (self.live_out_bits, exits)):
            for n in range(len(sets)):
                if bool(sets[n] & bit) != (n in wanted):
                    sets[n] ^= bit
                    changed.add(n)

    def extend(self, value: SSAValue, block: Block) -> None:
        """Extends the live range of a value to a new use in a block, in time linear in the added
        blocks.

        Removed uses are not considered: `value` remains live in all blocks in which it was.
        """
        home = defining_block(value)
        number = self.numbers.get(value)
        if number is None:
            if home is block:
                return
            number = self.numbers[value] = len(self.values)
            self.values.append(value)
        bit, numbers = 1 << number, self.cfg.numbers
        origin = None if home is None else numbers.get(home)
        pending = [numbers[block]]
        while pending:
            n = pending.pop()
            if n == origin or self.live_in_bits[n] & bit:
                continue
            self.live_in_bits[n] |= bit
            for p in self.cfg.predecessors[n]:
                self.live_out_bits[p] |= bit
                pending.append(p)

    def verify(self) -> None:
        """Recomputes the sets; raises AssertionError if they differ."""
        fresh = Liveness(self.cfg.region)
        assert fresh.cfg.blocks == self.cfg.blocks, "the blocks have changed"
        for block in self.cfg.blocks:
            name = self.cfg.name(self.cfg.numbers[block])
            assert set(self.live_in(block)) == set(fresh.live_in(block)), (
                f"the values live into {name} are stale"
            )
            assert set(self.live_out(block)) == set(fresh.live_out(block)), (
                f"the values live out of {name} are stale"
            )
