"""Compiles a function to Python source over arrays with one element per lane.

A function becomes one loop that dispatches on a segment number. A segment is a block, or a part of
a block that ends at an op at which lanes may have to wait (barriers, warp-wide ops, calls of
functions that wait). Segments are numbered in a topological order in which each loop is contiguous
and its exits follow it. Because the lowest number runs first, diverged lanes reconverge at the
latest at the block where their paths join.

A value used only in its own segment is a plain local variable. A value used in several segments is
assigned only for the active lanes, because lanes at other segments still need their old values.

The semantics of ops is defined by the tables of a `Semantics`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from nvvm_xdsl.dialects.memory_semantics import MemorySemantics, Order, Scope
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.execution import atomics, mbarriers
from nvvm_xdsl.simulator.execution.block import copy
from nvvm_xdsl.simulator.execution.memory import GENERIC
from nvvm_xdsl.simulator.execution.recorder import Recorded
from nvvm_xdsl.simulator.execution.scheduling import (
    add_pending,
    parting,
    select,
    select_undefined,
    split,
)
from nvvm_xdsl.simulator.function_source import function_source
from nvvm_xdsl.simulator.numerics import floats, lane_ops
from nvvm_xdsl.simulator.segments import crossing_values, linear_order

FRAME_ALIGNMENT = 256
"""Alignment of frames of local memory in bytes, and maximum alignment of a local variable."""

GAP = 16
"""Bytes between local variables, so that accesses out of bounds are detected."""

UNRECORDED = frozenset({"llvm.mlir.constant", "llvm.mlir.zero", "llvm.mlir.addressof"})
"""Ops that are not recorded, because the printed op contains its value."""


@dataclass(frozen=True)
class Leaf:
    """A scalar component of a value in the generated source."""

    name: str
    undefined: str | None = None
    """The variable with the mask of its undefined bits; None if all bits are defined."""


@dataclass(frozen=True)
class FunctionInfo:
    """Facts about a function that callers need before it is compiled."""

    name: str
    op: Operation
    region: Region
    python_name: str
    waits: bool


class Semantics(ABC):
    """The semantics of the ops of the IR or of machine code."""

    tracking: bool
    """Whether undefined values are tracked."""

    @abstractmethod
    def leaf_count(self, type_: Attribute) -> int:
        """The number of scalars of a value of the type."""

    @abstractmethod
    def emit(self, op: Operation, to: FunctionCompiler) -> None:
        """Generates the source of an op. Raises SimulationError of kind `unsupported`."""

    @abstractmethod
    def waits(self, op: Operation) -> bool:
        """Whether lanes may have to wait at the op."""

    def cuts(self, op: Operation) -> int:
        """The number of segments that end within or after an op: by default 1 if lanes may have to
        wait, else 0."""
        return int(self.waits(op))

    @abstractmethod
    def edges(self, terminator: Operation) -> list[tuple[Block, tuple[SSAValue, ...]]]:
        """The successors of a terminator and their arguments."""


@dataclass
class Frame:
    """The local memory of a function."""

    start: int = 0
    """Size of the part that the caller provides, in bytes."""
    end: int = 0
    """The end of the local variables so far, in bytes."""
    outgoing: int = 0
    """Bytes after the frame for the parameters of calls."""
    grows: bool = False
    """Whether the function allocates local memory whose size is only known at run time."""
    local_offsets: dict[str, int] = field(default_factory=dict[str, int])
    has_dynamic_locals: bool = False
    """Whether the function has local variables whose sizes are only known at run time."""
    copied_arguments: dict[int, tuple[int, int, int]] = field(
        default_factory=dict[int, tuple[int, int, int]]
    )
    """By-value arguments: frame offset and size of the copy, and window of the original."""

    def allocate(self, size: int, alignment: int) -> int:
        """The frame offset of a new local variable."""
        offset = -(-self.end // max(alignment, 1)) * max(alignment, 1)
        self.end = offset + size + GAP
        return offset

    @property
    def size(self) -> int:
        """The size of the function's local memory in bytes."""
        return -(-self.end // FRAME_ALIGNMENT) * FRAME_ALIGNMENT


class FunctionCompiler:
    """Generates the source of one function.

    Attributes:
        lines: source lines of the current segment.
        semantics: the meaning of ops.
    """

    result_count: int = 0
    is_kernel: bool = False

    def __init__(
        self,
        info: FunctionInfo,
        semantics: Semantics,
        constants: dict[str, Any],
        sites: list[Operation],
        counted: list[Sequence[Operation]] | None = None,
    ) -> None:
        self.info = info
        self.counted = counted
        """Receives the ops of each counted segment; None if nothing is counted."""
        self.recorded: list[Recorded] | None = None
        """Receives the recorded ops and values; None if nothing is recorded."""
        self.semantics = semantics
        self.tracking = semantics.tracking
        self.constants = constants
        self.sites = sites
        self.lines: list[str] = []
        self.prologue: list[str] = []
        self.frame = Frame()
        self._names = 0
        self._leaves: dict[SSAValue, list[Leaf]] = {}
        self._local: dict[SSAValue, list[Leaf]] = {}
        self._crossing: set[SSAValue] = set()
        self._variables: list[str] = []
        self._segments: list[tuple[Block, list[Operation]]] = []
        self._segment_of_block: dict[Block, int] = {}
        self._current = 0
        self._stubs: list[tuple[int, list[str]]] = []
        self.extra_parameters: list[str] = []
        """Names of the additional parameters after the arguments."""
        self._deferred: Callable[[], None] | None = None
        self._entry_once = True
        self.emitted: Operation = info.op
        """The op whose source is being generated."""
        self.branches = BranchSource(self)
        self._records = RecordSource(self)

    # Names

    def temporary(self) -> str:
        """A fresh variable."""
        self._names += 1
        return f"t{self._names}"

    def constant(self, value: Any) -> str:
        """The name of a constant of the generated module."""
        return constant_name(self.constants, value)

    def stated(self, semantics: MemorySemantics) -> str:
        """The last argument of an atomic access; empty for the default of `Block.access`."""
        if semantics == MemorySemantics(Order.RELAXED, Scope.SYS):
            return ""
        return f", {self.constant(semantics)}"

    def array(self, value: float, dtype: Any) -> str:
        """A uniform constant."""
        return self.constant(np.array([value], dtype))

    def site(self, op: Operation) -> int:
        """The number that identifies the op in errors."""
        self.sites.append(op)
        return len(self.sites) - 1

    def line(self, text: str) -> None:
        """One line of the current segment."""
        self.lines.append(text)

    def assign(self, expression: str) -> str:
        """A variable that holds the value of an expression."""
        if expression.isidentifier():
            return expression
        name = self.temporary()
        self.lines.append(f"{name} = {expression}")
        return name

    def unsupported(self, op: Operation, why: str = "") -> SimulationError:
        """The error for an unsupported op."""
        return SimulationError(
            "unsupported", f"the simulator does not run this op{': ' if why else ''}{why}", op
        )

    # Values

    def leaves(self, value: SSAValue) -> list[Leaf]:
        """The scalars of a value, by their names in the current segment."""
        local = self._local.get(value)
        if local is not None:
            return local
        leaves = self._leaves.get(value)
        if leaves is None:
            # The definition is in a segment that is generated later: the value is used across
            # segments.
            leaves = self._variables_of(value)
        return leaves

    def leaf(self, value: SSAValue) -> Leaf:
        """The only scalar of a value."""
        (leaf,) = self.leaves(value)
        return leaf

    def _variables_of(self, value: SSAValue) -> list[Leaf]:
        leaves = [self.variable() for _ in range(self.semantics.leaf_count(value.type))]
        self._leaves[value] = leaves
        return leaves

    def variable(self, bits: int | None = None) -> Leaf:
        """A variable of the function; with a width, it starts as an undefined register."""
        self._names += 1
        name = f"x{self._names}"
        undefined = f"{name}u" if self.tracking else None
        self._variables.append(name)
        if undefined:
            self._variables.append(undefined)
        if bits is not None:
            kind = bool if bits == 1 else lane_ops.container(bits)
            self.prologue.append(f"{name} = {self.array(0, kind)}")
            if undefined:
                ones = self.array((1 << min(bits, 64)) - 1, lane_ops.container(min(bits, 64)))
                self.prologue.append(f"{undefined} = {ones}")
        return Leaf(name, undefined)

    @property
    def current(self) -> int:
        """The number of the current segment."""
        return self._current

    def define(self, value: SSAValue, leaves: Sequence[Leaf | str]) -> None:
        """Sets the expressions of a result, in the order of its scalars."""
        named: list[Leaf] = []
        for leaf in leaves:
            if isinstance(leaf, str):
                leaf = Leaf(leaf)
            undefined = leaf.undefined
            if undefined is not None and self.tracking:
                undefined = None if undefined == "0" else self.assign(undefined)
            else:
                undefined = None
            named.append(Leaf(self.assign(leaf.name), undefined))
        if value in self._crossing and not all(n.name.startswith("K") for n in named):
            if self._current == 0 and self._entry_once:
                self._leaves[value] = named
            else:
                variables = self._leaves.get(value) or self._variables_of(value)
                self._merge(variables, named, "m", "full")
                self._local[value] = named
        else:
            self._leaves[value] = named
        self._records.value(value, named)

    def _merge(self, into: Sequence[Leaf], values: Sequence[Leaf], mask: str, full: str) -> None:
        for target, source in zip(into, values):
            if target.name != source.name:
                self.line(
                    f"{target.name} = {source.name} if {full} else select({mask}, {source.name}, {target.name})"
                )
            if target.undefined:
                new = source.undefined or "0"
                if new != target.undefined:
                    self.line(
                        f"{target.undefined} = {new} if {full} else select_undefined({mask}, {new}, {target.undefined})"
                    )

    # Control

    def move(
        self, targets: Sequence[Leaf], sources: Sequence[Leaf], mask: str = "m", full: str = "full"
    ) -> None:
        """Assigns variables of the function in parallel, for the lanes of a mask."""
        names = {t.name for t in targets}
        if any(s.name in names and s.name != t.name for s, t in zip(sources, targets)):
            held: list[Leaf] = []
            for s in sources:
                # A copy must not read a variable that an earlier copy of the same edge wrote.
                name = self.temporary()
                self.line(f"{name} = {s.name}")
                undefined = None
                if s.undefined:
                    undefined = self.temporary()
                    self.line(f"{undefined} = {s.undefined}")
                held.append(Leaf(name, undefined))
            sources = held
        self._merge(targets, sources, mask, full)

    def leaves_of_argument(self, argument: SSAValue) -> list[Leaf]:
        """The variables of a block argument."""
        return self._leaves.get(argument) or self._variables_of(argument)

    def segment_of(self, block: Block) -> int:
        """The number of the first segment of a block."""
        return self._segment_of_block[block]

    def returns(self, leaves: Sequence[Leaf]) -> None:
        """Emits the return of the active lanes from the function."""
        for i, leaf in enumerate(leaves):
            self.line(f"r{i} = {leaf.name} if r{i} is None else select(m, {leaf.name}, r{i})")
            if self.tracking:
                new = leaf.undefined or "0"
                self.line(f"r{i}u = {new} if r{i}u is None else select_undefined(m, {new}, r{i}u)")
        self.line("blk.pop_frame(sp, frame, m)")
        if self.frame.has_dynamic_locals:
            self.line("blk.release_dynamic(dynamic, m)")
        if self.is_kernel:
            self.line("blk.exit(m)")
        self.line("m = None")

    def returned(self, types: Sequence[Attribute]) -> int:
        """The number of scalars of values of these types."""
        return sum(self.semantics.leaf_count(t) for t in types)

    def exit(self) -> None:
        """Emits the exit of the active lanes."""
        self.line("blk.exit(m)")
        self.line("m = None")

    def lost(self) -> None:
        """Continues with the remaining lanes after an op that may end some lanes."""
        self.line("m = blk.survivors(m)")
        self.line("if m is None: continue")

    def guard(self, predicate: str, negated: bool) -> str:
        """Begins a wait of the lanes selected by a predicate; returns the variable that holds their
        mask, or None at run time if there are none.

        Code that needs an active lane must not be emitted before the call of `wait` with `guarded`.
        """
        taken = "mf, mt" if negated else "mt, mf"
        self.line(f"{taken} = split(m, {predicate})")
        return "mt"

    def wait(self, condition: str, guarded: bool = False) -> None:
        """Ends a segment: active lanes continue with the next if the condition is true, or are
        parked.

        With `guarded`, only the lanes selected by `guard` wait.
        """
        following = self._current + 1
        self.line(f"b = {following}")
        if guarded:
            self.line(
                f"if mt is not None and not {condition}: add_pending(parked, {following}, mt); m = mf"
            )
            self.line("if m is not None and pend: add_pending(pend, b, m); m = None")
            return
        self.line(f"if not {condition}: add_pending(parked, {following}, m); m = None")
        self.line("elif pend: add_pending(pend, b, m); m = None")

    def after_wait(self, write: Callable[[], None]) -> None:
        """Emits code at the start of the next segment that receives the result of a wait."""
        self._deferred = write

    def call_waiting(self, frames: Sequence[str], finish: Callable[[str], None]) -> None:
        """Ends a segment with a call of a function that can wait.

        Arguments:
            frames: expressions that create the callee's generator.
            finish: emits code that receives the callee's result from the given variable.
        """
        following = self._current + 1
        stub = len(self._segments) + len(self._stubs)
        saved, self.lines = self.lines, []
        saved_local = dict(self._local)
        current, self._current = self._current, -1
        self.line("result = blk.result")
        finish("result")
        self.lost()
        self.line(f"b = {following}")
        self.line("if pend: add_pending(pend, b, m); m = None")
        self._stubs.append((stub, self.lines))
        self.lines = saved
        self._local = saved_local
        self._current = current
        (frame,) = frames
        self.line(f"if blk.start({frame}, {stub}, m, children): b = {stub}")
        self.line("else: m = None")

    # Whole functions

    def compile(self) -> str:
        """The function's source."""
        blocks = linear_order(self.info.region)
        cut: set[int] = set()
        for block in blocks:
            self._segment_of_block[block] = len(self._segments)
            part: list[Operation] = []
            for op in fast.ops_of(block):
                part.append(op)
                for _ in range(self.semantics.cuts(op)):
                    cut.add(len(self._segments))
                    self._segments.append((block, part))
                    part = []
            self._segments.append((block, part))
        self._crossing = crossing_values(
            self._segments, self._segment_of_block, self.semantics.waits
        )
        entry = blocks[0]
        self._entry_once = entry.first_use is None
        parameters: list[str] = []
        for argument in entry.args:
            leaves = self._parameter(argument)
            for leaf in leaves:
                parameters.append(leaf.name)
                if leaf.undefined:
                    parameters.append(leaf.undefined)
        parameters += self.extra_parameters
        if self.frame.has_dynamic_locals:
            self.prologue.append("dynamic = blk.dynamic.copy()")
        for i, (offset, size, window) in self.frame.copied_arguments.items():
            name = self._leaves[entry.args[i]][0].name
            site = self.site(self.info.op)
            self.prologue.append(f"blk.copy_in({site}, m, sp, {offset}, {size}, {name}, {window})")
            self.prologue.append(f"{name} = blk.local_pointer(sp + {offset}, {window == GENERIC})")
        # The code below may enlarge the frame, so the source refers to its size by a variable.
        bodies: list[list[str]] = []
        for number, (_, ops) in enumerate(self._segments):
            self._current = number
            self.lines = [f"blk.tick({len(ops)}, {self.site(ops[-1])}, m)"] if ops else []
            if ops and self.counted is not None:
                self.lines.append(f"blk.ran({len(self.counted)}, m)")
                self.counted.append(ops)
            self._local = {}
            deferred, self._deferred = self._deferred, None
            if deferred is not None:
                deferred()
            block = self._segments[number][0]
            if self._segment_of_block[block] == number:
                self._records.arguments(block)
            for op in ops:
                self.emitted = op
                self._records.op(op)
                self.semantics.emit(op, self)
            if number not in cut and not (
                ops and (fast.successors_of(ops[-1]) or self._ends(ops[-1]))
            ):
                raise self.unsupported(
                    ops[-1] if ops else self.info.op, "the block has no terminator"
                )
            bodies.append(self.lines)
        for number, lines in self._stubs:
            assert number == len(bodies)
            bodies.append(lines)
        return self._assembled(parameters, bodies)

    def _assembled(self, parameters: Sequence[str], bodies: Sequence[Sequence[str]]) -> str:
        results = [
            name
            for i in range(self.result_count)
            for name in ((f"r{i}", f"r{i}u") if self.tracking else (f"r{i}",))
        ]
        frame = f"frame = {(self.frame.start, self.frame.size)}; top = sp + {self.frame.size}"
        return function_source(
            f"{self.info.python_name}(blk, m, sp{''.join(', ' + p for p in parameters)})",
            results,
            [*self._variables, *results],
            [frame, *self.prologue],
            bodies,
            self.info.waits,
        )

    def _ends(self, op: Operation) -> bool:
        block = op.parent_block()
        return block is not None and block.last_op is op

    def _parameter(self, argument: SSAValue) -> list[Leaf]:
        leaves = [
            Leaf(f"a{self._names + i}", f"a{self._names + i}u" if self.tracking else None)
            for i in range(self.semantics.leaf_count(argument.type))
        ]
        self._names += len(leaves)
        self._leaves[argument] = leaves
        return leaves


class BranchSource:
    """Generates the source of jumps, branches and switches between the segments of a function."""

    def __init__(self, to: FunctionCompiler) -> None:
        self.to = to

    def _copy(self, edge: tuple[Block, tuple[SSAValue, ...]], mask: str, full: str) -> None:
        block, values = edge
        targets: list[Leaf] = []
        sources: list[Leaf] = []
        for argument, value in zip(block.args, values):
            targets += self.to.leaves_of_argument(argument)
            sources += self.to.leaves(value)
        self.to.move(targets, sources, mask, full)

    def jump(self, edge: tuple[Block, tuple[SSAValue, ...]]) -> None:
        """Emits a jump of all active lanes to a block."""
        self._copy(edge, "m", "full")
        self.go(self.to.segment_of(edge[0]))

    def go(self, number: int) -> None:
        """Emits a jump of all active lanes to a segment."""
        self.to.line(f"b = {number}")
        self.to.line(f"if pend: add_pending(pend, {number}, m); m = None")

    def branch(
        self,
        condition: str,
        then: tuple[Block, tuple[SSAValue, ...]],
        other: tuple[Block, tuple[SSAValue, ...]],
    ) -> None:
        """Emits a branch of the active lanes to one of two blocks."""
        first, second = self.to.segment_of(then[0]), self.to.segment_of(other[0])
        if not then[1] and not other[1]:
            self.fork(condition, first, second)
            return
        self.to.line(f"mt, mf = split(m, {condition})")
        self._count_parting("mf")
        for mask, rest, edge in (("mt", "mf", then), ("mf", "mt", other)):
            if edge[1]:
                self.to.line(f"if {mask} is not None:")
                self.to.line(f"  part = full and {rest} is None")
                start = len(self.to.lines)
                self._copy(edge, mask, "part")
                self.to.lines[start:] = ["  " + text for text in self.to.lines[start:]]
        self._part(first, second)

    def fork(self, condition: str, first: int, second: int) -> None:
        """Emits a branch of the active lanes to one of two segments."""
        if self.to.counted is None:
            self.to.line(f"b, m = parting(pend, *split(m, {condition}), {first}, {second})")
            return
        self.to.line(f"mt, mf = split(m, {condition})")
        self._count_parting("mf")
        self._part(first, second)

    def _count_parting(self, rest: str, indent: str = "") -> None:
        """Counts the warps whose lanes diverge at a branch."""
        if self.to.counted is not None:
            self.to.line(f"{indent}blk.parted({self.to.site(self.to.emitted)}, mt, {rest})")

    def _part(self, first: int, second: int) -> None:
        self.to.line(f"b, m = parting(pend, mt, mf, {first}, {second})")

    def switch(
        self,
        cases: Sequence[tuple[str, tuple[Block, tuple[SSAValue, ...]]]],
        default: tuple[Block, tuple[SSAValue, ...]],
    ) -> None:
        """Emits a branch to the first block whose condition is true, else to the default."""
        self.to.line("rest = whole = m; m = None")
        for condition, edge in cases:
            self.to.line("if rest is not None:")
            self.to.line(f"  mt, rest = split(rest, {condition})")
            self._count_parting("rest", "  ")
            self.to.line("  if mt is not None:")
            self._add_edge(edge, "mt", "    ")
        self.to.line("if rest is not None:")
        self._add_edge(default, "rest", "  ")

    def _add_edge(self, edge: tuple[Block, tuple[SSAValue, ...]], mask: str, indent: str) -> None:
        start = len(self.to.lines)
        self.to.line(f"part = full and {mask} is whole")
        self._copy(edge, mask, "part")
        self.to.line(f"add_pending(pend, {self.to.segment_of(edge[0])}, {mask})")
        self.to.lines[start:] = [indent + text for text in self.to.lines[start:]]


class RecordSource:
    """Generates the source that passes executed ops and their values to a recorder."""

    def __init__(self, to: FunctionCompiler) -> None:
        self.to = to

    def value(self, value: SSAValue, leaves: Sequence[Leaf]) -> None:
        """Passes the result of an op to the recorder."""
        op = value.owner
        if self.to.recorded is None or not isinstance(op, Operation) or op.name in UNRECORDED:
            return
        self._values(Recorded(op, None, (value,), (len(leaves),)), leaves)

    def arguments(self, block: Block) -> None:
        """Passes the arguments of an entered block to the recorder."""
        if self.to.recorded is None or not block.args:
            return
        leaves = [self.to.leaves_of_argument(argument) for argument in block.args]
        what = Recorded(None, block, tuple(block.args), tuple(len(each) for each in leaves))
        self._values(what, [leaf for each in leaves for leaf in each])

    def _values(self, what: Recorded, leaves: Sequence[Leaf]) -> None:
        assert self.to.recorded is not None
        values = "".join(f"{leaf.name}, " for leaf in leaves)
        undefined = "".join(f"{leaf.undefined or 0}, " for leaf in leaves)
        self.to.line(f"blk.defined({len(self.to.recorded)}, m, ({values}), ({undefined}))")
        self.to.recorded.append(what)

    def op(self, op: Operation) -> None:
        """Reports to the recorder that an op is about to execute."""
        if self.to.recorded is not None and op.name not in UNRECORDED:
            self.to.line(f"blk.begins({len(self.to.recorded)}, m)")
            self.to.recorded.append(Recorded(op, None))


def constant_name(constants: dict[str, Any], value: Any) -> str:
    """The name of a constant of the generated source, the same for equal values."""
    key = _constant_key(value)
    known: dict[Any, str] = constants.setdefault("_known", {})
    name = known.get(key)
    if name is None:
        name = known[key] = f"K{len(known)}"
        constants[name] = value
    return name


def _constant_key(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        array = cast("np.ndarray[Any, Any]", value)
        if array.dtype == object:
            return ("o", tuple(array.tolist()))
        return (array.dtype.str, array.tobytes())
    return (type(value), value if value.__hash__ is not None else id(value))


def namespace() -> dict[str, Any]:
    """The names available to generated source."""
    return {
        "np": np,
        "F": floats,
        "L": lane_ops,
        "A": atomics,
        "B": mbarriers,
        "L_copy": copy,
        "add_pending": add_pending,
        "parting": parting,
        "select": select,
        "select_undefined": select_undefined,
        "split": split,
        "u1": np.uint8,
        "u2": np.uint16,
        "u4": np.uint32,
        "u8": np.uint64,
        "i1": np.int8,
        "i2": np.int16,
        "i4": np.int32,
        "i8": np.int64,
        "f2": np.float16,
        "f4": np.float32,
        "f8": np.float64,
        "b1": np.bool_,
        "big": np.object_,
    }
