"""Random programs with calls: what passes between functions look at.

Device functions call those before them, two call each other to a bounded depth, some are called
through tables of their addresses. They take what they do not use, constants, structs by value and
pointers into local memory, yield what nobody takes, and share variables of every space, which
kernels launched one after the other leave to each other. One thread writes what threads share, so
that nothing depends on order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from nvvm_xdsl.testing.launches import Launch

OUTPUTS = 16
"""Elements of the kernels' output."""

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%Pair = type { i32, i32 }
%Box = type { i32, float, i64 }

@state = internal addrspace(1) global i32 5, align 4
@flag = internal addrspace(1) global i32 0, align 4
@never_read = internal addrspace(1) global i32 1, align 4
@box = internal addrspace(1) global %Box { i32 3, float 1.5, i64 -9 }, align 8
@fixed = internal addrspace(1) global i32 77, align 4
@seen = addrspace(1) global i32 9, align 4
@scratch = internal addrspace(3) global [4 x i32] undef, align 4
@numbers = internal addrspace(4) constant [4 x i32] [i32 10, i32 -20, i32 30, i32 1], align 4
@same1 = private unnamed_addr addrspace(4) constant [2 x i32] [i32 4, i32 5], align 4
@same2 = private unnamed_addr addrspace(4) constant [2 x i32] [i32 4, i32 5], align 4
@unused = internal addrspace(1) global i64 0, align 8
@pointer = internal addrspace(1) global ptr null, align 8
"""

TYPES = ("i32", "i32", "i64", "float")
ATTRIBUTES = ("", "", "", " noinline", " alwaysinline", " cold", " optnone noinline")
LINKAGES = ("internal ", "internal ", "", "linkonce_odr ", "weak ", "private ")


class _Function:
    """What callers must know of a function."""

    def __init__(self, name: str, parameters: Sequence[str], result: str) -> None:
        self.name, self.parameters, self.result = name, tuple(parameters), result


class Programs:
    """Makes one program."""

    def __init__(self, seed: int, functions: int) -> None:
        self.random = random.Random(seed)
        self.count = 0
        self.lines: list[str] = []
        self.values: dict[str, list[str]] = {}
        self.functions: list[_Function] = []
        self.number_of_functions = functions
        self.tables: list[tuple[str, str, int]] = []

    def fresh(self, stem: str = "v") -> str:
        """A new local name."""
        self.count += 1
        return f"{stem}{self.count}"

    def emit(self, line: str) -> None:
        """Adds a line to the function in hand."""
        self.lines.append("  " + line)

    def define(self, type_: str, text: str) -> str:
        """Adds an instruction; its result is an operand for later ones."""
        name = "%" + self.fresh()
        self.emit(f"{name} = {text}")
        self.values.setdefault(type_, []).append(name)
        return name

    def operand(self, type_: str) -> str:
        """A value of a type, often one of the function in hand."""
        known = self.values.get(type_)
        r = self.random
        if known and r.random() < 0.75:
            return r.choice(known[-6:])
        if type_ == "float":
            return r.choice(("0.0", "1.5", "-2.0", "4.0"))
        if type_ == "ptr":
            return self.slot()
        return str(r.choice((0, 1, 2, 3, 7, -1, 100)))

    def slot(self) -> str:
        """A pair of integers in local memory."""
        name = "%" + self.fresh("slot")
        self.lines.insert(0, f"  {name} = alloca %Pair, align 4")
        second = "%" + self.fresh()
        self.emit(f"store i32 {self.operand('i32')}, ptr {name}")
        self.emit(f"{second} = getelementptr inbounds %Pair, ptr {name}, i32 0, i32 1")
        self.emit(f"store i32 {self.operand('i32')}, ptr {second}")
        self.values.setdefault("ptr", []).append(name)
        return name

    # Statements

    def arithmetic(self) -> None:
        """One operation on numbers."""
        r = self.random
        type_ = r.choice(TYPES)
        if type_ == "float":
            self.define(
                type_,
                f"{r.choice(('fadd', 'fmul', 'fsub'))} float {self.operand(type_)}, {self.operand(type_)}",
            )
        else:
            op = r.choice(("add", "sub", "mul", "xor", "and", "or"))
            self.define(type_, f"{op} {type_} {self.operand(type_)}, {self.operand(type_)}")
        if r.random() < 0.2:
            self.define("i64", f"sext i32 {self.operand('i32')} to i64")
            self.define("i32", f"trunc i64 {self.operand('i64')} to i32")

    def memory(self) -> None:
        """An access to local memory through a pointer, or to a table of constants."""
        r = self.random
        pointer = self.operand("ptr")
        place = self.define(
            "field", f"getelementptr inbounds %Pair, ptr {pointer}, i32 0, i32 {r.randrange(2)}"
        )
        if r.random() < 0.5:
            self.emit(f"store i32 {self.operand('i32')}, ptr {place}")
        else:
            self.define("i32", f"load i32, ptr {place}")
        if r.random() < 0.4:
            index = self.define("index", f"and i32 {self.operand('i32')}, 1")
            name = r.choice(("same1", "same2"))
            at = self.define(
                "field",
                f"getelementptr inbounds [2 x i32], ptr addrspace(4) @{name}, i32 0, i32 {index}",
            )
            self.define("i32", f"load i32, ptr addrspace(4) {at}")

    def variable(self) -> None:
        """An access to a variable that only one thread of a launch writes."""
        r = self.random
        kind = r.randrange(9)
        if kind == 0:
            self.emit(f"store i32 {self.operand('i32')}, ptr addrspace(1) @never_read")
        elif kind == 1:
            self.emit(f"store i32 {r.choice((0, 1))}, ptr addrspace(1) @flag")
            self.define("i32", "load i32, ptr addrspace(1) @flag")
        elif kind == 2:
            self.define("i32", "load i32, ptr addrspace(1) @fixed")
        elif kind == 3:
            at = r.choice((("i32", 0), ("float", 1), ("i64", 2)))
            place = self.define(
                "field", f"getelementptr inbounds %Box, ptr addrspace(1) @box, i32 0, i32 {at[1]}"
            )
            if r.random() < 0.5:
                self.emit(f"store {at[0]} {self.operand(at[0])}, ptr addrspace(1) {place}")
            else:
                self.define(at[0], f"load {at[0]}, ptr addrspace(1) {place}")
        elif kind == 4:
            old = self.define("i32", "load i32, ptr addrspace(1) @state")
            new = self.define("i32", f"add i32 {old}, {self.operand('i32')}")
            self.emit(f"store i32 {new}, ptr addrspace(1) @state")
        elif kind == 5:
            self.define("i32", "load i32, ptr addrspace(1) @flag")
        elif kind == 6:
            self.emit(f"store i32 {self.operand('i32')}, ptr addrspace(1) @seen")
        elif kind == 7:
            index = self.define("index", f"and i32 {self.operand('i32')}, 3")
            at = self.define(
                "field",
                f"getelementptr inbounds [4 x i32], ptr addrspace(3) @scratch, i32 0, i32 {index}",
            )
            self.emit(f"store i32 {self.operand('i32')}, ptr addrspace(3) {at}")
            self.define("i32", f"load i32, ptr addrspace(3) {at}")
        else:
            self.define("i32", "load i32, ptr addrspace(1) @seen")

    def branch(self, depth: int) -> None:
        """A conditional."""
        yes, no, end = self.fresh("yes"), self.fresh("no"), self.fresh("end")
        predicate = self.random.choice(("slt", "eq", "ugt"))
        condition = self.define(
            "i1", f"icmp {predicate} i32 {self.operand('i32')}, {self.operand('i32')}"
        )
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
        """A loop of few rounds."""
        r = self.random
        before, head, end = self.fresh("before"), self.fresh("head"), self.fresh("end")
        start, trips = self.operand("i32"), r.randint(1, 4)
        self.emit(f"br label %{before}")
        self.lines.append(f"{before}:")
        self.emit(f"br label %{head}")
        at = len(self.lines) + 1
        self.lines.append(f"{head}:")
        saved = {k: list(v) for k, v in self.values.items()}
        counter, value = "%" + self.fresh("i"), "%" + self.fresh("x")
        self.values.setdefault("i32", []).extend((counter, value))
        self.statements(2, depth + 1)
        result = self.operand("i32")
        self.values = saved
        latch = self.fresh("latch")
        following = "%" + self.fresh()
        self.emit(f"br label %{latch}")
        self.lines.append(f"{latch}:")
        self.emit(f"{following} = add nsw i32 {counter}, 1")
        done = "%" + self.fresh()
        self.emit(f"{done} = icmp sge i32 {following}, {trips}")
        self.emit(f"br i1 {done}, label %{end}, label %{head}")
        # Slots made meanwhile were put in front.
        at = self.lines.index(f"{head}:") + 1
        self.lines[at:at] = [
            f"  {counter} = phi i32 [ 0, %{before} ], [ {following}, %{latch} ]",
            f"  {value} = phi i32 [ {start}, %{before} ], [ {result}, %{latch} ]",
        ]
        self.lines.append(f"{end}:")
        self.values.setdefault("i32", []).append(
            result if result[0] != "%" or result in saved.get("i32", []) else value
        )

    def call(self) -> None:
        """A call of one of the functions that there are."""
        r = self.random
        if not self.functions:
            self.arithmetic()
            return
        if self.tables and r.random() < 0.3:
            table, result, size = r.choice(self.tables)
            index = self.define("index", f"and i32 {self.operand('i32')}, {size - 1}")
            at = self.define(
                "field",
                f"getelementptr inbounds [{size} x ptr], ptr addrspace(4) @{table}, i32 0, i32 {index}",
            )
            target = self.define("code", f"load ptr, ptr addrspace(4) {at}")
            self.define(result, f"call {result} {target}(i32 {self.operand('i32')})")
            return
        function = r.choice(self.functions[-8:])
        arguments = ", ".join(
            f"{'ptr byval(%Pair) align 4' if t == 'byval' else t} {self.operand('ptr' if t == 'byval' else t)}"
            for t in function.parameters
        )
        text = f"call {function.result} @{function.name}({arguments})"
        if function.result == "void":
            self.emit(text)
        elif function.result == "%Pair":
            whole = self.define("pair", text)
            self.define("i32", f"extractvalue %Pair {whole}, {r.randrange(2)}")
        else:
            self.define(function.result, text)

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

    # Functions

    def begin(self) -> None:
        """Starts a function."""
        self.lines, self.values = [], {}

    def device_function(
        self, parameters: Sequence[str] | None = None, result: str = ""
    ) -> _Function:
        """A device function, which may call those before it."""
        r = self.random
        self.begin()
        if parameters is None:
            choices = (*TYPES, "ptr", "byval", "ptr")
            parameters = [r.choice(choices) for _ in range(r.randint(0, 5))]
        result = result or r.choice((*TYPES, "%Pair", "void"))
        used = [r.random() < 0.75 for _ in parameters]
        for i, (type_, use) in enumerate(zip(parameters, used)):
            if use:
                self.values.setdefault("ptr" if type_ == "byval" else type_, []).append(f"%a{i}")
        self.statements(5)
        if result == "%Pair":
            first = self.define("pair", f"insertvalue %Pair poison, i32 {self.operand('i32')}, 0")
            second = f"insertvalue %Pair {first}, i32 {self.operand('i32')}, 1"
            self.emit(f"ret %Pair {self.define('pair', second)}")
        else:
            self.emit("ret void" if result == "void" else f"ret {result} {self.operand(result)}")
        name = f"f{len(self.functions)}"
        texts = {"byval": "ptr byval(%Pair) align 4"}
        signature = ", ".join(f"{texts.get(t, t)} %a{i}" for i, t in enumerate(parameters))
        head = f"define {r.choice(LINKAGES)}{result} @{name}({signature}){r.choice(ATTRIBUTES)} {{"
        self.text.append("\n".join([head, *self.lines, "}", ""]))
        function = _Function(name, parameters, result)
        self.functions.append(function)
        return function

    def mutual_recursion(self) -> None:
        """Two functions that call each other, to a depth that each call lowers."""
        first = len(self.functions)
        for mine, other in ((first, first + 1), (first + 1, first)):
            self.begin()
            self.values = {"i32": ["%x", "%n"]}
            self.emit("%end = icmp sle i32 %n, 0")
            self.emit("br i1 %end, label %stop, label %go")
            self.lines += ["stop:", "  ret i32 %x", "go:"]
            for _ in range(self.random.randint(1, 3)):
                self.arithmetic()
            self.emit("%less = sub i32 %n, 1")
            self.emit(f"%deep = call i32 @f{other}(i32 {self.operand('i32')}, i32 %less)")
            self.emit(f"%r = add i32 %deep, {self.operand('i32')}")
            self.emit("ret i32 %r")
            self.text.append(
                "\n".join(
                    [f"define internal i32 @f{mine}(i32 %x, i32 %n) {{", *self.lines, "}", ""]
                )
            )
        self.functions += [_Function(f"recursion{i}", (), "i32") for i in range(2)]
        for i in range(2):
            name = f"recursion{first + i}"
            self.functions[first + i] = _Function(name, ("i32", "i32"), "i32")
            self.text.append(
                f"define internal i32 @{name}(i32 %x, i32 %n) {{\n  %d = and i32 %n, 7\n"
                f"  %r = call i32 @f{first + i}(i32 %x, i32 %d)\n  ret i32 %r\n}}\n"
            )

    def table(self) -> None:
        """Functions of one type and a table of their addresses."""
        members = [self.device_function(("i32",), "i32") for _ in range(2)]
        name = f"table{len(self.tables)}"
        listed = ", ".join(f"ptr @{f.name}" for f in members)
        self.globals.append(
            f"@{name} = internal addrspace(4) constant [2 x ptr] [{listed}], align 8"
        )
        self.tables.append((name, "i32", 2))

    def kernel(self, name: str) -> None:
        """A kernel, run by one thread, which stores what it computed."""
        self.begin()
        self.values = {"i32": ["%n"], "float": ["%x"]}
        self.statements(9)
        self.call()
        for index, (type_, out) in enumerate(
            (("i32", "i32"), ("i64", "i64"), ("float", "float"), ("i32", "i32"))
        ):
            value = self.operand(type_)
            place = "%" + self.fresh()
            self.emit(
                f"{place} = getelementptr inbounds i64, ptr %out, i32 {index + self.random.randrange(OUTPUTS - 4)}"
            )
            self.emit(f"store {out} {value}, ptr {place}")
        self.emit("ret void")
        head = f"define ptx_kernel void @{name}(ptr %out, i32 %n, float %x) {{"
        self.text.append("\n".join([head, *self.lines, "}", ""]))

    def module(self) -> str:
        """The text of the program."""
        self.text: list[str] = []
        self.globals: list[str] = []
        r = self.random
        while len(self.functions) < self.number_of_functions:
            kind = r.random()
            if kind < 0.12:
                self.mutual_recursion()
            elif kind < 0.24:
                self.table()
            else:
                self.device_function()
        for name in KERNELS:
            self.kernel(name)
        return "\n".join([HEADER, *self.globals, "", *self.text])


KERNELS = ("first", "second")


def random_program_text(seed: int, functions: int = 8) -> str:
    """The LLVM assembly of the program of a seed."""
    return Programs(seed, functions).module()


def random_program_launches(seed: int) -> list[Launch]:
    """Launches of the program's kernels, in a row over the same memory."""
    rng = np.random.default_rng(seed)
    out = np.zeros(OUTPUTS, np.int64)
    return [
        Launch(name, 1, 1, (out, int(rng.integers(-20, 20)), float(rng.integers(-8, 8))))
        for name in (*KERNELS, KERNELS[0])
    ]
