import pytest
from helpers.graphs import graphs, region_of
from helpers.loop_kernels import loop_kernel
from helpers.nests import loop_nest
from helpers.programs import parse_function
from hypothesis import given
from xdsl.dialects.llvm import CondBrOp
from xdsl.ir import Block, BlockArgument

from nvvm_xdsl.analysis.loop_facts import LoopFacts
from nvvm_xdsl.analysis.loops import Loop, LoopInfo
from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.dialects.effects import READS, WRITES, effects
from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.symbols import functions_of
from nvvm_xdsl.frontend.ll_reader import read_ll
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms.loops import simplify_and_form_lcssa


@given(graphs())
def test_edges_equal_those_of_the_loops(edges: list[list[int]]):
    facts = LoopFacts(LoopInfo(region_of(edges)))
    for loop in facts.loops.loops():
        assert facts.exit_edges(loop) == loop.exit_edges()
        assert facts.exiting_blocks(loop) == loop.exiting_blocks()
        assert facts.exit_blocks(loop) == loop.exit_blocks()
        assert facts.has_dedicated_exits(loop) == loop.has_dedicated_exits()
        assert facts.is_simplified(loop) == loop.is_simplified()


@given(graphs())
def test_a_loop_contains_its_blocks(edges: list[list[int]]):
    region = region_of(edges)
    info = LoopInfo(region)
    for loop in info.loops():
        assert [b for b in region.blocks if loop.contains(b)] == [
            b for b in region.blocks if b in loop.block_set
        ]
    members = info.members()
    for loop in info.loops():
        inner = {other.header for other in loop.subloops}
        own = {b for b in loop.blocks if info.loop_for(b) is loop}
        assert members[loop] == [b for b in loop.blocks if b in own | inner]


def _values_out(loop: Loop) -> list[object]:
    """Returns the loop's values that are used outside it only as block arguments."""
    found: list[object] = []
    for block in loop.blocks:
        for op in fast.ops_of(block):
            uses = [use for result in op.results for use in fast.uses_of(result)]
            taken: list[Block | None] = []
            for user, index in uses:
                argument = branches.argument_behind(user, index) if user.successors else None
                taken.append(argument.block if isinstance(argument, BlockArgument) else None)
            if (
                len(op.results) == 1
                and uses
                and not any(b is None or loop.contains(b) for b in taken)
            ):
                found.append(op)
    return found


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("is_formed", [False, True])
def test_ops_equal_those_of_the_loops(seed: int, is_formed: bool):
    module = read_ll(loop_kernel(seed), "k.ll")
    for func in functions_of(module):
        am = AnalysisManager()
        if is_formed:
            simplify_and_form_lcssa(func, am)
        facts = am.get(LoopFacts, func)
        for loop in facts.loops.loops():
            ops = [op for block in loop.blocks for op in fast.ops_of(block)]
            assert facts.is_lcssa(loop) == loop.is_lcssa()
            flags = 0
            for op in ops:
                flags |= effects(op)
            assert facts.effects(loop) == flags
            assert facts.accesses(loop) == [op for op in ops if effects(op) & (READS | WRITES)]
            assert facts.invariant_ops(loop) == [
                op for op in ops if op.results and loop.has_invariant_operands(op)
            ]
            assert facts.ops_handed_out(loop) == _values_out(loop)
            assert facts.has_invariant_test(loop) == any(
                isinstance(op, CondBrOp) and loop.is_invariant(op.cond) for op in ops
            )
        facts.verify()


def test_an_op_that_must_not_be_copied_is_found_from_all_enclosing_loops():
    func = parse_function(loop_nest(3, "  llvm.blocktag <id = 0>\n"))
    facts = AnalysisManager().get(LoopFacts, func)
    assert {facts.why_not_copied(loop) for loop in facts.loops.loops()} == {
        "it contains llvm.blocktag"
    }


def test_an_invariant_test_is_reported_for_every_loop_in_which_it_is_invariant():
    func = parse_function("""
llvm.func @f(%n: i1, %p: !llvm.ptr) {
  llvm.br ^a
^a:
  llvm.br ^b
^b:
  %c = llvm.load %p : !llvm.ptr -> i1
  llvm.br ^c
^c:
  llvm.cond_br %c, ^c, ^latch
^latch:
  llvm.cond_br %n, ^b, ^end
^end:
  %d = llvm.load %p : !llvm.ptr -> i1
  llvm.cond_br %d, ^a, ^out
^out:
  llvm.return
}
""")
    facts = AnalysisManager().get(LoopFacts, func)
    found = {loop.header.name_hint: facts.has_invariant_test(loop) for loop in facts.loops.loops()}
    assert found == {"a": True, "b": True, "c": True}
