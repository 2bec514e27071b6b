"""Rules of document 001 at their limits: numbers of candidates, self-loops, repeated visits, dead blocks."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from helpers.random_machine_code import run_pass
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin, ModuleOp, StringAttr
from xdsl.ir import Block
from xdsl.parser import Parser

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


def parse_function(text: str) -> FuncOp:
    context = Context()
    context.load_dialect(Builtin)
    context.load_dialect(NVPTX)
    module = Parser(context, text).parse_module()
    module.verify()
    return next(machine_functions(module))


def parse(body: str) -> FuncOp:
    return parse_function(f"""
nvptx.func @f(#nvptx.param<b64>, #nvptx.param<b32>) {{
  %p = nvptx.ld param.b64 [@f_param_0] : () -> !nvptx.b64
  %n = nvptx.ld param.b32 [@f_param_1] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
{body}
}}
""")


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


def stores_in(func: FuncOp, name: str) -> int:
    return sum(op.name == "nvptx.st" for op in fast.ops_of(block(func, name)))


@pytest.mark.parametrize(("threshold", "merges"), [(2, True), (1, False)])
def test_a_jump_through_a_table_is_not_a_candidate(threshold: int, merges: bool):
    """The entry is the first predecessor of ^join, but only ^a and ^b count."""
    func = parse(f"""
  nvptx.brx %n : !nvptx.b32, ^a, ^b, ^join
^a:
  {store(9)}
  {store(0)}
  {store(1)}
  nvptx.bra ^join
^b:
  {store(8)}
  {store(0)}
  {store(1)}
  nvptx.bra ^join
^join:
  {store(7)}
  nvptx.ret""")
    folder = BranchFolder(tail_merge_size=2, tail_merge_threshold=threshold)
    assert run_pass(module_of(func), folder) is merges


@pytest.mark.parametrize(("threshold", "merges"), [(3, True), (2, False)])
def test_a_block_is_no_candidate_for_its_own_predecessors(threshold: int, merges: bool):
    """^head is the second predecessor of ^head, but only the entry, ^a and ^b count."""
    func = parse(f"""
  {store(5)}
  nvptx.bra ^head
^head:
  {store(4)}
  nvptx.cbra %c : !nvptx.pred, ^head, ^next
^next:
  nvptx.brx %n : !nvptx.b32, ^a, ^b
^a:
  {store(9)}
  {store(0)}
  {store(1)}
  nvptx.bra ^head
^b:
  {store(8)}
  {store(0)}
  {store(1)}
  nvptx.bra ^head""")
    folder = BranchFolder(tail_merge_size=2, tail_merge_threshold=threshold)
    assert run_pass(module_of(func), folder) is merges


def branches(first: Sequence[str], second: Sequence[str], condition: str = "%c") -> FuncOp:
    """A conditional branch to two blocks that return."""
    bodies = ["\n".join([*lines, "nvptx.ret"]) for lines in (first, second)]
    numbered = """
  %r = nvptx.register : !nvptx.pred<1>
  %0 = nvptx.setp eq.s32 %n, 2 : (!nvptx.b32) -> !nvptx.pred<1>"""
    type_ = "!nvptx.pred<1>" if condition == "%r" else "!nvptx.pred"
    return parse(
        f"{numbered if condition == '%r' else ''}\n"
        f"  nvptx.cbra {condition} : {type_}, ^a, ^b\n^a:\n{bodies[0]}\n^b:\n{bodies[1]}"
    )


def is_hoisted(func: FuncOp) -> bool:
    return run_pass(module_of(func), BranchFolder(enable_tail_merge=False))


def test_returns_are_not_hoisted():
    func = branches([store(0)], [store(0)])
    assert is_hoisted(func)
    last = func.body.blocks.first.last_op if func.body.blocks.first else None
    assert last is not None
    assert last.name == "nvptx.cbra"
    assert [stores_in(func, name) for name in "ab"] == [0, 0]


def test_instructions_on_other_registers_are_not_hoisted():
    other = store(0).replace("], %n :", "], %m :")
    define = "%m = nvptx.add s32 %n, 1 : (!nvptx.b32) -> !nvptx.b32"
    func = parse(
        f"  {define}\n  nvptx.cbra %c : !nvptx.pred, ^a, ^b\n"
        f"^a:\n{store(0)}\nnvptx.ret\n^b:\n{other}\nnvptx.ret"
    )
    assert not is_hoisted(func)


SETP = "= nvptx.setp eq.s32 %n, 7 : (!nvptx.b32) -> !nvptx.pred"


@pytest.mark.parametrize(
    ("condition", "line", "hoists"),
    [
        # A predicate without a number is a new value.
        ("%c", f"%{{0}} {SETP}", True),
        # The register of the condition.
        ("%r", f"%{{0}} {SETP}<1>", False),
        # Another one.
        ("%r", f"%{{0}} {SETP}<2>", True),
        ("%r", store(0), True),
    ],
)
def test_writes_of_the_condition_are_not_hoisted(condition: str, line: str, hoists: bool):
    func = branches([line.format("x")], [line.format("y")], condition)
    assert is_hoisted(func) is hoists


def test_a_block_that_branches_to_itself_is_not_hoisted_from():
    """Its first instruction would move behind its second."""
    func = parse_function("""
