"""The threads that run a convergent op together, by the rule of the immediate post-dominator."""

from __future__ import annotations

import numpy as np
import pytest
from helpers.modules import parse_module
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.lab import Launch, find_difference
from nvvm_xdsl.lab.behaviour import Comparison
from nvvm_xdsl.lab.launches import run
from nvvm_xdsl.lab.reconvergence import callees_gather, divided_warp
from nvvm_xdsl.simulator import prepare

START = """
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c9 = llvm.mlir.constant(9 : i32) : i32
    %t = nvvm.read.ptx.sreg.tid.x : i32
    %bit = llvm.and %t, %c1 : i32
    %odd = llvm.icmp "eq" %bit, %c1 : i32
    %big = llvm.icmp "sgt" %n, %c9 : i32
"""


def module(body: str) -> ModuleOp:
    head = "llvm.func @k(%n: i32, %p: !llvm.ptr) attributes {nvvm.kernel}"
    return parse_module(f"{head} {{{START}{body}\n}}")


def divided(body: str, *, strict: bool = False) -> str | None:
    """Returns the error of a launch of two blocks of 64 threads, with `%n` = 5."""
    one = module(body)
    launch = Launch("k", 2, 64, (5, np.zeros(64, np.int32)))
    outcome = run(prepare(one), launch, paths=True)
    return divided_warp(one, "k", outcome.paths, strict=strict)


JOINED = """
    llvm.cond_br %odd, ^a, ^b
^a:
    llvm.store %c1, %p : i32, !llvm.ptr
    llvm.br ^join
^b:
    llvm.store %c0, %p : i32, !llvm.ptr
    llvm.br ^join
^join:
    nvvm.barrier0
    llvm.return"""

FAR = """
^far:
    llvm.store %c9, %p : i32, !llvm.ptr
    llvm.br ^end
^end:
    llvm.return"""

THREADED = f"""
    llvm.switch %w : i32, ^far [0: ^a, 1: ^b]
^a:
    llvm.store %c1, %p : i32, !llvm.ptr
    llvm.br ^join
^b:
    llvm.store %c0, %p : i32, !llvm.ptr
    llvm.br ^join
^join:
    nvvm.barrier0
    llvm.br ^end{FAR}"""
"""The threads of both cases reconverge at `^end`: the switch has another edge."""

NUMBER = """
    %never = llvm.zext %big : i1 to i32
    %two = llvm.add %never, %never : i32
    %w = llvm.or %bit, %two : i32"""


def test_threads_reconverge_at_the_post_dominator():
    assert divided(JOINED) is None


@pytest.mark.parametrize("end", ["llvm.br ^end", "llvm.cond_br %big, ^none, ^end"])
def test_threads_reconverge_before_an_infinite_loop(end: str):
    loop = f"llvm.br ^end\n^end:\n    nvvm.exit\n    {end}\n^none:\n    llvm.unreachable"
    assert divided(JOINED.replace("llvm.return", loop)) is None


def test_an_unused_edge_changes_the_reconvergence_point():
    assert divided(NUMBER + THREADED) == (
        "16 of 32 threads of a warp run nvvm.barrier0 without the others"
    )


def test_a_uniform_branch_causes_no_divergence():
    uniform = THREADED.replace("llvm.switch %w", "llvm.switch %two")
    assert divided(NUMBER + uniform) is None


def test_switch_edges_to_the_same_block_cause_no_divergence():
    together = f"""{NUMBER}
    llvm.switch %w : i32, ^far [0: ^a(%c0 : i32), 1: ^a(%c1 : i32)]
^a(%x: i32):
    llvm.store %x, %p : i32, !llvm.ptr
    nvvm.barrier0
    llvm.br ^end{FAR}"""
    assert divided(together) is None
    assert divided(together, strict=True) is None


def test_a_block_without_effects_is_part_of_an_edge():
    """By the lenient rule, because `break-crit-edges` creates such blocks."""
    split = f"""{NUMBER}
    llvm.switch %w : i32, ^far [0: ^a(%c0 : i32), 1: ^one]
^one:
    %y = llvm.mul %t, %c9 : i32
    llvm.br ^a(%y : i32)
^a(%x: i32):
    llvm.store %x, %p : i32, !llvm.ptr
    nvvm.barrier0
    llvm.br ^end{FAR}"""
    assert divided(split) is None
    assert divided(split, strict=True) is not None
    stored = split.replace("llvm.mul", "llvm.add").replace(
        "llvm.br ^a(%y", "llvm.store %c9, %p : i32, !llvm.ptr\n    llvm.br ^a(%y"
    )
    assert divided(stored) is not None


def test_the_reconvergence_point_may_follow_a_block_without_effects():
    behind = JOINED.replace("^join:\n", "^join:\n    llvm.br ^more\n^more:\n")
    assert divided(behind) is None
    assert divided(behind, strict=True) is None


