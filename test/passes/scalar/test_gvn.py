"""Conditions of `gvn`: each case is a function, an op, and its number afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @use(i32)
define void @f(ptr %p, ptr noalias %q, i32 %a, i32 %b, i64 %w, float %x, i1 %c, i1 %d) {{
  {body}
}}
"""


def count(body: str, name: str, options: str = "") -> int:
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, f"gvn{options}")
    module.verify()
    return sum(op.name == name for op in module.walk())


# In MLIR, constants are not only in the entry block.

CONSTANTS = """
llvm.func @f(%a: i32, %c: i1, %p: !llvm.ptr) -> i32 {
  llvm.cond_br %c, ^yes, ^no
^yes:
  %k = llvm.mlir.constant(7 : i32) : i32
  %x = llvm.udiv %a, %k : i32
  llvm.store %x, %p : i32, !llvm.ptr
  llvm.br ^join(%k : i32)
^no:
  llvm.br ^join(%a : i32)
^join(%v: i32):
  %l = llvm.mlir.constant(7 : i32) : i32
  %y = llvm.udiv %a, %l : i32
  %z = llvm.add %y, %v : i32
  llvm.return %z : i32
}
"""


@pytest.mark.parametrize(("options", "blocks"), [("<no-pre>", [1, 3]), ("", [1, 2])])
def test_a_constant_is_available_only_where_it_dominates(options: str, blocks: list[int]):
    module = parse_module(CONSTANTS)
    run_pipeline(module, f"gvn{options}")
    verify_module(module)
    found = fast.blocks_of(function(module).body)
    divisions = [n for n, b in enumerate(found) for op in fast.ops_of(b) if op.name == "llvm.udiv"]
    assert divisions == blocks


# A branch decides values in the blocks that it dominates. The block `yes` stores a sum with the
# value.

BRANCH = """{before}
  br i1 {condition}, label %yes, label %no
yes:
  {yes}
  ret void
no:
  {no}
  ret void"""
