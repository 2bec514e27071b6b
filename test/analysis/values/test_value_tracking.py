import pytest
from helpers.programs import (
    MASK,
    Undefined,
    all_values,
    loops_and_branches,
    parse_function,
    run,
    value_named,
)  # fmt: skip
from hypothesis import given, settings
from hypothesis import strategies as st

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.values.constant_range import ConstantRange
from nvvm_xdsl.analysis.values.demanded_bits import DemandedBits
from nvvm_xdsl.analysis.values.special_registers import register_range, special_register
from nvvm_xdsl.analysis.values.value_tracking import ValueTracking
from nvvm_xdsl.dialects.llvm.accessors import integer_width
from nvvm_xdsl.dialects.llvm.types import I32, int_attr
from nvvm_xdsl.dialects.nvvm.kernel import LaunchBounds
from nvvm_xdsl.ir import fast


def facts_of(body: str, attributes: str = "") -> tuple[ValueTracking, object]:
    func = parse_function(
        f"llvm.func @f(%x: i32, %y: i32, %c: i1, %p: !llvm.ptr) {attributes} {{\n{body}\n"
        "llvm.return\n}"
    )
    return ValueTracking(func), func


@pytest.mark.parametrize(
    ("body", "bits", "range_"),
    [
        ("%k = llvm.mlir.constant(7 : i32) : i32\n%v = llvm.and %x, %k : i32",
         "0" * 29 + "???", "[0, 8)"),
        ("%k = llvm.mlir.constant(3 : i32) : i32\n%v = llvm.shl %x, %k : i32",
         "?" * 29 + "000", "[0, 4294967289)"),
        ("%k = llvm.mlir.constant(24 : i32) : i32\n%v = llvm.lshr %x, %k : i32",
         "0" * 24 + "?" * 8, "[0, 256)"),
        ("%k = llvm.mlir.constant(10 : i32) : i32\n%v = llvm.urem %x, %k : i32",
         "0" * 28 + "????", "[0, 10)"),
        ("%k = llvm.mlir.constant(8 : i32) : i32\n%v = llvm.urem %x, %k : i32",
         "0" * 29 + "???", "[0, 8)"),
        ("%k = llvm.mlir.constant(10 : i32) : i32\n%v = llvm.srem %x, %k : i32",
         "?" * 32, "[-9, 10)"),
        ("%t = llvm.trunc %x : i32 to i8\n%v = llvm.zext %t : i8 to i32",
         "0" * 24 + "?" * 8, "[0, 256)"),
        ("%t = llvm.trunc %x : i32 to i8\n%v = llvm.sext %t : i8 to i32",
         "?" * 32, "[-128, 128)"),
        ("%a = llvm.mlir.constant(4 : i32) : i32\n%b = llvm.mlir.constant(6 : i32) : i32\n"
         "%v = llvm.select %c, %a, %b : i1, i32", "0" * 29 + "1?0", "[4, 7)"),
        ("%v = llvm.intr.ctpop(%x) : (i32) -> i32", "0" * 26 + "?" * 6, "[0, 33)"),
        ("%v = llvm.load %p {llvm.range = #llvm.constant_range<i32, 5, 9>} : !llvm.ptr -> i32",
         "0" * 28 + "????", "[5, 9)"),
        ("%v = llvm.call @f(%x) : (i32) -> (i32 {llvm.range = #llvm.constant_range<i32, 5, 9>})",
         "0" * 28 + "????", "[5, 9)"),
        ("%v = nvvm.read.ptx.sreg.tid.x : i32", "0" * 22 + "?" * 10, "[0, 1024)"),
        ("%v = nvvm.read.ptx.sreg.tid.x range <i32, 0, 64> : i32", "0" * 26 + "?" * 6, "[0, 64)"),
        ("%v = nvvm.read.ptx.sreg.warpsize : i32", "0" * 26 + "100000", "[32, 33)"),
        ('%v = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.laneid"() : () -> i32',
         "0" * 27 + "?" * 5, "[0, 32)"),
    ],
)  # fmt: skip
def test_facts(body: str, bits: str, range_: str):
    facts, func = facts_of(body)
    found = facts.fact(value_named(func, "v"))
    assert str(found.bits) == bits
    assert str(found.range) == range_


def test_launch_bounds_narrow_special_registers():
    facts, func = facts_of(
        "%v = nvvm.read.ptx.sreg.tid.x : i32\n%w = nvvm.read.ptx.sreg.ntid.x : i32",
        "attributes {nvvm.kernel, nvvm.reqntid = array<i32: 128, 2, 1>}",
    )
    assert facts.range(value_named(func, "v")) == ConstantRange.interval(32, 0, 127)
    assert facts.fact(value_named(func, "w")).value() == 128


