"""Calls, arguments of every kind, control flow, variables: equal memory at both levels."""

from __future__ import annotations

import struct

import numpy as np
import pytest

import nvvm_xdsl
from nvvm_xdsl.codegen.from_ptx import convert
from nvvm_xdsl.codegen.options import CodegenOptions
from nvvm_xdsl.codegen.select import select_module
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.simulator import launch
from nvvm_xdsl.verify.verifier import verify_module

HEAD = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
"""
LANES = 64


def outputs(
    text: str, args: tuple[object, ...] = (), words: int = LANES * 8, both: bool = True
) -> np.ndarray:
    """Returns the values that `@k(ptr %out, ...)` writes, which must be equal at both levels.

    `both` is false for kernels that the simulator runs only as machine code.
    """
    module = read_ll(HEAD + text)
    machine = select_module(module, CodegenOptions.for_arch("sm_80", fmad=False))
    machine.verify()
    verify_module(machine)
    found: list[np.ndarray] = []
    for level in (module, machine) if both else (machine,):
        out = np.zeros(words, np.uint32)
        launch(level, "k", 1, LANES, [out, *args])
        found.append(out)
    assert found[0].tolist() == found[-1].tolist()
    return found[0]


def kernel(body: str, params: str = "ptr %out") -> str:
    return f"""
