"""A prototype: NVIDIA Tile IR (`cuda_tile`, CUDA 13.1) lowered to the llvm and nvvm dialects.

    python -m dev.tile_ir KERNEL.mlir [-arch=sm_90]       prints PTX

Twenty ops are read in the assembly of NVIDIA/cuda-tile; docs/tile-ir.md lists them and the omissions. A tile block is a thread block of
128 threads. Element e of a tile, by its linear index, is held by thread e mod 128; tiles with fewer elements are held by several threads.
Ops that move elements between threads (`broadcast`, `reduce`, `mmaf`, `permute`) write the tile to shared memory and read it back between two
barriers. The result is LLVM IR, which the front end turns into the dialects.
"""

from __future__ import annotations

import argparse
import re
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import prod
from pathlib import Path

import nvvm_xdsl
from nvvm_xdsl.ir.diagnostics import DiagnosticError

THREADS = 128

_TYPES = {
    "i1": "i1",
    "i32": "i32",
    "i64": "i64",
    "f32": "float",
    "f16": "half",
    "ptr": "ptr addrspace(1)",
}
_BYTES = {"i1": 1, "i32": 4, "i64": 8, "f32": 4, "f16": 2, "ptr": 8}

_MODULE = re.compile(r"cuda_tile\.module\s+@\w+\s*\{")
_ENTRY = re.compile(r"entry\s+@(\w+)\s*\((.*?)\)\s*\{")
_OP = re.compile(r"(?:(%[\w, %]+?)\s*=\s*)?(?:cuda_tile\.)?(\w+)\s*(.*)")
_TILE = re.compile(r"tile<((?:\d+x)*)(?:ptr<(\w+)>|(\w+))>")
_VALUE = re.compile(r"%\w+")
_REDUCE = re.compile(
    r"reduce (%\w+) dim=(\d+) identities=\[[^\]]*\]\s*:\s*(tile<\S+>) -> (tile<\S+>)\s*"
    r"\([^)]*\)\s*\{\s*(%\w+) = (\w+) [^\n]*\n\s*yield [^\n]*\n\s*\}"
)


class TileError(DiagnosticError):
    """Unsupported Tile IR, with its line."""


