"""Random expressions of bytes: their parts are their sources, and the pass preserves their values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.dialects import llvm

import nvvm_xdsl
from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.passes.scalar.byte_parts import BytePartsFinder
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator.straight_line import evaluate

WORDS = ("%x", "%y", "%l")
INPUTS = [(0, 0), (2**32 - 1, 2**64 - 1), (0x12F45678, 0xDEADBEEF00FF8001), (0x80808080, 0x7F)]


class Text:
    """LLVM assembly that grows by one line at a time."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def add(self, text: str) -> str:
        self.lines.append(f"%v{len(self.lines)} = {text}")
        return f"%v{len(self.lines) - 1}"

    def byte(self, word: str, place: int, is_signed: bool, way: int) -> str:
        """A byte of a word, extended to 32 bits in one of the forms that compilers emit."""
        if word == "%l":
            shifted = self.add(f"lshr i64 %l, {place * 8}")
            word, place = self.add(f"trunc i64 {shifted} to i32"), 0
        if is_signed and way == 0:
            up = self.add(f"shl i32 {word}, {24 - 8 * place}")
            return self.add(f"ashr i32 {up}, 24")
        down = self.add(f"{('lshr', 'ashr')[way]} i32 {word}, {8 * place}")
        if not is_signed and way == 1:
            return self.add(f"and i32 {down}, 255")
        narrow = self.add(f"trunc i32 {down} to i8")
        return self.add(f"{'sext' if is_signed else 'zext'} i8 {narrow} to i32")


BYTE = st.tuples(st.sampled_from(WORDS), st.integers(0, 3), st.booleans(), st.integers(0, 1))


def source(body: Text, result: str) -> str:
    return (
        "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i32 @llvm.bswap.i32(i32)\n"
        "define ptx_kernel void @k(ptr addrspace(1) %p, i32 %x, i64 %l) {\n"
        "%y = load i32, ptr addrspace(1) %p\n"
        + "\n".join(body.lines)
        + f"\nstore i32 {result}, ptr addrspace(1) %p\nret void\n}}\n"
    )


def check(text: str) -> str:
    launches = [
        Launch("k", args=(np.array([x ^ 0x5A17F00D], np.uint32), np.uint32(x), np.uint64(wide)))
        for x, wide in INPUTS
    ]
    assert_same_behaviour(nvvm_xdsl.parse(text), "packed-bytes", launches)
    module = nvvm_xdsl.parse(text)
    run_pipeline(module, "packed-bytes")
    return str(module)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.lists(BYTE, min_size=4, max_size=4), st.booleans())
def test_assembled_bytes(picked, with_sign):
    body = Text()
    pieces = []
    for place, (word, at, _, way) in enumerate(picked):
        byte = body.byte(word, at, is_signed=with_sign and place == 3, way=way)
        pieces.append(body.add(f"shl i32 {byte}, {8 * place}"))
    whole = pieces[0]
    for piece in pieces[1:]:
        whole = body.add(f"or i32 {whole}, {piece}")
    assert "llvm.or" not in check(source(body, whole))


