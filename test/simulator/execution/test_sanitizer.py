"""A launch continues after errors and groups equal errors."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.ll_kernels import kernel, module, run

from nvvm_xdsl.simulator import Limits, SimulationError, sanitize
from nvvm_xdsl.simulator.execution.sanitizer import Report, is_header
from nvvm_xdsl.simulator.execution.variables import source_name

SHARED = "@s = internal addrspace(3) global [64 x i32] undef\n"
BARRIER = "  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n"
STORE = "  %q = getelementptr i32, ptr %a, i64 %i\n  store i32 7, ptr %q\n  ret void"
HEAP = "declare ptr @malloc(i64)\ndeclare void @free(ptr)\n"


def reports_of(text: str, args, **options) -> list[Report]:
    return run(text, args, sanitize=True, **options).reports


def the_report(text: str, args, **options) -> Report:
    (report,) = reports_of(text, args, **options)
    return report


def test_wrong_lanes_are_counted_and_the_others_continue():
    out = np.zeros(10, np.int32)
    report = the_report(kernel("ptr %a", STORE), [out], block=16)
    assert report.title == "Invalid __global__ write of size 4 bytes"
    assert (report.count, report.actor) == (6, "thread (10, 0, 0) in block (0, 0, 0)")
    assert report.notes[1].startswith("and is 1 bytes after the nearest allocation 'a' at ")
    assert report.notes[2] == "which is argument 0 of the launch"
    assert out.tolist() == [7] * 10


def test_all_errors_are_found_and_those_of_one_location_are_one_report():
    text = kernel(
        "ptr %a, ptr %b",
        "  %p = getelementptr i32, ptr %a, i64 %i\n  %q = getelementptr i32, ptr %b, i64 %i\n"
        "  %v = load i32, ptr %p\n  %w = add i32 %v, 1\n  store i32 %w, ptr %q\n  ret void",
    )
    out = np.zeros(6, np.int32)
    found = reports_of(text, [np.full(4, 5, np.int32), out], block=8, grid=2)
    assert [(r.title.split()[2], r.count) for r in found] == [("read", 8), ("write", 4)]
    # A failed load gives zero.
    assert out.tolist() == [6, 6, 6, 6, 1, 1]


def test_lanes_with_different_errors_in_one_access():
    text = kernel(
        "ptr %a, ptr %t",
        "  %s = getelementptr i64, ptr %t, i64 %i\n  %o = load i64, ptr %s\n"
        "  %p = getelementptr i8, ptr %a, i64 %o\n  store i32 1, ptr %p\n  ret void",
    )
    offsets = np.array([0, 6, 40, -(1 << 28) - (1 << 20), 1 << 50], np.int64)
    out = np.zeros(10, np.int32)
    found = reports_of(text, [out, offsets], block=5)
    assert [(r.notes[0].partition(" is ")[2], r.count) for r in found] == [
        ("in no memory", 1),
        ("a null pointer or close to one", 1),
        ("out of bounds", 1),
        ("misaligned (not aligned to 4 bytes)", 1),
    ]
    assert "thread (2, 0, 0)" in str(found[2].actor)
    assert out.tolist() == [1] + [0] * 9


def test_use_after_free_is_not_a_bounds_error():
    text = kernel(
        "ptr %a",
        "  %p = call ptr @malloc(i64 8)\n  store i32 1, ptr %p\n  call void @free(ptr %p)\n"
        "  %v = load i32, ptr %p\n  store i32 %v, ptr %a\n  call void @free(ptr %p)\n  ret void",
        HEAP,
    )
    use, twice = reports_of(text, [np.zeros(1, np.int32)], block=1)
    assert use.notes[0].endswith("was freed: use after free")
    assert use.notes[2].startswith("malloc at %p = llvm.call in @k")
    assert use.notes[3].startswith("freed at llvm.call in @k")
    assert twice.title == "Malloc/Free error encountered: Double free"


def test_leaks_are_grouped_by_the_call_that_allocated():
    text = kernel("", "  %p = call ptr @malloc(i64 8)\n  ret void", HEAP)
    report = the_report(text, [], block=4, leaks=True)
    assert report.title == "Leaked 32 bytes of device memory in 4 allocations"
    assert reports_of(text, [], block=4) == []


RACE = (
    "  %p = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %i\n"
    "  store i32 %tid, ptr addrspace(3) %p\n  %n = xor i64 %i, 1\n"
    "  %s = getelementptr [64 x i32], ptr addrspace(3) @s, i64 0, i64 %n\n"
    "  %v = load i32, ptr addrspace(3) %s\n"
)


def test_races_do_not_end_the_launch():
    text = kernel("ptr %a", RACE + STORE, SHARED)
    out = np.zeros(64, np.int32)
    report = the_report(text, [out], block=64, checks=["race"])
    assert "Read access and Write access (read after write hazard)" in report.title
    assert report.count == 64
    assert "Write access before it, by thread (1, 0, 0)" in report.notes[0]
    assert out.tolist() == [7] * 64


def test_an_incomplete_barrier_ends_only_its_block():
    text = kernel(
        "ptr %a",
        "  %c = icmp ult i32 %tid, 8\n  br i1 %c, label %then, label %else\n"
        f"then:\n{BARRIER}  br label %end\nelse:\n  %d = icmp eq i64 %i, 99\n"
        "  br label %spin\nspin:\n"
        "  call void @llvm.nvvm.bar.warp.sync(i32 1)\n  br label %end\n"
        f"end:\n{STORE}",
    )
    found = reports_of(text, [np.zeros(64, np.int32)], block=32, grid=2)
    assert {r.kind for r in found} == {"sync"}
    assert sum(r.count for r in found) == 2


def test_undefined_values_do_not_end_the_launch():
    text = kernel(
        "ptr %a",
        "  %l = alloca i32\n  %v = load i32, ptr %l\n  %c = icmp eq i32 %v, 3\n"
        "  br i1 %c, label %then, label %end\nthen:\n  br label %end\nend:\n" + STORE,
    )
    out = np.zeros(4, np.int32)
    report = the_report(text, [out], block=4, checks=["init"])
    assert report.title == "Use of uninitialized value: a branch depends on it"
    assert report.count == 4
    assert out.tolist() == [7] * 4


def test_the_limit_of_steps_names_the_loop():
    text = kernel(
        "ptr %a",
        "  br label %loop\nloop:\n  %c = icmp eq i64 %i, -1\n"
        "  br i1 %c, label %end, label %loop\nend:\n  ret void",
    )
    report = the_report(text, [None], block=1, limits=Limits(steps=100))
    assert report.title == "The kernel runs for more than 100 steps, the limit"
    assert report.notes == ("in the loop that begins at llvm.icmp, which is left at llvm.cond_br",)


def test_step_limit_lists_enclosing_loops_innermost_first():
    text = kernel(
        "ptr %a",
        "  br label %outer\nouter:\n  %c = icmp eq i64 %i, -1\n"
        "  br i1 %c, label %end, label %inner\ninner:\n  %x = add i64 %i, 1\n"
        "  br label %spin\nspin:\n  %y = mul i64 %x, 3\n  %d = icmp eq i64 %y, 1\n"
        "  br i1 %d, label %outer, label %spin\nend:\n  ret void",
    )
    report = the_report(text, [None], block=1, limits=Limits(steps=100))
    assert report.notes == (
        "in the loop that begins at llvm.mul, which is left at llvm.cond_br",
        "in the loop that begins at llvm.icmp, which is left at llvm.cond_br",
    )
    endless = text.replace("br i1 %d, label %outer, label %spin", "br label %spin")
    report = the_report(endless, [None], block=1, limits=Limits(steps=100))
    assert report.notes == ("in the loop that begins at llvm.mul, which no branch leaves",)


def test_no_block_runs_after_the_limit():
    text = kernel("ptr %a", "  store i32 1, ptr %a\n  br label %loop\nloop:\n  br label %loop")
    assert (
        len(reports_of(text, [np.zeros(1, np.int32)], block=1, grid=5, limits=Limits(steps=50)))
        == 1
    )


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZZ6smoothE4tile", "tile"),
        ("_ZZ1kPiE5table_0", "table"),
        ("_Z3fooi", "_Z3fooi"),
        ("tile", "tile"),
    ],
)
def test_static_locals_have_their_names(symbol: str, name: str):
    assert source_name(symbol) == name


def test_writes_to_read_only_memory_are_dropped():
    text = kernel(
        "ptr %a",
        "  store i32 5, ptr addrspace(4) @c\n  %v = load i32, ptr addrspace(4) @c\n"
        "  store i32 %v, ptr %a\n  ret void",
        "@c = internal addrspace(4) global i32 3\n",
    )
    out = np.zeros(1, np.int32)
    report = the_report(text, [out], block=1)
    assert report.notes[0].endswith("is in memory that kernels only read")
    assert out.tolist() == [3]


def test_memory_copies_continue_after_an_error():
    text = kernel(
        "ptr %a, ptr %b",
        "  call void @llvm.memcpy.p0.p0.i64(ptr %b, ptr %a, i64 16, i1 false)\n  ret void",
        "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n",
    )
    out = np.full(4, 9, np.int32)
    report = the_report(text, [np.zeros(2, np.int32), out], block=1)
    assert report.title == "Invalid __global__ read of size 16 bytes"
    assert out.tolist() == [0] * 4


def test_the_stack_has_the_enclosing_calls():
    text = kernel(
        "ptr %a",
        "  call void @outer(ptr %a)\n  ret void",
        "define internal void @outer(ptr %a) noinline {\n  call void @inner(ptr %a)\n  ret void\n}\n"
        "define internal void @inner(ptr %a) noinline {\n  store i32 0, ptr %a\n  ret void\n}\n",
    )
    report = the_report(text, [None], block=1)
    assert [frame.function for frame in report.stack] == ["inner", "outer", "k"]


def test_a_raised_error_keeps_the_output():
    text = kernel(
        "ptr %a",
        "  call i32 @vprintf(ptr @hello, ptr null)\n  store i32 0, ptr null\n  ret void",
        '@hello = internal constant [4 x i8] c"hi\\0A\\00"\ndeclare i32 @vprintf(ptr, ptr)\n',
    )
    with pytest.raises(SimulationError) as caught:
        run(text, [None], block=1)
    assert caught.value.output == "hi\n"
    assert run(text, [None], block=1, sanitize=True).output == "hi\n"


@pytest.mark.parametrize(
    ("file", "expected"),
    [("k.cu", False), ("k.cuh", True), ("/usr/include/c++/bits/x", True), ("include/v.cpp", True)],
)
def test_headers(file: str, expected: bool):
    assert is_header(file) == expected


def origins_of(body: str, before: str = "", args=(), signature: str = "ptr %a") -> list[str]:
    text = kernel(signature, body, before)
    result = sanitize(module(text), "k", 1, 4, args or [np.zeros(4, np.int32)], checks=["init"])
    (report,) = result.reports
    return report.origins


BRANCH = "  %c = icmp eq i32 %v, 3\n  br i1 %c, label %then, label %end\nthen:\n  br label %end\nend:\n  ret void"


def test_the_origin_is_the_uninitialized_variable():
    assert origins_of(f"  %l = alloca [2 x i32]\n  %v = load i32, ptr %l\n{BRANCH}") == [
        "it is read from 'l' (a local variable) at offset 0, where nothing was written,"
        " by %v = llvm.load in @k"
    ]


def test_the_origin_is_tracked_through_memory_calls_and_block_arguments():
    body = (
        "  %l = alloca i32\n  %u = load i32, ptr addrspace(3) @s\n  store i32 %u, ptr %l\n"
        "  %w = call i32 @half(ptr %l)\n  %d = icmp eq i64 %i, 77\n"
        "  br i1 %d, label %other, label %join\nother:\n  br label %join\n"
        f"join:\n  %v = phi i32 [ %w, %0 ], [ 1, %other ]\n{BRANCH}"
    )
    half = (
        "define internal i32 @half(ptr %p) noinline {\n  %x = load i32, ptr %p\n  ret i32 %x\n}\n"
    )
    assert origins_of(body, SHARED + half) == [
        "it is stored to 'l' (a local variable) at offset 0 by llvm.store in @k",
        "it is read from 's' (shared memory of the block) at offset 0, where nothing was written,"
        " by %u = llvm.load in @k",
    ]


def test_the_origin_is_the_op_that_creates_poison():
    (line,) = origins_of(
        f"  %m = add nsw i32 2147483647, %n\n  %v = add i32 %m, %tid\n{BRANCH}",
        signature="i32 %n",
        args=[1],
    )
    assert line == "it is created by %m = llvm.add in @k"


def test_the_launch_that_finds_origins_does_not_change_the_arguments():
    text = kernel(
        "ptr %a",
        "  %l = alloca i32\n  %x = load i32, ptr %a\n  %y = add i32 %x, 1\n  store i32 %y, ptr %a\n"
        f"  %v = load i32, ptr %l\n{BRANCH}",
    )
    out = np.zeros(1, np.int32)
    assert len(sanitize(module(text), "k", 1, 1, [out], checks=["init"]).reports) == 1
    assert out.tolist() == [1]
