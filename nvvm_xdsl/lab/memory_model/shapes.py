"""Litmus shapes in NVVM IR, around an atomic operation under test."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from nvvm_xdsl.ir.nvptx import GENERIC, GLOBAL, SHARED
from nvvm_xdsl.lab.memory_model.events import Position

SPACES = {"generic": GENERIC, "global": GLOBAL, "shared": SHARED}
"""Address spaces of the variables by name; generic addresses are those of global variables."""

PLACEMENTS: dict[str, Callable[[int], Position]] = {
    "block": lambda thread: Position(0, 0, 0),
    "cluster": lambda thread: Position(thread, 0, 0),
    "device": lambda thread: Position(thread, thread, 0),
    "": lambda thread: Position(thread, thread, thread),
    "singlethread": lambda thread: Position(0, 0, 0),
}
"""The widest placement of threads that a synchronization scope includes, by scope."""


FLOATS = ("half", "bfloat", "float", "double")
"""Floating-point types, whose constants 1 and 2 have other bits than those of integers."""


@dataclass(frozen=True)
class Operation:
    """An operation under test.

    Attributes:
        kind: load, store, atomicrmw, cmpxchg-success, cmpxchg-failure or fence.
        ordering: ordering of the operation; of a cmpxchg, that of success.
        scope: LLVM's name of the synchronization scope.
        failure: ordering of the failure of a cmpxchg.
        type: type of the value. space: a key of `SPACES`.
    """

    kind: str
    ordering: str
    scope: str = ""
    failure: str = "monotonic"
    type: str = "i32"
    space: str = "global"

    def text(self, name: str, location: str, value: int) -> str:
        """The op as LLVM assembly: a read defines `%name`, a write stores the value.

        Arguments:
            location: the name of the variable.
        """
        scope = f' syncscope("{self.scope}")' if self.scope else ""
        pointer = self.pointer(location)
        align = f"align {size_of(self.type)}"
        constant = self.constant(value)
        if self.kind == "fence":
            return f"fence{scope} {self.ordering}"
        if self.kind == "load":
            return f"%{name} = load atomic {self.type}, {pointer}{scope} {self.ordering}, {align}"
        if self.kind == "store":
            return f"store atomic {self.type} {constant}, {pointer}{scope} {self.ordering}, {align}"
        if self.kind == "atomicrmw":
            # A write of the value to a variable that is 0, and a read with the value 0.
            update = "fadd" if self.type in FLOATS else "or"
            rest = f"{pointer}, {self.type} {constant}{scope} {self.ordering}"
            return f"%{name} = atomicrmw {update} {rest}"
        expected = value if value == 0 else 0
        if self.kind == "cmpxchg-success" and value == 0:
            expected = 1
        new = self.constant(value or expected)
        return (
            f"%{name}.pair = cmpxchg {pointer}, {self.type} {self.constant(expected)},"
            f" {self.type} {new}{scope} {self.ordering} {self.failure}\n"
            f"  %{name} = extractvalue {{ {self.type}, i1 }} %{name}.pair, 0"
        )

    def constant(self, value: int) -> str:
        """A constant of the type."""
        if self.type in FLOATS:
            return f"{value}.0"
        return (
            ("null" if value == 0 else f"inttoptr (i64 {value} to ptr)")
            if self.type == "ptr"
            else str(value)
        )

    def pointer(self, location: str) -> str:
        """The type and value of an address."""
        number = SPACES[self.space]
        if number:
            return f"ptr addrspace({number}) @{location}"
        return f"ptr addrspacecast (ptr addrspace(1) @{location} to ptr)"

    @property
    def reads(self) -> bool:
        """True if the operation can be the read of a shape."""
        return self.kind not in ("store", "fence")

    @property
    def writes(self) -> bool:
        """True if the operation can be the write of a shape."""
        return self.kind in ("store", "atomicrmw", "cmpxchg-success")


def size_of(type_: str) -> int:
    """Size of a type in bytes."""
    sizes = {"float": 4, "double": 8, "half": 2, "bfloat": 2, "ptr": 8}
    return sizes.get(type_) or int(type_[1:]) // 8


@dataclass(frozen=True)
class Shape:
    """A program around an operation.

    Attributes:
        name: name of the shape, with the role of the operation.
        threads: the body of each thread.
        operation: the operation under test.
        observed: variables of the outcome.
        clusters: whether a cluster has several blocks; before sm_90 it has one.
    """

    name: str
    threads: tuple[tuple[str, ...], ...]
    operation: Operation
    observed: tuple[str, ...]
    clusters: bool = True

    def text(self) -> str:
        """The program as LLVM assembly, with one kernel per thread."""
        type_, space = self.operation.type, SPACES[self.operation.space] or GLOBAL
        zero = self.operation.constant(0) if space == GLOBAL else "undef"
        lines = ['target triple = "nvptx64-nvidia-cuda"', _LAYOUT]
        lines += [f"@{name} = addrspace({space}) global {type_} {zero}, align 16" for name in "xy"]
        lines += [
            f"@r{at} = addrspace(1) global {type_} {self.operation.constant(0)}, align 16"
            for at in range(4)
        ]
        for number, body in enumerate(self.threads):
            lines.append(f"define ptx_kernel void @P{number}() {{")
            lines += [f"  {line}" for line in body]
            lines += ["  ret void", "}"]
        return "\n".join(lines) + "\n"

    def places(self) -> dict[str, Position]:
        """The positions of the threads."""
        scope = self.operation.scope
        place = PLACEMENTS["block" if scope == "cluster" and not self.clusters else scope]
        return {f"P{at}": place(at) for at in range(len(self.threads))}


_LAYOUT = 'target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"'


class _Builder:
    """Accesses of the shapes: the operation under test if it has the right kind, else a strong
    partner."""

    def __init__(self, operation: Operation, partner: str) -> None:
        self.operation = operation
        self.partner = partner

    def other(self, kind: str) -> Operation:
        """An access that is not under test: `seq_cst` or monotonic, with system scope."""
        fenced = self.operation.kind == "fence"
        ordering = "monotonic" if fenced else self.partner
        if ordering in ("acquire", "release"):
            ordering = "acquire" if kind == "load" else "release"
        return Operation(kind, ordering, "", "monotonic", self.operation.type, self.operation.space)

    def read(self, name: str, location: str) -> list[str]:
        """A read into a register and into the result variable of the same name."""
        chosen = self.operation if self.operation.reads else self.other("load")
        return [chosen.text(name, location, 0), self.result(name)]

    def write(self, name: str, location: str, value: int) -> list[str]:
        """A write."""
        chosen = self.operation if self.operation.writes else self.other("store")
        return [chosen.text(name, location, value)]

    def between(self) -> list[str]:
        """The fence under test between two accesses."""
        return [self.operation.text("", "x", 0)] if self.operation.kind == "fence" else []

    def plain_read(self, name: str, location: str) -> list[str]:
        """A non-atomic read."""
        operation = self.operation
        text = f"%{name} = load {operation.type}, {operation.pointer(location)}"
        return [text, self.result(name)]

    def plain_write(self, location: str, value: int) -> list[str]:
        """A non-atomic write."""
        operation = self.operation
        return [
            f"store {operation.type} {operation.constant(value)}, {operation.pointer(location)}"
        ]

    def result(self, name: str) -> str:
        """Stores a register to its result variable."""
        return f"store {self.operation.type} %{name}, ptr addrspace(1) @{name}"


def shapes(operation: Operation) -> list[Shape]:
    """The shapes in which an operation takes part, with `seq_cst` and release-acquire partners."""
    found: list[Shape] = []
    for partner in ("seq_cst", "acquire"):
        if operation.kind != "fence" or partner == "seq_cst":
            found += _shapes(operation, _Builder(operation, partner), partner)
    return found


def _shapes(operation: Operation, b: _Builder, partner: str) -> list[Shape]:
    mid = b.between()
    programs: dict[str, tuple[list[list[str]], tuple[str, ...]]] = {
        "MP": (
            [
                b.plain_write("x", 1) + mid + b.write("w0", "y", 1),
                b.read("r0", "y") + mid + b.plain_read("r1", "x"),
            ],
            ("r0", "r1"),
        ),
        "SB": (
            [
                b.write("w0", "x", 1) + mid + b.read("r0", "y"),
                b.write("w1", "y", 1) + mid + b.read("r1", "x"),
            ],
            ("r0", "r1"),
        ),
        "LB": (
            [
                b.read("r0", "x") + mid + b.write("w0", "y", 1),
                b.read("r1", "y") + mid + b.write("w1", "x", 1),
            ],
            ("r0", "r1"),
        ),
        "CoRR": (
            [b.write("w0", "x", 1), b.read("r0", "x") + b.read("r1", "x")],
            ("r0", "r1"),
        ),
        "2+2W": (
            [
                b.write("w0", "x", 1) + mid + b.write("w1", "y", 2),
                b.write("w2", "y", 1) + mid + b.write("w3", "x", 2),
            ],
            ("x", "y"),
        ),
        "IRIW": (
            [
                b.write("w0", "x", 1),
                b.write("w1", "y", 1),
                b.read("r0", "x") + mid + b.read("r1", "y"),
                b.read("r2", "y") + mid + b.read("r3", "x"),
            ],
            ("r0", "r1", "r2", "r3"),
        ),
        "WRC": (
            [
                b.plain_write("x", 1) + mid + b.write("w0", "y", 1),
                b.read("r0", "y") + mid + b.write("w1", "y", 2),
                b.read("r1", "y") + mid + b.plain_read("r2", "x"),
            ],
            ("r0", "r1", "r2"),
        ),
    }
    return [
        Shape(f"{name} with {partner}", tuple(map(tuple, threads)), operation, observed)
        for name, (threads, observed) in programs.items()
    ]
