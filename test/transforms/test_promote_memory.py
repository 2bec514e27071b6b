"""Promotion of stack slots: slots that stay in memory, and arguments of blocks."""

from __future__ import annotations

import pytest
from helpers.programs import block_named, parse_function
from helpers.slots import after, at, copied, loaded
from xdsl.dialects.llvm import FuncOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.ir.remarks import Remark
from nvvm_xdsl.passes.scalar.mem2reg import Mem2Reg
from nvvm_xdsl.verify.verifier import verify_function

STORED = "%s = alloca i64\nstore i64 %w, ptr %s\n"


@pytest.mark.parametrize(
    "body",
    [
        "%s = alloca i64, i32 2\nstore i64 %w, ptr %s\n" + loaded("i64", "%s"),
        STORED + "%r = load volatile i64, ptr %s\n",
        STORED + "store volatile i64 0, ptr %s\n",
        STORED + "store ptr %s, ptr %p\n",
        STORED + "store ptr %s, ptr %s\n",
        STORED + "call void @g(ptr %s)\n",
        STORED + copied("%p", "%s", 8),
        STORED + at("%e", "%s", 4) + loaded("i32", "%e"),
        "%s = alloca { i32, i32 }\nstore i32 %a, ptr %s\n"
        + at("%e", "%s", 4)
        + loaded("i32", "%e"),
        "%s = alloca i32\nstore i64 %w, ptr %s\n" + loaded("double", "%s"),
        STORED + at("%e", "%s", 0).replace("i64 0", "i64 %w") + loaded("i64", "%e"),
        STORED + loaded("i32", "%s"),
        STORED.replace("alloca i64", "alloca i32") + loaded("i64", "%s"),
    ],
    ids=[
        "array", "volatile-load", "volatile-store", "stored-address", "stored-in-itself", "call",
        "copy", "offset", "other-field", "two-types-beyond-end", "variable-offset", "half", "beyond-end",
    ],
)  # fmt: skip
def test_a_slot_with_another_use_stays(body: str):
    assert "alloca" in after(body, "mem2reg")


@pytest.mark.parametrize(
    "body",
    [
        STORED + loaded("i64", "%s"),
        STORED + loaded("double", "%s"),
        STORED + at("%e", "%s", 0) + loaded("i64", "%e"),
        "%s = alloca { i32, i64 }\ncall void @llvm.lifetime.start.p0(ptr %s)\n",
        "%s = alloca { i64, i64 }\nstore i64 %w, ptr %s\n" + loaded("double", "%s"),
        "%s = alloca { i64, i64 }\nstore i64 %w, ptr %s\n" + loaded("i64", "%s"),
    ],
    ids=["value", "other-type", "no-offset", "unused", "struct", "field"],
)
def test_a_slot_of_one_value_is_promoted(body: str):
    assert "alloca" not in after(body, "mem2reg")


def test_values_that_were_never_stored_are_one_undef():
    text = after("%s = alloca i64\n" + loaded("i64", "%s") + loaded("i64", "%s", "%z"), "mem2reg")
    assert text.count("store volatile i64 undef") == 2


def diamond(one: str, two: str, join: str, entry: str = "") -> str:
    """Returns a slot that is accessed in the blocks of a conditional."""
    return (
        f"%s = alloca i64\n{entry}br i1 %c, label %one, label %two\none:\n{one}br label %join\n"
        f"two:\n{two}br label %join\njoin:\n{join}"
    )


A = "store i64 %w, ptr %s\n"
B = "store i64 0, ptr %s\n"


@pytest.mark.parametrize(
    ("body", "phis"),
    [
        (diamond(A, B, loaded("i64", "%s")), 1),
        (diamond(A, "", loaded("i64", "%s"), B), 1),
        # The join stores before it loads, or does not load.
        (diamond(A, B, A + loaded("i64", "%s")), 0),
        (diamond(A, B, ""), 0),
        (diamond(A + loaded("i64", "%s"), B, ""), 0),
        # One store reaches all loads.
        (diamond(loaded("i64", "%s"), "", loaded("i64", "%s", "%z"), A), 0),
        (diamond("", "", loaded("i64", "%s")), 0),
    ],
    ids=["both", "one", "stored-again", "unused", "used-before", "one-store", "no-store"],
)
def test_a_join_has_an_argument_if_it_needs_one(body: str, phis: int):
    assert after(body, "mem2reg").count(" phi ") == phis


