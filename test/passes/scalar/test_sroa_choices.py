"""Loads from one of several stack slots: properties of the loads that `sroa` promotes later."""

from __future__ import annotations

import pytest
from xdsl.dialects.llvm import AllocaOp, LoadOp

from nvvm_xdsl.dialects.llvm.accessors import stated_alignment
from nvvm_xdsl.dialects.llvm.constant_ops import Constants
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.export.module import write_ll
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.sroa_choices import load_choices
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module


def test_each_load_has_the_alignment_of_its_slot():
    module = read_ll(
        """
define i64 @f(i1 %c, i64 %x) {
  %a = alloca [2 x i64], align 16
  %b = alloca [3 x i64], align 8
  store i64 %x, ptr %a
  store i64 %x, ptr %b
  %p = select i1 %c, ptr %a, ptr %b
  %q = getelementptr i64, ptr %p, i64 1
  %v = load i64, ptr %p, align 16
  %w = load i64, ptr %q, align 8
  %s = add i64 %v, %w
  ret i64 %s
}
""",
        "f.ll",
    )
    (func,) = functions_of(module)
    slots = [op for op in func.walk() if isinstance(op, AllocaOp)]
    assert load_choices(slots, data_layout_of(func), Constants(func))
    verify_module(module)
    loads = [stated_alignment(op) for op in func.walk() if isinstance(op, LoadOp)]
    assert loads == [16, 8, 8, 8]


ADVANCED = """
define i8 @digits(i32 %n, i1 %d) {
entry:
  %buffer = alloca [4 x i8]
  store i8 1, ptr %buffer
  %end = getelementptr i8, ptr %buffer, i64 3
  br i1 %d, label %loop, label %other
loop:
  %p = phi ptr [ %end, %entry ], [ %next, %latch ]
  %i = phi i32 [ 0, %entry ], [ %j, %latch ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %latch, label %exit
latch:
  %next = getelementptr i8, ptr %p, i64 -1
  %j = add i32 %i, 1
  br label %loop
exit:
  EXIT
other:
  br label %join
join:
  %q = phi ptr [ VALUE, %exit ], [ %end, %other ]
  %v = load i8, ptr %q
  ret i8 %v
}
"""
"""A pointer that a loop advances may be before the start of the buffer."""


def resolves_choices(text: str) -> bool:
    """Whether loads through choices are replaced; verifies the result."""
    module = read_ll(text, "choices.ll")
    (func,) = functions_of(module)
    slots = [op for op in func.walk() if isinstance(op, AllocaOp)]
    found = load_choices(slots, data_layout_of(func), Constants(func))
    verify_module(module)
    return found


def test_a_pointer_that_a_loop_advances_is_not_always_readable():
    chosen = "%s = select i1 %more, ptr %p, ptr %end\n  %w = load i8, ptr %s\n  ret i8 %w"
    text = ADVANCED.replace("EXIT", chosen).replace("[ VALUE, %exit ], ", "")
    assert not resolves_choices(text)


def test_the_values_of_a_choice_include_a_pointer_that_a_loop_advances():
    """The block before the join loads in any case, so that the load may move there."""
    text = ADVANCED.replace("EXIT", "br label %join").replace("VALUE", "%p")
    assert resolves_choices(text)


def test_addresses_derived_from_a_choice_are_readable_in_all_its_slots():
    """The bytes at %q are only in %large, but the select reads them whenever %d is false, too."""
    assert not resolves_choices(
        """
define i32 @f(i1 %c, i1 %d) {
entry:
  %small = alloca [2 x i32]
  %large = alloca [8 x i32]
  store i32 1, ptr %small
  store i32 2, ptr %large
  br i1 %c, label %left, label %right
left:
  br label %join
right:
  br label %join
join:
  %p = phi ptr [ %small, %left ], [ %large, %right ]
  %q = getelementptr i8, ptr %p, i64 16
  %r = select i1 %d, ptr %q, ptr %large
  %v = load i32, ptr %r
  ret i32 %v
}
"""
    )


