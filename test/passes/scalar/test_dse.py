"""Conditions of `dse`: each case is a function and the number of remaining writes."""

from __future__ import annotations

import pytest

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.pipeline import run_pipeline

WRITES = ("llvm.store", "llvm.intr.memset")

TEXT = """
@g = internal addrspace(1) global i32 0
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.nvvm.exit()
declare void @llvm.nvvm.barrier0()
declare void @wait() memory(none)
define void @f(ptr %p, ptr %q, i64 %i, i64 %j, i1 %c, i32 %a, i32 %b) {{
  {body}
}}
"""


def kept(body: str) -> int:
    """Returns the number of remaining stores and fills."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, "dse")
    module.verify()
    return sum(op.name in WRITES for op in module.walk())


FILL = "call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 {}, i1 false)"

HALVES = """%x = getelementptr i8, ptr %p, i64 4
store i64 %i, ptr %p
{}
store i32 %a, ptr %p
{}
store i32 %b, ptr %x
ret void"""

FILLS = """%x = getelementptr i8, ptr %p, i64 64
call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 {}, i1 false)
call void @llvm.memset.p0.i64(ptr %p, i8 2, i64 64, i1 false)
call void @llvm.memset.p0.i64(ptr %x, i8 3, i64 {}, i1 false)
ret void"""

ONE_AFTER_THE_OTHER = {
    "two halves": (HALVES.format("", ""), 2),
    "a fill of two halves": (
        HALVES.replace("store i64 %i, ptr %p", FILL.format(8)).format("", ""),
        2,
    ),
    "not if the halves do not fill it": (
        HALVES.replace("store i64 %i, ptr %p", FILL.format(9)).format("", ""),
        3,
    ),
    "not if the same half is written twice": (HALVES.replace("i64 4", "i64 0").format("", ""), 2),
    "not if a half is read before": (
        HALVES.format("", "%l = load i32, ptr %x\nstore i32 %l, ptr addrspace(1) @g"),
        4,
    ),
    "not if there is a barrier before a half": (
        HALVES.format("", "call void @llvm.nvvm.barrier0()"),
        3,
    ),
    "not if the thread may exit before a half": (
        HALVES.format("", "call void @llvm.nvvm.exit()"),
        3,
    ),
    "not if a call before a half may not return": (HALVES.format("", "call void @wait()"), 3),
    "two halves around a load of another variable": (
        "%s = alloca i32\n"
        + HALVES.format("", "%l = load i32, ptr %s\n%m = atomicrmw add ptr %s, i32 %l monotonic"),
        2,
    ),
    "not if one path does not, in a shorter block": (
        "store i32 %a, ptr %p\n%x = add i32 %a, %b\n%y = mul i32 %x, %b\nbr i1 %c, label %one, label %end\n"
        "one:\nstore i32 %b, ptr %p\nbr label %end\nend:\nret void",
        2,
    ),
    "two fills of 128 bytes together": (FILLS.format(128, 64), 2),
    "not if they have 129 bytes": (FILLS.format(129, 65), 3),
    "not if the halves overlap": (HALVES.replace("i64 4", "i64 2").format("", ""), 3),
    "not if the rest of another object is written": (
        HALVES.replace("i64 4", "i64 2").format(
            "", "%y = getelementptr i8, ptr %q, i64 6\nstore i16 7, ptr %y"
        ),
        4,
    ),
    "not if a half is volatile": (
        HALVES.replace("store i32 %b", "store volatile i32 %b").format("", ""),
        3,
    ),
    "not if one half is in another block": (
        HALVES.format("", "br i1 %c, label %more, label %end\nend:\nret void\nmore:"),
        3,
    ),
    "the same address": ("store i32 %a, ptr %p\nstore i32 %b, ptr %p\nret void", 1),
    "not if the addresses may differ": (
        """%x = getelementptr i32, ptr %p, i64 %i
        %y = getelementptr i32, ptr %p, i64 %j
        store i32 %a, ptr %x
        store i32 %b, ptr %y
        ret void""",
        2,
    ),
    "not if only the upper half is overwritten": (
        """%x = getelementptr i8, ptr %p, i64 4
        store i64 %i, ptr %p
        store i32 %b, ptr %x
        ret void""",
        2,
    ),
    "not if the first store is volatile": (
        "store volatile i32 %a, ptr %p\nstore i32 %b, ptr %p\nret void",
        2,
    ),
    "a fill": (
        """call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 4, i1 false)
        store i32 %b, ptr %p
        ret void""",
        1,
    ),
    "not if the fill is volatile": (
        """call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 4, i1 true)
        store i32 %b, ptr %p
        ret void""",
        2,
    ),
    "not if the length of the fill is unknown": (
        """call void @llvm.memset.p0.i64(ptr %p, i8 1, i64 %i, i1 false)
        store i32 %b, ptr %p
        ret void""",
        2,
    ),
    "a local variable that nothing reads": (
        "%x = alloca i32\nstore i32 %a, ptr %x\nret void",
        0,
    ),
    "not if the variable is global": (
        "store i32 %a, ptr addrspace(1) @g\nret void",
        1,
    ),
    "not if the address was loaded": (
        "%x = load ptr, ptr %p\nstore i32 %a, ptr %x\nret void",
        1,
    ),
}


@pytest.mark.parametrize("why", ONE_AFTER_THE_OTHER)
def test_overwritten(why: str):
    body, count = ONE_AFTER_THE_OTHER[why]
    assert kept(body) == count


UNCHANGED = {
    "a loaded value": ("%x = load i32, ptr %p\nstore i32 %x, ptr %p\nret void", 0),
    "not if the load is volatile": (
        "%x = load volatile i32, ptr %p\nstore i32 %x, ptr %p\nret void",
        1,
    ),
    "not if the load is atomic": (
        "%x = load atomic i32, ptr %p monotonic, align 4\nstore i32 %x, ptr %p\nret void",
        1,
    ),
    "not if the value was there before an update": (
        "%x = atomicrmw add ptr %p, i32 1 monotonic\nstore i32 %x, ptr %p\nret void",
        1,
    ),
    "not if the value is from another address": (
        "%y = getelementptr i32, ptr %p, i64 1\n%x = load i32, ptr %y\nstore i32 %x, ptr %p\nret void",
        1,
    ),
}


@pytest.mark.parametrize("why", UNCHANGED)
def test_stores_of_a_value_loaded_from_the_same_address(why: str):
    body, count = UNCHANGED[why]
    assert kept(body) == count


PATHS = """store i32 %a, ptr %p
  br i1 %c, label %one, label %other
