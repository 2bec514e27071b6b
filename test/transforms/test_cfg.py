"""Changes of the control-flow graph that passes share."""

from __future__ import annotations

import pytest
from helpers.programs import block_named, parse_function

from nvvm_xdsl.dialects.llvm import branches
from nvvm_xdsl.dialects.llvm.constant_ops import is_undefined
from nvvm_xdsl.ir import fast
from nvvm_xdsl.transforms import cfg
from nvvm_xdsl.verify.verifier import verify_function

DEAD_CHAIN = """
llvm.func @f(%a: i32) -> i32 {
  llvm.return %a : i32
^first(%p: i32):
  %v = llvm.add %a, %p : i32
  llvm.br ^second
^second:
  %w = llvm.add %v, %p : i32
  llvm.br ^first(%w : i32)
}
"""


def test_uses_of_a_removed_block_in_other_unreachable_blocks_become_poison():
    func = parse_function(DEAD_CHAIN)
    second = block_named(func, "second")
    cfg.drop_block(block_named(func, "first"))
    add = second.first_op
    assert add is not None
    assert all(is_undefined(operand) for operand in add.operands)
    cfg.drop_block(second)
    verify_function(func)


def test_all_blocks_of_an_unreachable_cycle_are_removed_in_any_order():
    for names in (("first", "second"), ("second", "first")):
        func = parse_function(DEAD_CHAIN)
        cfg.drop_blocks([block_named(func, name) for name in names])
        verify_function(func)
        assert len(func.regions[0].blocks) == 1


USED_AFTERWARDS = """
llvm.func @f(%a: i32, %c: i1) -> i32 {
  llvm.cond_br %c, ^middle(%a : i32), ^end
^middle(%p: i32):
  %v = llvm.add %a, %p : i32
  llvm.br ^user
^user:
  %w = llvm.mul USED, %a : i32
  llvm.br ^end
^end:
  llvm.return %a : i32
}
"""


@pytest.mark.parametrize("used", ["%v", "%p"])
def test_a_removed_value_that_a_reachable_block_uses_is_an_error(used: str):
    """The edge into ^middle is redirected to ^user, which still uses a value of ^middle."""
    func = parse_function(USED_AFTERWARDS.replace("USED", used))
    middle, user = block_named(func, "middle"), block_named(func, "user")
    branch = fast.terminator_of(func.regions[0].blocks[0])
    branches.set_edges(branch, [(user, ()), branches.edges_of(branch)[1]])
    with pytest.raises(ValueError, match=r"llvm\.mul uses a value of a removed block"):
        cfg.drop_block(middle)
