"""Rules of document 001 at their limits: numbers of candidates, self-loops, repeated visits, dead blocks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers.random_machine_code import run_pass
from xdsl.dialects.builtin import ModuleOp

from nvvm_xdsl.dialects.nvptx import NVPTX, FuncOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.branch_folder import BranchFolder
from nvvm_xdsl.passes.machine.branch_optimization import optimize_branches


def parse(body: str) -> FuncOp:
    from xdsl.context import Context
    from xdsl.dialects.builtin import Builtin
    from xdsl.parser import Parser

    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    module = Parser(
        context,
        f"""
nvptx.func @f(#nvptx.param<b64>, #nvptx.param<b32>) {{
  %p = nvptx.ld param.b64 [@f_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@f_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
{body}
}}
""",
    ).parse_module()
    module.verify()
    return next(machine_functions(module))


def module_of(func: FuncOp) -> ModuleOp:
    parent = func.parent_op()
    assert isinstance(parent, ModuleOp)
    return parent


def store(offset: int) -> str:
    return f"nvptx.st global.b32 [%p + {4 * offset}], %n : (!nvptx.b64, !nvptx.b32) -> ()"


def names_of(func: FuncOp) -> list[str | None]:
    return [block.name_hint for block in fast.blocks_of(func.body)]


def candidates(tails: Sequence[int], last: str) -> FuncOp:
    """Returns blocks of two stores and `last`; blocks of the same number are equal."""
    names = ", ".join(f"^b{k}" for k in range(len(tails)))
    bodies = "".join(
        f"^b{k}:\n{store(tail)}\n{store(8999)}\n{last}\n" for k, tail in enumerate(tails)
    )
    join = "" if last == "nvptx.ret" else "^join:\n  nvptx.ret"
    return parse(f"  nvptx.brx %n : !nvptx.b32, {names}\n{bodies}{join}")


@pytest.mark.parametrize("last", ["nvptx.ret", "nvptx.bra ^join"])
@pytest.mark.parametrize(("count", "merges"), [(150, True), (151, False)])
def test_150_candidates_are_considered_at_once(count: int, merges: bool, last: str):
    """Exits (phase A) and predecessors (phase B): the last block ends like the first, others differ."""
    func = candidates([*range(count - 1), 0], last)
    size = 3 if last == "nvptx.ret" else 2
    assert run_pass(module_of(func), BranchFolder(tail_merge_size=size)) is merges
    copies = sum(op.name == "nvptx.st" for b in fast.blocks_of(func.body) for op in fast.ops_of(b))
    assert copies == 2 * count - 2 * merges


def test_a_threshold_of_0_keeps_the_simplification_of_branches():
    body = f"""
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  {store(9)}
  {store(0)}
  {store(1)}
  {store(2)}
  nvptx.bra ^empty
^b:
  {store(8)}
  {store(0)}
  {store(1)}
  {store(2)}
  nvptx.bra ^empty
^empty:
  nvptx.bra ^join
^join:
  nvptx.ret"""
    func = parse(body)
    assert run_pass(module_of(func), BranchFolder(tail_merge_threshold=0))
    assert names_of(func) == [None, "a", "b", "join"]
    stores = [
        op for b in fast.blocks_of(func.body) for op in fast.ops_of(b) if op.name == "nvptx.st"
    ]
    assert len(stores) == 8


def test_a_predecessor_that_is_the_block_itself_is_skipped():
    """Both blocks of the loop end alike, but each is its own predecessor."""
    func = parse(f"""
  nvptx.bra ^head
^head:
  {store(9)}
  {store(0)}
  {store(1)}
  {store(2)}
  nvptx.cbra %c : !nvptx.pred, ^head, ^latch
^latch:
  {store(8)}
  {store(0)}
  {store(1)}
  {store(2)}
  nvptx.cbra %c : !nvptx.pred, ^head, ^latch""")
    assert not run_pass(module_of(func), BranchFolder())


def test_a_changed_block_is_optimized_again():
    """The block before becomes a branch to one target only after its successor, a later block, is removed."""
    func = parse(f"""
  nvptx.cbra %c : !nvptx.pred, ^a, ^b
^a:
  nvptx.cbra %c : !nvptx.pred, ^join, ^empty
^b:
  {store(0)}
  nvptx.bra ^join
^empty:
  nvptx.bra ^join
^join:
  {store(1)}
  nvptx.ret""")
    assert optimize_branches(func)
    assert names_of(func) == [None, "b", "join"]
    assert not optimize_branches(func)


def test_dead_blocks_are_removed_before_the_simplification():
    """A dead predecessor would keep ^next from being merged into the entry."""
    func = parse(f"""
  nvptx.bra ^next
^dead:
  {store(0)}
  nvptx.cbra %c : !nvptx.pred, ^next, ^dead
^next:
  {store(1)}
  nvptx.ret""")
    assert optimize_branches(func)
    assert names_of(func) == [None]
