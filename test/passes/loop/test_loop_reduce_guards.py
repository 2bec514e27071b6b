"""Conditions of `loop-reduce`: each case is a loop, and its number of pointers after the pass."""

from __future__ import annotations

import pytest
from helpers.modules import function, parse_module
from xdsl.dialects.llvm import LLVMPointerType
from xdsl.ir import Block, Operation

from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.scev.scalar_evolution import ScalarEvolution
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.accessors import element_type_of
from nvvm_xdsl.dialects.llvm.data_layout import data_layout_of
from nvvm_xdsl.dialects.llvm.types import I8
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import remarks
from nvvm_xdsl.passes.loop.loop_reduce import LoopStrengthReduce
from nvvm_xdsl.passes.loop.loop_reduce_addresses import AddressCollector
from nvvm_xdsl.passes.loop.loop_reduce_chains import form_chains
from nvvm_xdsl.passes.loop.loop_reduce_families import FARTHEST, Family, split_factor
from nvvm_xdsl.passes.loop.loop_reduce_starts import first_access, first_address
from nvvm_xdsl.pipeline import run_pipeline
from nvvm_xdsl.verify.verifier import verify_module

TEXT = """
target triple = "nvptx64-nvidia-cuda"
@g = addrspace(3) global [64 x float] undef
define {kind} void @f(ptr addrspace({space}) %p, ptr %q, i32 %m, i32 %x, i32 %y, i64 %w, i1 %b, ptr addrspace(3) %s) {bounds} {{
entry:
  {before}
  br label %loop
loop:
  %i = phi i32 [ {start}, %entry ], [ %n, %latch ]
  {body}
  {end}
latch:
  {latch}
  %n = add nsw i32 %i, {step}
  {test}
exit:
  ret void
}}
"""
INDEX = "%e = sext i32 %i to i64"
ACCESS = "%a = getelementptr float, ptr addrspace(1) %p, i64 {}\n  store volatile float 1.0, ptr addrspace(1) %a"
UNTIL = "%c = icmp slt i32 %n, {}\n  br i1 %c, label %loop, label %exit"
ALL = "no-filter-bad-formula"


def header_of(options: str, **parts: str) -> Block:
    """The header of the innermost loop after the pass."""
    module = read_ll(TEXT.format(**{
        "space": "1", "start": "0", "body": f"{INDEX}\n  {ACCESS.format('%e')}", "end": "br label %latch", "latch": "",
        "step": "1", "test": UNTIL.format("%m"), "kind": "", "bounds": "", "before": "", **parts,
    }))  # fmt: skip
    run_pipeline(module, f"loop-reduce<{options}>")
    verify_module(module)
    return LoopInfo(function(module).regions[0]).innermost_first()[0].header


def families_of(text: str) -> list[Family]:
    """The families that the pass finds in the innermost loop of a function."""
    return analysed(text)[0]


def analysed(text: str) -> tuple[list[Family], Loop, ScalarEvolution]:
    """The families of the innermost loop of a function, the loop, and the expressions."""
    module = read_ll(f'target triple = "nvptx64-nvidia-cuda"\n{text}')
    run_pipeline(module, "loop-simplify")
    func, am = function(module), AnalysisManager()
    se = am.get(ScalarEvolution, func)
    (loop,) = (loop for loop in am.get(LoopInfo, func).loops() if loop.is_innermost())
    preheader = loop.preheader()
    assert preheader is not None
    layout = data_layout_of(func)
    collector = AddressCollector(LoopStrengthReduce(), loop, preheader, se, layout)
    return form_chains(collector.collect(), se.expressions), loop, se


def pointers(header: Block) -> int:
    """The number of pointers that the loop carries."""
    return sum(isinstance(argument.type, LLVMPointerType) for argument in header.args)


