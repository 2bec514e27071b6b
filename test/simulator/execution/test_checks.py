"""Errors of kernels are found, and the report has their location."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module, run

from nvvm_xdsl.simulator import Limits, SimulationError, launch, prepare

HALF = "  %u = and i32 undef, u0xFFFF0000\n  %half = or i32 %u, 1\n"
"""A value whose upper half is undefined."""

SHARED = "@s = internal addrspace(3) global [64 x i32] undef\n"


def error_of(text: str, args, **options) -> SimulationError:
    with pytest.raises(SimulationError) as caught:
        run(text, args, **options)
    return caught.value


def store_at(index: str, type_: str = "i32", align: int = 4) -> str:
    return kernel(
        "ptr %a, i64 %n",
        f"  %q = getelementptr i8, ptr %a, i64 {index}\n  store {type_} 0, ptr %q, align {align}\n  ret void",
    )


def test_a_store_past_the_end_names_the_buffer_and_the_thread():
    text = kernel(
        "ptr %a", "  %q = getelementptr i32, ptr %a, i64 %i\n  store i32 0, ptr %q\n  ret void"
    )
    error = error_of(text, [np.zeros(10, np.int32)])
    assert error.kind == "memory"
    assert "store of 4 bytes" in error.message
    assert "0 bytes past the end of 'a' (40 bytes)" in error.message
    assert "thread (10, 0, 0) of block (0, 0, 0)" in error.message
    assert "llvm.store in @k" in error.message


@pytest.mark.parametrize(
    ("offset", "message"),
    [
        (-4, "4 bytes before 'a'"),
        (40, "0 bytes past the end"),
        (37, "offset 37"),
        (38, "out of bounds"),
    ],
)
def test_bounds(offset: int, message: str):
    error = error_of(store_at("%n", align=1), [np.zeros(10, np.int32), offset], block=1)
    assert message in error.message


def test_the_last_bytes_are_in_bounds():
    run(store_at("%n", align=1), [np.zeros(10, np.int32), 36], block=1)


def test_alignment():
    error = error_of(store_at("%n"), [np.zeros(10, np.int32), 6], block=1)
    assert error.kind == "memory"
    assert "not aligned to 4 bytes" in error.message
    run(store_at("%n", align=2), [np.zeros(10, np.int32), 6], block=1)


def test_null_and_wild_pointers():
    text = kernel("ptr %a", "  %v = load i32, ptr %a\n  ret void")
    assert "null pointer" in error_of(text, [None], block=1).message
    wild = kernel("i64 %a", "  %p = inttoptr i64 %a to ptr\n  %v = load i32, ptr %p\n  ret void")
    assert "no memory is there" in error_of(wild, [1 << 50], block=1).message


def test_the_wrong_address_space():
    text = kernel(
        "ptr %a",
        "  %p = addrspacecast ptr %a to ptr addrspace(3)\n  %v = load i32, ptr addrspace(3) %p\n  ret void",
    )
    error = error_of(text, [np.zeros(4, np.int32)], block=1)
    assert "shared address" in error.message


def test_local_variables_have_bounds():
    body = "\n".join(
        [
            "  %l = alloca [4 x i32]",
            "  %m = alloca [4 x i32]",
            "  %p = getelementptr [4 x i32], ptr %l, i64 0, i64 %i",
            "  store i32 1, ptr %p",
            "  ret void",
        ]
    )
    error = error_of(kernel("", body), [], block=5)
    assert "local address" in error.message
    assert "thread (4, 0, 0)" in error.message
    run(kernel("", body), [], block=4)


def test_a_local_variable_ends_with_its_function():
    before = "define internal ptr @f() noinline {\n  %l = alloca i32\n  store i32 1, ptr %l\n  ret ptr %l\n}"
    body = "  %p = call ptr @f()\n  %v = load i32, ptr %p\n  ret void"
    assert error_of(kernel("", body, before), [], block=1).kind == "memory"


RACE = "\n".join(
    [
        "  %p = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %i",
        "  store i32 %tid, ptr addrspace(3) %p",
        "  BARRIER",
        "  %n = xor i64 %i, 1",
        "  %q = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %n",
        "  %v = load i32, ptr addrspace(3) %q",
        "  ret void",
    ]
)
BARRIER = "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)"


def test_a_lost_barrier_is_a_race():
    run(kernel("", RACE.replace("BARRIER", BARRIER), SHARED), [], block=64, checks=["race"])
    without = kernel("", RACE.replace("  BARRIER\n", ""), SHARED)
    error = error_of(without, [], block=64, checks=["race"])
    assert error.kind == "race"
    assert "llvm.store in @k" in error.message
    assert "llvm.load in @k" in error.message
    run(without, [], block=64)


def test_syncwarp_orders_a_warp_only():
    before = SHARED + "declare void @llvm.nvvm.bar.warp.sync(i32)"
    warp = kernel("", RACE.replace("BARRIER", "call void @llvm.nvvm.bar.warp.sync(i32 -1)"), before)
    run(warp, [], block=64, checks=["race"])
    across = warp.replace("xor i64 %i, 1", "xor i64 %i, 32")
    assert error_of(across, [], block=64, checks=["race"]).kind == "race"


def test_two_writers_of_one_address_race():
    text = kernel("ptr %a", "  store i32 %tid, ptr %a\n  ret void")
    assert error_of(text, [np.zeros(1, np.int32)], block=2, checks=["race"]).kind == "race"
    run(text, [np.zeros(1, np.int32)], block=1, checks=["race"])


def test_writers_of_the_same_value_do_not_race():
    """In one store of many threads, and after another block's store."""
    same = "  store {i32, i32} {i32 1, i32 2}, ptr %a\n  ret void"
    out = np.zeros(2, np.int32)
    run(kernel("ptr %a", same), [out], block=64, grid=2, checks=["race"])
    assert out.tolist() == [1, 2]
    by_block = "  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n  %v = {op} i32 %c, 1\n"
    by_block += "  store i32 %v, ptr %a\n  ret void"
    out = np.zeros(1, np.int32)
    run(kernel("ptr %a", by_block.replace("{op}", "or")), [out], grid=2, checks=["race"])
    differ = kernel("ptr %a", by_block.replace("{op}", "xor"))
    assert error_of(differ, [out], grid=2, checks=["race"]).kind == "race"


