"""Reader of herd's litmus format for PTX.

    PTX MP                                  a name
    "message passing"                       optional text
    { x = 0; P1:r0 = 0; }                   initial values; registers start with 0
     P0@cta 0, gpu 0  | P1@cta 1, gpu 0 ;   threads; `cluster N` may stand between
     st.weak x, 1     | ld.acquire.gpu r0, y ;
     ...
    exists (P1:r0 == 1 /\\ P1:r1 == 0)      or `~exists`, `forall`

`y @ generic aliases x;` declares another virtual address of a variable, `t @ texture aliases x;` a
texture at its address, and `mbarrier m = 2;` a barrier object that expects two arrivals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model import mbarrier_state
from nvvm_xdsl.lab.memory_model.conditions import Condition, ConditionError, parse_condition
from nvvm_xdsl.lab.memory_model.events import Position
from nvvm_xdsl.lab.memory_model.ptx_thread import run
from nvvm_xdsl.lab.memory_model.ptx_thread_state import ADDRESS_STEP, Code, Instruction, literal
from nvvm_xdsl.lab.memory_model.traces import Program, Thread

_HEADER = re.compile(r"\s*(PTX|ptx)\s+([^\n]*)\n")
_CONDITION = re.compile(
    r"^\s*(locations\b|filter\b|exists\b|~\s*exists\b|not\s+exists\b|forall\b)", re.M
)
_THREAD = re.compile(
    r"\s*(\w+)\s*@\s*(?:warp\s+\d+\s*,\s*)?cta\s+(\d+)(?:\s*,\s*cluster\s+(\d+))?\s*,\s*gpu\s+(\d+)\s*$"
)
_REGISTER = re.compile(r"%?[a-z]+\d+$|LC\d+$")
"""Operands that are no variables, unless they are declared."""

_DEFAULT_LOOP_BOUND = 2


@dataclass(frozen=True)
class Litmus:
    """A litmus test.

    Attributes:
        codes: the instructions of each thread, by its name.
        symbols: the address of each name of a variable.
    """

    name: str
    program: Program
    condition: Condition
    codes: Mapping[str, Code]
    symbols: Mapping[str, int]


class _Reader:
    def __init__(self, text: str, filename: str, loop_bound: int) -> None:
        self.text = re.sub(
            r"\(\*.*?\*\)|//[^\n]*", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.S
        )
        self.filename = filename
        self.loop_bound = loop_bound
        self.initial: dict[str, int] = {}
        self.aliases: dict[str, str] = {}
        self.registers: dict[str, dict[str, int]] = {}
        self.pending: list[tuple[str, str, str]] = []
        self.symbols: dict[str, int] = {}

    def fail(self, message: str, offset: int) -> DiagnosticError:
        """The error at an offset of the text."""
        return DiagnosticError.at_offset(message, self.text, offset, self.filename)

    def read(self) -> Litmus:
        """The whole test."""
        header = _HEADER.match(self.text)
        if header is None:
            raise self.fail("expected 'PTX' and the name of the test", 0)
        start = self.text.find("{", header.end())
        end = self.text.find("}", start)
        if start < 0 or end < 0:
            raise self.fail("expected initial values in braces", header.end())
        self.initial_state(start + 1, end)
        last = _CONDITION.search(self.text, end)
        if last is None:
            raise self.fail("expected a condition: exists, ~exists or forall", len(self.text))
        rows, positions = self.table(end + 1, last.start())
        condition = self.condition(last.start(1))
        self.declare_used(rows)
        names = list(positions)
        observed = tuple(sorted(n for n in condition.names if ":" not in n))
        for name in observed:
            if name not in self.symbols:
                raise self.fail(
                    f"the condition names '{name}', which no thread accesses", last.start(1)
                )
        columns = self.columns(rows, names)
        codes = {name: self.code(name, *columns[name], condition) for name in names}
        threads = tuple(Thread(name, positions[name], partial(run, codes[name])) for name in names)
        sizes = {name: 4 for name in self.symbols}
        program = Program(threads, self.initial, self.aliases, observed, sizes)
        return Litmus(header[2].strip(), program, condition, codes, self.symbols)

    # Initial values

    def initial_state(self, start: int, end: int) -> None:
        """The part in braces."""
        at = start
        for item in self.text[start:end].split(";"):
            self.initial_item(item, at)
            at += len(item) + 1

    def initial_item(self, item: str, at: int) -> None:
        """One declaration."""
        text = item.strip()
        if not text:
            return
        if match := re.fullmatch(r"([\w.$]+)\s*@\s*(\w+)\s+aliases\s+([\w.$]+)", text):
            name, proxy, target = match.groups()
            self.declare(target)
            if proxy == "generic":
                self.declare(name)
                self.aliases[name] = self.aliases.get(target, target)
            else:
                self.symbols[name] = self.symbols[target]
        elif match := re.fullmatch(r"mbarrier\s+([\w.$]+)\s*=\s*(\d+)", text):
            self.declare(match[1])
            self.initial[match[1]] = mbarrier_state.initial(int(match[2]))
        elif match := re.fullmatch(r"(\w+)\s*:\s*([%\w]+)\s*=\s*(&?)\s*([-\w.$]+)", text):
            self.pending.append((match[1], match[2], match[4]))
        elif match := re.fullmatch(r"([\w.$]+)\s*=\s*(&?)\s*([-\w.$]+)", text):
            self.declare(match[1])
            value = literal(match[3])
            if value is None:
                self.aliases[match[1]] = match[3]
            else:
                self.initial[match[1]] = value
        else:
            raise self.fail(
                "expected 'x = 1', 'P0:r0 = 1', 'y @ generic aliases x' or 'mbarrier m = 2'",
                at + len(item) - len(item.lstrip()),
            )

    def declare(self, name: str) -> None:
        """Gives a variable an address."""
        self.symbols.setdefault(name, max(self.symbols.values(), default=0) + ADDRESS_STEP)

    # Threads

    def table(
        self, start: int, end: int
    ) -> tuple[list[list[tuple[str, int]]], dict[str, Position]]:
        """The rows of instructions, with their offsets, and the places of threads."""
        rows: list[list[tuple[str, int]]] = []
        at = start
        for row in self.text[start:end].split(";"):
            cells: list[tuple[str, int]] = []
            for cell in row.split("|"):
                cells.append((cell.strip(), at + len(cell) - len(cell.lstrip())))
                at += len(cell) + 1
            if any(cell for cell, _ in cells):
                rows.append(cells)
        positions: dict[str, Position] = {}
        for cell, offset in rows.pop(0) if rows else []:
            match = _THREAD.match(cell)
            if match is None:
                raise self.fail("expected a thread such as 'P0@cta 0, gpu 0'", offset)
            positions[match[1]] = Position(int(match[2]), int(match[3] or 0), int(match[4]))
        if not positions:
            raise self.fail("expected a row of threads such as 'P0@cta 0, gpu 0'", start)
        return rows, positions

    def declare_used(self, rows: list[list[tuple[str, int]]]) -> None:
        """Declares variables that have no initial value, then registers that hold addresses."""
        for row in rows:
            for cell, _ in row:
                operands = re.split(r"[,\s\[\]{}+]+", cell.partition(" ")[2])
                if re.match(r"[\w$]+:", cell):
                    continue
                for name in operands:
                    if re.match(r"[A-Za-z_]\w*$", name) and not _REGISTER.match(name):
                        self.declare(name)
        for thread, register, text in self.pending:
            value = literal(text)
            if value is None and text not in self.symbols:
                raise self.fail(f"'{text}' is neither a number nor a variable", 0)
            own = self.registers.setdefault(thread, {})
            own[register] = self.symbols[text] if value is None else value

    def columns(
        self, rows: list[list[tuple[str, int]]], names: list[str]
    ) -> dict[str, tuple[list[Instruction], dict[str, int]]]:
        """The instructions and labels of each thread."""
        found = {name: (list[Instruction](), dict[str, int]()) for name in names}
        for row in rows:
            if len(row) > len(names):
                raise self.fail(
                    f"the row has {len(row)} columns for {len(names)} threads", row[-1][1]
                )
            for name, (cell, offset) in zip(names, row):
                instructions, labels = found[name]
                while match := re.match(r"([\w$]+):\s*", cell):
                    labels[match[1]] = len(instructions)
                    cell, offset = cell[match.end() :], offset + match.end()
                if cell:
                    instructions.append(self.instruction(cell, offset))
        return found

    def instruction(self, cell: str, offset: int) -> Instruction:
        """Parses one instruction."""
        place = self.fail("", offset)
        guard = re.match(r"@(!?)(%?\w+)\s+", cell)
        rest = cell[guard.end() :] if guard else cell
        opcode, _, operands = rest.partition(" ")
        texts = re.findall(r"\{[^}]*\}|[^,{}]+", operands)
        return Instruction(
            tuple(opcode.split(".")), tuple(text.strip() for text in texts if text.strip()),
            guard[2] if guard else "", bool(guard and guard[1]),
            place.line or 0, place.column or 0, place.source_line or "",
        )  # fmt: skip

    def code(
        self,
        name: str,
        instructions: list[Instruction],
        labels: dict[str, int],
        condition: Condition,
    ) -> Code:
        """The code of a thread, whose outcome has the registers of the condition."""
        results = [n.partition(":")[2] for n in condition.names if n.startswith(f"{name}:")]
        return Code(
            instructions, labels, self.symbols, self.registers.get(name, {}), sorted(results),
            self.loop_bound, self.filename,
        )  # fmt: skip

    def condition(self, start: int) -> Condition:
        """The last part of the test."""
        text = self.text[start:]
        skipped = re.match(r"(locations|filter)\b", text)
        if skipped:
            raise self.fail(f"'{skipped[1]}' is not supported", start)
        try:
            return parse_condition(text)
        except ConditionError as error:
            raise self.fail(str(error), start + error.offset) from None


def read_litmus(
    text: str, filename: str = "<string>", loop_bound: int = _DEFAULT_LOOP_BOUND
) -> Litmus:
    """Reads a litmus test.

    Arguments:
        loop_bound: how often a thread may jump backwards; longer executions are not considered.
    Raises DiagnosticError.
    """
    return _Reader(text, filename, loop_bound).read()
