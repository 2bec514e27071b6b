"""Conditions of `loop-idiom`: each case is a loop, and whether the pass replaces it."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module

from nvvm_xdsl.analysis.loops import LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes.loop.loop_idiom import LoopIdiom
from nvvm_xdsl.passes.loop.loop_simplify import LoopSimplify
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

BITS = """
target triple = "nvptx64-nvidia-cuda"
define i32 @f(i32 %x, i32 %y, ptr %p, i1 %b, i32 %far) {{
entry:
  br label %loop
loop:
  %v = phi i32 [ %x, %entry ], [ {again}, %loop ]
  %i = phi i32 [ 7, %entry ], [ %j, %loop ]
  {step}
  {sum}
  {test}
exit:
  ret i32 {result}
}}
"""
TEST = "%c = icmp {}\n  br i1 %c, label %loop, label %exit"
SHIFT, SHIFT_LEFT = "%w = lshr i32 %v, 1", "%w = shl i32 %v, 1"
CLEAR = "%d = {}\n  %w = and i32 %v, %d"
COUNTED = {
    "shifts until nothing is left": ({}, True),
    "shifts to the left": ({"step": SHIFT_LEFT}, True),
    "not by another number": ({"step": "%w = lshr i32 %v, 2"}, False),
    "not of a one": ({"step": "%w = lshr i32 1, %v"}, False),
    "not of another value": ({"step": "%w = lshr i32 %y, 1"}, False),
    "not an arithmetic shift": ({"step": "%w = ashr i32 %v, 1"}, False),
    "removed ones": ({"step": CLEAR.format("add i32 %v, -1")}, True),
    "removed ones by a subtraction": ({"step": CLEAR.format("sub i32 %v, 1")}, True),
    "not a mask": ({"step": "%w = and i32 %v, %y"}, False),
    "not the number before another value": ({"step": CLEAR.format("add i32 %y, -1")}, False),
    "not the number before another value ": ({"step": CLEAR.format("sub i32 %y, 1")}, False),
    "not the number after": ({"step": CLEAR.format("add i32 %v, 1")}, False),
    "not two less": ({"step": CLEAR.format("sub i32 %v, 2")}, False),
    "not a difference from one": ({"step": CLEAR.format("sub i32 1, %v")}, False),
    "not another op": ({"step": CLEAR.format("xor i32 %v, -1")}, False),
    "not another bound": ({"test": TEST.format("ne i32 %w, 3")}, False),
    "not an unknown bound": ({"test": TEST.format("ne i32 %w, %y")}, False),
    "until one bit is left": ({"test": TEST.format("ugt i32 %w, 1")}, True),
    "not with shifts to the left": ({"step": SHIFT_LEFT, "test": TEST.format("ugt i32 %w, 1")}, False),
    "not with removed ones": ({"step": CLEAR.format("add i32 %v, -1"), "test": TEST.format("ugt i32 %w, 1")}, False),
    "a test of the value before": ({"test": TEST.format("ugt i32 %v, 1")}, True),
    "not with shifts to the left ": ({"step": SHIFT_LEFT, "test": TEST.format("ugt i32 %v, 1")}, False),
    "not with removed ones ": ({"step": CLEAR.format("add i32 %v, -1"), "test": TEST.format("ugt i32 %v, 1")}, False),
    "not another bound before": ({"test": TEST.format("ugt i32 %v, 2")}, False),
    "not with an argument as the next value": ({"again": "%i", "test": TEST.format("ugt i32 %v, 1")}, False),
    "not a test of an argument": ({"test": TEST.format("ugt i32 %far, 1")}, False),
    "not a test of a next value that is an argument": ({"again": "%far", "test": TEST.format("ne i32 %far, 0")}, False),
    "not a test of something else": ({"test": "%c = and i1 %b, %b\n  br i1 %c, label %loop, label %exit"}, False),
    "not a test of an address": ({"test": "%a = getelementptr i8, ptr %p, i32 %w\n  " + TEST.format("ne ptr %a, null")}, False),
    "not a switch": ({"test": "switch i32 %w, label %loop [i32 0, label %exit]"}, False),
    "not without an exit": ({"test": "%c = icmp ne i32 %w, 0\n  br i1 %c, label %loop, label %loop"}, False),
    "not an argument as the condition": ({"test": "br i1 %b, label %loop, label %exit"}, False),
    "not a switch on the comparison": (
        {"test": "%c = icmp ne i32 %w, 0\n  switch i1 %c, label %loop [i1 true, label %exit]"}, False,
    ),
    "not a second block": (
        {"test": "%c = icmp eq i32 %w, 0\n  br i1 %c, label %exit, label %second\nsecond:\n  store volatile i32 %w, ptr %p\n"
                 "  br label %loop", "again_from": "second"}, False,
    ),
    "not with zeros": ({"step": "%d = add i32 %v, -1\n  %w = or i32 %v, %d"}, False),
    "not the bits of another value": ({"step": "%d = add i32 %v, -1\n  %w = and i32 %y, %d"}, False),
    "not a value that is an argument from the second iteration on": (
        {"step": f"%e = phi i32 [ 3, %entry ], [ %far, %loop ]\n  {SHIFT}", "result": "%e"}, False,
    ),
    "not two blocks": ({"sum": "%j = add i32 %i, 1\n  br label %second\nsecond:", "again_from": "second"}, False),
    "a result from outside": ({"result": "%y"}, True),
    "the counter before its step": ({"result": "%i"}, True),
    "a counter with another step": ({"sum": "%j = add i32 %y, %i"}, True),
    "not a counter with a varying step": ({"sum": "%j = add i32 %i, %v"}, False),
    "not a sum of two other values": ({"sum": "%j = add i32 %y, %y"}, False),
    "not a difference": ({"sum": "%j = sub i32 %y, %i"}, False),
    "not the value before the last shift": ({"result": "%v"}, False),
    "not the value that is computed for it": ({"step": CLEAR.format("add i32 %v, -1"), "result": "%d"}, False),
}  # fmt: skip


@pytest.mark.parametrize("why", COUNTED)
def test_counting_of_bits(why: str):
    parts, is_replaced = COUNTED[why]
    text = BITS.format(**{
        "again": "%w", "step": SHIFT, "sum": "%j = add i32 %i, 1", "test": TEST.format("ne i32 %w, 0"),
        "result": "%j", **parts,
    })  # fmt: skip
    text = text.replace(", %loop ]", f", %{parts.get('again_from', 'loop')} ]")
    module = read_ll(text)
    run_pipeline(module, "loop-idiom")
    verify_module(module)
    assert (not LoopInfo(function(module).regions[0]).loops()) is is_replaced


FILL = """
target triple = "nvptx64-nvidia-cuda"
define void @f(ptr align 16 %p, i64 %o, i8 %x, i64 %m, ptr %q, i32 %word, ptr align 16 %z) {{
entry:
  br label %loop
loop:
  %i = phi i64 [ {start}, %entry ], [ %j, %{from} ]
  {address}
  {store}
  %j = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %j, {end}
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""
ADDRESS = "%a = getelementptr {}, ptr %p, i64 %i"
FILLED = {
    "bytes": ({}, True),
    "words": ({"address": ADDRESS.format("i32"), "store": "store i32 0, ptr %a"}, True),
    "equal bytes": ({"address": ADDRESS.format("i32"), "store": "store i32 16843009, ptr %a"}, True),
    "not different bytes": ({"address": ADDRESS.format("i32"), "store": "store i32 1, ptr %a"}, False),
    "a null pointer": ({"address": ADDRESS.format("ptr"), "store": "store ptr null, ptr %a"}, True),
    "not a pointer": ({"address": ADDRESS.format("ptr"), "store": "store ptr %q, ptr %a"}, False),
    "not a bit": ({"store": "store i1 true, ptr %a"}, False),
    "not a part of a byte": ({"address": ADDRESS.format("i16"), "store": "store i12 -1, ptr %a"}, False),
    "not a float": ({"address": ADDRESS.format("float"), "store": "store float 1.0, ptr %a"}, False),
    "not a varying byte": ({"store": "%b = trunc i64 %i to i8\n  store i8 %b, ptr %a"}, False),
    "not two stores": ({"store": "store i8 %x, ptr %a\n  store i8 %x, ptr %a"}, False),
    "not a volatile store": ({"store": "store volatile i8 %x, ptr %a"}, False),
    "not an atomic store": ({"store": "store atomic i8 %x, ptr %a monotonic, align 1"}, False),
    "not with a load": ({"store": "%b = load i8, ptr %q\n  store i8 %x, ptr %a"}, False),
    "not an unknown word": ({"address": ADDRESS.format("i32"), "store": "store i32 %word, ptr %a"}, False),
    "not with another block": (
        {"store": "store i8 %x, ptr %a\n  br label %second\nsecond:\n  %r = load volatile i8, ptr %a", "from": "second"}, False,
    ),
    "not another base with an unknown offset": (
        {"address": "%k = add i64 %i, %o\n  %a = getelementptr i8, ptr %z, i64 %k"}, False,
    ),
    "not an unknown number": ({"end": "%m"}, False),
    "an offset": ({"start": "8", "end": "100"}, True),
    "not a badly aligned one": ({"start": "9", "end": "101"}, False),
    "not every second byte": ({"address": ADDRESS.format("i16")}, False),
    "not downwards": ({"address": "%k = sub i64 0, %i\n  %a = getelementptr i8, ptr %p, i64 %k"}, False),
    "not an unknown step": ({"address": "%k = mul i64 %i, %o\n  %a = getelementptr i8, ptr %p, i64 %k"}, False),
    "not an unknown offset": ({"address": "%k = add i64 %i, %o\n  %a = getelementptr i8, ptr %p, i64 %k"}, False),
    "not several unknown offsets": (
        {"address": "%k = add i64 %i, %o\n  %l = add i64 %k, %m\n  %a = getelementptr i8, ptr %p, i64 %l"}, False,
    ),
    "not a growing step": (
        {"address": "%k = mul i64 %i, %i\n  %a = getelementptr i8, ptr %p, i64 %k"}, False,
    ),
    "not one address": ({"address": "%a = getelementptr i8, ptr %p, i64 0"}, False),
    "not a loaded address": ({"address": "%a = getelementptr i8, ptr %q, i64 %i"}, False),
}  # fmt: skip


@pytest.mark.parametrize("why", FILLED)
def test_filling(why: str):
    parts, is_replaced = FILLED[why]
    module = read_ll(FILL.format(**{
        "start": "0", "end": "100", "from": "loop", "address": ADDRESS.format("i8"), "store": "store i8 %x, ptr %a", **parts,
    }))  # fmt: skip
    run_pipeline(module, "loop-idiom")
    verify_module(module)
    assert any("memset" in op.name for op in module.walk()) is is_replaced


def test_an_address_that_is_created_in_the_loop():
    """The base is not available before the loop."""
    module = parse_module("""
        llvm.mlir.global internal @g() {addr_space = 0 : i32, alignment = 16 : i64} : !llvm.array<128 x i8>
        llvm.func @f(%x: i8) {
          %c0 = llvm.mlir.constant(0 : i64) : i64
          %c1 = llvm.mlir.constant(1 : i64) : i64
          %n = llvm.mlir.constant(100 : i64) : i64
          llvm.br ^loop(%c0 : i64)
        ^loop(%i: i64):
          %p = llvm.mlir.addressof @g : !llvm.ptr
          %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, i8
          llvm.store %x, %a : i8, !llvm.ptr
          %j = llvm.add %i, %c1 : i64
          %c = llvm.icmp "ult" %j, %n : i64
          llvm.cond_br %c, ^loop(%j : i64), ^exit
        ^exit:
          llvm.return
        }""")
    run_pipeline(module, "loop-idiom")
    verify_module(module)
    assert not any("memset" in op.name for op in module.walk())


INDIRECT = """
    llvm.func @f(%p: !llvm.ptr, %x: i32) -> i32 {
      %c0 = llvm.mlir.constant(0 : i32) : i32
      %c1 = llvm.mlir.constant(1 : i32) : i32
      llvm.indirectbr %p : !llvm.ptr, [^loop(%x, %c0 : i32, i32), ^exit(%c0 : i32)]
    ^loop(%v: i32, %i: i32):
      %w = llvm.lshr %v, %c1 : i32
      %j = llvm.add %i, %c1 : i32
      %c = llvm.icmp "ne" %w, %c0 : i32
      llvm.cond_br %c, ^loop(%w, %j : i32, i32), ^exit(%j : i32)
    ^exit(%r: i32):
      llvm.return %r : i32
    }"""


def test_a_loop_without_preheader_is_kept():
    """The edge of an indirect branch cannot be split."""
    module = parse_module(INDIRECT)
    run_pipeline(module, "loop-idiom")
    assert len(LoopInfo(function(module).regions[0]).loops()) == 1


def test_a_loop_that_is_not_in_lcssa_form_is_kept():
    """A value of the loop is used after it without an argument of the exit block."""
    module = read_ll(BITS.format(
        again="%w", step=SHIFT, sum="%j = add i32 %i, 1", test=TEST.format("ne i32 %w, 0"), result="%j"
    ))  # fmt: skip
    func = function(module)
    am = AnalysisManager()
    LoopSimplify().run_on_function(func, am)
    (loop,) = am.get(LoopInfo, func).loops()
    assert not LoopIdiom().run_on_loop(loop, func, am)


def test_an_address_that_only_an_outer_loop_advances():
    """The inner loop stores to one address."""
    module = read_ll("""
        define void @f(ptr align 16 %p, i8 %x, i64 %m) {
        entry:
          br label %outer
        outer:
          %o = phi i64 [ 0, %entry ], [ %on, %next ]
          %a = getelementptr i8, ptr %p, i64 %o
          br label %loop
        loop:
          %i = phi i64 [ 0, %outer ], [ %j, %loop ]
          store i8 %x, ptr %a
          %j = add nuw nsw i64 %i, 1
          %c = icmp ne i64 %j, 100
          br i1 %c, label %loop, label %next
        next:
          %on = add i64 %o, 1
          %d = icmp ne i64 %on, %m
          br i1 %d, label %outer, label %exit
        exit:
          ret void
        }""")
    run_pipeline(module, "loop-idiom")
    assert not any("memset" in op.name for op in module.walk())
