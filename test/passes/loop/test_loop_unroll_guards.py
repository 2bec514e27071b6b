"""Conditions of `loop-unroll`: each case is a loop, and how often the pass copies its marker."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.modules import parse_module
from xdsl.dialects.builtin import ModuleOp, UnitAttr

from nvvm_xdsl.dialects.effects import NODUPLICATE, NOT_CONVERGENT
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.lab.behaviour import ALL_CHECKS
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.loop.loop_unroll import MAX_COPIED_OPS, PRAGMA_UNROLL_THRESHOLD
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target triple = "nvptx64-nvidia-cuda"
declare void @g()
declare i32 @llvm.umin.i32(i32, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier0()
declare void @llvm.trap()
declare float @llvm.nvvm.sqrt.rn.f(float)
declare float @llvm.nvvm.ex2.approx.f(float)
declare i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr, i32)
declare i32 @llvm.nvvm.sad.i(i32, i32, i32)
define ptx_kernel void @f(ptr noalias %p, ptr noalias %q, i32 %m, i32 %x, i1 %b) {{
entry:
  {before}
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %latch ]
  {body}
  {end}
latch:
  {latch}
  %n = add nuw nsw i32 %i, 1
  {test}
exit:
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = !{{{pragma}}}
"""
MARKED = "store volatile i32 %i, ptr %p"
ONLY = "%only = xor i32 %i, %m"
"""An op that must not be copied."""
COUNT = '!"llvm.loop.unroll.count", i32 {}'
FULL = '!"llvm.loop.unroll.enable"'
NEVER = '!"llvm.loop.unroll.disable"'


def until(bound: object, predicate: str = "ne") -> str:
    """The end of a loop with this bound."""
    return f"%c = icmp {predicate} i32 %n, {bound}\n  br i1 %c, label %loop, label %exit, !llvm.loop !0"


def text_of(**parts: str) -> str:
    """The text of a loop."""
    return TEXT.format(**{
        "before": "", "body": MARKED, "end": "br label %latch", "latch": "", "test": until("%m"),
        "pragma": '!"llvm.loop.mustprogress"', **parts,
    })  # fmt: skip


def unrolled(options: str, **parts: str) -> tuple[int, str]:
    """The number of markers after the pass, and the remarks of the pass."""
    module = read_ll(text_of(**parts))
    for op in module.walk():
        if op.name == "llvm.call":
            op.attributes[NOT_CONVERGENT] = UnitAttr()
        elif op.results and op.results[0].name_hint == "only":
            op.attributes[NODUPLICATE] = UnitAttr()
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        run_pipeline(module, f"loop-unroll<{options}>")
    verify_module(module)
    return markers(module), "\n".join(remark.line_of_text() for remark in heard)


def markers(module: ModuleOp) -> int:
    """The number of stores to the first argument."""
    return sum(
        op.name == "llvm.store" and getattr(op.operands[1], "name_hint", None) == "p"
        for op in module.walk()
    )


