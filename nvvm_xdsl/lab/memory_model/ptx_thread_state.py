"""The state of a thread that executes PTX instructions."""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model.events import Access, Order, Scope, Undefined, Value
from nvvm_xdsl.lab.memory_model.ptx_modifiers import Modifiers, modifiers
from nvvm_xdsl.lab.memory_model.thread_steps import CutError

Steps = Generator[Access, Value, None]

ADDRESS_STEP = 1 << 16
"""Distance between the addresses of two variables."""

SYMBOL = re.compile(r"\[?\s*([%\w.$]+)\s*(?:\+\s*(-?\w+))?\s*\]?$")


@dataclass(frozen=True)
class Instruction:
    """A PTX instruction.

    Attributes:
        opcode: the parts between the dots.
        operands: their texts.
        guard: the predicate register, or the empty string; `is_negated` for `@!`.
        line, column: its location, from 1.
        source: the text of that line.
    """

    opcode: tuple[str, ...]
    operands: tuple[str, ...] = ()
    guard: str = ""
    is_negated: bool = False
    line: int = 0
    column: int = 0
    source: str = ""


@dataclass(frozen=True)
class Code:
    """The instructions of one thread.

    Attributes:
        labels: positions of labels.
        symbols: the address of each variable.
        registers: initial values.
        results: registers that are part of the outcome.
        loop_bound: maximum number of backward branches in one trace.
    """

    instructions: Sequence[Instruction]
    labels: Mapping[str, int]
    symbols: Mapping[str, int]
    registers: Mapping[str, int]
    results: Sequence[str]
    loop_bound: int = 2
    filename: str = ""


def signed(value: int, size: int) -> int:
    """The signed value of some bytes."""
    top = 1 << 8 * size - 1
    return (value & (top << 1) - 1 ^ top) - top


def literal(text: str) -> int | None:
    """The value of a constant of PTX, or None."""
    text = text.strip()
    if re.fullmatch(r"0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16}", text):
        return int(text[2:], 16)
    match = re.fullmatch(r"(-?)(0[xX][0-9a-fA-F]+|\d+)[uU]?", text)
    if match is None:
        return None
    return int(match[1] + match[2], 0 if match[2][:2] in ("0x", "0X") else 10)


def elements(text: str) -> list[str]:
    """The registers of a vector operand, or the operand itself."""
    text = text.strip()
    return [part.strip() for part in text[1:-1].split(",")] if text.startswith("{") else [text]


class ThreadState:
    """The registers of a thread, its next instruction and its pending copies.

    Attributes:
        control: the reads on which the executed branches depend.
        at: the position of the next instruction.
        agents: the number of asynchronous operations.
        groups, bulk_groups: the asynchronous operations of each group of copies; the last group is
            open.
    """

    def __init__(self, code: Code) -> None:
        self.code = code
        self.registers = {name: Value(bits) for name, bits in code.registers.items()}
        self.control: frozenset[int] = frozenset()
        self.at = 0
        self.jumps = 0
        self.agents = 0
        self.groups: list[list[int]] = [[]]
        self.bulk_groups: list[list[int]] = [[]]
        # Textures and surfaces have the address of the variable that is declared before them.
        self.variables: dict[int, str] = {
            start: n for n, start in reversed([*code.symbols.items()])
        }
        self.instruction = Instruction(())

    def fail(self, message: str) -> DiagnosticError:
        """An error at the current instruction."""
        at = self.instruction
        return DiagnosticError(
            message, file=self.code.filename or None, line=at.line or None,
            column=at.column or None, source_line=at.source or None,
        )  # fmt: skip

    def is_enabled(self) -> bool:
        """True if the guard lets the instruction execute."""
        guard = self.instruction.guard
        if not guard:
            return True
        value = self.register(guard)
        self.control |= value.reads
        return self.number(value) % 2 != self.instruction.is_negated

    def register(self, name: str) -> Value:
        """The value of a register, 0 by default."""
        return self.registers.get(name) or Value(0)

    def number(self, value: Value) -> int:
        """The bits of a value."""
        assert not isinstance(value.bits, Undefined)
        return value.bits

    def operand(self, text: str) -> Value:
        """The value of an operand: a constant, a variable or register, optionally plus a
        constant."""
        constant = literal(text)
        if constant is not None:
            return Value(constant)
        match = SYMBOL.match(text.strip())
        if match is None:
            raise self.fail(f"the operand '{text}' is not supported")
        if match[1] in self.code.symbols:
            base = Value(self.code.symbols[match[1]])
        else:
            constant = literal(match[1])
            base = self.register(match[1]) if constant is None else Value(constant)
        offset = literal(match[2]) if match[2] else 0
        assert offset is not None
        return Value(self.number(base) + offset, base.reads)

    def place(self, text: str) -> tuple[str, int, frozenset[int]]:
        """Variable and offset of an address operand, with the reads that it depends on."""
        address = self.operand(text)
        bits = self.number(address)
        start = bits & -ADDRESS_STEP
        if start not in self.variables:
            raise self.fail(f"the address '{text}' is in no variable")
        return self.variables[start], bits - start, address.reads

    def assign(self, text: str, value: Value, size: int = 16) -> None:
        """Writes a register."""
        mask = (1 << 8 * size) - 1
        if text.strip() != "_":
            self.registers[text.strip()] = Value(self.number(value) & mask, value.reads)

    def numbers(self, texts: Sequence[str], form: Modifiers) -> tuple[list[int], frozenset[int]]:
        """The operands as numbers of a type, with the reads that they depend on."""
        values = [self.operand(text) for text in texts]
        mask = (1 << 8 * form.size) - 1
        found = [self.number(value) & mask for value in values]
        if form.is_signed:
            found = [signed(value, form.size) for value in found]
        return found, frozenset[int]().union(*(value.reads for value in values))

    def form(self) -> Modifiers:
        """The modifiers of an instruction without memory accesses."""
        return modifiers(self.instruction.opcode, Order.WEAK, Scope.SYS)

    def integer_form(self) -> Modifiers:
        """The modifiers of an instruction that computes. Raises DiagnosticError for floating-point types."""
        form = self.form()
        if form.is_float:
            raise self.fail(f"'{'.'.join(self.instruction.opcode)}' is not supported")
        return form

    def jump(self, label: str) -> None:
        """Continues at a label."""
        target = self.code.labels.get(label.strip())
        if target is None:
            raise self.fail(f"the label '{label}' is not defined")
        if target < self.at:
            self.jumps += 1
            if self.jumps > self.code.loop_bound:
                raise CutError
        self.at = target