define ptx_kernel void @k({params}) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr [8 x i32], ptr %out, i64 %i
{body}
  ret void
}}"""


def test_scalars_of_every_width_through_a_call():
    text = """
    define internal i64 @f(i1 %a, i8 signext %b, i16 %c, i32 %d, i64 %e, float %f, double %g, half %h, i128 %i, i24 %j) noinline {
      %a1 = zext i1 %a to i64
      %b1 = sext i8 %b to i64
      %c1 = zext i16 %c to i64
      %d1 = sext i32 %d to i64
      %f1 = fptosi float %f to i64
      %g1 = fptosi double %g to i64
      %h1 = fptosi half %h to i64
      %i1 = lshr i128 %i, 60
      %i2 = trunc i128 %i1 to i64
      %j1 = sext i24 %j to i64
      %s0 = add i64 %a1, %b1
      %s1 = add i64 %s0, %c1
      %s2 = xor i64 %s1, %d1
      %s3 = add i64 %s2, %e
      %s4 = add i64 %s3, %f1
      %s5 = sub i64 %s4, %g1
      %s6 = add i64 %s5, %h1
      %s7 = xor i64 %s6, %i2
      %s8 = add i64 %s7, %j1
      ret i64 %s8
    }""" + kernel("""
      %a = trunc i32 %t to i1
      %b0 = mul i32 %t, -37
      %b = trunc i32 %b0 to i8
      %c = trunc i32 %b0 to i16
      %e = mul i64 %i, 123456789123
      %f = uitofp i32 %t to float
      %g = uitofp i32 %t to double
      %h = uitofp i32 %t to half
      %w0 = zext i64 %e to i128
      %w = mul i128 %w0, 98765432109876543210
      %j = trunc i32 %b0 to i24
      %r = call i64 @f(i1 %a, i8 signext %b, i16 %c, i32 %b0, i64 %e, float %f, double %g, half %h, i128 %w, i24 %j)
      store i64 %r, ptr %p
    """)
    assert len(set(outputs(text).reshape(LANES, 8)[:, 0].tolist())) > LANES // 2


def test_results_of_every_kind():
    text = """
    %pair = type { i8, float, [2 x i16], i1, i128 }
    define internal i1 @bit(i32 %a) noinline { %r = trunc i32 %a to i1  ret i1 %r }
    define internal i8 @byte(i32 %a) noinline { %r = trunc i32 %a to i8  ret i8 %r }
    define internal signext i16 @short(i32 %a) noinline { %r = trunc i32 %a to i16  ret i16 %r }
    define internal half @small(i32 %a) noinline { %r = uitofp i32 %a to half  ret half %r }
    define internal <4 x float> @vector(float %a) noinline {
      %v = insertelement <4 x float> zeroinitializer, float %a, i32 2
      ret <4 x float> %v
    }
    define internal %pair @mixed(i32 %a) noinline {
      %b = trunc i32 %a to i8
      %f = uitofp i32 %a to float
      %s = trunc i32 %a to i16
      %c = icmp ugt i32 %a, 20
      %w = zext i32 %a to i128
      %w1 = shl i128 %w, 70
      %p0 = insertvalue %pair undef, i8 %b, 0
      %p1 = insertvalue %pair %p0, float %f, 1
      %p2 = insertvalue %pair %p1, i16 %s, 2, 1
      %p3 = insertvalue %pair %p2, i16 7, 2, 0
      %p4 = insertvalue %pair %p3, i1 %c, 3
      %p5 = insertvalue %pair %p4, i128 %w1, 4
      ret %pair %p5
    }""" + kernel("""
      %a = call i1 @bit(i32 %t)
      %b = call i8 @byte(i32 %t)
      %c = call i16 @short(i32 %t)
      %d = call half @small(i32 %t)
      %f = uitofp i32 %t to float
      %e = call <4 x float> @vector(float %f)
      %m = call %pair @mixed(i32 %t)
      %a1 = zext i1 %a to i32
      %b1 = sext i8 %b to i32
      %c1 = sext i16 %c to i32
      %d1 = fptoui half %d to i32
      %e1 = extractelement <4 x float> %e, i32 2
      %e2 = bitcast float %e1 to i32
      %m0 = extractvalue %pair %m, 0
      %m1 = extractvalue %pair %m, 1
      %m2 = extractvalue %pair %m, 2, 1
      %m3 = extractvalue %pair %m, 3
      %m4 = extractvalue %pair %m, 4
      %n0 = zext i8 %m0 to i32
      %n1 = fptoui float %m1 to i32
      %n2 = zext i16 %m2 to i32
      %n3 = zext i1 %m3 to i32
      %n4 = lshr i128 %m4, 69
      %n5 = trunc i128 %n4 to i32
      %s0 = add i32 %a1, %b1
      %s1 = xor i32 %s0, %c1
      store i32 %s1, ptr %p
      %p1 = getelementptr i32, ptr %p, i64 1
      store i32 %d1, ptr %p1
      %p2 = getelementptr i32, ptr %p, i64 2
      store i32 %e2, ptr %p2
      %x0 = add i32 %n0, %n1
      %x1 = add i32 %x0, %n2
      %p3 = getelementptr i32, ptr %p, i64 3
      store i32 %x1, ptr %p3
      %p4 = getelementptr i32, ptr %p, i64 4
      store i32 %n3, ptr %p4
      %p5 = getelementptr i32, ptr %p, i64 5
      store i32 %n5, ptr %p5
    """)
    assert outputs(text).reshape(LANES, 8)[30].tolist()[3:6] == [90, 1, 60]


def test_memory_by_value():
    text = """
    %s = type { i32, [5 x i16], i8 }
    define internal i32 @changes(ptr byval(%s) align 4 %a, i32 %k) noinline {
      %q = getelementptr %s, ptr %a, i64 0, i32 1, i32 %k
      %v = load i16, ptr %q
      store i16 99, ptr %q
      %w = load i16, ptr %q
      %x = mul i16 %v, %w
      %y = zext i16 %x to i32
      ret i32 %y
    }
    define internal i32 @reads(ptr byval(%s) align 4 %a) noinline {
      %q = getelementptr %s, ptr %a, i64 0, i32 1, i32 3
      %v = load i16, ptr %q
      %z = load i32, ptr %a
      %y = zext i16 %v to i32
      %u = add i32 %y, %z
      ret i32 %u
    }""" + kernel(
        """
      %k = urem i32 %t, 5
      %l = alloca %s
      store i32 %t, ptr %l
      %l1 = getelementptr %s, ptr %l, i64 0, i32 1, i32 %k
      store i16 0, ptr %l1
      %l2 = getelementptr %s, ptr %l, i64 0, i32 1, i32 3
      store i16 11, ptr %l2
      %r = call i32 @changes(ptr byval(%s) align 4 %a, i32 %k)
      %r2 = call i32 @changes(ptr byval(%s) align 4 %a, i32 %k)
      %r3 = call i32 @reads(ptr byval(%s) align 4 %l)
      store i32 %r, ptr %p
      %p1 = getelementptr i32, ptr %p, i64 1
      store i32 %r2, ptr %p1
      %p2 = getelementptr i32, ptr %p, i64 2
      store i32 %r3, ptr %p2
      %c = getelementptr %s, ptr %b, i64 0, i32 1, i32 %k
      %c0 = load i16, ptr %c
      store i16 5, ptr %c
      %c1 = load i16, ptr %c
      %c2 = add i16 %c0, %c1
      %c3 = zext i16 %c2 to i32
      %p3 = getelementptr i32, ptr %p, i64 3
      store i32 %c3, ptr %p3
    """,
        "ptr %out, ptr byval(%s) align 4 %a, ptr byval(%s) align 4 %b",
    )
    data = struct.pack("<I5HB", 7, 1, 2, 3, 4, 5, 6).ljust(16, b"\0")
    found = outputs(text, (data, data)).reshape(LANES, 8)
    assert found[2].tolist()[:4] == [3 * 99, 3 * 99, 13, 3 + 5]


def test_an_array_by_value():
    """The size is that of the array, not of an element."""
    text = kernel(
        """
      %w = and i64 %i, 7
      %q = getelementptr i32, ptr %a, i64 %w
      %v = load i32, ptr %q
      store i32 %v, ptr %p
    """,
        "ptr %out, ptr byval([8 x i32]) align 4 %a, i32 %behind",
    )
    found = outputs(text, (struct.pack("<8I", *range(10, 18)), 99)).reshape(LANES, 8)
    assert found[:, 0].tolist() == [10 + t % 8 for t in range(LANES)]


def test_indirect_calls_and_variables():
    text = """
    @table = internal constant [2 x ptr] [ptr @one, ptr @two]
    @data = internal addrspace(4) constant [4 x i32] [i32 5, i32 -6, i32 7, i32 8]
    @node = internal addrspace(1) global { i32, ptr, [3 x i8] } { i32 3, ptr addrspacecast (ptr addrspace(1) getelementptr ({ i32, ptr, [3 x i8] }, ptr addrspace(1) @node, i64 0, i32 2, i64 1) to ptr), [3 x i8] c"abz" }
    define internal i32 @one(i32 %a) { %r = add i32 %a, 1  ret i32 %r }
    define internal i32 @two(i32 %a) { %r = mul i32 %a, 2  ret i32 %r }
    """ + kernel("""
      %k = and i64 %i, 1
      %q = getelementptr [2 x ptr], ptr @table, i64 0, i64 %k
      %f = load ptr, ptr %q
      %r = call i32 %f(i32 %t)
      store i32 %r, ptr %p
      %j = and i64 %i, 3
      %d = getelementptr [4 x i32], ptr addrspace(4) @data, i64 0, i64 %j
      %e = load i32, ptr addrspace(4) %d
      %p1 = getelementptr i32, ptr %p, i64 1
      store i32 %e, ptr %p1
      %n = getelementptr { i32, ptr, [3 x i8] }, ptr addrspace(1) @node, i64 0, i32 1
      %m = load ptr, ptr addrspace(1) %n
      %o = load i8, ptr %m
      %o1 = zext i8 %o to i32
      %p2 = getelementptr i32, ptr %p, i64 2
      store i32 %o1, ptr %p2
    """)
    found = outputs(text).reshape(LANES, 8)
    assert found[9].tolist()[:3] == [18, 0xFFFFFFFA, ord("b")]


def test_variable_arguments():
    text = """
    declare void @llvm.va_start.p0(ptr)
    declare void @llvm.va_copy.p0(ptr, ptr)
    declare void @llvm.va_end.p0(ptr)
    define internal i64 @sum(i32 %n, ...) noinline {
      %l = alloca ptr
      %c = alloca ptr
      call void @llvm.va_start.p0(ptr %l)
      call void @llvm.va_copy.p0(ptr %c, ptr %l)
      %a = va_arg ptr %l, i32
      %b = va_arg ptr %l, i64
      %d = va_arg ptr %l, double
      %e = va_arg ptr %l, i32
      %z = va_arg ptr %c, i32
      call void @llvm.va_end.p0(ptr %l)
      %a1 = sext i32 %a to i64
      %d1 = fptosi double %d to i64
      %e1 = sext i32 %e to i64
      %z1 = sext i32 %z to i64
      %s0 = add i64 %a1, %b
      %s1 = mul i64 %s0, %d1
      %s2 = add i64 %s1, %e1
      %s3 = xor i64 %s2, %z1
      ret i64 %s3
    }""" + kernel("""
      %f = uitofp i32 %t to double
      %j = mul i64 %i, 1000000000000
      %r = call i64 (i32, ...) @sum(i32 4, i32 %t, i64 %j, double %f, i32 -3)
      store i64 %r, ptr %p
    """)
    found = outputs(text, both=False).reshape(LANES, 8)[:, :2].copy().view(np.uint64)[:, 0]
    for lane in range(LANES):
        total = ((lane + lane * 10**12) * lane - 3) ^ lane
        assert found[lane] == total % 2**64


@pytest.mark.parametrize(
    ("t", "cases"),
    [
        ("i32", [1, 2, 3, 4, 5, 6, 7, 9, 12]),
        ("i32", [-5, 0, 3, 1000, 70000, -2147483648, 2147483647]),
        ("i8", [-1, 0, 1, 2, 3, 4, 5, 6, 100, -128]),
        ("i64", [0, 1, 2, 3, 4, 5, 6, 1 << 40]),
        ("i64", [1 << 40, (1 << 40) + 1, (1 << 40) + 2, -1, -2, -3, 5]),
        ("i16", [7, 8, 9, 10, 11, 12, 13]),
        ("i128", [0, 1, 1 << 100, -1]),
        ("i64", [-1000000000000, 0, 17, 19, 23, 1000000000000]),
        ("i16", [-3, -2, -1, 0, 1, 2, 3, 4]),
        ("i32", [10, 11, 20, 21, 400, 401, 800, 801]),
        ("i8", [200, 201, 40, 41, 90]),
        ("i1", [1]),
        ("i13", [4095, -4096, 0]),
    ],
)
def test_switches(t: str, cases: list[int]):
    bits = int(t[1:])
    values = [*cases, *(c + 1 for c in cases), 17, 0]
    words = -(-bits // 32) * 4 // 4
    data = np.zeros((LANES, 4), np.uint32)
    for lane in range(LANES):
        value = values[lane % len(values)] & ((1 << bits) - 1)
        for w in range(words):
            data[lane, w] = value >> (32 * w) & 0xFFFFFFFF
    arms = "\n".join(f"    {t} {c}, label %c{n // 2 % 3}" for n, c in enumerate(cases))
    text = f"""
