"""Statements of device functions and kernels: numbers, memory, variables, branches, loops."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from nvvm_xdsl.lab.random_kernels.programs.variables import ARRAYS, SCALARS, VARIABLES

TYPES = ("i32", "i32", "i64", "float")

PAIRS = ("%Pair", "[2 x i32]")
"""Types of two integers as one value."""

POINTERS = {"ptr": "%Pair", "record": "%Record"}
"""Kinds of values that point to a struct in local memory, and the struct."""

RECORD_FIELDS = (("i8", "i32 0"), ("i32", "i32 1"), ("i16", "i32 2, i32 1"), ("double", "i32 3"))

MAX_COST = 1500
"""Approximate maximum number of instructions that a call of a device function executes."""


@dataclass(frozen=True)
class Callee:
    """Properties of a function that callers need.

    Arguments:
        parameters: kinds of its parameters; see `Statements.kind_texts`.
        result: the type of its result.
        cost: approximate number of instructions that a call executes.
        variable: kinds of its variable arguments; None if it is not variadic.
    """

    name: str
    parameters: tuple[str, ...]
    result: str
    cost: int
    variable: tuple[str, ...] | None = None


class Statements:
    """The current function."""

    def __init__(self, seed: int, threads: int) -> None:
        self.random = random.Random(seed)
        self.threads = threads
        self.count = 0
        self.functions: list[Callee] = []
        self.heap = False
        """Whether kernels give every thread an object from `malloc`."""
        self.begin()

    def begin(self) -> None:
        """Starts a function."""
        self.lines: list[str] = []
        self.values: dict[str, list[str]] = {}
        self.cost: int = 0
        self.times: int = 1
        self.most = MAX_COST

    def fresh(self, stem: str = "v") -> str:
        """A new local name."""
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, line: str) -> None:
        """Adds a line to the current function."""
        self.cost += self.times
        self.lines.append("  " + line)

    def assign(self, text: str) -> str:
        """Adds an instruction; returns the name of its result."""
        name = "%" + self.fresh()
        self.emit(f"{name} = {text}")
        return name

    def define(self, type_: str, text: str) -> str:
        """Adds an instruction whose result is an operand for later ones."""
        name = self.assign(text)
        self.values.setdefault(type_, []).append(name)
        return name

    def operand(self, type_: str) -> str:
        """A value of a type, often one of the current function."""
        known = self.values.get(type_)
        r = self.random
        if known and r.random() < 0.75:
            return r.choice(known[-6:])
        if type_ == "float":
            return r.choice(("0.0", "1.5", "-2.0", "4.0"))
        if type_ == "double":
            return self.define("double", f"fpext float {self.operand('float')} to double")
        if type_ in POINTERS:
            return self.slot(type_)
        if type_ in PAIRS:
            return self.pair(type_)
        if type_ in ("i8", "i16"):
            return self.assign(f"trunc i32 {self.operand('i32')} to {type_}")
        return str(r.choice((0, 1, 2, 3, 7, -1, 100)))

    def pair(self, type_: str) -> str:
        """Two integers as one value."""
        first = self.assign(f"insertvalue {type_} poison, i32 {self.operand('i32')}, 0")
        text = f"insertvalue {type_} {first}, i32 {self.operand('i32')}, 1"
        return self.define(type_, text)

    def slot(self, kind: str = "ptr") -> str:
        """A pointer to a thread-private struct: in local memory, or in a variable."""
        r = self.random
        if kind == "ptr" and r.random() < 0.25:
            variable = VARIABLES[r.choice(("pair", "pair", "shared_pair"))]
            place = self.place(variable.name)
            return self.define("ptr", f"addrspacecast {variable.pointer} {place} to ptr")
        if kind == "ptr" and r.random() < 0.1:
            return self.define("ptr", f"load ptr, ptr addrspace(1) {self.place('pointer')}")
        if kind == "ptr" and self.heap and r.random() < 0.4:
            return self.define("ptr", f"load ptr, ptr addrspace(1) {self.place('heap')}")
        name = "%" + self.fresh("slot")
        struct = POINTERS[kind]
        self.lines.insert(0, f"  {name} = alloca {struct}, align 8")
        fields = (("i32", "i32 0"), ("i32", "i32 1"))
        if kind == "record":
            self.emit(f"store %Record zeroinitializer, ptr {name}, align 8")
            fields = RECORD_FIELDS
        for type_, index in fields:
            value = self.operand(type_)
            place = self.assign(f"getelementptr inbounds {struct}, ptr {name}, i32 0, {index}")
            self.emit(f"store {type_} {value}, ptr {place}")
        self.values.setdefault(kind, []).append(name)
        return name

    def place(self, name: str, indices: str = "") -> str:
        """The address of this thread's copy of a variable, or of a part of it."""
        variable = VARIABLES[name]
        own = f"@{name}"
        if self.threads > 1:
            number = self.assign("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
            whole = f"[{self.threads} x {variable.type_}], {variable.pointer} {own}"
            own = self.assign(f"getelementptr inbounds {whole}, i32 0, i32 {number}")
        if not indices:
            return own
        whole = f"{variable.type_}, {variable.pointer} {own}"
        return self.assign(f"getelementptr inbounds {whole}, i32 0, {indices}")

    # Statements

    def arithmetic(self) -> None:
        """One operation on numbers."""
        r = self.random
        type_ = r.choice(TYPES)
        if type_ == "float":
            op = r.choice(("fadd", "fmul", "fsub"))
            self.define(type_, f"{op} float {self.operand(type_)}, {self.operand(type_)}")
        else:
            op = r.choice(("add", "sub", "mul", "xor", "and", "or"))
            self.define(type_, f"{op} {type_} {self.operand(type_)}, {self.operand(type_)}")
        if r.random() < 0.2:
            self.define("i64", f"sext i32 {self.operand('i32')} to i64")
            self.define("i32", f"trunc i64 {self.operand('i64')} to i32")

    def memory(self) -> None:
        """An access to memory through a pointer, or to a table of constants."""
        r = self.random
        kind = r.random()
        if kind < 0.2:
            self._record(self.operand("record"))
        else:
            pointer = self.operand("ptr")
            index = f"i32 {r.randrange(2)}"
            place = self.assign(f"getelementptr inbounds %Pair, ptr {pointer}, i32 0, {index}")
            if r.random() < 0.5:
                self.emit(f"store i32 {self.operand('i32')}, ptr {place}")
            else:
                self.define("i32", f"load i32, ptr {place}")
        if r.random() < 0.4:
            index = self.assign(f"and i32 {self.operand('i32')}, 1")
            name = r.choice(("same1", "same2", "settings"))
            table = f"[2 x i32], ptr addrspace(4) @{name}"
            at = self.assign(f"getelementptr inbounds {table}, i32 0, i32 {index}")
            self.define("i32", f"load i32, ptr addrspace(4) {at}")

    def own_record(self) -> str:
        """One of the two structs from `malloc` whose address is only in a variable."""
        records = self.assign(f"load ptr, ptr addrspace(1) {self.place('records')}")
        if self.random.random() < 0.3:
            self.define("i1", f"icmp eq ptr {records}, null")
        index = self.assign(f"and i32 {self.operand('i32')}, 1")
        return self.assign(f"getelementptr inbounds %Record, ptr {records}, i32 {index}")

    def _record(self, pointer: str) -> None:
        """An access to a field of a struct."""
        r = self.random
        type_, index = r.choice(RECORD_FIELDS)
        if type_ == "i16" and r.random() < 0.5:
            chosen = self.assign(f"and i32 {self.operand('i32')}, 1")
            index = f"i32 2, i32 {chosen}"
        place = self.assign(f"getelementptr inbounds %Record, ptr {pointer}, i32 0, {index}")
        if r.random() < 0.5:
            self.emit(f"store {type_} {self.operand(type_)}, ptr {place}")
            return
        value = self.assign(f"load {type_}, ptr {place}")
        if type_ == "double":
            self.define("float", f"fptrunc double {value} to float")
        elif type_ == "i32":
            self.values.setdefault("i32", []).append(value)
        else:
            self.define("i32", f"sext {type_} {value} to i32")

    def variable(self) -> None:
        """An access to a variable."""
        r = self.random
        kind = r.randrange(9)
        if self.heap and r.random() < 0.3:
            self._record(self.own_record())
        elif kind == 0:
            place = self.place("never_read")
            self.emit(f"store i32 {self.operand('i32')}, ptr addrspace(1) {place}")
        elif kind == 1:
            place = self.place("flag")
            self.emit(f"store i32 {r.choice((0, 1))}, ptr addrspace(1) {place}")
            self.define("i32", f"load i32, ptr addrspace(1) {place}")
        elif kind == 2:
            self.define("i32", f"load i32, ptr addrspace(1) {self.place('fixed')}")
            self.define("i32", "load i32, ptr addrspace(4) @never_set")
        elif kind == 3:
            place = self.place("state")
            old = self.define("i32", f"load i32, ptr addrspace(1) {place}")
            new = self.define("i32", f"add i32 {old}, {self.operand('i32')}")
            self.emit(f"store i32 {new}, ptr addrspace(1) {place}")
        elif kind == 4:
            self._array(r.choice(ARRAYS))
        else:
            name, indices, type_ = r.choice(SCALARS)
            place = f"{VARIABLES[name].pointer} {self.place(name, indices)}"
            # Only the two values that `flag` has.
            if name != "flag" and r.random() < 0.5:
                self.emit(f"store {type_} {self.operand(type_)}, {place}")
            else:
                self.define(type_, f"load {type_}, {place}")

    def _array(self, name: str) -> None:
        pointer = VARIABLES[name].pointer
        index = self.assign(f"and i32 {self.operand('i32')}, 3")
        at = self.place(name, f"i32 {index}")
        if name == "scratch" or self.random.random() < 0.5:
            self.emit(f"store i32 {self.operand('i32')}, {pointer} {at}")
        self.define("i32", f"load i32, {pointer} {at}")

    def branch(self, depth: int) -> None:
        """A conditional."""
        yes, no, end = self.fresh("yes"), self.fresh("no"), self.fresh("end")
        predicate = self.random.choice(("slt", "eq", "ugt"))
        operands = f"i32 {self.operand('i32')}, {self.operand('i32')}"
        condition = self.assign(f"icmp {predicate} {operands}")
        self.emit(f"br i1 {condition}, label %{yes}, label %{no}")
        ends: list[tuple[str, str]] = []
        for name in (yes, no):
            self.lines.append(f"{name}:")
            saved = {k: list(v) for k, v in self.values.items()}
            self.statements(2, depth + 1)
            value = self.operand("i32")
            last = self.fresh("last")
            self.emit(f"br label %{last}")
            self.lines.append(f"{last}:")
            self.emit(f"br label %{end}")
            ends.append((value, last))
            self.values = saved
        self.lines.append(f"{end}:")
        sources = ", ".join(f"[ {value}, %{block} ]" for value, block in ends)
        self.define("i32", f"phi i32 {sources}")

    def loop(self, depth: int) -> None:
        """A loop with few iterations."""
        r = self.random
        before, head, end = self.fresh("before"), self.fresh("head"), self.fresh("end")
        start, trips = self.operand("i32"), r.randint(1, 4)
        self.emit(f"br label %{before}")
        self.lines.append(f"{before}:")
        self.emit(f"br label %{head}")
        self.lines.append(f"{head}:")
        saved = {k: list(v) for k, v in self.values.items()}
        counter, value = "%" + self.fresh("i"), "%" + self.fresh("x")
        self.values.setdefault("i32", []).extend((counter, value))
        self.times *= trips
        self.statements(2, depth + 1)
        result = self.operand("i32")
        self.values = saved
        latch = self.fresh("latch")
        following = "%" + self.fresh()
        self.emit(f"br label %{latch}")
        self.lines.append(f"{latch}:")
        self.emit(f"{following} = add nsw i32 {counter}, 1")
        done = self.assign(f"icmp sge i32 {following}, {trips}")
        self.emit(f"br i1 {done}, label %{end}, label %{head}")
        self.times //= trips
        # Slots that were created meanwhile were inserted before.
        at = self.lines.index(f"{head}:") + 1
        self.lines[at:at] = [
            f"  {counter} = phi i32 [ 0, %{before} ], [ {following}, %{latch} ]",
            f"  {value} = phi i32 [ {start}, %{before} ], [ {result}, %{latch} ]",
        ]
        self.lines.append(f"{end}:")
        self.values.setdefault("i32", []).append(
            result if result[0] != "%" or result in saved.get("i32", []) else value
        )

    def statements(self, count: int, depth: int = 0) -> None:
        """Some statements."""
        r = self.random
        for _ in range(r.randint(1, count)):
            kind = r.random()
            if kind < 0.3:
                self.arithmetic()
            elif kind < 0.5:
                self.memory()
            elif kind < 0.65:
                self.variable()
            elif kind < 0.88:
                self.call()
            elif depth < 2 and kind < 0.95:
                self.branch(depth)
            elif depth < 1:
                self.loop(depth)

    def call(self) -> None:
        """A call of one of the existing functions."""
        raise NotImplementedError

    def affordable(self, callees: Sequence[Callee]) -> list[Callee]:
        """The functions that may be called here within the cost limit of the current function."""
        return [c for c in callees if self.cost + self.times * c.cost <= self.most]
