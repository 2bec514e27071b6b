"""Execution of a function of the llvm dialect as a thread, one memory access at a time."""

from __future__ import annotations

import struct
from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, cast

from xdsl.ir import Attribute, Block, Operation, SSAValue

from nvvm_xdsl.dialects.generated.llvm_enums import ENUMS
from nvvm_xdsl.dialects.llvm.accessors import (
    global_name,
    int_property,
    position_of,
    shuffle_mask_of,
)
from nvvm_xdsl.dialects.llvm.branches import case_values, edges_of
from nvvm_xdsl.dialects.llvm.data_layout import DataLayout
from nvvm_xdsl.dialects.memory_semantics import BARRIER_SCOPES, Order, Scope, semantics_of
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model.events import (
    UNDEFINED,
    Access,
    Bits,
    Kind,
    Undefined,
    Value,
)
from nvvm_xdsl.lab.memory_model.float_arithmetic import float_result
from nvvm_xdsl.lab.memory_model.ptx_thread_state import ADDRESS_STEP
from nvvm_xdsl.lab.memory_model.thread_steps import CutError, UndefinedBehaviourError
from nvvm_xdsl.simulator.errors import SimulationError
from nvvm_xdsl.simulator.interpreter import run_op
from nvvm_xdsl.simulator.numerics.scalar_types import ScalarType
from nvvm_xdsl.simulator.straight_line import TYPES

Steps = Generator[Access, Value, None]
Content = Any
"""A value: a number, UNDEFINED, or a tuple of values for vectors and structs."""

MAX_STEPS = 2000
"""Maximum number of ops of one trace."""

_READ_MODIFY_WRITE: dict[str, Callable[[int, int, int], int]] = {
    "xchg": lambda _, b, __: b,
    "add": lambda a, b, _: a + b,
    "sub": lambda a, b, _: a - b,
    "_and": lambda a, b, _: a & b,
    "nand": lambda a, b, _: ~(a & b),
    "_or": lambda a, b, _: a | b,
    "_xor": lambda a, b, _: a ^ b,
    "umax": lambda a, b, _: max(a, b),
    "umin": lambda a, b, _: min(a, b),
    "max": lambda a, b, bits: max(a, b, key=lambda v: _signed(v, bits)),
    "min": lambda a, b, bits: min(a, b, key=lambda v: _signed(v, bits)),
    "uinc_wrap": lambda a, b, _: 0 if a >= b else a + 1,
    "udec_wrap": lambda a, b, _: b if a == 0 or a > b else a - 1,
}


def _signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> bits - 1 else value


_FLOAT_UPDATES = {"fadd": "add", "fsub": "sub"}
"""Operations on floating-point numbers by LLVM's name."""


