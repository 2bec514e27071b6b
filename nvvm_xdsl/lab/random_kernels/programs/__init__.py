"""Random programs with calls, for interprocedural passes.

Device functions call earlier ones, in deep, wide and other call graphs; rings of functions call
each other to a bounded depth. Some functions are called through tables of addresses, through
variables that kernels set, or by functions that receive them as arguments. The addresses of kernels
are taken too, and functions in tables share their parameters. Functions have unused parameters,
constant arguments, structs by value, variable arguments, pointers into memory of all spaces, and
unused results. Some write through copies of variables, fields of structs and aliases. They share variables of every space, whose contents persist between consecutive
launches. One thread runs them, or several threads that each have their own variables, so that
results do not depend on order.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product

import numpy as np
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.random_kernels.linked_modules import link_parts
from nvvm_xdsl.lab.random_kernels.programs.device_functions import EXCHANGE
from nvvm_xdsl.lab.random_kernels.programs.pointers import PointerCalls
from nvvm_xdsl.lab.random_kernels.programs.statements import RECORD_FIELDS
from nvvm_xdsl.lab.random_kernels.programs.variables import CONSTANTS, THREADS, VARIABLES

OUTPUTS = 16
"""Number of elements of a thread's output."""

LINKED_SHARE = 0.3
"""Share of the programs that are linked from two modules."""

KERNELS = ("first", "second", "third")

LAUNCHED = f"@launched = internal addrspace(1) global ptr @{KERNELS[0]}, align 8"
"""A variable with a kernel's address, so that the kernel is a possible target of indirect calls."""

HEADER = f"""\
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%Pair = type {{ i32, i32 }}
%Box = type {{ i32, float, i64 }}
%Deep = type {{ %Box, [2 x %Pair] }}
%Record = type {{ i8, i32, [2 x i16], double }}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_end.p0(ptr)
declare ptr @malloc(i64)
declare void @free(ptr)

define internal i32 @identity(i32 %x) {{
  ret i32 %x
}}

{CONSTANTS}"""