def test_a_matrix_store_races_with_any_value():
    before = SHARED + (
        "declare void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3), i32)"
    )
    body = "\n".join(
        [
            "  %r = and i64 %i, 7",
            "  %q = getelementptr [4 x i32], ptr addrspace(3) @s, i64 %r",
            "  call void @llvm.nvvm.stmatrix.sync.aligned.m8n8.x1.b16.p3(ptr addrspace(3) %q, i32 1)",
            "  ret void",
        ]
    )
    run(kernel("", body, before), [], block=32, checks=["race"])
    assert error_of(kernel("", body, before), [], block=64, checks=["race"]).kind == "race"


def test_blocks_race_on_global_memory():
    text = kernel(
        "ptr %a",
        "  %c = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()\n"
        "  %q = getelementptr i32, ptr %a, i64 %i\n  store i32 %c, ptr %q\n  ret void",
    )
    error = error_of(text, [np.zeros(32, np.int32)], grid=2, checks=["race"])
    assert "of block (0, 0, 0)" in error.message
    assert "of block (1, 0, 0)" in error.message


def test_atomics_do_not_race_with_each_other_but_with_plain_accesses():
    atomic = "  %o = atomicrmw add ptr %a, i32 1 monotonic\n"
    run(kernel("ptr %a", atomic + "  ret void"), [np.zeros(1, np.int32)], grid=2, checks=["race"])
    mixed = kernel("ptr %a", atomic + "  %v = load i32, ptr %a\n  ret void")
    assert error_of(mixed, [np.zeros(1, np.int32)], checks=["race"]).kind == "race"


