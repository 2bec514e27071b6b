"""Random kernels: valid, free of races and undefined behaviour, the same for the same seed.

A kernel is LLVM assembly built from nested regions: straight code, conditionals, loops of bounded
trip count, switches. Every integer carries the interval that its value lies in, which says where
`nsw`, `nuw` and their like are true and what may index what. Each thread writes its own part of the
outputs; shared memory is written between two barriers and read after the second; atomics go to
counters whose final value does not depend on order. The last loop may end its thread in a call. Floats become integers only where they cannot be
NaN, whose bits are nobody's promise.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.testing.launches import Launch
from nvvm_xdsl.testing.random_kernels.array_loops import LEAVE, TOUCH
from nvvm_xdsl.testing.random_kernels.control import Control
from nvvm_xdsl.testing.random_kernels.features import GLOBALS, SHAPE, TAKES_BY_VALUE
from nvvm_xdsl.testing.random_kernels.memory import BLOCK, COUNTERS, OUTPUT_TYPES, SLOTS
from nvvm_xdsl.testing.random_kernels.values import (
    FLOATS,
    INPUTS,
    INTEGERS,
    POINTER,
    STRUCT,
    VECTORS,
    Function,
    Value,
)

MAX_DEPTH = 3
KERNEL = "fuzz"
OTHER_KERNEL = "define ptx_kernel void @other() {\n  ret void\n}\n"
"""One that is not launched."""

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
"""

PARAMETERS = ("in_i", "in_f", "in_l", "in_d", "in_h")
OWN_PARAMETERS = (
    "ptr %out_l, ptr %out_f, ptr %out_d, ptr %counters, i32 %n, float %x, "
    f"ptr byval({STRUCT}) align 4 {SHAPE}"
)
START = f"""\
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %base = mul i32 %cta, %ntid
  %gid = add i32 %base, %tid
  %first = mul i32 %gid, {SLOTS}
  %at = zext i32 %first to i64
  %own_l = getelementptr i64, ptr %out_l, i64 %at
  %own_f = getelementptr float, ptr %out_f, i64 %at
  %own_d = getelementptr double, ptr %out_d, i64 %at"""