one:
  {one}
  store i32 %b, ptr %p
  br label %end
other:
  {other}
  br label %end
end:
  {end}
  ret void"""

OVERWRITTEN_ON_PATHS = {
    "on both": ("", "store i32 1, ptr %p", "", 2),
    "not if one path does not": ("", "", "", 2),
    "not if one path writes a part": ("", "store i8 1, ptr %p", "", 3),
    "not if one path reads": ("", "%x = load i32, ptr %p\nstore i32 %x, ptr %p", "", 2),
    "not if the thread may end before": (
        "call void @llvm.nvvm.exit()", "store i32 1, ptr %p", "", 3,
    ),
    "not if a call before may not return": (
        "call void @wait()", "store i32 1, ptr %p", "", 3,
    ),
    "behind the paths": ("", "", "store i32 2, ptr %p", 1),
    "not if the thread may end on a path": (
        "", "call void @llvm.nvvm.exit()", "store i32 2, ptr %p", 2,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", OVERWRITTEN_ON_PATHS)
def test_overwritten_on_paths(why: str):
    one, other, end, count = OVERWRITTEN_ON_PATHS[why]
    assert kept(PATHS.format(one=one, other=other, end=end)) == count


ANOTHER_PLACE = {
    "not if one path writes at another index": ("getelementptr i32, ptr %p, i64 %j", "i32 %b"),
    "not if one path writes the upper half": ("getelementptr i8, ptr %x, i64 4", "i32 %b"),
    "on both paths": ("getelementptr i8, ptr %x, i64 0", "i64 %j"),
}


@pytest.mark.parametrize("why", ANOTHER_PLACE)
def test_overwritten_at_another_address(why: str):
    address, value = ANOTHER_PLACE[why]
    body = f"""%x = getelementptr i32, ptr %p, i64 %i
      %y = {address}
      store i64 %i, ptr %x
      br i1 %c, label %one, label %other
    one:
      store i64 %j, ptr %x
      ret void
    other:
      store {value}, ptr %y
      ret void"""
    assert kept(body) == (2 if why == "on both paths" else 3)


def test_the_last_store_of_a_loop_is_kept():
    """The first store of the next iteration overwrites it, but no store follows the loop."""
    body = """br label %loop
    loop:
      %n = phi i32 [ 0, %0 ], [ %next, %loop ]
      store i32 %a, ptr %p
      fence acq_rel
      store i32 %n, ptr %p
      %next = add i32 %n, 1
      %d = icmp slt i32 %next, %b
      br i1 %d, label %loop, label %end
    end:
      ret void"""
    assert kept(body) == 2
    assert kept(body.replace("fence acq_rel", "")) == 1


def test_a_loop_between_two_stores():
    body = """store i32 %a, ptr %p
      br label %loop
    loop:
      %n = phi i32 [ 0, %0 ], [ %next, %loop ]
      %next = add i32 %n, 1
      %d = icmp slt i32 %next, %b
      br i1 %d, label %loop, label %end
    end:
      store i32 %b, ptr %p
      ret void"""
    assert kept(body) == 1
