"""Conditions of `loop-vectorize`: each case is a loop, and the remark of the pass."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.modules import function, parse_module

from nvvm_xdsl.dialects.llvm.accessors import stated_alignment
from nvvm_xdsl.dialects.llvm.flags import NSW, NUW, overflow_flags
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.lab.launches import Launch, run
from nvvm_xdsl.passes.loop.loop_vectorize import MOST_ACCESSES
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.simulator import prepare
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target triple = "nvptx64-nvidia-cuda"
define void @f(ptr noalias {align} %p, ptr noalias {align} %q, i64 %m, i64 %x, i1 %b, {type} %v) {{
entry:
  {before}
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %n, %{last} ]
  {body}
  {end}
  %n = add nuw nsw i64 %i, 1
  {test}
exit:
  {exit}
  ret void
}}
!0 = distinct !{{!0, {wish}}}
!1 = !{{!"llvm.loop.vectorize.enable", i1 true}}
!2 = !{{!"llvm.loop.vectorize.enable", i1 false}}
!3 = !{{!"llvm.loop.vectorize.width", i32 {width}}}
!4 = !{{!"llvm.loop.interleave.count", i32 {count}}}
!5 = !{{!"llvm.loop.isvectorized", i32 1}}
!6 = !{{!"llvm.loop.disable_nonforced"}}
!7 = !{{!"llvm.loop.mustprogress"}}
"""


def remarks_of(options: str = "", **parts: str) -> str:
    """The remarks of the pass about a loop."""
    module = read_ll(TEXT.format(**{
        "align": "align 16", "type": "float", "before": "", "last": "loop", "body": BODY, "end": "", "exit": "",
        "test": UNTIL.format("%m"), "wish": "!1", "width": "0", "count": "0", **parts,
    }))  # fmt: skip
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        run_pipeline(module, f"loop-vectorize<{options}>")
    verify_module(module)
    return "\n".join(remark.line_of_text() for remark in heard)


