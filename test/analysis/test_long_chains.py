"""Every analysis on thousands of blocks in a row, without recursion along them."""

import pytest
from helpers.programs import parse_function
from helpers.scale import slow_but
from xdsl.dialects.llvm import AddOp, ReturnOp, StoreOp

from nvvm_xdsl.analysis.manager import AnalysisManager
from nvvm_xdsl.analysis.printers import PRINTERS, print_analysis
from nvvm_xdsl.dialects.llvm.branches import branch, conditional_branch
from nvvm_xdsl.dialects.llvm.types import I32, int_attr
from nvvm_xdsl.ir import fast
from nvvm_xdsl.verify.verifier import verify_module

BLOCKS = 4_000


@pytest.fixture(scope="module")
def chain():
    """Blocks that pass a value on, add to it, and occasionally store it or return."""
    func = parse_function(
        "llvm.func @f(%a: i32, %p: !llvm.ptr<1>, %c: i1) {\nllvm.br ^entered\n^entered:\n"
        "llvm.return\n}"
    )
    region = func.regions[0]
    entry, last = region.blocks
    a, p, c = entry.args
    blocks = [fast.new_block([I32]) for _ in range(BLOCKS)]
    fast.erase(last.last_op)
    value = a
    for n, block in enumerate([last, *blocks]):
        if n:
            fast.append_block(region, block)
            add = fast.create(AddOp, [block.args[0], a], [I32], {"overflowFlags": int_attr(0, I32)})
            value = add.results[0]
            fast.append(block, add)
        if n % 1000 == 1:
            fast.append(block, fast.create(StoreOp, [value, p]))
        if n == BLOCKS:
            fast.append(block, fast.create(ReturnOp))
        elif n % 500 == 0 and n:
            fast.append(block, conditional_branch(c, blocks[n], [value], blocks[-1], [value]))
        else:
            fast.append(block, branch(blocks[n], [value]))
    verify_module(func.parent_op())
    return func


@pytest.mark.parametrize("name", slow_but(sorted(PRINTERS), ["domtree", "loops", "memoryssa"]))
def test_thousands_of_blocks(chain, name: str):
    text = print_analysis(name, chain, AnalysisManager())
    assert text.startswith(PRINTERS[name][0])
    if name in ("domtree", "postdomtree", "cfg", "block-freq", "liveness", "merge-sets"):
        assert text.count("\n") >= BLOCKS