SUM = "%k = add nsw i32 %i, {}\n  %e = sext i32 %k to i64\n  "
TWO = (
    "%a0 = getelementptr float, ptr addrspace(1) %p, i64 %e\n  store volatile float 1.0, ptr addrspace(1) %a0\n  "
    "%a1 = getelementptr i8, ptr addrspace(1) %a0, i64 {}\n  store volatile float 1.0, ptr addrspace(1) %a1"
)
SHARED = "%a = getelementptr float, ptr addrspace(3) {}, i32 %i\n  store volatile float 1.0, ptr addrspace(3) %a"
PRODUCT = "%k = mul nsw i32 %i, {}\n  %e = sext i32 %k to i64\n  " + ACCESS.format("%e")
USED = {"latch": "store volatile float 1.0, ptr addrspace(1) %p"}
"""The base remains live in the loop."""
SEVERAL_EXITS = {"end": "br i1 %b, label %exit, label %latch"}
"""ptxas does not unroll the loop, so that each iteration advances the pointer."""
BASE = "base-address-strength-reduce-iv-limit=0;no-lsr-check-rp"
FIXED = {"body": f"{INDEX}\n  %k = add i64 %e, %w\n  {ACCESS.format('%k')}"}
"""The sum of the base and the invariant part can be computed before the loop."""
WIDE = {
    "body": "%z = phi i64 [ 0, %entry ], [ %zn, %latch ]\n  %k = sub nsw i64 %z, %w\n  "
    + ACCESS.format("%k")
}
BYTES = WIDE["body"].replace("getelementptr float", "getelementptr i8")
STEP = "%xs = sext i32 %x to i64\n  %ys = sext i32 %y to i64\n  %u = {}\n  %zn = add nsw i64 %z, %u"
THIRD = TWO.format(16).partition("\n  ")[2].partition("\n  ")[2].replace("%a1", "%a2")


def chain(type_: str, step: int = 2) -> dict[str, str]:
    """Two accesses per iteration, at consecutive multiples of a value, in the latch."""
    accesses = (
        f"%k{n} = mul nsw {type_} %j{n}, %t\n  %e{n} = sext {type_} %k{n} to i64\n  "
        + ACCESS.format(f"%e{n}").replace("%a", f"%a{n}") for n in (0, 1)
    )  # fmt: skip
    nexts = (f"%n{n} = add nsw {type_} %j{n}, {step}" for n in (0, 1))
    phis = (f"%j{n} = phi {type_} [ {n}, %entry ], [ %n{n}, %latch ]" for n in (0, 1))
    return {
        "before": f"%t = trunc i64 %w to {type_}",
        "body": "\n  ".join(phis),
        "latch": "\n  ".join((*accesses, *nexts)),
    }