TERMS = st.lists(
    st.tuples(BYTE, st.one_of(BYTE, st.integers(-130, 260)), st.booleans()), min_size=2, max_size=9
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(TERMS)
def test_sums_of_products(terms):
    body = Text()
    total = "%y"
    for one, other, is_behind in terms:
        a = body.byte(*one)
        b = str(other) if isinstance(other, int) else body.byte(*other)
        product = body.add(f"mul i32 {a}, {b}")
        operands = (product, total) if is_behind else (total, product)
        total = body.add(f"add i32 {operands[0]}, {operands[1]}")
    check(source(body, total))


@pytest.mark.parametrize("is_signed", [False, True])
def test_four_byte_products_become_one_dot_product(is_signed):
    body = Text()
    total = "%y"
    for place in range(4):
        a, b = (body.byte(word, place, is_signed, 1) for word in ("%x", "%l"))
        product = body.add(f"mul i32 {a}, {b}")
        total = body.add(f"add i32 {total}, {product}")
    text = check(source(body, total))
    assert text.count("idp4a.s.s" if is_signed else "idp4a.u.u") == 1
    assert "llvm.mul" not in text
    assert "prmt" not in text


STEPS = st.lists(
    st.tuples(
        st.sampled_from(("shl", "lshr", "ashr", "and", "or", "bswap", "fshl", "i16", "lanes")),
        st.integers(0, 3),
        st.integers(0, 15),
        st.integers(0, 100),
    ),
    min_size=1,
    max_size=8,
)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(STEPS)
def test_source_bytes_of_each_result_byte(steps):
    body = Text()
    values = ["%x", "%y"]
    for kind, amount, mask, pick in steps:
        a, b = values[pick % len(values)], values[amount % len(values)]
        kept = sum(255 << 8 * i for i in range(4) if mask >> i & 1)
        if kind == "i16":
            narrow = body.add(f"trunc i32 {a} to i16")
            made = body.add(f"{'sext' if mask & 1 else 'zext'} i16 {narrow} to i32")
        elif kind == "lanes":
            lanes = body.add(f"bitcast i32 {a} to <4 x i8>")
            others = body.add(f"bitcast i32 {b} to <4 x i8>")
            lane = body.add(f"extractelement <4 x i8> {others}, i32 {mask & 3}")
            filled = body.add(f"insertelement <4 x i8> {lanes}, i8 {lane}, i32 {amount}")
            order = ", ".join(f"i32 {(mask + i * amount) % 8}" for i in range(4))
            mixed = body.add(
                f"shufflevector <4 x i8> {filled}, <4 x i8> {others}, <4 x i32> <{order}>"
            )
            made = body.add(f"bitcast <4 x i8> {mixed} to i32")
        elif kind == "bswap":
            made = body.add(f"call i32 @llvm.bswap.i32(i32 {a})")
        elif kind == "fshl":
            made = body.add(f"call i32 @llvm.fshl.i32(i32 {a}, i32 {b}, i32 {8 * amount})")
        else:
            by = {"and": str(kept), "or": b}.get(kind, str(8 * amount))
            made = body.add(f"{kind} i32 {a}, {by}")
        values.append(made)
    text = "\n".join(body.lines)
    module = nvvm_xdsl.parse(
        "declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i32 @llvm.bswap.i32(i32)\n"
        f"define i32 @f(i32 %x, i32 %y) {{\n{text}\nret i32 {values[-1]}\n}}\n"
    )
    (func,) = (op for op in module.walk() if isinstance(op, llvm.FuncOp) and op.body.blocks)
    ops = [op for op in func.body.block.ops if not isinstance(op, llvm.ReturnOp)]
    x, y = func.body.block.args
    inputs = {
        x: np.array([0, 2**32 - 1, 0x12345678, 0xDEADBEEF, 0x80, 1 << 31], np.uint32),
        y: np.array([1, 0x7F80FF00, 0x9ABCDEF0, 0x00FF00FF, 0x8000, 0], np.uint32),
    }
    words = [op.results[0] for op in ops if str(op.results[0].type) == "i32"]
    words = [v for v in words if not isinstance(v.owner, llvm.ConstantOp)]
    found = evaluate(ops, inputs, words)
    known = dict(zip(words, (f.values for f in found))) | inputs
    finder = BytePartsFinder()
    for value in words:
        parts = finder.find(value)
        if any(part is not None and part.source not in known for part in parts):
            continue
        want = np.zeros(6, np.uint64)
        for place, part in enumerate(parts):
            if part is None:
                continue
            byte = known[part.source].astype(np.uint64) >> np.uint64(8 * part.place) & np.uint64(
                255
            )
            if part.is_sign:
                byte = (byte >> np.uint64(7)) * np.uint64(255)
            want |= byte << np.uint64(8 * place)
        assert (known[value].astype(np.uint64) == want).all(), (str(value), parts)