SLOTS = """
%a = alloca {{ i32, i32 }}, align 4
%b = alloca {{ i32, i32 }}, align 4
store i32 %x, ptr %a
store i32 %y, ptr %b
{before}
%p = select i1 %c, ptr %{arm}, ptr %b
{after}
%v = load i32, ptr %p, align 4
ret i32 %v
"""
JOINED = """
%a = alloca {{ i32, i32 }}, align 4
%b = alloca {{ i32, i32 }}, align 4
store i32 %x, ptr %a
store i32 %y, ptr %b
{before}
br i1 %c, label %t, label %e
t:
br label %m
e:
br label %m
m:
%p = phi ptr [ %{arm}, %t ], [ %b, %e ]
{after}
%v = load i32, ptr %p, align 4
ret i32 %v
"""
HEAD = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
declare void @g(ptr)
define i32 @f(i1 %c, i1 %d, i32 %x, i32 %y, i64 %n, ptr %q) {{
{body}
}}
"""


def after(
    text: str = SLOTS, *, before: str = "", arm: str = "a", after_choice: str = "", body: str = ""
) -> str:
    """Returns the module after the pass."""
    content = body or text.format(before=before, arm=arm, after=after_choice)
    module = read_ll(HEAD.format(body=content))
    run_pipeline(module, "sroa")
    verify_module(module)
    return write_ll(module)


def is_resolved(text: str) -> bool:
    """Returns whether the choice `%p` is gone."""
    return "%p = " not in text


def copied(target: str, source: str, length: object, volatile: str = "false") -> str:
    return (
        f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {length}, i1 {volatile})"
    )


GEP = "%f1 = getelementptr i8, ptr %a, i64 4\n"
CAST = "%s = addrspacecast ptr %a to ptr addrspace(5)\n%f1 = addrspacecast ptr addrspace(5) %s to ptr\n"


@pytest.mark.parametrize("text", [SLOTS, JOINED], ids=["select", "join"])
@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"before": GEP + "store i32 %y, ptr %f1\n", "arm": "f1"},
        {"before": CAST, "arm": "f1"},
        {"before": CAST + "store i32 %y, ptr %f1"},
        {"before": "call void @llvm.lifetime.start.p0(ptr %a)"},
        {"before": "call void @llvm.memset.p0.i64(ptr %a, i8 1, i64 8, i1 false)"},
        {"before": copied("%a", "%q", 8)},
        {"after_choice": "call void @llvm.lifetime.start.p0(ptr %b)"},
        {"after_choice": "%z = addrspacecast ptr %p to ptr addrspace(5)\n"
                         "%u = load i32, ptr addrspace(5) %z\n"},
        {"after_choice": copied("%q", "%p", 8)},
    ],
    ids=["plain", "field", "cast", "cast-access", "marker", "fill", "copy-in", "marker-after",
         "cast-choice", "copy-out"],
)  # fmt: skip
def test_loads_through_a_choice_are_resolved(text: str, parts: dict[str, str]):
    assert is_resolved(after(text, **parts)) is (
        text is SLOTS or parts.get("after_choice", "").find("memcpy") < 0
    )


@pytest.mark.parametrize("text", [SLOTS, JOINED], ids=["select", "join"])
@pytest.mark.parametrize(
    "parts",
    [
        {"before": "call void @g(ptr %a)"},
        {"before": GEP + "call void @g(ptr %a)", "arm": "f1"},
        {"before": CAST + "call void @g(ptr %a)", "arm": "f1"},
        {"before": "store ptr %a, ptr %q"},
        {"before": "store volatile i32 %x, ptr %a"},
        {"before": "%l = load volatile i32, ptr %a"},
        {"before": "%i = getelementptr i32, ptr %a, i64 %n\nstore i32 %x, ptr %i"},
        {"before": "%o = select i1 %d, ptr %a, ptr %q\nstore i32 %x, ptr %o"},
        {"before": "br i1 %d, label %two, label %three\ntwo:\n"
                   "br i1 %c, label %three, label %three\nthree:\n"
                   "%o = phi ptr [ %a, %0 ], [ %q, %two ], [ %q, %two ]\nstore i32 %x, ptr %o\n"},
        {"before": copied("%a", "%q", "%n")},
        {"before": copied("%a", "%q", 4, "true")},
        {"after_choice": "store i32 %x, ptr %p"},
        {"after_choice": "%l = load volatile i32, ptr %p"},
        {"after_choice": "call void @g(ptr %p)"},
        {"after_choice": copied("%p", "%q", 4)},
        {"after_choice": copied("%q", "%p", 4, "true")},
        {"after_choice": copied("%q", "%p", "%n")},
        # Beyond the end, and a part of a scalar.
        {"after_choice": "%l = load i128, ptr %p"},
        {"after_choice": f"%h = getelementptr i8, ptr %p, i64 2\n{copied('%q', '%h', 2)}"},
        {"after_choice": copied("%q", "%p", 2)},
        {"after_choice": "%h = getelementptr i32, ptr %p, i64 %n\n%l = load i32, ptr %h"},
    ],
    ids=["call", "field-of-call", "cast-of-call", "stored", "volatile-store", "volatile-load",
         "variable-offset", "other-choice", "other-join", "variable-length", "volatile-copy",
         "store-choice", "volatile-choice", "call-choice", "copy-to-choice", "volatile-from-choice",
         "variable-from-choice", "beyond-end", "second-half", "first-half", "offset-of-choice"],
)  # fmt: skip
def test_a_choice_with_another_use_is_kept(text: str, parts: dict[str, str]):
    """Also if only a slot has another use."""
    assert not is_resolved(after(text, **parts))


def test_a_slot_of_variable_size_is_not_loaded():
    text = after(
        before="%v1 = alloca i32, i64 %n\n%e = getelementptr i8, ptr %v1, i64 4\nstore i32 %x, ptr %e",
        arm="v1",
    )
    assert "select i1 %c, ptr %v1, ptr %b" in text


def test_a_choice_without_uses_is_erased():
    text = after(body="%a = alloca i32\n%p = select i1 %c, ptr %a, ptr %q\nret i32 %x")
    assert "alloca i32" in text
    body = "%a = alloca i32\n%b = alloca i32\n%p = select i1 %c, ptr %a, ptr %b\nret i32 %x"
    assert "alloca" not in after(body=body)


def test_a_pointer_from_memory_is_loaded_on_its_path():
    text = after(JOINED, before="%o = load ptr, ptr %q\ncall void @g(ptr %o)", arm="o")
    assert "phi ptr" not in text
    assert "load i32, ptr %o" in text


@pytest.mark.parametrize("escapes", ["", "call void @g(ptr %a)\n"])
def test_a_choice_of_a_choice(escapes: str):
    """The outer choice is kept if a slot of the inner one is."""
    text = after(
        before=f"%k = alloca i32\nstore i32 3, ptr %k\n{escapes}"
        "%i = select i1 %d, ptr %a, ptr %k\n",
        arm="i",
    )
    assert is_resolved(text) is not bool(escapes)


def test_a_join_of_a_join():
    body = (
        "%a = alloca i32\n%b = alloca i32\nstore i32 %x, ptr %a\nstore i32 %y, ptr %b\n"
        "br i1 %d, label %s, label %o\ns:\nbr i1 %c, label %t, label %e\nt:\nbr label %m\n"
        "e:\nbr label %m\nm:\n%p = phi ptr [ %a, %t ], [ %b, %e ]\nbr label %k\n"
        "o:\nbr label %k\nk:\n%r = phi ptr [ %p, %m ], [ %b, %o ]\n%v = load i32, ptr %r\nret i32 %v"
    )
    text = after(body=body)
    assert is_resolved(text)
    assert "alloca" not in text


def test_a_pointer_that_a_loop_carries():
    """The choice is one of its own values: it is kept."""
    body = (
        "%a = alloca i32\n%b = alloca i32\nstore i32 %x, ptr %a\nstore i32 %y, ptr %b\nbr label %l\n"
        "l:\n%p = phi ptr [ %a, %0 ], [ %r, %l ]\n%r = select i1 %d, ptr %p, ptr %b\n"
        "%v = load i32, ptr %p\nstore volatile i32 %v, ptr %q\nbr i1 %c, label %l, label %z\n"
        "z:\nret i32 %v"
    )
    assert "phi ptr" in after(body=body)


def test_a_pointer_that_a_loop_passes_on():
    body = (
        "%a = alloca i32\nstore i32 %x, ptr %a\nbr label %l\n"
        "l:\n%p = phi ptr [ %a, %0 ], [ %p, %t ]\n%v = load i32, ptr %p\n"
        "store volatile i32 %v, ptr %q\nbr i1 %c, label %t, label %z\nt:\nbr label %l\n"
        "z:\nret i32 %v"
    )
    assert not is_resolved(after(body=body))


def test_a_copy_through_a_join_is_resolved():
    body = JOINED.format(before="", arm="a", after=copied("%q", "%p", 4)).partition("%v =")[0]
    text = after(body=body + "ret i32 0")
    assert is_resolved(text)
    assert "memcpy" not in text


TRIPLES = """
%a = alloca {{ i32, i32, i32 }}
%b = alloca {{ i32, i32, i32 }}
{fill}
%p = select i1 %c, ptr %a, ptr %b
%m = getelementptr i8, ptr %p, i64 {offset}
call void @llvm.memcpy.p0.p0.i64(ptr %q, ptr %m, i64 4, i1 false)
ret i32 0
"""


@pytest.mark.parametrize("offset", [0, 4, 8])
def test_one_field_is_copied(offset: int):
    fill = "\n".join(
        f"%{slot}{n} = getelementptr i8, ptr %{slot}, i64 {n}\nstore i32 {n}, ptr %{slot}{n}"
        for slot in "ab"
        for n in (0, 4, 8)
    )
    text = after(body=TRIPLES.format(fill=fill, offset=offset))
    assert f"store i32 {offset}, ptr %q" in text or f"i32 {offset}, i32 {offset}" in text


def test_a_slot_of_many_scalars_is_copied_by_bytes():
    body = (
        "%a = alloca [65 x i32]\n%b = alloca [65 x i32]\nstore i32 %x, ptr %a\nstore i32 %y, ptr %b\n"
        "%p = select i1 %c, ptr %a, ptr %b\n" + copied("%q", "%p", 4) + "\nret i32 0"
    )
    text = after(body=body)
    assert "memcpy" not in text
    assert text.count("store i8") == 4


def test_an_array_of_slots_is_copied_by_its_elements():
    body = (
        "%a = alloca i32, i32 2\n%b = alloca i32, i32 2\nstore i32 %x, ptr %a\nstore i32 %y, ptr %b\n"
        "%p = select i1 %c, ptr %a, ptr %b\n" + copied("%q", "%p", 8) + "\nret i32 0"
    )
    assert after(body=body).count("store i32") == 2