def test_a_write_after_a_read_of_many_races():
    body = "\n".join(
        [
            "  %v = load i32, ptr %a",
            "  %c = icmp eq i32 %tid, 5",
            "  br i1 %c, label %write, label %done",
            "write:",
            "  store i32 %v, ptr %a",
            "  br label %done",
            "done:",
            "  ret void",
        ]
    )
    assert error_of(kernel("ptr %a", body), [np.zeros(1, np.int32)], checks=["race"]).kind == "race"


DIVERGENT = "\n".join(
    [
        "  %c = icmp ult i32 %tid, 3",
        "  br i1 %c, label %out, label %wait",
        "wait:",
        f"  {BARRIER}",
        "  br label %out",
        "out:",
        "  ret void",
    ]
)


def test_a_barrier_that_exited_threads_miss():
    run(kernel("", DIVERGENT), [], block=32)
    error = error_of(kernel("", DIVERGENT), [], block=32, checks=["sync"])
    assert error.kind == "sync"
    assert "has exited" in error.message


def test_threads_that_wait_at_different_barriers():
    body = "\n".join(
        [
            "  %c = icmp ult i32 %tid, 3",
            "  br i1 %c, label %a, label %b",
            "a:",
            f"  {BARRIER}",
            "  br label %out",
            "b:",
            f"  {BARRIER}",
            "  br label %out",
            "out:",
            "  ret void",
        ]
    )
    assert "different barriers" in error_of(kernel("", body), [], checks=["sync"]).message


def test_an_incomplete_barrier_is_reported_and_does_not_hang():
    body = "  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)\n  ret void"
    before = "declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)"
    error = error_of(kernel("", body, before), [], block=32)
    assert error.kind == "sync"
    assert "never arrive" in error.message


SHUFFLE = "declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)"


def test_a_shuffle_from_an_inactive_thread():
    body = "\n".join(
        [
            "  %c = icmp ult i32 %tid, 16",
            "  br i1 %c, label %low, label %done",
            "low:",
            "  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 65535, i32 %tid, i32 20, i32 31)",
            "  br label %done",
            "done:",
            "  ret void",
        ]
    )
    run(kernel("", body, SHUFFLE), [])
    assert "inactive thread" in error_of(kernel("", body, SHUFFLE), [], checks=["sync"]).message


def test_a_member_mask_without_the_thread_itself():
    body = (
        "  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 1, i32 %tid, i32 0, i32 31)\n  ret void"
    )
    assert "does not contain" in error_of(kernel("", body, SHUFFLE), [], block=2).message


