"""Execution of a thread's PTX instructions, one memory access at a time."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass

from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.lab.memory_model import mbarrier_state
from nvvm_xdsl.lab.memory_model.events import (
    Access,
    Kind,
    Order,
    Proxy,
    Scope,
    Undefined,
    Value,
)
from nvvm_xdsl.lab.memory_model.ptx_modifiers import (
    FENCE_PROXIES,
    Modifiers,
    access_proxy,
    modifiers,
)
from nvvm_xdsl.lab.memory_model.traces import BlockedError, CutError

Steps = Generator[Access, Value, None]

ADDRESS_STEP = 1 << 16
"""Distance between the addresses of two variables."""

MAX_STEPS = 2000
"""Maximum number of instructions of one trace."""


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

    def body(self) -> Generator[Access, Value, Mapping[str, Value]]:
        """Runs the thread; see `traces.Body`."""
        return _Run(self).run()


_BINARY: dict[str, Callable[[int, int], int]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": lambda a, b: int(a / b) if b else 0,
    "rem": lambda a, b: a % b if b else 0,
    "and": lambda a, b: a & b,
    "or": lambda a, b: a | b,
    "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << min(b, 128),
    "shr": lambda a, b: a >> min(b, 128),
    "min": min,
    "max": max,
}

_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "eq": operator.eq,
    "ne": operator.ne,
    "lt": operator.lt,
    "le": operator.le,
    "gt": operator.gt,
    "ge": operator.ge,
    "lo": operator.lt,
    "ls": operator.le,
    "hi": operator.gt,
    "hs": operator.ge,
}

ATOMIC: dict[str, Callable[[int, int, int], int]] = {
    "add": lambda old, b, _: old + b,
    "sub": lambda old, b, _: old - b,
    "exch": lambda _, b, __: b,
    "and": lambda old, b, _: old & b,
    "or": lambda old, b, _: old | b,
    "xor": lambda old, b, _: old ^ b,
    "min": lambda old, b, _: min(old, b),
    "max": lambda old, b, _: max(old, b),
    "inc": lambda old, b, _: 0 if old >= b else old + 1,
    "dec": lambda old, b, _: b if old == 0 or old > b else old - 1,
    "mul": lambda old, b, _: old * b,
    "div": lambda old, b, _: old // b if b else 0,
}
"""Operations of `atom` and `red` on the old value and the operands; litmus tests also have `sub`."""

SYMBOL = re.compile(r"\[?\s*([%\w.$]+)\s*(?:\+\s*(-?\w+))?\s*\]?$")


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


class _Run:
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

    def run(self) -> Generator[Access, Value, Mapping[str, Value]]:
        """Executes the instructions to the end, and returns the results."""
        try:
            yield from self.execute_all()
        except BlockedError:
            # Registers that the thread did not reach have no value.
            return {n: self.registers[n] for n in self.code.results if n in self.registers}
        return {name: self.register(name) for name in self.code.results}

    def execute_all(self) -> Steps:
        """Executes the instructions to the end."""
        instructions = self.code.instructions
        for _ in range(MAX_STEPS):
            if self.at >= len(instructions):
                return
            self.instruction = instructions[self.at]
            self.at += 1
            if self.is_enabled():
                yield from self.execute()
        raise CutError

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

    def execute(self) -> Steps:
        """Executes the current instruction."""
        name = self.instruction.opcode[0]
        handler = _HANDLERS.get(name)
        if handler is None:
            raise self.fail(
                f"the instruction '{'.'.join(self.instruction.opcode)}' is not supported"
            )
        try:
            yield from handler(self) or ()
        except (IndexError, ValueError) as error:
            raise self.fail(f"'{name}' has unexpected operands ({error})") from None

    # Control flow

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

    def branch(self) -> None:
        """`bra` and `goto`."""
        self.jump(self.instruction.operands[0])

    def compare_and_branch(self) -> None:
        """`beq`, `bne` and the other branches of litmus tests."""
        first, second, label = self.instruction.operands
        a, b = self.operand(first), self.operand(second)
        self.control |= a.reads | b.reads
        if _COMPARE[self.instruction.opcode[0][1:]](self.number(a), self.number(b)):
            self.jump(label)

    def leave(self) -> None:
        """`ret` and `exit`."""
        self.at = len(self.code.instructions)

    # Arithmetic

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

    def binary(self) -> None:
        """Two operands, one result."""
        to, *texts = self.instruction.operands
        opcode, form = self.instruction.opcode, self.form()
        (a, b), reads = self.numbers(texts, form)
        result = _BINARY[opcode[0]](a, b)
        if "hi" in opcode:
            result >>= 8 * form.size
        self.assign(to, Value(result, reads), form.size * (2 if "wide" in opcode else 1))

    def multiply_add(self) -> None:
        """`mad`."""
        to, *texts = self.instruction.operands
        form = self.form()
        (a, b, _), reads = self.numbers(texts, form)
        c = self.operand(texts[2])
        size = form.size * (2 if "wide" in self.instruction.opcode else 1)
        self.assign(to, Value(a * b + self.number(c), reads | c.reads), size)

    def unary(self) -> None:
        """`not` and `neg`."""
        to, text = self.instruction.operands
        form = self.form()
        (a,), reads = self.numbers([text], form)
        self.assign(to, Value(~a if self.instruction.opcode[0] == "not" else -a, reads), form.size)

    def move(self) -> None:
        """`mov`, `cvta` and `cvt`, with packing and unpacking of vectors."""
        to, text = self.instruction.operands
        form = self.form()
        if to.startswith("{"):
            parts = _elements(to)
            value = self.operand(text)
            size = form.size // len(parts)
            for at, part in enumerate(parts):
                self.assign(part, Value(self.number(value) >> 8 * size * at, value.reads), size)
            return
        if text.startswith("{"):
            values = [self.operand(part) for part in _elements(text)]
            size = form.size // len(values)
            mask = (1 << 8 * size) - 1
            bits = sum((self.number(v) & mask) << 8 * size * at for at, v in enumerate(values))
            reads = frozenset[int]().union(*(value.reads for value in values))
            self.assign(to, Value(bits, reads), form.size)
            return
        (a,), reads = self.numbers([text], form)
        self.assign(to, Value(a, reads), self.result_size(form.size))

    def result_size(self, size: int) -> int:
        """The result's size of a `cvt`, whose first type is that of the result."""
        if self.instruction.opcode[0] != "cvt":
            return size
        types = [modifiers(("", word), Order.WEAK, Scope.SYS).size
                 for word in self.instruction.opcode[1:] if re.match(r"[busf]\d+$", word)]  # fmt: skip
        return types[0]

    def set_predicate(self) -> None:
        """`setp` with one result."""
        to, *texts = self.instruction.operands
        form = self.form()
        (a, b), reads = self.numbers(texts, form)
        self.assign(to, Value(int(_COMPARE[self.instruction.opcode[1]](a, b)), reads))

    def select(self) -> None:
        """`selp`."""
        to, first, second, condition = self.instruction.operands
        chosen = self.operand(condition)
        value = self.operand(first if self.number(chosen) & 1 else second)
        self.assign(to, Value(self.number(value), value.reads | chosen.reads), self.form().size)

    # Memory

    def load(self) -> Steps:
        """`ld` and the loads of other proxies; `ld r, value` of litmus tests is a move."""
        to, text = self.instruction.operands
        opcode = self.instruction.opcode
        if opcode == ("ld",) and not text.startswith("[") and text not in self.code.symbols:
            self.assign(to, self.operand(text))
            return
        form = modifiers(opcode, Order.WEAK, Scope.SYS)
        variable, offset, reads = self.place(text)
        for at, part in enumerate(_elements(to)):
            value = yield Access(
                Kind.READ, variable, offset + at * form.size, form.size, form.order, form.scope,
                access_proxy(opcode), depends=reads | self.control,
            )  # fmt: skip
            bits = self.number(value)
            self.assign(
                part, Value(signed(bits, form.size) if form.is_signed else bits, value.reads)
            )

    def store(self) -> Steps:
        """`st` and `sust`."""
        text, source = self.instruction.operands
        opcode = self.instruction.opcode
        form = modifiers(opcode, Order.WEAK, Scope.SYS)
        variable, offset, reads = self.place(text)
        for at, part in enumerate(_elements(source)):
            value = self.operand(part)
            bits = self.number(value) & (1 << 8 * form.size) - 1
            yield Access(
                Kind.WRITE, variable, offset + at * form.size, form.size, form.order, form.scope,
                access_proxy(opcode), Value(bits, value.reads), depends=reads | self.control,
            )  # fmt: skip

    def atomic(self) -> Steps:
        """`atom` and `red`, by default relaxed with the scope gpu."""
        opcode, operands = self.instruction.opcode, list(self.instruction.operands)
        form = modifiers(opcode, Order.RELAXED, Scope.GPU)
        is_reduction = opcode[0] in ("red", "sured")
        to = "_" if is_reduction else operands.pop(0)
        variable, offset, reads = self.place(operands.pop(0))
        values = [self.operand(text) for text in operands]
        depends = frozenset[int]().union(*(value.reads for value in values))
        mask = (1 << 8 * form.size) - 1

        def number(value: int) -> int:
            return signed(value, form.size) if form.is_signed else value & mask

        numbers = [number(self.number(value)) for value in values]
        name = next((w for w in opcode[1:] if w in ATOMIC or w == "cas"), "")
        if not name:
            raise self.fail(f"the operation of '{'.'.join(opcode)}' is not supported")

        def update(old: Value) -> Value | None:
            before = number(self.number(old))
            if name == "cas":
                return Value(numbers[1] & mask, depends) if before == numbers[0] else None
            other = numbers[1] if len(numbers) > 1 else 0
            reads = depends if name == "exch" else depends | old.reads
            return Value(ATOMIC[name](before, numbers[0], other) & mask, reads)

        old = yield Access(
            Kind.READ, variable, offset, form.size, form.order, form.scope, access_proxy(opcode),
            update=update, is_reduction=is_reduction or to == "_", depends=reads | self.control,
        )  # fmt: skip
        self.assign(to, old)

    # Fences and barriers

    def fence(self) -> Steps:
        """`fence`, `fence.proxy` and `membar`, which is `fence.sc` on all targets since sm_70."""
        opcode = self.instruction.opcode
        form = modifiers(opcode, Order.ACQ_REL, Scope.SYS)
        if "mbarrier_init" in opcode:
            yield Access(Kind.FENCE, order=Order.RELEASE, scope=Scope.CLUSTER)
        elif opcode[1:2] == ("proxy",):
            name = opcode[2].partition("::")[0]
            proxy = FENCE_PROXIES.get(name)
            if proxy is None:
                raise self.fail(f"the proxy '{name}' is not supported")
            yield Access(Kind.PROXY_FENCE, proxy=proxy)
        else:
            order = Order.SC if opcode[0] == "membar" else form.order
            yield Access(Kind.FENCE, order=order, scope=form.scope)

    def barrier(self) -> Steps:
        """`bar` and `barrier`, of a block or a cluster.

        `bar.cta` has the operands of herd's litmus tests: a barrier, a number, and a thread count.
        """
        opcode = self.instruction.opcode
        if "cluster" in opcode:
            yield from self.cluster_barrier()
            return
        values = [self.number(self.operand(text)) for text in self.instruction.operands]
        first, second, count = [*values, 0, 0, 0][:3]
        if opcode[:2] == ("bar", "cta"):
            barrier = ((first << 16) + second, count)
        elif opcode == ("bar", "warp", "sync"):
            raise self.fail("'bar.warp.sync' is not supported")
        else:
            barrier = (first << 16, second)
        yield Access(Kind.ARRIVE, order=Order.ACQ_REL, barrier=barrier)
        if "arrive" not in opcode:
            yield Access(Kind.WAIT, order=Order.ACQ_REL, barrier=barrier)

    def cluster_barrier(self) -> Steps:
        """`barrier.cluster.arrive` and `barrier.cluster.wait`."""
        opcode = self.instruction.opcode
        kind = Kind.ARRIVE if "arrive" in opcode else Kind.WAIT
        order = Order.RELAXED if "relaxed" in opcode else Order.ACQ_REL
        yield Access(kind, order=order, cluster_wide=True, barrier=(0, 0))

    def barrier_object(self) -> Steps:
        """`mbarrier`: its value in memory changes by atomic operations."""
        opcode, operands = self.instruction.opcode, list(self.instruction.operands)
        action = opcode[1]
        if action in ("arrive", "test_wait", "try_wait") and not operands[0].startswith("["):
            result = operands.pop(0)
        else:
            result = "_"
        variable, offset, reads = self.place(operands.pop(0))
        values = [self.number(self.operand(text)) for text in operands]
        depends = reads | self.control
        default = Order.ACQUIRE if action.endswith("wait") else Order.RELEASE
        if action in ("expect_tx", "complete_tx"):
            default = Order.RELAXED
        form = modifiers(opcode, default, Scope.CTA)

        def access(
            update: Callable[[int], int] | None, accepts: Callable[[int], bool] | None = None
        ) -> Access:
            def updated(old: Value) -> Value:
                assert update is not None
                return Value(update(self.number(old)), old.reads)

            return Access(
                Kind.READ, variable, offset, 8, form.order, form.scope, depends=depends,
                update=None if update is None else updated,
                accepts=None if accepts is None else lambda old: accepts(self.number(old)),
            )  # fmt: skip

        if action == "init":
            state = Value(mbarrier_state.initial(values[0]))
            yield Access(Kind.WRITE, variable, offset, 8, value=state, depends=depends)
        elif action == "arrive":
            expected = values[0] if "expect_tx" in opcode else 0
            count = 1 if "expect_tx" in opcode or not values else values[0]
            old = yield access(
                lambda s: mbarrier_state.changed(s, arrivals=count, expected_bytes=expected)
            )
            self.assign(result, old)
        elif action in ("expect_tx", "complete_tx"):
            sign = 1 if action == "expect_tx" else -1
            yield access(lambda s: mbarrier_state.changed(s, expected_bytes=sign * values[0]))
        elif action in ("test_wait", "try_wait"):
            # A wait that fails is repeated: only the last one is part of the execution.
            phase = values[0] & 1
            old = yield access(None, lambda s: mbarrier_state.phase_of(s) != phase)
            self.assign(result, Value(1, old.reads))
        else:
            raise self.fail(f"'mbarrier.{action}' is not supported")

    # Asynchronous copies

    def copy(self) -> Steps:
        """`cp.async` and `cp.async.bulk`. Section "Asynchronous Operations"."""
        opcode = self.instruction.opcode
        if "bulk" in opcode:
            yield from self.bulk_copy()
        elif "commit_group" in opcode:
            self.groups.append([])
        elif "wait_group" in opcode or "wait_all" in opcode:
            yield self.wait_for(self.groups, "wait_all" in opcode)
        elif "mbarrier" in opcode:
            yield from self.arrive_after_copies()
        else:
            size = self.number(self.operand(self.instruction.operands[2]))
            agent = self.new_agent(self.groups)
            yield from self.transfer(agent, Proxy.GENERIC, size)

    def new_agent(self, groups: list[list[int]]) -> int:
        """The number of a new asynchronous operation in the current group."""
        self.agents += 1
        groups[-1].append(self.agents)
        return self.agents

    def transfer(self, agent: int, proxy: Proxy, size: int) -> Steps:
        """Reads the second operand and writes the first."""
        to, source = self.instruction.operands[:2]
        target, at, target_reads = self.place(to)
        variable, offset, reads = self.place(source)
        value = yield Access(
            Kind.READ, variable, offset, size, proxy=proxy, agent=agent,
            depends=reads | self.control,
        )  # fmt: skip
        yield Access(
            Kind.WRITE, target, at, size, proxy=proxy, agent=agent, value=value,
            depends=target_reads | self.control,
        )  # fmt: skip

    def bulk_copy(self) -> Steps:
        """`cp.async.bulk`, completed by an mbarrier or by its group."""
        opcode = self.instruction.opcode
        if "commit_group" in opcode:
            self.bulk_groups.append([])
            return
        if "wait_group" in opcode:
            if "read" in opcode:
                raise self.fail("'cp.async.bulk.wait_group.read' is not supported")
            yield self.wait_for(self.bulk_groups, False)
            return
        size = self.number(self.operand(self.instruction.operands[2]))
        in_group = "bulk_group" in opcode
        agent = self.new_agent(self.bulk_groups if in_group else [[]])
        yield from self.transfer(agent, Proxy.ASYNC, size)
        # The completion is followed by an implicit proxy fence.
        yield Access(Kind.PROXY_FENCE, proxy=Proxy.ASYNC, agent=agent)
        if in_group:
            return
        variable, offset, reads = self.place(self.instruction.operands[3])
        yield Access(
            Kind.READ, variable, offset, 8, Order.RELEASE, Scope.CLUSTER, agent=agent,
            is_reduction=True, depends=reads | self.control,
            update=lambda old: Value(
                mbarrier_state.changed(self.number(old), expected_bytes=-size), old.reads
            ),
        )  # fmt: skip

    def arrive_after_copies(self) -> Steps:
        """`cp.async.mbarrier.arrive`, which arrives after all earlier `cp.async` of the thread."""
        earlier = tuple(agent for group in self.groups for agent in group)
        variable, offset, reads = self.place(self.instruction.operands[0])
        self.agents += 1
        count = 1 if "noinc" in self.instruction.opcode else 0
        yield Access(
            Kind.READ, variable, offset, 8, Order.RELEASE, Scope.CTA, agent=self.agents,
            awaits=earlier, is_reduction=True, depends=reads | self.control,
            update=lambda old: Value(
                mbarrier_state.changed(self.number(old), arrivals=count), old.reads
            ),
        )  # fmt: skip

    def wait_for(self, groups: list[list[int]], everything: bool) -> Access:
        """The thread waits for all groups but the last ones."""
        if everything:
            done = groups
        else:
            left = self.number(self.operand(self.instruction.operands[0]))
            done = groups[:-1][: max(len(groups) - 1 - left, 0)]
        agents = tuple(agent for group in done for agent in group)
        return Access(Kind.PROXY_FENCE, proxy=Proxy.GENERIC, awaits=agents)

    def nothing(self) -> None:
        """An instruction without effect on memory."""