def test_a_join_before_another_store_has_no_argument():
    work = "call void @g(ptr %p)\n"
    body = diamond(
        A, B, f"{work}br label %last\nlast:\n{A}br label %end\nend:\n{loaded('i64', '%s')}"
    )
    assert after(body, "mem2reg").count(" phi ") == 0


def test_a_loop_that_only_loads_has_no_argument():
    body = diamond(
        A,
        B,
        "br label %loop\nloop:\n"
        + loaded("i64", "%s")
        + "br i1 %c, label %loop, label %end\nend:\n",
    )
    assert after(body, "mem2reg").count(" phi ") == 1


def test_a_loop_carries_the_value():
    body = (
        "%s = alloca i64\nstore i64 0, ptr %s\nbr label %loop\nloop:\n%r = load i64, ptr %s\n"
        "%n = add i64 %r, %w\nstore i64 %n, ptr %s\n%e = icmp ult i64 %n, 100\n"
        "br i1 %e, label %loop, label %end\nend:\n" + loaded("i64", "%s", "%z")
    )
    text = after(body, "mem2reg")
    assert text.count(" phi ") == 1
    assert "store volatile i64 %n" in text


UNREACHABLE = """
  llvm.func @f(%a: i32, %c: i1) -> i32 {{
    %one = llvm.mlir.constant(1 : i32) : i32
    %s = llvm.alloca %one x i32 : (i32) -> !llvm.ptr
    {entry}
    llvm.cond_br %c, ^two, ^join
  ^two:
    llvm.store %one, %s : i32, !llvm.ptr
    llvm.br ^join
  ^join:
    %r = llvm.load %s : !llvm.ptr -> i32
    llvm.return %r : i32
  ^never:
    llvm.store %u, %s : i32, !llvm.ptr
    %u = llvm.load %s : !llvm.ptr -> i32
    %v = llvm.add %u, %a : i32
    llvm.store %v, %s : i32, !llvm.ptr
    llvm.br ^join
  ^also:
    llvm.br ^join
  }}"""


@pytest.mark.parametrize("entry", ["", "llvm.store %a, %s : i32, !llvm.ptr"])
def test_accesses_in_unreachable_blocks_are_replaced(entry: str):
    """One of the blocks stores a value before its definition; both lead to a join."""
    func = parse_function(UNREACHABLE.format(entry=entry))
    assert isinstance(func, FuncOp)
    assert Mem2Reg().run_on_function(func, AnalysisManager())
    verify_function(func)
    names = [op.name for op in func.walk()]
    assert not {"llvm.alloca", "llvm.load", "llvm.store"}.intersection(names)
    assert len(block_named(func, "join").args) == 1


# Remarks.


def remarks_of(body: str, pipeline: str) -> list[str]:
    """Returns the messages of a pipeline."""
    found: list[Remark] = []
    with remarks.listening(found.append):
        after(body, pipeline)
    return [f"{remark.kind}: {remark.function}: {remark.message}" for remark in found]


def test_promoted_and_kept_slots_are_reported():
    body = (
        "%s = alloca i64\nstore i64 %w, ptr %s\n"
        + loaded("i64", "%s")
        + "%k = alloca i64\nstore i64 %w, ptr %k\ncall void @g(ptr %k)\n"
        "call void @llvm.lifetime.start.p0(ptr %k)\n%1 = alloca i64\n%e = load volatile i64, ptr %1\n"
    )
    assert remarks_of(body, "mem2reg") == [
        "Passed: f: stack slot s promoted to SSA values",
        "Missed: f: stack slot k stays in memory for llvm.call",
        "Missed: f: stack slot without a name stays in memory",
    ]
