"""Runs of litmus tests on the simulator, with random schedules.

All threads of a test are threads of one block, a warp each, and every instruction is a block of its own
in the control flow graph. A schedule chooses at each step the thread that continues. The simulator has
one memory, so that all results are sequentially consistent. Each must be an outcome of the model.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.frontend.ptx import read_ptx
from nvvm_xdsl.ir.nvptx import WARP_SIZE
from nvvm_xdsl.lab.memory_model.events import Order, Proxy, Scope
from nvvm_xdsl.lab.memory_model.litmus import Litmus
from nvvm_xdsl.lab.memory_model.ptx_modifiers import access_proxy, modifiers
from nvvm_xdsl.lab.memory_model.ptx_thread_state import SYMBOL, Code, Instruction, literal
from nvvm_xdsl.lab.memory_model.search import Outcome
from nvvm_xdsl.simulator import Limits, SimulationError, launch, prepare

CELL = 16
"""Bytes of memory for a variable."""

MAX_STEPS = 100_000
"""Simulated ops of one run."""

MAX_BARRIERS = 16
"""Barriers of a block."""

Array = np.ndarray[Any, Any]

_COMPARISONS = {
    "eq": "eq", "ne": "ne", "lt": "lo", "le": "ls", "gt": "hi", "ge": "hs",
    "lo": "lo", "ls": "ls", "hi": "hi", "hs": "hs",
}  # fmt: skip
"""Comparisons of unsigned numbers by their names in litmus tests."""

_BINARY = {
    "add": "add.u64",
    "sub": "sub.u64",
    "mul": "mul.lo.u64",
    "and": "and.b64",
    "or": "or.b64",
    "xor": "xor.b64",
}
_ATOMIC = frozenset("add exch and or xor min max inc dec cas".split())
_BITWISE = frozenset("exch and or xor cas".split())


class NotRunnableError(ValueError):
    """The simulator cannot run a test in this way."""


@dataclass
class Runs:
    """The results of several runs.

    Attributes:
        results: how often each outcome occurred.
        endless: runs in which a thread waited forever or that exceeded the limit of steps.
    """

    results: Counter[Outcome] = field(default_factory=Counter[Outcome])
    endless: int = 0


def run(test: Litmus, count: int) -> Runs:
    """Runs a test with the schedules of the seeds below `count`.

    Raises:
        NotRunnableError: the test uses an instruction or proxy that is not translated.
    """
    variables = {
        name: CELL * at
        for at, name in enumerate(dict.fromkeys(_physical(test, n) for n in test.symbols))
    }
    results = [(name, register) for name, code in test.codes.items() for register in code.results]
    program = prepare(convert(read_ptx(kernel_text(test, variables, results))))
    runs = Runs()
    for seed in range(count):
        memory = np.zeros(CELL * (len(variables) + 1), np.uint8)
        for name, at in variables.items():
            value = test.program.initial.get(name, 0) & (1 << 8 * CELL) - 1
            memory[at : at + CELL] = np.frombuffer(value.to_bytes(CELL, "little"), np.uint8)
        registers = np.zeros(len(results) + 1, np.uint64)
        try:
            launch(
                program, "litmus", 1, WARP_SIZE * len(test.codes), [memory, registers],
                limits=Limits(steps=MAX_STEPS), side_by_side=False, schedule=seed,
            )  # fmt: skip
        except SimulationError as error:
            if error.kind not in ("sync", "limit"):
                raise
            runs.endless += 1
            continue
        found = {f"{n}:{r}": int(value) for (n, r), value in zip(results, registers)}
        for name in test.program.observed:
            at = variables[_physical(test, name)]
            size = test.program.sizes.get(name, 4)
            found[name] = int.from_bytes(memory[at : at + size].tobytes(), "little")
        runs.results[tuple(sorted(found.items()))] += 1
    return runs


def _physical(test: Litmus, name: str) -> str:
    """The variable that a name stands for."""
    return test.program.aliases.get(name, name)


def kernel_text(
    test: Litmus, variables: Mapping[str, int], results: Sequence[tuple[str, str]]
) -> str:
    """The kernel of a test as PTX. Its parameters are the memory and the array of results.

    Arguments:
        variables: the offset of each variable in the memory.
        results: thread and name of each register that is stored to the array.
    """
    barriers = _barriers(test)
    lines: list[str] = []
    count = 0
    for number, thread in enumerate(test.program.threads):
        code = test.codes[thread.name]
        addresses = {
            test.symbols[n]: variables[_physical(test, n)] for n in reversed(list(test.symbols))
        }
        own = {n: b for (cta, n), b in barriers.items() if cta == thread.position.cta}
        text = _Thread(number, code, addresses, own)
        text.translate()
        for at, (name, register) in enumerate(results):
            if name == thread.name:
                text.emit(f"st.u64 [%out+{8 * at}], {text.register(register)}")
        text.emit("ret")
        lines += text.lines
        count = max(count, text.count)
    named = sorted({word for line in lines for word in re.findall(r"%v\w+", line)})
    return "\n".join(
        [
            ".version 8.6", ".target sm_100", ".address_size 64",
            ".visible .entry litmus(.param .u64 p0, .param .u64 p1) {",
            f".reg .b64 %mem, %out, %q<{count + 1}>;", f".reg .b32 %t, %w<{count + 1}>;",
            f".reg .pred %is, %p<{count + 1}>;",
            *(f".reg .b64 {name};" for name in named),
            "ld.param.u64 %mem, [p0];", "ld.param.u64 %out, [p1];", "mov.u32 %t, %tid.x;",
            *(f"mov.u64 {name}, 0;" for name in named),
            *(line for n in range(len(test.codes)) for line in (
                f"setp.eq.u32 %is, %t, {WARP_SIZE * n};", f"@%is bra T{n}_0;",
            )),
            "ret;",
            *lines,
            "}",
        ]
    )  # fmt: skip


def _barriers(test: Litmus) -> dict[tuple[int, int], tuple[int, int]]:
    """By block and number of a barrier: the number in the kernel, and its count of threads."""
    members: dict[tuple[int, int], set[str]] = {}
    for thread in test.program.threads:
        for instruction in test.codes[thread.name].instructions:
            if instruction.opcode[0] in ("bar", "barrier") and "cluster" not in instruction.opcode:
                number = _barrier_number(instruction)
                members.setdefault((thread.position.cta, number), set()).add(thread.name)
    if len(members) > MAX_BARRIERS:
        raise NotRunnableError(f"it has more than {MAX_BARRIERS} barriers")
    return {key: (at, WARP_SIZE * len(names)) for at, (key, names) in enumerate(members.items())}


def _barrier_number(instruction: Instruction) -> int:
    number = literal(instruction.operands[0]) if instruction.operands else None
    if number is None or instruction.opcode[1] not in ("sync", "arrive"):
        raise NotRunnableError(f"'{'.'.join(instruction.opcode)}' is not translated")
    return number


class _Thread:
    """The instructions of one thread of a test as PTX.

    Arguments:
        number: of the thread.
        addresses: the offset in the memory of each address of the test.
        barriers: the number in the kernel and the count of threads of each barrier.
    """

    def __init__(
        self,
        number: int,
        code: Code,
        addresses: Mapping[int, int],
        barriers: Mapping[int, tuple[int, int]],
    ) -> None:
        self.number = number
        self.code = code
        self.addresses = addresses
        self.barriers = barriers
        self.lines: list[str] = []
        self.count = 0

    def emit(self, text: str) -> None:
        """Appends an instruction."""
        self.lines.append(f"{text};")

    def new(self, kind: str) -> str:
        """A new register: `q` has 64 bits, `w` 32, `p` is a predicate."""
        self.count += 1
        return f"%{kind}{self.count}"

    def register(self, name: str) -> str:
        """The register of the kernel for one of the thread."""
        return f"%v{self.number}_{name.lstrip('%')}"

    def translate(self) -> None:
        """All instructions, each in a block of its own."""
        for at, instruction in enumerate(self.code.instructions):
            self.lines.append(f"T{self.number}_{at}:")
            if at == 0:
                self.initialize()
            if instruction.guard:
                test = self.new("p")
                self.emit(f"setp.ne.u64 {test}, {self.register(instruction.guard)}, 0")
                skipped = "@" if instruction.is_negated else "@!"
                self.emit(f"{skipped}{test} bra T{self.number}_{at + 1}")
            self.instruction(instruction)
            self.emit(f"bra T{self.number}_{at + 1}")
        self.lines.append(f"T{self.number}_{len(self.code.instructions)}:")
        if not self.code.instructions:
            self.initialize()

    def initialize(self) -> None:
        """The initial values of registers. Registers that are only read or observed are 0."""
        for name, bits in self.code.registers.items():
            register = self.register(name)
            if bits in self.addresses:
                self.emit(f"add.u64 {register}, %mem, {self.addresses[bits]}")
            else:
                self.emit(f"mov.u64 {register}, {bits & (1 << 64) - 1}")

    # Operands

    def value(self, text: str) -> str:
        """A constant, or the register with the value of an operand."""
        constant = literal(text)
        if constant is not None:
            return str(constant)
        match = SYMBOL.match(text.strip())
        if match is None or (match[2] and literal(match[2]) is None):
            raise NotRunnableError(f"the operand '{text}' is not translated")
        offset = literal(match[2]) if match[2] else 0
        if match[1] in self.code.symbols:
            base, start = "%mem", self.addresses[self.code.symbols[match[1]]]
        else:
            base, start = self.register(match[1]), 0
        total = start + (offset or 0)
        if not total and base != "%mem":
            return base
        found = self.new("q")
        self.emit(f"add.u64 {found}, {base}, {total}")
        return found

    def word(self, text: str) -> str:
        """The low 32 bits of an operand, in a register or as a constant."""
        value = self.value(text)
        if value[0] != "%":
            return str(int(value) & 0xFFFFFFFF)
        found = self.new("w")
        self.emit(f"cvt.u32.u64 {found}, {value}")
        return found

    def assign(self, text: str, word: str) -> None:
        """Sets a register of the thread to 32 bits."""
        if text.strip() != "_":
            self.emit(f"cvt.u64.u32 {self.register(text.strip())}, {word}")

    # Instructions

    def instruction(self, instruction: Instruction) -> None:
        """One instruction. Raises NotRunnableError."""
        name = instruction.opcode[0]
        if name in ("ld", "st", "atom", "red"):
            self.memory(instruction)
        elif name in ("fence", "membar"):
            if not {"texture", "surface", "constant"} & set(instruction.opcode):
                self.emit(".".join(instruction.opcode))
        elif name in ("bar", "barrier") and "cluster" not in instruction.opcode:
            self.barrier(instruction)
        elif name in ("bra", "goto"):
            self.emit(f"bra {self.label(instruction.operands[0])}")
        elif name in ("ret", "exit"):
            self.emit(f"bra T{self.number}_{len(self.code.instructions)}")
        elif name[0] == "b" and name[1:] in _COMPARISONS:
            self.compare_and_branch(instruction)
        elif name in ("mov", *_BINARY):
            self.arithmetic(instruction)
        else:
            raise NotRunnableError(f"'{'.'.join(instruction.opcode)}' is not translated")

    def label(self, text: str) -> str:
        """The block of a label."""
        return f"T{self.number}_{self.code.labels[text.strip()]}"

    def memory(self, instruction: Instruction) -> None:
        """A load, a store or an atomic operation on 32 bits."""
        opcode, operands = instruction.opcode, list(instruction.operands)
        form = modifiers(opcode, Order.WEAK, Scope.SYS)
        if form.size != 4 or form.count != 1 or access_proxy(opcode) is not Proxy.GENERIC:
            raise NotRunnableError(f"'{'.'.join(opcode)}' is not translated")
        operation = next((w for w in opcode if w in _ATOMIC), "")
        kind = "b32" if operation in _BITWISE else "s32" if form.is_signed else "u32"
        words = [w for w in opcode if w not in ("u32", "s32", "b32")]
        spelled = ".".join([*words, kind])
        if opcode[0] == "st":
            place, value = self.value(operands[0]), self.word(operands[1])
            self.emit(f"{spelled} [{place}], {value}")
            return
        if opcode == ("ld",) and operands[1][0] != "[" and operands[1] not in self.code.symbols:
            self.emit(f"mov.u64 {self.register(operands[0])}, {self.value(operands[1])}")
            return
        if opcode[0] != "ld" and not operation:
            raise NotRunnableError(f"'{'.'.join(opcode)}' is not translated")
        to = "_" if opcode[0] == "red" else operands.pop(0)
        place = self.value(operands.pop(0))
        values = "".join(f", {self.word(text)}" for text in operands)
        if opcode[0] == "red":
            self.emit(f"{spelled} [{place}]{values}")
            return
        result = self.new("w")
        self.emit(f"{spelled} {result}, [{place}]{values}")
        self.assign(to, result)

    def barrier(self, instruction: Instruction) -> None:
        """A barrier of the threads of the test that are in the same block."""
        number, count = self.barriers[_barrier_number(instruction)]
        if len(instruction.operands) > 1:
            stated = literal(instruction.operands[1])
            if stated is None:
                raise NotRunnableError("the count of a barrier is not a constant")
            count = WARP_SIZE * stated
        action = instruction.opcode[1]
        self.emit(f"barrier.{action} {number}, {count}")

    def compare_and_branch(self, instruction: Instruction) -> None:
        """`beq` and the other branches of litmus tests."""
        first, second, label = instruction.operands
        test, comparison = self.new("p"), _COMPARISONS[instruction.opcode[0][1:]]
        left = self.new("q")
        self.emit(f"mov.u64 {left}, {self.value(first)}")
        self.emit(f"setp.{comparison}.u64 {test}, {left}, {self.value(second)}")
        self.emit(f"@{test} bra {self.label(label)}")

    def arithmetic(self, instruction: Instruction) -> None:
        """Moves and operations whose low 32 bits depend on no others."""
        to, *texts = instruction.operands
        if modifiers(instruction.opcode, Order.WEAK, Scope.SYS).size != 4:
            raise NotRunnableError(f"'{'.'.join(instruction.opcode)}' is not translated")
        if instruction.opcode[0] == "mov":
            self.emit(f"mov.u64 {self.register(to)}, {self.value(texts[0])}")
            return
        left, result, word = self.new("q"), self.new("q"), self.new("w")
        self.emit(f"mov.u64 {left}, {self.value(texts[0])}")
        opcode = _BINARY[instruction.opcode[0]]
        self.emit(f"{opcode} {result}, {left}, {self.value(texts[1])}")
        self.emit(f"cvt.u32.u64 {word}, {result}")
        self.assign(to, word)