nvptx.func @f() {
^entry:
  %p = nvptx.mov b64 @g : () -> !nvptx.b64
  %n = nvptx.ld volatile.global.b32 [%p] : (!nvptx.b64) -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^entry, ^out
^out:
  %q = nvptx.mov b64 @g : () -> !nvptx.b64
  nvptx.st global.b32 [%q], 1 : (!nvptx.b64) -> ()
  nvptx.ret
}
""")
    assert not is_hoisted(func)


def test_an_empty_entry_is_kept():
    """Without it, ^other would be the entry."""
    func = parse_function("""
nvptx.func @f() {
^entry:
  nvptx.bra ^head
^other:
  nvptx.st global.b32 [@g], 1 : () -> ()
  nvptx.bra ^entry
^head:
  %n = nvptx.ld volatile.global.b32 [@g] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^other, ^out
^out:
  nvptx.ret
}
""")
    entry = func.body.blocks.first
    optimize_branches(func)
    assert func.body.blocks.first is entry


def test_the_entry_is_not_merged_into_its_predecessor():
    func = parse_function("""
nvptx.func @f() {
^entry:
  %n = nvptx.ld volatile.global.b32 [@g] : () -> !nvptx.b32
  %c = nvptx.setp eq.s32 %n, 0 : (!nvptx.b32) -> !nvptx.pred
  nvptx.cbra %c : !nvptx.pred, ^other, ^out
^other:
  nvptx.st global.b32 [@g], 1 : () -> ()
  nvptx.bra ^entry
^out:
  nvptx.ret
}
""")
    assert not optimize_branches(func)
    assert len(func.body.blocks) == 3


def test_an_entry_that_branches_to_itself_is_kept():
    func = parse_function("""
nvptx.func @f() {
^entry:
  nvptx.st global.b32 [@g], 1 : () -> ()
  nvptx.bra ^entry
}
""")
    assert not optimize_branches(func)


def test_exits_that_need_not_move():
    """Simplification 6 needs a block that leaves the function, between a conditional branch and its
    other target."""

    def text(first: str, between: str, after: str) -> str:
        return f"""
  {first}
^out:
  {store(0)}
  {between}
^on:
  {store(1)}
  {after}
^end:
  {store(2)}
  nvptx.ret"""

    branch, loop = (
        "nvptx.cbra %c : !nvptx.pred, ^out, ^on",
        "nvptx.cbra %c : !nvptx.pred, ^on, ^end",
    )
    table = "nvptx.brx %n : !nvptx.b32, ^out, ^on"
    ret, unreachable = "nvptx.ret", "nvptx.unreachable"
    order = [None, "out", "on", "end"]
    moved = [None, "on", "end", "out"]
    for first, between, after, expected in (
        (branch, ret, loop, moved),
        (branch, loop, loop, order),
        (table, ret, loop, order),
    ):
        func = parse(text(first, between, after))
        optimize_branches(func)
        assert names_of(func) == expected
    # The returning one of two exits is preferred as the next block.
    for between, after, expected in (
        (unreachable, ret, [None, "on", "out"]),
        (ret, ret, [None, "out", "on"]),
        (ret, unreachable, [None, "out", "on"]),
        (unreachable, unreachable, [None, "out", "on"]),
    ):
        func = parse(text(branch, between, after))
        optimize_branches(func)
        assert names_of(func) == expected


def test_an_exit_before_a_block_that_is_no_target_need_not_move():
    func = parse(f"""
  nvptx.cbra %c : !nvptx.pred, ^out, ^end
^out:
  {store(0)}
  nvptx.ret
^on:
  {store(1)}
  nvptx.cbra %c : !nvptx.pred, ^on, ^last
^end:
  {store(2)}
  nvptx.cbra %c : !nvptx.pred, ^on, ^last
^last:
  nvptx.ret""")
    assert not optimize_branches(func)
    assert names_of(func) == [None, "out", "on", "end", "last"]
