"""Device functions and calls of them: direct, through tables, variables and arguments, recursive, variadic."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from nvvm_xdsl.lab.random_kernels.programs.statements import (
    MAX_COST,
    PAIRS,
    TYPES,
    Callee,
    Statements,
)

ATTRIBUTES = ("", "", "", " noinline", " alwaysinline", " cold", " optnone noinline")
LINKAGES = ("internal ", "internal ", "", "linkonce_odr ", "weak ", "private ")

TEXTS = {
    "byval": "ptr byval(%Pair) align 8",
    "record": "ptr",
    "copy": "ptr byval(%Record) align 8",
    "code": "ptr",
}
"""Kinds of parameters whose name differs from their type: a struct by value, a pointer to one, a
function."""

OPERANDS = {"byval": "ptr", "copy": "record"}
"""The kind of value for such a parameter, if it is another."""

TABLE_TYPES = (
    (("i32",), "i32"),
    (("i32",), "i32"),
    (("i32", "i32"), "i32"),
    (("i32", "float"), "float"),
    (("ptr",), "void"),
    (("%Pair",), "%Pair"),
    (("ptr", "i32", "float"), "void"),
)
"""Parameters and results of functions in tables; the last are those of kernels."""

VARIADIC_KINDS = ("i32", "i32", "i64", "double")

MAX_DEPTH = 7
"""Maximum depth of recursion, minus one."""

SHAPES = ("any", "any", "deep", "wide")
"""Shapes of call graphs: each function calls the previous one, one function calls all, or
random."""

EXCHANGE = """\
define internal i32 @exchange(i32 %x){attribute} {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr inbounds [4 x i32], ptr addrspace(3) @mailbox, i32 0, i32 %tid
  store i32 %x, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %last = sub i32 %ntid, 1
  %across = sub i32 %last, %tid
  %theirs = getelementptr inbounds [4 x i32], ptr addrspace(3) @mailbox, i32 0, i32 %across
  %y = load i32, ptr addrspace(3) %theirs
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret i32 %y
}}
"""
"""A function that all threads of a block call together."""


class Calls(Statements):
    """Generates functions and calls of them."""

    def __init__(self, seed: int, threads: int) -> None:
        super().__init__(seed, threads)
        self.text: list[str] = []
        self.globals: list[str] = []
        self.tables: list[tuple[str, Callee, int]] = []
        self.handlers: list[tuple[str, list[str], Callee]] = []
        self.shape = self.random.choice(SHAPES)
        self.spare: list[str] = []
        """Parameters of the current function without a use."""

    # Calls

    def arguments(self, kinds: Sequence[str]) -> str:
        """Operands for parameters, with their types."""
        return ", ".join(f"{TEXTS.get(k, k)} {self.operand(OPERANDS.get(k, k))}" for k in kinds)

    def operand(self, type_: str) -> str:
        if type_ == "code":
            known = self.values.get("code", [])
            names = [f"@{c.name}" for c in self.affordable(self.functions) if _is_code(c)]
            return self.random.choice([*known, *names] or ["@identity"])
        return super().operand(type_)

    def call(self) -> None:
        r = self.random
        kind = r.random()
        if self.values.get("code") and kind < 0.4:
            self._take(Callee(r.choice(self.values["code"]), ("i32",), "i32", 0))
            return
        if kind < 0.25 and self._call_through_memory():
            return
        if kind < 0.3:
            first, second = self.operand("code"), self.operand("code")
            condition = self.assign(f"icmp slt i32 {self.operand('i32')}, {self.operand('i32')}")
            target = self.assign(f"select i1 {condition}, ptr {first}, ptr {second}")
            self._take(Callee(target, ("i32",), "i32", MAX_COST // 4))
            return
        recent = self.functions[-8:] if self.shape != "deep" else self.functions[-3:]
        callees = self.affordable(recent)
        if callees:
            callee = r.choice(callees)
            self._take(replace(callee, name=f"@{callee.name}"))
        else:
            self.arithmetic()

    def _call_through_memory(self) -> bool:
        r = self.random
        if self.handlers and r.random() < 0.5:
            name, _, callee = r.choice(self.handlers)
            place = f"ptr addrspace(1) @{name}"
        elif self.tables:
            name, callee, size = r.choice(self.tables)
            index = self.assign(f"and i32 {self.operand('i32')}, {size - 1}")
            table = f"[{size} x ptr], ptr addrspace(4) @{name}"
            at = self.assign(f"getelementptr inbounds {table}, i32 0, i32 {index}")
            place = f"ptr addrspace(4) {at}"
        else:
            return False
        if not self.affordable([callee]):
            return False
        self._take(replace(callee, name=self.assign(f"load ptr, {place}")))
        return True

    def _take(self, callee: Callee) -> None:
        """A call, whose result may be an operand of later code."""
        given = self.arguments(callee.parameters)
        type_ = callee.result
        if callee.variable is not None:
            given = ", ".join([given, *(f"{k} {self.operand(k)}" for k in callee.variable)])
            type_ = (
                f"{callee.result} ({', '.join(TEXTS.get(k, k) for k in callee.parameters)}, ...)"
            )
        text = f"call {type_} {callee.name}({given})"
        self.cost += self.times * callee.cost
        if callee.result == "void":
            self.emit(text)
        elif callee.result in PAIRS:
            whole = self.define(callee.result, text)
            self.define("i32", f"extractvalue {callee.result} {whole}, {self.random.randrange(2)}")
        elif callee.result == "%Record":
            whole = self.assign(text)
            self.define("i32", f"extractvalue %Record {whole}, 1")
        else:
            self.define(callee.result, text)

    # Functions

    def finish(self, head: str, kinds: Sequence[str], attribute: str) -> None:
        """The text of the current function."""
        signature = ", ".join(f"{TEXTS.get(t, t)} %a{i}" for i, t in enumerate(kinds))
        self.text.append(
            "\n".join([f"define {head}({signature}){attribute} {{", *self.lines, "}", ""])
        )

    def take_parameters(self, kinds: Sequence[str]) -> None:
        """Uses most parameters as operands; the others are only returned, or never used."""
        self.spare = []
        for i, kind in enumerate(kinds):
            if self.random.random() < 0.75:
                self.values.setdefault(OPERANDS.get(kind, kind), []).append(f"%a{i}")
            elif kind == "i32":
                self.spare.append(f"%a{i}")

    def give(self, result: str) -> None:
        """The end of a function."""
        if result == "%Record":
            place = self.operand("record")
            value = self.assign(f"load %Record, ptr {place}, align 8")
            self.emit(f"ret %Record {value}")
        elif result in PAIRS:
            self.values["i32"] = self.spare or self.values.get("i32", [])
            self.emit(f"ret {result} {self.pair(result)}")
        else:
            self.emit("ret void" if result == "void" else f"ret {result} {self.operand(result)}")

    def device_function(
        self, parameters: Sequence[str] | None = None, result: str = "", *, all_: bool = False
    ) -> Callee:
        """A device function, which may call earlier ones; with `all_` as many as possible."""
        r = self.random
        self.begin()
        if parameters is None:
            choices = (*TYPES, "ptr", "ptr", "byval", "record", "copy", *PAIRS, "code")
            parameters = [r.choice(choices) for _ in range(r.randint(0, 5))]
        result = result or r.choice((*TYPES, *PAIRS, "%Record", "void"))
        self.take_parameters(parameters)
        if self.shape == "deep" and self.functions and self.affordable(self.functions[-1:]):
            last = self.functions[-1]
            self._take(replace(last, name=f"@{last.name}"))
        if all_:
            for callee in list(self.functions):
                if self.affordable([callee]):
                    self._take(replace(callee, name=f"@{callee.name}"))
        self.statements(5)
        self.give(result)
        name = f"f{len(self.functions)}"
        head = f"{r.choice(LINKAGES)}{result} @{name}"
        self.finish(head, parameters, r.choice(ATTRIBUTES))
        function = Callee(name, tuple(parameters), result, self.cost)
        self.functions.append(function)
        return function

    def variadic_kinds(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Kinds of the named parameters of a variadic function, and of the variable ones."""
        r = self.random
        kinds = tuple(r.choice(VARIADIC_KINDS) for _ in range(r.choice((1, 1, 2, 3, 4))))
        return ("i32", *r.choice(((), ("ptr",), ("float",)))), kinds

    def variadic_function(self, parameters: tuple[str, ...], kinds: tuple[str, ...]) -> Callee:
        """A variadic function, which determines the number of its arguments by their kinds."""
        r = self.random
        self.begin()
        self.take_parameters(parameters)
        self.lines.append("  %list = alloca ptr, align 8")
        self.emit("call void @llvm.va_start.p0(ptr %list)")
        for kind in kinds:
            value = self.assign(f"va_arg ptr %list, {kind}")
            if kind == "double":
                self.define("float", f"fptrunc double {value} to float")
            else:
                self.values.setdefault(kind, []).append(value)
        self.emit("call void @llvm.va_end.p0(ptr %list)")
        self.statements(3)
        self.give("i32")
        name = f"f{len(self.functions)}"
        signature = ", ".join(f"{t} %a{i}" for i, t in enumerate(parameters))
        attribute = r.choice(("", " noinline", " alwaysinline"))
        head = f"define internal i32 @{name}({signature}, ...){attribute} {{"
        self.text.append("\n".join([head, *self.lines, "}", ""]))
        function = Callee(name, parameters, "i32", self.cost, kinds)
        self.functions.append(function)
        return function

    def recursion(self) -> None:
        """Functions that call each other in a ring, with a depth that each call decreases."""
        r = self.random
        size = r.randint(1, 4)
        extra = r.choice(("i32", "float", "ptr", "byval"))
        number = len(self.functions)
        names = [f"ring{number}_{i}" for i in range(size)]
        twice = size < 3 and r.random() < 0.3
        cost = 0
        for position, name in enumerate(names):
            self.begin()
            self.values = {"i32": ["%a0", "%a1"]}
            self.values.setdefault(OPERANDS.get(extra, extra), []).append("%a2")
            self.emit("%end = icmp sle i32 %a1, 0")
            self.emit("br i1 %end, label %stop, label %go")
            self.lines += ["stop:", "  ret i32 %a0", "go:"]
            for _ in range(r.randint(1, 3)):
                r.choice((self.arithmetic, self.arithmetic, self.memory, self.variable))()
            self.emit("%less = sub i32 %a1, 1")
            other = names[(position + 1) % size]
            kind = OPERANDS.get(extra, extra)
            given = f"{TEXTS.get(extra, extra)} {self.operand(kind)}"
            deep = self.define(
                "i32", f"call i32 @{other}(i32 {self.operand('i32')}, i32 %less, {given})"
            )
            if twice:
                deep = self.define("i32", f"call i32 @{other}(i32 {deep}, i32 %less, {given})")
            if r.random() < 0.6:
                deep = self.assign(
                    f"{r.choice(('add', 'xor', 'mul'))} i32 {deep}, {self.operand('i32')}"
                )
            self.emit(f"ret i32 {deep}")
            self.finish(
                f"internal i32 @{name}", ("i32", "i32", extra), r.choice(("", "", " noinline"))
            )
            cost = max(cost, self.cost)
        # Called twice in each, a depth of 3 is 15 calls.
        mask = 3 if twice else MAX_DEPTH
        name = f"recursion{number}"
        text = TEXTS.get(extra, extra)
        self.text.append(
            f"define internal i32 @{name}(i32 %x, i32 %n, {text} %e) {{\n  %d = and i32 %n, {mask}\n"
            f"  %r = call i32 @{names[0]}(i32 %x, i32 %d, {text} %e)\n  ret i32 %r\n}}\n"
        )
        self.functions.append(
            Callee(name, ("i32", "i32", extra), "i32", cost * (15 if twice else mask + 1))
        )

    def table(self) -> None:
        """Functions of one type, in a table of their addresses or behind a variable that kernels set."""
        r = self.random
        size = r.choice((2, 2, 4))
        if r.random() < 0.2:
            named, kinds = self.variadic_kinds()
            members = [self.variadic_function(named, kinds) for _ in range(size)]
        else:
            parameters, result = r.choice(TABLE_TYPES)
            members = [self.device_function(parameters, result) for _ in range(size)]
        callee = replace(members[0], name="", cost=max(f.cost for f in members))
        number = len(self.tables) + len(self.handlers)
        if r.random() < 0.3:
            name = f"handler{number}"
            self.globals.append(
                f"@{name} = internal addrspace(1) global ptr @{members[0].name}, align 8"
            )
            self.handlers.append((name, [f.name for f in members], callee))
            return
        listed = ", ".join(f"ptr @{f.name}" for f in members)
        name = f"table{number}"
        self.globals.append(
            f"@{name} = internal addrspace(4) constant [{size} x ptr] [{listed}], align 8"
        )
        self.tables.append((name, callee, size))


def _is_code(callee: Callee) -> bool:
    """Returns True if a function may be passed as an argument."""
    fits = callee.parameters == ("i32",) and callee.result == "i32" and callee.variable is None
    return fits and callee.cost <= MAX_COST // 4


__all__ = ["EXCHANGE", "Calls"]
