"""Conditions of `sink`: the block in which an op of the first block of each function ends up."""

from __future__ import annotations

import pytest
from helpers.modules import function

from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.scalar.sink import MAX_WRITES
from nvvm_xdsl.pipeline import run_pipeline

HEAD = "define void @f(ptr noalias %p, ptr noalias %q, i32 %a, i32 %n, i1 %c) {\n"

SIDES = """entry:
  {op}
  {between}
  br i1 %c, label %then, label %end
then:
  {use}
  br label %end
end:
  {end}
  ret void
}}
"""


def home(text: str, name: str = "llvm.mul", pipeline: str = "sink") -> int:
    """Returns the number of the block that has the op of this name afterwards."""
    module = read_ll(HEAD + text)
    run_pipeline(module, pipeline)
    module.verify()
    blocks = list(fast.blocks_of(function(module).body))
    (found,) = (n for n, b in enumerate(blocks) for op in fast.ops_of(b) if op.name == name)
    return found


MUL = "%m = mul i32 %a, %a"
LOAD = "%m = load i32, ptr %q"
USE = "store i32 %m, ptr %p"
CASES = {
    "a value that one side uses": (MUL, "", USE, "", 1),
    "past a store": (MUL, "store i32 1, ptr %p", USE, "", 1),
    "not if nothing uses it": (MUL, "", "", "", 0),
    "not if the join uses it": (MUL, "", USE, USE, 0),
    "a load": (LOAD, "", USE, "", 1),
    "a load past a store of another object": (LOAD, "store i32 1, ptr %p", USE, "", 1),
    "not if the load is behind a store of its object": (LOAD, "store i32 1, ptr %q", USE, "", 0),
    "not if the load is volatile": (LOAD.replace("load", "load volatile"), "", USE, "", 0),
    "not if only the join uses it, which runs as often": (MUL, "", "store i32 1, ptr %q", USE, 0),
}  # fmt: skip


@pytest.mark.parametrize("why", CASES)
def test_ops_sunk_into_one_side_of_a_branch(why: str):
    op, between, use, end, block = CASES[why]
    text = SIDES.format(op=op, between=between, use=use, end=end)
    assert home(text, "llvm.load" if "load" in op else "llvm.mul") == block


PARTIAL_JOIN = """entry:
  {op}
  br i1 %c, label %then, label %other
then:
  store i32 1, ptr %q
  br label %join
other:
  %d = icmp eq i32 %n, 0
  br i1 %d, label %join, label %end
join:
  store i32 %m, ptr %p
  br label %end
end:
  ret void
}}
"""


@pytest.mark.parametrize(("op", "block"), [(MUL, 3), (LOAD, 0)])
def test_a_join_that_some_paths_avoid(op: str, block: int):
    """A load is not moved there: it would follow a store."""
    name = "llvm.load" if op is LOAD else "llvm.mul"
    assert home(PARTIAL_JOIN.format(op=op), name) == block


def test_an_op_leaves_its_loop_to_a_block_that_post_dominates_it():
    text = """entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %m = mul i32 %i, %i
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store i32 %m, ptr %p
  ret void
}
"""
    assert home(text) == 2


def test_only_writes_count_as_writes():
    """The number of writes past which a load moves is limited, not the number of other ops."""
    between = "\n".join(f"  %v{n} = mul i32 %a, %n" for n in range(MAX_WRITES + 1))
    assert home(SIDES.format(op=LOAD, between=between, use=USE, end=""), "llvm.load") == 1


TEXTURE = "declare { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64, i32)\n"


@pytest.mark.parametrize(("between", "block"), [("", 1), ("store i32 1, ptr %q", 0)])
def test_an_op_that_reads_unknown_memory_is_not_moved_past_a_store(between: str, block: int):
    texel = "call { i32, i32, i32, i32 } @llvm.nvvm.tex.unified.1d.v4s32.s32(i64 7, i32 %a)"
    use = "%m = extractvalue { i32, i32, i32, i32 } %t, 0\n  " + USE
    text = SIDES.format(op=f"%t = {texel}", between=between, use=use, end="")
    assert home(text + TEXTURE, "llvm.call_intrinsic") == block


@pytest.mark.parametrize(
    ("end", "block"),
    [("", 0), ("store volatile i32 %x, ptr %p\n  store volatile i32 %y, ptr %p", 1)],
)
def test_operands_that_are_live_anyway_do_not_increase_pressure(end: str, block: int):
    loads = "%x = load volatile i32, ptr %p\n  %y = load volatile i32, ptr %p"
    text = SIDES.format(op=f"{loads}\n  %m = mul i32 %x, %y", between="", use=USE, end=end)
    assert home(text, pipeline="sink<rp-aware>") == block


def test_ops_are_not_sunk_along_an_unconditional_branch():
    text = f"entry:\n  {MUL}\n  br label %next\nnext:\n  {USE}\n  ret void\n}}\n"
    assert home(text) == 0


LOOP = """entry:
  {before}
  br i1 %c, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %last ]
  {inside}
  %d = icmp slt i32 %i, %a
  br i1 %d, label %then, label %last
then:
  store i32 %m, ptr %p
  br label %last
last:
  %next = add i32 %i, 1
  %e = icmp slt i32 %next, %n
  br i1 %e, label %loop, label %end
end:
  ret void
}}
"""


def test_ops_are_not_sunk_into_a_loop():
    assert home(LOOP.format(before=MUL, inside="")) == 0


def test_ops_are_sunk_within_a_loop():
    assert home(LOOP.format(before="", inside="%m = mul i32 %i, %i")) == 2


def test_constants_stay():
    module = read_ll(HEAD + SIDES.format(op="", between="", use="store i32 77, ptr %p", end=""))
    run_pipeline(module, "sink")
    entry = function(module).body.blocks[0]
    assert any(op.name == "llvm.mlir.constant" for op in entry.ops)
