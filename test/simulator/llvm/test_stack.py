"""Memory that a function allocates at run time, variable arguments, and vectors of bits in memory."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import elementwise, kernel, module, run

from nvvm_xdsl.lab import Launch, assert_same_behaviour
from nvvm_xdsl.simulator import Limits, SimulationError


def check(text: str, args, wanted, block: int = 4) -> None:
    """Runs a kernel as IR, and as machine code too."""
    out = args[-1].copy()
    run(text, [*args[:-1], out], block=block, checks=["init", "race", "sync"])
    assert out.tolist() == wanted
    assert_same_behaviour(module(text), "", [Launch("k", 1, block, tuple(args))])


FILL = """\
  %n = add i32 %tid, 1
  %l = alloca i32, i32 %n
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %k, %loop ]
  %p = getelementptr i32, ptr %l, i32 %j
  store i32 %j, ptr %p
  %k = add i32 %j, 1
  %c = icmp ule i32 %k, LAST
  br i1 %c, label %loop, label %done
done:
  %e = getelementptr i32, ptr %l, i32 %tid
  %v = load i32, ptr %e
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %v, ptr %q
  ret void"""


def test_local_arrays_with_a_size_for_each_thread():
    text = kernel("ptr %out", FILL.replace("LAST", "%tid"))
    check(text, [np.full(4, -1, np.int32)], [0, 1, 2, 3])


def test_allocas_of_variable_size_have_bounds_and_start_undefined():
    with pytest.raises(SimulationError, match=r"out of bounds.*thread \(0, 0, 0\)"):
        run(kernel("ptr %out", FILL.replace("LAST", "%n")), [np.zeros(4, np.int32)], block=4)
    body = "  %n = add i32 %tid, 2\n  %l = alloca i32, i32 %n\n  %v = load i32, ptr %l\n  store i32 %v, ptr %out\n  ret void"
    with pytest.raises(SimulationError, match="which the kernel leaves undefined"):
        run(kernel("ptr %out", body), [np.zeros(1, np.int32)], block=1, checks=["init"])


def test_each_execution_of_an_alloca_creates_a_variable():
    body = """\
  %first = alloca ptr
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %k, %next ]
  %l = alloca i32
  store i32 %j, ptr %l
  %start = icmp eq i32 %j, 0
  br i1 %start, label %keep, label %next
keep:
  store ptr %l, ptr %first
  br label %next
next:
  %k = add i32 %j, 1
  %c = icmp ult i32 %k, 3
  br i1 %c, label %loop, label %done
done:
  %f = load ptr, ptr %first
  %v = load i32, ptr %f
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %v, ptr %q
  ret void"""
    check(kernel("ptr %out", body), [np.full(4, -1, np.int32)], [0] * 4)


STACK = """\
declare ptr @llvm.stacksave.p0()
declare void @llvm.stackrestore.p0(ptr)
"""
LOOP = """\
  br label %loop
loop:
  %j = phi i32 [ 0, %0 ], [ %k, %loop ]
  SAVE
  %n = add i32 %tid, 1000
  %l = alloca i64, i32 %n
  store i64 7, ptr %l
  RESTORE
  %k = add i32 %j, 1
  %c = icmp ult i32 %k, 20
  br i1 %c, label %loop, label %done
