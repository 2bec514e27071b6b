"""Generates LLVM assembly of unusual shapes and any size: many instances of one construct.

Each shape is one or a few kernels with N blocks, loops, cases and so on; compile time per instruction should
not depend on N. Without arguments the script lists the shapes; with a shape and a number it prints the
module.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from generate_module import HEAD, TAIL, Kernel

_BEGIN = """
define ptx_kernel void @kernel(ptr addrspace(1) %in, ptr addrspace(1) %out, i32 %n, float %f) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""


def _module(body: Iterator[str]) -> str:
    """Returns a module of one kernel with the given lines, those of the entry block first."""
    return "".join([HEAD, _BEGIN, *body, "}\n", TAIL])


def _store(value: str, place: str, kind: str = "i32") -> str:
    """Returns a store of a value to `%out[place]`; the address is named after the value."""
    address = f"%p.{value[1:]}"
    return (
        f"  {address} = getelementptr inbounds {kind}, ptr addrspace(1) %out, i32 {place}\n"
        f"  store {kind} {value}, ptr addrspace(1) {address}, align 4\n"
    )


def function(size: int) -> str:
    """One function of N instructions: arithmetic and memory in a chain of diamonds."""
    return "".join([HEAD, *Kernel(0, size, 1).lines(), TAIL])


def block(size: int) -> str:
    """One block of N instructions, a mix as in `generate_module.py`."""
    return "".join([HEAD, *Kernel(0, size, 1, straight=True).lines(), TAIL])


def blocks(size: int) -> str:
    """N blocks, each a store under its own condition."""

    def body() -> Iterator[str]:
        yield "  br label %b0\n"
        for i in range(0, size, 2):
            yield f"b{i}:\n  %c{i} = icmp sgt i32 %n, {i}\n"
            yield f"  br i1 %c{i}, label %b{i + 1}, label %b{i + 2}\n"
            yield f"b{i + 1}:\n  %v{i} = add i32 %tid, {i}\n{_store(f'%v{i}', str(i))}"
            yield f"  br label %b{i + 2}\n"
        yield f"b{size + size % 2}:\n  ret void\n"

    return _module(body())


def allocas(size: int) -> str:
    """N local arrays, written and read at an index that is only known at run time."""

    def body() -> Iterator[str]:
        for i in range(size):
            yield f"  %a{i} = alloca [4 x i32], align 4\n"
        yield "  %i = and i32 %tid, 3\n"
        for i in range(size):
            yield f"  %w{i} = getelementptr inbounds [4 x i32], ptr %a{i}, i32 0, i32 %i\n"
            yield f"  store i32 {i}, ptr %w{i}, align 4\n"
        for i in range(size):
            yield f"  %r{i} = getelementptr inbounds [4 x i32], ptr %a{i}, i32 0, i32 %n\n"
            yield f"  %v{i} = load i32, ptr %r{i}, align 4\n{_store(f'%v{i}', str(i))}"
        yield "  ret void\n"

    return _module(body())


def variables(size: int) -> str:
    """N local variables as in clang's -O0 output; all of them are promoted to values."""

    def body() -> Iterator[str]:
        for i in range(size):
            yield f"  %a{i} = alloca i32, align 4\n"
            yield f"  store i32 %tid, ptr %a{i}, align 4\n"
        yield "  %c = icmp sgt i32 %n, 0\n  br i1 %c, label %then, label %join\nthen:\n"
        for i in range(size):
            yield f"  %o{i} = load i32, ptr %a{i}, align 4\n  %s{i} = add i32 %o{i}, {i}\n"
            yield f"  store i32 %s{i}, ptr %a{i}, align 4\n"
        yield "  br label %join\njoin:\n"
        for i in range(size):
            yield f"  %v{i} = load i32, ptr %a{i}, align 4\n{_store(f'%v{i}', str(i))}"
        yield "  ret void\n"

    return _module(body())


def nest(size: int) -> str:
    """N nested loops."""

    def body() -> Iterator[str]:
        before = "entry"
        for i in range(size):
            yield f"  br label %head{i}\nhead{i}:\n"
            yield f"  %i{i} = phi i32 [ 0, %{before} ], [ %next{i}, %latch{i} ]\n"
            before = f"head{i}"
        yield _store(f"%i{size - 1}", f"%i{size - 1}")
        for i in reversed(range(size)):
            yield f"  br label %latch{i}\nlatch{i}:\n  %next{i} = add nsw i32 %i{i}, 1\n"
            yield f"  %c{i} = icmp slt i32 %next{i}, %n\n"
            yield f"  br i1 %c{i}, label %head{i}, label %exit{i}\nexit{i}:\n"
        yield "  ret void\n"

    return _module(body())


