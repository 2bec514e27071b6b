"""Compiles machine code to Python source over arrays with one element per lane.

The code of a kernel and of the device functions in its file becomes one generator that dispatches on the
segment number. A segment is a basic block, or a part of one that ends at an instruction at which
lanes may have to wait. Segments are numbered by address; the lowest runs first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from xdsl.ir import Operation

from nvvm_xdsl.dialects.sass.operands import OperandError
from nvvm_xdsl.dialects.sass.ops import InstructionOp
from nvvm_xdsl.simulator import externals
from nvvm_xdsl.simulator.sass import control_flow
from nvvm_xdsl.simulator.sass.emitter import (
    PREDICATES,
    Emitter,
    UnknownInstructionError,
    register_operand,
)
from nvvm_xdsl.simulator.sass.segments import Code, Segment
from nvvm_xdsl.simulator.sass.table import emit

FIRST_ARGUMENT: Final = 4
RETURN_ADDRESS: Final = 20
"""Registers of the calling convention (observed in code of ptxas 13.0)."""

EXTERNALS: Final[dict[str, tuple[Any, tuple[int, ...], int]]] = {
    "vprintf": (externals.vprintf, (8, 8), 4),
    "malloc": (externals.malloc, (8,), 8),
    "free": (externals.free, (8,), 0),
    "__assertfail": (externals.assert_fail, (8, 8, 4, 8, 8), 0),
}
"""Functions of the run-time system, with the bytes of their arguments and result."""

_UNIFORM: Final = frozenset({"UR", "UP"})


class CodeCompiler:
    """Writes the source of a kernel."""

    def __init__(
        self,
        code: Code,
        function: str,
        name: str,
        constants: Callable[[Any], str],
        sites: list[Operation],
        counted: list[Sequence[Operation]] | None,
    ) -> None:
        self.code = code
        self.function = function
        self.name = name
        self.constants = constants
        self.sites = sites
        self.counted = counted
        self.registers: set[str] = set()
        self.unknown: set[str] = set()
        """Opcodes without a row in the tables."""

    def compile(self) -> str:
        """The source of a generator of the block, its lanes and the stack."""
        for segment in self.code.segments:
            self._write(segment)
        for segment, live in zip(self.code.segments, self._live()):
            self._merge(segment, live)
        return self._assemble()

    def _site(self, op: Operation) -> int:
        self.sites.append(op)
        return len(self.sites) - 1

    def _write(self, segment: Segment) -> None:
        emitter = segment.emitter = Emitter(self.constants, "t")
        if segment.external:
            self._write_external(segment, emitter)
            return
        ended = False
        for op in segment.ops:
            emitter.site = self._site(op)
            emitter.op = op
            emitter.address = segment.address_of(op)
            start = len(emitter.lines)
            try:
                ended = self._instruction(op, segment, emitter)
            except (UnknownInstructionError, OperandError):
                del emitter.lines[start:]
                text = op.source_text()
                self.unknown.add(op.opcode)
                emitter.line(f"raise unknown(blk, {text!r}, {op.address}, {emitter.site})")
                # Instructions after it do not run.
                segment.lines, segment.end, segment.successors = emitter.lines, [], []
                emitter.current.clear()
                return
        if not ended:
            self._fall_through(segment)
        segment.lines = emitter.lines

    def _write_external(self, segment: Segment, emitter: Emitter) -> None:
        """Generates a function of the run-time system: arguments from R4 on, the return address in
        R20 and R21."""
        function, widths, results = EXTERNALS[segment.external]
        site = self._site(self.code.functions[0])
        arguments: list[str] = []
        number = FIRST_ARGUMENT
        for width in widths:
            number = -(-number // (width // 4)) * (width // 4)
            operand = register_operand("R", number)
            arguments.append(emitter.u8(operand) if width == 8 else emitter.u4(operand))
            number += width // 4
        call = f"{self.constants(function)}(blk, {site}, m, {', '.join(arguments)})"
        result = emitter.assign(call)
        target = register_operand("R", FIRST_ARGUMENT)
        if results == 8:
            emitter.set_wide(target, f"{result}[0]")
        elif results == 4:
            emitter.set_u4(target, f"{result}[0]")
        address = emitter.u8(register_operand("R", RETURN_ADDRESS))
        segment.successors += self.code.return_segments()
        segment.end.append(f"b, m = w.jump(m, {address}, SEGMENTS, {site})")
        segment.lines = emitter.lines

    def _fall_through(self, segment: Segment) -> None:
        segment.successors.append(segment.following)
        segment.end.append(f"b, m = w.go({segment.following}, m)")

    def _instruction(self, op: InstructionOp, segment: Segment, emitter: Emitter) -> bool:
        """Writes an instruction; returns whether it ends its segment."""
        guard = op.guard
        emitter.guard = None if guard is None else emitter.predicate(guard)
        emitter.mask = "m"
        flow = control_flow.FLOW.get(op.mnemonic)
        if flow is not None:
            return flow(op, segment, self.code, emitter)
        emit(op, emitter)
        return False

    # Registers

    def _live(self) -> list[set[str]]:
        """The registers that are live after each segment."""
        segments = self.code.segments
        entering: list[set[str]] = [set() for _ in segments]
        leaving: list[set[str]] = [set() for _ in segments]
        predecessors: list[list[int]] = [[] for _ in segments]
        for segment in segments:
            segment.successors = [s for s in segment.successors if s < len(segments)]
            for successor in segment.successors:
                predecessors[successor].append(segment.number)
        work = list(range(len(segments)))
        while work:
            number = work.pop()
            emitter = segments[number].emitter
            assert emitter is not None
            out = leaving[number] = set[str]().union(
                *(entering[s] for s in segments[number].successors)
            )
            new = emitter.used | (out - emitter.current.keys())
            if new != entering[number]:
                entering[number] = new
                work += predecessors[number]
        return leaving

    def _merge(self, segment: Segment, live: set[str]) -> None:
        """Writes the registers that later segments read, for the lanes that ran this one."""
        emitter = segment.emitter
        assert emitter is not None
        rows: list[tuple[str, str]] = []
        for name in sorted(emitter.current.keys() & live):
            dtype = "b" if name.rstrip("0123456789") in PREDICATES else "u4"
            source = emitter.form(emitter.current[name], dtype)
            if source != name:
                rows.append((name, source))
        written = {name for name, _ in rows}
        # A copy must not read a register that was written just before it.
        for i, (name, source) in enumerate(rows):
            if source in written:
                copy = emitter.temporary()
                emitter.line(f"{copy} = {source}")
                rows[i] = name, copy
        for name, source in rows:
            uniform = name.rstrip("0123456789") in _UNIFORM
            mask = "w.whole(m)" if uniform else "m"
            emitter.line(f"{name} = {source} if full else select({mask}, {source}, {name})")
        self.registers |= written | emitter.used
        segment.lines = emitter.lines

    # Whole kernels

    def _assemble(self) -> str:
        out = [f"def {self.name}(blk, m, sp):"]
        kinds: dict[str, list[str]] = {"b": [], "u4": []}
        for name in sorted(self.registers):
            kinds["b" if name.rstrip("0123456789") in PREDICATES else "u4"].append(name)
        zero, false = (self.constants(v) for v in control_flow.INITIAL)
        for names, value in ((kinds["u4"], zero), (kinds["b"], false)):
            for start in range(0, len(names), 100):
                out.append(f"  {' = '.join(names[start : start + 100])} = {value}")
        out += [
            "  w = Warps(blk, m)",
            f"  code = program.image(blk, {self.function!r}); SEGMENTS = code.segments",
            "  bank0 = code.bank(0)",
            "  code.enter(blk, m)",
            "  shift = code.shared_shift(blk)",
            "  m = None",
            "  while True:",
            "    if m is None:",
            "      while True:",
            "        b, m = w.pick()",
            "        if m is not None or b == -1: break",
            "        w.blocked({})",
            "        yield",
            "      if m is None: break",
            "    full = m.count == w.live",
        ]
        bodies: list[list[str]] = []
        for segment in self.code.segments:
            head: list[str] = []
            if segment.ops:
                head.append(f"blk.tick({len(segment.ops)}, {self._site(segment.ops[-1])}, m)")
            if self.counted is not None and segment.ops:
                head.append(f"blk.ran({len(self.counted)}, m)")
                self.counted.append(segment.ops)
            bodies.append([*head, *segment.lines, *segment.end])
        _tree(out, bodies, 0, len(bodies), "    ")
        out.append("  return ()")
        return "\n".join(out) + "\n"


def _tree(
    out: list[str], bodies: Sequence[Sequence[str]], low: int, high: int, indent: str
) -> None:
    """A binary search for the body of the current segment."""
    if high - low == 1:
        out += [indent + text for text in bodies[low]]
        return
    middle = (low + high) // 2
    out.append(f"{indent}if b < {middle}:")
    _tree(out, bodies, low, middle, indent + "  ")
    out.append(f"{indent}else:")
    _tree(out, bodies, middle, high, indent + "  ")