def _float_update(name: str, kind: ScalarType) -> Callable[[int, int, int], int] | None:
    """The update of a floating-point number's bits; None if it is not modelled."""
    if name == "xchg":
        return _READ_MODIFY_WRITE[name]
    operation = _FLOAT_UPDATES.get(name)
    if operation is None or kind.fmt not in _FLOATS:
        return None
    return lambda a, b, bits: float_result(operation, a, b, bits // 8)


class _Frame(dict[SSAValue, tuple[Content, frozenset[int]]]):
    """Values with the reads that they depend on."""


class IrThread:
    """A function as a thread.

    Attributes:
        function: an `llvm.func` without arguments.
        symbols: the address of each global variable.
        loop_bound: maximum number of backward branches in one trace.
    """

    def __init__(
        self, function: Operation, symbols: Mapping[str, int], layout: DataLayout, loop_bound: int
    ) -> None:
        self.function = function
        self.symbols = symbols
        self.layout = layout
        self.loop_bound = loop_bound
        self.memo: dict[tuple[int, tuple[Content, ...]], Content] = {}
        self.orders: dict[tuple[int, str], tuple[Order, Scope]] = {}
        blocks = function.regions[0].blocks
        self.number = {block: at for at, block in enumerate(blocks)}

    def body(self) -> Generator[Access, Value, Mapping[str, Value]]:
        """Runs the thread; see `traces.Body`."""
        return _Run(self).run()


class _Run:
    def __init__(self, thread: IrThread) -> None:
        self.thread = thread
        self.values = _Frame()
        self.control: frozenset[int] = frozenset()
        self.jumps = 0
        self.allocated = 0
        self.names = {start: name for name, start in thread.symbols.items()}

    def run(self) -> Generator[Access, Value, Mapping[str, Value]]:
        """Executes the function to its return."""
        block: Block | None = self.thread.function.regions[0].blocks[0]
        count = 0
        while block is not None:
            following: Block | None = None
            for op in block.ops:
                count += 1
                if count > MAX_STEPS:
                    raise CutError
                if op.successors:
                    following = yield from self.branch(op, block)
                    break
                if op.name in ("llvm.return", "llvm.unreachable"):
                    if op.name == "llvm.unreachable":
                        raise UndefinedBehaviourError
                    break
                steps = self.execute(op)
                if steps is not None:
                    yield from steps
            block = following
        return {}

    def fail(self, op: Operation) -> DiagnosticError:
        """The error for an op that is not modelled."""
        return DiagnosticError(f"'{op.name}' is not supported by the memory model")

    def get(self, value: SSAValue) -> Content:
        """The content of a value."""
        return self.values[value][0]

    def reads(self, *values: SSAValue) -> frozenset[int]:
        """The reads that values depend on."""
        return frozenset[int]().union(*(self.values[value][1] for value in values))

    def set(self, value: SSAValue, content: Content, reads: frozenset[int] = frozenset()) -> None:
        """Defines a value."""
        self.values[value] = (content, reads)

    # Control flow

    def branch(self, op: Operation, block: Block) -> Generator[Access, Value, Block]:
        """Executes a terminator; returns the next block."""
        edges = edges_of(op)
        chosen = 0
        if op.name in ("llvm.cond_br", "llvm.switch"):
            self.control |= self.reads(op.operands[0])
            condition = self.get(op.operands[0])
            if isinstance(condition, Undefined):
                edge = yield Access(Kind.UNDEFINED, edges=len(edges))
                chosen = edge.bits
            elif op.name == "llvm.cond_br":
                chosen = 0 if condition else 1
            else:
                chosen = self.case(op, condition)
        elif op.name != "llvm.br":
            raise self.fail(op)
        assert isinstance(chosen, int)
        target, operands = edges[chosen]
        taken = [self.values[operand] for operand in operands]
        for argument, value in zip(target.args, taken):
            self.values[argument] = value
        if self.thread.number[target] <= self.thread.number[block]:
            self.jumps += 1
            if self.jumps > self.thread.loop_bound:
                raise CutError
        return target

    def case(self, op: Operation, value: int) -> int:
        """The number of the edge of a switch for a value."""
        cases = case_values(op, signed=True)
        return cases.index(value) + 1 if value in cases else 0

    # Ops

    def execute(self, op: Operation) -> Steps | None:
        """Executes an op that is not a terminator; returns its memory accesses, if it has any."""
        handler = _HANDLERS.get(op.name)
        if handler is not None:
            return handler(self, op)
        if op.name not in _IGNORED:
            self.compute(op)
        return None

    def compute(self, op: Operation) -> None:
        """An op without memory access, by the simulator's table."""
        if not op.results:
            raise self.fail(op)
        operands = [self.values[operand] for operand in op.operands]
        contents = tuple(content for content, _ in operands)
        if op.name in _DIVISIONS:
            _check_division(op, *contents)
        reads = frozenset[int]().union(*(reads for _, reads in operands))
        for result in op.results:
            self.set(result, self.result(op, contents), reads)

    def result(self, op: Operation, operands: tuple[Content, ...]) -> Content:
        """The result of an op, undef if it depends on undef."""
        key = (id(op), operands)
        if key not in self.thread.memo:
            self.thread.memo[key] = self.evaluated(op, operands)
        return self.thread.memo[key]

    def evaluated(self, op: Operation, operands: Sequence[Content]) -> Content:
        """The result of an op that was not evaluated before."""
        if any(_has_undefined(operand) for operand in operands):
            return _elementwise(op, operands)
        try:
            (content,) = run_op(op, operands)
        except (SimulationError, ValueError) as error:
            raise self.fail(op) from error
        return content

    def address_of(self, op: Operation) -> None:
        """The address of a global variable."""
        name = global_name(op)
        if name not in self.thread.symbols:
            raise self.fail(op)
        self.set(op.results[0], self.thread.symbols[name])

    def undefined(self, op: Operation) -> None:
        """`undef` and `poison`."""
        self.set(op.results[0], _undefined_of(op.results[0].type))

    def allocate(self, op: Operation) -> None:
        """Creates a new variable for each `alloca`."""
        self.allocated += 1
        start = (len(self.thread.symbols) + self.allocated + 1) * ADDRESS_STEP
        self.names[start] = f"alloca {self.allocated} of {id(self.thread)}"
        self.set(op.results[0], start)

    def place(self, pointer: SSAValue) -> tuple[str, int, frozenset[int]]:
        """Variable and offset of an address, with the reads that it depends on."""
        address = self.get(pointer)
        if isinstance(address, Undefined):
            raise UndefinedBehaviourError
        start = address & -ADDRESS_STEP
        if start not in self.names:
            raise UndefinedBehaviourError
        return self.names[start], address - start, self.reads(pointer) | self.control

    def semantics(self, op: Operation, name: str) -> tuple[Order, Scope]:
        """Ordering and scope of an op."""
        key = (id(op), name)
        if key not in self.thread.orders:
            found = semantics_of(op, name)
            self.thread.orders[key] = (found.order, found.scope)
        return self.thread.orders[key]

    def load(self, op: Operation) -> Steps:
        """Each scalar of the type is one access."""
        variable, offset, depends = self.place(op.operands[0])
        order, scope = self.semantics(op, "ordering")
        content: list[Content] = []
        reads: frozenset[int] = frozenset()
        for at, kind in TYPES.placed(op.results[0].type):
            value = yield Access(
                Kind.READ, variable, offset + at, kind.size, order, scope, depends=depends
            )
            content.append(_decoded(value.bits, kind))
            reads |= value.reads
        self.set(op.results[0], _shaped(op.results[0].type, content), reads)

    def store(self, op: Operation) -> Steps:
        """Each scalar of the type is one access."""
        value, pointer = op.operands
        variable, offset, depends = self.place(pointer)
        order, scope = self.semantics(op, "ordering")
        leaves = _leaves(self.get(value))
        for (at, kind), leaf in zip(TYPES.placed(value.type), leaves):
            yield Access(
                Kind.WRITE, variable, offset + at, kind.size, order, scope,
                value=Value(_encoded(leaf, kind), self.reads(value)), depends=depends,
            )  # fmt: skip

    def read_modify_write(self, op: Operation) -> Steps:
        """`atomicrmw`."""
        pointer, operand = op.operands
        variable, offset, depends = self.place(pointer)
        order, scope = self.semantics(op, "ordering")
        ((_, kind),) = TYPES.placed(op.results[0].type)
        numbers = {number: name for name, number in ENUMS["AtomicBinOp"].items()}
        name = numbers[int_property(op, "bin_op")]
        operation = _float_update(name, kind) if kind.fmt else _READ_MODIFY_WRITE.get(name)
        if operation is None:
            raise self.fail(op)
        other = _encoded(self.get(operand), kind)
        own = self.reads(operand)

        def update(old: Value) -> Value:
            if name == "xchg":
                return Value(other, own)
            if isinstance(old.bits, Undefined) or isinstance(other, Undefined):
                return Value(UNDEFINED, own | old.reads)
            new = operation(old.bits, other, kind.bits)
            return Value(new & (1 << kind.bits) - 1, own | old.reads)

        old = yield Access(
            Kind.READ, variable, offset, kind.size, order, scope, update=update, depends=depends
        )
        self.set(op.results[0], _decoded(old.bits, kind), old.reads)

    def compare_exchange(self, op: Operation) -> Steps:
        """`cmpxchg`; a failure is a load with the failure ordering.

        A comparison with undef may succeed or fail, and its result is undef.
        """
        pointer, expected, new = op.operands
        variable, offset, depends = self.place(pointer)
        success, scope = self.semantics(op, "success_ordering")
        failure, _ = self.semantics(op, "failure_ordering")
        ((_, kind),) = TYPES.placed(expected.type)
        compared = _encoded(self.get(expected), kind)
        written = Value(_encoded(self.get(new), kind), self.reads(new))
        old = yield Access(
            Kind.READ, variable, offset, kind.size, success, scope, depends=depends,
            update=lambda _: written, expected=compared, failure_order=failure,
        )  # fmt: skip
        succeeds: Content = int(old.bits == compared)
        if isinstance(old.bits, Undefined) or isinstance(compared, Undefined):
            succeeds = UNDEFINED
        reads = old.reads | self.reads(expected)
        self.set(op.results[0], (_decoded(old.bits, kind), succeeds), reads)

    def fence(self, op: Operation) -> Steps:
        """A fence with ordering and scope."""
        order, scope = self.semantics(op, "ordering")
        yield Access(Kind.FENCE, order=order, scope=scope)

    def memory_barrier(self, op: Operation) -> Steps:
        """`llvm.nvvm.membar`: a `seq_cst` fence."""
        word = str(op.properties["scope"]).partition("<")[2].rstrip(">")
        scope = BARRIER_SCOPES.get(word)
        if scope is None:
            raise self.fail(op)
        yield Access(Kind.FENCE, order=Order.SC, scope=scope)

    def barrier(self, op: Operation) -> Steps:
        """A barrier for all threads of the block."""
        number = 0
        if op.operands:
            if len(op.operands) > 1:
                raise self.fail(op)
            number = self.get(op.operands[0])
        yield Access(Kind.ARRIVE, order=Order.ACQ_REL, barrier=(number << 16, 0))
        yield Access(Kind.WAIT, order=Order.ACQ_REL, barrier=(number << 16, 0))

    def copy(self, op: Operation) -> Steps:
        """`memcpy` and `memmove`: all reads, then all writes, one byte each."""
        size = self.get(op.operands[2]) if len(op.operands) > 2 else int_property(op, "len")
        target, to, target_depends = self.place(op.operands[0])
        source, start, depends = self.place(op.operands[1])
        content: list[Value] = []
        for at, width in _aligned_words(start, size):
            content.append((yield Access(Kind.READ, source, start + at, width, depends=depends)))
        for (at, width), value in zip(_aligned_words(start, size), content):
            yield Access(Kind.WRITE, target, to + at, width, value=value, depends=target_depends)

    def fill(self, op: Operation) -> Steps:
        """`memset`."""
        size = self.get(op.operands[2]) if len(op.operands) > 2 else int_property(op, "len")
        target, to, depends = self.place(op.operands[0])
        byte = self.get(op.operands[1])
        for at, width in _aligned_words(to, size):
            bits: Bits = UNDEFINED
            if not isinstance(byte, Undefined):
                bits = int.from_bytes(bytes([byte & 255]) * width, "little")
            yield Access(
                Kind.WRITE, target, to + at, width,
                value=Value(bits, self.reads(op.operands[1])), depends=depends,
            )  # fmt: skip


def _aligned_words(start: int, size: int) -> list[tuple[int, int]]:
    """Offsets and sizes of the aligned words of some bytes, up to four bytes each."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < size:
        width = 4
        while width > size - at or (start + at) % width:
            width //= 2
        found.append((at, width))
        at += width
    return found


def _has_undefined(content: Content) -> bool:
    return any(isinstance(leaf, Undefined) for leaf in _leaves(content))


def _leaves(content: Content) -> list[Content]:
    if isinstance(content, tuple):
        parts = cast("tuple[Content, ...]", content)
        return [leaf for part in parts for leaf in _leaves(part)]
    return [content]


def _shaped(type_: Attribute, leaves: list[Content]) -> Content:
    """The scalars of a type as nested tuples."""
    if TYPES.scalar(type_) is not None:
        return leaves[0]
    fields = getattr(type_, "types", None)
    if fields is not None:
        found: list[Content] = []
        for field in fields.data:
            count = len(TYPES.placed(field))
            found.append(_shaped(field, leaves[:count]))
            leaves = leaves[count:]
        return tuple(found)
    inner = TYPES.part(type_, 0)[1]
    size = max(1, len(TYPES.placed(inner)))
    return tuple(_shaped(inner, leaves[at : at + size]) for at in range(0, len(leaves), size))


def _undefined_of(type_: Attribute) -> Content:
    return _shaped(type_, [UNDEFINED] * len(TYPES.placed(type_)))


def _elementwise(op: Operation, operands: Sequence[Content]) -> Content:
    """The result of an op with undef among its operands."""
    first = operands[0]
    if op.name in ("llvm.extractvalue", "llvm.insertvalue"):
        path = position_of(op)
        return (
            _extracted(first, path)
            if op.name == "llvm.extractvalue"
            else _inserted(first, path, operands[1])
        )
    if op.name == "llvm.extractelement" and isinstance(operands[1], int):
        return first[operands[1]]
    if op.name == "llvm.insertelement" and isinstance(operands[2], int):
        return _inserted(first, [operands[2]], operands[1])
    if op.name == "llvm.shufflevector":
        lanes = [*first, *operands[1]]
        mask = shuffle_mask_of(op)
        return tuple(lanes[at] if at >= 0 else UNDEFINED for at in mask)
    if op.name == "llvm.select" and isinstance(first, int):
        return operands[1] if first else operands[2]
    return _undefined_of(op.results[0].type)


def _extracted(content: Content, path: Sequence[int]) -> Content:
    for at in path:
        content = content[at]
    return content


def _inserted(content: Content, path: Sequence[int], part: Content) -> Content:
    if not path:
        return part
    at = path[0]
    return (*content[:at], _inserted(content[at], path[1:], part), *content[at + 1 :])


_DIVISIONS = frozenset("llvm.sdiv llvm.srem llvm.udiv llvm.urem".split())


def _check_division(op: Operation, dividend: Content, divisor: Content) -> None:
    """LangRef, "sdiv": raises UndefinedBehaviourError for a divisor of zero or undef, and for overflow."""
    ((_, kind),) = TYPES.placed(op.results[0].type)
    pairs = zip(_leaves(dividend), _leaves(divisor))
    least = -(1 << kind.bits - 1)
    for value, by in pairs:
        if isinstance(by, Undefined) or by == 0:
            raise UndefinedBehaviourError
        if op.name in ("llvm.sdiv", "llvm.srem") and by == -1 and value in (least, UNDEFINED):
            raise UndefinedBehaviourError


_FLOATS = {"f32": "<f", "f64": "<d", "f16": "<e"}


def _encoded(leaf: Content, kind: ScalarType) -> Bits:
    """A scalar as bits in memory."""
    if isinstance(leaf, Undefined):
        return UNDEFINED
    if kind.fmt in _FLOATS:
        return int.from_bytes(struct.pack(_FLOATS[kind.fmt], leaf), "little")
    if kind.fmt == "bf16":
        return int.from_bytes(struct.pack("<f", leaf), "little") >> 16
    return int(leaf) & (1 << kind.bits) - 1


def _decoded(bits: Bits, kind: ScalarType) -> Content:
    """A scalar of bits in memory."""
    if isinstance(bits, Undefined):
        return UNDEFINED
    if kind.fmt in _FLOATS:
        return struct.unpack(_FLOATS[kind.fmt], bits.to_bytes(kind.size, "little"))[0]
    if kind.fmt == "bf16":
        return struct.unpack("<f", (bits << 16).to_bytes(4, "little"))[0]
    bits &= (1 << kind.bits) - 1
    return bits if kind.pointer or kind.bits == 1 else _signed(bits, kind.bits)


_IGNORED = frozenset(
    "llvm.intr.lifetime.start llvm.intr.lifetime.end llvm.intr.assume llvm.intr.dbg.value "
    "llvm.intr.dbg.declare llvm.intr.experimental.noalias.scope.decl".split()
)

_HANDLERS: dict[str, Callable[[_Run, Operation], Steps | None]] = {
    "llvm.mlir.addressof": _Run.address_of,
    "llvm.mlir.undef": _Run.undefined,
    "llvm.mlir.poison": _Run.undefined,
    "llvm.alloca": _Run.allocate,
    "llvm.load": _Run.load,
    "llvm.store": _Run.store,
    "llvm.atomicrmw": _Run.read_modify_write,
    "llvm.cmpxchg": _Run.compare_exchange,
    "llvm.fence": _Run.fence,
    "llvm.intr.memcpy": _Run.copy,
    "llvm.intr.memcpy.inline": _Run.copy,
    "llvm.intr.memmove": _Run.copy,
    "llvm.intr.memset": _Run.fill,
    "nvvm.memory.barrier": _Run.memory_barrier,
    "nvvm.barrier0": _Run.barrier,
    "nvvm.barrier": _Run.barrier,
}
