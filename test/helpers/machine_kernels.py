"""One PTX instruction at a time: a kernel of the nvptx dialect around it."""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Region, SSAValue

from nvvm_xdsl.dialects.nvptx import (
    B16,
    B32,
    B64,
    B128,
    F32,
    F64,
    INSTRUCTIONS,
    PRED,
    RetOp,
    addr,
    addr_sym,
    build,
    func,
    imm,
    layout,
    param,
    special_register,
    vec,
)
from nvvm_xdsl.dialects.nvptx.forms import bits_of
from nvvm_xdsl.ir import fast
from nvvm_xdsl.simulator import launch

BY_WIDTH = {1: PRED, 8: B16, 16: B16, 32: B32, 64: B64, 128: B128}


def f(value: float) -> int:
    """Returns the bits of a single-precision float."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


def d(value: float) -> int:
    """Returns the bits of a double."""
    return struct.unpack("<Q", struct.pack("<d", value))[0]


def h(value: float) -> int:
    """Returns the bits of a half."""
    return struct.unpack("<H", struct.pack("<e", value))[0]


def b(value: float) -> int:
    """Returns the bits of a value that is exact in bfloat16."""
    bits = f(value)
    assert bits & 0xFFFF == 0
    return bits >> 16


def split(opcode: str) -> tuple[str, str]:
    """Splits an instruction into the mnemonic of the dialect and the modifiers."""
    words = opcode.split(".")
    for end in range(len(words), 0, -1):
        name = ".".join(words[:end])
        if name in INSTRUCTIONS:
            mods = ".".join(words[end:])
            if INSTRUCTIONS[name].row.signature(mods) is not None:
                return name, mods
    raise AssertionError(f"the dialect has no {opcode}")


def register_for(type_: str):
    """Returns the register class used here for a value of a PTX type."""
    if type_ == "f32":
        return F32
    if type_ == "f64":
        return F64
    return BY_WIDTH[bits_of(type_)]


class Kernel:
    """A kernel under construction; `memory` arguments are pointers to buffers."""

    def __init__(self, buffers: int) -> None:
        self.block = Block()
        self.names = [f"p{i}" for i in range(buffers)]
        self.pointers = [
            self.add("ld", "param.b64", (), [B64], layout(addr_sym(name))).results[0]
            for name in self.names
        ]
        self.tid = self.append(special_register("tid.x")).results[0]

    def append(self, op):
        fast.append(self.block, op)
        return op

    def add(self, name: str, mods: str, operands: Sequence[SSAValue] = (), types=(), slots=None):
        return self.append(build(name, mods, operands, types, slots))

    def address(self, buffer: int, size: int) -> SSAValue:
        """Returns the address of the thread's element of a buffer."""
        offset = self.add("mul", "wide.u32", [self.tid], [B64], layout((0,), imm(size))).results[0]
        return self.add("add", "s64", [self.pointers[buffer], offset], [B64]).results[0]

    def load(self, buffer: int, type_) -> SSAValue:
        """Loads the thread's element of a buffer with elements of eight bytes or more."""
        width = max(type_.width, 8)
        at = self.address(buffer, 16)
        if width == 8:
            raw = self.add("ld", "global.u8", [at], [B16], layout(addr())).results[0]
            return self.add("setp", "ne.s16", [raw], [PRED], layout((0,), imm(0))).results[0]
        return self.add("ld", f"global.b{width}", [at], [type_], layout(addr())).results[0]

    def store(self, buffer: int, value: SSAValue) -> None:
        """Stores the thread's element."""
        at = self.address(buffer, 16)
        width = value.type.width
        if width == 1:
            value = self.add("selp", "b16", [value], [B16], layout(imm(1), imm(0), (0,))).results[0]
            width = 16
        self.add("st", f"global.b{width}", [at, value], (), layout(addr(), (0,)))

    def module(self) -> ModuleOp:
        fast.append(self.block, RetOp.create())
        params = [param("b64", name=name) for name in self.names]
        function = func("k", params, None, Region(self.block), kernel=True, linkage="visible")
        module = ModuleOp([function])
        module.verify()
        return module


def column(values: Sequence[int]) -> np.ndarray:
    """A buffer of 16-byte elements."""
    return np.array([[v & (1 << 64) - 1, v >> 64] for v in values], np.uint64)


def execute(
    opcode: str, columns: Sequence[Sequence[int]], immediates: Sequence[int | None] | None = None
) -> list[list[int]]:
    """Runs a pure instruction, a thread for each element; columns are bits of the operands.

    `immediates[i]` in place of a column makes operand `i` an immediate.
    """
    name, mods = split(opcode)
    signature = INSTRUCTIONS[name].row.signature(mods)
    assert signature is not None
    immediates = immediates or [None] * len(columns)
    results = [s for s in signature.results for _ in range(s.count or 1)]
    kernel = Kernel(len(columns) + len(results))
    values: list[SSAValue] = []
    slots: list = []
    operands = list(signature.operands)
    flat = []
    for spec in operands:
        flat += [spec] * (spec.count or 1)
    at = 0
    for spec in operands:
        group = []
        for _ in range(spec.count or 1):
            if at >= len(columns):
                break
            if immediates[at] is not None:
                group.append(imm(immediates[at]))
            else:
                values.append(kernel.load(at, register_for(spec.type_ or "b32")))
                group.append((0,))
            at += 1
        if not group:
            break
        slots.append(vec(*group) if spec.count else group[0])
    types = [register_for(s.type_) for s in results]
    op = kernel.add(name, mods, values, types, layout(*slots))
    for i, result in enumerate(op.results):
        kernel.store(len(columns) + i, result)
    count = max((len(c) for c in columns), default=1)
    outs = [np.zeros((count, 2), np.uint64) for _ in results]
    launch(kernel.module(), "k", 1, count, [*(column(c) for c in columns), *outs])
    return [[int(low) | int(high) << 64 for low, high in out] for out in outs]
