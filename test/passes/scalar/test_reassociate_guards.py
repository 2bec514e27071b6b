"""Conditions of `reassociate`: each case has the ops of a kernel, and those afterwards."""

from __future__ import annotations

import pytest
from helpers.modules import function
from xdsl.dialects.builtin import FloatAttr
from xdsl.ir import Operation

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.llvm.constant_ops import constant_attribute
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.dialects.llvm.integers import constant_integer
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.scalar.reassociate import Reassociate
from nvvm_xdsl.pipeline import run_pipeline

TEXT = """
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @f(i32 %x, i32 %y, i32 %z, i8 %b, i1 %c, <2 x i32> %v, <2 x float> %w, float %f, float %g, ptr %p, ptr %q) {{
%tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
{body}
ret void
}}
"""
BEFORE = ("llvm.func", "nvvm.read.ptx.sreg.tid.x", "llvm.return", "llvm.store")


def shown(op: Operation) -> str:
    """Returns the name of an op with its flags and constant operands."""
    words = [op.name.removeprefix("llvm.")]
    if "overflowFlags" in op.properties:
        flags = overflow_flags(op)
        words += [name for name, bit in (("nsw", NSW), ("nuw", NUW)) if flags & bit]
    if "isDisjoint" in op.properties:
        words.append("disjoint")
    words += [str(n) for v in op.operands if (n := constant_integer(v)) is not None]
    return " ".join(words)


