"""Random kernels: valid, free of races and undefined behaviour, the same for the same seed.

A kernel is LLVM assembly built from nested regions: straight code, conditionals, loops of bounded
trip count, switches. Every integer carries the interval that its value lies in, which says where
`nsw` and `nuw` are true and what may index what. Each thread writes its own part of the outputs;
shared memory is written between two barriers and read after the second; atomics go to counters
whose final value does not depend on order. Floats become integers only where they cannot be NaN,
whose bits are nobody's promise.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from collections.abc import Generator as Steps
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.testing.launches import Launch

BLOCK = 64
INPUTS = 64
"""Elements of each input; a power of two, so that masking gives an index."""

SLOTS = 8
"""Elements of each output that a thread writes."""

COUNTERS = 8
MAX_DEPTH = 3
MAX_TRIPS = 5

INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("half", "bfloat", "float", "double")
VECTORS = ("<2 x i32>", "<4 x i8>", "<2 x i64>", "<4 x float>", "<2 x half>", "<2 x double>")

HEADER = """\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared_i = internal addrspace(3) global [64 x i32] undef, align 4
@shared_f = internal addrspace(3) global [64 x float] undef, align 4
@table = internal addrspace(4) constant [8 x i32] [i32 3, i32 -1, i32 0, i32 65536, i32 7, i32 -2147483648, i32 100, i32 1], align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.up.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
"""

KERNEL = "fuzz"


def bits_of(type_: str) -> int:
    """The width of an integer type."""
    return int(type_[1:])


def limits_of(type_: str) -> tuple[int, int]:
    """The signed range of an integer type."""
    bits = bits_of(type_)
    return (-1, 0) if bits == 1 else (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)


@dataclass(frozen=True)
class Value:
    """An SSA value or constant and, for integers, the interval of its signed value."""

    name: str
    type: str
    low: int = 0
    high: int = 0

    @property
    def text(self) -> str:
        """As an operand with its type."""
        return f"{self.type} {self.name}"


@dataclass
class Function:
    """A device function that kernels may call."""

    name: str
    parameters: tuple[str, ...]
    result: str


class Generator:
    """Makes one module.

    Arguments:
        seed: all choices follow from it.
        size: roughly how many instructions.
    """

    def __init__(self, seed: int, size: int = 60) -> None:
        self.random = random.Random(seed)
        self.budget = size
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.declarations: set[str] = set()
        self.scopes: list[dict[str, list[Value]]] = [{}]
        self.block = "entry"
        self.depth = 0
        self.converged = True
        self.functions: list[Function] = []
        self.pointers: list[tuple[str, str]] = []
        self._names = 0
        self.in_kernel = False

    # Text

    def fresh(self, stem: str = "v") -> str:
        """A new name."""
        self._names += 1
        return f"{stem}{self._names}"

    def emit(self, text: str) -> None:
        """One instruction."""
        self.lines.append(f"  {text}")
        self.budget -= 1

    def label(self, name: str) -> None:
        """Starts a block."""
        self.lines.append(f"{name}:")
        self.block = name

    def result(
        self, type_: str, text: str, low: int | None = None, high: int | None = None
    ) -> Value:
        """An instruction with a result, which later ones may use."""
        name = f"%{self.fresh()}"
        self.emit(f"{name} = {text}")
        value = self._value(name, type_, low, high)
        self.scopes[-1].setdefault(type_, []).append(value)
        return value

    def _value(self, name: str, type_: str, low: int | None, high: int | None) -> Value:
        if type_[0] == "i" and type_[1:].isdigit():
            full = limits_of(type_)
            if low is None or high is None or low < full[0] or high > full[1]:
                low, high = full
            return Value(name, type_, low, high)
        return Value(name, type_)

    @contextmanager
    def scope(self) -> Steps[None, None, None]:
        """Values made within are not seen after."""
        self.scopes.append({})
        self.depth += 1
        yield
        self.depth -= 1
        self.scopes.pop()

    def call(
        self,
        type_: str,
        name: str,
        *arguments: Value,
        low: int | None = None,
        high: int | None = None,
    ) -> Value:
        """A call of an intrinsic, which is declared at need."""
        self.declarations.add(f"declare {type_} @{name}({', '.join(a.type for a in arguments)})")
        return self.result(
            type_, f"call {type_} @{name}({', '.join(a.text for a in arguments)})", low, high
        )

    # Operands

    def constant(self, type_: str) -> Value:
        """A constant, often a special one."""
        r = self.random
        if type_[0] == "i":
            low, high = limits_of(type_)
            number = r.choice(
                [
                    0,
                    1,
                    -1,
                    2,
                    3,
                    low,
                    high,
                    r.randint(low, high),
                    r.randint(-20, 20),
                    1 << r.randrange(bits_of(type_)),
                ]
            )
            if type_ == "i1":
                bit = r.randrange(2)
                return Value("true" if bit else "false", type_, -bit, -bit)
            number = (number - low) % (high - low + 1) + low
            return Value(str(number), type_, number, number)
        if type_ in FLOATS:
            number = r.choice(
                [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 100.0, 0.25, float(r.randint(-64, 64))]
            )
            return Value(_float_text(number, type_), type_)
        raise ValueError(type_)

    def operand(self, type_: str) -> Value:
        """A value of a type: one that there is, a constant, or a conversion of another."""
        known = [v for scope in self.scopes for v in scope.get(type_, [])]
        if known and self.random.random() < 0.8:
            # Recent values more often than old ones, so that chains of operations arise.
            return known[min(len(known) - 1, int(len(known) * self.random.random() ** 0.6))]
        if type_ in INTEGERS or type_ in FLOATS or type_ == "i1":
            if known or self.random.random() < 0.5:
                return self.constant(type_)
            return self.convert(type_)
        if known:
            return self.random.choice(known)
        return self.build(type_)

    def convert(self, type_: str) -> Value:
        """A value of a type made from one of another."""
        r = self.random
        known = [v for scope in self.scopes for t in (*INTEGERS, *FLOATS) for v in scope.get(t, [])]
        known = [v for v in known if v.type != type_]
        if not known:
            return self.constant(type_)
        source = r.choice(known)
        if type_ == "i1":
            return self.compare()
        if type_ in FLOATS:
            if source.type in FLOATS:
                order = {"half": 16, "bfloat": 16, "float": 32, "double": 64}
                if order[source.type] == order[type_]:
                    source = self.result("float", f"fpext {source.text} to float")
                wide = order[type_] > order[source.type]
                return self.result(
                    type_, f"{'fpext' if wide else 'fptrunc'} {source.text} to {type_}"
                )
            return self.result(type_, f"{r.choice(['sitofp', 'uitofp'])} {source.text} to {type_}")
        if source.type in FLOATS:
            return self.float_to_integer(source, type_)
        return self.resize(source, type_)

    def float_to_integer(self, source: Value, type_: str) -> Value:
        """A conversion that saturates, as a plain one is undefined out of range."""
        name = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}[source.type]
        kind = self.random.choice(["s", "u"])
        return self.call(type_, f"llvm.fpto{kind}i.sat.{type_}.{name}", source)

    def resize(self, source: Value, type_: str) -> Value:
        """An integer in another width."""
        low, high = limits_of(type_)
        if bits_of(type_) < bits_of(source.type):
            fits = low <= source.low and source.high <= high
            unsigned = source.low >= 0 and source.high <= 2 * high + 1
            flags = (" nuw" if unsigned and self.random.random() < 0.5 else "") + (
                " nsw" if fits and self.random.random() < 0.5 else ""
            )
            return self.result(
                type_,
                f"trunc{flags} {source.text} to {type_}",
                *((source.low, source.high) if fits else (None, None)),
            )
        if source.low >= 0:
            flags = self.random.choice(["sext", "zext", "zext nneg"])
            return self.result(type_, f"{flags} {source.text} to {type_}", source.low, source.high)
        if self.random.random() < 0.5:
            return self.result(type_, f"sext {source.text} to {type_}", source.low, source.high)
        return self.result(
            type_, f"zext {source.text} to {type_}", 0, (1 << bits_of(source.type)) - 1
        )

    def masked(self, bound: int, type_: str = "i32") -> Value:
        """An integer from 0 up to a power of two."""
        source = self.operand(type_)
        return self.result(type_, f"and {source.text}, {bound - 1}", 0, bound - 1)

    # Computation

    def integer(self) -> None:
        """An integer operation."""
        r = self.random
        type_ = r.choice(INTEGERS)
        low, high = limits_of(type_)
        top = 2 * high + 1
        a, b = self.operand(type_), self.operand(type_)
        op = r.choice(
            [
                "add",
                "sub",
                "mul",
                "and",
                "or",
                "xor",
                "shl",
                "lshr",
                "ashr",
                "udiv",
                "sdiv",
                "urem",
                "srem",
                "minmax",
                "bits",
                "select",
                "funnel",
                "saturate",
            ]
        )
        if op in ("add", "sub", "mul"):
            corners = {
                "add": [a.low + b.low, a.high + b.high],
                "sub": [a.low - b.high, a.high - b.low],
                "mul": [x * y for x in (a.low, a.high) for y in (b.low, b.high)],
            }[op]
            least, most = min(corners), max(corners)
            signed = low <= least and most <= high
            unsigned = a.low >= 0 and b.low >= 0 and least >= 0 and most <= top
            flags = (" nuw" if unsigned and r.random() < 0.6 else "") + (
                " nsw" if signed and r.random() < 0.6 else ""
            )
            self.result(
                type_,
                f"{op}{flags} {a.text}, {b.name}",
                *((least, most) if signed else (None, None)),
            )
        elif op in ("and", "or", "xor"):
            bounds = (None, None)
            if op == "and" and b.low >= 0:
                bounds = (0, b.high)
            self.result(type_, f"{op} {a.text}, {b.name}", *bounds)
        elif op in ("shl", "lshr", "ashr"):
            amount = self.masked(bits_of(type_), type_)
            if r.random() < 0.5:
                number = r.randrange(bits_of(type_))
                amount = Value(str(number), type_, number, number)
            self.result(type_, f"{op} {a.text}, {amount.name}")
        elif op in ("udiv", "sdiv", "urem", "srem"):
            divisor = self.result(type_, f"and {b.text}, {min(high, 127)}", 0, min(high, 127))
            divisor = self.result(type_, f"or {divisor.text}, 1", 1, min(high, 127))
            if r.random() < 0.4:
                number = r.choice([1, 2, 3, 5, 7, 8, 10, 100])
                divisor = Value(str(number), type_, number, number)
            self.result(
                type_,
                f"{op} {a.text}, {divisor.name}",
                *((0, divisor.high - 1) if op == "urem" else (None, None)),
            )
        elif op == "minmax":
            name = r.choice(["smin", "smax", "umin", "umax"])
            bounds = (min(a.low, b.low), max(a.high, b.high))
            self.call(type_, f"llvm.{name}.{type_}", a, b, low=bounds[0], high=bounds[1])
        elif op == "bits":
            name = r.choice(
                [
                    "ctpop",
                    "ctlz",
                    "cttz",
                    "bitreverse",
                    "abs",
                    *(["bswap"] if type_ != "i8" else []),
                ]
            )
            flag = [Value("false", "i1")] if name in ("ctlz", "cttz", "abs") else []
            bounds = (0, bits_of(type_)) if name in ("ctpop", "ctlz", "cttz") else (None, None)
            self.call(type_, f"llvm.{name}.{type_}", a, *flag, low=bounds[0], high=bounds[1])
        elif op == "funnel":
            amount = self.operand(type_)
            self.call(type_, f"llvm.{r.choice(['fshl', 'fshr'])}.{type_}", a, b, amount)
        elif op == "saturate":
            self.call(
                type_, f"llvm.{r.choice(['s', 'u'])}{r.choice(['add', 'sub'])}.sat.{type_}", a, b
            )
        else:
            condition = self.operand("i1")
            self.result(
                type_,
                f"select {condition.text}, {a.text}, {b.text}",
                min(a.low, b.low),
                max(a.high, b.high),
            )

    def wide(self) -> None:
        """Arithmetic on 128 bits, back to 64."""
        r = self.random
        parts = [self.operand("i64"), self.operand("i64")]
        wide = [
            self.result("i128", f"{r.choice(['sext', 'zext'])} {p.text} to i128") for p in parts
        ]
        op = r.choice(["add", "sub", "mul", "and", "or", "xor"])
        total = self.result("i128", f"{op} i128 {wide[0].name}, {wide[1].name}")
        shifted = self.result(
            "i128", f"{r.choice(['lshr', 'ashr'])} i128 {total.name}, {r.randrange(128)}"
        )
        self.result("i64", f"trunc i128 {shifted.name} to i64")
        for scope in self.scopes:
            scope.pop("i128", None)

    def floating(self) -> None:
        """A floating-point operation."""
        r = self.random
        type_ = r.choice(FLOATS)
        suffix = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}[type_]
        a, b = self.operand(type_), self.operand(type_)
        op = r.choice(["fadd", "fsub", "fmul", "fdiv", "fneg", "fma", "minmax", "unary", "select"])
        if op in ("fadd", "fsub", "fmul", "fdiv"):
            self.result(type_, f"{op} {a.text}, {b.name}")
        elif op == "fneg":
            self.result(type_, f"fneg {a.text}")
        elif op == "fma":
            self.call(type_, f"llvm.fma.{suffix}", a, b, self.operand(type_))
        elif op == "minmax":
            self.call(type_, f"llvm.{r.choice(['minnum', 'maxnum'])}.{suffix}", a, b)
        elif op == "unary":
            names = ["fabs", "floor", "ceil", "trunc", "rint"]
            if type_ in ("float", "double"):
                names.append("sqrt")
            self.call(type_, f"llvm.{r.choice(names)}.{suffix}", a)
        else:
            condition = self.operand("i1")
            self.result(type_, f"select {condition.text}, {a.text}, {b.text}")

    def compare(self) -> Value:
        """A comparison."""
        r = self.random
        if r.random() < 0.7:
            type_ = r.choice(INTEGERS)
            a, b = self.operand(type_), self.operand(type_)
            predicate = r.choice(
                ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]
            )
            return self.result("i1", f"icmp {predicate} {a.text}, {b.name}")
        type_ = r.choice(FLOATS)
        a, b = self.operand(type_), self.operand(type_)
        predicate = r.choice(
            [
                "oeq",
                "ogt",
                "oge",
                "olt",
                "ole",
                "one",
                "ord",
                "ueq",
                "ugt",
                "uge",
                "ult",
                "ule",
                "une",
                "uno",
            ]
        )
        return self.result("i1", f"fcmp {predicate} {a.text}, {b.name}")

    def logic(self) -> None:
        """An operation on truth values."""
        a, b = self.operand("i1"), self.operand("i1")
        if self.random.random() < 0.5:
            self.result("i1", f"{self.random.choice(['and', 'or', 'xor'])} {a.text}, {b.name}")
        else:
            other = self.operand("i1")
            self.result("i1", f"select {a.text}, {b.text}, {other.text}")

    def build(self, type_: str) -> Value:
        """A vector from scalars."""
        count, element = _vector_parts(type_)
        parts = [self.operand(element) for _ in range(count)]
        value = Value("poison", type_)
        for i, part in enumerate(parts[:-1]):
            # Not yet a value that others may use: elements are still missing.
            name = f"%{self.fresh()}"
            self.emit(f"{name} = insertelement {value.text}, {part.text}, i32 {i}")
            value = Value(name, type_)
        return self.result(type_, f"insertelement {value.text}, {parts[-1].text}, i32 {count - 1}")

    def vector(self) -> None:
        """An operation on vectors."""
        r = self.random
        type_ = r.choice(VECTORS)
        count, element = _vector_parts(type_)
        a, b = self.operand(type_), self.operand(type_)
        op = r.choice(["arithmetic", "arithmetic", "shuffle", "extract", "insert", "compare"])
        if op == "arithmetic":
            names = (
                ["add", "sub", "mul", "and", "or", "xor"]
                if element[0] == "i"
                else ["fadd", "fsub", "fmul"]
            )
            self.result(type_, f"{r.choice(names)} {a.text}, {b.name}")
        elif op == "shuffle":
            picks = ", ".join(f"i32 {r.randrange(2 * count)}" for _ in range(count))
            self.result(type_, f"shufflevector {a.text}, {b.text}, <{count} x i32> <{picks}>")
        elif op == "extract":
            index = self.masked(count).text if r.random() < 0.4 else f"i32 {r.randrange(count)}"
            self.result(element, f"extractelement {a.text}, {index}")
        elif op == "insert":
            part = self.operand(element)
            index = self.masked(count).text if r.random() < 0.4 else f"i32 {r.randrange(count)}"
            self.result(type_, f"insertelement {a.text}, {part.text}, {index}")
        else:
            mask = f"<{count} x i1>"
            name = f"%{self.fresh()}"
            kind = "icmp slt" if element[0] == "i" else "fcmp olt"
            self.emit(f"{name} = {kind} {a.text}, {b.name}")
            self.result(type_, f"select {mask} {name}, {a.text}, {b.text}")

    def structure(self) -> None:
        """Values in and out of a struct."""
        a, b = self.operand("i32"), self.operand("float")
        type_ = "{ i32, [2 x float] }"
        name, other = f"%{self.fresh()}", f"%{self.fresh()}"
        third = f"%{self.fresh()}"
        self.emit(f"{name} = insertvalue {type_} poison, {a.text}, 0")
        self.emit(f"{other} = insertvalue {type_} {name}, {b.text}, 1, {self.random.randrange(2)}")
        self.emit(f"{third} = insertvalue {type_} {other}, {self.operand('float').text}, 1, 0")
        self.result("i32", f"extractvalue {type_} {third}, 0", a.low, a.high)
        self.result("float", f"extractvalue {type_} {third}, 1, 0")

    def bit_cast(self) -> None:
        """Bits of a number as another type; a float only where it is no NaN."""
        r = self.random
        source, target = r.choice(
            [
                ("i32", "float"),
                ("float", "i32"),
                ("double", "i64"),
                ("i64", "<2 x i32>"),
                ("<2 x i32>", "i64"),
                ("i32", "<4 x i8>"),
                ("i64", "double"),
                ("<4 x i8>", "i32"),
            ]
        )
        value = self.operand(source)
        if source in FLOATS:
            name = f"%{self.fresh()}"
            self.emit(f"{name} = fcmp ord {value.text}, {value.name}")
            value = self.result(
                source, f"select i1 {name}, {value.text}, {source} {_float_text(1.0, source)}"
            )
        self.result(target, f"bitcast {value.text} to {target}")

    # Memory

    def load(self) -> None:
        """A load from an input, the constant table or a local array."""
        r = self.random
        kind = r.choice(["input", "input", "table", "local", "generic", "vector"])
        if kind == "table":
            index = self.masked(8)
            pointer = f"%{self.fresh('p')}"
            self.emit(
                f"{pointer} = getelementptr inbounds [8 x i32], ptr addrspace(4) @table, i32 0, {index.text}"
            )
            self.result("i32", f"load i32, ptr addrspace(4) {pointer}, align 4")
            return
        if kind == "local" and self.pointers:
            base, element = r.choice(self.pointers)
            pointer = self._element(base, element, self.masked(8))
            self.result(element, f"load {element}, ptr {pointer}")
            return
        if kind == "generic" and self.pointers and self.in_kernel:
            base = next((b for b, e in self.pointers if e == "i32"), None)
            if base is not None:
                index = self.masked(8)
                local = self._element(base, "i32", index)
                other = self._element("%in_i", "i32", index)
                choice = self.operand("i1")
                pointer = f"%{self.fresh('p')}"
                self.emit(f"{pointer} = select {choice.text}, ptr {local}, ptr {other}")
                self.result("i32", f"load i32, ptr {pointer}, align 4")
                return
        if not self.in_kernel:
            self.integer()
            return
        if kind == "vector":
            index = self.masked(INPUTS // 4)
            base, type_ = r.choice([("%in_f", "<4 x float>"), ("%in_i", "<2 x i32>")])
            pointer = self._element(base, type_, index)
            self.result(
                type_, f"load {type_}, ptr {pointer}, align {16 if type_ == '<4 x float>' else 8}"
            )
            return
        base, type_ = r.choice(
            [
                ("%in_i", "i32"),
                ("%in_f", "float"),
                ("%in_l", "i64"),
                ("%in_d", "double"),
                ("%in_h", "half"),
            ]
        )
        self.result(type_, f"load {type_}, ptr {self._element(base, type_, self.masked(INPUTS))}")

    def _element(self, base: str, type_: str, index: Value) -> str:
        pointer = f"%{self.fresh('p')}"
        inbounds = self.random.choice(["inbounds ", "inbounds nuw ", ""])
        self.emit(f"{pointer} = getelementptr {inbounds}{type_}, ptr {base}, {index.text}")
        return pointer

    def store(self) -> None:
        """A store to a local array or to the thread's own part of an output."""
        r = self.random
        if self.pointers and (r.random() < 0.5 or not self.in_kernel):
            base, element = r.choice(self.pointers)
            value = self.operand(element)
            self.emit(f"store {value.text}, ptr {self._element(base, element, self.masked(8))}")
            return
        if not self.in_kernel:
            return
        base, type_ = r.choice([("%own_l", "i64"), ("%own_f", "float"), ("%own_d", "double")])
        value = self.operand(type_)
        slot = r.randrange(SLOTS)
        pointer = f"%{self.fresh('p')}"
        self.emit(f"{pointer} = getelementptr inbounds {type_}, ptr {base}, i64 {slot}")
        self.emit(f"store {value.text}, ptr {pointer}")

    def local_array(self) -> None:
        """A local array of eight elements, all set."""
        element = self.random.choice(["i32", "float", "i64"])
        name = f"%{self.fresh('local')}"
        self.allocas.append(f"  {name} = alloca [8 x {element}], align 8")
        initial = self.operand(element)
        for i in range(8):
            pointer = f"%{self.fresh('p')}"
            value = initial if i % 2 else self.constant(element)
            self.emit(f"{pointer} = getelementptr inbounds {element}, ptr {name}, i32 {i}")
            self.emit(f"store {value.text}, ptr {pointer}")
        if self.depth == 0:
            self.pointers.append((name, element))

    def atomic(self) -> None:
        """An atomic operation on a counter, each counter with an operation of its own."""
        operations = ("add", "or", "and", "xor", "max", "min", "umax", "umin")
        number = self.random.randrange(COUNTERS)
        value = self.operand("i32")
        pointer = f"%{self.fresh('p')}"
        self.emit(f"{pointer} = getelementptr inbounds i32, ptr %counters, i64 {number}")
        self.emit(
            f"%{self.fresh()} = atomicrmw {operations[number]} ptr {pointer}, {value.text} monotonic"
        )

    # Threads together

    def exchange(self) -> None:
        """Each thread writes its element of shared memory and reads another's."""
        r = self.random
        array, type_ = r.choice([("@shared_i", "i32"), ("@shared_f", "float")])
        value = self.operand(type_)
        own = f"%{self.fresh('p')}"
        barrier = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
        self.emit(
            f"{own} = getelementptr inbounds [64 x {type_}], ptr addrspace(3) {array}, i32 0, i32 %tid"
        )
        self.emit(f"store {value.text}, ptr addrspace(3) {own}")
        self.emit(barrier)
        index = self.masked(BLOCK)
        other = f"%{self.fresh('p')}"
        self.emit(
            f"{other} = getelementptr inbounds [64 x {type_}], ptr addrspace(3) {array}, i32 0, {index.text}"
        )
        if r.random() < 0.4:
            generic = f"%{self.fresh('p')}"
            self.emit(f"{generic} = addrspacecast ptr addrspace(3) {other} to ptr")
            self.result(type_, f"load {type_}, ptr {generic}")
        else:
            self.result(type_, f"load {type_}, ptr addrspace(3) {other}")
        self.emit(barrier)

    def warp(self) -> None:
        """A shuffle or vote of the whole warp."""
        r = self.random
        op = r.choice(["bfly", "idx", "up", "down", "ballot", "any", "all"])
        if op in ("ballot", "any", "all"):
            condition = self.operand("i1")
            type_ = "i32" if op == "ballot" else "i1"
            self.result(type_, f"call {type_} @llvm.nvvm.vote.{op}.sync(i32 -1, {condition.text})")
            return
        value = self.operand("i32")
        clamp = 0 if op == "up" else 31
        self.result(
            "i32",
            f"call i32 @llvm.nvvm.shfl.sync.{op}.i32(i32 -1, {value.text}, i32 {r.randrange(32)}, i32 {clamp})",
        )

    def device_call(self) -> None:
        """A call of a device function."""
        if not self.functions:
            return
        function = self.random.choice(self.functions)
        arguments = ", ".join(self.operand(t).text for t in function.parameters)
        self.result(function.result, f"call {function.result} @{function.name}({arguments})")

    # Control

    def _merge(self, joined: list[tuple[str, dict[str, list[Value]]]]) -> None:
        """PHIs that join values of several paths."""
        for _ in range(self.random.randint(1, 3)):
            type_ = self.random.choice(["i32", "i64", "float", "i1", "i8", "double"])
            inputs: list[str] = []
            low, high = 0, 0
            for i, (block, made) in enumerate(joined):
                candidates = made.get(type_, [])
                value = self.random.choice(candidates) if candidates else self.constant(type_)
                inputs.append(f"[ {value.name}, %{block} ]")
                low = value.low if i == 0 else min(low, value.low)
                high = value.high if i == 0 else max(high, value.high)
            self.result(type_, f"phi {type_} {', '.join(inputs)}", low, high)

    def _arm(self, label: str, join: str) -> tuple[str, dict[str, list[Value]]]:
        self.label(label)
        with self.scope():
            self.statements(self.random.randint(1, 4))
            made = dict(self.scopes[-1])
        end = self.block
        self.emit(f"br label %{join}")
        return end, made

    def conditional(self) -> None:
        """An if, with or without an else."""
        condition = self.operand("i1")
        then, other, join = (self.fresh(s) for s in ("then", "else", "join"))
        start = self.block
        converged, self.converged = self.converged, False
        if self.random.random() < 0.6:
            self.emit(f"br {condition.text}, label %{then}, label %{other}")
            paths = [self._arm(then, join), self._arm(other, join)]
        else:
            self.emit(f"br {condition.text}, label %{then}, label %{join}")
            here = {t: list(values) for t, values in self.scopes[-1].items()}
            paths = [self._arm(then, join), (start, here)]
        self.converged = converged
        self.label(join)
        self._merge(paths)

    def switch(self) -> None:
        """A switch with several cases, some of which share a block."""
        r = self.random
        type_ = r.choice(["i32", "i8", "i64"])
        value = self.masked(8, type_)
        join = self.fresh("join")
        labels = [self.fresh("case") for _ in range(r.randint(2, 4))]
        numbers = r.sample(range(9), r.randint(len(labels), 6))
        cases = " ".join(
            f"{type_} {n}, label %{labels[i % (len(labels) - 1) + 1]}"
            for i, n in enumerate(numbers)
        )
        converged, self.converged = self.converged, False
        self.emit(f"switch {value.text}, label %{labels[0]} [ {cases} ]")
        paths = [self._arm(label, join) for label in labels]
        self.converged = converged
        self.label(join)
        self._merge(paths)

    def loop(self) -> None:
        """A loop that counts, with values carried around, and perhaps a way out of its middle."""
        r = self.random
        head, body, join = (self.fresh(s) for s in ("head", "body", "join"))
        uniform = r.random() < 0.5
        if uniform:
            trips = Value(str(r.randint(1, MAX_TRIPS)), "i32")
        else:
            trips = self.masked(MAX_TRIPS - 1)
        carried_type = r.choice(["i32", "float", "i64"])
        start_value = self.operand(carried_type)
        entry = self.block
        counter, following, carried = (f"%{self.fresh()}" for _ in range(3))
        self.emit(f"br label %{head}")
        self.label(head)
        at = len(self.lines)
        flags = " nuw nsw" if r.random() < 0.5 else ""
        converged, self.converged = self.converged, self.converged and uniform
        with self.scope():
            self.scopes[-1]["i32"] = [Value(counter, "i32", 0, MAX_TRIPS)]
            self.scopes[-1].setdefault(carried_type, []).append(
                self._value(carried, carried_type, None, None)
            )
            early = None
            if r.random() < 0.3:
                condition = self.operand("i1")
                early = self.block
                self.emit(f"br {condition.text}, label %{join}, label %{body}")
                self.label(body)
                self.converged = False
            self.statements(r.randint(1, 4))
            new = self.operand(carried_type)
            end = self.block
            self.emit(f"{following} = add{flags} i32 {counter}, 1")
            test = f"%{self.fresh()}"
            self.emit(f"{test} = icmp {r.choice(['ult', 'slt'])} i32 {following}, {trips.name}")
            self.emit(f"br i1 {test}, label %{head}, label %{join}")
        self.lines[at:at] = [
            f"  {counter} = phi i32 [ 0, %{entry} ], [ {following}, %{end} ]",
            f"  {carried} = phi {carried_type} [ {start_value.name}, %{entry} ], [ {new.name}, %{end} ]",
        ]
        self.converged = converged
        self.label(join)
        if early is None:
            self.result(carried_type, f"phi {carried_type} [ {new.name}, %{end} ]")
        else:
            self.result(
                carried_type, f"phi {carried_type} [ {new.name}, %{end} ], [ {carried}, %{early} ]"
            )

    def statement(self) -> None:
        """Something, chosen at random."""
        choices: list[tuple[int, Callable[[], object]]] = [
            (24, self.integer),
            (12, self.floating),
            (8, self.compare),
            (3, self.logic),
            (6, self.vector),
            (3, self.structure),
            (4, self.bit_cast),
            (10, self.load),
            (6, self.store),
            (1, self.wide),
            (3, lambda: self.convert(self.random.choice((*INTEGERS, *FLOATS)))),
        ]
        if self.depth < MAX_DEPTH:
            choices += [(6, self.conditional), (3, self.switch), (5, self.loop)]
        if len(self.pointers) < 3 and self.depth == 0:
            choices.append((2, self.local_array))
        if self.in_kernel:
            choices += [(2, self.atomic), (4, self.device_call)]
            if self.converged:
                choices += [(4, self.exchange), (4, self.warp)]
        weights = [weight for weight, _ in choices]
        self.random.choices([action for _, action in choices], weights)[0]()

    def statements(self, count: int) -> None:
        """Some statements, as far as the budget goes."""
        for _ in range(count):
            if self.budget <= 0:
                break
            self.statement()

    # Functions

    def device_function(self) -> str:
        """A device function of scalars."""
        r = self.random
        saved = self.lines, self.allocas, self.scopes, self.pointers, self.block, self.budget
        self.lines, self.allocas, self.scopes, self.pointers = [], [], [{}], []
        self.block, self.budget, self.converged = "entry", 20, False
        parameters = tuple(
            r.choice(["i32", "float", "i64", "i8", "double", "half"])
            for _ in range(r.randint(1, 4))
        )
        result = r.choice(["i32", "float", "i64", "double"])
        name = f"device{len(self.functions)}"
        for i, type_ in enumerate(parameters):
            self.scopes[0].setdefault(type_, []).append(self._value(f"%a{i}", type_, None, None))
        self.statements(8)
        value = self.operand(result)
        self.emit(f"ret {value.text}")
        signature = ", ".join(f"{t} %a{i}" for i, t in enumerate(parameters))
        attribute = r.choice([" noinline", "", " alwaysinline"])
        text = "\n".join(
            [
                f"define internal {result} @{name}({signature}){attribute} {{",
                "entry:",
                *self.allocas,
                *self.lines,
                "}",
                "",
            ]
        )
        self.functions.append(Function(name, parameters, result))
        self.lines, self.allocas, self.scopes, self.pointers, self.block, self.budget = saved
        return text

    def kernel(self) -> str:
        """The kernel."""
        self.in_kernel, self.converged = True, True
        pointers = [
            f"ptr{' noalias' if self.random.random() < 0.5 else ''} %{n}"
            for n in ("in_i", "in_f", "in_l", "in_d", "in_h")
        ]
        signature = ", ".join(
            [
                *pointers,
                "ptr %out_l",
                "ptr %out_f",
                "ptr %out_d",
                "ptr %counters",
                "i32 %n",
                "float %x",
            ]
        )
        for text in (
            "%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
            "%cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
            "%ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
            "%base = mul i32 %cta, %ntid",
            "%gid = add i32 %base, %tid",
            f"%first = mul i32 %gid, {SLOTS}",
            "%at = zext i32 %first to i64",
            "%own_l = getelementptr i64, ptr %out_l, i64 %at",
            "%own_f = getelementptr float, ptr %out_f, i64 %at",
            "%own_d = getelementptr double, ptr %out_d, i64 %at",
        ):
            self.lines.append(f"  {text}")
        self.scopes[0] = {
            "i32": [
                Value("%tid", "i32", 0, BLOCK - 1),
                Value("%gid", "i32", 0, 1 << 20),
                self._value("%n", "i32", None, None),
            ],
            "float": [Value("%x", "float")],
        }
        while self.budget > 0:
            self.statement()
        self._finish()
        self.emit("ret void")
        return "\n".join(
            [
                f"define ptx_kernel void @{KERNEL}({signature}) {{",
                "entry:",
                *self.allocas,
                *self.lines,
                "}",
                "",
            ]
        )

    def _finish(self) -> None:
        """Stores some values of every type, so that little of the kernel is dead."""
        slot = {"i64": 0, "float": 0, "double": 0}
        for type_ in ("i8", "i16", "i32", "i64", "i1", "half", "bfloat", "float", "double"):
            known = self.scopes[0].get(type_, [])
            for value in known[-2:]:
                if type_ in ("half", "bfloat"):
                    target, value = "float", self.result("float", f"fpext {value.text} to float")
                elif type_ in ("float", "double", "i64"):
                    target = type_
                else:
                    target, value = "i64", self.result("i64", f"zext {value.text} to i64")
                if slot[target] >= SLOTS:
                    continue
                base = {"i64": "%own_l", "float": "%own_f", "double": "%own_d"}[target]
                pointer = f"%{self.fresh('p')}"
                self.emit(
                    f"{pointer} = getelementptr inbounds {target}, ptr {base}, i64 {slot[target]}"
                )
                self.emit(f"store {value.text}, ptr {pointer}")
                slot[target] += 1

    def module(self) -> str:
        """The module."""
        functions = [self.device_function() for _ in range(self.random.randint(0, 2))]
        kernel = self.kernel()
        return "\n".join([HEADER, *sorted(self.declarations), "", *functions, kernel])