done:
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %k, ptr %q
  ret void"""


def test_the_stack_pointer_is_saved_and_restored():
    text = LOOP.replace("SAVE", "%s = call ptr @llvm.stacksave.p0()")
    text = text.replace("RESTORE", "call void @llvm.stackrestore.p0(ptr %s)")
    check(kernel("ptr %out", text, STACK), [np.zeros(4, np.int32)], [20] * 4)


def test_local_memory_is_limited():
    text = kernel("ptr %out", LOOP.replace("  SAVE\n", "").replace("  RESTORE\n", ""))
    with pytest.raises(SimulationError, match="more than 65536 bytes of local memory") as caught:
        run(text, [np.zeros(4, np.int32)], block=4)
    assert caught.value.kind == "limit"
    run(text, [np.zeros(4, np.int32)], block=4, limits=Limits(stack=1 << 18))
    large = kernel("", "  %l = alloca [65536 x i8]\n  store i8 0, ptr %l\n  ret void")
    with pytest.raises(SimulationError, match="bytes of local memory"):
        run(large, [], block=1)


def test_a_small_variable_takes_little_local_memory():
    """A recursion of 90 levels, with eight small variables each, fits."""
    variables = "\n".join(f"  %l{j} = alloca i32\n  store i32 %n, ptr %l{j}" for j in range(8))
    text = f"""
        define internal i32 @sum(i32 %n) noinline {{
        {variables}
          %c = icmp eq i32 %n, 0
          br i1 %c, label %done, label %more
        more:
          %m = sub i32 %n, 1
          %s = call i32 @sum(i32 %m)
          %v = load i32, ptr %l7
          %r = add i32 %s, %v
          ret i32 %r
        done:
          ret i32 0
        }}"""
    body = """
          %s = call i32 @sum(i32 90)
          %q = getelementptr i32, ptr %out, i64 %i
          store i32 %s, ptr %q
          ret void"""
    check(kernel("ptr %out", body, text), [np.zeros(4, np.int32)], [4095] * 4)


VARIADIC = """\
declare void @llvm.va_start.p0(ptr)
declare void @llvm.va_copy.p0(ptr, ptr)
declare void @llvm.va_end.p0(ptr)
define internal i32 @sum(i32 %scale, ...) noinline {
  %ap = alloca ptr
  %again = alloca ptr
  call void @llvm.va_start.p0(ptr %ap)
  %a = va_arg ptr %ap, i32
  call void @llvm.va_copy.p0(ptr %again, ptr %ap)
  %b = va_arg ptr %ap, double
  %c = va_arg ptr %ap, i64
  %d = va_arg ptr %again, double
  call void @llvm.va_end.p0(ptr %ap)
  call void @llvm.va_end.p0(ptr %again)
  %b2 = fadd double %b, %d
  %b3 = fptosi double %b2 to i32
  %c2 = trunc i64 %c to i32
  %s1 = add i32 %a, %b3
  %s2 = add i32 %s1, %c2
  %r = mul i32 %s2, %scale
  ret i32 %r
}
"""


def test_variable_arguments():
    body = """\
  %w = sext i32 %tid to i64
  %r = call i32 (i32, ...) @sum(i32 2, i32 %tid, double 2.5, i64 %w)
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %r, ptr %q
  ret void"""
    wanted = [2 * (t + 5 + t) for t in range(4)]
    check(kernel("ptr %out", body, VARIADIC), [np.zeros(4, np.int32)], wanted)


def test_reading_too_many_variable_arguments_is_out_of_bounds():
    body = "  %r = call i32 (i32, ...) @sum(i32 2, i32 1, double 2.5)\n  ret void"
    with pytest.raises(SimulationError, match=r"out of bounds: load of 8 bytes"):
        run(kernel("", body, VARIADIC), [], block=1)


@pytest.mark.parametrize(
    ("count", "width", "bytes_"),
    [
        (8, 1, [0b10010010]),
        (16, 1, [0b10010010, 0b00100100]),
        (3, 1, [0b010]),
        (4, 4, [0x10, 0x02]),
        (2, 24, [0, 0, 0, 1, 0, 0]),
        (3, 24, [0, 0, 0, 1, 0, 0, 2, 0, 0]),
    ],
)
def test_vectors_of_odd_elements_are_packed_bit_by_bit(count: int, width: int, bytes_: list[int]):
    """Element `n` is `n % 3` cut to the width; LangRef, "Vector Type"."""
    wide, narrow = f"<{count} x i32>", f"<{count} x i{width}>"
    values = ", ".join(f"i32 {n % 3}" for n in range(count))
    body = "\n".join(
        [
            f"  %x = getelementptr {narrow}, ptr %out, i64 0",
            "  %seed = load i32, ptr %in",
            f"  %one = insertelement {wide} <{values}>, i32 %seed, i32 0",
            f"  %v = trunc {wide} %one to {narrow}",
            f"  store {narrow} %v, ptr %out, align 1",
            f"  %w = load {narrow}, ptr %out, align 1",
            f"  %z = zext {narrow} %w to {wide}",
            "  %q = getelementptr i8, ptr %out, i64 16",
            f"  store {wide} %z, ptr %q, align 4",
            "  ret void",
        ]
    )
    out = np.full(96, 0xEE, np.uint8)
    text = kernel("ptr %in, ptr %out", body)
    elements = [n % 3 & ((1 << width) - 1) for n in range(count)]
    wanted = out.copy()
    wanted[: len(bytes_)] = bytes_
    wanted[16 : 16 + 4 * count] = np.array(elements, np.uint32).view(np.uint8)
    check(text, [np.zeros(1, np.int32), out], wanted.tolist(), block=1)


def test_a_constant_vector_of_bits():
    before = "@g = internal addrspace(1) constant <8 x i1> <i1 1, i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 1>"
    body = "  %v = load i8, ptr addrspace(1) @g\n  store i8 %v, ptr %out\n  ret void"
    check(kernel("ptr %out", body, before), [np.zeros(1, np.uint8)], [0b10001101], block=1)


def test_undefined_bits_of_such_vectors_are_tracked():
    body = "\n".join(
        [
            "  %v = insertelement <8 x i1> <i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 poison>, i1 false, i32 INDEX",
            "  store <8 x i1> %v, ptr %out",
            "  ret void",
        ]
    )
    out = np.zeros(1, np.uint8)
    run(kernel("ptr %out", body.replace("INDEX", "7")), [out], block=1, checks=["init"])
    assert out.tolist() == [0x7F]
    with pytest.raises(SimulationError, match="which the kernel leaves undefined"):
        run(kernel("ptr %out", body.replace("INDEX", "0")), [out], block=1, checks=["init"])


@pytest.mark.parametrize(
    ("op", "wanted"),
    [("add", [0, 1, 1, 0]), ("sub", [0, 1, 1, 0]), ("mul", [0, 0, 0, 1]), ("xor", [0, 1, 1, 0])],
)
def test_arithmetic_on_single_bits(op: str, wanted: list[int]):
    """The sum and the difference of bits are the same, modulo 2."""
    body = "\n".join(
        [
            "  %c = trunc i32 %tid to i1",
            "  %h = lshr i32 %tid, 1",
            "  %d = trunc i32 %h to i1",
            f"  %r = {op} i1 %c, %d",
            "  %z = zext i1 %r to i8",
            "  %q = getelementptr i8, ptr %out, i64 %i",
            "  store i8 %z, ptr %q",
            "  ret void",
        ]
    )
    check(kernel("ptr %out", body), [np.full(4, 9, np.uint8)], wanted)


@pytest.mark.parametrize(("type_", "dtype"), [("half", "f2"), ("float", "f4"), ("double", "f8")])
def test_rounding_of_integral_values_and_of_ties(type_: str, dtype: str):
    suffix = {"half": "f16", "float": "f32", "double": "f64"}[type_]
    name = f"llvm.round.{suffix}"
    values = np.array([np.inf, -np.inf, 0.5, -0.5, 2.5, -0.3, 0.0, -0.0, 1024.0], dtype)
    declaration = f"declare {type_} @{name}({type_})"
    got = elementwise(
        f"call {type_} @{name}({type_} %0)", type_, [(type_, values)], dtype, declaration
    )
    wanted = np.array([np.inf, -np.inf, 1.0, -1.0, 3.0, -0.0, 0.0, -0.0, 1024.0], dtype)
    assert got.tobytes() == wanted.tobytes()


def test_variable_arguments_through_a_table_beside_a_kernels_address():
    before = (
        VARIADIC
        + """\
