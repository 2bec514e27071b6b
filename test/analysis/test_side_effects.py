"""Side-effect queries of passes that move, erase or duplicate ops."""

from __future__ import annotations

from pathlib import Path

from xdsl.dialects import llvm

from nvvm_xdsl import parse
from nvvm_xdsl.analysis.side_effects import is_expression, is_removable
from nvvm_xdsl.dialects.effects import BLOCKS_REMOVAL, UNSPECULATABLE, effects
from nvvm_xdsl.dialects.llvm.ops import IndirectBrOp
from nvvm_xdsl.ir import fast


def test_facts_cached_by_class_hold_for_each_op():
    """Runs twice over all examples, so that facts cached for the first ops of a class are queried again."""
    for path in 2 * sorted((Path(__file__).parents[2] / "examples").glob("*.ll")):
        for op in parse(path.read_text()).walk():
            flags = effects(op)
            assert is_expression(op) == (not flags & ~UNSPECULATABLE and bool(op.results))
            terminates = op.__class__ in (llvm.ReturnOp, llvm.UnreachableOp) or op.successors
            assert is_removable(op) == (
                op.__class__ is llvm.AllocaOp if flags & BLOCKS_REMOVAL else not terminates
            )


def test_a_terminator_without_successors_does_not_affect_others():
    cls = IndirectBrOp
    is_removable(fast.create(cls))
    assert not is_removable(fast.create(cls, successors=[fast.new_block()]))