def test_members_that_never_arrive():
    body = "\n".join(
        [
            "  %c = icmp ult i32 %tid, 16",
            "  br i1 %c, label %low, label %high",
            "low:",
            "  %r = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %tid, i32 0, i32 31)",
            "  br label %done",
            "high:",
            f"  {BARRIER}",
            "  br label %done",
            "done:",
            "  ret void",
        ]
    )
    assert error_of(kernel("", body, SHUFFLE), []).kind == "sync"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ("  %v = add nsw i32 2147483647, %n\n  store i32 %v, ptr %a", "host reads"),
        ("  %v = add nuw i32 -1, %n\n  %c = icmp eq i32 %v, 0\n  br i1 %c, label %x, label %x\nx:", "a branch"),
        ("  %v = shl i64 4, 60\n  %w = shl nuw i64 %v, 2\n  %p = getelementptr i8, ptr %a, i64 %w\n  store i8 0, ptr %p", "an address"),
        ("  %v = lshr i32 1, 40\n  store i32 %v, ptr %a", "host reads"),
        ("  %v = sdiv i32 %n, poison\n  store i32 %v, ptr %a", "a divisor"),
        ("  %v = udiv exact i32 7, 2\n  store i32 %v, ptr %a", "host reads"),
        ("  %v = trunc nuw i64 4294967296 to i32\n  store i32 %v, ptr %a", "host reads"),
        ("  %v = fptosi float 1.0e+20 to i32\n  store i32 %v, ptr %a", "host reads"),
        ("  %v = or disjoint i32 3, %n\n  store i32 %v, ptr %a", "host reads"),
        ("  %v = zext nneg i32 -1 to i64\n  %w = trunc i64 %v to i32\n  store i32 %w, ptr %a", "host reads"),
        ("  %l = alloca i32\n  %v = load i32, ptr %l\n  store i32 %v, ptr %a", "host reads"),
        ("  %v = select i1 undef, i32 1, i32 2\n  store i32 %v, ptr %a", "host reads"),
        (HALF + "  %v = call i32 @llvm.nvvm.prmt(i32 %half, i32 %n, i32 u0x5430)\n  store i32 %v, ptr %a", "host reads"),
        (HALF + "  %v = call i32 @llvm.nvvm.prmt(i32 %n, i32 %n, i32 %half)\n  store i32 %v, ptr %a", "host reads"),
        (HALF + "  %v = call i32 @llvm.nvvm.prmt(i32 %n, i32 %half, i32 u0xF210)\n  store i32 %v, ptr %a", "host reads"),
        (HALF + '  %v = call i32 asm "bfi.b32 $0, $1, $2, 0, 20;", "=r,r,r"(i32 %half, i32 %n)\n  store i32 %v, ptr %a', "host reads"),
        (HALF + '  %v = call i32 asm "bfi.b32 $0, $1, $1, $2, 8;", "=r,r,r"(i32 %n, i32 %half)\n  store i32 %v, ptr %a', "host reads"),
        (HALF + '  %v = call i32 asm "bfe.s32 $0, $1, 0, 17;", "=r,r"(i32 %half)\n  store i32 %v, ptr %a', "host reads"),
    ],
)  # fmt: skip
def test_undefined_values_are_tracked_to_their_first_use_with_effect(body: str, what: str):
    text = kernel("ptr %a, i32 %n, i64 %m", body + "\n  ret void")
    error = error_of(text, [np.zeros(8, np.int32), 1, 1], block=1, checks=["init"])
    assert error.kind == "init"
    assert what in error.message


@pytest.mark.parametrize(
    "body",
    [
        "  %v = add nsw i32 2147483647, %n\n  %w = freeze i32 %v\n  store i32 %w, ptr %a",
        "  %v = and i32 undef, 0\n  store i32 %v, ptr %a",
        "  %v = lshr i32 1, 40\n  %w = select i1 true, i32 3, i32 %v\n  store i32 %w, ptr %a",
        "  %l = alloca i64\n  store i32 5, ptr %l\n  %v = load i64, ptr %l\n  %w = trunc i64 %v to i32\n  store i32 %w, ptr %a",
        "  %v = add nsw i32 2147483646, %n\n  store i32 %v, ptr %a",
        HALF
        + "  %v = call i32 @llvm.nvvm.prmt(i32 %half, i32 %n, i32 u0x5410)\n  store i32 %v, ptr %a",
        HALF
        + '  %v = call i32 asm "bfi.b32 $0, $1, $2, 16, 16;", "=r,r,r"(i32 %n, i32 %half)\n  store i32 %v, ptr %a',
        HALF
        + '  %v = call i32 asm "bfe.s32 $0, $1, 0, 16;", "=r,r"(i32 %half)\n  store i32 %v, ptr %a',
    ],
)
def test_independence_of_undefined_bits(body: str):
    run(
        kernel("ptr %a, i32 %n", body + "\n  ret void"),
        [np.zeros(8, np.int32), 1],
        block=1,
        checks=["init"],
    )


def test_division_by_zero_is_reported_on_request():
    text = kernel("ptr %a, i32 %n", "  %v = sdiv i32 1, %n\n  store i32 %v, ptr %a\n  ret void")
    assert error_of(text, [np.zeros(1, np.int32), 0], block=1, checks=["init"]).kind == "poison"