define ptx_kernel void @k(ptr %out, ptr %in) {{
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr [8 x i32], ptr %out, i64 %i
  %q = getelementptr [4 x i32], ptr %in, i64 %i
  %w = load i128, ptr %q, align 16
  %v = trunc i128 %w to {t if t != "i128" else "i127"}
  {"%v2 = add i128 %w, 0" if t == "i128" else f"%v2 = add {t} %v, 0"}
  switch {t} %v2, label %d [
{arms}
  ]
c0:
  br label %end
c1:
  br label %end
c2:
  %x = mul i32 %t, 3
  br label %end
d:
  %y = add i32 %t, 1000
  br label %end
end:
  %r = phi i32 [ 1, %c0 ], [ 2, %c1 ], [ %x, %c2 ], [ %y, %d ]
  store i32 %r, ptr %p
  ret void
}}"""
    found = outputs(text, (data,)).reshape(LANES, 8)[:, 0]
    for lane in range(LANES):
        value = values[lane % len(values)] & ((1 << bits) - 1)
        hits = [n for n, c in enumerate(cases) if c & ((1 << bits) - 1) == value]
        wanted = [1, 2, lane * 3][hits[0] // 2 % 3] if hits else lane + 1000
        assert found[lane] == wanted


def test_values_of_every_kind_at_joins():
    """Swaps, predicates, wide integers and structs as block arguments of a loop."""
    text = """