define internal i32 @last(i32 %scale, ...) noinline {
  %ap = alloca ptr
  call void @llvm.va_start.p0(ptr %ap)
  %a = va_arg ptr %ap, i32
  %b = va_arg ptr %ap, double
  %c = va_arg ptr %ap, i64
  call void @llvm.va_end.p0(ptr %ap)
  %r = trunc i64 %c to i32
  ret i32 %r
}
@table = internal addrspace(4) constant [2 x ptr] [ptr @sum, ptr @last], align 8
@launched = internal addrspace(1) global ptr @k, align 8
"""
    )
    body = """\
  %odd = and i32 %tid, 1
  %at = getelementptr [2 x ptr], ptr addrspace(4) @table, i32 0, i32 %odd
  %f = load ptr, ptr addrspace(4) %at
  %w = sext i32 %tid to i64
  %r = call i32 (i32, ...) %f(i32 2, i32 %tid, double 2.5, i64 %w)
  %e = load ptr, ptr addrspace(1) @launched
  %same = icmp eq ptr %e, @k
  %z = zext i1 %same to i32
  %s = add i32 %r, %z
  %q = getelementptr i32, ptr %out, i64 %i
  store i32 %s, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void"""
    before += "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)\n"
    check(kernel("ptr %out", body, before), [np.zeros(4, np.int32)], [11, 2, 19, 4])


def test_a_kernel_cannot_be_called():
    body = """\
  %e = load ptr, ptr addrspace(1) @launched
  call void %e(ptr %out)
  ret void"""
    before = "@launched = internal addrspace(1) global ptr @k, align 8\n"
    with pytest.raises(SimulationError, match="which is not a function"):
        run(kernel("ptr %out", body, before), [np.zeros(4, np.int32)], block=4)


def test_a_table_of_a_function_that_waits_is_reported():
    before = """\
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define internal void @wait() noinline {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}
@table = internal addrspace(4) constant [2 x ptr] [ptr @wait, ptr @wait], align 8
"""
    body = """\
  %at = getelementptr [2 x ptr], ptr addrspace(4) @table, i32 0, i32 %tid
  %f = load ptr, ptr addrspace(4) %at
  call void %f()
  ret void"""
    with pytest.raises(SimulationError, match="whose address is taken can wait"):
        run(kernel("ptr %out", body, before), [np.zeros(4, np.int32)], block=2)