def test_unreachable_blocks_do_not_change_the_reconvergence_point():
    unreachable = (NUMBER + THREADED).replace(
        "^far:\n    llvm.store %c9, %p : i32, !llvm.ptr\n    llvm.br ^end\n",
        "^far:\n    llvm.unreachable\n",
    )
    assert divided(unreachable) is None


def test_exited_threads_are_not_waited_for():
    ended = JOINED.replace("llvm.br ^join\n^b:", "llvm.return\n^b:")
    assert divided(ended) is None


def test_a_loop_that_threads_leave_one_after_the_other():
    loop = """
    llvm.br ^head(%c0 : i32)
^head(%i: i32):
    llvm.store %i, %p : i32, !llvm.ptr
    %j = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %j, %t : i32
    llvm.cond_br %more, ^head(%j : i32), ^done
^done:
    nvvm.barrier0
    llvm.return"""
    assert divided(loop) is None
    inside = loop.replace("%j = ", "nvvm.barrier0\n    %j = ")
    assert divided(inside) is not None, "threads that have left are missed"


@pytest.mark.parametrize("right", [True, False])
def test_a_pass_must_not_split_warps(right: bool):
    """The effect of threading the edges of a switch past a barrier's block on a warp."""
    before = f"""{NUMBER}
    llvm.switch %w : i32, ^far [0: ^m(%c0 : i32), 1: ^m(%c1 : i32)]
^m(%x: i32):
    %q = llvm.icmp "eq" %x, %c1 : i32
    llvm.cond_br %q, ^b, ^a
^a:
    llvm.store %c1, %p : i32, !llvm.ptr
    llvm.br ^join
^b:
    llvm.store %c0, %p : i32, !llvm.ptr
    llvm.br ^join
^join:
    nvvm.barrier0
    llvm.br ^end{FAR}"""
    after = before if right else NUMBER + THREADED

    def threads_edges(one: ModuleOp) -> bool:
        changed = module(after)
        (old,), (new,) = one.ops, changed.ops
        new.detach()
        one.body.block.insert_op_before(new, old)
        old.detach()
        old.erase()
        return True

    # One element per thread, so that they do not race.
    own = "\n    %o = llvm.getelementptr %p[%t] : (!llvm.ptr, i32) -> !llvm.ptr, i32"
    before, after = (
        own + text.replace("%p : i32, !llvm.ptr", "%o : i32, !llvm.ptr") for text in (before, after)
    )
    launch = Launch("k", 1, 64, (5, np.zeros(64, np.int32)))
    found = find_difference(module(before), threads_edges, [launch], machine=False)
    assert (found is None) is right
    assert right or "without the others" in str(found)


CALLED = """
llvm.func internal @f(%p: !llvm.ptr) {{
  {body}
  llvm.return
}}
llvm.func internal @g(%p: !llvm.ptr) {{
  llvm.call @f(%p) : (!llvm.ptr) -> ()
  llvm.return
}}
llvm.func @k(%n: i32, %p: !llvm.ptr) attributes {{nvvm.kernel}} {{
  %zero = llvm.mlir.constant(0 : i32) : i32
  %mask = llvm.mlir.constant(-1 : i32) : i32
  %f = llvm.mlir.addressof @f : !llvm.ptr
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %c = llvm.icmp "eq" %t, %zero : i32
  llvm.cond_br %c, ^a, ^b
^a:
  {call}
  llvm.br ^b
^b:
  nvvm.bar.warp.sync %mask : i32
  llvm.return
}}
"""
DIRECT = "llvm.call @g(%p) : (!llvm.ptr) -> ()"
SYNC = "%one = llvm.mlir.constant(1 : i32) : i32\n  nvvm.bar.warp.sync %one : i32"
STORE = "%one = llvm.mlir.constant(1 : i32) : i32\n  llvm.store %one, %p : i32, !llvm.ptr"
CALLEES = {
    "a callee of a callee": (SYNC, DIRECT, True),
    "not one without such ops": (STORE, DIRECT, False),
    "a function that is not known": (
        STORE,
        "llvm.call %f(%p) : !llvm.ptr, (!llvm.ptr) -> ()",
        True,
    ),
    "not one that is not called": (SYNC, "", False),
}


@pytest.mark.parametrize("why", CALLEES)
def test_convergent_ops_of_callees(why: str):
    """The thread 0 alone executes the op of a callee, in the original module, too."""
    body, call, expected = CALLEES[why]
    one = parse_module(CALLED.format(body=body, call=call))
    assert callees_gather(one, "k") is expected
    launch = Launch("k", 1, 32, (5, np.zeros(1, np.int32)))
    assert Comparison(one, [launch]).whole_warps is not expected
    assert find_difference(one, "always-inline,inline", [launch]) is None
