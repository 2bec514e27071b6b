"""Building blocks of random kernels: text, names, scopes, and operands of any type."""

from __future__ import annotations

import random
from collections.abc import Generator as Steps
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

INPUTS = 64
"""Number of elements of each input; a power of two, so that a mask yields an index."""

SPAN = 8
"""Number of 32-bit elements that may be read through any value of type `ptr`."""

INTEGERS = ("i8", "i16", "i32", "i64")
FLOATS = ("half", "bfloat", "float", "double")
VECTORS = ("<2 x i32>", "<4 x i8>", "<2 x i64>", "<4 x float>", "<2 x half>", "<2 x double>")
SMALL_VECTORS = (
    "<2 x i8>", "<3 x i8>", "<8 x i8>", "<2 x i16>", "<4 x i16>", "<3 x i32>", "<2 x bfloat>", "<4 x half>", "<3 x float>",
)  # fmt: skip
"""Vectors of narrow elements, and of unusual numbers of elements."""

STRUCT = "{ i32, [2 x float] }"
POINTER = "ptr"
TABLE = "addrspacecast (ptr addrspace(4) @table to ptr)"
"""The constant table through a generic pointer."""

SUFFIX = {"half": "f16", "bfloat": "bf16", "float": "f32", "double": "f64"}
"""The spelling of floating-point types in names of intrinsics."""

FLOAT_BITS = {"half": 16, "bfloat": 16, "float": 32, "double": 64}


def bits_of(type_: str) -> int:
    """The width of an integer type."""
    return int(type_[1:])


def is_integer(type_: str) -> bool:
    """Returns True if a type is an integer of some width."""
    return type_[0] == "i"


def limits_of(type_: str) -> tuple[int, int]:
    """The signed range of an integer type."""
    bits = bits_of(type_)
    return -(1 << (bits - 1)), (1 << (bits - 1)) - 1


def vector_parts(type_: str) -> tuple[int, str]:
    """The number and the type of a vector's elements."""
    count, _, element = type_.strip("<>").partition(" x ")
    return int(count), element


def float_text(number: float, type_: str) -> str:
    """A floating-point constant by its bits."""
    if type_ == "half":
        return f"0xH{int(np.float16(number).view(np.uint16)):04X}"
    if type_ == "bfloat":
        return f"0xR{int(np.float32(number).view(np.uint32)) >> 16:04X}"
    return f"0x{int(np.float64(number).view(np.uint64)):016X}"


@dataclass(frozen=True)
class Value:
    """An SSA value or constant and, for integers, its interval as signed."""

    name: str
    type: str
    low: int = 0
    high: int = 0

    @property
    def text(self) -> str:
        """The value as a typed operand."""
        return f"{self.type} {self.name}"


Scope = dict[str, list[Value]]
"""The available values by type."""


@dataclass
class Function:
    """A device function that kernels may call."""

    name: str
    parameters: tuple[str, ...]
    result: str


