"""Convergent, volatile, atomic and assembly ops keep their number, block and order.

A form is a kernel in which passes move, merge, copy or erase an op without effects: `ACTS` lists these
passes, and each is first run on such an op, so that every row of the table is effective. Then the op is
replaced by each of `OPS`. The slow test runs every scalar pass and those of loops on every form.
"""

from __future__ import annotations

import pytest
from helpers.scale import chosen
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Block, Operation

from nvvm_xdsl.dialects.effects import CONVERGENT, effects
from nvvm_xdsl.dialects.llvm.accessors import number_of
from nvvm_xdsl.dialects.llvm.intern import intern_types
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.passes import PASSES
from nvvm_xdsl.pipeline import run_pipeline

DECLARATIONS = """
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare i32 @llvm.nvvm.match.any.sync.i32(i32, i32)
declare i32 @llvm.nvvm.redux.sync.add(i32, i32)
declare i32 @llvm.nvvm.activemask()
declare i32 @gather(i32) convergent memory(none) nounwind willreturn
"""

OPS = {
    "barrier": "call i32 @llvm.nvvm.barrier0.popc(i32 %n)",
    "shuffle": "call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %n, i32 %m, i32 31)",
    "vote": "call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)",
    "match": "call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %n)",
    "reduction": "call i32 @llvm.nvvm.redux.sync.add(i32 %n, i32 -1)",
    "active mask": "call i32 @llvm.nvvm.activemask()",
    "convergent call": "call i32 @gather(i32 %n)",
    "convergent assembly": 'call i32 asm "vote.sync.ballot.b32 $0, 1, $1;", "=r,r"(i32 %n) convergent',
    "assembly with effects": 'call i32 asm sideeffect "add.u32 $0, $1, 1;", "=r,r"(i32 %n)',
    "volatile load": "load volatile i32, ptr addrspace(1) %p",
    "atomic load": "load atomic i32, ptr addrspace(1) %p monotonic, align 4",
    "atomic addition": "atomicrmw add ptr addrspace(1) %p, i32 %n monotonic",
}
"""Ops that produce an i32 from the arguments."""

PLAIN = "mul i32 %n, %m"

START = """
  %q = icmp slt i32 %n, %m
"""

FORMS = {
    "twice": """
  %a = OP
  %b = OP
  store volatile i32 %a, ptr addrspace(1) %o
  store volatile i32 %b, ptr addrspace(1) %o
  ret void""",
    "above and in a branch": """
  %a = OP
  store volatile i32 %a, ptr addrspace(1) %o
  br i1 %c, label %then, label %end
then:
  %b = OP
  store volatile i32 %b, ptr addrspace(1) %o
  br label %end
end:
  ret void""",
    "first in both ways": """
  br i1 %c, label %then, label %else
then:
  %a = OP
  store volatile i32 %a, ptr addrspace(1) %o
  br label %end
else:
  %b = OP
  %b1 = xor i32 %b, %k
  store volatile i32 %b1, ptr addrspace(1) %o
  br label %end
end:
  ret void""",
    "last in both ways": """
  br i1 %c, label %then, label %else
then:
  store volatile i32 1, ptr addrspace(1) %o
  %a = OP
  br label %end
else:
  store volatile i32 2, ptr addrspace(1) %p
  %b = OP
  br label %end
end:
  %x = phi i32 [ %a, %then ], [ %b, %else ]
  store volatile i32 %x, ptr addrspace(1) %o
  ret void""",
    "in one way": """
  br i1 %c, label %then, label %end
then:
  %a = OP
  br label %end
end:
  %x = phi i32 [ %a, %then ], [ %n, %entry ]
  store volatile i32 %x, ptr addrspace(1) %o
  ret void""",
    "behind the first of two tests": """
  br i1 %c, label %then, label %out
then:
  %a = OP
  %d = icmp eq i32 %a, 5
  br i1 %d, label %in, label %out
in:
  store volatile i32 1, ptr addrspace(1) %o
  br label %out
out:
  ret void""",
    "used in one way": """
  %a = OP
  br i1 %c, label %then, label %end
then:
  store volatile i32 %a, ptr addrspace(1) %o
  br label %end
end:
  ret void""",
    "where a known way leads": """
  br i1 %c, label %known, label %open
known:
  store volatile i32 1, ptr addrspace(1) %o
  br label %merge
open:
  %v = load volatile i32, ptr addrspace(1) %o
  %r = icmp eq i32 %v, 5
  br label %merge
merge:
  %z = phi i1 [ true, %known ], [ %r, %open ]
  %a = OP
  store i32 %a, ptr addrspace(1) %o
  br i1 %z, label %in, label %out
in:
  store volatile i32 2, ptr addrspace(1) %o
  br label %out
out:
  ret void""",
    "invariant in a loop": """
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %a = OP
  %x = add i32 %a, %i
  store volatile i32 %x, ptr addrspace(1) %o
  %j = add nuw nsw i32 %i, 1
  %e = icmp slt i32 %j, %k
  br i1 %e, label %loop, label %out
out:
  ret void""",
    "in a loop behind a test that does not vary": """
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %a = OP
  %x = add i32 %a, %i
  store volatile i32 %x, ptr addrspace(1) %o
  br i1 %c, label %then, label %next
then:
  store volatile i32 %i, ptr addrspace(1) %o
  br label %next
next:
  %j = add nuw nsw i32 %i, 1
  %e = icmp slt i32 %j, %k
  br i1 %e, label %loop, label %out
out:
  ret void""",
    "on one way and behind": """
  br i1 %c, label %then, label %else
then:
  %a = OP
  store volatile i32 %a, ptr addrspace(1) %o
  br label %end
else:
  store volatile i32 2, ptr addrspace(1) %o
  br label %end
end:
  %b = OP
  store volatile i32 %b, ptr addrspace(1) %o
  ret void""",
    "chosen by a select": """
  %a = OP
  %s = select i1 %c, i32 %a, i32 %k
  store volatile i32 %s, ptr addrspace(1) %o
  ret void""",
    "unused": """
  %a = OP
  store volatile i32 1, ptr addrspace(1) %o
  ret void""",
}
"""Kernels by the position of the op; `c` is divergent; `n`, `m` and `k` are uniform."""

