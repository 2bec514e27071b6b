"""Compares `nvvm-verify-races` with the simulator on random kernels: no proof may contradict a run.

    python -m dev.race_campaign [--first SEED] [--kernels N] [--seconds S]

The kernels have two blocks of eight threads, with conditions, loops, barriers, and reductions at barriers. Each is
run with several arguments and the race and barrier checks. The exit status is 1 if a run of a proved kernel had
an error.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.nvvm.kernel import is_kernel
from nvvm_xdsl.driver.compile import complete, parse
from nvvm_xdsl.lab.races.launches import Launches
from nvvm_xdsl.lab.races.operations import Rules
from nvvm_xdsl.lab.races.preparation import prepare
from nvvm_xdsl.lab.races.verify import Options, verify_kernel
from nvvm_xdsl.simulator import Limits, sanitize
from nvvm_xdsl.simulator.errors import SimulationError

GRID, BLOCK = (2,), (8,)

LAUNCHES = ((0, 0), (2, 9), (5, 20), (3, 3), (8, 40))
"""Arguments n and m of the runs."""

ELEMENTS = 2048
"""Elements of the arrays."""

MIDDLE = 256
"""The element with index 0, so that small negative indices are valid."""

HEAD = """target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [1024 x i32] undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32, i1)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
define ptx_kernel void @k(ptr addrspace(1) noalias %a, i32 %n, i32 %m) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %g = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %bd = mul i32 %b, %d
  %id = add i32 %bd, %t
  %all = mul i32 %d, %g
"""

BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"
ANY = "call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1"
COUNT = "call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1"

STRIDES = {"%t": "%d", "%id": "%all"}
"""Step of a loop by its first value: the threads of a block, or of the launch."""


class Kernel:
    """A random kernel.

    Attributes:
        lines: its body. values: names of numbers. uniform: those that are equal in a block.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.uniform = ["%b", "%d", "%n", "%m", "%all"]
        self.values = ["%t", "%t", "%id", "%id", *self.uniform]
        self.block = "entry"
        self.names = self.depth = self.stores = 0

    def text(self) -> str:
        """The module."""
        self.statements(self.random.randint(2, 5), synchronized=True)
        return HEAD + "\n".join(self.lines) + "\n  ret void\n}\n"

    def statements(self, count: int, *, synchronized: bool) -> None:
        """Random statements; with barriers if all threads of the block probably execute them."""
        self.depth += 1
        nested = 2 if self.depth < 3 else 0
        barriers = (4, 1.5) if synchronized else (0, 0)
        kinds: Sequence[Callable[[], None]] = (
            self.store, self.load, self.condition, self.loop, self.barrier, self.reduction
        )  # fmt: skip
        for _ in range(count):
            self.random.choices(kinds, (5, 4, nested, nested, *barriers))[0]()
        self.depth -= 1

    def define(self, text: str) -> str:
        """A new value."""
        self.names += 1
        self.lines.append(f"  %v{self.names} = {text}")
        return f"%v{self.names}"

    def label(self, name: str) -> None:
        """Starts a block."""
        self.lines.append(f"{name}:")
        self.block = name

    def number(self, known: Sequence[str]) -> str:
        """A number computed from known ones."""
        chosen = self.random.choice
        first = chosen(known)
        forms = (
            first,
            f"{chosen(('add', 'add nsw', 'sub nsw'))} i32 {first}, {chosen((1, 2, 4, 8, 16))}",
            f"mul nsw i32 {first}, {chosen((2, 3, 4))}",
            f"{chosen(('and', 'xor'))} i32 {first}, {chosen((1, 3, 7, -2, -8))}",
            f"{chosen(('lshr', 'shl', 'udiv', 'urem', 'sdiv', 'srem'))} i32 {first}, {chosen((1, 2, 3))}",
            f"{chosen(('add', 'add nsw', 'sub'))} i32 {first}, {chosen(known)}",
            "select",
        )
        form = self.random.choices(forms, (6, 4, 2, 2, 2, 3, 1))[0]
        if form == "select":
            form = f"select i1 {self.comparison(known)}, i32 {first}, i32 {chosen(known)}"
        return form if form is first else self.define(form)

    def comparison(self, known: Sequence[str]) -> str:
        """A condition on known numbers."""
        first = self.number(known)
        second = self.random.choice((*known, "0", "1", "2", "4", "7"))
        predicate = self.random.choice(("slt", "eq", "ne", "sgt", "ult", "sge"))
        return self.define(f"icmp {predicate} i32 {first}, {second}")

    def pointer(self) -> str:
        """The address of an element in shared or global memory."""
        index = self.define(f"add nsw i32 {self.number(self.values)}, {MIDDLE}")
        array = self.random.choice(("ptr addrspace(3) @tile", "ptr addrspace(1) %a"))
        address = self.define(f"getelementptr inbounds i32, {array}, i32 {index}")
        return f"{array.rpartition(' ')[0]} {address}"

    def store(self) -> None:
        """A store of a value that no other store and no other thread has."""
        self.stores += 1
        value = self.define(f"add i32 %id, {100 * self.stores}")
        self.lines.append(f"  store i32 {value}, {self.pointer()}")

    def load(self) -> None:
        """A load, whose value may become part of later indices."""
        loaded = self.define(f"load i32, {self.pointer()}")
        low = self.define(f"and i32 {loaded}, 7")
        if self.random.random() < 0.3:
            self.values.append(low)

    def barrier(self) -> None:
        """A barrier of the block."""
        self.lines.append(f"  {BARRIER}")

    def reduction(self) -> None:
        """A barrier with a result."""
        condition = self.comparison(self.values)
        if self.random.random() < 0.5:
            result = self.define(f"{COUNT} {condition})")
        else:
            result = self.define(f"zext i1 {self.define(f'{ANY} {condition})')} to i32")
        self.values.append(result)
        self.uniform.append(result)

    def condition(self) -> None:
        """Statements under a condition, which is sometimes equal for all threads of a block."""
        uniform = self.random.random() < 0.4
        condition = self.comparison(self.uniform if uniform else self.values)
        self.names += 1
        number = self.names
        self.lines.append(f"  br i1 {condition}, label %then{number}, label %join{number}")
        self.label(f"then{number}")
        self.scope(2, synchronized=uniform or self.random.random() < 0.05)
        self.lines.append(f"  br label %join{number}")
        self.label(f"join{number}")

    def scope(self, most: int, *, synchronized: bool, counter: Sequence[str] = ()) -> None:
        """Statements whose values are not used later; `counter` is known in them."""
        values, uniform = list(self.values), list(self.uniform)
        self.values += [*counter, *counter]
        self.uniform += counter if synchronized else ()
        self.statements(self.random.randint(1, most), synchronized=synchronized)
        self.values, self.uniform = values, uniform

    def loop(self) -> None:
        """A loop: with a constant or unknown trip count, with a stride, or while any thread has work."""
        self.names += 1
        number, before = self.names, self.block
        counter, following = f"%i{number}", f"%j{number}"
        kind = self.random.choice(("constant", "unknown", "stride", "halving", "any"))
        first = {"stride": self.random.choice(("%t", "%id")), "halving": "8", "any": "%t"}.get(
            kind, "0"
        )
        last = {"constant": self.random.choice(("2", "3", "10")), "unknown": "%n", "halving": "0"}
        self.lines.append(f"  br label %loop{number}")
        self.label(f"loop{number}")
        phi = len(self.lines)
        predicate = "sgt" if kind == "halving" else "slt"
        more = self.define(f"icmp {predicate} i32 {counter}, {last.get(kind, '%m')}")
        if kind == "any":
            more = self.define(f"{ANY} {more})")
        self.lines.append(f"  br i1 {more}, label %body{number}, label %done{number}")
        self.label(f"body{number}")
        uniform = kind in ("constant", "unknown", "halving")
        self.scope(3, synchronized=uniform or kind == "any", counter=(counter,))
        add = self.random.choice(("add", "add nsw"))
        step = (
            f"lshr i32 {counter}, 1"
            if kind == "halving"
            else f"{add} i32 {counter}, {STRIDES.get(first, '1')}"
        )
        self.lines.append(f"  {following} = {step}")
        arms = f"[ {first}, %{before} ], [ {following}, %{self.block} ]"
        self.lines.insert(phi, f"  {counter} = phi i32 {arms}")
        self.lines.append(f"  br label %loop{number}")
        self.label(f"done{number}")


