"""Loads, stores, copies, vectors and atomics: equal bytes at both levels."""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers.differential import check

from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.driver.compile import compile
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.diagnostics import DiagnosticError
from nvvm_xdsl.pipeline.selection import select
from nvvm_xdsl.simulator import launch

SIZES = {
    **{"i8": 1, "i16": 2, "i24": 3, "i32": 4, "i40": 5, "i48": 6, "i56": 7, "i64": 8},
    **{"i96": 12, "i128": 16, "half": 2, "bfloat": 2, "float": 4, "double": 8, "ptr": 8},
    **{"<2 x half>": 4, "<4 x half>": 8, "<8 x half>": 16, "<3 x half>": 6, "<2 x i8>": 2},
    **{"<4 x i8>": 4, "<8 x i8>": 8, "<16 x i8>": 16, "<2 x i16>": 4, "<8 x i16>": 16},
    **{"<2 x i32>": 8, "<3 x i32>": 12, "<4 x i32>": 16, "<4 x float>": 16, "<2 x i64>": 16},
    **{"<2 x double>": 16, "{i8, i32}": 8, "[3 x i16]": 6, "<{i8, i32, i16}>": 7},
    "{i8, i8, i16, float}": 8,
}


@pytest.mark.parametrize("sm", [75, 100])
def test_loads_and_stores_of_every_alignment(sm: int):
    bodies: list[tuple[str, str]] = []
    for type_, size in SIZES.items():
        for alignment in (1, 2, 4, 16):
            offset = 4 if alignment <= 4 and size <= 12 else 0
            bodies.append(
                (
                    "i128",
                    "%u = alloca i128, align 16; store i128 0, ptr %u;"
                    f"%v = getelementptr i8, ptr %at.a, i64 {offset};"
                    f"%w = load {type_}, ptr %v, align {alignment};"
                    f"store {type_} %w, ptr %u, align {alignment}; %r = load i128, ptr %u",
                )
            )
    for start in range(0, len(bodies), 60):
        check(["i128"], bodies[start : start + 60], sm=sm)


def test_bits_in_memory():
    check(
        ["i64"],
        [
            ("i8", "%x = icmp slt i64 %a, 3; store i1 %x, ptr %at.a; %r = load i8, ptr %at.a"),
            ("i8", "store i8 1, ptr %at.a; %x = load i1, ptr %at.a; %r = sext i1 %x to i8"),
            ("i8", "store i8 0, ptr %at.a; %x = load i1, ptr %at.a; %r = sext i1 %x to i8"),
        ],
    )


@pytest.mark.parametrize("type_", ["<3 x i1>", "<8 x i1>", "<17 x i1>", "<5 x i4>"])
def test_vectors_of_bits_are_stored_as_one_integer(type_: str):
    count = int(type_[1:].split()[0]) * int(type_[:-1].split("i")[1])
    same = f"%n = trunc i64 %a to i{count}; %v = bitcast i{count} %n to {type_}"
    check(
        ["i64"],
        [
            ("i64", f"store i64 0, ptr %at.a; {same}; store {type_} %v, ptr %at.a; %r = load i64, ptr %at.a"),
            (f"i{count}", f"%v = load {type_}, ptr %at.a; %r = bitcast {type_} %v to i{count}"),
        ],
    )  # fmt: skip