def conditions(size: int) -> str:
    """N nested conditions."""

    def body() -> Iterator[str]:
        for i in range(size):
            yield f"  %c{i} = icmp sgt i32 %n, {3 * i}\n"
            yield f"  br i1 %c{i}, label %then{i}, label %join{i}\nthen{i}:\n"
            yield f"  %v{i} = add i32 %tid, {i}\n{_store(f'%v{i}', str(i))}"
        for i in reversed(range(size)):
            yield f"  br label %join{i}\njoin{i}:\n"
        yield "  ret void\n"

    return _module(body())


def loops(size: int) -> str:
    """N loops in sequence."""

    def body() -> Iterator[str]:
        before = "entry"
        for i in range(size):
            yield f"  br label %loop{i}\nloop{i}:\n"
            yield f"  %i{i} = phi i32 [ 0, %{before} ], [ %next{i}, %loop{i} ]\n"
            yield f"  %v{i} = mul i32 %i{i}, %tid\n{_store(f'%v{i}', f'%i{i}')}"
            yield f"  %next{i} = add nsw i32 %i{i}, 1\n  %c{i} = icmp slt i32 %next{i}, %n\n"
            yield f"  br i1 %c{i}, label %loop{i}, label %exit{i}\nexit{i}:\n"
            before = f"exit{i}"
        yield "  ret void\n"

    return _module(body())


def _cases(size: int, step: int = 1) -> Iterator[str]:
    """Returns a switch of `%n` to `%case0`, `%case1` ... with this distance between case values, or to
    `%join`.
    """
    yield "  switch i32 %n, label %join [\n"
    for i in range(size):
        yield f"    i32 {i * step}, label %case{i}\n"
    yield "  ]\n"


def switch(size: int) -> str:
    """A switch of N cases, each with its own store."""

    def body() -> Iterator[str]:
        yield from _cases(size)
        for i in range(size):
            yield f"case{i}:\n  %v{i} = mul i32 %tid, {i + 3}\n{_store(f'%v{i}', str(i))}"
            yield "  br label %join\n"
        yield "join:\n  ret void\n"

    return _module(body())


def selector(size: int) -> str:
    """A switch of N cases, each of which compares the switch operand and may leave early."""

    def body() -> Iterator[str]:
        yield from _cases(size, 3)
        for i in range(size):
            yield f"case{i}:\n  %v{i} = mul i32 %n, {i + 7}\n{_store(f'%v{i}', f'%v{i}')}"
            yield f"  %c{i} = icmp sgt i32 %n, {2 * i}\n"
            yield f"  br i1 %c{i}, label %join, label %more{i}\nmore{i}:\n"
            yield f"  %w{i} = xor i32 %v{i}, %tid\n{_store(f'%w{i}', str(i))}  br label %join\n"
        yield "join:\n  ret void\n"

    return _module(body())


def ladder(size: int) -> str:
    """N comparisons of one value for equality in sequence, each with its own result."""

    def body() -> Iterator[str]:
        yield "  br label %test0\n"
        for i in range(size):
            yield f"test{i}:\n  %c{i} = icmp eq i32 %n, {5 * i}\n"
            yield f"  br i1 %c{i}, label %join, label %test{i + 1}\n"
        inputs = ", ".join(f"[ {3 * i}, %test{i} ]" for i in range(size + 1))
        yield f"test{size}:\n  br label %join\n"
        yield f"join:\n  %v = phi i32 {inputs}\n{_store('%v', '%tid')}"
        yield "  ret void\n"

    return _module(body())


def exits(size: int) -> str:
    """A loop with N exits, each with another result."""

    def body() -> Iterator[str]:
        yield "  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %latch ]\n"
        for i in range(size):
            yield f"  %p{i} = getelementptr i32, ptr addrspace(1) %out, i32 {i}\n"
            yield f"  %v{i} = load volatile i32, ptr addrspace(1) %p{i}\n"
            yield f"  %c{i} = icmp eq i32 %v{i}, %i\n"
            yield f"  br i1 %c{i}, label %join, label %on{i}\non{i}:\n"
        yield "  br label %latch\nlatch:\n  %next = add i32 %i, 1\n"
        yield "  %c = icmp slt i32 %next, %n\n  br i1 %c, label %loop, label %join\n"
        places = ("loop", *(f"on{i}" for i in range(size)))
        inputs = ", ".join(f"[ {i}, %{place} ]" for i, place in enumerate(places[:size]))
        yield f"join:\n  %v = phi i32 [ -1, %latch ], {inputs}\n{_store('%v', '%tid')}"
        yield "  ret void\n"

    return _module(body())


def module_variables(size: int) -> str:
    """N global variables, each loaded and stored once."""

    def body() -> Iterator[str]:
        for i in range(size):
            yield f"  %v{i} = load i32, ptr addrspace(1) @g{i}\n  %w{i} = add i32 %v{i}, %tid\n"
            yield f"  store i32 %w{i}, ptr addrspace(1) @g{i}\n"
        yield "  ret void\n"

    variables = "".join(f"@g{i} = internal addrspace(1) global i32 {i}\n" for i in range(size))
    return _module(body()) + variables