def verdict(text: str, *, no_wrap: bool) -> str:
    """The result of the verifier for the launches of `errors`."""
    module = parse(text)
    complete(module)
    prepare(module)
    (kernel,) = [op for op in module.body.block.ops if op.name == "llvm.func" and is_kernel(op)]
    options = Options(
        Rules(no_alias=True), Launches(BLOCK, GRID), no_wrap, seconds=6.0, query_seconds=2.0
    )
    return verify_kernel(module, kernel, options, lambda found: found.witness is not None).verdict


def errors(module: ModuleOp) -> set[str]:
    """The kinds of errors in runs of a kernel: `race` and `sync`."""
    for n, m in LAUNCHES:
        array = np.random.default_rng(n).integers(0, 50, ELEMENTS, dtype=np.int32)
        try:
            result = sanitize(
                module, "k", GRID, BLOCK, [array, n, m],
                checks=("race", "sync"), limits=Limits(steps=20_000),
            )  # fmt: skip
        except SimulationError:
            continue
        found = {report.kind for report in result.reports} & {"race", "sync"}
        if found:
            return found
    return set()


@dataclass
class Counts:
    """Results of a campaign: numbers of kernels by verdict and by error, and wrong proofs by seed."""

    verdicts: Counter[str] = field(default_factory=Counter[str])
    confirmed: int = 0
    wrong: list[int] = field(default_factory=list[int])


def check_kernel(seed: int, counts: Counts) -> None:
    """Verifies and runs the kernel of a seed; odd seeds without the assumption that nothing wraps."""
    text = Kernel(seed).text()
    result = verdict(text, no_wrap=seed % 2 == 0)
    counts.verdicts[result] += 1
    module = parse(text)
    complete(module)
    if errors(module):
        counts.confirmed += 1
        if result == "proved":
            counts.wrong.append(seed)


def main() -> int:
    """Runs the campaign; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--kernels", type=int, default=1000, help="number of kernels")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time limit")
    arguments = parser.parse_args()
    end = time.monotonic() + arguments.seconds
    counts = Counts()
    for seed in range(arguments.first, arguments.first + arguments.kernels):
        if time.monotonic() > end:
            break
        check_kernel(seed, counts)
        if counts.wrong[-1:] == [seed]:
            print(f"seed {seed}: proved, but a run has an error", flush=True)
    verdicts = (f"{number} {name}" for name, number in counts.verdicts.items())
    print(
        ", ".join((f"{counts.verdicts.total()} kernels", *verdicts))
        + f"; {counts.confirmed} with an error in a run, {len(counts.wrong)} wrong proofs"
    )
    return int(bool(counts.wrong))


if __name__ == "__main__":
    sys.exit(main())