MAY_GO = {"shuffle", "vote", "match", "reduction", "active mask", "convergent call", "convergent assembly"}  # fmt: skip
"""A pure op is removed if it is unused."""

HOIST, SINK = "simplifycfg<hoist-common-insts>", "simplifycfg<sink-common-insts>"

ACTS = {
    "twice": ["early-cse", "gvn"],
    "above and in a branch": ["early-cse", "gvn"],
    "first in both ways": [HOIST, "gvn-hoist"],
    "last in both ways": [SINK],
    "in one way": ["simplifycfg", "speculative-execution"],
    "used in one way": ["sink"],
    "where a known way leads": ["jump-threading"],
    "invariant in a loop": ["licm"],
    "in a loop behind a test that does not vary": ["licm"],
    "unused": ["adce", "dce", "instcombine"],
}
"""The passes that change a product at the op's position."""

SCALAR = [name for name, place in PASSES.items() if place.startswith("scalar.")]
OF_LOOPS = ["licm", "loop-rotate", "indvars", "loop-reduce", "simple-loop-unswitch", "loop-vectorize"]  # fmt: skip
SLOW_PASSES = [*SCALAR, HOIST, SINK, *OF_LOOPS, "nvvm-late-opt", "sinking2", "remat"]


def kernel(form: str, op: str) -> ModuleOp:
    """Returns a form with an op at its position."""
    body = START + FORMS[form].replace("OP", op)
    module = read_ll(
        DECLARATIONS
        + "define ptx_kernel void @f(i32 %n, i32 %m, i32 %k, ptr addrspace(1) %p, ptr addrspace(1) %o) {\nentry:\n"
        + "  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  %c = icmp slt i32 %t, %n\n"
        + body
        + "\n}\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
    )
    intern_types(module)
    return module


Places = list[tuple[Operation, "Block | None"]]


def with_effects(module: ModuleOp) -> Places:
    """Returns the ops of `OPS`, and their blocks, in their order."""
    return [(op, op.parent) for op in module.walk() if is_kept(op)]


def is_kept(op: Operation) -> bool:
    """Returns whether an op is one of `OPS`."""
    if effects(op) & CONVERGENT or op.name in ("llvm.atomicrmw", "llvm.inline_asm"):
        return True
    if op.name != "llvm.load":
        return False
    ordering = op.properties.get("ordering")
    return "volatile_" in op.properties or (ordering is not None and number_of(ordering) != 0)


def products(module: ModuleOp) -> Places:
    return [(op, op.parent) for op in module.walk() if op.name == "llvm.mul"]


PAIRS = [(form, name) for form, names in ACTS.items() for name in names]


@pytest.mark.parametrize(("form", "name"), PAIRS)
def test_pure_ops_are_changed(form: str, name: str):
    plain = kernel(form, PLAIN)
    before = products(plain)
    run_pipeline(plain, name)
    assert products(plain) != before, "the pass does nothing here"
    for kind in OPS:
        check(form, name, kind)


def check(form: str, name: str, kind: str) -> None:
    """Runs a pass on a form with an op that must be kept."""
    if form == "unused" and kind in MAY_GO:
        return
    module = kernel(form, OPS[kind])
    before = with_effects(module)
    assert len(before) >= 1, kind
    run_pipeline(module, name)
    assert with_effects(module) == before, f"{name} on {kind}, {form}"


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW_PASSES)
def test_every_pass_keeps_side_effects(name: str):
    for form in FORMS:
        for kind in OPS:
            if chosen(f"{name} {form} {kind}", 3):
                check(form, name, kind)
