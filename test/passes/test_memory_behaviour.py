"""Random programs on stack slots compute the same before and after the passes that split slots.

Slots are filled, copied into each other in parts, and accessed at all sizes and offsets, in branches and
loops; at the end the first slot is stored to host-visible memory.
"""

from __future__ import annotations

import random

import numpy as np
import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab import Launch, find_difference

TYPES = {
    "i8": 1, "i16": 2, "i32": 4, "i64": 8, "float": 4, "double": 8, "half": 2,
    "<2 x float>": 8, "<4 x i16>": 8, "<2 x i32>": 8, "<4 x i8>": 4,
}  # fmt: skip
SLOTS = (
    ("{ i32, i32, float, i16 }", 16),
    ("{ i8, i32, i64 }", 16),
    ("[4 x float]", 16),
    ("i64", 8),
    ("<2 x float>", 8),
    ("{ { i16, i16 }, float, { i8, i8 }, i32 }", 16),
    ("double", 8),
)


class Program:
    """Returns the text of one random kernel."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.count = 0
        self.slots = [(f"%s{i}", *self.rng.choice(SLOTS)) for i in range(self.rng.randint(1, 4))]

    def name(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def emit(self, text: str) -> None:
        self.lines.append("  " + text)

    def address(self, slot: str, offset: int) -> str:
        if offset == 0 and self.rng.random() < 0.5:
            return slot
        place = self.name()
        self.emit(f"{place} = getelementptr i8, ptr {slot}, i64 {offset}")
        return place

    def as_i64(self, value: str, type_: str) -> str:
        width = 8 * TYPES[type_]
        if type_ != f"i{width}":
            cast = self.name()
            self.emit(f"{cast} = bitcast {type_} {value} to i{width}")
            value = cast
        if width < 64:
            cast = self.name()
            self.emit(f"{cast} = zext i{width} {value} to i64")
            value = cast
        return value

    def from_i64(self, value: str, type_: str) -> str:
        width = 8 * TYPES[type_]
        if width < 64:
            cast = self.name()
            self.emit(f"{cast} = trunc i64 {value} to i{width}")
            value = cast
        if type_ != f"i{width}":
            cast = self.name()
            self.emit(f"{cast} = bitcast i{width} {value} to {type_}")
            value = cast
        return value

    def step(self, known: list[str]) -> None:
        rng = self.rng
        slot, _, size = rng.choice(self.slots)
        kind = rng.random()
        if kind < 0.3:
            type_ = rng.choice([t for t, n in TYPES.items() if n <= size])
            offset = rng.randint(0, size - TYPES[type_])
            place = self.address(slot, offset - offset % rng.choice((1, TYPES[type_])))
            value = self.from_i64(rng.choice(known), type_)
            self.emit(f"store {type_} {value}, ptr {place}, align 1")
        elif kind < 0.5:
            type_ = rng.choice([t for t, n in TYPES.items() if n <= size])
            offset = rng.randint(0, size - TYPES[type_])
            place = self.address(slot, offset - offset % rng.choice((1, TYPES[type_])))
            value = self.name()
            self.emit(f"{value} = load {type_}, ptr {place}, align 1")
            known.append(self.as_i64(value, type_))
        elif kind < 0.92:
            other, _, other_size = rng.choice(self.slots)
            if other == slot:
                return
            length = rng.randint(0, min(size, other_size))
            to = self.address(slot, rng.randint(0, size - length))
            source = self.address(other, rng.randint(0, other_size - length))
            self.emit(
                f"call void @llvm.memcpy.p0.p0.i64(ptr {to}, ptr {source}, i64 {length}, i1 false)"
            )
        else:
            length = rng.randint(0, size)
            to = self.address(slot, rng.randint(0, size - length))
            byte = rng.randint(0, 255)
            self.emit(f"call void @llvm.memset.p0.i64(ptr {to}, i8 {byte}, i64 {length}, i1 false)")

    def text(self) -> str:
        rng = self.rng
        for slot, type_, _ in self.slots:
            self.emit(f"{slot} = alloca {type_}, align 8")
        for slot, _, size in self.slots:
            self.emit(
                f"call void @llvm.memset.p0.i64(ptr {slot}, i8 {rng.randint(0, 255)}, i64 {size}, i1 false)"
            )
        self.emit("%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()")
        self.emit("%index = zext i32 %tid to i64")
        self.emit("%from = getelementptr i64, ptr %in, i64 %index")
        self.emit("%given = load i64, ptr %from")
        known = ["%given", "%index"]
        for block in range(rng.randint(1, 4)):
            for _ in range(rng.randint(1, 6)):
                self.step(known)
            bit = self.name()
            self.emit(f"{bit} = and i64 {rng.choice(known)}, {1 << rng.randint(0, 3)}")
            test = self.name()
            self.emit(f"{test} = icmp eq i64 {bit}, 0")
            if rng.random() < 0.4:
                start = f"before{block}"
                self.emit(f"br label %{start}")
                self.lines.append(f"{start}:")
                self.emit(f"br label %loop{block}")
                self.lines.append(f"loop{block}:")
                self.emit(f"%i{block} = phi i64 [ 0, %{start} ], [ %n{block}, %loop{block} ]")
                inner = [*known, f"%i{block}"]
                for _ in range(rng.randint(1, 4)):
                    self.step(inner)
                self.emit(f"%n{block} = add i64 %i{block}, 1")
                self.emit(f"%c{block} = icmp ult i64 %n{block}, {rng.randint(1, 3)}")
                self.emit(f"br i1 %c{block}, label %loop{block}, label %join{block}")
            else:
                self.emit(f"br i1 {test}, label %then{block}, label %join{block}")
                self.lines.append(f"then{block}:")
                inner = list(known)
                for _ in range(rng.randint(1, 4)):
                    self.step(inner)
                self.emit(f"br label %join{block}")
            self.lines.append(f"join{block}:")
        # The other slots hold parts that are only copied.
        for slot, _, size in self.slots[:1]:
            for offset in range(0, size, 8):
                place = self.address(slot, offset)
                value = self.name()
                self.emit(f"{value} = load i64, ptr {place}, align 1")
                known.append(value)
        total = "%index"
        for value in known[2:]:
            turned, mixed = self.name(), self.name()
            self.emit(f"{turned} = mul i64 {total}, 1099511628211")
            self.emit(f"{mixed} = xor i64 {turned}, {value}")
            total = mixed
        self.emit("%to = getelementptr i64, ptr %out, i64 %index")
        self.emit(f"store i64 {total}, ptr %to")
        self.emit("ret void")
        body = "\n".join(self.lines)
        return (
            'target triple = "nvptx64-nvidia-cuda"\n'
            f"define ptx_kernel void @fuzz(ptr %in, ptr %out) {{\n{body}\n}}\n"
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"
            "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
        )


def difference(seed: int, pipeline: str, *, machine: bool = False):
    rng = np.random.default_rng(seed)
    given = rng.integers(-(1 << 63), (1 << 63) - 1, 8)
    launch = Launch("fuzz", 1, 8, (given, np.zeros(8, np.int64)))
    module = read_ll(Program(seed).text(), f"<seed {seed}>")
    return find_difference(module, pipeline, [launch], machine=machine, checks=())


@pytest.mark.parametrize("seed", range(40))
def test_split_slots(seed: int):
    found = difference(seed, "sroa,mem2reg,instsimplify,early-cse,simplifycfg,dce")
    assert found is None, str(found)


@pytest.mark.parametrize("seed", range(100, 110))
def test_remaining_slots_are_local(seed: int):
    found = difference(seed, "infer-address-spaces,early-cse,dce", machine=True)
    assert found is None, str(found)
