"""Rules of document 001 at their limits: numbers of candidates, self-loops, repeated visits, dead blocks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers.random_machine_code import run_pass
from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.ir import Block

from nvvm_xdsl.dialects.nvptx import NVPTX, FuncOp
from nvvm_xdsl.ir import fast
from nvvm_xdsl.passes.machine.base import machine_functions
from nvvm_xdsl.passes.machine.branch_folder import BranchFolder
from nvvm_xdsl.passes.machine.branch_optimization import optimize_branches
from nvvm_xdsl.passes.machine.tail_merging import (
    CommonTails,
    hash_end_of_block,
    hash_machine_instr,
    merge_decision,
    merge_facts,
)


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


def block(func: FuncOp, name: str) -> Block:
    return next(b for b in fast.blocks_of(func.body) if b.name_hint == name)


def two(first: Sequence[str], second: Sequence[str]) -> FuncOp:
    """Two predecessors of one block, after a jump through a table."""
    bodies = ["\n".join([*lines, "nvptx.bra ^join"]) for lines in (first, second)]
    return parse(
        f"  nvptx.brx %n : !nvptx.b32, ^a, ^b\n^a:\n{bodies[0]}\n^b:\n{bodies[1]}\n^join:\n  nvptx.ret"
    )


PRAGMA = 'nvptx.pragma "nounroll"'


@pytest.mark.parametrize("line", [PRAGMA, store(5)])
def test_a_pragma_ends_a_common_tail(line: str):
    func = two([store(9), line, store(0)], [store(8), line, store(0)])
    length = CommonTails().between(block(func, "a"), block(func, "b")).length
    assert length == (1 if line == PRAGMA else 2)


def test_gates_2_and_4():
    """A jump through a table at either end, and a tail of one instruction that saves nothing."""
    func = two([store(9), store(0)], [store(8), store(0)])
    entry, a, b = func.body.blocks.first, block(func, "a"), block(func, "b")
    assert entry is not None
    for first, second in ((entry, a), (a, entry)):
        assert merge_decision(first, second, 0, CommonTails()).gate == 2
    assert merge_decision(a, b, 1, CommonTails()).gate == 4


def test_hashes_of_special_registers_and_of_stores():
    def read(name: str) -> str:
        return f'%u = nvptx.mov.sreg "{name}" : !nvptx.b32'

    ops = [block(two([read(name)], []), "a").first_op for name in ("tid.x", "tid.y", "tid.x")]
    first, other, again = (hash_machine_instr(op) for op in ops if op is not None)
    assert first == again != other
    assert hash_end_of_block(block(two([store(0)], []), "a")) != 0


def test_the_last_read_of_a_special_register_ends_a_tail_without_one():
    def lines(number: int) -> list[str]:
        return [
            f'%t{number} = nvptx.mov.sreg "tid.x" : !nvptx.b32',
            store(number),
            store(0),
            f'%c{number} = nvptx.mov.sreg "ctaid.x" : !nvptx.b32',
            store(1),
        ]

    func = two(lines(8), lines(9))
    tail = CommonTails().between(block(func, "a"), block(func, "b"))
    assert (tail.length, tail.reserved) == (3, True)


def test_merged_facts_are_those_of_both():
    func = two([store(0)], [store(0)])
    kept, lost = block(func, "a").first_op, block(func, "b").first_op
    assert kept is not None
    assert lost is not None
    for name, mine, other in (("same", "x", "x"), ("different", "x", "y"), ("one", "x", None)):
        kept.attributes[name] = StringAttr(mine)
        if other is not None:
            lost.attributes[name] = StringAttr(other)
    merge_facts(kept, lost)
    assert set(kept.attributes) == {"same"}


@pytest.mark.parametrize(("flag", "length"), [("uni ", 0), ("", 2)])
def test_a_uniform_branch_ends_a_common_tail(flag: str, length: int):
    """It is uniform among the threads of each block, but need not be among those of both."""
    end = f"nvptx.cbra {flag}%c : !nvptx.pred, ^join, ^other"
    func = parse(f"""
  nvptx.brx %n : !nvptx.b32, ^a, ^b
^a:
  {store(9)}
  {store(0)}
  {end}
^b:
  {store(8)}
  {store(0)}
  {end}
^join:
  {store(7)}
  nvptx.ret
^other:
  nvptx.ret""")
    assert CommonTails().between(block(func, "a"), block(func, "b")).length == length
