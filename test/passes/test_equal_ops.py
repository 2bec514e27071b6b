"""Passes that merge equal ops keep ops apart that differ only in a type, a property or a constant.

The kernel of each pair has two such ops at the ends of two blocks, as stored values, in sequence, and in two
functions.
"""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.scale import chosen
from xdsl.dialects.builtin import ModuleOp

import nvvm_xdsl
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.lab.behaviour import Comparison
from nvvm_xdsl.lab.fuzz import ir_passes
from nvvm_xdsl.lab.launches import Launch
from nvvm_xdsl.lab.measure import executable
from nvvm_xdsl.simulator import launch

Op = tuple[str, str]
"""The type of the operand `%x`, and the instructions that compute `%r` from it."""


def cast(op: str, one: str, other: str, result: str) -> tuple[Op, Op, str]:
    return (
        (one, f"%r = {op} {one} %x to {result}"),
        (other, f"%r = {op} {other} %x to {result}"),
        result,
    )


def compare(condition: str, type_: str) -> Op:
    return (
        type_,
        f"%y = {condition} {type_} %x, {'7.0' if condition[0] == 'f' else 7}; %r = zext i1 %y to i8",
    )


def sum_of(count: int) -> Op:
    type_ = f"<{count} x i32>"
    return type_, f"%r = call i32 @llvm.vector.reduce.add.v{count}i32({type_} %x)"


def element_of(type_: str) -> Op:
    return type_, f"%r = extractelement {type_} %x, i32 1"


def field(number: int) -> Op:
    return "{ i32, i32 }", f"%r = extractvalue {{ i32, i32 }} %x, {number}"


def shuffle(first: int, second: int) -> Op:
    pair = "<2 x i32>"
    mask = f"{pair} <i32 {first}, i32 {second}>"
    return pair, f"%r = shufflevector {pair} %x, {pair} %x, {mask}"


def address(type_: str, index: int = 0) -> Op:
    return "i64", (
        f"%y = getelementptr [4 x {type_}], ptr %in, i64 %x, i64 {index};"
        "%z = ptrtoint ptr %in to i64; %w = ptrtoint ptr %y to i64; %r = sub i64 %w, %z"
    )


PAIRS = {
    "sext of i8 and i16": cast("sext", "i8", "i16", "i32"),
    "sext of i8 and i32": cast("sext", "i8", "i32", "i64"),
    "zext of i16 and i32": cast("zext", "i16", "i32", "i64"),
    "trunc of i64 and i16": cast("trunc", "i64", "i16", "i8"),
    "trunc of i64 and i32": cast("trunc", "i64", "i32", "i16"),
    "sitofp of i8 and i16": cast("sitofp", "i8", "i16", "float"),
    "uitofp of i32 and i64": cast("uitofp", "i32", "i64", "double"),
    "fptosi of float and double": cast("fptosi", "float", "double", "i32"),
    "fptosi of half and bfloat": cast("fptosi", "half", "bfloat", "i32"),
    "fpext of half and float": cast("fpext", "half", "float", "double"),
    "fpext of half and bfloat": cast("fpext", "half", "bfloat", "float"),
    "fptrunc of float and double": cast("fptrunc", "float", "double", "half"),
    "bitcast of halves and float": cast("bitcast", "<2 x half>", "float", "i32"),
    "bitcast of vectors": cast("bitcast", "<2 x i16>", "<4 x i8>", "i32"),
    "integers compared": (compare("icmp slt", "i8"), compare("icmp slt", "i32"), "i8"),
    "floats compared": (compare("fcmp olt", "half"), compare("fcmp olt", "double"), "i8"),
    "predicates": (compare("icmp slt", "i32"), compare("icmp ult", "i32"), "i8"),
    "sizes of vectors": (element_of("<2 x i32>"), element_of("<4 x i32>"), "i32"),
    "sums of vectors": (sum_of(2), sum_of(4), "i32"),
    "fields": (field(0), field(1), "i32"),
    "masks": (shuffle(0, 1), shuffle(1, 0), "<2 x i32>"),
    "sizes of array elements": (address("i8"), address("i32"), "i64"),
    "constant indices": (address("i32", 1), address("i32", 2), "i64"),
}

KERNEL = """
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.vector.reduce.add.v2i32(<2 x i32>)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
define internal RESULT @f(ptr %in, ptr %p) noinline {
  %x = load ONE, ptr %p, align 1
  MAKE_ONE(%x)
  ret RESULT %r
}
define internal RESULT @g(ptr %in, ptr %p) noinline {
  %x = load OTHER, ptr %p, align 1
  MAKE_OTHER(%x)
  ret RESULT %r
}
define ptx_kernel void @k(ptr %in, ptr %out, ptr %log) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %odd = and i32 %t, 1
  %c = icmp eq i32 %odd, 0
  %l = getelementptr i8, ptr %log, i64 %i
  %p = getelementptr [16 x i8], ptr %in, i64 %i
  %q = getelementptr i8, ptr %p, i64 128
  %u = load ONE, ptr %p, align 1
  %v = load OTHER, ptr %q, align 1
  %o = getelementptr [96 x i8], ptr %out, i64 %i
  %o1 = getelementptr i8, ptr %o, i64 16
  %o2 = getelementptr i8, ptr %o, i64 32
  %o3 = getelementptr i8, ptr %o, i64 48
  %o4 = getelementptr i8, ptr %o, i64 64
  %o5 = getelementptr i8, ptr %o, i64 80
  br i1 %c, label %then, label %else
then:
  store volatile i8 1, ptr %l
  MAKE_ONE.1(%u)
  br label %join
else:
  store volatile i8 2, ptr %l
  MAKE_OTHER.2(%v)
  br label %join
join:
  %chosen = phi RESULT [ %r.1, %then ], [ %r.2, %else ]
  store RESULT %chosen, ptr %o, align 1
  br i1 %c, label %then.store, label %else.store
then.store:
  store volatile i8 3, ptr %l
  store ONE %u, ptr %o1, align 1
  br label %end
else.store:
  store volatile i8 4, ptr %l
  store OTHER %v, ptr %o1, align 1
  br label %end
end:
  MAKE_ONE.3(%u)
  MAKE_OTHER.4(%v)
  store RESULT %r.3, ptr %o2, align 1
  store RESULT %r.4, ptr %o3, align 1
  %f = call RESULT @f(ptr %in, ptr %p)
  %g = call RESULT @g(ptr %in, ptr %q)
  store RESULT %f, ptr %o4, align 1
  store RESULT %g, ptr %o5, align 1
  ret void
}
"""