def test_unreachable_trap_and_assert():
    assert error_of(kernel("", "  unreachable"), [], block=1).kind == "poison"
    trap = kernel("", "  call void @llvm.trap()\n  ret void", "declare void @llvm.trap()")
    assert error_of(trap, [], block=1).kind == "trap"
    before = "\n".join(
        [
            '@m = internal constant [6 x i8] c"x > 0\\00"',
            '@f = internal constant [5 x i8] c"k.cu\\00"',
            '@n = internal constant [2 x i8] c"k\\00"',
            "declare void @__assertfail(ptr, ptr, i32, ptr, i64)",
        ]
    )
    failing = kernel(
        "", "  call void @__assertfail(ptr @m, ptr @f, i32 12, ptr @n, i64 1)\n  ret void", before
    )
    error = error_of(failing, [], block=1)
    assert error.kind == "assert"
    assert "k.cu:12: k: assertion `x > 0` failed" in error.message


def test_malloc_and_free():
    before = "declare ptr @malloc(i64)\ndeclare void @free(ptr)"
    body = "\n".join(
        [
            "  %p = call ptr @malloc(i64 8)",
            "  store i32 %tid, ptr %p",
            "  %v = load i32, ptr %p",
            "  %q = getelementptr i32, ptr %out, i64 %i",
            "  store i32 %v, ptr %q",
            "  call void @free(ptr %p)",
            "  ret void",
        ]
    )
    out = np.zeros(32, np.int32)
    run(kernel("ptr %out", body, before), [out], checks=["init"])
    assert out.tolist() == list(range(32))
    late = body.replace("  ret void", "  store i32 0, ptr %p\n  ret void")
    assert error_of(kernel("ptr %out", late, before), [out]).kind == "memory"
    twice = body.replace("  ret void", "  call void @free(ptr %p)\n  ret void")
    assert "malloc did not return" in error_of(kernel("ptr %out", twice, before), [out]).message


def test_malloc_returns_null_when_the_heap_is_exhausted():
    body = "\n".join(
        [
            "  %p = call ptr @malloc(i64 100)",
            "  %n = ptrtoint ptr %p to i64",
            "  %q = getelementptr i64, ptr %out, i64 %i",
            "  store i64 %n, ptr %q",
            "  ret void",
        ]
    )
    out = np.ones(32, np.int64)
    run(kernel("ptr %out", body, "declare ptr @malloc(i64)"), [out], limits=Limits(heap=1000))
    assert len(set(out[:8].tolist())) == 8
    assert out[8:].tolist() == [0] * 24


PRINTF = (
    'declare i32 @vprintf(ptr, ptr)\n@f = internal addrspace(1) constant [SIZE x i8] c"FORMAT\\00"'
)


def printf(format_: str, fields: str, stores: list[str]) -> str:
    before = PRINTF.replace("SIZE", str(len(format_) + 1)).replace("FORMAT", format_)
    body = [f"  %b = alloca {fields}, align 8"]
    for n, value in enumerate(stores):
        body.append(f"  %p{n} = getelementptr inbounds {fields}, ptr %b, i32 0, i32 {n}")
        body.append(f"  store {value}, ptr %p{n}")
    body.append("  %r = call i32 @vprintf(ptr addrspacecast (ptr addrspace(1) @f to ptr), ptr %b)")
    return kernel("ptr %out", "\n".join([*body, "  store i32 %r, ptr %out", "  ret void"]), before)


def test_printf():
    format_ = "%d|%5.2f|%llx|%c|%u%%|%s"
    fields = "{i32, double, i64, i32, i32, ptr}"
    values = [
        "i32 %tid", "double -1.005", "i64 -1", "i32 65", "i32 -1",
        "ptr addrspacecast (ptr addrspace(1) @f to ptr)",
    ]  # fmt: skip
    text = printf(format_, fields, values)
    out = np.zeros(1, np.int32)
    printed = run(text, [out], block=2, checks=["init"]).output
    same = f"|-1.00|{'f' * 16}|A|4294967295%|{format_}"
    assert printed == f"0{same}1{same}"
    assert out.tolist() == [6]


def test_printf_of_undefined_memory_is_reported():
    text = printf("%d %d", "{i32, i32}", ["i32 1"])
    run(text, [np.zeros(1, np.int32)], block=1)
    error = error_of(text, [np.zeros(1, np.int32)], block=1, checks=["init"])
    assert error.kind == "init"
    assert "printf reads undefined memory in thread (0, 0, 0)" in error.message