@pytest.mark.parametrize(
    ("register", "bounds", "low", "high"),
    [
        ("tid.z", LaunchBounds(), 0, 63),
        ("ntid.y", LaunchBounds(), 1, 1024),
        ("tid.y", LaunchBounds(maxntid=(64, 2, 1)), 0, 127),
        ("tid.y", LaunchBounds(reqntid=(64, 2, 1)), 0, 1),
        ("tid.z", LaunchBounds(reqntid=(64,)), 0, 0),
        ("ctaid.x", LaunchBounds(), 0, 0x7FFFFFFE),
        ("nctaid.y", LaunchBounds(), 1, 0xFFFF),
        ("cluster.ctarank", LaunchBounds(cluster_dim=(2, 2, 1)), 0, 3),
        ("cluster.nctaid.y", LaunchBounds(cluster_dim=(2, 2, 1)), 2, 2),
        ("cluster.ctaid.x", LaunchBounds(), 0, 15),
        ("laneid", LaunchBounds(), 0, 31),
    ],
)
def test_ranges_of_special_registers(register, bounds, low, high):
    assert register_range(register, bounds) == ConstantRange.interval(32, low, high)


def test_other_registers_can_be_anything():
    assert register_range("clock", LaunchBounds()).is_full
    assert register_range("envreg0", LaunchBounds()).is_full
    func = parse_function("llvm.func @f(%x: i32) {\nllvm.return\n}")
    assert special_register(func) is None


LOOP = """
llvm.func @f(%n: i32) -> i32 {{
  %zero = llvm.mlir.constant(0 : i32) : i32
  %three = llvm.mlir.constant(3 : i32) : i32
  %four = llvm.mlir.constant(4 : i32) : i32
  llvm.br ^loop(%zero : i32)
^loop(%i: i32):
  %v = {} : i32
  %more = llvm.icmp "ult" %v, %n : i32
  llvm.cond_br %more, ^loop(%v : i32), ^exit
^exit:
  llvm.return %i : i32
}}
"""


@pytest.mark.parametrize(
    ("step", "bits"),
    [
        ("llvm.add %i, %four", "?" * 30 + "00"),
        ("llvm.xor %i, %three", "0" * 30 + "??"),
        ("llvm.and %i, %n", "0" * 32),
        ("llvm.add %i, %three", "?" * 32),
    ],
)
def test_facts_about_loop_carried_values(step: str, bits: str):
    func = parse_function(LOOP.format(step))
    assert str(ValueTracking(func).known_bits(value_named(func, "i"))) == bits


def test_sign_bits():
    facts, func = facts_of("%t = llvm.trunc %x : i32 to i8\n%v = llvm.sext %t : i8 to i32")
    assert facts.sign_bits(value_named(func, "v")) == 25
    assert facts.sign_bits(value_named(func, "x")) == 1


def test_decided_comparisons():
    facts, func = facts_of(
        "%t = nvvm.read.ptx.sreg.tid.x : i32\n%k = llvm.mlir.constant(1024 : i32) : i32\n"
        '%v = llvm.icmp "ult" %t, %k : i32\n%w = llvm.icmp "eq" %t, %k : i32'
    )
    assert facts.fact(value_named(func, "v")).value() == 1
    assert facts.fact(value_named(func, "w")).value() == 0


def test_verify_finds_a_change():
    facts, func = facts_of("%k = llvm.mlir.constant(7 : i32) : i32\n%v = llvm.and %x, %k : i32")
    facts.verify()
    value_named(func, "k").op.properties["value"] = int_attr(3, I32)
    with pytest.raises(AssertionError, match="%k is stale"):
        facts.verify()


PROGRAMS = loops_and_branches(constants=(0, 1, 3, 8, -1))
NUMBERS = st.one_of(st.integers(0, 9), st.integers(0, MASK))


@settings(max_examples=100)
@given(PROGRAMS, NUMBERS, NUMBERS)
def test_facts_agree_with_execution(text: str, a: int, b: int):
    func = parse_function(text)
    facts = AnalysisManager().get(ValueTracking, func)
    try:
        trace = run(func, [a, b])
    except Undefined:
        return
    for value, number in trace:
        fact = facts.fact(value)
        assert fact.bits.allows(number), value.name_hint
        assert fact.range.contains(number), value.name_hint
        sign = number >> (fact.bits.width - 1) & 1
        top = number >> (fact.bits.width - facts.sign_bits(value))
        assert top == (sign and (1 << facts.sign_bits(value)) - 1)


def demanded(body: str, name: str) -> int:
    func = parse_function(
        f"llvm.func @f(%x: i32, %y: i32, %p: !llvm.ptr) {{\n{body}\nllvm.return\n}}"
    )
    return DemandedBits(func).demanded(value_named(func, name))