class Writer:
    """The generated text, the available values, and operands computed from them.

    Arguments:
        seed: determines all choices.
        size: approximate number of instructions.
    """

    def __init__(self, seed: int, size: int) -> None:
        self.random = random.Random(seed)
        self.budget = size
        self.integers: tuple[str, ...] = INTEGERS
        """The integer types of computations; a kernel may use unusual widths."""
        self.vectors: tuple[str, ...] = VECTORS
        self.lines: list[str] = []
        self.allocas: list[str] = []
        self.declarations: set[str] = set()
        self.scopes: list[Scope] = [{}]
        self.block = "entry"
        self.depth = 0
        self.converged = True
        self.functions: list[Function] = []
        self.arrays: list[tuple[str, str]] = []
        """Local arrays of eight elements: name and type of an element."""
        self.asked: tuple[Value, ...] = ()
        """The operands of the last branch condition, if it is a select."""
        self.in_kernel = False
        self.prints = False
        """Whether the kernel already prints."""
        self._names = 0

    # Text

    def fresh(self, stem: str = "v") -> str:
        """A new name."""
        self._names += 1
        return f"{stem}{self._names}"

    def emit(self, text: str) -> None:
        """One instruction."""
        self.lines.append(f"  {text}")
        self.budget -= 1

    def assign(self, text: str, stem: str = "v") -> str:
        """An instruction whose result is only used by its generator; returns its name."""
        name = f"%{self.fresh(stem)}"
        self.emit(f"{name} = {text}")
        return name

    def label(self, name: str) -> None:
        """Starts a block."""
        self.lines.append(f"{name}:")
        self.block = name

    def result(
        self, type_: str, text: str, low: int | None = None, high: int | None = None
    ) -> Value:
        """An instruction whose result later ones may use."""
        value = self.value(self.assign(text), type_, low, high)
        self.scopes[-1].setdefault(type_, []).append(value)
        return value

    def value(
        self, name: str, type_: str, low: int | None = None, high: int | None = None
    ) -> Value:
        """A value. Without an interval, or with one that its type cannot represent, it may be any
        number."""
        if not is_integer(type_):
            return Value(name, type_)
        full = limits_of(type_)
        if low is None or high is None or low < full[0] or high > full[1]:
            low, high = full
        return Value(name, type_, low, high)

    @contextmanager
    def scope(self) -> Steps[None, None, None]:
        """Values created within are not available after."""
        self.scopes.append({})
        self.depth += 1
        yield
        self.depth -= 1
        self.scopes.pop()

    def declare(self, type_: str, name: str, *arguments: str) -> None:
        """Declares an intrinsic."""
        self.declarations.add(f"declare {type_} @{name}({', '.join(arguments)})")

    def call(
        self,
        type_: str,
        name: str,
        *arguments: Value,
        low: int | None = None,
        high: int | None = None,
    ) -> Value:
        """A call of an intrinsic, which is declared if necessary."""
        self.declare(type_, name, *(a.type for a in arguments))
        text = f"call {type_} @{name}({', '.join(a.text for a in arguments)})"
        return self.result(type_, text, low, high)

    # Operands

    def known(self, type_: str) -> list[Value]:
        """The available values of a type."""
        return [v for scope in self.scopes for v in scope.get(type_, [])]

    def constant(self, type_: str) -> Value:
        """A constant, often a special one."""
        r = self.random
        if type_ == POINTER:
            return Value(TABLE, type_)
        if type_ == STRUCT or type_[0] == "<":
            return Value("zeroinitializer", type_)
        if type_ in FLOATS:
            number = r.choice(
                (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 100.0, 0.25, r.randint(-64, 64))
            )
            return Value(float_text(float(number), type_), type_)
        if type_ == "i1":
            bit = r.randrange(2)
            return Value("true" if bit else "false", type_, -bit, -bit)
        low, high = limits_of(type_)
        power = 1 << r.randrange(bits_of(type_))
        # Rules of passes often depend on powers of two and on limits; errors occur at adjacent
        # numbers.
        edge = r.choice((power, -power, low, high)) + r.choice((-1, 0, 0, 1))
        number = r.choice((0, 1, -1, 2, 3, edge, edge, r.randint(low, high), r.randint(-20, 20)))
        number = (number - low) % (high - low + 1) + low
        return Value(str(number), type_, number, number)

    def operand(self, type_: str) -> Value:
        """A value of a type: an available one, a constant, or a new one."""
        known = self.known(type_)
        if known and self.random.random() < 0.8:
            # Recent values are more frequent than old ones, so that chains of operations arise.
            return known[min(len(known) - 1, int(len(known) * self.random.random() ** 0.6))]
        if is_integer(type_) or type_ in FLOATS:
            if known or self.random.random() < 0.5:
                return self.constant(type_)
            return self.convert(type_)
        if known:
            return self.random.choice(known)
        if type_ == STRUCT:
            return self.build_struct()
        if type_ == POINTER:
            return self.point()
        return self.build_vector(type_)

    def masked(self, bound: int, type_: str = "i32") -> Value:
        """An integer from 0 up to a power of two."""
        source = self.operand(type_)
        return self.result(type_, f"and {source.text}, {bound - 1}", 0, bound - 1)

    def convert(self, type_: str) -> Value:
        """A value of a type, converted from a value of another type."""
        r = self.random
        known = [v for t in (*self.integers, *FLOATS) if t != type_ for v in self.known(t)]
        if not known or type_ == "i1":
            return self.constant(type_)
        source = r.choice(known)
        if source.type in FLOATS and type_ in FLOATS:
            if FLOAT_BITS[source.type] == FLOAT_BITS[type_]:
                source = self.result("float", f"fpext {source.text} to float")
            op = "fpext" if FLOAT_BITS[type_] > FLOAT_BITS[source.type] else "fptrunc"
            return self.result(type_, f"{op} {source.text} to {type_}")
        if type_ in FLOATS:
            op = r.choice(("sitofp", "uitofp nneg" if source.low >= 0 else "uitofp"))
            return self.result(type_, f"{op} {source.text} to {type_}")
        if source.type in FLOATS and bits_of(type_) > 64:
            return self.constant(type_)
        if source.type in FLOATS:
            # A plain conversion is undefined for values out of range.
            name = f"llvm.fpto{r.choice('su')}i.sat.{type_}.{SUFFIX[source.type]}"
            return self.call(type_, name, source)
        return self.resize(source, type_)

    def resize(self, source: Value, type_: str) -> Value:
        """An integer converted to another width."""
        r = self.random
        low, high = limits_of(type_)
        if bits_of(type_) < bits_of(source.type):
            fits = low <= source.low and source.high <= high
            unsigned = source.low >= 0 and source.high <= 2 * high + 1
            flags = " nuw" if unsigned and r.random() < 0.5 else ""
            flags += " nsw" if fits and r.random() < 0.5 else ""
            known = (source.low, source.high) if fits else (None, None)
            return self.result(type_, f"trunc{flags} {source.text} to {type_}", *known)
        if source.low >= 0:
            op = r.choice(("sext", "zext", "zext nneg"))
            return self.result(type_, f"{op} {source.text} to {type_}", source.low, source.high)
        if r.random() < 0.5:
            return self.result(type_, f"sext {source.text} to {type_}", source.low, source.high)
        top = (1 << bits_of(source.type)) - 1
        return self.result(type_, f"zext {source.text} to {type_}", 0, top)

    def build_vector(self, type_: str) -> Value:
        """A vector from scalars."""
        count, element = vector_parts(type_)
        parts = [self.operand(element) for _ in range(count)]
        whole = "poison"
        for i, part in enumerate(parts[:-1]):
            # The vector must not be used yet, because elements are missing.
            whole = self.assign(f"insertelement {type_} {whole}, {part.text}, i32 {i}")
        return self.result(
            type_, f"insertelement {type_} {whole}, {parts[-1].text}, i32 {count - 1}"
        )

    def build_struct(self) -> Value:
        """A struct from scalars."""
        whole = "poison"
        for place in ("0", "1, 0"):
            part = self.operand("i32" if place == "0" else "float")
            whole = self.assign(f"insertvalue {STRUCT} {whole}, {part.text}, {place}")
        return self.result(
            STRUCT, f"insertvalue {STRUCT} {whole}, {self.operand('float').text}, 1, 1"
        )

    def element(self, base: str, type_: str, index: Value) -> str:
        """The address of an element within bounds."""
        flags = self.random.choice(("inbounds ", "inbounds nuw ", "nusw ", ""))
        return self.assign(f"getelementptr {flags}{type_}, ptr {base}, {index.text}", "p")

    def point(self) -> Value:
        """A generic pointer to `SPAN` integers of any space that may be read."""
        r = self.random
        local = [name for name, element in self.arrays if element == "i32"]
        if local and r.random() < 0.4:
            base = r.choice(local)
            return self.result(POINTER, f"getelementptr inbounds i8, ptr {base}, i64 0")
        if self.in_kernel and r.random() < 0.7:
            return self.result(
                POINTER, f"getelementptr inbounds i32, ptr %in_i, {self.masked(INPUTS // 2).text}"
            )
        return self.result(POINTER, "addrspacecast ptr addrspace(4) @table to ptr")