define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr [8 x i32], ptr %out, i64 %i
  %w0 = zext i32 %t to i128
  br label %loop
loop:
  %n = phi i32 [ 0, %entry ], [ %n1, %loop ]
  %a = phi i32 [ 1, %entry ], [ %b, %loop ]
  %b = phi i32 [ %t, %entry ], [ %a, %loop ]
  %c = phi i1 [ true, %entry ], [ %c1, %loop ]
  %w = phi i128 [ %w0, %entry ], [ %w1, %loop ]
  %s = phi { i8, float } [ { i8 3, float 1.0 }, %entry ], [ %s2, %loop ]
  %u = phi i32 [ undef, %entry ], [ %n, %loop ]
  %h = phi <2 x half> [ <half 0xH3C00, half 0xH4000>, %entry ], [ %h1, %loop ]
  %n1 = add i32 %n, 1
  %c1 = xor i1 %c, true
  %w1 = mul i128 %w, 1000000007
  %s0 = extractvalue { i8, float } %s, 0
  %s1 = add i8 %s0, 1
  %s2 = insertvalue { i8, float } %s, i8 %s1, 0
  %h1 = fadd <2 x half> %h, %h
  %m = and i32 %t, 7
  %again = icmp ult i32 %n, %m
  br i1 %again, label %loop, label %end