@pytest.mark.parametrize(
    "pointer", ["ptr addrspace(4) @c", "ptr addrspacecast (ptr addrspace(4) @c to ptr)"]
)
@pytest.mark.parametrize("access", ["store i32 1, PTR", "%o = atomicrmw add PTR, i32 1 monotonic"])
def test_constant_memory_is_read_only(pointer: str, access: str):
    before = "@c = internal addrspace(4) constant [4 x i32] zeroinitializer\n"
    error = error_of(kernel("", f"  {access.replace('PTR', pointer)}\n  ret void", before), [])
    assert error.kind == "memory"
    assert "of 4 bytes to memory that kernels only read, in thread (0, 0, 0)" in error.message


def test_the_report_has_the_source_location():
    text = kernel("ptr %a", "  %v = load i32, ptr %a, !dbg !3\n  ret void").replace(
        "define ptx_kernel void @k(ptr %a) {", "define ptx_kernel void @k(ptr %a) !dbg !2 {"
    )
    text += """\
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!4}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "kernel.cu", directory: "/src")
!2 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 6, type: !5, unit: !0)
!3 = !DILocation(line: 7, column: 9, scope: !2)
!4 = !{i32 2, !"Debug Info Version", i32 3}
!5 = !DISubroutineType(types: !6)
!6 = !{null}
"""
    report = error_of(text, [None], block=1).render()
    assert "kernel.cu:7:9: error: null pointer: load of 4 bytes" in report


def test_limits():
    before = 'declare i32 @vprintf(ptr, ptr)\n@f = internal constant [4 x i8] c"abc\\00"'
    body = "  %r = call i32 @vprintf(ptr @f, ptr null)\n  ret void"
    error = error_of(kernel("", body, before), [], limits=Limits(output=20))
    assert (error.kind, error.message) == ("limit", "the kernel prints more than 20 bytes")
    assert run(kernel("", body, before), [], block=2).output == "abcabc"
    large = np.zeros(1 << 20, np.uint8)
    error = error_of(kernel("ptr %a", "  ret void"), [large], limits=Limits(memory=1 << 20))
    assert error.kind == "limit"
    assert error.message == "the launch needs more than 1048576 bytes of memory"
    deep = "define internal void @f(i32 %n) {\n  call void @f(i32 %n)\n  ret void\n}"
    error = error_of(kernel("", "  call void @f(i32 0)\n  ret void", deep), [], block=1)
    assert error.kind == "limit"
    assert "calls nest more than 128 deep" in error.message
    many = kernel("", "  ret void")
    assert "at most 1024 threads, not 1025" in error_of(many, [], block=1025).message
    assert "at most 16 blocks, not 32" in error_of(many, [], grid=32, cluster=32).message
    assert "is not a multiple of the cluster" in error_of(many, [], grid=3, cluster=2).message
    shared = kernel("", "  ret void", SHARED)
    assert "more shared memory" in error_of(shared, [], shared_bytes=1 << 18).message


def test_unknown_names_are_user_errors():
    with pytest.raises(SimulationError, match="unknown check 'rase'"):
        run(kernel("", "  ret void"), [], checks=["rase"])
    with pytest.raises(SimulationError, match="takes 1 arguments, 0 were given"):
        run(kernel("ptr %a", "  ret void"), [])
    with pytest.raises(SimulationError, match="@g has no body"):
        run(kernel("", "  call void @g()\n  ret void", "declare void @g()"), [])


def test_a_program_that_cannot_be_compiled_fails_again_with_the_same_error():
    """A function that is only called through its address is compiled again as well."""
    functions = """
        declare void @missing()
        define void @f() {
          call void @missing()
          ret void
        }
        define void @g() {
          ret void
        }"""
    body = """
          %c = icmp eq i32 %n, 0
          %p = select i1 %c, ptr @f, ptr @g
          call void %p()
          ret void"""
    program = prepare(module(kernel("i32 %n", body, functions)))
    for _ in range(2):
        with pytest.raises(SimulationError, match="@missing has no body"):
            launch(program, "k", 1, 1, [1])