def after(body: str) -> str:
    """Returns the ops afterwards except constants and stores."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, "reassociate")
    module.verify()
    ops = [op for op in function(module).walk() if "mlir" not in op.name]
    return ", ".join(shown(op) for op in ops if op.name not in BEFORE)


def stored(*lines: str, type_: str = "i32") -> str:
    """Returns ops `%0`, `%1` ... and a store of the last one; `{}` stands for the op before."""
    text = ""
    for n, line in enumerate(lines):
        text += f"%r{n} = {line.replace('{}', f'%r{n - 1}')}\n"
    return f"{text}store {type_} %r{len(lines) - 1}, ptr %p"


TWO_EXTENSIONS = "%a = zext i8 %b to i32\n%d = lshr i32 %x, 1\n"
SHARED = "\nstore i32 %r0, ptr %q"
INTEGERS = {
    # Sums.
    "constants": (stored("add i32 %x, 1", "add i32 {}, 2"), "add 3"),
    "a root with two uses": (stored("add i32 %x, 1", "add i32 {}, 2") + "\nstore i32 %r1, ptr %q", "add 3"),
    "not through an op with two uses": (stored("add i32 %x, 1", "add i32 {}, 2") + SHARED, "add 1, add 2"),
    "not a single op": (stored("sub i32 %x, %x"), "sub"),
    "not of vectors": (stored("sub <2 x i32> %v, %v", "add <2 x i32> {}, %v", type_="<2 x i32>"), "sub, add"),
    "not of i1": (stored("sub i1 %c, %c", "add i1 {}, %c", type_="i1"), "sub, add"),
    "a disjunction of disjoint bits": (stored("or disjoint i32 %x, 1", "add i32 {}, 2"), "add 3"),
    "not another disjunction": (stored("or i32 %x, 1", "add i32 {}, 2"), "or 1, add 2"),
    "not an exclusive disjunction": (stored("xor i32 %x, 1", "add i32 {}, 2"), "xor 1, add 2"),
    "multiples": (stored("shl i32 %x, 2", "add i32 {}, %x"), "mul 5"),
    "fewer multiples": (stored("shl i32 %x, 2", "add i32 {}, %x", "sub i32 {}, %x"), "shl 2"),
    "not a variable shift": (stored("shl i32 %x, %y", "add i32 {}, 1", "sub i32 {}, 1"), "shl"),
    "not a shift by the width": (stored("shl i32 %x, 32", "add i32 {}, 1", "sub i32 {}, 1"), "shl 32"),
    "not a variable factor": (stored("mul i32 %x, %y", "add i32 {}, 1", "sub i32 {}, 1"), "mul"),
    "a constant minus terms": (stored("sub i32 5, %x", "sub i32 {}, %y", "add i32 {}, 2"), "add, sub 7"),
    "zero": (stored("sub i32 %x, %y", "add i32 {}, %y", "sub i32 {}, %x"), ""),
    "a difference": (stored("sub i32 %x, %y", "add i32 {}, 1", "sub i32 {}, 1"), "sub"),
    "a difference of a term and a sum with a multiple": (
        stored("sub i32 %x, %y", "shl i32 %z, 1", "add i32 %r0, {}", "add i32 {}, 1", "sub i32 {}, 1"), "shl 1, add, sub",
    ),
    "a multiple of a difference": (
        stored("mul i32 %x, 3", "mul i32 %y, 3", "sub i32 %r0, %r1", "add i32 {}, 1", "sub i32 {}, 1"), "sub, mul 3",
    ),
    "multiples of a multiple": (stored("shl i32 %x, 1", "add i32 {}, %x", "mul i32 {}, 4"), "mul 12"),
    "multiples of a difference": (stored("shl i32 %x, 3", "sub i32 {}, %x", "mul i32 {}, 3"), "mul 21"),
    # Flags of sums.
    "no wrapping of a sum with constants": (stored("add nuw i32 %x, 1", "add nuw i32 {}, 2"), "add nuw 3"),
    "not if one sum may wrap": (stored("add nuw i32 %x, 1", "add i32 {}, 2"), "add 3"),
    "not signed wrapping of values that may be negative": (stored("add nsw i32 %x, 1", "add nsw i32 {}, 2"), "add 3"),
    "no wrapping of non-negative values": (
        TWO_EXTENSIONS + stored("add nsw i32 %a, 1", "add nsw i32 {}, %d", "add nsw i32 {}, 2"),
        "zext, lshr 1, add nsw nuw, add nsw nuw 3",
    ),
    "not of sums without flags": (
        TWO_EXTENSIONS + stored("add i32 %a, 1", "add i32 {}, %d", "add i32 {}, 2"), "zext, lshr 1, add, add 3",
    ),
    "not with a negative constant": (
        TWO_EXTENSIONS + stored("add nsw i32 %a, -1", "add nsw i32 {}, %d", "add nsw i32 {}, -2"),
        "zext, lshr 1, add, add -3",
    ),
    "not of a product": (stored("mul nuw i32 %x, 3", "add nuw i32 {}, %x", "add nuw i32 {}, 1", "add nuw i32 {}, 2"), "shl 2, add 3"),
    "not of a multiple": (stored("add nuw i32 %x, %x", "add nuw i32 {}, %x"), "mul 3"),
    # Factors.
    "a factor of a sum with two uses": (
        stored("mul i32 %x, %z", "mul i32 %y, %z", "add i32 %r0, %r1") + "\nstore i32 %r2, ptr %q", "add, mul",
    ),
    "a factor of subtracted terms": (
        stored("mul i32 %x, %z", "mul i32 %y, %z", "sub i32 0, %r0", "sub i32 {}, %r1"), "add, sub 0, mul",
    ),
    "not of an address that is loaded": (
        "%i = zext i32 %x to i64\n%a = load ptr, ptr %q\n%e = getelementptr i32, ptr %a, i64 %i\nstore i32 %y, ptr %e",
        "zext, load, getelementptr",
    ),
    # Products.
    "constants of a product": (stored("mul i32 %x, 3", "mul i32 {}, %y", "mul i32 {}, 5"), "mul, mul 15"),
    "a power": (stored("mul i32 %x, %x", "mul i32 {}, %x", "mul i32 {}, %x"), "mul, mul"),
    "not through a product with two uses": (stored("mul i32 %x, 3", "mul i32 {}, 5") + SHARED, "mul 3, mul 5"),
    "not a product of vectors": (
        stored("mul <2 x i32> %v, %v", "mul <2 x i32> {}, %v", "mul <2 x i32> {}, %v", type_="<2 x i32>"), "mul, mul, mul",
    ),
    "not a product of i1": (
        stored("mul i1 %c, %c", "mul i1 {}, %c", "mul i1 {}, %c", type_="i1"), "mul, mul, mul",
    ),
    "not a single product": (stored("mul i32 %x, 1"), "mul 1"),
    "a product of zero": (stored("mul i32 %x, 65536", "mul i32 {}, %y", "mul i32 {}, 65536"), ""),
    "a product of constants": (stored("mul i32 3, 5", "mul i32 {}, 7"), ""),
    "a product of one": (stored("mul i32 %x, -1", "mul i32 {}, %y", "mul i32 {}, -1"), "mul"),
    # Bits.
    "bits of constants": (stored("and i32 %x, 12", "and i32 {}, %y", "and i32 {}, 10"), "and, and 8"),
    "bits of constants in a disjunction": (stored("or i32 %x, 12", "or i32 {}, %y", "or i32 {}, 3"), "or, or 15"),
    "bits of constants in an exclusive disjunction": (stored("xor i32 %x, 12", "xor i32 {}, %y", "xor i32 {}, 10"), "xor, xor 6"),
    "an exclusive disjunction with all bits": (stored("xor i32 %x, 3", "xor i32 {}, %y", "xor i32 {}, -4"), "xor, xor -1"),
    "the same constant twice": (stored("xor i32 %x, 12", "xor i32 {}, %y", "xor i32 {}, 12"), "xor"),
    "the same value twice": (stored("and i32 %x, %y", "and i32 {}, %x"), "and"),
    "the same value twice, exclusively": (stored("xor i32 %x, %y", "xor i32 {}, %x", "xor i32 {}, %z"), "xor"),
    "a value and its complement": (stored("xor i32 %x, -1", "and i32 %x, %y", "and i32 %r0, %r1") + SHARED, "xor -1"),
    "not a value and its complement, exclusively": (
        stored("xor i32 %x, -1", "xor i32 %x, %y", "xor i32 %r0, %r1") + SHARED, "xor -1, xor, xor",
    ),
    "all bits": (stored("or i32 %x, -4", "or i32 {}, %y", "or i32 {}, 3"), ""),
    "not through bits with two uses": (stored("and i32 %x, 12", "and i32 {}, 10") + SHARED, "and 12, and 10"),
    "bits with two uses of the root": (stored("and i32 %x, 12", "and i32 {}, 10") + "\nstore i32 %r1, ptr %q", "and 8"),
    "not bits of vectors": (stored("and <2 x i32> %v, %v", "and <2 x i32> {}, %v", type_="<2 x i32>"), "and, and"),
    "not a single op on bits": (stored("and i32 %x, %x"), "and"),
    "disjoint bits": (stored("or disjoint i32 %x, 1", "or disjoint i32 {}, 2"), "or disjoint 3"),
    "not all disjoint": (stored("or disjoint i32 %x, 1", "or i32 {}, 2"), "or 3"),
    # Ranks: uniform values first, at the same cost.
    "uniform values first": (stored("add i32 %tid, %x", "add i32 {}, %y"), "add, add"),
    "not if a flag is lost": (stored("add nsw i32 %tid, %x", "add nsw i32 {}, %y"), "add nsw, add nsw"),
    "not if disjoint bits are lost": (stored("or disjoint i32 %tid, %x", "add i32 {}, %y"), "or disjoint, add"),
    "not if a product is lost": (
        stored("add i32 %x, %y", "mul i32 %tid, %z", "mul i32 %r0, %r1"), "add, mul, mul",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", INTEGERS)
def test_integers(why: str):
    body, ops = INTEGERS[why]
    assert after(body) == ops


FAST = "reassoc nsz"
FLOATS = {
    "constants": (stored(f"fadd {FAST} float %f, 1.0", f"fadd {FAST} float {{}}, 2.0", type_="float"), "fadd"),
    "not without flags": (stored("fadd float %f, 1.0", "fadd float {}, 2.0", type_="float"), "fadd, fadd"),
    "not without reassoc": (stored("fadd nsz float %f, 1.0", "fadd nsz float {}, 2.0", type_="float"), "fadd, fadd"),
    "not without nsz": (stored("fadd reassoc float %f, 1.0", "fadd reassoc float {}, 2.0", type_="float"), "fadd, fadd"),
    "not through an op without flags": (
        stored("fadd float %f, 1.0", f"fadd {FAST} float {{}}, 2.0", type_="float"), "fadd, fadd",
    ),
    "not from a root without flags": (
        stored(f"fadd {FAST} float %f, 1.0", "fadd float {}, 2.0", type_="float"), "fadd, fadd",
    ),
    "not through an op with two uses": (
        stored(f"fadd {FAST} float %f, 1.0", f"fadd {FAST} float {{}}, 2.0", type_="float") + "\nstore float %r0, ptr %q",
        "fadd, fadd",
    ),
    "a root with two uses": (
        stored(f"fadd {FAST} float %f, 1.0", f"fadd {FAST} float {{}}, 2.0", type_="float") + "\nstore float %r1, ptr %q",
        "fadd",
    ),
    "not through another op": (
        stored(f"fmul {FAST} float %f, 1.0", f"fadd {FAST} float {{}}, 2.0", type_="float"), "fmul, fadd",
    ),
    "not a single op": (stored(f"fsub nnan {FAST} float %f, %f", type_="float"), "fsub"),
    "not of vectors": (
        stored(f"fsub nnan {FAST} <2 x float> %w, %w", f"fadd nnan {FAST} <2 x float> {{}}, %w", type_="<2 x float>"), "fsub, fadd",
    ),
    "opposites": (stored(f"fsub nnan {FAST} float %f, %g", f"fadd nnan {FAST} float {{}}, %g", type_="float"), ""),
    "not opposites that may be infinite": (stored(f"fsub {FAST} float %f, %g", f"fadd {FAST} float {{}}, %g", type_="float"), "fsub, fadd"),
    "only negative terms": (
        stored(f"fneg nnan {FAST} float %f", f"fsub nnan {FAST} float {{}}, %g", f"fadd nnan {FAST} float {{}}, %g", f"fsub nnan {FAST} float {{}}, %g", type_="float"),
        "fadd, fneg",
    ),
    "a constant minus terms": (
        stored(f"fsub {FAST} float 1.0, %f", f"fadd {FAST} float {{}}, 2.0", type_="float"), "fsub",
    ),
    "constants of a product": (stored(f"fmul {FAST} float %f, 3.0", f"fmul {FAST} float {{}}, %g", f"fmul {FAST} float {{}}, 2.0", type_="float"), "fmul, fmul"),
    "nothing": (stored(f"fsub nnan {FAST} float %f, %g", f"fadd nnan {FAST} float {{}}, %g", f"fsub nnan {FAST} float {{}}, %f", type_="float"), ""),
}  # fmt: skip


@pytest.mark.parametrize("why", FLOATS)
def test_floats(why: str):
    body, ops = FLOATS[why]
    assert after(body) == ops


def operands_of_last(body: str) -> list[int]:
    """Returns the places of the arguments among the operands of the last op but stores."""
    module = read_ll(TEXT.format(body=body))
    run_pipeline(module, "reassociate")
    func = function(module)
    arguments = list(func.regions[0].blocks[0].args)
    last = [op for op in func.walk() if op.name not in BEFORE][-1]
    return [arguments.index(v) for v in last.operands if v in arguments]


@pytest.mark.parametrize(("flags", "places"), [("", []), ("nsw", [1])])
def test_uniform_values_are_added_first_unless_flags_are_lost(flags: str, places: list[int]):
    assert (
        operands_of_last(stored(f"add {flags} i32 %tid, %x", f"add {flags} i32 {{}}, %y")) == places
    )


@pytest.mark.parametrize(("op", "places"), [("add", []), ("or disjoint", [1])])
def test_uniform_values_are_added_first_unless_disjoint_bits_are_lost(op: str, places: list[int]):
    assert operands_of_last(stored(f"{op} i32 %tid, %x", "add i32 {}, %y")) == places


def test_a_uniform_sum_is_multiplied_with_uniform_values_first():
    module = read_ll(
        TEXT.format(body=stored("add i32 %x, %y", "mul i32 %tid, %z", "mul i32 %r0, %r1"))
    )
    run_pipeline(module, "reassociate")
    last = [op for op in module.walk() if op.name == "llvm.mul"][-1]
    assert "nvvm.read.ptx.sreg.tid.x" in [getattr(v.owner, "name", "") for v in last.operands]


def test_a_constant_remains_if_the_other_terms_cancel():
    lines = (
        f"fsub nnan {FAST} float %f, %g",
        f"fadd nnan {FAST} float {{}}, %g",
        f"fsub nnan {FAST} float {{}}, %f",
    )
    module = read_ll(
        TEXT.format(body=stored(*lines, f"fadd nnan {FAST} float {{}}, 2.0", type_="float"))
    )
    run_pipeline(module, "reassociate")
    (store,) = (op for op in module.walk() if op.name == "llvm.store")
    attribute = constant_attribute(store.operands[0])
    assert isinstance(attribute, FloatAttr)
    assert attribute.value.data == 2.0


def test_an_invariant_sum_in_a_loop_is_kept():
    """The sum costs as much as outside of the loop, to which `licm` moves it."""
    module = read_ll(
        "define void @f(i32 %x, i32 %y, ptr %p) {\nbr label %loop\nloop:\n"
        "%i = phi i32 [0, %0], [%n, %loop]\n%s = add i32 %x, %y\n%t = add i32 %s, %i\nstore i32 %t, ptr %p\n"
        "%n = add i32 %i, 1\n%c = icmp ult i32 %n, 9\nbr i1 %c, label %loop, label %end\nend:\nret void\n}"
    )
    assert not Reassociate().run_on_function(function(module), AnalysisManager())  # type: ignore[arg-type]


@pytest.mark.parametrize(("op", "inverse", "type_"), [
    ("add", "sub", "i32"), ("and", "and", "i32"), ("fadd nnan reassoc nsz", "fsub nnan reassoc nsz", "float"),
])  # fmt: skip
@pytest.mark.parametrize("leaves", [60, 70])
def test_trees_have_a_limited_number_of_leaves(op: str, inverse: str, type_: str, leaves: int):
    arguments = ", ".join(f"{type_} %a{n}" for n in range(leaves))
    text, last = "", "%a0"
    for n in range(1, leaves):
        text += f"%r{n} = {op} {type_} {last}, %a{n}\n"
        last = f"%r{n}"
    text += f"%r = {inverse} {type_} {last}, %a0\nret {type_} %r"
    module = read_ll(f"define {type_} @f({arguments}) {{\n{text}\n}}")
    run_pipeline(module, "reassociate")
    ops = len(list(function(module).walk())) - 2
    assert ops < leaves if leaves < 64 else ops == leaves


def test_operands_of_removed_divisions_are_no_roots():
    body = (
        "%s = add i32 %x, %y\n%d = udiv i32 %z, %s\n%m = mul i32 %d, %s\n%e = urem i32 %z, %s\n"
        "%r = add i32 %m, %e\nstore i32 %r, ptr %p"
    )
    assert after(body) == ""
