"""Random kernels of nested loops over memory, in the form of clang's output before `sroa`.

Trip counts are constants, including zero and one, arguments, loaded, or divergent. Loops are tested at the
top or the bottom, count up and down, and are left early, also by more than one level. They have loads and
stores at addresses that are invariant, advance or depend on data, in memory of one thread, in read-only
shared memory, in local arrays and by volatile and atomic accesses; tests of the counter; filling and copying
loops; and, where all threads of the block arrive, barriers with an exchange through shared memory, shuffles
and votes.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.analysis.dominators import DominatorTree
from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import baseline, compare
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

THREADS = 64
ROW = 16
"""Private numbers of a thread."""
VARIABLES = 5
RESULTS = VARIABLES + 1

HEAD = """
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x i32] undef, align 4
@table = internal addrspace(4) constant [4 x i32] [i32 3, i32 1, i32 2, i32 0], align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
"""


@dataclass
class _Loop:
    """A loop under construction: its counter, latch and exit."""

    counter: str
    again: str
    end: str
    is_uniform: bool
    may_be_left: bool


class _Writer:
    def __init__(self, seed: int, budget: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.count = 0
        self.budget = budget
        self.loops: list[_Loop] = []
        self.together = True
        """Whether all threads of the block execute this code equally often."""

    def chance(self, part: float) -> bool:
        return self.random.random() < part

    def fresh(self, stem: str = "t") -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def add(self, text: str) -> str:
        name = f"%{self.fresh()}"
        self.lines.append(f"  {name} = {text}")
        return name

    def emit(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, name: str) -> None:
        self.lines.append(f"{name}:")

    def slot(self, stem: str, type_: str = "i32") -> str:
        name = f"%{self.fresh(stem)}"
        self.slots.append(f"  {name} = alloca {type_}, align 4")
        return name

    # Values.

    def variable(self) -> str:
        return f"%v{self.random.randrange(VARIABLES)}"

    def read(self) -> str:
        """Returns a number: a variable, a counter, a parameter or a constant."""
        kind = self.random.randrange(8)
        if kind < 4:
            return self.add(f"load i32, ptr {self.variable()}, align 4")
        if kind < 6 and self.loops:
            return self.add(f"load i32, ptr {self.random.choice(self.loops).counter}, align 4")
        return self.random.choice(["%n", "%m", "%tid", "1", "3", "-2", "7"])

    def index(self) -> str:
        kind = self.random.randrange(6)
        if kind < 2:
            return str(self.random.randrange(ROW))
        if kind < 4 and self.loops:
            counter = self.add(f"load i32, ptr {self.random.choice(self.loops).counter}, align 4")
            return self.add(f"and i32 {counter}, {ROW - 1}")
        return self.add(f"and i32 {self.read()}, {ROW - 1}")

    def address(self, base: str, index: str) -> str:
        wide = self.add(f"zext i32 {index} to i64")
        return self.add(f"getelementptr inbounds i32, ptr {base}, i64 {wide}")

    def own(self) -> str:
        """Returns an address in the thread's own memory or its local array."""
        return self.address(
            self.random.choice(["%mine", "%mine", "%other", "%array"]), self.index()
        )

    def uniform(self) -> str:
        return self.random.choice(["%n", "%m", str(self.random.randrange(4))])

    # Statements.

    def statements(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            if self.budget <= 0:
                return
            self.statement(depth)

    def statement(self, depth: int) -> None:
        self.budget -= 1
        choices = [
            (4, self.compute), (4, self.load), (4, self.store), (2, self.update), (1, self.constant),
            (0.3, self.volatile), (0.4, self.atomic), (0.6, self.fill), (0.4, self.divide),
        ]  # fmt: skip
        if depth < 3:
            choices += [(2.5, lambda: self.loop(depth)), (2, lambda: self.conditional(depth))]
        if self.loops:
            choices += [(1.5, lambda: self.on_counter(depth)), (1, self.leave)]
        if self.together:
            choices += [(1, self.exchange), (0.5, self.shuffle), (0.4, self.vote)]
        weights = [w for w, _ in choices]
        self.random.choices([a for _, a in choices], weights)[0]()

    def set(self, value: str) -> None:
        self.emit(f"store i32 {value}, ptr {self.variable()}, align 4")

    def compute(self) -> None:
        name = self.random.choice(["add", "sub", "mul", "xor", "and", "or", "shl"])
        a, b = self.read(), self.read()
        if name == "shl":
            b = self.add(f"and i32 {b}, 7")
        self.set(self.add(f"{name} i32 {a}, {b}"))

    def divide(self) -> None:
        by = self.add(f"or i32 {self.read()}, 1") if self.chance(0.5) else self.add("add i32 %n, 1")
        self.set(self.add(f"udiv i32 {self.read()}, {by}"))

    def load(self) -> None:
        kind = self.random.randrange(4)
        address = self.own() if kind < 3 else self.address("%in", self.index())
        self.set(self.add(f"load i32, ptr {address}, align 4"))

    def constant(self) -> None:
        index = self.add(f"and i32 {self.read()}, 3")
        wide = self.add(f"zext i32 {index} to i64")
        address = self.add(f"getelementptr inbounds i32, ptr addrspace(4) @table, i64 {wide}")
        self.set(self.add(f"load i32, ptr addrspace(4) {address}, align 4"))

    def store(self) -> None:
        self.emit(f"store i32 {self.read()}, ptr {self.own()}, align 4")

    def update(self) -> None:
        """Adds a sum that is kept in memory."""
        address = self.own()
        old = self.add(f"load i32, ptr {address}, align 4")
        new = self.add(f"{self.random.choice(['add', 'xor', 'mul'])} i32 {old}, {self.read()}")
        self.emit(f"store i32 {new}, ptr {address}, align 4")

    def volatile(self) -> None:
        address = self.own()
        if self.chance(0.5):
            self.set(self.add(f"load volatile i32, ptr {address}, align 4"))
        else:
            self.emit(f"store volatile i32 {self.read()}, ptr {address}, align 4")

    def atomic(self) -> None:
        index = str(self.random.randrange(ROW))
        address = self.address("%mine", index)
        value = self.read()
        self.set(self.add(f"atomicrmw add ptr {address}, i32 {value} monotonic, align 4"))

    def fill(self) -> None:
        """Adds a loop that fills, copies or counts."""
        counter = self.slot("f")
        self.emit(f"store i32 0, ptr {counter}, align 4")
        body, end = self.fresh("fill"), self.fresh("filled")
        kind = self.random.choice(["fill", "fill", "copy", "move"])
        value = self.random.choice(["0", "-1", "5", "%n"])
        to, source = self.random.sample(["%mine", "%other", "%array"], 2)
        # At most eight iterations, or up to seventeen unknown ones.
        rounds = "and i32 %m, 7" if self.count % 2 else "shl i32 %m, 2"
        bound = self.random.choice(["1", "4", "8", self.add(rounds)])
        if bound.startswith("%"):
            bound = self.add(f"add i32 {bound}, 1")
        self.emit(f"br label %{body}")
        self.label(body)
        i = self.add(f"load i32, ptr {counter}, align 4")
        if kind == "move":
            further = self.add(f"add i32 {i}, 1")
            value = self.add(f"load i32, ptr {self.address(to, further)}, align 4")
        elif kind == "copy":
            value = self.add(f"load i32, ptr {self.address(source, i)}, align 4")
        self.emit(f"store i32 {value}, ptr {self.address(to, i)}, align 4")
        after = self.add(f"add nuw nsw i32 {i}, 1")
        self.emit(f"store i32 {after}, ptr {counter}, align 4")
        more = self.add(f"icmp ult i32 {after}, {bound}")
        self.emit(f"br i1 {more}, label %{body}, label %{end}")
        self.label(end)

    def condition(self) -> tuple[str, bool]:
        """Returns a condition, and whether it is uniform."""
        if self.chance(0.3):
            return self.add(f"icmp slt i32 %n, {self.random.randrange(-1, 5)}"), True
        name = self.random.choice(["slt", "ult", "eq", "ne", "sgt"])
        return self.add(f"icmp {name} i32 {self.read()}, {self.read()}"), False

    def conditional(self, depth: int) -> None:
        condition, is_uniform = self.condition()
        self.arms(condition, is_uniform, depth)

    def on_counter(self, depth: int) -> None:
        """Adds a branch on the counter of a loop, the pattern of index splitting."""
        loop = self.loops[-1]
        i = self.add(f"load i32, ptr {loop.counter}, align 4")
        name = self.random.choice(["eq", "ne", "slt", "ult", "sge", "sle"])
        bound = self.random.choice(["0", "1", "2", "3", "%n", "%m"])
        self.arms(self.add(f"icmp {name} i32 {i}, {bound}"), loop.is_uniform, depth)

    def arms(self, condition: str, is_uniform: bool, depth: int) -> None:
        then, other, end = (self.fresh(s) for s in ("then", "else", "end"))
        has_else = self.chance(0.5)
        self.emit(f"br i1 {condition}, label %{then}, label %{other if has_else else end}")
        before, self.together = self.together, self.together and is_uniform
        self.label(then)
        self.statements(depth + 1)
        self.emit(f"br label %{end}")
        if has_else:
            self.label(other)
            self.statements(depth + 1)
            self.emit(f"br label %{end}")
        self.together = before
        self.label(end)

    def leave(self) -> None:
        """Adds a conditional break or continue."""
        usable = [loop for loop in self.loops if loop.may_be_left]
        if not usable:
            return
        # Threads that leave an outer loop leave the inner ones too.
        place = self.random.randrange(len(usable))
        loop = usable[place]
        condition, is_uniform = self.condition()
        if not is_uniform and any(at.is_uniform for at in self.loops[self.loops.index(loop) :]):
            return
        rest = self.fresh("rest")
        target = loop.end if self.chance(0.7) else loop.again
        self.emit(f"br i1 {condition}, label %{target}, label %{rest}")
        self.label(rest)

    def loop(self, depth: int) -> None:
        head, body, again, end = (self.fresh(s) for s in ("head", "body", "again", "exit"))
        counter = self.slot("i")
        kind = self.random.choice(["constant", "argument", "memory", "thread"])
        if kind == "constant":
            bound = str(self.random.choice([0, 1, 1, 2, 3, 4, 5]))
        elif kind == "argument":
            bound = self.random.choice(["%n", "%m"])
        elif kind == "memory":
            loaded = self.add(f"load i32, ptr {self.address('%in', self.index())}, align 4")
            bound = self.add(f"and i32 {loaded}, 3")
        else:
            bound = self.add(f"and i32 {self.random.choice(['%tid', self.read()])}, 3")
        is_uniform = kind in ("constant", "argument")
        down = self.chance(0.2)
        step = 1 if self.chance(0.8) else 2
        top = self.chance(0.6)
        start = bound if down else "0"
        before = self.together
        self.together = before and is_uniform
        may_be_left = not self.together or self.chance(0.3)
        if may_be_left and self.together:
            self.together = self.chance(0.5)
        loop = _Loop(counter, again, end, self.together, may_be_left)
        self.emit(f"store i32 {start}, ptr {counter}, align 4")
        self.emit(f"br label %{head}")
        self.label(head)

        def test(stay: str) -> None:
            i = self.add(f"load i32, ptr {counter}, align 4")
            if down:
                more = self.add(f"icmp sgt i32 {i}, 0")
            else:
                more = self.add(f"icmp {self.random.choice(['slt', 'ult'])} i32 {i}, {bound}")
            self.emit(f"br i1 {more}, label %{stay}, label %{end}")

        if top:
            if self.chance(0.3):
                self.load()
            test(body)
            self.label(body)
        self.loops.append(loop)
        self.statements(depth + 1)
        self.loops.pop()
        self.emit(f"br label %{again}")
        self.label(again)
        i = self.add(f"load i32, ptr {counter}, align 4")
        flags = (" nsw" if down else " nuw nsw") if self.chance(0.5) else ""
        following = self.add(f"add{flags} i32 {i}, {-step if down else step}")
        self.emit(f"store i32 {following}, ptr {counter}, align 4")
        if top:
            self.emit(f"br label %{head}")
        else:
            test(head)
        self.together = before
        self.label(end)

    def exchange(self) -> None:
        """Adds an exchange of numbers between neighbouring threads."""
        slot = "getelementptr inbounds [64 x i32], ptr addrspace(3) @tile, i32 0, i32"
        mine = self.add(f"{slot} %tid")
        neighbour = self.add(f"xor i32 %tid, {self.random.choice([1, 2, 32])}")
        theirs = self.add(f"{slot} {neighbour}")
        self.emit(f"store i32 {self.read()}, ptr addrspace(3) {mine}, align 4")
        self.emit("call void @llvm.nvvm.barrier0()")
        value = self.add(f"load i32, ptr addrspace(3) {theirs}, align 4")
        self.emit("call void @llvm.nvvm.barrier0()")
        self.set(value)

    def shuffle(self) -> None:
        value = self.read()
        self.set(self.add(
            f"call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 {value}, i32 1, i32 31)"
        ))  # fmt: skip

    def vote(self) -> None:
        condition = self.add(f"icmp slt i32 {self.read()}, {self.read()}")
        found = self.add(f"call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 {condition})")
        self.set(self.add(f"zext i1 {found} to i32"))


def loop_kernel(seed: int, budget: int = 40) -> str:
    """Returns the LLVM assembly of a seed's kernel."""
    writer = _Writer(seed, budget)
    while writer.budget > 0:
        writer.statement(0)
    noalias = [" noalias" if writer.chance(0.5) else "" for _ in range(2)]
    readonly = " noalias readonly" if writer.chance(0.5) else ""
    start = [
        "  %array = alloca [32 x i32], align 4",
        *(f"  %v{i} = alloca i32, align 4" for i in range(VARIABLES)),
        *writer.slots,
        "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        "  %wide = zext i32 %tid to i64",
        f"  %row = mul nuw nsw i64 %wide, {2 * ROW}",
        "  %mine = getelementptr inbounds i32, ptr %own, i64 %row",
        "  %other = getelementptr inbounds i32, ptr %more, i64 %row",
        *(f"  store i32 {v}, ptr %v{i}, align 4" for i, v in enumerate(["%tid", "%n", "%m", "5", "0"])),
    ]  # fmt: skip
    for i in range(2 * ROW):
        start += [
            f"  %a{i} = getelementptr inbounds i32, ptr %array, i64 {i}",
            f"  store i32 {i}, ptr %a{i}, align 4",
        ]
    end: list[str] = ["  %place = mul nuw nsw i64 %wide, " + str(RESULTS)]
    for i in range(RESULTS):
        source = f"%v{i}" if i < VARIABLES else "%a3"
        end += [
            f"  %r{i} = load i32, ptr {source}, align 4",
            f"  %at{i} = add nuw nsw i64 %place, {i}",
            f"  %to{i} = getelementptr inbounds i32, ptr %out, i64 %at{i}",
            f"  store i32 %r{i}, ptr %to{i}, align 4",
        ]
    return "\n".join([
        HEAD,
        f"define ptx_kernel void @k(ptr{readonly} %in, ptr{noalias[0]} %own, ptr{noalias[1]} %more, "
        "ptr %out, i32 %n, i32 %m) {",
        "entry:", *start, *writer.lines, *end, "  ret void", "}", "",
    ])  # fmt: skip


def loop_launches(seed: int) -> list[Launch]:
    """Returns launches of a kernel of `loop_kernel`, with trip counts of zero, one and more."""
    rng = np.random.default_rng(seed)
    n, m = rng.integers(0, 5, 2)
    found: list[Launch] = []
    for a, b in ((int(n), int(m)), (0, 1)):
        found.append(
            Launch(
                "k", 1, THREADS,
                (
                    rng.integers(-8, 9, 2 * ROW).astype(np.int32),
                    rng.integers(-8, 9, THREADS * 2 * ROW).astype(np.int32),
                    rng.integers(-8, 9, THREADS * 2 * ROW).astype(np.int32),
                    np.zeros(THREADS * RESULTS, np.int32), a, b,
                ),
            )
        )  # fmt: skip
    return found


BEFORE = "function(sroa,early-cse,simplifycfg),loop-simplify,loop-rotate,lcssa"
"""Passes that bring the kernels into the form in which the sequences pass loops to most passes."""


def transformed(
    seed: int,
    pipeline: str | Callable[[ModuleOp], object],
    before: str = BEFORE,
    measure: Callable[[ModuleOp], int] | None = None,
) -> tuple[ModuleOp, int, int]:
    """Returns the kernel of a seed after a pipeline, or a function, and a measure of it, by default the
    number of loops: before and after.

    Raises AssertionError if the results differ.
    """
    return _transformed(seed, pipeline, before, measure or loops_in)[:3]


def differences(pipeline: str, seeds: Iterable[int], before: str = BEFORE) -> int:
    """Returns how many seeds' kernels a pipeline changes. Raises AssertionError as `transformed`."""
    return sum(_transformed(seed, pipeline, before, loops_in)[3] for seed in seeds)


def _transformed(
    seed: int,
    pipeline: str | Callable[[ModuleOp], object],
    before: str,
    measure: Callable[[ModuleOp], int],
) -> tuple[ModuleOp, int, int, bool]:
    """The same, and whether the kernel has changed."""
    module = read_ll(loop_kernel(seed), f"<seed {seed}>")
    launches = loop_launches(seed)
    wanted = baseline(module, launches)
    run_pipeline(module, before)
    measured, text = measure(module), str(module)
    if isinstance(pipeline, str):
        run_pipeline(module, pipeline)
    else:
        pipeline(module)
    verify_module(module)
    found = compare(prepare(module), launches, wanted, str(pipeline))
    assert found is None, f"seed {seed}: {found}"
    return module, measured, measure(module), str(module) != text


def loops_in(module: ModuleOp) -> int:
    """Returns the number of loops in the module's functions."""
    return sum(
        len(LoopInfo(DominatorTree(func.regions[0])).loops()) for func in functions_of(module)
    )