CASES = {
    "an address that advances": (ALL, {}, 1),
    "not a loop with an unknown trip count": (
        f"{ALL};disable-unknown-trip-lsr", {"test": "%l = load volatile i32, ptr %q\n  " + UNTIL.format("%l")}, 0,
    ),
    "a known one": (f"{ALL};disable-unknown-trip-lsr", {}, 1),
    "an unknown one": (ALL, {"test": "%l = load volatile i32, ptr %q\n  " + UNTIL.format("%l")}, 1),
    "not through an extension": (f"{ALL};no-lsr-sxtopt", {}, 0),
    "not an invariant address": (ALL, {"body": ACCESS.format("%w")}, 0),
    "not a loaded index": (ALL, {"body": "%e = load volatile i64, ptr %q\n  " + ACCESS.format("%e")}, 0),
    "not an index that wraps": (ALL, {"body": "%k = mul i32 %i, 3\n  %e = sext i32 %k to i64\n  " + ACCESS.format("%e"), "test": UNTIL.format("%m").replace("slt i32 %n", "ne i32 %i")}, 0),
    "an innermost loop": (f"{ALL};lsr-skip-outer-loop", {}, 1),
    "a base": (BASE, FIXED, 0),
    "a pointer that the loop carries": (
        ALL, {"body": "%r = phi ptr addrspace(1) [ %p, %entry ], [ %rn, %latch ]\n  %rn = load ptr addrspace(1), ptr %q\n  "
              f"{INDEX}\n  {ACCESS.format('%e').replace('%p', '%r')}"}, 1,
    ),
    "not a selected address": (
        ALL, {"body": "%a = select i1 %b, ptr addrspace(1) %p, ptr addrspace(1) null\n  store volatile float 1.0, ptr addrspace(1) %a"}, 0,
    ),
    "not a selected base": (
        ALL, {"body": f"{INDEX}\n  %l = load volatile i1, ptr %q\n  %r = select i1 %l, ptr addrspace(1) %p, ptr addrspace(1) null\n  "
              + ACCESS.format("%e").replace("%p", "%r")}, 0,
    ),
    "a counter without an extension": (
        f"{ALL};no-lsr-sxtopt", {"body": "%z = phi i64 [ 0, %entry ], [ %zn, %latch ]\n  " + ACCESS.format("%z"),
                                 "latch": "%zn = add nsw i64 %z, 1"}, 1,
    ),
    "not a square": (ALL, {"body": f"{INDEX}\n  %k = mul i64 %e, %e\n  {ACCESS.format('%k')}"}, 0),
    "other memory than shared": (f"{ALL};disable-lsr-for-sharedmem32-ptr", {}, 1),
    "an unused address": (ALL, {"body": f"{INDEX}\n  %a = getelementptr float, ptr addrspace(1) %p, i64 %e"}, 0),
    "two accesses": (ALL, {"body": f"{INDEX}\n  {TWO.format(8)}"}, 1),
    "not if each gets a pointer": (f"{ALL};do-base-address-strength-reduce=0", {"body": f"{INDEX}\n  {TWO.format(8)}"}, 2),
    "not if they are far apart": (ALL, {"body": f"{INDEX}\n  {TWO.format(FARTHEST)}"}, 2),
    "two always": ("do-base-address-strength-reduce=1;lsr-rp-limit=0", {"body": f"{INDEX}\n  {TWO.format(8)}"}, 1),
    "one not always": ("do-base-address-strength-reduce=1;lsr-rp-limit=0", USED, 0),
    "not two beyond the registers": ("lsr-rp-limit=0", {"body": f"{INDEX}\n  {TWO.format(8)}", **USED}, 0),
    "at most one": (
        f"{ALL};base-address-strength-reduce-iv-limit=1",
        {"body": f"{INDEX}\n  {ACCESS.format('%e')}\n  %z = getelementptr float, ptr %q, i64 %e\n  store float 1.0, ptr %z"}, 1,
    ),
    "not beyond the registers": (f"{ALL};lsr-rp-limit=2", USED, 0),
    "unless they are not counted": (f"{ALL};lsr-rp-limit=2;no-lsr-check-rp", USED, 1),
    "unless the pointer replaces another one": (f"{ALL};lsr-rp-limit=2", {}, 1),
    "not beyond the stated registers": (f"{ALL};maxrregcount=2", USED, 0),
    "not beyond the limit": (f"{ALL};maxrregcount=99;lsr-rp-limit=2", USED, 0),
    "not beyond those of the kernel": (ALL, {**USED, "kind": "ptx_kernel", "bounds": '"nvvm.maxnreg"="2"'}, 0),
    "not a variable that takes no register": (
        f"{ALL};lsr-rp-limit=0", {"body": SHARED.format("@g")}, 0,
    ),
    "unless a register becomes free": (f"{ALL};lsr-rp-limit=0", {"body": SHARED.format("%s")}, 1),
    "also that of a cast": (
        f"{ALL};lsr-rp-limit=0", {"body": f"{INDEX}\n  %r = addrspacecast ptr %q to ptr addrspace(1)\n  {ACCESS.format('%e').replace('%p', '%r')}"}, 1,
    ),
    "a sum before the loop": (
        ALL, {"before": "%t = add i64 %w, 5", "body": f"{INDEX}\n  %k = add i64 %e, %t\n  {ACCESS.format('%k')}"}, 1,
    ),
    "if it saves an instruction": ("", {}, 1),
    "if a register is needed for it": ("", USED, 1),
    "not if no register becomes free": ("disable-lsr-complexity-discount", USED, 0),
    "if one becomes free": ("disable-lsr-complexity-discount", {}, 1),
    "not if the address is stored, too": (
        "", {"body": f"{INDEX}\n  {ACCESS.format('%e').replace('float 1.0', 'ptr addrspace(1) %a')}"}, 0,
    ),
    "not if ops before the loop become dead": (
        "", {**SEVERAL_EXITS, "before": "%t = mul i64 %w, %w\n  %r = getelementptr float, ptr addrspace(1) %p, i64 %t",
             "body": f"{INDEX}\n  {ACCESS.format('%e').replace('%p', '%r')}"}, 0,
    ),
    "not for constant offsets": ("", {**SEVERAL_EXITS, "body": f"{INDEX}\n  {TWO.format(8)}\n  {THIRD}"}, 0),
    "pointers to products of 32 bits": ("", chain("i32"), 1),
    "not of 16 bits": ("", chain("i16"), 0),
    "not to one product": ("", {"body": PRODUCT.format("%x")}, 0),
    "of 16 bits in shared memory": (
        "", {k: v.replace("addrspace(1)", "addrspace(3)").replace("%p", "%s") for k, v in chain("i16").items()}, 1,
    ),
    "of 64 bits": ("", {k: v.replace("sext i64", "add i64").replace(" to i64", ", 0") for k, v in chain("i64").items()} | {"before": "%t = add i64 %w, 0"}, 1),
    "not if it saves nothing": ("", SEVERAL_EXITS, 0),
    "unless that does not matter": (ALL, SEVERAL_EXITS, 1),
    "shared memory": (ALL, {"body": SHARED.format("%s")}, 1),
    "a variable of it": (ALL, {"body": SHARED.format("@g")}, 1),
    "not if it is disabled": (f"{ALL};disable-lsr-for-sharedmem32-ptr", {"body": SHARED.format("%s")}, 0),
    "only shared memory": (f"{ALL};no-do-lsr-64-bit", {"body": SHARED.format("%s")}, 1),
    "not other memory": (f"{ALL};no-do-lsr-64-bit", {}, 0),
    "not a variable step": (f"{ALL};no-do-lsr-64-bit", {"body": SHARED.format("%s"), "step": "%x"}, 0),
    "a small index": (f"{ALL};base-address-strength-reduce-max-iv=98", {"test": UNTIL.format(99)}, 1),
    "not a large one": (f"{ALL};base-address-strength-reduce-max-iv=97", {"test": UNTIL.format(99)}, 0),
    "a product": (ALL, {"body": PRODUCT.format("%x")}, 1),
    "not one that varies": (ALL, {"body": PRODUCT.format("%i")}, 0),
    "not one of a loaded value": (ALL, {"body": "%l = load volatile i32, ptr %q\n  " + PRODUCT.format("%x").replace("%i", "%l")}, 0),
    "not one that may wrap": (ALL, {"body": PRODUCT.format("%x").replace("mul nsw", "mul")}, 0),
    "not one that may wrap with its sign": (ALL, {"body": PRODUCT.format("%x").replace("mul nsw", "mul nuw")}, 0),
    "not one without a sign": (ALL, {"body": PRODUCT.format("%x").replace("sext", "zext")}, 0),
    "a product of 64 bits": (ALL, {"body": f"{INDEX}\n  %k = mul i64 %e, %w\n  {ACCESS.format('%k')}"}, 1),
    "a sum": (ALL, {"body": SUM.format("%x") + ACCESS.format("%e")}, 1),
    "a difference": (ALL, {"body": "%k = sub nsw i32 %i, %x\n  %e = sext i32 %k to i64\n  " + ACCESS.format("%e")}, 1),
    "a step of 32 bits": (ALL, {**WIDE, "latch": STEP.format("mul i64 %xs, 1")}, 1),
    "not a sum of it": (ALL, {"body": BYTES, "latch": STEP.format("add i64 %xs, 3")}, 0),
    "not a product": (ALL, {"body": BYTES, "latch": STEP.format("mul i64 %xs, %ys")}, 0),
    "not a multiple of a product": (ALL, {**WIDE, "latch": STEP.format("mul i64 %xs, %ys")}, 0),
    "not in some iterations": (
        ALL, {"end": "br i1 %b, label %then, label %latch\nthen:\n  %k = sub nsw i32 %i, %x\n  %e2 = sext i32 %k to i64\n  "
              + ACCESS.format("%e2") + "\n  br label %latch", "body": ""}, 0,
    ),
    "not a pointer from memory": (
        ALL, {"body": f"{INDEX}\n  %r = load volatile ptr addrspace(1), ptr %q\n  {ACCESS.format('%e').replace('%p', '%r')}"}, 0,
    ),
    "not a vector of pointers": (
        ALL, {"body": f"{INDEX}\n  %a = getelementptr float, ptr %q, <2 x i64> <i64 1, i64 2>\n  store <2 x ptr> %a, ptr %q"}, 0,
    ),
    "an outer loop": (
        ALL, {"body": f"{INDEX}\n  {ACCESS.format('%e')}", "end": "br label %inner\ninner:\n  %j = phi i32 [ 0, %loop ], [ %jn, %inner ]\n"
              "  %jn = add nsw i32 %j, 1\n  %jc = icmp slt i32 %jn, %x\n  br i1 %jc, label %inner, label %latch"}, 0,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_pointers(why: str):
    options, parts, expected = CASES[why]
    assert pointers(header_of(options, **parts)) == expected


NEST = {
    "end": "br label %inner\ninner:\n  %j = phi i32 [ 0, %loop ], [ %jn, %inner ]\n"
    "  %jn = add nsw i32 %j, 1\n  %jc = icmp slt i32 %jn, %x\n  br i1 %jc, label %inner, label %latch",
}


@pytest.mark.parametrize(
    ("options", "expected"),
    [("", 1), ("lsr-skip-outer-loop", 0), ("lsr-loop-level=1", 0), ("lsr-loop-level=2", 1)],
)
def test_outer_loops(options: str, expected: int):
    header = header_of(f"{ALL};{options}" if options else ALL, **NEST)
    outer = next(loop for loop in LoopInfo(header.parent).loops() if loop.header is not header)
    assert pointers(outer.header) == expected


@pytest.mark.parametrize(("entry", "again"), [
    ("llvm.indirectbr %p : !llvm.ptr, [^loop(%c0 : i64), ^exit]", "llvm.br ^loop(%n : i64)"),
    ("llvm.br ^loop(%c0 : i64)", "llvm.indirectbr %p : !llvm.ptr, [^loop(%n : i64), ^other]"),
])  # fmt: skip
def test_a_loop_without_preheader_or_latch_is_kept(entry: str, again: str):
    """The edges of an indirect branch cannot be split."""
    module = parse_module(f"""
        llvm.func @f(%p: !llvm.ptr) {{
          %c0 = llvm.mlir.constant(0 : i64) : i64
          %c1 = llvm.mlir.constant(1 : i64) : i64
          %end = llvm.mlir.constant(9 : i64) : i64
          {entry}
        ^loop(%i: i64):
          %a = llvm.getelementptr %p[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store %i, %a : i64, !llvm.ptr
          %n = llvm.add %i, %c1 overflow<nsw> : i64
          %c = llvm.icmp "slt" %n, %end : i64
          llvm.cond_br %c, ^again, ^exit
        ^again:
          {again}
        ^other:
          llvm.br ^loop(%n : i64)
        ^exit:
          llvm.return
        }}""")
    run_pipeline(module, f"loop-reduce<{ALL}>")
    assert not any(b.args and len(b.args) > 1 for b in function(module).regions[0].blocks)


@pytest.mark.parametrize(("options", "is_reported"), [(ALL, True), ("", False)])
def test_remarks(options: str, is_reported: bool):
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        header_of(options, **SEVERAL_EXITS)
    texts = [remark.line_of_text() for remark in heard]
    expected = [
        "remark: loop-reduce: f: base %p of 1 accesses, anchor at 0, offsets 0",
        "remark: loop-reduce: f: 1 addresses are carried from iteration to iteration",
    ]
    assert texts == (expected if is_reported else [])


BASES = {
    "an invariant part": (BASE, {}, True),
    "not without one": (BASE, {"body": f"{INDEX}\n  {ACCESS.format('%e')}"}, False),
    "not of several accesses of an array": (BASE, {"latch": ACCESS.format("%e").replace("%a", "%other")}, False),
    "not if the sum is used elsewhere": (BASE, {"latch": "store volatile i64 %k, ptr %q"}, False),
    "not with a negative factor": (
        BASE, {"body": f"%d = sub i64 0, %z\n  %k = add i64 %d, %w\n  {ACCESS.format('%k')}",
               "end": "br label %latch", "latch": "%zn = add nsw i64 %z, 1",
               "more": "%z = phi i64 [ 0, %entry ], [ %zn, %latch ]"}, False,
    ),
    "not beyond the registers": ("base-address-strength-reduce-iv-limit=0;lsr-rp-limit=2", USED, False),
    "unless they are not counted": ("base-address-strength-reduce-iv-limit=0;lsr-rp-limit=2;no-lsr-check-rp", USED, True),
    "within the registers": ("base-address-strength-reduce-iv-limit=0;lsr-rp-limit=64", USED, True),
    "a loop with several exits": (BASE, SEVERAL_EXITS, True),
}  # fmt: skip


@pytest.mark.parametrize("why", BASES)
def test_bases(why: str):
    """Whether an address is computed before the loop."""
    options, parts, expected = BASES[why]
    parts = {**FIXED, **parts}
    body = parts.pop("more", "") + "\n  " + parts["body"]
    heard: list[remarks.Remark] = []
    with remarks.listening(heard.append):
        header = header_of(options, **{**parts, "body": body})
    assert pointers(header) == 0
    entry = header.parent.blocks[0]
    assert any(op.name == "llvm.getelementptr" for op in entry.ops) is expected
    assert not heard


INNER_EXITS = """
define void @f(ptr addrspace(1) %p, i32 %m, i32 %x, i64 %w, i1 %b) {{
entry:
  br label %outer
outer:
  %o = phi i32 [ 0, %entry ], [ %on, %next ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %n, %latch ]
  %e = sext i32 %i to i64
  %k = add i64 %e, %w
  %a = getelementptr float, ptr addrspace(1) %p, i64 %k
  store volatile float 1.0, ptr addrspace(1) %a
  {end}
latch:
  %n = add nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %next
next:
  %on = add nsw i32 %o, 1
  %oc = icmp slt i32 %on, %x
  br i1 %oc, label %outer, label %exit
exit:
  ret void
}}
"""


@pytest.mark.parametrize(
    ("end", "expected"), [("br label %latch", True), ("br i1 %b, label %next, label %latch", False)]
)
def test_bases_of_inner_loops(end: str, expected: bool):
    """An inner loop with several exits often has few iterations."""
    module = read_ll(INNER_EXITS.format(end=end))
    run_pipeline(module, f"loop-reduce<{BASE}>")
    verify_module(module)
    header = LoopInfo(function(module).regions[0]).innermost_first()[0].header
    assert any(op.name == "llvm.getelementptr" for op in header.ops) is True
    (address,) = (op for op in header.ops if op.name == "llvm.getelementptr")
    base = address.operands[0].owner
    assert isinstance(base, Operation) is expected


def test_an_unchanged_loop_is_no_change():
    module = read_ll(INNER_EXITS.format(end="br i1 %b, label %next, label %latch"))
    run_pipeline(module, "loop-simplify,lcssa")
    options = LoopStrengthReduce(base_address_strength_reduce_iv_limit=0, lsr_check_rp=False)
    assert not options.run_on_function(function(module), AnalysisManager())


def test_an_address_of_an_inner_loop_is_no_pointer_of_the_outer_one():
    """Only the inner loop executes the access."""
    end = NEST["end"].replace("  %jn = add", f"  {INDEX}\n  {ACCESS.format('%e')}\n  %jn = add")
    header = header_of(ALL, body="", end=end)
    assert all(pointers(loop.header) == 0 for loop in LoopInfo(header.parent).loops())


KNOWN = """
declare void @g()
define void @f(ptr %p, i32 %x, i32 %y, i32 %m, i1 %b) {{
entry:
  %sum = add nsw i32 %x, %y
  %same = add i32 %x, %y
  %wide = sext i32 %x to i64
  %far = add nsw i64 %wide, 5
  br label %loop
loop:
  %i = phi i32 [ {start}, %entry ], [ %n, %latch ]
  {body}
  br i1 %b, label %then, label %latch
then:
  {then}
  br label %latch
latch:
  %n = add nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""
STORED = "%e{0} = sext i32 %k{0} to i64\n  %a{0} = getelementptr i8, ptr %p, i64 %e{0}\n  store volatile i8 0, ptr %a{0}"
OF_SUM = f"%k0 = mul nsw i32 %i, %sum\n  {STORED.format(0)}"
DEPENDENCES = {
    "an operand of the index": ({"body": OF_SUM}, "sum"),
    "the start of the counter": ({"body": OF_SUM, "start": "%x"}, "sum x"),
    "not an operand of a selection, which need not be poison": (
        {
            "body": "%t = icmp sgt i32 %sum, %y\n  %l = select i1 %t, i32 %sum, i32 %y\n  "
            + OF_SUM.replace("%i, %sum", "%i, %l")
        },
        "",
    ),
    "not an operand of one of two accesses": (
        {"body": f"%k0 = mul nsw i32 %i, %same\n  {STORED.format(0)}", "then": OF_SUM.replace("0", "1")}, "",
    ),
    "not an operand of one of two pointers": (
        {"body": f"{OF_SUM}\n  %j = add nsw i32 %i, 1\n  %k1 = mul nsw i32 %j, %same\n  {STORED.format(1)}"}, "",
    ),
}  # fmt: skip


def test_the_constant_part_of_a_start_is_an_offset():
    body = "%z = phi i64 [ %far, %entry ], [ %zn, %latch ]\n  %zn = add nsw i64 %z, 1\n  %e0 = add nsw i64 %z, 2\n  "
    body += STORED.format(0).partition("\n")[2]
    (family,) = families_of(KNOWN.format(start="0", body=body, then=""))
    assert [offset for _, offset in family.accesses] == [7]


@pytest.mark.parametrize("why", DEPENDENCES)
def test_values_whose_poison_reaches_an_address(why: str):
    parts, expected = DEPENDENCES[why]
    (family,) = families_of(KNOWN.format(**{"start": "0", "then": "", **parts}))
    assert {value.name_hint for value in family.known.values()} == set(expected.split())


ORDER = """
define void @f(ptr %p, i32 %m, i64 %w) {
entry:
  br label %outer
outer:
  %o = phi i64 [ 0, %entry ], [ %on, %next ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %n, %loop ]
  %e = sext i32 %i to i64
  %k = add i64 %e, %o
  %l = add i64 %k, %w
  %a = getelementptr float, ptr %p, i64 %l
  store volatile float 1.0, ptr %a
  %n = add nsw i32 %i, 1
  %c = icmp slt i32 %n, %m
  br i1 %c, label %loop, label %next
next:
  %on = add nsw i64 %o, 1
  %oc = icmp slt i64 %on, %w
  br i1 %oc, label %outer, label %exit
exit:
  ret void
}
"""


def test_invariants_of_the_outer_loop_are_added_first():
    (family,) = families_of(ORDER)
    assert [leaf.value.name_hint for leaf, _ in family.fixed] == ["w", "o"]


@pytest.mark.parametrize(
    ("address", "expected"),
    [("llvm.mlir.addressof @g : !llvm.ptr", 1), ("llvm.inttoptr %p : i64 to !llvm.ptr", 0)],
)
def test_bases_that_are_computed_in_the_loop(address: str, expected: int):
    """The address of a variable can be computed before the loop, too."""
    module = parse_module(f"""
        llvm.mlir.global external @g() {{addr_space = 0 : i32}} : !llvm.array<64 x f32>
        llvm.func @f(%p: i64, %m: i64) {{
          %c0 = llvm.mlir.constant(0 : i64) : i64
          %c1 = llvm.mlir.constant(1 : i64) : i64
          llvm.br ^loop(%c0 : i64)
        ^loop(%i: i64):
          %r = {address}
          %a = llvm.getelementptr %r[%i] : (!llvm.ptr, i64) -> !llvm.ptr, f32
          llvm.store volatile %i, %a : i64, !llvm.ptr
          %n = llvm.add %i, %c1 overflow<nsw> : i64
          %c = llvm.icmp "slt" %n, %m : i64
          llvm.cond_br %c, ^loop(%n : i64), ^exit
        ^exit:
          llvm.return
        }}""")
    run_pipeline(module, f"loop-reduce<{ALL}>")
    verify_module(module)
    assert pointers(LoopInfo(function(module).regions[0]).innermost_first()[0].header) == expected


def addresses_in(header: Block) -> list[Operation]:
    """The address computations of the loop."""
    (loop,) = LoopInfo(header.parent).loops()
    return [op for block in loop.blocks for op in block.ops if op.name == "llvm.getelementptr"]


AGAIN = "\n  store volatile float 2.0, ptr addrspace(1) %a1"
SHAPES = {
    "equal addresses are computed once": (ALL, {"body": f"{INDEX}\n  {TWO.format(8)}{AGAIN}"}, [1, 1]),
    "constant addends are offsets": (
        ALL, {"body": BYTES.replace("sub nsw i64 %z, %w", "add nsw i64 %z, 0"), "latch": STEP.format("add i64 %xs, 3")}, [1, 2],
    ),
    "the variable part is added once": (BASE, {"body": f"{INDEX}\n  %k = add i64 %e, %w\n  {TWO.format(8).replace('%e', '%k')}"}, [1, 2]),
}  # fmt: skip


@pytest.mark.parametrize("why", SHAPES)
def test_numbers_of_operands_of_addresses(why: str):
    options, parts, expected = SHAPES[why]
    assert sorted(len(op.operands) for op in addresses_in(header_of(options, **parts))) == expected


@pytest.mark.parametrize("step", [1, 2, 4])
def test_the_next_pointer_of_a_chain(step: int):
    """It is the second pointer, computed from that, or computed from the first pointer."""
    header = header_of(ALL, **chain("i32", step))
    first = next(arg for arg in header.args if isinstance(arg.type, LLVMPointerType))
    addresses = addresses_in(header)
    second, following = addresses[0].results[0], addresses[-1].results[0]
    assert (following is second) is (step == 1)
    assert addresses[-1].operands[0] is (second if step == 2 else first)


@pytest.mark.parametrize(
    ("offset", "anchor"), [(4, 0), (FARTHEST, FARTHEST), (-FARTHEST, -FARTHEST)]
)
def test_only_large_offsets_are_added_to_the_pointer(offset: int, anchor: int):
    body = f"%k0 = add nsw i32 %i, {offset}\n  {STORED.format(0)}"
    (family,) = families_of(KNOWN.format(start="0", body=body, then=""))
    assert family.anchor() == anchor


def test_the_constant_factor_of_an_expression():
    func = function(read_ll(KNOWN.format(start="0", body="", then="")))
    se = AnalysisManager().get(ScalarEvolution, func)
    _, x, y, *_ = map(se.get, func.regions[0].blocks[0].args)
    ex = se.expressions
    four = ex.constant(32, 4)
    assert split_factor(ex.mul(four, x), ex) == (4, x)
    assert split_factor(four, ex) == (4, None)
    for other in (ex.add(four, x), ex.mul(x, y)):
        assert split_factor(other, ex) == (1, other)


@pytest.mark.parametrize(
    "step", ["add i64 %w, 0", "mul i64 %xs, %ys", "call i64 @llvm.smax.i64(i64 %xs, i64 5)"]
)
def test_a_step_without_a_constant_factor_is_an_index_in_bytes(step: str):
    body = BYTES.replace("sub nsw i64 %z, %w", "add nsw i64 %z, 0")
    (following,) = addresses_in(header_of(ALL, body=body, latch=STEP.format(step)))
    assert element_type_of(following) == I8


CALL = "call void @g()\n  "
LONG = f"{OF_SUM.partition('store')[0]}%b0 = getelementptr i8, ptr %a0, i64 8\n  store volatile i8 0, ptr %b0\n  "
LATER = "store volatile i8 0, ptr %a0"
STARTS = {
    "an access in each iteration": ({"body": OF_SUM}, 3, "a0"),
    "not if its address needs more ops": ({"body": OF_SUM}, 2, None),
    "not one in some iterations": ({"then": OF_SUM}, 9, None),
    "after an op that may not return": ({"body": CALL + OF_SUM}, 9, "a0"),
    "a later access with a shorter address": ({"body": LONG + LATER}, 3, "a0"),
    "not after an op that may not return": ({"body": LONG + CALL + LATER}, 3, None),
    "the first pointer of a chain": (
        {"body": f"%j = add nsw i32 %i, 1\n  %k1 = mul nsw i32 %j, %sum\n  {STORED.format(1)}\n  {OF_SUM}"}, 9, "a0",
    ),
    "not with an argument of another block": (
        {"body": "br label %next\nnext:\n  %j = phi i32 [ %i, %loop ]\n  " + OF_SUM.replace("%i,", "%j,")}, 9, None,
    ),
    "not with an op that is not copied": (
        {"body": "%d = shl nsw i32 %i, 1\n  %j = or disjoint i32 %d, 1\n  " + OF_SUM.replace("%i,", "%j,")}, 9, None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", STARTS)
def test_the_access_whose_address_is_the_start(why: str):
    parts, most, expected = STARTS[why]
    (family,), loop, se = analysed(KNOWN.format(**{"start": "0", "body": "", "then": "", **parts}))
    latch = loop.latch()
    assert latch is not None
    access = first_access(family, loop, latch, se.tree, most)
    assert (access and access.operands[-1].name_hint) == expected


def test_each_op_of_a_first_address_is_copied_once():
    body = (
        "%h = sext i32 %i to i64\n  %e0 = add nsw i64 %h, %h\n"
        + STORED.format(0).partition("\n")[2]
    )
    (family,), loop, _ = analysed(KNOWN.format(start="%x", body=body, then=""))
    preheader = loop.preheader()
    assert preheader is not None
    entry = branches.terminator_of(preheader)
    ((_, starts),) = branches.edges_of(entry)
    number = len(list(preheader.ops))
    address = first_address(family.accesses[0][0], loop, starts, entry)
    base, index = address.owner.operands
    assert base.name_hint == "p"
    assert index.owner.operands[0].owner.operands[0].name_hint == "x"
    assert len(list(preheader.ops)) == number + 3


GRID = """
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.{size}.x()
define void @f(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %w, i64 %m, i64 %t) {{
entry:
  %g = call i32 @llvm.nvvm.read.ptx.sreg.{size}.x()
  %s = zext i32 %g to i64
  br label %loop
loop:
  %z = phi i64 [ {start}, %entry ], [ %n, %loop ]
  {body}
  %n = add nuw nsw i64 %z, %s
  %c = icmp ult i64 %n, %m
  br i1 %c, label %loop, label %exit
exit:
  ret void
}}
"""
ROW = "%k = mul nsw i64 %z, %w\n  %a = getelementptr float, ptr addrspace(1) %p, i64 %k\n  store volatile float 1.0, ptr addrspace(1) %a\n  "
OTHER = "%d = getelementptr double, ptr addrspace(1) %q, i64 %k\n  store volatile double 1.0, ptr addrspace(1) %d\n  "
NEXT = "%k0 = mul nsw i64 %z, %w\n  %k = add nsw i64 %k0, %w\n  " + ROW.partition("\n  ")[2]
LONGER = NEXT.replace("%k = add", "%k1 = add").replace("%a =", "%k = add nsw i64 %k1, %m\n  %a =")
GRID_CASES = {
    "a row": ("ntid", "%t", ROW, 1),
    "not of a grid": ("nctaid", "%t", ROW, 0),
    "a sum": ("nctaid", "0", LONGER, 1),
    "rows that share a product": ("ntid", "%t", ROW + OTHER, 2),
    "not of a grid if each pays only because of the other": ("nctaid", "0", NEXT + OTHER, 0),
}


@pytest.mark.parametrize("why", GRID_CASES)
def test_a_loop_that_advances_by_the_size_of_the_grid(why: str):
    """It has few iterations. The start and the step must cost less than these save."""
    size, start, body, found = GRID_CASES[why]
    module = read_ll(GRID.format(size=size, start=start, body=body))
    run_pipeline(module, "loop-reduce")
    verify_module(module)
    (loop,) = LoopInfo(function(module).regions[0]).innermost_first()
    assert pointers(loop.header) == found