end:
  store i32 %a, ptr %p
  %p1 = getelementptr i32, ptr %p, i64 1
  %x = zext i1 %c to i32
  store i32 %x, ptr %p1
  %p2 = getelementptr i32, ptr %p, i64 2
  %y = lshr i128 %w, 64
  %y1 = trunc i128 %y to i32
  store i32 %y1, ptr %p2
  %p3 = getelementptr i32, ptr %p, i64 3
  %z = zext i8 %s0 to i32
  store i32 %z, ptr %p3
  %p4 = getelementptr i32, ptr %p, i64 4
  %h2 = bitcast <2 x half> %h to i32
  store i32 %h2, ptr %p4
  %p5 = getelementptr i32, ptr %p, i64 5
  store i32 %b, ptr %p5
  ret void
}"""
    found = outputs(text).reshape(LANES, 8)
    assert found[9].tolist()[:2] == [9, 0]
    assert found[8].tolist()[:2] == [1, 1]


def test_local_memory_of_variable_size():
    text = """
define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr [8 x i32], ptr %out, i64 %i
  %n = add i32 %t, 2
  %a = alloca i32, i32 %n
  %q = getelementptr i32, ptr %a, i32 %t
  store i32 %n, ptr %q
  %r = load i32, ptr %q
  store i32 %r, ptr %p
  ret void
}"""
    made = select_module(read_ll(HEAD + text), CodegenOptions.for_arch("sm_80"))
    made.verify()
    (alloca,) = [op for op in made.walk() if op.name == "nvptx.alloca"]
    # Local memory is accessed directly: no generic address is needed.
    assert not [op for op in made.walk() if op.name == "nvptx.cvta" and op.mods == "local.u64" and op.results[0].first_use]  # fmt: skip
    assert alloca.results[0].first_use is not None
    assert str(made.attributes["nvptx.ptx"]) == '"7.3"'


def test_constant_pointers_in_several_blocks():
    """Each block materializes its own copy of a constant."""
    text = """
define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %p = getelementptr [8 x i32], ptr %out, i64 %i
  %c = icmp ult i32 %t, 64
  %e = and i32 %t, 1
  %d = icmp eq i32 %e, 0
  br i1 %d, label %even, label %odd