def _elements(text: str) -> list[str]:
    """The registers of a vector operand, or the operand itself."""
    text = text.strip()
    return [part.strip() for part in text[1:-1].split(",")] if text.startswith("{") else [text]


_HANDLERS: dict[str, Callable[[_Run], Steps | None]] = {
    **dict.fromkeys(_BINARY, _Run.binary),
    **dict.fromkeys(("mov", "cvta", "cvt"), _Run.move),
    **dict.fromkeys(("not", "neg"), _Run.unary),
    **dict.fromkeys(("bra", "goto"), _Run.branch),
    **dict.fromkeys((f"b{name}" for name in _COMPARE), _Run.compare_and_branch),
    **dict.fromkeys(("ret", "exit"), _Run.leave),
    **dict.fromkeys(("ld", "tld", "suld", "cold"), _Run.load),
    **dict.fromkeys(("st", "sust"), _Run.store),
    **dict.fromkeys(("atom", "red", "suatom", "sured"), _Run.atomic),
    **dict.fromkeys(("fence", "membar"), _Run.fence),
    **dict.fromkeys(("bar", "barrier"), _Run.barrier),
    "mad": _Run.multiply_add,
    "setp": _Run.set_predicate,
    "selp": _Run.select,
    "mbarrier": _Run.barrier_object,
    "cp": _Run.copy,
    "prefetch": _Run.nothing,
    "nanosleep": _Run.nothing,
}
