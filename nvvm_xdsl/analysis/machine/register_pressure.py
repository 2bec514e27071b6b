"""Register pressure at each program point: the analysis `rpa`.

PTX registers are typed, but occupancy depends on the number of the machine's 32-bit registers.
Predicates have their own register file (PTX ISA, "Register State Space").
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Self

from xdsl.dialects.builtin import VectorType
from xdsl.dialects.llvm import LLVMArrayType, LLVMPointerType, LLVMStructType
from xdsl.ir import Attribute, Block, Operation, OpResult, SSAValue

from nvvm_xdsl.analysis.liveness import Liveness
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.nvptx.functions import FuncOp
from nvvm_xdsl.dialects.nvptx.registers import RegisterClass
from nvvm_xdsl.ir import fast

if TYPE_CHECKING:
    from nvvm_xdsl.analysis.manager import AnalysisManager

CLASSES = ("pred", "b16", "b32", "b64", "b128")
"""The classes of PTX registers, in the order of a `Pressure`."""

Pressure = tuple[int, int, int, int, int]
"""Number of registers of each class."""

NOTHING: Pressure = (0, 0, 0, 0, 0)

FREE_OPS = frozenset(
    {"llvm.mlir.constant", "llvm.mlir.zero", "llvm.mlir.undef", "llvm.mlir.poison"}
)
"""Ops whose results become operands of the instructions that use them."""

_PACKED_WIDTHS = (8, 16)


def registers_of(pressure: Pressure) -> int:
    """The number of 32-bit registers: predicates have their own file."""
    _, b16, b32, b64, b128 = pressure
    return b16 + b32 + 2 * b64 + 4 * b128


class RegisterCosts:
    """The registers of a value by its type, cached; also for nvptx registers."""

    def __init__(self, layout: DataLayout) -> None:
        self._layout = layout
        self._known: dict[Attribute, Pressure] = {}
        self._by_id: dict[int, tuple[Attribute, Pressure, int]] = {}

    def of(self, type_: Attribute) -> Pressure:
        """The registers of a value of the type."""
        return self._found(type_)[1]

    def _found(self, type_: Attribute) -> tuple[Attribute, Pressure, int]:
        found = self._by_id.get(id(type_))
        if found is None:
            pressure = self._known.get(type_)
            if pressure is None:
                pressure = self._known[type_] = self._compute(type_)
            # The type is kept alive so that its identity is not reused.
            found = self._by_id[id(type_)] = (type_, pressure, _packed(pressure))
        return found

    def _compute(self, type_: Attribute) -> Pressure:
        if isinstance(type_, RegisterClass):
            return _scalar(type_.width)
        if isinstance(type_, LLVMStructType):
            total = NOTHING
            for field in type_.types.data:
                total = _add(total, self.of(field), 1)
            return total
        if isinstance(type_, LLVMArrayType):
            return _add(NOTHING, self.of(type_.type), type_.size.data)
        if isinstance(type_, LLVMPointerType):
            return _scalar(self._layout.bits(type_) or 64)
        if type(type_) is VectorType:
            width = self._layout.bits(type_.element_type) or 0
            count = 1
            for extent in type_.get_shape():
                count *= extent
            if width in _PACKED_WIDTHS:
                # v2f16, v2i16 and v4i8 are in one 32-bit register each.
                return (0, 0, -(-count * width // 32), 0, 0)
            return _add(NOTHING, _scalar(width), count)
        return _scalar(self._layout.bits(type_) or 0)

    def of_value(self, value: SSAValue) -> Pressure:
        """Registers of a value; none for constants."""
        if isinstance(value, OpResult) and value.op.name in FREE_OPS:
            return NOTHING
        return self.of(value.type)

    def packed(self, value: SSAValue) -> int:
        """The same as one number (see `_packed`)."""
        # Not `isinstance`, which is slow for classes of abstract ones.
        if type(value) is OpResult and value.op.name in FREE_OPS:
            return 0
        type_ = value.type
        found = self._by_id.get(id(type_))
        return (self._found(type_) if found is None else found)[2]


def _add(a: Pressure, b: Pressure, times: int) -> Pressure:
    return (
        a[0] + b[0] * times,
        a[1] + b[1] * times,
        a[2] + b[2] * times,
        a[3] + b[3] * times,
        a[4] + b[4] * times,
    )


def _scalar(width: int) -> Pressure:
    if width == 0:
        return NOTHING
    if width == 1:
        return (1, 0, 0, 0, 0)
    if width <= 16:
        return (0, 1, 0, 0, 0)
    if width <= 32:
        return (0, 0, 1, 0, 0)
    if width <= 64:
        return (0, 0, 0, 1, 0)
    return (0, 0, 0, 0, -(-width // 128))


def _most(a: Pressure, b: Pressure) -> Pressure:
    return (max(a[0], b[0]), max(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]), max(a[4], b[4]))


class BlockPressure:
    """The pressure in one block.

    `at_entry` and `at_exit` are the pressure at the block's start, including arguments, and at its
    end. `maximum` is the maximum of each class at any point. `registers` is the maximum number of
    32-bit registers at any point; it may occur at another point than the maxima of the classes.
    """

    def __init__(
        self, at_entry: Pressure, at_exit: Pressure, maximum: Pressure, registers: int
    ) -> None:
        self.at_entry = at_entry
        self.at_exit = at_exit
        self.maximum = maximum
        self.registers = registers


class RegisterPressure:
    """The register pressure of a function, by block and by point.

    `blocks[n]` is that of block `n` of the CFG.
    """

    blocks: list[BlockPressure]

    def __init__(self, liveness: Liveness, layout: DataLayout | None = None) -> None:
        self.liveness = liveness
        self.cfg = liveness.cfg
        self.costs = RegisterCosts(layout or DataLayout())
        self.blocks = []
        self._at_exit: list[int] = []
        """The values live at each block's end, packed."""
        for block, cost in zip(self.cfg.blocks, self._costs_at_exit(range(len(self.cfg.blocks)))):
            self._at_exit.append(cost)
            self.blocks.append(self._measure(block))

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The pressure in a function."""
        return cls(am.get(Liveness, op))

    def of_order(self, block: Block, ops: Sequence[Operation]) -> BlockPressure:
        """The pressure of a block for another order of its ops."""
        return self._measure(block, reversed(ops))

    def _costs_at_exit(self, numbers: Iterable[int]) -> Iterator[int]:
        """The live values at the ends of blocks, packed as differences between consecutive
        blocks."""
        liveness, packed = self.liveness, self.costs.packed
        counted = cost = 0
        for number in numbers:
            bits = liveness.live_out_bits[number]
            cost += sum(map(packed, liveness.values_of(bits & ~counted)))
            cost -= sum(map(packed, liveness.values_of(counted & ~bits)))
            counted = bits
            yield cost

    def _measure(self, block: Block, backwards: Iterable[Operation] | None = None) -> BlockPressure:
        """The pressure in a block with these ops, last first; by default its own ops."""
        cost = self.costs.packed
        ops = list(fast.reversed_ops_of(block) if backwards is None else backwards)
        number = self.cfg.numbers[block]
        live: dict[SSAValue, int] = {}
        if self.liveness.live_out_bits[number]:
            concerned: list[SSAValue] = [*block.args]
            for op in ops:
                concerned += op.results
                concerned += fast.operands_of(op)
            for value in self.liveness.live_out_among(block, concerned):
                live[value] = cost(value)
        now = at_exit = self._at_exit[number]
        points = {now}
        for op in ops:
            results = op.results
            if results:
                written = 0
                for result in results:
                    taken = live.pop(result, None)
                    if taken is None:
                        # An unused result occupies a register where it is written.
                        taken = cost(result)
                        now += taken
                    written += taken
                points.add(now)
                now -= written
            for value in fast.operands_of(op):
                if value not in live:
                    taken = live[value] = cost(value)
                    now += taken
            points.add(now)
        for argument in block.args:
            if argument not in live:
                now += cost(argument)
        points.add(now)
        found = [_unpacked(point) for point in points]
        preds, b16, b32, b64, b128 = map(max, zip(*found))
        maximum = (preds, b16, b32, b64, b128)
        return BlockPressure(
            _unpacked(now), _unpacked(at_exit), maximum, max(map(registers_of, found))
        )

    def of_block(self, block: Block) -> BlockPressure:
        """The pressure in one block."""
        return self.blocks[self.cfg.numbers[block]]

    def at(self, op: Operation) -> Pressure:
        """The values that are live after the op."""
        total = NOTHING
        for value in self.liveness.live_after(op):
            total = _add(total, self.costs.of_value(value), 1)
        return total

    def points(self, block: Block) -> list[Pressure]:
        """The values that are live after each op of a block, in order."""
        cost = self.costs.packed
        live = set(self.liveness.live_out(block))
        now = sum(map(cost, live))
        found: list[Pressure] = []
        for op in fast.reversed_ops_of(block):
            found.append(_unpacked(now))
            for result in op.results:
                if result in live:
                    live.discard(result)
                    now -= cost(result)
            for value in fast.operands_of(op):
                if value not in live:
                    live.add(value)
                    now += cost(value)
        found.reverse()
        return found

    @property
    def maximum(self) -> Pressure:
        """The maximum of each class over all points of the function."""
        total = NOTHING
        for block in self.blocks:
            total = _most(total, block.maximum)
        return total

    @property
    def registers(self) -> int:
        """Maximum number of 32-bit registers that are live at any point of the function."""
        return max((block.registers for block in self.blocks), default=0)

    def update(self, values: Iterable[SSAValue], blocks: Iterable[Block] = ()) -> None:
        """Updates the pressure after ops were moved or created: sinking, rematerialization.

        Arguments:
            values: those whose definition or uses were moved, added or removed.
            blocks: those whose ops changed in any way.
        """
        stale = self.liveness.update(values)
        stale.update(self.cfg.numbers[block] for block in blocks)
        order = sorted(stale)
        for number, cost in zip(order, self._costs_at_exit(order)):
            self._at_exit[number] = cost
            self.blocks[number] = self._measure(self.cfg.blocks[number])

    def verify(self) -> None:
        """Recomputes the pressure; raises AssertionError if it differs."""
        self.liveness.verify()
        fresh = RegisterPressure(Liveness(self.cfg.region), self.costs._layout)  # pyright: ignore[reportPrivateUsage]
        for number, (mine, other) in enumerate(zip(self.blocks, fresh.blocks)):
            assert vars(mine) == vars(other), f"the pressure in {self.cfg.name(number)} is stale"


def registers_at_most(liveness: Liveness, layout: DataLayout) -> int:
    """An upper bound of the live registers at any point, in a fraction of the time of
    `RegisterPressure`.

    In each block all values that are live at its start or defined in it are assumed to be live at
    once.
    """
    packed = RegisterCosts(layout).packed
    most = counted = entering = 0
    for block, bits in zip(liveness.cfg.blocks, liveness.live_in_bits):
        entering += sum(map(packed, liveness.values_of(bits & ~counted)))
        entering -= sum(map(packed, liveness.values_of(counted & ~bits)))
        counted = bits
        total = entering + sum(map(packed, block.args))
        for op in fast.ops_of(block):
            for result in op.results:
                total += packed(result)
        most = max(most, registers_of(_unpacked(total)))
    return most


class MachineRegisterPressure:
    """The register pressure of the machine code of a module: the analysis `machine-rpa`.

    `functions` has that of every function of the nvptx dialect with a body.
    """

    functions: dict[Operation, RegisterPressure]

    def __init__(self, functions: dict[Operation, RegisterPressure]) -> None:
        self.functions = functions

    @classmethod
    def build(cls, op: Operation, am: AnalysisManager, /) -> Self:
        """The pressure in all functions of a module."""
        return cls(
            {
                func: am.get(RegisterPressure, func)
                for block in fast.blocks_of(op.regions[0])
                for func in fast.ops_of(block)
                if isinstance(func, FuncOp) and func.body.first_block is not None
            }
        )

    def verify(self) -> None:
        """Recomputes the pressure; raises AssertionError if it differs."""
        for pressure in self.functions.values():
            pressure.verify()


def _packed(pressure: Pressure) -> int:
    """A pressure as one number, so that pressures can be added as numbers."""
    return sum(count << _FIELD * index for index, count in enumerate(pressure))


def _unpacked(packed: int) -> Pressure:
    """The pressure that a number represents."""
    return (
        packed & _MASK,
        packed >> _FIELD & _MASK,
        packed >> 2 * _FIELD & _MASK,
        packed >> 3 * _FIELD & _MASK,
        packed >> 4 * _FIELD,
    )


_FIELD = 40
"""Number of bits per class: an array may have any size."""

_MASK = (1 << _FIELD) - 1