def _vector_parts(type_: str) -> tuple[int, str]:
    count, _, element = type_.strip("<>").partition(" x ")
    return int(count), element


def _float_text(number: float, type_: str) -> str:
    if type_ == "half":
        return f"0xH{int(np.float16(number).view(np.uint16)):04X}"
    if type_ == "bfloat":
        return f"0xR{int(np.float32(number).view(np.uint32)) >> 16:04X}"
    return f"0x{int(np.float64(number).view(np.uint64)):016X}"


def random_kernel_text(seed: int, size: int = 60) -> str:
    """The LLVM assembly of the kernel of a seed."""
    return Generator(seed, size).module()


def random_kernel(seed: int, size: int = 60) -> ModuleOp:
    """The module of a seed."""
    from nvvm_xdsl.frontend.ll_reader import read_ll

    return read_ll(random_kernel_text(seed, size), f"<seed {seed}>")


def random_launches(seed: int, grid: int = 2) -> list[Launch]:
    """A launch of the kernel of a seed, with inputs that hold special values."""
    rng = np.random.default_rng(seed)
    integers = rng.integers(-(1 << 31), 1 << 31, INPUTS).astype(np.int32)
    integers[:8] = (0, 1, -1, 2147483647, -2147483648, 7, 31, 255)
    longs = rng.integers(-(1 << 63), (1 << 63) - 1, INPUTS)
    longs[:4] = (0, -1, 1 << 40, -(1 << 63))
    floats = (rng.normal(size=INPUTS) * 10.0 ** rng.integers(-6, 7, INPUTS)).astype(np.float32)
    floats[:6] = (0.0, -0.0, 1.0, np.inf, np.nan, 1e-41)
    doubles = rng.normal(size=INPUTS) * 10.0 ** rng.integers(-20, 20, INPUTS)
    doubles[:6] = (0.0, -0.0, -1.0, -np.inf, np.nan, 5e-324)
    halves = (rng.normal(size=INPUTS) * 10).astype(np.float16)
    threads = grid * BLOCK * SLOTS
    args = (
        integers, floats, longs, doubles, halves, np.zeros(threads, np.int64), np.zeros(threads, np.float32),
        np.zeros(threads), np.zeros(COUNTERS, np.int32), int(rng.integers(-100, 100)), float(rng.normal()),
    )  # fmt: skip
    return [Launch(KERNEL, grid, BLOCK, args)]
