"""Machine code as segments: basic blocks, divided where lanes may have to wait."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from nvvm_xdsl.dialects.sass.ops import FunctionOp, InstructionOp, LabelOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator.sass.emitter import Emitter, UnknownInstructionError

INSTRUCTION_BYTES: Final = 16

ENDS: Final = frozenset(
    "BRA BRX BRXU JMP JMX JMXU EXIT KILL RET CALL BSYNC WARPSYNC BAR BPT ENDCOLLECTIVE UCGABAR_WAIT "
    "NANOSLEEP SYNCS".split()
)
"""Instructions after which a segment begins."""

CALLS: Final = frozenset({"CALL"})


@dataclass
class Segment:
    """A part of the code with one entry and one exit.

    Attributes:
        address: address of its first instruction, in the code of the file.
        ops: its instructions.
        following: the segment after it.
    """

    number: int
    address: int
    ops: list[InstructionOp] = field(default_factory=list[InstructionOp])
    successors: list[int] = field(default_factory=list[int])
    lines: list[str] = field(default_factory=list[str])
    end: list[str] = field(default_factory=list[str])
    emitter: Emitter | None = None
    external: str = ""
    """The function of the run-time system that the segment calls; empty for code."""

    def address_of(self, op: InstructionOp) -> int:
        """The address of one of its instructions, in the code of the file."""
        return self.address + op.address - self.ops[0].address

    @property
    def following(self) -> int:
        """The segment after it."""
        return self.number + 1


class Code:
    """The functions that a kernel may run, as segments.

    Arguments:
        functions: the kernel, then the other functions.
        base: the address of each function in the code of the file.
        externals: addresses of functions of the run-time system that it may call.
    """

    def __init__(
        self,
        functions: Sequence[FunctionOp],
        base: Callable[[str], int],
        externals: Mapping[str, int],
    ) -> None:
        self.functions = functions
        self.labels: dict[str, int] = {}
        """Addresses of labels."""
        rows: list[tuple[int, InstructionOp]] = []
        starts: set[int] = set()
        self.returns: set[int] = set()
        """Return addresses of calls."""
        for function in functions:
            self._read(function, base(function.text("symbol")), rows, starts)
        self.segments: list[Segment] = []
        for address, op in rows:
            if not self.segments or address in starts:
                self.segments.append(Segment(len(self.segments), address))
            self.segments[-1].ops.append(op)
        for name, address in externals.items():
            self.labels[name] = address
            self.segments.append(Segment(len(self.segments), address, external=name))
        self.by_address = {s.address: s.number for s in self.segments}

    def _read(
        self,
        function: FunctionOp,
        base: int,
        rows: list[tuple[int, InstructionOp]],
        starts: set[int],
    ) -> None:
        block = function.regions[0].first_block
        assert block is not None
        ops = list(fast.ops_of(block))
        named = {
            operand.name.strip("()")
            for op in ops
            if isinstance(op, InstructionOp)
            for operand in op.parsed
            if operand.kind == "label"
        }
        waiting: list[str] = []
        fresh = True
        self.labels[function.text("symbol")] = base
        for op in ops:
            if isinstance(op, LabelOp):
                waiting.append(op.text("label"))
                continue
            assert isinstance(op, InstructionOp)
            address = base + op.address
            for label in waiting:
                self.labels[label] = address
                # A routine may be called through its address.
                fresh = fresh or label in named or not label.startswith(".L")
            waiting = []
            if fresh:
                starts.add(address)
            rows.append((address, op))
            fresh = op.mnemonic in ENDS
            if op.mnemonic in CALLS:
                self.returns.add(address + INSTRUCTION_BYTES)
        for label in waiting:
            self.labels[label] = base + 0

    def return_segments(self) -> list[int]:
        """The segments at which calls continue."""
        return [self.by_address[a] for a in sorted(self.returns) if a in self.by_address]

    def segment_of(self, label: str) -> int:
        """The segment at a label. Raises UnknownInstructionError."""
        address = self.labels.get(label)
        number = None if address is None else self.by_address.get(address)
        if number is None:
            raise UnknownInstructionError(f"the label {label}")
        return number
