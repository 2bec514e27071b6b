"""Random litmus programs in NVVM IR, with code around their accesses that passes transform."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nvvm_xdsl.lab.memory_model.events import Position

_LAYOUT = 'target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"'

PLACES = (
    (Position(0, 0, 0), Position(0, 0, 0)),
    (Position(0, 0, 0), Position(1, 1, 0)),
)
"""Two threads of one block, and of two blocks."""

SCOPES = ("", "", "device", "block")
SHARED = ("x", "y", "a", "a+4")
"""Memory of both threads: two variables, and two adjacent elements of an array."""


@dataclass(frozen=True)
class RandomProgram:
    """A program.

    Attributes:
        text: LLVM assembly with the kernels P0 and P1.
        places: positions of the threads.
        observed: variables of the outcome.
    """

    text: str
    places: dict[str, Position]
    observed: tuple[str, ...]


class _Thread:
    """The body of one thread under construction."""

    def __init__(self, number: int, generator: random.Random) -> None:
        self.number = number
        self.random = generator
        self.lines: list[str] = []
        self.names = 0
        self.values: list[str] = []
        self.results: list[str] = []

    def name(self) -> str:
        """A new register."""
        self.names += 1
        return f"%v{self.names}"

    def pointer(self) -> str:
        """An address."""
        chosen = self.random.choice(SHARED)
        if chosen == "a+4":
            return "ptr addrspace(1) getelementptr inbounds ([2 x i32], ptr addrspace(1) @a, i64 0, i64 1)"
        return f"ptr addrspace(1) @{chosen}"

    def semantics(self, orderings: Sequence[str]) -> str:
        """A scope and an ordering."""
        scope = self.random.choice(SCOPES)
        text = f' syncscope("{scope}")' if scope else ""
        return f"{text} {self.random.choice(orderings)}"

    def value(self) -> str:
        """A register or a small constant."""
        if self.values and self.random.random() < 0.3:
            return self.random.choice(self.values)
        return str(self.random.randrange(1, 3))

    # Statements

    def load(self) -> None:
        """A plain, volatile or atomic load."""
        name, kind = self.name(), self.random.random()
        if kind < 0.5:
            self.lines.append(f"{name} = load i32, {self.pointer()}, align 4")
        elif kind < 0.6:
            self.lines.append(f"{name} = load volatile i32, {self.pointer()}, align 4")
        else:
            semantics = self.semantics(("unordered", "monotonic", "acquire", "acquire", "seq_cst"))
            self.lines.append(f"{name} = load atomic i32, {self.pointer()}{semantics}, align 4")
        self.values.append(name)

    def store(self) -> None:
        """A plain, volatile or atomic store."""
        kind, value = self.random.random(), self.value()
        if kind < 0.5:
            self.lines.append(f"store i32 {value}, {self.pointer()}, align 4")
        elif kind < 0.6:
            self.lines.append(f"store volatile i32 {value}, {self.pointer()}, align 4")
        else:
            semantics = self.semantics(("unordered", "monotonic", "release", "release", "seq_cst"))
            self.lines.append(f"store atomic i32 {value}, {self.pointer()}{semantics}, align 4")

    def read_modify_write(self) -> None:
        """An atomic operation."""
        orderings = ("monotonic", "acquire", "release", "acq_rel", "seq_cst")
        name, pointer = self.name(), self.pointer()
        if self.random.random() < 0.7:
            operation = self.random.choice(("xchg", "or", "add"))
            value = self.value() if operation == "xchg" else "1"
            self.lines.append(
                f"{name} = atomicrmw {operation} {pointer}, i32 {value}{self.semantics(orderings)}"
            )
        else:
            semantics = self.semantics(orderings)
            self.lines.append(f"{name}.p = cmpxchg {pointer}, i32 0, i32 1{semantics} monotonic")
            self.lines.append(f"{name} = extractvalue {{ i32, i1 }} {name}.p, 0")
        self.values.append(name)

    def fence(self) -> None:
        """A fence."""
        self.lines.append(f"fence{self.semantics(('acquire', 'release', 'acq_rel', 'seq_cst'))}")

    def pair(self) -> None:
        """Accesses of adjacent elements, which a vectorizer may merge."""
        low, high = self.name(), self.name()
        second = "getelementptr inbounds ([2 x i32], ptr addrspace(1) @a, i64 0, i64 1)"
        if self.random.random() < 0.5:
            self.lines.append(f"{low} = load i32, ptr addrspace(1) @a, align 8")
            self.maybe_between()
            self.lines.append(f"{high} = load i32, ptr addrspace(1) {second}, align 4")
            self.values += [low, high]
        else:
            self.lines.append("store i32 1, ptr addrspace(1) @a, align 8")
            self.maybe_between()
            self.lines.append(f"store i32 1, ptr addrspace(1) {second}, align 4")

    def maybe_between(self) -> None:
        """Adds a fence or an access, or nothing."""
        if self.random.random() < 0.5:
            self.random.choice((self.fence, self.load, self.store))()

    def repeated(self) -> None:
        """Two accesses of one location, with other code between them."""
        pointer = self.pointer()
        first, second = self.name(), self.name()
        kind = self.random.randrange(3)
        if kind == 0:
            self.lines.append(f"{first} = load i32, {pointer}, align 4")
        else:
            self.lines.append(f"store i32 1, {pointer}, align 4")
        self.maybe_between()
        if kind == 2:
            self.lines.append(f"store i32 2, {pointer}, align 4")
        else:
            self.lines.append(f"{second} = load i32, {pointer}, align 4")
            self.values += [first, second] if kind == 0 else [second]

    def branch(self) -> None:
        """A branch on a loaded value around accesses."""
        if not self.values:
            self.load()
        condition, number = self.name(), self.names
        self.lines.append(f"{condition} = icmp eq i32 {self.random.choice(self.values)}, 1")
        self.lines.append(f"br i1 {condition}, label %then{number}, label %join{number}")
        self.lines.append(f"then{number}:")
        outer = list(self.values)
        self.random.choice((self.store, self.load, self.fence, self.repeated))()
        self.values = outer
        self.lines.append(f"br label %join{number}")
        self.lines.append(f"join{number}:")

    def loop(self) -> None:
        """A loop of two iterations with an access that may be invariant."""
        number = self.names = self.names + 1
        before = f"before{number}"
        self.lines += [f"br label %{before}", f"{before}:", f"br label %loop{number}"]
        self.lines.append(f"loop{number}:")
        self.lines.append(f"%i{number} = phi i32 [ 0, %{before} ], [ %n{number}, %loop{number} ]")
        outer = list(self.values)
        self.random.choice((self.load, self.store))()
        self.values = outer
        self.lines.append(f"%n{number} = add i32 %i{number}, 1")
        self.lines.append(f"%c{number} = icmp ult i32 %n{number}, 2")
        self.lines.append(f"br i1 %c{number}, label %loop{number}, label %done{number}")
        self.lines.append(f"done{number}:")

    def local(self) -> None:
        """A value that is stored to and loaded from local memory."""
        slot, name = self.name(), self.name()
        value = self.value()
        self.lines.insert(0, f"{slot} = alloca i32, align 4")
        self.lines.append(f"store i32 {value}, ptr {slot}, align 4")
        self.maybe_between()
        self.lines.append(f"{name} = load i32, ptr {slot}, align 4")
        self.values.append(name)

    def copy(self) -> None:
        """A copy of shared memory through local memory."""
        slot, name = self.name(), self.name()
        self.lines.insert(0, f"{slot} = alloca i32, align 4")
        source = self.pointer()
        self.lines.append(
            f"call void @llvm.memcpy.p0.p1.i64(ptr {slot}, {source}, i64 4, i1 false)"
        )
        self.maybe_between()
        self.lines.append(f"{name} = load i32, ptr {slot}, align 4")
        self.values.append(name)

    def select(self) -> None:
        """Arithmetic on loaded values."""
        if not self.values:
            self.load()
        name = self.name()
        self.lines.append(f"{name} = add i32 {self.random.choice(self.values)}, 1")
        self.values.append(name)

    def noise(self) -> None:
        """Reads and local accesses, which do not race with the stores of a skeleton."""
        if self.random.random() < 0.6:
            return
        self.random.choice(
            (
                self.quiet_load, self.local, self.copy, self.select, self.quiet_branch,
                self.quiet_diamond, self.repeated_condition, self.state_machine, self.copied_twice,
                self.elements, self.constant, self.quiet_pair,
            )
        )()  # fmt: skip

    def quiet_load(self) -> None:
        """A plain load, sometimes in a loop or twice."""
        pointer, first = self.pointer(), self.name()
        self.lines.append(f"{first} = load i32, {pointer}, align 4")
        if self.random.random() < 0.5:
            self.lines.append(f"{self.name()} = load i32, {pointer}, align 4")
        self.values.append(first)

    def quiet_branch(self) -> None:
        """A branch around a plain load, or around arithmetic."""
        condition, number = self.condition()
        self.lines.append(f"br i1 {condition}, label %then{number}, label %join{number}")
        self.lines.append(f"then{number}:")
        outer = list(self.values)
        self.random.choice((self.quiet_load, self.select))()
        self.values = outer
        self.lines.append(f"br label %join{number}")
        self.lines.append(f"join{number}:")

    def quiet_diamond(self) -> None:
        """The same load in both arms of a branch, which a pass may hoist."""
        condition, number = self.condition()
        pointer, low, high = self.pointer(), self.name(), self.name()
        self.lines += [
            f"br i1 {condition}, label %then{number}, label %else{number}",
            f"then{number}:", f"{low} = load i32, {pointer}, align 4",
            f"br label %join{number}",
            f"else{number}:", f"{high} = load i32, {pointer}, align 4",
            f"br label %join{number}",
            f"join{number}:", f"%m{number} = phi i32 [ {low}, %then{number} ], [ {high}, %else{number} ]",
        ]  # fmt: skip
        self.values.append(f"%m{number}")

    def condition(self) -> tuple[str, int]:
        """A comparison of a value that the skeleton has read, and a number for labels."""
        if not self.values:
            self.quiet_load()
        condition, number = self.name(), self.names
        self.lines.append(f"{condition} = icmp eq i32 {self.keys()[-1]}, 1")
        return condition, number

    def repeated_condition(self) -> None:
        """A branch whose condition a pass may know from the predecessor, around a load."""
        condition, number = self.condition()
        name = self.name()
        self.lines += [
            f"br i1 {condition}, label %first{number}, label %middle{number}",
            f"first{number}:", f"%e{number} = load i32, {self.pointer()}, align 4",
            f"br label %middle{number}",
            f"middle{number}:",
            f"%k{number} = phi i32 [ 1, %first{number} ], [ 0, %{self.label()} ]",
            f"%z{number} = icmp ne i32 %k{number}, 0",
            f"br i1 %z{number}, label %then{number}, label %join{number}",
            f"then{number}:", f"{name} = load i32, {self.pointer()}, align 4",
            f"br label %join{number}", f"join{number}:",
        ]  # fmt: skip

    def label(self) -> str:
        """The label of the current block."""
        labels = [line[:-1] for line in self.lines if line.endswith(":")]
        return labels[-1] if labels else "entry"

    def state_machine(self) -> None:
        """A loop whose state selects a load, with states that are constants."""
        self.names += 1
        number, before = self.names, self.label()
        first, second = self.name(), self.name()
        self.lines += [
            f"br label %loop{number}", f"loop{number}:",
            f"%s{number} = phi i32 [ 0, %{before} ], [ 1, %one{number} ], [ 2, %two{number} ]",
            f"switch i32 %s{number}, label %done{number} [ i32 0, label %one{number} i32 1, label %two{number} ]",
            f"one{number}:", f"{first} = load i32, {self.pointer()}, align 4",
            f"br label %loop{number}",
            f"two{number}:", f"{second} = load i32, {self.pointer()}, align 4",
            f"br label %loop{number}", f"done{number}:",
        ]  # fmt: skip

    def copied_twice(self) -> None:
        """A copy of a copy, which a pass may read from the source."""
        first, second, name = self.name(), self.name(), self.name()
        self.lines[:0] = [f"{first} = alloca i32, align 4", f"{second} = alloca i32, align 4"]
        copy = "call void @llvm.memcpy"
        self.lines.append(f"{copy}.p0.p1.i64(ptr {first}, {self.pointer()}, i64 4, i1 false)")
        self.maybe_quiet()
        self.lines += [
            f"{copy}.p0.p0.i64(ptr {second}, ptr {first}, i64 4, i1 false)",
            f"{name} = load i32, ptr {second}, align 4",
        ]
        self.values.append(name)

    def maybe_quiet(self) -> None:
        """Adds a plain load, or nothing."""
        if self.random.random() < 0.5:
            self.quiet_load()

    def elements(self) -> None:
        """A loop over the elements of an array, backwards, with an invariant load."""
        self.names += 1
        number, before = self.names, self.label()
        self.lines += [
            f"br label %loop{number}", f"loop{number}:",
            f"%i{number} = phi i64 [ 2, %{before} ], [ %n{number}, %loop{number} ]",
            f"%n{number} = sub i64 %i{number}, 1",
            f"%p{number} = getelementptr inbounds i32, ptr addrspace(1) @a, i64 %n{number}",
            f"%e{number} = load i32, ptr addrspace(1) %p{number}, align 4",
            f"%f{number} = load i32, {self.pointer()}, align 4",
            f"%g{number} = add i32 %e{number}, %f{number}",
            f"%c{number} = icmp ne i64 %n{number}, 0",
            f"br i1 %c{number}, label %loop{number}, label %done{number}", f"done{number}:",
        ]  # fmt: skip
        self.values.append(f"%g{number}")

    def constant(self) -> None:
        """A load of a variable that only this program's initializer writes."""
        name = self.name()
        self.lines.append(f"{name} = load i32, ptr addrspace(1) @c, align 4")
        self.values.append(name)

    def quiet_pair(self) -> None:
        """Loads of adjacent elements and equal operations on them."""
        low, high = self.name(), self.name()
        self.lines += [
            f"{low} = load i32, ptr addrspace(1) @a, align 8",
            f"{high} = load i32, ptr addrspace(1) getelementptr inbounds"
            " ([2 x i32], ptr addrspace(1) @a, i64 0, i64 1), align 4",
        ]
        for name in (low, high):
            self.lines.append(f"{name}.s = add i32 {name}, 1")
            self.values.append(f"{name}.s")

    def keys(self) -> list[str]:
        """The values that the skeleton has read, or a constant."""
        return self.results or ["1"]

    def key_store(self, location: str, strong: str) -> None:
        """A store of a skeleton: plain, with an ordering, or monotonic after a fence with this
        ordering.

        A plain store is sometimes preceded by a dead one.
        """
        pointer = f"ptr addrspace(1) @{location}"
        if strong == "plain":
            if self.random.random() < 0.4:
                self.lines.append(f"store i32 2, {pointer}, align 4")
            self.lines.append(f"store i32 1, {pointer}, align 4")
        elif strong != "monotonic" and self.random.random() < 0.4:
            self.lines.append(f"fence {strong}")
            self.lines.append(f"store atomic i32 1, {pointer} monotonic, align 4")
        elif self.random.random() < 0.3:
            self.lines.append(f"{self.name()} = atomicrmw xchg {pointer}, i32 1 {strong}")
        else:
            self.lines.append(f"store atomic i32 1, {pointer} {strong}, align 4")

    def key_load(self, location: str, strong: str) -> None:
        """A load of a skeleton: plain, with an ordering, or monotonic before a fence with this
        ordering."""
        pointer, name = f"ptr addrspace(1) @{location}", self.name()
        if strong == "plain":
            self.lines.append(f"{name} = load i32, {pointer}, align 4")
        elif strong == "acquire" and self.random.random() < 0.4:
            self.lines.append(f"{name} = load atomic i32, {pointer} monotonic, align 4")
            self.lines.append(f"fence {strong}")
        else:
            self.lines.append(f"{name} = load atomic i32, {pointer} {strong}, align 4")
        self.values.append(name)
        self.results.append(name)

    def barrier(self) -> None:
        """A barrier of the block."""
        self.lines.append("call void @llvm.nvvm.barrier0()")

    def text(self) -> str:
        """The kernel, which stores its last values."""
        shown = (self.values[-3:] if not self.results else self.results)[-3:]
        for index, value in enumerate(shown):
            self.lines.append(
                f"store i32 {value}, ptr addrspace(1) getelementptr inbounds"
                f" ([3 x i32], ptr addrspace(1) @r{self.number}, i64 0, i64 {index}), align 4"
            )
        self.lines.insert(0, "entry:")
        body = "\n".join(f"  {line}" if not line.endswith(":") else line for line in self.lines)
        return f"define ptx_kernel void @P{self.number}() {{\n{body}\n  ret void\n}}\n"

    def random_body(self, statements: int) -> None:
        """Arbitrary statements, which often race."""
        choices: list[tuple[Callable[[], None], int]] = [
            (self.load, 5), (self.store, 5), (self.read_modify_write, 2), (self.fence, 2),
            (self.pair, 1), (self.repeated, 3), (self.branch, 2), (self.loop, 1), (self.local, 1),
            (self.copy, 1), (self.select, 1),
        ]  # fmt: skip
        kinds, weights = zip(*choices)
        for _ in range(statements):
            self.random.choices(kinds, weights)[0]()