def test_vectors_of_bits_are_passed_and_returned():
    passed = "{i8, <3 x i1>, <2 x half>, [2 x <9 x i1>]}"
    check(
        ["i3", "i9", "half"],
        [
            (
                "i3",
                "%v = bitcast i3 %a to <3 x i1>; %w = call <3 x i1> @not3(<3 x i1> %v);"
                "%r = bitcast <3 x i1> %w to i3",
            ),
            (
                "i9",
                "%v = bitcast i9 %b to <9 x i1>; %u = insertelement <2 x half> zeroinitializer, half %c, i32 1;"
                f"%x1 = insertvalue {passed} zeroinitializer, <2 x half> %u, 2;"
                f"%x2 = insertvalue {passed} %x1, <9 x i1> %v, 3, 1;"
                f"%t = call {passed} @swapped({passed} %x2);"
                f"%w = extractvalue {passed} %t, 3, 0; %r = bitcast <9 x i1> %w to i9",
            ),
            (
                "half",
                "%u = insertelement <2 x half> zeroinitializer, half %c, i32 1;"
                f"%x1 = insertvalue {passed} zeroinitializer, <2 x half> %u, 2;"
                f"%t = call {passed} @swapped({passed} %x1);"
                f"%w = extractvalue {passed} %t, 2; %r = extractelement <2 x half> %w, i32 1",
            ),
        ],
        head=f"""
define internal <3 x i1> @not3(<3 x i1> %v) noinline {{
  %r = xor <3 x i1> %v, splat (i1 true)
  ret <3 x i1> %r
}}
define internal {passed} @swapped({passed} %s) noinline {{
  %x = extractvalue {passed} %s, 3, 0
  %y = extractvalue {passed} %s, 3, 1
  %a = insertvalue {passed} %s, <9 x i1> %y, 3, 0
  %b = insertvalue {passed} %a, <9 x i1> %x, 3, 1
  ret {passed} %b
}}
""",
    )


def test_bitcasts():
    groups = (
        ("i64", "double", "<2 x i32>", "<2 x float>", "<4 x i16>", "<4 x half>", "<8 x i8>"),
        ("i32", "float", "<2 x i16>", "<2 x half>", "<4 x i8>"),
        ("i16", "half", "bfloat", "<2 x i8>"),
        ("i128", "<2 x i64>", "<4 x float>", "<8 x half>", "<16 x i8>"),
        ("i96", "<3 x float>", "<6 x half>", "<3 x i32>"),
    )
    for group in groups:
        whole = group[0]
        bodies: list[tuple[str, str]] = []
        for source in group[1:]:
            for target in group:
                if source != target:
                    first = f"%x = bitcast {whole} %a to {source}"
                    bodies.append((target, f"{first}; %r = bitcast {source} %x to {target}"))
        check([whole], bodies)


VECTORS = (
    ("<4 x i32>", "i32", 4),
    ("<2 x half>", "half", 2),
    ("<8 x half>", "half", 8),
    ("<2 x bfloat>", "bfloat", 2),
    ("<4 x float>", "float", 4),
    ("<16 x i8>", "i8", 16),
    ("<2 x i64>", "i64", 2),
)


@pytest.mark.parametrize(("vector", "element", "count"), VECTORS)
def test_vectors(vector: str, element: str, count: int):
    rng = random.Random(count)
    bodies: list[tuple[str, str]] = []
    for i in range(min(count, 4)):
        bodies.append((element, f"%r = extractelement {vector} %a, i32 {i}"))
        last = f"%x = extractelement {vector} %b, i32 {count - 1 - i}"
        bodies.append((vector, f"{last}; %r = insertelement {vector} %a, {element} %x, i32 {i}"))
    index = f"%t = and i32 %c, {count - 1}"
    bodies.append((element, f"{index}; %r = extractelement {vector} %a, i32 %t"))
    first = f"%x = extractelement {vector} %b, i32 0"
    bodies.append(
        (vector, f"{index}; {first}; %r = insertelement {vector} %a, {element} %x, i32 %t")
    )
    masks = [[rng.randrange(2 * count) for _ in range(count)] for _ in range(5)]
    masks.append([(k + 2) % (2 * count) for k in range(count)])
    for mask in masks:
        text = ", ".join(f"i32 {k}" for k in mask)
        shuffle = f"shufflevector {vector} %a, {vector} %b, <{count} x i32> <{text}>"
        bodies.append((vector, f"%r = {shuffle}"))
    # The elements in reverse, inserted one by one into an undefined vector.
    chain = [f"%y{i} = extractelement {vector} %a, i32 {count - 1 - i}" for i in range(count)]
    for i in range(count):
        before = "undef" if i == 0 else f"%u{i - 1}"
        chain.append(f"%u{i} = insertelement {vector} {before}, {element} %y{i}, i32 {i}")
    bodies.append((vector, "; ".join(chain) + f"; %r = freeze {vector} %u{count - 1}"))
    if element[0] == "i":
        bodies += [(vector, f"%r = {op} {vector} %a, %b") for op in ("add", "sub", "mul", "xor")]
        test = f"%x = icmp slt {vector} %a, %b"
    else:
        bodies += [
            (vector, f"%r = {op} {vector} %a, %b") for op in ("fadd", "fsub", "fmul", "fdiv")
        ]
        bodies.append((vector, f"%r = fneg {vector} %a"))
        test = f"%x = fcmp olt {vector} %a, %b"
    bodies.append((vector, f"{test}; %r = select <{count} x i1> %x, {vector} %a, {vector} %b"))
    for sm in (75, 90):
        check([vector, vector, "i32"], bodies, sm=sm)