THREADS = 8
FLOATS = {"half": np.float16, "float": np.float32, "double": np.float64}


def kernel(one: Op, other: Op, result: str) -> ModuleOp:
    def make(found: re.Match[str]) -> str:
        name, suffix, operand = found.groups()
        text = (one if name == "ONE" else other)[1].replace("%x", operand)
        return re.sub(r"%([yzwr])\b", rf"%\1{suffix}", text).replace(";", "\n ")

    text = re.sub(r"MAKE_(\w+?)((?:\.\d)?)\((%\w)\)", make, KERNEL)
    return read_ll(text.replace("ONE", one[0]).replace("OTHER", other[0]).replace("RESULT", result))


def samples(type_: str) -> np.ndarray:
    """16 bytes for each thread: small floats, or any bytes."""
    data = np.random.default_rng(1).integers(0, 256, (THREADS, 16), np.uint8)
    numbers = np.arange(THREADS) * 2.5 - 6
    if type_ in FLOATS:
        found = numbers.astype(FLOATS[type_])
    elif type_ == "bfloat":
        found = (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    elif type_ == "i64":
        found = np.arange(THREADS, dtype=np.int64)
    else:
        return data
    data[:, : found.itemsize] = found.view(np.uint8).reshape(THREADS, -1)
    return data


def launches(one: Op, other: Op) -> list[Launch]:
    data = np.concatenate([samples(one[0]), samples(other[0])]).reshape(-1)
    return [
        Launch(
            "k", 1, THREADS, (data, np.zeros(THREADS * 96, np.uint8), np.zeros(THREADS, np.uint8))
        )
    ]


MERGING = (
    "simplifycfg<hoist-common-insts;sink-common-insts>",
    "early-cse",
    "gvn",
    "gvn-hoist",
    "slp-vectorizer{arch=90}",
    "mergefunc",
)
"""Passes that compare ops."""

LEVELS = ("nvopt<O1;short>", "nvopt<O3>")


@pytest.mark.parametrize("name", PAIRS)
def test_unequal_ops_are_not_merged(name: str):
    check(name, MERGING, machine=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
def test_every_pass_and_level(name: str):
    check(
        name,
        [p for p in ir_passes() if p not in MERGING and chosen(f"{name} {p}", 8)],
        machine=False,
    )
    check(name, ("", *LEVELS), machine=True)


def check(name: str, pipelines: list[str] | tuple[str, ...], *, machine: bool) -> None:
    one, other, result = PAIRS[name]
    module = kernel(one, other, result)
    comparison = Comparison(module, launches(one, other), ("init",))
    found = [comparison.difference(p, machine=machine) for p in pipelines]
    assert not any(found), found


# Generated by clang 22 from float r; if (n > 3) { log[0] = n; r = a[n]; } else { log[1] = 7; r =
# b[n]; } *out = r;
CUDA = """
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %a, ptr %b, ptr %out, ptr %log, i32 %n) {
entry:
  %r = alloca float, align 4
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %then, label %else
then:
  store i32 %n, ptr %log, align 4
  %i = sext i32 %n to i64
  %p = getelementptr inbounds i8, ptr %a, i64 %i
  %x = load i8, ptr %p, align 1
  %f = sitofp i8 %x to float
  store float %f, ptr %r, align 4
  br label %end
else:
  %second = getelementptr inbounds i32, ptr %log, i64 1
  store i32 7, ptr %second, align 4
  %j = sext i32 %n to i64
  %q = getelementptr inbounds i16, ptr %b, i64 %j
  %y = load i16, ptr %q, align 2
  %g = sitofp i16 %y to float
  store float %g, ptr %r, align 4
  br label %end
end:
  %result = load float, ptr %r, align 4
  store float %result, ptr %out, align 4
  ret void
}
"""


@pytest.mark.parametrize("level", range(4))
def test_conversions_of_chars_and_shorts(level: int):
    """The kernel returned 251 instead of -5 when the two conversions were merged."""
    program = executable(nvvm_xdsl.compile(CUDA, arch="sm_80", opt_level=level), None).program
    chars, shorts = np.full(8, -5, np.int8), np.full(8, -300, np.int16)
    for n, wanted in ((5, -5), (2, -300)):
        out, log = np.zeros(1, np.float32), np.zeros(2, np.int32)
        launch(program, "k", 1, 1, [chars, shorts, out, log, n])
        assert out[0] == wanted
        assert log.tolist() == ([n, 0] if n > 3 else [0, 7])