class Generator(Control):
    """Makes one module."""

    def statement(self) -> None:
        choices: list[tuple[int, Callable[[], object]]] = [
            (24, self.integer),
            (10, self.floating),
            (8, self.compare),
            (3, self.logic),
            (1, self.assume),
            (6, self.vector),
            (4, self.structure),
            (4, self.bit_cast),
            (12, self.load),
            (6, self.store),
            (2, self.wide),
            (3, lambda: self.convert(self.random.choice((*INTEGERS, *FLOATS)))),
            (2, self.walk),
            (14, self.feature),
            (2, self.array_loops),
            (2, self.asked_again),
        ]
        if self.depth < MAX_DEPTH:
            choices += [(6, self.conditional), (3, self.switch), (5, self.loop)]
        if len(self.arrays) < 3 and self.depth == 0:
            choices.append((3, self.local_array))
        if self.arrays:
            choices.append((3, self.copy))
        if self.functions:
            choices.append((5, self.device_call))
        if self.in_kernel:
            choices.append((3, self.atomic))
            if self.converged:
                choices += [(4, self.exchange), (4, self.warp)]
        weights = [weight for weight, _ in choices]
        self.random.choices([action for _, action in choices], weights)[0]()

    def device_function(self, size: int) -> str:
        """A device function, which may call those before it."""
        r = self.random
        saved = self.lines, self.allocas, self.scopes, self.arrays, self.block, self.budget
        self.lines, self.allocas, self.scopes, self.arrays = [], [], [{}], []
        self.block, self.budget, self.converged = "entry", size, False
        types = ("i32", "float", "i64", "i8", "double", "half", POINTER, STRUCT, *VECTORS[:4])
        parameters = tuple(r.choice(types) for _ in range(r.randint(1, 4)))
        result = r.choice(("i32", "float", "i64", "double", "<2 x i32>", STRUCT))
        name = f"device{len(self.functions)}"
        for i, type_ in enumerate(parameters):
            self.scopes[0].setdefault(type_, []).append(self.value(f"%a{i}", type_))
        if r.random() < 0.3:
            self._early_return(result)
        self.statements(8)
        self.emit(f"ret {self.operand(result).text}")
        signature = ", ".join(f"{t} %a{i}" for i, t in enumerate(parameters))
        attribute = r.choice((" noinline", "", " alwaysinline"))
        head = f"define internal {result} @{name}({signature}){attribute} {{"
        text = "\n".join([head, "entry:", *self.allocas, *self.lines, "}", ""])
        self.functions.append(Function(name, parameters, result))
        self.lines, self.allocas, self.scopes, self.arrays, self.block, self.budget = saved
        return text

    def _early_return(self, result: str) -> None:
        self.compare()
        condition, value = self.condition(), self.operand(result)
        early, rest = self.fresh("early"), self.fresh("rest")
        self.emit(f"br {condition.text}, label %{early}, label %{rest}")
        self.label(early)
        self.emit(f"ret {value.text}")
        self.label(rest)

    def kernel(self) -> str:
        """The kernel."""
        self.in_kernel, self.converged = True, True
        pointers = [
            f"ptr {'noalias ' if self.random.random() < 0.5 else ''}%{n}" for n in PARAMETERS
        ]
        self.scopes[0] = {
            "i32": [
                Value("%tid", "i32", 0, BLOCK - 1),
                Value("%gid", "i32", 0, 1 << 20),
                self.value("%n", "i32"),
            ],
            "float": [Value("%x", "float")],
        }
        while self.budget > 0:
            self.statement()
        self._finish()
        if self.random.random() < 0.15:
            self.last_loop()
        linkage = self.random.choice(("", "", "linkonce_odr "))
        parameters = ", ".join([*pointers, OWN_PARAMETERS])
        head = f"define {linkage}ptx_kernel void @{KERNEL}({parameters}) {{"
        return "\n".join([head, "entry:", *self.allocas, START, *self.lines, "  ret void", "}", ""])

    def _finish(self) -> None:
        """Stores some values of every type, so that little of the kernel is dead."""
        slot = dict.fromkeys((type_ for _, type_ in OUTPUT_TYPES), 0)
        bases = {type_: base for base, type_ in OUTPUT_TYPES}
        for type_ in ("i1", *INTEGERS, *FLOATS):
            for value in self.scopes[0].get(type_, [])[-2:]:
                if type_ in ("half", "bfloat"):
                    value = self.result("float", f"fpext {value.text} to float")
                elif type_ not in bases:
                    value = self.result("i64", f"zext {value.text} to i64")
                if slot[value.type] < SLOTS:
                    self.store_own(bases[value.type], value.type, value, slot[value.type])
                    slot[value.type] += 1

    def module(self) -> str:
        """The module."""
        size = min(20, self.budget // 2)
        functions = [self.device_function(size) for _ in range(self.random.randint(0, 2))]
        kernel = self.kernel()
        bodies = [*functions, kernel]
        if self.random.random() < 0.3:
            bodies.append(OTHER_KERNEL)
        text = "\n".join(bodies)
        if "@by_value(" in text:
            text += TAKES_BY_VALUE
        if "@touch(" in text:
            text += TOUCH.format(
                self.random.choice((" noinline", " noinline", "", " alwaysinline"))
            )
        if "@leave(" in text:
            text += LEAVE
        variables = [line for line in GLOBALS.splitlines() if line.split()[0] in text]
        return "\n".join([HEADER, *variables, *sorted(self.declarations), "", text])


def random_kernel_text(seed: int, size: int = 60) -> str:
    """The LLVM assembly of the kernel of a seed; `size` is roughly its number of instructions."""
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
        np.zeros(threads), np.zeros(len(COUNTERS), np.int32), int(rng.integers(-100, 100)), float(rng.normal()),
        (int(rng.integers(-100, 100)), (float(rng.normal()), float(rng.normal()))),
    )  # fmt: skip
    return [Launch(KERNEL, grid, BLOCK, args)]