@dataclass(frozen=True)
class Tile:
    """A tile's shape and element; pointers have `pointee`."""

    shape: tuple[int, ...]
    element: str
    pointee: str = ""

    @property
    def size(self) -> int:
        """The number of elements."""
        return prod(self.shape)

    @property
    def registers(self) -> int:
        """Elements of a thread."""
        return max(1, self.size // THREADS)

    @property
    def llvm(self) -> str:
        """The type of an element."""
        return _TYPES[self.element]


@dataclass
class Value:
    """A tile in registers: one LLVM value for each element of a thread."""

    tile: Tile
    parts: list[str]


def parse_tile(text: str, line: int) -> Tile:
    """`tile<4x8xf32>` or `tile<4xptr<f32>>`. Raises TileError."""
    found = _TILE.search(text)
    if found is None or (found[3] or "ptr") not in _TYPES:
        raise TileError(f"line {line}: no tile type that is supported: '{text.strip()}'")
    shape = tuple(int(n) for n in found[1].split("x") if n)
    size = prod(shape)
    if size > THREADS and size % THREADS:
        raise TileError(
            f"line {line}: a tile of {size} elements: more than {THREADS} must be a multiple of it"
        )
    return Tile(shape, "ptr" if found[2] else found[3], found[2] or "")


@dataclass
class Kernel:
    """The LLVM IR of an entry under construction."""

    name: str
    params: list[tuple[str, Tile]]
    values: dict[str, Value] = field(default_factory=dict[str, Value])
    body: list[str] = field(default_factory=list[str])
    shared: dict[str, str] = field(default_factory=dict[str, str])
    count: int = 0

    def emit(self, text: str) -> str:
        """Adds an instruction; returns its result."""
        self.count += 1
        self.body.append(f"  %t{self.count} = {text}")
        return f"%t{self.count}"

    def do(self, text: str) -> None:
        """Adds an instruction without a result."""
        self.body.append(f"  {text}")

    @contextmanager
    def where(self, condition: str) -> Iterator[None]:
        """A context for instructions that run if a condition is true."""
        self.count += 1
        inside, after = f"in{self.count}", f"after{self.count}"
        self.do(f"br i1 {condition}, label %{inside}, label %{after}")
        self.body.append(f"{inside}:")
        yield
        self.do(f"br label %{after}")
        self.body.append(f"{after}:")

    def linear(self, tile: Tile, part: int) -> str:
        """The linear index of a thread's element; threads beyond a small tile repeat its elements."""
        if tile.size >= THREADS:
            return self.emit(f"add i32 %tid, {part * THREADS}") if part else "%tid"
        return self.emit(f"urem i32 %tid, {tile.size}")

    def indices(self, tile: Tile, part: int) -> list[str]:
        """The index of a thread's element in each dimension."""
        rest = self.linear(tile, part)
        found: list[str] = []
        for extent in reversed(tile.shape):
            found.append(self.emit(f"urem i32 {rest}, {extent}"))
            rest = self.emit(f"udiv i32 {rest}, {extent}")
        return found[::-1]

    def offset(self, indices: Sequence[str], shape: Sequence[int]) -> str:
        """The linear index of an element; indices of dimensions of one element are 0."""
        total = "0"
        for index, extent in zip(indices, shape):
            total = self.emit(f"mul i32 {total}, {extent}")
            total = self.emit(f"add i32 {total}, {'0' if extent == 1 else index}")
        return total

    def to_shared(self, value: Value) -> str:
        """Writes a tile to shared memory; returns the array. Barriers separate it from other uses."""
        name = f"@s{len(self.shared)}"
        self.shared[name] = f"[{value.tile.size} x {value.tile.llvm}]"
        for part, text in enumerate(value.parts):
            with self.where(self.emit(f"icmp ult i32 %tid, {min(value.tile.size, THREADS)}")):
                where = self.address(name, value.tile, self.linear(value.tile, part))
                self.do(f"store {value.tile.llvm} {text}, ptr addrspace(3) {where}")
        self.do("call void @llvm.nvvm.barrier0()")
        return name

    def address(self, name: str, tile: Tile, index: str) -> str:
        """The address of an element in shared memory."""
        return self.emit(f"getelementptr {tile.llvm}, ptr addrspace(3) {name}, i32 {index}")

    def from_shared(self, name: str, tile: Tile, index: str) -> str:
        """An element in shared memory."""
        where = self.address(name, tile, index)
        return self.emit(f"load {tile.llvm}, ptr addrspace(3) {where}")


_BINARY = {
    "addf": "fadd", "subf": "fsub", "mulf": "fmul", "divf": "fdiv", "addi": "add", "subi": "sub", "muli": "mul",
}  # fmt: skip
_REDUCTIONS = {
    "addf": "fadd float",
    "addi": "add i32",
    "maxf": "call float @llvm.maxnum.f32",
    "mulf": "fmul float",
}
_PREDICATES = {
    "less_than": "slt",
    "less_than_or_equal": "sle",
    "greater_than": "sgt",
    "equal": "eq",
    "not_equal": "ne",
}


def _elementwise(
    make: Callable[[Kernel, Tile, list[str]], str],
) -> Callable[[Kernel, Tile, list[Value]], Value]:
    def run(kernel: Kernel, tile: Tile, operands: list[Value]) -> Value:
        columns = zip(*(operand.parts for operand in operands))
        return Value(tile, [make(kernel, tile, list(column)) for column in columns])

    return run


def _binary(opcode: str) -> Callable[[Kernel, Tile, list[Value]], Value]:
    return _elementwise(lambda k, tile, v: k.emit(f"{opcode} {tile.llvm} {v[0]}, {v[1]}"))


def _broadcast(kernel: Kernel, tile: Tile, operands: list[Value]) -> Value:
    (source,) = operands
    if source.tile.size == 1:
        return Value(tile, source.parts * tile.registers)
    name = kernel.to_shared(source)
    parts = [
        kernel.from_shared(
            name, source.tile, kernel.offset(kernel.indices(tile, part), source.tile.shape)
        )
        for part in range(tile.registers)
    ]
    return Value(tile, parts)


def _permute(kernel: Kernel, tile: Tile, operands: list[Value], order: Sequence[int]) -> Value:
    (source,) = operands
    name = kernel.to_shared(source)
    parts: list[str] = []
    for part in range(tile.registers):
        indices = kernel.indices(tile, part)
        original = [indices[order.index(dimension)] for dimension in range(len(order))]
        parts.append(kernel.from_shared(name, tile, kernel.offset(original, source.tile.shape)))
    return Value(tile, parts)


def _reduce(kernel: Kernel, tile: Tile, source: Value, dimension: int, operation: str) -> Value:
    """Each thread combines the elements of its results, in order."""
    name = kernel.to_shared(source)
    opcode = _REDUCTIONS[operation]
    parts: list[str] = []
    for part in range(tile.registers):
        indices = kernel.indices(tile, part)
        total = ""
        for at in range(source.tile.shape[dimension]):
            where = kernel.offset(
                [*indices[:dimension], str(at), *indices[dimension:]], source.tile.shape
            )
            element = kernel.from_shared(name, source.tile, where)
            if not total:
                total = element
            elif opcode.startswith("call"):
                type_ = opcode.split()[1]
                total = kernel.emit(f"{opcode}({type_} {total}, {type_} {element})")
            else:
                total = kernel.emit(f"{opcode} {total}, {element}")
        parts.append(total)
    return Value(tile, parts)


def _product(kernel: Kernel, tile: Tile, operands: list[Value]) -> Value:
    """`mmaf`: each thread computes its elements with fused multiply-adds in f32."""
    left, right, start = operands
    names = kernel.to_shared(left), kernel.to_shared(right)
    depth = left.tile.shape[1]
    parts: list[str] = []
    for part in range(tile.registers):
        row, column = kernel.indices(tile, part)
        total = start.parts[part]
        for at in range(depth):
            elements: list[str] = []
            for name, value, where in (
                (names[0], left, [row, str(at)]),
                (names[1], right, [str(at), column]),
            ):
                element = kernel.from_shared(
                    name, value.tile, kernel.offset(where, value.tile.shape)
                )
                if value.tile.element == "f16":
                    element = kernel.emit(f"fpext half {element} to float")
                elements.append(element)
            arguments = ", ".join(f"float {text}" for text in (*elements, total))
            total = kernel.emit(f"call float @llvm.fma.f32({arguments})")
        parts.append(total)
    return Value(tile, parts)


def _constant(element: str, text: str) -> str:
    """A constant in LLVM's spelling: floats by the bits of a double."""
    if element in ("f32", "f16"):
        bits = struct.unpack("<Q", struct.pack("<d", float(text)))[0]
        return f"0x{bits:016X}" if element == "f32" else f"{float(text):e}"
    return str(int(text))


_EXP = "call float @llvm.nvvm.ex2.approx.f32(float {})"


def _exp(kernel: Kernel, tile: Tile, values: list[str]) -> str:
    scaled = kernel.emit(f"fmul float {values[0]}, {_constant('f32', '1.4426950408889634')}")
    return kernel.emit(_EXP.format(scaled))


_PLAIN: dict[str, Callable[[Kernel, Tile, list[Value]], Value]] = {
    **{name: _binary(opcode) for name, opcode in _BINARY.items()},
    "maxf": _elementwise(
        lambda k, t, v: k.emit(f"call float @llvm.maxnum.f32(float {v[0]}, float {v[1]})")
    ),
    "exp": _elementwise(_exp),
    "itof": _elementwise(lambda k, t, v: k.emit(f"sitofp i32 {v[0]} to float")),
    "broadcast": _broadcast,
    "mmaf": _product,
}


def _statement(kernel: Kernel, names: list[str], name: str, rest: str, line: int) -> None:
    """Lowers one op."""
    head, _, types = f" {rest}".partition(" : ")
    try:
        operands = [kernel.values[value] for value in _VALUE.findall(head)]
    except KeyError as error:
        raise TileError(f"line {line}: {error.args[0]} is not defined") from None
    if name == "get_tile_block_id":
        tile = parse_tile(types, line)
        for dimension, result in zip("xyz", names):
            block = kernel.emit(f"call i32 @llvm.nvvm.read.ptx.sreg.ctaid.{dimension}()")
            kernel.values[result] = Value(tile, [block])
        return
    # The type of the result is the last one, or the first one after an arrow.
    result_type = types.rpartition("->")[2] if "->" in types else types.rpartition(", ")[2]
    if name == "store_ptr_tko":
        pointers, data, *mask = operands
        _guarded(kernel, pointers, mask, data)
        return
    if name == "return":
        return
    tile = parse_tile(result_type, line)
    if name in _PLAIN:
        value = _PLAIN[name](kernel, tile, operands)
    elif name == "iota":
        value = Value(tile, [kernel.linear(tile, part) for part in range(tile.registers)])
    elif name == "constant":
        text = re.search(r"<\w+:\s*([^>]+)>", head)
        if text is None:
            raise TileError(f"line {line}: a constant of one number is expected")
        value = Value(tile, [_constant(tile.element, text[1])] * tile.registers)
    elif name == "reshape":
        value = Value(tile, operands[0].parts)
    elif name == "permute":
        order = [int(n) for n in re.findall(r"\d+", head[head.index("[") :])]
        value = _permute(kernel, tile, operands, order)
    elif name == "offset":
        pointers, offsets = operands
        pointee = _TYPES[pointers.tile.pointee]
        value = Value(
            tile,
            [
                kernel.emit(f"getelementptr {pointee}, ptr addrspace(1) {p}, i32 {o}")
                for p, o in zip(pointers.parts, offsets.parts)
            ],
        )
    elif name == "cmpi":
        predicate = _PREDICATES[head.split()[0]]
        element = operands[0].tile.llvm
        pairs = zip(operands[0].parts, operands[1].parts)
        value = Value(tile, [kernel.emit(f"icmp {predicate} {element} {a}, {b}") for a, b in pairs])
    elif name == "select":
        condition, a, b = operands
        rows = zip(condition.parts, a.parts, b.parts)
        value = Value(
            tile,
            [kernel.emit(f"select i1 {c}, {tile.llvm} {x}, {tile.llvm} {y}") for c, x, y in rows],
        )
    elif name == "load_ptr_tko":
        tile = parse_tile(types.partition("->")[2], line)
        pointers, *mask = operands
        value = Value(tile, _loads(kernel, tile, pointers, mask))
    else:
        raise TileError(f"line {line}: the op '{name}' is not supported")
    kernel.values[names[0]] = value


def _loads(kernel: Kernel, tile: Tile, pointers: Value, mask: list[Value]) -> list[str]:
    """Loads; elements disabled by the mask are the padding, or zero."""
    zero = _constant(tile.element, "0")
    parts: list[str] = []
    for part, pointer in enumerate(pointers.parts):
        if not mask:
            parts.append(kernel.emit(f"load {tile.llvm}, ptr addrspace(1) {pointer}"))
            continue
        padding = mask[1].parts[part] if len(mask) > 1 else zero
        kernel.count += 1
        label = f"l{kernel.count}"
        kernel.do(f"br label %{label}.from")
        kernel.body.append(f"{label}.from:")
        kernel.do(f"br i1 {mask[0].parts[part]}, label %{label}.in, label %{label}.out")
        kernel.body.append(f"{label}.in:")
        loaded = kernel.emit(f"load {tile.llvm}, ptr addrspace(1) {pointer}")
        kernel.do(f"br label %{label}.out")
        kernel.body.append(f"{label}.out:")
        parts.append(
            kernel.emit(f"phi {tile.llvm} [ {loaded}, %{label}.in ], [ {padding}, %{label}.from ]")
        )
    return parts


def _guarded(kernel: Kernel, pointers: Value, mask: list[Value], data: Value) -> None:
    """Stores of the first thread that holds each element, if the mask enables it."""
    for part, pointer in enumerate(pointers.parts):
        condition = kernel.emit(f"icmp ult i32 %tid, {min(data.tile.size, THREADS)}")
        if mask:
            condition = kernel.emit(f"and i1 {condition}, {mask[0].parts[part]}")
        with kernel.where(condition):
            kernel.do(f"store {data.tile.llvm} {data.parts[part]}, ptr addrspace(1) {pointer}")


def lower(text: str) -> str:
    """LLVM IR of a `cuda_tile.module` with one entry. Raises TileError, with the line."""
    text = re.sub(r"//[^\n]*", "", text).replace("!cuda_tile.", "")
    if _MODULE.search(text) is None:
        raise TileError("line 1: 'cuda_tile.module @name {' is expected")
    entry = _ENTRY.search(text)
    if entry is None:
        raise TileError("line 1: the module has no entry")
    params = [
        (name, parse_tile(type_, 1))
        for name, type_ in re.findall(r"(%\w+)\s*:\s*(tile<[^,)]*>)", entry[2])
    ]
    kernel = Kernel(entry[1], params)
    for name, tile in params:
        kernel.values[name] = Value(tile, [name])
    at = entry.end()
    while at < len(text):
        line = text.count("\n", 0, at) + 1
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        statement = text[at:end].strip()
        if "reduce " in statement:
            _reduction(kernel, text, at, line)
            end = text.index("}", at) + 1
        elif statement not in ("", "}"):
            found = _OP.match(statement)
            if found is None:
                raise TileError(f"line {line}: an op is expected: '{statement}'")
            names = _VALUE.findall(found[1] or "")
            _statement(kernel, names, found[2], found[3], line)
        at = end + 1
    return _module(kernel)


def _reduction(kernel: Kernel, text: str, at: int, line: int) -> None:
    result = _VALUE.search(text, at)
    found = _REDUCE.search(text, at)
    if result is None or found is None or found[6] not in _REDUCTIONS:
        raise TileError(f"line {line}: a reduction by one of {', '.join(_REDUCTIONS)} is expected")
    source = kernel.values[found[1]]
    tile = parse_tile(found[4], line)
    kernel.values[result[0]] = _reduce(kernel, tile, source, int(found[2]), found[6])


def _module(kernel: Kernel) -> str:
    params = ", ".join(f"{tile.llvm} {name}" for name, tile in kernel.params)
    shared = [
        f"{name} = internal addrspace(3) global {type_} undef, align 16"
        for name, type_ in kernel.shared.items()
    ]
    declared = [
        "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
        *(f"declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.{d}()" for d in "xyz"),
        "declare void @llvm.nvvm.barrier0()",
        "declare float @llvm.maxnum.f32(float, float)",
        "declare float @llvm.fma.f32(float, float, float)",
        "declare float @llvm.nvvm.ex2.approx.f32(float)",
    ]
    head = f"define ptx_kernel void @{kernel.name}({params}) {{"
    start = ["entry:", "  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"]
    return "\n".join([*shared, *declared, head, *start, *kernel.body, "  ret void", "}", ""])


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the PTX of a file; returns the exit status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, help="a cuda_tile module as MLIR assembly")
    parser.add_argument("-arch", default="sm_90", help="the GPU")
    options = parser.parse_args(arguments)
    try:
        print(nvvm_xdsl.compile(lower(options.file.read_text()), arch=options.arch), end="")
    except TileError as error:
        print(f"{options.file}: error: {error.message}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