UNTIL = "%c = icmp ne i64 %n, {}\n  br i1 %c, label %loop, label %exit, !llvm.loop !0"
ADDRESSES = "%a = getelementptr {0}, ptr %p, i64 %i\n  %o = getelementptr {0}, ptr %q, i64 %i\n  "
LOAD = ADDRESSES.format("float") + "%y = load float, ptr %a\n  "
BODY = LOAD + "%z = fadd float %y, %v\n  store float %z, ptr %o"
NEXT = "%an = getelementptr float, ptr %p, i64 %j\n  %yn = load float, ptr %an"
HALVES = {
    "type": "half",
    "body": ADDRESSES.format("half")
    + "%y = load half, ptr %a\n  %z = fadd half %y, %v\n  store half %z, ptr %o",
}
DONE, WIDE = "vectorized loop", "vectorization width: "
NOT_UNDERSTOOD, NOT_COMPUTED = "control flow is not understood", "could not determine number"
NOT_CONSECUTIVE, NOT_COUNTER = "does not advance by one element", "is not an induction variable"
NOT_ALLOWED, AS_VALUE = "instruction cannot be vectorized", "is used as a value"
NOT_ORDERED, SHORT, NO_GAIN = "safe to reorder", "trip count is below", "not beneficial"
CASES = {
    "a loop with a request": ("", {}, f"{WIDE}4"),
    "not without a request": ("", {"wish": "!6"}, ""),
    "not with a request against it": ("", {"wish": "!2"}, ""),
    "not a loop that is done": ("", {"wish": "!1, !5"}, ""),
    "halves without a request": ("", {**HALVES, "wish": "!7"}, f"{WIDE}2"),
    "not floats": ("", {"wish": "!7"}, NO_GAIN),
    "not if only requests count": ("vectorize-forced-only", {**HALVES, "wish": "!7"}, ""),
    "a request if only requests count": ("vectorize-forced-only", {}, DONE),
    "not halves at any address": ("", {**HALVES, "align": "align 2", "wish": "!7"}, NO_GAIN),
    "not halves that become floats": (
        "", {**HALVES, "body": HALVES["body"].replace("%z = fadd half %y, %v", "%w = fpext half %y to float\n  %z = fptrunc float %w to half"),
             "wish": "!7"}, NO_GAIN,
    ),
    "not few halves": ("", {**HALVES, "wish": "!7", "test": UNTIL.format(15)}, SHORT),
    "enough halves": ("", {**HALVES, "wish": "!7", "test": UNTIL.format(16)}, DONE),
    "a stated width": ("", {"wish": "!3", "width": "2"}, f"{WIDE}2"),
    "rounded down": ("", {"wish": "!3", "width": "3"}, f"{WIDE}2"),
    "not a width that is too large": ("", {"wish": "!1, !3", "width": "65"}, f"{WIDE}4"),
    "not a width of one": ("", {"wish": "!3", "width": "1"}, ""),
    "a width of one with interleaving": ("", {"wish": "!3, !4", "width": "1", "count": "2"}, "interleaved loop (interleaved count: 2)"),
    "interleaving": ("", {"wish": "!4", "count": "4"}, "interleaved count: 4"),
    "not an interleaving that is too large": ("", {"wish": "!1, !4", "count": "17"}, "interleaved count: 1)"),
    "a forced width": ("force-vector-width=2", {"wish": "!7"}, f"{WIDE}2"),
    "a forced interleaving": ("force-vector-interleave=2", {}, "interleaved count: 2"),
    "not a width with a request against it": ("", {"wish": "!2, !3", "width": "4"}, ""),
    "a width is a request": ("vectorize-forced-only", {"wish": "!3", "width": "4"}, DONE),
    "interleaving is a request": ("vectorize-forced-only", {"wish": "!4", "count": "4"}, "interleaved"),
    "an option is a request": ("vectorize-forced-only;force-vector-width=2", {"wish": "!7"}, DONE),
    "a request besides one against others": ("", {"wish": "!1, !6"}, "loop-vectorize: f: vectorized loop"),
    "exchanged edges": (
        "", {"test": "%c = icmp eq i64 %n, %m\n  br i1 %c, label %exit, label %loop, !llvm.loop !0"}, DONE,
    ),
    "not structures": (
        "", {"body": LOAD + "%t = fcmp olt float %y, 0.0\n  %z = select i1 %t, { i32, i32 } zeroinitializer, { i32, i32 } undef\n"
             "  store float %y, ptr %o"}, NOT_ALLOWED,
    ),
    "not two blocks": (
        "", {"end": "br i1 %b, label %one, label %two\none:\n  br label %two\ntwo:", "last": "two"}, NOT_UNDERSTOOD,
    ),
    "not a switch": ("", {"test": "switch i64 %n, label %loop [i64 1000, label %exit], !llvm.loop !0"}, NOT_UNDERSTOOD),
    "not without an exit": ("", {"test": "br i1 %b, label %loop, label %loop, !llvm.loop !0"}, NOT_UNDERSTOOD),
    "not an unknown trip count": ("", {"test": "%l = load i64, ptr %p\n  " + UNTIL.format("%l")}, NOT_COMPUTED),
    "not a trip count that cannot be computed before": (
        "", {"end": "%d = udiv i64 %m, %x\n  %e = add nuw i64 %d, 1", "test": UNTIL.format("%e")}, NOT_COMPUTED,
    ),
    "not a costly trip count": (
        "", {"end": "%kn = add nuw i64 %k, 7", "body": "%k = phi i64 [ 0, %entry ], [ %kn, %loop ]\n  " + BODY,
             "test": UNTIL.format("%m").replace("ne i64 %n", "ult i64 %kn")}, NOT_COMPUTED,
    ),
    "not few iterations": ("", {"test": UNTIL.format(3)}, SHORT),
    "as many as a vector": ("", {"test": UNTIL.format(4)}, DONE),
    "not if the last one is scalar": ("", {"test": UNTIL.format(4), "exit": "store float %z, ptr %p"}, SHORT),
    "one more if the last one is scalar": ("", {"test": UNTIL.format(5), "exit": "store float %z, ptr %p"}, DONE),
    "not a sum": ("", {"body": "%s = phi float [ 0.0, %entry ], [ %t, %loop ]\n  " + BODY, "end": "%t = fadd float %s, %y"}, NOT_COUNTER),
    "not a counter with an unknown step": (
        "", {"body": "%s = phi i64 [ 0, %entry ], [ %t, %loop ]\n  " + BODY, "end": "%t = add i64 %s, %x"}, NOT_COUNTER,
    ),
    "not a sum of a counter": (
        "", {"body": "%s = phi i64 [ 0, %entry ], [ %t, %loop ]\n  " + BODY, "end": "%t = add i64 %s, %i"}, NOT_COUNTER,
    ),
    "not a counter as a value": ("", {"body": LOAD + "%w = trunc i64 %i to i32\n  %z = sitofp i32 %w to float\n  store float %z, ptr %o"}, AS_VALUE),
    "not a sum with a counter": (
        "", {"type": "i64", "body": ADDRESSES.format("i64") + "%y = load i64, ptr %a\n  %z = add i64 %y, %i\n  store i64 %z, ptr %o"}, AS_VALUE,
    ),
    "not a test of an element": (
        "", {"test": "%c = fcmp olt float %y, 1.0\n  br i1 %c, label %loop, label %exit, !llvm.loop !0"}, NOT_COMPUTED,
    ),
    "not an address in memory": (
        "", {"body": ADDRESSES.format("ptr") + "%y = load ptr, ptr %a\n  %w = load float, ptr %y\n  store float %w, ptr %o"}, NOT_ALLOWED,
    ),
    "not an address from an element": (
        "", {"body": ADDRESSES.format("i64") + "%y = load i64, ptr %a\n  %r = getelementptr i64, ptr %q, i64 %y\n  store i64 %y, ptr %r"},
        NOT_ALLOWED,
    ),
    "not a call": ("", {"end": "call void @llvm.nvvm.barrier0()"}, NOT_ALLOWED),
    "not another op": (
        "", {"type": "i32", "body": ADDRESSES.format("i32") + "%y = load i32, ptr %a\n  %z = udiv i32 %y, 3\n  store i32 %z, ptr %o"}, NOT_ALLOWED,
    ),
    "not vectors": (
        "", {"body": ADDRESSES.format("<2 x float>") + "%y = load <2 x float>, ptr %a\n  store <2 x float> %y, ptr %o"}, NOT_ALLOWED,
    ),
    "not bits": ("", {"body": ADDRESSES.format("i1") + "%y = load i1, ptr %a\n  store i1 %y, ptr %o"}, NOT_ALLOWED),
    "not a volatile access": ("", {"body": BODY.replace("load float", "load volatile float")}, NOT_ALLOWED),
    "not every second element": ("", {"body": BODY.replace("getelementptr float, ptr %q", "getelementptr double, ptr %q")}, NOT_CONSECUTIVE),
    "not downwards": ("", {"body": "%j = sub nsw i64 0, %i\n  " + BODY.replace("ptr %q, i64 %i", "ptr %q, i64 %j")}, NOT_CONSECUTIVE),
    "not one address": ("", {"body": BODY.replace("ptr %q, i64 %i", "ptr %q, i64 0")}, NOT_CONSECUTIVE),
    "not an unknown step": ("", {"body": "%j = mul nsw i64 %x, %i\n  " + BODY.replace("ptr %q, i64 %i", "ptr %q, i64 %j")}, NOT_CONSECUTIVE),
    "not a growing step": ("", {"body": "%j = mul nsw i64 %i, %i\n  " + BODY.replace("ptr %q, i64 %i", "ptr %q, i64 %j")}, NOT_CONSECUTIVE),
    "not without accesses": ("", {"body": ""}, NO_GAIN),
    "the element before": ("", {"body": BODY.replace("ptr %q, i64 %i", "ptr %p, i64 %i")}, DONE),
    "not the next element": (
        "", {"body": "%j = add nuw nsw i64 %i, 1\n  " + BODY.replace("ptr %q, i64 %i", "ptr %p, i64 %j")}, NOT_ORDERED,
    ),
    "an element at a distance": (
        "", {"body": "%j = add nuw nsw i64 %i, 4\n  " + BODY.replace("ptr %q, i64 %i", "ptr %p, i64 %j")}, DONE,
    ),
    "not a nearer one": (
        "", {"body": "%j = add nuw nsw i64 %i, 3\n  " + BODY.replace("ptr %q, i64 %i", "ptr %p, i64 %j")}, NOT_ORDERED,
    ),
    "a previous element": (
        "", {"body": "%j = add nsw i64 %i, -1\n  " + BODY.replace("ptr %q, i64 %i", "ptr %p, i64 %j")}, DONE,
    ),
    "neighbours that are only loaded": (
        "", {"body": f"%j = add nuw nsw i64 %i, 1\n  {BODY}\n  {NEXT}"}, DONE,
    ),
    "not a neighbour that is loaded after a store": (
        "", {"body": f"%j = add nuw nsw i64 %i, 1\n  {ADDRESSES.format('float')}store float %v, ptr %a\n  {NEXT}"}, NOT_ORDERED,
    ),
    "not an element at an unknown distance": (
        "", {"body": "%j = add nsw i64 %i, %x\n  " + BODY.replace("ptr %q, i64 %i", "ptr %p, i64 %j")}, NOT_ORDERED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_vectorization(why: str):
    options, parts, expected = CASES[why]
    found = remarks_of(options, **parts)
    assert (expected in found) if expected else not found


@pytest.mark.parametrize(("wish", "count"), [("!1", 2), ("!7", 1)])
def test_a_request_that_fails_is_reported_twice(wish: str, count: int):
    found = remarks_of(wish=wish, test="%l = load i64, ptr %p\n  " + UNTIL.format("%l"))
    assert len(found.splitlines()) == count


TWO_LOOPS = """
define void @f(ptr noalias align 16 %p, ptr noalias align 16 %q, i64 %m) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %on, %between ]
  br label %first
first:
  %j = phi i64 [ 0, %outer ], [ %k, %first ]
  store volatile i64 %j, ptr %p
  %k = add nuw nsw i64 %j, 1
  %d = icmp ne i64 %k, %m
  br i1 %d, label %first, label %before
before:
  br label %loop
loop:
  %i = phi i64 [ 0, %before ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 %i
  %y = load float, ptr %a
  %b = getelementptr float, ptr %q, i64 %i
  store float %y, ptr %b
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, %m
  br i1 %c, label %loop, label %between, !llvm.loop !0
between:
  %on = add nuw nsw i64 %o, 1
  %oc = icmp ne i64 %on, %m
  br i1 %oc, label %outer, label %exit
exit:
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 true}
"""


def test_each_innermost_loop_is_reported_once():
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        run_pipeline(read_ll(TWO_LOOPS), "loop-vectorize")
    texts = [remark.line_of_text().partition(": f: ")[2] for remark in heard]
    assert sorted(text.split(":")[0] for text in texts) == [
        "loop not vectorized", "vectorized loop (vectorization width",
    ]  # fmt: skip


INNER = """
define void @f(ptr noalias align 16 %p, ptr noalias align 16 %q, i64 %m) {{
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %on, %between ]
  br label %loop
loop:
  %i = phi i64 [ 0, %outer ], [ %n, %loop ]
  {phi}
  %a = getelementptr float, ptr %p, i64 %i
  %y = load float, ptr %a
  %b = getelementptr float, ptr %q, i64 {index}
  store float %y, ptr %b
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, 64
  br i1 %c, label %loop, label %between, !llvm.loop !0
between:
  %on = add nuw nsw i64 %o, 1
  %oc = icmp ne i64 %on, %m
  br i1 %oc, label %outer, label %exit
exit:
  ret void
}}
!0 = distinct !{{!0, !1}}
!1 = !{{!"llvm.loop.vectorize.enable", i1 true}}
"""


@pytest.mark.parametrize(
    ("phi", "index", "reason"),
    [
        ("", "%o", NOT_CONSECUTIVE),
        ("%k = phi i64 [ %o, %outer ], [ %k, %loop ]", "%k", NOT_COUNTER),
        ("", "%i", DONE),
    ],
)
def test_counters_of_an_outer_loop(phi: str, index: str, reason: str):
    """They are invariant in the loop."""
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        run_pipeline(read_ll(INNER.format(phi=phi, index=index)), "loop-vectorize")
    assert any(reason in remark.line_of_text() for remark in heard)


@pytest.mark.parametrize(
    ("following", "flags"),
    [
        ("%k = add nuw nsw i64 %j, 2", NSW | NUW),
        ("%h = add i64 %j, -1\n  %k = add nuw nsw i64 %h, 3", 0),
        ("%k = sub nuw nsw i64 %j, -2", 0),
    ],
)
def test_flags_of_counters(following: str, flags: int):
    """The flags of a single sum hold for several iterations, too."""
    text = TEXT.format(
        align="align 16", type="float", before="", last="loop", end=following, exit="", wish="!1", width=0, count=0,
        body="%j = phi i64 [ 0, %entry ], [ %k, %loop ]\n  " + BODY, test=UNTIL.format("%m"),
    )  # fmt: skip
    module = read_ll(text)
    run_pipeline(module, "loop-vectorize")
    verify_module(module)
    body = next(b for b in function(module).regions[0].blocks if b.name_hint == "vector_body")
    (added,) = (op for op in body.ops if op.name == "llvm.add" and op.operands[0] is body.args[1])
    assert overflow_flags(added) == flags


@pytest.mark.parametrize(("entry", "again"), [
    ("llvm.indirectbr %p : !llvm.ptr, [^loop(%c0 : i64), ^exit]", "llvm.cond_br %c, ^loop(%n : i64), ^exit"),
    ("llvm.br ^loop(%c0 : i64)", "llvm.indirectbr %p : !llvm.ptr, [^loop(%n : i64), ^other]"),
])  # fmt: skip
def test_a_loop_without_preheader_or_latch_is_kept(entry: str, again: str):
    """The edges of an indirect branch cannot be split."""
    module = parse_module(f"""
        llvm.func @f(%p: !llvm.ptr {{llvm.align = 16 : i64}}, %m: i64) {{
          %c0 = llvm.mlir.constant(0 : i64) : i64
          %c1 = llvm.mlir.constant(1 : i64) : i64
          {entry}
        ^loop(%i: i64):
          %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %y = llvm.load %a : !llvm.ptr -> f32
          %z = llvm.fadd %y, %y : f32
          llvm.store %z, %a : f32, !llvm.ptr
          %n = llvm.add %i, %c1 overflow<nsw, nuw> : i64
          %c = llvm.icmp "ne" %n, %m : i64
          {again}
        ^other:
          llvm.cond_br %c, ^loop(%n : i64), ^exit
        ^exit:
          llvm.return
        }}""")
    run_pipeline(module, "loop-vectorize<force-vector-width=4>")
    assert sum(op.name == "llvm.store" for op in module.walk()) == 1


RUN = """
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr noalias align 16 %p, ptr noalias align 16 %q, i64 %m) {{
entry:
  br label %loop
loop:
  {phis}
  %i = phi i64 [ {start}, %entry ], [ %n, %loop ]
  %a = getelementptr float, ptr %p, i64 {index}
  %y = load float, ptr %a
  %z = fadd float %y, 1.0
  %b = getelementptr float, ptr %q, i64 {index}
  store float %z, ptr %b
  {nexts}
  %n = add nuw nsw i64 %i, 1
  %c = icmp ne i64 %n, {end}
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  {exit}
  ret void
}}
!0 = distinct !{{!0, !1, !2}}
!1 = !{{!"llvm.loop.vectorize.enable", i1 true}}
!2 = !{{!"llvm.loop.interleave.count", i32 {count}}}
"""
LAST = "%last = getelementptr float, ptr %q, i64 60\n  store float %z, ptr %last"
SHAPES = {
    "a counter from 0": {},
    "a counter from 3": {"start": "3"},
    "a counter by 2 before it": {
        "phis": "%j = phi i64 [ 0, %entry ], [ %k, %loop ]", "nexts": "%k = add i64 %j, 2",
    },
    "a narrow counter before it": {
        "phis": "%j = phi i32 [ 0, %entry ], [ %k, %loop ]", "nexts": "%k = add i32 %j, 1",
    },
    "another start before it": {
        "phis": "%j = phi i64 [ 5, %entry ], [ %k, %loop ]", "nexts": "%k = add i64 %j, 1",
    },
    "a pointer before it": {
        "phis": "%r = phi ptr [ %p, %entry ], [ %rn, %loop ]\n", "nexts": "%rn = getelementptr float, ptr %r, i64 1",
        "index": "%i",
    },
    "a value after the loop": {"exit": LAST},
    "a value after the loop, from 3": {"exit": LAST, "start": "3"},
}  # fmt: skip


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("end", ["%m", "32", "35"])
@pytest.mark.parametrize("shape", SHAPES)
def test_vectorized_loops_compute_the_same(shape: str, end: str, count: int):
    parts = {"phis": "", "start": "0", "nexts": "", "index": "%i", "exit": "", **SHAPES[shape]}
    text = RUN.format(end=end, count=count, **parts)
    if shape == "a pointer before it":
        text = text.replace(
            "%a = getelementptr float, ptr %p, i64 %i", "%a = getelementptr float, ptr %r, i64 0"
        )
    bounds = [4, 5, 7, 8, 9, 12, 16, 19, 23] if end == "%m" else [0]
    found: list[list[list[float]]] = []
    for pipeline in ("", "loop-vectorize"):
        module = read_ll(text)
        if pipeline:
            run_pipeline(module, pipeline)
            verify_module(module)
            assert any(
                block.name_hint == "vector_body" for block in function(module).regions[0].blocks
            )
        found.append([])
        for bound in bounds:
            arrays = (np.arange(64, dtype=np.float32), np.zeros(64, np.float32))
            run_outcome = run(prepare(module), Launch("f", 1, 1, (*arrays, bound)))
            found[-1].append(run_outcome.arrays[1].tolist())
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("align", "stated", "expected"),
    [
        ("align 16", "", 16),
        ("align 8", "", 8),
        ("", "", 4),
        ("align 16", ", align 2", 16),
        ("", ", align 2", 2),
    ],
)
def test_alignment_of_vectors(align: str, stated: str, expected: int):
    """The vector is at least as well aligned as its elements, and as its first address if all advance by vectors."""
    text = TEXT.format(
        align=align, type="float", before="", last="loop", end="", exit="", wish="!1", width=0, count=0,
        body=BODY.replace("ptr %a\n", f"ptr %a{stated}\n"), test=UNTIL.format("%m"),
    )  # fmt: skip
    module = read_ll(text)
    run_pipeline(module, "loop-vectorize")
    body = next(b for b in function(module).regions[0].blocks if b.name_hint == "vector_body")
    (loaded,) = (op for op in body.ops if op.name == "llvm.load")
    assert stated_alignment(loaded) == expected


@pytest.mark.parametrize(
    ("number", "is_vectorized"), [(MOST_ACCESSES - 1, True), (MOST_ACCESSES, False)]
)
def test_the_number_of_accesses_is_limited(number: int, is_vectorized: bool):
    loads = "\n  ".join(f"%y{n} = load float, ptr %a" for n in range(number - 1))
    found = remarks_of(body=f"{LOAD}{loads}\n  store float %y, ptr %o")
    assert (DONE in found) is is_vectorized


ROWS = INNER.replace("{phi}", "%o1 = add nuw nsw i64 %o, 1\n  %j = add nuw nsw i64 %i, 1").replace(
    "float, ptr %q, i64 {index}", "[128 x float], ptr %p, i64 {row}, i64 %j"
).replace("float, ptr %p, i64 %i", "[128 x float], ptr %p, i64 %o, i64 %i")  # fmt: skip


@pytest.mark.parametrize(("row", "expected"), [("%o1", DONE), ("%o", NOT_ORDERED)])
def test_an_element_of_another_row_is_accessed_in_another_iteration_of_the_outer_loop(
    row: str, expected: str
):
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        run_pipeline(read_ll(ROWS.format(row=row)), "loop-vectorize")
    assert any(expected in remark.line_of_text() for remark in heard)


def test_a_splat_is_created_once():
    text = TEXT.format(
        align="align 16", type="float", before="", last="loop", end="", exit="", wish="!1", width=0, count=0,
        body=BODY.replace("fadd float %y, %v", "call float @llvm.fma.f32(float %y, float %v, float %v)"), test=UNTIL.format("%m"),
    )  # fmt: skip
    module = read_ll(text)
    run_pipeline(module, "loop-vectorize")
    assert sum(op.name == "llvm.insertelement" for op in module.walk()) == 4


def test_an_access_without_a_stated_alignment_has_that_of_its_type():
    module = parse_module("""
        llvm.func @f(%p: !llvm.ptr, %m: i64) {
          %c0 = llvm.mlir.constant(0 : i64) : i64
          %c1 = llvm.mlir.constant(1 : i64) : i64
          llvm.br ^loop(%c0 : i64)
        ^loop(%i: i64):
          %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          %y = llvm.load %a : !llvm.ptr -> f32
          llvm.store %y, %a : f32, !llvm.ptr
          %n = llvm.add %i, %c1 overflow<nsw, nuw> : i64
          %c = llvm.icmp "ne" %n, %m : i64
          llvm.cond_br %c, ^loop(%n : i64), ^exit
        ^exit:
          llvm.return
        }""")
    run_pipeline(module, "loop-vectorize<force-vector-width=4>")
    body = next(b for b in function(module).regions[0].blocks if b.name_hint == "vector_body")
    assert [stated_alignment(op) for op in body.ops if op.name == "llvm.load"] == [4]