ADD = "%s = add i32 %a, %b\nstore i32 %s, ptr %p"
BITS = "%s = bitcast float %x to i32\nstore i32 %s, ptr %p"
FADD = "%s = fadd float %x, 1.0\nstore float %s, ptr %p"
SELECT = "%s = select i1 %c, i32 %a, i32 %b\nstore i32 %s, ptr %p"
LEARNED = {
    "an equality": ("%e = icmp eq i32 %a, 0", "%e", ADD, "", "llvm.add", 0),
    "with the constant first": ("%e = icmp eq i32 0, %a", "%e", ADD, "", "llvm.add", 0),
    "not in the other block": ("%e = icmp eq i32 %a, 0", "%e", "", ADD, "llvm.add", 1),
    "a false inequality": ("%e = icmp ne i32 %a, 0", "%e", "", ADD, "llvm.add", 0),
    "not a true inequality": ("%e = icmp ne i32 %a, 0", "%e", ADD, "", "llvm.add", 1),
    "not an order": ("%e = icmp ule i32 %a, 0", "%e", ADD, "", "llvm.add", 1),
    "not an equality of two values": ("%e = icmp eq i32 %a, %b", "%e", ADD, "", "llvm.add", 1),
    "the condition": ("", "%c", SELECT, SELECT.replace("%s", "%t"), "llvm.select", 0),
    "not another condition": ("", "%d", SELECT, SELECT.replace("%s", "%t"), "llvm.select", 2),
    "both parts of an and": ("%e = and i1 %c, %d", "%e", SELECT, "", "llvm.select", 0),
    "not of a false and": ("%e = and i1 %c, %d", "%e", "", SELECT, "llvm.select", 1),
    "both parts of a false or": ("%e = or i1 %c, %d", "%e", "", SELECT, "llvm.select", 0),
    "not of a true or": ("%e = or i1 %c, %d", "%e", SELECT, "", "llvm.select", 1),
    "a negation": ("%e = xor i1 %c, true", "%e", SELECT, "", "llvm.select", 0),
    "not an exclusive or of two values": ("%e = xor i1 %c, %d", "%e", SELECT, "", "llvm.select", 1),
    "an equal float": ("%e = fcmp oeq float %x, 2.0", "%e", FADD, "", "llvm.fadd", 0),
    "a false unequal float": ("%e = fcmp une float %x, 2.0", "%e", "", FADD, "llvm.fadd", 0),
    "not a float equal to zero": ("%e = fcmp oeq float %x, 0.0", "%e", FADD, "", "llvm.fadd", 1),
    "the bits of an equal float": ("%e = fcmp oeq float %x, 2.0", "%e", BITS, "", "llvm.bitcast", 0),
    "not a float equal to a denormal": ("%e = fcmp oeq float %x, 0x36A0000000000000", "%e", BITS, "", "llvm.bitcast", 1),
    "not an unordered equality": ("%e = fcmp ueq float %x, 2.0", "%e", FADD, "", "llvm.fadd", 1),
    "not an order of floats": ("%e = fcmp oge float %x, 2.0", "%e", FADD, "", "llvm.fadd", 1),
    "not a false equality": ("%e = fcmp oeq float %x, 2.0", "%e", "", FADD, "llvm.fadd", 1),
    "not a true inequality of floats": ("%e = fcmp une float %x, 2.0", "%e", FADD, "", "llvm.fadd", 1),
    "the inverse comparison": (
        "%e = icmp slt i32 %a, %b", "%e",
        "%g = icmp sge i32 %a, %b\n%s = zext i1 %g to i32\nstore i32 %s, ptr %p", "", "llvm.zext", 0,
    ),
    "not the comparison the other way round": (
        "%e = icmp sle i32 %a, %b", "%e",
        "%g = icmp sle i32 %b, %a\n%s = zext i1 %g to i32\nstore i32 %s, ptr %p", "", "llvm.zext", 1,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", LEARNED)
def test_a_branch_decides_a_value(why: str):
    before, condition, yes, no, name, left = LEARNED[why]
    body = BRANCH.format(before=before, condition=condition, yes=yes, no=no)
    if left == 0 and name == "llvm.add":
        # The sum is `%b` where `%a` is zero.
        assert count(body, name) == 0
    else:
        assert count(body, name) == left


def test_a_branch_with_equal_targets_decides_nothing():
    assert (
        count(f"br i1 %c, label %next, label %next\nnext:\n{SELECT}\nret void", "llvm.select") == 1
    )


def test_a_switch_decides_its_value_in_a_case_of_its_own():
    switch = "switch i32 %a, label %other [i32 0, label %case {more}]\ncase:\n{case}\nret void\nother:\n{other}\nret void"
    assert count(switch.format(more="", case=ADD, other=""), "llvm.add") == 0
    assert count(switch.format(more="", case="", other=ADD), "llvm.add") == 1
    assert count(switch.format(more="i32 1, label %case", case=ADD, other=""), "llvm.add") == 1


# Loads of stored values.


def fill(pointer: str = "%p", size: str = "4", byte: str = "0", volatile: str = "false") -> str:
    return f"call void @llvm.memset.p0.i64(ptr {pointer}, i8 {byte}, i64 {size}, i1 {volatile})\n"


def start(pointer: str) -> str:
    return f"call void @llvm.lifetime.start.p0(ptr {pointer})\n"


PLUS = "%o = getelementptr i8, ptr %p, i64 {}\n"
VECTOR = "%v = load <4 x i16>, ptr %q\nstore <4 x i16> %v, ptr %p\n"
WRITTEN = {
    "a stored value": ("store i32 %a, ptr %p\n", "i32", "%p", True),
    "not if the store is volatile": ("store volatile i32 %a, ptr %p\n", "i32", "%p", False),
    "not if the store is atomic": (
        "store atomic i32 %a, ptr %p monotonic, align 4\n", "i32", "%p", False,
    ),
    "as a float": ("store i32 %a, ptr %p\n", "float", "%p", True),
    "the lower half": ("store i64 %w, ptr %p\n", "i32", "%p", True),
    "the upper half": (f"store i64 %w, ptr %p\n{PLUS.format(4)}", "i32", "%o", True),
    "not across its end": (f"store i64 %w, ptr %p\n{PLUS.format(6)}", "i32", "%o", False),
    "not before it": (f"store i64 %w, ptr %p\n{PLUS.format(-2)}", "i32", "%o", False),
    "not at an unknown distance": (
        "store i64 %w, ptr %p\n%o = getelementptr i8, ptr %p, i32 %a\n", "i16", "%o", False,
    ),
    "not as more": ("store i32 %a, ptr %p\n", "i64", "%p", False),
    "not across its end as the same type": (f"store i64 %w, ptr %p\n{PLUS.format(4)}", "i64", "%o", False),
    "not as a pointer": ("store i64 %w, ptr %p\n", "ptr addrspace(6)", "%p", False),
    "not as a vector": ("store i64 %w, ptr %p\n", "<2 x i16>", "%p", False),
    "not a part of a pointer": ("store ptr %q, ptr %p\n", "i32", "%p", False),
    "not as a part in whole bytes": ("store i64 %w, ptr %p\n", "i7", "%p", False),
    "not of a part in whole bytes": ("%n = trunc i64 %w to i33\nstore i33 %n, ptr %p\n", "i16", "%p", False),
    "not of more than 8 bytes": (
        "%n = zext i64 %w to i128\nstore i128 %n, ptr %p\n", "i64", "%p", False,
    ),
    "an element": (f"{VECTOR}{PLUS.format(2)}", "i16", "%o", True),
    "an element as a half": (f"{VECTOR}{PLUS.format(2)}", "half", "%o", True),
    "not between elements": (f"{VECTOR}{PLUS.format(1)}", "i16", "%o", False),
    "not two elements": (f"{VECTOR}{PLUS.format(2)}", "i32", "%o", False),
    "not a part of an element": (f"{VECTOR}{PLUS.format(2)}", "i8", "%o", False),
    "not an element of half a byte": (
        f"%v = bitcast i64 %w to <16 x i4>\nstore <16 x i4> %v, ptr %p\n{PLUS.format(1)}", "i4", "%o", False,
    ),
    "not an element as another width": (f"{VECTOR}{PLUS.format(2)}", "i15", "%o", False),
    "a fill": (fill(), "i32", "%p", True),
    "a fill with ones": (fill(byte="1"), "i32", "%p", True),
    "zeros as a float": (fill(), "float", "%p", True),
    "not if the bytes are unknown": ("%y = trunc i32 %a to i8\n" + fill(byte="%y"), "i32", "%p", False),
    "not other bytes as a float": (fill(byte="1"), "float", "%p", False),
    "the end of a fill": (fill(size="8") + PLUS.format(4), "i32", "%o", True),
    "not across the end of a fill": (fill() + PLUS.format(2), "i32", "%o", False),
    "not if the fill is volatile": (fill(volatile="true"), "i32", "%p", False),
    "not if the length is unknown": (fill(size="%w"), "i32", "%p", False),
    "not if the distance from a fill is unknown": (
        fill(size="64") + "%o = getelementptr i8, ptr %p, i32 %a\n", "i32", "%o", False,
    ),
    "a new variable": ("%l = alloca i64\n", "i32", "%l", True),
    "a variable whose lifetime starts": (f"%l = alloca i64\nstore i64 %w, ptr %l\n{start('%l')}", "i32", "%l", True),
    "not a variable that is not local": (f"store i64 %w, ptr %p\n{start('%p')}", "i64", "%p", False),
    "not if an offset of it starts": (
        f"%l = alloca [2 x i64]\n%o = getelementptr i8, ptr %l, i64 8\nstore i64 %w, ptr %o\n{start('%o')}", "i64", "%o", False,
    ),
    "not if an element of it starts": (
        f"%l = alloca [2 x i64]\n%o = getelementptr i64, ptr %l, i32 %a\nstore i64 %w, ptr %o\n{start('%o')}",
        "i64", "%l", False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", WRITTEN)
def test_a_load_of_written_memory(why: str):
    before, type_, pointer, known = WRITTEN[why]
    body = f"{before}%z = load {type_}, ptr {pointer}\nstore volatile {type_} %z, ptr %q\nret void"
    loads = count(body, "llvm.load") - ("<4 x" in before)
    assert loads == (not known)


def test_the_lowest_bytes_are_not_shifted():
    body = "store i64 %w, ptr %p\n%z = load i32, ptr %p\nstore volatile i32 %z, ptr %q\nret void"
    assert count(body, "llvm.lshr") == 0


def test_a_value_of_another_type_is_converted_at_the_end_of_an_arm():
    join = "%m = load i32, ptr %p"
    body = JOIN.format(one="store float %x, ptr %p", other="store i32 %b, ptr %p", join=join)
    assert blocks_with(body, "llvm.load") == []
    assert blocks_with(body, "llvm.bitcast") == [1]


LOAD = "%y = load i32, ptr %p"
AGAIN = "%z = load i32, ptr %p"
TWICE = {
    "the same load": (LOAD, "", AGAIN, 1),
    "not if the first is volatile": (LOAD.replace("load", "load volatile"), "", AGAIN, 2),
    "not if the second is volatile": (LOAD, "", AGAIN.replace("load", "load volatile"), 2),
    "not if the second is atomic": (
        LOAD, "", "%z = load atomic i32, ptr %p monotonic, align 4", 2,
    ),
    "past a store of another object": (LOAD, "store i32 1, ptr %q", AGAIN, 1),
    "not past a store of its object": (LOAD, "store i32 %b, ptr %o", AGAIN, 2),
    "not past a call": (LOAD, "call void @use(i32 %a)", AGAIN, 2),
    "not as another type": (LOAD.replace("i32", "float"), "", AGAIN, 2),
}  # fmt: skip


@pytest.mark.parametrize("why", TWICE)
def test_a_load_of_the_same_address(why: str):
    first, between, second, left = TWICE[why]
    type_ = "float" if "float" in first else "i32"
    body = f"""%o = getelementptr i32, ptr %p, i32 %a
      {first}
      store {type_} %y, ptr %q
      {between}
      {second}
      store i32 %z, ptr %q
      ret void"""
    assert count(body, "llvm.load") == left


# A value that one predecessor lacks is computed there.

JOIN = """br i1 %c, label %one, label %other
one:
  {one}
  br label %join
other:
  {other}
  br label %join
join:
  {join}
  store i32 %m, ptr %q
  ret void"""
MUL = "%n = mul i32 %a, %b\nstore i32 %n, ptr %q"
DIV = MUL.replace("mul", "udiv")
HELD = "%n = load i32, ptr %p\nstore i32 %n, ptr %q"


def blocks_with(body: str, name: str, options: str = "") -> list[int]:
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, f"gvn{options}")
    module.verify()
    (function,) = (op for op in module.ops if op.name == "llvm.func" and op.regions[0].blocks)
    return [n for n, b in enumerate(function.regions[0].blocks) for op in b.ops if op.name == name]


MOVED = {
    "a quotient": (DIV, "", "%m = udiv i32 %a, %b", "", "llvm.udiv", [1, 2]),
    "not with no-pre": (DIV, "", "%m = udiv i32 %a, %b", "<no-pre>", "llvm.udiv", [1, 3]),
    "not a product, which is cheap": (MUL, "", "%m = mul i32 %a, %b", "", "llvm.mul", [1, 3]),
    "a load that the other side stores": (
        HELD, "store i32 %b, ptr %p", "%m = load i32, ptr %p", "", "llvm.load", [1],
    ),
    "not if neither has it": ("", "", "%m = mul i32 %a, %b", "", "llvm.mul", [3]),
    "a load": (HELD, "", "%m = load i32, ptr %p", "", "llvm.load", [1, 2]),
    "not a load with no-load-pre": (HELD, "", "%m = load i32, ptr %p", "<no-load-pre>", "llvm.load", [1, 3]),
    "not a load behind a call": (
        HELD, "", "call void @use(i32 %a)\n%m = load i32, ptr %p", "", "llvm.load", [1, 3],
    ),
    "not a load that may not run": (
        HELD, "", "br i1 %d, label %in, label %out\nout:\nret void\nin:\n%m = load i32, ptr %p", "",
        "llvm.load", [1, 5],
    ),
    "not a division that may not run": (
        DIV, "", "call void @use(i32 %a)\n%m = udiv i32 %a, %b", "", "llvm.udiv", [1, 3],
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", MOVED)
def test_a_value_moves_into_a_predecessor(why: str):
    one, other, join, options, name, blocks = MOVED[why]
    assert blocks_with(JOIN.format(one=one, other=other, join=join), name, options) == blocks


def test_loads_of_nested_arms_keep_no_range_that_the_removed_load_lacks():
    arm = "store i32 {0}, ptr %q\n%x{0} = load i32, ptr %p, !range !0\n"
    module = read_ll(
        "define i32 @f(ptr %p, ptr %q, i1 %c, i1 %d) {\nbr i1 %c, label %a, label %b\n"
        "a:\nbr i1 %d, label %a1, label %a2\n"
        f"a1:\n{arm.format(1)}br label %inner\na2:\n{arm.format(2)}br label %inner\n"
        f"inner:\nbr label %join\nb:\n{arm.format(3)}br label %join\n"
        "join:\n%y = load i32, ptr %p\nret i32 %y\n}\n!0 = !{i32 0, i32 2}\n"
    )
    run_pipeline(module, "gvn")
    loads = [op for op in module.walk() if op.name == "llvm.load"]
    assert len(loads) == 3
    assert not any("llvm.range" in op.attributes for op in loads)


def test_quotients_of_nested_arms_keep_no_flag_that_the_removed_one_lacks():
    """The quotient after the second join takes the argument that replaced the exact one."""
    module = read_ll(
        "define i32 @f(ptr %p, i32 %x, i32 %y, i1 %c, i1 %d) {\nbr i1 %c, label %a, label %b\n"
        "a:\nbr i1 %d, label %a1, label %a2\n"
        "a1:\n%v1 = udiv exact i32 %x, %y\nbr label %inner\n"
        "a2:\n%v2 = udiv exact i32 %x, %y\nbr label %inner\n"
        "inner:\n%e = udiv exact i32 %x, %y\nstore i32 %e, ptr %p\nbr label %join\n"
        "b:\n%v3 = udiv i32 %x, %y\nbr label %join\n"
        "join:\n%r = udiv i32 %x, %y\nret i32 %r\n}\n"
    )
    run_pipeline(module, "gvn")
    quotients = [op for op in module.walk() if op.name == "llvm.udiv"]
    assert len(quotients) == 3
    assert not any("isExact" in op.properties for op in quotients)