Step = tuple[str, str, str]
"""A step of a skeleton: `store`, `load` or `barrier`, the variable and the ordering."""

SKELETONS: dict[str, tuple[Sequence[Step], Sequence[Step]]] = {
    "MP": (
        [("store", "x", "plain"), ("store", "y", "release")],
        [("load", "y", "acquire"), ("load", "x", "plain")],
    ),
    "MP of adjacent elements": (
        [("store", "a", "plain"), ("store", "y", "release")],
        [("load", "y", "acquire"), ("load", "a", "plain")],
    ),
    "SB": (
        [("store", "x", "seq_cst"), ("load", "y", "seq_cst")],
        [("store", "y", "seq_cst"), ("load", "x", "seq_cst")],
    ),
    "LB": (
        [("load", "x", "acquire"), ("store", "y", "release")],
        [("load", "y", "acquire"), ("store", "x", "release")],
    ),
    "CoRR": (
        [("store", "x", "monotonic")],
        [("load", "x", "monotonic"), ("load", "x", "monotonic")],
    ),
    "barriers": (
        [("store", "x", "plain"), ("barrier", "", ""), ("barrier", "", ""), ("load", "y", "plain")],
        [("store", "y", "plain"), ("barrier", "", ""), ("barrier", "", ""), ("load", "x", "plain")],
    ),
    "needless barrier": (
        [("barrier", "", ""), ("store", "x", "plain"), ("barrier", "", ""), ("load", "y", "plain")],
        [("barrier", "", ""), ("store", "y", "plain"), ("barrier", "", ""), ("load", "x", "plain")],
    ),
    "barrier": (
        [("store", "x", "plain"), ("barrier", "", ""), ("load", "y", "plain")],
        [("store", "y", "plain"), ("barrier", "", ""), ("load", "x", "plain")],
    ),
}
"""Programs whose synchronization excludes an outcome, by thread."""