def test_reductions():
    bodies: list[tuple[str, str]] = []
    head: list[str] = []
    for name in ("add", "mul", "and", "or", "xor", "smax", "smin", "umax", "umin"):
        head.append(f"declare i32 @llvm.vector.reduce.{name}.v4i32(<4 x i32>)")
        bodies.append(("i32", f"%r = call i32 @llvm.vector.reduce.{name}.v4i32(<4 x i32> %a)"))
    for name in ("fmax", "fmin"):
        head.append(f"declare float @llvm.vector.reduce.{name}.v4f32(<4 x float>)")
        call = f"%r = call float @llvm.vector.reduce.{name}.v4f32(<4 x float> %b)"
        bodies.append(("float", call))
    head.append("declare float @llvm.vector.reduce.fadd.v4f32(float, <4 x float>)")
    call = "%r = call float @llvm.vector.reduce.fadd.v4f32(float 1.0, <4 x float> %b)"
    bodies.append(("float", call))
    check(["<4 x i32>", "<4 x float>"], bodies, head="\n".join(head))


COPIES = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
"""


@pytest.mark.parametrize("alignment", [1, 4, 16])
def test_copies(alignment: int):
    a = alignment
    bodies: list[tuple[str, str]] = []

    def memset(place: str, value: str, size: str) -> str:
        return f"call void @llvm.memset.p0.i64(ptr align {a} {place}, i8 {value}, i64 {size}, i1 false)"

    def copy(kind: str, to: str, source: str, size: str) -> str:
        return (
            f"call void @llvm.{kind}.p0.p0.i64(ptr align {a} {to}, ptr align {a} {source}, "
            f"i64 {size}, i1 false)"
        )

    buffer = "%u = alloca [160 x i8], align 16"
    for size in (1, 3, 7, 16, 17, 64, 100):
        far = max(0, (size - 16) // 16 * 16)
        bodies.append(
            (
                "i128",
                f"{buffer}; %v = alloca [160 x i8], align 16; {memset('%u', str(size), '160')};"
                f"{memset('%v', '9', '160')}; store i128 %a, ptr %u;"
                f"{copy('memcpy', '%v', '%u', str(size))};"
                f"%w = getelementptr i8, ptr %v, i64 {far}; %r = load i128, ptr %w",
            )
        )
        for to, source in (("%u", "%v"), ("%v", "%u")):
            bodies.append(
                (
                    "i128",
                    f"{buffer}; {memset('%u', '%c', '160')}; store i128 %a, ptr %u;"
                    f"%v = getelementptr i8, ptr %u, i64 {a};"
                    f"{copy('memmove', to, source, str(size))}; %r = load i128, ptr %u",
                )
            )
    for kind, to, source in (("memmove", "%u", "%v"), ("memmove", "%v", "%u")):
        bodies.append(
            (
                "i128",
                f"{buffer}; {memset('%u', '%c', '160')}; store i128 %a, ptr %u; %t = and i64 %b, 63;"
                f"%v = getelementptr i8, ptr %u, i64 {a};"
                f"{copy(kind, to, source, '%t')}; %r = load i128, ptr %u",
            )
        )
    bodies.append(
        (
            "i128",
            f"{buffer}; {memset('%u', '1', '160')}; store i128 %a, ptr %u; %t = and i64 %b, 63;"
            f"%v = getelementptr i8, ptr %u, i64 64; {copy('memcpy', '%v', '%u', '%t')};"
            "%w = load i128, ptr %v; %x = load i128, ptr %u; %r = xor i128 %w, %x",
        )
    )
    bodies.append(
        (
            "i128",
            f"{buffer}; {memset('%u', '1', '160')}; %t = and i64 %b, 63; {memset('%u', '%c', '%t')};"
            "%v = getelementptr i8, ptr %u, i64 32; %w = load i128, ptr %v; %x = load i128, ptr %u;"
            "%r = xor i128 %w, %x",
        )
    )
    check(["i128", "i64", "i8"], bodies, head=COPIES)


INTEGER_ATOMICS = (
    "xchg add sub and or xor nand max min umax umin uinc_wrap udec_wrap usub_cond usub_sat".split()
)


@pytest.mark.parametrize("t", ["i8", "i16", "i32", "i64"])
def test_integer_atomics(t: str):
    bodies: list[tuple[str, str]] = []
    local = f"%u = alloca {t}; store {t} %b, ptr %u"
    for op in INTEGER_ATOMICS:
        bodies.append((t, f"%r = atomicrmw {op} ptr %at.a, {t} %b monotonic"))
        change = f"%x = atomicrmw {op} ptr %at.a, {t} %b acq_rel"
        bodies.append((t, f"{change}; %r = load {t}, ptr %at.a"))
        change = f"%x = atomicrmw {op} ptr %u, {t} %a seq_cst"
        bodies.append((t, f"{local}; {change}; %y = load {t}, ptr %u; %r = add {t} %x, %y"))
    pair = f"{{{t}, i1}}"
    for order in ("monotonic monotonic", "seq_cst seq_cst", "release monotonic", "acq_rel acquire"):
        exchange = f"%y = cmpxchg ptr %at.a, {t} %x, {t} %b {order}"
        bodies.append(
            (
                t,
                f"%x = load {t}, ptr %at.a; {exchange}; %z = load {t}, ptr %at.a;"
                f"%w = extractvalue {pair} %y, 0; %r = sub {t} %w, %z",
            )
        )
        exchange = f"%y = cmpxchg ptr %at.a, {t} %b, {t} %a {order}"
        bodies.append(("i8", f"{exchange}; %w = extractvalue {pair} %y, 1; %r = zext i1 %w to i8"))
    size = int(t[1:]) // 8
    for order in ("unordered", "monotonic", "acquire", "seq_cst"):
        bodies.append((t, f"%r = load atomic {t}, ptr %at.a {order}, align {size}"))
    for order in ("monotonic", "release", "seq_cst"):
        store = f"store atomic {t} %b, ptr %at.a {order}, align {size}"
        bodies.append((t, f"{store}; %r = load volatile {t}, ptr %at.a"))
    check([t, t], bodies)


@pytest.mark.parametrize("sm", [75, 90])
@pytest.mark.parametrize("t", ["half", "bfloat", "float", "double"])
def test_float_atomics(t: str, sm: int):
    bodies: list[tuple[str, str]] = []
    for op in ("xchg", "fadd", "fsub", "fmax", "fmin", "fmaximum", "fminimum"):
        bodies.append((t, f"%r = atomicrmw {op} ptr %at.a, {t} %b monotonic"))
        change = f"%x = atomicrmw {op} ptr %at.a, {t} %b monotonic"
        bodies.append((t, f"{change}; %r = load {t}, ptr %at.a"))
    check([t, t], bodies, sm=sm)


UNIFORM = """
target triple = "nvptx64-nvidia-cuda"
declare {type} @llvm.nvvm.ldu.global.{kind}.{suffix}.p1(ptr addrspace(1), i32)
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {{
  %r = call {type} @llvm.nvvm.ldu.global.{kind}.{suffix}.p1(ptr addrspace(1) %p, i32 {align})
  store {type} %r, ptr addrspace(1) %q
  ret void
}}
"""


@pytest.mark.parametrize(
    ("type_", "suffix", "size", "load"),
    [
        ("i8", "i8", 1, "ldu.global.u8"),
        ("i16", "i16", 2, "ldu.global.b16"),
        ("<2 x i8>", "v2i8", 2, "ldu.global.v2.u8"),
        ("<4 x i8>", "v4i8", 4, "ldu.global.v4.u8"),
        ("<2 x i32>", "v2i32", 8, "ldu.global.v2.b32"),
        ("<4 x float>", "v4f32", 16, "ldu.global.v4.f32"),
        ("ptr", "p0", 8, "ldu.global.b64"),
    ],
)
def test_uniform_loads(type_: str, suffix: str, size: int, load: str):
    kind = "p" if type_ == "ptr" else "f" if "float" in type_ else "i"
    text = UNIFORM.format(type=type_, kind=kind, suffix=suffix, align=size)
    memory, out = np.arange(200, 232, dtype=np.uint8), np.zeros(32, np.uint8)
    launch(select(read_ll(text), CodegenOptions.for_arch("sm_75")), "k", 1, 1, [memory, out])
    assert out[:size].tolist() == memory[:size].tolist()
    assert not out[size:].any()
    assert compile(text).count(f"{load} ") == 1


@pytest.mark.parametrize("type_", ["<1 x i32>", "<4 x i8>", "<4 x half>", "<2 x i64>"])
def test_vectors_are_exchanged_as_integers(type_: str):
    text = f"""
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {{
  %v = load {type_}, ptr addrspace(1) %q
  %old = atomicrmw xchg ptr addrspace(1) %p, {type_} %v monotonic
  store {type_} %old, ptr addrspace(1) %q
  ret void
}}
"""
    size = {"<1 x i32>": 4, "<4 x i8>": 4, "<4 x half>": 8, "<2 x i64>": 16}[type_]
    memory, out = np.arange(1, 33, dtype=np.uint8), np.arange(101, 133, dtype=np.uint8)
    launch(select(read_ll(text), CodegenOptions.for_arch("sm_90")), "k", 1, 1, [memory, out])
    assert out[:size].tolist() == list(range(1, size + 1))
    assert memory[:size].tolist() == list(range(101, 101 + size))
    assert f"exch.b{8 * size}" in compile(text, arch="sm_90")


@pytest.mark.parametrize(
    "operation",
    [
        "cmpxchg ptr %p, i64 1, i64 2 seq_cst monotonic, align 4",
        "atomicrmw add ptr %p, i64 1 seq_cst, align 4",
    ],
)
def test_atomic_operations_on_part_of_a_word_are_errors(operation: str):
    text = f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {{
  %r = {operation}
  ret void
}}
"""
    message = "an atomic access of 8 bytes must be aligned to 8"
    with pytest.raises(DiagnosticError, match=message) as caught:
        compile(text)
    assert caught.value.line == 3
    assert "atom" in compile(text.replace("align 4", "align 8"))


def test_exchanged_vectors_of_other_sizes_are_errors():
    text = """target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  %r = atomicrmw xchg ptr %p, <3 x i8> zeroinitializer monotonic, align 4
  ret void
}
"""
    with pytest.raises(DiagnosticError, match="atomicrmw xchg of <3 x i8>"):
        compile(text)