@pytest.mark.parametrize(
    ("body", "mask"),
    [
        ("%t = llvm.trunc %x : i32 to i8\nllvm.store %t, %p : i8, !llvm.ptr", 0xFF),
        ("%k = llvm.mlir.constant(240 : i32) : i32\n%t = llvm.and %x, %k : i32\n"
         "llvm.store %t, %p : i32, !llvm.ptr", 0xF0),
        ("%k = llvm.mlir.constant(240 : i32) : i32\n%t = llvm.or %x, %k : i32\n"
         "llvm.store %t, %p : i32, !llvm.ptr", 0xFFFFFF0F),
        ("%s = llvm.add %x, %y : i32\n%t = llvm.trunc %s : i32 to i8\n"
         "llvm.store %t, %p : i8, !llvm.ptr", 0xFF),
        ("%k = llvm.mlir.constant(8 : i32) : i32\n%s = llvm.lshr %x, %k : i32\n"
         "%t = llvm.trunc %s : i32 to i8\nllvm.store %t, %p : i8, !llvm.ptr", 0xFF00),
        ("%k = llvm.mlir.constant(8 : i32) : i32\n%s = llvm.shl %x, %k : i32\n"
         "llvm.store %s, %p : i32, !llvm.ptr", 0xFFFFFF),
        ("%s = llvm.add %x, %y : i32", 0),
        ("llvm.store %x, %p : i32, !llvm.ptr", 0xFFFFFFFF),
        ("%s = llvm.udiv %x, %y : i32", 0xFFFFFFFF),
    ],
)  # fmt: skip
def test_demanded_bits(body: str, mask: int):
    assert demanded(body, "x") == mask


def test_demand_propagates_through_loops_and_arguments():
    func = parse_function(
        "llvm.func @f(%x: i32, %c: i1, %p: !llvm.ptr) {\nllvm.br ^l(%x : i32)\n^l(%i: i32):\n"
        "%n = llvm.add %i, %x : i32\nllvm.cond_br %c, ^l(%n : i32), ^e\n^e:\n"
        "%t = llvm.trunc %i : i32 to i16\nllvm.store %t, %p : i16, !llvm.ptr\nllvm.return\n}"
    )
    bits = DemandedBits(func)
    assert bits.demanded(value_named(func, "i")) == 0xFFFF
    assert bits.demanded(value_named(func, "x")) == 0xFFFF
    assert bits.demanded(value_named(func, "c")) == 1
    assert not bits.is_dead(value_named(func, "n"))
    bits.verify()


@settings(max_examples=100)
@given(PROGRAMS, NUMBERS, NUMBERS, st.integers(0, MASK))
def test_undemanded_bits_make_no_difference(text: str, a: int, b: int, noise: int):
    func = parse_function(text)
    bits = DemandedBits(func)
    try:
        before = run(func, [a, b])
    except Undefined:
        return
    first, second = func.regions[0].blocks[0].args
    free_a, free_b = noise & ~bits.demanded(first), noise & ~bits.demanded(second)
    try:
        after = run(func, [a ^ free_a, b ^ free_b])
    except Undefined:
        return
    assert len(before) == len(after)
    for (value, old), (_, new) in zip(before, after):
        assert (old ^ new) & bits.demanded(value) == 0
    assert all(bits.demanded(v) >> integer_width(v.type) == 0 for v in all_values(func))
    assert fast.operands_of(func) == ()


@pytest.mark.parametrize(
    ("body", "is_known"),
    [
        # The sum may be poison, and freezing makes it any number.
        ("%k = llvm.mlir.constant(7 : i32) : i32\n%m = llvm.and %x, %k : i32\n"
         "%s = llvm.add %m, %k overflow<nsw> : i32\n%v = llvm.freeze %s : i32", False),
        ("%k = llvm.mlir.constant(7 : i32) : i32\n%m = llvm.and %x, %k : i32\n"
         "%v = llvm.freeze %m : i32", False),
        ("%t = nvvm.read.ptx.sreg.tid.x : i32\n%v = llvm.freeze %t : i32", True),
        ("%t = nvvm.read.ptx.sreg.tid.x : i32\n%k = llvm.mlir.constant(7 : i32) : i32\n"
         "%s = llvm.add %t, %k : i32\n%v = llvm.freeze %s : i32", True),
        ("%t = nvvm.read.ptx.sreg.tid.x : i32\n%k = llvm.mlir.constant(7 : i32) : i32\n"
         "%s = llvm.add %t, %k overflow<nuw> : i32\n%v = llvm.freeze %s : i32", False),
    ],
)  # fmt: skip
def test_frozen_poison_is_unknown(body: str, is_known: bool):
    tracking, func = facts_of(body)
    found = tracking.range(value_named(func, "v"))
    assert (found != ConstantRange.full(32)) == is_known