def _skeleton_body(thread: _Thread, steps: Sequence[Step]) -> None:
    """The steps of a skeleton with other code between them."""
    for kind, location, ordering in steps:
        thread.noise()
        if kind == "barrier":
            thread.barrier()
        elif kind == "store":
            thread.key_store(location, ordering)
        else:
            thread.key_load(location, ordering)
    thread.noise()


def random_program(seed: int) -> RandomProgram:
    """The program of a seed: a skeleton for three of four seeds, arbitrary statements otherwise."""
    generator = random.Random(seed)
    places = generator.choice(PLACES)
    skeleton = generator.choice(list(SKELETONS)) if seed % 4 else ""
    if "barrier" in skeleton:
        places = PLACES[0]
    lines = ['target triple = "nvptx64-nvidia-cuda"', _LAYOUT]
    lines += [f"@{name} = addrspace(1) global i32 0, align 4" for name in "xy"]
    lines.append("@c = internal addrspace(1) global i32 1, align 4")
    lines.append("@a = addrspace(1) global [2 x i32] zeroinitializer, align 8")
    lines += [
        f"@r{at} = addrspace(1) global [3 x i32] zeroinitializer, align 16" for at in range(2)
    ]
    lines.append("declare void @llvm.nvvm.barrier0()")
    lines.append("declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)")
    lines.append("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)")
    text = "\n".join(lines) + "\n"
    for number in range(2):
        thread = _Thread(number, generator)
        if skeleton:
            _skeleton_body(thread, SKELETONS[skeleton][number])
        else:
            thread.random_body(generator.randrange(2, 4))
        text += thread.text()
    named = {f"P{number}": place for number, place in enumerate(places)}
    return RandomProgram(text, named, ("r0", "r1"))