def phi(size: int) -> str:
    """A PHI of N inputs, one from each case of a switch."""

    def body() -> Iterator[str]:
        yield from _cases(size)
        for i in range(size):
            yield f"case{i}:\n  %v{i} = mul i32 %tid, {i * i + 3}\n  br label %join\n"
        inputs = ", ".join(f"[ %v{i}, %case{i} ]" for i in range(size))
        yield f"join:\n  %v = phi i32 [ %tid, %entry ], {inputs}\n{_store('%v', '%tid')}"
        yield "  ret void\n"

    return _module(body())


def phis(size: int) -> str:
    """A loop that carries N values."""

    def body() -> Iterator[str]:
        yield "  br label %loop\nloop:\n  %i = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
        for i in range(size):
            yield f"  %x{i} = phi i32 [ {i}, %entry ], [ %y{i}, %loop ]\n"
        for i in range(size):
            yield f"  %m{i} = mul i32 %x{i}, %x{(i + 1) % size}\n"
            yield f"  %y{i} = xor i32 %m{i}, %tid\n"
        yield "  %next = add nsw i32 %i, 1\n  %c = icmp slt i32 %next, %n\n"
        yield "  br i1 %c, label %loop, label %exit\nexit:\n"
        for i in range(size):
            yield _store(f"%y{i}", str(i))
        yield "  ret void\n"

    return _module(body())


def _chain(size: int, step: Callable[[int, str], str], last: str = "i32") -> str:
    """A chain of N values, each computed from the previous one; the last is stored."""

    def body() -> Iterator[str]:
        value = "%tid"
        for i in range(size):
            yield step(i, value)
            value = f"%v{i}"
        yield f"{_store(value, '%tid', last)}  ret void\n"

    return _module(body())


def selects(size: int) -> str:
    """A chain of N selects."""

    def step(i: int, value: str) -> str:
        return (
            f"  %c{i} = icmp sgt i32 %n, {7 * i}\n  %v{i} = select i1 %c{i}, i32 {value}, i32 {i}\n"
        )

    return _chain(size, step)


def casts(size: int) -> str:
    """A chain of N conversions, separated by additions so that they do not combine."""

    def step(i: int, value: str) -> str:
        kind = ("sext", "zext")[i % 2]
        return (
            f"  %w{i} = {kind} i32 {value} to i64\n  %s{i} = mul i64 %w{i}, {2 * i + 5}\n"
            f"  %t{i} = lshr i64 %s{i}, {i % 13 + 1}\n  %v{i} = trunc i64 %t{i} to i32\n"
        )

    return _chain(size, step)


def geps(size: int) -> str:
    """A chain of N addresses, each one element after the previous one."""

    def body() -> Iterator[str]:
        place = "%out"
        for i in range(size):
            index = ("%tid", "%n", str(i))[i % 3]
            yield f"  %v{i} = getelementptr i32, ptr addrspace(1) {place}, i32 {index}\n"
            place = f"%v{i}"
        yield f"  store i32 %n, ptr addrspace(1) {place}, align 4\n  ret void\n"

    return _module(body())


def sums(size: int) -> str:
    """A chain of N sums, differences, products and masks."""
    chosen = random.Random(1)

    def step(i: int, value: str) -> str:
        operator = chosen.choice(["add", "sub", "mul", "and", "or", "xor", "shl", "lshr"])
        other = chosen.choice(["%tid", "%n", str(chosen.randrange(1, 31))])
        return f"  %v{i} = {operator} i32 {value}, {'3' if 'sh' in operator else other}\n"

    return _chain(size, step)


def loads(size: int) -> str:
    """A linked list followed for N steps: the address of each load is the result of the previous load."""

    def step(i: int, value: str) -> str:
        return (
            f"  %a{i} = getelementptr inbounds i32, ptr addrspace(1) %in, i32 {value}\n"
            f"  %v{i} = load i32, ptr addrspace(1) %a{i}, align 4\n"
        )

    return _chain(size, step)


def calls(size: int) -> str:
    """N functions, each of which calls the next."""

    def parts() -> Iterator[str]:
        for i in range(size):
            yield f"define internal i32 @f{i}(i32 %x, ptr addrspace(1) %out) noinline {{\n"
            yield f"  %v{i} = mul i32 %x, {i + 3}\n{_store(f'%v{i}', str(i))}"
            inner = f"call i32 @f{i + 1}(i32 %v{i}, ptr addrspace(1) %out)"
            yield f"  %r = {inner}\n" if i + 1 < size else f"  %r = add i32 %v{i}, %x\n"
            yield "  ret i32 %r\n}\n"
        yield "define ptx_kernel void @kernel(ptr addrspace(1) %out, i32 %n) {\n"
        yield "  %v = call i32 @f0(i32 %n, ptr addrspace(1) %out)\n"
        yield f"{_store('%v', '0')}  ret void\n}}\n"

    return "".join([HEAD, *parts(), TAIL])