class Programs(PointerCalls):
    """Makes one program."""

    def __init__(self, seed: int, functions: int) -> None:
        super().__init__(seed, threads_of(seed))
        self.number_of_functions = functions
        self.heap = self.random.random() < 0.4
        self.launched = self.random.random() < 0.3

    def kernel(self, name: str) -> None:
        """A kernel, which stores its results."""
        r = self.random
        self.begin()
        self.most *= 4
        self.values = {"i32": ["%n"], "float": ["%x"]}
        self._set_up()
        for _ in range(r.randint(1, 3)):
            self.statements(5)
            if r.random() < 0.4:
                self.define("i32", f"call i32 @exchange(i32 {self.operand('i32')})")
            if r.random() < 0.5:
                self.pointer_call()
        self.call()
        thread = self.assign("call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        first = self.assign(f"mul i32 {thread}, {OUTPUTS}")
        for index, type_ in enumerate(("i32", "i64", "float", "i32")):
            value = self.operand(type_)
            at = self.assign(f"add i32 {first}, {index + r.randrange(OUTPUTS - 4)}")
            place = self.assign(f"getelementptr inbounds i64, ptr %out, i32 {at}")
            self.emit(f"store {type_} {value}, ptr {place}")
        if self.heap:
            place = self.place("heap")
            self.emit(f"call void @free(ptr {self.assign(f'load ptr, ptr addrspace(1) {place}')})")
            if r.random() < 0.5:
                self.emit(f"store ptr null, ptr addrspace(1) {place}")
            place = self.place("records")
            self.emit(f"call void @free(ptr {self.assign(f'load ptr, ptr addrspace(1) {place}')})")
        self.emit("ret void")
        head = f"define ptx_kernel void @{name}(ptr %out, i32 %n, float %x) {{"
        self.text.append("\n".join([head, *self.lines, "}", ""]))

    def _set_up(self) -> None:
        """Initializes variables without a value, and variables that hold pointers for functions."""
        r = self.random
        for name, type_ in (("unset", "i64"), ("shared_pair", "%Pair"), ("shared_box", "%Box")):
            value = "zeroinitializer" if type_[0] == "%" else self.operand(type_)
            self.emit(f"store {type_} {value}, {VARIABLES[name].pointer} {self.place(name)}")
        pair = self.assign(f"addrspacecast ptr addrspace(1) {self.place('pair')} to ptr")
        self.emit(f"store ptr {pair}, ptr addrspace(1) {self.place('pointer')}")
        if self.heap:
            made = self.assign("call ptr @malloc(i64 8)")
            value = self.pair("%Pair")
            self.emit(f"store %Pair {value}, ptr {made}")
            self.emit(f"store ptr {made}, ptr addrspace(1) {self.place('heap')}")
            records = self.assign("call ptr @malloc(i64 48)")
            self.emit(f"store ptr {records}, ptr addrspace(1) {self.place('records')}")
            for element, (type_, index) in product(
                range(2), (*RECORD_FIELDS, ("i16", "i32 2, i32 0"))
            ):
                whole = f"%Record, ptr {records}, i32 {element}, {index}"
                place = self.assign(f"getelementptr inbounds {whole}")
                self.emit(f"store {type_} {self.operand(type_)}, ptr {place}")
        if self.launched:
            self._compare_kernels()
        if self.threads == 1:
            for name, members, _ in self.handlers:
                if r.random() < 0.5:
                    self.emit(f"store ptr @{r.choice(members)}, ptr addrspace(1) @{name}")

    def _compare_kernels(self) -> None:
        """Uses the addresses of kernels other than in calls: compares a stored one and stores
        another."""
        r = self.random
        entry = self.assign("load ptr, ptr addrspace(1) @launched")
        same = self.assign(f"icmp eq ptr {entry}, @{r.choice(KERNELS)}")
        self.define("i32", f"zext i1 {same} to i32")
        if self.threads == 1:
            self.emit(f"store ptr @{r.choice(KERNELS)}, ptr addrspace(1) @launched")

    def module(self) -> str:
        """The text of the program."""
        r = self.random
        while len(self.functions) < self.number_of_functions:
            kind = r.random()
            if kind < 0.12:
                self.recursion()
            elif kind < 0.24:
                self.table()
            elif kind < 0.32:
                self.variadic_function(*self.variadic_kinds())
            else:
                self.device_function()
        if self.shape == "wide":
            self.device_function(all_=True)
        for name in KERNELS:
            self.kernel(name)
        if self.launched:
            self.globals.append(LAUNCHED)
        variables = [v.definition(self.threads) for v in VARIABLES.values()]
        exchange = EXCHANGE.format(attribute=r.choice(("", " noinline", " alwaysinline")))
        pointers = self.pointer_functions()
        return "\n".join([HEADER, *variables, *self.globals, "", exchange, *pointers, *self.text])


def threads_of(seed: int) -> int:
    """Number of threads that run the kernels of a seed."""
    return THREADS if seed % 3 == 2 else 1


def program_functions(seed: int) -> int:
    """Minimum number of device functions of a seed's program in a campaign."""
    return 4 + seed % 12


def random_program_text(seed: int, functions: int = 8) -> str:
    """The LLVM assembly of the program of a seed."""
    return Programs(seed, functions).module()


def random_program(seed: int, functions: int = 8) -> ModuleOp:
    """The module of a seed. A share of the programs is linked from two modules."""
    from nvvm_xdsl.frontend.ll_reader import read_ll

    module = read_ll(random_program_text(seed, functions), f"<seed {seed}>")
    chance = random.Random(f"parts:{seed}")
    return link_parts(module, chance) if chance.random() < LINKED_SHARE else module


def random_program_launches(seed: int) -> list[Launch]:
    """Consecutive launches of the program's kernels on the same memory."""
    rng = np.random.default_rng(seed)
    threads = threads_of(seed)
    out = np.zeros(OUTPUTS * threads, np.int64)
    names = [*KERNELS, *(str(n) for n in rng.choice(KERNELS, 2))]
    launches = [
        Launch(name, 1, threads, (out, int(rng.integers(-20, 20)), float(rng.integers(-8, 8))))
        for name in names
    ]
    settings = {"settings": np.array([int(rng.integers(-9, 9)), 4], np.int32)}
    launches[2] = replace(launches[2], variables=settings)
    return launches
