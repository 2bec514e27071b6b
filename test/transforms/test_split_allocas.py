"""Splitting of stack slots: accesses, copies and fills of the parts."""

from __future__ import annotations

import pytest
from helpers.slots import TEXT, after, at, copied, filled, loaded

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir.locations import place_of
from nvvm_xdsl.passes.scalar.sroa import SROA
from nvvm_xdsl.transforms import split_allocas

OVERLAP = (
    "%s = alloca i64\n%e = getelementptr i8, ptr %s, i64 2\n"
    "store i32 %a, ptr %s, align 2\nstore i32 %b, ptr %e, align 2\n"
)
"""A slot of which six bytes stay in memory."""


def changes(body: str) -> bool:
    """Returns whether the pass reports a change."""
    *_, func = functions_of(read_ll(TEXT.format(body=body)))
    return SROA().run_on_function(func, AnalysisManager())


# Slots.


def test_a_slot_of_variable_size_is_not_split():
    assert "alloca i32, i32 %a" in after("%s = alloca i32, i32 %a\nstore i32 %a, ptr %s\n")


def test_an_array_of_slots_is_split():
    body = "%s = alloca i32, i32 4\n" + at("%e", "%s", 8) + "store i32 %a, ptr %e\n"
    assert "alloca" not in after(body + loaded("i32", "%e"))


def test_an_unused_slot_is_erased():
    assert "alloca" not in after("%s = alloca { i32, i64 }\n")
    assert "alloca" not in after(
        "%s = alloca { i32, i64 }\ncall void @llvm.lifetime.start.p0(ptr %s)\n"
    )


def test_a_slot_of_one_value_is_only_promoted():
    before = split_allocas.SPLIT.value
    assert "alloca" not in after("%s = alloca i32\nstore i32 %a, ptr %s\n" + loaded("i32", "%s"))
    assert split_allocas.SPLIT.value == before


def test_a_copied_slot_of_one_value_is_promoted():
    text = after("%s = alloca i32\n" + copied("%s", "%p", 4) + loaded("i32", "%s"))
    assert "alloca" not in text
    assert "memcpy" not in text


def test_a_slot_that_stays_one_part_is_unchanged():
    body = "%s = alloca [6 x i8]\n" + OVERLAP.partition("\n")[2] + loaded("i32", "%s")
    assert not changes(body)
    assert changes(body.replace("[6 x i8]", "i64"))


# Accesses.

WIDE = "%s = alloca i64\nstore i64 %w, ptr %s\n"


@pytest.mark.parametrize(("offset", "shifts"), [(0, 0), (2, 1)])
def test_bits_are_only_shifted_at_an_offset(offset: int, shifts: int):
    body = WIDE + at("%e", "%s", offset) + "store i16 %h, ptr %e\n" + loaded("i64", "%s")
    assert after(body).count(" shl ") == shifts
    body = WIDE + at("%e", "%s", offset) + loaded("i16", "%e")
    assert after(body).count(" lshr ") == shifts


# Copies.


@pytest.mark.parametrize("offset", [0, 4])
def test_half_of_a_value_is_copied_out(offset: int):
    text = after(WIDE + at("%e", "%s", offset) + copied("%p", "%e", 4) + loaded("i64", "%s"))
    assert "store i64 %w, ptr %p" not in text
    assert ", i64 4, i1 false)" in text
    assert "ptr align 8 %s" in text or "%s, i32 4" in text


@pytest.mark.parametrize("offset", [0, 4])
def test_half_of_a_value_is_copied_in(offset: int):
    text = after(WIDE + at("%e", "%s", offset) + copied("%e", "%p", 4) + loaded("i64", "%s"))
    (line,) = [line for line in text.splitlines() if "memcpy" in line and "call" in line]
    assert line.index("%s" if offset == 0 else "%1") < line.index("%p")
    assert "i64 4," in line


def test_bytes_are_copied_as_bytes():
    text = after(OVERLAP + copied("%p", "%s", 6))
    assert ", i64 6, i1 false)" in text
    assert "load" not in text


def test_a_part_outside_of_a_copy_is_not_copied():
    body = (
        "%s = alloca { i32, i32 }\n"
        + at("%e", "%s", 4)
        + "store i32 %a, ptr %s\nstore i32 %b, ptr %e\n"
        + copied("%p", "%s", 4)
        + loaded("i32", "%e")
    )
    text = after(body)
    assert "memcpy" not in text
    assert text.count("store i32") == 1
    assert "store i32 %a, ptr %p" in text


# Fills.


@pytest.mark.parametrize(
    ("body", "is_filled"),
    [
        ("%s = alloca i64\n" + filled("%s", 1, 8) + loaded("i64", "%s"), False),
        ("%s = alloca i64\n" + filled("%s", "%x", 8) + loaded("i64", "%s"), True),
        # Half of a value, and bytes.
        (WIDE + filled("%s", 1, 4) + loaded("i64", "%s"), True),
        (WIDE + at("%e", "%s", 4) + filled("%e", 1, 4) + loaded("i64", "%s"), True),
        (OVERLAP + filled("%s", 1, 6) + loaded("i32", "%s", "%z"), True),
    ],
    ids=["whole", "variable", "first-half", "second-half", "bytes"],
)
def test_a_fill_of_a_whole_value_is_a_constant(body: str, is_filled: bool):
    text = after(body)
    assert ("memset" in text) is is_filled
    assert ("alloca" in text) is is_filled


def test_a_fill_with_zero_is_a_zero_of_the_type():
    text = after("%s = alloca float\n" + filled("%s", 0, 4) + loaded("float", "%s"))
    assert "store volatile float zeroinitializer, ptr %q" in text


def test_the_parts_of_a_copy_have_its_line():
    text = """\
define void @f(ptr %p) !dbg !2 {
  %s = alloca [4 x i32]
  call void @llvm.memcpy.p0.p0.i64(ptr %s, ptr %p, i64 16, i1 false), !dbg !4
  %e = getelementptr i8, ptr %s, i64 4
  %v = load i32, ptr %e, !dbg !5
  store i32 %v, ptr %p, !dbg !6
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3}
!0 = distinct !DICompileUnit(language: DW_LANG_C, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.c", directory: "/")
!2 = distinct !DISubprogram(name: "f", file: !1, line: 1, unit: !0)
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !DILocation(line: 4, column: 1, scope: !2)
!5 = !DILocation(line: 5, column: 1, scope: !2)
!6 = !DILocation(line: 6, column: 1, scope: !2)
"""
    (func,) = [f for f in functions_of(read_ll(text, locations=True)) if f.body.blocks]
    SROA().run_on_function(func, AnalysisManager())
    lines = [(op.name, place_of(op).line) for op in func.walk() if "alignment" in op.properties]
    assert lines == [("llvm.load", 4), ("llvm.store", 6)]