def early_returns(size: int) -> str:
    """N nested conditions that all go to the same block if they do not hold."""

    def body() -> Iterator[str]:
        for i in range(size):
            yield f"  %c{i} = icmp sgt i32 %n, {3 * i}\n"
            yield f"  br i1 %c{i}, label %then{i}, label %join\nthen{i}:\n"
            yield f"  %v{i} = add i32 %tid, {i}\n{_store(f'%v{i}', str(i))}"
        yield "  br label %join\njoin:\n  ret void\n"

    return _module(body())


def tiny_functions(size: int) -> str:
    """N functions of one addition, each of which calls the next, for the inliner."""

    def parts() -> Iterator[str]:
        for i in range(size):
            inner = f"call i32 @f{i + 1}(i32 %v)" if i + 1 < size else "add i32 %v, 1"
            yield f"define internal i32 @f{i}(i32 %x) {{\n  %v = add i32 %x, {i}\n"
            yield f"  %r = {inner}\n  ret i32 %r\n}}\n"
        yield "define ptx_kernel void @kernel(ptr addrspace(1) %out, i32 %n) {\n"
        yield f"  %v = call i32 @f0(i32 %n)\n{_store('%v', '0')}  ret void\n}}\n"

    return "".join([HEAD, *parts(), TAIL])


def function_chain(size: int) -> str:
    """N functions of a product and an exclusive or, which do not combine; each calls the next."""

    def parts() -> Iterator[str]:
        for i in range(size):
            inner = f"call i32 @f{i + 1}(i32 %v)" if i + 1 < size else "add i32 %v, 1"
            yield f"define internal i32 @f{i}(i32 %x) {{\n  %w = mul i32 %x, {2 * i + 3}\n"
            yield f"  %v = xor i32 %w, {i + 77}\n  %r = {inner}\n  ret i32 %r\n}}\n"
        yield "define ptx_kernel void @kernel(ptr addrspace(1) %out, i32 %n) {\n"
        yield f"  %v = call i32 @f0(i32 %n)\n{_store('%v', '0')}  ret void\n}}\n"

    return "".join([HEAD, *parts(), TAIL])


def kernels(size: int) -> str:
    """N kernels of one store."""

    def parts() -> Iterator[str]:
        for i in range(size):
            yield f"define ptx_kernel void @k{i}(ptr addrspace(1) %out) {{\n"
            yield f"  store i32 {i}, ptr addrspace(1) %out, align 4\n  ret void\n}}\n"

    return "".join([HEAD, *parts(), TAIL])


def array_value(size: int) -> str:
    """A value of an array of N floats: loaded, changed in one element, and stored."""

    def body() -> Iterator[str]:
        array = f"[{size} x float]"
        yield f"  %v = load {array}, ptr addrspace(1) %in, align 4\n"
        yield f"  %w = insertvalue {array} %v, float %f, 1\n"
        yield f"  store {array} %w, ptr addrspace(1) %out, align 4\n  ret void\n"

    return _module(body())


SHAPES: dict[str, tuple[Callable[[int], str], int]] = {
    "function": (function, 25_000),
    "block": (block, 12_500),
    "blocks": (blocks, 2_500),
    "allocas": (allocas, 250),
    "variables": (variables, 1_000),
    "nest": (nest, 125),
    "conditions": (conditions, 125),
    "early-returns": (early_returns, 500),
    "loops": (loops, 250),
    "switch": (switch, 5_000),
    "selector": (selector, 1_000),
    "ladder": (ladder, 1_000),
    "exits": (exits, 500),
    "module-variables": (module_variables, 500),
    "phi": (phi, 1_250),
    "phis": (phis, 250),
    "selects": (selects, 12_500),
    "casts": (casts, 5_000),
    "geps": (geps, 12_500),
    "sums": (sums, 12_500),
    "loads": (loads, 5_000),
    "calls": (calls, 250),
    "tiny-functions": (tiny_functions, 400),
    "function-chain": (function_chain, 400),
    "kernels": (kernels, 500),
    "array-value": (array_value, 4_096),
}
"""The shapes by name, with the smallest measured size; the others are twice and four times that."""


def make(name: str, size: int) -> str:
    """Returns the module of a shape."""
    return SHAPES[name][0](size)


if __name__ == "__main__":
    import sys

    if len(sys.argv) < 3:
        for shape, (generator, _) in SHAPES.items():
            print(f"{shape:12} {generator.__doc__}")
    else:
        sys.stdout.write(make(sys.argv[1], int(sys.argv[2])))