even:
  br i1 %c, label %end, label %bad1
bad1:
  store i32 1, ptr inttoptr (i64 4096 to ptr)
  store i32 1, ptr null
  br label %end
odd:
  br i1 %c, label %end, label %bad2
bad2:
  store i32 2, ptr inttoptr (i64 4096 to ptr)
  store i32 2, ptr null
  br label %end
end:
  %r = phi i32 [ 1, %even ], [ 2, %odd ], [ 3, %bad1 ], [ 4, %bad2 ]
  store i32 %r, ptr %p
  ret void
}"""
    assert outputs(text).reshape(LANES, 8)[:4, 0].tolist() == [1, 2, 1, 2]


def test_masked_accesses():
    text = """
    declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
    declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)
    """ + kernel("""
      %a = insertelement <4 x i32> <i32 9, i32 8, i32 7, i32 6>, i32 %t, i32 0
      store <4 x i32> %a, ptr %p
      %m = icmp ult <4 x i32> %a, <i32 5, i32 9, i32 1, i32 7>
      %b = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x i32> <i32 100, i32 101, i32 102, i32 103>)
      %q = getelementptr i32, ptr %p, i64 4
      call void @llvm.masked.store.v4i32.p0(<4 x i32> %b, ptr %q, i32 4, <4 x i1> <i1 true, i1 true, i1 false, i1 true>)
      call void @llvm.masked.store.v4i32.p0(<4 x i32> zeroinitializer, ptr %q, i32 4, <4 x i1> %m)
    """)
    found = outputs(text).reshape(LANES, 8)
    assert found[3].tolist() == [3, 8, 7, 6, 0, 0, 0, 0]
    assert found[40].tolist() == [40, 8, 7, 6, 100, 0, 0, 0]


def test_pointers_between_spaces():
    text = """
    @buffer = internal addrspace(3) global [64 x i32] undef
    """ + kernel("""
      %s = getelementptr [64 x i32], ptr addrspace(3) @buffer, i64 0, i64 %i
      %g = addrspacecast ptr addrspace(3) %s to ptr
      store i32 %t, ptr %g
      %v = load i32, ptr addrspace(3) %s
      %n = addrspacecast ptr %g to ptr addrspace(3)
      %n1 = ptrtoint ptr addrspace(3) %n to i64
      %n2 = ptrtoint ptr addrspace(3) %s to i64
      %n3 = icmp eq i64 %n1, %n2
      %n4 = zext i1 %n3 to i32
      %x = add i32 %v, %n4
      store i32 %x, ptr %p
      %even = and i32 %t, 1
      %c = icmp eq i32 %even, 0
      %q = getelementptr i32, ptr %p, i64 1
      store i32 77, ptr %q
      %chosen = select i1 %c, ptr %g, ptr %q
      %y = load i32, ptr %chosen
      %p2 = getelementptr i32, ptr %p, i64 2
      store i32 %y, ptr %p2
    """)
    found = outputs(text).reshape(LANES, 8)
    assert found[6].tolist()[:3] == [7, 77, 6]
    assert found[7].tolist()[:3] == [8, 77, 77]


def test_the_stack_address_is_that_of_the_next_allocation():
    ptx = nvvm_xdsl.compile(
        """
declare ptr @llvm.stackaddress.p0()
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %before = call ptr @llvm.stackaddress.p0()
  %slot = alloca i8, i32 %n, align 16
  %after = call ptr @llvm.stackaddress.p0()
  store volatile i8 1, ptr %slot
  %a = ptrtoint ptr %before to i64
  %b = ptrtoint ptr %after to i64
  %d = sub i64 %a, %b
  store i64 %d, ptr addrspace(1) %p
  ret void
}
""",
        arch="sm_90",
        opt_level=0,
    )
    assert ptx.count("stacksave.u64") == 2
    out = np.zeros(1, np.int64)
    launch(convert(nvvm_xdsl.parse(ptx)), "k", 1, 1, [out, 32])
    assert abs(int(out[0])) >= 32