BREAK = "%y = load volatile i32, ptr %q\n  %found = icmp eq i32 %y, 0\n  br i1 %found, label %exit, label %latch"
TWO_BREAKS = (
    BREAK.replace("label %latch", "label %rest") + "\nrest:\n  br i1 %b, label %exit, label %latch"
)
FEW = "%few = call i32 @llvm.umin.i32(i32 %m, i32 {})"
FOLDED = "%w0 = mul i32 %i, 3\n  %w1 = add i32 %w0, 5"
"""Ops that fold in each copy."""
KEPT = "%k0 = mul i32 %x, %x\n  %k1 = add i32 %k0, %m"
OUTER = {
    "end": "br label %inner\ninner:\n  %j = phi i32 [ 0, %loop ], [ %jn, %inner ]\n"
    "  %pj = getelementptr i32, ptr %q, i32 %j\n  store i32 %j, ptr %pj\n  %jn = add nuw i32 %j, 1\n"
    "  %jc = icmp ne i32 %jn, %x\n  br i1 %jc, label %inner, label %latch",
}
"""An inner loop that is not unrolled without a request for partial unrolling."""
WHOLE = "no-partial;no-runtime;no-peeling"
IN_FULL = {
    "three iterations": (WHOLE, {"test": until(3)}, 3, "3 iterations"),
    "not with a pragma against it": (WHOLE, {"test": until(3), "pragma": NEVER}, 1, ""),
    "not an op that must not be copied": (
        WHOLE, {"test": until(3), "body": f"{MARKED}\n  {ONLY}"}, 1, "",
    ),
    "no remark about a loop without a pragma": (WHOLE, {}, 1, "", "not unrolled: \n"),
    "a remark about a loop with a pragma": (WHOLE, {"pragma": FULL}, 1, "its trip count is not a constant"),
    "and with a number of copies": (
        WHOLE, {"pragma": COUNT.format(4), "latch": "call void @llvm.trap()"}, 4, "its trip count is not a constant",
    ),
    "more iterations than the limit if the pragma states them": (
        WHOLE, {"test": until(400), "pragma": COUNT.format(400)}, 400, "400 iterations",
    ),
    "not more iterations without a pragma": (WHOLE, {"test": until(400)}, 1, ""),
    "not too many copied ops, even if they fold": (
        WHOLE, {"test": until(PRAGMA_UNROLL_THRESHOLD), "pragma": FULL, "body": FOLDED, "latch": FOLDED.replace("%w", "%z")},
        0, f"more than the limit of {MAX_COPIED_OPS}",
    ),
    "a loop of which nothing remains": (WHOLE, {"test": until(3), "body": ""}, 0, "3 iterations"),
    "up to ten iterations that simplify it": (
        f"unroll-threshold=25;{WHOLE}", {"test": until(10), "body": f"{MARKED}\n  {FOLDED}\n  {KEPT}"}, 10, "",
    ),
    "not eleven iterations": (
        f"unroll-threshold=25;{WHOLE}", {"test": until(11), "body": f"{MARKED}\n  {FOLDED}\n  {KEPT}"}, 1, "",
    ),
    "not ten iterations with less simplification": (
        f"unroll-threshold=25;unroll-max-percent-threshold-boost=100;{WHOLE}",
        {"test": until(10), "body": f"{MARKED}\n  {FOLDED}\n  {KEPT}"}, 1, "",
    ),
    "at most eight iterations": (WHOLE, {"before": FEW.format(8), "test": until("%few", "ult")}, 8, "at most 8"),
    "not at most nine iterations": (WHOLE, {"before": FEW.format(9), "test": until("%few", "ult")}, 1, ""),
    "unless a pragma asks for it": (
        WHOLE, {"before": FEW.format(9), "test": until("%few", "ult"), "pragma": FULL}, 9, "at most 9",
    ),
    "the iterations of an exit, besides another one": (
        WHOLE, {"end": BREAK, "test": until(10)}, 10, "at most 10",
    ),
    "not more iterations than another exit permits": (
        WHOLE,
        {"before": FEW.format(5), "end": "%e = icmp uge i32 %i, %few\n  br i1 %e, label %exit, label %latch",
         "test": until(1 << 17)},
        6, "at most 6",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", IN_FULL)
def test_full_unrolling(why: str):
    options, parts, copies, remark, *absent = IN_FULL[why]
    found, text = unrolled(options, **parts)
    assert found == copies, text
    assert remark in text
    assert not any(part in text for part in absent)


PEELED = "%z = phi i32 [ 0, %entry ], [ %x, %latch ]\n  store i32 %z, ptr %q\n  " + MARKED
"""A value that is invariant from the second iteration on."""
DECIDED = "%e = icmp {}\n  %z = select i1 %e, i32 %x, i32 %m\n  store i32 %z, ptr %q\n  " + MARKED
LOADED_BOUND = "%l = load volatile i32, ptr %q\n  " + until("%l", "slt")
PEEL = "no-partial;no-runtime"
PEELING = {
    "a value that becomes invariant": (PEEL, {"body": PEELED}, 2, "by 1 iterations"),
    "not if it is disabled": (WHOLE, {"body": PEELED}, 1, ""),
    "not if a pragma states a number of copies": (PEEL, {"body": PEELED, "pragma": COUNT.format(4)}, 5, "factor of 4"),
    "not with a pragma against it": (PEEL, {"body": PEELED, "pragma": NEVER}, 1, ""),
    "not a convergent op": (PEEL, {"body": PEELED, "latch": "call void @llvm.nvvm.barrier0()"}, 1, ""),
    "not an op that must not be copied": (PEEL, {"body": PEELED, "latch": ONLY}, 1, ""),
    "the requested number": (f"unroll-peel-count=3;{PEEL}", {}, 4, "by 3 iterations"),
    "not a loop that contains another": (PEEL, {"body": PEELED, **OUTER}, 1, ""),
    "not a loop that is too large": (f"unroll-threshold=7;{PEEL}", {"body": PEELED}, 1, ""),
    "not of few iterations": (
        f"unroll-max-upperbound=0;{PEEL}", {"before": FEW.format(2), "body": PEELED, "test": until("%few", "ult")}, 1, "",
    ),
    "of more iterations": (
        f"unroll-max-upperbound=0;{PEEL}", {"before": FEW.format(3), "body": PEELED, "test": until("%few", "ult")}, 2, "",
    ),
    "as many as the size permits": (
        f"unroll-threshold=14;{PEEL}", {"body": DECIDED.format("eq i32 %i, 1")}, 1, "",
    ),
    "a value that two iterations pass on": (
        PEEL, {"body": "%z1 = phi i32 [ 1, %entry ], [ %z, %latch ]\n  %z = phi i32 [ 0, %entry ], [ %x, %latch ]\n"
               "store i32 %z1, ptr %q\n  " + MARKED}, 3, "by 2 iterations",
    ),
    "only as many iterations as the size permits": (
        f"unroll-threshold=12;{PEEL}",
        {"body": "%z1 = phi i32 [ 1, %entry ], [ %z, %latch ]\n  %z = phi i32 [ 0, %entry ], [ %x, %latch ]\n"
         "store i32 %z1, ptr %q\n  " + MARKED}, 2, "by 1 iterations",
    ),
    "not a value that passes itself on": (
        PEEL, {"body": "%z1 = phi i32 [ 1, %entry ], [ %z, %latch ]\n  %z = phi i32 [ 0, %entry ], [ %z1, %latch ]\n"
               "store i32 %z1, ptr %q\n  " + MARKED}, 1, "",
    ),
    "not a value of the iteration": (
        PEEL, {"body": "%z = phi i32 [ 1, %entry ], [ %v, %latch ]\n  %v = xor i32 %z, %i\n" + MARKED}, 1, "",
    ),
    "a value that is decided": (PEEL, {"body": DECIDED.format("eq i32 %i, 1")}, 3, "by 2 iterations"),
    "with the counter on the right": (PEEL, {"body": DECIDED.format("ugt i32 2, %i")}, 3, "by 2 iterations"),
    "not another condition": (
        PEEL, {"body": DECIDED.format("eq i32 %i, 1").replace("icmp eq i32 %i, 1", "trunc i32 %i to i1")}, 1, "",
    ),
    "not if it is never decided": (PEEL, {"body": DECIDED.format("eq i32 %i, 100")}, 1, ""),
    "not if it is not a counter": (PEEL, {"body": DECIDED.format("eq i32 %x, 1")}, 1, ""),
    "not with an unknown number": (PEEL, {"body": DECIDED.format("eq i32 %i, %x")}, 1, ""),
    "not a comparison of addresses": (PEEL, {"body": DECIDED.format("eq ptr %p, %q")}, 1, ""),
    "not a comparison of vectors": (
        PEEL, {"body": "%e = icmp eq <2 x i32> zeroinitializer, <i32 0, i32 1>\n"
               "  %z = select <2 x i1> %e, <2 x i32> <i32 1, i32 2>, <2 x i32> zeroinitializer\n"
               "  store <2 x i32> %z, ptr %q\n  " + MARKED}, 1, "",
    ),
    "not if it may wrap": (
        PEEL, {"body": "%k = mul i32 %i, 65536\n  " + DECIDED.format("eq i32 %k, 0")}, 1, "",
    ),
    "not if it may wrap in an unknown number of iterations": (
        PEEL, {"body": "%k = mul i32 %i, 65536\n  " + DECIDED.format("eq i32 %k, 0"), "test": LOADED_BOUND}, 1, "",
    ),
    "not if it may wrap as a signed number": (
        PEEL, {"body": "%k = phi i32 [ 5, %entry ], [ %kn, %latch ]\n  " + DECIDED.format("slt i32 %k, 8"),
               "latch": "%kn = add nuw i32 %k, 3\n  %g = getelementptr i32, ptr %q, i32 %kn\n  store i32 1, ptr %g"},
        1, "",
    ),
    "in few iterations": (
        PEEL, {"before": FEW.format(100), "test": until("%few", "ult"),
               "body": "%k = mul i32 %i, 65536\n  " + DECIDED.format("eq i32 %k, 0")}, 2, "",
    ),
    "not with an unknown start": (
        PEEL, {"before": FEW.format(100), "test": until("%few", "ult"),
               "body": "%k = add nsw i32 %i, %x\n  " + DECIDED.format("slt i32 %k, 2")}, 1, "",
    ),
    "not with an unknown step": (
        PEEL, {"before": FEW.format(100), "test": until("%few", "ult"),
               "body": "%k = mul i32 %i, %x\n  " + DECIDED.format("eq i32 %k, 0")}, 1, "",
    ),
    "not with a varying step": (
        PEEL, {"before": FEW.format(100), "test": until("%few", "ult"),
               "body": "%k = mul i32 %i, %i\n  " + DECIDED.format("ult i32 %k, 1")}, 1, "",
    ),
    "not of an outer loop": (
        PEEL, {"body": "", "end": OUTER["end"].replace("%jn = add", DECIDED.format("eq i32 %i, 1") + "\n  %jn = add")}, 1, "",
    ),
    "an unknown number of iterations": (PEEL, {"body": PEELED, "test": LOADED_BOUND}, 2, "by 1 iterations"),
    "a branch": (
        PEEL, {"end": "%e = icmp ult i32 %i, 2\n  br i1 %e, label %then, label %latch\nthen:\n"
               "  store i32 %x, ptr %q\n  br label %latch"}, 3, "by 2 iterations",
    ),
    "not a branch out of the loop": (
        PEEL, {"end": "br i1 %b, label %then, label %latch\nthen:\n  %e = icmp eq i32 %i, 2\n"
               "  br i1 %e, label %exit, label %latch"}, 1, "",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", PEELING)
def test_peeling(why: str):
    options, parts, copies, remark = PEELING[why]
    found, text = unrolled(options, **parts)
    assert found == copies, text
    assert remark in text


PART = "no-peeling"
CALL = "call void @g() nounwind willreturn memory(none)"
WIDE = (
    "%wide = phi i64 [ 0, %entry ], [ %wide.n, %latch ]\n  %wide.n = add nuw nsw i64 %wide, 1\n  "
    + MARKED
)
COSTLY = {
    "body": "%w = phi i32 [ 0, %entry ], [ %wn, %latch ]\n  " + MARKED,
    "test": "%wn = add nuw i32 %w, 7\n  %c = icmp ult i32 %wn, %m\n"
    "  br i1 %c, label %loop, label %exit, !llvm.loop !0",
}
IN_PART = {
    "a divisor of the trip count": (PART, {"test": until(1000)}, 8, "factor of 8"),
    "a smaller divisor": (PART, {"test": until(1004)}, 4, "factor of 4"),
    "a divisor of an unknown trip count": (
        f"no-runtime;{PART}", {"before": "%m8 = shl nuw i32 %m, 3", "test": until("%m8")}, 8, "factor of 8",
    ),
    "no divisor": (f"no-runtime;{PART}", {"test": until(1001)}, 1, "not known to be a multiple"),
    "not with a pragma against it": (PART, {"test": until(1000), "pragma": NEVER}, 1, ""),
    "not an op that must not be copied": (PART, {"test": until(1000), "latch": ONLY}, 1, ""),
    "only a divisor": (f"no-runtime;{PART}", {"test": until(1000)}, 8, "factor of 8"),
    "a remainder, if a divisor is disabled": (f"no-partial;{PART}", {"test": until(1000)}, 9, "factor of 8"),
    "not if all is disabled": (WHOLE, {"test": until(1000)}, 1, "left to ptxas"),
    "a remainder": (PART, {}, 9, "factor of 8"),
    "not if that is disabled": (f"no-runtime;{PART}", {}, 1, "not known to be a multiple"),
    "not if no remainder is permitted": (f"unroll-allow-remainder=false;{PART}", {}, 1, "not known to be a multiple"),
    "not a loop that contains another": (PART, {"test": until(1000), **OUTER}, 1, "it contains loops"),
    "unless a pragma asks for it": (PART, {"test": until(1000), "pragma": COUNT.format(4), **OUTER}, 4, "factor of 4"),
    "not calls": (PART, {"test": until(1000), "latch": CALL}, 1, "it calls functions"),
    "calls if a pragma asks for it": (
        PART, {"test": until(1000), "latch": CALL, "pragma": COUNT.format(4)}, 4, "factor of 4",
    ),
    "a power of two": (f"unroll-partial-threshold=14;{PART}", {"test": until(1000)}, 4, "factor of 4"),
    "any number of a pragma": (PART, {"test": until(999), "pragma": COUNT.format(3)}, 3, "factor of 3"),
    "as many as the limit permits": (
        f"pragma-unroll-threshold=9;{PART}", {"test": until(999), "pragma": COUNT.format(9)}, 3, "factor of 3",
    ),
    "not a single one": (f"unroll-partial-threshold=5;{PART}", {"test": until(1000)}, 1, "exceed the limit of 5 ops"),
    "a remainder for a pragma": (
        WHOLE, {"test": until(1001), "pragma": COUNT.format(4)}, 5, "factor of 4 with run-time",
    ),
    "of a power of two": (WHOLE, {"pragma": COUNT.format(6)}, 5, "factor of 4 with run-time"),
    "not a loop too large for a remainder": (
        f"runtime-unroll-threshold=3;{PART}", {}, 1, "more than 3 ops",
    ),
    "unless a pragma asks for that": (
        f"runtime-unroll-threshold=3;{PART}", {"pragma": COUNT.format(4)}, 5, "factor of 4",
    ),
    "not a loop that may not terminate": (PART, {"latch": "call void @llvm.trap()"}, 1, "it may not terminate"),
    "not an unknown trip count": (
        PART, {"test": "%l = load i32, ptr %q\n  " + until("%l")}, 1, "its trip count is not known",
    ),
    "not another exit": (PART, {"end": BREAK}, 1, "its latch is not its only exit"),
    "not few iterations": (
        f"unroll-max-upperbound=0;{PART}", {"before": FEW.format(7), "test": until("%few", "ult")}, 1,
        "it runs at most 7 iterations",
    ),
    "eight iterations": (
        f"unroll-max-upperbound=0;{PART}", {"before": FEW.format(9), "test": until("%few", "ult")}, 9, "factor of 8",
    ),
    "not a costly trip count": (PART, COSTLY, 1, "costly"),
    "unless a pragma asks for it ": (PART, {**COSTLY, "pragma": COUNT.format(4)}, 5, "factor of 4"),
    "convergent ops in a uniform loop": (PART, {"latch": "call void @llvm.nvvm.barrier0()"}, 9, "factor of 8"),
    "not if that is disabled ": (
        f"unroll-runtime-convergent=false;{PART}", {"latch": "call void @llvm.nvvm.barrier0()"}, 1, "may differ",
    ),
    "not convergent ops in a divergent loop": (
        PART, {"before": "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()", "test": until("%t"),
               "latch": "call void @llvm.nvvm.barrier0()"}, 1, "may differ",
    ),
    "a counter of the same width": (PART, {"body": WIDE}, 9, "factor of 8"),
    "a switch with several edges that stay": (
        PART, {"end": "switch i32 %i, label %latch [i32 999, label %exit\ni32 7, label %other]\nother:\n  br label %latch",
               "test": "br label %loop"}, 8, "factor of 8",
    ),
    "not a trip count that cannot be computed before the loop": (
        PART, {"body": "%d = udiv i32 %m, %x\n  %d1 = add nuw i32 %d, 1\n  " + MARKED, "test": until("%d1")}, 1, "costly",
    ),
    "not convergent ops for which an outer loop counts": (
        PART,
        {"body": "", "end": OUTER["end"].replace("%jn = add", "call void @llvm.nvvm.barrier0()\n  " + MARKED + "\n  %jn = add")
         .replace("%x\n", "%i1\n").replace("br label %inner\n", "%i1 = add nuw i32 %i, 1\n  br label %inner\n", 1)}, 1, "may differ",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", IN_PART)
def test_partial_unrolling(why: str):
    options, parts, copies, remark = IN_PART[why]
    found, text = unrolled(options, **parts)
    assert found == copies, text
    assert remark in text
    assert "ptxas may unroll again" not in text


LOADED = "%a = getelementptr i32, ptr %q, i32 %i\n  %v = load i32, ptr %a\n  store i32 %v, ptr %p"
FIXED = "%v = load i32, ptr %q\n  store volatile i32 %v, ptr %p"
ATOMIC = "%v = atomicrmw add ptr {}, {} monotonic\n  " + MARKED
SHARED = "%h = addrspacecast ptr %q to ptr addrspace(3)"
LONG = "\n  ".join(f"%k{n} = xor i32 {f'%k{n - 1}' if n else '%v'}, %m" for n in range(20))
BY = "%w = phi i32 [ 0, %entry ], [ %wn, %latch ]\n  "
STEPPED = "%wn = add nuw nsw i32 %w, {}\n  %c = icmp slt i32 %wn, {}\n  br i1 %c, label %loop, label %exit"
BOUND = until("%m", "slt")
TID = "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()"
SIZE = "%s = call range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.{}.x()"
FOR_LOADS = {
    "a load": ({"body": LOADED}, 7, "factor of 4"),
    "not with a pragma": ({"body": LOADED, "pragma": COUNT.format(2)}, 1, ""),
    "not an op that must not be copied": ({"body": LOADED, "latch": ONLY}, 1, ""),
    "not a loop that contains another": ({"body": LOADED, **OUTER}, 1, "it contains loops"),
    "not a constant trip count": ({"body": LOADED, "test": until(100, "slt")}, 1, "constant trip count"),
    "not a convergent op": ({"body": LOADED, "latch": "call void @llvm.nvvm.barrier0()"}, 1, "convergent ops"),
    "not a call": ({"body": LOADED, "latch": CALL}, 1, "it calls functions"),
    "not a large loop": ({"body": LOADED, "latch": LONG + LONG.replace("%k", "%h") + LONG.replace("%k", "%l")}, 1, "more than 64"),
    "not a division": ({"body": LOADED, "latch": "%d = udiv i32 %v, %x"}, 1, "it divides integers"),
    "a division by a constant": ({"body": LOADED, "latch": "%d = udiv i32 %v, 7"}, 7, ""),
    "not an invariant load": ({"body": FIXED}, 1, "no load whose address changes"),
    "not if no load can overlap": (
        {"before": SIZE.format("ntid"), "body": f"{BY}{LOADED}", "latch": "store volatile i32 %v, ptr %a",
         "test": STEPPED.format("%s", "%m")}, 1, "no load can overlap",
    ),
    "an atomic operation": ({"body": ATOMIC.format("%q", "i32 %i")}, 7, ""),
    "not in a larger loop": ({"body": ATOMIC.format("%q", "i32 %i"), "latch": LONG}, 1, "no load"),
    "of integers in shared memory": (
        {"before": SHARED, "body": ATOMIC.format("%h", "i32 %i").replace("ptr %h", "ptr addrspace(3) %h")}, 7, "",
    ),
    "not of floats in shared memory": (
        {"before": SHARED, "body": ATOMIC.format("%h", "float 1.0").replace("add ptr %h", "fadd ptr addrspace(3) %h")},
        1, "no load",
    ),
    "of floats elsewhere": ({"body": ATOMIC.format("%q", "float 1.0").replace("add ptr", "fadd ptr")}, 7, ""),
    "an atomic function": (
        {"body": "%v = call i32 @llvm.nvvm.atomic.add.gen.i.sys.i32.p0(ptr %q, i32 10)\n  " + MARKED}, 7, "",
    ),
    "not other functions": ({"body": "%v = call i32 @llvm.nvvm.sad.i(i32 %i, i32 %m, i32 3)\n  " + MARKED}, 1, "no load"),
    "not a latch that stays": (
        {"body": LOADED, "end": TWO_BREAKS, "test": "%c = icmp slt i32 %n, %m\n  br i1 %c, label %loop, label %loop"}, 1, "",
    ),
    "not a latch that is a switch": (
        {"body": LOADED, "end": BREAK, "test": "%c = icmp slt i32 %n, %m\n  switch i1 %c, label %loop [i1 false, label %exit]"}, 1, "",
    ),
    "not a latch in a cycle with several entries": (
        {"body": LOADED, "end": TWO_BREAKS.replace("label %latch", "label %two")
         + "\ntwo:\n  br i1 %b, label %latch, label %third\nthird:\n  br label %latch",
         "test": "%c = icmp slt i32 %n, %m\n  br i1 %c, label %loop, label %third"}, 1, "",
    ),
    "an early exit": ({"body": LOADED, "end": BREAK, "test": BOUND}, 7, "factor of 4"),
    "not of a larger loop": (
        {"body": LOADED, "end": BREAK, "test": BOUND, "latch": LONG}, 1, "several exits and more than 24 ops",
    ),
    "a larger loop without it": ({"body": LOADED, "test": BOUND, "latch": LONG}, 5, "factor of 4"),
    "an early exit of a loop with a step": (
        {"body": f"{BY}{LOADED}", "end": BREAK, "test": STEPPED.format(3, "%m")}, 7, "",
    ),
    "not a varying step": (
        {"before": SIZE.format("ntid"), "body": f"{BY}{LOADED}", "end": BREAK, "test": STEPPED.format("%s", "%m")}, 1,
        "its step is not a constant",
    ),
    "the step of a block": (
        {"before": SIZE.format("ntid"), "body": f"{BY}{LOADED}", "test": STEPPED.format("%s", "%m")}, 7, "",
    ),
    "not if its threads share few iterations": (
        {"before": SIZE.format("ntid"), "body": f"{BY}{LOADED}", "test": STEPPED.format("%s", 512)}, 1, "size of the block",
    ),
    "not the step of a grid": (
        {"before": SIZE.format("nctaid") + "\n  %s2 = shl nuw nsw i32 %s, 5", "body": f"{BY}{LOADED}",
         "test": STEPPED.format("%s2", "%m")}, 1, "number of blocks",
    ),
    "not a loop that may not terminate": (
        {"body": LOADED, "latch": "call void @llvm.trap()", "test": BOUND}, 1, "it may not terminate",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", FOR_LOADS)
def test_unrolling_for_loads(why: str):
    parts, copies, remark = FOR_LOADS[why]
    found, text = unrolled("for-loads", **parts)
    assert found == copies, text
    assert remark in text


PLACE = "%h = addrspacecast ptr %q to ptr addrspace({})"
SUM = "%r = phi i32 [ 0, %entry ], [ %r{}, %latch ]\n  "


def loads(number: int, space: int, latch: str = "") -> dict[str, str]:
    """A loop with this number of loads from a space, whose sum is stored."""
    text = SUM.format(number)
    for k in range(number):
        text += f"""%a{k} = getelementptr [9 x i32], ptr addrspace({space}) %h, i32 %i, i32 {k}
  %v{k} = load i32, ptr addrspace({space}) %a{k}
  %r{k + 1} = add i32 {f"%r{k}" if k else "%r"}, %v{k}
  """
    if not space:
        text = text.replace("addrspace(0) %h", "%q").replace("ptr addrspace(0)", "ptr")
    before = PLACE.format(space) if space else ""
    return {"before": before, "body": text, "latch": latch, "test": BOUND}


LARGE = "%y0 = xor i32 %i, %m\n  %y1 = mul i32 %y0, %x\n  %y2 = xor i32 %y1, %m\n  %y3 = mul i32 %y2, %y0\n  %y4 = xor i32 %y3, %x"
CONDITIONAL = "br i1 %b, label %then, label %latch\nthen:\n  {}\n  br label %latch"


def read(number: int, space: int) -> dict[str, str]:
    """A small loop with these loads whose bound is loaded."""
    parts = loads(number, space)
    bound = f"{parts['before']}\n  %l = load i32, ptr %p"
    return {**parts, "before": bound, "test": until("%l", "slt")}


AGAIN = {
    "two loads": (loads(2, 1), True),
    "three in a large loop": (loads(3, 1, LARGE), True),
    "of any space": (loads(2, 0, LARGE), True),
    "a small loop": (loads(2, 3), True),
    "a loop of 11 ops": (loads(2, 3, LARGE[: LARGE.index("%y4")]), True),
    "not loads from shared memory": (loads(2, 3, LARGE), False),
    "in conditional blocks": ({**loads(2, 1, LARGE), "end": CONDITIONAL.format("%z = xor i32 %i, %m")}, True),
    "not with conditional stores": ({**loads(2, 1, LARGE), "end": CONDITIONAL.format("store i32 %i, ptr %p")}, False),
    "a small loop with conditional stores": ({**loads(1, 1), "end": CONDITIONAL.format("store i32 %i, ptr %p")}, True),
    "stores without a branch": ({**loads(2, 1, LARGE), "end": "store i32 %i, ptr %p\n  br label %latch"}, True),
    "few iterations, two loads": (read(2, 1), True),
    "not three": (read(3, 1), False),
    "not three, whose trip count is loaded": ({**read(3, 1), "test": until("%l")}, False),
    "few iterations, of any space": (read(2, 0), True),
    "few iterations, not loads from shared memory": (read(2, 3), False),
    "few iterations, not in conditional blocks": ({**read(1, 1), "end": CONDITIONAL.format("%z = xor i32 %i, %m")}, False),
    "atomic operations": ({"body": ATOMIC.format("%q", "i32 %i"), "latch": f"{LARGE}\n  {FOLDED}\n  {KEPT}"}, True),
}  # fmt: skip


@pytest.mark.parametrize("why", AGAIN)
def test_loops_that_ptxas_may_unroll_again(why: str):
    """A loop with loads must be small or overlap more loads."""
    parts, again = AGAIN[why]
    _, text = unrolled("for-loads", **parts)
    assert "factor of 4" in text
    assert ("ptxas may unroll again" in text) == again


@pytest.mark.parametrize("options", ["O3", WHOLE, "for-loads"])
@pytest.mark.parametrize("bound", ["%c1", "%m"])
def test_a_loop_without_preheader_is_kept(options: str, bound: str):
    """The edge of an indirect branch cannot be split."""
    module = parse_module(f"""
        llvm.func @f(%p: !llvm.ptr, %q: !llvm.ptr {{llvm.noalias}}, %m: i32) {{
          %c0 = llvm.mlir.constant(0 : i32) : i32
          %c1 = llvm.mlir.constant(1 : i32) : i32
          llvm.indirectbr %q : !llvm.ptr, [^loop(%c0 : i32), ^exit]
        ^loop(%i: i32):
          %a = llvm.getelementptr %q[%i] : (!llvm.ptr, i32) -> !llvm.ptr, i32
          %v = llvm.load %a : !llvm.ptr -> i32
          llvm.store %v, %p : i32, !llvm.ptr
          %n = llvm.add %i, %c1 : i32
          %c = llvm.icmp "slt" %n, {bound} : i32
          llvm.cond_br %c, ^loop(%n : i32), ^exit
        ^exit:
          llvm.return
        }}""")
    run_pipeline(module, f"loop-unroll<{options}>")
    assert markers(module) == 1


LOW_BITS = {
    "a known step": ("%k = mul i32 %i, 3", 256, 32),
    "not an unknown step": ("%k = mul i32 %i, %x", 256, 1),
}


@pytest.mark.parametrize("why", LOW_BITS)
def test_low_bits_of_counters(why: str):
    counter, trips, copies = LOW_BITS[why]
    body = f"{counter}\n  %e = and i32 %k, 1\n  store i32 %e, ptr %q\n  {MARKED}"
    assert unrolled(WHOLE, body=body, test=until(trips))[0] == copies


NARROW = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %p, i8 %m, i8 noundef %x) {{
entry:
  br label %loop
loop:
  %j = phi i8 [ {start}, %entry ], [ %k, %loop ]
  %i = phi i8 [ 0, %entry ], [ %n, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %w = zext i8 {used} to i32
  %more = add i32 %sum, %w
  %n = add i8 %i, 1
  %k = add i8 %j, {step}
  %c = icmp ne i8 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  store i32 %more, ptr %p
  ret void
}}
"""


@pytest.mark.parametrize("trips", [3, 64, 200, 255, 256])
@pytest.mark.parametrize(
    ("start", "step"),
    [("0", "2"), ("0", "64"), ("%x", "3"), ("%x", "%n"), ("0", "%x"), ("0", "%i")],
)
def test_other_counters_that_wrap(trips: int, start: str, step: str):
    """A counter with an even or varying step may have a value several times."""
    text = NARROW.format(start=start, step=step, used="%j")
    found: list[list[int]] = []
    for pipeline in ("", "loop-unroll"):
        module = read_ll(text)
        if pipeline:
            run_pipeline(module, pipeline)
            verify_module(module)
            assert sum(op.name == "llvm.zext" for op in module.walk()) == 9
            header = next(op.parent for op in module.walk() if op.name == "llvm.zext")
            assert len(header.args) == 3
        arguments = (np.zeros(1, np.int32), np.uint8(trips % 256).astype(np.int8), np.int8(7))
        found.append(run(prepare(module), Launch("f", 1, 1, arguments)).arrays[0].tolist())
    assert found[0] == found[1]


def test_a_counter_that_may_be_undefined_is_not_tested():
    """The start of the first counter is undefined. The loop does not test the counter."""
    module = read_ll(NARROW.format(start="undef", step="3", used="%i"))
    run_pipeline(module, "loop-unroll")
    verify_module(module)
    launch = Launch("f", 1, 1, (np.zeros(1, np.int32), np.int8(100), np.int8(7)))
    (out,) = run(prepare(module, ALL_CHECKS), launch).arrays
    assert out.tolist() == [sum(range(100))]


OUTER_COUNTER = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %p, i32 %m) {
entry:
  br label %outer
outer:
  %o = phi i32 [ 1, %entry ], [ %on, %next ]
  %s = phi i32 [ 0, %entry ], [ %more, %next ]
  br label %loop
loop:
  %bound = phi i32 [ %o, %outer ], [ %bound, %loop ]
  %i = phi i32 [ 0, %outer ], [ %n, %loop ]
  %sum = phi i32 [ %s, %outer ], [ %more, %loop ]
  %w = xor i32 %i, 5
  %more = add i32 %sum, %w
  %n = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %i, %bound
  br i1 %c, label %loop, label %next
next:
  %on = add nuw nsw i32 %o, 1
  %d = icmp ne i32 %on, %m
  br i1 %d, label %outer, label %exit
exit:
  store i32 %more, ptr %p
  ret void
}
"""


def test_a_counter_of_an_outer_loop_is_not_tested():
    """The bound of the inner loop is an argument of its header."""
    found: list[list[int]] = []
    for pipeline in ("", "loop-unroll"):
        module = read_ll(OUTER_COUNTER)
        if pipeline:
            run_pipeline(module, pipeline)
            verify_module(module)
            assert sum(op.name == "llvm.xor" for op in module.walk()) == 9
        launch = Launch("f", 1, 1, (np.zeros(1, np.int32), 30))
        found.append(run(prepare(module), launch).arrays[0].tolist())
    assert found[0] == found[1]


STEPPED_LOOP = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %p, i32 %m, i32 noundef %x) {{
entry:
  %m8 = shl nuw i32 %m, 3
  br label %loop
loop:
  %w = phi i32 [ 0, %entry ], [ %wn, %loop ]
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %sum = phi i32 [ 0, %entry ], [ %more, %loop ]
  %mixed = xor i32 %i, 5
  %more = add i32 %sum, %mixed
  %wn = add nuw nsw i32 %w, {step}
  %a = getelementptr i32, ptr %p, i32 %wn
  store i32 1, ptr %a
  %n = add nuw nsw i32 %i, 1
  %c = icmp ne i32 %n, {bound}
  br i1 %c, label %loop, label %exit
exit:
  store i32 %more, ptr %p
  ret void
}}
"""


@pytest.mark.parametrize(
    ("step", "bound", "copies", "arguments"),
    [
        # A counter that does not wrap is tested, but not one with an unknown step.
        ("2", "%m", 9, 3),
        ("%x", "%m", 9, 3),
        # No remainder: the trip count is a multiple of the factor.
        ("2", "%m8", 8, 3),
    ],
)
def test_counters_and_multiples(step: str, bound: str, copies: int, arguments: int):
    text = STEPPED_LOOP.format(step=step, bound=bound)
    found: list[list[list[int]]] = []
    for pipeline in ("", "loop-unroll<no-peeling>"):
        module = read_ll(text)
        if pipeline:
            run_pipeline(module, pipeline)
            verify_module(module)
            assert sum(op.name == "llvm.xor" for op in module.walk()) == copies
            header = next(op.parent for op in module.walk() if op.name == "llvm.xor")
            assert len(header.args) == arguments
        launches = [Launch("f", 1, 1, (np.zeros(99, np.int32), m, 2)) for m in (1, 2, 5)]
        found.append([run(prepare(module), at).arrays[0].tolist() for at in launches])
    assert found[0] == found[1]


def test_a_counter_with_an_even_step_is_tested_if_it_does_not_wrap():
    """Otherwise the loop gets another counter."""
    text = STEPPED_LOOP.format(step="2", bound="%m")
    text = text.replace("%n = add nuw nsw i32 %i, 1", "%n = mul i32 %i, 3")
    text = text.replace("icmp ne i32 %n", "icmp ult i32 %wn").replace(
        "br i1 %c, label %loop, label %exit", "br i1 %c, label %loop, label %exit, !llvm.loop !0"
    )
    module = read_ll(text + '!0 = distinct !{!0, !1}\n!1 = !{!"llvm.loop.unroll.count", i32 4}\n')
    run_pipeline(module, "loop-unroll")
    verify_module(module)
    assert sum(op.name == "llvm.xor" for op in module.walk()) == 5
    header = next(op.parent for op in module.walk() if op.name == "llvm.xor")
    assert len(header.args) == 3


DIVIDED = (
    "%d0 = load volatile float, ptr %q\n  %d1 = fdiv float %d0, 3.0\n  store float %d1, ptr %q\n  "
    + MARKED
)
ROOT = DIVIDED.replace("fdiv float %d0, 3.0", "call float @llvm.nvvm.sqrt.rn.f(float %d0)")
KEPT = {
    "a division of floats": (WHOLE, {"body": DIVIDED, "test": until(1000)}, 8),
    "a square root": (WHOLE, {"body": ROOT, "test": until(1000)}, 8),
    "not other loops": (WHOLE, {"test": until(1000)}, 1),
    "not other functions": (WHOLE, {"body": ROOT.replace("sqrt.rn.f", "ex2.approx.f"), "test": until(1000)}, 1),
    "several exits": (WHOLE, {"end": BREAK, "test": until(1000)}, 8),
    "an exit with an unknown limit": (
        WHOLE, {"end": "%e = icmp uge i32 %i, %m\n  br i1 %e, label %exit, label %latch", "test": until(1000)}, 8,
    ),
    "not with an unknown trip count": (WHOLE, {"body": DIVIDED, "test": LOADED_BOUND}, 1),
    "a smaller divisor": (WHOLE, {"body": DIVIDED, "test": until(1004)}, 4),
    "not without a divisor": (WHOLE, {"body": DIVIDED, "test": until(1001)}, 1),
    "fewer copies of a larger loop": (f"unroll-threshold=20;{WHOLE}", {"body": DIVIDED, "test": until(1000)}, 2),
    "not convergent ops": (WHOLE, {"body": DIVIDED, "test": until(1000), "latch": "call void @llvm.nvvm.barrier0()"}, 1),
    "not a loop that contains another": (WHOLE, {"body": DIVIDED, "test": until(1000), **OUTER}, 1),
    "as a pragma states": (WHOLE, {"body": DIVIDED, "test": until(1000), "pragma": COUNT.format(4)}, 4),
    "as an option states": (f"unroll-count=2;{WHOLE}", {"body": DIVIDED, "test": until(1000)}, 2),
}  # fmt: skip


@pytest.mark.parametrize("why", KEPT)
def test_loops_that_ptxas_does_not_unroll(why: str):
    options, parts, copies = KEPT[why]
    found, text = unrolled(options, **parts)
    assert found == copies, text
